/* The tool that changes a class by its tree. */
#include "mcp.h"

#include "base/atomic_file.h"
#include "base/line_diff.h"
#include "documents.h"

#include <errno.h>
#include <stdlib.h>

typedef struct Edit {
    Text text;     /* of the file */
    cJSON *places; /* of the class: answer of the language service */
    const char *with;
    size_t from, to; /* what was written */
} Edit;

static size_t offset(const Edit *e, const cJSON *position)
{
    return document_offset(e->text.at, e->text.n, json_number(position, "line"),
                           json_number(position, "character"));
}

static void replace(Edit *e, size_t from, size_t to, const char *with)
{
    Text t = {0};
    text_put_n(&t, e->text.at, from);
    text_put(&t, with);
    text_put_n(&t, e->text.at + to, e->text.n - to);
    text_free(&e->text);
    e->text = t;
    e->from = from;
    e->to = from + strlen(with);
}

static bool replace_range(Edit *e, const char *place, const char *with)
{
    const cJSON *range = json_part(e->places, place);
    if (!cJSON_IsObject(range))
        return false;
    replace(e, offset(e, json_part(range, "start")), offset(e, json_part(range, "end")), with);
    return true;
}

/* With its semicolon and its line, if nothing else is on it. */
static bool remove_element(Edit *e)
{
    const cJSON *range = json_part(e->places, "element");
    if (!cJSON_IsObject(range))
        return false;
    size_t from = offset(e, json_part(range, "start")), to = offset(e, json_part(range, "end"));
    to += strspn(e->text.at + to, " \t\r\n");
    to += e->text.at[to] == ';';
    size_t line = from;
    while (line && (e->text.at[line - 1] == ' ' || e->text.at[line - 1] == '\t'))
        line--;
    size_t rest = to + strspn(e->text.at + to, " \t\r");
    if ((!line || e->text.at[line - 1] == '\n') && e->text.at[rest] == '\n') {
        from = line;
        to = rest + 1;
    }
    replace(e, from, to, "");
    return true;
}

/* A line of its own, with ";", before the place. */
static bool insert_line(Edit *e, const char *place, const char *before)
{
    const cJSON *position = json_part(e->places, place);
    if (!cJSON_IsObject(position) || !e->with)
        return false;
    size_t at = offset(e, position), n = strlen(e->with);
    while (n && strchr(" \t\r\n;", e->with[n - 1]))
        n--;
    Text t = {0};
    text_printf(&t, "%s%.*s;\n", before, (int)n, e->with);
    replace(e, at, at, t.at);
    text_free(&t);
    return true;
}

static bool apply(Edit *e, const char *operation)
{
    if (!strcmp(operation, "replace_class"))
        return e->with && replace_range(e, "class", e->with);
    if (!strcmp(operation, "replace_element"))
        return e->with && replace_range(e, "element", e->with);
    if (!strcmp(operation, "remove_element"))
        return remove_element(e);
    if (!strcmp(operation, "add_element"))
        return insert_line(e, "elementsEnd", "");
    if (!strcmp(operation, "add_equation"))
        return insert_line(e, "equationsEnd", "") || insert_line(e, "sectionsEnd", "equation\n");
    return false;
}

/* Where the class and its element are. */
static cJSON *find_places(Host *h, Job *j, const char *path, const Text *text)
{
    const char *element = tool_text(j, "element");
    Text name = {0};
    text_printf(&name, "%s:%s", tool_text(j, "class"), element ? element : "");
    KairosQuestion q = {.size = sizeof q,
                        .about = "places",
                        .path = path,
                        .text = text->at,
                        .text_size = text->n,
                        .name = name.at};
    char *answer = kairos_ask_text(h->k, &q);
    cJSON *o = answer ? cJSON_Parse(answer) : NULL;
    kairos_free_text(answer);
    text_free(&name);
    return o;
}

static uint32_t line_of(const Edit *e, size_t at)
{
    uint32_t line = 0;
    for (size_t i = 0; i < at; i++)
        line += e->text.at[i] == '\n';
    return line;
}

static void put_lines(Text *t, const char *text, const LineStarts *starts, uint32_t at, uint32_t n)
{
    text_put_n(t, text + starts->at[at], starts->at[at + n] - starts->at[at]);
}

/* Formats the lines that were written, with the unformatted ones that adjoin them; the others stay
 * byte for byte. False if the text has errors of syntax. */
static bool format_edited(Host *h, const char *path, Edit *e)
{
    char *formatted = kairos_format_text(h->k, path, e->text.at, e->text.n, 0);
    if (!formatted)
        return false;
    uint32_t first = line_of(e, e->from), last = line_of(e, e->to ? e->to - 1 : 0), line = 0;
    LineHunks hunks = line_diff(e->text.at, e->text.n, formatted, strlen(formatted));
    LineStarts old = line_starts(e->text.at, e->text.n),
               new = line_starts(formatted, strlen(formatted));
    Text t = {0};
    for (uint32_t i = 0; i < hunks.n; i++) {
        const LineHunk *one = &hunks.at[i];
        bool touched = e->to > e->from && one->old_at <= last &&
                       (one->old_n ? one->old_at + one->old_n > first : one->old_at >= first);
        put_lines(&t, e->text.at, &old, line, one->old_at - line);
        if (touched)
            put_lines(&t, formatted, &new, one->new_at, one->new_n);
        else
            put_lines(&t, e->text.at, &old, one->old_at, one->old_n);
        line = one->old_at + one->old_n;
    }
    text_put_n(&t, e->text.at + old.at[line], e->text.n - old.at[line]);
    text_free(&e->text);
    e->text = t;
    kairos_free_text(formatted);
    return true;
}

/* Writes the new text unless it has errors of syntax. */
static void deliver(Host *h, Job *j, const char *path, Edit *e)
{
    bool dry = json_flag(tool_arguments(j), "dry_run");
    kairos_clear_messages(h->k);
    if (!format_edited(h, path, e)) {
        tool_fail_messages(h, j);
        return;
    }
    if (!dry && !atomic_save(path, e->text.at, e->text.n, false)) {
        tool_fail(j, "cannot write '%.300s': %s", path, strerror(errno));
        return;
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "path", path);
    cJSON_AddBoolToObject(o, "written", !dry);
    if (dry)
        cJSON_AddStringToObject(o, "text", e->text.at);
    if (kairos_load_text(h->k, path, e->text.at, e->text.n) == KAIROS_OK)
        kairos_check_classes(h->k, NULL, NULL);
    cJSON_AddItemToObject(o, "messages", tool_messages(h));
    tool_answer(j, o);
}

void tool_edit(Host *h, Job *j)
{
    const char *given = tool_text(j, "path"), *operation = tool_text(j, "operation");
    if (!given || !operation || !tool_text(j, "class")) {
        tool_fail(j, "give 'path', 'class' and 'operation'");
        return;
    }
    char *path = tool_path(h, j, given);
    Edit e = {.with = tool_text(j, "text")};
    if (!path)
        return;
    if (!host_read_file(path, &e.text)) {
        tool_fail(j, "cannot read '%.300s'", given);
        return;
    }
    e.places = find_places(h, j, path, &e.text);
    if (!cJSON_IsObject(json_part(e.places, "class")))
        tool_fail(j, "the file has no class '%.200s'", tool_text(j, "class"));
    else if (!apply(&e, operation))
        tool_fail(j,
                  "'%.100s' is not possible: it needs 'text', or an 'element' that the class "
                  "has, or another operation",
                  operation);
    else
        deliver(h, j, path, &e);
    free(path);
}
