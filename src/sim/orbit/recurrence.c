/* Whether a motion repeats, from its rows: a section through a point of it, and returns to it. */
#include "sim/orbit/orbit.h"

#include <math.h>

enum { MOST_ROWS = 400000 };

struct Recurrence {
    const Plan *plan;
    uint32_t n, n_marks; /* states; discrete variables that are no numbers */
    VarId *vars, *marks;
    VEC(double) rows; /* time, states, marks */
    double *low, *high;
    bool *drifts;
    bool on;
    bool slow; /* the motion that was watched last */
    Arena *arena;
};

static bool is_mark(const DaeVar *x)
{
    return x->alias == NONE && (x->type == DAE_BOOL || x->type == DAE_ENUM) &&
           (x->kind == DAE_DISCRETE || x->kind == DAE_RELATION) && x->flat != NONE;
}

Recurrence *recurrence_new(const Plan *plan)
{
    Recurrence *r = memory_alloc(sizeof *r);
    const Dae *d = plan->dae;
    *r = (Recurrence){.plan = plan, .n = plan->states.n, .arena = arena_new()};
    r->vars = ARENA_ARRAY(r->arena, VarId, r->n + (size_t)1);
    r->marks = ARENA_ARRAY(r->arena, VarId, d->n_model_vars + (size_t)1);
    r->low = ARENA_ARRAY(r->arena, double, r->n + (size_t)1);
    r->high = ARENA_ARRAY(r->arena, double, r->n + (size_t)1);
    r->drifts = ARENA_ARRAY(r->arena, bool, r->n + (size_t)1);
    for (uint32_t i = 0; i < r->n; i++)
        r->vars[i] = plan->states.at[i].var;
    for (VarId v = 0; v < d->n_model_vars; v++)
        if (is_mark(&d->vars.at[v]))
            r->marks[r->n_marks++] = v;
    return r;
}

void recurrence_free(Recurrence *r)
{
    if (!r)
        return;
    vec_free(&r->rows);
    arena_free(r->arena);
    memory_free(r);
}

static bool take_row(void *user, const double *v)
{
    Recurrence *r = user;
    size_t width = 1 + (size_t)r->n + r->n_marks;
    if (!r->on || r->rows.n / width >= MOST_ROWS)
        return true;
    vec_push(&r->rows, v[0]);
    for (uint32_t i = 0; i < r->n; i++)
        vec_push(&r->rows, v[r->vars[i]]);
    for (uint32_t i = 0; i < r->n_marks; i++)
        vec_push(&r->rows, v[r->marks[i]]);
    return true;
}

ResultSink recurrence_sink(Recurrence *r)
{
    return (ResultSink){.user = r, .row = take_row, .needs = ROW_ALL};
}

void recurrence_begin(Recurrence *r)
{
    vec_clear(&r->rows);
    r->on = true;
}

/* ---- returns ---- */

static size_t width_of(const Recurrence *r)
{
    return 1 + (size_t)r->n + r->n_marks;
}

static const double *row_of(const Recurrence *r, size_t i)
{
    return r->rows.at + i * width_of(r);
}

/* Ranges of the states, and those that only rise or only fall. */
static void find_ranges(Recurrence *r, size_t first, size_t n)
{
    for (uint32_t i = 0; i < r->n; i++) {
        bool rises = true, falls = true;
        r->low[i] = INFINITY;
        r->high[i] = -INFINITY;
        for (size_t k = first; k < n; k++) {
            double x = row_of(r, k)[1 + i];
            r->low[i] = fmin(r->low[i], x);
            r->high[i] = fmax(r->high[i], x);
            rises &= k == first || x >= row_of(r, k - 1)[1 + i];
            falls &= k == first || x <= row_of(r, k - 1)[1 + i];
        }
        r->drifts[i] = rises || falls;
    }
}

/* The range of a state, relative to its size. */
static double relative_range(const Recurrence *r, uint32_t i)
{
    double size = fmax(fabs(r->low[i]), fabs(r->high[i])),
           nominal = r->plan->dae->vars.at[r->vars[i]].nominal;
    return (r->high[i] - r->low[i]) / (size + 1e-2 * nominal);
}

static double largest_range(const Recurrence *r)
{
    double most = 0;
    for (uint32_t i = 0; i < r->n; i++)
        most = fmax(most, relative_range(r, i));
    return most;
}

/* The last row up to this part of the time. */
static size_t row_before(const Recurrence *r, size_t n, double part)
{
    double t0 = row_of(r, 0)[0], t = t0 + part * (row_of(r, n - 1)[0] - t0);
    size_t k = 0;
    while (k + 1 < n && row_of(r, k + 1)[0] <= t)
        k++;
    return k;
}

/* Whether the motion has decayed. A motion that is slow goes on at the same pace. */
static bool rests(Recurrence *r, size_t n)
{
    size_t middle = row_before(r, n, 0.5), late = row_before(r, n, 0.75);
    find_ranges(r, middle, n);
    if (largest_range(r) > 1e-5)
        return false;
    find_ranges(r, late, n);
    double last = largest_range(r);
    find_ranges(r, middle, late + 2 < n ? late + 2 : n);
    return last <= fmax(0.6 * largest_range(r), 1e-9);
}

/* Scaled product of the displacements from `at` to two rows. */
static double product(const Recurrence *r, const double *at, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 1; i <= r->n; i++) {
        double range = r->high[i - 1] - r->low[i - 1];
        if (!r->drifts[i - 1] && range > 0)
            sum += (a[i] - at[i]) * (b[i] - at[i]) / (range * range);
    }
    return sum;
}

static bool same_marks(const Recurrence *r, const double *a, const double *b)
{
    for (uint32_t i = 1 + r->n; i < width_of(r); i++)
        if (a[i] != b[i])
            return false;
    return true;
}

typedef struct Return {
    double time, distance; /* since the reference; from it, in ranges */
} Return;

/* Between two rows the section is passed: where a straight line does so. */
static Return return_at(const Recurrence *r, const double *at, const double *a, const double *b,
                        double ga, double gb)
{
    double part = -ga / (gb - ga), aa = product(r, at, a, a), ab = product(r, at, a, b),
           bb = product(r, at, b, b);
    double square = (1 - part) * (1 - part) * aa + 2 * part * (1 - part) * ab + part * part * bb;
    return (Return){a[0] + part * (b[0] - a[0]) - at[0], sqrt(fmax(square, 0))};
}

/* The first of the nearest returns to row `first`. */
static double first_return(const Recurrence *r, size_t first, size_t n)
{
    const double *at = row_of(r, first), *ahead = NULL;
    for (size_t k = first + 1; k < n && !ahead; k++)
        if (product(r, at, row_of(r, k), row_of(r, k)) > 0)
            ahead = row_of(r, k);
    VEC(Return) found = {0};
    double nearest = INFINITY, time = 0;
    for (size_t k = first + 2; ahead && k < n; k++) {
        const double *a = row_of(r, k - 1), *b = row_of(r, k);
        double ga = product(r, at, a, ahead), gb = product(r, at, b, ahead);
        if (!(ga < 0 && gb >= 0) || !same_marks(r, at, b))
            continue;
        Return x = return_at(r, at, a, b, ga, gb);
        nearest = fmin(nearest, x.distance);
        vec_push(&found, x);
    }
    for (size_t i = 0; i < found.n && nearest < 0.3 && !time; i++)
        if (found.at[i].distance <= fmax(3 * nearest, 0.02))
            time = found.at[i].time;
    vec_free(&found);
    return time;
}

double recurrence_end(Recurrence *r)
{
    size_t n = r->rows.n / width_of(r);
    r->on = false;
    r->slow = false;
    if (n < 4)
        return r->n ? 0 : INFINITY;
    if (rests(r, n))
        return INFINITY;
    find_ranges(r, 0, n);
    r->slow = largest_range(r) < 1e-2;
    size_t first = n / 3;
    find_ranges(r, first, n);
    return first_return(r, first, n);
}

bool recurrence_was_slow(const Recurrence *r)
{
    return r->slow;
}
