/* Inside the server for editors. */
#ifndef LANGUAGE_LSP_H
#define LANGUAGE_LSP_H

#include "documents.h"
#include "host.h"
#include "language.h"

typedef struct Lsp {
    Host host;
    Documents documents;
    bool initialized, shut_down, over;
    bool has_progress;     /* the client shows progress that the server begins */
    bool has_snippets;     /* of completion */
    bool has_registration; /* of watched files */
    bool has_lens_refresh, has_rename_files;
    bool has_pictures;     /* in Markdown */
    unsigned last_request; /* number of the last request to the client */
    char *scratch;         /* folder for results */
    VEC(int) studios;      /* processes that end with the server */
} Lsp;

/* ---- lsp_lifecycle.c ---- */

void lsp_initialize(Lsp *l, const cJSON *id, const cJSON *params);
void lsp_initialized(Lsp *l);
/* A request of the server to the client; the answer is not waited for. */
void lsp_request_client(Lsp *l, const char *method, cJSON *params);
void lsp_log(Lsp *l, int type, const char *format, ...) __attribute__((format(printf, 3, 4)));
void lsp_change_folders(Lsp *l, const cJSON *params);

/* ---- lsp_requests.c ---- */

/* Starts the job of a request; false if there is no such method. */
bool lsp_start_request(Lsp *l, const char *method, const cJSON *id, const cJSON *params);
/* In a job: prepares the session for work on a document. NULL after an error that is answered;
 * otherwise the text, to be freed with text_free, and its path. */
bool lsp_load_texts(Lsp *l, Job *j, const char *uri, Text *text, Text *path);
const char *params_uri(const cJSON *params);
/* The question of a request about a text. */
KairosQuestion lsp_question(const Job *j, const Text *text, const Text *path);
/* Frees the answer. A refused question is an error of the request. */
void lsp_answer_question(Job *j, char *answer);

/* ---- lsp_check.c ---- */

void lsp_check_later(Lsp *l, Document *doc, double seconds);
void lsp_check_others(Lsp *l, const Document *doc);
double lsp_start_checks(Lsp *l);       /* those that are due; seconds until the next one */
void lsp_close(Lsp *l, Document *doc); /* and forgets its problems */
void lsp_code_actions(Lsp *l, const cJSON *id, const cJSON *params);
cJSON *make_range(double line, double character, double end_line, double end_character);

/* ---- lsp_complete.c ---- */

void job_completion(Host *h, Job *j);
void job_workspace_symbols(Host *h, Job *j);

/* ---- lsp_commands.c ---- */

void lsp_execute(Lsp *l, const cJSON *id, const cJSON *params);
extern const char *const lsp_commands[]; /* ends with NULL */

/* ---- lsp_rename.c ---- */

void job_rename_element(Host *h, Job *j);

/* ---- lsp_edits.c ---- */

void job_formatting(Host *h, Job *j);

#endif
