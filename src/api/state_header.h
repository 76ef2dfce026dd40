/* The beginning of a saved state: its version, model and options. */
#ifndef API_STATE_HEADER_H
#define API_STATE_HEADER_H

#include "sim/sim.h"

/* Appends a checksum of all bytes, and checks it: reading ends before it. False: damaged. */
void state_seal(Snapshot *p);
bool state_is_sealed(Snapshot *p);

/* Writes it, or checks what was written; false after a message that says what does not fit. */
bool state_header(Context *ctx, Snapshot *p, const char *name, const Plan *plan,
                  const SimOptions *o);

#endif
