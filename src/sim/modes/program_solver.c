/* The solver of the program in use: the one that the options name, or that `auto` chooses. */
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"
#include "sim/sliding/sliding.h"

#include <stdio.h>

static bool is_auto(const Sim *s)
{
    return !s->options->solver || !strcmp(s->options->solver, "auto");
}

/* Reported once, also where every mode has a solver of its own. */
static void tell_first(Sim *s, const SolverKind *kind)
{
    const Problem *p = &s->prog->problem;
    if (s->told.solver)
        return;
    s->told.solver = true;
    if (!(kind->properties & SOLVER_OPEN_FORM))
        sim_log(s, LOG_STATS,
                "Solver auto begins with %s: %u states, %u entries in the Jacobian%s\n", kind->name,
                p->n, p->col_ptr ? p->col_ptr[p->n] : 0, p->col_ptr ? "" : " (too many to count)");
    else
        sim_log(s, LOG_STATS,
                "Solver auto begins with %s: blocks with %u tearing variables couple %u states; "
                "the Jacobian has %u entries with them open, more than %u times as many with them "
                "solved\n",
                kind->name, p->open.n - p->n, p->n, p->open.col_ptr[p->open.n], AUTOMATIC_FULLER);
}

static const SolverKind *choose(Sim *s)
{
    const Problem *p = &s->prog->problem;
    if (p->stage && !solver_is_inline(s->options->solver))
        return solver_with(SOLVER_AUTO | SOLVER_INLINE);
    if (!is_auto(s) || !p->n)
        return solver_find(s->options->solver, p);
    const SolverKind *kind = automatic_first(p);
    tell_first(s, kind);
    return kind;
}

/* Solver auto has put another method to work. */
static void changed(void *user, const char *why)
{
    Sim *s = user;
    ModeProgram *prog = s->prog;
    const Automatic *a = &prog->automatic;
    prog->solver = a->solvers[a->at];
    prog->kind = a->kinds[a->at];
    s->restart = true;
    sim_log(s, LOG_STATS, "From time = %.9g on with %s: %s\n", s->time, prog->kind->name, why);
}

bool program_solver(Sim *s)
{
    ModeProgram *prog = s->prog;
    problem_create(s);
    stages_problem(s);
    tolerances_create(s);
    prog->kind = choose(s);
    if (!prog->kind) {
        s->status = SIM_BAD_SETTING;
        diag(s->ctx, (Span){0, 0, 0}, DIAG_R009, "unknown solver %s", s->options->solver);
        return false;
    }
    snprintf(s->stats->solver, sizeof s->stats->solver, "%s", prog->kind->name);
    prog->solver = prog->kind->create(&prog->problem);
    if (!prog->solver) {
        s->status = SIM_FAILED;
        diag(s->ctx, (Span){0, 0, 0}, DIAG_R001, "solver %s cannot be set up", prog->kind->name);
        return false;
    }
    if (is_auto(s) && !prog->plan->inlined.n)
        automatic_create(&prog->automatic, &prog->problem, prog->kind, prog->solver,
                         (AutomaticListener){s, changed});
    fallback_create(s);
    return true;
}

static AutomaticProgress progress(const Sim *s)
{
    double evaluations =
        (double)s->stats->derivatives + (double)s->stats->jacobians * s->prog->problem.n_colours;
    return (AutomaticProgress){s->time, s->time - s->options->start, evaluations, s->restart};
}

void program_consider_solver(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (prog->fallback.replaced || prog->automatic.settled || !prog->automatic.problem)
        return;
    AutomaticProgress now = progress(s);
    automatic_consider(&prog->automatic, &now);
}

bool program_change_solver(Sim *s)
{
    AutomaticProgress now = progress(s);
    return automatic_retreat(&s->prog->automatic, &now);
}
