/* What is kept of a run: expressions over reductions of its rows and events.
 *
 *     expression = term { ("+" | "-") term }        term = factor { ("*" | "/") factor }
 *     factor = ["-"] power                          power = primary [ "^" factor ]
 *     primary = number | name | function "(" arguments ")" | "(" expression ")"
 *
 * end, start, min, max, mean, rms and integral reduce an expression over variables; count and time
 * take a relation, or the word `events` for any event. A name outside of them is its value at the
 * end. This file reads expressions; values.c computes them. */
#include "kept/expression.h"

#include "base/names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const reductions[] = {"end", "start",    "min",   "max", "mean",
                                         "rms", "integral", "count", "time"};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

typedef struct Parser {
    const char *at;
    char *wrong; /* the first error */
    size_t size;
    bool ok;
} Parser;

static Expr *expression(Parser *p);

static void wrong(Parser *p, const char *what)
{
    if (p->ok)
        snprintf(p->wrong, p->size, "%s", what);
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
    Expr *e = memory_alloc(sizeof *e);
    *e = (Expr){.op = op, .a = a, .b = b};
    return e;
}

static char *copy(const char *from, size_t n)
{
    char *text = memory_alloc(n + 1);
    memcpy(text, from, n);
    return text;
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
    return copy(from, (size_t)(p->at - from));
}

static double slope_abs(double x)
{
    return x < 0 ? -1 : 1;
}

static double slope_sqrt(double x)
{
    return 0.5 / sqrt(x);
}

static double slope_log(double x)
{
    return 1 / x;
}

static double slope_log10(double x)
{
    return 1 / (x * log(10));
}

static double slope_cos(double x)
{
    return -sin(x);
}

static double slope_tan(double x)
{
    return 1 + tan(x) * tan(x);
}

static double slope_atan(double x)
{
    return 1 / (1 + x * x);
}

static const struct Function {
    const char *name;
    double (*f1)(double);
    double (*d1)(double); /* its derivative */
    double (*f2)(double, double);
} functions[] = {
    {"abs", fabs, slope_abs, NULL},
    {"sqrt", sqrt, slope_sqrt, NULL},
    {"exp", exp, exp, NULL},
    {"log", log, slope_log, NULL},
    {"log10", log10, slope_log10, NULL},
    {"sin", sin, cos, NULL},
    {"cos", cos, slope_cos, NULL},
    {"tan", tan, slope_tan, NULL},
    {"atan", atan, slope_atan, NULL},
    {"atan2", NULL, NULL, atan2},
    {"min", NULL, NULL, fmin},
    {"max", NULL, NULL, fmax},
};

/* The text of a relation without blanks, as the event log has it. */
char *kept_squeeze(const char *from, const char *to)
{
    char *out = memory_alloc((size_t)(to - from) + 1), *at = out;
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
    e->name = kept_squeeze(from, to);
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

const char *kept_nearest(const char *word, const char *const *words, size_t n)
{
    const char *best = NULL;
    unsigned nearest = name_suggestion_limit(word);
    for (size_t i = 0; i < n; i++) {
        unsigned distance = name_distance(word, words[i], nearest);
        if (distance < nearest) {
            nearest = distance;
            best = words[i];
        }
    }
    return best;
}

static Expr *call(Parser *p, char *name)
{
    Expr *e = NULL;
    if (!strcmp(name, "der")) { /* a name of its own */
        const char *from = p->at;
        p->at += strcspn(p->at, ")");
        char *inner = kept_squeeze(from, p->at);
        e = make(OP_NAME, NULL, NULL);
        e->name = memory_alloc(strlen(inner) + 6);
        sprintf(e->name, "der(%s)", inner);
        memory_free(inner);
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
            e->slope1 = functions[k].d1;
            e->call2 = functions[k].f2;
            if (e->call2 && p->ok) {
                need(p, ",");
                e->b = p->ok ? expression(p) : NULL;
            }
        }
    if (!e) {
        char what[160];
        const char *near = kept_nearest(name, reductions, REDUCTIONS);
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
        memory_free(name);
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

Expr *kept_parse(const char *text, char *wrong_text, size_t size)
{
    Parser p = {.at = text, .wrong = wrong_text, .size = size, .ok = true};
    Expr *e = expression(&p);
    skip(&p);
    if (p.ok && *p.at)
        wrong(&p, "something follows the expression");
    if (p.ok)
        return e;
    kept_free_expr(e);
    return NULL;
}

/* a <= b becomes a - b <= 0. */
Expr *kept_parse_constraint(const char *text, bool *equal, char *wrong_text, size_t size)
{
    Parser p = {.at = text, .wrong = wrong_text, .size = size, .ok = true};
    Expr *a = expression(&p);
    bool below = take(&p, "<="), above = !below && take(&p, ">=");
    *equal = !below && !above && (take(&p, "==") || take(&p, "="));
    below = below || (!above && !*equal && take(&p, "<"));
    above = above || (!below && !*equal && take(&p, ">"));
    if (!below && !above && !*equal)
        wrong(&p, "a constraint is a relation such as max(x) <= 2 or end(x) == 1");
    Expr *b = expression(&p), *e = above ? make(OP_SUB, b, a) : make(OP_SUB, a, b);
    skip(&p);
    if (p.ok && *p.at)
        wrong(&p, "something follows the relation");
    if (p.ok)
        return e;
    kept_free_expr(e);
    return NULL;
}

void kept_free_expr(Expr *e)
{
    if (!e)
        return;
    kept_free_expr(e->a);
    kept_free_expr(e->b);
    memory_free(e->name);
    memory_free(e);
}

void kept_each_name(const Expr *e, void (*visit)(void *user, const char *name), void *user)
{
    if (!e)
        return;
    if (e->op == OP_NAME)
        visit(user, e->name);
    kept_each_name(e->a, visit, user);
    kept_each_name(e->b, visit, user);
}

bool kept_over_time(const Expr *e)
{
    if (!e)
        return false;
    if (e->op == OP_REDUCE)
        return e->reduce != RED_END && e->reduce != RED_START && !(e->a && e->a->op == OP_EVENTS);
    return kept_over_time(e->a) || kept_over_time(e->b);
}

bool kept_of_events(const Expr *e)
{
    return e && ((e->op == OP_REDUCE && (e->reduce == RED_COUNT || e->reduce == RED_TIME)) ||
                 kept_of_events(e->a) || kept_of_events(e->b));
}

const char *kept_resolve(Expr *e, const char *const *names, size_t n)
{
    if (!e)
        return NULL;
    if (e->op == OP_NAME) {
        for (e->slot = 0; e->slot < n; e->slot++)
            if (!strcmp(names[e->slot], e->name))
                return NULL;
        return e->name;
    }
    const char *missing = kept_resolve(e->a, names, n);
    return missing ? missing : kept_resolve(e->b, names, n);
}
