/* The export as a whole. */
#include "fmu/fmu.h"

#include "expr/walk.h"
#include "flatten/flat/flat_walk.h"
#include "fmu/token.h"
#include "sim/exchange.h"

#include <ctype.h>

/* The name of the class as an identifier of C. */
static const char *identifier_of(const char *name, Arena *arena)
{
    char *text = arena_printf(arena, "%s%s", isdigit((unsigned char)*name) ? "_" : "", name);
    for (char *p = text; *p; p++)
        *p = isalnum((unsigned char)*p) ? *p : '_';
    return text;
}

/* Model exchange cannot change states (docs/fmi.md). */
static bool can_exchange(Context *ctx, const Plan *plan)
{
    const char *why = exchange_obstacle(plan);
    if (!why)
        return true;
    diag(ctx, (Span){0}, DIAG_U020, "the model cannot be exported for model exchange: it has %s",
         why);
    diag_note(ctx, (Span){0}, "export it for co-simulation: --kind cs");
    return false;
}

bool fmu_export(Context *ctx, const Flat *declared, const Plan *plan, const char *text,
                const FmuOptions *o)
{
    if (o->exchange && !can_exchange(ctx, plan))
        return false;
    Arena *arena = arena_new();
    char *token = arena_alloc(arena, TOKEN_SIZE);
    size_t n = strlen(text), n_description = 0;
    model_token(text, n, token);
    FmuModel m = {.ctx = ctx,
                  .plan = plan,
                  .declared = declared,
                  .options = o,
                  .arena = arena,
                  .identifier = identifier_of(declared->name, arena),
                  .token = token};
    fmu_collect(&m);
    const char *description = fmu_describe(&m, &n_description);
    FmuFile files[] = {{"modelDescription.xml", description, n_description},
                       {"resources/" MODEL_FILE, text, n}};
    bool ok = description && fmu_pack(ctx, o, m.identifier, files, sizeof files / sizeof *files);
    vec_free(&m.variables);
    arena_free(arena);
    return ok;
}

/* ---- parameters that shape the text ---- */

typedef struct Fixing {
    Flat *f;
    VEC(ExprId) open; /* expressions whose parameters are to be fixed */
} Fixing;

static Walk fix_parameter(void *user, ExprId e)
{
    Fixing *x = user;
    uint32_t v = expr_op(x->f->g, e) == OP_VAR ? expr_index(x->f->g, e) : NONE;
    FlatVar *var = v < x->f->vars.n ? &x->f->vars.at[v] : NULL;
    if (!var || var->is_final || var->variability != VARIES_PARAMETER)
        return WALK_ON;
    var->is_final = true;
    if (var->binding)
        vec_push(&x->open, var->binding);
    return WALK_ON;
}

/* The text has only the branch that holds, if parameters decide. */
static void fix_conditions(void *user, FlatEq *eq)
{
    Fixing *x = user;
    for (uint32_t i = 0; eq->kind == FLAT_IF && i < eq->n_branches; i++) {
        ExprId condition = eq->branches[i].condition;
        if (condition && flat_variability(x->f, condition) <= VARIES_PARAMETER)
            vec_push(&x->open, condition);
    }
}

void fmu_fix_structure(Flat *f)
{
    Fixing x = {.f = f};
    for (uint32_t v = 0; v < f->vars.n; v++) {
        if (!f->vars.at[v].evaluated)
            continue;
        f->vars.at[v].is_final = true;
        if (f->vars.at[v].binding)
            vec_push(&x.open, f->vars.at[v].binding);
    }
    flat_each_equation(f->eqs.at, f->eqs.n, fix_conditions, &x);
    while (x.open.n)
        expr_walk_down(f->g, vec_pop(&x.open), fix_parameter, &x);
    vec_free(&x.open);
}
