/* The event log: each instant with its triggers, changes and reinitialized states, as text in the
 * manner of the 1993 paper. */
#include "sim/report/event_words.h"
#include "sim/report/report.h"

#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "structure/plan/description.h"

#include <math.h>
#include <stdio.h>

static const char *sign_text(double z)
{
    return z > 0 ? ">" : z < 0 ? "<" : "==";
}

/* Whether the relation reads so for this z. Beside zero, where rounding decides nothing, it may
 * have the value that it has a moment later. */
static bool reads_so(const DaeRelation *r, double z, bool is)
{
    switch (r->op) {
    case OP_LT: return (z < 0) == is;
    case OP_LE: return (z <= 0) == is;
    case OP_GT: return (z > 0) == is;
    default: return (z >= 0) == is;
    }
}

static void log_relation(Sim *s, uint32_t i)
{
    ModeProgram *prog = s->prog;
    uint32_t k = s->event.triggers[i];
    const DaeRelation *r = program_relation(prog, k);
    double z = s->event.trigger_z[i];
    const char *state = event_became(s, i) ? "true" : "false";
    char *where = describe_component(s->prog, r->component, r->span);
    double value;
    char *stepping = event_floor_text(s->prog, r, &value);
    if (stepping)
        run_log(&s->run, LOG_EVENTS, "  %s %s became %.15g%s.\n",
                r->is_time_event ? "Time event:" : "Expression", stepping, value, where);
    else if (r->of_delay || r->of_transport)
        run_log(&s->run, LOG_EVENTS, "  Delayed jump of %s arrives%s.\n",
                event_delayed_text(s->prog, r), where);
    else if (r->is_time_event)
        run_log(&s->run, LOG_EVENTS, "  Time event: %s became %s%s.\n",
                describe_relation(s->prog, k), state, where);
    else if (!reads_so(r, z, event_became(s, i)))
        run_log(&s->run, LOG_EVENTS, "  Expression %s reached zero: %s is %s%s.\n",
                describe_part(s->prog, r->z, r->z.shape), describe_relation(s->prog, k), state,
                where);
    else
        run_log(&s->run, LOG_EVENTS, "  Expression %s became %.4g (%s 0): %s is %s%s.\n",
                describe_part(s->prog, r->z, r->z.shape), z, sign_text(z),
                describe_relation(s->prog, k), state, where);
}

static void log_clock(Sim *s, uint32_t i)
{
    const Clock *clock = &s->schedule->clocks[s->schedule->fired[i]];
    const DaeSample *sample = program_sample(s->prog, s->schedule->samples[clock->first]);
    uint64_t tick = (uint64_t)llround((s->event.time - clock->start) / clock->interval);
    char more[48] = "";
    if (clock->n > 1)
        snprintf(more, sizeof more, ", with %u others", clock->n - 1);
    run_log(&s->run, LOG_EVENTS, "  Time event: tick %llu of sample(%g, %g)%s%s.\n",
            (unsigned long long)tick, clock->start, clock->interval,
            describe_component(s->prog, sample->component, sample->span), more);
}

static void log_text(Sim *s)
{
    const Event *e = &s->event;
    const char *kind = e->initial ? "Initial event" : e->terminal ? "Terminal event" : "Event";
    run_log(&s->run, LOG_EVENTS, "%s at time = %.12g\n", kind, e->time);
    for (uint32_t i = 0; i < s->schedule->n_fired; i++)
        log_clock(s, i);
    for (uint32_t i = 0; i < e->n_triggers; i++)
        log_relation(s, i);
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (event_shows_change(s, i))
            run_log(&s->run, LOG_EVENTS, "  Variable %s changed from %s to %s.\n",
                    describe_variable(s->prog, s->discrete.vars[i]),
                    describe_value(s->prog, s->discrete.vars[i], s->discrete.before[i]),
                    describe_value(s->prog, s->discrete.vars[i], s->prog->v[s->discrete.vars[i]]));
    for (uint32_t i = 0; i < e->n_reinits; i++)
        run_log(&s->run, LOG_EVENTS, "  State %s reinitialized from %.10g to %.10g.\n",
                describe_variable(s->prog, e->reinits[i].var), e->reinits[i].from,
                e->reinits[i].to);
    if (e->mixed != MIXED_AUTO)
        run_log(&s->run, LOG_EVENTS,
                "  Blocks with discrete unknowns settled by %s in %u turn%s.\n",
                event_mixed_name(e->mixed), e->turns, e->turns == 1 ? "" : "s");
    run_log(&s->run, LOG_EVENTS,
            "  Restart conditions are consistent after %u iteration%s. Continuing after event.\n\n",
            e->iterations, e->iterations == 1 ? "" : "s");
}

/* ---- relations that cause no events ---- */

void event_log_literal(ModeProgram *prog)
{
    if (!prog->run->text)
        return;
    CONTEXT_HOLD(prog->run->ctx);
    PlanLiteralPlaces places = plan_literal_places(prog->plan);
    arena_reset(prog->run->scratch);
    for (uint32_t i = 0; i < places.n; i++) {
        const PlanLiteralPlace *p = &places.at[i];
        char others[48] = "";
        if (p->n > 1)
            snprintf(others, sizeof others, ", and of %u similar ones", p->n - 1);
        run_log(prog->run, UINT32_MAX,
                "Relations evaluated literally, without events: those of the equation%s%s.\n",
                describe_component(prog, p->component, p->span), others);
    }
    if (places.n && prog->run->text->event) {
        Text b = {0};
        event_put_literal_json(&b, prog, &places);
        prog->run->text->event(prog->run->text->user, b.at);
        text_free(&b);
    }
    vec_free(&places);
}

/* ---- the initial event ---- */

enum { MOST_INITIAL_LINES = 100 };

/* The sides on which relations of continuous variables start. */
static void log_initial(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = 0;
    arena_reset(s->run.scratch);
    if (!program_n_relations(prog) || prog->code->indicators(prog->m, s->relations.z))
        return;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        const DaeRelation *r = program_relation(prog, k);
        double z = s->relations.z[k];
        if (r->is_time_event || r->of_delay || r->of_transport || r->of_floor)
            continue;
        if (n++ >= MOST_INITIAL_LINES)
            continue;
        bool is = prog->v[r->var] != 0;
        char at[48] = "at zero";
        if (reads_so(r, z, is))
            snprintf(at, sizeof at, "%.4g (%s 0)", z, sign_text(z));
        run_log(&s->run, LOG_EVENTS, "Expression %s is initially %s: %s is %s%s.\n",
                describe_part(s->prog, r->z, r->z.shape), at, describe_relation(s->prog, k),
                is ? "true" : "false", describe_component(s->prog, r->component, r->span));
    }
    if (n > MOST_INITIAL_LINES)
        run_log(&s->run, LOG_EVENTS, "%u other expressions have initial values.\n",
                n - MOST_INITIAL_LINES);
    if (n)
        run_log(&s->run, LOG_EVENTS, "\n");
}

static void give_record(Sim *s)
{
    EventRecord record = event_record(s);
    if (s->run.text->record)
        s->run.text->record(s->run.text->user, &record);
    if (s->run.text->event) {
        Text line = {0};
        event_put_json(&line, s->run.ctx->sources, &record);
        s->run.text->event(s->run.text->user, line.at);
        text_free(&line);
    }
}

void event_log_write(Sim *s)
{
    if (!s->run.text)
        return;
    if (s->event.initial && s->run.text->log && (s->run.options->log & LOG_EVENTS)) {
        CONTEXT_HOLD(s->run.ctx);
        log_initial(s);
    }
    if (s->event.initial && s->event.iterations == 1) /* nothing changed after the initial system */
        return;
    CONTEXT_HOLD(s->run.ctx);
    bool lines = s->run.text->log && (s->run.options->log & LOG_EVENTS);
    arena_reset(s->run.scratch);
    if (lines)
        log_text(s);
    if (s->run.text->event || s->run.text->record)
        give_record(s);
}
