/* Inside the server: one thread, one loop, everything hangs on a Studio. */
#ifndef STUDIO_SERVER_H
#define STUDIO_SERVER_H

#include "frame.h"
#include "json.h"
#include "studio.h"

#include <poll.h>

typedef struct Studio Studio;
typedef struct Request Request;
typedef struct Child Child;
typedef struct Model Model;
typedef struct Run Run;

/* ---- loop.c: descriptors that are waited for ---- */

typedef void (*LoopFn)(void *user, short events);

typedef struct LoopEntry {
    LoopFn fn;
    void *user;
} LoopEntry;

typedef struct Loop {
    VEC(struct pollfd) fds; /* fd -1: forgotten */
    VEC(LoopEntry) entries; /* one for each of them */
    bool over;
} Loop;

void loop_watch(Loop *l, int fd, short events, LoopFn fn, void *user);
void loop_change(Loop *l, int fd, short events);
void loop_forget(Loop *l, int fd);
void loop_wait(Loop *l, int ms); /* waits once and calls */
void loop_free(Loop *l);

/* ---- http.c: requests and answers ---- */

typedef struct Http Http;

/* Listens; NULL after an error on standard error. s->port is set. */
Http *http_start(Studio *s);
void http_run(Http *h);
int http_timeout(const Http *h); /* ms until http_run is due, at most 1000 */
void http_stop(Http *h);

/* NULL if there is none; arguments with a NUL byte have been refused before. */
const char *request_arg(Request *r, const char *name);
const char *request_header(Request *r, const char *name);
const cJSON *request_body(Request *r); /* never NULL: an object for calls that take one */
const char *request_path(const Request *r);
/* Each request is answered once, in its call or later. Takes the text over. */
void request_answer(Request *r, unsigned status, const char *type, Text *body);
void request_json(Request *r, unsigned status, Text *body);
void request_error(Request *r, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void request_download(Request *r, const char *name); /* the answer to come is a file of that name */
void request_cookie(Request *r);                     /* the answer to come sets the cookie */
/* Answers with events as they come (events.c). */
void request_stream(Request *r);
void request_wake(Request *r);              /* there is more for the stream */
const char *request_text(const Request *r); /* the body as it came */

/* ---- access.c: who may call ---- */

void access_make_token(char token[33]);
/* NULL, or the reason to refuse the call. */
const char *access_refuses(Studio *s, Request *r, bool page);

/* ---- routes.c ---- */

typedef struct Route {
    const char *method, *path;
    void (*run)(Studio *s, Request *r);
    size_t body; /* bytes allowed; 0: none */
} Route;

/* NULL if there is no such call; *wrong_method: it exists with another method. */
const Route *route_find(const char *method, const char *path, bool *wrong_method);

/* ---- files.c: the workspace and library folders ---- */

typedef struct FileEntry {
    char *path; /* within the workspace */
    uint64_t hash;
    int64_t mtime, size; /* as of hash; ns, bytes */
    uint64_t inode;
    bool seen;
} FileEntry;

typedef struct Workspace {
    char *place; /* absolute, without links */
    int fd;
    VEC(FileEntry) files; /* by path, up to n_sorted */
    uint32_t n_sorted;
    VEC(char *) libraries; /* places that may be read; absolute, without links */
    bool truncated;        /* there are more files than the limit */
} Workspace;

bool workspace_open(Workspace *w, const char *place); /* false after an error on standard error */
void workspace_free(Workspace *w);
void workspace_add_library(Workspace *w, const char *place);
/* Looks again; reports each file that has changed, with `gone` for deleted ones. */
void workspace_scan(Workspace *w, void (*changed)(void *user, const FileEntry *f, bool gone),
                    void *user);
void files_list(Studio *s, Request *r);
void files_read(Studio *s, Request *r);
void files_write(Studio *s, Request *r);
void files_delete(Studio *s, Request *r);
void files_put_list(const Workspace *w, Text *t);
/* Whether a page may name this path at all: a model file of the workspace or of a library. */
bool files_may_name(const Workspace *w, const char *path);
uint64_t files_hash(const char *text, size_t n);

/* ---- watch.c: changes by other programs ---- */

typedef struct Watch {
    int fd;           /* of inotify; -1: looks every other second */
    unsigned folders; /* watched */
    double due;       /* next look */
} Watch;

void watch_start(Studio *s);
void watch_look(Studio *s); /* at once; pages get an event about changes */
void watch_tick(Studio *s, double now);
void watch_stop(Studio *s);

/* ---- children.c: the fork server and its children ---- */

typedef struct ChildCalls {
    void (*frame)(void *user, const FrameHead *head, const char *body);
    /* the process has ended; the child is freed after it */
    void (*gone)(void *user, const char *why);
} ChildCalls;

/* Sends the request to a new child; NULL if none can be started. seconds: until it is killed, 0: no
 * limit. */
Child *child_start(Studio *s, const char *request, double seconds, const ChildCalls *calls,
                   void *user);
void child_send(Child *c, const char *request);
void child_limit(Child *c, double seconds); /* from now; 0: none */
/* Ends it without further calls, gently at first. */
void child_drop(Child *c);
void children_tick(Studio *s, double now);
bool fork_server_start(Studio *s);
void children_stop(Studio *s);
/* Jobs of that name that have not begun are answered with 409: a later request replaces them. */
void jobs_supersede(Studio *s, const char *what);
/* A job whose answer is the answer to the request. `what`: its name in messages, "the check". */
void job_for(Studio *s, Request *r, Text *request, const char *what, double seconds);

/* ---- row_store.c: the rows of a run ---- */

/* Rows come one after the other. Full blocks of them are kept by columns, and a column that is
 * constant within a block takes one number. */
typedef struct RowBlock RowBlock;

typedef struct RowStore {
    uint32_t n_columns;
    size_t n_rows, bytes; /* bytes: of all blocks */
    VEC(RowBlock *) blocks;
    VEC(double) open; /* rows after the last block, row by row */
} RowStore;

void rows_add(RowStore *s, uint32_t n_columns, const char *rows, size_t n); /* rows: doubles */
double rows_value(const RowStore *s, uint32_t column, size_t row);
size_t rows_bytes(const RowStore *s);
void rows_free(RowStore *s);

/* ---- models.c, runs.c ---- */

typedef struct Column {
    char *name, *unit, *display, *description, *kind;
    bool constant;
    bool negative; /* the values are those at `at` with the other sign */
    uint32_t at;   /* among the constants, or in a row; aliases share it */
} Column;

typedef struct Columns { /* shared by the runs of a model */
    unsigned users;
    VEC(Column) list; /* time first */
    uint32_t n_constants, n_varying;
    cJSON *visuals; /* components that are drawn in animations; NULL: none */
} Columns;

Columns *columns_read(const char *json); /* of FRAME_NAMES */
Columns *columns_keep(Columns *c);
void columns_drop(Columns *c); /* NULL is allowed */

struct Model {
    Studio *studio;
    unsigned id;
    char *name; /* of its class */
    Child *child;
    Columns *columns;     /* of the run at work, or of the last one; NULL before the first */
    char *request;        /* its sources: JSON */
    Request *waiting;     /* for its compilation */
    VEC(Request *) asked; /* for points of surfaces, in order; the child answers them */
    double start, stop;   /* of its experiment */
    double used;          /* when; by the clock */
    Model *after;
};

void models_compile(Studio *s, Request *r);
void models_delete(Studio *s, Request *r);
void models_put_list(const Studio *s, Text *t);
Model *model_find(Studio *s, unsigned id);
/* Passes a question on to the child; its answer is that to the request. */
void model_ask(Model *m, Request *r, const char *question);
void models_free(Studio *s);

typedef enum RunStatus {
    RUN_QUEUED,
    RUN_RUNNING,
    RUN_DONE,
    RUN_FAILED,
    RUN_STOPPED,
    RUN_CRASHED,
    RUN_LIMIT
} RunStatus;

typedef struct Lines { /* JSON objects of the event log */
    Text text;
    VEC(size_t) starts;
} Lines;

struct Run {
    Studio *studio;
    unsigned id, model; /* model: its number, which may be gone */
    char *name;         /* of the class */
    RunStatus status;
    bool keep;
    const char *ending;       /* why it was asked to end; NULL: it was not */
    char *settings;           /* JSON */
    char *about;              /* name, colour and notes of the user: JSON; NULL: none */
    char *message;            /* NULL: none */
    char *result;             /* file with the whole result; NULL: none */
    char *end;                /* JSON of FRAME_END; NULL before */
    Columns *columns;         /* NULL before the first row */
    double *constants;        /* size columns->n_constants; NULL before */
    RowStore rows;            /* of columns->n_varying */
    size_t n_rows, sent_rows; /* told_rows: rows already sent as events */
    VEC(char *) watch;
    Lines events;
    bool events_capped;       /* there were more than are kept */
    struct Lanes *lanes;      /* lanes.c: changes read from the events so far; NULL: none */
    double start, stop, time; /* simulated */
    double begun;             /* by the clock */
    double sent;              /* when rows were sent last */
    bool progress_due;
    double steps, n_events;
    Request *waiting; /* answered at the end */
    double wait_until;
    unsigned wait_points;
    Run *after;
};

void runs_start(Studio *s, Request *r);
void runs_stop(Studio *s, Request *r);
void runs_delete(Studio *s, Request *r);
void runs_watch(Studio *s, Request *r);
void runs_describe(Studio *s, Request *r);
void runs_data(Studio *s, Request *r);
void runs_variables(Studio *s, Request *r);
void runs_put_list(const Studio *s, Text *t);
void runs_tick(Studio *s, double now);
void runs_free(Studio *s);
Run *run_find(Studio *s, unsigned id);
/* The run meant by an argument, or by a field of the body; NULL after an answer. */
Run *run_meant(Studio *s, Request *r, const char *name);
/* Splits "a;b"; names contain no semicolons. */
uint32_t split_names(const char *text, char ***names);
void free_names(char **names, uint32_t n);
double arg_number(Request *r, const char *name, double otherwise);
/* Handles a message of a model's child about its run. */
void run_take(Model *m, const FrameHead *head, const char *body);
void runs_model_gone(Model *m, const char *why);

/* ---- eventlog.c, lanes.c, export.c ---- */
void runs_events(Studio *s, Request *r);
/* Event i of the log as text; its length in *n. */
const char *event_text(const Run *run, uint32_t i, size_t *n);
double event_time(const Run *run, uint32_t i);
void runs_lanes(Studio *s, Request *r);
void runs_marks(Studio *s, Request *r);
void lanes_free(struct Lanes *l); /* NULL is allowed */
void runs_export(Studio *s, Request *r);
/* A file with the whole result, to be freed; NULL with errno. */
char *run_result_file(Studio *s, Run *run);

/* ---- measure.c: numbers between two times ---- */
void runs_measure(Studio *s, Request *r);
void runs_spectrum(Studio *s, Request *r);

/* ---- scene.c: the animation of a run ---- */
void runs_scene(Studio *s, Request *r);
void runs_frames(Studio *s, Request *r);
void runs_surfaces(Studio *s, Request *r);

/* ---- trajectory.c: columns of a run as JSON, reduced ---- */

typedef struct DataRange {
    size_t first, end; /* rows */
    double from, to;   /* time; NAN: open */
    unsigned points;   /* about how many; 0: all */
    const Run *minus;  /* the values are differences from this run; NULL: they are not */
} DataRange;

/* "names": […], "units": […], "columns": […] with time first; names that are unknown are left out.
 */
void trajectory_put(Text *t, const Run *run, char *const *names, uint32_t n, DataRange range);
const Column *columns_find(const Columns *c, const char *name);
double run_value(const Run *run, const Column *c, size_t row);

/* ---- events.c: server-sent events ---- */

typedef struct Client Client;

void events_send(Studio *s, const char *name, const Text *json);
Client *client_new(Studio *s, Request *r);
void client_free(Client *c);
long client_read(Client *c, char *buffer, size_t most); /* -1: the end */
void events_tick(Studio *s, double now);
void events_stop(Studio *s);

/* ---- the whole ---- */

typedef struct Page { /* a file of the page, in the program */
    const char *path, *type;
    const unsigned char *bytes, *end;
} Page;

extern const Page studio_pages[]; /* generated from studio/web; ends with a path of NULL */

typedef struct Job Job;

struct Studio {
    StudioOptions options;
    char token[33];
    unsigned port;
    Loop loop;
    Http *http;
    Workspace workspace;
    Watch watch;
    char *libraries;     /* JSON, from the fork server; NULL before */
    struct Index *index; /* for searching; NULL before the first search */
    char *scratch;       /* folder for result files */
    int control;         /* socket to the fork server; -1: none */
    int fork_server;     /* its pid */
    int browser;         /* pid of the process that opens it; 0: none */
    double restarted;    /* when it was started last */
    unsigned restarts;
    Child *children;
    Job *jobs;
    Model *models;
    Run *runs;
    Client *clients;
    double pinged;
    unsigned last_model, last_run, last_analysis;
};

double studio_now(void); /* s, monotonic */
void layout_read(Studio *s, Request *r);
void layout_write(Studio *s, Request *r);
char *layout_load(const Studio *s); /* JSON text or NULL; to be freed with free */
void state_read(Studio *s, Request *r);
void resource_read(Studio *s, Request *r); /* resource.c */
typedef struct Index Index;
void search_classes(Studio *s, Request *r);
void search_prepare(Studio *s);
void search_free(Studio *s);
void page_serve(Studio *s, Request *r);

#endif
