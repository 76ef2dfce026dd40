/* Terms as programs of intervals over time, states, and variables that are fixed between events.
 *
 * In: a program, and terms of it. Out: nodes, each after its arguments. Explicit equations are part
 * of them; unknowns of torn blocks are not, and are left without bounds. */
#ifndef SIM_EVENT_INTERVAL_PROGRAM_H
#define SIM_EVENT_INTERVAL_PROGRAM_H

#include "expr/function.h"
#include "expr/interval.h"
#include "sim/state/state.h"

typedef enum BoundKind {
    BOUND_FIXED,
    BOUND_TIME,
    BOUND_STATE,
    BOUND_UNKNOWN,
    BOUND_OPERATOR
} BoundKind;

/* How z depends on time and states. */
typedef enum Degree { CONSTANT, AFFINE, NONLINEAR, UNBOUNDED } Degree;

typedef struct BoundNode {
    uint8_t what;   /* BoundKind */
    uint8_t degree; /* Degree */
    uint8_t op, kind;
    /* BOUND_OPERATOR: in IntervalProgram.args; BOUND_FIXED: args is the variable, NONE for a number
     */
    uint32_t args, n;
} BoundNode;

typedef VEC(uint32_t) NodeIndices;

typedef struct IntervalProgram {
    const ModeProgram *prog;
    VEC(BoundNode) nodes;
    NodeIndices args;
    VEC(Range) value;   /* per node */
    uint32_t time;      /* its node */
    NodeIndices states; /* in use: index in plan->states */
    NodeIndices leaves; /* the node of each */
} IntervalProgram;

/* A part of an equation or relation: `shape` has the operands of `term`. */
typedef struct IntervalTerm {
    Term term;
    ExprId shape;
} IntervalTerm;

/* Nodes of n terms; node[i] is that of terms[i]. In memory of its own. calls: calls of functions
 * that intervals_follow accepts are part of them; the result of any other call has no bounds. */
void intervals_create(IntervalProgram *w, const ModeProgram *prog, const IntervalTerm *terms,
                      uint32_t n, bool calls, uint32_t *node, Arena *scratch);
/* A function of a few assignments to numbers. */
bool intervals_follow(const Graph *g, const Function *f);
void intervals_free(IntervalProgram *w);
void intervals_compute(IntervalProgram *w, uint32_t node); /* arguments and leaves are known */
/* Variables that are fixed between events, and what follows from them alone. */
void intervals_fix(IntervalProgram *w);
/* Appends the nodes that `node` depends on to `parts`, ascending, without those that are
 * fixed between events. None if they are more than `largest`. mark: all false, per node. */
void intervals_list_parts(const IntervalProgram *w, uint32_t node, uint32_t largest,
                          NodeIndices *parts, bool *mark);

#endif
