/* The locator in a run. For a relation that has just changed, the shift begins with a thousandth of
 * ε, so that small excursions are seen. It grows if they continue. */
#include "sim/event/locator.h"

#include "base/snapshot.h"
#include "sim/event/crossing_bounds.h"
#include "sim/event/event.h"
#include "sim/message/message.h"
#include "sim/state/evaluate.h"

#include <math.h>

/* Fraction of ε for a relation that has just changed, and its growth with every change whose
 * excursion was below ε. */
static const double first_share = 1e-3, share_growth = 1.4;
static const double ROUNDED = 1e-3; /* of ε: rounding of a voltage that is zero */
static const double SAME_INSTANT = 1e-11;

/* ---- callbacks for the run ---- */

static int evaluate(void *user, double t, double *z)
{
    Sim *s = user;
    if (*s->run.ctx->interrupt)
        return MODEL_INTERRUPTED;
    program_states_at(s->prog, t, s->prog->xi);
    return evaluate_crossings(s->prog, t, s->prog->xi, z);
}

bool locator_literal(const ModeProgram *prog, uint32_t relation)
{
    const DaeRelation *r = program_relation(prog, relation);
    bool literal = r->op == OP_GE || r->op == OP_LE;
    return literal == (prog->v[r->var] != 0);
}

static bool is_literal(void *user, uint32_t relation)
{
    return locator_literal(((const Sim *)user)->prog, relation);
}

static bool is_excluded(void *user, double t0, double t1)
{
    return bounds_exclude_step(((const Sim *)user)->prog->bounds, t0, t1);
}

static bool may_turn(void *user, uint32_t column)
{
    return bounds_may_turn(((const Sim *)user)->prog->bounds, column);
}

static double bound(void *user, uint32_t column, double a, double b)
{
    return bounds_of_piece(((const Sim *)user)->prog->bounds, column, a, b);
}

static void trigger(void *user, uint32_t relation, double z)
{
    event_trigger(user, relation, z);
}

void locator_create(Sim *s)
{
    const ModeProgram *p = s->prog;
    uint32_t *relations = ARENA_ARRAY(s->run.arena, uint32_t, program_n_relations(p)), n = 0;
    for (uint32_t i = 0; i < program_n_relations(p); i++)
        if (!program_relation(p, i)->is_time_event)
            relations[n++] = i;
    Locator *l = s->locator = locator_new(s->run.arena, relations, n, program_n_relations(p));
    l->host = (LocatorHost){s, evaluate, is_literal, is_excluded, may_turn, bound, trigger};
    l->tolerance = s->run.options->tolerance;
    l->stateless = s->prog->n == 0;
    for (uint32_t k = 0; k < n; k++) {
        l->scale[k] = relation_scale(&s->run, relations[k]);
        l->shift[k] = l->full[k] = s->run.eps * l->scale[k];
    }
}

void locator_widen(Locator *l, const RunContext *run, uint32_t relation)
{
    uint32_t k = locator_column(l, relation);
    if (l->relations[k] == relation)
        l->shift[k] = l->full[k] = run->eps * relation_scale(run, relation);
}

/* ---- events and steps ---- */

double locator_share(const Accumulation *a, uint32_t relation)
{
    return fmin(1, first_share * pow(share_growth, a->cadences[2 * relation].inside));
}

static void note_peak(const Locator *l, Accumulation *a, uint32_t k)
{
    double *peak = &a->cadences[2 * l->relations[k]].peak;
    *peak = fmax(*peak, fabs(l->z[0][k]) / l->full[k]);
}

/* After an event, z[0] being known. */
static void set_shifts(Sim *s)
{
    Locator *l = s->locator;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t relation = s->event.triggers[i], k = locator_column(l, relation);
        bool wide = relation_scale(&s->run, relation) > relation_first_scale(s->prog, relation);
        if (l->relations[k] != relation)
            continue;
        /* excursions within a wide band mean nothing, and a rest at zero was no excursion */
        bool full = wide || l->rested[k] == s->run.time;
        l->shift[k] = l->full[k] * (full ? 1 : locator_share(&s->accumulation, relation));
    }
    for (uint32_t k = 0; k < l->n; k++) {
        note_peak(l, &s->accumulation, k);
        if (fabs(l->z[0][k]) > l->full[k])
            l->shift[k] = l->full[k];
    }
}

bool locator_restart(Sim *s)
{
    const ModeProgram *prog = s->prog;
    Locator *l = s->locator;
    if (!l->n)
        return true;
    for (uint32_t k = 0; k < l->n; k++) {
        const DaeRelation *r = program_relation(prog, l->relations[k]);
        bool up = r->op == OP_GT || r->op == OP_GE;
        l->side[k] = up == (prog->v[r->var] != 0) ? 1 : -1;
    }
    l->sampled = l->far = false;
    locator_select_all(l);
    bounds_restart(s->prog->bounds);
    l->span = 0;
    l->left = l->z[0];
    int status = evaluate_crossings(s->prog, s->run.time, prog->x, l->all);
    for (uint32_t k = 0; k < l->n; k++)
        l->z[0][k] = l->all[l->relations[k]];
    set_shifts(s);
    return !status || fail_model(s->prog, status, "evaluating relations");
}

void locator_accept(Locator *l, Accumulation *a)
{
    if (l->far)
        return;
    double *first = l->z[0];
    l->z[0] = l->z[3];
    l->z[3] = first;
    l->left = l->z[0];
    for (uint32_t i = 0; i < l->n_active; i++) {
        uint32_t k = l->active[i];
        note_peak(l, a, k);
        if (fabs(l->z[0][k]) > l->full[k])
            l->shift[k] = l->full[k];
    }
}

void locator_arriving(Sim *s)
{
    Locator *l = s->locator;
    for (uint32_t i = 0; l->sampled && i < l->n_active; i++) {
        uint32_t k = l->active[i];
        double near = l->side[k] * l->z[2][k], at = l->side[k] * l->z[3][k];
        bool stays =
            at == 0 && locator_is_switch(l, k) && locator_literal(s->prog, l->relations[k]);
        if (!l->suspended[k] && !stays && fabs(at) <= l->shift[k] && near > 100 * l->shift[k])
            event_trigger(s, l->relations[k], l->z[3][k]);
    }
    s->event.n_arriving = s->event.n_triggers;
    l->sampled = false;
}

static bool is_trigger(const Sim *s, uint32_t relation)
{
    uint32_t i = 0;
    while (i < s->event.n_triggers && s->event.triggers[i] != relation)
        i++;
    return i < s->event.n_triggers;
}

/* The first of the relation's switches, or the end of the list. */
static uint32_t first_switch(const Relations *r, uint32_t relation)
{
    uint32_t low = 0, high = r->n_switches;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->switches[middle].relation < relation)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool share_switch(const Relations *r, uint32_t a, uint32_t b)
{
    uint32_t i = first_switch(r, a), k = first_switch(r, b);
    while (i < r->n_switches && k < r->n_switches && r->switches[i].relation == a &&
           r->switches[k].relation == b) {
        if (r->switches[i].element == r->switches[k].element)
            return true;
        if (r->switches[i].element < r->switches[k].element)
            i++;
        else
            k++;
    }
    return false;
}

/* Whether a relation of the same component or switch is the reason of the event. */
static bool is_of_event(const Sim *s, uint32_t relation)
{
    PathId component = program_relation(s->prog, relation)->component;
    bool any = false;
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        any |= program_relation(s->prog, s->event.triggers[i])->component == component ||
               share_switch(&s->relations, s->event.triggers[i], relation);
    return any;
}

/* Marks elements of which a relation is not at zero. */
static void mark_away(Sim *s)
{
    Relations *r = &s->relations;
    for (uint32_t i = 0; i < r->n_switches; i++)
        r->away[r->switches[i].element] = false;
    for (uint32_t i = 0; i < r->n_switches; i++) {
        uint32_t k = r->switches[i].relation;
        r->away[r->switches[i].element] |=
            fabs(s->locator->all[k]) >= s->run.eps * relation_scale(&s->run, k);
    }
}

/* Whether the relation belongs to a switch, and whether another relation of it is not at zero. */
static bool moves_switch(const Relations *r, uint32_t relation, bool *away)
{
    uint32_t begin = first_switch(r, relation), i = begin;
    for (*away = false; i < r->n_switches && r->switches[i].relation == relation; i++)
        *away |= r->away[r->switches[i].element];
    return i > begin;
}

/* Whether z of a switch has been zero since the beginning of the step, up to rounding, while the
 * relation does not have its literal value. A corner of a characteristic is only passed. Elements
 * in parallel to the one that switches rest at zero with all their relations, and are left alone.
 * At one instant, a relation is moved once: otherwise two could move each other without end. */
static bool has_rested(const Sim *s, uint32_t k)
{
    const Locator *l = s->locator;
    bool away, of_switch = moves_switch(&s->relations, l->relations[k], &away);
    if ((!away && !is_of_event(s, l->relations[k])) ||
        fabs(s->run.time - l->rested[k]) <= SAME_INSTANT * fabs(s->run.time))
        return false;
    double most = ROUNDED * l->full[k];
    bool still = l->far || bounds_exclude(s->prog->bounds, k) || fabs(l->z[0][k]) <= most;
    of_switch |= locator_is_switch(l, k);
    return of_switch && !l->suspended[k] && still && fabs(l->all[l->relations[k]]) <= most &&
           !locator_literal(s->prog, l->relations[k]) && !is_trigger(s, l->relations[k]);
}

void locator_rested(Sim *s)
{
    const ModeProgram *prog = s->prog;
    Locator *l = s->locator;
    if (!l->n || !l->switching || sliding_active(prog) || prog->code->indicators(prog->m, l->all))
        return;
    mark_away(s);
    for (uint32_t k = 0; k < l->n; k++)
        if (has_rested(s, k)) {
            l->rested[k] = s->run.time;
            event_trigger(s, l->relations[k], l->all[l->relations[k]]);
        }
}

bool locator_moved_to_zero(Sim *s)
{
    const ModeProgram *prog = s->prog;
    Locator *l = s->locator;
    uint32_t before = s->event.n_triggers;
    if (!l->n || !l->left || sliding_active(s->prog) || s->event.leaves ||
        prog->code->indicators(prog->m, l->all))
        return false;
    for (uint32_t k = 0; k < l->n; k++) {
        bool moved =
            l->all[l->relations[k]] == 0 &&
            (l->far || bounds_exclude(s->prog->bounds, k) || fabs(l->left[k]) > l->full[k]);
        if (moved && locator_rests(l, k, 0) && !is_trigger(s, l->relations[k]))
            event_trigger(s, l->relations[k], 0);
    }
    return s->event.n_triggers > before;
}

void locator_snapshot(Locator *l, Snapshot *p)
{
    snapshot_expect(p, l->n);
    snapshot_array(p, l->full, l->n);
    snapshot_array(p, l->shift, l->n);
    snapshot_array(p, l->suspended, l->n);
    snapshot_array(p, l->rested, l->n);
}
