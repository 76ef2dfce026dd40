/* Expressions: from AstExpr to typed nodes (Modelica 3.6, chapter 3). The entry, literals,
 * references, conditionals. */
#include "instance/typing/internal.h"

enum { DEPTH_LIMIT = 1000 }; /* of nesting; chains of binary operators count once */

/* ---- iterators and sizes ---- */

static bool in_kept_loop(const TypeScope *s)
{
    for (const TypeIter *it = s->iters; it; it = it->outer)
        if (!expr_is_literal(s->g, it->value))
            return true;
    return false;
}

static bool holds_iter(const Graph *g, ExprId e, unsigned depth)
{
    if (expr_op(g, e) == OP_ITER || depth == 0)
        return true;
    for (uint32_t i = 0, n = expr_n(g, e); i < n; i++) {
        ExprId a = expr_arg(g, e, i);
        if (a && holds_iter(g, a, depth - 1))
            return true;
    }
    return false;
}

bool typing_has_iter(const TypeScope *s, ExprId e)
{
    /* deeper expressions are assumed to contain one, so their value is not requested */
    enum { DEEP = 40 };
    return in_kept_loop(s) && holds_iter(s->g, e, DEEP);
}

/* A literal for a scalar value; EXPR_NONE for others. */
static ExprId scalar_literal(Graph *g, const Value *v)
{
    return type_rank(g->types, v->type) == 0 ? eval_literal(g, v) : EXPR_NONE;
}

ExprId typing_structural(TypeScope *s, ExprId e, Span span, const char *what)
{
    if (expr_is_literal(s->g, e) || s->in_function || typing_has_iter(s, e))
        return e;
    Value v;
    EvalStatus status = s->evaluate ? s->evaluate(s, e, span, what, &v) : EVAL_ERROR;
    if (status != EVAL_OK)
        return status == EVAL_UNKNOWN && s->optional ? e : EXPR_NONE;
    ExprId x = scalar_literal(s->g, &v);
    return x ? x : e;
}

ExprId typing_bound(TypeScope *s, ExprId e, Span span, const char *what)
{
    bool optional = s->optional;
    s->optional |= s->in_section;
    e = typing_structural(s, e, span, what);
    s->optional = optional;
    return e;
}

bool typing_size(TypeScope *s, ExprId e, Span span, const char *what, int64_t *out)
{
    if (!(e = typing_bound(s, e, span, what)))
        return false;
    *out = DIM_UNKNOWN;
    if (!expr_is_literal(s->g, e))
        return true;
    *out = expr_int_value(s->g, e);
    if (*out >= 0)
        return true;
    diag(s->ctx, span, DIAG_I123, "%s must not be negative, found %lld", what, (long long)*out);
    return false;
}

/* ---- operands ---- */

ExprId typing_operand(TypeScope *s, const AstExpr *e)
{
    ExprId x = type_expr(s, e);
    if (!x)
        return EXPR_NONE;
    TypeId type = expr_type(s->g, x);
    if (type != T_NONE && type < T_FIRST_OTHER)
        return x;
    return typing_first_result(s, x, e->span);
}

ExprId typing_scalar(TypeScope *s, const AstExpr *e, TypeId want, const char *what)
{
    ExprId x = typing_operand(s, e);
    if (!x || expr_type(s->g, x) == want)
        return x;
    return type_convert(s, x, want, e->span, what);
}

/* ---- references ---- */

/* The value of an iterator, with the subscripts and fields written after it. */
static ExprId iterator_value(TypeScope *s, const AstRef *ref, ExprId value)
{
    for (uint32_t i = 0; i < ref->n && value; i++) {
        const AstRefPart *part = &ref->parts[i];
        if (i > 0)
            value = type_field(s, value, part->name, part->span);
        if (!value || !part->subs.n)
            continue;
        if (part->subs.n > type_rank(s->g->types, expr_type(s->g, value)))
            return TELL(s, part->span, I108, "%s has %u dimensions, %u subscripts are given",
                        part->name, type_rank(s->g->types, expr_type(s->g, value)), part->subs.n);
        ExprId *subs = ARENA_ARRAY(s->ctx->arena, ExprId, part->subs.n);
        if (!type_subscripts(s, part, value, subs))
            return EXPR_NONE;
        value = type_index(s, value, subs, part->subs.n, part->span);
    }
    return value;
}

static ExprId reference(TypeScope *s, const AstExpr *e)
{
    const AstRef *ref = e->ref;
    if (ref->absolute)
        return s->resolve(s, ref);
    Name name = ref->parts[0].name;
    for (const TypeIter *it = s->iters; it; it = it->outer)
        if (it->name == name)
            return iterator_value(s, ref, it->value);
    if (ref->n == 1 && name[0] == 't' && !strcmp(name, "time")) {
        if (s->no_time) {
            TELL(s, e->span, I117, "time cannot be used in a record, connector or package");
            diag_note(s->ctx, (Span){0},
                      "Modelica 3.6, section 3.6.7: time is declared only in models and blocks");
            return EXPR_NONE;
        }
        if (s->in_function) {
            TELL(s, e->span, I117, "time cannot be used in a function");
            diag_note(s->ctx, (Span){0},
                      "give it to the function as an argument (Modelica 3.6, section 12.2)");
            return EXPR_NONE;
        }
        return expr_leaf(s->g, OP_TIME, T_REAL, 0);
    }
    return s->resolve(s, ref);
}

/* ---- conditionals ---- */

/* Branches whose sizes differ: the condition must be structural, and chooses. */
static ExprId choose_branch(TypeScope *s, const AstExpr *e, const ExprId *parts, uint32_t n)
{
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        ExprId c = typing_structural(s, parts[i], e->args.at[0]->span,
                                     "condition of an if-expression whose branches differ in size");
        if (!c)
            return EXPR_NONE;
        if (expr_int_value(s->g, c))
            return parts[i + 1];
    }
    return parts[n - 1];
}

/* parts: condition, value, …, value; brought to one type and nested. */
static ExprId build_if(TypeScope *s, const AstExpr *e, ExprId *parts, uint32_t n)
{
    TypeId type = expr_type(s->g, parts[n - 1]);
    for (uint32_t i = 1; i + 1 < n; i += 2) {
        uint32_t dim = 0;
        TypeId have = expr_type(s->g, parts[i]), common;
        Fit fit = typing_common(s, type, have, &common, &dim);
        if (fit != FIT_OK && !s->in_function && !typing_has_iter(s, parts[i - 1]) &&
            typing_differ_in_size(s, type, have))
            return choose_branch(s, e, parts, n);
        if (fit != FIT_OK) {
            diag(s->ctx, e->span, fit == FIT_KIND ? DIAG_I103 : DIAG_I102,
                 "branches of the if-expression are %s and %s%s", typing_text(s, have),
                 typing_text(s, type), typing_reason(s, fit, have, type, dim));
            diag_note(s->ctx, (Span){0}, "both must be of one type (Modelica 3.6, section 3.6.5)");
            return EXPR_NONE;
        }
        type = common;
    }
    ExprId x = typing_try_convert(s, parts[n - 1], type);
    for (uint32_t i = n - 1; i >= 2 && x; i -= 2) {
        ExprId then = typing_try_convert(s, parts[i - 1], type);
        x = then ? expr_if(s->g, parts[i - 2], then, x) : EXPR_NONE;
    }
    if (!x)
        return TELL(s, e->span, I113, "an if-expression of type %s is not yet supported",
                    typing_text(s, type));
    return x;
}

ExprId typing_settled(TypeScope *s, ExprId c)
{
    Value v;
    if (!c || expr_is_literal(s->g, c) || s->in_function || !s->settled || typing_has_iter(s, c))
        return c;
    return s->settled(s, c, &v) == EVAL_OK ? expr_bool(s->g, v.num != 0) : c;
}

bool typing_forget_ranges(TypeScope *s, uint32_t before)
{
    Context *ctx = s->ctx;
    for (uint32_t i = before; i < ctx->diags.n; i++)
        if (ctx->diags.at[i]->code != DIAG_I109)
            return false;
    bool any = ctx->diags.n > before;
    ctx->n_errors -= ctx->diags.n - before;
    ctx->diags.n = before;
    return any;
}

/* The value of a condition; -1, without a message, if it has none. */
static int condition_now(TypeScope *s, ExprId c, Span span)
{
    Value v;
    bool was_quiet = s->ctx->quiet;
    s->ctx->quiet = true;
    bool known = s->evaluate && !typing_has_iter(s, c) &&
                 s->evaluate(s, c, span, "condition", &v) == EVAL_OK;
    s->ctx->quiet = was_quiet;
    return known ? v.num != 0 : -1;
}

/* A subscript out of range is an error only if it is evaluated. If the conditions are known now and
 * choose another branch, that branch is the result, and the messages are removed. Otherwise
 * EXPR_NONE. */
static ExprId branch_in_range(TypeScope *s, const AstExpr *e, const ExprId *parts, uint32_t n,
                              uint32_t before)
{
    if (s->in_function)
        return EXPR_NONE;
    ExprId chosen = parts[n - 1];
    for (uint32_t i = 0; i + 1 < n; i += 2) {
        int now = parts[i] ? condition_now(s, parts[i], e->span) : -1;
        if (now < 0)
            return EXPR_NONE;
        if (now) {
            chosen = parts[i + 1];
            break;
        }
    }
    return chosen && typing_forget_ranges(s, before) ? chosen : EXPR_NONE;
}

/* A branch under a condition that is certainly false is ignored. In an unrolled loop, or if a
 * structural parameter decides, it may contain subscripts and sizes that do not exist. */
static ExprId conditional(TypeScope *s, const AstExpr *e)
{
    IdList parts;
    ids_init(&parts);
    bool ok = true, was_in = s->in_branch;
    uint32_t i = 0, before = s->ctx->diags.n;
    for (; i + 1 < e->args.n; i += 2) {
        ExprId c = typing_settled(s, typing_scalar(s, e->args.at[i], T_BOOL, "if condition"));
        bool literal = c && expr_op(s->g, c) == OP_BOOL;
        if (literal && !expr_int_value(s->g, c))
            continue;
        if (literal)
            break;
        s->in_branch = true;
        ExprId x = typing_operand(s, e->args.at[i + 1]);
        s->in_branch = was_in;
        ok &= c && x;
        ids_push(&parts, c);
        ids_push(&parts, x);
    }
    s->in_branch |= parts.n > 0;
    ExprId last = typing_operand(s, e->args.at[i + 1 < e->args.n ? i + 1 : i]);
    s->in_branch = was_in;
    ids_push(&parts, last);
    ExprId x = ok && last ? build_if(s, e, parts.at, parts.n)
                          : branch_in_range(s, e, parts.at, parts.n, before);
    ids_free(&parts);
    return x;
}

/* ---- the rest ---- */

/* (a, , b): for left sides. "(e)" is e. */
static ExprId tuple(TypeScope *s, const AstExpr *e)
{
    if (e->args.n == 1 && e->args.at[0])
        return typing_operand(s, e->args.at[0]);
    IdList items;
    ids_init(&items);
    TypeId *types = ARENA_ARRAY(s->ctx->arena, TypeId, e->args.n);
    bool ok = true;
    for (uint32_t i = 0; i < e->args.n; i++) {
        ExprId x = e->args.at[i] ? typing_operand(s, e->args.at[i]) : EXPR_NONE;
        ok &= x || !e->args.at[i];
        types[i] = x ? expr_type(s->g, x) : T_NONE;
        ids_push(&items, x);
    }
    ExprId x = EXPR_NONE;
    if (ok)
        x = expr_make(s->g, OP_TUPLE, type_tuple(s->g->types, types, items.n), 0, items.at,
                      items.n);
    ids_free(&items);
    return x;
}

/* (e).name, (e)[subscripts]: sections 3.6.8 and 10.5 for expressions that are not references. */
static ExprId part_of(TypeScope *s, const AstExpr *e)
{
    ExprId of = typing_operand(s, e->args.at[0]);
    if (!of)
        return EXPR_NONE;
    if (e->kind == AST_FIELD)
        return type_field(s, of, e->text, e->span);
    AstRefPart part = {.subs = {e->args.at + 1, e->args.n - 1}, .span = e->span};
    uint32_t rank = type_rank(s->g->types, expr_type(s->g, of));
    if (part.subs.n > rank)
        return TELL(s, e->span, I108, "this expression has %u dimensions, %u subscripts are given",
                    rank, part.subs.n);
    ExprId *subs = ARENA_ARRAY(s->ctx->arena, ExprId, part.subs.n);
    return type_subscripts(s, &part, of, subs) ? type_index(s, of, subs, part.subs.n, e->span)
                                               : EXPR_NONE;
}

static ExprId end_value(TypeScope *s, const AstExpr *e)
{
    if (!s->has_end)
        return TELL(s, e->span, I111, "'end' can only be used in a subscript");
    if (s->end_size != DIM_UNKNOWN)
        return expr_int(s->g, s->end_size);
    if (!s->end_of)
        return TELL(s, e->span, I118, "the size that 'end' stands for is not known here");
    return expr2(s->g, OP_SIZE, T_INT, s->end_of, expr_int(s->g, s->end_dim + 1));
}

static ExprId dispatch(TypeScope *s, const AstExpr *e)
{
    Graph *g = s->g;
    switch (e->kind) {
    case AST_REAL: return expr_real(g, e->real);
    case AST_INT: return expr_int(g, e->integer);
    case AST_STRING: return expr_string(g, e->string, e->string_size);
    case AST_BOOL: return expr_bool(g, e->boolean);
    case AST_REF: return reference(s, e);
    case AST_UNARY: return typing_unary(s, e);
    case AST_BINARY: return typing_binary(s, e);
    case AST_IF: return conditional(s, e);
    case AST_CALL: return typing_call(s, e);
    case AST_PARTIAL:
        return TELL(s, e->span, I117,
                    "'function %s(…)' can only be an argument of a function that takes functions",
                    e->ref->parts[e->ref->n - 1].name);
    case AST_ARRAY: return e->iters.n ? typing_comprehension(s, e) : typing_array(s, e);
    case AST_MATRIX: return typing_matrix(s, e);
    case AST_RANGE: return typing_range(s, e);
    case AST_TUPLE: return tuple(s, e);
    case AST_FIELD:
    case AST_ELEMENT: return part_of(s, e);
    case AST_END: return end_value(s, e);
    case AST_COLON:
        return TELL(s, e->span, I111, "':' can only be used as a subscript or a dimension");
    }
    return EXPR_NONE;
}

ExprId type_expr(TypeScope *s, const AstExpr *e)
{
    if (s->depth >= DEPTH_LIMIT)
        return TELL(s, e->span, I115, "expression is nested more than %d levels deep", DEPTH_LIMIT);
    s->depth++;
    ExprId x = dispatch(s, e);
    s->depth--;
    return x;
}

ExprId type_expr_as(TypeScope *s, const AstExpr *e, TypeId want, const char *what)
{
    return typing_scalar(s, e, want, what);
}
