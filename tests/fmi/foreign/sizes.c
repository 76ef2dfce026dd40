/* An FMU of FMI 3.0 for model exchange, whose arrays have the size of the structural parameter n:
 * x' = A x, with an n by n matrix A, and y = sum(w). Values are refused that do not fit n. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { MOST = 4, N = 1, A, W, X, DX, Y };
typedef struct {
    size_t n;
    bool configuring;
    double a[MOST * MOST], w[MOST], x[MOST], dx[MOST], y;
} Model;
#define F(name) fmi3##name

static void start(Model *m)
{
    *m = (Model){.n = 2, .a = {-1, 0, 0, -2}, .w = {3, 3, 3, 3}, .x = {1, 1, 1, 1}};
}
void *F(InstantiateModelExchange)(const char *name, const char *token, const char *place,
                                  bool visible, bool log, void *environment, void *logger)
{
    (void)name, (void)token, (void)place, (void)visible, (void)log, (void)environment;
    (void)logger;
    Model *m = calloc(1, sizeof(Model));
    if (m)
        start(m);
    return m;
}
void F(FreeInstance)(Model *m)
{
    free(m);
}
int F(EnterConfigurationMode)(Model *m)
{
    m->configuring = true;
    return 0;
}
int F(ExitConfigurationMode)(Model *m)
{
    m->configuring = false;
    return 0;
}
int F(EnterInitializationMode)(Model *m, bool d, double tolerance, double t, bool s, double stop)
{
    (void)m, (void)d, (void)tolerance, (void)t, (void)s, (void)stop;
    return m->configuring ? 3 : 0;
}
#define NOTHING(name)                                                                              \
    int F(name)(Model * m)                                                                         \
    {                                                                                              \
        (void)m;                                                                                   \
        return 0;                                                                                  \
    }
NOTHING(ExitInitializationMode)
NOTHING(EnterEventMode)
NOTHING(EnterContinuousTimeMode)
NOTHING(Terminate)
int F(Reset)(Model *m)
{
    start(m);
    return 0;
}
int F(UpdateDiscreteStates)(Model *m, bool *again, bool *end, bool *nominals, bool *values,
                            bool *next, double *t)
{
    (void)m, (void)t;
    *again = *end = *nominals = *values = *next = false;
    return 0;
}
int F(CompletedIntegratorStep)(Model *m, bool no_set, bool *event, bool *end)
{
    (void)m, (void)no_set;
    *event = *end = false;
    return 0;
}
int F(SetUInt64)(Model *m, const unsigned *refs, size_t n, const uint64_t *v, size_t n_values)
{
    if (!m->configuring || n != 1 || refs[0] != N || n_values != 1 || v[0] > MOST)
        return 3;
    m->n = v[0];
    return 0;
}
int F(GetUInt64)(Model *m, const unsigned *refs, size_t n, uint64_t *v, size_t n_values)
{
    (void)refs;
    for (size_t i = 0; i < n && i < n_values; i++)
        v[i] = m->n;
    return 0;
}
static void compute(Model *m)
{
    m->y = 0;
    for (size_t i = 0; i < m->n; i++) {
        m->dx[i] = 0;
        for (size_t j = 0; j < m->n; j++)
            m->dx[i] += m->a[i * m->n + j] * m->x[j];
        m->y += m->w[i];
    }
}
static double *place(Model *m, unsigned ref, size_t *n)
{
    *n = ref == A ? m->n * m->n : ref == Y ? 1 : m->n;
    return ref == A ? m->a : ref == W ? m->w : ref == X ? m->x : ref == DX ? m->dx : &m->y;
}
int F(GetFloat64)(Model *m, const unsigned *refs, size_t n, double *v, size_t n_values)
{
    size_t at = 0, size;
    compute(m);
    for (size_t i = 0; i < n; i++) {
        const double *from = place(m, refs[i], &size);
        for (size_t k = 0; k < size && at < n_values; k++)
            v[at++] = from[k];
    }
    return at == n_values ? 0 : 3;
}
int F(SetFloat64)(Model *m, const unsigned *refs, size_t n, const double *v, size_t n_values)
{
    size_t at = 0, size;
    for (size_t i = 0; i < n; i++) {
        double *to = place(m, refs[i], &size);
        for (size_t k = 0; k < size && at < n_values; k++)
            to[k] = v[at++];
    }
    return at == n_values ? 0 : 3;
}
int F(SetTime)(Model *m, double t)
{
    (void)m, (void)t;
    return 0;
}
int F(SetContinuousStates)(Model *m, const double *x, size_t n)
{
    for (size_t i = 0; i < n && n == m->n; i++)
        m->x[i] = x[i];
    return n == m->n ? 0 : 3;
}
int F(GetContinuousStates)(Model *m, double *x, size_t n)
{
    for (size_t i = 0; i < n && n == m->n; i++)
        x[i] = m->x[i];
    return n == m->n ? 0 : 3;
}
int F(GetContinuousStateDerivatives)(Model *m, double *x, size_t n)
{
    compute(m);
    for (size_t i = 0; i < n && n == m->n; i++)
        x[i] = m->dx[i];
    return n == m->n ? 0 : 3;
}
int F(GetNominalsOfContinuousStates)(Model *m, double *x, size_t n)
{
    for (size_t i = 0; i < n && n == m->n; i++)
        x[i] = 1;
    return n == m->n ? 0 : 3;
}
int F(GetEventIndicators)(Model *m, double *z, size_t n)
{
    (void)m, (void)z;
    return n ? 3 : 0;
}
