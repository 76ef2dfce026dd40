/* Values of constants and structural parameters, on demand, with marks against cycles.
 * The value of a component in an array of components covers all elements; see InstValue. */
#include "instance/tree/tree.h"

#include <math.h>

enum { MAX_VALUE_DEPTH = 300 };

static EvalStatus scope_evaluate(TypeScope *scope, ExprId e, Span span, const char *what,
                                 Value *out)
{
    return inst_evaluate((NameScope *)scope, e, span, what, out);
}

static EvalStatus scope_settled(TypeScope *scope, ExprId e, Value *out)
{
    NameScope names = *(NameScope *)scope;
    names.type.optional = names.soft = true;
    return inst_evaluate(&names, e, (Span){0}, "", out);
}

static bool scope_hides(TypeScope *scope, Name name, bool absolute)
{
    NameScope *names = (NameScope *)scope;
    Found f = absolute ? lookup_member(names->lib, names->lib->root_inst, name)
                       : lookup_name(names->lib, names->scope, name);
    return f.inst && found_element(f)->kind == ELEMENT_CLASS;
}

const char *class_last_name(const Class *c)
{
    const char *dot = strrchr(c->name, '.');
    return dot ? dot + 1 : c->name;
}

/* The model's own name, then the path of the instance. In an array of components each has its own,
 * which flattening gives. */
static ExprId scope_instance_name(TypeScope *scope)
{
    const NameScope *names = (const NameScope *)scope;
    const Instance *inst = names->scope.inst, *top = inst;
    bool in_array = false;
    for (; top->parent; top = top->parent)
        in_array |= top->rank;
    if (in_array && inst->is_numbered && names->mode == NAMES_FLAT) {
        names->lib->names_instances = true;
        return expr_leaf(scope->g, OP_INSTANCE_NAME, T_STRING, inst->comp_at);
    }
    const char *model = class_last_name(top->cls), *name = model;
    if (top != inst)
        name = arena_printf(names->lib->arena, "%s.%s", model, inst_path(names->lib, inst));
    return expr_string(scope->g, name, strlen(name));
}

NameScope name_scope(Library *lib, Scope scope, NameMode mode)
{
    NameScope names = {.lib = lib, .scope = scope, .mode = mode};
    names.type.ctx = lib->ctx;
    names.type.g = lib->g;
    names.type.user = scope.inst;
    names.type.resolve = resolve_ref;
    names.type.callee = resolve_callee;
    names.type.evaluate = scope_evaluate;
    names.type.settled = scope_settled;
    names.type.hides = scope_hides;
    names.type.operators = resolve_operators;
    names.type.instance_name = scope_instance_name;
    names.type.component = resolve_component_number;
    names.type.index_type = resolve_index_type;
    names.type.extent = resolve_extent;
    const AstClass *text = scope.layer ? scope.layer->ast : NULL;
    names.type.no_time =
        text && (text->restriction == AST_RECORD || text->restriction == AST_OPERATOR_RECORD ||
                 text->restriction == AST_CONNECTOR || text->restriction == AST_PACKAGE);
    return names;
}

/* ---- evaluation of expressions ---- */

typedef struct Finder {
    Library *lib;
    EvalEnv *env;
    bool soft, flat;
    bool varies;   /* the unknown part is not a constant or parameter */
    Span declared; /* place of its declaration */
} Finder;

static EvalStatus find_value(void *user, uint32_t var, Value *out)
{
    Finder *f = user;
    if (f->flat) {
        EvalStatus known = f->lib->flat_value(f->lib, var, f->soft, out);
        if (known == EVAL_UNKNOWN) {
            f->env->unknown_name = f->lib->flat_name(f->lib, var);
            f->varies = f->lib->flat_varies(f->lib, var);
        }
        return known;
    }
    InstRef ref = f->lib->refs.at[var];
    EvalStatus status = ref_value(f->lib, ref.inst, ref.skip, f->soft, out);
    if (status == EVAL_UNKNOWN) {
        f->env->unknown_name = library_name(f->lib, inst_path(f->lib, ref.inst));
        f->varies = ref.inst->variability < AST_PARAMETER;
        f->declared = ref.inst->decl ? ref.inst->decl->span : (Span){0};
    }
    return status;
}

static bool is_literal_value(const Graph *g, ExprId e, Value *out)
{
    if (!expr_is_literal(g, e))
        return false;
    out->type = expr_type(g, e);
    if (expr_op(g, e) == OP_STRING)
        out->str = expr_name(g, e);
    else
        out->num = expr_real_value(g, e);
    return true;
}

typedef struct FieldFinder {
    const Graph *g;
    bool found;
} FieldFinder;

static void note_field(void *user, ExprId e)
{
    FieldFinder *f = user;
    f->found |= expr_op(f->g, e) == OP_FIELD;
}

static bool has_field(const Graph *g, ExprId e)
{
    FieldFinder f = {g, false};
    expr_walk(g, e, note_field, &f);
    return f.found;
}

/* Fields of components that are records: only the requested fields need a value. */
static ExprId field_alone(void *user, Graph *g, ExprId e)
{
    if (expr_op(g, e) != OP_FIELD)
        return EXPR_NONE;
    ExprId base = expr_arg(g, e, 0), record = field_alone(user, g, base);
    record = record ? record : base;
    return expr_op(g, record) == OP_VAR ? structural_field(user, record, expr_index(g, e))
                                        : EXPR_NONE;
}

EvalStatus inst_evaluate(NameScope *names, ExprId e, Span span, const char *what, Value *out)
{
    Library *lib = names->lib;
    if (e == EXPR_NONE)
        return EVAL_ERROR;
    if (is_literal_value(lib->g, e, out))
        return EVAL_OK;
    if (names->mode == NAMES_STRUCTURAL && has_field(lib->g, e))
        e = expr_map(lib->g, e, field_alone, lib);
    EvalEnv env = {.g = lib->g, .arena = lib->arena, .var = find_value, .time = NAN, .span = span};
    Finder finder = {
        .lib = lib, .env = &env, .soft = names->soft, .flat = names->mode == NAMES_FLAT};
    env.user = &finder;
    env.silent = names->type.optional;
    env.impure = !names->soft; /* the value of a structural parameter is that of its one call */
    EvalStatus status = eval_expr(&env, e, out);
    if (status == EVAL_UNKNOWN && !names->type.optional) {
        bool varies = finder.varies || !env.unknown_name;
        diag(lib->ctx, span, varies ? DIAG_I014 : DIAG_I008,
             "%s must be known when the model is built, but %s%s%s", what,
             env.unknown_name ? "'" : "it is not constant",
             env.unknown_name ? env.unknown_name : "",
             !env.unknown_name ? ""
             : varies          ? "' is not a parameter or constant"
                               : "' has no value");
        if (finder.declared.file && !varies)
            diag_note(lib->ctx, finder.declared,
                      "declared here; give it a value, here or in a modification");
        if (env.why && !env.unknown_name)
            diag_note(lib->ctx, (Span){0}, "%s", env.why);
        return EVAL_ERROR;
    }
    return status;
}

EvalStatus inst_evaluate_ast(Library *lib, Scope scope, const AstExpr *ast, TypeId want,
                             const char *what, bool optional, Value *out)
{
    NameScope names = name_scope(lib, scope, NAMES_STRUCTURAL);
    names.type.optional = optional;
    ExprId e =
        want == T_NONE ? type_expr(&names.type, ast) : type_expr_as(&names.type, ast, want, what);
    return inst_evaluate(&names, e, ast->span, what, out);
}

/* ---- bindings ---- */

ExprId field_of(Graph *g, ExprId record, uint32_t field)
{
    if (expr_op(g, record) == OP_RECORD)
        return expr_arg(g, record, field);
    Types *types = g->types;
    TypeId type = expr_type(g, record);
    TypeId field_type = type_get(types, type_element(types, type))->fields[field].type;
    if (expr_op(g, record) == OP_ARRAY) {
        uint32_t n = expr_n(g, record);
        VEC(ExprId) items = {0};
        for (uint32_t i = 0; i < n; i++)
            vec_push(&items, field_of(g, expr_arg(g, record, i), field));
        TypeId whole =
            type_array(types, field_type, type_get(types, type)->dims, type_rank(types, type));
        ExprId e = expr_make(g, OP_ARRAY, whole, 0, items.at, n);
        vec_free(&items);
        return e;
    }
    uint32_t rank = type_rank(types, type);
    TypeId whole =
        rank ? type_array(types, field_type, type_get(types, type)->dims, rank) : field_type;
    return expr_apply(g, OP_FIELD, whole, field, &record, 1);
}

static uint32_t field_index(const Types *types, TypeId record, Name name)
{
    const Type *t = type_get(types, record);
    for (uint32_t i = 0; i < t->n; i++)
        if (t->fields[i].name == name)
            return i;
    return MAP_NONE;
}

/* One value for all elements of an array, without `each`; EXPR_NONE if it is not one. */
static ExprId value_for_all(NameScope *names, const Modifier *m, TypeId want, const char *what)
{
    Library *lib = names->lib;
    Types *types = lib->g->types;
    DiagMark mark = diag_mark(lib->ctx);
    ExprId e = type_expr(&names->type, m->mod->value);
    bool scalar = e && !type_rank(types, expr_type(lib->g, e));
    if (!scalar || type_count(types, want) == DIM_UNKNOWN) {
        diag_discard(lib->ctx, mark);
        return EXPR_NONE;
    }
    diag_compatible(lib->ctx, m->span, DIAG_I102,
                    "%s is one value for an array; write 'each' in front of it", what);
    e = type_convert(&names->type, e, type_element(types, want), m->mod->value->span, what);
    VEC(ExprId) args = {0};
    vec_push(&args, e);
    for (uint32_t k = 0; k < type_rank(types, want); k++)
        vec_push(&args, expr_int(lib->g, type_dim(types, want, k)));
    if (e)
        e = expr_apply(lib->g, OP_FILL, want, 0, args.at, args.n);
    vec_free(&args);
    return e;
}

ExprId inst_modifier_value(NameScope *names, const Modifier *m, TypeId want, const char *what)
{
    bool may = names->lib->ctx->compatible && m->arg && type_rank(names->lib->g->types, want);
    ExprId e = may ? value_for_all(names, m, want, what) : EXPR_NONE;
    return e ? e : type_expr_as(&names->type, m->mod->value, want, what);
}

/* `loose`: one of its fields is requested, on which its type may depend. */
static ExprId type_binding(Library *lib, Instance *inst, const Modifier *m, NameMode mode,
                           bool loose)
{
    NameScope names = name_scope(lib, m->scope, mode);
    if (inst->type_mark == MARK_BUSY || (loose && inst->type_mark == MARK_NONE))
        return inst_chosen(&names, inst, m->base, type_expr(&names.type, m->mod->value), m->span);
    TypeId want = inst_type_below(lib, inst, m->base);
    if (want == T_NONE)
        return EXPR_NONE;
    const char *what = arena_printf(lib->arena, "the value of '%s'", inst->decl->name);
    uint32_t before = lib->ctx->n_errors;
    ExprId e = inst_modifier_value(&names, m, want, what);
    if (e != EXPR_NONE || lib->ctx->n_errors == before || !m->arg)
        return inst_chosen(&names, inst, m->base, e, m->span);
    diag_note(lib->ctx, inst->decl->span, "'%s' is declared here", inst->decl->name);
    if (!m->each && type_rank(lib->g->types, want) > inst->rank)
        diag_note(lib->ctx, (Span){0},
                  "'each %s = …' gives all elements of the array the same value (section 7.2.5)",
                  inst->decl->name);
    return e;
}

/* Does the value of the record come from a modification outside the one with its field's value
 * `own`? */
static bool value_comes_first(const Instance *record, const Modifier *own)
{
    for (const Modifier *m = record->mods; m; m = m->next) {
        bool same = own->owner && (m->mod == own->owner || m->owner == own->owner);
        if (same || (own->arg && m->arg == own->arg))
            return false;
        if (m->mod && m->mod->value && (!m->arg || m->part >= m->arg->name.n))
            return true;
    }
    return false;
}

static bool is_value_holder(const Instance *p)
{
    return p && p->parent && (class_is_record(p->cls) || class_is_connector(p->cls));
}

/* A record around a component gives its value if no modifier from outside the record does. */
static bool record_decides(const Instance *inst, const Modifier *own)
{
    const Instance *p = inst->parent;
    if (!is_value_holder(p))
        return false;
    if (!own || own->scope.inst == p || value_comes_first(p, own))
        return true;
    /* a record around that record, which has a value, or gives its parts their defaults */
    while (is_value_holder(p = p->parent))
        if (own->scope.inst == p || value_comes_first(p, own))
            return true;
    return false;
}

static ExprId binding(Library *lib, Instance *inst, NameMode mode, bool loose, Instance **base,
                      Span *span, bool *failed)
{
    *failed = false;
    if (!inst->decl)
        return EXPR_NONE;
    Modifier *m = modifier_value(inst);
    if (record_decides(inst, m)) {
        bool busy = inst->value_mark == MARK_BUSY || inst->dims_mark == MARK_BUSY ||
                    inst->type_mark == MARK_BUSY;
        bool asked = loose || (mode == NAMES_STRUCTURAL && busy);
        ExprId whole = binding(lib, inst->parent, mode, asked, base, span, failed);
        if (*failed)
            return EXPR_NONE;
        if (whole != EXPR_NONE) {
            TypeId record = type_element(lib->g->types, expr_type(lib->g, whole));
            uint32_t field = field_index(lib->g->types, record, inst->decl->name);
            if (field == MAP_NONE)
                return EXPR_NONE;
            return mode == NAMES_STRUCTURAL ? structural_field(lib, whole, field)
                                            : field_of(lib->g, whole, field);
        }
    }
    if (!m)
        return EXPR_NONE;
    *base = m->base;
    *span = m->arg ? m->span : m->mod->value->span;
    ExprId e = type_binding(lib, inst, m, mode, loose);
    *failed = e == EXPR_NONE;
    return e;
}

ExprId inst_binding(Library *lib, Instance *inst, NameMode mode, Instance **base, Span *span,
                    bool *failed)
{
    return binding(lib, inst, mode, false, base, span, failed);
}

/* ---- values of instances ---- */

static bool is_fixed(Library *lib, Instance *inst)
{
    Modifier *m = modifier_attribute(lib, inst, "fixed");
    Value v;
    if (!m)
        return true;
    if (inst_evaluate_ast(lib, m->scope, m->mod->value, T_NONE, "fixed", true, &v) != EVAL_OK)
        return true;
    return type_rank(lib->g->types, v.type) != 0 || v.num != 0;
}

static bool may_have_value(Library *lib, Instance *inst, bool soft)
{
    if (inst->variability == AST_CONSTANT)
        return true;
    if (inst->variability != AST_PARAMETER)
        return false;
    if (soft && !inst->is_final && !inst->evaluated)
        return false;
    return !inst_is_leaf(inst) || is_fixed(lib, inst);
}

static EvalStatus fields_value(Library *lib, Instance *inst, bool soft)
{
    const Class *c = inst->cls;
    TypeId type = inst_type(lib, inst);
    if (type == T_NONE)
        return EVAL_ERROR;
    uint32_t n = type_get(lib->g->types, type)->n, k = 0;
    uint32_t outer = inst->outer_rank + inst->rank;
    Value *fields = ARENA_ARRAY(lib->arena, Value, n + 1);
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *child = inst_component(lib, inst, index);
        EvalStatus status = child ? ref_value(lib, child, outer, soft, &fields[k++]) : EVAL_ERROR;
        if (status != EVAL_OK)
            return status;
    }
    inst->value.value.type = type;
    inst->value.value.items = fields;
    inst->value.uniform = outer;
    return EVAL_OK;
}

/* The first component in an expression of the instance phase that is not constant; NULL for none.
 */
static Instance *varying(Library *lib, ExprId e)
{
    Map seen = {0};
    VEC(ExprId) rest = {0};
    Instance *found = NULL;
    vec_push(&rest, e);
    while (rest.n && !found) {
        ExprId at = rest.at[--rest.n];
        if (at == EXPR_NONE || map_get(&seen, at) != MAP_NONE)
            continue;
        map_put(&seen, at, 1);
        if (expr_op(lib->g, at) == OP_VAR &&
            lib->refs.at[expr_index(lib->g, at)].inst->variability < AST_CONSTANT)
            found = lib->refs.at[expr_index(lib->g, at)].inst;
        for (uint32_t i = 0; i < expr_n(lib->g, at); i++)
            vec_push(&rest, expr_arg(lib->g, at, i));
    }
    vec_free(&rest);
    map_free(&seen);
    return found;
}

static void check_constant(Library *lib, const Instance *inst, ExprId e, Span span)
{
    Instance *by = varying(lib, e);
    if (!by || !check_once(lib, inst->decl, by->decl))
        return;
    diag(lib->ctx, span, DIAG_I014,
         "the value of constant '%s' depends on '%s', which is not a constant", inst->decl->name,
         inst_path(lib, by));
    diag_note(lib->ctx, by->decl->span, "'%s' is declared here", by->decl->name);
    report_rule(lib, "4.4.4", "the declaration equation of a constant is a constant expression");
}

static EvalStatus compute_value(Library *lib, Instance *inst, bool soft)
{
    Instance *base = NULL;
    Span span;
    bool failed = false;
    ExprId e = inst_binding(lib, inst, NAMES_STRUCTURAL, &base, &span, &failed);
    if (failed)
        return EVAL_ERROR;
    if (e == EXPR_NONE)
        return !class_is_record(inst->cls) ? EVAL_UNKNOWN
               : inst_elements(lib, inst)  ? inst_elements_value(lib, inst, soft)
                                           : fields_value(lib, inst, soft);
    const Modifier *own = modifier_value(inst);
    if (inst->decl->variability == AST_CONSTANT && own && !record_decides(inst, own))
        check_constant(lib, inst, e, span);
    NameScope names = name_scope(lib, (Scope){inst, NULL}, NAMES_STRUCTURAL);
    names.type.optional = true;
    names.soft = soft;
    EvalStatus status = inst_evaluate(&names, e, span, "value", &inst->value.value);
    if (status == EVAL_ERROR && !soft) {
        names.type.optional = false;
        inst_evaluate(&names, e, span,
                      arena_printf(lib->arena, "the value of '%s'", inst_path(lib, inst)),
                      &inst->value.value);
    }
    inst->value.uniform = base->outer_rank + base->rank;
    return status;
}

EvalStatus inst_value(Library *lib, Instance *inst, bool soft)
{
    if (inst->value_mark == MARK_DONE)
        return EVAL_OK;
    if (inst->value_mark == MARK_FAILED)
        return EVAL_ERROR;
    if (inst->absent || inst->in_absent || !may_have_value(lib, inst, soft))
        return EVAL_UNKNOWN;
    if (inst->value_mark == MARK_BUSY) {
        diag(lib->ctx, inst->decl->span, DIAG_I007, "the value of '%s' depends on itself",
             inst_path(lib, inst));
        return EVAL_ERROR;
    }
    if (lib->depth > MAX_VALUE_DEPTH) {
        diag(lib->ctx, inst->decl->span, DIAG_I016,
             "the value of '%s' depends on a chain of more than %d others", inst_path(lib, inst),
             MAX_VALUE_DEPTH);
        return EVAL_ERROR;
    }
    inst->value_mark = MARK_BUSY;
    lib->depth++;
    EvalStatus status = compute_value(lib, inst, soft);
    lib->depth--;
    inst->value_mark = status == EVAL_OK               ? MARK_DONE
                       : status == EVAL_ERROR && !soft ? MARK_FAILED
                                                       : MARK_NONE;
    return status;
}

/* ---- parts of values ---- */

static bool same_value(const Types *types, const Value *a, const Value *b)
{
    const Type *t = type_get(types, a->type);
    switch (t->kind) {
    case TYPE_STRING: return a->str == b->str;
    case TYPE_RECORD:
        for (uint32_t i = 0; i < t->n; i++)
            if (!same_value(types, &a->items[i], &b->items[i]))
                return false;
        return true;
    case TYPE_ARRAY: {
        int64_t n = type_count(types, a->type);
        TypeKind kind = type_get(types, t->element)->kind;
        for (int64_t i = 0; i < n; i++)
            if (kind == TYPE_STRING   ? a->strs[i] != b->strs[i]
                : kind == TYPE_RECORD ? !same_value(types, &a->items[i], &b->items[i])
                                      : a->nums[i] != b->nums[i])
                return false;
        return true;
    }
    default: return a->num == b->num;
    }
}

/* Elements [at, at + count) of an array as a value of `type`. */
static Value slice(const Types *types, const Value *v, TypeId type, int64_t at)
{
    TypeKind kind = type_get(types, type_element(types, v->type))->kind;
    Value out = {.type = type};
    bool scalar = type_rank(types, type) == 0;
    if (kind == TYPE_STRING) {
        if (scalar)
            out.str = v->strs[at];
        else
            out.strs = v->strs + at;
    } else if (kind == TYPE_RECORD) {
        if (scalar)
            return v->items[at];
        out.items = v->items + at;
    } else if (scalar) {
        out.num = v->nums[at];
    } else {
        out.nums = v->nums + at;
    }
    return out;
}

/* v, repeated for each element of the dimensions in front that `type` has more. */
static Value repeat(Library *lib, const Value *v, TypeId type)
{
    const Types *types = lib->g->types;
    int64_t total = type_count(types, type), one = type_count(types, v->type);
    bool scalar = type_rank(types, v->type) == 0;
    TypeKind kind = type_get(types, type_element(types, type))->kind;
    Value out = {.type = type};
    size_t size = kind == TYPE_STRING   ? sizeof(Name)
                  : kind == TYPE_RECORD ? sizeof(Value)
                                        : sizeof(double);
    char *room = arena_alloc(lib->arena, (size_t)(total + 1) * size);
    const void *from = kind == TYPE_STRING   ? (scalar ? (const void *)&v->str : v->strs)
                       : kind == TYPE_RECORD ? (scalar ? (const void *)v : v->items)
                                             : (scalar ? (const void *)&v->num : v->nums);
    for (int64_t i = 0; one > 0 && i < total; i += one)
        memcpy(room + (size_t)i * size, from, (size_t)one * size);
    out.nums = (double *)(void *)room;
    return out;
}

/* The type of inst with the dimensions of arrays around it from number `skip` on. */
static TypeId type_from(Library *lib, Instance *inst, uint32_t skip)
{
    TypeId type = inst_full_type(lib, inst);
    for (Instance *a = inst->parent; type != T_NONE && a && a->outer_rank + a->rank > skip;
         a = a->parent) {
        if (!a->rank)
            continue;
        if (!inst_dims(lib, a))
            return T_NONE;
        uint32_t first = skip > a->outer_rank ? skip - a->outer_rank : 0;
        type = type_array(lib->g->types, type, a->dims + first, a->rank - first);
    }
    return type;
}

static EvalStatus take_uniform(Library *lib, Instance *inst, uint32_t drop, bool soft, Value *out)
{
    Types *types = lib->g->types;
    const Value *v = &inst->value.value;
    TypeId type = type_drop(types, v->type, drop);
    int64_t total = type_count(types, v->type), one = type_count(types, type);
    if (total == 0)
        return EVAL_UNKNOWN;
    *out = slice(types, v, type, 0);
    for (int64_t i = one; one > 0 && i < total; i += one) {
        Value other = slice(types, v, type, i);
        if (same_value(types, out, &other))
            continue;
        if (soft)
            return EVAL_UNKNOWN;
        if (inst_differs(lib, inst, inst->value.uniform, inst->value.uniform + drop))
            return EVAL_ERROR;
        diag(lib->ctx, inst->decl->span, DIAG_I021,
             "'%s' has different values in the elements of an array, so the elements would have "
             "different structures",
             inst_path(lib, inst));
        diag_note(lib->ctx, (Span){0}, "declare the elements as components of their own");
        return EVAL_ERROR;
    }
    return EVAL_OK;
}

EvalStatus ref_value(Library *lib, Instance *inst, uint32_t skip, bool soft, Value *out)
{
    if (inst->is_outer && !inst->is_inner)
        inst = inst_follow(inst);
    if (!inst)
        return EVAL_ERROR;
    EvalStatus status = inst_value(lib, inst, soft);
    if (status != EVAL_OK)
        return status;
    if (inst->variability == AST_PARAMETER)
        inst->evaluated = true;
    const InstValue *v = &inst->value;
    if (skip > v->uniform)
        return take_uniform(lib, inst, skip - v->uniform, soft, out);
    *out = v->value;
    if (skip == v->uniform)
        return EVAL_OK;
    TypeId type = type_from(lib, inst, skip);
    if (type == T_NONE)
        return EVAL_ERROR;
    if (type_rank(lib->g->types, type) > type_rank(lib->g->types, v->value.type))
        *out = repeat(lib, &v->value, type);
    return EVAL_OK;
}

EvalStatus inst_element_value(Library *lib, Instance *inst, uint64_t element, bool soft, Value *out)
{
    EvalStatus status = inst_value(lib, inst, soft);
    if (status != EVAL_OK)
        return status;
    if (inst->variability == AST_PARAMETER)
        inst->evaluated = true;
    Types *types = lib->g->types;
    const InstValue *v = &inst->value;
    uint32_t above = inst->outer_rank - v->uniform;
    *out = v->value;
    if (above == 0)
        return EVAL_OK;
    TypeId type = type_drop(types, v->value.type, above);
    int64_t one = type_count(types, type), n = one > 0 ? type_count(types, v->value.type) / one : 0;
    if (n <= 0)
        return EVAL_UNKNOWN;
    *out = slice(types, &v->value, type, (int64_t)(element % (uint64_t)n) * one);
    return EVAL_OK;
}
