/* Code generation: the sections of ModelCode, the torn blocks and the table that names them. See
 * codegen.h. */
#include "codegen/emit.h"
#include "codegen/prelude.h"
#include "runtime/model.h"
#include "structure/plan/numbers.h"

#include <stdio.h>

/* ---- blocks ---- */

typedef struct Sections {
    Codegen *cg;
    const CodegenOptions *options;
    uint32_t *number;   /* per block: of the table, or NONE */
    uint8_t *active;    /* per variable: its tangent is computed by ModelCode.tangent */
    uint8_t *local;     /* the same for the tangent of one block */
    uint8_t *sensitive; /* per block: has a sensitivity function */
    uint8_t *real;      /* per variable: variations depend on it */
    uint32_t n_blocks;  /* in the table */
    bool crossings;     /* there is such a section */
    Items items;
} Sections;

/* ---- items ---- */

static uint8_t relation_op(ExprOp op)
{
    return op == OP_LT ? 0 : op == OP_LE ? 1 : op == OP_GT ? 2 : 3;
}

static Item step_item(const Sections *s, const PlanStep *step, ItemKind kind)
{
    const Dae *d = s->cg->dae;
    const DaeEq *eq = &d->eqs.at[step->eq];
    if (eq->origin == DAE_EQ_RELATION && d->vars.at[step->var].kind == DAE_RELATION) {
        uint32_t k = d->vars.at[step->var].detail;
        const DaeRelation *rel = &d->relations.at[k];
        return (Item){.kind = ITEM_RELATION,
                      .op = relation_op(rel->op),
                      .e = rel->z.shape,
                      .ops = rel->z.ops,
                      .n = rel->z.n,
                      .target = step->var,
                      .detail = k,
                      .eq = step->eq};
    }
    return (Item){.kind = (uint8_t)kind,
                  .e = step->value != EXPR_NONE ? step->value : eq->term.shape,
                  .ops = eq->term.ops,
                  .n = eq->term.n,
                  .target = step->var,
                  .detail = NONE,
                  .eq = step->eq};
}

static void add_steps(Sections *s, uint32_t from, uint32_t n, ItemKind kind)
{
    for (uint32_t i = from; i < from + n; i++) {
        vec_push(&s->items, step_item(s, &s->cg->plan->steps.at[i], kind));
    }
}

static void add_solve(Sections *s, uint32_t number, SolveCall how)
{
    vec_push(&s->items,
             ((Item){.kind = ITEM_SOLVE, .op = (uint8_t)how, .target = number, .eq = NONE}));
}

static void add_torn(Sections *s, const PlanBlock *b, ItemKind kind)
{
    for (uint32_t i = 0; i < b->n_torn; i++) {
        const PlanTorn *torn = &s->cg->plan->torn.at[b->torn + i];
        const DaeEq *eq = &s->cg->dae->eqs.at[torn->eq];
        vec_push(&s->items, ((Item){.kind = (uint8_t)kind,
                                    .e = eq->term.shape,
                                    .ops = eq->term.ops,
                                    .n = eq->term.n,
                                    .target = i,
                                    .detail = eq->target,
                                    .eq = torn->eq}));
    }
}

/* Everything a block computes at an event or at the start. */
static void add_whole_block(Sections *s, uint32_t block, ItemKind kind)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    if (b->mixed) {
        add_solve(s, s->number[block], SOLVE_MIXED);
    } else if (b->n_torn > 0) {
        add_solve(s, s->number[block], SOLVE_BLOCK);
    } else {
        add_steps(s, b->step, b->n_steps, kind);
    }
}

/* Its real unknowns only, between events. */
static void add_continuous_block(Sections *s, uint32_t block)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    if (b->n_torn > 0) {
        add_solve(s, s->number[block], SOLVE_BLOCK);
    } else {
        add_steps(s, b->step, b->n_steps, ITEM_VALUE);
    }
}

static void write_section(Sections *s, const char *name, const char *out)
{
    assignments_function(s->cg, &s->items, &(Sequence){.name = name, .out = out});
    vec_clear(&s->items);
}

/* ---- activity: which tangents depend on the seeds ---- */

static bool item_active(Sections *s, const Item *it, const uint8_t *active)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(s->cg->dae->symbolic, it->e, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (active[s->cg->dae->ops.at[it->ops + holes[i]]]) {
            return true;
        }
    }
    return it->kind == ITEM_SLOPE && it->detail != NONE && active[it->detail];
}

/* Marks variables that become active from item `from` on, and drops inactive assignments. */
static void propagate(Sections *s, uint32_t from, uint8_t *active)
{
    uint32_t kept = from;
    for (uint32_t i = from; i < s->items.n; i++) {
        Item it = s->items.at[i];
        bool on = item_active(s, &it, active);
        if (it.kind == ITEM_TANGENT) {
            active[it.target] = on;
        }
        if (on || it.kind == ITEM_SLOPE) {
            s->items.at[kept++] = it;
        }
    }
    s->items.n = kept;
}

static void add_tangents(Sections *s, const PlanBlock *b)
{
    for (uint32_t i = b->step; i < b->step + b->n_steps; i++) {
        Item it = step_item(s, &s->cg->plan->steps.at[i], ITEM_TANGENT);
        if (it.kind == ITEM_TANGENT && s->cg->dae->vars.at[it.target].kind != DAE_FOLLOWING) {
            vec_push(&s->items, it);
        }
    }
}

static void set_active(const Plan *p, const PlanBlock *b, uint8_t *active, bool inner, uint8_t on)
{
    for (uint32_t i = 0; i < b->n_torn; i++) {
        active[p->torn.at[b->torn + i].var] = on;
    }
    for (uint32_t i = 0; inner && i < b->n_steps; i++) {
        active[p->steps.at[b->step + i].var] = on;
    }
}

/* ---- functions of a block ---- */

static char *block_name(const char *what, uint32_t number, char *buf, size_t size)
{
    snprintf(buf, size, "%s_%u", what, number);
    return buf;
}

static void index_table(Text *t, const char *name, uint32_t number, const VarId *vars, uint32_t n)
{
    text_printf(t, "static const unsigned %s_%u[%u] = {", name, number, n > 0 ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        text_printf(t, "%s%u", i == 0 ? "" : i % 20 == 0 ? ",\n" : ",", vars[i]);
    }
    text_put(t, n > 0 ? "};\n" : "0};\n");
}

/* Unknown i of a linear block, torn ones first, if it belongs to a switch; otherwise NONE. */
static VarId switched_unknown(const Plan *p, const PlanBlock *b, uint32_t i)
{
    VarId v =
        i < b->n_torn ? p->torn.at[b->torn + i].var : p->steps.at[b->step + i - b->n_torn].var;
    return b->kind == BLOCK_LINEAR && p->dae->vars.at[v].of_switch ? v : NONE;
}

static uint32_t count_switched(const Plan *p, const PlanBlock *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_torn + b->n_steps; i++) {
        n += switched_unknown(p, b, i) != NONE;
    }
    return n;
}

static void block_tables(Sections *s, const PlanBlock *b, uint32_t number)
{
    const Plan *p = s->cg->plan;
    VEC(VarId) vars = {0};
    for (uint32_t i = 0; i < b->n_torn; i++) {
        vec_push(&vars, p->torn.at[b->torn + i].var);
    }
    index_table(&s->cg->tables, "torn", number, vars.at, vars.n);
    vec_clear(&vars);
    for (uint32_t i = 0; i < b->n_discrete; i++) {
        vec_push(&vars, p->steps.at[b->discrete + i].var);
    }
    index_table(&s->cg->tables, "discretes", number, vars.at, vars.n);
    vec_clear(&vars);
    for (uint32_t i = 0; i < b->n_torn + b->n_steps; i++) {
        VarId v = switched_unknown(p, b, i);
        if (v != NONE) {
            vec_push(&vars, v);
        }
    }
    index_table(&s->cg->tables, "switched", number, vars.at, vars.n);
    if (b->jacobian != NULL && !s->options->alone) {
        index_table(&s->cg->tables, "col_ptr", number, b->jacobian->col_ptr, b->n_torn + 1);
        index_table(&s->cg->tables, "row", number, b->jacobian->row,
                    b->jacobian->col_ptr[b->n_torn]);
        index_table(&s->cg->tables, "colour", number, b->jacobian->colour, b->n_torn);
    }
    vec_free(&vars);
}

static void block_functions(Sections *s, uint32_t block)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    uint32_t number = s->number[block];
    char name[40];
    block_tables(s, b, number);
    add_steps(s, b->step, b->n_steps, ITEM_VALUE);
    add_torn(s, b, ITEM_RESIDUAL);
    assignments_function(
        s->cg, &s->items,
        &(Sequence){.name = block_name("residual", number, name, sizeof name), .is_void = true});
    vec_clear(&s->items);

    add_tangents(s, b);
    add_torn(s, b, ITEM_SLOPE);
    set_active(s->cg->plan, b, s->local, false, 1);
    propagate(s, 0, s->local);
    assignments_function(s->cg, &s->items,
                         &(Sequence){.name = block_name("slope", number, name, sizeof name),
                                     .is_void = true,
                                     .active = s->local});
    vec_clear(&s->items);
    set_active(s->cg->plan, b, s->local, true, 0);

    if (b->n_discrete > 0) {
        add_steps(s, b->discrete, b->n_discrete, ITEM_VALUE);
        assignments_function(s->cg, &s->items,
                             &(Sequence){.name = block_name("discrete", number, name, sizeof name),
                                         .is_void = true});
        vec_clear(&s->items);
    }
}

/* The block's tangent with respect to everything active, for kr_solve_tangent. */
static void sensitivity_function(Sections *s, uint32_t block)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    char name[40];
    Items outer = s->items;
    s->items = (Items){0};
    add_tangents(s, b);
    add_torn(s, b, ITEM_SLOPE);
    assignments_function(
        s->cg, &s->items,
        &(Sequence){.name = block_name("sensitivity", s->number[block], name, sizeof name),
                    .is_void = true,
                    .active = s->active});
    vec_free(&s->items);
    s->items = outer;
}

static bool block_active(Sections *s, const PlanBlock *b)
{
    Items outer = s->items;
    s->items = (Items){0};
    add_tangents(s, b);
    add_torn(s, b, ITEM_SLOPE);
    bool on = false;
    for (uint32_t i = 0; i < s->items.n && !on; i++) {
        on = item_active(s, &s->items.at[i], s->active);
    }
    vec_free(&s->items);
    s->items = outer;
    return on;
}

/* ---- sections ---- */

/* Reals that other parts compute, because none of these blocks does. */
static void activate_others(Sections *s)
{
    const Plan *p = s->cg->plan;
    for (VarId v = 0; v < s->cg->dae->vars.n; v++) {
        uint8_t kind = s->cg->dae->vars.at[v].kind;
        s->active[v] = kind == DAE_CONTINUOUS || kind == DAE_DERIVATIVE || kind == DAE_OUTSIDE;
    }
    for (uint32_t k = 0; k < p->main.n_blocks; k++) {
        set_active(p, &p->blocks.at[p->main.block + k], s->active, true, 0);
    }
}

static void tangent_section(Sections *s)
{
    const Plan *p = s->cg->plan;
    for (uint32_t i = 0; i < p->states.n; i++) {
        s->active[p->states.at[i].var] = 1;
    }
    if (s->options->part) {
        activate_others(s);
    }
    for (uint32_t k = 0; k < p->main.n_blocks; k++) {
        uint32_t block = p->main.block + k;
        const PlanBlock *b = &p->blocks.at[block];
        if (!(b->uses & USE_DERIVATIVE) || b->uses & USE_PARAMETER) {
            continue;
        }
        if (b->n_torn == 0) {
            uint32_t from = s->items.n;
            add_tangents(s, b);
            propagate(s, from, s->active);
        } else if (block_active(s, b)) {
            set_active(p, b, s->active, true, 1);
            s->sensitive[block] = 1;
            sensitivity_function(s, block);
            add_solve(s, s->number[block], SOLVE_TANGENT);
        }
    }
    assignments_function(s->cg, &s->items, &(Sequence){.name = "tangent", .active = s->active});
    vec_clear(&s->items);
}

/* ---- variations: tangents with respect to all Reals ---- */

/* Tangents of steps that compute Reals. `unless_set`: of parameters that may be given. */
static void add_variations(Sections *s, uint32_t from, uint32_t n, bool unless_set)
{
    for (uint32_t i = from; i < from + n; i++) {
        Item it = step_item(s, &s->cg->plan->steps.at[i], ITEM_TANGENT);
        if (it.kind == ITEM_TANGENT && s->real[it.target]) {
            it.op = unless_set;
            vec_push(&s->items, it);
        }
    }
}

static void variation_function(Sections *s, uint32_t block)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    char name[40];
    add_variations(s, b->step, b->n_steps, false);
    add_torn(s, b, ITEM_SLOPE);
    assignments_function(
        s->cg, &s->items,
        &(Sequence){.name = block_name("variation", s->number[block], name, sizeof name),
                    .is_void = true,
                    .active = s->real});
    vec_clear(&s->items);
}

/* Discrete Reals of a mixed block and its torn Reals may depend on each other: two turns. */
static void vary_block(Sections *s, uint32_t block, bool whole, bool unless_set)
{
    const PlanBlock *b = &s->cg->plan->blocks.at[block];
    if (b->n_torn == 0) {
        add_variations(s, b->step, b->n_steps, unless_set);
    } else {
        add_solve(s, s->number[block], SOLVE_VARIATION);
    }
    for (int turn = 0; turn < 2 && whole && b->n_discrete > 0; turn++) {
        uint32_t before = s->items.n;
        add_variations(s, b->discrete, b->n_discrete, false);
        if (s->items.n > before && b->n_torn > 0) {
            add_solve(s, s->number[block], SOLVE_VARIATION);
        }
    }
}

static void write_variation(Sections *s, const char *name, bool is_void)
{
    assignments_function(s->cg, &s->items,
                         &(Sequence){.name = name, .is_void = is_void, .active = s->real});
    vec_clear(&s->items);
}

static void vary_sequence(Sections *s, const char *name, PlanSequence seq, bool unless_set)
{
    for (uint32_t k = 0; k < seq.n_blocks; k++) {
        vary_block(s, seq.block + k, true, unless_set);
    }
    write_variation(s, name, false);
}

static void vary_main(Sections *s, const char *name, bool (*wanted)(uint8_t uses))
{
    const Plan *p = s->cg->plan;
    for (uint32_t k = 0; k < p->main.n_blocks; k++) {
        if (wanted(p->blocks.at[p->main.block + k].uses)) {
            vary_block(s, p->main.block + k, false, false);
        }
    }
    write_variation(s, name, false);
}

static void vary_term(Sections *s, Term t, uint32_t target, Span span)
{
    s->cg->span = span;
    vec_push(&s->items, ((Item){.kind = ITEM_SLOPE,
                                .e = t.shape,
                                .ops = t.ops,
                                .n = t.n,
                                .target = target,
                                .detail = NONE,
                                .eq = NONE}));
}

static void vary_terms(Sections *s)
{
    const Dae *d = s->cg->dae;
    bool bare = s->options->bare;
    for (uint32_t k = 0; k < d->relations.n && !bare; k++) {
        vary_term(s, d->relations.at[k].z, k, d->relations.at[k].span);
    }
    write_variation(s, "vary_indicators", true);
    for (uint32_t k = 0; k < d->actions.n && !bare; k++) {
        if (d->actions.at[k].kind == ACTION_REINIT) {
            vary_term(s, d->actions.at[k].value, k, d->actions.at[k].span);
        }
    }
    write_variation(s, "vary_actions", true);
    for (uint32_t k = 0; k < d->samples.n && !bare; k++) {
        vary_term(s, d->samples.at[k].start, 2 * k, d->samples.at[k].span);
        vary_term(s, d->samples.at[k].interval, 2 * k + 1, d->samples.at[k].span);
    }
    write_variation(s, "vary_samples", true);
}

static void main_section(Sections *s, const char *name, bool (*wanted)(uint8_t uses))
{
    const Plan *p = s->cg->plan;
    for (uint32_t k = 0; k < p->main.n_blocks; k++) {
        if (wanted(p->blocks.at[p->main.block + k].uses)) {
            add_continuous_block(s, p->main.block + k);
        }
    }
    write_section(s, name, NULL);
}

static bool for_constants(uint8_t u)
{
    return (u & USE_PARAMETER) != 0;
}
static bool for_derivatives(uint8_t u)
{
    return (u & USE_DERIVATIVE) != 0 && !for_constants(u);
}
static bool for_guards(uint8_t u)
{
    return (u & USE_INDICATOR) != 0 && !(u & (USE_DERIVATIVE | USE_PARAMETER));
}
static bool for_crossings(uint8_t u)
{
    return (u & USE_INDICATOR) != 0 && !for_constants(u);
}
static bool for_outputs(uint8_t u)
{
    return (u & (USE_INDICATOR | USE_OUTPUT)) != 0 && !(u & (USE_DERIVATIVE | USE_PARAMETER));
}

/* Crossing functions are evaluated often, and usually need few equations. If they need at least
 * half of the derivatives, a section of their own would only be more text. */
static void crossing_section(Sections *s)
{
    const Plan *p = s->cg->plan;
    uint32_t shared = 0, all = 0;
    for (uint32_t k = 0; k < p->main.n_blocks; k++) {
        const PlanBlock *b = &p->blocks.at[p->main.block + k];
        uint32_t size = b->n_steps + b->n_torn;
        all += for_derivatives(b->uses) ? size : 0;
        shared += for_derivatives(b->uses) && for_crossings(b->uses) ? size : 0;
    }
    s->crossings = 2 * shared < all && !s->options->part;
    if (s->crossings) {
        main_section(s, "crossings", for_crossings);
    }
}

static void whole_section(Sections *s, const char *name, PlanSequence seq, ItemKind kind)
{
    for (uint32_t k = 0; k < seq.n_blocks; k++) {
        add_whole_block(s, seq.block + k, kind);
    }
    write_section(s, name, NULL);
}

static void add_out(Sections *s, Term t, uint32_t target, Span span)
{
    s->cg->span = span;
    vec_push(&s->items, ((Item){.kind = ITEM_OUT,
                                .e = t.shape,
                                .ops = t.ops,
                                .n = t.n,
                                .target = target,
                                .detail = NONE,
                                .eq = NONE}));
}

static void relation_section(Sections *s)
{
    const Dae *d = s->cg->dae;
    VEC(VarId) vars = {0};
    for (uint32_t k = 0; k < d->relations.n && !s->options->bare; k++) {
        vec_push(&vars, d->relations.at[k].var);
        add_out(s, d->relations.at[k].z, k, d->relations.at[k].span);
    }
    index_table(&s->cg->tables, "relations", 0, vars.at, vars.n);
    vec_free(&vars);
    write_section(s, "indicators", "z");
}

static void action_section(Sections *s)
{
    const Dae *d = s->cg->dae;
    for (uint32_t k = 0; k < d->actions.n && !s->options->bare; k++) {
        add_out(s, d->actions.at[k].guard, k, d->actions.at[k].span);
    }
    write_section(s, "action_guards", "guard");
    for (uint32_t k = 0; k < d->actions.n && !s->options->bare; k++) {
        if (d->actions.at[k].kind == ACTION_REINIT) {
            add_out(s, d->actions.at[k].value, k, d->actions.at[k].span);
        }
    }
    write_section(s, "action_values", "value");
    text_put(&s->cg->body, "\nstatic int actions(ModelData *m, double *guard, double *value)\n{\n"
                           "    int s = action_guards(m, guard);\n"
                           "    return s != 0 ? s : action_values(m, value);\n}\n");
}

static void instants_section(Sections *s)
{
    const Dae *d = s->cg->dae;
    const Plan *p = s->cg->plan;
    for (uint32_t k = 0; k < d->samples.n; k++) {
        add_out(s, d->samples.at[k].start, 2 * k, d->samples.at[k].span);
        add_out(s, d->samples.at[k].interval, 2 * k + 1, d->samples.at[k].span);
    }
    for (uint32_t k = 0; k < p->assumptions.n; k++) {
        add_out(s, p->assumptions.at[k].zero, 2 * d->samples.n + k, (Span){0});
    }
    write_section(s, "instants", "t");
    text_put(&s->cg->body, "\nint kairos_instants(ModelData *m, double *t)\n{\n"
                           "    return instants(m, t);\n}\n");
}

static void variation_sections(Sections *s)
{
    const Plan *p = s->cg->plan;
    for (VarId v = 0; v < s->cg->dae->vars.n; v++) {
        const DaeVar *var = &s->cg->dae->vars.at[v];
        s->real[v] = var->type == DAE_REAL && var->kind != DAE_LAMBDA;
    }
    for (uint32_t i = 0; i < p->blocks.n && !s->cg->failed; i++) {
        if (s->number[i] != NONE) {
            variation_function(s, i);
        }
    }
    vary_sequence(s, "vary_parameters", p->parameters, true);
    vary_sequence(s, "vary_initial", p->initial, false);
    vary_main(s, "vary_derivatives", for_derivatives);
    vary_main(s, "vary_outputs", for_outputs);
    vary_main(s, "vary_constants", for_constants);
    vary_sequence(s, "vary_event", p->main, false);
    vary_main(s, "vary_guards", for_guards);
    vary_terms(s);
    text_put(&s->cg->body,
             "\nstatic const ModelVariations variations = {\n"
             "    vary_parameters, vary_initial, vary_derivatives, vary_outputs, vary_constants,\n"
             "    vary_event, vary_guards, vary_indicators, vary_actions, vary_samples,\n};\n");
}

static uint32_t block_table(Sections *s)
{
    const Plan *p = s->cg->plan;
    Text *t = &s->cg->body;
    uint32_t n = 0;
    text_put(t, "\nstatic const ModelBlockCode blocks[] = {\n");
    for (uint32_t i = 0; i < p->blocks.n; i++) {
        const PlanBlock *b = &p->blocks.at[i];
        if (s->number[i] == NONE) {
            continue;
        }
        n = s->number[i] + 1;
        uint32_t k = s->number[i];
        text_printf(t, "    {residual_%u, slope_%u, ", k, k);
        text_printf(t, b->n_discrete > 0 ? "discrete_%u, " : "0, ", k);
        text_printf(t, "torn_%u, %u, %d, %d, %d, ", k, b->n_torn, b->kind == BLOCK_LINEAR,
                    b->constant_jacobian ? BLOCK_CONSTANT
                    : b->steady_jacobian ? BLOCK_STEADY
                                         : 0,
                    b->mixed);
        text_printf(t, s->sensitive[i] ? "sensitivity_%u, " : "0, ", k);
        text_printf(t, "discretes_%u, %u, switched_%u, %u", k, b->n_discrete, k,
                    count_switched(p, b));
        if (b->jacobian != NULL && !s->options->alone) {
            text_printf(t, ", col_ptr_%u, row_%u, colour_%u, %u", k, k, k, b->jacobian->n_colours);
        } else {
            text_put(t, ", 0, 0, 0, 0");
        }
        text_printf(t, s->options->variations ? ", variation_%u" : "", k);
        text_put(t, "},\n");
    }
    text_put(t, n == 0 ? "    {0},\n};\n" : "};\n");
    return n;
}

static void write_sections(Sections *s)
{
    const Plan *p = s->cg->plan;
    for (uint32_t i = 0; i < p->blocks.n && !s->cg->failed; i++) {
        if (s->number[i] != NONE) {
            block_functions(s, i);
        }
    }
    whole_section(s, "parameters", p->parameters, ITEM_SET);
    whole_section(s, "initial", p->initial, ITEM_VALUE);
    main_section(s, "derivatives", for_derivatives);
    main_section(s, "outputs", for_outputs);
    main_section(s, "constants", for_constants);
    whole_section(s, "event", p->main, ITEM_VALUE);
    main_section(s, "guards", for_guards);
    crossing_section(s);
    relation_section(s);
    tangent_section(s);
    action_section(s);
    if (s->options->alone) {
        instants_section(s);
    }
    if (s->options->variations) {
        variation_sections(s);
    }
    s->n_blocks = block_table(s);
}

/* Last, because functions may contain further literals. */
static void write_table(Sections *s)
{
    text_printf(&s->cg->body,
                "\nconst ModelCode kairos_model = {\n"
                "    parameters, initial, derivatives, outputs, constants, event, guards, "
                "indicators, tangent, "
                "actions,\n"
                "    blocks, %u, %u, %d, relations_0, %u, S, %u, %s, %s,\n};\n",
                s->n_blocks, s->cg->dae->vars.n, MODEL_ABI,
                s->options->bare ? 0 : s->cg->dae->relations.n, s->cg->strings.n,
                s->crossings ? "crossings" : "0", s->options->variations ? "&variations" : "0");
}

/* ---- the text ---- */

static void string_table(Codegen *cg, Text *t)
{
    text_put(t, "static const char *const S[] = {");
    for (uint32_t i = 0; i < cg->strings.n; i++) {
        text_put(t, "\"");
        for (const char *s = cg->strings.at[i]; *s != '\0'; s++) {
            text_printf(t, "\\%03o", (unsigned)(unsigned char)*s);
        }
        text_put(t, "\", ");
    }
    text_put(t, "0};\n");
}

static char *assemble(Codegen *cg, size_t *size)
{
    Text t = {0};
    text_put(&t, "/* Generated by Kairos. */\n");
    for (const char *const *line = codegen_prelude; *line != NULL; line++) {
        text_put(&t, *line);
        text_put(&t, "\n");
    }
    string_table(cg, &t);
    const Text *parts[] = {&cg->prototypes, &cg->tables, &cg->functions, &cg->body};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        text_put_n(&t, parts[i]->at != NULL ? parts[i]->at : "", parts[i]->n);
    }
    if (size != NULL) {
        *size = t.n;
    }
    return t.at;
}

static void free_codegen(Codegen *cg)
{
    text_free(&cg->tables);
    text_free(&cg->functions);
    text_free(&cg->prototypes);
    text_free(&cg->body);
    vec_free(&cg->called);
    map_free(&cg->called_at);
    map_free(&cg->lowered);
    vec_free(&cg->strings);
    map_free(&cg->string_at);
    map_free(&cg->constant_arrays);
    map_free(&cg->constant_tables);
    vec_free(&cg->nodes);
    vec_free(&cg->places);
    vec_free(&cg->regions);
    vec_free(&cg->index);
    arena_free(cg->scratch);
}

char *codegen_model(const Plan *plan, const CodegenOptions *options, size_t *size)
{
    Codegen cg = {.plan = plan,
                  .dae = plan->dae,
                  .g = plan->dae->g,
                  .ctx = plan->dae->ctx,
                  .comments = options->comments,
                  .profiled = options->profiled,
                  .scratch = arena_new()};
    Arena *arena = arena_new();
    Sections s = {.cg = &cg,
                  .options = options,
                  .number = ARENA_ARRAY(arena, uint32_t, plan->blocks.n + 1),
                  .active = ARENA_ARRAY(arena, uint8_t, plan->dae->vars.n + 1),
                  .local = ARENA_ARRAY(arena, uint8_t, plan->dae->vars.n + 1),
                  .sensitive = ARENA_ARRAY(arena, uint8_t, plan->blocks.n + 1),
                  .real = ARENA_ARRAY(arena, uint8_t, plan->dae->vars.n + 1)};
    uint32_t n = 0;
    for (uint32_t i = 0; i < plan->blocks.n; i++) {
        s.number[i] = plan_is_numbered(&plan->blocks.at[i]) ? n++ : NONE;
    }
    write_sections(&s);
    emit_functions(&cg);
    write_table(&s);
    char *text = cg.failed ? NULL : assemble(&cg, size);
    vec_free(&s.items);
    arena_free(arena);
    free_codegen(&cg);
    return text;
}
