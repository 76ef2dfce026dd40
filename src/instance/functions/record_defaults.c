/* Initial values of records that are not part of a model. They are defaults of the fields of a
 * constructor (Modelica 3.6, section 12.6), and values that declarations in functions give to
 * fields (section 12.4.4). In functions such values are over OP_LOCAL, in constructors over the
 * given fields. */
#include "instance/tree/tree.h"

typedef VEC(ExprId) VecIds;

static ExprId initial_value(NameScope *like, Instance *inst);

/* ---- references ---- */

static uint32_t field_number(const Class *c, uint32_t index)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < c->order.n && c->order.at[i] != index; i++)
        k += c->elements.at[c->order.at[i]].kind == ELEMENT_COMPONENT;
    return k;
}

static ExprId top_local(NameScope *names, Instance *top)
{
    Library *lib = names->lib;
    if (names->locals->function) {
        const FnVar *v = &names->locals->function->vars[top->var];
        return v->type == T_NONE ? EXPR_NONE : expr_leaf(lib->g, OP_LOCAL, v->type, top->var);
    }
    return names->fields->value(names->fields, field_number(names->locals->cls, top->index));
}

static ExprId local_path(NameScope *names, Instance *inst)
{
    if (inst->parent == names->locals)
        return top_local(names, inst);
    ExprId e = local_path(names, inst->parent);
    return e ? type_field(&names->type, e, inst->decl->name, inst->decl->span) : EXPR_NONE;
}

/* The dimensions of all parts come before those of the last one's type, as in every field of an
 * array of records. */
static ExprId subscripted(NameScope *names, ExprId e, const RefTarget *t, Span span)
{
    VEC(ExprId) subs = {0};
    for (uint32_t i = 0; i < t->n; i++)
        for (uint32_t k = 0; k < t->parts[i].inst->rank; k++)
            vec_push(&subs, t->parts[i].subs[k]);
    if (subs.n)
        e = type_index(&names->type, e, subs.at, subs.n, span);
    vec_free(&subs);
    return e;
}

static Instance *top_of(const Instance *root, Instance *inst)
{
    while (inst && inst->parent != root)
        inst = inst->parent;
    return inst;
}

bool record_local(NameScope *names, const RefTarget *t, Span span, ExprId *out)
{
    Instance *first = t->parts[0].inst, *last = t->parts[t->n - 1].inst;
    Instance *top = names->locals ? top_of(names->locals, first) : NULL;
    if (!top)
        return false;
    bool own = top == names->beginning;
    ExprId e = own ? initial_value(names, last) : local_path(names, last);
    *out = e ? subscripted(names, e, t, span) : EXPR_NONE;
    return true;
}

/* ---- values ---- */

static NameScope scope_of_value(const NameScope *like, const Modifier *m)
{
    Instance *root = like->locals;
    NameScope names = name_scope(like->lib, m->scope, like->mode);
    names.locals = root;
    names.beginning = like->beginning;
    names.fields = like->fields;
    names.function = root->function && m->scope.inst == root ? root : NULL;
    names.type.in_function = like->type.in_function;
    names.type.function = root->function;
    names.type.depth = like->type.depth;
    return names;
}

typedef ExprId (*FieldFn)(NameScope *names, Instance *field);

/* The record of the values that `value` returns for the fields, with their sizes; EXPR_NONE if a
 * field has no value. */
static ExprId fields_value(NameScope *names, Instance *inst, FieldFn value)
{
    Library *lib = names->lib;
    const Class *c = inst->cls;
    TypeId type = inst_type(lib, inst);
    VecIds fields = {0};
    VEC(TypeField) types = {0};
    bool ok = type != T_NONE;
    for (uint32_t i = 0; i < c->order.n && ok; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, c->order.at[i]);
        ExprId e = child ? value(names, child) : EXPR_NONE;
        ok = e != EXPR_NONE;
        vec_push(&fields, e);
        vec_push(&types, ((TypeField){c->elements.at[c->order.at[i]].name,
                                      ok ? expr_type(lib->g, e) : T_NONE}));
    }
    if (ok && type_is_open(lib->g->types, type))
        type = type_record(lib->g->types, type_get(lib->g->types, type)->name, types.at, types.n);
    ExprId e = ok ? expr_make(lib->g, OP_RECORD, type, 0, fields.at, fields.n) : EXPR_NONE;
    vec_free(&fields);
    vec_free(&types);
    return e;
}

/* For a field (or record) below like->beginning; EXPR_NONE, mostly without a message, if it has
 * none. */
static ExprId initial_value(NameScope *like, Instance *inst)
{
    Library *lib = like->lib;
    const Modifier *m = modifier_value(inst);
    if (!m)
        return class_is_record(inst->cls) && !inst->rank ? fields_value(like, inst, initial_value)
                                                         : EXPR_NONE;
    if (inst->is_iterating) {
        diag(lib->ctx, inst->decl->span, DIAG_I007, "the value of '%s' depends on itself",
             inst->decl->name);
        return EXPR_NONE;
    }
    NameScope names = scope_of_value(like, m);
    TypeId want = inst_full_type(lib, inst);
    if (want == T_NONE)
        return EXPR_NONE;
    inst->is_iterating = true;
    const char *what = arena_printf(lib->arena, "the value of '%s'", inst->decl->name);
    ExprId e = type_expr_as(&names.type, m->mod->value, want, what);
    inst->is_iterating = false;
    return e;
}

/* ---- constructors ---- */

static Instance *field_of_class(Library *lib, Instance *class_, TypeId record, uint32_t field)
{
    uint32_t index = class_find(class_->cls, type_get(lib->g->types, record)->fields[field].name);
    return index == MAP_NONE ? NULL : inst_component(lib, class_, index);
}

static NameScope constructor_names(TypeScope *scope, Instance *class_, TypeFields *fields)
{
    NameScope *caller = (NameScope *)scope;
    NameScope names =
        name_scope(caller->lib, (Scope){class_, class_->cls->layers.at[0]}, caller->mode);
    names.locals = class_;
    names.fields = fields;
    names.type.depth = scope->depth;
    names.type.in_function = scope->in_function;
    return names;
}

ExprId record_default(TypeScope *scope, TypeId record, uint32_t field, TypeFields *fields,
                      void *user)
{
    Instance *inst = field_of_class(((NameScope *)scope)->lib, user, record, field);
    if (!inst)
        return EXPR_NONE;
    NameScope names = constructor_names(scope, user, fields);
    names.beginning = inst;
    return initial_value(&names, inst);
}

ExprId record_size(TypeScope *scope, TypeId record, uint32_t field, uint32_t dim,
                   TypeFields *fields, void *user)
{
    Instance *inst = field_of_class(((NameScope *)scope)->lib, user, record, field);
    Scope where;
    const AstExpr *e = inst ? inst_dim(inst, dim, &where) : NULL;
    if (!e || e->kind == AST_COLON)
        return EXPR_NONE;
    NameScope names = constructor_names(scope, user, fields);
    names.scope = where;
    return type_expr_as(&names.type, e, T_INT, "the dimension");
}

/* ---- functions ---- */

static NameScope function_names(Library *lib, Instance *fn, Instance *var)
{
    NameScope names = name_scope(lib, (Scope){fn, fn->cls->layers.at[0]}, NAMES_STRUCTURAL);
    names.locals = fn;
    names.beginning = var;
    names.type.in_function = true;
    return names;
}

/* Size `dim` of a field from its declaration or its first value; EXPR_NONE if neither gives it. */
static ExprId first_size(NameScope *names, Instance *inst, uint32_t dim)
{
    Graph *g = names->lib->g;
    Scope where;
    const AstExpr *e = inst_dim(inst, dim, &where);
    if (e && e->kind != AST_COLON) {
        NameScope inner = *names;
        inner.scope = where;
        return type_expr_as(&inner.type, e, T_INT, "the dimension");
    }
    ExprId value = initial_value(names, inst);
    if (value == EXPR_NONE || type_rank(g->types, expr_type(g, value)) <= dim)
        return EXPR_NONE;
    return expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){value, expr_int(g, dim + 1)}, 2);
}

/* The value of a field, or zeros of the sizes from its declaration. EXPR_NONE if they are unknown.
 */
static ExprId value_or_room(NameScope *names, Instance *inst)
{
    Graph *g = names->lib->g;
    bool record = class_is_record(inst->cls);
    ExprId value = initial_value(names, inst);
    TypeId type = inst_full_type(names->lib, inst);
    if (value || type == T_NONE || (record && inst->rank) || inst->rank > 8)
        return value;
    if (record)
        return fields_value(names, inst, value_or_room);
    ExprId args[9] = {expr_blank(g, type_element(g->types, type))};
    int64_t dims[8];
    for (uint32_t k = 0; k < inst->rank; k++) {
        if (!(args[k + 1] = first_size(names, inst, k)))
            return EXPR_NONE;
        dims[k] = expr_op(g, args[k + 1]) == OP_INT ? expr_int_value(g, args[k + 1])
                                                    : type_dim(g->types, type, k);
    }
    type = type_array(g->types, type_element(g->types, type), dims, inst->rank);
    return inst->rank ? expr_apply(g, OP_FILL, type, 0, args, inst->rank + 1) : args[0];
}

/* If its sizes depend on inputs, a record begins with room for its arrays. */
ExprId record_initial(Library *lib, Instance *fn, Instance *var)
{
    if (!class_is_record(var->cls) || var->rank)
        return EXPR_NONE;
    NameScope names = function_names(lib, fn, var);
    ExprId value = fields_value(&names, var, initial_value);
    TypeId type = inst_type(lib, var);
    bool open = type != T_NONE && type_is_open(lib->g->types, type) && var->causality != AST_INPUT;
    return value || !open ? value : fields_value(&names, var, value_or_room);
}

/* Assignments to those fields of `at` that have a value of their own. */
static void begin_fields(NameScope *names, Instance *inst, ExprId at, Stmts *out)
{
    Library *lib = names->lib;
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, c->order.at[i]);
        ExprId place =
            child ? type_field(&names->type, at, child->decl->name, child->decl->span) : EXPR_NONE;
        if (!place || child->variability == AST_CONSTANT)
            continue;
        ExprId value = initial_value(names, child);
        if (value)
            vec_push(
                out,
                ((Stmt){
                    .kind = STMT_ASSIGN, .span = child->decl->span, .lhs = place, .rhs = value}));
        else if (class_is_record(child->cls) && !child->rank)
            begin_fields(names, child, place, out);
    }
}

void record_begin(Library *lib, Instance *fn, Instance *var, Stmts *out)
{
    const FnVar *v = &fn->function->vars[var->var];
    if (v->kind == FN_INPUT || v->binding || v->type == T_NONE || var->rank ||
        !class_is_record(var->cls))
        return;
    NameScope names = function_names(lib, fn, var);
    begin_fields(&names, var, expr_leaf(lib->g, OP_LOCAL, v->type, var->var), out);
}
