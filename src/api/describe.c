/* Classes and models for tools: the public side of src/inspect. */
#include "api/session.h"

#include "inspect/inspect.h"
#include "service/service.h"

typedef struct Query {
    Kairos *k;
    const KairosModel *model;
    const char *name;
    const char *source; /* text that is being written */
    size_t size;
    unsigned line, column;
    bool (*ask)(Library *lib, const char *name, Text *t);
    void (*ask_at)(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                   uint32_t column, Text *t);
    Text text; /* the answer */
    int status;
    KairosModel *own; /* made for this query */
} Query;

static char *answer(Kairos *k, void (*action)(void *), Query *q)
{
    int status = session_guard(k, action, q, &q->status);
    if (status == KAIROS_OK)
        return q->text.at; /* now the caller's */
    text_free(&q->text);
    return NULL;
}

static void load_class(void *arg)
{
    Query *q = arg;
    q->status = library_find_model(q->k->library, q->name) ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

int kairos_load_class(Kairos *k, const char *name)
{
    Query q = {.k = k, .name = name};
    return session_guard(k, load_class, &q, &q.status);
}

static void list_loaded(void *arg)
{
    Query *q = arg;
    inspect_loaded(q->k->library, &q->text);
}

char *kairos_list_loaded(Kairos *k)
{
    Query q = {.k = k};
    return answer(k, list_loaded, &q);
}

static void describe_file(void *arg)
{
    Query *q = arg;
    inspect_file(q->k->library, &q->text);
}

char *kairos_describe_file(Kairos *k)
{
    Query q = {.k = k};
    return answer(k, describe_file, &q);
}

static void describe_model(void *arg)
{
    Query *q = arg;
    inspect_model(q->model->compilation.flat, q->model->compilation.plan, &q->text);
}

char *kairos_describe_model(const KairosModel *m)
{
    Query q = {.k = m->session, .model = m};
    return answer(m->session, describe_model, &q);
}

typedef struct SurfaceQuery {
    const KairosModel *model;
    InspectSurface surface;
    Text text;
    int status;
} SurfaceQuery;

static void describe_surface(void *arg)
{
    SurfaceQuery *q = arg;
    bool ok = inspect_surface(q->model->compilation.flat, &q->surface, &q->text);
    q->status = ok ? KAIROS_OK : KAIROS_FAILED;
}

char *kairos_describe_surface(const KairosModel *m, const char *name, double time,
                              const double *values, unsigned n)
{
    SurfaceQuery q = {.model = m, .surface = {name, time, values, n}};
    if (session_guard(m->session, describe_surface, &q, &q.status) == KAIROS_OK)
        return q.text.at; /* now the caller's */
    text_free(&q.text);
    return NULL;
}

/* ---- classes ---- */

/* Loaded classes may have errors: a check reports them. */
static void ask_library(void *arg)
{
    Query *q = arg;
    q->status = q->ask(q->k->library, q->name, &q->text) ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

static char *ask(Kairos *k, const char *name, bool (*what)(Library *lib, const char *name, Text *t))
{
    Query q = {.k = k, .name = name, .ask = what};
    return answer(k, ask_library, &q);
}

char *kairos_list_classes(Kairos *k, const char *name)
{
    return ask(k, name, inspect_classes);
}

char *kairos_index_library(Kairos *k, const char *name)
{
    return ask(k, name, inspect_all);
}

char *kairos_describe_class(Kairos *k, const char *name)
{
    return ask(k, name, inspect_class);
}

static void ask_place(void *arg)
{
    Query *q = arg;
    q->ask_at(q->k->library, q->name, q->source, q->size, q->line, q->column, &q->text);
}

char *kairos_complete_text(Kairos *k, const char *name, const char *text, size_t size,
                           unsigned line, unsigned column)
{
    return answer(
        k, ask_place,
        &(Query){k, NULL, name, text, size, line, column, NULL, service_complete, {0}, 0, NULL});
}

char *kairos_find_symbol(Kairos *k, const char *name, const char *text, size_t size, unsigned line,
                         unsigned column)
{
    return answer(
        k, ask_place,
        &(Query){k, NULL, name, text, size, line, column, NULL, service_symbol, {0}, 0, NULL});
}

/* ---- the language service ---- */

typedef struct Asking {
    Kairos *k;
    const KairosQuestion *given;
    Text text;
    int status;
} Asking;

static void ask_service(void *arg)
{
    Asking *a = arg;
    KairosQuestion q;
    a->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(a->k, KairosQuestion, a->given, &q))
        return;
    Question question = {.about = q.about,
                         .path = q.path,
                         .text = q.text,
                         .size = q.text_size,
                         .line = q.line,
                         .character = q.character,
                         .end_line = q.end_line,
                         .end_character = q.end_character,
                         .name = q.name,
                         .files = q.files,
                         .n_files = q.n_files};
    session_watch(a->k);
    if (!q.about || !q.path || !q.text || !service_ask(a->k->library, &question, &a->text))
        diag(a->k->ctx, (Span){0}, DIAG_U008, "there is no question '%s' about a text",
             q.about ? q.about : "");
    else
        a->status = KAIROS_OK;
}

char *kairos_ask_text(Kairos *k, const KairosQuestion *question)
{
    Asking a = {.k = k, .given = question};
    if (session_guard(k, ask_service, &a, &a.status) == KAIROS_OK)
        return a.text.at; /* now the caller's */
    text_free(&a.text);
    return NULL;
}

typedef struct KnownFile {
    Kairos *k;
    const char *path, *text;
    size_t size;
    int status;
} KnownFile;

static void overlay(void *arg)
{
    const KnownFile *f = arg;
    library_overlay(f->k->library, f->path, f->text, f->size);
}

int kairos_overlay_file(Kairos *k, const char *path, const char *text, size_t size)
{
    KnownFile f = {k, path, text, size, KAIROS_OK};
    return session_guard(k, overlay, &f, &f.status);
}

static void read_ahead(void *arg)
{
    KnownFile *f = arg;
    f->size = library_read_ahead(f->k->library, f->path);
}

size_t kairos_read_ahead(Kairos *k, const char *path)
{
    KnownFile f = {k, path, NULL, 0, KAIROS_OK};
    return session_guard(k, read_ahead, &f, &f.status) == KAIROS_OK ? f.size : 0;
}

/* ---- equations ---- */

static void describe_equations(void *arg)
{
    Query *q = arg;
    compile_as_written(&q->own->compilation, false);
    inspect_equations(q->own->compilation.flat, q->own->compilation.plan, &q->text);
}

char *kairos_describe_equations(Kairos *k, const char *name, const KairosCompile *how)
{
    int status;
    pthread_rwlock_wrlock(&k->models);
    KairosModel *m = session_compile(k, name, how, PHASE_STRUCTURE, &status);
    Query q = {.k = k, .own = m};
    char *text = m ? answer(k, describe_equations, &q) : NULL;
    kairos_free_model(m);
    pthread_rwlock_unlock(&k->models);
    return text;
}
