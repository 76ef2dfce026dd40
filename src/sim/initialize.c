/* Initialization: parameters, start values, the initial system, and the first event iteration.
 *
 * Out: v consistent at the start, left limits equal to their variables, relations decided. On
 * failure the run ends with the block, its equations, variables, start values and residuals. */
#include "sim/run.h"

#include "sim/event/event.h"
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/report/report.h"
#include "sim/state/evaluate.h"
#include "sim/variation_hooks.h"

#include <math.h>

/* ---- the initial system ---- */

static int solve(Sim *s)
{
    runtime_relations(s->prog->rt, NULL, s->run.eps, 1);
    runtime_invalidate(s->prog->rt);
    int status = evaluate_event(s->prog, s->prog->code->initial);
    for (uint32_t i = 0; !status && i < s->prog->n; i++)
        if (!isfinite(s->prog->v[s->prog->plan->states.at[i].var]) ||
            !isfinite(s->prog->v[s->prog->plan->states.at[i].der]))
            status = MODEL_NOT_FINITE;
    return status;
}

/* From the simplified system (λ = 0) to the actual one (λ = 1), with steps that adapt. */
static int solve_by_homotopy(Sim *s)
{
    double *last = ARENA_ARRAY(s->run.arena, double, s->prog->code->n_vars);
    size_t size = s->prog->code->n_vars * sizeof *last;
    VarId lambda = program_lambda(s->prog);
    set_guesses(s);
    s->prog->v[lambda] = 0;
    int status = solve(s);
    double at = 0, step = 0.1;
    while (!status && at < 1) {
        memcpy(last, s->prog->v, size);
        s->prog->v[lambda] = fmin(1, at + step);
        status = solve(s);
        if (!status) {
            at = s->prog->v[lambda];
            step *= 2;
        } else if (step > 1e-4) {
            memcpy(s->prog->v, last, size);
            step /= 4;
            status = 0;
        }
    }
    run_log(&s->run, LOG_INIT, "  homotopy: %s at lambda = %g\n", status ? "failed" : "arrived",
            at);
    return status;
}

/* If there are several solutions, the one that homotopy leads to from the simplified system is
 * meant. */
static int solve_both_ways(Sim *s)
{
    bool direct = program_lambda(s->prog) == NONE;
    int status = direct ? 0 : solve_by_homotopy(s);
    if (status) {
        run_log(&s->run, LOG_INIT, "  homotopy failed; trying directly\n");
        s->prog->v[program_lambda(s->prog)] = 1;
    }
    if (direct || status) {
        set_guesses(s);
        status = solve(s);
    }
    return status;
}

/* The simplified system may be harder than the actual one, and all that can be tried for a large
 * block takes long. Therefore both systems are tried quickly first. */
static int solve_initial(Sim *s)
{
    runtime_quick(s->prog->rt, true);
    int status = solve_both_ways(s);
    bool gave_up = runtime_quick(s->prog->rt, false);
    return status && gave_up ? solve_both_ways(s) : status;
}

/* ---- checks ---- */

static double operand_scale(const Sim *s, const DaeEq *eq)
{
    double scale = eq->target == NONE ? 0 : fabs(s->prog->v[eq->target]);
    for (uint32_t k = 0; k < eq->term.n; k++) {
        VarId op = program_operand(s->prog, eq->term, k);
        scale = fmax(scale, fmax(fabs(s->prog->v[op]), program_var(s->prog, op)->nominal));
    }
    return fmax(scale, 1e-12);
}

/* The residual of an initial condition; 0 if it holds. */
static double condition_rest(const Sim *s, EqId e)
{
    double value;
    const DaeEq *eq = program_equation(s->prog, e);
    if (!program_value(s->prog, eq->term, &value))
        return 0;
    double residual = eq->target == NONE ? value : value - s->prog->v[eq->target];
    return fabs(residual) <= fmax(1e-6, s->run.options->tolerance) * operand_scale(s, eq)
               ? 0
               : residual;
}

/* The residual of a condition that was dropped as redundant; 0 if it holds. */
static double redundant_rest(const Sim *s, const PlanChoice *choice)
{
    return choice->what != DROPPED_REDUNDANT || choice->eq == NONE ? 0
                                                                   : condition_rest(s, choice->eq);
}

static bool holds_redundant(const Sim *s)
{
    for (uint32_t i = 0; i < s->prog->plan->choices.n; i++)
        if (redundant_rest(s, &s->prog->plan->choices.at[i]) != 0)
            return false;
    return true;
}

static bool check_redundant(Sim *s)
{
    CONTEXT_HOLD(s->run.ctx);
    bool consistent = true;
    for (uint32_t i = 0; i < s->prog->plan->choices.n; i++) {
        const PlanChoice *choice = &s->prog->plan->choices.at[i];
        double rest = redundant_rest(s, choice);
        if (rest == 0)
            continue;
        arena_reset(s->run.scratch);
        diag(s->run.ctx, program_equation(s->prog, choice->eq)->span, DIAG_R003,
             "initial condition contradicts the others: %s (difference %g)",
             program_equation_text(s->prog, choice->eq, s->run.scratch), rest);
        consistent = false;
    }
    if (!consistent)
        s->run.status = SIM_FAILED;
    return consistent;
}

/* A run that begins with a jump may change start values, but must fulfil initial equations. */
static bool check_after_jump(Sim *s)
{
    CONTEXT_HOLD(s->run.ctx);
    bool consistent = true;
    for (EqId e = 0; e < program_n_model_equations(s->prog); e++) {
        const DaeEq *eq = program_equation(s->prog, e);
        double rest = eq->origin == DAE_EQ_INITIAL && eq->target == NONE ? condition_rest(s, e) : 0;
        if (rest == 0)
            continue;
        arena_reset(s->run.scratch);
        diag(s->run.ctx, eq->span, DIAG_R003,
             "the initial system has no solution; this condition does not hold: %s (difference %g)",
             program_equation_text(s->prog, e, s->run.scratch), rest);
        consistent = false;
    }
    if (!consistent)
        s->run.status = SIM_FAILED;
    return consistent;
}

/* The initial system of the mode of its solution. If it has no solution, or fixed start values
 * contradict the switches, these count as left limits, and the run begins with a jump. */
static bool solve_modes(Sim *s, bool *jumped)
{
    enum { MOST_MODES = 16 };
    bool again = true;
    int status = 0;
    for (int k = 0; k < MOST_MODES && again; k++) {
        status = solve_initial(s);
        if (status &&
            (modes_retry(s) || (modes_use_less_tearing(s, status) && set_parameters(s->prog))))
            continue;
        if (status || modes_initial(s, &again))
            break;
        if (again && !set_parameters(s->prog))
            return false;
    }
    *jumped = (status || again || !holds_redundant(s)) && modes_jumped(s);
    if (*jumped)
        return true;
    return status ? fail_initial(s->prog, status) : check_redundant(s);
}

static bool check_reinits(Sim *s)
{
    bool good = true;
    if (modes_active(s)) /* a state of one mode need not be one of another */
        return true;
    for (uint32_t i = 0; i < program_n_actions(s->prog); i++) {
        const DaeAction *a = program_action(s->prog, i);
        if (a->kind != ACTION_REINIT)
            continue;
        double sign;
        VarId var = resolve_alias(s->prog, a->target, &sign);
        bool found = false;
        for (uint32_t k = 0; !found && k < s->prog->n; k++)
            found = s->prog->plan->states.at[k].var == var;
        if (found)
            continue;
        arena_reset(s->run.scratch);
        diag(
            s->run.ctx, a->span, DIAG_R013,
            "reinit(%s, …): %s was not chosen as a state; give it stateSelect = StateSelect.always",
            describe_variable(s->prog, a->target), describe_variable(s->prog, a->target));
        good = false;
    }
    if (!good)
        s->run.status = SIM_FAILED;
    return good;
}

static void log_choices(Sim *s)
{
    CONTEXT_HOLD(s->run.ctx);
    if (!(s->run.options->log & LOG_INIT))
        return;
    run_log(&s->run, LOG_INIT, "Initialization at time = %g\n", s->run.options->start);
    for (uint32_t i = 0; i < s->prog->plan->choices.n; i++) {
        const PlanChoice *choice = &s->prog->plan->choices.at[i];
        arena_reset(s->run.scratch);
        if (choice->what == CHOSE_START)
            run_log(&s->run, LOG_INIT, "  added: %s = %g, its start value%s\n",
                    describe_variable(s->prog, choice->var), start_value(s->prog, choice->var),
                    program_var(s->prog, choice->var)->has_start ? "" : " (by default)");
        else if (choice->eq != NONE)
            run_log(&s->run, LOG_INIT, "  left out, to be checked: %s\n",
                    program_equation_text(s->prog, choice->eq, s->run.scratch));
    }
}

static void log_states(Sim *s)
{
    for (uint32_t i = 0; (s->run.options->log & LOG_INIT) && i < s->prog->n; i++) {
        arena_reset(s->run.scratch);
        VarId var = s->prog->plan->states.at[i].var;
        run_log(&s->run, LOG_INIT, "  state %s = %.10g\n", describe_variable(s->prog, var),
                s->prog->v[var]);
    }
}

/* ---- the whole ---- */

/* Actions of `when initial()` take effect; initial() ends; left limits follow; remaining changes
 * are iterated as at any event. */
static bool first_event(Sim *s)
{
    event_begin(s, s->run.options->start);
    s->event.initial = true;
    int status = 0;
    event_act(s, &status);
    if (status)
        return fail_model(s->prog, status, "initializing");
    if (!event_initial_asserts(s))
        return false;
    if (program_initial(s->prog) != NONE)
        s->prog->v[program_initial(s->prog)] = 0;
    for (uint32_t i = 0; i < s->discrete.n; i++)
        s->discrete.before[i] = s->prog->v[s->discrete.vars[i]];
    for (uint32_t i = 0; i < s->pres.n; i++)
        s->prog->v[s->pres.at[i].pre] = s->pres.at[i].sign * s->prog->v[s->pres.at[i].base];
    status = evaluate_call(s->prog, s->prog->code->constants);
    if (status)
        return fail_model(s->prog, status, "computing constants");
    return event_settle(s);
}

bool sim_initialize(Sim *s)
{
    bool jumped = false;
    s->run.time = s->run.options->start;
    s->prog->v[0] = s->run.time;
    s->event.initial = true;
    if (!set_parameters(s->prog))
        return false;
    log_choices(s);
    if (!check_reinits(s) || !solve_modes(s, &jumped) || !schedule_start(s) || !delays_start(s))
        return false;
    variation_initial(s);
    if (!first_event(s) || !delays_start(s) || (jumped && !check_after_jump(s)))
        return false;
    variation_settled(s, true);
    variation_exchange(s, true);
    stateset_start(s->prog);
    get_states(s->prog, s->prog->x);
    variation_exchange(s, false);
    log_states(s);
    event_log_write(s);
    return true;
}
