/* ProfileRecord -> a table for people. */
#include "sim/profile/profile.h"

enum { SHOWN_ROWS = 10 };

static void put_head(Text *t, ProfileTable table)
{
    static const char *const titles[PROFILE_TABLES] = {
        [TABLE_PARTS] = "part of the run",
        [TABLE_BLOCKS] = "block of equations",
        [TABLE_FUNCTIONS] = "function",
        [TABLE_RELATIONS] = "relation that triggers events",
        [TABLE_STATES] = "state that limits the step",
        [TABLE_MODES] = "mode"};
    text_put(t, "\n     own s    share     total s");
    for (uint32_t i = 0; i < PROFILE_COUNTS && profile_count_names[table][i]; i++)
        text_printf(t, "  %*s", i ? 14 : 10, profile_count_names[table][i]);
    text_printf(t, "  %s\n", titles[table]);
}

static void put_place(Text *t, const Sources *sources, Span span)
{
    if (!span.file)
        return;
    Place place = source_place(sources, span);
    const char *slash = strrchr(place.path, '/');
    text_printf(t, " (%s:%u)", slash ? slash + 1 : place.path, place.line);
}

static void put_row(Text *t, const Sources *sources, const ProfileRecord *record,
                    ProfileTable table, const ProfileRow *row)
{
    double own = row->own > 0 ? row->own : 0;
    text_printf(t, "%10.6f  %5.1f %%  %10.6f", own,
                record->seconds > 0 ? 100 * own / record->seconds : 0, row->seconds);
    for (uint32_t i = 0; i < PROFILE_COUNTS && profile_count_names[table][i]; i++)
        text_printf(t, "  %*llu", i ? 14 : 10, (unsigned long long)row->counts[i]);
    text_printf(t, "  %s", row->name);
    put_place(t, sources, row->span);
    text_put(t, "\n");
}

void profile_put_table(Text *t, const Sources *sources, const ProfileRecord *record)
{
    text_printf(t, "Profile of %.3f s after compiling. Measuring itself takes part of this time.\n",
                record->seconds);
    for (uint32_t k = 0; k < PROFILE_TABLES; k++) {
        const ProfileRows *rows = &record->tables[k];
        if (rows->n)
            put_head(t, (ProfileTable)k);
        for (uint32_t i = 0; i < rows->n && i < SHOWN_ROWS; i++)
            put_row(t, sources, record, (ProfileTable)k, &rows->at[i]);
        if (rows->n > SHOWN_ROWS)
            text_printf(t, "  and %u more\n", rows->n - SHOWN_ROWS);
    }
}
