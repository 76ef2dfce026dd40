/* Combinations of switches that hold at one instant only.
 *
 * Where ideal diodes hand over from one source to the next, both sources are equal at the instant
 * of the event: with both diodes conducting the equations are singular, and consistent there and
 * then. A moment later they are not. Such a combination is no solution, while that of parallel
 * ideal elements is, which stay consistent: so a block that was solved though singular is tried at
 * another time, and where it fails a combination is sought that leaves no block singular. */
#include "sim/event/event.h"
#include "sim/state/evaluate.h"

/* In no special proportion to a period: of the model's time scale, then in seconds. */
static const double later[] = {6.18e-3, 6.18e-8, 6.18e-5, 6.18e-2};
enum { N_LATER = sizeof later / sizeof later[0] };

/* Whether the equations cannot be solved a moment later, everything else being as it is. */
static bool fails_later(Sim *s, double *kept)
{
    ModeProgram *prog = s->prog;
    size_t size = prog->code->n_vars * sizeof *prog->v;
    int status = 0;
    memcpy(kept, prog->v, size);
    for (int i = 0; i < N_LATER && status != MODEL_SINGULAR; i++) {
        prog->v[0] += later[i] * (i == 0 ? model_moment(s) : 1);
        status = evaluate_call(s, prog->code->derivatives);
        status = status ? status : evaluate_call(s, prog->code->outputs);
        memcpy(prog->v, kept, size);
    }
    runtime_invalidate(prog->rt);
    prog->m->status = 0;
    return status == MODEL_SINGULAR;
}

int event_evaluate(Sim *s)
{
    ModeProgram *prog = s->prog;
    int status = evaluate_event(s, prog->code->event),
        block = status ? -1 : runtime_singular(prog->rt);
    if (block < 0)
        return status;
    CONTEXT_HOLD(s->ctx);
    arena_reset(s->scratch);
    double *kept = ARENA_ARRAY(s->scratch, double, prog->code->n_vars);
    if (!fails_later(s, kept))
        return 0;
    runtime_regular(prog->rt, 1);
    status = evaluate_event(s, prog->code->event);
    runtime_regular(prog->rt, 0);
    if (status) { /* there is none: as it was */
        memcpy(prog->v, kept, prog->code->n_vars * sizeof *prog->v);
        runtime_invalidate(prog->rt);
        prog->m->status = 0;
    }
    return 0;
}
