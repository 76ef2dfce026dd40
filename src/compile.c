/* The driver. One row per phase: its function, its checker, its printer. Parsing (src/syntax)
 * happens before, when a file or a library is loaded. */
#include "compile.h"

#include "base/clock.h"
#include "dae/build.h"
#include "flatten/flatten.h"
#include "flatten/units/unit_check.h"
#include "structure/structure.h"

static bool run_instance(Compilation *c)
{
    c->instance = instance_model(c->library, c->model, c->mods, c->n_mods);
    return c->instance;
}

void compile_flatten(Compilation *c)
{
    c->flat = flatten_model(c->library, c->instance);
    for (Instance *next; (next = instance_again(c->library, c->instance));) {
        flat_free(c->flat);
        c->instance = next;
        c->flat = flatten_model(c->library, next);
    }
    if (c->ctx->plain_names)
        paths_unquote(c->flat->paths, c->ctx->names);
}

static bool run_flatten(Compilation *c)
{
    compile_flatten(c);
    if (!c->ctx->n_errors && !flat_without_events(c->ctx, c->flat, c->no_events, c->n_no_events))
        c->misused = true;
    if (c->units && !c->ctx->n_errors)
        flat_check_units(c->ctx, c->flat);
    return !c->ctx->n_errors && flat_balance(c->ctx, c->flat);
}

static bool run_dae(Compilation *c)
{
    flat_add_sign_events(c->flat);
    c->dae = dae_build(c->ctx, c->flat);
    flat_drop_equations(c->flat);
    return c->dae;
}

static bool run_structure(Compilation *c)
{
    c->plan = structure_plan(c->dae);
    return c->plan;
}

void compile_as_written(Compilation *c, bool inlined)
{
    DiagMark mark = diag_mark(c->ctx);
    bool differs = dae_may_have_switch_values(c->dae) && (inlined || !c->plan->guards.n);
    Plan *plan = differs ? structure_plan_as(c->dae, &(PlanOptions){0}) : NULL;
    diag_discard(c->ctx, mark);
    if (!plan)
        return;
    plan_free(c->plan);
    c->plan = plan;
}

static bool run_codegen(Compilation *c)
{
    size_t size;
    CodegenOptions options = {
        .comments = c->comments, .profiled = c->profiled, .variations = c->variations};
    c->code = codegen_model(c->plan, &options, &size);
    return c->code;
}

static bool run_load(Compilation *c)
{
    c->loaded = load_compile(c->ctx, c->code, c->tier);
    if (c->loaded)
        c->code_tier = tier_new(load_code(c->loaded), c->code, c->tiered);
    return c->loaded;
}

static char *print_instance(const Compilation *c, Arena *a)
{
    return instance_print(c->instance, a);
}
static char *print_flat(const Compilation *c, Arena *a)
{
    return flat_print(c->flat, a);
}
static char *print_dae(const Compilation *c, Arena *a)
{
    return dae_print(c->dae, a);
}
static char *print_plan(const Compilation *c, Arena *a)
{
    return plan_print(c->plan, a);
}
static char *print_code(const Compilation *c, Arena *a)
{
    return arena_copy(a, c->code, strlen(c->code));
}

static const char *check_instance(const Compilation *c, Arena *a)
{
    return instance_check(c->instance, a);
}
static const char *check_flat(const Compilation *c, Arena *a)
{
    const char *breach = instance_check(c->instance, a); /* flattening made more of it */
    return breach ? breach : flat_check(c->flat, a);
}
static const char *check_dae(const Compilation *c, Arena *a)
{
    return dae_check(c->dae, a);
}
static const char *check_plan(const Compilation *c, Arena *a)
{
    return plan_check(c->plan, a);
}

static const struct PhaseRow {
    const char *name;
    bool (*run)(Compilation *c);
    const char *(*check)(const Compilation *c, Arena *arena);
    char *(*print)(const Compilation *c, Arena *arena);
} phases[PHASE_COUNT] = {
    [PHASE_INSTANCE] = {"instance", run_instance, check_instance, print_instance},
    [PHASE_FLATTEN] = {"flatten", run_flatten, check_flat, print_flat},
    [PHASE_DAE] = {"dae", run_dae, check_dae, print_dae},
    [PHASE_STRUCTURE] = {"structure", run_structure, check_plan, print_plan},
    [PHASE_CODEGEN] = {"codegen", run_codegen, NULL, print_code},
    [PHASE_LOAD] = {"load", run_load, NULL, NULL},
};

/* Checkers run in test builds; there a violation is an error. */
static bool check_product(const Compilation *c, const struct PhaseRow *phase)
{
#ifdef KAIROS_CHECK
    Arena *arena = arena_new();
    const char *breach = phase->check ? phase->check(c, arena) : NULL;
    if (breach)
        diag(c->ctx, (Span){0}, DIAG_X001, "the product of phase %s violates its contract: %s",
             phase->name, breach);
    arena_free(arena);
    return !breach;
#else
    (void)c, (void)phase;
    return true;
#endif
}

bool compile_model(Compilation *c, Phase last)
{
    for (Phase p = c->flat ? PHASE_DAE : 0; p <= last; p++) {
        double start = clock_now();
        if (*c->ctx->interrupt || !phases[p].run(c) || c->ctx->n_errors ||
            !check_product(c, &phases[p]))
            return false;
        c->seconds[p] = clock_now() - start;
    }
    return true;
}

static void free_code(Compilation *c)
{
    tier_free(c->code_tier);
    load_free(c->loaded);
    memory_free(c->code);
    c->code_tier = NULL;
    c->loaded = NULL;
    c->code = NULL;
}

bool compile_variations(Compilation *c)
{
    free_code(c);
    c->variations = true;
    return run_codegen(c) && run_load(c);
}

void compile_free(Compilation *c)
{
    free_code(c);
    plan_free(c->plan);
    dae_free(c->dae);
    flat_free(c->flat);
}

char *compile_dump(const Compilation *c, Phase phase, Arena *arena)
{
    return phases[phase].print(c, arena);
}

Phase compile_phase(const char *name)
{
    for (Phase p = 0; p < PHASE_COUNT; p++)
        if (!strcmp(phases[p].name, name) && phases[p].print)
            return p;
    return PHASE_COUNT;
}
