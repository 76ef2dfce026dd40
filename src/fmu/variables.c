/* The variables of an FMU, with causality, variability and start values by the rules of FMI.
 *
 * - Parameters with a value of their own are parameters, tunable if nothing but equations uses
 * them. Those computed from others are calculated parameters. Those that shape the model, and final
 *   ones, are local and fixed.
 * - States with a fixed start value are exact, other states approximate, all else is calculated.
 * - Strings that are computed are variables. Those that are parameters are part of the text. */
#include "fmu/fmu.h"

#include "base/text.h"
#include "inspect/inspect.h"

#include <math.h>

typedef struct Collector {
    FmuModel *m;
    const Dae *dae;
    uint32_t *state;    /* per VarId: 1 + number of the state; 0: none */
    uint8_t *scheduled; /* per VarId: parameter that instants or the structure depend on */
    double *values;     /* of parameters */
    uint32_t *original; /* per FlatVar of the text: its place in m->declared; NONE */
} Collector;

uint32_t fmu_indicators(const Plan *plan)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan->dae->relations.n; i++)
        n += !plan->dae->relations.at[i].is_time_event;
    return n;
}

VarId fmu_state_derivative(const Plan *plan, uint32_t state)
{
    const PlanState *s = &plan->states.at[state];
    VarId der = plan->dae->vars.at[s->var].der;
    return der != NONE ? der : s->der;
}

/* ---- names ---- */

/* Whether `quoted` is `name` as the flat text writes it. */
static bool is_quoted(const char *quoted, const char *name)
{
    if (!strcmp(quoted, name))
        return true;
    if (*quoted++ != '\'')
        return false;
    for (; *name; name++, quoted++) {
        quoted += *quoted == '\\';
        if (*quoted != *name)
            return false;
    }
    return quoted[0] == '\'' && !quoted[1];
}

/* Both lists have the same order; the text may lack some variables. */
static void match_names(Collector *c)
{
    const Flat *text = c->dae->flat, *declared = c->m->declared;
    Arena *scratch = arena_new();
    uint32_t k = 0;
    for (uint32_t i = 0; i < text->vars.n; i++) {
        const char *name = flat_var_name(text, i, scratch);
        uint32_t at = k;
        while (at < declared->vars.n && !is_quoted(name, flat_var_name(declared, at, scratch)))
            at++;
        c->original[i] = at < declared->vars.n ? at : NONE;
        k = at < declared->vars.n ? at + 1 : k;
        arena_reset(scratch);
    }
    arena_free(scratch);
}

static const char *element_name(const Collector *c, const DaeVar *x)
{
    const Flat *declared = c->m->declared;
    const FlatVar *flat = &declared->vars.at[c->original[x->flat]];
    const Types *types = declared->g->types;
    uint32_t rank = type_rank(types, flat->type);
    int64_t rest = x->element, *subs = ARENA_ARRAY(c->m->arena, int64_t, rank + 1);
    for (uint32_t k = rank; k-- > 0;) {
        int64_t n = type_get(types, flat->type)->dims[k];
        subs[k] = rest % n + 1;
        rest /= n;
    }
    return path_element(declared->paths, flat->path, subs, rank, c->m->arena);
}

/* A name by the grammar of structured names: "a.b[1,2]", "der(x)", "der(x,2)", or quoted. */
static const char *structured_name(const Collector *c, VarId v)
{
    const DaeVar *x = &c->dae->vars.at[v];
    uint32_t order = 0;
    for (; x->kind == DAE_DERIVATIVE && x->flat == NONE && x->base != NONE; order++)
        x = &c->dae->vars.at[v = x->base];
    bool known = x->flat != NONE && c->original[x->flat] != NONE;
    Arena *arena = c->m->arena;
    const char *name =
        known ? element_name(c, x) : arena_printf(arena, "'%s'", dae_var_name(c->dae, v, arena));
    return order == 0   ? name
           : order == 1 ? arena_printf(arena, "der(%s)", name)
                        : arena_printf(arena, "der(%s,%u)", name, order);
}

/* ---- parameters ---- */

static void mark_term(Collector *c, Term t)
{
    for (uint32_t k = 0; k < t.n; k++)
        c->scheduled[dae_representative(c->dae, dae_op(c->dae, t, k), NULL)] = 1;
}

/* Parameters that give instants, delays and assumptions of the plan, and those that these are
 * computed from. */
static void mark_scheduled(Collector *c)
{
    const Dae *d = c->dae;
    const Plan *plan = c->m->plan;
    for (uint32_t i = 0; i < d->samples.n; i++) {
        mark_term(c, d->samples.at[i].start);
        mark_term(c, d->samples.at[i].interval);
    }
    for (uint32_t i = 0; i < d->delays.n; i++) {
        mark_term(c, d->delays.at[i].time);
        mark_term(c, d->delays.at[i].longest);
    }
    for (uint32_t i = 0; i < plan->assumptions.n; i++)
        mark_term(c, plan->assumptions.at[i].zero);
    for (uint32_t i = plan->parameters.n_blocks; i-- > 0;) {
        const PlanBlock *b = &plan->blocks.at[plan->parameters.block + i];
        for (uint32_t k = 0; k < b->n_steps; k++) {
            const PlanStep *step = &plan->steps.at[b->step + k];
            if (c->scheduled[step->var])
                mark_term(c, d->eqs.at[step->eq].term);
        }
    }
}

static void describe_parameter(const Collector *c, FmuVariable *f, const DaeVar *x)
{
    const FlatVar *flat = &c->dae->flat->vars.at[x->flat];
    VarId v = dae_representative(c->dae, f->var, NULL);
    bool own = x->alias == NONE && x->detail == NONE && x->fixed;
    if (flat->variability == VARIES_CONSTANT) {
        f->causality = CAUSE_LOCAL;
        f->varies = VARY_CONSTANT;
        f->initial = INITIAL_EXACT;
    } else if (flat->is_final) {
        f->causality = CAUSE_LOCAL;
        f->varies = VARY_FIXED;
        f->initial = INITIAL_CALCULATED;
    } else {
        f->causality = own ? CAUSE_PARAMETER : CAUSE_CALCULATED;
        f->varies = c->scheduled[v] || !x->fixed ? VARY_FIXED : VARY_TUNABLE;
        f->initial = own ? INITIAL_EXACT : INITIAL_CALCULATED;
    }
    f->start = (x->alias_sign < 0 ? -1 : 1) * c->values[v];
    if (isnan(f->start) && f->initial == INITIAL_EXACT) {
        f->causality = CAUSE_LOCAL;
        f->varies = VARY_FIXED;
        f->initial = INITIAL_CALCULATED;
    }
}

/* ---- other variables ---- */

static double start_of(const Collector *c, const DaeVar *x)
{
    double value = x->start == NONE ? 0 : c->values[x->start];
    return isnan(value) ? 0 : value;
}

static void describe_input(const Collector *c, FmuVariable *f, const DaeVar *x)
{
    const FlatVar *flat = &c->dae->flat->vars.at[x->flat];
    bool continuous = x->type == DAE_REAL && flat->variability == VARIES_CONTINUOUS;
    f->causality = CAUSE_INPUT;
    f->varies = continuous ? VARY_CONTINUOUS : VARY_DISCRETE;
    f->initial = INITIAL_NONE;
    f->start = start_of(c, x);
    if (x->type == DAE_ENUM && f->start < 1)
        f->start = 1;
}

static void describe_unknown(const Collector *c, FmuVariable *f, const DaeVar *x)
{
    VarId v = dae_representative(c->dae, f->var, NULL);
    uint8_t kind = c->dae->vars.at[v].kind;
    bool continuous =
        x->type == DAE_REAL && (kind == DAE_CONTINUOUS || kind == DAE_DERIVATIVE ||
                                kind == DAE_FOLLOWING || kind == DAE_INPUT || kind == DAE_TIME);
    f->causality = x->flat != NONE && c->dae->flat->vars.at[x->flat].causality == FLAT_OUTPUT
                       ? CAUSE_OUTPUT
                       : CAUSE_LOCAL;
    f->varies = continuous ? VARY_CONTINUOUS : VARY_DISCRETE;
    f->is_state = c->state[f->var] != 0;
    f->initial = !f->is_state ? INITIAL_CALCULATED : x->fixed ? INITIAL_EXACT : INITIAL_APPROX;
    f->start = f->is_state ? start_of(c, x) : 0;
}

static void describe_declaration(const Collector *c, FmuVariable *f, const DaeVar *x)
{
    const FlatVar *flat = &c->dae->flat->vars.at[x->flat];
    const FlatTraits *traits = flat_traits(flat, x->element);
    const Types *types = c->dae->g->types;
    f->unit = traits->unit && *traits->unit ? traits->unit : NULL;
    f->display_unit = traits->display_unit && *traits->display_unit ? traits->display_unit : NULL;
    f->quantity = traits->quantity && *traits->quantity ? traits->quantity : NULL;
    f->description = flat->shared->description;
    uint32_t declared = c->original[x->flat]; /* flat text has no connectors */
    f->is_flow = declared != NONE && c->m->declared->vars.at[declared].is_flow;
    f->enumeration = type_element(types, flat->type);
}

static FmuVariable describe(const Collector *c, VarId v)
{
    const DaeVar *x = &c->dae->vars.at[v];
    FmuVariable f = {.name = structured_name(c, v),
                     .var = v,
                     .n = 1,
                     .type = x->type,
                     .nominal = x->nominal,
                     .min = x->min,
                     .max = x->max,
                     .derivative_of = NONE};
    if (x->flat != NONE && x->kind != DAE_DERIVATIVE)
        describe_declaration(c, &f, x);
    if (x->kind == DAE_PARAMETER)
        describe_parameter(c, &f, x);
    else if (x->kind == DAE_INPUT && !x->hidden && x->alias == NONE)
        describe_input(c, &f, x);
    else
        describe_unknown(c, &f, x);
    return f;
}

static uint32_t add(Collector *c, const FmuVariable *f)
{
    FmuModel *m = c->m;
    for (uint32_t k = 0; k < f->n; k++)
        m->place[f->var + k] = m->variables.n;
    vec_push(&m->variables, *f);
    return m->place[f->var];
}

/* Whether results show the variable. */
static bool is_shown(const Dae *d, const DaeVar *x)
{
    return !x->hidden && x->flat != NONE && x->kind != DAE_DERIVATIVE && x->kind != DAE_PRE &&
           (x->type != DAE_STRING || x->kind == DAE_DISCRETE) &&
           !d->flat->vars.at[x->flat].hide_result;
}

static void add_scalar(Collector *c, VarId v)
{
    FmuVariable f = describe(c, v);
    add(c, &f);
}

static void add_derivative(Collector *c, VarId of, VarId der)
{
    if (c->m->place[der] == NONE)
        add_scalar(c, der);
    c->m->variables.at[c->m->place[der]].derivative_of = c->m->place[of];
}

/* States that results do not show are variables all the same: importers integrate them. */
static void add_states(Collector *c)
{
    const Plan *plan = c->m->plan;
    for (uint32_t i = 0; i < plan->states.n; i++) {
        const PlanState *s = &plan->states.at[i];
        VarId der = fmu_state_derivative(plan, i);
        if (c->m->place[s->var] == NONE)
            add_scalar(c, s->var);
        add_derivative(c, s->var, der);
        c->m->variables.at[c->m->place[der]].is_derivative = true;
    }
}

static void add_time(Collector *c)
{
    FmuVariable time = {.name = "time",
                        .n = 1,
                        .causality = CAUSE_INDEPENDENT,
                        .varies = VARY_CONTINUOUS,
                        .unit = "s",
                        .description = "Simulation time",
                        .nominal = 1,
                        .min = -INFINITY,
                        .max = INFINITY,
                        .derivative_of = NONE};
    c->m->place[0] = c->m->variables.n;
    vec_push(&c->m->variables, time);
}

/* ---- arrays (FMI 3) ---- */

/* The length of the name without the subscripts at its end. */
static size_t stem_length(const char *name)
{
    const char *bracket = strrchr(name, '[');
    size_t n = strlen(name);
    return bracket && n && name[n - 1] == ']' ? (size_t)(bracket - name) : n;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Whether the variables can be elements of one array: everything but the start value is equal, and
 * all subscripts are at the end of the name. */
static bool is_similar(const FmuVariable *a, const FmuVariable *b)
{
    size_t n = stem_length(a->name);
    return a->type == b->type && a->causality == b->causality && a->varies == b->varies &&
           a->initial == b->initial && a->nominal == b->nominal && a->min == b->min &&
           a->max == b->max && same_text(a->unit, b->unit) &&
           same_text(a->display_unit, b->display_unit) && same_text(a->quantity, b->quantity) &&
           a->is_state == b->is_state && a->is_flow == b->is_flow && n == stem_length(b->name) &&
           !strncmp(a->name, b->name, n);
}

/* Whether element k follows the first one in every respect: as a variable, as a state, and its
 * derivative too. */
static bool is_element(const Collector *c, VarId first, uint32_t k)
{
    const DaeVar *a = &c->dae->vars.at[first], *b = &c->dae->vars.at[first + k];
    if (b->flat != a->flat || b->element != k || b->kind != a->kind || !is_shown(c->dae, b) ||
        (a->der == NONE) != (b->der == NONE) || c->m->place[first + k] != NONE)
        return false;
    if (a->der != NONE && (b->der != a->der + k || c->m->place[b->der] != NONE ||
                           c->dae->vars.at[b->der].hidden != c->dae->vars.at[a->der].hidden))
        return false;
    return c->state[first] ? c->state[first + k] == c->state[first] + k : !c->state[first + k];
}

/* The array that begins with `f`; its name is `name`. */
static uint32_t add_elements(Collector *c, FmuVariable f, const char *name, uint32_t n)
{
    const FlatVar *flat = &c->dae->flat->vars.at[c->dae->vars.at[f.var].flat];
    double *starts = ARENA_ARRAY(c->m->arena, double, n);
    for (uint32_t k = 0; k < n; k++)
        starts[k] = describe(c, f.var + k).start;
    f.name = name;
    f.n = n;
    f.rank = type_rank(c->dae->g->types, flat->type);
    f.dims = type_get(c->dae->g->types, flat->type)->dims;
    f.starts = starts;
    return add(c, &f);
}

static void add_derivatives(Collector *c, VarId first, uint32_t n, const char *name)
{
    VarId der = c->dae->vars.at[first].der;
    if (der == NONE || c->dae->vars.at[der].hidden)
        return;
    FmuVariable f = describe(c, der);
    const FmuVariable *of = &c->m->variables.at[c->m->place[first]];
    f.name = arena_printf(c->m->arena, "der(%s)", name);
    f.n = n;
    f.rank = of->rank;
    f.dims = of->dims;
    f.derivative_of = c->m->place[first];
    f.starts = ARENA_ARRAY(c->m->arena, double, n);
    add(c, &f);
}

/* All elements of the array whose first one is v as one variable, if the version has arrays and the
 * elements are alike. */
static bool add_array(Collector *c, VarId v)
{
    const DaeVar *x = &c->dae->vars.at[v];
    const Types *types = c->dae->g->types;
    TypeId type = c->dae->flat->vars.at[x->flat].type;
    uint64_t n = 1;
    for (uint32_t k = 0; k < type_rank(types, type); k++)
        n *= (uint64_t)type_get(types, type)->dims[k];
    if (c->m->options->version < 3 || x->element != 0 || !type_rank(types, type) || n < 2 ||
        v + n > c->dae->n_model_vars)
        return false;
    FmuVariable first = describe(c, v);
    for (uint32_t k = 1; k < n; k++) {
        FmuVariable other;
        if (!is_element(c, v, k) || (other = describe(c, v + k), !is_similar(&first, &other)))
            return false;
    }
    const char *name = arena_copy(c->m->arena, first.name, stem_length(first.name));
    add_elements(c, first, name, (uint32_t)n);
    add_derivatives(c, v, (uint32_t)n, name);
    return true;
}

const char *fmu_list_arrays(const FmuModel *m)
{
    Text t = {0};
    text_put(&t, "\n");
    for (uint32_t i = 0; i < m->variables.n; i++)
        if (m->variables.at[i].n > 1)
            text_printf(&t, "%u %u\n", m->variables.at[i].var, m->variables.at[i].n);
    return text_keep(&t, m->arena);
}

static void add_all(Collector *c)
{
    const Dae *d = c->dae;
    add_time(c);
    for (VarId v = 1; v < d->n_model_vars; v++) {
        if (!is_shown(d, &d->vars.at[v]) || c->m->place[v] != NONE || add_array(c, v))
            continue;
        add_scalar(c, v);
        VarId der = d->vars.at[v].der;
        if (der != NONE && !d->vars.at[der].hidden)
            add_derivative(c, v, der);
    }
    add_states(c);
}

void fmu_collect(FmuModel *m)
{
    const Dae *d = m->plan->dae;
    Collector c = {.m = m,
                   .dae = d,
                   .state = ARENA_ARRAY(m->arena, uint32_t, d->vars.n),
                   .scheduled = ARENA_ARRAY(m->arena, uint8_t, d->vars.n),
                   .original = ARENA_ARRAY(m->arena, uint32_t, d->flat->vars.n + 1),
                   .values = inspect_parameters(m->plan)};
    m->place = ARENA_ARRAY(m->arena, uint32_t, d->vars.n);
    memset(m->place, 0xff, d->vars.n * sizeof *m->place);
    for (uint32_t i = 0; i < m->plan->states.n; i++)
        c.state[m->plan->states.at[i].var] = i + 1;
    match_names(&c);
    mark_scheduled(&c);
    add_all(&c);
    m->n_indicators = fmu_indicators(m->plan);
    memory_free(c.values);
}
