/* References: from names with subscripts to expressions, in the instance phase and in Flat.
 *
 * In the instance phase an OP_VAR is an InstRef: a component with the dimensions of the arrays
 * around it that the reference can choose from. In Flat it is a variable; its number follows from
 * variable_numbers.c by offsets. Constants are their values in both. */
#include "instance/tree/tree.h"

typedef VEC(ExprId) Ids;

/* ---- following a reference ---- */

/* The position of the walk along the parts of a reference. */
typedef struct Walk {
    NameScope *names;
    const AstRef *ref;
    uint32_t part;
    Instance *at; /* class or component reached; NULL after an error */
    bool is_component;
    Instance *outer; /* the outer component from which `at` was reached; NULL for others */
} Walk;

static Instance *predefined_class_of(Library *lib, Name name)
{
    uint32_t at = map_get(&lib->predefined, map_key(name));
    return at == MAP_NONE ? NULL : class_shared(lib, lib->classes.at[at]);
}

static Instance *follow_outer(Library *lib, Instance *inst, const AstRefPart *part)
{
    if (!inst || !inst->is_outer)
        return inst;
    Instance *target = inst_follow(inst);
    if (!target && !inst->parent->is_top && !inst->parent->parent)
        diag(lib->ctx, part->span, DIAG_I009,
             "outer component '%s' has no inner component in the models that contain it",
             part->name);
    return target;
}

/* Only constants can be used from a class around the one with the name (section 5.3.1). */
static bool check_reach(NameScope *names, Instance *owner, const Instance *inst,
                        const AstRefPart *part)
{
    bool is_class = !owner->parent && !owner->is_top;
    if (inst->variability == AST_CONSTANT || !is_class || owner == names->scope.inst)
        return true;
    diag(names->lib->ctx, part->span, DIAG_I014,
         "'%s' is not a constant of '%s', so it cannot be used from here", part->name,
         owner->cls->name);
    if (inst->decl)
        diag_note(names->lib->ctx, inst->decl->span, "declared here");
    return false;
}

static void step(Walk *w, Found f, bool dotted)
{
    Library *lib = w->names->lib;
    const AstRefPart *part = &w->ref->parts[w->part];
    const Element *e = found_element(f);
    w->is_component = e->kind == ELEMENT_COMPONENT;
    if (dotted && !check_dot(lib, f.inst, e, part->span)) {
        w->at = NULL;
        return;
    }
    Instance *found = inst_child(lib, f.inst, f.index);
    if (found && w->is_component && !check_reach(w->names, f.inst, found, part))
        found = NULL;
    w->outer = found && w->is_component && found->is_outer ? found : NULL;
    w->at = w->is_component ? follow_outer(lib, found, part) : found;
}

static bool start_walk(Walk *w, const char *what)
{
    Library *lib = w->names->lib;
    const AstRefPart *part = &w->ref->parts[0];
    Found f = w->ref->absolute ? lookup_member(lib, lib->root_inst, part->name)
                               : lookup_name(lib, w->names->scope, part->name);
    if (f.inst) {
        step(w, f, false);
        return w->at != NULL;
    }
    w->at = w->ref->absolute ? NULL : predefined_class_of(lib, part->name);
    if (!w->at && w->names->scope.inst->cls->state != CLASS_FAILED)
        report_unknown(lib, w->names->scope, part->name, part->span,
                       w->ref->n > 1 ? "class or component" : what, w->ref->n > 1);
    return w->at != NULL;
}

static bool next_step(Walk *w)
{
    Library *lib = w->names->lib;
    const AstRefPart *part = &w->ref->parts[++w->part];
    Found f = lookup_member(lib, w->at, part->name);
    if (w->outer && class_find(w->outer->cls, part->name) == MAP_NONE) {
        report_unknown_member(lib, w->outer, part->name, part->span);
        report_rule(lib, "5.4", "only elements of the outer declaration can be used");
        w->at = NULL;
        return false;
    }
    if (!f.inst || found_element(f)->kind == ELEMENT_ATTRIBUTE) {
        if (w->at->cls->state != CLASS_FAILED)
            report_unknown_member(lib, w->at, part->name, part->span);
        w->at = NULL;
        return false;
    }
    step(w, f, true);
    return w->at != NULL;
}

static ExprId enum_literal(Library *lib, TypeId type, Name name)
{
    const Type *t = type_get(lib->g->types, type);
    for (uint32_t i = 0; t->kind == TYPE_ENUM && i < t->n; i++)
        if (t->fields[i].name == name)
            return expr_enum(lib->g, type, i + 1);
    return EXPR_NONE;
}

/* The vector of all values of an enumeration or of Boolean; EXPR_NONE for other types. */
static ExprId all_values(Library *lib, TypeId type)
{
    const Type *t = type_get(lib->g->types, type);
    int64_t n = type == T_BOOL ? 2 : t->kind == TYPE_ENUM ? (int64_t)t->n : 0;
    Ids items = {0};
    for (int64_t i = 0; i < n; i++)
        vec_push(&items,
                 type == T_BOOL ? expr_bool(lib->g, i != 0) : expr_enum(lib->g, type, i + 1));
    ExprId e = n ? expr_make(lib->g, OP_ARRAY, type_array(lib->g->types, type, &n, 1), 0, items.at,
                             items.n)
                 : EXPR_NONE;
    vec_free(&items);
    return e;
}

/* The reference went from an outer component to its inner one: the parts that do not lead there are
 * dropped. */
static void leave_outer(RefTarget *out, const Instance *inner)
{
    while (out->n && out->parts[out->n - 1].inst != inner->parent)
        out->n--;
    if (out->fan.array && out->fan.at >= out->n)
        out->fan.array = NULL;
    if (!out->n)
        out->owner = inner->parent;
}

/* The element of an array whose elements differ that a part with these subscripts means; -1 if it
 * is not exactly one. Parameters in the subscripts become structural. */
static int64_t chosen_element(const NameScope *names, const RefPart *p, const AstRefPart *part)
{
    NameScope trying = *names;
    trying.type.optional = true;
    for (const Choice *c = names->choices; c; c = c->outer)
        if (c->part == part)
            return c->element;
    int64_t at = 0;
    for (uint32_t k = 0; k < p->inst->rank; k++) {
        Value v;
        if (expr_op(names->lib->g, p->subs[k]) == OP_COLON ||
            type_rank(names->lib->g->types, expr_type(names->lib->g, p->subs[k])) ||
            inst_evaluate(&trying, p->subs[k], part->span, "a subscript", &v) != EVAL_OK)
            return -1;
        int64_t sub = (int64_t)v.num + (v.type == T_BOOL);
        if (sub < 1 || sub > p->inst->dims[k])
            return -1;
        at = at * p->inst->dims[k] + sub - 1;
    }
    return at;
}

/* Continues from an array whose elements differ to one of them. */
static void add_choice(const NameScope *names, RefTarget *out, const AstRefPart *part)
{
    RefPart *p = &out->parts[out->n - 1];
    if (out->is_absent || !inst_elements(names->lib, p->inst))
        return;
    int64_t at = chosen_element(names, p, part);
    if (at < 0 && !out->fan.array) {
        out->fan = (Fan){.array = p->inst, .part = part, .at = out->n - 1};
        memcpy(out->fan.subs, p->subs, sizeof p->subs);
    }
    p->inst = p->inst->elements[at < 0 ? 0 : at];
}

static bool add_part(NameScope *names, RefTarget *out, Instance *inst, const AstRefPart *part)
{
    if (out->n && inst->parent != out->parts[out->n - 1].inst)
        leave_outer(out, inst);
    RefPart *p = &out->parts[out->n++];
    p->inst = inst;
    out->is_absent |= inst->absent || inst->in_absent;
    if (out->is_absent)
        return true;
    if (inst->rank && !inst_dims(names->lib, inst))
        return false;
    if (part->subs.n > inst->rank) {
        diag(names->lib->ctx, part->span, DIAG_I108,
             "'%s' has %u dimension%s, but %u subscripts are given", part->name, inst->rank,
             inst->rank == 1 ? "" : "s", part->subs.n);
        return false;
    }
    for (uint32_t i = 0; i < inst->rank; i++)
        p->subs[i] = expr_leaf(names->lib->g, OP_COLON, T_NONE, 0);
    p->has_subs = part->subs.n > 0;
    if (!p->has_subs)
        return true;
    TypeId index[8];
    for (uint32_t i = 0; i < inst->rank && i < 8; i++)
        index[i] = inst_index_type(names->lib, inst, i);
    return type_subscripts_in(&names->type, part, inst->dims, inst->rank,
                              inst->rank <= 8 ? index : NULL, p->subs);
}

static bool subscripted_class(Walk *w)
{
    const AstRefPart *part = &w->ref->parts[w->part];
    if (!part->subs.n)
        return false;
    diag(w->names->lib->ctx, part->span, DIAG_I002,
         "'%s' is a class and has no elements to choose from", part->name);
    return true;
}

/* u.start in an attribute, as the report of 1999 writes it: the declared start value of a scalar.
 * Modelica 3.6 cannot read attributes. EXPR_NONE: it is not such a reference. */
static ExprId start_value(NameScope *names, Instance *inst, const AstRef *ref, uint32_t part)
{
    Library *lib = names->lib;
    uint32_t index =
        names->in_attribute && part + 2 == ref->n && !strcmp(ref->parts[part + 1].name, "start")
            ? class_find(inst->cls, ref->parts[part + 1].name)
            : MAP_NONE;
    if (index == MAP_NONE || inst->rank || inst->cls->elements.at[index].kind != ELEMENT_ATTRIBUTE)
        return EXPR_NONE;
    enum { MOST = 100 };
    TypeId type = inst->cls->type;
    Modifier *m = modifier_attribute(lib, inst, "start");
    bool cyclic = names->in_attribute > MOST;
    if (cyclic)
        diag(lib->ctx, ref->span, DIAG_D002, "start values are given by each other");
    if (cyclic || !m || !m->mod || !m->mod->value)
        return type == T_BOOL   ? expr_bool(lib->g, false)
               : type == T_INT  ? expr_int(lib->g, 0)
               : type == T_REAL ? expr_real(lib->g, 0)
                                : EXPR_NONE;
    NameScope own = name_scope(lib, m->scope, names->mode);
    own.in_attribute = names->in_attribute + 1;
    return type_expr(&own.type, m->mod->value);
}

bool resolve_components(NameScope *names, const AstRef *ref, RefTarget *out, Arena *arena)
{
    Library *lib = names->lib;
    *out = (RefTarget){.parts = NULL};
    bool few = ref->n <= sizeof out->room / sizeof *out->room;
    out->parts = few ? out->room : ARENA_ARRAY(arena, RefPart, ref->n);
    Walk w = {names, ref, 0, NULL, false, NULL};
    if (!start_walk(&w, "variable"))
        return false;
    while (!w.is_component) {
        if (subscripted_class(&w))
            return false;
        if (w.part + 1 == ref->n && names->type.in_range &&
            (out->value = all_values(lib, w.at->cls->type)))
            return true;
        if (w.part + 1 == ref->n) {
            diag(lib->ctx, ref->span, DIAG_I002, "'%s' is a %s; a value is needed here",
                 ref->parts[w.part].name, restriction_text(w.at->cls->restriction));
            return false;
        }
        out->value = w.part + 2 == ref->n
                         ? enum_literal(lib, w.at->cls->type, ref->parts[w.part + 1].name)
                         : EXPR_NONE;
        if (out->value != EXPR_NONE)
            return true;
        if (!next_step(&w))
            return false;
    }
    out->owner = w.at->parent;
    for (;;) {
        if (!add_part(names, out, w.at, &ref->parts[w.part]))
            return false;
        add_choice(names, out, &ref->parts[w.part]);
        w.at = out->parts[out->n - 1].inst;
        if (w.part + 1 == ref->n)
            return true;
        if ((out->value = start_value(names, w.at, ref, w.part)))
            return true;
        if (!next_step(&w))
            return false;
        if (!w.is_component) {
            diag(lib->ctx, ref->span, DIAG_I002, "'%s' is a class; a value is needed here",
                 ref->parts[w.part].name);
            return false;
        }
    }
}

/* ---- expressions of the instance phase ---- */

static uint32_t ref_number(Library *lib, Instance *inst, uint32_t skip)
{
    uint64_t key = map_pair(inst->id, skip);
    uint32_t at = map_get(&lib->ref_table, key);
    if (at != MAP_NONE)
        return at;
    vec_push(&lib->refs, ((InstRef){inst, skip}));
    map_put(&lib->ref_table, key, lib->refs.n - 1);
    return lib->refs.n - 1;
}

/* The field of a component that is a record: the component in it. */
static ExprId field_of_ref(Library *lib, ExprId e, uint32_t field)
{
    Types *types = lib->g->types;
    InstRef r = lib->refs.at[expr_index(lib->g, e)];
    TypeId type = expr_type(lib->g, e);
    uint32_t index =
        class_find(r.inst->cls, type_get(types, type_element(types, type))->fields[field].name);
    Instance *child = index == MAP_NONE ? NULL : inst_component(lib, r.inst, index);
    TypeId own = child ? inst_full_type(lib, child) : T_NONE;
    if (own == T_NONE)
        return field_of(lib->g, e, field);
    TypeId whole = type_rank(types, type)
                       ? type_array(types, own, type_get(types, type)->dims, type_rank(types, type))
                       : own;
    return expr_leaf(lib->g, OP_VAR, whole, ref_number(lib, child, r.skip));
}

ExprId structural_field(Library *lib, ExprId e, uint32_t field)
{
    Graph *g = lib->g;
    if (expr_op(g, e) == OP_VAR)
        return field_of_ref(lib, e, field);
    if (expr_op(g, e) == OP_IF) {
        ExprId a = structural_field(lib, expr_arg(g, e, 1), field),
               b = structural_field(lib, expr_arg(g, e, 2), field);
        return expr_if(g, expr_arg(g, e, 0), a, b);
    }
    if (expr_op(g, e) != OP_ARRAY || !expr_n(g, e))
        return field_of(g, e, field);
    Ids items = {0};
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        vec_push(&items, structural_field(lib, expr_arg(g, e, i), field));
    int64_t n = items.n;
    ExprId all = expr_make(g, OP_ARRAY, type_array(g->types, expr_type(g, items.at[0]), &n, 1), 0,
                           items.at, items.n);
    vec_free(&items);
    return all;
}

static Instance *last_of(const RefTarget *t)
{
    return t->parts[t->n - 1].inst;
}

/* Applies all subscripts to an expression that has all dimensions of the parts. */
static ExprId apply_subscripts(NameScope *names, ExprId whole, const RefTarget *t, Span span)
{
    Ids subs = {0};
    bool any = false;
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = 0; k < t->parts[i].inst->rank; k++) {
            vec_push(&subs, t->parts[i].subs[k]);
            any |= expr_op(names->lib->g, t->parts[i].subs[k]) != OP_COLON;
        }
    ExprId e = any ? type_index(&names->type, whole, subs.at, subs.n, span) : whole;
    vec_free(&subs);
    return e;
}

static uint32_t skip_of(const RefTarget *t)
{
    return t->parts[0].inst->outer_rank;
}

static TypeId whole_type(Library *lib, const RefTarget *t)
{
    TypeId type = inst_full_type(lib, last_of(t));
    for (uint32_t i = t->n - 1; i-- > 0 && type != T_NONE;) {
        Instance *a = t->parts[i].inst;
        if (a->rank)
            type = type_array(lib->g->types, type, a->dims, a->rank);
    }
    return type;
}

static ExprId structural(NameScope *names, const RefTarget *t, Span span)
{
    Library *lib = names->lib;
    TypeId type = whole_type(lib, t);
    if (type == T_NONE)
        return EXPR_NONE;
    ExprId e = expr_leaf(lib->g, OP_VAR, type, ref_number(lib, last_of(t), skip_of(t)));
    return apply_subscripts(names, e, t, span);
}

static ExprId constant(NameScope *names, const RefTarget *t, Span span)
{
    Library *lib = names->lib;
    Instance *inst = last_of(t);
    bool shared = inst->outer_rank == 0;
    ExprId e = shared ? inst->literal : EXPR_NONE;
    if (e == EXPR_NONE) {
        Value v;
        EvalStatus status = ref_value(lib, inst, skip_of(t), false, &v);
        if (status == EVAL_UNKNOWN && names->type.optional)
            return structural(names, t, span);
        if (status == EVAL_UNKNOWN)
            diag(lib->ctx, span, DIAG_I008, "constant '%s' has no value", inst_path(lib, inst));
        if (status != EVAL_OK)
            return EXPR_NONE;
        e = eval_literal(lib->g, &v);
        if (shared)
            inst->literal = e;
    }
    return apply_subscripts(names, e, t, span);
}

/* ---- expressions in Flat ---- */

typedef struct Builder {
    NameScope *names;
    const RefTarget *target;
    Ids kept; /* subscripts of the dimensions that remain */
} Builder;

static ExprId whole(Library *lib, Instance *inst, uint32_t at);

static ExprId element(Library *lib, Instance *inst, uint32_t at)
{
    if (inst_is_leaf(inst))
        return expr_leaf(lib->g, OP_VAR, inst_full_type(lib, inst), at);
    Ids fields = {0};
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, c->order.at[i]);
        vec_push(&fields, child ? whole(lib, child, at + child->var) : EXPR_NONE);
    }
    ExprId e = expr_make(lib->g, OP_RECORD, inst_type(lib, inst), 0, fields.at, fields.n);
    vec_free(&fields);
    return e;
}

ExprId inst_expr(Library *lib, Instance *inst, uint32_t at)
{
    return element(lib, inst, at);
}

/* An OP_ARRAY over dimension `dim` and those after it; `at` is the variable of its first element,
 * which has this number. */
static ExprId array_of(Library *lib, Instance *inst, uint32_t dim, uint32_t at, uint32_t number)
{
    if (dim == inst->rank)
        return element(lib, inst->elements ? inst->elements[number] : inst, at);
    uint32_t stride = inst->n_vars;
    for (uint32_t k = dim + 1; k < inst->rank; k++)
        stride *= (uint32_t)inst->dims[k];
    Ids items = {0};
    for (int64_t i = 0; i < inst->dims[dim]; i++)
        vec_push(&items, array_of(lib, inst, dim + 1, at + (uint32_t)i * stride,
                                  number * (uint32_t)inst->dims[dim] + (uint32_t)i));
    TypeId type =
        type_array(lib->g->types, inst_type(lib, inst), inst->dims + dim, inst->rank - dim);
    ExprId e = expr_make(lib->g, OP_ARRAY, type, 0, items.at, items.n);
    vec_free(&items);
    return e;
}

static ExprId whole(Library *lib, Instance *inst, uint32_t at)
{
    return inst_is_leaf(inst) ? element(lib, inst, at) : array_of(lib, inst, 0, at, 0);
}

static ExprId build_part(Builder *b, uint32_t part, uint32_t at);

/* The type of dimension `dim` of `part`, over the dimensions that are kept. */
static TypeId kept_type(Builder *b, uint32_t part, uint32_t dim)
{
    Library *lib = b->names->lib;
    TypeId type = inst_full_type(lib, last_of(b->target));
    if (!inst_is_leaf(last_of(b->target)))
        type = inst_type(lib, last_of(b->target));
    for (uint32_t i = b->target->n; i-- > part;) {
        const RefPart *p = &b->target->parts[i];
        if (inst_is_leaf(p->inst))
            continue;
        for (uint32_t k = p->inst->rank; k-- > (i == part ? dim : 0);)
            if (expr_op(lib->g, p->subs[k]) != OP_INT)
                type = type_array(lib->g->types, type, &p->inst->dims[k], 1);
    }
    return type;
}

static ExprId build_dim(Builder *b, uint32_t part, uint32_t dim, uint32_t at)
{
    Graph *g = b->names->lib->g;
    const RefPart *p = &b->target->parts[part];
    Instance *inst = p->inst;
    if (dim == inst->rank)
        return part + 1 == b->target->n ? element(b->names->lib, inst, at)
                                        : build_part(b, part + 1, at);
    uint32_t stride = inst->n_vars;
    for (uint32_t k = dim + 1; k < inst->rank; k++)
        stride *= (uint32_t)inst->dims[k];
    if (expr_op(g, p->subs[dim]) == OP_INT)
        return build_dim(b, part, dim + 1,
                         at + (uint32_t)(expr_int_value(g, p->subs[dim]) - 1) * stride);
    Ids items = {0};
    for (int64_t i = 0; i < inst->dims[dim]; i++)
        vec_push(&items, build_dim(b, part, dim + 1, at + (uint32_t)i * stride));
    ExprId e = expr_make(g, OP_ARRAY, kept_type(b, part, dim), 0, items.at, items.n);
    vec_free(&items);
    return e;
}

static ExprId build_part(Builder *b, uint32_t part, uint32_t at)
{
    Instance *inst = b->target->parts[part].inst;
    at = part == 0 ? inst->var_at : at + inst->var;
    if (inst_is_leaf(inst))
        return element(b->names->lib, inst, at);
    return build_dim(b, part, 0, at);
}

static ExprId flat(NameScope *names, const RefTarget *t, Span span)
{
    Graph *g = names->lib->g;
    Builder b = {names, t, {0}};
    bool any = false;
    for (uint32_t i = 0; i < t->n; i++) {
        const RefPart *p = &t->parts[i];
        for (uint32_t k = 0; k < p->inst->rank; k++) {
            bool gone = !inst_is_leaf(p->inst) && expr_op(g, p->subs[k]) == OP_INT;
            if (gone)
                continue;
            vec_push(&b.kept, p->subs[k]);
            any |= expr_op(g, p->subs[k]) != OP_COLON;
        }
    }
    ExprId e = build_part(&b, 0, 0);
    if (any)
        e = type_index(&names->type, e, b.kept.at, b.kept.n, span);
    vec_free(&b.kept);
    return e;
}

/* ---- the call-backs ---- */

/* True if it is accepted. */
static bool report_conditional(Library *lib, const Instance *inst, Span span)
{
    bool accepted = diag_compatible(lib->ctx, span, DIAG_I036,
                                    "'%s' is a conditional component and cannot be used here",
                                    inst->decl->name);
    diag_note(lib->ctx, inst->decl->span, "declared here");
    report_rule(lib, "4.4.5",
                "a conditional component can only be modified and used in connections");
    return accepted;
}

/* An OP_ARRAY over dimension `dim` of an array whose elements differ, and those after it: the
 * reference for each element from number `at` on. Dimensions with one subscript are left out. */
static ExprId fan_out(NameScope *names, const Fan *fan, const AstRef *ref, uint32_t dim,
                      uint32_t at)
{
    Graph *g = names->lib->g;
    const Instance *array = fan->array;
    if (dim == array->rank) {
        Choice one = {fan->part, at, names->choices};
        NameScope inner = *names;
        inner.choices = &one;
        return resolve_ref(&inner.type, ref);
    }
    uint32_t n = (uint32_t)array->dims[dim];
    if (expr_op(g, fan->subs[dim]) == OP_INT)
        return fan_out(names, fan, ref, dim + 1,
                       at * n + (uint32_t)expr_int_value(g, fan->subs[dim]) - 1);
    Ids items = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        ExprId e = fan_out(names, fan, ref, dim + 1, at * n + i);
        ok = e != EXPR_NONE && (!i || expr_type(g, e) == expr_type(g, items.at[0]));
        if (e != EXPR_NONE && !ok)
            diag(
                names->lib->ctx, ref->span, DIAG_I021,
                "'%s' is %s in one element of '%s' and %s in another, so they do not form an array",
                ast_print_ref(ref, names->lib->arena),
                type_print(g->types, expr_type(g, items.at[0]), names->lib->arena),
                inst_path(names->lib, array),
                type_print(g->types, expr_type(g, e), names->lib->arena));
        vec_push(&items, e);
    }
    TypeId type =
        ok ? type_array(g->types, expr_type(g, items.at[0]), &array->dims[dim], 1) : T_NONE;
    ExprId e = ok ? expr_make(g, OP_ARRAY, type, 0, items.at, items.n) : EXPR_NONE;
    vec_free(&items);
    return e;
}

/* A reference to several elements of an array whose elements differ. */
static ExprId fan_value(NameScope *names, const Fan *fan, const AstRef *ref)
{
    ExprId e = fan_out(names, fan, ref, 0, 0);
    ExprId kept[8];
    uint32_t n = 0;
    bool any = false;
    for (uint32_t k = 0; k < fan->array->rank; k++) {
        ExprOp op = expr_op(names->lib->g, fan->subs[k]);
        if (op == OP_INT)
            continue;
        any |= op != OP_COLON;
        kept[n++] = fan->subs[k];
    }
    return any && e != EXPR_NONE ? type_index(&names->type, e, kept, n, ref->span) : e;
}

static ExprId component_value(NameScope *names, const RefTarget *t, const AstRef *ref)
{
    Library *lib = names->lib;
    Instance *inst = last_of(t);
    if (t->is_absent) {
        diag(lib->ctx, ref->span, DIAG_I018, "'%s' does not exist: its condition is false",
             ast_print_ref(ref, lib->arena));
        return EXPR_NONE;
    }
    Scope scope;
    for (uint32_t i = 0; i < t->n; i++)
        if (inst_condition(t->parts[i].inst, &scope) &&
            !report_conditional(lib, t->parts[i].inst, ref->span))
            return EXPR_NONE;
    if (inst_type(lib, inst) == T_NONE) {
        if (inst->cls->state != CLASS_FAILED && !class_is_record(inst->cls) &&
            !class_is_connector(inst->cls))
            diag(lib->ctx, ref->span, DIAG_I002,
                 "'%s' is a component of class '%s'; a value is needed here",
                 ref->parts[ref->n - 1].name, inst->cls->name);
        return EXPR_NONE;
    }
    ExprId local;
    if (inst->variability == AST_CONSTANT)
        return constant(names, t, ref->span);
    if (record_local(names, t, ref->span, &local))
        return local;
    if (names->mode == NAMES_FLAT && inst->is_numbered)
        return flat(names, t, ref->span);
    if (names->mode == NAMES_FLAT) {
        if (!lib->ctx->n_errors)
            diag(lib->ctx, ref->span, DIAG_I014,
                 "'%s' is not part of the model, so it cannot be used here",
                 ast_print_ref(ref, lib->arena));
        return EXPR_NONE;
    }
    return structural(names, t, ref->span);
}

/* A variable of the function that is being typed; false for other names. */
static bool local_value(NameScope *names, const AstRef *ref, ExprId *out)
{
    Instance *fn = names->function;
    uint32_t index = fn && !ref->absolute ? class_find(fn->cls, ref->parts[0].name) : MAP_NONE;
    if (index == MAP_NONE || fn->cls->elements.at[index].kind != ELEMENT_COMPONENT)
        return false;
    Instance *inst = inst_component(names->lib, fn, index);
    if (inst && inst->variability == AST_CONSTANT)
        return false;
    *out = EXPR_NONE;
    if (!inst || !fn->function)
        return true;
    const FnVar *var = &fn->function->vars[inst->var];
    if (var->type == T_NONE)
        return true;
    ExprId e = expr_leaf(names->lib->g, OP_LOCAL, var->type, inst->var);
    for (uint32_t i = 0; i < ref->n && e != EXPR_NONE; i++) {
        const AstRefPart *part = &ref->parts[i];
        if (i > 0)
            e = type_field(&names->type, e, part->name, part->span);
        if (e == EXPR_NONE || !part->subs.n)
            continue;
        Ids subs = {0};
        vec_reserve(&subs, part->subs.n);
        bool ok = type_subscripts(&names->type, part, e, subs.at);
        e = ok ? type_index(&names->type, e, subs.at, part->subs.n, part->span) : EXPR_NONE;
        vec_free(&subs);
    }
    *out = e;
    return true;
}

ExprId resolve_ref(TypeScope *scope, const AstRef *ref)
{
    NameScope *names = (NameScope *)scope;
    Library *lib = names->lib;
    ExprId e;
    if (local_value(names, ref, &e))
        return e;
    if (ref->n == 1 && !ref->absolute && !strcmp(ref->parts[0].name, "time") &&
        !lookup_name(lib, names->scope, ref->parts[0].name).inst)
        return expr_leaf(lib->g, OP_TIME, T_REAL, 0);
    Arena *scratch = lib->arena;
    RefTarget t;
    if (!resolve_components(names, ref, &t, scratch))
        return EXPR_NONE;
    return t.value != EXPR_NONE ? t.value
           : t.fan.array        ? fan_value(names, &t.fan, ref)
                                : component_value(names, &t, ref);
}

static TypeCallee class_callee(NameScope *names, Instance *c, Span span)
{
    Library *lib = names->lib;
    TypeCallee callee = {0};
    if (class_is_function(c->cls)) {
        if (!generic_callee(lib, c, &callee))
            callee.function = inst_function(lib, c, span);
    } else if (class_is_record(c->cls)) {
        callee.record = inst_type(lib, c);
        callee.record_default = record_default;
        callee.record_size = record_size;
        callee.user = c;
    } else if (class_is_simple(c->cls) &&
               type_get(lib->g->types, c->cls->type)->kind == TYPE_ENUM) {
        callee.enumeration = c->cls->type;
    } else if (class_is_simple(c->cls) &&
               type_get(lib->g->types, c->cls->type)->kind == TYPE_EXTERNAL) {
        callee.function = external_constructor(lib, c, span);
    } else if (c->cls->state != CLASS_FAILED) {
        diag(lib->ctx, span, DIAG_I002, "'%s' is a %s and cannot be called", c->cls->name,
             restriction_text(c->cls->restriction));
    }
    return callee;
}

static bool is_operator(const Class *c)
{
    return c->restriction == AST_OPERATOR || c->restriction == AST_OPERATOR_FUNCTION;
}

/* One element of an array, by subscripts that can be evaluated. */
static bool is_one_element(NameScope *names, Instance *inst, const AstRefPart *part)
{
    bool ok = part->subs.n == inst->rank && inst_dims(names->lib, inst);
    for (uint32_t i = 0; i < inst->rank && ok; i++) {
        Value v;
        ExprId e =
            type_expr_as(&names->type, part->subs.at[i], T_INT, "the subscript of a component");
        ok =
            e && inst_evaluate(names, e, part->span, "the subscript of a component", &v) == EVAL_OK;
        if (ok && (v.num < 1 || v.num > (double)inst->dims[i])) {
            diag(names->lib->ctx, part->span, DIAG_I109,
                 "subscript %.0f is out of range: the dimension has size %lld", v.num,
                 (long long)inst->dims[i]);
            ok = false;
        }
    }
    return ok;
}

/* Can a function be called through the component? `by_class`: a class of a component was passed
 * before. */
static bool may_hold_function(NameScope *names, Instance *inst, const AstRefPart *part,
                              bool by_class, Span span)
{
    Library *lib = names->lib;
    Scope scope;
    if (inst_condition(inst, &scope) && !report_conditional(lib, inst, span))
        return false;
    if (!by_class && (!inst->rank || part->subs.n))
        return !inst->rank || is_one_element(names, inst, part);
    diag(lib->ctx, span, DIAG_I002, "a function cannot be called through '%s', %s",
         inst->decl->name,
         inst->rank ? "which is an array of components"
                    : "which is a component of a class inside a component");
    report_rule(lib, "5.3.2", "a function is found through scalar components, then classes");
    return false;
}

TypeCallee resolve_callee(TypeScope *scope, const AstRef *ref)
{
    NameScope *names = (NameScope *)scope;
    Library *lib = names->lib;
    Walk w = {names, ref, 0, NULL, false, NULL};
    TypeCallee given = {0};
    if (special_callee(names, ref, &given))
        return given;
    if (!start_walk(&w, "function"))
        return (TypeCallee){0};
    bool by_component = false, by_class = false;
    for (;; by_class |= by_component && !w.is_component) {
        by_component |= w.is_component;
        if (w.is_component && w.part + 1 < ref->n &&
            !may_hold_function(names, w.at, &ref->parts[w.part], by_class, ref->span))
            return (TypeCallee){0};
        if (w.part + 1 >= ref->n)
            break;
        if (!next_step(&w))
            return (TypeCallee){0};
        if (by_component && is_operator(w.at->cls)) {
            diag(lib->ctx, ref->span, DIAG_I002,
                 "'%s' is an operator and cannot be called through a component", w.at->cls->name);
            report_rule(
                lib, "5.3.2",
                "a function found through a component cannot be an operator or part of one");
            return (TypeCallee){0};
        }
    }
    if (w.is_component) {
        diag(lib->ctx, ref->span, DIAG_I002, "'%s' is a component and cannot be called",
             ref->parts[w.part].name);
        if (w.at->rank)
            diag_note(lib->ctx, (Span){0}, "an element of the array is written %s[i]",
                      ref->parts[w.part].name);
        return (TypeCallee){0};
    }
    return class_callee(names, w.at, ref->span);
}

/* ---- components without a value ---- */

/* Moves `out` to the element of an array that its subscripts name. */
static bool add_element(NameScope *names, const RefPart *p, Span span, RefComponent *out)
{
    uint32_t element = 0;
    for (uint32_t k = 0; k < p->inst->rank; k++) {
        ExprId sub = p->has_subs ? p->subs[k] : EXPR_NONE;
        Value v;
        if (sub == EXPR_NONE || expr_type(names->lib->g, sub) != T_INT) {
            diag(names->lib->ctx, span, DIAG_I110,
                 "'%s' is an array; one element of it is needed here", p->inst->decl->name);
            return false;
        }
        if (inst_evaluate(names, sub, span, "the subscript of a component", &v) != EVAL_OK)
            return false;
        element = element * (uint32_t)p->inst->dims[k] + (uint32_t)v.num - 1;
    }
    out->comp += element * p->inst->n_comps;
    return true;
}

bool resolve_component(NameScope *names, const AstRef *ref, RefComponent *out)
{
    Library *lib = names->lib;
    RefTarget t;
    if (!resolve_components(names, ref, &t, lib->arena))
        return false;
    Instance *inst = t.n ? t.parts[t.n - 1].inst : NULL;
    if (t.fan.array) {
        diag(lib->ctx, ref->span, DIAG_I110, "'%s' is an array; one element of it is needed here",
             t.fan.array->decl->name);
        return false;
    }
    if (!inst || inst_is_leaf(inst) || t.is_absent || !lib->numbered || !inst->is_numbered) {
        diag(lib->ctx, ref->span, DIAG_I002, "'%s' is not a block of the model",
             ref->parts[ref->n - 1].name);
        return false;
    }
    *out = (RefComponent){inst, inst->comp_at};
    for (uint32_t i = 0; i < t.n; i++)
        if (t.parts[i].inst->rank && !add_element(names, &t.parts[i], ref->span, out))
            return false;
    return true;
}

uint32_t resolve_component_number(TypeScope *scope, const AstRef *ref)
{
    RefComponent c;
    return resolve_component((NameScope *)scope, ref, &c) ? c.comp : UINT32_MAX;
}

TypeId resolve_index_type(TypeScope *scope, const AstRef *ref, uint32_t part, uint32_t dim)
{
    NameScope *names = (NameScope *)scope;
    Arena *arena = names->lib->arena;
    AstRef plain = *ref;
    plain.parts = ARENA_ARRAY(arena, AstRefPart, ref->n);
    for (uint32_t i = 0; i < ref->n; i++)
        plain.parts[i] = (AstRefPart){.name = ref->parts[i].name, .span = ref->parts[i].span};
    RefTarget t;
    if (!resolve_components(names, &plain, &t, arena) || t.n + part < ref->n)
        return T_NONE;
    TypeId type = inst_index_type(names->lib, t.parts[t.n - (ref->n - part)].inst, dim);
    return type == T_INT ? T_NONE : type;
}

ExprId resolve_extent(TypeScope *scope, const AstRef *ref)
{
    NameScope *names = (NameScope *)scope;
    Library *lib = names->lib;
    Graph *g = lib->g;
    ExprId local;
    RefTarget t;
    if (local_value(names, ref, &local) || !resolve_components(names, ref, &t, lib->arena) ||
        t.value != EXPR_NONE || t.fan.array || t.is_absent || !t.n ||
        inst_type(lib, last_of(&t)) != T_NONE)
        return EXPR_NONE;
    Ids args = {0};
    TypeId type = T_INT;
    vec_push(&args, expr_int(g, 0));
    for (uint32_t i = 0; i < t.n; i++)
        for (uint32_t k = 0; k < t.parts[i].inst->rank; k++)
            if (expr_op(g, t.parts[i].subs[k]) == OP_COLON)
                vec_push(&args, expr_int(g, t.parts[i].inst->dims[k]));
            else if (type_rank(g->types, expr_type(g, t.parts[i].subs[k])))
                vec_push(&args,
                         expr_int(g, type_dim(g->types, expr_type(g, t.parts[i].subs[k]), 0)));
    for (uint32_t i = args.n; i-- > 1;)
        type = type_array(g->types, type, (int64_t[]){expr_int_value(g, args.at[i])}, 1);
    ExprId e = args.n > 1 ? expr_apply(g, OP_FILL, type, 0, args.at, args.n) : EXPR_NONE;
    vec_free(&args);
    return e;
}
