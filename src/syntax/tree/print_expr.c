/* Printing of expressions. The tree has a node for every pair of parentheses, so it is printed as
 * it is. */
#include "syntax/tree/printer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- text ---- */

static void put_bytes(Printer *o, const char *s, size_t n)
{
    if (o->cap - o->n < n) {
        size_t cap = (o->cap ? o->cap * 2 : 4096) + n;
        o->text = memory_grow(o->text, o->cap, cap);
        o->cap = cap;
    }
    if (n)
        memcpy(o->text + o->n, s, n);
    o->n += n;
}

void put(Printer *o, const char *s)
{
    put_bytes(o, s, strlen(s));
}

void put_line(Printer *o)
{
    put_bytes(o, "\n", 1);
    for (unsigned i = 0; i < o->indent; i++)
        put_bytes(o, "  ", 2);
}

static const char *escape_of(char c, bool raw_lines)
{
    switch (c) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\a': return "\\a";
    case '\b': return "\\b";
    case '\f': return "\\f";
    case '\r': return "\\r";
    case '\v': return "\\v";
    case '\n': return raw_lines ? NULL : "\\n";
    case '\t': return raw_lines ? NULL : "\\t";
    default: return NULL;
    }
}

void put_string(Printer *o, const char *s, size_t n)
{
    put(o, "\"");
    size_t from = 0;
    for (size_t i = 0; i < n; i++) {
        const char *escape = escape_of(s[i], o->raw_lines);
        if (!escape)
            continue;
        put_bytes(o, s + from, i - from);
        put(o, escape);
        from = i + 1;
    }
    put_bytes(o, s + from, n - from);
    put(o, "\"");
}

char *printer_take(Printer *o, Arena *arena)
{
    char *text = arena_copy(arena, o->text ? o->text : "", o->n);
    memory_free(o->text);
    *o = (Printer){0};
    return text;
}

/* ---- names ---- */

void put_name(Printer *o, const AstName *n)
{
    for (uint32_t i = 0; i < n->n; i++) {
        if (i || n->absolute)
            put(o, ".");
        put(o, n->parts[i]);
    }
}

void put_subscripts(Printer *o, AstExpr *const *at, uint32_t n)
{
    if (!n)
        return;
    put(o, "[");
    put_exprs(o, at, n);
    put(o, "]");
}

void put_ref(Printer *o, const AstRef *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        if (i || r->absolute)
            put(o, ".");
        put(o, r->parts[i].name);
        put_subscripts(o, r->parts[i].subs.at, r->parts[i].subs.n);
    }
}

/* ---- expressions ---- */

void put_exprs(Printer *o, AstExpr *const *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            put(o, ", ");
        if (at[i])
            put_expr(o, at[i]);
    }
}

void put_iters(Printer *o, const AstIter *at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            put(o, ", ");
        put(o, at[i].name);
        if (at[i].range) {
            put(o, " in ");
            put_expr(o, at[i].range);
        }
    }
}

static void put_comprehension(Printer *o, const AstExpr *e)
{
    if (!e->iters.n)
        return;
    put(o, " for ");
    put_iters(o, e->iters.at, e->iters.n);
}

/* If a node was not parsed, its value is printed. */
static void put_number(Printer *o, const AstExpr *e)
{
    char buffer[40];
    if (e->text) {
        put(o, e->text);
        return;
    }
    if (e->kind == AST_INT)
        snprintf(buffer, sizeof buffer, "%" PRId64, e->integer);
    else
        snprintf(buffer, sizeof buffer, "%.17g", e->real);
    put(o, buffer);
}

static void put_arguments(Printer *o, const AstExpr *e)
{
    put(o, "(");
    put_exprs(o, e->args.at, e->args.n);
    put_comprehension(o, e);
    for (uint32_t i = 0; i < e->named.n; i++) {
        if (i || e->args.n)
            put(o, ", ");
        put(o, e->named.at[i].name);
        put(o, "=");
        put_expr(o, e->named.at[i].value);
    }
    put(o, ")");
}

static void put_if(Printer *o, const AstExpr *e)
{
    uint32_t n = e->args.n;
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        put(o, i ? " elseif " : "if ");
        put_expr(o, e->args.at[i]);
        put(o, " then ");
        put_expr(o, e->args.at[i + 1]);
    }
    put(o, " else ");
    put_expr(o, e->args.at[n - 1]);
}

static void put_matrix(Printer *o, const AstExpr *e)
{
    put(o, "[");
    for (uint32_t i = 0; i < e->args.n; i++) {
        if (i)
            put(o, "; ");
        put_exprs(o, e->args.at[i]->args.at, e->args.at[i]->args.n);
    }
    put(o, "]");
}

static void put_range(Printer *o, const AstExpr *e)
{
    for (uint32_t i = 0; i < e->args.n; i++) {
        if (i)
            put(o, ":");
        put_expr(o, e->args.at[i]);
    }
}

static void put_operator(Printer *o, AstOp op)
{
    bool tight = op >= AST_OP_MUL;
    if (!tight)
        put(o, " ");
    /* "2 .* x": a point directly after a number would belong to the number */
    if (tight && ast_op_text(op)[0] == '.')
        put(o, " ");
    put(o, ast_op_text(op));
    if (!tight || op == AST_OP_EMUL || op == AST_OP_EDIV || op == AST_OP_EPOW)
        put(o, " ");
}

/* Chains are left-deep and may be long: their spine is walked, not recursed into. */
static void put_binary(Printer *o, const AstExpr *e)
{
    VEC(const AstExpr *) spine = {0};
    for (; e->kind == AST_BINARY; e = e->args.at[0])
        vec_push(&spine, e);
    put_expr(o, e);
    while (spine.n) {
        const AstExpr *b = vec_pop(&spine);
        put_operator(o, b->op);
        put_expr(o, b->args.at[1]);
    }
    vec_free(&spine);
}

static void put_unary(Printer *o, const AstExpr *e)
{
    put(o, ast_op_text(e->op));
    if (e->op == AST_OP_NOT || e->op == AST_OP_EADD || e->op == AST_OP_ESUB)
        put(o, " ");
    put_expr(o, e->args.at[0]);
}

static void put_list(Printer *o, const AstExpr *e, const char *open, const char *close)
{
    put(o, open);
    put_exprs(o, e->args.at, e->args.n);
    put_comprehension(o, e);
    put(o, close);
}

void put_expr(Printer *o, const AstExpr *e)
{
    switch (e->kind) {
    case AST_REAL:
    case AST_INT: put_number(o, e); break;
    case AST_STRING: put_string(o, e->string, e->string_size); break;
    case AST_BOOL: put(o, e->boolean ? "true" : "false"); break;
    case AST_REF: put_ref(o, e->ref); break;
    case AST_UNARY: put_unary(o, e); break;
    case AST_BINARY: put_binary(o, e); break;
    case AST_IF: put_if(o, e); break;
    case AST_PARTIAL: put(o, "function "); /* fall through */
    case AST_CALL:
        put_ref(o, e->ref);
        put_arguments(o, e);
        break;
    case AST_ARRAY: put_list(o, e, "{", "}"); break;
    case AST_MATRIX: put_matrix(o, e); break;
    case AST_RANGE: put_range(o, e); break;
    case AST_TUPLE: put_list(o, e, "(", ")"); break;
    case AST_FIELD:
        put_expr(o, e->args.at[0]);
        put(o, ".");
        put(o, e->text);
        break;
    case AST_ELEMENT:
        put_expr(o, e->args.at[0]);
        put(o, "[");
        put_exprs(o, e->args.at + 1, e->args.n - 1);
        put(o, "]");
        break;
    case AST_END: put(o, "end"); break;
    case AST_COLON: put(o, ":"); break;
    }
}

char *ast_print_expr(const AstExpr *e, Arena *arena)
{
    Printer o = {0};
    put_expr(&o, e);
    return printer_take(&o, arena);
}

char *ast_print_ref(const AstRef *r, Arena *arena)
{
    Printer o = {0};
    put_ref(&o, r);
    return printer_take(&o, arena);
}
