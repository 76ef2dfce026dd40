/* The beginning of a saved state: its version, model and options. */
#ifndef API_STATE_HEADER_H
#define API_STATE_HEADER_H

#include "kairos.h"
#include "sim/sim.h"

/* Appends a checksum of all bytes, and checks it: reading ends before it. False: damaged. */
void state_seal(Snapshot *p);
bool state_is_sealed(Snapshot *p);

typedef struct StateOf {
    const char *name; /* of the model */
    const Plan *plan;
    const SimOptions *options;
    uint64_t model_hash; /* of the plan, kept for the next state; 0: not computed yet */
    /* of a run; none for an instance, which takes all values from the state */
    const KairosSetting *settings;
    size_t n_settings;
} StateOf;

/* Writes it, or checks what was written; false after a message that says what does not fit. */
bool state_header(Context *ctx, Snapshot *p, StateOf *of);

#endif
