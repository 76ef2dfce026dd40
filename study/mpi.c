/* A study with processes of several machines, by MPI.
 *
 * The library is opened only if mpirun or srun started this process, so that Kairos does not depend
 * on it. On each machine one process leads: it compiles the model and has a worker (workers.c) for
 * each process there; the others wait. Process 0 hands out ranges of points, larger ones first;
 * messages are few, since a range is a share of what is left. At the end, process 0 merges the
 * journals. Nobody waits inside MPI, which would keep a core busy. */
#include "study.h"

#include <dlfcn.h>
#include <sched.h>
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
    int (*Comm_split_type)(Handle comm, int kind, int key, Handle info, Handle *result);
    Handle world, bytes, no_info;
    Handle node; /* the processes of this machine; its first one leads */
    int rank, size, node_rank, node_size;
} Mpi;

enum { ANY_SOURCE = -1, OF_ONE_MACHINE = 0 };
enum { CORES = 1, READY, GO, ASK, RANGE, END, STATUS }; /* tags */
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
    static const char *const names[] = {"Init", "Finalize", "Abort",  "Comm_rank",      "Comm_size",
                                        "Send", "Recv",     "Iprobe", "Comm_split_type"};
    void **places[] = {
        (void **)&m->Init,      (void **)&m->Finalize,  (void **)&m->Abort,
        (void **)&m->Comm_rank, (void **)&m->Comm_size, (void **)&m->Send,
        (void **)&m->Recv,      (void **)&m->Iprobe,    (void **)&m->Comm_split_type};
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
    m->no_info = ok ? dlsym(m->library, "ompi_mpi_info_null") : NULL;
    if (!ok || !m->world || !m->bytes || !m->no_info) {
        fprintf(stderr, "kairos: this process was started by MPI, but OpenMPI (libmpi.so.40) is "
                        "not installed; on Debian the package libopenmpi3 has it. Without it, each "
                        "process would run the whole study\n");
        return false;
    }
    return true;
}

static void send(const Mpi *m, Handle comm, int to, int tag, const void *data, size_t n)
{
    m->Send(data, (int)n, m->bytes, to, tag, comm);
}

/* Waits asleep; returns the sender. */
static int receive(const Mpi *m, Handle comm, int from, int tag, void *data, size_t n)
{
    Status s;
    int flag = 0;
    while (!m->Iprobe(from, tag, comm, &flag, &s) && !flag)
        usleep(200);
    m->Recv(data, (int)n, m->bytes, s.source, tag, comm, &s);
    return s.source;
}

/* ---- hand-out ---- */

typedef struct Handout {
    uint64_t next, n;
    int leaders, ended; /* those who got no more */
} Handout;

static Range next_range(Handout *h, int size, int workers)
{
    uint64_t left = h->n - h->next, share = left / ((uint64_t)size * SHARE);
    share = (share > MOST_RANGE ? MOST_RANGE : share ? share : 1) * (uint64_t)workers;
    share = share > left ? left : share;
    Range r = {h->next, h->next + share};
    h->next += share;
    return r;
}

/* Answers all leaders that ask. */
static bool answer(const Mpi *m, Handout *h)
{
    bool any = false;
    int flag = 1;
    Status s;
    while (!m->Iprobe(ANY_SOURCE, ASK, m->world, &flag, &s) && flag) {
        int workers;
        m->Recv(&workers, sizeof workers, m->bytes, s.source, ASK, m->world, &s);
        Range r = next_range(h, m->size, workers);
        h->ended += r.begin == r.end;
        send(m, m->world, s.source, RANGE, &r, sizeof r);
        any = true;
    }
    return any;
}

static bool give(Team *t, Range r)
{
    if (r.begin == r.end)
        team_finish_giving(t);
    else
        team_give(t, r.begin, r.end);
    return r.begin != r.end;
}

static void coordinate(const Mpi *m, Team *t, Handout *h)
{
    bool closed = false, tended = true;
    while (h->ended < h->leaders - 1 || !closed || tended) {
        bool busy = answer(m, h);
        if (team_failed(t))
            h->next = h->n; /* no further points for anybody */
        if (!closed && team_idle(t))
            closed = !give(t, next_range(h, m->size, m->node_size));
        tended = team_tend(t, 0);
        if (!busy)
            usleep(200);
    }
}

static Range ask(const Mpi *m)
{
    Range r;
    send(m, m->world, 0, ASK, &m->node_size, sizeof m->node_size);
    receive(m, m->world, 0, RANGE, &r, sizeof r);
    return r;
}

static void follow(const Mpi *m, Team *t)
{
    bool closed = false;
    while (team_tend(t, 0))
        if (closed || !team_idle(t))
            usleep(500);
        else
            closed = !give(t, ask(m));
    while (!closed) { /* the team stopped: its ranges stay open */
        Range r = ask(m);
        closed = r.begin == r.end;
    }
}

/* ---- the order of everything ---- */

/* Workers may use the cores of all processes of the machine. */
static void join_cores(const Mpi *m)
{
    cpu_set_t own, other;
    CPU_ZERO(&own);
    bool known = !sched_getaffinity(0, sizeof own, &own);
    if (m->node_rank) {
        send(m, m->node, 0, CORES, &own, sizeof own);
        return;
    }
    for (int i = 1; i < m->node_size; i++) {
        receive(m, m->node, i, CORES, &other, sizeof other);
        CPU_OR(&own, &own, &other);
    }
    if (known)
        (void)sched_setaffinity(0, sizeof own, &own);
}

typedef struct Ready {
    int status;
    int leads;
} Ready;

/* Whether all are ready: the first status other than 0, for all. Process 0 counts the leaders. */
static int agree(const Mpi *m, Ready own, int *leaders)
{
    if (m->rank) {
        send(m, m->world, 0, READY, &own, sizeof own);
        receive(m, m->world, 0, GO, &own.status, sizeof own.status);
        return own.status;
    }
    *leaders = own.leads;
    for (int i = 1; i < m->size; i++) {
        Ready other;
        receive(m, m->world, i, READY, &other, sizeof other);
        own.status = own.status ? own.status : other.status;
        *leaders += other.leads;
    }
    for (int i = 1; i < m->size; i++)
        send(m, m->world, i, GO, &own.status, sizeof own.status);
    return own.status;
}

static void lead(const Mpi *m, const Study *s, RunHow *how, int leaders)
{
    Results *r = results_read(s);
    uint64_t *order = results_order(s);
    how->jobs = (unsigned)m->node_size;
    Team *t = team_start(s, how, r->status, order);
    if (!t)
        m->Abort(m->world, KAIROS_FAILED);
    if (m->rank)
        follow(m, t);
    else
        coordinate(m, t, &(Handout){.n = s->design.points, .leaders = leaders});
    team_free(t);
    free(order);
    results_free(r);
}

/* Process 0 merges when all have ended; the others wait for it. */
static int end_together(const Mpi *m, const Study *s, const RunHow *how)
{
    int status = KAIROS_OK;
    char nothing = 0;
    if (m->rank) {
        send(m, m->world, 0, END, &nothing, 1);
        receive(m, m->world, 0, STATUS, &status, sizeof status);
        return KAIROS_OK; /* process 0 says it */
    }
    for (int i = 1; i < m->size; i++)
        receive(m, m->world, i, END, &nothing, 1);
    status = study_finish(s, how);
    for (int i = 1; i < m->size; i++)
        send(m, m->world, i, STATUS, &status, sizeof status);
    return status;
}

int mpi_run(const Study *s, RunHow *how, PrepareFn *prepare, void *user)
{
    Mpi m = {0};
    if (!load(&m) || m.Init(NULL, NULL))
        return KAIROS_USE_ERROR;
    m.Comm_rank(m.world, &m.rank);
    m.Comm_size(m.world, &m.size);
    m.Comm_split_type(m.world, OF_ONE_MACHINE, m.rank, m.no_info, &m.node);
    m.Comm_rank(m.node, &m.node_rank);
    m.Comm_size(m.node, &m.node_size);
    join_cores(&m);
    int leaders = 0, status = m.node_rank ? KAIROS_OK : prepare(user, how);
    if (!status && !m.rank && journal_begin(s, how->fresh, false) < 0)
        status = KAIROS_USE_ERROR;
    status = agree(&m, (Ready){status, !m.node_rank}, &leaders);
    if (!status) {
        if (!m.node_rank)
            lead(&m, s, how, leaders);
        status = end_together(&m, s, how);
    }
    m.Finalize();
    return m.rank ? KAIROS_OK : status;
}
