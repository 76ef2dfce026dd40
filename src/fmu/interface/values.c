/* Values by value reference. */
#include "fmu/interface/fmu.h"

#include "api/exchange.h"

#include <math.h>
#include <stdlib.h>

bool fmu_has_type(Fmu *f, const unsigned *variables, size_t n, FmuType type)
{
    static const char *const names[] = {"Real", "Integer", "Boolean", "String"};
    if (n && !variables) {
        fmu_report(f, FMU_ERROR, "%s: the array of value references is missing", f->name);
        return false;
    }
    unsigned end = f->n_variables + f->n_indicators;
    for (size_t i = 0; i < n; i++) {
        bool indicator = variables[i] >= f->n_variables && variables[i] < end && type == FMU_REAL;
        if (!indicator &&
            (variables[i] >= f->n_variables || fmu_variable(f, variables[i]).type != type)) {
            fmu_report(f, FMU_ERROR, "%s: there is no %s variable with the value reference %u",
                       f->name, names[type], variables[i]);
            return false;
        }
    }
    return true;
}

/* ---- arrays ---- */

static unsigned size_of(const Fmu *f, unsigned v)
{
    return v < f->n_variables && f->size_of[v] ? f->size_of[v] : 1;
}

bool fmu_scalars(Fmu *f, const unsigned *variables, size_t n, FmuScalars *s)
{
    size_t total = 0;
    *s = (FmuScalars){variables, n, NULL};
    for (size_t i = 0; variables && i < n; i++)
        total += size_of(f, variables[i]);
    if (total == n || !variables)
        return true;
    s->own = malloc(total * sizeof *s->own);
    if (!s->own) {
        fmu_no_memory(f);
        return false;
    }
    s->at = s->own;
    s->n = 0;
    for (size_t i = 0; i < n; i++)
        for (unsigned k = 0; k < size_of(f, variables[i]); k++)
            s->own[s->n++] = variables[i] + k;
    return true;
}

/* ---- clocks ---- */

bool fmu_clock_ticks(const Fmu *f, unsigned clock)
{
    double t = f->co_simulation ? kairos_instance_time(f->instance) : f->time;
    double interval = f->clocks[2 * clock + 1];
    double since = t - f->start - f->clocks[2 * clock], ticks = round(since / interval);
    double slack = 1e-9 * interval + 1e-13 * fmax(1, fabs(t));
    return f->state == FMU_EVENT && ticks >= 0 && fabs(since - ticks * interval) <= slack;
}

/* ---- reading ---- */

/* The same as fmu_get when there are indicators among the variables: all are evaluated once. */
static FmuStatus get_with_indicators(Fmu *f, const unsigned *variables, size_t n, double *values)
{
    double *all = calloc(f->n_indicators + 1, sizeof *all);
    FmuStatus status =
        all ? fmu_get_vector(f, FMU_INDICATORS, all, f->n_indicators) : fmu_no_memory(f);
    for (size_t i = 0; i < n && status == FMU_OK; i++)
        if (variables[i] < f->n_variables)
            status = fmu_get(f, &variables[i], 1, &values[i]);
        else
            values[i] = all[variables[i] - f->n_variables];
    free(all);
    return status;
}

FmuStatus fmu_get(Fmu *f, const unsigned *variables, size_t n, double *values)
{
    if (n && !values)
        return fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    if (!n)
        return FMU_OK;
    FmuStatus status = f->state & FMU_ENDED && f->initialized ? FMU_OK : fmu_ready(f);
    if (status != FMU_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        if (variables[i] >= f->n_variables)
            return get_with_indicators(f, variables, n, values);
    bool other_point = f->state & (FMU_BEFORE | FMU_CONTINUOUS); /* may be tried */
    int result = (other_point ? instance_get_values : kairos_get_values)(
        f->instance, (const int *)variables, (unsigned)n, values);
    status = result == KAIROS_OK ? FMU_OK : fmu_result(f, result);
    return result == KAIROS_MODEL_ERROR && other_point ? FMU_DISCARD : status;
}

FmuStatus fmu_get_texts(Fmu *f, const unsigned *variables, size_t n, const char **texts)
{
    if (!fmu_has_type(f, variables, n, FMU_STRING))
        return FMU_ERROR;
    if (n && !texts)
        return fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    FmuStatus status = FMU_OK;
    for (size_t i = 0; i < n && status == FMU_OK; i++) {
        double value = 0;
        status = fmu_get(f, &variables[i], 1, &value);
        texts[i] = status == FMU_OK ? instance_text(f->instance, value) : "";
    }
    return status;
}

FmuStatus fmu_set_texts(Fmu *f, const unsigned *variables, size_t n)
{
    if (!fmu_has_type(f, variables, n, FMU_STRING))
        return FMU_ERROR;
    return n ? fmu_report(f, FMU_ERROR, "%s: String variables are computed and cannot be set",
                          f->name)
             : FMU_OK;
}

/* ---- setting ---- */

/* NULL, or the reason why the variable cannot be set in the present state. */
static const char *why_not(const Fmu *f, unsigned v)
{
    if (v >= f->n_variables)
        return "it is an event indicator";
    FmuVariable x = fmu_variable(f, v);
    if (f->state == FMU_CONTINUOUS && (x.kind != FMU_INPUT || x.type != FMU_REAL))
        return "only continuous inputs can be set between events";
    if (x.kind == FMU_PARAMETER && !x.given)
        return "it is computed, or shapes the model";
    if (f->state & FMU_BEFORE || x.kind == FMU_INPUT)
        return NULL;
    return x.kind == FMU_PARAMETER ? NULL : "only inputs and parameters can be set now";
}

/* Whether the value is the one that the variable has already. */
static bool has_value(Fmu *f, unsigned v, double value)
{
    unsigned at = f->setting_of[v];
    return at && f->settings[at - 1].value == value;
}

static void remember(Fmu *f, unsigned v, double value)
{
    if (!f->setting_of[v])
        f->setting_of[v] = ++f->n_settings;
    f->settings[f->setting_of[v] - 1] = (FmuSetting){v, value};
}

bool fmu_is_input(const Fmu *f, unsigned v)
{
    FmuVariable x = fmu_variable(f, v);
    return x.kind == FMU_INPUT && x.type == FMU_REAL;
}

static FmuStatus set_one(Fmu *f, unsigned v, double value)
{
    int number = (int)v, result = KAIROS_OK;
    if (has_value(f, v, value))
        return FMU_OK;
    if (f->state & FMU_BEFORE && f->initialized)
        result = kairos_reset_instance(f->instance);
    if (f->state & FMU_BEFORE)
        f->initialized = false;
    bool at_once = !f->co_simulation && !(f->state & FMU_BEFORE) && fmu_is_input(f, v);
    if (result == KAIROS_OK)
        result = at_once ? instance_put_input(f->instance, number, value)
                         : kairos_set_values(f->instance, &number, 1, &value);
    if (result != KAIROS_OK)
        return fmu_result(f, result);
    remember(f, v, value);
    f->changed |= !(f->state & FMU_BEFORE) && !at_once;
    f->event_due |= f->changed;
    return FMU_OK;
}

FmuStatus fmu_set(Fmu *f, const unsigned *variables, size_t n, const double *values)
{
    if (n && !values)
        return fmu_report(f, FMU_ERROR, "%s: the array of values is missing", f->name);
    for (size_t i = 0; i < n; i++) {
        const char *why = why_not(f, variables[i]);
        if (!why && !isfinite(values[i]))
            why = "the value is not finite";
        if (why)
            return fmu_report(f, FMU_ERROR,
                              "%s: the variable with the value reference %u cannot be set: %s",
                              f->name, variables[i], why);
    }
    FmuStatus status = FMU_OK;
    for (size_t i = 0; i < n && status == FMU_OK; i++)
        status = set_one(f, variables[i], values[i]);
    return status;
}
