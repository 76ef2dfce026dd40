#include "store/store.h"

#include "base/atomic_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEARCH_DEPTH = 3 };

/* ---- the place ---- */

static const char *find_place(Arena *arena)
{
    const char *own = getenv("KAIROS_DATA"), *data = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    if (own && *own)
        return arena_printf(arena, "%s/libraries", own);
    if (data && *data == '/')
        return arena_printf(arena, "%s/kairos/libraries", data);
    return home && *home ? arena_printf(arena, "%s/.local/share/kairos/libraries", home) : NULL;
}

bool store_make_folders(const char *path)
{
    char *copy = strdup(path);
    bool ok = copy;
    for (char *p = copy; ok && p && *p;) {
        p = strchr(p + 1, '/');
        if (p)
            *p = 0;
        ok = !mkdir(copy, 0755) || errno == EEXIST;
        if (p)
            *p = '/';
    }
    free(copy);
    return ok;
}

static bool is_folder(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* ---- the index ---- */

static void read_line(Store *s, char *line)
{
    char *source = strchr(line, '\t'), *folder = source ? strchr(source + 1, '\t') : NULL;
    if (!folder)
        return;
    *source++ = *folder++ = 0;
    if (*folder != '/') /* in the store itself */
        folder = arena_printf(s->arena, "%s/%s", s->place, folder);
    vec_push(&s->entries, ((StoreEntry){line, source, folder}));
}

static void read_index(Store *s)
{
    vec_clear(&s->entries);
    FILE *f = s->place ? fopen(arena_printf(s->arena, "%s/index", s->place), "r") : NULL;
    char *line = NULL;
    size_t size = 0;
    for (ssize_t n; f && (n = getline(&line, &size, f)) > 0;) {
        n -= line[n - 1] == '\n';
        read_line(s, arena_copy(s->arena, line, (size_t)n));
    }
    free(line);
    if (f)
        fclose(f);
}

Store *store_open(Context *ctx)
{
    Store *s = memory_alloc(sizeof *s);
    *s = (Store){.ctx = ctx, .arena = arena_new(), .lock = -1};
    s->place = find_place(s->arena);
    read_index(s);
    return s;
}

void store_close(Store *s)
{
    if (s->lock >= 0)
        close(s->lock);
    vec_free(&s->entries);
    arena_free(s->arena);
    memory_free(s);
}

bool store_lock(Store *s)
{
    if (!s->place) {
        diag(s->ctx, (Span){0}, DIAG_U002, "no folder for libraries: set KAIROS_DATA or HOME");
        return false;
    }
    const char *path = arena_printf(s->arena, "%s/lock", s->place);
    if (store_make_folders(s->place))
        s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (s->lock < 0 || flock(s->lock, LOCK_EX)) {
        diag(s->ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(errno));
        return false;
    }
    read_index(s);
    return true;
}

/* A folder of the store relative to it, so that a home may move; others as they are. */
static const char *relative(const Store *s, const char *folder)
{
    size_t n = strlen(s->place);
    return !strncmp(folder, s->place, n) && folder[n] == '/' ? folder + n + 1 : folder;
}

bool store_write(Store *s)
{
    const char *path = arena_printf(s->arena, "%s/index", s->place);
    Text t = {0};
    for (uint32_t i = 0; i < s->entries.n; i++) {
        const StoreEntry *e = &s->entries.at[i];
        text_printf(&t, "%s\t%s\t%s\n", e->kind, e->source, relative(s, e->folder));
    }
    bool ok = atomic_save(path, t.at, t.n, true);
    text_free(&t);
    if (!ok)
        diag(s->ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(errno));
    return ok;
}

/* ---- folders with packages ---- */

typedef struct Search {
    Store *store;
    const char *kind, *source;
    uint32_t n;
} Search;

static bool has_package(Arena *arena, const char *folder)
{
    return !access(arena_printf(arena, "%s/package.mo", folder), R_OK);
}

static void found(Search *q, const char *folder)
{
    vec_push(&q->store->entries, ((StoreEntry){q->kind, q->source, folder}));
    q->n++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Accepts a folder that is a package or contains packages; at the top also one with single files.
 */
static void search(Search *q, const char *folder, unsigned depth)
{
    Arena *arena = q->store->arena;
    struct dirent **entries = NULL;
    bool holds = false;
    if (has_package(arena, folder)) {
        found(q, folder);
        return;
    }
    int n = scandir(folder, &entries, NULL, by_name);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        size_t length = strlen(name);
        holds |= depth == 0 && length > 3 && name[0] != '.' && !strcmp(name + length - 3, ".mo");
        holds |= name[0] != '.' && has_package(arena, arena_printf(arena, "%s/%s", folder, name));
    }
    if (holds)
        found(q, folder);
    for (int i = 0; i < n; i++) {
        const char *inner = arena_printf(arena, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && depth < SEARCH_DEPTH && is_folder(inner) &&
            !has_package(arena, inner))
            search(q, inner, depth + 1);
        free(entries[i]);
    }
    free(entries);
}

static uint32_t search_all(Store *s, const char *kind, const char *source, const char *folder)
{
    Search q = {s, kind, source, 0};
    search(&q, folder, 0);
    if (!q.n)
        diag(s->ctx, (Span){0}, DIAG_U010,
             "there is no Modelica package in '%s' (a folder with package.mo, or a file .mo)",
             source);
    return q.n;
}

/* ---- taking and dropping ---- */

static int delete_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
    (void)st, (void)type, (void)walk;
    return remove(path);
}

static void delete_tree(const char *folder)
{
    nftw(folder, delete_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The folder of the store into which the zip of an entry was unpacked; NULL for other entries. */
static const char *unpacked(Store *s, const StoreEntry *e)
{
    const char *inner = relative(s, e->folder);
    if (strcmp(e->kind, "zip") || inner == e->folder || *inner == '.')
        return NULL;
    return arena_printf(s->arena, "%s/%.*s", s->place, (int)strcspn(inner, "/"), inner);
}

void store_discard(Store *s, const StoreEntry *e)
{
    const char *folder = unpacked(s, e);
    if (folder)
        delete_tree(folder);
}

/* A name in the store that is not taken, after that of the zip. */
static const char *unpack_name(Store *s, const char *source)
{
    const char *base = strrchr(source, '/') + 1;
    int n = (int)strlen(base);
    n -= n > 4 && !strcasecmp(base + n - 4, ".zip") ? 4 : 0;
    const char *name = arena_printf(s->arena, "%s/%.*s", s->place, n, base);
    for (unsigned k = 2; *base == '.' || !access(name, F_OK); k++) {
        base = *base == '.' ? "library" : base;
        name = arena_printf(s->arena, "%s/%.*s-%u", s->place, n, base, k);
    }
    return name;
}

/* Removes the rest of an unpacking that was killed. The lock is held, so none is in progress. */
static void clean(Store *s)
{
    DIR *dir = opendir(s->place);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (!strncmp(e->d_name, ".unpack-", 8))
            delete_tree(arena_printf(s->arena, "%s/%s", s->place, e->d_name));
    if (dir)
        closedir(dir);
}

static uint32_t take_zip(Store *s, const char *source)
{
    char *scratch = arena_printf(s->arena, "%s/.unpack-XXXXXX", s->place);
    const char *folder = unpack_name(s, source);
    clean(s);
    if (!mkdtemp(scratch)) {
        diag(s->ctx, (Span){0}, DIAG_U002, "cannot write to '%s': %s", s->place, strerror(errno));
        return 0;
    }
    bool ok = store_unzip(s->ctx, source, scratch) && !chmod(scratch, 0755);
    if (ok && rename(scratch, folder)) {
        diag(s->ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", folder, strerror(errno));
        ok = false;
    }
    uint32_t n = ok ? search_all(s, "zip", source, folder) : 0;
    if (!n)
        delete_tree(ok ? folder : scratch);
    return n;
}

uint32_t store_take(Store *s, const char *source)
{
    struct stat st;
    char *real = realpath(source, NULL);
    if (!real || stat(real, &st)) {
        bool url = strstr(source, "://") || !strncmp(source, "git@", 4);
        diag(s->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", source, strerror(errno));
        if (url)
            diag_note(s->ctx, (Span){0}, "'git clone %s FOLDER', then 'kairos lib add FOLDER'",
                      source);
        return 0;
    }
    const char *path = arena_copy(s->arena, real, strlen(real));
    free(real);
    if (strpbrk(path, "\t\n")) {
        diag(s->ctx, (Span){0}, DIAG_U010, "a tab or a line end in the path '%s' is not supported",
             path);
        return 0;
    }
    if (!S_ISDIR(st.st_mode))
        return take_zip(s, path);
    bool checkout = !access(arena_printf(s->arena, "%s/.git", path), F_OK);
    return search_all(s, checkout ? "checkout" : "folder", path, path);
}

bool store_drop(Store *s, uint32_t at)
{
    const char *source = s->entries.at[at].source;
    const char *folder = unpacked(s, &s->entries.at[at]);
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->entries.n; i++)
        if (strcmp(s->entries.at[i].source, source))
            s->entries.at[n++] = s->entries.at[i];
    s->entries.n = n;
    if (!store_write(s))
        return false;
    if (folder)
        delete_tree(folder);
    return true;
}
