# Run by CPack before it makes the packages. Compresses the manual pages. Removes licences that a
# package of Debian does not repeat: its file `copyright` has them, or refers to
# /usr/share/common-licenses.
find_program(GZIP gzip REQUIRED)
file(GLOB_RECURSE files ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*)
foreach(file ${files})
  if(file MATCHES "/man1/.*\\.1$")
    execute_process(COMMAND ${GZIP} -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
  elseif(file MATCHES "/doc/.*/(LICENSE|LGPL-2.1)$")
    file(REMOVE ${file})
  endif()
endforeach()
