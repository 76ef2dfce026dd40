/* An FMU of FMI 2.0 for both kinds: x' = -k x. A macro gives it a fault: LEAK, CRASH, ENDLESS,
 * RESET, STATE, DERIVATIVE, WRITE, FAIL. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int again, terminate, nominals, states, has_next;
    double next;
} EventInfo;
typedef struct {
    double t, x, k;
} Model;
#define F(name) fmi2##name
#define REFS const unsigned *refs, size_t n

void *F(Instantiate)(const char *name, int kind, const char *guid, const char *place,
                     const void *callbacks, int visible, int log)
{
    (void)name, (void)kind, (void)guid, (void)place, (void)callbacks, (void)visible, (void)log;
    Model *m = calloc(1, sizeof *m);
    m->x = m->k = 1;
#ifdef LEAK
    memset(malloc(24), 1, 24);
#endif
    return m;
}
void F(FreeInstance)(Model *m)
{
    free(m);
}
int F(SetupExperiment)(Model *m, int d, double tolerance, double start, int s, double stop)
{
    (void)d, (void)tolerance, (void)s, (void)stop;
    m->t = start;
    return 0;
}
int F(EnterInitializationMode)(Model *m)
{
    (void)m;
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
#ifndef RESET
    m->x = m->k = 1;
#else
    m->x = 7;
#endif
    return 0;
}
int F(GetReal)(Model *m, REFS, double *v)
{
    for (size_t i = 0; i < n; i++)
        v[i] = refs[i] == 0 ? m->t : refs[i] == 1 ? m->x : refs[i] == 2 ? -m->k * m->x : m->k;
    return 0;
}
int F(SetReal)(Model *m, REFS, const double *v)
{
    for (size_t i = 0; i < n; i++)
        *(refs[i] == 1 ? &m->x : &m->k) = v[i];
    return 0;
}
int F(GetInteger)(Model *m, REFS, int *v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}
int F(GetBoolean)(Model *m, REFS, int *v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}
int F(GetString)(Model *m, REFS, const char **v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}
int F(SetInteger)(Model *m, REFS, const int *v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}
int F(SetBoolean)(Model *m, REFS, const int *v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}
int F(SetString)(Model *m, REFS, const char **v)
{
    (void)m, (void)refs, (void)n, (void)v;
    return 3;
}

int F(GetFMUstate)(Model *m, void **s)
{
    Model *copy = *s ? *s : malloc(sizeof *copy);
    *copy = *m;
    *s = copy;
    return 0;
}
int F(SetFMUstate)(Model *m, void *s)
{
#ifdef STATE
    m->t = ((Model *)s)->t;
#else
    *m = *(Model *)s;
#endif
    return 0;
}
int F(FreeFMUstate)(Model *m, void **s)
{
    (void)m;
    free(*s);
    *s = NULL;
    return 0;
}
int F(GetDirectionalDerivative)(Model *m, REFS, const unsigned *knowns, size_t n_knowns,
                                const double *seed, double *out)
{
    (void)refs, (void)knowns, (void)n_knowns;
    for (size_t i = 0; i < n; i++)
#ifdef DERIVATIVE
        out[i] = m->k * seed[0];
#else
        out[i] = -m->k * seed[0];
#endif
    return 0;
}
int F(EnterEventMode)(Model *m)
{
    (void)m;
    return 0;
}
int F(NewDiscreteStates)(Model *m, EventInfo *e)
{
    (void)m;
    *e = (EventInfo){0};
    return 0;
}
int F(EnterContinuousTimeMode)(Model *m)
{
    (void)m;
    return 0;
}
int F(CompletedIntegratorStep)(Model *m, int no_set, int *event, int *ends)
{
    (void)m, (void)no_set;
    *event = *ends = 0;
    return 0;
}
int F(SetTime)(Model *m, double t)
{
    m->t = t;
    return 0;
}
int F(SetContinuousStates)(Model *m, const double *x, size_t n)
{
    if (n)
        m->x = *x;
    return 0;
}
int F(GetContinuousStates)(Model *m, double *x, size_t n)
{
    if (n)
        *x = m->x;
    return 0;
}
int F(GetDerivatives)(Model *m, double *d, size_t n)
{
    if (n)
        *d = -m->k * m->x;
    return 0;
}
int F(GetEventIndicators)(Model *m, double *z, size_t n)
{
    (void)m, (void)z, (void)n;
    return 0;
}
int F(GetNominalsOfContinuousStates)(Model *m, double *x, size_t n)
{
    (void)m;
    if (n)
        *x = 1;
    return 0;
}
int F(DoStep)(Model *m, double t, double h, int no_set)
{
    (void)no_set;
#ifdef CRASH
    *(volatile int *)8 = 1;
#endif
#ifdef ENDLESS
    for (volatile int i = 0;; i++) {
    }
#endif
#ifdef WRITE
    FILE *f = fopen("trace.log", "w");
    if (f)
        fclose(f);
#endif
#ifdef FAIL
    return 3;
#endif
    m->x *= exp(-m->k * h);
    m->t = t + h;
    return 0;
}
int F(GetBooleanStatus)(Model *m, int what, int *v)
{
    (void)m, (void)what;
    *v = 0;
    return 0;
}
