/* The dae phase: Flat → Dae, one call per step. */
#include "dae/build.h"

#include "dae/clauses/clauses.h"

static bool lower_equation(Lower *L, const FlatEq *eq)
{
    L->span = eq->span;
    L->component = eq->component;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: return lower_equal(L, eq);
    case FLAT_IF: return lower_if(L, eq);
    case FLAT_WHEN: return lower_when(L, eq);
    case FLAT_ASSERT: return add_assert(L, eq, EXPR_NONE, false);
    case FLAT_ALGORITHM: return lower_algorithm(L, eq);
    case FLAT_CALL: return lower_call(L, eq, EXPR_NONE);
    case FLAT_REINIT:
    case FLAT_TERMINATE: break;
    }
    diag(L->ctx, eq->span, DIAG_D013, "%s() is only allowed inside a when-clause",
         eq->kind == FLAT_REINIT ? "reinit" : "terminate");
    return false;
}

static bool lower_equations(Lower *L)
{
    bool ok = true;
    vec_reserve(&L->d->eqs, (size_t)L->d->eqs.n + L->flat->eqs.n);
    for (uint32_t i = 0; i < L->flat->eqs.n; i++) {
        ok &= lower_equation(L, &L->flat->eqs.at[i]);
        arena_reset(L->scratch);
    }
    return ok;
}

/* Every potential state can be given a start value. */
static void start_states(Lower *L)
{
    uint32_t n = L->d->vars.n;
    for (VarId v = 0; v < n; v++)
        if (L->d->vars.at[v].der != NONE && L->d->vars.at[v].kind == DAE_CONTINUOUS)
            start_var(L->d, v);
}

static bool lower_model(Lower *L)
{
    bool ok = make_variables(L);
    if (!ok)
        return false;
    ok &= lower_parameters(L);
    ok &= lower_attributes(L);
    collect_when_targets(L);
    ok &= lower_equations(L) && discrete_finish(L) && spread_following(L);
    if (!ok || L->ctx->n_errors)
        return false;
    start_states(L);
    ok = find_aliases(L->d);
    finish_relations(L);
    return ok;
}

static void free_lower(Lower *L)
{
    arena_free(L->scratch);
    map_free(&L->memo);
    vec_free(&L->spans);
    vec_free(&L->elems);
    vec_free(&L->work);
    map_free(&L->relations);
    vec_free(&L->relation_next);
    map_free(&L->floors);
    map_free(&L->samples);
    map_free(&L->outside);
    map_free(&L->delays);
    memory_free(L->bound);
    vec_free(&L->known);
    vec_free(&L->defaults);
    map_free(&L->when_spans);
    vec_free(&L->when_sites);
    map_free(&L->discrete);
    vec_free(&L->open);
}

/* Functions that are partial derivatives have no bodies so far. */
static bool make_partials(Dae *d)
{
    for (uint32_t i = 0; i < d->g->functions.n; i++) {
        Function *f = d->g->functions.at[i];
        if (!f->n_partial || f->ready || symbolic_partial(d->symbolic, f))
            continue;
        const char *why = symbolic_why(d->symbolic);
        diag(d->ctx, f->span, DIAG_D006, "the derivative function %s cannot be computed: %s",
             f->name, why ? why : "the function is not differentiable");
        return false;
    }
    return true;
}

Dae *dae_build(Context *ctx, const Flat *flat)
{
    Dae *d = memory_alloc(sizeof *d);
    d->ctx = ctx;
    d->g = flat->g;
    d->flat = flat;
    d->arena = arena_new();
    d->symbolic = symbolic_new(flat->g);
    d->shapes = shapes_new();
    d->initial = d->terminal = d->lambda = NONE;
    if (!make_partials(d) || !(flat = unclock(ctx, flat, d->arena))) {
        dae_free(d);
        return NULL;
    }
    d->flat = flat;
    Lower L = {.d = d, .ctx = ctx, .g = flat->g, .flat = flat, .scratch = arena_new()};
    L.bound = memory_alloc((size_t)flat->vars.n + 1);
    uint32_t errors = ctx->n_errors;
    bool ok = lower_model(&L) && ctx->n_errors == errors;
    free_lower(&L);
    d->n_model_vars = d->vars.n;
    d->n_model_eqs = d->eqs.n;
    if (ok)
        return d;
    dae_free(d);
    return NULL;
}
