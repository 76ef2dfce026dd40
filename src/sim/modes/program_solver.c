/* The solver of the program in use: the one that the options name, or that `auto` chooses. */
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"
#include "sim/sliding/sliding.h"

#include <stdio.h>

bool solver_is_auto(const Sim *s)
{
    return !s->run.options->solver || !strcmp(s->run.options->solver, "auto");
}

/* Reported once, even if every mode has its own solver. */
static void report_first(Sim *s, const SolverKind *kind)
{
    const Problem *p = &s->prog->problem;
    if (s->reported.solver)
        return;
    s->reported.solver = true;
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

/* Mixed mode: some states are inlined, and a solver of its own integrates the others. */
static bool is_mixed_mode(const Sim *s)
{
    return s->prog->problem.part && !solver_is_inline(s->run.options->solver);
}

static const SolverKind *choose(Sim *s)
{
    const Problem *p = &s->prog->problem;
    if (is_mixed_mode(s) && solver_is_auto(s))
        return solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
    if (p->stage && !p->part && !solver_is_inline(s->run.options->solver))
        return solver_inline(s->run.options->inline_method);
    if (!solver_is_auto(s) || !p->n)
        return solver_find(s->run.options->solver, p);
    const SolverKind *kind = automatic_first(p);
    report_first(s, kind);
    return kind;
}

void program_solver_name(Sim *s)
{
    bool mixed = is_mixed_mode(s);
    snprintf(s->run.stats->solver, sizeof s->run.stats->solver, "%s%s%s", s->prog->kind->name,
             mixed ? " with " : "",
             mixed ? solver_inline(s->run.options->inline_method)->name : "");
}

/* A solver of prog->kind; false after an error. */
static bool create_solver(Sim *s)
{
    ModeProgram *prog = s->prog;
    program_solver_name(s);
    prog->solver = is_mixed_mode(s) ? solver_mixed_mode(&prog->problem, prog->kind,
                                                        s->run.options->inline_method)
                                    : prog->kind->create(&prog->problem);
    if (prog->solver)
        return true;
    s->status = SIM_FAILED;
    diag(s->run.ctx, (Span){0, 0, 0}, DIAG_R001, "solver %s cannot be set up", prog->kind->name);
    return false;
}

/* Solver auto has put another method to work. */
static void changed(void *user, const char *why)
{
    Sim *s = user;
    ModeProgram *prog = s->prog;
    const Automatic *a = &prog->automatic;
    prog->solver = a->solvers[a->at];
    prog->kind = a->kinds[a->at];
    s->run.restart = true;
    sim_log(s, LOG_STATS, "From time = %.9g on with %s: %s\n", s->run.time, prog->kind->name, why);
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
        diag(s->run.ctx, (Span){0, 0, 0}, DIAG_R009, "unknown solver %s", s->run.options->solver);
        return false;
    }
    if (!create_solver(s))
        return false;
    if (solver_is_auto(s) && !prog->problem.stage)
        automatic_create(&prog->automatic, &prog->problem, prog->kind, prog->solver,
                         (AutomaticListener){s, changed});
    fallback_create(s);
    return true;
}

static AutomaticProgress progress(const Sim *s)
{
    double evaluations = (double)s->run.stats->derivatives +
                         (double)s->run.stats->jacobians * s->prog->problem.n_colours;
    return (AutomaticProgress){s->run.time, s->run.time - s->run.options->start, evaluations,
                               s->run.restart};
}

/* Mixed mode: some of the other states are stiff, and an implicit one-step method continues. */
static void consider_stiffness(Sim *s)
{
    ModeProgram *prog = s->prog;
    Solver *explicit = prog->solver;
    if (!solver_is_auto(s) || !is_mixed_mode(s) || !explicit->stiff || prog->fallback.replaced)
        return;
    prog->kind = solver_with(SOLVER_AUTO);
    if (!create_solver(s))
        return;
    explicit->destroy(explicit);
    s->run.restart = true;
    sim_log(s, LOG_STATS,
            "From time = %.9g on with %s: the states that are not inlined are stiff\n", s->run.time,
            prog->kind->name);
}

void program_consider_solver(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (prog->problem.part)
        consider_stiffness(s);
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
