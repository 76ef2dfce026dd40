#include "foreign/component/layout.h"

typedef VEC(uint32_t) Indices;

typedef struct Lists {
    Indices states, derivatives, continuous_inputs, other_inputs, parameters, starts, calculated,
        discretes, continuous, strings, clocks, triggers, ticks;
} Lists;

static LayoutList list_of(const FmiDescription *d, const Indices *from, Arena *arena)
{
    LayoutList l = {.n_variables = from->n};
    for (uint32_t i = 0; i < from->n; i++)
        l.n += d->variables.at[from->at[i]].size;
    l.at = ARENA_ARRAY(arena, LayoutEntry, l.n + 1);
    l.variables = ARENA_ARRAY(arena, uint32_t, from->n + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        l.variables[i] = from->at[i];
        for (uint32_t k = 0; k < d->variables.at[from->at[i]].size; k++)
            l.at[n++] = (LayoutEntry){from->at[i], k};
    }
    return l;
}

/* ---- kinds of variables ---- */

static bool is_input_continuous(const FmiVariable *v)
{
    return fmi_is_float((FmiType)v->type) && v->variability == FMI_CONTINUOUS;
}

static void take_output(const Layout *l, Lists *to, uint32_t i)
{
    const FmiVariable *v = &l->d->variables.at[i];
    if (v->variability <= FMI_TUNABLE)
        vec_push(&to->calculated, i);
    else if (v->variability == FMI_DISCRETE || !fmi_is_float((FmiType)v->type))
        vec_push(&to->discretes, i);
    else if (!l->exchange || !(v->is_state || v->is_state_derivative))
        vec_push(&to->continuous, i);
    bool settable = v->start && (v->initial == FMI_EXACT || v->initial == FMI_APPROX) &&
                    v->variability != FMI_CONSTANT;
    if (settable)
        vec_push(&to->starts, i);
}

/* In co-simulation without event mode, clocks do not exist. */
static void take_clock(const Layout *l, Lists *to, uint32_t i)
{
    const FmiVariable *v = &l->d->variables.at[i];
    if (!l->exchange && !l->d->co_simulation.event_mode)
        return;
    if (v->causality == FMI_INPUT)
        vec_push(v->clock->kind == FMI_INTERVAL_TRIGGERED ? &to->triggers : &to->clocks, i);
    else if (v->causality == FMI_OUTPUT)
        vec_push(&to->ticks, i);
}

static void take(const Layout *l, Lists *to, uint32_t i)
{
    const FmiVariable *v = &l->d->variables.at[i];
    if (v->clock)
        take_clock(l, to, i);
    bool parameter = v->causality == FMI_PARAMETER && v->variability != FMI_CONSTANT;
    if (v->type == FMI_STRING && parameter && v->start && !v->n_dimensions)
        vec_push(&to->strings, i);
    if (!fmi_is_number((FmiType)v->type) || v->causality == FMI_INDEPENDENT)
        return;
    if (l->d->version == 1 && !strcmp(v->name, "time"))
        return;
    if (fmi_is_structural(v))
        return; /* set before all else */
    if (v->causality == FMI_INPUT)
        vec_push(is_input_continuous(v) ? &to->continuous_inputs : &to->other_inputs, i);
    else if (parameter && v->start)
        vec_push(&to->parameters, i);
    else if (v->causality == FMI_STRUCTURAL_PARAMETER || v->causality <= FMI_CALCULATED_PARAMETER)
        vec_push(&to->calculated, i);
    else
        take_output(l, to, i);
}

static void take_states(const Layout *l, Lists *to)
{
    for (uint32_t i = 0; i < l->d->derivatives.n; i++) {
        uint32_t k = l->d->derivatives.at[i].variable;
        uint32_t state = l->d->variables.at[k].derivative_of;
        if (state != NONE) {
            vec_push(&to->states, state);
            vec_push(&to->derivatives, k);
        }
    }
}

/* ---- groups of outputs ---- */

static const FmiUnknown *unknown_of(const FmiDescription *d, uint32_t variable)
{
    for (uint32_t i = 0; i < d->outputs.n; i++)
        if (d->outputs.at[i].variable == variable)
            return &d->outputs.at[i];
    return NULL;
}

/* Whether the unknown depends on the input; without a declaration it does. */
static bool depends(const FmiUnknown *u, uint32_t input)
{
    if (!u || !u->has_dependencies)
        return true;
    for (uint32_t i = 0; i < u->n_dependencies; i++)
        if (u->dependencies[i] == input)
            return true;
    return false;
}

/* Places of the continuous inputs that the variable depends on. */
static void find_inputs(const Layout *l, uint32_t variable, Indices *to)
{
    const FmiUnknown *u = unknown_of(l->d, variable);
    vec_clear(to);
    for (uint32_t i = 0; i < l->n_continuous; i++)
        if (depends(u, l->inputs.at[i].variable))
            vec_push(to, i);
}

static bool same(const Indices *a, const Indices *b)
{
    return a->n == b->n && (!a->n || !memcmp(a->at, b->at, a->n * sizeof *a->at));
}

typedef struct Grouping {
    bool outputs; /* the members are outputs */
    Indices inputs, members;
} Grouping;

static void group_outputs(Layout *l, const Indices *continuous, Arena *arena)
{
    VEC(Grouping) groups = {0};
    Indices inputs = {0};
    for (uint32_t i = 0; i < continuous->n; i++) {
        find_inputs(l, continuous->at[i], &inputs);
        uint32_t g = 0;
        bool output = l->d->variables.at[continuous->at[i]].causality == FMI_OUTPUT;
        while (g < groups.n &&
               !(groups.at[g].outputs == output && same(&groups.at[g].inputs, &inputs)))
            g++;
        if (g == groups.n) {
            vec_push(&groups, ((Grouping){.outputs = output}));
            for (uint32_t k = 0; k < inputs.n; k++)
                vec_push(&groups.at[g].inputs, inputs.at[k]);
        }
        vec_push(&groups.at[g].members, continuous->at[i]);
    }
    vec_free(&inputs);
    l->n_groups = groups.n;
    l->groups = ARENA_ARRAY(arena, LayoutGroup, groups.n + 1);
    for (uint32_t g = 0; g < groups.n; g++) {
        Grouping *from = &groups.at[g];
        l->groups[g].values = list_of(l->d, &from->members, arena);
        l->groups[g].n_inputs = from->inputs.n;
        l->groups[g].inputs = vec_keep(&from->inputs, arena);
        vec_free(&from->members);
    }
    vec_free(&groups);
}

/* ---- the whole ---- */

static LayoutList finish(const Layout *l, Indices *from, Arena *arena)
{
    LayoutList list = list_of(l->d, from, arena);
    vec_free(from);
    return list;
}

static uint32_t *keep(Indices *from, uint32_t *n, Arena *arena)
{
    *n = from->n;
    return from->n ? vec_keep(from, arena) : NULL;
}

Layout layout_of(const FmiDescription *d, LayoutKind kind, Arena *arena)
{
    bool exchange = kind == LAYOUT_EXCHANGE;
    Layout l = {.d = d, .exchange = kind != LAYOUT_CO_SIMULATION};
    l.scheduled = kind == LAYOUT_SCHEDULED;
    Lists lists = {0};
    for (uint32_t i = 0; i < d->variables.n; i++)
        take(&l, &lists, i);
    if (exchange)
        take_states(&l, &lists);
    l.n_states = exchange ? d->n_states : 0;
    l.n_indicators = exchange ? d->n_indicators : 0;
    l.states = finish(&l, &lists.states, arena);
    l.derivatives = finish(&l, &lists.derivatives, arena);
    l.n_continuous_variables = lists.continuous_inputs.n;
    for (uint32_t i = 0; i < lists.continuous_inputs.n; i++)
        l.n_continuous += d->variables.at[lists.continuous_inputs.at[i]].size;
    for (uint32_t i = 0; i < lists.other_inputs.n; i++)
        vec_push(&lists.continuous_inputs, lists.other_inputs.at[i]);
    vec_free(&lists.other_inputs);
    l.inputs = finish(&l, &lists.continuous_inputs, arena);
    l.parameters = finish(&l, &lists.parameters, arena);
    l.starts = finish(&l, &lists.starts, arena);
    l.calculated = finish(&l, &lists.calculated, arena);
    l.discretes = finish(&l, &lists.discretes, arena);
    group_outputs(&l, &lists.continuous, arena);
    vec_free(&lists.continuous);
    l.strings = keep(&lists.strings, &l.n_strings, arena);
    l.clocks = keep(&lists.clocks, &l.n_clocks, arena);
    l.triggers = keep(&lists.triggers, &l.n_triggers, arena);
    l.ticks = keep(&lists.ticks, &l.n_ticks, arena);
    return l;
}
