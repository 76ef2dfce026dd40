/* Why a run failed: the block, its equations and its values, taken out of the notes of the
 * diagnostic that tells it. */
#include "child.h"

#include <stdio.h>
#include <stdlib.h>

static const char *after(const char *text, const char *start)
{
    size_t n = strlen(start);
    return text && !strncmp(text, start, n) ? text + n : NULL;
}

static void copy_place(cJSON *to, const cJSON *from)
{
    static const char *const names[] = {"path", "line", "column"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const cJSON *item = json_part(from, names[i]);
        if (item)
            cJSON_AddItemToObject(to, names[i], cJSON_Duplicate(item, true));
    }
}

/* "R*i = v (residual 0.1)" */
static void add_equation(cJSON *list, const char *text, const cJSON *note)
{
    cJSON *o = cJSON_CreateObject();
    const char *tail = strstr(text, " (residual ");
    char *copy = strndup(text, tail ? (size_t)(tail - text) : strlen(text));
    cJSON_AddStringToObject(o, "text", copy);
    if (tail)
        cJSON_AddNumberToObject(o, "residual", strtod(tail + strlen(" (residual "), NULL));
    copy_place(o, note);
    cJSON_AddItemToArray(list, o);
    free(copy);
}

/* "x = 3 (start value 1)" */
static void add_variable(cJSON *list, const char *text)
{
    const char *equals = strstr(text, " = "), *tail = strstr(text, " (start value ");
    if (!equals)
        return;
    cJSON *o = cJSON_CreateObject();
    char *name = strndup(text, (size_t)(equals - text));
    cJSON_AddStringToObject(o, "name", name);
    cJSON_AddNumberToObject(o, "value", strtod(equals + 3, NULL));
    if (tail)
        cJSON_AddNumberToObject(o, "start", strtod(tail + strlen(" (start value "), NULL));
    cJSON_AddItemToArray(list, o);
    free(name);
}

static void read_note(cJSON *why, const cJSON *note)
{
    const char *text = json_text(note, "message"), *rest;
    cJSON *equations = json_part(why, "equations");
    cJSON *variables = json_part(why, "variables");
    if ((rest = after(text, "equation: ")) || (rest = after(text, "in equation: ")))
        add_equation(equations, rest, note);
    else if ((rest = after(text, "variable: ")) || (rest = after(text, "with ")))
        add_variable(variables, rest);
    else if (after(text, "in a block of ") && !cJSON_HasObjectItem(why, "block"))
        cJSON_AddStringToObject(why, "block", text);
    else if ((rest = after(text, "they do not determine: ")))
        cJSON_AddItemToArray(json_part(why, "undetermined"), cJSON_CreateString(rest));
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
        cJSON_ArrayForEach(note, json_part(row, "notes")) read_note(why, note);
        if (cJSON_GetArraySize(equations) || cJSON_GetArraySize(variables))
            return why;
        cJSON_Delete(why);
    }
    return cJSON_CreateNull();
}
