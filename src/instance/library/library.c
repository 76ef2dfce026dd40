/* The library: the classes of the user's files, and the model meant. Packages found in folders are
 * in package_folders.c. */
#include "base/text.h"
#include "instance/library/package_folders.h"
#include "notation/notation.h"
#include "syntax/parse/parse.h"

static const char *resource(void *user, const char *uri)
{
    return library_resource(user, uri);
}

AstFile *library_read(Library *lib, uint32_t source)
{
    Context *ctx = lib->ctx;
    AstFile *file = notation_parse(ctx, source);
#ifdef KAIROS_CHECK
    Arena *arena = arena_new();
    const char *breach = ast_check(file, arena);
    if (breach)
        diag(ctx, (Span){0}, DIAG_X001, "the product of phase syntax violates its contract: %s",
             breach);
    arena_free(arena);
#endif
    return file;
}

AstFile *library_parse(Library *lib, uint32_t source)
{
    AstFile *file = library_read(lib, source);
    vec_push(&lib->files, file);
    return file;
}

Library *library_new(Context *ctx, Graph *g)
{
    Library *lib = memory_alloc(sizeof *lib);
    lib->ctx = ctx;
    lib->g = g;
    lib->stored_classes = &folder_classes;
    g->resource = resource;
    g->resource_user = lib;
    lib->arena = arena_new();
    vec_push(&lib->classes, NULL);
    vec_push(&lib->class_same, 0);
    vec_push(&lib->instances, NULL);
    lib->root = ARENA_NEW(lib->arena, Class);
    lib->root->restriction = AST_PACKAGE;
    lib->root->state = CLASS_READY;
    lib->root->name = name_of(ctx->names, "");
    vec_push(&lib->classes, lib->root);
    vec_push(&lib->class_same, 0);
    Layer *layer = ARENA_NEW(lib->arena, Layer);
    layer->end = 1;
    vec_push(&lib->root->layers, layer);
    lib->root_inst = class_shared(lib, lib->root);
    predefined_make(lib);
    return lib;
}

void library_refuse_external(Library *lib)
{
    lib->n_trusted = lib->folders.n;
    lib->g->refusal = external_refusal;
}

static void free_class(Class *c)
{
    if (c->layers.n && c->layers.at[0]->own)
        map_free(c->layers.at[0]->own);
    vec_free(&c->layers);
    vec_free(&c->elements);
    vec_free(&c->dims);
    vec_free(&c->order);
    map_free(&c->by_name);
}

void library_free(Library *lib)
{
    if (!lib)
        return;
    for (uint32_t i = 1; i < lib->classes.n; i++)
        free_class(lib->classes.at[i]);
    folders_free(lib);
    known_texts_free(lib);
    for (uint32_t i = 0; i < lib->files.n; i++)
        ast_free(lib->files.at[i]);
    vec_free(&lib->files);
    map_free(&lib->predefined);
    vec_free(&lib->classes);
    map_free(&lib->class_table);
    vec_free(&lib->class_same);
    vec_free(&lib->instances);
    vec_free(&lib->refs);
    map_free(&lib->ref_table);
    map_free(&lib->imports);
    map_free(&lib->checks);
    map_free(&lib->set_aside);
    map_free(&lib->unlike);
    map_free(&lib->operator_records);
    map_free(&lib->operator_table);
    vec_free(&lib->operator_sets);
    arena_free(lib->arena);
    memory_free(lib);
}

/* ---- the user's files ---- */

void library_add_top(Library *lib, const AstClass *ast, LibFile *file)
{
    uint32_t have = class_find(lib->root, ast ? ast->name : file->name);
    if (have != MAP_NONE) {
        Element *old = &lib->root->elements.at[have];
        if (ast && (!old->class_ast || old->class_ast->span.file != ast->span.file)) {
            /* A later class replaces an earlier one, like an edited file, or one that was expected
             * in a file of its name. */
            old->class_ast = ast;
            old->file = old->file && old->file->folder ? old->file : NULL;
            if (have < lib->root_inst->n_children)
                lib->root_inst->children[have] = NULL;
        } else if (ast && old->class_ast) {
            diag(lib->ctx, ast->name_span, DIAG_I003, "class '%s' is declared twice", ast->name);
            diag_note(lib->ctx, old->class_ast->name_span, "the first declaration is here");
        }
        return;
    }
    Element e = {.name = ast ? ast->name : file->name,
                 .kind = ELEMENT_CLASS,
                 .class_ast = ast,
                 .file = file,
                 .layer = lib->root->layers.at[0]};
    class_add(lib->root, e);
}

/* The package that a file belongs to according to its text, if it can be found; NULL for the top.
 */
static Instance *package_around(Library *lib, const AstFile *file)
{
    if (!file->within.n)
        return NULL;
    Scope root = {lib->root_inst, lib->root->layers.at[0]};
    return lookup_path(lib, root, file->within.parts, file->within.n, true, file->within.span);
}

static void add_within(Instance *package, const AstClass *ast)
{
    Class *c = package->cls;
    uint32_t have = class_find(c, ast->name);
    if (have != MAP_NONE) {
        c->elements.at[have].class_ast = ast;
        if (have < package->n_children)
            package->children[have] = NULL;
        return;
    }
    Layer *layer = c->layers.at[0];
    class_add(
        c, (Element){.name = ast->name, .kind = ELEMENT_CLASS, .class_ast = ast, .layer = layer});
    if (layer->own)
        map_put(layer->own, map_key(ast->name), 1);
}

/* A package.mo given by the user has the classes of its folder. */
static void add_folder(Library *lib, Class *around, const AstClass *ast, const char *folder)
{
    uint32_t index = class_find(around, ast->name);
    if (index == MAP_NONE || around->elements.at[index].class_ast != ast)
        return;
    LibFile *have = around->elements.at[index].file;
    LibFile *file = have && have->folder ? have : library_own_file(lib, ast->name, folder);
    around->elements.at[index].file = file;
    library_set_text(lib, file, ast);
}

bool library_add_source(Library *lib, uint32_t source)
{
    uint32_t before = lib->ctx->n_errors;
    AstFile *file = library_parse(lib, source);
    lib->last_file = lib->files.n - 1;
    const char *folder = library_find_place(lib, file);
    Instance *package = package_around(lib, file);
    for (uint32_t i = 0; i < file->classes.n; i++) {
        if (package)
            add_within(package, file->classes.at[i]);
        else if (!file->within.n)
            library_add_top(lib, file->classes.at[i], NULL);
        if (folder && i == 0 && (package || !file->within.n))
            add_folder(lib, package ? package->cls : lib->root, file->classes.at[i], folder);
    }
    return lib->ctx->n_errors == before;
}

bool library_is_expression(Library *lib, uint32_t source)
{
    Arena *scratch = arena_new();
    bool is = syntax_parse_expr(lib->ctx, source, scratch);
    arena_free(scratch);
    return is;
}

/* ---- the model meant ---- */

bool ast_is_model(const AstClass *c)
{
    return !c->partial && (c->restriction == AST_MODEL || c->restriction == AST_BLOCK ||
                           c->restriction == AST_CLASS);
}

/* The last one in the text of `c`, packages included: its path is appended to `name`. */
static bool find_last_model(const AstClass *c, Text *name)
{
    size_t length = name->n;
    text_printf(name, "%s%s", length ? "." : "", c->name);
    if (ast_is_model(c))
        return true;
    for (uint32_t i = c->restriction == AST_PACKAGE ? c->elements.n : 0; i-- > 0;)
        if (c->elements.at[i]->kind == AST_EL_CLASS &&
            find_last_model(c->elements.at[i]->class_, name))
            return true;
    name->n = length;
    return false;
}

bool library_has_model(const Library *lib)
{
    const AstFile *file = lib->last_file < lib->files.n ? lib->files.at[lib->last_file] : NULL;
    bool found = !file;
    Text name = {0};
    for (uint32_t i = 0; file && i < file->classes.n && !found; i++)
        found = find_last_model(file->classes.at[i], &name);
    text_free(&name);
    return found;
}

static const AstClass *last_model(Library *lib)
{
    if (lib->last_file >= lib->files.n) {
        diag(lib->ctx, (Span){0}, DIAG_I017, "no file was given");
        return NULL;
    }
    const AstFile *file = lib->files.at[lib->last_file];
    const AstClass *found = NULL;
    Text name = {0};
    for (uint32_t i = 0; i < file->within.n; i++)
        text_printf(&name, "%s%s", i ? "." : "", file->within.parts[i]);
    for (uint32_t i = file->classes.n; i-- > 0 && !found;)
        if (find_last_model(file->classes.at[i], &name)) {
            name.at[name.n] = 0;
            found = library_find_model(lib, name.at);
            break;
        }
    text_free(&name);
    if (!found && !lib->ctx->n_errors) {
        const AstClass *first = file->classes.n ? file->classes.at[0] : NULL;
        diag(lib->ctx, first ? first->name_span : (Span){file->source, 0, 0}, DIAG_I017,
             "there is no model in this file that could be simulated");
        diag_note(lib->ctx, (Span){0}, "a model, block or class that is not partial is needed");
    }
    return found;
}

const AstClass *library_find_model(Library *lib, const char *name)
{
    if (!name)
        return last_model(lib);
    VEC(Name) parts = {0};
    for (const char *p = name; *p;)
        vec_push(&parts, library_next_name(lib, &p));
    Scope root = {lib->root_inst, lib->root->layers.at[0]};
    Instance *found = parts.n ? lookup_path(lib, root, parts.at, parts.n, true, (Span){0}) : NULL;
    vec_free(&parts);
    if (!found)
        return NULL;
    if (!found->cls->ast) {
        diag(lib->ctx, (Span){0}, DIAG_I017, "'%s' is not a model", name);
        return NULL;
    }
    return found->cls->ast;
}
