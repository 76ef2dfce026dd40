/* Combinations of switches that are valid at one instant only.
 *
 * When ideal diodes commutate, both sources are equal at the event. With both diodes conducting,
 * the equations are singular, and consistent only at this instant. Such a combination is not a
 * solution, while parallel ideal elements are one, because they stay consistent. A block that was
 * solved although singular is therefore tried at a later time. If it fails there, a combination
 * without a singular block is searched. */
#include "runtime/internal.h"

#include <string.h>

/* In no special proportion to a period: of the model's time scale, then in seconds. */
static const double later[] = {6.18e-3, 6.18e-8, 6.18e-5, 6.18e-2};
enum { N_LATER = sizeof later / sizeof later[0] };

static int call(Runtime *rt, const RuntimeInstant *e, int (*function)(ModelData *m))
{
    runtime_sweep(rt, e->strings, e->n_strings);
    rt->m.status = 0;
    int status = function(&rt->m);
    return status ? status : rt->m.status;
}

static void take_back(Runtime *rt, const RuntimeInstant *e)
{
    memcpy(rt->m.v, e->kept, rt->code->n_vars * sizeof *rt->m.v);
}

/* Whether the equations cannot be solved a moment later, with everything else unchanged. */
static bool fails_later(Runtime *rt, const RuntimeInstant *e)
{
    int status = 0;
    memcpy(e->kept, rt->m.v, rt->code->n_vars * sizeof *rt->m.v);
    for (int i = 0; i < N_LATER && status != MODEL_SINGULAR; i++) {
        rt->m.v[0] += later[i] * (i == 0 ? e->time_scale : 1);
        status = call(rt, e, rt->code->derivatives);
        status = status ? status : call(rt, e, rt->code->outputs);
        take_back(rt, e);
    }
    runtime_invalidate(rt);
    rt->m.status = 0;
    return status == MODEL_SINGULAR;
}

bool runtime_is_momentary(Runtime *rt, const RuntimeInstant *e)
{
    if (!fails_later(rt, e))
        return false;
    runtime_regular(rt, 1);
    rt->m.event = 1;
    int status = call(rt, e, rt->code->event);
    rt->m.event = 0;
    runtime_regular(rt, 0);
    if (status) { /* there is none: restore */
        take_back(rt, e);
        runtime_invalidate(rt);
        rt->m.status = 0;
    }
    return status != 0;
}
