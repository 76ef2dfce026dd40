/* Reading Dymola models. Statements have no separators: a statement ends if the next word cannot
 * continue it. */
#include "notation/dymola/internal.h"

/* ---- look-up ---- */

static DymModel *dymola_model(const Dymola *d, Name name)
{
    for (uint32_t i = 0; i < d->models.n; i++)
        if (d->models.at[i]->name == name)
            return d->models.at[i];
    return NULL;
}

DymVar *dymola_var(DymModel *m, Name name)
{
    for (; m; m = m->base)
        for (uint32_t i = 0; i < m->vars.n; i++)
            if (m->vars.at[i]->name == name)
                return m->vars.at[i];
    return NULL;
}

DymCut *dymola_cut(DymModel *m, Name name)
{
    for (; m; m = m->base)
        for (uint32_t i = 0; i < m->cuts.n; i++)
            if (m->cuts.at[i]->name == name)
                return m->cuts.at[i];
    return NULL;
}

DymSub *dymola_sub(DymModel *m, Name name)
{
    for (; m; m = m->base)
        for (uint32_t i = 0; i < m->subs.n; i++)
            if (m->subs.at[i]->name == name)
                return m->subs.at[i];
    return NULL;
}

DymVar *dymola_var_of(DymModel *m, const AstExpr *e)
{
    if (e->kind != AST_REF)
        return NULL;
    const AstRef *ref = e->ref;
    for (uint32_t i = 0; i + 1 < ref->n; i++) {
        DymSub *sub = m ? dymola_sub(m, ref->parts[i].name) : NULL;
        m = sub ? sub->model : NULL;
    }
    return m ? dymola_var(m, ref->parts[ref->n - 1].name) : NULL;
}

/* ---- declarations ---- */

static DymVar *declare(Dymola *d, DymModel *m, Name name, DymRole role, Span span)
{
    for (uint32_t i = 0; i < m->vars.n; i++)
        if (m->vars.at[i]->name == name)
            return m->vars.at[i];
    DymVar *v = ARENA_NEW(d->r.tree.arena, DymVar);
    v->name = name;
    v->span = span;
    v->role = role;
    v->type = dymola_new_type(d);
    vec_push(&m->vars, v);
    return v;
}

/* Whether a list of names continues: after "," or, in a list by blanks, with a name on the same
 * line. */
static bool list_goes_on(Reader *r)
{
    return accept_word(r, ",");
}

/* name [ "=" expression ] { "," name [ "=" expression ] } */
static bool read_variables(Dymola *d, DymModel *m, DymRole role)
{
    Reader *r = &d->r;
    uint32_t start = word(r)->at;
    reader_next(r);
    do {
        Span span = word_span(r);
        Name name = expect_plain_name(r, "the name of a variable");
        if (!name)
            return false;
        DymVar *v = declare(d, m, name, role, span);
        if (v->value && at_word(r, "="))
            reader_error(r, span, DIAG_S043, "'%s' already has a value", name);
        v->role = role == DYM_LOCAL ? v->role : role;
        if (accept_word(r, "=") && !(v->value = read_expression(r)))
            return false;
        v->remark = take_remarks(r, start, reader_since(r, start).end);
        start = word(r)->at;
    } while (list_goes_on(r));
    return true;
}

/* { [ "-" ] name [ "," ] } up to the closing word, which stays */
static bool read_cut_items(Dymola *d, DymModel *m, DymCut *cut, bool through)
{
    Reader *r = &d->r;
    while (!at_word(r, ")") && !at_word(r, "/")) {
        DymItem item = {.minus = accept_word(r, "-"), .span = word_span(r)};
        item.name = expect_plain_name(r, through ? "a through variable" : "an across variable");
        if (!item.name)
            return false;
        declare(d, m, item.name, DYM_TERMINAL, item.span);
        if (through)
            vec_push(&cut->through, item);
        else
            vec_push(&cut->across, item);
        accept_word(r, ",");
    }
    return true;
}

/* "[" name { "," name } "]" */
static bool read_cut_parts(Dymola *d, DymCut *cut)
{
    Reader *r = &d->r;
    cut->hierarchical = true;
    reader_next(r);
    do {
        DymItem item = {.span = word_span(r)};
        item.name = expect_plain_name(r, "the name of a cut");
        if (!item.name)
            return false;
        vec_push(&cut->parts, item);
    } while (accept_word(r, ","));
    return expect_word_of(r, "]", "after the names of the cuts");
}

static bool read_cut(Dymola *d, DymModel *m, bool main)
{
    Reader *r = &d->r;
    DymCut *cut = ARENA_NEW(r->tree.arena, DymCut);
    cut->span = word_span(r);
    cut->main = main;
    cut->name = expect_plain_name(r, "the name of a cut");
    if (!cut->name)
        return false;
    if (dymola_cut(m, cut->name))
        reader_error(r, cut->span, DIAG_S043, "cut '%s' is already declared", cut->name);
    vec_push(&m->cuts, cut);
    if (at_word(r, "["))
        return read_cut_parts(d, cut);
    return expect_word_of(r, "(", "and the variables of the cut") &&
           read_cut_items(d, m, cut, false) &&
           (!accept_word(r, "/") || read_cut_items(d, m, cut, true)) &&
           expect_word_of(r, ")", "after the variables of the cut");
}

/* name "<" cut "-" cut ">" */
static bool read_path(Dymola *d, DymModel *m, bool main)
{
    Reader *r = &d->r;
    DymPath path = {.span = word_span(r), .main = main};
    path.name = expect_plain_name(r, "the name of a path");
    bool ok = path.name && expect_word_of(r, "<", "and the two cuts of the path") &&
              (path.from = expect_plain_name(r, "the name of a cut")) &&
              expect_word_of(r, "-", "between the cuts of a path") &&
              (path.to = expect_plain_name(r, "the name of a cut")) &&
              expect_word_of(r, ">", "after the cuts of the path");
    if (ok)
        vec_push(&m->paths, path);
    return ok;
}

static bool read_node(Dymola *d, DymModel *m, bool main)
{
    DymNode node = {.span = word_span(&d->r)};
    (void)main;
    node.name = expect_plain_name(&d->r, "the name of a node");
    if (node.name)
        vec_push(&m->nodes, node);
    return node.name != NULL;
}

static bool read_list(Dymola *d, DymModel *m, bool main, bool item(Dymola *, DymModel *, bool))
{
    reader_next(&d->r);
    do
        if (!item(d, m, main))
            return false;
    while (list_goes_on(&d->r));
    return true;
}

static bool read_main(Dymola *d, DymModel *m)
{
    Reader *r = &d->r;
    reader_next(r);
    if (at_word(r, "cut"))
        return read_list(d, m, true, read_cut);
    if (at_word(r, "path"))
        return read_list(d, m, true, read_path);
    reader_unexpected(r, "'cut' or 'path' after 'main'");
    return false;
}

/* ---- submodels ---- */

/* "(" name "=" expression { "," … } ")" */
static bool read_arguments(Dymola *d, DymSub *sub)
{
    Reader *r = &d->r;
    reader_next(r);
    do {
        AstNamedArg arg = {.span = word_span(r)};
        arg.name = expect_plain_name(r, "the name of a parameter");
        if (!arg.name || !expect_word_of(r, "=", "and the value of the parameter") ||
            !(arg.value = read_expression(r)))
            return false;
        arg.span = reader_since(r, arg.span.at);
        vec_push(&sub->args, arg);
    } while (accept_word(r, ","));
    return expect_word_of(r, ")", "after the parameters");
}

static bool read_submodel(Dymola *d, DymModel *m, Name class_name)
{
    Reader *r = &d->r;
    uint32_t start = word(r)->at;
    DymSub *sub = ARENA_NEW(r->tree.arena, DymSub);
    sub->span = word_span(r);
    sub->name = expect_plain_name(r, "the name of a submodel");
    sub->class_name = class_name ? class_name : sub->name;
    if (!sub->name)
        return false;
    if (dymola_sub(m, sub->name))
        reader_error(r, sub->span, DIAG_S043, "submodel '%s' is already declared", sub->name);
    vec_push(&m->subs, sub);
    bool ok = !at_word(r, "(") || word(r)->newline || read_arguments(d, sub);
    sub->remark = take_remarks(r, start, reader_since(r, start).end);
    return ok;
}

/* "submodel" [ "(" class ")" ] name [ arguments ] { "," … } */
static bool read_submodels(Dymola *d, DymModel *m)
{
    Reader *r = &d->r;
    Name class_name = NULL;
    reader_next(r);
    if (accept_word(r, "(")) {
        class_name = expect_plain_name(r, "the name of a model class");
        if (!class_name || !expect_word_of(r, ")", "after the name of the model class"))
            return false;
    }
    do
        if (!read_submodel(d, m, class_name))
            return false;
    while (list_goes_on(r));
    return true;
}

/* ---- equations ---- */

static bool read_equation(Dymola *d, DymModel *m, uint32_t when)
{
    Reader *r = &d->r;
    DymEquation eq = {.when = when};
    uint32_t at = word(r)->at;
    eq.lhs = read_expression(r);
    if (!eq.lhs || !expect_word_of(r, "=", "of an equation") || !(eq.rhs = read_expression(r)))
        return false;
    eq.span = reader_since(r, at);
    eq.remark = take_remarks(r, at, eq.span.end);
    accept_word(r, ";");
    vec_push(&m->equations, eq);
    return true;
}

static bool ends_when(Reader *r)
{
    return at_word(r, "endwhen") || at_word(r, "end") || word(r)->kind == WORD_END;
}

static void skip_statement(Reader *r);

/* "when" condition "then" { equation } ( "endwhen" | "end when" ) */
static bool read_when(Dymola *d, DymModel *m)
{
    Reader *r = &d->r;
    DymWhen when = {.span = word_span(r)};
    reader_next(r);
    when.condition = read_expression(r);
    if (!when.condition || !expect_word_of(r, "then", "after the condition"))
        return false;
    when.span = reader_since(r, when.span.at);
    when.remark = take_remarks(r, when.span.at, when.span.end);
    vec_push(&m->whens, when);
    uint32_t number = m->whens.n;
    while (!ends_when(r))
        if (!read_equation(d, m, number))
            skip_statement(r);
    if (accept_word(r, "endwhen"))
        return true;
    if (at_word(r, "end") && word_reads(r, word_after(r, 1), "when")) {
        reader_next(r);
        reader_next(r);
        return true;
    }
    reader_error(r, word_span(r), DIAG_S010, "this 'end' comes before the 'endwhen' of a 'when'");
    diag_note(r->tree.ctx, when.span, "the 'when' begins here");
    return false;
}

/* The statement is read when all classes are known. */
static bool skip_connect(Dymola *d, DymModel *m)
{
    Reader *r = &d->r;
    vec_push(&m->connects, r->at);
    reader_next(r);
    for (bool open = true; word(r)->kind != WORD_END; reader_next(r)) {
        const Word *w = word(r);
        bool links = w->kind == WORD_SYMBOL || word_reads(r, w, "to") || word_reads(r, w, "at") ||
                     word_reads(r, w, "from") || word_reads(r, w, "reversed");
        if (!open && (!links || starts_statement(r)))
            return true;
        open = links && strcmp(w->name, ")");
    }
    return true;
}

/* ---- models ---- */

static const struct {
    const char *word;
    DymRole role;
} roles[] = {{"local", DYM_LOCAL},   {"terminal", DYM_TERMINAL},   {"input", DYM_INPUT},
             {"output", DYM_OUTPUT}, {"parameter", DYM_PARAMETER}, {"constant", DYM_PARAMETER}};

static bool is_statement_word(Reader *r)
{
    static const char *const words[] = {"main",    "cut",  "path",  "node", "submodel",
                                        "connect", "when", "model", "end"};
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++)
        if (at_word(r, words[i]))
            return true;
    for (uint32_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (at_word(r, roles[i].word))
            return true;
    return false;
}

/* After an error, continues at the next line that may start a statement. */
static void skip_statement(Reader *r)
{
    reader_next(r);
    while (word(r)->kind != WORD_END && !word(r)->newline && !at_word(r, "endwhen") &&
           !at_word(r, "end"))
        reader_next(r);
}

static bool read_statement(Dymola *d, DymModel *m)
{
    Reader *r = &d->r;
    if (accept_word(r, ";"))
        return true;
    for (uint32_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (at_word(r, roles[i].word))
            return read_variables(d, m, roles[i].role);
    if (at_word(r, "main"))
        return read_main(d, m);
    if (at_word(r, "cut"))
        return read_list(d, m, false, read_cut);
    if (at_word(r, "path"))
        return read_list(d, m, false, read_path);
    if (at_word(r, "node"))
        return read_list(d, m, false, read_node);
    if (at_word(r, "submodel"))
        return read_submodels(d, m);
    if (at_word(r, "when"))
        return read_when(d, m);
    return at_word(r, "connect") ? skip_connect(d, m) : read_equation(d, m, 0);
}

/* "model" [ "class" | "type" ] [ "(" base ")" ] name */
static DymModel *read_head(Dymola *d)
{
    Reader *r = &d->r;
    DymModel *m = ARENA_NEW(r->tree.arena, DymModel);
    uint32_t at = word(r)->at;
    if (!expect_word_of(r, "model", "at the start of a model"))
        return NULL;
    m->is_class = accept_word(r, "class") || accept_word(r, "type");
    if (accept_word(r, "(")) {
        m->base_span = word_span(r);
        m->base_name = expect_plain_name(r, "the name of the class that is inherited");
        if (!m->base_name || !expect_word_of(r, ")", "after the inherited class"))
            return NULL;
    }
    m->span = word_span(r);
    m->name = expect_plain_name(r, "the name of the model");
    if (!m->name)
        return NULL;
    DymModel *other = dymola_model(d, m->name);
    if (other) {
        reader_error(r, m->span, DIAG_S043, "model '%s' is already declared", m->name);
        diag_note(r->tree.ctx, other->span, "the first one is here");
    }
    m->remark =
        take_remarks(r, d->models.n ? vec_last(&d->models)->span.end : 0, reader_since(r, at).end);
    return m;
}

static void read_model(Dymola *d)
{
    Reader *r = &d->r;
    DymModel *m = read_head(d);
    if (!m) {
        skip_statement(r);
        while (word(r)->kind != WORD_END && !(word(r)->newline && at_word(r, "model")))
            reader_next(r);
        return;
    }
    m->base = m->base_name ? dymola_model(d, m->base_name) : NULL;
    vec_push(&d->models, m);
    while (!at_word(r, "end") && word(r)->kind != WORD_END) {
        uint32_t before = r->at;
        if (!read_statement(d, m) && (r->at == before || !is_statement_word(r)))
            skip_statement(r);
    }
    m->span = (Span){r->file, m->span.at, m->span.end};
    if (!accept_word(r, "end")) {
        reader_unexpected(r, "'end' of the model");
        diag_note(r->tree.ctx, m->span, "model '%s' begins here", m->name);
    }
    if (word(r)->kind == WORD_NAME && word(r)->name == m->name && !word(r)->newline)
        reader_next(r);
    accept_word(r, ";");
}

/* ---- the classes that names denote ---- */

static Name near_model(const Dymola *d, Name name)
{
    Name best = NULL;
    unsigned least = 3;
    for (uint32_t i = 0; i < d->models.n; i++) {
        unsigned distance = name_distance(name, d->models.at[i]->name, least);
        if (distance < least)
            best = d->models.at[i]->name, least = distance;
    }
    return best;
}

static DymModel *resolve(Dymola *d, Name name, Span span)
{
    DymModel *m = dymola_model(d, name);
    if (m)
        return m;
    Name near = near_model(d, name);
    reader_error(&d->r, span, DIAG_S040, "there is no model class '%s' in this file%s%s%s", name,
                 near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

/* A class cannot inherit itself. */
static void break_cycle(Dymola *d, DymModel *m)
{
    DymModel *slow = m;
    for (DymModel *fast = m->base; fast && fast->base; fast = fast->base->base, slow = slow->base)
        if (fast == slow || fast->base == slow) {
            reader_error(&d->r, m->base_span, DIAG_S041, "class '%s' inherits itself", m->name);
            m->base = NULL;
            return;
        }
}

static void resolve_all(Dymola *d)
{
    for (uint32_t i = 0; i < d->models.n; i++) {
        DymModel *m = d->models.at[i];
        if (m->base_name)
            m->base = resolve(d, m->base_name, m->base_span);
    }
    for (uint32_t i = 0; i < d->models.n; i++) {
        DymModel *m = d->models.at[i];
        break_cycle(d, m);
        for (uint32_t k = 0; k < m->subs.n; k++)
            m->subs.at[k]->model = resolve(d, m->subs.at[k]->class_name, m->subs.at[k]->span);
    }
}

void dymola_read(Dymola *d)
{
    while (word(&d->r)->kind != WORD_END)
        read_model(d);
    resolve_all(d);
}
