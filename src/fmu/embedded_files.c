/* Foreign code and files of libraries that the model needs, as resources of the FMU, and the
 * licences of these libraries.
 *
 * The shared objects of external functions go to resources/external; they find each other in this
 * folder. The text of the FMU names the object of each function (FnExternal.object). Files that the
 * text names by URIs, such as tables, go to resources/files. */
#include "fmu/fmu.h"

#include "external/external.h"
#include "fmu/resources.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>

/* Adds a file; false if it cannot be read or is none. */
static bool add_file(FmuContents *c, const char *name, const char *path)
{
    struct stat s;
    FILE *f = fopen(path, "rb");
    bool good = f && !fstat(fileno(f), &s) && S_ISREG(s.st_mode);
    if (good) {
        char *data = arena_alloc(c->arena, (size_t)s.st_size + 1);
        size_t n = fread(data, 1, (size_t)s.st_size, f);
        good = n == (size_t)s.st_size;
        vec_push(&c->files, ((FmuFile){name, data, n}));
    }
    if (f)
        fclose(f);
    return good;
}

/* ---- external functions ---- */

typedef struct Embedding {
    Context *ctx;
    Graph *g;
    FmuContents *contents;
    ExternalObjects objects;
    bool failed;
} Embedding;

static void embed_function(void *user, const Function *f)
{
    Embedding *x = user;
    FnExternal *e = f->external;
    if (!e || !strcmp(e->language, "builtin"))
        return;
    ExternalCode *code = external_of(x->g);
    const char *why = NULL;
    if (!external_entry(code, x->g, f, &why)) {
        diag(x->ctx, f->span, DIAG_U020,
             "the model cannot be an FMU: the external function %s cannot be included: %s", f->name,
             why);
        x->failed = true;
        return;
    }
    const char *path = external_objects(code, f, &x->objects);
    const char *slash = strrchr(path, '/');
    e->object = arena_copy(x->g->arena, slash + 1, strlen(slash + 1));
    x->contents->objects = arena_copy(x->contents->arena, path, (size_t)(slash - path));
}

static void embed_object(Embedding *x, const char *path)
{
    Arena *arena = x->contents->arena;
    if (path[0] == '-') {
        diag(x->ctx, (Span){0}, DIAG_U021,
             "the FMU needs the library '%s' of the system; install it where the FMU runs",
             path + 2);
        return;
    }
    const char *name = arena_printf(arena, "resources/" OBJECTS_FOLDER "%s", strrchr(path, '/'));
    if (add_file(x->contents, name, path))
        return;
    diag(x->ctx, (Span){0}, DIAG_U020, "'%s' cannot be read", path);
    x->failed = true;
}

bool fmu_embed_code(Context *ctx, Flat *declared, FmuContents *contents)
{
    Embedding x = {.ctx = ctx, .g = declared->g, .contents = contents};
    flat_each_function(declared, embed_function, &x);
    for (uint32_t i = 0; i < x.objects.n && !x.failed; i++)
        embed_object(&x, x.objects.at[i]);
    vec_free(&x.objects);
    return !x.failed;
}

void fmu_release_code(Flat *declared)
{
    for (uint32_t i = 0; i < declared->g->functions.n; i++)
        if (declared->g->functions.at[i]->external)
            declared->g->functions.at[i]->external->object = NULL;
}

/* ---- files of libraries ---- */

static bool is_listed(const FmuContents *c, const char *name)
{
    for (uint32_t i = 0; i < c->files.n; i++)
        if (!strcmp(c->files.at[i].name, name))
            return true;
    return false;
}

static void embed_uri(const Graph *g, FmuContents *c, const char *uri)
{
    const char *inside = uri + strlen(RESOURCE_SCHEME);
    const char *path = strstr(inside, "..") ? NULL : g->resource(g->resource_user, uri);
    const char *name = arena_printf(c->arena, "resources/" FILES_FOLDER "/%s", inside);
    if (path && !is_listed(c, name))
        add_file(c, name, path);
}

void fmu_embed_files(const Graph *g, const char *text, FmuContents *c)
{
    static const char sign[] = "\"" RESOURCE_SCHEME;
    for (const char *at = text; (at = strstr(at, sign)); at++) {
        const char *uri = at + 1;
        embed_uri(g, c, arena_copy(c->arena, uri, strcspn(uri, "\"\\")));
    }
}

/* ---- licences ---- */

static bool is_licence(const char *name)
{
    static const char *const begins[] = {"license", "licence", "copying", "copyright", "notice"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (!strncasecmp(name, begins[i], strlen(begins[i])))
            return true;
    return false;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the files of a folder that are licences, in the order of their names. True if there are
 * some. */
static bool embed_from(FmuContents *c, const char *package, const char *folder)
{
    VEC(const char *) names = {0};
    DIR *open = opendir(folder);
    for (struct dirent *e; open && (e = readdir(open));)
        if (is_licence(e->d_name))
            vec_push(&names, arena_copy(c->arena, e->d_name, strlen(e->d_name)));
    if (open)
        closedir(open);
    if (names.n)
        qsort(names.at, names.n, sizeof *names.at, by_text);
    bool any = false;
    for (uint32_t i = 0; i < names.n; i++) {
        const char *to =
            arena_printf(c->arena, "documentation/licenses/%s/%s", package, names.at[i]);
        const char *from = arena_printf(c->arena, "%s/%s", folder, names.at[i]);
        any |= is_listed(c, to) || add_file(c, to, from);
    }
    vec_free(&names);
    return any;
}

/* In the folder of the package, its Resources/Licenses, or else in the folder around it. */
void fmu_embed_licences(FmuContents *c, const char *package, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_copy(c->arena, path, (size_t)(slash - path)) : ".";
    bool own = slash && !strcmp(slash, "/package.mo");
    const char *inside = arena_printf(c->arena, "%s/Resources/Licenses", folder);
    bool any = own && embed_from(c, package, inside);
    if (!embed_from(c, package, folder) && own && !any)
        embed_from(c, package, arena_printf(c->arena, "%s/..", folder));
}
