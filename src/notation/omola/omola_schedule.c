/* Due times of scheduled events.
 *
 * An event E has an ordered list of OM_DUE_TIMES due times; free places have a time that never
 * comes. At an instant, the first one is removed if it is reached. Then the statements of the
 * clauses that fire act in the order of the text: schedule adds a time, deschedule removes all.
 * Each step has its own array, so that every element depends only on its neighbours:
 *
 *   E_now = time >= pre(E_due) and not pre(E_now)
 *   E_list0[i] = if E_now then pre(E_list[i + 1]) else pre(E_list[i])
 *   E_listk[i] = if not fires or E_listk-1[i] <= at then E_listk-1[i]
 *                else if i = 1 or E_listk-1[i - 1] <= at then at else E_listk-1[i - 1]
 *
 * E_due, the first of the list, is shown to the user. The names are quoted ('E due'), so no name of
 * the model equals them. */
#include "notation/omola/internal.h"

#include <stdio.h>
#include <string.h>

typedef struct Due {
    OmEvents *s;
    Omola *o;
    Tree *t;
    const OmAttr *event;
    Span span;
    EqList body;   /* of the when */
    EqList loop;   /* of the loop over the list in it */
    unsigned step; /* arrays so far */
} Due;

static const char never_text[] = "1e60";

static AstExpr *never(Due *d)
{
    return tree_number(d->t, d->span, never_text, sizeof never_text - 1);
}

static Name named(Due *d, const char *role)
{
    return name_of(d->t->ctx->names,
                   arena_printf(d->o->r.scratch, "'%s %s'", d->event->name, role));
}

static AstExpr *number(Due *d, int value)
{
    return tree_integer(d->t, d->span, value);
}

static AstExpr *index_of(Due *d)
{
    return tree_ref(d->t, d->span, name_of(d->t->ctx->names, "i"));
}

static AstExpr *at(Due *d, Name list, AstExpr *index)
{
    AstExpr *e = tree_ref(d->t, d->span, list);
    e->ref->parts[0].subs.at = ARENA_NEW(d->t->arena, AstExpr *);
    e->ref->parts[0].subs.at[0] = index;
    e->ref->parts[0].subs.n = 1;
    return e;
}

/* The index of a neighbour, kept within the list. */
static AstExpr *neighbour(Due *d, bool next)
{
    AstExpr *i = tree_binary(d->t, next ? AST_OP_ADD : AST_OP_SUB, index_of(d), number(d, 1));
    AstExpr *args[] = {i, number(d, next ? OM_DUE_TIMES : 1)};
    return tree_call(d->t, d->span, next ? "min" : "max", args, 2);
}

static AstExpr *compare(Due *d, AstOp op, AstExpr *a, AstExpr *b)
{
    return tree_binary(d->t, op, a, b);
}

static Name next_list(Due *d, bool last)
{
    Name name =
        last ? named(d, "list") : named(d, arena_printf(d->o->r.scratch, "list%u", d->step++));
    omola_hidden(d->s, d->span, "Real", name, number(d, OM_DUE_TIMES));
    return name;
}

/* The list after the event that is due now was taken out. */
static Name take_first(Due *d, Name now)
{
    Tree *t = d->t;
    Name list = named(d, "list"), rest = next_list(d, false);
    AstExpr *after =
        tree_if(t, d->span, compare(d, AST_OP_LT, index_of(d), number(d, OM_DUE_TIMES)),
                tree_call1(t, d->span, "pre", at(d, list, neighbour(d, true))), never(d));
    AstExpr *kept = tree_call1(t, d->span, "pre", at(d, list, index_of(d)));
    AstExpr *value = tree_if(t, d->span, tree_ref(t, d->span, now), after, kept);
    vec_push(&d->loop, tree_equation(t, d->span, at(d, rest, index_of(d)), value));
    return rest;
}

static void add_assert(Due *d, Span span, AstExpr *condition, const char *text)
{
    AstExpr *args[] = {condition, tree_string(d->t, span, text, (uint32_t)strlen(text))};
    vec_push(&d->body, tree_call_equation(d->t, span, tree_call(d->t, span, "assert", args, 2)));
}

static AstExpr *unless(Due *d, const OmWhen *w, AstExpr *e)
{
    return tree_binary(d->t, AST_OP_OR, tree_unary(d->t, w->span, AST_OP_NOT, omola_pulse(d->o, w)),
                       e);
}

static Name put_in(Due *d, const OmWhen *w, AstExpr *call, Name from, bool last)
{
    Tree *t = d->t;
    Arena *scratch = d->o->r.scratch;
    AstExpr *delay = omola_value(d->o, call->args.at[1], OM_SCALAR, NULL);
    Name time = named(d, arena_printf(scratch, "at%u", d->step));
    omola_hidden(d->s, d->span, "Real", time, NULL);
    Name to = next_list(d, last);
    vec_push(
        &d->body,
        tree_equation(t, call->span, tree_ref(t, call->span, time),
                      tree_binary(t, AST_OP_ADD,
                                  tree_ref(t, call->span, name_of(t->ctx->names, "time")), delay)));
    AstExpr *due = tree_ref(t, call->span, time);
    if (delay->kind != AST_REAL && delay->kind != AST_INT)
        add_assert(d, call->span, unless(d, w, compare(d, AST_OP_GE, delay, number(d, 0))),
                   arena_printf(scratch, "schedule(%s, …): the delay is negative", d->event->name));
    add_assert(d, call->span,
               unless(d, w, compare(d, AST_OP_GE, at(d, from, number(d, OM_DUE_TIMES)), never(d))),
               arena_printf(scratch, "more than %d due times of the event '%s' are waiting",
                            OM_DUE_TIMES, d->event->name));
    AstExpr *own = at(d, from, index_of(d)), *left = at(d, from, neighbour(d, false));
    AstExpr *here = tree_binary(t, AST_OP_OR, compare(d, AST_OP_EQ, index_of(d), number(d, 1)),
                                compare(d, AST_OP_LE, left, due));
    AstExpr *value = tree_if(t, call->span, unless(d, w, compare(d, AST_OP_LE, own, due)), own,
                             tree_if(t, call->span, here, due, left));
    vec_push(&d->loop, tree_equation(t, call->span, at(d, to, index_of(d)), value));
    return to;
}

static Name take_all(Due *d, const OmWhen *w, AstExpr *call, Name from, bool last)
{
    Name to = next_list(d, last);
    AstExpr *value =
        tree_if(d->t, call->span, omola_pulse(d->o, w), never(d), at(d, from, index_of(d)));
    vec_push(&d->loop, tree_equation(d->t, call->span, at(d, to, index_of(d)), value));
    return to;
}

static bool acts_on(const AstExpr *call, const OmAttr *event)
{
    return call->args.n == (omola_is_call(call, "deschedule") ? 1u : 2u) &&
           tree_plain_name(call->args.at[0]) == event->name;
}

static unsigned count_statements(const OmBody *full, const OmAttr *event)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->calls.n; k++)
            n += acts_on(full->whens.at[i]->calls.at[k], event);
    return n;
}

static void add_statements(Due *d, Name from, ExprList *conditions)
{
    const OmBody *full = &d->o->c->full;
    unsigned left = count_statements(full, d->event);
    for (uint32_t i = 0; i < full->whens.n; i++) {
        const OmWhen *w = full->whens.at[i];
        bool acts = false;
        for (uint32_t k = 0; k < w->calls.n; k++) {
            AstExpr *call = w->calls.at[k];
            if (!acts_on(call, d->event))
                continue;
            acts = true;
            left--;
            from = omola_is_call(call, "deschedule") ? take_all(d, w, call, from, !left)
                                                     : put_in(d, w, call, from, !left);
        }
        if (acts)
            omola_trigger(d->o, conditions, w);
    }
}

static void give_start(Due *d, AstElement *e, bool each)
{
    Names *names = d->t->ctx->names;
    tree_modify(d->t, e, name_of(names, "start"), never(d), d->span);
    e->mod->args.at[e->mod->args.n - 1].each = each;
    tree_modify(d->t, e, name_of(names, "fixed"), tree_bool(d->t, d->span, true), d->span);
    e->mod->args.at[e->mod->args.n - 1].each = each;
}

static Name add_now(Due *d, Name due)
{
    Tree *t = d->t;
    Name now = named(d, "now");
    AstElement *e = tree_component(t, d->span, "Boolean", now);
    Names *names = t->ctx->names;
    tree_modify(t, e, name_of(names, "start"), tree_bool(t, d->span, false), d->span);
    tree_modify(t, e, name_of(names, "fixed"), tree_bool(t, d->span, true), d->span);
    tree_hide(t, e);
    vec_push(d->s->elements, e);
    AstExpr *reached = compare(d, AST_OP_GE, tree_ref(t, d->span, name_of(names, "time")),
                               tree_call1(t, d->span, "pre", tree_ref(t, d->span, due)));
    AstExpr *pause = tree_unary(t, d->span, AST_OP_NOT,
                                tree_call1(t, d->span, "pre", tree_ref(t, d->span, now)));
    vec_push(d->s->eqs, tree_equation(t, d->span, tree_ref(t, d->span, now),
                                      tree_binary(t, AST_OP_AND, reached, pause)));
    return now;
}

Name omola_due_times(OmEvents *s, const OmAttr *event)
{
    Due d = {.s = s, .o = s->o, .t = &s->o->r.tree, .event = event, .span = event->span};
    Tree *t = d.t;
    Name due = named(&d, "due"), now = add_now(&d, due);
    AstElement *first = tree_component(t, d.span, "Real", due);
    give_start(&d, first, false);
    vec_push(s->elements, first);
    ExprList conditions = {0};
    vec_push(&conditions, tree_call(t, d.span, "initial", NULL, 0));
    vec_push(&conditions, tree_ref(t, d.span, now));
    add_statements(&d, take_first(&d, now), &conditions);
    give_start(&d, vec_last(s->elements), true);
    vec_push(&d.body,
             tree_for(t, d.span, name_of(t->ctx->names, "i"), number(&d, OM_DUE_TIMES), &d.loop));
    vec_push(&d.body, tree_equation(t, d.span, tree_ref(t, d.span, due),
                                    at(&d, named(&d, "list"), number(&d, 1))));
    AstExpr *any = tree_list(t, d.span, AST_ARRAY, conditions.at, conditions.n);
    vec_free(&conditions);
    vec_push(s->eqs, tree_when(t, d.span, any, &d.body));
    return now;
}
