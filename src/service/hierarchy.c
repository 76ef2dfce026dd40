/* Hierarchies: classes that extend each other, functions that call each other. */
#include "service/uses.h"

static const AstClass *class_at(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    const Instance *inst = m.element ? cursor_instance(&s->c, m.found) : NULL;
    return inst ? inst->cls->ast : NULL;
}

void put_class_item(Text *t, Library *lib, const AstClass *c)
{
    bool is_function = c->restriction == AST_FUNCTION || c->restriction == AST_OPERATOR_FUNCTION;
    text_put(t, "{\"name\":");
    text_put_json(t, c->name);
    text_printf(t, ",\"kind\":%d,\"detail\":", is_function ? 12 : 5);
    text_put_json(t, c->comment.text ? c->comment.text : restriction_text(c->restriction));
    text_put(t, ",\"uri\":");
    put_uri(t, sources_get(lib->ctx->sources, c->span.file)->path);
    text_put(t, ",\"range\":");
    put_range(t, lib, c->span);
    text_put(t, ",\"selectionRange\":");
    put_range(t, lib, c->name_span);
    text_put(t, "}");
}

static void prepare(Service *s)
{
    const AstClass *c = class_at(s);
    text_put(s->t, c ? "[" : "null");
    if (c) {
        put_class_item(s->t, s->lib, c);
        text_put(s->t, "]");
    }
}

void ask_prepare_types(Service *s)
{
    prepare(s);
}

void ask_prepare_calls(Service *s)
{
    prepare(s);
}

/* ---- classes ---- */

static void put_super(Service *s, Scope scope, const AstName *name)
{
    const Instance *base = lookup_class(s->lib, scope, name);
    if (!base || !base->cls->ast)
        return;
    put_comma(s->t);
    put_class_item(s->t, s->lib, base->cls->ast);
}

void ask_supertypes(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    Instance *inst = m.element ? cursor_instance(&s->c, m.found) : NULL;
    const AstClass *c = inst ? inst->cls->ast : NULL;
    DiagMark mark = diag_mark(s->lib->ctx);
    text_put(s->t, "[");
    Scope scope = {inst, c && inst->cls->layers.n ? inst->cls->layers.at[0] : NULL};
    for (uint32_t i = 0; scope.layer && i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_EXTENDS)
            put_super(s, scope, &c->elements.at[i]->type);
    if (scope.layer && c->form == AST_SHORT)
        put_super(s, inst->cls->scope, &c->base);
    text_put(s->t, "]");
    diag_discard(s->lib->ctx, mark);
}

static bool ends_at(const AstName *name, const Meaning *m)
{
    return m->start >= name->span.at && m->end == name->span.end;
}

/* The use is the base class of the class around it. */
static bool is_extension(const Cursor *c, const Meaning *m)
{
    const AstClass *a = c->around;
    if (!a)
        return false;
    for (uint32_t i = 0; i < a->elements.n; i++)
        if (a->elements.at[i]->kind == AST_EL_EXTENDS && ends_at(&a->elements.at[i]->type, m))
            return true;
    return a->form == AST_SHORT && ends_at(&a->base, m);
}

static void put_implementation(void *user, const Cursor *c, const Meaning *m)
{
    Service *s = user;
    if (!is_extension(c, m))
        return;
    put_comma(s->t);
    put_location(s->t, s->lib, c->around->name_span);
}

static void put_subtype(void *user, const Cursor *c, const Meaning *m)
{
    Service *s = user;
    if (!is_extension(c, m))
        return;
    put_comma(s->t);
    put_class_item(s->t, s->lib, c->around);
}

static void each_extension(Service *s, UseFn fn)
{
    const AstClass *c = class_at(s);
    text_put(s->t, "[");
    if (c)
        each_use(s, c->name_span, true, fn, s);
    text_put(s->t, "]");
}

void ask_implementations(Service *s)
{
    each_extension(s, put_implementation);
}

void ask_subtypes(Service *s)
{
    each_extension(s, put_subtype);
}

/* ---- calls ---- */

typedef struct Call {
    const AstClass *other; /* that calls, or is called */
    Span at;
} Call;

typedef struct Calls {
    Service *s;
    const AstClass *of;
    VEC(Call) list;
} Calls;

static bool is_call(const Cursor *c, const Meaning *m)
{
    size_t i = m->end;
    while (i < c->size && (c->text[i] == ' ' || c->text[i] == '\n' || c->text[i] == '\r'))
        i++;
    return i < c->size && c->text[i] == '(';
}

static void note_caller(void *user, const Cursor *c, const Meaning *m)
{
    Calls *w = user;
    if (c->around && is_call(c, m) && !is_same_place(c->lib, use_span(c, m), m->declared))
        vec_push(&w->list, ((Call){c->around, use_span(c, m)}));
}

static void note_called(void *user, const Cursor *c, const Meaning *m)
{
    Calls *w = user;
    const AstClass *f = m->element ? inspect_ast(c->lib, m->element) : NULL;
    if (f && f != w->of && is_call(c, m) &&
        (f->restriction == AST_FUNCTION || f->restriction == AST_OPERATOR_FUNCTION))
        vec_push(&w->list, ((Call){f, use_span(c, m)}));
}

/* Calls of the same class are one item with several ranges. */
static void put_calls(Calls *w, const char *key)
{
    Service *s = w->s;
    text_put(s->t, "[");
    for (uint32_t i = 0; i < w->list.n; i++) {
        const AstClass *other = w->list.at[i].other;
        if (!other)
            continue;
        put_comma(s->t);
        text_printf(s->t, "{\"%s\":", key);
        put_class_item(s->t, s->lib, other);
        text_put(s->t, ",\"fromRanges\":[");
        for (uint32_t k = i; k < w->list.n; k++)
            if (w->list.at[k].other == other) {
                put_comma(s->t);
                put_range(s->t, s->lib, w->list.at[k].at);
                w->list.at[k].other = NULL;
            }
        text_put(s->t, "]}");
    }
    text_put(s->t, "]");
    vec_free(&w->list);
}

void ask_callers(Service *s)
{
    Calls w = {.s = s, .of = class_at(s)};
    if (w.of)
        each_use(s, w.of->name_span, true, note_caller, &w);
    put_calls(&w, "from");
}

static const AstFile *file_of(const Library *lib, const AstClass *c)
{
    for (uint32_t i = lib->files.n; i-- > 0;)
        if (lib->files.at[i]->source == c->span.file)
            return lib->files.at[i];
    return NULL;
}

void ask_calls(Service *s)
{
    Calls w = {.s = s, .of = class_at(s)};
    const AstFile *file = w.of ? file_of(s->lib, w.of) : NULL;
    if (file) {
        Cursor c = cursor_in(s->lib, file, w.of->span.at);
        each_identifier(&c, w.of->span.at, w.of->span.end, NULL, note_called, &w);
    }
    put_calls(&w, "to");
}
