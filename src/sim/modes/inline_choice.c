/* Which program inline integration steps with.
 *
 * In: the options, the program in which all states are inlined, the structural guards. Out: that
 * program, or one in which only some are: those asked for by name, or the storage elements that fix
 * the causality of a switch, so that one program serves all modes. Other states stay states, which
 * a solver of their own integrates, or which the stages of an inline solver iterate over. */
#include "base/pattern.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "sim/state/evaluate.h"

enum { MOST_ROUNDS = 20 };

typedef VEC(VarId) Chosen;

static uint32_t place_of(const Modes *w, VarId v)
{
    const Plan *p = w->inlined.all->plan;
    for (uint32_t i = 0; i < p->inlined.n; i++)
        if (p->inlined.at[i].var == v)
            return i;
    return NONE;
}

static void add(Chosen *list, VarId v)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->at[i] == v)
            return;
    vec_push(list, v);
}

/* Slots of a state set that may stand for v. */
static bool choose_slots(const PlanSet *p, Chosen *list, VarId v)
{
    uint32_t n_slots = p->n_cols - p->n_rows;
    for (uint32_t k = 0; k < p->depth * p->n_cols; k++) {
        for (uint32_t i = 0; p->cols[k] == v && i < n_slots; i++)
            add(list, p->slots[k / p->n_cols * n_slots + i]);
        if (p->cols[k] == v)
            return true;
    }
    return false;
}

/* Adds v where it is a state, or may be one; true where it is. */
static bool choose(const Sim *s, Chosen *list, VarId v)
{
    double sign;
    const Plan *p = s->modes->inlined.all->plan;
    bool found = false;
    v = resolve_alias(s, v, &sign);
    if (place_of(s->modes, v) != NONE) {
        add(list, v);
        return true;
    }
    for (uint32_t i = 0; i < p->sets.n && !found; i++)
        found = choose_slots(&p->sets.at[i], list, v);
    return found;
}

static bool tell_unknown(Sim *s, const char *pattern)
{
    const Plan *p = s->modes->inlined.all->plan;
    arena_reset(s->scratch);
    s->status = SIM_BAD_SETTING;
    diag(s->ctx, (Span){0}, DIAG_R009, "--inline %s: no state has this name", pattern);
    for (uint32_t i = 0; i < p->inlined.n && i < 10; i++)
        if (p->inlined.at[i].var < s->n_common)
            diag_note(s->ctx, (Span){0}, "a state is %s",
                      describe_variable(s, p->inlined.at[i].var));
    return false;
}

static bool choose_named(Sim *s, Chosen *list)
{
    const SimOptions *o = s->options;
    for (uint32_t k = 0; k < o->n_inlined; k++) {
        bool any = false;
        for (VarId v = 0; v < program_n_model_vars(s->prog); v++) {
            arena_reset(s->scratch);
            bool continuous = program_var(s->prog, v)->kind == DAE_CONTINUOUS;
            if (continuous &&
                pattern_names(o->inlined[k], program_var_name(s->prog, v, s->scratch)))
                any |= choose(s, list, v);
        }
        if (!any)
            return tell_unknown(s, o->inlined[k]);
    }
    return true;
}

/* The storage elements of guards; true where there are new ones. */
static bool choose_storage(const Sim *s, Chosen *list, const Plan *p)
{
    uint32_t n = list->n;
    for (uint32_t i = 0; i < p->guards.n; i++)
        if (p->guards.at[i].storage != NONE)
            choose(s, list, p->guards.at[i].storage);
    return list->n > n;
}

static bool is_chosen(const Sim *s, const Chosen *list, VarId v)
{
    double sign;
    v = resolve_alias(s, v, &sign);
    for (uint32_t i = 0; i < list->n; i++)
        if (list->at[i] == v)
            return true;
    return false;
}

/* A mode that ties states to each other makes the derivative of one a multiple of the difference of
 * both by the step. No solver of the other converges for such a term, so all of them are inlined
 * where one is. */
static void choose_tied(const Sim *s, Chosen *list, const Plan *p)
{
    uint32_t n;
    do {
        n = list->n;
        for (uint32_t i = 0; i < p->storages.n; i++)
            for (uint32_t k = 0; k < p->storages.n; k++)
                if (p->storages.at[k].eq == p->storages.at[i].eq &&
                    is_chosen(s, list, p->storages.at[k].state))
                    choose(s, list, p->storages.at[i].state);
    } while (list->n > n);
}

/* The program with these inlined, and with those that its switches ask for besides; NULL after
 * telling. */
static const SimProgram *program_of(Sim *s, Chosen *list)
{
    const Replan *r = s->options->replan;
    const SimProgram *p = NULL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        p = r->inlined(r->user, list->at, list->n);
        if (!p || !choose_storage(s, list, p->plan))
            break;
    }
    return p;
}

static void find_places(Sim *s)
{
    Modes *w = s->modes;
    const Plan *p = w->inlined.steps->plan;
    w->inlined.place = ARENA_ARRAY(s->arena, uint32_t, p->inlined.n);
    for (uint32_t i = 0; i < p->inlined.n; i++)
        w->inlined.place[i] = place_of(w, p->inlined.at[i].var);
}

static void tell_steps(Sim *s)
{
    const Plan *p = s->modes->inlined.steps->plan;
    arena_reset(s->scratch);
    char *names = "";
    for (uint32_t i = 0; i < p->inlined.n; i++)
        names =
            arena_printf(s->scratch, "%s %s", names, describe_variable(s, p->inlined.at[i].var));
    sim_log(s, LOG_MODES | LOG_STATS, "Inlined:%s\n", names);
}

/* What cannot be: inlined states and a plan per mode; a solver of other states without any. */
static bool check_combination(Sim *s)
{
    const SimOptions *o = s->options;
    const Plan *p = s->modes->inlined.steps->plan;
    bool named = o->solver && strcmp(o->solver, "auto"), modes = o->structure == STRUCTURE_MODES;
    if (named && !solver_find(o->solver, &(Problem){.n = 1}))
        diag(s->ctx, (Span){0}, DIAG_R009, "unknown solver %s", o->solver);
    else if (modes && o->n_inlined)
        diag(s->ctx, (Span){0}, DIAG_R009,
             "--inline and --structure modes exclude each other: inlined states need one program "
             "for all modes");
    else if (named && !solver_is_inline(o->solver) && p->inlined.n == p->states.n &&
             (o->n_inlined || o->structure == STRUCTURE_INLINE)) {
        diag(s->ctx, (Span){0}, DIAG_R009,
             "--solver %s has nothing to integrate: all states are inlined; use --solver %s, or "
             "name with --inline the states that are to be inlined",
             o->solver, solver_inline(o->inline_method)->name);
        for (uint32_t i = 0; i < p->inlined.n && i < 10; i++)
            if (p->inlined.at[i].var < s->n_common)
                diag_note(s->ctx, (Span){0}, "inlined is %s",
                          describe_variable(s, p->inlined.at[i].var));
    } else
        return true;
    s->status = SIM_BAD_SETTING;
    return false;
}

bool inline_choose(Sim *s)
{
    Modes *w = s->modes;
    Chosen list = {0};
    w->inlined.steps = w->inlined.all;
    bool ok = choose_named(s, &list);
    if (ok && s->options->structure == STRUCTURE_MIXED)
        choose_storage(s, &list, w->single->plan);
    choose_tied(s, &list, w->single->plan);
    if (ok && list.n && list.n < w->inlined.all->n) {
        const SimProgram *p = program_of(s, &list);
        ok = p != NULL;
        if (ok && p->plan->inlined.n < w->inlined.all->n)
            w->inlined.steps = program_new(s, p->plan, p->code);
    }
    vec_free(&list);
    if (!ok || !check_combination(s))
        return false;
    find_places(s);
    if (s->options->n_inlined || s->options->structure == STRUCTURE_MIXED)
        tell_steps(s);
    return true;
}
