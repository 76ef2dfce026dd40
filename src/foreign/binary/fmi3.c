/* FMI 3.0: the functions of a binary. */
#include "foreign/binary/binary.h"

typedef void *Instance;
typedef void LogMessage(void *environment, int status, const char *category, const char *message);
typedef void IntermediateUpdate(void *environment, double time, bool set_requested,
                                bool get_allowed, bool step_finished, bool can_return_early,
                                bool *return_requested, double *return_time);

typedef void ClockUpdate(void *environment);
typedef void Preemption(void);

#define ACCESS(X, type, T)                                                                         \
    X(Get##type, "?", int, (Instance, const uint32_t *, size_t, T *, size_t))                      \
    X(Set##type, "?", int, (Instance, const uint32_t *, size_t, T const *, size_t))

/* X(name, mark, result, arguments): the mark is '?' if a binary may lack the function. */
#define FUNCTIONS(X)                                                                               \
    X(InstantiateModelExchange, "?", Instance,                                                     \
      (const char *, const char *, const char *, bool, bool, void *, LogMessage *))                \
    X(InstantiateCoSimulation, "?", Instance,                                                      \
      (const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *, size_t, \
       void *, LogMessage *, IntermediateUpdate *))                                                \
    X(InstantiateScheduledExecution, "?", Instance,                                                \
      (const char *, const char *, const char *, bool, bool, void *, LogMessage *, ClockUpdate *,  \
       Preemption *, Preemption *))                                                                \
    X(FreeInstance, "", void, (Instance))                                                          \
    X(EnterConfigurationMode, "?", int, (Instance))                                                \
    X(ExitConfigurationMode, "?", int, (Instance))                                                 \
    X(EnterInitializationMode, "", int, (Instance, bool, double, double, bool, double))            \
    X(ExitInitializationMode, "", int, (Instance))                                                 \
    X(EnterEventMode, "?", int, (Instance))                                                        \
    X(Terminate, "", int, (Instance))                                                              \
    X(Reset, "", int, (Instance))                                                                  \
    ACCESS(X, Float64, double)                                                                     \
    ACCESS(X, Float32, float)                                                                      \
    ACCESS(X, Int8, int8_t)                                                                        \
    ACCESS(X, UInt8, uint8_t)                                                                      \
    ACCESS(X, Int16, int16_t)                                                                      \
    ACCESS(X, UInt16, uint16_t)                                                                    \
    ACCESS(X, Int32, int32_t)                                                                      \
    ACCESS(X, UInt32, uint32_t)                                                                    \
    ACCESS(X, Int64, int64_t)                                                                      \
    ACCESS(X, UInt64, uint64_t)                                                                    \
    ACCESS(X, Boolean, bool)                                                                       \
    ACCESS(X, String, const char *)                                                                \
    X(GetFMUState, "?", int, (Instance, void **))                                                  \
    X(SetFMUState, "?", int, (Instance, void *))                                                   \
    X(FreeFMUState, "?", int, (Instance, void **))                                                 \
    X(SerializedFMUStateSize, "?", int, (Instance, void *, size_t *))                              \
    X(SerializeFMUState, "?", int, (Instance, void *, char *, size_t))                             \
    X(DeserializeFMUState, "?", int, (Instance, const char *, size_t, void **))                    \
    X(GetDirectionalDerivative, "?", int,                                                          \
      (Instance, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t,       \
       double *, size_t))                                                                          \
    X(UpdateDiscreteStates, "?", int,                                                              \
      (Instance, bool *, bool *, bool *, bool *, bool *, double *))                                \
    X(EnterContinuousTimeMode, "?", int, (Instance))                                               \
    X(CompletedIntegratorStep, "?", int, (Instance, bool, bool *, bool *))                         \
    X(SetTime, "?", int, (Instance, double))                                                       \
    X(SetContinuousStates, "?", int, (Instance, const double *, size_t))                           \
    X(GetContinuousStateDerivatives, "?", int, (Instance, double *, size_t))                       \
    X(GetEventIndicators, "?", int, (Instance, double *, size_t))                                  \
    X(GetContinuousStates, "?", int, (Instance, double *, size_t))                                 \
    X(GetNominalsOfContinuousStates, "?", int, (Instance, double *, size_t))                       \
    X(ActivateModelPartition, "?", int, (Instance, uint32_t, double))                              \
    X(GetClock, "?", int, (Instance, const uint32_t *, size_t, bool *))                            \
    X(SetClock, "?", int, (Instance, const uint32_t *, size_t, const bool *))                      \
    X(GetIntervalDecimal, "?", int, (Instance, const uint32_t *, size_t, double *, int *))         \
    X(EnterStepMode, "?", int, (Instance))                                                         \
    X(DoStep, "?", int, (Instance, double, double, bool, bool *, bool *, bool *, double *))

#define PREFIX "fmi3"
#define SYMBOL "fmi3"
#define GET_DERIVATIVES GetContinuousStateDerivatives
#define GET_NOMINALS GetNominalsOfContinuousStates
#define GET_STATE GetFMUState
#define SET_STATE SetFMUState
#define FREE_STATE FreeFMUState
#define STATE_SIZE SerializedFMUStateSize
#define SERIALIZE SerializeFMUState
#define DESERIALIZE DeserializeFMUState
#include "foreign/binary/version.h"

static void take_log(void *environment, int status, const char *category, const char *message)
{
    if (environment)
        fmi_take_message(environment, status, category, message ? message : "");
}

/* Intervals are asked for after each activation, so nothing has to be done at once. */
static void take_clock_update(void *environment)
{
    (void)environment;
}

/* One partition runs at a time. */
static void ignore_preemption(void) {}

static void create_scheduled(FmiInstance *i)
{
    fmi_doing(i, "fmi3InstantiateScheduledExecution");
    T_InstantiateScheduledExecution f =
        (T_InstantiateScheduledExecution)i->functions[F_InstantiateScheduledExecution];
    i->component = f ? f(i->name, i->d->token, i->place, false, i->log, i, take_log,
                         take_clock_update, ignore_preemption, ignore_preemption)
                     : NULL;
}

static bool create(FmiInstance *i)
{
    if (!i->place)
        i->place = arena_printf(i->arena, "%s/resources/", i->file->folder);
    if (i->kind == FMI_SCHEDULED) {
        create_scheduled(i);
        return i->component;
    }
    if (i->kind == FMI_EXCHANGE) {
        fmi_doing(i, "fmi3InstantiateModelExchange");
        T_InstantiateModelExchange f =
            (T_InstantiateModelExchange)i->functions[F_InstantiateModelExchange];
        i->component = f ? f(i->name, i->d->token, i->place, false, i->log, i, take_log) : NULL;
    } else {
        fmi_doing(i, "fmi3InstantiateCoSimulation");
        T_InstantiateCoSimulation f =
            (T_InstantiateCoSimulation)i->functions[F_InstantiateCoSimulation];
        i->component = f ? f(i->name, i->d->token, i->place, false, i->log, i->event_mode,
                             i->event_mode, NULL, 0, i, take_log, NULL)
                         : NULL;
    }
    return i->component;
}

static FmiStatus enter_initialization(FmiInstance *i, double start, double stop, double tolerance)
{
    return CALL(i, EnterInitializationMode, i->component, tolerance > 0, tolerance, start, true,
                stop);
}

#define CASE(way, T, type, name)                                                                   \
    case type: return CALL(i, way##name, i->component, refs, n, (T)native, n_values)

static FmiStatus get(FmiInstance *i, FmiType type, const uint32_t *refs, size_t n, void *native,
                     size_t n_values)
{
    switch (type) {
        CASE(Get, double *, FMI_FLOAT64, Float64);
        CASE(Get, float *, FMI_FLOAT32, Float32);
        CASE(Get, int8_t *, FMI_INT8, Int8);
        CASE(Get, uint8_t *, FMI_UINT8, UInt8);
        CASE(Get, int16_t *, FMI_INT16, Int16);
        CASE(Get, uint16_t *, FMI_UINT16, UInt16);
        CASE(Get, int32_t *, FMI_INT32, Int32);
        CASE(Get, uint32_t *, FMI_UINT32, UInt32);
        CASE(Get, int64_t *, FMI_INT64, Int64);
        CASE(Get, uint64_t *, FMI_UINT64, UInt64);
        CASE(Get, bool *, FMI_BOOLEAN, Boolean);
        CASE(Get, int64_t *, FMI_ENUMERATION, Int64);
        CASE(Get, const char **, FMI_STRING, String);
    default: return FMI_ERROR;
    }
}

static FmiStatus set(FmiInstance *i, FmiType type, const uint32_t *refs, size_t n,
                     const void *native, size_t n_values)
{
    switch (type) {
        CASE(Set, const double *, FMI_FLOAT64, Float64);
        CASE(Set, const float *, FMI_FLOAT32, Float32);
        CASE(Set, const int8_t *, FMI_INT8, Int8);
        CASE(Set, const uint8_t *, FMI_UINT8, UInt8);
        CASE(Set, const int16_t *, FMI_INT16, Int16);
        CASE(Set, const uint16_t *, FMI_UINT16, UInt16);
        CASE(Set, const int32_t *, FMI_INT32, Int32);
        CASE(Set, const uint32_t *, FMI_UINT32, UInt32);
        CASE(Set, const int64_t *, FMI_INT64, Int64);
        CASE(Set, const uint64_t *, FMI_UINT64, UInt64);
        CASE(Set, const bool *, FMI_BOOLEAN, Boolean);
        CASE(Set, const int64_t *, FMI_ENUMERATION, Int64);
        CASE(Set, const char *const *, FMI_STRING, String);
    default: return FMI_ERROR;
    }
}

static FmiStatus update(FmiInstance *i, FmiEventInfo *info)
{
    *info = (FmiEventInfo){0};
    return CALL(i, UpdateDiscreteStates, i->component, &info->again, &info->terminate,
                &info->nominals_changed, &info->states_changed, &info->has_next, &info->next);
}

static FmiStatus completed(FmiInstance *i, bool *event, bool *ends)
{
    *event = *ends = false;
    return CALL(i, CompletedIntegratorStep, i->component, true, event, ends);
}

static FmiStatus enter_step(FmiInstance *i)
{
    return CALL(i, EnterStepMode, i->component);
}

static FmiStatus step(FmiInstance *i, double t, double h, FmiStepInfo *info)
{
    bool early = false;
    *info = (FmiStepInfo){.reached = t + h};
    double reached = t + h;
    FmiStatus s =
        CALL(i, DoStep, i->component, t, h, true, &info->event, &info->terminate, &early, &reached);
    if (early)
        info->reached = reached;
    return s;
}

/* ---- clocks ---- */

static FmiStatus activate(FmiInstance *i, uint32_t clock, double t)
{
    return CALL(i, ActivateModelPartition, i->component, clock, t);
}

static FmiStatus get_clock(FmiInstance *i, uint32_t clock, bool *ticks)
{
    return CALL(i, GetClock, i->component, &clock, 1, ticks);
}

static FmiStatus set_clock(FmiInstance *i, uint32_t clock)
{
    return CALL(i, SetClock, i->component, &clock, 1, &(bool){true});
}

static FmiStatus get_interval(FmiInstance *i, uint32_t clock, double *interval, int *qualifier)
{
    return CALL(i, GetIntervalDecimal, i->component, &clock, 1, interval, qualifier);
}

static FmiStatus directional(FmiInstance *i, const uint32_t *unknowns, size_t n_unknowns,
                             const uint32_t *knowns, size_t n_knowns, const double *seed,
                             size_t n_seed, double *sensitivity, size_t n_sensitivity)
{
    return CALL(i, GetDirectionalDerivative, i->component, unknowns, n_unknowns, knowns, n_knowns,
                seed, n_seed, sensitivity, n_sensitivity);
}

PASS(enter_configuration, EnterConfigurationMode, (FmiInstance * i), i->component)
PASS(exit_configuration, ExitConfigurationMode, (FmiInstance * i), i->component)

const FmiCalls fmi3_calls = {
    SHARED_CALLS,
    STATE_CALLS,
    .enter_configuration = enter_configuration,
    .exit_configuration = exit_configuration,
    .enter_step = enter_step,
    .activate = activate,
    .get_clock = get_clock,
    .set_clock = set_clock,
    .get_interval = get_interval,
    .boolean_size = 1,
    .enumeration_size = 8,
};
