/* The phase: Dae → Plan, one call per step. */
#include "structure/structure.h"

#include "structure/blocks/blocks.h"
#include "structure/initialization/initialization.h"
#include "structure/modes/modes.h"
#include "structure/states/states.h"

static double start_value(const Planner *p, VarId v)
{
    VarId start = p->dae->vars.at[v].start;
    return start == NONE ? 0 : p->value.at[start];
}

/* ---- preparation ---- */

/* Turns `target = term` into a residual, 0 = target - term, so that matching is free to choose the
 * unknown. */
static void to_residual(Dae *d, EqId e)
{
    Term t = d->eqs.at[e].term;
    VarId target = d->eqs.at[e].target;
    VEC(VarId) ops = {0};
    uint32_t hole = t.n;
    for (uint32_t k = 0; k < t.n; k++) {
        vec_push(&ops, dae_op(d, t, k));
        if (vec_last(&ops) == target)
            hole = k;
    }
    if (hole == t.n)
        vec_push(&ops, target);
    ExprId shape = expr_sub(d->g, expr_leaf(d->g, OP_HOLE, T_REAL, hole), t.shape);
    Term residual = dae_term(d, shape, ops.at, ops.n);
    d->eqs.at[e].term = residual;
    d->eqs.at[e].target = NONE;
    vec_free(&ops);
}

static void free_targets(Planner *p)
{
    Dae *d = p->dae;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *q = &d->eqs.at[e];
        if (q->target == NONE)
            continue;
        bool late = q->origin == DAE_EQ_PARAMETER && p->late[q->target] &&
                    d->vars.at[q->target].type == DAE_REAL;
        bool real =
            (q->origin == DAE_EQ_MODEL || q->origin == DAE_EQ_INITIAL) && var_is_real(d, q->target);
        if (late)
            d->vars.at[q->target].fixed =
                false; /* known to later plans, if its equation names no target */
        if (late || real)
            to_residual(d, e);
    }
}

static void mark_term(const Dae *d, Term t, uint8_t *occurs)
{
    for (uint32_t k = 0; k < t.n; k++)
        occurs[dae_op(d, t, k)] = 1;
}

/* der(der(x)): der(x) is part of the chain even if no equation mentions it. */
static void mark_between(const Dae *d, uint8_t *occurs)
{
    for (bool again = true; again;) {
        again = false;
        for (VarId v = 0; v < d->vars.n; v++) {
            const DaeVar *x = &d->vars.at[v];
            if (x->kind != DAE_DERIVATIVE || occurs[v] || x->der == NONE || !occurs[x->der])
                continue;
            occurs[v] = 1;
            again = true;
        }
    }
}

/* Chains of derivatives that occur somewhere, and the unknowns. */
static void find_chains(Planner *p)
{
    Dae *d = p->dae;
    uint8_t *occurs = memory_alloc((size_t)d->vars.n + 1);
    for (EqId e = 0; e < d->eqs.n; e++)
        mark_term(d, d->eqs.at[e].term, occurs);
    for (uint32_t i = 0; i < d->relations.n; i++)
        mark_term(d, d->relations.at[i].z, occurs);
    for (uint32_t i = 0; i < d->actions.n; i++) {
        mark_term(d, d->actions.at[i].guard, occurs);
        mark_term(d, d->actions.at[i].value, occurs);
    }
    mark_between(d, occurs);
    planner_cover(p);
    for (VarId v = 0; v < d->vars.n; v++) {
        const DaeVar *x = &d->vars.at[v];
        bool discrete =
            x->kind == DAE_DISCRETE || x->kind == DAE_RELATION || x->kind == DAE_FOLLOWING;
        if (x->alias != NONE)
            continue;
        if (x->kind == DAE_CONTINUOUS || discrete || (x->kind == DAE_DERIVATIVE && occurs[v]))
            p->role.at[v] = VAR_ROLE_UNKNOWN;
        if (x->kind != DAE_PARAMETER)
            p->value.at[v] = x->kind == DAE_LAMBDA ? 1 : start_value(p, v);
        if (var_is_real(d, v) && x->der != NONE && d->vars.at[x->der].alias == NONE &&
            occurs[x->der]) {
            p->next.at[v] = x->der;
            p->prev.at[x->der] = v;
        }
    }
    memory_free(occurs);
}

/* Checks that exactly one equation defines each discrete unknown. */
static bool check_discrete(Planner *p)
{
    Dae *d = p->dae;
    Arena *scratch = arena_new();
    EqId *by = memory_alloc((size_t)d->vars.n * sizeof *by);
    bool ok = true;
    for (VarId v = 0; v < d->vars.n; v++)
        by[v] = NONE;
    for (EqId e = 0; e < d->eqs.n; e++) {
        const DaeEq *q = &d->eqs.at[e];
        if (!eq_in_main(q) || eq_is_real(d, q))
            continue;
        if (by[q->target] != NONE) {
            diag(d->ctx, q->span, DIAG_T004, "%s is already defined by another equation%s",
                 dae_var_name(d, q->target, scratch),
                 q->origin == DAE_EQ_WHEN ? "; two when-clauses cannot define one variable" : "");
            diag_note(d->ctx, d->eqs.at[by[q->target]].span, "%s",
                      dae_eq_print(d, by[q->target], scratch));
            ok = false;
        }
        by[q->target] = e;
    }
    for (VarId v = 0; v < d->vars.n; v++) {
        uint8_t kind = d->vars.at[v].kind;
        if ((kind != DAE_DISCRETE && kind != DAE_RELATION && kind != DAE_FOLLOWING) ||
            d->vars.at[v].alias != NONE || by[v] != NONE)
            continue;
        diag(d->ctx, report_var_span(d, v), DIAG_T004,
             "no equation defines the discrete variable %s", dae_var_name(d, v, scratch));
        ok = false;
    }
    memory_free(by);
    arena_free(scratch);
    return ok;
}

/* ---- the main sequence ---- */

static void main_system(Planner *p, System *s)
{
    Dae *d = p->dae;
    system_start(s, d);
    for (VarId v = 0; v < d->vars.n; v++)
        if (p->role.at[v] == VAR_ROLE_UNKNOWN && var_is_real(d, v))
            system_add_var(s, v);
    s->n_real = s->vars.n;
    for (EqId e = 0; e < d->eqs.n; e++)
        if (eq_in_main(&d->eqs.at[e]) && eq_is_real(d, &d->eqs.at[e]))
            vec_push(&s->eqs, e);
    for (EqId e = 0; e < d->eqs.n; e++)
        if (eq_in_main(&d->eqs.at[e]) && !eq_is_real(d, &d->eqs.at[e])) {
            vec_push(&s->eqs, e);
            system_add_var(s, d->eqs.at[e].target);
        }
}

static bool plan_main(Planner *p, System *s)
{
    main_system(p, s);
    s->match = memory_alloc(((size_t)s->eqs.n + 1) * sizeof *s->match);
    system_incidence(s, p->dae, true);
    if (structure_match(&s->a, s->match) < s->n_real) {
        report_singular(p->dae, &s->a, s->match, s->eqs.at, s->vars.at,
                        "the model after index reduction");
        return false;
    }
    for (uint32_t i = s->n_real; i < s->eqs.n; i++)
        s->match[i] = i;
    return sequence_build(p, s, &p->plan->main);
}

/* ---- reinit ---- */

/* Whether a guard is false at the values of the parameters. If a parameter selects an element, only
 * that element is reinitialized. */
static bool never_acts(Planner *p, Term guard)
{
    Dae *d = p->dae;
    uint8_t *fixed = memory_alloc((size_t)d->vars.n + 1);
    uint32_t mark = d->ops.n;
    for (uint32_t k = 0; k < guard.n; k++) {
        VarId v = dae_op(d, guard, k);
        fixed[v] = d->vars.at[v].kind == DAE_PARAMETER;
    }
    ExprId e = dae_fix(d, guard, fixed, p->value.at).shape;
    d->ops.n = mark;
    memory_free(fixed);
    return expr_op(d->g, e) == OP_BOOL && !expr_int_value(d->g, e);
}

/* All reinits of one variable are in one clause (8.3.6): otherwise two new values might collide. */
static bool check_clauses(Planner *p)
{
    Dae *d = p->dae;
    Map first = {0};
    bool ok = true;
    for (uint32_t i = 0; i < d->actions.n; i++) {
        const DaeAction *a = &d->actions.at[i];
        if (a->kind != ACTION_REINIT || never_acts(p, a->guard))
            continue;
        VarId v = dae_representative(d, a->target, NULL);
        uint32_t known = map_get(&first, v);
        if (known == MAP_NONE) {
            map_put(&first, v, i);
            continue;
        }
        const DaeAction *b = &d->actions.at[known];
        if (a->clause.file == b->clause.file && a->clause.at == b->clause.at &&
            a->component == b->component)
            continue;
        Arena *scratch = arena_new();
        diag(d->ctx, a->span, DIAG_T009,
             "%s is reinitialized in two when-clauses; use elsewhen, or one algorithm",
             dae_var_name(d, v, scratch));
        diag_note(d->ctx, b->span, "the other reinit is here");
        arena_free(scratch);
        ok = false;
    }
    map_free(&first);
    return ok;
}

static bool check_reinits(Planner *p)
{
    Dae *d = p->dae;
    Arena *scratch = arena_new();
    bool ok = check_clauses(p);
    for (uint32_t i = 0; i < d->actions.n; i++) {
        const DaeAction *a = &d->actions.at[i];
        if (a->kind != ACTION_REINIT)
            continue;
        VarId v = dae_representative(d, a->target, NULL);
        if (plan_is_state(p->plan, v))
            continue;
        const char *name = dae_var_name(d, a->target, scratch);
        diag(d->ctx, a->span, DIAG_T009,
             "reinit(%s, …) is not possible: %s is not a state of the model", name, name);
        diag_note(d->ctx, report_var_span(d, v),
                  d->vars.at[v].der == NONE
                      ? "its derivative does not occur in the model; an equation gives its value"
                      : "another variable was chosen in its place; give it stateSelect = "
                        "StateSelect.always, or reinit that one");
        ok = false;
    }
    arena_free(scratch);
    return ok;
}

/* ---- the phase ---- */

static bool build_main(Planner *p, System *s, const StatePreferences *wanted)
{
    planner_cover(p);
    if (!plan_parameters(p))
        return false;
    free_targets(p);
    if (!p->options.mode && !p->options.inline_all && !p->options.n_inlined)
        assume_zeros(p);
    find_chains(p);
    bool ok = check_discrete(p);
    state_preferences_enter(p, wanted);
    linear_combine_literal(p);
    ok = index_reduce(p) && ok;
    if (!ok || !index_select(p))
        return false;
    inline_states(p);
    return plan_main(p, s);
}

static bool build(Planner *p, System *s)
{
    bool inlined = p->plan->inlined.n > 0, mode = p->options.mode || inlined;
    bool unguarded = p->options.mode || p->options.inline_all;
    if (p->options.needed) {
        p->plan->no_start = true;
        plan_uses(p->plan, p->options.needed, p->options.n_needed);
        plan_block_jacobians(p->plan);
        return true;
    }
    if ((!mode && !check_reinits(p)) || (!inlined && !plan_initial(p, s)) ||
        (!unguarded && !plan_guards(p)))
        return false;
    for (uint32_t i = 0; i < p->plan->inlined.n; i++)
        vec_push(&p->plan->states,
                 ((PlanState){p->plan->inlined.at[i].var, p->plan->inlined.at[i].der}));
    plan_uses(p->plan, NULL, 0);
    plan_jacobians(p->plan);
    return true;
}

/* The plan owns `dae`. */
static void planner_start(Planner *p, Dae *dae, const PlanOptions *options)
{
    Plan *plan = memory_alloc(sizeof *plan);
    *p = (Planner){.dae = dae, .plan = plan, .options = *options};
    plan->dae = dae;
    plan->owns_dae = true;
    plan->step = NONE;
    plan->arena = arena_new();
    p->eliminate = eliminate_new();
}

static Plan *planner_end(Planner *p, bool ok)
{
    vec_free(&p->next);
    vec_free(&p->prev);
    vec_free(&p->role);
    vec_free(&p->value);
    memory_free(p->late);
    eliminate_free(p->eliminate);
    tearing_free(p->tearing);
    if (!ok)
        plan_free(p->plan);
    return ok ? p->plan : NULL;
}

/* A plan during its construction, which is tried until it succeeds. */
typedef struct Attempt {
    const Dae *dae;
    const PlanOptions *options;
    DiagMark mark; /* before the first try */
    Planner p;
    System s;
    StatePreferences wanted;
    bool begun;
    bool expanded; /* bodies of functions replace their calls */
} Attempt;

/* Each try works on a copy of the Dae, which is freed with a plan that fails. */
static bool attempt_once(Attempt *a, bool separate)
{
    if (a->begun) {
        system_end(&a->s);
        planner_end(&a->p, false);
        diag_discard(a->dae->ctx, a->mark);
    }
    a->begun = true;
    a->s = (System){0};
    planner_start(&a->p, dae_copy(a->dae), a->options);
    if (a->expanded)
        index_expand(a->p.dae);
    a->p.separate = separate;
    return build_main(&a->p, &a->s, &a->wanted);
}

/* Plans again with the present preferences. If combined equations contradict the rest, they are
 * left unchanged. The run reports the error with values, and parameters may still change. */
static bool attempt(Attempt *a)
{
    return attempt_once(a, false) || (a->p.combined && attempt_once(a, true));
}

/* Plans again until all preferred variables have become states. */
static bool attempt_wanted(Attempt *a)
{
    for (;;) {
        bool ok = attempt(a);
        if (a->wanted.n == 0 || (ok && state_preferences_hold(a->p.plan, &a->wanted)))
            return ok;
        if (state_preferences_deepen(a->p.plan, &a->wanted))
            continue;
        if (ok)
            state_preferences_keep(a->p.plan, &a->wanted);
        else
            vec_clear(&a->wanted);
    }
}

/* Derivative functions may hide facts from index reduction, because they use other quantities: a
 * rotation changes by its angular velocity. This is best for open chains of bodies. If it leaves no
 * choice of states for a closed chain, the bodies of the functions are put in first, and everything
 * is differentiated directly. */
Plan *structure_plan_as(const Dae *dae, const PlanOptions *options)
{
    Attempt a = {.dae = dae, .options = options, .mark = diag_mark(dae->ctx)};
    bool expands = index_expands(dae);
    state_preferences_find(dae, options, &a.wanted);
    bool ok = attempt_wanted(&a);
    if (!ok && expands && !*dae->ctx->interrupt) {
        a.expanded = true;
        ok = attempt(&a);
    }
    ok = ok && build(&a.p, &a.s);
    system_end(&a.s);
    vec_free(&a.wanted);
    return planner_end(&a.p, ok);
}

/* A plan with the values of Reals that discrete variables choose among numbers, if that shows
 * switch equations. */
static Plan *plan_with_switch_values(const Dae *dae)
{
    DiagMark mark = diag_mark(dae->ctx);
    Dae *d = dae_copy(dae);
    Plan *plan = dae_put_switch_values(d) ? structure_plan_as(d, &(PlanOptions){0}) : NULL;
    dae_free(d);
    if (plan && plan->switches.n)
        return plan;
    diag_discard(dae->ctx, mark);
    plan_free(plan);
    return structure_plan_as(dae, &(PlanOptions){0});
}

Plan *structure_plan(const Dae *dae)
{
    return dae_may_have_switch_values(dae) ? plan_with_switch_values(dae)
                                           : structure_plan_as(dae, &(PlanOptions){0});
}
