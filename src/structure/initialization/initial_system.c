/* The initial system: the equations at the start, with their own unknowns, matching and blocks.
 *
 * In: the matched main system. Out: Plan.initial, Plan.choices. Unknowns are the states, all
 * derivatives, algebraic and discrete variables, and parameters with fixed = false (and those that
 * depend on them). Equations enter by augmenting paths, in this order:
 *
 * 1. the model's equations with their hidden constraints, as matched for the main sequence;
 * 2. initial equations;
 * 3. fixed start values;
 * 4. initial equations that may determine a left limit.
 *
 * An equation without an augmenting path is redundant. It is left out and recorded, so that the
 * host can check it. Start values of states close the remaining degrees of freedom, and start
 * values of variables that the model prefers as states although they are none (the concentration in
 * a volume that changes). The order is: by stateSelect, then those with a start value, then states,
 * then those declared nearest to the top. This is recorded too.
 *
 * Left limits of discrete variables are known: their start values. An initial equation for a
 * discrete variable determines its left limit. If conditions are redundant otherwise, left limits
 * of Reals that are not fixed are unknowns, too: der(x) = 0 and x = 3 determine pre(u) in a plant
 * with der(x) = u - x. Their start values complete the system before those of states do. */
#include "structure/initialization/initialization.h"

#include "structure/blocks/blocks.h"

#include <stdlib.h>

typedef struct Initial {
    Planner *p;
    Dae *d;
    /* real rows in order of priority: model, initial equations, fixed starts, limits */
    System s;
    uint32_t n_model;   /* rows that must be matched */
    uint32_t n_own;     /* columns but those of discrete Reals and left limits */
    VEC(VarId) open;    /* candidates for completion, best first */
    VEC(EqId) limits;   /* initial equations that may define a left limit */
    VEC(EqId) discrete; /* those that do */
    VEC(VarId) free;    /* left limits that are unknowns, best first */
    Matcher m;
} Initial;

static void add_columns(Initial *w, const System *main)
{
    Dae *d = w->d;
    for (uint32_t i = 0; i < main->n_real; i++)
        system_add_var(&w->s, main->vars.at[i]);
    for (uint32_t i = 0; i < w->p->plan->states.n; i++)
        system_add_var(&w->s, w->p->plan->states.at[i].var);
    for (VarId v = 0; v < w->p->n_late; v++)
        if (w->p->late[v] && d->vars.at[v].type == DAE_REAL)
            system_add_var(&w->s, v);
}

static bool is_late_equation(const DaeEq *q)
{
    return q->origin == DAE_EQ_PARAMETER && q->target == NONE;
}

/* Initial equations of discrete variables determine their left limits, those of Integer, Boolean
 * and String parameters with fixed = false these parameters. A variable may already have one (of
 * two connected blocks, for example), or need none. Then the equation is omitted, and checked once
 * the values are known. */
static void add_discrete_initial(Initial *w, EqId e)
{
    DaeEq *eq = &w->d->eqs.at[e];
    const DaeVar *v = &w->d->vars.at[eq->target];
    VarId target = v->kind == DAE_PRE || v->kind == DAE_PARAMETER ? eq->target : v->pre;
    bool redundant = target == NONE;
    for (uint32_t i = 0; i < w->discrete.n && !redundant; i++)
        redundant = w->d->eqs.at[w->discrete.at[i]].target == target;
    if (target != NONE)
        eq->target = target;
    if (redundant)
        vec_push(&w->p->plan->choices, ((PlanChoice){eq->target, DROPPED_REDUNDANT, e}));
    else
        vec_push(&w->discrete, e);
}

/* The left limit of a discrete variable, or v itself if it is one; otherwise NONE. */
static VarId left_limit(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->kind == DAE_PRE ? v : x->kind == DAE_DISCRETE ? x->pre : NONE;
}

/* The operand for which an initial equation can be solved and which is a left limit that no other
 * equation determines; or NONE. A fixed start value determines it. Another start value yields,
 * except if `without_start` is set. */
static uint32_t limit_in(const Initial *w, EqId e, bool without_start)
{
    const Dae *d = w->d;
    Term t = d->eqs.at[e].term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(d, t, k), pre = left_limit(d, v);
        if (pre == NONE || w->s.col[pre] != NONE ||
            symbolic_solve(d->symbolic, t.shape, k).kind != SOLVE_UNIT)
            continue;
        const DaeVar *x = &d->vars.at[d->vars.at[v].kind == DAE_PRE ? d->vars.at[v].base : v];
        bool taken = x->fixed || (without_start && (x->has_start || x->type != DAE_REAL));
        for (uint32_t i = 0; i < w->discrete.n && !taken; i++)
            taken = d->eqs.at[w->discrete.at[i]].target == pre;
        if (!taken)
            return k;
    }
    return NONE;
}

/* At the start nothing has passed yet: the value of a delay is that of its source, a transport has
 * its first profile. */
static EqId start_of_delay(Dae *d, EqId e)
{
    bool minus_var, minus_source;
    VarId var = NONE, at_start = NONE;
    for (uint32_t i = 0; i < d->delays.n; i++)
        if (d->delays.at[i].eq == e) {
            var = d->delays.at[i].var;
            at_start = d->delays.at[i].source;
        }
    for (uint32_t i = 0; i < 2 * d->transports.n; i++)
        if (d->transports.at[i / 2].eq[i % 2] == e) {
            var = d->transports.at[i / 2].out[i % 2];
            at_start = d->transports.at[i / 2].first[i % 2];
        }
    VarId ops[] = {dae_representative(d, var, &minus_var),
                   dae_representative(d, at_start, &minus_source)};
    ExprId value = expr_leaf(d->g, OP_HOLE, T_REAL, 0),
           source = expr_leaf(d->g, OP_HOLE, T_REAL, 1);
    DaeEq eq = d->eqs.at[e];
    eq.origin = DAE_EQ_SOLVED;
    eq.of = e;
    eq.term = dae_term(d,
                       minus_var == minus_source ? expr_sub(d->g, value, source)
                                                 : expr_add(d->g, value, source),
                       ops, 2);
    vec_push(&d->eqs, eq);
    return d->eqs.n - 1;
}

static void add_rows(Initial *w, const System *main)
{
    Dae *d = w->d;
    for (uint32_t i = 0; i < main->n_real; i++) {
        EqId e = main->eqs.at[i];
        vec_push(&w->s.eqs, d->eqs.at[e].origin == DAE_EQ_DELAYED ? start_of_delay(d, e) : e);
    }
    for (EqId e = 0; e < d->eqs.n; e++)
        if (is_late_equation(&d->eqs.at[e]))
            vec_push(&w->s.eqs, e);
    w->n_model = w->s.eqs.n;
    for (EqId e = 0; e < d->eqs.n; e++) {
        if (d->eqs.at[e].origin != DAE_EQ_INITIAL)
            continue;
        if (d->eqs.at[e].target != NONE)
            add_discrete_initial(w, e);
        else if (limit_in(w, e, false) != NONE)
            vec_push(&w->limits, e);
        else
            vec_push(&w->s.eqs, e);
    }
}

/* Fixed start values; equations for them are made if the Dae has none. */
static void add_fixed(Initial *w, uint32_t n_algebraic)
{
    Dae *d = w->d;
    uint32_t n_eqs = d->eqs.n;
    uint8_t *has = memory_alloc((size_t)w->s.vars.n + 1);
    for (EqId e = 0; e < n_eqs; e++) {
        VarId target = d->eqs.at[e].target;
        if (d->eqs.at[e].origin != DAE_EQ_START || w->s.col[target] == NONE ||
            has[w->s.col[target]])
            continue;
        has[w->s.col[target]] = 1;
        vec_push(&w->s.eqs, e);
    }
    for (uint32_t k = 0; k < w->s.vars.n; k++) {
        uint32_t i = (k + n_algebraic) % w->s.vars.n; /* states come first */
        VarId v = w->s.vars.at[i];
        if (!has[i] && d->vars.at[v].fixed && var_is_real(d, v))
            vec_push(&w->s.eqs, planner_start_equation(w->p, v));
    }
    memory_free(has);
}

/* ---- completion ---- */

typedef struct Ranked {
    uint32_t select, is_parameter, has_start, is_state, depth, order;
    VarId var;
} Ranked;

static int by_rank(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->is_parameter != y->is_parameter)
        return x->is_parameter < y->is_parameter ? -1 : 1;
    if (x->select != y->select)
        return x->select > y->select ? -1 : 1;
    if (x->has_start != y->has_start)
        return x->has_start > y->has_start ? -1 : 1;
    if (x->is_state != y->is_state)
        return x->is_state > y->is_state ? -1 : 1;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static uint32_t depth_of(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    if (x->flat == NONE || !d->flat)
        return UINT32_MAX;
    return path_depth(d->flat->paths, d->flat->vars.at[x->flat].path);
}

static Ranked rank_of(const Initial *w, VarId v, bool is_state, uint32_t order)
{
    const DaeVar *x = &w->d->vars.at[v];
    return (Ranked){.select = x->state_select ? x->state_select : SELECT_DEFAULT,
                    .is_parameter = x->kind == DAE_PARAMETER,
                    .has_start = x->has_start,
                    .is_state = is_state,
                    .depth = depth_of(w->d, v),
                    .order = order,
                    .var = v};
}

/* Per variable: if it is a derivative, the variable with a start value that an equation der(x) = v
 * makes equal to it; otherwise NONE. */
static VarId *find_twins(const Initial *w)
{
    const Dae *d = w->d;
    VarId *twin = memory_alloc((size_t)d->vars.n * sizeof *twin);
    for (VarId v = 0; v < d->vars.n; v++)
        twin[v] = NONE;
    for (uint32_t i = 0; i < w->n_model; i++) {
        Term t = d->eqs.at[w->s.eqs.at[i]].term;
        for (uint32_t k = 0; t.n == 2 && k < 2; k++) {
            VarId v = dae_op(d, t, k), other = dae_op(d, t, 1 - k);
            if (d->vars.at[v].kind == DAE_DERIVATIVE && twin[v] == NONE &&
                d->vars.at[other].has_start &&
                symbolic_linearity(d->symbolic, t.shape, 0) == LINEAR_UNIT &&
                symbolic_linearity(d->symbolic, t.shape, 1) == LINEAR_UNIT)
                twin[v] = other;
        }
    }
    return twin;
}

static VarId with_start(const VarId *twin, VarId v)
{
    return twin[v] == NONE ? v : twin[v];
}

/* For the slots of a state set: the candidates that are states at the start, then, if necessary,
 * the others. */
static void add_set_candidates(Initial *w, const VarId *twin)
{
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < w->p->plan->sets.n; i++) {
            const PlanSet *s = &w->p->plan->sets.at[i];
            for (uint32_t k = 0; k < s->depth * s->n_cols; k++) {
                bool chosen = false;
                for (uint32_t m = 0; m < s->n_cols - s->n_rows; m++)
                    chosen |= s->chosen[m] == k % s->n_cols;
                if (chosen == (pass == 0))
                    vec_push(&w->open, with_start(twin, s->cols[k]));
            }
        }
}

/* Whether the model prefers v as a state and gives it a start value. */
static bool is_preferred_start(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    return x->kind == DAE_CONTINUOUS && x->has_start && x->state_select >= SELECT_PREFER;
}

/* States, free parameters and preferred variables with start values, best first. `first`: the
 * column of the first state. */
static void rank_candidates(Initial *w, uint32_t first)
{
    uint32_t n = 0, n_slots = 0, n_states = w->p->plan->states.n;
    for (uint32_t i = 0; i < w->p->plan->sets.n; i++) {
        const PlanSet *s = &w->p->plan->sets.at[i];
        n_slots += s->depth * (s->n_cols - s->n_rows);
    }
    VarId *twin = find_twins(w);
    Ranked *r = memory_alloc(((size_t)w->n_own + 1) * sizeof *r);
    for (uint32_t i = 0; i < first; i++)
        if (is_preferred_start(w->d, w->s.vars.at[i]))
            r[n++] = rank_of(w, w->s.vars.at[i], false, i);
    for (uint32_t i = 0; i < w->n_own - first; i++) {
        bool slot = i >= n_states - n_slots && i < n_states;
        if (!slot)
            r[n++] = rank_of(w, with_start(twin, w->s.vars.at[first + i]), true, i);
    }
    qsort(r, n, sizeof *r, by_rank);
    for (uint32_t i = 0; i < n && !r[i].is_parameter; i++)
        vec_push(&w->open, r[i].var);
    add_set_candidates(w, twin);
    for (uint32_t i = 0; i < n; i++)
        if (r[i].is_parameter)
            vec_push(&w->open, r[i].var);
    memory_free(r);
    memory_free(twin);
}

/* Rows for the candidates, each with its one unknown, after those of the equations. */
static void add_candidate_rows(Initial *w)
{
    Incidence *a = &w->s.a;
    uint32_t n = a->n_eqs, nnz = incidence_count(a), more = w->open.n;
    a->ptr = memory_grow(a->ptr, ((size_t)n + 1) * sizeof *a->ptr,
                         ((size_t)n + more + 1) * sizeof *a->ptr);
    a->var = memory_grow(a->var, (size_t)nnz * sizeof *a->var,
                         ((size_t)nnz + more + 1) * sizeof *a->var);
    for (uint32_t i = 0; i < more; i++) {
        a->var[nnz + i] = w->s.col[w->open.at[i]];
        a->ptr[n + i + 1] = nnz + i + 1;
    }
    a->n_eqs = n + more;
}

/* Turns the initial equation into one for the left limit of one of its discrete variables, if it
 * can be solved for one. */
static bool give_left_limit(Initial *w, EqId e, bool without_start)
{
    Dae *d = w->d;
    Term t = d->eqs.at[e].term;
    uint32_t k = limit_in(w, e, without_start);
    if (k == NONE)
        return false;
    VarId pre = left_limit(d, dae_op(d, t, k)), *ops = memory_alloc((size_t)t.n * sizeof *ops);
    memcpy(ops, d->ops.at + t.ops, t.n * sizeof *ops);
    t = dae_term(d, symbolic_solve(d->symbolic, t.shape, k).value, ops, t.n);
    memory_free(ops);
    d->eqs.at[e].term = t;
    d->eqs.at[e].target = pre;
    vec_push(&w->discrete, e);
    return true;
}

static void enter_conditions(Initial *w)
{
    for (uint32_t i = 0; i < w->s.eqs.n; i++) {
        EqId e = w->s.eqs.at[i];
        bool initial = w->d->eqs.at[e].origin == DAE_EQ_INITIAL;
        bool given = initial && (w->d->eqs.at[e].target != NONE || give_left_limit(w, e, true));
        if (given || w->s.match[i] != NONE || matcher_augment(&w->m, i))
            continue;
        if (!initial || !give_left_limit(w, e, false))
            vec_push(&w->p->plan->choices,
                     ((PlanChoice){w->d->eqs.at[e].target, DROPPED_REDUNDANT, e}));
    }
}

static void complete(Initial *w, uint32_t n_matched)
{
    uint32_t first = w->s.eqs.n;
    for (uint32_t i = 0; i < w->open.n; i++) {
        VarId v = w->open.at[i];
        bool taken = n_matched < w->s.vars.n && matcher_augment(&w->m, first + i);
        n_matched += taken;
        if (taken && i >= w->free.n) {
            EqId e = planner_start_equation(w->p, v);
            vec_push(&w->p->plan->choices, ((PlanChoice){v, CHOSE_START, e}));
            vec_push(&w->s.eqs, e);
        } else {
            vec_push(&w->s.eqs, NONE);
        }
    }
}

/* The match of a row in the main system, if the row still has that entry. */
static uint32_t earlier_match(const System *s, const System *main, uint32_t row)
{
    for (uint32_t k = s->a.ptr[row]; row < main->n_real && k < s->a.ptr[row + 1]; k++)
        if (s->a.var[k] == main->match[row])
            return main->match[row];
    return NONE;
}

/* Matches all rows in order of priority, then candidates for the rest. True if all unknowns are
 * determined. */
static bool match_in_order(Initial *w, const System *main)
{
    System *s = &w->s;
    add_candidate_rows(w);
    memory_free(s->match);
    s->match = memory_alloc(((size_t)s->a.n_eqs + 1) * sizeof *s->match);
    for (uint32_t i = 0; i < s->a.n_eqs; i++)
        s->match[i] = earlier_match(s, main, i);
    matcher_start(&w->m, &s->a, s->match);
    enter_conditions(w);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->eqs.n; i++)
        n += s->match[i] != NONE;
    complete(w, n);
    matcher_end(&w->m);
    n = 0;
    for (uint32_t i = 0; i < s->a.n_eqs; i++)
        n += s->match[i] != NONE;
    return n == s->vars.n;
}

static uint32_t count_redundant(const Plan *p, uint32_t from)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < p->choices.n; i++)
        n += p->choices.at[i].what == DROPPED_REDUNDANT;
    return n;
}

/* Matches again without entries that vanish at the values of the conditions. False if there are
 * none, or the model's own equations need them. */
static bool match_by_value(Initial *w, const System *main, uint32_t n_rows, uint32_t n_choices)
{
    System *s = &w->s;
    s->eqs.n = n_rows;
    system_incidence(s, w->d, false);
    if (!drop_vanishing(w->p, s, w->n_model))
        return false;
    w->p->plan->choices.n = n_choices;
    bool good = match_in_order(w, main);
    for (uint32_t i = 0; i < w->n_model && good; i++)
        good = s->match[i] != NONE;
    return good;
}

/* ---- left limits as unknowns ---- */

/* The equation of a discrete Real at the start as an ordinary one. A when-clause without initial()
 * keeps the left limit there. */
static EqId residual_at_start(Dae *d, EqId e)
{
    DaeEq eq = d->eqs.at[e];
    uint32_t n = eq.term.n, place = 0;
    VarId *ops = memory_alloc(((size_t)n + 1) * sizeof *ops);
    for (uint32_t k = 0; k < n; k++)
        ops[k] = dae_op(d, eq.term, k);
    while (place < n && ops[place] != eq.target)
        place++;
    ops[place] = eq.target;
    ExprId own = expr_leaf(d->g, OP_HOLE, T_REAL, place);
    eq.term = dae_term(d, expr_sub(d->g, own, shape_at_start(d, eq.term)), ops, n + (place == n));
    eq.origin = DAE_EQ_SOLVED;
    eq.of = e;
    eq.target = NONE;
    memory_free(ops);
    vec_push(&d->eqs, eq);
    return d->eqs.n - 1;
}

static bool is_free_limit(const Initial *w, VarId v)
{
    const Dae *d = w->d;
    VarId pre = d->vars.at[v].pre;
    bool taken = pre == NONE || d->vars.at[v].kind != DAE_DISCRETE || d->vars.at[v].fixed ||
                 w->s.col[pre] != NONE;
    for (uint32_t i = 0; i < w->discrete.n && !taken; i++)
        taken = d->eqs.at[w->discrete.at[i]].target == pre;
    return !taken;
}

/* Discrete Reals and their left limits become unknowns, with the equations of the former among
 * those of the model. */
static void add_limits(Initial *w, const System *main)
{
    Dae *d = w->d;
    System *s = &w->s;
    uint32_t n_more = 0, n_eqs = s->eqs.n;
    for (uint32_t i = main->n_real; i < main->eqs.n; i++) {
        VarId v = main->vars.at[main->match[i]];
        if (d->vars.at[v].type != DAE_REAL || d->eqs.at[main->eqs.at[i]].target != v)
            continue;
        vec_push(&s->eqs, residual_at_start(d, main->eqs.at[i]));
        n_more++;
        system_add_var(s, v);
        if (!is_free_limit(w, v))
            continue;
        system_add_var(s, d->vars.at[v].pre);
        vec_push(&w->free, d->vars.at[v].pre);
    }
    if (!n_more)
        return;
    /* those of the model come first */
    EqId *more = memory_alloc(((size_t)n_more + 1) * sizeof *more);
    memcpy(more, s->eqs.at + n_eqs, n_more * sizeof *more);
    memmove(s->eqs.at + w->n_model + n_more, s->eqs.at + w->n_model,
            (n_eqs - w->n_model) * sizeof *more);
    memcpy(s->eqs.at + w->n_model, more, n_more * sizeof *more);
    memory_free(more);
    w->n_model += n_more;
}

/* Start values of left limits before other candidates, declared ones first. */
static void rank_limits(Initial *w)
{
    const Dae *d = w->d;
    uint32_t n_open = w->open.n, n = 0;
    if (!w->free.n)
        return;
    VarId *best = memory_alloc(w->free.n * sizeof *best);
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < w->free.n; i++)
            if (d->vars.at[d->vars.at[w->free.at[i]].base].has_start == (pass == 0))
                best[n++] = w->free.at[i];
    memcpy(w->free.at, best, n * sizeof *best);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&w->open, best[i]);
    memmove(w->open.at + n, w->open.at, n_open * sizeof *w->open.at);
    memcpy(w->open.at, best, n * sizeof *best);
    memory_free(best);
}

/* False if an unknown is left. */
static bool match_all(Initial *w, const System *main)
{
    System *s = &w->s;
    Plan *plan = w->p->plan;
    uint32_t n_rows = s->eqs.n, n_choices = plan->choices.n, n_assumptions = plan->assumptions.n;
    system_incidence(s, w->d, false);
    rank_candidates(w, main->n_real);
    rank_limits(w);
    bool good = match_in_order(w, main);
    if (good && count_redundant(plan, n_choices) && !match_by_value(w, main, n_rows, n_choices)) {
        plan->choices.n = n_choices;
        plan->assumptions.n = n_assumptions;
        s->eqs.n = n_rows;
        system_incidence(s, w->d, false);
        good = match_in_order(w, main);
    }
    return good;
}

/* ---- the system that is sorted ---- */

/* Left limits that have their start values are no unknowns. */
static void drop_known_limits(Initial *w)
{
    System *s = &w->s;
    uint32_t first = s->eqs.n - w->open.n, n = 0;
    for (uint32_t i = 0; i < w->free.n; i++)
        if (s->match[first + i] != NONE) {
            s->col[w->free.at[i]] = NONE;
            s->match[first + i] = NONE;
        }
    uint32_t *column = memory_alloc(((size_t)s->vars.n + 1) * sizeof *column);
    for (uint32_t i = 0; i < s->vars.n; i++) {
        VarId v = s->vars.at[i];
        if (s->col[v] == NONE)
            continue;
        s->col[v] = column[i] = n;
        s->vars.at[n++] = v;
    }
    s->vars.n = n;
    for (uint32_t i = 0; i < s->eqs.n; i++)
        if (s->match[i] != NONE)
            s->match[i] = column[s->match[i]];
    memory_free(column);
}

static void keep_matched(Initial *w)
{
    System *s = &w->s;
    drop_known_limits(w);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->eqs.n; i++) {
        if (s->match[i] == NONE)
            continue;
        s->eqs.at[n] = s->eqs.at[i];
        s->match[n++] = s->match[i];
    }
    s->eqs.n = s->n_real = n;
}

static void add_discrete(Initial *w, const System *main)
{
    System *s = &w->s;
    uint32_t n_real = s->n_real;
    for (uint32_t i = main->n_real; i < main->eqs.n; i++) {
        VarId v = main->vars.at[main->match[i]];
        if (s->col[v] != NONE)
            continue;
        vec_push(&s->eqs, main->eqs.at[i]);
        system_add_var(s, v);
    }
    for (uint32_t i = 0; i < w->discrete.n; i++) {
        vec_push(&s->eqs, w->discrete.at[i]);
        system_add_var(s, w->d->eqs.at[w->discrete.at[i]].target);
    }
    for (VarId v = 0; v < w->p->n_late; v++) {
        const DaeVar *x = &w->d->vars.at[v];
        if (!w->p->late[v] || x->type == DAE_REAL || s->col[v] != NONE)
            continue;
        vec_push(&s->eqs, x->detail == NONE ? planner_start_equation(w->p, v) : x->detail);
        system_add_var(s, v);
    }
    uint32_t *match = memory_alloc(((size_t)s->eqs.n + 1) * sizeof *match);
    memcpy(match, s->match, n_real * sizeof *match);
    memory_free(s->match);
    s->match = match;
    for (uint32_t i = n_real; i < s->eqs.n; i++)
        s->match[i] = i;
}

static void mark_uses(Plan *plan)
{
    for (uint32_t i = 0; i < plan->initial.n_blocks; i++) {
        PlanBlock *b = &plan->blocks.at[plan->initial.block + i];
        VarId v = b->n_steps ? plan->steps.at[b->step].var : 0;
        uint8_t kind = plan->dae->vars.at[v].kind;
        if (b->mixed || kind == DAE_DISCRETE || kind == DAE_RELATION || kind == DAE_PRE)
            b->uses |= USE_DISCRETE;
    }
}

static bool match_system(Initial *w, Planner *p, const System *main, bool with_limits)
{
    *w = (Initial){.p = p, .d = p->dae};
    system_start(&w->s, p->dae);
    w->s.at_start = true;
    add_columns(w, main);
    w->n_own = w->s.vars.n;
    add_rows(w, main);
    add_fixed(w, main->n_real);
    if (with_limits)
        add_limits(w, main);
    for (uint32_t i = 0; i < w->limits.n; i++)
        vec_push(&w->s.eqs, w->limits.at[i]);
    return match_all(w, main);
}

static void end_system(Initial *w)
{
    system_end(&w->s);
    vec_free(&w->open);
    vec_free(&w->limits);
    vec_free(&w->discrete);
    vec_free(&w->free);
}

static bool has_discrete_reals(const System *main, const Dae *d)
{
    bool any = false;
    for (uint32_t i = main->n_real; i < main->vars.n && !any; i++)
        any = d->vars.at[main->vars.at[i]].type == DAE_REAL;
    return any;
}

bool plan_initial(Planner *p, const System *main)
{
    Initial w;
    Plan *plan = p->plan;
    uint32_t n_choices = plan->choices.n, n_assumptions = plan->assumptions.n;
    bool ok = match_system(&w, p, main, false);
    uint32_t n_redundant = count_redundant(plan, n_choices);
    if (ok && n_redundant && has_discrete_reals(main, p->dae)) {
        for (int attempt = 1; attempt >= 0; attempt--) { /* the second one repeats the first */
            end_system(&w);
            plan->choices.n = n_choices;
            plan->assumptions.n = n_assumptions;
            ok = match_system(&w, p, main, attempt);
            if (ok && count_redundant(plan, n_choices) < n_redundant)
                break;
        }
    }
    if (ok) {
        keep_matched(&w);
        add_discrete(&w, main);
        ok = sequence_build(p, &w.s, &plan->initial);
        mark_uses(plan);
    } else {
        w.s.a.n_eqs = w.s.eqs.n;
        report_singular(w.d, &w.s.a, w.s.match, w.s.eqs.at, w.s.vars.at, "the initial system");
    }
    end_system(&w);
    return ok;
}
