#include "runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EVENTS = 200000, MOST_STEPS = 20000000, MOST_ITERATIONS = 1000 };

static bool problem(double time, const char *what)
{
    fprintf(stderr, "at time = %.17g: %s\n", time, what);
    return false;
}

static double point(const Plan *p, unsigned k)
{
    return k == p->intervals ? p->stop : p->start + k * ((p->stop - p->start) / p->intervals);
}

static bool give_row(Fmu *f, const Plan *p, double time)
{
    double *values = malloc((f->description->width + 1) * sizeof *values);
    bool good = fmu_row(f, values) && (!p->row || p->row(p->user, time, values));
    free(values);
    return good;
}

static bool set_changes(Fmu *f, double after, double until)
{
    const Description *d = f->description;
    for (size_t i = 0; i < d->n_changes; i++) {
        const Change *c = &d->changes[i];
        if (c->time > after && c->time <= until && !fmu_set(f, &c->variable, &c->value))
            return false;
    }
    return true;
}

static double next_change(const Fmu *f, double after)
{
    const Description *d = f->description;
    for (size_t i = 0; i < d->n_changes; i++)
        if (d->changes[i].time > after)
            return d->changes[i].time;
    return INFINITY;
}

/* Values of the description are set before the initialization mode; inputs at the start time in
 * it. */
bool run_begin(Fmu *f, const Plan *p)
{
    const Description *d = f->description;
    for (size_t i = 0; i < d->n_changes; i++)
        if (d->changes[i].time == -INFINITY &&
            !fmu_set(f, &d->changes[i].variable, &d->changes[i].value))
            return false;
    return fmu_setup(f, p->tolerance, p->start, &p->stop) && set_changes(f, -1e300, p->start) &&
           fmu_initialized(f);
}

/* ---- co-simulation ---- */

/* Iterates in event mode, and returns to step mode. */
static bool handle_event(Fmu *f, Plan *p, Events *e)
{
    int n = 0;
    do {
        *e = (Events){0};
        if (!fmu_update(f, e) || n++ > MOST_ITERATIONS)
            return problem(p->end, "the event iteration does not end");
    } while (e->more && !e->terminate);
    p->n_events++;
    return e->terminate || fmu_step_mode(f);
}

/* One communication step of FMI 3 that may return early, again and again up to its end. */
static bool step_with_events(Fmu *f, Plan *p, double until, bool *end)
{
    Events e;
    Step s;
    while (p->end < until && !*end) {
        if (!fmu_step(f, p->end, until - p->end, &s))
            return false;
        if (!(s.reached >= p->end && s.reached <= until + 1e-9 * fabs(until)) ||
            (s.reached == p->end && !s.event && !s.terminate))
            return problem(p->end, "the step does not advance");
        if (s.early && s.reached >= until)
            return problem(s.reached, "the step is complete and says it returned early");
        p->end = s.reached;
        *end = s.terminate;
        if (s.event && !*end) {
            if (!fmu_event_mode(f) || !handle_event(f, p, &e))
                return false;
            *end = e.terminate;
        }
    }
    return true;
}

static bool plain_step(Fmu *f, Plan *p, double length, bool *end)
{
    Step s;
    if (!fmu_step(f, p->end, length, &s))
        return false;
    *end = s.terminate;
    p->end = s.terminate ? s.reached : p->end + length;
    return true;
}

/* Parts of a step that are neither equal nor small. */
static bool divided_step(Fmu *f, Plan *p, double until, unsigned k, bool *end)
{
    double share = 0.1 + 0.8 * fmod(0.6180339887 * k, 1), part = share * (until - p->end);
    if (!plain_step(f, p, part, end))
        return false;
    if (*end)
        return true;
    bool good = plain_step(f, p, until - p->end, end);
    p->end = *end ? p->end : until;
    return good;
}

static bool one_step(Fmu *f, Plan *p, unsigned k, bool *end)
{
    double until = point(p, k);
    switch (p->steps) {
    case AT_EVENTS: return step_with_events(f, p, until, end);
    case DIVIDED: return divided_step(f, p, until, k, end);
    case SUMMED: return plain_step(f, p, (p->stop - p->start) / p->intervals, end);
    default: break;
    }
    bool good = plain_step(f, p, until - p->end, end);
    p->end = *end ? p->end : until;
    return good;
}

/* Inputs at the present communication point: in FMI 3 with event mode, an event of the importer. */
static bool new_inputs(Fmu *f, Plan *p, double before, bool *end)
{
    Events e;
    double slack = 1e-9 * (p->stop - p->start);
    if (!(next_change(f, before + slack) <= p->end + slack))
        return true;
    if (p->steps != AT_EVENTS)
        return set_changes(f, before + slack, p->end + slack);
    bool good = fmu_event_mode(f) && set_changes(f, before + slack, p->end + slack) &&
                handle_event(f, p, &e);
    *end |= good && e.terminate;
    return good;
}

bool run_from(Fmu *f, Plan *p, unsigned interval)
{
    bool end = false;
    p->end = point(p, interval);
    for (unsigned k = interval + 1; k <= p->intervals && !end; k++) {
        double before = p->end;
        if (!one_step(f, p, k, &end) || !give_row(f, p, p->end) ||
            (!end && k < p->intervals && !new_inputs(f, p, before, &end)))
            return false;
    }
    return true;
}

static bool co_simulate(Fmu *f, Plan *p)
{
    Events e = {0};
    p->end = p->start;
    if (p->steps == AT_EVENTS && !handle_event(f, p, &e))
        return false;
    p->n_events = 0;
    return give_row(f, p, p->start) && (e.terminate || run_from(f, p, 0));
}

/* ---- model exchange ---- */

enum { STAGES = 7 };

/* Dormand and Prince, order 5 with an error estimate. */
static const double nodes[STAGES] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
static const double rows[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double errors[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                      -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

typedef struct Integrator {
    Fmu *f;
    Plan *p;
    size_t n, n_z;
    double t, h;
    double *x, *new_x, *at, *k[STAGES], *nominal;
    double *z, *new_z;
    Events events;
    bool end;
} Integrator;

static void allocate(Integrator *i)
{
    double **arrays[] = {&i->x, &i->new_x, &i->at, &i->nominal};
    for (size_t j = 0; j < sizeof arrays / sizeof *arrays; j++)
        *arrays[j] = calloc(i->n + 1, sizeof(double));
    for (int j = 0; j < STAGES; j++)
        i->k[j] = calloc(i->n + 1, sizeof(double));
    i->z = calloc(i->n_z + 1, sizeof(double));
    i->new_z = calloc(i->n_z + 1, sizeof(double));
}

static void release(Integrator *i)
{
    double *arrays[] = {i->x, i->new_x, i->at, i->nominal, i->z, i->new_z};
    for (size_t j = 0; j < sizeof arrays / sizeof *arrays; j++)
        free(arrays[j]);
    for (int j = 0; j < STAGES; j++)
        free(i->k[j]);
}

static bool place(Integrator *i, double t, const double *x)
{
    return fmu_set_time(i->f, t) && fmu_set_states(i->f, x);
}

/* The states at t + h in new_x, and the error relative to the tolerance: infinite if the FMU
 * discards a point on the way, which a shorter step may avoid. */
static bool try_step(Integrator *i, double h, double *error)
{
    for (int s = 0; s < STAGES; s++) {
        for (size_t j = 0; j < i->n; j++) {
            i->at[j] = i->x[j];
            for (int r = 0; r < s; r++)
                i->at[j] += h * rows[s][r] * i->k[r][j];
        }
        if (!place(i, i->t + nodes[s] * h, i->at) || !fmu_get_derivatives(i->f, i->k[s])) {
            *error = INFINITY;
            return i->f->discarded;
        }
    }
    memcpy(i->new_x, i->at, i->n * sizeof *i->at);
    *error = 0;
    for (size_t j = 0; j < i->n; j++) {
        double e = 0, size = fmax(fabs(i->x[j]), fabs(i->new_x[j])) + i->nominal[j];
        for (int s = 0; s < STAGES; s++)
            e += h * errors[s] * i->k[s][j];
        *error = fmax(*error, fabs(e) / (i->p->tolerance * size));
    }
    return true;
}

static bool crossed(const Integrator *i)
{
    for (size_t j = 0; j < i->n_z; j++)
        if ((i->z[j] > 0) != (i->new_z[j] > 0))
            return true;
    return false;
}

static bool indicators_after(Integrator *i, double h)
{
    double error;
    return try_step(i, h, &error) && isfinite(error) && place(i, i->t + h, i->new_x) &&
           fmu_get_indicators(i->f, i->new_z);
}

/* Shortens the step to just after the first crossing, by bisection with steps from t. */
static bool locate(Integrator *i, double *h)
{
    double before = 0, after = *h;
    while (after - before > fmax(1e-15 * fabs(i->t + after), 1e-14 * *h)) {
        double middle = 0.5 * (before + after);
        if (i->t + middle <= i->t + before || i->t + middle >= i->t + after)
            break;
        if (!indicators_after(i, middle))
            return false;
        *(crossed(i) ? &after : &before) = middle;
    }
    *h = after;
    return indicators_after(i, after);
}

/* Event mode, the iteration, and back. */
static bool iterate_events(Integrator *i)
{
    bool changed = false;
    int n = 0;
    do {
        i->events = (Events){0};
        if (!fmu_update(i->f, &i->events) || n++ > MOST_ITERATIONS)
            return problem(i->t, "the event iteration does not end");
        changed |= i->events.values_changed;
        if (i->events.nominals_changed && !fmu_get_nominals(i->f, i->nominal))
            return false;
    } while (i->events.more && !i->events.terminate);
    i->end = i->events.terminate;
    if (i->end)
        return true;
    if (i->events.has_next && !(i->events.next > i->t))
        return problem(i->t, "the next time event is not in the future");
    return fmu_continuous_mode(i->f) && (!changed || fmu_get_states(i->f, i->x)) &&
           fmu_get_indicators(i->f, i->z);
}

static bool handle(Integrator *i)
{
    if (i->p->n_events++ > MOST_EVENTS)
        return problem(i->t, "there are too many events");
    i->h = 1e-5 * (i->p->stop - i->p->start);
    double slack = 1e-12 * (i->p->stop - i->p->start);
    return fmu_event_mode(i->f) && set_changes(i->f, i->t - slack, i->t + slack) &&
           iterate_events(i);
}

/* One accepted step, up to `limit` at most, and its event. */
static bool advance(Integrator *i, double limit)
{
    double error, h = fmin(i->h, limit - i->t);
    bool last = h >= limit - i->t, event = false;
    if (!try_step(i, h, &error))
        return false;
    while (!(error <= 1)) {
        h *= fmax(0.2, isfinite(error) ? 0.9 * pow(error, -0.2) : 0.2);
        last = false;
        if (i->t + h <= i->t)
            return problem(i->t, "the step size is too small");
        if (!try_step(i, h, &error))
            return false;
    }
    double grown = h * fmin(5, error > 0 ? 0.9 * pow(error, -0.2) : 5);
    i->h = last ? fmax(i->h, grown) : grown;
    double t = last ? limit : i->t + h;
    if (!place(i, t, i->new_x) || !fmu_get_indicators(i->f, i->new_z))
        return false;
    bool state_event = crossed(i);
    if (state_event && !locate(i, &h))
        return false;
    i->t = state_event ? i->t + h : t;
    memcpy(i->x, i->new_x, i->n * sizeof *i->x);
    memcpy(i->z, i->new_z, i->n_z * sizeof *i->z);
    if (!fmu_completed(i->f, &event, &i->end))
        return false;
    double slack = 1e-12 * (i->p->stop - i->p->start);
    bool time_event = (i->events.has_next && i->t >= i->events.next) ||
                      fabs(next_change(i->f, i->t - slack) - i->t) <= slack;
    return i->end || !(event || state_event || time_event) || handle(i);
}

static bool advance_to(Integrator *i, double until, uint64_t *steps)
{
    double slack = 1e-12 * (i->p->stop - i->p->start);
    while (i->t < until && !i->end) {
        double limit = fmin(until, next_change(i->f, i->t + slack));
        if (i->events.has_next)
            limit = fmin(limit, i->events.next);
        if (!advance(i, limit))
            return false;
        if (++*steps > MOST_STEPS)
            return problem(i->t, "there are too many steps");
    }
    return true;
}

static bool integrate(Integrator *i)
{
    uint64_t steps = 0;
    i->t = i->p->start;
    i->h = 1e-5 * (i->p->stop - i->p->start);
    if (!iterate_events(i) || (!i->end && !fmu_get_states(i->f, i->x)) ||
        !fmu_get_nominals(i->f, i->nominal) || !give_row(i->f, i->p, i->t))
        return false;
    for (unsigned k = 1; k <= i->p->intervals && !i->end; k++)
        if (!advance_to(i, point(i->p, k), &steps) || !give_row(i->f, i->p, i->t))
            return false;
    i->p->end = i->t;
    return true;
}

static bool exchange_model(Fmu *f, Plan *p)
{
    Integrator i = {
        .f = f, .p = p, .n = f->description->n_states, .n_z = f->description->n_indicators};
    allocate(&i);
    bool good = integrate(&i);
    release(&i);
    return good;
}

bool run_continue(Fmu *f, Plan *p)
{
    p->n_events = 0;
    return f->description->cs ? co_simulate(f, p) : exchange_model(f, p);
}
