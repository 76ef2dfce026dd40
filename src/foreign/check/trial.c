/* The trial of an FMU: initialization, reset, state round trip, directional derivatives, steps,
 * many instances. Runs in a process of its own. */
#include "foreign/check/check.h"

#include "foreign/binary/binary.h"

#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>

/* A leak: bytes that each instance leaves behind at least. */
enum { STEPS = 10, WINDOW = 20, LEAST_LEAK = 16 };

typedef struct Trial {
    const FmuFile *f;
    const FmiDescription *d;
    bool exchange;
    Arena *arena;
    Finding *found;
    void *user;
    FmiInstance *i;
    FmiValues all; /* numbers that can be read */
    double *values, *before;
    double start, stop, step;
    uint32_t nx;
    double *x, *dx, *moved;
} Trial;

static void report(Trial *t, bool doubt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void report(Trial *t, bool doubt, const char *format, ...)
{
    char text[1600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    t->found(t->user, doubt, text);
}

static bool good(Trial *t, FmiStatus s, const char *doing)
{
    if (!fmi_good(s))
        report(t, false, "%s: %s", doing, fmi_failure(t->i, s, t->arena));
    return fmi_good(s);
}

/* ---- values ---- */

static void list_values(Trial *t)
{
    const FmiDescription *d = t->d;
    uint32_t *list = ARENA_ARRAY(t->arena, uint32_t, d->variables.n + 1), n = 0;
    for (uint32_t i = 0; i < d->variables.n; i++)
        if (fmi_is_number((FmiType)d->variables.at[i].type))
            list[n++] = i;
    t->all = fmi_values(d, list, n, t->arena);
    t->values = ARENA_ARRAY(t->arena, double, t->all.n_values + 1);
    t->before = ARENA_ARRAY(t->arena, double, t->all.n_values + 1);
}

/* The name of value k among all. */
static const char *value_name(const Trial *t, uint32_t k)
{
    for (uint32_t i = 0; i < t->d->variables.n; i++) {
        const FmiVariable *v = &t->d->variables.at[i];
        if (!fmi_is_number((FmiType)v->type))
            continue;
        if (k < v->size)
            return fmi_element_name(t->d, v, k, t->arena);
        k -= v->size;
    }
    return "?";
}

/* The first value that differs from `before`; NONE. */
static uint32_t difference(const Trial *t)
{
    for (uint32_t k = 0; k < t->all.n_values; k++) {
        double a = t->values[k], b = t->before[k];
        bool same = (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b));
        if (!same)
            return k;
    }
    return NONE;
}

static bool read_all(Trial *t, const char *when)
{
    if (!good(t, fmi_get(t->i, &t->all, t->values), when))
        return false;
    for (uint32_t k = 0; k < t->all.n_values; k++)
        if (!isfinite(t->values[k])) {
            report(t, true, "%s: '%s' is %g", when, value_name(t, k), t->values[k]);
            break;
        }
    return true;
}

static void keep_all(Trial *t)
{
    memcpy(t->before, t->values, t->all.n_values * sizeof *t->values);
}

/* ---- initialization ---- */

static bool iterate(Trial *t)
{
    FmiEventInfo info = {.again = true};
    for (int n = 0; info.again && !info.terminate; n++) {
        if (n > 1000) {
            report(t, false, "the event iteration after the initialization does not end");
            return false;
        }
        if (!good(t, t->i->calls->update(t->i, &info), "event iteration"))
            return false;
        if (info.has_next && !(info.next >= t->start))
            report(t, false, "the next time event (%g) is in the past", info.next);
    }
    return true;
}

static bool initialize(Trial *t)
{
    const FmiCalls *c = t->i->calls;
    if (!good(t, c->enter_initialization(t->i, t->start, t->stop, 1e-6), "initialization") ||
        !good(t, c->exit_initialization(t->i), "initialization"))
        return false;
    if (t->exchange)
        return iterate(t) && good(t, c->enter_continuous(t->i), "initialization");
    return !t->i->event_mode || (iterate(t) && good(t, c->enter_step(t->i), "initialization"));
}

static bool reset(Trial *t)
{
    if (t->d->version == 1 && t->exchange) {
        fmi_destroy(t->i);
        return fmi_create(t->i);
    }
    return good(t, t->i->calls->reset(t->i), "reset");
}

static bool check_reset(Trial *t)
{
    keep_all(t);
    if (!reset(t) || !initialize(t) || !read_all(t, "after a reset"))
        return false;
    uint32_t k = difference(t);
    if (k != NONE)
        report(t, false, "after a reset, '%s' starts with %g instead of %g", value_name(t, k),
               t->values[k], t->before[k]);
    return true;
}

/* ---- motion ---- */

/* Model exchange: a step of Euler. Co-simulation: a communication step. *at: the time. */
static bool advance(Trial *t, double *at)
{
    const FmiCalls *c = t->i->calls;
    if (!t->exchange) {
        FmiStepInfo info;
        if (*at + t->step > t->stop + 1e-9 * fabs(t->stop))
            return true;
        if (!good(t, c->step(t->i, *at, t->step, &info), "a communication step"))
            return false;
        *at = info.reached;
        if (!t->i->event_mode || !info.event)
            return !info.terminate;
        return good(t, c->enter_event(t->i), "event") && iterate(t) &&
               good(t, c->enter_step(t->i), "event");
    }
    bool event, ends;
    if (t->nx && (!good(t, c->get_states(t->i, t->x, t->nx), "continuous time") ||
                  !good(t, c->get_derivatives(t->i, t->dx, t->nx), "continuous time")))
        return false;
    double h = 0.01 * t->step; /* small, as the model may be stiff */
    for (uint32_t k = 0; k < t->nx; k++)
        if (t->dx[k] != 0)
            h = fmin(h, 1e-3 * (1 + fabs(t->x[k])) / fabs(t->dx[k]));
    for (uint32_t k = 0; k < t->nx; k++)
        t->x[k] += h * t->dx[k];
    *at += h;
    return good(t, c->set_time(t->i, *at), "continuous time") &&
           (!t->nx || good(t, c->set_states(t->i, t->x, t->nx), "continuous time")) &&
           good(t, c->completed(t->i, &event, &ends), "continuous time");
}

static void check_states(Trial *t)
{
    if (!t->exchange || !t->nx)
        return;
    const FmiCalls *c = t->i->calls;
    if (!good(t, c->get_derivatives(t->i, t->dx, t->nx), "derivatives") ||
        !good(t, c->get_nominals(t->i, t->x, t->nx), "nominal values of states"))
        return;
    for (uint32_t k = 0; k < t->nx; k++) {
        if (!isfinite(t->dx[k]))
            report(t, false, "derivative %u of the states is %g", k + 1, t->dx[k]);
        if (!(t->x[k] > 0))
            report(t, false, "the nominal value of state %u is %g", k + 1, t->x[k]);
    }
}

/* ---- saved states ---- */

static void check_restored(Trial *t, const char *how)
{
    uint32_t k = difference(t);
    if (k != NONE)
        report(t, false, "%s, '%s' is %g instead of %g", how, value_name(t, k), t->values[k],
               t->before[k]);
}

/* Through bytes and back. */
static bool pass_bytes(Trial *t, void **state)
{
    const FmiCalls *c = t->i->calls;
    size_t n = 0;
    if (!good(t, c->state_size(t->i, *state, &n), "serialisation"))
        return false;
    char *bytes = arena_alloc(t->arena, n + 1);
    void *other = NULL;
    if (!good(t, c->serialise(t->i, *state, bytes, n), "serialisation") ||
        !good(t, c->deserialise(t->i, bytes, n, &other), "serialisation"))
        return false;
    good(t, c->drop(t->i, state), "freeing a state");
    *state = other;
    return true;
}

static bool check_saved(Trial *t, double at)
{
    const FmiCalls *c = t->i->calls;
    const FmiInterface *i = t->i->interface;
    void *state = NULL;
    if (!i->saves_state || !c->save)
        return true;
    if (!good(t, c->save(t->i, &state), "saving the state"))
        return false;
    if (i->serialises_state && !pass_bytes(t, &state))
        return false;
    double end = at, again = at;
    for (int k = 0; k < 3; k++)
        if (!advance(t, &end))
            return false;
    if (!read_all(t, "after steps"))
        return false;
    keep_all(t);
    if (!good(t, c->restore(t->i, state), "restoring the state"))
        return false;
    for (int k = 0; k < 3; k++)
        if (!advance(t, &again))
            return false;
    if (!read_all(t, "after steps"))
        return false;
    check_restored(t, "after a restored state and the same steps");
    return good(t, c->restore(t->i, state), "restoring the state") &&
           good(t, c->drop(t->i, &state), "freeing a state");
}

/* ---- directional derivatives ---- */

static bool difference_of(Trial *t, uint32_t k, double h, double *slope)
{
    const FmiCalls *c = t->i->calls;
    memcpy(t->moved, t->x, t->nx * sizeof *t->x);
    for (int side = 0; side < 2; side++) {
        t->moved[k] = t->x[k] + (side ? -h : h);
        if (!good(t, c->set_states(t->i, t->moved, t->nx), "differences") ||
            !good(t, c->get_derivatives(t->i, t->dx, t->nx), "differences"))
            return false;
        for (uint32_t r = 0; r < t->nx; r++)
            slope[r] = side ? (slope[r] - t->dx[r]) / (2 * h) : t->dx[r];
    }
    return good(t, c->set_states(t->i, t->x, t->nx), "differences");
}

static void compare_column(Trial *t, const uint32_t *states, const uint32_t *ders, uint32_t k)
{
    double *slope = ARENA_ARRAY(t->arena, double, t->nx + 1);
    double *exact = ARENA_ARRAY(t->arena, double, t->nx + 1), one = 1;
    double h = 1e-5 * (1 + fabs(t->x[k]));
    if (!difference_of(t, k, h, slope))
        return;
    FmiStatus s = t->i->calls->directional(t->i, ders, t->nx, &states[k], 1, &one, 1, exact, t->nx);
    if (!good(t, s, "directional derivatives"))
        return;
    for (uint32_t r = 0; r < t->nx; r++)
        if (!(fabs(exact[r] - slope[r]) <= 1e-3 * (1 + fabs(exact[r]) + fabs(slope[r])))) {
            report(t, false,
                   "the directional derivative of derivative %u by state %u is %g; differences "
                   "give %g",
                   r + 1, k + 1, exact[r], slope[r]);
            return;
        }
}

/* Of scalar states only. */
static void check_directional(Trial *t)
{
    enum { MOST = 50 };
    const FmiDescription *d = t->d;
    if (!t->exchange || !t->nx || !t->i->interface->directional || d->derivatives.n != t->nx)
        return;
    uint32_t *states = ARENA_ARRAY(t->arena, uint32_t, t->nx);
    uint32_t *ders = ARENA_ARRAY(t->arena, uint32_t, t->nx);
    for (uint32_t k = 0; k < t->nx; k++) {
        const FmiVariable *v = &d->variables.at[d->derivatives.at[k].variable];
        if (v->derivative_of == NONE)
            return;
        ders[k] = v->reference;
        states[k] = d->variables.at[v->derivative_of].reference;
    }
    if (!good(t, t->i->calls->get_states(t->i, t->x, t->nx), "directional derivatives"))
        return;
    for (uint32_t k = 0; k < t->nx && k < MOST; k++)
        compare_column(t, states, ders, k);
}

/* ---- the whole ---- */

static bool run_once(Trial *t)
{
    if (!initialize(t) || !read_all(t, "after the initialization") || !check_reset(t))
        return false;
    check_states(t);
    check_directional(t);
    double at = t->start;
    if (!check_saved(t, at))
        return false;
    for (int k = 0; k < STEPS; k++)
        if (!advance(t, &at))
            return false;
    return read_all(t, "after steps") &&
           good(t, t->i->calls->terminate(t->i), "the end of the simulation");
}

static bool cycle(Trial *t, int number)
{
    double at = t->start;
    if (!fmi_create(t->i) || !initialize(t)) {
        report(t, false, "instance %d cannot be made: %s", number, t->i->failure);
        return false;
    }
    for (int step = 0; step < 5 && advance(t, &at); step++)
        continue;
    t->i->calls->terminate(t->i);
    fmi_destroy(t->i);
    return true;
}

typedef struct Instances {
    Trial *t;
    bool made;
} Instances;

static void *make_instances(void *arg)
{
    Instances *all = arg;
    for (int k = 0; k < WINDOW && all->made; k++)
        all->made = cycle(all->t, k + 1);
    return NULL;
}

/* A thread of its own: the allocator's cache of freed blocks ends with it, and does not count as
 * memory in use. */
static bool run_window(Trial *t)
{
    Instances all = {t, true};
    pthread_t thread;
    if (pthread_create(&thread, NULL, make_instances, &all))
        return false;
    pthread_join(thread, NULL);
    return all.made;
}

/* Instances come and go; memory in use must not grow, in any of three windows after a first. */
static void check_leaks(Trial *t)
{
    double least = INFINITY;
    for (int k = 0; k < 4; k++) {
        size_t begin = mallinfo2().uordblks;
        if (!run_window(t))
            return;
        size_t end = mallinfo2().uordblks;
        if (k)
            least = fmin(least, end > begin ? (double)(end - begin) / WINDOW : 0);
    }
    if (least >= LEAST_LEAK)
        report(t, false, "each instance leaves at least %.0f bytes behind: the FMU leaks", least);
}

void trial_run(const FmuFile *f, bool exchange, Finding *found, void *user)
{
    Arena *arena = arena_new();
    const FmiDescription *d = f->description;
    Trial t = {f, d, exchange, arena, found, user, .nx = d->n_states};
    const char *why = NULL;
    t.start = isnan(d->start_time) ? 0 : d->start_time;
    t.stop = d->stop_time > t.start ? d->stop_time : t.start + 1;
    t.step = d->step_size > 0 ? d->step_size : (t.stop - t.start) / 500;
    t.i = fmi_open(f, exchange ? FMI_EXCHANGE : FMI_CO_SIMULATION, "trial", arena, &why);
    if (!t.i) {
        report(&t, false, "%s", why);
        return;
    }
    double fixed = t.i->interface->fixed_step;
    if (!exchange && fixed > 0)
        t.step = fmax(1, fmin(10, round(t.step / fixed))) * fixed;
    list_values(&t);
    t.x = ARENA_ARRAY(arena, double, t.nx + 1);
    t.dx = ARENA_ARRAY(arena, double, t.nx + 1);
    t.moved = ARENA_ARRAY(arena, double, t.nx + 1);
    bool complete = run_once(&t);
    fmi_destroy(t.i);
    if (complete && !t.i->interface->once_per_process)
        check_leaks(&t);
    fmi_close(t.i);
    arena_free(arena);
}
