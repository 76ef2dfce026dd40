/* Functions of the model for lowering, in addition to dae.h: shapes of lowered expressions,
 * variables made on demand. Only for src/dae. */
#ifndef DAE_MODEL_H
#define DAE_MODEL_H

#include "dae/model/dae.h"

typedef VEC(ExprId) ExprVec;

/* ---- shapes.c ---- */
typedef struct Shapes Shapes;
Shapes *shapes_new(void);
void shapes_free(Shapes *s);
/* lhs - rhs (rhs EXPR_NONE: only lhs), over OP_VAR, elements OP_INDEX(OP_VAR, literals), OP_DER and
 * OP_PRE of these, OP_TIME and global holes. False if something else occurs or it is too large:
 * nothing was done. */
bool shape_fast(Dae *d, ExprId lhs, ExprId rhs, Term *out);
/* The same for element i of an equation between arrays, of whole variables, slices and operators
 * that work element by element. */
bool shape_fast_element(Dae *d, ExprId lhs, ExprId rhs, uint32_t i, Term *out);
/* The term of a lowered expression. */
Term shape_term(Dae *d, ExprId lowered);
/* Whether e = coef[0]*hole 0 + coef[1]*hole 1 + coef[2]. */
bool shape_coefficients(const Graph *g, ExprId e, double coef[3]);
ExprId hole_of(Dae *d, VarId v);
TypeId hole_type(const Dae *d, VarId v);

/* ---- variables.c ---- */
extern const DaeVar dae_blank_var; /* no derivative, no alias, no bounds, … */
VarId pre_var(Dae *d, VarId v);
VarId initial_var(Dae *d);
VarId terminal_var(Dae *d);
VarId lambda_var(Dae *d);
bool is_continuous(const Dae *d, VarId v);      /* changes between events */
bool is_known_parameter(const Dae *d, VarId v); /* known before initialization */
bool term_is_discrete(const Dae *d, Term t);    /* no operand changes between events */

/* ---- dae_util.c ---- */
/* values in `arena` */
EvalStatus eval_term(const Dae *d, Term t, const double *v, Arena *arena, double *out);

#endif
