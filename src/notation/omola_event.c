/* Events and actions.
 *
 * An event is an Integer that counts how often it happened; it happens where the count changes.
 * Every WHEN gets a Boolean that tells when it fires. All that sets one variable (actions, causes,
 * schedules) is gathered, so that each variable is set in one place, whoever fires. Beside NEW(x),
 * x is the value before: pre(x). A state is changed by reinit. A WHEN whose actions change a
 * variable of its condition fires again, at the same instant, while the condition holds. */
#include "notation/omola.h"

#include <stdio.h>
#include <strings.h>

static bool is_call(const AstExpr *e, const char *name)
{
    return e->kind == AST_CALL && e->ref->n == 1 && !strcasecmp(e->ref->parts[0].name, name);
}

/* ---- what is set ---- */

static bool same_ref(const AstRef *a, const AstRef *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->parts[i].name != b->parts[i].name || a->parts[i].subs.n || b->parts[i].subs.n)
            return false;
    return true;
}

typedef struct Target {
    const AstRef *ref;
} Target;

static bool find_new(void *user, const AstExpr *e)
{
    Target *t = user;
    if (!is_call(e, "new") || e->args.n != 1 || e->args.at[0]->kind != AST_REF)
        return false;
    if (!t->ref)
        t->ref = e->args.at[0]->ref;
    return same_ref(t->ref, e->args.at[0]->ref);
}

/* The variable to which an action gives a new value, or NULL. */
static const AstRef *target_of(const OmEquation *eq)
{
    Target t = {NULL};
    if (tree_contains(eq->lhs, find_new, &t) || tree_contains(eq->rhs, find_new, &t))
        return t.ref;
    return eq->lhs->kind == AST_REF ? eq->lhs->ref : NULL;
}

static AstExpr *solved(Omola *o, OmEquation *eq, const AstRef *ref)
{
    Target t = {ref};
    if (eq->lhs->kind == AST_REF && eq->lhs->ref == ref)
        return eq->rhs;
    AstExpr *value = tree_solve(&o->r.tree, eq->lhs, eq->rhs, find_new, &t);
    if (!value)
        reader_error(
            &o->r, eq->span, DIAG_S044,
            "this action cannot be solved for the new value of '%s', which does not occur linearly",
            ref->parts[ref->n - 1].name);
    return value;
}

/* ---- marks ---- */

static bool mark_state(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = is_call(e, "der") && e->args.n == 1 && e->args.at[0]->kind == AST_REF
                    ? omola_attr_of(o, o->c, e->args.at[0]->ref, NULL)
                    : NULL;
    if (a)
        a->state = true;
    return false;
}

static void mark_action(Omola *o, OmEquation *eq)
{
    const AstRef *ref = target_of(eq);
    OmAttr *a = ref ? omola_attr_of(o, o->c, ref, NULL) : NULL;
    if (!ref)
        reader_error(&o->r, eq->span, DIAG_S044,
                     "this action gives no variable a new value; it has no NEW(x)");
    else if (!a)
        reader_error(&o->r, ref->span, DIAG_S041, "there is no variable '%s'",
                     ref->parts[ref->n - 1].name);
    else if (!a->state)
        a->changes = true;
}

static void mark_calls(Omola *o, const OmWhen *w)
{
    for (uint32_t i = 0; i < w->calls.n; i++) {
        const AstExpr *call = w->calls.at[i];
        OmAttr *a = call->args.n && call->args.at[0]->kind == AST_REF
                        ? omola_attr_of(o, o->c, call->args.at[0]->ref, NULL)
                        : NULL;
        if (!a || a->kind != OM_EVENT)
            reader_error(&o->r, call->span, DIAG_S041,
                         "'%s' takes an event of the class as its first argument",
                         call->ref->parts[0].name);
        else
            a->scheduled = true;
    }
}

static bool reads_changed(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(o, o->c, e->ref, NULL) : NULL;
    return a && a->changes;
}

void omola_mark(Omola *o)
{
    OmBody *full = &o->c->full;
    Names *names = o->r.tree.ctx->names;
    for (uint32_t i = 0; i < full->equations.n; i++) {
        tree_contains(full->equations.at[i].lhs, mark_state, o);
        tree_contains(full->equations.at[i].rhs, mark_state, o);
    }
    for (uint32_t i = 0; i < full->whens.n; i++) {
        OmWhen *w = full->whens.at[i];
        for (uint32_t k = 0; k < w->actions.n; k++)
            mark_action(o, &w->actions.at[k]);
        mark_calls(o, w);
    }
    for (uint32_t i = 0; i < full->whens.n; i++) {
        OmWhen *w = full->whens.at[i];
        do
            w->fires = name_of(names, arena_printf(o->r.scratch, "event%u", ++o->n_events));
        while (omola_attr(full, w->fires));
        w->again = w->condition && tree_contains(w->condition, reads_changed, o);
    }
}

/* ---- settings ---- */

typedef struct Entry {
    Name fires;
    AstExpr *value;
} Entry;

/* All that sets one variable. */
typedef struct Setting {
    AstExpr *target; /* in Modelica */
    AstExpr *before; /* pre(target) */
    bool state;
    Span span;
    const char *remark;
    VEC(Entry) entries;
    bool written;
} Setting;

typedef struct Settings {
    Omola *o;
    VEC(Setting) all;
    EqList *eqs;
    ElementList *elements;
} Settings;

static AstExpr *own_ref(Omola *o, const AstRef *ref)
{
    AstExpr *e = tree_list(&o->r.tree, ref->span, AST_REF, NULL, 0);
    e->ref = (AstRef *)(uintptr_t)ref;
    return e;
}

static Setting *setting_of(Settings *s, const AstRef *ref, bool state)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        if (same_ref(s->all.at[i].target->ref, ref))
            return &s->all.at[i];
    Tree *t = &s->o->r.tree;
    AstExpr *target = own_ref(s->o, ref);
    Setting made = {.target = target,
                    .before = tree_call1(t, ref->span, "pre", target),
                    .state = state,
                    .span = ref->span};
    vec_push(&s->all, made);
    return &vec_last(&s->all);
}

static void add_entry(Setting *setting, Name fires, AstExpr *value)
{
    Entry e = {fires, value};
    if (value)
        vec_push(&setting->entries, e);
}

/* Rows and columns are Real, also where they hold numbers of modes. */
static bool is_real(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(o, o->c, e->ref, NULL) : NULL;
    return e->kind == AST_REAL || (e->kind == AST_BINARY && e->op == AST_OP_DIV) ||
           (a && a->type == OM_REAL && (a->kind == OM_VARIABLE || a->kind == OM_PARAMETER));
}

static bool is_real_value(Omola *o, const AstExpr *e)
{
    if (e->kind == AST_IF) {
        for (uint32_t i = 1; i < e->args.n; i += 2)
            if (is_real_value(o, e->args.at[i]))
                return true;
        return is_real_value(o, e->args.at[e->args.n - 1]);
    }
    return e->kind == AST_REF ? is_real(o, e) : tree_contains(e, is_real, o);
}

static void add_action(Settings *s, const OmWhen *w, OmEquation *eq)
{
    const AstRef *ref = target_of(eq);
    OmAttr *a = ref ? omola_attr_of(s->o, s->o->c, ref, NULL) : NULL;
    AstExpr *value = a ? solved(s->o, eq, ref) : NULL;
    if (!value)
        return;
    Setting *setting = setting_of(s, ref, a->state);
    setting->remark = eq->remark;
    AstExpr *made = omola_value(s->o, value, a->shape, own_ref(s->o, ref));
    if (a->type == OM_INTEGER && is_real_value(s->o, value))
        made = tree_call1(&s->o->r.tree, value->span, "integer", made);
    add_entry(setting, w->fires, made);
}

static AstExpr *one_more(Omola *o, const Setting *setting)
{
    return tree_binary(&o->r.tree, AST_OP_ADD, setting->before,
                       tree_integer(&o->r.tree, setting->span, 1));
}

static void add_cause(Settings *s, Name fires, const AstExpr *event)
{
    OmAttr *a = event->kind == AST_REF ? omola_attr_of(s->o, s->o->c, event->ref, NULL) : NULL;
    if (!a || a->kind != OM_EVENT) {
        reader_error(&s->o->r, event->span, DIAG_S041, "CAUSE takes events, and this is none");
        return;
    }
    Setting *setting = setting_of(s, event->ref, false);
    add_entry(setting, fires, one_more(s->o, setting));
}

/* ---- schedules ---- */

static AstExpr *never(Omola *o, Span span)
{
    return tree_number(&o->r.tree, span, "1e60", 4);
}

static AstExpr *due_time(Omola *o, const AstExpr *event)
{
    Name name = event->ref->parts[event->ref->n - 1].name;
    return tree_ref(&o->r.tree, event->span,
                    name_of(o->r.tree.ctx->names, arena_printf(o->r.scratch, "%s_due", name)));
}

static void add_schedule(Settings *s, const OmWhen *w, const AstExpr *call)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    if (!call->args.n || call->args.at[0]->kind != AST_REF)
        return;
    bool off = is_call(call, "deschedule");
    if (call->args.n != (off ? 1u : 2u)) {
        reader_error(&o->r, call->span, DIAG_S044,
                     off ? "deschedule takes an event" : "schedule takes an event and a delay");
        return;
    }
    AstExpr *at = never(o, call->span);
    if (!off)
        at = tree_binary(t, AST_OP_ADD, tree_ref(t, call->span, name_of(t->ctx->names, "time")),
                         omola_value(o, call->args.at[1], OM_SCALAR, NULL));
    add_entry(setting_of(s, due_time(o, call->args.at[0])->ref, false), w->fires, at);
}

/* A scheduled event happens at its time, which is then forgotten. */
static void fire_scheduled(Settings *s, const OmAttr *a)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    Names *names = t->ctx->names;
    AstExpr *event = tree_ref(t, a->span, a->name), *due = due_time(o, event);
    Name now = name_of(names, arena_printf(o->r.scratch, "%s_now", a->name));
    AstElement *time = tree_component(t, a->span, "Real", due->ref->parts[0].name);
    tree_modify(t, time, name_of(names, "start"), never(o, a->span), a->span);
    tree_modify(t, time, name_of(names, "fixed"), tree_bool(t, a->span, true), a->span);
    vec_push(s->elements, time);
    vec_push(s->elements, tree_component(t, a->span, "Boolean", now));
    AstExpr *reached = tree_binary(t, AST_OP_GE, tree_ref(t, a->span, name_of(names, "time")),
                                   tree_call1(t, a->span, "pre", due));
    vec_push(s->eqs, tree_equation(t, a->span, tree_ref(t, a->span, now), reached));
    Setting *counts = setting_of(s, event->ref, false);
    add_entry(counts, now, one_more(o, counts));
    add_entry(setting_of(s, due->ref, false), now, never(o, a->span));
}

/* ---- conditions ---- */

/* Whether the event alone is meant, and nothing in the class or around it makes it happen: then it
 * happens at the start. */
static bool is_start(Omola *o, const AstExpr *e)
{
    Name name = tree_plain_name(e);
    OmAttr *a = name ? omola_attr(&o->c->full, name) : NULL;
    return a && a->kind == OM_EVENT && !strcasecmp(name, "Init");
}

/* ^(c): the instant at which c becomes true. */
static AstExpr *edge_of(void *user, AstExpr *e)
{
    Settings *s = user;
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    if (!is_call(e, "^") || e->args.n != 1)
        return NULL;
    Name name = name_of(t->ctx->names, arena_printf(o->r.scratch, "edge%u", ++o->n_events));
    vec_push(s->elements, tree_component(t, e->span, "Boolean", name));
    vec_push(s->eqs, tree_equation(t, e->span, tree_ref(t, e->span, name),
                                   omola_value(o, e->args.at[0], OM_SCALAR, NULL)));
    return tree_call1(t, e->span, "edge", tree_ref(t, e->span, name));
}

/* Whether the actions of an event move states, which have no jumps during initialization. */
static bool moves_states(const Settings *s, const OmWhen *w)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        for (uint32_t k = 0; s->all.at[i].state && k < s->all.at[i].entries.n; k++)
            if (s->all.at[i].entries.at[k].fires == w->fires)
                return true;
    return false;
}

/* True once, when initialization has ended. */
static AstExpr *after_start(Settings *s, Span span)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    Name name = name_of(t->ctx->names, arena_printf(o->r.scratch, "start%u", ++o->n_events));
    vec_push(s->elements, tree_component(t, span, "Boolean", name));
    vec_push(s->eqs, tree_equation(t, span, tree_ref(t, span, name),
                                   tree_call(t, span, "initial", NULL, 0)));
    return tree_binary(t, AST_OP_AND, tree_call1(t, span, "pre", tree_ref(t, span, name)),
                       tree_unary(t, span, AST_OP_NOT, tree_ref(t, span, name)));
}

static void write_condition(Settings *s, const OmWhen *w)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    AstElement *e = tree_component(t, w->span, "Boolean", w->fires);
    AstExpr *condition = w->condition ? w->condition : tree_ref(t, w->span, w->event);
    bool start = is_start(o, condition), moves = moves_states(s, w);
    AstExpr *initial = tree_call(t, w->span, "initial", NULL, 0);
    if (start)
        condition = moves ? after_start(s, w->span) : initial;
    else
        condition = omola_value(o, tree_rewrite(t, condition, edge_of, s), OM_SCALAR, NULL);
    if (moves && !start)
        condition =
            tree_binary(t, AST_OP_AND, condition, tree_unary(t, w->span, AST_OP_NOT, initial));
    if (w->again) {
        AstExpr *before = tree_call1(t, w->span, "pre", tree_ref(t, w->span, w->fires));
        condition =
            tree_binary(t, AST_OP_AND, condition, tree_unary(t, w->span, AST_OP_NOT, before));
    }
    e->comment.text = w->remark;
    vec_push(s->elements, e);
    vec_push(s->eqs, tree_equation(t, w->span, tree_ref(t, w->span, w->fires), condition));
}

/* ---- writing ---- */

static bool same_fires(const Setting *a, const Setting *b)
{
    if (a->entries.n != b->entries.n || a->state != b->state)
        return false;
    for (uint32_t i = 0; i < a->entries.n; i++)
        if (a->entries.at[i].fires != b->entries.at[i].fires)
            return false;
    return true;
}

/* if fires1 then value1 elseif … else the value before; a state that jumps for one reason needs no
 * choice. */
static AstExpr *choice(Tree *t, const Setting *s)
{
    uint32_t n = s->entries.n;
    if (s->state && n == 1)
        return s->entries.at[0].value;
    ExprList args = {0};
    for (uint32_t i = 0; i < n; i++) {
        if (!s->state || i + 1 < n)
            vec_push(&args, tree_ref(t, s->span, s->entries.at[i].fires));
        vec_push(&args, s->entries.at[i].value);
    }
    if (!s->state)
        vec_push(&args, s->before);
    AstExpr *e = tree_list(t, s->span, AST_IF, args.at, args.n);
    vec_free(&args);
    return e;
}

static AstEq *set_equation(Tree *t, const Setting *s)
{
    AstExpr *value = choice(t, s);
    AstExpr *args[] = {s->target, value};
    AstEq *eq = s->state ? tree_call_equation(t, s->span, tree_call(t, s->span, "reinit", args, 2))
                         : tree_equation(t, s->span, s->target, value);
    eq->comment.text = s->remark;
    return eq;
}

static AstExpr *fires_any(Tree *t, const Setting *s)
{
    ExprList args = {0};
    if (!s->state)
        vec_push(&args, tree_call(t, s->span, "initial", NULL, 0));
    for (uint32_t i = 0; i < s->entries.n; i++)
        vec_push(&args, tree_ref(t, s->span, s->entries.at[i].fires));
    AstExpr *e = args.n == 1 ? args.at[0] : tree_list(t, s->span, AST_ARRAY, args.at, args.n);
    vec_free(&args);
    return e;
}

/* Variables that are set on the same occasions share a when. */
static void write_group(Settings *s, uint32_t first)
{
    Tree *t = &s->o->r.tree;
    EqList body = {0};
    for (uint32_t i = first; i < s->all.n; i++) {
        Setting *one = &s->all.at[i];
        if (one->written || !same_fires(one, &s->all.at[first]))
            continue;
        one->written = true;
        vec_push(&body, set_equation(t, one));
    }
    AstEq *eq = ARENA_NEW(t->arena, AstEq);
    eq->kind = AST_EQ_WHEN;
    eq->span = s->all.at[first].span;
    eq->branches.at = ARENA_NEW(t->arena, AstEqBranch);
    eq->branches.n = 1;
    eq->branches.at->condition = fires_any(t, &s->all.at[first]);
    eq->branches.at->span = eq->span;
    tree_keep(t, eq->branches.at->body, &body);
    vec_push(s->eqs, eq);
}

/* Inputs of components that nothing here causes. */
static void silence_inputs(Settings *s)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    for (uint32_t i = 0; i < o->c->full.attrs.n; i++) {
        const OmAttr *part = o->c->full.attrs.at[i];
        OmClass *of = part->kind == OM_COMPONENT ? omola_class(o, part->class_name) : NULL;
        for (uint32_t k = 0; of && k < of->full.attrs.n; k++) {
            const OmAttr *a = of->full.attrs.at[k];
            if (a->kind != OM_EVENT || a->role != OM_EVENT_INPUT)
                continue;
            AstExpr *event = tree_member(t, part->span, part->name, a->name);
            bool caused = false;
            for (uint32_t j = 0; j < s->all.n; j++)
                caused = caused || same_ref(s->all.at[j].target->ref, event->ref);
            if (!caused)
                vec_push(s->eqs,
                         tree_equation(t, part->span, event, tree_integer(t, part->span, 0)));
        }
    }
}

/* Events of the class itself that nothing causes. */
static void silence_events(Settings *s)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    for (uint32_t i = 0; i < o->c->full.attrs.n; i++) {
        const OmAttr *a = o->c->full.attrs.at[i];
        if (a->kind != OM_EVENT || a->role == OM_EVENT_INPUT)
            continue;
        AstExpr *event = tree_ref(t, a->span, a->name);
        bool caused = false;
        for (uint32_t j = 0; j < s->all.n; j++)
            caused = caused || same_ref(s->all.at[j].target->ref, event->ref);
        if (!caused)
            vec_push(s->eqs, tree_equation(t, a->span, event, tree_integer(t, a->span, 0)));
    }
}

void omola_events(Omola *o, EqList *eqs, ElementList *elements)
{
    Settings s = {.o = o, .eqs = eqs, .elements = elements};
    OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->whens.n; i++) {
        OmWhen *w = full->whens.at[i];
        for (uint32_t k = 0; k < w->actions.n; k++)
            add_action(&s, w, &w->actions.at[k]);
        write_condition(&s, w);
        for (uint32_t k = 0; k < w->causes.n; k++)
            add_cause(&s, w->fires, w->causes.at[k]);
        for (uint32_t k = 0; k < w->calls.n; k++)
            add_schedule(&s, w, w->calls.at[k]);
    }
    for (uint32_t i = 0; i < full->attrs.n; i++)
        if (full->attrs.at[i]->kind == OM_EVENT && full->attrs.at[i]->scheduled)
            fire_scheduled(&s, full->attrs.at[i]);
    silence_inputs(&s);
    silence_events(&s);
    for (uint32_t i = 0; i < s.all.n; i++)
        if (!s.all.at[i].written && s.all.at[i].entries.n)
            write_group(&s, i);
    for (uint32_t i = 0; i < s.all.n; i++)
        vec_free(&s.all.at[i].entries);
    vec_free(&s.all);
}
