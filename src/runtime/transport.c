/* Profiles of transports along a way of length 1 (spatialDistribution, section 3.7.4.2 of the
 * specification).
 *
 * Each particle has a label: its place minus x, the distance moved so far. The label does not
 * change during the transport. The profile is a function of the label over [-x, 1 - x]. Values that
 * enter at place 0 while x rises are appended at the low end. Values that enter at place 1 while x
 * falls are appended at the high end. The same length is cut off at the other end, up to a break. A
 * step is a polynomial through DELAY_NODES values if x is monotonous in it, otherwise one line for
 * each pair of them.
 *
 * Between two pieces there may be a break: the profile jumps or has a kink. Until the host lets a
 * break pass at an end, values there stay those before it. A step that ends at the break sees the
 * left limit, and the next one the right limit. */
#include "base/snapshot.h"
#include "runtime/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Piece {
    double low, high;       /* labels */
    double at[DELAY_NODES]; /* labels of its nodes … */
    double c[DELAY_NODES];  /* … and divided differences over them */
    int n;
    uint8_t broken; /* Break at its low end */
} Piece;

enum { BREAK_NONE, BREAK_KINK, BREAK_JUMP };

struct Transport {
    double x;
    Piece *at;
    size_t first, n, cap; /* at[first … n), by rising label */
    uint8_t broken;       /* Break at the high end */
    double limit[2];      /* labels of the breaks that arrive next at 0 and 1; infinite: none */
};

bool runtime_transports(Runtime *rt, uint32_t n)
{
    rt->transports = calloc((size_t)n + 1, sizeof *rt->transports);
    rt->n_transports = rt->transports ? n : 0;
    return rt->transports != NULL;
}

void transports_free(Runtime *rt)
{
    for (uint32_t k = 0; k < rt->n_transports; k++) {
        free(rt->transports[k].at);
    }
    free(rt->transports);
}

/* ---- pieces ---- */

/* Makes room for one more piece at either end. */
static bool reserve(Transport *t)
{
    if (t->first > 0 && t->n < t->cap) {
        return true;
    }
    size_t n = t->n - t->first, cap = 2 * n + 16, first = (cap - n) / 2;
    Piece *at = malloc(cap * sizeof *at);
    if (at == NULL) {
        return false;
    }
    if (n > 0) {
        memcpy(at + first, t->at + t->first, n * sizeof *at);
    }
    free(t->at);
    t->at = at;
    t->first = first;
    t->n = first + n;
    t->cap = cap;
    return true;
}

static void interpolate(Piece *p, const double *labels, const double *values, int n)
{
    p->n = n;
    p->broken = BREAK_NONE;
    p->low = fmin(labels[0], labels[n - 1]);
    p->high = fmax(labels[0], labels[n - 1]);
    for (int i = 0; i < n; i++) {
        p->at[i] = labels[i];
        p->c[i] = values[i];
    }
    divided_differences(p->at, p->c, n);
}

/* The breaks nearest to both ends. One at an end itself has been passed there. */
static void find_limits(Transport *t)
{
    t->limit[0] = INFINITY;
    t->limit[1] = -INFINITY;
    for (size_t i = t->first; i < t->n; i++) {
        if (t->at[i].broken && i > t->first && t->limit[0] == INFINITY) {
            t->limit[0] = t->at[i].low;
        }
        if (t->at[i].broken) {
            t->limit[1] = t->at[i].low;
        }
    }
    if (t->broken && t->limit[0] == INFINITY && t->n > t->first) {
        t->limit[0] = t->at[t->n - 1].high;
    }
}

static bool push_low(Transport *t, const double *labels, const double *values, int n)
{
    if (!reserve(t)) {
        return false;
    }
    interpolate(&t->at[--t->first], labels, values, n);
    double end = t->at[t->first].low + 1;
    while (t->n > t->first + 1 && t->at[t->n - 1].low >= end && !t->at[t->n - 1].broken) {
        t->n--;
    }
    Piece *high = &t->at[t->n - 1];
    if (high->high > end) {
        high->high = fmax(end, high->low);
        t->broken = BREAK_NONE;
        find_limits(t);
    }
    return true;
}

static bool push_high(Transport *t, const double *labels, const double *values, int n)
{
    if (!reserve(t)) {
        return false;
    }
    interpolate(&t->at[t->n++], labels, values, n);
    t->at[t->n - 1].broken = t->broken;
    t->broken = BREAK_NONE;
    double end = t->at[t->n - 1].high - 1;
    while (t->n > t->first + 1 && t->at[t->first].high <= end && !t->at[t->first + 1].broken) {
        t->first++;
    }
    Piece *low = &t->at[t->first];
    if (low->low < end) {
        low->low = fmin(end, low->high);
        low->broken = BREAK_NONE;
        find_limits(t);
    }
    return true;
}

bool transport_start(Runtime *rt, uint32_t k, double x, const double *places, const double *values,
                     uint32_t n)
{
    Transport *t = &rt->transports[k];
    t->x = x;
    t->first = t->n = t->cap / 2;
    t->broken = BREAK_KINK;
    for (uint32_t i = 1; i < n; i++) {
        double labels[] = {places[i - 1] - x, places[i] - x};
        if (labels[1] > labels[0] && !reserve(t)) {
            return false;
        }
        if (labels[1] > labels[0]) {
            interpolate(&t->at[t->n++], labels, values + i - 1, 2);
            t->at[t->n - 1].broken =
                i > 1 && labels[0] == places[i - 2] - x ? BREAK_JUMP : BREAK_KINK;
        }
    }
    find_limits(t);
    return true;
}

void transport_break(Runtime *rt, uint32_t k, bool jumps0, bool jumps1)
{
    Transport *t = &rt->transports[k];
    uint8_t low = jumps0 ? BREAK_JUMP : BREAK_KINK, high = jumps1 ? BREAK_JUMP : BREAK_KINK;
    if (t->first < t->n && low > t->at[t->first].broken) {
        t->at[t->first].broken = low;
    }
    t->broken = high > t->broken ? high : t->broken;
    find_limits(t);
}

double transport_next_break(const Runtime *rt, uint32_t k, int place)
{
    double label = rt->transports[k].limit[place];
    return !isfinite(label) ? INFINITY : place ? 1 - label : label;
}

/* Drops the part beyond the break. */
bool transport_pass(Runtime *rt, uint32_t k, int place)
{
    Transport *t = &rt->transports[k];
    double label = t->limit[place];
    bool jumps = false;
    for (size_t i = t->first; i < t->n; i++) {
        if (t->at[i].broken && t->at[i].low == label) {
            jumps |= t->at[i].broken == BREAK_JUMP;
            t->at[i].broken = BREAK_NONE;
        }
    }
    while (place == 1 && t->n > t->first + 1 && t->at[t->n - 1].low >= label) {
        t->n--;
    }
    while (place == 0 && t->n > t->first + 1 && t->at[t->first].high <= label) {
        t->first++;
    }
    find_limits(t);
    return jumps;
}

/* n nodes along which x moves in one direction. */
static bool append(Transport *t, const double *x, const double *in0, const double *in1, int n)
{
    double labels[DELAY_NODES], place = x[n - 1] > x[0] ? 0 : 1;
    if (x[n - 1] == x[0]) {
        return true;
    }
    for (int i = 0; i < n; i++) {
        labels[i] = place - x[i];
    }
    return place == 0 ? push_low(t, labels, in0, n) : push_high(t, labels, in1, n);
}

bool transport_append(Runtime *rt, uint32_t k, const double *x, const double *in0,
                      const double *in1)
{
    Transport *t = &rt->transports[k];
    bool rises = true, falls = true, ok = true;
    for (int i = 1; i < DELAY_NODES; i++) {
        rises &= x[i] > x[i - 1];
        falls &= x[i] < x[i - 1];
    }
    if (rises || falls) {
        ok = append(t, x, in0, in1, DELAY_NODES);
    }
    for (int i = 1; i < DELAY_NODES && ok && !rises && !falls; i++) {
        ok = append(t, x + i - 1, in0 + i - 1, in1 + i - 1, 2);
    }
    t->x = x[DELAY_NODES - 1];
    return ok;
}

/* ---- values ---- */

/* The piece with the label; at the border of two, the upper or the lower one. */
static const Piece *piece_at(const Transport *t, double label, bool upper)
{
    size_t a = t->first, b = t->n; /* it is in [a, b) */
    while (b - a > 1) {
        size_t mid = a + (b - a) / 2;
        if (upper ? t->at[mid].low <= label : t->at[mid].low < label) {
            a = mid;
        } else {
            b = mid;
        }
    }
    return &t->at[a];
}

static double value_of(const Piece *p, double label, int part)
{
    return newton_polynomial(p->at, p->c, p->n, label, part);
}

double kr_carried(ModelData *m, int part, double number, double place, double x)
{
    const Transport *t = &runtime_of(m)->transports[(uint32_t)number];
    if (t->first == t->n) {
        return 0;
    }
    bool at_end = place > 0;
    double label = place - x, low = t->at[t->first].low, high = t->at[t->n - 1].high;
    bool waits = at_end ? label <= t->limit[1] : label >= t->limit[0];
    if (waits) {
        label = t->limit[at_end];
    }
    /* a step longer than the way: the value at the end counts */
    bool outside = label < low - 1e-9 || label > high + 1e-9;
    label = fmin(fmax(label, low), high);
    return part && outside ? 0 : value_of(piece_at(t, label, at_end == waits), label, part);
}

/* ---- snapshots ---- */

static void snapshot_transport(Transport *t, Snapshot *p)
{
    size_t n = snapshot_items(p, t->n - t->first, sizeof *t->at);
    if (p->reading) {
        free(t->at);
        t->at = malloc((n + 1) * sizeof *t->at);
        p->bad |= t->at == NULL;
        t->first = 0;
        t->n = t->cap = t->at != NULL ? n : 0;
    }
    snapshot_value(p, t->x);
    snapshot_value(p, t->broken);
    snapshot_array(p, t->limit, 2);
    snapshot_array(p, t->at + t->first, t->n - t->first);
}

void transports_snapshot(Runtime *rt, Snapshot *p)
{
    snapshot_expect(p, rt->n_transports);
    for (uint32_t k = 0; k < rt->n_transports && !p->bad; k++) {
        snapshot_transport(&rt->transports[k], p);
    }
}
