/* The connections of a class by their ends. */
#include "edit/class_edit.h"

#include "syntax/tree/ast_walk.h"

typedef struct Each {
    ClassEdit *e;
    ConnectionFn fn;
    void *user;
} Each;

static Walk visit(void *user, const AstEq *eq)
{
    Each *each = user;
    if (eq->kind == AST_EQ_CONNECT)
        each->fn(each->e, eq, each->user);
    return WALK_ON;
}

void each_connection(ClassEdit *e, ConnectionFn fn, void *user)
{
    Each each = {e, fn, user};
    for (uint32_t i = 0; i < e->ast->equations.n; i++)
        ast_walk_equations(e->ast->equations.at[i].eqs.at, e->ast->equations.at[i].eqs.n,
                           &(AstVisitor){.equation = visit}, &each);
}

typedef struct Wanted {
    const char *a, *b;
    const AstEq *found;
} Wanted;

static bool is_end(ClassEdit *e, const AstExpr *x, const char *name)
{
    return x && !strcmp(ast_print_expr(x, e->arena), name);
}

static void compare(ClassEdit *e, const AstEq *eq, void *user)
{
    Wanted *w = user;
    if (!w->found && ((is_end(e, eq->lhs, w->a) && is_end(e, eq->rhs, w->b)) ||
                      (is_end(e, eq->lhs, w->b) && is_end(e, eq->rhs, w->a))))
        w->found = eq;
}

const AstEq *find_connection(ClassEdit *e, const char *a, const char *b)
{
    Wanted w = {a, b, NULL};
    if (a && b)
        each_connection(e, compare, &w);
    if (!w.found)
        refuse(e, "this class itself has no connection of '%.100s' and '%.100s'", a ? a : "",
               b ? b : "");
    return w.found;
}
