/* Torn blocks: Newton's method with the exact Jacobian, and tangents by the implicit function
 * theorem. */
#include "runtime/internal.h"

#include <math.h>
#include <string.h>

enum { MAX_ITERATIONS = 60, MAX_HALVINGS = 30, FEW_HALVINGS = 4, SMALL_BLOCK = 4, FEW_BITS = 5 };
/* larger steps are never rounding; units as in step_size */
static const double ROUNDING = 1e-7;
static const double LAST_BITS = 1e-9;
static const double NEAR = 2.0;  /* longest step beside a bad start */
static const double FAR = 100.0; /* a longer step from one solution to the next says nothing */

static double *torn(const Runtime *rt, const Block *b, uint32_t i)
{
    return &rt->m.v[b->code->vars[i]];
}

/* In units of nominal values: how far the solution is, to first order. */
static double residual_size(const Runtime *rt, const Block *b)
{
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        double x = fabs(rt->m.r[i]) / b->scale[i];
        size = x > size ? x : size;
    }
    return size;
}

static double step_size(const Runtime *rt, const Block *b, const double *dx)
{
    double size = 0.0;
    for (uint32_t i = 0; i < b->n; i++) {
        double x = fabs(dx[i]) / (b->nominal[i] + fabs(*torn(rt, b, i)));
        size = x > size ? x : size;
    }
    return size;
}

static void move(Runtime *rt, Block *b, const double *from, const double *dx, double part,
                 bool bounded)
{
    for (uint32_t i = 0; i < b->n; i++) {
        double x = from[i] + part * dx[i];
        if (bounded && x < b->lo[i]) {
            x = b->lo[i];
        } else if (bounded && x > b->hi[i]) {
            x = b->hi[i];
        }
        *torn(rt, b, i) = x;
    }
}

static void solve_restore(Runtime *rt, const Block *b, const double *x)
{
    for (uint32_t i = 0; i < b->n; i++) {
        *torn(rt, b, i) = x[i];
    }
}

static bool start_is_finite(const Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        if (!isfinite(*torn(rt, b, i))) {
            return false;
        }
    }
    return true;
}

static double within(const Block *b, uint32_t i, double x)
{
    return x < b->lo[i] ? b->lo[i] : x > b->hi[i] ? b->hi[i] : x;
}

/* The last solution; before the first one the start values. */
void solve_start_anew(Runtime *rt, Block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        *torn(rt, b, i) = within(b, i, b->good[i]);
    }
}

/* ---- linear ---- */

/* Residuals in m.r; moves by the solution of the present factors and evaluates. */
static int linear_step(Runtime *rt, Block *b)
{
    memcpy(rt->dx, rt->m.r, b->n * sizeof *rt->dx);
    jacobian_solve(rt, b, rt->dx);
    solve_keep(rt, b, rt->x);
    move(rt, b, rt->x, rt->dx, 1.0, false);
    return solve_evaluate(rt, b);
}

/* Whether the residual is within the block's tolerance. */
static bool linear_done(const Runtime *rt, const Block *b)
{
    double size = 1.0;
    for (uint32_t i = 0; i < b->n; i++) {
        double x = fabs(*torn(rt, b, i)) / b->nominal[i];
        size = x > size ? x : size;
    }
    return residual_size(rt, b) <= rt->tolerance * size;
}

/* Singular but consistent: the solution nearest to zero, or, at initialization, nearest to the
 * start values. An unknown that occurs in no equation at present (the temperature of a flow at
 * rest) keeps its value. */
static int linear_rescue(Runtime *rt, Block *b)
{
    bool from_start = rt->literal && !b->has_good;
    for (uint32_t i = 0; i < b->n; i++) {
        rt->x[i] = b->has_good ? b->good[i] : 0.0;
        *torn(rt, b, i) = from_start ? b->good[i] : 0.0;
    }
    int status = solve_evaluate(rt, b);
    if (status != MODEL_OK) {
        return status;
    }
    memcpy(rt->dx, rt->m.r, b->n * sizeof *rt->dx);
    status = jacobian_rescue(rt, b, rt->dx, rt->x);
    if (status != MODEL_OK) {
        return status;
    }
    solve_keep(rt, b, rt->x);
    move(rt, b, rt->x, rt->dx, 1.0, false);
    rt->rescued = (int)(b - rt->blocks) + 1;
    status = solve_evaluate(rt, b);
    if (status != MODEL_OK || open_share(rt, b, !from_start, &status) || from_start) {
        return status;
    }
    return smallest_solution(rt, b);
}

/* New factors at the present point; m.r is kept. */
static int factor_here(Runtime *rt, Block *b)
{
    memcpy(rt->r, rt->m.r, b->n * sizeof *rt->r);
    int status = jacobian_factor(rt, b);
    memcpy(rt->m.r, rt->r, b->n * sizeof *rt->r);
    return status;
}

/* One step solves a linear block. The remaining residual is rounding. Its size may not be visible
 * in the matrix of the block. The residual therefore only decides whether a refinement is
 * worthwhile. If the correction is as large as the solution and does not shrink, the solution is
 * undetermined: MODEL_SINGULAR. */
static int solve_factored(Runtime *rt, Block *b)
{
    double last = INFINITY;
    for (int step = 0; step < 2; step++) {
        rt->stats.iterations++;
        b->stats.iterations++;
        int status = linear_step(rt, b);
        if (status != MODEL_OK) {
            return status;
        }
        double size = step_size(rt, b, rt->dx);
        if (step == 1 && size > 0.1 && size > 0.5 * last) {
            return MODEL_SINGULAR;
        }
        if (linear_done(rt, b)) {
            break;
        }
        last = size;
    }
    return MODEL_OK;
}

/* Whether the factors are valid at the present point, although they were made at another: no value
 * that the Jacobian depends on has changed. */
static bool keeps_factors(const Runtime *rt, const Block *b)
{
    return b->factored && (b->code->constant == BLOCK_CONSTANT ||
                           (b->code->constant == BLOCK_STEADY && !rt->m.event));
}

static int solve_linear(Runtime *rt, Block *b)
{
    int status = solve_evaluate(rt, b);
    if (status != MODEL_OK) {
        return status;
    }
    if (keeps_factors(rt, b) && solve_factored(rt, b) == MODEL_OK) {
        return MODEL_OK;
    }
    status = factor_here(rt, b);
    if (status == MODEL_OK) {
        status = solve_factored(rt, b);
    }
    return status == MODEL_SINGULAR && !rt->regular ? linear_rescue(rt, b) : status;
}

/* ---- nonlinear ---- */

/* The Newton step from residuals in m.r into rt->dx, with new factors if requested. m.r is kept. */
static int newton_step(Runtime *rt, Block *b, bool fresh)
{
    int status = fresh ? factor_here(rt, b) : MODEL_OK;
    memcpy(rt->r, rt->m.r, b->n * sizeof *rt->r);
    memcpy(rt->dx, rt->r, b->n * sizeof *rt->dx);
    if (status == MODEL_SINGULAR) {
        jacobian_rescue(rt, b, rt->dx, NULL);
        status = MODEL_OK;
        for (uint32_t i = 0; i < b->n; i++) {
            status = isfinite(rt->dx[i]) ? status : MODEL_SINGULAR;
        }
    } else if (status == MODEL_OK) {
        jacobian_solve(rt, b, rt->dx);
    }
    memcpy(rt->m.r, rt->r, b->n * sizeof *rt->r);
    return status;
}

/* Goes along rt->dx while the residual falls. Returns the fraction of the step taken, 0 if none
 * helps. A step within ROUNDING is not divided much: if the residual does not fall there, it
 * consists of rounding. */
static double search(Runtime *rt, Block *b, double size, double step, bool bounded, int *status)
{
    int halvings = step <= ROUNDING ? FEW_HALVINGS : MAX_HALVINGS;
    double part = rt->longest > 0.0 && step > rt->longest ? rt->longest / step : 1.0;
    solve_keep(rt, b, rt->x);
    for (int k = 0; k < halvings; k++, part *= 0.5) {
        move(rt, b, rt->x, rt->dx, part, bounded);
        *status = solve_evaluate(rt, b);
        if (*status == MODEL_INTERRUPTED) {
            return 0.0;
        }
        if (*status == MODEL_OK &&
            (residual_size(rt, b) <= (1.0 - 1e-4 * part) * size || step <= rt->tolerance)) {
            return part;
        }
    }
    solve_restore(rt, b, rt->x);
    return 0.0;
}

/* Whether residuals above the tolerance are the last bits of a difference. No step can make them
 * smaller. */
static bool is_rounding(const Runtime *rt, const Block *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        int exponent;
        double r = rt->m.r[i], bits = ldexp(frexp(r, &exponent), FEW_BITS);
        if (fabs(r) > rt->tolerance * b->scale[i] && (fabs(r) > LAST_BITS || bits != rint(bits))) {
            return false;
        }
    }
    return true;
}

/* Newton's method. The step, in units of nominal + |x|, estimates the error and decides. The
 * iteration has converged
 * - after a step within the tolerance, with factors from the neighbourhood;
 * - after a small step that no longer shrinks under exact factors (rounding);
 * - after a small step along which the residual does not fall (rounding);
 * - if the residual does not fall and consists of the last bits of a difference, for any step: a
 *   constraint on positions determines its force only up to this rounding divided by h². */
int solve_iterate(Runtime *rt, Block *b, bool bounded)
{
    int status = solve_evaluate(rt, b);
    if (status != MODEL_OK) {
        return status;
    }
    bool fresh = !b->factored || b->n <= SMALL_BLOCK;
    double last = INFINITY;
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        rt->stats.iterations++;
        b->stats.iterations++;
        status = newton_step(rt, b, fresh);
        if (status != MODEL_OK) {
            return status;
        }
        bool singular = !b->factored;
        double step = step_size(rt, b, rt->dx), size = residual_size(rt, b);
        if (!isfinite(step)) {
            return MODEL_NOT_FINITE;
        }
        double part = search(rt, b, size, step, bounded, &status);
        bool trusted = fresh || k > 0 || step == 0.0;
        bool settled = step <= rt->tolerance || (fresh && step <= ROUNDING && step > 0.5 * last);
        if (part == 1.0 && trusted && settled) {
            return singular && !jacobian_solved(rt, b, 1e3 * rt->tolerance) ? MODEL_SINGULAR
                                                                            : MODEL_OK;
        }
        if (status == MODEL_INTERRUPTED) {
            return status;
        }
        if (part == 0.0) {
            if (!fresh) {
                solve_evaluate(rt, b);
                fresh = true;
                continue;
            }
            int there = solve_evaluate(rt, b);
            if (!singular && (step <= ROUNDING || (there == MODEL_OK && is_rounding(rt, b)))) {
                return there;
            }
            return singular ? MODEL_SINGULAR : status != MODEL_OK ? status : MODEL_NO_CONVERGENCE;
        }
        /* factors are kept while they still contract well */
        fresh = b->n <= SMALL_BLOCK || singular || part < 1.0 || (k > 0 && !(step < 0.1 * last)) ||
                (k == 0 && !fresh && step > 0.1);
        last = step;
    }
    return MODEL_NO_CONVERGENCE;
}

/* From a point beside the last solution, or beside zero. */
static int solve_beside(Runtime *rt, Block *b, bool zero, double shift)
{
    for (uint32_t i = 0; i < b->n; i++) {
        *torn(rt, b, i) = within(b, i, (zero ? 0.0 : b->good[i]) + shift * b->nominal[i]);
    }
    b->factored = false;
    return solve_iterate(rt, b, true);
}

/* From points around the start, if it is bad itself: a singular Jacobian, or outside the domain of
 * a function. Before the first solution also from zero and around it: start values may be far off.
 */
static int solve_around(Runtime *rt, Block *b)
{
    static const double shifts[] = {0.0, 0.01, -0.01, 1.0, -1.0, 10.0, -10.0};
    int status = MODEL_NO_CONVERGENCE;
    for (int zero = 0; zero <= !b->has_good && status != MODEL_OK; zero++) {
        for (size_t k = zero ? 0 : 1; k < sizeof shifts / sizeof *shifts && status != MODEL_OK;
             k++) {
            status = solve_beside(rt, b, zero != 0, shifts[k]);
        }
    }
    return status;
}

/* The same, with short steps at first: near a singular point, a full Newton step is too long and
 * would miss nearby solutions. */
static int solve_nearby(Runtime *rt, Block *b)
{
    rt->longest = NEAR;
    int status = solve_around(rt, b);
    rt->longest = 0.0;
    return status == MODEL_OK ? status : solve_around(rt, b);
}

/* Before the first solution: from guesses of the host. Relations of the block begin with their
 * values there. */
static int solve_from_guesses(Runtime *rt, Block *b)
{
    if (b->has_good || rt->guess == NULL ||
        !rt->guess(rt->guess_user, (uint32_t)(b - rt->blocks)) || !start_is_finite(rt, b)) {
        return MODEL_NO_CONVERGENCE;
    }
    b->factored = false;
    if (b->code->discrete != NULL && solve_evaluate(rt, b) == MODEL_OK) {
        evaluate_discretes(rt, b);
    }
    return solve_iterate(rt, b, true);
}

/* All that is tried after Newton's method from the start. The last ways are long in large blocks.
 */
static bool solve_rescue(Runtime *rt, Block *b)
{
    if (solve_from_guesses(rt, b) == MODEL_OK) {
        return true;
    }
    if (rt->quick && b->lu == NULL) {
        rt->gave_up = true;
        return false;
    }
    if (solve_nearby(rt, b) == MODEL_OK || rescue_by_homotopy(rt, b) == MODEL_OK) {
        return true;
    }
    if (!b->has_good) { /* start values may be far off */
        memset(b->good, 0, b->n * sizeof *b->good);
        return rescue_by_homotopy(rt, b) == MODEL_OK;
    }
    return false;
}

/* ---- continuation of the solution ---- */

/* The start if the evaluation goes back before a point that was only tried: its solution may be on
 * another branch. */
static void go_back(Runtime *rt, Block *b)
{
    double t = rt->m.v[0];
    if (rt->m.event || !b->has_base || !(t < b->good_time) || t < b->base_time) {
        return;
    }
    memcpy(b->good, b->base, b->n * sizeof *b->good);
    b->good_time = b->base_time;
    b->has_last = b->factored = false;
    solve_start_anew(rt, b);
}

/* The start extrapolated from the last two solutions, if the evaluation continues in time. */
static void predict(Runtime *rt, const Block *b)
{
    double t = rt->m.v[0], before = b->good_time - b->last_time;
    if (rt->m.event || !b->has_last || !(t > b->good_time) || t - b->good_time > 2.0 * before) {
        return;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        double x = b->good[i] + (b->good[i] - b->last_good[i]) * ((t - b->good_time) / before);
        if (x >= b->lo[i] && x <= b->hi[i]) {
            *torn(rt, b, i) = x;
        }
    }
}

void solve_accept(Block *b)
{
    if (!b->code->linear && b->has_good) {
        memcpy(b->base, b->good, b->n * sizeof *b->base);
        b->base_time = b->good_time;
        b->has_base = true;
    }
}

/* A solution that runtime_split shifted is not one to continue from. */
static void remember(const Runtime *rt, Block *b)
{
    double t = rt->m.v[0];
    if (rt->split_shift != 0.0) {
        return;
    }
    if (!b->code->linear && b->has_good && t > b->good_time && !rt->m.event) {
        double *oldest = b->last_good;
        b->last_good = b->good;
        b->last_time = b->good_time;
        b->good = oldest;
        b->has_last = true;
    } else {
        b->has_last = b->has_last && t == b->good_time && !rt->m.event;
    }
    solve_keep(rt, b, b->good);
    b->good_time = t;
    b->has_good = true;
    if (rt->m.event) {
        solve_accept(b);
    }
}

/* Whether the Jacobian at the last solution is singular, or so nearly that the Newton step from
 * there means nothing. */
static bool is_last_singular(Runtime *rt, Block *b)
{
    solve_start_anew(rt, b);
    b->factored = false;
    if (solve_evaluate(rt, b) != MODEL_OK) {
        return false;
    }
    int status = factor_here(rt, b);
    if (status == MODEL_OK) {
        memcpy(rt->dx, rt->m.r, b->n * sizeof *rt->dx);
        jacobian_solve(rt, b, rt->dx);
    }
    return status == MODEL_SINGULAR || (status == MODEL_OK && !(step_size(rt, b, rt->dx) < FAR));
}

/* Newton's method has no direction at the last solution, but the solution may leave it in any (the
 * speed of a pump at rest, if its head is the square of it). A solution farther away is another
 * one. */
static int leave_singular_point(Runtime *rt, Block *b)
{
    static const double shifts[] = {0.01, -0.01};
    int status = MODEL_SINGULAR;
    if (!b->has_good || !is_last_singular(rt, b)) {
        return status;
    }
    rt->longest = NEAR;
    for (size_t k = 0; k < sizeof shifts / sizeof *shifts && status != MODEL_OK; k++) {
        status = solve_beside(rt, b, false, shifts[k]);
        for (uint32_t i = 0; i < b->n; i++) {
            rt->dx[i] = *torn(rt, b, i) - b->good[i];
        }
        status = status == MODEL_OK && step_size(rt, b, rt->dx) > 1.0 ? MODEL_SINGULAR : status;
    }
    rt->longest = 0.0;
    return status;
}

/* Between events the solution is only continued: the integrator can take a smaller step. The branch
 * of the solution may end at a fold, or at a kink with the residual rising on all sides. Then the
 * host lets it jump: runtime_jumps. */
static int solve_nonlinear(Runtime *rt, Block *b)
{
    go_back(rt, b);
    predict(rt, b);
    int status = solve_iterate(rt, b, true);
    b->stats.restarts += status != MODEL_OK;
    solve_keep(rt, b, b->stuck);
    for (int bounded = 1; status != MODEL_OK && bounded >= 0; bounded--) {
        solve_start_anew(rt, b);
        b->factored = false;
        if (solve_iterate(rt, b, bounded != 0) == MODEL_OK) {
            return MODEL_OK;
        }
    }
    bool jumps = (rt->m.event || rt->jumps) && !rt->trial;
    bool lost = status == MODEL_SINGULAR || status == MODEL_NO_CONVERGENCE;
    if (lost && !rt->trial && leave_singular_point(rt, b) == MODEL_OK) {
        return MODEL_OK;
    }
    if (status == MODEL_OK || status == MODEL_INTERRUPTED || !jumps) {
        return status;
    }
    if (solve_rescue(rt, b)) {
        return MODEL_OK;
    }
    solve_restore(rt, b, b->stuck); /* shows best what is wrong */
    solve_evaluate(rt, b);
    return status;
}

/* ---- entries ---- */

int solve_block(Runtime *rt, uint32_t number)
{
    Block *b = &rt->blocks[number];
    if (rt->m.status != MODEL_OK) { /* a function called before the block has failed */
        return rt->m.status;
    }
    rt->stats.solves++;
    b->stats.solves++;
    if (!start_is_finite(rt, b)) {
        solve_start_anew(rt, b);
    } else if (!b->has_good) {
        solve_keep(rt, b, b->good);
    }
    int status = b->n == 0         ? solve_evaluate(rt, b)
                 : b->code->linear ? solve_linear(rt, b)
                                   : solve_nonlinear(rt, b);
    if (status != MODEL_OK && status != MODEL_SINGULAR && b->code->linear && b->n > 0) {
        b->stats.restarts++;
        solve_start_anew(rt, b);
        b->factored = false;
        status = solve_linear(rt, b);
    }
    if (status == MODEL_SINGULAR) { /* its Jacobian was built at the point of the residuals */
        solve_evaluate(rt, b);
    }
    memcpy(b->last, rt->m.r, b->n * sizeof *b->last);
    if (status == MODEL_OK) {
        remember(rt, b);
    } else {
        b->stats.failures++;
        rt->m.failed_block = (int32_t)number;
        rt->m.status = status;
    }
    return status;
}

static bool is_open(const Runtime *rt, const Block *b)
{
    return rt->open != NULL && b->code->sensitivity != NULL;
}

static void deliver_open(Runtime *rt, const Block *b)
{
    memcpy(rt->open, rt->m.r, b->n * sizeof *rt->open);
    rt->open += b->n;
}

static int solve_or_open(Runtime *rt, uint32_t number)
{
    ModelData *m = &rt->m;
    Block *b = &rt->blocks[number];
    if (!is_open(rt, b)) {
        return solve_block(rt, number);
    }
    int status = m->status != MODEL_OK ? m->status : solve_evaluate(rt, b);
    deliver_open(rt, b);
    if (status != MODEL_OK) {
        m->failed_block = (int32_t)number;
    }
    return status;
}

/* Tangents of torn and inner variables, by the block's function `slope` of the tangents of what it
 * depends on. */
static int solve_slope(Runtime *rt, uint32_t number, void (*slope)(ModelData *m))
{
    ModelData *m = &rt->m;
    Block *b = &rt->blocks[number];
    if (!b->exact && !keeps_factors(rt, b)) {
        int status = jacobian_factor(rt, b);
        if (status != MODEL_OK && status != MODEL_SINGULAR) {
            m->failed_block = (int32_t)number;
            return status;
        }
    }
    for (uint32_t i = 0; i < b->n; i++) {
        m->dv[b->code->vars[i]] = 0.0;
    }
    slope(m);
    memcpy(rt->dx, m->r, b->n * sizeof *rt->dx);
    if (b->factored) {
        jacobian_solve(rt, b, rt->dx);
    } else if (jacobian_rescue(rt, b, rt->dx, NULL) != MODEL_OK) {
        m->failed_block = (int32_t)number;
        return MODEL_SINGULAR;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        m->dv[b->code->vars[i]] = rt->dx[i];
    }
    slope(m);
    return MODEL_OK;
}

static int solve_tangent(Runtime *rt, uint32_t number)
{
    ModelData *m = &rt->m;
    Block *b = &rt->blocks[number];
    if (b->n == 0 || b->code->sensitivity == NULL) {
        return MODEL_OK;
    }
    if (is_open(rt, b)) {
        b->code->sensitivity(m);
        deliver_open(rt, b);
        return MODEL_OK;
    }
    return solve_slope(rt, number, b->code->sensitivity);
}

static int solve_variation(Runtime *rt, uint32_t number)
{
    const Block *b = &rt->blocks[number];
    if (b->n == 0) { /* discrete unknowns only, and Reals in steps */
        b->code->variation(&rt->m);
        return MODEL_OK;
    }
    return solve_slope(rt, number, b->code->variation);
}

int solve_profiled(Runtime *rt, int block, int (*solve)(Runtime *, uint32_t))
{
    uint32_t number = (uint32_t)(block + rt->m.first_block);
    if (rt->profile == NULL) {
        return solve(rt, number);
    }
    profile_begin(rt->profile, PROFILE_BLOCK, rt->profiled[number]);
    int status = solve(rt, number);
    profile_end(rt->profile);
    return status;
}

int kr_solve(ModelData *m, int block)
{
    return solve_profiled(runtime_of(m), block, solve_or_open);
}

int kr_solve_tangent(ModelData *m, int block)
{
    return solve_profiled(runtime_of(m), block, solve_tangent);
}

int kr_solve_variation(ModelData *m, int block)
{
    return solve_profiled(runtime_of(m), block, solve_variation);
}
