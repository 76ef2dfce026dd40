/* Operators and constructors of operator records (Modelica 3.6, chapter 14).
 *
 * a op b is the one function of the operator that takes a and b. If there is none, it is the one
 * that takes them after a constructor has converted one of them. Otherwise, for arrays, it is the
 * operation of section 10.6 with that of the elements. A match without conversion of Integer to
 * Real is preferred to one with. */
#include "instance/typing/internal.h"

typedef enum Match { MATCH_NONE, MATCH_CONVERTED, MATCH_EXACT } Match;

/* Arguments of a call: positional ones, then named ones. */
typedef struct Args {
    const ExprId *at;
    const Name *names; /* NULL for positional ones */
    uint32_t n;
    bool vectorised; /* arrays are allowed for scalar inputs */
} Args;

bool typing_is_overloaded(const TypeScope *s, TypeId type)
{
    return type >= T_FIRST_OTHER && typing_kind(s, type_element(s->g->types, type)) == TYPE_RECORD;
}

static TypeOperators operators_of(TypeScope *s, TypeId type, const char *name)
{
    TypeId element = type_element(s->g->types, type);
    if (!s->operators || typing_kind(s, element) != TYPE_RECORD)
        return (TypeOperators){0};
    return s->operators(s, element, name);
}

/* "'+'" for an operator; an element-wise one is the operator of the elements. */
static const char *operator_name(AstOp op)
{
    switch (op) {
    case AST_OP_OR: return "'or'";
    case AST_OP_AND: return "'and'";
    case AST_OP_NOT: return "'not'";
    case AST_OP_LT: return "'<'";
    case AST_OP_LE: return "'<='";
    case AST_OP_GT: return "'>'";
    case AST_OP_GE: return "'>='";
    case AST_OP_EQ: return "'=='";
    case AST_OP_NE: return "'<>'";
    case AST_OP_ADD:
    case AST_OP_EADD: return "'+'";
    case AST_OP_SUB:
    case AST_OP_ESUB: return "'-'";
    case AST_OP_MUL:
    case AST_OP_EMUL: return "'*'";
    case AST_OP_DIV:
    case AST_OP_EDIV: return "'/'";
    default: return "'^'";
    }
}

/* ---- which functions take these arguments ---- */

static Match match_type(TypeScope *s, TypeId want, TypeId have)
{
    TypeId common;
    uint32_t dim;
    if (want == have)
        return MATCH_EXACT;
    if (want == T_NONE || have == T_NONE || typing_common(s, want, have, &common, &dim) != FIT_OK)
        return MATCH_NONE;
    const Types *t = s->g->types;
    TypeId to = type_element(t, want), from = type_element(t, have);
    if (to == from)
        return MATCH_EXACT;
    return to == T_INT ? MATCH_NONE : MATCH_CONVERTED;
}

static Match match_argument(TypeScope *s, TypeId want, TypeId have, bool vectorised)
{
    uint32_t takes = type_rank(s->g->types, want), has = type_rank(s->g->types, have);
    if (vectorised && has > takes)
        have = type_drop(s->g->types, have, has - takes);
    return match_type(s, want, have);
}

static uint32_t slot_of(const Function *f, const Args *a, uint32_t i)
{
    if (!a->names || !a->names[i])
        return i;
    uint32_t k = 0;
    while (k < f->n_in && f->vars[k].name != a->names[i])
        k++;
    return k;
}

/* Puts the arguments into slots (size f->n_in). */
static Match match_function(TypeScope *s, const Function *f, const Args *a, ExprId *slots)
{
    Match match = MATCH_EXACT;
    memset(slots, 0, (f->n_in + 1) * sizeof *slots);
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t k = slot_of(f, a, i);
        if (k >= f->n_in || slots[k])
            return MATCH_NONE;
        Match m = match_argument(s, f->vars[k].type, expr_type(s->g, a->at[i]), a->vectorised);
        if (m == MATCH_NONE)
            return MATCH_NONE;
        match = m < match ? m : match;
        slots[k] = a->at[i];
    }
    for (uint32_t k = 0; k < f->n_in; k++)
        if (!slots[k] && !f->vars[k].binding)
            return MATCH_NONE;
    return match;
}

/* A way to compute the operation. */
typedef struct Choice {
    Function *function;
    ExprId *slots;
    Match match;
    uint32_t n; /* functions that match as well as this one, itself included */
} Choice;

static void consider(TypeScope *s, Choice *best, Function *f, const Args *a)
{
    if (f == best->function)
        return;
    ExprId *slots = ARENA_ARRAY(s->ctx->arena, ExprId, f->n_in + 1);
    Match m = match_function(s, f, a, slots);
    if (m == MATCH_NONE || m < best->match)
        return;
    bool better = m > best->match;
    best->n = better ? 1 : best->n + 1;
    if (better) {
        best->function = f;
        best->slots = slots;
        best->match = m;
    }
}

static void consider_all(TypeScope *s, Choice *best, TypeOperators set, const Args *a)
{
    for (uint32_t i = 0; i < set.n; i++)
        consider(s, best, set.at[i], a);
}

static ExprId ambiguous(TypeScope *s, Span span, const char *what, const Choice *c)
{
    TELL(s, span, I124, "%u functions for %s fit these arguments equally well", c->n, what);
    diag_note(s->ctx, c->function->span, "one of them is %s (Modelica 3.6, section 14)",
              c->function->name);
    return EXPR_NONE;
}

/* ---- constructors and String ---- */

/* The arguments of a call, typed once. */
static bool type_args(TypeScope *s, const AstExpr *call, IdList *values, Name **names)
{
    bool ok = true;
    uint32_t n = call->args.n + call->named.n;
    *names = ARENA_ARRAY(s->ctx->arena, Name, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        bool named = i >= call->args.n;
        const AstExpr *e = named ? call->named.at[i - call->args.n].value : call->args.at[i];
        (*names)[i] = named ? call->named.at[i - call->args.n].name : NULL;
        ExprId x = typing_operand(s, e);
        ok &= x != EXPR_NONE;
        ids_push(values, x);
    }
    return ok;
}

ExprId typing_overloaded_call(TypeScope *s, const AstExpr *call, TypeId record, const char *name,
                              bool *found)
{
    TypeOperators set = operators_of(s, record, name);
    *found = false;
    if (!set.n || call->iters.n)
        return EXPR_NONE;
    IdList values;
    ids_init(&values);
    Args a = {0};
    Name *names;
    ExprId x = EXPR_NONE;
    bool ok = type_args(s, call, &values, &names);
    a = (Args){values.at, names, values.n, false};
    Choice best = {0};
    if (ok)
        consider_all(s, &best, set, &a);
    a.vectorised = true;
    if (ok && !best.n)
        consider_all(s, &best, set, &a);
    if (best.n > 1)
        x = ambiguous(s, call->span, name, &best);
    else if (best.n)
        x = typing_call_function(s, best.function, call, best.slots);
    *found = !ok || best.n;
    ids_free(&values);
    return x;
}

/* e converted to the record by one of its constructors; EXPR_NONE, without a message, if not
 * exactly one takes it. */
static Function *constructor_for(TypeScope *s, TypeId record, ExprId e, ExprId **slots)
{
    TypeOperators set = operators_of(s, record, "'constructor'");
    Args a = {&e, NULL, 1, false};
    Choice best = {0};
    consider_all(s, &best, set, &a);
    *slots = best.slots;
    return best.n == 1 ? best.function : NULL;
}

/* ---- binary operators ---- */

/* Which operand is to be constructed, and by what, so that f takes both. */
static void consider_converted(TypeScope *s, Choice *best, Function *f, const AstExpr *e,
                               const ExprId *ab, uint32_t which)
{
    if (f->n_in < 2)
        return;
    TypeId want = f->vars[which].type;
    if (typing_kind(s, want) != TYPE_RECORD || want == expr_type(s->g, ab[which]) ||
        match_type(s, f->vars[1 - which].type, expr_type(s->g, ab[1 - which])) == MATCH_NONE)
        return;
    ExprId *slots;
    Function *c = constructor_for(s, want, ab[which], &slots);
    ExprId made = c ? typing_call_function(s, c, e, slots) : EXPR_NONE;
    if (!made)
        return;
    ExprId both[2] = {ab[0], ab[1]};
    both[which] = made;
    Args a = {both, NULL, 2, false};
    consider(s, best, f, &a);
}

static ExprId no_operator(TypeScope *s, const AstExpr *e, TypeId a, TypeId b)
{
    TELL(s, e->span, I101, "operator '%s' is not defined for %s and %s", ast_op_text(e->op),
         typing_text(s, a), typing_text(s, b));
    diag_note(s->ctx, (Span){0},
              "an operator record defines its operators itself (Modelica 3.6, chapter 14)");
    return EXPR_NONE;
}

/* A function that takes both operands directly, or after a constructor. *found is false if there is
 * none. */
static ExprId direct(TypeScope *s, const AstExpr *e, ExprId a, ExprId b, bool *found)
{
    const char *name = operator_name(e->op);
    TypeOperators of_a = operators_of(s, expr_type(s->g, a), name);
    TypeOperators of_b = operators_of(s, expr_type(s->g, b), name);
    ExprId ab[2] = {a, b};
    Args args = {ab, NULL, 2, false};
    Choice best = {0};
    consider_all(s, &best, of_a, &args);
    if (of_b.at != of_a.at)
        consider_all(s, &best, of_b, &args);
    bool matched = best.n > 0;
    for (uint32_t i = 0; !matched && i < of_a.n; i++)
        consider_converted(s, &best, of_a.at[i], e, ab, 1);
    for (uint32_t i = 0; !matched && i < of_b.n; i++)
        consider_converted(s, &best, of_b.at[i], e, ab, 0);
    *found = best.n > 0;
    if (best.n > 1)
        return ambiguous(s, e->span, name, &best);
    return best.n ? typing_call_function(s, best.function, e, best.slots) : EXPR_NONE;
}

static ExprId binary_element(TypeScope *s, void *user, const ExprId *args)
{
    return typing_overloaded_binary(s, user, args[0], args[1]);
}

static TypeId record_among(TypeScope *s, TypeId a, TypeId b)
{
    TypeId x = type_element(s->g->types, a);
    return typing_kind(s, x) == TYPE_RECORD ? x : type_element(s->g->types, b);
}

static ExprId elementwise(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    bool mask[2] = {!typing_is_scalar(s, ta), !typing_is_scalar(s, tb)};
    uint32_t dim = 0;
    Fit fit = mask[0] && mask[1] ? typing_same_dims(s, ta, tb, &dim) : FIT_OK;
    if (fit != FIT_OK)
        return TELL(s, e->span, I102, "operator '%s' on %s and %s%s", ast_op_text(e->op),
                    typing_text(s, ta), typing_text(s, tb), typing_reason(s, fit, ta, tb, dim));
    Vectorised v = {binary_element,    (void *)(uintptr_t)e,    2,      mask,
                    mask[0] ? ta : tb, record_among(s, ta, tb), e->span};
    return typing_vectorise(s, &v, (ExprId[]){a, b});
}

/* The sum of row[k] * column[k]; column is a vector. */
static ExprId inner_product(TypeScope *s, const AstExpr *e, ExprId row, ExprId column,
                            TypeId record)
{
    int64_t n = type_dim(s->g->types, expr_type(s->g, row), 0);
    IdList terms;
    ids_init(&terms);
    ExprId x = EXPR_NONE;
    bool ok = true;
    for (int64_t k = 1; k <= n && ok; k++) {
        ExprId p = typing_element(s, row, k, e->span), q = typing_element(s, column, k, e->span);
        ExprId t = p && q ? typing_overloaded_binary(s, e, p, q) : EXPR_NONE;
        ok = t != EXPR_NONE;
        ids_push(&terms, t);
    }
    if (ok)
        x = typing_overloaded_reduce(s, OP_SUM, e, record, terms.at, terms.n);
    ids_free(&terms);
    return x;
}

/* matrix * vector, matrix * matrix (section 14.5) */
static ExprId matrix_product(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    Types *t = s->g->types;
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b), record = record_among(s, ta, tb);
    if (type_rank(t, ta) != 2 || type_rank(t, tb) > 2)
        return no_operator(s, e, ta, tb);
    if (type_count(t, ta) == DIM_UNKNOWN || type_count(t, tb) == DIM_UNKNOWN)
        return TELL(s, e->span, I113, "a product of %s and %s is not yet supported",
                    typing_text(s, ta), typing_text(s, tb));
    if (type_dim(t, ta, 1) != type_dim(t, tb, 0))
        return TELL(s, e->span, I102, "cannot multiply %s and %s: inner sizes differ",
                    typing_text(s, ta), typing_text(s, tb));
    int64_t rows = type_dim(t, ta, 0), columns = type_rank(t, tb) == 2 ? type_dim(t, tb, 1) : 1;
    ExprId *all = ARENA_ARRAY(s->ctx->arena, ExprId, rows + 1);
    ExprId *line = ARENA_ARRAY(s->ctx->arena, ExprId, columns + 1);
    for (int64_t i = 0; i < rows; i++) {
        ExprId row = typing_element(s, a, i + 1, e->span);
        for (int64_t j = 0; j < columns; j++) {
            ExprId subs[2] = {expr_leaf(s->g, OP_COLON, T_NONE, 0), expr_int(s->g, j + 1)};
            ExprId column = type_rank(t, tb) == 2 ? type_index(s, b, subs, 2, e->span) : b;
            line[j] = row && column ? inner_product(s, e, row, column, record) : EXPR_NONE;
            if (!line[j])
                return EXPR_NONE;
        }
        all[i] = type_rank(t, tb) == 2
                     ? typing_array_of(s, line, (uint32_t)columns, record, e->span)
                     : line[0];
    }
    TypeId element = type_rank(t, tb) == 2 ? type_array(t, record, &columns, 1) : record;
    return typing_array_of(s, all, (uint32_t)rows, element, e->span);
}

ExprId typing_overloaded_binary(TypeScope *s, const AstExpr *e, ExprId a, ExprId b)
{
    enum { DEEP = 900 };
    TypeId ta = expr_type(s->g, a), tb = expr_type(s->g, b);
    bool array_a = !typing_is_scalar(s, ta), array_b = !typing_is_scalar(s, tb);
    bool by_element = e->op == AST_OP_EADD || e->op == AST_OP_ESUB || e->op == AST_OP_EMUL ||
                      e->op == AST_OP_EDIV || e->op == AST_OP_EPOW;
    if (s->depth > DEEP)
        return TELL(s, e->span, I115, "expression is nested too deeply");
    if (by_element && (array_a || array_b))
        return elementwise(s, e, a, b);
    bool found;
    ExprId x = direct(s, e, a, b, &found);
    if (found)
        return x;
    switch (e->op) {
    case AST_OP_ADD:
    case AST_OP_SUB:
    case AST_OP_AND:
    case AST_OP_OR:
        if (array_a && array_b)
            return elementwise(s, e, a, b);
        break;
    case AST_OP_MUL:
        if (array_a && array_b)
            return matrix_product(s, e, a, b);
        if (array_a || array_b)
            return elementwise(s, e, a, b);
        break;
    case AST_OP_DIV:
        if (array_a && !array_b)
            return elementwise(s, e, a, b);
        break;
    default: break;
    }
    return no_operator(s, e, ta, tb);
}

/* ---- unary operators ---- */

static ExprId unary_element(TypeScope *s, void *user, const ExprId *args)
{
    return typing_overloaded_unary(s, user, args[0]);
}

ExprId typing_overloaded_unary(TypeScope *s, const AstExpr *e, ExprId a)
{
    TypeId type = expr_type(s->g, a);
    Args args = {&a, NULL, 1, false};
    Choice best = {0};
    consider_all(s, &best, operators_of(s, type, operator_name(e->op)), &args);
    if (best.n > 1)
        return ambiguous(s, e->span, operator_name(e->op), &best);
    if (best.n)
        return typing_call_function(s, best.function, e, best.slots);
    if (!typing_is_scalar(s, type)) {
        bool mask = true;
        Vectorised v = {
            unary_element, (void *)(uintptr_t)e, 1, &mask, type, type_element(s->g->types, type),
            e->span};
        return typing_vectorise(s, &v, &a);
    }
    if (e->op == AST_OP_ADD || e->op == AST_OP_EADD)
        return a;
    TELL(s, e->span, I101, "operator '%s' is not defined for %s", ast_op_text(e->op),
         typing_text(s, type));
    diag_note(s->ctx, (Span){0},
              "an operator record defines its operators itself (Modelica 3.6, chapter 14)");
    return EXPR_NONE;
}

/* ---- sums and products ---- */

ExprId typing_overloaded_reduce(TypeScope *s, ExprOp op, const AstExpr *e, TypeId record,
                                const ExprId *items, uint32_t n)
{
    AstExpr step = {
        .kind = AST_BINARY, .op = op == OP_SUM ? AST_OP_ADD : AST_OP_MUL, .span = e->span};
    if (n == 0) {
        TypeOperators zero = operators_of(s, record, "'0'");
        if (op == OP_SUM && zero.n == 1 && zero.at[0]->n_in == 0)
            return typing_call_function(s, zero.at[0], &step, NULL);
        return TELL(s, e->span, I101,
                    "%s of no elements of %s has no value: the record has no operator '0'",
                    expr_op_text(op), typing_text(s, record));
    }
    ExprId x = items[0];
    for (uint32_t i = 1; i < n && x; i++)
        x = typing_overloaded_binary(s, &step, x, items[i]);
    return x;
}
