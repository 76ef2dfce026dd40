/* The sorted equations, and the source they come from. */
#include "report/report.h"

#include <stdlib.h>

enum { MOST_EQUATIONS = 4000, WHOLE_FILE = 1500, AROUND = 5 };

static void put_equation(Report *r, EqId e, VarId unknown, bool residual)
{
    const Dae *d = r->plan->dae;
    Arena *scratch = arena_new();
    text_put(r->out, "<li><span class=\"text code\">");
    text_put_xml(r->out, dae_eq_print(d, e, scratch));
    if (d->eqs.at[e].origin == DAE_EQ_DERIVED)
        text_put(r->out, " <em>(differentiated)</em>");
    text_printf(r->out, "</span><span>%s <span class=\"unknown code\">",
                residual ? "residual for" : "gives");
    text_put_xml(r->out, dae_var_name(d, unknown, scratch));
    text_put(r->out, "</span></span>");
    report_put_link(r, d->eqs.at[e].span);
    text_put(r->out, "</li>\n");
    arena_free(scratch);
}

static uint32_t put_block(Report *r, const PlanBlock *b)
{
    const Plan *p = r->plan;
    uint32_t n = b->n_steps + b->n_torn + b->n_discrete;
    bool system = b->kind != BLOCK_EXPLICIT;
    if (system)
        text_printf(r->out,
                    "</ul><div class=\"block\"><div class=\"head\">%s%ssystem of %u equations, %u "
                    "iterated</div><ul class=\"equations\">\n",
                    b->mixed ? "mixed " : "", b->kind == BLOCK_LINEAR ? "linear " : "nonlinear ", n,
                    b->n_torn);
    for (uint32_t i = 0; i < b->n_steps; i++)
        put_equation(r, p->steps.at[b->step + i].eq, p->steps.at[b->step + i].var, false);
    for (uint32_t i = 0; i < b->n_torn; i++)
        put_equation(r, p->torn.at[b->torn + i].eq, p->torn.at[b->torn + i].var, true);
    for (uint32_t i = 0; i < b->n_discrete; i++)
        put_equation(r, p->steps.at[b->discrete + i].eq, p->steps.at[b->discrete + i].var, false);
    if (system)
        text_put(r->out, "</ul></div><ul class=\"equations\">\n");
    return n;
}

void report_put_equations(Report *r)
{
    const Plan *p = r->plan;
    uint32_t n = 0, i = 0;
    text_printf(r->out,
                "<h2 id=\"equations\">Sorted equations</h2>\n<p>In the order in which they are "
                "solved, in %u "
                "blocks.</p>\n",
                p->main.n_blocks);
    text_put(r->out, "<ul class=\"equations\">\n");
    for (; i < p->main.n_blocks && n < MOST_EQUATIONS; i++)
        n += put_block(r, &p->blocks.at[p->main.block + i]);
    text_put(r->out, "</ul>\n");
    if (i < p->main.n_blocks)
        text_printf(r->out, "<p>%u more blocks are not shown.</p>\n", p->main.n_blocks - i);
}

/* ---- the source ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void put_line(Report *r, uint32_t file, uint32_t line)
{
    size_t n;
    const char *text = source_line(r->ctx->sources, file, line, &n);
    Arena *scratch = arena_new();
    text_printf(r->out, "<span id=\"f%u-L%u\" data-line=\"%u\">", file, line, line);
    text_put_xml(r->out, arena_copy(scratch, text, n));
    text_put(r->out, "</span>");
    arena_free(scratch);
}

/* A long file is cut to the lines that are referred to and their neighbours. */
static void put_file(Report *r, ReportFile *f, bool open)
{
    const Source *s = sources_get(r->ctx->sources, f->file);
    source_place(r->ctx->sources, (Span){f->file, 0, 0}); /* finds the lines */
    text_printf(r->out, "<details%s><summary>", open ? " open" : "");
    text_put_xml(r->out, s->path);
    text_put(r->out, "</summary>\n<pre class=\"source\">");
    qsort(f->lines.at, f->lines.n, sizeof *f->lines.at, by_number);
    uint32_t last = 0;
    for (uint32_t i = 0; i < f->lines.n; i++) {
        uint32_t line = f->lines.at[i], from = line > AROUND ? line - AROUND : 1,
                 to = line + AROUND;
        if (s->n_lines <= WHOLE_FILE) {
            from = 1;
            to = s->n_lines - (s->size && s->text[s->size - 1] == '\n');
        }
        from = from > last ? from : last + 1;
        if (from > last + 1 && last)
            text_put(r->out, "<span data-line=\"…\"></span>");
        for (uint32_t k = from; k <= to && k <= s->n_lines; k++)
            put_line(r, f->file, last = k);
    }
    text_put(r->out, "</pre></details>\n");
}

void report_put_sources(Report *r)
{
    text_put(r->out, "<h2 id=\"source\">Source</h2>\n");
    for (uint32_t i = 0; i < r->files.n; i++)
        put_file(r, &r->files.at[i], i == 0);
}
