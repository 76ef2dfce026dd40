/* The solver of the program in use: the one that the options name, or that `auto` chooses. */
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <stdio.h>

bool solver_is_auto(const RunContext *run)
{
    return !run->options->solver || !strcmp(run->options->solver, "auto");
}

/* Reported once, even if every mode has its own solver. */
static void report_first(ModeProgram *prog, const SolverKind *kind)
{
    const Problem *p = &prog->problem;
    if (prog->run->reported.solver)
        return;
    prog->run->reported.solver = true;
    if (!(kind->properties & SOLVER_OPEN_FORM))
        run_log(prog->run, LOG_STATS,
                "Solver auto begins with %s: %u states, %u entries in the Jacobian%s\n", kind->name,
                p->n, p->col_ptr ? p->col_ptr[p->n] : 0, p->col_ptr ? "" : " (too many to count)");
    else
        run_log(prog->run, LOG_STATS,
                "Solver auto begins with %s: blocks with %u tearing variables couple %u states; "
                "the Jacobian has %u entries with them open, more than %u times as many with them "
                "solved\n",
                kind->name, p->open.n - p->n, p->n, p->open.col_ptr[p->open.n], AUTOMATIC_FULLER);
}

/* Mixed mode: some states are inlined, and a solver of its own integrates the others. */
static bool is_mixed_mode(const ModeProgram *prog)
{
    return prog->problem.part && !solver_is_inline(prog->run->options->solver);
}

static const SolverKind *choose(ModeProgram *prog)
{
    const Problem *p = &prog->problem;
    if (is_mixed_mode(prog) && solver_is_auto(prog->run))
        return solver_with(SOLVER_AUTO | SOLVER_EXPLICIT);
    if (p->stage && !p->part && !solver_is_inline(prog->run->options->solver))
        return solver_inline(prog->run->options->inline_method);
    if (!solver_is_auto(prog->run) || !p->n)
        return solver_find(prog->run->options->solver, p);
    const SolverKind *kind = automatic_first(p);
    report_first(prog, kind);
    return kind;
}

void program_solver_name(ModeProgram *prog)
{
    bool mixed = is_mixed_mode(prog);
    snprintf(prog->run->stats->solver, sizeof prog->run->stats->solver, "%s%s%s", prog->kind->name,
             mixed ? " with " : "",
             mixed ? solver_inline(prog->run->options->inline_method)->name : "");
}

/* A solver of prog->kind; false after an error. */
static bool create_solver(ModeProgram *prog)
{
    program_solver_name(prog);
    prog->solver = is_mixed_mode(prog) ? solver_mixed_mode(&prog->problem, prog->kind,
                                                           prog->run->options->inline_method)
                                       : prog->kind->create(&prog->problem);
    if (prog->solver)
        return true;
    prog->run->status = SIM_FAILED;
    diag(prog->run->ctx, (Span){0, 0, 0}, DIAG_R001, "solver %s cannot be set up",
         prog->kind->name);
    return false;
}

/* Solver auto found that steps hardly move the time. */
static bool raise_tolerances(void *user)
{
    return tolerances_raise(user);
}

/* Solver auto has put another method to work. */
static void changed(void *user, const char *why)
{
    ModeProgram *prog = user;
    const Automatic *a = &prog->automatic;
    prog->solver = a->solvers[a->at];
    prog->kind = a->kinds[a->at];
    prog->run->restart = true;
    run_log(prog->run, LOG_STATS, "From time = %.9g on with %s: %s\n", prog->run->time,
            prog->kind->name, why);
}

bool program_solver(Sim *s)
{
    ModeProgram *prog = s->prog;
    problem_create(s->prog);
    stages_problem(s->prog);
    tolerances_create(s);
    prog->kind = choose(s->prog);
    if (!prog->kind) {
        s->run.status = SIM_BAD_SETTING;
        diag(s->run.ctx, (Span){0, 0, 0}, DIAG_R009, "unknown solver %s", s->run.options->solver);
        return false;
    }
    if (!create_solver(s->prog))
        return false;
    if (solver_is_auto(&s->run) && !prog->problem.stage)
        automatic_create(&prog->automatic, &prog->problem, prog->kind, prog->solver,
                         (AutomaticListener){prog, changed, raise_tolerances});
    fallback_create(s->prog);
    return true;
}

double program_evaluations(const ModeProgram *prog)
{
    const SimStats *stats = prog->run->stats;
    return (double)(stats->derivatives + stats->crossings) +
           (double)stats->jacobians * prog->problem.n_colours;
}

static AutomaticProgress progress(const ModeProgram *prog)
{
    double evaluations = program_evaluations(prog);
    return (AutomaticProgress){prog->run->time, prog->run->time - prog->run->options->start,
                               evaluations, prog->run->restart, prog->run->tangents};
}

/* Mixed mode: some of the other states are stiff, and an implicit one-step method continues. */
static void consider_stiffness(ModeProgram *prog)
{
    Solver *explicit = prog->solver;
    if (!solver_is_auto(prog->run) || !is_mixed_mode(prog) || !explicit->stiff ||
        prog->fallback.replaced)
        return;
    prog->kind = solver_with(SOLVER_AUTO);
    if (!create_solver(prog))
        return;
    explicit->destroy(explicit);
    prog->run->restart = true;
    run_log(prog->run, LOG_STATS,
            "From time = %.9g on with %s: the states that are not inlined are stiff\n",
            prog->run->time, prog->kind->name);
}

void program_consider_solver(ModeProgram *prog)
{
    if (prog->problem.part)
        consider_stiffness(prog);
    if (prog->fallback.replaced || prog->automatic.settled || !prog->automatic.problem)
        return;
    AutomaticProgress now = progress(prog);
    automatic_consider(&prog->automatic, &now);
}

/* A block that leaves variables open (parallel ideal elements) is singular in the open form. Its
 * smallest solution is found if the evaluation solves it. */
static bool close_blocks(ModeProgram *prog)
{
    if (!(prog->kind->properties & SOLVER_OPEN_FORM) || !prog->problem.open.has_blocks ||
        prog->automatic.problem || prog->fallback.replaced)
        return false;
    (void)runtime_rescued(prog->rt);
    if (evaluate_derivatives(prog, prog->run->time, prog->x) || runtime_rescued(prog->rt) < 0)
        return false;
    Solver *open = prog->solver;
    problem_close(prog);
    if (!create_solver(prog))
        return false;
    open->destroy(open);
    prog->run->restart = true;
    return true;
}

bool program_change_solver(ModeProgram *prog)
{
    if (close_blocks(prog))
        return true;
    AutomaticProgress now = progress(prog);
    return automatic_retreat(&prog->automatic, &now);
}
