#include "fuzz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SAVED = 4, MOST_VALUES = 4096 };

typedef struct Fuzz {
    Fmu *f;
    uint32_t random;
    double time;
    void *saved[MOST_SAVED];
    double values[MOST_VALUES];
} Fuzz;

static uint32_t next(Fuzz *z, uint32_t n)
{
    z->random = z->random * 1664525u + 1013904223u;
    return (z->random >> 8) % n;
}

static double any_time(Fuzz *z)
{
    static const double odd[] = {-1, 0, NAN, INFINITY, 1e300, -1e-300};
    uint32_t k = next(z, 20);
    if (k < sizeof odd / sizeof *odd)
        return odd[k];
    return z->time += 1e-3 * next(z, 10);
}

static double any_value(Fuzz *z)
{
    static const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, -1, 0};
    uint32_t k = next(z, 20);
    return k < sizeof odd / sizeof *odd ? odd[k] : (double)next(z, 1000) / 500;
}

static Variable any_variable(Fuzz *z)
{
    const Description *d = z->f->description;
    Variable v = {.reference = next(z, 100000), .type = (Type)next(z, CLOCK + 1), .size = 1};
    if (d->n_variables && next(z, 5))
        v = d->variables[next(z, (uint32_t)d->n_variables)];
    if (!next(z, 20))
        v.type = (Type)next(z, CLOCK + 1);
    return v;
}

static void fill(Fuzz *z, size_t n)
{
    for (size_t i = 0; i < n && i < MOST_VALUES; i++)
        z->values[i] = any_value(z);
}

/* ---- calls of both versions ---- */

static bool set_up(Fuzz *z)
{
    z->time = 0;
    return fmu_setup(z->f, next(z, 2) ? 1e-6 : 0, next(z, 8) ? 0 : any_time(z),
                     next(z, 4) ? NULL : &(double){any_value(z)});
}

static bool get(Fuzz *z)
{
    Variable v = any_variable(z);
    return fmu_get(z->f, &v, z->values);
}

static bool set(Fuzz *z)
{
    Variable v = any_variable(z);
    fill(z, v.size);
    if (v.type != FLOAT)
        z->values[0] = next(z, 3);
    return fmu_set(z->f, &v, z->values);
}

static bool initialized(Fuzz *z)
{
    return fmu_initialized(z->f);
}

static bool terminate(Fuzz *z)
{
    return next(z, 4) || fmu_terminate(z->f);
}

static bool reset(Fuzz *z)
{
    z->time = 0;
    return fmu_reset(z->f);
}

static bool start_over(Fuzz *z)
{
    z->time = 0;
    return fmu_reset(z->f) && fmu_setup(z->f, 0, 0, NULL) && fmu_initialized(z->f);
}

/* ---- states ---- */

static bool save(Fuzz *z)
{
    void **at = &z->saved[next(z, MOST_SAVED)];
    return *at || fmu_save(z->f, at);
}

static bool restore(Fuzz *z)
{
    void *state = z->saved[next(z, MOST_SAVED)];
    return state ? fmu_restore(z->f, state) : true;
}

static bool forget(Fuzz *z)
{
    void **at = &z->saved[next(z, MOST_SAVED)];
    return !*at || fmu_forget(z->f, at);
}

static bool serialize(Fuzz *z)
{
    void *state = z->saved[next(z, MOST_SAVED)], *again;
    char *bytes = NULL;
    size_t size;
    if (!state)
        return true;
    bool good = fmu_serialize(z->f, state, &bytes, &size);
    if (good && next(z, 2)) /* damaged */
        bytes[next(z, (uint32_t)size)] ^= (char)(1 + next(z, 255));
    if (good && next(z, 4) == 0)
        size = next(z, (uint32_t)size);
    good = good && fmu_deserialize(z->f, bytes, size, &again) && fmu_restore(z->f, again) &&
           fmu_forget(z->f, &again);
    free(bytes);
    return good;
}

/* ---- co-simulation ---- */

static bool step(Fuzz *z)
{
    Step s = {.reached = NAN};
    double length = next(z, 5) ? 1e-3 * next(z, 10) : any_value(z);
    if (isfinite(length) && length > 10) /* correct, but it takes long */
        length = -length;
    bool good = fmu_step(z->f, next(z, 5) ? z->time : any_time(z), length, &s);
    z->time = good ? s.reached : z->time;
    return good;
}

static bool step_mode(Fuzz *z)
{
    return z->f->description->version == 2 || fmu_step_mode(z->f);
}

/* ---- events and model exchange ---- */

static bool event_mode(Fuzz *z)
{
    return fmu_event_mode(z->f);
}

static bool update(Fuzz *z)
{
    Events e = {0};
    return fmu_update(z->f, &e);
}

static bool continuous_mode(Fuzz *z)
{
    return fmu_continuous_mode(z->f);
}

static bool completed(Fuzz *z)
{
    bool event, end;
    return fmu_completed(z->f, &event, &end);
}

static bool set_time(Fuzz *z)
{
    return fmu_set_time(z->f, any_time(z));
}

static bool set_states(Fuzz *z)
{
    fill(z, z->f->description->n_states);
    return fmu_set_states(z->f, z->values);
}

static bool get_states(Fuzz *z)
{
    return fmu_get_states(z->f, z->values);
}

static bool get_derivatives(Fuzz *z)
{
    return fmu_get_derivatives(z->f, z->values);
}

static bool get_indicators(Fuzz *z)
{
    return fmu_get_indicators(z->f, z->values);
}

static bool get_nominals(Fuzz *z)
{
    return fmu_get_nominals(z->f, z->values);
}

static bool directional(Fuzz *z)
{
    Reference of = any_variable(z).reference, by = any_variable(z).reference;
    return fmu_directional(z->f, &of, 1, 1, &by, 1, 1, &(double){1}, z->values);
}

/* ---- arguments that are missing, or do not fit ---- */

/* Any of the pointers may be NULL, and the numbers differ. */
typedef struct Odd {
    Reference references[4], others[4];
    const Reference *of, *by;
    size_t n, m, n_values, n_results;
    double seed[8], result[64];
    void *values, *results; /* of any type: 8 numbers that are read, 64 that are written */
    void *state;
    int orders[4];
    const int *order;
} Odd;

static Odd any_arguments(Fuzz *z)
{
    Odd o = {.n = next(z, 4), .m = next(z, 4), .n_values = next(z, 6), .n_results = next(z, 6)};
    for (int k = 0; k < 4; k++) {
        o.references[k] = any_variable(z).reference + next(z, 8) / 7;
        o.others[k] = any_variable(z).reference;
        o.orders[k] = next(z, 4) ? 1 : (int)next(z, 4) - 1;
    }
    for (int k = 0; k < 8; k++)
        o.seed[k] = any_value(z);
    if (next(z, 2))
        o.n_values = o.n;
    if (next(z, 2))
        o.n_results = o.n;
    o.state = z->saved[next(z, MOST_SAVED)];
    return o;
}

/* After `o` has its place. */
static void point(Fuzz *z, Odd *o)
{
    o->of = next(z, 3) ? o->references : NULL;
    o->by = next(z, 3) ? o->others : NULL;
    o->values = next(z, 3) ? o->seed : NULL;
    o->results = next(z, 3) ? o->result : NULL;
    o->order = next(z, 3) ? o->orders : NULL;
}

static Status odd_call_2(Fuzz *z, Odd *o)
{
    const Functions2 *c = &z->f->f2;
    void *i = z->f->instance;
    switch (next(z, 24)) {
    case 0: return c->GetReal(i, o->of, o->n, o->results);
    case 1: return c->GetInteger(i, o->of, o->n, o->results);
    case 2: return c->GetBoolean(i, o->of, o->n, o->results);
    case 3: return c->GetString(i, o->of, o->n, o->results);
    case 4: return c->SetReal(i, o->of, o->n, o->values);
    case 5: return c->SetInteger(i, o->of, o->n, o->values);
    case 6: return c->SetBoolean(i, o->of, o->n, o->values);
    case 7: return c->SetString(i, o->of, o->n, NULL);
    case 8: return c->GetFMUstate(i, NULL);
    case 9: return c->SetFMUstate(i, o->state);
    case 10: return c->FreeFMUstate(i, NULL);
    case 11: return c->SerializedFMUstateSize(i, o->state, o->results);
    case 12: return c->SerializeFMUstate(i, o->state, o->results, o->n);
    case 13: return c->DeSerializeFMUstate(i, o->values, o->n, o->results);
    case 14: return c->GetDirectionalDerivative(i, o->of, o->n, o->by, o->m, o->values, o->results);
    case 15: return c->NewDiscreteStates(i, o->results);
    case 16: return c->CompletedIntegratorStep(i, 1, NULL, NULL);
    case 17: return c->SetContinuousStates(i, o->values, o->n);
    case 18: return c->GetDerivatives(i, o->results, o->n);
    case 19: return c->GetEventIndicators(i, o->results, o->n);
    case 20: return c->GetNominalsOfContinuousStates(i, o->results, o->n);
    case 21: return c->SetRealInputDerivatives(i, o->of, o->n, o->order, o->values);
    case 22: return c->GetRealOutputDerivatives(i, o->of, o->n, o->order, o->results);
    default: return c->SetDebugLogging(i, 0, o->n, NULL);
    }
}

static Status odd_call_3(Fuzz *z, Odd *o)
{
    const Functions3 *c = &z->f->f3;
    void *i = z->f->instance;
    switch (next(z, 32)) {
    case 0: return c->GetFloat64(i, o->of, o->n, o->results, o->n_results);
    case 1: return c->GetInt32(i, o->of, o->n, o->results, o->n_results);
    case 2: return c->GetInt64(i, o->of, o->n, o->results, o->n_results);
    case 3: return c->GetBoolean(i, o->of, o->n, o->results, o->n_results);
    case 4: return c->GetString(i, o->of, o->n, o->results, o->n_results);
    case 5: return c->SetFloat64(i, o->of, o->n, o->values, o->n_values);
    case 6: return c->SetInt32(i, o->of, o->n, o->values, o->n_values);
    case 7: return c->SetInt64(i, o->of, o->n, o->values, o->n_values);
    case 8: return c->SetBoolean(i, o->of, o->n, NULL, o->n_values);
    case 9: return c->SetString(i, o->of, o->n, NULL, o->n_values);
    case 10: return c->GetClock(i, o->of, o->n, o->results);
    case 11: return c->SetClock(i, o->of, o->n, NULL);
    case 12: return c->GetFMUState(i, NULL);
    case 13: return c->SetFMUState(i, o->state);
    case 14: return c->FreeFMUState(i, NULL);
    case 15: return c->SerializedFMUStateSize(i, o->state, o->results);
    case 16: return c->SerializeFMUState(i, o->state, o->results, o->n);
    case 17: return c->DeserializeFMUState(i, o->values, o->n, o->results);
    case 18:
        return c->GetDirectionalDerivative(i, o->of, o->n, o->by, o->m, o->values, o->n_values,
                                           o->results, o->n_results);
    case 19:
        return c->GetAdjointDerivative(i, o->of, o->n, o->by, o->m, o->values, o->n_values,
                                       o->results, o->n_results);
    case 20: return c->UpdateDiscreteStates(i, NULL, NULL, NULL, NULL, NULL, NULL);
    case 21: return c->CompletedIntegratorStep(i, true, NULL, NULL);
    case 22: return c->SetContinuousStates(i, o->values, o->n);
    case 23: return c->GetContinuousStateDerivatives(i, o->results, o->n);
    case 24: return c->GetEventIndicators(i, o->results, o->n);
    case 25: return c->GetNominalsOfContinuousStates(i, o->results, o->n);
    case 26: return c->GetNumberOfEventIndicators(i, o->results);
    case 27: return c->GetOutputDerivatives(i, o->of, o->n, o->order, o->results, o->n_results);
    case 28: return c->DoStep(i, z->time, 0, true, NULL, NULL, NULL, NULL);
    case 29: return c->GetIntervalDecimal(i, o->of, o->n, o->results, NULL);
    case 30: return c->GetNumberOfVariableDependencies(i, o->references[0], o->results);
    default: return c->SetDebugLogging(i, false, o->n, NULL);
    }
}

static bool odd_arguments(Fuzz *z)
{
    Odd o = any_arguments(z);
    point(z, &o);
    return !(z->f->description->version == 2 ? odd_call_2(z, &o) : odd_call_3(z, &o));
}

/* ---- the sequence ---- */

typedef struct Call {
    const char *name;
    bool (*make)(Fuzz *z);
} Call;

#define CALL(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

static const Call common[] = {
    CALL(set_up),      CALL(get),           CALL(set),           CALL(get),
    CALL(set),         CALL(reset),         CALL(restore),       CALL(forget),
    CALL(serialize),   CALL(start_over),    CALL(start_over),    CALL(save),
    CALL(save),        CALL(restore),       CALL(terminate),     CALL(directional),
    CALL(initialized), CALL(odd_arguments), CALL(odd_arguments), {NULL, NULL}};
static const Call of_cs[] = {CALL(step), CALL(step), CALL(step),      CALL(step),
                             CALL(step), CALL(step), CALL(step_mode), {NULL, NULL}};
static const Call of_me[] = {
    CALL(update),         CALL(continuous_mode), CALL(update),          CALL(continuous_mode),
    CALL(set_time),       CALL(set_states),      CALL(get_states),      CALL(get_derivatives),
    CALL(get_indicators), CALL(get_nominals),    CALL(completed),       CALL(event_mode),
    CALL(set_time),       CALL(set_states),      CALL(get_derivatives), {NULL, NULL}};

static uint32_t count(const Call *calls)
{
    uint32_t n = 0;
    while (calls[n].name)
        n++;
    return n;
}

static bool one_call(Fuzz *z, bool trace)
{
    const Call *own = z->f->description->cs ? of_cs : of_me;
    uint32_t n = count(common), k = next(z, n + count(own));
    const Call *call = k < n ? &common[k] : &own[k - n];
    unsigned before = z->f->n_logs;
    if (trace)
        fprintf(stderr, "%s at time %g\n", call->name, z->time);
    bool good = call->make(z);
    if (trace && !good)
        fprintf(stderr, "    failed\n");
    if (good || z->f->n_logs > before)
        return true;
    fprintf(stderr, "%s failed without a reason\n", call->name);
    return false;
}

bool fuzz_calls(Fmu *f, uint32_t seed, int n)
{
    Fuzz *z = calloc(1, sizeof *z);
    *z = (Fuzz){.f = f, .random = seed};
    f->print_logs = false;
    bool good = fmu_instantiate(f, "fuzz");
    for (int k = 0; k < n && good; k++)
        good = one_call(z, getenv("FMI_FUZZ_TRACE") != NULL);
    for (int k = 0; k < MOST_SAVED && good; k++)
        good = !z->saved[k] || fmu_forget(f, &z->saved[k]);
    free(z);
    return good;
}
