/* Rows of the result: at output points and at events. */
#include "sim/run.h"

#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

#include <math.h>

bool row_write(Sim *s, const double *v)
{
    double begin = run_clock(&s->run);
    v = modes_row(s, v);
    bool accepted = !s->result || !s->result->row || s->result->row(s->result->user, v);
    s->rows.last = v[0];
    s->rows.n++;
    s->run.stats->seconds_output += run_clock(&s->run) - begin;
    if (!accepted)
        s->run.status = SIM_SINK_FAILED;
    return accepted;
}

static double output_time(const Sim *s, uint32_t i)
{
    const SimOptions *o = s->run.options;
    if (i >= o->intervals)
        return o->stop;
    if (o->output_step > 0)
        return fmin(o->stop, o->start + (double)i * o->output_step);
    return o->start + (double)i * ((o->stop - o->start) / o->intervals);
}

/* An event this close to an output point replaces it. */
static double row_slack(const Sim *s, double t)
{
    const SimOptions *o = s->run.options;
    double interval = (o->stop - o->start) / fmax(1, o->intervals);
    return fmax(fmax(s->schedule->merge, 1e-9 * interval), solver_resolution(t));
}

bool values_at(Sim *s, double t, const double *x)
{
    int status = evaluate_outputs(s->prog, t, x);
    if (status == MODEL_NO_CONVERGENCE ||
        status == MODEL_SINGULAR) { /* no integrator refines a value that only results need */
        int block = s->prog->m->failed_block;
        runtime_jumps(s->prog->rt, 1);
        status = evaluate_outputs(s->prog, t, x);
        runtime_jumps(s->prog->rt, 0);
        if (!status)
            warn_solution_jump(s->prog, block);
    }
    return !status || fail_model(s->prog, status, "computing results");
}

bool row_at(Sim *s, double t, const double *x)
{
    if (!values_at(s, t, x))
        return false;
    range_check(s->prog, &s->ranges);
    return fail_unless_finite(s->prog) && event_asserts(s) && row_write(s, s->prog->v);
}

/* The operands of a row: states of the model's plan need not be states of a mode. */
static RowNeeds row_needs(const Sim *s)
{
    RowNeeds needs = s->result ? s->result->needs : ROW_TIME;
    return needs == ROW_STATES && modes_have_own_states(s) ? ROW_ALL : needs;
}

/* At a time between events. */
static bool row_inside(Sim *s, double t)
{
    RowNeeds needs = row_needs(s);
    if (needs != ROW_TIME)
        program_states_at(s->prog, t, s->prog->xi);
    if (needs == ROW_ALL)
        return row_at(s, t, s->prog->xi);
    if (needs == ROW_STATES)
        put_states(s->prog, t, s->prog->xi);
    s->prog->v[0] = t;
    return row_write(s, s->prog->v);
}

/* The step's output points up to `until`; those that fall on the event there are left to it. */
bool rows_until(Sim *s, double until, bool event)
{
    double slack = row_slack(s, until);
    for (; s->rows.next <= s->run.options->intervals; s->rows.next++) {
        double t = output_time(s, s->rows.next);
        if (*s->run.ctx->interrupt) { /* a step may have millions of rows */
            s->run.status = SIM_INTERRUPTED;
            return false;
        }
        if (event ? t >= until - slack : t > until)
            return true;
        if (t > s->rows.last && !row_inside(s, t))
            return false;
    }
    return true;
}

bool rows_due(const Sim *s)
{
    double slack = row_slack(s, s->run.time);
    return s->rows.next <= s->run.options->intervals &&
           output_time(s, s->rows.next) <= s->run.time + slack;
}

/* Output points that coincide with the event that was just written. */
void rows_skip(Sim *s)
{
    while (rows_due(s))
        s->rows.next++;
}
