/* Histories of delays: the past values of an expression, step by step. A step is a polynomial
 * through DELAY_NODES values. Breaks are instants at which the history jumps or has a kink. Until
 * the host lets a break pass, values are those before it. A step that ends at the break sees the
 * left limit, and the next one the right limit.
 *
 * A variation has a history for each delay and direction: the derivatives of the past values by a
 * parameter. They have the same steps and breaks. Without them, the past moves with time. */
#include "base/snapshot.h"
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double delay_nodes[DELAY_NODES] = {0, 0.14644660940672624, 0.5, 0.8535533905932737, 1};

typedef struct Segment {
    double t0, t1;
    double c[DELAY_NODES]; /* divided differences over delay_nodes, in (t - t0)/(t1 - t0) */
} Segment;

typedef struct Break {
    double t;
    size_t segment; /* the first after it */
    bool jumps;
    double shift; /* of a variation: how its instant moves */
} Break;

enum { VARIED = 128 }; /* parts from here on are those of a variation */

struct Delay {
    double start, value; /* before `start` the value is constant */
    double end;          /* the value after the break */
    bool smooth;         /* it continues the last segment */
    double longest, slack;
    Segment *at;
    size_t first, n, cap; /* at[first … n) */
    Break *breaks;        /* not passed yet: breaks[first_break … n_breaks) */
    size_t first_break, n_breaks, cap_breaks;
    double passed; /* the last break passed */
    size_t low;    /* the first segment after it */
    size_t cursor; /* place of the last lookup */
};

/* ---- polynomials ---- */

void divided_differences(const double *nodes, double *c, int n)
{
    for (int order = 1; order < n; order++) {
        for (int i = n - 1; i >= order; i--) {
            c[i] = (c[i] - c[i - 1]) / (nodes[i] - nodes[i - order]);
        }
    }
}

double newton_polynomial(const double *nodes, const double *c, int n, double x, int part)
{
    double d[DELAY_NODES] = {0};
    if (part >= n) {
        return 0;
    }
    for (int i = n - 1; i >= 0; i--) { /* Horner's rule for the value and its derivatives */
        for (int j = part; j > 0; j--) {
            d[j] = d[j] * (x - nodes[i]) + j * d[j - 1];
        }
        d[0] = d[0] * (x - nodes[i]) + c[i];
    }
    return d[part];
}

/* ---- histories ---- */

bool runtime_delays(Runtime *rt, uint32_t n)
{
    rt->delays = calloc((size_t)n + 1, sizeof *rt->delays);
    rt->n_delays = rt->delays ? n : 0;
    return rt->delays != NULL;
}

void runtime_take_delays(Runtime *to, Runtime *from)
{
    if (to == from) {
        return;
    }
    if (from->delays != NULL) {
        to->delays = from->delays;
        to->n_delays = from->n_delays;
        to->n_varied = from->n_varied;
        from->delays = NULL;
        from->n_delays = from->n_varied = 0;
    }
    if (from->transports != NULL) {
        to->transports = from->transports;
        to->n_transports = from->n_transports;
        from->transports = NULL;
        from->n_transports = 0;
    }
}

void delays_free(Runtime *rt)
{
    for (uint32_t k = 0; k < rt->n_delays * (1 + rt->n_varied); k++) {
        free(rt->delays[k].at);
        free(rt->delays[k].breaks);
    }
    free(rt->delays);
}

bool runtime_vary_delays(Runtime *rt, uint32_t n)
{
    size_t all = (size_t)rt->n_delays * (1 + (size_t)n);
    if (rt->n_varied == n) {
        return true;
    }
    Delay *grown = realloc(rt->delays, (all + 1) * sizeof *grown);
    if (!grown) {
        return false;
    }
    memset(grown + rt->n_delays, 0, (all - rt->n_delays) * sizeof *grown);
    rt->delays = grown;
    rt->n_varied = n;
    rt->direction = 0;
    return true;
}

void runtime_choose_variation(Runtime *rt, uint32_t j)
{
    rt->direction = j;
}

void delay_start(Runtime *rt, uint32_t k, double t, double value, double longest, double slack)
{
    Delay *d = &rt->delays[k];
    d->start = t;
    d->value = d->end = value;
    d->smooth = false;
    d->longest = longest;
    d->slack = slack;
    d->first = d->n = d->first_break = d->n_breaks = d->low = d->cursor = 0;
    d->passed = -INFINITY;
}

/* ---- recording ---- */

static void *grow(void *at, size_t *cap, size_t size)
{
    size_t more = 2 * *cap + 16;
    void *grown = realloc(at, more * size);
    *cap = grown ? more : *cap;
    return grown;
}

/* Now and then, drops steps that no delay reaches any more. */
static void forget(Delay *d, double t)
{
    while (d->first < d->n && d->first < d->low && d->at[d->first].t1 < t - d->longest - d->slack) {
        d->first++;
    }
    while (d->first + 1 < d->n && !d->n_breaks && d->at[d->first].t1 < t - d->longest - d->slack) {
        d->first++;
    }
    if (d->first < 64 || d->first < d->n / 2) {
        return;
    }
    size_t gone = d->first;
    memmove(d->at, d->at + gone, (d->n - gone) * sizeof *d->at);
    d->n -= gone;
    d->low = d->low > gone ? d->low - gone : 0;
    d->cursor = 0;
    d->first = 0;
    for (size_t i = d->first_break; i < d->n_breaks; i++) {
        d->breaks[i].segment -= gone;
    }
}

bool delay_append(Runtime *rt, uint32_t k, double t0, double t1, const double *values)
{
    Delay *d = &rt->delays[k];
    if (delay_ends_at_break(rt, k) && t1 - d->breaks[d->n_breaks - 1].t <= d->slack) {
        /* one event follows another: slopes would be noise */
        d->end = values[DELAY_NODES - 1];
        return true;
    }
    forget(d, t1);
    if (d->n == d->cap) {
        Segment *at = grow(d->at, &d->cap, sizeof *at);
        if (!at) {
            return false;
        }
        d->at = at;
    }
    d->end = values[DELAY_NODES - 1];
    d->smooth = true;
    Segment *s = &d->at[d->n++];
    *s = (Segment){.t0 = t0, .t1 = t1};
    memcpy(s->c, values, sizeof s->c);
    divided_differences(delay_nodes, s->c, DELAY_NODES);
    return true;
}

bool delay_break(Runtime *rt, uint32_t k, double t, double value, bool jumps)
{
    Delay *d = &rt->delays[k];
    d->end = value;
    d->smooth = false;
    if (d->n_breaks > d->first_break && d->breaks[d->n_breaks - 1].segment == d->n) {
        d->breaks[d->n_breaks - 1].jumps |= jumps;
        return true;
    }
    if (d->first_break == d->n_breaks) {
        d->first_break = d->n_breaks = 0;
    }
    if (d->n_breaks == d->cap_breaks) {
        Break *breaks = grow(d->breaks, &d->cap_breaks, sizeof *breaks);
        if (!breaks) {
            return false;
        }
        d->breaks = breaks;
    }
    d->breaks[d->n_breaks++] = (Break){t, d->n, jumps, 0};
    return true;
}

bool delay_ends_at_break(const Runtime *rt, uint32_t k)
{
    const Delay *d = &rt->delays[k];
    return d->n_breaks > d->first_break && d->breaks[d->n_breaks - 1].segment == d->n;
}

void delay_start_variation(Runtime *rt, uint32_t j, uint32_t k, double value)
{
    const Delay *d = &rt->delays[k];
    delay_start(rt, (1 + j) * rt->n_delays + k, d->start, value, d->longest, d->slack);
}

bool delay_break_variation(Runtime *rt, uint32_t j, uint32_t k, double value, double shift)
{
    const Delay *d = &rt->delays[k];
    uint32_t number = (1 + j) * rt->n_delays + k;
    if (!delay_break(rt, number, d->breaks[d->n_breaks - 1].t, value, false)) {
        return false;
    }
    Delay *own = &rt->delays[number];
    own->breaks[own->n_breaks - 1].shift = shift;
    return true;
}

bool runtime_unit_pasts(Runtime *rt, double t)
{
    if (!runtime_vary_delays(rt, 1)) {
        return false;
    }
    for (uint32_t k = 0; k < rt->n_delays; k++) {
        delay_start_variation(rt, 0, k, 1);
        rt->delays[rt->n_delays + k].start = t;
    }
    return true;
}

double delay_next_shift(const Runtime *rt, uint32_t j, uint32_t k)
{
    const Delay *d = &rt->delays[(1 + j) * rt->n_delays + k];
    return d->first_break < d->n_breaks ? d->breaks[d->first_break].shift : 0;
}

double delay_next_break(const Runtime *rt, uint32_t k)
{
    const Delay *d = &rt->delays[k];
    return d->first_break < d->n_breaks ? d->breaks[d->first_break].t : INFINITY;
}

static bool pass(Delay *d, double t)
{
    bool jumps = false;
    while (d->first_break < d->n_breaks && d->breaks[d->first_break].t <= t + d->slack) {
        const Break *b = &d->breaks[d->first_break++];
        jumps |= b->jumps;
        d->passed = b->t;
        d->low = b->segment;
    }
    return jumps;
}

bool delay_pass(Runtime *rt, uint32_t k, double t)
{
    for (uint32_t j = 0; j < rt->n_varied; j++) {
        pass(&rt->delays[(1 + j) * rt->n_delays + k], t);
    }
    return pass(&rt->delays[k], t);
}

/* ---- values ---- */

/* The derivative of order `part` of the polynomial at t. */
static double polynomial(const Segment *s, double t, int part)
{
    double width = s->t1 - s->t0, x = width > 0 ? (t - s->t0) / width : 0;
    double value = newton_polynomial(delay_nodes, s->c, DELAY_NODES, x, part);
    return width > 0 ? value / pow(width, part) : value;
}

/* The segment of [low, high) that contains t, or the nearest one. */
static size_t find(Delay *d, size_t low, size_t high, double t)
{
    size_t c = d->cursor;
    if (c >= low && c < high && d->at[c].t0 <= t && t <= d->at[c].t1) {
        return c;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(d->at[middle].t0 <= t ? &low : &high) = middle;
    }
    return d->cursor = low;
}

/* Between the end of the history and (t, now): the parabola that continues it smoothly. */
static double lead(const Delay *d, int part, double at, double t, double now)
{
    const Segment *last = d->n > d->first ? &d->at[d->n - 1] : NULL;
    double t0 = last ? last->t1 : d->start, y0 = d->end, h = t - t0, x = at - t0;
    double slope = last && d->smooth ? polynomial(last, t0, 1) : h > 0 ? (now - y0) / h : 0;
    double bend = h > 0 ? (now - y0 - slope * h) / (h * h) : 0;
    switch (part) {
    case 0: return y0 + x * (slope + bend * x);
    case 1: return slope + 2 * bend * x;
    case 2: return 2 * bend;
    case 64: return h > 0 ? (last && d->smooth ? x * x / (h * h) : x / h) : 1;
    default: return 0;
    }
}

static double past(Delay *d, int part, double at)
{
    size_t high = d->n;
    if (part == 64) {
        return 0;
    }
    if (d->first_break < d->n_breaks) {
        const Break *b = &d->breaks[d->first_break];
        high = b->segment;
        at = fmin(at, b->t);
    }
    if (at >= d->passed - 2 * d->slack && d->low >= high && d->passed > -INFINITY) {
        return part == 0 ? d->end : 0;
    }
    if (at <= d->passed && at >= d->passed - 2 * d->slack && d->low < high) {
        return polynomial(&d->at[d->low], d->at[d->low].t0, part);
    }
    if (at <= d->start || high <= d->first) {
        return part == 0 ? d->value : 0;
    }
    const Segment *s =
        &d->at[find(d, at >= d->passed && d->low < high ? d->low : d->first, high, at)];
    if (at <= s->t1) {
        return polynomial(s, fmax(at, s->t0), part);
    }
    double slope = part < 2 ? polynomial(s, s->t1, 1) : 0;
    return part == 0 ? polynomial(s, s->t1, 0) + slope * (at - s->t1) : slope;
}

/* The history that a part belongs to. Weights of present values belong to variations, if there are
 * some, because those may be recorded further. */
static Delay *delay_of(ModelData *m, int part, double number, double delay)
{
    Runtime *rt = runtime_of(m);
    if (!(number >= 0 && number < rt->n_delays)) { /* from a state that was forged */
        kr_fail(m, FAILED_DELAY);
        return NULL;
    }
    bool varied = rt->n_varied && (part >= VARIED || part == 64);
    Delay *d = &rt->delays[(uint32_t)number + (varied ? (1 + rt->direction) * rt->n_delays : 0)];
    if (!(delay >= -d->slack && delay <= d->longest * (1 + 1e-9) + d->slack)) {
        kr_fail(m, FAILED_DELAY);
        return NULL;
    }
    return d;
}

double kr_delay(ModelData *m, int part, double number, double t, double delay)
{
    Delay *d = delay_of(m, part, number, delay);
    if (d && part >= VARIED && !runtime_of(m)->n_varied) {
        return -past(d, part - VARIED + 1, t - delay);
    }
    return d ? past(d, part % VARIED, t - delay) : 0;
}

double kr_delay_to(ModelData *m, int part, double number, double t, double delay, double now)
{
    Delay *d = delay_of(m, part, number, delay);
    if (!d) {
        return 0;
    }
    double sign = 1;
    if (part >= VARIED && runtime_of(m)->n_varied) {
        now = 0; /* that of the present value is added with its weight */
        part -= VARIED;
    } else if (part >= VARIED) {
        sign = -1;
        part -= VARIED - 1;
    }
    double at = t - delay, end = d->n > d->first ? d->at[d->n - 1].t1 : d->start;
    bool beyond = at > end && d->first_break == d->n_breaks;
    if (delay <= 0) {
        return part == 64 || part == 0 ? (part ? 1 : now) : 0;
    }
    return sign * (beyond ? lead(d, part, at, t, now) : past(d, part, at));
}

/* ---- snapshots ---- */

/* Room for n items; NULL without memory, which makes the snapshot bad. */
static void *room(Snapshot *p, size_t n, size_t size)
{
    void *at = malloc((n + 1) * size);
    p->bad |= at == NULL;
    return at;
}

static void snapshot_segments(Delay *d, Snapshot *p)
{
    size_t n = snapshot_items(p, d->n - d->first, sizeof *d->at);
    if (p->reading) {
        free(d->at);
        d->at = room(p, n, sizeof *d->at);
        d->first = 0;
        d->n = d->cap = d->at != NULL ? n : 0;
    }
    snapshot_array(p, d->at + d->first, d->n - d->first);
}

/* Numbers of segments are written as if the first one that is kept had number 0. */
static void snapshot_breaks(Delay *d, Snapshot *p)
{
    size_t n = snapshot_items(p, d->n_breaks - d->first_break, sizeof *d->breaks);
    if (p->reading) {
        free(d->breaks);
        d->breaks = room(p, n, sizeof *d->breaks);
        d->first_break = 0;
        d->n_breaks = d->cap_breaks = d->breaks != NULL ? n : 0;
    }
    for (size_t i = d->first_break; i < d->n_breaks; i++) {
        Break b = d->breaks[i];
        b.segment -= p->reading ? 0 : d->first;
        b.shift = p->reading ? 0 : b.shift;
        snapshot_value(p, b.t);
        snapshot_value(p, b.segment);
        snapshot_value(p, b.jumps);
        d->breaks[i] = p->reading ? b : d->breaks[i];
        p->bad |= p->reading && b.segment > d->n;
    }
}

static void snapshot_delay(Delay *d, Snapshot *p)
{
    size_t low = d->low > d->first ? d->low - d->first : 0;
    double *values[] = {&d->start, &d->value, &d->end, &d->longest, &d->slack, &d->passed};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snapshot_value(p, *values[i]);
    }
    snapshot_value(p, d->smooth);
    snapshot_value(p, low);
    snapshot_segments(d, p);
    snapshot_breaks(d, p);
    if (p->reading) {
        p->bad |= low > d->n;
        d->low = p->bad ? 0 : low;
        d->cursor = 0;
    }
}

void delays_snapshot(Runtime *rt, Snapshot *p)
{
    snapshot_expect(p, rt->n_delays);
    for (uint32_t k = 0; k < rt->n_delays && !p->bad; k++) {
        snapshot_delay(&rt->delays[k], p);
    }
}
