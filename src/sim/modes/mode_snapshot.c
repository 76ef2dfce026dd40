/* The state of variable structure: which program is in use, its values and its solver.
 *
 * Programs of other modes are not part of a state: they are made again when they are needed. The
 * solver of the other program is, if two of them take turns. */
#include "base/snapshot.h"
#include "sim/modes/variable_structure.h"

/* Programs of one mode differ in the order of their states if one was put together from groups. */
typedef enum ProgramInUse { SINGLE, PLANNED_MODE, JOINED_MODE, SPARING, INLINED } ProgramInUse;

static ProgramInUse program_in_use(const Sim *s)
{
    const Modes *w = s->modes;
    if (!w || s->prog == w->single)
        return SINGLE;
    if (s->prog == w->inlined.steps || s->prog == w->inlined.all)
        return INLINED;
    if (!s->prog->key)
        return SPARING;
    return s->prog->assembled ? JOINED_MODE : PLANNED_MODE;
}

/* ---- guards and the jump ---- */

static void snapshot_guards(Sim *s, Snapshot *p)
{
    Modes *w = s->modes;
    s->run.guards.n = snapshot_count(p, s->run.guards.n, s->run.n_common);
    if (p->reading && s->run.guards.n && !s->run.guards.at)
        s->run.guards.at = ARENA_ARRAY(s->run.arena, VarId, s->run.n_common);
    if (s->run.guards.n && !w->key)
        w->key = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
    if (!p->reading && s->prog->key && s->prog->n_key == s->run.guards.n)
        memcpy(w->key, s->prog->key, s->run.guards.n * sizeof *w->key);
    for (uint32_t i = 0; i < s->run.guards.n; i++)
        s->run.guards.at[i] = snapshot_count(p, s->run.guards.at[i], s->run.n_common - 1);
    snapshot_array(p, w->key, s->run.guards.n);
}

/* False after a message. */
static bool snapshot_jump(Sim *s, Snapshot *p)
{
    Modes *w = s->modes;
    bool all = w->inlined.all, steps = w->inlined.steps == w->inlined.all;
    snapshot_value(p, all);
    snapshot_value(p, steps);
    if (!all)
        return true;
    if (!need_jump(s))
        return false;
    if (steps)
        w->inlined.steps = w->inlined.all;
    uint32_t n = w->inlined.all->n;
    snapshot_expect(p, n);
    snapshot_array(p, w->jump.stand, n);
    snapshot_array(p, w->jump.slope, n);
    snapshot_array(p, w->jump.from, s->run.n_common);
    snapshot_value(p, w->jump.begun);
    snapshot_value(p, w->jump.length);
    snapshot_value(p, w->jump.band_step);
    snapshot_value(p, w->jump.error);
    return true;
}

static void snapshot_flags(Modes *w, Snapshot *p)
{
    snapshot_value(p, w->active);
    snapshot_value(p, w->inlined.in_use);
    snapshot_value(p, w->inlined.staged);
    snapshot_value(p, w->inlined.tried);
    snapshot_value(p, w->inlined.was_staged);
    inline_trial_snapshot(&w->inlined.trial, p);
    snapshot_value(p, w->counts.joined);
    snapshot_value(p, w->counts.n_planned);
    snapshot_value(p, w->counts.changes);
    snapshot_value(p, w->unsettled);
}

/* ---- the program ---- */

static ModeProgram *sparing(Sim *s)
{
    const Replan *r = s->run.options->replan;
    const SimProgram *p = r->sparing(r->user);
    ModeProgram *m = p ? program_new(s, p->plan, p->code) : NULL;
    if (m)
        vec_push(&s->modes->cache.former, m);
    return m;
}

static ModeProgram *make_program(Sim *s, ProgramInUse which)
{
    switch (which) {
    case PLANNED_MODE: s->modes->started = false; return program_of_mode(s);
    case JOINED_MODE: s->modes->started = true; return program_of_mode(s);
    case SPARING: return sparing(s);
    case INLINED: return s->modes->inlined.steps;
    default: return s->prog;
    }
}

static bool use_program(Sim *s, ProgramInUse which)
{
    ModeProgram *m = make_program(s, which);
    if (m)
        program_use(s, m);
    return m && (m->solver || program_solver(s));
}

static void snapshot_solver(ModeProgram *prog, Snapshot *p)
{
    if (!prog->automatic.problem) {
        solver_snapshot(prog->solver, p);
        return;
    }
    automatic_snapshot(&prog->automatic, p);
    if (p->reading && !p->bad) {
        prog->solver = prog->automatic.solvers[prog->automatic.at];
        prog->kind = prog->automatic.kinds[prog->automatic.at];
    }
}

/* The one-step method that replaces the solver is not part of this. */
static void snapshot_usual_solver(ModeProgram *prog, Snapshot *p)
{
    Solver *at_work = prog->solver;
    if (prog->fallback.replaced)
        prog->solver = prog->fallback.replaced;
    snapshot_solver(prog, p);
    if (prog->fallback.replaced)
        prog->solver = at_work;
}

/* Counts of programs that will be forgotten. */
static void keep_counts(Sim *s)
{
    const Modes *w = s->modes;
    const ModeProgram *others[] = {w->single, w->inlined.all,
                                   w->inlined.steps == w->inlined.all ? NULL : w->inlined.steps};
    for (uint32_t i = 0; i < w->cache.list.n; i++)
        if (w->cache.list.at[i] != s->prog)
            mode_log_add(&s->run, w->cache.list.at[i]);
    for (uint32_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i] && others[i] != s->prog)
            mode_log_add(&s->run, others[i]);
}

/* The window in which rejected steps are counted begins anew in both runs. */
static void snapshot_sizes(ModeProgram *prog, Snapshot *p)
{
    snapshot_value(p, prog->sizes.instants);
    snapshot_value(p, prog->sizes.steps);
    snapshot_value(p, prog->problem.way);
    snapshot_value(p, prog->problem.strictness);
    snapshot_value(p, prog->sizes.since);
    snapshot_value(p, prog->sizes.until);
    snapshot_value(p, prog->sizes.assumed);
    snapshot_array(p, prog->sizes.now, prog->n);
    snapshot_array(p, prog->sizes.before, prog->n);
    snapshot_array(p, prog->sizes.earlier, prog->n);
    snapshot_array(p, prog->sizes.largest, prog->n);
    snapshot_array(p, prog->sizes.last, prog->n);
    snapshot_array(p, prog->sizes.change, prog->n);
    snapshot_array(p, prog->sizes.reversals, prog->n);
    snapshot_array(p, prog->sizes.turns, prog->n);
    snapshot_array(p, prog->sizes.least, prog->n);
    snapshot_array(p, prog->usual_atol, prog->n);
    snapshot_array(p, prog->atol, prog->n);
    prog->sizes.solver = NULL;
    for (uint32_t i = 0; i < prog->n && prog->open_atol; i++)
        prog->open_atol[i] = prog->atol[i];
}

/* While inline integration is compared with the states, the run will return to the other program.
 * False after a message. */
static bool snapshot_other(Sim *s, Snapshot *p)
{
    InlinedPrograms *w = &s->modes->inlined;
    TrialPhase phase = w->trial.phase;
    ModeProgram *in_use = s->prog, *other = w->in_use ? s->modes->single : w->all;
    bool has = phase != TRIAL_NONE && phase != TRIAL_ENDED && other && other->solver;
    snapshot_value(p, has);
    p->bad |= has && !other;
    if (!has || p->bad)
        return true;
    s->prog = other;
    bool made = other->solver || program_solver(s);
    s->prog = in_use;
    if (!made)
        return false;
    snapshot_sizes(other, p);
    if (!p->bad)
        snapshot_usual_solver(other, p);
    return true;
}

bool modes_snapshot(Sim *s, Snapshot *p)
{
    ProgramInUse which = (ProgramInUse)snapshot_count(p, program_in_use(s), INLINED);
    snapshot_expect(p, s->modes != NULL);
    if (!p->reading && s->modes)
        keep_counts(s);
    if (s->modes && !p->bad) {
        Modes *w = s->modes;
        snapshot_guards(s, p);
        if (!snapshot_jump(s, p))
            return false;
        snapshot_flags(w, p);
        ModeCounts counts = w->counts;
        if (p->reading && !p->bad && !use_program(s, which))
            return false;
        w->counts = counts;
        w->started = true;
    } else if (p->reading && !p->bad && !use_program(s, SINGLE)) {
        return false;
    }
    ModeProgram *prog = s->prog;
    snapshot_expect(p, prog->n);
    /* if it was put together, it has room for variables of groups that others have visited */
    snapshot_fitting(p, prog->v, prog->code->n_vars, sizeof *prog->v);
    snapshot_fitting(p, prog->set, prog->code->n_vars, sizeof *prog->set);
    snapshot_array(p, prog->x, prog->n);
    snapshot_sizes(prog, p);
    stateset_snapshot(s->prog, p);
    if (!p->bad)
        snapshot_usual_solver(prog, p);
    if (s->modes && !p->bad && !snapshot_other(s, p))
        return false;
    return !p->bad;
}
