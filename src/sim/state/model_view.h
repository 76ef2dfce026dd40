/* The model for a run: variables, relations, equations and actions at events, for one compiled
 * program. Only this file of sim uses the Dae of the plan. */
#ifndef SIM_STATE_MODEL_VIEW_H
#define SIM_STATE_MODEL_VIEW_H

#include "sim/state/program.h"

/* ---- variables ---- */

static inline uint32_t program_n_vars(const ModeProgram *p)
{
    return p->plan->dae->vars.n;
}

/* Those of the model come first; structure made the others. */
static inline uint32_t program_n_model_vars(const ModeProgram *p)
{
    return p->plan->dae->n_model_vars;
}

static inline const DaeVar *program_var(const ModeProgram *p, VarId var)
{
    return &p->plan->dae->vars.at[var];
}

static inline char *program_var_name(const ModeProgram *p, VarId var, Arena *arena)
{
    return dae_var_name(p->plan->dae, var, arena);
}

/* The place of its declaration; file 0 if structure made it. */
static inline Span program_declared(const ModeProgram *p, VarId var)
{
    uint32_t flat = program_var(p, var)->flat;
    return flat == NONE ? (Span){0} : p->plan->dae->flat->vars.at[flat].span;
}

/* initial(), terminal(), and the parameter of the homotopy; NONE if the model lacks them. */
static inline VarId program_initial(const ModeProgram *p)
{
    return p->plan->dae->initial;
}

static inline VarId program_terminal(const ModeProgram *p)
{
    return p->plan->dae->terminal;
}

static inline VarId program_lambda(const ModeProgram *p)
{
    return p->plan->dae->lambda;
}

/* ---- relations ---- */

static inline uint32_t program_n_relations(const ModeProgram *p)
{
    return p->plan->dae->relations.n;
}

static inline const DaeRelation *program_relation(const ModeProgram *p, uint32_t relation)
{
    return &p->plan->dae->relations.at[relation];
}

/* Whether a relation is located on the motion, not scheduled. */
static inline bool program_has_state_events(const ModeProgram *p)
{
    for (uint32_t i = 0; i < program_n_relations(p); i++)
        if (!program_relation(p, i)->is_time_event)
            return true;
    return false;
}

static inline bool program_relation_holds(const ModeProgram *p, uint32_t relation)
{
    return p->v[p->plan->dae->relations.at[relation].var] != 0;
}

/* ---- equations and terms ---- */

static inline uint32_t program_n_equations(const ModeProgram *p)
{
    return p->plan->dae->eqs.n;
}

/* Those of the model come first; structure made the others. */
static inline uint32_t program_n_model_equations(const ModeProgram *p)
{
    return p->plan->dae->n_model_eqs;
}

static inline const DaeEq *program_equation(const ModeProgram *p, EqId e)
{
    return &p->plan->dae->eqs.at[e];
}

static inline char *program_equation_text(const ModeProgram *p, EqId e, Arena *arena)
{
    return dae_eq_print(p->plan->dae, e, arena);
}

static inline Graph *program_graph(const ModeProgram *p)
{
    return p->plan->dae->g;
}

static inline VarId program_operand(const ModeProgram *p, Term t, uint32_t k)
{
    return dae_op(p->plan->dae, t, k);
}

/* Operands that its shape uses; size *n. */
static inline const uint32_t *program_holes(const ModeProgram *p, Term t, uint32_t *n)
{
    return symbolic_holes(p->plan->dae->symbolic, t.shape, n);
}

static inline char *program_term_text(const ModeProgram *p, Term t, Arena *arena)
{
    return dae_term_print(p->plan->dae, t, arena);
}

/* Its value for the present values of the variables, by the evaluator; false if there is none. */
static inline bool program_value(const ModeProgram *p, Term t, double *value)
{
    return dae_eval(p->plan->dae, t, p->v, value) == EVAL_OK;
}

/* Its solution for operand k, if it is a residual. */
static inline Solution program_solution(const ModeProgram *p, Term t, uint32_t k)
{
    return symbolic_solve(p->plan->dae->symbolic, t.shape, k);
}

/* ---- samples, delays, transports, actions ---- */

static inline uint32_t program_n_samples(const ModeProgram *p)
{
    return p->plan->dae->samples.n;
}

static inline const DaeSample *program_sample(const ModeProgram *p, uint32_t i)
{
    return &p->plan->dae->samples.at[i];
}

static inline uint32_t program_n_delays(const ModeProgram *p)
{
    return p->plan->dae->delays.n;
}

static inline const DaeDelay *program_delay(const ModeProgram *p, uint32_t i)
{
    return &p->plan->dae->delays.at[i];
}

static inline uint32_t program_n_transports(const ModeProgram *p)
{
    return p->plan->dae->transports.n;
}

static inline const DaeTransport *program_transport(const ModeProgram *p, uint32_t i)
{
    return &p->plan->dae->transports.at[i];
}

static inline uint32_t program_n_actions(const ModeProgram *p)
{
    return p->plan->dae->actions.n;
}

static inline const DaeAction *program_action(const ModeProgram *p, uint32_t i)
{
    return &p->plan->dae->actions.at[i];
}

#endif
