#include "expr/walk.h"

bool expr_walk_down(const Graph *g, ExprId e, Walk (*visit)(void *user, ExprId e), void *user)
{
    VEC(ExprId) stack = {0};
    Walk next = WALK_ON;
    vec_push(&stack, e);
    while (stack.n && next != WALK_END) {
        ExprId x = vec_pop(&stack);
        if (x == EXPR_NONE)
            continue;
        next = visit(user, x);
        for (uint32_t i = 0; next == WALK_ON && i < expr_n(g, x); i++)
            vec_push(&stack, expr_arg(g, x, i));
    }
    vec_free(&stack);
    return next != WALK_END;
}

bool stmt_walk(const Stmt *body, uint32_t n, const StmtVisitor *v, void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        Walk next = v->statement ? v->statement(user, s) : WALK_ON;
        if (next == WALK_PAST)
            continue;
        for (uint32_t k = 0; next == WALK_ON && k < s->n_branches; k++) {
            const StmtBranch *b = &s->branches[k];
            if (v->branch)
                v->branch(user, s, b);
            next = v->condition && b->condition ? v->condition(user, b->condition) : WALK_ON;
            if (next == WALK_ON && !stmt_walk(b->body, b->n, v, user))
                next = WALK_END;
            else if (next == WALK_PAST)
                next = WALK_ON;
        }
        if (next == WALK_END)
            return false;
        if (v->leave)
            v->leave(user, s);
    }
    return true;
}

Walk expr_each_visit(void *user, ExprId e)
{
    const ExprEach *w = user;
    w->visit(w->user, e);
    return WALK_ON;
}

Walk stmt_each_visit(void *user, const Stmt *s)
{
    const ExprEach *w = user;
    if (s->lhs)
        w->visit(w->user, s->lhs);
    if (s->rhs)
        w->visit(w->user, s->rhs);
    return WALK_ON;
}

void stmt_each_slot(Stmt *body, uint32_t n, void (*change)(void *user, ExprId *e), void *user)
{
    for (uint32_t i = 0; i < n; i++) {
        Stmt *s = &body[i];
        if (s->lhs)
            change(user, &s->lhs);
        if (s->rhs)
            change(user, &s->rhs);
        for (uint32_t k = 0; k < s->n_branches; k++) {
            if (s->branches[k].condition)
                change(user, &s->branches[k].condition);
            stmt_each_slot(s->branches[k].body, s->branches[k].n, change, user);
        }
    }
}

Stmt *stmt_map(Arena *arena, const Stmt *body, uint32_t n, ExprId (*map)(void *user, ExprId e),
               void *user)
{
    Stmt *out = ARENA_ARRAY(arena, Stmt, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const Stmt *s = &body[i];
        out[i] = *s;
        if (s->lhs && s->kind != STMT_FOR)
            out[i].lhs = map(user, s->lhs);
        out[i].rhs = s->rhs ? map(user, s->rhs) : EXPR_NONE;
        out[i].branches = ARENA_ARRAY(arena, StmtBranch, s->n_branches + 1);
        for (uint32_t k = 0; k < s->n_branches; k++) {
            const StmtBranch *b = &s->branches[k];
            out[i].branches[k] = (StmtBranch){b->condition ? map(user, b->condition) : EXPR_NONE,
                                              stmt_map(arena, b->body, b->n, map, user), b->n};
        }
    }
    return out;
}
