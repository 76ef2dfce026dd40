/* Tools that analyse a model: linear models, steady states, sensitivities. */
#include "mcp.h"

#include <stdlib.h>

enum { NAMES_MOST = 20 };

/* The JSON of an analysis with the messages of the session. */
static void answer(Host *h, Job *j, const ToolRun *r, int status, char *json)
{
    cJSON *result = json ? cJSON_Parse(json) : NULL, *o = cJSON_CreateObject();
    kairos_free_text(json);
    if (!result) {
        cJSON_Delete(o);
        tool_fail_messages(h, j);
        return;
    }
    cJSON_AddStringToObject(o, "class", kairos_model_name(r->m));
    cJSON_AddBoolToObject(o, "ok", status == KAIROS_OK);
    cJSON_AddItemToObject(o, "result", result);
    cJSON_AddItemToObject(o, "messages", tool_messages(h));
    tool_answer(j, o);
}

void tool_linearize(Host *h, Job *j)
{
    ToolRun r;
    const char *at = tool_text(j, "at");
    double period = json_number(tool_arguments(j), "period");
    if (!tool_compile(h, j, &r))
        return;
    KairosLinearize how = {.size = sizeof how,
                           .at = &at,
                           .n_at = at != NULL,
                           .period = period > 0 ? period : 0,
                           .average = json_flag(tool_arguments(j), "average")};
    char *json = NULL;
    int status = kairos_linearize_model(r.m, &r.how, &how, &json);
    answer(h, j, &r, status, json);
}

void tool_steady(Host *h, Job *j)
{
    ToolRun r;
    double period = json_number(tool_arguments(j), "period");
    if (!tool_compile(h, j, &r))
        return;
    KairosSteady how = {.size = sizeof how, .period = period > 0 ? period : 0};
    char *json = NULL;
    int status = kairos_steady(r.m, &r.how, &how, &json);
    answer(h, j, &r, status, json);
}

static unsigned read_names(const Job *j, const char *member, const char **names)
{
    const cJSON *one, *list = json_part(tool_arguments(j), member);
    unsigned n = 0;
    cJSON_ArrayForEach(one, list) if (cJSON_IsString(one) && n < NAMES_MOST) names[n++] =
        one->valuestring;
    return n;
}

void tool_differentiate(Host *h, Job *j)
{
    ToolRun r;
    const char *of[NAMES_MOST], *to[NAMES_MOST];
    unsigned n_of = read_names(j, "of", of), n_to = read_names(j, "to", to);
    if (!tool_compile(h, j, &r))
        return;
    double times[2];
    kairos_model_times(r.m, &times[0], &times[1]);
    times[0] = r.how.start_time ? r.start : times[0];
    times[1] = r.how.stop_time ? r.stop : times[1];
    /* few rows: scalars say the most */
    KairosSensitivities how = {.size = sizeof how,
                               .of = of,
                               .n_of = n_of,
                               .to = to,
                               .n_to = n_to,
                               .times = times,
                               .n_times = 2};
    char *json = NULL;
    int status = kairos_sensitivities(r.m, &r.how, &how, &json);
    answer(h, j, &r, status, json);
}
