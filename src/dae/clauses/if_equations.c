/* if-equations: equations of all branches are joined, those for one variable by its name, the
 * others in order. */
#include "dae/clauses/clauses.h"

static VarId hole_var(const Lower *L, ExprId e)
{
    return expr_op(L->g, e) == OP_HOLE ? expr_index(L->g, e) : NONE;
}

typedef struct Pair {
    ExprId lhs, rhs;
    bool used;
} Pair;

typedef VEC(Pair) Pairs;

static bool collect_pairs(Lower *L, const FlatEq *body, uint32_t n, ExprId path, WhenJoin *whens,
                          Pairs *out);

static bool collect_equal(Lower *L, const FlatEq *eq, Pairs *out)
{
    ExprVec lhs = {0}, rhs = {0};
    bool ok = lower_sides(L, eq, eq->initial ? LOWER_LITERAL : LOWER_EVENTS, &lhs, &rhs);
    for (uint32_t k = 0; ok && k < lhs.n; k++) {
        if (expr_type(L->g, lhs.at[k]) != T_REAL && hole_var(L, lhs.at[k]) == NONE)
            discrete_solve(L, &lhs.at[k], &rhs.at[k]);
        vec_push(out, ((Pair){.lhs = lhs.at[k], .rhs = rhs.at[k]}));
    }
    vec_free(&lhs);
    vec_free(&rhs);
    return ok;
}

/* The pair of branch b whose left side is variable v; or NULL. */
static Pair *find_pair(const Lower *L, Pairs *branch, const Map *by_var, VarId v)
{
    uint32_t k = map_get(by_var, v);
    (void)L;
    return k == MAP_NONE || branch->at[k].used ? NULL : &branch->at[k];
}

/* v = if c1 then e1 … else en, for every v that all branches define. */
static void merge_targets(Lower *L, const ExprId *conditions, Pairs *branches, uint32_t n,
                          Pairs *out)
{
    Map *by_var = memory_alloc(n * sizeof *by_var);
    for (uint32_t b = 0; b < n; b++)
        for (uint32_t k = 0; k < branches[b].n; k++) {
            VarId v = hole_var(L, branches[b].at[k].lhs);
            if (v != NONE && map_get(&by_var[b], v) == MAP_NONE)
                map_put(&by_var[b], v, k);
        }
    for (uint32_t k = 0; k < branches[0].n; k++) {
        VarId v = hole_var(L, branches[0].at[k].lhs);
        uint32_t in = 0;
        for (uint32_t b = 0; b < n && v != NONE; b++)
            in += find_pair(L, &branches[b], &by_var[b], v) != NULL;
        if (v == NONE || in != n)
            continue;
        ExprId e = EXPR_NONE;
        for (uint32_t b = n; b-- > 0;) {
            Pair *p = find_pair(L, &branches[b], &by_var[b], v);
            p->used = true;
            e = e ? expr_if(L->g, conditions[b], p->rhs, e) : p->rhs;
        }
        vec_push(out, ((Pair){.lhs = branches[0].at[k].lhs, .rhs = e}));
    }
    for (uint32_t b = 0; b < n; b++)
        map_free(&by_var[b]);
    memory_free(by_var);
}

static ExprId next_residual(Lower *L, Pairs *branch, uint32_t *at)
{
    while (*at < branch->n && branch->at[*at].used)
        ++*at;
    Pair *p = &branch->at[(*at)++];
    return type_is_numeric(L->g->types, expr_type(L->g, p->lhs)) ? expr_sub(L->g, p->lhs, p->rhs)
                                                                 : EXPR_NONE;
}

/* 0 = if c1 then l1 - r1 … else ln - rn, for the rest, in order. */
static bool merge_residuals(Lower *L, const FlatEq *eq, const ExprId *conditions, Pairs *branches,
                            uint32_t n, uint32_t left, Pairs *out)
{
    uint32_t *place = memory_alloc(n * sizeof *place);
    bool ok = true;
    for (uint32_t i = 0; i < left && ok; i++) {
        ExprId e = EXPR_NONE;
        for (uint32_t b = n; b-- > 0 && ok;) {
            ExprId r = next_residual(L, &branches[b], &place[b]);
            ok = r != EXPR_NONE;
            if (ok)
                e = e ? expr_if(L->g, conditions[b], r, e) : r;
        }
        if (!ok)
            diag(L->ctx, eq->span, DIAG_D012,
                 "every branch of an if-equation must define the same discrete variables, each as "
                 "'variable = "
                 "…'");
        else
            vec_push(out, ((Pair){.lhs = e, .rhs = expr_real(L->g, 0.0)}));
    }
    memory_free(place);
    return ok;
}

static bool merge_branches(Lower *L, const FlatEq *eq, const ExprId *conditions, Pairs *branches,
                           uint32_t n, Pairs *out)
{
    for (uint32_t b = 1; b < n; b++)
        if (branches[b].n != branches[0].n) {
            diag(L->ctx, eq->span, DIAG_D012,
                 "branches of an if-equation have %u and %u scalar equations", branches[0].n,
                 branches[b].n);
            return false;
        }
    uint32_t before = out->n, all = branches[0].n;
    merge_targets(L, conditions, branches, n, out);
    return merge_residuals(L, eq, conditions, branches, n, all - (out->n - before), out);
}

static bool collect_if(Lower *L, const FlatEq *eq, ExprId path, WhenJoin *whens, Pairs *out)
{
    uint32_t n = 0, size = eq->n_branches + 1;
    ExprId *conditions = memory_alloc(size * sizeof *conditions), rest = path;
    Pairs *branches = memory_alloc(size * sizeof *branches);
    bool ok = true, closed = false;
    for (uint32_t i = 0; i < eq->n_branches && ok && !closed; i++) {
        const FlatBranch *br = &eq->branches[i];
        ExprId c = expr_bool(L->g, true);
        L->span = br->span.file ? br->span : eq->span;
        ok = !br->condition ||
             lower_scalar(L, br->condition, eq->initial ? LOWER_LITERAL : LOWER_EVENTS, &c);
        bool literal = ok && expr_op(L->g, c) == OP_BOOL;
        if (!ok || (literal && !expr_int_value(L->g, c)))
            continue;
        closed = literal;
        conditions[n] = c;
        ok = collect_pairs(L, br->body, br->n, rest ? expr_and(L->g, rest, c) : c, whens,
                           &branches[n]);
        rest = rest ? expr_and(L->g, rest, expr_not(L->g, c)) : expr_not(L->g, c);
        n++;
    }
    if (ok && !closed)
        n++; /* an empty else */
    ok = ok && merge_branches(L, eq, conditions, branches, n, out);
    for (uint32_t b = 0; b < size; b++)
        vec_free(&branches[b]);
    memory_free(branches);
    memory_free(conditions);
    return ok;
}

static bool collect_pair(Lower *L, const FlatEq *eq, ExprId path, WhenJoin *whens, Pairs *out)
{
    L->span = eq->span;
    L->component = eq->component;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: return collect_equal(L, eq, out);
    case FLAT_IF: return collect_if(L, eq, path, whens, out);
    case FLAT_ASSERT: return add_assert(L, eq, path, false);
    case FLAT_WHEN: return lower_when_in_branch(L, eq, path, whens);
    case FLAT_ALGORITHM: return unsupported(L, "an algorithm inside an if-equation");
    case FLAT_CALL: return lower_call(L, eq, path);
    case FLAT_REINIT:
    case FLAT_TERMINATE: break;
    }
    diag(L->ctx, eq->span, DIAG_D013, "%s() is only allowed inside a when-clause",
         eq->kind == FLAT_REINIT ? "reinit" : "terminate");
    return false;
}

static bool collect_pairs(Lower *L, const FlatEq *body, uint32_t n, ExprId path, WhenJoin *whens,
                          Pairs *out)
{
    if (L->depth >= 500)
        return too_deep(L);
    L->depth++;
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        ok &= collect_pair(L, &body[i], path, whens, out);
    L->depth--;
    return ok;
}

bool lower_if(Lower *L, const FlatEq *eq)
{
    Pairs pairs = {0};
    WhenJoin whens = {0};
    bool ok = collect_if(L, eq, EXPR_NONE, &whens, &pairs);
    when_join(L, eq, &whens);
    for (uint32_t k = 0; ok && k < pairs.n; k++)
        ok = add_equation(L, eq, pairs.at[k].lhs, pairs.at[k].rhs);
    vec_free(&pairs);
    return ok;
}
