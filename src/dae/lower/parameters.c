/* Parameters, start values and attributes.
 *
 * A binding that is a literal is a value, any other an equation. Start values are parameters of
 * their own, so that they can be set and may depend on parameters. min, max, nominal and fixed are
 * evaluated once, with the model's own settings. */
#include "dae/lower/lower.h"

#include <math.h>

typedef VEC(VarId) VarVec;

/* ---- values with the model's own settings ---- */

static void grow_known(Lower *L)
{
    while (L->known.n < L->d->vars.n) {
        vec_push(&L->known, 0);
        vec_push(&L->defaults, NAN);
    }
}

static bool ensure_bound(Lower *L, VarId v)
{
    uint32_t f = L->d->vars.at[v].flat;
    return f == NONE || L->bound[f] == 2 || lower_binding(L, f);
}

static void report_cycle(Lower *L, VarId v)
{
    const DaeVar *x = &L->d->vars.at[v];
    Span span = x->flat == NONE ? L->span : L->flat->vars.at[x->flat].span;
    diag(L->ctx, span, DIAG_D002, "parameter %s depends on its own value",
         dae_var_name(L->d, v, L->scratch));
}

/* Pushes parameters that term t of parameter v needs and that have no value yet. False if v depends
 * on itself, or on a variable that is not a parameter. */
static bool push_needed(Lower *L, VarId v, Term t, VarVec *stack)
{
    for (uint32_t k = 0; k < t.n; k++) {
        VarId o = dae_op(L->d, t, k);
        if (!is_known_parameter(L->d, o))
            return false;
        if (L->known.at[o] == 1 || o == v) {
            report_cycle(L, o);
            return false;
        }
        if (L->known.at[o] == 0)
            vec_push(stack, o);
    }
    return true;
}

static void settle(Lower *L, VarId v, double value)
{
    L->known.at[v] = 2;
    L->defaults.at[v] = value;
}

/* Handles the parameter on top of the stack: it is settled and popped, or the parameters it needs
 * are above it. */
static void default_step(Lower *L, VarVec *stack)
{
    VarId v = vec_last(stack);
    bool bound = L->known.at[v] == 2 || ensure_bound(L, v);
    grow_known(L);
    EqId e = L->d->vars.at[v].detail;
    if (L->known.at[v] == 2) {
        (void)vec_pop(stack);
    } else if (!bound || e == NONE) {
        settle(L, v, bound ? L->d->vars.at[v].value : NAN);
    } else if (L->known.at[v] == 0) {
        L->known.at[v] = 1;
        if (!push_needed(L, v, L->d->eqs.at[e].term, stack))
            settle(L, v, NAN);
    } else {
        double x = NAN;
        EvalStatus status = eval_term(L->d, L->d->eqs.at[e].term, L->defaults.at, L->scratch, &x);
        settle(L, v, status == EVAL_OK ? x : NAN);
    }
}

double default_value(Lower *L, VarId v)
{
    if (!is_known_parameter(L->d, v))
        return NAN;
    grow_known(L);
    VarVec stack = {0};
    vec_push(&stack, v);
    while (stack.n)
        default_step(L, &stack);
    vec_free(&stack);
    return L->defaults.at[v];
}

/* Strings are not plain literals: the code with the texts must exist. */
static bool is_plain_literal(const Lower *L, ExprId e)
{
    return expr_is_literal(L->g, e) && expr_op(L->g, e) != OP_STRING;
}

bool default_of(Lower *L, ExprId e, double *out)
{
    if (is_plain_literal(L, e)) {
        *out = expr_real_value(L->g, e);
        return true;
    }
    uint32_t mark = L->d->ops.n;
    Term t = shape_term(L->d, e);
    bool ok = true;
    grow_known(L); /* also without operands, the values begin with the time */
    for (uint32_t k = 0; k < t.n && ok; k++)
        ok = !isnan(default_value(L, dae_op(L->d, t, k)));
    ok = ok && eval_term(L->d, t, L->defaults.at, L->scratch, out) == EVAL_OK;
    if (L->d->ops.n == t.ops + t.n)
        L->d->ops.n = mark;
    return ok;
}

/* ---- bindings ---- */

/* Parameter v is `e`, a lowered scalar. */
static bool bind(Lower *L, VarId v, ExprId e, Span span)
{
    DaeVar *x = &L->d->vars.at[v];
    if (is_plain_literal(L, e)) {
        x->value = expr_real_value(L->g, e);
        return true;
    }
    Term t = shape_term(L->d, e);
    for (uint32_t k = 0; k < t.n; k++) {
        VarId o = dae_op(L->d, t, k);
        if (is_known_parameter(L->d, o))
            continue;
        diag(L->ctx, span, DIAG_D003,
             "%s is needed before the simulation starts, but depends on %s, which is not a "
             "parameter",
             dae_var_name(L->d, v, L->scratch), dae_var_name(L->d, o, L->scratch));
        return false;
    }
    vec_push(&L->d->eqs, ((DaeEq){.term = t,
                                  .target = v,
                                  .origin = DAE_EQ_PARAMETER,
                                  .flat_origin = ORIGIN_BINDING,
                                  .of = NONE,
                                  .der = NONE,
                                  .component = L->component,
                                  .span = span}));
    L->d->vars.at[v].detail = L->d->eqs.n - 1;
    return true;
}

/* Element k of an attribute or binding: of a scalar every element is the same. */
static ExprId element_of(const Lower *L, Elems e, uint32_t k)
{
    return L->elems.at[e.at + (e.n == 1 ? 0 : k)];
}

static void set_place(Lower *L, uint32_t f, bool of_binding)
{
    const FlatVar *x = &L->flat->vars.at[f];
    L->span = of_binding && x->shared->binding_span.file ? x->shared->binding_span : x->span;
    L->component = path_parent(L->flat->paths, x->path);
}

/* Evaluates an attribute into out[0 … n); scalars are spread. An attribute that bounds or scales a
 * variable may have no value yet (of a parameter that the run computes): it is NAN then. */
static bool attribute(Lower *L, uint32_t f, ExprId e, const char *what, double *out, uint32_t n)
{
    Elems v;
    if (is_plain_literal(L, e)) {
        for (uint32_t k = 0; k < n; k++)
            out[k] = expr_real_value(L->g, e);
        return true;
    }
    set_place(L, f, false);
    if (!lower_elements(L, e, LOWER_LITERAL, &v))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        if (default_of(L, element_of(L, v, k), &out[k]))
            continue;
        if (strcmp(what, "fixed")) {
            out[k] = NAN;
            continue;
        }
        diag(L->ctx, L->span, DIAG_D003, "%s of %s has no value before the simulation starts", what,
             flat_var_name(L->flat, f, L->scratch));
        return false;
    }
    return true;
}

static bool is_fixed(Lower *L, uint32_t f, bool otherwise)
{
    double x = otherwise;
    ExprId e = L->flat->vars.at[f].fixed;
    uint32_t n = type_scalars(L, L->flat->vars.at[f].type);
    double *all = n > 1 ? memory_alloc(n * sizeof *all) : &x;
    bool fixed = otherwise;
    if (e && n && attribute(L, f, e, "fixed", all, n))
        fixed = all[0] != 0;
    if (all != &x)
        memory_free(all);
    return fixed;
}

/* A parameter without a binding takes its start value, or zero. */
static bool bind_nothing(Lower *L, uint32_t f, uint32_t n)
{
    const FlatVar *x = &L->flat->vars.at[f];
    VarId base = L->d->flat_base[f];
    bool fixed = L->d->vars.at[base].fixed, ok = true;
    const char *name = flat_var_name(L->flat, f, L->scratch);
    Elems v = {0};
    if (x->start && !lower_elements(L, x->start, LOWER_LITERAL, &v))
        return false;
    for (uint32_t k = 0; k < n && ok; k++) {
        double none = L->d->vars.at[base + k].type == DAE_ENUM ? 1 : 0;
        L->d->vars.at[base + k].value = none;
        if (x->start && fixed)
            ok = bind(L, base + k, element_of(L, v, k), x->span);
        else if (x->start)
            ok = default_of(L, element_of(L, v, k), &L->d->vars.at[base + k].value);
    }
    if (fixed && x->start)
        diag(L->ctx, x->span, DIAG_D101, "parameter %s has no value; its start value is used",
             name);
    else if (fixed)
        diag(L->ctx, x->span, DIAG_D101, "parameter %s has no value; 0 is used", name);
    return ok;
}

/* The binding of a parameter that initialization determines (fixed = false) is one of the equations
 * of initialization. */
static bool bind_late(Lower *L, VarId v, ExprId e)
{
    bool real = L->d->vars.at[v].type == DAE_REAL;
    ExprId p = hole_of(L->d, v);
    FlatEq place = {
        .origin = ORIGIN_BINDING, .initial = true, .component = L->component, .span = L->span};
    add_eq(L, &place, DAE_EQ_INITIAL, real ? NONE : v, real ? expr_sub(L->g, p, e) : e);
    return true;
}

static bool bind_elements(Lower *L, uint32_t f, uint32_t n)
{
    const FlatVar *x = &L->flat->vars.at[f];
    VarId base = L->d->flat_base[f];
    Elems v;
    if (is_plain_literal(L, x->binding) && L->d->vars.at[base].fixed) {
        for (uint32_t k = 0; k < n; k++)
            L->d->vars.at[base + k].value = expr_real_value(L->g, x->binding);
        return true;
    }
    if (!lower_elements(L, x->binding, LOWER_LITERAL, &v))
        return false;
    if (v.n != n && v.n != 1) {
        diag(L->ctx, L->span, DIAG_D004, "binding of %s has %u elements, not %u",
             flat_var_name(L->flat, f, L->scratch), v.n, n);
        return false;
    }
    bool ok = true;
    for (uint32_t k = 0; k < n && ok; k++)
        ok = L->d->vars.at[base].fixed ? bind(L, base + k, element_of(L, v, k), L->span)
                                       : bind_late(L, base + k, element_of(L, v, k));
    return ok;
}

bool lower_binding(Lower *L, uint32_t f)
{
    const FlatVar *x = &L->flat->vars.at[f];
    if (L->bound[f] == 2 || x->variability > VARIES_PARAMETER || L->d->flat_base[f] == NONE)
        return true;
    if (L->bound[f] == 1) {
        diag(L->ctx, x->span, DIAG_D002, "parameter %s depends on its own value",
             flat_var_name(L->flat, f, L->scratch));
        return false;
    }
    Span span = L->span;
    PathId component = L->component;
    L->bound[f] = 1;
    uint32_t n = type_scalars(L, x->type);
    bool fixed = x->fixed ? is_fixed(L, f, true) : true;
    for (uint32_t k = 0; k < n; k++)
        L->d->vars.at[L->d->flat_base[f] + k].fixed = fixed;
    set_place(L, f, true);
    bool ok = n == 0 ? true : x->binding ? bind_elements(L, f, n) : bind_nothing(L, f, n);
    L->bound[f] = 2;
    L->span = span;
    L->component = component;
    return ok;
}

bool lower_parameters(Lower *L)
{
    bool ok = true;
    for (uint32_t f = 0; f < L->flat->vars.n; f++)
        ok &= lower_binding(L, f);
    for (uint32_t e = 0; ok && e < L->d->eqs.n; e++)
        if (L->d->eqs.at[e].origin == DAE_EQ_PARAMETER)
            (void)default_value(L, L->d->eqs.at[e].target);
    return ok;
}

/* ---- start values and attributes ---- */

VarId start_var(Dae *d, VarId v)
{
    if (d->vars.at[v].start != NONE)
        return d->vars.at[v].start;
    VarId s = dae_hidden_var(d, DAE_PARAMETER, (DaeType)d->vars.at[v].type);
    DaeVar *x = &d->vars.at[s];
    x->base = v;
    x->fixed = true;
    x->value = x->type == DAE_ENUM ? 1 : 0;
    d->vars.at[v].start = s;
    return s;
}

static bool lower_starts(Lower *L, uint32_t f, uint32_t n)
{
    const FlatVar *x = &L->flat->vars.at[f];
    VarId base = L->d->flat_base[f];
    bool literal = is_plain_literal(L, x->start), ok = true;
    Elems v = {0};
    set_place(L, f, false);
    if (!literal && !lower_elements(L, x->start, LOWER_LITERAL, &v))
        return false;
    for (uint32_t k = 0; k < n && ok; k++) {
        VarId s = start_var(L->d, base + k);
        L->d->vars.at[base + k].has_start = true;
        L->d->vars.at[base + k].start_of_type = x->start_of_type;
        ok = bind(L, s, literal ? x->start : element_of(L, v, k), x->span);
    }
    return ok;
}

typedef enum Bound { BOUND_NOMINAL, BOUND_MIN, BOUND_MAX } Bound;

static bool set_bound(Lower *L, uint32_t f, ExprId e, Bound which, double *scratch, uint32_t n)
{
    static const char *const names[] = {"nominal", "min", "max"};
    if (!e)
        return true;
    if (!attribute(L, f, e, names[which], scratch, n))
        return false;
    for (uint32_t k = 0; k < n; k++) {
        DaeVar *x = &L->d->vars.at[L->d->flat_base[f] + k];
        if (isnan(scratch[k])) /* as if it were not given */
            continue;
        if (which == BOUND_MIN)
            x->min = scratch[k];
        else if (which == BOUND_MAX)
            x->max = scratch[k];
        else if (scratch[k] != 0 && isfinite(scratch[k]))
            x->nominal = fabs(scratch[k]);
    }
    return true;
}

static bool lower_attributes_of(Lower *L, uint32_t f, double *scratch, uint32_t n)
{
    const FlatVar *x = &L->flat->vars.at[f];
    bool parameter = x->variability <= VARIES_PARAMETER, ok = true;
    VarId base = L->d->flat_base[f];
    if (x->start && (!parameter || !L->d->vars.at[base].fixed))
        ok &= lower_starts(L, f, n);
    ok &= set_bound(L, f, x->nominal, BOUND_NOMINAL, scratch, n);
    ok &= set_bound(L, f, x->min, BOUND_MIN, scratch, n);
    ok &= set_bound(L, f, x->max, BOUND_MAX, scratch, n);
    if (x->fixed && !parameter && attribute(L, f, x->fixed, "fixed", scratch, n))
        for (uint32_t k = 0; k < n; k++)
            L->d->vars.at[base + k].fixed = scratch[k] != 0;
    for (uint32_t k = 0; k < n && !parameter; k++)
        if (L->d->vars.at[base + k].type == DAE_ENUM || L->d->vars.at[base + k].fixed)
            start_var(L->d, base + k);
    return ok;
}

bool lower_attributes(Lower *L)
{
    bool ok = true;
    VEC(double) scratch = {0};
    for (uint32_t f = 0; f < L->flat->vars.n; f++) {
        if (L->d->flat_base[f] == NONE)
            continue;
        uint32_t n = type_scalars(L, L->flat->vars.at[f].type);
        vec_reserve(&scratch, n);
        if (n)
            ok &= lower_attributes_of(L, f, scratch.at, n);
    }
    vec_free(&scratch);
    return ok;
}
