/* The event log and the statistics of a run.
 *
 * In: a finished event, a finished run. Out: text to SimText.log, JSON to SimText.event. */
#ifndef SIM_REPORT_REPORT_H
#define SIM_REPORT_REPORT_H

#include "sim/state/state.h"

/* ---- event_log.c ---- */
void event_log_write(Sim *s);
void event_log_literal(ModeProgram *prog); /* places whose relations cause no events on request */

/* ---- statistics.c ---- */
void statistics_step(ModeProgram *prog); /* after a step: counts the state that limited it */
/* fired: events that each relation triggered */
void statistics_report(ModeProgram *prog, const uint64_t *fired, const struct Schedule *schedule);
void statistics_blocks(ModeProgram *prog);

#endif
