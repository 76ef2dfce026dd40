/* Combinations of switches that hold at one instant only.
 *
 * Where ideal diodes hand over from one source to the next, both sources are equal at the instant
 * of the event: with both diodes conducting the equations are singular, and consistent there and
 * then. A moment later they are not. Such a combination is no solution, while that of parallel
 * ideal elements is, which stay consistent: so a block that was solved though singular is tried at
 * another time, and where it fails a combination is sought that leaves no block singular. */
#include "sim/state/state.h"

static const double later =
    6.18e-5; /* of the span of the run: in no special proportion to a period */

/* Whether the equations cannot be solved a moment later, everything else being as it is. */
static bool fails_later(Sim *s, double *kept)
{
    size_t size = s->code->n_vars * sizeof *s->v;
    memcpy(kept, s->v, size);
    s->v[0] += later * (s->options->stop - s->options->start);
    int status = evaluate_call(s, s->code->derivatives);
    status = status ? status : evaluate_call(s, s->code->outputs);
    memcpy(s->v, kept, size);
    runtime_invalidate(s->rt);
    s->m->status = 0;
    return status == MODEL_SINGULAR;
}

int event_evaluate(Sim *s)
{
    int status = evaluate_event(s, s->code->event), block = status ? -1 : runtime_singular(s->rt);
    if (block < 0)
        return status;
    CONTEXT_HOLD(s->ctx);
    arena_reset(s->scratch);
    double *kept = ARENA_ARRAY(s->scratch, double, s->code->n_vars);
    if (!fails_later(s, kept))
        return 0;
    runtime_regular(s->rt, 1);
    status = evaluate_event(s, s->code->event);
    runtime_regular(s->rt, 0);
    if (status) { /* there is none: as it was */
        memcpy(s->v, kept, s->code->n_vars * sizeof *s->v);
        runtime_invalidate(s->rt);
        s->m->status = 0;
    }
    return 0;
}
