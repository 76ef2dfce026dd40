/* Arrays of components whose elements differ in structure: `Filter f[3](n={1, 2, 3})` with a size
 * n.
 *
 * An array of components is one Instance while its elements are alike. If a structural value
 * differs between elements, the declarations of the arrays around it are noted, and the model is
 * instantiated again (instance_again). Such an array has an Instance for each element: a scalar
 * component beside the array itself. The values of modifiers from outside the array are still typed
 * as a whole; inst_chosen takes the part of the element. */
#include "instance/tree/tree.h"

/* ---- finding out ---- */

static bool is_between(const Instance *a, uint32_t from, uint32_t to)
{
    return a->rank && a->outer_rank < to && a->outer_rank + a->rank > from;
}

bool inst_differs(Library *lib, const Instance *inst, uint32_t from, uint32_t to)
{
    bool found = false;
    for (const Instance *a = inst->parent; a; a = a->parent)
        if (is_between(a, from, to) && !a->is_added &&
            map_get(&lib->unlike, map_key(a->decl)) == MAP_NONE) {
            map_put(&lib->unlike, map_key(a->decl), 1);
            found = true;
        }
    if (found && !lib->again) {
        lib->again = true;
        lib->ctx->quiet = true;
    }
    return found || lib->again;
}

/* ---- elements ---- */

/* Whether a setting for one element is for this one. */
static bool is_picked(Library *lib, const Instance *element, const char *only)
{
    const char *path = inst_path(lib, element);
    size_t n = strlen(path);
    for (size_t k = strlen(only); k-- > 0;)
        if (only[k] != ' ' && (n == 0 || path[--n] != only[k]))
            return false;
    return true;
}

static bool has_picks(const Instance *inst)
{
    for (const Modifier *m = inst->mods; m; m = m->next)
        if (m->only)
            return true;
    return false;
}

/* The modifiers of an instance for another one in its place. */
static Modifier *modifiers_for(Library *lib, const Instance *from, Instance *to)
{
    Modifier *chain = NULL, **end = &chain;
    for (const Modifier *m = from->mods; m; m = m->next) {
        if (m->only && !is_picked(lib, to, m->only))
            continue;
        *end = ARENA_NEW(lib->arena, Modifier);
        **end = *m;
        if (m->base == from || m->only)
            (*end)->base = to;
        if (m->scope.inst == from)
            (*end)->scope.inst = to;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return chain;
}

Instance *instance_again(Library *lib, Instance *root)
{
    if (!lib->again)
        return NULL;
    lib->again = lib->ctx->quiet = false;
    Instance *next = inst_new(lib, root->cls);
    next->is_top = true;
    next->is_part = root->is_part;
    next->mods = modifiers_for(lib, root, next);
    inst_expand(lib, next);
    return next;
}

static Instance *make_element(Library *lib, Instance *array, uint32_t number)
{
    Instance *e = inst_new(lib, array->cls);
    e->parent = array->parent;
    e->index = array->index;
    e->decl = array->decl;
    e->decl_scope = array->decl_scope;
    e->variability = array->variability;
    e->causality = array->causality;
    e->flow = array->flow;
    e->is_protected = array->is_protected;
    e->is_final = array->is_final;
    e->is_inner = array->is_inner;
    e->is_added = array->is_added;
    e->depth = array->depth;
    e->outer_rank = array->outer_rank;
    e->array = array;
    e->element = number;
    e->mods = modifiers_for(lib, array, e);
    inst_expand(lib, e);
    return e;
}

Instance **inst_elements(Library *lib, Instance *inst)
{
    if (inst->elements || (!lib->unlike.n && !lib->picks) || !inst->rank ||
        class_is_simple(inst->cls) || (inst->is_outer && !inst->is_inner) || inst->absent ||
        inst->in_absent ||
        (map_get(&lib->unlike, map_key(inst->decl)) == MAP_NONE && !has_picks(inst)) ||
        !inst_dims(lib, inst) || !inst_count(inst))
        return inst->elements;
    uint32_t n = (uint32_t)inst_count(inst);
    inst->elements = ARENA_ARRAY(lib->arena, Instance *, n);
    for (uint32_t i = 0; i < n; i++)
        inst->elements[i] = make_element(lib, inst, i);
    return inst->elements;
}

void inst_subscripts(const Instance *element, int32_t *subs)
{
    const Instance *array = element->array;
    uint32_t rest = element->element;
    for (uint32_t k = array->rank; k-- > 0; rest /= (uint32_t)array->dims[k])
        subs[k] = (int32_t)(rest % (uint32_t)array->dims[k]) + 1;
}

Instance *inst_part(Instance *inst, uint32_t k)
{
    if (!inst->elements)
        return k ? NULL : inst;
    return k < (uint32_t)inst_count(inst) ? inst->elements[k] : NULL;
}

Instance *inst_next(const Instance *inst, PartCursor *at)
{
    for (; at->child < inst->cls->order.n; at->child++, at->part = 0) {
        Instance *child = inst_made(inst, inst->cls->order.at[at->child]);
        if (!child || child->parent != inst || !child->is_numbered)
            continue;
        Instance *part = inst_part(child, at->part);
        if (!part)
            continue;
        at->part++;
        return part;
    }
    return NULL;
}

/* ---- values ---- */

TypeId inst_common_type(Library *lib, Instance *array)
{
    Instance **elements = inst_elements(lib, array);
    TypeId type = inst_type(lib, elements[0]);
    for (uint32_t i = 1; i < (uint32_t)inst_count(array) && type != T_NONE; i++) {
        TypeId other = inst_type(lib, elements[i]);
        if (other == type)
            continue;
        if (other != T_NONE)
            diag(lib->ctx, array->decl->span, DIAG_I021,
                 "the elements of '%s' differ in their sizes, so they do not form an array",
                 inst_path(lib, array));
        return T_NONE;
    }
    return type;
}

EvalStatus inst_elements_value(Library *lib, Instance *array, bool soft)
{
    TypeId type = inst_full_type(lib, array);
    if (type == T_NONE)
        return EVAL_ERROR;
    uint32_t n = (uint32_t)inst_count(array);
    Value *items = ARENA_ARRAY(lib->arena, Value, n);
    for (uint32_t i = 0; i < n; i++) {
        EvalStatus status = ref_value(lib, array->elements[i], array->outer_rank, soft, &items[i]);
        if (status != EVAL_OK)
            return status;
    }
    array->value.value = (Value){.type = type, .items = items};
    array->value.uniform = array->outer_rank;
    return EVAL_OK;
}

enum { MAX_CHOSEN = 64 };

ExprId inst_chosen(NameScope *names, const Instance *inst, const Instance *base, ExprId e,
                   Span span)
{
    Graph *g = names->lib->g;
    ExprId subs[MAX_CHOSEN];
    uint32_t n = MAX_CHOSEN, first = MAX_CHOSEN;
    bool any = false;
    for (const Instance *a = inst; e != EXPR_NONE && a && a != base; a = a->parent) {
        const Instance *array = a->array ? a->array : a == inst ? NULL : a;
        if (!array || !array->rank || n < array->rank)
            continue;
        n -= array->rank;
        int32_t chosen[8];
        if (a->array)
            inst_subscripts(a, chosen);
        any |= a->array != NULL;
        for (uint32_t k = 0; k < array->rank; k++)
            subs[n + k] = a->array ? expr_int(g, chosen[k]) : expr_leaf(g, OP_COLON, T_NONE, 0);
    }
    if (!any || type_rank(g->types, expr_type(g, e)) < first - n)
        return e;
    return type_index(&names->type, e, subs + n, first - n, span);
}
