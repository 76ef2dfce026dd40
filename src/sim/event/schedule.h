/* Time events: samples and relations that are linear in time. */
#ifndef SIM_EVENT_SCHEDULE_H
#define SIM_EVENT_SCHEDULE_H

#include "sim/state/state.h"

struct Snapshot;

/* Sample variables with equal start and interval tick together. */
typedef struct Clock {
    double start, interval;
    double next; /* = start + tick*interval */
    uint64_t tick;
    uint64_t fired;    /* instants so far */
    uint32_t first, n; /* its samples: Schedule.samples[first … first + n) */
} Clock;

typedef struct Schedule {
    Clock *clocks;
    uint32_t *heap; /* clocks by next instant; size n_clocks */
    uint32_t n_clocks;
    uint32_t *samples; /* numbers of samples, grouped by clock */
    uint32_t *fired;   /* clocks that tick at the present instant */
    uint32_t n_fired;
    uint32_t *relations; /* time relations */
    double *instants;    /* per time relation: when it changes next; INFINITY: never */
    uint32_t n_relations;
    double *z0, *z1; /* work; size of all relations */
    double merge;    /* instants closer than this are one */
} Schedule;

typedef struct SampleKey {
    double start, interval;
    uint32_t sample; /* number of the sample */
} SampleKey;

/* Groups samples into clocks; instants before `start` are over. Keys are sorted. */
void schedule_set_clocks(Schedule *c, SampleKey *keys, uint32_t n, double start);
double schedule_next(const Schedule *c); /* INFINITY: none */
bool schedule_due(const Schedule *c, double t);
/* Clocks that tick at t go into c->fired and on to their next instant. */
void schedule_tick(Schedule *c, double t);

Schedule *schedule_new(const ModeProgram *prog, Arena *arena);
bool schedule_start(Sim *s); /* once parameters are known; false after an error */
/* after an event: relations linear in time again; false after an error */
bool schedule_update(Sim *s);
/* The band around zero of relations linear in time, for an event at the present time. */
void schedule_rescale(const Schedule *c, ModeProgram *prog);
/* Ticks of the clocks and instants of relations; read after schedule_start. */
void schedule_snapshot(Schedule *c, struct Snapshot *p);
/* Sets sample variables and decides relations that are due at t. */
void schedule_fire(Schedule *c, ModeProgram *prog, Relations *r, Event *e, double t);
/* After the first iteration of an instant; true if a sample variable fell back to false. */
bool schedule_release(const Schedule *c, ModeProgram *prog);

#endif
