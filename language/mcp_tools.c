/* The tools: their names, what they take, what they do. */
#include "mcp.h"

#include "base/names.h"
#include "class_index.h"

#include <stdlib.h>

enum { FOUND_MOST = 50, LIST_MOST = 200, TEXT_MOST = 20000 };

/* ---- search ---- */

/* 0: the name itself; 1: begins so; 2: contains it; 3: the description does; -1: no match. */
static int rank_of(const cJSON *row, const char *query)
{
    const char *name = json_text(row, "name"), *full = json_text(row, "full"),
               *text = json_text(row, "description");
    if (!name || !full)
        return -1;
    if (!strcasecmp(name, query) || !strcasecmp(full, query))
        return 0;
    if (!strncasecmp(name, query, strlen(query)))
        return 1;
    if (strcasestr(full, query))
        return 2;
    return text && strcasestr(text, query) ? 3 : -1;
}

typedef struct Search {
    const char *query, *kind; /* kind NULL: any */
    int most, total;
    cJSON *list; /* of what was found, the best first */
} Search;

static void add_found(Search *s, const cJSON *row)
{
    const char *its = json_text(row, "kind");
    if ((s->kind && (!its || strcmp(its, s->kind) != 0)) || s->total++ >= s->most)
        return;
    cJSON *one = cJSON_CreateObject();
    cJSON_AddStringToObject(one, "name", json_text(row, "full"));
    cJSON_AddStringToObject(one, "kind", its ? its : "class");
    if (json_text(row, "description"))
        cJSON_AddStringToObject(one, "description", json_text(row, "description"));
    cJSON_AddItemToArray(s->list, one);
}

static void find_classes(Search *s, const cJSON *rows)
{
    const cJSON *row;
    for (int rank = 0; rank < 4; rank++)
        cJSON_ArrayForEach(row, rows) if (rank_of(row, s->query) == rank) add_found(s, row);
}

/* Misspelt names: the nearest first. */
static void find_near(Search *s, const cJSON *rows)
{
    const cJSON *row;
    unsigned limit = name_suggestion_limit(s->query);
    for (unsigned distance = 0; distance < limit; distance++)
        cJSON_ArrayForEach(row, rows)
        {
            const char *name = json_text(row, "name");
            if (name && name_distance(name, s->query, limit) == distance)
                add_found(s, row);
        }
}

/* What remains of an old path is most often the last name. Says what was found instead; NULL if the
 * names are those of the query. */
static const char *find_by_path(Search *s, const cJSON *rows)
{
    const char *dot = strrchr(s->query, '.');
    find_classes(s, rows);
    if (s->total || (dot && !dot[1]))
        return NULL;
    s->query = dot ? dot + 1 : s->query;
    if (dot)
        find_classes(s, rows);
    if (s->total)
        return "no class has this path; these have its last name";
    find_near(s, rows);
    return s->total ? "no class has this name; these have similar ones" : NULL;
}

static void search(Host *h, Job *j)
{
    double limit = json_number(tool_arguments(j), "limit");
    Search s = {.query = tool_text(j, "query"),
                .kind = tool_text(j, "kind"),
                .most = limit >= 1 && limit < FOUND_MOST ? (int)limit : FOUND_MOST};
    if (!s.query || !*s.query) {
        tool_fail(j, "give a 'query'");
        return;
    }
    cJSON *made = h->index ? NULL : index_make(h), *o = cJSON_CreateObject();
    s.list = cJSON_AddArrayToObject(o, "classes");
    const char *note = find_by_path(&s, h->index ? h->index : made);
    if (note)
        cJSON_AddStringToObject(o, "note", note);
    cJSON_AddNumberToObject(o, "total", s.total);
    cJSON_Delete(made);
    tool_answer(j, o);
}

/* ---- one class ---- */

static void cut_list(cJSON *o, const char *name)
{
    cJSON *list = json_part(o, name);
    int n = cJSON_GetArraySize(list);
    for (int i = n; i > LIST_MOST; i--)
        cJSON_DeleteItemFromArray(list, i - 1);
    if (n > LIST_MOST)
        cJSON_AddBoolToObject(o, "truncated", true);
}

static void cut_text(cJSON *o, const char *name)
{
    const char *text = json_text(o, name);
    if (!text || strlen(text) <= TEXT_MOST)
        return;
    char *cut = strndup(text, text_cut(text, TEXT_MOST));
    cJSON_ReplaceItemInObjectCaseSensitive(o, name, cJSON_CreateString(cut));
    cJSON_AddBoolToObject(o, "truncated", true);
    free(cut);
}

/* An old path is the most common mistake: names the classes with the same last name. */
static void fail_unknown(Host *h, Job *j, const char *name)
{
    cJSON *made = h->index ? NULL : index_make(h), *row;
    Search s = {.query = name, .most = 5, .list = cJSON_CreateArray()};
    Text t = {0};
    text_put(&t, "");
    if (*s.query)
        find_by_path(&s, h->index ? h->index : made);
    cJSON_ArrayForEach(row, s.list)
        text_printf(&t, "%s%s", t.n ? ", " : "; similar names: ", json_text(row, "name"));
    tool_fail(j, "there is no class '%.300s'%.1500s; search_classes finds exact names", name, t.at);
    text_free(&t);
    cJSON_Delete(s.list);
    cJSON_Delete(made);
}

static void describe(Host *h, Job *j)
{
    const char *name = tool_text(j, "class");
    if ((tool_text(j, "text") || tool_text(j, "path")) && !tool_load(h, j, &name))
        return;
    char *text = name ? kairos_describe_class(h->k, name) : NULL;
    cJSON *o = text ? cJSON_Parse(text) : NULL;
    kairos_free_text(text);
    if (!o) {
        fail_unknown(h, j, name ? name : "");
        return;
    }
    if (!json_flag(tool_arguments(j), "source"))
        cJSON_DeleteItemFromObjectCaseSensitive(o, "text");
    cut_text(o, "text");
    cut_text(o, "documentation");
    cut_text(o, "revisions");
    cut_list(o, "components");
    cut_list(o, "classes");
    tool_answer(j, o);
}

/* ---- checks ---- */

static void check(Host *h, Job *j)
{
    const char *name;
    int status;
    KairosCompile how = {.size = sizeof how, .check_units = 1};
    if (!tool_load(h, j, &name))
        return;
    status = name ? kairos_check_model(h->k, name, &how) : kairos_check_classes(h->k, NULL, &how);
    cJSON *o = cJSON_CreateObject();
    cJSON_AddBoolToObject(o, "ok", status == KAIROS_OK);
    cJSON_AddItemToObject(o, "messages", tool_messages(h));
    tool_answer(j, o);
}

static void explain(Host *h, Job *j)
{
    const char *code = tool_text(j, "code");
    char *text = code ? kairos_explain_code(h->k, code) : NULL;
    if (!text) {
        tool_fail_messages(h, j);
        return;
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "code", code);
    cJSON_AddStringToObject(o, "explanation", text);
    kairos_free_text(text);
    tool_answer(j, o);
}

static void format(Host *h, Job *j)
{
    const char *text = tool_text(j, "text");
    char *formatted = text ? kairos_format_text(h->k, "text.mo", text, strlen(text), 0) : NULL;
    if (!text) {
        tool_fail(j, "give 'text'");
    } else if (!formatted) {
        tool_fail_messages(h, j);
    } else {
        cJSON *o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "text", formatted);
        tool_answer(j, o);
    }
    kairos_free_text(formatted);
}

/* ---- the table ---- */

/* Which model: shared by several tools. */
#define MODEL                                                                                      \
    "\"text\":{\"type\":\"string\",\"description\":\"Modelica text\"},"                            \
    "\"path\":{\"type\":\"string\",\"description\":\"a file in the server's folders; with text: "  \
    "its place\"},"                                                                                \
    "\"class\":{\"type\":\"string\",\"description\":\"full name of a class in the text or in a "   \
    "library; default: the last model of the text\"}"
#define RUN                                                                                        \
    MODEL ",\"start_time\":{\"type\":\"number\"},\"stop_time\":{\"type\":\"number\"},"             \
          "\"tolerance\":{\"type\":\"number\",\"exclusiveMinimum\":0},"                            \
          "\"solver\":{\"type\":\"string\"},"                                                      \
          "\"set\":{\"type\":\"object\",\"description\":\"parameters and start values by name\","  \
          "\"additionalProperties\":{\"type\":[\"number\",\"string\",\"boolean\"]}},"              \
          "\"variables\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":20}"

static const struct {
    const char *name, *text, *properties, *required;
    JobWork work;
} tools[] = {
    {"search_classes",
     "Find classes of the installed Modelica libraries and of the workspace by name or "
     "description. Returns exact full names: use it before you write a class name.",
     "\"query\":{\"type\":\"string\"},"
     "\"kind\":{\"type\":\"string\",\"description\":\"model, block, function, connector, record, "
     "type or "
     "package\"},"
     "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":50}",
     "\"query\"", search},
    {"describe_class",
     "The documentation, parameters, connectors, base classes and contained classes of one class.",
     MODEL ",\"source\":{\"type\":\"boolean\",\"description\":\"also return its text\"}",
     "\"class\"", describe},
    {"check_text",
     "Check Modelica text, a file or a class: syntax, names, types, units, numbers of equations. "
     "Messages have places and, if known, a fix.",
     MODEL, "", check},
    {"simulate",
     "Compile and simulate a model. Returns final values, statistics, and points of the chosen "
     "variables. If the run fails, the messages explain why: the equations, their residuals and "
     "the values of the variables.",
     RUN ",\"points\":{\"type\":\"integer\",\"minimum\":2,\"maximum\":200}", "", tool_simulate},
    {"plot",
     "Simulate a model and draw variables over time, as a PNG picture; with output, also as a "
     "file (.png, .svg, .pdf) in the server's folders.",
     RUN ",\"output\":{\"type\":\"string\"}", "", tool_plot},
    {"linearize",
     "Linear model of a model around a point: matrices A, B, C, D by exact derivatives, poles with "
     "frequency and damping, zeros. Sampled systems, and models around a periodic steady state, "
     "have a discrete model with its period.",
     RUN ",\"at\":{\"type\":\"string\",\"description\":\"a time, end or steady; default: the "
         "initial point\"},\"period\":{\"type\":\"number\",\"exclusiveMinimum\":0},"
         "\"average\":{\"type\":\"boolean\",\"description\":\"outputs are means over the "
         "period\"}",
     "", tool_linearize},
    {"steady",
     "Equilibrium or periodic steady state of a model: period, values at its beginning, Floquet "
     "multipliers, stability, and mean, RMS, minimum and maximum of each variable.",
     RUN ",\"period\":{\"type\":\"number\",\"exclusiveMinimum\":0}", "", tool_steady},
    {"sensitivities",
     "Derivatives of variables with respect to parameters and start values (x.start): of values at "
     "the end, mean, RMS, minimum, maximum, and of the times of events.",
     RUN ",\"of\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":20},"
         "\"to\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"maxItems\":20}",
     "\"of\",\"to\"", tool_differentiate},
    {"explain", "Explain the code of a message, such as R006: meaning, example, fix.",
     "\"code\":{\"type\":\"string\"}", "\"code\"", explain},
    {"format_text", "Modelica text in one style, with the same meaning.",
     "\"text\":{\"type\":\"string\"}", "\"text\"", format},
    {"edit_class",
     "Change one class of a file by its tree: replace or remove an element, add an element or an "
     "equation, or replace the whole class. The file is written only if the result has no syntax "
     "error.",
     "\"path\":{\"type\":\"string\"},\"class\":{\"type\":\"string\"},"
     "\"operation\":{\"enum\":[\"replace_class\",\"add_element\",\"replace_element\","
     "\"remove_element\",\"add_equation\"]},"
     "\"element\":{\"type\":\"string\",\"description\":\"name of a component or contained class\"},"
     "\"text\":{\"type\":\"string\"},"
     "\"dry_run\":{\"type\":\"boolean\",\"description\":\"return the text, write nothing\"}",
     "\"path\",\"class\",\"operation\"", tool_edit},
};

JobWork tool_find(const char *name)
{
    for (size_t i = 0; name && i < sizeof tools / sizeof *tools; i++)
        if (!strcmp(tools[i].name, name))
            return tools[i].work;
    return NULL;
}

cJSON *tools_list(void)
{
    cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "tools");
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        Text schema = {0};
        text_printf(&schema, "{\"type\":\"object\",\"properties\":{%s},\"required\":[%s]}",
                    tools[i].properties, tools[i].required);
        cJSON *one = cJSON_CreateObject(), *hints;
        cJSON_AddStringToObject(one, "name", tools[i].name);
        cJSON_AddStringToObject(one, "description", tools[i].text);
        cJSON_AddItemToObject(one, "inputSchema", cJSON_Parse(schema.at));
        hints = cJSON_AddObjectToObject(one, "annotations");
        cJSON_AddBoolToObject(hints, "readOnlyHint",
                              tools[i].work != tool_edit && tools[i].work != tool_plot);
        cJSON_AddBoolToObject(hints, "openWorldHint", false);
        cJSON_AddItemToArray(list, one);
        text_free(&schema);
    }
    return o;
}
