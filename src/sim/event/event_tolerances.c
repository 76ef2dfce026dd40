/* Absolute tolerances of states, as crossing functions ask for them.
 *
 * The absolute tolerance of a state is the relative one times its nominal value. That is too coarse
 * for a state that nearly vanishes while a relation is decided by a large multiple of it: behind a
 * diode that blocks but for a leak of 1e-9, nanoamperes decide over volts. An error of a state
 * within its tolerance would then pass for a crossing. So at a restart all states are moved at once
 * by their tolerances; where a crossing function answers by much more than the tolerance times its
 * scale, the tolerances of the states it depends on are lowered by as much.
 *
 * Cost: two evaluations for each combination of relations met for the first time, and one for each
 * state where the answer is large. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum {
    KNOWN = 64 /* combinations remembered */,
    LARGE = 10 /* answers, in tolerances of z */,
    STATES_UP_TO = 1000
};
enum { RAISED = 10 /* times, after a step that failed */ };

typedef struct Combination {
    uint64_t hash;
    double *atol; /* size n; NULL: the usual ones */
    bool known;
} Combination;

typedef struct EventTolerances {
    Combination known[KNOWN];
    Combination *present; /* NULL: not chosen yet */
    double *usual;        /* size n */
    double *z, *z_x;      /* per relation: as it is, and with states moved */
} EventTolerances;

void tolerances_create(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->tolerances = NULL;
    if (!s->locator->n || !prog->n || prog->n > STATES_UP_TO)
        return;
    EventTolerances *w = prog->tolerances = ARENA_NEW(prog->own, EventTolerances);
    w->usual = ARENA_ARRAY(prog->own, double, prog->n);
    w->z = ARENA_ARRAY(prog->own, double, program_n_relations(prog));
    w->z_x = ARENA_ARRAY(prog->own, double, program_n_relations(prog));
    memcpy(w->usual, prog->atol, prog->n * sizeof *prog->atol);
}

static uint64_t hash_relations(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    uint64_t hash = 14695981039346656037u;
    for (uint32_t i = 0; i < s->locator->n; i++)
        hash = (hash ^ (program_relation_holds(prog, s->locator->relations[i]))) * 1099511628211u;
    return hash ^ hash >> 29;
}

/* The largest answer of a crossing function to states xi, in tolerances of it; 0 where it cannot be
 * told. */
static double answer(Sim *s, EventTolerances *w)
{
    ModeProgram *prog = s->prog;
    double most = 0;
    if (evaluate_indicators(s, s->time, prog->xi, w->z_x))
        return 0;
    for (uint32_t i = 0; i < s->locator->n; i++) {
        uint32_t k = s->locator->relations[i];
        double size =
            fabs(w->z_x[k] - w->z[k]) / (s->options->tolerance * program_relation(prog, k)->scale);
        most = isfinite(size) ? fmax(most, size) : most;
    }
    return most;
}

/* Signs without pattern, so that no difference of states escapes. */
static bool is_up(uint32_t i)
{
    return (i * 2654435761u >> 16) & 1;
}

static double *lowered(Sim *s, EventTolerances *w)
{
    ModeProgram *prog = s->prog;
    double *atol = ARENA_ARRAY(prog->own, double, prog->n);
    for (uint32_t i = 0; i < prog->n; i++) {
        memcpy(prog->xi, prog->x, prog->n * sizeof *prog->x);
        prog->xi[i] += w->usual[i];
        double size = answer(s, w);
        atol[i] = size > LARGE ? w->usual[i] * (LARGE / size) : w->usual[i];
    }
    return atol;
}

static void learn(Sim *s, EventTolerances *w, Combination *c)
{
    ModeProgram *prog = s->prog;
    c->known = true;
    c->atol = NULL;
    if (evaluate_indicators(s, s->time, prog->x, w->z))
        return;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->xi[i] = prog->x[i] + (is_up(i) ? w->usual[i] : -w->usual[i]);
    if (answer(s, w) > LARGE)
        c->atol = lowered(s, w);
}

void tolerances_choose(Sim *s)
{
    ModeProgram *prog = s->prog;
    EventTolerances *w = prog->tolerances;
    if (!w || sliding_active(s))
        return;
    uint64_t hash = hash_relations(s);
    Combination *c = &w->known[hash % KNOWN];
    if (!c->known || c->hash != hash) {
        c->hash = hash;
        learn(s, w, c);
    }
    w->present = c;
    memcpy(prog->atol, c->atol ? c->atol : w->usual, prog->n * sizeof *prog->atol);
    memcpy(prog->open_atol, prog->atol, prog->n * sizeof *prog->atol);
}

bool tolerances_raise(Sim *s)
{
    ModeProgram *prog = s->prog;
    EventTolerances *w = prog->tolerances;
    bool raised = false;
    if (!w || !w->present || !w->present->atol || sliding_active(s))
        return false;
    for (uint32_t i = 0; i < prog->n; i++) {
        double *atol = &w->present->atol[i];
        raised |= *atol < w->usual[i];
        *atol = fmin(RAISED * *atol, w->usual[i]);
    }
    s->restart |= raised;
    return raised;
}
