/* Plots in the terminal: dots of Braille characters, two across and four down in each. */
#include "base/text.h"
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>

enum { MARGIN = 11 };

typedef struct Screen {
    unsigned columns, rows; /* of characters, without margins */
    uint8_t *dots;          /* of each character */
    uint8_t *colours;       /* of the curve drawn last in it, from 1 */
} Screen;

static void put_dot(Screen *s, int x, int y, unsigned colour)
{
    static const uint8_t bits[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    if (x < 0 || y < 0 || x >= (int)(2 * s->columns) || y >= (int)(4 * s->rows))
        return;
    size_t at = (size_t)(y / 4) * s->columns + (size_t)x / 2;
    s->dots[at] |= bits[y % 4][x % 2];
    s->colours[at] = (uint8_t)(colour % 6 + 1);
}

static void put_line(Screen *s, double x0, double y0, double x1, double y1, unsigned colour)
{
    double limit = 4.0 * (s->columns + s->rows) + 8;
    double n = fmin(fmax(fabs(x1 - x0), fabs(y1 - y0)), 4 * limit);
    for (int i = 0; i <= (int)n; i++) {
        double k = n < 1 ? 0 : i / n;
        put_dot(s, (int)lround(x0 + k * (x1 - x0)), (int)lround(y0 + k * (y1 - y0)), colour);
    }
}

static void draw_curve(Screen *s, const PlotFigure *f, const PlotPane *p, const PlotCurve *c)
{
    const PlotOptions *o = f->options;
    double last_x = NAN, last_y = NAN;
    for (uint32_t i = 0; i < c->table->n_rows; i++) {
        double x = plot_share(curve_x(c, i), f->x0, f->x1, o->log_x) * (2 * s->columns - 1);
        double y = (1 - plot_share(curve_y(c, i), p->lo, p->hi, o->log_y)) * (4 * s->rows - 1);
        unsigned colour = c->by == NONE ? c->colour : plot_mode(f, c->table->columns[c->by][i]);
        if (isfinite(x) && isfinite(y) && isfinite(last_x))
            put_line(s, last_x, last_y, x, y, colour);
        last_x = isfinite(y) ? x : NAN;
        last_y = y;
    }
}

/* ---- text ---- */

typedef struct Ticks {
    char (*texts)[MARGIN]; /* one for each row, or empty */
    const PlotPane *p;
    const PlotFigure *f;
    unsigned rows;
} Ticks;

static void y_tick(void *user, double y, const char *text)
{
    Ticks *t = user;
    double share = plot_share(y, t->p->lo, t->p->hi, t->f->options->log_y);
    unsigned row = (unsigned)((1 - share) * (t->rows - 1) + 0.5);
    if (row < t->rows)
        snprintf(t->texts[row], MARGIN, "%.10s", text);
}

static void put_cell(Text *out, const Screen *s, size_t at, bool colour)
{
    static const char *const codes[] = {"34", "31", "32", "35", "36", "33"};
    unsigned c = 0x2800u + s->dots[at];
    if (!s->dots[at]) {
        text_put(out, " ");
        return;
    }
    if (colour)
        text_printf(out, "\033[%sm", codes[(s->colours[at] - 1) % 6]);
    text_printf(out, "%c%c%c", (char)(0xE0 | c >> 12), (char)(0x80 | (c >> 6 & 0x3F)),
                (char)(0x80 | (c & 0x3F)));
    if (colour)
        text_put(out, "\033[0m");
}

static void put_pane(Text *out, PlotFigure *f, const PlotPane *p, Screen *s, bool colour)
{
    char texts[200][MARGIN] = {{0}};
    Ticks ticks = {texts, p, f, s->rows};
    plot_ticks(p->lo, p->hi, f->options->log_y, (int)(s->rows / 3 + 1), y_tick, &ticks);
    for (uint32_t i = 0; i < p->curves.n; i++)
        text_printf(out, "%s%s", i ? ", " : "            ", p->curves.at[i].label);
    text_put(out, "\n");
    for (unsigned row = 0; row < s->rows; row++) {
        text_printf(out, "%10s ┤", texts[row]);
        for (unsigned k = 0; k < s->columns; k++)
            put_cell(out, s, (size_t)row * s->columns + k, colour);
        text_put(out, "\n");
    }
}

static void put_x_axis(Text *out, const PlotFigure *f, unsigned columns)
{
    char left[32], right[32];
    snprintf(left, sizeof left, "%g", f->x0);
    snprintf(right, sizeof right, "%g", f->x1);
    text_put(out, "           └");
    for (unsigned i = 0; i < columns; i++)
        text_put(out, "─");
    int room = (int)columns - (int)strlen(left) - (int)strlen(right) - (int)strlen(f->x_title);
    room = room < 2 ? 2 : room;
    text_printf(out, "\n            %s%*s%s%*s%s\n", left, room / 2, "", f->x_title,
                room - room / 2, "", right);
}

char *plot_in_terminal(PlotFigure *f, unsigned columns, unsigned rows, bool colour)
{
    unsigned panes = f->panes.n ? f->panes.n : 1;
    unsigned each = rows / panes > 8 ? rows / panes - 2 : 6;
    Screen s = {.columns = columns > MARGIN + 12 ? columns - MARGIN - 2 : 12,
                .rows = each > 180 ? 180 : each};
    Text out = {0};
    for (uint32_t i = 0; i < f->panes.n; i++) {
        size_t cells = (size_t)s.columns * s.rows;
        s.dots = arena_alloc(f->arena, cells);
        s.colours = arena_alloc(f->arena, cells);
        for (uint32_t k = 0; k < f->panes.at[i].curves.n; k++)
            draw_curve(&s, f, &f->panes.at[i], &f->panes.at[i].curves.at[k]);
        put_pane(&out, f, &f->panes.at[i], &s, colour);
    }
    put_x_axis(&out, f, s.columns);
    return text_keep(&out, f->arena);
}
