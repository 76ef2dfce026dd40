/* Jobs: one question about the texts of the page, one answer. */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { JOB_SECONDS = 120 }; /* after that nobody waits any more */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void answer_json(Worker *w, unsigned status, cJSON *o)
{
    char *text = cJSON_PrintUnformatted(o), *stripped = worker_strip(w, text ? text : "null");
    worker_answer(w, status, 0, stripped, strlen(stripped));
    memory_free(stripped);
    free(text);
    cJSON_Delete(o);
}

/* Text that the library has made as JSON; where it could not, its messages. */
static void answer_text(Worker *w, char *text)
{
    if (text) {
        char *stripped = worker_strip(w, text);
        worker_answer(w, 200, 0, stripped, strlen(stripped));
        memory_free(stripped);
    } else {
        cJSON *o = cJSON_CreateObject(), *messages = worker_messages(w);
        const char *first = worker_text(cJSON_GetArrayItem(messages, 0), "message");
        cJSON_AddStringToObject(o, "error", first ? first : "there is no answer");
        cJSON_AddItemToObject(o, "diagnostics", messages);
        answer_json(w, 422, o);
    }
    kairos_free_text(text);
}

/* ---- check ---- */

/* The class to check and then the others of the file that can be simulated, as long as there is time. */
typedef struct Check {
    Worker *w;
    cJSON *messages; /* of all */
    double until;
} Check;

static bool has_message(const cJSON *list, const cJSON *message)
{
    const cJSON *row;
    cJSON_ArrayForEach(row, list) if (cJSON_Compare(row, message, true)) return true;
    return false;
}

static void gather(Check *c)
{
    cJSON *fresh = worker_messages(c->w), *row;
    while ((row = cJSON_DetachItemFromArray(fresh, 0)))
        if (has_message(c->messages, row))
            cJSON_Delete(row);
        else
            cJSON_AddItemToArray(c->messages, row);
    cJSON_Delete(fresh);
    kairos_clear_messages(c->w->k);
}

static void check_class(Check *c, const char *name)
{
    kairos_check_model(c->w->k, name, &(KairosCompile){.check_units = 1});
    gather(c);
}

static bool is_model(const cJSON *class)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(class, "model"));
}

/* The class that a run would take: the one asked for, where the file has it, else the last. */
static const char *choose_class(const cJSON *classes, const char *wanted)
{
    const cJSON *row;
    const char *last = NULL;
    cJSON_ArrayForEach(row, classes)
    {
        const char *name = worker_text(row, "name");
        if (!is_model(row) || !name)
            continue;
        if (wanted && !strcmp(wanted, name))
            return name;
        last = name;
    }
    return last;
}

static void check(Worker *w, const cJSON *request)
{
    static const double others = 0.02; /* s */
    double start = now();
    Check c = {w, cJSON_CreateArray(), start + others};
    int status = worker_load(w, request);
    char *text = kairos_describe_file(w->k);
    cJSON *classes = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    const char *chosen = choose_class(classes, worker_text(request, "class"));
    gather(&c);
    if (!status && chosen)
        check_class(&c, chosen);
    cJSON_ArrayForEach(row, classes)
    {
        const char *name = worker_text(row, "name");
        if (!status && name && name != chosen && is_model(row) && now() < c.until)
            check_class(&c, name);
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToObject(o, "diagnostics", c.messages);
    if (chosen)
        cJSON_AddStringToObject(o, "model", chosen);
    else
        cJSON_AddNullToObject(o, "model");
    cJSON_AddItemToObject(o, "classes", classes);
    cJSON_AddNumberToObject(o, "ms", 1e3 * (now() - start));
    answer_json(w, 200, o);
    worker_tell_read(w);
}

/* ---- libraries ---- */

static void libraries(Worker *w, const cJSON *request)
{
    (void)request;
    answer_text(w, kairos_list_libraries(w->k, KAIROS_JSON));
}

/* ---- the table ---- */

static const struct {
    const char *name;
    void (*run)(Worker *w, const cJSON *request);
} jobs[] = {{"check", check}, {"libraries", libraries}};

void job_run(Worker *w, const cJSON *request)
{
    const char *name = worker_text(request, "job");
    alarm(JOB_SECONDS);
    for (size_t i = 0; name && i < sizeof jobs / sizeof *jobs; i++)
        if (!strcmp(jobs[i].name, name)) {
            jobs[i].run(w, request);
            return;
        }
    worker_fail(w, 500, "there is no job '%s'", name ? name : "");
}
