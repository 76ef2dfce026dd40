/* Relations, integer functions and sample(): what happens at events becomes variables (design:
 * hybrid semantics). */
#include "dae/lower/lower.h"

#include <math.h>

static uint64_t hash_relation(const Dae *d, ExprOp op, Term z)
{
    uint64_t h = hash_mix(op, z.shape);
    for (uint32_t k = 0; k < z.n; k++)
        h = hash_mix(h, dae_op(d, z, k));
    return h >> 1;
}

static bool same_relation(const Dae *d, const DaeRelation *r, ExprOp op, Term z)
{
    if (r->op != op || r->z.shape != z.shape || r->z.n != z.n)
        return false;
    for (uint32_t k = 0; k < z.n; k++)
        if (dae_op(d, r->z, k) != dae_op(d, z, k))
            return false;
    return true;
}

static VarId find_relation(const Lower *L, uint64_t hash, ExprOp op, Term z)
{
    for (uint32_t r = map_get(&L->relations, hash); r != MAP_NONE; r = L->relation_next.at[r])
        if (same_relation(L->d, &L->d->relations.at[r], op, z))
            return L->d->relations.at[r].var;
    return NONE;
}

static VarId make_relation(Lower *L, uint64_t hash, ExprOp op, Term z)
{
    Dae *d = L->d;
    VarId v = dae_hidden_var(d, DAE_RELATION, DAE_BOOL);
    Term t = {expr_compare(d->g, op, z.shape, expr_real(d->g, 0.0)), z.ops, z.n};
    d->vars.at[v].detail = d->relations.n;
    vec_push(&d->eqs, ((DaeEq){.term = t,
                               .target = v,
                               .origin = DAE_EQ_RELATION,
                               .of = NONE,
                               .der = NONE,
                               .component = L->component,
                               .span = L->span}));
    vec_push(&L->relation_next, map_get(&L->relations, hash));
    map_put(&L->relations, hash, d->relations.n);
    vec_push(&d->relations, ((DaeRelation){.var = v,
                                           .eq = d->eqs.n - 1,
                                           .op = op,
                                           .z = z,
                                           .scale = 1.0,
                                           .component = L->component,
                                           .span = L->span}));
    return v;
}

bool lower_relation(Lower *L, ExprOp op, ExprId a, ExprId b, LowerMode mode, ExprId *out)
{
    Dae *d = L->d;
    *out = expr_compare(L->g, op, a, b);
    bool real = expr_type(L->g, a) == T_REAL || expr_type(L->g, b) == T_REAL;
    if (mode == LOWER_LITERAL || !real || expr_op(L->g, *out) == OP_BOOL)
        return true;
    uint32_t mark = d->ops.n;
    Term z = shape_term(d, expr_sub(L->g, a, b));
    uint64_t hash = hash_relation(d, op, z);
    VarId v = term_is_discrete(d, z) ? NONE : find_relation(L, hash, op, z);
    if (v != NONE || term_is_discrete(d, z))
        d->ops.n = mark;
    else
        v = make_relation(L, hash, op, z);
    if (v != NONE)
        *out = hole_of(d, v);
    return true;
}

/* ---- integer functions ---- */

/* floor(q) after q has left [before, before + 1). The event decides this, even if q misses the
 * limit by a rounding error. */
static ExprId next_floor(Graph *g, ExprId now, ExprId before, ExprId below, ExprId above)
{
    ExprId one = expr_type(g, now) == T_INT ? expr_int(g, 1) : expr_real(g, 1.0);
    ExprId up = expr_add(g, before, one), down = expr_sub(g, before, one);
    ExprId least = expr_if(g, expr_compare(g, OP_LT, now, up), up, now);
    ExprId most = expr_if(g, expr_compare(g, OP_GT, now, down), down, now);
    return expr_if(g, above, least, expr_if(g, below, most, before));
}

/* The relation serves the equation made last. */
static void serve_floor(Lower *L, ExprId relation)
{
    Dae *d = L->d;
    if (expr_op(L->g, relation) == OP_HOLE)
        d->relations.at[d->vars.at[expr_index(L->g, relation)].detail].of_floor = d->eqs.n;
}

/* n = floor(q), as a discrete variable: it changes when q leaves [pre(n), pre(n) + 1). */
static bool floor_var(Lower *L, ExprId q, DaeType type, ExprId *out)
{
    Dae *d = L->d;
    uint64_t key = (uint64_t)q << 1 | (type == DAE_INT);
    uint32_t known = map_get(&L->floors, key);
    if (known != MAP_NONE) {
        *out = hole_of(d, known);
        return true;
    }
    VarId n = dae_hidden_var(d, DAE_DISCRETE, type);
    d->vars.at[n].detail = L->n_made++;
    map_put(&L->floors, key, n);
    ExprId before = hole_of(d, pre_var(d, n)), below, above, start = hole_of(d, initial_var(d));
    ExprId real = expr_apply(L->g, OP_TO_REAL, T_REAL, 0, &before, 1);
    ExprId next = expr_add(L->g, real, expr_real(L->g, 1.0));
    if (!lower_relation(L, OP_LT, q, real, LOWER_EVENTS, &below) ||
        !lower_relation(L, OP_GE, q, next, LOWER_EVENTS, &above))
        return false;
    ExprId now = type == DAE_INT ? expr_apply(L->g, OP_INTEGER, T_INT, 0, &q, 1)
                                 : expr_apply(L->g, OP_FLOOR, T_REAL, 0, &q, 1);
    Term t = shape_term(d, expr_if(L->g, start, now, next_floor(L->g, now, before, below, above)));
    vec_push(&d->eqs, ((DaeEq){.term = t,
                               .target = n,
                               .origin = DAE_EQ_MODEL,
                               .of = NONE,
                               .der = NONE,
                               .component = L->component,
                               .span = L->span}));
    serve_floor(L, below);
    serve_floor(L, above);
    *out = hole_of(d, n);
    return true;
}

/* Quotient rounded towards zero. */
static bool truncated(Lower *L, ExprId q, ExprId *out)
{
    ExprId c, down, up;
    if (!lower_relation(L, OP_GE, q, expr_real(L->g, 0.0), LOWER_EVENTS, &c) ||
        !floor_var(L, q, DAE_REAL, &down) || !floor_var(L, expr_neg(L->g, q), DAE_REAL, &up))
        return false;
    *out = expr_if(L->g, c, down, expr_neg(L->g, up));
    return true;
}

static bool has_events(Lower *L, const ExprId *args, uint32_t n)
{
    bool any = false;
    for (uint32_t i = 0; i < n && !any; i++) {
        uint32_t mark = L->d->ops.n;
        any = expr_type(L->g, args[i]) == T_REAL &&
              !term_is_discrete(L->d, shape_term(L->d, args[i]));
        L->d->ops.n = mark;
    }
    return any;
}

bool lower_integer_op(Lower *L, ExprOp op, TypeId type, const ExprId *args, LowerMode mode,
                      ExprId *out)
{
    bool binary = op == OP_QUOT || op == OP_MOD || op == OP_REM;
    if (mode == LOWER_LITERAL || op_class(op) == CLASS_CONVERSION ||
        !has_events(L, args, binary ? 2 : 1)) {
        *out = expr_apply(L->g, op, type, 0, args, binary ? 2 : 1);
        return true;
    }
    ExprId q = binary ? expr_div(L->g, args[0], args[1]) : args[0], n;
    bool ok = true;
    switch (op) {
    case OP_FLOOR: return floor_var(L, q, DAE_REAL, out);
    case OP_INTEGER: return floor_var(L, q, DAE_INT, out);
    case OP_CEIL:
        ok = floor_var(L, expr_neg(L->g, q), DAE_REAL, &n);
        *out = ok ? expr_neg(L->g, n) : EXPR_NONE;
        return ok;
    case OP_QUOT: return truncated(L, q, out);
    default: break;
    }
    ok = op == OP_MOD ? floor_var(L, q, DAE_REAL, &n) : truncated(L, q, &n);
    *out = ok ? expr_sub(L->g, args[0], expr_mul(L->g, n, args[1])) : EXPR_NONE;
    return ok;
}

/* ---- sample ---- */

static bool over_parameters(Lower *L, Term t, const char *what)
{
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = dae_op(L->d, t, k);
        if (is_known_parameter(L->d, v))
            continue;
        diag(L->ctx, L->span, DIAG_D003, "%s of sample() depends on %s, which is not a parameter",
             what, dae_var_name(L->d, v, L->scratch));
        return false;
    }
    return true;
}

bool lower_sample(Lower *L, ExprId start, ExprId interval, bool from_start, ExprId *out)
{
    Dae *d = L->d;
    uint64_t key = map_pair(2 * start + from_start, interval);
    uint32_t known = map_get(&L->samples, key);
    if (known == MAP_NONE) {
        Term a = shape_term(d, start), b = shape_term(d, interval);
        if (!over_parameters(L, a, "start") || !over_parameters(L, b, "interval"))
            return false;
        known = dae_hidden_var(d, DAE_SAMPLE, DAE_BOOL);
        d->vars.at[known].detail = d->samples.n;
        DaeSample sample = {.var = known, .start = a, .interval = b, .from_start = from_start};
        sample.component = L->component;
        sample.span = L->span;
        vec_push(&d->samples, sample);
        map_put(&L->samples, key, known);
    }
    *out = hole_of(d, known);
    return true;
}

/* ---- time events and scales ---- */

static bool is_scheduled(Dae *d, Term z)
{
    uint32_t time = NONE;
    for (uint32_t k = 0; k < z.n; k++) {
        VarId v = dae_op(d, z, k);
        if (v == 0)
            time = k;
        else if (is_continuous(d, v))
            return false;
    }
    if (time == NONE)
        return false;
    Linearity how = symbolic_linearity(d->symbolic, z.shape, time);
    return how == LINEAR_UNIT || how == LINEAR_CONSTANT || how == LINEAR_VARYING;
}

static double typical(Lower *L, VarId v)
{
    const DaeVar *x = &L->d->vars.at[v];
    if (x->kind != DAE_PARAMETER)
        return x->nominal;
    double value = default_value(L, v);
    return isfinite(value) ? value : 1.0;
}

/* Largest term of the sum z at typical values. */
static double scale_of(Lower *L, Term z)
{
    Dae *d = L->d;
    Graph *g = L->g;
    double *hole = memory_alloc((z.n + 1) * sizeof *hole), scale = 0;
    for (uint32_t k = 0; k < z.n; k++)
        hole[k] = typical(L, dae_op(d, z, k));
    bool sum = expr_op(g, z.shape) == OP_ADD;
    for (uint32_t i = 0; i < (sum ? expr_n(g, z.shape) : 1); i++) {
        EvalEnv env = {.g = g, .arena = L->scratch, .holes = hole, .time = NAN, .silent = true};
        double v;
        if (eval_number(&env, sum ? expr_arg(g, z.shape, i) : z.shape, &v) == EVAL_OK &&
            isfinite(v))
            scale = fmax(scale, fabs(v));
    }
    memory_free(hole);
    return scale > 0 ? scale : 1.0;
}

void finish_relations(Lower *L)
{
    for (uint32_t i = 0; i < L->d->relations.n; i++) {
        DaeRelation *r = &L->d->relations.at[i];
        r->is_time_event = is_scheduled(L->d, r->z);
        r->scale = scale_of(L, r->z);
    }
}
