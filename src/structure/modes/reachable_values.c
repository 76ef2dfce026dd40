/* Instants at which discrete variables have given values.
 *
 * In: discrete variables with values. Out: an instant at which the model's equations give them
 * these values from time, parameters and each other only. If none is found, this proves nothing:
 * values that depend on the solution are known only during the run.
 *
 * Candidates are instants around the zeros of the relations of time that the variables depend on,
 * exact if a relation is linear in time. Equally spaced instants are added. Cost: per instant one
 * evaluation of each equation that the variables depend on. */
#include "structure/modes/modes.h"

#include <math.h>

enum { SPACED = 64, DEEPEST = 500 };

typedef enum Knowledge { UNSEEN, OPEN, UNKNOWN, KNOWN } Knowledge;

struct ReachableValues {
    Planner *p;
    Dae *d;
    EqId *by;       /* per variable: equation that defines it as a discrete variable, or NONE */
    uint8_t *known; /* per variable: Knowledge at the present instant */
    double *value;
    VEC(VarId) seen;
    VEC(double) instants;
};

ReachableValues *reachable_values_new(Planner *p)
{
    ReachableValues *w = memory_alloc(sizeof *w);
    Dae *d = p->dae;
    *w = (ReachableValues){.p = p, .d = d};
    w->by = memory_alloc((size_t)d->vars.n * sizeof *w->by);
    w->known = memory_alloc(d->vars.n);
    w->value = memory_alloc((size_t)d->vars.n * sizeof *w->value);
    for (VarId v = 0; v < d->vars.n; v++)
        w->by[v] = NONE;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *q = &d->eqs.at[e];
        if ((q->origin == DAE_EQ_MODEL || q->origin == DAE_EQ_RELATION) && !eq_is_real(d, q))
            w->by[q->target] = e;
    }
    return w;
}

void reachable_values_free(ReachableValues *w)
{
    if (!w)
        return;
    memory_free(w->by);
    memory_free(w->known);
    memory_free(w->value);
    vec_free(&w->seen);
    vec_free(&w->instants);
    memory_free(w);
}

static bool know(ReachableValues *w, VarId v, uint32_t depth);

/* All operands are looked at, so that the relations of time among them are found. */
static bool know_operands(ReachableValues *w, Term t, uint32_t depth)
{
    bool all = true;
    for (uint32_t k = 0; k < t.n; k++)
        all &= know(w, dae_op(w->d, t, k), depth);
    return all;
}

/* Has v a value at the present instant? */
static bool know(ReachableValues *w, VarId v, uint32_t depth)
{
    const DaeVar *x = &w->d->vars.at[v];
    if (w->known[v] != UNSEEN || depth > DEEPEST)
        return w->known[v] == KNOWN;
    w->known[v] = OPEN;
    vec_push(&w->seen, v);
    bool known = x->kind == DAE_INITIAL || x->kind == DAE_TERMINAL;
    w->value[v] = 0;
    if (x->kind == DAE_PARAMETER && v < w->p->n_late && !w->p->late[v]) {
        w->value[v] = w->p->value.at[v];
        known = true;
    } else if (w->by[v] != NONE) {
        Term t = w->d->eqs.at[w->by[v]].term;
        known =
            know_operands(w, t, depth + 1) && dae_eval(w->d, t, w->value, &w->value[v]) == EVAL_OK;
    }
    w->known[v] = known ? KNOWN : UNKNOWN;
    return known;
}

static void go_to(ReachableValues *w, double time)
{
    for (uint32_t i = 0; i < w->seen.n; i++)
        w->known[w->seen.at[i]] = UNSEEN;
    vec_clear(&w->seen);
    w->value[0] = time;
    w->known[0] = KNOWN;
}

/* The zero of the chord of z over the first second of the run: just before, and just after. */
static void add_zero(ReachableValues *w, Term z, double start)
{
    double a, b;
    w->value[0] = start;
    bool ok = dae_eval(w->d, z, w->value, &a) == EVAL_OK;
    w->value[0] = start + 1;
    ok = dae_eval(w->d, z, w->value, &b) == EVAL_OK && ok;
    double zero = start - a / (b - a), near = 1e-6 * fmax(1, fabs(zero));
    if (!ok || !isfinite(zero))
        return;
    vec_push(&w->instants, zero - near);
    vec_push(&w->instants, zero + near);
}

static void find_instants(ReachableValues *w, const VarId *vars, uint32_t n)
{
    const Experiment *x = &w->d->flat->experiment;
    double start = isnan(x->start) ? 0 : x->start, stop = x->stop > start ? x->stop : start + 1;
    vec_clear(&w->instants);
    go_to(w, start);
    for (uint32_t i = 0; i < n; i++)
        know(w, vars[i], 0);
    for (uint32_t i = 0; i < w->seen.n; i++) {
        const DaeVar *v = &w->d->vars.at[w->seen.at[i]];
        if (v->kind == DAE_RELATION && w->known[w->seen.at[i]] == KNOWN)
            add_zero(w, w->d->relations.at[v->detail].z, start);
    }
    for (uint32_t i = 0; i <= SPACED; i++)
        vec_push(&w->instants, start + (stop - start) * i / SPACED);
}

/* Whether at least one variable is known, and all known ones have their values. */
static bool agrees(ReachableValues *w, const VarId *vars, const double *values, uint32_t n)
{
    uint32_t n_known = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!know(w, vars[i], 0))
            continue;
        n_known++;
        if (w->value[vars[i]] != values[vars[i]])
            return false;
    }
    return n_known > 0;
}

bool reachable_values_find(ReachableValues *w, const VarId *vars, const double *values, uint32_t n)
{
    const Experiment *x = &w->d->flat->experiment;
    double start = isnan(x->start) ? 0 : x->start;
    find_instants(w, vars, n);
    for (uint32_t i = 0; i < w->instants.n; i++) {
        go_to(w, w->instants.at[i]);
        if (w->instants.at[i] >= start && agrees(w, vars, values, n))
            return true;
    }
    return false;
}

EqId reachable_values_equation(const ReachableValues *w, VarId v)
{
    return w->by[v];
}

bool reachable_values_knows(const ReachableValues *w, VarId v)
{
    return w->known[v] == KNOWN;
}
