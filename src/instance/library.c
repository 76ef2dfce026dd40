/* The library: files of the user, and packages found in folders, indexed by file names and loaded on first use. */
#include "base/text.h"
#include "instance/tree.h"
#include "notation/notation.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static const char *resource(void *user, const char *uri)
{
    return library_resource(user, uri);
}

/* Parses, and checks the tree in test builds. */
static AstFile *parse(Context *ctx, uint32_t source)
{
    AstFile *file = notation_parse(ctx, source);
#ifdef KAIROS_CHECK
    Arena *arena = arena_new();
    const char *breach = ast_check(file, arena);
    if (breach)
        diag(ctx, (Span){0}, DIAG_X001, "the product of phase syntax breaks its contract: %s", breach);
    arena_free(arena);
#endif
    return file;
}

Library *library_new(Context *ctx, Graph *g)
{
    Library *lib = memory_alloc(sizeof *lib);
    lib->ctx = ctx;
    lib->g = g;
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

static void free_file(LibFile *file)
{
    for (uint32_t i = 0; i < file->children.n; i++)
        free_file(file->children.at[i]);
    vec_free(&file->children);
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
    for (uint32_t i = 0; i < lib->tops.n; i++)
        free_file(lib->tops.at[i]);
    for (uint32_t i = 0; i < lib->files.n; i++)
        ast_free(lib->files.at[i]);
    vec_free(&lib->files);
    vec_free(&lib->folders);
    vec_free(&lib->tops);
    vec_free(&lib->tree_files);
    map_free(&lib->file_of_class);
    map_free(&lib->predefined);
    vec_free(&lib->classes);
    map_free(&lib->class_table);
    vec_free(&lib->class_same);
    vec_free(&lib->instances);
    vec_free(&lib->refs);
    map_free(&lib->ref_table);
    map_free(&lib->imports);
    map_free(&lib->checks);
    map_free(&lib->operator_records);
    map_free(&lib->operator_table);
    vec_free(&lib->operator_sets);
    arena_free(lib->arena);
    memory_free(lib);
}

Name library_name(Library *lib, const char *text)
{
    return name_of(lib->ctx->names, text);
}

/* ---- the user's files ---- */

static void add_top(Library *lib, const AstClass *ast, LibFile *file)
{
    uint32_t have = class_find(lib->root, ast ? ast->name : file->name);
    if (have != MAP_NONE) {
        const Element *old = &lib->root->elements.at[have];
        if (ast && old->class_ast && old->class_ast->span.file != ast->span.file) {
            /* a class given later takes the place of one given before, as an edited file would */
            lib->root->elements.at[have].class_ast = ast;
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

/* The package that a file says it belongs to, where it can be found; NULL for the top. */
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
    class_add(c, (Element){.name = ast->name, .kind = ELEMENT_CLASS, .class_ast = ast, .layer = layer});
    if (layer->own)
        map_put(layer->own, map_key(ast->name), 1);
}

bool library_add_source(Library *lib, uint32_t source)
{
    uint32_t before = lib->ctx->n_errors;
    AstFile *file = parse(lib->ctx, source);
    vec_push(&lib->files, file);
    lib->last_file = lib->files.n - 1;
    Instance *package = package_around(lib, file);
    for (uint32_t i = 0; i < file->classes.n; i++) {
        if (package)
            add_within(package, file->classes.at[i]);
        else if (!file->within.n)
            add_top(lib, file->classes.at[i], NULL);
    }
    return lib->ctx->n_errors == before;
}

/* ---- folders ---- */

void library_add_path(Library *lib, const char *folder)
{
    vec_push(&lib->folders, arena_copy(lib->arena, folder, strlen(folder)));
}

static bool is_file(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode);
}

static LibFile *file_new(Library *lib, const char *name, size_t n, const char *path, const char *folder)
{
    LibFile *f = ARENA_NEW(lib->arena, LibFile);
    f->name = name_intern(lib->ctx->names, name, n);
    f->path = path;
    f->folder = folder;
    return f;
}

/* The class that the entry `name` of a folder holds; NULL where it holds none. */
static LibFile *entry_class(Library *lib, const char *folder, const char *name)
{
    size_t n = strlen(name);
    if (name[0] == '.' || !strcmp(name, "package.mo"))
        return NULL;
    const char *full = arena_printf(lib->arena, "%s/%s", folder, name);
    if (n > 3 && !strcmp(name + n - 3, ".mo"))
        return is_file(full) ? file_new(lib, name, n - 3, full, NULL) : NULL;
    const char *package = arena_printf(lib->arena, "%s/package.mo", full);
    return is_file(package) ? file_new(lib, name, n, package, full) : NULL;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(LibFile *const *)a)->name, (*(LibFile *const *)b)->name);
}

/* Indexes the classes in the folder of a package. */
static void scan(Library *lib, LibFile *package)
{
    if (package->scanned || !package->folder)
        return;
    package->scanned = true;
    DIR *dir = opendir(package->folder);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir));) {
        LibFile *child = entry_class(lib, package->folder, e->d_name);
        if (child)
            vec_push(&package->children, child);
    }
    closedir(dir);
    if (package->children.n)
        qsort(package->children.at, package->children.n, sizeof(LibFile *), compare_names);
}

static const AstClass *parse_one(Library *lib, LibFile *file, uint32_t source)
{
    AstFile *ast = parse(lib->ctx, source);
    vec_push(&lib->files, ast);
    for (uint32_t i = 0; i < ast->classes.n; i++)
        if (ast->classes.at[i]->name == file->name)
            return ast->classes.at[i];
    diag(lib->ctx, (Span){source, 0, 0}, DIAG_I001, "the file does not hold the class '%s' its name promises",
         file->name);
    return NULL;
}

bool library_load(Library *lib, LibFile *file)
{
    if (file->ast || file->failed)
        return !file->failed;
    uint32_t source = sources_load(lib->ctx->sources, file->path);
    if (!source) {
        int code = errno;
        diag(lib->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", file->path, strerror(code));
    } else {
        file->ast = parse_one(lib, file, source);
    }
    file->failed = !file->ast;
    if (file->ast) {
        scan(lib, file);
        vec_push(&lib->tree_files, file);
        map_put(&lib->file_of_class, map_key(file->ast), lib->tree_files.n - 1);
    }
    return !file->failed;
}

/* "Modelica" is in "Modelica", "Modelica.mo" and "Modelica 4.1.0"; of several versions the last by name. */
static LibFile *find_in_folder(Library *lib, const char *folder, Name name)
{
    size_t n = strlen(name);
    const char *plain = arena_printf(lib->arena, "%s/%s/package.mo", folder, name);
    if (is_file(plain))
        return file_new(lib, name, n, plain, arena_printf(lib->arena, "%s/%s", folder, name));
    const char *single = arena_printf(lib->arena, "%s/%s.mo", folder, name);
    if (is_file(single))
        return file_new(lib, name, n, single, NULL);
    DIR *dir = opendir(folder);
    const char *best = NULL;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (!strncmp(e->d_name, name, n) && e->d_name[n] == ' ' && (!best || strcmp(e->d_name, best) > 0))
            best = arena_copy(lib->arena, e->d_name, strlen(e->d_name));
    if (dir)
        closedir(dir);
    if (!best)
        return NULL;
    LibFile *f = entry_class(lib, folder, best);
    if (f && !f->folder && strlen(best) > 3)
        f->path = arena_printf(lib->arena, "%s/%s", folder, best);
    if (f)
        f->name = name;
    return f;
}

uint32_t library_top(Library *lib, Name name)
{
    uint32_t have = class_find(lib->root, name);
    if (have != MAP_NONE || strchr(name, '/') || name[0] == '.')
        return have;
    for (uint32_t i = 0; i < lib->folders.n; i++) {
        LibFile *file = find_in_folder(lib, lib->folders.at[i], name);
        if (!file)
            continue;
        vec_push(&lib->tops, file);
        add_top(lib, NULL, file);
        return class_find(lib->root, name);
    }
    return MAP_NONE;
}

/* ---- the model meant ---- */

static bool is_model(const AstClass *c)
{
    return !c->partial &&
           (c->restriction == AST_MODEL || c->restriction == AST_BLOCK || c->restriction == AST_CLASS);
}

/* The last one in the text of `c`, packages included: its path is appended to `name`. */
static bool find_last_model(const AstClass *c, Text *name)
{
    size_t length = name->n;
    text_printf(name, "%s%s", length ? "." : "", c->name);
    if (is_model(c))
        return true;
    for (uint32_t i = c->restriction == AST_PACKAGE ? c->elements.n : 0; i-- > 0;)
        if (c->elements.at[i]->kind == AST_EL_CLASS && find_last_model(c->elements.at[i]->class_, name))
            return true;
    name->n = length;
    return false;
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

Name library_next_name(Library *lib, const char **text)
{
    Text t = {0};
    const char *q = *text;
    for (bool quoted = false; *q && (quoted || *q != '.'); q++) {
        if (quoted && *q == '\\' && q[1]) {
            q++;
            if (*q != '?' && *q != '"')
                text_put_char(&t, '\\');
        } else if (*q == '\'') {
            quoted = !quoted;
        }
        text_put_char(&t, *q);
    }
    *text = *q ? q + 1 : q;
    return library_name(lib, text_keep(&t, lib->arena));
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
        diag(lib->ctx, (Span){0}, DIAG_I017, "'%s' is no model", name);
        return NULL;
    }
    return found->cls->ast;
}

Name class_full_name(Library *lib, const Class *scope, Name name)
{
    if (!scope || !scope->name[0])
        return name;
    return library_name(lib, arena_printf(lib->arena, "%s.%s", scope->name, name));
}
