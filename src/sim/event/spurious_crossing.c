/* Crossings that the equations contradict.
 *
 * Behind a stiff component, the dense output of an implicit method may have larger errors than its
 * states. It can lead a crossing function over zero although the equations there drive it back. Or
 * it lags behind: the equations drive it on many times as fast. The end of a step has none of these
 * errors. So the step is repeated, up to the apparent crossing, or half way if the crossing must
 * have happened before. A step of inline integration is interpolated by a cubic, which cannot tell
 * how a relation leaves zero: such a step is repeated as well. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { FASTER = 10, MOST_SPURIOUS = 12 /* in a row */, GROWTH = 4 /* of steps afterwards */ };
static const double BACK = 0.1;
static const double EARLIER = 0.5; /* of the way to the apparent crossing */
static const double HALF = 0.5;    /* of a step */

/* How fast z of a trigger moves against its side at (t, x): along the dense output, and by the
 * equations. False if that cannot be computed. */
static bool rates(Sim *s, uint32_t trigger, const double *x, double t, double span, double *along,
                  double *meant)
{
    ModeProgram *prog = s->prog;
    double ahead = 1e-3 * span, *z = s->relations.z;
    uint32_t k = s->event.triggers[trigger];
    program_states_at(prog, t - ahead, prog->xi);
    if (evaluate_crossings(s->prog, t - ahead, prog->xi, z))
        return false;
    double before = z[k];
    if (evaluate_derivatives(s->prog, t, x))
        return false;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->xi[i] = x[i] + ahead * prog->v[prog->plan->states.at[i].der];
    if (evaluate_crossings(s->prog, t + ahead, prog->xi, z))
        return false;
    int side = locator_side(s->locator, k);
    *along = side * (before - s->event.trigger_z[trigger]) / ahead;
    *meant = side * (s->event.trigger_z[trigger] - z[k]) / ahead;
    return true;
}

/* Whether the equations contradict the crossing of every trigger; *early: one of them must have
 * crossed before. */
static bool all_contradicted(Sim *s, double te, double span, bool *early)
{
    double along, meant;
    *early = false;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        if (!rates(s, i, s->prog->x, te, span, &along, &meant) ||
            (meant > -BACK * fabs(along) && meant < FASTER * fabs(along)))
            return false;
        *early |= meant > 0;
    }
    return s->event.n_triggers > 0;
}

/* Whether relations that were at zero at the beginning of an inlined step cross in its first half,
 * without leaving zero to their side before. There the interpolation is too coarse to say on which
 * side they have left zero. */
static bool is_uncertain(Sim *s, double t0, double te)
{
    const Locator *l = s->locator;
    const Solver *solver = s->prog->solver;
    if (!solver->rate_at || t0 != solver->t0 || te - t0 > HALF * (solver->t - t0))
        return false;
    double middle = t0 + 0.5 * (te - t0), *z = s->relations.z;
    program_states_at(s->prog, middle, s->prog->xi);
    if (evaluate_crossings(s->prog, middle, s->prog->xi, z))
        return false;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t relation = s->event.triggers[i], k = locator_column(l, relation);
        if (!(fabs(l->z[0][k]) <= l->full[k] &&
              locator_side(l, relation) * z[relation] <= l->full[k]))
            return false;
    }
    return s->event.n_triggers > 0;
}

bool crossing_is_spurious(Sim *s, double t0, double *at)
{
    double te = *at;
    ModeProgram *prog = s->prog;
    bool early = false;
    if (s->spurious.n >= MOST_SPURIOUS || sliding_active(s->prog) ||
        te - t0 <= 64 * solver_resolution(te))
        return false;
    program_states_at(prog, te, prog->x);
    if (!is_uncertain(s, t0, te) &&
        !(prog->solver->implicit && all_contradicted(s, te, te - t0, &early)))
        return false;
    s->spurious.n++;
    s->spurious.max_step = (te - t0) * (early ? EARLIER : 1);
    *at = t0;
    return true;
}

/* The next steps grow from it. A step of full length could find the same crossing again, just
 * behind the short one. */
void crossing_step_passed(Sim *s, double length)
{
    if (length >= 0.99 * s->spurious.max_step) {
        s->spurious.max_step *= GROWTH;
        return;
    }
    s->spurious.n = 0;
    s->spurious.max_step = INFINITY;
}
