#include "load/tier.h"

#include <pthread.h>
#include <stdatomic.h>

/* Seconds of `cc -O1`: for the start, and for each byte of text. Measured: 0.25 s for 60 kB, 48 s
 * for 5.4 MB. */
static const double COMPILER_START = 0.15, COMPILER_BYTE = 9e-6;
/* a shorter run is ignored: its speed is not known yet */
static const double AT_ONCE = 0.1;

struct Tier {
    pthread_mutex_t lock; /* for the members below, except `state`, which may be read without it */
    _Atomic TierState state;
    const ModelCode *first;
    const char *text;
    double compiling; /* expected seconds */
    double spent;     /* seconds of runs that ended */
    LoadJob *job;     /* TIER_COMPILING */
    Loaded *better;   /* TIER_BETTER */
};

Tier *tier_new(const ModelCode *first, const char *text, bool wanted)
{
    Tier *t = memory_alloc(sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    t->state = wanted ? TIER_FIRST : TIER_NONE;
    t->first = first;
    t->text = text;
    t->compiling = COMPILER_START + COMPILER_BYTE * (double)strlen(text);
    return t;
}

void tier_free(Tier *t)
{
    if (t == NULL) {
        return;
    }
    load_end(t->job);
    load_free(t->better);
    pthread_mutex_destroy(&t->lock);
    memory_free(t);
}

const ModelCode *tier_code(Tier *t)
{
    return t->state == TIER_BETTER ? load_code(t->better) : t->first;
}

TierState tier_state(Tier *t)
{
    return t->state;
}

static void consider(Tier *t, double seconds, double done)
{
    double rest = done > 0 ? seconds * (1 - done) / done : 0;
    if (seconds < AT_ONCE || (rest <= t->compiling && t->spent + seconds <= t->compiling)) {
        return;
    }
    t->job = load_begin(t->text);
    t->state = t->job != NULL ? TIER_COMPILING : TIER_NONE;
}

static void take(Tier *t)
{
    if (!load_poll(t->job, &t->better)) {
        return;
    }
    load_end(t->job);
    t->job = NULL;
    t->state = t->better != NULL ? TIER_BETTER : TIER_NONE;
}

const ModelCode *tier_poll(Tier *t, double seconds, double done)
{
    TierState state = t->state;
    if ((state == TIER_FIRST || state == TIER_COMPILING) && pthread_mutex_trylock(&t->lock) == 0) {
        if (t->state == TIER_FIRST) {
            consider(t, seconds, done);
        } else if (t->state == TIER_COMPILING) {
            take(t);
        }
        pthread_mutex_unlock(&t->lock);
    }
    return tier_code(t);
}

void tier_count(Tier *t, double seconds)
{
    pthread_mutex_lock(&t->lock);
    t->spent += seconds;
    pthread_mutex_unlock(&t->lock);
}
