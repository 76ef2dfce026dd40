/* Functions: from a function class to a typed Function. One per class instance, so that a function
 * of a redeclared package is a function of its own. Chapter 12 of the specification. */
#include "instance/tree/tree.h"

/* ---- variables ---- */

NameScope function_scope(Library *lib, Instance *fn, Layer *layer)
{
    NameScope names = name_scope(lib, (Scope){fn, layer}, NAMES_STRUCTURAL);
    names.function = fn;
    names.type.in_function = true;
    names.type.function = fn->function;
    return names;
}

static FnVarKind var_kind(const Instance *inst)
{
    return inst->causality == AST_INPUT    ? FN_INPUT
           : inst->causality == AST_OUTPUT ? FN_OUTPUT
                                           : FN_LOCAL;
}

static bool is_known_dim(Library *lib, ExprId e, int64_t *out)
{
    Value v;
    EvalEnv env = {.g = lib->g, .arena = lib->arena, .silent = true, .time = 0};
    if (expr_op(lib->g, e) == OP_INT) {
        *out = expr_int_value(lib->g, e);
        return *out >= 0;
    }
    if (eval_expr(&env, e, &v) != EVAL_OK || type_rank(lib->g->types, v.type))
        return false;
    *out = (int64_t)v.num;
    return *out >= 0;
}

typedef struct DimList {
    const AstExpr *dims[8];
    Scope scopes[8];
    uint32_t n;
} DimList;

static void add_dim(DimList *l, const AstExpr *dim, Scope scope)
{
    if (l->n == 8)
        return;
    l->dims[l->n] = dim;
    l->scopes[l->n++] = scope;
}

static DimList dims_of(Instance *inst)
{
    DimList l = {.n = 0};
    const AstElement *d = inst->decl;
    for (uint32_t i = 0; i < d->dims.n; i++)
        add_dim(&l, d->dims.at[i], inst->decl_scope);
    for (uint32_t i = 0; i < d->type_dims.n; i++)
        add_dim(&l, d->type_dims.at[i], inst->decl_scope);
    for (uint32_t i = 0; i < inst->cls->dims.n; i++)
        add_dim(&l, inst->cls->dims.at[i].dim, (Scope){inst, inst->cls->dims.at[i].layer});
    return l;
}

static void type_dims(Library *lib, Instance *fn, Instance *inst, FnVar *var)
{
    TypeId type = inst_type(lib, inst);
    DimList l = dims_of(inst);
    int64_t dims[8];
    var->dims = ARENA_ARRAY(lib->g->arena, ExprId, l.n + 1);
    for (uint32_t i = 0; i < l.n; i++) {
        dims[i] = DIM_UNKNOWN;
        if (l.dims[i]->kind == AST_COLON)
            continue;
        NameScope names = function_scope(lib, fn, l.scopes[i].layer);
        names.scope = l.scopes[i];
        const char *what = arena_printf(lib->arena, "the dimension of '%s'", var->name);
        var->dims[i] = type_expr_as(&names.type, l.dims[i], T_INT, what);
        if (var->dims[i] != EXPR_NONE && !is_known_dim(lib, var->dims[i], &dims[i]))
            dims[i] = DIM_UNKNOWN;
    }
    var->type = type == T_NONE || !l.n ? type : type_array(lib->g->types, type, dims, l.n);
}

static ExprId size_of(Graph *g, ExprId e, uint32_t dim)
{
    if (expr_op(g, e) == OP_FILL && dim + 1 < expr_n(g, e))
        return expr_arg(g, e, dim + 1);
    return expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){e, expr_int(g, dim + 1)}, 2);
}

typedef VEC(ExprId) Sizes;

/* Unknown sizes inside a record type, as those of a value of it (EXPR_NONE: there is none). */
static void add_sizes(Graph *g, TypeId record, ExprId value, Sizes *out)
{
    for (uint32_t i = 0; i < type_get(g->types, record)->n; i++) {
        TypeId type = type_get(g->types, record)->fields[i].type;
        if (!type_is_open(g->types, type))
            continue;
        ExprId field = value ? field_of(g, value, i) : EXPR_NONE;
        for (uint32_t k = 0; k < type_rank(g->types, type); k++)
            if (type_dim(g->types, type, k) == DIM_UNKNOWN)
                vec_push(out, field ? size_of(g, field, k) : EXPR_NONE);
        if (type_get(g->types, type_element(g->types, type))->kind == TYPE_RECORD)
            add_sizes(g, type_element(g->types, type),
                      type_rank(g->types, type) ? EXPR_NONE : field, out);
    }
}

static ExprId *first_sizes(Graph *g, const FnVar *var)
{
    TypeId element = var->type == T_NONE ? T_NONE : type_element(g->types, var->type);
    if (element == T_NONE || type_get(g->types, element)->kind != TYPE_RECORD ||
        !type_is_open(g->types, element))
        return NULL;
    Sizes sizes = {0};
    add_sizes(g, element, element == var->type ? var->binding : EXPR_NONE, &sizes);
    return vec_keep(&sizes, g->arena);
}

static void type_default(Library *lib, Instance *fn, Instance *inst, FnVar *var)
{
    Modifier *m = modifier_value(inst);
    if (!m && var->type != T_NONE)
        var->binding = record_initial(lib, fn, inst);
    if (!m || var->type == T_NONE)
        return;
    NameScope names = function_scope(lib, fn, m->scope.layer);
    names.scope = m->scope;
    if (m->scope.inst != fn || m->scope.layer->ast->form == AST_SHORT) {
        names.function = NULL;
        names.mode = lib->numbered ? NAMES_FLAT : NAMES_STRUCTURAL;
    }
    const char *what = arena_printf(lib->arena, "the value of '%s'", var->name);
    var->binding = type_expr_as(&names.type, m->mod->value, var->type, what);
}

static bool is_variable(const Instance *inst)
{
    return inst->variability != AST_CONSTANT && !inst_is_function_input(inst);
}

/* Collects inputs, outputs, then locals. */
static bool collect(Library *lib, Instance *fn, Function *f)
{
    const Class *c = fn->cls;
    FnVarList vars = {0};
    bool ok = true;
    for (FnVarKind kind = FN_INPUT; kind <= FN_LOCAL; kind++) {
        for (uint32_t i = 0; i < c->order.n; i++) {
            const Element *e = &c->elements.at[c->order.at[i]];
            if (e->kind != ELEMENT_COMPONENT)
                continue;
            Instance *inst = inst_component(lib, fn, c->order.at[i]);
            if (!inst) {
                ok = false;
                continue;
            }
            if (!is_variable(inst) || var_kind(inst) != kind)
                continue;
            inst->var = vars.n;
            f->n_out += kind == FN_OUTPUT;
            vec_push(&vars,
                     ((FnVar){.name = inst->decl->name, .kind = kind, .span = inst->decl->span}));
        }
        if (kind == FN_INPUT)
            special_inputs(lib, fn, &vars);
        f->n_in = kind == FN_INPUT ? vars.n : f->n_in;
    }
    f->n_vars = vars.n;
    f->vars = vec_keep(&vars, lib->g->arena);
    return ok;
}

static void check_formal(Library *lib, const Class *c, const Element *e, const Instance *inst);

static bool type_vars(Library *lib, Instance *fn, Function *f)
{
    const Class *c = fn->cls;
    uint32_t before = lib->ctx->n_errors;
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < c->order.n; i++) {
            uint32_t index = c->order.at[i];
            if (c->elements.at[index].kind != ELEMENT_COMPONENT)
                continue;
            Instance *inst = inst_component(lib, fn, index);
            if (!inst || !is_variable(inst))
                continue;
            FnVar *var = &f->vars[inst->var];
            if (pass == 0)
                check_formal(lib, c, &c->elements.at[index], inst);
            if (pass == 0)
                type_dims(lib, fn, inst, var);
            else
                type_default(lib, fn, inst, var);
            if (pass == 1 && var->kind != FN_INPUT)
                var->sizes = first_sizes(lib->g, var);
            if (pass == 0 && var->type == T_NONE && lib->ctx->n_errors == before)
                diag(lib->ctx, var->span, DIAG_I020,
                     "'%s' of function '%s' is not a value but a %s", var->name, c->name,
                     restriction_text(inst->cls->restriction));
        }
    return lib->ctx->n_errors == before;
}

static TypeId result_type(Library *lib, const Function *f)
{
    if (f->n_out == 0)
        return T_NONE;
    if (f->n_out == 1)
        return f->vars[f->n_in].type;
    TypeId items[64];
    uint32_t n = f->n_out < 64 ? f->n_out : 64;
    for (uint32_t i = 0; i < n; i++)
        items[i] = f->vars[f->n_in + i].type;
    return type_tuple(lib->g->types, items, n);
}

/* ---- bodies ---- */

/* ---- initial values ---- */

typedef struct Ordering {
    const Graph *g;
    const Function *f;
    uint8_t *mark;  /* per variable: 1 being placed, 2 placed */
    bool *late;     /* per variable: its value needs one that is declared later, or a late one */
    uint32_t *refs; /* variables of the present binding */
    uint32_t n_refs, n_done;
    uint32_t *order;
} Ordering;

static void note_local(void *user, ExprId e)
{
    Ordering *w = user;
    if (expr_op(w->g, e) == OP_LOCAL)
        w->refs[w->n_refs++] = expr_index(w->g, e);
}

/* Places variable k with a binding after those that it refers to. In a cycle, which the evaluator
 * reports, any variable may come first. */
static void place_binding(Ordering *w, uint32_t k)
{
    if (k < w->f->n_in || w->mark[k] || w->f->vars[k].binding == EXPR_NONE)
        return;
    w->mark[k] = 1;
    uint32_t first = w->n_refs;
    expr_walk(w->g, w->f->vars[k].binding, note_local, w);
    for (uint32_t i = first; i < w->n_refs; i++) {
        uint32_t ref = w->refs[i];
        place_binding(w, ref);
        w->late[k] |= w->late[ref] || (ref > k && w->f->vars[ref].binding != EXPR_NONE);
    }
    w->n_refs = first;
    w->mark[k] = 2;
    w->order[w->n_done++] = k;
}

static void count_local(void *user, ExprId e)
{
    (void)e;
    ++*(size_t *)user;
}

/* Values are given in the order of their dependencies (section 12.4.4), not of the declarations.
 * Where the orders differ, statements before the others give them. */
static void order_bindings(Library *lib, Function *f, Stmts *out)
{
    size_t n = 1;
    for (uint32_t k = f->n_in; k < f->n_vars; k++)
        if (f->vars[k].binding != EXPR_NONE)
            expr_walk(lib->g, f->vars[k].binding, count_local, &n);
    Ordering w = {.g = lib->g, .f = f};
    w.mark = memory_alloc((size_t)f->n_vars + 1);
    w.late = memory_alloc(((size_t)f->n_vars + 1) * sizeof *w.late);
    w.refs = memory_alloc(n * sizeof *w.refs);
    w.order = memory_alloc(((size_t)f->n_vars + 1) * sizeof *w.order);
    for (uint32_t k = f->n_in; k < f->n_vars; k++)
        place_binding(&w, k);
    for (uint32_t i = 0; i < w.n_done; i++) {
        FnVar *v = &f->vars[w.order[i]];
        if (!w.late[w.order[i]])
            continue;
        ExprId place = expr_leaf(lib->g, OP_LOCAL, v->type, w.order[i]);
        vec_push(out,
                 ((Stmt){.kind = STMT_ASSIGN, .span = v->span, .lhs = place, .rhs = v->binding}));
        v->binding = EXPR_NONE;
    }
    memory_free(w.mark);
    memory_free(w.late);
    memory_free(w.refs);
    memory_free(w.order);
}

static void keep_body(Library *lib, Function *f, Stmts *all)
{
    f->n_body = all->n;
    f->body = vec_keep(all, lib->g->arena);
}

static void type_body(Library *lib, Instance *fn, Function *f)
{
    const Class *c = fn->cls;
    Stmts all = {0};
    order_bindings(lib, f, &all);
    for (uint32_t i = 0; i < c->order.n; i++) {
        bool component = c->elements.at[c->order.at[i]].kind == ELEMENT_COMPONENT;
        Instance *inst = component ? inst_component(lib, fn, c->order.at[i]) : NULL;
        if (inst && is_variable(inst))
            record_begin(lib, fn, inst, &all);
    }
    for (uint32_t i = c->layers.n; i-- > 0;) {
        const AstClass *ast = c->layers.at[i]->ast;
        for (uint32_t k = 0; ast && k < ast->algorithms.n; k++) {
            NameScope names = function_scope(lib, fn, c->layers.at[i]);
            Stmt *stmts = NULL;
            uint32_t n = 0;
            type_statements(&names.type, ast->algorithms.at[k].stmts.at,
                            ast->algorithms.at[k].stmts.n, &stmts, &n);
            for (uint32_t j = 0; j < n; j++)
                vec_push(&all, stmts[j]);
        }
        if (ast && ast->equations.n)
            diag(lib->ctx, ast->equations.at[0].span, DIAG_I020,
                 "function '%s' has equations; only algorithms are allowed", c->name);
    }
    keep_body(lib, f, &all);
}

/* An external function has the values of its variables, and statements only for those that need
 * another order; they come before the call. */
static void type_external_function(Library *lib, Instance *fn, Layer *external, Function *f)
{
    Stmts all = {0};
    type_external_body(lib, fn, external, f);
    order_bindings(lib, f, &all);
    keep_body(lib, f, &all);
}

/* ---- restrictions (section 12.2) ---- */

static void bad_body(Library *lib, const Class *c, Span span, const char *what)
{
    diag(lib->ctx, span, DIAG_I020, "function '%s' %s", c->name, what);
    diag_note(lib->ctx, (Span){0},
              "a function has at most one body: an algorithm or an external part "
              "(Modelica 3.6, section 12.2)");
}

/* A function has one algorithm or external part, its own or inherited, and no initial algorithm. */
static void check_bodies(Library *lib, const Class *c)
{
    uint32_t bodies = 0;
    for (uint32_t i = 0; i < c->layers.n; i++) {
        const AstClass *ast = c->layers.at[i]->ast;
        for (uint32_t k = 0; ast && k < ast->algorithms.n; k++) {
            if (ast->algorithms.at[k].initial)
                bad_body(lib, c, ast->algorithms.at[k].span, "has an initial algorithm");
            else if (++bodies == 2)
                bad_body(lib, c, ast->algorithms.at[k].span, "has a second body here");
        }
        if (ast && ast->external && ++bodies == 2)
            bad_body(lib, c, ast->external->span, "has a second body here");
    }
}

static void check_formal(Library *lib, const Class *c, const Element *e, const Instance *inst)
{
    bool formal = inst->causality != AST_ACAUSAL;
    if (inst->variability == AST_CONSTANT || formal != e->is_protected)
        return;
    diag(lib->ctx, inst->decl->span, DIAG_I020, "'%s' of function '%s' must be %s", e->name,
         c->name,
         formal ? "public: it is an input or output" : "an input, an output, or protected");
    diag_note(lib->ctx, (Span){0},
              "public variables of a function are its inputs and outputs "
              "(Modelica 3.6, section 12.2)");
}

static bool is_impure(const Class *c)
{
    for (uint32_t i = 0; i < c->layers.n; i++) {
        const AstClass *ast = c->layers.at[i]->ast;
        if (ast && (ast->impure || ast->pure))
            return ast->impure;
    }
    return false;
}

static Layer *external_layer(const Class *c)
{
    for (uint32_t i = 0; i < c->layers.n; i++)
        if (c->layers.at[i]->ast && c->layers.at[i]->ast->external)
            return c->layers.at[i];
    return NULL;
}

static bool has_algorithm(const Class *c)
{
    for (uint32_t i = 0; i < c->layers.n; i++)
        if (c->layers.at[i]->ast && c->layers.at[i]->ast->algorithms.n)
            return true;
    return false;
}

static bool has_bound_outputs(const Function *f)
{
    for (uint32_t i = f->n_in; i < f->n_in + f->n_out; i++)
        if (f->vars[i].binding == EXPR_NONE)
            return false;
    return true;
}

/* ---- function g = der(f, x, …), section 12.7.2 ---- */

static uint32_t find_real_input(Library *lib, const Class *c, const Function *f, Name name,
                                Span span)
{
    for (uint32_t k = 0; k < f->n_in; k++) {
        if (f->vars[k].name != name)
            continue;
        if (f->vars[k].type == T_REAL)
            return k;
        diag(lib->ctx, span, DIAG_I020, "input '%s' of function '%s' is not a scalar Real", name,
             c->name);
        return UINT32_MAX;
    }
    diag(lib->ctx, span, DIAG_I020, "function '%s' has no input '%s'", c->name, name);
    return UINT32_MAX;
}

/* Names after der(f, …), those of f first if it is such a function itself. */
static bool partial_inputs(Library *lib, const Class *c, Function *f)
{
    VEC(uint32_t) inputs = {0};
    bool ok = true;
    for (uint32_t i = c->layers.n; i-- > 0;) {
        const AstClass *ast = c->layers.at[i]->ast;
        for (uint32_t k = 0; ast && k < ast->der_vars.n; k++) {
            vec_push(&inputs, find_real_input(lib, c, f, ast->der_vars.at[k], ast->span));
            ok &= vec_last(&inputs) != UINT32_MAX;
        }
    }
    f->n_partial = inputs.n;
    f->partial_inputs = vec_keep(&inputs, lib->g->arena);
    return ok;
}

/* Moves the typed parts to their own function; outputs that are not Reals have no derivative and
 * are left out. */
static bool make_partial(Library *lib, const Class *c, Function *f)
{
    if (!partial_inputs(lib, c, f) || f->n_partial == 0)
        return f->n_partial == 0;
    Function *base = ARENA_NEW(lib->g->arena, Function);
    *base = *f;
    base->id = lib->g->functions.n;
    const Layer *last = vec_last(&c->layers); /* the function that der(…) names */
    if (last->ast)
        base->name =
            class_full_name(lib, last->scope.inst ? last->scope.inst->cls : NULL, last->ast->name);
    base->n_partial = 0;
    base->ready = true;
    vec_push(&lib->g->functions, base);
    FnVar *vars = ARENA_ARRAY(lib->g->arena, FnVar, f->n_in + f->n_out + 1);
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->n_in + f->n_out; k++)
        if (k < f->n_in || type_element(lib->g->types, f->vars[k].type) == T_REAL)
            vars[n++] = f->vars[k];
    for (uint32_t k = f->n_in; k < n; k++)
        vars[k].binding = EXPR_NONE;
    f->vars = vars;
    f->n_vars = n;
    f->n_out = n - f->n_in;
    f->result = result_type(lib, f);
    f->partial_of = base;
    f->body = NULL;
    f->external = NULL;
    f->n_body = f->n_derivatives = 0;
    f->inverse = NULL;
    f->inlined = false;
    f->inlining = FN_INLINE_NEVER;
    return true;
}

Function *inst_function(Library *lib, Instance *fn, Span span)
{
    if (fn->function || fn->value_mark == MARK_FAILED)
        return fn->function;
    Class *c = fn->cls;
    if (c->state != CLASS_READY) {
        fn->value_mark = MARK_FAILED;
        return NULL;
    }
    if (c->is_partial) {
        diag(lib->ctx, span, DIAG_I022, "function '%s' is partial and cannot be called", c->name);
        return NULL;
    }
    Function *f = ARENA_NEW(lib->g->arena, Function);
    f->name = fn->special ? fn->special->name : c->name;
    f->id = lib->g->functions.n;
    f->span = c->ast ? c->ast->name_span : span;
    f->impure = is_impure(c);
    vec_push(&lib->g->functions, f);
    bool ok = collect(lib, fn, f);
    fn->function = f;
    ok &= type_vars(lib, fn, f);
    f->result = result_type(lib, f);
    Layer *external = external_layer(c);
    bool bound = has_bound_outputs(f);
    uint32_t before = lib->ctx->n_errors;
    check_bodies(lib, c);
    if (ok && external)
        type_external_function(lib, fn, external, f);
    else if (ok && !type_service(lib, c, f))
        type_body(lib, fn, f);
    if (ok && !external && !has_algorithm(c) && !bound && lib->ctx->n_errors == before)
        diag(lib->ctx, span, DIAG_I020,
             "function '%s' has neither an algorithm nor an external part", c->name);
    type_annotations(lib, fn, f);
    ok = ok && make_partial(lib, c, f);
    f->ready = f->n_partial == 0;
    if (ok && lib->ctx->n_errors == before)
        return f;
    fn->function = ok ? f : NULL;
    fn->value_mark = MARK_FAILED;
    return fn->function;
}
