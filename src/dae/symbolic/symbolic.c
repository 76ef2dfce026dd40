/* Symbolic work on shapes: holes, substitution, linearity. See derive.c, solve.c, bounds.c for the
 * rest. */
#include "dae/symbolic/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Symbolic *symbolic_new(Graph *g)
{
    Symbolic *s = memory_alloc(sizeof *s);
    s->g = g;
    s->arena = arena_new();
    return s;
}

void symbolic_free(Symbolic *s)
{
    if (!s)
        return;
    map_free(&s->derivatives);
    map_free(&s->reasons);
    vec_free(&s->texts);
    map_free(&s->sets);
    vec_free(&s->hole_sets);
    vec_free(&s->pool);
    map_free(&s->linearities);
    map_free(&s->solutions);
    vec_free(&s->solved);
    map_free(&s->tangent_of);
    map_free(&s->seeds);
    vec_free(&s->tangents);
    map_free(&s->inlined);
    map_free(&s->expanded);
    map_free(&s->expanded_calls);
    arena_free(s->arena);
    memory_free(s);
}

const char *symbolic_why(const Symbolic *s)
{
    return s->why ? s->why : "";
}

ExprId symbolic_fail(Symbolic *s, const char *format, ...)
{
    va_list args;
    char text[512];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->why = arena_copy(s->arena, text, strlen(text));
    return EXPR_NONE;
}

/* ---- holes ---- */

static void collect_hole(void *user, ExprId e)
{
    Symbolic *s = user;
    if (expr_op(s->g, e) == OP_HOLE)
        vec_push(&s->pool, expr_index(s->g, e));
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

const uint32_t *symbolic_holes(Symbolic *s, ExprId e, uint32_t *n)
{
    uint32_t known = map_get(&s->sets, e);
    if (known == MAP_NONE) {
        HoleSet set = {.at = s->pool.n};
        expr_walk(s->g, e, collect_hole, s);
        uint32_t count = s->pool.n - set.at, *h = count ? s->pool.at + set.at : NULL;
        if (count)
            qsort(h, count, sizeof *h, ascending);
        for (uint32_t i = 0; i < count; i++) /* holes of one index may differ in type */
            if (i == 0 || h[i] != h[set.n - 1])
                h[set.n++] = h[i];
        s->pool.n = set.at + set.n;
        known = s->hole_sets.n;
        vec_push(&s->hole_sets, set);
        map_put(&s->sets, e, known);
    }
    HoleSet set = s->hole_sets.at[known];
    *n = set.n;
    return s->pool.at ? s->pool.at + set.at : NULL;
}

bool symbolic_depends(Symbolic *s, ExprId e, uint32_t hole)
{
    uint32_t n;
    const uint32_t *h = symbolic_holes(s, e, &n);
    return n && bsearch(&hole, h, n, sizeof *h, ascending);
}

/* ---- substitution ---- */

typedef struct Substitution {
    const ExprId *with;
    uint32_t n;
} Substitution;

static ExprId substitute_hole(void *user, Graph *g, ExprId e)
{
    const Substitution *x = user;
    if (expr_op(g, e) != OP_HOLE || expr_index(g, e) >= x->n)
        return EXPR_NONE;
    return x->with[expr_index(g, e)];
}

ExprId symbolic_substitute(Symbolic *s, ExprId e, const ExprId *with, uint32_t n)
{
    return expr_map(s->g, e, substitute_hole, &(Substitution){with, n});
}

/* ---- linearity ---- */

typedef struct Affine {
    ExprId a, b; /* a is EXPR_NONE if the node is free of the hole */
} Affine;

typedef struct AffineWork {
    Symbolic *s;
    Graph *g;
    uint32_t hole;
    Map index; /* node to found */
    VEC(Affine) found;
    bool failed;
} AffineWork;

static Affine affine_of(const AffineWork *w, ExprId e)
{
    return w->found.at[map_get(&w->index, e)];
}

static ExprId slope(const AffineWork *w, ExprId e)
{
    ExprId a = affine_of(w, e).a;
    return a ? a : expr_real(w->g, 0.0);
}

static Affine affine_sum(AffineWork *w, ExprId e)
{
    uint32_t n = expr_n(w->g, e);
    VEC(ExprId) a = {0}, b = {0};
    for (uint32_t i = 0; i < n; i++) {
        Affine x = affine_of(w, expr_arg(w->g, e, i));
        if (x.a)
            vec_push(&a, x.a);
        vec_push(&b, x.b);
    }
    Affine out = {expr_apply(w->g, OP_ADD, T_REAL, 0, a.at, a.n),
                  expr_apply(w->g, OP_ADD, T_REAL, 0, b.at, b.n)};
    vec_free(&a);
    vec_free(&b);
    return out;
}

static Affine affine_product(AffineWork *w, ExprId e)
{
    ExprId rest = expr_real(w->g, 1.0);
    Affine one = {0};
    for (uint32_t i = 0; i < expr_n(w->g, e); i++) {
        Affine x = affine_of(w, expr_arg(w->g, e, i));
        if (x.a && one.a)
            w->failed = true;
        if (x.a)
            one = x;
        else
            rest = expr_mul(w->g, rest, x.b);
    }
    return (Affine){expr_mul(w->g, rest, one.a), expr_mul(w->g, rest, one.b)};
}

static Affine affine_wrapped(AffineWork *w, ExprId e, ExprOp op)
{
    Graph *g = w->g;
    uint32_t k = op == OP_SMOOTH;
    Affine x = affine_of(w, expr_arg(g, e, k));
    ExprId first = expr_arg(g, e, 0);
    if (op == OP_NOEVENT)
        return (Affine){expr_apply(g, op, T_REAL, 0, &x.a, 1),
                        expr_apply(g, op, T_REAL, 0, &x.b, 1)};
    return (Affine){expr_apply(g, op, T_REAL, 0, (ExprId[]){first, x.a}, 2),
                    expr_apply(g, op, T_REAL, 0, (ExprId[]){first, x.b}, 2)};
}

/* The same node on both parts of the arguments from `first` to `last`, in which it is linear; the
 * others must not contain the hole. */
static Affine affine_alike(AffineWork *w, ExprId e, uint32_t first, uint32_t last)
{
    Graph *g = w->g;
    VEC(ExprId) a = {0}, b = {0};
    ExprOp op = expr_op(g, e);
    uint32_t payload = op == OP_FIELD || op == OP_OUT || op == OP_CALL ? expr_index(g, e) : 0;
    for (uint32_t i = 0; i < expr_n(g, e); i++) {
        ExprId x = expr_arg(g, e, i);
        Affine parts = x ? affine_of(w, x) : (Affine){EXPR_NONE, x};
        bool linear = i >= first && i < last;
        w->failed |= parts.a && !linear;
        vec_push(&a, parts.a ? parts.a : linear && x ? symbolic_zero_like(g, x) : x);
        vec_push(&b, parts.b);
    }
    Affine out = {expr_apply(g, op, expr_type(g, e), payload, a.at, a.n),
                  expr_apply(g, op, expr_type(g, e), payload, b.at, b.n)};
    vec_free(&a);
    vec_free(&b);
    return out;
}

static Affine affine_call(AffineWork *w, ExprId e)
{
    uint32_t first = map_get(&w->s->seeds, expr_index(w->g, e));
    w->failed |= first == MAP_NONE;
    return w->failed ? (Affine){0} : affine_alike(w, e, first, UINT32_MAX);
}

/* A node with at least one argument that contains the hole. */
static Affine affine_node(AffineWork *w, ExprId e)
{
    Graph *g = w->g;
    ExprOp op = expr_op(g, e);
    ExprId x = expr_arg(g, e, 0), y = expr_n(g, e) > 1 ? expr_arg(g, e, 1) : EXPR_NONE;
    Affine a;
    switch (op) {
    case OP_ADD: return affine_sum(w, e);
    case OP_MUL: return affine_product(w, e);
    case OP_NEG: a = affine_of(w, x); return (Affine){expr_neg(g, a.a), expr_neg(g, a.b)};
    case OP_DIV:
        a = affine_of(w, x);
        if (affine_of(w, y).a)
            break;
        return (Affine){expr_div(g, a.a, y), expr_div(g, a.b, y)};
    case OP_IF:
        if (affine_of(w, x).a)
            break;
        return (Affine){expr_if(g, x, slope(w, y), slope(w, expr_arg(g, e, 2))),
                        expr_if(g, x, affine_of(w, y).b, affine_of(w, expr_arg(g, e, 2)).b)};
    case OP_ARRAY:
    case OP_RECORD: return affine_alike(w, e, 0, UINT32_MAX);
    case OP_FIELD:
    case OP_OUT:
    case OP_INDEX: return affine_alike(w, e, 0, 1);
    case OP_CALL: return affine_call(w, e);
    case OP_NOEVENT:
    case OP_SMOOTH: return affine_wrapped(w, e, op);
    case OP_HOMOTOPY:
        return (Affine){
            expr_apply(g, op, T_REAL, 0, (ExprId[]){slope(w, x), slope(w, y)}, 2),
            expr_apply(g, op, T_REAL, 0, (ExprId[]){affine_of(w, x).b, affine_of(w, y).b}, 2)};
    default: break;
    }
    w->failed = true;
    return (Affine){0};
}

static void affine_visit(void *user, ExprId e)
{
    AffineWork *w = user;
    Graph *g = w->g;
    Affine out = {EXPR_NONE, e};
    if (w->failed)
        return;
    if (expr_op(g, e) == OP_HOLE && expr_index(g, e) == w->hole) {
        out = (Affine){expr_real(g, 1.0), expr_real(g, 0.0)};
        w->failed = expr_type(g, e) != T_REAL && expr_type(g, e) != T_INT;
        if (expr_type(g, e) == T_INT)
            out = (Affine){expr_int(g, 1), expr_int(g, 0)};
    }
    for (uint32_t i = 0; i < expr_n(g, e) && !w->failed; i++)
        if (expr_arg(g, e, i) && affine_of(w, expr_arg(g, e, i)).a) {
            out = affine_node(w, e);
            break;
        }
    map_put(&w->index, e, w->found.n);
    vec_push(&w->found, out);
}

bool symbolic_affine(Symbolic *s, ExprId e, uint32_t hole, ExprId *a, ExprId *b)
{
    AffineWork w = {.s = s, .g = s->g, .hole = hole};
    expr_walk(s->g, e, affine_visit, &w);
    if (!w.failed) {
        Affine x = affine_of(&w, e);
        *a = x.a ? x.a : expr_real(s->g, 0.0);
        *b = x.b;
    }
    map_free(&w.index);
    vec_free(&w.found);
    return !w.failed;
}

static Linearity linearity(Symbolic *s, ExprId e, uint32_t hole)
{
    ExprId a, b;
    if (!symbolic_depends(s, e, hole))
        return LINEAR_FREE;
    if (!symbolic_affine(s, e, hole, &a, &b))
        return LINEAR_NOT;
    if (expr_op(s->g, a) != OP_REAL && expr_op(s->g, a) != OP_INT)
        return LINEAR_VARYING;
    double v = expr_real_value(s->g, a);
    return v == 0 ? LINEAR_FREE : v == 1 || v == -1 ? LINEAR_UNIT : LINEAR_CONSTANT;
}

Linearity symbolic_linearity(Symbolic *s, ExprId e, uint32_t hole)
{
    uint64_t key = map_pair(e, hole);
    uint32_t known = map_get(&s->linearities, key);
    if (known == MAP_NONE) {
        known = linearity(s, e, hole);
        map_put(&s->linearities, key, known);
    }
    return (Linearity)known;
}
