/* The log of modes: each mode when it is entered, and totals at the end. The event log has the same
 * as JSON (event_log.c). */
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "sim/profile/profile.h"

#include <math.h>
#include <stdio.h>

/* "closed = true", in the words of the model. For a value whose number does not matter, NAN stands
 * in the key. */
static char *guard_text(ModeProgram *prog, uint32_t i, double value)
{
    VarId v = prog->run->guards.at[i];
    const DaeVar *x = program_var(prog, v);
    const char *name =
        x->kind == DAE_RELATION ? describe_relation(prog, x->detail) : describe_variable(prog, v);
    if (isnan(value))
        return arena_printf(prog->run->scratch,
                            x->kind == DAE_PARAMETER ? "%s <> 0" : "%s = another value", name);
    return arena_printf(prog->run->scratch, "%s = %s", name, describe_value(prog, v, value));
}

char *mode_log_text(ModeProgram *prog, const double *key)
{
    char *text = "";
    for (uint32_t i = 0; i < prog->run->guards.n; i++)
        text = arena_printf(prog->run->scratch, "%s%s%s", text, i ? ", " : "",
                            guard_text(prog, i, key[i]));
    return text;
}

/* For a mode with many guards, those that have changed since the last report. */
static void report_guards(Sim *s)
{
    enum { MANY = 12 };
    Modes *w = s->modes;
    const double *key = s->prog->key;
    if (!w->reported.values)
        w->reported.values = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
    char *text = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->run.guards.n; i++) {
        bool changed =
            s->run.guards.n != w->reported.n ||
            !(w->reported.values[i] == key[i] || (isnan(w->reported.values[i]) && isnan(key[i])));
        if (changed || s->run.guards.n <= MANY)
            text = arena_printf(s->run.scratch, "%s%s%s", text, n++ ? ", " : "",
                                guard_text(s->prog, i, key[i]));
        w->reported.values[i] = key[i];
    }
    w->reported.n = s->run.guards.n;
    run_log(&s->run, LOG_MODES,
            n < s->run.guards.n ? "Mode at time = %.9g: %s; %u other guards as before\n"
                                : "Mode at time = %.9g: %s\n",
            s->run.time, text, s->run.guards.n - n);
}

void mode_log_mode(Sim *s, const double *before)
{
    Modes *w = s->modes;
    if (!(s->run.options->log & LOG_MODES))
        return;
    CONTEXT_HOLD(s->run.ctx);
    arena_reset(s->run.scratch);
    report_guards(s);
    char *states = "";
    for (uint32_t i = 0; i < s->prog->n; i++)
        states = arena_printf(s->run.scratch, "%s %s", states,
                              describe_variable(s->prog, s->prog->plan->states.at[i].var));
    run_log(&s->run, LOG_MODES, "  %u state%s:%s\n", s->prog->n, s->prog->n == 1 ? "" : "s",
            states);
    for (uint32_t i = 0; i < s->prog->plan->differentiated.n; i++)
        run_log(
            &s->run, LOG_MODES, "  differentiated: %s\n",
            program_equation_text(s->prog, s->prog->plan->differentiated.at[i], s->run.scratch));
    for (uint32_t i = 0; before && i < w->inlined.all->n; i++)
        if (jump_moved(s->prog, i, before[i], w->jump.stand[i]))
            run_log(&s->run, LOG_MODES, "  jump: %s from %.9g to %.9g\n",
                    describe_variable(s->prog, w->jump.means[i]), before[i], w->jump.stand[i]);
    if (s->prog->visits == 1 && s->prog->assembled)
        run_log(&s->run, LOG_MODES, "  put together from programs of groups in %.2g ms\n",
                1e3 * s->prog->seconds);
    else if (s->prog->visits == 1)
        run_log(&s->run, LOG_MODES, "  first visit: planned and compiled in %.2g ms\n",
                1e3 * s->prog->seconds);
}

void mode_log_split(Sim *s)
{
    const Modes *w = s->modes;
    CONTEXT_HOLD(s->run.ctx);
    arena_reset(s->run.scratch);
    char *names = "";
    for (uint32_t i = 0; i < w->split.n; i++)
        names = arena_printf(s->run.scratch, "%s %s", names,
                             describe_variable(s->prog, w->split.at[i]));
    if (*names)
        run_log(&s->run, LOG_MODES,
                "  split: the equations leave open%s; the smallest values are taken\n", names);
}

/* ---- sums ---- */

void mode_log_add(RunContext *run, const ModeProgram *m)
{
    RuntimeStats *sum = &run->stats->blocks;
    run_profile_add(run, m);
    const RuntimeStats *r = runtime_stats(m->rt);
    sum->solves += r->solves;
    sum->iterations += r->iterations;
    sum->jacobians += r->jacobians;
    sum->factorizations += r->factorizations;
    sum->mixed_iterations += r->mixed_iterations;
    if (!m->solver)
        return;
    const FallbackSolver *f = &m->fallback;
    const Solver *own = f->replaced ? f->replaced : m->solver;
    uint64_t steps = own->steps + f->steps, rejected = own->rejected + f->rejected;
    automatic_count(&m->automatic, own, &steps, &rejected);
    if (f->solver) {
        steps += f->solver->steps;
        rejected += f->solver->rejected;
    }
    run->stats->steps += steps;
    run->stats->rejected += rejected;
}

static void log_groups(Sim *s)
{
    const Modes *w = s->modes;
    const Replan *r = s->run.options->replan;
    SimGroups g = r->groups(r->user);
    run_log(&s->run, LOG_STATS,
            "Modes: %llu changes; %u planned for the whole model, in %.3g s\n"
            "Groups of guards: %u with %u programs, made in %.3g s, %.2g ms each, after %.3g s for "
            "the common part; "
            "put together %llu times, %.2g ms each\n",
            (unsigned long long)w->counts.changes, w->counts.n_planned, w->counts.planned,
            g.n_groups, g.n_programs, g.seconds, g.n_programs ? 1e3 * g.seconds / g.n_programs : 0,
            g.common, (unsigned long long)w->counts.joined,
            1e3 * (w->counts.joining - g.seconds - g.common) / (double)w->counts.joined);
}

static void log_modes(Sim *s)
{
    const Modes *w = s->modes;
    uint64_t later =
        w->counts.changes > w->counts.n_planned ? w->counts.changes - w->counts.n_planned : 0;
    if (!w->active || w->inlined.in_use)
        return;
    if (w->counts.joined) {
        log_groups(s);
        return;
    }
    run_log(&s->run, LOG_STATS,
            "Modes: %u visited, %llu changes; first visits took %.3g s, %.2g ms each; later ones "
            "%.2g ms each\n",
            w->counts.n_planned, (unsigned long long)w->counts.changes, w->counts.planned,
            w->counts.n_planned ? 1e3 * w->counts.planned / w->counts.n_planned : 0,
            later ? 1e3 * w->counts.later / (double)later : 0);
}

static void name_solvers(ModeProgram *prog)
{
    const Automatic *a = &prog->automatic;
    if (a->problem)
        automatic_names(a, prog->run->stats->solver, sizeof prog->run->stats->solver);
    else
        program_solver_name(prog);
}

void modes_stats(Sim *s)
{
    Modes *w = s->modes;
    if (s->prog->solver)
        name_solvers(s->prog);
    mode_log_add(&s->run, s->prog);
    for (uint32_t i = 0; w && i < w->cache.list.n + 3; i++) {
        ModeProgram *others[] = {w->inlined.all, w->single,
                                 w->inlined.steps == w->inlined.all ? NULL : w->inlined.steps};
        ModeProgram *m = i < w->cache.list.n ? w->cache.list.at[i] : others[i - w->cache.list.n];
        if (m && m != s->prog)
            mode_log_add(&s->run, m);
    }
    if (w)
        log_modes(s);
}
