/* Algorithms on bipartite graphs of equations and variables, independent of the contents of
 * equations. */
#ifndef STRUCTURE_GRAPH_H
#define STRUCTURE_GRAPH_H

#include "base/memory.h"
#include "base/names.h"

typedef struct Incidence { /* equations by rows: vars of equation e are var[ptr[e] … ptr[e + 1]) */
    uint32_t n_eqs, n_vars;
    uint32_t *ptr, *var;
} Incidence;

static inline uint32_t incidence_count(const Incidence *a)
{
    return a->ptr[a->n_eqs];
}

/* match[e] = variable or NONE, by Hopcroft-Karp or Pothen-Fan with cheap assignment; returns the
 * number matched. */
uint32_t structure_match(const Incidence *a, uint32_t *match);
/* Strong components in an order such that each comes after those it depends on; order: size n_eqs,
 * start: size (number + 1). Returns their number. */
uint32_t structure_sort(const Incidence *a, const uint32_t *match, uint32_t *order,
                        uint32_t *start);
/* Dulmage-Mendelsohn: part of each equation and variable: 0 well, 1 over-, 2 underdetermined. */
void structure_parts(const Incidence *a, const uint32_t *match, uint8_t *eq_part,
                     uint8_t *var_part);

/* Augmenting paths one row at a time, for matchings that are built in an order of priority. */
typedef struct Matcher {
    const Incidence *a;
    uint32_t *match;  /* size n_eqs; variable or NONE */
    uint32_t *of_var; /* size n_vars; equation or NONE */
    /* size n_vars; the last search that saw the variable; NONE: no path continues from it */
    uint32_t *mark;
    uint32_t *stack;    /* size n_eqs; equations of the path */
    uint32_t *at;       /* size n_eqs; next entry to try */
    uint32_t *look;     /* size n_eqs; next entry that may be free; only moves on */
    VEC(uint32_t) seen; /* by the search at work */
    uint32_t stamp;     /* of the search at work */
    uint32_t phase; /* first search of this phase; nodes that later searches saw are not searched
                       again */
    bool met;       /* the search met nodes that another search of the phase saw */
    bool backward;  /* equations are read from their end: alternating is fairer */
} Matcher;

/* match is used as passed in and kept up to date. */
void matcher_start(Matcher *m, const Incidence *a, uint32_t *match);
void matcher_end(Matcher *m);
/* Assigns equation e. False if there is no augmenting path. The nodes of this search are then never
 * searched again, so that all failures together cost no more than one pass over the graph. */
bool matcher_augment(Matcher *m, uint32_t e);

#endif
