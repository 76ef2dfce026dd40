# What is installed around the program: manual pages, completion, desktop entry, icon, MIME type. And the packages for
# Debian, which `make deb` builds.
option(KAIROS_DEB "install for Debian packages" OFF)

file(STRINGS cli/commands.def COMMANDS REGEX "^COMMAND")
list(TRANSFORM COMMANDS REPLACE "COMMAND\\((.*)\\)" "\\1")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/commands.def)
string(JOIN " " COMMANDS ${COMMANDS})
set(PAGES ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${PAGES}/kairos.fish DEPENDS kairos-cli packaging/pages.cmake
  COMMAND ${CMAKE_COMMAND} -DKAIROS=$<TARGET_FILE:kairos-cli> -DCOMMANDS=${COMMANDS} -DPLACE=${PAGES}
    -P ${CMAKE_SOURCE_DIR}/packaging/pages.cmake
  COMMENT "Printing manual pages and completion scripts" VERBATIM)
add_custom_target(kairos-pages ALL DEPENDS ${PAGES}/kairos.fish)

set(ZSH_FOLDER $<IF:$<BOOL:${KAIROS_DEB}>,vendor-completions,site-functions>)
install(DIRECTORY ${PAGES}/man/ DESTINATION share/man/man1 COMPONENT program)
install(FILES ${PAGES}/kairos.bash DESTINATION share/bash-completion/completions RENAME kairos COMPONENT program)
install(FILES ${PAGES}/_kairos DESTINATION share/zsh/${ZSH_FOLDER} COMPONENT program)
install(FILES ${PAGES}/kairos.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES packaging/kairos.desktop DESTINATION share/applications COMPONENT program)
install(FILES packaging/kairos.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
install(FILES packaging/kairos.xml DESTINATION share/mime/packages COMPONENT program)
