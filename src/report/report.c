/* The page: its head and the sections that are plain tables. */
#include "report/report.h"

#include "plot/figure.h"

#include <math.h>

enum { MOST_ROWS = 1000 };

/* ---- head ---- */

static void put_head(Report *r)
{
    const Flat *flat = r->flat;
    const Table *t = r->table;
    const char *about = r->model->comment.text;
    text_put(r->out, "<h1>");
    text_put_xml(r->out, flat->name);
    text_put(r->out, "</h1>\n<p class=\"lead\">");
    text_put_xml(r->out, about ? about : "");
    text_put(r->out, "</p>\n<p>");
    report_put_link(r, r->model->name_span);
    if (t)
        text_printf(r->out, " · simulated from %g to %g", t->time[0], t->time[t->n_rows - 1]);
    text_printf(r->out, " · %u states · %llu events</p>\n", r->plan->states.n,
                (unsigned long long)r->n_events);
    text_put(r->out, "<nav>");
    const struct {
        const char *name;
        bool there;
    } sections[] = {{"diagram", r->diagram && *r->diagram},
                    {"plots", t},
                    {"events", true},
                    {"values", t},
                    {"statistics", true},
                    {"profile", r->profile},
                    {"equations", true},
                    {"source", true}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (sections[i].there)
            text_printf(r->out, "<a href=\"#%s\">%s</a>", sections[i].name, sections[i].name);
    text_put(r->out, r->links ? r->links : "");
    text_put(r->out, "</nav>\n");
    if (r->messages && *r->messages) {
        text_put(r->out, "<pre class=\"log\">");
        text_put_xml(r->out, r->messages);
        text_put(r->out, "</pre>\n");
    }
}

/* ---- plots ---- */

static void put_plots(Report *r)
{
    PlotOptions o = {.title = "States", .events = r->n_events > 0 && r->n_events < 200};
    PlotFigure f = {.options = &o, .tables = &r->table, .n_tables = 1};
    text_put(r->out, "<h2 id=\"plots\">Plots</h2>\n");
    if (plot_arrange(r->ctx, &f))
        plot_put_figure(&f, r->out);
    plot_release(&f);
}

/* ---- values ---- */

static void put_value_row(Report *r, const Column *c, const double *values, uint32_t n)
{
    Text *t = r->out;
    text_put(t, "<tr><td class=\"code\">");
    text_put_xml(t, c->name);
    text_put(t, "</td><td class=\"number\">");
    report_put_number(t, values[0]);
    if (!c->constant) {
        text_put(t, "</td><td class=\"number\">");
        report_put_number(t, values[n - 1]);
    }
    text_put(t, "</td><td>");
    text_put_xml(t, c->unit ? c->unit : "");
    text_put(t, "</td><td>");
    text_put_xml(t, c->description ? c->description : "");
    text_put(t, "</td></tr>\n");
}

/* Its own name, not that of an alias. */
static bool is_state(Report *r, const Column *c)
{
    const Plan *p = r->plan;
    for (uint32_t i = 0; i < p->states.n; i++)
        if (p->states.at[i].var == c->var)
            return !strcmp(dae_var_name(r->plan->dae, c->var, r->arena), c->name);
    return false;
}

typedef enum VarGroup { PARAMETERS, STATES, OTHERS } VarGroup;

/* The columns of the table are in the order of the list. */
static uint32_t put_values(Report *r, const Columns *columns, VarGroup which)
{
    uint32_t n = 0;
    text_printf(
        r->out, "<div class=\"scroll\"><table><tr><th>%s</th>%s<th>unit</th><th></th></tr>\n",
        which == PARAMETERS ? "parameter" : "variable",
        which == PARAMETERS ? "<th>value</th>" : "<th>at the start</th><th>at the end</th>");
    for (uint32_t i = 0; i < columns->list.n && n < MOST_ROWS; i++) {
        const Column *c = &columns->list.at[i];
        uint32_t at = i < r->table->n_columns && !strcmp(r->table->names[i], c->name) ? i : NONE;
        if (at == NONE ||
            (c->constant ? which != PARAMETERS : which != (is_state(r, c) ? STATES : OTHERS)))
            continue;
        put_value_row(r, c, r->table->columns[at], r->table->n_rows);
        n++;
    }
    text_put(r->out, "</table></div>\n");
    if (n == MOST_ROWS)
        text_printf(r->out, "<p>the first %d are shown</p>\n", MOST_ROWS);
    return n;
}

static void put_all_values(Report *r)
{
    Columns *columns = columns_new(r->ctx, r->plan, NULL, false);
    text_put(r->out, "<h2 id=\"values\">Initial values</h2>\n");
    if (r->plan->states.n)
        put_values(r, columns, STATES);
    else
        text_put(r->out, "<p>The model has no states.</p>\n");
    text_put(r->out, "<details><summary>parameters</summary>\n");
    put_values(r, columns, PARAMETERS);
    text_put(r->out, "</details>\n<details><summary>other variables</summary>\n");
    put_values(r, columns, OTHERS);
    text_put(r->out, "</details>\n");
    columns_free(columns);
}

/* ---- the whole ---- */

void report_write(Report *r)
{
    page_begin(r->out, r->flat->name);
    put_head(r);
    if (r->diagram && *r->diagram)
        text_printf(r->out, "<h2 id=\"diagram\">Diagram</h2>\n<div class=\"diagram\">%s</div>\n",
                    r->diagram);
    if (r->table)
        put_plots(r);
    text_put(r->out, r->analyses ? r->analyses : "");
    report_put_events(r);
    if (r->table)
        put_all_values(r);
    text_put(r->out, "<h2 id=\"statistics\">Statistics</h2>\n<pre class=\"log\">");
    text_put_xml(r->out, r->log ? r->log : "");
    text_put(r->out, "</pre>\n");
    if (r->profile)
        report_put_profile(r);
    report_put_equations(r);
    report_put_sources(r);
    page_end(r->out);
    for (uint32_t i = 0; i < r->files.n; i++)
        vec_free(&r->files.at[i].lines);
    vec_free(&r->files);
}
