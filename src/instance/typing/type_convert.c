/* Types of expressions: which fit together, and conversion from one to another
 * (Modelica 3.6, sections 6.6 to 6.8 and 10.6.13). */
#include "instance/typing/internal.h"

void ids_init(IdList *l)
{
    l->at = l->room;
    l->n = 0;
    l->cap = sizeof l->room / sizeof *l->room;
}

void ids_push(IdList *l, ExprId e)
{
    if (l->n == l->cap) {
        ExprId *old = l->at == l->room ? NULL : l->at;
        ExprId *at =
            memory_grow(old, old ? l->cap * sizeof *at : 0, 2 * (size_t)l->cap * sizeof *at);
        if (!old)
            memcpy(at, l->room, sizeof l->room);
        l->at = at;
        l->cap *= 2;
    }
    l->at[l->n++] = e;
}

void ids_free(IdList *l)
{
    if (l->at != l->room)
        memory_free(l->at);
    ids_init(l);
}

const char *typing_text(const TypeScope *s, TypeId t)
{
    return t == T_NONE ? "no value" : type_print(s->g->types, t, s->ctx->arena);
}

/* ---- parts of values ---- */

ExprId typing_first_result(TypeScope *s, ExprId e, Span span)
{
    TypeId type = expr_type(s->g, e);
    if (type == T_NONE)
        return TELL(s, span, I114, "a call without result cannot be used as a value");
    if (typing_kind(s, type) != TYPE_TUPLE)
        return e;
    if (expr_op(s->g, e) == OP_TUPLE)
        return TELL(s, span, I117, "a list of variables in parentheses can only be a left side");
    return expr_apply(s->g, OP_OUT, type_get(s->g->types, type)->fields[0].type, 0, &e, 1);
}

static ExprId unknown_field(TypeScope *s, const Type *record, Name field, Span span)
{
    Name nearest = NULL;
    unsigned best = name_suggestion_limit(field);
    for (uint32_t i = 0; i < record->n; i++) {
        unsigned d = name_distance(field, record->fields[i].name, best);
        if (d < best) {
            best = d;
            nearest = record->fields[i].name;
        }
    }
    TELL(s, span, I121, "record %s has no field %s", record->name, field);
    if (nearest)
        diag_note(s->ctx, (Span){0}, "did you mean %s?", nearest);
    return EXPR_NONE;
}

ExprId type_field(TypeScope *s, ExprId e, Name field, Span span)
{
    Graph *g = s->g;
    TypeId type = expr_type(g, e);
    const Type *record = type_get(g->types, type_element(g->types, type));
    if (record->kind != TYPE_RECORD)
        return TELL(s, span, I121, "%s has no field %s: it is not a record", typing_text(s, type),
                    field);
    uint32_t k = 0;
    while (k < record->n && record->fields[k].name != field)
        k++;
    if (k == record->n)
        return unknown_field(s, record, field, span);
    const Type *t = type_get(g->types, type);
    TypeId want = record->fields[k].type;
    if (t->kind == TYPE_ARRAY)
        want = type_array(g->types, want, t->dims, t->n);
    if (expr_op(g, e) != OP_ARRAY)
        return expr_apply(g, OP_FIELD, want, k, &e, 1);
    IdList items;
    ids_init(&items);
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        ids_push(&items, type_field(s, expr_arg(g, e, i), field, span));
    ExprId x = expr_apply(g, OP_ARRAY, want, 0, items.at, items.n);
    ids_free(&items);
    return x;
}

TypeId typing_with_element(TypeScope *s, TypeId shape, TypeId element)
{
    if (typing_is_scalar(s, shape))
        return element;
    const Type *t = type_get(s->g->types, shape);
    if (t->element == element)
        return shape;
    return type_array(s->g->types, element, t->dims, t->n);
}

Fit typing_same_dims(const TypeScope *s, TypeId a, TypeId b, uint32_t *dim)
{
    if (a == b)
        return FIT_OK;
    const Types *t = s->g->types;
    uint32_t n = type_rank(t, a);
    if (n != type_rank(t, b))
        return FIT_RANK;
    for (uint32_t k = 0; k < n; k++) {
        int64_t da = type_dim(t, a, k), db = type_dim(t, b, k);
        if (da != db && da != DIM_UNKNOWN && db != DIM_UNKNOWN) {
            *dim = k;
            return FIT_SIZE;
        }
    }
    return FIT_OK;
}

/* The same literals in the same order (section 6.7). */
static bool same_literals(const Type *a, const Type *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->fields[i].name != b->fields[i].name)
            return false;
    return true;
}

static uint32_t field_index(const Type *record, Name name)
{
    uint32_t i = 0;
    while (i < record->n && record->fields[i].name != name)
        i++;
    return i;
}

/* The record a, with its open sizes taken from b, if a value of b fits a; otherwise T_NONE. */
static TypeId common_record(TypeScope *s, TypeId a, TypeId b)
{
    Types *types = s->g->types;
    uint32_t n = type_get(types, a)->n;
    if (n != type_get(types, b)->n)
        return T_NONE;
    VEC(TypeField) fields = {0};
    TypeId answer = a;
    for (uint32_t i = 0; i < n && answer != T_NONE; i++) {
        const Type *ta = type_get(types, a), *tb = type_get(types, b);
        TypeField f = ta->fields[i];
        uint32_t j = field_index(tb, f.name), dim;
        TypeId common;
        if (j == n || typing_common(s, f.type, tb->fields[j].type, &common, &dim) != FIT_OK)
            answer = T_NONE;
        else if (type_element(types, common) == type_element(types, f.type) ||
                 type_get(types, type_element(types, f.type))->kind == TYPE_RECORD)
            f.type = common;
        vec_push(&fields, f);
    }
    if (answer != T_NONE)
        answer = type_record(types, type_get(types, a)->name, fields.at, n);
    vec_free(&fields);
    return answer;
}

/* T_NONE if two types that are not arrays have nothing in common. */
static TypeId common_element(TypeScope *s, TypeId a, TypeId b)
{
    if (a == b)
        return a;
    TypeKind ka = typing_kind(s, a), kb = typing_kind(s, b);
    if ((ka == TYPE_REAL && kb == TYPE_INT) || (ka == TYPE_INT && kb == TYPE_REAL))
        return T_REAL;
    if (ka != kb)
        return T_NONE;
    const Type *ta = type_get(s->g->types, a), *tb = type_get(s->g->types, b);
    if (ka == TYPE_ENUM && same_literals(ta, tb))
        return a;
    if (ka == TYPE_RECORD)
        return common_record(s, a, b);
    return T_NONE;
}

/* a with its unknown sizes taken from b; of equal rank. */
static TypeId merge_dims(TypeScope *s, TypeId a, TypeId b, TypeId element)
{
    Types *types = s->g->types;
    const Type *ta = type_get(types, a), *tb = type_get(types, b);
    enum { FEW = 8 };
    int64_t few[FEW];
    int64_t *dims = ta->n <= FEW ? few : ARENA_ARRAY(s->ctx->arena, int64_t, ta->n);
    for (uint32_t k = 0; k < ta->n; k++)
        dims[k] = ta->dims[k] == DIM_UNKNOWN ? tb->dims[k] : ta->dims[k];
    return type_array(types, element, dims, ta->n);
}

Fit typing_common(TypeScope *s, TypeId a, TypeId b, TypeId *common, uint32_t *dim)
{
    *common = a;
    if (a == b)
        return FIT_OK;
    const Types *types = s->g->types;
    TypeId element = common_element(s, type_element(types, a), type_element(types, b));
    if (element == T_NONE)
        return FIT_KIND;
    Fit fit = typing_same_dims(s, a, b, dim);
    if (fit == FIT_OK)
        *common = typing_is_scalar(s, a) ? element : merge_dims(s, a, b, element);
    return fit;
}

bool typing_differ_in_size(TypeScope *s, TypeId a, TypeId b)
{
    TypeId common;
    uint32_t dim;
    Fit fit = typing_common(s, a, b, &common, &dim);
    const Type *x = type_get(s->g->types, a), *y = type_get(s->g->types, b);
    if (fit != FIT_KIND || x->kind != TYPE_RECORD || y->kind != TYPE_RECORD || x->n != y->n)
        return fit == FIT_SIZE;
    for (uint32_t i = 0; i < x->n; i++) {
        TypeId ta = x->fields[i].type, tb = y->fields[i].type;
        if (x->fields[i].name != y->fields[i].name ||
            (typing_common(s, ta, tb, &common, &dim) != FIT_OK &&
             !typing_differ_in_size(s, ta, tb)))
            return false;
    }
    return true;
}

/* Where two records of one class differ: in the sizes of a field. */
static const char *differing_field(TypeScope *s, TypeId a, TypeId b)
{
    const Types *types = s->g->types;
    const Type *x = type_get(types, type_element(types, a)),
               *y = type_get(types, type_element(types, b));
    for (uint32_t i = 0; x->kind == TYPE_RECORD && y->kind == TYPE_RECORD && i < x->n && i < y->n;
         i++) {
        TypeId common, ta = x->fields[i].type, tb = y->fields[i].type;
        uint32_t dim;
        if (typing_common(s, ta, tb, &common, &dim) == FIT_OK)
            continue;
        const char *inside = differing_field(s, ta, tb);
        return *inside ? inside
                       : arena_printf(s->ctx->arena, ": field %s is %s and %s", x->fields[i].name,
                                      typing_text(s, ta), typing_text(s, tb));
    }
    return "";
}

const char *typing_reason(TypeScope *s, Fit fit, TypeId a, TypeId b, uint32_t dim)
{
    const Types *t = s->g->types;
    if (fit == FIT_SIZE)
        return arena_printf(s->ctx->arena, ": sizes differ in dimension %u (%lld and %lld)",
                            dim + 1, (long long)type_dim(t, a, dim),
                            (long long)type_dim(t, b, dim));
    if (fit == FIT_RANK)
        return arena_printf(s->ctx->arena, ": numbers of dimensions differ (%u and %u)",
                            type_rank(t, a), type_rank(t, b));
    return fit == FIT_KIND ? differing_field(s, a, b) : "";
}

/* ---- conversion ---- */

typedef ExprId (*ItemFn)(TypeScope *s, ExprId e, TypeId want);

/* An OP_ARRAY with every item converted by fn to its share of `want`; EXPR_NONE if one is not.
 */
static ExprId convert_items(TypeScope *s, ExprId e, TypeId want, ItemFn fn)
{
    IdList items;
    ids_init(&items);
    TypeId item = type_drop(s->g->types, want, 1);
    uint32_t n = expr_n(s->g, e);
    ExprId answer = EXPR_NONE;
    for (uint32_t i = 0; i < n; i++) {
        ExprId x = fn(s, expr_arg(s->g, e, i), item);
        if (!x)
            goto out;
        ids_push(&items, x);
    }
    answer = expr_apply(s->g, OP_ARRAY, want, 0, items.at, items.n);
out:
    ids_free(&items);
    return answer;
}

static ExprId item_to_real(TypeScope *s, ExprId e, TypeId want)
{
    (void)want;
    return typing_to_real(s, e);
}

ExprId typing_to_real(TypeScope *s, ExprId e)
{
    Graph *g = s->g;
    TypeId type = expr_type(g, e);
    if (type == T_REAL || type_element(g->types, type) == T_REAL)
        return e;
    ExprOp op = expr_op(g, e);
    if (op == OP_INT)
        return expr_real(g, (double)expr_int_value(g, e));
    TypeId real = typing_with_element(s, type, T_REAL);
    if (op == OP_ARRAY)
        return convert_items(s, e, real, item_to_real);
    if (op == OP_FILL) {
        IdList args;
        ids_init(&args);
        ids_push(&args, typing_to_real(s, expr_arg(g, e, 0)));
        for (uint32_t i = 1, n = expr_n(g, e); i < n; i++)
            ids_push(&args, expr_arg(g, e, i));
        ExprId x = expr_apply(g, OP_FILL, real, 0, args.at, args.n);
        ids_free(&args);
        return x;
    }
    return expr_apply(g, OP_TO_REAL, real, 0, &e, 1);
}

static ExprId convert_enum(TypeScope *s, ExprId e, TypeId want)
{
    Graph *g = s->g;
    if (expr_op(g, e) == OP_ENUM)
        return expr_enum(g, want, expr_int_value(g, e));
    ExprId i = expr_apply(g, OP_TO_INT, typing_with_element(s, expr_type(g, e), T_INT), 0, &e, 1);
    return expr_apply(g, OP_TO_ENUM, want, 0, &i, 1);
}

/* A record of another class with the same fields, field by field. */
static ExprId convert_record(TypeScope *s, ExprId e, TypeId want)
{
    Graph *g = s->g;
    const Type *to = type_get(g->types, want);
    IdList fields;
    ids_init(&fields);
    ExprId answer = EXPR_NONE;
    for (uint32_t i = 0; i < to->n; i++) {
        ExprId f = type_field(s, e, to->fields[i].name, (Span){0});
        f = f ? typing_try_convert(s, f, to->fields[i].type) : EXPR_NONE;
        if (!f)
            goto out;
        ids_push(&fields, f);
    }
    answer = expr_apply(g, OP_RECORD, want, 0, fields.at, fields.n);
out:
    ids_free(&fields);
    return answer;
}

ExprId typing_try_convert(TypeScope *s, ExprId e, TypeId want)
{
    Graph *g = s->g;
    TypeId have = expr_type(g, e);
    if (have == want)
        return e;
    uint32_t dim;
    TypeId common;
    if (want == T_NONE || typing_common(s, want, have, &common, &dim) != FIT_OK)
        return EXPR_NONE;
    TypeId to = type_element(g->types, want), from = type_element(g->types, have);
    if (typing_kind(s, to) == TYPE_RECORD)
        to = type_element(g->types, common);
    if (to == from)
        return e;
    if (to == T_REAL)
        return typing_to_real(s, e);
    if (to == T_INT)
        return EXPR_NONE;
    TypeId shape = typing_with_element(s, have, to);
    if (expr_op(g, e) == OP_ARRAY)
        return convert_items(s, e, shape, typing_try_convert);
    if (typing_kind(s, to) == TYPE_ENUM)
        return convert_enum(s, e, shape);
    return typing_is_scalar(s, have) ? convert_record(s, e, to) : EXPR_NONE;
}

ExprId type_convert(TypeScope *s, ExprId e, TypeId want, Span span, const char *what)
{
    if (!e || !(e = typing_first_result(s, e, span)))
        return EXPR_NONE;
    ExprId x = typing_try_convert(s, e, want);
    if (x)
        return x;
    TypeId have = expr_type(s->g, e), common;
    uint32_t dim = 0;
    Fit fit = typing_common(s, want, have, &common, &dim);
    const char *subject = what ? what : "value";
    const char *found = typing_text(s, have), *wanted = typing_text(s, want);
    if (fit == FIT_SIZE || fit == FIT_RANK)
        return TELL(s, span, I102, "%s must be %s, found %s%s", subject, wanted, found,
                    typing_reason(s, fit, want, have, dim));
    TELL(s, span, I103, "%s must be %s, found %s%s", subject, wanted, found,
         typing_reason(s, fit, want, have, dim));
    if (type_element(s->g->types, want) == T_INT && type_element(s->g->types, have) == T_REAL)
        diag_note(s->ctx, (Span){0}, "integer(x) gives the largest Integer not above x");
    return EXPR_NONE;
}

/* ---- equations ---- */

/* (a, , b) = f(…): as many results as requested, each of the type of its variable. */
static bool tuple_equation(TypeScope *s, ExprId lhs, ExprId rhs, Span span)
{
    Graph *g = s->g;
    if (typing_kind(s, expr_type(g, rhs)) != TYPE_TUPLE)
        return TELL(s, span, I122, "the right side has one result, the left side takes %u",
                    expr_n(g, lhs));
    const Type *results = type_get(g->types, expr_type(g, rhs));
    uint32_t n = expr_n(g, lhs);
    if (n > results->n)
        return TELL(s, span, I122, "the call has %u results, the left side takes %u", results->n,
                    n);
    for (uint32_t i = 0; i < n; i++) {
        ExprId item = expr_arg(g, lhs, i);
        if (!item)
            continue;
        TypeId want = expr_type(g, item), have = results->fields[i].type, common;
        uint32_t dim = 0;
        Fit fit = typing_common(s, want, have, &common, &dim);
        if (fit != FIT_OK)
            return TELL(s, span, I103, "result %u of the call is %s, %s is needed%s", i + 1,
                        typing_text(s, have), typing_text(s, want),
                        typing_reason(s, fit, have, want, dim));
        TypeId to = type_element(g->types, want), from = type_element(g->types, have);
        bool resized = typing_kind(s, to) == TYPE_RECORD && typing_kind(s, from) == TYPE_RECORD;
        if (to != from && !resized)
            return TELL(s, span, I113,
                        "conversion of result %u of the call from %s to %s is not yet supported",
                        i + 1, typing_text(s, have), typing_text(s, want));
    }
    return true;
}

bool type_equation(TypeScope *s, ExprId *lhs, ExprId *rhs, Span span)
{
    if (!*lhs || !*rhs)
        return false;
    if (expr_op(s->g, *lhs) == OP_TUPLE)
        return tuple_equation(s, *lhs, *rhs, span);
    *lhs = typing_first_result(s, *lhs, span);
    *rhs = typing_first_result(s, *rhs, span);
    if (!*lhs || !*rhs)
        return false;
    TypeId a = expr_type(s->g, *lhs), b = expr_type(s->g, *rhs), common;
    if (a == b)
        return true;
    uint32_t dim = 0;
    Fit fit = typing_common(s, a, b, &common, &dim);
    ExprId x = fit == FIT_OK ? typing_try_convert(s, *lhs, common) : EXPR_NONE;
    ExprId y = fit == FIT_OK ? typing_try_convert(s, *rhs, common) : EXPR_NONE;
    if (x && y) {
        *lhs = x;
        *rhs = y;
        return true;
    }
    DiagCode code = fit == FIT_SIZE || fit == FIT_RANK ? DIAG_I102 : DIAG_I103;
    diag(s->ctx, span, code, "the left side is %s, the right side is %s%s", typing_text(s, a),
         typing_text(s, b), typing_reason(s, fit, a, b, dim));
    return false;
}
