/* The period of what drives a model: clocks, sources that are sines of time, other time events.
 *
 * Clocks state their intervals. The argument of a sine or cosine is evaluated at several times with
 * all states as they are; if it grows linearly, it has a period. Other relations of time are
 * observed: the run advances until their instants repeat. */
#include "sim/orbit/orbit.h"

#include "base/walk.h"
#include "expr/walk.h"
#include "sim/event/schedule.h"
#include "sim/orbit/period_map.h"
#include "sim/state/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double TWO_PI = 6.28318530717958647692;
static const double SAME = 1e-7; /* relative difference of equal intervals */
enum { MOST_MULTIPLE = 2000 };   /* of a period in a common one */
enum { LONGER = 64 };            /* runs of time events that have not repeated yet */

double common_period(double a, double b)
{
    if (a <= 0 || b <= 0)
        return fmax(a, b);
    double longer = fmax(a, b), shorter = fmin(a, b);
    for (int i = 1; i <= MOST_MULTIPLE; i++) {
        double times = i * longer / shorter;
        if (fabs(times - round(times)) <= 1e-9 * times)
            return (a >= b ? i : round(times)) * a; /* clocks come first and are exact */
        if (times > 1e6)
            break;
    }
    return 0;
}

/* Joins one more period; false if there is no common one. */
static bool join(double *period, double other)
{
    *period = common_period(*period, other);
    return *period > 0;
}

/* ---- sines of time ---- */

typedef struct Sines {
    Sim *s;
    Arena *arena;
    Term term;
    double *v[3]; /* all values at three times */
    double t[3];
    double period;
    bool common;
} Sines;

static bool argument_at(const Sines *w, ExprId e, int k, double *value)
{
    Term t = {e, w->term.ops, w->term.n};
    return dae_eval(w->s->prog->plan->dae, t, w->v[k], value) == EVAL_OK && isfinite(*value);
}

static void see_argument(Sines *w, ExprId e)
{
    double a[3];
    for (int k = 0; k < 3; k++)
        if (!argument_at(w, e, k, &a[k]))
            return;
    double rate = (a[1] - a[0]) / (w->t[1] - w->t[0]), then = (a[2] - a[0]) / (w->t[2] - w->t[0]);
    if (rate == 0 || fabs(rate - then) > SAME * fabs(rate))
        return;
    w->common &= join(&w->period, TWO_PI / fabs(rate));
}

static Walk see_node(void *user, ExprId e)
{
    Sines *w = user;
    const Graph *g = program_graph(w->s->prog);
    ExprOp op = expr_op(g, e);
    if (op == OP_SIN || op == OP_COS)
        see_argument(w, expr_arg(g, e, 0));
    return WALK_ON;
}

/* All values at three times, with states and discrete variables as they are. */
static bool evaluate_times(Sines *w, double span)
{
    static const double share[3] = {0, 0.11803398874989485, 0.3166247903553998};
    Sim *s = w->s;
    bool good = true;
    for (int k = 0; k < 3; k++) {
        w->t[k] = s->run.time + share[k] * span;
        good &= !evaluate_outputs(s->prog, w->t[k], s->prog->x);
        w->v[k] = ARENA_ARRAY(w->arena, double, s->prog->code->n_vars + 1);
        memcpy(w->v[k], s->prog->v, s->prog->code->n_vars * sizeof *w->v[k]);
    }
    evaluate_outputs(s->prog, s->run.time, s->prog->x);
    s->complete = VALUES_DUE;
    return good;
}

/* 0: there are none; negative: they have no common period. */
static double period_of_sines(Sim *s, double span)
{
    Sines w = {.s = s, .arena = arena_new(), .common = true};
    const Dae *d = s->prog->plan->dae;
    if (evaluate_times(&w, span))
        for (EqId e = 0; e < d->n_model_eqs; e++) {
            const DaeEq *eq = &d->eqs.at[e];
            if (eq->origin == DAE_EQ_INITIAL || eq->origin == DAE_EQ_START ||
                eq->origin == DAE_EQ_PARAMETER || eq->origin == DAE_EQ_ABSENT)
                continue;
            w.term = eq->term;
            expr_walk_down(d->g, eq->term.shape, see_node, &w);
        }
    arena_free(w.arena);
    return w.common ? w.period : -1;
}

/* ---- dependence on time ---- */

/* Whether crossing functions that are not scheduled depend on time itself, by dv. */
static bool crossings_depend(Sim *s)
{
    ModeProgram *prog = s->prog;
    double *own = prog->m->r;
    bool depends = false;
    prog->m->r = s->relations.z;
    prog->code->variations->indicators(prog->m);
    prog->m->r = own;
    for (uint32_t i = 0; i < program_n_relations(prog); i++)
        depends |= !program_relation(prog, i)->is_time_event &&
                   !program_relation(prog, i)->of_delay && s->relations.z[i] != 0;
    return depends;
}

/* Whether something is scheduled; arrivals of the past do not drive the model. */
static bool pending(const Sim *s)
{
    const Schedule *c = s->schedule;
    for (uint32_t i = 0; i < c->n_relations; i++)
        if (isfinite(c->instants[i]) && !program_relation(s->prog, c->relations[i])->of_delay)
            return true;
    return false;
}

/* Whether derivatives or crossing functions depend on time itself, at t. */
static bool rates_depend(Sim *s, double t)
{
    ModeProgram *prog = s->prog;
    double *dv = prog->m->dv;
    bool depends = false;
    if (evaluate_outputs(prog, t, prog->x))
        return false;
    linear_shift_time(prog, dv);
    if (!evaluate_call(prog, prog->code->variations->derivatives))
        for (uint32_t i = 0; i < prog->n; i++)
            depends |= dv[prog->plan->states.at[i].der] != 0;
    if (!evaluate_call(prog, prog->code->variations->outputs))
        depends |= crossings_depend(s);
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    return depends;
}

bool drive_acts(Sim *s, double span)
{
    static const double share[] = {0, 0.0618, 0.217, 0.539, 0.871};
    if (s->schedule->n_clocks || pending(s))
        return true;
    bool acts = false;
    for (size_t i = 0; i < sizeof share / sizeof *share; i++)
        acts |= rates_depend(s, s->run.time + share[i] * span);
    evaluate_outputs(s->prog, s->run.time, s->prog->x);
    s->complete = VALUES_DUE;
    return acts;
}

/* ---- time events ---- */

typedef VEC(double) Instants;

typedef struct Observed {
    Sim *s;
    Instants *at; /* per time relation: when it changed */
    uint32_t n;
} Observed;

/* The time after which the last instants repeat, if they did so three times; 0: unknown. */
static double repeats(const Instants *at)
{
    for (uint32_t m = 1; 3 * m < at->n && m <= 64; m++) {
        uint32_t last = at->n - 1;
        double period = at->at[last] - at->at[last - m];
        bool same = period > 0;
        for (uint32_t i = last; same && i > last - 2 * m && i >= m; i--)
            same =
                fabs(at->at[i] - at->at[i - m] - period) <= SAME * period + 8e-16 * fabs(at->at[i]);
        if (same)
            return period;
    }
    return 0;
}

/* A better value from the whole sequence. */
static double refined(const Instants *at, double period)
{
    double whole = at->at[at->n - 1] - at->at[0], times = round(whole / period);
    uint32_t first = 0;
    while (first + 1 < at->n && fabs(whole - times * period) > SAME * period * (times + 1)) {
        first++;
        whole = at->at[at->n - 1] - at->at[first];
        times = round(whole / period);
    }
    return times > 0 ? whole / times : period;
}

/* A number with few digits near the observed one is the one that the model has. */
static double rounded(double x)
{
    for (int digits = 1; digits <= 12; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*e", digits, x);
        double r = strtod(text, NULL);
        if (fabs(r - x) <= 4e-15 * fabs(x) * 1e3)
            return r;
    }
    return x;
}

static double observed_period(const Observed *o)
{
    double period = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        double own = repeats(&o->at[i]);
        if (own > 0 && !join(&period, rounded(refined(&o->at[i], own))))
            return 0;
    }
    return period;
}

static void note_instants(Observed *o, const double *before)
{
    const Schedule *c = o->s->schedule;
    double t = o->s->run.time;
    for (uint32_t i = 0; i < o->n; i++)
        if (!program_relation(o->s->prog, c->relations[i])->of_delay &&
            before[i] <= t + fmax(c->merge, solver_resolution(t)))
            vec_push(&o->at[i], t);
}

/* From event to event, until known instants have repeated for a while. */
static bool observe(Observed *o, double until, double *period)
{
    enum { MOST_EVENTS = 20000 };
    Sim *s = o->s;
    double *before = memory_alloc((o->n + (size_t)1) * sizeof *before), begin = s->run.time;
    bool going = true;
    for (int i = 0; going && i < MOST_EVENTS && s->run.time < until; i++) {
        memcpy(before, s->schedule->instants, o->n * sizeof *before);
        going = sim_advance(s, until, true);
        note_instants(o, before);
        *period = observed_period(o);
        if ((*period > 0 && s->run.time - begin >= 4 * *period) || !pending(s))
            break;
    }
    memory_free(before);
    return going;
}

static bool observe_relations(Sim *s, double until, double *period)
{
    Observed o = {.s = s, .n = s->schedule->n_relations};
    o.at = memory_alloc((o.n + (size_t)1) * sizeof *o.at);
    memset(o.at, 0, (o.n + (size_t)1) * sizeof *o.at);
    bool going = observe(&o, until, period);
    for (uint32_t i = 0; i < o.n; i++)
        vec_free(&o.at[i]);
    memory_free(o.at);
    return going;
}

/* ---- all together ---- */

static bool clocks_join(const Sim *s, double *period)
{
    bool good = true;
    for (uint32_t i = 0; good && i < s->schedule->n_clocks; i++)
        if (s->schedule->clocks[i].interval < 1e50)
            good = join(period, s->schedule->clocks[i].interval);
    return good;
}

double drive_of_clocks(const Sim *s)
{
    double period = 0;
    return clocks_join(s, &period) ? period : 0;
}

Drive drive_find(Sim *s, double until, double *period)
{
    double span = until - s->run.time, sines = period_of_sines(s, span), events = 0;
    *period = 0;
    if (!(sines > 0) && !drive_acts(s, span))
        return DRIVE_NONE;
    if (sines < 0 || !clocks_join(s, period) || (sines > 0 && !join(period, sines)))
        return DRIVE_OTHER;
    if (pending(s) && !observe_relations(s, until + (LONGER - 1) * span, &events))
        return DRIVE_FAILED;
    if (events > 0 && !join(period, events))
        return DRIVE_OTHER;
    if (*period > 0)
        return DRIVE_PERIODIC;
    return drive_acts(s, span) ? DRIVE_OTHER : DRIVE_NONE;
}
