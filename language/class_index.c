#include "class_index.h"

#include <unistd.h>

static const double index_seconds = 120;

static void add_rows(cJSON *list, char *text)
{
    static const char *const names[] = {"name", "full", "kind",  "description",
                                        "path", "line", "column"};
    cJSON *rows = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    while ((row = cJSON_DetachItemFromArray(rows, 0))) {
        cJSON *kept = cJSON_CreateObject();
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            cJSON *part = cJSON_DetachItemFromObjectCaseSensitive(row, names[i]);
            if (part)
                cJSON_AddItemToObject(kept, names[i], part);
        }
        cJSON_AddItemToArray(list, kept);
        cJSON_Delete(row);
    }
    cJSON_Delete(rows);
}

cJSON *index_make(Host *h)
{
    cJSON *list = cJSON_CreateArray(), *row;
    char *text = kairos_list_classes(h->k, "");
    cJSON *libraries = cJSON_Parse(text ? text : "[]");
    kairos_free_text(text);
    cJSON_ArrayForEach(row, libraries)
        add_rows(list, kairos_index_library(h->k, json_text(row, "name")));
    cJSON_Delete(libraries);
    return list;
}

bool index_is_present(const Host *h)
{
    return h->index && !h->index_due && !h->indexing;
}

static void make(Host *h, Job *j)
{
    if (h->prepare)
        h->prepare(h);
    job_result_json(j, index_make(h));
    _exit(0); /* the files of whole libraries are not worth keeping parsed */
}

static void take(Host *h, Job *j, const char *json)
{
    (void)j;
    h->indexing = NULL;
    if (!json)
        return;
    cJSON_Delete(h->index);
    h->index = cJSON_Parse(json);
}

void index_start(Host *h)
{
    Job *j = job_new(h, NULL, NULL, make, index_seconds);
    j->done = take;
    h->indexing = j;
    h->index_due = false;
    job_start(h, j);
}
