/* The functions of kairos.h and api/exchange.h that fmu/interface calls, for an instance that is
 * made of tables and generated code. */
#include "fmu/source/source.h"

#include "api/exchange.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation ---- */

static void *array_of(size_t n, size_t size)
{
    return calloc(n + 1, size);
}

static bool make_lists(KairosInstance *i)
{
    const SourceTables *t = i->tables;
    i->strings = array_of(t->n_variables, sizeof *i->strings);
    i->pres = array_of(t->n_variables, sizeof *i->pres);
    i->bounds = array_of(t->n_variables, sizeof *i->bounds);
    if (!i->strings || !i->pres || !i->bounds)
        return false;
    for (uint32_t v = 0; v < t->n_variables; v++) {
        const SourceVariable *x = &t->variables[v];
        i->bounds[v] = (RuntimeVar){x->nominal, x->min, x->max};
        if (x->type == 3)
            i->strings[i->n_strings++] = v;
        if (x->kind == SOURCE_PRE && x->alias == SOURCE_NONE)
            i->pres[i->n_pres++] = v;
    }
    return true;
}

/* In a run shorter than a second, the times that scheduled relations compare are shorter too. */
static void set_scales(KairosInstance *i)
{
    double last = isfinite(i->stop) ? fmax(fabs(i->start), fabs(i->stop)) : 1;
    for (uint32_t k = 0; k < i->tables->n_relations; k++) {
        const SourceRelation *r = &i->tables->relations[k];
        i->scales[k].scale = r->scheduled && last > 0 && last < 1 ? r->scale * last : r->scale;
        i->decided_at[k] = NAN;
    }
}

static bool make_arrays(KairosInstance *i)
{
    const SourceTables *t = i->tables;
    i->set = array_of(t->n_variables, 1);
    i->given = array_of(t->n_variables, sizeof(double));
    i->x = array_of(t->n_states, sizeof(double));
    i->motion = array_of(2 * (size_t)t->n_states, sizeof(double));
    i->kept = array_of(kairos_model.n_vars, sizeof(double));
    i->scales = array_of(t->n_relations, sizeof *i->scales);
    i->z = array_of(t->n_relations, sizeof(double));
    i->z_after = array_of(t->n_relations, sizeof(double));
    i->decided = array_of(t->n_relations, 1);
    i->decided_z = array_of(t->n_relations, sizeof(double));
    i->decided_at = array_of(t->n_relations, sizeof(double));
    i->instants = array_of(t->n_relations, sizeof(double));
    i->guard = array_of(t->n_actions, sizeof(double));
    i->action = array_of(t->n_actions, sizeof(double));
    i->warned = array_of(t->n_actions, 1);
    i->clocks = array_of(t->n_samples, sizeof *i->clocks);
    i->terms = array_of(2 * (size_t)t->n_samples + t->n_assumptions, sizeof(double));
    return i->set && i->given && i->x && i->motion && i->kept && i->scales && i->z && i->z_after &&
           i->decided && i->decided_z && i->decided_at && i->instants && i->guard && i->action &&
           i->warned && i->clocks && i->terms;
}

static bool make_runtime(KairosInstance *i)
{
    set_scales(i);
    i->runtime =
        runtime_new(&kairos_model, i->bounds, i->scales, i->tables->n_relations, i->tolerance);
    if (!i->runtime)
        return false;
    i->data = runtime_data(i->runtime);
    i->v = i->data->v;
    i->data->set = i->set;
    runtime_decided_at(i->runtime, i->decided_at);
    return true;
}

KairosInstance *kairos_create_instance(KairosModel *m, const KairosRun *run)
{
    KairosInstance *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->model = m;
    i->tables = &source_tables;
    i->start = run->start_time ? *run->start_time : source_tables.start;
    i->stop = run->stop_time ? *run->stop_time : INFINITY;
    i->tolerance = run->tolerance > 0 ? run->tolerance : source_tables.tolerance;
    i->time = i->start;
    if (make_lists(i) && make_arrays(i) && make_runtime(i))
        return i;
    kairos_free_instance(i);
    source_message(m, "there is not enough memory");
    return NULL;
}

void kairos_free_instance(KairosInstance *i)
{
    if (!i)
        return;
    runtime_free(i->runtime);
    void *const parts[] = {i->set,      i->given,     i->x,          i->scales, i->z,
                           i->decided,  i->decided_z, i->decided_at, i->guard,  i->action,
                           i->warned,   i->clocks,    i->terms,      i->pres,   i->strings,
                           i->instants, i->bounds,    i->z_after,    i->motion, i->kept};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(i);
}

int kairos_reset_instance(KairosInstance *i)
{
    runtime_free(i->runtime);
    if (!make_runtime(i))
        return KAIROS_FAILED;
    memset(i->warned, 0, i->tables->n_actions);
    i->stage = SOURCE_CREATED;
    i->time = i->start;
    i->complete = i->terminated = i->failed = i->reset = false;
    return KAIROS_OK;
}

/* ---- time ---- */

static int judge(KairosInstance *i, int status, const char *doing)
{
    if (status)
        source_failure(i, status, doing);
    if (!status && !i->failed)
        return KAIROS_OK;
    i->stage = SOURCE_FAILED;
    return KAIROS_FAILED;
}

int kairos_initialize_instance(KairosInstance *i)
{
    int status = source_initialize(i);
    i->stage = SOURCE_RUNNING;
    return judge(i, status, "initialization");
}

/* Sources are for model exchange: nothing here integrates. */
int kairos_advance_instance(KairosInstance *i, double time, int stop_at_event)
{
    (void)time;
    (void)stop_at_event;
    source_message(i->model, "the sources of the FMU have no solver");
    return KAIROS_USE_ERROR;
}

double kairos_instance_time(const KairosInstance *i)
{
    return i->time;
}

int kairos_instance_terminated(const KairosInstance *i)
{
    return i->terminated;
}

uint64_t kairos_count_events(const KairosInstance *i)
{
    (void)i;
    return 0;
}

/* ---- values ---- */

/* A ModelStatus. */
static int get_values(KairosInstance *i, const int *variables, unsigned n, double *values)
{
    int status = i->complete ? 0 : source_outputs(i);
    i->complete = !status;
    for (unsigned k = 0; k < n && !status; k++) {
        double sign;
        uint32_t holder = source_holder((uint32_t)variables[k], &sign);
        values[k] = sign * i->v[holder];
        status = isfinite(values[k]) ? 0 : MODEL_NOT_FINITE;
    }
    return status;
}

static bool can_read(KairosInstance *i)
{
    if (i->stage != SOURCE_RUNNING)
        source_message(i->model, "values can be read once the instance has been initialized, until "
                                 "it fails");
    return i->stage == SOURCE_RUNNING;
}

int kairos_get_values(KairosInstance *i, const int *variables, unsigned n, double *values)
{
    if (!can_read(i))
        return KAIROS_USE_ERROR;
    return judge(i, get_values(i, variables, n, values), "the evaluation");
}

/* The parameter or input that takes the value; SOURCE_NONE: there is none. */
static uint32_t target_of(const KairosInstance *i, uint32_t v, double *sign)
{
    uint32_t holder = source_holder(v, sign);
    const SourceVariable *x = &i->tables->variables[holder];
    if (x->kind == SOURCE_PARAMETER || x->kind == SOURCE_INPUT)
        return holder;
    return i->stage == SOURCE_CREATED ? x->start : SOURCE_NONE;
}

int kairos_set_values(KairosInstance *i, const int *variables, unsigned n, const double *values)
{
    for (unsigned k = 0; k < n; k++) {
        double sign;
        uint32_t target = target_of(i, (uint32_t)variables[k], &sign);
        if (target == SOURCE_NONE) {
            source_message(i->model, "variable %d cannot be set: it is computed from others",
                           variables[k]);
            return KAIROS_USE_ERROR;
        }
        i->set[target] = 1;
        i->given[target] = sign * values[k];
        i->reset = true;
        if (i->stage != SOURCE_CREATED && i->tables->variables[target].kind == SOURCE_INPUT)
            i->v[target] = i->given[target];
        i->complete = false;
    }
    return KAIROS_OK;
}

/* ---- saved states ---- */

static void snapshot(KairosInstance *i, Snapshot *p)
{
    const SourceTables *t = i->tables;
    snapshot_expect(p, t->n_variables);
    snapshot_value(p, i->time);
    snapshot_value(p, i->terminated);
    snapshot_value(p, i->reset);
    snapshot_array(p, i->v, t->n_variables);
    snapshot_array(p, i->set, t->n_variables);
    snapshot_array(p, i->given, t->n_variables);
    snapshot_array(p, i->x, t->n_states);
    snapshot_array(p, i->clocks, t->n_samples);
    snapshot_array(p, i->instants, t->n_relations);
    snapshot_array(p, i->z_after, t->n_relations);
    snapshot_array(p, i->warned, t->n_actions);
    runtime_snapshot(i->runtime, p);
}

typedef struct Copying {
    KairosInstance *i;
    Snapshot p;
} Copying;

static void copy_state(void *arg)
{
    Copying *c = arg;
    snapshot(c->i, &c->p);
}

void *kairos_save_state(KairosInstance *i, size_t *size)
{
    Copying c = {.i = i};
    *size = 0;
    if (!memory_guard(copy_state, &c)) {
        source_message(i->model, "there is not enough memory");
        return NULL;
    }
    *size = c.p.n;
    return c.p.at;
}

void kairos_free_state(void *state)
{
    memory_free(state);
}

int kairos_restore_state(KairosInstance *i, const void *state, size_t size)
{
    Copying c = {.i = i, .p = {.reading = true, .at = (uint8_t *)(uintptr_t)state, .n = size}};
    if (kairos_reset_instance(i) != KAIROS_OK)
        return KAIROS_FAILED;
    i->stage = SOURCE_RUNNING;
    if (memory_guard(copy_state, &c) && !c.p.bad)
        return KAIROS_OK;
    source_message(i->model, "the state is damaged");
    i->stage = SOURCE_FAILED;
    return KAIROS_FAILED;
}

/* ---- model exchange ---- */

const char *instance_text(const KairosInstance *i, double value)
{
    return runtime_text(i->runtime, value);
}

/* Sources make no texts of events. */
void instance_ignore_events(KairosInstance *i)
{
    (void)i;
}

int instance_place(KairosInstance *i, double time, const double *x)
{
    i->time = time;
    i->complete = false;
    if (x)
        memcpy(i->x, x, i->tables->n_states * sizeof *x);
    return KAIROS_OK;
}

int instance_check_states(KairosInstance *i)
{
    (void)i;
    return KAIROS_OK;
}

int instance_get_states(KairosInstance *i, double *x)
{
    memcpy(x, i->x, i->tables->n_states * sizeof *x);
    return KAIROS_OK;
}

int instance_get_nominals(KairosInstance *i, double *nominals)
{
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        nominals[k] = i->tables->variables[i->tables->states[k].var].nominal;
    return KAIROS_OK;
}

int instance_put_input(KairosInstance *i, int variable, double value)
{
    double sign;
    uint32_t holder = source_holder((uint32_t)variable, &sign);
    i->v[holder] = i->given[holder] = sign * value;
    i->set[holder] = 1;
    i->complete = false;
    return KAIROS_OK;
}

/* The caller may try another point. */
static int judge_evaluation(KairosInstance *i, int status)
{
    if (status)
        source_failure(i, status, "the evaluation");
    return status ? KAIROS_MODEL_ERROR : KAIROS_OK;
}

int instance_get_values(KairosInstance *i, const int *variables, unsigned n, double *values)
{
    if (!can_read(i))
        return KAIROS_USE_ERROR;
    return judge_evaluation(i, get_values(i, variables, n, values));
}

int instance_get_derivatives(KairosInstance *i, double *derivatives)
{
    int status = source_derivatives(i);
    for (uint32_t k = 0; !status && k < i->tables->n_states; k++)
        derivatives[k] = i->v[i->tables->states[k].der];
    return judge_evaluation(i, status);
}

int instance_get_indicators(KairosInstance *i, double *indicators)
{
    int status = source_indicators(i, i->z);
    for (uint32_t k = 0; !status && k < i->tables->n_relations; k++)
        if (!i->tables->relations[k].scheduled)
            *indicators++ = source_shifted(i, k, i->z[k]);
    return judge_evaluation(i, status);
}

int instance_get_tangent(KairosInstance *i, const double *seed, double *sensitivity)
{
    const SourceState *states = i->tables->states;
    double *dv = i->data->dv;
    int status = source_derivatives(i);
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        dv[states[k].var] = seed[k];
    status = status ? status : source_call(i, kairos_model.tangent);
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        sensitivity[k] = dv[states[k].der];
    for (uint32_t k = 0; k < i->tables->n_states; k++)
        dv[states[k].var] = 0;
    return judge_evaluation(i, status);
}

double instance_next_event(KairosInstance *i)
{
    return source_next_event(i);
}

int instance_update(KairosInstance *i, ExchangeEvent *event)
{
    event->restart = false;
    int status = judge(i, source_event(i, &event->restart), "the event");
    event->terminated = i->terminated;
    event->next = source_next_event(i);
    return status;
}

int instance_complete_step(KairosInstance *i, bool *event, bool *terminated)
{
    int status = source_outputs(i);
    status = status ? status : source_check(i, false);
    runtime_accept(i->runtime);
    *event = false;
    *terminated = i->terminated;
    return judge(i, status, "the step");
}
