/* S over a step of the solver: collocation at the three Radau points. See variation.h. */
#include "numerics/dense.h"
#include "sim/linear.h"
#include "sim/sliding/sliding.h"
#include "sim/variation_internal.h"

#include <math.h>

static const double PROBE = 0.4; /* where the defect is measured */
enum { MOST_HALVINGS = 12 };
static const double MOST_DEFECT = 30, LARGER = 32; /* of twice the length, at most about */

static double basis_slope(int k, double x)
{
    double sum = 0;
    for (int m = 0; m < 4; m++) {
        if (m == k)
            continue;
        double product = 1 / (variation_nodes[k] - variation_nodes[m]);
        for (int i = 0; i < 4; i++)
            if (i != k && i != m)
                product *= (x - variation_nodes[i]) / (variation_nodes[k] - variation_nodes[i]);
        sum += product;
    }
    return sum;
}

/* ---- the linear system ---- */

/* The entries of the Jacobians; NULL: all n*n, by columns. */
static const Problem *pattern(const Variation *w)
{
    const Problem *p = &w->s->prog->problem;
    return !variation_slides(w) && p->jacobian && p->col_ptr ? p : NULL;
}

/* The Jacobian at a collocation point. */
static double *jacobian_at(const Variation *w, size_t point)
{
    size_t n = w->s->prog->n;
    const Problem *p = pattern(w);
    return w->jacobian + point * (p ? p->col_ptr[n] : n * n);
}

/* Block (a, b) of the matrix: the unit matrix on the diagonal, minus `by` times the Jacobian. */
static void assemble_block(Variation *w, size_t a, size_t b, double by)
{
    size_t n = w->s->prog->n;
    const Problem *p = pattern(w);
    const double *jacobian = jacobian_at(w, b);
    for (size_t j = 0; j < n; j++) {
        double *column = w->matrix + (b * n + j) * 3 * n + a * n;
        for (size_t i = 0; i < n; i++)
            column[i] = (a == b && i == j) - (p ? 0 : by * jacobian[j * n + i]);
        for (uint32_t k = p ? p->col_ptr[j] : 0; p && k < p->col_ptr[j + 1]; k++)
            column[p->row[k]] -= by * jacobian[k];
    }
}

static void assemble(Variation *w, double h)
{
    for (size_t b = 0; b < 3; b++)
        for (size_t a = 0; a < 3; a++)
            assemble_block(w, a, b, h * variation_radau[a][b]);
}

/* The right side for direction j, 3n numbers. */
static void right_side(const Variation *w, uint32_t j, const Piece *p, double *r)
{
    size_t n = w->s->prog->n;
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t b = 0; b < 3; b++)
                sum += variation_radau[a][b] * w->force[(3 * (size_t)j + b) * n + i];
            r[a * n + i] = p->s[0][j * n + i] + p->length * sum;
        }
}

static void solve(Variation *w, uint32_t j, Piece *p, bool sparse)
{
    size_t n = w->s->prog->n;
    double *r = w->rhs;
    right_side(w, j, p, r);
    if (sparse)
        variation_sparse_solve(w, r);
    else
        dense_solve((uint32_t)(3 * n), w->matrix, w->pivot, r);
    for (size_t a = 0; a < 3; a++)
        memcpy(p->s[a + 1] + j * n, r + a * n, n * sizeof *r);
}

/* How fast the iteration converges: the step times the largest sum of a row of the Jacobians. */
static double contraction(const Variation *w, double h)
{
    size_t n = w->s->prog->n;
    const Problem *p = pattern(w);
    double most = 0, *sums = w->rhs;
    for (size_t b = 0; b < 3; b++) {
        const double *jacobian = jacobian_at(w, b);
        memset(sums, 0, n * sizeof *sums);
        for (uint32_t k = 0; p && k < p->col_ptr[n]; k++)
            sums[p->row[k]] += fabs(jacobian[k]);
        for (size_t k = 0; k < n * n && !p; k++)
            sums[k % n] += fabs(jacobian[k]);
        for (size_t i = 0; i < n; i++)
            most = fmax(most, sums[i]);
    }
    return h * most;
}

/* The slopes J S at a collocation point. */
static void slopes_of(const Variation *w, size_t point, const double *s, double *out)
{
    size_t n = w->s->prog->n;
    const Problem *p = pattern(w);
    const double *jacobian = jacobian_at(w, point);
    memset(out, 0, n * sizeof *out);
    for (size_t j = 0; j < n; j++) {
        for (uint32_t k = p ? p->col_ptr[j] : 0; p && k < p->col_ptr[j + 1]; k++)
            out[p->row[k]] += jacobian[k] * s[j];
        for (size_t i = 0; i < n && !p; i++)
            out[i] += jacobian[j * n + i] * s[j];
    }
}

/* Short steps of explicit solvers: the system by fixed-point iteration, point after point, without
 * a factorization. False if that does not converge. */
static bool iterate(Variation *w, uint32_t j, Piece *p)
{
    enum { MOST = 60 };
    size_t n = w->s->prog->n;
    double *r = w->rhs, *slope = w->matrix, h = p->length,
           enough = 1e-4 * fmin(w->s->run.options->tolerance, 1e-6);
    right_side(w, j, p, r);
    for (size_t a = 0; a < 3; a++) {
        memcpy(p->s[a + 1] + j * n, r + a * n, n * sizeof *r);
        slopes_of(w, a, p->s[a + 1] + j * n, slope + a * n);
    }
    for (int turn = 0; turn < MOST; turn++) {
        double change = 0, size = 0;
        for (size_t a = 0; a < 3; a++) {
            double *s = p->s[a + 1] + j * n;
            for (size_t i = 0; i < n; i++) {
                double x = r[a * n + i] + h * (variation_radau[a][0] * slope[i] +
                                               variation_radau[a][1] * slope[n + i] +
                                               variation_radau[a][2] * slope[2 * n + i]);
                change = fmax(change, fabs(x - s[i]));
                size = fmax(size, fabs(x));
                s[i] = x;
            }
            slopes_of(w, a, s, slope + a * n);
        }
        if (change <= enough * size)
            return true;
        if (!isfinite(change))
            return false;
    }
    return false;
}

/* All directions, if this is cheaper than a factorization and converges. Costs are in operations,
 * those of KLU as measured: 220 for each entry of the Jacobian, and 30 for each direction. */
static bool iterate_all(Variation *w, Piece *p)
{
    double n = w->s->prog->n, q = 0.3 * contraction(w, p->length);
    const Problem *known = pattern(w);
    double turns = q < 0.7 ? 25 / -log(fmax(q, 1e-6)) + 1 : INFINITY,
           entries = known ? known->col_ptr[w->s->prog->n] : n * n,
           factored = variation_is_sparse(w, known) ? entries * (220 + 30 * w->n) : 18 * n * n * n;
    if (!(turns * w->n * 3 * (3 * entries + 10 * n) < factored))
        return false;
    for (uint32_t j = 0; j < w->n; j++)
        if (!iterate(w, j, p))
            return false;
    return true;
}

/* ---- the defect ---- */

/* The largest defect at the probe, in units of the tolerance. */
static double defect(Variation *w, const Piece *p)
{
    ModeProgram *prog = w->s->prog;
    size_t n = prog->n;
    double t = p->begin + PROBE * p->length, most = 0, *slope = w->rhs + 3 * n, *s = w->rhs;
    const double *basis = w->probe, *slopes = w->probe_slope;
    program_states_at(prog, t, w->x);
    if (evaluate_derivatives(prog, t, w->x))
        return INFINITY;
    for (uint32_t j = 0; j < w->n; j++) {
        for (size_t i = 0; i < n; i++) {
            s[i] = 0;
            for (int k = 0; k < 4; k++)
                s[i] += basis[k] * p->s[k][j * n + i];
        }
        if (variation_slope(w, j, s, slope))
            return INFINITY;
        for (uint32_t i = 0; i < n; i++) {
            double moves = 0;
            for (int k = 0; k < 4; k++)
                moves += slopes[k] * p->s[k][j * n + i];
            double error = fabs(moves - p->length * slope[i]) / variation_weight(w, j, i, s[i]);
            most = fmax(most, isnan(error) ? INFINITY : error);
        }
    }
    return most;
}

/* ---- pieces ---- */

static Piece *next_piece(Variation *w)
{
    if (w->n_pieces == w->pieces.n)
        vec_push(&w->pieces, ((Piece){0}));
    Piece *p = &w->pieces.at[w->n_pieces];
    size_t size = (size_t)w->n * w->s->prog->n + 1;
    if (!p->s[0] || p->n != w->s->prog->n)
        for (int k = 0; k < 5; k++) {
            double **at = k < 4 ? &p->s[k] : &p->bend;
            memory_free(*at);
            *at = NULL;
            *at = memory_alloc(size * sizeof **at);
        }
    p->bends = false;
    p->n = w->s->prog->n;
    return p;
}

/* Solves on an interval; false if that fails. */
static bool collocate(Variation *w, Piece *p)
{
    ModeProgram *prog = w->s->prog;
    size_t n = prog->n;
    if (!w->n) /* values alone are wanted */
        return true;
    memset(w->rhs, 0, n * sizeof *w->rhs);
    for (size_t a = 0; a < 3; a++) {
        double t = p->begin + variation_nodes[a + 1] * p->length, *zero = w->rhs;
        program_states_at(prog, t, w->x);
        double *at = jacobian_at(w, a);
        int status = variation_slides(w) ? slide_matrix(prog, t, w->x, at)
                                         : linear_jacobian(prog, t, w->x, at);
        for (uint32_t j = 0; j < w->n && !status; j++)
            status = variation_slope(w, j, zero, w->force + (3 * (size_t)j + a) * n);
        if (status)
            return false;
    }
    if (iterate_all(w, p))
        return true;
    bool sparse = variation_sparse_factor(w, pattern(w), p->length);
    if (!sparse)
        assemble(w, p->length);
    if (!sparse && n && !dense_factor((uint32_t)(3 * n), w->matrix, w->pivot))
        return false;
    for (uint32_t j = 0; j < w->n && n; j++)
        solve(w, j, p, sparse);
    return true;
}

/* From s0 (size n_directions times n) over [begin, end]; the end is then in s0. */
static bool go(Variation *w, double *s0, double begin, double end, int depth)
{
    size_t size = (size_t)w->n * w->s->prog->n;
    bool checked = depth < MOST_HALVINGS && w->n && w->s->prog->n, halve = depth < w->halvings;
    double found = 0;
    Piece *p = next_piece(w);
    p->begin = begin;
    p->length = end - begin;
    if (!halve) {
        memcpy(p->s[0], s0, size * sizeof *s0);
        if (!collocate(w, p))
            return false;
        found = checked ? defect(w, p) : 0;
        halve = found > MOST_DEFECT;
    }
    if (halve) {
        double middle = begin + 0.5 * (end - begin);
        return go(w, s0, begin, middle, depth + 1) && go(w, s0, middle, end, depth + 1);
    }
    w->depth = depth < w->depth ? depth : w->depth;
    w->worst = fmax(w->worst, found);
    memcpy(s0, p->s[3], size * sizeof *s0);
    w->n_pieces++;
    tally_piece(w, p);
    return true;
}

/* The whole step, as the solver has integrated it, or by collocation. Steps that follow each other
 * need about as many halvings. */
static bool go_on(Variation *w, double *s0, double t)
{
    Piece *p = next_piece(w);
    if (variation_stages(w, p, t)) {
        memcpy(s0, p->s[3], (size_t)w->n * p->n * sizeof *s0);
        w->n_pieces++;
        tally_piece(w, p);
        return true;
    }
    w->depth = MOST_HALVINGS;
    w->worst = 0;
    if (w->probe[0] == 0) {
        variation_basis(PROBE, w->probe);
        for (int k = 0; k < 4; k++)
            w->probe_slope[k] = basis_slope(k, PROBE);
    }
    bool good = go(w, s0, w->t, t, 0);
    w->halvings = w->worst < MOST_DEFECT / LARGER && w->depth > 0 ? w->depth - 1 : w->depth;
    return good;
}

void variation_follow(Sim *s, double t)
{
    Variation *w = s->variation;
    if (!w || !w->begun || t <= w->t)
        return;
    if (s->prog->plan->inlined.n)
        variation_note_flaw(w, FLAW_INLINE);
    if (!sliding_has_tangents(s->prog))
        variation_note_flaw(w, FLAW_REST);
    if (variation_has_delays(w) && variation_slides(w))
        variation_note_flaw(w, FLAW_DELAY);
    variation_fit(w);
    w->n_pieces = 0;
    if (w->flaw) { /* the values are known all the same */
        tally_piece(w, &(Piece){.begin = w->t, .length = t - w->t});
        w->t = t;
        variation_rows(w, t);
        return;
    }
    size_t n = s->prog->n;
    double *s0 = memory_alloc(((size_t)w->n * n + 1) * sizeof *s0);
    for (uint32_t j = 0; j < w->n; j++)
        variation_get_states(w, j, s0 + j * n);
    if (!go_on(w, s0, t))
        variation_note_flaw(w, FLAW_SINGULAR);
    else if (w->n)
        variation_find_touches(w, w->t, t);
    for (uint32_t j = 0; j < w->n; j++)
        if (!variation_is_lost(w, j))
            variation_put_states(w, j, s0 + j * n);
    memory_free(s0);
    w->t = t;
    if (!w->flaw)
        variation_record_delays(w);
    variation_rows(w, t);
}
