# The installed files and their places. Components: program, library (to run a program that uses
# it), development (to build one), python (the package kairos).
include(CMakePackageConfigHelpers)

set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/Kairos)
set(NOTICES_FOLDER ${CMAKE_INSTALL_DOCDIR})

# ---- program ----

install(TARGETS kairos-cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)

# ---- library ----

install(TARGETS kairos_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  NAMELINK_COMPONENT development)
install(DIRECTORY library/ DESTINATION ${DATA_FOLDER}/library COMPONENT library)
install(FILES cmake/third-party.txt DESTINATION ${NOTICES_FOLDER} COMPONENT library)
# The terms of the parts of library and program: as Kairos sums them up, and from their packages.
# Packages for Debian refer to the licences that every system has.
if(NOT KAIROS_DEB)
  install(FILES LICENSE packaging/copyright DESTINATION ${NOTICES_FOLDER} COMPONENT library)
  foreach(package libtcc-dev libsundials-dev libsuitesparse-dev)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${NOTICES_FOLDER}/third-party
      RENAME ${package}.txt COMPONENT library OPTIONAL)
  endforeach()
  install(FILES /usr/share/common-licenses/LGPL-2.1 DESTINATION ${NOTICES_FOLDER}/third-party
    COMPONENT library OPTIONAL)
endif()

# ---- development ----

install(TARGETS kairos_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES include/kairos.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# `-lfoo` for each library; the linker of the user searches again for those with a path.
set(LINK_NAMES "")
foreach(library ${PRIVATE_LIBRARIES})
  get_filename_component(name ${library} NAME_WE)
  string(REGEX REPLACE "^lib" "" name ${name})
  list(APPEND LINK_NAMES ${name})
endforeach()
list(TRANSFORM LINK_NAMES PREPEND -l OUTPUT_VARIABLE LINK_WORDS)
list(JOIN LINK_WORDS " " LINK_WORDS)

# kairos.pc finds the installation from its own place, so that the whole may be moved.
foreach(name LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
    set(PC_${name} "${CMAKE_INSTALL_${name}}")
  else()
    set(PC_${name} "\${prefix}/${CMAKE_INSTALL_${name}}")
  endif()
endforeach()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(PC_PREFIX "${CMAKE_INSTALL_PREFIX}")
else()
  file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" up "${up}")
  set(PC_PREFIX "\${pcfiledir}/${up}")
endif()
set(PC_DESCRIPTION "compiler and simulator for hybrid systems written in Modelica")
set(PC_LIBS "-L\${libdir} -lkairos")
set(PC_PRIVATE "${LINK_WORDS}")
configure_file(cmake/kairos.pc.in kairos.pc @ONLY)
# With this one the linker uses the archive even if the shared library is installed.
set(PC_DESCRIPTION "${PC_DESCRIPTION} (archive)")
set(PC_LIBS "\${libdir}/libkairos.a ${LINK_WORDS}")
set(PC_PRIVATE "")
configure_file(cmake/kairos.pc.in kairos-static.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/kairos.pc ${CMAKE_BINARY_DIR}/kairos-static.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

set(PACKAGE_PRIVATE "${LINK_NAMES}")
configure_package_config_file(cmake/KairosConfig.cmake.in KairosConfig.cmake
  INSTALL_DESTINATION ${PACKAGE_FOLDER}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(KairosConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/KairosConfig.cmake ${CMAKE_BINARY_DIR}/KairosConfigVersion.cmake
  DESTINATION ${PACKAGE_FOLDER} COMPONENT development)

# ---- python ----

# The folder in which the system's Python looks, below the prefix.
find_program(KAIROS_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(KAIROS_PYTHON python3)
if(KAIROS_DEB)
  set(PYTHON_FOLDER lib/python3/dist-packages)
elseif(KAIROS_PYTHON)
  execute_process(COMMAND ${KAIROS_PYTHON} -c "import sys; print('%d.%d' % sys.version_info[:2])"
    OUTPUT_VARIABLE PYTHON_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr/local")
    set(PYTHON_FOLDER lib/python${PYTHON_VERSION}/dist-packages)
  else()
    set(PYTHON_FOLDER lib/python${PYTHON_VERSION}/site-packages)
  endif()
endif()
if(PYTHON_FOLDER)
  install(DIRECTORY python/kairos DESTINATION ${PYTHON_FOLDER} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
