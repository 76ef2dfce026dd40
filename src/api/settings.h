/* Settings from outside (`--set name=value`) resolved against a model. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "kairos.h"
#include "sim/sim.h"

typedef struct Settings {
    VEC(SimSet) sets;
} Settings;

/* Names and values to variables and numbers. False after an error: an unknown name (with the
 * nearest ones), a variable that is not a parameter, a value of the wrong type. */
bool settings_resolve(Context *ctx, const Dae *dae, const KairosSetting *list, uint32_t n,
                      Settings *out);
void settings_free(Settings *s);
/* Whether the value of an enumeration is the number of a literal; true for other types. */
bool settings_is_literal(const Dae *dae, const DaeVar *x, double value);
/* Whether the name is that of a structural parameter, or of an element of one. Strings count as
 * structural, because other values are computed from them when the model is built. */
bool settings_shape(const Flat *flat, const char *name);
/* The parameter behind `name` or `x.start`, to differentiate with respect to it, and its sign. NONE
 * after a message: unknown, structural, not Real, or not a parameter. */
VarId settings_parameter(Context *ctx, const Dae *dae, const char *name, double *sign);
/* A variable of type Real or its derivative, as "der(x)", and its representative. NONE after a
 * message. */
VarId settings_variable(Context *ctx, const Dae *dae, const char *name, double *sign);
/* The same for a variable of any type; *real: it is a Real. */
VarId settings_any_variable(Context *ctx, const Dae *dae, const char *name, double *sign,
                            bool *real);
/* The names with those of elements instead of arrays, also of start values; *n: their number. In
 * `arena`. */
const char **settings_names(const Dae *dae, const char *const *names, unsigned *n, Arena *arena);
/* The value of a setting as an expression of the language: a String gets quotes if it has none. In
 * `arena`, or unchanged. */
const char *settings_expression(const Flat *flat, const KairosSetting *s, Arena *arena);

/* Whether the plan's assumptions about parameters hold with these settings; names that are not
 * parameters are ignored. */
bool settings_hold(const Plan *plan, const KairosSetting *list, uint32_t n);

#endif
