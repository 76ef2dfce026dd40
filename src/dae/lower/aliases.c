/* Aliases: variables that equations a = b and a + b = 0 make equal up to sign.
 *
 * In: the lowered Dae. Out: the same with one representative per set; such equations are gone,
 * operands are representatives. An equation that closes a cycle stays, as 0 = 0 or 2*x = 0, for the
 * structural analysis to judge. Cost: near-linear, by union-find. */
#include "dae/lower/lower.h"

#include <math.h>

enum { GIVEN_LIMIT = 1, GIVEN_VALUE = 2 }; /* of a discrete variable */

typedef struct Alias {
    Dae *d;
    uint32_t n;     /* variables at the start */
    VarId *parent;  /* union-find; itself at a root */
    int8_t *sign;   /* relative to the parent */
    uint32_t *best; /* per root: representative so far */
    uint8_t *given; /* per root: what initial equations determine of its set: GIVEN_LIMIT … */
    bool *gone;     /* per equation */
    EqId *moved;    /* per equation: its new number */
    Map shapes;     /* shape → sign + 1 of the alias it expresses; 1: none */
    VEC(VarId) old; /* operands before */
    bool ok;
} Alias;

/* ---- which equations ---- */

/* +1 or -1 if the shape states that two variables are equal up to sign; `target`: hole 0 is a
 * target. */
static int alias_sign(Alias *a, ExprId shape, bool target)
{
    uint64_t key = (uint64_t)shape << 1 | target;
    uint32_t known = map_get(&a->shapes, key);
    if (known != MAP_NONE)
        return (int)known - 1;
    double c[3] = {0};
    int sign = 0;
    if (shape_coefficients(a->d->g, shape, c) && c[2] == 0 && c[0] != 0) {
        if (target && fabs(c[0]) == 1)
            sign = c[0] > 0 ? 1 : -1;
        else if (!target && fabs(c[0]) == fabs(c[1]))
            sign = c[0] == c[1] ? -1 : 1;
    }
    map_put(&a->shapes, key, (uint32_t)(sign + 1));
    return sign;
}

static bool is_unknown(const Dae *d, VarId v, DaeVarKind kind)
{
    const DaeVar *x = &d->vars.at[v];
    return x->kind == kind && !x->hidden;
}

/* The two variables that equation e makes equal, and the sign; 0 if it does not. */
static int alias_equation(Alias *a, const DaeEq *eq, VarId *x, VarId *y)
{
    const Dae *d = a->d;
    if (eq->origin != DAE_EQ_MODEL || eq->term.n != (eq->target == NONE ? 2u : 1u))
        return 0;
    *x = eq->target == NONE ? dae_op(d, eq->term, 1) : eq->target;
    *y = dae_op(d, eq->term, 0);
    DaeVarKind kind = eq->target == NONE ? DAE_CONTINUOUS : (DaeVarKind)d->vars.at[eq->target].kind;
    if (eq->target != NONE && kind != DAE_DISCRETE && kind != DAE_FOLLOWING)
        return 0;
    if (!is_unknown(d, *x, kind) || !is_unknown(d, *y, kind) ||
        d->vars.at[*x].type != d->vars.at[*y].type)
        return 0;
    return alias_sign(a, eq->term.shape, eq->target != NONE);
}

/* ---- union-find ---- */

static VarId find(Alias *a, VarId v, int *sign)
{
    VarId root = v;
    int s = 1;
    while (a->parent[root] != root) {
        s *= a->sign[root];
        root = a->parent[root];
    }
    *sign = s;
    while (a->parent[v] != root && v != root) { /* shorten the way */
        VarId next = a->parent[v];
        int own = a->sign[v];
        a->parent[v] = root;
        a->sign[v] = (int8_t)s;
        s *= own;
        v = next;
    }
    return root;
}

static uint32_t depth_of(const Dae *d, VarId v)
{
    uint32_t f = d->vars.at[v].flat;
    return f == NONE ? UINT32_MAX : path_depth(d->flat->paths, d->flat->vars.at[f].path);
}

/* Should x represent its set rather than y? */
static bool better(const Dae *d, VarId x, VarId y)
{
    const DaeVar *a = &d->vars.at[x], *b = &d->vars.at[y];
    if ((a->der != NONE) != (b->der != NONE))
        return a->der != NONE;
    if (a->state_select != b->state_select)
        return a->state_select > b->state_select;
    if (a->fixed != b->fixed)
        return a->fixed;
    uint32_t da = depth_of(d, x), db = depth_of(d, y);
    if (da != db)
        return da < db;
    return x < y;
}

static bool starts_differ(const Dae *d, VarId r, VarId v, int sign)
{
    const DaeVar *a = &d->vars.at[d->vars.at[r].start], *b = &d->vars.at[d->vars.at[v].start];
    return a->detail == NONE && b->detail == NONE && a->value != sign * b->value;
}

/* Discrete variables may be equal and yet have left limits of their own at the start. */
static bool keep_apart(const Dae *d, VarId x, VarId y, int sign)
{
    const DaeVar *a = &d->vars.at[x], *b = &d->vars.at[y];
    return a->kind == DAE_DISCRETE && a->fixed && b->fixed && a->start != NONE &&
           b->start != NONE && starts_differ(d, x, y, sign);
}

/* An initial equation pre(u) = … determines only the left limit of u. Variables that are equal to u
 * may have their own equations of this kind, initial values, or fixed start values. */
static bool limits_differ(const Alias *a, VarId rx, VarId ry)
{
    const DaeVar *x = &a->d->vars.at[a->best[rx]], *y = &a->d->vars.at[a->best[ry]];
    if (x->kind != DAE_DISCRETE)
        return false;
    return ((a->given[rx] & GIVEN_LIMIT) && (a->given[ry] || y->fixed)) ||
           ((a->given[ry] & GIVEN_LIMIT) && (a->given[rx] || x->fixed));
}

/* The variable whose left limit an initial equation determines, or NONE. An equation between
 * several discrete variables, such as pre(a) = pre(b), determines none by itself. */
static VarId limit_given_by(const Dae *d, const DaeEq *eq)
{
    VarId given = NONE;
    for (uint32_t k = 0; k <= eq->term.n; k++) {
        VarId v = k < eq->term.n ? dae_op(d, eq->term, k) : eq->target;
        const DaeVar *x = v == NONE ? NULL : &d->vars.at[v];
        if (!x || (x->kind != DAE_PRE && x->kind != DAE_DISCRETE))
            continue;
        if (x->kind == DAE_DISCRETE || (given != NONE && given != x->base))
            return NONE;
        given = x->base;
    }
    return given;
}

static void find_given(Alias *a)
{
    const Dae *d = a->d;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *eq = &d->eqs.at[e];
        if (eq->origin != DAE_EQ_INITIAL)
            continue;
        VarId limit = limit_given_by(d, eq);
        if (limit < a->n)
            a->given[limit] |= GIVEN_LIMIT;
        if (eq->target != NONE && d->vars.at[eq->target].kind == DAE_DISCRETE)
            a->given[eq->target] |= GIVEN_VALUE;
    }
}

static bool unite(Alias *a, VarId x, VarId y, int sign)
{
    int sx, sy, bx, by;
    VarId rx = find(a, x, &sx), ry = find(a, y, &sy);
    (void)find(a, a->best[rx], &bx);
    (void)find(a, a->best[ry], &by);
    if (rx == ry || limits_differ(a, rx, ry) ||
        keep_apart(a->d, a->best[rx], a->best[ry], bx * sx * sign * sy * by))
        return false;
    a->given[rx] |= a->given[ry];
    if (better(a->d, a->best[ry], a->best[rx]))
        a->best[rx] = a->best[ry];
    a->parent[ry] = rx;
    a->sign[ry] = (int8_t)(sx * sign * sy);
    return true;
}

static void unite_all(Alias *a)
{
    Dae *d = a->d;
    for (EqId e = 0; e < d->eqs.n; e++) {
        VarId x, y;
        int sign = alias_equation(a, &d->eqs.at[e], &x, &y);
        a->gone[e] = sign != 0 && unite(a, x, y, sign);
        d->n_aliases += a->gone[e];
    }
}

/* ---- attributes ---- */

static int strength(uint8_t select)
{
    int k = (int)select - SELECT_DEFAULT;
    return k < 0 ? -2 * k - 1 : 2 * k;
}

static void merge_bounds(DaeVar *r, const DaeVar *v, int sign)
{
    r->min = fmax(r->min, sign > 0 ? v->min : -v->max);
    r->max = fmin(r->max, sign > 0 ? v->max : -v->min);
    if (r->nominal == 1.0)
        r->nominal = v->nominal;
    if (strength(v->state_select) > strength(r->state_select))
        r->state_select = v->state_select;
}

static void report_conflict(Alias *a, VarId r, VarId v, int sign)
{
    Dae *d = a->d;
    Arena *arena = arena_new();
    diag(d->ctx, d->flat->vars.at[d->vars.at[v].flat].span, DIAG_D014,
         "%s and %s are equal%s, but have fixed start values that differ",
         dae_var_name(d, r, arena), dae_var_name(d, v, arena), sign < 0 ? " up to sign" : "");
    diag_note(d->ctx, d->flat->vars.at[d->vars.at[r].flat].span, "%s is declared here",
              dae_var_name(d, r, arena));
    arena_free(arena);
    a->ok = false;
}

/* The start value of r follows that of v, unless it is set itself. */
static void take_start(Dae *d, VarId r, VarId v, int sign)
{
    VarId to = start_var(d, r), from = d->vars.at[v].start;
    ExprId hole = expr_leaf(d->g, OP_HOLE, hole_type(d, from), 0);
    Term t = dae_term(d, sign > 0 ? hole : expr_neg(d->g, hole), &from, 1);
    d->vars.at[r].has_start = true;
    if (d->vars.at[to].detail != NONE) {
        d->eqs.at[d->vars.at[to].detail].term = t;
        return;
    }
    Span span = d->flat->vars.at[d->vars.at[v].flat].span;
    vec_push(&d->eqs, ((DaeEq){.term = t,
                               .target = to,
                               .origin = DAE_EQ_PARAMETER,
                               .flat_origin = ORIGIN_BINDING,
                               .of = NONE,
                               .der = NONE,
                               .span = span}));
    d->vars.at[to].detail = d->eqs.n - 1;
}

static void merge_start(Alias *a, VarId r, VarId v, int sign)
{
    Dae *d = a->d;
    const DaeVar *x = &d->vars.at[r], *y = &d->vars.at[v];
    if (x->fixed && y->fixed) {
        if (starts_differ(d, r, v, sign))
            report_conflict(a, r, v, sign);
    } else if (y->has_start && !x->fixed && (y->fixed || !x->has_start)) {
        take_start(d, r, v, sign);
    }
    d->vars.at[r].fixed |= d->vars.at[v].fixed;
}

static void set_alias(Dae *d, VarId v, VarId r, int sign)
{
    d->vars.at[v].alias = r;
    d->vars.at[v].alias_sign = (int8_t)sign;
}

/* Derivatives and left limits of v follow. */
static void follow(Dae *d, VarId v, VarId r, int sign)
{
    VarId from = v, to = r;
    while (d->vars.at[from].der != NONE) {
        from = d->vars.at[from].der;
        to = dae_derivative_var(d, to);
        set_alias(d, from, to, sign);
    }
    if (d->vars.at[v].pre != NONE) {
        VarId p = pre_var(d, r);
        set_alias(d, d->vars.at[v].pre, p, sign);
    }
}

static void name_representatives(Alias *a)
{
    Dae *d = a->d;
    for (VarId v = 0; v < a->n; v++) {
        int sv, sr;
        VarId root = find(a, v, &sv), r = a->best[root];
        if (r == v || (root == v && a->best[v] == v))
            continue;
        find(a, r, &sr);
        merge_bounds(&d->vars.at[r], &d->vars.at[v], sv * sr);
        merge_start(a, r, v, sv * sr);
        follow(d, v, r, sv * sr);
        set_alias(d, v, r, sv * sr);
    }
}

/* ---- rewriting ---- */

static Term resolve(Alias *a, Term t)
{
    Dae *d = a->d;
    const VarId *ops = a->old.at + t.ops;
    bool any = false;
    for (uint32_t k = 0; k < t.n && !any; k++)
        any = d->vars.at[ops[k]].alias != NONE;
    if (any)
        return dae_term(d, t.shape, ops, t.n);
    Term out = {t.shape, d->ops.n, t.n};
    vec_reserve(&d->ops, (size_t)d->ops.n + t.n);
    for (uint32_t k = 0; k < t.n; k++)
        d->ops.at[d->ops.n++] = ops[k];
    return out;
}

static Term negated(Dae *d, Term t)
{
    t.shape = expr_neg(d->g, t.shape);
    return t;
}

/* Target (or state of a reinit) and its term. */
static void resolve_target(Alias *a, VarId *target, Term *t)
{
    *t = resolve(a, *t);
    if (*target == NONE || a->d->vars.at[*target].alias == NONE)
        return;
    if (a->d->vars.at[*target].alias_sign < 0)
        *t = negated(a->d, *t);
    *target = a->d->vars.at[*target].alias;
}

static void rewrite_equations(Alias *a, uint32_t n_before)
{
    Dae *d = a->d;
    uint32_t kept = 0;
    for (EqId e = 0; e < d->eqs.n; e++) {
        DaeEq eq = d->eqs.at[e];
        if (e < n_before && a->gone[e])
            continue;
        resolve_target(a, &eq.target, &eq.term);
        d->eqs.at[kept] = eq;
        a->moved[e] = kept++;
    }
    d->eqs.n = kept;
}

static void rewrite(Alias *a, uint32_t n_before)
{
    Dae *d = a->d;
    a->old.at = d->ops.at;
    a->old.n = d->ops.n;
    a->old.cap = d->ops.cap;
    d->ops.at = NULL;
    d->ops.n = d->ops.cap = 0;
    vec_reserve(&d->ops, a->old.n);
    a->moved = memory_alloc((d->eqs.n + 1) * sizeof *a->moved);
    rewrite_equations(a, n_before);
    for (uint32_t i = 0; i < d->relations.n; i++) {
        d->relations.at[i].z = resolve(a, d->relations.at[i].z);
        d->relations.at[i].eq = a->moved[d->relations.at[i].eq];
        if (d->relations.at[i].of_floor)
            d->relations.at[i].of_floor = a->moved[d->relations.at[i].of_floor - 1] + 1;
    }
    for (uint32_t i = 0; i < d->samples.n; i++) {
        d->samples.at[i].start = resolve(a, d->samples.at[i].start);
        d->samples.at[i].interval = resolve(a, d->samples.at[i].interval);
    }
    for (uint32_t i = 0; i < d->delays.n; i++) {
        d->delays.at[i].argument = resolve(a, d->delays.at[i].argument);
        d->delays.at[i].time = resolve(a, d->delays.at[i].time);
        d->delays.at[i].longest = resolve(a, d->delays.at[i].longest);
        d->delays.at[i].eq = a->moved[d->delays.at[i].eq];
    }
    for (uint32_t i = 0; i < d->transports.n; i++) {
        DaeTransport *x = &d->transports.at[i];
        for (uint32_t k = 0; k < x->n; k++) {
            x->points[k] = resolve(a, x->points[k]);
            x->values[k] = resolve(a, x->values[k]);
        }
        for (uint32_t k = 0; k < 2; k++) {
            x->entering[k] = resolve(a, x->entering[k]);
            x->eq[k] = a->moved[x->eq[k]];
        }
    }
    for (uint32_t i = 0; i < d->actions.n; i++) {
        DaeAction *x = &d->actions.at[i];
        x->guard = resolve(a, x->guard);
        x->shown = resolve(a, x->shown);
        resolve_target(a, &x->target, &x->value);
        x->message = resolve(a, x->message);
    }
    for (VarId v = 0; v < d->vars.n; v++)
        if (d->vars.at[v].kind == DAE_PARAMETER && d->vars.at[v].detail != NONE)
            d->vars.at[v].detail = a->moved[d->vars.at[v].detail];
    memory_free(a->moved);
    vec_free(&a->old);
}

bool find_aliases(Dae *d)
{
    Alias a = {.d = d, .n = d->vars.n, .ok = true};
    a.parent = memory_alloc(a.n * sizeof *a.parent);
    a.sign = memory_alloc(a.n * sizeof *a.sign);
    a.best = memory_alloc(a.n * sizeof *a.best);
    a.given = memory_alloc(a.n * sizeof *a.given);
    a.gone = memory_alloc((d->eqs.n + 1) * sizeof *a.gone);
    for (VarId v = 0; v < a.n; v++) {
        a.parent[v] = a.best[v] = v;
        a.sign[v] = 1;
    }
    uint32_t n_before = d->eqs.n;
    find_given(&a);
    unite_all(&a);
    name_representatives(&a);
    if (a.ok && d->n_aliases)
        rewrite(&a, n_before);
    memory_free(a.parent);
    memory_free(a.sign);
    memory_free(a.best);
    memory_free(a.given);
    memory_free(a.gone);
    map_free(&a.shapes);
    return a.ok;
}
