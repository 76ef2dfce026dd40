/* The contents of a plot: curves, sorted into panes of similar size; ranges; ticks. */
#include "plot/figure.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CURVES = 4, MAX_CHOSEN = 6 };

/* ---- ranges ---- */

/* The distance of the largest numbers is infinite: here and below, it is never computed. */
static void widen(double *lo, double *hi)
{
    double by = *hi > *lo ? 0.06 * *hi - 0.06 * *lo : fmax(0.5 * fabs(*lo), 0.5);
    *lo = fmax(*lo - by, -DBL_MAX);
    *hi = fmin(*hi + by, DBL_MAX);
}

static void include(double x, bool logarithmic, double *lo, double *hi)
{
    if (!isfinite(x) || (logarithmic && x <= 0))
        return;
    *lo = fmin(*lo, x);
    *hi = fmax(*hi, x);
}

static void settle(bool logarithmic, double *lo, double *hi)
{
    if (*lo > *hi)
        *lo = *hi = logarithmic ? 1 : 0;
}

static void range_of(const Table *t, uint32_t column, bool logarithmic, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (uint32_t i = 0; i < t->n_rows; i++)
        include(column == NONE ? t->time[i] : t->columns[column][i], logarithmic, lo, hi);
    settle(logarithmic, lo, hi);
}

/* ---- panes ---- */

/* Variables of like size share a pane; over a variable other than time, all of them do. */
static bool fits(const PlotFigure *f, const PlotPane *p, double lo, double hi)
{
    double have = p->hi - p->lo, add = hi - lo, both = fmax(p->hi, hi) - fmin(p->lo, lo);
    if (f->options->separate)
        return false;
    if (f->options->x || f->options->y_range)
        return true;
    return p->curves.n < MAX_CURVES * f->n_tables && add < 4 * have && have < 4 * add &&
           both < 2 * fmax(have, add);
}

static const char *curve_label(PlotFigure *f, const Table *t, uint32_t column)
{
    const char *unit = t->units ? t->units[column] : NULL;
    const char *name = f->n_tables > 1
                           ? arena_printf(f->arena, "%s (%s)", t->names[column], t->path)
                           : t->names[column];
    return unit && *unit ? arena_printf(f->arena, "%s [%s]", name, unit) : name;
}

static PlotPane *pane_for(PlotFigure *f, double lo, double hi)
{
    for (uint32_t i = 0; i < f->panes.n; i++)
        if (fits(f, &f->panes.at[i], lo, hi))
            return &f->panes.at[i];
    PlotPane p = {.lo = lo, .hi = hi};
    vec_push(&f->panes, p);
    return &vec_last(&f->panes);
}

static uint32_t count_curves(const PlotFigure *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->panes.n; i++)
        n += f->panes.at[i].curves.n;
    return n;
}

static uint32_t find_or_none(const Table *t, const char *name)
{
    return name ? table_find(t, name) : NONE;
}

/* The same variable of several results goes into one pane. */
static void add_variable(PlotFigure *f, const char *name)
{
    PlotPane *p = NULL;
    for (uint32_t k = 0; k < f->n_tables; k++) {
        const Table *t = f->tables[k];
        uint32_t column = table_find(t, name);
        if (column == NONE)
            continue;
        double lo, hi;
        range_of(t, column, f->options->log_y, &lo, &hi);
        PlotCurve c = {.table = t,
                       .y = column,
                       .x = find_or_none(t, f->options->x),
                       .by = find_or_none(t, f->options->colour),
                       .colour = count_curves(f),
                       .label = curve_label(f, t, column)};
        p = p ? p : pane_for(f, lo, hi);
        vec_push(&p->curves, c);
        p->lo = fmin(p->lo, lo);
        p->hi = fmax(p->hi, hi);
    }
}

/* ---- the choice ---- */

static bool is_state(const Table *t, uint32_t column)
{
    char name[256];
    return snprintf(name, sizeof name, "der(%s)", t->names[column]) < (int)sizeof name &&
           table_find(t, name) != NONE;
}

static int depth_of(const char *name)
{
    int dots = 0;
    for (; *name; name++)
        dots += *name == '.';
    return dots;
}

/* Whether the curve equals an earlier one, like two names of one speed. */
static bool is_drawn(const PlotFigure *f, const Table *t, uint32_t column)
{
    for (uint32_t i = 0; i < f->panes.n; i++)
        for (uint32_t k = 0; k < f->panes.at[i].curves.n; k++) {
            const PlotCurve *c = &f->panes.at[i].curves.at[k];
            if (c->table == t && !memcmp(t->columns[c->y], t->columns[column],
                                         t->n_rows * sizeof *t->columns[column]))
                return true;
        }
    return false;
}

/* The states, those nearest to the top of the model first; without states, all variables that vary.
 * Of equal curves, only the first. */
static void choose_curves(PlotFigure *f)
{
    const Table *t = f->tables[0];
    for (int states = 1; states >= 0 && !f->panes.n; states--) {
        unsigned chosen = 0;
        for (int depth = 0; depth < 8 && chosen < MAX_CHOSEN; depth++)
            for (uint32_t j = 0; j < t->n_columns && chosen < MAX_CHOSEN; j++) {
                double lo, hi;
                range_of(t, j, false, &lo, &hi);
                if (depth_of(t->names[j]) != depth || hi == lo ||
                    (states ? !is_state(t, j) : !strncmp(t->names[j], "der(", 4)) ||
                    is_drawn(f, t, j))
                    continue;
                add_variable(f, t->names[j]);
                chosen++;
            }
    }
    if (!f->panes.n && t->n_columns)
        add_variable(f, t->names[0]);
}

static bool is_known(Context *ctx, const PlotFigure *f, const char *name)
{
    for (uint32_t k = 0; k < f->n_tables; k++)
        if (table_find(f->tables[k], name) != NONE)
            return true;
    table_report_missing(ctx, f->tables[0], name);
    return false;
}

static bool take_curves(Context *ctx, PlotFigure *f)
{
    const PlotOptions *o = f->options;
    bool ok = (!o->x || is_known(ctx, f, o->x)) && (!o->colour || is_known(ctx, f, o->colour));
    for (uint32_t i = 0; i < o->n_variables; i++) {
        bool known = is_known(ctx, f, o->variables[i]);
        ok = ok && known;
        if (known)
            add_variable(f, o->variables[i]);
    }
    if (ok && !o->n_variables)
        choose_curves(f);
    return ok;
}

/* ---- events and modes ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void sort_once(PlotValues *v)
{
    if (v->n)
        qsort(v->at, v->n, sizeof *v->at, by_value);
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->n; i++)
        if (!n || v->at[n - 1] < v->at[i])
            v->at[n++] = v->at[i];
    v->n = n;
}

static void find_events(PlotFigure *f)
{
    for (uint32_t k = 0; k < f->n_tables; k++) {
        const Table *t = f->tables[k];
        for (uint32_t i = 1; i < t->n_rows; i++)
            if (t->time[i] == t->time[i - 1])
                vec_push(&f->events, t->time[i]);
    }
    sort_once(&f->events);
}

/* At most as many as can be distinguished; a variable with more values is not a mode. */
static void find_modes(PlotFigure *f)
{
    enum { MOST = 24 };
    for (uint32_t k = 0; k < f->n_tables; k++) {
        const Table *t = f->tables[k];
        uint32_t column = find_or_none(t, f->options->colour);
        for (uint32_t i = 0; column != NONE && i < t->n_rows; i++)
            if (!i || t->columns[column][i] != t->columns[column][i - 1])
                vec_push(&f->modes, t->columns[column][i]);
        sort_once(&f->modes);
        f->modes.n = f->modes.n > MOST ? MOST : f->modes.n;
    }
}

uint32_t plot_mode(const PlotFigure *f, double value)
{
    uint32_t i = 0;
    while (i + 1 < f->modes.n && f->modes.at[i] < value)
        i++;
    return i;
}

/* ---- the whole ---- */

static void give_range(const double *given, bool logarithmic, bool wide, double *lo, double *hi)
{
    if (given) {
        *lo = given[0];
        *hi = given[1];
    } else if (logarithmic) {
        *lo = pow(10, floor(log10(*lo)));
        *hi = fmin(pow(10, ceil(log10(*hi))), DBL_MAX);
        *hi = *hi > *lo ? *hi : 10 * *lo;
    } else if (wide || !(*hi > *lo)) {
        widen(lo, hi);
    }
}

static void give_ranges(PlotFigure *f)
{
    const PlotOptions *o = f->options;
    f->x0 = INFINITY;
    f->x1 = -INFINITY;
    for (uint32_t k = 0; k < f->n_tables; k++) {
        double lo, hi;
        uint32_t column = find_or_none(f->tables[k], o->x);
        if (o->x && column == NONE)
            continue;
        range_of(f->tables[k], column, o->log_x, &lo, &hi);
        f->x0 = fmin(f->x0, lo);
        f->x1 = fmax(f->x1, hi);
    }
    give_range(o->x_range, o->log_x, o->x != NULL, &f->x0, &f->x1);
    for (uint32_t i = 0; i < f->panes.n; i++)
        give_range(o->y_range, o->log_y, true, &f->panes.at[i].lo, &f->panes.at[i].hi);
}

static const char *x_title(PlotFigure *f)
{
    uint32_t column = find_or_none(f->tables[0], f->options->x);
    return column == NONE
               ? "time [s]"
               : curve_label(&(PlotFigure){.n_tables = 1, .arena = f->arena}, f->tables[0], column);
}

bool plot_arrange(Context *ctx, PlotFigure *f)
{
    f->arena = arena_new();
    if (!take_curves(ctx, f))
        return false;
    find_events(f);
    find_modes(f);
    give_ranges(f);
    f->x_title = x_title(f);
    return true;
}

void plot_release(PlotFigure *f)
{
    for (uint32_t i = 0; i < f->panes.n; i++)
        vec_free(&f->panes.at[i].curves);
    vec_free(&f->panes);
    vec_free(&f->events);
    vec_free(&f->modes);
    arena_free(f->arena);
}

/* ---- ticks ---- */

/* A step of 1, 2 or 5 times a power of ten that gives about n ticks. */
static double tick_step(double lo, double hi, int n)
{
    double raw = hi / n - lo / n, power = pow(10, floor(log10(raw))), m = raw / power;
    return power * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10);
}

static void tick_text(double x, double step, char *buf, size_t size)
{
    double a = fabs(x) < step * 1e-6 ? 0 : x;
    if (a != 0 && (fabs(a) >= 1e5 || step < 1e-4))
        snprintf(buf, size, "%.4g", a);
    else
        snprintf(buf, size, "%.*f", step >= 1 ? 0 : (int)ceil(-log10(step) - 1e-9), a);
}

static void decades(double lo, double hi, int about, PlotTick *tick, void *user)
{
    int first = (int)ceil(log10(lo) - 1e-9), last = (int)floor(log10(hi) + 1e-9);
    int step = (last - first) / about + 1;
    for (int k = first; k <= last; k += step) {
        char text[32];
        snprintf(text, sizeof text, "1e%d", k);
        tick(user, pow(10, k),
             k >= -2 && k <= 3 ? (snprintf(text, sizeof text, "%g", pow(10, k)), text) : text);
    }
}

void plot_ticks(double lo, double hi, bool logarithmic, int about, PlotTick *tick, void *user)
{
    if (logarithmic) {
        decades(lo, hi, about, tick, user);
        return;
    }
    double step = tick_step(lo, hi, about);
    double first = ceil(lo / step - 1e-9);
    for (int k = 0; k < 10 * about && first + k <= hi / step + 1e-9; k++) {
        char text[32];
        double x = (first + k) * step;
        tick_text(x, step, text, sizeof text);
        tick(user, x, text);
    }
}

double plot_share(double x, double lo, double hi, bool logarithmic)
{
    if (!logarithmic)
        return (0.5 * x - 0.5 * lo) / (0.5 * hi - 0.5 * lo);
    return x > 0 ? (log(x) - log(lo)) / (log(hi) - log(lo)) : -1;
}
