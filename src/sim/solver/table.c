/* The table of solvers, and what they share. */
#include "sim/sim.h"
#include "sim/solver/solver.h"

#include <float.h>
#include <math.h>

/* `auto` begins with the first row: cvode, whose implicit formulas serve stiff and other models
 * alike; see automatic.c. */
static const SolverKind kinds[] = {
    {"cvode", solver_cvode}, /* backward differentiation of order 1 to 5, exact Jacobian */
    {"ida",
     /* the same for the open form: tearing variables of blocks are unknowns of the solver */
     solver_ida},
    {"esdirk", solver_esdirk}, /* implicit one-step, order 4; keeps its step size across events */
    /* implicit one-step, order 5; keeps step size and Jacobian across events */
    {"radau", solver_radau},
    {"dopri5", solver_dopri5}, /* explicit, order 5, adaptive; keeps its step size across events */
    {"rkf45", solver_rkf45},   /* the same by Fehlberg */
    {"rk4", solver_rk4},       /* explicit, order 4, fixed step */
    {"euler", solver_euler},   /* explicit, order 1, fixed step */
    {"inline-euler", solver_inline_euler}, /* implicit, order 1, written into the equations */
    {"inline-bdf2", solver_inline_bdf2},   /* order 2 */
    {"inline-radau", solver_inline_radau}, /* Radau IIA of two stages, order 3 */
};
static const SolverKind none = {"none", solver_none};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static const SolverKind *find_named(const char *name)
{
    if (!name || !strcmp(name, "auto"))
        return &kinds[0];
    for (int i = 0; i < N_KINDS; i++)
        if (!strcmp(name, kinds[i].name))
            return &kinds[i];
    return NULL;
}

bool solver_is_inline(const char *name)
{
    return name && !strncmp(name, "inline-", 7) && find_named(name);
}

const SolverKind *solver_find(const char *name, const Problem *p)
{
    const SolverKind *kind = find_named(name);
    return kind && !p->n ? &none : kind;
}

const char *const *sim_solvers(void)
{
    static const char *const names[] = {
        "auto", "cvode", "ida",          "esdirk",      "radau",        "dopri5", "rkf45",
        "rk4",  "euler", "inline-euler", "inline-bdf2", "inline-radau", NULL};
    return names;
}

double solver_resolution(double t)
{
    return 16 * DBL_EPSILON * fabs(t) + DBL_MIN;
}

double solver_step_end(double t, double h, double limit)
{
    double end = t + h;
    return end >= limit - 1e-6 * h - solver_resolution(limit) ? limit : end;
}

double solver_norm(const Problem *p, const double *v, const double *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        double w = v[i] / solver_weight(p, i, fabs(x[i]));
        sum += w * w;
    }
    return sqrt(sum / p->n);
}

double solver_first_step(const Problem *p, double t, const double *x, const double *f, double span,
                         double *w1, double *w2)
{
    double d0 = solver_norm(p, x, x), d1 = solver_norm(p, f, x);
    double h = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
    h = fmin(h, span);
    for (uint32_t i = 0; i < p->n; i++)
        w1[i] = x[i] + h * f[i];
    if (p->f(p->user, t + h, w1, w2))
        return h;
    for (uint32_t i = 0; i < p->n; i++)
        w2[i] -= f[i];
    double d2 = fmax(solver_norm(p, w2, x) / h, d1);
    double h1 = d2 <= 1e-15 ? fmax(1e-6, h * 1e-3) : pow(0.01 / d2, 0.2);
    return fmin(fmin(100 * h, h1), span);
}

double solver_restart_step(const Problem *p, double t, const double *x, const double *f,
                           double span, double kept, double *w1, double *w2)
{
    double first = solver_first_step(p, t, x, f, span, w1, w2);
    return kept > 0 ? fmin(kept, fmax(first, 1e-4 * kept)) : first;
}

/* ---- without states: from output to output ---- */

static void none_restart(Solver *s, double t, const double *x)
{
    (void)x;
    s->t0 = s->t = t;
}

static StepStatus none_step(Solver *s, double limit)
{
    double h = s->p->max_step > 0 ? s->p->max_step : limit - s->t;
    s->t0 = s->t;
    s->t = solver_step_end(s->t0, h, limit);
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
