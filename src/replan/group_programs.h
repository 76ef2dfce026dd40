/* Programs of modes, put together from those of their groups. See group_programs.c. */
#ifndef PARTS_H
#define PARTS_H

#include "replan/replan.h"

typedef struct GroupPrograms GroupPrograms;

/* *parts: those made so far, NULL for none; kept by the caller. Returns the program of a mode;
 * NULL, without a message, if the model has no separate groups, or one of them cannot be planned
 * alone. */
SimProgram *group_programs_assemble(const ReplanFor *w, GroupPrograms **parts, const VarId *guards,
                                    const double *values, uint32_t n);
void group_programs_release(SimProgram *p);
SimGroups group_programs_count(const GroupPrograms *p); /* of the last cut; NULL is allowed */
void group_programs_free(GroupPrograms *p);

/* Puts the values of guards into the continuous equations, as long as these stay solvable; NAN: the
 * variable stays a variable. False if some were left out. */
bool replan_put_guards(Dae *d, const VarId *guards, const double *values, uint32_t n);
/* The plan satisfies its contract; otherwise reports it, in builds that check. */
bool replan_check(Context *ctx, const Plan *plan);

#endif
