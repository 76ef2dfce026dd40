/* The motion along held surfaces.
 *
 * *Sliding* (Filippov): on each side of the surface the derivatives are those of one valuation of
 * the discrete variables. The motion is the mixture u*f_true + (1 - u)*f_false, 0 <= u <= 1, that
 * stays on the surface. All continuous values are mixed alike. *Rest*: impacts push the state along
 * the direction d in which reinit moved it. In the limit they are a force u*d, u >= 0, that keeps z
 * at zero. Both are a control u that enters z' or, if not, z''.
 *
 * Surfaces whose sides act on the derivatives independently mix as a sum, with one valuation for
 * each. Coupled ones mix as a product, over all valuations of their group, and so do those whose
 * sides enter other values jointly. A trial at the beginning shows which surfaces are coupled.
 *
 * Derivatives of z along a direction are central differences of the crossing functions, of all
 * surfaces at once. The equivalent control keeps the surface; the applied one also pulls small
 * deviations back. */
#include "sim/sliding/surfaces.h"
#include "sim/state/evaluate.h"

#include <math.h>

enum { MOST_COUPLED = 6, NEWTON = 3, LAYER_LEFT = 10 /* half widths of it */ };
static const double PARALLEL = 1 - 1e-6; /* square of the cosine */
static const double NEAR =
    1e4; /* tolerances: stride, of the usual one, to see a vanishing effect */
enum { SHIFTED = 100 /* tolerances: the largest move that puts a state onto a surface */ };

void filippov_create(ModeProgram *prog)
{
    Sliding *w = prog->sliding = arena_alloc(prog->own, sizeof *w);
    memset(w, 0, sizeof *w);
    w->shorter = 1;
    double **part[] = {&w->sum, &w->g,  &w->x,  &w->x2,          &w->f2,
                       &w->f3,  &w->f4, &w->on, &w->on_displaced};
    for (uint32_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = ARENA_ARRAY(prog->own, double, prog->n);
    w->at = ARENA_ARRAY(prog->own, SlidingSurface, program_n_relations(prog) + (size_t)1);
    w->z = ARENA_ARRAY(prog->own, double, program_n_relations(prog));
    w->v = ARENA_ARRAY(prog->own, double, prog->code->n_vars);
    w->values = ARENA_ARRAY(prog->own, double, prog->code->n_vars);
    w->unmixed = ARENA_ARRAY(prog->own, double, prog->code->n_vars);
    w->push = ARENA_ARRAY(prog->own, double *, program_n_relations(prog));
    for (int i = 0; i < 2; i++)
        w->reported[i] = ARENA_ARRAY(prog->own, bool, program_n_relations(prog));
}

static void make_room(ModeProgram *prog)
{
    Sliding *w = prog->sliding;
    if (w->n <= w->room)
        return;
    w->room = 2 * w->n;
    w->a = ARENA_ARRAY(prog->own, double, (size_t)w->room * w->room);
    w->copy = ARENA_ARRAY(prog->own, double, (size_t)w->room * w->room);
    w->b = ARENA_ARRAY(prog->own, double, w->room);
    for (uint32_t i = 0; i < sizeof w->d / sizeof *w->d; i++)
        w->d[i] = ARENA_ARRAY(prog->own, double, w->room);
    w->at_surfaces = ARENA_ARRAY(prog->own, double, w->room);
}

/* ---- sides ---- */

static void set_side(ModeProgram *prog, const SlidingSurface *h, bool high)
{
    for (uint32_t i = 0; i < h->n_flips; i++)
        prog->v[h->flips[i].var] = high ? h->flips[i].high : h->flips[i].low;
}

static void set_corner(ModeProgram *prog, const Corner *c)
{
    Sliding *w = prog->sliding;
    for (uint32_t j = 0; j < w->n; j++)
        set_side(prog, &w->at[j], w->at[j].group == c->group && (c->bits >> w->at[j].bit & 1U));
    runtime_invalidate(prog->rt);
}

void filippov_present(ModeProgram *prog)
{
    Sliding *w = prog->sliding;
    for (uint32_t j = 0; j < w->n; j++)
        set_side(prog, &w->at[j], w->at[j].side);
    runtime_invalidate(prog->rt);
}

static void add_corner(ModeProgram *prog, uint32_t group, uint32_t bits)
{
    Sliding *w = prog->sliding;
    if (w->n_corners == w->n_made) {
        Corner *more = ARENA_ARRAY(prog->own, Corner, 2 * (size_t)w->n_made + 8);
        if (w->n_made)
            memcpy(more, w->corners, w->n_made * sizeof *more);
        w->corners = more;
        for (uint32_t end = 2 * w->n_made + 8; w->n_made < end; w->n_made++)
            more[w->n_made].f = ARENA_ARRAY(prog->own, double, prog->n);
    }
    Corner *c = &w->corners[w->n_corners++];
    c->group = group;
    c->bits = bits;
}

static uint32_t size_of_group(const Sliding *w, uint32_t group)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < w->n; j++)
        n += !w->at[j].rest && w->at[j].group == group;
    return n;
}

void filippov_arrange(ModeProgram *prog)
{
    Sliding *w = prog->sliding;
    make_room(prog);
    w->n_corners = 0;
    add_corner(prog, NONE, 0);
    for (uint32_t j = 0; j < w->n; j++) {
        SlidingSurface *h = &w->at[j];
        h->bit = 0;
        for (uint32_t i = 0; i < j; i++)
            h->bit += !w->at[i].rest && w->at[i].group == h->group;
        for (uint32_t bits = 1U << h->bit; !h->rest && bits < 2U << h->bit; bits++)
            add_corner(prog, h->group, bits);
    }
}

/* Weight of a corner other than the first in the mixture, without control `but`. */
static double product(const Sliding *w, const Corner *c, uint32_t but)
{
    double share = 1;
    for (uint32_t j = 0; j < w->n; j++) {
        const SlidingSurface *h = &w->at[j];
        if (!h->rest && h->group == c->group && j != but)
            share *= c->bits >> h->bit & 1U ? h->u : 1 - h->u;
    }
    return share;
}

static void weigh(Sliding *w)
{
    double rest = 1;
    for (uint32_t k = 1; k < w->n_corners; k++) {
        w->corners[k].weight = product(w, &w->corners[k], NONE);
        rest -= w->corners[k].weight;
    }
    w->corners[0].weight = rest;
}

/* ---- mixed values in v ---- */

static bool is_mixed(const DaeVar *v)
{
    return v->kind == DAE_CONTINUOUS || v->kind == DAE_DERIVATIVE;
}

/* Some values of the model are computed once for the whole run: they must be restored. */
void filippov_restore_values(ModeProgram *prog)
{
    Sliding *w = prog->sliding;
    for (VarId i = 0; w->mixed && i < prog->code->n_vars; i++)
        if (is_mixed(program_var(prog, i)))
            prog->v[i] = w->unmixed[i];
    w->mixed = false;
}

static void before_mixing(ModeProgram *prog)
{
    memcpy(prog->sliding->unmixed, prog->v, prog->code->n_vars * sizeof *prog->v);
    prog->sliding->mixed = true;
}

/* ---- evaluations with given sides ---- */

int filippov_plain(ModeProgram *prog, double t, const double *x, double *f)
{
    filippov_restore_values(prog);
    filippov_enable(prog, false);
    int status = evaluate_derivatives(prog, t, x);
    filippov_enable(prog, true);
    for (uint32_t i = 0; f && i < prog->n; i++)
        f[i] = prog->v[prog->plan->states.at[i].der];
    return status;
}

/* z of all surfaces. */
static int surfaces(ModeProgram *prog, double t, const double *x, double *z)
{
    Sliding *w = prog->sliding;
    filippov_restore_values(prog);
    filippov_enable(prog, false);
    int status = evaluate_indicators(prog, t, x, w->z);
    filippov_enable(prog, true);
    for (uint32_t j = 0; j < w->n; j++)
        z[j] = w->z[w->at[j].relation];
    return status;
}

/* The state on the surfaces that have a normal, in `on`; x itself if there is none. */
static const double *on_surfaces(ModeProgram *prog, double t, const double *x, double *on)
{
    Sliding *w = prog->sliding;
    for (uint32_t j = 0; j < w->n; j++) {
        const double *normal = w->at[j].normal;
        if (!normal || surfaces(prog, t, x, w->at_surfaces))
            continue;
        for (uint32_t i = 0; i < prog->n; i++)
            on[i] = x[i] - w->at_surfaces[j] * normal[i];
        x = on;
    }
    return x;
}

/* A step along (dt, g) over which derivatives are taken. */
double filippov_stride(const ModeProgram *prog, const double *x, const double *g)
{
    double step = 5e-3 * model_later_time_scale(prog->run);
    for (uint32_t i = 0; i < prog->n; i++) {
        double size = fabs(x[i]) + program_var(prog, prog->plan->states.at[i].var)->nominal;
        if (g[i] != 0)
            step = fmin(step, 1e-4 * size / fabs(g[i]));
    }
    return step;
}

typedef int Along(ModeProgram *prog, double t, const double *x, double *out);

/* Derivatives of `of` along (dt, g), by differences; the points go to `at`, the values to z[0] and
 * z[1]. */
static int difference(ModeProgram *prog, Along *of, double t, const double *x, double dt,
                      const double *g, double *at, double **z, double *out)
{
    double h = prog->sliding->shorter * filippov_stride(prog, x, g);
    for (int k = 0; k < 2; k++) {
        double by = k ? h : -h;
        for (uint32_t i = 0; i < prog->n; i++)
            at[i] = x[i] + by * g[i];
        int status = of(prog, t + by * dt, at, z[k]);
        if (status)
            return status;
    }
    for (uint32_t j = 0; j < prog->sliding->n; j++)
        out[j] = (z[1][j] - z[0][j]) / (2 * h);
    return 0;
}

/* Derivatives of z along (dt, g). */
static int rates(ModeProgram *prog, double t, const double *x, double dt, const double *g,
                 double *out)
{
    return difference(prog, surfaces, t, x, dt, g, prog->sliding->x2, prog->sliding->d, out);
}

static double within(const SlidingSurface *h, double u)
{
    return fmax(0, h->rest ? u : fmin(u, 1));
}

static bool any_middle(const Sliding *w)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].middle)
            return true;
    return false;
}

/* Derivatives for the equivalent control of the surfaces that need it; f has those on the present
 * sides. */
static int to_middle(ModeProgram *prog, double t, const double *x, double *f)
{
    Sliding *w = prog->sliding;
    int status = 0;
    memcpy(w->f3, f, prog->n * sizeof *f);
    for (uint32_t j = 0; j < w->n && !status; j++) {
        const SlidingSurface *h = &w->at[j];
        double share = within(h, h->free);
        if (!h->middle)
            continue;
        set_side(prog, h, !h->side);
        runtime_invalidate(prog->rt);
        status = filippov_plain(prog, t, x, w->f4);
        for (uint32_t i = 0; i < prog->n; i++)
            w->f3[i] += (h->side ? 1 - share : share) * (w->f4[i] - f[i]);
        filippov_present(prog);
    }
    memcpy(f, w->f3, prog->n * sizeof *f);
    return status;
}

/* z' at (t, x), for those that the control does not enter. */
static int speeds(ModeProgram *prog, double t, const double *x, double *out)
{
    double *f = prog->sliding->f2;
    x = on_surfaces(prog, t, x, prog->sliding->on_displaced);
    int status = filippov_plain(prog, t, x, f);
    if (!status && any_middle(prog->sliding))
        status = to_middle(prog, t, x, f);
    return status ? status : rates(prog, t, x, 1, f, out);
}

/* Derivatives of z' along (dt, g). */
static int bends(ModeProgram *prog, double t, const double *x, double dt, const double *g,
                 double *out)
{
    return difference(prog, speeds, t, x, dt, g, prog->sliding->x, prog->sliding->d + 2, out);
}

static bool any_of_degree(const Sliding *w, int degree)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].degree == degree)
            return true;
    return false;
}

/* Derivatives of z, or of z' if the control enters that, along (dt, g). */
static int derive(ModeProgram *prog, double t, const double *x, double dt, const double *g,
                  double *out)
{
    Sliding *w = prog->sliding;
    double *second = w->d[4];
    int status = any_of_degree(w, 2) ? bends(prog, t, x, dt, g, second) : 0;
    if (!status && any_of_degree(w, 1))
        status = rates(prog, t, x, dt, g, out);
    for (uint32_t j = 0; j < w->n && !status; j++)
        out[j] = w->at[j].degree == 2 ? second[j] : out[j];
    return status;
}

/* ---- the control ---- */

static int corners(ModeProgram *prog, double t, const double *x)
{
    Sliding *w = prog->sliding;
    int status = 0;
    for (uint32_t k = 0; k < w->n_corners && !status; k++) {
        set_corner(prog, &w->corners[k]);
        status = filippov_plain(prog, t, x, w->corners[k].f);
    }
    filippov_present(prog);
    return status;
}

static void mix(const ModeProgram *prog, double *out)
{
    Sliding *w = prog->sliding;
    weigh(w);
    memset(out, 0, prog->n * sizeof *out);
    for (uint32_t k = 0; k < w->n_corners; k++)
        for (uint32_t i = 0; i < prog->n; i++)
            out[i] += w->corners[k].weight * w->corners[k].f[i];
    for (uint32_t j = 0; j < w->n; j++)
        for (uint32_t i = 0; w->at[j].rest && i < prog->n; i++)
            out[i] += w->at[j].u * w->at[j].direction[i];
}

/* How control j moves the derivatives. */
static void effect(ModeProgram *prog, uint32_t j, double *out)
{
    const Sliding *w = prog->sliding;
    const SlidingSurface *h = &w->at[j];
    if (h->rest) {
        memcpy(out, h->direction, prog->n * sizeof *out);
        return;
    }
    memset(out, 0, prog->n * sizeof *out);
    const Corner first = {.group = h->group, .f = w->corners[0].f};
    for (uint32_t k = 0; k < w->n_corners; k++) {
        const Corner *c = k ? &w->corners[k] : &first;
        if (c->group != h->group)
            continue;
        double share = (c->bits >> h->bit & 1U ? 1 : -1) * product(w, c, j);
        for (uint32_t i = 0; i < prog->n; i++)
            out[i] += share * c->f[i];
    }
}

/* Solves a*u = b by elimination with pivoting, a by rows; false if it is singular. */
static bool solve(uint32_t n, double *a, double *b)
{
    for (uint32_t k = 0; k < n; k++) {
        uint32_t p = k;
        for (uint32_t i = k + 1; i < n; i++)
            p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        if (!(fabs(a[p * n + k]) > 0))
            return false;
        for (uint32_t i = 0; i < n; i++) {
            double swap = a[k * n + i];
            a[k * n + i] = a[p * n + i];
            a[p * n + i] = swap;
        }
        double swap = b[k];
        b[k] = b[p];
        b[p] = swap;
        for (uint32_t i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (uint32_t m = k; m < n; m++)
                a[i * n + m] -= factor * a[k * n + m];
            b[i] -= factor * b[k];
        }
    }
    for (uint32_t k = n; k-- > 0;) {
        for (uint32_t m = k + 1; m < n; m++)
            b[k] -= a[k * n + m] * b[m];
        b[k] /= a[k * n + k];
    }
    return true;
}

static int effects(ModeProgram *prog, double t, const double *x, double *a)
{
    Sliding *w = prog->sliding;
    int status = 0;
    for (uint32_t j = 0; j < w->n && !status; j++) {
        double *column = w->d[5];
        effect(prog, j, w->g);
        status = derive(prog, t, x, 0, w->g, column);
        for (uint32_t i = 0; i < w->n; i++)
            a[i * w->n + j] = column[i];
    }
    return status;
}

/* Rate at which deviations are to vanish: as fast as the events were, then ever slower. */
static double pull(const RunContext *run, const SlidingSurface *h, double t)
{
    double least = h->pull / fmax(1, (t - run->options->start) / h->age);
    return h->degree == 2 && !h->rest ? fmax(least, 5 / (h->gap + fmax(0, t - h->begin))) : least;
}

/* How far z is beyond a band around zero, within which it is only known up to rounding. */
static double beyond(double z, double band)
{
    return z > band ? z - band : z < -band ? z + band : 0;
}

/* The correction that brings deviations of the state `at` back. Derivatives are evaluated at x. */
static int pulls(ModeProgram *prog, double t, const double *at, const double *x, double *b)
{
    Sliding *w = prog->sliding;
    double *z = w->d[4], *dz = w->d[5];
    int status = any_of_degree(w, 2) ? speeds(prog, t, x, dz) : 0;
    status = status ? status : surfaces(prog, t, at, z);
    for (uint32_t i = 0; i < w->n && !status; i++) {
        const SlidingSurface *h = &w->at[i];
        double k = pull(prog->run, h, t),
               band = prog->run->eps * relation_scale(prog->run, h->relation),
               away = beyond(z[i], band), fast = beyond(dz[i], fmin(k, h->pull) * band);
        b[i] = h->degree == 1 ? -k * away : -2 * k * fast - k * k * away;
    }
    return status;
}

static bool any_coupled(const Sliding *w)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (!w->at[j].rest && w->at[j].bit > 0)
            return true;
    return false;
}

/* Mixes the sides of layers by z; false if z cannot be evaluated. */
static int mix_layers(ModeProgram *prog, double t, const double *x)
{
    Sliding *w = prog->sliding;
    bool any = false;
    for (uint32_t j = 0; j < w->n; j++)
        any |= w->at[j].layer > 0;
    int status = any ? surfaces(prog, t, x, w->at_surfaces) : 0;
    for (uint32_t j = 0; j < w->n && any && !status; j++) {
        SlidingSurface *h = &w->at[j];
        const DaeRelation *r = program_relation(prog, h->relation);
        double up = r->op == OP_GT || r->op == OP_GE ? 1 : -1, part = up * w->at_surfaces[j];
        if (!(h->layer > 0))
            continue;
        h->u = fmin(fmax(0.5 + 0.5 * part / h->layer, 0), 1);
        h->passed = fabs(part) > LAYER_LEFT * h->layer;
    }
    return status;
}

/* The controls of layers, and of surfaces that are left, are given: their equations keep them
 * constant. */
static void fix_given(const Sliding *w)
{
    for (uint32_t j = 0; j < w->n; j++)
        if (w->at[j].layer > 0 || w->at[j].pinned) {
            memset(w->a + (size_t)j * w->n, 0, w->n * sizeof *w->a);
            w->a[j * w->n + j] = 1;
            w->b[j] = 0;
        }
}

/* One turn towards the equivalent controls; the matrix of effects is left in w->a. */
static int turn(ModeProgram *prog, double t, const double *x)
{
    Sliding *w = prog->sliding;
    mix(prog, w->sum);
    int status = derive(prog, t, x, 1, w->sum, w->b);
    for (uint32_t i = 0; i < w->n; i++)
        w->b[i] = -w->b[i];
    status = status ? status : effects(prog, t, x, w->a);
    fix_given(w);
    memcpy(w->copy, w->a, (size_t)w->n * w->n * sizeof *w->a);
    if (!status && !solve(w->n, w->copy, w->b))
        status = MODEL_SINGULAR;
    for (uint32_t i = 0; i < w->n && !status; i++)
        w->at[i].u += w->b[i];
    return status;
}

int filippov_control(ModeProgram *prog, double t, const double *at)
{
    Sliding *w = prog->sliding;
    const double *x = on_surfaces(prog, t, at, w->on);
    int status = mix_layers(prog, t, at);
    status = status ? status : corners(prog, t, x);
    for (int k = any_coupled(w) ? NEWTON : 1; k > 0 && !status; k--)
        status = turn(prog, t, x);
    for (uint32_t i = 0; i < w->n; i++)
        w->at[i].free = w->at[i].u;
    status = status ? status : pulls(prog, t, at, x, w->b);
    fix_given(w);
    if (!status && solve(w->n, w->a, w->b))
        for (uint32_t i = 0; i < w->n; i++)
            w->at[i].u += w->b[i];
    for (uint32_t i = 0; i < w->n && !w->extended; i++)
        w->at[i].u = within(&w->at[i], w->at[i].u);
    mix(prog, w->sum);
    return status;
}

/* ---- derivatives and values for solvers and results ---- */

static void put_derivatives(ModeProgram *prog)
{
    for (uint32_t i = 0; i < prog->n; i++)
        prog->v[prog->plan->states.at[i].der] = prog->sliding->sum[i];
}

static int mixed_derivatives(ModeProgram *prog, double t, const double *x)
{
    int status = filippov_control(prog, t, x);
    status = status ? status : filippov_plain(prog, t, x, NULL);
    before_mixing(prog);
    put_derivatives(prog);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

static int mixed_values(ModeProgram *prog, double t, const double *x, int (*more)(ModelData *m))
{
    Sliding *w = prog->sliding;
    int status = filippov_control(prog, t, x);
    memset(w->v, 0, prog->code->n_vars * sizeof *w->v);
    for (uint32_t k = 0; k < w->n_corners && !status; k++) {
        set_corner(prog, &w->corners[k]);
        status = filippov_plain(prog, t, x, NULL);
        status = status ? status : evaluate_call(prog, more);
        for (VarId i = 0; i < prog->code->n_vars; i++)
            w->v[i] += w->corners[k].weight * prog->v[i];
    }
    filippov_present(prog);
    before_mixing(prog);
    for (VarId i = 0; i < prog->code->n_vars && !status; i++)
        if (is_mixed(program_var(prog, i)))
            prog->v[i] = w->v[i];
    put_states(prog, t, x);
    put_derivatives(prog);
    if (status)
        note_failure(prog, status, t, x);
    return status;
}

static double displacement(const ModeProgram *prog, const double *x, uint32_t i)
{
    return 1e-6 * (fabs(x[i]) + program_var(prog, prog->plan->states.at[i].var)->nominal);
}

/* By differences, for all columns of a colour at once. Entries outside the model's pattern are
 * omitted, which at worst slows Newton's iteration. */
static int mixed_jacobian(ModeProgram *prog, double t, const double *x, double *values)
{
    Sliding *w = prog->sliding;
    const PlanJacobian *j = &prog->plan->jacobian;
    double *at = w->values, *f = w->values + prog->n;
    int status = mixed_derivatives(prog, t, x);
    memcpy(f, w->sum, prog->n * sizeof *f);
    for (uint32_t colour = 0; colour < j->n_colours && !status; colour++) {
        for (uint32_t i = 0; i < prog->n; i++)
            at[i] = x[i] + (j->colour[i] == colour ? displacement(prog, x, i) : 0);
        status = mixed_derivatives(prog, t, at);
        for (uint32_t i = 0; i < prog->n; i++)
            for (uint32_t k = j->col_ptr[i]; j->colour[i] == colour && k < j->col_ptr[i + 1]; k++)
                values[k] = (w->sum[j->row[k]] - f[j->row[k]]) / displacement(prog, x, i);
    }
    return status ? 1 : 0;
}

static const MixedEvaluation mixed = {mixed_derivatives, mixed_values, mixed_jacobian};

void filippov_enable(ModeProgram *prog, bool on)
{
    prog->mixed = on && prog->sliding && prog->sliding->n ? &mixed : NULL;
}

/* ---- a new surface ---- */

/* All continuous values at x. The sides of surfaces i and j are true if the flags say so, all
 * others are false. */
static int pair(ModeProgram *prog, const double *x, uint32_t i, bool i_high, uint32_t j,
                bool j_high)
{
    Sliding *w = prog->sliding;
    for (uint32_t k = 0; k < w->n; k++)
        set_side(prog, &w->at[k], (k == i && i_high) || (k == j && j_high));
    runtime_invalidate(prog->rt);
    int status = filippov_plain(prog, prog->run->time, x, NULL);
    return status ? status : evaluate_call(prog, prog->code->outputs);
}

/* The values that depend jointly on the sides of two surfaces. */
typedef enum Coupling { SEPARATE, VALUES_COUPLED, MOTION_COUPLED } Coupling;

static Coupling judge_coupling(const ModeProgram *prog)
{
    const Sliding *w = prog->sliding;
    Coupling found = SEPARATE;
    for (VarId v = 0; v < prog->code->n_vars; v++)
        if (is_mixed(program_var(prog, v)) && !(fabs(w->v[v]) <= 1e-9 * w->values[v]))
            found = VALUES_COUPLED;
    for (uint32_t i = 0; i < prog->n; i++) {
        VarId der = prog->plan->states.at[i].der;
        if (!(fabs(w->v[der]) <= 1e-9 * w->values[der]))
            found = MOTION_COUPLED;
    }
    return found;
}

/* By differences near the present state, so that nothing is zero by chance. */
static Coupling coupling(ModeProgram *prog, uint32_t i, uint32_t j)
{
    Sliding *w = prog->sliding;
    for (uint32_t k = 0; k < prog->n; k++) {
        double part = fmod(0.618034 * (k + 1), 1),
               nominal = program_var(prog, prog->plan->states.at[k].var)->nominal;
        w->x[k] = prog->x[k] + 1e-3 * (1 + part) * (nominal + fabs(prog->x[k]));
    }
    memset(w->v, 0, prog->code->n_vars * sizeof *w->v);
    memset(w->values, 0, prog->code->n_vars * sizeof *w->values);
    for (unsigned c = 0; c < 4; c++) {
        if (pair(prog, w->x, i, c & 1U, j, c & 2U))
            return MOTION_COUPLED;
        for (VarId v = 0; v < prog->code->n_vars; v++) {
            w->v[v] += (c == 0 || c == 3 ? 1 : -1) * prog->v[v];
            w->values[v] = fmax(w->values[v], fabs(prog->v[v]));
        }
    }
    return judge_coupling(prog);
}

/* Adds surface j to the group of surface i. False if that would be too large. */
static bool unite(Sliding *w, uint32_t i, uint32_t j)
{
    uint32_t from = w->at[i].group, to = w->at[j].group;
    if (size_of_group(w, from) + size_of_group(w, to) > MOST_COUPLED)
        return false;
    for (uint32_t k = 0; k < w->n; k++)
        if (w->at[k].group == from)
            w->at[k].group = to;
    return true;
}

bool filippov_join(ModeProgram *prog, uint32_t j)
{
    Sliding *w = prog->sliding;
    SlidingSurface *h = &w->at[j];
    bool ok = true;
    h->group = 0;
    for (uint32_t i = 0; i < j; i++) /* a number of its own */
        h->group = w->at[i].group >= h->group ? w->at[i].group + 1 : h->group;
    for (uint32_t i = 0; i < j && !h->rest && ok; i++) {
        Coupling how =
            w->at[i].rest || w->at[i].group == h->group ? SEPARATE : coupling(prog, i, j);
        ok = how == SEPARATE || unite(w, i, j) || how == VALUES_COUPLED;
    }
    filippov_arrange(prog);
    filippov_present(prog);
    return ok;
}

/* How control j moves z' at x; the direction of its effect goes to w->g. */
static int authority(ModeProgram *prog, uint32_t j, const double *x, double *out)
{
    Sliding *w = prog->sliding;
    int status = corners(prog, prog->run->time, x);
    effect(prog, j, w->g);
    status = status ? status : rates(prog, prog->run->time, x, 0, w->g, w->d[5]);
    *out = w->d[5][j];
    return status;
}

/* The direction of steepest ascent of z, in units of nominal values, by differences; as long as z
 * grows by 1 along it. */
static bool find_normal(ModeProgram *prog, uint32_t j, double *normal)
{
    Sliding *w = prog->sliding;
    double *z[2] = {w->d[4], w->d[5]}, square = 0;
    memcpy(w->x, prog->x, prog->n * sizeof *w->x);
    for (uint32_t i = 0; i < prog->n; i++) {
        double nominal = program_var(prog, prog->plan->states.at[i].var)->nominal,
               by = 1e-6 * (fabs(prog->x[i]) + nominal);
        for (int k = 0; k < 2; k++) {
            w->x[i] = prog->x[i] + (k ? by : -by);
            if (surfaces(prog, prog->run->time, w->x, z[k]))
                return false;
        }
        w->x[i] = prog->x[i];
        double slope = nominal * (z[1][j] - z[0][j]) / (2 * by);
        normal[i] = nominal * slope;
        square += slope * slope;
    }
    for (uint32_t i = 0; i < prog->n; i++)
        normal[i] /= square;
    return square > 0;
}

/* Beside the surface, the control enters z' by `beside`. In higher-order sliding, such as
 * super-twisting, this effect vanishes on the surface. Then the surface gets a normal. */
static void look_on_surface(ModeProgram *prog, uint32_t j, double beside)
{
    SlidingSurface *h = &prog->sliding->at[j];
    double *normal = ARENA_ARRAY(prog->own, double, prog->n), there;
    if (h->rest || !find_normal(prog, j, normal))
        return;
    h->normal = normal;
    if (authority(prog, j, on_surfaces(prog, prog->run->time, prog->x, prog->sliding->on),
                  &there) ||
        fabs(there) > 0.1 * fabs(beside))
        h->normal = NULL;
}

/* Whether the effect of control j on z' falls with the stride of the differences, a part of the
 * usual one: it is then zero at x itself. */
static bool effect_vanishes(ModeProgram *prog, uint32_t j, const double *x, double part)
{
    Sliding *w = prog->sliding;
    double far = 0, nearer = 0;
    w->shorter = part;
    int status = authority(prog, j, x, &far);
    w->shorter = 0.1 * part;
    status = status ? status : authority(prog, j, x, &nearer);
    w->shorter = 1;
    return !status && fabs(nearer) < 0.5 * fabs(far);
}

bool filippov_degenerates(ModeProgram *prog, uint32_t j, const double *x)
{
    const SlidingSurface *h = &prog->sliding->at[j];
    double part = fmin(fmax(NEAR * prog->run->options->tolerance, 1e-3), 1);
    return h->degree == 1 && !h->rest && !(h->layer > 0) && effect_vanishes(prog, j, x, part);
}

int filippov_degree(ModeProgram *prog, uint32_t j)
{
    Sliding *w = prog->sliding;
    double *a = w->d[5], scale = relation_scale(prog->run, w->at[j].relation), beside;
    w->at[j].normal = NULL;
    w->at[j].middle = false;
    if (authority(prog, j, prog->x, &beside))
        return 0;
    double h = filippov_stride(prog, prog->x, w->g);
    if (beside != 0)
        look_on_surface(prog, j, beside);
    if (fabs(beside) * h > 1e-9 * scale && !w->at[j].normal &&
        !effect_vanishes(prog, j, prog->x, 1))
        return 1;
    w->at[j].middle = beside != 0 && !w->at[j].rest && !w->at[j].normal;
    const double *x = on_surfaces(prog, prog->run->time, prog->x, prog->sliding->on);
    if (corners(prog, prog->run->time, x))
        return 0;
    effect(prog, j, w->g);
    return !bends(prog, prog->run->time, x, 0, w->g, a) && fabs(a[j]) * h > 1e-12 * scale ? 2 : 0;
}

/* Moves the state by `by` along a direction if that is within some tolerances. */
static void shift(ModeProgram *prog, double by, const double *direction)
{
    for (uint32_t i = 0; i < prog->n; i++) {
        double nominal = program_var(prog, prog->plan->states.at[i].var)->nominal,
               size = nominal + fabs(prog->x[i]);
        if (!(fabs(by * direction[i]) <= SHIFTED * prog->run->options->tolerance * size))
            return;
    }
    for (uint32_t i = 0; i < prog->n; i++)
        prog->x[i] += by * direction[i];
    put_states(prog, prog->run->time, prog->x);
}

void filippov_project(ModeProgram *prog, uint32_t j)
{
    Sliding *w = prog->sliding;
    double *now = w->d[4], *by = w->d[5], *normal = w->values;
    if (find_normal(prog, j, normal) && !surfaces(prog, prog->run->time, prog->x, now))
        shift(prog, -now[j], normal);
    bool leaves = w->at[j].free != within(&w->at[j], w->at[j].free);
    if (w->at[j].degree != 2 || (w->at[j].middle && leaves) ||
        corners(prog, prog->run->time, prog->x))
        return;
    effect(prog, j, w->g);
    memcpy(normal, w->g, prog->n * sizeof *normal);
    if (!bends(prog, prog->run->time, prog->x, 0, normal, by) && fabs(by[j]) > 0 &&
        !speeds(prog, prog->run->time, prog->x, now))
        shift(prog, -now[j] / by[j], normal);
}

double filippov_settle(ModeProgram *prog, uint32_t j)
{
    Sliding *w = prog->sliding;
    const SlidingSurface *h = &w->at[j];
    double *now = w->d[4], *by = w->d[5];
    int status = (h->degree == 1 ? surfaces : speeds)(prog, prog->run->time, prog->x, now);
    status = status ? status
                    : (h->degree == 1 ? rates : bends)(prog, prog->run->time, prog->x, 0,
                                                       h->direction, by);
    if (status || !(fabs(by[j]) > 0))
        return 0;
    for (uint32_t i = 0; i < prog->n; i++)
        prog->x[i] -= now[j] / by[j] * h->direction[i];
    put_states(prog, prog->run->time, prog->x);
    return fabs(now[j]);
}

/* ---- the motion of one crossing function ---- */

/* Whether two relations have the same surface at the present state: their gradients are parallel.
 */
bool filippov_same_surface(ModeProgram *prog, uint32_t a, uint32_t b)
{
    Sliding *w = prog->sliding;
    double sum_a = 0, sum_b = 0, both = 0;
    memcpy(w->x, prog->x, prog->n * sizeof *w->x);
    for (uint32_t i = 0; i < prog->n; i++) {
        double nominal = program_var(prog, prog->plan->states.at[i].var)->nominal,
               by = 1e-6 * (fabs(prog->x[i]) + nominal), slope[2] = {0};
        for (int k = 0; k < 2; k++) {
            double z;
            w->x[i] = prog->x[i] + (k ? by : -by);
            if (filippov_crossing(prog, a, prog->run->time, w->x, &z))
                return false;
            slope[0] += (k ? z : -z) * nominal / by;
            slope[1] += (k ? w->z[b] : -w->z[b]) * nominal / by;
        }
        w->x[i] = prog->x[i];
        sum_a += slope[0] * slope[0];
        sum_b += slope[1] * slope[1];
        both += slope[0] * slope[1];
    }
    return sum_a > 0 && sum_b > 0 && both * both >= PARALLEL * sum_a * sum_b;
}

int filippov_crossing(ModeProgram *prog, uint32_t k, double t, const double *x, double *z)
{
    Sliding *w = prog->sliding;
    filippov_restore_values(prog);
    filippov_enable(prog, false);
    int status = evaluate_indicators(prog, t, x, w->z);
    filippov_enable(prog, true);
    *z = w->z[k];
    return status;
}

/* Derivative of z along (1, f), by differences. */
int filippov_rate(ModeProgram *prog, uint32_t k, double t, const double *x, const double *f,
                  double *out)
{
    double h = filippov_stride(prog, x, f), z[2];
    for (int turn = 0; turn < 2; turn++) {
        double by = turn ? h : -h;
        for (uint32_t i = 0; i < prog->n; i++)
            prog->sliding->x2[i] = x[i] + by * f[i];
        int status = filippov_crossing(prog, k, t + by, prog->sliding->x2, &z[turn]);
        if (status)
            return status;
    }
    *out = (z[1] - z[0]) / (2 * h);
    return 0;
}

/* z' along the motion from (t, x) with the held surfaces; the derivatives go to f. */
int filippov_speed(ModeProgram *prog, uint32_t k, double t, const double *x, double *f, double *out)
{
    Sliding *w = prog->sliding;
    int status = w->n ? filippov_control(prog, t, x) : filippov_plain(prog, t, x, w->sum);
    memcpy(f, w->sum, prog->n * sizeof *f);
    return status ? status : filippov_rate(prog, k, t, x, f, out);
}
