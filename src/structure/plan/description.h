/* Information for messages in addition to equations: the place of a declaration, names of
 * enumeration literals and components. It hides the flat model from users of the plan. */
#ifndef STRUCTURE_PLAN_DESCRIPTION_H
#define STRUCTURE_PLAN_DESCRIPTION_H

#include "structure/plan/plan.h"

/* The place of the declaration; no file: not in the text of the model. */
Span plan_var_span(const Plan *p, VarId var);
/* annotation(HideResult = true) */
bool plan_hides_result(const Plan *p, VarId var);
/* The literal of an enumeration variable of the model for this value; or NULL. */
const char *plan_literal_name(const Plan *p, VarId var, double value);
/* "plant.pump"; "" for the model itself */
char *plan_component_name(const Plan *p, PathId component, Arena *arena);

/* "x[k]" for the choice `if k == 1 then x[1] elseif k == 2 then x[2] … else nan` that it has become
 * in the term; NULL for other expressions. */
char *plan_selection_name(const Plan *p, Term whole, ExprId e, Arena *arena);

/* A place of the text at which relations are taken literally on request, without events. */
typedef struct PlanLiteralPlace {
    PathId component; /* of the first equation from there */
    Span span;
    uint32_t n; /* similar equations: the same text in other components */
} PlanLiteralPlace;
typedef VEC(PlanLiteralPlace) PlanLiteralPlaces;

PlanLiteralPlaces plan_literal_places(const Plan *p); /* to be freed with vec_free */

#endif
