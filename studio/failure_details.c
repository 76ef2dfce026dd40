/* Why a run failed: the block, its equations and its values, as the notes of its first error name
 * them. */
#include "child.h"

/* Copies the items of these names that `from` has. */
static void copy_items(cJSON *to, const cJSON *from, const char *const *names)
{
    for (; *names; names++) {
        const cJSON *item = json_part(from, *names);
        if (item)
            cJSON_AddItemToObject(to, *names, cJSON_Duplicate(item, true));
    }
}

static void copy_place(cJSON *to, const cJSON *from)
{
    copy_items(to, from, (const char *const[]){"path", "line", "column", NULL});
}

static void add_equation(cJSON *list, const cJSON *note)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "text", json_text(note, "equation"));
    copy_items(o, note, (const char *const[]){"residual", NULL});
    copy_place(o, note);
    cJSON_AddItemToArray(list, o);
}

static void add_variable(cJSON *list, const cJSON *note)
{
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "name", json_text(note, "variable"));
    copy_items(o, note, (const char *const[]){"value", "start", NULL});
    cJSON_AddItemToArray(list, o);
}

static void add_note(cJSON *why, const cJSON *note)
{
    const char *open = json_text(note, "undetermined");
    if (json_part(note, "equation"))
        add_equation(json_part(why, "equations"), note);
    else if (json_part(note, "variable"))
        add_variable(json_part(why, "variables"), note);
    else if (json_part(note, "block") && !cJSON_HasObjectItem(why, "block"))
        cJSON_AddStringToObject(why, "block", json_text(note, "message"));
    else if (open)
        cJSON_AddItemToArray(json_part(why, "undetermined"), cJSON_CreateString(open));
}

cJSON *worker_why(const cJSON *messages)
{
    const cJSON *row, *note;
    cJSON_ArrayForEach(row, messages)
    {
        const char *severity = json_text(row, "severity");
        if (!severity || strcmp(severity, "error"))
            continue;
        cJSON *why = cJSON_CreateObject();
        cJSON_AddStringToObject(why, "message", json_text(row, "message"));
        copy_place(why, row);
        cJSON *equations = cJSON_AddArrayToObject(why, "equations"),
              *variables = cJSON_AddArrayToObject(why, "variables");
        cJSON_AddArrayToObject(why, "undetermined");
        cJSON_ArrayForEach(note, json_part(row, "notes")) add_note(why, note);
        if (cJSON_GetArraySize(equations) || cJSON_GetArraySize(variables))
            return why;
        cJSON_Delete(why);
    }
    return cJSON_CreateNull();
}
