/* Inside the room of components. */
#ifndef FOREIGN_COMPONENT_INTERNAL_H
#define FOREIGN_COMPONENT_INTERNAL_H

#include "foreign/binary/binary.h"
#include "foreign/component/component.h"

typedef struct OpenFile {
    const char *path, *structure;
    int64_t size, seconds, nanoseconds; /* of the file when it was opened */
    FmuFile *file;
} OpenFile;

struct Components {
    Context *ctx;
    Arena *arena;
    VEC(OpenFile) files;
    ExternalNatives natives;
    char why[1536]; /* of the last failure */
};

/* The event that ended the last epoch. */
typedef struct EndedEpoch {
    double t;
    double *x, *u;
    double next;   /* scheduled event; INFINITY: none */
    double ends;   /* 1: the FMU ends the simulation */
    double *new_x; /* states after it */
    void *before;  /* state of the FMU before it; NULL: none */
} EndedEpoch;

/* An input clock with times. */
typedef struct ClockTimes {
    double next;  /* INFINITY: not known */
    double ticks; /* so far */
    double since; /* of the first tick with this interval */
    double interval;
} ClockTimes;

/* Co-simulation: the communication step up to which values are known. */
typedef struct Window {
    double begin, end;
    double *at_begin, *at_end; /* values of all groups */
    bool *stale;               /* groups whose values at the end belong to other inputs */
    double step;               /* size of communication steps */
    bool pending;              /* an event waits for the end of the window */
    bool needs_event_mode;     /* the FMU asked for it */
} Window;

/* What an FMU is asked for in continuous time: the values of a group, or these. */
typedef enum Asked { ASKED_INDICATORS = -2, ASKED_DERIVATIVES = -1 } Asked;

/* A point, or a direction: time, states, and the continuous inputs that matter. */
typedef struct Point {
    double t;
    const double *x, *u;
} Point;

/* Value references for directional derivatives. */
typedef struct References {
    uint32_t *unknowns, *knowns;
    uint32_t n_unknowns, n_knowns;
    bool exact; /* the FMU has them */
} References;

struct Component {
    Components *all;
    Arena *arena;
    FmiInstance *i;
    Layout l;
    double start, stop, tolerance;
    FmiValues inputs, continuous_inputs, parameters, starts, calculated, discretes;
    FmiValues *groups;
    uint32_t *first_of_group; /* places in the values of all groups */
    uint32_t n_group_values;
    /* where the FMU is */
    double t;
    double *x, *u;   /* u: all inputs */
    double *wanted;  /* co-simulation: inputs of the next step */
    double *event_u; /* inputs at the present event */
    bool placed;     /* t and x were set in this epoch */
    /* values there, if known */
    double *derivatives, *group_values;
    bool derivatives_known, indicators_known, *group_known;
    /* its start */
    bool started;
    double *given; /* parameters, start values and inputs of the start */
    uint32_t n_given;
    /* epochs */
    double epoch;
    EndedEpoch ended;
    double requests; /* of events, so far */
    bool ends;
    double *discrete_values, *discrete_before, *discrete_now;
    ClockTimes *clocks;
    bool *triggered, *edges;      /* clocks that others trigger: last values; whether they tick */
    double *ticks, *ticks_before; /* of output clocks */
    double *calculated_values;
    /* event indicators */
    double *z, *largest, *scale;
    int8_t *side; /* 1: positive */
    Window window;
    /* derivatives */
    References derivative_references, *group_references;
    double *seed, *moved[2];
};

enum { MOST_UPDATES = 1000 }; /* of an event iteration */

/* Return the reason of a failed call of the FMU, or of one of these functions. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        FmiStatus status_ = (call);                                                                \
        if (!fmi_good(status_))                                                                    \
            return component_fail(c, status_);                                                     \
    } while (0)
#define DO(call)                                                                                   \
    do {                                                                                           \
        const char *why_ = (call);                                                                 \
        if (why_)                                                                                  \
            return why_;                                                                           \
    } while (0)

/* Records the failure of a call and returns its text. */
const char *component_fail(Component *c, FmiStatus s);
const char *component_refuse(Components *all, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

Component *component_open(Components *all, const ExternalRun *run, const char *path,
                          const char *token, const char *name, LayoutKind kind, double step,
                          const char *structure, const char **why);
void component_close(Component *c);
/* Initializes with these values; again if they differ from those before. */
const char *component_start(Component *c, double t, const double *p, const double *s,
                            const double *u);
/* The FMU goes to (t, x) with some of its continuous inputs. */
const char *component_place(Component *c, double t, const double *x, const double *u,
                            const uint32_t *which, uint32_t n);
/* The FMU has moved: values must be read again. */
void component_forget(Component *c);
const char *component_derivatives(Component *c, double t, const double *x, const double *u,
                                  double *out);
const char *component_indicators(Component *c, double t, const double *x, const double *u,
                                 double *out);
const char *component_group(Component *c, uint32_t group, double t, const double *x,
                            const double *u, double *out);
/* Ends the epoch. Continuous inputs keep their values, so that no equation of the event depends on
 * them; they follow at once afterwards. */
const char *component_update(Component *c, double epoch, double t, const double *x,
                             const double *discrete_u);
double component_discrete(const Component *c, double epoch, uint32_t k);
/* Reads calculated parameters and discrete variables. */
const char *component_read(Component *c);
/* Sides and sizes of the indicators at the present point. */
const char *component_sides(Component *c);

/* ---- rates.c ---- */
void rates_prepare(Component *c);
const char *component_values(Component *c, Asked what, const Point *at, double *out);
/* The derivative of these values along a direction. */
const char *component_rate(Component *c, Asked what, const Point *at, const Point *along,
                           double *out);

/* ---- clocks.c ---- */
const char *clocks_start(Component *c, double t);
/* Ticks of clocks at an event, with the values of triggers: sets clocks (in event mode) or runs
 * their partitions (scheduled execution). */
const char *clocks_tick(Component *c, double t, const double *triggers);
/* After the event: ticks of output clocks, and new intervals. */
const char *clocks_read(Component *c, double t);
/* The next tick; INFINITY: none. */
double clocks_next(const Component *c);

/* ---- co_simulation.c ---- */
const char *window_start(Component *c, double t);
const char *window_values(Component *c, uint32_t group, double t, const double *u, double *out);
const char *window_limit(Component *c, double t, double *limit);
bool window_accept(Component *c, double t);
const char *window_update(Component *c, double t, const double *u);

#endif
