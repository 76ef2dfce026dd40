/* The results of a study: from journals to the table, the HDF5 file and the list of times. The
 * first two and the list of failures depend on the study alone; hosts and times have a file of
 * their own. */
#include "study.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- reading journals ---- */

static uint32_t host_number(Results *r, const char *host)
{
    for (uint32_t i = 0; i < r->n_hosts; i++)
        if (!strcmp(r->host_names[i], host))
            return i;
    r->host_names = study_resize(r->host_names, r->n_hosts + 1, sizeof *r->host_names);
    r->host_names[r->n_hosts] = study_copy(host);
    return r->n_hosts++;
}

typedef struct Reading {
    const Study *s;
    Results *r;
} Reading;

static void take_record(void *user, const Record *record, const char *host)
{
    const Reading *reading = user;
    Results *r = reading->r;
    uint64_t i = record->point;
    size_t n = reading->s->n_keeps;
    r->count[r->status[i]]--;
    r->count[record->status]++;
    r->status[i] = (uint8_t)record->status;
    r->exits[i] = (uint8_t)record->exit;
    memcpy(r->values + i * n, record->values, n * sizeof *r->values);
    r->seconds[i] = (float)record->seconds;
    r->hosts[i] = host_number(r, host);
    free(r->messages[i]);
    r->messages[i] = *record->message ? study_copy(record->message) : NULL;
    if (r->n_rows)
        r->n_rows[i] = record->n_rows;
}

static Results *results_new(const Study *s)
{
    Results *r = study_alloc(1, sizeof *r);
    uint64_t n = r->n = s->design.points;
    r->values = study_alloc(n * s->n_keeps, sizeof *r->values);
    for (uint64_t i = 0; i < n * s->n_keeps; i++)
        r->values[i] = NAN;
    r->status = study_alloc(n, 1);
    r->exits = study_alloc(n, 1);
    r->seconds = study_alloc(n, sizeof *r->seconds);
    r->messages = study_alloc(n, sizeof *r->messages);
    r->hosts = study_alloc(n, sizeof *r->hosts);
    r->n_rows = s->n_trajectories ? study_alloc(n, sizeof *r->n_rows) : NULL;
    r->count[POINT_OPEN] = n;
    return r;
}

Results *results_read(const Study *s)
{
    Reading reading = {s, results_new(s)};
    journal_read(s, take_record, &reading);
    return reading.r;
}

void results_free(Results *r)
{
    if (!r)
        return;
    for (uint64_t i = 0; i < r->n; i++)
        free(r->messages[i]);
    for (uint32_t i = 0; i < r->n_hosts; i++)
        free(r->host_names[i]);
    void *own[] = {r->values, r->status,     r->seconds, r->messages,
                   r->hosts,  r->host_names, r->n_rows,  r->exits};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    free(r);
}

/* ---- times of an earlier run ---- */

typedef struct Timed {
    uint64_t point;
    double seconds;
} Timed;

static int longer_first(const void *a, const void *b)
{
    const Timed *x = a, *y = b;
    return x->seconds != y->seconds ? (x->seconds < y->seconds ? 1 : -1)
                                    : (x->point > y->point) - (x->point < y->point);
}

/* The points of the list; how many. */
static uint64_t read_times(FILE *f, Timed *list, uint64_t n)
{
    char *line = NULL;
    size_t room = 0;
    uint64_t found = 0;
    for (bool head = true; getline(&line, &room, f) > 0 && found < n; head = false) {
        char *end;
        uint64_t point = strtoull(line, &end, 10);
        if (!head && *end == ',' && point == found + 1)
            list[found++] = (Timed){point - 1, strtod(end + 1, NULL)};
    }
    free(line);
    return found;
}

uint64_t *results_order(const Study *s)
{
    uint64_t n = s->design.points, *order = NULL;
    FILE *f = s->times ? fopen(s->times, "r") : NULL;
    if (!f)
        return NULL;
    Timed *list = malloc(n * sizeof *list);
    if (list && read_times(f, list, n) == n && (order = malloc(n * sizeof *order))) {
        qsort(list, n, sizeof *list, longer_first);
        for (uint64_t i = 0; i < n; i++)
            order[i] = list[i].point;
    }
    free(list);
    fclose(f);
    return order;
}

/* ---- the table ---- */

void table_text(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

void table_real(FILE *f, double x)
{
    char text[32] = "";
    for (int digits = 15; digits <= 17 && !isnan(x) && (!*text || strtod(text, NULL) != x);
         digits++)
        snprintf(text, sizeof text, "%.*g", digits, x);
    fputs(text, f);
}

static void write_head(const Study *s, FILE *f)
{
    fputs(s->sweep ? "run" : "point", f);
    for (unsigned k = 0; k < s->n_factors; k++) {
        fputc(',', f);
        table_text(f, s->factors[k].name);
    }
    if (s->sweep)
        fputs(",status", f);
    for (unsigned k = 0; k < s->n_keeps; k++) {
        fputc(',', f);
        table_text(f, keep_name(s, k));
    }
    fputs(s->sweep ? "\n" : ",status\n", f);
}

static void write_row(const Study *s, const Results *r, uint64_t i, FILE *f)
{
    double values[s->n_factors + 1];
    char buffer[32];
    design_point(s, i, values, NULL);
    fprintf(f, "%llu", (unsigned long long)i + 1);
    for (unsigned k = 0; k < s->n_factors; k++) {
        fputc(',', f);
        table_text(f, factor_text(&s->factors[k], values[k], buffer));
    }
    if (s->sweep)
        fprintf(f, ",%u", r->exits[i]);
    for (unsigned k = 0; k < s->n_keeps; k++) {
        fputc(',', f);
        table_real(f, r->values[i * s->n_keeps + k]);
    }
    if (!s->sweep)
        fprintf(f, ",%s", point_status_name((PointStatus)r->status[i]));
    fputc('\n', f);
}

static void write_rows(const Study *s, const Results *r, FILE *f)
{
    write_head(s, f);
    for (uint64_t i = 0; i < r->n; i++)
        if (r->status[i]) /* a sweep that was interrupted has others */
            write_row(s, r, i, f);
}

static void write_times(const Study *s, const Results *r, FILE *f)
{
    (void)s;
    fputs("point,seconds,host\n", f);
    for (uint64_t i = 0; i < r->n; i++)
        if (r->status[i])
            fprintf(f, "%llu,%.3g,%s\n", (unsigned long long)i + 1, (double)r->seconds[i],
                    r->host_names[r->hosts[i]]);
}

/* The reasons of points that have no values. */
static void write_failures(const Study *s, const Results *r, FILE *f)
{
    (void)s;
    fputs("point,status,message\n", f);
    for (uint64_t i = 0; i < r->n; i++)
        if (r->status[i] != POINT_OK) {
            fprintf(f, "%llu,%s,", (unsigned long long)i + 1,
                    point_status_name((PointStatus)r->status[i]));
            char *text = study_copy(r->messages[i] ? r->messages[i] : "");
            for (char *at = text; (at = strchr(at, '\n'));)
                *at = ' '; /* one line for each point */
            table_text(f, text);
            free(text);
            fputc('\n', f);
        }
}

/* The file is on the disk when this returns: the journals are removed next. */
static bool write_file(const Study *s, const Results *r, const char *path,
                       void (*write)(const Study *s, const Results *r, FILE *f))
{
    AtomicFile file = {0};
    bool ok = atomic_open(&file, path);
    if (ok) {
        write(s, r, file.file);
        ok = !fflush(file.file) && (s->sweep || !fsync(fileno(file.file)) || errno == EINVAL);
    }
    int reason = errno;
    if (ok && atomic_commit(&file))
        return true;
    reason = ok ? errno : reason;
    if (!ok)
        atomic_discard(&file);
    fprintf(stderr, "kairos: cannot write '%s': %s%s\n", path, strerror(reason),
            s->sweep ? ""
                     : "; the finished points are safe, and the same command writes the file "
                       "again");
    return false;
}

bool merge_results(const Study *s, const Results *r)
{
    if (s->sweep)
        return write_file(s, r, s->table, write_rows);
    bool failures = r->count[POINT_OK] < r->n;
    if (!failures)
        unlink(s->failures); /* of an earlier run */
    return (!failures || write_file(s, r, s->failures, write_failures)) &&
           write_file(s, r, s->table, write_rows) && write_file(s, r, s->times, write_times) &&
           (!s->h5 || hdf5_write(s, r, s->output));
}
