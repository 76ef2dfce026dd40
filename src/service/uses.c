/* Uses of a name in the files of the workspace. A file is a candidate if its text contains the
 * name. Each identifier of that name is resolved in its scope, and counts if it means the same
 * declaration. */
#include "service/uses.h"

#include "instance/library/package_folders.h"
#include "syntax/parse/parse.h"
#include "syntax/parse/token.h"

static const char *path_of(const Library *lib, uint32_t source)
{
    return sources_get(lib->ctx->sources, source)->path;
}

bool is_same_place(const Library *lib, Span a, Span b)
{
    return a.file && b.file && a.at == b.at && !strcmp(path_of(lib, a.file), path_of(lib, b.file));
}

bool is_of_workspace(const Service *s, Span span)
{
    const char *path = path_of(s->lib, span.file);
    if (!strcmp(path, s->q->path))
        return true;
    for (uint32_t i = 0; i < s->q->n_files; i++)
        if (!strcmp(path, s->q->files[i]))
            return true;
    return false;
}

Span use_span(const Cursor *c, const Meaning *m)
{
    return (Span){c->file->source, (uint32_t)m->start, (uint32_t)m->end};
}

/* ---- identifiers ---- */

void each_identifier(Cursor *c, size_t from, size_t to, Name only, UseFn fn, void *user)
{
    Context *scratch = context_new();
    Lexer x;
    Token tok = {0};
    lexer_init(&x, scratch, sources_add(scratch->sources, "", c->text, c->size));
    for (lexer_next(&x, &tok); tok.kind != TOK_EOF && tok.at < to; lexer_next(&x, &tok)) {
        if (tok.kind != TOK_IDENT || tok.at < from || (only && strcmp(tok.name, only)))
            continue;
        cursor_move(c, tok.at);
        Meaning m = cursor_meaning(c);
        if (m.declared.file)
            fn(user, c, &m);
    }
    context_free(scratch);
}

/* ---- files ---- */

static const AstFile *loaded_tree(const Library *lib, const char *path)
{
    for (uint32_t i = lib->files.n; i-- > 0;)
        if (!strcmp(path_of(lib, lib->files.at[i]->source), path))
            return lib->files.at[i];
    return NULL;
}

/* The class of a file by its place in its package, so that it is loaded there; false if the file
 * has another place. */
static bool load_by_name(Library *lib, const AstFile *file)
{
    Instance *at = lib->root_inst;
    for (uint32_t i = 0; at && i <= file->within.n; i++) {
        const char *part = i < file->within.n ? file->within.parts[i] : file->classes.at[0]->name;
        Found f = lookup_member(lib, at, library_name(lib, part));
        at = f.inst && found_element(f)->kind == ELEMENT_CLASS ? inst_class(lib, f.inst, f.index)
                                                               : NULL;
    }
    return at;
}

static bool has_word(const char *text, const char *name)
{
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p++)
        if (!is_name_char(p[n]) && (p == text || !is_name_char(p[-1])))
            return true;
    return false;
}

/* The tree of a file that contains the name, loaded into the library; NULL if it does not contain
 * the name. */
static const AstFile *candidate(Service *s, const char *path, const char *name)
{
    Library *lib = s->lib;
    const AstFile *tree = loaded_tree(lib, path);
    if (tree)
        return has_word(sources_get(lib->ctx->sources, tree->source)->text, name) ? tree : NULL;
    Context *scratch = context_new();
    size_t size;
    const char *known = library_overlaid(lib, path, &size);
    uint32_t source = known ? sources_add(scratch->sources, path, known, size)
                            : sources_load(scratch->sources, path);
    const Source *text = source ? sources_get(scratch->sources, source) : NULL;
    if (text && has_word(text->text, name)) {
        AstFile *parsed = syntax_parse(scratch, source);
        if (parsed->classes.n && load_by_name(lib, parsed))
            tree = loaded_tree(lib, path);
        ast_free(parsed);
        if (!tree) {
            library_add_source(lib, sources_add(lib->ctx->sources, path, text->text, text->size));
            tree = lib->files.at[lib->last_file];
        }
    }
    context_free(scratch);
    return tree;
}

/* ---- uses ---- */

typedef struct Uses {
    Service *s;
    Span declared;
    UseFn fn;
    void *user;
} Uses;

static void see(void *user, const Cursor *c, const Meaning *m)
{
    const Uses *w = user;
    if (is_same_place(c->lib, m->declared, w->declared))
        w->fn(w->user, c, m);
}

void each_use(Service *s, Span declared, bool everywhere, UseFn fn, void *user)
{
    const Source *source = sources_get(s->lib->ctx->sources, declared.file);
    Name name =
        name_intern(s->lib->ctx->names, source->text + declared.at, declared.end - declared.at);
    Uses w = {s, declared, fn, user};
    Cursor c = s->c;
    each_identifier(&c, 0, c.size, name, see, &w);
    for (uint32_t i = 0; everywhere && i < s->q->n_files; i++) {
        if (!strcmp(s->q->files[i], s->q->path))
            continue;
        const AstFile *file = candidate(s, s->q->files[i], name);
        if (!file)
            continue;
        Cursor other = cursor_in(s->lib, file, 0);
        each_identifier(&other, 0, other.size, name, see, &w);
    }
}
