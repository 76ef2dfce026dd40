/* Shared by the servers for editors and for agents: a session that has parsed the libraries, and
 * jobs, each in a forked process that finds them parsed.
 *
 * A job cannot disturb the server: its changes to the session end with it, it can be killed at any
 * time, and a crash is an error message. It reports the files that it has used. The server parses
 * them when it is idle, for later jobs, and again after a change on the disk. It forgets those that
 * no job has used for long when their texts become too large together. */
#ifndef LANGUAGE_HOST_H
#define LANGUAGE_HOST_H

#include "frame.h"
#include "kairos.h"
#include "rpc.h"

#include <sys/types.h>
#include <time.h>

typedef struct Host Host;
typedef struct Job Job;

/* Frames from a job to the server. */
enum { JOB_RESULT = 100, JOB_ERROR, JOB_READ, JOB_PROGRESS };

typedef void (*JobWork)(Host *h, Job *j); /* in the new process */
/* In the server: the result as JSON. NULL: it is the answer to the request. */
typedef void (*JobDone)(Host *h, Job *j, const char *json);

struct Job {
    pid_t pid;
    int fd; /* pipe between both */
    FrameReader in;
    cJSON *id;       /* of the request; NULL: none waits */
    cJSON *params;   /* of the request */
    const void *row; /* of the table of requests */
    char *uri;
    long long version; /* of the document */
    cJSON *token;      /* for progress; NULL: nobody asked */
    JobWork work;
    JobDone done;
    void (*gone)(Host *h, const Job *j); /* before it is forgotten without `done`; may be NULL */
    bool answered;
    double deadline; /* by the clock */
    Job *next;
};

typedef struct AheadFile {
    char *path;
    struct timespec mtime;
    size_t size;   /* bytes of its text */
    unsigned used; /* number of the last job that read it */
    bool is_due;   /* not parsed yet */
} AheadFile;

struct Host {
    Rpc rpc;
    Kairos *k; /* libraries and trees; nothing is looked up in the server itself */
    const char *const *libraries;
    unsigned n_libraries;
    bool allow_external;
    VEC(char *) roots; /* of the workspace; absolute */
    VEC(AheadFile) ahead;
    size_t replaced; /* bytes of texts that were read again */
    unsigned n_read; /* jobs that have reported files */
    Job *jobs;
    bool closed;              /* the input has ended */
    cJSON *index;             /* of all classes (class_index.h); NULL before */
    bool index_due;           /* it must be made again */
    Job *indexing;            /* NULL: not under way */
    void (*prepare)(Host *h); /* in a job: hands open texts to the session; may be NULL */
    void *owner;              /* the server */
    void (*on_progress)(Host *h, Job *j, const char *text); /* "0.25 message"; may be NULL */
};

char *host_make_scratch(void);        /* a new folder for results; NULL if that fails */
void host_remove_scratch(char *path); /* with its files; frees it */
bool host_begin(Host *h);             /* a session with roots and libraries; false without memory */
void host_end(Host *h);
void host_add_root(Host *h, const char *path);
/* Looks for packages below the roots; to be called again after files have appeared. */
void host_find_packages(Host *h);

/* A job, killed after some seconds. `params` and `id` are copied; both may be NULL. */
Job *job_new(Host *h, const cJSON *id, const cJSON *params, JobWork work, double seconds);
void job_start(Host *h, Job *j);
void job_cancel(Host *h, Job *j); /* kills it without an answer */
Job *job_find(const Host *h, const cJSON *id);
/* Waits for input and jobs for at most `seconds`. False at the end of the input. */
bool host_wait(Host *h, double seconds, bool *input);

/* In a job: */
void job_result(Job *j, const char *json);
void job_result_json(Job *j, cJSON *o); /* deletes it */
void job_fail(Job *j, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
void job_progress(const Job *j, double share, const char *message);
void job_send_read(Host *h, Job *j);
/* Modelica files of the roots; to be freed with the list. */
char **host_list_files(const Host *h, unsigned *n);
bool host_read_file(const char *path, Text *t);

#endif
