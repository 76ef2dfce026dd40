/* The solver of a model without states: it goes directly to the limit. */
#include "base/memory.h"
#include "sim/solver/solver.h"

static void none_restart(Solver *s, double t, const double *x)
{
    (void)x;
    s->t0 = s->t = t;
}

static StepStatus none_step(Solver *s, double limit)
{
    s->t0 = s->t;
    s->t = limit;
    s->steps++;
    return STEP_OK;
}

static void none_dense(Solver *s, double t, double *x)
{
    (void)s, (void)t, (void)x;
}

static void none_destroy(Solver *s)
{
    memory_free(s);
}

Solver *solver_none(const Problem *p)
{
    Solver *s = memory_alloc(sizeof *s);
    *s = (Solver){.p = p,
                  .limiting = UINT32_MAX,
                  .restart = none_restart,
                  .step = none_step,
                  .dense = none_dense,
                  .destroy = none_destroy};
    return s;
}
