/* The binary of an FMU at work: one interface for FMI 1.0, 2.0 and 3.0.
 *
 * In: an unpacked FMU. Out: instances, whose functions return an FmiStatus. A failed call leaves
 * its name and the messages of the FMU in the instance (fmi_failure). Before each call, its name is
 * noted in a file of the FMU's folder, so that another process can name the call that crashed.
 *
 * Files: binary.c loads the library and converts values; fmi1.c, fmi2.c and fmi3.c call the
 * functions of their version; calls.c and version.h have what these share. */
#ifndef FOREIGN_BINARY_H
#define FOREIGN_BINARY_H

#include "foreign/archive/fmu_file.h"

typedef enum FmiStatus { FMI_OK, FMI_WARNING, FMI_DISCARD, FMI_ERROR, FMI_FATAL } FmiStatus;

static inline bool fmi_good(FmiStatus s)
{
    return s == FMI_OK || s == FMI_WARNING;
}

typedef struct FmiEventInfo {
    bool again, terminate, nominals_changed, states_changed, has_next;
    double next;
} FmiEventInfo;

typedef struct FmiStepInfo {
    bool event, terminate;
    double reached;
} FmiStepInfo;

/* The interval of a clock is new. */
enum { FMI_INTERVAL_CHANGED = 2 };

typedef struct FmiInstance FmiInstance;

/* The functions of a version. Sizes are those of the description. */
typedef struct FmiCalls {
    bool (*bind)(FmiInstance *i); /* finds the functions; false: i->failure */
    bool (*create)(FmiInstance *i);
    void (*destroy)(FmiInstance *i);
    FmiStatus (*reset)(FmiInstance *i); /* NULL: the version has none */
    FmiStatus (*enter_initialization)(FmiInstance *i, double start, double stop, double tolerance);
    FmiStatus (*exit_initialization)(FmiInstance *i);
    FmiStatus (*terminate)(FmiInstance *i);
    /* values of one type; `native` has their C type */
    FmiStatus (*get)(FmiInstance *i, FmiType type, const uint32_t *refs, size_t n, void *native,
                     size_t n_values);
    FmiStatus (*set)(FmiInstance *i, FmiType type, const uint32_t *refs, size_t n,
                     const void *native, size_t n_values);
    /* model exchange */
    FmiStatus (*enter_event)(FmiInstance *i);
    FmiStatus (*update)(FmiInstance *i, FmiEventInfo *info);
    FmiStatus (*enter_continuous)(FmiInstance *i);
    FmiStatus (*completed)(FmiInstance *i, bool *event, bool *terminate);
    FmiStatus (*set_time)(FmiInstance *i, double t);
    FmiStatus (*set_states)(FmiInstance *i, const double *x, size_t n);
    FmiStatus (*get_states)(FmiInstance *i, double *x, size_t n);
    FmiStatus (*get_derivatives)(FmiInstance *i, double *x, size_t n);
    FmiStatus (*get_indicators)(FmiInstance *i, double *z, size_t n);
    FmiStatus (*get_nominals)(FmiInstance *i, double *x, size_t n);
    /* structural parameters; NULL: not in this version */
    FmiStatus (*enter_configuration)(FmiInstance *i);
    FmiStatus (*exit_configuration)(FmiInstance *i);
    /* co-simulation */
    FmiStatus (*enter_step)(FmiInstance *i); /* after event mode */
    FmiStatus (*step)(FmiInstance *i, double t, double h, FmiStepInfo *info);
    /* clocks, and partitions of scheduled execution; NULL: not in this version */
    FmiStatus (*activate)(FmiInstance *i, uint32_t clock, double t);
    FmiStatus (*get_clock)(FmiInstance *i, uint32_t clock, bool *ticks);
    FmiStatus (*set_clock)(FmiInstance *i, uint32_t clock);
    FmiStatus (*get_interval)(FmiInstance *i, uint32_t clock, double *interval, int *qualifier);
    /* states of the FMU; NULL: not in this version */
    FmiStatus (*save)(FmiInstance *i, void **state);
    FmiStatus (*restore)(FmiInstance *i, void *state);
    FmiStatus (*drop)(FmiInstance *i, void **state);
    FmiStatus (*state_size)(FmiInstance *i, void *state, size_t *n);
    FmiStatus (*serialise)(FmiInstance *i, void *state, char *bytes, size_t n);
    FmiStatus (*deserialise)(FmiInstance *i, const char *bytes, size_t n, void **state);
    FmiStatus (*directional)(FmiInstance *i, const uint32_t *unknowns, size_t n_unknowns,
                             const uint32_t *knowns, size_t n_knowns, const double *seed,
                             size_t n_seed, double *sensitivity, size_t n_sensitivity);
    uint8_t boolean_size, enumeration_size;
} FmiCalls;

extern const FmiCalls fmi1_calls, fmi2_calls, fmi3_calls;

typedef enum FmiKind { FMI_EXCHANGE, FMI_CO_SIMULATION, FMI_SCHEDULED } FmiKind;

typedef void (*FmiFunction)(void);

struct FmiInstance {
    Arena *arena;
    const FmuFile *file;
    const FmiDescription *d;
    const FmiInterface *interface;
    FmiKind kind;
    const FmiCalls *calls;
    const char *name;
    const char *place;      /* of its resources, as the version wants it; NULL: not made yet */
    bool event_mode;        /* co-simulation with event mode (FMI 3) */
    bool log;               /* ask the FMU for all messages */
    void *library;          /* of dlopen */
    FmiFunction *functions; /* of the version */
    void *component;        /* the FMU's own; NULL: not instantiated */
    void *callbacks;        /* FMI 2: must stay */
    FmiEventInfo first;     /* FMI 1: of the initialization */
    double start, stop, tolerance;
    const char *doing;   /* the function called last */
    char *note;          /* mapped file with its name; NULL: none */
    char message[1024];  /* last messages of the FMU, of category error or warning */
    const char *failure; /* loading: the reason */
    /* messages of the FMU: NULL to ignore them */
    void (*on_message)(void *user, FmiStatus status, const char *text);
    void *user;
};

/* Loads the binary and instantiates it. NULL after a failure: the reason is in *why, in `arena`. */
FmiInstance *fmi_open(const FmuFile *f, FmiKind kind, const char *name, Arena *arena,
                      const char **why);
/* Instantiates again after fmi_destroy; false: i->failure. */
bool fmi_create(FmiInstance *i);
void fmi_destroy(FmiInstance *i);
void fmi_close(FmiInstance *i);
/* "fmi2DoStep failed: message" in the arena, for a status that is not good. */
const char *fmi_failure(const FmiInstance *i, FmiStatus s, Arena *arena);

/* Variables whose values are read or written together, elements of arrays in place. */
typedef struct FmiGroup {
    FmiType type;
    uint32_t *refs;
    uint32_t n, n_values;
} FmiGroup;
typedef struct FmiValues {
    FmiGroup *groups;
    uint32_t n, n_values;
    void *native; /* room for the largest group */
} FmiValues;

/* Numbers only. */
FmiValues fmi_values(const FmiDescription *d, const uint32_t *variables, uint32_t n, Arena *arena);
FmiStatus fmi_get(FmiInstance *i, const FmiValues *v, double *values);
FmiStatus fmi_set(FmiInstance *i, const FmiValues *v, const double *values);
FmiStatus fmi_set_string(FmiInstance *i, uint32_t reference, const char *text);

/* ---- for the files of versions ---- */
/* Inline, because the lengths of most names are known then: it is called before every call. */
static inline void fmi_doing(FmiInstance *i, const char *function)
{
    i->doing = function;
    if (i->note)
        memcpy(i->note, function, strlen(function) + 1);
}
void fmi_take_message(FmiInstance *i, int status, const char *category, const char *text);
/* Finds the functions `prefix` + names[k]; those that begin with '?' may be missing. */
bool fmi_bind(FmiInstance *i, const char *prefix, const char *const *names, size_t n);

#endif
