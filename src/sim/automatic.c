/* Solver `auto`: backward differentiation formulas, and a one-step method where events are dense.
 *
 * A restart throws away the history on which a multistep method lives; it comes back with order one and short steps. So, once a
 * window of restarts had only few steps between them, the one-step method gets a window of its own. It is left again where it
 * needs more evaluations for an event, where the model proves stiff or a step fails (both for good), and where events have
 * become rare. All decisions rest on counts, so that a run can be repeated exactly. */
#include "sim/internal.h"

enum { WINDOW = 50 /* restarts */, DENSE = 25 /* steps between restarts */, RARE = 100, STATES_UP_TO = 1000 };

static bool is_auto(const Sim *s)
{
    return !s->options->solver || !strcmp(s->options->solver, "auto");
}

void automatic_create(Sim *s)
{
    bool has_events = s->locator.n || s->dae->samples.n || s->schedule.n_relations;
    if (!is_auto(s) || !s->n || s->n > STATES_UP_TO || !has_events)
        return;
    s->automatic.kinds[0] = s->kind;
    s->automatic.kinds[1] = solver_find("dopri5", &s->problem);
    s->automatic.solvers[0] = s->solver;
    s->automatic.solvers[1] = s->automatic.kinds[1]->create(&s->problem);
    s->automatic.settled = !s->automatic.solvers[1];
}

void automatic_destroy(Sim *s)
{
    for (int i = 0; i < 2; i++)
        if (s->automatic.solvers[i] && s->automatic.solvers[i] != s->solver)
            s->automatic.solvers[i]->destroy(s->automatic.solvers[i]);
}

void automatic_count(const Sim *s, uint64_t *steps, uint64_t *rejected)
{
    *steps = s->solver->steps;
    *rejected = s->solver->rejected;
    for (int i = 0; i < 2; i++)
        if (s->automatic.solvers[i] && s->automatic.solvers[i] != s->solver) {
            *steps += s->automatic.solvers[i]->steps;
            *rejected += s->automatic.solvers[i]->rejected;
        }
}

static void begin_window(Sim *s)
{
    Automatic *a = &s->automatic;
    a->restarts = 0;
    a->steps = a->last_steps = s->solver->steps;
    a->derivatives = s->stats->derivatives;
}

static void change(Sim *s, int to, bool settled, const char *why)
{
    Automatic *a = &s->automatic;
    a->one_step = to == 1;
    a->settled = settled;
    s->solver = a->solvers[to];
    s->kind = a->kinds[to];
    s->restart = true;
    s->stats->solver = "cvode and dopri5";
    sim_log(s, LOG_STATS, "From time = %.9g on with %s: %s\n", s->time, s->kind->name, why);
    begin_window(s);
}

static void judge_window(Sim *s)
{
    Automatic *a = &s->automatic;
    double cost = (double)(s->stats->derivatives - a->derivatives) / WINDOW;
    if (a->one_step) {
        if (cost > a->cost)
            change(s, 0, true, "it needs fewer evaluations for an event");
    } else if (s->solver->steps - a->steps < DENSE * WINDOW) {
        a->cost = cost;
        change(s, 1, false, "events are dense");
    }
    begin_window(s);
}

void automatic_consider(Sim *s)
{
    Automatic *a = &s->automatic;
    if (a->settled || !a->solvers[1])
        return;
    if (a->one_step && s->solver->stiff)
        change(s, 0, true, "the model is stiff");
    else if (a->one_step && s->solver->steps - a->last_steps > RARE)
        change(s, 0, false, "events have become rare");
    if (!s->restart)
        return;
    a->last_steps = s->solver->steps;
    if (++a->restarts >= WINDOW)
        judge_window(s);
}

bool automatic_retreat(Sim *s)
{
    if (!s->automatic.one_step)
        return false;
    change(s, 0, true, "a step failed");
    return true;
}
