/* The next mode and the jump as one problem (Moreau's time-stepping, for one step of vanishing length).
 *
 * At a mode change all equations of the model, unreduced and with the incidence of all branches, are solved together with der(x) = (x - left)/h, the mixed
 * system of one step of implicit Euler. What must stay finite cannot jump; what a constraint of the new mode forces jumps such that momentum, charge and
 * flux are balanced, since the equations of these balances are among those solved; a diode that turns on because another switch turned off
 * does so in the same solution. The limit for h to 0 is taken by extrapolation; x that moves less than rounding and extrapolation
 * can tell has not jumped and keeps its value exactly. A second solution from where things now stand gives derivatives and all other
 * variables at the right limit; if the mode changes again there, the next jump begins from it.
 *
 * Events are located to within ε, so left limits may miss a constraint of the new mode by as little. An impulse that removes such a miss would, divided
 * by h, outweigh all finite values and decide the relations. So first the mode is tried in which no relation has changed but those that triggered the
 * event: if nothing jumps in it and it is consistent without that miss, it is the next one. */
#include "sim/internal.h"

#include <math.h>

enum { MOST_JUMPS = 20, MOST_LENGTHS = 7 };
static const double first_length = 1e-7; /* of the span of the run */
static const double shorter = 1.0 / 16;
static const double agree = 1e-9; /* extrapolations, relative to nominal + |x| */
static const double still = 2e-8; /* x that moved less has not jumped */

double jump_length(const Sim *s)
{
    double span = s->options->stop - s->options->start;
    return first_length * (span > 0 ? span : 1);
}

/* ---- where things stand ---- */

void jump_begin(Sim *s, const double *left)
{
    Modes *w = s->modes;
    if (!w || !w->jump)
        return;
    memcpy(w->from, left, s->n_common * sizeof *left);
    w->begun = true;
    for (uint32_t i = 0; i < w->jump->n; i++)
        if (w->jump->plan->inlined.at[i].var < s->n_common)
            w->stand[i] = left[w->jump->plan->inlined.at[i].var];
}

void jump_put(Sim *s, VarId var, double value)
{
    Modes *w = s->modes;
    if (!w || !w->jump)
        return;
    w->from[var] = value;
    for (uint32_t i = 0; i < w->jump->n; i++)
        if (w->jump->plan->inlined.at[i].var == var)
            w->stand[i] = value;
}

/* What slots of state sets stand for, and where that stands. */
static void resolve_slots(Sim *s)
{
    Modes *w = s->modes;
    for (uint32_t i = 0; i < s->n; i++) {
        VarId v = s->plan->inlined.at[i].var;
        w->means[i] = sets_stands_for(s, v);
        if (w->begun && v != w->means[i] && w->means[i] < s->n_common)
            w->stand[i] = w->from[w->means[i]];
    }
    w->begun = false;
}

/* Everything integrated is where it stands. */
static void put_stand(Sim *s, const double *stand)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->v[s->plan->inlined.at[i].var] = s->v[s->modes->means[i]] = stand[i];
}

/* ---- solutions for a length ---- */

static int solve(Sim *s, double h, bool discrete)
{
    const Plan *p = s->plan;
    if (p->step != NONE) /* else nothing is integrated */
        s->v[p->step] = h;
    for (uint32_t i = 0; i < s->n; i++)
        s->v[p->inlined.at[i].old] = s->modes->stand[i];
    if (discrete)
        return data_event(s, s->code->event);
    int status = data_call(s, s->code->derivatives);
    return status ? status : data_call(s, s->code->outputs);
}

static void note(const Sim *s, double *x)
{
    for (uint32_t i = 0; i < s->n; i++)
        x[i] = s->v[s->plan->inlined.at[i].var];
}

static double size_of(const Sim *s, uint32_t i, double x)
{
    return s->dae->vars.at[s->plan->inlined.at[i].var].nominal + fabs(x);
}

/* The limit for h to 0 into `to`, from solutions for h, h/2 and h/4 in the present mode; *error: how well two extrapolations agree. Crossing functions
 * likewise, into w->z with the difference of the two in w->noise: an impulse grows like 1/h, and its sign stays. */
static int extrapolate(Sim *s, double h, double *to, double *error)
{
    Modes *w = s->modes;
    double *x[3] = {w->work[0], w->work[1], w->work[2]};
    for (int k = 0; k < 3; k++) {
        int status = solve(s, h / (1 << k), false);
        status = status ? status : s->code->indicators(s->m, w->zs[k]);
        if (status)
            return status;
        note(s, x[k]);
    }
    *error = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double coarse = 2 * x[1][i] - x[0][i], fine = 2 * x[2][i] - x[1][i];
        to[i] = fine + (fine - coarse) / 3;
        *error = fmax(*error, fabs(fine - coarse) / size_of(s, i, fine));
    }
    return 0;
}

static void limits_of_z(Sim *s)
{
    Modes *w = s->modes;
    for (uint32_t k = 0; k < s->dae->relations.n; k++) {
        double coarse = 2 * w->zs[1][k] - w->zs[0][k], fine = 2 * w->zs[2][k] - w->zs[1][k];
        w->z[k] = fine;
        w->noise[k] = fabs(fine - coarse);
    }
}

/* The jump in the present mode into w->next, with the longest step for which the extrapolations agree, else the best. */
static int find_jump(Sim *s, double h)
{
    Modes *w = s->modes;
    double best = INFINITY, error;
    for (int k = 0; k < MOST_LENGTHS && best > agree; k++, h *= shorter) {
        int status = extrapolate(s, h, w->work[3], &error);
        if (status && best == INFINITY)
            return status;
        if (status || !(error < best))
            break;
        best = error;
        memcpy(w->next, w->work[3], s->n * sizeof *w->next);
        limits_of_z(s);
    }
    return best < INFINITY ? 0 : MODEL_NOT_FINITE;
}

/* Moves to w->next; true where something jumped. */
static bool move(Sim *s)
{
    Modes *w = s->modes;
    bool moved = false;
    for (uint32_t i = 0; i < s->n; i++) {
        if (fabs(w->next[i] - w->stand[i]) <= still * size_of(s, i, w->stand[i]))
            continue;
        w->stand[i] = w->next[i];
        moved = true;
    }
    return moved;
}

/* ---- relations in the limit ---- */

static bool is_true(const DaeRelation *r, double z)
{
    switch (r->op) {
    case OP_LT: return z < 0;
    case OP_LE: return z <= 0;
    case OP_GT: return z > 0;
    default: return z >= 0;
    }
}

/* Decides those relations anew whose value in the present mode the limit of z contradicts. The step has a length, and what it moves z by says nothing; where
 * the limit is zero, the relation returns to its value of the left limit, once. True where there are any. */
static bool contradicted(Sim *s)
{
    Modes *w = s->modes;
    bool any = false;
    for (uint32_t k = 0; k < s->dae->relations.n; k++) {
        const DaeRelation *r = &s->dae->relations.at[k];
        bool now = s->v[r->var] != 0, before = s->event.initial ? now : s->left[r->var] != 0;
        if (r->is_time_event || s->decided[k] || !isfinite(w->z[k]))
            continue;
        bool sure = fabs(w->z[k]) > s->eps * r->scale + w->noise[k];
        bool wanted = sure ? is_true(r, w->z[k]) : before;
        if (now == wanted || (!sure && w->returned[k]))
            continue;
        w->returned[k] |= !sure;
        w->kept[k] = wanted ? 2 : 1;
        any = true;
    }
    return any;
}

/* Relations other than those decided for the event as they were before it. */
static void keep_relations(Sim *s)
{
    uint8_t *kept = s->modes->kept;
    for (uint32_t k = 0; k < s->dae->relations.n; k++)
        kept[k] = s->decided[k] ? s->decided[k] : s->left[s->dae->relations.at[k].var] != 0 ? 2 : 1;
    runtime_relations(s->rt, kept, s->eps, 0);
}

/* Crossing functions in the present mode, from where the jump has led: without the small miss of the left limits. */
static int settle(Sim *s, double h)
{
    Modes *w = s->modes;
    memcpy(w->stand, w->next, s->n * sizeof *w->stand);
    return find_jump(s, h);
}

/* Where the jump leads in the mode with the kept relations, and whether this mode holds there. */
static bool holds_still(Sim *s, const double *stand)
{
    Modes *w = s->modes;
    double h = jump_length(s);
    keep_relations(s);
    memset(w->returned, 0, s->dae->relations.n);
    if (solve(s, h, true) || find_jump(s, h) || move(s) || settle(s, h) || contradicted(s))
        return false;
    put_stand(s, stand);
    return true;
}

bool jump_none(Sim *s)
{
    Modes *w = s->modes;
    resolve_slots(s);
    memcpy(w->row, s->v, s->n_common * sizeof *s->v);
    memcpy(w->before, w->stand, s->n * sizeof *w->stand);
    bool none = holds_still(s, w->before);
    memcpy(w->stand, w->before, s->n * sizeof *w->stand);
    if (!none)
        memcpy(s->v, w->row, s->n_common * sizeof *s->v);
    runtime_relations(s->rt, s->decided, s->eps, 0);
    return none;
}

/* One turn: the jump in the present mode and, where nothing jumps, whether the mode holds. *done: it does. */
static int turn(Sim *s, double h, bool *done)
{
    Modes *w = s->modes;
    int status = find_jump(s, h);
    bool moved = !status && move(s);
    if (status || moved)
        return status ? status : solve(s, h, true);
    memcpy(w->exact, w->stand, s->n * sizeof *w->stand);
    status = settle(s, h);
    *done = !status && !contradicted(s);
    if (!status)
        status = solve(s, h, !*done);
    memcpy(w->stand, w->exact, s->n * sizeof *w->stand);
    return status;
}

int jump_event(Sim *s)
{
    Modes *w = s->modes;
    double h = jump_length(s);
    bool done = false;
    resolve_slots(s);
    memcpy(w->kept, s->decided, s->dae->relations.n);
    memset(w->returned, 0, s->dae->relations.n);
    runtime_relations(s->rt, w->kept, s->eps, 0);
    int status = solve(s, h, true);
    for (int k = 0; !status && !done && k < MOST_JUMPS; k++)
        status = turn(s, h, &done);
    if (!status)
        put_stand(s, w->stand);
    runtime_relations(s->rt, s->decided, s->eps, 0);
    return status;
}
