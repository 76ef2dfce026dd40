/* The rules for packages stored in folders: sections 13.4.1 to 13.4.3 of the specification. */
#include "instance/library/package_folders.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the class of a file ---- */

static const char *full_name(Library *lib, const LibFile *file)
{
    if (!file)
        return "";
    const char *around = full_name(lib, file->package);
    return *around ? arena_printf(lib->arena, "%s.%s", around, file->name) : file->name;
}

static const char *within_text(Library *lib, const AstName *within)
{
    const char *text = "";
    for (uint32_t i = 0; i < within->n; i++)
        text = arena_printf(lib->arena, "%s%s%s", text, i ? "." : "", within->parts[i]);
    return text;
}

static bool check_within(Library *lib, const LibFile *file, const AstFile *ast)
{
    const char *want = full_name(lib, file->package), *have = within_text(lib, &ast->within);
    Span at = ast->within.n || !ast->classes.n ? ast->within.span : ast->classes.at[0]->name_span;
    if (!strcmp(want, have))
        return true;
    if (!*have) {
        diag(lib->ctx, at, DIAG_I052,
             "the file is in package '%s', but does not begin with 'within %s;'", want, want);
    } else {
        diag(lib->ctx, at, DIAG_I051, "the file says 'within %s', but it is %s%s%s", have,
             *want ? "in package '" : "at the top of a library; write 'within;'", want,
             *want ? "'" : "");
    }
    report_rule(lib, "13.4.3",
                "the within clause names the package in whose folder the class is stored");
    return !*have;
}

const AstClass *package_class(Library *lib, const LibFile *file, const AstFile *ast)
{
    if (!check_within(lib, file, ast))
        return NULL;
    for (uint32_t i = 0; i < ast->classes.n; i++)
        if (ast->classes.at[i]->name == file->name)
            return ast->classes.at[i];
    Span at = ast->classes.n ? ast->classes.at[0]->name_span : (Span){ast->source, 0, 0};
    diag(lib->ctx, at, DIAG_I050,
         "the %s must contain the class '%s' of its name, but contains %s%s%s",
         file->folder ? "folder" : "file", file->name, ast->classes.n ? "'" : "no class",
         ast->classes.n ? ast->classes.at[0]->name : "", ast->classes.n ? "'" : "");
    report_rule(lib, "13.4.1", "a class is stored under its own name");
    return NULL;
}

/* ---- names in a folder ---- */

static Span text_span(const LibFile *package)
{
    return package->ast->name_span;
}

static void check_names(Library *lib, const LibFile *package)
{
    for (uint32_t i = 1; i < package->children.n; i++) {
        const LibFile *f = package->children.at[i - 1], *g = package->children.at[i];
        if (f->name != g->name)
            continue;
        diag(lib->ctx, text_span(package), DIAG_I054,
             "class '%s' of package '%s' is stored twice: '%s' and '%s'", f->name,
             full_name(lib, package), f->path, g->path);
        report_rule(lib, "13.4.1",
                    "two entries of a folder shall not define classes of the same name");
    }
    for (uint32_t i = 0; i < package->children.n; i++)
        for (uint32_t k = 0; k < package->ast->elements.n; k++) {
            const AstElement *e = package->ast->elements.at[k];
            if (e->kind != AST_EL_CLASS || e->name != package->children.at[i]->name)
                continue;
            diag(lib->ctx, e->class_->name_span, DIAG_I054,
                 "class '%s' of package '%s' is stored twice: here and in '%s'", e->name,
                 full_name(lib, package), package->children.at[i]->path);
            report_rule(lib, "13.4.1",
                        "two entries of a folder shall not define classes of the same name");
        }
}

static int compare_case(const void *a, const void *b)
{
    const LibFile *f = *(LibFile *const *)a, *g = *(LibFile *const *)b;
    int order = strcasecmp(f->name, g->name);
    return order ? order : strcmp(f->name, g->name);
}

static void check_case(Library *lib, const LibFile *package)
{
    uint32_t n = package->children.n;
    LibFile **sorted = ARENA_ARRAY(lib->arena, LibFile *, n + 1);
    if (n)
        memcpy(sorted, package->children.at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_case);
    for (uint32_t i = 1; i < n; i++)
        if (sorted[i - 1]->name != sorted[i]->name &&
            !strcasecmp(sorted[i - 1]->name, sorted[i]->name))
            diag(lib->ctx, text_span(package), DIAG_I056,
                 "'%s' and '%s' in package '%s' differ only in case; on file systems that ignore "
                 "case, one hides the other",
                 sorted[i - 1]->name, sorted[i]->name, full_name(lib, package));
}

/* ---- folders that are not packages ---- */

static bool holds_modelica(const char *folder)
{
    bool found = false;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && !found && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        found = n > 3 && e->d_name[0] != '.' && !strcmp(e->d_name + n - 3, ".mo");
    }
    if (dir)
        closedir(dir);
    return found;
}

/* A folder with Modelica files beside a package's classes, without package.mo. Resources may
 * contain anything. */
static void check_folder(Library *lib, const LibFile *package, const char *name)
{
    const char *folder = arena_printf(lib->arena, "%s/%s", package->folder, name);
    struct stat s;
    if (name[0] == '.' || !strcmp(name, "Resources") || stat(folder, &s) || !S_ISDIR(s.st_mode) ||
        is_plain_file(arena_printf(lib->arena, "%s/package.mo", folder)) || !holds_modelica(folder))
        return;
    diag(lib->ctx, text_span(package), DIAG_I055,
         "folder '%s' has Modelica files but no package.mo, so it is not part of '%s'", folder,
         full_name(lib, package));
    report_rule(lib, "13.4.1", "the folder of a package holds a file package.mo with its class");
}

/* ---- package.order ---- */

typedef struct Order {
    Library *lib;
    const LibFile *package;
    uint32_t source;
    Map names; /* Name → 1, of the lines so far */
} Order;

static bool is_element(const Order *o, Name name)
{
    for (uint32_t i = 0; i < o->package->children.n; i++)
        if (o->package->children.at[i]->name == name)
            return true;
    for (uint32_t i = 0; i < o->package->ast->elements.n; i++) {
        const AstElement *e = o->package->ast->elements.at[i];
        if ((e->kind == AST_EL_CLASS ? e->class_->name : e->name) == name)
            return true;
    }
    return false;
}

static void check_line(Order *o, Name name, Span at)
{
    const char *package = full_name(o->lib, o->package);
    if (map_get(&o->names, map_key(name)) != MAP_NONE)
        diag(o->lib->ctx, at, DIAG_I053, "package.order lists '%s' twice", name);
    else if (!is_element(o, name))
        diag(o->lib->ctx, at, DIAG_I053,
             "package.order lists '%s', but package '%s' has no such element", name, package);
    else
        at.file = 0;
    if (at.file)
        report_rule(o->lib, "13.4.1",
                    "package.order lists the classes and constants of a package, each once");
    map_put(&o->names, map_key(name), 1);
}

static void check_lines(Order *o)
{
    const Source *s = sources_get(o->lib->ctx->sources, o->source);
    for (uint32_t at = 0, end; at < s->size; at = end + 1) {
        for (end = at; end < s->size && s->text[end] != '\n';)
            end++;
        uint32_t first = at, last = end;
        while (first < last && isspace((unsigned char)s->text[first]))
            first++;
        while (last > first && isspace((unsigned char)s->text[last - 1]))
            last--;
        if (last > first)
            check_line(o, name_intern(o->lib->ctx->names, s->text + first, last - first),
                       (Span){o->source, first, last});
    }
}

static void check_listed(Order *o, Name name)
{
    if (map_get(&o->names, map_key(name)) != MAP_NONE)
        return;
    diag(o->lib->ctx, (Span){o->source, 0, 0}, DIAG_I053,
         "package.order does not list '%s' of package '%s'", name, full_name(o->lib, o->package));
    report_rule(o->lib, "13.4.1",
                "package.order lists the classes and constants of a package, each once");
}

static void check_order(Library *lib, const LibFile *package)
{
    uint32_t source = sources_load(lib->ctx->sources,
                                   arena_printf(lib->arena, "%s/package.order", package->folder));
    if (!source)
        return; /* it may be left out */
    Order o = {lib, package, source, {0}};
    check_lines(&o);
    for (uint32_t i = 0; i < package->children.n; i++)
        check_listed(&o, package->children.at[i]->name);
    for (uint32_t i = 0; i < package->ast->elements.n; i++)
        if (package->ast->elements.at[i]->kind == AST_EL_CLASS)
            check_listed(&o, package->ast->elements.at[i]->class_->name);
    map_free(&o.names);
}

void package_check(Library *lib, const LibFile *package)
{
    check_names(lib, package);
    check_case(lib, package);
    DIR *dir = opendir(package->folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        check_folder(lib, package, e->d_name);
    if (dir)
        closedir(dir);
    check_order(lib, package);
}
