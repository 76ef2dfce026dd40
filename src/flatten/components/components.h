/* Components: numbers for their variables, attributes, equations; once for all elements of an
 * array.
 *
 * In: the instance tree. Out: Flat.vars, Flat.eqs except those of connections, and the lists of
 * connections and transitions in Flattener. */
#ifndef FLATTEN_COMPONENTS_H
#define FLATTEN_COMPONENTS_H

#include "flatten/flattener/flattener.h"

/* variables.c */
bool number_variables(Flattener *f); /* false as inst_number_variables */
bool declare_vars(Flattener *f);     /* false if there are too many */

/* attributes.c */
void make_attributes(Flattener *f, Instance *leaf);
void place_splits(Flattener *f);

/* equations.c */
void make_equations(Flattener *f, Instance *inst);
void add_equal(Flattener *f, FlatEqs *out, FlatEq like, ExprId lhs, ExprId rhs);

/* Calls fn for every connect equation of inst that applies, before variables have numbers. */
void each_connect(Flattener *f, Instance *inst, ConnectFn fn, void *user);

/* call_equations.c */
void add_call(Flattener *f, FlatEq e, FlatEqs *out); /* a FLAT_CALL, or its replacement */

/* parameter_cycles.c */
void break_parameter_cycles(Flattener *f);

/* repeat_elements.c */
/* Repeats the result for the first element of an array for the other elements. */
void repeat_elements(Flattener *f, const Instance *array, Progress first);
/* Replaces names of instances within arrays by texts. */
void name_instances(Flattener *f);
Progress progress(const Flattener *f);
typedef struct Shift {
    uint32_t lo, hi;           /* variables [lo, hi) … */
    uint32_t by;               /* … become variables higher by this */
    uint32_t comp_lo, comp_hi; /* the same for components */
    uint32_t comp_by;
} Shift;
ExprId shift_expr(Flattener *f, ExprId e, const Shift *shifts, uint32_t n);

/* visuals.c */
/* Notes a component that is drawn in animations; its variables begin at first_var. */
void note_visual(Flattener *f, Instance *inst, PathId path, uint32_t first_var);
void note_surface(Flattener *f, Instance *inst); /* the call for its points, if it is one */
void name_visuals(Flattener *f); /* values of their types of shape; calls for points */

/* local_balance.c: section 4.7 */
void check_local_balance(Flattener *f); /* components are still numbers */

#endif
