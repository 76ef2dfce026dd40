/* What is kept of a run: expressions over reductions of its rows and events.
 *
 *     expression = term { ("+" | "-") term }        term = factor { ("*" | "/") factor }
 *     factor = ["-"] power                          power = primary [ "^" factor ]
 *     primary = number | name | function "(" arguments ")" | "(" expression ")"
 *
 * end, start, min, max, mean, rms and integral reduce an expression over variables; count and time
 * take a relation, or the word `events` for any event. A name outside of them is its value at the
 * end. Integrals are sums of trapezia between rows; an event has a row on each side. */
#include "study.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum Op {
    OP_NUMBER,
    OP_NAME,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_POW,
    OP_NEG,
    OP_CALL,   /* of a function of numbers */
    OP_REDUCE, /* over time */
    OP_LE,
    OP_LT,
    OP_GE,
    OP_GT,
    OP_EVENTS
} Op;

typedef enum Reduction {
    RED_END,
    RED_START,
    RED_MIN,
    RED_MAX,
    RED_MEAN,
    RED_RMS,
    RED_INTEGRAL,
    RED_COUNT,
    RED_TIME
} Reduction;

static const char *const reductions[] = {"end", "start",    "min",   "max", "mean",
                                         "rms", "integral", "count", "time"};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

typedef struct Expr {
    Op op;
    double number; /* a constant; of RED_TIME: which occurrence */
    char *name;    /* of a variable; of a relation: its text without blanks */
    unsigned slot; /* of a name: its place among all names; of a reduction: its own number */
    Reduction reduce;
    double (*call1)(double);
    double (*call2)(double, double);
    struct Expr *a, *b;
} Expr;

struct Keep {
    char *name;
    Expr *expr;
};

typedef struct Parser {
    const Study *s;
    const char *name, *text, *at;
    unsigned line;
    bool ok;
} Parser;

static Expr *expression(Parser *p);

static void wrong(Parser *p, const char *what)
{
    if (p->ok)
        fprintf(stderr, "kairos: %s:%u: '%s' in %s: %s\n", p->s->path, p->line, p->text, p->name,
                what);
    p->ok = false;
}

static void skip(Parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(Parser *p, const char *word)
{
    skip(p);
    if (strncmp(p->at, word, strlen(word)) != 0)
        return false;
    p->at += strlen(word);
    return true;
}

static void need(Parser *p, const char *word)
{
    char text[32];
    snprintf(text, sizeof text, "'%s' is missing", word);
    if (p->ok && !take(p, word))
        wrong(p, text);
}

static Expr *make(Op op, Expr *a, Expr *b)
{
    Expr *e = calloc(1, sizeof *e);
    *e = (Expr){.op = op, .a = a, .b = b};
    return e;
}

/* A name of a variable: letters, digits, dots, indices in brackets, der(x). */
static char *take_name(Parser *p)
{
    const char *from = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.' || *p->at == '\'') {
        bool quoted = *p->at++ == '\'';
        while (quoted && *p->at && *p->at != '\'')
            p->at++;
        p->at += quoted && *p->at;
        if (*p->at == '[') {
            p->at += strcspn(p->at, "]");
            p->at += *p->at == ']';
        }
    }
    return strndup(from, (size_t)(p->at - from));
}

static const struct Function {
    const char *name;
    double (*f1)(double);
    double (*f2)(double, double);
} functions[] = {{"abs", fabs, NULL},    {"sqrt", sqrt, NULL},   {"exp", exp, NULL},
                 {"log", log, NULL},     {"log10", log10, NULL}, {"sin", sin, NULL},
                 {"cos", cos, NULL},     {"tan", tan, NULL},     {"atan", atan, NULL},
                 {"atan2", NULL, atan2}, {"min", NULL, fmin},    {"max", NULL, fmax}};

/* The text of a relation without blanks, as the event log has it. */
static char *squeeze(const char *from, const char *to)
{
    char *out = malloc((size_t)(to - from) + 1), *at = out;
    for (; from < to; from++)
        if (!isspace((unsigned char)*from))
            *at++ = *from;
    *at = 0;
    return out;
}

static Expr *event(Parser *p)
{
    skip(p);
    const char *from = p->at;
    const char *after = from + 6;
    if (!strncmp(from, "events", 6) && (*after == ')' || *after == ',' || *after == ' ')) {
        p->at = after;
        return make(OP_EVENTS, NULL, NULL);
    }
    Expr *a = expression(p);
    Op op = take(p, "<=")   ? OP_LE
            : take(p, ">=") ? OP_GE
            : take(p, "<")  ? OP_LT
            : take(p, ">")  ? OP_GT
                            : OP_NUMBER;
    if (op == OP_NUMBER)
        wrong(p, "an event is a relation such as h <= 0, or the word events");
    Expr *b = p->ok ? expression(p) : NULL, *e = make(op, a, b);
    const char *to = p->at;
    e->name = squeeze(from, to);
    return e;
}

static Expr *reduction(Parser *p, Reduction kind, bool nested)
{
    Expr *e = make(OP_REDUCE, NULL, NULL);
    e->reduce = kind;
    e->number = 1;
    if (nested)
        wrong(p, "a reduction over time cannot be inside another one");
    e->a = kind == RED_COUNT || kind == RED_TIME ? event(p) : expression(p);
    skip(p);
    if (kind == RED_TIME && p->ok && take(p, ",")) {
        char *end;
        e->number = strtod(p->at, &end);
        if (end == p->at || !(e->number >= 1))
            wrong(p, "the second argument of time is the number of the occurrence, from 1");
        p->at = end;
    }
    return e;
}

static bool contains_reduction(const Expr *e)
{
    return e && (e->op == OP_REDUCE || contains_reduction(e->a) || contains_reduction(e->b));
}

static Expr *call(Parser *p, char *name)
{
    Expr *e = NULL;
    if (!strcmp(name, "der")) { /* a name of its own */
        const char *from = p->at;
        p->at += strcspn(p->at, ")");
        char *inner = squeeze(from, p->at);
        e = make(OP_NAME, NULL, NULL);
        e->name = malloc(strlen(inner) + 6);
        sprintf(e->name, "der(%s)", inner);
        free(inner);
        need(p, ")");
        return e;
    }
    for (unsigned k = 0; k < REDUCTIONS && !e; k++) {
        if (strcmp(name, reductions[k]) != 0)
            continue;
        e = reduction(p, (Reduction)k, false);
        if ((k == RED_MIN || k == RED_MAX) && p->ok && take(p, ",")) { /* of two numbers */
            e->op = OP_CALL;
            e->call2 = k == RED_MIN ? fmin : fmax;
            e->b = expression(p);
        } else if (contains_reduction(e->a)) {
            wrong(p, "a reduction over time cannot be inside another one");
        }
    }
    for (size_t k = 0; k < sizeof functions / sizeof *functions && !e; k++)
        if (!strcmp(name, functions[k].name)) {
            e = make(OP_CALL, expression(p), NULL);
            e->call1 = functions[k].f1;
            e->call2 = functions[k].f2;
            if (e->call2 && p->ok) {
                need(p, ",");
                e->b = p->ok ? expression(p) : NULL;
            }
        }
    if (!e) {
        char what[160];
        const char *near = study_nearest(name, reductions, REDUCTIONS);
        snprintf(what, sizeof what, "there is no function '%.40s'%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        wrong(p, what);
        return make(OP_NUMBER, NULL, NULL);
    }
    need(p, ")");
    return e;
}

static Expr *primary(Parser *p)
{
    skip(p);
    if (take(p, "(")) {
        Expr *e = expression(p);
        need(p, ")");
        return e;
    }
    char *end;
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        Expr *e = make(OP_NUMBER, NULL, NULL);
        e->number = strtod(p->at, &end);
        p->at = end;
        return e;
    }
    if (!isalpha((unsigned char)*p->at) && *p->at != '_' && *p->at != '\'') {
        wrong(p, *p->at ? "a name or a number is expected" : "it ends too early");
        return make(OP_NUMBER, NULL, NULL);
    }
    char *name = take_name(p);
    if (take(p, "(")) {
        Expr *e = call(p, name);
        free(name);
        return e;
    }
    Expr *e = make(OP_NAME, NULL, NULL);
    e->name = name;
    return e;
}

static Expr *factor(Parser *p)
{
    if (take(p, "-"))
        return make(OP_NEG, factor(p), NULL);
    (void)take(p, "+");
    Expr *e = primary(p);
    return p->ok && take(p, "^") ? make(OP_POW, e, factor(p)) : e;
}

static Expr *term(Parser *p)
{
    Expr *e = factor(p);
    while (p->ok)
        if (take(p, "*"))
            e = make(OP_MUL, e, factor(p));
        else if (take(p, "/"))
            e = make(OP_DIV, e, factor(p));
        else
            break;
    return e;
}

static Expr *expression(Parser *p)
{
    Expr *e = p->ok ? term(p) : make(OP_NUMBER, NULL, NULL);
    while (p->ok)
        if (take(p, "+"))
            e = make(OP_ADD, e, term(p));
        else if (take(p, "-"))
            e = make(OP_SUB, e, term(p));
        else
            break;
    return e;
}

bool keep_parse(Study *s, const char *name, const char *text, unsigned line)
{
    Parser p = {.s = s, .name = name, .text = text, .at = text, .line = line, .ok = true};
    s->keeps = realloc(s->keeps, (s->n_keeps + 1) * sizeof *s->keeps);
    struct Keep *k = &s->keeps[s->n_keeps++];
    k->name = strdup(name);
    k->expr = expression(&p);
    skip(&p);
    if (p.ok && *p.at)
        wrong(&p, "something follows the expression");
    return p.ok;
}

const char *keep_name(const Study *s, unsigned i)
{
    return s->keeps[i].name;
}

static void free_expr(Expr *e)
{
    if (!e)
        return;
    free_expr(e->a);
    free_expr(e->b);
    free(e->name);
    free(e);
}

void keep_free(Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++) {
        free(s->keeps[i].name);
        free_expr(s->keeps[i].expr);
    }
    free(s->keeps);
}

/* ---- what runs have to deliver ---- */

static bool over_time(const Expr *e)
{
    if (!e)
        return false;
    if (e->op == OP_REDUCE)
        return e->reduce != RED_END && e->reduce != RED_START && !(e->a && e->a->op == OP_EVENTS);
    return over_time(e->a) || over_time(e->b);
}

static bool of_events(const Expr *e)
{
    return e && ((e->op == OP_REDUCE && (e->reduce == RED_COUNT || e->reduce == RED_TIME)) ||
                 of_events(e->a) || of_events(e->b));
}

bool keep_needs_rows(const Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++)
        if (over_time(s->keeps[i].expr))
            return true;
    return s->n_trajectories > 0;
}

bool keep_needs_events(const Study *s)
{
    for (unsigned i = 0; i < s->n_keeps; i++)
        if (of_events(s->keeps[i].expr))
            return true;
    return false;
}

/* ---- one run ---- */

typedef struct State { /* of a reduction */
    Expr *e;
    double first, last, low, high, sum, squares;
    double when;       /* time of the occurrence, by the log of events */
    double when_row;   /* by rows */
    uint64_t n, n_row; /* occurrences */
    bool logged;       /* the log names the relation */
    bool holds;        /* in the last row */
} State;

struct Kept {
    const Study *s;
    State *states;
    unsigned n;
    double start, time; /* of the rows */
    bool begun;
    double *values; /* of the last row */
    unsigned n_values;
};

static void number_reductions(Expr *e, Kept *k)
{
    if (!e)
        return;
    if (e->op == OP_REDUCE) {
        k->states = realloc(k->states, (k->n + 1) * sizeof *k->states);
        e->slot = k->n;
        k->states[k->n++] = (State){.e = e};
    }
    number_reductions(e->a, k);
    number_reductions(e->b, k);
}

Kept *kept_new(const Study *s)
{
    Kept *k = calloc(1, sizeof *k);
    k->s = s;
    for (unsigned i = 0; i < s->n_keeps; i++)
        number_reductions(s->keeps[i].expr, k);
    return k;
}

void kept_free(Kept *k)
{
    if (!k)
        return;
    free(k->states);
    free(k->values);
    free(k);
}

void kept_begin(Kept *k)
{
    k->begun = false;
    for (unsigned i = 0; i < k->n; i++)
        k->states[i] = (State){.e = k->states[i].e, .when = NAN, .when_row = NAN};
}

/* Finds the columns of names; they may differ between runs if a factor changes the structure. The
 * name that is missing, or NULL. */
static const char *resolve(Expr *e, const char *const *names, size_t n)
{
    if (!e)
        return NULL;
    if (e->op == OP_NAME) {
        for (e->slot = 0; e->slot < n; e->slot++)
            if (!strcmp(names[e->slot], e->name))
                return NULL;
        return e->name;
    }
    const char *missing = resolve(e->a, names, n);
    return missing ? missing : resolve(e->b, names, n);
}

bool keep_check(const Study *s, const char *const *names, size_t n)
{
    bool ok = true;
    for (unsigned i = 0; i < s->n_keeps; i++) {
        const char *missing = resolve(s->keeps[i].expr, names, n),
                   *near = missing ? study_nearest(missing, names, n) : NULL;
        if (missing)
            fprintf(stderr, "kairos: %s: %s: the model has no variable '%s'%s%s%s\n", s->path,
                    s->keeps[i].name, missing, near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
        ok &= !missing;
    }
    return ok;
}

static double evaluate(const Kept *k, const Expr *e, const double *v)
{
    double a, b;
    switch (e->op) {
    case OP_NUMBER: return e->number;
    case OP_NAME: return v[e->slot];
    case OP_NEG: return -evaluate(k, e->a, v);
    case OP_REDUCE:
    case OP_EVENTS: return NAN;
    default: break;
    }
    a = evaluate(k, e->a, v);
    b = e->b ? evaluate(k, e->b, v) : 0;
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

static void occur(State *s, double time, uint64_t *n, double *when)
{
    if (++*n == (uint64_t)s->e->number)
        *when = time;
}

static void reduce_row(Kept *k, State *s, double time)
{
    Reduction kind = s->e->reduce;
    if (s->e->a->op == OP_EVENTS)
        return;
    double x = evaluate(k, s->e->a, k->values), dt = time - k->time;
    if (kind == RED_COUNT || kind == RED_TIME) {
        if (k->begun && x > 0 && !s->holds)
            occur(s, time, &s->n_row, &s->when_row);
        s->holds = x > 0;
        return;
    }
    if (!k->begun) {
        s->first = s->low = s->high = x;
    } else if (dt > 0) {
        s->sum += dt * (s->last + x) / 2;
        s->squares += dt * (s->last * s->last + s->last * x + x * x) / 3;
    }
    s->low = x < s->low || isnan(x) ? x : s->low;
    s->high = x > s->high || isnan(x) ? x : s->high;
    s->last = x;
}

bool kept_row(Kept *k, const KairosRow *row)
{
    if (!k->begun) {
        if (row->n != k->n_values) {
            k->values = realloc(k->values, row->n * sizeof *k->values);
            k->n_values = row->n;
        }
        for (unsigned i = 0; i < k->s->n_keeps; i++)
            if (resolve(k->s->keeps[i].expr, row->names, row->n))
                return false;
        k->start = row->values[0];
    }
    memcpy(k->values, row->values, row->n * sizeof *k->values);
    for (unsigned i = 0; i < k->n; i++)
        reduce_row(k, &k->states[i], row->values[0]);
    k->time = row->values[0];
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
            char *plain = text ? squeeze(text, text + strlen(text)) : NULL;
            if (plain && !strcmp(plain, s->e->a->name)) {
                s->logged = true;
                if (cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(trigger, "value")))
                    occur(s, at, &s->n, &s->when);
            }
            free(plain);
        }
    }
    cJSON_Delete(event);
}

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

static double value_of(const Kept *k, const Expr *e)
{
    if (!k->begun)
        return NAN;
    if (e->op == OP_REDUCE)
        return reduced(k, &k->states[e->slot]);
    if (e->op == OP_NEG)
        return -value_of(k, e->a);
    if (e->op == OP_NUMBER || e->op == OP_NAME)
        return evaluate(k, e, k->values);
    Expr a = {.op = OP_NUMBER, .number = value_of(k, e->a)},
         b = {.op = OP_NUMBER, .number = e->b ? value_of(k, e->b) : 0}, whole = *e;
    whole.a = &a;
    whole.b = e->b ? &b : NULL;
    return evaluate(k, &whole, k->values);
}

void kept_values(Kept *k, double *values)
{
    for (unsigned i = 0; i < k->s->n_keeps; i++)
        values[i] = value_of(k, k->s->keeps[i].expr);
}
