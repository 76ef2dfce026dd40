/* Variations through initialization and events. See variation.h. */
#include "sim/event/schedule.h"
#include "sim/modes/variable_structure.h"
#include "sim/sliding/sliding.h"
#include "sim/variation_internal.h"

#include <math.h>

static const double GRAZING = 1e-7; /* slower crossings, in scales of z per time scale */
static const double AT_ONCE = 1e-9; /* scales of z from the start to an event that follows it */
static const double FAR = 1e3; /* times its age: a movement of its own, not that of z's shift */
static const double LOCATED = 1e-9;  /* errors of event times, in time scales */
static const double TOGETHER = 1e-6; /* shifts of simultaneous events that count as equal */

/* ---- passes ---- */

void variation_pass(Sim *s)
{
    Variation *w = s->variation;
    if (!w || w->flaw)
        return;
    if (s->event.iterations == 0) /* the iteration begins, perhaps once more */
        w->n_passes = 0;
    if (w->n_passes == w->passes.n)
        vec_push(&w->passes, ((Pass){0}));
    Pass *p = &w->passes.at[w->n_passes++];
    memory_free(p->v);
    memory_free(p->guard);
    *p = (Pass){.prog = s->prog};
    p->v = memory_alloc(s->prog->code->n_vars * sizeof *p->v);
    memcpy(p->v, s->prog->v, s->prog->code->n_vars * sizeof *p->v);
}

void variation_acted(Sim *s)
{
    Variation *w = s->variation;
    uint32_t n = program_n_actions(s->prog);
    if (!w || w->flaw || !w->n_passes || !s->event.reinit_now || !n)
        return;
    Pass *p = &w->passes.at[w->n_passes - 1];
    p->guard = memory_alloc(n * sizeof *p->guard);
    memcpy(p->guard, s->actions.guard, n * sizeof *p->guard);
}

static void follow_pres(const Sim *s, double *dv)
{
    for (uint32_t i = 0; i < s->pres.n; i++)
        if (program_var(s->prog, s->pres.at[i].base)->type == DAE_REAL)
            dv[s->pres.at[i].pre] = (double)s->pres.at[i].sign * dv[s->pres.at[i].base];
}

static int replay_actions(Variation *w, const Pass *p, double *dv)
{
    Sim *s = w->s;
    ModeProgram *prog = p->prog;
    uint32_t n = program_n_actions(prog);
    double *value = memory_alloc((n + (size_t)1) * sizeof *value), *own = prog->m->dv,
           *rest = prog->m->r;
    prog->m->dv = dv;
    prog->m->r = value;
    prog->code->variations->actions(prog->m);
    prog->m->dv = own;
    prog->m->r = rest;
    for (uint32_t i = 0; i < n; i++) {
        const DaeAction *a = program_action(prog, i);
        if (a->kind != ACTION_REINIT || p->guard[i] == 0 || (a->initial && !s->event.initial))
            continue;
        double sign;
        VarId var = resolve_alias(prog, a->target, &sign);
        dv[var] = sign * value[i];
    }
    memory_free(value);
    return prog->m->status;
}

/* Tangents through one pass, from those of states, left limits, parameters and time. */
static int replay(Variation *w, const Pass *p, double *dv)
{
    ModeProgram *prog = p->prog;
    double *own = prog->m->dv;
    memcpy(prog->v, p->v, prog->code->n_vars * sizeof *p->v);
    runtime_invalidate(prog->rt);
    variation_choose(w, prog, dv);
    prog->m->dv = dv;
    int status = evaluate_event(prog, prog->code->variations->event);
    prog->m->dv = own;
    if (!status && p->guard)
        status = replay_actions(w, p, dv);
    if (!status)
        follow_pres(w->s, dv);
    return status;
}

static bool replay_all(Variation *w)
{
    ModeProgram *last = w->s->prog;
    double *after = memory_alloc(last->code->n_vars * sizeof *after);
    memcpy(after, last->v, last->code->n_vars * sizeof *after);
    int status = 0;
    for (uint32_t j = 0; j < w->n && !status; j++)
        for (uint32_t i = 0; i < w->n_passes && !status; i++)
            status = replay(w, &w->passes.at[i], w->dv[j]);
    memcpy(last->v, after, last->code->n_vars * sizeof *after);
    runtime_invalidate(last->rt);
    memory_free(after);
    return !status;
}

/* ---- what moves instants ---- */

static void indicator_tangents(ModeProgram *prog, double *dv, double *out)
{
    double *own = prog->m->dv, *rest = prog->m->r;
    prog->m->dv = dv;
    prog->m->r = out;
    prog->code->variations->indicators(prog->m);
    prog->m->dv = own;
    prog->m->r = rest;
}

/* Of starts and intervals of samples, in direction j. */
static void sample_tangents(Variation *w, uint32_t j)
{
    ModeProgram *prog = w->s->prog;
    double *own = prog->m->dv, *rest = prog->m->r;
    prog->m->dv = w->dv[j];
    prog->m->r = w->samples;
    prog->code->variations->samples(prog->m);
    prog->m->dv = own;
    prog->m->r = rest;
}

/* The least movement of an instant that counts. */
static double least_movement(const Variation *w, uint32_t j)
{
    return LOCATED * model_later_time_scale(&w->s->run) / w->size[j];
}

/* ---- initialization ---- */

static int vary_parameters(Variation *w, ModeProgram *prog, uint32_t j)
{
    VarId seed = w->seed[j];
    memset(w->dv[j], 0, w->room * sizeof *w->dv[j]);
    if (seed == NONE)
        return 0;
    w->dv[j][seed] = w->seed_sign[j];
    w->size[j] = prog->v[seed] != 0 ? fabs(prog->v[seed]) : program_var(prog, seed)->nominal;
    double *own = prog->m->dv;
    prog->m->dv = w->dv[j];
    int status = evaluate_parameter_tangents(prog, seed);
    prog->m->dv = own;
    return status;
}

/* Left limits before the start, and inputs that nothing drives, have their start values. */
static void vary_start_values(const Variation *w, const ModeProgram *prog, double *dv)
{
    for (VarId i = 0; i < prog->code->n_vars; i++) {
        const DaeVar *x = program_var(prog, i);
        bool begins = x->kind == DAE_DISCRETE || x->kind == DAE_FOLLOWING ||
                      (x->kind == DAE_INPUT && x->flat != NONE && !prog->set[i]);
        double sign;
        if (begins && x->type == DAE_REAL && x->start != NONE) {
            VarId start = resolve_alias(prog, x->start, &sign);
            dv[i] = sign * dv[start];
        }
    }
    follow_pres(w->s, dv);
}

void variation_initial(Sim *s)
{
    Variation *w = s->variation;
    if (!w)
        return;
    ModeProgram *prog = s->prog;
    variation_fit(w);
    runtime_invalidate(prog->rt);
    for (uint32_t j = 0; j < w->n; j++) {
        int status = vary_parameters(w, prog, j);
        vary_start_values(w, prog, w->dv[j]);
        double *own = prog->m->dv;
        prog->m->dv = w->dv[j];
        if (!status && prog->code->variations->initial)
            status = evaluate_event(prog, prog->code->variations->initial);
        status = status ? status : evaluate_call(prog, prog->code->variations->constants);
        prog->m->dv = own;
        follow_pres(s, w->dv[j]);
        if (status)
            variation_note_flaw(w, FLAW_SINGULAR);
    }
    variation_start_delays(w);
    if (program_n_transports(prog))
        variation_note_flaw(w, FLAW_DELAY);
    w->n_passes = 0;
}

/* Loses directions that move time events or ticks at the start: before it, they do not happen. */
static void lose_moved_starts(Variation *w)
{
    Sim *s = w->s;
    ModeProgram *prog = s->prog;
    uint32_t n = program_n_relations(prog);
    double t = s->run.time, near = LOCATED * model_later_time_scale(&s->run);
    bool *at_start = memory_alloc(n + (size_t)1);
    int status = evaluate_crossings(prog, t, prog->x, w->z_along);
    for (uint32_t k = 0; k < n; k++)
        at_start[k] = program_relation(prog, k)->is_time_event && fabs(w->z_along[k]) <= near;
    for (uint32_t j = 0; j < w->n && !status; j++) {
        bool moves = false;
        indicator_tangents(prog, w->dv[j], w->z_along);
        for (uint32_t k = 0; k < n; k++)
            moves |= at_start[k] && fabs(w->z_along[k]) > least_movement(w, j);
        sample_tangents(w, j);
        for (uint32_t k = 0; k < s->schedule->n_clocks; k++) {
            const Clock *clock = &s->schedule->clocks[k];
            double first = w->samples[2 * s->schedule->samples[clock->first]];
            moves |= fabs(clock->start - t) <= near && fabs(first) > least_movement(w, j);
        }
        if (moves)
            variation_lose(w, j, FLAW_START, t);
    }
    memory_free(at_start);
}

static void begin(Variation *w)
{
    Sim *s = w->s;
    variation_fit(w);
    if (!replay_all(w))
        variation_note_flaw(w, FLAW_SINGULAR);
    get_states(s->prog, s->prog->x);
    if (!w->flaw)
        lose_moved_starts(w);
    w->n_passes = 0;
    variation_start_delays(w);
    w->t = s->run.time;
    w->begun = true;
    tally_start(w);
    variation_rows(w, w->t);
}

/* Discrete variables that follow from those whose directions begin here, without an event. */
static void vary_discrete(Variation *w)
{
    Sim *s = w->s;
    for (uint32_t j = 0; j < w->n; j++)
        follow_pres(s, w->dv[j]);
    w->n_passes = 0;
    variation_pass(s);
    if (!w->flaw && !replay_all(w))
        variation_note_flaw(w, FLAW_SINGULAR);
    w->n_passes = 0;
}

static void begin_here(Variation *w)
{
    variation_fit(w);
    if (w->n && (program_n_delays(w->s->prog) || program_n_transports(w->s->prog)))
        variation_note_flaw(w, FLAW_DELAY); /* the past is part of the state */
    w->t = w->s->run.time;
    w->begun = true;
    vary_discrete(w);
}

void variation_begin(Variation *w)
{
    begin_here(w);
    tally_start(w);
}

void variation_begin_left(Variation *w)
{
    begin_here(w);
}

void variation_at_left(Variation *w, double time, VariationLeft *f, void *user)
{
    w->at_left = f;
    w->left_time = time;
    w->left_user = user;
}

void variation_end(Sim *s)
{
    s->variation = NULL;
}

/* ---- the left limit ---- */

int variation_all_tangents(Variation *w, ModeProgram *prog, double *dv, double *z)
{
    if (variation_slides(w))
        return slide_tangents(prog, dv, z);
    int status = variation_call(w, prog, dv, prog->code->variations->derivatives);
    status = status ? status : variation_call(w, prog, dv, prog->code->variations->outputs);
    indicator_tangents(prog, dv, z);
    return status;
}

int variation_rates(Variation *w, ModeProgram *prog)
{
    const PlanState *states = prog->plan->states.at;
    memset(w->along, 0, w->room * sizeof *w->along);
    w->along[0] = 1;
    for (uint32_t i = 0; i < prog->n; i++)
        w->along[states[i].var] = prog->v[states[i].der];
    return variation_all_tangents(w, prog, w->along, w->z_along);
}

static void call_at_left(Variation *w)
{
    VariationLeft *f = w->at_left;
    if (!f || w->s->run.time < w->left_time)
        return;
    w->at_left = NULL;
    f(w->left_user, w);
}

void variation_left(Sim *s)
{
    if (s->variation)
        call_at_left(s->variation);
    Variation *w = s->variation;
    if (!w || w->flaw)
        return;
    ModeProgram *prog = s->prog;
    variation_fit(w);
    uint32_t n_relations = program_n_relations(prog);
    variation_delay_shifts(w);
    int status = variation_rates(w, prog);
    for (uint32_t j = 0; j < w->n && !status; j++) {
        double *dv = w->dv[j];
        status = variation_all_tangents(w, prog, dv, w->z + (size_t)j * n_relations);
        memcpy(w->left[j], dv, w->room * sizeof *dv);
        for (uint32_t k = 0; k < w->n_of; k++)
            w->dy_left[(size_t)k * w->n + j] = w->of[k].sign * dv[w->of[k].var];
    }
    for (uint32_t k = 0; k < w->n_of; k++)
        w->y_left[k] = w->of[k].sign * prog->v[w->of[k].var];
    w->left_prog = prog;
    w->n_passes = 0;
    if (status)
        variation_note_flaw(w, FLAW_SINGULAR);
}

/* ---- the movement of the instant ---- */

/* Notes one more reason for the event, which moves by dt. */
static void move(Variation *w, uint32_t j, double dt, bool *first)
{
    double scale = fmax(fabs(dt), fabs(w->dt[j]));
    if (variation_is_lost(w, j))
        return;
    if (!*first && fabs(dt - w->dt[j]) > TOGETHER * scale + least_movement(w, j))
        variation_lose(w, j, FLAW_ORDER, w->s->run.time);
    else
        w->dt[j] = dt;
}

static void move_by_relation(Variation *w, uint32_t k, bool *first)
{
    Sim *s = w->s;
    uint32_t n = program_n_relations(s->prog);
    const DaeRelation *r = program_relation(s->prog, k);
    double rate = w->z_along[k],
           scale = relation_scale(&s->run, k) / model_later_time_scale(&s->run);
    bool moves = false, grazes = !r->is_time_event && fabs(rate) <= GRAZING * scale;
    if (r->of_transport) {
        variation_note_flaw(w, FLAW_DELAY);
        return;
    }
    for (uint32_t j = 0; j < w->n; j++)
        if (w->z[(size_t)j * n + k] != 0 && !variation_is_lost(w, j)) {
            moves = true;
            if (grazes)
                variation_lose(w, j, FLAW_GRAZING, s->run.time);
        }
    if (!moves && rate == 0) /* it stays at zero, and changes as a consequence */
        return;
    for (uint32_t j = 0; j < w->n; j++)
        move(w, j, rate != 0 ? -w->z[(size_t)j * n + k] / rate : 0, first);
    *first = false;
}

static void move_by_clock(Variation *w, const Clock *clock, bool *first)
{
    Sim *s = w->s;
    uint32_t sample = s->schedule->samples[clock->first];
    double ticks = round((s->run.time - clock->start) / clock->interval);
    for (uint32_t j = 0; j < w->n; j++) {
        sample_tangents(w, j);
        move(w, j, w->samples[2 * sample] + ticks * w->samples[2 * sample + 1], first);
    }
    *first = false;
}

static void find_movement(Variation *w)
{
    Sim *s = w->s;
    bool first = true;
    memset(w->dt, 0, w->n * sizeof *w->dt);
    if (s->event.initial || s->event.terminal || s->event.leaves)
        return; /* a surface is left smoothly: the movement of the instant has no effect */
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        move_by_relation(w, s->event.triggers[i], &first);
    for (uint32_t i = 0; i < s->schedule->n_fired; i++)
        move_by_clock(w, &s->schedule->clocks[s->schedule->fired[i]], &first);
}

/* ---- the jump ---- */

/* A state of the program now in use: its variable in the program before. */
static VarId old_variable(const Variation *w, VarId var)
{
    const ModeProgram *now = w->s->prog;
    if (var < w->s->run.n_common || now == w->left_prog)
        return var;
    const DaeVar *x = program_var(now, var);
    return x->kind == DAE_DERIVATIVE ? program_var(w->left_prog, x->base)->der : NONE;
}

static bool was_reinitialized(const Sim *s, VarId var)
{
    for (uint32_t i = 0; i < s->event.n_reinits; i++)
        if (s->event.reinits[i].var == var)
            return true;
    return false;
}

/* Whether a state was moved by the structure, not by reinit. */
static bool has_jumped(const Variation *w, VarId var)
{
    const Sim *s = w->s;
    if (var >= s->run.n_common || was_reinitialized(s, var))
        return false;
    double from = s->left[var], to = s->prog->v[var];
    return !(fabs(to - from) <=
             1e-7 * (fabs(from) + fabs(to) + program_var(s->prog, var)->nominal));
}

/* The value from which a variable jumped. */
static double jumped_from(const Sim *s, VarId var)
{
    for (uint32_t i = 0; i < s->event.n_reinits; i++)
        if (s->event.reinits[i].var == var)
            return s->event.reinits[i].to;
    return s->left[var];
}

/* The implicit step of length h from the left limit, in the mode after the event. */
static int jump_step(Variation *w, ModeProgram *all, double h)
{
    const Sim *s = w->s;
    memcpy(all->v, s->prog->v, s->run.n_common * sizeof *all->v);
    for (uint32_t i = 0; i < all->plan->inlined.n; i++) {
        const PlanInlined *x = &all->plan->inlined.at[i];
        if (x->var < s->run.n_common)
            all->v[x->old] = jumped_from(s, x->var);
    }
    all->v[all->plan->step] = h;
    runtime_invalidate(all->rt);
    int status = evaluate_call(all, all->code->derivatives);
    return status ? status : evaluate_call(all, all->code->outputs);
}

/* Its tangents, after it. */
static int jump_step_tangent(Variation *w, ModeProgram *all, uint32_t j, const double *total,
                             double *dv)
{
    uint32_t n = all->code->n_vars;
    memset(dv, 0, n * sizeof *dv);
    memcpy(dv, w->dv[j], w->s->run.n_common * sizeof *dv);
    for (uint32_t i = 0; i < all->plan->inlined.n; i++) {
        const PlanInlined *x = &all->plan->inlined.at[i];
        dv[x->old] = x->var < w->s->run.n_common ? total[x->var] : 0;
    }
    dv[all->plan->step] = 0;
    int status = variation_call(w, all, dv, all->code->variations->derivatives);
    return status ? status : variation_call(w, all, dv, all->code->variations->outputs);
}

/* Whether the step leads to where the run has jumped. */
static bool jump_agrees(const Variation *w, const double *to)
{
    const ModeProgram *now = w->s->prog;
    for (uint32_t i = 0; i < now->n; i++) {
        VarId var = now->plan->states.at[i].var;
        double size = fabs(now->v[var]) + program_var(now, var)->nominal;
        if (has_jumped(w, var) && !(fabs(to[var] - now->v[var]) <= 1e-6 * size))
            return false;
    }
    return true;
}

/* The tangent of the jump to another mode: the limit of that of an implicit step from the left
 * limit, by extrapolation from two lengths. */
static bool jump_tangent(Variation *w, uint32_t j, const double *total, double *out)
{
    Modes *modes = w->s->modes;
    ModeProgram *all = modes ? modes->inlined.all : NULL;
    if (!all || !all->code->variations || all->plan->step == NONE)
        return false;
    uint32_t n = all->code->n_vars, common = w->s->run.n_common;
    double *kept = memory_alloc(n * sizeof *kept), *dv = memory_alloc(n * sizeof *dv),
           *to = memory_alloc(common * sizeof *to), h = 5e-6 * model_time_scale(&w->s->run);
    memcpy(kept, all->v, n * sizeof *kept);
    int status = 0;
    for (int k = 0; k < 2 && !status; k++, h /= 2) {
        status = jump_step(w, all, h);
        status = status ? status : jump_step_tangent(w, all, j, total, dv);
        for (VarId v = 0; v < common; v++) {
            out[v] = k ? 2 * dv[v] - out[v] : dv[v];
            to[v] = k ? 2 * all->v[v] - to[v] : all->v[v];
        }
    }
    bool good = !status && jump_agrees(w, to);
    memcpy(all->v, kept, n * sizeof *kept);
    runtime_invalidate(all->rt);
    memory_free(kept);
    memory_free(dv);
    memory_free(to);
    return good;
}

/* Tangents of the left values at the moved instant, into dv. */
static void move_left(Variation *w)
{
    const ModeProgram *prog = w->left_prog;
    for (uint32_t j = 0; j < w->n; j++) {
        for (VarId v = 0; v < prog->code->n_vars; v++)
            w->left[j][v] += w->dt[j] != 0 ? w->along[v] * w->dt[j] : 0;
        w->left[j][0] = w->dt[j];
        memcpy(w->dv[j], w->left[j], w->s->run.n_common * sizeof **w->dv);
        const ModeProgram *now = w->s->prog;
        for (uint32_t i = 0; i < now->n; i++) {
            VarId var = now->plan->states.at[i].var, from = old_variable(w, var);
            if (from == NONE)
                variation_note_flaw(w, FLAW_SINGULAR);
            else
                w->dv[j][var] = w->left[j][from];
        }
        follow_pres(w->s, w->dv[j]);
    }
}

static bool put_jumps(Variation *w)
{
    const Sim *s = w->s;
    const ModeProgram *now = s->prog;
    bool any = false;
    for (uint32_t i = 0; i < now->n; i++)
        any |= has_jumped(w, now->plan->states.at[i].var);
    if (!any)
        return true;
    if (!s->event.mode_changed)
        return false;
    double *jumped = memory_alloc(s->run.n_common * sizeof *jumped);
    bool good = true;
    for (uint32_t j = 0; j < w->n && good; j++) {
        good = jump_tangent(w, j, w->left[j], jumped);
        for (uint32_t i = 0; i < now->n && good; i++) {
            VarId var = now->plan->states.at[i].var;
            if (has_jumped(w, var))
                w->dv[j][var] = jumped[var];
        }
    }
    memory_free(jumped);
    return good;
}

/* Derivatives after the event, also along a surface that is held from now on. */
static int right_rates(Variation *w, double *f)
{
    ModeProgram *prog = w->s->prog;
    uint32_t n = prog->code->n_vars;
    double *kept = memory_alloc(n * sizeof *kept);
    memcpy(kept, prog->v, n * sizeof *kept);
    int status = evaluate_derivatives(prog, w->s->run.time, prog->x);
    for (uint32_t i = 0; i < prog->n; i++)
        f[i] = prog->v[prog->plan->states.at[i].der];
    memcpy(prog->v, kept, n * sizeof *kept);
    memory_free(kept);
    return status;
}

/* S after the event, at a fixed time. */
static void settle_states(Variation *w)
{
    ModeProgram *prog = w->s->prog;
    memory_free(w->right);
    w->right = NULL;
    w->right = memory_alloc((prog->n + (size_t)1) * sizeof *w->right);
    w->right_n = prog->n;
    if (right_rates(w, w->right))
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t j = 0; j < w->n; j++) {
        for (uint32_t i = 0; i < prog->n; i++)
            w->dv[j][prog->plan->states.at[i].var] -= w->dt[j] != 0 ? w->right[i] * w->dt[j] : 0;
        w->dv[j][0] = 0;
    }
}

/* Loses directions that move the event if it follows the start at once: it may come before the
 * start, where it does not happen. If the motion is the same before and after it, nothing is lost.
 */
static void lose_if_at_start(Variation *w)
{
    const Sim *s = w->s;
    const ModeProgram *prog = s->prog;
    bool matters = s->event.mode_changed;
    double age = s->run.time - w->begin;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (age * fabs(w->z_along[k]) > AT_ONCE * relation_scale(&s->run, k))
            return;
    }
    for (uint32_t i = 0; i < s->pres.n && !matters; i++) {
        VarId v = s->pres.at[i].base;
        matters = program_var(prog, v)->type != DAE_BOOL && s->left[v] != prog->v[v];
    }
    for (uint32_t i = 0; i < prog->n && !matters; i++) {
        VarId var = old_variable(w, prog->plan->states.at[i].var);
        double before = var == NONE ? NAN : w->along[var], after = w->right[i];
        matters = !(fabs(before - after) <= 1e-6 * (fabs(before) + fabs(after)));
    }
    for (uint32_t j = 0; j < w->n && matters && s->event.n_triggers; j++)
        if (w->seed[j] != NONE && fabs(w->dt[j]) > least_movement(w, j) + FAR * age / w->size[j])
            variation_lose(w, j, FLAW_START, s->run.time);
}

static void note_event(Variation *w)
{
    vec_push(&w->times, w->s->run.time);
    for (uint32_t j = 0; j < w->n; j++)
        vec_push(&w->d_times, variation_is_lost(w, j) ? NAN : w->dt[j]);
}

/* Values and derivatives of the variables of `of` after the event, into row_y and row_dy. */
static bool right_values(Variation *w)
{
    Sim *s = w->s;
    size_t n = s->prog->n;
    double *now = memory_alloc(((size_t)w->n * n + n + 1) * sizeof *now),
           *x = now + (size_t)w->n * n, *kept = memory_alloc(s->prog->code->n_vars * sizeof *kept);
    memcpy(kept, s->prog->v, s->prog->code->n_vars * sizeof *kept);
    get_states(s->prog, x);
    for (uint32_t j = 0; j < w->n; j++)
        variation_get_states(w, j, now + j * n);
    if (variation_point(w, s->run.time, x, now, w->row_y, w->row_dy))
        variation_note_flaw(w, FLAW_SINGULAR);
    memcpy(s->prog->v, kept, s->prog->code->n_vars * sizeof *kept);
    memory_free(now);
    memory_free(kept);
    return !w->flaw;
}

/* The event that was settled lets surfaces be held: the motion after it is another. */
void variation_held(Sim *s)
{
    Variation *w = s->variation;
    ModeProgram *prog = s->prog;
    if (!w || !w->begun || w->flaw || !w->right || !sliding_active(prog) || w->right_n != prog->n)
        return;
    double *f = memory_alloc((prog->n + (size_t)1) * sizeof *f);
    if (right_rates(w, f))
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; i < prog->n; i++)
            w->dv[j][prog->plan->states.at[i].var] +=
                w->dt[j] != 0 ? (w->right[i] - f[i]) * w->dt[j] : 0;
    memory_free(w->right);
    w->right = f;
    if (right_values(w))
        tally_held(w, w->row_y, w->row_dy);
}

void variation_settled(Sim *s, bool visible)
{
    Variation *w = s->variation;
    if (!w)
        return;
    if (!w->begun) {
        begin(w);
        return;
    }
    if (w->flaw)
        tally_flawed(w);
    if (w->flaw || !w->left_prog)
        return;
    variation_fit(w);
    find_movement(w);
    if (w->flaw) {
        tally_flawed(w);
        return;
    }
    double *slope = memory_alloc((w->n_of * (w->n + (size_t)1) + 1) * sizeof *slope),
           *total = slope + w->n_of;
    for (uint32_t k = 0; k < w->n_of; k++)
        slope[k] = w->of[k].sign * w->along[w->of[k].var];
    move_left(w);
    if (!w->flaw && (!sliding_has_tangents(s->prog) || !put_jumps(w)))
        variation_note_flaw(w, FLAW_REST);
    if (!w->flaw && !replay_all(w))
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t k = 0; k < w->n_of; k++)
        for (uint32_t j = 0; j < w->n; j++)
            total[(size_t)k * w->n + j] = w->of[k].sign * w->dv[j][w->of[k].var];
    if (!w->flaw) {
        settle_states(w);
        lose_if_at_start(w);
    }
    if (!w->flaw) {
        if (visible)
            note_event(w);
        if (right_values(w))
            tally_event(w, w->row_y, w->row_dy, slope, total);
    }
    if (w->flaw)
        tally_flawed(w);
    w->n_passes = w->n_pieces = 0;
    w->left_prog = NULL;
    memory_free(slope);
}

/* ---- states chosen by value ---- */

/* Tangents of all candidates, at the present point. */
static int vary_candidates(Variation *w)
{
    ModeProgram *prog = w->s->prog;
    int status = evaluate_outputs(prog, w->s->run.time, prog->x);
    for (uint32_t j = 0; j < w->n && !status; j++) {
        status = variation_call(w, prog, w->dv[j], prog->code->variations->derivatives);
        if (!status)
            status = variation_call(w, prog, w->dv[j], prog->code->variations->outputs);
    }
    return status;
}

void variation_exchange(Sim *s, bool before)
{
    Variation *w = s->variation;
    const ModeProgram *prog = s->prog;
    if (!w || !w->begun || w->flaw || !prog->stands_for)
        return;
    if (before && vary_candidates(w))
        variation_note_flaw(w, FLAW_SINGULAR);
    if (before)
        return;
    w->n_pieces = 0; /* of the states before */
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; i < prog->n; i++) {
            VarId var = prog->plan->states.at[i].var;
            w->dv[j][var] = w->dv[j][program_stands_for(prog, var)];
        }
}
