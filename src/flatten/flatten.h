/* What the files of the flatten phase share.
 *
 * Variables and components are numbered so that the elements of an array of components follow each other at a fixed
 * distance. Everything a component has (attributes, equations, connections) is made once, for the first element of
 * all arrays around it, and repeated for the others by adding the distance to the numbers of variables. Values that are
 * split over the elements of arrays are put in place at the end. */
#ifndef FLATTEN_FLATTEN_H
#define FLATTEN_FLATTEN_H

#include "flatten/flat.h"
#include "instance/tree.h"

typedef VEC(FlatEq) FlatEqs;

/* Two scalars of connectors joined by a connect equation. A node is 2 * scalar, + 1 where seen from inside its component
 * (an outside connector). */
typedef struct Edge {
    uint32_t a, b;
    uint32_t comp; /* component whose class holds the connect */
    uint32_t span; /* index in Flattener.spans */
} Edge;

typedef enum Slot { SLOT_BINDING, SLOT_START, SLOT_FIXED, SLOT_MIN, SLOT_MAX, SLOT_NOMINAL, SLOT_COUNT } Slot;

/* A value that is split over arrays of components. */
typedef struct Split {
    Instance *inst, *base;
    Slot slot;
    ExprId value; /* with the dimensions below base */
    Span span;
} Split;

typedef struct Flattener {
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

/* repeat.c */
/* Repeats what was made for the first element of an array for the others. */
void repeat_elements(Flattener *f, const Instance *array, uint32_t first_eq, uint32_t first_edge);
typedef struct Shift {
    uint32_t lo, hi; /* variables [lo, hi) … */
    uint32_t by;     /* … become variables higher by this */
} Shift;
ExprId shift_expr(Flattener *f, ExprId e, const Shift *shifts, uint32_t n);

/* connect.c */
void make_connect(Flattener *f, NameScope *names, const AstEq *eq);
void connection_equations(Flattener *f);

/* count.c */
int64_t count_equations(const Flat *flat, const FlatEq *eqs, uint32_t n);

#endif
