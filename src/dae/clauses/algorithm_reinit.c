/* Statements of an algorithm section that read a state after its reinit. reinit takes effect after
 * the statements, so they get the old value (Modelica 3.6, section 8.3.6). */
#include "dae/clauses/algorithm.h"
#include "expr/walk.h"

typedef struct Reading {
    Lower *L;
    const Stmt *reinit;
    const StmtBranch *branch;
    ExprId state, root; /* the target of the reinit, and the variable that it is an element of */
    bool after;         /* the statement at hand comes after it */
    bool found;
} Reading;

static ExprId root_of(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_INDEX)
        e = expr_arg(g, e, 0);
    return e;
}

/* An array as a whole, or the element itself; other elements do not count. */
static Walk read_state(void *user, ExprId e)
{
    Reading *r = user;
    const Graph *g = r->L->g;
    if (expr_op(g, e) == OP_PRE)
        return WALK_PAST;
    bool element = expr_op(g, e) == OP_INDEX && root_of(g, e) == r->root;
    bool same = e == r->state || (element && r->state == r->root) || e == r->root;
    if (!same)
        return element ? WALK_PAST : WALK_ON;
    r->found = true;
    return WALK_END;
}

static Walk judge_statement(void *user, const Stmt *s)
{
    Reading *r = user;
    r->after |= s == r->reinit;
    if (s->kind != STMT_ASSIGN || !r->after)
        return WALK_ON;
    r->found = false;
    expr_walk_down(r->L->g, s->rhs, read_state, r);
    if (!r->found)
        return WALK_ON;
    const char *name = flat_var_name(r->L->flat, expr_index(r->L->g, r->root), r->L->scratch);
    diag(r->L->ctx, s->span, DIAG_D103,
         "this statement reads %s before its reinit takes effect; write pre(%s) for the old value, "
         "or the expression of the new value",
         name, name);
    diag_note(r->L->ctx, r->reinit->span, "%s is reinitialized here", name);
    return WALK_ON;
}

static Walk judge_reinit(void *user, const Stmt *s)
{
    Reading *r = user;
    if (s->kind != STMT_REINIT)
        return WALK_ON;
    r->reinit = s;
    r->after = false;
    r->state = s->lhs;
    r->root = root_of(r->L->g, s->lhs);
    if (expr_op(r->L->g, r->root) == OP_VAR)
        stmt_walk(r->branch->body, r->branch->n, &(StmtVisitor){.statement = judge_statement}, r);
    return WALK_ON;
}

static void judge_branch(void *user, const Stmt *s, const StmtBranch *b)
{
    if (s->kind != STMT_WHEN)
        return;
    Reading r = {.L = user, .branch = b};
    stmt_walk(b->body, b->n, &(StmtVisitor){.statement = judge_reinit}, &r);
}

void algorithm_warn_of_values_before(Lower *L, const FlatEq *eq)
{
    stmt_walk(eq->stmts, eq->n_stmts, &(StmtVisitor){.branch = judge_branch}, L);
}
