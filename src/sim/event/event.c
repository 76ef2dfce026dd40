/* The triggers of an event. */
#include "sim/event/event.h"

#include "sim/event/schedule.h"

void event_begin(Sim *s, double t)
{
    Event *e = &s->event;
    e->time = t;
    e->initial = e->terminal = e->mode_changed = e->leaves = false;
    e->n_triggers = e->n_arriving = e->n_reinits = e->iterations = 0;
    s->schedule->n_fired = 0;
    memset(s->relations.decided, 0, program_n_relations(s->prog));
}

void event_decide(Relations *r, const ModeProgram *prog, uint32_t relation)
{
    r->decided[relation] = program_relation_holds(prog, relation) ? 1 : 2;
}

void event_trigger(Sim *s, uint32_t relation, double z)
{
    Event *e = &s->event;
    event_decide(&s->relations, s->prog, relation);
    e->trigger_z[e->n_triggers] = z;
    e->triggers[e->n_triggers++] = relation;
}

bool event_untrigger(Event *e, uint32_t relation)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_triggers; i++) {
        if (e->triggers[i] == relation)
            continue;
        e->triggers[n] = e->triggers[i];
        e->trigger_z[n++] = e->trigger_z[i];
    }
    e->n_triggers = n;
    return false;
}
