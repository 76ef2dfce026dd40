/* The event log: each instant with its triggers, changes and reinitialized states, as text in the
 * manner of the 1993 paper and as one line of JSON. */
#include "sim/report/report.h"

#include "base/text.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "structure/plan/description.h"

#include <math.h>
#include <stdio.h>

static bool shown(const Sim *s, uint32_t i)
{
    const ModeProgram *prog = s->prog;
    VarId var = s->discrete.vars[i];
    const DaeVar *x = program_var(prog, var);
    return s->discrete.before[i] != prog->v[var] && x->kind == DAE_DISCRETE && !x->hidden &&
           !plan_hides_result(prog->plan, var);
}

/* ---- text ---- */

/* What is delayed or carried, in the words of the model. */
static char *delayed_text(Sim *s, const DaeRelation *r)
{
    ModeProgram *prog = s->prog;
    if (r->of_delay)
        return dae_term_print(prog->dae, prog->dae->delays.at[r->of_delay - 1].argument,
                              s->scratch);
    uint32_t at = r->of_transport - 1;
    return dae_term_print(prog->dae, prog->dae->transports.at[at / 2].entering[1 - at % 2],
                          s->scratch);
}

/* "floor(q)", where the relation moves on such a value; else NULL. */
static char *floor_text(Sim *s, const DaeRelation *r, double *value)
{
    ModeProgram *prog = s->prog;
    const Graph *g = prog->dae->g;
    if (!r->of_floor)
        return NULL;
    const DaeEq *q = &prog->dae->eqs.at[r->of_floor - 1];
    if (expr_op(g, q->term.shape) != OP_IF || q->target == NONE)
        return NULL;
    *value = prog->v[q->target];
    return describe_part(s, q->term, expr_arg(g, q->term.shape, 1));
}

/* The value that a relation took when it triggered the event. Actions of the event may have turned
 * it back since. */
static bool became(const Sim *s, uint32_t i)
{
    const ModeProgram *prog = s->prog;
    const DaeRelation *r = program_relation(prog, s->event.triggers[i]);
    bool after = prog->v[r->var] != 0, before = s->left[r->var] != 0;
    double z = s->event.trigger_z[i];
    if (after != before || s->event.initial)
        return after;
    if (r->is_time_event)
        return !before;
    return z == 0 || isnan(z) ? after : (r->op == OP_GT || r->op == OP_GE) == (z > 0);
}

static const char *sign_text(double z)
{
    return z > 0 ? ">" : z < 0 ? "<" : "==";
}

static void log_relation(Sim *s, uint32_t i)
{
    ModeProgram *prog = s->prog;
    uint32_t k = s->event.triggers[i];
    const DaeRelation *r = program_relation(prog, k);
    double z = s->event.trigger_z[i];
    const char *state = became(s, i) ? "true" : "false";
    char *where = describe_component(s, r->component, r->span);
    double value;
    char *stepping = floor_text(s, r, &value);
    if (stepping)
        sim_log(s, LOG_EVENTS, "  %s %s became %.15g%s.\n",
                r->is_time_event ? "Time event:" : "Expression", stepping, value, where);
    else if (r->of_delay || r->of_transport)
        sim_log(s, LOG_EVENTS, "  Delayed jump of %s arrives%s.\n", delayed_text(s, r), where);
    else if (r->is_time_event)
        sim_log(s, LOG_EVENTS, "  Time event: %s became %s%s.\n", describe_relation(s, k), state,
                where);
    else
        sim_log(s, LOG_EVENTS, "  Expression %s became %.4g (%s 0): %s is %s%s.\n",
                describe_part(s, r->z, r->z.shape), z, sign_text(z), describe_relation(s, k), state,
                where);
}

static void log_clock(Sim *s, uint32_t i)
{
    const Clock *clock = &s->schedule->clocks[s->schedule->fired[i]];
    const DaeSample *sample = &s->prog->dae->samples.at[s->schedule->samples[clock->first]];
    uint64_t tick = (uint64_t)llround((s->event.time - clock->start) / clock->interval);
    char more[48] = "";
    if (clock->n > 1)
        snprintf(more, sizeof more, ", with %u others", clock->n - 1);
    sim_log(s, LOG_EVENTS, "  Time event: tick %llu of sample(%g, %g)%s%s.\n",
            (unsigned long long)tick, clock->start, clock->interval,
            describe_component(s, sample->component, sample->span), more);
}

static const char *const mixed_names[] = {"", "fixpoint", "limited", "search"};

static void log_text(Sim *s)
{
    const Event *e = &s->event;
    const char *kind = e->initial ? "Initial event" : e->terminal ? "Terminal event" : "Event";
    sim_log(s, LOG_EVENTS, "%s at time = %.12g\n", kind, e->time);
    for (uint32_t i = 0; i < s->schedule->n_fired; i++)
        log_clock(s, i);
    for (uint32_t i = 0; i < e->n_triggers; i++)
        log_relation(s, i);
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (shown(s, i))
            sim_log(s, LOG_EVENTS, "  Variable %s changed from %s to %s.\n",
                    describe_variable(s, s->discrete.vars[i]),
                    describe_value(s, s->discrete.vars[i], s->discrete.before[i]),
                    describe_value(s, s->discrete.vars[i], s->prog->v[s->discrete.vars[i]]));
    for (uint32_t i = 0; i < e->n_reinits; i++)
        sim_log(s, LOG_EVENTS, "  State %s reinitialized from %.10g to %.10g.\n",
                describe_variable(s, e->reinits[i].var), e->reinits[i].from, e->reinits[i].to);
    if (e->mixed != MIXED_AUTO)
        sim_log(s, LOG_EVENTS, "  Blocks with discrete unknowns settled by %s in %u turn%s.\n",
                mixed_names[e->mixed], e->turns, e->turns == 1 ? "" : "s");
    sim_log(s, LOG_EVENTS,
            "  Restart conditions are consistent after %u iteration%s. Continuing after event.\n\n",
            e->iterations, e->iterations == 1 ? "" : "s");
}

/* ---- JSON ---- */

static void put_number(Text *b, double value)
{
    if (isfinite(value))
        text_put_real(b, value);
    else
        text_put(b, "null");
}

static void put_value(Text *b, Sim *s, VarId var, double value)
{
    ModeProgram *prog = s->prog;
    if (program_var(prog, var)->type == DAE_BOOL)
        text_put(b, value != 0 ? "true" : "false");
    else if (program_var(prog, var)->type == DAE_STRING)
        text_put_json(b, runtime_text(prog->rt, value));
    else
        put_number(b, value);
}

static void put_place(Text *b, Sim *s, PathId component, Span span)
{
    text_put(b, ",\"component\":");
    text_put_json(b, describe_path(s, component));
    if (span.file) {
        Place place = source_place(s->ctx->sources, span);
        text_put(b, ",\"file\":");
        text_put_json(b, place.path);
        text_printf(b, ",\"line\":%u", place.line);
    }
}

static void put_triggers(Text *b, Sim *s)
{
    ModeProgram *prog = s->prog;
    const Schedule *c = s->schedule;
    bool first = true;
    for (uint32_t i = 0; i < c->n_fired; i++) {
        const Clock *clock = &c->clocks[c->fired[i]];
        const DaeSample *sample = &prog->dae->samples.at[c->samples[clock->first]];
        text_printf(b, "%s{\"kind\":\"sample\",\"start\":", first ? "" : ",");
        put_number(b, clock->start);
        text_put(b, ",\"interval\":");
        put_number(b, clock->interval);
        text_printf(b, ",\"samples\":%u", clock->n);
        put_place(b, s, sample->component, sample->span);
        text_put(b, "}");
        first = false;
    }
    for (uint32_t i = 0; i < s->event.n_triggers; i++, first = false) {
        const DaeRelation *r = program_relation(prog, s->event.triggers[i]);
        double value = 0;
        bool delay = r->of_delay || r->of_transport;
        char *stepping = floor_text(s, r, &value);
        text_printf(b, "%s{\"kind\":\"%s\",\"text\":", first ? "" : ",",
                    delay              ? "delay"
                    : r->is_time_event ? "time"
                                       : "relation");
        text_put_json(b, stepping ? stepping
                         : delay  ? delayed_text(s, r)
                                  : describe_relation(s, s->event.triggers[i]));
        text_put(b, ",\"value\":");
        if (stepping)
            put_number(b, value);
        else
            text_put(b, delay || became(s, i) ? "true" : "false");
        text_put(b, ",\"z\":");
        put_number(b, s->event.trigger_z[i]);
        put_place(b, s, r->component, r->span);
        text_put(b, "}");
    }
}

static void put_change(Text *b, Sim *s, bool first, VarId var, double from, double to)
{
    text_printf(b, "%s{\"name\":", first ? "" : ",");
    text_put_json(b, describe_variable(s, var));
    text_put(b, ",\"old\":");
    put_value(b, s, var, from);
    text_put(b, ",\"new\":");
    put_value(b, s, var, to);
    text_put(b, "}");
}

/* The mode that begins: values of its guards, its states, what jumped. */
static void put_mode(Text *b, Sim *s)
{
    ModeProgram *prog = s->prog;
    const Modes *w = s->modes;
    text_put(b, ",\"mode\":{\"guards\":[");
    for (uint32_t i = 0; i < s->guards.n; i++) {
        text_printf(b, "%s{\"name\":", i ? "," : "");
        const DaeVar *x = program_var(prog, s->guards.at[i]);
        text_put_json(b, x->kind == DAE_RELATION ? describe_relation(s, x->detail)
                                                 : describe_variable(s, s->guards.at[i]));
        text_put(b, ",\"value\":");
        put_value(b, s, s->guards.at[i], prog->v[s->guards.at[i]]);
        text_put(b, "}");
    }
    text_put(b, "],\"states\":[");
    for (uint32_t i = 0; i < prog->n; i++) {
        text_put(b, i ? "," : "");
        text_put_json(b, describe_variable(s, prog->plan->states.at[i].var));
    }
    text_put(b, "],\"differentiated\":[");
    for (uint32_t i = 0; i < prog->plan->differentiated.n; i++) {
        text_put(b, i ? "," : "");
        text_put_json(b, dae_eq_print(prog->dae, prog->plan->differentiated.at[i], s->scratch));
    }
    text_put(b, "],\"splits\":[");
    for (uint32_t i = 0; i < w->split.n; i++) {
        text_put(b, i ? "," : "");
        text_put_json(b, describe_variable(s, w->split.at[i]));
    }
    text_put(b, "],\"jumps\":[");
    bool first = true;
    for (uint32_t i = 0; i < w->inlined.all->n; i++) {
        if (!jump_moved(s, i, w->jump.before[i], w->jump.stand[i]))
            continue;
        put_change(b, s, first, w->jump.means[i], w->jump.before[i], w->jump.stand[i]);
        first = false;
    }
    text_put(b, "]}");
}

/* ---- what makes no events ---- */

static void put_literal(Text *b, Sim *s, const PlanLiteralPlaces *places)
{
    text_put(b, "{\"time\":");
    put_number(b, s->options->start);
    text_put(b, ",\"withoutEvents\":[");
    for (uint32_t i = 0; i < places->n; i++) {
        text_printf(b, "%s{\"equations\":%u", i ? "," : "", places->at[i].n);
        put_place(b, s, places->at[i].component, places->at[i].span);
        text_put(b, "}");
    }
    text_put(b, "]}");
}

void event_log_literal(Sim *s)
{
    if (!s->text)
        return;
    CONTEXT_HOLD(s->ctx);
    PlanLiteralPlaces places = plan_literal_places(s->prog->plan);
    arena_reset(s->scratch);
    for (uint32_t i = 0; i < places.n; i++) {
        const PlanLiteralPlace *p = &places.at[i];
        char others[48] = "";
        if (p->n > 1)
            snprintf(others, sizeof others, ", and of %u like it", p->n - 1);
        sim_log(s, UINT32_MAX,
                "Relations taken literally, without events: those of the equation%s%s.\n",
                describe_component(s, p->component, p->span), others);
    }
    if (places.n && s->text->event) {
        Text b = {0};
        put_literal(&b, s, &places);
        s->text->event(s->text->user, b.at);
        text_free(&b);
    }
    vec_free(&places);
}

static void write_json(Sim *s)
{
    const Event *e = &s->event;
    Text b = {0};
    text_put(&b, "{\"time\":");
    put_number(&b, e->time);
    if (e->initial || e->terminal)
        text_printf(&b, ",\"%s\":true", e->initial ? "initial" : "terminal");
    text_put(&b, ",\"triggers\":[");
    put_triggers(&b, s);
    text_put(&b, "],\"changes\":[");
    bool first = true;
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (shown(s, i)) {
            put_change(&b, s, first, s->discrete.vars[i], s->discrete.before[i],
                       s->prog->v[s->discrete.vars[i]]);
            first = false;
        }
    text_put(&b, "],\"reinits\":[");
    for (uint32_t i = 0; i < e->n_reinits; i++)
        put_change(&b, s, i == 0, e->reinits[i].var, e->reinits[i].from, e->reinits[i].to);
    text_put(&b, "]");
    if (e->mode_changed && s->modes && s->prog->key)
        put_mode(&b, s);
    text_printf(&b, ",\"iterations\":%u", e->iterations);
    if (e->mixed != MIXED_AUTO)
        text_printf(&b, ",\"mixed\":\"%s\",\"turns\":%u", mixed_names[e->mixed], e->turns);
    text_put(&b, "}");
    s->text->event(s->text->user, b.at);
    text_free(&b);
}

enum { MOST_INITIAL_LINES = 100 };

/* The sides on which relations of continuous variables start. */
static void log_initial(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = 0;
    arena_reset(s->scratch);
    if (!program_n_relations(prog) || prog->code->indicators(prog->m, s->relations.z))
        return;
    for (uint32_t k = 0; k < program_n_relations(prog); k++) {
        const DaeRelation *r = program_relation(prog, k);
        double z = s->relations.z[k];
        if (r->is_time_event || r->of_delay || r->of_transport || r->of_floor)
            continue;
        if (n++ >= MOST_INITIAL_LINES)
            continue;
        sim_log(s, LOG_EVENTS, "Expression %s is initially %.4g (%s 0): %s is %s%s.\n",
                describe_part(s, r->z, r->z.shape), z, sign_text(z), describe_relation(s, k),
                prog->v[r->var] != 0 ? "true" : "false",
                describe_component(s, r->component, r->span));
    }
    if (n > MOST_INITIAL_LINES)
        sim_log(s, LOG_EVENTS, "%u other expressions have initial values.\n",
                n - MOST_INITIAL_LINES);
    if (n)
        sim_log(s, LOG_EVENTS, "\n");
}

void event_log_write(Sim *s)
{
    if (!s->text)
        return;
    if (s->event.initial && s->text->log && (s->options->log & LOG_EVENTS)) {
        CONTEXT_HOLD(s->ctx);
        log_initial(s);
    }
    if (s->event.initial && s->event.iterations == 1) /* nothing moved after the initial system */
        return;
    CONTEXT_HOLD(s->ctx);
    bool lines = s->text->log && (s->options->log & LOG_EVENTS);
    arena_reset(s->scratch);
    if (lines)
        log_text(s);
    if (s->text->event)
        write_json(s);
}
