/* Expandable connectors: their elements follow from the connect equations. Section 9.1.3 of the
 * specification.
 *
 * Before variables have numbers, all connect equations are read repeatedly until no connector
 * grows. A name that is missing in an expandable connector is declared like the element that it is
 * connected with. Connected expandable connectors have the same elements. Elements that occur only
 * in expandable connectors are removed at the end (unused_elements.c). */
#include "flatten/connections/connections.h"

enum { MAX_ROUNDS = 100, MAX_END_RANK = 8 };

typedef struct Expander {
    Flattener *f;
    EachConnect each;
    bool grown;
} Expander;

/* One side of a connect: a component, or a name that its expandable connector lacks. */
typedef struct End {
    Instance *inst; /* the result */
    /* expandable connector that lacks `part`; NULL if all was found */
    Instance *bus;
    const AstRefPart *part;     /* the last one */
    int64_t dims[MAX_END_RANK]; /* that remain, over all parts */
    uint32_t n;
} End;

/* ---- following names ---- */

static Instance *component_at(Library *lib, Found x)
{
    if (!x.inst || found_element(x)->kind != ELEMENT_COMPONENT)
        return NULL;
    Instance *inst = inst_follow(inst_component(lib, x.inst, x.index));
    return inst && !inst->absent && !inst->in_absent ? inst : NULL;
}

/* Subscript k of a part: its size (0 for a scalar) and its largest value. False if it is not
 * known. */
static bool subscript(Expander *x, NameScope *names, const AstExpr *e, int64_t *size,
                      int64_t *largest)
{
    Types *types = x->f->g->types;
    Value v;
    names->type.optional = true;
    ExprId id = type_expr(&names->type, e);
    bool ok = id != EXPR_NONE &&
              inst_evaluate(names, id, e->span, "a subscript in a connect", &v) == EVAL_OK;
    names->type.optional = false;
    if (!ok)
        return false;
    *size = type_rank(types, v.type) ? type_count(types, v.type) : 0;
    *largest = *size ? 0 : (int64_t)v.num;
    for (int64_t i = 0; i < *size; i++)
        *largest = v.nums[i] > (double)*largest ? (int64_t)v.nums[i] : *largest;
    return true;
}

static bool add_dims(Expander *x, NameScope *names, const AstRefPart *part, Instance *inst,
                     End *end)
{
    if (inst->rank && part->subs.n < inst->rank && !inst_dims(x->f->lib, inst))
        return false;
    for (uint32_t k = 0; k < inst->rank; k++) {
        int64_t size = inst->dims ? inst->dims[k] : 0, largest;
        bool given = k < part->subs.n && part->subs.at[k]->kind != AST_COLON;
        if (given && !subscript(x, names, part->subs.at[k], &size, &largest))
            return false;
        if (given && size == 0)
            continue;
        if (end->n == MAX_END_RANK)
            return false;
        end->dims[end->n++] = size;
    }
    return true;
}

/* The element of an array whose elements differ that the subscripts choose; the first if they
 * choose several. */
static Instance *element_at(Expander *x, NameScope *names, const AstRefPart *part, Instance *inst)
{
    uint32_t at = 0;
    if (!inst_elements(x->f->lib, inst))
        return inst;
    for (uint32_t k = 0; k < inst->rank; k++) {
        int64_t size = 1, largest = 1;
        if (k < part->subs.n && part->subs.at[k]->kind != AST_COLON)
            subscript(x, names, part->subs.at[k], &size, &largest);
        bool one = size == 0 && largest >= 1 && largest <= inst->dims[k];
        at = at * (uint32_t)inst->dims[k] + (one ? (uint32_t)largest - 1 : 0);
    }
    return inst->elements[at];
}

static bool sizes_from_connection(const Instance *inst);

static bool locate(Expander *x, NameScope *names, const AstExpr *e, End *end)
{
    Library *lib = x->f->lib;
    *end = (End){0};
    if (e->kind != AST_REF || e->ref->absolute)
        return false;
    const AstRef *ref = e->ref;
    Instance *at = component_at(lib, lookup_name(lib, names->scope, ref->parts[0].name));
    for (uint32_t i = 0; at; i++) {
        end->inst = at;
        end->part = &ref->parts[i];
        if (i + 1 == ref->n && sizes_from_connection(at))
            return true;
        if (!add_dims(x, names, &ref->parts[i], at, end))
            return false;
        if (i + 1 == ref->n)
            return true;
        at = element_at(x, names, &ref->parts[i], at);
        Found next = lookup_member(lib, at, ref->parts[i + 1].name);
        if (!next.inst && class_is_expandable(at->cls) && i + 2 == ref->n) {
            end->bus = at;
            end->inst = NULL;
            end->part = &ref->parts[i + 1];
            return true;
        }
        at = component_at(lib, next);
    }
    return false;
}

/* ---- growing ---- */

/* Sizes of the element at `end`: its subscripts, then the remaining sizes of the other side. */
static uint32_t sizes_for(Expander *x, NameScope *names, const End *end, const End *other,
                          int64_t *dims)
{
    uint32_t n = 0, used = other->n > 0 && end->n <= other->n ? end->n : 0;
    for (uint32_t k = 0; k < end->part->subs.n && n < MAX_END_RANK; k++) {
        int64_t size, largest;
        if (end->part->subs.at[k]->kind == AST_COLON ||
            !subscript(x, names, end->part->subs.at[k], &size, &largest))
            return MAX_END_RANK + 1;
        used += size > 0;
        dims[n++] = largest;
    }
    for (uint32_t k = used; k < other->n && n < MAX_END_RANK; k++)
        dims[n++] = other->dims[k];
    return n;
}

static bool is_connector(const Instance *inst)
{
    return class_is_connector(inst->cls) ||
           (inst->parent && class_is_expandable(inst->parent->cls));
}

static void declare_end(Expander *x, NameScope *names, const End *end, const End *other)
{
    int64_t dims[MAX_END_RANK];
    uint32_t n = sizes_for(x, names, end, other, dims);
    if (n > MAX_END_RANK || !is_connector(other->inst))
        return;
    Instance *type = inst_type_class(x->f->lib, other->inst);
    if (!type)
        return;
    uint32_t own = type->cls->dims.n < n ? n - type->cls->dims.n : 0;
    inst_augment(x->f->lib, end->bus, end->part->name, type, dims, own, end->part->span);
    x->grown = true;
}

/* Elements added before may have to be larger. */
static void grow_end(Expander *x, NameScope *names, const End *end)
{
    if (!end->inst->parent || !class_is_expandable(end->inst->parent->cls))
        return;
    for (uint32_t k = 0; k < end->part->subs.n; k++) {
        int64_t size, largest;
        if (end->part->subs.at[k]->kind != AST_COLON &&
            subscript(x, names, end->part->subs.at[k], &size, &largest))
            x->grown |= inst_grow(x->f->lib, end->inst, k, largest);
    }
}

/* An element declared with unknown sizes in an expandable connector; a connection gives them. */
static bool sizes_from_connection(const Instance *inst)
{
    if (!inst->rank || inst->dims_mark == MARK_DONE || !inst->parent ||
        !class_is_expandable(inst->parent->cls))
        return false;
    for (uint32_t k = 0; k < inst->decl->dims.n; k++)
        if (inst->decl->dims.at[k]->kind == AST_COLON)
            return !modifier_value(inst);
    return false;
}

static void give_sizes(Expander *x, NameScope *names, const End *end, const End *other)
{
    int64_t dims[MAX_END_RANK];
    uint32_t n = sizes_for(x, names, end, other, dims);
    if (n != end->inst->rank)
        return;
    inst_set_dims(x->f->lib, end->inst, dims, n);
    x->grown = true;
}

/* ---- two expandable connectors ---- */

static void unify(Expander *x, Instance *a, Instance *b, Span span, unsigned depth)
{
    Library *lib = x->f->lib;
    for (uint32_t i = 0; a != b && depth < 50 && i < a->cls->order.n; i++) {
        uint32_t index = a->cls->order.at[i];
        if (a->cls->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, a, index);
        if (!child || sizes_from_connection(child) || !inst_dims(lib, child))
            continue;
        Name name = a->cls->elements.at[index].name;
        uint32_t there = class_find(b->cls, name);
        if (there == MAP_NONE) {
            Instance *type = inst_type_class(lib, child);
            if (!type || child->rank < type->cls->dims.n)
                continue;
            inst_augment(lib, b, name, type, child->dims, child->rank - type->cls->dims.n, span);
            x->grown = true;
            continue;
        }
        if (b->cls->elements.at[there].kind != ELEMENT_COMPONENT)
            continue;
        Instance *twin = inst_component(lib, b, there);
        if (!twin)
            continue;
        for (uint32_t k = 0; k < child->rank && k < twin->rank; k++)
            x->grown |= inst_grow(lib, twin, k, child->dims[k]);
        if (class_is_expandable(child->cls) && class_is_expandable(twin->cls)) {
            unify(x, child, twin, span, depth + 1);
            unify(x, twin, child, span, depth + 1);
        }
    }
}

static void read_connect(void *user, NameScope *names, const AstEq *eq)
{
    Expander *x = user;
    End a, b;
    if (!locate(x, names, eq->lhs, &a) || !locate(x, names, eq->rhs, &b))
        return;
    if (a.bus && b.inst) {
        declare_end(x, names, &a, &b);
    } else if (b.bus && a.inst) {
        declare_end(x, names, &b, &a);
    } else if (a.inst && b.inst) {
        bool open_a = sizes_from_connection(a.inst), open_b = sizes_from_connection(b.inst);
        if (open_a && !open_b)
            give_sizes(x, names, &a, &b);
        else if (open_b && !open_a)
            give_sizes(x, names, &b, &a);
        grow_end(x, names, &a);
        grow_end(x, names, &b);
        if (class_is_expandable(a.inst->cls) && class_is_expandable(b.inst->cls)) {
            unify(x, a.inst, b.inst, eq->span, 0);
            unify(x, b.inst, a.inst, eq->span, 0);
        }
    }
}

/* ---- all instances ---- */

static bool holds_expandable(Flattener *f, Instance *inst)
{
    Class *c = inst->cls;
    bool found = false;
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(f->lib, inst, index);
        if (!child || child->absent || child->in_absent || inst_is_leaf(child))
            continue;
        found |= class_is_expandable(child->cls);
        inst_elements(f->lib, child);
        for (uint32_t k = 0; inst_part(child, k) && (!child->is_outer || child->is_inner); k++)
            found |= holds_expandable(f, inst_part(child, k));
    }
    return found;
}

static void read_instance(Expander *x, Instance *inst)
{
    for (uint32_t i = 0; i < inst->cls->order.n; i++) {
        Instance *child = inst_made(inst, inst->cls->order.at[i]);
        if (!child || child->parent != inst || child->absent || child->in_absent ||
            inst_is_leaf(child) || (child->is_outer && !child->is_inner))
            continue;
        for (uint32_t k = 0; inst_part(child, k); k++)
            read_instance(x, inst_part(child, k));
    }
    x->each(x->f, inst, read_connect, x);
}

void expand_connectors(Flattener *f, EachConnect each)
{
    if (!holds_expandable(f, f->root))
        return;
    f->has_expandable = true;
    Expander x = {.f = f, .each = each, .grown = true};
    for (unsigned i = 0; x.grown && i < MAX_ROUNDS; i++) {
        x.grown = false;
        read_instance(&x, f->root);
    }
}
