/* An instance, and how its functions run. Only for src/api. */
#ifndef API_INSTANCE_H
#define API_INSTANCE_H

#include "api/row_feed.h"
#include "api/session.h"
#include "api/settings.h"
#include "api/state_header.h"
#include "replan/replan.h"

typedef enum Stage { STAGE_CREATED, STAGE_RUNNING, STAGE_FAILED } Stage;

/* The arguments of a call. */
typedef struct Request {
    const KairosRun *given; /* creation */
    KairosInstance *from;   /* cloning */
    const int *variables;
    unsigned n;
    const double *in;
    double *out;
    const char *name;
    int number;
    double time;
    bool stop_at_event;
    bool keeps_saved; /* the call does not use the run: it may still have to be settled */
    Snapshot state;
} Request;

struct KairosInstance {
    KairosModel *m;
    Context *ctx; /* for its messages */
    Arena *arena; /* for copies of what the caller gave */
    SimOptions options;
    Settings settings;
    SimTier tier;
    ReplanFor replan_for;
    Replan replan;
    SimText text;
    ResultSink sink;
    Columns *columns; /* of rows, if the caller wants them; otherwise NULL */
    RowFeed feed;
    SimStats stats;
    Sim *sim;
    StateOf state_of;
    Map names;  /* name_key of each name → its variable; empty until a name is looked up */
    Map set_of; /* variable → index of its last entry in settings.sets */
    uint32_t n_set_known; /* entries of settings.sets that are in it */
    size_t state_size;    /* of the largest state so far */
    Stage stage;
    double created; /* by clock_now */
    double limit;   /* of the time */
    char *event;    /* the last, as JSON; NULL before the first */
    KairosTextFn on_event, on_log;
    void (*on_progress)(void *user, double time, uint64_t steps, uint64_t events);
    void *user;
    Request request;
    void (*action)(void *arg); /* of the call */
    bool ended;                /* it has: memory did not run out in it */
    int status;
};

/* Runs the action while the model cannot be compiled again. If memory runs out in it, the
 * simulation is in no known state: it is given up, and what it holds is lost. */
int instance_call(KairosInstance *i, void (*action)(void *arg), const Request *request);
/* Whether the values of the request can be read; otherwise a message. */
bool instance_can_read(KairosInstance *i);
/* The values of the request, from those of all variables. */
void instance_read(KairosInstance *i, const double *v);
/* After a step of the simulation that may have failed. */
void instance_judge(KairosInstance *i, bool going);

#endif
