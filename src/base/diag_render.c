/* Diagnostics as text in the manner of clang, or as JSON. */
#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

typedef struct Style {
    const char *bold, *note, *warning, *error, *caret, *reset;
} Style;

static const Style plain = {"", "", "", "", "", ""};
static const Style ansi = {"\033[1m",    "\033[1;36m", "\033[1;35m",
                           "\033[1;31m", "\033[1;32m", "\033[0m"};

static const char *severity_text(Severity s)
{
    return s == SEVERITY_ERROR ? "error" : s == SEVERITY_WARNING ? "warning" : "note";
}

static const char *severity_style(const Style *st, Severity s)
{
    return s == SEVERITY_ERROR ? st->error : s == SEVERITY_WARNING ? st->warning : st->note;
}

/* The source line, and below it a caret with tildes to the end of the span; tabs are kept so that
 * both align. */
static void put_source(Text *t, const Sources *sources, Span span, Place place, const Style *st)
{
    enum { WIDEST = 400 };
    size_t n;
    const char *line = source_line(sources, span.file, place.line, &n);
    if (n > WIDEST)
        return;
    text_printf(t, "%.*s\n%s", (int)n, line, st->caret);
    const Source *src = sources_get(sources, span.file);
    size_t begin = span.at - (size_t)(line - src->text);
    size_t end = span.end > span.at ? begin + (span.end - span.at) : begin + 1;
    if (end > n)
        end = n;
    for (size_t i = 0; i < end || i <= begin; i++) {
        if (i < n && ((unsigned char)line[i] & 0xC0) == 0x80)
            continue;
        text_put_char(t, i < begin ? (line[i] == '\t' ? '\t' : ' ') : i == begin ? '^' : '~');
    }
    text_printf(t, "%s\n", st->reset);
}

static void put_message(Text *t, const Sources *sources, Span span, Severity severity,
                        const char *code, const char *text, const Style *st)
{
    Place place = source_place(sources, span);
    if (place.line)
        text_printf(t, "%s%s:%u:%u: ", st->bold, place.path, place.line, place.column);
    text_printf(t, "%s%s", severity_style(st, severity), severity_text(severity));
    if (code)
        text_printf(t, "[%s]", code);
    text_printf(t, ":%s%s %s%s\n", st->reset, st->bold, text, st->reset);
    if (place.line)
        put_source(t, sources, span, place, st);
}

/* The section of the specification with the rule, unless a note names it; NULL: none. */
static const char *section_of(const Diag *d)
{
    const char *section = diag_code_section(d->code);
    for (const DiagNote *note = d->notes; note; note = note->next)
        if (strstr(note->text, "section"))
            return NULL;
    return section;
}

static void put_text(Text *t, const Context *ctx, const Diag *d, const Style *st)
{
    put_message(t, ctx->sources, d->span, d->severity, diag_code_name(d->code), d->text, st);
    for (const DiagNote *note = d->notes; note; note = note->next)
        put_message(t, ctx->sources, note->span, SEVERITY_NOTE, NULL, note->text, st);
    if (section_of(d))
        text_printf(t, "%snote:%s%s Modelica 3.6, section %s%s\n",
                    severity_style(st, SEVERITY_NOTE), st->reset, st->bold, section_of(d),
                    st->reset);
}

static void put_json_place(Text *t, const Sources *sources, Span span)
{
    Place begin = source_place(sources, span);
    if (!begin.line)
        return;
    Place end = source_place(sources, (Span){span.file, span.end, span.end});
    text_put(t, ",\"file\":");
    text_put_json(t, begin.path);
    text_printf(t, ",\"line\":%u,\"column\":%u,\"endLine\":%u,\"endColumn\":%u", begin.line,
                begin.column, end.line, end.column);
}

static void put_json_number(Text *t, const char *name, double value)
{
    if (isfinite(value)) {
        text_printf(t, ",\"%s\":", name);
        text_put_real(t, value);
    }
}

/* The first key says what the fact is about. */
static void put_json_fact(Text *t, const DiagFact *fact)
{
    static const char *const keys[] = {[FACT_EQUATION] = "equation",
                                       [FACT_VARIABLE] = "variable",
                                       [FACT_UNDETERMINED] = "undetermined"};
    if (fact->kind == FACT_BLOCK)
        text_printf(t, ",\"block\":%u", fact->count);
    if (fact->kind == FACT_NONE || fact->kind == FACT_BLOCK)
        return;
    text_printf(t, ",\"%s\":", keys[fact->kind]);
    text_put_json(t, fact->name);
    put_json_number(t, fact->kind == FACT_EQUATION ? "residual" : "value", fact->value);
    put_json_number(t, "start", fact->start);
}

static void put_json_fix(Text *t, const Context *ctx, const Diag *d, Arena *arena)
{
    DiagFix fix;
    if (!diag_fix(ctx, d, arena, &fix))
        return;
    text_put(t, ",\"fix\":{\"title\":");
    text_put_json(t, fix.title);
    text_put(t, ",\"text\":");
    text_put_json(t, fix.text);
    put_json_place(t, ctx->sources, fix.span);
    text_put(t, "}");
}

static void put_json(Text *t, const Context *ctx, const Diag *d, Arena *arena)
{
    text_printf(t, "{\"severity\":\"%s\",\"code\":\"%s\",\"message\":", severity_text(d->severity),
                diag_code_name(d->code));
    text_put_json(t, d->text);
    put_json_place(t, ctx->sources, d->span);
    text_put(t, ",\"notes\":[");
    for (const DiagNote *note = d->notes; note; note = note->next) {
        text_put(t, "{\"message\":");
        text_put_json(t, note->text);
        put_json_fact(t, &note->fact);
        put_json_place(t, ctx->sources, note->span);
        text_put(t, note->next || section_of(d) ? "}," : "}");
    }
    if (section_of(d))
        text_printf(t, "{\"message\":\"Modelica 3.6, section %s\"}", section_of(d));
    text_put(t, "]");
    put_json_fix(t, ctx, d, arena);
    text_put(t, "}");
}

/* By file and place. Messages without a place come last, in their order. */
static int by_place(const void *a, const void *b)
{
    const Diag *x = *(Diag *const *)a, *y = *(Diag *const *)b;
    uint32_t fx = x->span.file - 1, fy = y->span.file - 1;
    if (fx != fy)
        return fx < fy ? -1 : 1;
    return x->span.at < y->span.at ? -1 : x->span.at > y->span.at;
}

static void sort_diags(Diag **list, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) { /* stable; the list is short */
        Diag *d = list[i];
        uint32_t j = i;
        for (; j > 0 && by_place(&list[j - 1], &d) > 0; j--)
            list[j] = list[j - 1];
        list[j] = d;
    }
}

char *diag_render(const Context *ctx, DiagFormat format, bool colour, Arena *arena)
{
    uint32_t n = ctx->diags.n;
    Diag **list = ARENA_ARRAY(arena, Diag *, n);
    if (n)
        memcpy(list, ctx->diags.at, n * sizeof *list);
    sort_diags(list, n);
    Text t = {0};
    if (format == DIAG_JSON)
        text_put(&t, "[");
    for (uint32_t i = 0; i < n; i++) {
        if (format == DIAG_JSON) {
            put_json(&t, ctx, list[i], arena);
            text_put(&t, i + 1 < n ? ",\n" : "");
        } else {
            put_text(&t, ctx, list[i], colour ? &ansi : &plain);
        }
    }
    if (format == DIAG_JSON)
        text_put(&t, "]\n");
    else if (ctx->n_errors > 1 || ctx->n_errors + ctx->n_warnings > n)
        text_printf(&t, "%u errors%s\n", ctx->n_errors,
                    ctx->n_errors > n ? "; the first ones are shown" : "");
    return text_keep(&t, arena);
}
