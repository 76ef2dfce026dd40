#include "documents.h"

#include "base/uri.h"

#include <stdlib.h>

static const char mark[] = "\xEF\xBB\xBF";

Document *document_find(const Documents *d, const char *uri)
{
    for (Document *doc = d->first; doc && uri; doc = doc->next)
        if (!strcmp(doc->uri, uri))
            return doc;
    return NULL;
}

static void set_text(Document *doc, const char *text)
{
    doc->marked = !strncmp(text, mark, 3);
    doc->text.n = 0;
    text_put(&doc->text, text + (doc->marked ? 3 : 0));
}

Document *document_open(Documents *d, const char *uri, const char *text, long long version)
{
    Document *old = document_find(d, uri);
    if (old)
        document_close(d, old);
    Document *doc = memory_alloc(sizeof *doc);
    Text path = {0};
    uri_put_path(&path, uri);
    doc->uri = strdup(uri);
    doc->path = strdup(path.at ? path.at : "");
    doc->version = version;
    set_text(doc, text);
    doc->next = d->first;
    d->first = doc;
    text_free(&path);
    return doc;
}

static void free_document(Document *doc)
{
    free(doc->uri);
    free(doc->path);
    text_free(&doc->text);
    cJSON_Delete(doc->problems);
    cJSON_Delete(doc->elsewhere);
    memory_free(doc);
}

void document_close(Documents *d, Document *doc)
{
    Document **at = &d->first;
    while (*at != doc)
        at = &(*at)->next;
    *at = doc->next;
    free_document(doc);
}

void documents_free(Documents *d)
{
    while (d->first)
        document_close(d, d->first);
}

/* ---- positions ---- */

static bool is_inner_byte(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

static unsigned units_of(char c)
{
    return (unsigned char)c >= 0xF0 ? 2 : !is_inner_byte(c);
}

size_t document_offset(const char *text, size_t size, double line, double character)
{
    size_t i = 0;
    for (; line >= 1 && i < size; line--) {
        const char *end = memchr(text + i, '\n', size - i);
        i = end ? (size_t)(end - text) + 1 : size;
    }
    for (; character >= 1 && i < size && text[i] != '\n' && text[i] != '\r';) {
        character -= units_of(text[i]);
        for (i++; i < size && is_inner_byte(text[i]); i++)
            ;
    }
    return i;
}

unsigned utf16_units(const char *line, unsigned n)
{
    unsigned units = 0;
    for (; n && *line && *line != '\n'; n--) {
        units += units_of(*line);
        for (line++; is_inner_byte(*line); line++)
            ;
    }
    return units + n;
}

unsigned utf16_length(const char *text, size_t n)
{
    unsigned units = 0;
    for (size_t i = 0; i < n; i++)
        units += units_of(text[i]);
    return units;
}

/* ---- changes ---- */

static bool read_position(const Document *doc, const cJSON *p, const Text *t, size_t *at)
{
    double line = json_number(p, "line"), character = json_number(p, "character");
    if (!(line >= 0 && character >= 0))
        return false;
    if (doc->marked && line < 1 && character >= 1)
        character--;
    *at = document_offset(t->at, t->n, line, character);
    return true;
}

static bool apply(Document *doc, Text *t, const cJSON *change)
{
    const char *text = json_text(change, "text");
    const cJSON *range = json_part(change, "range");
    size_t from = 0, to = t->n;
    if (!text)
        return false;
    if (range && (!read_position(doc, json_part(range, "start"), t, &from) ||
                  !read_position(doc, json_part(range, "end"), t, &to) || to < from))
        return false;
    Text result = {0};
    bool whole = !range;
    if (whole)
        doc->marked = !strncmp(text, mark, 3);
    text_put_n(&result, t->at, from);
    text_put(&result, text + (whole && doc->marked ? 3 : 0));
    text_put_n(&result, t->at + to, t->n - to);
    text_free(t);
    *t = result;
    return true;
}

bool document_change(Document *doc, const cJSON *changes)
{
    Text t = {0};
    const cJSON *change;
    text_put_n(&t, doc->text.at, doc->text.n);
    cJSON_ArrayForEach(change, changes)
    {
        if (!apply(doc, &t, change)) {
            text_free(&t);
            return false;
        }
    }
    text_free(&doc->text);
    doc->text = t;
    return cJSON_IsArray(changes);
}
