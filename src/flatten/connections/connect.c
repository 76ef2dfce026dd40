/* Connections: from connect equations to pairs of scalars, to connection sets, to equations.
 * Sections 9.1 to 9.3 of the specification. */
#include "flatten/connections/connections.h"

#include "base/text.h"

/* ---- the two sides of a connect ---- */

/* A chosen element of a connector. */
typedef struct SideItem {
    Instance *inst;  /* the connector; NULL if this element of an array lacks it */
    uint32_t var;    /* its first variable; of a simple connector, its variable */
    uint32_t scalar; /* of a simple connector: scalar of the variable; otherwise 0 */
} SideItem;

/* One side: the chosen elements of a connector. */
typedef struct Side {
    RefTarget target;
    Instance *inst; /* the connector, of the first element if they differ */
    bool outside;
    VEC(SideItem) items;
    VEC(int64_t) dims; /* sizes of the dimensions that remain */
    const AstExpr *ast;
} Side;

static void side_free(Side *s)
{
    vec_free(&s->items);
    vec_free(&s->dims);
}

/* The elements that a subscript chooses of a dimension of size n: values from 1. False if they
 * are not known. */
static bool chosen(Flattener *f, NameScope *names, const Side *s, ExprId sub, int64_t n, Value *out)
{
    Graph *g = f->g;
    if (expr_op(g, sub) == OP_COLON) {
        out->type = type_array(g->types, T_INT, &n, 1);
        out->nums = ARENA_ARRAY(f->lib->arena, double, n + 1);
        for (int64_t i = 0; i < n; i++)
            out->nums[i] = (double)(i + 1);
        return true;
    }
    return inst_evaluate(names, sub, s->ast->span, "a subscript in a connect", out) == EVAL_OK;
}

/* Value i of a chosen subscript, from 0; -1 after reporting that it is out of range. */
static int64_t chosen_at(Flattener *f, const Side *s, const Value *v, int64_t i, int64_t n)
{
    double k = type_rank(f->g->types, v->type) ? v->nums[i] : v->num;
    if (k >= 1 && k <= (double)n)
        return (int64_t)k - 1;
    diag(f->ctx, s->ast->span, DIAG_I109, "subscript %.0f is out of range 1:%lld", k, (long long)n);
    return -1;
}

/* The number of chosen elements; those that remain as a dimension are noted with the first item. */
static int64_t chosen_count(Flattener *f, Side *s, const Value *v)
{
    if (!type_rank(f->g->types, v->type))
        return 1;
    int64_t n = type_count(f->g->types, v->type);
    if (s->items.n == 0)
        vec_push(&s->dims, n);
    return n;
}

static bool choose_elements(Flattener *f, NameScope *names, Side *s, uint32_t part, uint32_t dim,
                            uint32_t at, uint32_t scalar)
{
    const RefPart *p = &s->target.parts[part];
    Instance *inst = p->inst;
    bool leaf = inst_is_leaf(inst);
    if (dim == 0)
        at = part == 0 ? inst->var_at : at + inst->var;
    if (dim == inst->rank) {
        if (part + 1 < s->target.n)
            return choose_elements(f, names, s, part + 1, 0, at, 0);
        vec_push(&s->items, ((SideItem){inst, at, scalar}));
        return true;
    }
    uint32_t stride = leaf ? 1 : inst->n_vars;
    for (uint32_t k = dim + 1; k < inst->rank; k++)
        stride *= (uint32_t)inst->dims[k];
    Value v;
    if (!chosen(f, names, s, p->subs[dim], inst->dims[dim], &v))
        return false;
    int64_t n = chosen_count(f, s, &v);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = chosen_at(f, s, &v, i, inst->dims[dim]);
        uint32_t by = (uint32_t)k * stride;
        if (k < 0 || !choose_elements(f, names, s, part, dim + 1, leaf ? at : at + by,
                                      leaf ? scalar + by : scalar))
            return false;
    }
    return true;
}

/* c1.c2…, or the same within one component: m.c1.c2… (section 9.1) */
static bool is_near(Flattener *f, const Side *s)
{
    for (uint32_t i = 1; i < s->target.n; i++) {
        const Instance *inst = s->target.parts[i].inst;
        if (class_is_connector(inst->cls) ||
            (inst->parent && class_is_connector(inst->parent->cls)))
            continue;
        diag(f->ctx, s->ast->span, DIAG_F002,
             "'%s' is inside component '%s' and cannot be connected from here",
             ast_print_ref(s->ast->ref, f->lib->arena), s->target.parts[0].inst->decl->name);
        report_rule(f->lib, "9.1",
                    "connect joins connectors of the class itself and of its components");
        return false;
    }
    return true;
}

/* Suggests the connectors of a component if the component itself was named. */
static void note_connectors(Flattener *f, const Side *s)
{
    enum { MOST = 6 };
    const Class *c = s->inst->cls;
    Text names = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->order.n && n <= MOST; i++) {
        const Instance *child = s->inst->children ? s->inst->children[c->order.at[i]] : NULL;
        if (!child || child->parent != s->inst || child->is_protected ||
            !class_is_connector(child->cls))
            continue;
        text_printf(&names, "%s%s", n ? ", " : "", n < MOST ? child->decl->name : "…");
        n++;
    }
    if (n)
        diag_note(f->ctx, (Span){0}, "its connectors are %s", text_keep(&names, f->lib->arena));
    else
        text_free(&names);
}

static bool is_connector_path(Flattener *f, const Side *s)
{
    const Instance *inst = s->inst;
    if (class_is_connector(inst->cls) || (inst->parent && class_is_expandable(inst->parent->cls)))
        return true;
    diag(f->ctx, s->ast->span, DIAG_F002, "'%s' is not a connector but a component of class '%s'",
         ast_print_ref(s->ast->ref, f->lib->arena), inst->cls->name);
    if (inst->decl)
        diag_note(f->ctx, inst->decl->span, "declared here");
    note_connectors(f, s);
    return false;
}

static bool add_items(Flattener *f, NameScope *names, Side *s, bool *absent);

/* The reference for each chosen element of an array whose elements differ: dimension `dim` and
 * those after it, from element number `at` on. */
static bool fan_items(Flattener *f, NameScope *names, Side *s, const Fan *fan, uint32_t dim,
                      uint32_t at, bool *absent)
{
    if (dim == fan->array->rank) {
        Choice one = {fan->part, at, names->choices};
        NameScope inner = *names;
        inner.choices = &one;
        return add_items(f, &inner, s, absent);
    }
    int64_t size = fan->array->dims[dim];
    Value v;
    if (!chosen(f, names, s, fan->subs[dim], size, &v))
        return false;
    int64_t n = chosen_count(f, s, &v);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = chosen_at(f, s, &v, i, size);
        if (k < 0 ||
            !fan_items(f, names, s, fan, dim + 1, at * (uint32_t)size + (uint32_t)k, absent))
            return false;
    }
    return true;
}

/* Adds the connectors that the name of a side refers to. */
static bool add_items(Flattener *f, NameScope *names, Side *s, bool *absent)
{
    const AstExpr *e = s->ast;
    if (!resolve_components(names, e->ref, &s->target, f->lib->arena))
        return false;
    if (s->target.value != EXPR_NONE || !s->target.n) {
        diag(f->ctx, e->span, DIAG_F002, "connect needs the name of a connector here");
        return false;
    }
    if (s->target.fan.array) {
        Fan fan = s->target.fan;
        return fan_items(f, names, s, &fan, 0, 0, absent);
    }
    if (s->target.is_absent) {
        if (names->choices)
            vec_push(&s->items, ((SideItem){0}));
        else
            *absent = true;
        return true;
    }
    s->inst = s->target.parts[s->target.n - 1].inst;
    if (!is_connector_path(f, s) || !is_near(f, s) || !s->inst->is_numbered)
        return false;
    const Instance *first = s->target.parts[0].inst;
    s->outside = class_is_connector(first->cls) && first->parent == f->at;
    return choose_elements(f, names, s, 0, 0, 0, 0);
}

/* False after an error, or if the connector is absent (*absent). */
static bool open_side(Flattener *f, NameScope *names, const AstExpr *e, Side *s, bool *absent)
{
    *s = (Side){.ast = e};
    if (e->kind == AST_REF)
        return add_items(f, names, s, absent);
    diag(f->ctx, e->span, DIAG_F002, "connect needs the name of a connector here");
    return false;
}

/* ---- pairs ---- */

typedef struct Pairing {
    Flattener *f;
    const AstEq *eq;
    bool outside_a, outside_b;
    uint32_t span;
    uint32_t tie; /* the present overconstrained pair, + 1 */
} Pairing;

static void report_mismatch(Pairing *p, const Instance *a, const Instance *b, const char *why)
{
    diag(p->f->ctx, p->eq->span, DIAG_F002, "the connectors do not fit: %s", why);
    if (a && a->decl)
        diag_note(p->f->ctx, a->decl->span, "'%s' of class '%s' is declared here",
                  inst_path(p->f->lib, a), a->cls->name);
    if (b && b->decl)
        diag_note(p->f->ctx, b->decl->span, "'%s' of class '%s' is declared here",
                  inst_path(p->f->lib, b), b->cls->name);
}

static void add_edge(Pairing *p, uint32_t a, uint32_t b)
{
    Edge e = {2 * a + p->outside_a, 2 * b + p->outside_b, p->f->at->comp_at, p->span, p->tie};
    vec_push(&p->f->edges, e);
}

/* ---- overconstrained records, cardinality ---- */

static uint32_t node_of(const Flattener *f, uint32_t var, uint32_t n)
{
    for (uint32_t v = var; v < var + n; v++)
        if (f->flat->vars.at[v].variability != VARIES_CONSTANT)
            return v;
    return var;
}

uint32_t node_of_expr(const Flattener *f, ExprId e)
{
    const Graph *g = f->g;
    if (expr_op(g, e) == OP_VAR)
        return f->flat->vars.at[expr_index(g, e)].variability == VARIES_CONSTANT ? MAP_NONE
                                                                                 : expr_index(g, e);
    for (uint32_t i = 0; i < expr_n(g, e); i++) {
        uint32_t v = node_of_expr(f, expr_arg(g, e, i));
        if (v != MAP_NONE)
            return v;
    }
    return MAP_NONE;
}

static void begin_tie(Pairing *p, Instance *a, uint32_t va, Instance *b, uint32_t vb)
{
    Flattener *f = p->f;
    if (!a->n_vars || !b->n_vars) /* nothing to be constrained */
        return;
    Tie t = {node_of(f, va, a->n_vars),
             node_of(f, vb, b->n_vars),
             va,
             vb,
             a,
             b,
             f->at->comp_at,
             p->span,
             false};
    vec_push(&f->ties, t);
    p->tie = f->ties.n;
}

static void add_link(Pairing *p, Instance *a, uint32_t sa, Instance *b, uint32_t sb, uint32_t va,
                     uint32_t vb)
{
    Flattener *f = p->f;
    bool leaf = inst_is_leaf(a);
    Link l = {sa, sb, 1, 1};
    if (!leaf) {
        l.a = f->scalar[node_of(f, va, a->n_vars)];
        l.b = f->scalar[node_of(f, vb, b->n_vars)];
        l.size_a = f->scalar[va + a->n_vars] - f->scalar[va];
        l.size_b = f->scalar[vb + b->n_vars] - f->scalar[vb];
    }
    vec_push(&f->links, l);
}

/* Parameters in connectors must agree (section 9.2): an assertion, unless they are seen to differ.
 */
static void pair_parameters(Pairing *p, Instance *a, uint32_t va, Instance *b, uint32_t vb)
{
    Flattener *f = p->f;
    NameScope names = name_scope(f->lib, (Scope){f->at, f->at->cls->layers.at[0]}, NAMES_FLAT);
    names.type.optional = true;
    names.soft = true;
    ExprId x = expr_leaf(f->g, OP_VAR, f->flat->vars.at[va].type, va);
    ExprId y = expr_leaf(f->g, OP_VAR, f->flat->vars.at[vb].type, vb);
    Value u, v;
    if (type_rank(f->g->types, f->flat->vars.at[va].type) || x == y)
        return;
    bool known = inst_evaluate(&names, x, p->eq->span, "", &u) == EVAL_OK &&
                 inst_evaluate(&names, y, p->eq->span, "", &v) == EVAL_OK;
    if (known && (a->cls->type == T_STRING ? u.str != v.str : u.num != v.num)) {
        report_mismatch(p, a, b,
                        arena_printf(f->lib->arena, "their parameters '%s' have different values",
                                     a->decl->name));
        return;
    }
    if (known || a->cls->type == T_STRING)
        return;
    FlatEq eq = {.kind = FLAT_ASSERT,
                 .origin = ORIGIN_CONNECTION,
                 .component = f->at->comp_at,
                 .span = p->eq->span};
    eq.lhs = expr2(f->g, OP_EQ, T_BOOL, x, y);
    const char *text =
        arena_printf(f->lib->arena, "parameters of connected connectors differ: %s and %s",
                     inst_path(f->lib, a), inst_path(f->lib, b));
    eq.rhs = expr_string(f->g, text, strlen(text));
    vec_push(&f->flat->eqs, eq);
}

static bool in_expandable(const Instance *inst)
{
    for (const Instance *a = inst->parent; a; a = a->parent)
        if (class_is_expandable(a->cls))
            return true;
    return false;
}

static bool check_leaves(Pairing *p, Instance *a, Instance *b)
{
    if (a->cls->type != b->cls->type) {
        const Types *types = p->f->g->types;
        report_mismatch(p, a, b,
                        arena_printf(p->f->lib->arena, "'%s' is %s, '%s' is %s", a->decl->name,
                                     type_print(types, a->cls->type, p->f->lib->arena),
                                     b->decl->name,
                                     type_print(types, b->cls->type, p->f->lib->arena)));
        return false;
    }
    if (a->flow != b->flow) {
        report_mismatch(p, a, b,
                        arena_printf(p->f->lib->arena, "'%s' is a flow, but '%s' is not",
                                     (a->flow ? a : b)->decl->name, (a->flow ? b : a)->decl->name));
        return false;
    }
    bool ka = a->variability >= AST_PARAMETER, kb = b->variability >= AST_PARAMETER;
    if (ka != kb || (ka && a->variability != b->variability)) {
        report_mismatch(p, a, b,
                        arena_printf(p->f->lib->arena, "'%s' is a %s on one side only",
                                     a->decl->name,
                                     ka != kb ? "parameter or constant" : "constant"));
        return false;
    }
    bool ca = a->causality != AST_ACAUSAL, cb = b->causality != AST_ACAUSAL;
    if (ca != cb && !in_expandable(a) && !in_expandable(b)) {
        report_mismatch(p, a, b,
                        arena_printf(p->f->lib->arena,
                                     "'%s' is an input or output on one side only", a->decl->name));
        return false;
    }
    return true;
}

static void pair_leaves(Pairing *p, Instance *a, uint32_t va, Instance *b, uint32_t vb)
{
    Flattener *f = p->f;
    if (!check_leaves(p, a, b))
        return;
    if (a->variability >= AST_PARAMETER) {
        pair_parameters(p, a, va, b, vb);
        return;
    }
    uint32_t n = f->scalar[va + 1] - f->scalar[va];
    if (f->flat->vars.at[va].type != f->flat->vars.at[vb].type ||
        n != f->scalar[vb + 1] - f->scalar[vb]) {
        report_mismatch(p, a, b,
                        arena_printf(f->lib->arena, "the sizes of '%s' differ", a->decl->name));
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        add_edge(p, f->scalar[va] + i, f->scalar[vb] + i);
}

static Instance *counterpart(Pairing *p, Instance *a, Instance *b, uint32_t index)
{
    const Class *c = a->cls;
    uint32_t other = b->cls == c ? index : class_find(b->cls, c->elements.at[index].name);
    if (other == MAP_NONE || b->cls->elements.at[other].kind != ELEMENT_COMPONENT) {
        report_mismatch(p, a, b,
                        arena_printf(p->f->lib->arena, "'%s' is missing in '%s'",
                                     c->elements.at[index].name, b->cls->name));
        return NULL;
    }
    return inst_component(p->f->lib, b, other);
}

static void pair_children(Pairing *p, Instance *a, uint32_t va, Instance *b, uint32_t vb)
{
    const Class *c = a->cls;
    for (uint32_t i = 0; b->cls != c && i < b->cls->order.n; i++) {
        uint32_t index = b->cls->order.at[i];
        if (b->cls->elements.at[index].kind == ELEMENT_COMPONENT && !counterpart(p, b, a, index))
            return;
    }
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        if (c->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        Instance *x = inst_component(p->f->lib, a, index), *y = counterpart(p, a, b, index);
        if (!x || !y)
            return;
        if (!x->is_numbered || !y->is_numbered)
            continue;
        if (inst_is_leaf(x) != inst_is_leaf(y)) {
            report_mismatch(p, x, y, "one is a simple variable, the other is not");
            return;
        }
        bool tied = !p->tie && is_overconstrained(p->f, x);
        if (inst_is_leaf(x)) {
            if (tied)
                begin_tie(p, x, va + x->var, y, vb + y->var);
            pair_leaves(p, x, va + x->var, y, vb + y->var);
            p->tie = tied ? 0 : p->tie;
            continue;
        }
        if (x->rank != y->rank || inst_count(x) != inst_count(y)) {
            report_mismatch(p, x, y, "sizes differ");
            return;
        }
        for (uint32_t k = 0; k < (uint32_t)inst_count(x); k++) {
            Instance *xk = x->elements ? x->elements[k] : x, *yk = y->elements ? y->elements[k] : y;
            uint32_t vx = va + (x->elements ? xk->var : x->var + k * x->n_vars);
            uint32_t vy = vb + (y->elements ? yk->var : y->var + k * y->n_vars);
            if (tied)
                begin_tie(p, xk, vx, yk, vy);
            pair_children(p, xk, vx, yk, vy);
            p->tie = tied ? 0 : p->tie;
        }
    }
}

static bool same_shape(Pairing *p, const Side *a, const Side *b)
{
    bool same = a->items.n == b->items.n && a->dims.n == b->dims.n;
    for (uint32_t i = 0; same && i < a->dims.n; i++)
        same = a->dims.at[i] == b->dims.at[i];
    if (same)
        return true;
    Arena *arena = p->f->lib->arena;
    const char *text[2];
    for (int k = 0; k < 2; k++) {
        const Side *s = k ? b : a;
        text[k] = s->dims.n ? "" : "a single connector";
        for (uint32_t i = 0; i < s->dims.n; i++)
            text[k] = arena_printf(arena, "%s%s%lld%s", text[k], i ? ", " : "[",
                                   (long long)s->dims.at[i], i + 1 == s->dims.n ? "]" : "");
    }
    report_mismatch(p, a->inst, b->inst,
                    arena_printf(arena, "sizes differ (%s and %s)", text[0], text[1]));
    return false;
}

static void pair_items(Pairing *p, SideItem a, SideItem b)
{
    if (!a.inst || !b.inst)
        return;
    uint32_t sa = p->f->scalar[a.var] + a.scalar, sb = p->f->scalar[b.var] + b.scalar;
    add_link(p, a.inst, sa, b.inst, sb, a.var, b.var);
    if (!inst_is_leaf(a.inst))
        pair_children(p, a.inst, a.var, b.inst, b.var);
    else if (check_leaves(p, a.inst, b.inst) && a.inst->variability < AST_PARAMETER)
        add_edge(p, sa, sb);
}

static void pair_sides(Pairing *p, const Side *a, const Side *b)
{
    if (!a->inst || !b->inst)
        return;
    if (inst_is_leaf(a->inst) != inst_is_leaf(b->inst)) {
        report_mismatch(p, a->inst, b->inst, "one is a simple variable, the other is not");
        return;
    }
    if (class_is_expandable(a->inst->cls) != class_is_expandable(b->inst->cls)) {
        report_mismatch(p, a->inst, b->inst,
                        "one is expandable, the other is not (Modelica 3.6, section 9.1.3)");
        return;
    }
    if (!same_shape(p, a, b))
        return;
    uint32_t errors = p->f->ctx->n_errors;
    for (uint32_t i = 0; i < a->items.n && p->f->ctx->n_errors == errors; i++)
        pair_items(p, a->items.at[i], b->items.at[i]);
}

typedef enum Walk { WALK_THERE, WALK_ABSENT, WALK_LOST } Walk;

/* Whether e names a present component, or a part of an absent one; lost if a name is not found. A
 * member of an expandable connector may be missing if it is only connected with absent components.
 * Subscripts are ignored. */
static Walk walk(Flattener *f, const NameScope *names, const AstExpr *e)
{
    if (e->kind != AST_REF || e->ref->absolute)
        return WALK_LOST;
    Found at = lookup_name(f->lib, names->scope, e->ref->parts[0].name);
    for (uint32_t i = 0;; i++) {
        bool found = at.inst && found_element(at)->kind == ELEMENT_COMPONENT;
        Instance *inst = found ? inst_follow(inst_component(f->lib, at.inst, at.index)) : NULL;
        if (!inst)
            return WALK_LOST;
        if (inst->absent || inst->in_absent)
            return WALK_ABSENT;
        if (i + 1 == e->ref->n || inst->elements)
            return WALK_THERE; /* elements that differ: left to the subscripts */
        at = lookup_member(f->lib, inst, e->ref->parts[i + 1].name);
        if (!at.inst && class_is_expandable(inst->cls))
            return WALK_THERE;
    }
}

void make_connect(Flattener *f, NameScope *names, const AstEq *eq)
{
    Side a = {0}, b = {0};
    Walk to_a = walk(f, names, eq->lhs), to_b = walk(f, names, eq->rhs);
    bool absent = false, gone = to_a == WALK_ABSENT || to_b == WALK_ABSENT;
    bool ok = (gone && to_a != WALK_LOST) || open_side(f, names, eq->lhs, &a, &absent);
    ok &= (gone && to_b != WALK_LOST) || open_side(f, names, eq->rhs, &b, &absent);
    if (ok && !gone && !absent) {
        if (!f->spans.n || memcmp(&vec_last(&f->spans), &eq->span, sizeof eq->span))
            vec_push(&f->spans, eq->span);
        Pairing p = {f, eq, a.outside, b.outside, f->spans.n - 1, 0};
        pair_sides(&p, &a, &b);
    }
    side_free(&a);
    side_free(&b);
}
