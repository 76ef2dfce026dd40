/* Programs of modes, put together from those of their groups. See group_programs.c. */
#ifndef PARTS_H
#define PARTS_H

#include "replan/replan.h"

typedef struct Parts Parts;

/* *parts: those made so far, NULL for none; kept by the caller. The program of a mode; NULL,
 * without telling, where the model has no separate groups, or one of them cannot be planned alone.
 */
SimProgram *parts_assemble(const ReplanFor *w, Parts **parts, const VarId *guards,
                           const double *values, uint32_t n);
void parts_release(SimProgram *p);
SimGroups parts_count(const Parts *p); /* of the last cut; NULL is allowed */
void parts_free(Parts *p);

/* Puts the values of guards into the continuous equations, as far as these stay solvable; NAN: the
 * variable stays a variable. False where some were left out. */
bool replan_put_guards(Dae *d, const VarId *guards, const double *values, uint32_t n);
/* The plan keeps its contract; else tells, in builds that check. */
bool replan_check(Context *ctx, const Plan *plan);

#endif
