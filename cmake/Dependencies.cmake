# The libraries that Kairos is built with. All missing libraries are reported at once, with their
# Debian packages.
#
# Out: STATIC_LIBRARIES, archives that become part of Kairos; SHARED_LIBRARIES, for programs that
# use Kairos; CAIRO_INCLUDE_DIRS; XML_INCLUDE_DIRS.

set(MISSING "")

function(report_missing what package)
  list(APPEND MISSING "  ${what}: package ${package}")
  set(MISSING "${MISSING}" PARENT_SCOPE)
endfunction()

# need_library(NAME PACKAGE HEADER...): the archive of a library if there is one, else the shared
# library. Archives are preferred: a short run would spend most of its time loading libraries.
macro(need_library name package)
  find_library(LIBRARY_${name} NAMES lib${name}.a ${name})
  if(NOT LIBRARY_${name})
    report_missing("the library ${name}" ${package})
  elseif(LIBRARY_${name} MATCHES "\\.a$")
    list(APPEND STATIC_LIBRARIES ${LIBRARY_${name}})
  else()
    list(APPEND SHARED_LIBRARIES ${LIBRARY_${name}})
  endif()
  foreach(header ${ARGN})
    string(MAKE_C_IDENTIFIER "HEADER_${header}" variable)
    find_path(${variable} ${header} PATH_SUFFIXES suitesparse)
    if(NOT ${variable})
      report_missing("the header ${header}" ${package})
    endif()
  endforeach()
endmacro()

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(CAIRO QUIET cairo)
  pkg_check_modules(XML QUIET libxml-2.0)
endif()
if(NOT PkgConfig_FOUND)
  report_missing("the program pkg-config" pkg-config)
else()
  if(NOT CAIRO_FOUND)
    report_missing("the library cairo" libcairo2-dev)
  endif()
  if(NOT XML_FOUND)
    report_missing("the library libxml2" libxml2-dev)
  endif()
endif()

find_path(HEADER_libfyaml_h libfyaml.h) # opened at run time
if(NOT HEADER_libfyaml_h)
  report_missing("the header libfyaml.h" libfyaml-dev)
endif()
find_path(HEADER_nlopt_h nlopt.h) # opened at run time
if(NOT HEADER_nlopt_h)
  report_missing("the header nlopt.h" libnlopt-dev)
endif()
need_library(tcc libtcc-dev libtcc.h)
need_library(cjson libcjson-dev cjson/cJSON.h)
need_library(sundials_cvode libsundials-dev cvode/cvode.h)
foreach(name sundials_ida sundials_arkode sundials_nvecserial
    sundials_sunmatrixdense sundials_sunmatrixsparse sundials_sunlinsoldense sundials_sunlinsolklu)
  need_library(${name} libsundials-dev)
endforeach()
need_library(klu libsuitesparse-dev klu.h)
foreach(name btf amd colamd suitesparseconfig)
  need_library(${name} libsuitesparse-dev)
endforeach()
find_package(Threads)
if(NOT Threads_FOUND)
  report_missing("POSIX threads" libc6-dev)
endif()

if(KAIROS_TESTS AND PkgConfig_FOUND)
  pkg_check_modules(CMOCKA QUIET IMPORTED_TARGET cmocka)
  pkg_check_modules(MATIO QUIET IMPORTED_TARGET matio)
  if(NOT CMOCKA_FOUND)
    report_missing("the library cmocka, for the tests" libcmocka-dev)
  endif()
  if(NOT MATIO_FOUND)
    report_missing("the library matio, for the tests" libmatio-dev)
  endif()
endif()

if(MISSING)
  list(JOIN MISSING "\n" lines)
  message(FATAL_ERROR "Kairos cannot be built: something is missing.\n${lines}\n"
    "These are packages of Debian and Ubuntu. 'tools/install-dependencies build' installs all of "
    "them; 'tools/install-dependencies build test' also those of the tests.")
endif()
