/* delay() of what an algorithm section itself assigns.
 *
 * The value delayed is that at the place of the call, at all times: it is handed out as a further
 * output, and comes back as an input. In a branch or a when that is not taken nothing is assigned
 * there; the value is then that of the argument just before the outermost statement. A loop of
 * known length is unrolled, since every turn has a history of its own. */
#include "dae/clauses/algorithm.h"

/* ---- one call ---- */

/* Of the delay at this place of the section, whose source is a variable of its own. NULL after
 * telling. */
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
                         "spatialDistribution() of what the section itself assigns");
        return e;
    }
    if (a->loops > 0) {
        diag(L->ctx, a->eq->span, DIAG_D001,
             "delay() of what this algorithm section assigns stands in a loop whose number of "
             "turns is not "
             "fixed; "
             "each turn needs a history of its own");
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

static bool has_delay(Operands *o, const Stmt *body, uint32_t n)
{
    const Graph *g = o->a->L->g;
    for (uint32_t i = 0; i < n && !o->own; i++) {
        const Stmt *s = &body[i];
        if (s->rhs)
            expr_walk(g, s->rhs, note_delay, o);
        for (uint32_t b = 0; b < s->n_branches; b++) {
            if (s->branches[b].condition)
                expr_walk(g, s->branches[b].condition, note_delay, o);
            has_delay(o, s->branches[b].body, s->branches[b].n);
        }
    }
    return o->own;
}

typedef struct Turn {
    ExprId iterator, value;
} Turn;

static ExprId replace(void *user, Graph *g, ExprId e)
{
    const Turn *t = user;
    (void)g;
    return e == t->iterator ? t->value : EXPR_NONE;
}

static ExprId in_turn(Graph *g, Turn *t, ExprId e)
{
    return e ? expr_map(g, e, replace, t) : EXPR_NONE;
}

static Stmt *turn_body(Graph *g, Turn *t, const Stmt *body, uint32_t n)
{
    Stmt *out = ARENA_ARRAY(g->arena, Stmt, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = body[i];
        out[i].lhs = body[i].kind == STMT_FOR ? body[i].lhs : in_turn(g, t, body[i].lhs);
        out[i].rhs = in_turn(g, t, body[i].rhs);
        out[i].branches = ARENA_ARRAY(g->arena, StmtBranch, body[i].n_branches + 1);
        for (uint32_t b = 0; b < body[i].n_branches; b++) {
            const StmtBranch *from = &body[i].branches[b];
            out[i].branches[b] = (StmtBranch){in_turn(g, t, from->condition),
                                              turn_body(g, t, from->body, from->n), from->n};
        }
    }
    return out;
}

static bool has_break(const Stmt *body, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        bool inner = false;
        for (uint32_t b = 0; b < body[i].n_branches && body[i].kind == STMT_IF; b++)
            inner |= has_break(body[i].branches[b].body, body[i].branches[b].n);
        if (inner || body[i].kind == STMT_BREAK || body[i].kind == STMT_RETURN)
            return true;
    }
    return false;
}

Stmt *algorithm_unroll(Algorithm *a, const Stmt *s, uint32_t *n)
{
    Lower *L = a->L;
    const StmtBranch *b = &s->branches[0];
    Operands o = {.a = a};
    Elems range;
    if (s->kind != STMT_FOR || !has_delay(&o, b->body, b->n) || has_break(b->body, b->n) ||
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
        memcpy(out + i * b->n, turn_body(L->g, &(Turn){s->lhs, values.at[i]}, b->body, b->n),
               b->n * sizeof *out);
    *n = values.n * b->n;
    vec_free(&values);
    return fixed ? out : NULL;
}
