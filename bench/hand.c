/* The benchmark systems, written by hand in C on CVODE with exact Jacobians. Kairos is measured
 * against them. hand vdp|chain|heat|thermostat|relay|sampled|pwm N TOLERANCE [STOP] prints steps,
 * seconds, seconds in derivatives, seconds in Jacobians, a value and the number of events. Events
 * restart CVODE, which finds state events as roots and stops at ticks. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <time.h>

typedef struct Problem {
    const char *name;
    int n; /* cells or masses */
    double stop;
    CVRhsFn f;
    CVLsJacFn jacobian;
    int states_per_item;
    int nonzeros; /* 0: dense */
    void (*start)(int n, double *x);
    CVRootFn root;             /* NULL: no state events */
    double (*instant)(long k); /* of time event k, from 0; NULL: none */
    void (*event)(double t, const double *x);
} Problem;

static int size;
static double in_f, in_jacobian;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- van der Pol ---- */

static const double mu = 1000;

static int vdp_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now();
    const double *v = N_VGetArrayPointer(x);
    double *d = N_VGetArrayPointer(dx);
    d[0] = v[1];
    d[1] = mu * (1 - v[0] * v[0]) * v[1] - v[0];
    in_f += now() - begin;
    return 0;
}

static int vdp_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                        N_Vector b, N_Vector c)
{
    (void)t, (void)fx, (void)user, (void)a, (void)b, (void)c;
    double begin = now();
    const double *v = N_VGetArrayPointer(x);
    SM_ELEMENT_D(J, 0, 1) = 1;
    SM_ELEMENT_D(J, 1, 0) = -2 * mu * v[0] * v[1] - 1;
    SM_ELEMENT_D(J, 1, 1) = mu * (1 - v[0] * v[0]);
    in_jacobian += now() - begin;
    return 0;
}

static void vdp_start(int n, double *x)
{
    (void)n;
    x[0] = 2;
    x[1] = 0;
}

/* ---- chain of masses between walls: springs 1, dampers 0.1; the first mass is pushed by sin(t)
 * ---- */

static int chain_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)user;
    double begin = now();
    const double *s = N_VGetArrayPointer(x), *v = s + size;
    double *ds = N_VGetArrayPointer(dx), *dv = ds + size;
    for (int i = 0; i < size; i++) {
        double left = i ? s[i - 1] : 0, right = i + 1 < size ? s[i + 1] : 0;
        double vl = i ? v[i - 1] : 0, vr = i + 1 < size ? v[i + 1] : 0;
        ds[i] = v[i];
        dv[i] = left - 2 * s[i] + right + 0.1 * (vl - 2 * v[i] + vr) + (i ? 0 : sin(t));
    }
    in_f += now() - begin;
    return 0;
}

static int chain_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    double begin = now(), *data = SM_DATA_S(J);
    sunindextype *ptr = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J);
    int k = 0;
    for (int part = 0; part < 2; part++)
        for (int j = 0; j < size; j++) {
            ptr[part * size + j] = k;
            if (part)
                row[k] = j, data[k++] = 1;
            for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < size; i++)
                row[k] = size + i, data[k++] = (i == j ? -2 : 1) * (part ? 0.1 : 1);
        }
    ptr[2 * size] = k;
    in_jacobian += now() - begin;
    return 0;
}

static void chain_start(int n, double *x)
{
    memset(x, 0, 2 * (size_t)n * sizeof *x);
}

/* ---- heat line: n cells between 400 K and 300 K ---- */

static int heat_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now(), k = (double)size * size;
    const double *T = N_VGetArrayPointer(x);
    double *d = N_VGetArrayPointer(dx);
    d[0] = k * (2 * (400 - T[0]) + T[1] - T[0]);
    for (int i = 1; i + 1 < size; i++)
        d[i] = k * (T[i - 1] - 2 * T[i] + T[i + 1]);
    d[size - 1] = k * (T[size - 2] - T[size - 1] + 2 * (300 - T[size - 1]));
    in_f += now() - begin;
    return 0;
}

static int heat_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                         N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    double begin = now(), w = (double)size * size, *data = SM_DATA_S(J);
    sunindextype *ptr = SM_INDEXPTRS_S(J), *row = SM_INDEXVALS_S(J);
    int k = 0;
    for (int j = 0; j < size; j++) {
        ptr[j] = k;
        for (int i = j > 0 ? j - 1 : 0; i <= j + 1 && i < size; i++)
            row[k] = i, data[k++] = i != j ? w : j == 0 || j == size - 1 ? -3 * w : -2 * w;
    }
    ptr[size] = k;
    in_jacobian += now() - begin;
    return 0;
}

static void heat_start(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 300;
}

/* ---- thermostat ---- */

static int on;

static int thermostat_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now();
    N_VGetArrayPointer(dx)[0] = (on ? 2 : 0) - N_VGetArrayPointer(x)[0];
    in_f += now() - begin;
    return 0;
}

static int thermostat_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user,
                               N_Vector a, N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    SM_ELEMENT_D(J, 0, 0) = -1;
    return 0;
}

static int thermostat_root(double t, N_Vector x, double *z, void *user)
{
    (void)t, (void)user;
    z[0] = N_VGetArrayPointer(x)[0] - (on ? 1.01 : 0.99);
    return 0;
}

static void thermostat_event(double t, const double *x)
{
    (void)t, (void)x;
    on = !on;
}

static void thermostat_start(int n, double *x)
{
    (void)n;
    on = 1;
    x[0] = 0.5;
}

/* ---- sampled: a digital PI controller on a plant of second order ---- */

static double control, integral;

static int sampled_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now();
    const double *v = N_VGetArrayPointer(x);
    double *d = N_VGetArrayPointer(dx);
    d[0] = v[1];
    d[1] = control - v[1] - v[0];
    in_f += now() - begin;
    return 0;
}

static int sampled_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                            N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    SM_ELEMENT_D(J, 0, 1) = 1;
    SM_ELEMENT_D(J, 1, 0) = SM_ELEMENT_D(J, 1, 1) = -1;
    return 0;
}

static void sampled_event(double t, const double *x)
{
    double error = (sin(0.5 * t) > 0 ? 1 : 0) - x[0];
    integral += 1e-3 * error;
    control = 0.5 * (error + integral);
}

static void sampled_start(int n, double *x)
{
    (void)n;
    x[0] = x[1] = control = integral = 0;
}

static double sampled_instant(long k)
{
    return 1e-3 * (double)k;
}

/* ---- relay: with hysteresis, on a plant of second order ---- */

static int relay_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now();
    const double *v = N_VGetArrayPointer(x);
    double *d = N_VGetArrayPointer(dx);
    d[0] = v[1];
    d[1] = (on ? 1 : -1) - 4 * v[1];
    in_f += now() - begin;
    return 0;
}

static int relay_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                          N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    SM_ELEMENT_D(J, 0, 1) = 1;
    SM_ELEMENT_D(J, 1, 1) = -4;
    return 0;
}

static int relay_root(double t, N_Vector x, double *z, void *user)
{
    (void)t, (void)user;
    z[0] = N_VGetArrayPointer(x)[0] - (on ? 0.01 : -0.01);
    return 0;
}

static void relay_start(int n, double *x)
{
    (void)n;
    on = 0;
    x[0] = 0.1;
    x[1] = 0;
}

/* ---- pwm: a filter behind a switch ---- */

static double pwm_off;

static int pwm_f(double t, N_Vector x, N_Vector dx, void *user)
{
    (void)t, (void)user;
    double begin = now();
    const double *v = N_VGetArrayPointer(x);
    double *d = N_VGetArrayPointer(dx);
    d[0] = ((on ? 100 : 0) - v[1]) / 1e-3;
    d[1] = (v[0] - v[1] / 10) / 1e-5;
    in_f += now() - begin;
    return 0;
}

static int pwm_jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix J, void *user, N_Vector a,
                        N_Vector b, N_Vector c)
{
    (void)t, (void)x, (void)fx, (void)user, (void)a, (void)b, (void)c;
    SM_ELEMENT_D(J, 0, 1) = -1e3;
    SM_ELEMENT_D(J, 1, 0) = 1e5;
    SM_ELEMENT_D(J, 1, 1) = -1e4;
    return 0;
}

static double pwm_instant(long k)
{
    return k % 2 ? pwm_off : 1e-4 * (double)(k / 2);
}

static void pwm_event(double t, const double *x)
{
    (void)x;
    on = !on;
    if (on)
        pwm_off = t + 1e-4 * (0.5 + 0.4 * sin(100 * t));
}

static void pwm_start(int n, double *x)
{
    (void)n;
    x[0] = x[1] = on = 0;
}

static const Problem problems[] = {
    {"vdp", 1, 2000, vdp_f, vdp_jacobian, 2, 0, vdp_start, NULL, NULL, NULL},
    {"chain", 200, 100, chain_f, chain_jacobian, 2, 7, chain_start, NULL, NULL, NULL},
    {"heat", 1000, 1, heat_f, heat_jacobian, 1, 3, heat_start, NULL, NULL, NULL},
    {"thermostat", 1, 20000, thermostat_f, thermostat_jacobian, 1, 0, thermostat_start,
     thermostat_root, NULL, thermostat_event},
    {"relay", 1, 420000, relay_f, relay_jacobian, 2, 0, relay_start, relay_root, NULL,
     thermostat_event},
    {"sampled", 1, 1000, sampled_f, sampled_jacobian, 2, 0, sampled_start, NULL, sampled_instant,
     sampled_event},
    {"pwm", 1, 50, pwm_f, pwm_jacobian, 2, 0, pwm_start, NULL, pwm_instant, pwm_event},
};

typedef struct Outcome {
    double seconds, value;
    long steps, events;
} Outcome;

static long count_steps(void *cvode)
{
    long steps = 0;
    CVodeGetNumSteps(cvode, &steps);
    return steps;
}

/* To the output point `until`, with the events on the way. */
static int advance(const Problem *p, void *cvode, N_Vector x, double *t, double until, Outcome *o)
{
    static long ticks; /* that have passed */
    int status = 0;
    while (*t < until && status >= 0) {
        double tick = p->instant ? p->instant(ticks + 1) : INFINITY;
        if (p->instant)
            CVodeSetStopTime(cvode, tick);
        status = CVode(cvode, fmin(until, tick), x, t, CV_NORMAL);
        if (status != CV_ROOT_RETURN && *t < tick)
            continue;
        ticks += p->instant != NULL;
        p->event(*t, N_VGetArrayPointer(x));
        o->events++;
        o->steps += count_steps(cvode);
        CVodeReInit(cvode, *t, x);
    }
    return status;
}

static int run(const Problem *p, double tolerance, double stop, Outcome *o)
{
    sunindextype n = (sunindextype)size * p->states_per_item;
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector x = N_VNew_Serial(n, context);
    p->start(size, N_VGetArrayPointer(x));
    void *cvode = CVodeCreate(CV_BDF, context);
    CVodeInit(cvode, p->f, 0, x);
    CVodeSStolerances(cvode, tolerance, tolerance);
    CVodeSetMaxNumSteps(cvode, 10000000);
    SUNMatrix A = p->nonzeros ? SUNSparseMatrix(n, n, n * p->nonzeros, CSC_MAT, context)
                              : SUNDenseMatrix(n, n, context);
    SUNLinearSolver solver =
        p->nonzeros ? SUNLinSol_KLU(x, A, context) : SUNLinSol_Dense(x, A, context);
    CVodeSetLinearSolver(cvode, solver, A);
    CVodeSetJacFn(cvode, p->jacobian);
    if (p->root)
        CVodeRootInit(cvode, 1, p->root);
    double t = 0, begin = now();
    int status = 0;
    if (p->instant)
        p->event(0, N_VGetArrayPointer(x));
    for (int i = 1; i <= 500 && status >= 0; i++)
        status = advance(p, cvode, x, &t, stop * i / 500, o);
    o->seconds = now() - begin;
    o->value = N_VGetArrayPointer(x)[0];
    o->steps += count_steps(cvode);
    CVodeFree(&cvode);
    SUNLinSolFree(solver);
    SUNMatDestroy(A);
    N_VDestroy(x);
    SUNContext_Free(&context);
    return status;
}

int main(int argc, char **argv)
{
    for (size_t i = 0; argc >= 4 && i < sizeof problems / sizeof *problems; i++) {
        if (strcmp(problems[i].name, argv[1]))
            continue;
        size = atoi(argv[2]);
        Outcome o = {0};
        int status =
            run(&problems[i], atof(argv[3]), argc > 4 ? atof(argv[4]) : problems[i].stop, &o);
        printf("%ld %.9f %.9f %.9f %.12g %ld\n", o.steps, o.seconds, in_f, in_jacobian, o.value,
               o.events);
        return status < 0;
    }
    fprintf(stderr, "usage: hand vdp|chain|heat|thermostat|relay|sampled|pwm N TOLERANCE [STOP]\n");
    return 2;
}
