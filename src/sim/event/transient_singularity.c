/* Combinations of switches that are valid at one instant only.
 *
 * When ideal diodes commutate, both sources are equal at the event. With both diodes conducting,
 * the equations are singular, and consistent only at this instant. Such a combination is not a
 * solution, while parallel ideal elements are one, because they stay consistent. A block that was
 * solved although singular is therefore tried at a later time. If it fails there, a combination
 * without a singular block is searched. */
#include "sim/event/event.h"
#include "sim/state/evaluate.h"

/* In no special proportion to a period: of the model's time scale, then in seconds. */
static const double later[] = {6.18e-3, 6.18e-8, 6.18e-5, 6.18e-2};
enum { N_LATER = sizeof later / sizeof later[0] };

/* Whether the equations cannot be solved a moment later, with everything else unchanged. */
static bool fails_later(ModeProgram *prog, double *kept)
{
    size_t size = prog->code->n_vars * sizeof *prog->v;
    int status = 0;
    memcpy(kept, prog->v, size);
    for (int i = 0; i < N_LATER && status != MODEL_SINGULAR; i++) {
        prog->v[0] += later[i] * (i == 0 ? model_time_scale(prog->run) : 1);
        status = evaluate_call(prog, prog->code->derivatives);
        status = status ? status : evaluate_call(prog, prog->code->outputs);
        memcpy(prog->v, kept, size);
    }
    runtime_invalidate(prog->rt);
    prog->m->status = 0;
    return status == MODEL_SINGULAR;
}

int event_evaluate(ModeProgram *prog, bool *momentary)
{
    int status = evaluate_event(prog, prog->code->event),
        block = status ? -1 : runtime_singular(prog->rt);
    *momentary = false;
    if (block < 0)
        return status;
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    double *kept = ARENA_ARRAY(prog->run->scratch, double, prog->code->n_vars);
    if (!fails_later(prog, kept))
        return 0;
    runtime_regular(prog->rt, 1);
    status = evaluate_event(prog, prog->code->event);
    runtime_regular(prog->rt, 0);
    *momentary = status != 0;
    if (status) { /* there is none: restore */
        memcpy(prog->v, kept, prog->code->n_vars * sizeof *prog->v);
        runtime_invalidate(prog->rt);
        prog->m->status = 0;
    }
    return 0;
}
