/* Printing in Modelica's syntax, with as few parentheses as the grammar allows (appendix A.2.7 of
 * the specification). Chains of else and of sums are loops. Other nesting recurses to a limit; "…"
 * is printed below it. */
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
    const ExprStyle *style; /* of a print that is read again; NULL for messages */
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
        const char *prefix = op == OP_VAR     ? "v"
                             : op == OP_HOLE  ? "#"
                             : op == OP_LOCAL ? "local"
                                              : "i";
        snprintf(s, sizeof s, "%s%u", prefix, index);
    }
    put(p, s);
}

static const char *called_name(const Printer *p, ExprId e, const char *own)
{
    const char *name = p->style ? p->style->function_name(p->user, e) : NULL;
    return name ? name : own;
}

static const char *type_name(const Printer *p, TypeId type, const char *unnamed)
{
    const Type *t = type_get(p->g->types, type);
    const char *name = p->style ? p->style->type_name(p->user, type) : NULL;
    return name ? name : t->name ? t->name : unnamed;
}

static void put_enum_literal(Printer *p, TypeId enumeration, const char *literal)
{
    put(p, type_name(p, enumeration, ""));
    if (type_get(p->g->types, enumeration)->name)
        put(p, ".");
    put(p, literal);
}

static void put_enum(Printer *p, ExprId e)
{
    const Type *t = type_get(p->g->types, expr_type(p->g, e));
    int64_t v = expr_int_value(p->g, e);
    put_enum_literal(p, expr_type(p->g, e),
                     v >= 1 && v <= (int64_t)t->n ? t->fields[v - 1].name : "?");
}

static const char *function_name(const Graph *g, uint32_t k)
{
    const Function *f = k < g->functions.n ? g->functions.at[k] : NULL;
    if (f && f->destructor) /* an external object is made by the name of its class */
        return type_get(g->types, f->result)->name;
    return k < g->functions.n && g->functions.at[k] && g->functions.at[k]->name
               ? g->functions.at[k]->name
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
    return (op == OP_REAL || op == OP_INT) &&
           (expr_real_value(g, e) < 0 || signbit(expr_real_value(g, e)));
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

/* A comparison of Reals that a model may not write with == or <>. */
static bool is_real_equality(const Printer *p, ExprId e)
{
    const Graph *g = p->g;
    ExprOp op = expr_op(g, e);
    return (op == OP_EQ || op == OP_NE) && p->style && !p->style->in_function &&
           type_element(g->types, expr_type(g, expr_arg(g, e, 0))) == T_REAL;
}

static Level level_of(const Printer *p, ExprId e)
{
    const Graph *g = p->g;
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
    case OP_GE: return LEVEL_RELATION;
    case OP_EQ: return is_real_equality(p, e) ? LEVEL_AND : LEVEL_RELATION;
    case OP_NE: return is_real_equality(p, e) ? LEVEL_OR : LEVEL_RELATION;
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

/* In a print that is read again, the sign of products and quotients is that of all factors, printed
 * first. */
static bool is_signed(ExprOp op)
{
    return op == OP_NEG || op == OP_MUL || op == OP_DIV || op == OP_REAL || op == OP_INT ||
           op == OP_TO_REAL;
}

static bool sign_of(const Graph *g, ExprId e)
{
    bool minus = false;
    switch (expr_op(g, e)) {
    case OP_REAL:
    case OP_INT: return is_negative(g, e);
    case OP_NEG: minus = true; /* fall through */
    case OP_TO_REAL:
    case OP_MUL:
    case OP_DIV:
        for (uint32_t i = 0; i < expr_n(g, e); i++)
            minus ^= sign_of(g, expr_arg(g, e, i));
        return minus;
    default: return false;
    }
}

static void put_sorted_product(Printer *p, ExprId e, const char *op);

/* Prints e without its sign. */
static void put_unsigned(Printer *p, ExprId e, Level level)
{
    const Graph *g = p->g;
    while (expr_op(g, e) == OP_TO_REAL || expr_op(g, e) == OP_NEG)
        e = expr_arg(g, e, 0);
    ExprOp op = expr_op(g, e);
    if (!is_signed(op)) {
        print(p, e, level);
        return;
    }
    bool wrap = (op == OP_MUL || op == OP_DIV) && level > LEVEL_PRODUCT;
    put(p, wrap ? "(" : "");
    if (op == OP_REAL) {
        put_real(p, fabs(expr_real_value(g, e)));
    } else if (op == OP_INT) {
        uint32_t at = p->out.n;
        put_literal(p, e);
        if (p->out.at[at] == '-') {
            memmove(p->out.at + at, p->out.at + at + 1, p->out.n - at - 1);
            p->out.n--;
        }
    } else if (op == OP_MUL) {
        put_sorted_product(p, e, is_elementwise(g, e) ? " .* " : "*");
    } else {
        put_unsigned(p, expr_arg(g, e, 0), LEVEL_PRODUCT);
        put(p, type_rank(g->types, expr_type(g, expr_arg(g, e, 1))) ? " ./ " : "/");
        put_unsigned(p, expr_arg(g, e, 1), LEVEL_POWER);
    }
    put(p, wrap ? ")" : "");
}

static void put_signed(Printer *p, ExprId e, Level level)
{
    if (!sign_of(p->g, e)) {
        put_unsigned(p, e, level);
        return;
    }
    put(p, level > LEVEL_SUM ? "(-" : "-");
    put_unsigned(p, e, LEVEL_PRODUCT);
    put(p, level > LEVEL_SUM ? ")" : "");
}

/* Whether a term of a sum has a minus. */
static bool is_subtracted(const Printer *p, ExprId e)
{
    return p->style ? sign_of(p->g, e) : has_minus(p->g, e);
}

/* A term without its sign. */
static void put_magnitude(Printer *p, ExprId e)
{
    if (p->style)
        put_unsigned(p, e, LEVEL_PRODUCT);
    else if (has_minus(p->g, e))
        put_negated(p, e);
    else
        print(p, e, LEVEL_PRODUCT);
}

/* Swaps the texts after `from` and after `middle` if the second must come first. */
static bool exchange(Printer *p, uint32_t from, uint32_t middle)
{
    uint32_t n = middle - from, m = p->out.n - middle;
    int order = memcmp(p->out.at + from, p->out.at + middle, n < m ? n : m);
    if (order < 0 || (order == 0 && n <= m))
        return false;
    char *copy = memory_alloc(n + 1);
    memcpy(copy, p->out.at + from, n);
    memmove(p->out.at + from, p->out.at + middle, m);
    memcpy(p->out.at + from + m, copy, n);
    memory_free(copy);
    return true;
}

static bool is_number(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_TO_REAL || expr_op(g, e) == OP_NEG)
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_REAL || expr_op(g, e) == OP_INT;
}

/* Puts a + b in an order that does not depend on numbers of nodes: by text, with negative terms and
 * literals last. */
static void put_sum_of_two(Printer *p, ExprId a, ExprId b, const char *plus, const char *minus)
{
    const Graph *g = p->g;
    bool minus_a = is_subtracted(p, a), minus_b = is_subtracted(p, b);
    bool one_number = is_number(g, a) != is_number(g, b) && minus_a != minus_b; /* c - x, x - c */
    int rank_a = (one_number ? 0 : 2 * is_number(g, a)) + minus_a;
    int rank_b = (one_number ? 0 : 2 * is_number(g, b)) + minus_b;
    if (rank_b < rank_a) {
        ExprId c = a;
        a = b;
        b = c;
        minus_a = is_subtracted(p, a);
        minus_b = is_subtracted(p, b);
    }
    put(p, minus_a ? "-" : "");
    uint32_t from = p->out.n;
    put_magnitude(p, a);
    uint32_t middle = p->out.n;
    put_magnitude(p, b);
    uint32_t n = middle - from, m = p->out.n - middle;
    bool swapped = rank_a == rank_b && exchange(p, from, middle);
    char *second = memory_alloc((swapped ? n : m) + 1);
    uint32_t at = from + (swapped ? m : n), size = swapped ? n : m;
    memcpy(second, p->out.at + at, size);
    p->out.n = at;
    put(p, minus_b ? minus : plus);
    put(p, second);
    memory_free(second);
}

/* A sum of arrays and scalars adds element by element. */
static bool is_mixed(const Graph *g, ExprId e)
{
    bool scalar = false, array = false;
    for (uint32_t i = 0; i < expr_n(g, e); i++)
        *(type_rank(g->types, expr_type(g, expr_arg(g, e, i))) ? &array : &scalar) = true;
    return scalar && array;
}

static void put_sum(Printer *p, ExprId e)
{
    const char *plus = is_mixed(p->g, e) ? " .+ " : " + ",
               *minus = is_mixed(p->g, e) ? " .- " : " - ";
    if (p->style && expr_n(p->g, e) == 2) {
        put_sum_of_two(p, expr_arg(p->g, e, 0), expr_arg(p->g, e, 1), plus, minus);
        return;
    }
    for (uint32_t i = 0; i < expr_n(p->g, e); i++) {
        ExprId a = expr_arg(p->g, e, i);
        bool subtracted = is_subtracted(p, a);
        put(p, i ? (subtracted ? minus : plus) : subtracted ? "-" : "");
        put_magnitude(p, a);
    }
}

/* The first factor may be negative if the whole may begin with a minus; the others bind tighter. */
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

typedef struct Piece {
    uint32_t at, n;
} Piece;

static int compare_pieces(const void *a, const void *b, void *text)
{
    const Piece *x = a, *y = b;
    int order = memcmp((char *)text + x->at, (char *)text + y->at, x->n < y->n ? x->n : y->n);
    return order ? order : (x->n > y->n) - (x->n < y->n);
}

/* The factors without their signs, a literal first, the others in the order of their text. */
static void put_sorted_product(Printer *p, ExprId e, const char *op)
{
    const Graph *g = p->g;
    uint32_t begin = p->out.n, first = is_number(g, expr_arg(g, e, 0));
    VEC(Piece) pieces = {0};
    if (first)
        put_unsigned(p, expr_arg(g, e, 0), LEVEL_PRODUCT);
    uint32_t head = p->out.n;
    for (uint32_t i = first; i < expr_n(g, e); i++) {
        uint32_t at = p->out.n;
        put_unsigned(p, expr_arg(g, e, i), LEVEL_POWER);
        vec_push(&pieces, ((Piece){at, p->out.n - at}));
    }
    char *text = memory_alloc(p->out.n + 1);
    memcpy(text, p->out.at, p->out.n);
    qsort_r(pieces.at, pieces.n, sizeof(Piece), compare_pieces, text);
    p->out.n = head;
    for (uint32_t i = 0; i < pieces.n; i++) {
        char *piece = memory_alloc(pieces.at[i].n + 1);
        memcpy(piece, text + pieces.at[i].at, pieces.at[i].n);
        put(p, p->out.n > begin ? op : "");
        put(p, piece);
        memory_free(piece);
    }
    memory_free(text);
    vec_free(&pieces);
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
    if (p->style)
        p->style->scope(p->user, expr_index(p->g, iter), true);
    print(p, body, LEVEL_IF);
    put(p, " for ");
    print(p, iter, LEVEL_PRIMARY);
    if (p->style)
        p->style->scope(p->user, expr_index(p->g, iter), false);
    put(p, " in ");
    print(p, range, LEVEL_IF);
}

/* A name with subscripts and fields, after which more of them can follow directly. */
static bool is_reference(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_INDEX || expr_op(g, e) == OP_FIELD) {
        if (expr_op(g, e) == OP_INDEX && expr_op(g, expr_arg(g, e, 0)) == OP_INDEX)
            return false;
        e = expr_arg(g, e, 0);
    }
    ExprOp op = expr_op(g, e);
    return op == OP_VAR || op == OP_LOCAL || op == OP_HOLE;
}

/* An expression that is followed by a subscript or a field. */
static void put_base(Printer *p, ExprId e, bool indexed)
{
    bool plain = is_reference(p->g, e) && !(indexed && expr_op(p->g, e) == OP_INDEX);
    put(p, plain ? "" : "(");
    print(p, e, plain ? LEVEL_PRIMARY : LEVEL_IF);
    put(p, plain ? "" : ")");
}

static void put_field(Printer *p, ExprId e)
{
    ExprId a = expr_arg(p->g, e, 0);
    uint32_t k = expr_index(p->g, e);
    if (expr_op(p->g, e) == OP_OUT && k == 0 && p->style) {
        print(p, a, LEVEL_PRIMARY); /* a call in place of one value gives its first result */
        return;
    }
    const char *alone = expr_op(p->g, e) == OP_OUT ? called_name(p, e, NULL) : NULL;
    if (alone) {
        put_call(p, alone, a, 0);
        return;
    }
    put_base(p, a, false);
    put(p, ".");
    if (expr_op(p->g, e) == OP_FIELD) {
        const Type *t = type_get(p->g->types, type_element(p->g->types, expr_type(p->g, a)));
        put(p, t->kind == TYPE_RECORD && k < t->n ? t->fields[k].name : "?");
    } else {
        const Function *f =
            expr_op(p->g, a) == OP_CALL ? p->g->functions.at[expr_index(p->g, a)] : NULL;
        put(p, f && f->vars && k < f->n_out ? f->vars[f->n_in + k].name : "?");
    }
}

/* Some value of a type: false, R(0.0, 0), fill(0.0, 0, 3). Unknown sizes are 0. */
static void put_some_value(Printer *p, TypeId type)
{
    const Types *types = p->g->types;
    const Type *t = type_get(types, type_element(types, type));
    uint32_t rank = type_rank(types, type);
    if (rank)
        put(p, "fill(");
    switch (t->kind) {
    case TYPE_REAL: put(p, "0.0"); break;
    case TYPE_INT: put(p, "0"); break;
    case TYPE_STRING: put(p, "\"\""); break;
    case TYPE_ENUM:
        put_enum_literal(p, type_element(types, type), t->n ? t->fields[0].name : "?");
        break;
    case TYPE_RECORD:
        put(p, type_name(p, type_element(types, type), "record"));
        for (uint32_t i = 0; i < t->n; i++) {
            put(p, i ? ", " : "(");
            put_some_value(p, t->fields[i].type);
        }
        put(p, t->n ? ")" : "()");
        break;
    default: put(p, "false"); break;
    }
    for (uint32_t i = 0; i < rank; i++) {
        char s[32];
        int64_t dim = type_dim(types, type, i);
        snprintf(s, sizeof s, ", %lld", (long long)(dim == DIM_UNKNOWN ? 0 : dim));
        put(p, s);
    }
    if (rank)
        put(p, ")");
}

static void put_other(Printer *p, ExprId e)
{
    const Graph *g = p->g;
    ExprOp op = expr_op(g, e);
    switch (op) {
    case OP_ARRAY:
        if (expr_n(g, e) == 0 && p->style) {
            put_some_value(p, expr_type(g, e));
            break;
        }
        put(p, "{");
        put_list(p, e, 0, ", ", LEVEL_IF);
        put(p, "}");
        break;
    case OP_INDEX:
        put_base(p, expr_arg(g, e, 0), true);
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
    case OP_RECORD: put_call(p, type_name(p, expr_type(g, e), "record"), e, 0); break;
    case OP_TO_ENUM: put_call(p, type_name(p, expr_type(g, e), "enumeration"), e, 0); break;
    case OP_CALL: put_call(p, called_name(p, e, function_name(g, expr_index(g, e))), e, 0); break;
    case OP_FUNCTION: put(p, called_name(p, e, function_name(g, expr_index(g, e)))); break;
    case OP_FIELD:
    case OP_OUT: put_field(p, e); break;
    case OP_TUPLE: put_call(p, "", e, 0); break;
    default: put_call(p, expr_op_text(op), e, 0); break;
    }
}

/* a == b of Reals in a model: a >= b and a <= b. */
static void put_real_equality(Printer *p, ExprId e)
{
    bool same = expr_op(p->g, e) == OP_EQ;
    const char *const words[] = {same ? " >= " : " < ", same ? " <= " : " > "};
    for (int i = 0; i < 2; i++) {
        put(p, i == 0 ? "" : same ? " and " : " or ");
        print(p, expr_arg(p->g, e, 0), LEVEL_SUM);
        put(p, words[i]);
        print(p, expr_arg(p->g, e, 1), LEVEL_SUM);
    }
}

/* Arguments of `and` and `or`. Equality of Reals is one of them itself (`own`), and needs no
 * parentheses in its like. */
static void put_logic(Printer *p, ExprId e, const char *word, Level level, ExprOp own,
                      Level own_level)
{
    for (uint32_t i = 0; i < expr_n(p->g, e); i++) {
        ExprId a = expr_arg(p->g, e, i);
        put(p, i ? word : "");
        print(p, a, is_real_equality(p, a) && expr_op(p->g, a) == own ? own_level : level);
    }
}

/* String(value, …): a value that is not a Real has no significant digits. */
static void put_string_of(Printer *p, ExprId e)
{
    const Graph *g = p->g;
    bool real = type_element(g->types, expr_type(g, expr_arg(g, e, 0))) == T_REAL,
         format = expr_n(g, e) == 2;
    put(p, "String(");
    print(p, expr_arg(g, e, 0), LEVEL_IF);
    put(p, format ? ", format = " : "");
    for (uint32_t i = real || format ? 1 : 2; i < expr_n(g, e); i++) {
        put(p, format ? "" : ", ");
        print(p, expr_arg(g, e, i), LEVEL_IF);
    }
    put(p, ")");
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
    case OP_MUL:
        (p->style ? put_sorted_product : put_product)(p, e, is_elementwise(g, e) ? " .* " : "*");
        break;
    case OP_MATMUL: put_product(p, e, "*"); break;
    case OP_DIV:
        put_product(p, e, type_rank(g->types, expr_type(g, expr_arg(g, e, 1))) ? " ./ " : "/");
        break;
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
        if (is_real_equality(p, e)) {
            put_real_equality(p, e);
            break;
        }
        print(p, expr_arg(g, e, 0), LEVEL_SUM);
        put(p, " ");
        put(p, expr_op_text(op));
        put(p, " ");
        print(p, expr_arg(g, e, 1), LEVEL_SUM);
        break;
    case OP_AND: put_logic(p, e, " and ", LEVEL_NOT, OP_EQ, LEVEL_AND); break;
    case OP_OR: put_logic(p, e, " or ", LEVEL_AND, OP_NE, LEVEL_OR); break;
    case OP_NOT:
        put(p, "not ");
        print(p, expr_arg(g, e, 0), LEVEL_RELATION);
        break;
    case OP_TO_STRING: put_string_of(p, e); break;
    case OP_IF: put_if(p, e); break;
    case OP_RANGE: put_range(p, e); break;
    default: put_other(p, e); break;
    }
}

/* Prints e so that it fits where the grammar needs `level`. */
static void print(Printer *p, ExprId e, Level level)
{
    while (expr_op(p->g, e) == OP_TO_REAL)
        e = expr_arg(p->g, e, 0);
    if (p->depth >= DEPTH_LIMIT) {
        put(p, "…");
        return;
    }
    bool wrap = level_of(p, e) < level;
    p->depth++;
    if (p->style && is_signed(expr_op(p->g, e))) {
        put_signed(p, e, level);
        p->depth--;
        return;
    }
    put(p, wrap ? "(" : "");
    print_node(p, e);
    put(p, wrap ? ")" : "");
    p->depth--;
}

static char *print_all(Printer *p, ExprId e, Arena *arena)
{
    print(p, e, LEVEL_IF);
    char *s = arena_copy(arena, p->out.at, p->out.n);
    vec_free(&p->out);
    return s;
}

char *expr_print(const Graph *g, ExprId e, ExprLeafPrinter leaf, void *user, Arena *arena)
{
    Printer p = {.g = g, .leaf = leaf, .user = user};
    return print_all(&p, e, arena);
}

char *expr_print_again(const Graph *g, ExprId e, const ExprStyle *style, Arena *arena)
{
    Printer p = {.g = g, .leaf = style->leaf, .user = style->user, .style = style};
    return print_all(&p, e, arena);
}
