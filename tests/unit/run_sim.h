/* For tests of runs: a model from start to stop. */
#ifndef TESTS_RUN_SIM_H
#define TESTS_RUN_SIM_H

#include "sim/sim.h"

static inline SimStatus run_sim(Context *ctx, const Plan *plan, const ModelCode *code,
                                const SimOptions *o, const ResultSink *sink, const SimText *text,
                                SimStats *stats)
{
    Sim *s = sim_open(ctx, plan, code, o, sink, text, stats);
    if (!s)
        return SIM_BAD_SETTING;
    if (sim_start(s) && sim_advance(s, o->stop, false))
        sim_finish(s);
    return sim_close(s);
}

#endif
