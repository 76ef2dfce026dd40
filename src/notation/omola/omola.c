/* Omola classes as a Modelica syntax tree. */
#include "notation/omola/omola.h"

#include "notation/omola/internal.h"

static const char *const reserved[] = {"AND",    "OR",    "NOT", "IF",   "THEN",  "ELSE",
                                       "ELSEIF", "WITH",  "END", "ISA",  "ISAN",  "TYPE",
                                       "WHEN",   "CAUSE", "DO",  "TRUE", "FALSE", NULL};
static const char *const symbols[] = {"::", ":=", "..", "<=", ">=", "<>", "==", "**", "(",
                                      ")",  "[",  "]",  ",",  ";",  ":",  ".",  "=",  "+",
                                      "-",  "*",  "/",  "^",  "<",  ">",  "'",  NULL};

static const Style style = {
    .name = "Omola",
    .fold_case = true,
    .equality = true,
    .comment_line = "%",
    .reserved = reserved,
    .symbols = symbols,
};

typedef struct Writer {
    Omola *o;
    Tree *t;
    VEC(AstClass *) classes;
    ElementList elements;
    EqList eqs;
} Writer;

static Name intern(Writer *w, const char *text)
{
    return name_of(w->t->ctx->names, text);
}

/* ---- types ---- */

static void write_enumeration(Writer *w, OmClass *c, OmAttr *a)
{
    AstClass *type = tree_class(w->t, a->span, AST_TYPE, a->type_name);
    type->form = AST_ENUMERATION;
    type->literals.n = a->literals.n;
    type->literals.at = ARENA_ARRAY(w->t->arena, AstEnumLiteral, a->literals.n);
    for (uint32_t i = 0; i < a->literals.n; i++)
        type->literals.at[i] =
            (AstEnumLiteral){.name = a->literals.at[i].name, .span = a->literals.at[i].span};
    (void)c;
    vec_push(&w->classes, type);
}

/* Enumerations belong to the class that declares them; those that inherit them use the same type.
 */
static void name_enumerations(Writer *w)
{
    Omola *o = w->o;
    for (uint32_t k = 0; k < o->classes.n; k++) {
        OmClass *c = o->classes.at[k];
        for (uint32_t i = 0; i < c->full.attrs.n; i++) {
            OmAttr *a = c->full.attrs.at[i];
            if (a->type != OM_ENUM)
                continue;
            OmClass *first = c;
            while (first->base && omola_attr(&first->base->full, a->name) &&
                   !omola_attr(&first->body, a->name))
                first = first->base;
            a->type_name = intern(w, arena_printf(o->r.scratch, "%s_%s", first->name, a->name));
            if (first == c)
                write_enumeration(w, c, a);
        }
    }
}

static const char *type_name(const OmAttr *a)
{
    switch (a->type) {
    case OM_INTEGER: return "Integer";
    case OM_BOOLEAN: return "Boolean";
    case OM_STRING: return "String";
    case OM_ENUM: return a->type_name;
    default: return "Real";
    }
}

static void give_dims(Writer *w, AstElement *e, const OmAttr *a)
{
    uint32_t n = a->dims[1] ? 2 : a->dims[0] ? 1 : 0;
    e->dims.at = ARENA_ARRAY(w->t->arena, AstExpr *, n + 1);
    e->dims.n = n;
    for (uint32_t i = 0; i < n; i++)
        e->dims.at[i] = omola_value(w->o, a->dims[i], OM_SCALAR, NULL);
}

/* ---- values ---- */

static bool reads_variable(void *user, const AstExpr *e)
{
    Omola *o = user;
    OmAttr *a = e->kind == AST_REF ? omola_attr_of(o, o->c, e->ref, NULL) : NULL;
    return e->kind == AST_REF && !(a && omola_is_parameter(a));
}

static bool is_given(Writer *w, const OmEquation *eq)
{
    Name name = tree_plain_name(eq->lhs);
    OmAttr *a = name ? omola_attr(&w->o->c->full, name) : NULL;
    return a && omola_gives_value(eq, a);
}

static AstExpr *value_like(Writer *w, const OmAttr *a, AstExpr *value)
{
    return omola_value(w->o, value, a->shape, tree_ref(w->t, a->span, a->name));
}

/* ---- attributes ---- */

static void set_start(Writer *w, AstElement *e, const OmAttr *a, AstExpr *value)
{
    bool array = a->shape != OM_SCALAR;
    if (value)
        tree_modify(w->t, e, intern(w, "start"), value_like(w, a, value), a->span);
    tree_modify(w->t, e, intern(w, "fixed"), tree_bool(w->t, a->span, true), a->span);
    if (array)
        e->mod->args.at[e->mod->args.n - 1].each = true;
}

static void write_variable(Writer *w, OmAttr *a)
{
    AstElement *e = tree_component(w->t, a->span, type_name(a), a->name);
    e->comment.text = a->remark;
    give_dims(w, e, a);
    AstExpr *value = omola_given_value(w->o->c, a);
    bool constant = value && !tree_contains(value, reads_variable, w->o);
    if (omola_is_parameter(a) || (constant && !a->state && !a->changes && !a->discrete)) {
        e->variability = AST_PARAMETER;
        if (value)
            tree_bind(w->t, e, value_like(w, a, value));
    } else if (a->state || a->changes) {
        set_start(w, e, a, value);
    } else if (value) {
        tree_bind(w->t, e, value_like(w, a, value));
    }
    vec_push(&w->elements, e);
}

static void write_event(Writer *w, OmAttr *a)
{
    AstElement *e = tree_component(w->t, a->span, "Integer", a->name);
    e->comment.text = a->remark;
    e->causality = a->role == OM_EVENT_INPUT    ? AST_INPUT
                   : a->role == OM_EVENT_OUTPUT ? AST_OUTPUT
                                                : AST_ACAUSAL;
    tree_modify(w->t, e, intern(w, "start"), tree_integer(w->t, a->span, 0), a->span);
    tree_modify(w->t, e, intern(w, "fixed"), tree_bool(w->t, a->span, true), a->span);
    vec_push(&w->elements, e);
}

static void write_component(Writer *w, OmAttr *a)
{
    AstElement *e = tree_component(w->t, a->span, a->class_name, a->name);
    e->comment.text = a->remark;
    e->type.absolute = omola_attr(&w->o->c->full, a->class_name) != NULL;
    give_dims(w, e, a);
    omola_modify(w->o, e, a);
    OmClass *of = omola_class(w->o, a->class_name);
    OmAttr *stop = of ? omola_attr(&of->full, intern(w, "Stop")) : NULL;
    if (stop && stop->kind == OM_EVENT) /* a part does not end the run */
        tree_modify(w->t, e, intern(w, "Stop_ends"), tree_bool(w->t, a->span, false), a->span);
    if (stop && stop->kind == OM_EVENT && a->dims[0])
        e->mod->args.at[e->mod->args.n - 1].each = true;
    vec_push(&w->elements, e);
}

/* ---- terminals ---- */

static AstElement *terminal_member(Writer *w, const OmAttr *a, Name name)
{
    AstElement *e = tree_component(w->t, a->span, "Real", name);
    e->flow = a->terminal == OM_ZERO_SUM ? AST_FLOW : AST_FLOW_NONE;
    return e;
}

/* The connector of a simple or zero-sum terminal, which is written once. */
static Name single_connector(Writer *w, const OmAttr *a)
{
    Name name = intern(w, a->terminal == OM_ZERO_SUM ? "ZeroSumTerminal" : "SimpleTerminal");
    for (uint32_t i = 0; i < w->classes.n; i++)
        if (w->classes.at[i]->name == name)
            return name;
    AstClass *c = tree_class(w->t, a->span, AST_CONNECTOR, name);
    ElementList members = {0};
    vec_push(&members, terminal_member(w, a, intern(w, "value")));
    tree_keep(w->t, c->elements, &members);
    tree_waive_balance(w->t, c);
    vec_push(&w->classes, c);
    return name;
}

static AstClass *record_connector(Writer *w, Span span, Name name, const OmBody *body)
{
    AstClass *c = tree_class(w->t, span, AST_CONNECTOR, name);
    ElementList members = {0};
    for (uint32_t i = 0; i < body->attrs.n; i++)
        vec_push(&members, terminal_member(w, body->attrs.at[i], body->attrs.at[i]->name));
    tree_keep(w->t, c->elements, &members);
    tree_waive_balance(w->t, c);
    return c;
}

static void write_terminal(Writer *w, OmAttr *a)
{
    Name type = a->class_name;
    if (a->terminal != OM_RECORD) {
        type = single_connector(w, a);
    } else if (a->body && a->body->attrs.n) {
        type = intern(w, arena_printf(w->o->r.scratch, "%s_%s", w->o->c->name, a->name));
        vec_push(&w->classes, record_connector(w, a->span, type, a->body));
    }
    AstElement *e = tree_component(w->t, a->span, type, a->name);
    e->comment.text = a->remark;
    vec_push(&w->elements, e);
}

static void write_attribute(Writer *w, OmAttr *a)
{
    switch (a->kind) {
    case OM_EVENT: write_event(w, a); break;
    case OM_COMPONENT: write_component(w, a); break;
    case OM_TERMINAL: write_terminal(w, a); break;
    default: write_variable(w, a); break;
    }
}

/* ---- equations ---- */

static void write_equation(Writer *w, OmEquation *eq)
{
    if (is_given(w, eq) || omola_modified(w->o, eq))
        return;
    OmShape left = omola_shape(w->o, eq->lhs), right = omola_shape(w->o, eq->rhs);
    AstExpr *lhs = omola_modelica(w->o, eq->lhs), *rhs;
    if (left == OM_SCALAR && right != OM_SCALAR && eq->lhs->kind != AST_REF)
        lhs = omola_value(w->o, eq->lhs, right, omola_modelica(w->o, eq->rhs)),
        rhs = omola_modelica(w->o, eq->rhs);
    else
        rhs = omola_value(w->o, eq->rhs, left, lhs);
    AstEq *made = tree_equation(w->t, eq->span, lhs, rhs);
    made->comment.text = eq->remark;
    if (eq->over) {
        EqList body = {0};
        vec_push(&body, made);
        AstExpr *all = omola_value(w->o, eq->over->dims[0], OM_SCALAR, NULL);
        made = tree_for(w->t, eq->span, omola_element(w->o), all, &body);
    }
    vec_push(&w->eqs, made);
}

static AstClass *write_model(Writer *w, OmClass *c)
{
    OmBody *full = &c->full;
    w->o->c = c;
    AstClass *model = tree_class(w->t, c->span, AST_MODEL, c->name);
    model->comment.text = c->remark;
    tree_waive_balance(w->t, model);
    for (uint32_t i = 0; i < full->attrs.n; i++)
        write_attribute(w, full->attrs.at[i]);
    for (uint32_t i = 0; i < full->equations.n; i++)
        write_equation(w, &full->equations.at[i]);
    omola_events(w->o, &w->eqs, &w->elements);
    for (uint32_t i = 0; i < full->pairs.n; i++)
        vec_push(&w->eqs, tree_connect(w->t, full->pairs.at[i].span, full->pairs.at[i].a,
                                       full->pairs.at[i].b));
    tree_keep(w->t, model->elements, &w->elements);
    w->elements = (ElementList){0};
    if (w->eqs.n) {
        model->equations.at = ARENA_NEW(w->t->arena, AstEqSection);
        model->equations.n = 1;
        model->equations.at->span = c->span;
        tree_keep(w->t, model->equations.at->eqs, &w->eqs);
        w->eqs = (EqList){0};
    }
    return model;
}

static void write_file(Omola *o, AstFile *file)
{
    Writer w = {.o = o, .t = &o->r.tree};
    for (uint32_t i = 0; i < o->classes.n; i++) {
        o->c = o->classes.at[i];
        omola_mark_states(o);
    }
    omola_new_values(o);
    omola_messages(o);
    name_enumerations(&w);
    for (uint32_t i = 0; i < o->classes.n; i++) {
        o->c = o->classes.at[i];
        o->n_events = 0;
        omola_mark(o);
    }
    /* classes of the text come last: the last one is the model to run */
    for (int own = 1; own >= 0; own--)
        for (uint32_t i = 0; i < o->classes.n; i++) {
            OmClass *c = o->classes.at[i];
            if (c->made == own)
                vec_push(&w.classes, c->is_terminal
                                         ? record_connector(&w, c->span, c->name, &c->full)
                                         : write_model(&w, c));
        }
    tree_keep(w.t, file->classes, &w.classes);
}

/* ---- the end ---- */

static void omola_free(Omola *o)
{
    vec_free(&o->classes);
    reader_done(&o->r);
}

AstFile *omola_parse(Context *ctx, uint32_t source)
{
    AstFile *file = tree_file(source);
    Omola o = {0};
    reader_init(&o.r, ctx, source, &style, file->arena);
    omola_read(&o);
    omola_compose(&o);
    write_file(&o, file);
    omola_free(&o);
    return file;
}
