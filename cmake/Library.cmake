# The library as other programs use it: libkairos.so and libkairos.a.
#
# Both are made of one object. It holds the archives that Kairos is built with, and only the symbols
# of kairos.h are global in it. So a program may use Kairos beside its own SUNDIALS, and the short
# names in libtcc (tok, file, ch) clash with nothing.
#
# Debian's libtcc.a addresses three variables of the C library directly, which a shared object
# cannot do. They are renamed to variables of src/load/load_tcc.c. All other code in it is
# independent of its position as soon as its symbols are local.
set(LOOSE ${CMAKE_CURRENT_BINARY_DIR}/whole/loose.o)
set(WHOLE ${CMAKE_CURRENT_BINARY_DIR}/whole/kairos.o)
set(TCC_COPY ${CMAKE_CURRENT_BINARY_DIR}/whole/libtcc.a)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/whole)
set(PARTS ${STATIC_LIBRARIES})
list(REMOVE_ITEM PARTS ${LIBRARY_tcc})
if(LIBRARY_tcc IN_LIST STATIC_LIBRARIES)
  list(APPEND PARTS ${TCC_COPY})
  set(RENAME_IN_TCC COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdout=tcc_stdout
    --redefine-sym stderr=tcc_stderr --redefine-sym environ=tcc_environ ${LIBRARY_tcc} ${TCC_COPY})
endif()
add_custom_command(OUTPUT ${WHOLE} DEPENDS kairos ${STATIC_LIBRARIES} ${RENAME_IN_TCC}
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${LOOSE} -Wl,--whole-archive $<TARGET_FILE:kairos>
    -Wl,--no-whole-archive -Wl,--start-group ${PARTS} -Wl,--end-group
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
