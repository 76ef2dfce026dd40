/* Sim and its event -> EventRecord: names, values and places instead of numbers of variables. */
#include "sim/report/event_words.h"

#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"

/* ---- values and changes ---- */

static RecordedValue number(double value)
{
    return (RecordedValue){RECORDED_NUMBER, value, NULL};
}

static RecordedValue truth(bool value)
{
    return (RecordedValue){RECORDED_BOOL, value, NULL};
}

static RecordedValue value_of(const ModeProgram *prog, VarId var, double value)
{
    switch (program_var(prog, var)->type) {
    case DAE_BOOL: return truth(value != 0);
    case DAE_STRING: return (RecordedValue){RECORDED_TEXT, 0, runtime_text(prog->rt, value)};
    default: return number(value);
    }
}

static RecordedChange change(ModeProgram *prog, VarId var, double from, double to)
{
    return (RecordedChange){describe_variable(prog, var), value_of(prog, var, from),
                            value_of(prog, var, to)};
}

static void add_changes(Sim *s, EventRecord *record)
{
    record->changes = ARENA_ARRAY(s->run.scratch, RecordedChange, s->discrete.n);
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (event_shows_change(s, i)) {
            VarId var = s->discrete.vars[i];
            record->changes[record->n_changes++] =
                change(s->prog, var, s->discrete.before[i], s->prog->v[var]);
        }
}

static void add_reinits(Sim *s, EventRecord *record)
{
    const Event *e = &s->event;
    record->reinits = ARENA_ARRAY(s->run.scratch, RecordedChange, e->n_reinits);
    for (uint32_t i = 0; i < e->n_reinits; i++)
        record->reinits[record->n_reinits++] =
            change(s->prog, e->reinits[i].var, e->reinits[i].from, e->reinits[i].to);
}

/* ---- triggers ---- */

static RecordedTrigger clock_trigger(Sim *s, uint32_t i)
{
    const Schedule *c = s->schedule;
    const Clock *clock = &c->clocks[c->fired[i]];
    const DaeSample *sample = program_sample(s->prog, c->samples[clock->first]);
    return (RecordedTrigger){.kind = TRIGGER_SAMPLE,
                             .component = describe_path(s->prog, sample->component),
                             .span = sample->span,
                             .text = "",
                             .start = clock->start,
                             .interval = clock->interval,
                             .n_samples = clock->n};
}

static RecordedTrigger relation_trigger(Sim *s, uint32_t i)
{
    const DaeRelation *r = program_relation(s->prog, s->event.triggers[i]);
    double value = 0;
    bool delay = r->of_delay || r->of_transport;
    char *stepping = event_floor_text(s->prog, r, &value);
    return (RecordedTrigger){
        .kind = delay              ? TRIGGER_DELAY
                : r->is_time_event ? TRIGGER_TIME
                                   : TRIGGER_RELATION,
        .component = describe_path(s->prog, r->component),
        .span = r->span,
        .text = stepping ? stepping
                : delay  ? event_delayed_text(s->prog, r)
                         : describe_relation(s->prog, s->event.triggers[i]),
        .value = stepping ? number(value) : truth(delay || event_became(s, i)),
        .z = s->event.trigger_z[i],
    };
}

static void add_triggers(Sim *s, EventRecord *record)
{
    uint32_t n_clocks = s->schedule->n_fired, n = n_clocks + s->event.n_triggers;
    record->triggers = ARENA_ARRAY(s->run.scratch, RecordedTrigger, n);
    record->n_triggers = n;
    for (uint32_t i = 0; i < n; i++)
        record->triggers[i] =
            i < n_clocks ? clock_trigger(s, i) : relation_trigger(s, i - n_clocks);
}

/* ---- the mode ---- */

static void add_guards(ModeProgram *prog, RecordedMode *mode)
{
    mode->guards = ARENA_ARRAY(prog->run->scratch, RecordedGuard, prog->run->guards.n);
    mode->n_guards = prog->run->guards.n;
    for (uint32_t i = 0; i < prog->run->guards.n; i++) {
        VarId guard = prog->run->guards.at[i];
        const DaeVar *x = program_var(prog, guard);
        mode->guards[i].name = x->kind == DAE_RELATION ? describe_relation(prog, x->detail)
                                                       : describe_variable(prog, guard);
        mode->guards[i].value = value_of(prog, guard, prog->v[guard]);
    }
}

static RecordedTexts texts(RunContext *run, uint32_t n)
{
    return (RecordedTexts){ARENA_ARRAY(run->scratch, const char *, n), n};
}

static void add_names(Sim *s, RecordedMode *mode)
{
    const Plan *plan = s->prog->plan;
    const Modes *w = s->modes;
    mode->states = texts(&s->run, s->prog->n);
    for (uint32_t i = 0; i < mode->states.n; i++)
        mode->states.at[i] = describe_variable(s->prog, plan->states.at[i].var);
    mode->differentiated = texts(&s->run, plan->differentiated.n);
    for (uint32_t i = 0; i < mode->differentiated.n; i++)
        mode->differentiated.at[i] =
            program_equation_text(s->prog, plan->differentiated.at[i], s->run.scratch);
    mode->splits = texts(&s->run, w->split.n);
    for (uint32_t i = 0; i < mode->splits.n; i++)
        mode->splits.at[i] = describe_variable(s->prog, w->split.at[i]);
}

static void add_jumps(Sim *s, RecordedMode *mode)
{
    const Modes *w = s->modes;
    mode->jumps = ARENA_ARRAY(s->run.scratch, RecordedChange, w->inlined.all->n);
    for (uint32_t i = 0; i < w->inlined.all->n; i++)
        if (jump_moved(s->prog, i, w->jump.before[i], w->jump.stand[i]))
            mode->jumps[mode->n_jumps++] =
                change(s->prog, w->jump.means[i], w->jump.before[i], w->jump.stand[i]);
}

static const RecordedMode *begun_mode(Sim *s)
{
    RecordedMode *mode = ARENA_NEW(s->run.scratch, RecordedMode);
    *mode = (RecordedMode){0};
    add_guards(s->prog, mode);
    add_names(s, mode);
    add_jumps(s, mode);
    return mode;
}

EventRecord event_record(Sim *s)
{
    const Event *e = &s->event;
    EventRecord record = {.time = e->time,
                          .initial = e->initial,
                          .terminal = e->terminal,
                          .iterations = e->iterations,
                          .mixed = e->mixed,
                          .turns = e->turns};
    add_triggers(s, &record);
    add_changes(s, &record);
    add_reinits(s, &record);
    if (e->mode_changed && s->modes && s->prog->key)
        record.mode = begun_mode(s);
    return record;
}
