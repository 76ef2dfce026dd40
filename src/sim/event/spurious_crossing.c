/* Crossings that the equations contradict.
 *
 * Behind a stiff component, the dense output of an implicit method may have larger errors than its
 * states. It can lead a crossing function over zero although the equations there drive it back. Or
 * it lags behind: the equations drive it on many times as fast. The end of a step has none of these
 * errors. So the step is repeated, up to the apparent crossing, or half way if the crossing must
 * have happened before. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { FASTER = 10, MOST_SPURIOUS = 12 /* in a row */ };
static const double BACK = 0.1;
static const double EARLIER = 0.5; /* of the way to the apparent crossing */

/* How fast z moves against its side at (t, x): along the dense output, and by the equations. False
 * if that cannot be computed. */
static bool rates(Sim *s, const double *x, double t, double span, double *along, double *meant)
{
    ModeProgram *prog = s->prog;
    double ahead = 1e-3 * span, *z = s->relations.z;
    uint32_t k = s->event.triggers[0];
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
    *along = side * (before - s->event.trigger_z[0]) / ahead;
    *meant = side * (s->event.trigger_z[0] - z[k]) / ahead;
    return true;
}

bool crossing_is_spurious(Sim *s, double t0, double *at)
{
    double te = *at;
    ModeProgram *prog = s->prog;
    double along, meant;
    if (!prog->solver->implicit || s->event.n_triggers != 1 || s->spurious.n >= MOST_SPURIOUS ||
        sliding_active(s->prog) || te - t0 <= 64 * solver_resolution(te))
        return false;
    program_states_at(prog, te, prog->x);
    if (!rates(s, prog->x, te, te - t0, &along, &meant) ||
        (meant > -BACK * fabs(along) && meant < FASTER * fabs(along)))
        return false;
    s->spurious.n++;
    s->spurious.max_step = (te - t0) * (meant > 0 ? EARLIER : 1);
    *at = t0;
    return true;
}
