/* The shape of a text, from its tree alone: symbols, folds, selections, lenses. */
#include "service/cursor.h"

#include "syntax/parse/token.h"
#include "syntax/tree/ast_walk.h"

/* ---- symbols ---- */

enum {
    SYMBOL_CLASS = 5,
    SYMBOL_PROPERTY = 7,
    SYMBOL_FIELD = 8,
    SYMBOL_ENUM = 10,
    SYMBOL_INTERFACE = 11,
    SYMBOL_FUNCTION = 12,
    SYMBOL_VARIABLE = 13,
    SYMBOL_CONSTANT = 14,
    SYMBOL_PACKAGE = 4,
    SYMBOL_STRUCT = 23,
    SYMBOL_OPERATOR = 25,
    SYMBOL_LITERAL = 22
};

static int class_symbol(const AstClass *c)
{
    if (c->form == AST_ENUMERATION)
        return SYMBOL_ENUM;
    switch (c->restriction) {
    case AST_PACKAGE: return SYMBOL_PACKAGE;
    case AST_FUNCTION:
    case AST_OPERATOR_FUNCTION: return SYMBOL_FUNCTION;
    case AST_CONNECTOR:
    case AST_EXPANDABLE_CONNECTOR: return SYMBOL_INTERFACE;
    case AST_RECORD:
    case AST_OPERATOR_RECORD: return SYMBOL_STRUCT;
    case AST_OPERATOR: return SYMBOL_OPERATOR;
    default: return SYMBOL_CLASS;
    }
}

static void begin_symbol(Service *s, const char *name, const char *detail, int kind, Span span,
                         Span name_span)
{
    put_comma(s->t);
    text_put(s->t, "{\"name\":");
    text_put_json(s->t, name);
    if (detail) {
        text_put(s->t, ",\"detail\":");
        text_put_json(s->t, detail);
    }
    text_printf(s->t, ",\"kind\":%d,\"range\":", kind);
    put_range(s->t, s->lib, span);
    text_put(s->t, ",\"selectionRange\":");
    put_range(s->t, s->lib, name_span);
}

static void put_component_symbol(Service *s, const AstElement *e)
{
    int kind = e->variability == AST_CONSTANT    ? SYMBOL_CONSTANT
               : e->variability == AST_PARAMETER ? SYMBOL_PROPERTY
               : e->causality != AST_ACAUSAL     ? SYMBOL_FIELD
                                                 : SYMBOL_VARIABLE;
    begin_symbol(s, e->name, component_type(e, s->lib->arena), kind, e->span,
                 declared_name_span(s->lib, e));
    text_put(s->t, "}");
}

static void put_class_symbol(Service *s, const AstClass *c)
{
    begin_symbol(s, c->name, c->comment.text, class_symbol(c), c->span, c->name_span);
    text_put(s->t, ",\"children\":[");
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const AstElement *e = c->elements.at[i];
        if (e->kind == AST_EL_COMPONENT)
            put_component_symbol(s, e);
        else if (e->kind == AST_EL_CLASS && e->class_)
            put_class_symbol(s, e->class_);
    }
    for (uint32_t i = 0; i < c->literals.n; i++) {
        const AstEnumLiteral *l = &c->literals.at[i];
        begin_symbol(s, l->name, l->comment.text, SYMBOL_LITERAL, l->span, l->span);
        text_put(s->t, "}");
    }
    text_put(s->t, "]}");
}

void ask_symbols(Service *s)
{
    text_put(s->t, "[");
    for (uint32_t i = 0; i < s->c.file->classes.n; i++)
        put_class_symbol(s, s->c.file->classes.at[i]);
    text_put(s->t, "]");
}

/* ---- spans of the tree ---- */

typedef void (*SpanFn)(void *user, Span span, const char *kind);

typedef struct Spans {
    SpanFn fn;
    void *user;
} Spans;

static void mod_spans(const Spans *w, const AstMod *mod);

static Walk span_of_expr(void *user, const AstExpr *e)
{
    const Spans *w = user;
    w->fn(w->user, e->span, NULL);
    return WALK_ON;
}

static Walk span_of_side(void *user, const AstExpr *e)
{
    ast_walk_expr(e, span_of_expr, user);
    return WALK_ON;
}

static Walk span_of_equation(void *user, const AstEq *eq)
{
    const Spans *w = user;
    w->fn(w->user, eq->span, eq->branches.n ? "" : NULL);
    mod_spans(w, eq->comment.annotation);
    return WALK_ON;
}

static Walk span_of_statement(void *user, const AstStmt *st)
{
    const Spans *w = user;
    w->fn(w->user, st->span, st->branches.n ? "" : NULL);
    mod_spans(w, st->comment.annotation);
    return WALK_ON;
}

static const AstVisitor span_visitor = {span_of_equation, span_of_statement, span_of_side};

static void mod_spans(const Spans *w, const AstMod *mod)
{
    if (!mod)
        return;
    w->fn(w->user, mod->span, NULL);
    for (uint32_t i = 0; i < mod->args.n; i++) {
        w->fn(w->user, mod->args.at[i].span, NULL);
        mod_spans(w, mod->args.at[i].mod);
    }
    if (mod->value)
        span_of_side((void *)(uintptr_t)w, mod->value);
}

static void annotation_spans(const Spans *w, const AstMod *mod)
{
    if (mod)
        w->fn(w->user, mod->span, "region");
    mod_spans(w, mod);
}

static void class_spans(const Spans *w, const AstClass *c)
{
    void *user = (void *)(uintptr_t)w;
    w->fn(w->user, c->span, "");
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const AstElement *e = c->elements.at[i];
        w->fn(w->user, e->span, e->kind == AST_EL_IMPORT ? "imports" : NULL);
        if (e->kind == AST_EL_CLASS && e->class_)
            class_spans(w, e->class_);
        mod_spans(w, e->mod);
        annotation_spans(w, e->comment.annotation);
    }
    for (uint32_t i = 0; i < c->equations.n; i++) {
        w->fn(w->user, c->equations.at[i].span, "");
        ast_walk_equations(c->equations.at[i].eqs.at, c->equations.at[i].eqs.n, &span_visitor,
                           user);
    }
    for (uint32_t i = 0; i < c->algorithms.n; i++) {
        w->fn(w->user, c->algorithms.at[i].span, "");
        ast_walk_statements(c->algorithms.at[i].stmts.at, c->algorithms.at[i].stmts.n,
                            &span_visitor, user);
    }
    annotation_spans(w, c->comment.annotation);
}

static void file_spans(const AstFile *file, SpanFn fn, void *user)
{
    Spans w = {fn, user};
    for (uint32_t i = 0; i < file->classes.n; i++)
        class_spans(&w, file->classes.at[i]);
}

/* ---- folds ---- */

static void put_fold(Service *s, uint32_t from, uint32_t to, const char *kind)
{
    if (to <= from)
        return;
    put_comma(s->t);
    text_printf(s->t, "{\"startLine\":%u,\"endLine\":%u", from, to);
    if (*kind)
        text_printf(s->t, ",\"kind\":\"%s\"", kind);
    if (!strcmp(kind, "region"))
        text_put(s->t, ",\"collapsedText\":\"annotation (…)\"");
    text_put(s->t, "}");
}

static uint32_t line_of(const Service *s, Span span, uint32_t at)
{
    return source_place(s->lib->ctx->sources, (Span){span.file, at, at}).line - 1;
}

static void fold_span(void *user, Span span, const char *kind)
{
    Service *s = user;
    if (!kind || span.end <= span.at)
        return;
    uint32_t from = line_of(s, span, span.at), to = line_of(s, span, span.end - 1);
    put_fold(s, from, to, kind);
}

/* Comments of several lines, and line comments that follow each other. */
static void fold_comments(Service *s)
{
    const char *text = s->c.text;
    uint32_t line = 0, first = UINT32_MAX;
    for (size_t i = 0; i < s->c.size; line++) {
        size_t start = i + strspn(text + i, " \t");
        bool comment = !strncmp(text + start, "//", 2);
        if (comment && first == UINT32_MAX)
            first = line;
        if (!comment && first != UINT32_MAX) {
            put_fold(s, first, line - 1, "comment");
            first = UINT32_MAX;
        }
        const char *end = memchr(text + i, '\n', s->c.size - i);
        i = end ? (size_t)(end - text) + 1 : s->c.size;
    }
}

void ask_folds(Service *s)
{
    text_put(s->t, "[");
    file_spans(s->c.file, fold_span, s);
    fold_comments(s);
    text_put(s->t, "]");
}

/* ---- selections ---- */

typedef struct Selection {
    size_t at;
    VEC(Span) around;
} Selection;

static void select_span(void *user, Span span, const char *kind)
{
    Selection *w = user;
    (void)kind;
    if (w->at >= span.at && w->at <= span.end && span.end > span.at)
        vec_push(&w->around, span);
}

static bool is_inside(Span a, Span b)
{
    return a.at >= b.at && a.end <= b.end && a.end - a.at < b.end - b.at;
}

/* The smallest span that is larger than `inner` and contains it; file 0 if there is none. */
static Span next_span(const Selection *w, Span inner)
{
    Span best = {0};
    for (uint32_t i = 0; i < w->around.n; i++) {
        Span one = w->around.at[i];
        if (is_inside(inner, one) && (!best.file || is_inside(one, best)))
            best = one;
    }
    return best;
}

void ask_selection(Service *s)
{
    Selection w = {.at = s->c.at};
    Span span = {s->c.file->source, (uint32_t)s->c.at, (uint32_t)s->c.at};
    Meaning m = cursor_meaning(&s->c);
    uint32_t depth = 0;
    file_spans(s->c.file, select_span, &w);
    vec_push(&w.around, ((Span){span.file, 0, (uint32_t)s->c.size}));
    if (m.end > m.start)
        span = (Span){span.file, (uint32_t)m.start, (uint32_t)m.end};
    for (Span at = span; at.file; at = next_span(&w, at), depth++) {
        text_put(s->t, depth ? ",\"parent\":{\"range\":" : "{\"range\":");
        put_range(s->t, s->lib, at);
    }
    while (depth--)
        text_put(s->t, "}");
    vec_free(&w.around);
}

/* ---- lenses ---- */

static const struct {
    const char *title, *command;
} lenses[] = {{"simulate", "kairos.simulate"},
              {"plot", "kairos.plot"},
              {"equations", "kairos.equations"},
              {"diagram", "kairos.diagram"},
              {"studio", "kairos.studio"}};

static void put_lenses(Service *s, const AstClass *c, const char *full)
{
    for (size_t i = 0; i < sizeof lenses / sizeof *lenses; i++) {
        put_comma(s->t);
        text_put(s->t, "{\"range\":");
        put_range(s->t, s->lib, c->name_span);
        text_printf(s->t,
                    ",\"command\":{\"title\":\"%s\",\"command\":\"%s\",\"arguments\":[{\"uri\":",
                    lenses[i].title, lenses[i].command);
        put_uri(s->t, s->q->path);
        text_put(s->t, ",\"class\":");
        text_put_json(s->t, full);
        text_put(s->t, "}]}}");
    }
}

static void class_lenses(Service *s, const AstClass *c, const char *prefix)
{
    const char *full = arena_printf(s->lib->arena, "%s%s%s", prefix, *prefix ? "." : "", c->name);
    if (ast_is_model(c))
        put_lenses(s, c, full);
    for (uint32_t i = 0; c->restriction == AST_PACKAGE && i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_CLASS && c->elements.at[i]->class_)
            class_lenses(s, c->elements.at[i]->class_, full);
}

void ask_lenses(Service *s)
{
    const AstFile *file = s->c.file;
    Text prefix = {0};
    text_put(&prefix, "");
    for (uint32_t i = 0; i < file->within.n; i++)
        text_printf(&prefix, "%s%s", i ? "." : "", file->within.parts[i]);
    text_put(s->t, "[");
    for (uint32_t i = 0; i < file->classes.n; i++)
        class_lenses(s, file->classes.at[i], prefix.at);
    text_put(s->t, "]");
    text_free(&prefix);
}
