/* Changes of files by other programs: inotify says when to look; the studio then compares the
 * files. */
#include "server.h"

#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
    FOLDERS_MOST = 500,
    MASK = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
};
static const double settle = 0.05, period = 3; /* s */

static void add_folder(Studio *s, const char *path, size_t n)
{
    char place[4096];
    snprintf(place, sizeof place, "%s%s%.*s", s->workspace.place, n ? "/" : "", (int)n, path);
    if (inotify_add_watch(s->watch.fd, place, MASK | IN_ONLYDIR | IN_DONT_FOLLOW) >
        (int)s->watch.folders)
        s->watch.folders++;
}

/* A folder that is watched already stays so. */
static void add_folders(Studio *s)
{
    const char *last = "";
    size_t length = 0;
    if (s->watch.fd < 0)
        return;
    add_folder(s, "", 0);
    for (uint32_t i = 0; i < s->workspace.files.n && s->watch.folders < FOLDERS_MOST; i++) {
        const char *path = s->workspace.files.at[i].path, *slash = strrchr(path, '/');
        size_t n = slash ? (size_t)(slash - path) : 0;
        if (n && (n != length || strncmp(path, last, n)))
            add_folder(s, path, n);
        last = path;
        length = n;
    }
}

static void send_change(void *user, const FileEntry *f, bool gone)
{
    Text t = {0};
    text_put(&t, "{\"path\":");
    text_put_json(&t, f->path);
    if (gone)
        text_put(&t, ",\"hash\":null}");
    else
        text_printf(&t, ",\"hash\":\"%016llx\"}", (unsigned long long)f->hash);
    events_send(user, "file", &t);
    text_free(&t);
}

void watch_look(Studio *s)
{
    workspace_scan(&s->workspace, send_change, s);
    add_folders(s);
    s->watch.due = studio_now() + period;
}

static void on_change(void *user, short events)
{
    (void)events;
    Studio *s = user;
    char buffer[16384];
    while (read(s->watch.fd, buffer, sizeof buffer) > 0)
        ;
    double soon = studio_now() + settle;
    s->watch.due = s->watch.due < soon ? s->watch.due : soon;
}

void watch_start(Studio *s)
{
    s->watch.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (s->watch.fd >= 0)
        loop_watch(&s->loop, s->watch.fd, POLLIN, on_change, s);
    watch_look(s);
}

/* Sometimes without a notification, if a page listens: not every folder is watched. */
void watch_tick(Studio *s, double now)
{
    if (s->clients && now >= s->watch.due)
        watch_look(s);
}

void watch_stop(Studio *s)
{
    if (s->watch.fd >= 0)
        close(s->watch.fd);
}
