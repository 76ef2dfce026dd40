/* Links to the source, and numbers. */
#include "report/report.h"

#include <math.h>

static ReportFile *file_entry(Report *r, uint32_t file)
{
    for (uint32_t i = 0; i < r->files.n; i++)
        if (r->files.at[i].file == file)
            return &r->files.at[i];
    vec_push(&r->files, (ReportFile){.file = file});
    return &vec_last(&r->files);
}

static void report_put_place(Report *r, uint32_t file, uint32_t line)
{
    const Source *s = file ? sources_get(r->ctx->sources, file) : NULL;
    if (!s || !line)
        return;
    vec_push(&file_entry(r, file)->lines, line);
    const char *slash = strrchr(s->path, '/');
    text_printf(r->out, "<a class=\"place\" href=\"#f%u-L%u\">", file, line);
    text_put_xml(r->out, slash ? slash + 1 : s->path);
    text_printf(r->out, ":%u</a>", line);
}

void report_put_link(Report *r, Span span)
{
    span = sources_origin(r->ctx->sources, span);
    report_put_place(r, span.file, span.file ? source_place(r->ctx->sources, span).line : 0);
}

void report_put_number(Text *t, double x)
{
    if (isnan(x))
        text_put(t, "–");
    else
        text_printf(t, "%.7g", x == 0 ? 0.0 : x);
}
