/* FMI 2.0: the functions of a binary. */
#include "foreign/binary/binary.h"

#include <stdio.h>
#include <stdlib.h>

typedef void *Component;
typedef struct Callbacks {
    void (*logger)(void *environment, const char *instance, int status, const char *category,
                   const char *message, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*release)(void *p);
    void (*step_finished)(void *environment, int status);
    void *environment;
} Callbacks;

typedef struct EventInfo {
    int again, terminate, nominals_changed, states_changed, has_next;
    double next;
} EventInfo;

/* X(name, result, arguments): name begins with '?' if a binary may lack it. */
#define FUNCTIONS(X)                                                                               \
    X(Instantiate, "", Component,                                                                  \
      (const char *, int, const char *, const char *, const Callbacks *, int, int))                \
    X(FreeInstance, "", void, (Component))                                                         \
    X(SetupExperiment, "", int, (Component, int, double, double, int, double))                     \
    X(EnterInitializationMode, "", int, (Component))                                               \
    X(ExitInitializationMode, "", int, (Component))                                                \
    X(Terminate, "", int, (Component))                                                             \
    X(Reset, "", int, (Component))                                                                 \
    X(GetReal, "", int, (Component, const uint32_t *, size_t, double *))                           \
    X(GetInteger, "", int, (Component, const uint32_t *, size_t, int *))                           \
    X(GetBoolean, "", int, (Component, const uint32_t *, size_t, int *))                           \
    X(GetString, "", int, (Component, const uint32_t *, size_t, const char **))                    \
    X(SetReal, "", int, (Component, const uint32_t *, size_t, const double *))                     \
    X(SetInteger, "", int, (Component, const uint32_t *, size_t, const int *))                     \
    X(SetBoolean, "", int, (Component, const uint32_t *, size_t, const int *))                     \
    X(SetString, "", int, (Component, const uint32_t *, size_t, const char *const *))              \
    X(GetFMUstate, "?", int, (Component, void **))                                                 \
    X(SetFMUstate, "?", int, (Component, void *))                                                  \
    X(FreeFMUstate, "?", int, (Component, void **))                                                \
    X(SerializedFMUstateSize, "?", int, (Component, void *, size_t *))                             \
    X(SerializeFMUstate, "?", int, (Component, void *, char *, size_t))                            \
    X(DeSerializeFMUstate, "?", int, (Component, const char *, size_t, void **))                   \
    X(GetDirectionalDerivative, "?", int,                                                          \
      (Component, const uint32_t *, size_t, const uint32_t *, size_t, const double *, double *))   \
    X(EnterEventMode, "?", int, (Component))                                                       \
    X(NewDiscreteStates, "?", int, (Component, EventInfo *))                                       \
    X(EnterContinuousTimeMode, "?", int, (Component))                                              \
    X(CompletedIntegratorStep, "?", int, (Component, int, int *, int *))                           \
    X(SetTime, "?", int, (Component, double))                                                      \
    X(SetContinuousStates, "?", int, (Component, const double *, size_t))                          \
    X(GetDerivatives, "?", int, (Component, double *, size_t))                                     \
    X(GetEventIndicators, "?", int, (Component, double *, size_t))                                 \
    X(GetContinuousStates, "?", int, (Component, double *, size_t))                                \
    X(GetNominalsOfContinuousStates, "?", int, (Component, double *, size_t))                      \
    X(DoStep, "?", int, (Component, double, double, int))                                          \
    X(GetBooleanStatus, "?", int, (Component, int, int *))                                         \
    X(GetRealStatus, "?", int, (Component, int, double *))

#define PREFIX "fmi2"
#define SYMBOL "fmi2"
#define GET_DERIVATIVES GetDerivatives
#define GET_NOMINALS GetNominalsOfContinuousStates
#define GET_STATE GetFMUstate
#define SET_STATE SetFMUstate
#define FREE_STATE FreeFMUstate
#define STATE_SIZE SerializedFMUstateSize
#define SERIALIZE SerializeFMUstate
#define DESERIALIZE DeSerializeFMUstate
#define ONE_INTEGER_TYPE
#include "foreign/binary/version.h"

static void take_log(void *environment, const char *instance, int status, const char *category,
                     const char *format, ...)
{
    (void)instance;
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format ? format : "", args);
    va_end(args);
    if (environment)
        fmi_take_message(environment, status, category, text);
}

static bool create(FmiInstance *i)
{
    Callbacks *c = i->callbacks ? i->callbacks : ARENA_NEW(i->arena, Callbacks);
    *c = (Callbacks){take_log, calloc, free, NULL, i};
    i->callbacks = c;
    if (!i->place)
        i->place = arena_printf(i->arena, "file://%s/resources", i->file->folder);
    fmi_doing(i, "fmi2Instantiate");
    i->component = ((T_Instantiate)i->functions[F_Instantiate])(
        i->name, i->kind == FMI_EXCHANGE ? 0 : 1, i->d->token, i->place, c, 0, i->log);
    return i->component;
}

static FmiStatus enter_initialization(FmiInstance *i, double start, double stop, double tolerance)
{
    FmiStatus s = CALL(i, SetupExperiment, i->component, tolerance > 0, tolerance, start, 1, stop);
    return fmi_good(s) ? CALL(i, EnterInitializationMode, i->component) : s;
}

/* ---- model exchange ---- */

static FmiStatus update(FmiInstance *i, FmiEventInfo *info)
{
    EventInfo e = {0};
    FmiStatus s = CALL(i, NewDiscreteStates, i->component, &e);
    *info = (FmiEventInfo){e.again,          e.terminate, e.nominals_changed,
                           e.states_changed, e.has_next,  e.next};
    return s;
}

static FmiStatus completed(FmiInstance *i, bool *event, bool *ends)
{
    int enter = 0, stop = 0;
    FmiStatus s = CALL(i, CompletedIntegratorStep, i->component, 1, &enter, &stop);
    *event = enter;
    *ends = stop;
    return s;
}

/* ---- co-simulation ---- */

enum { STATUS_LAST_TIME = 2, STATUS_TERMINATED = 3 };

/* The time at which the FMU has ended the simulation in a step; the end of the step if unknown. */
static double time_of_end(FmiInstance *i, double t, double h)
{
    double last = t + h;
    bool known = CALL(i, GetRealStatus, i->component, STATUS_LAST_TIME, &last) == FMI_OK;
    return known && last >= t && last <= t + h ? last : t + h;
}

static FmiStatus step(FmiInstance *i, double t, double h, FmiStepInfo *info)
{
    *info = (FmiStepInfo){.reached = t + h};
    FmiStatus s = CALL(i, DoStep, i->component, t, h, 1);
    if (s == FMI_DISCARD) { /* the FMU may have ended the simulation */
        int ends = 0;
        if (CALL(i, GetBooleanStatus, i->component, STATUS_TERMINATED, &ends) == FMI_OK && ends) {
            info->terminate = true;
            info->reached = time_of_end(i, t, h);
            return FMI_OK;
        }
        fmi_doing(i, "fmi2DoStep");
    }
    return s;
}

/* ---- derivatives ---- */

static FmiStatus directional(FmiInstance *i, const uint32_t *unknowns, size_t n_unknowns,
                             const uint32_t *knowns, size_t n_knowns, const double *seed,
                             size_t n_seed, double *sensitivity, size_t n_sensitivity)
{
    (void)n_seed, (void)n_sensitivity; /* arrays are not one variable in this version */
    return CALL(i, GetDirectionalDerivative, i->component, unknowns, n_unknowns, knowns, n_knowns,
                seed, sensitivity);
}

const FmiCalls fmi2_calls = {
    SHARED_CALLS,
    STATE_CALLS,
    .boolean_size = 4,
    .enumeration_size = 4,
};
