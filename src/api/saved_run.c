#include "api/saved_run.h"

#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/context.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

enum { PARTS = 100 }; /* of a run with a checkpoint */

static size_t row_size(const SavedRun *x)
{
    return x->of.plan->dae->vars.n * sizeof(double);
}

static bool report_unwritten(SavedRun *x, const char *path)
{
    if (!x->unwritten)
        diag(x->ctx, (Span){0}, DIAG_U002, "cannot write '%s': %s", path, strerror(errno));
    x->unwritten = true;
    return false;
}

/* ---- rows ---- */

bool saved_run_keep(SavedRun *x, const double *v)
{
    return !x->rows || fwrite(v, row_size(x), 1, x->rows) == 1 || report_unwritten(x, x->rows_path);
}

/* A new file whose first row has this number. */
static bool new_rows(SavedRun *x, uint64_t first)
{
    x->rows = fopen(x->rows_path, "wb");
    return (x->rows && fwrite(&first, sizeof first, 1, x->rows) == 1) ||
           report_unwritten(x, x->rows_path);
}

/* Continues the file after row n, or begins one there. */
static bool open_rows(SavedRun *x, uint64_t n)
{
    uint64_t first;
    x->rows = fopen(x->rows_path, "r+b");
    bool known = x->rows && fread(&first, sizeof first, 1, x->rows) == 1 && first <= n;
    if (known) {
        off_t end = (off_t)(sizeof first + (n - first) * row_size(x));
        return (!ftruncate(fileno(x->rows), end) && !fseeko(x->rows, end, SEEK_SET)) ||
               report_unwritten(x, x->rows_path);
    }
    if (x->rows)
        fclose(x->rows);
    return new_rows(x, n);
}

static bool misfit(SavedRun *x, const char *why)
{
    diag(x->ctx, (Span){0}, DIAG_U019, "%s: %s", x->how->resume, why);
    x->misfit = true;
    return false;
}

/* Delivers the rows of FILE.rows before row n again. Does nothing if the file is missing. */
static bool replay(SavedRun *x, uint64_t n)
{
    char *path = arena_printf(x->ctx->arena, "%s.rows", x->how->resume);
    FILE *f = fopen(path, "rb");
    if (!f)
        return true;
    double *v = memory_alloc(row_size(x) + sizeof *v);
    uint64_t k = 0;
    bool good = fread(&k, sizeof k, 1, f) == 1, taken = true;
    for (; good && taken && k < n; k++) {
        good = fread(v, row_size(x), 1, f) == 1;
        taken = !good || x->row(x->user, v);
    }
    memory_free(v);
    fclose(f);
    return good ? taken : misfit(x, "the file with its rows (.rows) is not complete");
}

/* ---- states ---- */

static bool read_file(SavedRun *x, Snapshot *p)
{
    FILE *f = fopen(x->how->resume, "rb");
    if (!f) {
        diag(x->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", x->how->resume, strerror(errno));
        x->misfit = true;
        return false;
    }
    uint8_t buffer[4096];
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
        snapshot_bytes(p, buffer, n);
    fclose(f);
    return true;
}

static bool header(SavedRun *x, Snapshot *p)
{
    CONTEXT_HOLD(x->ctx);
    return state_header(x->ctx, p, &x->of);
}

static bool restore(SavedRun *x, const Snapshot *bytes)
{
    Snapshot p = {.reading = true, .at = bytes->at, .n = bytes->n};
    bool whole = state_is_sealed(&p);
    x->misfit = !header(x, &p);
    if (x->misfit)
        return false;
    if (!whole)
        return misfit(x, "the state is damaged");
    return sim_restore(x->sim, &p) ? sim_settle(x->sim) : misfit(x, "the state is damaged");
}

/* The rows of the stop time were given before the state was saved. */
static void warn_complete(SavedRun *x)
{
    if (sim_time(x->sim) < x->of.options->stop)
        return;
    diag(x->ctx, (Span){0}, DIAG_U022,
         "%s: nothing is left to simulate: the state is that at the stop time %g, and the result "
         "has no rows; save the state at an earlier time",
         x->how->resume, x->of.options->stop);
}

static bool resume(SavedRun *x)
{
    Snapshot bytes = {0};
    bool good = read_file(x, &bytes) && restore(x, &bytes);
    snapshot_free(&bytes);
    if (good)
        warn_complete(x);
    return good && replay(x, sim_rows(x->sim));
}

bool saved_run_begin(SavedRun *x)
{
    if (x->how->checkpoint)
        x->rows_path = arena_printf(x->ctx->arena, "%s.rows", x->how->checkpoint);
    x->written = clock_now();
    if (x->how->resume)
        return resume(x) && (!x->rows_path || open_rows(x, sim_rows(x->sim)));
    return (!x->rows_path || new_rows(x, 0)) && sim_start(x->sim);
}

/* ---- saving ---- */

static bool write_state(SavedRun *x, const char *path, const Snapshot *p)
{
    return atomic_save(path, (const char *)p->at, p->n, true) || report_unwritten(x, path);
}

static bool write_checkpoint(SavedRun *x, const Snapshot *p)
{
    if (clock_now() - x->written < x->how->checkpoint_seconds)
        return true;
    if (fflush(x->rows) || fsync(fileno(x->rows)))
        return report_unwritten(x, x->rows_path);
    bool good = write_state(x, x->how->checkpoint, p);
    x->written = clock_now();
    return good;
}

/* Writes the state at the present time to the files that need it. The run continues from it even if
 * it was not written, so results do not depend on the clock. */
static bool save(SavedRun *x, double t, bool checkpoint)
{
    Snapshot p = {0};
    header(x, &p);
    bool good = sim_save(x->sim, &p);
    state_seal(&p);
    for (size_t i = 0; good && i < x->how->n_saves; i++)
        if (x->how->saves[i].time == t)
            good = write_state(x, x->how->saves[i].path, &p);
    if (good && checkpoint)
        good = write_checkpoint(x, &p);
    snapshot_free(&p);
    return good;
}

static double part_end(const SimOptions *o, int k)
{
    return k >= PARTS ? o->stop : o->start + k * ((o->stop - o->start) / PARTS);
}

/* The end of the part that contains t. */
static double next_part(const SimOptions *o, double t)
{
    int k = 1;
    while (k < PARTS && part_end(o, k) <= t)
        k++;
    return part_end(o, k);
}

static double next_save(const SavedRun *x, double t)
{
    double next = INFINITY;
    for (size_t i = 0; i < x->how->n_saves; i++)
        if (x->how->saves[i].time > t)
            next = fmin(next, x->how->saves[i].time);
    return next;
}

static bool check_saves(SavedRun *x)
{
    const SimOptions *o = x->of.options;
    for (size_t i = 0; i < x->how->n_saves; i++) {
        double t = x->how->saves[i].time;
        if (t > o->start && t <= o->stop)
            continue;
        diag(x->ctx, (Span){0}, DIAG_U019,
             "the state for '%s' cannot be saved at %g: the time must be after the start time and "
             "not after the stop time",
             x->how->saves[i].path, t);
        x->misfit = true;
        return false;
    }
    return true;
}

bool saved_run_advance(SavedRun *x)
{
    const SimOptions *o = x->of.options;
    if (!check_saves(x))
        return false;
    for (double t = sim_time(x->sim); t < o->stop; t = sim_time(x->sim)) {
        double part = x->rows ? next_part(o, t) : INFINITY,
               until = fmin(o->stop, fmin(part, next_save(x, t)));
        if (!sim_advance(x->sim, until, false))
            return false;
        bool saves = next_save(x, t) == until;
        if ((saves || (part == until && until < o->stop)) && !save(x, until, part == until))
            return false;
    }
    return true;
}

void saved_run_end(SavedRun *x, bool complete)
{
    if (x->rows)
        fclose(x->rows);
    if (x->rows && complete) {
        remove(x->rows_path);
        remove(x->how->checkpoint);
    }
}
