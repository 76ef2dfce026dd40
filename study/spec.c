/* The study file: from YAML to a Study. Every mistake is reported with its line. */
#include "study.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Reader {
    Study *s;
    bool ok;
} Reader;

__attribute__((format(printf, 3, 4))) static void wrong(Reader *r, unsigned line,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "kairos: %s:", r->s->path);
    if (line)
        fprintf(stderr, "%u:", line);
    fputc(' ', stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    r->ok = false;
}

/* ---- words ---- */

static unsigned distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n > 60 || m > 60)
        return 99;
    unsigned row[64];
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned before = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned change = before + (a[i - 1] != b[j - 1]), best = row[j] + 1;
            before = row[j];
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            row[j] = change < best ? change : best;
        }
    }
    return row[m];
}

const char *study_nearest(const char *word, const char *const *words, size_t n)
{
    const char *best = NULL;
    unsigned least = strlen(word) < 4 ? 2 : 4;
    for (size_t i = 0; i < n; i++) {
        unsigned d = distance(word, words[i]);
        if (d < least)
            least = d, best = words[i];
    }
    return best;
}

static void check_keys(Reader *r, const Yaml *map, const char *where, const char *const *words,
                       size_t n)
{
    for (size_t i = 0; i < map->n; i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known |= !strcmp(map->at[i].key, words[k]);
        const char *near = known ? NULL : study_nearest(map->at[i].key, words, n);
        if (!known)
            wrong(r, map->at[i].line, "%s has no key '%s'%s%s%s", where, map->at[i].key,
                  near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
}
#define CHECK_KEYS(r, map, where, ...)                                                             \
    do {                                                                                           \
        static const char *const words_[] = {__VA_ARGS__};                                         \
        check_keys(r, map, where, words_, sizeof words_ / sizeof *words_);                         \
    } while (0)

static bool parse_number(const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return end != text && !*end && isfinite(*x);
}

static double number(Reader *r, const Yaml *y, const char *what)
{
    double x = 0;
    if (y->kind != YAML_TEXT || !parse_number(y->text, &x))
        wrong(r, y->line, "%s is not a number", what);
    return x;
}

static double positive(Reader *r, const Yaml *y, const char *what)
{
    double x = NAN;
    if (y->kind != YAML_TEXT || !parse_number(y->text, &x) || !(x > 0))
        wrong(r, y->line, "%s is not a positive number", what);
    return x;
}

static uint64_t count(Reader *r, const Yaml *y, const char *what)
{
    double x = NAN;
    bool good =
        y->kind == YAML_TEXT && parse_number(y->text, &x) && x >= 0 && x < 1e15 && x == floor(x);
    if (!good)
        wrong(r, y->line, "%s is not a whole number from 0 to 1e15", what);
    return good ? (uint64_t)x : 1; /* 1: no further message */
}

static char *text_of(Reader *r, const Yaml *y, const char *what)
{
    if (y->kind == YAML_TEXT)
        return study_copy(y->text);
    wrong(r, y->line, "%s is not a text", what);
    return NULL;
}

/* ---- factors ---- */

static const char *const kinds[] = {
    [FACTOR_UNIFORM] = "uniform",
    [FACTOR_NORMAL] = "normal",
    [FACTOR_TRUNCATED] = "truncated-normal",
    [FACTOR_LOG_NORMAL] = "log-normal",
    [FACTOR_TRIANGULAR] = "triangular",
    [FACTOR_CHOICE] = "choice",
    [FACTOR_VALUES] = "values",
    [FACTOR_RANGE] = "range",
    [FACTOR_LOG_RANGE] = "log-range",
};
enum { KINDS = sizeof kinds / sizeof *kinds, MOST_VALUES = 1000000 };

/* {choice: [1, 2], weights: [0.3, 0.7]} */
static void read_weights(Reader *r, Factor *f, const Yaml *y)
{
    if (y->kind != YAML_LIST || y->n != f->n) {
        wrong(r, y->line, "factor '%s' needs a weight for each of its %zu values", f->name, f->n);
        return;
    }
    double sum = 0;
    f->ends = study_alloc(f->n, sizeof *f->ends);
    for (size_t i = 0; i < f->n; i++) {
        double weight = number(r, &y->at[i], "a weight");
        if (weight < 0)
            wrong(r, y->at[i].line, "a weight of factor '%s' is negative", f->name);
        f->ends[i] = sum += weight;
    }
    for (size_t i = 0; i < f->n; i++)
        f->ends[i] /= sum;
    if (!(sum > 0))
        wrong(r, y->line, "the weights of factor '%s' are all zero", f->name);
}

static void add_value(Factor *f, const char *text, size_t n)
{
    f->texts = study_resize(f->texts, f->n + 1, sizeof *f->texts);
    f->values = study_resize(f->values, f->n + 1, sizeof *f->values);
    f->texts[f->n] = study_copy_part(text, n);
    if (!parse_number(f->texts[f->n], &f->values[f->n]))
        f->words = true;
    f->n++;
}

/* first:last or first:step:last, as in Modelica. */
static bool add_range(Factor *f, const char *text, size_t n)
{
    double x[3];
    int k = 0;
    const char *at = text, *end = text + n;
    while (at <= end && k < 3) {
        char *after;
        x[k++] = strtod(at, &after);
        if (after == at || (after < end && *after != ':') || after > end || !isfinite(x[k - 1]))
            return false;
        at = after + 1;
    }
    double step = k == 3 ? x[1] : 1, last = floor((x[k - 1] - x[0]) / step * (1 + 1e-12) + 1e-9);
    if (k < 2 || at <= end || step == 0 || !(last >= 0 && last < MOST_VALUES))
        return false;
    for (unsigned i = 0; i <= (unsigned)last; i++) {
        char value[32];
        int size = snprintf(value, sizeof value, "%.15g", x[0] + i * step);
        add_value(f, value, (size_t)size);
    }
    return true;
}

const char *factor_list(Factor *f, const char *text)
{
    f->kind = FACTOR_VALUES;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, ",");
        if (memchr(at, ':', n) ? !add_range(f, at, n) : !n)
            return at;
        if (!memchr(at, ':', n))
            add_value(f, at, n);
        at += n + (at[n] == ',');
    }
    return f->n ? NULL : text;
}

static void number_words(Factor *f)
{
    for (size_t i = 0; f->words && i < f->n; i++)
        f->values[i] = (double)i;
}

static void read_values(Reader *r, Factor *f, const Yaml *y)
{
    for (size_t i = 0; i < y->n; i++)
        if (y->at[i].kind == YAML_TEXT)
            add_value(f, y->at[i].text, strlen(y->at[i].text));
        else
            wrong(r, y->at[i].line, "a value of factor '%s' is not a number or a word", f->name);
    number_words(f);
    if (!y->n)
        wrong(r, y->line, "factor '%s' has no values", f->name);
}

/* A range is [first, last], [first, last, points], or the text first:step:last. */
static void read_range(Reader *r, Factor *f, const Yaml *y)
{
    if (y->kind == YAML_TEXT) {
        if (factor_list(f, y->text))
            wrong(r, y->line, "'%s' is not a range first:step:last", y->text);
        number_words(f);
        return;
    }
    if (y->kind != YAML_LIST || (y->n != 2 && y->n != 3)) {
        wrong(r, y->line, "%s of factor '%s' is [first, last] or [first, last, points]",
              kinds[f->kind], f->name);
        return;
    }
    f->p[0] = number(r, &y->at[0], "the first value");
    f->p[1] = number(r, &y->at[1], "the last value");
    f->n = y->n == 3 ? count(r, &y->at[2], "the number of points") : 0;
    if (y->n == 3 && !f->n)
        wrong(r, y->line, "factor '%s' has no points", f->name);
    if (f->kind == FACTOR_LOG_RANGE && !(f->p[0] > 0 && f->p[1] > 0))
        wrong(r, y->line, "log-range of factor '%s' needs positive ends", f->name);
}

static void read_parameters(Reader *r, Factor *f, const Yaml *y)
{
    static const struct {
        unsigned n;
        const char *text;
    } shapes[] = {[FACTOR_UNIFORM] = {2, "[low, high]"},
                  [FACTOR_NORMAL] = {2, "[mean, sigma]"},
                  [FACTOR_TRUNCATED] = {4, "[mean, sigma, low, high]"},
                  [FACTOR_LOG_NORMAL] = {2, "[mean, sigma] of the logarithm"},
                  [FACTOR_TRIANGULAR] = {3, "[low, mode, high]"}};
    if (y->kind != YAML_LIST || y->n != shapes[f->kind].n) {
        wrong(r, y->line, "%s of factor '%s' is %s", kinds[f->kind], f->name, shapes[f->kind].text);
        return;
    }
    for (size_t i = 0; i < y->n; i++)
        f->p[i] = number(r, &y->at[i], "a parameter of the distribution");
    const double *p = f->p;
    bool sigma =
        f->kind == FACTOR_NORMAL || f->kind == FACTOR_TRUNCATED || f->kind == FACTOR_LOG_NORMAL;
    if (sigma && !(p[1] > 0))
        wrong(r, y->line, "sigma of factor '%s' is not positive", f->name);
    if ((f->kind == FACTOR_UNIFORM && !(p[0] <= p[1])) ||
        (f->kind == FACTOR_TRUNCATED && !(p[2] < p[3])) ||
        (f->kind == FACTOR_TRIANGULAR && !(p[0] <= p[1] && p[1] <= p[2])))
        wrong(r, y->line, "the bounds of factor '%s' are not in order: %s", f->name,
              shapes[f->kind].text);
}

static void read_factor(Reader *r, const Yaml *y, Factor *f)
{
    *f = (Factor){.name = study_copy(y->key), .line = y->line, .low = -INFINITY, .high = INFINITY};
    if (y->kind == YAML_LIST) { /* short for values */
        f->kind = FACTOR_VALUES;
        read_values(r, f, y);
        return;
    }
    const Yaml *body = NULL;
    for (size_t i = 0; y->kind == YAML_MAP && i < y->n; i++)
        for (unsigned k = 0; k < KINDS; k++)
            if (!strcmp(y->at[i].key, kinds[k])) {
                if (body)
                    wrong(r, y->at[i].line, "factor '%s' has two distributions", f->name);
                body = &y->at[i];
                f->kind = (FactorKind)k;
            }
    if (y->kind == YAML_MAP)
        CHECK_KEYS(r, y, "a factor", "uniform", "normal", "truncated-normal", "log-normal",
                   "triangular", "choice", "values", "range", "log-range", "weights");
    if (!body) {
        wrong(r, y->line,
              "factor '%s' needs one of uniform, normal, truncated-normal, log-normal, "
              "triangular, choice, values, range or log-range",
              f->name);
        return;
    }
    if (f->kind == FACTOR_RANGE || f->kind == FACTOR_LOG_RANGE)
        read_range(r, f, body);
    else if (f->kind == FACTOR_CHOICE || f->kind == FACTOR_VALUES)
        read_values(r, f, body);
    else
        read_parameters(r, f, body);
    if (yaml_get(y, "weights") && r->ok)
        read_weights(r, f, yaml_get(y, "weights"));
}

static int factor_number(const Study *s, const char *name)
{
    for (unsigned k = 0; k < s->n_factors; k++)
        if (!strcmp(s->factors[k].name, name))
            return (int)k;
    return -1;
}

/* correlations: [[a, b, 0.5], …]; its Cholesky factor. */
static void read_correlations(Reader *r, const Yaml *y)
{
    Study *s = r->s;
    unsigned n = s->n_factors;
    double *c = s->design.correlation = study_alloc((size_t)n * n + 1, sizeof *c);
    for (unsigned i = 0; i < n; i++)
        c[i * n + i] = 1;
    for (size_t k = 0; k < y->n; k++) {
        const Yaml *one = &y->at[k];
        bool shaped = one->kind == YAML_LIST && one->n == 3 && one->at[0].text && one->at[1].text;
        int a = shaped ? factor_number(s, one->at[0].text) : -1,
            b = shaped ? factor_number(s, one->at[1].text) : -1;
        if (a < 0 || b < 0 || a == b) {
            wrong(r, one->line, "a correlation is [factor, factor, number] of two factors");
            return;
        }
        double rho = number(r, &one->at[2], "a correlation");
        c[(unsigned)a * n + (unsigned)b] = c[(unsigned)b * n + (unsigned)a] = rho;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++) {
            double sum = c[i * n + j];
            for (unsigned k = 0; k < j; k++)
                sum -= c[i * n + k] * c[j * n + k];
            if (i == j && !(sum > 1e-12)) {
                wrong(r, y->line, "the correlations contradict each other");
                return;
            }
            c[i * n + j] = i == j ? sqrt(sum) : sum / c[j * n + j];
        }
}

/* ---- design ---- */

static void read_design(Reader *r, const Yaml *y)
{
    static const char *const names[] = {
        [DESIGN_GRID] = "grid",        [DESIGN_LIST] = "list",
        [DESIGN_RANDOM] = "random",    [DESIGN_LATIN] = "latin-hypercube",
        [DESIGN_SOBOL] = "sobol",      [DESIGN_MORRIS] = "morris",
        [DESIGN_SALTELLI] = "saltelli"};
    Design *d = &r->s->design;
    CHECK_KEYS(r, y, "the design", "kind", "points", "seed", "levels", "file", "scramble",
               "trajectories");
    const Yaml *kind = yaml_get(y, "kind"), *points = yaml_get(y, "points"),
               *paths = yaml_get(y, "trajectories"), *seed = yaml_get(y, "seed"),
               *levels = yaml_get(y, "levels"), *file = yaml_get(y, "file"),
               *scramble = yaml_get(y, "scramble");
    bool found = false;
    for (unsigned k = 0; kind && kind->text && k < sizeof names / sizeof *names; k++)
        if (!strcmp(kind->text, names[k])) {
            d->kind = (DesignKind)k;
            found = true;
        }
    const char *near = kind && kind->text ? study_nearest(kind->text, names, 7) : NULL;
    if (!found) {
        wrong(r, y->line,
              "the design needs a kind: grid, list, random, latin-hypercube, sobol, "
              "morris or saltelli%s%s%s",
              near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return;
    }
    d->base = points ? count(r, points, "points") : 0;
    d->seed = seed ? count(r, seed, "seed") : 0;
    d->levels = levels ? (unsigned)count(r, levels, "levels") : 0;
    d->scramble = !scramble || !scramble->text || strcmp(scramble->text, "false") != 0;
    if (scramble && d->scramble && (!scramble->text || strcmp(scramble->text, "true") != 0))
        wrong(r, scramble->line, "scramble is true (the default) or false");
    d->file = file ? text_of(r, file, "file") : NULL;
    if (d->kind == DESIGN_MORRIS) {
        d->levels = levels ? d->levels : 4;
        d->base = paths ? count(r, paths, "trajectories") : d->base / (r->s->n_factors + 1);
        if (d->levels < 2 || d->levels % 2)
            wrong(r, levels ? levels->line : y->line, "levels of morris is an even number");
    }
    if (d->kind == DESIGN_LIST && !d->file)
        wrong(r, y->line, "a list needs a file with its points, such as file: points.csv");
    if (d->kind != DESIGN_GRID && d->kind != DESIGN_LIST && !d->base)
        wrong(r, y->line, "the design needs a number of points%s",
              d->kind == DESIGN_MORRIS ? ", or of trajectories" : "");
}

/* ---- the whole ---- */

static void read_settings(Reader *r, const Yaml *y)
{
    Study *s = r->s;
    s->settings = study_alloc(y->n + 1, sizeof *s->settings);
    for (size_t i = 0; i < y->n; i++) {
        char *value = text_of(r, &y->at[i], y->at[i].key);
        s->settings[s->n_settings++] =
            (KairosSetting){study_copy(y->at[i].key), value ? value : study_copy("")};
    }
}

static void read_list(Reader *r, const Yaml *y, const char *what, char ***at, unsigned *n)
{
    size_t items = y->kind == YAML_LIST ? y->n : 1;
    *at = study_alloc(items + 1, sizeof **at);
    for (size_t i = 0; i < items; i++) {
        char *text = text_of(r, y->kind == YAML_LIST ? &y->at[i] : y, what);
        if (text)
            (*at)[(*n)++] = text;
    }
}

static void read_limits(Reader *r, const Yaml *y)
{
    CHECK_KEYS(r, y, "limits", "seconds", "failure");
    const Yaml *seconds = yaml_get(y, "seconds"), *failure = yaml_get(y, "failure");
    r->s->seconds = seconds ? positive(r, seconds, "seconds") : 0;
    const char *policy = failure && failure->text ? failure->text : "keep";
    r->s->stop_at_failure = !strcmp(policy, "stop");
    if (strcmp(policy, "keep") != 0 && !r->s->stop_at_failure)
        wrong(r, y->line, "failure is keep (the default) or stop");
}

static char *with_ending(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t n = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    char *out = study_alloc(n + strlen(ending) + 1, 1);
    memcpy(out, path, n);
    strcpy(out + n, ending);
    return out;
}

static void read_output(Reader *r, const Yaml *y)
{
    Study *s = r->s;
    const Yaml *file = y && y->kind == YAML_MAP ? yaml_get(y, "file") : y;
    if (y && y->kind == YAML_MAP)
        CHECK_KEYS(r, y, "output", "file");
    const char *slash = strrchr(s->path, '/');
    s->output = file ? text_of(r, file, "file") : with_ending(slash ? slash + 1 : s->path, ".h5");
    if (!s->output)
        return;
    size_t n = strlen(s->output);
    s->h5 = n < 4 || strcmp(s->output + n - 4, ".csv") != 0;
    s->table = with_ending(s->output, ".csv");
    s->times = with_ending(s->output, ".times.csv");
    s->failures = with_ending(s->output, ".failures.csv");
    s->journal = with_ending(s->output, ".journal");
}

static void read_solver(Reader *r, const Yaml *y)
{
    const char *const *names = kairos_list_solvers();
    r->s->solver = text_of(r, y, "solver");
    size_t n = 0;
    for (; r->s->solver && names[n]; n++)
        if (!strcmp(names[n], r->s->solver))
            return;
    const char *near = r->s->solver ? study_nearest(r->s->solver, names, n) : NULL;
    wrong(r, y->line, "there is no solver '%s'%s%s%s", r->s->solver ? r->s->solver : "",
          near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void read_run_options(Reader *r, const Yaml *y)
{
    Study *s = r->s;
    const Yaml *at;
    if ((at = yaml_get(y, "start-time")))
        s->start = number(r, at, "start-time"), s->has_start = true;
    if ((at = yaml_get(y, "stop-time")))
        s->stop = number(r, at, "stop-time"), s->has_stop = true;
    if ((at = yaml_get(y, "tolerance")))
        s->tolerance = positive(r, at, "tolerance");
    if ((at = yaml_get(y, "step")))
        s->step = positive(r, at, "step");
    if ((at = yaml_get(y, "intervals")))
        s->intervals = (unsigned)count(r, at, "intervals");
    if (at && (!s->intervals || s->intervals > 100000000))
        wrong(r, at->line, "intervals is a number from 1 to 100000000");
    if ((at = yaml_get(y, "solver")))
        read_solver(r, at);
}

/* Kept values are columns of the table. One that has the name of a factor follows it there. */
static void read_keeps(Reader *r, const Yaml *y)
{
    if (y->kind != YAML_MAP) {
        wrong(r, y->line, "keep is a map of names and expressions, such as h_end: end(h)");
        return;
    }
    for (size_t i = 0; i < y->n; i++) {
        const Yaml *one = &y->at[i];
        const char *name = one->key;
        if (!strcmp(name, "point") || !strcmp(name, "status"))
            wrong(r, one->line, "the table has a column '%s' already; choose another name", name);
        if (one->kind != YAML_TEXT)
            wrong(r, one->line, "'%s' is not an expression", name);
        else if (!keep_parse(r->s, name, one->text, one->line))
            r->ok = false;
    }
}

static void read_all(Reader *r, const Yaml *y)
{
    Study *s = r->s;
    const Yaml *at;
    if (y->kind != YAML_MAP) {
        wrong(r, 1, "a study is a map with the keys model, factors, design, keep and others");
        return;
    }
    CHECK_KEYS(r, y, "a study", "model", "class", "library", "start-time", "stop-time", "intervals",
               "tolerance", "solver", "step", "set", "factors", "correlations", "design", "keep",
               "trajectories", "limits", "output");
    if ((at = yaml_get(y, "model")))
        s->model = text_of(r, at, "model");
    else
        wrong(r, 0, "the key 'model' is missing: a file, or the name of a class");
    if ((at = yaml_get(y, "class")))
        s->class_name = text_of(r, at, "class");
    if ((at = yaml_get(y, "library")))
        read_list(r, at, "library", &s->libraries, &s->n_libraries);
    if ((at = yaml_get(y, "trajectories")))
        read_list(r, at, "trajectories", &s->trajectories, &s->n_trajectories);
    read_run_options(r, y);
    if ((at = yaml_get(y, "set")))
        read_settings(r, at);
    if ((at = yaml_get(y, "factors")) && at->kind != YAML_MAP)
        wrong(r, at->line, "factors is a map, such as e: {uniform: [0.5, 0.9]}");
    if ((at = yaml_get(y, "factors"))) {
        s->factors = study_alloc(at->n + 1, sizeof *s->factors);
        for (size_t i = 0; i < at->n && at->kind == YAML_MAP; i++) {
            if (factor_number(s, at->at[i].key) >= 0)
                wrong(r, at->at[i].line, "factor '%s' is there twice", at->at[i].key);
            for (unsigned k = 0; k < s->n_settings; k++)
                if (!strcmp(s->settings[k].name, at->at[i].key))
                    wrong(r, at->at[i].line, "'%s' is a factor, and has a value under 'set'",
                          at->at[i].key);
            read_factor(r, &at->at[i], &s->factors[s->n_factors++]);
        }
    }
    if ((at = yaml_get(y, "design")) && at->kind == YAML_MAP)
        read_design(r, at);
    else if (at)
        wrong(r, at->line, "the design is a map, such as {kind: random, points: 100, seed: 1}");
    DesignKind kind = s->design.kind;
    if ((at = yaml_get(y, "correlations")) && kind != DESIGN_RANDOM && kind != DESIGN_LATIN &&
        kind != DESIGN_SOBOL)
        wrong(r, at->line, "correlations need the design random, latin-hypercube or sobol");
    if (at && r->ok)
        read_correlations(r, at);
    if ((at = yaml_get(y, "keep")))
        read_keeps(r, at);
    if ((at = yaml_get(y, "limits")))
        read_limits(r, at);
    read_output(r, yaml_get(y, "output"));
    if (!s->n_keeps && !s->n_trajectories)
        wrong(r, 0, "nothing is kept; name values under 'keep', or variables under 'trajectories'");
}

/* ---- files ---- */

uint64_t study_hash(uint64_t hash, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * 0x100000001b3U;
    return hash;
}

/* A file named in the study: relative to the study, or to the current folder. */
static void place(const Study *s, char **name)
{
    const char *slash = strrchr(s->path, '/');
    if (!*name || **name == '/' || !slash)
        return;
    char *path = study_alloc((size_t)(slash - s->path) + strlen(*name) + 2, 1);
    sprintf(path, "%.*s/%s", (int)(slash - s->path), s->path, *name);
    bool there = !access(path, R_OK);
    if (there) {
        free(*name);
        *name = path;
    } else {
        free(path);
    }
}

static void hash_file(Study *s, const char *path)
{
    Text t = {0};
    if (path && text_read_file(&t, path, SIZE_MAX))
        s->hash = study_hash(s->hash, t.at, t.n);
    text_free(&t);
}

Study *study_read(const char *path)
{
    Study *s = study_alloc(1, sizeof *s);
    s->path = study_copy(path);
    Text t = {0};
    bool is_read = text_read_file(&t, path, SIZE_MAX);
    if (!is_read)
        fprintf(stderr, "kairos: cannot read '%s': %s\n", path, strerror(errno));
    s->text = t.at;
    s->size = t.n;
    s->tree = is_read ? yaml_read(path, s->text, s->size) : NULL;
    Reader r = {s, s->tree != NULL};
    if (r.ok)
        read_all(&r, s->tree);
    if (r.ok) {
        place(s, &s->model);
        place(s, &s->design.file);
        for (unsigned i = 0; i < s->n_libraries; i++)
            place(s, &s->libraries[i]);
        s->hash = study_hash(0xcbf29ce484222325U, s->text, s->size);
        s->hash = study_hash(s->hash, kairos_version(), strlen(kairos_version()));
        hash_file(s, s->model);
        hash_file(s, s->design.file);
        r.ok = design_prepare(s);
    }
    if (r.ok)
        return s;
    study_free(s);
    return NULL;
}

static void free_texts(char **at, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        free(at[i]);
    free(at);
}

void factor_free(Factor *f)
{
    free(f->name);
    free(f->values);
    free(f->ends);
    free_texts(f->texts, f->texts ? (unsigned)f->n : 0);
}

void study_free(Study *s)
{
    if (!s)
        return;
    design_free(s);
    keep_free(s);
    for (unsigned i = 0; i < s->n_settings; i++) {
        free((void *)(uintptr_t)s->settings[i].name);
        free((void *)(uintptr_t)s->settings[i].value);
    }
    free(s->settings);
    for (unsigned i = 0; i < s->n_factors; i++)
        factor_free(&s->factors[i]);
    free(s->factors);
    free_texts(s->libraries, s->n_libraries);
    free_texts(s->trajectories, s->n_trajectories);
    char *own[] = {s->path,   s->text,  s->model, s->class_name, s->solver,
                   s->output, s->table, s->times, s->failures,   s->journal};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    yaml_free(s->tree);
    free(s);
}
