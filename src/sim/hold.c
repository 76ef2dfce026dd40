/* Holding a surface z = 0: where events have no end, motion goes on along the surface of their relation.
 *
 * *Sliding* (Filippov): on each side of the surface the derivatives are those of one valuation of the discrete variables; the motion
 * is the mixture u*f_true + (1 - u)*f_false, 0 <= u <= 1, that stays on it, and all continuous values are mixed alike. With several
 * surfaces the mixture is the product. *Rest*: impacts push the state along the direction d in which reinit moved it; in
 * the limit they are a force u*d, u >= 0, that keeps z at zero. Both are a control u that enters z' or, if not, z''.
 *
 * Derivatives of z along a direction are central differences of the crossing function. The control that keeps the surface is the
 * equivalent one; what is applied pulls small deviations back as well. Where the equivalent control leaves its range the
 * surface is left, which is an event. */
#include "sim/internal.h"

#include <math.h>

enum { MOST = 3 /* surfaces at once */, CORNERS = 8, NEWTON = 3 };

typedef struct Flip { /* a discrete variable that differs between the sides */
    VarId var;
    double low, high; /* where the relation is false, and where it is true */
} Flip;

typedef struct Hold {
    bool rest;
    uint32_t relation;   /* its z is the surface */
    uint32_t *relations; /* all that are not watched meanwhile */
    uint32_t n_relations;
    int degree;        /* 1: the control enters z'; 2: z'' */
    double *direction; /* rest: size n */
    Flip *flips;       /* sliding */
    uint32_t n_flips;
    bool side;         /* the relation's value meanwhile */
    double u, free;    /* applied and equivalent control */
    double begin, gap; /* when it began; between events then */
} Hold;

typedef struct Holds {
    Hold at[MOST];
    uint32_t n;
    bool quiet;         /* evaluations are plain ones for the while */
    double *f[CORNERS]; /* derivatives with each valuation; bit j: side of hold j */
    double *sum;        /* mixed derivatives */
    double *g;          /* a direction */
    double *x, *x2;     /* displaced states */
    double *f2;         /* derivatives at a displaced point */
    double *z;          /* all crossing functions */
    double *v, *values; /* mixed values, work; size n_vars */
    double *unmixed;    /* size n_vars: what stood in v before mixed values were put there */
    bool mixed;         /* they are there */
} Holds;

bool holds_active(const Sim *s)
{
    return s->holds && s->holds->n && !s->holds->quiet;
}

static void create(Sim *s)
{
    Holds *w = s->holds = arena_alloc(s->own, sizeof *w);
    memset(w, 0, sizeof *w);
    double **part[] = {&w->sum, &w->g, &w->x, &w->x2, &w->f2};
    for (uint32_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = ARENA_ARRAY(s->own, double, s->n);
    for (uint32_t c = 0; c < CORNERS; c++)
        w->f[c] = ARENA_ARRAY(s->own, double, s->n);
    w->z = ARENA_ARRAY(s->own, double, s->dae->relations.n);
    w->v = ARENA_ARRAY(s->own, double, s->code->n_vars);
    w->values = ARENA_ARRAY(s->own, double, s->code->n_vars);
    w->unmixed = ARENA_ARRAY(s->own, double, s->code->n_vars);
}

/* ---- sides ---- */

static void set_sides(Sim *s, unsigned corner)
{
    Holds *w = s->holds;
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; i < w->at[j].n_flips; i++) {
            const Flip *f = &w->at[j].flips[i];
            s->v[f->var] = corner >> j & 1U ? f->high : f->low;
        }
    runtime_invalidate(s->rt);
}

static unsigned present_corner(const Holds *w)
{
    unsigned corner = 0;
    for (uint32_t j = 0; j < w->n; j++)
        corner |= (unsigned)w->at[j].side << j;
    return corner;
}

/* Whether a corner differs from others: bits of rests do not. */
static bool is_corner(const Holds *w, unsigned corner)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].rest && (corner >> j & 1U))
            return false;
    return corner < 1U << w->n;
}

static double weight(const Holds *w, unsigned corner)
{
    double product = 1;
    for (uint32_t j = 0; j < w->n; j++)
        if (!w->at[j].rest)
            product *= corner >> j & 1U ? w->at[j].u : 1 - w->at[j].u;
    return product;
}

/* ---- mixed values in v ---- */

static bool is_mixed(const DaeVar *v)
{
    return v->kind == DAE_CONTINUOUS || v->kind == DAE_DERIVATIVE;
}

/* Some values of the model are computed once for the whole run: they must come back. */
static void unmix(Sim *s)
{
    Holds *w = s->holds;
    for (VarId i = 0; w->mixed && i < s->code->n_vars; i++)
        if (is_mixed(&s->dae->vars.at[i]))
            s->v[i] = w->unmixed[i];
    w->mixed = false;
}

static void before_mixing(Sim *s)
{
    memcpy(s->holds->unmixed, s->v, s->code->n_vars * sizeof *s->v);
    s->holds->mixed = true;
}

/* ---- evaluations with given sides ---- */

static int plain(Sim *s, double t, const double *x, double *f)
{
    unmix(s);
    s->holds->quiet = true;
    int status = data_derivatives(s, t, x);
    s->holds->quiet = false;
    for (uint32_t i = 0; f && i < s->n; i++)
        f[i] = s->v[s->plan->states.at[i].der];
    return status;
}

static int surface(Sim *s, uint32_t j, double t, const double *x, double *z)
{
    Holds *w = s->holds;
    unmix(s);
    w->quiet = true;
    int status = data_indicators(s, t, x, w->z);
    w->quiet = false;
    *z = w->z[w->at[j].relation];
    return status;
}

/* A step along (dt, g) over which derivatives are taken. */
static double stride(const Sim *s, const double *x, const double *g)
{
    double step = 1e-4 * (s->options->stop - s->options->start);
    for (uint32_t i = 0; i < s->n; i++) {
        double scale = fabs(x[i]) + s->dae->vars.at[s->plan->states.at[i].var].nominal;
        if (g[i] != 0)
            step = fmin(step, 1e-4 * scale / fabs(g[i]));
    }
    return step;
}

typedef int Along(Sim *s, uint32_t j, double t, const double *x, double *out);

/* Derivative of `of` along (dt, g), by differences; the points go to `at`. */
static int difference(Sim *s, Along *of, uint32_t j, double t, const double *x, double dt, const double *g,
                      double *at, double *out)
{
    double h = stride(s, x, g), z[2];
    for (int k = 0; k < 2; k++) {
        double by = k ? h : -h;
        for (uint32_t i = 0; i < s->n; i++)
            at[i] = x[i] + by * g[i];
        int status = of(s, j, t + by * dt, at, &z[k]);
        if (status)
            return status;
    }
    *out = (z[1] - z[0]) / (2 * h);
    return 0;
}

/* Derivative of z along (dt, g). */
static int rate(Sim *s, uint32_t j, double t, const double *x, double dt, const double *g, double *out)
{
    return difference(s, surface, j, t, x, dt, g, s->holds->x2, out);
}

/* z' at (t, x), where the control does not enter it. */
static int speed(Sim *s, uint32_t j, double t, const double *x, double *out)
{
    int status = plain(s, t, x, s->holds->f2);
    return status ? status : rate(s, j, t, x, 1, s->holds->f2, out);
}

/* Derivative of z' along (dt, g). */
static int bend(Sim *s, uint32_t j, double t, const double *x, double dt, const double *g, double *out)
{
    return difference(s, speed, j, t, x, dt, g, s->holds->x, out);
}

static int derive(Sim *s, uint32_t j, double t, const double *x, double dt, const double *g, double *out)
{
    return (s->holds->at[j].degree == 1 ? rate : bend)(s, j, t, x, dt, g, out);
}

/* ---- the control ---- */

static int corners(Sim *s, double t, const double *x)
{
    Holds *w = s->holds;
    int status = 0;
    for (unsigned c = 0; c < 1U << w->n && !status; c++) {
        if (!is_corner(w, c))
            continue;
        set_sides(s, c);
        status = plain(s, t, x, w->f[c]);
    }
    set_sides(s, present_corner(w));
    return status;
}

static void mix(const Sim *s, double *out)
{
    const Holds *w = s->holds;
    memset(out, 0, s->n * sizeof *out);
    for (unsigned c = 0; c < 1U << w->n; c++)
        for (uint32_t i = 0; is_corner(w, c) && i < s->n; i++)
            out[i] += weight(w, c) * w->f[c][i];
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; w->at[j].rest && i < s->n; i++)
            out[i] += w->at[j].u * w->at[j].direction[i];
}

/* How control j moves the derivatives. */
static void effect(Sim *s, uint32_t j, double *out)
{
    Holds *w = s->holds;
    Hold *h = &w->at[j];
    if (h->rest) {
        memcpy(out, h->direction, s->n * sizeof *out);
        return;
    }
    double u = h->u;
    memset(out, 0, s->n * sizeof *out);
    for (unsigned c = 0; c < 1U << w->n; c++) {
        h->u = c >> j & 1U ? 1 : 0;
        double share = (c >> j & 1U ? 1 : -1) * weight(w, c);
        for (uint32_t i = 0; is_corner(w, c) && i < s->n; i++)
            out[i] += share * w->f[c][i];
    }
    h->u = u;
}

/* Solves a*u = b by elimination with pivoting; false where a is singular. */
static bool solve(uint32_t n, double a[MOST][MOST], double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        for (uint32_t i = k + 1; i < n; i++)
            p = fabs(a[i][k]) > fabs(a[p][k]) ? i : p;
        if (!(fabs(a[p][k]) > 0))
            return false;
        for (uint32_t i = 0; i < n; i++) {
            double swap = a[k][i];
            a[k][i] = a[p][i];
            a[p][i] = swap;
        }
        double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
        for (uint32_t i = k + 1; i < n; i++) {
            double factor = a[i][k] / a[k][k];
            for (uint32_t m = k; m < n; m++)
                a[i][m] -= factor * a[k][m];
            b[i] -= factor * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t m = k + 1; m < n; m++)
            b[k] -= a[k][m] * b[m];
        b[k] /= a[k][k];
    }
    return true;
}

static int effects(Sim *s, double t, const double *x, double a[MOST][MOST])
{
    Holds *w = s->holds;
    int status = 0;
    for (uint32_t j = 0; j < w->n && !status; j++) {
        effect(s, j, w->g);
        for (uint32_t i = 0; i < w->n && !status; i++)
            status = derive(s, i, t, x, 0, w->g, &a[i][j]);
    }
    return status;
}

/* Rate at which deviations are to vanish: as fast as the events were, then ever slower. */
static double pull(const Sim *s, const Hold *h, double t)
{
    double least = 100 / (s->options->stop - s->options->start);
    return h->degree == 2 && !h->rest ? fmax(least, 5 / (h->gap + fmax(0, t - h->begin))) : least;
}

/* What would bring deviations back. */
static int pulls(Sim *s, double t, const double *x, double *b)
{
    Holds *w = s->holds;
    int status = 0;
    for (uint32_t i = 0; i < w->n && !status; i++) {
        const Hold *h = &w->at[i];
        double z, dz = 0;
        status = surface(s, i, t, x, &z);
        if (!status && h->degree == 2)
            status = speed(s, i, t, x, &dz);
        double k = pull(s, h, t);
        b[i] = h->degree == 1 ? -k * z : -2 * k * dz - k * k * z;
    }
    return status;
}

static double within(const Hold *h, double u)
{
    return fmax(0, h->rest ? u : fmin(u, 1));
}

/* The equivalent controls at (t, x), then those applied. */
static int control(Sim *s, double t, const double *x)
{
    Holds *w = s->holds;
    double a[MOST][MOST], copy[MOST][MOST], b[MOST];
    int status = corners(s, t, x);
    for (int turn = 0; turn < (w->n > 1 ? NEWTON : 1) && !status; turn++) {
        mix(s, w->sum);
        for (uint32_t i = 0; i < w->n && !status; i++) {
            status = derive(s, i, t, x, 1, w->sum, &b[i]);
            b[i] = -b[i];
        }
        status = status ? status : effects(s, t, x, a);
        memcpy(copy, a, sizeof a);
        if (!status && !solve(w->n, copy, b))
            status = MODEL_SINGULAR;
        for (uint32_t i = 0; i < w->n && !status; i++)
            w->at[i].u += b[i];
    }
    for (uint32_t i = 0; i < w->n; i++)
        w->at[i].free = w->at[i].u;
    status = status ? status : pulls(s, t, x, b);
    if (!status && solve(w->n, a, b))
        for (uint32_t i = 0; i < w->n; i++)
            w->at[i].u += b[i];
    for (uint32_t i = 0; i < w->n; i++)
        w->at[i].u = within(&w->at[i], w->at[i].u);
    mix(s, w->sum);
    return status;
}

static void put_derivatives(Sim *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->v[s->plan->states.at[i].der] = s->holds->sum[i];
}

int holds_derivatives(Sim *s, double t, const double *x)
{
    int status = control(s, t, x);
    status = status ? status : plain(s, t, x, NULL);
    before_mixing(s);
    put_derivatives(s);
    if (status)
        fail_note_failed(s, status, t, x);
    return status;
}

int holds_blend(Sim *s, double t, const double *x, int (*more)(ModelData *m))
{
    Holds *w = s->holds;
    int status = control(s, t, x);
    memset(w->v, 0, s->code->n_vars * sizeof *w->v);
    for (unsigned c = 0; c < 1U << w->n && !status; c++) {
        if (!is_corner(w, c))
            continue;
        set_sides(s, c);
        status = plain(s, t, x, NULL);
        status = status ? status : data_call(s, more);
        for (VarId i = 0; i < s->code->n_vars; i++)
            w->v[i] += weight(w, c) * s->v[i];
    }
    set_sides(s, present_corner(w));
    before_mixing(s);
    for (VarId i = 0; i < s->code->n_vars && !status; i++)
        if (is_mixed(&s->dae->vars.at[i]))
            s->v[i] = w->v[i];
    data_put(s, t, x);
    put_derivatives(s);
    if (status)
        fail_note_failed(s, status, t, x);
    return status;
}

/* By differences; entries outside the model's pattern are left out, which slows Newton's iteration at worst. */
int holds_jacobian(Sim *s, double t, const double *x, double *values)
{
    Holds *w = s->holds;
    double *at = w->values, *f = w->values + s->n;
    memcpy(at, x, s->n * sizeof *x);
    int status = holds_derivatives(s, t, x);
    memcpy(f, w->sum, s->n * sizeof *f);
    for (uint32_t i = 0; i < s->n && !status; i++) {
        double h = 1e-6 * (fabs(x[i]) + s->dae->vars.at[s->plan->states.at[i].var].nominal);
        at[i] = x[i] + h;
        status = holds_derivatives(s, t, at);
        at[i] = x[i];
        for (uint32_t k = s->plan->jacobian.col_ptr[i]; k < s->plan->jacobian.col_ptr[i + 1]; k++) {
            uint32_t row = s->plan->jacobian.row[k];
            values[k] = (w->sum[row] - f[row]) / h;
        }
    }
    return status ? 1 : 0;
}

/* ---- leaving ---- */

static bool outside(const Hold *h)
{
    double slack = 1e-7;
    return h->free < -slack || (!h->rest && h->free > 1 + slack);
}

static bool left_at(Sim *s, double t)
{
    s->solver->dense(s->solver, t, s->xi);
    if (control(s, t, s->xi))
        return false;
    for (uint32_t i = 0; i < s->holds->n; i++)
        if (outside(&s->holds->at[i]))
            return true;
    return false;
}

bool holds_leave(Sim *s, double t, double *te)
{
    if (!holds_active(s) || !left_at(s, t))
        return false;
    double good = s->time;
    while (t - good > fmax(4 * solver_resolution(t), 1e-12 * fabs(t))) {
        double middle = good + 0.5 * (t - good);
        *(left_at(s, middle) ? &t : &good) = middle;
    }
    *te = t;
    return left_at(s, t);
}

/* ---- beginning and end ---- */

static void drop(Sim *s, uint32_t j)
{
    Holds *w = s->holds;
    unmix(s);
    for (uint32_t i = 0; i < w->at[j].n_relations; i++)
        locator_hold(s, w->at[j].relations[i], false);
    w->at[j] = w->at[--w->n];
    if (!w->n)
        fine_leave(s);
    s->restart = true;
    runtime_invalidate(s->rt);
}

void holds_clear(Sim *s)
{
    while (s->holds && s->holds->n)
        drop(s, 0);
    s->holds = NULL; /* another program has other states */
}

/* The side on which the motion goes on; the relations that were held trigger the event. */
bool holds_release(Sim *s)
{
    Holds *w = s->holds;
    if (control(s, s->time, s->x))
        return fail_model(s, MODEL_SINGULAR, "leaving a surface");
    for (uint32_t j = w->n; j-- > 0;) {
        Hold *h = &w->at[j];
        if (!outside(h))
            continue;
        bool high = !h->rest && h->free > 1, flips = !h->rest && high != h->side;
        arena_reset(s->scratch);
        sim_log(s, LOG_EVENTS, "Motion %s %s ends at time = %.12g.\n",
                h->rest ? "at rest at the surface of" : "along the surface of",
                eventlog_relation(s, h->relation), s->time);
        h->side = h->rest ? h->side : high;
        set_sides(s, present_corner(w));
        for (uint32_t i = 0; i < h->n_relations && !h->rest; i++) {
            uint32_t k = h->relations[i];
            double now = s->v[s->dae->relations.at[k].var];
            s->decided[k] = now != 0 ? 2 : 1;
            if (flips)
                s->event.triggers[s->event.n_triggers++] = k;
        }
        drop(s, j);
    }
    return true;
}

void holds_keep(Sim *s)
{
    if (s->holds)
        unmix(s);
    for (uint32_t j = 0; s->holds && j < s->holds->n; j++)
        for (uint32_t i = 0; i < s->holds->at[j].n_relations; i++) {
            uint32_t k = s->holds->at[j].relations[i];
            s->decided[k] = s->v[s->dae->relations.at[k].var] != 0 ? 2 : 1;
        }
}

static bool changed(const Sim *s, VarId var)
{
    for (uint32_t i = 0; i < s->n_discrete; i++)
        if (s->discrete[i] == var)
            return s->before[i] != s->v[var];
    return false;
}

bool holds_refresh(Sim *s)
{
    if (!holds_active(s))
        return true;
    for (uint32_t j = s->holds->n; j-- > 0;) {
        bool stale = false;
        for (uint32_t i = 0; i < s->holds->at[j].n_flips; i++)
            stale |= changed(s, s->holds->at[j].flips[i].var);
        if (stale)
            drop(s, j);
    }
    int status = data_outputs(s, s->time, s->x);
    return !status || fail_model(s, status, "holding a surface");
}

static void find_flips(Sim *s, Hold *h)
{
    bool high = s->v[s->dae->relations.at[h->relation].var] != 0;
    h->flips = ARENA_ARRAY(s->own, Flip, s->n_discrete);
    for (uint32_t i = 0; i < s->n_discrete; i++) {
        double now = s->v[s->discrete[i]], then = s->before[i];
        if (now != then)
            h->flips[h->n_flips++] = (Flip){s->discrete[i], high ? then : now, high ? now : then};
    }
    h->side = high;
}

static void find_direction(Sim *s, Hold *h)
{
    double most = 0;
    h->direction = ARENA_ARRAY(s->own, double, s->n);
    for (uint32_t i = 0; i < s->event.n_reinits; i++)
        for (uint32_t k = 0; k < s->n; k++)
            if (s->plan->states.at[k].var == s->event.reinits[i].var) {
                h->direction[k] = s->event.reinits[i].to - s->event.reinits[i].from;
                most = fmax(most, fabs(h->direction[k]) / s->dae->vars.at[s->plan->states.at[k].var].nominal);
            }
    for (uint32_t k = 0; k < s->n && most > 0; k++)
        h->direction[k] = fabs(h->direction[k]) > 1e-6 * most ? h->direction[k] / most : 0;
    h->side = s->v[s->dae->relations.at[h->relation].var] != 0;
}

/* 1 where control j enters z', 2 where it enters z'', 0 where neither. */
static int find_degree(Sim *s, uint32_t j)
{
    Holds *w = s->holds;
    double a, scale = data_scale(s, w->at[j].relation);
    if (corners(s, s->time, s->x))
        return 0;
    effect(s, j, w->g);
    double h = stride(s, s->x, w->g);
    if (rate(s, j, s->time, s->x, 0, w->g, &a))
        return 0;
    if (fabs(a) * h > 1e-9 * scale)
        return 1;
    effect(s, j, w->g);
    return !bend(s, j, s->time, s->x, 0, w->g, &a) && fabs(a) * h > 1e-12 * scale ? 2 : 0;
}

/* In the limit of impacts the state stands still against the surface. */
static void settle(Sim *s, uint32_t j)
{
    Holds *w = s->holds;
    Hold *h = &w->at[j];
    double now, by;
    int status = h->degree == 1 ? surface(s, j, s->time, s->x, &now) : speed(s, j, s->time, s->x, &now);
    status = status ? status : (h->degree == 1 ? rate : bend)(s, j, s->time, s->x, 0, h->direction, &by);
    if (status || !(fabs(by) > 0))
        return;
    for (uint32_t i = 0; i < s->n; i++)
        s->x[i] -= now / by * h->direction[i];
    data_put(s, s->time, s->x);
}

static EqId equation_of(const Sim *s, VarId var)
{
    const PlanSequence *m = &s->plan->main;
    for (uint32_t b = m->block; b < m->block + m->n_blocks; b++) {
        const PlanBlock *x = &s->plan->blocks.at[b];
        for (uint32_t i = 0; i < x->n_steps; i++)
            if (s->plan->steps.at[x->step + i].var == var)
                return s->plan->steps.at[x->step + i].eq;
        for (uint32_t i = 0; i < x->n_torn; i++)
            if (s->plan->torn.at[x->torn + i].var == var)
                return s->plan->torn.at[x->torn + i].eq;
    }
    return NONE;
}

static void tell(Sim *s, const Hold *h)
{
    Span span = s->dae->relations.at[h->relation].span;
    arena_reset(s->scratch);
    char *what = eventlog_relation(s, h->relation);
    if (!h->rest) {
        diag(
            s->ctx, span, DIAG_R019,
            "%s changes back and forth without end from time = %.10g on: the motion slides along this surface, "
            "as a mixture of both sides (Filippov)",
            what, s->time);
        return;
    }
    diag(s->ctx, span, DIAG_R020,
         "events of %s accumulate at time = %.8g: from there on the model rests at this surface", what,
         s->asked_limit);
    for (uint32_t i = 0; i < s->n; i++) {
        EqId e = h->direction[i] != 0 ? equation_of(s, s->plan->states.at[i].der) : NONE;
        if (e != NONE)
            diag_note(s->ctx, s->dae->eqs.at[e].span, "suspended while it rests: %s",
                      dae_eq_print(s->dae, e, s->scratch));
    }
}

static void find_relations(Sim *s, Hold *h)
{
    h->relations = ARENA_ARRAY(s->own, uint32_t, s->event.n_triggers + 1);
    h->relations[h->n_relations++] = h->relation;
    for (uint32_t i = 0; i < s->event.n_triggers; i++)
        if (s->event.triggers[i] != h->relation && !s->dae->relations.at[s->event.triggers[i]].is_time_event)
            h->relations[h->n_relations++] = s->event.triggers[i];
}

bool hold_begin(Sim *s, uint32_t relation, bool rest)
{
    if (!s->holds)
        create(s);
    Holds *w = s->holds;
    if (w->n == MOST || s->n == 0 || s->plan->inlined.n)
        return false;
    Hold *h = &w->at[w->n];
    *h = (Hold){.rest = rest, .relation = relation, .u = rest ? 0 : 0.5, .begin = s->time};
    h->gap = s->rhythms[2 * relation].gap;
    if (rest)
        find_direction(s, h);
    else
        find_flips(s, h);
    find_relations(s, h);
    for (uint32_t i = 0; i < h->n_relations; i++)
        locator_hold(s, h->relations[i], true);
    uint32_t j = w->n++;
    h->degree = 1;
    h->degree = find_degree(s, j);
    if (h->degree && rest)
        settle(s, j);
    bool ok = h->degree && !control(s, s->time, s->x);
    for (uint32_t i = 0; ok && i < w->n; i++)
        ok = !outside(&w->at[i]);
    if (!ok) {
        drop(s, j);
        return false;
    }
    tell(s, h);
    if (!fine_mixes(s))
        fine_enter(s);
    s->restart = true;
    runtime_invalidate(s->rt);
    if (!locator_restart(s))
        return false;
    return true;
}
