/* Calls of functions without results, as equations. Such a function, if neither external nor
 * impure, can only fail. Its call becomes an assertion that a similar function, with one output
 * that is true at its end, returns true. */
#include "flatten/components/components.h"
#include "expr/walk.h"

static ExprId moved_local(void *user, Graph *g, ExprId e)
{
    uint32_t first = *(const uint32_t *)user;
    if (expr_op(g, e) != OP_LOCAL)
        return EXPR_NONE;
    uint32_t i = expr_index(g, e);
    return i < first ? e : expr_leaf(g, OP_LOCAL, expr_type(g, e), i + 1);
}

/* Adds one to the numbers of locals from `first` on. */
static void move_locals(Graph *g, ExprId *e, uint32_t first)
{
    if (*e != EXPR_NONE)
        *e = expr_map(g, *e, moved_local, &first);
}

typedef struct Move {
    Graph *g;
    uint32_t first;
} Move;

static ExprId moved(void *user, ExprId e)
{
    Move *m = user;
    return expr_map(m->g, e, moved_local, &m->first);
}

static void move_vars(Graph *g, const Function *f, Function *like)
{
    like->n_vars = f->n_vars + 1;
    like->vars = ARENA_ARRAY(g->arena, FnVar, like->n_vars);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        FnVar *v = &like->vars[i < f->n_in ? i : i + 1];
        *v = f->vars[i];
        move_locals(g, &v->binding, f->n_in);
        uint32_t rank = v->dims ? type_rank(g->types, v->type) : 0;
        if (rank)
            v->dims = ARENA_ARRAY(g->arena, ExprId, rank);
        for (uint32_t k = 0; k < rank; k++) {
            v->dims[k] = f->vars[i].dims[k];
            move_locals(g, &v->dims[k], f->n_in);
        }
    }
}

/* The like function of f; made once. */
static Function *succeeds(Library *lib, const Function *f)
{
    Graph *g = lib->g;
    Name name = library_name(lib, arena_printf(lib->arena, "%s.succeeds", f->name));
    for (uint32_t i = f->id + 1; i < g->functions.n; i++)
        if (g->functions.at[i]->name == name)
            return g->functions.at[i];
    Function *like = ARENA_NEW(g->arena, Function);
    *like = *f;
    like->name = name;
    like->id = g->functions.n;
    like->n_out = 1;
    like->result = T_BOOL;
    like->inlined = false;
    move_vars(g, f, like);
    FnVar answer = {
        .name = library_name(lib, "succeeds"), .kind = FN_OUTPUT, .type = T_BOOL, .span = f->span};
    answer.binding = expr_bool(g, true);
    like->vars[f->n_in] = answer;
    like->body = stmt_map(g->arena, f->body, f->n_body, moved, &(Move){g, f->n_in});
    vec_push(&g->functions, like);
    return like;
}

void add_call(Flattener *f, FlatEq e, FlatEqs *out)
{
    Graph *g = f->g;
    const Function *fn =
        expr_op(g, e.rhs) == OP_CALL ? g->functions.at[expr_index(g, e.rhs)] : NULL;
    if (fn && !fn->n_out && !fn->external && !fn->impure && fn->ready) {
        const Function *like = succeeds(f->lib, fn);
        VEC(ExprId) args = {0};
        for (uint32_t i = 0; i < expr_n(g, e.rhs); i++)
            vec_push(&args, expr_arg(g, e.rhs, i));
        e.kind = FLAT_ASSERT;
        e.lhs = expr_make(g, OP_CALL, T_BOOL, like->id, args.at, args.n);
        e.rhs = expr_string(g, fn->name, strlen(fn->name));
        vec_free(&args);
    }
    vec_push(out, e);
}
