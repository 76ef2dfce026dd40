/* Computations before the run: parameters from parameters, and the initial system.
 *
 * In: equations of parameters, the matched main system. Out: Plan.parameters, Plan.initial,
 * Plan.choices, Plan.assumptions. */
#ifndef STRUCTURE_INITIALIZATION_H
#define STRUCTURE_INITIALIZATION_H

#include "structure/plan/planner.h"

/* ---- parameter_assumptions.c ---- */
void assume_zeros(Planner *p); /* once parameters have values, before unknowns are looked for */

/* Whether the plan's assumptions (divisors that are not zero, coefficients that are) hold for these
 * values of parameters. If not, the model must be planned again with them. */
bool plan_holds(const Plan *p, const PlanValue *given, uint32_t n);

/* ---- parameter_order.c, initial_system.c, redundant_conditions.c ---- */
bool plan_parameters(Planner *p);
/* Removes entries from the rows below n_model whose coefficient is zero at the values that the
 * conditions after them give; true if there are any. */
bool drop_vanishing(Planner *p, System *s, uint32_t n_model);
bool plan_initial(Planner *p, const System *main);

#endif
