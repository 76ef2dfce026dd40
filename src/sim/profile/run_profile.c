/* Collects the profile while the run goes on. Programs of modes come and go, so that blocks, states
 * and modes are found again by their names. */
#include "sim/profile/rows.h"

#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "structure/plan/numbers.h"

void run_profile_create(RunContext *run)
{
    if (!run->options->profile && !(run->options->log & LOG_PROFILE))
        return;
    run->calls = profile_new();
    if (!run->calls)
        memory_exhausted();
    run->profile = memory_alloc(sizeof *run->profile);
    run->profile->names = names_new();
}

static void free_rows(RunRows *rows)
{
    vec_free(&rows->list);
    map_free(&rows->by_name);
}

void run_profile_free(RunContext *run)
{
    profile_free(run->calls);
    run->calls = NULL;
    if (!run->profile)
        return;
    free_rows(&run->profile->blocks);
    free_rows(&run->profile->states);
    free_rows(&run->profile->modes);
    names_free(run->profile->names);
    memory_free(run->profile);
    run->profile = NULL;
}

static uint32_t row_of(struct RunProfile *p, RunRows *rows, const char *text, Span span)
{
    Name name = name_of(p->names, text);
    uint32_t at = map_get(&rows->by_name, map_key(name));
    if (at != MAP_NONE)
        return at;
    at = rows->list.n;
    vec_push(&rows->list, ((ProfileRow){.name = name, .span = span}));
    map_put(&rows->by_name, map_key(name), at);
    return at;
}

/* ---- programs ---- */

static const char *sequence_text(const Plan *p, uint32_t b)
{
    if (b - p->parameters.block < p->parameters.n_blocks)
        return " of parameters";
    return b - p->initial.block < p->initial.n_blocks ? " of the start" : "";
}

/* "x and 11 other unknowns, 3 after tearing, nonlinear" */
static uint32_t block_row(ModeProgram *prog, uint32_t at)
{
    const Plan *p = prog->plan;
    const PlanBlock *b = &p->blocks.at[at];
    VarId first = b->n_torn ? p->torn.at[b->torn].var : p->steps.at[b->discrete].var;
    EqId e = b->n_torn ? p->torn.at[b->torn].eq : p->steps.at[b->discrete].eq;
    uint32_t others = b->n_steps + b->n_torn + b->n_discrete - 1;
    arena_reset(prog->run->scratch);
    char *more = others ? arena_printf(prog->run->scratch, " and %u other unknown%s", others,
                                       others == 1 ? "" : "s")
                        : "";
    char *text =
        arena_printf(prog->run->scratch, "%s%s%s, %u after tearing, %s%s",
                     describe_variable(prog, first), more, sequence_text(p, at), b->n_torn,
                     b->kind == BLOCK_LINEAR ? "linear" : "nonlinear", b->mixed ? ", mixed" : "");
    return row_of(prog->run->profile, &prog->run->profile->blocks, text,
                  program_equation(prog, e)->span);
}

void run_profile_program(ModeProgram *prog)
{
    RunContext *run = prog->run;
    if (!run->profile)
        return;
    CONTEXT_HOLD(run->ctx);
    uint32_t n = 0;
    prog->block_rows = ARENA_ARRAY(prog->own, uint32_t, prog->code->n_blocks + (size_t)1);
    prog->state_rows = ARENA_ARRAY(prog->own, uint32_t, program_n_vars(prog) + (size_t)1);
    memset(prog->state_rows, 0xff, program_n_vars(prog) * sizeof *prog->state_rows);
    prog->mode_row = NONE;
    for (uint32_t b = 0; b < prog->plan->blocks.n && n < prog->code->n_blocks; b++)
        if (plan_is_numbered(&prog->plan->blocks.at[b]))
            prog->block_rows[n++] = block_row(prog, b);
    runtime_profile(prog->rt, run->calls, prog->block_rows);
}

void run_profile_mode(ModeProgram *prog, const char *mode)
{
    enum { LONGEST = 160 };
    struct RunProfile *p = prog->run->profile;
    if (!p)
        return;
    char *text = arena_copy(prog->run->scratch, mode, strlen(mode));
    if (strlen(text) > LONGEST)
        strcpy(text + text_cut(text, LONGEST - 3), "...");
    prog->mode_row = row_of(p, &p->modes, text, (Span){0});
}

void run_profile_visit(const ModeProgram *prog)
{
    if (prog->run->profile && prog->mode_row != NONE)
        prog->run->profile->modes.list.at[prog->mode_row].counts[0]++;
}

void run_profile_add(RunContext *run, const ModeProgram *prog)
{
    if (!run->profile)
        return;
    for (uint32_t i = 0; i < prog->code->n_blocks; i++) {
        RuntimeStats t = runtime_block_stats(prog->rt, i);
        uint64_t *counts = run->profile->blocks.list.at[prog->block_rows[i]].counts;
        counts[0] += t.solves;
        counts[1] += t.iterations;
        counts[2] += t.factorizations;
    }
}

/* ---- steps and events ---- */

static uint32_t state_row(ModeProgram *prog, uint32_t state)
{
    struct RunProfile *p = prog->run->profile;
    VarId var = program_stands_for(prog, prog->plan->states.at[state].var);
    if (prog->state_rows[var] != NONE)
        return prog->state_rows[var];
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    prog->state_rows[var] =
        row_of(p, &p->states, describe_variable(prog, var), program_declared(prog, var));
    return prog->state_rows[var];
}

void run_profile_step(ModeProgram *prog, double seconds)
{
    struct RunProfile *p = prog->run->profile;
    if (!p || prog->solver->limiting >= prog->n)
        return;
    uint32_t at = state_row(prog, prog->solver->limiting);
    ProfileRow *row = &p->states.list.at[at];
    row->counts[0]++;
    row->seconds += seconds;
    row->own += seconds;
}

uint32_t run_profile_present_mode(ModeProgram *prog)
{
    if (!prog->run->profile)
        return NONE;
    if (prog->mode_row == NONE) {
        run_profile_mode(prog, prog->plan->inlined.n ? "inline integration" : "the whole model");
        run_profile_visit(prog);
    }
    return prog->mode_row;
}

void run_profile_passed(RunContext *run, uint32_t mode, double seconds, uint64_t events)
{
    if (mode == NONE)
        return;
    ProfileRow *row = &run->profile->modes.list.at[mode];
    row->counts[1]++;
    row->counts[2] += events;
    row->seconds += seconds;
    row->own += seconds;
}

void run_profile_event(const Sim *s, double seconds)
{
    struct RunProfile *p = s->run.profile;
    uint32_t n = s->event.n_triggers + s->schedule->n_fired, relations;
    if (!p || !n)
        return;
    relations = program_n_relations(s->prog);
    if (!p->trigger_seconds)
        p->trigger_seconds =
            ARENA_ARRAY(s->run.arena, double, relations + (size_t)s->schedule->n_clocks);
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        p->trigger_seconds[s->event.triggers[i]] += seconds / n;
    for (uint32_t i = 0; i < s->schedule->n_fired; i++)
        p->trigger_seconds[relations + s->schedule->fired[i]] += seconds / n;
}
