/* A check of every class of a file or package.
 *
 * First all complete classes are flattened, so that errors in names, types, modifiers and
 * connections are reported together. If there are none, models are counted and sorted as for a
 * simulation. Partial classes come last. Mistakes that another class can settle, and missing inner
 * components, are not errors of a partial class. */
#include "api/session.h"

#include "flatten/units/unit_check.h"

typedef struct CheckAll {
    Kairos *k;
    const char *name;
    const KairosCompile *given;
    bool units;    /* check them as well */
    bool initial;  /* check initial conditions as well */
    bool is_model; /* result of is_model */
    int status;
} CheckAll;

/* Errors that the use of a class may settle: a value, an inner component, a clock, a root, a
 * replacement of a partial class. */
static bool may_be_settled(DiagCode code, bool is_partial)
{
    switch (code) {
    case DIAG_I008:
    case DIAG_I009:
    case DIAG_I044:
    case DIAG_I022:
    case DIAG_I041:
    case DIAG_F012:
    case DIAG_F013:
    case DIAG_F017: return true;
    case DIAG_I020:
    case DIAG_I090:
    case DIAG_I118:
    case DIAG_F009: return is_partial;
    default: return false;
    }
}

/* The same for a component that is checked alone: its own bus needs a source. */
static bool is_of_surroundings(DiagCode code, bool is_partial)
{
    return code != DIAG_F013 && may_be_settled(code, is_partial);
}

/* A value that the model to be simulated will have to give. */
static bool is_open_value(DiagCode code)
{
    return code == DIAG_D101 || code == DIAG_I040;
}

/* Removes messages after the first `before` that the use of the class may settle; true if errors
 * were among them. */
static bool forgive(Context *ctx, uint32_t before, bool (*settled_by_use)(DiagCode, bool),
                    bool is_partial)
{
    bool settled = false;
    uint32_t n = before;
    for (uint32_t i = before; i < ctx->diags.n; i++) {
        Diag *d = ctx->diags.at[i];
        bool error = d->severity == SEVERITY_ERROR;
        if (!settled_by_use(d->code, is_partial) && !is_open_value(d->code)) {
            ctx->diags.at[n++] = d;
            continue;
        }
        settled |= error;
        *(error ? &ctx->n_errors : &ctx->n_warnings) -= 1;
    }
    ctx->diags.n = n;
    return settled;
}

static bool sort_equations(Compilation *c)
{
    bool ok = compile_model(c, PHASE_STRUCTURE);
    if (ok && c->initial)
        check_initial_values(c);
    return ok;
}

/* Flattens the model. With all phases, also counts its equations, and sorts them unless the model
 * is open. */
static bool check_class(const CheckAll *a, const ClassEntry *e, bool all_phases)
{
    Kairos *k = a->k;
    uint32_t before = k->ctx->diags.n;
    if (e->role != ROLE_MODEL && e->role != ROLE_PART)
        instance_check_class(k->library, e);
    else {
        Compilation c = {
            .ctx = k->ctx, .library = k->library, .units = a->units, .initial = a->initial};
        c.instance = instance_part(k->library, e->inst);
        compile_flatten(&c);
        if (c.units && !k->ctx->n_errors)
            flat_check_units(k->ctx, c.flat);
        if (all_phases && !instance_is_open(c.instance) && flat_balance(k->ctx, c.flat) &&
            !k->ctx->n_errors)
            sort_equations(&c);
        compile_free(&c);
        instance_forget(c.instance);
    }
    return !forgive(k->ctx, before, may_be_settled, e->is_partial);
}

/* Checks models one by one, each as if no error had been reported before. */
static void check_further(CheckAll *a, const ClassEntry *list, const bool *settled, uint32_t n)
{
    Context *ctx = a->k->ctx;
    uint32_t errors = 0;
    for (uint32_t i = 0; i < n && !*ctx->interrupt; i++) {
        if (list[i].role != ROLE_MODEL || list[i].is_partial || !settled[i])
            continue;
        check_class(a, &list[i], true);
        errors += ctx->n_errors;
        ctx->n_errors = 0;
    }
    ctx->n_errors = errors;
}

static void check_all(void *arg)
{
    CheckAll *a = arg;
    Context *ctx = a->k->ctx;
    ClassEntry *list = NULL;
    uint32_t n = 0;
    KairosCompile how;
    session_watch(a->k);
    a->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(a->k, KairosCompile, a->given, &how))
        return;
    a->units = how.check_units;
    a->initial = how.check_initial;
    a->status = KAIROS_MODEL_ERROR;
    if (ctx->n_errors)
        return;
    library_list_classes(a->k->library, a->name, &list, &n);
    bool *settled = ARENA_ARRAY(ctx->arena, bool, n + 1);
    for (uint32_t i = 0; i < n && !*ctx->interrupt; i++)
        settled[i] = list[i].is_partial || check_class(a, &list[i], false);
    if (!ctx->n_errors)
        check_further(a, list, settled, n);
    for (uint32_t i = 0; i < n && !*ctx->interrupt; i++)
        if (list[i].is_partial)
            check_class(a, &list[i], false);
    a->status = *ctx->interrupt ? KAIROS_INTERRUPTED
                : ctx->n_errors ? KAIROS_MODEL_ERROR
                                : KAIROS_OK;
}

/* All phases up to the sorted equations. A component whose connectors have flows is counted as if
 * they were connected (Modelica 3.6, section 4.7), and not sorted. Missing parts that the use of a
 * component supplies, such as an inner component, a clock or a medium, are not errors. */
static bool check_as_class(Compilation *c)
{
    uint32_t before = c->ctx->diags.n;
    bool flat = compile_model(c, PHASE_FLATTEN);
    if (c->instance &&
        (instance_has_flows(c->instance) || (!flat && instance_has_ports(c->instance)))) {
        forgive(c->ctx, before, is_of_surroundings, false);
        return !c->ctx->n_errors;
    }
    return flat && sort_equations(c);
}

static void is_model(void *arg)
{
    CheckAll *a = arg;
    const Kairos *k = a->k;
    if (a->name) {
        const AstClass *c = k->ctx->n_errors ? NULL : library_find_model(k->library, a->name);
        a->is_model = !c || ast_is_model(c);
    } else {
        a->is_model = library_has_model(k->library);
    }
}

int kairos_check_model(Kairos *k, const char *name, const KairosCompile *how)
{
    CheckAll a = {.k = k, .name = name, .status = KAIROS_OK};
    int status = k->compiled = session_guard(k, is_model, &a, &a.status);
    if (status != KAIROS_OK)
        return status;
    if (!a.is_model)
        return kairos_check_classes(k, name, how);
    return session_check_alone(k, name, how, check_as_class);
}

int kairos_check_classes(Kairos *k, const char *name, const KairosCompile *how)
{
    CheckAll a = {.k = k, .name = name, .given = how};
    pthread_rwlock_wrlock(&k->models);
    k->compiled = session_guard(k, check_all, &a, &a.status);
    pthread_rwlock_unlock(&k->models);
    return k->compiled;
}
