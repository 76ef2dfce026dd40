/* A study with processes of several machines, by MPI.
 *
 * The library is opened only if mpirun or srun started this process, so that Kairos does not depend
 * on it. Each process has one worker (workers.c), which runs the points and writes its journal.
 * Process 0 hands out ranges of points, larger ones first; messages are few, since a range is a
 * share of what is left. At the end, process 0 merges the journals. */
#include "study.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* OpenMPI's types: handles are pointers to objects of the library. */
typedef void *Handle;
typedef struct Status {
    int source, tag, error, cancelled;
    size_t count;
} Status;

typedef struct Mpi {
    void *library;
    int (*Init)(int *argc, char ***argv);
    int (*Finalize)(void);
    int (*Abort)(Handle comm, int code);
    int (*Comm_rank)(Handle comm, int *rank);
    int (*Comm_size)(Handle comm, int *size);
    int (*Send)(const void *data, int n, Handle type, int to, int tag, Handle comm);
    int (*Recv)(void *data, int n, Handle type, int from, int tag, Handle comm, Status *s);
    int (*Iprobe)(int from, int tag, Handle comm, int *flag, Status *s);
    int (*Bcast)(void *data, int n, Handle type, int root, Handle comm);
    Handle world, bytes;
    int rank, size;
} Mpi;

enum { ANY_SOURCE = -1, ASK = 1, RANGE = 2, END = 3 };
enum { SHARE = 4, MOST_RANGE = 4096 }; /* a range is a part of what each process is left with */

typedef struct Range {
    uint64_t begin, end;
} Range;

static bool several(const char *name)
{
    const char *value = getenv(name);
    return value && atoi(value) > 1;
}

bool mpi_wanted(void)
{
    bool by_srun =
        getenv("SLURM_STEP_ID") && getenv("SLURM_PROCID") && several("SLURM_STEP_NUM_TASKS");
    return several("OMPI_COMM_WORLD_SIZE") || several("PMI_SIZE") || by_srun;
}

static bool load(Mpi *m)
{
    static const char *const names[] = {"Init", "Finalize", "Abort",  "Comm_rank", "Comm_size",
                                        "Send", "Recv",     "Iprobe", "Bcast"};
    void **places[] = {(void **)&m->Init,      (void **)&m->Finalize,  (void **)&m->Abort,
                       (void **)&m->Comm_rank, (void **)&m->Comm_size, (void **)&m->Send,
                       (void **)&m->Recv,      (void **)&m->Iprobe,    (void **)&m->Bcast};
    const char *file = getenv("KAIROS_MPI");
    m->library = dlopen(file ? file : "libmpi.so.40", RTLD_NOW | RTLD_GLOBAL);
    bool ok = m->library;
    for (size_t i = 0; i < sizeof names / sizeof *names && ok; i++) {
        char name[32];
        snprintf(name, sizeof name, "MPI_%s", names[i]);
        *places[i] = dlsym(m->library, name);
        ok = *places[i];
    }
    m->world = ok ? dlsym(m->library, "ompi_mpi_comm_world") : NULL;
    m->bytes = ok ? dlsym(m->library, "ompi_mpi_byte") : NULL;
    if (!ok || !m->world || !m->bytes) {
        fprintf(stderr, "kairos: this process was started by MPI, but OpenMPI (libmpi.so.40) is "
                        "not installed; on Debian the package libopenmpi3 has it. Without it, each "
                        "process would run the whole study\n");
        return false;
    }
    return true;
}

/* ---- hand-out ---- */

typedef struct Handout {
    uint64_t next, n;
    int ended; /* processes that got no more */
} Handout;

static Range next_range(Handout *h, int size)
{
    uint64_t left = h->n - h->next, share = left / ((uint64_t)size * SHARE);
    share = share > MOST_RANGE ? MOST_RANGE : share ? share : left ? 1 : 0;
    Range r = {h->next, h->next + share};
    h->next += share;
    return r;
}

/* Answers all processes that ask. */
static bool answer(const Mpi *m, Handout *h)
{
    bool any = false;
    int flag = 1;
    Status s;
    while (!m->Iprobe(ANY_SOURCE, ASK, m->world, &flag, &s) && flag) {
        char nothing;
        m->Recv(&nothing, 1, m->bytes, s.source, ASK, m->world, &s);
        Range r = next_range(h, m->size);
        h->ended += r.begin == r.end;
        m->Send(&r, sizeof r, m->bytes, s.source, RANGE, m->world);
        any = true;
    }
    return any;
}

static void coordinate(const Mpi *m, Team *t, const Study *s)
{
    Handout h = {.n = s->design.points};
    bool closed = false, tended = true;
    while (h.ended < m->size - 1 || !closed || tended) {
        bool busy = answer(m, &h);
        if (!closed && team_idle(t)) {
            Range r = team_failed(t) ? (Range){0} : next_range(&h, m->size);
            closed = r.begin == r.end;
            if (closed)
                team_finish_giving(t);
            else
                team_give(t, r.begin, r.end);
        }
        if (team_failed(t))
            h.next = h.n; /* no further points for anybody */
        tended = team_tend(t, 0);
        if (!busy)
            usleep(200);
    }
}

static void follow(const Mpi *m, Team *t)
{
    bool closed = false;
    while (team_tend(t, 0)) {
        if (closed || !team_idle(t)) {
            usleep(500);
            continue;
        }
        char nothing = 0;
        Range r;
        Status s;
        int flag = 0;
        m->Send(&nothing, 1, m->bytes, 0, ASK, m->world);
        while (!m->Iprobe(0, RANGE, m->world, &flag, &s) && !flag)
            usleep(100); /* MPI_Recv would keep the core busy */
        m->Recv(&r, sizeof r, m->bytes, 0, RANGE, m->world, &s);
        closed = r.begin == r.end;
        if (closed)
            team_finish_giving(t);
        else
            team_give(t, r.begin, r.end);
    }
    for (char nothing = 0; !closed; closed = true) { /* the team stopped: say so once */
        Range r;
        Status s;
        do {
            m->Send(&nothing, 1, m->bytes, 0, ASK, m->world);
            m->Recv(&r, sizeof r, m->bytes, 0, RANGE, m->world, &s);
        } while (r.begin != r.end);
    }
}

static void wait_for_all(const Mpi *m)
{
    for (int i = 1; i < m->size && !m->rank; i++) {
        char nothing;
        Status s;
        int flag = 0;
        while (!m->Iprobe(i, END, m->world, &flag, &s) && !flag)
            usleep(500);
        m->Recv(&nothing, 1, m->bytes, i, END, m->world, &s);
    }
    if (m->rank)
        m->Send(&(char){0}, 1, m->bytes, 0, END, m->world);
}

int mpi_run(const Study *s, RunHow *how, bool fresh)
{
    Mpi m = {0};
    if (!load(&m))
        return KAIROS_USE_ERROR;
    if (m.Init(NULL, NULL))
        return KAIROS_USE_ERROR;
    m.Comm_rank(m.world, &m.rank);
    m.Comm_size(m.world, &m.size);
    int status = KAIROS_OK;
    if (!m.rank && !journal_begin(s, fresh))
        status = KAIROS_USE_ERROR;
    m.Bcast(&status, sizeof status, m.bytes, 0, m.world);
    if (!status) {
        Results *r = results_read(s);
        how->jobs = 1;
        Team *t = team_start(s, how, r->status);
        if (!t)
            m.Abort(m.world, KAIROS_FAILED);
        if (m.rank)
            follow(&m, t);
        else
            coordinate(&m, t, s);
        team_free(t);
        results_free(r);
        wait_for_all(&m);
        if (!m.rank)
            status = study_finish(s, how->quiet);
        m.Bcast(&status, sizeof status, m.bytes, 0, m.world);
    }
    m.Finalize();
    return m.rank ? KAIROS_OK : status;
}
