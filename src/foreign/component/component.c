/* A component: start, model exchange, epochs. */
#include "foreign/component/internal.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- opening ---- */

static OpenFile open_file(const char *path, const char *structure)
{
    struct stat s;
    if (stat(path, &s))
        memset(&s, 0, sizeof s);
    return (OpenFile){path, structure, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec, NULL};
}

static OpenFile *add_file(Components *all, OpenFile f)
{
    f.path = arena_copy(all->arena, f.path, strlen(f.path));
    f.structure = arena_copy(all->arena, f.structure, strlen(f.structure));
    vec_push(&all->files, f);
    return &vec_last(&all->files);
}

void components_keep(Components *all, FmuFile *file, const char *path, const char *structure)
{
    add_file(all, open_file(path, structure))->file = file;
}

/* The file with these values of structural parameters; NULL after a message, or with *why. */
static FmuFile *find_file(Components *all, const char *path, const char *structure,
                          const char **why)
{
    OpenFile now = open_file(path, structure);
    for (uint32_t i = 0; i < all->files.n; i++) {
        const OpenFile *f = &all->files.at[i];
        if (!strcmp(f->path, path) && !strcmp(f->structure, structure) && f->size == now.size &&
            f->seconds == now.seconds && f->nanoseconds == now.nanoseconds)
            return f->file;
    }
    OpenFile *f = add_file(all, now);
    if (fmu_open(all->ctx, path, &f->file)) {
        fmi_set_structure(f->file->description, structure, f->file->arena, why);
        if (!*why)
            return f->file;
        *why = component_refuse(all, "%s: %s", path, *why);
    }
    fmu_close(f->file);
    all->files.n--;
    return NULL;
}

static FmiValues values_of(const Component *c, const LayoutList *l)
{
    return fmi_values(c->l.d, l->variables, l->n_variables, c->arena);
}

static double *room(const Component *c, uint32_t n)
{
    return ARENA_ARRAY(c->arena, double, n + 1);
}

static void make_values(Component *c)
{
    const Layout *l = &c->l;
    c->inputs = values_of(c, &l->inputs);
    c->continuous_inputs =
        fmi_values(l->d, l->inputs.variables, l->n_continuous_variables, c->arena);
    c->parameters = values_of(c, &l->parameters);
    c->starts = values_of(c, &l->starts);
    c->calculated = values_of(c, &l->calculated);
    c->discretes = values_of(c, &l->discretes);
    c->groups = ARENA_ARRAY(c->arena, FmiValues, l->n_groups + 1);
    c->first_of_group = ARENA_ARRAY(c->arena, uint32_t, l->n_groups + 1);
    for (uint32_t g = 0; g < l->n_groups; g++) {
        c->groups[g] = values_of(c, &l->groups[g].values);
        c->first_of_group[g] = c->n_group_values;
        c->n_group_values += l->groups[g].values.n;
    }
}

static void make_room(Component *c)
{
    const Layout *l = &c->l;
    c->x = room(c, l->n_states);
    c->u = room(c, l->inputs.n);
    c->wanted = room(c, l->inputs.n);
    c->event_u = room(c, l->inputs.n + l->n_triggers);
    c->clocks = ARENA_ARRAY(c->arena, ClockTimes, l->n_clocks + 1);
    c->triggered = ARENA_ARRAY(c->arena, bool, l->n_triggers + 1);
    c->edges = ARENA_ARRAY(c->arena, bool, l->n_triggers + 1);
    c->ticks = room(c, l->n_ticks);
    c->ticks_before = room(c, l->n_ticks);
    c->n_given = 1 + l->parameters.n + l->starts.n + l->inputs.n;
    c->given = room(c, c->n_given);
    c->ended.x = room(c, l->n_states);
    c->ended.new_x = room(c, l->n_states);
    c->ended.u = room(c, l->inputs.n + l->n_triggers);
    c->discrete_values = room(c, l->discretes.n);
    c->discrete_before = room(c, l->discretes.n);
    c->discrete_now = room(c, l->discretes.n);
    c->calculated_values = room(c, l->calculated.n);
    c->derivatives = room(c, l->n_states);
    c->group_values = room(c, c->n_group_values);
    c->group_known = ARENA_ARRAY(c->arena, bool, l->n_groups + 1);
    c->z = room(c, l->n_indicators);
    c->largest = room(c, l->n_indicators);
    c->scale = room(c, l->n_indicators);
    c->side = ARENA_ARRAY(c->arena, int8_t, l->n_indicators + 1);
    c->window.at_begin = room(c, c->n_group_values);
    c->window.at_end = room(c, c->n_group_values);
    c->window.stale = ARENA_ARRAY(c->arena, bool, l->n_groups + 1);
}

/* The size of communication steps: as asked for, otherwise the output interval, as far as the FMU
 * can do such steps. */
static double step_size(const Component *c, const ExternalRun *run, double asked)
{
    const FmiInterface *i = c->i->interface;
    double h = asked > 0 ? asked : run->interval;
    if (i->fixed_step > 0)
        return fmax(1, round(h / i->fixed_step)) * i->fixed_step;
    if (!i->variable_steps && !(asked > 0) && c->l.d->step_size > 0)
        return c->l.d->step_size;
    return h;
}

/* A run of so many steps takes minutes, or days, at least. */
static const double MANY_STEPS = 1e9, TOO_MANY_STEPS = 1e12;

/* NULL, or why the run would not end. */
static const char *count_steps(const Component *c, const char *path)
{
    const FmiInterface *i = c->i->interface;
    double inside = i->fixed_step > 0 ? i->fixed_step : c->window.step,
           n = (c->stop - c->start) / inside;
    if (!(inside > 0 && n > MANY_STEPS))
        return NULL;
    const char *remedy =
        c->l.d->exchange.identifier ? "use model exchange (--kind me) or an earlier --stop-time"
        : i->fixed_step > 0         ? "use an earlier --stop-time"
                                    : "use an earlier --stop-time or a larger communicationStep";
    char *text = arena_printf(
        c->arena,
        "%s: the FMU for co-simulation takes %.2g steps of %g s %suntil the "
        "stop time %g; %s",
        path, n, inside, i->fixed_step > 0 ? "(its fixed internal step) " : "", c->stop, remedy);
    if (n > TOO_MANY_STEPS)
        return component_refuse(c->all, "%s", text);
    diag(c->all->ctx, (Span){0}, DIAG_U057, "%s", text);
    return NULL;
}

Component *component_open(Components *all, const ExternalRun *run, const char *path,
                          const char *token, const char *name, LayoutKind kind, double step,
                          const char *structure, const char **why)
{
    FmuFile *file = find_file(all, path, structure, why);
    if (!file) {
        *why = *why ? *why : component_refuse(all, "'%s' cannot be read", path);
        return NULL;
    }
    if (strcmp(file->description->token, token) != 0) {
        *why = component_refuse(all,
                                "'%s' is another FMU than the one that was imported; import it "
                                "again",
                                path);
        return NULL;
    }
    Arena *arena = arena_new();
    Component *c = ARENA_NEW(arena, Component);
    *c = (Component){.all = all, .arena = arena};
    static const FmiKind kinds[] = {FMI_EXCHANGE, FMI_CO_SIMULATION, FMI_SCHEDULED};
    c->i = fmi_open(file, kinds[kind], name, arena, why);
    if (!c->i) {
        *why = component_refuse(all, "%s: %s", path, *why);
        arena_free(arena);
        return NULL;
    }
    c->start = run->start;
    c->stop = run->stop;
    c->tolerance = run->tolerance;
    c->l = layout_of(file->description, kind, arena);
    make_values(c);
    make_room(c);
    c->window.step = step_size(c, run, step);
    *why = kind == LAYOUT_CO_SIMULATION ? count_steps(c, path) : NULL;
    if (!*why)
        return c;
    component_close(c);
    return NULL;
}

static void drop_before(Component *c)
{
    if (c->ended.before)
        c->i->calls->drop(c->i, &c->ended.before);
    c->ended.before = NULL;
}

void component_close(Component *c)
{
    drop_before(c);
    if (c->started && c->i->component)
        c->i->calls->terminate(c->i);
    fmi_close(c->i);
    arena_free(c->arena);
}

/* ---- the start ---- */

/* Sets those of the variables whose values differ from the description. */
static const char *set_changed(Component *c, const LayoutList *l, const double *values)
{
    Arena *scratch = arena_new();
    const char *why = NULL;
    uint32_t first = 0;
    for (uint32_t k = 0; k < l->n_variables && !why; k++) {
        const FmiVariable *v = &c->l.d->variables.at[l->variables[k]];
        bool differs = false;
        for (uint32_t e = 0; e < v->size; e++)
            differs |= v->is_resized || values[first + e] != fmi_start(v, e);
        FmiValues one = fmi_values(c->l.d, &l->variables[k], 1, scratch);
        FmiStatus s = differs ? fmi_set(c->i, &one, values + first) : FMI_OK;
        if (!fmi_good(s))
            why = component_fail(c, s);
        first += v->size;
    }
    arena_free(scratch);
    return why;
}

static const char *iterate_event(Component *c, FmiEventInfo *all)
{
    FmiEventInfo info = {.again = true};
    *all = (FmiEventInfo){0};
    for (int n = 0; info.again && !info.terminate; n++) {
        if (n >= MOST_UPDATES)
            return component_refuse(c->all, "%s: the event iteration of the FMU does not end",
                                    c->i->file->path);
        TRY(c->i->calls->update(c->i, &info));
        all->states_changed |= info.states_changed;
        all->terminate |= info.terminate;
    }
    all->has_next = info.has_next;
    all->next = info.next;
    return NULL;
}

/* The end of an event: back to continuous time, with everything that may have changed. */
static const char *finish_event(Component *c, const FmiEventInfo *info)
{
    TRY(c->i->calls->enter_continuous(c->i));
    component_forget(c);
    if (c->l.n_states)
        TRY(c->i->calls->get_states(c->i, c->ended.new_x, c->l.n_states));
    memcpy(c->x, c->ended.new_x, c->l.n_states * sizeof *c->x);
    c->placed = true;
    c->ended.next = fmin(info->has_next ? info->next : INFINITY, clocks_next(c));
    c->ends |= info->terminate;
    DO(component_read(c));
    return component_sides(c);
}

static const char *begin_again(Component *c)
{
    drop_before(c);
    c->i->message[0] = '\0';
    if (fmi_good(c->i->calls->reset(c->i)))
        return NULL;
    fmi_destroy(c->i);
    return fmi_create(c->i) ? NULL : component_refuse(c->all, "%s", c->i->failure);
}

static bool same_start(const Component *c, double t, const double *p, const double *s,
                       const double *u)
{
    const double *g = c->given;
    const Layout *l = &c->l;
    return g[0] == t && !memcmp(g + 1, p, l->parameters.n * sizeof *p) &&
           !memcmp(g + 1 + l->parameters.n, s, l->starts.n * sizeof *s) &&
           !memcmp(g + 1 + l->parameters.n + l->starts.n, u, l->inputs.n * sizeof *u);
}

static void note_start(Component *c, double t, const double *p, const double *s, const double *u)
{
    double *g = c->given;
    const Layout *l = &c->l;
    g[0] = t;
    memcpy(g + 1, p, l->parameters.n * sizeof *p);
    memcpy(g + 1 + l->parameters.n, s, l->starts.n * sizeof *s);
    memcpy(g + 1 + l->parameters.n + l->starts.n, u, l->inputs.n * sizeof *u);
}

/* Structural parameters that are set, right after the instantiation or a reset. */
static const char *configure(Component *c)
{
    Arena *scratch = arena_new();
    const FmiCalls *calls = c->i->calls;
    FmiStatus s = FMI_OK;
    bool any = false;
    for (uint32_t k = 0; k < c->l.d->variables.n && fmi_good(s); k++) {
        const FmiVariable *v = &c->l.d->variables.at[k];
        if (!v->is_set)
            continue;
        s = any ? s : calls->enter_configuration(c->i);
        any = true;
        FmiValues one = fmi_values(c->l.d, &k, 1, scratch);
        double value = fmi_start(v, 0);
        s = fmi_good(s) ? fmi_set(c->i, &one, &value) : s;
    }
    s = any && fmi_good(s) ? calls->exit_configuration(c->i) : s;
    arena_free(scratch);
    return fmi_good(s) ? NULL : component_fail(c, s);
}

static const char *initialize(Component *c, double t, const double *p, const double *s,
                              const double *u)
{
    DO(configure(c));
    DO(set_changed(c, &c->l.parameters, p));
    DO(set_changed(c, &c->l.starts, s));
    TRY(c->i->calls->enter_initialization(c->i, t, c->stop, c->tolerance));
    TRY(fmi_set(c->i, &c->inputs, u));
    memcpy(c->u, u, c->l.inputs.n * sizeof *u);
    memcpy(c->wanted, u, c->l.inputs.n * sizeof *u);
    TRY(c->i->calls->exit_initialization(c->i));
    c->t = t;
    return NULL;
}

const char *component_start(Component *c, double t, const double *p, const double *s,
                            const double *u)
{
    if (c->started && same_start(c, t, p, s, u))
        return NULL;
    if (c->started)
        DO(begin_again(c));
    c->started = c->placed = c->ends = false;
    c->epoch = 0;
    memset(c->largest, 0, c->l.n_indicators * sizeof *c->largest);
    DO(initialize(c, t, p, s, u));
    DO(clocks_start(c, t));
    c->ended.next = clocks_next(c);
    if (c->l.scheduled) {
        DO(component_read(c));
    } else if (c->l.exchange) {
        FmiEventInfo info;
        DO(iterate_event(c, &info));
        DO(finish_event(c, &info));
    } else {
        DO(window_start(c, t));
    }
    memcpy(c->discrete_before, c->discrete_values, c->l.discretes.n * sizeof *c->discrete_before);
    c->started = true;
    note_start(c, t, p, s, u);
    return NULL;
}

/* ---- continuous time ---- */

/* Sets continuous inputs that differ; `which` are their places, NULL: all. */
static const char *set_inputs(Component *c, const double *u, const uint32_t *which, uint32_t n)
{
    bool changed = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = which ? which[i] : i;
        changed |= c->u[k] != u[i];
        c->u[k] = u[i];
    }
    if (changed) {
        component_forget(c);
        TRY(fmi_set(c->i, &c->continuous_inputs, c->u));
    }
    return NULL;
}

void component_forget(Component *c)
{
    c->derivatives_known = c->indicators_known = false;
    memset(c->group_known, false, c->l.n_groups);
}

const char *component_place(Component *c, double t, const double *x, const double *u,
                            const uint32_t *which, uint32_t n)
{
    if (c->l.scheduled) /* partitions get their time when they run */
        return set_inputs(c, u, which, n);
    if (!c->placed || t != c->t) {
        component_forget(c);
        TRY(c->i->calls->set_time(c->i, t));
    }
    c->t = t;
    size_t size = c->l.n_states * sizeof *x;
    if (c->l.n_states && (!c->placed || memcmp(x, c->x, size) != 0)) {
        component_forget(c);
        TRY(c->i->calls->set_states(c->i, x, c->l.n_states));
        memcpy(c->x, x, size);
    }
    c->placed = true;
    return set_inputs(c, u, which, n);
}

const char *component_derivatives(Component *c, double t, const double *x, const double *u,
                                  double *out)
{
    DO(component_place(c, t, x, u, NULL, c->l.n_continuous));
    if (!c->derivatives_known)
        TRY(c->i->calls->get_derivatives(c->i, c->derivatives, c->l.n_states));
    c->derivatives_known = true;
    memcpy(out, c->derivatives, c->l.n_states * sizeof *out);
    return NULL;
}

const char *component_sides(Component *c)
{
    if (!c->l.n_indicators)
        return NULL;
    TRY(c->i->calls->get_indicators(c->i, c->z, c->l.n_indicators));
    c->indicators_known = true;
    for (uint32_t k = 0; k < c->l.n_indicators; k++) {
        c->largest[k] = fmax(c->largest[k], fabs(c->z[k]));
        c->scale[k] = c->largest[k] > 0 ? c->largest[k] : 1;
        c->side[k] = c->z[k] > 0 ? 1 : -1;
    }
    return NULL;
}

/* More than the ε of relations, so that they are false after the event. */
static const double SHIFT = 2e-10;

const char *component_indicators(Component *c, double t, const double *x, const double *u,
                                 double *out)
{
    DO(component_place(c, t, x, u, NULL, c->l.n_continuous));
    if (!c->indicators_known)
        TRY(c->i->calls->get_indicators(c->i, c->z, c->l.n_indicators));
    c->indicators_known = true;
    for (uint32_t k = 0; k < c->l.n_indicators; k++) {
        c->largest[k] = fmax(c->largest[k], fabs(c->z[k]));
        out[k] = c->side[k] * c->z[k] / c->scale[k] + SHIFT;
    }
    return NULL;
}

const char *component_group(Component *c, uint32_t group, double t, const double *x,
                            const double *u, double *out)
{
    const LayoutGroup *g = &c->l.groups[group];
    if (!c->l.exchange)
        return window_values(c, group, t, u, out);
    DO(component_place(c, t, x, u, g->inputs, g->n_inputs));
    double *known = c->group_values + c->first_of_group[group];
    if (!c->group_known[group])
        TRY(fmi_get(c->i, &c->groups[group], known));
    c->group_known[group] = true;
    memcpy(out, known, g->values.n * sizeof *out);
    return NULL;
}

/* ---- epochs ---- */

static bool same_event(const Component *c, double t, const double *x, const double *u)
{
    return c->ended.t == t && !memcmp(c->ended.x, x, c->l.n_states * sizeof *x) &&
           !memcmp(c->ended.u + c->l.n_continuous, u + c->l.n_continuous,
                   (c->l.inputs.n + c->l.n_triggers - c->l.n_continuous) * sizeof *u);
}

/* Only discrete inputs can change within an event. */
static void save_before(Component *c)
{
    const FmiCalls *calls = c->i->calls;
    if (c->l.inputs.n > c->l.n_continuous && c->i->interface->saves_state && calls->save &&
        !fmi_good(calls->save(c->i, &c->ended.before)))
        c->ended.before = NULL;
}

static const char *handle_event(Component *c, double t, const double *x, const double *u)
{
    FmiEventInfo info;
    bool event, ends;
    DO(component_place(c, t, x, u, NULL, c->l.n_continuous));
    save_before(c);
    if (!c->i->interface->ignores_completed_step)
        TRY(c->i->calls->completed(c->i, &event, &ends));
    TRY(c->i->calls->enter_event(c->i));
    if (c->l.inputs.n)
        TRY(fmi_set(c->i, &c->inputs, u));
    memcpy(c->u, u, c->l.inputs.n * sizeof *u);
    DO(clocks_tick(c, t, u + c->l.inputs.n));
    DO(iterate_event(c, &info));
    DO(clocks_read(c, t));
    return finish_event(c, &info);
}

/* Partitions whose clocks tick run one after the other. */
static const char *run_partitions(Component *c, double t, const double *u)
{
    if (c->l.inputs.n)
        TRY(fmi_set(c->i, &c->inputs, u));
    memcpy(c->u, u, c->l.inputs.n * sizeof *u);
    DO(clocks_tick(c, t, u + c->l.inputs.n));
    component_forget(c);
    c->ended.next = clocks_next(c);
    return component_read(c);
}

static const char *pass_event(Component *c, double t, const double *x, const double *u)
{
    return c->l.scheduled  ? run_partitions(c, t, u)
           : c->l.exchange ? handle_event(c, t, x, u)
                           : window_update(c, t, u);
}

/* Before the event that was handled already, if the FMU can go back. */
static const char *go_back(Component *c, double epoch)
{
    if (c->ended.before) {
        TRY(c->i->calls->restore(c->i, c->ended.before));
        memcpy(c->discrete_values, c->discrete_before,
               c->l.discretes.n * sizeof *c->discrete_values);
    }
    c->placed = false;
    c->epoch = epoch;
    return NULL;
}

/* Whether clocks tick at the start. */
static bool clocks_tick_now(const Component *c, double t, const double *u)
{
    bool any = clocks_next(c) <= t;
    for (uint32_t k = 0; k < c->l.n_triggers; k++)
        any |= u[c->l.inputs.n + k] != 0;
    return any;
}

const char *component_update(Component *c, double epoch, double t, const double *x,
                             const double *discrete_u)
{
    bool again = epoch < c->epoch;
    double *u = c->event_u;
    memcpy(u, c->l.exchange ? c->u : c->wanted, c->l.n_continuous * sizeof *u);
    uint32_t n_discrete = c->l.inputs.n + c->l.n_triggers - c->l.n_continuous;
    memcpy(u + c->l.n_continuous, discrete_u, n_discrete * sizeof *u);
    if (again && same_event(c, t, x, u))
        return NULL;
    if (again)
        DO(go_back(c, epoch));
    drop_before(c);
    c->ended.t = t;
    memcpy(c->ended.x, x, c->l.n_states * sizeof *x);
    memcpy(c->ended.u, u, (c->l.inputs.n + c->l.n_triggers) * sizeof *u);
    memcpy(c->discrete_before, c->discrete_values, c->l.discretes.n * sizeof *c->discrete_before);
    memcpy(c->ticks_before, c->ticks, c->l.n_ticks * sizeof *c->ticks);
    if (c->epoch > 0 || again || clocks_tick_now(c, t, u))
        DO(pass_event(c, t, x, u));
    c->epoch = epoch + 1;
    return NULL;
}

double component_discrete(const Component *c, double epoch, uint32_t k)
{
    return epoch < c->epoch ? c->discrete_before[k] : c->discrete_values[k];
}
