/* The contract of an instance tree as code. Instances are made on demand, so it covers those that
 * were made. After the instance phase, this is the top of the tree. After flattening, it is
 * everything that the model needs. */
#include "instance/instance.h"

#include "instance/tree/tree.h"

typedef struct Checker {
    Arena *arena;
    const char *breach;
    VEC(const Instance *) open; /* made, not checked yet */
} Checker;

#define BREACH(c, ...)                                                                             \
    ((c)->breach = (c)->breach ? (c)->breach : arena_printf((c)->arena, __VA_ARGS__))

static const char *described(Checker *c, const Instance *inst)
{
    return inst->parent ? inst_path(inst->parent->cls->lib, inst)
                        : arena_printf(c->arena, "%s", inst->cls->name);
}

static void check_dims(Checker *c, const Instance *inst)
{
    if (inst->dims_mark == MARK_BUSY)
        BREACH(c, "the dimensions of %s are still being computed", described(c, inst));
    if (inst->dims_mark != MARK_DONE || !inst->rank)
        return;
    if (!inst->dims) {
        BREACH(c, "%s has %u dimensions without sizes", described(c, inst), inst->rank);
        return;
    }
    for (uint32_t i = 0; i < inst->rank; i++)
        if (inst->dims[i] < 0 && inst->dims[i] != DIM_UNKNOWN)
            BREACH(c, "dimension %u of %s is negative", i + 1, described(c, inst));
}

/* Elements with their own instances are scalars beside their array. */
static void check_elements(Checker *c, const Instance *inst)
{
    for (int64_t k = 0; inst->elements && k < inst_count(inst); k++) {
        const Instance *e = inst->elements[k];
        if (!e || e->array != inst || e->element != k)
            BREACH(c, "element %lld of %s belongs to another array", (long long)k + 1,
                   described(c, inst));
        else if (e->rank)
            BREACH(c, "element %lld of %s has dimensions", (long long)k + 1, described(c, inst));
        else
            vec_push(&c->open, e);
    }
}

static void check_component(Checker *c, const Instance *inst, uint32_t index, const Instance *child)
{
    if (child->index != index || !child->decl)
        BREACH(c, "%s is not the component of its declaration", described(c, child));
    else if (child->outer_rank != inst->outer_rank + inst->rank)
        BREACH(c, "%s counts the dimensions around it wrongly", described(c, child));
    else if (child->depth != inst->depth + 1)
        BREACH(c, "%s counts the components around it wrongly", described(c, child));
    else if (child->target && !child->is_outer)
        BREACH(c, "%s has an inner component, but is not outer", described(c, child));
    else
        vec_push(&c->open, child);
}

static void check_children(Checker *c, const Instance *inst)
{
    if (inst->n_children > inst->cls->elements.n)
        BREACH(c, "%s has more components than its class has elements", described(c, inst));
    for (uint32_t i = 0; i < inst->n_children && !c->breach; i++) {
        const Instance *child = inst->children ? inst->children[i] : NULL;
        if (child && child->parent == inst && inst->cls->elements.at[i].kind == ELEMENT_COMPONENT)
            check_component(c, inst, i, child);
    }
}

const char *instance_check(const Instance *root, Arena *arena)
{
    Checker c = {.arena = arena};
    vec_push(&c.open, root);
    while (c.open.n && !c.breach) {
        const Instance *inst = vec_pop(&c.open);
        if (inst->cls->state == CLASS_NEW || inst->cls->state == CLASS_EXPANDING)
            BREACH(&c, "%s has a class that is not complete", described(&c, inst));
        if (inst->expanded == MARK_BUSY)
            BREACH(&c, "the elements of %s are still being made", described(&c, inst));
        check_dims(&c, inst);
        check_children(&c, inst);
        check_elements(&c, inst);
    }
    vec_free(&c.open);
    return c.breach;
}
