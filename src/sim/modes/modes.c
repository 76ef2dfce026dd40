/* Variable structure: which program is in use, and when it changes.
 *
 * A mode is the valuation of the structural guards. Its program is made on the first visit (Replan)
 * and found again later. At an event the program in use evaluates all equations. The guards may get
 * other values than the mode has, or the evaluation may fail because the structure no longer fits.
 * Then the jump (jump.c) finds the next mode and the new state together. The program of that mode
 * continues. With a solver of inline integration, one program, the inlined one, serves all modes.
 *
 * If structure found no guard but a block is singular in a combination of switches, the discrete
 * variables of all switch equations become guards. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "sim/profile/profile.h"
#include "sim/state/evaluate.h"

#include "base/clock.h"
#include "base/arith.h"

#include <math.h>

enum { MOST_TURNS = 25, MOST_INTEGER = 64, MOST_MODES = 250, MOST_ASSEMBLED = 32 };

/* ---- the mode ---- */

/* The value of a guard in the mode; NAN: another value, for which the structure does not depend on
 * it. */
static double guard_value(const ModeProgram *prog, VarId v)
{
    double value = prog->v[v];
    if (program_var(prog, v)->kind == DAE_PARAMETER)
        return value == 0 ? 0 : NAN;
    switch ((DaeType)program_var(prog, v)->type) {
    case DAE_BOOL:
    case DAE_ENUM: return value;
    case DAE_INT: return fabs(value) <= MOST_INTEGER ? value : NAN;
    default: return value == 0 || value == 1 ? value : NAN;
    }
}

static void read_key(Sim *s)
{
    for (uint32_t i = 0; i < s->run.guards.n; i++)
        s->modes->key[i] = guard_value(s->prog, s->run.guards.at[i]);
}

static bool has_key(const ModeProgram *m, const double *key, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!arith_same(m->key[i], key[i]))
            return false;
    return true;
}

/* Does the mode of the program in use agree with the values of the guards? */
static bool agrees(Sim *s)
{
    read_key(s);
    return s->prog->key && s->prog->n_key == s->run.guards.n &&
           has_key(s->prog, s->modes->key, s->run.guards.n);
}

/* ---- programs ---- */

static bool make_solver(Sim *s)
{
    return s->prog->solver || program_solver(s);
}

static void move_to_end(ModePrograms *list, uint32_t i)
{
    ModeProgram *m = list->at[i];
    memmove(list->at + i, list->at + i + 1, (list->n - i - 1) * sizeof *list->at);
    vec_last(list) = m;
}

static void add_mode(Sim *s, ModeProgram *m)
{
    Modes *w = s->modes;
    m->key = ARENA_ARRAY(m->own, double, s->run.guards.n);
    memcpy(m->key, w->key, s->run.guards.n * sizeof *m->key);
    m->n_key = s->run.guards.n;
    vec_push(&w->cache.list, m);
    if (s->run.profile) {
        CONTEXT_HOLD(s->run.ctx);
        arena_reset(s->run.scratch);
        run_profile_mode(m, mode_log_text(m, m->key));
    }
}

static bool may_drop(const Sim *s, const ModeProgram *m)
{
    const ModeCache *c = &s->modes->cache;
    return m->assembled && m != s->prog && m != c->begin && m != c->from;
}

/* Drops the least recently used mode that was put together from groups, because it can be put
 * together again fast. */
static void drop_oldest(Sim *s)
{
    Modes *w = s->modes;
    uint32_t i = 0;
    while (i < w->cache.list.n && !may_drop(s, w->cache.list.at[i]))
        i++;
    if (w->cache.n_assembled < MOST_ASSEMBLED || i == w->cache.list.n)
        return;
    ModeProgram *m = w->cache.list.at[i];
    mode_log_add(&s->run, m);
    move_to_end(&w->cache.list, i);
    w->cache.list.n--;
    w->cache.n_assembled--;
    program_free(m);
}

/* The program of the mode in key from those of the groups of guards; NULL if they do not fall
 * into groups. */
static ModeProgram *assemble(Sim *s)
{
    Modes *w = s->modes;
    const Replan *r = s->run.options->replan;
    double start = clock_now();
    SimProgram *p = r->assemble(r->user, s->run.guards.at, w->key, s->run.guards.n);
    if (!p)
        return NULL;
    drop_oldest(s);
    ModeProgram *m = program_assembled(s, p);
    add_mode(s, m);
    w->cache.n_assembled++;
    w->counts.joined++;
    w->counts.joining += clock_now() - start;
    return m;
}

/* At the start a program with an initial sequence is needed. */
static ModeProgram *make_mode(Sim *s)
{
    Modes *w = s->modes;
    const Replan *r = s->run.options->replan;
    ModeProgram *joined = w->started ? assemble(s) : NULL;
    if (joined)
        return joined;
    const SimProgram *p = r->mode(r->user, s->run.guards.at, w->key, s->run.guards.n);
    if (!p) {
        CONTEXT_HOLD(s->run.ctx);
        arena_reset(s->run.scratch);
        diag_note(s->run.ctx, (Span){0}, "in the mode %s, entered at time = %.9g",
                  mode_log_text(s->prog, w->key), s->run.time);
        s->run.status = SIM_FAILED;
        return NULL;
    }
    ModeProgram *m = program_new(s, p->plan, p->code);
    m->seconds = p->seconds;
    w->counts.planned += p->seconds;
    w->counts.n_planned++;
    add_mode(s, m);
    return m;
}

ModeProgram *program_of_mode(Sim *s)
{
    Modes *w = s->modes;
    for (uint32_t i = 0; i < w->cache.list.n; i++)
        if (has_key(w->cache.list.at[i], w->key, s->run.guards.n)) {
            move_to_end(&w->cache.list, i);
            return vec_last(&w->cache.list);
        }
    profile_enter(s->run.calls, PROFILE_PART, PART_PROGRAMS);
    ModeProgram *made = make_mode(s);
    profile_leave(s->run.calls);
    return made;
}

bool need_jump(Sim *s)
{
    Modes *w = s->modes;
    if (w->inlined.all)
        return true;
    const Replan *r = s->run.options->replan;
    const SimProgram *p = r->inlined(r->user, NULL, 0);
    if (!p) {
        s->run.status = SIM_FAILED;
        return false;
    }
    w->inlined.all = program_new(s, p->plan, p->code);
    w->inlined.all->seconds = p->seconds;
    w->jump.event = &s->event;
    w->jump.relations = &s->relations;
    w->jump.left = s->left;
    w->jump.locator = s->locator;
    uint32_t n = w->inlined.all->n;
    double **part[] = {&w->jump.stand,   &w->jump.slope,   &w->jump.before,  &w->jump.next,
                       &w->jump.old,     &w->jump.work[0], &w->jump.work[1], &w->jump.work[2],
                       &w->jump.work[3], &w->jump.exact,   &w->jump.begin,   &w->jump.spread,
                       &w->jump.first,   &w->jump.near};
    w->jump.unlimited = ARENA_ARRAY(s->run.arena, bool, n);
    for (uint32_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = ARENA_ARRAY(s->run.arena, double, n);
    w->jump.from = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
    w->jump.solved = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
    w->jump.means = ARENA_ARRAY(s->run.arena, VarId, n);
    uint32_t n_relations = program_n_relations(s->prog);
    double **of_relations[] = {&w->jump.zs[0], &w->jump.zs[1], &w->jump.zs[2], &w->jump.z,
                               &w->jump.noise};
    for (uint32_t i = 0; i < sizeof of_relations / sizeof *of_relations; i++)
        *of_relations[i] = ARENA_ARRAY(s->run.arena, double, n_relations);
    w->jump.kept = ARENA_ARRAY(s->run.arena, uint8_t, n_relations);
    w->jump.returned = ARENA_ARRAY(s->run.arena, uint8_t, n_relations);
    w->jump.resolved = ARENA_ARRAY(s->run.arena, uint8_t, n_relations);
    w->jump.switches = switches_with_memory(s);
    w->jump.impulse.from = ARENA_ARRAY(s->run.arena, bool, w->jump.switches->n);
    w->jump.impulse.to = ARENA_ARRAY(s->run.arena, bool, w->jump.switches->n);
    return true;
}

/* ---- creation ---- */

static bool is_guard(const RunContext *run, VarId v)
{
    for (uint32_t i = 0; i < run->guards.n; i++)
        if (run->guards.at[i] == v)
            return true;
    return false;
}

static void add_guard(RunContext *run, VarId v)
{
    if (!is_guard(run, v))
        run->guards.at[run->guards.n++] = v;
}

/* Room for all variables that may ever be guards. */
static void room_for_guards(Sim *s)
{
    Modes *w = s->modes;
    if (!s->run.guards.at)
        s->run.guards.at = ARENA_ARRAY(s->run.arena, VarId, s->run.n_common);
    if (!w->key)
        w->key = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
}

/* Modes of fewer guards are not used any more. */
static void forget_modes(Modes *w)
{
    for (uint32_t i = 0; i < w->cache.list.n; i++)
        vec_push(&w->cache.former, w->cache.list.at[i]);
    vec_clear(&w->cache.list);
}

/* The structural guards, or the variables of all switch equations; with parameters that may be zero
 * there. */
static void choose_guards(Sim *s)
{
    Modes *w = s->modes;
    const Plan *p = w->single->plan;
    bool all = !p->guards.n;
    room_for_guards(s);
    for (uint32_t i = 0; i < p->guards.n; i++)
        add_guard(&s->run, p->guards.at[i].var);
    for (uint32_t i = 0; i < p->switch_vars.n; i++)
        if (all || program_var(s->prog, p->switch_vars.at[i])->kind == DAE_PARAMETER)
            add_guard(&s->run, p->switch_vars.at[i]);
    w->active = s->run.guards.n > 0;
}

bool modes_create(Sim *s)
{
    const SimOptions *o = s->run.options;
    /* one plan serves modes of storage elements that fix switches only with these inlined */
    bool alone = o->structure == STRUCTURE_SINGLE && o->replan;
    bool partly = alone || o->structure == STRUCTURE_MIXED;
    bool inlined = o->n_inlined || solver_is_inline(o->solver) ||
                   (partly && s->prog->plan->guards.n) || o->structure == STRUCTURE_INLINE;
    switch_relations_find(s);
    if (!inlined && !o->replan)
        return program_solver(s);
    if (!o->replan) {
        s->run.status = SIM_BAD_SETTING;
        diag(s->run.ctx, (Span){0}, DIAG_R009, "inline integration needs the model's equations");
        return false;
    }
    Modes *w = s->modes = s->prog->modes = ARENA_NEW(s->run.arena, Modes);
    w->single = s->prog;
    w->row = ARENA_ARRAY(s->run.arena, double, s->run.n_common);
    if (s->prog->plan->guards.n ||
        (o->structure == STRUCTURE_MODES && s->prog->plan->switch_vars.n))
        choose_guards(s);
    if (!w->active && !inlined)
        return program_solver(s);
    if (!need_jump(s))
        return false;
    w->inlined.in_use = inlined && w->inlined.all->n; /* there may be nothing to integrate */
    if (w->inlined.in_use && !inline_choose(s))
        return false;
    if (w->inlined.in_use && stages_possible(s)) {
        w->inlined.in_use = false;
        stages_create(s);
    }
    return w->active || w->inlined.in_use || program_solver(s);
}

void modes_free(Sim *s)
{
    Modes *w = s->modes;
    ModeProgram *in_use = s->prog;
    for (uint32_t i = 0; w && i < w->cache.list.n; i++)
        program_free(w->cache.list.at[i]);
    for (uint32_t i = 0; w && i < w->cache.former.n; i++)
        program_free(w->cache.former.at[i]);
    if (w && w->inlined.steps && w->inlined.steps != w->inlined.all)
        program_free(w->inlined.steps);
    if (w && w->inlined.all)
        program_free(w->inlined.all);
    program_free(w ? w->single : in_use);
    if (w) {
        vec_free(&w->cache.list);
        vec_free(&w->cache.former);
    }
}

/* Discrete variables and vanishing parameters of a term become guards. */
static void guard_operands(ModeProgram *prog, EqId e)
{
    Term t = program_equation(prog, e)->term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = program_operand(prog, t, k);
        const DaeVar *x = program_var(prog, v);
        bool discrete = x->kind == DAE_DISCRETE || x->kind == DAE_RELATION ||
                        (x->kind == DAE_PRE && program_var(prog, x->base)->kind == DAE_DISCRETE);
        if (v < prog->run->n_common &&
            (discrete || (x->kind == DAE_PARAMETER && x->type == DAE_REAL && prog->v[v] == 0)))
            add_guard(prog->run, v);
    }
}

/* The present plan met a combination of switches that makes one of its blocks singular. False if it
 * has no more guards. */
static bool hand_over(Sim *s, int block)
{
    Modes *w = s->modes;
    SimStructure how = s->run.options->structure;
    const PlanBlock *b = fail_block(s->prog, block);
    if (how == STRUCTURE_SINGLE || how == STRUCTURE_INLINE || !b || !need_jump(s))
        return false;
    uint32_t n = s->run.guards.n;
    room_for_guards(s);
    for (uint32_t i = 0; i < w->single->plan->guards.n; i++)
        add_guard(&s->run, w->single->plan->guards.at[i].var);
    for (uint32_t i = 0; i < b->n_torn; i++)
        guard_operands(s->prog, s->prog->plan->torn.at[b->torn + i].eq);
    for (uint32_t i = 0; i < b->n_steps; i++)
        guard_operands(s->prog, s->prog->plan->steps.at[b->step + i].eq);
    if (s->run.guards.n == n)
        return false;
    forget_modes(w);
    w->active = true;
    return true;
}

/* The tearing variables that a singular block does not determine. */
static void note_split(Sim *s, int block)
{
    Modes *w = s->modes;
    const PlanBlock *b = fail_block(s->prog, block);
    CONTEXT_HOLD(s->run.ctx);
    arena_reset(s->run.scratch);
    if (!b || b->n_torn > s->run.n_common)
        return;
    double *rows = ARENA_ARRAY(s->run.scratch, double, b->n_torn),
           *columns = ARENA_ARRAY(s->run.scratch, double, b->n_torn);
    if (!w->split.at)
        w->split.at = ARENA_ARRAY(s->run.arena, VarId, s->run.n_common);
    if (!runtime_null(s->prog->rt, block, rows, columns))
        return;
    for (uint32_t i = 0; i < b->n_torn; i++)
        if (fabs(columns[i]) > 1e-6 && s->prog->plan->torn.at[b->torn + i].var < s->run.n_common)
            w->split.at[w->split.n++] = s->prog->plan->torn.at[b->torn + i].var;
}

/* Warns once of a state whose derivative depends on a variable that the equations leave open. */
static void check_open_derivatives(Sim *s)
{
    ModeProgram *prog = s->prog;
    const PlanState *states = prog->plan->states.at;
    if (s->run.reported.open_derivative || !s->modes->split.n)
        return;
    arena_reset(s->run.scratch);
    size_t size = prog->code->n_vars * sizeof *prog->v;
    double *kept = ARENA_ARRAY(s->run.scratch, double, prog->code->n_vars), most = 1e-6;
    double *der = ARENA_ARRAY(s->run.scratch, double, prog->n);
    uint32_t worst = NONE;
    memcpy(kept, prog->v, size);
    int status = evaluate_call(s->prog, prog->code->derivatives);
    for (uint32_t i = 0; i < prog->n; i++)
        der[i] = prog->v[states[i].der];
    runtime_split(prog->rt, 1);
    status = status ? status : evaluate_call(s->prog, prog->code->derivatives);
    runtime_split(prog->rt, 0);
    for (uint32_t i = 0; !status && i < prog->n; i++) {
        double change = fabs(prog->v[states[i].der] - der[i]) / (1 + fabs(der[i]));
        worst = change > most ? i : worst;
        most = fmax(most, change);
    }
    memcpy(prog->v, kept, size);
    runtime_invalidate(prog->rt);
    (void)runtime_rescued(prog->rt);
    if (worst == NONE)
        return;
    s->run.reported.open_derivative = true;
    warn_open_derivative(s->prog, s->modes->split.at[0], states[worst].der);
}

/* A singular block that was solved, but is not consistent for all states; -1: none. Parallel ideal
 * elements stay consistent. A constraint on states, which holds at this instant by chance, does
 * not. */
static int constraining_block(Sim *s)
{
    int rescued = runtime_rescued(s->prog->rt);
    s->modes->split.n = 0;
    if (rescued < 0)
        return -1;
    note_split(s, rescued);
    if (!s->prog->n)
        return -1;
    CONTEXT_HOLD(s->run.ctx);
    arena_reset(s->run.scratch);
    size_t size = s->prog->code->n_vars * sizeof *s->prog->v;
    double *kept = ARENA_ARRAY(s->run.scratch, double, s->prog->code->n_vars);
    memcpy(kept, s->prog->v, size);
    for (uint32_t i = 0; i < s->prog->n; i++) {
        VarId x = s->prog->plan->states.at[i].var;
        double part = fmod(0.618034 * (i + 1), 1); /* in no special proportion */
        s->prog->v[x] +=
            1e-3 * (1 + part) * (program_var(s->prog, x)->nominal + fabs(s->prog->v[x]));
    }
    int status = evaluate_call(s->prog, s->prog->code->derivatives);
    status = status ? status : evaluate_call(s->prog, s->prog->code->outputs);
    memcpy(s->prog->v, kept, size);
    runtime_invalidate(s->prog->rt);
    (void)runtime_rescued(s->prog->rt);
    if (!status) {
        mode_log_split(s);
        check_open_derivatives(s);
    }
    return status ? s->prog->m->failed_block : -1;
}

static void stand_at_left(Sim *s)
{
    jump_begin(s->prog, s->event.initial ? s->prog->v : s->left);
    for (uint32_t i = 0; i < s->event.n_reinits; i++)
        jump_put(s->prog, s->event.reinits[i].var, s->event.reinits[i].to);
    for (uint32_t i = s->changes.first; i < s->changes.n_made; i++) {
        const SimSet *c = &s->changes.list.at[i];
        double sign;
        VarId var = resolve_alias(s->prog, c->var, &sign);
        if (var < s->run.n_common)
            jump_put(s->prog, var, sign * c->value);
    }
}

/* ---- initialization ---- */

/* The mode of the start: that of a jump from the start values. After a failure, the values of the
 * attempt stay as a first guess. */
bool modes_start(Sim *s)
{
    Modes *w = s->modes;
    if (!w || !w->active)
        return true;
    program_use(s, w->inlined.all);
    s->run.time = s->prog->v[0] = s->run.options->start;
    s->event.initial = true; /* relations have no values before it */
    if (!set_parameters(s->prog))
        return false;
    set_guesses(s);
    if (!delays_start(s))
        return false;
    jump_begin(s->prog, s->prog->v);
    runtime_relations(s->prog->rt, NULL, s->run.eps, 0);
    int status = jump_event(s->prog);
    if (!status && s->delays) { /* histories begin with the present values */
        if (!delays_start(s))
            return false;
        jump_begin(s->prog, s->prog->v);
        status = jump_event(s->prog);
    }
    w->jump.from_start = status == 0;
    if (status)
        run_log(&s->run, LOG_MODES, "No jump from the start values: %s\n", fail_text(status));
    runtime_relations(s->prog->rt, NULL, s->run.eps, 0);
    memcpy(w->row, s->prog->v, s->run.n_common * sizeof *w->row);
    read_key(s);
    ModeProgram *m = program_of_mode(s);
    if (m)
        program_use(s, m);
    return m;
}

bool modes_retry(Sim *s)
{
    return s->modes && !s->modes->active && hand_over(s, s->prog->m->failed_block) &&
           modes_start(s);
}

/* Whether a program with more tearing variables is worth a try. This is so if a block without a
 * solution has inner steps. */
static bool hides_steps(const ModeProgram *prog, int status)
{
    if (status == MODEL_INTERRUPTED || status == MODEL_NO_MEMORY || status == MODEL_EXTERNAL)
        return false;
    const PlanBlock *b = prog->m->failed_block < 0 ? NULL : fail_block(prog, prog->m->failed_block);
    return b && b->kind == BLOCK_NONLINEAR && b->n_steps > 0;
}

bool modes_use_less_tearing(Sim *s, int status)
{
    Modes *w = s->modes;
    if (!w || w->active || w->inlined.in_use || s->prog != w->single ||
        !hides_steps(s->prog, status))
        return false;
    const Replan *r = s->run.options->replan;
    const SimProgram *p = r->sparing(r->user);
    if (!p)
        return false;
    ModeProgram *m = program_new(s, p->plan, p->code);
    vec_push(&w->cache.former, m);
    program_use(s, m);
    run_log(&s->run, LOG_INIT, "  no solution with few tearing variables; trying more\n");
    return true;
}

bool modes_jumped(Sim *s)
{
    Modes *w = s->modes;
    if (!w || !w->active || !w->jump.from_start)
        return false;
    program_use(s, w->inlined.all);
    memcpy(s->prog->v, w->row, s->run.n_common * sizeof *s->prog->v);
    read_key(s);
    ModeProgram *m = program_of_mode(s);
    if (m)
        program_use(s, m);
    run_log(&s->run, LOG_MODES,
            "The run begins with a jump: start values do not agree with the position of the "
            "switches\n");
    return m;
}

int modes_initial(Sim *s, bool *again)
{
    *again = false;
    if (!s->modes || !s->modes->active || agrees(s))
        return 0;
    ModeProgram *m = program_of_mode(s);
    if (!m)
        return MODEL_SINGULAR;
    *again = true;
    program_use(s, m);
    return 0;
}

/* All equations at an instant by the jump, and back to the program that steps. */
static int event_inlined(Sim *s)
{
    Modes *w = s->modes;
    program_use(s, w->inlined.all);
    runtime_relations(s->prog->rt, s->relations.decided, s->run.eps, 0);
    bool first = !s->event.initial && !s->event.iterations;
    int status = first && jump_unneeded(s->prog) ? 0 : jump_event(s->prog);
    if (!status)
        jump_slopes(s->prog);
    program_use(s, w->inlined.steps);
    return status;
}

/* One plan for all modes, which may still be left for the inlined one. */
static bool is_single(const Sim *s)
{
    return s->modes && !s->modes->inlined.in_use && s->run.options->structure == STRUCTURE_SINGLE;
}

/* Whether switches constrain states already at the start. */
static bool constrains_start(Sim *s)
{
    (void)runtime_rescued(s->prog->rt);
    runtime_invalidate(s->prog->rt);
    return !evaluate_call(s->prog, s->prog->code->derivatives) && constraining_block(s) >= 0;
}

bool modes_started(Sim *s)
{
    Modes *w = s->modes;
    if (!w)
        return true;
    w->started = true;
    if (w->inlined.staged && w->active) { /* the initial system needed modes */
        w->inlined.staged = false;
        w->inlined.in_use = true;
    }
    if (is_single(s) && constrains_start(s)) {
        if (!need_jump(s))
            return false;
        w->inlined.steps = w->inlined.all;
        w->inlined.in_use = w->inlined.all->n > 0;
        w->inlined.staged &= !w->inlined.in_use;
    }
    if (w->inlined.in_use) {
        jump_begin(s->prog, s->prog->v);
        int status = event_inlined(s);
        if (status)
            return fail_model(s->prog, status, "beginning inline integration");
        get_states(s->prog, s->prog->x);
    } else if (w->active) {
        mode_log_mode(s, NULL);
    }
    return make_solver(s);
}

/* ---- events ---- */

/* Relations with their values after a jump. */
static const uint8_t *as_jumped(Sim *s)
{
    uint8_t *kept = s->modes->jump.kept;
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++)
        kept[k] = program_relation_holds(s->prog, k) ? 2 : 1;
    return kept;
}

/* Solver auto continues with the method that it chose before. */
static void take_solver(ModeProgram *prog, const ModeProgram *from)
{
    Automatic *a = &prog->automatic;
    if (!automatic_take(a, &from->automatic))
        return;
    prog->solver = a->solvers[a->at];
    prog->kind = a->kinds[a->at];
}

/* From the present values to the program of the next mode; new values are those of its equations.
 * If the jump leads back to a mode whose program has just disagreed, that program solves its
 * equations for the jump's relations. This reveals a block that these relations make singular. */
static int change_mode(Sim *s)
{
    Modes *w = s->modes;
    ModeProgram *from = s->prog;
    w->cache.from = from;
    double *before = w->jump.before;
    memcpy(before, w->jump.stand, w->inlined.all->n * sizeof *before);
    program_use(s, w->inlined.all);
    runtime_relations(s->prog->rt, s->relations.decided, s->run.eps, 0);
    bool first = !s->event.initial && !s->event.iterations && !s->event.mode_changed;
    int status = first && jump_unneeded(s->prog) ? 0 : jump_event(s->prog);
    if (status) {
        run_log(&s->run, LOG_MODES, "No jump at time = %.9g: %s\n", s->run.time, fail_text(status));
        program_use(s, from);
        return status;
    }
    read_key(s);
    ModeProgram *m = program_of_mode(s);
    if (!m)
        return MODEL_SINGULAR;
    program_use(s, m);
    w->counts.changes++;
    double entered = clock_now();
    s->event.mode_changed = true;
    runtime_relations(s->prog->rt, m == from ? as_jumped(s) : s->relations.decided, s->run.eps, 0);
    (void)runtime_rescued(s->prog->rt);
    status = evaluate_equations(s->prog, &s->event.momentary);
    runtime_relations(s->prog->rt, s->relations.decided, s->run.eps, 0);
    if (!status)
        mode_log_mode(s, before);
    w->counts.later += m->visits > 1 ? clock_now() - entered : 0;
    if (!status && !make_solver(s))
        return MODEL_SINGULAR;
    if (!status && (m->assembled || from->assembled) && from != m)
        take_solver(s->prog, from);
    return status;
}

static bool is_structural(int status)
{
    return status == MODEL_SINGULAR || status == MODEL_NO_MIXED || status == MODEL_NOT_FINITE;
}

/* A reinit sets the start of the jump: the jump is computed again, from the left limits except for
 * the reinitialized states. */
void modes_reinit(Sim *s)
{
    if (!s->modes || !s->modes->inlined.all)
        return;
    stand_at_left(s);
    s->modes->again = true;
}

/* Continues from the present values with the inlined program, for good. */
static int go_inline(Sim *s, const char *why)
{
    Modes *w = s->modes;
    ModeProgram *from = s->prog;
    w->inlined.steps = w->inlined.all;
    w->inlined.was_staged = w->inlined.staged;
    w->inlined.staged = false;
    int status = event_inlined(s);
    if (status || !w->inlined.all->n || !make_solver(s)) {
        w->inlined.staged = w->inlined.was_staged;
        program_use(s, from);
        return status ? status : MODEL_SINGULAR;
    }
    w->inlined.in_use = s->event.mode_changed = true;
    w->inlined.instead_of = from;
    run_log(&s->run, LOG_MODES | LOG_STATS, "From time = %.9g on with inline integration: %s\n",
            s->run.time, why);
    return 0;
}

static bool may_go_inline(Sim *s)
{
    const Modes *w = s->modes;
    SimStructure how = s->run.options->structure;
    if (!w || w->inlined.in_use)
        return false;
    return w->inlined.staged ||
           ((w->active || w->single->plan->switches.n) &&
            (how == STRUCTURE_AUTO || (how == STRUCTURE_MODES && solver_is_auto(&s->run))) &&
            need_jump(s));
}

static bool may_leave_single(Sim *s)
{
    return is_single(s) && !s->event.initial && need_jump(s);
}

/* Between events: relations, and the values that a jump begins with, are those of the motion. */
void modes_begin_between(Sim *s)
{
    (void)evaluate_outputs(s->prog, s->run.time, s->prog->x);
    put_states(s->prog, s->run.time, s->prog->x);
    memcpy(s->left, s->prog->v, s->run.n_common * sizeof *s->prog->v);
    modes_begin_instant(s);
}

/* Whether the left limit of a discrete variable differs from its value. */
static bool any_follows(const Sim *s)
{
    for (uint32_t i = 0; i < s->pres.n; i++) {
        const PreLink *link = &s->pres.at[i];
        if (s->prog->v[link->pre] != link->sign * s->prog->v[link->base] &&
            program_var(s->prog, link->base)->kind == DAE_DISCRETE)
            return true;
    }
    return false;
}

bool modes_unsettled(Sim *s)
{
    bool was = s->modes && s->modes->unsettled;
    if (was)
        s->modes->unsettled = false;
    return was;
}

bool inline_from_here(Sim *s, const char *why)
{
    event_begin(s, s->run.time);
    modes_begin_between(s);
    if (go_inline(s, why))
        return false;
    s->modes->unsettled = any_follows(s);
    get_states(s->prog, s->prog->x);
    s->run.status = SIM_DONE;
    return locator_restart(s);
}

bool modes_retreat(Sim *s)
{
    return (may_go_inline(s) || may_leave_single(s)) &&
           inline_from_here(s, "a step of the program failed");
}

/* Whether hardly any change led to a known mode: many separate switches have more modes than a run
 * visits twice. */
static bool has_too_many(const Sim *s)
{
    const Modes *w = s->modes;
    return w->counts.n_planned >= MOST_MODES &&
           w->counts.changes < 3 * (uint64_t)w->counts.n_planned && !s->event.initial;
}

/* The program of the mode of the present guards. */
static int follow(Sim *s, int first)
{
    Modes *w = s->modes;
    int status = first;
    for (int turn = 0; turn < MOST_TURNS; turn++) {
        int singular = status ? -1 : constraining_block(s);
        if (!status && agrees(s) && !w->again && (singular < 0 || !hand_over(s, singular)))
            return 0;
        w->again = false;
        if (status && !is_structural(status))
            return status;
        status = change_mode(s);
        if (is_structural(status) && hand_over(s, s->prog->m->failed_block))
            status = 0;
        else if (status && turn == 0)
            return first ? first : status;
    }
    return status ? status : MODEL_NO_MIXED;
}

int modes_event(Sim *s)
{
    Modes *w = s->modes;
    if (w && w->inlined.steps && s->prog == w->inlined.steps)
        return event_inlined(s);
    (void)runtime_rescued(s->prog->rt);
    int first = evaluate_equations(s->prog, &s->event.momentary);
    bool was_active = w && w->active;
    int block = !w || was_active       ? -1
                : is_structural(first) ? s->prog->m->failed_block
                                       : constraining_block(s);
    if (w && (block >= 0 || is_structural(first)) && (w->inlined.staged || may_leave_single(s))) {
        stand_at_left(s);
        return go_inline(s, "the equations cannot be solved otherwise");
    }
    if (!was_active && (block < 0 || !hand_over(s, block)))
        return first;
    if (!was_active)
        stand_at_left(s);
    if (!first && !agrees(s) && has_too_many(s) && may_go_inline(s))
        return go_inline(s, "there are too many modes for a program each");
    int status = follow(s, first);
    if (status && is_structural(status) && s->run.status != SIM_FAILED && !s->event.initial &&
        may_go_inline(s)) {
        stand_at_left(s);
        status = go_inline(s, "the equations of a mode cannot be solved");
    }
    return status;
}

/* ---- inline integration ---- */

/* Slots of state sets represent other candidates now, whose values and derivatives are in v. */
void modes_states_changed(Sim *s)
{
    Modes *w = s->modes;
    for (uint32_t i = 0; w && i < s->prog->plan->inlined.n; i++) {
        uint32_t k = w->inlined.place ? w->inlined.place[i] : i;
        VarId x = program_stands_for(s->prog, s->prog->plan->inlined.at[i].var),
              der = program_var(s->prog, x)->der;
        w->jump.stand[k] = s->prog->v[x];
        w->jump.slope[k] = s->prog->v[der != NONE ? der : s->prog->plan->inlined.at[i].der];
    }
}

/* ---- instants and results ---- */

void modes_begin_instant(Sim *s)
{
    for (uint32_t i = 0; i < s->prog->n_absent; i++)
        s->left[s->prog->absent[i]] = NAN;
    jump_begin(s->prog, s->prog->v);
    if (s->modes)
        s->modes->cache.begin = s->prog;
}

bool modes_restart_inline(Sim *s, ModeProgram *begin)
{
    ModeProgram *steps = s->prog;
    if (steps == begin || !s->modes || !s->modes->inlined.in_use ||
        s->modes->inlined.instead_of != begin)
        return false;
    program_use(s, begin);
    iteration_restore(s);
    modes_begin_instant(s);
    program_use(s, steps);
    return true;
}

const double *modes_row(Sim *s, const double *v)
{
    const ModeProgram *m = s->prog;
    if (!s->modes || !m->n_absent || v == s->left)
        return v;
    memcpy(s->modes->row, v, s->run.n_common * sizeof *v);
    for (uint32_t i = 0; i < m->n_absent; i++)
        s->modes->row[m->absent[i]] = NAN;
    return s->modes->row;
}

bool modes_have_own_states(const Sim *s)
{
    return s->modes && s->prog != s->modes->single;
}

bool modes_active(const Sim *s)
{
    return s->modes && s->modes->active;
}
