/* An FMU of FMI 3.0 for scheduled execution. Clock 1 ticks at times; every third tick starts a
 * countdown of 0.05 for clock 2, and ticks the output clock 3. Clock 4 is triggered from outside.
 * n and m count the ticks of 1 and 2, sum adds the input u at ticks of clock 4. */
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    int n, m, sum, u;
    bool counts_down, ticks;
} Model;
#define F(name) fmi3##name

void *F(InstantiateScheduledExecution)(const char *name, const char *token, const char *place,
                                       bool visible, bool log, void *environment, void *logger,
                                       void *update, void *lock, void *unlock)
{
    (void)name, (void)token, (void)place, (void)visible, (void)log, (void)environment;
    (void)logger, (void)update, (void)lock, (void)unlock;
    return calloc(1, sizeof(Model));
}
void F(FreeInstance)(Model *m)
{
    free(m);
}
int F(EnterInitializationMode)(Model *m, bool d, double tolerance, double t, bool s, double stop)
{
    (void)m, (void)d, (void)tolerance, (void)t, (void)s, (void)stop;
    return 0;
}
int F(ExitInitializationMode)(Model *m)
{
    (void)m;
    return 0;
}
int F(Terminate)(Model *m)
{
    (void)m;
    return 0;
}
int F(Reset)(Model *m)
{
    *m = (Model){0};
    return 0;
}
int F(ActivateModelPartition)(Model *m, unsigned clock, double t)
{
    (void)t;
    if (clock == 1 && ++m->n % 3 == 0)
        m->counts_down = m->ticks = true;
    m->m += clock == 2;
    m->sum += clock == 4 ? m->u : 0;
    return clock == 1 || clock == 2 || clock == 4 ? 0 : 3;
}
int F(GetInt32)(Model *m, const unsigned *refs, size_t n, int *v, size_t n_values)
{
    (void)n_values;
    for (size_t i = 0; i < n; i++)
        v[i] = refs[i] == 5 ? m->n : refs[i] == 6 ? m->m : refs[i] == 7 ? m->sum : m->u;
    return 0;
}
int F(SetInt32)(Model *m, const unsigned *refs, size_t n, const int *v, size_t n_values)
{
    (void)refs, (void)n_values;
    if (n)
        m->u = v[0];
    return 0;
}
int F(GetClock)(Model *m, const unsigned *refs, size_t n, bool *v)
{
    (void)refs;
    if (n)
        v[0] = m->ticks;
    m->ticks = false;
    return 0;
}
int F(GetIntervalDecimal)(Model *m, const unsigned *refs, size_t n, double *v, int *qualifiers)
{
    (void)refs;
    if (n) {
        v[0] = 0.05;
        qualifiers[0] = m->counts_down ? 2 : 1;
    }
    m->counts_down = false;
    return 0;
}
