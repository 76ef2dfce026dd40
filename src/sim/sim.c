/* The entry of the simulation: options, creation and end, values, saved states. */
#include "sim/run.h"

#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/profile/profile.h"
#include "sim/report/report.h"
#include "sim/state/externals.h"

#include <math.h>

static bool check_options(Context *ctx, const SimOptions *o)
{
    const char *wrong = NULL;
    if (!isfinite(o->start) || !isfinite(o->stop) || o->stop < o->start)
        wrong = "the stop time must be finite and not before the start time";
    else if (!(o->tolerance > 0 && o->tolerance < 1))
        wrong = "the tolerance must lie between 0 and 1";
    else if (!(o->step >= 0) || !(o->event_epsilon >= 0))
        wrong = "step and epsilon must not be negative";
    if (wrong)
        diag(ctx, (Span){0, 0, 0}, DIAG_R009, "%s", wrong);
    return !wrong;
}

/* ---- creation and end ---- */

static void create(Sim *s)
{
    *s->run.stats = (SimStats){.solver = "none"};
    run_profile_create(&s->run);
    s->run.timed = s->run.calls || (s->run.options->log & LOG_STATS) != 0;
    s->run.status = SIM_DONE;
    s->rows.last = -INFINITY;
    s->spurious.max_step = INFINITY;
    s->until = s->run.options->stop;
    sim_create(s, s->given.plan, s->given.code);
}

static void clear(Sim *s)
{
    sim_free(s);
    vec_free(&s->changes.list);
    RunContext run = {
        .ctx = s->run.ctx, .options = s->run.options, .text = s->run.text, .stats = s->run.stats};
    *s = (Sim){.run = run, .result = s->result, .given = s->given, .saved = s->saved};
}

Sim *sim_open(Context *ctx, const Plan *plan, const ModelCode *code, const SimOptions *options,
              const ResultSink *result, const SimText *text, SimStats *stats)
{
    if (!check_options(ctx, options))
        return NULL;
    Sim *s = memory_alloc(sizeof *s);
    *s = (Sim){.run = {.ctx = ctx, .options = options, .text = text},
               .result = result,
               .given = {plan, code, {0}}};
    s->run.stats = stats ? stats : &s->given.stats;
    create(s);
    return s;
}

SimStatus sim_close(Sim *s)
{
    SimStatus status = s->run.status;
    modes_stats(s);
    fail_warnings(s->prog);
    rows_warn_coarse(s);
    s->run.stats->end_time = s->run.time;
    statistics_blocks(s->prog);
    statistics_report(s->prog, s->relations.fired, s->schedule);
    profile_report(s);
    memory_free(s->saved.at);
    clear(s);
    memory_free(s);
    return status;
}

void sim_reset(Sim *s)
{
    s->saved.waits = false;
    clear(s);
    create(s);
}

/* ---- values ---- */

SimStatus sim_status(const Sim *s)
{
    return s->run.status;
}

bool sim_terminated(const Sim *s)
{
    return s->terminated;
}

double sim_time(const Sim *s)
{
    return s->run.time;
}

uint64_t sim_instants(const Sim *s)
{
    return s->instants;
}

uint64_t sim_rows(const Sim *s)
{
    return s->rows.n;
}

const double *sim_values(Sim *s)
{
    if (!sim_settle(s))
        return NULL;
    if (!s->complete && !values_at(s, s->run.time, s->prog->x))
        return NULL;
    s->complete = s->complete ? s->complete : VALUES_COMPLETE;
    return modes_row(s, s->prog->v);
}

const double *sim_read(Sim *s)
{
    const double *v = sim_values(s);
    if (!v || (s->complete != VALUES_DEFINED && !fail_unless_finite(s->prog)))
        return NULL;
    s->complete = VALUES_DEFINED;
    return v;
}

const char *sim_text(const Sim *s, double value)
{
    return runtime_text(s->prog->rt, value);
}

/* The list forgets changes that were made. */
bool sim_change(Sim *s, VarId var, double value)
{
    if (!sim_settle(s))
        return false;
    if (s->changes.n_made == s->changes.list.n)
        s->changes.list.n = s->changes.n_made = 0;
    vec_push(&s->changes.list, ((SimSet){var, value}));
    return true;
}

/* ---- saved states ---- */

/* Keeps the bytes until the run is used again. */
static void keep_saved(Sim *s, const uint8_t *at, size_t n)
{
    SavedBytes *b = &s->saved;
    if (b->cap < n) {
        b->at = memory_grow(b->at, b->cap, n);
        b->cap = n;
    }
    memcpy(b->at, at, n);
    b->n = n;
    b->waits = true;
}

bool sim_restore(Sim *s, Snapshot *p)
{
    keep_saved(s, p->at + p->next, p->n - p->next);
    s->run.status = SIM_DONE;
    sim_snapshot_progress(s, p);
    if (p->bad)
        sim_reset(s);
    return !p->bad;
}

/* Objects that step with the run keep a state of their own, which the run cannot save. */
static bool can_save(Sim *s)
{
    if (!externals_step(s->run.externals))
        return true;
    diag(s->run.ctx, (Span){0}, DIAG_U019,
         "the state of a run with FMUs cannot be saved; run it without --save-state, --checkpoint "
         "and saved instances");
    s->run.status = SIM_FAILED;
    return false;
}

bool sim_save(Sim *s, Snapshot *p)
{
    if (!can_save(s))
        return false;
    size_t begin = p->n;
    if (s->saved.waits)
        snapshot_bytes(p, s->saved.at, s->saved.n);
    else if (!sim_snapshot(s, p))
        return false;
    else
        keep_saved(s, p->at + begin, p->n - begin);
    return true;
}

bool sim_waits(const Sim *s)
{
    return s->saved.waits;
}

bool sim_settle(Sim *s)
{
    if (!s->saved.waits)
        return true;
    Snapshot p = {.reading = true, .at = s->saved.at, .n = s->saved.n};
    sim_reset(s);
    if (sim_snapshot(s, &p) && p.next == p.n)
        return true;
    if (p.bad || s->run.status == SIM_DONE)
        diag(s->run.ctx, (Span){0}, DIAG_U019, "the state is damaged");
    s->run.status = s->run.status == SIM_DONE ? SIM_FAILED : s->run.status;
    return false;
}

const char *const *sim_solvers(void)
{
    return solver_names();
}
