/* Values of expressions over a run, and their derivatives. Integrals are sums of trapezia between
 * rows; an event has a row on each side. With derivatives, an extremum is that of the parabola
 * through three rows, so that it moves smoothly with a parameter. */
#include "kept/expression.h"

#include <cjson/cJSON.h>
#include <math.h>

typedef struct State { /* of a reduction */
    Expr *e;
    double first, last, low, high, sum, squares;
    double when;       /* time of the occurrence, by the log of events */
    double when_row;   /* by rows */
    uint64_t n, n_row; /* occurrences */
    bool logged;       /* the log names the relation */
    bool holds;        /* in the last row */
    /* derivatives, by direction */
    double *d_first, *d_last, *d_low, *d_high, *d_before;
    double *d_end;              /* of the last row as it moves with its event */
    double before, before_time; /* the row before the last one */
} State;

struct Kept {
    KeptExpr *const *exprs;
    unsigned n_exprs, n_directions;
    State *states;
    unsigned n;
    double start, time; /* of the rows */
    bool begun;
    double *values, *d; /* of the last row */
    double *moved;      /* derivatives as it moves with its event, the time's first */
    bool moves;         /* evaluations use them */
    unsigned n_values;
    double *room; /* for derivatives of states */
};

/* ---- one run ---- */

static unsigned count_reductions(const Expr *e)
{
    return e ? (e->op == OP_REDUCE) + count_reductions(e->a) + count_reductions(e->b) : 0;
}

static void number_reductions(Expr *e, Kept *k)
{
    if (!e)
        return;
    if (e->op == OP_REDUCE) {
        e->slot = k->n;
        k->states[k->n++] = (State){.e = e};
    }
    number_reductions(e->a, k);
    number_reductions(e->b, k);
}

Kept *kept_new(KeptExpr *const *exprs, unsigned n, unsigned n_directions)
{
    Kept *k = memory_alloc(sizeof *k);
    *k = (Kept){.exprs = exprs, .n_exprs = n, .n_directions = n_directions};
    unsigned states = 0;
    for (unsigned i = 0; i < n; i++)
        states += count_reductions(exprs[i]);
    k->states = memory_alloc((states + (size_t)1) * sizeof *k->states);
    k->room = memory_alloc(((size_t)states * 6 * n_directions + 1) * sizeof *k->room);
    for (unsigned i = 0; i < n; i++)
        number_reductions(exprs[i], k);
    return k;
}

void kept_free(Kept *k)
{
    if (!k)
        return;
    memory_free(k->states);
    memory_free(k->values);
    memory_free(k->d);
    memory_free(k->moved);
    memory_free(k->room);
    memory_free(k);
}

void kept_begin(Kept *k)
{
    k->begun = false;
    for (unsigned i = 0; i < k->n; i++) {
        double *d = k->room + (size_t)i * 6 * k->n_directions;
        k->states[i] = (State){.e = k->states[i].e,
                               .when = NAN,
                               .when_row = NAN,
                               .d_first = d,
                               .d_last = d + k->n_directions,
                               .d_low = d + 2 * (size_t)k->n_directions,
                               .d_high = d + 3 * (size_t)k->n_directions,
                               .d_before = d + 4 * (size_t)k->n_directions,
                               .d_end = d + 5 * (size_t)k->n_directions,
                               .before_time = INFINITY};
    }
}

/* ---- arithmetic ---- */

static double apply(const Expr *e, double a, double b)
{
    switch (e->op) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    case OP_DIV: return a / b;
    case OP_POW: return pow(a, b);
    case OP_LE: return a <= b;
    case OP_LT: return a < b;
    case OP_GE: return a >= b;
    case OP_GT: return a > b;
    default: return e->call1 ? e->call1(a) : e->call2(a, b);
    }
}

/* The derivative of apply, from those of its arguments. */
static double slope(const Expr *e, double a, double b, double da, double db)
{
    switch (e->op) {
    case OP_ADD: return da + db;
    case OP_SUB: return da - db;
    case OP_MUL: return da * b + a * db;
    case OP_DIV: return (da - a / b * db) / b;
    case OP_POW: return b * pow(a, b - 1) * da + (fabs(db) > 0 ? pow(a, b) * log(a) * db : 0);
    case OP_LE:
    case OP_LT:
    case OP_GE:
    case OP_GT: return 0;
    default: break;
    }
    if (e->call1)
        return fabs(da) > 0 ? e->slope1(a) * da : 0;
    if (e->call2 == atan2)
        return (b * da - a * db) / (a * a + b * b);
    return (e->call2 == fmin) == (a <= b) ? da : db;
}

/* At the row; *d: its derivative in direction j, if d is not NULL. */
static double evaluate(const Kept *k, const Expr *e, unsigned j, double *d)
{
    double a, b = 0, da = 0, db = 0;
    if (d)
        *d = 0;
    switch (e->op) {
    case OP_NUMBER: return e->number;
    case OP_NAME:
        if (d && k->moves)
            *d = k->moved[(size_t)e->slot * k->n_directions + j];
        else if (d && e->slot)
            *d = k->d[(e->slot - (size_t)1) * k->n_directions + j];
        return k->values[e->slot];
    case OP_NEG:
        a = -evaluate(k, e->a, j, d);
        if (d)
            *d = -*d;
        return a;
    case OP_REDUCE:
    case OP_EVENTS: return NAN;
    default: break;
    }
    a = evaluate(k, e->a, j, d ? &da : NULL);
    if (e->b)
        b = evaluate(k, e->b, j, d ? &db : NULL);
    if (d)
        *d = slope(e, a, b, da, db);
    return apply(e, a, b);
}

/* ---- rows ---- */

static void occur(State *s, double time, uint64_t *n, double *when)
{
    if (++*n == (uint64_t)s->e->number)
        *when = time;
}

/* The top or bottom of the parabola through the last three rows, if the middle one is highest or
 * lowest. */
typedef struct Vertex {
    bool low, high;
    double value, weight[3]; /* of the rows */
} Vertex;

static Vertex find_vertex(const Kept *k, const State *s, double time, double x)
{
    double t0 = s->before_time, t1 = k->time, y0 = s->before, y1 = s->last;
    Vertex v = {.high = y1 >= y0 && y1 >= x, .low = y1 <= y0 && y1 <= x};
    if (!k->begun || !(t0 < t1 && t1 < time) || v.high == v.low)
        return (Vertex){0};
    double a = (y1 - y0) / (t1 - t0), b = (x - y1) / (time - t1), bend = (b - a) / (time - t0);
    double t = 0.5 * (t0 + t1) - 0.5 * a / bend;
    v.weight[0] = (t - t1) * (t - time) / ((t0 - t1) * (t0 - time));
    v.weight[1] = (t - t0) * (t - time) / ((t1 - t0) * (t1 - time));
    v.weight[2] = (t - t0) * (t - t1) / ((time - t0) * (time - t1));
    v.value = v.weight[0] * y0 + v.weight[1] * y1 + v.weight[2] * x;
    return isfinite(v.value) ? v : (Vertex){0};
}

static void reduce_derivatives(Kept *k, State *s, bool lower, bool higher, const Vertex *v,
                               bool moves)
{
    for (unsigned j = 0; j < k->n_directions; j++) {
        double d, m;
        (void)evaluate(k, s->e->a, j, &d);
        k->moves = moves;
        (void)evaluate(k, s->e->a, j, &m);
        k->moves = false;
        s->d_end[j] = m;
        double top = v->weight[0] * s->d_before[j] + v->weight[1] * s->d_last[j] + v->weight[2] * d;
        s->d_before[j] = s->d_last[j];
        s->d_last[j] = d;
        s->d_first[j] = k->begun ? s->d_first[j] : d;
        s->d_low[j] = v->low ? top : lower ? m : s->d_low[j];
        s->d_high[j] = v->high ? top : higher ? m : s->d_high[j];
    }
}

/* Between the last row and this one, where the parabola through three rows, or the line through
 * two, is zero; z: the difference of both sides of a relation, which changes its sign. */
static double zero_between(const Kept *k, const State *s, double time, double z)
{
    double t0 = s->before_time, t1 = k->time, z1 = s->last, slope = (z - z1) / (time - t1);
    double bend = t0 < t1 ? (slope - (z1 - s->before) / (t1 - t0)) / (time - t0) : 0;
    double low = t1, high = time;
    for (int i = 0; i < 60; i++) {
        double t = 0.5 * (low + high), at = z1 + (t - t1) * (slope + bend * (t - time));
        *(at * z > 0 ? &high : &low) = t;
    }
    return high;
}

/* Relations that the model does not have: their instants are between rows. */
static void reduce_relation(Kept *k, State *s, double time)
{
    const Expr *e = s->e->a;
    double z = evaluate(k, e->a, 0, NULL) - evaluate(k, e->b, 0, NULL);
    bool holds = evaluate(k, e, 0, NULL) > 0,
         crosses = k->begun && time > k->time && s->last * z < 0 && isfinite(s->last * z);
    if (k->begun && holds && !s->holds)
        occur(s, crosses ? zero_between(k, s, time, z) : time, &s->n_row, &s->when_row);
    s->holds = holds;
    s->before = s->last;
    s->before_time = k->begun ? k->time : INFINITY;
    s->last = z;
}

static void reduce_row(Kept *k, State *s, double time, bool moves)
{
    Reduction kind = s->e->reduce;
    if (s->e->a->op == OP_EVENTS)
        return;
    if (kind == RED_COUNT || kind == RED_TIME) {
        reduce_relation(k, s, time);
        return;
    }
    double x = evaluate(k, s->e->a, 0, NULL), dt = time - k->time;
    if (!k->begun) {
        s->first = s->low = s->high = x;
    } else if (dt > 0) {
        s->sum += dt * (s->last + x) / 2;
        s->squares += dt * (s->last * s->last + s->last * x + x * x) / 3;
    }
    bool lower = !k->begun || x < s->low || isnan(x), higher = !k->begun || x > s->high || isnan(x);
    s->low = lower ? x : s->low;
    s->high = higher ? x : s->high;
    Vertex v = k->n_directions ? find_vertex(k, s, time, x) : (Vertex){0};
    v.low = v.low && v.value <= s->low;
    v.high = v.high && v.value >= s->high;
    s->low = v.low ? v.value : s->low;
    s->high = v.high ? v.value : s->high;
    if (k->n_directions)
        reduce_derivatives(k, s, lower, higher, &v, moves);
    s->before = s->last;
    s->before_time = k->begun ? k->time : INFINITY;
    s->last = x;
}

bool kept_row(Kept *k, const char *const *names, unsigned n, const double *values, const double *d,
              const double *moved)
{
    if (!k->begun) {
        size_t room = (size_t)n * k->n_directions;
        if (n != k->n_values) {
            memory_free(k->values);
            memory_free(k->d);
            memory_free(k->moved);
            k->d = k->moved = NULL;
            k->values = NULL;
            k->values = memory_alloc(n * sizeof *k->values);
            k->d = memory_alloc((room + 1) * sizeof *k->d);
            k->moved = memory_alloc((room + 1) * sizeof *k->moved);
            k->n_values = n;
        }
        for (unsigned i = 0; i < k->n_exprs; i++)
            if (kept_resolve(k->exprs[i], names, n))
                return false;
        k->start = values[0];
    }
    memcpy(k->values, values, n * sizeof *k->values);
    if (k->n_directions)
        memcpy(k->d, d, (n - (size_t)1) * k->n_directions * sizeof *d);
    if (k->n_directions && moved)
        memcpy(k->moved, moved, (size_t)n * k->n_directions * sizeof *moved);
    for (unsigned i = 0; i < k->n; i++)
        reduce_row(k, &k->states[i], values[0], moved != NULL);
    k->time = values[0];
    k->begun = true;
    return true;
}

void kept_event(Kept *k, const char *json)
{
    cJSON *event = cJSON_Parse(json), *trigger;
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(event, "time"),
                *triggers = cJSON_GetObjectItemCaseSensitive(event, "triggers");
    double at = cJSON_IsNumber(time) ? time->valuedouble : NAN;
    for (unsigned i = 0; i < k->n; i++) {
        State *s = &k->states[i];
        if (s->e->reduce != RED_COUNT && s->e->reduce != RED_TIME)
            continue;
        if (s->e->a->op == OP_EVENTS) {
            occur(s, at, &s->n, &s->when);
            s->logged = true;
            continue;
        }
        cJSON_ArrayForEach(trigger, triggers)
        {
            const char *text =
                cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(trigger, "text"));
            char *plain = text ? kept_squeeze(text, text + strlen(text)) : NULL;
            if (plain && !strcmp(plain, s->e->a->name)) {
                s->logged = true;
                if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(trigger, "value")))
                    occur(s, at, &s->n, &s->when);
            }
            memory_free(plain);
        }
    }
    cJSON_Delete(event);
}

/* ---- values ---- */

static double reduced(const Kept *k, const State *s)
{
    double span = k->time - k->start;
    switch (s->e->reduce) {
    case RED_END: return s->last;
    case RED_START: return s->first;
    case RED_MIN: return s->low;
    case RED_MAX: return s->high;
    case RED_INTEGRAL: return s->sum;
    case RED_MEAN: return span > 0 ? s->sum / span : s->last;
    case RED_RMS: return sqrt(span > 0 ? s->squares / span : s->last * s->last);
    case RED_COUNT: return (double)(s->logged ? s->n : s->n_row);
    default: return s->logged ? s->when : s->when_row;
    }
}

static void fill(const Kept *k, double *d, double value)
{
    for (unsigned j = 0; j < k->n_directions; j++)
        d[j] = value;
}

/* A reduction by what is known exactly. */
static double reduced_exactly(const Kept *k, const State *s, const KeptExact *exact, double *d)
{
    static const char *const words[] = {[RED_MIN] = "min",
                                        [RED_MAX] = "max",
                                        [RED_MEAN] = "mean",
                                        [RED_RMS] = "rms",
                                        [RED_INTEGRAL] = "mean"};
    Reduction kind = s->e->reduce;
    double value = reduced(k, s), found;
    fill(k, d, NAN);
    if (kind == RED_END || kind == RED_START) {
        const double *last = exact->end ? s->d_end : s->d_last;
        memcpy(d, kind == RED_END ? last : s->d_first, k->n_directions * sizeof *d);
    } else if (kind == RED_COUNT) {
        fill(k, d, 0);
    } else if (kind == RED_TIME) {
        if (s->logged && isfinite(value))
            (void)exact->event(exact->user, value, d);
    } else if (s->e->a->op == OP_NAME &&
               exact->scalar(exact->user, words[kind], s->e->a->name, &found, d)) {
        double factor = kind == RED_INTEGRAL ? k->time - k->start : 1;
        value = found * factor;
        for (unsigned j = 0; j < k->n_directions; j++) {
            d[j] *= factor;
            d[j] += kind == RED_INTEGRAL && exact->end ? found * exact->end[j] : 0;
        }
    } else if (kind == RED_MIN || kind == RED_MAX) {
        memcpy(d, kind == RED_MIN ? s->d_low : s->d_high, k->n_directions * sizeof *d);
    }
    return value;
}

/* d: its derivatives; NULL: not wanted. */
static double value_of(const Kept *k, const Expr *e, const KeptExact *exact, double *d)
{
    if (d)
        fill(k, d, 0);
    if (!k->begun)
        return NAN;
    if (e->op == OP_REDUCE)
        return exact ? reduced_exactly(k, &k->states[e->slot], exact, d)
                     : reduced(k, &k->states[e->slot]);
    if (e->op == OP_NUMBER || e->op == OP_NAME) {
        double x = evaluate(k, e, 0, NULL);
        for (unsigned j = 0; d && j < k->n_directions; j++)
            (void)evaluate(k, e, j, &d[j]);
        return x;
    }
    size_t n = k->n_directions;
    double *parts = d ? memory_alloc((2 * n + 1) * sizeof *parts) : NULL;
    double a = value_of(k, e->a, exact, parts),
           b = e->b ? value_of(k, e->b, exact, d ? parts + n : NULL) : 0;
    for (unsigned j = 0; d && j < n; j++)
        d[j] = e->op == OP_NEG ? -parts[j] : slope(e, a, b, parts[j], e->b ? parts[n + j] : 0);
    memory_free(parts);
    return e->op == OP_NEG ? -a : apply(e, a, b);
}

void kept_values(Kept *k, double *values)
{
    for (unsigned i = 0; i < k->n_exprs; i++)
        values[i] = value_of(k, k->exprs[i], NULL, NULL);
}

void kept_derivatives(Kept *k, const KeptExact *exact, double *values, double *d)
{
    k->moves = exact->end != NULL;
    for (unsigned i = 0; i < k->n_exprs; i++)
        values[i] = value_of(k, k->exprs[i], exact, d + (size_t)i * k->n_directions);
    k->moves = false;
}
