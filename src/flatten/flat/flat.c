/* Helpers on the flat model. */
#include "flatten/flat/flat.h"

#include "base/text.h"

void flat_free(Flat *f)
{
    if (!f)
        return;
    vec_free(&f->vars);
    vec_free(&f->eqs);
    vec_free(&f->clocks);
    vec_free(&f->visuals);
    paths_free(f->paths);
    arena_free(f->arena);
    memory_free(f);
}

void flat_drop_equations(Flat *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->eqs.n; i++)
        if (f->eqs.at[i].literal)
            f->eqs.at[n++] = f->eqs.at[i];
    f->eqs.n = n;
    if (!n)
        vec_free(&f->eqs);
}

const FlatShared flat_plain = {.traits.state_select = SELECT_DEFAULT};

FlatShared *flat_own(Flat *f, FlatVar *v)
{
    FlatShared *own = ARENA_NEW(f->arena, FlatShared);
    *own = *v->shared;
    v->shared = own;
    return own;
}

const FlatTraits *flat_traits(const FlatVar *v, uint32_t element)
{
    return v->shared->each ? &v->shared->each[element] : &v->shared->traits;
}

char *flat_var_name(const Flat *f, uint32_t var, Arena *arena)
{
    return path_text(f->paths, f->vars.at[var].path, arena);
}

static Variability largest(Variability a, Variability b)
{
    return a > b ? a : b;
}

/* Operators whose result changes only at events, for any arguments. */
static bool is_discrete_op(ExprOp op)
{
    OpBehaviour b = op_behaviour(op);
    return b == VALUE_DISCRETE || b == VALUE_ROUNDS || b == VALUE_STEPS || b == VALUE_SWITCHES;
}

/* A node to visit; below noEvent, relations cause no events. */
typedef struct Visit {
    ExprId e;
    bool literal;
} Visit;

Variability flat_variability(const Flat *f, ExprId e)
{
    const Graph *g = f->g;
    Variability found = VARIES_CONSTANT;
    VEC(Visit) stack = {0};
    Map seen = {0};
    vec_push(&stack, ((Visit){e, false}));
    while (stack.n && found != VARIES_CONTINUOUS) {
        Visit v = vec_pop(&stack);
        if (v.e == EXPR_NONE || map_get(&seen, map_pair(v.e, v.literal)) != MAP_NONE)
            continue;
        map_put(&seen, map_pair(v.e, v.literal), 1);
        ExprOp op = expr_op(g, v.e);
        if (op == OP_VAR && expr_index(g, v.e) < f->vars.n)
            found = largest(found, (Variability)f->vars.at[expr_index(g, v.e)].variability);
        if (op_behaviour(op) == VALUE_CONTINUOUS)
            found = VARIES_CONTINUOUS;
        if (op == OP_SIZE || op == OP_NDIMS || op == OP_CARDINALITY || op == OP_IS_ROOT ||
            op == OP_ROOTED)
            continue;
        if (op_class(op) == CLASS_CLOCK || op_class(op) == CLASS_NAME ||
            op_class(op) == CLASS_MACHINE) {
            found = largest(found, VARIES_DISCRETE);
            continue;
        }
        if (op_behaviour(op) == VALUE_DISCRETE)
            found = largest(found, VARIES_DISCRETE);
        if (is_discrete_op(op) && !v.literal) {
            Variability below = VARIES_CONSTANT;
            for (uint32_t i = 0; i < expr_n(g, v.e) && op_behaviour(op) != VALUE_DISCRETE; i++)
                below = largest(below, flat_variability(f, expr_arg(g, v.e, i)));
            found = largest(found, below > VARIES_DISCRETE ? VARIES_DISCRETE : below);
            continue;
        }
        for (uint32_t i = 0; i < expr_n(g, v.e); i++)
            vec_push(&stack, ((Visit){expr_arg(g, v.e, i), v.literal || op == OP_NOEVENT}));
    }
    vec_free(&stack);
    map_free(&seen);
    return found;
}

/* ---- start values ---- */

/* s for all elements of an array. */
static ExprId filled(Graph *g, ExprId s, TypeId type)
{
    VEC(ExprId) args = {0};
    vec_push(&args, s);
    for (uint32_t i = 0; i < type_rank(g->types, type); i++)
        vec_push(&args, expr_int(g, type_dim(g->types, type, i)));
    ExprId e = expr_make(g, OP_FILL, type, 0, args.at, args.n);
    vec_free(&args);
    return e;
}

ExprId flat_start_value(const Flat *f, ExprId e)
{
    Graph *g = f->g;
    bool element = expr_op(g, e) == OP_INDEX;
    const FlatVar *v = &f->vars.at[expr_index(g, element ? expr_arg(g, e, 0) : e)];
    TypeId type = expr_type(g, e);
    ExprId s = v->start ? v->start : expr_blank(g, v->type);
    uint32_t rank = type_rank(g->types, expr_type(g, s));
    if (!rank)
        return type_rank(g->types, type) ? filled(g, s, type) : s;
    if (!element)
        return s;
    VEC(ExprId) args = {0};
    vec_push(&args, s);
    for (uint32_t i = 1; i < expr_n(g, e); i++)
        vec_push(&args, expr_arg(g, e, i));
    s = expr_apply(g, OP_INDEX, type, 0, args.at, args.n);
    vec_free(&args);
    return s;
}
