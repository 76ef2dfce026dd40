/* Converts a KairosRun to options of the simulation. */
#include "api/model_fit.h"
#include "base/clock.h"
#include "base/text.h"

#include <math.h>

static double or_else(double a, double b)
{
    return isnan(a) ? b : a;
}

/* Missing settings come from the experiment annotation, then from the defaults. */
static SimOptions sim_options(const KairosModel *m, const KairosRun *how)
{
    const Experiment *e = &m->compilation.flat->experiment;
    SimOptions o = {
        .start = how->start_time ? *how->start_time : or_else(e->start, 0),
        .tolerance = how->tolerance > 0 ? how->tolerance : or_else(e->tolerance, 1e-6),
        .solver = how->solver ? how->solver : "auto",
        .step = how->step,
        .event_epsilon = how->event_epsilon,
    };
    o.stop = how->stop_time ? *how->stop_time : or_else(e->stop, o.start + 1);
    double count = (o.stop - o.start) / e->interval;
    o.intervals = how->intervals              ? how->intervals
                  : count >= 1 && count < 1e8 ? (uint32_t)lround(count)
                                              : 500;
    o.warn_coarse = !how->output_points;
    double steps = how->output_step > 0 ? ceil((o.stop - o.start) / how->output_step - 1e-9) : 0;
    if (steps >= 1 && steps < 1e8) {
        o.output_step = how->output_step;
        o.intervals = (uint32_t)steps;
    }
    return o;
}

static bool choose_log(Context *ctx, const char *list, unsigned *log)
{
    static const struct {
        const char *name;
        unsigned bit;
    } kinds[] = {{"events", LOG_EVENTS}, {"init", LOG_INIT},       {"blocks", LOG_BLOCKS},
                 {"stats", LOG_STATS},   {"profile", LOG_PROFILE}, {"modes", LOG_MODES}};
    *log = 0;
    while (list && *list) {
        size_t n = strcspn(list, ","), i = 0, count = sizeof kinds / sizeof *kinds;
        while (i < count && (strlen(kinds[i].name) != n || strncmp(kinds[i].name, list, n)))
            i++;
        if (i == count) {
            diag(ctx, (Span){0}, DIAG_U008,
                 "there is no log '%.*s'; use events, modes, init, blocks, stats or "
                 "profile",
                 (int)n, list);
            return false;
        }
        *log |= kinds[i].bit;
        list += n + (list[n] == ',');
    }
    return true;
}

/* The place of `word` in the list; 0 if it is NULL. -1 after reporting. */
static int choose(Context *ctx, const char *option, const char *word, const char *const *list)
{
    for (int i = 0; list[i]; i++)
        if (!word || !strcmp(word, list[i]))
            return i;
    Text t = {0};
    for (int i = 0; list[i]; i++)
        text_printf(&t, "%s%s", i == 0 ? "" : list[i + 1] ? ", " : " or ", list[i]);
    diag(ctx, (Span){0}, DIAG_U008, "--%s cannot be '%s'; use %s", option, word, t.at);
    text_free(&t);
    return -1;
}

static bool choose_hows(Context *ctx, const KairosRun *how, SimOptions *o)
{
    static const char *const accumulation[] = {"rest", "stop", NULL};
    static const char *const chattering[] = {"slide", "stop", NULL};
    static const char *const mixed[] = {"auto", "fixpoint", "limited", "search", NULL};
    static const char *const inline_method[] = {"radau", "euler", "bdf2", NULL};
    static const char *const points[] = {"grid", "steps", "dense", "auto", NULL};
    int p = choose(ctx, "output-points", how->output_points, points);
    int a = choose(ctx, "accumulation", how->accumulation, accumulation);
    int c = choose(ctx, "chattering", how->chattering, chattering),
        m = choose(ctx, "mixed", how->mixed, mixed),
        i = choose(ctx, "inline-method", how->inline_method, inline_method);
    o->accumulation_stops = a == 1;
    o->chattering_stops = c == 1;
    o->mixed = m > 0 ? (MixedMethod)m : MIXED_AUTO;
    o->inline_method = i > 0 ? (InlineMethod)i : INLINE_RADAU;
    o->points = p > 0 ? (OutputPoints)p : POINTS_GRID;
    return p >= 0 && a >= 0 && c >= 0 && m >= 0 && i >= 0;
}

static bool choose_structure(Context *ctx, const char *name, SimStructure *structure)
{
    static const char *const names[] = {[STRUCTURE_AUTO] = "auto",
                                        [STRUCTURE_SINGLE] = "single",
                                        [STRUCTURE_MODES] = "modes",
                                        [STRUCTURE_INLINE] = "inline",
                                        [STRUCTURE_MIXED] = "mixed"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name ? name : "auto", names[i])) {
            *structure = (SimStructure)i;
            return true;
        }
    diag(ctx, (Span){0}, DIAG_U008,
         "there is no structure '%s'; use auto, single, modes, inline or mixed", name);
    return false;
}

bool options_of_run(Context *ctx, const KairosModel *m, const KairosRun *how, SimOptions *o)
{
    *o = sim_options(m, how);
    o->profile = how->on_profile != NULL;
    o->inlined = how->inlined;
    o->n_inlined = how->n_inlined;
    o->deadline = how->seconds > 0 ? clock_now() + how->seconds : 0;
    o->seconds = how->seconds;
    return choose_log(ctx, how->log, &o->log) &&
           choose_structure(ctx, how->structure, &o->structure) && choose_hows(ctx, how, o);
}
