/* The options of a run as the page gives them. */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>

static char *value_text(const cJSON *v)
{
    char *text = NULL;
    if (cJSON_IsString(v))
        return strdup(v->valuestring);
    if (cJSON_IsBool(v))
        return strdup(cJSON_IsTrue(v) ? "true" : "false");
    return asprintf(&text, "%.17g", cJSON_GetNumberValue(v)) < 0 ? NULL : text;
}

static double number(const cJSON *o, const char *name)
{
    const cJSON *v = json_part(o, name);
    return cJSON_IsNumber(v) ? v->valuedouble : 0;
}

void run_request_read(RunRequest *r, const cJSON *o)
{
    const cJSON *row;
    *r = (RunRequest){.start = number(o, "start"), .stop = number(o, "stop")};
    cJSON_ArrayForEach(row, json_part(o, "settings"))
        vec_push(&r->settings, ((KairosSetting){row->string, value_text(row)}));
    r->run = (KairosRun){.size = sizeof r->run,
                         .start_time = cJSON_IsNumber(json_part(o, "start")) ? &r->start : NULL,
                         .stop_time = cJSON_IsNumber(json_part(o, "stop")) ? &r->stop : NULL,
                         .intervals = (unsigned)number(o, "intervals"),
                         .tolerance = number(o, "tolerance"),
                         .solver = json_text(o, "solver"),
                         .settings = r->settings.at,
                         .n_settings = r->settings.n};
}

void run_request_free(RunRequest *r)
{
    for (uint32_t i = 0; i < r->settings.n; i++)
        free((char *)(uintptr_t)r->settings.at[i].value);
    vec_free(&r->settings);
}
