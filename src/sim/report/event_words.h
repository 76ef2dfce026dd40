/* Parts of an event in the words of the model, which the text of the log and the records share.
 * Texts are in Sim.run.scratch. */
#ifndef SIM_REPORT_EVENT_WORDS_H
#define SIM_REPORT_EVENT_WORDS_H

#include "base/text.h"
#include "sim/state/state.h"
#include "structure/plan/description.h"

/* ---- event_words.c ---- */
/* Whether discrete variable i changed and is shown. */
bool event_shows_change(const Sim *s, uint32_t i);
/* The delayed or transported expression. */
char *event_delayed_text(ModeProgram *prog, const DaeRelation *r);
/* "floor(q)" and its value, if the relation counts the steps of such a function; otherwise NULL. */
char *event_floor_text(ModeProgram *prog, const DaeRelation *r, double *value);
/* The value that trigger i took when it triggered the event. Actions of the event may have turned
 * it back since. */
bool event_became(const Sim *s, uint32_t i);
const char *event_mixed_name(MixedMethod method); /* "search" */

/* ---- event_record.c ---- */
EventRecord event_record(Sim *s); /* of the finished event, in Sim.run.scratch */

/* ---- event_json.c: a line of JSON ---- */
void event_put_json(Text *t, const Sources *sources, const EventRecord *record);
/* Places whose relations cause no events on request. */
void event_put_literal_json(Text *t, ModeProgram *prog, const PlanLiteralPlaces *places);

#endif
