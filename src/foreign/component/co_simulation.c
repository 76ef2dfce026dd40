/* Co-simulation: communication steps, and values within them. */
#include "foreign/component/internal.h"

#include <math.h>

static bool same_time(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1 + fmax(fabs(a), fabs(b)));
}

static const char *read_groups(Component *c, double *to)
{
    for (uint32_t g = 0; g < c->l.n_groups; g++) {
        TRY(fmi_get(c->i, &c->groups[g], to + c->first_of_group[g]));
        c->window.stale[g] = false;
    }
    return NULL;
}

/* From event mode back to step mode. */
static const char *leave_event_mode(Component *c)
{
    FmiEventInfo info = {.again = true};
    for (int n = 0; info.again && !info.terminate; n++) {
        if (n >= MOST_UPDATES)
            return component_refuse(c->all, "%s: the event iteration of the FMU does not end",
                                    c->i->file->path);
        TRY(c->i->calls->update(c->i, &info));
        c->ends |= info.terminate;
    }
    DO(clocks_read(c, c->window.end));
    TRY(c->i->calls->enter_step(c->i));
    return NULL;
}

const char *window_start(Component *c, double t)
{
    Window *w = &c->window;
    w->begin = w->end = t;
    w->pending = w->needs_event_mode = false;
    if (c->i->event_mode)
        DO(leave_event_mode(c));
    DO(component_read(c));
    return read_groups(c, w->at_end);
}

/* ---- values ---- */

/* At the end of the window, values follow the inputs at once. */
static const char *values_at_end(Component *c, uint32_t group, const double *u, double *out)
{
    const LayoutGroup *g = &c->l.groups[group];
    bool changed = false;
    for (uint32_t k = 0; k < g->n_inputs; k++) {
        changed |= c->u[g->inputs[k]] != u[k];
        c->u[g->inputs[k]] = u[k];
    }
    double *at_end = c->window.at_end + c->first_of_group[group];
    if (changed) {
        TRY(fmi_set(c->i, &c->continuous_inputs, c->u));
        memset(c->window.stale, true, c->l.n_groups);
    }
    if (c->window.stale[group])
        TRY(fmi_get(c->i, &c->groups[group], at_end));
    c->window.stale[group] = false;
    memcpy(out, at_end, g->values.n * sizeof *out);
    return NULL;
}

const char *window_values(Component *c, uint32_t group, double t, const double *u, double *out)
{
    const Window *w = &c->window;
    if (t >= w->end || same_time(t, w->end))
        return values_at_end(c, group, u, out);
    double share = fmax(0, (t - w->begin) / (w->end - w->begin));
    const double *a = w->at_begin + c->first_of_group[group];
    const double *b = w->at_end + c->first_of_group[group];
    for (uint32_t k = 0; k < c->l.groups[group].values.n; k++)
        out[k] = a[k] + share * (b[k] - a[k]);
    return NULL;
}

/* ---- steps ---- */

/* The end of the next communication step. */
static double next_point(const Component *c, double t, double limit)
{
    const Window *w = &c->window;
    double k = floor((t - c->start) / w->step + 1e-9);
    double next = c->start + (k + 1) * w->step;
    if (c->i->interface->variable_steps || c->l.d->version == 1)
        next = fmin(next, limit);
    return same_time(next, c->stop) || next > c->stop ? c->stop : next;
}

static const char *do_step(Component *c, double t, double next, FmiStepInfo *info)
{
    uint32_t n = c->i->event_mode ? c->l.n_continuous : c->l.inputs.n;
    if (memcmp(c->u, c->wanted, n * sizeof *c->u) != 0) {
        memcpy(c->u, c->wanted, n * sizeof *c->u);
        TRY(fmi_set(c->i, c->i->event_mode ? &c->continuous_inputs : &c->inputs, c->u));
    }
    TRY(c->i->calls->step(c->i, t, next - t, info));
    if (same_time(info->reached, next))
        info->reached = next;
    return NULL;
}

/* Discrete values after the step; an event follows if they have changed. */
static const char *look_for_events(Component *c, const FmiStepInfo *info)
{
    Window *w = &c->window;
    w->needs_event_mode = info->event && c->i->event_mode;
    c->ends |= info->terminate;
    if (c->l.discretes.n)
        TRY(fmi_get(c->i, &c->discretes, c->discrete_now));
    w->pending = w->needs_event_mode || info->terminate ||
                 memcmp(c->discrete_now, c->discrete_values,
                        c->l.discretes.n * sizeof *c->discrete_now) != 0;
    return NULL;
}

/* An event at the beginning of a step. */
static const char *event_at_once(Component *c)
{
    TRY(c->i->calls->enter_event(c->i));
    return leave_event_mode(c);
}

const char *window_limit(Component *c, double t, double *limit)
{
    Window *w = &c->window;
    if (t < w->end && !same_time(t, w->end)) {
        *limit = fmin(*limit, w->end);
        return NULL;
    }
    FmiStepInfo info;
    double next = next_point(c, t, *limit);
    if (same_time(next, t) || next < t)
        return NULL;
    for (int n = 0;; n++) {
        DO(do_step(c, t, next, &info));
        if (info.reached > t || info.terminate || n >= MOST_UPDATES || !info.event ||
            !c->i->event_mode)
            break;
        DO(event_at_once(c));
    }
    if (info.terminate) /* perhaps at once: the run then ends after a step of this size */
        info.reached = fmax(info.reached, t + 4e-12 * (1 + fabs(t)));
    if (!(info.reached > t))
        return component_refuse(c->all, "%s: %s does not advance from time %g", c->i->file->path,
                                c->i->doing, t);
    w->begin = t;
    w->end = info.reached;
    memcpy(w->at_begin, w->at_end, c->n_group_values * sizeof *w->at_end);
    DO(read_groups(c, w->at_end));
    *limit = fmin(*limit, w->end);
    return look_for_events(c, &info);
}

bool window_accept(Component *c, double t)
{
    bool event = c->window.pending && same_time(t, c->window.end);
    if (event)
        c->requests++;
    c->window.pending &= !event;
    return event;
}

const char *window_update(Component *c, double t, const double *u)
{
    bool ticks = clocks_next(c) <= t;
    for (uint32_t k = 0; k < c->l.n_triggers; k++)
        ticks |= (u[c->l.inputs.n + k] != 0) != c->triggered[k];
    bool inputs = memcmp(c->u + c->l.n_continuous, u + c->l.n_continuous,
                         (c->l.inputs.n - c->l.n_continuous) * sizeof *u) != 0;
    memcpy(c->u, u, c->l.inputs.n * sizeof *u);
    memcpy(c->wanted, u, c->l.inputs.n * sizeof *u);
    if (c->i->event_mode && (inputs || ticks || c->window.needs_event_mode)) {
        TRY(c->i->calls->enter_event(c->i));
        TRY(fmi_set(c->i, &c->inputs, u));
        DO(clocks_tick(c, t, u + c->l.inputs.n));
        DO(leave_event_mode(c));
        c->ended.next = clocks_next(c);
        c->window.needs_event_mode = false;
    } else if (inputs) {
        TRY(fmi_set(c->i, &c->inputs, u));
    }
    DO(component_read(c));
    return read_groups(c, c->window.at_end);
}
