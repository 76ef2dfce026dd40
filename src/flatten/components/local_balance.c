/* Local balance: every model and block that is used has as many equations of its own as unknowns
 * (Modelica 3.6, section 4.7).
 *
 * Unknowns of a class are its variables, including those of its records and connectors, and the
 * inputs and flows in the connectors of its components. Equations are those in its text, bindings,
 * and those of its connections. The inputs and flows of its own connectors count as equations too,
 * because its surroundings determine them. A flow without a connection is zero and is not counted.
 * Classes with outer components, expandable or overconstrained connectors are not checked, because
 * it is unclear which connections are theirs. Neither are those with equations for connectors that
 * are not connected (cardinality(c) == 0). */
#include "flatten/components/components.h"

#include "flatten/connections/connections.h"
#include "instance/instance.h"
#include "flatten/flat/flat_walk.h"

typedef struct Local {
    Instance *inst;
    int64_t unknowns, equations;
    bool skip;
} Local;

typedef struct Balance {
    Flattener *f;
    VEC(Local) all;
    Map by_inst;     /* id of an instance → index in all */
    uint32_t *owner; /* size n_comps: index in all, + 1; 0: not the first element of an array */
    /* size of scalars: it is connected outside its component */
    bool *connected;
    bool *bound; /* size n_vars: has a binding */
} Balance;

/* ---- instances ---- */

static bool is_model(const Instance *inst)
{
    return !class_is_record(inst->cls) && !class_is_connector(inst->cls) && !inst_is_leaf(inst);
}

static bool waives(const Instance *inst)
{
    return inst->cls->is_partial || (inst->cls->ast && ast_waives_balance(inst->cls->ast));
}

/* Whether a connector or record is expandable or overconstrained, or contains one. */
static bool has_special(const Balance *b, const Instance *inst)
{
    bool found = class_is_expandable(inst->cls) || is_overconstrained(b->f, inst);
    const Instance *child;
    for (PartCursor at = {0}; !found && (child = inst_next(inst, &at));)
        found = has_special(b, child);
    return found;
}

static void leave_out(Balance *b, const Instance *inst)
{
    uint32_t at = inst ? map_get(&b->by_inst, inst->id) : MAP_NONE;
    if (at != MAP_NONE)
        b->all.at[at].skip = true;
}

/* Requires at least one element: an array without elements has no place among the components. */
static void enter(Balance *b, Instance *inst, uint32_t owner)
{
    if (is_model(inst)) {
        bool skip = waives(inst);
        if (skip && inst->parent)
            b->all.at[owner].skip = true;
        owner = b->all.n;
        map_put(&b->by_inst, inst->id, owner);
        vec_push(&b->all, ((Local){.inst = inst, .skip = skip}));
    }
    b->owner[inst->comp_at] = owner + 1;
    Instance *child;
    for (PartCursor at = {0}; (child = inst_next(inst, &at));) {
        if (inst_is_leaf(child) || !inst_count(child))
            continue;
        if (is_model(child)) {
            enter(b, child, owner);
            continue;
        }
        if (has_special(b, child)) {
            b->all.at[owner].skip = true;
            leave_out(b, b->all.at[owner].inst->parent);
        }
        for (int64_t k = 0; k < inst_count(child) * child->n_comps; k++)
            b->owner[child->comp_at + k] = owner + 1;
    }
}

/* ---- unknowns ---- */

/* The place of a variable: its model, and the component of that model which is or contains the
 * variable. */
typedef struct Spot {
    const Instance *model, *child;
    bool in_connector, is_public;
} Spot;

static Spot spot_of(const Instance *leaf)
{
    Spot p = {.child = leaf, .in_connector = class_is_connector(leaf->cls)};
    while (p.child->parent && !is_model(p.child->parent)) {
        p.child = p.child->parent;
        p.in_connector |= class_is_connector(p.child->cls);
    }
    p.model = p.child->parent;
    p.is_public = p.model && !p.model->cls->elements.at[p.child->index].is_protected;
    return p;
}

static Local *local_of(const Balance *b, const Instance *inst, uint32_t var)
{
    if (!inst || var < inst->var_at || var >= inst->var_at + inst->n_vars)
        return NULL;
    uint32_t at = map_get(&b->by_inst, inst->id);
    return at == MAP_NONE ? NULL : &b->all.at[at];
}

static uint32_t connected_scalars(const Balance *b, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t s = b->f->scalar[var]; s < b->f->scalar[var + 1]; s++)
        n += b->connected[s];
    return n;
}

/* The modifier with the value of a variable, or of a record or connector of the model around it. */
static const Modifier *value_around(Instance *leaf, const Instance *model)
{
    const Modifier *m = NULL;
    for (Instance *at = leaf; at && at != model && !m; at = at->parent)
        m = modifier_value(at);
    return m;
}

/* An input that the surroundings of its model determine. An input with a value, not connected from
 * outside, already has an equation. */
static bool is_open_input(const Balance *b, uint32_t var, const Spot *p)
{
    const Instance *leaf = b->f->var_inst[var];
    if (leaf->causality != AST_INPUT || !p->is_public)
        return false;
    const Modifier *m = b->bound[var] ? value_around(b->f->var_inst[var], p->model) : NULL;
    return !b->bound[var] || (m && m->scope.inst == p->model && connected_scalars(b, var) > 0);
}

/* An input of a component that has no value, and to which nothing is connected. */
static bool is_loose(const Balance *b, uint32_t var)
{
    const Instance *leaf = b->f->var_inst[var];
    Spot p = spot_of(leaf);
    return leaf->causality == AST_INPUT && p.model && p.model->parent && p.is_public &&
           !b->bound[var] && b->f->flat->vars.at[var].variability > VARIES_PARAMETER &&
           !connected_scalars(b, var);
}

static void count_variable(Balance *b, uint32_t var)
{
    const Flattener *f = b->f;
    const Instance *leaf = f->var_inst[var];
    if (f->flat->vars.at[var].variability <= VARIES_PARAMETER)
        return;
    Spot p = spot_of(leaf);
    uint32_t n = f->scalar[var + 1] - f->scalar[var];
    bool flow = leaf->flow == AST_FLOW, input = is_open_input(b, var, &p);
    Local *own = local_of(b, p.model, var),
          *outer = p.model ? local_of(b, p.model->parent, var) : NULL;
    if (own) {
        own->unknowns += n;
        if (input || (flow && p.in_connector))
            own->equations += n;
    }
    if (outer && input)
        outer->unknowns += n;
    else if (outer && flow && p.in_connector && p.is_public)
        outer->unknowns += connected_scalars(b, var);
}

/* ---- equations ---- */

static void note_bound(Balance *b, const FlatEq *eq)
{
    const Graph *g = b->f->g;
    if (eq->origin == ORIGIN_BINDING && eq->kind == FLAT_EQUAL && expr_op(g, eq->lhs) == OP_VAR)
        b->bound[expr_index(g, eq->lhs)] = true;
}

/* The number of the scalar that the expression names; UINT32_MAX if it names none. */
static uint32_t scalar_of(const Flattener *f, ExprId e)
{
    const Graph *g = f->g;
    if (expr_op(g, e) == OP_VAR)
        return f->scalar[expr_index(g, e)];
    if (expr_op(g, e) != OP_INDEX || expr_op(g, expr_arg(g, e, 0)) != OP_VAR)
        return UINT32_MAX;
    TypeId type = expr_type(g, expr_arg(g, e, 0));
    uint32_t at = 0;
    for (uint32_t k = 1; k < expr_n(g, e); k++)
        at = at * (uint32_t)type_dim(g->types, type, k - 1) +
             (uint32_t)expr_int_value(g, expr_arg(g, e, k)) - 1;
    return f->scalar[expr_index(g, expr_arg(g, e, 0))] + at;
}

/* flow = 0, if nothing is connected to it */
static bool is_flow_of_nothing(const Balance *b, const FlatEq *eq)
{
    uint32_t scalar = eq->origin == ORIGIN_FLOW_SUM ? scalar_of(b->f, eq->lhs) : UINT32_MAX;
    return scalar != UINT32_MAX && !b->connected[scalar];
}

static void count_equation(Balance *b, const FlatEq *eq)
{
    uint32_t owner = eq->initial || is_flow_of_nothing(b, eq) ? 0 : b->owner[eq->component];
    if (!owner)
        return;
    b->all.at[owner - 1].equations += count_equations(b->f->flat, eq, 1);
    b->all.at[owner - 1].skip |= eq->by_connections;
}

/* The variable of a scalar. */
static uint32_t variable_of(const Flattener *f, uint32_t scalar)
{
    uint32_t lo = 0, hi = f->n_vars;
    while (hi - lo > 1) {
        uint32_t mid = (lo + hi) / 2;
        if (f->scalar[mid] <= scalar)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* The end of an edge is a connector of its model, or of one of the model's components; otherwise
 * all models concerned are skipped. */
static void check_end(Balance *b, Local *x, uint32_t node)
{
    const Instance *model = spot_of(b->f->var_inst[variable_of(b->f, node / 2)]).model;
    const Instance *level = model && !(node & 1) ? model->parent : model;
    if (level == x->inst)
        return;
    x->skip = true;
    leave_out(b, level);
}

static void note_edges(Balance *b)
{
    const Flattener *f = b->f;
    for (uint32_t i = 0; i < f->edges.n; i++) {
        const Edge *e = &f->edges.at[i];
        if (!(e->a & 1))
            b->connected[e->a / 2] = true;
        if (!(e->b & 1))
            b->connected[e->b / 2] = true;
        uint32_t owner = b->owner[e->comp];
        Local *x = owner ? &b->all.at[owner - 1] : NULL;
        if (x)
            x->skip |= e->tie != 0;
        if (x)
            check_end(b, x, e->a);
        if (x)
            check_end(b, x, e->b);
    }
}

/* ---- messages ---- */

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

typedef struct Mentioned {
    const Graph *g;
    Map seen; /* numbers of variables */
} Mentioned;

static Walk mark_node(void *user, ExprId e)
{
    Mentioned *m = user;
    if (expr_op(m->g, e) == OP_VAR)
        map_put(&m->seen, expr_index(m->g, e), 1);
    return WALK_ON;
}

static Walk mark_statement(void *user, const Stmt *s)
{
    Mentioned *m = user;
    expr_walk_down(m->g, s->lhs, mark_node, m);
    expr_walk_down(m->g, s->rhs, mark_node, m);
    return WALK_ON;
}

static Walk mark_equation(void *user, const FlatEq *eq)
{
    Mentioned *m = user;
    expr_walk_down(m->g, eq->lhs, mark_node, m);
    expr_walk_down(m->g, eq->rhs, mark_node, m);
    return WALK_ON;
}

/* Variables of the class that none of its equations mentions, and inputs of components that nothing
 * is connected to. */
static void note_missing(const Balance *b, const Local *x)
{
    const Flattener *f = b->f;
    static const FlatVisitor visitor = {.equation = mark_equation, .statement = mark_statement};
    Mentioned m = {.g = f->g};
    uint32_t index = (uint32_t)(x - b->all.at), reported = 0;
    for (uint32_t i = 0; i < f->flat->eqs.n; i++)
        if (b->owner[f->flat->eqs.at[i].component] == index + 1 && !f->flat->eqs.at[i].initial)
            flat_walk(&f->flat->eqs.at[i], 1, &visitor, &m);
    for (uint32_t v = x->inst->var_at; v < x->inst->var_at + x->inst->n_vars && reported < 5; v++) {
        const Instance *leaf = f->var_inst[v];
        Spot p = spot_of(leaf);
        bool own = p.model == x->inst && !(p.is_public && leaf->causality == AST_INPUT) &&
                   leaf->flow != AST_FLOW;
        bool input =
            p.model && p.model->parent == x->inst && p.in_connector && leaf->causality == AST_INPUT;
        if (f->flat->vars.at[v].variability <= VARIES_PARAMETER ||
            map_get(&m.seen, v) != MAP_NONE || !(own || input))
            continue;
        diag_note(f->ctx, f->flat->vars.at[v].span,
                  input ? "nothing is connected to input '%s'"
                        : "no equation of the class mentions '%s'",
                  flat_var_name(f->flat, v, f->lib->arena));
        reported++;
    }
    map_free(&m.seen);
}

/* Equations of the class for variables that belong to one of its components. */
static void note_foreign(const Balance *b, const Local *x)
{
    const Flattener *f = b->f;
    uint32_t index = (uint32_t)(x - b->all.at), reported = 0;
    for (uint32_t i = 0; i < f->flat->eqs.n && reported < 3; i++) {
        const FlatEq *eq = &f->flat->eqs.at[i];
        if (b->owner[eq->component] != index + 1 || eq->initial || eq->kind != FLAT_EQUAL ||
            eq->origin != ORIGIN_EQUATION || expr_op(f->g, eq->lhs) != OP_VAR)
            continue;
        uint32_t v = expr_index(f->g, eq->lhs);
        Spot p = spot_of(f->var_inst[v]);
        if (p.model == x->inst || !p.model || p.in_connector)
            continue;
        const char *name = flat_var_name(f->flat, v, f->lib->arena);
        if (f->var_inst[v]->causality == AST_INPUT)
            diag_note(f->ctx, eq->span,
                      "input '%s' is not a connector; give it a value in the declaration of its "
                      "component, as in (%s = …)",
                      name, p.child->decl->name);
        else
            diag_note(f->ctx, eq->span,
                      "'%s' is a variable of a component, which has equations for it", name);
        reported++;
    }
}

static void report(const Balance *b, const Local *x)
{
    Flattener *f = b->f;
    const Instance *inst = x->inst;
    if (x->skip || x->unknowns == x->equations || !check_once(f->lib, inst->cls, "balance"))
        return;
    Span span = inst->cls->ast ? inst->cls->ast->name_span : (Span){0};
    diag_compatible(
        f->ctx, span, DIAG_F015, "%s '%s' has %lld equation%s of its own for %lld unknown%s",
        restriction_text(inst->cls->restriction), inst->cls->name, (long long)x->equations,
        plural(x->equations), (long long)x->unknowns, plural(x->unknowns));
    if (inst->decl)
        diag_note(f->ctx, inst->decl->span, "in component '%s'", inst_path(f->lib, inst));
    if (x->equations < x->unknowns)
        note_missing(b, x);
    else
        note_foreign(b, x);
    report_rule(f->lib, "4.7",
                "every model and block that is not partial has as many equations as unknowns");
}

/* An equation of the class around a component that is solved for an input of it, or one of the
 * component itself for an input that is not connected. */
static void note_given(Balance *b, const FlatEq *eq, ExprId side)
{
    const Flattener *f = b->f;
    uint32_t owner = b->owner[eq->component];
    while (side && expr_op(f->g, side) == OP_INDEX)
        side = expr_arg(f->g, side, 0);
    if (!side || expr_op(f->g, side) != OP_VAR || !owner || eq->initial)
        return;
    uint32_t v = expr_index(f->g, side);
    if (eq->by_connections || b->all.at[owner - 1].inst != spot_of(f->var_inst[v]).model)
        b->bound[v] = true;
}

/* Marks the inputs of components without a value. Everything else is counted. */
static void note_loose(Balance *b)
{
    Flat *flat = b->f->flat;
    for (uint32_t i = 0; i < flat->eqs.n; i++)
        if (flat->eqs.at[i].kind == FLAT_EQUAL && flat->eqs.at[i].origin == ORIGIN_EQUATION) {
            note_given(b, &flat->eqs.at[i], flat->eqs.at[i].lhs);
            note_given(b, &flat->eqs.at[i], flat->eqs.at[i].rhs);
        }
    for (uint32_t v = 0; v < b->f->n_vars; v++)
        flat->vars.at[v].is_loose = is_loose(b, v);
}

void check_local_balance(Flattener *f)
{
    if (f->ctx->n_errors || f->machines || f->n_vars != f->root->n_vars || !is_model(f->root))
        return;
    Balance b = {.f = f};
    b.owner = memory_alloc((f->n_comps + 1) * sizeof *b.owner);
    b.connected = memory_alloc(f->scalar[f->n_vars] + 1);
    b.bound = memory_alloc(f->flat->vars.n + 1);
    enter(&b, f->root, 0);
    note_edges(&b);
    for (uint32_t i = 0; i < f->flat->eqs.n; i++)
        note_bound(&b, &f->flat->eqs.at[i]);
    for (uint32_t v = 0; v < f->n_vars; v++)
        count_variable(&b, v);
    for (uint32_t i = 0; i < f->flat->eqs.n; i++)
        count_equation(&b, &f->flat->eqs.at[i]);
    note_loose(&b);
    bool open = f->root->is_part && instance_is_open(f->root);
    for (uint32_t i = b.all.n;
         i-- > (open ? 0 : 1);) /* unless it is a part, the model itself is counted as a whole */
        report(&b, &b.all.at[i]);
    memory_free(b.owner);
    memory_free(b.connected);
    memory_free(b.bound);
    vec_free(&b.all);
    map_free(&b.by_inst);
}
