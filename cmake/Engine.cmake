# The binary of FMUs: the engine with the functions of FMI, as a shared object that needs only the C
# library. The linker takes from the archive what the functions of FMI need: no pictures, no
# results, no studio. Only the functions of FMI are visible, so that several FMUs, and a program
# with its own SUNDIALS, can be in one process.
#
# The program and the library contain the binary as a compressed archive (src/fmu/archive.c).
file(GLOB ENGINE_SOURCES CONFIGURE_DEPENDS src/fmu/interface/*.c)
add_library(kairos_engine MODULE ${ENGINE_SOURCES})
set_target_properties(kairos_engine PROPERTIES PREFIX "" OUTPUT_NAME engine
  LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/engine)
target_link_libraries(kairos_engine PRIVATE $<TARGET_FILE:kairos> ${STATIC_LIBRARIES} m)
add_dependencies(kairos_engine kairos)
target_link_options(kairos_engine PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,text -Wl,--as-needed
  -Wl,--gc-sections)
if(NOT KAIROS_SANITIZE AND NOT KAIROS_FUZZ) # sanitizers are in the program that loads it
  target_link_options(kairos_engine PRIVATE -Wl,-z,defs)
endif()

set(ENGINE_ARCHIVE ${CMAKE_BINARY_DIR}/engine/engine.zip)
add_custom_command(OUTPUT ${ENGINE_ARCHIVE} DEPENDS kairos_engine
  WORKING_DIRECTORY ${CMAKE_BINARY_DIR}/engine
  COMMAND ${CMAKE_STRIP} -o stripped.so engine.so
  COMMAND ${CMAKE_COMMAND} -E tar cf ${ENGINE_ARCHIVE} --format=zip stripped.so
  VERBATIM COMMENT "Packing the binary of FMUs")
set_source_files_properties(src/fmu/engine/engine.c PROPERTIES
  COMPILE_DEFINITIONS FMU_ENGINE="${ENGINE_ARCHIVE}" OBJECT_DEPENDS ${ENGINE_ARCHIVE})
add_library(kairos_engine_data STATIC src/fmu/engine/engine.c)
target_link_libraries(kairos INTERFACE kairos_engine_data)

# The files that the sources of all FMUs share, as one text.
set(ENGINE_SOURCE_TEXT ${CMAKE_BINARY_DIR}/engine/sources.txt)
file(GLOB shared_sources CONFIGURE_DEPENDS src/runtime/*.[ch] src/numerics/dense.[ch]
  src/fmu/interface/*.[ch] src/fmu/source/*.[ch] src/api/exchange.h src/base/arith.h
  src/base/format.[ch] src/base/memory.[ch] src/base/snapshot.[ch] include/kairos.h)
add_custom_command(OUTPUT ${ENGINE_SOURCE_TEXT}
  DEPENDS ${shared_sources} cmake/PackSources.cmake
  COMMAND ${CMAKE_COMMAND} -D TOP=${CMAKE_SOURCE_DIR} -D OUTPUT=${ENGINE_SOURCE_TEXT}
    -P ${CMAKE_SOURCE_DIR}/cmake/PackSources.cmake
  VERBATIM COMMENT "Packing the sources of FMUs")
set_source_files_properties(src/fmu/sources.c PROPERTIES
  COMPILE_DEFINITIONS FMU_SOURCES="${ENGINE_SOURCE_TEXT}" OBJECT_DEPENDS ${ENGINE_SOURCE_TEXT})

# The terms of everything in the binary, as one text.
set(ENGINE_LICENCE ${CMAKE_BINARY_DIR}/engine/licence.txt)
set(terms "This FMU contains the engine of Kairos ${PROJECT_VERSION}.\n\n")
foreach(file LICENSE cmake/third-party.txt /usr/share/doc/libsundials-dev/copyright
    /usr/share/doc/libsuitesparse-dev/copyright /usr/share/doc/libtcc-dev/copyright
    /usr/share/common-licenses/LGPL-2.1)
  get_filename_component(path ${file} ABSOLUTE)
  if(EXISTS ${path})
    file(READ ${path} text)
    string(APPEND terms "---- ${file} ----\n\n${text}\n")
  endif()
endforeach()
file(WRITE ${ENGINE_LICENCE}.new "${terms}")
configure_file(${ENGINE_LICENCE}.new ${ENGINE_LICENCE} COPYONLY)
set_source_files_properties(src/fmu/archive.c PROPERTIES
  COMPILE_DEFINITIONS FMU_LICENCE="${ENGINE_LICENCE}" OBJECT_DEPENDS ${ENGINE_LICENCE})
