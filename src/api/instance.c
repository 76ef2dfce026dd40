/* Instances: a model that its caller advances, sets, reads, saves and restores. */
#include "api/instance.h"

#include "api/model_fit.h"
#include "api/state_header.h"
#include "base/clock.h"

#include <math.h>

static const Dae *dae_of(const KairosInstance *i)
{
    return i->m->compilation.plan->dae;
}

/* ---- calls ---- */

#define REJECT(i, ...)                                                                             \
    do {                                                                                           \
        diag((i)->ctx, (Span){0}, DIAG_U018, __VA_ARGS__);                                         \
        (i)->status = KAIROS_USE_ERROR;                                                            \
        return;                                                                                    \
    } while (0)

static void give_messages(void *arg)
{
    KairosInstance *i = arg;
    CONTEXT_HOLD(i->m->session->ctx);
    context_give(i->ctx);
}

static void act(void *arg)
{
    KairosInstance *i = arg;
    i->ended = false;
    bool settled =
        i->request.keeps_saved || !i->sim || i->stage != STAGE_RUNNING || sim_settle(i->sim);
    if (settled)
        i->action(i);
    else
        instance_judge(i, false);
    i->ended = true;
}

int instance_call(KairosInstance *i, void (*action)(void *arg), const Request *request)
{
    Kairos *k = i->m->session;
    if (k->runs++ == 0)
        *k->ctx->interrupt = 0;
    pthread_rwlock_rdlock(&k->models);
    i->request = *request;
    i->action = action;
    i->status = KAIROS_OK;
    int status = session_guard(k, act, i, &i->status), given = KAIROS_OK;
    if (!i->ended)
        i->sim = NULL;
    if (i->ctx && i->ctx->diags.n)
        given = session_guard(k, give_messages, i, &given);
    pthread_rwlock_unlock(&k->models);
    k->runs--;
    if (status == KAIROS_FAILED)
        i->stage = STAGE_FAILED;
    return status == KAIROS_OK ? given : status;
}

static int status_of(const KairosInstance *i)
{
    switch (sim_status(i->sim)) {
    case SIM_DONE: return KAIROS_OK;
    case SIM_INTERRUPTED: return KAIROS_INTERRUPTED;
    case SIM_BAD_SETTING: return KAIROS_USE_ERROR;
    default: return KAIROS_FAILED;
    }
}

void instance_judge(KairosInstance *i, bool going)
{
    i->status = going || sim_terminated(i->sim) ? KAIROS_OK : status_of(i);
    if (i->status != KAIROS_OK)
        i->stage = STAGE_FAILED;
}

/* ---- creation ---- */

static void keep_event(void *user, const char *line)
{
    KairosInstance *i = user;
    size_t n = strlen(line) + 1;
    char *copy = memory_alloc(n);
    memory_free(i->event);
    i->event = memcpy(copy, line, n);
    if (i->on_event)
        i->on_event(i->user, line);
}

static void pass_log(void *user, const char *text)
{
    const KairosInstance *i = user;
    if (i->on_log)
        i->on_log(i->user, text);
}

static void pass_progress(void *user, double time, uint64_t steps, uint64_t events)
{
    const KairosInstance *i = user;
    i->on_progress(i->user, time, steps, events);
}

static const ModelCode *poll_code(void *user, double done)
{
    const KairosInstance *i = user;
    return tier_poll(i->m->compilation.code_tier, clock_now() - i->created, done);
}

static bool take_row(void *user, const double *v)
{
    KairosInstance *i = user;
    return row_feed_give(&i->feed, v);
}

/* False after a message. */
static bool open_rows(KairosInstance *i, const KairosRun *how)
{
    i->options.endless = how->on_row && how->output_step > 0;
    i->options.output_step = i->options.endless ? how->output_step : 0;
    if (!how->on_row)
        return true;
    i->columns = columns_new(i->ctx, i->m->compilation.plan, how->variables, how->hide_protected);
    if (i->columns)
        row_feed_open(&i->feed, i->columns, how);
    return i->columns;
}

static void open_sim(KairosInstance *i)
{
    const Compilation *c = &i->m->compilation;
    i->tier = (SimTier){i, poll_code};
    i->replan_for = (ReplanFor){&i->m->compilation, i->ctx};
    i->replan = replan_of(&i->replan_for);
    i->text = (SimText){.user = i,
                        .log = pass_log,
                        .event = keep_event,
                        .progress = i->on_progress ? pass_progress : NULL};
    i->sink = i->columns ? (ResultSink){i, take_row, columns_need(i->columns, c->plan)}
                         : (ResultSink){.needs = ROW_TIME};
    i->options.tier = &i->tier;
    i->options.replan = &i->replan;
    i->options.sets = i->settings.sets.at;
    i->options.n_sets = i->settings.sets.n;
    i->state_of =
        (StateOf){.name = kairos_model_name(i->m), .plan = c->plan, .options = &i->options};
    i->created = clock_now();
    i->sim = sim_open(i->ctx, c->plan, tier_code(c->code_tier), &i->options, &i->sink, &i->text,
                      &i->stats);
    i->status = i->sim ? KAIROS_OK : KAIROS_USE_ERROR;
}

/* Copies the texts of the options, so that they outlive those of the caller. */
static void keep_texts(KairosInstance *i)
{
    SimOptions *o = &i->options;
    o->solver = arena_copy(i->arena, o->solver, strlen(o->solver));
    const char **inlined = ARENA_ARRAY(i->arena, const char *, o->n_inlined + (size_t)1);
    for (uint32_t k = 0; k < o->n_inlined; k++)
        inlined[k] = arena_copy(i->arena, o->inlined[k], strlen(o->inlined[k]));
    o->inlined = inlined;
}

static void create(void *arg)
{
    KairosInstance *i = arg;
    const KairosRun *how = i->request.given;
    i->status = KAIROS_USE_ERROR;
    i->ctx = context_fork(i->m->session->ctx);
    i->arena = arena_new();
    i->on_event = how->on_event;
    i->on_log = how->on_log;
    i->on_progress = how->on_progress;
    i->user = how->user;
    i->limit = how->stop_time ? *how->stop_time : INFINITY;
    CONTEXT_HOLD(i->ctx);
    if (!options_of_run(i->ctx, i->m, how, &i->options) ||
        !settings_resolve(i->ctx, dae_of(i), how->settings, how->n_settings, &i->settings))
        return;
    i->options.intervals = 0;
    i->options.points = POINTS_GRID;
    i->options.warn_coarse = false;
    i->options.goes_beyond = true;
    i->options.beyond = i->limit;
    if (!open_rows(i, how))
        return;
    keep_texts(i);
    open_sim(i);
}

static void create_like(void *arg)
{
    KairosInstance *i = arg;
    const KairosInstance *from = i->request.from;
    i->ctx = context_fork(i->m->session->ctx);
    i->arena = arena_new();
    i->on_event = from->on_event;
    i->on_log = from->on_log;
    i->on_progress = from->on_progress;
    i->user = from->user;
    i->limit = from->limit;
    i->options = from->options;
    i->options.endless = false;
    i->options.output_step = 0;
    for (uint32_t k = 0; k < from->settings.sets.n; k++)
        vec_push(&i->settings.sets, from->settings.sets.at[k]);
    CONTEXT_HOLD(i->ctx);
    keep_texts(i);
    open_sim(i);
}

typedef struct Creation {
    KairosModel *m;
    KairosInstance *made;
    const KairosRun *given;
    KairosRun copy;
    int status;
} Creation;

static void allocate(void *arg)
{
    Creation *x = arg;
    x->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(x->m->session, KairosRun, x->given, &x->copy))
        return;
    x->made = memory_alloc(sizeof *x->made);
    x->made->m = x->m;
    x->status = KAIROS_OK;
}

/* Fits the model to the run before it counts this instance. */
KairosInstance *kairos_create_instance(KairosModel *m, const KairosRun *run)
{
    Kairos *k = m->session;
    Creation x = {.m = m, .given = run};
    if (session_guard(k, allocate, &x, &x.status) != KAIROS_OK)
        return NULL;
    ModelFit fit = {.m = m, .how = &x.copy};
    int status = model_enter(&fit);
    m->n_instances++;
    pthread_rwlock_unlock(&k->models);
    arena_free(fit.arena);
    if (status == KAIROS_OK)
        status = instance_call(x.made, create, &(Request){.given = &x.copy});
    if (status == KAIROS_OK)
        return x.made;
    kairos_free_instance(x.made);
    return NULL;
}

static void close_sim(void *arg)
{
    KairosInstance *i = arg;
    if (i->sim)
        sim_close(i->sim);
    i->sim = NULL;
}

static void leave_session(KairosInstance *i)
{
    CONTEXT_HOLD(i->m->session->ctx);
    context_join(i->ctx);
}

void kairos_free_instance(KairosInstance *i)
{
    if (!i)
        return;
    instance_call(i, close_sim, &(Request){.keeps_saved = true});
    if (i->ctx)
        leave_session(i);
    settings_free(&i->settings);
    row_feed_close(&i->feed);
    columns_free(i->columns);
    arena_free(i->arena);
    map_free(&i->names);
    map_free(&i->set_of);
    memory_free(i->event);
    i->m->n_instances--;
    memory_free(i);
}

/* ---- variables ---- */

/* A name that is not empty; NULL if the variable has none. */
static const char *name_of_variable(const Dae *d, VarId v, Arena *arena)
{
    const DaeVar *x = &d->vars.at[v];
    bool named = x->flat != NONE && !x->hidden && x->kind != DAE_PRE;
    return !v ? "time" : named ? dae_var_name(d, v, arena) : NULL;
}

/* The key of a name in i->names; `turn` distinguishes names of the same hash. */
static uint64_t name_key(const char *name, uint64_t turn)
{
    uint64_t hash = 14695981039346656037u + turn;
    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 1099511628211u;
    return hash >> 1; /* ~0 is no key */
}

static void index_names(KairosInstance *i)
{
    const Dae *d = dae_of(i);
    Arena *scratch = arena_new();
    for (VarId v = 0; v < d->vars.n; v++, arena_reset(scratch)) {
        const char *name = name_of_variable(d, v, scratch);
        uint64_t turn = 0;
        while (name && map_get(&i->names, name_key(name, turn)) != MAP_NONE)
            turn++;
        if (name)
            map_put(&i->names, name_key(name, turn), v);
    }
    arena_free(scratch);
}

static void find(void *arg)
{
    KairosInstance *i = arg;
    const char *wanted = i->request.name;
    CONTEXT_HOLD(i->ctx);
    if (!i->names.n)
        index_names(i);
    Arena *scratch = arena_new();
    i->request.number = -1;
    for (uint64_t turn = 0; i->request.number < 0; turn++) {
        VarId v = map_get(&i->names, name_key(wanted, turn));
        if (v == MAP_NONE)
            break;
        if (!strcmp(name_of_variable(dae_of(i), v, scratch), wanted))
            i->request.number = (int)v;
    }
    arena_free(scratch);
}

int kairos_find_variable(KairosInstance *i, const char *name)
{
    Request q = {.name = name, .keeps_saved = true};
    return instance_call(i, find, &q) == KAIROS_OK ? i->request.number : -1;
}

/* The variable that holds the value, up to its sign. */
static VarId holder(const Dae *d, VarId v, double *sign)
{
    bool negative = false;
    VarId var = dae_representative(d, v, &negative);
    *sign = negative ? -1 : 1;
    return var;
}

static bool is_number(const KairosInstance *i, int variable)
{
    return variable >= 0 && (uint32_t)variable < dae_of(i)->vars.n;
}

bool instance_can_read(KairosInstance *i)
{
    const Request *q = &i->request;
    unsigned k = 0;
    while (k < q->n && is_number(i, q->variables[k]))
        k++;
    if (i->stage == STAGE_RUNNING && k == q->n)
        return true;
    i->status = KAIROS_USE_ERROR;
    if (i->stage != STAGE_RUNNING)
        diag(i->ctx, (Span){0}, DIAG_U018,
             "values can be read once the instance has been initialized, until it fails");
    else
        diag(i->ctx, (Span){0}, DIAG_U018, "there is no variable with the number %d",
             q->variables[k]);
    return false;
}

void instance_read(KairosInstance *i, const double *v)
{
    const Request *q = &i->request;
    for (unsigned k = 0; k < q->n; k++) {
        double sign;
        VarId var = holder(dae_of(i), (VarId)q->variables[k], &sign);
        q->out[k] = sign * v[var];
    }
}

static void get(void *arg)
{
    KairosInstance *i = arg;
    if (!instance_can_read(i))
        return;
    const double *v = sim_read(i->sim);
    if (v)
        instance_read(i, v);
    else
        instance_judge(i, false);
}

int kairos_get_values(KairosInstance *i, const int *variables, unsigned n, double *values)
{
    return instance_call(i, get, &(Request){.variables = variables, .n = n, .out = values});
}

/* The parameter or input that holds the value before the initialization; NONE: there is none. */
static VarId target_before(const Dae *d, VarId v, double *sign)
{
    VarId var = holder(d, v, sign);
    const DaeVar *x = &d->vars.at[var];
    if (x->kind == DAE_PARAMETER || x->kind == DAE_INPUT)
        return var;
    return x->start;
}

static VarId target_after(const Dae *d, VarId v, double *sign)
{
    VarId var = holder(d, v, sign);
    const DaeVar *x = &d->vars.at[var];
    bool state = x->kind == DAE_CONTINUOUS && x->der != NONE;
    return state || x->kind == DAE_PARAMETER || x->kind == DAE_DISCRETE || x->kind == DAE_INPUT
               ? var
               : NONE;
}

static VarId target_of(const KairosInstance *i, VarId v, double *sign)
{
    return i->stage == STAGE_CREATED ? target_before(dae_of(i), v, sign)
                                     : target_after(dae_of(i), v, sign);
}

static void put_set(KairosInstance *i, VarId var, double value)
{
    Settings *s = &i->settings;
    for (; i->n_set_known < s->sets.n; i->n_set_known++)
        map_put(&i->set_of, s->sets.at[i->n_set_known].var, i->n_set_known);
    uint32_t k = map_get(&i->set_of, var);
    if (k != MAP_NONE)
        s->sets.at[k].value = value;
    else
        vec_push(&s->sets, ((SimSet){var, value}));
    i->options.sets = s->sets.at;
    i->options.n_sets = s->sets.n;
}

static bool can_take(KairosInstance *i, int variable, double value, const char **why)
{
    const Dae *d = dae_of(i);
    double sign;
    *why = NULL;
    if (!is_number(i, variable) || variable == 0)
        *why = "there is no such variable";
    else if (!isfinite(value))
        *why = "the value is not finite";
    else if (d->vars.at[variable].type != DAE_REAL && value != floor(value))
        *why = "the value must be a whole number";
    else if (d->vars.at[variable].type == DAE_STRING)
        *why = "it is a text";
    else if (!settings_is_literal(d, &d->vars.at[variable], value))
        *why = "its enumeration has no literal with this number";
    else if (target_of(i, (VarId)variable, &sign) == NONE)
        *why = i->stage == STAGE_CREATED ? "it has no start value; it is computed from others"
                                         : "it is computed from others";
    else if (d->vars.at[variable].flat != NONE &&
             d->flat->vars.at[d->vars.at[variable].flat].evaluated)
        *why = "it is structural; give it in the settings when the instance is created";
    return !*why;
}

static void set(void *arg)
{
    KairosInstance *i = arg;
    const Request *q = &i->request;
    const Dae *d = dae_of(i);
    const char *why;
    if (i->stage == STAGE_FAILED)
        REJECT(i, "the instance has failed; reset or restore it first");
    CONTEXT_HOLD(i->ctx);
    for (unsigned k = 0; k < q->n; k++)
        if (!can_take(i, q->variables[k], q->in[k], &why))
            REJECT(i, "'%s' cannot be set to %g: %s",
                   is_number(i, q->variables[k])
                       ? dae_var_name(d, (VarId)q->variables[k], i->ctx->arena)
                       : "?",
                   q->in[k], why);
    for (unsigned k = 0; k < q->n; k++) {
        double sign;
        VarId v = (VarId)q->variables[k];
        VarId target = target_of(i, v, &sign);
        if (i->stage == STAGE_CREATED)
            put_set(i, target, sign * q->in[k]);
        else
            (void)sim_change(i->sim, target, sign * q->in[k]);
    }
}

int kairos_set_values(KairosInstance *i, const int *variables, unsigned n, const double *values)
{
    return instance_call(i, set, &(Request){.variables = variables, .n = n, .in = values});
}

/* ---- time ---- */

static void initialize(void *arg)
{
    KairosInstance *i = arg;
    if (i->stage != STAGE_CREATED)
        REJECT(i, "the instance has been initialized already; reset it first");
    i->stage = STAGE_RUNNING;
    instance_judge(i, sim_start(i->sim));
}

int kairos_initialize_instance(KairosInstance *i)
{
    return instance_call(i, initialize, &(Request){0});
}

static void advance(void *arg)
{
    KairosInstance *i = arg;
    const Request *q = &i->request;
    if (i->stage != STAGE_RUNNING)
        REJECT(i, i->stage == STAGE_CREATED ? "the instance must be initialized first"
                                            : "the instance has failed; reset or restore it first");
    if (!(q->time >= sim_time(i->sim)))
        REJECT(i, "time cannot go back from %.17g to %.17g", sim_time(i->sim), q->time);
    if (!(q->time <= i->limit) || !isfinite(q->time))
        REJECT(i, "the time %.17g is beyond the stop time %.17g", q->time, i->limit);
    if (sim_terminated(i->sim))
        return;
    bool going = sim_advance(i->sim, q->time, q->stop_at_event);
    if (going && i->columns)
        going = sim_row(i->sim);
    instance_judge(i, going);
}

int kairos_advance_instance(KairosInstance *i, double time, int stop_at_event)
{
    return instance_call(i, advance, &(Request){.time = time, .stop_at_event = stop_at_event != 0});
}

double kairos_instance_time(const KairosInstance *i)
{
    return i->stage == STAGE_CREATED || !i->sim ? i->options.start : sim_time(i->sim);
}

int kairos_instance_terminated(const KairosInstance *i)
{
    return i->sim && sim_terminated(i->sim);
}

uint64_t kairos_count_events(const KairosInstance *i)
{
    return i->sim ? sim_instants(i->sim) : 0;
}

const char *kairos_last_event(const KairosInstance *i)
{
    return i->event;
}

/* ---- states ---- */

static bool header(KairosInstance *i, Snapshot *p)
{
    CONTEXT_HOLD(i->ctx);
    return state_header(i->ctx, p, &i->state_of);
}

static void save(void *arg)
{
    KairosInstance *i = arg;
    Snapshot *p = &i->request.state;
    if (i->stage != STAGE_RUNNING)
        REJECT(i, "a state can be saved once the instance has been initialized, until it fails");
    header(i, p);
    instance_judge(i, sim_save(i->sim, p));
    state_seal(p);
}

void *kairos_save_state(KairosInstance *i, size_t *size)
{
    int status =
        instance_call(i, save, &(Request){.keeps_saved = true, .state = {.room = i->state_size}});
    Snapshot *p = &i->request.state;
    if (status != KAIROS_OK)
        snapshot_free(p);
    i->state_size = p->n > i->state_size ? p->n : i->state_size;
    *size = p->n;
    return p->at;
}

void kairos_free_state(void *state)
{
    memory_free(state);
}

static void restore(void *arg)
{
    KairosInstance *i = arg;
    Snapshot *p = &i->request.state;
    i->status = KAIROS_USE_ERROR;
    bool whole = state_is_sealed(p);
    if (!header(i, p))
        return;
    if (!whole) {
        diag(i->ctx, (Span){0}, DIAG_U019, "the state is damaged");
        return;
    }
    if (!i->sim)
        open_sim(i);
    i->stage = STAGE_RUNNING;
    i->status = KAIROS_OK;
    if (sim_restore(i->sim, p))
        return;
    diag(i->ctx, (Span){0}, DIAG_U019, "the state is damaged");
    i->stage = STAGE_FAILED;
    i->status = KAIROS_USE_ERROR;
}

int kairos_restore_state(KairosInstance *i, const void *state, size_t size)
{
    Snapshot p = {.reading = true, .at = (uint8_t *)(uintptr_t)state, .n = size};
    return instance_call(i, restore, &(Request){.keeps_saved = true, .state = p});
}

KairosInstance *kairos_clone_instance(KairosInstance *i)
{
    Creation x = {.m = i->m, .given = &(KairosRun){.size = sizeof(KairosRun)}};
    if (session_guard(i->m->session, allocate, &x, &x.status) != KAIROS_OK)
        return NULL;
    i->m->n_instances++;
    int status = instance_call(x.made, create_like, &(Request){.from = i});
    size_t size = 0;
    void *state = NULL;
    if (status == KAIROS_OK && i->stage != STAGE_CREATED) {
        state = kairos_save_state(i, &size);
        status = state ? kairos_restore_state(x.made, state, size) : KAIROS_USE_ERROR;
    }
    kairos_free_state(state);
    if (status == KAIROS_OK)
        return x.made;
    kairos_free_instance(x.made);
    return NULL;
}

static void reset(void *arg)
{
    KairosInstance *i = arg;
    if (i->sim)
        sim_reset(i->sim);
    else
        open_sim(i);
    memory_free(i->event);
    i->event = NULL;
    i->stage = STAGE_CREATED;
}

int kairos_reset_instance(KairosInstance *i)
{
    return instance_call(i, reset, &(Request){.keeps_saved = true});
}
