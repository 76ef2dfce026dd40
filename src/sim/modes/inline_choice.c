/* Which program inline integration steps with.
 *
 * In: the options, the program in which all states are inlined, the structural guards. Out: that
 * program, or one in which only some states are inlined. These are requested by name, or are the
 * storage elements that fix the causality of a switch. Then one program serves all modes. The other
 * states have a solver of their own, or the stages of an inline solver iterate over them. */
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "structure/modes/inline_choice.h"

enum { MOST_ROUNDS = 20 };

static uint32_t place_of(const Modes *w, VarId v)
{
    const Plan *p = w->inlined.all->plan;
    for (uint32_t i = 0; i < p->inlined.n; i++)
        if (p->inlined.at[i].var == v)
            return i;
    return NONE;
}

static bool report_unknown(Sim *s, const char *pattern)
{
    const Plan *p = s->modes->inlined.all->plan;
    arena_reset(s->run.scratch);
    s->run.status = SIM_BAD_SETTING;
    diag(s->run.ctx, (Span){0}, DIAG_R009, "--inline %s: no state has this name", pattern);
    for (uint32_t i = 0; i < p->inlined.n && i < 10; i++)
        if (p->inlined.at[i].var < s->run.n_common)
            diag_note(s->run.ctx, (Span){0}, "state: %s",
                      describe_variable(s->prog, p->inlined.at[i].var));
    return false;
}

static bool choose_named(Sim *s, InlineChoice *c)
{
    const SimOptions *o = s->run.options;
    for (uint32_t k = 0; k < o->n_inlined; k++)
        if (!inline_choose_named(c, o->inlined[k]))
            return report_unknown(s, o->inlined[k]);
    return true;
}

/* The program with these states inlined, and with others that its switches need; NULL after an
 * error. */
static const SimProgram *program_of(RunContext *run, InlineChoice *c)
{
    const Replan *r = run->options->replan;
    const SimProgram *p = NULL;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        p = r->inlined(r->user, c->list.at, c->list.n);
        if (!p || !inline_choose_storage(c, p->plan))
            break;
    }
    return p;
}

static void find_places(Sim *s)
{
    Modes *w = s->modes;
    const Plan *p = w->inlined.steps->plan;
    w->inlined.place = ARENA_ARRAY(s->run.arena, uint32_t, p->inlined.n);
    for (uint32_t i = 0; i < p->inlined.n; i++)
        w->inlined.place[i] = place_of(w, p->inlined.at[i].var);
}

static void report_steps(Sim *s)
{
    const Plan *p = s->modes->inlined.steps->plan;
    arena_reset(s->run.scratch);
    char *names = "";
    for (uint32_t i = 0; i < p->inlined.n; i++)
        names = arena_printf(s->run.scratch, "%s %s", names,
                             describe_variable(s->prog, p->inlined.at[i].var));
    run_log(&s->run, LOG_MODES | LOG_STATS, "Inlined:%s\n", names);
}

/* Impossible combinations: inlined states and a plan per mode; a solver for other states without
 * inlined ones. */
static bool check_combination(Sim *s)
{
    const SimOptions *o = s->run.options;
    const Plan *p = s->modes->inlined.steps->plan;
    bool named = o->solver && strcmp(o->solver, "auto"), modes = o->structure == STRUCTURE_MODES;
    if (named && !solver_find(o->solver, &(Problem){.n = 1}))
        diag(s->run.ctx, (Span){0}, DIAG_R009, "unknown solver %s", o->solver);
    else if (modes && o->n_inlined)
        diag(s->run.ctx, (Span){0}, DIAG_R009,
             "--inline and --structure modes exclude each other: inlined states need one program "
             "for all modes");
    else if (named && !solver_is_inline(o->solver) && p->inlined.n == p->states.n &&
             (o->n_inlined || o->structure == STRUCTURE_INLINE)) {
        diag(s->run.ctx, (Span){0}, DIAG_R009,
             "--solver %s has nothing to integrate: all states are inlined; use --solver %s, or "
             "inline fewer states with --inline",
             o->solver, solver_inline(o->inline_method)->name);
        for (uint32_t i = 0; i < p->inlined.n && i < 10; i++)
            if (p->inlined.at[i].var < s->run.n_common)
                diag_note(s->run.ctx, (Span){0}, "inlined: %s",
                          describe_variable(s->prog, p->inlined.at[i].var));
    } else
        return true;
    s->run.status = SIM_BAD_SETTING;
    return false;
}

/* The states that fix the causality of switches are inlined. With `single` and solver auto, all
 * are.
 */
static bool inlines_storage(const Sim *s)
{
    const SimOptions *o = s->run.options;
    return o->structure == STRUCTURE_MIXED ||
           (o->structure == STRUCTURE_SINGLE && !solver_is_auto(&s->run) &&
            !solver_is_inline(o->solver));
}

bool inline_choose(Sim *s)
{
    Modes *w = s->modes;
    InlineChoice c = {.single = w->single->plan, .all = w->inlined.all->plan};
    w->inlined.steps = w->inlined.all;
    bool ok = choose_named(s, &c);
    if (ok && inlines_storage(s))
        inline_choose_storage(&c, w->single->plan);
    inline_choose_tied(&c);
    if (ok && c.list.n && c.list.n < w->inlined.all->n) {
        const SimProgram *p = program_of(&s->run, &c);
        ok = p != NULL;
        if (ok && p->plan->inlined.n < w->inlined.all->n)
            w->inlined.steps = program_new(s, p->plan, p->code);
    }
    vec_free(&c.list);
    if (!ok || !check_combination(s))
        return false;
    find_places(s);
    if (s->run.options->n_inlined || inlines_storage(s))
        report_steps(s);
    return true;
}
