/* Values and evaluations at a point, and the initialization. */
#include "fmu/source/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t source_holder(uint32_t v, double *sign)
{
    const SourceVariable *vars = source_tables.variables;
    *sign = 1;
    while (vars[v].alias != SOURCE_NONE) {
        *sign *= vars[v].sign;
        v = vars[v].alias;
    }
    return v;
}

/* ---- evaluations ---- */

int source_call(KairosInstance *i, int (*function)(ModelData *m))
{
    runtime_sweep(i->runtime, i->strings, i->n_strings);
    i->data->status = 0;
    int status = function(i->data);
    return status ? status : i->data->status;
}

static void put_states(KairosInstance *i)
{
    i->v[0] = i->time;
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        i->v[i->tables->states[k].var] = i->x[k];
}

void source_get_states(KairosInstance *i)
{
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        i->x[k] = i->v[i->tables->states[k].var];
}

int source_derivatives(KairosInstance *i)
{
    put_states(i);
    i->complete = false;
    int status = source_call(i, kairos_model.derivatives);
    for (uint32_t k = 0; !status && k < i->tables->n_states; k++)
        if (!isfinite(i->v[i->tables->states[k].der]))
            status = MODEL_NOT_FINITE;
    return status;
}

int source_outputs(KairosInstance *i)
{
    int status = source_derivatives(i);
    return status ? status : source_call(i, kairos_model.outputs);
}

int source_indicators(KairosInstance *i, double *z)
{
    int status = source_derivatives(i);
    status = status ? status : source_call(i, kairos_model.guards);
    if (!status) {
        status = kairos_model.indicators(i->data, z);
        status = status ? status : i->data->status;
    }
    for (uint32_t k = 0; !status && k < i->tables->n_relations; k++)
        if (isnan(z[k]))
            status = MODEL_NOT_FINITE;
    return status;
}

void source_failure(KairosInstance *i, int status, const char *doing)
{
    static const char *const reasons[] = {
        [MODEL_NO_CONVERGENCE] = "a system of equations has no solution that can be found",
        [MODEL_SINGULAR] = "a system of equations is singular",
        [MODEL_NOT_FINITE] = "a value is not a finite number",
        [MODEL_NO_MIXED] = "relations and equations do not agree",
        [MODEL_ASSERT] = "an assertion in a function does not hold",
        [MODEL_NO_MEMORY] = "there is not enough memory",
        [MODEL_INTERRUPTED] = "it was interrupted",
        [MODEL_EXTERNAL] = "an external function failed",
    };
    const char *text = status == MODEL_ASSERT ? runtime_failed_text(i->runtime) : NULL;
    bool known = status > 0 && status < (int)(sizeof reasons / sizeof *reasons);
    source_message(i->model, "%s at time %.9g failed: %s", doing, i->time,
                   text    ? text
                   : known ? reasons[status]
                           : "unknown reason");
}

/* ---- start values ---- */

static double start_value(const KairosInstance *i, uint32_t v)
{
    const SourceVariable *x = &i->tables->variables[v];
    if (x->start != SOURCE_NONE) {
        double sign;
        uint32_t start = source_holder(x->start, &sign);
        return sign * i->v[start];
    }
    return fmin(fmax(x->least, x->min), x->max);
}

static void set_guess(KairosInstance *i, uint32_t v)
{
    const SourceVariable *x = &i->tables->variables[v];
    switch ((SourceKind)x->kind) {
    case SOURCE_TIME: i->v[v] = i->start; break;
    case SOURCE_PARAMETER:
        if (x->flags & SOURCE_GUESSED && !i->set[v])
            i->v[v] = start_value(i, v);
        break;
    case SOURCE_CONTINUOUS:
    case SOURCE_DISCRETE: i->v[v] = start_value(i, v); break;
    case SOURCE_INPUT:
        if (!i->set[v])
            i->v[v] = start_value(i, v);
        break;
    case SOURCE_RELATION: i->v[v] = 0; break;
    case SOURCE_INITIAL: i->v[v] = 1; break;
    case SOURCE_PRE: break;
    }
}

static void set_left_limits(KairosInstance *i)
{
    for (uint32_t k = 0; k < i->n_pres; k++) {
        double sign;
        uint32_t base = source_holder(i->tables->variables[i->pres[k]].base, &sign);
        i->v[i->pres[k]] = sign * i->v[base];
    }
}

static void set_guesses(KairosInstance *i)
{
    for (uint32_t v = 0; v < i->tables->n_variables; v++)
        set_guess(i, v);
    set_left_limits(i);
}

/* ---- the initial system ---- */

int source_parameters(KairosInstance *i)
{
    for (uint32_t v = 0; v < i->tables->n_variables; v++) {
        if (i->tables->variables[v].kind == SOURCE_PARAMETER && i->stage == SOURCE_CREATED)
            i->v[v] = i->tables->variables[v].value;
        if (i->set[v])
            i->v[v] = i->given[v];
    }
    int status = source_call(i, kairos_model.parameters);
    runtime_invalidate(i->runtime);
    return status;
}

static int solve(KairosInstance *i)
{
    runtime_relations(i->runtime, NULL, SOURCE_EPSILON, 1);
    runtime_invalidate(i->runtime);
    i->data->event = 1;
    int status = source_call(i, kairos_model.initial);
    i->data->event = 0;
    for (uint32_t k = 0; !status && k < i->tables->n_states; k++)
        if (!isfinite(i->v[i->tables->states[k].var]) || !isfinite(i->v[i->tables->states[k].der]))
            status = MODEL_NOT_FINITE;
    return status;
}

/* From the simplified system (λ = 0) to the actual one (λ = 1), with steps that adapt. */
static int solve_by_homotopy(KairosInstance *i)
{
    uint32_t lambda = i->tables->lambda;
    size_t size = (i->tables->n_variables + 1) * sizeof(double);
    double *last = malloc(size), at = 0, step = 0.1;
    if (!last)
        return MODEL_NO_MEMORY;
    set_guesses(i);
    i->v[lambda] = 0;
    int status = solve(i);
    while (!status && at < 1) {
        memcpy(last, i->v, size - sizeof *last);
        i->v[lambda] = fmin(1, at + step);
        status = solve(i);
        if (!status) {
            at = i->v[lambda];
            step *= 2;
        } else if (step > 1e-4) {
            memcpy(i->v, last, size - sizeof *last);
            step /= 4;
            status = 0;
        }
    }
    free(last);
    return status;
}

static int solve_initial(KairosInstance *i)
{
    bool direct = i->tables->lambda == SOURCE_NONE;
    if (!direct && !solve_by_homotopy(i))
        return 0;
    set_guesses(i);
    return solve(i);
}

/* Actions of `when initial()`; then initial() ends, left limits follow, and the rest is an event
 * like any other. */
static int first_event(KairosInstance *i)
{
    bool changed;
    i->initial = true;
    memset(i->decided, 0, i->tables->n_relations);
    int status = source_act(i, &changed);
    status = status ? status : source_check(i, true);
    if (i->tables->initial != SOURCE_NONE)
        i->v[i->tables->initial] = 0;
    set_left_limits(i);
    status = status ? status : source_call(i, kairos_model.constants);
    status = status ? status : source_settle(i);
    i->initial = false;
    return status;
}

/* The plan left out terms that are zero for the values of the model's parameters. */
static bool keeps_assumptions(KairosInstance *i)
{
    const double *zeros = i->terms + 2 * (size_t)i->tables->n_samples;
    for (uint32_t k = 0; k < i->tables->n_assumptions; k++)
        if (zeros[k] != 0) {
            source_message(i->model, "the values of the parameters change the structure of the "
                                     "equations; export the model with these values");
            i->failed = true;
            return false;
        }
    return true;
}

int source_initialize(KairosInstance *i)
{
    i->time = i->v[0] = i->start;
    int status = source_parameters(i);
    status = status ? status : i->tables->instants(i->data, i->terms);
    if (status || !keeps_assumptions(i))
        return status;
    status = solve_initial(i);
    status = status ? status : source_schedule(i);
    status = status || i->failed ? status : first_event(i);
    source_get_states(i);
    bool restart = false;
    return status || i->failed ? status : source_event(i, &restart);
}
