/* Events and actions.
 *
 * An event is an Integer that counts its occurrences; it happens when the count changes. Every WHEN
 * gets a Boolean that shows when it fires. All statements that set one variable are collected, so
 * that each variable is set in one place. If several act at once, the last one counts.
 *
 * Beside NEW(x), x is the old value: pre(x). A state is changed by reinit. A WHEN that changes a
 * variable of its own condition fires again, at the same instant, while the condition is true. */
#include "notation/omola/internal.h"

#include <stdio.h>
#include <strings.h>

bool omola_is_call(const AstExpr *e, const char *name)
{
    return e->kind == AST_CALL && e->ref->n == 1 && !strcasecmp(e->ref->parts[0].name, name);
}

static Name intern(Omola *o, const char *text)
{
    return name_of(o->r.tree.ctx->names, text);
}

Name omola_element(Omola *o)
{
    return intern(o, "element");
}

/* ---- variables that are set ---- */

static bool same_subscripts(const AstRefPart *a, const AstRefPart *b)
{
    if (a->subs.n != b->subs.n)
        return false;
    for (uint32_t i = 0; i < a->subs.n; i++)
        if (!ast_equal_expr(a->subs.at[i], b->subs.at[i]))
            return false;
    return true;
}

bool omola_same_ref(const AstRef *a, const AstRef *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->parts[i].name != b->parts[i].name || !same_subscripts(&a->parts[i], &b->parts[i]))
            return false;
    return true;
}

typedef struct Target {
    const AstRef *ref;
} Target;

static bool find_new(void *user, const AstExpr *e)
{
    Target *t = user;
    if (!omola_is_call(e, "new") || e->args.n != 1 || e->args.at[0]->kind != AST_REF)
        return false;
    if (!t->ref)
        t->ref = e->args.at[0]->ref;
    return omola_same_ref(t->ref, e->args.at[0]->ref);
}

const AstRef *omola_target(const OmEquation *eq)
{
    Target t = {NULL};
    if (eq->causal && eq->lhs->kind == AST_REF)
        return eq->lhs->ref;
    if (tree_contains(eq->lhs, find_new, &t) || tree_contains(eq->rhs, find_new, &t))
        return t.ref;
    return eq->lhs->kind == AST_REF ? eq->lhs->ref : NULL;
}

AstExpr *omola_solved(Omola *o, const OmEquation *eq, const AstRef *ref)
{
    Target t = {ref};
    if (eq->lhs->kind == AST_REF && eq->lhs->ref == ref)
        return eq->rhs;
    AstExpr *value = tree_solve(&o->r.tree, eq->lhs, eq->rhs, find_new, &t);
    if (!value)
        reader_error(&o->r, eq->span, DIAG_S044,
                     "this action cannot be solved for the new value of '%s', which cancels or "
                     "does not occur linearly",
                     ref->parts[ref->n - 1].name);
    return value;
}

/* ---- marks ---- */

static bool mark_state(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = omola_is_call(e, "der") && e->args.n == 1 && e->args.at[0]->kind == AST_REF
                    ? omola_attr_of(o, o->c, e->args.at[0]->ref, NULL)
                    : NULL;
    if (a)
        a->state = true;
    return false;
}

void omola_mark_states(Omola *o)
{
    const OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->equations.n; i++) {
        tree_contains(full->equations.at[i].lhs, mark_state, o);
        tree_contains(full->equations.at[i].rhs, mark_state, o);
    }
}

static void mark_action(Omola *o, OmEquation *eq)
{
    const AstRef *ref = omola_target(eq);
    OmAttr *a = ref ? omola_attr_of(o, o->c, ref, NULL) : NULL;
    if (!ref)
        reader_error(&o->r, eq->span, DIAG_S044,
                     "this action gives no variable a new value; write NEW(x) for the value of x "
                     "after the event");
    else if (!a)
        reader_error(&o->r, ref->span, DIAG_S041, "there is no variable '%s'",
                     ref->parts[ref->n - 1].name);
    else if (a->kind == OM_EVENT || a->kind == OM_COMPONENT)
        reader_error(&o->r, ref->span, DIAG_S041, "'%s' is not a variable, so it has no new value",
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
        bool off = omola_is_call(call, "deschedule");
        if (!a || a->kind != OM_EVENT)
            reader_error(&o->r, call->span, DIAG_S041, "'%s' takes an event as its first argument",
                         call->ref->parts[0].name);
        else if (call->args.n != (off ? 1u : 2u))
            reader_error(&o->r, call->span, DIAG_S044,
                         off ? "deschedule takes an event" : "schedule takes an event and a delay");
        else
            a->scheduled = true;
    }
}

typedef struct Changed {
    Omola *o;
    const OmWhen *w;
} Changed;

/* A variable of the condition that the actions of the clause change. */
static bool reads_changed(void *user, const AstExpr *e)
{
    Changed *c = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(c->o, c->o->c, e->ref, NULL) : NULL;
    for (uint32_t i = 0; a && a->changes && i < c->w->actions.n; i++) {
        const AstRef *ref = omola_target(&c->w->actions.at[i]);
        if (ref && omola_attr_of(c->o, c->o->c, ref, NULL) == a)
            return true;
    }
    return false;
}

void omola_mark(Omola *o)
{
    OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->whens.n; i++) {
        OmWhen *w = full->whens.at[i];
        for (uint32_t k = 0; k < w->actions.n; k++)
            mark_action(o, &w->actions.at[k]);
        mark_calls(o, w);
    }
    for (uint32_t i = 0; i < full->whens.n; i++) {
        OmWhen *w = full->whens.at[i];
        do
            w->fires = intern(o, arena_printf(o->r.scratch, "event%u", ++o->n_events));
        while (omola_attr(full, w->fires));
        Changed changed = {o, w};
        w->again = w->condition && tree_contains(w->condition, reads_changed, &changed);
    }
}

/* ---- signals ---- */

AstExpr *omola_pulse(Omola *o, const OmWhen *w)
{
    Tree *t = &o->r.tree;
    AstExpr *fires = tree_ref(t, w->span, w->fires);
    return w->signal == OM_PULSE
               ? fires
               : tree_call1(t, w->span, w->signal == OM_RISES ? "edge" : "change", fires);
}

void omola_trigger(Omola *o, ExprList *conditions, const OmWhen *w)
{
    Tree *t = &o->r.tree;
    vec_push(conditions, tree_ref(t, w->span, w->fires));
    if (w->signal == OM_CHANGES)
        vec_push(conditions, tree_unary(t, w->span, AST_OP_NOT, tree_ref(t, w->span, w->fires)));
}

Name omola_hidden(OmEvents *s, Span span, const char *type, Name name, AstExpr *count)
{
    AstElement *e = tree_component(&s->o->r.tree, span, type, name);
    if (count) {
        e->dims.at = ARENA_NEW(s->o->r.tree.arena, AstExpr *);
        e->dims.at[0] = count;
        e->dims.n = 1;
    }
    tree_hide(&s->o->r.tree, e);
    vec_push(s->elements, e);
    return name;
}

/* A Boolean that is false before the start; results and logs do not show it. */
static void add_boolean(OmEvents *s, Span span, Name name, const char *remark, AstExpr *value)
{
    Tree *t = &s->o->r.tree;
    AstElement *e = tree_component(t, span, "Boolean", name);
    tree_modify(t, e, intern(s->o, "start"), tree_bool(t, span, false), span);
    tree_modify(t, e, intern(s->o, "fixed"), tree_bool(t, span, true), span);
    e->comment.text = remark;
    tree_hide(t, e);
    vec_push(s->elements, e);
    vec_push(s->eqs, tree_equation(t, span, tree_ref(t, span, name), value));
}

/* ---- settings ---- */

typedef struct Entry {
    const OmWhen *when;
    AstExpr *value;         /* in Modelica */
    OmShape shape;          /* of the value */
    const AstRefPart *part; /* with the subscripts of the elements that are set, in Omola */
    OmShape selected;       /* by these subscripts */
} Entry;

/* All that sets one variable. */
typedef struct Setting {
    const AstRef *ref; /* without subscripts, unless single elements of a state are set */
    const OmAttr *attr;
    Span span;
    const char *remark;
    VEC(Entry) entries;
    bool parts; /* some entry sets a part of the variable */
    bool written;
} Setting;

typedef struct Settings {
    OmEvents events;
    VEC(Setting) all;
} Settings;

static AstExpr *own_ref(Omola *o, const AstRef *ref)
{
    AstExpr *e = tree_list(&o->r.tree, ref->span, AST_REF, NULL, 0);
    e->ref = (AstRef *)(uintptr_t)ref;
    return e;
}

static AstExpr *before(Omola *o, AstExpr *e)
{
    return tree_call1(&o->r.tree, e->span, "pre", e);
}

static bool is_numbered(const AstRefPart *part)
{
    for (uint32_t i = 0; i < part->subs.n; i++)
        if (part->subs.at[i]->kind != AST_INT)
            return false;
    return part->subs.n > 0;
}

static bool same_path(const AstRef *a, const AstRef *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->parts[i].name != b->parts[i].name)
            return false;
    return true;
}

/* Whether all actions on this variable set single elements by number. */
static bool elements_alone(const Omola *o, const AstRef *ref)
{
    const OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->actions.n; k++) {
            const AstRef *other = omola_target(&full->whens.at[i]->actions.at[k]);
            if (other && same_path(other, ref) && !is_numbered(&other->parts[other->n - 1]))
                return false;
        }
    return true;
}

static const AstRef *without_subscripts(Omola *o, const AstRef *ref)
{
    AstRef *bare = ARENA_NEW(o->r.tree.arena, AstRef);
    *bare = *ref;
    bare->parts = ARENA_ARRAY(o->r.tree.arena, AstRefPart, ref->n);
    for (uint32_t i = 0; i < ref->n; i++)
        bare->parts[i] = ref->parts[i];
    bare->parts[ref->n - 1].subs.n = 0;
    return bare;
}

static Setting *setting_of(Settings *s, const AstRef *ref, const OmAttr *a)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        if (omola_same_ref(s->all.at[i].ref, ref))
            return &s->all.at[i];
    Setting made = {.ref = ref, .attr = a, .span = ref->span};
    vec_push(&s->all, made);
    return &vec_last(&s->all);
}

/* Rows and columns are Real, even if they contain numbers of modes. */
static bool is_real(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(o, o->c, e->ref, NULL) : NULL;
    return e->kind == AST_REAL || (e->kind == AST_BINARY && e->op == AST_OP_DIV) ||
           (a && a->type == OM_REAL && (a->kind == OM_VARIABLE || a->kind == OM_PARAMETER));
}

bool omola_is_real(Omola *o, const AstExpr *e)
{
    if (e->kind == AST_IF) {
        for (uint32_t i = 1; i < e->args.n; i += 2)
            if (omola_is_real(o, e->args.at[i]))
                return true;
        return omola_is_real(o, e->args.at[e->args.n - 1]);
    }
    return e->kind == AST_REF ? is_real(o, e) : tree_contains(e, is_real, o);
}

static void add_action(Settings *s, const OmWhen *w, OmEquation *eq)
{
    Omola *o = s->events.o;
    const AstRef *ref = omola_target(eq);
    OmAttr *a = ref ? omola_attr_of(o, o->c, ref, NULL) : NULL;
    AstExpr *value = a ? omola_solved(o, eq, ref) : NULL;
    if (!value)
        return;
    const AstRefPart *part = &ref->parts[ref->n - 1];
    OmShape selected = omola_selected(part, a->shape), shape = omola_shape(o, value);
    bool element = a->state && part->subs.n && elements_alone(o, ref);
    Setting *setting = setting_of(s, element ? ref : without_subscripts(o, ref), a);
    setting->remark = eq->remark;
    setting->parts = setting->parts || (part->subs.n && !element);
    if (selected == OM_SCALAR || !part->subs.n)
        value = omola_value(o, value, selected, own_ref(o, ref)), shape = selected;
    else
        value = omola_modelica(o, value);
    if (a->type == OM_INTEGER && omola_is_real(o, value))
        value = tree_call1(&o->r.tree, value->span, "integer", value);
    Entry e = {w, value, shape, part, selected};
    vec_push(&setting->entries, e);
}

/* ---- conditions ---- */

/* Whether the condition is only the event, and nothing in the class or around it causes the event:
 * then it happens at the start. */
static bool is_start(Omola *o, const AstExpr *e)
{
    Name name = tree_plain_name(e);
    OmAttr *a = name ? omola_attr(&o->c->full, name) : NULL;
    return a && a->kind == OM_EVENT && !strcasecmp(name, "Init");
}

/* ^(c): the instant at which c becomes true. */
static AstExpr *edge_of(void *user, AstExpr *e)
{
    OmEvents *s = user;
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    if (!omola_is_call(e, "^") || e->args.n != 1)
        return NULL;
    Name name = intern(o, arena_printf(o->r.scratch, "edge%u", ++o->n_events));
    vec_push(s->elements, tree_component(t, e->span, "Boolean", name));
    vec_push(s->eqs, tree_equation(t, e->span, tree_ref(t, e->span, name),
                                   omola_value(o, e->args.at[0], OM_SCALAR, NULL)));
    return tree_call1(t, e->span, "edge", tree_ref(t, e->span, name));
}

/* Whether the actions of an event move states, which have no jumps during initialization. */
static bool moves_states(const Settings *s, const OmWhen *w)
{
    for (uint32_t i = 0; i < s->all.n; i++)
        for (uint32_t k = 0; s->all.at[i].attr->state && k < s->all.at[i].entries.n; k++)
            if (s->all.at[i].entries.at[k].when == w)
                return true;
    return false;
}

/* True once, when initialization has ended. */
static AstExpr *after_start(OmEvents *s, Span span)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    Name name = intern(o, arena_printf(o->r.scratch, "start%u", ++o->n_events));
    vec_push(s->elements, tree_component(t, span, "Boolean", name));
    vec_push(s->eqs, tree_equation(t, span, tree_ref(t, span, name),
                                   tree_call(t, span, "initial", NULL, 0)));
    return tree_binary(t, AST_OP_AND, tree_call1(t, span, "pre", tree_ref(t, span, name)),
                       tree_unary(t, span, AST_OP_NOT, tree_ref(t, span, name)));
}

typedef struct Mentions {
    Omola *o;
    AstExpr *any; /* some event in the condition happens; NULL if it has none */
} Mentions;

static bool mention_event(void *user, const AstExpr *e)
{
    Mentions *m = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(m->o, m->o->c, e->ref, NULL) : NULL;
    if (a && a->kind == OM_EVENT) {
        AstExpr *happens = omola_modelica(m->o, (AstExpr *)(uintptr_t)e);
        m->any = m->any ? tree_binary(&m->o->r.tree, AST_OP_OR, m->any, happens) : happens;
    }
    return false;
}

/* A condition with events fires if it is true and one of them happens, and when it becomes true.
 * Its Boolean changes each time. */
static AstExpr *turned(OmEvents *s, const OmWhen *w, AstExpr *condition, AstExpr *any)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    AstExpr *last = tree_call1(t, w->span, "pre", tree_ref(t, w->span, w->fires)), *now = condition;
    if (condition != any) {
        Name holds = intern(o, arena_printf(o->r.scratch, "%s_holds", w->fires));
        add_boolean(s, w->span, holds, NULL, condition);
        AstExpr *became = tree_call1(t, w->span, "edge", tree_ref(t, w->span, holds));
        now = tree_binary(t, AST_OP_AND, tree_ref(t, w->span, holds),
                          tree_binary(t, AST_OP_OR, became, any));
    }
    return tree_if(t, w->span, now, tree_unary(t, w->span, AST_OP_NOT, last), last);
}

static AstExpr *firing(Settings *s, OmWhen *w, AstExpr *condition)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    Mentions m = {o, NULL};
    tree_contains(condition, mention_event, &m);
    bool event_alone = condition->kind == AST_REF && m.any, moves = moves_states(s, w);
    AstExpr *made = event_alone ? m.any
                                : omola_value(o, tree_rewrite(t, condition, edge_of, &s->events),
                                              OM_SCALAR, NULL);
    if (moves) {
        AstExpr *initial = tree_call(t, w->span, "initial", NULL, 0);
        made = tree_binary(t, AST_OP_AND, made, tree_unary(t, w->span, AST_OP_NOT, initial));
        event_alone = false;
    }
    w->signal = m.any ? OM_CHANGES : w->again ? OM_PULSE : OM_RISES;
    if (m.any)
        return turned(&s->events, w, made, event_alone ? made : m.any);
    if (w->again) {
        AstExpr *last = tree_call1(t, w->span, "pre", tree_ref(t, w->span, w->fires));
        made = tree_binary(t, AST_OP_AND, made, tree_unary(t, w->span, AST_OP_NOT, last));
    }
    return made;
}

static void write_condition(Settings *s, OmWhen *w)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    AstExpr *condition = w->condition ? w->condition : tree_ref(t, w->span, w->event), *value;
    if (is_start(o, condition)) {
        w->signal = OM_PULSE;
        value = moves_states(s, w) ? after_start(&s->events, w->span)
                                   : tree_call(t, w->span, "initial", NULL, 0);
    } else {
        value = firing(s, w, condition);
    }
    add_boolean(&s->events, w->span, w->fires, w->remark, value);
}

/* ---- writing ---- */

static bool same_fires(const Setting *a, const Setting *b)
{
    if (a->entries.n != b->entries.n || a->attr->state != b->attr->state)
        return false;
    for (uint32_t i = 0; i < a->entries.n; i++)
        if (a->entries.at[i].when != b->entries.at[i].when)
            return false;
    return true;
}

/* No name of Omola has quotes, so these hide none in the values of elements. */
static const char *const index_names[] = {"'row'", "'column'"};

static AstExpr *index_ref(Omola *o, Span span, uint32_t dim)
{
    return tree_ref(&o->r.tree, span, intern(o, index_names[dim]));
}

static AstExpr *limit(Tree *t, AstExpr *e, AstExpr *least, AstExpr *most)
{
    AstExpr *low[] = {e, least};
    AstExpr *high[] = {tree_call(t, e->span, "max", low, 2), most};
    return tree_call(t, e->span, "min", high, 2);
}

static void put_subscripts(Omola *o, AstExpr *ref, AstExpr *const *subs, uint32_t n)
{
    AstRef *copy = ARENA_NEW(o->r.tree.arena, AstRef);
    *copy = *ref->ref;
    copy->parts = ARENA_ARRAY(o->r.tree.arena, AstRefPart, copy->n);
    for (uint32_t i = 0; i < copy->n; i++)
        copy->parts[i] = ref->ref->parts[i];
    AstRefPart *last = &copy->parts[copy->n - 1];
    last->subs.at = ARENA_ARRAY(o->r.tree.arena, AstExpr *, n);
    last->subs.n = n;
    for (uint32_t i = 0; i < n; i++)
        last->subs.at[i] = subs[i];
    ref->ref = copy;
}

/* Subscripts of a column or row that are written as those of a matrix. */
static uint32_t subscripts_of(const AstRefPart *part, OmShape shape, AstExpr **subs)
{
    uint32_t n = part->subs.n;
    if (n == 2 && shape != OM_MATRIX) {
        subs[0] = part->subs.at[shape == OM_ROW];
        return 1;
    }
    for (uint32_t i = 0; i < n && i < 2; i++)
        subs[i] = part->subs.at[i];
    return n < 2 ? n : 2;
}

/* Which elements an entry sets: a condition on the indices, NULL for all. In at: the indices of
 * the value that element (i, j) takes, *n of them. */
static AstExpr *selection(Omola *o, const Entry *e, OmShape shape, AstExpr **at, uint32_t *n)
{
    Tree *t = &o->r.tree;
    Span span = e->value->span;
    AstExpr *subs[2] = {NULL, NULL}, *all = NULL;
    uint32_t count = subscripts_of(e->part, shape, subs), rank = shape == OM_MATRIX ? 2 : 1;
    *n = 0;
    for (uint32_t d = 0; d < rank; d++) {
        AstExpr *i = index_ref(o, span, d), *test;
        if (d >= count) {
            at[(*n)++] = i;
            continue;
        }
        if (subs[d]->kind == AST_RANGE) {
            AstExpr *low = omola_value(o, subs[d]->args.at[0], OM_SCALAR, NULL),
                    *high = omola_value(o, subs[d]->args.at[1], OM_SCALAR, NULL),
                    *one = tree_integer(t, span, 1);
            test = tree_binary(t, AST_OP_AND, tree_binary(t, AST_OP_GE, i, low),
                               tree_binary(t, AST_OP_LE, i, high));
            AstExpr *place = tree_binary(t, AST_OP_ADD, tree_binary(t, AST_OP_SUB, i, low), one);
            at[(*n)++] =
                limit(t, place, one,
                      tree_binary(t, AST_OP_ADD, tree_binary(t, AST_OP_SUB, high, low), one));
        } else {
            test = tree_binary(t, AST_OP_EQ, i, omola_value(o, subs[d], OM_SCALAR, NULL));
        }
        all = all ? tree_binary(t, AST_OP_AND, all, test) : test;
    }
    return all;
}

/* The value of one element. A vector gets a name first, since only names have elements. */
static AstExpr *element_value(Settings *s, const Setting *one, const Entry *e, uint32_t k,
                              AstExpr *const *at, uint32_t n, EqList *body)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    if (e->shape == OM_SCALAR)
        return e->value;
    Span span = e->value->span;
    Name name = intern(o, arena_printf(o->r.scratch, "%s_set%u", one->attr->name, k + 1));
    AstElement *made =
        tree_component(t, span, one->attr->type == OM_INTEGER ? "Integer" : "Real", name);
    made->dims.at = ARENA_ARRAY(t->arena, AstExpr *, 2);
    made->dims.n = n;
    for (uint32_t d = 0, kept = 0; d < (one->attr->shape == OM_MATRIX ? 2u : 1u); d++) {
        AstExpr *subs[2] = {NULL, NULL};
        uint32_t count = subscripts_of(e->part, one->attr->shape, subs);
        if (d < count && subs[d]->kind != AST_RANGE)
            continue;
        AstExpr *size = tree_size(t, span, own_ref(o, one->ref), d + 1);
        if (d < count)
            size = tree_binary(t, AST_OP_ADD,
                               tree_binary(t, AST_OP_SUB,
                                           omola_value(o, subs[d]->args.at[1], OM_SCALAR, NULL),
                                           omola_value(o, subs[d]->args.at[0], OM_SCALAR, NULL)),
                               tree_integer(t, span, 1));
        made->dims.at[kept++] = size;
    }
    tree_hide(t, made);
    vec_push(s->events.elements, made);
    AstExpr *ref = tree_ref(t, span, name);
    vec_push(body, tree_equation(t, span, ref, e->value));
    AstExpr *element = tree_ref(t, span, name);
    put_subscripts(o, element, at, n);
    return element;
}

/* The whole variable, element by element: { if fires1 and 'row' == k then … for 'row' in 1:n }. */
static AstExpr *choice_of_elements(Settings *s, const Setting *one, EqList *body)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    uint32_t rank = one->attr->shape == OM_MATRIX ? 2 : 1;
    ExprList args = {0};
    for (uint32_t i = one->entries.n; i-- > 0;) {
        const Entry *e = &one->entries.at[i];
        AstExpr *at[2];
        uint32_t n;
        AstExpr *chosen = selection(o, e, one->attr->shape, at, &n),
                *pulse = omola_pulse(o, e->when);
        vec_push(&args, chosen ? tree_binary(t, AST_OP_AND, pulse, chosen) : pulse);
        vec_push(&args, element_value(s, one, e, i, at, n, body));
    }
    AstExpr *own = own_ref(o, one->ref),
            *indices[] = {index_ref(o, one->span, 0), index_ref(o, one->span, 1)};
    put_subscripts(o, own, indices, rank);
    vec_push(&args, one->attr->state ? own : before(o, own));
    AstExpr *e = tree_list(t, one->span, AST_IF, args.at, args.n);
    vec_free(&args);
    for (uint32_t d = rank; d-- > 0;)
        e = tree_comprehension(t, one->span, e, intern(o, index_names[d]),
                               tree_size(t, one->span, own_ref(o, one->ref), d + 1));
    return e;
}

/* if fires2 then value2 elseif fires1 then value1 else the old value. A state that only one clause
 * changes needs no choice. */
static AstExpr *choice(Settings *s, const Setting *one)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    uint32_t n = one->entries.n;
    bool state = one->attr->state;
    if (state && n == 1)
        return one->entries.at[0].value;
    ExprList args = {0};
    for (uint32_t i = n; i-- > 0;) {
        if (!state || i > 0)
            vec_push(&args, omola_pulse(o, one->entries.at[i].when));
        vec_push(&args, one->entries.at[i].value);
    }
    if (!state)
        vec_push(&args, before(o, own_ref(o, one->ref)));
    AstExpr *e = tree_list(t, one->span, AST_IF, args.at, args.n);
    vec_free(&args);
    return e;
}

static void set_equation(Settings *s, const Setting *one, EqList *body)
{
    Omola *o = s->events.o;
    Tree *t = &o->r.tree;
    AstExpr *value = one->parts ? choice_of_elements(s, one, body) : choice(s, one);
    AstExpr *args[] = {own_ref(o, one->ref), value};
    AstEq *eq = one->attr->state
                    ? tree_call_equation(t, one->span, tree_call(t, one->span, "reinit", args, 2))
                    : tree_equation(t, one->span, args[0], value);
    eq->comment.text = one->remark;
    vec_push(body, eq);
}

static AstExpr *fires_any(Omola *o, const Setting *one)
{
    Tree *t = &o->r.tree;
    ExprList args = {0};
    if (!one->attr->state)
        vec_push(&args, tree_call(t, one->span, "initial", NULL, 0));
    for (uint32_t i = 0; i < one->entries.n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < i; k++)
            again = again || one->entries.at[k].when == one->entries.at[i].when;
        if (!again)
            omola_trigger(o, &args, one->entries.at[i].when);
    }
    AstExpr *e = args.n == 1 ? args.at[0] : tree_list(t, one->span, AST_ARRAY, args.at, args.n);
    vec_free(&args);
    return e;
}

/* Variables that are set on the same occasions share a when. */
static void write_group(Settings *s, uint32_t first)
{
    Omola *o = s->events.o;
    EqList body = {0};
    for (uint32_t i = first; i < s->all.n; i++) {
        Setting *one = &s->all.at[i];
        if (one->written || !same_fires(one, &s->all.at[first]))
            continue;
        one->written = true;
        set_equation(s, one, &body);
    }
    const Setting *head = &s->all.at[first];
    vec_push(s->events.eqs, tree_when(&o->r.tree, head->span, fires_any(o, head), &body));
}

/* ---- causes ---- */

static AstExpr *either(Tree *t, AstExpr *a, AstExpr *b)
{
    return a ? tree_binary(t, AST_OP_OR, a, b) : b;
}

/* Whether a CAUSE names this event, of the class itself (component NULL) or of a component. */
static bool names_event(const AstExpr *cause, Name component, Name event)
{
    const AstRef *ref = cause->kind == AST_REF ? cause->ref : NULL;
    return ref && ref->n == (component ? 2u : 1u) && ref->parts[ref->n - 1].name == event &&
           (!component || ref->parts[0].name == component);
}

/* "The event happens now" for the occasions on which clauses of the class cause it; NULL: none. */
static AstExpr *caused(Omola *o, Name component, Name event)
{
    Tree *t = &o->r.tree;
    const OmBody *full = &o->c->full;
    AstExpr *any = NULL;
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->causes.n; k++) {
            const OmWhen *w = full->whens.at[i];
            const AstExpr *cause = w->causes.at[k];
            if (!names_event(cause, component, event))
                continue;
            AstExpr *now = omola_pulse(o, w);
            if (component && cause->ref->parts[0].subs.n)
                now = tree_binary(
                    t, AST_OP_AND, now,
                    tree_binary(t, AST_OP_EQ, tree_ref(t, cause->span, omola_element(o)),
                                omola_value(o, cause->ref->parts[0].subs.at[0], OM_SCALAR, NULL)));
            any = either(t, any, now);
        }
    return any;
}

/* event = if it happens then pre(event) + 1 else pre(event); 0 for one that never happens */
static AstEq *count_equation(Omola *o, AstExpr *event, AstExpr *happens)
{
    Tree *t = &o->r.tree;
    if (!happens)
        return tree_equation(t, event->span, event, tree_integer(t, event->span, 0));
    AstExpr *last = before(o, event),
            *more = tree_binary(t, AST_OP_ADD, last, tree_integer(t, event->span, 1));
    return tree_equation(t, event->span, event, tree_if(t, event->span, happens, more, last));
}

/* The inputs of a component, or of each element if it is a vector of models. */
static void count_inputs(OmEvents *s, const OmAttr *part)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    const OmClass *of = omola_class(o, part->class_name);
    for (uint32_t k = 0; of && k < of->full.attrs.n; k++) {
        const OmAttr *a = of->full.attrs.at[k];
        if (a->kind != OM_EVENT || a->role != OM_EVENT_INPUT)
            continue;
        AstExpr *event = tree_member(t, part->span, part->name, a->name);
        AstExpr *happens = caused(o, part->name, a->name);
        if (!part->dims[0]) {
            vec_push(s->eqs, count_equation(o, event, happens));
            continue;
        }
        AstExpr *element = tree_ref(t, part->span, omola_element(o));
        event->ref->parts[0].subs.at = ARENA_NEW(t->arena, AstExpr *);
        event->ref->parts[0].subs.at[0] = element;
        event->ref->parts[0].subs.n = 1;
        EqList body = {0};
        vec_push(&body, count_equation(o, event, happens));
        AstExpr *all = omola_value(o, part->dims[0], OM_SCALAR, NULL);
        vec_push(s->eqs, tree_for(t, part->span, omola_element(o), all, &body));
    }
}

static void count_events(OmEvents *s)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    for (uint32_t i = 0; i < o->c->full.attrs.n; i++) {
        const OmAttr *a = o->c->full.attrs.at[i];
        if (a->kind == OM_COMPONENT)
            count_inputs(s, a);
        if (a->kind != OM_EVENT || a->role == OM_EVENT_INPUT)
            continue;
        AstExpr *happens = caused(o, NULL, a->name);
        if (a->scheduled)
            happens = either(t, happens, tree_ref(t, a->span, omola_due_times(s, a)));
        vec_push(s->eqs, count_equation(o, tree_ref(t, a->span, a->name), happens));
    }
}

static void check_causes(Omola *o)
{
    const OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->causes.n; k++) {
            const AstExpr *e = full->whens.at[i]->causes.at[k];
            OmAttr *a = e->kind == AST_REF ? omola_attr_of(o, o->c, e->ref, NULL) : NULL;
            if (!a || a->kind != OM_EVENT)
                reader_error(&o->r, e->span, DIAG_S041,
                             "CAUSE takes events, but this is not an event");
        }
}

/* ---- Stop ---- */

/* The event Stop of the model ends the run, unless Stop_ends is set to false. */
static void end_at_stop(OmEvents *s)
{
    Omola *o = s->o;
    Tree *t = &o->r.tree;
    const OmAttr *a = omola_attr(&o->c->full, intern(o, "Stop"));
    if (!a || a->kind != OM_EVENT)
        return;
    AstElement *ends = tree_component(t, a->span, "Boolean", intern(o, "Stop_ends"));
    ends->variability = AST_PARAMETER;
    tree_bind(t, ends, tree_bool(t, a->span, true));
    vec_push(s->elements, ends);
    AstExpr *now =
        tree_binary(t, AST_OP_AND, tree_call1(t, a->span, "change", tree_ref(t, a->span, a->name)),
                    tree_ref(t, a->span, ends->name));
    static const char reason[] = "the event Stop happened";
    AstExpr *text = tree_string(t, a->span, reason, sizeof reason - 1);
    EqList body = {0};
    vec_push(&body, tree_call_equation(t, a->span, tree_call1(t, a->span, "terminate", text)));
    vec_push(s->eqs, tree_when(t, a->span, now, &body));
}

void omola_events(Omola *o, EqList *eqs, ElementList *elements)
{
    Settings s = {.events = {.o = o, .eqs = eqs, .elements = elements}};
    OmBody *full = &o->c->full;
    check_causes(o);
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->actions.n; k++)
            add_action(&s, full->whens.at[i], &full->whens.at[i]->actions.at[k]);
    for (uint32_t i = 0; i < full->whens.n; i++)
        write_condition(&s, full->whens.at[i]);
    count_events(&s.events);
    for (uint32_t i = 0; i < s.all.n; i++)
        if (!s.all.at[i].written)
            write_group(&s, i);
    end_at_stop(&s.events);
    for (uint32_t i = 0; i < s.all.n; i++)
        vec_free(&s.all.at[i].entries);
    vec_free(&s.all);
}
