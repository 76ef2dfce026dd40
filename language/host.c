#include "host.h"

#include "base/clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REPLACED_MOST = 32 << 20, FILES_MOST = 50000, DEPTH_MOST = 20, MEMORY_MOST = 4096 };
/* Bytes of the texts whose trees are kept; a tree needs some ten times as much memory. */
enum { AHEAD_MOST = 8 << 20 };

/* ---- the session ---- */

static void add_libraries(Host *h)
{
    for (unsigned i = 0; i < h->roots.n; i++)
        kairos_add_library(h->k, h->roots.at[i]);
    host_find_packages(h);
    for (unsigned i = 0; i < h->n_libraries; i++)
        kairos_add_library(h->k, h->libraries[i]);
    const char *path = getenv("MODELICAPATH");
    while (path && *path) {
        size_t n = strcspn(path, ":");
        char *folder = strndup(path, n);
        if (*folder)
            kairos_add_library(h->k, folder);
        free(folder);
        path += n + (path[n] == ':');
    }
    kairos_use_libraries(h->k);
    if (!h->allow_external)
        kairos_refuse_external(h->k);
}

bool host_begin(Host *h)
{
    if (h->k)
        kairos_close(h->k);
    for (unsigned i = 0; i < h->ahead.n; i++)
        h->ahead.at[i].is_due = true;
    h->replaced = 0;
    h->k = kairos_open();
    if (h->k)
        add_libraries(h);
    return h->k;
}

void host_end(Host *h)
{
    while (h->jobs)
        job_cancel(h, h->jobs);
    for (unsigned i = 0; i < h->roots.n; i++)
        free(h->roots.at[i]);
    for (unsigned i = 0; i < h->ahead.n; i++)
        free(h->ahead.at[i].path);
    vec_free(&h->roots);
    vec_free(&h->ahead);
    cJSON_Delete(h->index);
    kairos_close(h->k);
    rpc_free(&h->rpc);
}

char *host_make_scratch(void)
{
    const char *place = getenv("TMPDIR");
    char *path = NULL;
    if (asprintf(&path, "%s/kairos-XXXXXX", place && *place ? place : "/tmp") < 0)
        return NULL;
    return mkdtemp(path);
}

void host_remove_scratch(char *path)
{
    DIR *dir = path ? opendir(path) : NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    if (path)
        rmdir(path);
    free(path);
}

void host_add_root(Host *h, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    vec_push(&h->roots, strndup(path, n));
}

/* ---- files of the roots ---- */

typedef struct Walk {
    void (*file)(void *user, const char *folder, const char *name);
    void (*folder)(void *user, const char *folder, bool is_package, bool in_package);
    void *user;
    unsigned n; /* files so far */
} Walk;

static bool has_package(const char *folder)
{
    char *path = NULL;
    bool has = asprintf(&path, "%s/package.mo", folder) > 0 && !access(path, F_OK);
    free(path);
    return has;
}

static void walk(Walk *w, const char *folder, bool in_package, unsigned depth)
{
    bool is_package = has_package(folder);
    DIR *dir = depth < DEPTH_MOST && w->n < FILES_MOST ? opendir(folder) : NULL;
    if (w->folder)
        w->folder(w->user, folder, is_package, in_package);
    for (struct dirent *e; dir && (e = readdir(dir)) && w->n < FILES_MOST;) {
        size_t n = strlen(e->d_name);
        if (e->d_name[0] == '.' || !strcmp(e->d_name, "node_modules"))
            continue;
        if (n > 3 && !strcmp(e->d_name + n - 3, ".mo")) {
            w->n++;
            if (w->file)
                w->file(w->user, folder, e->d_name);
        } else if (e->d_type == DT_DIR) {
            char *below = NULL;
            if (asprintf(&below, "%s/%s", folder, e->d_name) > 0)
                walk(w, below, is_package, depth + 1);
            free(below);
        }
    }
    if (dir)
        closedir(dir);
}

/* The folder of a package at the top of its library: its folder is searched for packages. */
static void add_package(void *user, const char *folder, bool is_package, bool in_package)
{
    Host *h = user;
    const char *slash = strrchr(folder, '/');
    if (!is_package || in_package || !slash || slash == folder)
        return;
    char *parent = strndup(folder, (size_t)(slash - folder));
    bool known = false;
    for (unsigned i = 0; i < h->roots.n; i++)
        known |= !strcmp(h->roots.at[i], parent) || !strcmp(h->roots.at[i], folder);
    if (!known)
        kairos_add_library(h->k, parent);
    free(parent);
}

void host_find_packages(Host *h)
{
    Walk w = {.folder = add_package, .user = h};
    for (unsigned i = 0; i < h->roots.n; i++)
        walk(&w, h->roots.at[i], false, 0);
}

typedef VEC(char *) Paths;

static void add_path(void *user, const char *folder, const char *name)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) > 0)
        vec_push((Paths *)user, path);
}

char **host_list_files(const Host *h, unsigned *n)
{
    Paths paths = {0};
    Walk w = {.file = add_path, .user = &paths};
    for (unsigned i = 0; i < h->roots.n; i++)
        walk(&w, h->roots.at[i], false, 0);
    *n = paths.n;
    return paths.at;
}

bool host_read_file(const char *path, Text *t)
{
    struct stat st;
    text_put(t, "");
    return !stat(path, &st) && S_ISREG(st.st_mode) && text_read_file(t, path, RPC_MOST);
}

/* ---- trees for later jobs ---- */

static struct timespec changed_at(const char *path)
{
    struct stat st;
    return stat(path, &st) ? (struct timespec){0} : st.st_mtim;
}

static void read_ahead(Host *h, AheadFile *f)
{
    f->is_due = false;
    f->mtime = changed_at(f->path);
    f->size = kairos_read_ahead(h->k, f->path);
    h->replaced += f->size;
}

static int compare_use(const void *a, const void *b)
{
    unsigned x = ((const AheadFile *)a)->used, y = ((const AheadFile *)b)->used;
    return (x < y) - (x > y);
}

/* Keeps the files of the last job, and those used before it up to half of what may be kept. The
 * memory of trees is freed with the session: a new one begins. */
static void forget_unused(Host *h)
{
    size_t sum = 0;
    unsigned n = 0;
    qsort(h->ahead.at, h->ahead.n, sizeof *h->ahead.at, compare_use);
    for (; n < h->ahead.n; n++) {
        sum += h->ahead.at[n].size;
        if (h->ahead.at[n].used != h->n_read && sum > AHEAD_MOST / 2)
            break;
    }
    while (h->ahead.n > n)
        free(vec_pop(&h->ahead).path);
    host_begin(h);
}

/* Files that have changed on the disk are parsed again before a job sees them. */
static void refresh(Host *h)
{
    for (unsigned i = 0; i < h->ahead.n; i++) {
        AheadFile *f = &h->ahead.at[i];
        struct timespec now = f->is_due ? f->mtime : changed_at(f->path);
        if (now.tv_sec == f->mtime.tv_sec && now.tv_nsec == f->mtime.tv_nsec)
            continue;
        size_t before = h->replaced;
        read_ahead(h, f);
        if (h->replaced - before + h->replaced > REPLACED_MOST && h->ahead.n)
            host_begin(h);
    }
}

static bool read_one_ahead(Host *h)
{
    for (unsigned i = 0; i < h->ahead.n; i++)
        if (h->ahead.at[i].is_due) {
            size_t before = h->replaced;
            read_ahead(h, &h->ahead.at[i]);
            h->replaced = before; /* read for the first time */
            return true;
        }
    return false;
}

/* The size of its file; 0 if there is none. */
static size_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) ? 0 : (size_t)st.st_size;
}

/* A job that has read very much, in search of something, reports nothing. */
void job_send_read(Host *h, Job *j)
{
    char *text = kairos_list_loaded(h->k);
    cJSON *list = cJSON_Parse(text ? text : "[]"), *row;
    kairos_free_text(text);
    Text t = {0};
    size_t sum = 0;
    cJSON_ArrayForEach(row, list)
    {
        const char *path = json_text(row, "path");
        if (!path)
            continue;
        text_put_n(&t, path, strlen(path) + 1);
        sum += size_of(path);
    }
    if (t.n && sum <= AHEAD_MOST)
        frame_send(j->fd, (FrameKind)JOB_READ, t.at, t.n);
    text_free(&t);
    cJSON_Delete(list);
}

static AheadFile *find_ahead(const Host *h, const char *path)
{
    for (unsigned i = 0; i < h->ahead.n; i++)
        if (!strcmp(h->ahead.at[i].path, path))
            return &h->ahead.at[i];
    return NULL;
}

static void take_read(Host *h, const char *body, size_t n)
{
    size_t sum = 0;
    h->n_read++;
    for (size_t i = 0; i < n; i += strlen(body + i) + 1) {
        AheadFile *known = find_ahead(h, body + i);
        if (known)
            known->used = h->n_read;
        else
            vec_push(&h->ahead, ((AheadFile){.path = strdup(body + i),
                                             .size = size_of(body + i),
                                             .used = h->n_read,
                                             .is_due = true}));
    }
    for (unsigned i = 0; i < h->ahead.n; i++)
        sum += h->ahead.at[i].size;
    if (sum > AHEAD_MOST)
        forget_unused(h);
}

/* ---- jobs ---- */

static void limit_memory(void)
{
#ifndef KAIROS_SANITIZE /* which reserves terabytes */
    rlim_t bytes = (rlim_t)MEMORY_MOST << 20;
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
#endif
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
}

static void run_job(Host *h, Job *j)
{
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0); /* the streams belong to the protocol */
    dup2(nothing, 1);
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    limit_memory();
    j->work(h, j);
    if (!j->answered)
        job_fail(j, RPC_INTERNAL_ERROR, "the job has no answer");
    job_send_read(h, j);
    _exit(0);
}

Job *job_new(Host *h, const cJSON *id, const cJSON *params, JobWork work, double seconds)
{
    Job *j = memory_alloc(sizeof *j);
    j->work = work;
    j->id = id ? cJSON_Duplicate(id, true) : NULL;
    j->params = params ? cJSON_Duplicate(params, true) : NULL;
    j->deadline = clock_now() + seconds;
    j->fd = -1;
    j->next = h->jobs;
    h->jobs = j;
    return j;
}

void job_start(Host *h, Job *j)
{
    int ends[2];
    refresh(h);
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return; /* the next wait reports it */
    j->pid = fork();
    if (j->pid == 0) {
        j->fd = ends[1];
        close(ends[0]);
        run_job(h, j);
    }
    close(ends[1]);
    j->fd = ends[0];
}

void job_cancel(Host *h, Job *j)
{
    Job **at = &h->jobs;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
    if (j->fd >= 0)
        close(j->fd);
    if (j->pid > 0) {
        kill(j->pid, SIGKILL);
        waitpid(j->pid, NULL, 0);
    }
    text_free(&j->in.buffer);
    cJSON_Delete(j->id);
    cJSON_Delete(j->params);
    cJSON_Delete(j->token);
    free(j->uri);
    memory_free(j);
}

Job *job_find(const Host *h, const cJSON *id)
{
    for (Job *j = h->jobs; j; j = j->next)
        if (j->id && cJSON_Compare(j->id, id, true))
            return j;
    return NULL;
}

/* ---- in a job ---- */

void job_result(Job *j, const char *json)
{
    j->answered = true;
    frame_send(j->fd, (FrameKind)JOB_RESULT, json, strlen(json));
}

void job_result_json(Job *j, cJSON *o)
{
    char *text = cJSON_PrintUnformatted(o);
    job_result(j, text ? text : "null");
    free(text);
    cJSON_Delete(o);
}

void job_fail(Job *j, int code, const char *format, ...)
{
    char text[1000];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    j->answered = true;
    frame_send_for(j->fd, (FrameKind)JOB_ERROR, (uint32_t)code, 0, text,
                   n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void job_progress(const Job *j, double share, const char *message)
{
    char text[300];
    int n = snprintf(text, sizeof text, "%.3f %s", share, message);
    frame_send(j->fd, (FrameKind)JOB_PROGRESS, text, (size_t)n);
}

/* ---- waiting ---- */

static void answer_error(Host *h, Job *j, int code, const char *text)
{
    if (!j->answered && j->gone)
        j->gone(h, j);
    if (!j->answered && j->id)
        rpc_error(&h->rpc, j->id, code, "%s", text);
    else if (!j->answered && j->done)
        j->done(h, j, NULL);
    j->answered = true;
}

static void take_frame(Host *h, Job *j, const FrameHead *head, const char *body)
{
    char *text = strndup(body, head->size);
    if (head->kind == JOB_READ) {
        take_read(h, body, head->size);
    } else if (head->kind == JOB_PROGRESS && h->on_progress) {
        h->on_progress(h, j, text);
    } else if (head->kind == JOB_RESULT && !j->answered) {
        j->answered = true;
        if (j->done)
            j->done(h, j, text);
        else if (j->id)
            rpc_result(&h->rpc, j->id, text);
    } else if (head->kind == JOB_ERROR && head->size >= 8) {
        int32_t code;
        memcpy(&code, body, sizeof code);
        free(text);
        text = strndup(body + 8, head->size - 8);
        answer_error(h, j, code, text);
    }
    free(text);
}

static void take_frames(Host *h, Job *j)
{
    FrameRead more = frame_fill(&j->in, j->fd);
    FrameHead head;
    const char *body;
    while (frame_next(&j->in, &head, &body))
        take_frame(h, j, &head, body);
    if (more != FRAME_GONE)
        return;
    answer_error(h, j, RPC_INTERNAL_ERROR, "the work on this request ended unexpectedly");
    job_cancel(h, j);
}

static void end_late_jobs(Host *h)
{
    double now = clock_now();
    for (Job *j = h->jobs, *next; j; j = next) {
        next = j->next;
        if (j->fd >= 0 && now < j->deadline)
            continue;
        answer_error(h, j, RPC_FAILED,
                     j->fd < 0 ? "no process can be started now" : "the work took too long");
        job_cancel(h, j);
    }
}

bool host_wait(Host *h, double seconds, bool *input)
{
    VEC(struct pollfd) fds = {0};
    VEC(Job *) jobs = {0};
    end_late_jobs(h);
    vec_push(&fds, ((struct pollfd){h->closed ? -1 : h->rpc.in, POLLIN, 0}));
    for (Job *j = h->jobs; j; j = j->next) {
        vec_push(&fds, ((struct pollfd){j->fd, POLLIN, 0}));
        vec_push(&jobs, j);
    }
    int ready = poll(fds.at, fds.n, 0);
    if (!ready && !read_one_ahead(h)) /* idle work only if nothing waits */
        ready = poll(fds.at, fds.n, (int)(seconds * 1e3));
    *input = ready > 0 && fds.at[0].revents;
    for (uint32_t i = 0; ready > 0 && i < jobs.n; i++)
        if (fds.at[i + 1].revents)
            take_frames(h, jobs.at[i]);
    if (*input)
        h->closed = !rpc_fill(&h->rpc);
    vec_free(&fds);
    vec_free(&jobs);
    return !h->closed;
}
