# Writes the files that the sources of each FMU have in common into one text, each below a line
# "//// FILE name". All are in one folder there: a/b/c.h becomes a_b_c.h, in includes too. Nothing
# but the functions of FMI is visible, so that several FMUs can be in one process.
#
#   cmake -D TOP=folder -D OUTPUT=file -P PackSources.cmake
file(GLOB files RELATIVE ${TOP}/src ${TOP}/src/runtime/*.[ch] ${TOP}/src/numerics/dense.[ch]
  ${TOP}/src/fmu/interface/*.[ch] ${TOP}/src/fmu/source/*.[ch])
list(REMOVE_ITEM files runtime/sparse_jacobian.c runtime/joined_parts.c runtime/profile.c
  fmu/interface/engine_model.c)
list(APPEND files api/exchange.h base/arith.h base/format.c base/format.h base/memory.c
  base/memory.h base/snapshot.c base/snapshot.h ../include/kairos.h)
list(SORT files)
file(WRITE ${OUTPUT}.new "")
foreach(file ${files})
  file(READ ${TOP}/src/${file} text)
  foreach(depth 1 2 3)
    string(REGEX REPLACE "(#include \"[^\"/\n]*)/([^\"\n]*\")" "\\1_\\2" text "${text}")
  endforeach()
  if(file MATCHES "kairos.h$")
    string(REPLACE "visibility(\"default\")" "visibility(\"hidden\")" text "${text}")
  endif()
  # after the last include, or after the guard of a header without one
  string(FIND "${text}" "\n#include " at REVERSE)
  if(at EQUAL -1)
    string(FIND "${text}" "\n#define " at)
  endif()
  math(EXPR at "${at} + 1")
  string(SUBSTRING "${text}" ${at} -1 rest)
  string(FIND "${rest}" "\n" line)
  math(EXPR at "${at} + ${line} + 1")
  string(SUBSTRING "${text}" 0 ${at} head)
  string(SUBSTRING "${text}" ${at} -1 rest)
  string(REGEX REPLACE "^\\.\\./include/" "" name "${file}")
  string(REPLACE "/" "_" name "${name}")
  string(REGEX REPLACE "#endif\n$" "#pragma GCC visibility pop\n#endif\n" rest "${rest}")
  file(APPEND ${OUTPUT}.new
    "//// FILE ${name}\n${head}#pragma GCC visibility push(hidden)\n${rest}")
endforeach()
file(RENAME ${OUTPUT}.new ${OUTPUT})
