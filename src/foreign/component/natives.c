/* The functions that the text of a wrapper calls: they take their arguments apart.
 * foreign/wrapper/wrapper.c writes their declarations. */
#include "foreign/component/internal.h"

#include <math.h>

static Component *object(void *const *a, int k)
{
    return *(Component **)a[k];
}

static double real(void *const *a, int k)
{
    return *(double *)a[k];
}

static int whole(void *const *a, int k)
{
    return *(int *)a[k];
}

static double *array(void *const *a, int k)
{
    return *(double **)a[k];
}

static const char *text(void *const *a, int k)
{
    return *(const char **)a[k];
}

/* A call without a start: the equations were not in order. */
#define STARTED(c)                                                                                 \
    if (!(c)->started)                                                                             \
    return component_refuse((c)->all, "%s was not initialized", (c)->i->file->path)

/* object = kairos_fmu_create(file, token, name, kind, step, structure) */
static const char *native_open(void *user, const ExternalRun *run, void *const *a)
{
    const char *why = NULL;
    Component *c = component_open(user, run, text(a, 1), text(a, 2), text(a, 3),
                                  (LayoutKind)whole(a, 4), real(a, 5), text(a, 6), &why);
    if (c)
        rates_prepare(c);
    *(Component **)a[0] = c;
    return why;
}

/* kairos_fmu_close(object) */
static const char *native_close(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    if (object(a, 1))
        component_close(object(a, 1));
    return NULL;
}

/* started = kairos_fmu_start(object, time, p, s, u) */
static const char *native_start(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    *(double *)a[0] = 1;
    return component_start(object(a, 1), real(a, 2), array(a, 3), array(a, 4), array(a, 5));
}

/* done = kairos_fmu_string(object, number, text): a parameter, before the start */
static const char *native_string(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    Component *c = object(a, 1);
    *(double *)a[0] = 0;
    const FmiVariable *v = &c->l.d->variables.at[c->l.strings[whole(a, 2) - 1]];
    if (c->started || !strcmp(v->start, text(a, 3)))
        return NULL;
    FmiStatus s = fmi_set_string(c->i, v->reference, text(a, 3));
    return fmi_good(s) ? NULL : component_fail(c, s);
}

/* kairos_fmu_states(object, started, x) */
static const char *native_states(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    Component *c = object(a, 1);
    STARTED(c);
    memcpy(array(a, 3), c->ended.new_x, c->l.n_states * sizeof(double));
    return NULL;
}

/* kairos_fmu_derivatives(object, epoch, time, x, u, dx) */
static const char *native_derivatives(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    STARTED(object(a, 1));
    return component_derivatives(object(a, 1), real(a, 3), array(a, 4), array(a, 5), array(a, 6));
}

/* kairos_fmu_indicators(object, epoch, time, x, u, z) */
static const char *native_indicators(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    STARTED(object(a, 1));
    return component_indicators(object(a, 1), real(a, 3), array(a, 4), array(a, 5), array(a, 6));
}

/* kairos_fmu_values(object, epoch, time, group, x, u, y) */
static const char *native_values(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    STARTED(object(a, 1));
    return component_group(object(a, 1), (uint32_t)whole(a, 4) - 1, real(a, 3), array(a, 5),
                           array(a, 6), array(a, 7));
}

/* Calls of rates: the arguments of values, then dt, dx, du and the result. */
static const char *rate(void *const *a, Asked what, int k, int directions)
{
    Component *c = object(a, 1);
    STARTED(c);
    Point at = {real(a, 3), array(a, k), array(a, k + 1)};
    Point along = {real(a, directions), array(a, directions + 1), array(a, directions + 2)};
    return component_rate(c, what, &at, &along, array(a, directions + 3));
}

/* kairos_fmu_derivatives_rate(object, epoch, time, x, u, dt, dx, du, rate) */
static const char *native_derivatives_rate(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    return rate(a, ASKED_DERIVATIVES, 4, 6);
}

/* kairos_fmu_indicators_rate(object, epoch, time, x, u, dt, dx, du, rate) */
static const char *native_indicators_rate(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    return rate(a, ASKED_INDICATORS, 4, 6);
}

/* kairos_fmu_values_rate(object, epoch, time, group, x, u, dt, dx, du, rate) */
static const char *native_values_rate(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    return rate(a, (Asked)(whole(a, 4) - 1), 5, 7);
}

/* kairos_fmu_update(object, epoch, started, time, x, u, next_epoch, next_time, ends) */
static const char *native_update(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    Component *c = object(a, 1);
    STARTED(c);
    const char *why = component_update(c, real(a, 2), real(a, 4), array(a, 5), array(a, 6));
    *(double *)a[7] = real(a, 2) + 1;
    *(double *)a[8] = isfinite(c->ended.next) ? c->ended.next : 1e300;
    *(double *)a[9] = c->ends;
    return why;
}

/* x = kairos_fmu_state(object, epoch, k): after the event */
static const char *native_state(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    *(double *)a[0] = object(a, 1)->ended.new_x[whole(a, 3) - 1];
    return NULL;
}

/* n = kairos_fmu_requests(object, epoch): events that the FMU has asked for */
static const char *native_requests(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    *(int *)a[0] = (int)object(a, 1)->requests;
    return NULL;
}

static double discrete_value(void *const *a)
{
    return component_discrete(object(a, 1), real(a, 2), (uint32_t)whole(a, 3) - 1);
}

/* value = kairos_fmu_real|integer|boolean(object, epoch, k): a discrete variable */
static const char *native_real(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    *(double *)a[0] = discrete_value(a);
    return NULL;
}

static const char *native_integer(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    *(int *)a[0] = (int)fmax(INT32_MIN, fmin(INT32_MAX, discrete_value(a)));
    return NULL;
}

/* n = kairos_fmu_ticks(object, epoch, k): ticks of an output clock */
static const char *native_ticks(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    const Component *c = object(a, 1);
    *(int *)a[0] = (int)(real(a, 2) < c->epoch ? c->ticks_before : c->ticks)[whole(a, 3) - 1];
    return NULL;
}

/* value = kairos_fmu_calculated(object, started, k): a calculated parameter */
static const char *native_calculated(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    STARTED(object(a, 1));
    *(double *)a[0] = object(a, 1)->calculated_values[whole(a, 3) - 1];
    return NULL;
}

/* 0 = kairos_fmu_inputs(object, time, u): co-simulation, for the next step */
static const char *native_inputs(void *user, const ExternalRun *run, void *const *a)
{
    (void)user, (void)run;
    Component *c = object(a, 1);
    const Window *w = &c->window;
    *(double *)a[0] = 0;
    uint32_t n = c->i->event_mode ? c->l.n_continuous : c->l.inputs.n;
    if (real(a, 2) >= w->end - 1e-12 * (1 + fabs(w->end)))
        memcpy(c->wanted, array(a, 3), n * sizeof *c->wanted);
    return NULL;
}

static const struct {
    const char *symbol;
    ExternalNative call;
} natives[] = {
    {"kairos_fmu_create", native_open},
    {"kairos_fmu_close", native_close},
    {"kairos_fmu_start", native_start},
    {"kairos_fmu_string", native_string},
    {"kairos_fmu_states", native_states},
    {"kairos_fmu_derivatives", native_derivatives},
    {"kairos_fmu_indicators", native_indicators},
    {"kairos_fmu_values", native_values},
    {"kairos_fmu_derivatives_rate", native_derivatives_rate},
    {"kairos_fmu_indicators_rate", native_indicators_rate},
    {"kairos_fmu_values_rate", native_values_rate},
    {"kairos_fmu_update", native_update},
    {"kairos_fmu_state", native_state},
    {"kairos_fmu_requests", native_requests},
    {"kairos_fmu_real", native_real},
    {"kairos_fmu_integer", native_integer},
    {"kairos_fmu_boolean", native_integer},
    {"kairos_fmu_ticks", native_ticks},
    {"kairos_fmu_calculated", native_calculated},
    {"kairos_fmu_inputs", native_inputs},
};

static ExternalNative find_native(void *user, const char *symbol)
{
    (void)user;
    if (strncmp(symbol, "kairos_fmu_", 11) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
        if (!strcmp(natives[i].symbol, symbol))
            return natives[i].call;
    return NULL;
}

static ExternalSteps steps_of(void *user, const void *at)
{
    (void)user;
    const Component *c = at;
    bool completes = c->l.exchange && !c->l.scheduled && !c->i->interface->ignores_completed_step;
    return (ExternalSteps){!c->l.exchange, !c->l.exchange || completes, completes};
}

static const char *limit_step(void *user, void *at, double t, double *limit)
{
    (void)user;
    Component *c = at;
    return c->started ? window_limit(c, t, limit) : NULL;
}

static const char *accept_step(void *user, void *at, double t, bool *event)
{
    (void)user;
    Component *c = at;
    if (!c->l.exchange) {
        *event |= window_accept(c, t);
        return NULL;
    }
    bool wanted = false, ends = false;
    FmiStatus s = c->i->calls->completed(c->i, &wanted, &ends);
    component_forget(c);
    if (!fmi_good(s))
        return component_fail(c, s);
    c->ends |= ends;
    c->requests += wanted || ends;
    *event |= wanted || ends;
    return NULL;
}

/* ---- the session ---- */

Components *components_new(Context *ctx)
{
    Arena *arena = arena_new();
    Components *all = ARENA_NEW(arena, Components);
    all->ctx = ctx;
    all->arena = arena;
    all->natives = (ExternalNatives){all, find_native, steps_of, limit_step, accept_step};
    return all;
}

void components_free(Components *all)
{
    if (!all)
        return;
    for (uint32_t i = 0; i < all->files.n; i++)
        fmu_close(all->files.at[i].file);
    vec_free(&all->files);
    arena_free(all->arena);
}

const ExternalNatives *components_natives(Components *all)
{
    return &all->natives;
}
