/* Functions of the Dae for later phases: names, evaluation, derivatives of equations. */
#include "dae/model/model.h"

#include <math.h>

void dae_free(Dae *d)
{
    if (!d)
        return;
    symbolic_free(d->symbolic);
    shapes_free(d->shapes);
    vec_free(&d->vars);
    vec_free(&d->eqs);
    vec_free(&d->ops);
    vec_free(&d->relations);
    vec_free(&d->samples);
    vec_free(&d->delays);
    vec_free(&d->transports);
    vec_free(&d->actions);
    arena_free(d->arena);
    memory_free(d);
}

VarId dae_representative(const Dae *d, VarId v, bool *negative)
{
    bool minus = false;
    for (; d->vars.at[v].alias != NONE; v = d->vars.at[v].alias)
        minus ^= d->vars.at[v].alias_sign < 0;
    if (negative)
        *negative = minus;
    return v;
}

/* ---- names ---- */

static char *element_name(const Dae *d, const DaeVar *x, Arena *arena)
{
    const FlatVar *flat = &d->flat->vars.at[x->flat];
    const Type *type = type_get(d->g->types, flat->type);
    uint32_t rank = type_rank(d->g->types, flat->type);
    int64_t few[8], *subs = rank <= 8 ? few : ARENA_ARRAY(arena, int64_t, rank), rest = x->element;
    for (uint32_t k = rank; k-- > 0; rest /= type->dims[k])
        subs[k] = rest % type->dims[k] + 1;
    return path_element(d->flat->paths, flat->path, subs, rank, arena);
}

static char *hidden_name(const DaeVar *x, Arena *arena)
{
    switch ((DaeVarKind)x->kind) {
    case DAE_TIME: return arena_printf(arena, "time");
    case DAE_CONTINUOUS:
        if (x->detail >= DETAIL_SET)
            return arena_printf(arena, "$set%u", x->detail - DETAIL_SET + 1);
        if (x->detail >= DETAIL_TRANSPORT)
            return arena_printf(arena, "$transport%u", x->detail - DETAIL_TRANSPORT + 1);
        return arena_printf(arena, x->detail % 2 ? "$undelayed%u" : "$delay%u", x->detail / 2 + 1);
    case DAE_DISCRETE:
        return arena_printf(arena, x->type == DAE_BOOL ? "$when%u" : "$floor%u", x->detail + 1);
    case DAE_RELATION: return arena_printf(arena, "$relation%u", x->detail + 1);
    case DAE_SAMPLE: return arena_printf(arena, "$sample%u", x->detail + 1);
    case DAE_INITIAL: return arena_printf(arena, "initial()");
    case DAE_TERMINAL: return arena_printf(arena, "terminal()");
    case DAE_INPUT: return arena_printf(arena, "$weight%u", x->detail - DETAIL_SET + 1);
    case DAE_LAMBDA: return arena_printf(arena, "$lambda");
    default: return arena_printf(arena, "$hidden");
    }
}

static bool is_name_of_model(const Dae *d, const char *name, Arena *arena)
{
    for (VarId v = 0; v < d->n_model_vars; v++)
        if (d->vars.at[v].flat != NONE && !strcmp(element_name(d, &d->vars.at[v], arena), name))
            return true;
    return false;
}

/* The hidden inputs of inline integration as the literature writes them: the step h, and pre(x). */
static char *integrator_name(const Dae *d, const DaeVar *x, Arena *arena)
{
    if (x->detail == DETAIL_STEP)
        return arena_printf(arena, is_name_of_model(d, "h", arena) ? "$h" : "h");
    return arena_printf(arena, "pre(%s)", dae_var_name(d, x->detail - DETAIL_STEP - 1, arena));
}

char *dae_var_name(const Dae *d, VarId v, Arena *arena)
{
    const DaeVar *x = &d->vars.at[v];
    if (x->flat != NONE)
        return element_name(d, x, arena);
    if (x->kind == DAE_INPUT && x->hidden && x->detail != NONE && x->detail >= DETAIL_STEP &&
        x->detail < DETAIL_TRANSPORT)
        return integrator_name(d, x, arena);
    if (x->base == NONE)
        return hidden_name(x, arena);
    uint32_t ders = 0;
    for (; x->kind == DAE_DERIVATIVE; ders++) {
        v = x->base;
        x = &d->vars.at[v];
    }
    char *name;
    if (x->flat != NONE || x->base == NONE)
        name = x->flat != NONE ? element_name(d, x, arena) : hidden_name(x, arena);
    else if (x->kind == DAE_PRE)
        name = arena_printf(arena, "pre(%s)", dae_var_name(d, x->base, arena));
    else
        name = arena_printf(arena, "%s.start", dae_var_name(d, x->base, arena));
    for (; ders > 0; ders--)
        name = arena_printf(arena, "der(%s)", name);
    return name;
}

/* ---- evaluation ---- */

EvalStatus eval_term(const Dae *d, Term t, const double *v, Arena *arena, double *out)
{
    enum { FEW = 32 };
    double few[FEW], *hole = t.n <= FEW ? few : memory_alloc(t.n * sizeof *hole);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId o = dae_op(d, t, k);
        const DaeVar *x = &d->vars.at[o];
        hole[k] = x->alias == NONE ? v[o] : x->alias_sign * v[x->alias];
    }
    EvalEnv env = {.g = d->g, .arena = arena, .holes = hole, .time = v[0], .silent = true};
    EvalStatus status = eval_number(&env, t.shape, out);
    if (hole != few)
        memory_free(hole);
    return status;
}

EvalStatus dae_eval(const Dae *d, Term t, const double *v, double *out)
{
    CONTEXT_HOLD(d->ctx);
    Arena *arena = arena_new();
    EvalStatus status = eval_term(d, t, v, arena, out);
    arena_free(arena);
    return status;
}

/* ---- derivatives of equations ---- */

static EqId no_derivative(Dae *d, const DaeEq *eq, const char *why)
{
    diag(d->ctx, eq->span, DIAG_D006,
         "the model needs the derivative of this equation, which cannot be computed: %s", why);
    return NONE;
}

/* The operand of t that is the derivative of v, k + n if none is. */
static uint32_t rate_index(const Dae *d, const Map *operands, VarId der, uint32_t otherwise)
{
    const DaeVar *x = &d->vars.at[der];
    bool same = x->alias != NONE && x->alias_sign > 0;
    uint32_t at = map_get(operands, same ? x->alias : der);
    return at == MAP_NONE ? otherwise : at;
}

static bool unknown_rate(Dae *d, EqId e, VarId v)
{
    Arena *a = arena_new();
    char *name = dae_var_name(d, v, a);
    no_derivative(d, &d->eqs.at[e], arena_printf(a, "the derivative of %s is not known", name));
    arena_free(a);
    return false;
}

/* Operands of the derivative of t: those of t, then the rates of those that change. False after
 * an error. */
static bool rate_operands(Dae *d, EqId e, VarId *ops, uint32_t *rate)
{
    Term t = d->eqs.at[e].term;
    Map operands = {0};
    bool ok = true;
    for (uint32_t k = 0; k < t.n; k++)
        map_put(&operands, dae_op(d, t, k), k);
    for (uint32_t k = 0; k < t.n && ok; k++) {
        VarId v = ops[k] = dae_op(d, t, k);
        rate[k] = v == 0 ? RATE_ONE : RATE_NONE;
        ops[t.n + k] = v;
        d->vars.at[v].rate_is_zero |= d->vars.at[v].kind == DAE_PARAMETER || dae_rests(d, v);
        if (v == 0 || !is_continuous(d, v) || d->vars.at[v].type != DAE_REAL || dae_rests(d, v))
            continue;
        if (d->vars.at[v].kind == DAE_INPUT || d->vars.at[v].kind == DAE_OUTSIDE) {
            ok = unknown_rate(d, e, v);
        } else {
            ops[t.n + k] = dae_derivative_var(d, v);
            rate[k] = rate_index(d, &operands, ops[t.n + k], t.n + k);
        }
    }
    map_free(&operands);
    return ok;
}

EqId dae_derivative_eq(Dae *d, EqId e)
{
    if (d->eqs.at[e].der != NONE)
        return d->eqs.at[e].der;
    Term t = d->eqs.at[e].term;
    VarId *ops = memory_alloc((2 * t.n + 1) * sizeof *ops), target = d->eqs.at[e].target;
    uint32_t *rate = memory_alloc((t.n + 1) * sizeof *rate);
    EqId made = NONE;
    ExprId r = EXPR_NONE;
    if (rate_operands(d, e, ops, rate)) {
        r = symbolic_rate(d->symbolic, t.shape, rate, t.n);
        if (!r)
            no_derivative(d, &d->eqs.at[e], symbolic_why(d->symbolic));
    }
    if (r) {
        Term rt = dae_term(d, r, ops, 2 * t.n);
        DaeEq x = d->eqs.at[e];
        x.term = rt;
        x.target = target == NONE ? NONE : dae_derivative_var(d, target);
        x.origin = DAE_EQ_DERIVED;
        x.of = e;
        x.der = NONE;
        vec_push(&d->eqs, x);
        made = d->eqs.n - 1;
        d->eqs.at[e].der = made;
    }
    memory_free(ops);
    memory_free(rate);
    return made;
}
