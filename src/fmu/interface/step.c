/* Co-simulation: communication steps. */
#include "fmu/interface/fmu.h"

#include <math.h>

/* Importers compute their times by adding steps or by k*h: differences of this size are rounding.
 */
static double rounding(double t, double size)
{
    return 1e-9 * fmax(fabs(t), 1) * fmin(1, fmax(size, 1e-3)) + 1e-9 * size;
}

static FmuStatus check(Fmu *f, const FmuStep *step, double *target)
{
    if (!isfinite(step->from) || !isfinite(step->size) || step->size < 0)
        return fmu_report(f, FMU_ERROR,
                          "%s: a step from time %.17g of size %.17g is not possible; times do not "
                          "go back",
                          f->name, step->from, step->size);
    double slack = rounding(step->from, step->size);
    if (fabs(step->from - f->end_of_step) > slack)
        return fmu_report(f, FMU_ERROR,
                          "%s: the step begins at time %.17g, but the last one ended at %.17g",
                          f->name, step->from, f->end_of_step);
    *target = step->from + step->size;
    if (f->stop_defined && *target > f->stop + slack)
        return fmu_report(f, FMU_ERROR,
                          "%s: the step to time %.17g goes beyond the stop time %.17g", f->name,
                          *target, f->stop);
    if (f->stop_defined && *target > f->stop - slack)
        *target = f->stop;
    return FMU_OK;
}

FmuStatus fmu_step(Fmu *f, FmuStep *step)
{
    double target = 0, now = kairos_instance_time(f->instance);
    FmuStatus status = check(f, step, &target);
    step->reached = now;
    step->event = step->terminated = step->early = false;
    if (status != FMU_OK)
        return status;
    uint64_t events = kairos_count_events(f->instance);
    f->changed = false;
    f->step_size = step->size;
    int result = kairos_advance_instance(f->instance, fmax(target, now), step->stop_at_event);
    if (result == KAIROS_INTERRUPTED)
        result = KAIROS_FAILED;
    status = fmu_result(f, result);
    step->reached = kairos_instance_time(f->instance);
    step->event = kairos_count_events(f->instance) > events;
    step->terminated = kairos_instance_terminated(f->instance);
    step->early = step->reached < target - rounding(target, step->size);
    f->end_of_step = step->early ? step->reached : target;
    return status;
}
