/* Functions without records: a function with record variables becomes one with a variable per leaf.
 * The leaves of a type are its fields that are not records, in order, with those of nested records
 * in place. An array of records has arrays as leaves, its own dimensions first. An expression of
 * record type becomes one expression per leaf. Statements keep their order, so asserts keep their
 * numbers. */
#include "codegen/emit.h"
#include "external/external.h"
#include "expr/walk.h"

enum { DEPTH_LIMIT = 400 };

typedef VEC(ExprId) Ids;

typedef struct Lowering {
    Codegen *cg;
    Graph *g;
    const Function *from; /* the function being lowered; NULL for an equation */
    uint32_t *first;      /* per variable of `from`: its first variable in the new function */
    Map memo;             /* expression to the one expression it becomes */
    unsigned depth;
} Lowering;

static void lower(Lowering *w, ExprId e, Ids *out);

/* ---- leaves of types ---- */

static const Type *element_type(const Graph *g, TypeId type)
{
    return type_get(g->types, type_element(g->types, type));
}

static uint32_t count_leaves(const Graph *g, TypeId type)
{
    const Type *t = element_type(g, type);
    if (t->kind != TYPE_RECORD) {
        return 1;
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        n += count_leaves(g, t->fields[i].type);
    }
    return n;
}

static TypeId in_array(Graph *g, TypeId array, TypeId leaf)
{
    const Type *t = type_get(g->types, array);
    return t->kind == TYPE_ARRAY ? type_array(g->types, leaf, t->dims, t->n) : leaf;
}

static TypeId leaf_type(Graph *g, TypeId type, uint32_t k)
{
    const Type *t = element_type(g, type);
    if (t->kind != TYPE_RECORD) {
        return type;
    }
    uint32_t i = 0;
    for (uint32_t n; k >= (n = count_leaves(g, t->fields[i].type)); i++) {
        k -= n;
    }
    return in_array(g, type, leaf_type(g, t->fields[i].type, k));
}

static uint32_t field_offset(const Graph *g, const Type *record, uint32_t field)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < field; i++) {
        n += count_leaves(g, record->fields[i].type);
    }
    return n;
}

/* ---- types and functions with records ---- */

static bool function_has_records(const Graph *g, const Function *f)
{
    for (uint32_t k = 0; k < f->n_vars; k++) {
        if (element_type(g, f->vars[k].type)->kind == TYPE_RECORD) {
            return true;
        }
    }
    return false;
}

typedef struct Finder {
    const Graph *g;
    bool found;
} Finder;

static void look(void *user, ExprId e)
{
    Finder *x = user;
    bool call = expr_op(x->g, e) == OP_CALL;
    x->found = x->found || element_type(x->g, expr_type(x->g, e))->kind == TYPE_RECORD ||
               (call && function_has_records(x->g, x->g->functions.at[expr_index(x->g, e)]));
}

static bool has_records(const Graph *g, ExprId e)
{
    Finder x = {g, false};
    if (e != EXPR_NONE) {
        expr_walk(g, e, look, &x);
    }
    return x.found;
}

/* ---- expressions ---- */

static ExprId lower_one(Lowering *w, ExprId e)
{
    Ids out = {0};
    if (e == EXPR_NONE) {
        return e;
    }
    lower(w, e, &out);
    ExprId one = out.n == 1 ? out.at[0] : EXPR_NONE;
    if (out.n != 1) {
        emit_reject(w->cg, "a record in this place");
    }
    vec_free(&out);
    return one;
}

/* The type of a call of the record-free function made from f. A call of f has the type `type`,
 * which knows the sizes. */
static TypeId leaves_type(Graph *g, const Function *f, TypeId type)
{
    VEC(TypeId) items = {0};
    for (uint32_t k = 0; k < f->n_out; k++) {
        TypeId one = f->n_out == 1 ? type : type_get(g->types, type)->fields[k].type;
        for (uint32_t j = 0, n = count_leaves(g, one); j < n; j++) {
            vec_push(&items, leaf_type(g, one, j));
        }
    }
    TypeId all = items.n == 0   ? T_NONE
                 : items.n == 1 ? items.at[0]
                                : type_tuple(g->types, items.at, items.n);
    vec_free(&items);
    return all;
}

/* The call of the record-free function; EXPR_NONE after an error. */
static ExprId call_without_records(Lowering *w, ExprId e)
{
    const Function *f = w->g->functions.at[expr_index(w->g, e)];
    Ids args = {0};
    for (uint32_t i = 0, m = expr_n(w->g, e); i < m; i++) {
        lower(w, expr_arg(w->g, e, i), &args);
    }
    const Function *to = function_has_records(w->g, f) ? records_function(w->cg, f) : f;
    ExprId call = EXPR_NONE;
    if (to != NULL && !w->cg->failed) {
        TypeId type = to == f ? expr_type(w->g, e) : leaves_type(w->g, f, expr_type(w->g, e));
        call = expr_make(w->g, OP_CALL, type, to->id, args.at, args.n);
    }
    vec_free(&args);
    return call;
}

/* Results `first` … `first + n` of the call. */
static void lower_call(Lowering *w, ExprId e, uint32_t first, uint32_t n, Ids *out)
{
    ExprId call = call_without_records(w, e);
    if (call == EXPR_NONE) {
        return;
    }
    const Function *to = w->g->functions.at[expr_index(w->g, call)];
    for (uint32_t k = 0; k < n; k++) {
        const Type *results = type_get(w->g->types, expr_type(w->g, call));
        TypeId leaf = to->n_out == 1 ? expr_type(w->g, call) : results->fields[first + k].type;
        vec_push(out, to->n_out == 1 ? call : expr_make(w->g, OP_OUT, leaf, first + k, &call, 1));
    }
}

static void lower_out(Lowering *w, ExprId e, Ids *out)
{
    ExprId call = expr_arg(w->g, e, 0);
    const Function *f = w->g->functions.at[expr_index(w->g, call)];
    uint32_t first = 0, k = expr_index(w->g, e);
    for (uint32_t i = 0; i < k; i++) {
        first += count_leaves(w->g, f->vars[f->n_in + i].type);
    }
    lower_call(w, call, first, count_leaves(w->g, f->vars[f->n_in + k].type), out);
}

/* x[subs] of every leaf; x[i][j] with scalar i is x[i, j]. */
static ExprId index_of(Lowering *w, ExprId x, const ExprId *subs, uint32_t n, TypeId type)
{
    Ids args = {0};
    bool flat = expr_op(w->g, x) == OP_INDEX;
    for (uint32_t k = 1; flat && k < expr_n(w->g, x); k++) {
        ExprId s = expr_arg(w->g, x, k);
        flat = expr_op(w->g, s) != OP_COLON && type_rank(w->g->types, expr_type(w->g, s)) == 0;
    }
    vec_push(&args, flat ? expr_arg(w->g, x, 0) : x);
    for (uint32_t k = 1; flat && k < expr_n(w->g, x); k++) {
        vec_push(&args, expr_arg(w->g, x, k));
    }
    for (uint32_t k = 0; k < n; k++) {
        vec_push(&args, subs[k]);
    }
    ExprId e = expr_make(w->g, OP_INDEX, type, 0, args.at, args.n);
    vec_free(&args);
    return e;
}

static void lower_index(Lowering *w, ExprId e, Ids *out)
{
    Ids base = {0}, subs = {0};
    lower(w, expr_arg(w->g, e, 0), &base);
    for (uint32_t k = 1; k < expr_n(w->g, e); k++) {
        ExprId s = expr_arg(w->g, e, k);
        vec_push(&subs, expr_op(w->g, s) == OP_COLON ? s : lower_one(w, s));
    }
    for (uint32_t j = 0; j < base.n; j++) {
        vec_push(out,
                 index_of(w, base.at[j], subs.at, subs.n, leaf_type(w->g, expr_type(w->g, e), j)));
    }
    vec_free(&base);
    vec_free(&subs);
}

static void lower_field(Lowering *w, ExprId e, Ids *out)
{
    ExprId x = expr_arg(w->g, e, 0);
    const Type *record = element_type(w->g, expr_type(w->g, x));
    uint32_t first = field_offset(w->g, record, expr_index(w->g, e));
    Ids all = {0};
    lower(w, x, &all);
    for (uint32_t k = 0, n = count_leaves(w->g, expr_type(w->g, e)); k < n && first + k < all.n;
         k++) {
        vec_push(out, all.at[first + k]);
    }
    vec_free(&all);
}

/* The operator leaf by leaf: every argument has either one leaf or as many as the result. */
static void lower_by_leaf(Lowering *w, ExprId e, Ids *out)
{
    uint32_t n = expr_n(w->g, e), leaves = count_leaves(w->g, expr_type(w->g, e));
    Ids *args = ARENA_ARRAY(w->cg->scratch, Ids, n + 1);
    Ids one = {0};
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(w->g, e, i);
        if (a == EXPR_NONE || expr_op(w->g, a) == OP_COLON) {
            vec_push(&args[i], a);
        } else {
            lower(w, a, &args[i]);
        }
    }
    for (uint32_t j = 0; j < leaves && !w->cg->failed; j++) {
        vec_clear(&one);
        for (uint32_t i = 0; i < n; i++) {
            if (args[i].n != 1 && args[i].n != leaves) {
                emit_reject(w->cg, "this operator on records");
                break;
            }
            vec_push(&one, args[i].at[args[i].n == 1 ? 0 : j]);
        }
        vec_push(out, expr_make(w->g, expr_op(w->g, e), leaf_type(w->g, expr_type(w->g, e), j),
                                expr_index(w->g, e), one.at, one.n));
    }
    for (uint32_t i = 0; i < n; i++) {
        vec_free(&args[i]);
    }
    vec_free(&one);
}

static void lower_local(Lowering *w, ExprId e, Ids *out)
{
    uint32_t k = expr_index(w->g, e);
    for (uint32_t j = 0, n = count_leaves(w->g, expr_type(w->g, e)); j < n; j++) {
        vec_push(out, expr_leaf(w->g, OP_LOCAL, leaf_type(w->g, expr_type(w->g, e), j),
                                w->first[k] + j));
    }
}

/* size, ndims of any leaf, whose first dimensions are those of the array. */
static void lower_size(Lowering *w, ExprId e, Ids *out)
{
    ExprId x = expr_arg(w->g, e, 0),
           which = expr_n(w->g, e) > 1 ? lower_one(w, expr_arg(w->g, e, 1)) : EXPR_NONE;
    if (expr_op(w->g, e) == OP_NDIMS) {
        vec_push(out, expr_int(w->g, type_rank(w->g->types, expr_type(w->g, x))));
        return;
    }
    Ids all = {0};
    lower(w, x, &all);
    if (all.n == 0 || (which == EXPR_NONE && all.n > 1)) {
        emit_reject(w->cg, "size of this array of records");
    } else {
        vec_push(out, expr_make(w->g, OP_SIZE, expr_type(w->g, e), 0, (ExprId[]){all.at[0], which},
                                which == EXPR_NONE ? 1 : 2));
    }
    vec_free(&all);
}

static void lower_node(Lowering *w, ExprId e, Ids *out);

static void lower(Lowering *w, ExprId e, Ids *out)
{
    uint32_t known = map_get(&w->memo, e), n = out->n;
    if (known != MAP_NONE) {
        vec_push(out, known);
        return;
    }
    lower_node(w, e, out);
    if (out->n == n + 1) {
        map_put(&w->memo, e, out->at[n]);
    }
}

static void lower_node(Lowering *w, ExprId e, Ids *out)
{
    if (++w->depth > DEPTH_LIMIT) {
        emit_reject(w->cg, "an expression with records that is nested so deeply");
    } else if (w->first == NULL && !has_records(w->g, e)) {
        vec_push(out, e);
    } else {
        switch (expr_op(w->g, e)) {
        case OP_LOCAL: lower_local(w, e, out); break;
        case OP_RECORD:
            for (uint32_t i = 0, n = expr_n(w->g, e); i < n; i++) {
                lower(w, expr_arg(w->g, e, i), out);
            }
            break;
        case OP_FIELD: lower_field(w, e, out); break;
        case OP_INDEX: lower_index(w, e, out); break;
        case OP_CALL: {
            const Function *f = w->g->functions.at[expr_index(w->g, e)];
            lower_call(w, e, 0, f->n_out > 0 ? count_leaves(w->g, expr_type(w->g, e)) : 0, out);
            break;
        }
        case OP_OUT: lower_out(w, e, out); break;
        case OP_SIZE:
        case OP_NDIMS: lower_size(w, e, out); break;
        default:
            /* an empty array of records has no elements, but leaves */
            if (expr_n(w->g, e) == 0 &&
                element_type(w->g, expr_type(w->g, e))->kind != TYPE_RECORD) {
                vec_push(out, e);
            } else {
                lower_by_leaf(w, e, out);
            }
        }
    }
    w->depth--;
}

ExprId records_expression(Codegen *cg, ExprId e)
{
    Lowering w = {.cg = cg, .g = cg->g};
    if (!has_records(cg->g, e)) {
        return e;
    }
    ExprId to = lower_one(&w, e);
    map_free(&w.memo);
    return cg->failed ? e : to;
}

/* ---- statements ---- */

typedef VEC(Stmt) Stmts;

static void lower_statements(Lowering *w, const Stmt *body, uint32_t n, Stmts *out);

/* A call with a list of results; an omitted record omits all its leaves. */
static void lower_results(Lowering *w, const Stmt *s, Stmts *out)
{
    const Function *f = w->g->functions.at[expr_index(w->g, s->rhs)];
    Ids to = {0};
    if (s->lhs != EXPR_NONE && expr_op(w->g, s->lhs) == OP_TUPLE) {
        for (uint32_t k = 0; k < expr_n(w->g, s->lhs); k++) {
            ExprId item = expr_arg(w->g, s->lhs, k);
            for (uint32_t j = 0;
                 item == EXPR_NONE && j < count_leaves(w->g, f->vars[f->n_in + k].type); j++) {
                vec_push(&to, EXPR_NONE);
            }
            if (item != EXPR_NONE) {
                lower(w, item, &to);
            }
        }
    } else if (s->lhs != EXPR_NONE) {
        lower(w, s->lhs, &to);
    }
    ExprId call = call_without_records(w, s->rhs);
    if (call != EXPR_NONE) {
        bool single = w->g->functions.at[expr_index(w->g, call)]->n_out == 1;
        Stmt x = *s;
        x.rhs = call;
        x.lhs = single && to.n == 1 ? to.at[0] : expr_make(w->g, OP_TUPLE, T_NONE, 0, to.at, to.n);
        vec_push(out, x);
    }
    vec_free(&to);
}

typedef struct Uses {
    const Graph *g;
    uint32_t local;
    bool found;
} Uses;

static void look_for_local(void *user, ExprId e)
{
    Uses *u = user;
    u->found = u->found || (expr_op(u->g, e) == OP_LOCAL && expr_index(u->g, e) == u->local);
}

/* r := R(r.y, r.x): leaf by leaf, the second assignment would read the new value of the first. */
static bool reads_written(Lowering *w, const Ids *to, const Ids *from)
{
    for (uint32_t i = 0; i < to->n; i++) {
        ExprId x = to->at[i];
        while (expr_op(w->g, x) == OP_INDEX) {
            x = expr_arg(w->g, x, 0);
        }
        Uses u = {w->g, expr_index(w->g, x), false};
        for (uint32_t j = i + 1; j < from->n; j++) {
            expr_walk(w->g, from->at[j], look_for_local, &u);
        }
        if (u.found) {
            return true;
        }
    }
    return false;
}

static void lower_assignment(Lowering *w, const Stmt *s, Stmts *out)
{
    bool record = element_type(w->g, expr_type(w->g, s->lhs))->kind == TYPE_RECORD;
    if (expr_op(w->g, s->rhs) == OP_CALL && (record || expr_op(w->g, s->lhs) == OP_TUPLE)) {
        lower_results(w, s, out);
        return;
    }
    Ids to = {0}, from = {0};
    lower(w, s->lhs, &to);
    lower(w, s->rhs, &from);
    if (to.n != from.n && !w->cg->failed) {
        emit_reject(w->cg, "this assignment of a record");
    } else if (reads_written(w, &to, &from)) {
        emit_reject(w->cg, "an assignment to a record that reads the same record");
    }
    for (uint32_t i = 0; i < to.n && !w->cg->failed; i++) {
        Stmt x = *s;
        x.lhs = to.at[i];
        x.rhs = from.at[i];
        vec_push(out, x);
    }
    vec_free(&to);
    vec_free(&from);
}

static Stmt *keep_statements(Lowering *w, const Stmts *s)
{
    Stmt *copy = ARENA_ARRAY(w->g->arena, Stmt, s->n + 1);
    if (s->n > 0) {
        memcpy(copy, s->at, s->n * sizeof *copy);
    }
    return copy;
}

static void lower_branches(Lowering *w, const Stmt *s, Stmt *out)
{
    out->branches = ARENA_ARRAY(w->g->arena, StmtBranch, s->n_branches + 1);
    for (uint32_t b = 0; b < s->n_branches; b++) {
        Stmts body = {0};
        lower_statements(w, s->branches[b].body, s->branches[b].n, &body);
        out->branches[b] =
            (StmtBranch){lower_one(w, s->branches[b].condition), keep_statements(w, &body), body.n};
        vec_free(&body);
    }
}

static void lower_statements(Lowering *w, const Stmt *body, uint32_t n, Stmts *out)
{
    for (uint32_t i = 0; i < n && !w->cg->failed; i++) {
        const Stmt *s = &body[i];
        Stmt x = *s;
        w->cg->span = s->span;
        switch (s->kind) {
        case STMT_ASSIGN: lower_assignment(w, s, out); continue;
        case STMT_CALL:
            if (expr_op(w->g, s->rhs) == OP_CALL) {
                x.rhs = call_without_records(w, s->rhs);
                break;
            }
            x.rhs = lower_one(w, s->rhs);
            break;
        case STMT_FOR: x.rhs = lower_one(w, s->rhs); break;
        case STMT_ASSERT:
            x.lhs = lower_one(w, s->lhs);
            x.rhs = lower_one(w, s->rhs);
            break;
        default: break;
        }
        lower_branches(w, s, &x);
        vec_push(out, x);
    }
}

/* ---- functions ---- */

static FnVar leaf_variable(Lowering *w, const FnVar *x, uint32_t j, ExprId binding)
{
    TypeId type = leaf_type(w->g, x->type, j);
    uint32_t rank = type_rank(w->g->types, type), own = type_rank(w->g->types, x->type);
    FnVar to = {
        .name = x->name, .kind = x->kind, .type = type, .binding = binding, .span = x->span};
    to.dims = ARENA_ARRAY(w->g->arena, ExprId, rank + 1);
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = type_dim(w->g->types, type, d);
        bool given = d < own && x->dims != NULL;
        to.dims[d] = given       ? lower_one(w, x->dims[d])
                     : size >= 0 ? expr_int(w->g, size)
                                 : EXPR_NONE;
    }
    return to;
}

static void lower_variables(Lowering *w, const Function *f, Function *to)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < f->n_vars; k++) {
        uint32_t leaves = count_leaves(w->g, f->vars[k].type);
        w->first[k] = n;
        n += leaves;
        to->n_in += k < f->n_in ? leaves : 0;
        to->n_out += k >= f->n_in && k < f->n_in + f->n_out ? leaves : 0;
    }
    to->n_vars = n;
    to->vars = ARENA_ARRAY(w->g->arena, FnVar, n + 1);
    for (uint32_t k = 0; k < f->n_vars && !w->cg->failed; k++) {
        Ids bindings = {0};
        w->cg->span = f->vars[k].span;
        if (k >= f->n_in && f->vars[k].binding != EXPR_NONE) {
            lower(w, f->vars[k].binding, &bindings);
        }
        for (uint32_t j = 0, m = count_leaves(w->g, f->vars[k].type); j < m; j++) {
            to->vars[w->first[k] + j] =
                leaf_variable(w, &f->vars[k], j, j < bindings.n ? bindings.at[j] : EXPR_NONE);
        }
        vec_free(&bindings);
    }
}

static TypeId result_type(Graph *g, const Function *f)
{
    TypeId *types = ARENA_ARRAY(g->arena, TypeId, f->n_out + 1);
    for (uint32_t k = 0; k < f->n_out; k++) {
        types[k] = f->vars[f->n_in + k].type;
    }
    return f->n_out == 0   ? T_NONE
           : f->n_out == 1 ? types[0]
                           : type_tuple(g->types, types, f->n_out);
}

static Walk find_records(void *user, ExprId e)
{
    return has_records(user, e) ? WALK_END : WALK_ON;
}

static Walk find_records_in(void *user, const Stmt *s)
{
    return has_records(user, s->lhs) || has_records(user, s->rhs) ? WALK_END : WALK_ON;
}

static bool body_has_records(const Graph *g, const Stmt *body, uint32_t n)
{
    return !stmt_walk(body, n,
                      &(StmtVisitor){.statement = find_records_in, .condition = find_records},
                      (void *)(uintptr_t)g);
}

bool records_inside(const Graph *g, const Function *f)
{
    bool found = function_has_records(g, f) || body_has_records(g, f->body, f->n_body);
    for (uint32_t k = 0; k < f->n_vars && !found; k++) {
        found = k >= f->n_in && has_records(g, f->vars[k].binding);
    }
    return found;
}

/* The arguments of an external function as the slots of its entry (external/external.h). */
static FnExternal *lower_external(Lowering *w, const Function *f)
{
    const FnExternal *from = f->external;
    FnExternal *to = ARENA_NEW(w->g->arena, FnExternal);
    Ids args = {0};
    *to = *from;
    to->whole = f;
    for (uint32_t i = 0; i < from->n_args; i++) {
        TypeId type = expr_type(w->g, from->args[i]);
        uint32_t first = args.n;
        lower(w, from->args[i], &args);
        ExprId length = expr_int(w->g, 1);
        for (uint32_t d = 0; d < type_rank(w->g->types, type); d++) {
            ExprId at[2] = {args.at[first], expr_int(w->g, d + 1)};
            length = expr_mul(w->g, length, expr_apply(w->g, OP_SIZE, T_INT, 0, at, 2));
        }
        if (external_is_record(w->g->types, type) && type_rank(w->g->types, type) > 0) {
            vec_push(&args, length);
        }
    }
    uint32_t k = from->result == UINT32_MAX ? 0 : f->n_in + from->result;
    if (k > 0 && external_is_record(w->g->types, f->vars[k].type)) {
        to->result = UINT32_MAX;
        for (uint32_t j = 0; j < count_leaves(w->g, f->vars[k].type); j++) {
            vec_push(&args, expr_leaf(w->g, OP_LOCAL, leaf_type(w->g, f->vars[k].type, j),
                                      w->first[k] + j));
        }
    } else if (k > 0) {
        uint32_t inputs = w->first[f->n_in];
        to->result = w->first[k] - inputs;
    }
    to->n_args = args.n;
    to->args = vec_keep(&args, w->g->arena);
    return to;
}

const Function *records_function(Codegen *cg, const Function *f)
{
    uint32_t known = map_get(&cg->lowered, f->id);
    if (known != MAP_NONE) {
        return cg->g->functions.at[known];
    }
    Span span = cg->span;
    Function *to = ARENA_NEW(cg->g->arena, Function);
    *to = *f;
    to->id = cg->g->functions.n;
    to->n_in = to->n_out = 0;
    to->inverse = NULL;
    to->n_derivatives = 0; /* their arguments are other ones */
    vec_push(&cg->g->functions, to);
    map_put(&cg->lowered, f->id, to->id);
    Lowering w = {.cg = cg, .g = cg->g, .from = f};
    w.first = ARENA_ARRAY(cg->g->arena, uint32_t, f->n_vars + 1);
    lower_variables(&w, f, to);
    to->result = result_type(cg->g, to);
    if (f->external != NULL)
        to->external = lower_external(&w, f);
    Stmts body = {0};
    lower_statements(&w, f->body, f->n_body, &body);
    to->body = keep_statements(&w, &body);
    to->n_body = body.n;
    to->ready = f->ready;
    vec_free(&body);
    map_free(&w.memo);
    cg->span = span;
    return cg->failed ? NULL : to;
}
