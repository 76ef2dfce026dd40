/* Values that a class gives to its components: parameters, and start values by :=. They become
 * modifications of the component. If only some elements of a vector of models get a value, the
 * others keep the one of their class: a = {if element == 2 then 1 else 5 for element in 1:n}. */
#include "notation/omola/internal.h"

bool omola_is_parameter(const OmAttr *a)
{
    return a->kind == OM_PARAMETER || (a->kind == OM_VARIABLE && a->type == OM_INTEGER &&
                                       !a->discrete && !a->changes && a->shape == OM_SCALAR);
}

bool omola_gives_value(const OmEquation *eq, const OmAttr *a)
{
    return omola_is_parameter(a) || (eq->causal && (a->state || a->changes));
}

OmAttr *omola_modified(Omola *o, const OmEquation *eq)
{
    const AstExpr *e = eq->lhs;
    if (e->kind != AST_REF || e->ref->n < 2 || eq->over)
        return NULL;
    OmAttr *a = omola_attr_of(o, o->c, e->ref, NULL);
    bool given = a && (a->kind == OM_PARAMETER || a->kind == OM_VARIABLE);
    return given && omola_gives_value(eq, a) ? a : NULL;
}

AstExpr *omola_given_value(const OmClass *c, const OmAttr *a)
{
    AstExpr *value = a->value;
    for (uint32_t i = 0; i < c->full.equations.n; i++) {
        const OmEquation *eq = &c->full.equations.at[i];
        if (tree_plain_name(eq->lhs) == a->name && omola_gives_value(eq, a))
            value = eq->rhs;
    }
    return value;
}

/* ---- elements of vectors of models ---- */

/* Whether both equations are about the same variable of the same component. */
static bool same_variable(const AstRef *a, const AstRef *b)
{
    bool same = a->n == b->n;
    for (uint32_t i = 0; same && i < a->n; i++)
        same = a->parts[i].name == b->parts[i].name;
    return same;
}

static bool is_reference(void *user, const AstExpr *e)
{
    (void)user;
    return e->kind == AST_REF;
}

/* The value of elements that no equation names: one for all of them, or that of the class. */
static AstExpr *common_value(Omola *o, const OmEquation *first, const OmAttr *a)
{
    AstExpr *value = NULL;
    OmClass *owner = NULL;
    omola_attr_of(o, o->c, first->lhs->ref, &owner);
    for (uint32_t i = 0; i < o->c->full.equations.n; i++) {
        const OmEquation *eq = &o->c->full.equations.at[i];
        if (omola_modified(o, eq) && same_variable(eq->lhs->ref, first->lhs->ref) &&
            !eq->lhs->ref->parts[0].subs.n)
            value = eq->rhs;
    }
    if (value)
        return value;
    value = owner ? omola_given_value(owner, a) : NULL;
    if (!value && !omola_is_parameter(a))
        return tree_integer(&o->r.tree, first->span, 0);
    if (value && !tree_contains(value, is_reference, NULL))
        return value;
    reader_error(&o->r, first->span, DIAG_S041,
                 "other elements of '%s' need a value too: write %s.%s := … before, or a number as "
                 "the default of '%s'",
                 first->lhs->ref->parts[0].name, first->lhs->ref->parts[0].name, a->name, a->name);
    return first->rhs;
}

/* The values of all elements, from the equations that name some of them. */
static AstExpr *element_values(Omola *o, const OmEquation *first, const OmAttr *a,
                               const OmAttr *component)
{
    Tree *t = &o->r.tree;
    AstExpr *value = omola_value(o, common_value(o, first, a), a->shape, NULL);
    for (uint32_t i = 0; i < o->c->full.equations.n; i++) {
        const OmEquation *eq = &o->c->full.equations.at[i];
        if (!omola_modified(o, eq) || !same_variable(eq->lhs->ref, first->lhs->ref) ||
            !eq->lhs->ref->parts[0].subs.n)
            continue;
        AstExpr *number = omola_value(o, eq->lhs->ref->parts[0].subs.at[0], OM_SCALAR, NULL);
        AstExpr *here = tree_binary(t, AST_OP_EQ, tree_ref(t, eq->span, omola_element(o)), number);
        value = tree_if(t, eq->span, here, omola_value(o, eq->rhs, a->shape, NULL), value);
    }
    AstExpr *all = omola_value(o, component->dims[0], OM_SCALAR, NULL);
    return tree_comprehension(t, first->span, value, omola_element(o), all);
}

/* ---- modifications ---- */

static bool is_first(Omola *o, const OmEquation *eq)
{
    const OmEquation *at = o->c->full.equations.at;
    for (; at < eq; at++)
        if (omola_modified(o, at) && same_variable(at->lhs->ref, eq->lhs->ref))
            return false;
    return true;
}

static bool names_elements(Omola *o, const OmEquation *first)
{
    const OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->equations.n; i++)
        if (omola_modified(o, &full->equations.at[i]) &&
            same_variable(full->equations.at[i].lhs->ref, first->lhs->ref) &&
            full->equations.at[i].lhs->ref->parts[0].subs.n)
            return true;
    return false;
}

/* The last equation for the same variable. */
static const OmEquation *last_of(Omola *o, const OmEquation *first)
{
    const OmEquation *last = first, *end = o->c->full.equations.at + o->c->full.equations.n;
    for (const OmEquation *eq = first; eq < end; eq++)
        if (omola_modified(o, eq) && same_variable(eq->lhs->ref, first->lhs->ref))
            last = eq;
    return last;
}

static void check_subscripts(Omola *o, const OmEquation *eq)
{
    const AstRef *ref = eq->lhs->ref;
    for (uint32_t i = 1; i < ref->n; i++)
        if (ref->parts[i].subs.n)
            reader_error(&o->r, eq->span, DIAG_S041,
                         "elements of '%s' cannot be set from here; set all of them, or this one "
                         "in the class that declares it",
                         ref->parts[i].name);
}

static void modify(Omola *o, AstElement *e, const OmEquation *eq, const OmAttr *a,
                   const OmAttr *component)
{
    Tree *t = &o->r.tree;
    const AstRef *ref = eq->lhs->ref;
    Name *path = ARENA_ARRAY(t->arena, Name, ref->n);
    uint32_t n = 0;
    bool elements = component->dims[0] && names_elements(o, eq), inner = component->dims[0];
    OmClass *c = o->c;
    for (uint32_t i = 1; i < ref->n; i++)
        path[n++] = ref->parts[i].name;
    for (uint32_t i = 0; c && i + 1 < ref->n; i++) {
        OmAttr *part = omola_attr(&c->full, ref->parts[i].name);
        inner |= part && part->dims[0];
        c = part ? omola_class(o, part->class_name) : NULL;
    }
    if (!omola_is_parameter(a))
        path[n++] = name_of(t->ctx->names, "start");
    const OmEquation *last = last_of(o, eq);
    bool fills = a->shape != OM_SCALAR && omola_shape(o, last->rhs) == OM_SCALAR;
    AstExpr *value = elements ? element_values(o, eq, a, component)
                     : fills  ? omola_modelica(o, last->rhs)
                              : omola_value(o, last->rhs, a->shape, NULL);
    tree_modify_part(t, e, path, n, value, !elements && (inner || fills), eq->span);
}

void omola_modify(Omola *o, AstElement *e, const OmAttr *component)
{
    OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->equations.n; i++) {
        const OmEquation *eq = &full->equations.at[i];
        OmAttr *a = omola_modified(o, eq);
        if (!a || eq->lhs->ref->parts[0].name != component->name)
            continue;
        check_subscripts(o, eq);
        if (is_first(o, eq))
            modify(o, e, eq, a, component);
    }
}
