/* Infinitely many events: how they are recognised, and the motion that replaces them.
 *
 * In: events and their triggers. Out: a surface that is held (sliding along it after Filippov, or
 * rest after impacts), and evaluations mixed from both sides (ModeProgram.mixed). While events are
 * dense, a one-step method integrates. Called by modes/ and by the run. */
#ifndef SIM_SLIDING_SLIDING_H
#define SIM_SLIDING_SLIDING_H

#include "sim/state/state.h"

struct Locator;
struct Snapshot;

/* ---- accumulation.c ---- */
/* Counts the event against accumulation and chattering; width: how far z of its relations went
 * since the last one, in ε. */
bool event_count(Sim *s, double width);
/* After the event: begins to hold a surface if requested; false: the run ends. */
bool event_continue(Sim *s);

/* ---- fallback_solver.c ---- */
void fallback_create(ModeProgram *prog);
void fallback_destroy(ModeProgram *prog);
void fallback_enter(ModeProgram *prog);
void fallback_leave(ModeProgram *prog);
bool fallback_suits(const ModeProgram *prog); /* false: it is explicit, and the motion stiff */
void fallback_become_implicit(ModeProgram *prog);
void fallback_end(ModeProgram *prog); /* leaves, unless during a flight */
double fallback_limit(ModeProgram *prog, const struct Locator *l); /* the longest step now */
/* Whether an excursion of `width` ε is so small that only a one-step method resolves it to so many
 * tolerances. */
bool fallback_needed(const ModeProgram *prog, double gap, double width, double tolerances);
/* The motion leaves the surface of a relation. Near the surface the one-step method is used, which
 * keeps the chosen side. */
void fallback_departure(ModeProgram *prog, uint32_t relation);
/* Events of a relation are too small for the tolerance: the one-step method resolves them. */
void fallback_for_small_events(ModeProgram *prog, double gap);
/* A flight leads back to a surface after `length`, `width` ε from it at most. */
void fallback_flight(ModeProgram *prog, double length, double width);
/* Whether the usual solver uses only f(t, x), which a held surface changes; open blocks and stages
 * ignore it. */
bool solver_reads_derivatives_only(const ModeProgram *prog);

/* ---- impact.c ---- */
enum { IMPACT_NEAR = 1000 }; /* in units of ε: a state this near to a surface touches it */
/* After an event of the relation: the way in which it moved states by reinit; true if that
 * turned the motion. */
bool impact_note(Sim *s, uint32_t relation);
/* The flight from the surface of a relation that had an impact: how long and how far, to second
 * order. The motion must return to the surface. False if it does not. */
bool impact_flight(ModeProgram *prog, uint32_t relation, double *length, double *height);
/* After reinits at the instant: resting states that were moved are released. Puts a state back
 * before a surface into which it was pushed, if it rests there or has not left it yet. So the next
 * impact is a separate event. True if the event must be iterated once more for this. */
bool impact_rearm(Sim *s);

/* ---- sliding_snapshot.c ---- */
/* Surfaces that are held, directions of impacts, the one-step method; the program in use must be
 * the same, with its solver. */
void sliding_snapshot(ModeProgram *prog, struct Snapshot *p);
void accumulation_snapshot(Accumulation *a, const ModeProgram *prog, struct Snapshot *p);

/* ---- sliding.c: sliding along a surface, and rest on one ---- */
/* Whether the motion along the surfaces that are held, if any, has tangents: nothing rests. */
bool sliding_has_tangents(const ModeProgram *prog);
/* Whether the motion is continued smoothly beyond the place where it leaves its surfaces. */
void sliding_extend(ModeProgram *prog, bool on);
/* If v has values of a mixture: back to those of one side, as the next evaluation finds them. */
void sliding_unmix(ModeProgram *prog);
/* How many surfaces are held, and the relation of each. */
uint32_t sliding_count(const ModeProgram *prog);
uint32_t sliding_relation(const ModeProgram *prog, uint32_t i);
/* How much the derivative of a state differs between the sides, where it was evaluated last. */
double sliding_contrast(const ModeProgram *prog, uint32_t state);
double sliding_limit(const ModeProgram *prog); /* the longest step from s->run.time on */
/* at (time, x), after an event of the relation */
bool sliding_begin(Sim *s, uint32_t relation, bool rest);
/* The same if no motion along the surface exists: near it both sides are mixed by z alone, until z
 * has left. False: not possible. */
bool sliding_take_literally(Sim *s, uint32_t relation);
/* Whether a surface is left within [s->run.time, t] of the solver's last step: at *te. */
bool sliding_leave(ModeProgram *prog, double t, double *te);
void sliding_clear(ModeProgram *prog,
                   struct Locator *locator); /* before another program comes into use */
bool sliding_release(Sim *s);                /* the event of leaving, at (time, x) */
void sliding_keep(
    ModeProgram *prog,
    Relations *relations); /* at the beginning of an event: held relations keep their values */
/* After it: drops surfaces that it changed, and evaluates again. False: the run ends. */
bool sliding_refresh(Sim *s);

#endif
