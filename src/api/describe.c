/* Classes and models for tools: the public side of src/inspect. */
#include "api/session.h"

#include "inspect/inspect.h"

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
        &(Query){k, NULL, name, text, size, line, column, NULL, inspect_complete, {0}, 0});
}

char *kairos_find_symbol(Kairos *k, const char *name, const char *text, size_t size, unsigned line,
                         unsigned column)
{
    return answer(k, ask_place,
                  &(Query){k, NULL, name, text, size, line, column, NULL, inspect_symbol, {0}, 0});
}

/* ---- equations ---- */

static void describe_equations(void *arg)
{
    Query *q = arg;
    inspect_equations(q->model->compilation.flat, q->model->compilation.plan, &q->text);
}

char *kairos_describe_equations(Kairos *k, const char *name, const KairosCompile *how)
{
    int status;
    pthread_rwlock_wrlock(&k->models);
    KairosModel *m = session_compile(k, name, how, PHASE_STRUCTURE, &status);
    Query q = {.k = k, .model = m};
    char *text = m ? answer(k, describe_equations, &q) : NULL;
    kairos_free_model(m);
    pthread_rwlock_unlock(&k->models);
    return text;
}
