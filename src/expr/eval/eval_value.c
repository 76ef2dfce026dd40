/* Values: storage of arrays, copies, literals. */
#include "expr/eval/internal.h"

#include <math.h>

enum { LARGEST_ARRAY = 100000000 };

ElemKind value_kind(const Types *t, TypeId type)
{
    switch (type_get(t, type_element(t, type))->kind) {
    case TYPE_REAL:
    case TYPE_INT:
    case TYPE_BOOL:
    case TYPE_ENUM: return ELEM_NUM;
    case TYPE_STRING: return ELEM_STR;
    default: return ELEM_ITEM;
    }
}

const void *value_elems(const Types *t, const Value *v)
{
    if (type_rank(t, v->type))
        return v->nums;
    return value_kind(t, v->type) == ELEM_ITEM ? (const void *)v : (const void *)&v->num;
}

void value_take(const Types *t, Value *out, TypeId element, const void *elem)
{
    switch (value_kind(t, element)) {
    case ELEM_NUM: *out = (Value){.type = element, .num = *(const double *)elem}; break;
    case ELEM_STR: *out = (Value){.type = element, .str = *(const Name *)elem}; break;
    case ELEM_ITEM: *out = *(const Value *)elem; break;
    }
}

void *value_new_array(Run *r, Value *out, TypeId element, const int64_t *dims, uint32_t n)
{
    TypeId type = type_array(r->types, element, dims, n);
    int64_t count = type_count(r->types, type);
    if (count < 0 || count > LARGEST_ARRAY) {
        run_fail(r, "an array of type %s is too large", type_print(r->types, type, run_arena(r)));
        return NULL;
    }
    if (run_step(r, (uint64_t)count) != EVAL_OK)
        return NULL;
    *out = (Value){.type = type};
    ElemKind kind = value_kind(r->types, element);
    if (n == 0)
        return kind == ELEM_ITEM ? (void *)out : (void *)&out->num;
    out->nums = arena_alloc(run_arena(r), ((size_t)count + 1) * value_elem_size(kind));
    return out->nums;
}

Value value_copy(Run *r, Arena *arena, const Value *v)
{
    Value c = *v;
    const Type *t = type_get(r->types, v->type);
    if (t->kind == TYPE_ARRAY) {
        size_t count = (size_t)type_count(r->types, v->type);
        ElemKind kind = value_kind(r->types, v->type);
        size_t size = value_elem_size(kind);
        c.nums = arena_alloc(arena, (count + 1) * size);
        if (kind != ELEM_ITEM)
            memcpy(c.nums, v->nums, count * size);
        for (size_t i = 0; kind == ELEM_ITEM && i < count; i++)
            c.items[i] = value_copy(r, arena, &v->items[i]);
    } else if (t->kind == TYPE_RECORD || t->kind == TYPE_TUPLE) {
        c.items = ARENA_ARRAY(arena, Value, t->n + 1);
        for (uint32_t i = 0; i < t->n; i++)
            c.items[i] = value_copy(r, arena, &v->items[i]);
    }
    return c;
}

/* An unknown dimension makes an empty array: it gets its size with its value. */
static Value blank_array(Run *r, Arena *arena, const Type *t)
{
    VEC(int64_t) dims = {0};
    for (uint32_t i = 0; i < t->n; i++)
        vec_push(&dims, t->dims[i] == DIM_UNKNOWN ? 0 : t->dims[i]);
    Value v = {.type = type_array(r->types, t->element, dims.at, dims.n)};
    vec_free(&dims);
    size_t count = (size_t)type_count(r->types, v.type);
    ElemKind kind = value_kind(r->types, t->element);
    v.nums = arena_alloc(arena, (count + 1) * value_elem_size(kind));
    for (size_t i = 0; i < count; i++) {
        Value e = value_blank(r, arena, t->element);
        if (kind == ELEM_ITEM)
            v.items[i] = e;
        else if (kind == ELEM_STR)
            v.strs[i] = e.str;
        else
            v.nums[i] = e.num;
    }
    return v;
}

Value value_blank(Run *r, Arena *arena, TypeId type)
{
    const Type *t = type_get(r->types, type);
    Value v = {.type = type};
    switch (t->kind) {
    case TYPE_ARRAY: return blank_array(r, arena, t);
    case TYPE_STRING: v.str = name_of(r->g->ctx->names, ""); break;
    case TYPE_RECORD:
    case TYPE_TUPLE:
        v.items = ARENA_ARRAY(arena, Value, t->n + 1);
        for (uint32_t i = 0; i < t->n; i++)
            v.items[i] = value_blank(r, arena, t->fields[i].type);
        break;
    default: v.num = NAN; break;
    }
    return v;
}

static void settle_record(Types *types, Value *v)
{
    uint32_t n = type_get(types, v->type)->n;
    TypeField *fields = memory_alloc((n + 1) * sizeof *fields);
    for (uint32_t i = 0; i < n; i++) {
        value_settle(types, &v->items[i]);
        fields[i] = (TypeField){type_get(types, v->type)->fields[i].name, v->items[i].type};
    }
    v->type = type_record(types, type_get(types, v->type)->name, fields, n);
    memory_free(fields);
}

void value_settle(Types *types, Value *v)
{
    if (!type_is_open(types, v->type))
        return;
    const Type *t = type_get(types, v->type);
    int64_t n = t->kind == TYPE_ARRAY ? type_count(types, v->type) : t->n;
    if (t->kind == TYPE_RECORD) {
        settle_record(types, v);
    } else if (t->kind == TYPE_TUPLE) {
        TypeId *items = memory_alloc(((size_t)n + 1) * sizeof *items);
        for (int64_t i = 0; i < n; i++) {
            value_settle(types, &v->items[i]);
            items[i] = v->items[i].type;
        }
        v->type = type_tuple(types, items, (uint32_t)n);
        memory_free(items);
    } else if (t->kind == TYPE_ARRAY && n > 0 && type_get(types, t->element)->kind == TYPE_RECORD) {
        for (int64_t i = 0; i < n; i++)
            value_settle(types, &v->items[i]);
        v->type = type_array(types, v->items[0].type, type_get(types, v->type)->dims,
                             type_rank(types, v->type));
    }
}

/* ---- literals ---- */

static ExprId literal_items(Graph *g, ExprOp op, TypeId type, const Value *items, size_t n);

static ExprId literal_array(Graph *g, const Value *v)
{
    const Types *t = g->types;
    TypeId inner = type_drop(g->types, v->type, 1);
    size_t n = (size_t)type_dim(t, v->type, 0), step = (size_t)type_count(t, inner);
    size_t size = value_elem_size(value_kind(t, v->type));
    Value *items = memory_alloc((n + 1) * sizeof *items);
    for (size_t i = 0; i < n; i++) {
        const char *at = (const char *)v->nums + i * step * size;
        if (type_rank(t, inner))
            items[i] = (Value){.type = inner, .nums = (double *)(uintptr_t)at};
        else
            value_take(t, &items[i], inner, at);
    }
    ExprId e = literal_items(g, OP_ARRAY, v->type, items, n);
    memory_free(items);
    return e;
}

static ExprId literal_items(Graph *g, ExprOp op, TypeId type, const Value *items, size_t n)
{
    VEC(ExprId) args = {0};
    for (size_t i = 0; i < n; i++)
        vec_push(&args, eval_literal(g, &items[i]));
    ExprId e = expr_make(g, op, type, 0, args.at, args.n);
    vec_free(&args);
    return e;
}

ExprId eval_literal(Graph *g, const Value *v)
{
    const Type *t = type_get(g->types, v->type);
    switch (t->kind) {
    case TYPE_REAL: return expr_real(g, v->num);
    case TYPE_INT: return expr_int(g, (int64_t)v->num);
    case TYPE_BOOL: return expr_bool(g, v->num != 0);
    case TYPE_ENUM: return expr_enum(g, v->type, (int64_t)v->num);
    case TYPE_STRING: return expr_string(g, v->str, strlen(v->str));
    case TYPE_ARRAY: return literal_array(g, v);
    case TYPE_RECORD: return literal_items(g, OP_RECORD, v->type, v->items, t->n);
    case TYPE_TUPLE: return literal_items(g, OP_TUPLE, v->type, v->items, t->n);
    case TYPE_FUNCTION: return expr_leaf(g, OP_FUNCTION, v->type, v->function);
    default: return EXPR_NONE;
    }
}
