/* An instance of a model for model exchange, from generated C and tables alone: no compiler, no
 * solver, no library. The sources of an FMU are the files of this room, of fmu/interface and of
 * runtime. They implement those functions of kairos.h and api/exchange.h that fmu/interface calls.
 *
 * In: the tables and the code of one model. Out: an instance that an importer integrates. It has
 * one program, so models that change their states, choose them by value, need histories or call
 * foreign code are refused by the exporter (src/fmu/sources.c).
 *
 * instance.c has the public functions, point.c values and initialization, events.c the event
 * iteration and the schedule, source_model.c what fmu/interface asks about the model,
 * left_out.c stands for parts of the runtime that are not copied. */
#ifndef FMU_SOURCE_SOURCE_H
#define FMU_SOURCE_SOURCE_H

#include "base/snapshot.h"
#include "fmu/source/tables.h"
#include "kairos.h"

#include <stdbool.h>

static const double SOURCE_EPSILON = 1e-10; /* of relations, relative to their scales */

struct KairosModel {
    char *messages; /* NULL: none */
};

typedef enum SourceStage { SOURCE_CREATED, SOURCE_RUNNING, SOURCE_FAILED } SourceStage;

typedef struct SourceClock { /* of a sample */
    double start, interval, next;
    uint64_t tick;
} SourceClock;

struct KairosInstance {
    KairosModel *model;
    const SourceTables *tables;
    Runtime *runtime;
    ModelData *data;
    double *v;     /* values */
    double *kept;  /* work: values */
    uint8_t *set;  /* per variable: given from outside */
    double *given; /* per variable: the value that was given */
    RuntimeVar *bounds;
    RuntimeRelation *scales;
    uint32_t *strings, n_strings; /* variables that are texts */
    uint32_t *pres, n_pres;       /* left limits */
    double *x;                    /* states */
    double *motion;               /* work: states and derivatives before an event */
    double *z;                    /* work: crossing functions */
    double *z_after;              /* the same after the last event */
    uint8_t *decided;             /* per relation, as runtime_relations wants it */
    double *decided_z, *decided_at;
    double *guard, *action; /* of actions: guards and values */
    uint8_t *warned;        /* per action */
    SourceClock *clocks;    /* per sample */
    double *instants;       /* per relation: when a scheduled one changes; INFINITY: never */
    double *terms;          /* work: results of SourceTables.instants */
    double start, stop, tolerance, time;
    SourceStage stage;
    bool complete;   /* v holds all values at `time` */
    bool reset;      /* parameters were set since the last event */
    bool initial;    /* the event at the start is under way */
    bool terminated; /* terminate() acted */
    bool failed;     /* an assertion does not hold */
};

/* ---- source_model.c ---- */
/* Adds a line to the messages. */
void source_message(KairosModel *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- point.c ---- */
/* The variable that has the value, and the sign. */
uint32_t source_holder(uint32_t v, double *sign);
/* These return a ModelStatus. */
int source_call(KairosInstance *i, int (*function)(ModelData *m));
int source_parameters(KairosInstance *i);
int source_derivatives(KairosInstance *i);
int source_outputs(KairosInstance *i);
int source_indicators(KairosInstance *i, double *z); /* of all relations */
/* The initial system and the event at the start. */
int source_initialize(KairosInstance *i);
void source_get_states(KairosInstance *i);
/* Reports a ModelStatus other than 0. */
void source_failure(KairosInstance *i, int status, const char *doing);

/* ---- events.c ---- */
bool source_holds(const KairosInstance *i, uint32_t relation);
/* Shifted by ε away from the side on which the relation stands. */
double source_shifted(const KairosInstance *i, uint32_t relation, double z);
int source_schedule(KairosInstance *i); /* at the start */
double source_next_event(const KairosInstance *i);
/* All that is due now. *restart: the states or their derivatives have changed. */
int source_event(KairosInstance *i, bool *restart);
int source_settle(KairosInstance *i); /* the event iteration */
/* Assertions at a point that stays; i->failed if one does not hold. */
int source_check(KairosInstance *i, bool initial);
int source_act(KairosInstance *i, bool *changed);

#endif
