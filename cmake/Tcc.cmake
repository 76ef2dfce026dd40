# libtcc as Kairos uses it.
#
# An archive of libtcc is copied, with some functions and variables of the C library renamed to
# those of src/load/for_tcc.c:
# - malloc, calloc, realloc, exit: without memory libtcc ends the process or crashes, which a
#   library must not do.
# - fprintf, and its replacements by the compiler: a library must not print.
# - sem_wait, sem_post: calls take turns in any case.
# - stdout, stderr, environ: Debian's archive addresses these variables directly, which a shared
#   object cannot do. All else in it is independent of its position once its symbols are local.
# A shared libtcc is used as it is.
if(LIBRARY_tcc IN_LIST STATIC_LIBRARIES)
  set(TCC_COPY ${CMAKE_BINARY_DIR}/libtcc_renamed.a)
  set(RENAMED "")
  foreach(name malloc calloc realloc exit fprintf __fprintf_chk sem_wait sem_post stdout stderr
      environ)
    list(APPEND RENAMED --redefine-sym ${name}=for_tcc_${name})
  endforeach()
  add_custom_command(OUTPUT ${TCC_COPY} DEPENDS ${LIBRARY_tcc}
    COMMAND ${CMAKE_OBJCOPY} ${RENAMED} ${LIBRARY_tcc} ${TCC_COPY}
    VERBATIM COMMENT "Renaming symbols of libtcc")
  add_custom_target(tcc_copy DEPENDS ${TCC_COPY})
  list(REMOVE_ITEM STATIC_LIBRARIES ${LIBRARY_tcc})
  list(PREPEND STATIC_LIBRARIES ${TCC_COPY})
endif()
