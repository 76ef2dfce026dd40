/* An FMU instance: creation, states by the standard. */
#include "fmu/interface/fmu.h"

#include "api/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the instance of the model ---- */

static FmuStatus apply_settings(Fmu *f)
{
    for (unsigned i = 0; i < f->n_settings; i++) {
        int variable = (int)f->settings[i].variable;
        int result = kairos_set_values(f->instance, &variable, 1, &f->settings[i].value);
        if (result != KAIROS_OK)
            return fmu_result(f, result);
    }
    return FMU_OK;
}

FmuStatus fmu_make_instance(Fmu *f)
{
    kairos_free_instance(f->instance);
    f->initialized = f->changed = false;
    KairosRun run = {.size = sizeof run,
                     .start_time = &f->start,
                     .stop_time = f->stop_defined ? &f->stop : NULL,
                     .tolerance = f->tolerance};
    f->instance = kairos_create_instance(f->model, &run);
    if (f->instance)
        instance_ignore_events(f->instance);
    FmuStatus status = f->instance ? apply_settings(f) : fmu_result(f, KAIROS_USE_ERROR);
    if (status != FMU_OK)
        f->state = FMU_FAILED;
    return status;
}

/* The times of the model's experiment, until the importer gives others. */
static void default_times(Fmu *f)
{
    f->start = f->model_start;
    f->stop = INFINITY;
    f->stop_defined = false;
    f->tolerance = 0;
}

/* ---- creation ---- */

static bool make_tables(Fmu *f)
{
    f->settings = calloc(f->n_variables + 1, sizeof *f->settings);
    f->setting_of = calloc(f->n_variables + 1, sizeof *f->setting_of);
    default_times(f);
    return f->settings && f->setting_of && fmu_make_instance(f) == FMU_OK;
}

static char *copy_of(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

Fmu *fmu_create(const char *name, const char *token, const char *resources, bool co_simulation,
                bool logging, FmuHost host)
{
    Fmu *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->host = host;
    f->co_simulation = co_simulation;
    f->logging = logging;
    f->state = FMU_INSTANTIATED;
    f->name = copy_of(name ? name : "");
    bool named = f->name && f->name[strspn(f->name, " \t\r\n")];
    if (f->name && !named)
        fmu_report(f, FMU_ERROR, "an instance must have a name");
    if (named && fmu_open_model(f, token, resources) && make_tables(f))
        return f;
    fmu_free(f);
    return NULL;
}

void fmu_free(Fmu *f)
{
    if (!f)
        return;
    kairos_free_instance(f->instance);
    fmu_close_model(f);
    free(f->settings);
    free(f->setting_of);
    free(f->size_of);
    free(f->clocks);
    free(f->state_of);
    free(f->derivative_of);
    free(f->name);
    free(f);
}

/* ---- states by the standard ---- */

/* The importer may give other values, such as those of inputs, and try again. */
static FmuStatus withdraw(Fmu *f, FmuState state)
{
    if (kairos_reset_instance(f->instance) != KAIROS_OK)
        return FMU_ERROR;
    f->state = state;
    f->initialized = false;
    return FMU_DISCARD;
}

static FmuStatus initialize(Fmu *f)
{
    FmuState state = f->state;
    int result = kairos_initialize_instance(f->instance);
    if (result == KAIROS_OK && !f->co_simulation)
        result = instance_check_states(f->instance);
    f->initialized = true;
    FmuStatus status = fmu_result(f, result);
    return result == KAIROS_FAILED && state & FMU_BEFORE ? withdraw(f, state) : status;
}

/* Initializes the instance with the present settings, or makes changes take effect. */
FmuStatus fmu_ready(Fmu *f)
{
    bool moves = f->changed && f->co_simulation;
    f->changed = false;
    if (!f->initialized)
        return initialize(f);
    return moves ? fmu_result(f, kairos_advance_instance(f->instance,
                                                         kairos_instance_time(f->instance), 0))
                 : FMU_OK;
}

FmuStatus fmu_set_times(Fmu *f, double start, const double *stop, const double *tolerance)
{
    if (!isfinite(start) || (stop && (!isfinite(*stop) || *stop < start)))
        return fmu_report(f, FMU_ERROR,
                          "%s: start and stop time must be finite, and the stop time not before "
                          "the start time",
                          f->name);
    if (tolerance && !(*tolerance > 0 && *tolerance < 1))
        return fmu_report(f, FMU_ERROR, "%s: the tolerance must lie between 0 and 1", f->name);
    f->start = start;
    f->stop_defined = stop;
    f->stop = stop ? *stop : INFINITY;
    f->tolerance = tolerance ? *tolerance : 0;
    return fmu_make_instance(f);
}

FmuStatus fmu_enter_initialization(Fmu *f)
{
    f->state = FMU_INITIALIZING;
    return FMU_OK;
}

FmuStatus fmu_exit_initialization(Fmu *f, FmuState next)
{
    if (fmu_ready(f) != FMU_OK) {
        f->state = FMU_FAILED;
        return FMU_ERROR;
    }
    f->state = next;
    f->end_of_step = f->time = f->start;
    f->event_due = !f->co_simulation; /* relations may cross right at the start */
    return FMU_OK;
}

FmuStatus fmu_reset(Fmu *f)
{
    f->n_settings = 0;
    memset(f->setting_of, 0, f->n_variables * sizeof *f->setting_of);
    default_times(f);
    FmuStatus status = fmu_make_instance(f);
    f->state = status == FMU_OK ? FMU_INSTANTIATED : FMU_FAILED;
    return status;
}

FmuStatus fmu_terminate(Fmu *f)
{
    f->state = FMU_TERMINATED;
    return FMU_OK;
}
