/* The call-backs of external code. Only for src/external. */
#ifndef EXTERNAL_UTILITIES_H
#define EXTERNAL_UTILITIES_H

/* C text of a shared object. It has the functions of ModelicaUtilities.h, kairos_enter (see
 * external_enter), replacements of functions that end the process, and kairos_lacks(name), which
 * replaces missing functions. */
extern const char utilities_text[];
/* Options of the compiler for code that calls functions that end the process; ends with NULL. */
extern const char *const utilities_wraps[];
/* ModelicaUtilities.h itself, for code that comes without it. */
extern const char utilities_header[];

#endif
