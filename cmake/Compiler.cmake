# Looks for a C compiler before CMake does, for a message that names the remedy.
if(NOT CMAKE_C_COMPILER)
  if(DEFINED ENV{CC} AND NOT "$ENV{CC}" STREQUAL "")
    separate_arguments(words UNIX_COMMAND "$ENV{CC}")
    list(GET words 0 wanted)
  else()
    set(wanted cc gcc clang)
  endif()
  unset(KAIROS_ANY_COMPILER CACHE)
  find_program(KAIROS_ANY_COMPILER NAMES ${wanted})
  mark_as_advanced(KAIROS_ANY_COMPILER)
  if(NOT KAIROS_ANY_COMPILER)
    list(JOIN wanted ", " names)
    message(FATAL_ERROR "Kairos cannot be built: there is no C compiler (looked for ${names}).\n"
      "On Debian and Ubuntu the packages gcc and libc6-dev have one; "
      "'tools/install-dependencies build' installs all that is needed. "
      "The environment variable CC names another compiler.")
  endif()
endif()
