/* The server from start to end: its parts, its loop, its signals. */
#include "server.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <dirent.h>

extern char **environ;

double studio_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- start ---- */

static void on_signal(void *user, short events)
{
    (void)events;
    Studio *s = user;
    s->loop.over = true;
}

/* Signals arrive through a descriptor, so no call is interrupted. */
static int catch_signals(Studio *s)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd >= 0)
        loop_watch(&s->loop, fd, POLLIN, on_signal, s);
    return fd;
}

/* The folder of the first file, or that file itself if it is a folder; otherwise the current
 * folder. */
static char *workspace_of(const StudioOptions *o)
{
    struct stat st;
    if (o->workspace)
        return strdup(o->workspace);
    if (o->n_files && !stat(o->files[0], &st) && S_ISDIR(st.st_mode))
        return strdup(o->files[0]);
    const char *slash = o->n_files ? strrchr(o->files[0], '/') : NULL;
    if (!slash)
        return strdup(".");
    return slash == o->files[0] ? strdup("/") : strndup(o->files[0], (size_t)(slash - o->files[0]));
}

static bool check_files(const StudioOptions *o)
{
    for (unsigned i = 0; i < o->n_files; i++)
        if (access(o->files[i], R_OK)) {
            fprintf(stderr, "kairos: cannot read '%s': %s\n", o->files[i], strerror(errno));
            return false;
        }
    return true;
}

static void remove_folder(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir)
        closedir(dir);
    rmdir(path);
}

/* Removes the leftovers of studios that were killed. */
static void remove_left(const char *base)
{
    static const char start[] = "kairos-results-";
    DIR *dir = opendir(base);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char *end = e->d_name + sizeof start - 1;
        long pid = strncmp(e->d_name, start, sizeof start - 1) ? 0 : strtol(end, &end, 10);
        bool ours = pid > 1 && *end == '-' && strlen(end) == strlen("-XXXXXX");
        struct stat st;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", base, e->d_name);
        if (ours && kill((pid_t)pid, 0) && errno == ESRCH && !lstat(path, &st) &&
            S_ISDIR(st.st_mode) && st.st_uid == getuid())
            remove_folder(path);
    }
    if (dir)
        closedir(dir);
}

static bool make_scratch(Studio *s)
{
    const char *base = getenv("TMPDIR");
    base = base && *base ? base : "/tmp";
    remove_left(base);
    if (asprintf(&s->scratch, "%s/kairos-results-%d-XXXXXX", base, (int)getpid()) < 0 ||
        !mkdtemp(s->scratch)) {
        fprintf(stderr, "kairos: cannot make a folder for results: %s\n", strerror(errno));
        free(s->scratch);
        s->scratch = NULL;
        return false;
    }
    return true;
}

/* The fork server reports the libraries. From then on their files may be read. */
static void libraries_frame(void *user, const FrameHead *head, const char *body)
{
    Studio *s = user;
    if (head->kind != FRAME_ANSWER || head->size < 8)
        return;
    free(s->libraries);
    s->libraries = strndup(body + 8, head->size - 8);
    cJSON *list = cJSON_Parse(s->libraries), *row;
    cJSON_ArrayForEach(row, list)
    {
        const char *place = json_text(row, "place");
        if (place)
            workspace_add_library(&s->workspace, place);
    }
    cJSON_Delete(list);
}

static void libraries_gone(void *user, const char *why)
{
    (void)user, (void)why;
}

static void ask_libraries(Studio *s)
{
    static const ChildCalls calls = {libraries_frame, libraries_gone};
    child_start(s, "{\"job\":\"libraries\"}", 20, &calls, s);
    for (double end = studio_now() + 5; !s->libraries && studio_now() < end && !s->loop.over;)
        loop_wait(&s->loop, 50);
}

/* The address for the browser; 0.0.0.0 is replaced by the loopback address. */
static void put_address(const Studio *s, char *text, size_t n)
{
    const char *bind = strcmp(s->options.bind, "0.0.0.0") ? s->options.bind : "127.0.0.1";
    snprintf(text, n, strchr(bind, ':') ? "http://[%s]:%u/?token=%s" : "http://%s:%u/?token=%s",
             bind, s->port, s->token);
}

static void open_browser(Studio *s, const char *address)
{
    const char *const argv[] = {"xdg-open", address, NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 1, "/dev/null", 1, 0);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", 1, 0);
    if (posix_spawnp(&s->browser, argv[0], &files, &attributes, (char **)(uintptr_t)argv,
                     environ)) {
        s->browser = 0;
        fprintf(stderr, "kairos: no browser could be opened; open the address above in one\n");
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
}

static bool start(Studio *s)
{
    char *place = workspace_of(&s->options);
    bool ok = check_files(&s->options) && workspace_open(&s->workspace, place);
    free(place);
    if (!ok || !make_scratch(s) || !(s->http = http_start(s)) || !fork_server_start(s))
        return false;
    ask_libraries(s);
    watch_start(s);
    return true;
}

/* ---- the loop ---- */

/* How long the loop may wait; other events wake it. */
static int tick_ms(const Studio *s)
{
    for (const Run *r = s->runs; r; r = r->after)
        if (r->status <= RUN_RUNNING)
            return 20;
    return s->children ? 100 : s->clients ? 200 : 1000;
}

static void run(Studio *s)
{
    while (!s->loop.over) {
        int ms = http_timeout(s->http), tick = tick_ms(s);
        loop_wait(&s->loop, ms < tick ? ms : tick);
        double now = studio_now();
        children_tick(s, now);
        runs_tick(s, now);
        events_tick(s, now);
        watch_tick(s, now);
        http_run(s->http);
        if (s->browser && waitpid(s->browser, NULL, WNOHANG))
            s->browser = 0;
    }
}

static void stop(Studio *s)
{
    events_stop(s);
    if (s->http)
        http_stop(s->http);
    children_stop(s);
    runs_free(s);
    models_free(s);
    watch_stop(s);
    workspace_free(&s->workspace);
    if (s->scratch)
        remove_folder(s->scratch);
    free(s->scratch);
    loop_free(&s->loop);
    free(s->libraries);
    search_free(s);
}

int studio_serve(const StudioOptions *o)
{
    Studio s = {.options = *o, .control = -1, .watch = {.fd = -1}, .workspace = {.fd = -1}};
    s.options.bind = o->bind ? o->bind : "127.0.0.1";
    s.options.limit_seconds = o->limit_seconds ? o->limit_seconds : 600;
    s.options.limit_memory = o->limit_memory ? o->limit_memory : 4096;
    s.options.limit_result = o->limit_result ? o->limit_result : 256;
    access_make_token(s.token);
    int signals = catch_signals(&s);
    int status = KAIROS_USE_ERROR;
    if (start(&s)) {
        char address[300];
        put_address(&s, address, sizeof address);
        printf("%s\n", address);
        fflush(stdout);
        if (!o->no_open)
            open_browser(&s, address);
        run(&s);
        status = KAIROS_OK;
    }
    stop(&s);
    if (signals >= 0)
        close(signals);
    return status;
}
