/* The export as a whole. */
#include "fmu/fmu.h"

#include "base/text.h"
#include "expr/walk.h"
#include "flatten/flat/flat_walk.h"
#include "fmu/resources.h"
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
static bool can_exchange(Context *ctx, const Plan *plan, const FmuOptions *o)
{
    const char *why = exchange_obstacle(plan);
    why = !why && o->changes_states ? "switches that change its states" : why;
    if (!why)
        return true;
    diag(ctx, (Span){0}, DIAG_U020, "the model cannot be exported for model exchange: it has %s",
         why);
    diag_note(ctx, (Span){0}, "export it for co-simulation: --kind cs");
    return false;
}

static void put_row(Text *t, const FmuVariable *v, const char *kind)
{
    const char *const cells[] = {v->name, kind, v->unit, v->description};
    text_put(t, "<tr>");
    for (unsigned k = 0; k < sizeof cells / sizeof *cells; k++) {
        text_put(t, "<td>");
        text_put_xml(t, cells[k] ? cells[k] : "");
        text_put(t, "</td>");
    }
    text_put(t, "</tr>\n");
}

/* A page about the model: its description, and its parameters, inputs and outputs. */
static const char *page_of(const FmuModel *m, bool has_diagram)
{
    static const char *const kinds[] = {
        [CAUSE_PARAMETER] = "parameter", [CAUSE_INPUT] = "input", [CAUSE_OUTPUT] = "output"};
    Text t = {0};
    text_put(&t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>");
    text_put_xml(&t, m->declared->name);
    text_put(&t, "</title></head>\n<body>\n<h1>");
    text_put_xml(&t, m->declared->name);
    text_put(&t, "</h1>\n<p>");
    text_put_xml(&t, m->declared->description ? m->declared->description : "");
    text_put(&t, has_diagram ? "</p>\n<p><img src=\"diagram.svg\" alt=\"Diagram\">" : "");
    text_put(&t, "</p>\n<table>\n<tr><th>variable</th><th>kind</th><th>unit</th>"
                 "<th>description</th></tr>\n");
    for (uint32_t i = 0; i < m->variables.n; i++) {
        const FmuVariable *v = &m->variables.at[i];
        if (v->causality <= CAUSE_OUTPUT && kinds[v->causality])
            put_row(&t, v, kinds[v->causality]);
    }
    text_put(&t, "</table>\n<p>Written by Kairos " KAIROS_VERSION ".</p>\n</body>\n</html>\n");
    return text_keep(&t, m->arena);
}

bool fmu_export(Context *ctx, const Flat *declared, const Plan *plan, const char *text,
                FmuContents *contents, const FmuOptions *o)
{
    if (o->exchange && !can_exchange(ctx, plan, o))
        return false;
    Arena *arena = contents->arena;
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
    fmu_collect_clocks(&m);
    if (o->source && !fmu_add_sources(&m, contents)) {
        vec_free(&m.variables);
        vec_free(&m.clocks);
        vec_free(&m.sources);
        return false;
    }
    const char *description = fmu_describe(&m, &n_description);
    const char *page = page_of(&m, contents->has_diagram);
    vec_push(&contents->files, ((FmuFile){"modelDescription.xml", description, n_description}));
    vec_push(&contents->files, ((FmuFile){"resources/" MODEL_FILE, text, n}));
    if (o->version == 3) {
        const char *arrays = fmu_list_arrays(&m), *clocks = fmu_list_clocks(&m);
        vec_push(&contents->files, ((FmuFile){"resources/" ARRAYS_FILE, arrays, strlen(arrays)}));
        vec_push(&contents->files, ((FmuFile){"resources/" CLOCKS_FILE, clocks, strlen(clocks)}));
    }
    vec_push(&contents->files, ((FmuFile){"documentation/index.html", page, strlen(page)}));
    bool ok = description && (o->version < 3 || fmu_add_terminals(&m, contents));
    vec_free(&m.variables);
    vec_free(&m.clocks);
    vec_free(&m.sources);
    return ok && fmu_pack(ctx, o, m.identifier, contents->files.at, contents->files.n);
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
    if (!var || (var->is_final && var->evaluated) || var->variability != VARIES_PARAMETER)
        return WALK_ON;
    var->is_final = var->evaluated = true;
    if (var->binding)
        vec_push(&x->open, var->binding);
    return WALK_ON;
}

/* A structural parameter is a number in the text. So T[n] stays one element of an array. The same
 * holds for parameters that it is computed from. */
static void make_constant(FlatVar *v)
{
    if (v->evaluated && v->binding && v->variability == VARIES_PARAMETER)
        v->variability = VARIES_CONSTANT;
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
    for (uint32_t v = 0; v < f->vars.n; v++)
        make_constant(&f->vars.at[v]);
    vec_free(&x.open);
}
