/* FMI 3.0.2. Each function checks the state and the arguments, then calls the common part.
 * Variables and arrays are Float64, Int32, Boolean and enumerations (Int64). */
#include "fmu/interface/fmi3.h"

#include "fmu/interface/fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GET = FMU_ANY & ~FMU_FAILED,
    EXCHANGE_GET = FMU_INITIALIZING | FMU_EVENT | FMU_CONTINUOUS | FMU_TERMINATED
};

/* ---- messages ---- */

/* A # begins a value reference in messages of FMI 3; one of the text is doubled. */
static void log_message(const Fmu *f, FmuStatus status, const char *category, const char *text)
{
    char *escaped = malloc(2 * strlen(text) + 1), *to = escaped;
    for (const char *p = text; escaped && *p; p++) {
        *to++ = *p;
        if (*p == '#')
            *to++ = '#';
    }
    if (escaped)
        *to = 0;
    ((fmi3LogMessageCallback *)f->host.logger)(f->host.environment, (fmi3Status)status, category,
                                               escaped ? escaped : "out of memory");
    free(escaped);
}

/* Whether the instance has the kind that the call is for. */
static bool begin_kind(Fmu *f, const char *call, unsigned states, bool co_simulation)
{
    if (!fmu_begin(f, call, states))
        return false;
    if (f->co_simulation != co_simulation)
        fmu_report(f, FMU_ERROR, "%s: %s is for %s", f->name, call,
                   co_simulation ? "co-simulation; the instance is for model exchange"
                                 : "model exchange; the instance is for co-simulation");
    return f->co_simulation == co_simulation;
}

static fmi3Status missing(Fmu *f, const char *what)
{
    return (fmi3Status)fmu_report(f, FMU_ERROR, "%s: the argument for %s is missing", f->name,
                                  what);
}

/* ---- creation ---- */

FMI_EXPORT const char *fmi3GetVersion(void)
{
    return "3.0";
}

FMI_EXPORT fmi3Status fmi3SetDebugLogging(fmi3Instance f, bool on, size_t n,
                                          const fmi3String categories[])
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_set_logging(f, on, n, categories);
}

static Fmu *create(fmi3String name, fmi3String token, fmi3String resources, bool co_simulation,
                   bool logging, void *environment, fmi3LogMessageCallback *logger)
{
    FmuHost host = {environment, log_message, (void (*)(void))logger};
    return fmu_create(name, token, resources, co_simulation, logging, host);
}

FMI_EXPORT fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token,
                                                     fmi3String resources, bool visible,
                                                     bool logging, void *environment,
                                                     fmi3LogMessageCallback *logger)
{
    (void)visible;
    return create(name, token, resources, false, logging, environment, logger);
}

FMI_EXPORT fmi3Instance fmi3InstantiateCoSimulation(
    fmi3String name, fmi3String token, fmi3String resources, bool visible, bool logging,
    bool event_mode, bool early_return, const fmi3ValueReference required[], size_t n_required,
    void *environment, fmi3LogMessageCallback *logger, fmi3IntermediateUpdateCallback *update)
{
    (void)visible;
    (void)required;
    (void)n_required;
    Fmu *f = create(name, token, resources, true, logging, environment, logger);
    if (f) {
        f->event_mode_used = event_mode;
        f->early_return_allowed = early_return;
        f->intermediate_update = (void (*)(void))update;
    }
    return f;
}

FMI_EXPORT fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token,
                                                          fmi3String resources, bool visible,
                                                          bool logging, void *environment,
                                                          fmi3LogMessageCallback *logger,
                                                          void (*clock_update)(void *environment),
                                                          void (*lock)(void), void (*unlock)(void))
{
    (void)token;
    (void)resources;
    (void)visible;
    (void)logging;
    (void)clock_update;
    (void)lock;
    (void)unlock;
    if (logger)
        logger(environment, FMU_ERROR, fmu_categories[2],
               "this FMU has no interface for scheduled execution");
    (void)name;
    return NULL;
}

FMI_EXPORT void fmi3FreeInstance(fmi3Instance f)
{
    fmu_free(f);
}

/* ---- initialization, end ---- */

FMI_EXPORT fmi3Status fmi3EnterInitializationMode(fmi3Instance f, bool tolerance_defined,
                                                  double tolerance, double start, bool stop_defined,
                                                  double stop)
{
    FMU_BEGIN(f, FMU_INSTANTIATED);
    FmuStatus status =
        fmu_set_times(f, start, stop_defined ? &stop : NULL, tolerance_defined ? &tolerance : NULL);
    return status == FMU_OK ? fmu_enter_initialization(f) : status;
}

FMI_EXPORT fmi3Status fmi3ExitInitializationMode(fmi3Instance f)
{
    FMU_BEGIN(f, FMU_INITIALIZING);
    bool steps = f->co_simulation && !f->event_mode_used;
    return fmu_exit_initialization(f, steps ? FMU_STEP : FMU_EVENT);
}

FMI_EXPORT fmi3Status fmi3EnterEventMode(fmi3Instance f)
{
    FMU_BEGIN(f, FMU_EVENT | FMU_CONTINUOUS | FMU_STEP);
    if (f->co_simulation && !f->event_mode_used)
        return (fmi3Status)fmu_report(f, FMU_ERROR,
                                      "%s: fmi3EnterEventMode is not allowed, because the instance "
                                      "was made without event mode",
                                      f->name);
    f->state = FMU_EVENT;
    f->event_due = true;
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3Terminate(fmi3Instance f)
{
    FMU_BEGIN(f, FMU_RUNNING);
    return fmu_terminate(f);
}

FMI_EXPORT fmi3Status fmi3Reset(fmi3Instance f)
{
    FMU_BEGIN(f, FMU_ANY & ~FMU_UPDATING);
    return fmu_reset(f);
}

/* ---- values ---- */

enum { SET = FMU_BEFORE | FMU_RUNNING };

/* Types that no variable of this FMU has. */
static fmi3Status no_such_type(Fmu *f, const char *call, unsigned states, size_t n)
{
    if (!fmu_begin(f, call, states))
        return FMU_ERROR;
    return n ? (fmi3Status)fmu_report(
                   f, FMU_ERROR, "%s: %s: this FMU has no variables of this type", f->name, call)
             : FMU_OK;
}

#define NO_VARIABLES(Type, c_type)                                                                 \
    FMI_EXPORT fmi3Status fmi3Get##Type(fmi3Instance f, const fmi3ValueReference vr[], size_t n,   \
                                        c_type values[], size_t n_values)                          \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)values;                                                                              \
        (void)n_values;                                                                            \
        return no_such_type(f, __func__, GET, n);                                                  \
    }                                                                                              \
    FMI_EXPORT fmi3Status fmi3Set##Type(fmi3Instance f, const fmi3ValueReference vr[], size_t n,   \
                                        const c_type values[], size_t n_values)                    \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)values;                                                                              \
        (void)n_values;                                                                            \
        return no_such_type(f, __func__, SET, n);                                                  \
    }

NO_VARIABLES(Float32, float)
NO_VARIABLES(Int8, int8_t)
NO_VARIABLES(UInt8, uint8_t)
NO_VARIABLES(Int16, int16_t)
NO_VARIABLES(UInt16, uint16_t)
NO_VARIABLES(UInt32, uint32_t)
NO_VARIABLES(UInt64, uint64_t)

FMI_EXPORT fmi3Status fmi3GetString(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                    fmi3String values[], size_t n_values)
{
    FmuScalars s = {0};
    FMU_BEGIN(f, GET);
    bool good = fmu_scalars(f, vr, n, &s) && s.n == n_values;
    if (s.n != n_values)
        fmu_report(f, FMU_ERROR, "%s: the variables have %zu values, not %zu", f->name, s.n,
                   n_values);
    FmuStatus status = good ? fmu_get_texts(f, s.at, s.n, values) : FMU_ERROR;
    free(s.own);
    return status;
}

FMI_EXPORT fmi3Status fmi3SetString(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                    const fmi3String values[], size_t n_values)
{
    (void)values;
    (void)n_values;
    FMU_BEGIN(f, SET);
    return fmu_set_texts(f, vr, n);
}

FMI_EXPORT fmi3Status fmi3GetBinary(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                    size_t sizes[], const uint8_t *values[], size_t n_values)
{
    (void)vr;
    (void)sizes;
    (void)values;
    (void)n_values;
    return no_such_type(f, __func__, GET, n);
}

FMI_EXPORT fmi3Status fmi3SetBinary(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                    const size_t sizes[], const uint8_t *const values[],
                                    size_t n_values)
{
    (void)vr;
    (void)sizes;
    (void)values;
    (void)n_values;
    return no_such_type(f, __func__, SET, n);
}

/* Their value references follow those of event indicators. */
static bool has_clocks(Fmu *f, const fmi3ValueReference *vr, size_t n)
{
    unsigned first = f->n_variables + f->n_indicators;
    for (size_t i = 0; i < n; i++)
        if (!vr || vr[i] < first || vr[i] - first >= f->n_clocks) {
            fmu_report(f, FMU_ERROR, "%s: there is no clock with the value reference %u", f->name,
                       vr ? vr[i] : 0);
            return false;
        }
    return true;
}

FMI_EXPORT fmi3Status fmi3GetClock(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                   bool values[])
{
    FMU_BEGIN(f, FMU_INITIALIZING | FMU_EVENT);
    if (!has_clocks(f, vr, n))
        return FMU_ERROR;
    if (n && !values)
        return missing(f, "the values");
    for (size_t i = 0; i < n; i++)
        values[i] = fmu_clock_ticks(f, vr[i] - f->n_variables - f->n_indicators);
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3SetClock(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                   const bool values[])
{
    (void)values;
    FMU_BEGIN(f, FMU_EVENT);
    if (!has_clocks(f, vr, n))
        return FMU_ERROR;
    return n ? (fmi3Status)fmu_report(f, FMU_ERROR,
                                      "%s: the clocks of the model tick by themselves", f->name)
             : FMU_OK;
}

/* The scalars of the variables, if there is a value for each, and all exist and have the type. To
 * be released in any case. */
static bool begin_values(Fmu *f, const unsigned *vr, size_t n, FmuType type, size_t n_values,
                         const void *values, FmuScalars *s)
{
    if (!fmu_scalars(f, vr, n, s))
        return false;
    if (n_values == s->n && (values || !n))
        return fmu_has_type(f, s->at, s->n, type);
    fmu_report(f, FMU_ERROR, "%s: the variables have %zu values, not %zu", f->name, s->n,
               values ? n_values : (size_t)0);
    return false;
}

static fmi3Status end_values(FmuStatus status, FmuScalars *s)
{
    free(s->own);
    return status;
}

FMI_EXPORT fmi3Status fmi3GetFloat64(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                     double values[], size_t n_values)
{
    FmuScalars s = {0};
    FMU_BEGIN(f, GET);
    bool good = begin_values(f, vr, n, FMU_REAL, n_values, values, &s);
    return end_values(good ? fmu_get(f, s.at, s.n, values) : FMU_ERROR, &s);
}

FMI_EXPORT fmi3Status fmi3SetFloat64(fmi3Instance f, const fmi3ValueReference vr[], size_t n,
                                     const double values[], size_t n_values)
{
    FmuScalars s = {0};
    FMU_BEGIN(f, SET);
    bool good = begin_values(f, vr, n, FMU_REAL, n_values, values, &s);
    return end_values(good ? fmu_set(f, s.at, s.n, values) : FMU_ERROR, &s);
}

#define WHOLE_VARIABLES(Type, c_type, type)                                                        \
    FMI_EXPORT fmi3Status fmi3Get##Type(fmi3Instance f, const fmi3ValueReference vr[], size_t n,   \
                                        c_type values[], size_t n_values)                          \
    {                                                                                              \
        FmuScalars s = {0};                                                                        \
        FMU_BEGIN(f, GET);                                                                         \
        bool good = begin_values(f, vr, n, type, n_values, values, &s);                            \
        FmuStatus status = good ? FMU_OK : FMU_ERROR;                                              \
        for (size_t i = 0; i < s.n && status == FMU_OK; i++) {                                     \
            double value = 0;                                                                      \
            status = fmu_get(f, &s.at[i], 1, &value);                                              \
            values[i] = (c_type)value;                                                             \
        }                                                                                          \
        return end_values(status, &s);                                                             \
    }                                                                                              \
    FMI_EXPORT fmi3Status fmi3Set##Type(fmi3Instance f, const fmi3ValueReference vr[], size_t n,   \
                                        const c_type values[], size_t n_values)                    \
    {                                                                                              \
        FmuScalars s = {0};                                                                        \
        FMU_BEGIN(f, SET & ~FMU_CONTINUOUS);                                                       \
        bool good = begin_values(f, vr, n, type, n_values, values, &s);                            \
        double *numbers = good ? calloc(s.n + 1, sizeof *numbers) : NULL;                          \
        for (size_t i = 0; i < s.n && numbers; i++)                                                \
            numbers[i] = (double)values[i];                                                        \
        FmuStatus status = FMU_ERROR;                                                              \
        if (numbers)                                                                               \
            status = fmu_set(f, s.at, s.n, numbers);                                               \
        else if (good)                                                                             \
            fmu_no_memory(f);                                                                      \
        free(numbers);                                                                             \
        return end_values(status, &s);                                                             \
    }

WHOLE_VARIABLES(Int32, int32_t, FMU_INTEGER)
WHOLE_VARIABLES(Int64, int64_t, FMU_INTEGER)
WHOLE_VARIABLES(Boolean, bool, FMU_BOOLEAN)

/* ---- dependencies, configuration, clocks: not part of this FMU ---- */

static fmi3Status not_part(Fmu *f, const char *call, const char *what)
{
    if (!fmu_begin(f, call, FMU_ANY))
        return FMU_ERROR;
    return (fmi3Status)fmu_report(f, FMU_ERROR, "%s: %s: this FMU has no %s", f->name, call, what);
}

FMI_EXPORT fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance f, fmi3ValueReference vr,
                                                          size_t *n)
{
    (void)vr;
    (void)n;
    return not_part(f, __func__, "dependencies of elements");
}

FMI_EXPORT fmi3Status fmi3GetVariableDependencies(fmi3Instance f, fmi3ValueReference dependent,
                                                  size_t elements[],
                                                  fmi3ValueReference independents[],
                                                  size_t independent_elements[], int kinds[],
                                                  size_t n)
{
    (void)dependent;
    (void)elements;
    (void)independents;
    (void)independent_elements;
    (void)kinds;
    (void)n;
    return not_part(f, __func__, "dependencies of elements");
}

FMI_EXPORT fmi3Status fmi3EnterConfigurationMode(fmi3Instance f)
{
    return not_part(f, __func__, "structural parameters");
}

FMI_EXPORT fmi3Status fmi3ExitConfigurationMode(fmi3Instance f)
{
    return not_part(f, __func__, "structural parameters");
}

#define NO_CLOCKS(name, ...)                                                                       \
    FMI_EXPORT fmi3Status name(fmi3Instance f, const fmi3ValueReference vr[], size_t n,            \
                               __VA_ARGS__)                                                        \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)a;                                                                                   \
        return no_such_type(f, __func__, FMU_ANY, n);                                              \
    }
NO_CLOCKS(fmi3GetShiftDecimal, double a[])
NO_CLOCKS(fmi3SetIntervalDecimal, const double a[])
NO_CLOCKS(fmi3SetShiftDecimal, const double a[])
#undef NO_CLOCKS
#define NO_CLOCKS(name, T, U)                                                                      \
    FMI_EXPORT fmi3Status name(fmi3Instance f, const fmi3ValueReference vr[], size_t n, T a[],     \
                               U b[])                                                              \
    {                                                                                              \
        (void)vr;                                                                                  \
        (void)a;                                                                                   \
        (void)b;                                                                                   \
        return no_such_type(f, __func__, FMU_ANY, n);                                              \
    }
NO_CLOCKS(fmi3GetIntervalDecimal, double, int)
NO_CLOCKS(fmi3GetShiftFraction, uint64_t, uint64_t)
NO_CLOCKS(fmi3SetIntervalFraction, const uint64_t, const uint64_t)
NO_CLOCKS(fmi3SetShiftFraction, const uint64_t, const uint64_t)

FMI_EXPORT fmi3Status fmi3GetIntervalFraction(fmi3Instance f, const fmi3ValueReference vr[],
                                              size_t n, uint64_t counters[], uint64_t resolutions[],
                                              int qualifiers[])
{
    (void)vr;
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    return no_such_type(f, __func__, FMU_ANY, n);
}

FMI_EXPORT fmi3Status fmi3ActivateModelPartition(fmi3Instance f, fmi3ValueReference clock,
                                                 double time)
{
    (void)clock;
    (void)time;
    return not_part(f, __func__, "model partitions");
}

/* ---- states ---- */

FMI_EXPORT fmi3Status fmi3GetFMUState(fmi3Instance f, fmi3FMUState *state)
{
    FMU_BEGIN(f, FMU_ANY & ~FMU_FAILED & ~FMU_UPDATING);
    return state ? fmu_save(f, state) : missing(f, "the state");
}

FMI_EXPORT fmi3Status fmi3SetFMUState(fmi3Instance f, fmi3FMUState state)
{
    FMU_BEGIN(f, FMU_ANY & ~FMU_UPDATING);
    return fmu_restore(f, state);
}

FMI_EXPORT fmi3Status fmi3FreeFMUState(fmi3Instance f, fmi3FMUState *state)
{
    FMU_BEGIN(f, FMU_ANY);
    if (state)
        fmu_free_state(state);
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3SerializedFMUStateSize(fmi3Instance f, fmi3FMUState state, size_t *size)
{
    FMU_BEGIN(f, FMU_ANY);
    if (!state || !size)
        return missing(f, state ? "the size" : "the state");
    *size = fmu_state_size(state);
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3SerializeFMUState(fmi3Instance f, fmi3FMUState state, uint8_t bytes[],
                                            size_t size)
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_write_state(f, state, bytes, size);
}

FMI_EXPORT fmi3Status fmi3DeserializeFMUState(fmi3Instance f, const uint8_t bytes[], size_t size,
                                              fmi3FMUState *state)
{
    FMU_BEGIN(f, FMU_ANY);
    return state ? fmu_read_state(f, bytes, size, state) : missing(f, "the state");
}

/* ---- derivatives ---- */

typedef FmuStatus Derivative(Fmu *f, const unsigned *unknowns, size_t n_unknowns,
                             const unsigned *knowns, size_t n_knowns, const double *seed,
                             double *sensitivity);

/* `forward`: seeds belong to the knowns, otherwise to the unknowns. */
static fmi3Status derivative(Fmu *f, Derivative *compute, bool forward,
                             const fmi3ValueReference *unknowns, size_t n_unknowns,
                             const fmi3ValueReference *knowns, size_t n_knowns, const double *seed,
                             size_t n_seed, double *sensitivity, size_t n_sensitivity)
{
    FmuScalars u = {0}, k = {0};
    FmuStatus status = FMU_ERROR;
    if (fmu_scalars(f, unknowns, n_unknowns, &u) && fmu_scalars(f, knowns, n_knowns, &k)) {
        if (n_seed == (forward ? k.n : u.n) && n_sensitivity == (forward ? u.n : k.n))
            status = compute(f, u.at, u.n, k.at, k.n, seed, sensitivity);
        else
            fmu_report(f, FMU_ERROR, "%s: the numbers of variables and values differ", f->name);
    }
    free(u.own);
    free(k.own);
    return status;
}

FMI_EXPORT fmi3Status fmi3GetDirectionalDerivative(
    fmi3Instance f, const fmi3ValueReference unknowns[], size_t n_unknowns,
    const fmi3ValueReference knowns[], size_t n_knowns, const double seed[], size_t n_seed,
    double sensitivity[], size_t n_sensitivity)
{
    FMU_BEGIN(f, FMU_INITIALIZING | FMU_RUNNING);
    return derivative(f, fmu_directional, true, unknowns, n_unknowns, knowns, n_knowns, seed,
                      n_seed, sensitivity, n_sensitivity);
}

FMI_EXPORT fmi3Status fmi3GetAdjointDerivative(fmi3Instance f, const fmi3ValueReference unknowns[],
                                               size_t n_unknowns, const fmi3ValueReference knowns[],
                                               size_t n_knowns, const double seed[], size_t n_seed,
                                               double sensitivity[], size_t n_sensitivity)
{
    FMU_BEGIN(f, FMU_INITIALIZING | FMU_RUNNING);
    return derivative(f, fmu_adjoint, false, unknowns, n_unknowns, knowns, n_knowns, seed, n_seed,
                      sensitivity, n_sensitivity);
}

/* ---- events ---- */

FMI_EXPORT fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance f)
{
    FMU_BEGIN(f, FMU_INITIALIZING | FMU_EVENT);
    return fmu_ready(f);
}

static void put(bool *to, bool value)
{
    if (to)
        *to = value;
}

/* In co-simulation the engine handles its own events; here inputs that were set take effect. */
FMI_EXPORT fmi3Status fmi3UpdateDiscreteStates(fmi3Instance f, bool *again, bool *terminate,
                                               bool *nominals, bool *states, bool *time_defined,
                                               double *time)
{
    FmuEvent event = {0};
    FMU_BEGIN(f, FMU_EVENT);
    FmuStatus status = f->co_simulation ? fmu_ready(f) : fmu_update(f, &event);
    if (f->co_simulation)
        event.terminated = kairos_instance_terminated(f->instance);
    put(again, false);
    put(terminate, event.terminated);
    put(nominals, false);
    put(states, event.restart);
    put(time_defined, event.time_defined);
    if (time)
        *time = event.next_time;
    return status;
}

/* ---- model exchange ---- */

FMI_EXPORT fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance f)
{
    if (!begin_kind(f, __func__, FMU_EVENT, false))
        return FMU_ERROR;
    f->state = FMU_CONTINUOUS;
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3CompletedIntegratorStep(fmi3Instance f, bool no_set_state, bool *event,
                                                  bool *terminate)
{
    bool enter, ended;
    (void)no_set_state;
    if (!begin_kind(f, __func__, FMU_CONTINUOUS, false))
        return FMU_ERROR;
    FmuStatus status = fmu_complete_step(f, &enter, &ended);
    put(event, enter);
    put(terminate, ended);
    return status;
}

FMI_EXPORT fmi3Status fmi3SetTime(fmi3Instance f, double time)
{
    if (!begin_kind(f, __func__, FMU_EVENT | FMU_CONTINUOUS, false))
        return FMU_ERROR;
    return fmu_set_time(f, time);
}

FMI_EXPORT fmi3Status fmi3SetContinuousStates(fmi3Instance f, const double x[], size_t n)
{
    if (!begin_kind(f, __func__, FMU_CONTINUOUS, false))
        return FMU_ERROR;
    return fmu_set_states(f, x, n);
}

static fmi3Status get_vector(Fmu *f, const char *call, unsigned states, FmuVector what,
                             double *values, size_t n)
{
    if (!begin_kind(f, call, states, false))
        return FMU_ERROR;
    return fmu_get_vector(f, what, values, n);
}

FMI_EXPORT fmi3Status fmi3GetContinuousStates(fmi3Instance f, double x[], size_t n)
{
    return get_vector(f, __func__, EXCHANGE_GET, FMU_STATES, x, n);
}

FMI_EXPORT fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance f, double derivatives[],
                                                        size_t n)
{
    return get_vector(f, __func__, EXCHANGE_GET, FMU_DERIVATIVES, derivatives, n);
}

FMI_EXPORT fmi3Status fmi3GetEventIndicators(fmi3Instance f, double indicators[], size_t n)
{
    return get_vector(f, __func__, EXCHANGE_GET, FMU_INDICATORS, indicators, n);
}

FMI_EXPORT fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance f, double nominals[], size_t n)
{
    return get_vector(f, __func__, GET, FMU_NOMINALS, nominals, n);
}

FMI_EXPORT fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance f, size_t *n)
{
    if (!begin_kind(f, __func__, FMU_ANY, false))
        return FMU_ERROR;
    if (!n)
        return missing(f, "the number");
    *n = f->n_indicators;
    return FMU_OK;
}

FMI_EXPORT fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance f, size_t *n)
{
    if (!begin_kind(f, __func__, FMU_ANY, false))
        return FMU_ERROR;
    if (!n)
        return missing(f, "the number");
    *n = f->n_states;
    return FMU_OK;
}

/* ---- co-simulation ---- */

FMI_EXPORT fmi3Status fmi3EnterStepMode(fmi3Instance f)
{
    if (!begin_kind(f, __func__, FMU_EVENT, true))
        return FMU_ERROR;
    FmuStatus status = fmu_ready(f);
    if (status == FMU_OK)
        f->state = FMU_STEP;
    return status;
}

/* The order of each scalar, from those of the variables. */
static const int *orders_of(Fmu *f, const unsigned *vr, size_t n, const int32_t *orders, int *all)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        FmuScalars one = {0};
        fmu_scalars(f, &vr[i], 1, &one);
        for (size_t k = 0; k < one.n; k++)
            all[at++] = orders[i];
        free(one.own);
    }
    return all;
}

FMI_EXPORT fmi3Status fmi3GetOutputDerivatives(fmi3Instance f, const fmi3ValueReference vr[],
                                               size_t n, const int32_t orders[], double values[],
                                               size_t n_values)
{
    if (!begin_kind(f, __func__, FMU_STEP | FMU_UPDATING | FMU_TERMINATED, true))
        return FMU_ERROR;
    FmuScalars s = {0};
    FmuStatus status = FMU_ERROR;
    int32_t *all = calloc(n_values + 1, sizeof *all);
    if (!all || (n && (!vr || !orders)) || !fmu_scalars(f, vr, n, &s))
        fmu_report(f, FMU_ERROR, "%s: the variables or orders are missing, or there is no memory",
                   f->name);
    else if (s.n != n_values)
        fmu_report(f, FMU_ERROR, "%s: the numbers of variables and values differ", f->name);
    else
        status = fmu_output_derivatives(f, s.at, s.n, orders_of(f, vr, n, orders, all), values);
    free(all);
    return end_values(status, &s);
}

/* The importer's callback at a point inside the step, or at its end. It may ask to return early, at
 * once or at a later time. */
static bool update_intermediate(Fmu *f, double time, double *until)
{
    bool requested = false;
    double at = time;
    f->state = FMU_UPDATING;
    ((fmi3IntermediateUpdateCallback *)f->intermediate_update)(
        f->host.environment, time, false, true, true, f->early_return_allowed, &requested, &at);
    if (f->state == FMU_UPDATING)
        f->state = FMU_STEP;
    if (requested && f->early_return_allowed && at > time && at < *until)
        *until = at;
    return requested && f->early_return_allowed && at <= time;
}

/* Pieces of the step that end at events, as far as the importer wants to know of these. */
static FmuStatus step_in_pieces(Fmu *f, FmuStep *step, double end_time, bool *early)
{
    double until = end_time;
    bool returns = false;
    FmuStatus status = FMU_OK;
    step->stop_at_event = f->intermediate_update || (f->event_mode_used && f->early_return_allowed);
    do {
        step->size = until - step->from;
        status = fmu_step(f, step);
        if (status != FMU_OK || step->terminated)
            break;
        if (f->intermediate_update)
            returns = update_intermediate(f, step->reached, &until);
        returns |= step->event && f->event_mode_used && f->early_return_allowed;
        step->from = f->end_of_step;
    } while (!returns && step->early);
    *early = step->early || until < end_time;
    return status;
}

FMI_EXPORT fmi3Status fmi3DoStep(fmi3Instance f, double from, double size, bool no_set_state,
                                 bool *event_needed, bool *terminate, bool *early_return,
                                 double *last_time)
{
    (void)no_set_state;
    if (!begin_kind(f, __func__, FMU_STEP, true))
        return FMU_ERROR;
    FmuStep step = {.from = from, .size = size};
    bool early = false;
    FmuStatus status = isfinite(from) && size >= 0 && isfinite(size)
                           ? step_in_pieces(f, &step, from + size, &early)
                           : fmu_step(f, &step);
    put(event_needed, step.event && f->event_mode_used);
    put(terminate, step.terminated);
    put(early_return, status == FMU_OK && early);
    if (last_time)
        *last_time = step.terminated ? step.reached : f->end_of_step;
    return status;
}
