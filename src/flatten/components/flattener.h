/* What the files of the flatten phase share.
 *
 * Variables and components are numbered so that the elements of an array of components follow each
 * other at a fixed distance. Everything a component has (attributes, equations, connections) is
 * made once, for the first element of all arrays around it, and repeated for the others by adding
 * the distance to the numbers of variables. Values that are split over the elements of arrays are
 * put in place at the end. */
#ifndef FLATTEN_FLATTEN_H
#define FLATTEN_FLATTEN_H

#include "flatten/flat/flat.h"
#include "instance/tree/tree.h"

typedef VEC(FlatEq) FlatEqs;
typedef struct ConnectionSets ConnectionSets;

/* Two scalars of connectors joined by a connect equation. A node is 2 * scalar, + 1 where seen from
 * inside its component (an outside connector). */
typedef struct Edge {
    uint32_t a, b;
    uint32_t comp; /* component whose class holds the connect */
    uint32_t span; /* index in Flattener.spans */
    uint32_t tie;  /* overconstrained pair that it belongs to, + 1; 0 for none */
} Edge;

/* Two overconstrained records joined by a connect equation: an optional edge of the connection
 * graph. */
typedef struct Tie {
    uint32_t a, b;         /* their nodes: the first variable that is no constant */
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

/* How far the lists of Flattener have come. */
typedef struct Progress {
    uint32_t eqs, edges, ties, marks, links, transitions;
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
    Instance *at;          /* whose equations are being made */
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
    Machines *machines;  /* once all transitions are known; NULL where there are none */
    bool has_expandable; /* the model holds expandable connectors */
    VEC(Span) spans;
    VEC(Split) splits;
} Flattener;

/* layout.c */
bool layout(Flattener *f);
bool declare_vars(Flattener *f); /* false where there are too many */

/* attributes.c */
void make_attributes(Flattener *f, Instance *leaf);
void place_splits(Flattener *f);
ExprId *slot_of(FlatVar *v, Slot slot);
/* A binding as an equation, records split. */
void binding_equation(Flattener *f, Instance *leaf, uint32_t var, ExprId value, Span span);

/* equations.c */
void make_equations(Flattener *f, Instance *inst);
void add_equal(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId rhs);

/* Calls fn for every connect equation of inst that holds, before the model is laid out. */
typedef void (*ConnectFn)(void *user, NameScope *names, const AstEq *eq);
void each_connect(Flattener *f, Instance *inst, ConnectFn fn, void *user);

/* expandable_connectors.c, unused_elements.c: section 9.1.3 */
void expand_connectors(Flattener *f);
void remove_unused(Flattener *f, const ConnectionSets *s);

/* parameter_cycles.c */
void break_parameter_cycles(Flattener *f);

/* call_equations.c */
void add_call(Flattener *f, FlatEq e, FlatEqs *out); /* a FLAT_CALL, or what stands for it */

/* connector_rules.c */
void check_connector(Flattener *f, Instance *inst); /* its children are laid out */

/* repeat_elements.c */
/* Repeats what was made for the first element of an array for the others. */
void repeat_elements(Flattener *f, const Instance *array, Progress first);
/* Puts texts in the place of the names of instances within arrays. */
void name_instances(Flattener *f);
Progress progress(const Flattener *f);
typedef struct Shift {
    uint32_t lo, hi;           /* variables [lo, hi) … */
    uint32_t by;               /* … become variables higher by this */
    uint32_t comp_lo, comp_hi; /* the same for components */
    uint32_t comp_by;
} Shift;
ExprId shift_expr(Flattener *f, ExprId e, const Shift *shifts, uint32_t n);

/* connect.c */
void make_connect(Flattener *f, NameScope *names, const AstEq *eq);
/* The first variable of what an expression stands for, constants left out; MAP_NONE where it has
 * none. */
uint32_t node_of_expr(const Flattener *f, ExprId e);

/* connection_sets.c */
struct ConnectionSets {
    Flattener *f;
    uint32_t n;       /* nodes: see Edge */
    uint32_t *parent; /* size n */
    uint32_t *edge;   /* size n: an edge at the node, + 1; 0: not connected */
    uint32_t *next;   /* size n: next member of the set, ascending; n at the end */
    uint32_t *var;    /* size n / 2: variable of a scalar */
};

void connection_equations(Flattener *f);
uint32_t set_of(ConnectionSets *s, uint32_t node); /* its first member */
ExprId scalar_expr(ConnectionSets *s, uint32_t scalar);
FlatEq connection_equation(ConnectionSets *s, FlatOrigin origin, uint32_t node);

/* overconstrained.c: section 9.4 */
typedef struct Roots Roots;
void make_connections_call(Flattener *f, NameScope *names, const AstEq *eq);
bool is_overconstrained(const Flattener *f, const Instance *inst);
/* Decides which ties are broken, and adds their equations. */
Roots *find_roots(Flattener *f);
bool is_root(const Roots *r, uint32_t node);
bool is_rooted(const Roots *r, uint32_t node);
void roots_free(Roots *r);

/* streams.c: section 15.2 */
void stream_equations(ConnectionSets *s, uint32_t root);
ExprId in_stream(ConnectionSets *s, ExprId e);
ExprId actual_stream(ConnectionSets *s, ExprId e);
/* A product of a flow and its actual stream is continuous; EXPR_NONE where e is none. */
ExprId stream_product(ConnectionSets *s, ExprId e);

/* connect_dependent.c: what depends on all connections */
bool is_connect_dependent(const Graph *g, ExprId e);
void decide_connect_dependent(Flattener *f, ConnectionSets *s, const Roots *r);

/* state_machines.c, state_equations.c: chapter 17 */
bool is_transition(const AstExpr *call); /* transition(…), initialState(…) */
void make_transition(Flattener *f, NameScope *names, const AstEq *eq);
void find_machines(Flattener *f); /* sets f->machines; all equations of components are made */
void machines_free(Machines *m);
/* Equations of states, and of the machines themselves, as clocked equations. */
void run_machines(Flattener *f);
/* Whether two variables are outputs of different states of one machine. */
bool are_outputs_of_states(const Flattener *f, uint32_t var_a, uint32_t var_b);
ExprId active_state_of(const Flattener *f,
                       uint32_t var); /* whether the state that a variable belongs to is active */
bool is_of_machine(const Flattener *f, uint32_t var); /* a variable that run_machines made */

/* clock_partitions.c: sections 16.7 and 16.8 */
void partition_clocks(Flattener *f); /* after connections */

/* local_balance.c: section 4.7 */
void check_local_balance(Flattener *f); /* components are still numbers */

/* equation_count.c */
int64_t count_equations(const Flat *flat, const FlatEq *eqs, uint32_t n);

#endif
