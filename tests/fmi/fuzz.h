/* Calls in any order. */
#ifndef TESTS_FMI_FUZZ_H
#define TESTS_FMI_FUZZ_H

#include "fmu.h"

/* Instantiates the FMU and makes `n` calls chosen at random. A call that fails says why through the
 * logger; false after a message if one does not. If FMI_FUZZ_TRACE is set, prints the calls. */
bool fuzz_calls(Fmu *f, uint32_t seed, int n);

#endif
