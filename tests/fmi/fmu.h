/* One FMU and one instance of it, with the same functions for FMI 2 and 3.
 *
 * A description is a text that the test script writes from modelDescription.xml, one item a line:
 *
 *     version 2 | 3
 *     kind me | cs
 *     library PATH        the shared object
 *     token TEXT          GUID or instantiation token
 *     resources TEXT      a URI for FMI 2, a path for FMI 3
 *     states N
 *     indicators N
 *     variable VR TYPE SIZE              is read in every row, in this order
 *     set VR TYPE VALUE                  before the initialization
 *     at TIME VR TYPE VALUE              an input that changes during the run, by rising time
 *     unknown VR SIZE                    model exchange: a Real whose derivatives are looked at
 *     known VR STATE SIZE                by these: the number of a state from 0, or -1: an input
 *
 * TYPE is Real, Integer, Boolean or Enumeration for FMI 2, and Float64, Int32, Int64, Boolean,
 * Enumeration or Clock for FMI 3. Texts are not read. */
#ifndef TESTS_FMI_FMU_H
#define TESTS_FMI_FMU_H

#include "fmi.h"

typedef enum Type { FLOAT, INT32, INT64, BOOLEAN, CLOCK } Type;

typedef struct Variable {
    Reference reference;
    Type type;
    size_t size; /* elements */
} Variable;

typedef struct Change {
    double time; /* -INFINITY: before the initialization */
    Variable variable;
    double value;
} Change;

typedef struct Description {
    int version;
    bool cs;
    char library[4096], token[256], resources[4096];
    size_t n_states, n_indicators;
    Variable *variables;
    size_t n_variables, width; /* width: elements of all variables */
    Change *changes;
    size_t n_changes;
    Reference *unknowns, *knowns;
    long *state_of; /* by knowns: of the first element; -1: an input */
    size_t n_unknowns, n_knowns;
    size_t *unknown_sizes, *known_sizes; /* elements */
    size_t unknown_width;                /* elements of all unknowns */
} Description;

/* Ends the program with a message if the text is not a description. */
Description description_read(const char *path);
void description_free(Description *d);

typedef struct Fmu {
    const Description *description;
    void *library;
    Functions2 f2;
    Functions3 f3;
    Callbacks2 callbacks;
    void *instance;
    bool events;     /* co-simulation of FMI 3: event mode and early return are used */
    unsigned n_logs; /* messages so far */
    bool print_logs; /* to stderr, with statuses that are not OK */
    bool discarded;  /* the last call of a function: another point may do */
} Fmu;

/* Loads the library; ends the program with a message if a function is missing. */
void fmu_load(Fmu *f, const Description *d);
void fmu_unload(Fmu *f);

/* These return false if the status is not OK: some importers end at warnings. */
bool fmu_instantiate(Fmu *f, const char *name);
void fmu_free(Fmu *f);
bool fmu_setup(Fmu *f, double tolerance, double start, const double *stop);
bool fmu_initialized(Fmu *f);
bool fmu_terminate(Fmu *f);
bool fmu_reset(Fmu *f);
bool fmu_get(Fmu *f, const Variable *v, double *values);
bool fmu_set(Fmu *f, const Variable *v, const double *values);
/* All variables of the description, one after the other. */
bool fmu_row(Fmu *f, double *values);

typedef struct Step {
    bool event, terminate, early;
    double reached;
} Step;

/* Co-simulation. */
bool fmu_step(Fmu *f, double time, double length, Step *step);
bool fmu_step_mode(Fmu *f);

typedef struct Events {
    bool more, terminate, nominals_changed, values_changed, has_next;
    double next;
} Events;

/* Events, and model exchange. */
bool fmu_event_mode(Fmu *f);
bool fmu_update(Fmu *f, Events *e);
bool fmu_continuous_mode(Fmu *f);
bool fmu_completed(Fmu *f, bool *event, bool *terminate);
bool fmu_set_time(Fmu *f, double time);
bool fmu_set_states(Fmu *f, const double *x);
bool fmu_get_states(Fmu *f, double *x);
bool fmu_get_derivatives(Fmu *f, double *dx);
bool fmu_get_indicators(Fmu *f, double *z);
bool fmu_get_nominals(Fmu *f, double *x);
bool fmu_directional(Fmu *f, const Reference *of, size_t n, size_t n_values, const Reference *by,
                     size_t m, size_t m_values, const double *seed, double *result);

/* Saved states. */
bool fmu_save(Fmu *f, void **state);
bool fmu_restore(Fmu *f, void *state);
bool fmu_forget(Fmu *f, void **state);
/* *bytes belongs to the caller. */
bool fmu_serialize(Fmu *f, void *state, char **bytes, size_t *size);
bool fmu_deserialize(Fmu *f, const char *bytes, size_t size, void **state);

#endif
