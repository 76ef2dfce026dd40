/* Clocked partitions and state machines: chapters 16 and 17 of the specification.
 *
 * In: all equations of the flat model, and its transitions. Out: FlatEq.partition, Flat.clocks, and
 * the equations of state machines. */
#ifndef FLATTEN_SYNCHRONOUS_H
#define FLATTEN_SYNCHRONOUS_H

#include "flatten/flattener/flattener.h"

/* state_machines.c, state_equations.c: chapter 17 */
bool is_transition(const AstExpr *call); /* transition(…), initialState(…) */
void make_transition(Flattener *f, NameScope *names, const AstEq *eq);
void find_machines(Flattener *f); /* sets f->machines; all equations of components are made */
void machines_free(Machines *m);
/* Equations of states, and of the machines themselves, as clocked equations. */
void run_machines(Flattener *f);
/* Whether two variables are outputs of different states of one machine. */
bool are_outputs_of_states(const Flattener *f, uint32_t var_a, uint32_t var_b);
/* whether the state that a variable belongs to is active */
ExprId active_state_of(const Flattener *f, uint32_t var);
bool is_of_machine(const Flattener *f, uint32_t var); /* a variable that run_machines made */

/* clock_partitions.c: sections 16.7 and 16.8 */
void partition_clocks(Flattener *f); /* after connections */

#endif
