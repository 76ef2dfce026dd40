/* FMI 2.0.4: the functions and types of the standard that the binary of an FMU has. */
#ifndef FMU_INTERFACE_FMI2_H
#define FMU_INTERFACE_FMI2_H

#include "fmu/interface/fmu.h"

#define FMI_EXPORT __attribute__((visibility("default")))

typedef FmuStatus fmi2Status; /* pending, 5, is never returned */
typedef unsigned fmi2ValueReference;
typedef int fmi2Boolean;
typedef const char *fmi2String;
typedef struct Fmu *fmi2Component;
typedef struct SavedState *fmi2FMUstate;

typedef struct fmi2CallbackFunctions {
    void (*logger)(void *environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String message, ...);
    void *(*allocateMemory)(size_t n, size_t size);
    void (*freeMemory)(void *p);
    void (*stepFinished)(void *environment, fmi2Status status);
    void *componentEnvironment;
} fmi2CallbackFunctions;

typedef struct fmi2EventInfo {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation;
    fmi2Boolean nominalsOfContinuousStatesChanged, valuesOfContinuousStatesChanged;
    fmi2Boolean nextEventTimeDefined;
    double nextEventTime;
} fmi2EventInfo;

enum { fmi2ModelExchange, fmi2CoSimulation };
enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated };

#endif
