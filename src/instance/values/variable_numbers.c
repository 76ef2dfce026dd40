/* Numbers of the variables and components of a model, to which references are resolved.
 *
 * The elements of an array of components follow each other at a fixed distance, so that references
 * and equations of all elements follow from those of the first one. */
#include "instance/tree/tree.h"

enum { MAX_VARS = 10000000 };

typedef struct Numbering {
    Library *lib;
    void (*numbered)(void *user, Instance *component);
    void *user;
} Numbering;

static bool is_present(const Instance *child)
{
    return child && !child->absent && !child->in_absent && (!child->is_outer || child->is_inner);
}

/* The room that the components so far take in one element of an instance. */
typedef struct Room {
    double vars, comps;
} Room;

static bool measure(const Numbering *n, Instance *inst);

/* Assigns places to `times` elements of a component, which have the same structure. */
static bool measure_part(const Numbering *n, Instance *part, double times, Room *room)
{
    part->is_numbered = true;
    part->var = (uint32_t)room->vars;
    part->comp = (uint32_t)room->comps;
    if (inst_is_leaf(part)) {
        part->n_vars = 1;
        room->vars += 1;
        n->numbered(n->user, part);
        return true;
    }
    if (!measure(n, part))
        return false;
    n->numbered(n->user, part);
    room->vars += times * part->n_vars;
    room->comps += times * part->n_comps;
    if (room->vars <= MAX_VARS && room->comps <= MAX_VARS)
        return true;
    diag(n->lib->ctx, part->decl->span, DIAG_I016, "the model has more than %d variables",
         MAX_VARS);
    return false;
}

static bool measure_elements(const Numbering *n, Instance *array, Room *room)
{
    array->is_numbered = true;
    array->var = (uint32_t)room->vars;
    array->comp = (uint32_t)room->comps;
    for (uint32_t k = 0; inst_part(array, k); k++)
        if (!measure_part(n, array->elements[k], 1, room))
            return false;
    array->n_vars = array->elements[0]->n_vars;
    array->n_comps = array->elements[0]->n_comps;
    return true;
}

/* Sets n_vars and n_comps of one element of inst, and offsets of its children. False if the
 * model is too large. */
static bool measure(const Numbering *n, Instance *inst)
{
    Class *c = inst->cls;
    Room room = {0, 1};
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(n->lib, inst, index);
        if (!is_present(child) || !inst_dims(n->lib, child))
            continue;
        bool ok = inst_elements(n->lib, child)
                      ? measure_elements(n, child, &room)
                      : measure_part(n, child, (double)inst_count(child), &room);
        if (!ok || n->lib->again)
            return false;
    }
    constrain_instance(n->lib, inst);
    inst->n_vars = (uint32_t)room.vars;
    inst->n_comps = (uint32_t)room.comps;
    return true;
}

static void place(Instance *inst, uint32_t var, uint32_t comp)
{
    inst->var_at = var;
    inst->comp_at = comp;
    if (inst_is_leaf(inst))
        return;
    Instance *part;
    for (PartCursor at = {0}; (part = inst_next(inst, &at));)
        place(part, var + part->var, comp + part->comp);
}

bool inst_number_variables(Library *lib, Instance *root,
                           void (*numbered)(void *user, Instance *component), void *user)
{
    Numbering n = {lib, numbered, user};
    root->is_numbered = true;
    if (!measure(&n, root))
        return false;
    place(root, 0, 0);
    return true;
}
