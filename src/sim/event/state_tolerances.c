/* The tolerances of a run's states at restarts, by event_tolerances.h. */
#include "sim/event/event.h"
#include "sim/event/event_tolerances.h"
#include "sim/event/locator.h"
#include "sim/state/evaluate.h"

enum { STATES_UP_TO = 1000 };

/* The columns of the locator, out of all relations. */
static int evaluate(void *user, const double *x, double *z)
{
    Sim *s = user;
    int status = evaluate_crossings(s->prog, s->run.time, x, s->relations.z);
    for (uint32_t i = 0; !status && i < s->locator->n; i++)
        z[i] = s->relations.z[s->locator->relations[i]];
    return status;
}

void tolerances_create(Sim *s)
{
    ModeProgram *prog = s->prog;
    const Locator *l = s->locator;
    prog->tolerances = NULL;
    if (!l->n || !prog->n || prog->n > STATES_UP_TO)
        return;
    double *z = ARENA_ARRAY(prog->own, double, l->n);
    for (uint32_t i = 0; i < l->n; i++)
        z[i] = s->run.options->tolerance * program_relation(prog, l->relations[i])->scale;
    bool *is_switch = ARENA_ARRAY(prog->own, bool, l->n);
    for (uint32_t i = 0; i < l->n && l->switching; i++)
        is_switch[i] = l->switching[l->relations[i]];
    ToleranceSizes sizes = {.n = prog->n,
                            .atol = prog->atol,
                            .rtol = solver_tolerance(prog),
                            .n_z = l->n,
                            .z = z,
                            .is_switch = is_switch};
    prog->tolerances = event_tolerances_new(prog->own, sizes, (ToleranceHost){s, evaluate});
}

static uint64_t hash_relations(const ModeProgram *prog)
{
    uint64_t hash = 14695981039346656037u;
    for (uint32_t k = 0; k < program_n_relations(prog); k++)
        hash = (hash ^ program_relation_holds(prog, k)) * 1099511628211u;
    return hash ^ hash >> 29;
}

void tolerances_choose(ModeProgram *prog)
{
    if (!prog->tolerances || sliding_active(prog))
        return;
    const double *atol = event_tolerances_of(prog->tolerances, hash_relations(prog), prog->x);
    double tolerance = solver_tolerance(prog);
    for (uint32_t i = 0; i < prog->n; i++) {
        double nominal = program_var(prog, prog->plan->states.at[i].var)->nominal;
        prog->atol[i] = atol[i] * (prog->usual_atol[i] / (tolerance * nominal));
    }
    memcpy(prog->open_atol, prog->atol, prog->n * sizeof *prog->atol);
}

double tolerances_gain(const ModeProgram *prog, bool *lost)
{
    *lost = false;
    if (!prog->tolerances || sliding_active(prog))
        return 0;
    return event_tolerances_gain(prog->tolerances, lost) * prog->run->options->tolerance /
           solver_tolerance(prog);
}

bool tolerances_raise(ModeProgram *prog)
{
    bool raised =
        prog->tolerances && !sliding_active(prog) && event_tolerances_raise(prog->tolerances);
    prog->run->restart |= raised;
    return raised;
}
