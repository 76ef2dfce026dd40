/* A study on this machine: workers, progress, the end. */
#include "study.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>

static volatile sig_atomic_t interrupted; /* how often */

static void on_signal(int number)
{
    (void)number;
    interrupted = interrupted + 1;
}

/* Cores that this process may use. */
static unsigned cores(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    int n = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    return n > 0 ? (unsigned)n : 1;
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
    uint8_t *done = study_alloc(r->n + 1, 1);
    for (uint64_t i = 0; i < r->n; i++)
        done[i] = r->status[i] || (how->n_parts && i % how->n_parts != how->part - 1);
    return done;
}

/* Workers save the results of their runs, until a second signal. */
static void stop_gently(Team *t)
{
    for (sig_atomic_t first = interrupted; interrupted == first && team_tend(t, 50);)
        team_interrupt(t);
}

static void run_here(const Study *s, const RunHow *given, const Results *r)
{
    RunHow copy = *given, *how = &copy;
    how->jobs = how->jobs ? how->jobs : cores();
    if (how->jobs > r->count[POINT_OPEN])
        how->jobs = (unsigned)r->count[POINT_OPEN];
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
    if (t && interrupted && how->files)
        stop_gently(t);
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

/* The worst status of all runs. An error of the call is worse than a failure of the model. */
static int worst(const Results *r)
{
    int status = interrupted ? KAIROS_INTERRUPTED : KAIROS_OK;
    for (uint64_t i = 0; i < r->n; i++) {
        int one = r->exits[i];
        bool worse = one == KAIROS_INTERRUPTED || status == KAIROS_OK || one == KAIROS_USE_ERROR;
        if (one && worse)
            status = one;
    }
    return status;
}

/* A sweep has its table also after an interruption, and leaves nothing to continue. */
static int finish_sweep(const Study *s, const RunHow *how, const Results *r)
{
    int status = worst(r);
    bool refused = status == KAIROS_USE_ERROR || status == KAIROS_MODEL_ERROR;
    uint64_t open = interrupted || refused ? 0 : r->count[POINT_OPEN];
    if (open) { /* no worker, no journal */
        fprintf(stderr, "kairos: %llu of %llu runs are not finished\n", (unsigned long long)open,
                (unsigned long long)r->n);
        status = KAIROS_FAILED;
    } else if (!refused && !merge_results(s, r))
        status = KAIROS_USE_ERROR;
    else if (!refused && !how->quiet)
        fprintf(stderr, "%s: %s\n", kairos_model_name(how->model), s->table);
    how->on_results(how->user, s, r);
    return status;
}

int study_finish(const Study *s, const RunHow *how)
{
    Results *r = results_read(s);
    int status = KAIROS_FAILED;
    if (s->sweep) {
        status = finish_sweep(s, how, r);
        journal_remove(s);
    } else if (r->count[POINT_OPEN]) {
        fprintf(stderr,
                "kairos: %llu of %llu points are not finished; the same command continues\n",
                (unsigned long long)r->count[POINT_OPEN], (unsigned long long)r->n);
        status = interrupted ? KAIROS_INTERRUPTED : KAIROS_FAILED;
    } else if (!merge_results(s, r)) {
        status = KAIROS_USE_ERROR;
    } else {
        status = report_end(s, r, how->quiet);
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
        return study_finish(s, how);
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
    return how->n_parts ? finish_part(s, how, lock) : study_finish(s, how);
}
