/* Journals: finished points, safe on disk. Each process appends to a file of its own, so that no
 * two write to one file. A record that a kill cut off is recognized by its check sum. */
#include "study.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SYNC_SECONDS = 2, MOST_HOST = 256 };
static const char magic[8] = "KAIROSJ2";

typedef struct Head { /* of a record */
    uint64_t point, n_rows;
    double seconds;
    uint16_t status, exit;
    uint32_t message; /* its length */
    uint64_t sum;     /* of everything after it */
} Head;

struct Journal {
    int file;
    bool sync;
    time_t synced;
    char *buffer;
    size_t room;
};

const char *point_status_name(PointStatus s)
{
    static const char *const names[] = {"open", "ok", "failed", "crashed"};
    return names[s];
}

static char *inside(const Study *s, const char *name)
{
    char *path = study_alloc(strlen(s->journal) + strlen(name) + 2, 1);
    sprintf(path, "%s/%s", s->journal, name);
    return path;
}

static bool put(int file, const void *bytes, size_t n)
{
    for (const char *at = bytes; n;) {
        ssize_t done = write(file, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        n -= (size_t)done;
    }
    return true;
}

Journal *journal_open(const Study *s)
{
    char host[MOST_HOST] = "", name[MOST_HOST + 64];
    gethostname(host, sizeof host - 1);
    snprintf(name, sizeof name, "%s-%ld-%lld.points", host, (long)getpid(), (long long)time(NULL));
    char *path = inside(s, name);
    Journal *j = study_alloc(1, sizeof *j);
    j->sync = !s->sweep;
    j->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    uint64_t numbers[3] = {s->hash, s->n_keeps, s->n_trajectories};
    bool ok = j->file >= 0 && put(j->file, magic, sizeof magic) &&
              put(j->file, numbers, sizeof numbers) && put(j->file, host, sizeof host);
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    free(path);
    if (ok)
        return j;
    journal_close(j);
    return NULL;
}

void journal_close(Journal *j)
{
    if (!j)
        return;
    if (j->file >= 0) {
        if (j->sync)
            fdatasync(j->file);
        close(j->file);
    }
    free(j->buffer);
    free(j);
}

static size_t size_of(const Study *s, const Head *h)
{
    return s->n_keeps * sizeof(double) + h->message +
           h->n_rows * (s->n_trajectories + (size_t)1) * sizeof(double);
}

bool journal_write(Journal *j, const Study *s, const Record *r)
{
    Head h = {.point = r->point,
              .n_rows = r->n_rows,
              .seconds = r->seconds,
              .status = (uint16_t)r->status,
              .exit = (uint16_t)r->exit,
              .message = (uint32_t)strlen(r->message)};
    size_t n = size_of(s, &h), values = s->n_keeps * sizeof(double);
    if (sizeof h + n > j->room)
        j->buffer = study_resize(j->buffer, j->room = 2 * (sizeof h + n), 1);
    char *at = j->buffer + sizeof h;
    memcpy(at, r->values, values);
    memcpy(at + values, r->message, h.message);
    if (h.n_rows)
        memcpy(at + values + h.message, r->rows, n - values - h.message);
    h.sum = study_hash(study_hash(0, at, n), &h.point, 2 * sizeof h.point);
    memcpy(j->buffer, &h, sizeof h);
    bool ok = put(j->file, j->buffer, sizeof h + n);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* the time of day may be set back */
    if (ok && j->sync && now.tv_sec - j->synced >= SYNC_SECONDS) {
        ok = !fdatasync(j->file);
        j->synced = now.tv_sec;
    }
    return ok;
}

/* ---- reading ---- */

/* Bytes from the current place to the end. */
static size_t rest_of(FILE *f)
{
    struct stat st;
    off_t at = ftello(f);
    return at >= 0 && !fstat(fileno(f), &st) && st.st_size > at ? (size_t)(st.st_size - at) : 0;
}

static bool get(FILE *f, void *bytes, size_t n)
{
    return fread(bytes, 1, n, f) == n;
}

static void read_one(const Study *s, FILE *f, JournalFn *fn, void *user)
{
    char start[sizeof magic], host[MOST_HOST], *buffer = NULL;
    uint64_t numbers[3];
    size_t room = 0;
    Head h;
    if (!get(f, start, sizeof start) || memcmp(start, magic, sizeof magic) != 0 ||
        !get(f, numbers, sizeof numbers) || numbers[0] != s->hash || !get(f, host, sizeof host))
        return;
    while (get(f, &h, sizeof h) && h.point < s->design.points && h.message < 1 << 20 &&
           h.n_rows < 1U << 30 && h.status <= POINT_CRASHED) {
        size_t n = size_of(s, &h), values = s->n_keeps * sizeof(double);
        if (n > rest_of(f)) /* a damaged head must not ask for memory */
            break;
        if (n + 1 > room)
            buffer = study_resize(buffer, room = 2 * (n + 1), 1);
        if (!get(f, buffer, n) ||
            h.sum != study_hash(study_hash(0, buffer, n), &h.point, 2 * sizeof h.point))
            break;
        double *rows = study_alloc(h.n_rows * (s->n_trajectories + 1), sizeof *rows);
        memcpy(rows, buffer + values + h.message, n - values - h.message);
        char *message = study_copy_part(buffer + values, h.message);
        fn(user,
           &(Record){h.point, (PointStatus)h.status, h.exit, h.seconds,
                     (const double *)(void *)buffer, message, rows, h.n_rows},
           host);
        free(message);
        free(rows);
    }
    free(buffer);
}

static int is_journal(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 7 && !strcmp(d->d_name + n - 7, ".points");
}

void journal_read(const Study *s, JournalFn *fn, void *user)
{
    struct dirent **names;
    int n = scandir(s->journal, &names, is_journal, alphasort);
    for (int i = 0; i < n; i++) {
        char *path = inside(s, names[i]->d_name);
        FILE *f = fopen(path, "rb");
        if (f) {
            setvbuf(f, NULL, _IOFBF, 1 << 18);
            read_one(s, f, fn, user);
            fclose(f);
        }
        free(path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

/* ---- the folder ---- */

/* The descriptor of the locked file, or -1 after a message. */
static int lock_folder(const Study *s, int kind)
{
    char *path = inside(s, "lock");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool ok = file >= 0 && !flock(file, kind | LOCK_NB);
    if (file < 0)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    else if (!ok && errno != EWOULDBLOCK)
        fprintf(stderr, "kairos: cannot lock '%s': %s\n", path, strerror(errno));
    else if (!ok)
        fprintf(stderr,
                "kairos: another process works on this study: '%s' is locked; wait for it, or "
                "choose another output\n",
                path);
    free(path);
    if (file >= 0 && !ok)
        close(file);
    return ok ? file : -1;
}

void journal_unlock(int lock)
{
    (void)flock(lock, LOCK_UN);
}

bool journal_lock_alone(int lock)
{
    struct stat now;
    return !flock(lock, LOCK_EX | LOCK_NB) && !fstat(lock, &now) && now.st_nlink;
}

/* Lines of the two texts from the first difference on. */
static void print_difference(const Study *s, const char *old)
{
    const char *a = old, *b = s->text;
    unsigned line = 1, shown = 0;
    for (; (*a || *b) && shown < 5; line++) {
        size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
        if (n != m || memcmp(a, b, n) != 0) {
            fprintf(stderr, "  line %u was: %.*s\n  line %u is:  %.*s\n", line, (int)n, a, line,
                    (int)m, b);
            shown++;
        }
        a += n + (a[n] == '\n');
        b += m + (b[m] == '\n');
    }
    if (!shown)
        fprintf(stderr, "  the model, the list of points or the version of Kairos has changed\n");
}

/* Whether the folder is of this study. */
static bool same_study(const Study *s)
{
    char *path = inside(s, "study.yaml"), *old = NULL;
    uint64_t hash = 0;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    bool same = true;
    if (f && fscanf(f, "# %lx\n", &hash) == 1) {
        same = hash == s->hash;
        if (!same && getdelim(&old, &room, 0, f) >= 0) {
            fprintf(stderr,
                    "kairos: '%s' has changed since this study began; continue with the old "
                    "text, or begin anew with --fresh\n",
                    s->path);
            print_difference(s, old);
        }
    }
    if (f)
        fclose(f);
    free(old);
    free(path);
    return same;
}

static bool write_study(const Study *s)
{
    char *path = inside(s, "study.yaml");
    FILE *f = fopen(path, "w");
    bool ok = f && fprintf(f, "# %lx\n%s", s->hash, s->text) > 0;
    ok = f && !fclose(f) && ok;
    if (!ok)
        fprintf(stderr, "kairos: cannot write '%s': %s\n", path, strerror(errno));
    free(path);
    return ok;
}

static void remove_files(const Study *s, bool all)
{
    DIR *d = opendir(s->journal);
    struct dirent *at;
    while (d && (at = readdir(d)))
        if (at->d_name[0] != '.' && (all || strcmp(at->d_name, "lock") != 0)) {
            char *path = inside(s, at->d_name);
            unlink(path);
            free(path);
        }
    if (d)
        closedir(d);
}

/* Parts that start together do this one after another. */
static bool prepare(const Study *s, bool fresh)
{
    char *path = inside(s, "prepare");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0)
        (void)flock(file, LOCK_EX);
    if (fresh)
        remove_files(s, false);
    bool ok = same_study(s) && write_study(s);
    if (file >= 0)
        close(file);
    free(path);
    return ok;
}

int journal_begin(const Study *s, bool fresh, bool shared)
{
    if (mkdir(s->journal, 0777) && errno != EEXIST) {
        fprintf(stderr, "kairos: cannot make the folder '%s': %s\n", s->journal, strerror(errno));
        return -1;
    }
    int lock = lock_folder(s, shared ? LOCK_SH : LOCK_EX);
    if (lock < 0 || prepare(s, fresh))
        return lock;
    if (s->sweep)
        journal_remove(s);
    close(lock);
    return -1;
}

void journal_remove(const Study *s)
{
    remove_files(s, true);
    rmdir(s->journal);
}
