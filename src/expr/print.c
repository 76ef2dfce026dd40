/* Printing in Modelica's syntax, with as few parentheses as the grammar allows (appendix A.2.7 of the specification).
 * Chains of else and of sums are loops; other nesting recurses to a limit, below which "…" stands. */
#include "expr/function.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DEPTH_LIMIT = 2000, LEAF_SIZE = 4096 };

/* How tightly an expression binds. */
typedef enum Level {
    LEVEL_IF,
    LEVEL_RANGE,
    LEVEL_OR,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_RELATION,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_POWER,
    LEVEL_PRIMARY
} Level;

typedef struct Printer {
    const Graph *g;
    ExprLeafPrinter leaf;
    void *user;
    unsigned depth;
    VEC(char) out;
} Printer;

static void print(Printer *p, ExprId e, Level level);

static void put(Printer *p, const char *s)
{
    size_t n = strlen(s);
    if (n == 0)
        return;
    vec_reserve(&p->out, (size_t)p->out.n + n);
    memcpy(p->out.at + p->out.n, s, n);
    p->out.n += (uint32_t)n;
}

static void put_real(Printer *p, double v)
{
    char s[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(s, sizeof s, "%.*g", digits, v);
        if (strtod(s, NULL) == v || isnan(v))
            break;
    }
    if (!strpbrk(s, ".eni"))
        strcat(s, ".0");
    put(p, s);
}

static void put_string(Printer *p, const char *s)
{
    char one[2] = {0};
    put(p, "\"");
    for (; *s; s++) {
        static const char plain[] = "\"\\\n\t\r", letters[] = "\"\\ntr";
        const char *at = strchr(plain, *s);
        one[0] = at ? letters[at - plain] : *s;
        if (at)
            put(p, "\\");
        put(p, one);
    }
    put(p, "\"");
}

/* ---- leaves ---- */

static void put_leaf(Printer *p, ExprId e)
{
    char s[LEAF_SIZE] = "";
    uint32_t index = expr_index(p->g, e);
    if (p->leaf)
        p->leaf(p->user, p->g, e, s, sizeof s);
    if (!s[0]) {
        ExprOp op = expr_op(p->g, e);
        const char *prefix = op == OP_VAR ? "v" : op == OP_HOLE ? "#" : op == OP_LOCAL ? "local" : "i";
        snprintf(s, sizeof s, "%s%u", prefix, index);
    }
    put(p, s);
}

static void put_enum(Printer *p, ExprId e)
{
    const Type *t = type_get(p->g->types, expr_type(p->g, e));
    int64_t v = expr_int_value(p->g, e);
    if (t->name) {
        put(p, t->name);
        put(p, ".");
    }
    put(p, v >= 1 && v <= (int64_t)t->n ? t->fields[v - 1].name : "?");
}

static const char *function_name(const Graph *g, uint32_t k)
{
    const Function *f = k < g->functions.n ? g->functions.at[k] : NULL;
    if (f && f->destructor) /* an external object is made by the name of its class */
        return type_get(g->types, f->result)->name;
    return k < g->functions.n && g->functions.at[k] && g->functions.at[k]->name ? g->functions.at[k]->name
                                                                                : "?";
}

static void put_literal(Printer *p, ExprId e)
{
    char s[32];
    switch (expr_op(p->g, e)) {
    case OP_REAL: put_real(p, expr_real_value(p->g, e)); break;
    case OP_INT:
        snprintf(s, sizeof s, "%lld", (long long)expr_int_value(p->g, e));
        put(p, s);
        break;
    case OP_BOOL: put(p, expr_int_value(p->g, e) ? "true" : "false"); break;
    case OP_STRING: put_string(p, expr_name(p->g, e)); break;
    default: put_enum(p, e); break;
    }
}

/* ---- operators ---- */

static bool is_negative(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return (op == OP_REAL || op == OP_INT) && (expr_real_value(g, e) < 0 || signbit(expr_real_value(g, e)));
}

/* Prints with a leading minus. */
static bool has_minus(const Graph *g, ExprId e)
{
    for (;;) {
        ExprOp op = expr_op(g, e);
        if (op == OP_NEG || is_negative(g, e))
            return true;
        if (op == OP_TO_REAL || ((op == OP_MUL || op == OP_DIV) && !is_negative(g, e)))
            e = expr_arg(g, e, 0);
        else
            return false;
        if ((op == OP_MUL || op == OP_DIV) && expr_op(g, e) == OP_NEG)
            return false; /* printed in parentheses */
    }
}

static Level level_of(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_TO_REAL)
        e = expr_arg(g, e, 0);
    switch (expr_op(g, e)) {
    case OP_IF: return LEVEL_IF;
    case OP_RANGE: return LEVEL_RANGE;
    case OP_OR: return LEVEL_OR;
    case OP_AND: return LEVEL_AND;
    case OP_NOT: return LEVEL_NOT;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE: return LEVEL_RELATION;
    case OP_ADD:
    case OP_CONCAT:
    case OP_NEG: return LEVEL_SUM;
    case OP_MUL:
    case OP_DIV:
    case OP_MATMUL: return has_minus(g, e) ? LEVEL_SUM : LEVEL_PRODUCT;
    case OP_POW:
    case OP_MATPOW: return LEVEL_POWER;
    case OP_REAL:
    case OP_INT: return is_negative(g, e) ? LEVEL_SUM : LEVEL_PRIMARY;
    default: return LEVEL_PRIMARY;
    }
}

static bool is_elementwise(const Graph *g, ExprId e)
{
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        if (type_rank(g->types, expr_type(g, expr_arg(g, e, i))) == 0)
            return false;
    return true;
}

static void put_list(Printer *p, ExprId e, uint32_t from, const char *separator, Level level)
{
    for (uint32_t i = from; i < expr_n(p->g, e); i++) {
        if (i > from)
            put(p, separator);
        if (expr_arg(p->g, e, i))
            print(p, expr_arg(p->g, e, i), level);
    }
}

/* A term without its minus, at the level of a product. */
static void put_negated(Printer *p, ExprId e)
{
    const Graph *g = p->g;
    while (expr_op(g, e) == OP_TO_REAL)
        e = expr_arg(g, e, 0);
    if (expr_op(g, e) == OP_NEG) {
        print(p, expr_arg(g, e, 0), LEVEL_PRODUCT);
    } else { /* the text begins with its minus */
        uint32_t at = p->out.n;
        print(p, e, LEVEL_SUM);
        if (p->out.at[at] == '-') {
            memmove(p->out.at + at, p->out.at + at + 1, p->out.n - at - 1);
            p->out.n--;
        }
    }
}

static void put_sum(Printer *p, ExprId e)
{
    for (uint32_t i = 0; i < expr_n(p->g, e); i++) {
        ExprId a = expr_arg(p->g, e, i);
        if (i && has_minus(p->g, a)) {
            put(p, " - ");
            put_negated(p, a);
        } else {
            put(p, i ? " + " : "");
            print(p, a, has_minus(p->g, a) ? LEVEL_SUM : LEVEL_PRODUCT);
        }
    }
}

/* The first factor may be negative where the whole may begin with a minus; the others bind tighter. */
static void put_product(Printer *p, ExprId e, const char *op)
{
    ExprId first = expr_arg(p->g, e, 0);
    bool minus = has_minus(p->g, e);
    print(p, first, minus ? LEVEL_SUM : LEVEL_PRODUCT);
    for (uint32_t i = 1; i < expr_n(p->g, e); i++) {
        put(p, op);
        print(p, expr_arg(p->g, e, i), LEVEL_POWER);
    }
}

static void put_exponent(Printer *p, ExprId e)
{
    char s[32];
    double v = expr_op(p->g, e) == OP_REAL ? expr_real_value(p->g, e) : NAN;
    if (v >= 0 && v < 1e6 && v == floor(v)) {
        snprintf(s, sizeof s, "%.0f", v);
        put(p, s);
    } else {
        print(p, e, LEVEL_PRIMARY);
    }
}

static void put_if(Printer *p, ExprId e)
{
    const char *word = "if ";
    for (; expr_op(p->g, e) == OP_IF; e = expr_arg(p->g, e, 2), word = " elseif ") {
        put(p, word);
        print(p, expr_arg(p->g, e, 0), LEVEL_IF);
        put(p, " then ");
        print(p, expr_arg(p->g, e, 1), LEVEL_IF);
    }
    put(p, " else ");
    print(p, e, LEVEL_IF);
}

/* ---- arrays, records, calls ---- */

static void put_call(Printer *p, const char *name, ExprId e, uint32_t from)
{
    put(p, name);
    put(p, "(");
    put_list(p, e, from, ", ", LEVEL_IF);
    put(p, ")");
}

static void put_range(Printer *p, ExprId e)
{
    ExprId step = expr_arg(p->g, e, 1);
    bool one = !step || ((expr_op(p->g, step) == OP_INT || expr_op(p->g, step) == OP_REAL) &&
                         expr_real_value(p->g, step) == 1.0);
    print(p, expr_arg(p->g, e, 0), LEVEL_OR);
    put(p, ":");
    if (!one) {
        print(p, step, LEVEL_OR);
        put(p, ":");
    }
    print(p, expr_arg(p->g, e, 2), LEVEL_OR);
}

/* body for i in range */
static void put_for(Printer *p, ExprId body, ExprId iter, ExprId range)
{
    print(p, body, LEVEL_IF);
    put(p, " for ");
    print(p, iter, LEVEL_PRIMARY);
    put(p, " in ");
    print(p, range, LEVEL_IF);
}

/* What a part follows: in brackets, unless it is a reference or has its own. */
static void put_whole(Printer *p, ExprId e)
{
    ExprOp op = expr_op(p->g, e);
    bool plain =
        op == OP_VAR || op == OP_HOLE || op == OP_LOCAL || op == OP_ITER || op == OP_INDEX || op == OP_FIELD;
    put(p, plain ? "" : "(");
    print(p, e, plain ? LEVEL_PRIMARY : LEVEL_IF);
    put(p, plain ? "" : ")");
}

static void put_field(Printer *p, ExprId e)
{
    ExprId a = expr_arg(p->g, e, 0);
    uint32_t k = expr_index(p->g, e);
    put_whole(p, a);
    put(p, ".");
    if (expr_op(p->g, e) == OP_FIELD) {
        const Type *t = type_get(p->g->types, type_element(p->g->types, expr_type(p->g, a)));
        put(p, t->kind == TYPE_RECORD && k < t->n ? t->fields[k].name : "?");
    } else {
        const Function *f = expr_op(p->g, a) == OP_CALL ? p->g->functions.at[expr_index(p->g, a)] : NULL;
        put(p, f && f->vars && k < f->n_out ? f->vars[f->n_in + k].name : "?");
    }
}

static void put_other(Printer *p, ExprId e)
{
    const Graph *g = p->g;
    ExprOp op = expr_op(g, e);
    const Type *t = type_get(g->types, expr_type(g, e));
    switch (op) {
    case OP_ARRAY:
        put(p, "{");
        put_list(p, e, 0, ", ", LEVEL_IF);
        put(p, "}");
        break;
    case OP_INDEX:
        put_whole(p, expr_arg(g, e, 0));
        put(p, "[");
        put_list(p, e, 1, ", ", LEVEL_IF);
        put(p, "]");
        break;
    case OP_COMPREHEND:
        put(p, "{");
        put_for(p, expr_arg(g, e, 0), expr_arg(g, e, 1), expr_arg(g, e, 2));
        put(p, "}");
        break;
    case OP_REDUCE:
        put(p, expr_op_text((ExprOp)expr_int_value(g, expr_arg(g, e, 0))));
        put(p, "(");
        put_for(p, expr_arg(g, e, 1), expr_arg(g, e, 2), expr_arg(g, e, 3));
        put(p, ")");
        break;
    case OP_RECORD: put_call(p, t->name ? t->name : "record", e, 0); break;
    case OP_TO_ENUM: put_call(p, t->name ? t->name : "enumeration", e, 0); break;
    case OP_CALL: put_call(p, function_name(g, expr_index(g, e)), e, 0); break;
    case OP_FUNCTION: put(p, function_name(g, expr_index(g, e))); break;
    case OP_FIELD:
    case OP_OUT: put_field(p, e); break;
    case OP_TUPLE: put_call(p, "", e, 0); break;
    default: put_call(p, expr_op_text(op), e, 0); break;
    }
}

static void print_node(Printer *p, ExprId e)
{
    const Graph *g = p->g;
    ExprOp op = expr_op(g, e);
    switch (op) {
    case OP_REAL:
    case OP_INT:
    case OP_BOOL:
    case OP_STRING:
    case OP_ENUM: put_literal(p, e); break;
    case OP_VAR:
    case OP_HOLE:
    case OP_LOCAL:
    case OP_ITER: put_leaf(p, e); break;
    case OP_TIME:
    case OP_COLON: put(p, expr_op_text(op)); break;
    case OP_ADD: put_sum(p, e); break;
    case OP_CONCAT: put_list(p, e, 0, " + ", LEVEL_PRODUCT); break;
    case OP_NEG:
        put(p, "-");
        print(p, expr_arg(g, e, 0), LEVEL_PRODUCT);
        break;
    case OP_MUL: put_product(p, e, is_elementwise(g, e) ? " .* " : "*"); break;
    case OP_MATMUL: put_product(p, e, "*"); break;
    case OP_DIV: put_product(p, e, type_rank(g->types, expr_type(g, expr_arg(g, e, 1))) ? " ./ " : "/"); break;
    case OP_POW:
    case OP_MATPOW:
        print(p, expr_arg(g, e, 0), LEVEL_PRIMARY);
        put(p, op == OP_POW && type_rank(g->types, expr_type(g, e)) ? " .^ " : "^");
        put_exponent(p, expr_arg(g, e, 1));
        break;
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_EQ:
    case OP_NE:
        print(p, expr_arg(g, e, 0), LEVEL_SUM);
        put(p, " ");
        put(p, expr_op_text(op));
        put(p, " ");
        print(p, expr_arg(g, e, 1), LEVEL_SUM);
        break;
    case OP_AND: put_list(p, e, 0, " and ", LEVEL_NOT); break;
    case OP_OR: put_list(p, e, 0, " or ", LEVEL_AND); break;
    case OP_NOT:
        put(p, "not ");
        print(p, expr_arg(g, e, 0), LEVEL_RELATION);
        break;
    case OP_IF: put_if(p, e); break;
    case OP_RANGE: put_range(p, e); break;
    default: put_other(p, e); break;
    }
}

/* Prints e so that it can stand where the grammar wants `level`. */
static void print(Printer *p, ExprId e, Level level)
{
    while (expr_op(p->g, e) == OP_TO_REAL)
        e = expr_arg(p->g, e, 0);
    if (p->depth >= DEPTH_LIMIT) {
        put(p, "…");
        return;
    }
    bool wrap = level_of(p->g, e) < level;
    p->depth++;
    put(p, wrap ? "(" : "");
    print_node(p, e);
    put(p, wrap ? ")" : "");
    p->depth--;
}

char *expr_print(const Graph *g, ExprId e, ExprLeafPrinter leaf, void *user, Arena *arena)
{
    Printer p = {.g = g, .leaf = leaf, .user = user};
    print(&p, e, LEVEL_IF);
    char *s = arena_copy(arena, p.out.at, p.out.n);
    vec_free(&p.out);
    return s;
}
