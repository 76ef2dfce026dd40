/* Settings from outside (`--set name=value`) resolved against a model. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "kairos.h"
#include "sim/sim.h"

typedef struct Settings {
    VEC(SimSet) sets;
    VEC(SimChange) changes;
} Settings;

/* Names and values to variables and numbers. False after telling: unknown name (with the nearest
 * ones), a variable that is no parameter, a value of the wrong type. */
bool settings_resolve(Context *ctx, const Dae *dae, const KairosSetting *list, uint32_t n,
                      Settings *out);
/* The same for changes during the run: parameters that do not shape the model, states, discrete
 * variables. */
bool settings_changes(Context *ctx, const Dae *dae, const KairosChange *list, uint32_t n,
                      Settings *out);
void settings_free(Settings *s);
/* Whether the name is that of a parameter, or of an element of one, whose value shaped the model;
 * texts are taken for such, since other values are computed from them when it is built. */
bool settings_shape(const Flat *flat, const char *name);
/* The value of a setting as an expression of the language: a text is quoted where it is not. In
 * `arena`, or as it is. */
const char *settings_expression(const Flat *flat, const KairosSetting *s, Arena *arena);

/* Whether what the plan assumes of parameters holds with these settings; names that are no
 * parameters are passed over. */
bool settings_hold(const Plan *plan, const KairosSetting *list, uint32_t n);

#endif
