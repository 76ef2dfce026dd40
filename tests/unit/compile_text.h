/* For tests that begin with Modelica text and look at a later product: the plan, or a run. Include
 * cmocka first. */
#ifndef TESTS_COMPILE_TEXT_H
#define TESTS_COMPILE_TEXT_H

#include "from_text.h"

#include <math.h>
#include <stdio.h>

typedef struct Compiled {
    FromText text;
    Compilation c;
} Compiled;

/* The last model of the text up to this phase; false after errors. */
static inline bool compile_text(Compiled *w, const char *text, Phase last)
{
    text_begin(&w->text, text);
    w->c = (Compilation){.ctx = w->text.ctx, .library = w->text.lib};
    w->c.model = library_find_model(w->text.lib, NULL);
    assert_non_null(w->c.model);
    return compile_model(&w->c, last);
}

static inline void compiled_end(Compiled *w)
{
    compile_free(&w->c);
    text_end(&w->text);
}

/* The plan, which the phase's own checker has passed. */
static inline const Plan *plan_text(Compiled *w, const char *text)
{
    if (!compile_text(w, text, PHASE_STRUCTURE)) {
        puts(diag_render(w->text.ctx, DIAG_TEXT, false, w->text.arena));
        fail_msg("no plan");
    }
    const char *breach = plan_check(w->c.plan, w->text.arena);
    if (breach)
        fail_msg("%s\n%s", breach, plan_print(w->c.plan, w->text.arena));
    return w->c.plan;
}

static inline const char *name_in_plan(Compiled *w, VarId v)
{
    return dae_var_name(w->c.plan->dae, v, w->text.arena);
}

static inline void check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", value, expected);
}

#endif
