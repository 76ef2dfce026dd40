/* Explanations of diagnostics. The file explanations.txt is part of the program. An entry is
 *
 *     [R006]
 *     What it means, in lines of at most 79 columns.
 *
 *         a small model that causes it, and commands after "$ "
 *
 *     Fix: what to do.
 */
#ifndef BASE_EXPLAIN_H
#define BASE_EXPLAIN_H

#include "base/diag.h"
#include "base/text.h"

/* The code of a name such as "R006", in upper or lower case. False if there is none; *code is then
 * the most similar one. */
bool explain_find(const char *name, DiagCode *code);
/* Title, explanation, example and fix of a code. */
void explain_code(Text *t, DiagCode code);
/* One line for each code: name, severity, title. */
void explain_list(Text *t);

#endif
