/* Types of expressions: an interning table over an arena. Pointers from type_get stay valid. */
#include "expr/types.h"

#include <stdio.h>

struct Types {
    Arena *arena;
    VEC(Type *) all;
    uint32_t *table; /* size cap, a power of two; 0: free (T_NONE is never looked up) */
    uint32_t cap;
};

static uint64_t type_hash(const Type *t)
{
    uint64_t h = hash_mix((uint64_t)t->kind, t->n);
    h = hash_mix(h, t->element);
    h = hash_mix(h, map_key(t->name));
    for (uint32_t i = 0; i < t->n; i++) {
        if (t->dims)
            h = hash_mix(h, (uint64_t)t->dims[i]);
        if (t->fields)
            h = hash_mix(hash_mix(h, map_key(t->fields[i].name)), t->fields[i].type);
    }
    return h ^ h >> 32;
}

static bool same_type(const Type *a, const Type *b)
{
    if (a->kind != b->kind || a->n != b->n || a->element != b->element || a->name != b->name)
        return false;
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->dims && a->dims[i] != b->dims[i])
            return false;
        if (a->fields &&
            (a->fields[i].name != b->fields[i].name || a->fields[i].type != b->fields[i].type))
            return false;
    }
    return true;
}

static void enter(Types *t, TypeId id)
{
    uint32_t mask = t->cap - 1, k = (uint32_t)type_hash(t->all.at[id]) & mask;
    while (t->table[k])
        k = (k + 1) & mask;
    t->table[k] = id;
}

static void grow_table(Types *t)
{
    memory_free(t->table);
    t->cap *= 2;
    t->table = memory_alloc(t->cap * sizeof *t->table);
    for (TypeId id = 1; id < t->all.n; id++)
        enter(t, id);
}

/* The id of a type like `probe`; the arrays of a new type are copied. */
static TypeId intern(Types *t, const Type *probe)
{
    uint32_t mask = t->cap - 1, k = (uint32_t)type_hash(probe) & mask;
    for (; t->table[k]; k = (k + 1) & mask)
        if (same_type(t->all.at[t->table[k]], probe))
            return t->table[k];
    Type *copy = ARENA_NEW(t->arena, Type);
    *copy = *probe;
    if (probe->dims) {
        copy->dims = ARENA_ARRAY(t->arena, int64_t, probe->n);
        memcpy(copy->dims, probe->dims, probe->n * sizeof *probe->dims);
    }
    if (probe->fields) {
        copy->fields = ARENA_ARRAY(t->arena, TypeField, probe->n);
        memcpy(copy->fields, probe->fields, probe->n * sizeof *probe->fields);
    }
    vec_push(&t->all, copy);
    TypeId id = t->all.n - 1;
    t->table[k] = id;
    if (t->all.n * 2 > t->cap)
        grow_table(t);
    return id;
}

Types *types_new(void)
{
    Types *t = memory_alloc(sizeof *t);
    t->arena = arena_new();
    t->cap = 64;
    t->table = memory_alloc(t->cap * sizeof *t->table);
    vec_push(&t->all, ARENA_NEW(t->arena, Type));
    for (TypeId id = T_REAL; id < T_FIRST_OTHER; id++)
        intern(t, &(Type){.kind = (TypeKind)id});
    return t;
}

void types_free(Types *t)
{
    if (!t)
        return;
    vec_free(&t->all);
    memory_free(t->table);
    arena_free(t->arena);
    memory_free(t);
}

const Type *type_get(const Types *t, TypeId id)
{
    return t->all.at[id];
}

TypeId type_array(Types *t, TypeId element, const int64_t *dims, uint32_t n)
{
    if (n == 0)
        return element;
    const Type *e = t->all.at[element];
    if (e->kind != TYPE_ARRAY)
        return intern(
            t, &(Type){.kind = TYPE_ARRAY, .element = element, .n = n, .dims = (int64_t *)dims});
    VEC(int64_t) all = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&all, dims[i]);
    for (uint32_t i = 0; i < e->n; i++)
        vec_push(&all, e->dims[i]);
    TypeId id =
        intern(t, &(Type){.kind = TYPE_ARRAY, .element = e->element, .n = all.n, .dims = all.at});
    vec_free(&all);
    return id;
}

TypeId type_record(Types *t, Name name, const TypeField *fields, uint32_t n)
{
    return intern(
        t, &(Type){.kind = TYPE_RECORD, .n = n, .fields = (TypeField *)fields, .name = name});
}

/* Enumerations and tuples are records with half of each field unused. */
static TypeId intern_fields(Types *t, TypeKind kind, Name name, const Name *names,
                            const TypeId *items, uint32_t n)
{
    TypeField *fields = memory_alloc((n + 1) * sizeof *fields);
    for (uint32_t i = 0; i < n; i++)
        fields[i] = (TypeField){names ? names[i] : NULL, items ? items[i] : T_NONE};
    TypeId id = intern(t, &(Type){.kind = kind, .n = n, .fields = fields, .name = name});
    memory_free(fields);
    return id;
}

TypeId type_enum(Types *t, Name name, const Name *literals, uint32_t n)
{
    return intern_fields(t, TYPE_ENUM, name, literals, NULL, n);
}

TypeId type_tuple(Types *t, const TypeId *items, uint32_t n)
{
    return intern_fields(t, TYPE_TUPLE, NULL, NULL, items, n);
}

TypeId type_external(Types *t, Name name)
{
    return intern(t, &(Type){.kind = TYPE_EXTERNAL, .name = name});
}

TypeId type_element(const Types *t, TypeId id)
{
    const Type *x = t->all.at[id];
    return x->kind == TYPE_ARRAY ? x->element : id;
}

uint32_t type_rank(const Types *t, TypeId id)
{
    const Type *x = t->all.at[id];
    return x->kind == TYPE_ARRAY ? x->n : 0;
}

int64_t type_dim(const Types *t, TypeId id, uint32_t k)
{
    return t->all.at[id]->dims[k];
}

int64_t type_count(const Types *t, TypeId id)
{
    const Type *x = t->all.at[id];
    int64_t count = 1;
    for (uint32_t i = 0; x->kind == TYPE_ARRAY && i < x->n; i++) {
        if (x->dims[i] == DIM_UNKNOWN)
            return DIM_UNKNOWN;
        if (__builtin_mul_overflow(count, x->dims[i], &count))
            return INT64_MAX;
    }
    return count;
}

bool type_is_open(const Types *t, TypeId id)
{
    const Type *x = type_get(t, id);
    if (x->kind == TYPE_ARRAY)
        return type_count(t, id) == DIM_UNKNOWN || type_is_open(t, x->element);
    for (uint32_t i = 0; (x->kind == TYPE_RECORD || x->kind == TYPE_TUPLE) && i < x->n; i++)
        if (type_is_open(t, x->fields[i].type))
            return true;
    return false;
}

TypeId type_drop(Types *t, TypeId id, uint32_t k)
{
    const Type *x = t->all.at[id];
    if (x->kind != TYPE_ARRAY || k == 0)
        return id;
    return k >= x->n ? x->element : type_array(t, x->element, x->dims + k, x->n - k);
}

bool type_is_numeric(const Types *t, TypeId id)
{
    TypeId e = type_element(t, id);
    return e == T_REAL || e == T_INT;
}

static const char *kind_name(const Type *x)
{
    static const char *const names[] = {
        [TYPE_NONE] = "no value",    [TYPE_REAL] = "Real",     [TYPE_INT] = "Integer",
        [TYPE_BOOL] = "Boolean",     [TYPE_STRING] = "String", [TYPE_CLOCK] = "Clock",
        [TYPE_ENUM] = "enumeration", [TYPE_RECORD] = "record", [TYPE_EXTERNAL] = "ExternalObject",
        [TYPE_FUNCTION] = "function"};
    return x->name ? x->name : names[x->kind];
}

char *type_print(const Types *t, TypeId id, Arena *arena)
{
    const Type *x = t->all.at[id];
    char *s;
    if (x->kind == TYPE_ARRAY) {
        s = arena_printf(arena, "%s[", kind_name(t->all.at[x->element]));
        for (uint32_t i = 0; i < x->n; i++) {
            const char *comma = i ? ", " : "";
            if (x->dims[i] == DIM_UNKNOWN)
                s = arena_printf(arena, "%s%s:", s, comma);
            else
                s = arena_printf(arena, "%s%s%lld", s, comma, (long long)x->dims[i]);
        }
        return arena_printf(arena, "%s]", s);
    }
    if (x->kind != TYPE_TUPLE)
        return arena_printf(arena, "%s", kind_name(x));
    s = arena_printf(arena, "(");
    for (uint32_t i = 0; i < x->n; i++)
        s = arena_printf(arena, "%s%s%s", s, i ? ", " : "",
                         type_print(t, x->fields[i].type, arena));
    return arena_printf(arena, "%s)", s);
}
