/* Checks of units. In: Flat. Out: warnings. */
#ifndef FLATTEN_UNIT_CHECK_H
#define FLATTEN_UNIT_CHECK_H

#include "flatten/flat/flat.h"

/* Warns if units do not agree (chapter 19 of the specification). */
void flat_check_units(Context *ctx, const Flat *f);

#endif
