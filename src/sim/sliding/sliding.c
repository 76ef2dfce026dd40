/* Holding a surface z = 0: if events have no end, the motion continues along the surface of their
 * relation (filippov.c). If the equivalent control leaves its range, the surface is left, which is
 * an event. */
#include "sim/event/locator.h"
#include "sim/message/message.h"
#include "sim/sliding/surfaces.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { LAYER = 10 }; /* tolerances: half width of a layer in which a relation is taken literally */
enum { SWEEPS = 3 }; /* over all surfaces, to put the state onto them */
enum { MOST_PIVOTS = 40 };
static const double PULL = 20; /* rate at which deviations vanish, over that of the run so far */

bool sliding_has_tangents(const ModeProgram *prog)
{
    const Sliding *w = sliding_active(prog) ? prog->sliding : NULL;
    for (uint32_t i = 0; w && i < w->n; i++)
        if (w->at[i].rest || w->at[i].degree != 1 || w->at[i].layer != 0 || w->at[i].normal)
            return false;
    return true;
}

void sliding_unmix(ModeProgram *prog)
{
    if (sliding_active(prog))
        filippov_restore_values(prog);
}

void sliding_extend(ModeProgram *prog, bool on)
{
    if (sliding_active(prog))
        prog->sliding->extended = on;
}

uint32_t sliding_count(const ModeProgram *prog)
{
    return sliding_active(prog) ? prog->sliding->n : 0;
}

uint32_t sliding_relation(const ModeProgram *prog, uint32_t i)
{
    return prog->sliding->at[i].relation;
}

double sliding_contrast(const ModeProgram *prog, uint32_t state)
{
    const Sliding *w = prog->sliding;
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < w->n_corners; i++) {
        low = fmin(low, w->corners[i].f[state]);
        high = fmax(high, w->corners[i].f[state]);
    }
    return high - low;
}

/* Steps are so short that deviations fall smoothly: events may end a step anywhere, and its
 * interpolation lacks the damping of the method. */
double sliding_limit(const ModeProgram *prog)
{
    double limit = INFINITY;
    for (uint32_t j = 0; sliding_active(prog) && j < prog->sliding->n; j++)
        limit = fmin(limit,
                     fmax(prog->sliding->at[j].age, prog->run->time - prog->run->options->start) /
                         PULL);
    return limit;
}

/* ---- leaving ---- */

static bool outside(const SlidingSurface *h)
{
    double slack = 1e-7;
    if (h->layer > 0)
        return h->passed;
    return h->free < -slack || (!h->rest && h->free > 1 + slack);
}

static bool left_at(ModeProgram *prog, double t)
{
    program_states_at(prog, t, prog->xi);
    if (filippov_control(prog, t, prog->xi))
        return false;
    for (uint32_t i = 0; i < prog->sliding->n; i++)
        if (outside(&prog->sliding->at[i]))
            return true;
    return false;
}

/* Whether the motion along a surface has come to a point where its control has no effect on z'. */
static bool degenerates_at(ModeProgram *prog, double t)
{
    program_states_at(prog, t, prog->xi);
    for (uint32_t j = 0; j < prog->sliding->n; j++)
        if (filippov_degenerates(prog, j, prog->xi))
            return true;
    return false;
}

bool sliding_leave(ModeProgram *prog, double t, double *te)
{
    if (!sliding_active(prog))
        return false;
    if (!left_at(prog, t)) {
        *te = t;
        return degenerates_at(prog, t);
    }
    double good = prog->run->time;
    while (t - good > fmax(4 * solver_resolution(t), 1e-12 * fabs(t))) {
        double middle = good + 0.5 * (t - good);
        *(left_at(prog, middle) ? &t : &good) = middle;
    }
    *te = t;
    return left_at(prog, t);
}

/* ---- beginning and end ---- */

void sliding_drop(ModeProgram *prog, Locator *locator, uint32_t j)
{
    Sliding *w = prog->sliding;
    filippov_restore_values(prog);
    for (uint32_t i = 0; i < w->at[j].n_relations; i++)
        locator_suspend(locator, w->at[j].relations[i], false);
    w->at[j] = w->at[--w->n];
    filippov_enable(prog, true);
    filippov_arrange(prog);
    if (!w->n)
        fallback_end(prog);
    prog->run->restart = true;
    runtime_invalidate(prog->rt);
}

void sliding_clear(ModeProgram *prog, Locator *locator)
{
    while (prog->sliding && prog->sliding->n)
        sliding_drop(prog, locator, 0);
    prog->sliding = NULL; /* another program has other states */
}

/* Puts the state onto all surfaces along which it slides. */
static void project(ModeProgram *prog)
{
    const Sliding *w = prog->sliding;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t j = 0; j < w->n; j++)
            if (!w->at[j].rest && !(w->at[j].layer > 0))
                filippov_project(prog, j);
}

static const char *kind_of_motion(const SlidingSurface *h)
{
    return h->rest ? "at rest at the surface of" : "along the surface of";
}

/* Surfaces whose control has no effect on z' at the present state are held by z'' from now on. */
static void raise_degrees(ModeProgram *prog)
{
    for (uint32_t j = 0; j < prog->sliding->n; j++) {
        SlidingSurface *h = &prog->sliding->at[j];
        if (!filippov_degenerates(prog, j, prog->x) || filippov_degree(prog, j) != 2)
            continue;
        h->degree = 2;
        h->gap = 0.1 * h->age / PULL;
        h->begin = prog->run->time;
    }
}

/* Sets the side on which the motion continues. The held relations trigger the event. */
bool sliding_release(Sim *s)
{
    ModeProgram *prog = s->prog;
    Sliding *w = prog->sliding;
    uint32_t left = NONE;
    raise_degrees(prog);
    project(prog);
    if (filippov_control(prog, prog->run->time, prog->x))
        return fail_model(prog, MODEL_SINGULAR, "leaving a surface");
    for (uint32_t j = w->n; j-- > 0;) {
        SlidingSurface *h = &w->at[j];
        if (!outside(h))
            continue;
        bool high = !h->rest && h->free > (h->layer > 0 ? 0.5 : 1),
             flips = !h->rest && high != h->side;
        arena_reset(s->run.scratch);
        run_log(&s->run, LOG_EVENTS, "Motion %s %s ends at time = %.12g.\n", kind_of_motion(h),
                describe_relation(s->prog, h->relation), s->run.time);
        h->side = h->rest ? h->side : high;
        filippov_present(s->prog);
        for (uint32_t i = 0; i < h->n_relations && !h->rest; i++) {
            uint32_t k = h->relations[i];
            double now = prog->v[program_relation(prog, k)->var];
            s->relations.decided[k] = now != 0 ? 2 : 1;
            if (flips)
                s->event.triggers[s->event.n_triggers++] = k;
        }
        left = h->rest ? left : h->relation;
        sliding_drop(s->prog, s->locator, j);
    }
    s->event.leaves = left != NONE;
    if (left != NONE)
        fallback_departure(s->prog, left);
    return true;
}

void sliding_keep(ModeProgram *prog, Relations *relations)
{
    if (prog->sliding)
        filippov_restore_values(prog);
    for (uint32_t j = 0; prog->sliding && j < prog->sliding->n; j++)
        for (uint32_t i = 0; i < prog->sliding->at[j].n_relations; i++) {
            uint32_t k = prog->sliding->at[j].relations[i];
            relations->decided[k] = program_relation_holds(prog, k) ? 2 : 1;
        }
}

static bool changed(const Sim *s, VarId var)
{
    for (uint32_t i = 0; i < s->discrete.n; i++)
        if (s->discrete.vars[i] == var)
            return s->discrete.before[i] != s->prog->v[var];
    return false;
}

bool sliding_refresh(Sim *s)
{
    ModeProgram *prog = s->prog;
    if (!sliding_active(s->prog))
        return true;
    for (uint32_t j = prog->sliding->n; j-- > 0;) {
        bool stale = false;
        for (uint32_t i = 0; i < prog->sliding->at[j].n_flips; i++)
            stale |= changed(s, prog->sliding->at[j].flips[i].var);
        if (stale)
            sliding_drop(s->prog, s->locator, j);
    }
    int status = evaluate_outputs(s->prog, s->run.time, prog->x);
    return !status || fail_model(s->prog, status, "holding a surface");
}

static void find_flips(Sim *s, SlidingSurface *h)
{
    ModeProgram *prog = s->prog;
    bool high = program_relation_holds(prog, h->relation);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->discrete.n; i++)
        n += prog->v[s->discrete.vars[i]] != s->discrete.before[i];
    h->flips = ARENA_ARRAY(prog->own, Flip, n + 1);
    for (uint32_t i = 0; i < s->discrete.n; i++) {
        double now = prog->v[s->discrete.vars[i]], then = s->discrete.before[i];
        if (now != then)
            h->flips[h->n_flips++] =
                (Flip){s->discrete.vars[i], high ? then : now, high ? now : then};
    }
    h->side = high;
}

static void find_direction(ModeProgram *prog, SlidingSurface *h)
{
    h->direction = ARENA_ARRAY(prog->own, double, prog->n);
    if (prog->sliding->push[h->relation])
        memcpy(h->direction, prog->sliding->push[h->relation], prog->n * sizeof *h->direction);
    h->side = program_relation_holds(prog, h->relation);
}

static EqId equation_of(const ModeProgram *prog, VarId var)
{
    const PlanSequence *m = &prog->plan->main;
    for (uint32_t b = m->block; b < m->block + m->n_blocks; b++) {
        const PlanBlock *x = &prog->plan->blocks.at[b];
        for (uint32_t i = 0; i < x->n_steps; i++)
            if (prog->plan->steps.at[x->step + i].var == var)
                return prog->plan->steps.at[x->step + i].eq;
        for (uint32_t i = 0; i < x->n_torn; i++)
            if (prog->plan->torn.at[x->torn + i].var == var)
                return prog->plan->torn.at[x->torn + i].eq;
    }
    return NONE;
}

/* The log has every such motion; a warning reports only the first. */
static void report(Sim *s, const SlidingSurface *h)
{
    ModeProgram *prog = s->prog;
    Span span = program_relation(prog, h->relation)->span;
    bool *reported = &prog->sliding->reported[h->rest][h->relation];
    arena_reset(s->run.scratch);
    char *what = describe_relation(s->prog, h->relation);
    run_log(&s->run, LOG_EVENTS, "Motion %s %s begins at time = %.12g.\n", kind_of_motion(h), what,
            s->run.time);
    if (*reported)
        return;
    *reported = true;
    if (!h->rest) {
        diag(s->run.ctx, span, DIAG_R019,
             "%s switches back and forth without end from time = %.10g on; the motion slides along "
             "this surface (Filippov)",
             what, s->run.time);
        return;
    }
    diag(s->run.ctx, span, DIAG_R020,
         "events of %s accumulate at time = %.8g; from there on the model rests on this surface",
         what, s->accumulation.limit);
    for (uint32_t i = 0; i < prog->n; i++) {
        EqId e = h->direction[i] != 0 ? equation_of(s->prog, prog->plan->states.at[i].der) : NONE;
        if (e != NONE)
            diag_note(s->run.ctx, program_equation(prog, e)->span,
                      "this equation is suspended during the rest: %s",
                      program_equation_text(prog, e, s->run.scratch));
    }
}

/* Whether relation k has the same surface as one that came to rest at the same event and lost this
 * speed. Then it rests as well. */
static bool stands_too(ModeProgram *prog, uint32_t k, double lost)
{
    double now;
    return !filippov_speed(prog, k, prog->run->time, prog->x, prog->sliding->values, &now) &&
           fabs(now) <= 1e-3 * lost + 1e-9 * relation_scale(prog->run, k);
}

/* The relations that are not watched while it rests. */
static void find_relations(Sim *s, SlidingSurface *h, double lost)
{
    ModeProgram *prog = s->prog;
    h->relations = ARENA_ARRAY(prog->own, uint32_t, s->event.n_triggers + 1);
    h->relations[h->n_relations++] = h->relation;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (k != h->relation && !program_relation(prog, k)->is_time_event &&
            stands_too(s->prog, k, lost))
            h->relations[h->n_relations++] = k;
    }
}

/* The same for sliding: triggers of the event that have this surface. True if there are no others.
 */
static bool find_same_surface(Sim *s, SlidingSurface *h)
{
    bool alone = true;
    h->relations = ARENA_ARRAY(s->prog->own, uint32_t, s->event.n_triggers + 1);
    h->relations[h->n_relations++] = h->relation;
    for (uint32_t i = 0; i < s->event.n_triggers; i++) {
        uint32_t k = s->event.triggers[i];
        if (k == h->relation || program_relation(s->prog, k)->is_time_event)
            continue;
        if (filippov_same_surface(s->prog, h->relation, k))
            h->relations[h->n_relations++] = k;
        else
            alone = false;
    }
    return alone;
}

static SlidingSurface *add_hold(Sim *s, uint32_t relation, bool rest)
{
    SlidingSurface *h = &s->prog->sliding->at[s->prog->sliding->n];
    *h = (SlidingSurface){
        .rest = rest, .relation = relation, .u = rest ? 0 : 0.5, .begin = s->run.time};
    h->gap = s->accumulation.cadences[2 * relation].gap;
    h->age = fmax(s->run.time - s->run.options->start, model_time_scale(&s->run));
    h->pull = PULL / h->age;
    if (s->prog->kind->properties & SOLVER_FIXED_STEP)
        h->pull = fmin(h->pull, 1 / s->prog->problem.step);
    return h;
}

static bool all_inside(ModeProgram *prog)
{
    const Sliding *w = prog->sliding;
    bool ok = !filippov_control(prog, prog->run->time, prog->x);
    for (uint32_t i = 0; ok && i < w->n; i++)
        ok = !outside(&w->at[i]);
    return ok;
}

static bool is_of(const SlidingSurface *h, uint32_t relation)
{
    for (uint32_t i = 0; i < h->n_relations; i++)
        if (h->relations[i] == relation)
            return true;
    return false;
}

/* If the event has other triggers too, a trial shows what changes with the relations of the
 * surface. All other relations keep their values. */
static bool try_flips(Sim *s, SlidingSurface *h)
{
    arena_reset(s->run.scratch);
    uint32_t n = program_n_relations(s->prog);
    uint8_t *kept = ARENA_ARRAY(s->run.scratch, uint8_t, n);
    double *v = ARENA_ARRAY(s->run.scratch, double, s->prog->code->n_vars);
    memcpy(v, s->prog->v, s->prog->code->n_vars * sizeof *v);
    for (uint32_t k = 0; k < n; k++)
        kept[k] = (s->prog->v[program_relation(s->prog, k)->var] != 0) == !is_of(h, k) ? 2 : 1;
    runtime_relations(s->prog->rt, kept, s->run.eps, 0);
    runtime_invalidate(s->prog->rt);
    int status = evaluate_event(s->prog, s->prog->code->event);
    h->side = v[program_relation(s->prog, h->relation)->var] != 0;
    h->flips = ARENA_ARRAY(s->prog->own, Flip, s->discrete.n + 1);
    for (uint32_t i = 0; i < s->discrete.n && !status; i++) {
        VarId var = s->discrete.vars[i];
        double other = s->prog->v[var], now = v[var];
        if (now != other)
            h->flips[h->n_flips++] = (Flip){var, h->side ? other : now, h->side ? now : other};
    }
    memcpy(s->prog->v, v, s->prog->code->n_vars * sizeof *v);
    runtime_relations(s->prog->rt, NULL, s->run.eps, 0);
    runtime_invalidate(s->prog->rt);
    s->prog->m->status = 0;
    return !status;
}

/* ---- surfaces that cannot all be held ---- */

/* Whether the motion leads z of a pinned surface to its side. */
static bool leads_away(ModeProgram *prog, const SlidingSurface *h)
{
    const DaeRelation *r = program_relation(prog, h->relation);
    double up = r->op == OP_GT || r->op == OP_GE ? 1 : -1, speed;
    if (filippov_speed(prog, h->relation, prog->run->time, prog->x, prog->sliding->values, &speed))
        return false;
    return (h->u > 0.5 ? up : -up) * speed >= 0;
}

/* The first surface that is held although its control is out of range, or left to a side from which
 * the motion leads back; NONE: there is none. */
static uint32_t first_contradiction(ModeProgram *prog)
{
    const Sliding *w = prog->sliding;
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].pinned ? !leads_away(prog, &w->at[j]) : outside(&w->at[j]))
            return j;
    return NONE;
}

static void drop_pinned(Sim *s)
{
    Sliding *w = s->prog->sliding;
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].pinned)
            w->at[j].side = w->at[j].u > 0.5;
    filippov_present(s->prog);
    for (uint32_t j = w->n; j-- > 0;)
        if (w->at[j].pinned)
            sliding_drop(s->prog, s->locator, j);
}

/* Which of the surfaces the motion follows, and to which sides it leaves the others: the
 * complementarity problem of their speeds, by Murty's rule of the least index. False if none of the
 * new ones is held. */
static bool choose_held(ModeProgram *prog)
{
    Sliding *w = prog->sliding;
    uint32_t turns = MOST_PIVOTS + 4 * w->n, j = 0, held = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->at[i].rest || w->at[i].layer > 0 || w->at[i].degree != 1)
            return false;
    while (!filippov_control(prog, prog->run->time, prog->x) && turns-- > 0) {
        j = first_contradiction(prog);
        if (j == NONE)
            break;
        SlidingSurface *h = &w->at[j];
        h->u = h->pinned ? 0.5 : h->free > 0.5;
        h->pinned = !h->pinned;
    }
    for (uint32_t i = 0; i < w->n; i++)
        held += !w->at[i].pinned && w->at[i].begin == prog->run->time;
    return j == NONE && held;
}

static bool is_held(const Sliding *w, uint32_t relation)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (is_of(&w->at[j], relation))
            return true;
    return false;
}

/* Its z, in relations.z, is zero up to rounding. */
static bool is_at_zero(const Sim *s, uint32_t k)
{
    return fabs(s->relations.z[k]) <= IMPACT_NEAR * s->run.eps * relation_scale(&s->run, k);
}

/* The relation switches in both directions, but not by impacts. */
static bool switches(const Sim *s, uint32_t k)
{
    const EventCadence *c = &s->accumulation.cadences[2 * (size_t)k];
    return !program_relation(s->prog, k)->is_time_event && !c[0].bounces && c[0].events &&
           c[1].events;
}

/* Relation k and later ones of its surface, as x > 0 and x < 0 in sign(x). */
static void find_companions(Sim *s, SlidingSurface *h, uint32_t k)
{
    uint32_t n = program_n_relations(s->prog);
    h->relations = ARENA_ARRAY(s->prog->own, uint32_t, n - k);
    h->relations[h->n_relations++] = k;
    for (uint32_t i = k + 1; i < n; i++)
        if (switches(s, i) && !is_held(s->prog->sliding, i) && is_at_zero(s, i) &&
            filippov_same_surface(s->prog, k, i))
            h->relations[h->n_relations++] = i;
}

/* Further surfaces at the present state. If events accumulate at the intersection of several
 * surfaces, the end of a spiral, none of them can be held alone. */
static bool join_companions(Sim *s)
{
    Sliding *w = s->prog->sliding;
    filippov_restore_values(s->prog);
    filippov_enable(s->prog, false);
    int status = evaluate_indicators(s->prog, s->run.time, s->prog->x, s->relations.z);
    filippov_enable(s->prog, true);
    bool good = !status, any = false;
    for (uint32_t k = 0; k < program_n_relations(s->prog) && good; k++) {
        if (!switches(s, k) || is_held(w, k) || !is_at_zero(s, k))
            continue;
        SlidingSurface *h = add_hold(s, k, false);
        find_companions(s, h, k);
        good = try_flips(s, h);
        uint32_t j = w->n++;
        h->degree = 1;
        h->degree = good && filippov_join(s->prog, j) ? filippov_degree(s->prog, j) : 0;
        good = h->degree != 0;
        for (uint32_t i = 0; i < h->n_relations; i++)
            locator_suspend(s->locator, h->relations[i], true);
        any = true;
    }
    return good && w->n > 1 && ((any && all_inside(s->prog)) || choose_held(s->prog));
}

static bool prepare(ModeProgram *prog)
{
    if (prog->n == 0 || prog->plan->inlined.n)
        return false;
    if (!prog->sliding)
        filippov_create(prog);
    return true;
}

/* Holds the surfaces from now on, after one was added. */
static bool start_holding(Sim *s)
{
    if (!solver_reads_derivatives_only(s->prog))
        fallback_enter(s->prog);
    s->run.restart = true;
    runtime_invalidate(s->prog->rt);
    return locator_restart(s);
}

static void report_layer(Sim *s, uint32_t relation)
{
    bool *reported = &s->accumulation.cadences[2 * relation].literal;
    if (*reported)
        return;
    *reported = true;
    arena_reset(s->run.scratch);
    diag(s->run.ctx, program_relation(s->prog, relation)->span, DIAG_R024,
         "%s changes without end from time = %.10g on, and no motion along its surface exists; "
         "within %.2g of zero it is evaluated literally, without events",
         describe_relation(s->prog, relation), s->run.time,
         LAYER * s->run.options->tolerance * relation_scale(&s->run, relation));
}

bool sliding_take_literally(Sim *s, uint32_t relation)
{
    if (!prepare(s->prog) || program_relation(s->prog, relation)->is_time_event)
        return false;
    Sliding *w = s->prog->sliding;
    if (is_held(w, relation))
        return false;
    SlidingSurface *h = add_hold(s, relation, false);
    h->layer = LAYER * s->run.options->tolerance * relation_scale(&s->run, relation);
    h->degree = 1;
    if (find_same_surface(s, h))
        find_flips(s, h);
    else if (!try_flips(s, h))
        return false;
    if (!h->n_flips)
        return false;
    uint32_t j = w->n++;
    filippov_enable(s->prog, true);
    bool joined = filippov_join(s->prog, j);
    for (uint32_t i = 0; i < h->n_relations; i++)
        locator_suspend(s->locator, h->relations[i], true);
    if (!joined || filippov_control(s->prog, s->run.time, s->prog->x)) {
        sliding_drop(s->prog, s->locator, j);
        return false;
    }
    report_layer(s, relation);
    return start_holding(s);
}

bool sliding_begin(Sim *s, uint32_t relation, bool rest)
{
    if (!prepare(s->prog))
        return false;
    Sliding *w = s->prog->sliding;
    SlidingSurface *h = add_hold(s, relation, rest);
    if (rest)
        find_direction(s->prog, h);
    else if (find_same_surface(s, h))
        find_flips(s, h);
    else if (!try_flips(s, h))
        return false;
    uint32_t first = w->n++;
    filippov_enable(s->prog, true);
    h->degree = 1;
    h->degree = filippov_join(s->prog, first) ? filippov_degree(s->prog, first) : 0;
    if (rest)
        find_relations(s, h, h->degree ? filippov_settle(s->prog, first) : 0);
    for (uint32_t i = 0; i < h->n_relations; i++)
        locator_suspend(s->locator, h->relations[i], true);
    bool ok = h->degree && (all_inside(s->prog) || (!rest && join_companions(s)));
    if (ok) {
        drop_pinned(s);
        if (!rest)
            project(s->prog);
        ok = !filippov_control(s->prog, s->run.time, s->prog->x);
    }
    if (!ok) { /* no motion, or the controls have no effect on the surface itself */
        while (w->n > first)
            sliding_drop(s->prog, s->locator, w->n - 1);
        return false;
    }
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].begin == s->run.time)
            report(s, &w->at[j]);
    return start_holding(s);
}
