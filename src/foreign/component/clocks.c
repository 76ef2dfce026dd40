/* Input clocks of an FMU tick at times, at intervals that the FMU names, or when a Boolean becomes
 * true. Output clocks are counted. */
#include "foreign/component/internal.h"

#include <math.h>

static const FmiVariable *clock_of(const Component *c, uint32_t k)
{
    return &c->l.d->variables.at[c->l.clocks[k]];
}

static bool is_due(const Component *c, uint32_t k, double t)
{
    return c->clocks[k].next <= t + 1e-12 * (1 + fabs(t));
}

/* The tick after the present one. */
static void advance(Component *c, uint32_t k)
{
    ClockTimes *x = &c->clocks[k];
    x->ticks++;
    bool once = clock_of(c, k)->clock->kind == FMI_INTERVAL_COUNTDOWN;
    x->next = once ? INFINITY : x->since + x->ticks * x->interval;
}

/* Clocks whose interval the FMU computes. */
static const char *read_intervals(Component *c, double t)
{
    for (uint32_t k = 0; k < c->l.n_clocks; k++) {
        ClockTimes *x = &c->clocks[k];
        const FmiVariable *v = clock_of(c, k);
        double interval = 0;
        int qualifier = 0;
        if (v->clock->kind < FMI_INTERVAL_CHANGING)
            continue;
        TRY(c->i->calls->get_interval(c->i, v->reference, &interval, &qualifier));
        if (qualifier != FMI_INTERVAL_CHANGED || !(interval >= 0))
            continue;
        bool once = v->clock->kind == FMI_INTERVAL_COUNTDOWN;
        *x = (ClockTimes){.next = t + interval, .since = t, .interval = interval, .ticks = !once};
    }
    return NULL;
}

static const char *read_ticks(Component *c)
{
    for (uint32_t k = 0; k < c->l.n_ticks; k++) {
        bool ticks = false;
        uint32_t reference = c->l.d->variables.at[c->l.ticks[k]].reference;
        TRY(c->i->calls->get_clock(c->i, reference, &ticks));
        c->ticks[k] += ticks;
    }
    return NULL;
}

const char *clocks_start(Component *c, double t)
{
    for (uint32_t k = 0; k < c->l.n_clocks; k++) {
        const FmiVariable *v = clock_of(c, k);
        double shift = isnan(v->clock->shift) ? 0 : v->clock->shift;
        double interval = v->clock->interval;
        int qualifier;
        if (isnan(interval) && v->clock->kind < FMI_INTERVAL_CHANGING)
            TRY(c->i->calls->get_interval(c->i, v->reference, &interval, &qualifier));
        bool known = interval > 0 && v->clock->kind < FMI_INTERVAL_CHANGING;
        c->clocks[k] = (ClockTimes){
            .next = known ? t + shift : INFINITY, .since = t + shift, .interval = interval};
    }
    memset(c->triggered, 0, c->l.n_triggers * sizeof *c->triggered);
    memset(c->ticks, 0, c->l.n_ticks * sizeof *c->ticks);
    return read_intervals(c, t);
}

/* One tick of a clock. */
static const char *tick(Component *c, uint32_t variable, double t)
{
    uint32_t reference = c->l.d->variables.at[variable].reference;
    if (!c->l.scheduled) {
        TRY(c->i->calls->set_clock(c->i, reference));
        return NULL;
    }
    TRY(c->i->calls->activate(c->i, reference, t));
    DO(read_ticks(c));
    return read_intervals(c, t);
}

/* The clock that is due with the smallest number of priority: its place among `clocks`, or among
 * `triggers` after them; NONE. */
static uint32_t most_urgent(const Component *c, double t)
{
    uint32_t best = NONE;
    double priority = INFINITY;
    for (uint32_t k = 0; k < c->l.n_clocks + c->l.n_triggers; k++) {
        bool timed = k < c->l.n_clocks;
        uint32_t v = timed ? c->l.clocks[k] : c->l.triggers[k - c->l.n_clocks];
        bool due = timed ? is_due(c, k, t) : c->edges[k - c->l.n_clocks];
        if (due && c->l.d->variables.at[v].clock->priority < priority) {
            best = k;
            priority = c->l.d->variables.at[v].clock->priority;
        }
    }
    return best;
}

static const char *tick_all(Component *c, double t)
{
    for (int n = 0;; n++) {
        uint32_t k = most_urgent(c, t);
        if (k == NONE)
            return NULL;
        if (n >= MOST_UPDATES)
            return component_refuse(c->all, "%s: clocks tick without end at time %g",
                                    c->i->file->path, t);
        bool timed = k < c->l.n_clocks;
        if (timed)
            advance(c, k);
        else
            c->edges[k - c->l.n_clocks] = false;
        DO(tick(c, timed ? c->l.clocks[k] : c->l.triggers[k - c->l.n_clocks], t));
    }
}

const char *clocks_tick(Component *c, double t, const double *triggers)
{
    for (uint32_t k = 0; k < c->l.n_triggers; k++) {
        c->edges[k] = triggers[k] != 0 && !c->triggered[k];
        c->triggered[k] = triggers[k] != 0;
    }
    return tick_all(c, t);
}

const char *clocks_read(Component *c, double t)
{
    if (c->l.scheduled)
        return NULL;
    DO(read_ticks(c));
    return read_intervals(c, t);
}

double clocks_next(const Component *c)
{
    double next = INFINITY;
    for (uint32_t k = 0; k < c->l.n_clocks; k++)
        next = fmin(next, c->clocks[k].next);
    return next;
}
