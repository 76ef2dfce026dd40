/* Relations that reach zero at an event of others. The equations after the event decide whether
 * they pass, turn back or rest. So the event is tried with the known triggers, and the equations
 * are followed for a moment. The trial leaves no trace. A relation that rests at exactly zero gets
 * its literal value; one that turns back, or is moved away, keeps its value. */
#include "sim/event/event.h"
#include "sim/event/locator.h"
#include "sim/event/schedule.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { LOOKS = 14, LONGER = 8 };

typedef struct Trial {
    double *v;         /* values before it */
    double *begin;     /* values at the beginning of an event iteration */
    uint8_t *decided;  /* and its decisions */
    double *left;      /* per relation: z after it has left zero; 0: it has not */
    double *z, *ahead; /* of all relations: right after the event, and a moment later */
    double *x, *slope; /* work, size of the states */
} Trial;

void simultaneous_create(ModeProgram *prog)
{
    uint32_t n = program_n_relations(prog);
    Trial *q = prog->trial = ARENA_NEW(prog->own, Trial);
    q->v = ARENA_ARRAY(prog->own, double, n ? prog->code->n_vars : 0);
    q->begin = ARENA_ARRAY(prog->own, double, n ? prog->code->n_vars : 0);
    q->decided = ARENA_ARRAY(prog->own, uint8_t, n);
    q->left = ARENA_ARRAY(prog->own, double, n);
    q->z = ARENA_ARRAY(prog->own, double, n);
    q->ahead = ARENA_ARRAY(prog->own, double, n);
    q->x = ARENA_ARRAY(prog->own, double, prog->n);
    q->slope = ARENA_ARRAY(prog->own, double, prog->n);
}

static bool is_located(const Sim *s, uint32_t trigger)
{
    return !program_relation(s->prog, s->event.triggers[trigger])->is_time_event;
}

static int indicators_at(ModeProgram *prog, double t, const double *x, double *z)
{
    put_states(prog, t, x);
    int status = prog->code->derivatives(prog->m);
    status = status ? status : prog->code->guards(prog->m);
    status = status ? status : prog->code->indicators(prog->m, z);
    return status ? status : prog->m->status;
}

/* One step from the values in v: of Heun's method, unless the integration is inlined. */
static int follow(ModeProgram *prog, Trial *q, double step)
{
    double t = prog->run->time;
    if (prog->look_ahead)
        return prog->look_ahead(prog, step, q->ahead);
    for (uint32_t i = 0; i < prog->n; i++) {
        const PlanState *state = &prog->plan->states.at[i];
        q->slope[i] = prog->v[state->der];
        q->x[i] = prog->v[state->var] + step * q->slope[i];
    }
    int status = indicators_at(prog, t + step, q->x, q->ahead);
    for (uint32_t i = 0; i < prog->n; i++)
        q->x[i] += 0.5 * step * (prog->v[prog->plan->states.at[i].der] - q->slope[i]);
    return status ? status : indicators_at(prog, t + step, q->x, q->ahead);
}

/* The equations after the event, relations as decided; false if that fails. Values and left
 * limits are as before. */
static bool try_event(Sim *s, Trial *q)
{
    ModeProgram *prog = s->prog;
    memcpy(q->v, prog->v, prog->code->n_vars * sizeof *prog->v);
    runtime_relations(prog->rt, s->relations.decided, s->run.eps, 0);
    runtime_invalidate(prog->rt);
    prog->m->status = 0;
    prog->m->event = 1;
    int status = prog->code->event(prog->m);
    prog->m->event = 0;
    status = status ? status : prog->code->indicators(prog->m, q->z);
    status = status ? status : follow(s->prog, q, s->locator->span);
    bool good = !status && !prog->m->status;
    prog->m->status = 0;
    memcpy(prog->v, q->v, prog->code->n_vars * sizeof *prog->v);
    runtime_relations(prog->rt, NULL, s->run.eps, 0);
    runtime_invalidate(prog->rt);
    return good;
}

static bool rests(const Trial *q, uint32_t relation)
{
    return q->z[relation] == 0 && q->ahead[relation] == 0;
}

/* Whether a relation that reaches zero, undecided in the trial, changes. */
static bool passes(const Sim *s, const Trial *q, uint32_t relation)
{
    double full = s->run.eps * relation_scale(&s->run, relation);
    int side = locator_side(s->locator, relation);
    if (rests(q, relation))
        return !locator_literal(s->prog, relation);
    return fabs(q->z[relation]) <= full && side * q->ahead[relation] <= full;
}

/* Drops triggers that are no longer decided; breaks of delays have passed. */
static void compact(Sim *s)
{
    Event *e = &s->event;
    uint32_t n = 0;
    for (uint32_t i = 0; i < e->n_triggers; i++) {
        const DaeRelation *r = program_relation(s->prog, e->triggers[i]);
        if (!s->relations.decided[e->triggers[i]] && !r->of_delay && !r->of_transport)
            continue;
        e->triggers[n] = e->triggers[i];
        e->trigger_z[n++] = e->trigger_z[i];
    }
    e->n_triggers = n;
}

/* Relations that reach zero at the instant of a time event. */
static void judge_arriving(Sim *s, Trial *q)
{
    Event *e = &s->event;
    for (uint32_t i = 0; i < e->n_arriving; i++)
        s->relations.decided[e->triggers[i]] = 0;
    bool known = try_event(s, q);
    for (uint32_t i = 0; i < e->n_arriving; i++)
        if (!known || passes(s, q, e->triggers[i]))
            event_decide(&s->relations, s->prog, e->triggers[i]);
}

/* Relations located together: one that the others bring to rest at zero, with its literal value,
 * has not changed. Retry without it: a relation must not cause its own rest. */
static void judge_located(Sim *s, Trial *q)
{
    Event *e = &s->event;
    bool any = false, known = try_event(s, q);
    for (uint32_t i = 0; known && i < e->n_triggers; i++)
        if (is_located(s, i) && rests(q, e->triggers[i]) &&
            locator_literal(s->prog, e->triggers[i])) {
            s->relations.decided[e->triggers[i]] = 0;
            any = true;
        }
    known = !any || try_event(s, q);
    for (uint32_t i = 0; any && i < e->n_triggers; i++)
        if (!s->relations.decided[e->triggers[i]] && !(known && rests(q, e->triggers[i])))
            event_decide(&s->relations, s->prog, e->triggers[i]);
}

/* ---- event iterations that cycle ---- */

void iteration_save(Sim *s)
{
    Trial *q = s->prog->trial;
    if (!program_n_relations(s->prog))
        return;
    memcpy(q->begin, s->prog->v, program_n_vars(s->prog) * sizeof *s->prog->v);
    memcpy(q->decided, s->relations.decided, program_n_relations(s->prog));
    memset(s->relations.foreseen, 0, program_n_relations(s->prog));
}

void iteration_restore(Sim *s)
{
    Trial *q = s->prog->trial;
    Event *e = &s->event;
    memcpy(s->prog->v, q->begin, program_n_vars(s->prog) * sizeof *s->prog->v);
    memcpy(s->relations.decided, q->decided, program_n_relations(s->prog));
    memset(s->relations.foreseen, 0, program_n_relations(s->prog));
    e->n_reinits = e->iterations = 0;
    e->mode_changed = false;
    s->prog->m->status = 0;
    runtime_invalidate(s->prog->rt);
}

bool iteration_returned(Sim *s)
{
    const Trial *q = s->prog->trial;
    const Event *e = &s->event;
    if (!e->n_triggers || sliding_active(s->prog) ||
        s->prog->code->indicators(s->prog->m, s->relations.z))
        return false;
    for (uint32_t i = 0; i < e->n_triggers; i++) {
        uint32_t k = e->triggers[i], was = q->decided[k];
        bool now = s->prog->v[program_relation(s->prog, k)->var] != 0;
        if (is_located(s, i) && was && now != (was == 2) && !s->relations.foreseen[k] &&
            fabs(s->relations.z[k] - e->trigger_z[i]) <= s->run.eps * relation_scale(&s->run, k))
            return true;
    }
    return false;
}

bool can_foresee(const ModeProgram *prog)
{
    return program_n_relations(prog) && prog->n && !sliding_active(prog);
}

static bool is_true(ExprOp op, double z)
{
    return op == OP_LT || op == OP_LE ? z < 0 : z > 0;
}

static bool is_literally_true(ExprOp op)
{
    return op == OP_LE || op == OP_GE;
}

/* Whether relation k is at zero but did not trigger the event. */
static bool is_open(const Sim *s, const Trial *q, uint32_t k)
{
    const DaeRelation *r = program_relation(s->prog, k);
    return !r->is_time_event && (!s->relations.decided[k] || s->relations.foreseen[k]) &&
           fabs(q->z[k]) <= s->run.eps * relation_scale(&s->run, k);
}

/* Follows the equations for longer and longer moments, until each open relation has left zero. The
 * length of the last moment only affects how many leave. Returns whether this was possible. */
static bool look_ahead(Sim *s, Trial *q)
{
    double step = fmax(64 * solver_resolution(s->run.time), 1e-12 * s->locator->span);
    step = step > 1e-15 ? step : 1e-15;
    bool all = false, any = false;
    memcpy(q->v, s->prog->v, program_n_vars(s->prog) * sizeof *s->prog->v);
    for (int turn = 0; turn < LOOKS && !all; turn++, step *= LONGER) {
        memcpy(s->prog->v, q->v, program_n_vars(s->prog) * sizeof *s->prog->v);
        if (follow(s->prog, q, step))
            break;
        all = any = true;
        for (uint32_t k = 0; k < program_n_relations(s->prog); k++) {
            double far = fabs(q->ahead[k]);
            if (!is_open(s, q, k) || q->left[k] != 0)
                continue;
            if (far > s->run.eps * relation_scale(&s->run, k))
                q->left[k] = q->ahead[k];
            else
                all = false;
        }
    }
    memcpy(s->prog->v, q->v, program_n_vars(s->prog) * sizeof *s->prog->v);
    runtime_invalidate(s->prog->rt);
    s->prog->m->status = 0;
    return any;
}

/* z of all relations at the present values of an event. */
static int look_now(ModeProgram *prog, double *z)
{
    return prog->look_at_limit ? prog->look_at_limit(prog, z) : prog->code->indicators(prog->m, z);
}

bool foresee_relations(Sim *s)
{
    Trial *q = s->prog->trial;
    bool any = false, changed = false;
    if (look_now(s->prog, q->z))
        return false;
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++) {
        bool open = is_open(s, q, k);
        if (s->relations.foreseen[k] && !open) {
            s->relations.foreseen[k] = false;
            s->relations.decided[k] = 0;
        }
        any |= open;
        q->left[k] = 0;
    }
    if (!any || !look_ahead(s, q))
        return false;
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++) {
        const DaeRelation *r = program_relation(s->prog, k);
        if (!is_open(s, q, k) || (q->left[k] == 0 && !rests(q, k)))
            continue;
        bool will = q->left[k] != 0 ? is_true(r->op, q->left[k]) : is_literally_true(r->op);
        changed |= will != (s->prog->v[r->var] != 0);
        s->relations.decided[k] = will ? 2 : 1;
        s->relations.foreseen[k] = true;
    }
    return changed;
}

static bool can_try(const Sim *s)
{
    const ModeProgram *prog = s->prog;
    return s->locator->span > 0 && !prog->key && !prog->plan->inlined.n && !sliding_active(s->prog);
}

void simultaneous_judge(Sim *s)
{
    ModeProgram *prog = s->prog;
    Event *e = &s->event;
    bool together =
        e->n_triggers > 0 && is_located(s, 0) && e->n_triggers + s->schedule->n_fired > 1;
    if ((!together && !e->n_arriving) || !can_try(s))
        return;
    if (e->n_arriving)
        judge_arriving(s, prog->trial);
    else
        judge_located(s, prog->trial);
    compact(s);
}
