/* Bode and pole plots: tables that src/plot draws. */
#include "analysis/linear_model.h"

#include "plot/plot.h"

#include <math.h>

enum { POINTS = 400 };
static const double TURN = 6.283185307179586;

static Table *table_new(const LinearModel *l, uint32_t n_rows, uint32_t n_columns)
{
    Arena *a = l->arena;
    Table *t = ARENA_ARRAY(a, Table, 1);
    *t = (Table){.path = l->name,
                 .title = l->name,
                 .n_rows = n_rows,
                 .n_columns = n_columns,
                 .time = ARENA_ARRAY(a, double, n_rows),
                 .names = ARENA_ARRAY(a, const char *, n_columns),
                 .columns = ARENA_ARRAY(a, double *, n_columns),
                 .units = ARENA_ARRAY(a, const char *, n_columns)};
    for (uint32_t i = 0; i < n_columns; i++)
        t->columns[i] = ARENA_ARRAY(a, double, n_rows);
    return t;
}

/* ---- Bode ---- */

/* Two decades around the frequencies of poles and zeros; in Hz. */
static void frequencies(const LinearModel *l, double *low, double *high)
{
    double f, damping;
    *low = INFINITY;
    *high = 0;
    for (uint32_t i = 0; i < l->system.n + l->n_zeros; i++) {
        bool pole = i < l->system.n;
        uint32_t k = pole ? i : i - l->system.n;
        linear_damping(pole ? l->pole_re[k] : l->zero_re[k], pole ? l->pole_im[k] : l->zero_im[k],
                       l->period, &f, &damping);
        if (f > 0 && isfinite(f)) {
            *low = fmin(*low, f);
            *high = fmax(*high, f);
        }
    }
    *low = *high > 0 ? *low / 100 : 0.01;
    *high = *high > 0 ? *high * 100 : 100;
    if (l->period > 0) {
        *high = 0.5 / l->period;
        *low = fmin(*low, *high / 1e4);
    }
}

/* Magnitude in dB and phase in degrees, without jumps of a turn. */
static void fill_response(const LinearModel *l, uint32_t in, uint32_t out, const double *hertz,
                          double *magnitude, double *phase)
{
    const LinearDelays *d = &l->delays;
    const LinearSystem *s = d->n ? &l->open : &l->system;
    size_t n = (size_t)s->n + d->n;
    double *work = ARENA_ARRAY(l->arena, double, 2 * n * n + 2 * n + 2);
    double last = 0, re = 0, im = 0;
    for (uint32_t i = 0; i < POINTS; i++) {
        if (!linear_response(s, d->time, d->n, in, out, TURN * hertz[i], l->period, work, &re,
                             &im)) {
            magnitude[i] = phase[i] = NAN;
            continue;
        }
        double angle = atan2(im, re);
        if (i)
            angle += TURN * round((last - angle) / TURN);
        last = angle;
        magnitude[i] = 20 * log10(fmax(hypot(re, im), 1e-300));
        phase[i] = angle * 360 / TURN;
    }
}

bool linear_plot_bode(Context *ctx, const LinearModel *l, const char *path)
{
    const LinearSystem *s = &l->system;
    uint32_t pairs = s->m * s->p;
    if (!pairs) {
        diag(ctx, (Span){0}, DIAG_A003,
             "%s has no Bode plot: it needs an input and an output of type Real at the top level",
             l->name);
        return false;
    }
    Table *t = table_new(l, POINTS, 1 + 2 * pairs);
    double low, high;
    frequencies(l, &low, &high);
    t->names[0] = "frequency";
    t->units[0] = "Hz";
    for (uint32_t i = 0; i < POINTS; i++)
        t->columns[0][i] = t->time[i] = low * pow(high / low, i / (POINTS - 1.0));
    for (uint32_t k = 0; k < pairs; k++) {
        uint32_t in = k / s->p, out = k % s->p, at = 1 + 2 * k;
        t->names[at] = arena_printf(l->arena, "|%s/%s|", l->outputs[out], l->inputs[in]);
        t->names[at + 1] = arena_printf(l->arena, "arg(%s/%s)", l->outputs[out], l->inputs[in]);
        t->units[at] = "dB";
        t->units[at + 1] = "deg";
        fill_response(l, in, out, t->columns[0], t->columns[at], t->columns[at + 1]);
    }
    PlotOptions o = {.variables = t->names + 1,
                     .n_variables = 2 * pairs,
                     .title = l->name,
                     .x = "frequency",
                     .log_x = true,
                     .separate = true};
    const Table *tables[] = {t};
    return plot_tables(ctx, tables, 1, &o, path);
}

/* ---- poles and zeros ---- */

enum { CROSS_ROWS = 6, RING_ROWS = 26, CIRCLE_ROWS = 130 };
enum { POLES = 1, ZEROS, CIRCLE, N_COLUMNS };
static const double SHAPE = 0.785; /* height of the drawn area over its width */

static void put_point(Table *t, uint32_t row, uint32_t column, double x, double y)
{
    t->time[row] = t->columns[0][row] = x;
    for (uint32_t k = POLES; k < N_COLUMNS; k++)
        t->columns[k][row] = column == k ? y : NAN;
}

/* Two strokes for a pole. */
static uint32_t put_cross(Table *t, uint32_t row, double x, double y, double width, double height)
{
    put_point(t, row, POLES, x - width, y - height);
    put_point(t, row + 1, POLES, x + width, y + height);
    put_point(t, row + 2, POLES, x, NAN);
    put_point(t, row + 3, POLES, x - width, y + height);
    put_point(t, row + 4, POLES, x + width, y - height);
    put_point(t, row + 5, POLES, x, NAN);
    return row + CROSS_ROWS;
}

static uint32_t put_ring(Table *t, uint32_t row, uint32_t column, uint32_t rows,
                         const double middle[2], double width, double height)
{
    for (uint32_t i = 0; i + 1 < rows; i++) {
        double angle = TURN * i / (rows - 2);
        put_point(t, row + i, column, middle[0] + width * cos(angle),
                  middle[1] + height * sin(angle));
    }
    put_point(t, row + rows - 1, column, middle[0], NAN);
    return row + rows;
}

static void widen(double range[2], const double *x, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        range[0] = fmin(range[0], x[i]);
        range[1] = fmax(range[1], x[i]);
    }
}

static void round_out(double range[2])
{
    double width = range[1] - range[0];
    width = width > 0 ? width : fmax(1, fabs(range[0]));
    range[0] -= 0.1 * width;
    range[1] += 0.1 * width;
}

static void stretch(double range[2], double width)
{
    double more = 0.5 * (width - (range[1] - range[0]));
    range[0] -= fmax(more, 0);
    range[1] += fmax(more, 0);
}

bool linear_plot_poles(Context *ctx, const LinearModel *l, const char *path)
{
    uint32_t n = l->system.n;
    double x[2] = {0, 0}, y[2] = {0, 0};
    widen(x, l->pole_re, n);
    widen(x, l->zero_re, l->n_zeros);
    widen(y, l->pole_im, n);
    widen(y, l->zero_im, l->n_zeros);
    bool discrete = l->period > 0;
    widen(x, (double[]){-1, 1}, discrete ? 2 : 0);
    widen(y, (double[]){-1, 1}, discrete ? 2 : 0);
    round_out(x);
    round_out(y);
    if (discrete) { /* the unit circle is round */
        stretch(x, (y[1] - y[0]) / SHAPE);
        stretch(y, (x[1] - x[0]) * SHAPE);
    }
    double width = 0.01 * (x[1] - x[0]), height = 0.01 / SHAPE * (y[1] - y[0]);
    Table *t = table_new(l, n * CROSS_ROWS + l->n_zeros * RING_ROWS + CIRCLE_ROWS + 1, N_COLUMNS);
    static const char *const names[] = {"real part", "poles", "zeros", "unit circle"};
    for (int i = 0; i < N_COLUMNS; i++) {
        t->names[i] = names[i];
        t->units[i] = l->period > 0 ? "1" : "1/s";
    }
    uint32_t row = 0;
    for (uint32_t i = 0; i < n; i++)
        row = put_cross(t, row, l->pole_re[i], l->pole_im[i], width, height);
    for (uint32_t i = 0; i < l->n_zeros; i++)
        row = put_ring(t, row, ZEROS, RING_ROWS, (double[]){l->zero_re[i], l->zero_im[i]}, width,
                       height);
    row = put_ring(t, row, CIRCLE, CIRCLE_ROWS, (double[]){0, 0}, 1, 1);
    put_point(t, row, POLES, 0, NAN);
    const char *shown[N_COLUMNS] = {names[POLES]};
    uint32_t n_shown = 1;
    if (l->n_zeros)
        shown[n_shown++] = names[ZEROS];
    if (discrete)
        shown[n_shown++] = names[CIRCLE];
    PlotOptions o = {.variables = shown,
                     .n_variables = n_shown,
                     .title = l->name,
                     .x = "real part",
                     .x_range = x,
                     .y_range = y};
    const Table *tables[] = {t};
    return plot_tables(ctx, tables, 1, &o, path);
}
