/* The contract of Flat as code. */
#include "flatten/flat/flat.h"
#include "flatten/flat/flat_walk.h"

typedef struct Checker {
    const Flat *f;
    Arena *arena;
    const char *breach;
    bool *seen; /* by ExprId: already found sound */
    Map paths;  /* of the variables checked */
} Checker;

#define BREACH(c, ...)                                                                             \
    ((c)->breach = (c)->breach ? (c)->breach : arena_printf((c)->arena, __VA_ARGS__))

typedef struct ExprCheck {
    Checker *c;
    const char *where;
} ExprCheck;

static Walk check_node(void *user, ExprId e)
{
    const ExprCheck *w = user;
    Checker *c = w->c;
    const Graph *g = c->f->g;
    if (e >= g->nodes.n) {
        BREACH(c, "%s: expression %u does not exist", w->where, e);
        return WALK_END;
    }
    if (c->seen[e])
        return WALK_PAST;
    c->seen[e] = true;
    if (expr_op(g, e) == OP_VAR) {
        uint32_t v = expr_index(g, e);
        if (v >= c->f->vars.n)
            BREACH(c, "%s: variable %u does not exist", w->where, v);
        else if (expr_type(g, e) != c->f->vars.at[v].type)
            BREACH(c, "%s: variable %s is used with another type", w->where,
                   flat_var_name(c->f, v, c->arena));
    }
    if (expr_op(g, e) == OP_HOLE || expr_op(g, e) == OP_LOCAL)
        BREACH(c, "%s: %s is not allowed here", w->where, expr_op_text(expr_op(g, e)));
    return c->breach ? WALK_END : WALK_ON;
}

static void check_expr(Checker *c, ExprId e, const char *where)
{
    if (!c->breach)
        expr_walk_down(c->f->g, e, check_node, &(ExprCheck){c, where});
}

static void check_var(Checker *c, uint32_t i)
{
    const FlatVar *v = &c->f->vars.at[i];
    const Types *types = c->f->g->types;
    TypeKind kind = type_get(types, type_element(types, v->type))->kind;
    if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL && kind != TYPE_STRING &&
        kind != TYPE_ENUM && kind != TYPE_EXTERNAL && kind != TYPE_CLOCK)
        BREACH(c, "%s is not of a predefined or enumeration type",
               flat_var_name(c->f, i, c->arena));
    else if (type_count(types, v->type) < 0)
        BREACH(c, "%s has an unknown size", flat_var_name(c->f, i, c->arena));
    else if (v->variability == VARIES_CONTINUOUS && kind != TYPE_REAL)
        BREACH(c, "%s is continuous, but not a Real", flat_var_name(c->f, i, c->arena));
    else if (v->variability > VARIES_PARAMETER && v->binding)
        BREACH(c, "%s is not a parameter, but has a binding", flat_var_name(c->f, i, c->arena));
    else if (v->binding && expr_type(c->f->g, v->binding) != v->type)
        BREACH(c, "the binding of %s has another type", flat_var_name(c->f, i, c->arena));
    else if (map_get(&c->paths, v->path) != MAP_NONE)
        BREACH(c, "%s has the path of another variable", flat_var_name(c->f, i, c->arena));
    map_put(&c->paths, v->path, i);
    const ExprId exprs[] = {v->binding, v->start, v->fixed, v->min, v->max, v->nominal};
    for (size_t k = 0; k < sizeof exprs / sizeof *exprs; k++)
        check_expr(c, exprs[k], "attribute");
}

static Walk check_equation(void *user, const FlatEq *eq)
{
    Checker *c = user;
    const Graph *g = c->f->g;
    const Types *types = g->types;
    check_expr(c, eq->lhs, "equation");
    check_expr(c, eq->rhs, "equation");
    if (c->breach)
        return WALK_END;
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL:
        if (!eq->lhs || !eq->rhs)
            BREACH(c, "an equation lacks a side");
        else if (expr_op(g, eq->lhs) != OP_TUPLE && expr_type(g, eq->lhs) != expr_type(g, eq->rhs))
            BREACH(c, "the sides of an equation have different types: %s and %s",
                   type_print(types, expr_type(g, eq->lhs), c->arena),
                   type_print(types, expr_type(g, eq->rhs), c->arena));
        else if (expr_op(g, eq->lhs) != OP_TUPLE &&
                 type_get(types, type_element(types, expr_type(g, eq->lhs)))->kind == TYPE_RECORD)
            BREACH(c, "an equation of records");
        break;
    case FLAT_IF:
    case FLAT_WHEN:
        if (!eq->n_branches)
            BREACH(c, "an equation lacks branches");
        break;
    case FLAT_REINIT:
    case FLAT_ASSERT:
        if (!eq->lhs || !eq->rhs)
            BREACH(c, "reinit or assert lacks an argument");
        break;
    case FLAT_TERMINATE:
    case FLAT_CALL:
        if (!eq->rhs)
            BREACH(c, "a call lacks its expression");
        break;
    case FLAT_ALGORITHM:
        if (!eq->n_stmts)
            BREACH(c, "an algorithm is empty");
        break;
    }
    return c->breach ? WALK_END : WALK_ON;
}

static void check_branch(void *user, const FlatEq *eq, const FlatBranch *b)
{
    Checker *c = user;
    bool last = b == &eq->branches[eq->n_branches - 1];
    check_expr(c, b->condition, "condition");
    if (!c->breach && !b->condition && (eq->kind == FLAT_WHEN || !last))
        BREACH(c, "a branch lacks its condition");
}

const char *flat_check(const Flat *f, Arena *arena)
{
    Checker c = {.f = f, .arena = arena, .seen = memory_alloc(f->g->nodes.n)};
    for (uint32_t i = 0; i < f->vars.n && !c.breach; i++)
        check_var(&c, i);
    for (uint32_t i = 0; i < f->eqs.n && !c.breach; i++)
        flat_walk(&f->eqs.at[i], 1,
                  &(FlatVisitor){.equation = check_equation, .branch = check_branch}, &c);
    memory_free(c.seen);
    map_free(&c.paths);
    return c.breach;
}
