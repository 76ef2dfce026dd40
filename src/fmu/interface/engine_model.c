/* The model of an FMU whose binary is the engine: flat Modelica among the resources, which is
 * compiled in memory. */
#include "fmu/interface/fmu.h"

#include "api/session.h"
#include "fmu/resources.h"
#include "sim/exchange.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file among the resources, for free; NULL if it cannot be read. */
static char *read_resource(const char *resources, const char *name, size_t *size)
{
    size_t n = strlen(resources);
    const char *slash = n && resources[n - 1] == '/' ? "" : "/";
    char *path = malloc(n + strlen(name) + 2), *text = NULL;
    if (path)
        sprintf(path, "%s%s%s", resources, slash, name);
    FILE *file = path ? fopen(path, "rb") : NULL;
    long end = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    if (end >= 0 && (text = calloc((size_t)end + 1, 1))) {
        rewind(file);
        *size = fread(text, 1, (size_t)end, file);
    }
    if (file)
        fclose(file);
    free(path);
    return text;
}

static char *read_model(Fmu *f, const char *resources, size_t *size)
{
    char *text = read_resource(resources, MODEL_FILE, size);
    if (!text)
        fmu_report(f, FMU_ERROR, "%s: the model cannot be read from '%s'", f->name, resources);
    return text;
}

/* Without the file there are no arrays. */
static bool read_arrays(Fmu *f)
{
    size_t size = 0;
    char *text = read_resource(f->resources, ARRAYS_FILE, &size);
    f->size_of = calloc(f->n_variables + 1, sizeof *f->size_of);
    for (const char *line = text; f->size_of && line && *line;) {
        char *end;
        unsigned long first = strtoul(line, &end, 10), n = strtoul(end, &end, 10);
        if (first < f->n_variables && n <= f->n_variables - first)
            f->size_of[first] = (unsigned)n;
        line = *end == '\n' && n ? end + 1 : "";
    }
    free(text);
    return f->size_of;
}

static bool read_clocks(Fmu *f)
{
    size_t size = 0;
    char *text = read_resource(f->resources, CLOCKS_FILE, &size);
    for (const char *line = text; line && *line;) {
        char *end;
        double start = strtod(line, &end), interval = strtod(end, &end);
        if (!(interval > 0))
            break;
        double *grown = realloc(f->clocks, (2 * (size_t)f->n_clocks + 2) * sizeof *grown);
        if (!grown)
            break;
        f->clocks = grown;
        f->clocks[2 * f->n_clocks] = start;
        f->clocks[2 * f->n_clocks++ + 1] = interval;
        line = end;
    }
    free(text);
    return true;
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

static char *take_messages(Fmu *f)
{
    if (!f->session->ctx->diags.n)
        return NULL;
    char *text = kairos_render_messages(f->session, KAIROS_TEXT);
    kairos_clear_messages(f->session);
    return text;
}

static bool open_session(Fmu *f, const char *resources)
{
    f->session = kairos_open();
    f->take_messages = take_messages;
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
    const Experiment *e = &f->model->compilation.flat->experiment;
    f->model_start = isnan(e->start) ? 0 : e->start;
    return number_states(f) && read_arrays(f) && read_clocks(f) && check_exchange(f);
}

bool fmu_open_model(Fmu *f, const char *token, const char *resources)
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

void fmu_close_model(Fmu *f)
{
    kairos_free_model(f->model);
    kairos_close(f->session);
    free(f->resources);
    free(f->objects);
}

/* ---- variables ---- */

static FmuType type_of(const DaeVar *x)
{
    switch ((DaeType)x->type) {
    case DAE_REAL: return FMU_REAL;
    case DAE_BOOL: return FMU_BOOLEAN;
    case DAE_STRING: return FMU_STRING;
    default: return FMU_INTEGER;
    }
}

FmuVariable fmu_variable(const Fmu *f, unsigned v)
{
    const Dae *d = f->model->compilation.plan->dae;
    const DaeVar *x = &d->vars.at[v];
    const FlatVar *flat = x->flat != NONE ? &d->flat->vars.at[x->flat] : NULL;
    bool given =
        x->alias == NONE && !(flat && (flat->is_final || flat->variability == VARIES_CONSTANT));
    return (FmuVariable){type_of(x),
                         x->kind == DAE_PARAMETER ? FMU_PARAMETER
                         : x->kind == DAE_INPUT   ? FMU_INPUT
                                                  : FMU_UNKNOWN,
                         given};
}
