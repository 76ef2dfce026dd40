/* For tests of parts of a run: the run of Modelica text, just after its start. Include cmocka
 * first.
 */
#ifndef TESTS_START_TEXT_H
#define TESTS_START_TEXT_H

#include "compile_text.h"

#include "sim/sim.h"
#include "sim/state/state.h"

typedef struct Started {
    Compiled model;
    SimOptions options;
    SimText text;
    ResultSink sink;
    Sim *s;
} Started;

static inline bool forget_row(void *user, const double *v)
{
    (void)user, (void)v;
    return true;
}

static inline void start_text(Started *w, const char *text)
{
    *w = (Started){.options = {.stop = 1, .intervals = 1, .tolerance = 1e-6, .solver = "dopri5"},
                   .sink = {.row = forget_row}};
    bool ok = compile_text(&w->model, text, PHASE_LOAD);
    if (ok)
        w->s = sim_open(w->model.c.ctx, w->model.c.plan, load_code(w->model.c.loaded), &w->options,
                        &w->sink, &w->text, NULL);
    if (!w->s || !sim_start(w->s)) {
        puts(diag_render(w->model.text.ctx, DIAG_TEXT, false, w->model.text.arena));
        fail_msg("no run");
    }
}

static inline void started_end(Started *w)
{
    sim_close(w->s);
    compiled_end(&w->model);
}

#endif
