/* S over a step of an explicit solver, which integrates it in its own stages. See variation.h. */
#include "sim/sliding/sliding.h"
#include "sim/variation_internal.h"

#include <math.h>

/* Slopes of all directions. The tangents of states stay those at the beginning of the step. */
static int slopes(void *user, const double *s, double *out)
{
    Variation *w = user;
    ModeProgram *prog = w->s->prog;
    const PlanState *states = prog->plan->states.at;
    int status = 0;
    for (uint32_t j = 0; j < w->n && !status; j++) {
        size_t at = (size_t)j * prog->n;
        double *dv = w->dv[j];
        variation_put_states(w, j, s + at);
        status = variation_call(w, prog, dv, prog->code->variations->derivatives);
        for (uint32_t i = 0; i < prog->n; i++)
            out[at + i] = dv[states[i].der];
        variation_put_states(w, j, w->beside.from + at);
    }
    return status;
}

/* The largest error of the last step, in tolerances. */
static double error(void *user)
{
    Variation *w = user;
    const Beside *b = &w->beside;
    const Problem *p = &w->s->prog->problem;
    double most = 0;
    program_states_at(w->s->prog, w->s->prog->solver->t, w->x);
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; i < p->n; i++) {
            size_t k = (size_t)j * p->n + i;
            double size = fmax(fabs(b->from[k]), fabs(b->to[k])),
                   here = fabs(b->error[k]) / variation_weight(w, j, i, size);
            most = fmax(most, isnan(here) ? INFINITY : here);
        }
    return solver_strictness(p) * most;
}

static void fit(Variation *w)
{
    Beside *b = &w->beside;
    size_t size = (size_t)w->n * w->s->prog->n + 1;
    double **parts[] = {&b->from,      &b->stage,     &b->to,        &b->error,
                        &b->r4,        &b->slopes[0], &b->slopes[1], &b->slopes[2],
                        &b->slopes[3], &b->slopes[4], &b->slopes[5], &b->slopes[6]};
    enum { PARTS = sizeof parts / sizeof *parts };
    memory_free(w->beside_memory);
    w->beside_memory = NULL;
    w->beside_memory = memory_alloc(PARTS * size * sizeof *w->beside_memory);
    for (size_t i = 0; i < PARTS; i++)
        *parts[i] = w->beside_memory + i * size;
    *b->to = NAN;
    b->n = w->n;
    b->user = w;
    b->f = slopes;
    b->measure = error;
}

/* Pasts are not known within a step, and along a surface other tangents count. */
static bool is_usable(const Variation *w)
{
    const ModeProgram *prog = w->s->prog;
    return w->begun && !w->flaw && w->n && prog->n && w->t == prog->solver->t &&
           !prog->plan->inlined.n && !prog->mixed && !w->delays;
}

void variation_begin_step(Sim *s)
{
    Variation *w = s->variation;
    if (!w)
        return;
    Beside *b = &w->beside;
    b->known = false;
    if (!is_usable(w))
        return;
    variation_fit(w);
    if (w->beside_prog != s->prog)
        fit(w);
    for (uint32_t j = 0; j < w->n; j++)
        variation_get_states(w, j, b->from + (size_t)j * s->prog->n);
    b->same = w->beside_prog == s->prog &&
              !memcmp(b->from, b->to, (size_t)w->n * s->prog->n * sizeof *b->to);
    w->beside_prog = s->prog;
    s->prog->solver->beside = b;
}

void variation_end_step(Sim *s)
{
    if (s->variation)
        s->prog->solver->beside = NULL;
}

bool variation_stages(Variation *w, Piece *p, double t)
{
    const Beside *b = &w->beside;
    const Solver *solver = w->s->prog->solver;
    if (!b->known || b->size > 1 || w->t != solver->t0 || t != solver->t)
        return false;
    size_t size = (size_t)w->n * w->s->prog->n;
    double h = p->length = t - w->t;
    p->begin = w->t;
    p->bends = true;
    for (size_t k = 0; k < size; k++) {
        double from = b->from[k], dx = b->to[k] - from, r2 = h * b->slopes[0][k] - dx,
               r3 = dx - h * b->slopes[6][k] - r2;
        p->s[0][k] = from;
        for (int a = 1; a < 3; a++) {
            double u = variation_nodes[a];
            p->s[a][k] = from + u * (dx + (1 - u) * (r2 + u * (r3 + (1 - u) * b->r4[k])));
        }
        p->s[3][k] = b->to[k];
        p->bend[k] = b->r4[k];
    }
    return true;
}
