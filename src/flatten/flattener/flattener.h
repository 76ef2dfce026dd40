/* Shared by the files of the flatten phase.
 *
 * Variables and components are numbered so that the elements of an array of components follow each
 * other at a fixed distance. Everything that a component has (attributes, equations, connections)
 * is made once, for the first element of all arrays around it. It is repeated for the others by
 * adding the distance to the numbers of variables. Values that are split over the elements of
 * arrays are put in place at the end. */
#ifndef FLATTEN_FLATTENER_H
#define FLATTEN_FLATTENER_H

#include "flatten/flat/flat.h"
#include "instance/tree/tree.h"

typedef VEC(FlatEq) FlatEqs;

/* Two scalars of connectors joined by a connect equation. A node is 2 * scalar, + 1 if it is seen
 * from inside its component (an outside connector). */
typedef struct Edge {
    uint32_t a, b;
    uint32_t comp; /* component whose class holds the connect */
    uint32_t span; /* index in Flattener.spans */
    uint32_t tie;  /* overconstrained pair that it belongs to, + 1; 0 for none */
} Edge;

/* Two overconstrained records joined by a connect equation: an optional edge of the connection
 * graph. */
typedef struct Tie {
    uint32_t a, b;         /* their nodes: the first variable that is not constant */
    uint32_t var_a, var_b; /* their first variables */
    Instance *inst_a, *inst_b;
    uint32_t comp, span;
    bool broken;
} Tie;

/* Connections.branch(a, b), root(a), potentialRoot(a, priority) */
typedef enum MarkKind { MARK_BRANCH, MARK_ROOT, MARK_POTENTIAL_ROOT } MarkKind;
typedef struct GraphMark {
    MarkKind kind;
    uint32_t a, b; /* nodes, as in Tie */
    double priority;
    Span span;
} GraphMark;

/* Two connectors joined by a connect equation, each as its first scalar and their number: for
 * cardinality. */
typedef struct Link {
    uint32_t a, b, size_a, size_b;
} Link;

/* transition(from, to, condition, …), initialState(from) */
typedef struct Transition {
    RefComponent from, to;
    uint32_t comp;    /* component whose class holds it */
    ExprId condition; /* EXPR_NONE for initialState */
    bool immediate, reset, synchronize;
    int64_t priority;
    Span span;
} Transition;

typedef struct Machines Machines;

/* A surface of an animation, and the call that gives its points. */
typedef struct Surface {
    uint32_t comp;
    ExprId points;
} Surface;

/* Present lengths of the lists of Flattener. */
typedef struct Progress {
    uint32_t eqs, edges, ties, marks, links, transitions, surfaces;
} Progress;

typedef enum Slot {
    SLOT_BINDING,
    SLOT_START,
    SLOT_FIXED,
    SLOT_MIN,
    SLOT_MAX,
    SLOT_NOMINAL,
    SLOT_COUNT
} Slot;

/* A value that is split over arrays of components. */
typedef struct Split {
    Instance *inst, *base;
    Slot slot;
    ExprId value; /* with the dimensions below base; EXPR_NONE for a trait */
    Span span;
    Trait trait;
    const Value *texts; /* of a trait, with the dimensions below base */
} Split;

typedef struct Flattener {
    uint32_t n_iterations; /* of for-equations so far */
    ExprId first_node;     /* of the graph that this model made */
    Library *lib;
    Context *ctx;
    Graph *g;
    Flat *flat;
    Instance *root;
    Instance *at;          /* the component whose equations are being made */
    Instance **var_inst;   /* size n_vars: the component that a variable belongs to */
    uint32_t *var_element; /* size n_vars: number of the element over all arrays around it */
    uint32_t *scalar;      /* size n_vars + 1: number of the variable's first scalar */
    PathId *comp_path;     /* size n_comps */
    uint32_t n_vars, n_comps;
    VEC(Edge) edges;
    VEC(Tie) ties;
    VEC(GraphMark) marks;
    VEC(Link) links;
    VEC(Transition) transitions;
    VEC(Surface) surfaces;
    Machines *machines;  /* once all transitions are known; NULL if there are none */
    bool has_expandable; /* the model has expandable connectors */
    VEC(Span) spans;
    VEC(Split) splits;
} Flattener;

/* The place of the value of an attribute. */
ExprId *slot_of(FlatVar *v, Slot slot);

/* A connect equation, and the scope of its names. */
typedef void (*ConnectFn)(void *user, NameScope *names, const AstEq *eq);

#endif
