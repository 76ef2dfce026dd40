/* Members of the JSON objects that analyses write. A comma separates a member from the one before
 * it, unless the object was just opened. */
#ifndef ANALYSIS_RESULT_JSON_H
#define ANALYSIS_RESULT_JSON_H

#include "base/text.h"

#include <stdint.h>

void put_json_member(Text *t, const char *name); /* "name": */
void put_json_number(Text *t, double x);         /* null if it is not finite */
void put_json_real(Text *t, const char *name, double x);
void put_json_names(Text *t, const char *name, const char *const *names, uint32_t n);
void put_json_reals(Text *t, const char *name, const double *x, size_t n);
/* A list of rows; the matrix is stored by columns. */
void put_json_matrix(Text *t, const char *name, const double *a, uint32_t rows, uint32_t columns);

#endif
