/* Shared by the files of versions, which define before they include it:
 *   FUNCTIONS(X)     X(name, mark, result, arguments); the mark is "?" if a binary may lack it
 *   PREFIX, SYMBOL   of the functions, as messages name them and as binaries have them
 *   GET_DERIVATIVES, GET_NOMINALS   names of two functions that differ
 *   GET_STATE, SET_STATE, FREE_STATE, STATE_SIZE, SERIALIZE, DESERIALIZE   unless in FMI 1
 *   ONE_INTEGER_TYPE if there are Reals, Integers, Booleans and Strings only
 * It is no header with a contract of its own: each file gets its own static functions. */
enum {
#define X(name, mark, result, arguments) F_##name,
    FUNCTIONS(X)
#undef X
        N_FUNCTIONS
};
#define X(name, mark, result, arguments) typedef result(*T_##name) arguments;
FUNCTIONS(X)
#undef X

static const char *const function_names[] = {
#define X(name, mark, result, arguments) mark SYMBOL #name,
    FUNCTIONS(X)
#undef X
};

#define CALL(i, name, ...) CALL_(i, name, __VA_ARGS__)
#define CALL_(i, name, ...)                                                                        \
    (fmi_doing((i), PREFIX #name),                                                                 \
     (i)->functions[F_##name] ? (FmiStatus)((T_##name)(i)->functions[F_##name])(__VA_ARGS__)       \
                              : FMI_ERROR)

/* A function that only passes its arguments on. */
#define PASS(function, name, parameters, ...)                                                      \
    static FmiStatus function parameters                                                           \
    {                                                                                              \
        return CALL(i, name, __VA_ARGS__);                                                         \
    }

PASS(set_time, SetTime, (FmiInstance * i, double t), i->component, t)
PASS(set_states, SetContinuousStates, (FmiInstance * i, const double *x, size_t n), i->component, x,
     n)
PASS(get_states, GetContinuousStates, (FmiInstance * i, double *x, size_t n), i->component, x, n)
PASS(get_derivatives, GET_DERIVATIVES, (FmiInstance * i, double *x, size_t n), i->component, x, n)
PASS(get_indicators, GetEventIndicators, (FmiInstance * i, double *z, size_t n), i->component, z, n)
PASS(get_nominals, GET_NOMINALS, (FmiInstance * i, double *x, size_t n), i->component, x, n)

#ifdef GET_STATE
static bool bind(FmiInstance *i)
{
    return fmi_bind(i, "", function_names, N_FUNCTIONS);
}

static void destroy(FmiInstance *i)
{
    fmi_doing(i, PREFIX "FreeInstance");
    ((T_FreeInstance)i->functions[F_FreeInstance])(i->component);
}

PASS(reset, Reset, (FmiInstance * i), i->component)
PASS(exit_initialization, ExitInitializationMode, (FmiInstance * i), i->component)
PASS(terminate, Terminate, (FmiInstance * i), i->component)
PASS(enter_event, EnterEventMode, (FmiInstance * i), i->component)
PASS(enter_continuous, EnterContinuousTimeMode, (FmiInstance * i), i->component)
PASS(save, GET_STATE, (FmiInstance * i, void **state), i->component, state)
PASS(restore, SET_STATE, (FmiInstance * i, void *state), i->component, state)
PASS(drop, FREE_STATE, (FmiInstance * i, void **state), i->component, state)
PASS(state_size, STATE_SIZE, (FmiInstance * i, void *state, size_t *n), i->component, state, n)
PASS(serialise, SERIALIZE, (FmiInstance * i, void *state, char *bytes, size_t n), i->component,
     state, bytes, n)
PASS(deserialise, DESERIALIZE, (FmiInstance * i, const char *bytes, size_t n, void **state),
     i->component, bytes, n, state)
#endif

#ifdef ONE_INTEGER_TYPE
#define ACCESS_VALUES(function, Name, pointer)                                                     \
    static FmiStatus function(FmiInstance *i, FmiType type, const uint32_t *refs, size_t n,        \
                              pointer native, size_t n_values)                                     \
    {                                                                                              \
        (void)n_values;                                                                            \
        switch (type) {                                                                            \
        case FMI_FLOAT64: return CALL(i, Name##Real, i->component, refs, n, native);               \
        case FMI_BOOLEAN: return CALL(i, Name##Boolean, i->component, refs, n, native);            \
        case FMI_STRING: return CALL(i, Name##String, i->component, refs, n, native);              \
        default: return CALL(i, Name##Integer, i->component, refs, n, native);                     \
        }                                                                                          \
    }
ACCESS_VALUES(get, Get, void *)
ACCESS_VALUES(set, Set, const void *)
#endif

/* The entries of FmiCalls that all versions have. */
#define SHARED_CALLS                                                                               \
    .bind = bind, .create = create, .destroy = destroy, .reset = reset,                            \
    .enter_initialization = enter_initialization, .exit_initialization = exit_initialization,      \
    .terminate = terminate, .get = get, .set = set, .update = update, .completed = completed,      \
    .set_time = set_time, .set_states = set_states, .get_states = get_states,                      \
    .get_derivatives = get_derivatives, .get_indicators = get_indicators,                          \
    .get_nominals = get_nominals, .step = step
/* and those of versions with states that can be saved */
#define STATE_CALLS                                                                                \
    .enter_event = enter_event, .enter_continuous = enter_continuous, .save = save,                \
    .restore = restore, .drop = drop, .state_size = state_size, .serialise = serialise,            \
    .deserialise = deserialise, .directional = directional
