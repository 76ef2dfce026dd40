/* Derivatives of functions from their bodies, statement by statement.
 *
 * The tangent function of f is a derivative of order one in the sense of section 12.7.1. It takes
 * the inputs of f, then a tangent for every input with Reals, and returns the tangents of the
 * outputs with Reals. Each variable with Reals has a tangent; dx := de comes before x := e.
 * Conditions, ranges and loops stay as they are, so any control flow works. Calls in the body are
 * differentiated as usual. Made once per function; recursive functions have recursive tangents. */
#include "dae/symbolic/internal.h"

enum { NO_LOCAL = UINT32_MAX };

typedef VEC(Stmt) Stmts;

typedef struct Tangent {
    Symbolic *s;
    Graph *g;
    const Function *from;
    Function *to;
    VEC(FnVar) vars;        /* of `to` */
    uint32_t *place;        /* per variable of `from`: the same in `to` */
    VEC(uint32_t) tangents; /* per variable of `to`: its tangent, or NO_LOCAL */
    bool failed;
} Tangent;

/* ---- expressions ---- */

static ExprId place_leaf(void *user, Graph *g, ExprId e)
{
    const Tangent *w = user;
    if (expr_op(g, e) != OP_LOCAL)
        return EXPR_NONE;
    return expr_leaf(g, OP_LOCAL, expr_type(g, e), w->place[expr_index(g, e)]);
}

static ExprId placed(Tangent *w, ExprId e)
{
    return e ? expr_map(w->g, e, place_leaf, w) : EXPR_NONE;
}

/* The tangent of a placed expression; EXPR_NONE after noting the failure. */
static ExprId tangent_of(Tangent *w, ExprId e)
{
    ExprId d = symbolic_along(w->s, e, w->tangents.at, w->tangents.n);
    w->failed |= d == EXPR_NONE;
    return d;
}

/* The place of the tangent of a left side. */
static ExprId tangent_place(Tangent *w, ExprId lhs)
{
    Graph *g = w->g;
    if (expr_op(g, lhs) == OP_LOCAL)
        return expr_leaf(g, OP_LOCAL, expr_type(g, lhs),
                         w->tangents.at[w->place[expr_index(g, lhs)]]);
    VEC(ExprId) args = {0};
    vec_push(&args, tangent_place(w, expr_arg(g, lhs, 0)));
    for (uint32_t k = 1; k < expr_n(g, lhs); k++)
        vec_push(&args, placed(w, expr_arg(g, lhs, k)));
    ExprId e = expr_make(g, expr_op(g, lhs), expr_type(g, lhs),
                         expr_op(g, lhs) == OP_FIELD ? expr_index(g, lhs) : 0, args.at, args.n);
    vec_free(&args);
    return e;
}

/* ---- statements ---- */

static void differentiate(Tangent *w, const Stmt *body, uint32_t n, Stmts *out);

static Stmt assign(Span span, ExprId lhs, ExprId rhs)
{
    return (Stmt){.kind = STMT_ASSIGN, .span = span, .lhs = lhs, .rhs = rhs};
}

static uint32_t add_variable(Tangent *w, FnVar x, FnVarKind kind)
{
    x.kind = kind;
    x.binding = EXPR_NONE;
    vec_push(&w->vars, x);
    vec_push(&w->tangents, NO_LOCAL);
    return w->vars.n - 1;
}

static ExprId add_temporary(Tangent *w, TypeId type, Span span)
{
    FnVar x = {.name = w->from->name, .type = type, .span = span};
    uint32_t rank = type_rank(w->g->types, type);
    x.dims = ARENA_ARRAY(w->g->arena, ExprId, rank + 1);
    for (uint32_t k = 0; k < rank; k++) {
        int64_t size = type_dim(w->g->types, type, k);
        x.dims[k] = size >= 0 ? expr_int(w->g, size) : EXPR_NONE;
    }
    return expr_leaf(w->g, OP_LOCAL, type, add_variable(w, x, FN_LOCAL));
}

/* (a, , b) := …: all tangents are computed before any of them, or of the values, changes. */
static void differentiate_list(Tangent *w, const Stmt *s, Stmts *out)
{
    Graph *g = w->g;
    Stmts after = {0};
    bool tuple = type_get(g->types, expr_type(g, s->rhs))->kind == TYPE_TUPLE;
    for (uint32_t k = 0; k < expr_n(g, s->lhs) && !w->failed; k++) {
        ExprId item = expr_arg(g, s->lhs, k);
        if (!item || !symbolic_holds_reals(g, expr_type(g, item)))
            continue;
        ExprId value = s->rhs;
        if (expr_op(g, s->rhs) == OP_TUPLE)
            value = expr_arg(g, s->rhs, k);
        else if (tuple)
            value = expr_make(g, OP_OUT, type_get(g->types, expr_type(g, s->rhs))->fields[k].type,
                              k, &s->rhs, 1);
        ExprId d = tangent_of(w, placed(w, value));
        ExprId temporary = add_temporary(w, expr_type(g, item), s->span);
        vec_push(out, assign(s->span, temporary, d));
        vec_push(&after, assign(s->span, tangent_place(w, item), temporary));
    }
    vec_push(out, assign(s->span, placed(w, s->lhs), placed(w, s->rhs)));
    for (uint32_t i = 0; i < after.n; i++)
        vec_push(out, after.at[i]);
    vec_free(&after);
}

static void differentiate_assignment(Tangent *w, const Stmt *s, Stmts *out)
{
    if (expr_op(w->g, s->lhs) == OP_TUPLE) {
        differentiate_list(w, s, out);
        return;
    }
    ExprId rhs = placed(w, s->rhs);
    if (symbolic_holds_reals(w->g, expr_type(w->g, s->lhs)))
        vec_push(out, assign(s->span, tangent_place(w, s->lhs), tangent_of(w, rhs)));
    vec_push(out, assign(s->span, placed(w, s->lhs), rhs));
}

static Stmt *keep(Tangent *w, Stmts *list)
{
    Stmt *kept = ARENA_ARRAY(w->g->arena, Stmt, list->n + 1);
    if (list->n)
        memcpy(kept, list->at, list->n * sizeof *kept);
    vec_free(list);
    return kept;
}

static Stmt differentiate_branches(Tangent *w, const Stmt *s)
{
    Stmt to = *s;
    to.lhs = s->kind == STMT_FOR ? s->lhs : placed(w, s->lhs);
    to.rhs = placed(w, s->rhs);
    to.branches = ARENA_ARRAY(w->g->arena, StmtBranch, s->n_branches + 1);
    for (uint32_t b = 0; b < s->n_branches; b++) {
        Stmts body = {0};
        differentiate(w, s->branches[b].body, s->branches[b].n, &body);
        uint32_t n = body.n;
        to.branches[b] = (StmtBranch){placed(w, s->branches[b].condition), keep(w, &body), n};
    }
    return to;
}

/* Assertions and calls for their effect are left to the function itself. */
static void differentiate(Tangent *w, const Stmt *body, uint32_t n, Stmts *out)
{
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        const Stmt *s = &body[i];
        switch (s->kind) {
        case STMT_ASSIGN: differentiate_assignment(w, s, out); break;
        case STMT_IF:
        case STMT_FOR:
        case STMT_WHILE: vec_push(out, differentiate_branches(w, s)); break;
        case STMT_BREAK:
        case STMT_RETURN: vec_push(out, *s); break;
        case STMT_CALL:
        case STMT_ASSERT: break;
        default: w->failed = true; break;
        }
    }
}

/* ---- functions ---- */

static FnVar copied(Tangent *w, const FnVar *x, bool tangent_input)
{
    FnVar to = *x;
    uint32_t rank = type_rank(w->g->types, x->type);
    to.dims = ARENA_ARRAY(w->g->arena, ExprId, rank + 1);
    for (uint32_t k = 0; k < rank && x->dims && !tangent_input; k++)
        to.dims[k] = x->dims[k];
    return to;
}

/* Inputs, their tangents, tangents of outputs; then what `from` has, and tangents of it. */
static void add_variables(Tangent *w)
{
    const Function *f = w->from;
    for (uint32_t k = 0; k < f->n_in; k++)
        w->place[k] = add_variable(w, copied(w, &f->vars[k], false), FN_INPUT);
    for (uint32_t k = 0; k < f->n_in; k++)
        if (symbolic_holds_reals(w->g, f->vars[k].type)) {
            uint32_t t = add_variable(w, copied(w, &f->vars[k], true), FN_INPUT);
            w->tangents.at[k] = t;
        }
    w->to->n_in = w->vars.n;
    uint32_t *tangent = ARENA_ARRAY(w->g->arena, uint32_t, f->n_vars + 1);
    for (uint32_t k = f->n_in; k < f->n_in + f->n_out; k++)
        if (symbolic_holds_reals(w->g, f->vars[k].type))
            tangent[k] = add_variable(w, copied(w, &f->vars[k], false), FN_OUTPUT);
    w->to->n_out = w->vars.n - w->to->n_in;
    for (uint32_t k = f->n_in; k < f->n_vars; k++)
        w->place[k] = add_variable(w, copied(w, &f->vars[k], false), FN_LOCAL);
    for (uint32_t k = f->n_in; k < f->n_vars; k++) {
        if (!symbolic_holds_reals(w->g, f->vars[k].type))
            continue;
        if (k >= f->n_in + f->n_out)
            tangent[k] = add_variable(w, copied(w, &f->vars[k], false), FN_LOCAL);
        w->tangents.at[w->place[k]] = tangent[k];
    }
    for (uint32_t k = 0; k < w->vars.n; k++)
        for (uint32_t d = 0; d < type_rank(w->g->types, w->vars.at[k].type); d++)
            w->vars.at[k].dims[d] = placed(w, w->vars.at[k].dims[d]);
}

static void set_result(Tangent *w)
{
    Function *to = w->to;
    TypeId *types = ARENA_ARRAY(w->g->arena, TypeId, to->n_out + 1);
    for (uint32_t k = 0; k < to->n_out; k++)
        types[k] = w->vars.at[to->n_in + k].type;
    to->result = to->n_out == 1 ? types[0] : type_tuple(w->g->types, types, to->n_out);
}

/* Initial values are the first statements, so that tangents come in the same order. */
static void add_bindings(Tangent *w, Stmts *out)
{
    const Function *f = w->from;
    for (uint32_t k = f->n_in; k < f->n_vars && !w->failed; k++) {
        const FnVar *x = &f->vars[k];
        Stmt s = assign(x->span, expr_leaf(w->g, OP_LOCAL, x->type, k), x->binding);
        if (x->binding)
            differentiate_assignment(w, &s, out);
    }
}

static void begin(Tangent *w)
{
    Graph *g = w->g;
    Function *to = ARENA_NEW(g->arena, Function);
    const char *name = arena_printf(w->s->arena, "der(%s)", w->from->name);
    *to = (Function){.name = name_of(g->ctx->names, name),
                     .id = g->functions.n,
                     .span = w->from->span,
                     .smooth_order = -1,
                     .ready = true};
    vec_push(&g->functions, to);
    w->to = to;
    w->place = ARENA_ARRAY(g->arena, uint32_t, w->from->n_vars + 1);
    add_variables(w);
    set_result(w);
}

static bool finish(Tangent *w)
{
    Stmts body = {0};
    add_bindings(w, &body);
    differentiate(w, w->from->body, w->from->n_body, &body);
    w->to->n_body = body.n;
    w->to->body = keep(w, &body);
    w->to->n_vars = w->vars.n;
    w->to->vars = ARENA_ARRAY(w->g->arena, FnVar, w->vars.n + 1);
    memcpy(w->to->vars, w->vars.at, w->vars.n * sizeof *w->vars.at);
    vec_free(&w->vars);
    vec_free(&w->tangents);
    return !w->failed;
}

static bool has_tangent(const Graph *g, const Function *f)
{
    if (f->external || f->impure || !f->ready)
        return false;
    for (uint32_t k = f->n_in; k < f->n_in + f->n_out; k++)
        if (symbolic_holds_reals(g, f->vars[k].type))
            return true;
    return false;
}

/* The entry is made before the body is looked at: a recursive function calls its own tangent. */
const FnDerivative *symbolic_tangent(Symbolic *s, const Function *f)
{
    uint32_t known = map_get(&s->tangent_of, f->id);
    if (known != MAP_NONE)
        return s->tangents.at[known];
    map_put(&s->tangent_of, f->id, s->tangents.n);
    uint32_t at = s->tangents.n;
    vec_push(&s->tangents, NULL);
    if (!has_tangent(s->g, f))
        return NULL;
    Tangent w = {.s = s, .g = s->g, .from = f};
    begin(&w);
    FnDerivative *d = ARENA_NEW(s->g->arena, FnDerivative);
    *d = (FnDerivative){
        .function = w.to, .order = 1, .inputs = ARENA_ARRAY(s->g->arena, uint8_t, f->n_in + 1)};
    s->tangents.at[at] = d;
    if (!finish(&w))
        s->tangents.at[at] = NULL;
    return s->tangents.at[at];
}

/* ---- function g = der(f, x, …) ---- */

/* Inputs of f, then the tangents that pick input `which`. */
static ExprId seeded_call(Graph *g, const Function *f, const Function *tangent, uint32_t which)
{
    VEC(ExprId) args = {0};
    for (uint32_t k = 0; k < f->n_in; k++)
        vec_push(&args, expr_leaf(g, OP_LOCAL, f->vars[k].type, k));
    for (uint32_t k = 0; k < f->n_in; k++)
        if (k == which)
            vec_push(&args, expr_real(g, 1));
        else if (symbolic_holds_reals(g, f->vars[k].type))
            vec_push(&args, symbolic_zero_like(g, expr_leaf(g, OP_LOCAL, f->vars[k].type, k)));
    ExprId call = expr_make(g, OP_CALL, tangent->result, tangent->id, args.at, args.n);
    vec_free(&args);
    return call;
}

/* The body of `to`: its outputs are the derivatives of those of f. */
static bool set_partial_body(Symbolic *s, const Function *f, uint32_t which, Function *to)
{
    Graph *g = s->g;
    const FnDerivative *d = symbolic_tangent(s, f);
    if (!d || d->function->n_out != to->n_out)
        return false;
    VEC(ExprId) outputs = {0};
    for (uint32_t k = 0; k < to->n_out; k++)
        vec_push(&outputs, expr_leaf(g, OP_LOCAL, to->vars[to->n_in + k].type, to->n_in + k));
    ExprId lhs = to->n_out == 1 ? outputs.at[0]
                                : expr_make(g, OP_TUPLE, to->result, 0, outputs.at, outputs.n);
    vec_free(&outputs);
    to->body = ARENA_NEW(g->arena, Stmt);
    *to->body = assign(to->span, lhs, seeded_call(g, f, d->function, which));
    to->n_body = 1;
    to->ready = true;
    return true;
}

bool symbolic_partial(Symbolic *s, Function *to)
{
    const Function *f = to->partial_of;
    for (uint32_t i = 0; i < to->n_partial; i++) {
        Function *next = to;
        if (i + 1 < to->n_partial) {
            next = ARENA_NEW(s->g->arena, Function);
            *next = *to;
            next->id = s->g->functions.n;
            vec_push(&s->g->functions, next);
        }
        if (!set_partial_body(s, f, to->partial_inputs[i], next))
            return false;
        f = next;
    }
    return true;
}
