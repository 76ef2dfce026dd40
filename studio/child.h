/* Inside the fork server and its children. */
#ifndef STUDIO_CHILD_H
#define STUDIO_CHILD_H

#include "frame.h"
#include "json.h"
#include "studio.h"

typedef struct Worker {
    Kairos *k;
    const ForkServerOptions *options;
    int fd;   /* to the server */
    int warm; /* pipe to the fork server: names of library classes that were read, one a line */
    uint32_t known; /* files that the fork server has read */
    bool ready;     /* the workspace is known to the session */
} Worker;

/* The answer to the server; kind: 0 JSON, 1 SVG, 2 the path of a file. */
void worker_answer(Worker *w, unsigned status, unsigned kind, const char *body, size_t n);
void worker_fail(Worker *w, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Loads the texts of the request: "open", then "path" with "text", or the stored text if it is
 * missing. KAIROS_…; the messages say more. */
int worker_load(Worker *w, const cJSON *request);
/* The messages so far in the form of the page: [{severity, code, message, path, line, …}]; to be
 * deleted. */
cJSON *worker_messages(Worker *w);
/* Reports the library files that were read to the fork server. */
void worker_send_read(Worker *w);
/* The path as the page knows it: within the workspace, or absolute. */
const char *worker_path(const Worker *w, const char *path);

/* JSON with absolute paths in "path" as the page knows them; to be freed. */
char *worker_strip(const Worker *w, const char *json);

char *worker_full_path(const Worker *w, const char *path); /* to be freed */
/* Answers with JSON, which is deleted; or with text of the library, which is freed, or its messages
 * if it is NULL. */
void worker_answer_json(Worker *w, unsigned status, cJSON *o);
void worker_answer_text(Worker *w, char *text);
/* {"block", "equations", "variables", …} from messages; null if none describes a failure. */
cJSON *worker_why(const cJSON *messages);

/* run_request.c: "settings", "start", "stop", "intervals", "tolerance", "solver". The run points
 * into the struct and into the JSON. */
typedef struct RunRequest {
    KairosRun run;
    double start, stop;
    VEC(KairosSetting) settings;
} RunRequest;

void run_request_read(RunRequest *r, const cJSON *o);
void run_request_free(RunRequest *r);

/* analyses.c: linear models, steady states, sensitivities, fits. */
void job_analysis(Worker *w, const cJSON *request);

/* browse.c */
void job_tree(Worker *w, const cJSON *request);
void job_index(Worker *w, const cJSON *request);
void job_class(Worker *w, const cJSON *request);
void job_diagram(Worker *w, const cJSON *request);
void job_equations(Worker *w, const cJSON *request);
void job_complete(Worker *w, const cJSON *request);
void job_hover(Worker *w, const cJSON *request);
void job_edit(Worker *w, const cJSON *request);
void job_component(Worker *w, const cJSON *request);
void job_replacements(Worker *w, const cJSON *request);
void job_icons(Worker *w, const cJSON *request);
void job_rename(Worker *w, const cJSON *request);

/* job.c: one job, by its name in "job". */
void job_run(Worker *w, const cJSON *request);
/* live.c: a model, compiled, then run as often as requested. */
void live_run(Worker *w, const cJSON *request);

#endif
