/* The variables of all components, each at its number, and their first scalars. */
#include "flatten/components/components.h"

#include "flatten/connections/connections.h"

enum { MAX_SCALARS = 20000000 };

static void check_numbered(void *user, Instance *component)
{
    check_connector(user, component);
}

bool number_variables(Flattener *f)
{
    if (!inst_number_variables(f->lib, f->root, check_numbered, f))
        return false;
    f->n_vars = f->root->n_vars;
    f->n_comps = f->root->n_comps;
    return true;
}

/* An external object is made once: it is a parameter. */
static uint8_t variability_of(const Flattener *f, const Instance *inst, TypeId element)
{
    if (type_get(f->g->types, element)->kind == TYPE_EXTERNAL)
        return VARIES_PARAMETER;
    switch (inst->variability) {
    case AST_CONSTANT: return VARIES_CONSTANT;
    case AST_PARAMETER: return VARIES_PARAMETER;
    case AST_DISCRETE: return VARIES_DISCRETE;
    default: return element == T_REAL ? VARIES_CONTINUOUS : VARIES_DISCRETE;
    }
}

static bool at_top(const Flattener *f, const Instance *inst)
{
    const Instance *p = inst->parent;
    while (p != f->root && (class_is_connector(p->cls) || class_is_record(p->cls)))
        p = p->parent;
    return p == f->root;
}

static bool is_in_connector(const Instance *inst)
{
    while (inst && !class_is_connector(inst->cls))
        inst = inst->parent;
    return inst;
}

static bool is_hidden(const Flattener *f, const Instance *inst)
{
    for (; inst && inst != f->root; inst = inst->parent) {
        const AstExpr *e =
            inst->decl ? annotation_value(inst->decl->comment.annotation, "HideResult") : NULL;
        if (e)
            return e->kind == AST_BOOL && e->boolean;
    }
    return false;
}

static FlatVar variable(Flattener *f, Instance *inst)
{
    FlatVar v = {0};
    v.type = inst_full_type(f->lib, inst);
    v.variability = variability_of(f, inst, inst->cls->type);
    _Static_assert((int)FLAT_INPUT == (int)AST_INPUT && (int)FLAT_OUTPUT == (int)AST_OUTPUT,
                   "same order");
    v.causality = at_top(f, inst) && !inst->is_protected ? inst->causality : FLAT_ACAUSAL;
    v.top_input = v.causality == FLAT_INPUT && v.variability > VARIES_PARAMETER;
    v.is_protected = inst->is_protected;
    v.is_final = inst->is_final;
    v.hide_result = is_hidden(f, inst);
    v.is_flow = inst->flow == AST_FLOW && is_in_connector(inst);
    v.is_field = class_is_record(inst->parent->cls);
    v.nondiscrete = inst->decl->nondiscrete;
    v.span = inst->decl->span;
    v.shared = &flat_plain;
    if (inst->decl->comment.text)
        flat_own(f->flat, &v)->description = inst->decl->comment.text;
    return v;
}

/* The position of the walk over all elements. */
typedef struct Spot {
    uint32_t var, comp;
    uint64_t element; /* number over all arrays around */
    PathId path;
} Spot;

static void declare(Flattener *f, Instance *inst, Spot at);

/* One element of an array whose elements differ. */
static void declare_element(Flattener *f, Instance *element, Spot at)
{
    int32_t subs[8];
    inst_subscripts(element, subs);
    at.path = path_add(f->flat->paths, at.path, element->decl->name, subs, element->array->rank);
    declare(f, element, at);
}

static void declare_elements(Flattener *f, Instance *child, Spot at)
{
    int32_t subs[8];
    int64_t n = inst_count(child);
    PathId parent = at.path;
    Name name = child->decl->name;
    for (int64_t i = 0; i < n; i++) {
        int64_t rest = i;
        for (uint32_t k = child->rank; k-- > 0;) {
            subs[k] = (int32_t)(rest % child->dims[k]) + 1;
            rest /= child->dims[k];
        }
        Spot e = {at.var + (uint32_t)i * child->n_vars, at.comp + (uint32_t)i * child->n_comps,
                  at.element * (uint64_t)n + (uint64_t)i,
                  path_add(f->flat->paths, parent, name, subs, child->rank)};
        declare(f, child, e);
    }
}

static void declare_leaf(Flattener *f, Instance *leaf, Spot at)
{
    FlatVar v = at.var == leaf->var_at ? variable(f, leaf) : f->flat->vars.at[leaf->var_at];
    v.path = path_add(f->flat->paths, at.path, leaf->decl->name, NULL, 0);
    f->flat->vars.at[at.var] = v;
    f->var_inst[at.var] = leaf;
    f->var_element[at.var] = (uint32_t)at.element;
}

static void declare(Flattener *f, Instance *inst, Spot at)
{
    f->comp_path[at.comp] = at.path;
    note_visual(f, inst, at.path, at.var);
    Instance *part;
    for (PartCursor cursor = {0}; (part = inst_next(inst, &cursor));) {
        Spot e = {at.var + part->var, at.comp + part->comp, at.element, at.path};
        if (inst_is_leaf(part))
            declare_leaf(f, part, e);
        else if (part->array)
            declare_element(f, part, e);
        else
            declare_elements(f, part, e);
    }
}

bool declare_vars(Flattener *f)
{
    uint32_t n = f->n_vars;
    vec_reserve(&f->flat->vars, n);
    f->flat->vars.n = n;
    f->var_inst = memory_alloc((n + 1) * sizeof *f->var_inst);
    f->var_element = memory_alloc((n + 1) * sizeof *f->var_element);
    f->scalar = memory_alloc((n + 1) * sizeof *f->scalar);
    f->comp_path = memory_alloc((f->n_comps + 1) * sizeof *f->comp_path);
    declare(f, f->root, (Spot){0, 0, 0, 0});
    int64_t scalars = 0;
    for (uint32_t i = 0; i < n; i++) {
        f->scalar[i] = (uint32_t)scalars;
        int64_t count = type_count(f->g->types, f->flat->vars.at[i].type);
        scalars += count > 0 ? count : 0;
        if (scalars <= MAX_SCALARS)
            continue;
        diag(f->ctx, f->flat->vars.at[i].span, DIAG_I016,
             "the model has more than %d scalar variables", MAX_SCALARS);
        return false;
    }
    f->scalar[n] = (uint32_t)scalars;
    return true;
}
