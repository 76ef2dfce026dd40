/* What records begin with, where they are no part of a model: defaults of the fields of a constructor (Modelica 3.6, section
 * 12.6), and the values that declarations in functions give to fields (section 12.4.4).
 *
 * Such values are over OP_LOCAL: the variables of the function, or the fields of the record by their number. */
#include "instance/tree.h"

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
    TypeId type = inst_full_type(lib, top);
    uint32_t k = field_number(names->locals->cls, top->index);
    return type == T_NONE ? EXPR_NONE : expr_leaf(lib->g, OP_LOCAL, type, k);
}

static ExprId local_path(NameScope *names, Instance *inst)
{
    if (inst->parent == names->locals)
        return top_local(names, inst);
    ExprId e = local_path(names, inst->parent);
    return e ? type_field(&names->type, e, inst->decl->name, inst->decl->span) : EXPR_NONE;
}

/* The dimensions of all parts come before those of the last one's type, as in every field of an array of records. */
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
    names.function = root->function && m->scope.inst == root ? root : NULL;
    names.type.in_function = like->type.in_function;
    names.type.function = root->function;
    names.type.depth = like->type.depth;
    return names;
}

static ExprId fields_value(NameScope *like, Instance *inst)
{
    Library *lib = like->lib;
    const Class *c = inst->cls;
    TypeId type = inst_type(lib, inst);
    VEC(ExprId) fields = {0};
    bool ok = type != T_NONE;
    for (uint32_t i = 0; i < c->order.n && ok; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, c->order.at[i]);
        ExprId e = child ? initial_value(like, child) : EXPR_NONE;
        ok = e != EXPR_NONE;
        vec_push(&fields, e);
    }
    ExprId e = ok ? expr_make(lib->g, OP_RECORD, type, 0, fields.at, fields.n) : EXPR_NONE;
    vec_free(&fields);
    return e;
}

/* Of a field (or record) below like->beginning; EXPR_NONE, mostly untold, where it has none. */
static ExprId initial_value(NameScope *like, Instance *inst)
{
    Library *lib = like->lib;
    const Modifier *m = modifier_value(inst);
    if (!m)
        return class_is_record(inst->cls) && !inst->rank ? fields_value(like, inst) : EXPR_NONE;
    if (inst->is_iterating) {
        diag(lib->ctx, inst->decl->span, DIAG_I007, "the value of '%s' depends on itself", inst->decl->name);
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

ExprId record_default(TypeScope *scope, TypeId record, uint32_t field, void *user)
{
    NameScope *caller = (NameScope *)scope;
    Library *lib = caller->lib;
    Instance *class_ = user;
    uint32_t index = class_find(class_->cls, type_get(lib->g->types, record)->fields[field].name);
    Instance *inst = index == MAP_NONE ? NULL : inst_component(lib, class_, index);
    if (!inst)
        return EXPR_NONE;
    NameScope names = name_scope(lib, (Scope){class_, class_->cls->layers.at[0]}, caller->mode);
    names.locals = class_;
    names.beginning = inst;
    names.type.depth = scope->depth;
    return initial_value(&names, inst);
}

static NameScope function_names(Library *lib, Instance *fn, Instance *var)
{
    NameScope names = name_scope(lib, (Scope){fn, fn->cls->layers.at[0]}, NAMES_STRUCTURAL);
    names.locals = fn;
    names.beginning = var;
    names.type.in_function = true;
    return names;
}

ExprId record_initial(Library *lib, Instance *fn, Instance *var)
{
    if (!class_is_record(var->cls) || var->rank)
        return EXPR_NONE;
    NameScope names = function_names(lib, fn, var);
    return fields_value(&names, var);
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
        ExprId place = child ? type_field(&names->type, at, child->decl->name, child->decl->span) : EXPR_NONE;
        if (!place || child->variability == AST_CONSTANT)
            continue;
        ExprId value = initial_value(names, child);
        if (value)
            vec_push(out, ((Stmt){.kind = STMT_ASSIGN, .span = child->decl->span, .lhs = place, .rhs = value}));
        else if (class_is_record(child->cls) && !child->rank)
            begin_fields(names, child, place, out);
    }
}

void record_begin(Library *lib, Instance *fn, Instance *var, Stmts *out)
{
    const FnVar *v = &fn->function->vars[var->var];
    if (v->kind == FN_INPUT || v->binding || v->type == T_NONE || var->rank || !class_is_record(var->cls))
        return;
    NameScope names = function_names(lib, fn, var);
    begin_fields(&names, var, expr_leaf(lib->g, OP_LOCAL, v->type, var->var), out);
}
