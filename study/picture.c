#include "picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 300, HEIGHT = 200, LEFT = 56, BOTTOM = 34, TOP = 22, RIGHT = 12 };
enum { MOST_DOTS = 2000, BINS = 24, MOST_SCATTERS = 6 };

struct Picture {
    FILE *f;
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
    FILE *f = fopen(path, "w");
    if (!f) {
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
        return NULL;
    }
    Picture *p = calloc(1, sizeof *p);
    p->f = f;
    p->path = strdup(path);
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

static double px(const Axes *a, double x)
{
    double width = a->x1 > a->x0 ? a->x1 - a->x0 : 1;
    return LEFT + (x - a->x0) / width * (WIDTH - LEFT - RIGHT);
}

static double py(const Axes *a, double y)
{
    double height = a->y1 > a->y0 ? a->y1 - a->y0 : 1;
    return HEIGHT - BOTTOM - (y - a->y0) / height * (HEIGHT - BOTTOM - TOP);
}

static void begin(FILE *f, const Axes *a, const char *title, const char *x)
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

static void histogram(FILE *f, const char *name, const double *values, size_t n)
{
    size_t bins[BINS] = {0}, most = 0;
    Axes a = {0};
    range(values, n, &a.x0, &a.x1);
    for (size_t i = 0; i < n; i++) {
        double part = a.x1 > a.x0 ? (values[i] - a.x0) / (a.x1 - a.x0) * BINS : 0;
        size_t b = part >= BINS ? BINS - 1 : (size_t)part;
        most = ++bins[b] > most ? bins[b] : most;
    }
    a.y1 = (double)most;
    begin(f, &a, "points", name);
    double width = (double)(WIDTH - LEFT - RIGHT) / BINS;
    for (unsigned b = 0; b < BINS; b++)
        fprintf(f,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#4477aa\"/>\n",
                LEFT + b * width, py(&a, (double)bins[b]), width - 0.5,
                HEIGHT - BOTTOM - py(&a, (double)bins[b]));
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
            design_point(s, points[i], all, NULL);
            x[m] = all[k];
            y[m++] = values[i];
        }
        range(x, m, &a.x0, &a.x1);
        range(y, m, &a.y0, &a.y1);
        begin(p->f, &a, name, s->factors[k].name);
        for (size_t i = 0; i < m; i++)
            fprintf(p->f, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.2\" fill=\"#4477aa\"/>\n",
                    px(&a, x[i]), py(&a, y[i]));
        fputs("</svg>\n", p->f);
    }
}

void picture_surface(Picture *p, const char *name, const char *x, const char *y,
                     const double *cells, unsigned n)
{
    double low, high;
    Axes a = {0, 1, 0, 1};
    char title[200];
    range(cells, (size_t)n * n, &low, &high);
    snprintf(title, sizeof title, "%.40s, from %.4g (dark) to %.4g; up: %.40s", name, low, high, y);
    begin(p->f, &a, title, x);
    double w = (double)(WIDTH - LEFT - RIGHT) / n, h = (double)(HEIGHT - TOP - BOTTOM) / n;
    for (unsigned i = 0; i < n * n; i++) {
        double part = high > low ? (cells[i] - low) / (high - low) : 0.5;
        fprintf(p->f,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                "fill=\"rgb(%d,%d,%d)\"/>\n",
                LEFT + i % n * w, HEIGHT - BOTTOM - (i / n + 1) * h, w + 0.3, h + 0.3,
                (int)(40 + 210 * part), (int)(50 + 180 * part), (int)(110 + 60 * (1 - part)));
    }
    fputs("</svg>\n", p->f);
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
            begin(p->f, &a, "failed points (red); up: second factor", s->factors[0].name);
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
    bool ok = !ferror(p->f);
    ok = !fclose(p->f) && ok;
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", p->path, strerror(errno));
    free(p->path);
    free(p);
    return ok;
}
