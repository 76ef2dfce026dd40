/* FMI 1.0: the functions of a binary. Their names begin with the identifier of the model. Model
 * exchange has no event mode, and values of the initialization are those after it. */
#include "foreign/binary/binary.h"

#include <stdio.h>
#include <stdlib.h>

typedef void *Component;
typedef void Logger(Component c, const char *instance, int status, const char *category,
                    const char *message, ...);

typedef struct ExchangeCallbacks {
    Logger *logger;
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *p);
} ExchangeCallbacks;

typedef struct SlaveCallbacks {
    Logger *logger;
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *p);
    void (*step_finished)(Component c, int status);
} SlaveCallbacks;

typedef struct EventInfo {
    char converged, references_changed, states_changed, terminate, has_next;
    double next;
} EventInfo;

#define FUNCTIONS(X)                                                                               \
    X(InstantiateModel, "?", Component, (const char *, const char *, ExchangeCallbacks, char))     \
    X(FreeModelInstance, "?", void, (Component))                                                   \
    X(Initialize, "?", int, (Component, char, double, EventInfo *))                                \
    X(EventUpdate, "?", int, (Component, char, EventInfo *))                                       \
    X(CompletedIntegratorStep, "?", int, (Component, char *))                                      \
    X(SetTime, "?", int, (Component, double))                                                      \
    X(SetContinuousStates, "?", int, (Component, const double *, size_t))                          \
    X(GetDerivatives, "?", int, (Component, double *, size_t))                                     \
    X(GetEventIndicators, "?", int, (Component, double *, size_t))                                 \
    X(GetContinuousStates, "?", int, (Component, double *, size_t))                                \
    X(GetNominalContinuousStates, "?", int, (Component, double *, size_t))                         \
    X(Terminate, "?", int, (Component))                                                            \
    X(InstantiateSlave, "?", Component,                                                            \
      (const char *, const char *, const char *, const char *, double, char, char, SlaveCallbacks, \
       char))                                                                                      \
    X(FreeSlaveInstance, "?", void, (Component))                                                   \
    X(InitializeSlave, "?", int, (Component, double, char, double))                                \
    X(TerminateSlave, "?", int, (Component))                                                       \
    X(ResetSlave, "?", int, (Component))                                                           \
    X(DoStep, "?", int, (Component, double, double, char))                                         \
    X(GetReal, "?", int, (Component, const uint32_t *, size_t, double *))                          \
    X(GetInteger, "?", int, (Component, const uint32_t *, size_t, int *))                          \
    X(GetBoolean, "?", int, (Component, const uint32_t *, size_t, char *))                         \
    X(GetString, "?", int, (Component, const uint32_t *, size_t, const char **))                   \
    X(SetReal, "?", int, (Component, const uint32_t *, size_t, const double *))                    \
    X(SetInteger, "?", int, (Component, const uint32_t *, size_t, const int *))                    \
    X(SetBoolean, "?", int, (Component, const uint32_t *, size_t, const char *))                   \
    X(SetString, "?", int, (Component, const uint32_t *, size_t, const char *const *))

#define PREFIX "fmi"
#define SYMBOL "_fmi"
#define GET_DERIVATIVES GetDerivatives
#define GET_NOMINALS GetNominalContinuousStates
#define ONE_INTEGER_TYPE
#include "foreign/binary/version.h"

static bool bind(FmiInstance *i)
{
    int needed = i->kind == FMI_EXCHANGE ? F_InstantiateModel : F_InstantiateSlave;
    fmi_bind(i, i->interface->identifier, function_names, N_FUNCTIONS);
    if (i->functions[needed])
        return true;
    i->failure = arena_printf(i->arena, "the binary has no function %s%s", i->interface->identifier,
                              function_names[needed] + 1);
    return false;
}

/* The component is the first argument and knows nothing of its importer, so the messages of FMI 1
 * are not kept. */
static void take_log(Component c, const char *instance, int status, const char *category,
                     const char *message, ...)
{
    (void)c, (void)instance, (void)status, (void)category, (void)message;
}

static bool create(FmiInstance *i)
{
    if (i->kind == FMI_EXCHANGE) {
        fmi_doing(i, "fmiInstantiateModel");
        i->component = ((T_InstantiateModel)i->functions[F_InstantiateModel])(
            i->name, i->d->token, (ExchangeCallbacks){take_log, calloc, free}, 0);
    } else {
        if (!i->place)
            i->place = arena_printf(i->arena, "file://%s", i->file->folder);
        fmi_doing(i, "fmiInstantiateSlave");
        i->component = ((T_InstantiateSlave)i->functions[F_InstantiateSlave])(
            i->name, i->d->token, i->place, "application/x-fmu-sharedlibrary", 0, 0, 0,
            (SlaveCallbacks){take_log, calloc, free, NULL}, 0);
    }
    return i->component;
}

static void destroy(FmiInstance *i)
{
    int which = i->kind == FMI_EXCHANGE ? F_FreeModelInstance : F_FreeSlaveInstance;
    fmi_doing(i, i->kind == FMI_EXCHANGE ? "fmiFreeModelInstance" : "fmiFreeSlaveInstance");
    if (i->functions[which])
        ((T_FreeModelInstance)i->functions[which])(i->component);
}

/* Model exchange has none. */
static FmiStatus reset(FmiInstance *i)
{
    return i->kind == FMI_CO_SIMULATION ? CALL(i, ResetSlave, i->component) : FMI_ERROR;
}

static FmiEventInfo event_info(const EventInfo *e)
{
    return (FmiEventInfo){.again = !e->converged,
                          .terminate = e->terminate,
                          .states_changed = e->states_changed,
                          .has_next = e->has_next,
                          .next = e->next};
}

/* Values are set until exit_initialization, which initializes. */
static FmiStatus enter_initialization(FmiInstance *i, double start, double stop, double tolerance)
{
    i->start = start;
    i->stop = stop;
    i->tolerance = tolerance;
    return i->kind == FMI_EXCHANGE ? CALL(i, SetTime, i->component, start) : FMI_OK;
}

static FmiStatus exit_initialization(FmiInstance *i)
{
    if (i->kind == FMI_CO_SIMULATION)
        return CALL(i, InitializeSlave, i->component, i->start, 1, i->stop);
    EventInfo e = {0};
    FmiStatus s = CALL(i, Initialize, i->component, (char)(i->tolerance > 0), i->tolerance, &e);
    i->first = event_info(&e);
    i->first.states_changed = true;
    i->first.again = false;
    i->event_mode = true; /* the first update asks for these */
    return s;
}

static FmiStatus terminate(FmiInstance *i)
{
    return i->kind == FMI_EXCHANGE ? CALL(i, Terminate, i->component)
                                   : CALL(i, TerminateSlave, i->component);
}

static FmiStatus nothing(FmiInstance *i)
{
    (void)i;
    return FMI_OK;
}

static FmiStatus update(FmiInstance *i, FmiEventInfo *info)
{
    if (i->event_mode) { /* the event of the initialization is over */
        i->event_mode = false;
        *info = i->first;
        return FMI_OK;
    }
    EventInfo e = {0};
    FmiStatus s = CALL(i, EventUpdate, i->component, 0, &e);
    *info = event_info(&e);
    return s;
}

static FmiStatus completed(FmiInstance *i, bool *event, bool *ends)
{
    char call = 0;
    FmiStatus s = CALL(i, CompletedIntegratorStep, i->component, &call);
    *event = call;
    *ends = false;
    return s;
}

static FmiStatus step(FmiInstance *i, double t, double h, FmiStepInfo *info)
{
    *info = (FmiStepInfo){.reached = t + h};
    return CALL(i, DoStep, i->component, t, h, 1);
}

const FmiCalls fmi1_calls = {
    SHARED_CALLS,      .enter_event = nothing, .enter_continuous = nothing,
    .boolean_size = 1, .enumeration_size = 4,
};
