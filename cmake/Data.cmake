# The place of the data that come with Kairos: the library Hybrid. In an installation it is
# share/kairos, seen from the program or from libkairos.so; in a build it is a folder of the same
# name below it.
set(DATA_FOLDER ${CMAKE_INSTALL_DATADIR}/kairos)
if(IS_ABSOLUTE ${DATA_FOLDER} OR IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR}
    OR IS_ABSOLUTE ${CMAKE_INSTALL_BINDIR})
  set(FROM_LIBRARY .)
  set(FROM_PROGRAM .)
else()
  file(RELATIVE_PATH FROM_LIBRARY /${CMAKE_INSTALL_LIBDIR} /${DATA_FOLDER})
  file(RELATIVE_PATH FROM_PROGRAM /${CMAKE_INSTALL_BINDIR} /${DATA_FOLDER})
endif()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/kairos)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/library ${CMAKE_BINARY_DIR}/share/kairos/library SYMBOLIC)
file(GLOB_RECURSE USERS_OF_DATA src/libraries.c)
set_property(SOURCE ${USERS_OF_DATA} APPEND PROPERTY COMPILE_DEFINITIONS
  DATA_FROM_LIBRARY="${FROM_LIBRARY}" DATA_FROM_PROGRAM="${FROM_PROGRAM}"
  DATA_FROM_BUILD="share/kairos" DATA_INSTALLED="${CMAKE_INSTALL_FULL_DATADIR}/kairos")
