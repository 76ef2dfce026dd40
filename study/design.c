/* The values of points. Each is a function of the seed, the point and the factor, so that any
 * worker can compute any point. */
#include "study.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SOBOL = 21, BITS = 32 };
static const double MOST_POINTS = 1e9;

/* ---- random numbers ---- */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9U;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebU;
    return x ^ x >> 31;
}

static uint64_t hash3(uint64_t seed, uint64_t a, uint64_t b)
{
    return mix(mix(mix(seed + 0x9e3779b97f4a7c15U) ^ (a + 0x632be59bd9b4e019U)) ^
               (b + 0xd1342543de82ef95U));
}

/* In (0, 1), never an end. */
static double to_unit(uint64_t h)
{
    return ((double)(h >> 11) + 0.5) * 0x1p-53;
}

/* ---- distributions ---- */

/* Inverse of the normal distribution: rational start (Acklam), one step of Halley's method. */
static double normal_quantile(double p)
{
    static const double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,
                               -2.759285104469687e+02, 1.383577518672690e+02,
                               -3.066479806614716e+01, 2.506628277459239e+00},
                        b[] = {-5.447609879822406e+01, 1.615858368580409e+02,
                               -1.556989798598866e+02, 6.680131188771972e+01,
                               -1.328068155288572e+01},
                        c[] = {-7.784894002430293e-03, -3.223964580411365e-01,
                               -2.400758277161838e+00, -2.549732539343734e+00,
                               4.374664141464968e+00,  2.938163982698783e+00},
                        d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                               3.754408661907416e+00};
    double x, q = p < 0.5 ? p : 1 - p;
    if (q < 0.02425) {
        double r = sqrt(-2 * log(q));
        x = (((((c[0] * r + c[1]) * r + c[2]) * r + c[3]) * r + c[4]) * r + c[5]) /
            ((((d[0] * r + d[1]) * r + d[2]) * r + d[3]) * r + 1);
        x = p < 0.5 ? x : -x;
    } else {
        double s = p - 0.5, r = s * s;
        x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * s /
            (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
    }
    double e = 0.5 * erfc(-x / sqrt(2)) - p, u = e * sqrt(2 * M_PI) * exp(x * x / 2);
    return x - u / (1 + x * u / 2);
}

static double normal_share(double x)
{
    return 0.5 * erfc(-x / sqrt(2));
}

static double triangular_quantile(const double *p, double u)
{
    double width = p[2] - p[0], split = width > 0 ? (p[1] - p[0]) / width : 0;
    return u < split ? p[0] + sqrt(u * width * (p[1] - p[0]))
                     : p[2] - sqrt((1 - u) * width * (p[2] - p[1]));
}

static double truncated_quantile(const double *p, double u)
{
    double a = normal_share((p[2] - p[0]) / p[1]), b = normal_share((p[3] - p[0]) / p[1]);
    double x = p[0] + p[1] * normal_quantile(fmin(fmax(a + u * (b - a), 1e-300), 1 - 0x1p-53));
    return fmin(fmax(x, p[2]), p[3]);
}

static double pick(const Factor *f, double u)
{
    size_t i = (size_t)(u * (double)f->n);
    if (f->ends)
        for (i = 0; i + 1 < f->n && u >= f->ends[i];)
            i++;
    return f->values[i < f->n ? i : f->n - 1];
}

double factor_quantile(const Factor *f, double u)
{
    const double *p = f->p;
    switch (f->kind) {
    case FACTOR_UNIFORM:
    case FACTOR_RANGE: return p[0] + u * (p[1] - p[0]);
    case FACTOR_LOG_RANGE: return p[0] * pow(p[1] / p[0], u);
    case FACTOR_NORMAL: return p[0] + p[1] * normal_quantile(u);
    case FACTOR_TRUNCATED: return truncated_quantile(p, u);
    case FACTOR_LOG_NORMAL: return exp(p[0] + p[1] * normal_quantile(u));
    case FACTOR_TRIANGULAR: return triangular_quantile(p, u);
    default: return pick(f, u);
    }
}

/* ---- grids ---- */

static uint64_t levels_of(const Study *s, const Factor *f)
{
    return f->n ? f->n : s->design.levels;
}

/* Level i of n. Bounded factors include their ends; others have the middles of equal shares. */
static double level(const Study *s, const Factor *f, uint64_t i)
{
    uint64_t n = levels_of(s, f);
    if (f->kind == FACTOR_VALUES || f->kind == FACTOR_CHOICE)
        return f->values[i];
    bool open = f->kind == FACTOR_NORMAL || f->kind == FACTOR_LOG_NORMAL;
    double u = open ? ((double)i + 0.5) / (double)n : n > 1 ? (double)i / (double)(n - 1) : 0.5;
    if (!open && n > 1 && i + 1 == n && f->kind != FACTOR_TRIANGULAR)
        return f->kind == FACTOR_TRUNCATED ? f->p[3] : f->p[1];
    return factor_quantile(f, u);
}

static void grid_point(const Study *s, uint64_t point, double *values)
{
    for (unsigned k = s->n_factors; k-- > 0;) { /* the last factor varies fastest */
        uint64_t n = levels_of(s, &s->factors[k]);
        values[k] = level(s, &s->factors[k], point % n);
        point /= n;
    }
}

/* ---- Sobol sequences ---- */

/* Degree, coefficients of the primitive polynomial, and initial numbers, after Joe and Kuo. */
static const struct Direction {
    unsigned char degree, polynomial, m[7];
} directions[MOST_SOBOL] = {
    {0, 0, {0}},
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
};

static uint32_t sobol_bits(unsigned dimension, uint64_t point)
{
    const struct Direction *d = &directions[dimension];
    uint32_t v[BITS], x = 0;
    for (unsigned i = 0; i < BITS; i++) {
        if (!d->degree) {
            v[i] = 1U << (31 - i);
        } else if (i < d->degree) {
            v[i] = (uint32_t)d->m[i] << (31 - i);
        } else {
            v[i] = v[i - d->degree] ^ v[i - d->degree] >> d->degree;
            for (unsigned k = 1; k < d->degree; k++)
                if (d->polynomial >> (d->degree - 1 - k) & 1U)
                    v[i] ^= v[i - k];
        }
    }
    for (unsigned i = 0; i < BITS; i++)
        if (point >> i & 1U)
            x ^= v[i];
    return x;
}

/* Owen's nested uniform scrambling: each bit is flipped by the bits before it. */
static uint32_t scramble(uint32_t x, uint64_t seed, unsigned dimension)
{
    uint32_t out = 0;
    for (unsigned i = 0; i < BITS; i++) {
        uint64_t before = i ? x >> (BITS - i) : 0;
        uint32_t flip = (uint32_t)(hash3(seed, dimension * 64ULL + i, before) >> 63);
        out |= ((x >> (31 - i) & 1U) ^ flip) << (31 - i);
    }
    return out;
}

static double sobol(const Study *s, unsigned dimension, uint64_t point)
{
    uint32_t x = sobol_bits(dimension, point);
    if (s->design.scramble)
        x = scramble(x, s->design.seed, dimension);
    return ((double)x + 0.5) * 0x1p-32;
}

/* ---- Morris' one-at-a-time trajectories ---- */

/* Point j of a trajectory: factors that come up to j in its order have moved by delta. */
static void morris_units(const Study *s, uint64_t point, double *u)
{
    unsigned d = s->n_factors, levels = s->design.levels;
    uint64_t path = point / (d + 1), at = point % (d + 1);
    double delta = (double)levels / (2.0 * (levels - 1));
    for (unsigned k = 0; k < d; k++) {
        uint64_t h = hash3(s->design.seed, path, k), rank = 0;
        for (unsigned i = 0; i < d; i++) { /* place in a random order */
            uint64_t other = hash3(s->design.seed, path, i);
            rank += other < h || (other == h && i < k);
        }
        double base = (double)(mix(h) % (levels / 2)) / (levels - 1);
        bool down = mix(h + 1) & 1U, moved = rank < at;
        u[k] = moved != down ? base + delta : base;
    }
}

static double clipped(const Factor *f, double u) /* unbounded distributions have no ends */
{
    bool open = f->kind == FACTOR_NORMAL || f->kind == FACTOR_LOG_NORMAL;
    return open ? 0.005 + 0.99 * u : fmin(u, 1 - 0x1p-53);
}

/* ---- points ---- */

/* Of a Saltelli design: blocks of A, B, and A with one column of B each. */
static void saltelli_units(const Study *s, uint64_t point, double *u)
{
    unsigned d = s->n_factors, part = (unsigned)(point % (d + 2));
    for (unsigned k = 0; k < d; k++) {
        bool of_b = part == 1 || part == k + 2;
        u[k] = sobol(s, k + (of_b ? d : 0), point / (d + 2));
    }
}

static void units(const Study *s, uint64_t point, double *u)
{
    const Design *d = &s->design;
    for (unsigned k = 0; k < s->n_factors; k++) {
        double random = to_unit(hash3(d->seed, point, k));
        u[k] = d->kind == DESIGN_SOBOL   ? sobol(s, k, point)
               : d->kind == DESIGN_LATIN ? ((double)d->strata[k][point] + random) / (double)d->base
                                         : random;
    }
    if (d->kind == DESIGN_SALTELLI)
        saltelli_units(s, point, u);
    if (d->kind == DESIGN_MORRIS)
        morris_units(s, point, u);
}

/* Gaussian copula: the units become correlated and stay uniform. */
static void correlate(const Study *s, double *u)
{
    unsigned n = s->n_factors;
    for (unsigned i = 0; i < n; i++)
        u[i] = normal_quantile(u[i]);
    for (unsigned i = n; i-- > 0;) {
        double sum = 0;
        for (unsigned k = 0; k <= i; k++)
            sum += s->design.correlation[i * n + k] * u[k];
        u[i] = sum;
    }
    for (unsigned i = 0; i < n; i++)
        u[i] = fmin(fmax(normal_share(u[i]), 0x1p-60), 1 - 0x1p-53);
}

void design_point(const Study *s, uint64_t point, double *values, double *unit)
{
    unsigned n = s->n_factors;
    double own[n ? n : 1], *u = unit ? unit : own;
    if (s->design.kind == DESIGN_GRID || s->design.kind == DESIGN_LIST) {
        if (s->design.kind == DESIGN_GRID)
            grid_point(s, point, values);
        else
            memcpy(values, s->design.table + point * n, n * sizeof *values);
        for (unsigned k = 0; unit && k < n; k++)
            unit[k] = NAN;
        return;
    }
    units(s, point, u);
    if (s->design.correlation)
        correlate(s, u);
    for (unsigned k = 0; k < n; k++)
        values[k] = factor_quantile(
            &s->factors[k], s->design.kind == DESIGN_MORRIS ? clipped(&s->factors[k], u[k]) : u[k]);
}

const char *factor_text(const Factor *f, double value, char buffer[32])
{
    if (f->words)
        return f->texts[(size_t)value];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, 32, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

unsigned point_settings(const Study *s, uint64_t point, KairosSetting *settings, char (*texts)[32])
{
    double values[s->n_factors + 1];
    unsigned n = 0;
    design_point(s, point, values, NULL);
    for (; n < s->n_settings; n++)
        settings[n] = s->settings[n];
    for (unsigned k = 0; k < s->n_factors; k++)
        settings[n++] =
            (KairosSetting){s->factors[k].name, factor_text(&s->factors[k], values[k], texts[k])};
    return n;
}

/* ---- preparation ---- */

static void shuffle_strata(Study *s)
{
    uint64_t n = s->design.base;
    s->design.strata = study_alloc(s->n_factors, sizeof *s->design.strata);
    for (unsigned k = 0; k < s->n_factors; k++) {
        uint32_t *at = s->design.strata[k] = study_alloc(n, sizeof *at);
        for (uint64_t i = 0; i < n; i++)
            at[i] = (uint32_t)i;
        for (uint64_t i = n; i-- > 1;) {
            uint64_t j = hash3(~s->design.seed, i, k) % (i + 1);
            uint32_t swap = at[i];
            at[i] = at[j];
            at[j] = swap;
        }
    }
}

static bool report(const Study *s, const char *what)
{
    fprintf(stderr, "kairos: %s: %s\n", s->path, what);
    return false;
}

static bool read_number(const Factor *f, const char *cell, double *value)
{
    char *end;
    *value = strtod(cell, &end);
    while (*end == ' ' || *end == '\r')
        end++;
    for (size_t i = 0; f->words && i < f->n; i++)
        if (!strcmp(cell, f->texts[i])) {
            *value = (double)i;
            return true;
        }
    return end != cell && !*end && isfinite(*value);
}

/* Cells of a line, divided in place; returns their number. */
static unsigned divide(char *line, char **cells, unsigned most)
{
    unsigned n = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; n < most; at++) {
        char *start = at;
        if (*at == '"') {
            start = ++at;
            at += strcspn(at, "\"");
            if (*at)
                *at++ = 0;
        } else {
            at += strcspn(at, ",");
        }
        cells[n++] = start;
        if (!*at)
            break;
        *at = 0;
    }
    return n;
}

/* A list: the header names the factors; columns of other names are an error. */
static bool read_list(Study *s)
{
    Design *d = &s->design;
    FILE *f = fopen(d->file, "r");
    char *line = NULL, *cells[256];
    size_t room = 0, rows = 0;
    int column[256];
    if (!f || getline(&line, &room, f) < 0) {
        fprintf(stderr, "kairos: cannot read the points in '%s': %s\n", d->file,
                f ? "it is empty" : strerror(errno));
        free(line);
        if (f)
            fclose(f);
        return false;
    }
    bool ok = true;
    unsigned n = divide(line, cells, 256), seen = 0;
    if (!s->n_factors) { /* the header alone says what varies */
        s->factors = study_alloc(n, sizeof *s->factors);
        for (unsigned i = 0; i < n; i++)
            s->factors[s->n_factors++] = (Factor){.name = study_copy(cells[i]),
                                                  .kind = FACTOR_UNIFORM,
                                                  .low = -INFINITY,
                                                  .high = INFINITY};
    }
    for (unsigned i = 0; i < n; i++) {
        column[i] = -1;
        for (unsigned k = 0; k < s->n_factors; k++)
            if (!strcmp(cells[i], s->factors[k].name))
                column[i] = (int)k, seen++;
        for (unsigned k = 0; k < i && ok; k++)
            if (!strcmp(cells[i], cells[k])) {
                fprintf(stderr, "kairos: %s:1: column '%s' is there twice\n", d->file, cells[i]);
                ok = false;
            }
        if (column[i] < 0 && strcmp(cells[i], "point") != 0) {
            fprintf(stderr, "kairos: %s:1: column '%s' is not a factor of %s\n", d->file, cells[i],
                    s->path);
            ok = false;
        }
    }
    for (unsigned k = 0; k < s->n_factors && ok && seen < s->n_factors; k++) {
        bool has = false;
        for (unsigned i = 0; i < n; i++)
            has |= column[i] == (int)k;
        if (!has) {
            fprintf(stderr, "kairos: %s: there is no column for factor '%s'\n", d->file,
                    s->factors[k].name);
            ok = false;
        }
    }
    for (size_t number = 2; ok && getline(&line, &room, f) >= 0; number++) {
        if (!line[strspn(line, " \t\r\n")])
            continue;
        unsigned m = divide(line, cells, 256);
        d->table = study_resize(d->table, (rows + 1) * s->n_factors, sizeof *d->table);
        for (unsigned i = 0; i < n && ok; i++) {
            double value = 0;
            ok = m == n && (column[i] < 0 || read_number(&s->factors[column[i]], cells[i], &value));
            if (ok && column[i] >= 0)
                d->table[rows * s->n_factors + (unsigned)column[i]] = value;
            else if (!ok)
                fprintf(stderr, "kairos: %s:%zu: %s\n", d->file, number,
                        m == n ? "a cell is not a number" : "wrong number of columns");
        }
        rows++;
    }
    free(line);
    fclose(f);
    d->points = rows;
    return ok && (rows || report(s, "the list of points is empty"));
}

static bool count_points(Study *s)
{
    Design *d = &s->design;
    double n = 1;
    for (unsigned k = 0; k < s->n_factors && d->kind == DESIGN_GRID; k++) {
        n *= (double)levels_of(s, &s->factors[k]);
        if (!levels_of(s, &s->factors[k])) {
            fprintf(stderr,
                    "kairos: %s:%u: a grid needs levels for factor '%s'; give it values, a range "
                    "with a number of points, or 'levels' in the design\n",
                    s->path, s->factors[k].line, s->factors[k].name);
            return false;
        }
    }
    if (d->kind == DESIGN_MORRIS)
        n = (double)d->base * (s->n_factors + 1);
    else if (d->kind == DESIGN_SALTELLI)
        n = (double)d->base * (s->n_factors + 2);
    else if (d->kind != DESIGN_GRID)
        n = (double)d->base;
    if (n > MOST_POINTS || n < 1) {
        fprintf(stderr, "kairos: %s: a study has from 1 to %g points, not %g\n", s->path,
                MOST_POINTS, n);
        return false;
    }
    d->points = (uint64_t)n;
    return true;
}

bool design_prepare(Study *s)
{
    Design *d = &s->design;
    if (d->kind == DESIGN_LIST)
        return read_list(s);
    if (!s->n_factors)
        return report(s, "there are no factors; name at least one");
    unsigned dimensions = s->n_factors * (d->kind == DESIGN_SALTELLI ? 2 : 1);
    if ((d->kind == DESIGN_SOBOL || d->kind == DESIGN_SALTELLI) && dimensions > MOST_SOBOL) {
        fprintf(stderr,
                "kairos: %s: this design has at most %u factors; use latin-hypercube or random\n",
                s->path, d->kind == DESIGN_SALTELLI ? MOST_SOBOL / 2 : MOST_SOBOL);
        return false;
    }
    if (!count_points(s))
        return false;
    if (d->kind == DESIGN_LATIN)
        shuffle_strata(s);
    return true;
}

/* Points at which a factor leaves the bounds of its parameter. */
typedef struct Outside {
    uint64_t n, first;
    double worst; /* the value at the first */
} Outside;

static void find_outside(const Study *s, Outside *out)
{
    double values[s->n_factors ? s->n_factors : 1];
    bool any = false;
    for (unsigned k = 0; k < s->n_factors; k++)
        any |=
            !s->factors[k].words && (isfinite(s->factors[k].low) || isfinite(s->factors[k].high));
    for (uint64_t i = 0; any && i < s->design.points; i++) {
        design_point(s, i, values, NULL);
        for (unsigned k = 0; k < s->n_factors; k++) {
            const Factor *f = &s->factors[k];
            if (!f->words && !(values[k] >= f->low && values[k] <= f->high) && !out[k].n++) {
                out[k].first = i;
                out[k].worst = values[k];
            }
        }
    }
}

bool design_check_bounds(const Study *s)
{
    Outside out[s->n_factors + 1];
    memset(out, 0, sizeof out);
    find_outside(s, out);
    bool ok = true;
    for (unsigned k = 0; k < s->n_factors; k++) {
        const Factor *f = &s->factors[k];
        if (!out[k].n)
            continue;
        ok = false;
        fprintf(stderr,
                "kairos: %s:%u: factor '%s' leaves the bounds of its parameter, from %g to %g, at "
                "%llu of %llu points (%g at point %llu); truncate its distribution, or change the "
                "bounds in the model\n",
                s->path, f->line, f->name, f->low, f->high, (unsigned long long)out[k].n,
                (unsigned long long)s->design.points, out[k].worst,
                (unsigned long long)out[k].first + 1);
    }
    return ok;
}

void design_free(Study *s)
{
    for (unsigned k = 0; s->design.strata && k < s->n_factors; k++)
        free(s->design.strata[k]);
    free(s->design.strata);
    free(s->design.table);
    free(s->design.file);
    free(s->design.correlation);
}
