/* Comparison by a tube around the reference, like the Modelica Association's csv-compare:
 *   upper(t) = max{ref(s): |s-t| <= dx} + dy,  lower(t) = min{ref(s): |s-t| <= dx} - dy,
 * dx = time_tolerance * (duration), dy = tolerance * (range of the reference), never below 1e-5 of
 * its largest value. If a signal changes fast compared with dx, the tube would be the whole
 * envelope and accept anything. dx is then halved until the shift in time adds at most 5 % of the
 * range on average. */
#include "base/text.h"
#include "output/output.h"

#include <math.h>

typedef struct Signal {
    const double *t, *y;
    uint32_t n;
} Signal;

typedef struct Tube {
    double *upper, *lower; /* at the times of the reference */
    double dx, dy, range;
} Tube;

typedef struct Deviation {
    double time, value, lower, upper, size; /* the largest; size relative to the range */
    double first_time;
    uint32_t count;
} Deviation;

/* Value by linear interpolation; at a jump the side decides. *k is a running index. */
static double value_at(const Signal *s, double t, uint32_t *k, bool right)
{
    while (*k + 1 < s->n && (right ? s->t[*k + 1] <= t : s->t[*k + 1] < t))
        ++*k;
    if (t <= s->t[0] && !right)
        return s->y[0];
    if (*k + 1 >= s->n || t <= s->t[*k])
        return s->y[*k];
    double h = s->t[*k + 1] - s->t[*k];
    return h > 0 ? s->y[*k] + (t - s->t[*k]) / h * (s->y[*k + 1] - s->y[*k]) : s->y[*k + 1];
}

static double range_of(const Signal *s, double *largest)
{
    double lo = INFINITY, hi = -INFINITY;
    for (uint32_t i = 0; i < s->n; i++) {
        lo = fmin(lo, s->y[i]);
        hi = fmax(hi, s->y[i]);
    }
    *largest = fmax(fabs(lo), fabs(hi));
    return hi - lo;
}

/* Extreme values of the reference in [t - dx, t + dx] for each of its times. Uses a sliding window
 * with a queue of candidates. */
static void slide(const Signal *s, double dx, double sign, double *out, uint32_t *queue)
{
    uint32_t head = 0, tail = 0, ahead = 0, from = 0, to = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        for (; ahead < s->n && s->t[ahead] <= s->t[i] + dx; ahead++) {
            while (tail > head && sign * s->y[queue[tail - 1]] <= sign * s->y[ahead])
                tail--;
            queue[tail++] = ahead;
        }
        while (s->t[queue[head]] < s->t[i] - dx)
            head++;
        double at_ends = sign * fmax(sign * value_at(s, s->t[i] - dx, &from, true),
                                     sign * value_at(s, s->t[i] + dx, &to, false));
        out[i] = sign * fmax(sign * s->y[queue[head]], sign * at_ends);
    }
}

static double mean_widening(const Signal *s, const Tube *tube)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->n; i++)
        sum += 0.5 * (tube->upper[i] - tube->lower[i]);
    return sum / s->n;
}

static Tube make_tube(const Signal *ref, const CompareOptions *o, Arena *arena)
{
    double largest, duration = ref->t[ref->n - 1] - ref->t[0];
    Tube tube = {ARENA_ARRAY(arena, double, ref->n), ARENA_ARRAY(arena, double, ref->n),
                 o->time_tolerance * duration, 0, 0};
    tube.range = range_of(ref, &largest);
    tube.dy = largest < 1e-11 ? 1e-6 : fmax(o->tolerance * tube.range, 1e-5 * largest);
    uint32_t *queue = ARENA_ARRAY(arena, uint32_t, ref->n);
    double least = fmax(tube.dx / 100, 2 * duration / ref->n);
    for (;;) {
        slide(ref, tube.dx, 1, tube.upper, queue);
        slide(ref, tube.dx, -1, tube.lower, queue);
        if (mean_widening(ref, &tube) <= 0.05 * tube.range || tube.dx <= least)
            break;
        tube.dx /= 2;
    }
    for (uint32_t i = 0; i < ref->n; i++) {
        tube.upper[i] += tube.dy;
        tube.lower[i] -= tube.dy;
    }
    return tube;
}

static void judge(Deviation *d, const Tube *tube, double t, double y, double lower, double upper)
{
    double over = isnan(y) ? INFINITY : fmax(y - upper, lower - y);
    if (over <= 0)
        return;
    double size = (over + tube->dy) / (tube->range > 0 ? tube->range : 1);
    if (!d->count++)
        d->first_time = t;
    if (size > d->size || d->count == 1)
        *d = (Deviation){t, y, lower, upper, size, d->first_time, d->count};
}

/* Every row of the result must be in the tube, and so must the interpolated result at every time of
 * the reference. */
static Deviation deviation(const Signal *res, const Signal *ref, const Tube *tube)
{
    Deviation d = {0};
    Signal upper = {ref->t, tube->upper, ref->n}, lower = {ref->t, tube->lower, ref->n};
    double first = ref->t[0], last = ref->t[ref->n - 1];
    uint32_t a[4] = {0}, k[2] = {0};
    for (uint32_t i = 0; i < res->n; i++) {
        double t = res->t[i];
        if (t <= first || t >= last)
            continue;
        double hi = fmax(value_at(&upper, t, &a[0], false), value_at(&upper, t, &a[1], true));
        double lo = fmin(value_at(&lower, t, &a[2], false), value_at(&lower, t, &a[3], true));
        judge(&d, tube, t, res->y[i], lo, hi);
    }
    for (uint32_t i = 0; i < ref->n; i++) {
        double t = ref->t[i];
        if (t <= first || t >= last || (i > 0 && ref->t[i - 1] == t) ||
            (i + 1 < ref->n && ref->t[i + 1] == t))
            continue;
        double left = value_at(res, t, &k[0], false), right = value_at(res, t, &k[1], true);
        bool inside = left <= tube->upper[i] && left >= tube->lower[i];
        judge(&d, tube, t, inside ? left : right, tube->lower[i], tube->upper[i]);
    }
    return d;
}

static bool compare_signal(Text *report, const Table *result, uint32_t j, const Table *reference,
                           uint32_t k, const CompareOptions *o)
{
    Arena *scratch = arena_new();
    Signal res = {result->time, result->columns[j], result->n_rows};
    Signal ref = {reference->time, reference->columns[k], reference->n_rows};
    Tube tube = make_tube(&ref, o, scratch);
    Deviation d = deviation(&res, &ref, &tube);
    arena_free(scratch);
    if (!d.count) {
        text_printf(report, "  alike    %s\n", reference->names[k]);
        return true;
    }
    text_printf(report,
                "  differs  %s: leaves the tube first at t = %g; farthest at t = %g, where it is "
                "%g and the "
                "tube goes from %g to %g (%.2g %% of the range)\n",
                reference->names[k], d.first_time, d.time, d.value, d.lower, d.upper, 100 * d.size);
    return false;
}

static bool check_coverage(Text *report, const Table *result, const Table *reference)
{
    double first = reference->time[0], last = reference->time[reference->n_rows - 1];
    double slack = 1e-9 * (last - first);
    bool ok = true;
    if (result->time[0] > first + slack)
        ok = (text_printf(report, "  the result starts late: at %g instead of %g\n",
                          result->time[0], first),
              false);
    if (result->time[result->n_rows - 1] < last - slack)
        ok = (text_printf(report, "  the result ends early: at %g instead of %g\n",
                          result->time[result->n_rows - 1], last),
              false);
    return ok;
}

bool compare_tables(Context *ctx, const Table *result, const Table *reference,
                    const CompareOptions *options, char **report, Arena *arena)
{
    CompareOptions o = *options;
    o.tolerance = o.tolerance > 0 ? o.tolerance : 0.002;
    o.time_tolerance = o.time_tolerance > 0 ? o.time_tolerance : 0.002;
    Text text = {0};
    bool ok = check_coverage(&text, result, reference);
    uint32_t n = o.n_variables ? o.n_variables : reference->n_columns, good = 0;
    for (uint32_t i = 0; i < n; i++) {
        const char *name = o.n_variables ? o.variables[i] : reference->names[i];
        uint32_t k = o.n_variables ? table_find(reference, name) : i, j = table_find(result, name);
        if (k == NONE)
            table_report_missing(ctx, reference, name);
        else if (j == NONE)
            text_printf(&text, "  missing  %s\n", name);
        else
            good += compare_signal(&text, result, j, reference, k, &o);
    }
    text_printf(&text, "%u of %u signals agree\n", good, n);
    *report = text_keep(&text, arena);
    return ok && good == n;
}
