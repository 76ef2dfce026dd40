/* The part of an FMU that FMI 2 and FMI 3 share: one instance of the model, its state by the
 * standard, its values.
 *
 * In: calls of an importer, through fmi2.c and fmi3.c. Out: statuses, values, messages to the
 * importer's logger. A value reference is the number of a variable in the Dae of the model's text;
 * the exporter (src/fmu) reads the same text, so both agree. Two hosts have the model and its
 * instance: the engine (engine_model.c, src/api), and the sources of an FMU (src/fmu/source), whose
 * files define the same functions of kairos.h and api/exchange.h for model exchange.
 *
 * A call that the standard forbids in the present state, or with wrong arguments, changes nothing:
 * it logs the reason and returns FMU_ERROR. If the model fails, the state is FMU_FAILED. Warnings
 * of the model are logged, and the call returns FMU_OK: some importers end the simulation
 * otherwise.
 *
 * This room is linked only into the binary of FMUs, and copied into sources. It allocates with
 * calloc, because no guard for memory is active outside of the functions of kairos.h. */
#ifndef FMU_INTERFACE_FMU_H
#define FMU_INTERFACE_FMU_H

#include "kairos.h"

#include <stdbool.h>

/* The numbers are those of both standards. */
typedef enum FmuStatus { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } FmuStatus;

typedef enum FmuState {
    FMU_INSTANTIATED = 1,
    FMU_INITIALIZING = 2,
    FMU_EVENT = 4,
    FMU_CONTINUOUS = 8, /* model exchange */
    FMU_STEP = 16,      /* co-simulation: between steps */
    FMU_UPDATING = 32,  /* co-simulation: inside a step, in the importer's callback */
    FMU_TERMINATED = 64,
    FMU_FAILED = 128,
} FmuState;
enum {
    FMU_ANY = 255,
    FMU_RUNNING = FMU_EVENT | FMU_CONTINUOUS | FMU_STEP,
    FMU_ENDED = FMU_TERMINATED | FMU_FAILED,
    FMU_BEFORE = FMU_INSTANTIATED | FMU_INITIALIZING,
};

typedef enum FmuType { FMU_REAL, FMU_INTEGER, FMU_BOOLEAN, FMU_STRING } FmuType;
typedef enum FmuKind { FMU_PARAMETER, FMU_INPUT, FMU_UNKNOWN } FmuKind;
typedef struct FmuVariable {
    FmuType type;
    FmuKind kind;
    bool given; /* of a parameter: it has a value of its own, which may be set */
} FmuVariable;

typedef struct Fmu Fmu;

/* The importer's callbacks. */
typedef struct FmuHost {
    void *environment;
    /* the version's own logger is called by `log` */
    void (*log)(const Fmu *f, FmuStatus status, const char *category, const char *text);
    void (*logger)(void);
} FmuHost;

/* A value that was set before the initialization. */
typedef struct FmuSetting {
    unsigned variable;
    double value;
} FmuSetting;

struct Fmu {
    char *name; /* of the instance */
    FmuHost host;
    bool co_simulation, logging;
    bool quiet[4]; /* per category of fmu_categories: turned off */
    FmuState state;

    char *resources, *objects; /* folders */
    Kairos *session;
    KairosModel *model;
    /* the model's messages since the last call, for kairos_free_text; NULL: there are none */
    char *(*take_messages)(Fmu *f);
    KairosInstance *instance;
    unsigned n_variables;
    double *clocks; /* per clock: its first tick after the start, and its interval */
    unsigned n_clocks;
    unsigned *size_of;  /* per variable: the size of the array that begins there; 0: a scalar */
    double model_start; /* of the model's experiment */
    double start, stop, tolerance;
    bool stop_defined;
    FmuSetting *settings; /* size n_variables, the first n_settings are used */
    unsigned n_settings;
    unsigned *setting_of; /* per variable: 1 + its place in settings; 0: none */
    bool initialized;     /* the instance is, with these settings */
    bool changed;         /* values were set since the instance moved */
    double end_of_step;   /* of the last step: the communication point, as the importer counts */
    double step_size;     /* of the last step */

    /* co-simulation of FMI 3 */
    bool event_mode_used, early_return_allowed;
    void (*intermediate_update)(void);

    /* model exchange */
    double time;
    bool event_due; /* the event at the present time has not been handled */
    unsigned n_states, n_indicators;
    unsigned *state_of, *derivative_of; /* per variable: 1 + number of the state; 0: none */
};

extern const char *const fmu_categories[4];

/* ---- messages.c ---- */
/* Logs the reason, in printf's manner. Returns the status. */
FmuStatus fmu_report(Fmu *f, FmuStatus status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Hands the messages of the session to the logger; the status for the result of a call of kairos.h
 */
FmuStatus fmu_result(Fmu *f, int result);
FmuStatus fmu_no_memory(Fmu *f); /* reports it */
/* Whether the call is allowed in the present state; otherwise logs the reason. */
bool fmu_allows(Fmu *f, const char *call, unsigned states);
/* Turns categories on or off. */
FmuStatus fmu_set_logging(Fmu *f, bool on, size_t n, const char *const *categories);

/* ---- engine_model.c; in an FMU with sources, source_model.c ---- */
/* Opens the model in the folder `resources`, if it has this token: sets the numbers of variables,
 * states and indicators, the tables of states, sizes of arrays, clocks, and take_messages. False
 * after a message. */
bool fmu_open_model(Fmu *f, const char *token, const char *resources);
void fmu_close_model(Fmu *f);
FmuVariable fmu_variable(const Fmu *f, unsigned v); /* v < n_variables */

/* ---- fmu.c ---- */
/* A new instance of the model in the folder `resources`, whose token must be `token`. NULL after a
 * message. Takes nothing over. */
Fmu *fmu_create(const char *name, const char *token, const char *resources, bool co_simulation,
                bool logging, FmuHost host);
void fmu_free(Fmu *f);
/* The instance of the model anew, with the present times and settings. */
FmuStatus fmu_make_instance(Fmu *f);
/* The times of the experiment; NULL: as before. */
FmuStatus fmu_set_times(Fmu *f, double start, const double *stop, const double *tolerance);
/* Before the initialization ends, reading computes it with the values set so far. FMU_DISCARD after
 * a message: these have no solution. */
FmuStatus fmu_ready(Fmu *f);
FmuStatus fmu_enter_initialization(Fmu *f);
FmuStatus fmu_exit_initialization(Fmu *f, FmuState next);
FmuStatus fmu_reset(Fmu *f);
FmuStatus fmu_terminate(Fmu *f);

/* ---- values.c ---- */
/* Scalars of value references, some of which may be arrays (FMI 3). */
typedef struct FmuScalars {
    const unsigned *at;
    size_t n;
    unsigned *own; /* NULL: `at` is the caller's */
} FmuScalars;
/* False after a message. */
bool fmu_scalars(Fmu *f, const unsigned *variables, size_t n, FmuScalars *s);
/* Whether these variables exist and have the type; otherwise logs the reason. */
bool fmu_has_type(Fmu *f, const unsigned *variables, size_t n, FmuType type);
bool fmu_is_input(const Fmu *f, unsigned v); /* a Real input */
/* Value references from n_variables on are event indicators. */
FmuStatus fmu_get(Fmu *f, const unsigned *variables, size_t n, double *values);
FmuStatus fmu_set(Fmu *f, const unsigned *variables, size_t n, const double *values);
/* String variables; the texts are valid until the next call. */
FmuStatus fmu_get_texts(Fmu *f, const unsigned *variables, size_t n, const char **texts);
FmuStatus fmu_set_texts(Fmu *f, const unsigned *variables, size_t n); /* none can be */
/* Whether the clock ticks at the present event; `clock` from 0. */
bool fmu_clock_ticks(const Fmu *f, unsigned clock);

/* ---- saved.c ---- */
/* The complete state of the instance, in one piece of memory. */
typedef struct SavedState SavedState;
/* *state is NULL, or a state to be overwritten. */
FmuStatus fmu_save(Fmu *f, SavedState **state);
FmuStatus fmu_restore(Fmu *f, const SavedState *state);
void fmu_free_state(SavedState **state);
size_t fmu_state_size(const SavedState *state);
FmuStatus fmu_write_state(Fmu *f, const SavedState *state, void *bytes, size_t size);
FmuStatus fmu_read_state(Fmu *f, const void *bytes, size_t size, SavedState **state);

/* ---- exchange.c ---- */
FmuStatus fmu_set_time(Fmu *f, double time);
FmuStatus fmu_set_states(Fmu *f, const double *x, size_t n);
/* `what` is one of these. */
typedef enum FmuVector { FMU_STATES, FMU_DERIVATIVES, FMU_INDICATORS, FMU_NOMINALS } FmuVector;
FmuStatus fmu_get_vector(Fmu *f, FmuVector what, double *values, size_t n);
typedef struct FmuEvent {
    bool terminated, restart, time_defined;
    double next_time;
} FmuEvent;
FmuStatus fmu_update(Fmu *f, FmuEvent *event);
FmuStatus fmu_complete_step(Fmu *f, bool *event, bool *terminated);

/* ---- derivatives.c ---- */
/* sensitivity = Σ ∂unknown/∂known * seed. Exact for derivatives of states by states, otherwise by
 * central differences. */
FmuStatus fmu_directional(Fmu *f, const unsigned *unknowns, size_t n_unknowns,
                          const unsigned *knowns, size_t n_knowns, const double *seed,
                          double *sensitivity);
/* sensitivity = Σ seed * ∂unknown/∂known, for each known. */
FmuStatus fmu_adjoint(Fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                      size_t n_knowns, const double *seed, double *sensitivity);
/* Derivatives by time at the end of a step, inputs constant. */
FmuStatus fmu_output_derivatives(Fmu *f, const unsigned *variables, size_t n, const int *orders,
                                 double *values);

/* ---- step.c ---- */
typedef struct FmuStep {
    double from, size; /* as the importer says */
    bool stop_at_event;
    double reached; /* out */
    bool event;     /* out: an event happened at `reached` */
    bool early;     /* out: `reached` is before the end of the step */
    bool terminated;
} FmuStep;

/* Co-simulation: from one communication point to the next. */
FmuStatus fmu_step(Fmu *f, FmuStep *step);

/* ---- calls of fmi2.c and fmi3.c ---- */

/* Whether the call may be made in the present state. */
static inline bool fmu_begin(Fmu *f, const char *call, unsigned states)
{
    return f && fmu_allows(f, call, states);
}

#define FMU_BEGIN(f, states)                                                                       \
    do {                                                                                           \
        if (!fmu_begin((f), __func__, (states)))                                                   \
            return FMU_ERROR;                                                                      \
    } while (0)

#endif
