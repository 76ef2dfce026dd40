/* The model of an FMU that was compiled from its sources: what fmu/interface asks about it. */
#include "fmu/interface/fmu.h"
#include "fmu/source/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

void source_message(KairosModel *m, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    size_t old = m->messages ? strlen(m->messages) : 0, n = strlen(line);
    char *grown = realloc(m->messages, old + n + 2);
    if (!grown)
        return;
    if (old)
        grown[old++] = '\n';
    memcpy(grown + old, line, n + 1);
    m->messages = grown;
}

static char *take_messages(Fmu *f)
{
    char *text = f->model->messages;
    f->model->messages = NULL;
    return text;
}

void kairos_free_text(char *text)
{
    free(text);
}

/* ---- the model ---- */

static bool number_states(Fmu *f)
{
    const SourceTables *t = &source_tables;
    f->n_variables = t->n_variables;
    f->n_states = t->n_states;
    f->state_of = calloc(f->n_variables + 1, sizeof *f->state_of);
    f->derivative_of = calloc(f->n_variables + 1, sizeof *f->derivative_of);
    f->size_of = calloc(f->n_variables + 1, sizeof *f->size_of);
    for (const SourceArray *a = t->arrays; f->size_of && a->n; a++)
        f->size_of[a->first] = a->n;
    for (uint32_t i = 0; i < t->n_relations; i++)
        f->n_indicators += !t->relations[i].scheduled;
    for (uint32_t i = 0; f->state_of && f->derivative_of && i < t->n_states; i++) {
        f->state_of[t->states[i].var] = i + 1;
        f->derivative_of[t->states[i].der] = i + 1;
        f->derivative_of[t->states[i].shown] = i + 1;
    }
    return f->state_of && f->derivative_of && f->size_of;
}

/* The resources are not needed. */
bool fmu_open_model(Fmu *f, const char *token, const char *resources)
{
    (void)resources;
    if (!token || strcmp(token, source_tables.token)) {
        fmu_report(f, FMU_ERROR, "%s: the token '%s' is not that of this model, which is '%s'",
                   f->name, token ? token : "", source_tables.token);
        return false;
    }
    if (f->co_simulation) {
        fmu_report(f, FMU_ERROR, "%s: the sources of the FMU are for model exchange only", f->name);
        return false;
    }
    while (source_tables.clocks[2 * f->n_clocks + 1] > 0)
        f->n_clocks++;
    f->clocks = calloc(2 * (size_t)f->n_clocks + 2, sizeof *f->clocks);
    if (!f->clocks)
        return false;
    memcpy(f->clocks, source_tables.clocks, 2 * (size_t)f->n_clocks * sizeof *f->clocks);
    f->model_start = source_tables.start;
    f->take_messages = take_messages;
    f->model = calloc(1, sizeof *f->model);
    return f->model && number_states(f);
}

void fmu_close_model(Fmu *f)
{
    if (f->model)
        free(f->model->messages);
    free(f->model);
}

FmuVariable fmu_variable(const Fmu *f, unsigned v)
{
    const SourceVariable *x = &source_tables.variables[v];
    (void)f;
    return (FmuVariable){(FmuType)x->type,
                         x->kind == SOURCE_PARAMETER ? FMU_PARAMETER
                         : x->kind == SOURCE_INPUT   ? FMU_INPUT
                                                     : FMU_UNKNOWN,
                         (x->flags & SOURCE_GIVEN) != 0};
}
