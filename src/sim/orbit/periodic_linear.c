/* The linear model over a period: x(k+1) = A x(k) + B u(k), y(k) = C x(k) + D u(k).
 *
 * x(k) is the state just before the instant at which period k begins, so before a sampled
 * controller computes. Inputs are constant over a period. Two variations make the matrices: G leads
 * from just before that instant to just after it, F from there to just before the next one. So
 * A = F G. Outputs are taken just after the instant, or are means over the period. */
#include "sim/orbit/period_map.h"
#include "sim/state/evaluate.h"
#include "sim/variation.h"

#include <math.h>

static const double SAME_INSTANT = 1e-9; /* part of a period */

typedef struct Part { /* of the period: from unknowns and inputs to unknowns */
    uint32_t n_from, n_to;
    VarId *from, *to;
    uint32_t n_states; /* of n_from */
    double *matrix;    /* n_to by n_from + n_inputs, by columns; NULL: derivatives do not exist */
} Part;

/* The two parts on their way. */
typedef struct Halves {
    Sim *s;
    PeriodicLinear *l;
    Arena *arena;
    Part f, g;
    double *outputs; /* n_outputs by f.n_from + n_inputs */
    Variation *over; /* over the instant; NULL: there is no event */
    bool read;       /* f is known */
} Halves;

/* `outputs`: with derivatives of the outputs. */
static Variation *begin_part(Halves *h, Part *p, bool outputs)
{
    const PeriodicLinear *l = h->l;
    p->from = period_unknowns(h->s, h->arena, &p->n_from);
    p->n_states = linear_n_states(h->s);
    uint32_t n_of = outputs ? l->n_outputs : 0;
    VariationOf *of = memory_alloc((n_of + (size_t)1) * sizeof *of);
    for (uint32_t k = 0; k < n_of; k++)
        of[k] = (VariationOf){l->outputs[k].var, l->outputs[k].sign};
    Variation *w = variation_new(h->s, of, n_of, p->n_from + l->n_inputs);
    memory_free(of);
    for (uint32_t j = 0; j < p->n_from; j++)
        variation_of_variable(w, j, p->from[j]);
    for (uint32_t j = 0; j < l->n_inputs; j++) {
        variation_of_variable(w, p->n_from + j, l->inputs[j].var);
        variation_add(w, p->n_from + j, l->inputs[j].var, l->inputs[j].sign - 1);
    }
    return w;
}

static void read_part(Halves *h, const Variation *w, Part *p)
{
    uint32_t columns = p->n_from + h->l->n_inputs;
    double time;
    p->to = period_unknowns(h->s, h->arena, &p->n_to);
    if (variation_flaw(w, &time))
        return;
    p->matrix = ARENA_ARRAY(h->arena, double, (size_t)p->n_to *columns + 1);
    for (uint32_t j = 0; j < columns; j++)
        for (uint32_t i = 0; i < p->n_to; i++)
            p->matrix[(size_t)j * p->n_to + i] = variation_get(w, j, p->to[i]);
}

/* Derivatives of outputs at the present time, or of their means up to it. */
static void read_outputs(Halves *h, Variation *w)
{
    const PeriodicLinear *l = h->l;
    uint32_t columns = h->f.n_from + l->n_inputs;
    h->outputs = ARENA_ARRAY(h->arena, double, (size_t)l->n_outputs *columns + 1);
    for (uint32_t k = 0; k < l->n_outputs; k++) {
        VariationScalars y = variation_scalars(w, k);
        for (uint32_t j = 0; j < columns; j++)
            h->outputs[(size_t)j * l->n_outputs + k] = l->mean ? y.d_mean[j] : y.d_end[j];
    }
}

/* ---- the instant ---- */

static void begin_over(void *user, Variation *w)
{
    (void)w;
    Halves *h = user;
    h->over = begin_part(h, &h->g, false);
    variation_begin_left(h->over);
}

/* Nothing happens: unknowns stay as they are. */
static void pass_over(Halves *h)
{
    Part *g = &h->g;
    g->from = g->to = period_unknowns(h->s, h->arena, &g->n_from);
    g->n_to = g->n_from;
    g->n_states = linear_n_states(h->s);
    g->matrix = ARENA_ARRAY(h->arena, double, g->n_to *(g->n_from + (size_t)h->l->n_inputs) + 1);
    for (uint32_t i = 0; i < g->n_from; i++)
        g->matrix[(size_t)i * g->n_to + i] = 1;
}

/* False if the run ends. */
static bool find_over(Halves *h, double at, double period)
{
    Variation *before = variation_new(h->s, NULL, 0, 0);
    if (!h->l->at_start)
        variation_begin(before);
    variation_at_left(before, at - SAME_INSTANT * period, begin_over, h);
    bool going = h->l->at_start ? sim_start(h->s) : sim_advance(h->s, at, false);
    if (going && h->over)
        read_part(h, h->over, &h->g);
    else if (going)
        pass_over(h);
    variation_end(h->s);
    variation_free(before);
    variation_free(h->over);
    return going;
}

/* ---- the motion after it ---- */

static void end_between(void *user, Variation *w)
{
    Halves *h = user;
    read_part(h, w, &h->f);
    if (h->l->mean)
        read_outputs(h, w);
    h->read = true;
    variation_end(h->s);
}

static bool find_between(Halves *h, double end, double period)
{
    Variation *w = begin_part(h, &h->f, true);
    variation_begin(w);
    if (!h->l->mean) {
        read_outputs(h, w);
        variation_without_scalars(w);
    }
    variation_at_left(w, end - SAME_INSTANT * period, end_between, h);
    bool going = sim_advance(h->s, end, false);
    if (going && !h->read)
        end_between(h, w);
    variation_end(h->s);
    variation_free(w);
    return going;
}

/* ---- the matrices ---- */

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

static void drop(PeriodicLinear *l, uint32_t c)
{
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

/* Discrete variables that the instant overwrites are no states, nor those that only they read. */
static void drop_forgotten(PeriodicLinear *l, uint32_t n_states)
{
    bool dropped = true;
    while (dropped) {
        dropped = false;
        for (uint32_t c = l->n; c-- > n_states;)
            if (is_zero(l->a + (size_t)c * l->n, l->n) &&
                is_zero(l->c + (size_t)c * l->n_outputs, l->n_outputs)) {
                drop(l, c);
                dropped = true;
            }
    }
}

static bool same_unknowns(const Part *f, const Part *g)
{
    bool same = f->n_to == g->n_from;
    for (uint32_t i = 0; same && i < f->n_to; i++)
        same = f->to[i] == g->from[i];
    return same;
}

static void put_matrices(PeriodicLinear *l, const Halves *h)
{
    uint32_t n = l->n = h->f.n_to;
    l->vars = h->f.to;
    l->a = ARENA_ARRAY(h->arena, double, (size_t)n *n + 1);
    l->b = ARENA_ARRAY(h->arena, double, (size_t)n * l->n_inputs + 1);
    l->c = ARENA_ARRAY(h->arena, double, (size_t)n * l->n_outputs + 1);
    l->d = ARENA_ARRAY(h->arena, double, (size_t)l->n_inputs * l->n_outputs + 1);
    compose(h->f.matrix, n, &h->g, l->n_inputs, l->a, l->b);
    compose(h->outputs, l->n_outputs, &h->g, l->n_inputs, l->c, l->d);
    drop_forgotten(l, h->g.n_states);
}

LinearResult orbit_linear(Sim *s, double at, double period, Arena *arena, PeriodicLinear *l)
{
    Halves h = {.s = s, .l = l, .arena = arena};
    if (!find_over(&h, at, period))
        return LINEAR_FAILED;
    if (!h.g.matrix)
        return LINEAR_NONE;
    if (!find_between(&h, at + period, period))
        return LINEAR_FAILED;
    if (!h.f.matrix || !same_unknowns(&h.f, &h.g))
        return LINEAR_NONE;
    put_matrices(l, &h);
    return LINEAR_FOUND;
}
