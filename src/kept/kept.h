/* What is kept of a run, as `kairos study` and `kairos optimize` name it: end(x), max(x), mean(x),
 * rms(x), time(x >= 1) and expressions over them.
 *
 * In: the text of an expression; then the rows and events of a run, with derivatives if there are
 * some. Out: its value and derivatives. expression.c reads, values.c computes. */
#ifndef KEPT_KEPT_H
#define KEPT_KEPT_H

#include "base/memory.h"

typedef struct KeptExpr KeptExpr;

/* NULL after an error, whose text is in `wrong`. */
KeptExpr *kept_parse(const char *text, char *wrong, size_t size);
/* A relation as an expression that must be at most 0, or 0 if *equal. */
KeptExpr *kept_parse_constraint(const char *text, bool *equal, char *wrong, size_t size);
void kept_free_expr(KeptExpr *e); /* NULL is allowed */
/* The first of its names that is not among these, or NULL. */
const char *kept_resolve(KeptExpr *e, const char *const *names, size_t n);
/* The nearest of n words to a misspelt one; NULL if none is near. */
const char *kept_nearest(const char *word, const char *const *words, size_t n);
void kept_each_name(const KeptExpr *e, void (*visit)(void *user, const char *name), void *user);
bool kept_over_time(const KeptExpr *e); /* something is reduced over time */
bool kept_of_events(const KeptExpr *e); /* something counts events */

typedef struct Kept Kept; /* of one run at a time */
/* The expressions must outlive it. n_directions: of derivatives; 0: none. */
Kept *kept_new(KeptExpr *const *exprs, unsigned n, unsigned n_directions);
void kept_free(Kept *k); /* NULL is allowed */
void kept_begin(Kept *k);
/* Takes a row: its names, the time first, its values, and, if there are directions, derivatives of
 * all values but the time: direction j of value i is d[(i - 1)*n_directions + j]. `moved`: the same
 * as the row moves with its event, the time's first; NULL if it is at none. False if an expression
 * has a name that is missing. */
bool kept_row(Kept *k, const char *const *names, unsigned n, const double *values, const double *d,
              const double *moved);
void kept_event(Kept *k, const char *json);
void kept_values(Kept *k, double *values);

/* What is known of a run beyond its rows. Functions return false if it is unknown. */
typedef struct KeptExact {
    void *user;
    /* "mean", "rms", "min" or "max" of a variable: its value, and derivatives in d */
    bool (*scalar)(void *user, const char *what, const char *name, double *value, double *d);
    /* derivatives of the time of the event at `time` */
    bool (*event)(void *user, double time, double *d);
    const double *end; /* derivatives of the time of the end; NULL: it is fixed */
} KeptExact;
/* Values, and derivatives of value i from d[i*n_directions] on; NaN if there is none. */
void kept_derivatives(Kept *k, const KeptExact *exact, double *values, double *d);

#endif
