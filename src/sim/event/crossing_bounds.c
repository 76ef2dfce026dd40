/* Bounds of crossing functions over a step: they decide where the locator has to look.
 *
 * z of a relation is a program of intervals over time, states, and variables that are fixed between
 * events. Explicit equations are part of it; unknowns of torn blocks have no bounds. While states
 * and time stay within a box in which z keeps its sign, nothing is evaluated. A box is several
 * steps wide and grows while it is useful.
 *
 * A relation that is affine in time and states follows the polynomial of the dense output. Any
 * other relation is *wild*: it may turn within a step even if the states are smooth, and is bounded
 * on pieces of the step. The range of a state is that of three points of the dense output, widened
 * by its width. */
#include "sim/event/crossing_bounds.h"

#include "expr/interval.h"

#include <math.h>
#include <stdlib.h>

enum {
    BUILD_AFTER = 4 /* steps */,
    LARGEST = 500 /* nodes of a wild relation */,
    SMALL = 16 /* nodes of others */
};
enum { WIDEST = 64 /* steps */, FEW = 32 /* relations */ };

typedef enum BoundKind {
    BOUND_FIXED,
    BOUND_TIME,
    BOUND_STATE,
    BOUND_UNKNOWN,
    BOUND_OPERATOR
} BoundKind;

/* How z depends on time and states. */
typedef enum Degree { CONSTANT, AFFINE, NONLINEAR, UNBOUNDED } Degree;

typedef struct BoundNode {
    uint8_t what;   /* BoundKind */
    uint8_t degree; /* Degree */
    uint8_t op, kind;
    /* BOUND_OPERATOR: in Watch.args; BOUND_FIXED: args is the variable, NONE for a number */
    uint32_t args, n;
} BoundNode;

typedef VEC(uint32_t) Indices;

struct CrossingBounds {
    ModeProgram *prog;
    Locator *l;
    EventCadence *cadences;
    VEC(BoundNode) nodes;
    Indices args;
    VEC(Range) value; /* per node */
    uint32_t *z;      /* per column of the locator: its node */
    /* per column, and one more: its nodes in `parts`; none if they are too many */
    uint32_t *first;
    bool any_wild;
    Indices parts;          /* ascending */
    Indices states, leaves; /* states in use: index in plan->states, node */
    double *lo, *hi;        /* per state in use: range in the last step */
    double *box_lo, *box_hi;
    double box_t0, box_t1; /* box_t1 < box_t0: there is no box */
    bool *open;            /* per column: may reach zero in the box */
    uint32_t n_open;
    uint32_t steps;  /* since the box was made, or there was an event */
    double grow;     /* steps on each side of it */
    double t0, t1;   /* the last step looked at */
    double *xa, *xb; /* states at the ends of a piece */
};

/* ---- programs ---- */

typedef struct Build {
    CrossingBounds *w;
    const ModeProgram *p;
    Arena *scratch;
    uint32_t *node; /* per variable; NONE */
} Build;

static uint32_t add_node(CrossingBounds *w, BoundNode node, Range value)
{
    vec_push(&w->nodes, node);
    vec_push(&w->value, value);
    return w->nodes.n - 1;
}

static uint32_t fixed_node(CrossingBounds *w, VarId var, double value)
{
    return add_node(w, (BoundNode){.what = BOUND_FIXED, .degree = CONSTANT, .args = var},
                    (Range){value, value, false});
}

static uint32_t unknown_node(CrossingBounds *w)
{
    return add_node(w, (BoundNode){.what = BOUND_UNKNOWN, .degree = UNBOUNDED},
                    (Range){-INFINITY, INFINITY, true});
}

static bool keeps_affine(const CrossingBounds *w, ExprOp op, const uint32_t *args, uint32_t n)
{
    uint32_t varying = 0;
    for (uint32_t i = 0; i < n; i++)
        varying += w->nodes.at[args[i]].degree != CONSTANT;
    switch (op) {
    case OP_ADD:
    case OP_NEG:
    case OP_NOEVENT:
    case OP_TO_REAL: return true;
    case OP_MUL: return varying <= 1;
    case OP_DIV: return w->nodes.at[args[1]].degree == CONSTANT;
    case OP_IF: return w->nodes.at[args[0]].degree == CONSTANT;
    default: return false;
    }
}

static Degree degree_of(const CrossingBounds *w, ExprOp op, const uint32_t *args, uint32_t n)
{
    Degree most = CONSTANT;
    for (uint32_t i = 0; i < n; i++)
        most = w->nodes.at[args[i]].degree > most ? w->nodes.at[args[i]].degree : most;
    return most == AFFINE && !keeps_affine(w, op, args, n) ? NONLINEAR : most;
}

typedef struct TermWalk {
    Build *b;
    Term term;
    Map found; /* expression → node */
} TermWalk;

static uint32_t leaf(TermWalk *t, ExprId e)
{
    const Graph *g = program_graph(t->b->p);
    CrossingBounds *w = t->b->w;
    TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
    if (expr_op(g, e) == OP_HOLE) {
        uint32_t known = t->b->node[program_operand(t->b->p, t->term, expr_index(g, e))];
        return known == NONE ? unknown_node(w) : known;
    }
    bool number = kind == TYPE_REAL || kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_ENUM;
    return number && expr_is_literal(g, e) ? fixed_node(w, NONE, expr_real_value(g, e))
                                           : unknown_node(w);
}

static void visit(void *user, ExprId e)
{
    TermWalk *t = user;
    const Graph *g = program_graph(t->b->p);
    CrossingBounds *w = t->b->w;
    uint32_t n = expr_n(g, e), args = w->args.n, made;
    ExprOp op = expr_op(g, e);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&w->args, map_get(&t->found, expr_arg(g, e, i)));
    if (!n) {
        made = leaf(t, e);
    } else if (!range_knows(op) || expr_type(g, expr_arg(g, e, 0)) == T_STRING) {
        made = unknown_node(w);
    } else {
        TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
        BoundNode node = {
            .what = BOUND_OPERATOR, .op = (uint8_t)op, .kind = (uint8_t)kind, .args = args, .n = n};
        node.degree = (uint8_t)degree_of(w, op, w->args.at + args, n);
        made = add_node(w, node, (Range){0, 0, false});
    }
    map_put(&t->found, e, made);
}

static uint32_t term_node(Build *b, Term term, ExprId shape)
{
    TermWalk t = {.b = b, .term = term};
    expr_walk(program_graph(b->p), shape, visit, &t);
    uint32_t node = map_get(&t.found, shape);
    map_free(&t.found);
    return node;
}

/* The operands of the crossing functions, from the last equation back. */
static bool *find_needed(const Build *b)
{
    const ModeProgram *prog = b->p;
    const Locator *l = b->w->l;
    const Plan *p = prog->plan;
    bool *needed = ARENA_ARRAY(b->scratch, bool, program_n_vars(prog));
    for (uint32_t k = 0; k < l->n; k++) {
        Term z = program_relation(prog, l->relations[k])->z;
        for (uint32_t i = 0; i < z.n; i++)
            needed[program_operand(prog, z, i)] = true;
    }
    for (uint32_t i = p->main.n_blocks; i-- > 0;) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        const PlanStep *step = &p->steps.at[block->step];
        if (block->kind != BLOCK_EXPLICIT || block->mixed || !needed[step->var])
            continue;
        Term t = program_equation(prog, step->eq)->term;
        for (uint32_t k = 0; k < t.n; k++)
            needed[program_operand(prog, t, k)] = true;
    }
    return needed;
}

static bool is_fixed(const DaeVar *x)
{
    return x->kind != DAE_TIME && x->kind != DAE_CONTINUOUS && x->kind != DAE_DERIVATIVE &&
           x->kind != DAE_FOLLOWING && x->type != DAE_STRING;
}

static void add_leaves(Build *b, const bool *needed)
{
    CrossingBounds *w = b->w;
    for (VarId v = 0; v < program_n_vars(b->p); v++) {
        b->node[v] = NONE;
        if (needed[v] && is_fixed(program_var(b->p, v)))
            b->node[v] = fixed_node(w, v, 0);
    }
    b->node[0] =
        add_node(w, (BoundNode){.what = BOUND_TIME, .degree = AFFINE}, (Range){0, 0, false});
    for (uint32_t i = 0; i < b->p->plan->states.n; i++) {
        VarId v = b->p->plan->states.at[i].var;
        if (!needed[v])
            continue;
        b->node[v] =
            add_node(w, (BoundNode){.what = BOUND_STATE, .degree = AFFINE, .args = w->states.n},
                     (Range){0, 0, false});
        vec_push(&w->states, i);
        vec_push(&w->leaves, b->node[v]);
    }
}

static void add_equations(Build *b, const bool *needed)
{
    const Plan *p = b->p->plan;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        const PlanStep *step = &p->steps.at[block->step];
        if (block->kind != BLOCK_EXPLICIT || block->mixed || !needed[step->var] ||
            b->node[step->var] != NONE)
            continue;
        Term t = program_equation(b->p, step->eq)->term;
        b->node[step->var] = term_node(b, t, step->value == EXPR_NONE ? t.shape : step->value);
    }
}

static bool is_wild(const CrossingBounds *w, uint32_t k)
{
    return w->nodes.at[w->z[k]].degree == NONLINEAR;
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* The nodes that relation k depends on, without those that are fixed between events; none if they
 * are too many. mark: all false. */
static void add_parts(CrossingBounds *w, uint32_t k, bool *mark)
{
    uint32_t begin = w->parts.n, largest = is_wild(w, k) ? LARGEST : SMALL;
    vec_push(&w->parts, w->z[k]);
    mark[w->z[k]] = true;
    for (uint32_t i = begin; i < w->parts.n && w->parts.n - begin <= largest; i++) {
        const BoundNode *x = &w->nodes.at[w->parts.at[i]];
        for (uint32_t j = 0; x->what == BOUND_OPERATOR && j < x->n; j++) {
            uint32_t arg = w->args.at[x->args + j];
            if (!mark[arg] && w->nodes.at[arg].degree != CONSTANT)
                vec_push(&w->parts, arg);
            mark[arg] = w->nodes.at[arg].degree != CONSTANT;
        }
    }
    for (uint32_t i = begin; i < w->parts.n; i++)
        mark[w->parts.at[i]] = false;
    if (w->parts.n - begin > largest)
        w->parts.n = begin;
    qsort(w->parts.at + begin, w->parts.n - begin, sizeof *w->parts.at, compare_indices);
}

static void add_relations(Build *b)
{
    const Locator *l = b->w->l;
    CrossingBounds *w = b->w;
    for (uint32_t k = 0; k < l->n; k++) {
        Term z = program_relation(b->p, l->relations[k])->z;
        w->z[k] = term_node(b, z, z.shape);
    }
    bool *mark = ARENA_ARRAY(b->scratch, bool, w->nodes.n);
    for (uint32_t k = 0; k < l->n; k++) {
        w->first[k] = w->parts.n;
        if (w->nodes.at[w->z[k]].degree != UNBOUNDED)
            add_parts(w, k, mark);
        w->any_wild |= is_wild(w, k);
    }
    w->first[l->n] = w->parts.n;
}

CrossingBounds *bounds_new(ModeProgram *prog, Locator *l, EventCadence *cadences, Arena *scratch)
{
    uint32_t n = l->n;
    if (!n)
        return NULL;
    CrossingBounds *w = ARENA_NEW(prog->own, CrossingBounds);
    *w = (CrossingBounds){.prog = prog, .l = l, .cadences = cadences, .box_t0 = 1, .grow = 4};
    w->z = ARENA_ARRAY(prog->own, uint32_t, n);
    w->first = ARENA_ARRAY(prog->own, uint32_t, n + 1);
    w->open = ARENA_ARRAY(prog->own, bool, n);
    arena_reset(scratch);
    Build b = {.w = w,
               .p = prog,
               .scratch = scratch,
               .node = ARENA_ARRAY(scratch, uint32_t, prog->code->n_vars)};
    bool *needed = find_needed(&b);
    add_leaves(&b, needed);
    add_equations(&b, needed);
    add_relations(&b);
    double **ranges[] = {&w->lo, &w->hi, &w->box_lo, &w->box_hi};
    for (int i = 0; i < 4; i++)
        *ranges[i] = ARENA_ARRAY(prog->own, double, w->states.n);
    w->xa = ARENA_ARRAY(prog->own, double, prog->n);
    w->xb = ARENA_ARRAY(prog->own, double, prog->n);
    return w;
}

void bounds_free(CrossingBounds *w)
{
    if (!w)
        return;
    vec_free(&w->nodes);
    vec_free(&w->args);
    vec_free(&w->value);
    vec_free(&w->parts);
    vec_free(&w->states);
    vec_free(&w->leaves);
}

/* ---- bounds ---- */

/* While a surface is held, values are not those of the equations. */
static bool usable(const CrossingBounds *w)
{
    return w && !w->prog->mixed;
}

static void compute(CrossingBounds *w, uint32_t i)
{
    const BoundNode *x = &w->nodes.at[i];
    if (x->what == BOUND_OPERATOR)
        w->value.at[i] =
            range_apply((ExprOp)x->op, (TypeKind)x->kind, w->value.at, w->args.at + x->args, x->n);
}

void bounds_restart(CrossingBounds *w)
{
    if (!usable(w))
        return;
    const ModeProgram *prog = w->prog;
    for (uint32_t i = 0; i < w->nodes.n; i++) {
        const BoundNode *x = &w->nodes.at[i];
        if (x->what == BOUND_FIXED && x->args != NONE)
            w->value.at[i] = (Range){prog->v[x->args], prog->v[x->args], false};
        else if (x->degree == CONSTANT)
            compute(w, i);
    }
    w->box_t0 = 1;
    w->box_t1 = 0;
    w->steps = 0;
}

static void set_leaves(CrossingBounds *w, double a, double b, const double *lo, const double *hi)
{
    for (uint32_t i = 0; i < w->nodes.n; i++)
        if (w->nodes.at[i].what == BOUND_TIME)
            w->value.at[i] = (Range){a, b, false};
    for (uint32_t i = 0; i < w->states.n; i++)
        w->value.at[w->leaves.at[i]] = (Range){lo[i], hi[i], false};
}

/* A lower bound of the distance of relation k from a change, without its shift; -INFINITY if
 * unknown. */
static double least(const CrossingBounds *w, uint32_t k)
{
    Range z = w->value.at[w->z[k]];
    double d = w->l->side[k] > 0 ? z.lo : -z.hi;
    return z.nan || isnan(d) ? -INFINITY : d;
}

/* ---- the last step ---- */

static void begin_range(const CrossingBounds *w, const double *x)
{
    for (uint32_t i = 0; i < w->states.n; i++)
        w->lo[i] = w->hi[i] = x[w->states.at[i]];
}

/* By comparisons, which the compiler turns into single instructions; NaN does not occur in an
 * accepted step. */
static void include(const CrossingBounds *w, const double *x)
{
    for (uint32_t i = 0; i < w->states.n; i++) {
        double v = x[w->states.at[i]];
        w->lo[i] = v < w->lo[i] ? v : w->lo[i];
        w->hi[i] = v > w->hi[i] ? v : w->hi[i];
    }
}

static void range_of_step(CrossingBounds *w, double t0, double t1)
{
    ModeProgram *prog = w->prog;
    w->t0 = t0;
    w->t1 = t1;
    begin_range(w, prog->x); /* at t0 */
    for (int i = 1; i < 3; i++) {
        program_states_at(prog, i == 2 ? t1 : t0 + 0.5 * (t1 - t0), prog->xi);
        include(w, prog->xi);
    }
    for (uint32_t i = 0; i < w->states.n; i++) {
        double more = w->hi[i] - w->lo[i];
        w->lo[i] -= more;
        w->hi[i] += more;
    }
}

static bool within_box(const CrossingBounds *w)
{
    bool within = w->t0 >= w->box_t0 && w->t1 <= w->box_t1;
    for (uint32_t i = 0; i < w->states.n && within; i++)
        within = w->lo[i] >= w->box_lo[i] && w->hi[i] <= w->box_hi[i];
    return within;
}

static void judge_box(CrossingBounds *w)
{
    Locator *l = w->l;
    w->n_open = 0;
    for (uint32_t k = 0; k < l->n; k++) {
        double d = least(w, k);
        w->open[k] = !l->suspended[k] && !(d > l->full[k]);
        w->n_open += w->open[k];
        if (w->open[k])
            continue;
        l->shift[k] = l->full[k];
        double *peak = &w->cadences[2 * l->relations[k]].peak;
        *peak = fmax(*peak, fmin(d, 1e300) / l->full[k]);
    }
}

static void make_box(CrossingBounds *w)
{
    w->box_t0 = w->t0;
    w->box_t1 = w->t1 + w->grow * (w->t1 - w->t0);
    for (uint32_t i = 0; i < w->states.n; i++) {
        double more = w->grow * (w->hi[i] - w->lo[i]);
        w->box_lo[i] = w->lo[i] - more;
        w->box_hi[i] = w->hi[i] + more;
    }
    set_leaves(w, w->box_t0, w->box_t1, w->box_lo, w->box_hi);
    for (uint32_t i = 0; i < w->nodes.n; i++)
        if (w->nodes.at[i].degree != CONSTANT)
            compute(w, i);
    judge_box(w);
    locator_select(w->l, w->open);
    w->grow = w->n_open ? fmax(4, 0.5 * w->grow) : fmin(WIDEST, 2 * w->grow);
    w->steps = 0;
}

static bool boxed(const CrossingBounds *w)
{
    return w->box_t1 >= w->box_t0;
}

/* A lower bound of the distance of relation k from a change, without its shift; leaves of states
 * are set. */
static double bound_parts(CrossingBounds *w, uint32_t k, double a, double b)
{
    for (uint32_t i = w->first[k]; i < w->first[k + 1]; i++) {
        uint32_t node = w->parts.at[i];
        if (w->nodes.at[node].what == BOUND_TIME)
            w->value.at[node] = (Range){a, b, false};
        compute(w, node);
    }
    return least(w, k);
}

/* Whether none of the few relations that may reach zero in the box can do so in the step itself. */
static bool none_in_step(CrossingBounds *w)
{
    const Locator *l = w->l;
    if (l->n_active > FEW)
        return false;
    for (uint32_t i = 0; i < w->states.n; i++)
        w->value.at[w->leaves.at[i]] = (Range){w->lo[i], w->hi[i], false};
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        if (w->first[k] == w->first[k + 1] || !(bound_parts(w, k, w->t0, w->t1) > l->full[k]))
            return false;
    }
    return true;
}

bool bounds_exclude_step(CrossingBounds *w, double t0, double t1)
{
    if (!usable(w))
        return false;
    w->steps++;
    if (!boxed(w) && w->steps < BUILD_AFTER && !w->any_wild)
        return false;
    range_of_step(w, t0, t1);
    if (!boxed(w) || !within_box(w)) {
        if (w->steps < BUILD_AFTER && !boxed(w))
            return false;
        make_box(w);
    }
    return !w->n_open || none_in_step(w);
}

bool bounds_exclude(const CrossingBounds *w, uint32_t k)
{
    return usable(w) && boxed(w) && !w->open[k];
}

bool bounds_may_turn(const CrossingBounds *w, uint32_t k)
{
    return usable(w) && w->any_wild && is_wild(w, k) && w->first[k] < w->first[k + 1] &&
           !bounds_exclude(w, k);
}

/* ---- pieces of it ---- */

static void range_of_piece(CrossingBounds *w, double a, double b)
{
    ModeProgram *prog = w->prog;
    program_states_at(prog, a, w->xa);
    program_states_at(prog, b, w->xb);
    double share = 0.25 * (b - a) / (w->t1 - w->t0);
    for (uint32_t i = 0; i < w->states.n; i++) {
        double xa = w->xa[w->states.at[i]], xb = w->xb[w->states.at[i]];
        double more = share * (w->hi[i] - w->lo[i]);
        w->value.at[w->leaves.at[i]] = (Range){fmin(xa, xb) - more, fmax(xa, xb) + more, false};
    }
}

double bounds_of_piece(CrossingBounds *w, uint32_t k, double a, double b)
{
    range_of_piece(w, a, b);
    return bound_parts(w, k, a, b);
}
