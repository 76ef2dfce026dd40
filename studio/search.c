/* Search among all classes: a list of those of libraries, made once, and one of those of the
 * workspace, made when its files have changed. */
#include "server.h"

#include <ctype.h>
#include <stdlib.h>

enum { FOUND_MOST = 100, WAITING_MOST = 50 };

struct Index {
    Studio *studio;
    cJSON *libraries, *workspace; /* rows; NULL before */
    uint64_t stamp;               /* of the files that `workspace` was made from */
    Child *child;                 /* that makes a list; NULL: none */
    VEC(Request *) waiting;
};

typedef struct Hit {
    const cJSON *row;
    int score;
} Hit;

/* ---- matching ---- */

static const char *field(const cJSON *row, const char *name)
{
    const char *text = json_text(row, name);
    return text ? text : "";
}

/* How well a class fits one word; 0: not at all. */
static int score_word(const cJSON *row, const char *word)
{
    const char *name = field(row, "name");
    size_t n = strlen(word);
    if (!strcasecmp(name, word))
        return 1000;
    if (!strncasecmp(name, word, n))
        return 500;
    if (strcasestr(name, word))
        return 200;
    if (strcasestr(field(row, "full"), word))
        return 50;
    return strcasestr(field(row, "description"), word) ? 20 : 0;
}

static int score_row(const cJSON *row, char *const *words, uint32_t n)
{
    int total = 0;
    for (uint32_t i = 0; i < n; i++) {
        int one = score_word(row, words[i]);
        if (!one)
            return 0;
        total += one;
    }
    return 100 * total - (int)strlen(field(row, "full")); /* the shorter name first */
}

static int by_score(const void *a, const void *b)
{
    const Hit *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : strcmp(field(x->row, "full"), field(y->row, "full"));
}

typedef VEC(Hit) Hits;

static void find(const cJSON *rows, char *const *words, uint32_t n, int bonus, Hits *hits)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, rows)
    {
        int score = score_row(row, words, n);
        if (score)
            vec_push(hits, ((Hit){row, score + bonus}));
    }
}

static void answer(Index *x, Request *r)
{
    char *copy = strdup(request_arg(r, "q"));
    VEC(char *) words = {0};
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
        vec_push(&words, word);
    Hits hits = {0};
    if (words.n) {
        find(x->workspace, words.at, words.n, 1000, &hits);
        find(x->libraries, words.at, words.n, 0, &hits);
    }
    if (hits.n)
        qsort(hits.at, hits.n, sizeof *hits.at, by_score);
    Text t = {0};
    text_put(&t, "[");
    for (uint32_t i = 0; i < hits.n && i < FOUND_MOST; i++) {
        text_put(&t, i ? "," : "");
        json_put_cjson(&t, hits.at[i].row);
    }
    text_put(&t, "]");
    request_json(r, 200, &t);
    vec_free(&hits);
    vec_free(&words);
    free(copy);
}

/* ---- the lists ---- */

static uint64_t stamp_of(const Workspace *w)
{
    uint64_t h = w->files.n;
    for (uint32_t i = 0; i < w->files.n; i++)
        h = (h ^ w->files.at[i].hash ^
             files_hash(w->files.at[i].path, strlen(w->files.at[i].path))) *
            UINT64_C(0x100000001b3);
    return h;
}

static void answer_all(Index *x, const char *error)
{
    for (uint32_t i = 0; i < x->waiting.n; i++)
        if (error)
            request_error(x->waiting.at[i], 500, "the search failed: %s", error);
        else
            answer(x, x->waiting.at[i]);
    vec_clear(&x->waiting);
}

static void index_frame(void *user, const FrameHead *head, const char *body)
{
    Index *x = user;
    if (head->kind != FRAME_ANSWER || head->size < 8)
        return;
    char *text = strndup(body + 8, head->size - 8);
    cJSON *o = cJSON_Parse(text), *part;
    free(text);
    if ((part = cJSON_DetachItemFromObjectCaseSensitive(o, "libraries"))) {
        cJSON_Delete(x->libraries);
        x->libraries = part;
    }
    if ((part = cJSON_DetachItemFromObjectCaseSensitive(o, "workspace"))) {
        cJSON_Delete(x->workspace);
        x->workspace = part;
    }
    cJSON_Delete(o);
    child_drop(x->child);
    x->child = NULL;
    answer_all(x, NULL);
}

static void index_gone(void *user, const char *why)
{
    Index *x = user;
    x->child = NULL;
    answer_all(x, why);
}

static bool ask(Index *x)
{
    static const ChildCalls calls = {index_frame, index_gone};
    Text t = {0};
    x->stamp = stamp_of(&x->studio->workspace);
    text_printf(&t,
                "{\"job\":\"index\",\"libraries\":%s,\"files\":", x->libraries ? "false" : "true");
    files_put_list(&x->studio->workspace, &t);
    text_put(&t, "}");
    x->child = child_start(x->studio, t.at, 60, &calls, x);
    text_free(&t);
    return x->child;
}

static Index *index_of(Studio *s)
{
    if (!s->index) {
        s->index = memory_alloc(sizeof *s->index);
        s->index->studio = s;
    }
    return s->index;
}

void search_prepare(Studio *s)
{
    Index *x = index_of(s);
    if (!x->child && !x->libraries)
        ask(x);
}

void search_classes(Studio *s, Request *r)
{
    Index *x = index_of(s);
    if (!request_arg(r, "q")) {
        request_error(r, 400, "'q' is missing: the words to search for");
        return;
    }
    if (!x->child && x->libraries && x->workspace && x->stamp == stamp_of(&s->workspace)) {
        answer(x, r);
        return;
    }
    if (x->waiting.n >= WAITING_MOST) {
        request_error(r, 503, "too many searches at once");
        return;
    }
    vec_push(&x->waiting, r);
    if (!x->child && !ask(x))
        answer_all(x, "the studio's workers do not start");
}

void search_free(Studio *s)
{
    Index *x = s->index;
    if (!x)
        return;
    cJSON_Delete(x->libraries);
    cJSON_Delete(x->workspace);
    vec_free(&x->waiting);
    memory_free(x);
}
