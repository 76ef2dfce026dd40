/* Printing of equations and statements: one a line, bodies indented. */
#include "syntax/tree/printer.h"

static void put_equations(Printer *o, AstEq *const *at, uint32_t n);
static void put_statements(Printer *o, AstStmt *const *at, uint32_t n);

static void put_end(Printer *o, const char *word)
{
    put_line(o);
    put(o, "end ");
    put(o, word);
}

/* first cond then body { more cond then body } [ else body ] */
static void put_eq_branches(Printer *o, const AstEq *eq, const char *first, const char *more)
{
    for (uint32_t i = 0; i < eq->branches.n; i++) {
        const AstEqBranch *b = &eq->branches.at[i];
        if (i)
            put_line(o);
        put(o, !b->condition ? "else" : i ? more : first);
        if (b->condition) {
            put_expr(o, b->condition);
            put(o, " then");
        }
        put_equations(o, b->body.at, b->body.n);
    }
}

void put_connect(Printer *o, const AstEq *eq)
{
    put(o, "connect(");
    put_expr(o, eq->lhs);
    put(o, ", ");
    put_expr(o, eq->rhs);
    put(o, ")");
}

static void put_equation(Printer *o, const AstEq *eq)
{
    switch (eq->kind) {
    case AST_EQ_SIMPLE:
        put_expr(o, eq->lhs);
        put(o, " = ");
        put_expr(o, eq->rhs);
        break;
    case AST_EQ_CALL: put_expr(o, eq->lhs); break;
    case AST_EQ_CONNECT: put_connect(o, eq); break;
    case AST_EQ_FOR:
        put(o, "for ");
        put_iters(o, eq->iters.at, eq->iters.n);
        put(o, " loop");
        put_equations(o, eq->branches.at[0].body.at, eq->branches.at[0].body.n);
        put_end(o, "for");
        break;
    case AST_EQ_IF:
        put_eq_branches(o, eq, "if ", "elseif ");
        put_end(o, "if");
        break;
    case AST_EQ_WHEN:
        put_eq_branches(o, eq, "when ", "elsewhen ");
        put_end(o, "when");
        break;
    }
    put_comment(o, &eq->comment);
    put(o, ";");
}

static void put_equations(Printer *o, AstEq *const *at, uint32_t n)
{
    o->indent++;
    for (uint32_t i = 0; i < n; i++) {
        put_line(o);
        put_equation(o, at[i]);
    }
    o->indent--;
}

void put_equation_section(Printer *o, const AstEqSection *s)
{
    put_line(o);
    put(o, s->initial ? "initial equation" : "equation");
    put_equations(o, s->eqs.at, s->eqs.n);
}

static void put_st_branches(Printer *o, const AstStmt *s, const char *first, const char *more,
                            const char *word)
{
    for (uint32_t i = 0; i < s->branches.n; i++) {
        const AstStmtBranch *b = &s->branches.at[i];
        if (i)
            put_line(o);
        put(o, !b->condition ? "else" : i ? more : first);
        if (b->condition) {
            put_expr(o, b->condition);
            put(o, word);
        }
        put_statements(o, b->body.at, b->body.n);
    }
}

static void put_statement(Printer *o, const AstStmt *s)
{
    switch (s->kind) {
    case AST_ST_ASSIGN:
        put_expr(o, s->lhs);
        put(o, " := ");
        put_expr(o, s->rhs);
        break;
    case AST_ST_CALL: put_expr(o, s->rhs); break;
    case AST_ST_FOR:
        put(o, "for ");
        put_iters(o, s->iters.at, s->iters.n);
        put(o, " loop");
        put_statements(o, s->branches.at[0].body.at, s->branches.at[0].body.n);
        put_end(o, "for");
        break;
    case AST_ST_IF:
        put_st_branches(o, s, "if ", "elseif ", " then");
        put_end(o, "if");
        break;
    case AST_ST_WHEN:
        put_st_branches(o, s, "when ", "elsewhen ", " then");
        put_end(o, "when");
        break;
    case AST_ST_WHILE:
        put_st_branches(o, s, "while ", "", " loop");
        put_end(o, "while");
        break;
    case AST_ST_BREAK: put(o, "break"); break;
    case AST_ST_RETURN: put(o, "return"); break;
    }
    put_comment(o, &s->comment);
    put(o, ";");
}

static void put_statements(Printer *o, AstStmt *const *at, uint32_t n)
{
    o->indent++;
    for (uint32_t i = 0; i < n; i++) {
        put_line(o);
        put_statement(o, at[i]);
    }
    o->indent--;
}

void put_algorithm_section(Printer *o, const AstAlgSection *s)
{
    put_line(o);
    put(o, s->initial ? "initial algorithm" : "algorithm");
    put_statements(o, s->stmts.at, s->stmts.n);
}
