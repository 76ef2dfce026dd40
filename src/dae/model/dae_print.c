/* The Dae as text: variables by kind, equations in the words of the model. */
#include "dae/model/model.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

typedef struct TermNames {
    const Dae *d;
    Term t;
    Arena *arena;
    unsigned depth;
} TermNames;

static char *print_shape(const TermNames *names, ExprId e);

/* ---- sides ---- */

typedef struct Sides {
    ExprId left, right;
} Sides;

/* Is e a term that reads better with the other sign? */
static bool is_negative(const Graph *g, ExprId e)
{
    switch (expr_op(g, e)) {
    case OP_NEG: return true;
    case OP_REAL:
    case OP_INT: return expr_real_value(g, e) < 0;
    case OP_MUL: {
        ExprId first = expr_arg(g, e, 0);
        return (expr_op(g, first) == OP_REAL || expr_op(g, first) == OP_INT) &&
               expr_real_value(g, first) < 0;
    }
    case OP_DIV: return is_negative(g, expr_arg(g, e, 0));
    default: return false;
    }
}

static ExprId sum_of(Graph *g, const ExprVec *terms)
{
    if (terms->n == 0)
        return expr_real(g, 0.0);
    return terms->n == 1 ? terms->at[0] : expr_make(g, OP_ADD, T_REAL, 0, terms->at, terms->n);
}

static bool is_derivative(const Dae *d, Term t, ExprId e)
{
    return expr_op(d->g, e) == OP_HOLE &&
           d->vars.at[dae_op(d, t, expr_index(d->g, e))].kind == DAE_DERIVATIVE;
}

/* 0 = t as left = right: negative terms move to the right; a derivative among terms of one sign is
 * alone on its side. may_swap: avoids an empty left side. */
static Sides split(const Dae *d, Term t, bool may_swap)
{
    Graph *g = d->g;
    ExprVec left = {0}, right = {0};
    uint32_t n = expr_op(g, t.shape) == OP_ADD ? expr_n(g, t.shape) : 1, alone = NONE;
    bool negative = false;
    for (uint32_t i = 0; i < n; i++) {
        ExprId e = expr_op(g, t.shape) == OP_ADD ? expr_arg(g, t.shape, i) : t.shape;
        negative |= is_negative(g, e);
        if (alone == NONE && is_derivative(d, t, e))
            alone = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        ExprId e = expr_op(g, t.shape) == OP_ADD ? expr_arg(g, t.shape, i) : t.shape;
        bool moves = negative ? is_negative(g, e) : alone != NONE && i != alone;
        if (moves)
            vec_push(&right, expr_neg(g, e));
        else
            vec_push(&left, e);
    }
    bool swap = may_swap && left.n == 0;
    Sides s = {sum_of(g, swap ? &right : &left), sum_of(g, swap ? &left : &right)};
    vec_free(&left);
    vec_free(&right);
    return s;
}

/* ---- terms ---- */

static char *print_relation(const TermNames *names, const DaeRelation *r)
{
    static const char *const ops[] = {"<", "<=", ">", ">="};
    TermNames inner = {names->d, r->z, names->arena, names->depth + 1};
    Sides s = split(names->d, r->z, false);
    return arena_printf(names->arena, "(%s %s %s)", print_shape(&inner, s.left), ops[r->op - OP_LT],
                        print_shape(&inner, s.right));
}

static const DaeDelay *delay_of(const Dae *d, VarId v)
{
    const DaeVar *x = &d->vars.at[v];
    bool hidden =
        x->kind == DAE_CONTINUOUS && x->flat == NONE && x->base == NONE && x->detail % 2 == 0;
    return hidden && x->detail / 2 < d->delays.n ? &d->delays.at[x->detail / 2] : NULL;
}

static char *print_delay(const TermNames *names, const DaeDelay *delay)
{
    TermNames argument = {names->d, delay->argument, names->arena, names->depth + 1};
    TermNames time = {names->d, delay->time, names->arena, names->depth + 1};
    return arena_printf(names->arena, "delay(%s, %s)",
                        print_shape(&argument, delay->argument.shape),
                        print_shape(&time, delay->time.shape));
}

static void print_hole(void *user, const Graph *g, ExprId leaf, char *buf, size_t size)
{
    const TermNames *names = user;
    const Dae *d = names->d;
    if (expr_op(g, leaf) != OP_HOLE || expr_index(g, leaf) >= names->t.n) {
        snprintf(buf, size, "%s%u", expr_op_text(expr_op(g, leaf)), expr_index(g, leaf));
        return;
    }
    VarId v = dae_op(d, names->t, expr_index(g, leaf));
    const DaeDelay *delay = names->depth < 3 ? delay_of(d, v) : NULL;
    bool relation = d->vars.at[v].kind == DAE_RELATION && names->depth < 3;
    char *text = relation ? print_relation(names, &d->relations.at[d->vars.at[v].detail])
                 : delay  ? print_delay(names, delay)
                          : dae_var_name(d, v, names->arena);
    snprintf(buf, size, "%s", text);
}

static char *print_shape(const TermNames *names, ExprId e)
{
    TermNames copy = *names;
    return expr_print(names->d->g, e, print_hole, &copy, names->arena);
}

char *dae_term_print(const Dae *d, Term t, Arena *arena)
{
    TermNames names = {d, t, arena, 0};
    return print_shape(&names, t.shape);
}

char *dae_eq_print(const Dae *d, EqId e, Arena *arena)
{
    const DaeEq *eq = &d->eqs.at[e];
    if (eq->origin == DAE_EQ_RELATION) {
        TermNames names = {d, eq->term, arena, 0};
        return arena_printf(
            arena, "%s = %s", dae_var_name(d, eq->target, arena),
            print_relation(&names, &d->relations.at[d->vars.at[eq->target].detail]));
    }
    if (eq->target != NONE)
        return arena_printf(arena, "%s = %s", dae_var_name(d, eq->target, arena),
                            dae_term_print(d, eq->term, arena));
    Sides s = split(d, eq->term, true);
    TermNames names = {d, eq->term, arena, 0};
    return arena_printf(arena, "%s = %s", print_shape(&names, s.left),
                        print_shape(&names, s.right));
}

/* ---- the whole ---- */

static const char *const kind_names[] = {
    [DAE_TIME] = "time",
    [DAE_PARAMETER] = "parameter",
    [DAE_CONTINUOUS] = "continuous",
    [DAE_DERIVATIVE] = "derivative",
    [DAE_DISCRETE] = "discrete",
    [DAE_FOLLOWING] = "following",
    [DAE_PRE] = "pre",
    [DAE_RELATION] = "relation",
    [DAE_SAMPLE] = "sample",
    [DAE_INITIAL] = "initial",
    [DAE_TERMINAL] = "terminal",
    [DAE_INPUT] = "input",
    [DAE_LAMBDA] = "lambda",
};
static const char *const type_names[] = {"Real", "Integer", "Boolean", "enumeration", "String"};
static const char *const origin_names[] = {"",      "delayed",   "parameter", "relation",
                                           "when",  "condition", "derived",   "initial",
                                           "start", "set",       "solved",    "absent"};

static void put_real(Text *t, const char *what, double v)
{
    text_put(t, what);
    text_put_real(t, v);
}

static void print_var(Text *t, const Dae *d, VarId v, Arena *scratch)
{
    const DaeVar *x = &d->vars.at[v];
    text_printf(t, "  %u %s %s", v, type_names[x->type], dae_var_name(d, v, scratch));
    if (x->alias != NONE) {
        text_printf(t, " = %s%s\n", x->alias_sign < 0 ? "-" : "",
                    dae_var_name(d, x->alias, scratch));
        return;
    }
    if (x->kind == DAE_PARAMETER && x->detail == NONE)
        put_real(t, " = ", x->value);
    if (x->start != NONE && d->vars.at[x->start].detail == NONE)
        put_real(t, " start=", d->vars.at[x->start].value);
    if (x->fixed && x->kind != DAE_PARAMETER)
        text_printf(t, " fixed");
    if (!x->fixed && x->kind == DAE_PARAMETER)
        text_printf(t, " free");
    if (x->nominal != 1.0)
        put_real(t, " nominal=", x->nominal);
    if (isfinite(x->min))
        put_real(t, " min=", x->min);
    if (isfinite(x->max))
        put_real(t, " max=", x->max);
    text_printf(t, "\n");
}

static void print_vars(Text *t, const Dae *d, Arena *scratch)
{
    for (unsigned kind = DAE_TIME; kind <= DAE_LAMBDA; kind++) {
        bool any = false;
        for (VarId v = 0; v < d->vars.n; v++) {
            if (d->vars.at[v].kind != kind)
                continue;
            if (!any)
                text_printf(t, "%s\n", kind_names[kind]);
            any = true;
            print_var(t, d, v, scratch);
            arena_reset(scratch);
        }
    }
}

static void print_actions(Text *t, const Dae *d, Arena *scratch)
{
    for (uint32_t i = 0; i < d->actions.n; i++) {
        const DaeAction *a = &d->actions.at[i];
        const char *guard = dae_term_print(d, a->guard, scratch);
        if (a->kind == ACTION_REINIT)
            text_printf(t, "  when %s: reinit(%s, %s)\n", guard,
                        dae_var_name(d, a->target, scratch), dae_term_print(d, a->value, scratch));
        else
            text_printf(
                t, a->kind == ACTION_ASSERT ? "  assert %s: %s\n" : "  when %s: terminate(%s)\n",
                guard, dae_term_print(d, a->message, scratch));
        arena_reset(scratch);
    }
}

char *dae_print(const Dae *d, Arena *arena)
{
    Text t = {0};
    Arena *scratch = arena_new();
    text_printf(&t, "variables\n");
    print_vars(&t, d, scratch);
    text_printf(&t, "equations\n");
    for (EqId e = 0; e < d->eqs.n; e++) {
        const char *origin = origin_names[d->eqs.at[e].origin];
        text_printf(&t, "  %u%s%s: %s\n", e, *origin ? " " : "", origin,
                    dae_eq_print(d, e, scratch));
        arena_reset(scratch);
    }
    for (uint32_t i = 0; i < d->samples.n; i++)
        text_printf(&t, "  %s: sample(%s, %s)\n", dae_var_name(d, d->samples.at[i].var, scratch),
                    dae_term_print(d, d->samples.at[i].start, scratch),
                    dae_term_print(d, d->samples.at[i].interval, scratch));
    if (d->actions.n)
        text_printf(&t, "actions\n");
    print_actions(&t, d, scratch);
    arena_free(scratch);
    return text_keep(&t, arena);
}
