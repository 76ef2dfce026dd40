/* External code: C and FORTRAN 77 functions (Modelica 3.6, section 12.9).
 *
 * In: a Function with `external`, whose annotations locate its code. Out: an entry that calls it.
 * The system's compiler compiles sources of a library (Resources/C-Sources) and entries into shared
 * objects, once for all runs. They are kept in $XDG_CACHE_HOME/kairos (or ~/.cache/kairos) under
 * names with a hash of their sources. The functions of ModelicaUtilities.h lead back to the host of
 * the call. */
#ifndef EXTERNAL_EXTERNAL_H
#define EXTERNAL_EXTERNAL_H

#include "expr/function.h"

typedef struct ExternalCode ExternalCode;

/* Calls the function. The values of the result and the arguments have slots. args[0] is the address
 * of the result (unused if there is none); the slots of the arguments follow in order. A slot is
 * the address of a double, int (Integer, Boolean, enumeration, size), const char * or void *
 * (external object). For an array, it is the address of a pointer to its elements, column-major for
 * FORTRAN 77. A record has one slot for each of its fields, those of nested records in place. An
 * array of records has arrays in these slots, and their length, an int, in one more. A result that
 * is a record has its slots after those of the arguments. Results are written to the same places.
 */
typedef void (*ExternalEntry)(void *const *args);

/* The implementation of ModelicaUtilities.h. `error` does not return. */
typedef struct ExternalHost {
    void *user;
    void (*message)(void *user, bool warning, const char *text);
    void (*error)(void *user, const char *text);
    char *(*allocate)(void *user, size_t n); /* n + 1 zeroed bytes; NULL if there is no memory */
} ExternalHost;

/* The external code of a graph, made at the first call; freed with the graph. */
ExternalCode *external_of(Graph *g);
/* NULL if it does not exist; *why is the reason. Cached by f->id. */
ExternalEntry external_entry(ExternalCode *x, const Graph *g, const Function *f, const char **why);
/* The shared objects that the entry of f needs, added to `list` if they are not in it: paths of
 * files, which find each other in one folder, and -lNAME for libraries of the system. Returns the
 * path of the entry's own; NULL if it was not opened. */
typedef VEC(const char *) ExternalObjects;
const char *external_objects(ExternalCode *x, const Function *f, ExternalObjects *list);
/* Makes `host` the current one on this thread and returns the one before, which must be restored
 * after the call. */
const ExternalHost *external_enter(ExternalCode *x, const ExternalHost *host);

/* ---- functions of the program itself ---- */

/* Facts about the run that calls. */
typedef struct ExternalRun {
    double start, stop, tolerance;
    double interval; /* between output points */
} ExternalRun;

/* Called instead of an entry, with the same arguments. Returns NULL, or the reason of a failure,
 * which is valid until the next call. */
typedef const char *(*ExternalNative)(void *user, const ExternalRun *run, void *const *args);

/* How an object takes part in the steps of a run: before them, after them, and whether it needs the
 * values at their end for that. */
typedef struct ExternalSteps {
    bool before, after, values;
} ExternalSteps;

/* Functions that the program has under the names of C functions, and the steps of their objects. */
typedef struct ExternalNatives {
    void *user;
    ExternalNative (*find)(void *user, const char *symbol); /* NULL: none */
    ExternalSteps (*steps)(void *user, const void *object);
    /* Before a step from t: the object advances, if it does so by itself, and lowers *limit to the
     * time up to which its values are known. NULL, or the reason of a failure. */
    const char *(*limit)(void *user, void *object, double t, double *limit);
    /* After a step to t. *event: it needs an event now. */
    const char *(*accept)(void *user, void *object, double t, bool *event);
} ExternalNatives;

/* NULL if f is not such a function, or may not be called. */
ExternalNative external_native(const Graph *g, const Function *f);

/* How argument i of an external function is passed. */
typedef enum ExternalPass { PASS_REAL, PASS_INT, PASS_STRING, PASS_OBJECT, PASS_NOT } ExternalPass;
/* PASS_NOT: records and expressions without a value. For an array: how its elements are passed. */
ExternalPass external_pass(const Types *types, TypeId type);
/* A record, or an array of records. */
bool external_is_record(const Types *types, TypeId type);
/* False for types that cannot be passed, such as records with arrays in them. */
bool external_can_pass(const Types *types, TypeId type);
/* The number of slots of a value. */
uint32_t external_slots(const Types *types, TypeId type);
/* The variable of the argument if the function may change it (an output or local); UINT32_MAX for
 * others. */
uint32_t external_changes(const Graph *g, const Function *f, uint32_t argument);

#endif
