/* Crossing functions that touch zero between events: derivatives do not exist there. See
 * variation.h.
 *
 * The locator says which functions come near zero in a step. A function touches if its least
 * distance from a change is within what the integration can resolve: rounding, and the tolerance of
 * the states it depends on. The same is true if it has just crossed zero, and would turn back
 * within this distance. */
#include "sim/event/locator.h"
#include "sim/variation_internal.h"

#include <math.h>

static const double ROUNDING = 64 * 2.220446049250313e-16; /* of the scale of z */
static const double UNRESOLVED = 1e-2; /* of its size: deviation from a cubic that is too large */
static const double FAR_AHEAD = 1000;  /* steps, for a parabola */
static const double GLOBAL = 10;       /* tolerances: errors of states */
enum { MOST_SPLITS = 6, MOST_POINTS = 60 };

typedef struct Touch {
    Variation *w;
    uint32_t relation;
    double side; /* z has this sign while the relation keeps its value */
    double t;    /* where it comes nearest */
    double distance;
    double most; /* the largest distance since the last event */
} Touch;

/* The distance of the relation from a change at t, in the last step. */
static double distance_at(const Touch *q, double t)
{
    Variation *w = q->w;
    ModeProgram *prog = w->s->prog;
    program_states_at(prog, t, w->x);
    if (evaluate_crossings(prog, t, w->x, w->z_along))
        return NAN;
    return q->side * w->z_along[q->relation];
}

/* Least value between a and b by golden section; the function has one minimum there. */
static void refine(Touch *q, double a, double b)
{
    const double part = 0.3819660112501051;
    double t[2] = {a + part * (b - a), b - part * (b - a)},
           d[2] = {distance_at(q, t[0]), distance_at(q, t[1])}, least = 1e-8 * (b - a);
    for (int i = 0; i < MOST_POINTS && b - a > least; i++) {
        bool left = d[0] < d[1];
        *(left ? &b : &a) = t[left];
        t[left] = t[!left];
        d[left] = d[!left];
        t[!left] = left ? a + part * (b - a) : b - part * (b - a);
        d[!left] = distance_at(q, t[!left]);
    }
    int best = d[1] < d[0];
    if (d[best] < q->distance) {
        q->distance = d[best];
        q->t = t[best];
    }
}

/* What the integration cannot resolve of the relation at (t, x), where the model was evaluated. */
static double resolution(Touch *q)
{
    Variation *w = q->w;
    ModeProgram *prog = w->s->prog;
    double sum = ROUNDING * relation_scale(&w->s->run, q->relation);
    for (uint32_t i = 0; i < prog->n; i++) {
        VarId var = prog->plan->states.at[i].var;
        memset(w->along, 0, w->room * sizeof *w->along);
        w->along[var] = 1;
        if (variation_all_tangents(w, prog, w->along, w->z_along))
            return 0;
        double size = fmax(fabs(w->x[i]), program_var(prog, var)->nominal);
        sum += GLOBAL * w->s->run.options->tolerance * fabs(w->z_along[q->relation]) * size;
    }
    return sum;
}

/* Loses directions that move z at time t of the last step. */
static void lose_moved(Touch *q)
{
    Variation *w = q->w;
    ModeProgram *prog = w->s->prog;
    variation_states_at(w, q->t, w->now);
    for (uint32_t j = 0; j < w->n; j++) {
        if (variation_is_lost(w, j))
            continue;
        variation_put_states(w, j, w->now + (size_t)j * prog->n);
        if (!variation_all_tangents(w, prog, w->dv[j], w->z_along) && w->z_along[q->relation] != 0)
            variation_lose(w, j, FLAW_GRAZING, q->t);
    }
}

/* If z touches zero at q->t, derivatives end there. False if not. */
static bool touches(Touch *q)
{
    Variation *w = q->w;
    ModeProgram *prog = w->s->prog;
    program_states_at(prog, q->t, w->x);
    if (evaluate_outputs(prog, q->t, w->x))
        return false;
    double least = resolution(q);
    if (q->distance > least || q->most <= 4 * least)
        return false;
    lose_moved(q);
    return true;
}

/* The least distance in [a, b], of which d are the values at 0, 1/4, 1/2, 3/4 and 1. */
static void search(Touch *q, double a, double b, const double d[5], int splits)
{
    double size = 0, h = (b - a) / 4;
    for (int i = 0; i < 5; i++)
        size = fmax(size, fabs(d[i]));
    double fourth = d[0] - 4 * d[1] + 6 * d[2] - 4 * d[3] + d[4];
    if (fabs(fourth) > UNRESOLVED * size && splits < MOST_SPLITS) {
        double m[4];
        for (int i = 0; i < 4; i++)
            m[i] = distance_at(q, a + (i + 0.5) * h);
        search(q, a, a + 2 * h, (double[]){d[0], m[0], d[1], m[1], d[2]}, splits + 1);
        search(q, a + 2 * h, b, (double[]){d[2], m[2], d[3], m[3], d[4]}, splits + 1);
        return;
    }
    int least = 0;
    for (int i = 1; i < 5; i++)
        least = d[i] < d[least] ? i : least;
    double from = fmax(a, a + (least - 1) * h), to = fmin(b, a + (least + 1) * h),
           bend = fabs(d[0] - 2 * d[2] + d[4]) + fabs(d[4] - d[0]);
    if (d[least] <= bend) /* it cannot reach zero otherwise */
        refine(q, from, to);
}

/* The rate of the distance at t. */
static double rate_at(const Touch *q, double t)
{
    Variation *w = q->w;
    ModeProgram *prog = w->s->prog;
    program_states_at(prog, t, w->x);
    if (evaluate_outputs(prog, t, w->x) || variation_rates(w, prog))
        return NAN;
    return q->side * w->z_along[q->relation];
}

/* Of an event at b: how far z would go beyond zero, as a parabola. INFINITY if it would not turn
 * back soon. */
static double depth(const Touch *q, double a, double b)
{
    double before = rate_at(q, a), rate = rate_at(q, b), bend = (rate - before) / (b - a);
    return rate < 0 && bend > 0 && -rate < FAR_AHEAD * bend * (b - a) ? rate * rate / (2 * bend)
                                                                      : INFINITY;
}

static void find_in_column(Touch *q, uint32_t k, double a, double b, bool begins)
{
    Variation *w = q->w;
    const Locator *l = w->s->locator;
    double d[5], *most = &w->away[l->relations[k]];
    bool *falls = &w->falls[l->relations[k]], fell = *falls && !begins;
    int least = 0;
    for (int i = 0; i < 5; i++) {
        d[i] = distance_at(q, a + i * (b - a) / 4);
        if (isnan(d[i]))
            return;
        least = d[i] < d[least] ? i : least;
        *most = fmax(*most, d[i]);
    }
    q->most = *most;
    *falls = d[4] < d[3];
    if (fell || least > 0) /* otherwise it leaves zero, or comes from an event */
        search(q, a, b, d, 0);
    if (q->t < b - 1e-6 * (b - a) && touches(q))
        return;
    q->t = b;
    q->distance = d[4] <= l->full[k] ? depth(q, a, b) : INFINITY;
    if (isfinite(q->distance))
        touches(q);
}

void variation_find_touches(Variation *w, double a, double b)
{
    const Locator *l = w->s->locator;
    bool begins = a == w->tallied || a == w->begin; /* zero there was an event */
    for (uint32_t k = 0; k < l->n && !w->flaw; k++) {
        Touch q = {w, l->relations[k], l->side[k], b, INFINITY, 0};
        double *most = &w->away[q.relation];
        *most = begins ? 0 : *most;
        if (!l->is_near[k]) {
            *most = INFINITY;
            w->falls[q.relation] = true;
        } else if (!l->suspended[k] && !variation_slides(w))
            find_in_column(&q, k, a, b, begins);
    }
}
