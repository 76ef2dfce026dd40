/* FMI 3.0.2: the types of the standard that the functions of the binary use. */
#ifndef FMU_INTERFACE_FMI3_H
#define FMU_INTERFACE_FMI3_H

#include "fmu/interface/fmu.h"

#include <stdint.h>

#define FMI_EXPORT __attribute__((visibility("default")))

typedef FmuStatus fmi3Status;
typedef uint32_t fmi3ValueReference;
typedef const char *fmi3String;
typedef struct Fmu *fmi3Instance;
typedef struct SavedState *fmi3FMUState;

typedef void fmi3LogMessageCallback(void *environment, fmi3Status status, fmi3String category,
                                    fmi3String message);
typedef void fmi3IntermediateUpdateCallback(void *environment, double time, bool set_requested,
                                            bool get_allowed, bool step_finished,
                                            bool can_return_early, bool *return_requested,
                                            double *return_time);

#endif
