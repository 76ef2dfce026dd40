/* Formatting: the formatted text as edits of lines. */
#include "lsp.h"

#include "base/line_diff.h"

static void add_edit(cJSON *list, const LineHunk *h, const char *text, const LineStarts *starts)
{
    cJSON *edit = cJSON_CreateObject();
    uint32_t from = starts->at[h->new_at], to = starts->at[h->new_at + h->new_n];
    Text t = {0};
    text_put_n(&t, text + from, to - from);
    cJSON_AddItemToObject(edit, "range", make_range(h->old_at, 0, h->old_at + h->old_n, 0));
    cJSON_AddStringToObject(edit, "newText", t.at);
    cJSON_AddItemToArray(list, edit);
    text_free(&t);
}

/* The lines that the client asks for: all, a range, or those around the typed character. */
static void read_lines(const cJSON *params, double *first, double *last)
{
    const cJSON *range = json_part(params, "range"), *position = json_part(params, "position");
    *first = 0;
    *last = 1e9;
    if (range) {
        *first = json_number(json_part(range, "start"), "line");
        *last = json_number(json_part(range, "end"), "line");
    } else if (position) {
        *last = json_number(position, "line");
        *first = *last - 1;
    }
}

void job_formatting(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (!lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path))
        return;
    char *formatted = kairos_format_text(h->k, path.at, text.at, text.n, 0);
    cJSON *list = cJSON_CreateArray();
    double first, last;
    read_lines(j->params, &first, &last);
    if (formatted) { /* a text with errors has no edits */
        size_t n = strlen(formatted);
        LineHunks hunks = line_diff(text.at, text.n, formatted, n);
        LineStarts starts = line_starts(formatted, n);
        for (uint32_t i = 0; i < hunks.n; i++) {
            const LineHunk *one = &hunks.at[i];
            if (one->old_at <= last &&
                (one->old_n ? one->old_at + one->old_n > first : one->old_at >= first))
                add_edit(list, one, formatted, &starts);
        }
    }
    job_result_json(j, list);
}
