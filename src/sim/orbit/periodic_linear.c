/* The linear model over a period: x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k).
 *
 * x(k) is the state just before the instant at which period k begins, so before a sampled
 * controller computes. Inputs are constant over a period. Two variations make the matrices: F leads
 * from just after that instant to just before the next one, G over the next one. So A = F G.
 * Outputs are taken just after the instant, or are means over the period.
 *
 * A run cannot stand just before an event. It stands a little earlier, by `ahead`; the motion up to
 * the event, to first order, is added to F and taken from G. */
#include "sim/orbit/period_map.h"
#include "sim/state/evaluate.h"
#include "sim/variation.h"

#include <math.h>

static const double AHEAD = 1e-7; /* part of a period; its square is negligible */

typedef struct Part { /* of the period: from unknowns and inputs to unknowns */
    uint32_t n_from, n_to;
    VarId *from, *to;
    double *matrix; /* n_to by n_from + n_inputs, by columns */
    double *means;  /* n_outputs by n_from + n_inputs */
} Part;

static double input_sign(const PeriodicLinear *l, const Part *p, uint32_t j)
{
    return j < p->n_from ? 1 : l->inputs[j - p->n_from].sign;
}

static VarId seed_of(const PeriodicLinear *l, const Part *p, uint32_t j)
{
    return j < p->n_from ? p->from[j] : l->inputs[j - p->n_from].var;
}

/* `early`: rates of states by unknowns and inputs, times how early the run stands; may be NULL. */
static Variation *begin_part(Sim *s, const PeriodicLinear *l, const Part *p, const double *early)
{
    uint32_t n_of = l->mean ? l->n_outputs : 0;
    VariationOf *of = memory_alloc((n_of + (size_t)1) * sizeof *of);
    for (uint32_t k = 0; k < n_of; k++)
        of[k] = (VariationOf){l->outputs[k].var, l->outputs[k].sign};
    Variation *w = variation_new(s, of, n_of, p->n_from + l->n_inputs);
    memory_free(of);
    for (uint32_t j = 0; j < p->n_from + l->n_inputs; j++) {
        variation_of_variable(w, j, seed_of(l, p, j));
        variation_add(w, j, seed_of(l, p, j), input_sign(l, p, j) - 1);
        for (uint32_t i = 0; early && i < s->prog->n; i++)
            variation_add(w, j, p->from[i], -early[(size_t)j * s->prog->n + i]);
    }
    variation_begin(w);
    return w;
}

static bool read_part(Variation *w, const PeriodicLinear *l, Arena *arena, Part *p)
{
    uint32_t columns = p->n_from + l->n_inputs;
    double time;
    if (variation_flaw(w, &time))
        return false;
    p->matrix = ARENA_ARRAY(arena, double, (size_t)p->n_to *columns + 1);
    p->means = ARENA_ARRAY(arena, double, (size_t)l->n_outputs *columns + 1);
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t i = 0; i < p->n_to; i++)
            p->matrix[(size_t)j * p->n_to + i] = variation_get(w, j, p->to[i]);
    for (uint32_t k = 0; l->mean && k < l->n_outputs; k++) {
        VariationScalars y = variation_scalars(w, k);
        for (uint32_t j = 0; j < columns; j++)
            p->means[(size_t)j * l->n_outputs + k] = y.d_mean[j];
    }
    return true;
}

/* Runs to `until`. */
static LinearResult run_part(Sim *s, double until, const PeriodicLinear *l, Arena *arena,
                             const double *early, Part *p)
{
    p->from = period_unknowns(s, arena, &p->n_from);
    Variation *w = begin_part(s, l, p, early);
    bool going = sim_advance(s, until, false);
    p->to = period_unknowns(s, arena, &p->n_to);
    bool good = going && read_part(w, l, arena, p);
    variation_end(s);
    variation_free(w);
    return good ? LINEAR_FOUND : going ? LINEAR_NONE : LINEAR_FAILED;
}

/* ---- the motion up to the instant ---- */

/* Rates of the states at the end of F by its unknowns there and by inputs, times `ahead`. */
static double *find_early(Sim *s, const PeriodicLinear *l, const Part *f, double ahead,
                          Arena *arena)
{
    uint32_t n = s->prog->n, columns = f->n_to + l->n_inputs;
    double *early = ARENA_ARRAY(arena, double, (size_t)n *columns + 1);
    LinearPoint point = {0};
    if (evaluate_outputs(s->prog, s->run.time, s->prog->x))
        return NULL;
    for (uint32_t j = 0; j < columns; j++) {
        bool input = j >= f->n_to;
        double sign = input ? l->inputs[j - f->n_to].sign : 1, *out = early + (size_t)j * n;
        VarId seed = input ? l->inputs[j - f->n_to].var : f->to[j];
        if (linear_direction(s, &point, seed, sign * ahead, out, NULL))
            return NULL;
    }
    s->complete = false;
    return early;
}

static void add_early(const PeriodicLinear *l, Part *f, const double *early, uint32_t n)
{
    for (uint32_t j = 0; j < f->n_from + l->n_inputs; j++) {
        double *column = f->matrix + (size_t)j * f->n_to;
        for (uint32_t i = 0; i < n; i++) {
            double sum = j < f->n_from ? 0 : early[(size_t)(f->n_to + j - f->n_from) * n + i];
            for (uint32_t k = 0; k < f->n_to; k++)
                sum += early[(size_t)k * n + i] * column[k];
            column[i] += sum;
        }
    }
}

/* What is left of the motion in G, to second order, is zero. */
static void clean(Part *g, const double *early, uint32_t n, uint32_t columns)
{
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t i = 0; i < g->n_to; i++) {
            double *x = &g->matrix[(size_t)j * g->n_to + i], moved = 0;
            for (uint32_t k = 0; k < n; k++)
                moved += fabs(g->matrix[(size_t)k * g->n_to + i] * early[(size_t)j * n + k]);
            if (fabs(*x) <= 1e-3 * moved)
                *x = 0;
        }
}

/* ---- the matrices ---- */

/* Outputs at the present point by its unknowns and by inputs. */
static bool read_outputs(Sim *s, const PeriodicLinear *l, const Part *p, double *h)
{
    uint32_t columns = p->n_to + l->n_inputs;
    LinearPoint point = {.outputs = l->outputs, .n_outputs = l->n_outputs};
    double *states = memory_alloc((s->prog->n + (size_t)1) * sizeof *states);
    bool good = !evaluate_outputs(s->prog, s->run.time, s->prog->x);
    for (uint32_t j = 0; j < columns && good; j++) {
        bool input = j >= p->n_to;
        VarId seed = input ? l->inputs[j - p->n_to].var : p->to[j];
        good = !linear_direction(s, &point, seed, input ? l->inputs[j - p->n_to].sign : 1, states,
                                 h + (size_t)j * l->n_outputs);
    }
    memory_free(states);
    s->complete = false;
    return good;
}

/* out = left (rows by middle) * the first columns of G, and for inputs also left's own column. */
static void compose(const double *left, uint32_t rows, const Part *g, uint32_t n_inputs, double *x,
                    double *u)
{
    uint32_t middle = g->n_to;
    for (uint32_t j = 0; j < g->n_from + n_inputs; j++) {
        double *out = j < g->n_from ? x + (size_t)j * rows : u + (size_t)(j - g->n_from) * rows;
        for (uint32_t i = 0; i < rows; i++) {
            out[i] = j < g->n_from ? 0 : left[(size_t)(middle + j - g->n_from) * rows + i];
            for (uint32_t k = 0; k < middle; k++)
                out[i] += left[(size_t)k * rows + i] * g->matrix[(size_t)j * middle + k];
        }
    }
}

static bool is_zero(const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

/* Discrete variables that the instant overwrites are no states. */
static void drop_forgotten(PeriodicLinear *l, uint32_t n_states)
{
    for (uint32_t c = l->n; c-- > n_states;) {
        if (!is_zero(l->a + (size_t)c * l->n, l->n) ||
            !is_zero(l->c + (size_t)c * l->n_outputs, l->n_outputs))
            continue;
        uint32_t n = l->n - 1;
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < n; i++)
                l->a[(size_t)j * n + i] = l->a[(size_t)(j + (j >= c)) * l->n + i + (i >= c)];
        for (uint32_t j = 0; j < l->n_inputs; j++)
            for (uint32_t i = 0; i < n; i++)
                l->b[(size_t)j * n + i] = l->b[(size_t)j * l->n + i + (i >= c)];
        for (uint32_t j = c; j < n; j++) {
            l->vars[j] = l->vars[j + 1];
            memcpy(l->c + (size_t)j * l->n_outputs, l->c + (size_t)(j + 1) * l->n_outputs,
                   l->n_outputs * sizeof *l->c);
        }
        l->n = n;
    }
}

static bool same_unknowns(const Part *f, const Part *g)
{
    bool same = f->n_to == g->n_from && f->n_from == g->n_to;
    for (uint32_t i = 0; same && i < f->n_from; i++)
        same = f->from[i] == g->to[i];
    return same;
}

static void put_matrices(PeriodicLinear *l, const Part *f, const Part *g, const double *h,
                         Arena *arena, uint32_t n_states)
{
    uint32_t n = l->n = f->n_to;
    l->vars = f->to;
    l->a = ARENA_ARRAY(arena, double, (size_t)n *n + 1);
    l->b = ARENA_ARRAY(arena, double, (size_t)n * l->n_inputs + 1);
    l->c = ARENA_ARRAY(arena, double, (size_t)n * l->n_outputs + 1);
    l->d = ARENA_ARRAY(arena, double, (size_t)l->n_inputs * l->n_outputs + 1);
    compose(f->matrix, n, g, l->n_inputs, l->a, l->b);
    compose(h, l->n_outputs, g, l->n_inputs, l->c, l->d);
    drop_forgotten(l, n_states);
}

LinearResult orbit_linear(Sim *s, double period, Arena *arena, PeriodicLinear *l)
{
    double end = s->run.time + period, ahead = AHEAD * period;
    Part f, g;
    LinearResult result = run_part(s, end - ahead, l, arena, NULL, &f);
    if (result != LINEAR_FOUND)
        return result;
    uint32_t n_states = s->prog->n;
    double *early = find_early(s, l, &f, end - s->run.time, arena);
    if (!early)
        return LINEAR_NONE;
    add_early(l, &f, early, n_states);
    result = run_part(s, end, l, arena, early, &g);
    if (result != LINEAR_FOUND)
        return result;
    clean(&g, early, n_states, g.n_from + l->n_inputs);
    double *h =
        ARENA_ARRAY(arena, double, (size_t)l->n_outputs *(g.n_to + (size_t)l->n_inputs) + 1);
    if (!same_unknowns(&f, &g) || !read_outputs(s, l, &g, h))
        return LINEAR_NONE;
    put_matrices(l, &f, &g, l->mean ? f.means : h, arena, n_states);
    return LINEAR_FOUND;
}
