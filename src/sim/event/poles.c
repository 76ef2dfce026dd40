/* Poles of derivatives: see the header. Divisors in branches of an if are left out, because the
 * branch may exclude zero, and so are those that depend on unknowns of torn blocks. Where the
 * numerator is zero too, as in sin(x)/x, there is no pole. */
#include "sim/event/poles.h"

#include "expr/walk.h"
#include "sim/event/interval_program.h"
#include "sim/state/model_view.h"

#include <math.h>

enum { SIMPLE = 16 /* nodes of a divisor */, MOST = 200 /* divisors, equations */ };

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

typedef struct Equations {
    const Graph *g;
    bool divides;
    VEC(IntervalTerm) found; /* values in which something is divided */
} Equations;

static Walk visit(void *user, ExprId e)
{
    Equations *q = user;
    ExprOp op = expr_op(q->g, e);
    q->divides |=
        op == OP_DIV || op == OP_POW ||
        (op == OP_CALL && intervals_follow(q->g, q->g->functions.at[expr_index(q->g, e)]));
    return op == OP_IF ? WALK_PAST : WALK_ON;
}

static void look_at(Equations *q, Term t, ExprId shape)
{
    q->divides = false;
    expr_walk_down(q->g, shape, visit, q);
    if (q->divides && q->found.n < MOST)
        vec_push(&q->found, ((IntervalTerm){t, shape}));
}

static void find_equations(const ModeProgram *prog, Equations *q)
{
    const Plan *p = prog->plan;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        if (!(block->uses & USE_DERIVATIVE))
            continue;
        for (uint32_t k = 0; k < block->n_steps; k++) {
            const PlanStep *step = &p->steps.at[block->step + k];
            Term t = program_equation(prog, step->eq)->term;
            look_at(q, t, step->value == EXPR_NONE ? t.shape : step->value);
        }
        for (uint32_t k = 0; k < block->n_torn; k++) {
            Term t = program_equation(prog, p->torn.at[block->torn + k].eq)->term;
            look_at(q, t, t.shape);
        }
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
static void keep(PoleWatch *w, uint32_t divisor, uint32_t numerator, bool *mark)
{
    Pole pole = {0};
    if (can_be_zero(&w->p, divisor) && w->at.n < MOST)
        pole.divisor = watch(w, divisor, mark);
    if (!pole.divisor.n_parts)
        return;
    if (numerator != divisor)
        pole.numerator = watch(w, numerator, mark);
    vec_push(&w->at, pole);
}

/* x^(-1), x^(-3), … change their sign as well. */
static bool is_odd_inverse(const IntervalProgram *p, const BoundNode *x)
{
    const BoundNode *power = x->op == OP_POW ? &p->nodes.at[p->args.at[x->args + 1]] : NULL;
    if (!power || power->what != BOUND_FIXED || power->args != NONE)
        return false;
    double n = p->value.at[p->args.at[x->args + 1]].lo;
    return n < 0 && fmod(n, 2) == -1;
}

/* Divisors on which the node depends, without those in branches. */
static void find_divisors(PoleWatch *w, uint32_t node, bool *seen, bool *mark)
{
    const IntervalProgram *p = &w->p;
    NodeIndices stack = {0};
    vec_push(&stack, node);
    while (stack.n) {
        uint32_t i = vec_pop(&stack);
        const BoundNode *x = &p->nodes.at[i];
        if (seen[i] || x->what != BOUND_OPERATOR || x->op == OP_IF)
            continue;
        seen[i] = true;
        const uint32_t *args = p->args.at + x->args;
        if (x->op == OP_DIV)
            keep(w, args[1], args[0], mark);
        else if (is_odd_inverse(p, x))
            keep(w, args[0], args[0], mark);
        for (uint32_t k = 0; k < x->n; k++)
            vec_push(&stack, args[k]);
    }
    vec_free(&stack);
}

static void watch_equations(PoleWatch *w, const Equations *q, Arena *scratch)
{
    uint32_t *node = ARENA_ARRAY(scratch, uint32_t, q->found.n);
    intervals_create(&w->p, w->prog, q->found.at, q->found.n, true, node, scratch);
    bool *seen = ARENA_ARRAY(scratch, bool, w->p.nodes.n),
         *mark = ARENA_ARRAY(scratch, bool, w->p.nodes.n);
    for (uint32_t k = 0; k < q->found.n; k++)
        find_divisors(w, node[k], seen, mark);
}

PoleWatch *poles_new(ModeProgram *prog, Arena *scratch)
{
    Equations q = {.g = program_graph(prog)};
    PoleWatch *w = NULL;
    find_equations(prog, &q);
    if (q.found.n) {
        arena_reset(scratch);
        w = ARENA_NEW(prog->own, PoleWatch);
        *w = (PoleWatch){.prog = prog};
        watch_equations(w, &q, scratch);
    }
    vec_free(&q.found);
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
