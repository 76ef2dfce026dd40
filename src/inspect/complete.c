/* Completion and hints: possible names at a place, and the meaning of a name there. */
#include "inspect/cursor.h"

#include "instance/library/package_folders.h"

#include <ctype.h>

enum { ITEMS_MOST = 1000 };

typedef struct Items {
    const Cursor *c;
    Text *t;
    const char *word; /* that is being written */
    size_t n_word;
    uint32_t n;
    Map seen; /* names that are listed */
} Items;

/* ---- items ---- */

static bool matches(const Items *w, const char *name)
{
    return !strncasecmp(name, w->word, w->n_word);
}

static void put_item(Items *w, const char *name, const char *kind, const char *detail,
                     const char *tail)
{
    Name key = library_name(w->c->lib, name);
    if (w->n >= ITEMS_MOST || !matches(w, name) || map_get(&w->seen, map_key(key)) != MAP_NONE)
        return;
    map_put(&w->seen, map_key(key), 1);
    text_put(w->t, w->n++ ? ",\n{\"label\":" : "{\"label\":");
    text_put_json(w->t, name);
    inspect_put_field(w->t, "kind", kind);
    inspect_put_field(w->t, "detail", detail);
    inspect_put_field(w->t, "insert", arena_printf(w->c->lib->arena, "%s%s", name, tail));
    text_put(w->t, "}");
}

static const char *written_type(const Items *w, const AstElement *e)
{
    Text t = {0};
    for (uint32_t i = 0; i < e->type.n; i++)
        text_printf(&t, "%s%s", i || e->type.absolute ? "." : "", e->type.parts[i]);
    return text_keep(&t, w->c->lib->arena);
}

static const char *component_kind(const AstElement *e)
{
    return e->variability == AST_PARAMETER  ? "parameter"
           : e->variability == AST_CONSTANT ? "constant"
                                            : "component";
}

static const char *component_detail(const Items *w, const AstElement *e)
{
    const char *type = written_type(w, e), *text = e->comment.text;
    return text ? arena_printf(w->c->lib->arena, "%s: %s", type, text) : type;
}

static void put_element(Items *w, const Element *e, const char *tail)
{
    if (!matches(w, e->name))
        return;
    if (e->kind == ELEMENT_ATTRIBUTE) {
        put_item(w, e->name, "attribute", NULL, tail);
    } else if (e->kind == ELEMENT_COMPONENT) {
        put_item(w, e->name, e->ast ? component_kind(e->ast) : "component",
                 e->ast ? component_detail(w, e->ast) : NULL, tail);
    } else {
        const AstClass *ast = inspect_ast(w->c->lib, e);
        if (ast)
            put_item(w, e->name, restriction_text(ast->restriction), ast->comment.text, "");
    }
}

/* Names that can follow a dot. */
static void put_members(Items *w, const Instance *inst)
{
    const Class *c = inst->cls;
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        if (!e->is_protected && e->kind != ELEMENT_ATTRIBUTE &&
            (!inst->parent || e->kind == ELEMENT_COMPONENT))
            put_element(w, e, "");
    }
}

/* ---- names without a dot ---- */

static const char *const keywords[] = {
    "algorithm",   "and",          "annotation", "block",       "break",
    "class",       "connect",      "connector",  "constant",    "constrainedby",
    "der",         "discrete",     "each",       "else",        "elseif",
    "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
    "expandable",  "extends",      "external",   "false",       "final",
    "flow",        "for",          "function",   "if",          "import",
    "impure",      "in",           "initial",    "inner",       "input",
    "loop",        "model",        "not",        "operator",    "or",
    "outer",       "output",       "package",    "parameter",   "partial",
    "protected",   "public",       "pure",       "record",      "redeclare",
    "replaceable", "return",       "stream",     "then",        "true",
    "type",        "when",         "while",      "within",      "time"};

static void put_scope(Items *w)
{
    for (Scope s = w->c->scope; s.inst; s = s.layer->scope) {
        for (uint32_t i = 0; i < s.inst->cls->elements.n; i++)
            if (s.inst->cls->elements.at[i].kind != ELEMENT_ATTRIBUTE)
                put_element(w, &s.inst->cls->elements.at[i], "");
        for (uint32_t i = 0; i < s.layer->n_imports; i++) {
            const AstElement *import = s.layer->imports[i];
            Name name = import->name ? import->name : import->type.parts[import->type.n - 1];
            if (!import->import_all)
                put_item(w, name, "import", NULL, "");
        }
        if (s.layer->ast && s.layer->ast->encapsulated)
            break;
    }
}

static void put_libraries(Items *w)
{
    Library *lib = w->c->lib;
    library_index(lib);
    for (uint32_t i = 0; i < lib->stored.n; i++)
        if (matches(w, lib->stored.at[i]->name) && is_plain_file(lib->stored.at[i]->path))
            put_item(w, lib->stored.at[i]->name, "package", NULL, "");
}

static void put_builtins(Items *w)
{
    static const char *const types[] = {"Real",   "Integer",     "Boolean",
                                        "String", "StateSelect", "Clock"};
    const char *name;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        put_item(w, types[i], "type", NULL, "");
    for (uint32_t i = 0; (name = typing_builtin_name(i)); i++)
        if (isalpha((unsigned char)*name))
            put_item(w, name, "function", NULL, "");
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        put_item(w, keywords[i], "keyword", NULL, "");
}

/* ---- arguments: elements to modify, inputs of a function ---- */

static size_t skip_back(const Cursor *c, size_t i)
{
    while (i > 0 && isspace((unsigned char)c->text[i - 1]))
        i--;
    return i;
}

/* The parenthesis that is open at `i`; SIZE_MAX if there is none in this statement. */
static size_t open_before(const Cursor *c, size_t i)
{
    int depth = 0;
    for (; i > 0 && c->text[i - 1] != ';'; i--) {
        char x = c->text[i - 1];
        depth += (x == ')') - (x == '(');
        if (depth < 0)
            return i - 1;
    }
    return SIZE_MAX;
}

static Instance *member_of(const Cursor *c, Instance *inst, size_t start, size_t end)
{
    Name name = name_intern(c->lib->ctx->names, c->text + start, end - start);
    return inst ? cursor_instance(c, lookup_member(c->lib, inst, name)) : NULL;
}

static bool is_keyword(const Cursor *c, size_t start, size_t end)
{
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i]) == end - start &&
            !strncmp(keywords[i], c->text + start, end - start))
            return true;
    return false;
}

static Instance *predefined_type(const Cursor *c, size_t start, size_t end)
{
    static const char *const types[] = {"Real", "Integer", "Boolean", "String"};
    Name name = name_intern(c->lib->ctx->names, c->text + start, end - start);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i], name))
            return lookup_path(c->lib, c->scope, &name, 1, false, (Span){0});
    return NULL;
}

/* The owner of the parenthesis at `open`: Type name(…, extends Type(…, function(…, or a modifier
 * within one of these. */
static Instance *owner_of(const Cursor *c, size_t open, int depth)
{
    size_t end = skip_back(c, open), start = cursor_name_start(c, end),
           before = skip_back(c, start);
    if (start == end || depth > 8)
        return NULL;
    size_t outer = open_before(c, start);
    char last = before ? c->text[before - 1] : 0;
    if (outer != SIZE_MAX && (last == '(' || last == ',')) {
        Instance *around = owner_of(c, outer, depth + 1);
        Instance *member = around && around->cls->restriction != AST_FUNCTION
                               ? member_of(c, around, start, end)
                               : NULL;
        if (member)
            return member;
    }
    size_t type = cursor_name_start(c, before);
    if (type < before && is_name_char(last) && !is_keyword(c, type, before))
        start = type, end = before;
    Instance *found = cursor_instance(c, cursor_resolve(c, start, end));
    return found ? found : predefined_type(c, start, end);
}

static void put_arguments(Items *w, size_t start)
{
    size_t before = skip_back(w->c, start);
    char last = before ? w->c->text[before - 1] : 0;
    size_t open = last == '(' || last == ',' ? open_before(w->c, start) : SIZE_MAX;
    const Instance *owner = open == SIZE_MAX ? NULL : owner_of(w->c, open, 0);
    if (!owner)
        return;
    const Class *c = owner->cls;
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        bool input = e->ast && e->ast->causality == AST_INPUT;
        if (!e->is_protected && e->kind != ELEMENT_CLASS && (!class_is_function(c) || input))
            put_element(w, e, "=");
    }
}

void inspect_complete(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                      uint32_t column, Text *t)
{
    Cursor c = cursor_at(lib, name, text, size, line, column);
    size_t start = cursor_name_start(&c, c.at), word = c.at;
    while (word > start && is_name_char(text[word - 1]))
        word--;
    Items w = {.c = &c,
               .t = t,
               .word = arena_copy(lib->arena, text + word, c.at - word),
               .n_word = c.at - word};
    text_printf(t, "{\"from\":{\"line\":%u,\"column\":%u},\"items\":[", line,
                column - (uint32_t)w.n_word);
    if (word > start) {
        const Instance *inst = cursor_instance(&c, cursor_resolve(&c, start, word - 1));
        if (inst)
            put_members(&w, inst);
    } else {
        put_arguments(&w, start);
        put_scope(&w);
        put_libraries(&w);
        put_builtins(&w);
    }
    text_put(t, "]}");
    map_free(&w.seen);
}

/* ---- hints ---- */

void inspect_symbol(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                    uint32_t column, Text *t)
{
    Cursor c = cursor_at(lib, name, text, size, line, column);
    size_t end = c.at;
    while (end < size && is_name_char(text[end]))
        end++;
    size_t start = cursor_name_start(&c, end);
    Found f = start < end ? cursor_resolve(&c, start, end) : (Found){0};
    const Element *e = f.inst ? found_element(f) : NULL;
    const AstClass *ast = e ? inspect_ast(lib, e) : NULL;
    if (!ast && !(e && e->ast)) {
        text_put(t, "null");
        return;
    }
    Items w = {.c = &c, .t = t};
    const Instance *inst = cursor_instance(&c, f);
    text_put(t, "{\"name\":");
    text_put_json(t, ast ? (inst ? inst->cls->name : ast->name) : e->name);
    inspect_put_field(t, "kind", ast ? restriction_text(ast->restriction) : component_kind(e->ast));
    inspect_put_field(t, "type", ast ? NULL : inst ? inst->cls->name : written_type(&w, e->ast));
    inspect_put_field(t, "description", ast ? ast->comment.text : e->ast->comment.text);
    const AstMod *mod = ast ? NULL : e->ast->mod;
    inspect_put_field(t, "value",
                      mod && mod->value ? ast_print_expr(mod->value, lib->arena) : NULL);
    inspect_put_place(t, lib->ctx, ast ? ast->name_span : e->ast->span);
    text_put(t, "}");
}
