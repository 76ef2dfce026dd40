#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static double seconds_since(const struct timespec *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

bool progress_begin(Progress *p, const RunOptions *o, const KairosModel *m)
{
    *p = (Progress){.terminal = isatty(STDERR_FILENO)};
    kairos_model_times(m, &p->start, &p->stop);
    p->start = o->has_start ? o->start_time : p->start;
    p->stop = o->has_stop ? o->stop_time : p->stop;
    p->last = p->start;
    clock_gettime(CLOCK_MONOTONIC, &p->begin);
    p->shown = p->begin;
    return !o->common.quiet && (p->terminal || o->progress);
}

/* "8 s", "3:20", "2:05:00" */
static void print_duration(double s, char *out, size_t size)
{
    if (!(s < 360000))
        snprintf(out, size, "long");
    else if (s < 60)
        snprintf(out, size, "%.0f s", s);
    else if (s < 3600)
        snprintf(out, size, "%d:%02d", (int)s / 60, (int)s % 60);
    else
        snprintf(out, size, "%d:%02d:%02d", (int)s / 3600, (int)s / 60 % 60, (int)s % 60);
}

/* Recent rates count more than old ones. */
static void measure(Progress *p, double time, double elapsed)
{
    double now = elapsed > 0 ? (time - p->last) / elapsed : 0;
    p->rate = p->rate > 0 ? 0.7 * p->rate + 0.3 * now : now;
    p->last = time;
}

void progress_show(Progress *p, double time, uint64_t steps, uint64_t events)
{
    enum { WIDTH = 24 };
    static const char full[] = "########################";
    double elapsed = seconds_since(&p->shown);
    if (seconds_since(&p->begin) < 0.5 || elapsed < (p->terminal || !p->visible ? 0.1 : 5))
        return;
    measure(p, time, elapsed);
    clock_gettime(CLOCK_MONOTONIC, &p->shown);
    p->visible = true;
    double share = p->stop > p->start ? (time - p->start) / (p->stop - p->start) : 1;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    char left[32], line[256];
    print_duration(p->rate > 0 ? (p->stop - time) / p->rate : 1e9, left, sizeof left);
    int n =
        snprintf(line, sizeof line,
                 "[%.*s%*s] %3.0f %%  time %.5g of %g, %.3g/s, %s left, %llu steps, %llu events",
                 (int)(share * WIDTH), full, WIDTH - (int)(share * WIDTH), "", 100 * share, time,
                 p->stop, p->rate, left, (unsigned long long)steps, (unsigned long long)events);
    struct winsize size = {0};
    if (p->terminal && !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 10 &&
        n >= size.ws_col)
        line[size.ws_col - 1] = 0;
    fprintf(stderr, p->terminal ? "\r\033[K%s" : "%s\n", line);
}

void progress_end(Progress *p)
{
    if (p->visible && p->terminal)
        fprintf(stderr, "\r\033[K");
}
