#include "api/fitting/charts.h"

#include "plot/figure.h"

#include <math.h>

enum { WIDTH = 860, HEIGHT = 300, LEFT = 64, RIGHT = 14, TOP = 12, BOTTOM = 40, MOST_DOTS = 3000 };

typedef struct Frame {
    Text *t;
    double x0, x1, y0, y1;
    bool across; /* ticks of the horizontal axis */
} Frame;

static double place_x(const Frame *f, double x)
{
    return LEFT + plot_share(x, f->x0, f->x1, false) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const Frame *f, double y)
{
    return HEIGHT - BOTTOM - plot_share(y, f->y0, f->y1, false) * (HEIGHT - TOP - BOTTOM);
}

static void put_tick(void *user, double value, const char *text)
{
    Frame *f = user;
    double x = place_x(f, value), y = place_y(f, value);
    if (f->across)
        text_printf(f->t,
                    "<path stroke=\"var(--grid)\" d=\"M%.1f %dV%d\"/><text x=\"%.1f\" y=\"%d\" "
                    "text-anchor=\"middle\">%s</text>\n",
                    x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, text);
    else
        text_printf(f->t,
                    "<path stroke=\"var(--grid)\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" "
                    "text-anchor=\"end\">%s</text>\n",
                    LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, text);
}

static void widen(double *low, double *high, double x)
{
    *low = fmin(*low, isfinite(x) ? x : *low);
    *high = fmax(*high, isfinite(x) ? x : *high);
}

static Frame frame_of(Text *t, const Chart *c)
{
    Frame f = {t, INFINITY, -INFINITY, INFINITY, -INFINITY, true};
    for (size_t i = 0; i < c->n; i++) {
        widen(&f.x0, &f.x1, c->x[i]);
        widen(&f.y0, &f.y1, c->dots ? c->dots[i] : NAN);
        widen(&f.y0, &f.y1, c->line ? c->line[i] : NAN);
    }
    double margin = f.y1 > f.y0 ? 0.05 * (f.y1 - f.y0) : 1;
    f.y0 -= margin;
    f.y1 += margin;
    f.x1 = f.x1 > f.x0 ? f.x1 : f.x0 + 1;
    return f;
}

static void put_curve(const Frame *f, const Chart *c)
{
    const char *command = "M";
    text_put(f->t, "<path fill=\"none\" stroke=\"var(--accent)\" stroke-width=\"1.6\" d=\"");
    for (size_t i = 0; i < c->n; i++) {
        bool there = isfinite(c->x[i]) && isfinite(c->line[i]);
        if (there)
            text_printf(f->t, "%s%.1f %.1f", command, place_x(f, c->x[i]), place_y(f, c->line[i]));
        command = there ? "L" : "M";
    }
    text_put(f->t, "\"/>\n");
}

static void put_dots(const Frame *f, const Chart *c)
{
    size_t every = c->n / MOST_DOTS + 1;
    text_put(f->t, "<g fill=\"var(--muted)\" fill-opacity=\"0.7\">\n");
    for (size_t i = 0; i < c->n; i += every)
        if (isfinite(c->x[i]) && isfinite(c->dots[i]))
            text_printf(f->t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\"/>\n", place_x(f, c->x[i]),
                        place_y(f, c->dots[i]));
    text_put(f->t, "</g>\n");
}

void put_chart(Text *t, const Chart *c)
{
    Frame f = frame_of(t, c);
    text_printf(t,
                "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" font-size=\"12\" "
                "fill=\"currentColor\">\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                "fill=\"none\" stroke=\"var(--axis)\"/>\n",
                WIDTH, HEIGHT, LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
    plot_ticks(f.x0, f.x1, false, 8, put_tick, &f);
    f.across = false;
    plot_ticks(f.y0, f.y1, false, 5, put_tick, &f);
    if (c->dots)
        put_dots(&f, c);
    if (c->line)
        put_curve(&f, c);
    text_printf(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2,
                HEIGHT - 6);
    text_put_xml(t, c->x_title);
    text_put(t, "</text></svg>\n<figcaption>");
    text_put_xml(t, c->title);
    text_put(t, "</figcaption></figure>\n");
}

void put_number_cell(Text *t, double x)
{
    text_put(t, "<td class=\"number\">");
    if (isfinite(x))
        text_printf(t, "%.6g", x);
    text_put(t, "</td>");
}

void put_code_cell(Text *t, const char *text)
{
    text_put(t, "<td class=\"code\">");
    text_put_xml(t, text);
    text_put(t, "</td>");
}
