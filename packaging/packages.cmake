# Installs the files around the program: manual pages, completion, desktop entry, icon, MIME type.
# With KAIROS_DEB it also defines the packages for Debian; `make deb` builds them.
option(KAIROS_DEB "define packages for Debian" OFF)

file(STRINGS cli/commands.def COMMANDS REGEX "^COMMAND")
list(TRANSFORM COMMANDS REPLACE "COMMAND\\((.*)\\)" "\\1")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/commands.def)
string(JOIN " " COMMANDS ${COMMANDS})
set(PAGES ${CMAKE_BINARY_DIR}/pages)
add_custom_command(OUTPUT ${PAGES}/kairos.fish DEPENDS kairos-cli packaging/pages.cmake
  COMMAND ${CMAKE_COMMAND} -DKAIROS=$<TARGET_FILE:kairos-cli> -DCOMMANDS=${COMMANDS}
    -DPLACE=${PAGES} -P ${CMAKE_SOURCE_DIR}/packaging/pages.cmake
  COMMENT "Printing manual pages and completion scripts" VERBATIM)
add_custom_target(kairos-pages ALL DEPENDS ${PAGES}/kairos.fish)

set(ZSH_FOLDER share/zsh/site-functions)
if(KAIROS_DEB)
  set(ZSH_FOLDER share/zsh/vendor-completions)
endif()
install(DIRECTORY ${PAGES}/man/ DESTINATION share/man/man1 COMPONENT program)
install(FILES ${PAGES}/kairos.bash DESTINATION share/bash-completion/completions RENAME kairos
  COMPONENT program)
install(FILES ${PAGES}/_kairos DESTINATION ${ZSH_FOLDER} COMPONENT program)
install(FILES ${PAGES}/kairos.fish DESTINATION share/fish/vendor_completions.d COMPONENT program)
install(FILES packaging/kairos.desktop DESTINATION share/applications COMPONENT program)
install(FILES packaging/kairos.svg DESTINATION share/icons/hicolor/scalable/apps COMPONENT program)
install(FILES packaging/kairos.xml DESTINATION share/mime/packages COMPONENT program)

if(NOT KAIROS_DEB)
  return()
endif()

set(KAIROS_MAINTAINER "The Kairos developers <kairos@example.org>" CACHE STRING
  "maintainer in the packages")
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9n -c ${CMAKE_SOURCE_DIR}/packaging/changelog
  OUTPUT_FILE ${CMAKE_BINARY_DIR}/changelog.gz COMMAND_ERROR_IS_FATAL ANY)

# package(COMPONENT NAME FIELD VALUE...): a package with the files of a component.
function(package component name)
  install(FILES packaging/copyright ${CMAKE_BINARY_DIR}/changelog.gz DESTINATION share/doc/${name}
    COMPONENT ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  cmake_parse_arguments(has "" "SECTION;DEPENDS;RECOMMENDS;SUGGESTS;DESCRIPTION" "" ${ARGN})
  foreach(field SECTION DEPENDS RECOMMENDS SUGGESTS)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${has_${field}}" PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${has_DESCRIPTION}" PARENT_SCOPE)
endfunction()

set(ABOUT "Kairos compiles models written as objects with equations, in which
continuous motion, sampled control, switching and impacts live side by
side. It simulates them with exact events.")
# A program that is linked with the archive needs these as well. Their packages come with ours.
set(LINKED "")
foreach(library ${SHARED_LIBRARIES})
  execute_process(COMMAND dpkg -S ${library} OUTPUT_VARIABLE owner COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE ":.*" "" owner ${owner})
  string(APPEND LINKED ", ${owner}")
endforeach()
# Libraries that are opened at run time are unknown to dpkg-shlibdeps. They are named here, with the
# first version that has all functions that are called.
package(program kairos SECTION science
  DEPENDS "libkairos0 (= ${PROJECT_VERSION}), libmicrohttpd12 (>= 0.9.64) | libmicrohttpd12t64"
  RECOMMENDS "gcc, libc6-dev, xdg-utils, libfyaml0, libhdf5-103-1"
  SUGGESTS "bash-completion, www-browser, libopenmpi3, openmpi-bin, slurm-client"
  DESCRIPTION "compiler and simulator for hybrid systems in Modelica
${ABOUT}
.
This package has the program kairos, with a studio that runs in the browser.
The C compiler serves models with external functions and long runs.")
package(library libkairos0 SECTION libs
  DEPENDS "libcairo2 (>= 1.2.4), libxml2 | libxml2-16, libzip4 (>= 1.0) | libzip5 | libzip4t64"
  RECOMMENDS "fonts-dejavu-core, gcc, libc6-dev, libnlopt0 (>= 2.2.4)"
  DESCRIPTION "compiler and simulator for hybrid systems in Modelica - library
${ABOUT}
.
This package has the shared library and the Modelica library Hybrid.")
package(development libkairos-dev SECTION libdevel
  DEPENDS "libkairos0 (= ${PROJECT_VERSION})${LINKED}"
  DESCRIPTION "compiler and simulator for hybrid systems in Modelica - development
${ABOUT}
.
This package has what is needed to write programs that use the library.")
package(python python3-kairos SECTION python
  DEPENDS "libkairos0 (= ${PROJECT_VERSION}), python3 (>= 3.11), python3-numpy"
  RECOMMENDS "python3-matplotlib"
  SUGGESTS "python3-pandas, python3-tqdm"
  DESCRIPTION "compiler and simulator for hybrid systems in Modelica - Python
${ABOUT}
.
This package has the Python module kairos. Results are numpy arrays.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)

set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/packaging/compress.cmake)
set(CPACK_GENERATOR DEB)
set(CPACK_COMPONENTS_ALL program library development python)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${KAIROS_MAINTAINER})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
  GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
