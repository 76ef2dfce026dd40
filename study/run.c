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

static bool run_here(const Study *s, const RunHow *how, const Results *r)
{
    Team *t = team_start(s, how, r->status);
    if (!t)
        return false;
    uint64_t before = r->n - r->count[POINT_OPEN];
    bool shown = false;
    team_give(t, 0, s->design.points);
    team_finish_giving(t);
    for (unsigned i = 0; team_tend(t, 5) && !interrupted; i++)
        if (how->progress && i % 40 == 39) {
            show(t, before, r->n, false);
            shown = true;
        }
    if (shown)
        show(t, before, r->n, true);
    bool ok = !team_failed(t) && !interrupted;
    team_free(t);
    return ok;
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

int study_run(const Study *s, const RunHow *how, bool fresh)
{
    if (!journal_begin(s, fresh))
        return KAIROS_USE_ERROR;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    Results *r = results_read(s);
    uint64_t open = r->count[POINT_OPEN];
    if (open && open < r->n && !how->quiet)
        fprintf(stderr, "%llu of %llu points are finished; continuing\n",
                (unsigned long long)(r->n - open), (unsigned long long)r->n);
    if (open)
        (void)run_here(s, how, r);
    results_free(r);
    return study_finish(s, how->quiet);
}
