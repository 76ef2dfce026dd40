/* Partial derivatives, and derivatives by time. */
#include "fmu/interface/fmu.h"

#include "api/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Central differences have the smallest error for steps of the cube root of the precision. */
static const double STEP = 6e-6;

/* Work for differences: states, and values of the unknowns on both sides. */
typedef struct Differences {
    Fmu *f;
    const unsigned *unknowns, *knowns;
    size_t n_unknowns, n_knowns;
    const double *seed;
    double *x, *moved, *base, *above, *below;
    double time;
} Differences;

static FmuStatus begin(Differences *d)
{
    size_t n = d->f->n_states + 1;
    d->x = calloc(n, sizeof(double));
    d->moved = calloc(n, sizeof(double));
    d->base = calloc(d->n_knowns + 1, sizeof(double));
    d->above = calloc(d->n_unknowns + 1, sizeof(double));
    d->below = calloc(d->n_unknowns + 1, sizeof(double));
    if (!d->x || !d->moved || !d->base || !d->above || !d->below)
        return fmu_no_memory(d->f);
    d->time = kairos_instance_time(d->f->instance);
    FmuStatus status = fmu_get(d->f, d->knowns, d->n_knowns, d->base);
    if (status == FMU_OK)
        status = fmu_result(d->f, instance_get_states(d->f->instance, d->x));
    return status;
}

static void end(Differences *d)
{
    free(d->x);
    free(d->moved);
    free(d->base);
    free(d->above);
    free(d->below);
}

/* ---- exact ---- */

static bool is_exact(const Differences *d)
{
    for (size_t i = 0; i < d->n_unknowns; i++)
        if (d->unknowns[i] >= d->f->n_variables || !d->f->derivative_of[d->unknowns[i]])
            return false;
    for (size_t i = 0; i < d->n_knowns; i++)
        if (!d->f->state_of[d->knowns[i]])
            return false;
    return !(d->f->state & FMU_BEFORE);
}

static FmuStatus exact(Differences *d, double *sensitivity)
{
    memset(d->x, 0, d->f->n_states * sizeof *d->x);
    for (size_t i = 0; i < d->n_knowns; i++)
        d->x[d->f->state_of[d->knowns[i]] - 1] += d->seed[i];
    int result = instance_get_tangent(d->f->instance, d->x, d->moved);
    for (size_t i = 0; i < d->n_unknowns; i++)
        sensitivity[i] = d->moved[d->f->derivative_of[d->unknowns[i]] - 1];
    return result == KAIROS_OK ? FMU_OK : fmu_result(d->f, result);
}

/* ---- by differences ---- */

/* Moves the knowns by h*seed; before the initialization ends they are settings. */
static FmuStatus move(Differences *d, double h)
{
    Fmu *f = d->f;
    FmuStatus status = FMU_OK;
    memcpy(d->moved, d->x, f->n_states * sizeof *d->x);
    for (size_t i = 0; i < d->n_knowns && status == FMU_OK; i++) {
        unsigned v = d->knowns[i];
        double value = d->base[i] + h * d->seed[i];
        if (f->state & FMU_BEFORE)
            status = fmu_set(f, &v, 1, &value);
        else if (f->state_of[v])
            d->moved[f->state_of[v] - 1] = value;
        else
            status = fmu_result(f, instance_put_input(f->instance, (int)v, value));
    }
    if (status == FMU_OK && !(f->state & FMU_BEFORE))
        status = fmu_result(f, instance_place(f->instance, d->time, d->moved));
    return status;
}

/* The largest step for which no known moves by more than STEP of its size. */
static double step_size(const Differences *d)
{
    double h = INFINITY;
    for (size_t i = 0; i < d->n_knowns; i++)
        if (d->seed[i] != 0)
            h = fmin(h, STEP * fmax(fabs(d->base[i]), 1) / fabs(d->seed[i]));
    return isfinite(h) ? h : STEP;
}

static FmuStatus differences(Differences *d, double *sensitivity)
{
    double h = step_size(d);
    FmuStatus status = move(d, h);
    if (status == FMU_OK)
        status = fmu_get(d->f, d->unknowns, d->n_unknowns, d->above);
    if (status == FMU_OK)
        status = move(d, -h);
    if (status == FMU_OK)
        status = fmu_get(d->f, d->unknowns, d->n_unknowns, d->below);
    for (size_t i = 0; i < d->n_unknowns; i++)
        sensitivity[i] = (d->above[i] - d->below[i]) / (2 * h);
    FmuStatus back = move(d, 0);
    return status == FMU_OK ? back : status;
}

static bool can_vary(Fmu *f, const unsigned *knowns, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (knowns[i] >= f->n_variables ||
            (!(f->state & FMU_BEFORE) && !f->state_of[knowns[i]] && !fmu_is_input(f, knowns[i]))) {
            fmu_report(f, FMU_ERROR,
                       "%s: the variable with the value reference %u is no state and no input",
                       f->name, knowns[i]);
            return false;
        }
    return true;
}

/* False after a message. */
static bool has_values(Fmu *f, const double *seed, size_t n_seed, const double *sensitivity,
                       size_t n_sensitivity)
{
    bool good = (seed || !n_seed) && (sensitivity || !n_sensitivity);
    if (!good)
        fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    for (size_t i = 0; i < n_seed && good; i++)
        if (!isfinite(seed[i])) {
            fmu_report(f, FMU_ERROR, "%s: seed %zu is not finite", f->name, i + 1);
            good = false;
        }
    return good;
}

FmuStatus fmu_directional(Fmu *f, const unsigned *unknowns, size_t n_unknowns,
                          const unsigned *knowns, size_t n_knowns, const double *seed,
                          double *sensitivity)
{
    if (!fmu_has_type(f, unknowns, n_unknowns, FMU_REAL) ||
        !fmu_has_type(f, knowns, n_knowns, FMU_REAL) || !can_vary(f, knowns, n_knowns) ||
        !has_values(f, seed, n_knowns, sensitivity, n_unknowns))
        return FMU_ERROR;
    Differences d = {f, unknowns, knowns, n_unknowns, n_knowns, seed, 0, 0, 0, 0, 0, 0};
    FmuStatus status = begin(&d);
    if (status == FMU_OK)
        status = is_exact(&d) ? exact(&d, sensitivity) : differences(&d, sensitivity);
    end(&d);
    return status;
}

/* A directional derivative for each known. */
FmuStatus fmu_adjoint(Fmu *f, const unsigned *unknowns, size_t n_unknowns, const unsigned *knowns,
                      size_t n_knowns, const double *seed, double *sensitivity)
{
    if (!fmu_has_type(f, knowns, n_knowns, FMU_REAL) ||
        !has_values(f, seed, n_unknowns, sensitivity, n_knowns))
        return FMU_ERROR;
    double *column = calloc(n_unknowns + 1, sizeof *column), one = 1;
    FmuStatus status = column ? FMU_OK : fmu_no_memory(f);
    for (size_t k = 0; k < n_knowns && status == FMU_OK; k++) {
        status = fmu_directional(f, unknowns, n_unknowns, &knowns[k], 1, &one, column);
        sensitivity[k] = 0;
        for (size_t i = 0; i < n_unknowns; i++)
            sensitivity[k] += seed[i] * column[i];
    }
    free(column);
    return status;
}

/* ---- by time ---- */

static FmuStatus move_in_time(Differences *d, double h, const double *rates)
{
    for (unsigned i = 0; i < d->f->n_states; i++)
        d->moved[i] = d->x[i] + h * rates[i];
    return fmu_result(d->f, instance_place(d->f->instance, d->time + h, d->moved));
}

static FmuStatus along_time(Differences *d, double *rates, double *values)
{
    double h = STEP * fmax(d->f->step_size, 1e-6 * fmax(1, fabs(d->time)));
    int result = instance_get_derivatives(d->f->instance, rates);
    FmuStatus status = result ? fmu_result(d->f, result) : move_in_time(d, h, rates);
    if (status == FMU_OK)
        status = fmu_get(d->f, d->unknowns, d->n_unknowns, d->above);
    if (status == FMU_OK)
        status = move_in_time(d, -h, rates);
    if (status == FMU_OK)
        status = fmu_get(d->f, d->unknowns, d->n_unknowns, d->below);
    for (size_t i = 0; i < d->n_unknowns; i++)
        values[i] = (d->above[i] - d->below[i]) / (2 * h);
    FmuStatus back = fmu_result(d->f, instance_place(d->f->instance, d->time, d->x));
    return status == FMU_OK ? back : status;
}

FmuStatus fmu_output_derivatives(Fmu *f, const unsigned *variables, size_t n, const int *orders,
                                 double *values)
{
    if (!fmu_has_type(f, variables, n, FMU_REAL))
        return FMU_ERROR;
    for (size_t i = 0; i < n; i++)
        if (!orders || orders[i] != 1)
            return fmu_report(f, FMU_ERROR, "%s: only derivatives of order 1 are available",
                              f->name);
    if (n && !values)
        return fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    Differences d = {.f = f, .unknowns = variables, .n_unknowns = n};
    double *rates = calloc(f->n_states + 1, sizeof *rates);
    FmuStatus status = rates ? begin(&d) : fmu_no_memory(f);
    if (status == FMU_OK)
        status = along_time(&d, rates, values);
    free(rates);
    end(&d);
    return status;
}
