/* Clocks of partitions, inferred from the constructors and the conversions in a base partition
 * (Modelica 3.6, sections 16.3, 16.5 and 16.7). Intervals and shifts are rational multiples of the
 * interval of a constructor's clock. */
#include "flatten/synchronous/clock_partitions.h"

#include <math.h>

/* ---- rational numbers ---- */

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t t = a % b;
        a = b;
        b = t;
    }
    return a < 0 ? -a : a;
}

/* {0, 0} if a number is too large. Results computed from {0, 0} are {0, 0}. */
static FlatRatio ratio(int64_t num, int64_t den)
{
    if (den == 0)
        return (FlatRatio){0, 0};
    int64_t d = common_divisor(num, den);
    return den < 0 ? (FlatRatio){-num / d, -den / d} : (FlatRatio){num / d, den / d};
}

static FlatRatio multiply(FlatRatio a, FlatRatio b)
{
    int64_t num, den;
    if (__builtin_mul_overflow(a.num, b.num, &num) || __builtin_mul_overflow(a.den, b.den, &den))
        return (FlatRatio){0, 0};
    return ratio(num, den);
}

static FlatRatio add(FlatRatio a, FlatRatio b)
{
    int64_t x, y, num, den;
    if (__builtin_mul_overflow(a.num, b.den, &x) || __builtin_mul_overflow(b.num, a.den, &y) ||
        __builtin_add_overflow(x, y, &num) || __builtin_mul_overflow(a.den, b.den, &den))
        return (FlatRatio){0, 0};
    return ratio(num, den);
}

static FlatRatio inverse(FlatRatio a)
{
    return ratio(a.den, a.num);
}

static FlatRatio negative(FlatRatio a)
{
    return (FlatRatio){-a.num, a.den};
}

static bool same(FlatRatio a, FlatRatio b)
{
    return a.num == b.num && a.den == b.den;
}

static double number(FlatRatio a)
{
    return (double)a.num / (double)a.den;
}

/* ---- values of parameters ---- */

static bool value_of(Partitioner *p, ExprId e, Span span, const char *what, bool optional,
                     Value *out)
{
    Flattener *f = p->f;
    NameScope names = name_scope(f->lib, (Scope){f->root, f->root->cls->layers.at[0]}, NAMES_FLAT);
    names.type.optional = optional;
    return inst_evaluate(&names, e, span, what, out) == EVAL_OK;
}

/* An Integer argument, at least `least`. */
static bool counter_of(Partitioner *p, ExprId e, Span span, const char *what, int64_t least,
                       int64_t *out)
{
    Value v;
    if (!value_of(p, e, span, what, false, &v))
        return false;
    *out = (int64_t)v.num;
    if (*out >= least)
        return true;
    diag(p->f->ctx, span, DIAG_F018, "the %s is %lld; it must be at least %lld", what,
         (long long)*out, (long long)least);
    return false;
}

/* ---- constructors ---- */

/* Clock(counter, resolution) with a counter that changes from tick to tick is
 * Clock(counter/resolution). */
static void make_changing(Partitioner *p, PartClock *c)
{
    Graph *g = p->g;
    ExprId counter = expr_arg(g, c->e, 0), resolution = expr_arg(g, c->e, 1);
    int64_t known;
    c->kind = FLAT_CLOCK_INTERVAL;
    c->ok = counter_of(p, resolution, c->span, "resolution of a Clock", 1, &known);
    ExprId interval = expr_div(g, counter, resolution);
    c->e = expr_make(g, OP_CLOCK, T_CLOCK, 0, &interval, 1);
}

static void read_constructor(Partitioner *p, PartClock *c)
{
    const Graph *g = p->g;
    ExprId first = expr_arg(g, c->e, 0);
    TypeId type = expr_type(g, first);
    int64_t counter, resolution;
    Value v;
    c->seconds = NAN;
    c->period = (FlatRatio){1, 1};
    c->ok = true;
    if (type == T_BOOL) {
        c->kind = FLAT_CLOCK_EVENT;
    } else if (type == T_INT && flat_variability(p->f->flat, first) > VARIES_PARAMETER) {
        make_changing(p, c);
    } else if (type == T_INT) {
        c->kind = FLAT_CLOCK_RATIONAL;
        c->ok =
            counter_of(p, first, c->span, "interval counter of a Clock", 1, &counter) &&
            counter_of(p, expr_arg(g, c->e, 1), c->span, "resolution of a Clock", 1, &resolution);
        if (c->ok) {
            c->period = ratio(counter, resolution);
            c->seconds = number(c->period);
        }
    } else {
        c->kind = FLAT_CLOCK_INTERVAL;
        if (flat_variability(p->f->flat, first) > VARIES_PARAMETER) {
            c->seconds = NAN; /* an interval that changes from tick to tick */
        } else if (value_of(p, first, c->span, "interval of a Clock", true, &v)) {
            c->seconds = v.num;
            if (v.num <= 0) {
                diag(p->f->ctx, c->span, DIAG_F018,
                     "the interval of a Clock is %g; it must be positive", v.num);
                c->ok = false;
            }
        }
    }
}

static bool is_solver(const Partitioner *p, const PartClock *c)
{
    return expr_type(p->g, expr_arg(p->g, c->e, 0)) == T_CLOCK;
}

/* ---- conversions ---- */

static void read_link(Partitioner *p, PartLink *l)
{
    const Graph *g = p->g;
    ExprOp op = expr_op(g, l->e);
    int64_t a = 0, b = 1;
    l->factor = (FlatRatio){1, 1};
    l->shift = (FlatRatio){0, 1};
    if (op == OP_SUB_SAMPLE || op == OP_SUPER_SAMPLE) {
        if (expr_n(g, l->e) < 2)
            return;
        l->bad = !counter_of(p, expr_arg(g, l->e, 1), l->span,
                             op == OP_SUB_SAMPLE ? "factor of subSample" : "factor of superSample",
                             0, &a);
        l->known = !l->bad && a != 0; /* 0: to be inferred */
        if (l->known)
            l->factor = op == OP_SUB_SAMPLE ? ratio(a, 1) : ratio(1, a);
        return;
    }
    bool back = op == OP_BACK_SAMPLE;
    l->bad = !counter_of(p, expr_arg(g, l->e, 1), l->span,
                         back ? "counter of backSample" : "counter of shiftSample", 0, &a) ||
             !counter_of(p, expr_arg(g, l->e, 2), l->span,
                         back ? "resolution of backSample" : "resolution of shiftSample", 1, &b);
    l->known = !l->bad;
    if (l->known)
        l->shift = back ? negative(ratio(a, b)) : ratio(a, b);
}

static PartState forward(const PartLink *l, PartState s)
{
    return (PartState){s.clock, multiply(s.factor, l->factor),
                       add(s.shift, multiply(l->shift, s.factor))};
}

static PartState backward(const PartLink *l, PartState s)
{
    PartState from = {s.clock, multiply(s.factor, inverse(l->factor)), s.shift};
    from.shift = add(s.shift, negative(multiply(l->shift, from.factor)));
    return from;
}

/* ---- inference ---- */

static void report_conflict(Partitioner *p, uint32_t node, Span span, Span other)
{
    uint32_t root = base_of(p, node);
    if (p->bad[root])
        return;
    p->bad[root] = true;
    const char *name = part_name(p, sub_of(p, node));
    diag(p->f->ctx, span, DIAG_F018, "the clock of %s%s%s differs from the clock found elsewhere",
         name ? "'" : "", name ? name : "this equation", name ? "'" : "");
    diag_note(p->f->ctx, other, "the other clock comes from here");
    report_rule(p->f->lib, "16.7", "all clocks of a partition must be the same");
}

/* Interval in seconds; NAN if it is not known. */
static double seconds_of(const Partitioner *p, const PartState *s)
{
    return p->constructors.at[s->clock - 1].seconds * number(s->factor);
}

static bool agree(const Partitioner *p, const PartState *a, const PartState *b)
{
    if (a->clock == b->clock)
        return same(a->factor, b->factor) && same(a->shift, b->shift);
    const PartClock *x = &p->constructors.at[a->clock - 1], *y = &p->constructors.at[b->clock - 1];
    if (x->e == y->e)
        return same(a->factor, b->factor) && same(a->shift, b->shift);
    if (x->kind == FLAT_CLOCK_EVENT || y->kind == FLAT_CLOCK_EVENT)
        return false;
    double s = seconds_of(p, a), t = seconds_of(p, b);
    if (isnan(s) || isnan(t))
        return x->kind == y->kind;
    return fabs(s - t) <= 1e-12 * s &&
           fabs(x->seconds * number(a->shift) - y->seconds * number(b->shift)) <= 1e-9 * s;
}

/* Follows conversions with known factors until no further clock is found. */
static void propagate(Partitioner *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->links.n; i++) {
            const PartLink *l = &p->links.at[i];
            PartState *from = &p->state[sub_of(p, l->from)], *to = &p->state[sub_of(p, l->to)];
            if (!l->known || !from->clock == !to->clock)
                continue;
            if (from->clock)
                *to = forward(l, *from);
            else
                *from = backward(l, *to);
            changed = true;
        }
    }
}

static void seed(Partitioner *p)
{
    for (uint32_t i = 0; i < p->constructors.n; i++) {
        PartClock *c = &p->constructors.at[i];
        if (is_solver(p, c))
            continue;
        read_constructor(p, c);
        if (!c->ok)
            p->bad[base_of(p, c->node)] = true;
        PartState *s = &p->state[sub_of(p, c->node)], own = {i + 1, {1, 1}, {0, 1}};
        if (!s->clock) {
            *s = own;
            propagate(p);
        } else if (!agree(p, s, &own)) {
            report_conflict(p, c->node, c->span, p->constructors.at[s->clock - 1].span);
        }
    }
}

/* A state machine without a given clock ticks once a second. */
static void seed_machines(Partitioner *p)
{
    const Flat *flat = p->f->flat;
    for (uint32_t v = 0; p->f->machines && v < flat->vars.n; v++) {
        uint32_t node = p->scalar[v];
        PartState *s = &p->state[sub_of(p, node)];
        if (!is_of_machine(p->f, v) || s->clock || p->bad[base_of(p, node)])
            continue;
        ExprId args[] = {expr_int(p->g, 1), expr_int(p->g, 1)};
        PartClock c = {.node = node, .span = flat->vars.at[v].span, .assumed = true};
        c.e = expr_make(p->g, OP_CLOCK, T_CLOCK, 0, args, 2);
        read_constructor(p, &c);
        vec_push(&p->constructors, c);
        *s = (PartState){p->constructors.n, {1, 1}, {0, 1}};
        propagate(p);
    }
}

/* A conversion whose factor is open: its two clocks determine it. */
static void infer_factor(Partitioner *p, const PartLink *l)
{
    const PartState *from = &p->state[sub_of(p, l->from)], *to = &p->state[sub_of(p, l->to)];
    bool super = expr_op(p->g, l->e) == OP_SUPER_SAMPLE;
    uint32_t root = base_of(p, l->to);
    if (p->bad[root])
        return;
    if (!from->clock || !to->clock) {
        diag(p->f->ctx, l->span, DIAG_F017,
             "the factor of %s is not given, and the clock of its %s is unknown",
             expr_op_text(expr_op(p->g, l->e)), from->clock ? "result" : "argument");
        report_rule(p->f->lib, "16.5.2", "a factor is inferred if both clocks are known");
        p->bad[root] = true;
        return;
    }
    double x = seconds_of(p, to) / seconds_of(p, from);
    if (from->clock == to->clock)
        x = number(to->factor) / number(from->factor);
    x = super ? 1 / x : x;
    if (isnan(x) || (x >= 1 - 1e-9 && fabs(x - round(x)) <= 1e-9 * x))
        return;
    diag(p->f->ctx, l->span, DIAG_F018,
         "the ratio of the clocks on both sides of %s is not a whole number: %.6g",
         expr_op_text(expr_op(p->g, l->e)), x);
    report_rule(p->f->lib, "16.5.2", "the factor of a conversion is an Integer");
    p->bad[root] = true;
}

static void check_link(Partitioner *p, const PartLink *l)
{
    PartState *from = &p->state[sub_of(p, l->from)], *to = &p->state[sub_of(p, l->to)];
    if (!from->clock || !to->clock || p->bad[base_of(p, l->to)])
        return;
    PartState want = forward(l, *from);
    if (want.factor.den == 0 || want.shift.den == 0) {
        diag(p->f->ctx, l->span, DIAG_F018, "the ratio of these clocks is too large");
        p->bad[base_of(p, l->to)] = true;
    } else if (!agree(p, &want, to)) {
        report_conflict(p, l->to, l->span, p->constructors.at[to->clock - 1].span);
    } else if (to->shift.num < 0) {
        diag(p->f->ctx, l->span, DIAG_F018, "the clock would tick before its base clock starts");
        report_rule(p->f->lib, "16.5.2",
                    "backSample must not lead before the start of the base clock");
        p->bad[base_of(p, l->to)] = true;
    }
}

/* ---- partitions without a clock, derivatives without a solver ---- */

static void check_equations(Partitioner *p)
{
    const Flat *flat = p->f->flat;
    for (uint32_t i = 0; i < flat->eqs.n; i++) {
        uint32_t root = base_of(p, p->groups[i]), sub = sub_of(p, p->groups[i]);
        if (flat->eqs.at[i].initial || !p->clocked[root] || p->bad[root] || p->state[sub].clock)
            continue;
        const char *name = part_name(p, sub);
        diag(p->f->ctx, flat->eqs.at[i].span, DIAG_F017,
             "%s%s%s is clocked, but no clock is given for it", name ? "'" : "",
             name ? name : "this equation", name ? "'" : "");
        report_rule(p->f->lib, "16.7",
                    "a base partition has a clock that some constructor defines");
        p->bad[root] = true;
    }
}

/* The solver method of a base partition; NULL for none. */
static Name solver_of(Partitioner *p, uint32_t root)
{
    for (uint32_t i = 0; i < p->constructors.n; i++) {
        const PartClock *c = &p->constructors.at[i];
        Value v;
        if (base_of(p, c->node) == root && is_solver(p, c) &&
            value_of(p, expr_arg(p->g, c->e, 1), c->span, "solver method of a Clock", false, &v) &&
            v.str && v.str[0])
            return v.str;
    }
    return NULL;
}

static void check_solvers(Partitioner *p)
{
    for (uint32_t i = 0; i < p->marks.n; i++) {
        const PartMark *m = &p->marks.at[i];
        uint32_t root = base_of(p, m->node);
        if (m->kind != PART_NEEDS_SOLVER || !p->clocked[root] || p->bad[root] || solver_of(p, root))
            continue;
        diag(p->f->ctx, m->span, DIAG_F016,
             "'%s' is in a clocked partition, but its clock has no solver method", m->what);
        report_rule(p->f->lib, "16.8.1",
                    "derivatives and events in a clocked partition need Clock(c, solverMethod)");
        p->bad[root] = true;
    }
}

void infer_clocks(Partitioner *p)
{
    for (uint32_t i = 0; i < p->links.n; i++) {
        read_link(p, &p->links.at[i]);
        if (p->links.at[i].bad)
            p->bad[base_of(p, p->links.at[i].to)] = true;
    }
    seed(p);
    seed_machines(p);
    for (uint32_t i = 0; i < p->links.n; i++) {
        if (p->links.at[i].known)
            check_link(p, &p->links.at[i]);
        else
            infer_factor(p, &p->links.at[i]);
    }
    check_equations(p);
    check_solvers(p);
}

void clock_of_partition(Partitioner *p, uint32_t sub, FlatClock *out)
{
    const PartState *s = &p->state[sub];
    uint32_t root = base_of(p, sub);
    out->factor = out->period = (FlatRatio){1, 1};
    out->shift = (FlatRatio){0, 1};
    if (!s->clock)
        return;
    const PartClock *c = &p->constructors.at[s->clock - 1];
    out->kind = (uint8_t)c->kind;
    out->base_clock = c->e;
    out->assumed = c->assumed;
    out->period = c->period;
    out->factor = s->factor;
    out->shift = s->shift;
    out->solver = solver_of(p, root);
    for (uint32_t i = 0; i < p->marks.n; i++)
        out->discretised |=
            p->marks.at[i].kind == PART_NEEDS_SOLVER && sub_of(p, p->marks.at[i].node) == sub;
}
