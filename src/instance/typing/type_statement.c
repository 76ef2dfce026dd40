/* Statements of algorithms (Modelica 3.6, chapter 11). Loops are kept. */
#include "instance/typing/internal.h"

enum { DEPTH_LIMIT = 500 };

typedef struct Body {
    TypeScope *s;
    unsigned loops; /* enclosing loops */
    bool in_when;
    unsigned depth;
} Body;

typedef VEC(Stmt) StmtList;

static bool type_list(Body *b, AstStmt *const *stmts, uint32_t n, Stmt **out, uint32_t *n_out);

/* ---- left sides ---- */

/* The variable that an element or a field belongs to. */
static ExprId base_of(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_INDEX || expr_op(g, e) == OP_FIELD)
        e = expr_arg(g, e, 0);
    return e;
}

/* The text of an expression, for messages. */
static const char *source_text(TypeScope *s, Span span)
{
    enum { LONGEST = 60 };
    Source *src = span.file ? sources_get(s->ctx->sources, span.file) : NULL;
    if (!src || span.end <= span.at || span.end > src->size)
        return "this";
    size_t n = span.end - span.at;
    return arena_copy(s->ctx->arena, src->text + span.at, n > LONGEST ? LONGEST : n);
}

static bool not_assignable(TypeScope *s, Span span, const char *why)
{
    return TELL(s, span, I116, "%s cannot be assigned to%s", source_text(s, span), why);
}

static bool check_assignable(TypeScope *s, ExprId e, Span span)
{
    Graph *g = s->g;
    ExprId base = base_of(g, e);
    switch (expr_op(g, base)) {
    case OP_VAR: return true;
    case OP_LOCAL: {
        const Function *f = s->function;
        if (!f || expr_index(g, base) >= f->n_vars || f->vars[expr_index(g, base)].kind != FN_INPUT)
            return true;
        not_assignable(s, span, ": it is an input of the function");
        diag_note(s->ctx, (Span){0},
                  "assign to a protected copy instead (Modelica 3.6, section 12.2)");
        return false;
    }
    case OP_ITER: return not_assignable(s, span, ": it is an iterator");
    case OP_RECORD:
    case OP_ARRAY: /* a record or array of components of a model */
        for (uint32_t i = 0; i < expr_n(g, base); i++)
            if (!check_assignable(s, expr_arg(g, base, i), span))
                return false;
        return base == e ||
               TELL(s, span, I113, "assigning to %s, an element that varies, is not yet supported",
                    source_text(s, span));
    default: return not_assignable(s, span, "");
    }
}

/* (a, , b) := f(…) */
static bool tuple_assign(TypeScope *s, const AstStmt *a, Stmt *out)
{
    out->lhs = type_expr(s, a->lhs);
    out->rhs = type_expr(s, a->rhs);
    if (!out->lhs || !out->rhs || !type_equation(s, &out->lhs, &out->rhs, a->span))
        return false;
    if (expr_op(s->g, out->lhs) != OP_TUPLE)
        return check_assignable(s, out->lhs, a->lhs->span);
    bool ok = true;
    for (uint32_t i = 0; i < a->lhs->args.n; i++)
        if (a->lhs->args.at[i])
            ok &= check_assignable(s, expr_arg(s->g, out->lhs, i), a->lhs->args.at[i]->span);
    return ok;
}

static bool assign(TypeScope *s, const AstStmt *a, Stmt *out)
{
    out->kind = STMT_ASSIGN;
    if (a->lhs->kind == AST_TUPLE)
        return tuple_assign(s, a, out);
    out->lhs = type_expr(s, a->lhs);
    out->rhs = typing_operand(s, a->rhs);
    if (!out->lhs || !out->rhs || !check_assignable(s, out->lhs, a->lhs->span))
        return false;
    TypeId want = expr_type(s->g, out->lhs);
    ExprId rhs = typing_try_convert(s, out->rhs, want);
    if (!rhs) {
        const char *what =
            arena_printf(s->ctx->arena, "value assigned to %s", source_text(s, a->lhs->span));
        rhs = type_convert(s, out->rhs, want, a->rhs->span, what);
    }
    out->rhs = rhs;
    return rhs != EXPR_NONE;
}

/* ---- records and arrays of components as a whole ---- */

typedef struct Split {
    TypeScope *s;
    IdList places, values;
    Map assigned; /* variables of the places so far */
    bool crossed; /* a value reads a variable that an earlier target changes */
} Split;

static void note_read(void *user, ExprId e)
{
    Split *x = user;
    const Graph *g = x->s->g;
    x->crossed |= expr_op(g, e) == OP_VAR && map_get(&x->assigned, expr_index(g, e)) != MAP_NONE;
}

static bool split(Split *x, ExprId place, ExprId value, Span span)
{
    Graph *g = x->s->g;
    ExprOp op = expr_op(g, place);
    if (op != OP_RECORD && op != OP_ARRAY) {
        expr_walk(g, value, note_read, x);
        map_put(&x->assigned, expr_index(g, base_of(g, place)), 1);
        ids_push(&x->places, place);
        ids_push(&x->values, value);
        return true;
    }
    for (uint32_t i = 0; i < expr_n(g, place); i++) {
        ExprId part = expr_arg(g, place, i);
        ExprId v = op == OP_RECORD ? expr_apply(g, OP_FIELD, expr_type(g, part), i, &value, 1)
                                   : typing_element(x->s, value, (int64_t)i + 1, span);
        if (!v || !split(x, part, v, span))
            return false;
    }
    return true;
}

/* Both sides as tuples: all values are taken before any place is changed. */
static void at_once(Split *x, Stmt *stmt)
{
    Graph *g = x->s->g;
    uint32_t n = x->places.n;
    TypeId *types = ARENA_ARRAY(x->s->ctx->arena, TypeId, n);
    for (uint32_t i = 0; i < n; i++)
        types[i] = expr_type(g, x->places.at[i]);
    TypeId type = type_tuple(g->types, types, n);
    stmt->lhs = expr_make(g, OP_TUPLE, type, 0, x->places.at, n);
    stmt->rhs = expr_make(g, OP_TUPLE, type, 0, x->values.at, n);
}

/* Adds an assignment, one statement per variable if there are several. */
static bool push_assign(TypeScope *s, Stmt stmt, StmtList *out)
{
    ExprOp op = expr_op(s->g, stmt.lhs);
    if (op != OP_RECORD && op != OP_ARRAY) {
        vec_push(out, stmt);
        return true;
    }
    Split x = {.s = s};
    ids_init(&x.places);
    ids_init(&x.values);
    bool ok = split(&x, stmt.lhs, stmt.rhs, stmt.span);
    if (ok && x.crossed) {
        at_once(&x, &stmt);
        vec_push(out, stmt);
    }
    for (uint32_t i = 0; ok && !x.crossed && i < x.places.n; i++) {
        stmt.lhs = x.places.at[i];
        stmt.rhs = x.values.at[i];
        vec_push(out, stmt);
    }
    ids_free(&x.places);
    ids_free(&x.values);
    map_free(&x.assigned);
    return ok;
}

/* ---- calls for their effect ---- */

static bool wrong_count(TypeScope *s, const AstExpr *call, const char *name, const char *takes)
{
    uint32_t n = call->args.n + call->named.n;
    return TELL(s, call->span, I104, "%s takes %s, %u argument%s given", name, takes, n,
                n == 1 ? " is" : "s are");
}

/* The level of an assert: AssertionLevel.error or AssertionLevel.warning. */
static bool assertion_level(TypeScope *s, const AstExpr *level, bool *warning)
{
    *warning = false;
    if (!level)
        return true;
    if (level->kind == AST_REF && level->ref->n == 2 &&
        !strcmp(level->ref->parts[0].name, "AssertionLevel")) {
        const char *name = level->ref->parts[1].name;
        *warning = !strcmp(name, "warning");
        if (*warning || !strcmp(name, "error"))
            return true;
    }
    ExprId e = typing_operand(s, level);
    if (e && (e = typing_structural(s, e, level->span, "level of assert")) &&
        expr_op(s->g, e) == OP_ENUM &&
        !strcmp(type_get(s->g->types, expr_type(s->g, e))->name, "AssertionLevel")) {
        *warning = expr_int_value(s->g, e) == 1;
        return true;
    }
    return e && TELL(s, level->span, I103,
                     "level of assert must be AssertionLevel.error or AssertionLevel.warning");
}

static bool assert_call(TypeScope *s, const AstExpr *call, Stmt *out)
{
    const AstExpr *condition = typing_argument(call, 0, "condition"),
                  *message = typing_argument(call, 1, "message");
    if (!condition || !message || call->args.n + call->named.n > 3)
        return wrong_count(s, call, "assert", "a condition, a message and an optional level");
    out->kind = STMT_ASSERT;
    out->lhs = typing_scalar(s, condition, T_BOOL, "assert condition");
    out->rhs = typing_scalar(s, message, T_STRING, "assert message");
    return assertion_level(s, typing_argument(call, 2, "level"), &out->warning) && out->lhs &&
           out->rhs;
}

static bool terminate_call(TypeScope *s, const AstExpr *call, Stmt *out)
{
    const AstExpr *message = typing_argument(call, 0, "message");
    if (!message || call->args.n + call->named.n > 1)
        return wrong_count(s, call, "terminate", "1 message");
    out->kind = STMT_TERMINATE;
    out->rhs = typing_scalar(s, message, T_STRING, "terminate message");
    return out->rhs != EXPR_NONE;
}

/* Whether e is a variable, an element of one, or one of several that a subscript selects. */
static bool is_variable(const Graph *g, ExprId e)
{
    e = base_of(g, e);
    bool all = expr_op(g, e) == OP_ARRAY && expr_n(g, e) > 0;
    for (uint32_t i = 0; all && i < expr_n(g, e); i++)
        all = is_variable(g, expr_arg(g, e, i));
    return all || expr_op(g, e) == OP_VAR;
}

static bool reinit_call(TypeScope *s, const AstExpr *call, Stmt *out)
{
    if (call->args.n != 2 || call->named.n)
        return wrong_count(s, call, "reinit", "a state and a value");
    if (s->in_function)
        return TELL(s, call->span, I117, "reinit cannot be used in a function");
    out->kind = STMT_REINIT;
    out->lhs = type_expr(s, call->args.at[0]);
    out->rhs = typing_operand(s, call->args.at[1]);
    if (!out->lhs || !out->rhs)
        return false;
    TypeId type = expr_type(s->g, out->lhs);
    if (!is_variable(s->g, out->lhs) || type_element(s->g->types, type) != T_REAL)
        return TELL(s, call->args.at[0]->span, I103,
                    "first argument of reinit must be a Real variable%s",
                    type_element(s->g->types, type) == T_REAL
                        ? "; for a derivative, declare 'v = der(x)' and write reinit(v, ...)"
                        : "");
    out->rhs = type_convert(s, out->rhs, type, call->args.at[1]->span, "value of reinit");
    return out->rhs != EXPR_NONE;
}

typedef struct Arguments {
    ExprId call;
    bool other; /* something other than an input was found */
} Arguments;

static ExprId with_argument(void *user, Graph *g, ExprId e)
{
    Arguments *a = user;
    if (expr_op(g, e) != OP_LOCAL)
        return EXPR_NONE;
    if (expr_index(g, e) < expr_n(g, a->call))
        return expr_arg(g, a->call, expr_index(g, e));
    a->other = true;
    return e;
}

/* A call that can only fail, as an assertion in its place, so that its text is computed only on
 * failure. The function is one assertion on its inputs, or passes its text to ModelicaError, which
 * does not return (section 12.9.6). */
static void as_assertion(Graph *g, Stmt *s)
{
    const Function *f =
        expr_op(g, s->rhs) == OP_CALL ? g->functions.at[expr_index(g, s->rhs)] : NULL;
    if (!f || f->n_out)
        return;
    Stmt made = {.kind = STMT_ASSERT, .span = s->span};
    if (f->external && f->n_in == 1 && f->external->symbol &&
        !strcmp(f->external->symbol, "ModelicaError")) {
        made.lhs = expr_bool(g, false);
        made.rhs = expr_arg(g, s->rhs, 0);
        *s = made;
    } else if (!f->external && f->ready && f->n_body == 1 && f->body[0].kind == STMT_ASSERT) {
        Arguments a = {s->rhs, false};
        made.warning = f->body[0].warning;
        made.lhs = expr_map(g, f->body[0].lhs, with_argument, &a);
        made.rhs = expr_map(g, f->body[0].rhs, with_argument, &a);
        if (!a.other)
            *s = made;
    }
}

bool type_effect(TypeScope *s, const AstExpr *call, Stmt *out)
{
    *out = (Stmt){.kind = STMT_CALL, .span = call->span};
    if (call->kind != AST_CALL)
        return TELL(s, call->span, I117, "only a call can be a statement of its own");
    Name name = call->ref->n == 1 && !call->ref->absolute ? call->ref->parts[0].name : "";
    if (!strcmp(name, "assert"))
        return assert_call(s, call, out);
    if (!strcmp(name, "terminate"))
        return terminate_call(s, call, out);
    if (!strcmp(name, "reinit"))
        return reinit_call(s, call, out);
    out->rhs = type_expr(s, call);
    if (out->rhs)
        as_assertion(s->g, out);
    return out->rhs != EXPR_NONE;
}

static bool call_statement(Body *b, const AstStmt *a, Stmt *out)
{
    bool ok = type_effect(b->s, a->rhs, out);
    if (ok && out->kind == STMT_REINIT && !b->in_when)
        return TELL(b->s, a->span, I117, "reinit can only be used in a when");
    return ok;
}

/* ---- structured statements ---- */

static bool branch_body(Body *b, const AstStmtBranch *branch, StmtBranch *out)
{
    return type_list(b, branch->body.at, branch->body.n, &out->body, &out->n);
}

/* Condition of a when: a Boolean, a vector of Booleans (section 11.2.7), or a Clock (section 16.6).
 */
static ExprId when_condition(TypeScope *s, const AstExpr *e)
{
    ExprId c = typing_operand(s, e);
    if (!c)
        return EXPR_NONE;
    TypeId type = expr_type(s->g, c);
    if (type_element(s->g->types, type) == T_BOOL && type_rank(s->g->types, type) <= 1)
        return c;
    if (type == T_CLOCK)
        return c;
    return TELL(s, e->span, I103,
                "when condition must be Boolean, a vector of Booleans or a Clock, found %s",
                typing_text(s, type));
}

static bool branch_condition(Body *b, const AstStmt *a, const AstExpr *condition, StmtBranch *out)
{
    TypeScope *s = b->s;
    const char *what = a->kind == AST_ST_WHILE ? "while condition" : "if condition";
    out->condition = a->kind == AST_ST_WHEN ? when_condition(s, condition)
                                            : typing_scalar(s, condition, T_BOOL, what);
    if (a->kind == AST_ST_IF)
        out->condition = typing_settled(s, out->condition);
    return out->condition != EXPR_NONE;
}

/* A branch in a function, with subscripts that do not exist: an error if it is taken. */
static void refuse_branch(TypeScope *s, StmtBranch *to, Span span)
{
    static const char text[] = "a subscript is out of range in this branch";
    Stmt *refusal = ARENA_NEW(s->g->arena, Stmt);
    *refusal = (Stmt){.kind = STMT_ASSERT,
                      .span = span,
                      .lhs = expr_bool(s->g, false),
                      .rhs = expr_string(s->g, text, sizeof text - 1)};
    to->body = refusal;
    to->n = 1;
}

/* Branches of an if that are certainly not taken stay empty: they may contain subscripts and sizes
 * that do not exist. */
static bool branches(Body *b, const AstStmt *a, Stmt *out)
{
    TypeScope *s = b->s;
    bool ok = true, decided = false;
    out->branches = ARENA_ARRAY(s->g->arena, StmtBranch, a->branches.n);
    out->n_branches = a->branches.n;
    for (uint32_t i = 0; i < a->branches.n; i++) {
        const AstStmtBranch *branch = &a->branches.at[i];
        StmtBranch *to = &out->branches[i];
        if (branch->condition)
            ok &= branch_condition(b, a, branch->condition, to);
        bool literal =
            a->kind == AST_ST_IF && to->condition && expr_op(s->g, to->condition) == OP_BOOL;
        bool holds = literal && expr_int_value(s->g, to->condition);
        uint32_t before = s->ctx->diags.n;
        bool typed = decided || (literal && !holds) || branch_body(b, branch, to);
        if (!typed && s->in_function && a->kind == AST_ST_IF && !holds &&
            typing_forget_ranges(s, before)) {
            refuse_branch(s, to, a->span);
            typed = true;
        }
        ok &= typed;
        decided |= holds;
    }
    return ok;
}

static bool when(Body *b, const AstStmt *a, Stmt *out)
{
    if (b->s->in_function)
        return TELL(b->s, a->span, I117, "a when-statement cannot be used in a function");
    if (b->depth > 1) {
        TELL(b->s, a->span, I117, "a when-statement cannot be inside another statement");
        diag_note(b->s->ctx, (Span){0}, "Modelica 3.6, section 11.2.7.1");
        return false;
    }
    out->kind = STMT_WHEN;
    b->in_when = true;
    bool ok = branches(b, a, out);
    b->in_when = false;
    return ok;
}

/* In a section of a model, a vector of parameters with values is known. These parameters become
 * structural. */
static ExprId known_range(TypeScope *s, ExprId range, Span span)
{
    Value v;
    ExprOp op = expr_op(s->g, range);
    if (s->in_function || !s->evaluate || op == OP_RANGE || op == OP_ARRAY ||
        typing_has_iter(s, range))
        return range;
    bool was_quiet = s->ctx->quiet;
    s->ctx->quiet = true;
    bool known = s->evaluate(s, range, span, "range of a loop", &v) == EVAL_OK;
    s->ctx->quiet = was_quiet;
    return known ? eval_literal(s->g, &v) : range;
}

/* for i in r, j in q loop: one STMT_FOR in the other, the first iterator outermost
 * (section 11.2.2.3). */
static bool for_loop(Body *b, const AstStmt *a, uint32_t k, Stmt *out)
{
    TypeScope *s = b->s;
    const AstIter *it = &a->iters.at[k];
    out->kind = STMT_FOR;
    bool optional = s->optional;
    s->optional = true; /* the end of a loop may depend on variables */
    out->rhs = typing_iter_range(s, it, NULL, a->branches.at[0].body.at, a->branches.at[0].body.n);
    if (out->rhs)
        out->rhs = known_range(s, out->rhs, it->span);
    s->optional = optional;
    if (!out->rhs)
        return false;
    out->lhs = expr_new_iter(s->g, type_element(s->g->types, expr_type(s->g, out->rhs)));
    out->branches = ARENA_NEW(s->g->arena, StmtBranch);
    out->n_branches = 1;
    TypeIter iter = {it->name, out->lhs, s->iters};
    s->iters = &iter;
    bool ok;
    if (k + 1 < a->iters.n) {
        Stmt *inner = ARENA_NEW(s->g->arena, Stmt);
        inner->span = a->span;
        out->branches[0].body = inner;
        out->branches[0].n = 1;
        ok = for_loop(b, a, k + 1, inner);
    } else {
        ok = branch_body(b, &a->branches.at[0], &out->branches[0]);
    }
    s->iters = iter.outer;
    return ok;
}

static bool statement(Body *b, const AstStmt *a, Stmt *out)
{
    TypeScope *s = b->s;
    *out = (Stmt){.span = a->span};
    switch (a->kind) {
    case AST_ST_ASSIGN: return assign(s, a, out);
    case AST_ST_CALL: {
        bool ok = call_statement(b, a, out);
        out->span = a->span;
        return ok;
    }
    case AST_ST_IF: out->kind = STMT_IF; return branches(b, a, out);
    case AST_ST_WHEN: return when(b, a, out);
    case AST_ST_FOR:
    case AST_ST_WHILE: {
        b->loops++;
        out->kind = STMT_WHILE;
        bool ok = a->kind == AST_ST_FOR ? for_loop(b, a, 0, out) : branches(b, a, out);
        b->loops--;
        return ok;
    }
    case AST_ST_BREAK:
        out->kind = STMT_BREAK;
        return b->loops || TELL(s, a->span, I117, "break can only be used in a loop");
    case AST_ST_RETURN:
        out->kind = STMT_RETURN;
        return s->in_function || TELL(s, a->span, I117, "return can only be used in a function");
    }
    return false;
}

static bool type_list(Body *b, AstStmt *const *stmts, uint32_t n, Stmt **out, uint32_t *n_out)
{
    *out = NULL;
    *n_out = 0;
    if (b->depth >= DEPTH_LIMIT)
        return TELL(b->s, stmts[0]->span, I115, "statements are nested more than %d levels deep",
                    DEPTH_LIMIT);
    b->depth++;
    StmtList list = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n; i++) {
        Stmt stmt;
        if (!statement(b, stmts[i], &stmt))
            ok = false;
        else if (stmt.kind == STMT_ASSIGN)
            ok &= push_assign(b->s, stmt, &list);
        else
            vec_push(&list, stmt);
    }
    b->depth--;
    *n_out = list.n;
    *out = vec_keep(&list, b->s->g->arena);
    return ok;
}

bool type_statements(TypeScope *s, AstStmt *const *stmts, uint32_t n, Stmt **out, uint32_t *n_out)
{
    Body b = {.s = s};
    bool in_section = s->in_section;
    s->in_section = !s->in_function;
    bool ok = type_list(&b, stmts, n, out, n_out);
    s->in_section = in_section;
    return ok;
}
