/* Inside the server for agents. */
#ifndef LANGUAGE_MCP_H
#define LANGUAGE_MCP_H

#include "host.h"
#include "language.h"

typedef struct Mcp {
    Host host;
    bool initialized, over;
    char *scratch; /* folder for results, removed at the end */
} Mcp;

/* ---- mcp_tools.c: the table, and tools that look ---- */

cJSON *tools_list(void); /* the answer to tools/list */
/* The work of a tool; NULL if there is none. */
JobWork tool_find(const char *name);

/* ---- mcp_answers.c: arguments and answers, in a job ---- */

/* {"content": [{"type": "text", …}], "structuredContent": o}; deletes o. */
void tool_answer(Job *j, cJSON *o);
void tool_answer_picture(Job *j, cJSON *o, const char *png, size_t n);
/* The same as an error of the tool, which the agent can read. */
void tool_fail(Job *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tool_fail_messages(Host *h, Job *j); /* with the messages of the session */
const cJSON *tool_arguments(const Job *j);
const char *tool_text(const Job *j, const char *name); /* NULL if it is not given */
/* A path that lies in one of the folders, without links; NULL after an answer. To be freed. */
char *tool_path(Host *h, Job *j, const char *path);
/* Loads "text", or the file "path"; false after an answer. *name: "class", or NULL. */
bool tool_load(Host *h, Job *j, const char **name);
cJSON *tool_messages(Host *h); /* [{severity, code, message, …}] */

/* ---- mcp_runs.c, mcp_analyses.c, mcp_edit.c ---- */

typedef struct ToolRun {
    KairosModel *m;
    KairosRun how;
    double start, stop; /* that `how` refers to */
} ToolRun;

/* The model and the options of a run that a tool gets; false after an answer. The job, a process of
 * its own, frees them by its end. */
bool tool_compile(Host *h, Job *j, ToolRun *r);
void tool_simulate(Host *h, Job *j);
void tool_plot(Host *h, Job *j);
void tool_linearize(Host *h, Job *j);
void tool_steady(Host *h, Job *j);
void tool_differentiate(Host *h, Job *j);
void tool_edit(Host *h, Job *j);

/* ---- confinement.c ---- */

/* From now on this process can read only the folders, the libraries and the system, and write only
 * the folders, the scratch folder and the cache of compiled external code. Without Landlock in the
 * kernel nothing happens. */
void confine_process(const Host *h, const char *scratch);

#endif
