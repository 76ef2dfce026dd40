/* The dae phase.
 *
 * In: Flat. Out: Dae (model/dae.h). build.c is the order of the steps. Each subfolder holds one
 * subject:
 *   symbolic  derivatives, solutions, bounds of shapes
 *   model     the product: variables, terms, printing, checking, copies
 *   lower     scalar variables and equations out of flat ones
 *   clauses   when-equations and algorithm sections */
#ifndef DAE_BUILD_H
#define DAE_BUILD_H

#include "dae/model/dae.h"

/* Lowers, simplifies, finds aliases. NULL after an error. */
Dae *dae_build(Context *ctx, const Flat *flat);

#endif
