/* Impacts: the consequences of the reinits of an event.
 *
 * A relation whose event turns the motion at its surface has had an impact. The flight that follows
 * is predicted to second order. If it is too short to locate events in, the bouncing ends
 * (sliding.c). A resting state is released if another impact moves it. Kairos re-arms relations
 * that would miss the next impact. Some have not changed back since their impact. For others,
 * another when took precedence at the same event. */
#include "sim/sliding/surfaces.h"
#include "sim/state/evaluate.h"

#include <math.h>

static bool is_held(const ModeProgram *prog, uint32_t relation)
{
    for (uint32_t j = 0; j < prog->sliding->n; j++)
        if (prog->sliding->at[j].relation == relation)
            return true;
    return false;
}

/* By how much an impulse along d changes z'. */
static int response(ModeProgram *prog, uint32_t k, const double *d, double *out)
{
    Sliding *w = prog->sliding;
    double h = filippov_stride(prog, prog->x, d), z[2], *at = w->values, *f = at + prog->n;
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < prog->n; i++)
            at[i] = prog->x[i] + (turn ? h : -h) * d[i];
        int status = filippov_plain(prog, prog->run->time, at, f);
        status = status ? status : filippov_rate(prog, k, prog->run->time, at, f, &z[turn]);
        if (status)
            return status;
    }
    *out = (z[1] - z[0]) / (2 * h);
    return 0;
}

/* 1 if the side of relation k from which impacts come is z > 0, otherwise -1. */
static double side_of(const ModeProgram *prog, uint32_t k)
{
    const DaeRelation *r = program_relation(prog, k);
    return (r->op == OP_LT || r->op == OP_LE) == (prog->v[r->var] != 0) ? 1 : -1;
}

static bool may_watch(ModeProgram *prog)
{
    if (prog->n == 0 || prog->plan->inlined.n)
        return false;
    if (!prog->sliding)
        filippov_create(prog);
    return true;
}

/* ---- impacts ---- */

/* The direction in which the event moved the states. */
static void note_push(Sim *s, uint32_t relation)
{
    ModeProgram *prog = s->prog;
    double most = 0, **push = &prog->sliding->push[relation];
    if (!*push)
        *push = ARENA_ARRAY(prog->own, double, prog->n);
    memset(*push, 0, prog->n * sizeof **push);
    for (uint32_t i = 0; i < s->event.n_reinits; i++)
        for (uint32_t k = 0; k < prog->n; k++)
            if (prog->plan->states.at[k].var == s->event.reinits[i].var) {
                (*push)[k] = s->event.reinits[i].to - s->event.reinits[i].from;
                most = fmax(most, fabs((*push)[k]) /
                                      program_var(prog, prog->plan->states.at[k].var)->nominal);
            }
    for (uint32_t k = 0; k < prog->n && most > 0; k++)
        (*push)[k] = fabs((*push)[k]) > 1e-6 * most ? (*push)[k] / most : 0;
}

bool impact_note(Sim *s, uint32_t relation)
{
    ModeProgram *prog = s->prog;
    if (!may_watch(s->prog))
        return false;
    double *left = prog->sliding->v, *f = prog->sliding->values, before, now,
           side = side_of(s->prog, relation);
    for (uint32_t i = 0; i < prog->n; i++)
        left[i] = s->left[prog->plan->states.at[i].var];
    bool known = !filippov_speed(s->prog, relation, s->run.time, left, f, &before) &&
                 !filippov_speed(s->prog, relation, s->run.time, prog->x, f, &now);
    (void)filippov_plain(s->prog, s->run.time, prog->x, NULL);
    bool turns = known && side * before < 0 && side * now >= 0;
    if (turns || !prog->sliding->push[relation])
        note_push(s, relation);
    return turns;
}

bool impact_flight(ModeProgram *prog, uint32_t relation, double *length, double *height)
{
    if (!may_watch(prog) || is_held(prog, relation))
        return false;
    double *at = prog->sliding->values, *f = at + prog->n, z, before, after,
           side = side_of(prog, relation);
    bool failed = filippov_crossing(prog, relation, prog->run->time, prog->x, &z) ||
                  filippov_speed(prog, relation, prog->run->time, prog->x, f, &before);
    double h = filippov_stride(prog, prog->x, f);
    for (uint32_t i = 0; !failed && i < prog->n; i++)
        at[i] = prog->x[i] + h * f[i];
    failed = failed || filippov_speed(prog, relation, prog->run->time + h, at, f, &after);
    int status = filippov_plain(prog, prog->run->time, prog->x, NULL);
    double bend = (after - before) / h;
    if (failed || status || !(side * before >= 0) || !(side * bend < 0))
        return false;
    *length = -2 * before / bend;
    *height = side * (z - before * before / (2 * bend));
    return true;
}

/* ---- strikes ---- */

/* Whether reinits move a state that rests at j so far that its flight from the surface is an
 * excursion. Then the rest ends. */
static bool is_struck(ModeProgram *prog, uint32_t j, double *out, double *push)
{
    const SlidingSurface *h = &prog->sliding->at[j];
    double now, by;
    bool known =
        h->rest && h->degree == 2 && !response(prog, h->relation, h->direction, &by) && by != 0 &&
        !filippov_speed(prog, h->relation, prog->run->time, prog->x, prog->sliding->values, &now);
    *out = known ? now * (by > 0 ? 1 : -1) : 0;
    *push = known ? fabs(h->free * by) : 0;
    return *out * *out > 8e-3 * *push * prog->run->eps * relation_scale(prog->run, h->relation);
}

/* Releases states that were struck, up to the first that was pushed into its surface; true if there
 * is one. */
static bool strike_rests(Sim *s)
{
    ModeProgram *prog = s->prog;
    bool again = false;
    double out, push;
    if (!sliding_active(s->prog) || filippov_control(s->prog, s->run.time, prog->x))
        return false;
    for (uint32_t j = prog->sliding->n; j-- > 0 && !again;) {
        uint32_t k = prog->sliding->at[j].relation;
        if (!is_struck(s->prog, j, &out, &push))
            continue;
        sliding_drop(s->prog, s->locator, j);
        if (out > 0) {
            fallback_flight(s->prog, 2 * out / push,
                            out * out / (2 * push) / (s->run.eps * relation_scale(&s->run, k)));
            continue;
        }
        s->relations.decided[k] = program_relation_holds(prog, k) ? 1 : 2;
        again = true;
    }
    return again;
}

/* Whether the event moves the state into the surface of relation k while it is still there after an
 * impact. */
static bool is_turned_back(Sim *s, uint32_t k)
{
    ModeProgram *prog = s->prog;
    double z, now;
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        if (s->event.triggers[i] == k && s->event.n_triggers == 1)
            return false;
    if (s->accumulation.cadences[2 * k].impact != (program_relation_holds(prog, k) ? 2 : 1) ||
        is_held(s->prog, k))
        return false;
    return !filippov_crossing(s->prog, k, s->run.time, prog->x, &z) &&
           fabs(z) <= IMPACT_NEAR * s->run.eps * relation_scale(&s->run, k) &&
           !filippov_speed(s->prog, k, s->run.time, prog->x, prog->sliding->values, &now) &&
           side_of(s->prog, k) * now < 0;
}

bool impact_rearm(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (!s->event.n_reinits || !may_watch(s->prog))
        return false;
    bool again = strike_rests(s);
    for (uint32_t k = 0; k < program_n_relations(prog) && !again;
         k++) /* one at a time, because whens may exclude each other */
        if (s->accumulation.cadences[2 * k].impact && is_turned_back(s, k)) {
            s->relations.decided[k] = s->accumulation.cadences[2 * k].impact == 2 ? 1 : 2;
            again = true;
        }
    (void)filippov_plain(s->prog, s->run.time, prog->x, NULL); /* after displaced points */
    return again;
}
