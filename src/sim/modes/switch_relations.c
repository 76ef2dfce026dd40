/* Relations that switches depend on, and the switches of each.
 *
 * Two relations belong to one element if the position of a switch follows from both: off = v < 0 or
 * i < 0, wherever the comparisons are written. The way from a switch to its relations leads through
 * equations of discrete variables, but not through left limits. */
#include "sim/event/locator.h"
#include "sim/modes/variable_structure.h"

#include <stdlib.h>

typedef VEC(SwitchRelation) SwitchRelations;

/* Relations that are solved for together with the unknowns that they compare: a diode that leaks.
 */
static void mark_mixed(const Plan *p, bool *is_switch)
{
    for (uint32_t i = 0; i < p->blocks.n; i++) {
        const PlanBlock *b = &p->blocks.at[i];
        for (uint32_t k = 0; b->mixed && k < b->n_discrete; k++)
            is_switch[p->steps.at[b->discrete + k].var] = true;
    }
}

/* Relations that a switch equation depends on, directly or through a discrete variable, and those
 * of mixed blocks. */
static void find_switching(Sim *s)
{
    const Plan *p = s->prog->plan;
    bool *is_switch = ARENA_ARRAY(s->run.arena, bool, s->run.n_common);
    s->locator->switching = ARENA_ARRAY(s->run.arena, bool, program_n_relations(s->prog));
    mark_mixed(p, is_switch);
    for (uint32_t i = 0; i < p->switch_vars.n; i++)
        is_switch[p->switch_vars.at[i]] = true;
    for (EqId e = 0; e < program_n_model_equations(s->prog); e++) {
        const DaeEq *q = program_equation(s->prog, e);
        bool of_switch = q->target != NONE && is_switch[q->target] && q->origin == DAE_EQ_MODEL;
        for (uint32_t k = 0; of_switch && k < q->term.n; k++)
            if (program_var(s->prog, program_operand(s->prog, q->term, k))->kind == DAE_RELATION)
                is_switch[program_operand(s->prog, q->term, k)] = true;
    }
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++)
        s->locator->switching[k] = is_switch[program_relation(s->prog, k)->var];
}

typedef struct Search {
    const ModeProgram *prog;
    EqId *equation;     /* per variable: the equation of this discrete variable, or NONE */
    uint32_t *relation; /* per variable: its relation, or NONE */
    uint32_t *reached;  /* per variable: the last switch that reached it, plus one */
    VarId *stack;
} Search;

static void find_equations(Search *q)
{
    for (VarId v = 0; v < q->prog->run->n_common; v++)
        q->equation[v] = q->relation[v] = NONE;
    for (EqId e = 0; e < program_n_model_equations(q->prog); e++) {
        const DaeEq *eq = program_equation(q->prog, e);
        if (eq->target != NONE && eq->origin == DAE_EQ_MODEL &&
            program_var(q->prog, eq->target)->kind == DAE_DISCRETE)
            q->equation[eq->target] = e;
    }
    for (uint32_t k = 0; k < program_n_relations(q->prog); k++)
        q->relation[program_relation(q->prog, k)->var] = k;
}

/* The relations that the position of a switch follows from. */
static void follow(Search *q, uint32_t number, VarId from, SwitchRelations *found)
{
    uint32_t n = 0;
    q->stack[n++] = from;
    q->reached[from] = number + 1;
    while (n) {
        VarId v = q->stack[--n];
        if (q->relation[v] != NONE)
            vec_push(found, ((SwitchRelation){q->relation[v], number}));
        if (q->equation[v] == NONE)
            continue;
        Term term = program_equation(q->prog, q->equation[v])->term;
        for (uint32_t k = 0; k < term.n; k++) {
            VarId x = program_operand(q->prog, term, k);
            if (q->reached[x] == number + 1)
                continue;
            q->reached[x] = number + 1;
            q->stack[n++] = x;
        }
    }
}

static int by_relation(const void *a, const void *b)
{
    const SwitchRelation *x = a, *y = b;
    return x->relation != y->relation ? (x->relation > y->relation) - (x->relation < y->relation)
                                      : (x->element > y->element) - (x->element < y->element);
}

/* The switches of each relation. */
static void list_elements(Sim *s)
{
    const Plan *p = s->prog->plan;
    uint32_t size = s->run.n_common;
    Search q = {.prog = s->prog,
                .equation = ARENA_ARRAY(s->run.arena, EqId, size),
                .relation = ARENA_ARRAY(s->run.arena, uint32_t, size),
                .reached = ARENA_ARRAY(s->run.arena, uint32_t, size),
                .stack = ARENA_ARRAY(s->run.arena, VarId, size)};
    SwitchRelations found = {0};
    find_equations(&q);
    for (uint32_t i = 0; i < p->switch_vars.n; i++)
        follow(&q, i, p->switch_vars.at[i], &found);
    s->relations.n_switches = found.n;
    s->relations.away = ARENA_ARRAY(s->run.arena, bool, p->switch_vars.n);
    s->relations.switches = ARENA_ARRAY(s->run.arena, SwitchRelation, found.n);
    if (found.n)
        memcpy(s->relations.switches, found.at, found.n * sizeof *found.at);
    vec_free(&found);
    if (s->relations.n_switches)
        qsort(s->relations.switches, s->relations.n_switches, sizeof(SwitchRelation), by_relation);
}

void switch_relations_find(Sim *s)
{
    find_switching(s);
    if (s->prog->plan->switch_vars.n)
        list_elements(s);
}
