#include "fmu.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void __attribute__((format(printf, 1, 2), noreturn)) give_up(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(3);
}

/* ---- descriptions ---- */

static Type type_of(const char *name)
{
    static const struct {
        const char *name;
        Type type;
    } types[] = {{"Real", FLOAT},  {"Float64", FLOAT},    {"Integer", INT32},
                 {"Int32", INT32}, {"Int64", INT64},      {"Boolean", BOOLEAN},
                 {"Clock", CLOCK}, {"Enumeration", INT64}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, name))
            return types[i].type;
    give_up("unknown type '%s'", name);
}

static void add_variable(Description *d, const char *text)
{
    unsigned reference;
    char type[32];
    size_t size;
    if (sscanf(text, "%u %31s %zu", &reference, type, &size) != 3)
        give_up("not a variable: %s", text);
    d->variables = realloc(d->variables, (d->n_variables + 1) * sizeof *d->variables);
    d->variables[d->n_variables++] = (Variable){reference, type_of(type), size};
    d->width += size;
}

static void add_change(Description *d, double time, const char *text)
{
    unsigned reference;
    char type[32];
    double value;
    if (sscanf(text, "%u %31s %lf", &reference, type, &value) != 3)
        give_up("not a change: %s", text);
    d->changes = realloc(d->changes, (d->n_changes + 1) * sizeof *d->changes);
    d->changes[d->n_changes++] = (Change){time, {reference, type_of(type), 1}, value};
}

static void add_known(Description *d, char *text)
{
    char *end;
    size_t n = d->n_knowns++;
    d->knowns = realloc(d->knowns, (n + 1) * sizeof *d->knowns);
    d->state_of = realloc(d->state_of, (n + 1) * sizeof *d->state_of);
    d->known_sizes = realloc(d->known_sizes, (n + 1) * sizeof *d->known_sizes);
    d->knowns[n] = (Reference)strtoul(text, &end, 10);
    d->state_of[n] = strtol(end, &end, 10);
    d->known_sizes[n] = strtoul(end, NULL, 10);
}

static void add_unknown(Description *d, char *text)
{
    char *end;
    size_t n = d->n_unknowns++;
    d->unknowns = realloc(d->unknowns, (n + 1) * sizeof *d->unknowns);
    d->unknown_sizes = realloc(d->unknown_sizes, (n + 1) * sizeof *d->unknown_sizes);
    d->unknowns[n] = (Reference)strtoul(text, &end, 10);
    d->unknown_sizes[n] = strtoul(end, NULL, 10);
    d->unknown_width += d->unknown_sizes[n];
}

static void read_item(Description *d, const char *name, char *text)
{
    char *end = text;
    if (!strcmp(name, "version"))
        d->version = atoi(text);
    else if (!strcmp(name, "kind"))
        d->cs = !strcmp(text, "cs");
    else if (!strcmp(name, "library"))
        snprintf(d->library, sizeof d->library, "%s", text);
    else if (!strcmp(name, "token"))
        snprintf(d->token, sizeof d->token, "%s", text);
    else if (!strcmp(name, "resources"))
        snprintf(d->resources, sizeof d->resources, "%s", text);
    else if (!strcmp(name, "states"))
        d->n_states = strtoul(text, NULL, 10);
    else if (!strcmp(name, "indicators"))
        d->n_indicators = strtoul(text, NULL, 10);
    else if (!strcmp(name, "variable"))
        add_variable(d, text);
    else if (!strcmp(name, "unknown"))
        add_unknown(d, text);
    else if (!strcmp(name, "known"))
        add_known(d, text);
    else if (!strcmp(name, "set"))
        add_change(d, -INFINITY, text);
    else if (!strcmp(name, "at")) {
        double time = strtod(text, &end);
        add_change(d, time, end);
    } else
        give_up("unknown item '%s'", name);
}

Description description_read(const char *path)
{
    Description d = {0};
    char line[8192];
    FILE *f = fopen(path, "r");
    if (!f)
        give_up("cannot read '%s'", path);
    while (fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *text = strchr(line, ' ');
        if (!text)
            give_up("%s: no value: %s", path, line);
        *text = '\0';
        read_item(&d, line, text + 1);
    }
    fclose(f);
    return d;
}

void description_free(Description *d)
{
    free(d->variables);
    free(d->changes);
    free(d->unknowns);
    free(d->knowns);
    free(d->known_sizes);
    free(d->unknown_sizes);
    free(d->state_of);
}

/* ---- loading ---- */

static void find(const Fmu *f, const char *name, bool needed, void *function)
{
    char full[100];
    snprintf(full, sizeof full, "fmi%d%s", f->description->version, name);
    void *found = dlsym(f->library, full);
    if (!found && needed)
        give_up("the library has no function %s", full);
    memcpy(function, &found, sizeof found);
}

#define NEED2(name, result, arguments) find(f, #name, true, &f->f2.name);
#define NEED_CS2(name, result, arguments) find(f, #name, f->description->cs, &f->f2.name);
#define NEED_ME2(name, result, arguments) find(f, #name, !f->description->cs, &f->f2.name);
#define NEED3(name, result, arguments) find(f, #name, true, &f->f3.name);

static void find_functions(Fmu *f)
{
    if (f->description->version == 2) {
        FMI2_COMMON(NEED2)
        FMI2_CS(NEED_CS2)
        FMI2_ME(NEED_ME2)
    } else {
        FMI3(NEED3)
    }
}

void fmu_load(Fmu *f, const Description *d)
{
    *f = (Fmu){.description = d};
    f->library = dlopen(d->library, RTLD_NOW | RTLD_LOCAL);
    if (!f->library)
        give_up("%s", dlerror());
    find_functions(f);
}

void fmu_unload(Fmu *f)
{
    dlclose(f->library);
}

/* ---- calls ---- */

static bool check(Fmu *f, const char *function, Status status)
{
    f->discarded = status == DISCARD;
    if (status != OK && f->print_logs)
        fprintf(stderr, "%s: status %d\n", function, (int)status);
    return status == OK;
}

#define CALL2(name, ...) check(f, "fmi2" #name, f->f2.name(f->instance, __VA_ARGS__))
#define CALL3(name, ...) check(f, "fmi3" #name, f->f3.name(f->instance, __VA_ARGS__))
#define CALL(name, ...)                                                                            \
    (f->description->version == 2 ? CALL2(name, __VA_ARGS__) : CALL3(name, __VA_ARGS__))
#define CALL_ALONE(name)                                                                           \
    (f->description->version == 2 ? check(f, "fmi2" #name, f->f2.name(f->instance))                \
                                  : check(f, "fmi3" #name, f->f3.name(f->instance)))

static void log_message(void *environment, Status status, const char *category, const char *message)
{
    Fmu *f = environment;
    f->n_logs++;
    if (f->print_logs)
        fprintf(stderr, "log %d [%s]: %s\n", (int)status, category, message);
}

static void __attribute__((format(printf, 5, 6)))
log_formatted(void *environment, const char *instance, Status status, const char *category,
              const char *format, ...)
{
    char text[4000];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    (void)instance;
    log_message(environment, status, category, text);
}

static void finish_step(void *environment, Status status)
{
    (void)environment, (void)status;
}

/* An importer may use its own memory functions in FMI 2. */
static void *allocate(size_t n, size_t size)
{
    return calloc(n, size);
}

static void free_memory(void *memory)
{
    free(memory);
}

bool fmu_instantiate(Fmu *f, const char *name)
{
    const Description *d = f->description;
    f->callbacks = (Callbacks2){log_formatted, allocate, free_memory, finish_step, f};
    if (d->version == 2)
        f->instance = f->f2.Instantiate(name, d->cs ? CO_SIMULATION_2 : MODEL_EXCHANGE_2, d->token,
                                        d->resources, &f->callbacks, 0, 0);
    else if (d->cs)
        f->instance =
            f->f3.InstantiateCoSimulation(name, d->token, d->resources, false, false, f->events,
                                          f->events, NULL, 0, f, log_message, NULL);
    else
        f->instance = f->f3.InstantiateModelExchange(name, d->token, d->resources, false, false, f,
                                                     log_message);
    return f->instance != NULL;
}

void fmu_free(Fmu *f)
{
    if (f->instance && f->description->version == 2)
        f->f2.FreeInstance(f->instance);
    else if (f->instance)
        f->f3.FreeInstance(f->instance);
    f->instance = NULL;
}

bool fmu_setup(Fmu *f, double tolerance, double start, const double *stop)
{
    bool given = tolerance > 0;
    double end = stop ? *stop : 0;
    if (f->description->version == 3)
        return CALL3(EnterInitializationMode, given, tolerance, start, stop != NULL, end);
    return CALL2(SetupExperiment, given, tolerance, start, stop != NULL, end) &&
           check(f, "fmi2EnterInitializationMode", f->f2.EnterInitializationMode(f->instance));
}

bool fmu_initialized(Fmu *f)
{
    return CALL_ALONE(ExitInitializationMode);
}

bool fmu_terminate(Fmu *f)
{
    return CALL_ALONE(Terminate);
}

bool fmu_reset(Fmu *f)
{
    return CALL_ALONE(Reset);
}

/* ---- values ---- */

enum { MOST = 4096 }; /* elements of one variable */

#define GET_AS(type, call)                                                                         \
    do {                                                                                           \
        type got[MOST];                                                                            \
        bool good = call;                                                                          \
        for (size_t i = 0; i < v->size; i++)                                                       \
            values[i] = (double)got[i];                                                            \
        return good;                                                                               \
    } while (0)

static bool get2(Fmu *f, const Variable *v, double *values)
{
    const Reference *r = &v->reference;
    switch (v->type) {
    case FLOAT: return CALL2(GetReal, r, 1, values);
    case BOOLEAN: GET_AS(int, CALL2(GetBoolean, r, 1, got));
    default: GET_AS(int, CALL2(GetInteger, r, 1, got));
    }
}

static bool get3(Fmu *f, const Variable *v, double *values)
{
    const Reference *r = &v->reference;
    switch (v->type) {
    case FLOAT: return CALL3(GetFloat64, r, 1, values, v->size);
    case INT32: GET_AS(int32_t, CALL3(GetInt32, r, 1, got, v->size));
    case INT64: GET_AS(int64_t, CALL3(GetInt64, r, 1, got, v->size));
    case BOOLEAN: GET_AS(bool, CALL3(GetBoolean, r, 1, got, v->size));
    default: GET_AS(bool, CALL3(GetClock, r, 1, got));
    }
}

bool fmu_get(Fmu *f, const Variable *v, double *values)
{
    if (v->size > MOST)
        give_up("an array has more than %d elements", MOST);
    return f->description->version == 2 ? get2(f, v, values) : get3(f, v, values);
}

bool fmu_set(Fmu *f, const Variable *v, const double *values)
{
    const Reference *r = &v->reference;
    int whole = fabs(values[0]) <= INT_MAX ? (int)values[0] : 0;
    if (f->description->version == 2)
        return v->type == FLOAT     ? CALL2(SetReal, r, 1, values)
               : v->type == BOOLEAN ? CALL2(SetBoolean, r, 1, &whole)
                                    : CALL2(SetInteger, r, 1, &whole);
    switch (v->type) {
    case FLOAT: return CALL3(SetFloat64, r, 1, values, v->size);
    case INT32: return CALL3(SetInt32, r, 1, &(int32_t){whole}, 1);
    case INT64: return CALL3(SetInt64, r, 1, &(int64_t){whole}, 1);
    case BOOLEAN: return CALL3(SetBoolean, r, 1, &(bool){whole}, 1);
    default: return CALL3(SetClock, r, 1, &(bool){whole});
    }
}

bool fmu_row(Fmu *f, double *values)
{
    const Description *d = f->description;
    size_t at = 0;
    for (size_t i = 0; i < d->n_variables; i++) {
        if (!fmu_get(f, &d->variables[i], values + at))
            return false;
        at += d->variables[i].size;
    }
    return true;
}

/* ---- co-simulation ---- */

/* A step that FMI 2 discards may have ended because the model terminates. */
static bool step2(Fmu *f, double time, double length, Step *s)
{
    int terminated = 0;
    Status status = f->f2.DoStep(f->instance, time, length, 1);
    *s = (Step){.reached = time + length};
    if (status == DISCARD && f->f2.GetBooleanStatus(f->instance, TERMINATED_2, &terminated) == OK &&
        f->f2.GetRealStatus(f->instance, LAST_TIME_2, &s->reached) == OK) {
        s->terminate = terminated;
        return terminated || check(f, "fmi2DoStep", status);
    }
    return check(f, "fmi2DoStep", status);
}

bool fmu_step(Fmu *f, double time, double length, Step *s)
{
    if (f->description->version == 2)
        return step2(f, time, length, s);
    *s = (Step){.reached = NAN};
    return CALL3(DoStep, time, length, true, &s->event, &s->terminate, &s->early, &s->reached);
}

bool fmu_step_mode(Fmu *f)
{
    return check(f, "fmi3EnterStepMode", f->f3.EnterStepMode(f->instance));
}

/* ---- events and model exchange ---- */

bool fmu_event_mode(Fmu *f)
{
    return CALL_ALONE(EnterEventMode);
}

bool fmu_update(Fmu *f, Events *e)
{
    EventInfo2 i = {0};
    if (f->description->version == 3)
        return CALL3(UpdateDiscreteStates, &e->more, &e->terminate, &e->nominals_changed,
                     &e->values_changed, &e->has_next, &e->next);
    bool good = CALL2(NewDiscreteStates, &i);
    *e = (Events){i.more, i.terminate, i.nominals_changed, i.values_changed, i.has_next, i.next};
    return good;
}

bool fmu_continuous_mode(Fmu *f)
{
    return CALL_ALONE(EnterContinuousTimeMode);
}

bool fmu_completed(Fmu *f, bool *event, bool *terminate)
{
    int enter = 0, end = 0;
    if (f->description->version == 3)
        return CALL3(CompletedIntegratorStep, true, event, terminate);
    bool good = CALL2(CompletedIntegratorStep, 1, &enter, &end);
    *event = enter;
    *terminate = end;
    return good;
}

bool fmu_set_time(Fmu *f, double time)
{
    return CALL(SetTime, time);
}

bool fmu_set_states(Fmu *f, const double *x)
{
    return !f->description->n_states || CALL(SetContinuousStates, x, f->description->n_states);
}

bool fmu_get_states(Fmu *f, double *x)
{
    return !f->description->n_states || CALL(GetContinuousStates, x, f->description->n_states);
}

bool fmu_get_derivatives(Fmu *f, double *dx)
{
    size_t n = f->description->n_states;
    return !n || (f->description->version == 2 ? CALL2(GetDerivatives, dx, n)
                                               : CALL3(GetContinuousStateDerivatives, dx, n));
}

bool fmu_get_indicators(Fmu *f, double *z)
{
    size_t n = f->description->n_indicators;
    return !n || CALL(GetEventIndicators, z, n);
}

bool fmu_get_nominals(Fmu *f, double *x)
{
    size_t n = f->description->n_states;
    return !n || CALL(GetNominalsOfContinuousStates, x, n);
}

bool fmu_directional(Fmu *f, const Reference *of, size_t n, size_t n_values, const Reference *by,
                     size_t m, size_t m_values, const double *seed, double *result)
{
    return f->description->version == 2
               ? CALL2(GetDirectionalDerivative, of, n, by, m, seed, result)
               : CALL3(GetDirectionalDerivative, of, n, by, m, seed, m_values, result, n_values);
}

/* ---- states ---- */

#define STATE(name2, name3, ...)                                                                   \
    (f->description->version == 2 ? CALL2(name2, __VA_ARGS__) : CALL3(name3, __VA_ARGS__))

bool fmu_save(Fmu *f, void **state)
{
    *state = NULL;
    return STATE(GetFMUstate, GetFMUState, state) && *state;
}

bool fmu_restore(Fmu *f, void *state)
{
    return STATE(SetFMUstate, SetFMUState, state);
}

bool fmu_forget(Fmu *f, void **state)
{
    return STATE(FreeFMUstate, FreeFMUState, state) && !*state;
}

bool fmu_serialize(Fmu *f, void *state, char **bytes, size_t *size)
{
    *size = 0;
    *bytes = NULL;
    if (!STATE(SerializedFMUstateSize, SerializedFMUStateSize, state, size) || !*size)
        return false;
    *bytes = malloc(*size);
    return f->description->version == 2 ? CALL2(SerializeFMUstate, state, *bytes, *size)
                                        : CALL3(SerializeFMUState, state, (uint8_t *)*bytes, *size);
}

bool fmu_deserialize(Fmu *f, const char *bytes, size_t size, void **state)
{
    *state = NULL;
    return (f->description->version == 2
                ? CALL2(DeSerializeFMUstate, bytes, size, state)
                : CALL3(DeserializeFMUState, (const uint8_t *)bytes, size, state)) &&
           *state;
}
