/* One period of a run: where it leads, and the derivative of that. */
#include "sim/orbit/period_map.h"

#include "sim/state/evaluate.h"
#include "sim/variation.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* ---- unknowns ---- */

/* A discrete Real whose left limit is used. */
static bool is_memory(const Sim *s, VarId var)
{
    const DaeVar *x = program_var(s->prog, var);
    return x->kind == DAE_DISCRETE && x->type == DAE_REAL && x->alias == NONE;
}

static bool is_listed(const PeriodMap *p, VarId var)
{
    for (uint32_t i = p->n_states; i < p->n; i++)
        if (p->vars[i] == var)
            return true;
    return false;
}

/* The angle of a full turn, in the unit of the variable; 0 if it is none. */
static double turn_of(const Sim *s, VarId var)
{
    const DaeVar *x = program_var(s->prog, program_stands_for(s->prog, var));
    const Flat *flat = s->given.plan->dae->flat;
    if (x->type != DAE_REAL || x->flat == NONE || x->flat >= flat->vars.n)
        return 0;
    Name unit = flat_traits(&flat->vars.at[x->flat], x->element)->unit;
    if (!unit || !strcmp(unit, "rad") || !*unit)
        return 2 * PI;
    return !strcmp(unit, "deg") ? 360 : 0;
}

/* Derivatives and crossing functions at x; false if they cannot be evaluated. */
static bool evaluate_all(Sim *s, const double *x, double *f, double *z)
{
    ModeProgram *prog = s->prog;
    if (evaluate_derivatives(prog, s->run.time, x))
        return false;
    for (uint32_t i = 0; i < prog->n; i++)
        f[i] = prog->v[prog->plan->states.at[i].der];
    return !evaluate_crossings(prog, s->run.time, x, z);
}

static bool same(const double *a, const double *b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * (fabs(a[i]) + fabs(b[i])) + 1e-12))
            return false;
    return true;
}

/* A state is an angle only if a full turn changes nothing. */
static void check_turns(Sim *s, Arena *arena, PeriodMap *p)
{
    uint32_t n = s->prog->n, m = program_n_relations(s->prog);
    double *x = ARENA_ARRAY(arena, double, 3 * (size_t)n + 2 * (size_t)m + 1), *f = x + n,
           *f2 = f + n, *z = f2 + n, *z2 = z + m;
    memcpy(x, s->prog->x, n * sizeof *x);
    bool known = evaluate_all(s, x, f, z);
    for (uint32_t i = 0; i < p->n_states; i++) {
        if (!(p->turn[i] > 0))
            continue;
        double kept = x[i];
        x[i] += p->turn[i];
        if (!known || !evaluate_all(s, x, f2, z2) || !same(f, f2, n) || !same(z, z2, m))
            p->turn[i] = 0;
        x[i] = kept;
    }
    (void)evaluate_derivatives(s->prog, s->run.time, x);
    s->complete = VALUES_DUE;
}

static void list_unknowns(const Sim *s, Arena *arena, PeriodMap *p)
{
    const ModeProgram *prog = s->prog;
    size_t most = prog->n + (size_t)s->pres.n + 1;
    *p = (PeriodMap){.program = prog, .n = prog->n, .n_states = prog->n};
    p->vars = ARENA_ARRAY(arena, VarId, most);
    for (uint32_t i = 0; i < prog->n; i++)
        p->vars[i] = prog->plan->states.at[i].var;
    for (uint32_t i = 0; i < s->pres.n; i++)
        if (is_memory(s, s->pres.at[i].base) && !is_listed(p, s->pres.at[i].base))
            p->vars[p->n++] = s->pres.at[i].base;
    p->from = ARENA_ARRAY(arena, double, p->n + 1);
    p->to = ARENA_ARRAY(arena, double, p->n + 1);
    p->rate_from = ARENA_ARRAY(arena, double, p->n + 1);
    p->rate_to = ARENA_ARRAY(arena, double, p->n + 1);
    p->turn = ARENA_ARRAY(arena, double, p->n + 1);
    for (uint32_t i = 0; i < p->n; i++)
        p->turn[i] = turn_of(s, p->vars[i]);
    p->delayed = program_n_delays(prog) || program_n_transports(prog) || prog->plan->inlined.n > 0;
}

static bool is_mark(const Sim *s, VarId var)
{
    const DaeVar *x = program_var(s->prog, var);
    return x->kind == DAE_DISCRETE && x->type != DAE_REAL && x->type != DAE_STRING &&
           x->flat != NONE && !x->hidden;
}

static void list_marks(const Sim *s, Arena *arena, PeriodMap *p)
{
    p->n_marks = 0;
    p->marks = ARENA_ARRAY(arena, VarId, s->pres.n + (size_t)1);
    for (uint32_t i = 0; i < s->pres.n; i++)
        if (is_mark(s, s->pres.at[i].base))
            p->marks[p->n_marks++] = s->pres.at[i].base;
    p->mark_from = ARENA_ARRAY(arena, double, p->n_marks + (size_t)1);
    p->mark_to = ARENA_ARRAY(arena, double, p->n_marks + (size_t)1);
}

static void read_marks(const Sim *s, const PeriodMap *p, double *at)
{
    for (uint32_t i = 0; i < p->n_marks; i++)
        at[i] = s->prog->v[p->marks[i]];
}

VarId *period_unknowns(const Sim *s, Arena *arena, uint32_t *n)
{
    PeriodMap p;
    list_unknowns(s, arena, &p);
    *n = 0;
    for (uint32_t i = 0; i < p.n; i++)
        if (i < p.n_states || !program_var(s->prog, p.vars[i])->hidden)
            p.vars[(*n)++] = p.vars[i];
    return p.vars;
}

void period_read(const Sim *s, const PeriodMap *p, double *x)
{
    for (uint32_t i = 0; i < p->n; i++)
        x[i] = i < p->n_states ? s->prog->x[i] : s->prog->v[p->vars[i]];
}

static void read_rates(Sim *s, const PeriodMap *p, double *rate)
{
    ModeProgram *prog = s->prog;
    int status = evaluate_derivatives(prog, s->run.time, prog->x);
    s->complete = VALUES_DUE;
    for (uint32_t i = 0; i < p->n; i++)
        rate[i] = !status && i < p->n_states ? prog->v[prog->plan->states.at[i].der] : 0;
}

bool period_put(Sim *s, const PeriodMap *p, const double *x)
{
    for (uint32_t i = 0; i < p->n; i++) {
        double now = i < p->n_states ? s->prog->x[i] : s->prog->v[p->vars[i]];
        if (x[i] != now && !sim_change(s, p->vars[i], x[i]))
            return false;
    }
    return sim_advance(s, s->run.time, false);
}

/* ---- the map ---- */

/* Whether the states at the end of the period are those at its beginning. */
static bool fits(const Sim *s, const PeriodMap *p)
{
    bool same = s->prog->n == p->n_states;
    for (uint32_t i = 0; same && i < p->n_states; i++)
        same = s->prog->plan->states.at[i].var == p->vars[i];
    return same;
}

/* If the period begins on surfaces along which the motion slides, states stay on them. */
static void stay_on_surfaces(Sim *s, Variation *w, const PeriodMap *p, Arena *arena)
{
    uint32_t n = p->n_states;
    double *shift = ARENA_ARRAY(arena, double, (size_t)n *n + 1);
    if (!linear_slides(s) || !linear_exists(s) || !linear_put_along(s, shift))
        return;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            variation_add(w, j, p->vars[i], shift[(size_t)j * n + i]);
}

static Variation *begin_variation(Sim *s, const PeriodMap *p, Arena *arena)
{
    Variation *w = variation_new(s, NULL, 0, p->n);
    for (uint32_t j = 0; j < p->n; j++)
        variation_of_variable(w, j, p->vars[j]);
    stay_on_surfaces(s, w, p, arena);
    variation_begin(w);
    return w;
}

static void read_matrix(const Variation *w, Arena *arena, PeriodMap *p)
{
    double time;
    if (variation_flaw(w, &time))
        return;
    p->matrix = ARENA_ARRAY(arena, double, (size_t)p->n * p->n + 1);
    for (uint32_t j = 0; j < p->n; j++)
        for (uint32_t i = 0; i < p->n; i++)
            p->matrix[(size_t)j * p->n + i] = variation_get(w, j, p->vars[i]);
}

static bool finish(Sim *s, PeriodMap *p)
{
    read_marks(s, p, p->mark_to);
    if (!fits(s, p)) {
        p->n = 0;
        return true;
    }
    period_read(s, p, p->to);
    read_rates(s, p, p->rate_to);
    return true;
}

static void start(Sim *s, Arena *arena, PeriodMap *p)
{
    list_unknowns(s, arena, p);
    list_marks(s, arena, p);
    check_turns(s, arena, p);
    read_marks(s, p, p->mark_from);
    period_read(s, p, p->from);
    read_rates(s, p, p->rate_from);
}

bool period_pass(Sim *s, double until, Arena *arena, PeriodMap *p)
{
    start(s, arena, p);
    return sim_advance(s, until, false) && finish(s, p);
}

bool period_map(Sim *s, double until, Arena *arena, PeriodMap *p)
{
    start(s, arena, p);
    if (p->delayed || !s->prog->code->variations)
        return sim_advance(s, until, false) && finish(s, p);
    Variation *w = begin_variation(s, p, arena);
    bool going = sim_advance(s, until, false);
    if (going && fits(s, p))
        read_matrix(w, arena, p);
    variation_end(s);
    variation_free(w);
    return going && finish(s, p);
}

/* ---- differences ---- */

static double step_of(const PeriodMap *p, uint32_t j, double length)
{
    double size = fmax(fmax(fabs(p->from[j]), fabs(p->to[j])), fabs(p->rate_from[j]) * length);
    return 1e-5 * (size > 0 ? size : 1);
}

bool period_differences(Sim *s, double length, Arena *arena, PeriodMap *p)
{
    size_t n = p->n = p->n_states; /* discrete ones may drift */
    double *x = ARENA_ARRAY(arena, double, n + 1), *m = ARENA_ARRAY(arena, double, n *n + 1);
    bool good = true;
    for (uint32_t j = 0; j < n; j++) {
        double h = step_of(p, j, length);
        memcpy(x, p->from, n * sizeof *x);
        x[j] += h;
        if (!period_put(s, p, x) || !sim_advance(s, s->run.time + length, false))
            return false;
        if (!fits(s, p)) {
            good = false;
            break;
        }
        period_read(s, p, x);
        for (uint32_t i = 0; i < n; i++)
            m[j * n + i] = (x[i] - p->to[i]) / h;
    }
    p->matrix = good ? m : NULL;
    return !fits(s, p) || period_put(s, p, p->from);
}

/* ---- gradients ---- */

double *period_gradients(Sim *s, Arena *arena, uint32_t *rows)
{
    ModeProgram *prog = s->prog;
    const PlanState *states = prog->plan->states.at;
    uint32_t n = prog->n, m = program_n_relations(prog);
    double *g = ARENA_ARRAY(arena, double, (size_t)n *(n + m) + 1), *dv = prog->m->dv,
           *rest = prog->m->r;
    *rows = n + m;
    int status = !prog->code->variations || evaluate_outputs(prog, s->run.time, prog->x);
    for (uint32_t j = 0; j < n && !status; j++) {
        double *column = g + (size_t)j * (n + m);
        memset(dv, 0, prog->code->n_vars * sizeof *dv);
        dv[states[j].var] = 1;
        status = evaluate_call(prog, prog->code->variations->derivatives);
        for (uint32_t i = 0; i < n; i++)
            column[i] = dv[states[i].der];
        status = status ? status : evaluate_call(prog, prog->code->variations->outputs);
        prog->m->r = column + n;
        prog->code->variations->indicators(prog->m);
        prog->m->r = rest;
    }
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    s->complete = VALUES_DUE;
    return status ? NULL : g;
}
