/* Completion, and the index of all classes by their short names. */
#include "lsp.h"

#include "base/uri.h"
#include "class_index.h"

enum { SYMBOLS_MOST = 200, SHORT_NAMES_MOST = 50 };

/* ---- symbols of the workspace ---- */

/* Whether the letters of the query occur in the name, in this order. */
static bool fits(const char *name, const char *query)
{
    for (; *query; query++, name++) {
        while (*name && strncasecmp(name, query, 1))
            name++;
        if (!*name)
            return false;
    }
    return true;
}

static int symbol_kind(const char *kind)
{
    return !kind                       ? 5
           : !strcmp(kind, "package")  ? 4
           : strstr(kind, "function")  ? 12
           : strstr(kind, "connector") ? 11
           : strstr(kind, "record")    ? 23
           : !strcmp(kind, "type")     ? 26
                                       : 5;
}

static cJSON *symbol_of(const cJSON *row)
{
    const char *full = json_text(row, "full"), *dot = strrchr(full, '.');
    double line = json_number(row, "line") - 1, column = json_number(row, "column") - 1;
    cJSON *o = cJSON_CreateObject(), *location;
    Text t = {0};
    cJSON_AddStringToObject(o, "name", json_text(row, "name"));
    cJSON_AddNumberToObject(o, "kind", symbol_kind(json_text(row, "kind")));
    if (dot) {
        text_put_n(&t, full, (size_t)(dot - full));
        cJSON_AddStringToObject(o, "containerName", t.at);
    }
    t.n = 0;
    uri_put(&t, json_text(row, "path") ? json_text(row, "path") : "");
    location = cJSON_AddObjectToObject(o, "location");
    cJSON_AddStringToObject(location, "uri", t.at);
    cJSON_AddItemToObject(location, "range", make_range(line, column, line, column));
    text_free(&t);
    return o;
}

/* Exact names first, then beginnings, then the others. */
void job_workspace_symbols(Host *h, Job *j)
{
    const char *query = json_text(j->params, "query");
    cJSON *list = cJSON_CreateArray(), *row, *index = h->index;
    query = query ? query : "";
    if (!index_is_present(h)) {
        h->prepare(h);
        index = index_make(h);
    }
    for (int pass = 0; pass < 3; pass++)
        cJSON_ArrayForEach(row, index)
        {
            const char *name = json_text(row, "name"), *full = json_text(row, "full");
            if (!name || !full || cJSON_GetArraySize(list) >= SYMBOLS_MOST)
                continue;
            bool exact = !strcasecmp(name, query);
            bool begins = !exact && !strncasecmp(name, query, strlen(query));
            bool other = !exact && !begins && fits(strchr(query, '.') ? full : name, query);
            if (pass == 0 ? exact : pass == 1 ? begins : other)
                cJSON_AddItemToArray(list, symbol_of(row));
        }
    job_result_json(j, list);
}

/* ---- completion ---- */

typedef struct Completion {
    Lsp *l;
    cJSON *items;
    double line, from, to; /* the word, in units of UTF-16 */
} Completion;

static int item_kind(const char *kind)
{
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"function", 3},  {"package", 9},   {"parameter", 21}, {"constant", 21},
                 {"component", 6}, {"keyword", 14},  {"attribute", 10}, {"import", 9},
                 {"type", 25},     {"connector", 8}, {"record", 22},    {"unit", 11}};
    for (size_t i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, kind))
            return kinds[i].kind;
    return 7;
}

/* `rank` sorts: names of the scope, short names of libraries, keywords. */
static cJSON *add_item(Completion *c, const char *label, int kind, const char *detail,
                       const char *text, char rank)
{
    cJSON *o = cJSON_CreateObject(), *edit;
    Text sort = {0};
    text_printf(&sort, "%c%s", rank, label);
    cJSON_AddStringToObject(o, "label", label);
    cJSON_AddNumberToObject(o, "kind", kind);
    if (detail)
        cJSON_AddStringToObject(o, "detail", detail);
    cJSON_AddStringToObject(o, "sortText", sort.at);
    cJSON_AddStringToObject(o, "filterText", label);
    edit = cJSON_AddObjectToObject(o, "textEdit");
    cJSON_AddItemToObject(edit, "range", make_range(c->line, c->from, c->line, c->to));
    cJSON_AddStringToObject(edit, "newText", text);
    cJSON_AddItemToArray(c->items, o);
    text_free(&sort);
    return o;
}

static void add_service_items(Completion *c, const cJSON *answer)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, json_part(answer, "items"))
    {
        const char *label = json_text(row, "label"), *insert = json_text(row, "insert"),
                   *kind = json_text(row, "kind");
        if (label)
            add_item(c, label, item_kind(kind), json_text(row, "detail"), insert ? insert : label,
                     kind && !strcmp(kind, "keyword") ? 'z' : 'a');
    }
}

static const struct {
    const char *label, *text;
} snippets[] = {
    {"model", "model ${1:Name} \"${2:description}\"\n  $0\nequation\n\nend ${1:Name};"},
    {"function",
     "function ${1:name} \"${2:description}\"\n  input Real ${3:u};\n  output Real ${4:y};\n"
     "algorithm\n  ${4:y} := $0;\nend ${1:name};"},
    {"package", "package ${1:Name} \"${2:description}\"\n  $0\nend ${1:Name};"},
    {"when", "when ${1:condition} then\n  $0\nend when;"},
    {"if", "if ${1:condition} then\n  $0\nelse\n\nend if;"},
    {"for", "for ${1:i} in ${2:1:n} loop\n  $0\nend for;"},
    {"connect", "connect(${1:a}, ${2:b});$0"},
    {"parameter", "parameter ${1:Real} ${2:p}=${3:1} \"${4:description}\";$0"},
    {"state", "${1:Real} ${2:x}(start=${3:0}, fixed=true) \"${4:description}\";$0"},
    {"experiment", "annotation (experiment(StopTime=${1:10}, Tolerance=${2:1e-6}));$0"},
};

static void add_snippets(Completion *c, const char *word, size_t n)
{
    for (size_t i = 0; c->l->has_snippets && i < sizeof snippets / sizeof *snippets; i++) {
        if (strncasecmp(snippets[i].label, word, n))
            continue;
        Text label = {0};
        text_printf(&label, "%s …", snippets[i].label);
        cJSON *o = add_item(c, label.at, 15, "snippet", snippets[i].text, 'y');
        cJSON_AddNumberToObject(o, "insertTextFormat", 2);
        text_free(&label);
    }
}

/* The line before which an import of the class around the cursor goes, and its indentation. */
static double import_line(const cJSON *symbols, double line, double *indent)
{
    const cJSON *symbol;
    cJSON_ArrayForEach(symbol, symbols)
    {
        const cJSON *range = json_part(symbol, "range"), *children = json_part(symbol, "children");
        double from = json_number(json_part(range, "start"), "line"),
               to = json_number(json_part(range, "end"), "line");
        if (!children || line < from || line > to)
            continue;
        double inner = import_line(children, line, indent);
        if (inner >= 0)
            return inner;
        *indent = json_number(json_part(range, "start"), "character") + 2;
        return json_number(json_part(json_part(symbol, "selectionRange"), "end"), "line") + 1;
    }
    return -1;
}

static bool is_offered(const cJSON *answer, const char *name)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, json_part(answer, "items"))
    {
        const char *label = json_text(row, "label");
        if (label && !strcmp(label, name))
            return true;
    }
    return false;
}

/* Classes of libraries by their short names; the item also writes the import. */
static void add_short_names(Completion *c, const cJSON *answer, const char *word, size_t n,
                            double line, double indent)
{
    const cJSON *row;
    int count = 0;
    cJSON_ArrayForEach(row, c->l->host.index)
    {
        const char *name = json_text(row, "name"), *full = json_text(row, "full");
        if (!name || !full || !strchr(full, '.') || strncasecmp(name, word, n) ||
            count >= SHORT_NAMES_MOST || is_offered(answer, name))
            continue;
        cJSON *o = add_item(c, name, item_kind(json_text(row, "kind")), full, name, 'm'), *edit;
        Text text = {0};
        text_printf(&text, "%*simport %s;\n", (int)indent, "", full);
        edit = cJSON_CreateObject();
        cJSON_AddItemToObject(edit, "range", make_range(line, 0, line, 0));
        cJSON_AddStringToObject(edit, "newText", text.at);
        cJSON_AddItemToArray(cJSON_AddArrayToObject(o, "additionalTextEdits"), edit);
        text_free(&text);
        count++;
    }
}

/* A word that may name a class: keywords are possible there too. */
static bool is_free_word(const cJSON *answer)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, json_part(answer, "items"))
    {
        const char *kind = json_text(row, "kind");
        if (kind && (!strcmp(kind, "unit") || !strcmp(kind, "attribute")))
            return false;
    }
    return true;
}

static void complete(Host *h, Job *j, const Text *text, const char *path)
{
    const cJSON *position = json_part(j->params, "position");
    double line = json_number(position, "line"), character = json_number(position, "character");
    size_t at = document_offset(text->at, text->n, line, character), start = at, word = at;
    unsigned column = 1;
    while (start && text->at[start - 1] != '\n')
        column += ((unsigned char)text->at[--start] & 0xC0) != 0x80;
    unsigned row = 1;
    for (size_t i = 0; i < start; i++)
        row += text->at[i] == '\n';
    char *answer = kairos_complete_text(h->k, path, text->at, text->n, row, column);
    cJSON *o = cJSON_Parse(answer ? answer : "{}");
    double from = json_number(json_part(o, "from"), "column");
    unsigned taken = from >= 1 && from <= column ? column - (unsigned)from : 0;
    word = at - (taken < at ? taken : at); /* names are ASCII */
    Completion c = {.l = h->owner, .items = cJSON_CreateArray(), .line = row - 1};
    c.from = utf16_length(text->at + start, word - start);
    c.to = utf16_length(text->at + start, at - start);
    add_service_items(&c, o);
    if (at - word >= 2 && (!word || text->at[word - 1] != '.') && is_free_word(o)) {
        KairosQuestion q = {.size = sizeof q,
                            .about = "symbols",
                            .path = path,
                            .text = text->at,
                            .text_size = text->n,
                            .line = row - 1,
                            .character = (unsigned)c.to};
        char *symbols = kairos_ask_text(h->k, &q);
        cJSON *list = cJSON_Parse(symbols ? symbols : "[]");
        double indent = 0, place = import_line(list, c.line, &indent);
        add_snippets(&c, text->at + word, at - word);
        if (place >= 0)
            add_short_names(&c, o, text->at + word, at - word, place, indent);
        cJSON_Delete(list);
        kairos_free_text(symbols);
    }
    cJSON *result = cJSON_CreateObject();
    cJSON_AddBoolToObject(result, "isIncomplete",
                          at == word || cJSON_GetArraySize(c.items) >= 1000 ||
                              !index_is_present(h));
    cJSON_AddItemToObject(result, "items", c.items);
    job_result_json(j, result);
    cJSON_Delete(o);
    kairos_free_text(answer);
}

void job_completion(Host *h, Job *j)
{
    Text text = {0}, path = {0};
    if (lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path))
        complete(h, j, &text, path.at);
}
