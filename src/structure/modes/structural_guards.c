/* Switch equations, and the guards that change the structure of the model.
 *
 * In: the sorted main sequence, built with the incidence of all branches. Out: Plan.switches,
 * Plan.guards.
 *
 * In a switch equation, the unknowns that occur depend on the value of a discrete variable (0 = if
 * open then i else u, sw*i + (1 - sw)*u = 0). If each value leaves its block with a complete
 * matching, the block is solved numerically for the present branch. One plan then serves all modes
 * (Krebs' condition). Otherwise the surroundings fix the causality of the switch, and the discrete
 * variable is a structural guard. A matching never leaves its block, so the test is local.
 *
 * The storage element that fixes the causality is the first state that the overdetermined
 * equations lead to. If they lead to no state but contain a source, the switch contradicts the
 * source, which is reported if the values are sure to occur. If they contain no source, they are
 * redundant (the voltage between two open switches floats), and the block is solved for the
 * smallest values.
 *
 * Cost: per discrete operand of an equation as many substitutions as it has values, once per shape.
 * If an entry is lost, also a matching of the block. */
#include "structure/modes/modes.h"

#include <math.h>
#include <stdlib.h>

enum {
    MOST_STORAGES = 64,
    MOST_VALUES = 32,
    MOST_COMBINATIONS = 64,
    MOST_OPERANDS = 64,
    LARGEST_KERNEL = 600
};

typedef VEC(uint32_t) VEC32;

typedef struct Guards {
    Planner *p;
    Plan *plan;
    Dae *d;
    uint32_t *block_of; /* per variable: block of main that computes it, or NONE */
    uint8_t *is_state;  /* per variable */
    uint8_t *listed;    /* per variable: guard already */
    uint8_t *noted;     /* per variable: some switch equation depends on it */
    uint32_t *local;    /* per variable: column in the present block, or NONE */
    VEC(EqId) eqs;      /* of the block at work */
    VEC(VarId) vars;
    VEC(VarId) switches; /* discrete operands of the present equation */
    VEC(VarId)
    states; /* states to which the overdetermined equations of the present combination lead */
    uint8_t *is_fixed; /* per variable: has the value below */
    double *value;
    ReachableValues *witness; /* made when first needed */
    Map fixed;                /* hash of a shape and values → the shape with the values put in */
} Guards;

static bool is_discrete(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    if (x->kind == DAE_PRE)
        return d->vars.at[x->base].kind == DAE_DISCRETE;
    return x->kind == DAE_DISCRETE || x->kind == DAE_RELATION || x->kind == DAE_HELD;
}

/* Values to try: all of an enumeration; otherwise false and true, 0 and 1. */
static uint32_t values_of(const Dae *d, VarId v, double *out)
{
    const DaeVar *x = &d->vars.at[v];
    while (x->flat == NONE && x->base != NONE)
        x = &d->vars.at[x->base];
    uint32_t n = 0;
    if (x->type == DAE_ENUM && x->flat != NONE) {
        const Types *types = d->g->types;
        const Type *type = type_get(types, type_element(types, d->flat->vars.at[x->flat].type));
        for (; n < type->n && n < MOST_VALUES; n++)
            out[n] = n + 1;
        return n;
    }
    out[0] = 0;
    out[1] = 1;
    return 2;
}

/* ---- values put in ---- */

static void put_value(Guards *w, VarId v, double value)
{
    w->is_fixed[v] = 1;
    w->value[v] = value;
}

/* A parameter that is zero at the model's settings removes its factors like a switch (a resistance
 * that an ideal element does not have). */
static bool is_zero(const Guards *w, VarId v)
{
    const DaeVar *x = &w->d->vars.at[v];
    return w->p && x->kind == DAE_PARAMETER && x->type == DAE_REAL && v < w->p->n_late &&
           !w->p->late[v] && w->p->value.at[v] == 0;
}

/* The shape of t with the values put in. */
static ExprId with_values(Guards *w, Term t)
{
    ExprId with[MOST_OPERANDS];
    uint64_t key = hash_mix(t.shape, t.n);
    bool any = false;
    if (t.n > MOST_OPERANDS)
        return t.shape;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        bool fixed = w->is_fixed[v], zero = !fixed && is_zero(w, v);
        any |= fixed;
        with[k] = fixed  ? dae_literal(w->d, v, w->value[v])
                  : zero ? expr_real(w->d->g, 0)
                         : EXPR_NONE;
        key = hash_mix(key, with[k]);
    }
    if (!any)
        return t.shape;
    uint32_t known = map_get(&w->fixed, key >> 1);
    if (known != MAP_NONE)
        return known;
    ExprId shape = symbolic_substitute(w->d->symbolic, t.shape, with, t.n);
    map_put(&w->fixed, key >> 1, shape);
    return shape;
}

static uint32_t hole_of(const Dae *d, Term t, VarId v)
{
    for (uint32_t k = 0; k < t.n; k++)
        if (dae_op(d, t, k) == v)
            return k;
    return NONE;
}

static bool is_parameter(const Dae *d, VarId v)
{
    return d->vars.at[v].kind == DAE_PARAMETER && d->vars.at[v].type == DAE_REAL;
}

static bool has(Symbolic *s, ExprId shape, uint32_t hole)
{
    return symbolic_depends(s, shape, hole);
}

/* ---- the present block ---- */

static void add_member(Guards *w, EqId e, VarId v)
{
    w->local[v] = w->vars.n;
    vec_push(&w->eqs, e);
    vec_push(&w->vars, v);
}

static void enter_block(Guards *w, const PlanBlock *b)
{
    const Plan *p = w->plan;
    vec_clear(&w->eqs);
    vec_clear(&w->vars);
    for (uint32_t i = 0; i < b->n_torn; i++)
        add_member(w, p->torn.at[b->torn + i].eq, p->torn.at[b->torn + i].var);
    for (uint32_t i = 0; i < b->n_steps; i++)
        if (var_is_real(w->d, p->steps.at[b->step + i].var))
            add_member(w, p->steps.at[b->step + i].eq, p->steps.at[b->step + i].var);
}

static void leave_block(Guards *w)
{
    for (uint32_t i = 0; i < w->vars.n; i++)
        w->local[w->vars.at[i]] = NONE;
}

/* ---- one switch equation ---- */

/* The discrete operands of e that its switching may depend on, and how many combinations of values
 * they have; 0: none, or too many. */
static uint32_t find_switches(Guards *w, EqId e)
{
    Term t = w->d->eqs.at[e].term;
    double values[MOST_VALUES];
    uint32_t n = 1;
    vec_clear(&w->switches);
    for (uint32_t k = 0; k < t.n && t.n <= MOST_OPERANDS; k++) {
        VarId v = dae_op(w->d, t, k);
        if (!is_discrete(w->d, v))
            continue;
        vec_push(&w->switches, v);
        n *= values_of(w->d, v, values);
        if (n > MOST_COMBINATIONS)
            return 0;
    }
    return w->switches.n ? n : 0;
}

static void put_combination(Guards *w, uint32_t number)
{
    double values[MOST_VALUES];
    for (uint32_t i = 0; i < w->switches.n; i++) {
        uint32_t n = values_of(w->d, w->switches.at[i], values);
        put_value(w, w->switches.at[i], values[number % n]);
        number /= n;
    }
}

static void take_back(Guards *w)
{
    for (uint32_t i = 0; i < w->switches.n; i++)
        w->is_fixed[w->switches.at[i]] = 0;
}

/* Does the combination drop an unknown of the block from the term? */
static bool drops_unknown(Guards *w, Term t)
{
    ExprId shape = with_values(w, t);
    for (uint32_t j = 0; shape != t.shape && j < t.n; j++)
        if (w->local[dae_op(w->d, t, j)] != NONE && !has(w->d->symbolic, shape, j))
            return true;
    return false;
}

/* Rows and columns as eqs and vars, with the values put in. */
static void incidence_with(Guards *w, Incidence *a)
{
    VEC(uint32_t) entries = {0};
    *a = (Incidence){.n_eqs = w->eqs.n, .n_vars = w->vars.n};
    a->ptr = memory_alloc(((size_t)a->n_eqs + 1) * sizeof *a->ptr);
    for (uint32_t i = 0; i < w->eqs.n; i++) {
        const DaeEq *e = &w->d->eqs.at[w->eqs.at[i]];
        Term t = e->term;
        ExprId shape = with_values(w, t);
        for (uint32_t j = 0; j < t.n; j++) {
            uint32_t col = w->local[dae_op(w->d, t, j)];
            if (col != NONE && (shape == t.shape || has(w->d->symbolic, shape, j)))
                vec_push(&entries, col);
        }
        if (e->target != NONE && w->local[e->target] != NONE && hole_of(w->d, t, e->target) == NONE)
            vec_push(&entries, w->local[e->target]);
        a->ptr[i + 1] = entries.n;
    }
    a->var = entries.at ? entries.at : memory_alloc(sizeof *a->var);
}

/* Adds the states that the value of v depends on, itself included, nearest first, up to a limit. */
static void add_states_behind(Guards *w, VarId v, Map *seen)
{
    VEC(VarId) queue = {0};
    vec_push(&queue, v);
    for (uint32_t i = 0; i < queue.n && w->states.n < MOST_STORAGES; i++) {
        VarId x = queue.at[i];
        if (w->is_state[x])
            vec_push(&w->states, x);
        if (w->is_state[x] || w->block_of[x] == NONE || map_get(seen, w->block_of[x]) != MAP_NONE)
            continue;
        map_put(seen, w->block_of[x], 1);
        const PlanBlock *b = &w->plan->blocks.at[w->block_of[x]];
        for (uint32_t s = 0; s < b->n_steps + b->n_torn; s++) {
            EqId e = s < b->n_steps ? w->plan->steps.at[b->step + s].eq
                                    : w->plan->torn.at[b->torn + s - b->n_steps].eq;
            Term t = w->d->eqs.at[e].term;
            for (uint32_t k = 0; k < t.n; k++)
                vec_push(&queue, dae_op(w->d, t, k));
        }
    }
    vec_free(&queue);
}

/* The storage elements that fix the causality if a combination leaves the block without a complete
 * matching, into w->states. */
static void find_storages(Guards *w, const Incidence *a, const uint32_t *match)
{
    Map seen = {0};
    vec_clear(&w->states);
    uint8_t *eq_part = memory_alloc((size_t)a->n_eqs + 1),
            *var_part = memory_alloc((size_t)a->n_vars + 1);
    structure_parts(a, match, eq_part, var_part);
    for (uint32_t i = 0; i < w->eqs.n; i++) {
        Term t = w->d->eqs.at[w->eqs.at[i]].term;
        ExprId shape = with_values(w, t);
        for (uint32_t j = 0; eq_part[i] == 1 && j < t.n; j++) {
            VarId x = dae_op(w->d, t, j);
            if (w->local[x] == NONE && (shape == t.shape || has(w->d->symbolic, shape, j)))
                add_states_behind(w, x, &seen);
        }
    }
    map_free(&seen);
    memory_free(eq_part);
    memory_free(var_part);
}

static bool is_singular(Guards *w, bool source);

/* "off is true and on is false" */
static char *combination_text(Guards *w, Arena *arena)
{
    char *text = "";
    for (uint32_t i = 0; i < w->switches.n; i++) {
        VarId v = w->switches.at[i];
        const DaeVar *x = &w->d->vars.at[v];
        if (!w->is_fixed[v])
            continue;
        const char *name =
            x->kind == DAE_RELATION
                ? dae_term_print(w->d, w->d->eqs.at[w->d->relations.at[x->detail].eq].term, arena)
                : dae_var_name(w->d, v, arena);
        const char *value = x->type == DAE_BOOL ? w->value[v] != 0 ? "true" : "false"
                                                : arena_printf(arena, "%g", w->value[v]);
        text = arena_printf(arena, "%s%s%s is %s", text, *text ? " and " : "", name, value);
    }
    return text;
}

static void report_unphysical(Guards *w, EqId e)
{
    Arena *scratch = arena_new();
    uint32_t first = 0;
    while (first + 1 < w->switches.n && !w->is_fixed[w->switches.at[first]])
        first++;
    diag(w->d->ctx, w->d->eqs.at[e].span, DIAG_T010,
         "this switch contradicts a source: when %s, it shorts a voltage source or disconnects a "
         "current source",
         combination_text(w, scratch));
    diag_note(w->d->ctx, report_var_span(w->d, w->switches.at[first]),
              "put a resistance in series with the voltage source, or in parallel with the current "
              "source");
    arena_free(scratch);
}

static void add_storages(Guards *w, EqId e)
{
    uint32_t n = w->plan->storages.n, first = n;
    while (first > 0 && w->plan->storages.at[first - 1].eq == e)
        first--;
    for (uint32_t i = 0; i < w->states.n; i++) {
        bool known = false;
        for (uint32_t k = first; k < n && !known; k++)
            known = w->plan->storages.at[k].state == w->states.at[i];
        if (!known)
            vec_push(&w->plan->storages, ((PlanStorage){e, w->states.at[i]}));
    }
}

static void add_guards(Guards *w, EqId e, VarId storage)
{
    for (uint32_t i = 0; i < w->switches.n; i++) {
        VarId v = w->switches.at[i];
        if (w->listed[v])
            continue;
        w->listed[v] = 1;
        vec_push(&w->plan->guards,
                 ((PlanGuard){.var = v, .eq = e, .value = w->value[v], .storage = storage}));
    }
}

/* Whether the combination is sure to occur and contradicts a source. Not all combinations of
 * several discrete variables occur. Values that time and parameters do not determine are dropped:
 * the run will show them. */
static bool occurs_against_source(Guards *w)
{
    if (!reachable_values_find(w->witness, w->switches.at, w->value, w->switches.n))
        return false;
    for (uint32_t i = 0; i < w->switches.n; i++)
        w->is_fixed[w->switches.at[i]] = reachable_values_knows(w->witness, w->switches.at[i]);
    return is_singular(w, true);
}

/* Records a position of switch e that only a source forbids, up to a limit. */
static void note_against_source(Guards *w, EqId e)
{
    enum { MOST_NOTED = 8 };
    uint32_t n = w->plan->against_source.n;
    bool known = n && vec_last(&w->plan->against_source).eq == e;
    if (known || n >= MOST_NOTED || !w->switches.n || !is_singular(w, true))
        return;
    VarId v = w->switches.at[0];
    vec_push(&w->plan->against_source,
             ((PlanGuard){.var = v, .eq = e, .value = w->value[v], .storage = NONE}));
}

/* Examines the present combination. False after reporting a contradiction. */
static bool try_combination(Guards *w, EqId e, uint32_t *match)
{
    Incidence a;
    bool ok = true;
    incidence_with(w, &a);
    if (structure_match(&a, match) < a.n_eqs) {
        find_storages(w, &a, match);
        VarId storage = w->states.n ? w->states.at[0] : NONE;
        add_storages(w, e);
        if (storage == NONE)
            note_against_source(w, e);
        ok = storage != NONE || !occurs_against_source(w);
        if (storage != NONE)
            add_guards(w, e, storage);
        else if (!ok)
            report_unphysical(w, e);
    }
    memory_free(a.ptr);
    memory_free(a.var);
    return ok;
}

/* Whether the equation of one discrete variable, with the values of the others, contradicts its own
 * value. */
static bool is_ruled_out(Guards *w)
{
    if (!w->witness)
        w->witness = reachable_values_new(w->p);
    for (uint32_t i = 0; i < w->switches.n; i++) {
        VarId v = w->switches.at[i];
        EqId e = reachable_values_equation(w->witness, v);
        ExprId given = e == NONE ? EXPR_NONE : with_values(w, w->d->eqs.at[e].term);
        double x;
        if (given && expr_is_literal(w->d->g, given) &&
            dae_eval(w->d, (Term){.shape = given}, w->value, &x) == EVAL_OK && x != w->value[v])
            return true;
    }
    return false;
}

static bool try_equation(Guards *w, EqId e, uint32_t *match)
{
    uint32_t n = find_switches(w, e);
    bool is_switch = false, ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        put_combination(w, i);
        if (drops_unknown(w, w->d->eqs.at[e].term)) {
            is_switch = true;
            ok = is_ruled_out(w) || try_combination(w, e, match);
        }
        take_back(w);
    }
    if (is_switch)
        vec_push(&w->plan->switches, e);
    Term t = w->d->eqs.at[e].term;
    for (uint32_t k = 0; is_switch && k < t.n; k++) {
        VarId v = dae_op(w->d, t, k);
        w->d->vars.at[v].of_switch |= w->d->vars.at[v].kind == DAE_CONTINUOUS;
        if (!w->noted[v] && (is_discrete(w->d, v) || is_parameter(w->d, v)))
            vec_push(&w->plan->switch_vars, v);
        w->noted[v] = 1;
    }
    return ok;
}

/* ---- sources ---- */

static VarId chain_root(const Dae *d, VarId v)
{
    while (d->vars.at[v].kind == DAE_DERIVATIVE || d->vars.at[v].alias != NONE)
        v = d->vars.at[v].alias != NONE ? d->vars.at[v].alias : d->vars.at[v].base;
    return v;
}

static void add_chains(Guards *w, EqId e, const uint32_t *col, VEC32 *entries)
{
    const DaeEq *q = &w->d->eqs.at[e];
    ExprId shape = with_values(w, q->term);
    for (uint32_t j = 0; j < q->term.n; j++) {
        VarId v = chain_root(w->d, dae_op(w->d, q->term, j));
        if (col[v] && (shape == q->term.shape || has(w->d->symbolic, shape, j)))
            vec_push(entries, col[v] - 1);
    }
    if (q->target != NONE)
        vec_push(entries, col[chain_root(w->d, q->target)] - 1);
}

/* Whether one of these equations contains a source: it does not hold if all unknowns are zero. */
static bool has_source(Guards *w, const EqId *eqs, const uint8_t *part, uint32_t n)
{
    double *v = memory_alloc((size_t)w->d->vars.n * sizeof *v), x;
    bool found = false;
    for (VarId k = 0; k < w->d->vars.n; k++)
        v[k] = w->is_fixed[k]                           ? w->value[k]
               : w->d->vars.at[k].kind == DAE_PARAMETER ? w->p->value.at[k]
                                                        : 0;
    v[0] = 0.3771; /* some time */
    for (uint32_t i = 0; i < n && !found; i++)
        found =
            part[i] == 1 && (dae_eval(w->d, w->d->eqs.at[eqs[i]].term, v, &x) != EVAL_OK || x != 0);
    memory_free(v);
    return found;
}

/* Whether the model's own equations have no complete matching. A variable and its derivatives count
 * as one unknown. `source`: the overdetermined part must also contain a source. */
static bool is_singular(Guards *w, bool source)
{
    Dae *d = w->d;
    uint32_t *col = memory_alloc(((size_t)d->vars.n + 1) * sizeof *col), n_cols = 0;
    VEC32 entries = {0}, rows = {0}, eqs = {0};
    for (VarId v = 0; v < d->vars.n; v++)
        if (d->vars.at[v].kind == DAE_CONTINUOUS && d->vars.at[v].alias == NONE)
            col[v] = ++n_cols;
    vec_push(&rows, 0);
    for (EqId e = 0; e < d->n_model_eqs; e++) {
        if (d->eqs.at[e].origin != DAE_EQ_MODEL || !eq_is_real(d, &d->eqs.at[e]))
            continue;
        add_chains(w, e, col, &entries);
        vec_push(&rows, entries.n);
        vec_push(&eqs, e);
    }
    Incidence a = {.n_eqs = eqs.n, .n_vars = n_cols, .ptr = rows.at, .var = entries.at};
    uint32_t *match = memory_alloc(((size_t)a.n_eqs + 1) * sizeof *match);
    bool singular = a.var && structure_match(&a, match) < a.n_eqs;
    if (singular && source) {
        uint8_t *eq_part = memory_alloc((size_t)a.n_eqs + 1),
                *var_part = memory_alloc((size_t)a.n_vars + 1);
        structure_parts(&a, match, eq_part, var_part);
        singular = has_source(w, eqs.at, eq_part, eqs.n);
        memory_free(eq_part);
        memory_free(var_part);
    }
    memory_free(match);
    memory_free(col);
    vec_free(&entries);
    vec_free(&rows);
    vec_free(&eqs);
    return singular;
}

/* ---- the whole ---- */

static void prepare_values(Guards *w)
{
    uint32_t n = w->d->vars.n;
    w->is_fixed = memory_alloc(n);
    w->value = memory_alloc((size_t)n * sizeof *w->value);
}

static void prepare(Guards *w)
{
    uint32_t n = w->d->vars.n;
    const Plan *p = w->plan;
    prepare_values(w);
    w->block_of = memory_alloc((size_t)n * sizeof *w->block_of);
    w->local = memory_alloc((size_t)n * sizeof *w->local);
    w->is_state = memory_alloc(n);
    w->listed = memory_alloc(n);
    w->noted = memory_alloc(n);
    for (VarId v = 0; v < n; v++)
        w->block_of[v] = w->local[v] = NONE;
    for (uint32_t i = 0; i < p->states.n; i++)
        w->is_state[p->states.at[i].var] = 1;
    for (uint32_t b = p->main.block; b < p->main.block + p->main.n_blocks; b++) {
        const PlanBlock *x = &p->blocks.at[b];
        for (uint32_t i = 0; i < x->n_steps; i++)
            w->block_of[p->steps.at[x->step + i].var] = b;
        for (uint32_t i = 0; i < x->n_torn; i++)
            w->block_of[p->torn.at[x->torn + i].var] = b;
    }
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

bool plan_guards(Planner *p)
{
    Guards w = {.p = p, .plan = p->plan, .d = p->dae};
    const PlanSequence main = p->plan->main;
    bool ok = true;
    prepare(&w);
    for (uint32_t b = main.block; b < main.block + main.n_blocks; b++) {
        enter_block(&w, &p->plan->blocks.at[b]);
        uint32_t *match = memory_alloc(((size_t)w.eqs.n + 1) * sizeof *match);
        for (uint32_t i = 0; i < w.eqs.n; i++)
            ok &= try_equation(&w, w.eqs.at[i], match);
        memory_free(match);
        leave_block(&w);
    }
    if (p->plan->switches.n)
        qsort(p->plan->switches.at, p->plan->switches.n, sizeof *p->plan->switches.at, by_number);
    memory_free(w.block_of);
    memory_free(w.local);
    memory_free(w.is_state);
    memory_free(w.listed);
    memory_free(w.noted);
    memory_free(w.is_fixed);
    memory_free(w.value);
    vec_free(&w.eqs);
    vec_free(&w.vars);
    vec_free(&w.switches);
    vec_free(&w.states);
    map_free(&w.fixed);
    reachable_values_free(w.witness);
    return ok;
}

/* ---- modes ---- */

static void fit_structure(Guards *w, const VarId *guards, double *values, uint32_t n)
{
    bool fits = !is_singular(w, false);
    for (uint32_t i = 0; !fits && i < n; i++)
        w->is_fixed[guards[i]] = 0;
    for (uint32_t i = 0; !fits && i < n; i++) {
        if (isnan(values[i]))
            continue;
        put_value(w, guards[i], values[i]);
        if (!is_singular(w, false))
            continue;
        w->is_fixed[guards[i]] = 0;
        values[i] = NAN;
    }
}

/* Equations with only literal coefficients, as rows of a matrix; those with guards last. */
typedef struct Kernel {
    VEC(EqId) eqs;
    uint32_t n_free; /* rows without guards */
    uint32_t *col;   /* per variable: column + 1, or 0 */
    uint32_t n_cols;
    double *a;       /* by rows */
    uint32_t *pivot; /* per row: its column, or NONE */
} Kernel;

/* The coefficients of e into row, if they are literals; otherwise false. */
static bool literal_row(Guards *w, Kernel *k, EqId e, double *row)
{
    Dae *d = w->d;
    Term t = d->eqs.at[e].term;
    t.shape = with_values(w, t);
    for (uint32_t j = 0; j < t.n; j++) {
        VarId v = dae_op(d, t, j);
        if (!var_is_real(d, v) || !has(d->symbolic, t.shape, j))
            continue;
        Linearity l = symbolic_linearity(d->symbolic, t.shape, j);
        if (l != LINEAR_UNIT && l != LINEAR_CONSTANT)
            return false;
        ExprId c = symbolic_diff(d->symbolic, t.shape, j);
        if (c == EXPR_NONE || !expr_is_literal(d->g, c))
            return false;
        if (!k->col[v])
            k->col[v] = ++k->n_cols;
        if (row)
            row[k->col[v] - 1] = expr_real_value(d->g, c);
    }
    return d->eqs.at[e].target == NONE;
}

static bool has_guard(const Guards *w, EqId e)
{
    Term t = w->d->eqs.at[e].term;
    for (uint32_t j = 0; j < t.n; j++)
        if (w->is_fixed[dae_op(w->d, t, j)] && is_discrete(w->d, dae_op(w->d, t, j)))
            return true;
    return false;
}

static void collect_kernel(Guards *w, Kernel *k)
{
    for (int guarded = 0; guarded < 2; guarded++) {
        for (EqId e = 0; e < w->d->n_model_eqs; e++) {
            const DaeEq *q = &w->d->eqs.at[e];
            if (q->origin == DAE_EQ_MODEL && eq_is_real(w->d, q) && has_guard(w, e) == guarded &&
                literal_row(w, k, e, NULL))
                vec_push(&k->eqs, e);
        }
        if (!guarded)
            k->n_free = k->eqs.n;
    }
}

/* Row i minus those before it; false if nothing is left of it. */
static bool reduce_row(Kernel *k, uint32_t i)
{
    double *row = k->a + (size_t)i * k->n_cols, largest = 0;
    for (uint32_t r = 0; r < i; r++) {
        uint32_t p = k->pivot[r];
        if (p == NONE || row[p] == 0)
            continue;
        const double *other = k->a + (size_t)r * k->n_cols;
        double f = row[p] / other[p];
        for (uint32_t j = 0; j < k->n_cols; j++)
            row[j] -= f * other[j];
        row[p] = 0;
    }
    k->pivot[i] = NONE;
    for (uint32_t j = 0; j < k->n_cols; j++)
        if (fabs(row[j]) > fmax(largest, 1e-9)) {
            largest = fabs(row[j]);
            k->pivot[i] = j;
        }
    return k->pivot[i] != NONE;
}

/* Guards of a redundant equation stay in place: parallel ideal elements split their current
 * arbitrarily. */
static void fit_rank(Guards *w, const VarId *guards, double *values, uint32_t n)
{
    Kernel k = {.col = memory_alloc((size_t)w->d->vars.n * sizeof *k.col)};
    collect_kernel(w, &k);
    if (k.eqs.n <= LARGEST_KERNEL && k.n_free < k.eqs.n) {
        k.a = memory_alloc(((size_t)k.eqs.n * k.n_cols + 1) * sizeof *k.a);
        k.pivot = memory_alloc(((size_t)k.eqs.n + 1) * sizeof *k.pivot);
        for (uint32_t i = 0; i < k.eqs.n; i++) {
            literal_row(w, &k, k.eqs.at[i], k.a + (size_t)i * k.n_cols);
            if (reduce_row(&k, i) || i < k.n_free)
                continue;
            for (uint32_t g = 0; g < n; g++)
                if (is_discrete(w->d, guards[g]) &&
                    hole_of(w->d, w->d->eqs.at[k.eqs.at[i]].term, guards[g]) != NONE)
                    values[g] = NAN;
        }
    }
    vec_free(&k.eqs);
    memory_free(k.col);
    memory_free(k.a);
    memory_free(k.pivot);
}

void structure_fit_guards(Dae *dae, const VarId *guards, double *values, uint32_t n)
{
    Guards w = {.d = dae};
    prepare_values(&w);
    for (uint32_t i = 0; i < n; i++)
        if (!isnan(values[i]))
            put_value(&w, guards[i], values[i]);
    fit_structure(&w, guards, values, n);
    fit_rank(&w, guards, values, n);
    memory_free(w.is_fixed);
    memory_free(w.value);
    map_free(&w.fixed);
}
