/* Units and descriptions of the columns of a CSV file, in a second file NAME.csv-metadata.json. Its
 * name and form are those of the W3C's "Metadata Vocabulary for Tabular Data". */
#include "base/text.h"
#include "base/atomic_file.h"
#include "output/table.h"
#include "output/writer.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <unistd.h>

enum { MAX_DESCRIBED = 50000, MAX_BYTES = 64 << 20 };

static char *metadata_path(const char *path, Arena *arena)
{
    return arena_printf(arena, "%s-metadata.json", path);
}

static void put_column(Text *t, const char *name, const char *unit, const char *description)
{
    text_put(t, "    {\"titles\": ");
    text_put_json(t, name);
    text_put(t, ", \"datatype\": \"double\"");
    if (unit && *unit) {
        text_put(t, ", \"unit\": ");
        text_put_json(t, unit);
    }
    if (description && *description) {
        text_put(t, ", \"dc:description\": ");
        text_put_json(t, description);
    }
    text_put_char(t, '}');
}

static void put_metadata(Text *t, const char *path, const Columns *columns, const char *title)
{
    const char *slash = strrchr(path, '/');
    text_put(t, "{\n  \"@context\": \"http://www.w3.org/ns/csvw\",\n  \"url\": ");
    text_put_json(t, slash ? slash + 1 : path);
    text_put(t, ",\n  \"dc:title\": ");
    text_put_json(t, title);
    text_put(t, ",\n  \"tableSchema\": {\"columns\": [\n");
    put_column(t, "time", "s", NULL);
    for (uint32_t i = 0; i < columns->list.n; i++) {
        const Column *c = &columns->list.at[i];
        if (c->constant)
            continue;
        text_put(t, ",\n");
        put_column(t, c->name, c->unit, c->description);
    }
    text_put(t, "\n  ]}\n}\n");
}

bool metadata_write(Context *ctx, const char *path, const Columns *columns, const char *title)
{
    if (!text_ends_with(path, ".csv") || columns->list.n > MAX_DESCRIBED || access(path, F_OK))
        return true;
    Arena *arena = arena_new();
    Text t = {0};
    put_metadata(&t, path, columns, title);
    bool ok = atomic_save_text(ctx, metadata_path(path, arena), &t);
    text_free(&t);
    arena_free(arena);
    return ok;
}

/* ---- reading ---- */

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *x = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsString(x) ? x->valuestring : NULL;
}

static void take_columns(Table *t, const cJSON *columns)
{
    const cJSON *c;
    uint32_t i = 0; /* columns are in the order of the file */
    cJSON_ArrayForEach(c, columns)
    {
        const char *name = string_of(c, "titles"), *unit = string_of(c, "unit");
        if (i && i <= t->n_columns && name && unit && !strcmp(name, t->names[i - 1]))
            t->units[i - 1] = arena_copy(t->arena, unit, strlen(unit));
        i++;
    }
}

void metadata_read(Table *t)
{
    Text text = {0};
    bool is_read = text_read_file(&text, metadata_path(t->path, t->arena), MAX_BYTES);
    cJSON *all = is_read ? cJSON_Parse(text.at) : NULL;
    const char *title = string_of(all, "dc:title");
    t->title = title ? arena_copy(t->arena, title, strlen(title)) : NULL;
    take_columns(t, cJSON_GetObjectItemCaseSensitive(
                        cJSON_GetObjectItemCaseSensitive(all, "tableSchema"), "columns"));
    cJSON_Delete(all);
    text_free(&text);
}
