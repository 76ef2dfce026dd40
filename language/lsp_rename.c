/* New names: the edits of all files, and a proof that they keep the meaning.
 *
 * The proof: in the edited texts, the places that mean the renamed element are the edited ones, and
 * no others. Otherwise the new name is taken: by an inherited element, a loop variable, or an
 * element of a class that extends this one. */
#include "lsp.h"

#include "base/uri.h"

/* ---- places ---- */

typedef struct Place {
    const char *uri;
    double line, character;
} Place;

typedef VEC(Place) Places;

static bool has_place(const Places *list, Place p)
{
    for (unsigned i = 0; i < list->n; i++)
        if (list->at[i].line == p.line && list->at[i].character == p.character &&
            !strcmp(list->at[i].uri, p.uri))
            return true;
    return false;
}

static Place start_of(const char *uri, const cJSON *range)
{
    const cJSON *start = json_part(range, "start");
    return (Place){uri, json_number(start, "line"), json_number(start, "character")};
}

static double length_of(const cJSON *range)
{
    return json_number(json_part(range, "end"), "character") -
           json_number(json_part(range, "start"), "character");
}

/* Where the edits of one file lie afterwards. They are in order, each within a line. */
static void add_new_places(Places *list, const char *uri, const cJSON *edits)
{
    double line = -1, shift = 0;
    const cJSON *edit;
    cJSON_ArrayForEach(edit, edits)
    {
        const cJSON *range = json_part(edit, "range");
        const char *text = json_text(edit, "newText");
        Place p = start_of(uri, range);
        shift = p.line == line ? shift : 0;
        line = p.line;
        p.character += shift;
        vec_push(list, p);
        shift += utf16_length(text, strlen(text)) - length_of(range);
    }
}

/* ---- edited texts, in this process only ---- */

static bool edit_document(Lsp *l, const char *uri, const cJSON *edits)
{
    Document *doc = document_find(&l->documents, uri);
    if (!doc) {
        Text path = {0}, text = {0};
        bool known = uri_put_path(&path, uri) && host_read_file(path.at, &text);
        doc = known ? document_open(&l->documents, uri, text.at, 0) : NULL;
    }
    cJSON *changes = cJSON_CreateArray();
    for (int i = cJSON_GetArraySize(edits) - 1; i >= 0; i--) { /* the last one first */
        const cJSON *edit = cJSON_GetArrayItem(edits, i);
        cJSON *change = cJSON_CreateObject();
        cJSON_AddItemToObject(change, "range", cJSON_Duplicate(json_part(edit, "range"), true));
        cJSON_AddStringToObject(change, "text", json_text(edit, "newText"));
        cJSON_AddItemToArray(changes, change);
    }
    bool done = doc && document_change(doc, changes);
    cJSON_Delete(changes);
    return done;
}

/* ---- the proof ---- */

/* The edit at the cursor of the request: its place in the edited text. */
static bool find_cursor(const cJSON *edit, const Job *j, Place *found)
{
    const char *uri = params_uri(j->params);
    const cJSON *change, *one, *position = json_part(j->params, "position");
    double line = json_number(position, "line"), at = json_number(position, "character");
    cJSON_ArrayForEach(change, json_part(edit, "documentChanges"))
    {
        const char *own = json_text(json_part(change, "textDocument"), "uri");
        Places places = {0};
        unsigned i = 0;
        if (!own || strcmp(own, uri) != 0)
            continue;
        add_new_places(&places, own, json_part(change, "edits"));
        cJSON_ArrayForEach(one, json_part(change, "edits"))
        {
            const cJSON *range = json_part(one, "range");
            Place p = start_of(own, range);
            if (p.line == line && at >= p.character && at <= p.character + length_of(range)) {
                *found = places.at[i];
                return true;
            }
            i++;
        }
    }
    return false;
}

/* The places of the element at a place of the edited texts, as JSON. */
static cJSON *ask_again(Host *h, Job *j, Place at)
{
    Text text = {0}, path = {0};
    if (!host_begin(h) || !lsp_load_texts(h->owner, j, at.uri, &text, &path))
        return NULL;
    KairosQuestion q = lsp_question(j, &text, &path);
    q.about = "references";
    q.name = NULL;
    q.line = (unsigned)at.line;
    q.character = (unsigned)at.character;
    q.files = (const char *const *)host_list_files(h, &q.n_files);
    char *answer = kairos_ask_text(h->k, &q);
    cJSON *found = answer ? cJSON_Parse(answer) : NULL;
    kairos_free_text(answer);
    return found;
}

/* Refuses the request if a place gains or loses its meaning. */
static bool refuse_difference(Job *j, const char *name, const Places *edited, const cJSON *found)
{
    Places meant = {0};
    const cJSON *one;
    const Place *wrong = NULL;
    cJSON_ArrayForEach(one, found)
        vec_push(&meant, start_of(json_text(one, "uri"), json_part(one, "range")));
    for (unsigned i = 0; i < edited->n && !wrong; i++)
        wrong = has_place(&meant, edited->at[i]) ? NULL : &edited->at[i];
    for (unsigned i = 0; i < meant.n && !wrong; i++)
        wrong = has_place(edited, meant.at[i]) ? NULL : &meant.at[i];
    if (wrong) {
        const char *slash = strrchr(wrong->uri, '/');
        job_fail(j, RPC_FAILED,
                 "'%.100s' has another meaning in line %.0f of %.200s; choose another name", name,
                 wrong->line + 1, slash ? slash + 1 : wrong->uri);
    }
    return wrong;
}

/* Classes with files of their own are not tried: their files have the old names. */
static bool keeps_meaning(Host *h, Job *j, const char *name, const cJSON *edit)
{
    Places edited = {0};
    Place cursor;
    const cJSON *change;
    if (!find_cursor(edit, j, &cursor))
        return true;
    cJSON_ArrayForEach(change, json_part(edit, "documentChanges"))
    {
        const char *uri = json_text(json_part(change, "textDocument"), "uri");
        size_t n = uri ? strlen(uri) : 0;
        if (!uri || n < 3 || strcmp(uri + n - 3, ".mo") != 0)
            return true;
        add_new_places(&edited, uri, json_part(change, "edits"));
    }
    cJSON_ArrayForEach(change, json_part(edit, "documentChanges"))
    {
        const char *uri = json_text(json_part(change, "textDocument"), "uri");
        if (!edit_document(h->owner, uri, json_part(change, "edits")))
            return true;
    }
    return !refuse_difference(j, name, &edited, ask_again(h, j, cursor));
}

/* ---- the request ---- */

/* The versions of open documents, so that the client can refuse edits of an older text. */
static void add_versions(const Lsp *l, cJSON *edit)
{
    cJSON *change, *changes = json_part(edit, "documentChanges");
    cJSON_ArrayForEach(change, changes)
    {
        cJSON *item = json_part(change, "textDocument");
        const Document *doc = document_find(&l->documents, json_text(item, "uri"));
        if (doc)
            cJSON_ReplaceItemInObjectCaseSensitive(item, "version",
                                                   cJSON_CreateNumber((double)doc->version));
    }
}

/* A file gets another name only if the client can do that. */
void job_rename_element(Host *h, Job *j)
{
    const Lsp *l = h->owner;
    Text text = {0}, path = {0};
    if (!lsp_load_texts(h->owner, j, params_uri(j->params), &text, &path))
        return;
    KairosQuestion q = lsp_question(j, &text, &path);
    if (!q.name) {
        job_fail(j, RPC_INVALID_PARAMS, "the request has no 'newName'");
        return;
    }
    q.files = (const char *const *)host_list_files(h, &q.n_files);
    char *answer = kairos_ask_text(h->k, &q);
    cJSON *edit = answer && strncmp(answer, "{\"error\":", 9) ? cJSON_Parse(answer) : NULL;
    if (!json_part(edit, "documentChanges")) {
        lsp_answer_question(j, answer);
    } else if (!l->has_rename_files && strstr(answer, "\"kind\":\"rename\"")) {
        job_fail(j, RPC_FAILED, "the class has a file of its own, which this editor cannot rename");
    } else {
        add_versions(l, edit);
        if (keeps_meaning(h, j, q.name, edit))
            job_result_json(j, edit);
    }
}
