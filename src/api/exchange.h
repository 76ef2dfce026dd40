/* Model exchange on an instance: see sim/exchange.h. For the binary of FMUs.
 *
 * Functions return a status of kairos.h. KAIROS_MODEL_ERROR: the equations cannot be evaluated at
 * this point; the instance stays usable, and the caller may try another point. */
#ifndef API_EXCHANGE_H
#define API_EXCHANGE_H

#include "kairos.h"

#include <stdbool.h>

typedef struct ExchangeEvent {
    bool terminated;
    bool restart; /* the states or the equations of their derivatives have changed */
    double next;  /* time of the next scheduled event; INFINITY: none */
} ExchangeEvent;

/* The text of a String variable, after kairos_get_values gave its value; valid until the next call.
 */
const char *instance_text(const KairosInstance *i, double value);
/* No text is made of events: kairos_last_event stays NULL. */
void instance_ignore_events(KairosInstance *i);
unsigned instance_n_states(const KairosInstance *i);
unsigned instance_n_indicators(const KairosInstance *i);
/* x may be NULL: the states stay. */
int instance_place(KairosInstance *i, double time, const double *x);
/* KAIROS_FAILED if the model does not have the states of its first structure now. */
int instance_check_states(KairosInstance *i);
/* Events so far for which positions of switches were searched. */
uint64_t instance_count_searches(const KairosInstance *i);
int instance_get_states(KairosInstance *i, double *x);
int instance_get_nominals(KairosInstance *i, double *nominals);
int instance_put_input(KairosInstance *i, int variable, double value);
/* kairos_get_values at a point that the caller may give up. */
int instance_get_values(KairosInstance *i, const int *variables, unsigned n, double *values);
int instance_get_derivatives(KairosInstance *i, double *derivatives);
int instance_get_indicators(KairosInstance *i, double *indicators);
int instance_get_tangent(KairosInstance *i, const double *seed, double *sensitivity);
double instance_next_event(KairosInstance *i); /* INFINITY: none is scheduled */
int instance_update(KairosInstance *i, ExchangeEvent *event);
int instance_complete_step(KairosInstance *i, bool *event, bool *terminated);

#endif
