/* Poles of derivatives: see the header. Divisors in branches of an if are left out, because the
 * branch may exclude zero, and so are those that depend on unknowns of torn blocks. Where the
 * numerator is zero too, as in sin(x)/x, there is no pole. */
#include "sim/event/poles.h"

#include "expr/walk.h"
#include "sim/event/interval_program.h"
#include "sim/state/model_view.h"

#include <math.h>

enum { SIMPLE = 16 /* nodes of a divisor */, MOST = 200 /* divisors */ };

static const double ZERO = 1e-12; /* of the values at the ends of a step */
enum { HALVINGS = 60 };

/* A node and those that it depends on, in PoleWatch.parts; none: it is not known. */
typedef struct Watched {
    uint32_t node, parts, n_parts;
} Watched;

typedef struct Pole {
    Watched divisor, numerator;
    int sign; /* at the beginning of the step */
} Pole;

struct PoleWatch {
    ModeProgram *prog;
    IntervalProgram p;
    NodeIndices parts;
    VEC(Pole) at;
};

/* ---- divisors ---- */

typedef struct Divisors {
    const Graph *g;
    Term term;
    VEC(IntervalTerm) found; /* divisor and numerator in turn; the same twice: numerator unknown */
} Divisors;

/* x^(-1), x^(-3), … change their sign as well. */
static bool is_odd_inverse(const Graph *g, ExprId e)
{
    if (expr_op(g, e) != OP_POW || !expr_is_literal(g, expr_arg(g, e, 1)))
        return false;
    double n = expr_real_value(g, expr_arg(g, e, 1));
    return n < 0 && fmod(n, 2) == -1;
}

static void add_divisor(Divisors *d, ExprId divisor, ExprId numerator)
{
    vec_push(&d->found, ((IntervalTerm){d->term, divisor}));
    vec_push(&d->found, ((IntervalTerm){d->term, numerator}));
}

static Walk visit(void *user, ExprId e)
{
    Divisors *d = user;
    ExprOp op = expr_op(d->g, e);
    if (op == OP_IF || d->found.n >= 2 * MOST)
        return WALK_PAST;
    if (op == OP_DIV)
        add_divisor(d, expr_arg(d->g, e, 1), expr_arg(d->g, e, 0));
    else if (is_odd_inverse(d->g, e))
        add_divisor(d, expr_arg(d->g, e, 0), expr_arg(d->g, e, 0));
    return WALK_ON;
}

static void find_divisors(const ModeProgram *prog, Divisors *d)
{
    const Plan *p = prog->plan;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        const PlanStep *step = &p->steps.at[block->step];
        if (block->kind != BLOCK_EXPLICIT || block->mixed || !(block->uses & USE_DERIVATIVE))
            continue;
        d->term = program_equation(prog, step->eq)->term;
        expr_walk_down(d->g, step->value == EXPR_NONE ? d->term.shape : step->value, visit, d);
    }
}

static bool can_be_zero(const IntervalProgram *p, uint32_t node)
{
    uint8_t degree = p->nodes.at[node].degree;
    return degree == AFFINE || degree == NONLINEAR;
}

static Watched watch(PoleWatch *w, uint32_t node, bool *mark)
{
    Watched x = {.node = node, .parts = w->parts.n};
    if (w->p.nodes.at[node].degree != UNBOUNDED)
        intervals_list_parts(&w->p, node, SIMPLE, &w->parts, mark);
    x.n_parts = w->parts.n - x.parts;
    return x;
}

/* Keeps those that depend on states, and are simple. */
static void keep(PoleWatch *w, const uint32_t *node, uint32_t n, const IntervalTerm *terms,
                 Arena *scratch)
{
    bool *mark = ARENA_ARRAY(scratch, bool, w->p.nodes.n);
    for (uint32_t k = 0; k < n; k += 2) {
        Pole pole = {0};
        if (can_be_zero(&w->p, node[k]))
            pole.divisor = watch(w, node[k], mark);
        if (!pole.divisor.n_parts)
            continue;
        if (terms[k].shape != terms[k + 1].shape)
            pole.numerator = watch(w, node[k + 1], mark);
        vec_push(&w->at, pole);
    }
}

PoleWatch *poles_new(ModeProgram *prog, Arena *scratch)
{
    Divisors d = {.g = program_graph(prog)};
    PoleWatch *w = NULL;
    find_divisors(prog, &d);
    if (d.found.n) {
        arena_reset(scratch);
        uint32_t *node = ARENA_ARRAY(scratch, uint32_t, d.found.n);
        w = ARENA_NEW(prog->own, PoleWatch);
        *w = (PoleWatch){.prog = prog};
        intervals_create(&w->p, prog, d.found.at, d.found.n, node, scratch);
        keep(w, node, d.found.n, d.found.at, scratch);
    }
    vec_free(&d.found);
    if (w && !w->at.n) {
        poles_free(w);
        w = NULL;
    }
    return w;
}

void poles_free(PoleWatch *w)
{
    if (!w)
        return;
    intervals_free(&w->p);
    vec_free(&w->parts);
    vec_free(&w->at);
}

/* ---- steps ---- */

void poles_restart(PoleWatch *w)
{
    if (w)
        intervals_fix(&w->p);
}

static Range value_of(PoleWatch *w, const Watched *x)
{
    for (uint32_t i = 0; i < x->n_parts; i++)
        intervals_compute(&w->p, w->parts.at[x->parts + i]);
    return w->p.value.at[x->node];
}

/* Of the divisor; 0: not known. */
static int sign_of(PoleWatch *w, const Pole *pole)
{
    Range z = value_of(w, &pole->divisor);
    return z.nan ? 0 : (z.lo > 0) - (z.hi < 0);
}

static void go_to(PoleWatch *w, double t)
{
    double *x = w->prog->xi;
    program_states_at(w->prog, t, x);
    w->p.value.at[w->p.time] = (Range){t, t, false};
    for (uint32_t i = 0; i < w->p.states.n; i++) {
        double at = x[w->p.states.at[i]];
        w->p.value.at[w->p.leaves.at[i]] = (Range){at, at, false};
    }
}

/* The size of the numerator at t; NAN: not known. */
static double size_at(PoleWatch *w, const Pole *pole, double t)
{
    go_to(w, t);
    Range z = value_of(w, &pole->numerator);
    return z.nan ? NAN : fmax(fabs(z.lo), fabs(z.hi));
}

/* Whether the numerator is not zero where the divisor is. */
static bool is_pole(PoleWatch *w, const Pole *pole, double a, double b)
{
    if (!pole->numerator.n_parts)
        return true;
    double most = fmax(size_at(w, pole, a), size_at(w, pole, b));
    for (int i = 0; i < HALVINGS; i++) {
        double middle = a + 0.5 * (b - a);
        go_to(w, middle);
        *(sign_of(w, pole) == pole->sign ? &a : &b) = middle;
    }
    return !(size_at(w, pole, b) <= ZERO * most);
}

bool poles_passed(PoleWatch *w)
{
    if (!w || w->prog->mixed) /* values are not those of the equations */
        return false;
    double t0 = w->prog->solver->t0, t1 = w->prog->solver->t;
    bool passed = false;
    go_to(w, t0);
    for (uint32_t k = 0; k < w->at.n; k++)
        w->at.at[k].sign = sign_of(w, &w->at.at[k]);
    go_to(w, t1);
    for (uint32_t k = 0; k < w->at.n && !passed; k++) {
        const Pole *pole = &w->at.at[k];
        if (pole->sign * sign_of(w, pole) >= 0)
            continue;
        passed = is_pole(w, pole, t0, t1);
        go_to(w, t1);
    }
    return passed;
}
