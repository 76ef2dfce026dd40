/* Dymola models as a Modelica syntax tree. A cut becomes a connector with numbered variables,
 * because cuts are joined by position. The model's own variables are set equal to them. */
#include "notation/dymola/dymola.h"

#include "notation/dymola/internal.h"

static const char *const reserved[] = {
    "and",  "or",      "not",       "if",       "then",     "else",    "elseif",
    "when", "endwhen", "end",       "model",    "submodel", "connect", "local",
    "cut",  "main",    "parameter", "terminal", "true",     "false",   NULL};
static const char *const symbols[] = {"//", "<=", ">=", "<>", "==", "**", "(", ")",
                                      "[",  "]",  ",",  ";",  ":",  ".",  "=", "+",
                                      "-",  "*",  "/",  "^",  "<",  ">",  NULL};

static const Style style = {
    .name = "Dymola",
    .lines = true,
    .comment_open = "{",
    .comment_close = "}",
    .comment_line = "!",
    .reserved = reserved,
    .symbols = symbols,
};

typedef struct Writer {
    Dymola *d;
    Tree *t;
    VEC(AstClass *) connectors, classes, models;
    DymModel *m;
    ElementList elements;
    EqList eqs;
} Writer;

static const char *type_name(DymType type)
{
    return type == DYM_BOOLEAN ? "Boolean" : type == DYM_INTEGER ? "Integer" : "Real";
}

/* ---- connectors ---- */

static DymType item_type(Writer *w, const DymItem *item)
{
    return dymola_type(w->d, dymola_var(w->m, item->name));
}

/* Cut2_1: two across variables, one through variable; letters follow if not all are Real. */
static const char *connector_name(Writer *w, const DymCut *cut)
{
    Arena *a = w->d->r.scratch;
    char *kinds = arena_alloc(a, cut->across.n + cut->through.n + 2);
    bool all_real = true;
    kinds[0] = '_';
    for (uint32_t i = 0; i < cut->across.n + cut->through.n; i++) {
        const DymItem *item =
            i < cut->across.n ? &cut->across.at[i] : &cut->through.at[i - cut->across.n];
        DymType type = item_type(w, item);
        kinds[i + 1] = type == DYM_BOOLEAN ? 'B' : type == DYM_INTEGER ? 'I' : 'R';
        all_real = all_real && type == DYM_REAL;
    }
    return arena_printf(a, "Cut%u_%u%s", cut->across.n, cut->through.n, all_real ? "" : kinds);
}

static Name item_name(Writer *w, bool through, uint32_t i)
{
    return name_of(w->t->ctx->names,
                   arena_printf(w->d->r.scratch, "%s%u", through ? "through" : "across", i + 1));
}

static void connector_items(Writer *w, const DymCut *cut, bool through, ElementList *elements)
{
    uint32_t n = through ? cut->through.n : cut->across.n;
    const DymItem *items = through ? cut->through.at : cut->across.at;
    for (uint32_t i = 0; i < n; i++) {
        AstElement *e = tree_component(w->t, items[i].span, type_name(item_type(w, &items[i])),
                                       item_name(w, through, i));
        e->flow = through ? AST_FLOW : AST_FLOW_NONE;
        vec_push(elements, e);
    }
}

static Name connector_of(Writer *w, const DymCut *cut)
{
    Name name = name_of(w->t->ctx->names, connector_name(w, cut));
    for (uint32_t i = 0; i < w->connectors.n; i++)
        if (w->connectors.at[i]->name == name)
            return name;
    AstClass *c = tree_class(w->t, cut->span, AST_CONNECTOR, name);
    ElementList elements = {0};
    connector_items(w, cut, false, &elements);
    connector_items(w, cut, true, &elements);
    tree_keep(w->t, c->elements, &elements);
    if (cut->across.n != cut->through.n)
        tree_waive_balance(w->t, c);
    vec_push(&w->connectors, c);
    return name;
}

/* cut.across1 = v, cut.through1 = -i */
static void bind_items(Writer *w, const DymCut *cut, bool through)
{
    uint32_t n = through ? cut->through.n : cut->across.n;
    const DymItem *items = through ? cut->through.at : cut->across.at;
    for (uint32_t i = 0; i < n; i++) {
        AstExpr *value = tree_ref(w->t, items[i].span, items[i].name);
        if (items[i].minus)
            value = tree_unary(w->t, items[i].span, AST_OP_SUB, value);
        AstExpr *member = tree_member(w->t, items[i].span, cut->name, item_name(w, through, i));
        vec_push(&w->eqs, tree_equation(w->t, items[i].span, member, value));
    }
}

static void write_cut(Writer *w, DymCut *cut)
{
    if (cut->hierarchical)
        return;
    vec_push(&w->elements, tree_component(w->t, cut->span, connector_of(w, cut), cut->name));
    bind_items(w, cut, false);
    bind_items(w, cut, true);
}

/* ---- variables and submodels ---- */

static void give_start(Writer *w, AstElement *e, const DymVar *v, bool fixed)
{
    Names *names = w->t->ctx->names;
    if (v->value)
        tree_modify(w->t, e, name_of(names, "start"), v->value, v->span);
    if (v->value && fixed)
        tree_modify(w->t, e, name_of(names, "fixed"), tree_bool(w->t, v->span, true), v->span);
}

static void write_variable(Writer *w, DymVar *v)
{
    AstElement *e = tree_component(w->t, v->span, type_name(dymola_type(w->d, v)), v->name);
    e->comment.text = v->remark;
    if (v->role == DYM_PARAMETER) {
        e->variability = AST_PARAMETER;
        if (v->value)
            tree_bind(w->t, e, v->value);
    } else {
        e->causality = v->role == DYM_INPUT    ? AST_INPUT
                       : v->role == DYM_OUTPUT ? AST_OUTPUT
                                               : AST_ACAUSAL;
        give_start(w, e, v, (v->state || v->discrete || v->old) && !v->next);
    }
    vec_push(&w->elements, e);
}

/* x_new, and x = pre(x_new), for each x whose new value the model sets although others see x. */
static void write_next(Writer *w, const DymEquation *eq, DymVar *v)
{
    AstElement *e = tree_component(w->t, eq->span, type_name(dymola_type(w->d, v)), v->next);
    e->visibility = AST_PROTECTED;
    give_start(w, e, v, true);
    vec_push(&w->elements, e);
    AstExpr *before = tree_call1(w->t, eq->span, "pre", tree_ref(w->t, eq->span, v->next));
    vec_push(&w->eqs, tree_equation(w->t, eq->span, tree_ref(w->t, eq->span, v->name), before));
}

/* A submodel may have the name of its class. */
static void write_submodel(Writer *w, DymSub *sub)
{
    AstElement *e = tree_component(w->t, sub->span, sub->class_name, sub->name);
    e->type.absolute = dymola_sub(w->m, sub->class_name) != NULL;
    e->comment.text = sub->remark;
    for (uint32_t i = 0; i < sub->args.n; i++)
        tree_modify(w->t, e, sub->args.at[i].name, sub->args.at[i].value, sub->args.at[i].span);
    vec_push(&w->elements, e);
}

/* ---- equations ---- */

static void write_equation(Writer *w, DymEquation *eq)
{
    if (eq->when)
        return;
    AstExpr *lhs = eq->lhs, *rhs = eq->rhs;
    if (eq->solved && eq->sets) {
        lhs = tree_ref(w->t, eq->span, eq->sets->next ? eq->sets->next : eq->sets->name);
        rhs = eq->solved;
        if (eq->sets->next)
            write_next(w, eq, eq->sets);
    } else {
        lhs = dymola_meaning(w->d, w->m, lhs);
    }
    AstEq *made = tree_equation(w->t, eq->span, lhs, dymola_meaning(w->d, w->m, rhs));
    made->comment.text = eq->remark;
    vec_push(&w->eqs, made);
}

/* Variables that whens set by new(x), though others see x. */
static void write_when_nexts(Writer *w)
{
    for (uint32_t i = 0; i < w->m->equations.n; i++) {
        DymEquation *eq = &w->m->equations.at[i];
        if (eq->when && eq->solved && eq->sets && eq->sets->next)
            write_next(w, eq, eq->sets);
    }
}

static AstExpr *end_ref(Writer *w, const DymEnd *e)
{
    return tree_member(w->t, e->span, e->sub ? e->sub->name : NULL, e->cut->name);
}

static void write_model(Writer *w, DymModel *m)
{
    w->m = m;
    AstClass *c = tree_class(w->t, m->span, AST_MODEL, m->name);
    c->comment.text = m->remark;
    if (m->is_class)
        tree_waive_balance(w->t, c);
    if (m->base)
        vec_push(&w->elements, tree_extends(w->t, m->base_span, m->base_name));
    for (uint32_t i = 0; i < m->cuts.n; i++)
        write_cut(w, m->cuts.at[i]);
    for (uint32_t i = 0; i < m->subs.n; i++)
        write_submodel(w, m->subs.at[i]);
    for (uint32_t i = 0; i < m->vars.n; i++)
        write_variable(w, m->vars.at[i]);
    for (uint32_t i = 0; i < m->equations.n; i++)
        write_equation(w, &m->equations.at[i]);
    write_when_nexts(w);
    dymola_whens(w->d, m, &w->eqs, &w->elements);
    for (uint32_t i = 0; i < m->pairs.n; i++) {
        const DymPair *p = &m->pairs.at[i];
        vec_push(&w->eqs, tree_connect(w->t, p->span, end_ref(w, &p->a), end_ref(w, &p->b)));
    }
    tree_keep(w->t, c->elements, &w->elements);
    w->elements = (ElementList){0};
    if (w->eqs.n) {
        c->equations.at = ARENA_NEW(w->t->arena, AstEqSection);
        c->equations.n = 1;
        c->equations.at->span = m->span;
        tree_keep(w->t, c->equations.at->eqs, &w->eqs);
        w->eqs = (EqList){0};
    }
    if (m->is_class)
        vec_push(&w->classes, c);
    else
        vec_push(&w->models, c);
}

/* Connectors first, then classes, then models, so that the last one is the model to run. */
static void write_file(Dymola *d, AstFile *file)
{
    Writer w = {.d = d, .t = &d->r.tree};
    for (uint32_t i = 0; i < d->models.n; i++)
        write_model(&w, d->models.at[i]);
    for (uint32_t i = 0; i < w.classes.n; i++)
        vec_push(&w.connectors, w.classes.at[i]);
    for (uint32_t i = 0; i < w.models.n; i++)
        vec_push(&w.connectors, w.models.at[i]);
    tree_keep(w.t, file->classes, &w.connectors);
    vec_free(&w.classes);
    vec_free(&w.models);
}

static void free_model(DymModel *m)
{
    for (uint32_t i = 0; i < m->cuts.n; i++) {
        vec_free(&m->cuts.at[i]->across);
        vec_free(&m->cuts.at[i]->through);
        vec_free(&m->cuts.at[i]->parts);
    }
    for (uint32_t i = 0; i < m->subs.n; i++)
        vec_free(&m->subs.at[i]->args);
    vec_free(&m->vars);
    vec_free(&m->cuts);
    vec_free(&m->paths);
    vec_free(&m->subs);
    vec_free(&m->nodes);
    vec_free(&m->equations);
    vec_free(&m->whens);
    vec_free(&m->pairs);
    vec_free(&m->connects);
}

static void dymola_free(Dymola *d)
{
    for (uint32_t i = 0; i < d->models.n; i++)
        free_model(d->models.at[i]);
    vec_free(&d->models);
    vec_free(&d->types);
    vec_free(&d->kinds);
    reader_done(&d->r);
}

AstFile *dymola_parse(Context *ctx, uint32_t source)
{
    AstFile *file = tree_file(source);
    Dymola d = {0};
    reader_init(&d.r, ctx, source, &style, file->arena);
    dymola_read(&d);
    for (uint32_t i = 0; i < d.models.n; i++)
        dymola_connect(&d, d.models.at[i]);
    dymola_types(&d);
    for (uint32_t i = 0; i < d.models.n; i++)
        dymola_discrete(&d, d.models.at[i]);
    write_file(&d, file);
    dymola_free(&d);
    return file;
}
