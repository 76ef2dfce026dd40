/* Inheritance: each class with everything it inherits. An attribute of the same name overrides the
 * inherited one. An equation written with := overrides an inherited one for the same name. */
#include "notation/omola/internal.h"

OmAttr *omola_attr(const OmBody *body, Name name)
{
    for (uint32_t i = 0; i < body->attrs.n; i++)
        if (body->attrs.at[i]->name == name)
            return body->attrs.at[i];
    return NULL;
}

OmAttr *omola_attr_of(Omola *o, OmClass *c, const AstRef *ref, OmClass **owner)
{
    OmAttr *a = NULL;
    for (uint32_t i = 0; i < ref->n; i++) {
        if (i)
            c = a && a->kind == OM_COMPONENT ? omola_class(o, a->class_name) : NULL;
        a = c ? omola_attr(&c->full, ref->parts[i].name) : NULL;
        if (!a)
            return NULL;
        if (a->kind == OM_TERMINAL && i + 2 == ref->n)
            break;
    }
    if (owner)
        *owner = c;
    return a;
}

/* ---- names in copies ---- */

typedef struct Copier {
    Omola *o;
    Name prefix;          /* component in front of the names of `inner` */
    const OmClass *inner; /* NULL: names stay */
} Copier;

static AstRef *copy_ref(Copier *k, const AstRef *ref);

static AstExpr *copy(Copier *k, const AstExpr *e)
{
    Tree *t = &k->o->r.tree;
    if (!e)
        return NULL;
    AstExpr *c = ARENA_NEW(t->arena, AstExpr);
    *c = *e;
    c->args.at = ARENA_ARRAY(t->arena, AstExpr *, e->args.n + 1);
    for (uint32_t i = 0; i < e->args.n; i++)
        c->args.at[i] = copy(k, e->args.at[i]);
    if (e->kind == AST_REF || e->kind == AST_CALL)
        c->ref = e->kind == AST_REF && !tree_is_call(e, "'") ? copy_ref(k, e->ref) : e->ref;
    return c;
}

static AstRef *copy_ref(Copier *k, const AstRef *ref)
{
    Arena *a = k->o->r.tree.arena;
    AstRef *c = ARENA_NEW(a, AstRef);
    bool inside = k->inner && omola_attr(&k->inner->full, ref->parts[0].name);
    c->span = ref->span;
    c->n = ref->n + inside;
    c->parts = ARENA_ARRAY(a, AstRefPart, c->n);
    if (inside)
        c->parts[0] = (AstRefPart){.name = k->prefix, .span = ref->span};
    for (uint32_t i = 0; i < ref->n; i++) {
        AstRefPart *part = &c->parts[i + inside];
        *part = ref->parts[i];
        part->subs.at = ARENA_ARRAY(a, AstExpr *, part->subs.n + 1);
        for (uint32_t s = 0; s < part->subs.n; s++)
            part->subs.at[s] = copy(k, ref->parts[i].subs.at[s]);
    }
    return c;
}

static OmEquation copy_equation(Copier *k, const OmEquation *eq)
{
    OmEquation c = *eq;
    c.lhs = copy(k, eq->lhs);
    c.rhs = copy(k, eq->rhs);
    return c;
}

static void copy_exprs(Copier *k, ExprList *to, const ExprList *from)
{
    *to = (ExprList){0};
    for (uint32_t i = 0; i < from->n; i++)
        om_push(k->o, to, copy(k, from->at[i]));
}

static OmWhen *copy_when(Copier *k, const OmWhen *w)
{
    OmWhen *c = ARENA_NEW(k->o->r.tree.arena, OmWhen);
    *c = *w;
    c->condition = copy(k, w->condition);
    copy_exprs(k, &c->causes, &w->causes);
    copy_exprs(k, &c->calls, &w->calls);
    c->actions.at = NULL;
    c->actions.n = c->actions.cap = 0;
    for (uint32_t i = 0; i < w->actions.n; i++)
        om_push(k->o, &c->actions, copy_equation(k, &w->actions.at[i]));
    return c;
}

static OmAttr *copy_attr(Copier *k, const OmAttr *a)
{
    OmAttr *c = ARENA_NEW(k->o->r.tree.arena, OmAttr);
    *c = *a;
    c->value = copy(k, a->value);
    c->dims[0] = copy(k, a->dims[0]);
    c->dims[1] = copy(k, a->dims[1]);
    return c;
}

/* ---- merging ---- */

static void put_attr(Omola *o, OmBody *to, OmAttr *a)
{
    for (uint32_t i = 0; i < to->attrs.n; i++)
        if (to->attrs.at[i]->name == a->name) {
            to->attrs.at[i] = a;
            return;
        }
    om_push(o, &to->attrs, a);
}

static void put_equation(Omola *o, OmBody *to, OmEquation eq)
{
    Name name = tree_plain_name(eq.lhs);
    for (uint32_t i = 0; name && eq.causal && i < to->equations.n; i++)
        if (tree_plain_name(to->equations.at[i].lhs) == name) {
            to->equations.at[i] = eq;
            return;
        }
    om_push(o, &to->equations, eq);
}

static void merge(Omola *o, OmBody *to, const OmBody *from)
{
    Copier k = {.o = o};
    for (uint32_t i = 0; i < from->attrs.n; i++)
        put_attr(o, to, copy_attr(&k, from->attrs.at[i]));
    for (uint32_t i = 0; i < from->equations.n; i++)
        put_equation(o, to, copy_equation(&k, &from->equations.at[i]));
    for (uint32_t i = 0; i < from->whens.n; i++)
        om_push(o, &to->whens, copy_when(&k, from->whens.at[i]));
    for (uint32_t i = 0; i < from->pairs.n; i++)
        om_push(o, &to->pairs, from->pairs.at[i]);
}

/* ---- modifications after WITH ---- */

/* Condition, actions and calls of an event become a when. */
static void event_of_body(Omola *o, OmClass *c, OmAttr *a)
{
    OmWhen *w = ARENA_NEW(o->r.tree.arena, OmWhen);
    w->span = a->span;
    w->condition = a->body->condition;
    w->event = a->name;
    if (w->condition)
        om_push(o, &w->causes, tree_ref(&o->r.tree, a->span, a->name));
    for (uint32_t i = 0; i < a->body->equations.n; i++)
        om_push(o, &w->actions, a->body->equations.at[i]);
    w->calls = a->body->calls;
    if (!w->condition && !w->actions.n && !w->calls.n)
        return;
    om_push(o, &c->body.whens, w); /* clauses are in the order of the text */
    OmWhen **at = c->body.whens.at;
    for (uint32_t i = c->body.whens.n - 1; i > 0 && at[i - 1]->span.at > w->span.at; i--)
        at[i] = at[i - 1], at[i - 1] = w;
}

static void value_of_body(OmAttr *a)
{
    for (uint32_t i = 0; i < a->body->equations.n; i++) {
        Name name = tree_plain_name(a->body->equations.at[i].lhs);
        if (name && (!strcmp(name, "default") || !strcmp(name, "value")))
            a->value = a->body->equations.at[i].rhs;
    }
    if (a->body->attrs.n)
        a->type = a->body->attrs.at[0]->type;
}

/* A class of its own for a component that declares more than values. */
static void own_class(Omola *o, OmClass *c, OmAttr *a)
{
    OmClass *own = ARENA_NEW(o->r.tree.arena, OmClass);
    Names *names = o->r.tree.ctx->names;
    own->name = name_of(names, arena_printf(o->r.scratch, "%s_%s", c->name, a->name));
    own->base_name = a->class_name;
    own->span = a->span;
    own->base_span = a->class_span;
    own->body = *a->body;
    own->body.equations.n = 0;
    own->made = true;
    vec_push(&o->classes, own);
    a->class_name = own->name;
}

static bool compose(Omola *o, OmClass *c);

/* Equations after the WITH of a component belong to the class around it; names of the component are
 * looked up first. */
static void lift_equations(Omola *o, OmClass *c, OmAttr *a, const OmBody *body)
{
    OmClass *inner = omola_class(o, a->class_name);
    if (!inner || !compose(o, inner))
        return;
    Copier k = {o, a->name, inner};
    for (uint32_t i = 0; i < body->equations.n; i++)
        om_push(o, &c->full.equations, copy_equation(&k, &body->equations.at[i]));
}

static void open_bodies(Omola *o, OmClass *c)
{
    for (uint32_t i = 0; i < c->body.attrs.n; i++) {
        OmAttr *a = c->body.attrs.at[i];
        if (!a->body)
            continue;
        if (a->kind == OM_EVENT)
            event_of_body(o, c, a);
        else if (a->kind == OM_PARAMETER || a->kind == OM_VARIABLE)
            value_of_body(a);
        else if (a->kind == OM_COMPONENT &&
                 (a->body->attrs.n || a->body->whens.n || a->body->pairs.n))
            own_class(o, c, a);
    }
}

/* ---- classes ---- */

static bool is_root(Reader *r, const OmClass *c)
{
    static const char *const roots[] = {"Model", "Class", "Terminal"};
    for (uint32_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (!strcmp(c->base_name, roots[i]))
            return true;
    (void)r;
    return false;
}

static bool terminal_base(OmClass *c)
{
    static const char *const names[] = {"SimpleTerminal", "ZeroSumTerminal", "RecordTerminal"};
    for (uint32_t i = 0; i < 3; i++)
        if (!strcmp(c->base_name, names[i])) {
            c->is_terminal = true;
            c->terminal = (OmTerminal)i;
            return true;
        }
    return false;
}

static Name near_class(const Omola *o, Name name)
{
    Name best = NULL;
    unsigned least = 3;
    for (uint32_t i = 0; i < o->classes.n; i++) {
        unsigned distance = name_distance(name, o->classes.at[i]->name, least);
        if (distance < least)
            best = o->classes.at[i]->name, least = distance;
    }
    return best;
}

static void report_unknown(Omola *o, Name name, Span span)
{
    Name near = near_class(o, name);
    reader_error(&o->r, span, DIAG_S040, "there is no class '%s' in this file%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static void find_base(Omola *o, OmClass *c)
{
    if (is_root(&o->r, c) || terminal_base(c))
        return;
    c->base = omola_class(o, c->base_name);
    if (!c->base)
        report_unknown(o, c->base_name, c->base_span);
}

/* A component whose class is a terminal is a terminal. */
static void settle_components(Omola *o, OmClass *c)
{
    for (uint32_t i = 0; i < c->body.attrs.n; i++) {
        OmAttr *a = c->body.attrs.at[i];
        OmClass *of = a->kind == OM_COMPONENT ? omola_class(o, a->class_name) : NULL;
        if (a->kind == OM_COMPONENT && !of)
            report_unknown(o, a->class_name, a->class_span);
        if (of && compose(o, of) && of->is_terminal) {
            a->kind = OM_TERMINAL;
            a->terminal = of->terminal;
        }
    }
}

static bool compose(Omola *o, OmClass *c)
{
    if (c->composed)
        return true;
    if (c->busy) {
        reader_error(&o->r, c->base_span, DIAG_S041, "class '%s' contains or inherits itself",
                     c->name);
        return false;
    }
    c->busy = true;
    find_base(o, c);
    if (c->base && compose(o, c->base)) {
        merge(o, &c->full, &c->base->full);
        c->is_terminal = c->base->is_terminal;
        c->terminal = c->base->terminal;
    }
    open_bodies(o, c);
    settle_components(o, c);
    merge(o, &c->full, &c->body);
    for (uint32_t i = 0; i < c->body.attrs.n; i++)
        if (c->body.attrs.at[i]->kind == OM_COMPONENT && c->body.attrs.at[i]->body)
            lift_equations(o, c, c->body.attrs.at[i], c->body.attrs.at[i]->body);
    c->busy = false;
    c->composed = true;
    return true;
}

void omola_compose(Omola *o)
{
    for (uint32_t i = 0; i < o->classes.n; i++)
        compose(o, o->classes.at[i]);
}

AstExpr *omola_copy(Omola *o, const AstExpr *e)
{
    Copier k = {.o = o};
    return copy(&k, e);
}

/* Whether c was made of `from`. If a component of c has this class, the class contains itself.
 * After an error, the base class may be missing. */
static bool is_made_of(const OmClass *c, const OmClass *from)
{
    while (c && c->made && c != from)
        c = c->base;
    return c == from;
}

OmClass *omola_special_class(Omola *o, OmClass *c, OmAttr *a)
{
    OmClass *from = omola_class(o, a->class_name), *own;
    if (!from || a->special || is_made_of(c, from))
        return from;
    own = ARENA_NEW(o->r.tree.arena, OmClass);
    *own = *from;
    const char *name = arena_printf(o->r.scratch, "%s_%s", c->name, a->name);
    while (omola_class(o, name_of(o->r.tree.ctx->names, name)))
        name = arena_printf(o->r.scratch, "%s_", name);
    own->name = a->class_name = name_of(o->r.tree.ctx->names, name);
    own->base_name = from->name;
    own->base = from;
    own->body = own->full = (OmBody){0};
    merge(o, &own->full, &from->full);
    own->made = a->special = true;
    vec_push(&o->classes, own);
    return own;
}
