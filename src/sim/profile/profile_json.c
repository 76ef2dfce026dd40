/* ProfileRecord -> JSON. */
#include "sim/profile/profile.h"

static void put_place(Text *t, const Sources *sources, Span span)
{
    if (!span.file)
        return;
    Place place = source_place(sources, span);
    text_put(t, ",\"file\":");
    text_put_json(t, place.path);
    text_printf(t, ",\"line\":%u", place.line);
}

static void put_seconds(Text *t, const char *name, double seconds)
{
    text_printf(t, ",\"%s\":%.9f", name, seconds > 0 ? seconds : 0);
}

static void put_row(Text *t, const Sources *sources, ProfileTable table, const ProfileRow *row)
{
    text_put(t, "{\"name\":");
    text_put_json(t, row->name);
    put_place(t, sources, row->span);
    for (uint32_t i = 0; i < PROFILE_COUNTS && profile_count_names[table][i]; i++)
        text_printf(t, ",\"%s\":%llu", profile_count_names[table][i],
                    (unsigned long long)row->counts[i]);
    put_seconds(t, "seconds", row->seconds);
    put_seconds(t, "own", row->own);
    text_put(t, "}");
}

static void open_call(Text *t, const Sources *sources, const ProfileRecord *record, uint32_t i)
{
    static const char *const kinds[] = {[PROFILE_RUN] = "run",
                                        [PROFILE_PART] = "part",
                                        [PROFILE_BLOCK] = "block",
                                        [PROFILE_FUNCTION] = "function"};
    const ProfileCall *c = &record->calls->at[i];
    text_printf(t, "{\"kind\":\"%s\",\"name\":", kinds[c->kind]);
    text_put_json(t, record->names[i]);
    put_place(t, sources, record->spans[i]);
    text_printf(t, ",\"calls\":%llu", (unsigned long long)c->calls);
    put_seconds(t, "seconds", c->seconds);
    text_put(t, ",\"children\":[");
}

/* Each call with those that it made. */
static void put_calls(Text *t, const Sources *sources, const ProfileRecord *record)
{
    const ProfileCall *at = record->calls->at;
    uint32_t i = 0;
    open_call(t, sources, record, 0);
    for (;;) {
        if (at[i].first) {
            i = at[i].first;
        } else {
            text_put(t, "]}");
            while (i && !at[i].next) {
                i = at[i].parent;
                text_put(t, "]}");
            }
            if (!i)
                return;
            text_put(t, ",");
            i = at[i].next;
        }
        open_call(t, sources, record, i);
    }
}

void profile_put_json(Text *t, const Sources *sources, const ProfileRecord *record)
{
    text_printf(t, "{\"seconds\":%.9f", record->seconds);
    for (uint32_t k = 0; k < PROFILE_TABLES; k++) {
        const ProfileRows *rows = &record->tables[k];
        text_printf(t, ",\"%s\":[", profile_table_names[k]);
        for (uint32_t i = 0; i < rows->n; i++) {
            text_put(t, i ? "," : "");
            put_row(t, sources, (ProfileTable)k, &rows->at[i]);
        }
        text_put(t, "]");
    }
    text_put(t, ",\"calls\":");
    put_calls(t, sources, record);
    text_put(t, "}");
}
