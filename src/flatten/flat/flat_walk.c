#include "flatten/flat/flat_walk.h"

bool flat_walk(const FlatEq *eqs, uint32_t n, const FlatVisitor *v, void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        const FlatEq *eq = &eqs[i];
        Walk next = v->equation ? v->equation(user, eq) : WALK_ON;
        if (next == WALK_PAST)
            continue;
        for (uint32_t k = 0; next == WALK_ON && k < eq->n_branches; k++) {
            const FlatBranch *b = &eq->branches[k];
            if (v->branch)
                v->branch(user, eq, b);
            next = v->condition && b->condition ? v->condition(user, b->condition) : WALK_ON;
            if (next == WALK_ON && !flat_walk(b->body, b->n, v, user))
                next = WALK_END;
            else if (next == WALK_PAST)
                next = WALK_ON;
        }
        const StmtVisitor statements = {v->statement, v->condition, v->statement_branch,
                                        v->leave_statement};
        if (next == WALK_END || !stmt_walk(eq->stmts, eq->n_stmts, &statements, user))
            return false;
        if (v->leave)
            v->leave(user, eq);
    }
    return true;
}

static Walk each_side(void *user, const FlatEq *eq)
{
    const ExprEach *w = user;
    if (eq->lhs)
        w->visit(w->user, eq->lhs);
    if (eq->rhs)
        w->visit(w->user, eq->rhs);
    return WALK_ON;
}

void flat_each_expr(const FlatEq *eqs, uint32_t n, void (*visit)(void *user, ExprId e), void *user)
{
    flat_walk(eqs, n,
              &(FlatVisitor){.equation = each_side,
                             .condition = expr_each_visit,
                             .statement = stmt_each_visit},
              &(ExprEach){visit, user});
}

void flat_each_slot(FlatEq *eqs, uint32_t n, void (*change)(void *user, ExprId *e), void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        FlatEq *eq = &eqs[i];
        if (eq->lhs)
            change(user, &eq->lhs);
        if (eq->rhs)
            change(user, &eq->rhs);
        for (uint32_t k = 0; k < eq->n_branches; k++) {
            if (eq->branches[k].condition)
                change(user, &eq->branches[k].condition);
            flat_each_slot(eq->branches[k].body, eq->branches[k].n, change, user);
        }
        stmt_each_slot(eq->stmts, eq->n_stmts, change, user);
    }
}

void flat_each_equation(FlatEq *eqs, uint32_t n, void (*change)(void *user, FlatEq *eq), void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        change(user, &eqs[i]);
        for (uint32_t k = 0; k < eqs[i].n_branches; k++)
            flat_each_equation(eqs[i].branches[k].body, eqs[i].branches[k].n, change, user);
    }
}

static ExprId mapped(ExprId e, ExprId (*map)(void *user, ExprId e), void *user)
{
    return e ? map(user, e) : EXPR_NONE;
}

FlatEq flat_map(Arena *arena, const FlatEq *eq, ExprId (*map)(void *user, ExprId e), void *user)
{
    FlatEq out = *eq;
    out.lhs = mapped(eq->lhs, map, user);
    out.rhs = mapped(eq->rhs, map, user);
    out.branches = eq->n_branches ? ARENA_ARRAY(arena, FlatBranch, eq->n_branches) : NULL;
    for (uint32_t k = 0; k < eq->n_branches; k++) {
        const FlatBranch *b = &eq->branches[k];
        FlatBranch *to = &out.branches[k];
        *to = (FlatBranch){mapped(b->condition, map, user), ARENA_ARRAY(arena, FlatEq, b->n), b->n,
                           b->span};
        for (uint32_t i = 0; i < b->n; i++)
            to->body[i] = flat_map(arena, &b->body[i], map, user);
    }
    out.stmts = eq->n_stmts ? stmt_map(arena, eq->stmts, eq->n_stmts, map, user) : NULL;
    return out;
}
