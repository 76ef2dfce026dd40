/* Shared by the steps of the phase. A Planner is the state of the work on one plan; it ends with
 * structure_plan. */
#ifndef STRUCTURE_PLANNER_H
#define STRUCTURE_PLANNER_H

#include "base/text.h"
#include "structure/graph/graph.h"
#include "structure/plan/plan.h"

/* Equations and unknowns that are sorted together. Real unknowns come first, discrete ones after
 * them, in both lists. */
typedef struct System {
    VEC(EqId) eqs;
    VEC(VarId) vars;
    uint32_t n_real; /* rows and columns below are real */
    uint32_t *col;   /* size n_col; column of a variable, NONE if it is known */
    uint32_t n_col;
    Incidence a;     /* rows as eqs, columns as vars */
    uint32_t *match; /* size eqs.n */
    bool at_start;   /* initial() is true */
} System;

typedef struct Eliminate Eliminate;
typedef struct TearRoom TearRoom;

typedef struct Planner {
    Dae *dae;
    Plan *plan;
    /* per variable: its derivative if that takes part in the model, otherwise NONE */
    VEC(VarId) next;
    /* per variable: the variable whose derivative it is, if that takes part, otherwise NONE */
    VEC(VarId) prev;
    VEC(uint8_t) role; /* per variable: VarRole */
    /* per variable: parameters at their defaults, start values, otherwise zero */
    VEC(double) value;
    bool *late; /* size n_late: parameter that depends on one with fixed = false */
    uint32_t n_late;
    uint32_t n_slots; /* variables of state sets, for their names */
    /* per column of the system being divided into blocks: number within the block, otherwise NONE
     */
    uint32_t *local;
    Eliminate *eliminate;
    TearRoom *tearing; /* NULL until a block is torn */
    PlanOptions options;
    /* equations that depend on each other by their coefficients are not to be combined */
    bool separate;
    bool combined; /* some were */
} Planner;

typedef enum VarRole { VAR_ROLE_NONE, VAR_ROLE_UNKNOWN, VAR_ROLE_STATE } VarRole;

static inline bool var_is_real(const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_CONTINUOUS || d->vars.at[v].kind == DAE_DERIVATIVE;
}
static inline bool eq_in_main(const DaeEq *e)
{
    return e->origin == DAE_EQ_MODEL || e->origin == DAE_EQ_DELAYED || e->origin == DAE_EQ_WHEN ||
           e->origin == DAE_EQ_CONDITION || e->origin == DAE_EQ_RELATION ||
           e->origin == DAE_EQ_DERIVED || e->origin == DAE_EQ_SET;
}
/* A real equation: its target, if it has one, is not a discrete unknown. */
static inline bool eq_is_real(const Dae *d, const DaeEq *e)
{
    return e->target == NONE || var_is_real(d, e->target);
}

/* ---- planner.c ---- */
void planner_cover(Planner *p); /* extends the per-variable arrays to variables made meanwhile */
double planner_coefficient(Planner *p, Term t, uint32_t hole,
                           bool *known);          /* ∂t/∂hole at the planner's values */
EqId planner_start_equation(Planner *p, VarId v); /* target v = its start value; made */

/* ---- system.c ---- */
void system_start(System *s, const Dae *d);
void system_end(System *s);
void system_add_var(System *s, VarId v);                        /* real ones before discrete ones */
void system_incidence(System *s, const Dae *d, bool real_only); /* (re)builds s->a */
/* Whether operand k counts: it is not only passed to a function that ignores it. */
bool system_occurs(const Dae *d, Term t, uint32_t k);
/* If initial() is true: a when-equation that it does not activate loses its operands. */
ExprId shape_at_start(const Dae *d, Term t);
bool system_constant(const System *s, const Dae *d, VarId v); /* a parameter that is known here */

/* ---- solved_form.c ---- */
/* A linear system with few tearing variables solved by Cramer's rule, for the reader; nothing if
 * it is large. */
void plan_print_solved_form(const Plan *p, const PlanBlock *b, Text *out);

/* ---- singular_report.c ---- */
/* Reports the over- and underdetermined parts. `where` names the system: "the model", "the initial
 * system". */
void report_singular(Dae *d, const Incidence *a, const uint32_t *match, const EqId *eqs,
                     const VarId *vars, const char *where);
/* Adds notes with the first equations of a list, and how many more there are. */
void report_equations(Dae *d, const EqId *eqs, uint32_t n);
Span report_var_span(const Dae *d, VarId v);

#endif
