/* The declaration that an identifier of the text means. */
#include "service/cursor.h"

#include "syntax/tree/ast_walk.h"

#include <ctype.h>

/* ---- places of declarations ---- */

/* After white space, comments and subscripts. */
static uint32_t skip_to_name(const char *text, uint32_t i, uint32_t end)
{
    for (int depth = 0; i < end;) {
        if (!strncmp(text + i, "//", 2)) {
            i += (uint32_t)strcspn(text + i, "\n");
        } else if (!strncmp(text + i, "/*", 2)) {
            const char *close = strstr(text + i, "*/");
            i = close ? (uint32_t)(close - text) + 2 : end;
        } else if (depth || text[i] == '[' || isspace((unsigned char)text[i])) {
            depth += (text[i] == '[') - (text[i] == ']');
            i++;
        } else {
            break;
        }
    }
    return i;
}

Span declared_name_span(const Library *lib, const AstElement *e)
{
    const char *text = sources_get(lib->ctx->sources, e->span.file)->text;
    uint32_t from = e->type.span.end > e->span.at ? e->type.span.end : e->span.at;
    uint32_t at = skip_to_name(text, from, e->span.end), n = (uint32_t)strlen(e->name);
    if (at + n > e->span.end || strncmp(text + at, e->name, n)) /* a quoted name with escapes */
        return e->span;
    return (Span){e->span.file, at, at + n};
}

Span element_name_span(Library *lib, const Element *e)
{
    const AstClass *class_ = inspect_ast(lib, e);
    if (class_)
        return class_->name_span;
    return e->ast && e->ast->span.file ? declared_name_span(lib, e->ast) : (Span){0};
}

/* ---- indices of for-loops ---- */

typedef struct Iterators {
    size_t at;
    Name name;
    Span found; /* of the innermost one */
} Iterators;

static void consider_iters(Iterators *w, const AstIter *iters, uint32_t n, Span around)
{
    for (uint32_t i = 0; i < n && w->at >= around.at && w->at <= around.end; i++)
        if (iters[i].name == w->name)
            w->found =
                (Span){around.file, iters[i].span.at, iters[i].span.at + (uint32_t)strlen(w->name)};
}

static bool is_around(const Iterators *w, Span span)
{
    return w->at >= span.at && w->at <= span.end;
}

static Walk see_expression(void *user, const AstExpr *e)
{
    Iterators *w = user;
    consider_iters(w, e->iters.at, e->iters.n, e->span);
    return is_around(w, e->span) ? WALK_ON : WALK_PAST;
}

static Walk see_side(void *user, const AstExpr *e)
{
    ast_walk_expr(e, see_expression, user);
    return WALK_ON;
}

static Walk see_equation(void *user, const AstEq *eq)
{
    Iterators *w = user;
    if (eq->kind == AST_EQ_FOR)
        consider_iters(w, eq->iters.at, eq->iters.n, eq->span);
    return WALK_ON;
}

static Walk see_statement(void *user, const AstStmt *s)
{
    Iterators *w = user;
    if (s->kind == AST_ST_FOR)
        consider_iters(w, s->iters.at, s->iters.n, s->span);
    return WALK_ON;
}

static void see_mod(Iterators *w, const AstMod *mod)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++)
        see_mod(w, mod->args.at[i].mod);
    if (mod && mod->value && is_around(w, mod->value->span))
        see_side(w, mod->value);
}

static Span find_iterator(const Cursor *c, Name name)
{
    static const AstVisitor visitor = {see_equation, see_statement, see_side};
    Iterators w = {c->at, name, {0}};
    const AstClass *a = c->around;
    for (uint32_t i = 0; a && i < a->elements.n; i++)
        if (is_around(&w, a->elements.at[i]->span))
            see_mod(&w, a->elements.at[i]->mod);
    for (uint32_t i = 0; a && i < a->equations.n; i++)
        if (is_around(&w, a->equations.at[i].span))
            ast_walk_equations(a->equations.at[i].eqs.at, a->equations.at[i].eqs.n, &visitor, &w);
    for (uint32_t i = 0; a && i < a->algorithms.n; i++)
        if (is_around(&w, a->algorithms.at[i].span))
            ast_walk_statements(a->algorithms.at[i].stmts.at, a->algorithms.at[i].stmts.n, &visitor,
                                &w);
    return w.found;
}

/* ---- the identifier ---- */

static void find_identifier(const Cursor *c, size_t *start, size_t *end)
{
    size_t s = c->at, e = c->at;
    while (s > 0 && is_name_char(c->text[s - 1]))
        s--;
    while (e < c->size && is_name_char(c->text[e]))
        e++;
    *start = s;
    *end = s < e && isdigit((unsigned char)c->text[s]) ? s : e;
}

static size_t skip_on(const Cursor *c, size_t i)
{
    while (i < c->size && isspace((unsigned char)c->text[i]))
        i++;
    return i;
}

/* Before the words each, final, redeclare, replaceable and a type in a modification. */
static size_t skip_prefixes(const Cursor *c, size_t i)
{
    for (;;) {
        size_t end = cursor_skip_back(c, i), start = end;
        while (start > 0 && is_name_char(c->text[start - 1]))
            start--;
        if (start == end || !cursor_is_keyword(c, start, end))
            return end;
        i = start;
    }
}

/* name = … or name(…) as an argument: the element of the owner of the parenthesis. */
static Found argument_meaning(const Cursor *c, const Meaning *m, size_t path)
{
    size_t before = skip_prefixes(c, path), after = skip_on(c, m->end);
    if (before && is_name_char(c->text[before - 1])) { /* redeclare Type name */
        size_t type = cursor_name_start(c, before), prefix = skip_prefixes(c, type);
        before = prefix < cursor_skip_back(c, type) ? prefix : before;
    }
    char last = before ? c->text[before - 1] : 0, next = after < c->size ? c->text[after] : 0;
    bool named = next == '=' && c->text[after + 1] != '=';
    if ((last != '(' && last != ',') || (!named && next != '(' && next != '.'))
        return (Found){0};
    size_t open = cursor_open_before(c, path);
    Instance *owner = open == SIZE_MAX ? NULL : cursor_owner(c, open);
    if (!owner || (!named && class_is_function(owner->cls)))
        return (Found){0};
    Found f = {0};
    for (size_t at = path; at < m->end;) {
        size_t n = 0;
        while (at + n < m->end && is_name_char(c->text[at + n]))
            n++;
        f = n ? lookup_member(c->lib, owner, name_intern(c->lib->ctx->names, c->text + at, n))
              : (Found){0};
        at += n + 1;
        if (!f.inst || (at < m->end && !(owner = cursor_instance(c, f))))
            return (Found){0};
    }
    return f;
}

/* The first word of the statement around byte i is `word`. */
static bool begins_with(const Cursor *c, size_t i, const char *word)
{
    size_t n = strlen(word), start = i;
    while (start > 0 && c->text[start - 1] != ';')
        start--;
    for (; start < i; start += strcspn(c->text + start, "\n") + 1) { /* lines of comments */
        start = skip_on(c, start);
        if (strncmp(c->text + start, "//", 2))
            break;
    }
    return start + n < i && !strncmp(c->text + start, word, n) &&
           isspace((unsigned char)c->text[start + n]);
}

Meaning cursor_meaning(const Cursor *c)
{
    Meaning m = {0};
    find_identifier(c, &m.start, &m.end);
    if (m.start == m.end || cursor_is_keyword(c, m.start, m.end))
        return m;
    size_t path = cursor_name_start(c, m.end);
    Name name = name_intern(c->lib->ctx->names, c->text + m.start, m.end - m.start);
    Cursor top = *c;
    top.scope = (Scope){c->lib->root_inst, c->lib->root->layers.at[0]};
    Span iterator = path == m.start ? find_iterator(c, name) : (Span){0};
    m.found = argument_meaning(c, &m, path);
    if (!m.found.inst && iterator.file) {
        m.is_iterator = true;
        m.declared = iterator;
        return m;
    }
    if (!m.found.inst && (begins_with(c, path, "import") || begins_with(c, path, "within")))
        m.found = cursor_resolve(&top, path, m.end);
    if (!m.found.inst)
        m.found = cursor_resolve(c, path, m.end);
    m.element = m.found.inst ? found_element(m.found) : NULL;
    if (m.element)
        m.declared = element_name_span(c->lib, m.element);
    return m;
}

/* ---- facts about components ---- */

const char *component_type(const AstElement *e, Arena *arena)
{
    Text t = {0};
    for (uint32_t i = 0; i < e->type.n; i++)
        text_printf(&t, "%s%s", i || e->type.absolute ? "." : "", e->type.parts[i]);
    return text_keep(&t, arena);
}

const char *component_kind(const AstElement *e)
{
    return e->variability == AST_PARAMETER  ? "parameter"
           : e->variability == AST_CONSTANT ? "constant"
                                            : "component";
}

const char *component_unit(Library *lib, Instance *inst)
{
    if (!inst || !inst->cls->type)
        return NULL;
    const Modifier *m = modifier_attribute(lib, inst, "unit");
    const AstExpr *e = m && m->mod ? m->mod->value : NULL;
    return e && e->kind == AST_STRING && *e->string ? e->string : NULL;
}

static void put_scalar(Text *t, TypeId type, double x)
{
    if (type == T_BOOL)
        text_put(t, x != 0 ? "true" : "false");
    else
        text_put_real(t, x);
}

const char *component_value(Library *lib, Instance *inst)
{
    DiagMark mark = diag_mark(lib->ctx);
    Text t = {0};
    bool known = inst && inst_is_leaf(inst) && inst_dims(lib, inst) && !inst->rank &&
                 !inst->outer_rank && inst->variability >= AST_PARAMETER &&
                 inst_value(lib, inst, false) == EVAL_OK && !inst->value.uniform;
    diag_discard(lib->ctx, mark);
    if (!known)
        return NULL;
    const Value *v = &inst->value.value;
    if (inst->cls->ast && inst->cls->ast->form == AST_ENUMERATION)
        return NULL;
    if (v->type == T_STRING)
        text_put_json(&t, v->str);
    else
        put_scalar(&t, v->type, v->num);
    return text_keep(&t, lib->arena);
}
