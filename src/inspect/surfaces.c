/* Surfaces of animations. Their points are values of a function, which is evaluated at the times at
 * which a picture needs them, with the values that a run has for its arguments. */
#include "inspect/inspect.h"

#include "output/output.h"

#include <math.h>

enum { MAX_STEPS = 20000000, MAX_POINTS = 1000000, MAX_DEPTH = 100 };

/* ---- the variables of the call ---- */

/* Variables of the model in an expression, each once, in order of appearance. */
typedef struct Reads {
    const Flat *flat;
    VEC(uint32_t) vars;
} Reads;

static void note_read(void *user, ExprId e)
{
    Reads *r = user;
    if (expr_op(r->flat->g, e) != OP_VAR)
        return;
    uint32_t var = expr_index(r->flat->g, e);
    for (uint32_t i = 0; i < r->vars.n; i++)
        if (r->vars.at[i] == var)
            return;
    vec_push(&r->vars, var);
}

static Reads reads_of(const Flat *flat, ExprId e)
{
    Reads r = {.flat = flat};
    expr_walk(flat->g, e, note_read, &r);
    return r;
}

static uint32_t count(const Flat *flat, uint32_t var)
{
    return (uint32_t)type_count(flat->g->types, flat->vars.at[var].type);
}

static uint32_t n_scalars(const Reads *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->vars.n; i++)
        n += count(r->flat, r->vars.at[i]);
    return n;
}

void inspect_put_reads(Text *t, const Flat *flat, const Columns *columns, ExprId points)
{
    Reads r = reads_of(flat, points);
    text_put(t, ",\"reads\":[");
    for (uint32_t i = 0; i < r.vars.n; i++) {
        uint32_t n = count(flat, r.vars.at[i]);
        for (uint32_t k = 0; k < n; k++) {
            uint32_t at = 0;
            while (at < columns->list.n && !(columns->list.at[at].flat == r.vars.at[i] &&
                                             columns->list.at[at].element == k))
                at++;
            text_put(t, i || k ? "," : "");
            if (at < columns->list.n)
                text_printf(t, "%u", at);
            else
                text_put(t, "null");
        }
    }
    text_put(t, "]");
    vec_free(&r.vars);
}

/* ---- values ---- */

typedef struct Given {
    const Flat *flat;
    Arena *arena;
    const Reads *reads;
    const double *values; /* of the scalars of all variables read */
    unsigned n;
    unsigned depth;
} Given;

static EvalStatus given_value(void *user, uint32_t var, Value *out);

/* The value by the declaration, for parameters that are no columns of the result. */
static EvalStatus declared_value(Given *g, uint32_t var, Value *out)
{
    const FlatVar *v = &g->flat->vars.at[var];
    if (v->variability > VARIES_PARAMETER || v->binding == EXPR_NONE || g->depth > MAX_DEPTH)
        return EVAL_UNKNOWN;
    EvalEnv env = {.g = g->flat->g,
                   .arena = g->arena,
                   .var = given_value,
                   .user = g,
                   .time = NAN,
                   .span = v->span,
                   .silent = true};
    g->depth++;
    EvalStatus status = eval_expr(&env, v->binding, out);
    g->depth--;
    return status;
}

static EvalStatus given_value(void *user, uint32_t var, Value *out)
{
    Given *g = user;
    uint32_t at = 0, i = 0;
    while (i < g->reads->vars.n && g->reads->vars.at[i] != var)
        at += count(g->flat, g->reads->vars.at[i++]);
    uint32_t n = count(g->flat, var);
    TypeId type = g->flat->vars.at[var].type;
    bool known = i < g->reads->vars.n && at + n <= g->n;
    for (uint32_t k = 0; k < n && known; k++)
        known = !isnan(g->values[at + k]);
    if (!known)
        return declared_value(g, var, out);
    *out = (Value){.type = type};
    if (!type_rank(g->flat->g->types, type)) {
        out->num = g->values[at];
        return EVAL_OK;
    }
    out->nums = ARENA_ARRAY(g->arena, double, n);
    memcpy(out->nums, g->values + at, n * sizeof *out->nums);
    return EVAL_OK;
}

/* ---- points ---- */

static void put_numbers(Text *t, const char *name, const double *x, int64_t n)
{
    text_printf(t, ",\"%s\":[", name);
    for (int64_t i = 0; i < n; i++)
        if (isfinite(x[i]))
            text_printf(t, i ? ",%.7g" : "%.7g", x[i]);
        else
            text_put(t, i ? ",null" : "null");
    text_put(t, "]");
}

/* X, Y and Z have nu by nv elements, C three times as many, or none. */
static bool put_points(Text *t, const Types *types, const Value *value)
{
    static const char *const names[] = {"x", "y", "z", "c"};
    const Type *tuple = type_get(types, value->type);
    if (tuple->kind != TYPE_TUPLE || tuple->n != 4)
        return false;
    const Type *first = type_get(types, value->items[0].type);
    int64_t n = type_count(types, value->items[0].type);
    if (type_rank(types, value->items[0].type) != 2 || n > MAX_POINTS)
        return false;
    text_printf(t, ",\"nu\":%lld,\"nv\":%lld", (long long)first->dims[0],
                (long long)first->dims[1]);
    for (int i = 0; i < 4; i++) {
        int64_t m = type_count(types, value->items[i].type);
        if (m != (i < 3 ? n : m ? 3 * n : 0))
            return false;
        put_numbers(t, names[i], value->items[i].nums, m);
    }
    return true;
}

static const FlatVisual *find_surface(const Flat *flat, const char *name, Arena *scratch)
{
    for (uint32_t i = 0; i < flat->visuals.n; i++)
        if (flat->visuals.at[i].points != EXPR_NONE &&
            !strcmp(path_text(flat->paths, flat->visuals.at[i].path, scratch), name))
            return &flat->visuals.at[i];
    return NULL;
}

bool inspect_surface(const Flat *flat, const InspectSurface *asked, Text *t)
{
    Arena *arena = arena_new();
    const FlatVisual *v = find_surface(flat, asked->name, arena);
    Reads reads = {0};
    bool ok = false;
    if (v)
        reads = reads_of(flat, v->points);
    if (v && n_scalars(&reads) == asked->n) {
        Given given = {flat, arena, &reads, asked->values, asked->n, 0};
        EvalEnv env = {.g = flat->g,
                       .arena = arena,
                       .var = given_value,
                       .user = &given,
                       .time = asked->time,
                       .steps = MAX_STEPS,
                       .silent = true};
        Value value;
        text_put(t, "{\"name\":");
        text_put_json(t, asked->name);
        ok = eval_expr(&env, v->points, &value) == EVAL_OK && put_points(t, flat->g->types, &value);
        text_put(t, "}");
    }
    vec_free(&reads.vars);
    arena_free(arena);
    return ok;
}
