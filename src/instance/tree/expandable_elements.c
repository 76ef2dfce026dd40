/* Elements that expandable connectors get from connections. Section 9.1.3 of the specification.
 * An instance with such elements has a class of its own: a copy of the declared one, with more
 * elements. */
#include "instance/tree/tree.h"

static void copy_class(Library *lib, Instance *inst)
{
    const Class *from = inst->cls;
    Class *c = ARENA_NEW(lib->arena, Class);
    *c = *from;
    c->is_own = true;
    c->shared = NULL;
    memset(&c->elements, 0, sizeof c->elements);
    memset(&c->order, 0, sizeof c->order);
    memset(&c->layers, 0, sizeof c->layers);
    memset(&c->dims, 0, sizeof c->dims);
    for (uint32_t i = 0; i < from->layers.n; i++)
        vec_push(&c->layers, from->layers.at[i]);
    for (uint32_t i = 0; i < from->dims.n; i++)
        vec_push(&c->dims, from->dims.at[i]);
    c->by_name = (Map){0};
    for (uint32_t i = 0; i < from->elements.n; i++)
        vec_push(&c->elements, from->elements.at[i]);
    for (uint32_t i = 0; i < from->order.n; i++)
        vec_push(&c->order, from->order.at[i]);
    for (uint32_t i = 0; i < from->by_name.cap; i++)
        if (from->by_name.keys[i])
            map_put(&c->by_name, from->by_name.keys[i] - 1, from->by_name.vals[i]);
    vec_push(&lib->classes, c);
    vec_push(&lib->class_same, 0);
    inst->cls = c;
}

static AstExpr *size_literal(Library *lib, int64_t n)
{
    AstExpr *e = ARENA_NEW(lib->arena, AstExpr);
    e->kind = AST_INT;
    e->integer = n;
    e->real = (double)n;
    return e;
}

void inst_augment(Library *lib, Instance *inst, Name name, Instance *type, const int64_t *dims,
                  uint32_t n, Span span)
{
    if (!inst->cls->is_own)
        copy_class(lib, inst);
    Class *c = inst->cls;
    AstElement *ast = ARENA_NEW(lib->arena, AstElement);
    ast->kind = AST_EL_COMPONENT;
    ast->name = name;
    ast->span = span;
    ast->dims.at = ARENA_ARRAY(lib->arena, AstExpr *, n + 1);
    ast->dims.n = n;
    for (uint32_t i = 0; i < n; i++)
        ast->dims.at[i] = size_literal(lib, dims[i]);
    Element e = {.name = name,
                 .kind = ELEMENT_COMPONENT,
                 .ast = ast,
                 .layer = c->layers.at[0],
                 .type = type};
    e.is_added = true;
    uint32_t old = c->elements.n;
    uint32_t index = class_add(c, e);
    bool in_order = false;
    for (uint32_t i = 0; i < c->order.n; i++)
        in_order |= c->order.at[i] == index;
    if (!in_order)
        vec_push(&c->order, index);
    if (inst->child_mods) {
        Modifier **mods = ARENA_ARRAY(lib->arena, Modifier *, old + 2);
        memcpy(mods, inst->child_mods, old * sizeof *mods);
        inst->child_mods = mods;
    }
    inst->type_mark = MARK_NONE;
}

bool inst_grow(Library *lib, Instance *inst, uint32_t dim, int64_t n)
{
    const Element *e = &inst->parent->cls->elements.at[inst->index];
    if (!e->is_added || dim >= inst->decl->dims.n || inst->decl->dims.at[dim]->integer >= n)
        return false;
    inst->decl->dims.at[dim]->integer = n;
    inst->decl->dims.at[dim]->real = (double)n;
    inst->dims_mark = MARK_NONE;
    return inst_dims(lib, inst);
}

void inst_set_dims(Library *lib, Instance *inst, const int64_t *dims, uint32_t n)
{
    inst->dims = ARENA_ARRAY(lib->arena, int64_t, n);
    memcpy(inst->dims, dims, n * sizeof *dims);
    inst->dims_mark = MARK_DONE;
}

Instance *inst_type_class(Library *lib, Instance *inst)
{
    const Element *e = &inst->parent->cls->elements.at[inst->index];
    return e->is_added ? e->type : lookup_class(lib, inst->decl_scope, &inst->decl->type);
}

bool class_is_expandable(const Class *c)
{
    return c->restriction == AST_EXPANDABLE_CONNECTOR;
}
