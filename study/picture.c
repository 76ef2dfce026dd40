#include "picture.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 300, HEIGHT = 200, LEFT = 56, BOTTOM = 34, TOP = 22, RIGHT = 12 };
enum { MOST_DOTS = 2000, BINS = 24, MOST_SCATTERS = 12, MOST_CELLS = 24, BAR = 14 };

struct Picture {
    AtomicFile file;
    FILE *f; /* of `file` */
    char *path;
};

static void put_text(FILE *f, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '&': fputs("&amp;", f); break;
        default: fputc(*text, f);
        }
}

Picture *picture_open(const char *path, const char *title)
{
    Picture *p = study_alloc(1, sizeof *p);
    if (!atomic_open(&p->file, path)) {
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
        atomic_discard(&p->file);
        free(p);
        return NULL;
    }
    FILE *f = p->f = p->file.file;
    p->path = study_copy(path);
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>", f);
    put_text(f, title);
    fputs("</title>\n<style>body{font-family:sans-serif;margin:1em}svg{margin:4px;background:#fff}"
          "text{font-size:10px;fill:#333}h2{font-size:1em}</style>\n<h1>",
          f);
    put_text(f, title);
    fputs("</h1>\n", f);
    return p;
}

typedef struct Axes {
    double x0, x1, y0, y1;
} Axes;

/* Where x lies between both ends, from 0 to 1. Halves, as the distance of the largest numbers is
 * infinite. 0 if the ends are equal. */
static double part_of(double x, double low, double high)
{
    return high > low ? (0.5 * x - 0.5 * low) / (0.5 * high - 0.5 * low) : 0;
}

static double px(const Axes *a, double x)
{
    return LEFT + part_of(x, a->x0, a->x1) * (WIDTH - LEFT - RIGHT);
}

static double py(const Axes *a, double y)
{
    return HEIGHT - BOTTOM - part_of(y, a->y0, a->y1) * (HEIGHT - BOTTOM - TOP);
}

static void begin(FILE *f, const Axes *a, const char *title, const char *x, const char *y)
{
    fprintf(f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n", WIDTH,
            HEIGHT);
    fprintf(f,
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n",
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    fprintf(f, "<text x=\"%d\" y=\"14\">", LEFT);
    put_text(f, title);
    fprintf(f, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 4);
    put_text(f, x);
    fprintf(f, "</text><text transform=\"translate(10,%d) rotate(-90)\" text-anchor=\"middle\">",
            (TOP + HEIGHT - BOTTOM) / 2);
    put_text(f, y);
    fputs("</text>\n", f);
    for (int i = 0; i < 2; i++) {
        double u = i ? a->x1 : a->x0, v = i ? a->y1 : a->y0;
        fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.4g</text>", px(a, u),
                HEIGHT - BOTTOM + 13, i ? "end" : "start", u);
        fprintf(f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 4,
                py(a, v) + (i ? 8 : 0), v);
    }
}

static void range(const double *x, size_t n, double *low, double *high)
{
    *low = *high = n ? x[0] : 0;
    for (size_t i = 0; i < n; i++) {
        *low = fmin(*low, x[i]);
        *high = fmax(*high, x[i]);
    }
}

static void put_mean(FILE *f, const Axes *a, const double *values, size_t n)
{
    double mean = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        mean += values[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double half = n > 1 ? 1.96 * sqrt(squares / (double)(n - 1) / (double)n) : 0,
           left = px(a, fmax(mean - half, a->x0)), right = px(a, fmin(mean + half, a->x1));
    fprintf(f,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"#cc3311\" "
            "opacity=\"0.6\"/>\n",
            left, TOP, fmax(right - left, 1), HEIGHT - TOP - BOTTOM);
}

static void histogram(FILE *f, const char *name, const double *values, size_t n)
{
    size_t bins[BINS] = {0}, most = 0;
    Axes a = {0};
    range(values, n, &a.x0, &a.x1);
    for (size_t i = 0; i < n; i++) {
        double part = part_of(values[i], a.x0, a.x1) * BINS;
        size_t b = part >= BINS ? BINS - 1 : (size_t)part;
        most = ++bins[b] > most ? bins[b] : most;
    }
    a.y1 = (double)most;
    begin(f, &a, "mean and its 95 % interval in red", name, "points");
    double width = (double)(WIDTH - LEFT - RIGHT) / BINS;
    for (unsigned b = 0; b < BINS; b++)
        fprintf(f,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4477aa\"/>\n",
                LEFT + b * width, py(&a, (double)bins[b]), width - 0.5,
                HEIGHT - BOTTOM - py(&a, (double)bins[b]));
    put_mean(f, &a, values, n);
    fputs("</svg>\n", f);
}

void picture_values(Picture *p, const Study *s, const char *name, const double *values,
                    const uint64_t *points, size_t n)
{
    unsigned d = s->n_factors;
    size_t dots = n < MOST_DOTS ? n : MOST_DOTS, m = 0;
    double x[MOST_DOTS], y[MOST_DOTS], all[d + 1];
    fputs("<h2>", p->f);
    put_text(p->f, name);
    fputs("</h2>\n", p->f);
    histogram(p->f, name, values, n);
    for (unsigned k = 0; k < d && k < MOST_SCATTERS; k++) {
        Axes a;
        m = 0;
        for (size_t i = 0; i < dots; i++) {
            size_t at = i * n / dots; /* spread over all points */
            design_point(s, points[at], all, NULL);
            x[m] = all[k];
            y[m++] = values[at];
        }
        range(x, m, &a.x0, &a.x1);
        range(y, m, &a.y0, &a.y1);
        begin(p->f, &a, "", s->factors[k].name, name);
        for (size_t i = 0; i < m; i++)
            fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\" fill=\"#4477aa\"/>\n",
                    px(&a, x[i]), py(&a, y[i]));
        fputs("</svg>\n", p->f);
    }
    if (d > MOST_SCATTERS)
        fprintf(p->f, "<p>The other %u factors are not drawn.</p>\n", d - MOST_SCATTERS);
}

/* ---- responses ---- */

typedef struct Cells {
    double at[MOST_CELLS * MOST_CELLS]; /* by rows, the lowest first; NaN: no value */
    unsigned nx, ny;
    Axes axes;
} Cells;

static void put_cells(FILE *f, const Cells *c, const char *name, const char *x, const char *y)
{
    double low = INFINITY, high = -INFINITY;
    char title[200];
    for (unsigned i = 0; i < c->nx * c->ny; i++) {
        if (!isfinite(c->at[i]))
            continue;
        low = fmin(low, c->at[i]);
        high = fmax(high, c->at[i]);
    }
    snprintf(title, sizeof title, "%.20s: %.4g (dark) to %.4g", name, low, high);
    begin(f, &c->axes, title, x, y);
    double w = (double)(WIDTH - LEFT - RIGHT) / c->nx, h = (double)(HEIGHT - TOP - BOTTOM) / c->ny;
    for (unsigned i = 0; i < c->nx * c->ny; i++) {
        double part = high > low ? part_of(c->at[i], low, high) : 0.5;
        if (!isfinite(c->at[i]))
            continue;
        fprintf(f,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"rgb(%d,%d,%d)\"/>\n",
                LEFT + i % c->nx * w, HEIGHT - BOTTOM - (i / c->nx + 1) * h, w + 0.3, h + 0.3,
                (int)(40 + 210 * part), (int)(50 + 180 * part), (int)(110 + 60 * (1 - part)));
    }
    fputs("</svg>\n", f);
}

/* The place in (0, 1) of a value of a factor. */
static double place_of(const Factor *f, double x)
{
    double low = 0, high = 1;
    for (unsigned i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (factor_quantile(f, middle) < x)
            low = middle;
        else
            high = middle;
    }
    return high;
}

void picture_response(Picture *p, const Study *s, const char *name, unsigned a, unsigned b,
                      ResponseFn *response, const void *user)
{
    static const double FEW = 0.01; /* of the points are beyond each end of the axes */
    const Factor *x = &s->factors[a], *y = &s->factors[b];
    Cells c = {.nx = MOST_CELLS,
               .ny = MOST_CELLS,
               .axes = {factor_quantile(x, FEW), factor_quantile(x, 1 - FEW),
                        factor_quantile(y, FEW), factor_quantile(y, 1 - FEW)}};
    double at[s->n_factors + 1];
    for (unsigned k = 0; k < s->n_factors; k++)
        at[k] = 0.5;
    for (unsigned i = 0; i < MOST_CELLS * MOST_CELLS; i++) {
        double u = (i % MOST_CELLS + 0.5) / MOST_CELLS, v = (i / MOST_CELLS + 0.5) / MOST_CELLS;
        at[a] = place_of(x, c.axes.x0 + u * (c.axes.x1 - c.axes.x0));
        at[b] = place_of(y, c.axes.y0 + v * (c.axes.y1 - c.axes.y0));
        c.at[i] = response(user, at);
    }
    put_cells(p->f, &c, name, x->name, y->name);
}

/* Classes of the values of a factor: its levels if they are few, otherwise equal parts. */
typedef struct Classes {
    double levels[MOST_CELLS], low, high;
    unsigned n;
    bool parts;
} Classes;

enum { PARTS = 12 };

static void add_value(Classes *c, double x)
{
    unsigned i = 0;
    c->low = fmin(c->low, x);
    c->high = fmax(c->high, x);
    while (i < c->n && c->levels[i] < x)
        i++;
    if (c->parts || (i < c->n && c->levels[i] == x))
        return;
    if (c->n == MOST_CELLS) {
        c->parts = true;
        c->n = PARTS;
        return;
    }
    memmove(c->levels + i + 1, c->levels + i, (c->n - i) * sizeof *c->levels);
    c->levels[i] = x;
    c->n++;
}

static unsigned class_of(const Classes *c, double x)
{
    unsigned i = 0;
    if (c->parts) {
        double part = c->high > c->low ? (x - c->low) / (c->high - c->low) * PARTS : 0;
        return part >= PARTS ? PARTS - 1 : (unsigned)part;
    }
    while (i + 1 < c->n && c->levels[i] < x)
        i++;
    return i;
}

/* How much the means of classes differ, relative to all differences. */
static double dependence(const Study *s, const Classes *c, unsigned k, const double *values,
                         const uint64_t *points, size_t n)
{
    double sum[MOST_CELLS] = {0}, x[s->n_factors + 1], mean = 0, between = 0;
    size_t count[MOST_CELLS] = {0};
    for (size_t i = 0; i < n; i++) {
        design_point(s, points[i], x, NULL);
        unsigned class = class_of(c, x[k]);
        sum[class] += values[i];
        count[class]++;
        mean += values[i] / (double)n;
    }
    for (unsigned i = 0; i < c->n; i++)
        if (count[i]) {
            double d = sum[i] / (double)count[i] - mean;
            between += d * d * (double)count[i];
        }
    return between;
}

void picture_means(Picture *p, const Study *s, const char *name, const double *values,
                   const uint64_t *points, size_t n)
{
    unsigned d = s->n_factors, a = 0, b = 0;
    if (d < 2 || !n)
        return;
    Classes *c = study_alloc(d, sizeof *c);
    double x[d], *strength = study_alloc(d, sizeof *strength);
    for (unsigned k = 0; k < d; k++)
        c[k].low = INFINITY, c[k].high = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        design_point(s, points[i], x, NULL);
        for (unsigned k = 0; k < d; k++)
            add_value(&c[k], x[k]);
    }
    for (unsigned k = 0; k < d; k++) {
        strength[k] = dependence(s, &c[k], k, values, points, n);
        a = strength[k] > strength[a] ? k : a;
    }
    b = a ? 0 : 1;
    for (unsigned k = 0; k < d; k++)
        b = k != a && strength[k] > strength[b] ? k : b;
    Cells cells = {.nx = c[a].n, .ny = c[b].n, .axes = {c[a].low, c[a].high, c[b].low, c[b].high}};
    size_t count[MOST_CELLS * MOST_CELLS] = {0};
    for (size_t i = 0; i < n; i++) {
        design_point(s, points[i], x, NULL);
        unsigned at = class_of(&c[b], x[b]) * cells.nx + class_of(&c[a], x[a]);
        cells.at[at] += values[i];
        count[at]++;
    }
    for (unsigned i = 0; i < cells.nx * cells.ny; i++)
        cells.at[i] = count[i] ? cells.at[i] / (double)count[i] : NAN;
    put_cells(p->f, &cells, name, s->factors[a].name, s->factors[b].name);
    free(strength);
    free(c);
}

/* ---- indices ---- */

static void put_bar(FILE *f, double y, double value, double half, const char *colour)
{
    const Axes a = {0, 1, 0, 1};
    double from = px(&a, 0), to = px(&a, fmin(fmax(value, 0), 1)), middle = y + BAR / 4.0,
           left = px(&a, fmin(fmax(value - half, 0), 1)),
           right = px(&a, fmin(fmax(value + half, 0), 1));
    fprintf(f, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", from, y,
            to - from, BAR / 2, colour);
    if (isfinite(half))
        fprintf(f, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#333\"/>\n", left, middle, right);
}

void picture_indices(Picture *p, const Study *s, const char *name, const Indices *x)
{
    int height = TOP + (int)s->n_factors * (BAR + 4) + BOTTOM;
    fprintf(p->f, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n", WIDTH,
            height);
    fprintf(p->f, "<text x=\"4\" y=\"14\">Sobol indices of ");
    put_text(p->f, name);
    fputs(": first order (dark), total</text>\n", p->f);
    for (unsigned k = 0; k < s->n_factors; k++) {
        double y = TOP + k * (BAR + 4.0);
        fprintf(p->f, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", LEFT - 4, y + BAR - 4);
        put_text(p->f, s->factors[k].name);
        fputs("</text>\n", p->f);
        put_bar(p->f, y, x->first[k], x->half_first[k], "#225588");
        put_bar(p->f, y + BAR / 2.0, x->total[k], x->half_total[k], "#88bbdd");
    }
    fprintf(p->f,
            "<path d=\"M%d %dV%d\" stroke=\"#999\"/><text x=\"%d\" y=\"%d\">0</text>"
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">1</text></svg>\n",
            LEFT, TOP - 2, height - BOTTOM, LEFT, height - BOTTOM + 12, WIDTH - RIGHT,
            height - BOTTOM + 12);
}

void picture_failures(Picture *p, const Study *s, const Results *r)
{
    if (r->count[POINT_OK] == r->n || !s->n_factors)
        return;
    unsigned second = s->n_factors > 1 ? 1 : 0;
    double all[s->n_factors + 1];
    Axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int turn = 0; turn < 2; turn++) {
        if (turn)
            begin(p->f, &a, "failed points (red)", s->factors[0].name, s->factors[second].name);
        for (uint64_t i = 0; i < r->n; i++) {
            bool failed = r->status[i] != POINT_OK;
            design_point(s, i, all, NULL);
            a.x0 = fmin(a.x0, all[0]);
            a.x1 = fmax(a.x1, all[0]);
            a.y0 = fmin(a.y0, all[second]);
            a.y1 = fmax(a.y1, all[second]);
            if (turn && (failed || i % (r->n / MOST_DOTS + 1) == 0))
                fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\" fill=\"%s\"/>\n",
                        px(&a, all[0]), py(&a, all[second]), failed ? "2" : "1",
                        failed ? "#cc3311" : "#bbbbbb");
        }
    }
    fputs("</svg>\n", p->f);
}

bool picture_close(Picture *p)
{
    fputs("</html>\n", p->f);
    bool ok = atomic_commit(&p->file);
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", p->path, strerror(errno));
    free(p->path);
    free(p);
    return ok;
}
