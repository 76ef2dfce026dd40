/* Absolute tolerances for crossing functions.
 *
 * The absolute tolerance of a state is the relative one times its nominal value. This is too coarse
 * for a state near zero if a large multiple of it decides a relation. Behind a blocking diode with
 * a leak of 1e-9, nanoamperes decide about volts, and an error within the tolerance would look like
 * a crossing.
 *
 * If a switch needs more digits than the states have, the states are not the right unknowns. If it
 * needs many, they may be costly unknowns (event_tolerances_gain).
 *
 * All states are moved at once by their tolerances. If a crossing function changes by much more
 * than its tolerance, the tolerances of its states are lowered by the same factor. Cost: two
 * evaluations for each new combination of relations, and one for each state if the change is large.
 */
#include "sim/event/event_tolerances.h"

#include <float.h>
#include <math.h>

enum { KNOWN = 64 /* combinations remembered */, LARGE = 10 /* answers, in tolerances of z */ };
enum { RAISED = 10 /* times, after a step that failed */ };
enum { SENSITIVE = 30 /* an answer of a switch */ };
static const double FEW_DIGITS = 1e-12; /* of a state: no solver satisfies a smaller tolerance */

typedef struct Combination {
    uint64_t hash;
    double *atol; /* size n; NULL: the usual ones */
    bool known;
    bool lost;   /* switches need more digits than the states have */
    double gain; /* the largest answer of a switch */
} Combination;

struct EventTolerances {
    Arena *arena;
    ToleranceSizes sizes;
    ToleranceHost host;
    Combination known[KNOWN];
    Combination *present; /* NULL: not chosen yet */
    double *usual;        /* size n */
    double *x;            /* size n: states moved */
    double *z, *z_x;      /* per crossing function: as it is, and with states moved */
    double of_switches;   /* the largest answer of a switch to the last move */
};

EventTolerances *event_tolerances_new(Arena *arena, ToleranceSizes sizes, ToleranceHost host)
{
    EventTolerances *w = ARENA_NEW(arena, EventTolerances);
    *w = (EventTolerances){.arena = arena, .sizes = sizes, .host = host};
    w->usual = ARENA_ARRAY(arena, double, sizes.n);
    w->x = ARENA_ARRAY(arena, double, sizes.n);
    w->z = ARENA_ARRAY(arena, double, sizes.n_z);
    w->z_x = ARENA_ARRAY(arena, double, sizes.n_z);
    memcpy(w->usual, sizes.atol, sizes.n * sizeof *w->usual);
    return w;
}

/* The largest answer of a crossing function to the moved states, in units of its tolerance; 0 if
 * unknown. */
static double answer(EventTolerances *w)
{
    double most = 0;
    w->of_switches = 0;
    if (w->host.evaluate(w->host.user, w->x, w->z_x))
        return 0;
    for (uint32_t i = 0; i < w->sizes.n_z; i++) {
        double size = fabs(w->z_x[i] - w->z[i]) / w->sizes.z[i];
        if (!isfinite(size))
            continue;
        most = fmax(most, size);
        if (w->sizes.is_switch && w->sizes.is_switch[i])
            w->of_switches = fmax(w->of_switches, size);
    }
    return most;
}

/* Signs without a pattern, so that no difference of states cancels. */
static bool is_up(uint32_t i)
{
    return (i * 2654435761u >> 16) & 1;
}

/* Whether a switch needs more digits of state i than it has now, or than its usual value has. */
static bool is_lost(const EventTolerances *w, uint32_t i, double x)
{
    double needed = w->usual[i] * (LARGE / w->of_switches), nominal = w->usual[i] / w->sizes.rtol;
    return w->of_switches > LARGE && needed < fmax(FEW_DIGITS * fabs(x), DBL_EPSILON * nominal);
}

static double *lowered(EventTolerances *w, const double *x, Combination *c)
{
    double *atol = ARENA_ARRAY(w->arena, double, w->sizes.n);
    for (uint32_t i = 0; i < w->sizes.n; i++) {
        memcpy(w->x, x, w->sizes.n * sizeof *x);
        w->x[i] += w->usual[i];
        double size = answer(w);
        atol[i] = size > LARGE ? w->usual[i] * (LARGE / size) : w->usual[i];
        c->lost |= is_lost(w, i, x[i]);
        c->gain = fmax(c->gain, w->of_switches);
    }
    return atol;
}

static void learn(EventTolerances *w, Combination *c, const double *x)
{
    c->known = true;
    c->lost = false;
    c->gain = 0;
    c->atol = NULL;
    if (w->host.evaluate(w->host.user, x, w->z))
        return;
    for (uint32_t i = 0; i < w->sizes.n; i++)
        w->x[i] = x[i] + (is_up(i) ? w->usual[i] : -w->usual[i]);
    if (answer(w) > LARGE)
        c->atol = lowered(w, x, c);
}

const double *event_tolerances_of(EventTolerances *w, uint64_t hash, const double *x)
{
    Combination *c = &w->known[hash % KNOWN];
    if (!c->known || c->hash != hash) {
        c->hash = hash;
        learn(w, c, x);
    }
    w->present = c;
    return c->atol ? c->atol : w->usual;
}

double event_tolerances_gain(const EventTolerances *w, bool *lost)
{
    const Combination *c = w->present;
    *lost = c && c->lost;
    return c && (c->lost || c->gain > SENSITIVE) ? c->gain : 0;
}

bool event_tolerances_raise(EventTolerances *w)
{
    bool raised = false;
    if (!w->present || !w->present->atol)
        return false;
    for (uint32_t i = 0; i < w->sizes.n; i++) {
        double *atol = &w->present->atol[i];
        raised |= *atol < w->usual[i];
        *atol = fmin(RAISED * *atol, w->usual[i]);
    }
    return raised;
}
