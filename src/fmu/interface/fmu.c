/* An FMU instance: creation, states by the standard. */
#include "fmu/interface/fmu.h"

#include "fmu/resources.h"
#include "api/exchange.h"
#include "api/session.h"
#include "sim/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    FmuStatus status = f->instance ? apply_settings(f) : fmu_result(f, KAIROS_USE_ERROR);
    if (status != FMU_OK)
        f->state = FMU_FAILED;
    return status;
}

/* The times of the model's experiment, until the importer gives others. */
static void default_times(Fmu *f)
{
    const Experiment *e = &f->model->compilation.flat->experiment;
    f->start = isnan(e->start) ? 0 : e->start;
    f->stop = INFINITY;
    f->stop_defined = false;
    f->tolerance = 0;
}

/* ---- creation ---- */

static char *read_model(Fmu *f, const char *resources, size_t *size)
{
    size_t n = strlen(resources);
    const char *slash = n && resources[n - 1] == '/' ? "" : "/";
    char *path = malloc(n + sizeof "/" MODEL_FILE), *text = NULL;
    if (path)
        sprintf(path, "%s%s%s", resources, slash, MODEL_FILE);
    FILE *file = path ? fopen(path, "rb") : NULL;
    long end = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    if (end >= 0 && (text = calloc((size_t)end + 1, 1))) {
        rewind(file);
        *size = fread(text, 1, (size_t)end, file);
    } else {
        fmu_report(f, FMU_ERROR, "%s: the model cannot be read from '%s'", f->name,
                   path ? path : "");
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

static bool check_token(Fmu *f, const char *token, const char *text, size_t size)
{
    char expected[TOKEN_SIZE];
    model_token(text, size, expected);
    bool good = token && !strcmp(token, expected);
    if (!good)
        fmu_report(f, FMU_ERROR,
                   "%s: the token '%s' is not that of this model, which is '%s'; "
                   "modelDescription.xml and the resources belong to different FMUs",
                   f->name, token ? token : "", expected);
    return good;
}

static bool number_states(Fmu *f)
{
    const Plan *plan = f->model->compilation.plan;
    f->state_of = calloc(f->n_variables + 1, sizeof *f->state_of);
    f->derivative_of = calloc(f->n_variables + 1, sizeof *f->derivative_of);
    f->n_states = plan->states.n;
    for (uint32_t i = 0; i < plan->dae->relations.n; i++)
        f->n_indicators += !plan->dae->relations.at[i].is_time_event;
    for (uint32_t i = 0; f->state_of && f->derivative_of && i < f->n_states; i++) {
        VarId var = plan->states.at[i].var, der = plan->dae->vars.at[var].der;
        f->state_of[var] = i + 1;
        f->derivative_of[plan->states.at[i].der] = i + 1;
        if (der != NONE)
            f->derivative_of[der] = i + 1;
    }
    return f->state_of && f->derivative_of;
}

/* Whether an importer can integrate the model; otherwise logs the reason. */
static bool check_exchange(Fmu *f)
{
    const char *why = f->co_simulation ? NULL : exchange_obstacle(f->model->compilation.plan);
    if (why)
        fmu_report(f, FMU_ERROR, "%s: the model has %s; instantiate it for co-simulation", f->name,
                   why);
    return !why;
}

/* Files of libraries are among the resources. */
static const char *find_resource(void *user, const char *uri)
{
    const Fmu *f = user;
    size_t n = strlen(RESOURCE_SCHEME);
    return strncmp(uri, RESOURCE_SCHEME, n)
               ? uri
               : arena_printf(f->session->graph->arena, "%s/" FILES_FOLDER "/%s", f->resources,
                              uri + n);
}

static bool open_session(Fmu *f, const char *resources)
{
    f->session = kairos_open();
    size_t n = strlen(resources) + sizeof "/" OBJECTS_FOLDER;
    f->resources = strdup(resources);
    f->objects = malloc(n);
    if (!f->session || !f->resources || !f->objects) {
        fmu_report(f, FMU_ERROR, "%s: there is not enough memory", f->name);
        return false;
    }
    snprintf(f->objects, n, "%s/" OBJECTS_FOLDER, resources);
    f->session->graph->objects = f->objects;
    f->session->graph->resource = find_resource;
    f->session->graph->resource_user = f;
    return true;
}

static bool compile(Fmu *f, const char *text, size_t size)
{
    KairosCompile how = {.size = sizeof how, .compiler = "tcc"};
    int result = kairos_load_text(f->session, MODEL_FILE, text, size);
    if (result == KAIROS_OK)
        f->model = kairos_compile_model(f->session, NULL, &how);
    if (!f->model) {
        fmu_result(f, KAIROS_MODEL_ERROR);
        return false;
    }
    kairos_clear_messages(f->session); /* warnings about the text were shown at the export */
    f->n_variables = f->model->compilation.plan->dae->vars.n;
    f->settings = calloc(f->n_variables + 1, sizeof *f->settings);
    f->setting_of = calloc(f->n_variables + 1, sizeof *f->setting_of);
    default_times(f);
    return f->settings && f->setting_of && number_states(f) && check_exchange(f) &&
           fmu_make_instance(f) == FMU_OK;
}

static bool load(Fmu *f, const char *token, const char *resources)
{
    size_t size = 0;
    if (!resources) {
        fmu_report(f, FMU_ERROR, "%s: the importer does not say where the resources are", f->name);
        return false;
    }
    char *text = read_model(f, resources, &size);
    bool good = text && check_token(f, token, text, size) && open_session(f, resources) &&
                compile(f, text, size);
    free(text);
    return good;
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
    f->name = strdup(name ? name : "");
    bool named = f->name && f->name[strspn(f->name, " \t\r\n")];
    if (f->name && !named)
        fmu_report(f, FMU_ERROR, "an instance must have a name");
    if (named && load(f, token, resources))
        return f;
    fmu_free(f);
    return NULL;
}

void fmu_free(Fmu *f)
{
    if (!f)
        return;
    kairos_free_instance(f->instance);
    kairos_free_model(f->model);
    kairos_close(f->session);
    free(f->settings);
    free(f->setting_of);
    free(f->state_of);
    free(f->derivative_of);
    free(f->resources);
    free(f->objects);
    free(f->name);
    free(f);
}

/* ---- states by the standard ---- */

/* Initializes the instance with the present settings, or makes changes take effect. */
FmuStatus fmu_ready(Fmu *f)
{
    int result = KAIROS_OK;
    if (!f->initialized) {
        result = kairos_initialize_instance(f->instance);
        if (result == KAIROS_OK && !f->co_simulation)
            result = instance_check_states(f->instance);
    }
    if (f->initialized && f->changed && f->co_simulation)
        result = kairos_advance_instance(f->instance, kairos_instance_time(f->instance), 0);
    bool moved = !f->initialized || (f->changed && f->co_simulation);
    f->initialized = true;
    f->changed = false;
    return moved ? fmu_result(f, result) : FMU_OK;
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
    FmuStatus status = fmu_ready(f);
    if (status != FMU_OK)
        return status;
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
