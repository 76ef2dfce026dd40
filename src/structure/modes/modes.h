/* Variable structure: the guards that change the structure of the model, their groups, the model of
 * one group, and integrators written into the equations. */
#ifndef STRUCTURE_MODES_H
#define STRUCTURE_MODES_H

#include "structure/plan/planner.h"

/* ---- structural_guards.c ---- */
/* Finds the switch equations and structural guards of the main sequence; false after an error. */
bool plan_guards(Planner *p);

/* Values of guards that would leave the equations without a solution become NAN. Example: neither
 * of two open switches in series determines the voltage between them. Such guards stay variables,
 * and their blocks are solved for the smallest values. */
void structure_fit_guards(Dae *dae, const VarId *guards, double *values, uint32_t n);

/* ---- smallest_split.c ---- */
/* If some of these values do not fit (NAN in `fitting`) because switches repeat other equations:
 * puts equations for the smallest split instead, so that all fit. False if that is not possible;
 * then nothing has changed. */
bool structure_split_smallest(Dae *dae, const VarId *guards, const double *values,
                              const double *fitting, uint32_t n);

/* ---- reachable_values.c: instants at which discrete variables have given values ---- */
typedef struct ReachableValues ReachableValues;
ReachableValues *reachable_values_new(Planner *p);
void reachable_values_free(ReachableValues *w);
/* the equation that defines the discrete variable v at all times, or NONE */
EqId reachable_values_equation(const ReachableValues *w, VarId v);
/* An instant at which all variables that time and parameters determine (at least one) have
 * values[v]. */
bool reachable_values_find(ReachableValues *w, const VarId *vars, const double *values, uint32_t n);
/* at the instant found: v is one of those */
bool reachable_values_knows(const ReachableValues *w, VarId v);

/* ---- inline_integration.c ---- */
/* makes states that are inlined unknowns, and adds the integrator's equations */
void inline_states(Planner *p);

/* ---- guard_groups.c, group_model.c: parts of the model that have modes of their own ---- */
typedef struct PlanGroup {
    uint32_t *blocks; /* of the plan's main sequence, counted from its first; ascending */
    uint32_t n_blocks;
    uint32_t *guards; /* places in the list of guards: those that occur in its equations */
    uint32_t n_guards;
    uint32_t level; /* odd */
} PlanGroup;

/* Blocks of the main sequence: those of groups, and common ones, which no mode changes. A block
 * comes after all blocks of lower levels; common blocks of one level are in the order of the
 * sequence. */
typedef struct PlanGroups {
    const Plan *plan;
    Arena *arena;
    PlanGroup *list;
    uint32_t n;
    uint32_t n_levels;
    uint32_t *level; /* per block */
    uint32_t *group; /* per block; NONE: common */
    /* per block: a common one that depends only on time and on variables that are fixed between
     * events */
    uint8_t *timed;
    uint32_t *block_of; /* per variable: the block that computes it, or NONE */
    /* per variable: for a state, the block that computes its derivative; otherwise NONE */
    uint32_t *rate_of;
    /* per equation of the plan's Dae; of one that was solved together with others: of the result;
     * NONE */
    uint32_t *eq_block;
} PlanGroups;

/* Groups of these guards. A guard that is a parameter counts if its value is put in, that is, if it
 * is not NAN. `wide`: all states that a switch equation depends on may be constrained, not only
 * those found when the plan was made. NULL if the plan cannot be divided. */
PlanGroups *groups_find(const Plan *plan, const VarId *guards, const double *values, uint32_t n,
                        bool wide);
void groups_free(PlanGroups *g);

/* The model of group k, for its own plan. It is a copy with only the equations of the group, and
 * those that depend only on time and that it uses. Everything else is known. Numbers of variables
 * that the plan adds begin at `from`, at least that of the plan's Dae. */
Dae *group_dae(const PlanGroups *g, uint32_t k, uint32_t from);
/* Per variable: whether equations outside the group use it. */
uint8_t *group_needed(const PlanGroups *g, uint32_t k);

/* ---- mode_print.c ---- */
/* `kairos check --log modes`: switches with fixed causality, the reason, and the treatment. */
char *plan_print_modes(const Plan *p, Arena *arena);

#endif
