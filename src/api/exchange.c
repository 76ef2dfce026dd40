/* Model exchange on an instance. */
#include "api/exchange.h"

#include "api/instance.h"
#include "sim/exchange.h"

#include <math.h>
#include <stdlib.h>

const char *instance_text(const KairosInstance *i, double value)
{
    return sim_text(i->sim, value);
}

void instance_ignore_events(KairosInstance *i)
{
    i->text.event = NULL;
}

/* ---- sizes ---- */

unsigned instance_n_states(const KairosInstance *i)
{
    return i->m->compilation.plan->states.n;
}

unsigned instance_n_indicators(const KairosInstance *i)
{
    const Dae *d = i->m->compilation.plan->dae;
    unsigned n = 0;
    for (uint32_t k = 0; k < d->relations.n; k++)
        n += !d->relations.at[k].is_time_event;
    return n;
}

/* ---- values ---- */

static void place(void *arg)
{
    KairosInstance *i = arg;
    exchange_place(i->sim, i->request.time, i->request.in);
}

/* Importers place the model for each evaluation. Copies of values need no guard. */
int instance_place(KairosInstance *i, double time, const double *x)
{
    if (i->sim && i->stage == STAGE_RUNNING && !sim_waits(i->sim)) {
        exchange_place(i->sim, time, x);
        return KAIROS_OK;
    }
    return instance_call(i, place, &(Request){.time = time, .in = x});
}

/* False after a message if the model has other states now. */
static bool keeps_states(KairosInstance *i)
{
    if (exchange_keeps_states(i->sim))
        return true;
    diag(i->ctx, (Span){0}, DIAG_U018,
         "the structure of the model changes at time %.9g, and with it the states; derivatives and "
         "model exchange are not possible then; use co-simulation",
         sim_time(i->sim));
    return false;
}

static void check_states(void *arg)
{
    KairosInstance *i = arg;
    i->status = keeps_states(i) ? KAIROS_OK : KAIROS_FAILED;
}

int instance_check_states(KairosInstance *i)
{
    return instance_call(i, check_states, &(Request){0});
}

uint64_t instance_count_searches(const KairosInstance *i)
{
    return i->stats.switch_searches;
}

static void get_states(void *arg)
{
    KairosInstance *i = arg;
    uint32_t n;
    const double *x = exchange_states(i->sim, &n);
    if (keeps_states(i))
        memcpy(i->request.out, x, n * sizeof *x);
    else
        i->status = KAIROS_MODEL_ERROR;
}

int instance_get_states(KairosInstance *i, double *x)
{
    return instance_call(i, get_states, &(Request){.out = x});
}

int instance_get_nominals(KairosInstance *i, double *nominals)
{
    const Plan *plan = i->m->compilation.plan;
    for (uint32_t k = 0; k < plan->states.n; k++)
        nominals[k] = plan->dae->vars.at[plan->states.at[k].var].nominal;
    return KAIROS_OK;
}

static void put_input(void *arg)
{
    KairosInstance *i = arg;
    exchange_put(i->sim, (VarId)i->request.number, i->request.time);
}

int instance_put_input(KairosInstance *i, int variable, double value)
{
    return instance_call(i, put_input, &(Request){.number = variable, .time = value});
}

/* ---- evaluations ---- */

static void judge_evaluation(KairosInstance *i, int status)
{
    if (!status)
        return;
    diag(i->ctx, (Span){0}, DIAG_U018,
         "the equations have no solution at time %.9g, at the states "
         "that were set",
         sim_time(i->sim));
    i->status = KAIROS_MODEL_ERROR;
}

static void get_values(void *arg)
{
    KairosInstance *i = arg;
    const double *v = NULL;
    if (!instance_can_read(i))
        return;
    judge_evaluation(i, exchange_values(i->sim, &v));
    if (v)
        instance_read(i, v);
    else
        i->status = KAIROS_MODEL_ERROR;
}

int instance_get_values(KairosInstance *i, const int *variables, unsigned n, double *values)
{
    return instance_call(i, get_values, &(Request){.variables = variables, .n = n, .out = values});
}

static void get_derivatives(void *arg)
{
    KairosInstance *i = arg;
    judge_evaluation(i, exchange_derivatives(i->sim, i->request.out));
}

int instance_get_derivatives(KairosInstance *i, double *derivatives)
{
    return instance_call(i, get_derivatives, &(Request){.out = derivatives});
}

static void get_indicators(void *arg)
{
    KairosInstance *i = arg;
    judge_evaluation(i, exchange_indicators(i->sim, i->request.out));
}

int instance_get_indicators(KairosInstance *i, double *indicators)
{
    return instance_call(i, get_indicators, &(Request){.out = indicators});
}

static void get_tangent(void *arg)
{
    KairosInstance *i = arg;
    int status = exchange_derivatives(i->sim, i->request.out);
    judge_evaluation(i, status ? status : exchange_tangent(i->sim, i->request.in, i->request.out));
}

int instance_get_tangent(KairosInstance *i, const double *seed, double *sensitivity)
{
    return instance_call(i, get_tangent, &(Request){.in = seed, .out = sensitivity});
}

/* ---- events ---- */

static void get_next_event(void *arg)
{
    KairosInstance *i = arg;
    i->request.time = exchange_next_event(i->sim);
}

double instance_next_event(KairosInstance *i)
{
    int status = instance_call(i, get_next_event, &(Request){0});
    return status == KAIROS_OK ? i->request.time : INFINITY;
}

/* Whether the next scheduled event is at the present instant. Events before it were passed by the
 * importer, which must stop at each; they are handled one at a time. */
static bool is_due_again(const KairosInstance *i)
{
    double t = sim_time(i->sim), next = exchange_next_event(i->sim);
    return next <= t && t - next <= 1e-12 * fmax(1, fabs(t));
}

/* An event may schedule another one for the same instant. */
static void update(void *arg)
{
    enum { MOST = 1000 };
    KairosInstance *i = arg;
    unsigned n = 0;
    bool *restart = &i->request.stop_at_event;
    do {
        instance_judge(i, exchange_event(i->sim, restart));
        if (i->status == KAIROS_OK && !keeps_states(i))
            i->status = KAIROS_FAILED;
    } while (i->status == KAIROS_OK && !sim_terminated(i->sim) && is_due_again(i) && n++ < MOST);
    if (n <= MOST)
        return;
    diag(i->ctx, (Span){0}, DIAG_U018,
         "events at time %.9g do not end: each schedules the next one for the same instant",
         sim_time(i->sim));
    i->status = KAIROS_FAILED;
}

int instance_update(KairosInstance *i, ExchangeEvent *event)
{
    int status = instance_call(i, update, &(Request){0});
    event->restart = status == KAIROS_OK && i->request.stop_at_event;
    event->terminated = kairos_instance_terminated(i);
    event->next = status == KAIROS_OK ? exchange_next_event(i->sim) : INFINITY;
    return status;
}

static void complete(void *arg)
{
    KairosInstance *i = arg;
    instance_judge(i, exchange_complete(i->sim, &i->request.stop_at_event));
}

int instance_complete_step(KairosInstance *i, bool *event, bool *terminated)
{
    int status = instance_call(i, complete, &(Request){0});
    *event = i->request.stop_at_event;
    *terminated = kairos_instance_terminated(i);
    return status;
}
