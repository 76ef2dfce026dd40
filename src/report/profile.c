/* The profile of the run: a flame graph, and its tables. A bar is as wide as its share of the time;
 * below it are the calls that it made. */
#include "report/report.h"

enum { WIDTH = 960, HEIGHT = 18, MOST_LISTED = 20 };
static const double NARROWEST = 0.5; /* bar that is drawn, in pixels */
static const double LETTER = 6.5;    /* width */

const ProfileRecord *report_profile(const ProfileRecord *record, Arena *arena)
{
    ProfileRecord *copy = ARENA_NEW(arena, ProfileRecord);
    Profile *calls = ARENA_NEW(arena, Profile);
    uint32_t n = record->calls->n;
    *copy = *record;
    *calls = *record->calls;
    copy->calls = calls;
    calls->at = ARENA_ARRAY(arena, ProfileCall, n);
    memcpy(calls->at, record->calls->at, n * sizeof *calls->at);
    copy->names = ARENA_ARRAY(arena, const char *, n);
    copy->spans = ARENA_ARRAY(arena, Span, n);
    for (uint32_t i = 0; i < n; i++) {
        copy->names[i] = arena_copy(arena, record->names[i], strlen(record->names[i]));
        copy->spans[i] = record->spans[i];
    }
    for (uint32_t k = 0; k < PROFILE_TABLES; k++) {
        ProfileRows *rows = &copy->tables[k];
        rows->at = ARENA_ARRAY(arena, ProfileRow, rows->n + (size_t)1);
        for (uint32_t i = 0; i < rows->n; i++) {
            rows->at[i] = record->tables[k].at[i];
            rows->at[i].name = arena_copy(arena, rows->at[i].name, strlen(rows->at[i].name));
        }
    }
    return copy;
}

/* ---- the flame graph ---- */

static void put_bar(Report *r, uint32_t i, double x, double width)
{
    static const char *const colours[] = {[PROFILE_RUN] = "#9db4c8",
                                          [PROFILE_PART] = "#56b4e9",
                                          [PROFILE_BLOCK] = "#e69f00",
                                          [PROFILE_FUNCTION] = "#d98a6b"};
    const ProfileRecord *p = r->profile;
    const ProfileCall *c = &p->calls->at[i];
    Text *t = r->out;
    double y = c->depth * HEIGHT, letters = (width - 8) / LETTER;
    size_t length = strlen(p->names[i]), fit = letters < 1 ? 0 : (size_t)letters;
    text_put(t, "<g><title>");
    text_put_xml(t, p->names[i]);
    if (p->spans[i].file) {
        Place place = source_place(r->ctx->sources, p->spans[i]);
        text_put(t, " (");
        text_put_xml(t, place.path);
        text_printf(t, ":%u)", place.line);
    }
    text_printf(t, ": %.3g s, %.1f %%, %llu call%s</title>", c->seconds,
                100 * c->seconds / p->seconds, (unsigned long long)c->calls,
                c->calls == 1 ? "" : "s");
    text_printf(t,
                "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" rx=\"2\" fill=\"%s\" "
                "stroke=\"#fff\" stroke-width=\"0.5\"/>",
                x, y, width, HEIGHT - 1, colours[c->kind]);
    if (fit >= 3) {
        size_t shown = length <= fit ? length : text_cut(p->names[i], fit - 1);
        text_printf(t, "<text x=\"%.2f\" y=\"%.0f\" style=\"fill:#111;font-size:11px\">", x + 4,
                    y + 13);
        text_put_xml(t, arena_copy(r->arena, p->names[i], shown));
        text_put(t, shown < length ? "…</text>" : "</text>");
    }
    text_put(t, "</g>\n");
}

static void put_flames(Report *r)
{
    const ProfileRecord *p = r->profile;
    uint32_t n = p->calls->n, deepest = 0;
    double *left = ARENA_ARRAY(r->arena, double, n), *next = ARENA_ARRAY(r->arena, double, n);
    double scale = WIDTH / p->seconds;
    for (uint32_t i = 0; i < n; i++)
        if (p->calls->at[i].seconds * scale >= NARROWEST && p->calls->at[i].depth > deepest)
            deepest = p->calls->at[i].depth;
    text_printf(r->out,
                "<div class=\"scroll\"><svg class=\"timeline flames\" viewBox=\"0 0 %d %u\" "
                "role=\"img\"><title>flame graph of the run</title>\n",
                WIDTH + 4, (deepest + 1) * HEIGHT + 4);
    for (uint32_t i = 0; i < n; i++) {
        const ProfileCall *c = &p->calls->at[i];
        double width = c->seconds * scale;
        left[i] = i ? next[c->parent] : 0;
        next[i] = left[i];
        if (i)
            next[c->parent] += width;
        if (width >= NARROWEST)
            put_bar(r, i, left[i], width);
    }
    text_put(r->out, "</svg></div>\n");
}

/* ---- the tables ---- */

static void put_row(Report *r, uint32_t table, const ProfileRow *row)
{
    Text *t = r->out;
    double own = row->own > 0 ? row->own : 0;
    text_put(t, "<tr><td class=\"code\">");
    text_put_xml(t, row->name);
    text_put(t, " ");
    report_put_link(r, row->span);
    text_printf(t, "</td><td class=\"number\">%.3g</td><td class=\"number\">%.1f %%</td>", own,
                100 * own / r->profile->seconds);
    text_printf(t, "<td class=\"number\">%.3g</td>", row->seconds);
    for (uint32_t i = 0; i < PROFILE_COUNTS && profile_count_names[table][i]; i++)
        text_printf(t, "<td class=\"number\">%llu</td>", (unsigned long long)row->counts[i]);
    text_put(t, "</tr>\n");
}

static void put_table(Report *r, uint32_t table)
{
    const ProfileRows *rows = &r->profile->tables[table];
    if (!rows->n)
        return;
    text_printf(r->out,
                "<details%s><summary>%s</summary>\n<div class=\"scroll\"><table><tr><th></th>"
                "<th>own s</th><th>share</th><th>total s</th>",
                table <= TABLE_FUNCTIONS ? " open" : "", profile_table_names[table]);
    for (uint32_t i = 0; i < PROFILE_COUNTS && profile_count_names[table][i]; i++)
        text_printf(r->out, "<th>%s</th>", profile_count_names[table][i]);
    text_put(r->out, "</tr>\n");
    for (uint32_t i = 0; i < rows->n && i < MOST_LISTED; i++)
        put_row(r, table, &rows->at[i]);
    text_put(r->out, "</table></div>\n");
    if (rows->n > MOST_LISTED)
        text_printf(r->out, "<p>the first %d of %u are listed</p>\n", MOST_LISTED, rows->n);
    text_put(r->out, "</details>\n");
}

void report_put_profile(Report *r)
{
    text_printf(r->out,
                "<h2 id=\"profile\">Profile</h2>\n<p>%.3g s after compiling. A bar is as wide as "
                "its share of the time; below it are the calls that it made. States: steps that "
                "their errors limited.</p>\n",
                r->profile->seconds);
    put_flames(r);
    for (uint32_t i = 0; i < PROFILE_TABLES; i++)
        put_table(r, i);
}
