/* The functions of FMI 2.0 and 3.0 that the importer calls, in our own words.
 *
 * FMI2(X) and FMI3(X) list them: X(name, result, arguments). A library has each function under
 * "fmi2" or "fmi3" and its name. */
#ifndef TESTS_FMI_FMI_H
#define TESTS_FMI_FMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Status { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;

typedef uint32_t Reference; /* of a value */

/* ---- FMI 2 ---- */

typedef struct Callbacks2 {
    void (*log)(void *environment, const char *instance, Status status, const char *category,
                const char *format, ...);
    void *(*allocate)(size_t n, size_t size);
    void (*free)(void *memory);
    void (*step_finished)(void *environment, Status status);
    void *environment;
} Callbacks2;

typedef struct EventInfo2 {
    int more, terminate, nominals_changed, values_changed, has_next;
    double next;
} EventInfo2;

enum { MODEL_EXCHANGE_2, CO_SIMULATION_2 };                   /* types */
enum { STEP_STATUS_2, PENDING_2, LAST_TIME_2, TERMINATED_2 }; /* kinds of status */

#define FMI2_COMMON(X)                                                                             \
    X(GetTypesPlatform, const char *, (void))                                                      \
    X(GetVersion, const char *, (void))                                                            \
    X(SetDebugLogging, Status, (void *, int, size_t, const char *const *))                         \
    X(Instantiate, void *,                                                                         \
      (const char *, int, const char *, const char *, const Callbacks2 *, int, int))               \
    X(FreeInstance, void, (void *))                                                                \
    X(SetupExperiment, Status, (void *, int, double, double, int, double))                         \
    X(EnterInitializationMode, Status, (void *))                                                   \
    X(ExitInitializationMode, Status, (void *))                                                    \
    X(Terminate, Status, (void *))                                                                 \
    X(Reset, Status, (void *))                                                                     \
    X(GetReal, Status, (void *, const Reference *, size_t, double *))                              \
    X(GetInteger, Status, (void *, const Reference *, size_t, int *))                              \
    X(GetBoolean, Status, (void *, const Reference *, size_t, int *))                              \
    X(GetString, Status, (void *, const Reference *, size_t, const char **))                       \
    X(SetReal, Status, (void *, const Reference *, size_t, const double *))                        \
    X(SetInteger, Status, (void *, const Reference *, size_t, const int *))                        \
    X(SetBoolean, Status, (void *, const Reference *, size_t, const int *))                        \
    X(SetString, Status, (void *, const Reference *, size_t, const char *const *))                 \
    X(GetFMUstate, Status, (void *, void **))                                                      \
    X(SetFMUstate, Status, (void *, void *))                                                       \
    X(FreeFMUstate, Status, (void *, void **))                                                     \
    X(SerializedFMUstateSize, Status, (void *, void *, size_t *))                                  \
    X(SerializeFMUstate, Status, (void *, void *, char *, size_t))                                 \
    X(DeSerializeFMUstate, Status, (void *, const char *, size_t, void **))                        \
    X(GetDirectionalDerivative, Status,                                                            \
      (void *, const Reference *, size_t, const Reference *, size_t, const double *, double *))

#define FMI2_ME(X)                                                                                 \
    X(EnterEventMode, Status, (void *))                                                            \
    X(NewDiscreteStates, Status, (void *, EventInfo2 *))                                           \
    X(EnterContinuousTimeMode, Status, (void *))                                                   \
    X(CompletedIntegratorStep, Status, (void *, int, int *, int *))                                \
    X(SetTime, Status, (void *, double))                                                           \
    X(SetContinuousStates, Status, (void *, const double *, size_t))                               \
    X(GetDerivatives, Status, (void *, double *, size_t))                                          \
    X(GetEventIndicators, Status, (void *, double *, size_t))                                      \
    X(GetContinuousStates, Status, (void *, double *, size_t))                                     \
    X(GetNominalsOfContinuousStates, Status, (void *, double *, size_t))

#define FMI2_CS(X)                                                                                 \
    X(SetRealInputDerivatives, Status,                                                             \
      (void *, const Reference *, size_t, const int *, const double *))                            \
    X(GetRealOutputDerivatives, Status,                                                            \
      (void *, const Reference *, size_t, const int *, double *))                                  \
    X(DoStep, Status, (void *, double, double, int))                                               \
    X(CancelStep, Status, (void *))                                                                \
    X(GetStatus, Status, (void *, int, Status *))                                                  \
    X(GetRealStatus, Status, (void *, int, double *))                                              \
    X(GetIntegerStatus, Status, (void *, int, int *))                                              \
    X(GetBooleanStatus, Status, (void *, int, int *))                                              \
    X(GetStringStatus, Status, (void *, int, const char **))

#define FMI2(X) FMI2_COMMON(X) FMI2_ME(X) FMI2_CS(X)

/* ---- FMI 3 ---- */

typedef void (*Log3)(void *environment, Status status, const char *category, const char *message);
typedef void (*Update3)(void *environment, double time, bool set_requested, bool get_allowed,
                        bool step_finished, bool can_return_early, bool *return_early,
                        double *return_time);

#define VALUES3(type) (void *, const Reference *, size_t, type *, size_t)

#define FMI3_COMMON(X)                                                                             \
    X(GetVersion, const char *, (void))                                                            \
    X(SetDebugLogging, Status, (void *, bool, size_t, const char *const *))                        \
    X(FreeInstance, void, (void *))                                                                \
    X(EnterInitializationMode, Status, (void *, bool, double, double, bool, double))               \
    X(ExitInitializationMode, Status, (void *))                                                    \
    X(EnterEventMode, Status, (void *))                                                            \
    X(Terminate, Status, (void *))                                                                 \
    X(Reset, Status, (void *))                                                                     \
    X(GetFloat32, Status, VALUES3(float))                                                          \
    X(GetFloat64, Status, VALUES3(double))                                                         \
    X(GetInt8, Status, VALUES3(int8_t))                                                            \
    X(GetUInt8, Status, VALUES3(uint8_t))                                                          \
    X(GetInt16, Status, VALUES3(int16_t))                                                          \
    X(GetUInt16, Status, VALUES3(uint16_t))                                                        \
    X(GetInt32, Status, VALUES3(int32_t))                                                          \
    X(GetUInt32, Status, VALUES3(uint32_t))                                                        \
    X(GetInt64, Status, VALUES3(int64_t))                                                          \
    X(GetUInt64, Status, VALUES3(uint64_t))                                                        \
    X(GetBoolean, Status, VALUES3(bool))                                                           \
    X(GetString, Status, VALUES3(const char *))                                                    \
    X(GetBinary, Status, (void *, const Reference *, size_t, size_t *, const uint8_t **, size_t))  \
    X(GetClock, Status, (void *, const Reference *, size_t, bool *))                               \
    X(SetFloat32, Status, VALUES3(const float))                                                    \
    X(SetFloat64, Status, VALUES3(const double))                                                   \
    X(SetInt8, Status, VALUES3(const int8_t))                                                      \
    X(SetUInt8, Status, VALUES3(const uint8_t))                                                    \
    X(SetInt16, Status, VALUES3(const int16_t))                                                    \
    X(SetUInt16, Status, VALUES3(const uint16_t))                                                  \
    X(SetInt32, Status, VALUES3(const int32_t))                                                    \
    X(SetUInt32, Status, VALUES3(const uint32_t))                                                  \
    X(SetInt64, Status, VALUES3(const int64_t))                                                    \
    X(SetUInt64, Status, VALUES3(const uint64_t))                                                  \
    X(SetBoolean, Status, VALUES3(const bool))                                                     \
    X(SetString, Status, VALUES3(const char *const))                                               \
    X(SetBinary, Status,                                                                           \
      (void *, const Reference *, size_t, const size_t *, const uint8_t *const *, size_t))         \
    X(SetClock, Status, (void *, const Reference *, size_t, const bool *))                         \
    X(GetNumberOfVariableDependencies, Status, (void *, Reference, size_t *))                      \
    X(GetVariableDependencies, Status,                                                             \
      (void *, Reference, size_t *, Reference *, size_t *, int *, size_t))                         \
    X(GetFMUState, Status, (void *, void **))                                                      \
    X(SetFMUState, Status, (void *, void *))                                                       \
    X(FreeFMUState, Status, (void *, void **))                                                     \
    X(SerializedFMUStateSize, Status, (void *, void *, size_t *))                                  \
    X(SerializeFMUState, Status, (void *, void *, uint8_t *, size_t))                              \
    X(DeserializeFMUState, Status, (void *, const uint8_t *, size_t, void **))                     \
    X(GetDirectionalDerivative, Status,                                                            \
      (void *, const Reference *, size_t, const Reference *, size_t, const double *, size_t,       \
       double *, size_t))                                                                          \
    X(GetAdjointDerivative, Status,                                                                \
      (void *, const Reference *, size_t, const Reference *, size_t, const double *, size_t,       \
       double *, size_t))                                                                          \
    X(EnterConfigurationMode, Status, (void *))                                                    \
    X(ExitConfigurationMode, Status, (void *))                                                     \
    X(GetIntervalDecimal, Status, (void *, const Reference *, size_t, double *, int *))            \
    X(GetIntervalFraction, Status,                                                                 \
      (void *, const Reference *, size_t, uint64_t *, uint64_t *, int *))                          \
    X(GetShiftDecimal, Status, (void *, const Reference *, size_t, double *))                      \
    X(GetShiftFraction, Status, (void *, const Reference *, size_t, uint64_t *, uint64_t *))       \
    X(SetIntervalDecimal, Status, (void *, const Reference *, size_t, const double *))             \
    X(SetIntervalFraction, Status,                                                                 \
      (void *, const Reference *, size_t, const uint64_t *, const uint64_t *))                     \
    X(SetShiftDecimal, Status, (void *, const Reference *, size_t, const double *))                \
    X(SetShiftFraction, Status,                                                                    \
      (void *, const Reference *, size_t, const uint64_t *, const uint64_t *))                     \
    X(EvaluateDiscreteStates, Status, (void *))                                                    \
    X(UpdateDiscreteStates, Status, (void *, bool *, bool *, bool *, bool *, bool *, double *))

#define FMI3_ME(X)                                                                                 \
    X(InstantiateModelExchange, void *,                                                            \
      (const char *, const char *, const char *, bool, bool, void *, Log3))                        \
    X(EnterContinuousTimeMode, Status, (void *))                                                   \
    X(CompletedIntegratorStep, Status, (void *, bool, bool *, bool *))                             \
    X(SetTime, Status, (void *, double))                                                           \
    X(SetContinuousStates, Status, (void *, const double *, size_t))                               \
    X(GetContinuousStateDerivatives, Status, (void *, double *, size_t))                           \
    X(GetEventIndicators, Status, (void *, double *, size_t))                                      \
    X(GetContinuousStates, Status, (void *, double *, size_t))                                     \
    X(GetNominalsOfContinuousStates, Status, (void *, double *, size_t))                           \
    X(GetNumberOfEventIndicators, Status, (void *, size_t *))                                      \
    X(GetNumberOfContinuousStates, Status, (void *, size_t *))

#define FMI3_CS(X)                                                                                 \
    X(InstantiateCoSimulation, void *,                                                             \
      (const char *, const char *, const char *, bool, bool, bool, bool, const Reference *,        \
       size_t, void *, Log3, Update3))                                                             \
    X(EnterStepMode, Status, (void *))                                                             \
    X(GetOutputDerivatives, Status,                                                                \
      (void *, const Reference *, size_t, const int32_t *, double *, size_t))                      \
    X(DoStep, Status, (void *, double, double, bool, bool *, bool *, bool *, double *))

/* A library has these even if the FMU offers no scheduled execution. */
#define FMI3_SE(X)                                                                                 \
    X(InstantiateScheduledExecution, void *,                                                       \
      (const char *, const char *, const char *, bool, bool, void *, Log3, void (*)(void *),       \
       void (*)(void), void (*)(void)))                                                            \
    X(ActivateModelPartition, Status, (void *, Reference, double))

#define FMI3(X) FMI3_COMMON(X) FMI3_ME(X) FMI3_CS(X) FMI3_SE(X)

#define FUNCTION(name, result, arguments) result(*name) arguments;

typedef struct Functions2 {
    FMI2(FUNCTION)
} Functions2;

typedef struct Functions3 {
    FMI3(FUNCTION)
} Functions3;

#undef FUNCTION

#endif
