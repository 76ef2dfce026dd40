/* Packages stored in folders (section 13.4 of the specification) and their versions (section 18.8).
 *
 * Folders of libraries are indexed once by file names; a file is parsed on the first lookup of its
 * class. Of several versions of a library, Kairos uses the one of a `uses` annotation. Otherwise it
 * uses the first by the order of folders, and within a folder the newest. */
#include "instance/library/package_folders.h"
#include "syntax/parse/parse.h"

#include "base/text.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

bool is_plain_file(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode);
}

static bool holds_package(Library *lib, const char *folder)
{
    return is_plain_file(arena_printf(lib->arena, "%s/package.mo", folder));
}

static void free_file(LibFile *file)
{
    for (uint32_t i = 0; i < file->children.n; i++)
        free_file(file->children.at[i]);
    vec_free(&file->children);
}

void folders_free(Library *lib)
{
    for (uint32_t i = 0; i < lib->stored.n; i++)
        free_file(lib->stored.at[i]);
    vec_free(&lib->stored);
    vec_free(&lib->folders);
    vec_free(&lib->tree_files);
    map_free(&lib->file_of_class);
    vec_free(&lib->misplaced);
    map_free(&lib->misplaced_of_name);
}

static LibFile *file_new(Library *lib, const char *name, size_t n, const char *path,
                         const char *folder)
{
    LibFile *f = ARENA_NEW(lib->arena, LibFile);
    f->name = name_intern(lib->ctx->names, name, n);
    f->path = path;
    f->folder = folder;
    return f;
}

/* ---- the index of top-level packages ---- */

void library_add_path(Library *lib, const char *folder)
{
    vec_push(&lib->folders, arena_copy(lib->arena, folder, strlen(folder)));
}

/* Newer versions first: parts between dots are compared as numbers if they are numbers. */
static int version_compare(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_end, *b_end;
            unsigned long x = strtoul(a, &a_end, 10), y = strtoul(b, &b_end, 10);
            if (x != y)
                return x > y ? -1 : 1;
            a = a_end;
            b = b_end;
        } else if (*a != *b) {
            return *a > *b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? -1 : *b ? 1 : 0;
}

static int compare_stored(const void *a, const void *b)
{
    const LibFile *f = *(LibFile *const *)a, *g = *(LibFile *const *)b;
    int order = strcmp(f->name, g->name);
    if (order || !f->version || !g->version)
        return order ? order : !f->version ? -(g->version != NULL) : 1;
    return version_compare(f->version, g->version);
}

/* "Modelica", "Modelica.mo", "Modelica 4.1.0" or "Modelica 4.1.0.mo". */
static LibFile *stored_entry(Library *lib, const char *folder, const char *entry)
{
    size_t n = strlen(entry);
    bool single = text_ends_with(entry, ".mo");
    const char *stem = single ? arena_copy(lib->arena, entry, n - 3) : entry,
               *space = strchr(stem, ' ');
    if (entry[0] == '.' || !strcmp(entry, "package.mo") || space == stem)
        return NULL;
    const char *full = arena_printf(lib->arena, "%s/%s", folder, entry);
    const char *text = single ? full : arena_printf(lib->arena, "%s/package.mo", full);
    LibFile *f = file_new(lib, stem, space ? (size_t)(space - stem) : strlen(stem), text,
                          single ? NULL : full);
    f->version = space ? arena_copy(lib->arena, space + 1, strlen(space + 1)) : NULL;
    return f;
}

/* Name and version of the class in a file, read without loading it. False if it has no class of the
 * top level. */
static bool read_header(Library *lib, const char *path, Name *name, const char **version)
{
    Context *scratch = context_new();
    uint32_t source = sources_load(scratch->sources, path);
    AstFile *file = source ? syntax_parse(scratch, source) : NULL;
    const AstClass *c = file && file->classes.n && !file->within.n ? file->classes.at[0] : NULL;
    const char *own = c ? class_version(c) : NULL;
    *name = c ? library_name(lib, c->name) : NULL;
    *version = own ? arena_copy(lib->arena, own, strlen(own)) : NULL;
    if (file)
        ast_free(file);
    context_free(scratch);
    return *name;
}

/* A folder that is a package. Its name may differ, for example in a checkout. */
static LibFile *stored_package(Library *lib, const char *folder)
{
    const char *text = arena_printf(lib->arena, "%s/package.mo", folder), *version;
    Name name;
    return read_header(lib, text, &name, &version) ? file_new(lib, name, strlen(name), text, folder)
                                                   : NULL;
}

static void index_folder(Library *lib, const char *folder)
{
    uint32_t first = lib->stored.n;
    if (holds_package(lib, folder)) { /* the folder is a package itself */
        LibFile *f = stored_package(lib, folder);
        if (f)
            vec_push(&lib->stored, f);
    }
    DIR *dir = lib->stored.n > first ? NULL : opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        LibFile *f = stored_entry(lib, folder, e->d_name);
        if (f)
            vec_push(&lib->stored, f);
    }
    if (dir)
        closedir(dir);
    if (lib->stored.n > first)
        qsort(lib->stored.at + first, lib->stored.n - first, sizeof(LibFile *), compare_stored);
    for (uint32_t i = first; i < lib->stored.n; i++)
        lib->stored.at[i]->folder_number = lib->n_indexed;
}

void library_index(Library *lib)
{
    for (; lib->n_indexed < lib->folders.n; lib->n_indexed++)
        index_folder(lib, lib->folders.at[lib->n_indexed]);
}

/* ---- versions ---- */

static const char *string_value(const AstExpr *e)
{
    return e && e->kind == AST_STRING ? e->string : NULL;
}

/* The loaded class that says which version of `name` it uses; NULL if none does. */
static const AstClass *user_of(Library *lib, Name name, const AstExpr **version)
{
    for (uint32_t i = 0; i < lib->root->elements.n; i++) {
        const Element *e = &lib->root->elements.at[i];
        const AstClass *c = e->class_ast ? e->class_ast : e->file ? e->file->ast : NULL;
        const AstMod *uses = c ? annotation_part(c->comment.annotation, "uses") : NULL;
        *version = uses ? annotation_value(annotation_part(uses, name), "version") : NULL;
        if (string_value(*version))
            return c;
    }
    *version = NULL;
    return NULL;
}

static const char *used_version(Library *lib, Name name)
{
    const AstExpr *version;
    user_of(lib, name, &version);
    return string_value(version);
}

/* Can models for `version` be used with this class as they are (conversion(noneFromVersion = …),
 * section 18.8.3)? */
static bool serves_version(const AstClass *c, const char *version)
{
    const char *own = class_version(c);
    if (!own || !strcmp(own, version))
        return true;
    const AstMod *conversion = annotation_part(c->comment.annotation, "conversion");
    for (uint32_t i = 0; conversion && i < conversion->args.n; i++) {
        const AstArg *a = &conversion->args.at[i];
        const AstExpr *e = a->name.n == 1 && !strcmp(a->name.parts[0], "noneFromVersion") && a->mod
                               ? a->mod->value
                               : NULL;
        for (uint32_t k = 0; e && k < (e->kind == AST_ARRAY ? e->args.n : 1); k++) {
            const char *from = string_value(e->kind == AST_ARRAY ? e->args.at[k] : e);
            if (from && !strcmp(from, version))
                return true;
        }
    }
    return false;
}

static bool is_version(Library *lib, LibFile *f, const char *version)
{
    if (f->version)
        return !strcmp(f->version, version);
    const char *own = library_load(lib, f) ? class_version(f->ast) : NULL;
    return own && !strcmp(own, version);
}

static bool is_stored(const LibFile *f)
{
    return is_plain_file(f->path);
}

static LibFile *choose(Library *lib, Name name)
{
    const char *want = used_version(lib, name);
    LibFile *first = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < lib->stored.n; i++) {
        LibFile *f = lib->stored.at[i];
        if (f->name == name && is_stored(f)) {
            first = first ? first : f;
            n++;
        }
    }
    for (uint32_t i = 0; want && n > 1 && i < lib->stored.n; i++) {
        LibFile *f = lib->stored.at[i];
        if (f->name == name && is_stored(f) && is_version(lib, f, want))
            return f;
    }
    return first;
}

static void check_version(Library *lib, const LibFile *f)
{
    const AstExpr *version;
    const AstClass *user = user_of(lib, f->name, &version);
    if (!user || serves_version(f->ast, string_value(version)))
        return;
    diag(lib->ctx, version->span, DIAG_I057,
         "'%s' uses version %s of '%s', but version %s was found", user->name,
         string_value(version), f->name, class_version(f->ast));
    diag_note(lib->ctx, f->ast->name_span, "Kairos uses this one");
    diag_note(lib->ctx, (Span){0}, "'kairos lib add FOLDER|FILE.zip' adds another version");
    report_rule(lib, "18.8.2", "'uses' says which version of a library a class depends on");
}

uint32_t library_top(Library *lib, Name name)
{
    uint32_t have = class_find(lib->root, name);
    if (have != MAP_NONE || strchr(name, '/') || name[0] == '.')
        return have;
    library_index(lib);
    LibFile *file = choose(lib, name);
    if (!file)
        return MAP_NONE;
    library_add_top(lib, file->ast, file);
    return class_find(lib->root, name);
}

uint32_t library_list(Library *lib, StoredLibrary **list)
{
    VEC(StoredLibrary) all = {0};
    library_index(lib);
    for (uint32_t i = 0; i < lib->stored.n; i++) {
        const LibFile *f = lib->stored.at[i];
        StoredLibrary l = {.place = f->folder ? f->folder : f->path, .folder = f->folder_number};
        const char *version;
        if (!is_stored(f) || !read_header(lib, f->path, &l.name, &version) || l.name != f->name)
            continue;
        l.version = version ? version : f->version;
        vec_push(&all, l);
    }
    uint32_t n = all.n;
    *list = vec_keep(&all, lib->arena);
    return n;
}

/* ---- the classes in the folder of a package ---- */

/* The class in the entry `name` of a package's folder; or NULL. */
static LibFile *entry_class(Library *lib, const LibFile *package, const char *name)
{
    size_t n = strlen(name);
    if (name[0] == '.' || !strcmp(name, "package.mo"))
        return NULL;
    const char *full = arena_printf(lib->arena, "%s/%s", package->folder, name);
    const char *text = arena_printf(lib->arena, "%s/package.mo", full);
    LibFile *f = NULL;
    if (text_ends_with(name, ".mo"))
        f = is_plain_file(full) ? file_new(lib, name, n - 3, full, NULL) : NULL;
    else if (is_plain_file(text))
        f = file_new(lib, name, n, text, full);
    if (f)
        f->package = package;
    return f;
}

static int compare_names(const void *a, const void *b)
{
    const LibFile *f = *(LibFile *const *)a, *g = *(LibFile *const *)b;
    int order = strcmp(f->name, g->name);
    return order ? order : strcmp(f->path, g->path);
}

static void scan(Library *lib, LibFile *package)
{
    if (package->scanned || !package->folder)
        return;
    package->scanned = true;
    DIR *dir = opendir(package->folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        LibFile *child = entry_class(lib, package, e->d_name);
        if (child)
            vec_push(&package->children, child);
    }
    if (dir)
        closedir(dir);
    if (package->children.n)
        qsort(package->children.at, package->children.n, sizeof(LibFile *), compare_names);
    package_check(lib, package);
}

void library_set_text(Library *lib, LibFile *file, const AstClass *ast)
{
    file->ast = ast;
    vec_push(&lib->tree_files, file);
    map_put(&lib->file_of_class, map_key(ast), lib->tree_files.n - 1);
    scan(lib, file);
}

bool library_load(Library *lib, LibFile *file)
{
    if (file->ast || file->failed)
        return !file->failed;
    AstFile *text = library_parse_file(lib, file->path);
    const AstClass *ast = NULL;
    if (!text) {
        int code = errno;
        diag(lib->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", file->path, strerror(code));
    } else {
        ast = package_class(lib, file, text);
    }
    file->failed = !ast;
    if (!ast)
        return false;
    library_set_text(lib, file, ast);
    if (!file->package)
        check_version(lib, file);
    return true;
}

/* ---- the place of a user's file ---- */

static const char *parent_folder(Library *lib, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return strcmp(path, ".") && strcmp(path, "..") ? "."
                                                       : arena_printf(lib->arena, "%s/..", path);
    return slash == path ? "/" : arena_copy(lib->arena, path, (size_t)(slash - path));
}

/* A file in the folder of a package that its within clause does not name. The folder of a whole
 * library may have another name. */
static void check_place(Library *lib, const AstFile *file, const char *folder)
{
    char *real = realpath(folder, NULL);
    const char *name = real ? strrchr(real, '/') + 1 : folder;
    bool is_top = !holds_package(lib, parent_folder(lib, real ? real : folder));
    if (!file->has_within && file->classes.n) {
        diag(lib->ctx, file->classes.at[0]->name_span, DIAG_I052,
             "the file is in the folder of package '%s', but has no 'within' clause", name);
        report_rule(lib, "13.4.3",
                    "the within clause names the package in whose folder the class is stored");
    } else if (file->within.n && !is_top && strcmp(file->within.parts[file->within.n - 1], name)) {
        diag(lib->ctx, file->within.span, DIAG_I051,
             "the file says 'within' package '%s', but it is in the folder of package '%s'",
             file->within.parts[file->within.n - 1], name);
        report_rule(lib, "13.4.3",
                    "the within clause names the package in whose folder the class is stored");
    }
    free(real);
}

/* A file within a package stored in folders makes its library known. Returns the folder of the
 * package.mo that is given; NULL for other files. */
const char *library_find_place(Library *lib, const AstFile *file)
{
    const char *path = sources_get(lib->ctx->sources, file->source)->path,
               *slash = strrchr(path, '/');
    const char *folder = parent_folder(lib, path), *top = folder;
    bool is_package = !strcmp(slash ? slash + 1 : path, "package.mo");
    if (!is_plain_file(path) || !holds_package(lib, folder))
        return NULL;
    if (!is_package)
        check_place(lib, file, folder);
    for (uint32_t i = is_package ? 0 : 1;
         i < file->within.n && holds_package(lib, parent_folder(lib, top)); i++)
        top = parent_folder(lib, top);
    if (file->within.n) {
        index_folder(lib, top);
        library_add_path(lib, parent_folder(lib, top)); /* its neighbours come last */
    }
    return is_package ? folder : NULL;
}

LibFile *library_own_file(Library *lib, Name name, const char *folder)
{
    const char *text = arena_printf(lib->arena, "%s/package.mo", folder);
    LibFile *f = file_new(lib, name, strlen(name), text, folder);
    vec_push(&lib->stored, f);
    return f;
}

/* ---- a class in a file of another name ---- */

enum { MOST_ENTRIES = 4000, MOST_FOLDERS_DOWN = 3 };

/* Whether a file has a top-level class. `span`: if given, the file becomes a source, for the place
 * of the class's name. */
static bool find_in_file(Library *lib, const char *path, Name name, Span *span)
{
    Context *scratch = context_new();
    uint32_t source = sources_load(scratch->sources, path);
    const Source *text = source ? sources_get(scratch->sources, source) : NULL;
    AstFile *file = text && strstr(text->text, name) ? syntax_parse(scratch, source) : NULL;
    bool found = false;
    for (uint32_t i = 0; file && !file->within.n && i < file->classes.n && !found; i++) {
        const AstClass *c = file->classes.at[i];
        if (strcmp(c->name, name))
            continue;
        found = true;
        if (span)
            *span =
                (Span){sources_add(lib->ctx->sources, arena_copy(lib->arena, path, strlen(path)),
                                   text->text, text->size),
                       c->name_span.at, c->name_span.end};
    }
    if (file)
        ast_free(file);
    context_free(scratch);
    return found;
}

/* Entries are looked at in any order: the first path by the alphabet is the answer. */
static void find_below(Library *lib, const char *folder, Name name, uint32_t down, uint32_t *left,
                       const char **best)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && *left && (e = readdir(dir));) {
        if (e->d_name[0] == '.')
            continue;
        const char *path = arena_printf(lib->arena, "%s/%s", folder, e->d_name);
        struct stat s;
        --*left;
        if (stat(path, &s))
            continue;
        if (S_ISDIR(s.st_mode) && holds_package(lib, path))
            path = arena_printf(lib->arena, "%s/package.mo", path);
        else if (S_ISDIR(s.st_mode)) {
            if (down)
                find_below(lib, path, name, down - 1, left, best);
            continue;
        }
        if (text_ends_with(path, ".mo") && is_plain_file(path) &&
            (!*best || strcmp(path, *best) < 0) && find_in_file(lib, path, name, NULL))
            *best = path;
    }
    if (dir)
        closedir(dir);
}

static bool misplaced(Library *lib, Name name, Span *span)
{
    uint32_t at = map_get(&lib->misplaced_of_name, map_key(name));
    if (at == MAP_NONE) { /* every message about the name has the same place */
        const char *best = NULL;
        Span found = {0};
        for (uint32_t i = 0; i < lib->folders.n && !best; i++) {
            uint32_t left = MOST_ENTRIES;
            if (!holds_package(lib, lib->folders.at[i]))
                find_below(lib, lib->folders.at[i], name, MOST_FOLDERS_DOWN, &left, &best);
        }
        if (best)
            find_in_file(lib, best, name, &found);
        at = lib->misplaced.n;
        vec_push(&lib->misplaced, found);
        map_put(&lib->misplaced_of_name, map_key(name), at);
    }
    *span = lib->misplaced.at[at];
    return span->file;
}

const StoredClasses folder_classes = {library_load, library_top, used_version, misplaced};
