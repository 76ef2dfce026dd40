/* Files of the workspace, and of libraries for reading. Paths are followed without links, so that
 * none leads outside. */
#include "confined_files.h"
#include "server.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES_MOST = 5000, DEPTH_MOST = 12 };

uint64_t files_hash(const char *text, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool is_model_file(const char *name)
{
    static const char *const endings[] = {".mo", ".dym", ".om", ".ocl"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t k = strlen(endings[i]);
        if (n > k && !strcmp(name + n - k, endings[i]))
            return true;
    }
    return false;
}

/* ---- what may be read ---- */

/* The library that contains an absolute path, and the rest of the path; or NULL. */
static const char *in_library(const Workspace *w, const char *path, const char **rest)
{
    for (uint32_t i = 0; i < w->libraries.n; i++) {
        size_t n = strlen(w->libraries.at[i]);
        if (!strncmp(path, w->libraries.at[i], n) && path[n] == '/') {
            *rest = path + n + 1;
            return w->libraries.at[i];
        }
        if (!strcmp(path, w->libraries.at[i])) { /* a library of one file */
            *rest = strrchr(path, '/') + 1;
            return w->libraries.at[i];
        }
    }
    return NULL;
}

static int open_library(const char *place)
{
    struct stat st;
    if (!stat(place, &st) && S_ISREG(st.st_mode)) {
        char *folder = strdup(place);
        if (!folder)
            return -1;
        *strrchr(folder, '/') = 0;
        int fd = open(*folder ? folder : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        free(folder);
        return fd;
    }
    return open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* A path of the workspace, also if it was given as an absolute path. */
static const char *within(const Workspace *w, const char *path)
{
    size_t n = strlen(w->place);
    return !strncmp(path, w->place, n) && path[n] == '/' ? path + n + 1 : path;
}

bool files_may_name(const Workspace *w, const char *path)
{
    const char *rest = within(w, path);
    if (*rest == '/' && !in_library(w, rest, &rest))
        return false;
    return confine_is_plain(rest) && is_model_file(rest);
}

/* Whether it is UTF-8 without NUL, which a browser can show and return unchanged. */
static bool is_text(const Text *t)
{
    for (size_t i = 0; i < t->n;) {
        unsigned char c = (unsigned char)t->at[i++];
        int more = c < 0x80                ? 0
                   : c >= 0xC2 && c < 0xE0 ? 1
                   : c >= 0xE0 && c < 0xF0 ? 2
                   : c >= 0xF0 && c < 0xF5 ? 3
                                           : -1;
        if (more < 0 || c == 0)
            return false;
        for (; more; more--)
            if (i == t->n || ((unsigned char)t->at[i++] & 0xC0) != 0x80)
                return false;
    }
    return true;
}

/* Reads a readable file; returns the HTTP status, and in *why the reason. */
static unsigned read_allowed(const Workspace *w, const char *path, Text *t, bool *read_only,
                             const char **why)
{
    const char *rest = within(w, path), *place = *rest == '/' ? in_library(w, rest, &rest) : NULL;
    *read_only = place;
    *why =
        "only model files (.mo, .dym, .om, .ocl) of the workspace and of libraries can be opened";
    if (!confine_is_plain(rest) || !is_model_file(rest))
        return 403;
    int top = place ? open_library(place) : w->fd;
    bool ok = confine_read(top, rest, t);
    int error = errno;
    if (place && top >= 0)
        close(top);
    *why = error == ELOOP ? "it is a link, which the studio does not follow" : strerror(error);
    if (ok && !is_text(t)) {
        *why = "it is no UTF-8 text";
        return 415;
    }
    return ok ? 200 : error == ENOENT ? 404 : error == EFBIG ? 413 : 403;
}

/* ---- the list ---- */

static void free_entry(FileEntry *f)
{
    free(f->path);
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const FileEntry *)a)->path, ((const FileEntry *)b)->path);
}

static FileEntry *find_entry(Workspace *w, const char *path)
{
    FileEntry key = {.path = (char *)(uintptr_t)path};
    return w->n_sorted ? bsearch(&key, w->files.at, w->n_sorted, sizeof key, by_path) : NULL;
}

static bool fill_entry(int folder, const char *name, const struct stat *st, FileEntry *f)
{
    Text t = {0};
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && confine_read_fd(fd, &t);
    if (fd >= 0)
        close(fd);
    f->hash = files_hash(t.at, t.n);
    f->mtime = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    f->size = st->st_size;
    f->inode = st->st_ino;
    text_free(&t);
    return ok;
}

typedef struct Scan {
    Workspace *w;
    void (*changed)(void *user, const FileEntry *f, bool gone);
    void *user;
    unsigned entries; /* looked at */
} Scan;

static void see_file(Scan *s, int folder, const char *name, const char *path)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
        return;
    FileEntry *f = find_entry(s->w, path);
    int64_t mtime = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
    if (f && f->mtime == mtime && f->size == st.st_size && f->inode == st.st_ino) {
        f->seen = true;
        return;
    }
    FileEntry fresh = {.path = NULL, .seen = true};
    if (!fill_entry(folder, name, &st, &fresh))
        return;
    bool differs = !f || f->hash != fresh.hash;
    fresh.path = f ? f->path : strdup(path);
    if (f)
        *f = fresh;
    else
        vec_push(&s->w->files, fresh);
    if (differs && s->changed)
        s->changed(s->user, &fresh, false);
}

static void see_folder(Scan *s, int fd, const char *prefix, int depth)
{
    DIR *dir = fdopendir(fd);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (s->w->files.n >= FILES_MOST || s->entries++ > 10 * FILES_MOST) {
            s->w->truncated = true;
            break;
        }
        if (e->d_name[0] == '.')
            continue;
        Text path = {0};
        text_printf(&path, "%s%s", prefix, e->d_name);
        if (is_model_file(e->d_name)) {
            see_file(s, dirfd(dir), e->d_name, path.at);
        } else if (depth < DEPTH_MOST && (e->d_type == DT_DIR || e->d_type == DT_UNKNOWN)) {
            int below =
                openat(dirfd(dir), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            text_put(&path, "/");
            if (below >= 0)
                see_folder(s, below, path.at, depth + 1);
        }
        text_free(&path);
    }
    if (dir)
        closedir(dir);
    else
        close(fd);
}

void workspace_scan(Workspace *w, void (*changed)(void *user, const FileEntry *f, bool gone),
                    void *user)
{
    Scan s = {w, changed, user, 0};
    int top = openat(w->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (uint32_t i = 0; i < w->files.n; i++)
        w->files.at[i].seen = false;
    w->truncated = false;
    if (top >= 0)
        see_folder(&s, top, "", 0);
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->files.n; i++) {
        if (w->files.at[i].seen) {
            w->files.at[n++] = w->files.at[i];
            continue;
        }
        if (changed)
            changed(user, &w->files.at[i], true);
        free_entry(&w->files.at[i]);
    }
    w->files.n = n;
    if (n)
        qsort(w->files.at, n, sizeof *w->files.at, by_path);
    w->n_sorted = n;
}

/* The studio's own changes are not reported. */
static void expect(Workspace *w, const char *path, uint64_t hash)
{
    FileEntry *f = find_entry(w, path);
    if (f) {
        f->hash = hash;
        return;
    }
    vec_push(&w->files, ((FileEntry){.path = strdup(path), .hash = hash}));
    qsort(w->files.at, w->files.n, sizeof *w->files.at, by_path);
    w->n_sorted = w->files.n;
}

bool workspace_open(Workspace *w, const char *place)
{
    w->place = realpath(place, NULL);
    w->fd = w->place ? open(w->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (w->fd < 0)
        fprintf(stderr, "kairos: cannot open the workspace '%s': %s\n", place, strerror(errno));
    return w->fd >= 0;
}

void workspace_add_library(Workspace *w, const char *place)
{
    char *real = realpath(place, NULL);
    if (real)
        vec_push(&w->libraries, real);
}

void workspace_free(Workspace *w)
{
    for (uint32_t i = 0; i < w->files.n; i++)
        free_entry(&w->files.at[i]);
    for (uint32_t i = 0; i < w->libraries.n; i++)
        free(w->libraries.at[i]);
    vec_free(&w->files);
    vec_free(&w->libraries);
    if (w->place && w->fd >= 0)
        close(w->fd);
    free(w->place);
}

/* ---- calls ---- */

void files_put_list(const Workspace *w, Text *t)
{
    text_put(t, "[");
    for (uint32_t i = 0; i < w->files.n; i++) {
        text_put(t, i ? ",{\"path\":" : "{\"path\":");
        text_put_json(t, w->files.at[i].path);
        text_printf(t, ",\"hash\":\"%016llx\"}", (unsigned long long)w->files.at[i].hash);
    }
    text_put(t, "]");
}

void files_list(Studio *s, Request *r)
{
    Text t = {0};
    watch_look(s);
    files_put_list(&s->workspace, &t);
    request_json(r, 200, &t);
}

static void put_file(Text *t, const char *path, const Text *text, bool read_only, const char *error)
{
    text_put(t, "{\"path\":");
    text_put_json(t, path);
    text_printf(t, ",\"hash\":\"%016llx\",\"read_only\":%s,\"text\":",
                (unsigned long long)files_hash(text->at, text->n), read_only ? "true" : "false");
    text_put_json(t, text->at ? text->at : "");
    if (error) {
        text_put(t, ",\"error\":");
        text_put_json(t, error);
    }
    text_put(t, "}");
}

void files_read(Studio *s, Request *r)
{
    const char *path = request_arg(r, "path"), *why;
    Text text = {0}, t = {0};
    bool read_only;
    if (!path) {
        request_error(r, 400, "'path' is missing: the file to use");
        return;
    }
    unsigned status = read_allowed(&s->workspace, path, &text, &read_only, &why);
    if (status == 200) {
        put_file(&t, within(&s->workspace, path), &text, read_only, NULL);
        request_json(r, 200, &t);
    } else {
        request_error(r, status, "cannot open '%.300s': %s", path, why);
    }
    text_free(&text);
}

/* Whether the file still has the hash `base`; otherwise answers the request. */
static bool is_base(Studio *s, Request *r, const char *path, const char *base)
{
    Text now = {0}, t = {0};
    char hash[20];
    bool exists = confine_read(s->workspace.fd, path, &now), ok = exists || errno == ENOENT;
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)files_hash(now.at, now.n));
    if (!ok)
        request_error(r, 403, "cannot write '%.300s': %s", path,
                      errno == ELOOP ? "it is a link, which the studio does not follow"
                                     : strerror(errno));
    else if (base && !strcmp(base, "*"))
        ;
    else if (exists ? !base || strcmp(base, hash) : base != NULL) {
        ok = false;
        put_file(&t, path, &now, false,
                 !exists ? "the file has been deleted by another program"
                 : base  ? "the file has been changed by another program"
                         : "there is a file of that name already");
        request_json(r, 409, &t);
    }
    text_free(&now);
    return ok;
}

static bool write_all(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t done = write(fd, text, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        text += done;
        n -= (size_t)done;
    }
    return true;
}

/* Writes a second file and renames it, so that the file is never half written. False with errno. */
static bool save(int top, const char *path, const char *text)
{
    const char *last;
    int parent = confine_parent(top, path, true, &last);
    if (parent < 0)
        return false;
    char part[NAME_MAX + 1];
    struct stat st;
    mode_t mode = fstatat(parent, last, &st, AT_SYMLINK_NOFOLLOW) ? 0666 : st.st_mode & 0777;
    snprintf(part, sizeof part, ".%.200s.%d.part", last, (int)getpid());
    unlinkat(parent, part, 0);
    int fd = openat(parent, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    bool ok = fd >= 0 && write_all(fd, text, strlen(text)) && !fsync(fd);
    int error = errno;
    if (fd >= 0)
        ok = !close(fd) && ok;
    ok = ok && !renameat(parent, part, parent, last);
    error = ok || fd < 0 ? error : errno;
    if (!ok && fd >= 0)
        unlinkat(parent, part, 0);
    close(parent);
    errno = error;
    return ok;
}

/* A path that may be written; NULL after an answer. */
static const char *writable(Studio *s, Request *r, const char *path)
{
    const char *rest = path ? within(&s->workspace, path) : NULL;
    if (!path)
        request_error(r, 400, "'path' is missing: the file to use");
    else if (!confine_is_plain(rest) || !is_model_file(rest))
        request_error(
            r, 403,
            "only model files (.mo, .dym, .om, .ocl) of the workspace can be written, not '%.300s'",
            path);
    else
        return rest;
    return NULL;
}

void files_write(Studio *s, Request *r)
{
    const cJSON *o = request_body(r);
    const char *path = writable(s, r, json_text(o, "path")), *text = json_text(o, "text");
    if (!path)
        return;
    if (!text) {
        request_error(r, 400, "'text' is missing");
        return;
    }
    if (!is_base(s, r, path, json_text(o, "base")))
        return;
    if (!save(s->workspace.fd, path, text)) {
        request_error(r, 403, "cannot write '%.300s': %s", path, strerror(errno));
        return;
    }
    Text t = {0};
    expect(&s->workspace, path, files_hash(text, strlen(text)));
    watch_look(s);
    text_printf(&t, "{\"hash\":\"%016llx\"}", (unsigned long long)files_hash(text, strlen(text)));
    request_json(r, 200, &t);
}

void files_delete(Studio *s, Request *r)
{
    const char *path = writable(s, r, request_arg(r, "path")), *last;
    const char *base = request_arg(r, "base");
    if (!path || !is_base(s, r, path, base ? base : "*"))
        return;
    int parent = confine_parent(s->workspace.fd, path, false, &last);
    bool ok = parent >= 0 && !unlinkat(parent, last, 0);
    if (!ok)
        request_error(r, errno == ENOENT ? 404 : 403, "cannot delete '%.300s': %s", path,
                      strerror(errno));
    if (parent >= 0)
        close(parent);
    if (ok) {
        Text t = {0};
        watch_look(s);
        text_put(&t, "{}");
        request_json(r, 200, &t);
    }
}
