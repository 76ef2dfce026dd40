/* Classes and models told to tools: the public side of src/inspect. */
#include "session.h"

#include "inspect/inspect.h"

typedef struct Query {
    Kairos *k;
    const KairosModel *model;
    const char *name;
    Text text; /* the answer */
    int status;
} Query;

static char *answer(Kairos *k, void (*action)(void *), Query *q)
{
    int status = session_guard(k, action, q, &q->status);
    char *text = status == KAIROS_OK ? session_text(q->text.at ? q->text.at : "") : NULL;
    text_free(&q->text);
    return text;
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
    inspect_model(&q->model->compilation, &q->text);
}

char *kairos_describe_model(const KairosModel *m)
{
    Query q = {.k = m->session, .model = m};
    return answer(m->session, describe_model, &q);
}
