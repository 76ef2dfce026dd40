/* The flatten phase: numbers of variables, then attributes and equations of every component, then
 * connections. */
#include "flatten/flatten.h"

#include "flatten/components/components.h"
#include "flatten/connections/connections.h"
#include "flatten/flat/flat_walk.h"
#include "flatten/synchronous/synchronous.h"

#include <math.h>

/* ---- values of variables ---- */

/* Dimensions of arrays that contain both the place where equations are made and the component. */
static uint32_t common_rank(const Flattener *f, const Instance *inst)
{
    const Instance *a = f->at ? f->at : f->root, *b = inst->parent;
    while (a && b && a != b) {
        if (a->depth > b->depth)
            a = a->parent;
        else
            b = b->parent;
    }
    return a && b ? a->outer_rank + a->rank : 0;
}

static EvalStatus variable_value(Library *lib, uint32_t var, bool soft, Value *out)
{
    Flattener *f = lib->flat;
    if (var >= f->n_vars)
        return EVAL_UNKNOWN;
    Instance *inst = f->var_inst[var];
    uint32_t skip = common_rank(f, inst);
    if (skip) {
        EvalStatus status = ref_value(lib, inst, skip, soft, out);
        if (status != EVAL_OK || skip == inst->outer_rank)
            return status;
    }
    return inst_element_value(lib, inst, f->var_element[var], soft, out);
}

static Name variable_name(Library *lib, uint32_t var)
{
    Flattener *f = lib->flat;
    return library_name(lib, flat_var_name(f->flat, var, lib->arena));
}

static bool variable_varies(Library *lib, uint32_t var)
{
    const Flattener *f = lib->flat;
    return var < f->n_vars && f->var_inst[var]->variability < AST_PARAMETER;
}

/* ---- components ---- */

static void flatten_instance(Flattener *f, Instance *inst)
{
    Instance *child;
    for (PartCursor at = {0};
         (child = inst_next(inst, &at)) && !*f->ctx->interrupt && !f->lib->again;) {
        f->at = inst;
        if (inst_is_leaf(child)) {
            make_attributes(f, child);
            continue;
        }
        int64_t n = inst_count(child);
        if (n == 0)
            continue;
        Progress first = progress(f);
        flatten_instance(f, child);
        if (n > 1)
            repeat_elements(f, child, first);
    }
    make_equations(f, inst);
    note_surface(f, inst);
}

/* ---- the experiment annotation ---- */

static double number_argument(Flattener *f, const AstMod *mod, const char *name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (a->name.n != 1 || strcmp(a->name.parts[0], name) || !a->mod || !a->mod->value)
            continue;
        Value v;
        Scope scope = {f->root, f->root->cls->layers.at[0]};
        if (inst_evaluate_ast(f->lib, scope, a->mod->value, T_REAL, name, false, &v) == EVAL_OK)
            return v.num;
    }
    return NAN;
}

static void read_experiment(Flattener *f)
{
    Experiment *x = &f->flat->experiment;
    *x = (Experiment){NAN, NAN, NAN, NAN};
    const AstClass *ast = f->root->cls->ast;
    const AstMod *annotation = ast ? ast->comment.annotation : NULL;
    for (uint32_t i = 0; annotation && i < annotation->args.n; i++) {
        const AstArg *a = &annotation->args.at[i];
        if (a->name.n != 1 || strcmp(a->name.parts[0], "experiment"))
            continue;
        x->start = number_argument(f, a->mod, "StartTime");
        x->stop = number_argument(f, a->mod, "StopTime");
        x->tolerance = number_argument(f, a->mod, "Tolerance");
        x->interval = number_argument(f, a->mod, "Interval");
    }
}

/* ---- the phase ---- */

static void name_component(void *user, FlatEq *eq)
{
    const Flattener *f = user;
    eq->component = f->comp_path[eq->component];
}

/* ---- parameters that count as values ---- */

static bool asks_for_evaluation(const Instance *inst)
{
    const AstMod *annotation = inst->decl ? inst->decl->comment.annotation : NULL;
    for (uint32_t i = 0; annotation && i < annotation->args.n; i++) {
        const AstArg *a = &annotation->args.at[i];
        const AstExpr *e = a->mod ? a->mod->value : NULL;
        if (a->name.n == 1 && !strcmp(a->name.parts[0], "Evaluate") && e && e->kind == AST_BOOL)
            return e->boolean;
    }
    return false;
}

typedef struct Operands {
    const Flat *flat;
    uint32_t n;
    bool all; /* have values */
} Operands;

static void note_operand(void *user, ExprId e)
{
    Operands *o = user;
    if (expr_op(o->flat->g, e) != OP_VAR)
        return;
    o->n++;
    const FlatVar *v = &o->flat->vars.at[expr_index(o->flat->g, e)];
    o->all &= v->variability == VARIES_CONSTANT || v->evaluated;
}

/* A parameter with annotation Evaluate is a value; so is everything computed only from such
 * parameters. */
static void mark_evaluated(Flattener *f)
{
    Flat *flat = f->flat;
    for (uint32_t i = 0; i < f->n_vars; i++)
        flat->vars.at[i].evaluated =
            f->var_inst[i]->evaluated || (flat->vars.at[i].variability == VARIES_PARAMETER &&
                                          asks_for_evaluation(f->var_inst[i]));
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < f->n_vars; i++) {
            FlatVar *v = &flat->vars.at[i];
            if (v->variability != VARIES_PARAMETER || v->evaluated || v->binding == EXPR_NONE ||
                v->fixed != EXPR_NONE)
                continue;
            Operands o = {flat, 0, true};
            expr_walk(f->g, v->binding, note_operand, &o);
            v->evaluated = o.n > 0 && o.all;
            again |= v->evaluated;
        }
    }
}

static void check_parameters(Flattener *f)
{
    Flat *flat = f->flat;
    mark_evaluated(f);
    for (uint32_t i = 0; i < f->n_vars; i++) {
        FlatVar *v = &flat->vars.at[i];
        if (v->variability > VARIES_PARAMETER || v->binding == EXPR_NONE)
            continue;
        if (flat_variability(flat, v->binding) > VARIES_PARAMETER)
            diag(f->ctx, v->shared->binding_span, DIAG_F007,
                 "the value of parameter '%s' varies with time",
                 path_text(flat->paths, v->path, f->lib->arena));
    }
}

static void run(Flattener *f)
{
    expand_connectors(f, each_connect);
    if (f->lib->again || !number_variables(f) || f->lib->again || !declare_vars(f))
        return;
    f->lib->numbered = true;
    flatten_instance(f, f->root);
    f->at = NULL;
    if (f->lib->again)
        return;
    place_splits(f);
    name_instances(f);
    find_machines(f);
    connection_equations(f);
    break_parameter_cycles(f);
    run_machines(f);
    check_local_balance(f);
    flat_each_equation(f->flat->eqs.at, f->flat->eqs.n, name_component, f);
    check_parameters(f);
    name_visuals(f);
    partition_clocks(f);
}

Flat *flatten_model(Library *lib, Instance *root)
{
    Flat *flat = memory_alloc(sizeof *flat);
    flat->g = lib->g;
    flat->paths = paths_new();
    flat->arena = arena_new();
    flat->name = root->cls->name;
    flat->span = root->cls->ast ? root->cls->ast->name_span : (Span){0};
    flat->description = root->cls->ast ? root->cls->ast->comment.text : NULL;
    Flattener f = {.lib = lib,
                   .ctx = lib->ctx,
                   .g = lib->g,
                   .flat = flat,
                   .root = root,
                   .first_node = lib->g->nodes.n};
    lib->flat = &f;
    lib->flat_value = variable_value;
    lib->flat_name = variable_name;
    lib->flat_varies = variable_varies;
    read_experiment(&f);
    run(&f);
    lib->flat = NULL;
    lib->numbered = false;
    memory_free(f.var_inst);
    memory_free(f.var_element);
    memory_free(f.scalar);
    memory_free(f.comp_path);
    vec_free(&f.edges);
    vec_free(&f.ties);
    vec_free(&f.marks);
    vec_free(&f.links);
    vec_free(&f.surfaces);
    vec_free(&f.transitions);
    machines_free(f.machines);
    vec_free(&f.spans);
    vec_free(&f.splits);
    return flat;
}
