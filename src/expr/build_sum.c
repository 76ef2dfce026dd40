/* n-ary sums and products in normal form.
 *
 * A sum is a list of terms, each a literal coefficient times a core. Terms with the same core are
 * joined at the place of the first. Sums of two terms are ordered, which is exact in floating
 * point. Longer sums keep their order, because another order may worsen a cancellation. The
 * coefficient -1 is OP_NEG; any other one is first in the product. Products have their literal
 * first, then the factors by id. Sums of arrays are only flattened: nothing is dropped that carries
 * their dimensions. */
#include "expr/build.h"

#include <math.h>
#include <stdlib.h>

/* A literal number: exact for Integers. */
typedef struct Num {
    bool real;
    double r;
    int64_t i;
} Num;

static bool num_is(Num a, int64_t v)
{
    return a.real ? a.r == (double)v : a.i == v;
}
static bool num_negative(Num a)
{
    return a.real ? a.r < 0 : a.i < 0;
}

enum { SCAN_LIMIT = 16 }; /* terms searched one by one; beyond that through a map */

static Num num_make(bool real, int64_t v)
{
    return (Num){real, (double)v, v};
}

static Num num_of(const Graph *g, ExprId e)
{
    if (expr_op(g, e) == OP_REAL)
        return (Num){true, expr_real_value(g, e), 0};
    return (Num){false, 0, expr_int_value(g, e)};
}

static ExprId num_literal(Graph *g, Num v)
{
    return v.real ? expr_real(g, v.r) : expr_int(g, v.i);
}

/* False if the result would overflow. */
static bool num_add(Num a, Num b, Num *out)
{
    *out = (Num){a.real, a.r + b.r, 0};
    if (a.real)
        return isfinite(out->r);
    return !__builtin_add_overflow(a.i, b.i, &out->i);
}

/* False if the result would overflow, or vanish without a factor of zero. */
static bool num_mul(Num a, Num b, Num *out)
{
    *out = (Num){a.real, a.r * b.r, 0};
    if (a.real)
        return isfinite(out->r) && (fpclassify(out->r) == FP_NORMAL || a.r == 0 || b.r == 0);
    return !__builtin_mul_overflow(a.i, b.i, &out->i);
}

static bool num_neg(Num a, Num *out)
{
    *out = (Num){a.real, a.r == 0 ? 0 : -a.r, 0};
    return a.real || !__builtin_sub_overflow(INT64_C(0), a.i, &out->i);
}

typedef VEC(ExprId) Ids;

/* ---- types ---- */

ExprId build_coerce(Graph *g, ExprId e, TypeId element)
{
    TypeId type = expr_type(g, e);
    if (element != T_REAL || type_element(g->types, type) != T_INT)
        return e;
    if (expr_op(g, e) == OP_INT)
        return expr_real(g, (double)expr_int_value(g, e));
    if (type == T_INT)
        return expr1(g, OP_TO_REAL, T_REAL, e);
    const Type *t = type_get(g->types, type);
    return expr1(g, OP_TO_REAL, type_array(g->types, T_REAL, t->dims, t->n), e);
}

TypeId build_join(Graph *g, TypeId a, TypeId b)
{
    if (a == b)
        return a;
    TypeId ea = type_element(g->types, a), eb = type_element(g->types, b);
    TypeId element = ea == T_REAL || eb == T_REAL ? T_REAL : ea;
    TypeId shape = type_rank(g->types, a) ? a : b;
    if (type_rank(g->types, b) && type_count(g->types, shape) == DIM_UNKNOWN)
        shape = b;
    const Type *t = type_get(g->types, shape);
    return t->kind == TYPE_ARRAY ? type_array(g->types, element, t->dims, t->n) : element;
}

static TypeId join_all(Graph *g, const ExprId *args, uint32_t n)
{
    TypeId type = expr_type(g, args[0]);
    for (uint32_t i = 1; i < n; i++)
        type = build_join(g, type, expr_type(g, args[i]));
    return type;
}

/* The arguments, coerced, with those that are `op` of the same type replaced by theirs. */
static void flatten(Graph *g, ExprOp op, TypeId type, const ExprId *args, uint32_t n, Ids *out)
{
    TypeId element = type_element(g->types, type);
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = build_coerce(g, args[i], element);
        if (expr_op(g, a) != op || expr_type(g, a) != type) {
            vec_push(out, a);
            continue;
        }
        for (uint32_t k = 0; k < expr_n(g, a); k++)
            vec_push(out, expr_arg(g, a, k));
    }
}

/* ---- sums ---- */

typedef struct Term {
    Num coef;
    ExprId core; /* EXPR_NONE: the term is the coefficient */
} Term;

typedef struct Sum {
    Graph *g;
    bool real;
    VEC(Term) terms;
    Map index; /* core to term, used beyond SCAN_LIMIT */
} Sum;

static uint32_t find_term(Sum *s, ExprId core)
{
    if (s->terms.n > SCAN_LIMIT)
        return map_get(&s->index, core);
    for (uint32_t i = 0; i < s->terms.n; i++)
        if (s->terms.at[i].core == core)
            return i;
    return MAP_NONE;
}

static void push_term(Sum *s, Num coef, ExprId core)
{
    uint32_t k = find_term(s, core);
    Num joined;
    if (k != MAP_NONE && num_add(s->terms.at[k].coef, coef, &joined)) {
        s->terms.at[k].coef = joined;
        return;
    }
    vec_push(&s->terms, ((Term){coef, core}));
    if (s->terms.n == SCAN_LIMIT + 1) {
        for (uint32_t i = 0; i < s->terms.n; i++)
            map_put(&s->index, s->terms.at[i].core, i);
    } else if (s->terms.n > SCAN_LIMIT) {
        map_put(&s->index, core, s->terms.n - 1);
    }
}

static void add_term(Sum *s, ExprId e, Num coef)
{
    Graph *g = s->g;
    Num c;
    if (expr_op(g, e) == OP_NEG && num_neg(coef, &c)) {
        e = expr_arg(g, e, 0);
        coef = c;
    }
    if (is_number(g, e) && num_mul(num_of(g, e), coef, &c)) {
        push_term(s, c, EXPR_NONE);
    } else if (expr_op(g, e) == OP_ADD && expr_type(g, e) == (s->real ? T_REAL : T_INT) &&
               (num_is(coef, 1) || num_is(coef, -1))) {
        for (uint32_t i = 0; i < expr_n(g, e); i++)
            add_term(s, expr_arg(g, e, i), coef);
    } else if (expr_op(g, e) == OP_MUL && is_number(g, expr_arg(g, e, 0)) &&
               num_mul(num_of(g, expr_arg(g, e, 0)), coef, &c)) {
        uint32_t n = expr_n(g, e) - 1;
        const ExprId *rest = g->words.at + expr_node(g, e)->at + 1;
        push_term(s, c, n == 1 ? *rest : expr_make(g, OP_MUL, expr_type(g, e), 0, rest, n));
    } else {
        push_term(s, coef, e);
    }
}

static ExprId term_expr(Graph *g, const Term *t)
{
    if (!t->core)
        return num_literal(g, t->coef);
    if (num_is(t->coef, 1))
        return t->core;
    if (num_is(t->coef, -1))
        return expr_neg(g, t->core);
    return build_product(g, (ExprId[]){num_literal(g, t->coef), t->core}, 2);
}

/* For sums of two terms: positive before negative, literals last, then by id. */
static bool in_order(const Term *a, const Term *b)
{
    bool na = num_negative(a->coef), nb = num_negative(b->coef);
    if (na != nb)
        return nb;
    if (!a->core || !b->core)
        return a->core != 0;
    return a->core < b->core;
}

static ExprId finish_sum(Sum *s, TypeId type)
{
    Graph *g = s->g;
    uint32_t n = 0;
    bool nested = false;
    for (uint32_t i = 0; i < s->terms.n; i++)
        if (!num_is(s->terms.at[i].coef, 0))
            s->terms.at[n++] = s->terms.at[i];
    if (n == 0)
        return num_literal(g, num_make(s->real, 0));
    if (n == 2 && !in_order(&s->terms.at[0], &s->terms.at[1])) {
        Term t = s->terms.at[0];
        s->terms.at[0] = s->terms.at[1];
        s->terms.at[1] = t;
    }
    Ids out = {0};
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&out, term_expr(g, &s->terms.at[i]));
        nested |= expr_op(g, out.at[i]) == OP_ADD;
    }
    ExprId e = n == 1   ? out.at[0]
               : nested ? build_sum(g, out.at, n)
                        : expr_make(g, OP_ADD, type, 0, out.at, n);
    vec_free(&out);
    return e;
}

ExprId build_sum(Graph *g, const ExprId *args, uint32_t n)
{
    TypeId type = join_all(g, args, n);
    Ids flat = {0};
    flatten(g, OP_ADD, type, args, n, &flat);
    ExprId e;
    if (type == T_REAL || type == T_INT) {
        Sum s = {.g = g, .real = type == T_REAL};
        for (uint32_t i = 0; i < flat.n; i++)
            add_term(&s, flat.at[i], num_make(s.real, 1));
        e = finish_sum(&s, type);
        vec_free(&s.terms);
        map_free(&s.index);
    } else {
        e = flat.n == 1 ? flat.at[0] : expr_make(g, OP_ADD, type, 0, flat.at, flat.n);
    }
    vec_free(&flat);
    return e;
}

/* ---- products ---- */

typedef struct Product {
    Num coef;
    Ids over, under;
} Product;

static void add_factor(Graph *g, Product *p, ExprId f)
{
    Num c;
    if (expr_op(g, f) == OP_NEG && num_neg(p->coef, &c)) {
        p->coef = c;
        f = expr_arg(g, f, 0);
    }
    if (is_number(g, f) && num_mul(p->coef, num_of(g, f), &c)) {
        p->coef = c;
    } else if (expr_op(g, f) == OP_MUL) {
        for (uint32_t i = 0; i < expr_n(g, f); i++)
            add_factor(g, p, expr_arg(g, f, i));
    } else if (expr_op(g, f) == OP_DIV && is_number(g, expr_arg(g, f, 0)) &&
               num_mul(p->coef, num_of(g, expr_arg(g, f, 0)), &c)) {
        p->coef = c;
        vec_push(&p->under, expr_arg(g, f, 1));
    } else {
        vec_push(&p->over, f);
    }
}

static int by_id(const void *a, const void *b)
{
    ExprId x = *(const ExprId *)a, y = *(const ExprId *)b;
    return (x > y) - (x < y);
}

/* c * (a / d) with literals c and d, if c / d is exact: returns the quotient, and *factor becomes
 * a. */
static bool cancel_divisor(Graph *g, Num c, ExprId *factor, Num *out)
{
    if (!c.real || expr_op(g, *factor) != OP_DIV || expr_op(g, expr_arg(g, *factor, 1)) != OP_REAL)
        return false;
    double d = expr_real_value(g, expr_arg(g, *factor, 1));
    *out = (Num){true, c.r / d, 0};
    if (!isfinite(out->r) || out->r * d != c.r)
        return false;
    *factor = expr_arg(g, *factor, 0);
    return true;
}

/* The literal coefficient and the sorted factors as one node. */
static ExprId join_factors(Graph *g, TypeId type, Num coef, Ids *f)
{
    if (f->n == 0)
        return num_literal(g, coef);
    qsort(f->at, f->n, sizeof *f->at, by_id);
    Num c;
    if (f->n == 1 && !num_is(coef, 1) && cancel_divisor(g, coef, &f->at[0], &c))
        return build_product(g, (ExprId[]){num_literal(g, c), f->at[0]}, 2);
    ExprId core = f->n == 1 ? f->at[0] : expr_make(g, OP_MUL, type, 0, f->at, f->n);
    if (num_is(coef, 1))
        return core;
    if (num_is(coef, -1))
        return f->n == 1 ? expr_neg(g, core) : expr1(g, OP_NEG, type, core);
    vec_push(f, num_literal(g, coef));
    memmove(f->at + 1, f->at, (f->n - 1) * sizeof *f->at);
    f->at[0] = num_literal(g, coef);
    return expr_make(g, OP_MUL, type, 0, f->at, f->n);
}

static ExprId scalar_product(Graph *g, TypeId type, const Ids *factors)
{
    Product p = {.coef = num_make(type == T_REAL, 1)};
    for (uint32_t i = 0; i < factors->n; i++)
        add_factor(g, &p, factors->at[i]);
    ExprId e;
    if (num_is(p.coef, 0)) {
        e = num_literal(g, num_make(type == T_REAL, 0));
    } else {
        e = join_factors(g, type, p.coef, &p.over);
        if (p.under.n)
            e = expr_div(g, e, join_factors(g, type, num_make(true, 1), &p.under));
    }
    vec_free(&p.over);
    vec_free(&p.under);
    return e;
}

ExprId build_product(Graph *g, const ExprId *args, uint32_t n)
{
    TypeId type = join_all(g, args, n);
    Ids flat = {0};
    ExprId e;
    if (type == T_REAL || type == T_INT) {
        flatten(g, OP_MUL, type, args, n, &flat);
        e = scalar_product(g, type, &flat);
    } else {
        TypeId element = type_element(g->types, type);
        for (uint32_t i = 0; i < n; i++)
            if (!is_number(g, args[i]) || !num_is(num_of(g, args[i]), 1))
                vec_push(&flat, build_coerce(g, args[i], element));
        e = flat.n == 1 && expr_type(g, flat.at[0]) == type
                ? flat.at[0]
                : expr_make(g, OP_MUL, type, 0, flat.at, flat.n);
    }
    vec_free(&flat);
    return e;
}

/* ---- pairs ---- */

/* A scalar that is a term or factor of its own: nothing to flatten, no coefficient. */
static bool is_atom(const Graph *g, ExprId e)
{
    switch (expr_op(g, e)) {
    case OP_REAL:
    case OP_INT:
    case OP_NEG:
    case OP_ADD:
    case OP_MUL:
    case OP_DIV: return false;
    default: return true;
    }
}

/* Pairs with a known normal form: most of those that occur. */
static bool is_plain_pair(const Graph *g, ExprId a, ExprId b)
{
    TypeId type = expr_type(g, a);
    return a != b && type == expr_type(g, b) && (type == T_REAL || type == T_INT) &&
           is_atom(g, a) && is_atom(g, b);
}

ExprId expr_add(Graph *g, ExprId a, ExprId b)
{
    if (is_plain_pair(g, a, b))
        return expr2(g, OP_ADD, expr_type(g, a), a < b ? a : b, a < b ? b : a);
    return build_sum(g, (ExprId[]){a, b}, 2);
}

ExprId expr_sub(Graph *g, ExprId a, ExprId b)
{
    if (is_plain_pair(g, a, b))
        return expr2(g, OP_ADD, expr_type(g, a), a, expr1(g, OP_NEG, expr_type(g, b), b));
    return build_sum(g, (ExprId[]){a, expr_neg(g, b)}, 2);
}

ExprId expr_mul(Graph *g, ExprId a, ExprId b)
{
    if (is_plain_pair(g, a, b))
        return expr2(g, OP_MUL, expr_type(g, a), a < b ? a : b, a < b ? b : a);
    return build_product(g, (ExprId[]){a, b}, 2);
}

ExprId expr_neg(Graph *g, ExprId a)
{
    ExprOp op = expr_op(g, a);
    TypeId type = expr_type(g, a);
    Num c;
    if (op == OP_NEG)
        return expr_arg(g, a, 0);
    if (is_number(g, a))
        return num_neg(num_of(g, a), &c) ? num_literal(g, c) : expr1(g, OP_NEG, type, a);
    if (type != T_REAL && type != T_INT)
        return expr1(g, OP_NEG, type, a);
    if (op == OP_MUL && is_number(g, expr_arg(g, a, 0)) &&
        num_neg(num_of(g, expr_arg(g, a, 0)), &c)) {
        Ids f = {0};
        for (uint32_t i = 1; i < expr_n(g, a); i++)
            vec_push(&f, expr_arg(g, a, i));
        ExprId e = join_factors(g, type, c, &f);
        vec_free(&f);
        return e;
    }
    if (op == OP_DIV && is_number(g, expr_arg(g, a, 0)))
        return expr_div(g, expr_neg(g, expr_arg(g, a, 0)), expr_arg(g, a, 1));
    if (op != OP_ADD)
        return expr1(g, OP_NEG, type, a);
    Sum s = {.g = g, .real = type == T_REAL};
    for (uint32_t i = 0; i < expr_n(g, a); i++)
        add_term(&s, expr_arg(g, a, i), num_make(s.real, -1));
    ExprId e = finish_sum(&s, type);
    vec_free(&s.terms);
    map_free(&s.index);
    return e;
}
