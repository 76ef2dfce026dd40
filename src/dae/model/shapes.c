/* Shapes: from expressions to (shape, operands).
 *
 * An expression is read once, in order, into a list of words in which every variable is the number
 * of its first occurrence. Equal lists have equal shapes. Of 100,000 similar equations, one is
 * built and simplified, and the others are found by hashing their words. dae_term uses the same
 * table: there the words are a shape and the replacements of its holes. */
#include "dae/model/model.h"

#include <math.h>

enum {
    MAX_WORDS = 1024,
    MAX_DEPTH = 128,
    WORD_HOLE = 1,
    WORD_LITERAL = 2,
    WORD_NODE = 3,
    WORD_TERM = 4
};

typedef struct ShapeEntry {
    uint32_t words, n_words; /* in Shapes.words */
    ExprId shape;
    uint32_t kept, n_kept; /* in Shapes.kept: which of the operands read remain, in order */
    uint32_t next;         /* entry with the same hash, or NONE */
} ShapeEntry;

struct Shapes {
    Map table; /* hash → entry */
    VEC(ShapeEntry) entries;
    VEC(uint32_t) words, kept;
    VEC(uint32_t) read;         /* words of the expression at hand */
    VEC(VarId) ops;             /* its operands */
    VEC(uint32_t) stamp, place; /* per VarId: the reading that saw it, and its number there */
    uint32_t serial;
    VEC(ExprId) with; /* scratch of substitutions */
};

Shapes *shapes_new(void)
{
    return memory_alloc(sizeof(Shapes));
}

void shapes_free(Shapes *s)
{
    if (!s)
        return;
    map_free(&s->table);
    vec_free(&s->entries);
    vec_free(&s->words);
    vec_free(&s->kept);
    vec_free(&s->read);
    vec_free(&s->ops);
    vec_free(&s->stamp);
    vec_free(&s->place);
    vec_free(&s->with);
    memory_free(s);
}

TypeId hole_type(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    switch (x->type) {
    case DAE_REAL: return T_REAL;
    case DAE_INT: return T_INT;
    case DAE_BOOL: return T_BOOL;
    case DAE_STRING: return T_STRING;
    default: break;
    }
    while (x->flat == NONE && x->base != NONE)
        x = &d->vars.at[x->base];
    return x->flat == NONE ? T_INT : type_element(d->g->types, d->flat->vars.at[x->flat].type);
}

ExprId hole_of(Dae *d, VarId v)
{
    return expr_leaf(d->g, OP_HOLE, hole_type(d, v), v);
}

/* ---- reading ---- */

static void begin(Dae *d)
{
    Shapes *s = d->shapes;
    if (s->stamp.n < d->vars.n) {
        vec_reserve(&s->stamp, d->vars.n);
        vec_reserve(&s->place, d->vars.n);
        memset(s->stamp.at + s->stamp.n, 0, (d->vars.n - s->stamp.n) * sizeof *s->stamp.at);
        s->stamp.n = s->place.n = d->vars.n;
    }
    s->serial++;
    vec_clear(&s->read);
    vec_clear(&s->ops);
}

static uint32_t place_of(Shapes *s, VarId v)
{
    if (s->stamp.at[v] != s->serial) {
        s->stamp.at[v] = s->serial;
        s->place.at[v] = s->ops.n;
        vec_push(&s->ops, v);
    }
    return s->place.at[v];
}

/* The variable of an OP_VAR, or of an element of one with literal subscripts; NONE for other
 * expressions. */
static VarId variable_of(const Dae *d, ExprId e)
{
    const Graph *g = d->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_HOLE)
        return expr_index(g, e);
    if (op == OP_VAR) {
        uint32_t f = expr_index(g, e);
        bool plain = d->flat->vars.at[f].variability != VARIES_CONSTANT &&
                     type_rank(g->types, expr_type(g, e)) == 0;
        return plain ? d->flat_base[f] : NONE;
    }
    if (op != OP_INDEX || expr_op(g, expr_arg(g, e, 0)) != OP_VAR)
        return NONE;
    ExprId array = expr_arg(g, e, 0);
    uint32_t f = expr_index(g, array), n = expr_n(g, e);
    const Type *t = type_get(g->types, d->flat->vars.at[f].type);
    if (d->flat_base[f] == NONE || d->flat->vars.at[f].variability == VARIES_CONSTANT ||
        t->n != n - 1)
        return NONE;
    int64_t at = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        ExprId sub = expr_arg(g, e, k + 1);
        if (expr_op(g, sub) != OP_INT || expr_int_value(g, sub) < 1 ||
            expr_int_value(g, sub) > t->dims[k])
            return NONE;
        at = at * t->dims[k] + expr_int_value(g, sub) - 1;
    }
    return d->flat_base[f] + (uint32_t)at;
}

/* der(v) or pre(v), made if necessary; NONE if v has none. */
static VarId limit_of(Dae *d, ExprOp op, VarId v)
{
    DaeVarKind kind = (DaeVarKind)d->vars.at[v].kind;
    if (op == OP_DER)
        return kind == DAE_CONTINUOUS ? dae_derivative_var(d, v) : NONE;
    return kind == DAE_DISCRETE ? pre_var(d, v) : NONE; /* of a continuous one only in whens */
}

/* The variable of e as an operand; NONE if it is not an operand. Makes derivatives and left limits.
 */
static VarId operand_of(Dae *d, ExprId e)
{
    ExprOp op = expr_op(d->g, e);
    if (op == OP_HOLE)
        return expr_index(d->g, e);
    if (op == OP_TIME)
        return 0;
    if (op == OP_VAR || op == OP_INDEX)
        return variable_of(d, e);
    if (op != OP_DER && op != OP_PRE)
        return NONE;
    VarId v = variable_of(d, expr_arg(d->g, e, 0));
    return v == NONE ? NONE : limit_of(d, op, v);
}

static void read_operand(Dae *d, VarId v)
{
    Shapes *s = d->shapes;
    while (s->stamp.n < d->vars.n) { /* a derivative or left limit was made just now */
        vec_push(&s->stamp, 0);
        vec_push(&s->place, 0);
    }
    vec_push(&s->read, WORD_HOLE | place_of(s, v) << 3);
    vec_push(&s->read, hole_type(d, v));
}

static bool reads_plainly(ExprOp op)
{
    return op_is_scalar(op) && op != OP_TO_ENUM &&
           (op_behaviour(op) == VALUE_FOLLOWS || op_behaviour(op) == VALUE_STEPS);
}

/* Reads e; `fast`: only what means the same in any context, on scalars. */
static bool read_expr(Dae *d, ExprId e, bool fast, uint32_t depth)
{
    Shapes *s = d->shapes;
    const Graph *g = d->g;
    if (s->read.n > MAX_WORDS || depth > MAX_DEPTH)
        return false;
    ExprOp op = expr_op(g, e);
    uint32_t n = expr_n(g, e);
    if (n == 0 && op != OP_VAR && op != OP_TIME && op != OP_HOLE) {
        if (fast && !expr_is_literal(g, e))
            return false;
        vec_push(&s->read, WORD_LITERAL);
        vec_push(&s->read, e);
        return true;
    }
    VarId v = fast || op == OP_HOLE ? operand_of(d, e) : NONE;
    if (v != NONE) {
        read_operand(d, v);
        return true;
    }
    if (fast && (!reads_plainly(op) || type_get(g->types, expr_type(g, e))->kind > TYPE_BOOL))
        return false;
    vec_push(&s->read, WORD_NODE | (uint32_t)op << 3);
    vec_push(&s->read, expr_type(g, e));
    vec_push(&s->read, expr_index(g, e));
    vec_push(&s->read, n);
    for (uint32_t i = 0; i < n; i++)
        if (!read_expr(d, expr_arg(g, e, i), fast, depth + 1))
            return false;
    return true;
}

/* ---- reading one element of an array expression ---- */

/* Position (from 0) of element i of a subscript; -1 if it is not available. */
static int64_t subscript_at(const Graph *g, ExprId sub, uint32_t i)
{
    ExprOp op = expr_op(g, sub);
    if (op == OP_COLON)
        return i;
    if (op == OP_ARRAY && i < expr_n(g, sub) && expr_op(g, expr_arg(g, sub, i)) == OP_INT)
        return expr_int_value(g, expr_arg(g, sub, i)) - 1;
    if (op != OP_RANGE || expr_op(g, expr_arg(g, sub, 0)) != OP_INT ||
        expr_op(g, expr_arg(g, sub, 1)) != OP_INT)
        return -1;
    return expr_int_value(g, expr_arg(g, sub, 0)) +
           (int64_t)i * expr_int_value(g, expr_arg(g, sub, 1)) - 1;
}

/* The variable that element i of e is, for whole arrays and slices of vectors; NONE elsewhere. */
static VarId element_variable(const Dae *d, ExprId e, uint32_t i)
{
    const Graph *g = d->g;
    ExprOp op = expr_op(g, e);
    if (op == OP_ARRAY && type_rank(g->types, expr_type(g, e)) == 1)
        return i < expr_n(g, e) ? variable_of(d, expr_arg(g, e, i)) : NONE;
    ExprId var = op == OP_INDEX ? expr_arg(g, e, 0) : e;
    if (expr_op(g, var) != OP_VAR)
        return NONE;
    uint32_t f = expr_index(g, var);
    if (d->flat_base[f] == NONE || d->flat->vars.at[f].variability == VARIES_CONSTANT)
        return NONE;
    if (op == OP_VAR)
        return d->flat_base[f] + i;
    if (expr_n(g, e) != 2 || type_rank(g->types, expr_type(g, var)) != 1)
        return NONE;
    int64_t at = subscript_at(g, expr_arg(g, e, 1), i);
    return at >= 0 && at < type_dim(g->types, expr_type(g, var), 0) ? d->flat_base[f] + (uint32_t)at
                                                                    : NONE;
}

static VarId element_operand(Dae *d, ExprId e, uint32_t i)
{
    ExprOp op = expr_op(d->g, e);
    bool limit = op == OP_DER || op == OP_PRE;
    VarId v = element_variable(d, limit ? expr_arg(d->g, e, 0) : e, i);
    return v != NONE && limit ? limit_of(d, op, v) : v;
}

static bool is_array(const Graph *g, ExprId e)
{
    return type_rank(g->types, expr_type(g, e)) > 0;
}

/* Reads element i of e, which is built of variables, slices and operators that work element by
 * element. */
static bool read_element(Dae *d, ExprId e, uint32_t i, uint32_t depth)
{
    Shapes *s = d->shapes;
    const Graph *g = d->g;
    if (!is_array(g, e))
        return read_expr(d, e, true, depth);
    if (s->read.n > MAX_WORDS || depth > MAX_DEPTH)
        return false;
    VarId v = element_operand(d, e, i);
    if (v != NONE) {
        read_operand(d, v);
        return true;
    }
    ExprOp op = expr_op(g, e);
    uint32_t n = expr_n(g, e);
    if (op == OP_ARRAY && type_rank(g->types, expr_type(g, e)) == 1 && i < n)
        return read_expr(d, expr_arg(g, e, i), true, depth + 1);
    if (!reads_plainly(op))
        return false;
    vec_push(&s->read, WORD_NODE | (uint32_t)op << 3);
    vec_push(&s->read, type_element(g->types, expr_type(g, e)));
    vec_push(&s->read, expr_index(g, e));
    vec_push(&s->read, n);
    for (uint32_t k = 0; k < n; k++)
        if (!read_element(d, expr_arg(g, e, k), i, depth + 1))
            return false;
    return true;
}

/* The same as an expression. Requires that read_element was able to read it. */
static ExprId element_expr(Dae *d, ExprId e, uint32_t i)
{
    Graph *g = d->g;
    if (!is_array(g, e))
        return e;
    VarId v = element_operand(d, e, i);
    if (v != NONE)
        return hole_of(d, v);
    if (expr_op(g, e) == OP_ARRAY)
        return expr_arg(g, e, i);
    uint32_t n = expr_n(g, e);
    ExprId *args = memory_alloc((n + 1) * sizeof *args);
    for (uint32_t k = 0; k < n; k++)
        args[k] = element_expr(d, expr_arg(g, e, k), i);
    ExprId out = expr_make(g, expr_op(g, e), type_element(g->types, expr_type(g, e)),
                           expr_index(g, e), args, n);
    memory_free(args);
    return out;
}

/* ---- the table ---- */

static uint64_t hash_read(const Shapes *s)
{
    uint64_t h = s->read.n;
    uint32_t i = 0;
    for (; i + 1 < s->read.n; i += 2)
        h = hash_mix(h, (uint64_t)s->read.at[i] << 32 | s->read.at[i + 1]);
    if (i < s->read.n)
        h = hash_mix(h, s->read.at[i]);
    return h >> 1;
}

static uint32_t find_entry(const Shapes *s, uint64_t hash)
{
    uint32_t k = map_get(&s->table, hash);
    for (; k != MAP_NONE; k = s->entries.at[k].next) {
        const ShapeEntry *x = &s->entries.at[k];
        if (x->n_words == s->read.n &&
            !memcmp(s->words.at + x->words, s->read.at, s->read.n * sizeof *s->read.at))
            return k;
    }
    return NONE;
}

/* Numbers the holes of `shape` again, after simplification has removed some of the `n`. */
static ExprId drop_lost(Dae *d, ExprId shape, uint32_t n, ShapeEntry *entry)
{
    Shapes *s = d->shapes;
    uint32_t count, first = s->kept.n;
    const uint32_t *holes = symbolic_holes(d->symbolic, shape, &count);
    for (uint32_t i = 0; i < count; i++)
        vec_push(&s->kept, holes[i]);
    entry->kept = first;
    entry->n_kept = count;
    if (count == n)
        return shape;
    vec_clear(&s->with);
    for (uint32_t k = 0; k < n; k++)
        vec_push(&s->with, EXPR_NONE);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t old = s->kept.at[first + i];
        s->with.at[old] = expr_leaf(d->g, OP_HOLE, hole_type(d, s->ops.at[old]), i);
    }
    return symbolic_substitute(d->symbolic, shape, s->with.at, n);
}

static uint32_t add_entry(Dae *d, uint64_t hash, ExprId shape)
{
    Shapes *s = d->shapes;
    uint32_t first = map_get(&s->table, hash);
    ShapeEntry x = {.words = s->words.n, .n_words = s->read.n, .next = first};
    for (uint32_t i = 0; i < s->read.n; i++)
        vec_push(&s->words, s->read.at[i]);
    x.shape = drop_lost(d, shape, s->ops.n, &x);
    vec_push(&s->entries, x);
    map_put(&s->table, hash, s->entries.n - 1);
    return s->entries.n - 1;
}

static Term entry_term(Dae *d, const ShapeEntry *x)
{
    const Shapes *s = d->shapes;
    Term t = {.shape = x->shape, .ops = d->ops.n, .n = x->n_kept};
    vec_reserve(&d->ops, (size_t)d->ops.n + x->n_kept);
    for (uint32_t i = 0; i < x->n_kept; i++)
        d->ops.at[d->ops.n++] = s->ops.at[s->kept.at[x->kept + i]];
    return t;
}

/* ---- terms of expressions ---- */

static ExprId to_hole(void *user, Graph *g, ExprId e)
{
    Dae *d = user;
    ExprOp op = expr_op(g, e);
    if (op != OP_HOLE && op != OP_VAR && op != OP_INDEX && op != OP_DER && op != OP_PRE &&
        op != OP_TIME)
        return EXPR_NONE;
    VarId v = operand_of(d, e);
    if (v == NONE)
        return EXPR_NONE;
    return expr_leaf(g, OP_HOLE, hole_type(d, v), place_of(d->shapes, v));
}

/* Only global holes: an OP_INDEX may be that of a call. */
static ExprId number_hole(void *user, Graph *g, ExprId e)
{
    Dae *d = user;
    if (expr_op(g, e) != OP_HOLE)
        return EXPR_NONE;
    VarId v = expr_index(g, e);
    return expr_leaf(g, OP_HOLE, hole_type(d, v), place_of(d->shapes, v));
}

static ExprId build(Dae *d, ExprId lhs, ExprId rhs, ExprMapFn leaf)
{
    ExprId l = expr_map(d->g, lhs, leaf, d);
    return rhs ? expr_sub(d->g, l, expr_map(d->g, rhs, leaf, d)) : l;
}

bool shape_fast(Dae *d, ExprId lhs, ExprId rhs, Term *out)
{
    Shapes *s = d->shapes;
    begin(d);
    if (!read_expr(d, lhs, true, 0) || (rhs && !read_expr(d, rhs, true, 0)))
        return false;
    uint64_t hash = hash_read(s);
    uint32_t k = find_entry(s, hash);
    if (k == NONE)
        k = add_entry(d, hash, build(d, lhs, rhs, to_hole));
    *out = entry_term(d, &s->entries.at[k]);
    return true;
}

bool shape_fast_element(Dae *d, ExprId lhs, ExprId rhs, uint32_t i, Term *out)
{
    Shapes *s = d->shapes;
    begin(d);
    if (!read_element(d, lhs, i, 0) || !read_element(d, rhs, i, 0))
        return false;
    uint64_t hash = hash_read(s);
    uint32_t k = find_entry(s, hash);
    if (k == NONE)
        k = add_entry(d, hash, build(d, element_expr(d, lhs, i), element_expr(d, rhs, i), to_hole));
    *out = entry_term(d, &s->entries.at[k]);
    return true;
}

Term shape_term(Dae *d, ExprId e)
{
    Shapes *s = d->shapes;
    begin(d);
    if (read_expr(d, e, false, 0)) {
        uint64_t hash = hash_read(s);
        uint32_t k = find_entry(s, hash);
        if (k == NONE)
            k = add_entry(d, hash, build(d, e, EXPR_NONE, number_hole));
        return entry_term(d, &s->entries.at[k]);
    }
    begin(d);
    ShapeEntry x = {0};
    uint32_t kept = s->kept.n;
    ExprId shape = build(d, e, EXPR_NONE, number_hole);
    x.shape = drop_lost(d, shape, s->ops.n, &x);
    Term t = entry_term(d, &x);
    s->kept.n = kept;
    return t;
}

/* ---- terms of shapes ---- */

enum { WORD_PUT = UINT32_MAX }; /* before an expression that takes the place of a hole */

/* Builds the expression that the words make of the shape: hole k is ± operand, or an expression. */
static ExprId rename_holes(Dae *d, ExprId shape, uint32_t n)
{
    Shapes *s = d->shapes;
    vec_clear(&s->with);
    for (uint32_t k = 0, at = 2; k < n; k++, at++) {
        uint32_t word = s->read.at[at], place = word >> 1;
        if (word == WORD_PUT) {
            vec_push(&s->with, s->read.at[++at]);
            continue;
        }
        ExprId hole = expr_leaf(d->g, OP_HOLE, hole_type(d, s->ops.at[place]), place);
        vec_push(&s->with, word & 1 ? expr_neg(d->g, hole) : hole);
    }
    return n ? symbolic_substitute(d->symbolic, shape, s->with.at, n) : shape;
}

static Term put_term(Dae *d, ExprId shape, const VarId *ops, const ExprId *with, uint32_t n)
{
    Shapes *s = d->shapes;
    begin(d);
    vec_push(&s->read, WORD_TERM);
    vec_push(&s->read, shape);
    for (uint32_t k = 0; k < n; k++) {
        if (with && with[k] != EXPR_NONE) {
            vec_push(&s->read, WORD_PUT);
            vec_push(&s->read, with[k]);
            continue;
        }
        const DaeVar *x = &d->vars.at[ops[k]];
        bool negative = x->alias != NONE && x->alias_sign < 0;
        uint32_t place = place_of(s, x->alias != NONE ? x->alias : ops[k]);
        vec_push(&s->read, place << 1 | negative);
    }
    uint64_t hash = hash_read(s);
    uint32_t k = find_entry(s, hash);
    if (k == NONE)
        k = add_entry(d, hash, rename_holes(d, shape, n));
    return entry_term(d, &s->entries.at[k]);
}

Term dae_term(Dae *d, ExprId shape, const VarId *ops, uint32_t n)
{
    return put_term(d, shape, ops, NULL, n);
}

Term dae_put(Dae *d, Term t, const ExprId *with)
{
    return put_term(d, t.shape, d->ops.at + t.ops, with, t.n);
}

/* ---- equations between two variables ---- */

static bool coefficients(const Graph *g, ExprId e, double factor, double *coef, unsigned depth)
{
    if (depth > 4)
        return false;
    switch (expr_op(g, e)) {
    case OP_HOLE:
        if (expr_index(g, e) > 1)
            return false;
        coef[expr_index(g, e)] += factor;
        return true;
    case OP_REAL:
    case OP_INT: coef[2] += factor * expr_real_value(g, e); return true;
    case OP_NEG: return coefficients(g, expr_arg(g, e, 0), -factor, coef, depth + 1);
    case OP_ADD:
        for (uint32_t i = 0; i < expr_n(g, e); i++)
            if (!coefficients(g, expr_arg(g, e, i), factor, coef, depth + 1))
                return false;
        return true;
    case OP_MUL: {
        ExprOp first = expr_op(g, expr_arg(g, e, 0));
        return expr_n(g, e) == 2 && (first == OP_REAL || first == OP_INT) &&
               coefficients(g, expr_arg(g, e, 1), factor * expr_real_value(g, expr_arg(g, e, 0)),
                            coef, depth + 1);
    }
    case OP_DIV: {
        ExprId under = expr_arg(g, e, 1);
        return expr_op(g, under) == OP_REAL && expr_real_value(g, under) != 0 &&
               coefficients(g, expr_arg(g, e, 0), factor / expr_real_value(g, under), coef,
                            depth + 1);
    }
    default: return false;
    }
}

bool shape_coefficients(const Graph *g, ExprId e, double coef[3])
{
    coef[0] = coef[1] = coef[2] = 0;
    return coefficients(g, e, 1.0, coef, 0);
}

VarId dae_equal(const Dae *d, VarId v, bool *negative)
{
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *eq = &d->eqs.at[e];
        if (eq->origin != DAE_EQ_MODEL || eq->target != NONE || eq->term.n != 2)
            continue;
        VarId a = dae_op(d, eq->term, 0), b = dae_op(d, eq->term, 1);
        double c[3];
        if ((a != v && b != v) || !shape_coefficients(d->g, eq->term.shape, c))
            continue;
        *negative = c[0] == c[1];
        if (c[2] == 0 && c[0] != 0 && fabs(c[0]) == fabs(c[1]))
            return a == v ? b : a;
    }
    return NONE;
}
