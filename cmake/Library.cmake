# The library as other programs use it: libkairos.so and libkairos.a.
#
# Both are made of one object. It holds the archives that Kairos is built with, and only the symbols
# of kairos.h are global in it. So a program may use Kairos beside its own SUNDIALS, and the short
# names in libtcc (tok, file, ch) clash with nothing.
set(LOOSE ${CMAKE_CURRENT_BINARY_DIR}/whole/loose.o)
set(WHOLE ${CMAKE_CURRENT_BINARY_DIR}/whole/kairos.o)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/whole)
add_custom_command(OUTPUT ${WHOLE} DEPENDS kairos kairos_engine_data ${STATIC_LIBRARIES}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${LOOSE} -Wl,--whole-archive $<TARGET_FILE:kairos>
    $<TARGET_FILE:kairos_engine_data> -Wl,--no-whole-archive
    -Wl,--start-group ${STATIC_LIBRARIES} -Wl,--end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=kairos_* ${LOOSE} ${WHOLE}
  COMMAND ${CMAKE_COMMAND} -E rm ${LOOSE}
  VERBATIM COMMENT "Joining the library and its parts")
set_source_files_properties(${WHOLE} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)

# A program that is linked with the archive needs these as well.
set(PRIVATE_LIBRARIES ${SHARED_LIBRARIES} m pthread ${CMAKE_DL_LIBS})

add_custom_target(kairos_whole DEPENDS ${WHOLE})
add_library(kairos_shared SHARED ${WHOLE})
add_library(kairos_static STATIC ${WHOLE})
foreach(target kairos_shared kairos_static)
  add_dependencies(${target} kairos_whole)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME kairos LINKER_LANGUAGE C)
endforeach()
set_target_properties(kairos_shared PROPERTIES VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR})
target_link_options(kairos_shared PRIVATE -Wl,-z,defs -Wl,-z,text -Wl,--as-needed)
target_link_libraries(kairos_shared PRIVATE ${PRIVATE_LIBRARIES})
# Everything that the installation needs.
add_custom_target(installable DEPENDS kairos-cli kairos-pages kairos_shared kairos_static)
