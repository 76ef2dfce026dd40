/* A compiled model as tools show it: experiment, parameters and start values with their units,
 * variables. */
#include "inspect/inspect.h"

#include "output/output.h"

#include <math.h>

typedef struct Values {
    const Dae *dae;
    double *v;   /* of parameters, by VarId; NAN if unknown before the run */
    bool *state; /* by VarId */
    Arena *scratch;
} Values;

/* null if it is not finite */
static void inspect_put_number(Text *t, double x)
{
    if (isfinite(x))
        text_put_real(t, x);
    else
        text_put(t, "null");
}

void inspect_put_field(Text *t, const char *name, const char *value)
{
    text_printf(t, ",\"%s\":", name);
    if (value)
        text_put_json(t, value);
    else
        text_put(t, "null");
}

void inspect_put_place(Text *t, const Context *ctx, Span span)
{
    Place p = source_place(ctx->sources, span);
    if (!p.line)
        return;
    inspect_put_field(t, "path", p.path);
    text_printf(t, ",\"line\":%u,\"column\":%u", p.line, p.column);
}

/* ---- values of parameters ---- */

/* Those computed from others, in the order of the plan. */
static void compute_parameters(const Plan *plan, double *v)
{
    for (uint32_t i = 0; i < plan->parameters.n_blocks; i++) {
        const PlanBlock *b = &plan->blocks.at[plan->parameters.block + i];
        for (uint32_t k = 0; k < b->n_steps && !b->n_torn; k++) {
            const PlanStep *step = &plan->steps.at[b->step + k];
            Term term = plan->dae->eqs.at[step->eq].term;
            term.shape = step->value == EXPR_NONE ? term.shape : step->value;
            double value;
            v[step->var] = dae_eval(plan->dae, term, v, &value) == EVAL_OK ? value : (double)NAN;
        }
    }
}

double *inspect_parameters(const Plan *plan)
{
    const Dae *dae = plan->dae;
    double *v = memory_alloc((dae->vars.n + 1) * sizeof *v);
    for (VarId i = 0; i < dae->vars.n; i++)
        v[i] = dae->vars.at[i].kind == DAE_PARAMETER ? dae->vars.at[i].value : (double)NAN;
    compute_parameters(plan, v);
    return v;
}

static Values values_new(const Plan *plan)
{
    const Dae *dae = plan->dae;
    Values w = {dae, inspect_parameters(plan), memory_alloc(dae->vars.n + 1), arena_new()};
    for (uint32_t i = 0; i < plan->states.n; i++)
        w.state[plan->states.at[i].var] = true;
    return w;
}

static void values_free(Values *w)
{
    memory_free(w->v);
    memory_free(w->state);
    arena_free(w->scratch);
}

static double value_of(const Values *w, VarId var)
{
    const DaeVar *x = &w->dae->vars.at[var];
    return x->alias == NONE ? w->v[var] : x->alias_sign * w->v[x->alias];
}

/* ---- rows ---- */

static const char *const type_names[] = {[DAE_REAL] = "Real",
                                         [DAE_INT] = "Integer",
                                         [DAE_BOOL] = "Boolean",
                                         [DAE_ENUM] = "Enumeration",
                                         [DAE_STRING] = "String"};

static void put_literals(Text *t, const Values *w, const DaeVar *x)
{
    const Types *types = w->dae->g->types;
    const Type *type = type_get(types, type_element(types, w->dae->flat->vars.at[x->flat].type));
    if (type->kind != TYPE_ENUM)
        return;
    text_put(t, ",\"literals\":[");
    for (uint32_t i = 0; i < type->n; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, type->fields[i].name);
    }
    text_put(t, "]");
}

/* A parameter, or the start value of a variable: a value that can be set. */
static void put_setting(Text *t, const Values *w, VarId var, VarId value, const char *suffix)
{
    const DaeVar *x = &w->dae->vars.at[var];
    const FlatVar *flat = &w->dae->flat->vars.at[x->flat];
    arena_reset(w->scratch);
    text_put(t, t->at[t->n - 1] == '[' ? "{\"name\":" : ",\n{\"name\":");
    text_put_json(t,
                  arena_printf(w->scratch, "%s%s", dae_var_name(w->dae, var, w->scratch), suffix));
    text_put(t, ",\"value\":");
    inspect_put_number(t, value_of(w, value));
    inspect_put_field(t, "unit", flat_traits(flat, x->element)->unit);
    inspect_put_field(t, "display_unit", flat_traits(flat, x->element)->display_unit);
    inspect_put_field(t, "description", flat->shared->description);
    text_put(t, ",\"min\":");
    inspect_put_number(t, x->min);
    text_put(t, ",\"max\":");
    inspect_put_number(t, x->max);
    text_printf(t, ",\"type\":\"%s\",\"structural\":%s,\"protected\":%s", type_names[x->type],
                flat->evaluated ? "true" : "false", x->is_protected ? "true" : "false");
    put_literals(t, w, x);
    inspect_put_place(t, w->dae->ctx, flat->span);
    text_put(t, "}");
}

/* Parameters with their own value; dependent parameters would not keep a value that is set. */
static bool is_settable(const Values *w, VarId var)
{
    const DaeVar *x = &w->dae->vars.at[var];
    if (x->kind != DAE_PARAMETER || x->hidden || x->flat == NONE || x->base != NONE ||
        x->type == DAE_STRING)
        return false;
    const FlatVar *flat = &w->dae->flat->vars.at[x->flat];
    return flat->variability == VARIES_PARAMETER && !flat->is_final && x->alias == NONE;
}

static bool has_start(const Values *w, VarId var)
{
    const DaeVar *x = &w->dae->vars.at[var];
    bool unknown = x->kind == DAE_CONTINUOUS || x->kind == DAE_DISCRETE;
    return unknown && !x->hidden && x->flat != NONE && x->start != NONE && x->type != DAE_STRING &&
           (x->has_start || w->state[var]);
}

static const char *kind_of(const Values *w, const Column *column)
{
    const DaeVar *x = &w->dae->vars.at[column->var];
    /* no other name of it */
    bool itself = column->flat == x->flat && column->element == x->element;
    if (w->state[column->var] && itself)
        return "state";
    switch ((DaeVarKind)x->kind) {
    case DAE_PARAMETER: return "parameter";
    case DAE_DERIVATIVE: return "derivative";
    case DAE_CONTINUOUS: return "algebraic";
    case DAE_INPUT: return "input";
    default: return "discrete";
    }
}

/* `first_of`: by variable, its first column so far plus 1. */
static void put_alias(Text *t, const Columns *columns, uint32_t i, uint32_t *first_of)
{
    const Column *column = &columns->list.at[i];
    uint32_t first = first_of[column->var];
    if (column->constant)
        return;
    if (!first)
        first_of[column->var] = i + 1;
    else
        text_printf(t, ",\"alias\":%u,\"sign\":%d", first - 1,
                    column->sign * columns->list.at[first - 1].sign < 0 ? -1 : 1);
}

static void put_variable(Text *t, const Values *w, const Columns *columns, uint32_t i,
                         uint32_t *first_of)
{
    const Column *column = &columns->list.at[i];
    const DaeVar *x = &w->dae->vars.at[column->var];
    bool derivative = !strncmp(column->name, "der(", 4) && x->kind == DAE_DERIVATIVE;
    text_put(t, i ? ",\n{\"name\":" : "{\"name\":");
    text_put_json(t, column->name);
    inspect_put_field(t, "unit", column->unit);
    inspect_put_field(t, "description", column->description);
    text_printf(t, ",\"kind\":\"%s\",\"type\":\"%s\",\"constant\":%s",
                derivative ? "derivative" : kind_of(w, column), type_names[x->type],
                column->constant ? "true" : "false");
    if (column->flat != NONE) {
        const FlatVar *flat = &w->dae->flat->vars.at[column->flat];
        inspect_put_field(t, "display_unit",
                          derivative ? NULL : flat_traits(flat, column->element)->display_unit);
        inspect_put_place(t, w->dae->ctx, flat->span);
        if (flat->is_flow && !derivative)
            text_put(t, ",\"flow\":true");
    }
    put_alias(t, columns, i, first_of);
    text_put(t, "}");
}

/* ---- the whole ---- */

static void put_experiment(Text *t, const Experiment *e)
{
    double start = isnan(e->start) ? 0 : e->start, stop = isnan(e->stop) ? start + 1 : e->stop;
    double count = (stop - start) / e->interval;
    text_put(t, ",\"experiment\":{\"start\":");
    inspect_put_number(t, start);
    text_put(t, ",\"stop\":");
    inspect_put_number(t, stop);
    text_put(t, ",\"tolerance\":");
    inspect_put_number(t, isnan(e->tolerance) ? 1e-6 : e->tolerance);
    text_printf(t, ",\"intervals\":%.0f,\"solver\":\"auto\"}",
                count >= 1 && count < 1e8 ? round(count) : 500);
}

/* Components that are drawn in animations. */
static void put_visuals(Text *t, const Flat *flat, const Columns *columns, Arena *scratch)
{
    static const char *const kinds[] = {
        [VISUAL_SHAPE] = "shape", [VISUAL_VECTOR] = "vector", [VISUAL_SURFACE] = "surface"};
    text_put(t, ",\"visuals\":[");
    for (uint32_t i = 0; i < flat->visuals.n; i++) {
        const FlatVisual *v = &flat->visuals.at[i];
        arena_reset(scratch);
        text_put(t, i ? ",\n{\"name\":" : "{\"name\":");
        text_put_json(t, path_text(flat->paths, v->path, scratch));
        inspect_put_field(t, "kind", kinds[v->kind]);
        inspect_put_field(t, "shape", v->shape);
        if (v->points != EXPR_NONE)
            inspect_put_reads(t, flat, columns, v->points);
        text_put(t, "}");
    }
    text_put(t, "]");
}

void inspect_model(const Flat *flat, const Plan *plan, Text *t)
{
    Values w = values_new(plan);
    Columns *columns = columns_new(plan->dae->ctx, plan, NULL, false);
    text_put(t, "{\"class\":");
    text_put_json(t, flat->name);
    inspect_put_field(t, "description", flat->description);
    put_experiment(t, &flat->experiment);
    text_put(t, ",\"parameters\":[");
    for (VarId i = 0; i < w.dae->vars.n; i++)
        if (is_settable(&w, i))
            put_setting(t, &w, i, i, "");
    text_put(t, "],\"starts\":[");
    for (VarId i = 0; i < w.dae->vars.n; i++)
        if (has_start(&w, i))
            put_setting(t, &w, i, w.dae->vars.at[i].start, ".start");
    text_put(t, "],\"variables\":[");
    uint32_t *first_of = ARENA_ARRAY(w.scratch, uint32_t, w.dae->vars.n);
    for (uint32_t i = 0; i < columns->list.n; i++)
        put_variable(t, &w, columns, i, first_of);
    text_put(t, "]");
    put_visuals(t, flat, columns, w.scratch);
    text_put(t, "}");
    columns_free(columns);
    values_free(&w);
}
