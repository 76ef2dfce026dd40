/* Equations of the scalar model are appended here. */
#include "dae/lower/lower.h"

DaeEq equation_at(const FlatEq *eq, DaeEqOrigin origin, VarId target, Term t)
{
    return (DaeEq){.term = t,
                   .target = target,
                   .origin = (uint8_t)origin,
                   .flat_origin = eq->origin,
                   .partition = (uint16_t)eq->partition,
                   .of = NONE,
                   .der = NONE,
                   .component = eq->component,
                   .span = eq->span};
}

EqId add_eq(Lower *L, const FlatEq *eq, DaeEqOrigin origin, VarId target, ExprId lowered)
{
    Term t = shape_term(L->d, lowered);
    vec_push(&L->d->eqs, equation_at(eq, origin, target, t));
    return L->d->eqs.n - 1;
}
