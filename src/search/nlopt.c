/* Minimization by NLopt, whose library is opened when it is needed.
 *
 * All searches work on the unit cube: x = low + u (high - low). The objective is divided by its
 * size at the first point. The best point is that of all evaluations, whatever NLopt returns. A
 * point that satisfies the constraints is better than one that does not. Where the function fails,
 * NLopt gets a value above all others. */
#include "search/search.h"

#include "base/context.h"

#include <dlfcn.h>
#include <math.h>
#include <nlopt.h>
#include <string.h>

enum { MOST_ROUNDS = 4 };

#define FUNCTIONS                                                                                  \
    X(create)                                                                                      \
    X(destroy)                                                                                     \
    X(optimize)                                                                                    \
    X(set_min_objective)                                                                           \
    X(set_lower_bounds1)                                                                           \
    X(set_upper_bounds1)                                                                           \
    X(set_initial_step1)                                                                           \
    X(set_maxeval)                                                                                 \
    X(set_xtol_abs1)                                                                               \
    X(set_ftol_rel)                                                                                \
    X(force_stop)                                                                                  \
    X(add_inequality_mconstraint)                                                                  \
    X(add_equality_mconstraint)

typedef struct Nlopt {
    void *library;
#define X(name) __typeof__(nlopt_##name) *name;
    FUNCTIONS
#undef X
} Nlopt;

static bool load(Context *ctx, Nlopt *l)
{
    static const char *const names[] = {"libnlopt.so.0", "libnlopt.so.1", "libnlopt.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !l->library; i++)
        l->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool ok = l->library;
#define X(name)                                                                                    \
    if (ok) {                                                                                      \
        void *symbol = dlsym(l->library, "nlopt_" #name);                                          \
        memcpy(&l->name, &symbol, sizeof symbol);                                                  \
        ok = symbol;                                                                               \
    }
    FUNCTIONS
#undef X
    if (!ok)
        diag(ctx, (Span){0}, DIAG_U001,
             "this search needs the library NLopt (libnlopt.so.0); on Debian the package libnlopt0 "
             "has it");
    return ok;
}

typedef struct Cube { /* a search in the unit cube */
    const Nlopt *lib;
    Minimization *m;
    nlopt_opt opt;
    double *x;     /* of the last evaluation */
    double *u;     /* the same in the cube */
    double *f, *d; /* there */
    bool evaluated, ok, with_derivatives;
    double worst, scale;
    bool any; /* a point did not fail */
    double best_violation;
    bool stopped;
    double *points; /* of a global search: u and f of all; NULL: not kept */
    uint32_t n_points, room;
    uint32_t n_equal;
} Cube;

static double violation(const Minimization *m, const double *f)
{
    double most = 0;
    for (uint32_t k = 0; k < m->n_constraints; k++) {
        double g = m->equal[k] ? fabs(f[k + 1]) : f[k + 1];
        most = fmax(most, g / m->scale[k]);
    }
    return most <= m->constraint_tolerance ? 0 : most;
}

static void consider(Cube *c)
{
    Minimization *m = c->m;
    double off = violation(m, c->f);
    bool better =
        !c->any || off < c->best_violation || (!(off > c->best_violation) && c->f[0] < m->f[0]);
    c->worst = c->any ? fmax(c->worst, c->f[0]) : c->f[0];
    if (better) {
        memcpy(m->x, c->x, m->n * sizeof *m->x);
        memcpy(m->f, c->f, (m->n_constraints + (size_t)1) * sizeof *m->f);
        c->best_violation = off;
    }
    c->any = true;
}

/* The functions at u; the last point is not evaluated again. */
static void visit(Cube *c, const double *u, bool derivatives)
{
    Minimization *m = c->m;
    if (c->evaluated && !memcmp(u, c->u, m->n * sizeof *u) && (!derivatives || c->with_derivatives))
        return;
    if (m->interrupt && *m->interrupt) {
        c->stopped = true;
        c->lib->force_stop(c->opt);
        return;
    }
    memcpy(c->u, u, m->n * sizeof *u);
    for (uint32_t j = 0; j < m->n; j++)
        c->x[j] = fmin(m->low[j] + u[j] * (m->high[j] - m->low[j]), m->high[j]);
    m->done++;
    c->ok = m->evaluate(m->user, c->x, c->f, derivatives ? c->d : NULL);
    for (uint32_t k = 0; k <= m->n_constraints; k++)
        c->ok &= isfinite(c->f[k]) != 0;
    m->failures += !c->ok;
    c->evaluated = true;
    c->with_derivatives = derivatives;
    if (c->ok)
        consider(c);
    if (c->points && c->ok && c->n_points < c->room) {
        double *to = c->points + (size_t)c->n_points++ * (m->n + (size_t)1);
        memcpy(to, u, m->n * sizeof *u);
        to[m->n] = c->f[0];
    }
}

static void put_gradient(const Cube *c, uint32_t row, double scale, double *gradient)
{
    const Minimization *m = c->m;
    for (uint32_t j = 0; j < m->n; j++) {
        double d = c->ok ? c->d[row * m->n + j] * (m->high[j] - m->low[j]) / scale : 0;
        gradient[j] = isfinite(d) ? d : 0;
    }
}

static double objective(unsigned n, const double *u, double *gradient, void *user)
{
    Cube *c = user;
    (void)n;
    visit(c, u, gradient != NULL);
    if (gradient)
        put_gradient(c, 0, c->scale, gradient);
    double worst = c->any ? c->worst : 1;
    return (c->ok ? c->f[0] : worst + fabs(worst) + c->scale) / c->scale;
}

static void constraints(Cube *c, bool equal, double *result, const double *u, double *gradient)
{
    const Minimization *m = c->m;
    visit(c, u, gradient != NULL);
    for (uint32_t k = 0, at = 0; k < m->n_constraints; k++) {
        if (m->equal[k] != equal)
            continue;
        result[at] = c->ok ? c->f[k + 1] / m->scale[k] : 1;
        if (gradient)
            put_gradient(c, k + 1, m->scale[k], gradient + (size_t)at * m->n);
        at++;
    }
}

static void inequalities(unsigned count, double *result, unsigned n, const double *u,
                         double *gradient, void *user)
{
    (void)count;
    (void)n;
    constraints(user, false, result, u, gradient);
}

static void equalities(unsigned count, double *result, unsigned n, const double *u,
                       double *gradient, void *user)
{
    (void)count;
    (void)n;
    constraints(user, true, result, u, gradient);
}

static void begin(Cube *c, Minimization *m, const Nlopt *lib, Arena *arena)
{
    *c = (Cube){.m = m, .lib = lib, .scale = 1};
    c->x = ARENA_ARRAY(arena, double, 2 * (size_t)m->n);
    c->u = c->x + m->n;
    c->f = ARENA_ARRAY(arena, double, m->n_constraints + (size_t)1);
    c->d = ARENA_ARRAY(arena, double, (m->n_constraints + (size_t)1) * m->n);
    for (uint32_t k = 0; k < m->n_constraints; k++)
        c->n_equal += m->equal[k];
}

/* One run of NLopt from the best point so far. */
static void search(Cube *c, nlopt_algorithm algorithm, double step, Arena *arena)
{
    const Minimization *m = c->m;
    const Nlopt *lib = c->lib;
    double *u = ARENA_ARRAY(arena, double, m->n),
           *tolerances = ARENA_ARRAY(arena, double, m->n_constraints + (size_t)1), least;
    for (uint32_t j = 0; j < m->n; j++) {
        double range = m->high[j] - m->low[j];
        u[j] = range > 0 ? fmin(fmax((m->x[j] - m->low[j]) / range, 0), 1) : 0;
    }
    for (uint32_t k = 0; k < m->n_constraints; k++)
        tolerances[k] = 0.5 * m->constraint_tolerance;
    c->opt = lib->create(algorithm, m->n);
    if (!c->opt)
        memory_exhausted();
    lib->set_lower_bounds1(c->opt, 0);
    lib->set_upper_bounds1(c->opt, 1);
    lib->set_min_objective(c->opt, objective, c);
    uint32_t unequal = m->n_constraints - c->n_equal;
    if (unequal && !c->points)
        lib->add_inequality_mconstraint(c->opt, unequal, inequalities, c, tolerances);
    if (c->n_equal && !c->points)
        lib->add_equality_mconstraint(c->opt, c->n_equal, equalities, c, tolerances);
    lib->set_maxeval(c->opt, (int)m->most);
    lib->set_xtol_abs1(c->opt, algorithm == NLOPT_LD_SLSQP ? 1e-10 : 1e-8);
    lib->set_ftol_rel(c->opt, 1e-13);
    if (step > 0)
        lib->set_initial_step1(c->opt, step);
    (void)lib->optimize(c->opt, u, &least);
    lib->destroy(c->opt);
    c->opt = NULL;
}

/* Methods without derivatives. The second search begins where the first one ended. */
static void search_around(Cube *c, double step, Arena *arena)
{
    const Minimization *m = c->m;
    nlopt_algorithm first = m->n_constraints ? NLOPT_LN_COBYLA
                            : m->n > 1       ? NLOPT_LN_BOBYQA
                                             : NLOPT_LN_SBPLX,
                    second = m->n_constraints ? NLOPT_LN_COBYLA : NLOPT_LN_SBPLX;
    search(c, first, step, arena);
    if (!c->stopped)
        search(c, second, 0.1 * step, arena);
}

static bool improved(const Cube *c, double before, double violated)
{
    if (c->best_violation < violated)
        return c->best_violation < 0.9 * violated;
    return before - c->m->f[0] > 1e-7 * fabs(before) + 1e-14 * c->scale;
}

/* By derivatives if there are some; then without them, because the minimum may be at a kink. Both
 * again as long as that helps. */
static SearchStatus go_down(Cube *c, Arena *arena)
{
    const Minimization *m = c->m;
    double step = m->has_gradient ? 0.02 : 0.25;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        if (m->has_gradient)
            search(c, NLOPT_LD_SLSQP, 0, arena);
        double before = m->f[0], violated = c->best_violation;
        if (!c->stopped)
            search_around(c, step, arena);
        if (c->stopped)
            return SEARCH_INTERRUPTED;
        if (!improved(c, before, violated))
            return c->best_violation > 0 ? SEARCH_INFEASIBLE : SEARCH_CONVERGED;
        step *= 0.5;
    }
    return c->best_violation > 0 ? SEARCH_INFEASIBLE : SEARCH_LIMIT;
}

SearchStatus minimize_local(Context *ctx, Minimization *m, Arena *arena)
{
    Nlopt lib = {0};
    Cube c;
    if (!load(ctx, &lib))
        return SEARCH_FAILED;
    begin(&c, m, &lib, arena);
    double *u = ARENA_ARRAY(arena, double, m->n);
    for (uint32_t j = 0; j < m->n; j++) {
        double range = m->high[j] - m->low[j];
        u[j] = range > 0 ? fmin(fmax((m->x[j] - m->low[j]) / range, 0), 1) : 0;
    }
    visit(&c, u, m->has_gradient);
    if (c.ok && fabs(c.f[0]) > 0)
        c.scale = fabs(c.f[0]);
    if (!c.any)
        search_around(&c, 0.25, arena);
    return c.any ? go_down(&c, arena) : c.stopped ? SEARCH_INTERRUPTED : SEARCH_FAILED;
}

/* ---- the whole box ---- */

/* Whether point i is far from those that were chosen. */
static bool is_apart(const Cube *c, const double *u, const double *chosen, uint32_t n_chosen)
{
    uint32_t n = c->m->n;
    for (uint32_t k = 0; k < n_chosen; k++) {
        double distance = 0;
        for (uint32_t j = 0; j < n; j++)
            distance = fmax(distance, fabs(u[j] - chosen[k * n + j]));
        if (distance < 0.1)
            return false;
    }
    return true;
}

uint32_t minimize_global(Context *ctx, Minimization *m, uint32_t count, Arena *arena)
{
    Nlopt lib = {0};
    Cube c;
    if (!load(ctx, &lib))
        return 0;
    begin(&c, m, &lib, arena);
    c.room = m->most + 1;
    c.points = ARENA_ARRAY(arena, double, c.room *(m->n + (size_t)1));
    search(&c, NLOPT_GN_DIRECT_L, 0, arena);
    double *chosen = ARENA_ARRAY(arena, double, (size_t)count * m->n);
    uint32_t found = 0, n = m->n;
    for (; found < count; found++) {
        const double *best = NULL;
        for (uint32_t i = 0; i < c.n_points; i++) {
            const double *u = c.points + i * (n + (size_t)1);
            if ((!best || u[n] < best[n]) && is_apart(&c, u, chosen, found))
                best = u;
        }
        if (!best)
            break;
        memcpy(chosen + found * n, best, n * sizeof *best);
    }
    for (uint32_t i = 0; i < found * n; i++)
        m->x[i] = m->low[i % n] + chosen[i] * (m->high[i % n] - m->low[i % n]);
    if (!found)
        diag(ctx, (Span){0}, DIAG_A024, "no run of the global search succeeded");
    return found;
}
