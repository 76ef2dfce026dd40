/* An FMU of FMI 1.0, for both kinds: x' = -k x + u, and a counter that steps at time 0.5, 1, 1.5.
 * If x falls below 0.5, it is set to 1. Compiled with -DCS for co-simulation. */
#include <math.h>
#include <stdlib.h>

typedef struct {
    char converged, references, states, terminate, has_next;
    double next;
} EventInfo;
typedef struct {
    void *logger, *(*allocate)(size_t, size_t), *release;
} Exchange;
typedef struct {
    void *logger, *(*allocate)(size_t, size_t), *release, *finished;
} Slave;
typedef struct {
    double t, x, k, u;
    int counter;
    char low;
} Model;
#define F(name) first_fmi##name
#define REFS const unsigned *refs, size_t n

static Model *make(void)
{
    Model *m = calloc(1, sizeof *m);
    m->x = 1, m->k = 1;
    return m;
}

int F(SetReal)(Model *m, REFS, const double *v)
{
    for (size_t i = 0; i < n; i++)
        *(refs[i] == 1 ? &m->x : refs[i] == 2 ? &m->k : &m->u) = v[i];
    return 0;
}
int F(GetReal)(Model *m, REFS, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = refs[i] == 0   ? m->t
               : refs[i] == 1 ? m->x
               : refs[i] == 2 ? m->k
               : refs[i] == 3 ? m->u
                              : 2 * m->x;
    return 0;
}
int F(GetInteger)(Model *m, REFS, int *v)
{
    (void)refs;
    while (n--)
        v[n] = m->counter;
    return 0;
}
int F(GetBoolean)(Model *m, REFS, char *v)
{
    (void)refs;
    while (n--)
        v[n] = m->low;
    return 0;
}

static void event(Model *m)
{
    m->counter = (int)floor(m->t / 0.5 + 1e-9);
    m->low = m->counter > 1;
    if (m->x <= 0.5)
        m->x = 1;
}

#ifdef CS
void *F(InstantiateSlave)(const char *name, const char *guid, const char *place, const char *mime,
                          double timeout, char visible, char interactive, Slave s, char log)
{
    (void)name, (void)guid, (void)place, (void)mime, (void)timeout, (void)visible;
    (void)interactive, (void)s, (void)log;
    return make();
}
int F(InitializeSlave)(Model *m, double t, char defined, double stop)
{
    (void)defined, (void)stop;
    m->t = t;
    return 0;
}
int F(DoStep)(Model *m, double t, double h, char new_step)
{
    (void)new_step;
    double end = m->u / m->k;
    m->x = end + (m->x - end) * exp(-m->k * h);
    m->t = t + h;
    event(m);
    return 0;
}
int F(TerminateSlave)(Model *m)
{
    (void)m;
    return 0;
}
void F(FreeSlaveInstance)(Model *m)
{
    free(m);
}
#else
void *F(InstantiateModel)(const char *name, const char *guid, Exchange s, char log)
{
    (void)name, (void)guid, (void)s, (void)log;
    return make();
}
int F(SetTime)(Model *m, double t)
{
    m->t = t;
    return 0;
}
int F(SetContinuousStates)(Model *m, const double *x, size_t n)
{
    m->x = n ? x[0] : 0;
    return 0;
}
int F(GetContinuousStates)(Model *m, double *x, size_t n)
{
    if (n)
        x[0] = m->x;
    return 0;
}
int F(GetDerivatives)(Model *m, double *d, size_t n)
{
    if (n)
        d[0] = -m->k * m->x + m->u;
    return 0;
}
int F(GetEventIndicators)(Model *m, double *z, size_t n)
{
    if (n)
        z[0] = m->x - 0.5;
    return 0;
}
int F(CompletedIntegratorStep)(Model *m, char *call)
{
    (void)m;
    *call = 0;
    return 0;
}
int F(EventUpdate)(Model *m, char intermediate, EventInfo *e)
{
    (void)intermediate;
    event(m);
    *e = (EventInfo){1, 0, 1, 0, 1, 0.5 * (m->counter + 1)};
    return 0;
}
int F(Initialize)(Model *m, char controlled, double tolerance, EventInfo *e)
{
    (void)controlled, (void)tolerance;
    return F(EventUpdate)(m, 0, e);
}
int F(Terminate)(Model *m)
{
    (void)m;
    return 0;
}
void F(FreeModelInstance)(Model *m)
{
    free(m);
}
#endif
