/* The entry of the simulation: checks the options, creates the run, integrates, reports. */
#include "sim/run.h"

#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/report/report.h"

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

SimStatus sim_run(Context *ctx, const Plan *plan, const ModelCode *code, const SimOptions *options,
                  const ResultSink *result, const SimText *text, SimStats *stats)
{
    SimStats own;
    Sim s = {.ctx = ctx, .options = options, .result = result, .text = text};
    s.stats = stats ? stats : &own;
    *s.stats = (SimStats){.solver = "none"};
    if (!check_options(ctx, options))
        return SIM_BAD_SETTING;
    s.timed = (options->log & LOG_STATS) != 0;
    s.status = SIM_DONE;
    s.rows.last = -INFINITY;
    s.spurious.max_step = INFINITY;
    sim_create(&s, plan, code);
    sim_integrate(&s);
    modes_stats(&s);
    fail_warnings(&s);
    s.stats->end_time = s.time;
    statistics_blocks(&s);
    statistics_report(&s);
    sim_free(&s);
    return s.status;
}

const char *const *sim_solvers(void)
{
    return solver_names();
}
