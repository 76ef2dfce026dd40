/* Rows of a profile while the run goes on; shared by the files of this room. */
#ifndef SIM_PROFILE_ROWS_H
#define SIM_PROFILE_ROWS_H

#include "base/names.h"
#include "sim/profile/profile.h"

typedef struct RunRows {
    VEC(ProfileRow) list;
    Map by_name; /* row of an interned name */
} RunRows;

struct RunProfile {
    Names *names;
    RunRows blocks, states, modes;
    double *trigger_seconds; /* per relation, then per clock; NULL before the first event */
};

#endif
