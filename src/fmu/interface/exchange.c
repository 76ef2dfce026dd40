/* Model exchange: the importer integrates. */
#include "fmu/interface/fmu.h"

#include "api/exchange.h"

#include <math.h>

/* KAIROS_MODEL_ERROR: another point may do. */
static FmuStatus result_of(Fmu *f, int result)
{
    FmuStatus status = result == KAIROS_OK ? FMU_OK : fmu_result(f, result);
    return result == KAIROS_MODEL_ERROR ? FMU_DISCARD : status;
}

FmuStatus fmu_set_time(Fmu *f, double time)
{
    if (!isfinite(time))
        return fmu_report(f, FMU_ERROR, "%s: the time must be finite", f->name);
    if (f->stop_defined && time > f->stop + 1e-9 * fmax(1, fabs(f->stop)))
        return fmu_report(f, FMU_ERROR, "%s: the time %.17g is beyond the stop time %.17g", f->name,
                          time, f->stop);
    if (time < f->end_of_step)
        return fmu_report(f, FMU_ERROR,
                          "%s: time cannot go back to %.17g; the last step or event was at %.17g",
                          f->name, time, f->end_of_step);
    f->time = time;
    return result_of(f, instance_place(f->instance, time, NULL));
}

static FmuStatus check_size(Fmu *f, const void *values, size_t n, unsigned expected)
{
    if (n == expected && (values || !n))
        return FMU_OK;
    return fmu_report(f, FMU_ERROR, "%s: there are %u values, not %zu", f->name, expected,
                      values || !n ? n : (size_t)0);
}

/* x - x is zero only for finite x. Importers place the model for each evaluation. */
static bool are_finite(const double *x, size_t n)
{
    double even = 0, odd = 0;
    for (size_t i = 0; i + 1 < n; i += 2) {
        even += x[i] - x[i];
        odd += x[i + 1] - x[i + 1];
    }
    return even + odd == 0 && (!n || isfinite(x[n - 1]));
}

FmuStatus fmu_set_states(Fmu *f, const double *x, size_t n)
{
    FmuStatus status = check_size(f, x, n, f->n_states);
    bool bad = status == FMU_OK && !are_finite(x, n);
    for (size_t i = 0; i < n && bad && status == FMU_OK; i++)
        if (!isfinite(x[i]))
            status = fmu_report(f, FMU_ERROR, "%s: state %zu is not finite", f->name, i + 1);
    return status == FMU_OK ? result_of(f, instance_place(f->instance, f->time, x)) : status;
}

FmuStatus fmu_get_vector(Fmu *f, FmuVector what, double *values, size_t n)
{
    FmuStatus status =
        check_size(f, values, n, what == FMU_INDICATORS ? f->n_indicators : f->n_states);
    if (status != FMU_OK || !n)
        return status;
    if (what == FMU_NOMINALS)
        return result_of(f, instance_get_nominals(f->instance, values));
    status = fmu_ready(f);
    if (status != FMU_OK)
        return status;
    return result_of(f, what == FMU_STATES        ? instance_get_states(f->instance, values)
                        : what == FMU_DERIVATIVES ? instance_get_derivatives(f->instance, values)
                                                  : instance_get_indicators(f->instance, values));
}

/* The iteration is inside: after one update the discrete states are final. Without an event there
 * is nothing to update; the initialization has handled the event at the start. */
FmuStatus fmu_update(Fmu *f, FmuEvent *event)
{
    ExchangeEvent e = {.next = instance_next_event(f->instance)};
    FmuStatus status = FMU_OK;
    if (f->event_due)
        status = result_of(f, instance_update(f->instance, &e));
    f->event_due = f->changed = false;
    f->end_of_step = f->time;
    *event = (FmuEvent){e.terminated, e.restart, isfinite(e.next), e.next};
    return status;
}

FmuStatus fmu_complete_step(Fmu *f, bool *event, bool *terminated)
{
    *event = *terminated = false;
    FmuStatus status = result_of(f, instance_complete_step(f->instance, event, terminated));
    f->end_of_step = f->time;
    return status;
}
