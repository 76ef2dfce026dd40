/* The call-backs of external code. For src/external alone. */
#ifndef EXTERNAL_UTILITIES_H
#define EXTERNAL_UTILITIES_H

/* C text of a shared object with the functions of ModelicaUtilities.h and kairos_enter (see
 * external_enter). */
extern const char utilities_text[];
/* ModelicaUtilities.h itself, for code that comes without it. */
extern const char utilities_header[];

#endif
