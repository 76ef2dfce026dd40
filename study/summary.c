/* What the results of a study say: failures, distributions, effects of the factors, pictures.
 *
 * Sobol indices come from the design itself (saltelli), or from a polynomial in the places of the
 * factors, fitted by least squares (response surface). Intervals are from resampling: 95 %. Failed
 * points are never part of numbers without a word. */
#include "study.h"

#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIT = 20000, MOST_FIT_AGAIN = 3000, RESAMPLES = 200, REFITS = 40, MOST_DEGREE = 3 };
enum { MOST_TERMS = 400 };

/* ---- reading the table ---- */

Results *results_load(const Study *s)
{
    FILE *f = fopen(s->table, "r");
    if (!f) {
        fprintf(stderr, "kairos: cannot read '%s': %s; run the study first\n", s->table,
                strerror(errno));
        return NULL;
    }
    Results *r = results_read(&(Study){.design = {.points = s->design.points},
                                       .n_keeps = s->n_keeps,
                                       .journal = (char[]){"/nonexistent"}});
    char *line = NULL;
    size_t room = 0;
    uint64_t n = 0;
    (void)!getline(&line, &room, f);
    while (getline(&line, &room, f) > 0 && n < r->n) {
        line[strcspn(line, "\n")] = 0;
        char *status = strrchr(line, ','), *at = status;
        if (!status)
            break;
        for (unsigned k = s->n_keeps; k-- > 0;) { /* kept values are the last before the status */
            do
                at--;
            while (at > line && *at != ',');
            r->values[n * s->n_keeps + k] = at[1] == ',' ? NAN : strtod(at + 1, NULL);
        }
        for (unsigned k = POINT_OK; k <= POINT_CRASHED; k++)
            if (!strcmp(status + 1, point_status_name((PointStatus)k)))
                r->status[n] = (uint8_t)k;
        r->count[POINT_OPEN]--;
        r->count[r->status[n]]++;
        n++;
    }
    free(line);
    fclose(f);
    if (n == r->n)
        return r;
    fprintf(stderr, "kairos: '%s' has %llu rows, but the study has %llu points; run it again\n",
            s->table, (unsigned long long)n, (unsigned long long)r->n);
    results_free(r);
    return NULL;
}

/* ---- numbers ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sorted_quantile(const double *x, size_t n, double p)
{
    double at = p * (double)(n - 1);
    size_t i = (size_t)at;
    return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

static void mean_and_variance(const double *x, size_t n, double *mean, double *variance)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    *mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - *mean) * (x[i] - *mean);
    *variance = n > 1 ? squares / (double)(n - 1) : 0;
}

static uint64_t random_state(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15U);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* The defined values of kept value k, and their points. */
static size_t defined(const Study *s, const Results *r, unsigned k, double *values,
                      uint64_t *points)
{
    size_t n = 0;
    for (uint64_t i = 0; i < r->n; i++) {
        double x = r->values[i * s->n_keeps + k];
        if (r->status[i] == POINT_OK && isfinite(x)) {
            points[n] = i;
            values[n++] = x;
        }
    }
    return n;
}

static void print_distribution(const char *name, const double *values, size_t n, uint64_t all)
{
    double mean, variance, *x = study_alloc(n, sizeof *x);
    if (!n) {
        printf("%-20s has no values\n", name);
        free(x);
        return;
    }
    memcpy(x, values, n * sizeof *x);
    qsort(x, n, sizeof *x, compare);
    mean_and_variance(x, n, &mean, &variance);
    printf("%-20s %10.5g ± %-9.2g %10.4g %10.5g %10.5g %10.5g %10.5g %10.5g\n", name, mean,
           1.96 * sqrt(variance / (double)n), sqrt(variance), x[0], sorted_quantile(x, n, 0.05),
           sorted_quantile(x, n, 0.5), sorted_quantile(x, n, 0.95), x[n - 1]);
    if (n < all)
        printf("%20s %llu of %llu points have no value\n", "", (unsigned long long)(all - n),
               (unsigned long long)all);
    free(x);
}

/* ---- the response surface ---- */

typedef struct Surface {
    unsigned n_terms, n_factors;
    unsigned char (*powers)[64]; /* of each term, by factor */
    double *c;
    double variance, r2;
} Surface;

static double legendre(unsigned degree, double u)
{
    double x = 2 * u - 1;
    switch (degree) {
    case 0: return 1;
    case 1: return sqrt(3) * x;
    case 2: return sqrt(5) * (1.5 * x * x - 0.5);
    default: return sqrt(7) * (2.5 * x * x * x - 1.5 * x);
    }
}

/* All products of total degree up to `degree`; 0 if there are too many. */
static unsigned list_terms(Surface *f, unsigned degree, unsigned most)
{
    unsigned n = 1, from = 0;
    memset(f->powers[0], 0, sizeof f->powers[0]);
    for (unsigned d = 1; d <= degree; d++) {
        unsigned to = n;
        for (unsigned t = from; t < to; t++) {
            unsigned last = 0; /* raise only the last factor or later ones: each product once */
            for (unsigned k = 0; k < f->n_factors; k++)
                last = f->powers[t][k] ? k : last;
            for (unsigned k = last; k < f->n_factors; k++) {
                if (n == most)
                    return 0;
                memcpy(f->powers[n], f->powers[t], sizeof f->powers[n]);
                f->powers[n++][k]++;
            }
        }
        from = to;
    }
    return n;
}

static double basis(const Surface *f, unsigned term, const double *u)
{
    double x = 1;
    for (unsigned k = 0; k < f->n_factors; k++)
        if (f->powers[term][k])
            x *= legendre(f->powers[term][k], u[k]);
    return x;
}

static double surface_at(const Surface *f, const double *u)
{
    double y = 0;
    for (unsigned t = 0; t < f->n_terms; t++)
        y += f->c[t] * basis(f, t, u);
    return y;
}

static bool solve_positive(double *a, double *b, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (unsigned k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i == j && !(sum > 0))
                return false;
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (unsigned i = n; i-- > 0;) {
        for (unsigned k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
    return true;
}

/* Fits y at n rows of u, chosen by `pick` (NULL: all in order). */
static bool fit(Surface *f, const double *u, const double *y, const size_t *pick, size_t n)
{
    unsigned m = f->n_terms;
    double *a = study_alloc((size_t)m * m, sizeof *a), row[MOST_TERMS], mean = 0, left = 0,
           total = 0;
    memset(f->c, 0, m * sizeof *f->c);
    for (size_t i = 0; i < n; i++) {
        size_t p = pick ? pick[i] : i;
        for (unsigned t = 0; t < m; t++)
            row[t] = basis(f, t, u + p * f->n_factors);
        for (unsigned t = 0; t < m; t++) {
            f->c[t] += row[t] * y[p];
            for (unsigned q = 0; q <= t; q++)
                a[t * m + q] += row[t] * row[q];
        }
        mean += y[p] / (double)n;
    }
    for (unsigned t = 0; t < m; t++)
        a[t * m + t] *= 1 + 1e-10;
    bool ok = solve_positive(a, f->c, m);
    free(a);
    for (size_t i = 0; i < n && ok; i++) {
        size_t p = pick ? pick[i] : i;
        double error = y[p] - surface_at(f, u + p * f->n_factors);
        left += error * error;
        total += (y[p] - mean) * (y[p] - mean);
    }
    f->variance = total / (double)n;
    f->r2 = total > 0 ? 1 - left / total : 1;
    return ok;
}

static void surface_indices(const Surface *f, double *first, double *all)
{
    double explained = 0;
    for (unsigned t = 1; t < f->n_terms; t++)
        explained += f->c[t] * f->c[t];
    double whole = fmax(f->variance, explained);
    for (unsigned k = 0; k < f->n_factors; k++) {
        first[k] = all[k] = 0;
        for (unsigned t = 1; t < f->n_terms && whole > 0; t++) {
            unsigned others = 0;
            for (unsigned j = 0; j < f->n_factors; j++)
                others += j != k && f->powers[t][j];
            double part = f->c[t] * f->c[t] / whole;
            all[k] += f->powers[t][k] ? part : 0;
            first[k] += f->powers[t][k] && !others ? part : 0;
        }
    }
}

/* ---- indices with intervals ---- */

typedef struct Spread { /* of resampled numbers */
    double *at;
    size_t n;
} Spread;

static double half_width(Spread *x)
{
    qsort(x->at, x->n, sizeof *x->at, compare);
    return x->n > 1
               ? (sorted_quantile(x->at, x->n, 0.975) - sorted_quantile(x->at, x->n, 0.025)) / 2
               : NAN;
}

static void print_indices(const Study *s, const char *name, const double *first, const double *all,
                          Spread *of_first, Spread *of_all, Picture *p)
{
    double half_first[s->n_factors + 1], half_all[s->n_factors + 1];
    printf("    %-20s %-20s %-20s\n", "factor", "first order", "total");
    for (unsigned k = 0; k < s->n_factors; k++) {
        half_first[k] = half_width(&of_first[k]);
        half_all[k] = half_width(&of_all[k]);
        printf("    %-20s %7.3f ± %-10.3f %7.3f ± %-10.3f\n", s->factors[k].name, first[k],
               half_first[k], all[k], half_all[k]);
    }
    if (p)
        picture_indices(p, s, name, &(Indices){first, all, half_first, half_all});
}

static Spread *spreads(unsigned n, size_t room)
{
    Spread *x = study_alloc(n + 1, sizeof *x);
    for (unsigned k = 0; k < n; k++)
        x[k].at = study_alloc(room, sizeof *x[k].at);
    return x;
}

static void free_spreads(Spread *x, unsigned n)
{
    for (unsigned k = 0; k < n; k++)
        free(x[k].at);
    free(x);
}

/* Saltelli's and Jansen's estimators on blocks of d + 2 points. */
static void block_indices(const double *y, const size_t *pick, size_t n, unsigned d, double *first,
                          double *all)
{
    double mean = 0, variance = 0;
    for (size_t i = 0; i < n; i++)
        mean += (y[pick[i] * (d + 2)] + y[pick[i] * (d + 2) + 1]) / (2 * (double)n);
    for (size_t i = 0; i < n; i++)
        for (unsigned b = 0; b < 2; b++) {
            double x = y[pick[i] * (d + 2) + b] - mean;
            variance += x * x / (2 * (double)n);
        }
    for (unsigned k = 0; k < d; k++) {
        first[k] = all[k] = 0;
        for (size_t i = 0; i < n; i++) {
            const double *block = y + pick[i] * (d + 2);
            double a = block[0], b = block[1], ab = block[k + 2];
            first[k] += (b - mean) * (ab - a) / (double)n / variance;
            all[k] += (a - ab) * (a - ab) / (2 * (double)n) / variance;
        }
    }
}

static void print_saltelli(const Study *s, const Results *r, unsigned keep, Picture *picture)
{
    unsigned d = s->n_factors;
    size_t blocks = r->n / (d + 2), n = 0;
    double *y = study_alloc(r->n, sizeof *y), first[d + 1], all[d + 1], f[d + 1], a[d + 1];
    size_t *whole = study_alloc(blocks, sizeof *whole), *pick = study_alloc(blocks, sizeof *pick);
    for (size_t i = 0; i < blocks; i++) {
        bool ok = true;
        for (unsigned b = 0; b < d + 2; b++) {
            uint64_t p = i * (d + 2) + b;
            y[p] = r->values[p * s->n_keeps + keep];
            ok &= r->status[p] == POINT_OK && isfinite(y[p]);
        }
        if (ok)
            whole[n++] = i;
    }
    if (n > 1) {
        Spread *of_first = spreads(d, RESAMPLES), *of_all = spreads(d, RESAMPLES);
        uint64_t state = s->design.seed;
        block_indices(y, whole, n, d, first, all);
        for (unsigned b = 0; b < RESAMPLES; b++) {
            for (size_t i = 0; i < n; i++)
                pick[i] = whole[random_state(&state) % n];
            block_indices(y, pick, n, d, f, a);
            for (unsigned k = 0; k < d; k++) {
                of_first[k].at[of_first[k].n++] = f[k];
                of_all[k].at[of_all[k].n++] = a[k];
            }
        }
        printf("\nSobol indices of %s, from %zu of %zu blocks:\n", keep_name(s, keep), n, blocks);
        print_indices(s, keep_name(s, keep), first, all, of_first, of_all, picture);
        free_spreads(of_first, d);
        free_spreads(of_all, d);
    }
    free(y);
    free(whole);
    free(pick);
}

/* The places of the first points, at most MOST_FIT. The beginning of a sequence fills the space; a
 * part with a stride would not. */
static double *places(const Study *s, const uint64_t *points, size_t *n)
{
    unsigned d = s->n_factors;
    *n = *n < MOST_FIT ? *n : MOST_FIT;
    double *u = study_alloc((*n + 1) * d, sizeof *u), x[d + 1];
    for (size_t i = 0; i < *n; i++)
        design_point(s, points[i], x, u + i * d);
    return u;
}

static bool prepare(Surface *f, const Study *s, size_t n)
{
    *f = (Surface){.n_factors = s->n_factors};
    f->powers = study_alloc(MOST_TERMS, sizeof *f->powers);
    f->c = study_alloc(MOST_TERMS, sizeof *f->c);
    for (unsigned degree = MOST_DEGREE; degree > 0 && s->n_factors <= 64; degree--) {
        unsigned most = n / 3 < MOST_TERMS ? (unsigned)(n / 3) : MOST_TERMS;
        if (most > 1 && (f->n_terms = list_terms(f, degree, most)))
            return true;
    }
    return false;
}

static void free_surface(Surface *f)
{
    free(f->powers);
    free(f->c);
}

/* Prints the indices of a fitted surface; *f stays for pictures. */
static bool print_surface(const Study *s, const char *name, const double *u, const double *y,
                          size_t n, Surface *f, Picture *p)
{
    unsigned d = s->n_factors;
    double first[d + 1], all[d + 1], a[d + 1], b[d + 1];
    if (!prepare(f, s, n) || !fit(f, u, y, NULL, n) || !(f->variance > 0))
        return false;
    surface_indices(f, first, all);
    Spread *of_first = spreads(d, REFITS), *of_all = spreads(d, REFITS);
    size_t m = n < MOST_FIT_AGAIN ? n : MOST_FIT_AGAIN, *pick = study_alloc(m, sizeof *pick);
    Surface other = *f;
    other.c = study_alloc(MOST_TERMS, sizeof *other.c);
    uint64_t state = s->design.seed + 1;
    for (unsigned i = 0; i < REFITS; i++) {
        for (size_t k = 0; k < m; k++)
            pick[k] = random_state(&state) % n;
        if (!fit(&other, u, y, pick, m))
            continue;
        surface_indices(&other, a, b);
        for (unsigned k = 0; k < d; k++) {
            of_first[k].at[of_first[k].n++] = a[k];
            of_all[k].at[of_all[k].n++] = b[k];
        }
    }
    printf("\nSobol indices of %s, from a response surface of %u terms (R² = %.4f):\n", name,
           f->n_terms, f->r2);
    print_indices(s, name, first, all, of_first, of_all, p);
    if (f->r2 < 0.9)
        printf("    the surface explains only a part; more points, or design: {kind: saltelli}\n");
    free_spreads(of_first, d);
    free_spreads(of_all, d);
    free(other.c);
    free(pick);
    return true;
}

/* Elementary effects of the Morris design, in units of the factor's range. */
static void print_morris(const Study *s, const Results *r, unsigned keep)
{
    unsigned d = s->n_factors;
    double now[d + 1], next[d + 1], x[d + 1];
    printf("\nElementary effects on %s (Morris):\n    %-20s %12s %12s %12s %6s\n",
           keep_name(s, keep), "factor", "mu*", "mu", "sigma", "n");
    for (unsigned k = 0; k < d; k++) {
        double *effects = study_alloc(s->design.base, sizeof *effects), absolute = 0, mean,
               variance;
        size_t n = 0;
        for (uint64_t i = 0; i + 1 < r->n; i++) {
            if (i % (d + 1) == d || r->status[i] != POINT_OK || r->status[i + 1] != POINT_OK)
                continue;
            design_point(s, i, x, now);
            design_point(s, i + 1, x, next);
            double change =
                r->values[(i + 1) * s->n_keeps + keep] - r->values[i * s->n_keeps + keep];
            if (next[k] != now[k] && isfinite(change))
                effects[n++] = change / (next[k] - now[k]);
        }
        for (size_t i = 0; i < n; i++)
            absolute += fabs(effects[i]) / (double)n;
        if (n) {
            mean_and_variance(effects, n, &mean, &variance);
            printf("    %-20s %12.5g %12.5g %12.5g %6zu\n", s->factors[k].name, absolute, mean,
                   sqrt(variance), n);
        } else {
            printf("    %-20s has no effects: points failed\n", s->factors[k].name);
        }
        free(effects);
    }
}

/* ---- failures ---- */

/* The text behind "point,status," of a line, without quotes. */
static char *reason_of(char *line)
{
    char *comma = strchr(line, ','), *at = comma ? strchr(comma + 1, ',') : NULL;
    if (!at)
        return NULL;
    at++;
    at[strcspn(at, "\n")] = 0;
    size_t n = strlen(at);
    if (*at == '"' && n > 1 && at[n - 1] == '"') {
        at[n - 1] = 0;
        at++;
    }
    return at;
}

typedef struct Reason {
    char *text;
    uint64_t n, first; /* points */
} Reason;

static int by_count(const void *a, const void *b)
{
    const Reason *x = a, *y = b;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : (x->first > y->first) - (x->first < y->first);
}

/* Numbers in texts differ between points: texts that are equal without them are one reason. */
static bool same_reason(const char *a, const char *b)
{
    static const char numbers[] = "0123456789.+-e";
    while (*a && *b) {
        size_t n = strspn(a, numbers), m = strspn(b, numbers);
        if ((n > 0) != (m > 0) || (!n && *a != *b))
            return false;
        a += n ? n : 1;
        b += m ? m : 1;
    }
    return *a == *b;
}

/* The most frequent reasons, each with the text and the number of its first point. */
static void print_reasons(const Study *s)
{
    enum { MOST_REASONS = 200, SHOWN = 10 };
    FILE *f = fopen(s->failures, "r");
    Reason *reasons = study_alloc(MOST_REASONS, sizeof *reasons);
    size_t n = 0, room = 0;
    char *line = NULL, *text;
    (void)!(f && getline(&line, &room, f));
    while (f && getline(&line, &room, f) > 0) {
        uint64_t point = strtoull(line, NULL, 10);
        size_t i = 0;
        if (!point || !(text = reason_of(line)))
            continue; /* a further line of a text */
        while (i < n && !same_reason(reasons[i].text, text))
            i++;
        if (i == n && n < MOST_REASONS)
            reasons[n++] = (Reason){.text = study_copy(text), .first = point};
        if (i < n)
            reasons[i].n++;
    }
    qsort(reasons, n, sizeof *reasons, by_count);
    for (size_t i = 0; i < n && i < SHOWN; i++)
        printf("%s%8llu  %s (point %llu)\n", i ? "" : "\nreasons of failures:\n",
               (unsigned long long)reasons[i].n, reasons[i].text,
               (unsigned long long)reasons[i].first);
    for (size_t i = 0; i < n; i++)
        free(reasons[i].text);
    free(reasons);
    free(line);
    if (f)
        fclose(f);
}

/* Shares of failures in the lower, middle and upper third of each factor. */
static void print_failures(const Study *s, const Results *r)
{
    if (r->count[POINT_OK] == r->n)
        return;
    unsigned d = s->n_factors;
    double x[d + 1];
    printf("\nfailures by thirds of each factor's range:\n");
    for (unsigned k = 0; k < d; k++) {
        double low = INFINITY, high = -INFINITY;
        uint64_t bad[3] = {0}, all[3] = {0};
        for (int turn = 0; turn < 2; turn++)
            for (uint64_t i = 0; i < r->n; i++) {
                design_point(s, i, x, NULL);
                low = fmin(low, x[k]);
                high = fmax(high, x[k]);
                double part = high > low ? 3 * (x[k] - low) / (high - low) : 0;
                unsigned third = part < 1 ? 0 : part < 2 ? 1 : 2;
                all[third] += turn == 1;
                bad[third] += turn == 1 && r->status[i] != POINT_OK;
            }
        printf("    %-20s", s->factors[k].name);
        for (unsigned t = 0; t < 3; t++)
            printf(" %5.1f %% of %-8llu", all[t] ? 100 * (double)bad[t] / (double)all[t] : 0,
                   (unsigned long long)all[t]);
        printf("\n");
    }
    print_reasons(s);
}

/* ---- everything ---- */

static double response(const void *surface, const double *places_)
{
    return surface_at(surface, places_);
}

static void draw_surface(const Study *s, const char *name, const Surface *f, Picture *p)
{
    unsigned d = s->n_factors, a = 0, b;
    double first[d + 1], all[d + 1];
    surface_indices(f, first, all);
    for (unsigned i = 0; i < d; i++)
        a = all[i] > all[a] ? i : a;
    b = a ? 0 : 1;
    for (unsigned i = 0; i < d; i++)
        b = i != a && all[i] > all[b] ? i : b;
    picture_response(p, s, name, a, b, response, f);
}

/* Why there are no Sobol indices; NULL if there can be some. */
static const char *no_indices(const Study *s, const double *values, size_t n)
{
    bool varies = false;
    for (size_t i = 1; i < n && !varies; i++)
        varies = values[i] != values[0];
    return !varies                              ? "it does not vary"
           : s->design.correlation              ? "the factors are correlated"
           : s->design.kind == DESIGN_GRID      ? "a grid has no distributions"
           : s->design.kind == DESIGN_LIST      ? "a list has no distributions"
           : s->n_factors > 64                  ? "there are more than 64 factors"
           : n < 3 * ((size_t)s->n_factors + 1) ? "there are too few points"
                                                : NULL;
}

static void describe_keep(const Study *s, const Results *r, unsigned k, Picture *p)
{
    double *values = study_alloc(r->n, sizeof *values);
    uint64_t *points = study_alloc(r->n, sizeof *points);
    size_t n = defined(s, r, k, values, points);
    DesignKind kind = s->design.kind;
    const char *name = keep_name(s, k), *none = no_indices(s, values, n);
    bool drawn = false;
    Surface f = {0};
    if (p)
        picture_values(p, s, name, values, points, n);
    if (kind == DESIGN_MORRIS)
        print_morris(s, r, k);
    else if (none)
        printf("\nno Sobol indices of %s: %s\n", name, none);
    else if (kind == DESIGN_SALTELLI)
        print_saltelli(s, r, k, p);
    else {
        size_t fitted = n;
        double *u = places(s, points, &fitted);
        drawn = print_surface(s, name, u, values, fitted, &f, p);
        if (drawn && p && s->n_factors > 1)
            draw_surface(s, name, &f, p);
        free_surface(&f);
        free(u);
    }
    if (p && !drawn)
        picture_means(p, s, name, values, points, n);
    free(values);
    free(points);
}

int summary_print(const Study *s, const char *plot)
{
    Results *r = results_load(s);
    if (!r)
        return KAIROS_USE_ERROR;
    Picture *p = plot ? picture_open(plot, s->path) : NULL;
    printf("%s: %llu points, %llu ok, %llu failed, %llu crashed\n\n", s->path,
           (unsigned long long)r->n, (unsigned long long)r->count[POINT_OK],
           (unsigned long long)r->count[POINT_FAILED], (unsigned long long)r->count[POINT_CRASHED]);
    printf("%-20s %10s   %-9s %10s %10s %10s %10s %10s %10s\n", "", "mean", "(95 %)", "sigma",
           "min", "5 %", "median", "95 %", "max");
    double *values = study_alloc(r->n, sizeof *values);
    uint64_t *points = study_alloc(r->n, sizeof *points);
    for (unsigned k = 0; k < s->n_keeps; k++)
        print_distribution(keep_name(s, k), values, defined(s, r, k, values, points), r->n);
    free(values);
    free(points);
    print_failures(s, r);
    if (p)
        picture_failures(p, s, r);
    for (unsigned k = 0; k < s->n_keeps; k++)
        describe_keep(s, r, k, p);
    bool ok = (!plot || p) && (!p || picture_close(p));
    results_free(r);
    return ok ? KAIROS_OK : KAIROS_USE_ERROR;
}
