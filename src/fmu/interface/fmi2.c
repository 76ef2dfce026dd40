/* FMI 2.0.4. Each function checks the state and the arguments, then calls the common part. The
 * comments of fmu.h state what happens. */
#include "fmu/interface/fmi2.h"

#include "fmu/interface/fmu.h"

#include <stdlib.h>
#include <string.h>

enum { GET = FMU_INITIALIZING | FMU_RUNNING | FMU_TERMINATED };

/* ---- messages ---- */

static void log_message(const Fmu *f, FmuStatus status, const char *category, const char *text)
{
    typedef void Logger(void *, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
    ((Logger *)f->host.logger)(f->host.environment, f->name, (fmi2Status)status, category, "%s",
                               text);
}

/* ---- creation ---- */

FMI_EXPORT const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

FMI_EXPORT const char *fmi2GetVersion(void)
{
    return "2.0";
}

FMI_EXPORT fmi2Status fmi2SetDebugLogging(fmi2Component f, fmi2Boolean on, size_t n,
                                          const fmi2String categories[])
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_set_logging(f, on, n, categories);
}

/* The path of a URI file:///…, with %xx resolved; NULL if it is none, or there is no memory. */
static char *path_of(const char *uri)
{
    const char *from = uri && !strncmp(uri, "file:", 5) ? uri + 5 : NULL;
    if (from && !strncmp(from, "///", 3))
        from += 2;
    else if (from && !strncmp(from, "//localhost/", 12))
        from += 11;
    char *path = from ? malloc(strlen(from) + 1) : NULL;
    char *to = path;
    for (; path && *from; from++) {
        char hex[3] = {0};
        if (*from == '%' && from[1] && from[2]) {
            memcpy(hex, from + 1, 2);
            from += 2;
            *to++ = (char)strtol(hex, NULL, 16);
        } else {
            *to++ = *from;
        }
    }
    if (path)
        *to = 0;
    return path;
}

FMI_EXPORT fmi2Component fmi2Instantiate(fmi2String name, int type, fmi2String guid,
                                         fmi2String resources,
                                         const fmi2CallbackFunctions *functions,
                                         fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible;
    if (!functions)
        return NULL;
    FmuHost host = {functions->componentEnvironment, log_message,
                    (void (*)(void))functions->logger};
    char *path = path_of(resources);
    Fmu *f = fmu_create(name, guid, path, type == fmi2CoSimulation, logging, host);
    free(path);
    return f;
}

FMI_EXPORT void fmi2FreeInstance(fmi2Component f)
{
    fmu_free(f);
}

/* ---- initialization, end ---- */

FMI_EXPORT fmi2Status fmi2SetupExperiment(fmi2Component f, fmi2Boolean tolerance_defined,
                                          double tolerance, double start, fmi2Boolean stop_defined,
                                          double stop)
{
    FMU_BEGIN(f, FMU_INSTANTIATED);
    return fmu_set_times(f, start, stop_defined ? &stop : NULL,
                         tolerance_defined ? &tolerance : NULL);
}

FMI_EXPORT fmi2Status fmi2EnterInitializationMode(fmi2Component f)
{
    FMU_BEGIN(f, FMU_INSTANTIATED);
    return fmu_enter_initialization(f);
}

FMI_EXPORT fmi2Status fmi2ExitInitializationMode(fmi2Component f)
{
    FMU_BEGIN(f, FMU_INITIALIZING);
    return fmu_exit_initialization(f, f->co_simulation ? FMU_STEP : FMU_EVENT);
}

FMI_EXPORT fmi2Status fmi2Terminate(fmi2Component f)
{
    FMU_BEGIN(f, FMU_RUNNING);
    return fmu_terminate(f);
}

FMI_EXPORT fmi2Status fmi2Reset(fmi2Component f)
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_reset(f);
}

/* ---- values ---- */

FMI_EXPORT fmi2Status fmi2GetReal(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                  double values[])
{
    FMU_BEGIN(f, GET);
    return fmu_has_type(f, vr, n, FMU_REAL) ? fmu_get(f, vr, n, values) : FMU_ERROR;
}

static FmuStatus get_whole(Fmu *f, const unsigned *vr, size_t n, FmuType type, int *values)
{
    FmuStatus status = fmu_has_type(f, vr, n, type) ? FMU_OK : FMU_ERROR;
    if (status == FMU_OK && n && !values)
        status = fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    for (size_t i = 0; i < n && status == FMU_OK; i++) {
        double value = 0;
        status = fmu_get(f, &vr[i], 1, &value);
        values[i] = (int)value;
    }
    return status;
}

FMI_EXPORT fmi2Status fmi2GetInteger(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                     int values[])
{
    FMU_BEGIN(f, GET);
    return get_whole(f, vr, n, FMU_INTEGER, values);
}

FMI_EXPORT fmi2Status fmi2GetBoolean(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                     fmi2Boolean values[])
{
    FMU_BEGIN(f, GET);
    return get_whole(f, vr, n, FMU_BOOLEAN, values);
}

FMI_EXPORT fmi2Status fmi2GetString(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                    fmi2String values[])
{
    FMU_BEGIN(f, GET);
    return fmu_get_texts(f, vr, n, values);
}

/* In continuous-time mode only Real inputs can be set. */
FMI_EXPORT fmi2Status fmi2SetReal(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                  const double values[])
{
    FMU_BEGIN(f, FMU_BEFORE | FMU_RUNNING);
    return fmu_has_type(f, vr, n, FMU_REAL) ? fmu_set(f, vr, n, values) : FMU_ERROR;
}

static FmuStatus set_whole(Fmu *f, const unsigned *vr, size_t n, FmuType type, const int *values)
{
    FmuStatus status = fmu_has_type(f, vr, n, type) ? FMU_OK : FMU_ERROR;
    if (status == FMU_OK && n && !values)
        status = fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    double *numbers = status == FMU_OK ? calloc(n + 1, sizeof *numbers) : NULL;
    if (status == FMU_OK && !numbers)
        status = fmu_no_memory(f);
    for (size_t i = 0; i < n && numbers; i++)
        numbers[i] = type == FMU_BOOLEAN ? values[i] != 0 : values[i];
    if (status == FMU_OK)
        status = fmu_set(f, vr, n, numbers);
    free(numbers);
    return status;
}

FMI_EXPORT fmi2Status fmi2SetInteger(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                     const int values[])
{
    FMU_BEGIN(f, FMU_BEFORE | FMU_EVENT | FMU_STEP);
    return set_whole(f, vr, n, FMU_INTEGER, values);
}

FMI_EXPORT fmi2Status fmi2SetBoolean(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                     const fmi2Boolean values[])
{
    FMU_BEGIN(f, FMU_BEFORE | FMU_EVENT | FMU_STEP);
    return set_whole(f, vr, n, FMU_BOOLEAN, values);
}

FMI_EXPORT fmi2Status fmi2SetString(fmi2Component f, const fmi2ValueReference vr[], size_t n,
                                    const fmi2String values[])
{
    (void)values;
    FMU_BEGIN(f, FMU_BEFORE | FMU_EVENT | FMU_STEP);
    return fmu_set_texts(f, vr, n);
}

/* ---- states ---- */

FMI_EXPORT fmi2Status fmi2GetFMUstate(fmi2Component f, fmi2FMUstate *state)
{
    FMU_BEGIN(f, FMU_ANY & ~FMU_FAILED);
    return state ? fmu_save(f, state)
                 : (fmi2Status)fmu_report(f, FMU_ERROR, "%s: no place for the state", f->name);
}

FMI_EXPORT fmi2Status fmi2SetFMUstate(fmi2Component f, fmi2FMUstate state)
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_restore(f, state);
}

FMI_EXPORT fmi2Status fmi2FreeFMUstate(fmi2Component f, fmi2FMUstate *state)
{
    FMU_BEGIN(f, FMU_ANY);
    if (state)
        fmu_free_state(state);
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2SerializedFMUstateSize(fmi2Component f, fmi2FMUstate state, size_t *size)
{
    FMU_BEGIN(f, FMU_ANY);
    if (!state || !size)
        return (fmi2Status)fmu_report(f, FMU_ERROR, "%s: there is no state", f->name);
    *size = fmu_state_size(state);
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2SerializeFMUstate(fmi2Component f, fmi2FMUstate state, char bytes[],
                                            size_t size)
{
    FMU_BEGIN(f, FMU_ANY);
    return fmu_write_state(f, state, bytes, size);
}

FMI_EXPORT fmi2Status fmi2DeSerializeFMUstate(fmi2Component f, const char bytes[], size_t size,
                                              fmi2FMUstate *state)
{
    FMU_BEGIN(f, FMU_ANY);
    return state ? fmu_read_state(f, bytes, size, state)
                 : (fmi2Status)fmu_report(f, FMU_ERROR, "%s: no place for the state", f->name);
}

/* ---- derivatives ---- */

FMI_EXPORT fmi2Status fmi2GetDirectionalDerivative(
    fmi2Component f, const fmi2ValueReference unknowns[], size_t n_unknowns,
    const fmi2ValueReference knowns[], size_t n_knowns, const double seed[], double sensitivity[])
{
    FMU_BEGIN(f, FMU_INITIALIZING | FMU_RUNNING);
    return fmu_directional(f, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

/* ---- model exchange ---- */

/* Whether the instance is one for model exchange. */
static bool exchanges(Fmu *f, const char *call, unsigned states)
{
    if (!fmu_begin(f, call, states))
        return false;
    if (f->co_simulation)
        fmu_report(f, FMU_ERROR, "%s: %s is for model exchange; the instance is for co-simulation",
                   f->name, call);
    return !f->co_simulation;
}

FMI_EXPORT fmi2Status fmi2EnterEventMode(fmi2Component f)
{
    if (!exchanges(f, __func__, FMU_EVENT | FMU_CONTINUOUS))
        return FMU_ERROR;
    f->state = FMU_EVENT;
    f->event_due = true;
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2NewDiscreteStates(fmi2Component f, fmi2EventInfo *info)
{
    FmuEvent event;
    if (!exchanges(f, __func__, FMU_EVENT))
        return FMU_ERROR;
    if (!info)
        return (fmi2Status)fmu_report(f, FMU_ERROR, "%s: no place for the event", f->name);
    FmuStatus status = fmu_update(f, &event);
    *info = (fmi2EventInfo){.terminateSimulation = event.terminated,
                            .valuesOfContinuousStatesChanged = event.restart,
                            .nextEventTimeDefined = event.time_defined,
                            .nextEventTime = event.next_time};
    return status;
}

FMI_EXPORT fmi2Status fmi2EnterContinuousTimeMode(fmi2Component f)
{
    if (!exchanges(f, __func__, FMU_EVENT))
        return FMU_ERROR;
    f->state = FMU_CONTINUOUS;
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2CompletedIntegratorStep(fmi2Component f, fmi2Boolean no_set_state,
                                                  fmi2Boolean *event, fmi2Boolean *terminate)
{
    bool enter, ended;
    (void)no_set_state;
    if (!exchanges(f, __func__, FMU_CONTINUOUS))
        return FMU_ERROR;
    FmuStatus status = fmu_complete_step(f, &enter, &ended);
    if (event)
        *event = enter;
    if (terminate)
        *terminate = ended;
    return status;
}

FMI_EXPORT fmi2Status fmi2SetTime(fmi2Component f, double time)
{
    if (!exchanges(f, __func__, FMU_EVENT | FMU_CONTINUOUS))
        return FMU_ERROR;
    return fmu_set_time(f, time);
}

FMI_EXPORT fmi2Status fmi2SetContinuousStates(fmi2Component f, const double x[], size_t n)
{
    if (!exchanges(f, __func__, FMU_CONTINUOUS))
        return FMU_ERROR;
    return fmu_set_states(f, x, n);
}

static fmi2Status get_vector(Fmu *f, const char *call, unsigned states, FmuVector what,
                             double *values, size_t n)
{
    if (!exchanges(f, call, states))
        return FMU_ERROR;
    return fmu_get_vector(f, what, values, n);
}

FMI_EXPORT fmi2Status fmi2GetContinuousStates(fmi2Component f, double x[], size_t n)
{
    return get_vector(f, __func__, GET, FMU_STATES, x, n);
}

FMI_EXPORT fmi2Status fmi2GetDerivatives(fmi2Component f, double derivatives[], size_t n)
{
    return get_vector(f, __func__, GET, FMU_DERIVATIVES, derivatives, n);
}

FMI_EXPORT fmi2Status fmi2GetEventIndicators(fmi2Component f, double indicators[], size_t n)
{
    return get_vector(f, __func__, GET, FMU_INDICATORS, indicators, n);
}

FMI_EXPORT fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component f, double nominals[],
                                                        size_t n)
{
    return get_vector(f, __func__, FMU_ANY & ~FMU_FAILED, FMU_NOMINALS, nominals, n);
}

/* ---- co-simulation ---- */

/* Whether the instance is one for co-simulation. */
static bool co_simulates(Fmu *f, const char *call, unsigned states)
{
    if (!fmu_begin(f, call, states))
        return false;
    if (!f->co_simulation)
        fmu_report(f, FMU_ERROR, "%s: %s is for co-simulation; the instance is for model exchange",
                   f->name, call);
    return f->co_simulation;
}

FMI_EXPORT fmi2Status fmi2DoStep(fmi2Component f, double from, double size,
                                 fmi2Boolean no_set_state)
{
    (void)no_set_state;
    if (!co_simulates(f, __func__, FMU_STEP))
        return FMU_ERROR;
    FmuStep step = {.from = from, .size = size};
    FmuStatus status = fmu_step(f, &step);
    if (status == FMU_OK && step.terminated && step.reached < from + size)
        return (fmi2Status)fmu_report(f, FMU_DISCARD,
                                      "%s: the model ended the simulation at time "
                                      "%.17g",
                                      f->name, step.reached);
    return status;
}

FMI_EXPORT fmi2Status fmi2CancelStep(fmi2Component f)
{
    return fmu_begin(f, __func__, 0) ? FMU_OK : FMU_ERROR; /* no step is ever pending */
}

FMI_EXPORT fmi2Status fmi2SetRealInputDerivatives(fmi2Component f, const fmi2ValueReference vr[],
                                                  size_t n, const int order[],
                                                  const double values[])
{
    (void)vr;
    (void)order;
    (void)values;
    if (!co_simulates(f, __func__, FMU_BEFORE | FMU_STEP))
        return FMU_ERROR;
    return n ? (fmi2Status)fmu_report(f, FMU_ERROR,
                                      "%s: inputs are constant during a step; their derivatives "
                                      "cannot be set (canInterpolateInputs is false)",
                                      f->name)
             : FMU_OK;
}

FMI_EXPORT fmi2Status fmi2GetRealOutputDerivatives(fmi2Component f, const fmi2ValueReference vr[],
                                                   size_t n, const int order[], double values[])
{
    if (!co_simulates(f, __func__, FMU_STEP | FMU_TERMINATED))
        return FMU_ERROR;
    return fmu_output_derivatives(f, vr, n, order, values);
}

static fmi2Status no_status(Fmu *f, const char *call)
{
    if (!co_simulates(f, call, FMU_STEP | FMU_ENDED))
        return FMU_ERROR;
    return (fmi2Status)fmu_report(f, FMU_DISCARD,
                                  "%s: %s has no such status; steps are complete "
                                  "when fmi2DoStep returns",
                                  f->name, call);
}

FMI_EXPORT fmi2Status fmi2GetStatus(fmi2Component f, int kind, fmi2Status *value)
{
    (void)kind;
    (void)value;
    return no_status(f, __func__);
}

FMI_EXPORT fmi2Status fmi2GetRealStatus(fmi2Component f, int kind, double *value)
{
    if (kind != fmi2LastSuccessfulTime || !value)
        return no_status(f, __func__);
    if (!co_simulates(f, __func__, FMU_STEP | FMU_ENDED))
        return FMU_ERROR;
    *value = f->end_of_step;
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2GetIntegerStatus(fmi2Component f, int kind, int *value)
{
    (void)kind;
    (void)value;
    return no_status(f, __func__);
}

FMI_EXPORT fmi2Status fmi2GetBooleanStatus(fmi2Component f, int kind, fmi2Boolean *value)
{
    if (kind != fmi2Terminated || !value)
        return no_status(f, __func__);
    if (!co_simulates(f, __func__, FMU_STEP | FMU_ENDED))
        return FMU_ERROR;
    *value = f->instance && kairos_instance_terminated(f->instance);
    return FMU_OK;
}

FMI_EXPORT fmi2Status fmi2GetStringStatus(fmi2Component f, int kind, fmi2String *value)
{
    (void)kind;
    (void)value;
    return no_status(f, __func__);
}
