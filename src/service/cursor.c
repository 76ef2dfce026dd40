#include "service/cursor.h"
#include "syntax/parse/parse.h"

#include <ctype.h>

bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* ---- places ---- */

static size_t offset_of(const char *text, size_t size, uint32_t line, uint32_t column)
{
    size_t i = 0;
    for (; line > 1 && i < size; i++)
        line -= text[i] == '\n';
    for (; column > 1 && i < size && text[i] != '\n'; column--) {
        i++;
        while (i < size && ((unsigned char)text[i] & 0xC0) == 0x80)
            i++;
    }
    return i;
}

size_t cursor_name_start(const Cursor *c, size_t end)
{
    size_t i = end;
    while (i > 0) {
        if (c->text[i - 1] == ']') {
            size_t depth = 0, k = i;
            while (k > 0 &&
                   (depth += c->text[k - 1] == ']', depth -= c->text[k - 1] == '[', depth) &&
                   c->text[k - 1] != ';')
                k--;
            if (k == 0 || c->text[k - 1] != '[')
                break;
            i = k - 1;
        } else if (is_name_char(c->text[i - 1]) || c->text[i - 1] == '.') {
            i--;
        } else {
            break;
        }
    }
    while (i < end && (isdigit((unsigned char)c->text[i]) || c->text[i] == '['))
        i++; /* a number is not a name */
    return i;
}

/* ---- the text ---- */

static uint32_t count_errors(const char *name, const char *text, size_t size)
{
    Context *scratch = context_new();
    AstFile *file = syntax_parse(scratch, sources_add(scratch->sources, name, text, size));
    uint32_t n = scratch->n_errors;
    ast_free(file);
    context_free(scratch);
    return n;
}

/* The text without the piece of a line that is being written: from the last semicolon before the
 * cursor to the next one. */
static char *blanked(const Cursor *c, Arena *arena)
{
    char *copy = arena_copy(arena, c->text, c->size);
    size_t first = c->at, end = c->at;
    while (first > 0 && c->text[first - 1] != '\n' && c->text[first - 1] != ';')
        first--;
    while (end < c->size && c->text[end] != '\n' && c->text[end] != ';')
        end++;
    end += end < c->size && c->text[end] == ';';
    memset(copy + first, ' ', end - first);
    return copy;
}

static const AstFile *load(const Cursor *c, const char *name)
{
    const char *text = c->text;
    uint32_t errors = count_errors(name, text, c->size);
    if (errors) {
        const char *other = blanked(c, c->lib->arena);
        text = count_errors(name, other, c->size) < errors ? other : text;
    }
    library_add_source(c->lib, sources_add(c->lib->ctx->sources, name, text, c->size));
    return c->lib->files.at[c->lib->last_file];
}

/* ---- the class around ---- */

/* The innermost class that contains the byte, as an instance; `around` if there is none. */
static Instance *class_around(Cursor *c, Instance *around, const AstClass *ast)
{
    Found f = lookup_member(c->lib, around, ast->name);
    Instance *inst = f.inst && found_element(f)->kind == ELEMENT_CLASS
                         ? inst_class(c->lib, f.inst, f.index)
                         : NULL;
    c->around = inst ? ast : c->around;
    for (uint32_t i = 0; inst && i < ast->elements.n; i++) {
        const AstElement *e = ast->elements.at[i];
        if (e->kind == AST_EL_CLASS && e->class_ && c->at >= e->class_->span.at &&
            c->at <= e->class_->span.end)
            return class_around(c, inst, e->class_);
    }
    return inst ? inst : around;
}

/* After the last class, the cursor may still be in it if the text is unfinished. */
static const AstClass *top_class(const Cursor *c, const AstFile *file)
{
    const AstClass *last = NULL;
    for (uint32_t i = 0; i < file->classes.n; i++)
        if (c->at >= file->classes.at[i]->span.at)
            last = file->classes.at[i];
    return last;
}

void cursor_move(Cursor *c, size_t at)
{
    Library *lib = c->lib;
    const AstFile *file = c->file;
    Instance *around = lib->root_inst;
    c->at = at;
    c->around = NULL;
    c->scope = (Scope){lib->root_inst, lib->root->layers.at[0]};
    for (uint32_t i = 0; around && i < file->within.n; i++) {
        Found f = lookup_member(lib, around, file->within.parts[i]);
        around = f.inst && found_element(f)->kind == ELEMENT_CLASS
                     ? inst_class(lib, f.inst, f.index)
                     : NULL;
    }
    const AstClass *top = around ? top_class(c, file) : NULL;
    Instance *inst = top ? class_around(c, around, top) : NULL;
    if (inst && inst->cls->layers.n)
        c->scope = (Scope){inst, inst->cls->layers.at[0]};
}

Cursor cursor_open(Library *lib, const char *name, const char *text, size_t size, size_t at)
{
    Cursor c = {.lib = lib, .text = text, .size = size, .at = at};
    c.file = load(&c, name);
    cursor_move(&c, at);
    return c;
}

Cursor cursor_at(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                 uint32_t column)
{
    return cursor_open(lib, name, text, size, offset_of(text, size, line, column));
}

Cursor cursor_in(Library *lib, const AstFile *file, size_t at)
{
    const Source *source = sources_get(lib->ctx->sources, file->source);
    Cursor c = {.lib = lib, .file = file, .text = source->text, .size = source->size};
    cursor_move(&c, at);
    return c;
}

/* ---- names ---- */

Instance *cursor_instance(const Cursor *c, Found f)
{
    if (!f.inst)
        return NULL;
    switch (found_element(f)->kind) {
    case ELEMENT_CLASS: return inst_class(c->lib, f.inst, f.index);
    case ELEMENT_COMPONENT: return inst_component(c->lib, f.inst, f.index);
    default: return NULL;
    }
}

/* The next name of a path; moves beyond its dot. NULL at the end. */
static Name next_part(const Cursor *c, size_t *at, size_t end)
{
    size_t first = *at, n = 0;
    while (first + n < end && is_name_char(c->text[first + n]))
        n++;
    size_t i = first + n;
    for (int depth = 0; i < end && (depth || c->text[i] != '.'); i++)
        depth += (c->text[i] == '[') - (c->text[i] == ']');
    *at = i < end ? i + 1 : end;
    return n ? name_intern(c->lib->ctx->names, c->text + first, n) : NULL;
}

Found cursor_resolve(const Cursor *c, size_t start, size_t end)
{
    size_t at = start;
    bool absolute = at < end && c->text[at] == '.';
    at += absolute;
    Name name = next_part(c, &at, end);
    Found f = !name      ? (Found){0}
              : absolute ? lookup_member(c->lib, c->lib->root_inst, name)
                         : lookup_name(c->lib, c->scope, name);
    while (f.inst && at < end) {
        Instance *inst = cursor_instance(c, f);
        name = next_part(c, &at, end);
        f = inst && name ? lookup_member(c->lib, inst, name) : (Found){0};
    }
    return f;
}
