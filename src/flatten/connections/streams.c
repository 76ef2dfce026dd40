/* Stream connectors: inStream, actualStream, and the stream variables of outside connectors.
 * Section 15.2 of the specification.
 *
 * A connection set of stream variables has suppliers: inside connectors whose flow may leave their
 * component, and outside connectors whose flow may enter. Each supplier is weighted by its flow.
 * With a single supplier, the mixing formula gives exactly its value. */
#include "flatten/connections/connections.h"

#include <math.h>

/* Flows below this part of their nominal value are smoothed. */
static const double SMALL_FLOW = 1e-7;

/* The contribution of a member of the set. */
typedef struct StreamSource {
    ExprId flow; /* positive towards the set */
    ExprId value;
    double nominal;
} StreamSource;

typedef VEC(StreamSource) StreamSources;

static ExprId mix(ConnectionSets *s, uint32_t root, uint32_t without);

/* ---- flows ---- */

/* The connector of the stream variable, and the number of its first variable. */
static Instance *connector_of(ConnectionSets *s, uint32_t var, uint32_t *at)
{
    Instance *inst = s->f->var_inst[var];
    *at = var;
    while (inst->parent && !class_is_connector(inst->cls)) {
        *at -= inst->var;
        inst = inst->parent;
    }
    return class_is_connector(inst->cls) ? inst : NULL;
}

/* The flow variable of the connector; MAP_NONE if there is not exactly one. */
static uint32_t flow_of(ConnectionSets *s, uint32_t var)
{
    uint32_t at, found = MAP_NONE;
    Instance *c = connector_of(s, var, &at);
    Instance *child;
    for (PartCursor next = {0}; c && (child = inst_next(c, &next));) {
        if (child->flow != AST_FLOW)
            continue;
        if (found != MAP_NONE || !inst_is_leaf(child) || child->rank)
            return MAP_NONE;
        found = at + child->var;
    }
    return found;
}

static bool bound_of(ConnectionSets *s, ExprId e, double *out)
{
    Flattener *f = s->f;
    if (e == EXPR_NONE)
        return false;
    NameScope names = name_scope(f->lib, (Scope){f->root, f->root->cls->layers.at[0]}, NAMES_FLAT);
    names.type.optional = true;
    Value v;
    if (inst_evaluate(&names, e, (Span){0}, "a bound", &v) != EVAL_OK ||
        type_rank(f->g->types, v.type))
        return false;
    *out = v.num;
    return true;
}

/* Can the member's flow be directed to the set at all? */
static bool can_give(ConnectionSets *s, const FlatVar *flow, bool outside)
{
    double bound;
    if (outside)
        return !bound_of(s, flow->max, &bound) || bound > 0;
    return !bound_of(s, flow->min, &bound) || bound < 0;
}

/* ---- the mixing formula ---- */

static ExprId seen_from_inside(ConnectionSets *s, uint32_t scalar)
{
    uint32_t node = 2 * scalar, root = set_of(s, node);
    if (!s->edge[node])
        return scalar_expr(s, scalar);
    ExprId e = mix(s, root, node);
    return e == EXPR_NONE ? scalar_expr(s, scalar) : e;
}

/* In a connection of two, each receives the value of the other, whatever the bounds of the flow. */
static bool is_pair(const ConnectionSets *s, uint32_t root)
{
    uint32_t n = 0;
    for (uint32_t a = root; a < s->n && n < 3; a = s->next[a])
        n++;
    return n == 2;
}

static void collect(ConnectionSets *s, uint32_t root, uint32_t without, StreamSources *out)
{
    Flattener *f = s->f;
    bool pair = is_pair(s, root);
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        uint32_t var = s->var[a / 2], flow = flow_of(s, var);
        if (a == without || flow == MAP_NONE)
            continue;
        const FlatVar *v = &f->flat->vars.at[flow];
        bool outside = a & 1;
        if (!pair && !can_give(s, v, outside))
            continue;
        ExprId m = expr_leaf(f->g, OP_VAR, T_REAL, flow);
        StreamSource g = {outside ? m : expr_neg(f->g, m), EXPR_NONE, 1};
        bound_of(s, v->nominal, &g.nominal);
        g.value = outside ? seen_from_inside(s, a / 2) : scalar_expr(s, a / 2);
        vec_push(out, g);
    }
}

static ExprId positive(Graph *g, ExprId x)
{
    return expr_apply(g, OP_MAX, T_REAL, 0, (ExprId[]){x, expr_real(g, 0)}, 2);
}

/* alpha: 1 if the flow towards the receiver is large enough, 0 if there is none, smooth between */
static ExprId weight(Graph *g, ExprId sum, double eps)
{
    ExprId z = expr_div(g, sum, expr_real(g, eps));
    ExprId between = expr_mul(g, expr_mul(g, z, z),
                              expr_sub(g, expr_real(g, 3), expr_mul(g, expr_real(g, 2), z)));
    ExprId inner =
        expr_if(g, expr_compare(g, OP_GT, sum, expr_real(g, 0)), between, expr_real(g, 0));
    return expr_if(g, expr_compare(g, OP_GT, sum, expr_real(g, eps)), expr_real(g, 1), inner);
}

static ExprId mixture(Graph *g, const StreamSources *sources)
{
    double nominal = 0;
    ExprId sum = expr_real(g, 0);
    for (uint32_t i = 0; i < sources->n; i++) {
        nominal = fmax(nominal, fabs(sources->at[i].nominal));
        sum = expr_add(g, sum, positive(g, sources->at[i].flow));
    }
    double eps = SMALL_FLOW * (nominal > 0 && isfinite(nominal) ? nominal : 1);
    ExprId alpha = weight(g, sum, eps);
    ExprId rest = expr_mul(g, expr_sub(g, expr_real(g, 1), alpha), expr_real(g, eps));
    ExprId above = expr_real(g, 0), below = expr_real(g, 0);
    for (uint32_t i = 0; i < sources->n; i++) {
        ExprId part = expr_add(g, expr_mul(g, alpha, positive(g, sources->at[i].flow)), rest);
        above = expr_add(g, above, expr_mul(g, part, sources->at[i].value));
        below = expr_add(g, below, part);
    }
    ExprId e = expr_div(g, above, below);
    return expr_apply(g, OP_NOEVENT, T_REAL, 0, &e, 1);
}

/* The mixed value of all members except `without`; EXPR_NONE if there is none. */
static ExprId mix(ConnectionSets *s, uint32_t root, uint32_t without)
{
    StreamSources sources = {0};
    collect(s, root, without, &sources);
    ExprId e = sources.n == 0   ? EXPR_NONE
               : sources.n == 1 ? sources.at[0].value
                                : mixture(s->f->g, &sources);
    vec_free(&sources);
    return e;
}

void stream_equations(ConnectionSets *s, uint32_t root)
{
    for (uint32_t a = root; a < s->n; a = s->next[a]) {
        if (!(a & 1))
            continue;
        ExprId e = mix(s, root, a);
        FlatEq eq = connection_equation(s, ORIGIN_CONNECTION, a);
        eq.lhs = scalar_expr(s, a / 2);
        eq.rhs = e == EXPR_NONE ? seen_from_inside(s, a / 2) : e;
        vec_push(&s->f->flat->eqs, eq);
    }
}

/* ---- the operators ---- */

static ExprId of_scalar(ConnectionSets *s, uint32_t scalar, bool actual)
{
    Graph *g = s->f->g;
    uint32_t flow = flow_of(s, s->var[scalar]);
    ExprId in = seen_from_inside(s, scalar);
    if (!actual || flow == MAP_NONE)
        return in;
    ExprId m = expr_leaf(g, OP_VAR, T_REAL, flow);
    return expr_if(g, expr_compare(g, OP_GT, m, expr_real(g, 0)), in, scalar_expr(s, scalar));
}

/* An array of the elements from `scalar` on, of the dimensions of `type` from `dim` on. */
static ExprId of_array(ConnectionSets *s, TypeId type, uint32_t *scalar, bool actual)
{
    Graph *g = s->f->g;
    if (!type_rank(g->types, type))
        return of_scalar(s, (*scalar)++, actual);
    TypeId item = type_drop(g->types, type, 1);
    VEC(ExprId) items = {0};
    for (int64_t i = 0; i < type_dim(g->types, type, 0); i++)
        vec_push(&items, of_array(s, item, scalar, actual));
    ExprId e = expr_make(g, OP_ARRAY, type, 0, items.at, items.n);
    vec_free(&items);
    return e;
}

static ExprId of_expr(ConnectionSets *s, ExprId e, bool actual)
{
    Flattener *f = s->f;
    Graph *g = f->g;
    TypeId type = expr_type(g, e);
    uint32_t n = expr_n(g, e);
    VEC(ExprId) args = {0};
    switch (expr_op(g, e)) {
    case OP_VAR: {
        uint32_t var = expr_index(g, e), scalar = f->scalar[var];
        if (f->var_inst[var]->flow == AST_STREAM)
            return of_array(s, type, &scalar, actual);
        diag(f->ctx, f->flat->vars.at[var].span, DIAG_F011,
             "'%s' is an argument of %s, but is not a stream variable",
             flat_var_name(f->flat, var, f->lib->arena), actual ? "actualStream" : "inStream");
        return e;
    }
    case OP_INDEX:
    case OP_ARRAY:
        for (uint32_t i = 0; i < n; i++)
            vec_push(&args, i == 0 || expr_op(g, e) == OP_ARRAY
                                ? of_expr(s, expr_arg(g, e, i), actual)
                                : expr_arg(g, e, i));
        e = expr_apply(g, expr_op(g, e), type, 0, args.at, args.n);
        vec_free(&args);
        return e;
    default: return e;
    }
}

ExprId in_stream(ConnectionSets *s, ExprId e)
{
    return of_expr(s, expr_arg(s->f->g, e, 0), false);
}

ExprId actual_stream(ConnectionSets *s, ExprId e)
{
    return of_expr(s, expr_arg(s->f->g, e, 0), true);
}

ExprId stream_product(ConnectionSets *s, ExprId e)
{
    Graph *g = s->f->g;
    if (expr_n(g, e) != 2 || expr_type(g, e) != T_REAL)
        return EXPR_NONE;
    for (uint32_t i = 0; i < 2; i++) {
        ExprId m = expr_arg(g, e, i), x = expr_arg(g, e, 1 - i);
        if (expr_op(g, x) != OP_ACTUAL_STREAM || expr_op(g, m) != OP_VAR)
            continue;
        uint32_t var = node_of_expr(s->f, x);
        if (var == MAP_NONE || flow_of(s, var) != expr_index(g, m))
            continue;
        ExprId product = expr_mul(g, m, actual_stream(s, x));
        return expr_apply(g, OP_SMOOTH, T_REAL, 0, (ExprId[]){expr_int(g, 0), product}, 2);
    }
    return EXPR_NONE;
}
