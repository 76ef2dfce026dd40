/* Rows of the result: at output points and at events. */
#include "sim/run.h"

#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"
#include "sim/variation_hooks.h"

#include <math.h>

/* Before a row at time t: a second row of one time is an event. */
static void count_event(Rows *r, double t)
{
    if (!r->n || t > r->last)
        return;
    r->events = r->interval == r->next ? r->events + 1 : 1;
    r->interval = r->next;
    r->crowded += r->events == 2;
}

bool row_write(Sim *s, const double *v)
{
    double begin = run_clock(&s->run);
    profile_enter(s->run.calls, PROFILE_PART, PART_ROWS);
    variation_row(s, v);
    v = modes_row(s, v);
    bool accepted = !s->result || !s->result->row || s->result->row(s->result->user, v);
    count_event(&s->rows, v[0]);
    s->rows.last = v[0];
    s->rows.n++;
    profile_leave(s->run.calls);
    s->run.stats->seconds_output += run_clock(&s->run) - begin;
    if (!accepted)
        s->run.status = SIM_SINK_FAILED;
    return accepted;
}

static double output_time(const Sim *s, uint32_t i)
{
    const SimOptions *o = s->run.options;
    if (o->endless)
        return o->start + (double)i * o->output_step;
    if (i >= o->intervals)
        return o->stop;
    if (o->output_step > 0)
        return fmin(o->stop, o->start + (double)i * o->output_step);
    return o->start + (double)i * ((o->stop - o->start) / o->intervals);
}

static bool has_point(const Sim *s)
{
    return s->run.options->endless || s->rows.next <= s->run.options->intervals;
}

static double output_interval(const Sim *s)
{
    const SimOptions *o = s->run.options;
    return o->output_step > 0 ? o->output_step : (o->stop - o->start) / fmax(1, o->intervals);
}

/* An event this close to an output point replaces it. */
static double row_slack(const Sim *s, double t)
{
    return fmax(fmax(s->schedule->merge, 1e-9 * output_interval(s)), solver_resolution(t));
}

static int evaluate_values(Sim *s, double t, const double *x)
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
    return status;
}

static bool write_values(Sim *s)
{
    range_check(s->prog, &s->ranges);
    return fail_unless_finite(s->prog) && event_asserts(s) && row_write(s, s->prog->v);
}

/* The operands of a row: states of the model's plan need not be states of a mode. */
static RowNeeds row_needs(const Sim *s)
{
    RowNeeds needs = s->result ? s->result->needs : ROW_TIME;
    return needs == ROW_STATES && modes_have_own_states(s) ? ROW_ALL : needs;
}

static const double *derivatives(const ModeProgram *p, double *f)
{
    for (uint32_t i = 0; i < p->n; i++)
        f[i] = p->v[p->plan->states.at[i].der];
    return f;
}

/* Values inside a step or at its end: those of stiff components follow the equations, not their
 * small errors. Corrections are not counted as evaluations: `auto` goes by the count. */
static int inner_values(Sim *s, double t, double *x)
{
    ModeProgram *p = s->prog;
    size_t n = p->n;
    Settling w = {.slope = p->settling, .defect = p->settling + n, .moved = p->settling + 2 * n};
    double *f = p->settling + 3 * n;
    int status = evaluate_values(s, t, x);
    if (sliding_active(p))
        return status;
    uint64_t counted = s->run.stats->derivatives;
    while (!status && settle_once(&w, p->solver, t, x, derivatives(p, f))) {
        status = evaluate_values(s, t, x);
        if (status && !w.ended) {
            settle_back(&w, &p->problem, x);
            status = evaluate_values(s, t, x);
        }
    }
    s->run.stats->derivatives = counted;
    return status;
}

bool values_at(Sim *s, double t, const double *x)
{
    if (x != s->prog->xi)
        memcpy(s->prog->xi, x, s->prog->n * sizeof *x);
    int status = inner_values(s, t, s->prog->xi);
    return !status || fail_model(s->prog, status, "computing results");
}

bool row_at(Sim *s, double t, const double *x)
{
    return values_at(s, t, x) && write_values(s);
}

/* At a time between events. */
static bool row_inside(Sim *s, double t)
{
    RowNeeds needs = row_needs(s);
    if (needs != ROW_TIME)
        program_states_at(s->prog, t, s->prog->xi);
    if (needs == ROW_ALL) {
        s->rows.failed = inner_values(s, t, s->prog->xi);
        return !s->rows.failed && write_values(s);
    }
    if (needs == ROW_STATES)
        put_states(s->prog, t, s->prog->xi);
    s->prog->v[0] = t;
    return row_write(s, s->prog->v);
}

/* The output points up to `until`; those that fall on the event there are left to it. */
static bool grid_until(Sim *s, double until, bool event)
{
    double slack = row_slack(s, until);
    for (; has_point(s); s->rows.next++) {
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

/* The number of equal pieces of the step from the present time to `until`. Within a piece, straight
 * lines differ from the solver's polynomial by at most a thousandth of the size of each state. 0 if
 * the output points are fine enough. */
static uint32_t pieces_until(const Sim *s, double until)
{
    static const double CLOSE = 1e-3, MOST = 100;
    const ModeProgram *p = s->prog;
    if (s->run.options->points < POINTS_DENSE || !p->n)
        return 1;
    double *from = p->chord, *to = p->chord + p->n, *middle = p->xi, square = 1;
    program_states_at(p, s->run.time, from);
    program_states_at(p, until, to);
    program_states_at(p, 0.5 * (s->run.time + until), middle);
    for (uint32_t i = 0; i < p->n; i++) {
        double size = fmax(fmax(fabs(from[i]), fabs(to[i])), p->atol[i] / CLOSE);
        square = fmax(square, fabs(middle[i] - 0.5 * (from[i] + to[i])) / (CLOSE * size));
    }
    double pieces = ceil(fmin(sqrt(square), MOST));
    return pieces * output_interval(s) <= until - s->run.time ? 0 : (uint32_t)pieces;
}

/* Whether one more row beside the output points is allowed in this output interval. */
static bool may_add(Sim *s)
{
    enum { EACH_INTERVAL = 20, EACH_EVENT = 6 };
    Rows *r = &s->rows;
    r->extra = r->extra_interval == r->next ? r->extra : 0;
    r->extra_interval = r->next;
    uint32_t events = r->interval == r->next ? r->events : 0;
    return s->run.options->points != POINTS_AUTO ||
           r->extra++ < EACH_INTERVAL + EACH_EVENT * (uint64_t)events;
}

/* The rows of the step up to `until`; if an event follows there, it writes the rows of its time. */
bool rows_until(Sim *s, double until, bool event)
{
    if (s->run.options->points == POINTS_GRID)
        return grid_until(s, until, event);
    double from = s->run.time;
    uint32_t pieces = pieces_until(s, until);
    if (!pieces)
        return grid_until(s, until, event);
    for (uint32_t i = 1; i <= pieces; i++) {
        bool last = i == pieces;
        double t = last ? until : from + (until - from) * i / pieces;
        if (!grid_until(s, t, last && event))
            return false;
        if (!(last && event) && t > s->rows.last && may_add(s) && !row_inside(s, t))
            return false;
    }
    return true;
}

/* Variables move between events, but most rows are at events: their motion is hard to see. */
void rows_warn_coarse(const Sim *s)
{
    const SimOptions *o = s->run.options;
    if (!o->warn_coarse || o->points != POINTS_GRID || !s->prog->n || row_needs(s) == ROW_TIME ||
        2 * (uint64_t)s->rows.crowded <= o->intervals)
        return;
    diag(s->run.ctx, (Span){0, 0, 0}, DIAG_R026,
         "%u of %u output intervals have several events: the result may hide the motion between "
         "events; use --output-points steps or dense, or silence this with --output-points grid",
         s->rows.crowded, o->intervals);
}

bool rows_due(const Sim *s)
{
    double slack = row_slack(s, s->run.time);
    return has_point(s) && output_time(s, s->rows.next) <= s->run.time + slack;
}

/* Output points that coincide with the event that was just written. */
void rows_skip(Sim *s)
{
    while (rows_due(s))
        s->rows.next++;
}
