#include "syntax/tree/ast_walk.h"

/* False after WALK_END. */
static bool visit_expr(const AstExpr *e, const AstVisitor *v, void *user)
{
    return !e || !v->expression || v->expression(user, e) != WALK_END;
}

bool ast_walk_equations(AstEq *const *eqs, uint32_t n, const AstVisitor *v, void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        const AstEq *eq = eqs[i];
        Walk next = v->equation ? v->equation(user, eq) : WALK_ON;
        if (next == WALK_PAST)
            continue;
        if (next == WALK_END || !visit_expr(eq->lhs, v, user) || !visit_expr(eq->rhs, v, user))
            return false;
        for (uint32_t k = 0; k < eq->branches.n; k++) {
            const AstEqBranch *b = &eq->branches.at[k];
            if (!visit_expr(b->condition, v, user) ||
                !ast_walk_equations(b->body.at, b->body.n, v, user))
                return false;
        }
    }
    return true;
}

bool ast_walk_statements(AstStmt *const *stmts, uint32_t n, const AstVisitor *v, void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        const AstStmt *s = stmts[i];
        Walk next = v->statement ? v->statement(user, s) : WALK_ON;
        if (next == WALK_PAST)
            continue;
        if (next == WALK_END || !visit_expr(s->lhs, v, user) || !visit_expr(s->rhs, v, user))
            return false;
        for (uint32_t k = 0; k < s->branches.n; k++) {
            const AstStmtBranch *b = &s->branches.at[k];
            if (!visit_expr(b->condition, v, user) ||
                !ast_walk_statements(b->body.at, b->body.n, v, user))
                return false;
        }
    }
    return true;
}

static bool walk_subscripts(const AstRef *ref, Walk (*visit)(void *user, const AstExpr *e),
                            void *user)
{
    for (uint32_t i = 0; ref && i < ref->n; i++)
        for (uint32_t k = 0; k < ref->parts[i].subs.n; k++)
            if (!ast_walk_expr(ref->parts[i].subs.at[k], visit, user))
                return false;
    return true;
}

static bool has_ref(const AstExpr *e)
{
    return e->kind == AST_REF || e->kind == AST_CALL || e->kind == AST_PARTIAL;
}

/* The depth is that of the parser; the left spine of a chain is walked without recursion. */
bool ast_walk_expr(const AstExpr *e, Walk (*visit)(void *user, const AstExpr *e), void *user)
{
    for (; e; e = e->args.n ? e->args.at[0] : NULL) {
        Walk next = visit(user, e);
        if (next != WALK_ON)
            return next == WALK_PAST;
        if (has_ref(e) && !walk_subscripts(e->ref, visit, user))
            return false;
        for (uint32_t i = e->args.n; i-- > 1;)
            if (!ast_walk_expr(e->args.at[i], visit, user))
                return false;
        for (uint32_t i = 0; i < e->named.n; i++)
            if (!ast_walk_expr(e->named.at[i].value, visit, user))
                return false;
    }
    return true;
}
