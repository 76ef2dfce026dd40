/* Shared by clock_partitions.c and clock_inference.c: see clock_partitions.c. */
#ifndef FLATTEN_PARTITION_H
#define FLATTEN_PARTITION_H

#include "flatten/synchronous/synchronous.h"

typedef enum PartMarkKind {
    PART_CLOCKED,
    PART_CONTINUOUS,
    /* if it is clocked, its clock must have a solver method (section 16.8.1) */
    PART_NEEDS_SOLVER,
} PartMarkKind;

typedef struct PartMark {
    uint32_t node;
    PartMarkKind kind;
    const char *what;
    Span span;
} PartMark;

/* A clock constructor with arguments. */
typedef struct PartClock {
    uint32_t node;
    ExprId e;
    Span span;
    /* set by clock_inference.c */
    FlatClockKind kind;
    FlatRatio period; /* FLAT_CLOCK_RATIONAL */
    double seconds;   /* interval; NAN if it is not known */
    bool ok;
    bool assumed; /* of a state machine without a given clock */
} PartClock;

/* A conversion between two clocks of one base partition. */
typedef struct PartLink {
    uint32_t from, to; /* nodes of the argument and of the result */
    ExprId e;
    Span span;
    /* set by clock_inference.c: the interval of `to` is factor times that of `from`; its first tick
     * comes `shift` intervals of `from` later */
    FlatRatio factor, shift;
    bool known, bad;
} PartLink;

/* The known properties of the clock of a sub partition. */
typedef struct PartState {
    uint32_t clock; /* index of the constructor + 1; 0: unknown */
    FlatRatio factor, shift;
} PartState;

typedef struct Partitioner {
    Flattener *f;
    Graph *g;
    VEC(uint32_t) sub, base; /* forests; by node */
    VEC(PartMark) marks;
    VEC(PartClock) constructors;
    VEC(PartLink) links;
    uint32_t *scalar; /* size n_vars + 1: number of the variable's first scalar */
    uint32_t *groups; /* node of each equation */
    bool *clocked;    /* by root of base */
    bool *bad;        /* by root of base: an error was reported */
    PartState *state; /* by root of sub */
} Partitioner;

/* The root of the sub partition, or of the base partition, that contains the node. */
uint32_t sub_of(Partitioner *p, uint32_t node);
uint32_t base_of(Partitioner *p, uint32_t node);
const char *part_name(const Partitioner *p, uint32_t node); /* of a variable; NULL for a group */

/* clock_inference.c */
void infer_clocks(Partitioner *p);
/* Fills in what infer_clocks found for a root of sub. */
void clock_of_partition(Partitioner *p, uint32_t sub, FlatClock *out);

#endif
