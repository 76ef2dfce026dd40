/* Units of measurement as in chapter 19 of the specification: a factor times powers of base units.
 */
#ifndef FLATTEN_UNIT_H
#define FLATTEN_UNIT_H

#include "base/memory.h"

enum { UNIT_BASES = 7, UNIT_PARTS = 12 }; /* m, kg, s, A, K, mol, cd; exponents count in twelfths */

typedef struct Unit {
    bool known;             /* false: open, fits everything */
    int16_t of[UNIT_BASES]; /* exponents, in twelfths */
    double factor;          /* to the unit with the same powers and no factor */
} Unit;

typedef enum UnitText { UNIT_GOOD, UNIT_OPEN, UNIT_MALFORMED } UnitText;

/* Reads a unit. The unit is open for "", "1", and texts with symbols that are unknown or have an
 * offset (degC). */
UnitText unit_parse(const char *text, Unit *out);
extern const Unit unit_one; /* a number without unit */

Unit unit_product(Unit a, Unit b, int sign); /* sign -1: quotient */
/* a^(num/den); open if that is not a unit. */
Unit unit_power(Unit a, int num, int den);
bool unit_same_dimension(Unit a, Unit b);
bool unit_same(Unit a, Unit b); /* the factor as well; open ones fit */
/* "kg.m/s2", preceded by the factor if it is not 1. */
char *unit_print(Unit a, Arena *arena);

#endif
