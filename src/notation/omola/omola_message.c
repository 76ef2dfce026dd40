/* Messages to components.
 *
 * A class may cause and schedule events of its components and change their variables. A variable is
 * set in one place, so this becomes a message. The component gets its own class. It has an event
 * input, a variable for each value that is sent, and a WHEN that acts on the input:
 *
 *   WHEN w DO schedule(c.Go, d); NEW(c.k) := e; END
 *
 * becomes WHEN w CAUSE c.From1; c.From1_a = d; c.From1_b = e in the class, and
 * WHEN From1 DO schedule(Go, From1_a); NEW(k) := From1_b; END in that of c. An action
 * on a deeper component becomes a message of that class. The clauses of messages follow those of
 * the component. */
#include "notation/omola/internal.h"

#include <stdio.h>

typedef struct Message {
    Omola *o;
    OmClass *c;             /* the sender */
    OmAttr *part;           /* component that receives it */
    const AstRefPart *path; /* the component as the sender writes it: which element */
    OmClass *to;            /* its class */
    OmWhen *does;           /* the clause there */
    Name name;              /* of the event input */
    unsigned n_values;
} Message;

static Name intern(Omola *o, const char *text)
{
    return name_of(o->r.tree.ctx->names, text);
}

static AstExpr *part_ref(Message *m, Span span, Name member)
{
    AstExpr *e = tree_member(&m->o->r.tree, span, m->part->name, member);
    e->ref->parts[0].subs = m->path->subs;
    return e;
}

/* A value that is sent: a variable of the component, and the value that the sender gives it. */
static AstExpr *send(Message *m, AstExpr *value, OmAttr like)
{
    Omola *o = m->o;
    Tree *t = &o->r.tree;
    OmAttr *a = ARENA_NEW(t->arena, OmAttr);
    *a = like;
    a->kind = OM_VARIABLE;
    a->span = value->span;
    a->name = intern(o, arena_printf(o->r.scratch, "%s_%c", m->name, 'a' + (int)m->n_values % 26));
    while (omola_attr(&m->to->full, a->name))
        a->name = intern(o, arena_printf(o->r.scratch, "%s_", a->name));
    m->n_values++;
    om_push(o, &m->to->full.attrs, a);
    OmEquation eq = {.lhs = part_ref(m, value->span, a->name), .rhs = value, .span = value->span};
    if (m->part->dims[0]) {
        AstRefPart *first = &eq.lhs->ref->parts[0];
        first->subs.at = ARENA_NEW(t->arena, AstExpr *);
        first->subs.at[0] = tree_ref(t, value->span, omola_element(o));
        first->subs.n = 1;
        eq.over = m->part;
    }
    om_push(o, &m->c->full.equations, eq);
    return tree_ref(t, value->span, a->name);
}

static AstExpr *send_number(Message *m, AstExpr *value, OmType type)
{
    return value->kind == AST_INT ? value
                                  : send(m, value, (OmAttr){.type = type, .discrete = true});
}

static AstExpr *send_subscript(Message *m, AstExpr *e)
{
    if (e->kind != AST_RANGE)
        return send_number(m, e, OM_INTEGER);
    AstExpr *args[] = {send_number(m, e->args.at[0], OM_INTEGER),
                       send_number(m, e->args.at[1], OM_INTEGER)};
    return tree_list(&m->o->r.tree, e->span, AST_RANGE, args, 2);
}

/* The reference as the component writes it. */
static AstExpr *inside(Message *m, const AstRef *ref)
{
    Arena *arena = m->o->r.tree.arena;
    AstRef *inner = ARENA_NEW(arena, AstRef);
    *inner = *ref;
    inner->n = ref->n - 1;
    inner->parts = ARENA_ARRAY(arena, AstRefPart, inner->n);
    for (uint32_t i = 0; i < inner->n; i++) {
        const AstRefPart *from = &ref->parts[i + 1];
        inner->parts[i] = *from;
        inner->parts[i].subs.at = ARENA_ARRAY(arena, AstExpr *, from->subs.n);
        for (uint32_t k = 0; k < from->subs.n; k++)
            inner->parts[i].subs.at[k] = send_subscript(m, from->subs.at[k]);
    }
    AstExpr *e = tree_list(&m->o->r.tree, ref->span, AST_REF, NULL, 0);
    e->ref = inner;
    return e;
}

/* ---- messages that are sent ---- */

static bool is_scheduled(const OmBody *body, Name event)
{
    for (uint32_t i = 0; i < body->whens.n; i++)
        for (uint32_t k = 0; k < body->whens.at[i]->calls.n; k++) {
            const AstExpr *call = body->whens.at[i]->calls.at[k];
            if (call->args.n && tree_plain_name(call->args.at[0]) == event)
                return true;
        }
    return false;
}

static bool is_caused(const OmBody *body, Name event)
{
    for (uint32_t i = 0; i < body->whens.n; i++)
        for (uint32_t k = 0; k < body->whens.at[i]->causes.n; k++)
            if (tree_plain_name(body->whens.at[i]->causes.at[k]) == event)
                return true;
    return false;
}

static bool is_moved(const OmBody *body, Name state)
{
    for (uint32_t i = 0; i < body->whens.n; i++)
        for (uint32_t k = 0; k < body->whens.at[i]->actions.n; k++) {
            const AstRef *ref = omola_target(&body->whens.at[i]->actions.at[k]);
            if (ref && ref->n == 1 && ref->parts[0].name == state)
                return true;
        }
    return false;
}

static bool is_remote(Omola *o, OmClass *c, const AstRef *ref, OmAttr **a, OmClass **owner)
{
    *owner = NULL;
    *a = ref && ref->n > 1 ? omola_attr_of(o, c, ref, owner) : NULL;
    OmAttr *part = *a ? omola_attr(&c->full, ref->parts[0].name) : NULL;
    return part && part->kind == OM_COMPONENT && *owner;
}

/* An event input that nothing inside causes is an equation of the class around it. */
static bool is_sent_cause(Omola *o, OmClass *c, const AstExpr *event)
{
    OmAttr *a;
    OmClass *owner;
    const AstRef *ref = event->kind == AST_REF ? event->ref : NULL;
    if (!is_remote(o, c, ref, &a, &owner) || a->kind != OM_EVENT)
        return false;
    return ref->n > 2 || a->role != OM_EVENT_INPUT || is_caused(&owner->full, a->name) ||
           is_scheduled(&owner->full, a->name);
}

static bool is_sent_call(Omola *o, OmClass *c, const AstExpr *call)
{
    OmAttr *a;
    OmClass *owner;
    const AstExpr *event = call->args.n ? call->args.at[0] : NULL;
    return event && event->kind == AST_REF && is_remote(o, c, event->ref, &a, &owner) &&
           a->kind == OM_EVENT;
}

/* A state that only this class moves is reinitialized from here. */
static bool is_sent_action(Omola *o, OmClass *c, const OmEquation *eq)
{
    OmAttr *a;
    OmClass *owner;
    const AstRef *ref = omola_target(eq);
    if (!is_remote(o, c, ref, &a, &owner) || a->kind != OM_VARIABLE)
        return false;
    const OmAttr *part = omola_attr(&c->full, ref->parts[0].name);
    return !a->state || ref->n > 2 || part->dims[0] || is_moved(&owner->full, a->name);
}

/* ---- messages of a clause ---- */

static Message open_message(Omola *o, OmClass *c, const OmWhen *w, const AstRef *ref)
{
    Message m = {.o = o, .c = c, .path = &ref->parts[0]};
    Tree *t = &o->r.tree;
    m.part = omola_attr(&c->full, ref->parts[0].name);
    m.to = omola_special_class(o, c, m.part);
    unsigned i = 1;
    do
        m.name = intern(o, arena_printf(o->r.scratch, "From%u", i++));
    while (omola_attr(&m.to->full, m.name));
    OmAttr *input = ARENA_NEW(t->arena, OmAttr);
    *input = (OmAttr){.name = m.name, .span = w->span, .kind = OM_EVENT, .role = OM_EVENT_INPUT};
    om_push(o, &m.to->full.attrs, input);
    m.does = ARENA_NEW(t->arena, OmWhen);
    m.does->condition = tree_ref(t, w->span, m.name);
    m.does->span = w->span;
    om_push(o, &m.to->full.whens, m.does);
    return m;
}

/* Statements of one clause to the same component are one message. */
static Message *message_to(Omola *o, OmClass *c, OmWhen *w, const AstRef *ref, Message **list,
                           uint32_t *n, uint32_t *cap)
{
    for (uint32_t i = 0; i < *n; i++) {
        const AstRefPart *path = (*list)[i].path;
        bool same = path->name == ref->parts[0].name && path->subs.n == ref->parts[0].subs.n;
        for (uint32_t k = 0; same && k < path->subs.n; k++)
            same = ast_equal_expr(path->subs.at[k], ref->parts[0].subs.at[k]);
        if (same)
            return &(*list)[i];
    }
    if (*n == *cap)
        *list = omola_grow(o, *list, cap, sizeof **list);
    Message *m = &(*list)[(*n)++];
    *m = open_message(o, c, w, ref);
    om_push(o, &w->causes, part_ref(m, ref->span, m->name));
    return m;
}

/* The value of an event that others cause is no longer only an input. */
static void take_over(Message *m, const AstExpr *event)
{
    OmAttr *a = event->ref->n == 1 ? omola_attr(&m->to->full, event->ref->parts[0].name) : NULL;
    if (a && a->kind == OM_EVENT && a->role == OM_EVENT_INPUT)
        a->role = OM_INTERNAL;
}

static void send_call(Message *m, AstExpr *call)
{
    AstExpr *made = omola_copy(m->o, call);
    made->args.at[0] = inside(m, call->args.at[0]->ref);
    if (call->args.n > 1)
        made->args.at[1] = send(m, call->args.at[1], (OmAttr){.type = OM_REAL});
    take_over(m, made->args.at[0]);
    om_push(m->o, &m->does->calls, made);
}

static void send_cause(Message *m, const AstExpr *event)
{
    AstExpr *made = inside(m, event->ref);
    take_over(m, made);
    om_push(m->o, &m->does->causes, made);
}

/* NEW(c.x) := value. The sender solves an action that is not an assignment, with its own variables.
 */
static void send_action(Message *m, const OmEquation *eq)
{
    Omola *o = m->o;
    Tree *t = &o->r.tree;
    const AstRef *ref = omola_target(eq);
    OmAttr like = *omola_attr_of(o, m->c, ref, NULL);
    AstExpr *value = omola_solved(o, eq, ref), *target = inside(m, ref);
    if (!value)
        return;
    OmShape selected = omola_selected(&ref->parts[ref->n - 1], like.shape);
    like.value = NULL;
    like.state = like.changes = false;
    like.discrete = like.type != OM_REAL;
    if (selected != like.shape || ref->parts[ref->n - 1].subs.n)
        like.dims[0] = like.dims[1] = NULL, like.shape = OM_SCALAR;
    else if (target->ref->n > 1)
        for (uint32_t i = 0; i < 2 && like.dims[i]; i++)
            like.dims[i] = tree_size(t, ref->span, target, i + 1);
    if (selected != OM_SCALAR && ref->parts[ref->n - 1].subs.n) {
        reader_error(&o->r, ref->span, DIAG_S044,
                     "a new value of several elements of a component's variable must be given "
                     "element by element");
        return;
    }
    o->c = m->c;
    if (like.type == OM_INTEGER && omola_is_real(o, value))
        like.type = OM_REAL, like.discrete = false;
    OmEquation made = {.lhs = tree_call1(t, ref->span, "new", target),
                       .rhs = send(m, value, like),
                       .causal = true,
                       .span = eq->span,
                       .remark = eq->remark};
    om_push(o, &m->does->actions, made);
}

static void send_clause(Omola *o, OmClass *c, OmWhen *w)
{
    Message *list = NULL;
    uint32_t n = 0, cap = 0, kept = 0;
    uint32_t n_causes = w->causes.n;
    ExprList causes = w->causes;
    w->causes = (ExprList){0};
    for (uint32_t i = 0; i < n_causes; i++)
        if (is_sent_cause(o, c, causes.at[i]))
            send_cause(message_to(o, c, w, causes.at[i]->ref, &list, &n, &cap), causes.at[i]);
        else
            om_push(o, &w->causes, causes.at[i]);
    for (uint32_t i = 0; i < w->calls.n; i++)
        if (is_sent_call(o, c, w->calls.at[i]))
            send_call(message_to(o, c, w, w->calls.at[i]->args.at[0]->ref, &list, &n, &cap),
                      w->calls.at[i]);
        else
            w->calls.at[kept++] = w->calls.at[i];
    w->calls.n = kept;
    kept = 0;
    for (uint32_t i = 0; i < w->actions.n; i++)
        if (is_sent_action(o, c, &w->actions.at[i]))
            send_action(message_to(o, c, w, omola_target(&w->actions.at[i]), &list, &n, &cap),
                        &w->actions.at[i]);
        else
            w->actions.at[kept++] = w->actions.at[i];
    w->actions.n = kept;
}

void omola_messages(Omola *o)
{
    for (uint32_t i = 0; i < o->classes.n; i++) {
        OmClass *c = o->classes.at[i];
        for (uint32_t k = 0; k < c->full.whens.n; k++)
            send_clause(o, c, c->full.whens.at[k]);
    }
}
