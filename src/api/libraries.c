/* The user's libraries: list, add, remove, path. */
#include "api/session.h"

#include "base/text.h"
#include "store/store.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Work {
    Kairos *k;
    const char *name, *version;
    KairosFormat format;
    Store *store; /* open; its lock must not outlive the action, even if memory runs out */
    Text text;    /* the answer */
    int status;
} Work;

/* The folder of the object with this code, for any program that loads it; false if unknown. The
 * name of the program itself is not that of its file. */
static bool own_folder(char folder[PATH_MAX], bool *shared)
{
    Dl_info info;
    struct link_map *map = NULL;
    *shared = dladdr1((void *)(uintptr_t)kairos_version, &info, (void **)&map, RTLD_DL_LINKMAP) &&
              map && map->l_name && *map->l_name;
    if (*shared)
        return !dlinfo(map, RTLD_DI_ORIGIN, folder);
    ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[n > 0 ? n : 0] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash;
}

/* The folder of the library that comes with Kairos: in the installation or the build of this code,
 * otherwise in the configured prefix. */
static const char *shipped_folder(Arena *arena)
{
    char folder[PATH_MAX];
    bool shared, known = own_folder(folder, &shared);
    const char *const places[] = {shared ? DATA_FROM_LIBRARY : DATA_FROM_PROGRAM, DATA_FROM_BUILD};
    for (size_t i = 0; known && i < sizeof places / sizeof *places; i++) {
        char *real = realpath(arena_printf(arena, "%s/%s/library", folder, places[i]), NULL);
        const char *place = real ? arena_copy(arena, real, strlen(real)) : NULL;
        free(real);
        if (place)
            return place;
    }
    return DATA_INSTALLED "/library";
}

static bool is_below(const char *place, const char *folder)
{
    size_t n = strlen(folder);
    return !strncmp(folder, place, n) && (place[n] == '/' || !place[n]);
}

static void use_libraries(void *arg)
{
    const Work *w = arg;
    Store *s = store_open(w->k->ctx);
    for (uint32_t i = 0; i < s->entries.n; i++)
        library_add_path(w->k->library, s->entries.at[i].folder);
    store_close(s);
    library_add_path(w->k->library, shipped_folder(w->k->ctx->arena));
}

void kairos_use_libraries(Kairos *k)
{
    Work w = {.k = k};
    session_guard(k, use_libraries, &w, &w.status);
}

/* ---- packages of a folder ---- */

typedef struct Packages {
    Context *ctx;
    Graph *graph;
    Library *library;
    StoredLibrary *at;
    uint32_t n;
} Packages;

/* The contents of a folder, without the session's libraries. */
static Packages packages_in(const char *folder)
{
    Packages p = {.ctx = context_new()};
    p.graph = graph_new(p.ctx);
    p.library = library_new(p.ctx, p.graph);
    library_add_path(p.library, folder);
    p.n = library_list(p.library, &p.at);
    return p;
}

static void packages_free(Packages *p)
{
    library_free(p->library);
    graph_free(p->graph);
    context_free(p->ctx);
}

static bool same_version(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

static void put_package(Text *t, const StoredLibrary *l)
{
    text_printf(t, "%s%s%s", l->name, l->version ? " " : "", l->version ? l->version : "");
}

/* ---- add ---- */

/* The entry of the store with this package; UINT32_MAX if none of the first n has it. */
static uint32_t holder_of(const Store *s, uint32_t n, const StoredLibrary *l)
{
    uint32_t holder = UINT32_MAX;
    for (uint32_t i = 0; i < n && holder == UINT32_MAX; i++) {
        Packages p = packages_in(s->entries.at[i].folder);
        for (uint32_t k = 0; k < p.n; k++)
            if (!strcmp(p.at[k].name, l->name) && same_version(p.at[k].version, l->version))
                holder = i;
        packages_free(&p);
    }
    return holder;
}

static bool check_new(Work *w, const Store *s, uint32_t before, uint32_t at)
{
    Packages p = packages_in(s->entries.at[at].folder);
    bool ok = true;
    for (uint32_t i = 0; i < p.n; i++) {
        uint32_t holder = holder_of(s, before, &p.at[i]);
        if (holder == UINT32_MAX) {
            text_put(&w->text, w->text.n ? ", " : "added ");
            put_package(&w->text, &p.at[i]);
            continue;
        }
        ok = false;
        diag(w->k->ctx, (Span){0}, DIAG_U010,
             "'%s'%s%s was already added from '%s'; run 'kairos lib remove %s' first", p.at[i].name,
             p.at[i].version ? " version " : "", p.at[i].version ? p.at[i].version : "",
             s->entries.at[holder].source, p.at[i].name);
    }
    packages_free(&p);
    return ok;
}

static void add(void *arg)
{
    Work *w = arg;
    Store *s = w->store = store_open(w->k->ctx);
    w->status = KAIROS_USE_ERROR;
    bool ok = store_lock(s);
    uint32_t before = s->entries.n, n = ok ? store_take(s, w->name) : 0;
    ok = n > 0;
    for (uint32_t i = before; i < before + n; i++)
        ok = check_new(w, s, before, i) && ok;
    if (ok && !w->text.n) {
        diag(w->k->ctx, (Span){0}, DIAG_U010,
             "there is no Modelica package in '%s' that can be read", w->name);
        ok = false;
    }
    if (ok && store_write(s))
        w->status = KAIROS_OK;
    else if (n)
        store_discard(s, &s->entries.at[before]);
}

static int answer(Kairos *k, void (*action)(void *), Work *w, char **text)
{
    int status = session_guard(k, action, w, &w->status);
    if (w->store)
        store_close(w->store);
    if (!text || status != KAIROS_OK)
        text_free(&w->text);
    if (text)
        *text = w->text.at; /* now the caller's */
    return status;
}

int kairos_add_source(Kairos *k, const char *source, char **report)
{
    Work w = {.k = k, .name = source};
    return answer(k, add, &w, report);
}

/* ---- remove ---- */

static bool is_meant(const Work *w, const StoreEntry *e)
{
    char *real = realpath(w->name, NULL);
    bool meant =
        !strcmp(e->source, w->name) || !strcmp(e->folder, w->name) ||
        (real && strchr(w->name, '/') && (!strcmp(e->source, real) || !strcmp(e->folder, real)));
    free(real);
    Packages p = meant ? (Packages){0} : packages_in(e->folder);
    for (uint32_t i = 0; i < p.n && !meant; i++)
        meant = !strcmp(p.at[i].name, w->name) &&
                (!w->version || same_version(p.at[i].version, w->version));
    if (p.ctx)
        packages_free(&p);
    return meant;
}

/* The entry meant by a name, or a place; UINT32_MAX after an error. */
static uint32_t find_entry(const Work *w, const Store *s)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < s->entries.n; i++) {
        if (!is_meant(w, &s->entries.at[i]))
            continue;
        if (found != UINT32_MAX && strcmp(s->entries.at[found].source, s->entries.at[i].source)) {
            diag(w->k->ctx, (Span){0}, DIAG_U010,
                 "'%s' was added more than once; name '%s' or '%s'", w->name,
                 s->entries.at[found].source, s->entries.at[i].source);
            return UINT32_MAX;
        }
        found = found == UINT32_MAX ? i : found;
    }
    if (found == UINT32_MAX)
        diag(w->k->ctx, (Span){0}, DIAG_U010,
             "no library '%s'%s%s was added; 'kairos lib list' shows all", w->name,
             w->version ? " of version " : "", w->version ? w->version : "");
    return found;
}

static void remove_source(void *arg)
{
    Work *w = arg;
    Store *s = w->store = store_open(w->k->ctx);
    w->status = KAIROS_USE_ERROR;
    uint32_t at = store_lock(s) ? find_entry(w, s) : UINT32_MAX;
    if (at != UINT32_MAX) {
        text_printf(&w->text, "removed %s '%s'%s", s->entries.at[at].kind, s->entries.at[at].source,
                    strcmp(s->entries.at[at].kind, "zip") ? ", which stays where it is" : "");
        w->status = store_drop(s, at) ? KAIROS_OK : KAIROS_USE_ERROR;
    }
}

int kairos_remove_source(Kairos *k, const char *name, const char *version, char **report)
{
    Work w = {.k = k, .name = name, .version = version};
    return answer(k, remove_source, &w, report);
}

/* ---- list and path ---- */

/* How a library became known. */
static const char *kind_of(const Store *s, const char *place)
{
    Arena *arena = arena_new();
    const char *kind = is_below(place, shipped_folder(arena)) ? "shipped" : "path";
    arena_free(arena);
    for (uint32_t i = 0; i < s->entries.n; i++)
        if (is_below(place, s->entries.at[i].folder))
            kind = s->entries.at[i].kind;
    return kind;
}

static const StoredLibrary *shadow_of(const StoredLibrary *list, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (list[i].name == list[at].name)
            return &list[i];
    return NULL;
}

static void put_row(Text *t, const StoredLibrary *l, const char *kind, const StoredLibrary *shadow)
{
    text_printf(t, "%-24s %-10s %-9s %s", l->name, l->version ? l->version : "-", kind, l->place);
    if (shadow && same_version(shadow->version, l->version))
        text_printf(t, "  (shadowed by %s)", shadow->place);
    else if (shadow)
        text_printf(t, "  (shadowed by version %s, unless a model uses %s)",
                    shadow->version ? shadow->version : "-", l->version ? l->version : "none");
    text_put(t, "\n");
}

static void put_field(Text *t, const char *name, const char *value)
{
    text_printf(t, ", \"%s\": ", name);
    if (value)
        text_put_json(t, value);
    else
        text_put(t, "null");
}

static void put_json(Text *t, const StoredLibrary *l, const char *kind, const StoredLibrary *shadow)
{
    text_put(t, t->n > 1 ? ",\n {\"name\": " : "\n {\"name\": ");
    text_put_json(t, l->name);
    put_field(t, "version", l->version);
    put_field(t, "kind", kind);
    put_field(t, "place", l->place);
    put_field(t, "shadowedBy", shadow ? shadow->place : NULL);
    text_put(t, "}");
}

static void list(void *arg)
{
    Work *w = arg;
    Store *s = w->store = store_open(w->k->ctx);
    StoredLibrary *all;
    uint32_t n = library_list(w->k->library, &all);
    bool json = w->format == KAIROS_JSON;
    text_put(&w->text, json ? "[" : "");
    for (uint32_t i = 0; i < n; i++)
        (json ? put_json : put_row)(&w->text, &all[i], kind_of(s, all[i].place), shadow_of(all, i));
    text_put(&w->text, json ? "\n]\n" : "");
    w->status = KAIROS_OK;
}

char *kairos_list_libraries(Kairos *k, KairosFormat format)
{
    Work w = {.k = k, .format = format};
    char *text = NULL;
    answer(k, list, &w, &text);
    return text;
}

static void find_path(void *arg)
{
    Work *w = arg;
    Store *s = w->store = store_open(w->k->ctx);
    StoredLibrary *all;
    uint32_t n = w->name ? library_list(w->k->library, &all) : 0;
    w->status = KAIROS_USE_ERROR;
    if (!w->name && s->place)
        text_put(&w->text, s->place);
    for (uint32_t i = 0; i < n && !w->text.n; i++)
        if (!strcmp(all[i].name, w->name) &&
            (!w->version || same_version(all[i].version, w->version)))
            text_put(&w->text, all[i].place);
    if (w->text.n)
        w->status = KAIROS_OK;
    else
        diag(w->k->ctx, (Span){0}, DIAG_U010,
             "no library '%s'%s%s is known; 'kairos lib add FOLDER|FILE.zip' adds one",
             w->name ? w->name : "", w->version ? " of version " : "",
             w->version ? w->version : "");
}

char *kairos_find_library(Kairos *k, const char *name, const char *version)
{
    Work w = {.k = k, .name = name, .version = version};
    char *text = NULL;
    answer(k, find_path, &w, &text);
    return text;
}
