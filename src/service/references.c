/* References, highlights and new names. */
#include "service/uses.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

/* ---- references ---- */

static void put_reference(void *user, const Cursor *c, const Meaning *m)
{
    Service *s = user;
    put_comma(s->t);
    put_location(s->t, s->lib, use_span(c, m));
}

void ask_references(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    text_put(s->t, "[");
    if (m.declared.file && !is_of_workspace(s, m.declared)) {
        put_location(s->t, s->lib, m.declared);
    }
    if (m.declared.file)
        each_use(s, m.declared, !m.is_iterator, put_reference, s);
    text_put(s->t, "]");
}

static void put_highlight(void *user, const Cursor *c, const Meaning *m)
{
    Service *s = user;
    bool declares = is_same_place(s->lib, use_span(c, m), m->declared);
    put_comma(s->t);
    text_put(s->t, "{\"range\":");
    put_range(s->t, s->lib, use_span(c, m));
    text_printf(s->t, ",\"kind\":%d}", declares ? 3 : 2);
}

void ask_highlights(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    text_put(s->t, "[");
    if (m.declared.file)
        each_use(s, m.declared, false, put_highlight, s);
    text_put(s->t, "]");
}

/* ---- new names ---- */

static bool is_identifier(const char *name)
{
    size_t n = strlen(name);
    if (n > 2 && name[0] == '\'' && name[n - 1] == '\'')
        return strcspn(name + 1, "'\\\n") == n - 2;
    for (size_t i = 0; i < n; i++)
        if (!is_name_char(name[i]))
            return false;
    return n && !isdigit((unsigned char)*name);
}

static bool is_reserved_word(const char *name)
{
    for (size_t i = 0; service_keywords[i]; i++)
        if (!strcmp(service_keywords[i], name))
            return true;
    return !strcmp(name, "Real") || !strcmp(name, "Integer") || !strcmp(name, "Boolean") ||
           !strcmp(name, "String");
}

/* Why the name at the cursor cannot be changed; NULL if it can. */
static const char *refusal(Service *s, const Meaning *m)
{
    Arena *arena = s->lib->arena;
    if (!m->declared.file)
        return "there is no declaration of this name in the text of a model";
    if (!is_of_workspace(s, m->declared))
        return arena_printf(arena, "it is declared outside of the workspace, in %s",
                            sources_get(s->lib->ctx->sources, m->declared.file)->path);
    if (m->element && m->element->ast && (m->element->ast->inner || m->element->ast->outer))
        return "an inner element and its outer ones find each other by this name";
    const char *name = s->q->name;
    if (!name)
        return NULL;
    if (!is_identifier(name) || is_reserved_word(name))
        return arena_printf(arena, "'%.100s' is not a name in Modelica", name);
    if (!m->found.inst)
        return NULL;
    uint32_t have = class_find(m->found.inst->cls, library_name(s->lib, name));
    if (have != MAP_NONE && &m->found.inst->cls->elements.at[have] != m->element)
        return arena_printf(arena, "'%.100s' is already declared in '%s'", name,
                            m->found.inst->cls->name);
    return NULL;
}

static bool refuse(Service *s, const Meaning *m)
{
    const char *why = refusal(s, m);
    if (!why)
        return false;
    text_put(s->t, "{\"error\":");
    text_put_json(s->t, why);
    text_put(s->t, "}");
    return true;
}

void ask_prepare_rename(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    if (refuse(s, &m))
        return;
    text_put(s->t, "{\"range\":");
    put_range(s->t, s->lib, use_span(&s->c, &m));
    text_put(s->t, ",\"placeholder\":");
    text_put_json(s->t, arena_copy(s->lib->arena, s->c.text + m.start, m.end - m.start));
    text_put(s->t, "}");
}

typedef struct Renaming {
    Service *s;
    uint32_t source; /* of the edits under way; 0 before the first */
} Renaming;

static void end_edits(const Renaming *r)
{
    if (r->source)
        text_put(r->s->t, "]}");
}

static void begin_edits(Renaming *r, uint32_t source, const char *path)
{
    end_edits(r);
    r->source = source;
    put_comma(r->s->t);
    text_put(r->s->t, "{\"textDocument\":{\"uri\":");
    put_uri(r->s->t, path);
    text_put(r->s->t, ",\"version\":null},\"edits\":[");
}

static void put_edit(void *user, const Cursor *c, const Meaning *m)
{
    Renaming *r = user;
    Service *s = r->s;
    Span span = use_span(c, m);
    if (span.file != r->source)
        begin_edits(r, span.file, sources_get(s->lib->ctx->sources, span.file)->path);
    put_comma(s->t);
    text_put(s->t, "{\"range\":");
    put_range(s->t, s->lib, span);
    text_put(s->t, ",\"newText\":");
    text_put_json(s->t, s->q->name);
    text_put(s->t, "}");
}

/* The line of package.order in a folder that names the class. */
static void put_order_edit(Renaming *r, const char *folder, const char *name)
{
    Library *lib = r->s->lib;
    const char *path = arena_printf(lib->arena, "%s/package.order", folder);
    uint32_t source = sources_load(lib->ctx->sources, path), n = (uint32_t)strlen(name);
    const char *text = source ? sources_get(lib->ctx->sources, source)->text : "";
    for (const char *p = text; (p = strstr(p, name)); p += n) {
        bool begins = p == text || p[-1] == '\n', ends = !p[n] || strchr("\r\n", p[n]);
        if (!begins || !ends)
            continue;
        uint32_t at = (uint32_t)(p - text);
        begin_edits(r, source, path);
        text_put(r->s->t, "{\"range\":");
        put_range(r->s->t, lib, (Span){source, at, at + n});
        text_put(r->s->t, ",\"newText\":");
        text_put_json(r->s->t, r->s->q->name);
        text_put(r->s->t, "}");
        return;
    }
}

/* A class in a file, or in a folder, of its name: the file gets the new name as well. */
static void put_file_change(Renaming *r, const Meaning *m)
{
    Library *lib = r->s->lib;
    const char *path = sources_get(lib->ctx->sources, m->declared.file)->path;
    const AstClass *c = inspect_ast(lib, m->element);
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    bool is_package = !strcmp(file, "package.mo");
    if (!slash || access(path, F_OK) ||
        strcmp(file, is_package ? file : arena_printf(lib->arena, "%s.mo", c->name)))
        return;
    const char *folder = arena_copy(lib->arena, path, (size_t)(slash - path));
    const char *old = path, *end = ".mo";
    if (is_package) {
        const char *up = strrchr(folder, '/');
        if (!up || strcmp(up + 1, c->name) || m->found.inst->cls->ast == c)
            return;
        old = folder;
        folder = arena_copy(lib->arena, folder, (size_t)(up - folder));
        end = "";
    }
    put_order_edit(r, folder, c->name);
    end_edits(r);
    r->source = 0;
    put_comma(r->s->t);
    text_put(r->s->t, "{\"kind\":\"rename\",\"oldUri\":");
    put_uri(r->s->t, old);
    text_put(r->s->t, ",\"newUri\":");
    put_uri(r->s->t, arena_printf(lib->arena, "%s/%s%s", folder, r->s->q->name, end));
    text_put(r->s->t, "}");
}

/* The class is the first one of its file. */
static bool is_class_of_file(const Service *s, const Meaning *m)
{
    const AstClass *c = m->element ? inspect_ast(s->lib, m->element) : NULL;
    for (uint32_t i = 0; c && i < s->lib->files.n; i++)
        if (s->lib->files.at[i]->classes.n && s->lib->files.at[i]->classes.at[0] == c)
            return true;
    return false;
}

void ask_rename(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    if (refuse(s, &m))
        return;
    Renaming r = {s, 0};
    text_put(s->t, "{\"documentChanges\":[");
    each_use(s, m.declared, !m.is_iterator, put_edit, &r);
    if (is_class_of_file(s, &m))
        put_file_change(&r, &m);
    end_edits(&r);
    text_put(s->t, "]}");
}
