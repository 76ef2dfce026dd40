/* A study on this machine: workers, progress, the end. */
#include "study.h"

#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static void show(const Team *t, uint64_t before, uint64_t n, bool end)
{
    fprintf(stderr, "\r%llu of %llu points%s", (unsigned long long)(before + team_count(t)),
            (unsigned long long)n, end ? "\n" : "");
    fflush(stderr);
}

/* Points that are finished or of another part. */
static uint8_t *not_mine(const Results *r, const RunHow *how)
{
    uint8_t *done = malloc(r->n + 1);
    for (uint64_t i = 0; i < r->n; i++)
        done[i] = r->status[i] || (how->n_parts && i % how->n_parts != how->part - 1);
    return done;
}

static void run_here(const Study *s, const RunHow *how, const Results *r)
{
    uint8_t *done = not_mine(r, how);
    uint64_t *order = results_order(s), before = r->n - r->count[POINT_OPEN];
    Team *t = team_start(s, how, done, order);
    bool shown = false;
    if (t) {
        team_give(t, 0, s->design.points);
        team_finish_giving(t);
    }
    for (unsigned i = 0; t && team_tend(t, 5) && !interrupted; i++)
        if (how->progress && i % 40 == 39) {
            show(t, before, r->n, false);
            shown = true;
        }
    if (shown)
        show(t, before, r->n, true);
    if (t)
        team_free(t);
    free(order);
    free(done);
}

static int report_end(const Study *s, const Results *r, bool quiet)
{
    uint64_t bad = r->count[POINT_FAILED] + r->count[POINT_CRASHED];
    if (!quiet) {
        fprintf(stderr, "%llu points, %llu ok", (unsigned long long)r->n,
                (unsigned long long)r->count[POINT_OK]);
        if (bad)
            fprintf(stderr, ", %llu failed, %llu crashed",
                    (unsigned long long)r->count[POINT_FAILED],
                    (unsigned long long)r->count[POINT_CRASHED]);
        fprintf(stderr, ": %s%s%s\n", s->h5 ? s->output : "", s->h5 ? " and " : "", s->table);
    }
    return bad ? KAIROS_FAILED : KAIROS_OK;
}

int study_finish(const Study *s, bool quiet)
{
    Results *r = results_read(s);
    int status = KAIROS_FAILED;
    if (r->count[POINT_OPEN]) {
        fprintf(stderr,
                "kairos: %llu of %llu points are not finished; the same command continues\n",
                (unsigned long long)r->count[POINT_OPEN], (unsigned long long)r->n);
        status = interrupted ? KAIROS_INTERRUPTED : KAIROS_FAILED;
    } else if (!merge_results(s, r)) {
        status = KAIROS_USE_ERROR;
    } else {
        status = report_end(s, r, quiet);
        journal_remove(s);
    }
    results_free(r);
    return status;
}

/* The last part that gives up its lock finds all points, and merges. */
static int finish_part(const Study *s, const RunHow *how, int lock)
{
    journal_unlock(lock);
    Results *r = results_read(s);
    uint64_t left = 0;
    for (uint64_t i = 0; i < r->n; i++)
        left += !r->status[i] && i % how->n_parts == how->part - 1;
    bool all = !r->count[POINT_OPEN];
    results_free(r);
    if (left || (all && journal_lock_alone(lock)))
        return study_finish(s, how->quiet);
    if (!how->quiet)
        fprintf(stderr, "part %llu of %llu is finished\n", (unsigned long long)how->part,
                (unsigned long long)how->n_parts);
    return KAIROS_OK;
}

int study_run(const Study *s, const RunHow *how)
{
    int lock = journal_begin(s, how->fresh, how->n_parts);
    if (lock < 0)
        return KAIROS_USE_ERROR;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    Results *r = results_read(s);
    uint64_t open = r->count[POINT_OPEN];
    if (open && open < r->n && !how->quiet && !how->n_parts)
        fprintf(stderr, "%llu of %llu points are finished; continuing\n",
                (unsigned long long)(r->n - open), (unsigned long long)r->n);
    if (open)
        run_here(s, how, r);
    results_free(r);
    return how->n_parts ? finish_part(s, how, lock) : study_finish(s, how->quiet);
}
