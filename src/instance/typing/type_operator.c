/* Operators: arithmetic, relations, logic, Strings (Modelica 3.6, sections 3.4, 3.5, 10.6). The
 * parser makes left-deep trees. A chain of binary operators is processed along its left spine
 * without recursion. Runs of one associative operator become one n-ary node, so that a sum of n
 * terms costs O(n). */
#include "instance/typing/internal.h"

typedef enum Run { RUN_NONE, RUN_SUM, RUN_PRODUCT, RUN_CONCAT, RUN_AND, RUN_OR } Run;

typedef struct Chain {
    TypeScope *s;
    Run run;
    IdList terms; /* of the run; the value of the chain so far is their sum, product, … */
    TypeId type;  /* of that value */
    bool failed;
} Chain;

/* ---- n-ary nodes ---- */

ExprId typing_nary(TypeScope *s, ExprOp op, TypeId type, const ExprId *terms, uint32_t n)
{
    Graph *g = s->g;
    if (n == 1)
        return terms[0];
    if (n > 2 || op == OP_CONCAT)
        return expr_apply(g, op, type, 0, terms, n);
    switch (op) {
    case OP_ADD: return expr_add(g, terms[0], terms[1]);
    case OP_MUL: return expr_mul(g, terms[0], terms[1]);
    case OP_AND: return expr_and(g, terms[0], terms[1]);
    case OP_OR: return expr_or(g, terms[0], terms[1]);
    default: return expr_apply(g, op, type, 0, terms, n);
    }
}

static ExprOp run_op(Run run)
{
    static const ExprOp ops[] = {OP_NONE, OP_ADD, OP_MUL, OP_CONCAT, OP_AND, OP_OR};
    return ops[run];
}

/* Ends the run: one term is left, the value of the chain. */
static void end_run(Chain *c)
{
    if (c->run == RUN_NONE || c->terms.n == 1) {
        c->run = RUN_NONE;
        return;
    }
    if (type_element(c->s->g->types, c->type) == T_REAL)
        for (uint32_t i = 0; i < c->terms.n; i++)
            c->terms.at[i] = typing_to_real(c->s, c->terms.at[i]);
    c->terms.at[0] = typing_nary(c->s, run_op(c->run), c->type, c->terms.at, c->terms.n);
    c->terms.n = 1;
    c->run = RUN_NONE;
}

static void extend_run(Chain *c, Run run, TypeId type, ExprId term)
{
    if (c->run != run)
        end_run(c);
    c->run = run;
    c->type = type;
    ids_push(&c->terms, term);
}

/* ---- messages ---- */

static ExprId refuse(TypeScope *s, const AstExpr *e, TypeId a, TypeId b, DiagCode code,
                     const char *reason)
{
    const char *ta = typing_text(s, a), *tb = typing_text(s, b);
    switch (e->op) {
    case AST_OP_ADD:
    case AST_OP_EADD: diag(s->ctx, e->span, code, "cannot add %s and %s%s", ta, tb, reason); break;
    case AST_OP_SUB:
    case AST_OP_ESUB:
        diag(s->ctx, e->span, code, "cannot subtract %s from %s%s", tb, ta, reason);
        break;
    case AST_OP_MUL:
    case AST_OP_EMUL:
        diag(s->ctx, e->span, code, "cannot multiply %s and %s%s", ta, tb, reason);
        break;
    case AST_OP_DIV:
    case AST_OP_EDIV:
        diag(s->ctx, e->span, code, "cannot divide %s by %s%s", ta, tb, reason);
        break;
    case AST_OP_POW:
    case AST_OP_EPOW:
        diag(s->ctx, e->span, code, "cannot raise %s to the power %s%s", ta, tb, reason);
        break;
    case AST_OP_AND:
    case AST_OP_OR:
        diag(s->ctx, e->span, code, "'%s' needs Boolean operands, found %s and %s%s",
             ast_op_text(e->op), ta, tb, reason);
        break;
    default: diag(s->ctx, e->span, code, "cannot compare %s and %s%s", ta, tb, reason); break;
    }
    return EXPR_NONE;
}

static void note_section(TypeScope *s, const char *text)
{
    diag_note(s->ctx, (Span){0}, "%s", text);
}

/* Reports operands without arithmetic, with the reason if it is known. */
static ExprId refuse_kinds(TypeScope *s, const AstExpr *e, TypeId a, TypeId b)
{
    const Types *t = s->g->types;
    TypeKind ka = typing_kind(s, type_element(t, a)), kb = typing_kind(s, type_element(t, b));
    if (ka == TYPE_RECORD || kb == TYPE_RECORD)
        return TELL(s, e->span, I113, "operator '%s' on %s and %s is not yet supported",
                    ast_op_text(e->op), typing_text(s, a), typing_text(s, b));
    refuse(s, e, a, b, DIAG_I101, "");
    if (ka == TYPE_BOOL || kb == TYPE_BOOL)
        note_section(
            s, "a Boolean is not a number; write 'if b then 1 else 0' (Modelica 3.6, section 3.4)");
    else if ((ka == TYPE_STRING) != (kb == TYPE_STRING))
        note_section(s, "String(x) makes a String of a number (Modelica 3.6, section 3.7.1)");
    else if (ka == TYPE_ENUM || kb == TYPE_ENUM)
        note_section(
            s,
            "Integer(e) gives the number of an enumeration literal (Modelica 3.6, section 3.7.1)");
    return EXPR_NONE;
}

static bool both_numeric(TypeScope *s, TypeId a, TypeId b)
{
    return type_is_numeric(s->g->types, a) && type_is_numeric(s->g->types, b);
}

static TypeId number_of(TypeScope *s, TypeId a, TypeId b)
{
    const Types *t = s->g->types;
    return type_element(t, a) == T_INT && type_element(t, b) == T_INT ? T_INT : T_REAL;
}

/* ---- arithmetic ---- */

/* The type of an element-wise operation; a scalar fits any array if `mixed`. T_NONE after an
 * error. */
static TypeId elementwise(TypeScope *s, const AstExpr *e, TypeId a, TypeId b, bool mixed)
{
    TypeId common = T_NONE;
    uint32_t dim = 0;
    if (!both_numeric(s, a, b))
        return refuse_kinds(s, e, a, b);
    if (mixed && typing_is_scalar(s, a) != typing_is_scalar(s, b))
        return typing_with_element(s, typing_is_scalar(s, a) ? b : a, number_of(s, a, b));
    Fit fit = typing_common(s, a, b, &common, &dim);
    if (fit == FIT_OK)
        return common;
    refuse(s, e, a, b, DIAG_I102, typing_reason(s, fit, a, b, dim));
    if (typing_is_scalar(s, a) != typing_is_scalar(s, b) &&
        (e->op == AST_OP_ADD || e->op == AST_OP_SUB))
        diag_note(s->ctx, (Span){0},
                  "'.%s' applies a scalar to every element (Modelica 3.6, section 10.6.2)",
                  ast_op_text(e->op));
    else
        note_section(s, "sizes must agree (Modelica 3.6, section 10.6)");
    return T_NONE;
}

static void add_step(Chain *c, const AstExpr *e, ExprId right)
{
    TypeScope *s = c->s;
    TypeId b = expr_type(s->g, right);
    if (e->op == AST_OP_ADD && type_element(s->g->types, c->type) == T_STRING && c->type == b) {
        extend_run(c, RUN_CONCAT, b, right);
        return;
    }
    bool mixed = e->op == AST_OP_EADD || e->op == AST_OP_ESUB;
    TypeId type = elementwise(s, e, c->type, b, mixed);
    c->failed |= type == T_NONE;
    if (c->failed)
        return;
    if (type_element(s->g->types, type) == T_REAL)
        right = typing_to_real(s, right);
    if (e->op == AST_OP_SUB || e->op == AST_OP_ESUB)
        right = expr_neg(s->g, right);
    if (typing_is_scalar(s, c->type) == typing_is_scalar(s, b)) {
        extend_run(c, RUN_SUM, type, right);
        return;
    }
    end_run(c);
    extend_run(c, RUN_SUM, type, right);
    end_run(c);
}

/* Two arrays: the products of linear algebra (section 10.6.4). */
static ExprId matrix_product(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    Types *t = s->g->types;
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    uint32_t ra = type_rank(t, ta), rb = type_rank(t, tb);
    if (ra > 2 || rb > 2) {
        refuse(s, e, ta, tb, DIAG_I101,
               ": '*' is for vectors and matrices, '.*' works element by element");
        return EXPR_NONE;
    }
    int64_t inner = type_dim(t, ta, ra - 1), outer = type_dim(t, tb, 0);
    if (inner != outer && inner != DIM_UNKNOWN && outer != DIM_UNKNOWN) {
        refuse(s, e, ta, tb, DIAG_I102,
               arena_printf(s->ctx->arena, ": inner sizes differ (%lld and %lld)", (long long)inner,
                            (long long)outer));
        note_section(
            s, "'.*' multiplies element by element (Modelica 3.6, sections 10.6.3 and 10.6.4)");
        return EXPR_NONE;
    }
    int64_t dims[2];
    uint32_t n = 0;
    if (ra == 2)
        dims[n++] = type_dim(t, ta, 0);
    if (rb == 2)
        dims[n++] = type_dim(t, tb, 1);
    TypeId number = number_of(s, ta, tb);
    if (number == T_REAL) {
        a = typing_to_real(s, a);
        b = typing_to_real(s, b);
    }
    return expr_apply(s->g, OP_MATMUL, type_array(t, number, dims, n), 0, (ExprId[]){a, b}, 2);
}

static ExprId to_number(TypeScope *s, ExprId e, TypeId number)
{
    return number == T_REAL ? typing_to_real(s, e) : e;
}

static ExprId multiply(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    if (!both_numeric(s, ta, tb))
        return refuse_kinds(s, e, ta, tb);
    if (e->op == AST_OP_MUL && !typing_is_scalar(s, ta) && !typing_is_scalar(s, tb))
        return matrix_product(s, e, a, b);
    if (!elementwise(s, e, ta, tb, true))
        return EXPR_NONE;
    TypeId number = number_of(s, ta, tb);
    return expr_mul(s->g, to_number(s, a, number), to_number(s, b, number));
}

static ExprId divide(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    if (!both_numeric(s, ta, tb))
        return refuse_kinds(s, e, ta, tb);
    if (e->op == AST_OP_DIV && !typing_is_scalar(s, tb)) {
        refuse(s, e, ta, tb, DIAG_I101, "");
        note_section(s,
                     "'./' divides element by element (Modelica 3.6, sections 10.6.5 and 10.6.6)");
        return EXPR_NONE;
    }
    if (!elementwise(s, e, ta, tb, true))
        return EXPR_NONE;
    return expr_div(s->g, typing_to_real(s, a), typing_to_real(s, b));
}

/* matrix ^ Integer (section 10.6.8) */
static ExprId matrix_power(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    const Types *t = s->g->types;
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    bool square = type_rank(t, ta) == 2 &&
                  (type_dim(t, ta, 0) == type_dim(t, ta, 1) || type_dim(t, ta, 0) == DIM_UNKNOWN ||
                   type_dim(t, ta, 1) == DIM_UNKNOWN);
    if (!square || tb != T_INT) {
        refuse(s, e, ta, tb, DIAG_I101, "");
        note_section(
            s,
            "'^' takes numbers, or a square matrix and an Integer; '.^' works element by element "
            "(Modelica 3.6, sections 10.6.7 and 10.6.8)");
        return EXPR_NONE;
    }
    if (expr_op(s->g, b) == OP_INT && expr_int_value(s->g, b) < 0)
        return TELL(s, e->span, I123, "a matrix cannot be raised to the negative power %lld",
                    (long long)expr_int_value(s->g, b));
    return expr_apply(s->g, OP_MATPOW, typing_with_element(s, ta, T_REAL), 0,
                      (ExprId[]){typing_to_real(s, a), b}, 2);
}

static ExprId power(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    if (!both_numeric(s, ta, tb))
        return refuse_kinds(s, e, ta, tb);
    if (e->op == AST_OP_POW && (!typing_is_scalar(s, ta) || !typing_is_scalar(s, tb)))
        return matrix_power(s, e, a, b);
    if (!elementwise(s, e, ta, tb, true))
        return EXPR_NONE;
    return expr_pow(s->g, typing_to_real(s, a), typing_to_real(s, b));
}

/* ---- relations and logic ---- */

static ExprOp relation_op(AstOp op)
{
    switch (op) {
    case AST_OP_LT: return OP_LT;
    case AST_OP_LE: return OP_LE;
    case AST_OP_GT: return OP_GT;
    case AST_OP_GE: return OP_GE;
    case AST_OP_EQ: return OP_EQ;
    default: return OP_NE;
    }
}

static ExprId compare(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b), common = T_NONE;
    uint32_t dim = 0;
    if (!typing_is_scalar(s, ta) || !typing_is_scalar(s, tb)) {
        refuse(s, e, ta, tb, DIAG_I101, "");
        note_section(s, "relations are for scalars (Modelica 3.6, section 10.6.10)");
        return EXPR_NONE;
    }
    if (typing_common(s, ta, tb, &common, &dim) != FIT_OK ||
        typing_kind(s, common) >= TYPE_RECORD || common == T_CLOCK) {
        refuse(s, e, ta, tb, DIAG_I101, "");
        return EXPR_NONE;
    }
    if (common == T_REAL && (e->op == AST_OP_EQ || e->op == AST_OP_NE) && !s->in_function) {
        bool accepted = diag_compatible(s->ctx, e->span, DIAG_I112,
                                        "Reals cannot be compared with '%s'", ast_op_text(e->op));
        note_section(s, "compare the difference with a tolerance, or use '<' and '>' (Modelica "
                        "3.6, section 3.5)");
        if (!accepted)
            return EXPR_NONE;
    }
    return expr_compare(s->g, relation_op(e->op), typing_try_convert(s, a, common),
                        typing_try_convert(s, b, common));
}

static void logic_step(Chain *c, const AstExpr *e, ExprId right)
{
    TypeScope *s = c->s;
    TypeId b = expr_type(s->g, right), common = T_NONE;
    uint32_t dim = 0;
    const Types *t = s->g->types;
    bool boolean = type_element(t, c->type) == T_BOOL && type_element(t, b) == T_BOOL;
    Fit fit = boolean ? typing_common(s, c->type, b, &common, &dim) : FIT_KIND;
    if (fit == FIT_OK) {
        extend_run(c, e->op == AST_OP_AND ? RUN_AND : RUN_OR, common, right);
        return;
    }
    refuse(s, e, c->type, b, fit == FIT_KIND ? DIAG_I101 : DIAG_I102,
           typing_reason(s, fit, c->type, b, dim));
    c->failed = true;
}

/* ---- chains ---- */

static ExprId combine(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    switch (e->op) {
    case AST_OP_MUL:
    case AST_OP_EMUL: return multiply(s, e, a, b);
    case AST_OP_DIV:
    case AST_OP_EDIV: return divide(s, e, a, b);
    case AST_OP_POW:
    case AST_OP_EPOW: return power(s, e, a, b);
    default: return compare(s, e, a, b);
    }
}

static void step(Chain *c, const AstExpr *e)
{
    TypeScope *s = c->s;
    ExprId right = typing_operand(s, e->args.at[1]);
    c->failed |= !right;
    if (c->failed)
        return;
    if (typing_is_overloaded(s, c->type) || typing_is_overloaded(s, expr_type(s->g, right))) {
        end_run(c);
        ExprId x = typing_overloaded_binary(s, e, c->terms.at[0], right);
        c->failed |= !x;
        c->terms.at[0] = x;
        c->type = x ? expr_type(s->g, x) : T_NONE;
        return;
    }
    switch (e->op) {
    case AST_OP_ADD:
    case AST_OP_SUB:
    case AST_OP_EADD:
    case AST_OP_ESUB: add_step(c, e, right); return;
    case AST_OP_AND:
    case AST_OP_OR: logic_step(c, e, right); return;
    case AST_OP_MUL:
    case AST_OP_EMUL: {
        TypeId b = expr_type(s->g, right);
        bool plain = (c->type == T_REAL || c->type == T_INT) && (b == T_REAL || b == T_INT);
        if (plain) {
            extend_run(c, RUN_PRODUCT, number_of(s, c->type, b), right);
            return;
        }
        break;
    }
    default: break;
    }
    end_run(c);
    ExprId x = combine(s, e, c->terms.at[0], right);
    c->failed |= !x;
    c->terms.at[0] = x;
    c->type = x ? expr_type(s->g, x) : T_NONE;
}

ExprId typing_binary(TypeScope *s, const AstExpr *e)
{
    enum { FEW = 16 };
    const AstExpr *few[FEW], **spine = few, *x = e;
    uint32_t n = 0;
    for (; x->kind == AST_BINARY; x = x->args.at[0])
        n++;
    if (n > FEW)
        spine = memory_alloc(n * sizeof *spine);
    uint32_t k = n;
    for (x = e; x->kind == AST_BINARY; x = x->args.at[0])
        spine[--k] = x;
    Chain c = {.s = s};
    ids_init(&c.terms);
    ExprId first = typing_operand(s, x);
    c.failed = !first;
    ids_push(&c.terms, first);
    c.type = first ? expr_type(s->g, first) : T_NONE;
    for (uint32_t i = 0; i < n; i++)
        step(&c, spine[i]);
    if (!c.failed)
        end_run(&c);
    ExprId answer = c.failed ? EXPR_NONE : c.terms.at[0];
    ids_free(&c.terms);
    if (spine != few)
        memory_free(spine);
    return answer;
}

ExprId typing_unary(TypeScope *s, const AstExpr *e)
{
    ExprId a = typing_operand(s, e->args.at[0]);
    if (!a)
        return EXPR_NONE;
    TypeId type = expr_type(s->g, a);
    if (typing_is_overloaded(s, type))
        return typing_overloaded_unary(s, e, a);
    if (e->op == AST_OP_NOT) {
        if (type_element(s->g->types, type) == T_BOOL)
            return expr_not(s->g, a);
        return TELL(s, e->span, I101, "'not' needs a Boolean, found %s", typing_text(s, type));
    }
    if (!type_is_numeric(s->g->types, type))
        return TELL(s, e->span, I101, "'%s' needs a number, found %s", ast_op_text(e->op),
                    typing_text(s, type));
    return e->op == AST_OP_SUB || e->op == AST_OP_ESUB ? expr_neg(s->g, a) : a;
}
