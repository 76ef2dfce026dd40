/* Writes the state of a run to a snapshot, or reads it: values and left limits, relations, the
 * program in use, histories, clocks, held surfaces, and counts for decisions.
 *
 * The run that saves and the run that restores both discard everything else (sim.h). Reading: the
 * run was created and not started. Programs, solvers and external objects are made again; then each
 * part fills in its values. */
#include "sim/run.h"

#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"
#include "sim/state/externals.h"

void sim_snapshot_progress(Sim *s, Snapshot *p)
{
    snapshot_expect(p, s->run.n_common);
    snapshot_value(p, s->run.time);
    snapshot_value(p, s->run.longest);
    snapshot_value(p, s->steps);
    snapshot_value(p, s->instants);
    snapshot_value(p, s->terminated);
    snapshot_value(p, s->rows);
    snapshot_value(p, s->run.failed);
    snapshot_value(p, s->blocked);
    snapshot_value(p, s->spurious);
    snapshot_value(p, s->run.reported);
    snapshot_value(p, s->run.stats->derivatives);
    snapshot_value(p, s->run.stats->jacobians);
    snapshot_value(p, s->run.stats->state_events);
    snapshot_value(p, s->run.stats->time_events);
    snapshot_value(p, s->run.stats->event_iterations);
    snapshot_value(p, s->run.stats->set_changes);
    snapshot_value(p, s->run.stats->steps);
    snapshot_value(p, s->run.stats->rejected);
    snapshot_value(p, s->run.stats->blocks);
}

static void snapshot_changes(Sim *s, Snapshot *p)
{
    size_t n = snapshot_items(p, s->changes.list.n, sizeof *s->changes.list.at);
    for (size_t i = 0; i < n && !p->bad; i++) {
        SimSet c = p->reading ? (SimSet){0} : s->changes.list.at[i];
        snapshot_value(p, c.var);
        snapshot_value(p, c.value);
        p->bad |= c.var >= s->run.n_common;
        if (p->reading && i >= s->changes.list.n)
            vec_push(&s->changes.list, c);
    }
    s->changes.n_made = snapshot_count(p, s->changes.n_made, s->changes.list.n);
}

static void snapshot_reports(Sim *s, Snapshot *p)
{
    uint32_t n_actions = program_n_actions(s->prog);
    snapshot_expect(p, n_actions);
    snapshot_array(p, s->actions.warned, n_actions);
    s->ranges.n = snapshot_count(p, s->ranges.n, s->ranges.n);
    for (uint32_t i = 0; i < s->ranges.n; i++)
        s->ranges.at[i] = snapshot_count(p, s->ranges.at[i], s->run.n_common - 1);
    snapshot_array(p, s->relations.fired, program_n_relations(s->prog));
    snapshot_array(p, s->run.scales, program_n_relations(s->prog));
}

static bool is_object(const ModeProgram *prog, VarId i)
{
    const DaeVar *x = program_var(prog, i);
    return x->kind == DAE_PARAMETER && x->hidden && x->flat != NONE;
}

/* After reading: creates the parts without values in the snapshot: clocks, histories, external
 * objects. The numbers of objects are those of the new ones; all other values stay as they were
 * read. */
static bool make_again(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = prog->code->n_vars;
    double *v = memory_alloc(((size_t)n + 1) * sizeof *v);
    memcpy(v, prog->v, n * sizeof *v);
    runtime_relations(prog->rt, NULL, s->run.eps, 0);
    bool good = schedule_start(s) && delays_start(s);
    int status = good ? evaluate_call(s->prog, prog->code->parameters) : 0;
    for (VarId i = 0; i < n; i++) {
        prog->v[i] = is_object(prog, i) ? prog->v[i] : v[i];
    }
    memory_free(v);
    runtime_invalidate(prog->rt);
    return good && (!status || fail_model(s->prog, status, "computing parameters"));
}

/* The objects of the first variables, which all programs of the run have. */
static bool snapshot_objects(Sim *s, Snapshot *p)
{
    const ModeProgram *prog = s->prog;
    bool good = true;
    for (VarId i = 0; i < s->run.n_common && good && !p->bad; i++)
        if (is_object(prog, i))
            good = externals_snapshot(s->run.externals, prog, prog->v[i], p);
    return good || fail_model(s->prog, MODEL_EXTERNAL, "continuing from a saved state");
}

bool sim_snapshot(Sim *s, Snapshot *p)
{
    if (p->reading && !modes_create(s))
        return false;
    sim_snapshot_progress(s, p);
    snapshot_changes(s, p);
    if (p->bad || !modes_snapshot(s, p) || (p->reading && !make_again(s)))
        return false;
    runtime_snapshot(s->prog->rt, p);
    if (!snapshot_objects(s, p))
        return false;
    schedule_snapshot(s->schedule, p);
    delays_snapshot_limits(s->delays, p);
    locator_snapshot(s->locator, p);
    snapshot_reports(s, p);
    accumulation_snapshot(&s->accumulation, s->prog, p);
    if (!p->bad)
        sliding_snapshot(s->prog, p);
    if (!p->reading || p->bad)
        return !p->bad;
    s->run.restart = true;
    return locator_restart(s);
}
