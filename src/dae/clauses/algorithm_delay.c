/* delay() of a variable that an algorithm section assigns. The delayed value is that at the place
 * of the call, at all times: a further output of the section, which returns as an input. In a
 * branch or a when that is not taken, nothing is assigned there. The value is then that of the
 * argument just before the outermost statement. A loop of known length is unrolled, because every
 * iteration has its own history. */
#include "dae/clauses/algorithm.h"
#include "expr/walk.h"

/* ---- one call ---- */

/* Of the delay at this place of the section, whose source is a separate variable. NULL after an
 * error. */
static OwnDelay *own_delay(Algorithm *a, ExprId e)
{
    Lower *L = a->L;
    ExprId args[3], out;
    uint32_t at = a->next_delay++, n = expr_n(L->g, e);
    if (at < a->delays.n)
        return &a->delays.at[at];
    VarId source = dae_hidden_var(L->d, DAE_CONTINUOUS, DAE_REAL);
    args[0] = hole_of(L->d, source);
    L->span = a->eq->span;
    for (uint32_t i = 1; i < n; i++)
        a->failed |= !lower_scalar(L, expr_arg(L->g, e, i), LOWER_LITERAL, &args[i]);
    if (a->failed || !lower_delay(L, args, n, &out)) {
        a->failed = true;
        return NULL;
    }
    vec_push(&a->delays, ((OwnDelay){source, out}));
    return &a->delays.at[at];
}

ExprId algorithm_delay(Algorithm *a, ExprId e)
{
    Lower *L = a->L;
    if (expr_op(L->g, e) != OP_DELAY) {
        algorithm_refuse(a, a->eq->span,
                         "spatialDistribution() of a variable that the section assigns");
        return e;
    }
    if (a->loops > 0) {
        diag(L->ctx, a->eq->span, DIAG_D001,
             "delay() of a variable of this algorithm section is in a loop without a fixed number "
             "of iterations; each iteration needs its own history");
        a->failed = true;
        return e;
    }
    OwnDelay *d = own_delay(a, e);
    if (!d)
        return e;
    uint32_t k = a->next_extra;
    ExprId now = algorithm_extra(a, EXTRA_SOURCE, T_REAL, NULL);
    a->extras.at[k].var = d->source;
    Stmt s = {.kind = STMT_ASSIGN, .span = a->eq->span, .lhs = now};
    s.rhs = algorithm_local(a, expr_arg(L->g, e, 0));
    vec_push(&a->pending, s);
    if (a->depth > 1)
        vec_push(&a->hoisted, s);
    return algorithm_input(a, d->value, T_REAL);
}

/* ---- loops ---- */

static void note_delay(void *user, ExprId e)
{
    Operands *o = user;
    const Graph *g = o->a->L->g;
    if (expr_op(g, e) == OP_DELAY && algorithm_is_own(o->a, expr_arg(g, e, 0)))
        o->own = true;
}

static Walk find_delay(void *user, ExprId e)
{
    Operands *o = user;
    expr_walk(o->a->L->g, e, note_delay, o);
    return o->own ? WALK_END : WALK_ON;
}

static Walk find_delay_in(void *user, const Stmt *s)
{
    return s->rhs ? find_delay(user, s->rhs) : WALK_ON;
}

static bool has_delay(Operands *o, const Stmt *body, uint32_t n)
{
    stmt_walk(body, n, &(StmtVisitor){.statement = find_delay_in, .condition = find_delay}, o);
    return o->own;
}

static Walk find_reinit(void *user, const Stmt *s)
{
    (void)user;
    return s->kind == STMT_REINIT ? WALK_END : WALK_ON;
}

/* A reinit in a loop is an action for each turn. */
static bool has_reinit(const Stmt *body, uint32_t n)
{
    return !stmt_walk(body, n, &(StmtVisitor){.statement = find_reinit}, NULL);
}

typedef struct IteratorValue {
    Graph *g;
    ExprId iterator, value;
} IteratorValue;

static ExprId replace(void *user, Graph *g, ExprId e)
{
    const IteratorValue *t = user;
    (void)g;
    return e == t->iterator ? t->value : EXPR_NONE;
}

static ExprId in_turn(void *user, ExprId e)
{
    IteratorValue *t = user;
    return expr_map(t->g, e, replace, t);
}

static Walk find_break(void *user, const Stmt *s)
{
    (void)user;
    if (s->kind == STMT_BREAK || s->kind == STMT_RETURN)
        return WALK_END;
    return s->kind == STMT_IF ? WALK_ON : WALK_PAST;
}

static bool has_break(const Stmt *body, uint32_t n)
{
    return !stmt_walk(body, n, &(StmtVisitor){.statement = find_break}, NULL);
}

Stmt *algorithm_unroll(Algorithm *a, const Stmt *s, uint32_t *n)
{
    Lower *L = a->L;
    const StmtBranch *b = &s->branches[0];
    Operands o = {.a = a};
    Elems range;
    if (s->kind != STMT_FOR || has_break(b->body, b->n) ||
        (!has_delay(&o, b->body, b->n) && !has_reinit(b->body, b->n)) ||
        !lower_elements(L, s->rhs, LOWER_LITERAL, &range))
        return NULL;
    Stmt *out = ARENA_ARRAY(L->g->arena, Stmt, range.n * b->n + 1);
    ExprVec values = {0};
    bool fixed = true;
    for (uint32_t i = 0; i < range.n; i++) {
        vec_push(&values, L->elems.at[range.at + i]);
        fixed &= expr_is_literal(L->g, values.at[i]);
    }
    for (uint32_t i = 0; i < values.n && fixed; i++)
        memcpy(out + i * b->n,
               stmt_map(L->g->arena, b->body, b->n, in_turn,
                        &(IteratorValue){L->g, s->lhs, values.at[i]}),
               b->n * sizeof *out);
    *n = values.n * b->n;
    vec_free(&values);
    return fixed ? out : NULL;
}
