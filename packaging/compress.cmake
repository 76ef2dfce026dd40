# Run by CPack before it makes the packages: compresses the manual pages.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*.1)
find_program(GZIP gzip REQUIRED)
foreach(page ${pages})
  execute_process(COMMAND ${GZIP} -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
