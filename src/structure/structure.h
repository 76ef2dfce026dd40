/* The structure phase.
 *
 * In: Dae, which stays as it is. Out: Plan (plan/plan.h), with a Dae of its own to which
 * derivatives of equations and variables are appended. structure.c is the order of the steps. Each
 * subfolder holds one subject:
 *   graph           matching, strong components, Dulmage-Mendelsohn decomposition
 *   plan            the product, and what all steps share (Planner, System)
 *   states          index reduction and the choice of states
 *   blocks          sorting, tearing, patterns of Jacobians
 *   initialization  parameters and the initial system
 *   modes           structural guards, groups of them, inline integration */
#ifndef STRUCTURE_STRUCTURE_H
#define STRUCTURE_STRUCTURE_H

#include "structure/plan/plan.h"

/* NULL after an error, such as a singular model, whose message shows the offending equations and
 * variables. */
Plan *structure_plan(const Dae *dae);
Plan *structure_plan_as(const Dae *dae, const PlanOptions *options);

#endif
