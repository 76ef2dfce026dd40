/* Jacobians with rows that depend on many states: sums of the tangents of their operands, against
 * one tangent for each column. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "start_text.h"

enum { MOST = 400 };

/* The Jacobian at the start; alone: every row by the colours of the whole pattern. */
static void jacobian(Started *w, bool alone, double *values)
{
    ModeProgram *p = w->s->prog;
    PlanJacobian *j = (PlanJacobian *)&p->plan->jacobian;
    const PlanDense *dense = j->dense;
    double x[MOST];
    assert_true(p->n < MOST);
    for (uint32_t i = 0; i < p->n; i++)
        x[i] = p->v[p->plan->states.at[i].var];
    j->dense = alone ? NULL : dense;
    assert_int_equal(p->problem.jacobian(p->problem.user, 0, x, values), 0);
    j->dense = dense;
}

static void compare(Started *w)
{
    const PlanJacobian *j = &w->s->prog->plan->jacobian;
    uint32_t nnz = j->col_ptr[w->s->prog->n];
    double *sums = memory_alloc(nnz * sizeof *sums), *alone = memory_alloc(nnz * sizeof *alone);
    jacobian(w, false, sums);
    jacobian(w, true, alone);
    for (uint32_t k = 0; k < nnz; k++)
        assert_true(fabs(sums[k] - alone[k]) <= 1e-13 * (1 + fabs(alone[k])));
    memory_free(sums);
    memory_free(alone);
}

/* One balance is a row itself; another goes on to two rows, by a parameter and by a state. */
static void sums_of_operands(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  parameter Real C = 3, k = 0.7;\n"
                   "  Real T[60](start = {0.1*i for i in 1:60}, each fixed = true);\n"
                   "  Real s(start = 2, fixed = true), u(start = 0.5, fixed = true);\n"
                   "  Real r(start = 1, fixed = true);\n"
                   "  Real q[60], total, loss;\n"
                   "equation\n"
                   "  for i in 1:60 loop\n"
                   "    q[i] = k*i*(s - T[i])*(1 + 0.1*T[i]);\n"
                   "    der(T[i]) = q[i];\n"
                   "  end for;\n"
                   "  total = sum(q);\n"
                   "  loss = total*u + exp(s);\n"
                   "  C*der(s) = sin(u) - total;\n"
                   "  der(u) = -loss/C - u*T[1];\n"
                   "  der(r) = (3 - r - sum(T.*T)/20)*k;\n"
                   "end M;\n");
    const PlanJacobian *j = &w.s->prog->plan->jacobian;
    assert_non_null(j->dense);
    assert_true(j->n_colours > 60);
    assert_true(j->dense->n_colours <= 6);
    compare(&w);
    started_end(&w);
}

/* A torn block depends on all states. */
static void not_through_blocks(void **state)
{
    (void)state;
    Started w;
    start_text(&w, "model M\n"
                   "  Real T[60](start = {0.1*i for i in 1:60}, each fixed = true), s(start = 1);\n"
                   "equation\n"
                   "  for i in 1:60 loop\n"
                   "    der(T[i]) = s - T[i];\n"
                   "  end for;\n"
                   "  s + 0.1*sin(s) = sum(T);\n"
                   "end M;\n");
    assert_null(w.s->prog->plan->jacobian.dense);
    compare(&w);
    started_end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_of_operands),
                                       cmocka_unit_test(not_through_blocks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
