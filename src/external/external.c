/* Entries: for each external function a piece of C that unpacks its arguments and calls it, linked
 * with the code of its library. */
#include "external/external.h"

#include "external/entry_text.h"
#include "external/shared_object.h"
#include "external/utilities.h"

#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Opened {
    ExternalEntry entry; /* NULL if it failed */
    const char *why;
    const char *path; /* of its shared object */
} Opened;

/* An object that the sources of a library need besides. */
typedef struct Completion {
    const char *sources, *object;
} Completion;

/* A shared object that was made here, and the words that name what it is linked with. */
typedef struct Made {
    const char *path;
    const char **needs; /* paths, or -lNAME */
    uint32_t n_needs;
} Made;

typedef VEC(uint32_t) FunctionIds;

struct ExternalCode {
    Arena *arena;
    const char *utilities; /* path of their shared object; NULL while it is not made */
    /* the compiler's option that finds their header, unless code brings its own */
    const char *header;
    const void *(*enter)(const void *host);
    const _Atomic int *interrupt; /* of the compilers */
    VEC(void *) handles;          /* of dlopen */
    FunctionIds opening;          /* functions whose entries are being made */
    Map by_function;              /* Function.id → index in entries */
    VEC(Opened) entries;
    VEC(Made) made;
    VEC(Completion) completions;
};

static ExternalCode *external_new(void)
{
    ExternalCode *x = memory_alloc(sizeof *x);
    x->arena = arena_new();
    return x;
}

static void external_free(ExternalCode *x)
{
    if (!x)
        return;
    while (x->handles.n)
        dlclose(vec_pop(&x->handles));
    vec_free(&x->handles);
    vec_free(&x->opening);
    vec_free(&x->entries);
    vec_free(&x->made);
    vec_free(&x->completions);
    map_free(&x->by_function);
    arena_free(x->arena);
    memory_free(x);
}

ExternalCode *external_of(Graph *g)
{
    if (!g->external) {
        g->external = external_new();
        g->external->interrupt = g->ctx->interrupt;
        g->free_external = external_free;
    }
    return g->external;
}

const ExternalHost *external_enter(ExternalCode *x, const ExternalHost *host)
{
    return x->enter ? x->enter(host) : NULL;
}

ExternalNative external_native(const Graph *g, const Function *f)
{
    const ExternalNatives *n = g->natives;
    if (!n || !f->external->symbol || (g->refusal && g->refusal(g->resource_user, f)))
        return NULL;
    return n->find(n->user, f->external->symbol);
}

/* ---- shared objects ---- */

typedef VEC(const char *) Words;

/* A library in a folder is named by two words, -LFOLDER and -l:FILE. */
static const char *needed(Arena *arena, const char *before, const char *word)
{
    if (!strncmp(word, "-l:", 3) && before && !strncmp(before, "-L", 2))
        return arena_printf(arena, "%s/%s", before + 2, word + 3);
    bool named = !strncmp(word, "-l", 2) && strcmp(word, "-lm") != 0;
    return named || (*word == '/' && text_ends_with(word, ".so")) ? word : NULL;
}

static const Made *find_made(const ExternalCode *x, const char *path)
{
    for (uint32_t i = 0; i < x->made.n; i++)
        if (!strcmp(x->made.at[i].path, path))
            return &x->made.at[i];
    return NULL;
}

static const char *make_object(ExternalCode *x, const Recipe *r, const char **why)
{
    const char *path = shared_object_compile(x->arena, r, why);
    if (!path || find_made(x, path))
        return path;
    Made m = {path, ARENA_ARRAY(x->arena, const char *, r->n + (size_t)1), 0};
    for (uint32_t i = 0; i < r->n; i++) {
        const char *need = needed(x->arena, i ? r->words[i - 1] : NULL, r->words[i]);
        if (need)
            m.needs[m.n_needs++] = need;
    }
    vec_push(&x->made, m);
    return path;
}

/* ---- the code of its library ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *macro_name(Arena *arena, const char *name)
{
    char *macro = arena_printf(arena, "-DHAVE_%s=1", name);
    for (char *p = macro + 2; *p && *p != '='; p++)
        *p = (char)(isalnum((unsigned char)*p) ? toupper((unsigned char)*p) : '_');
    return macro;
}

/* Adds the C sources of a folder. Those of a folder in it are a library of their own that the
 * others may use: they find its headers, and HAVE_NAME is defined. */
static void add_sources(Arena *arena, const char *folder, bool nested, Words *files, Words *options)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        const char *path = arena_printf(arena, "%s/%s", folder, e->d_name);
        if (n > 2 && !strcmp(e->d_name + n - 2, ".c")) {
            vec_push(files, path);
        } else if (!nested && e->d_name[0] != '.' && !strchr(e->d_name, '.')) {
            uint32_t before = files->n;
            add_sources(arena, path, true, files, options);
            if (files->n > before)
                vec_push(options, macro_name(arena, e->d_name));
        }
    }
    if (dir)
        closedir(dir);
    vec_push(options, arena_printf(arena, "-I%s", folder));
}

static void add_wraps(Words *words)
{
    for (const char *const *w = utilities_wraps; *w; w++)
        vec_push(words, *w);
}

/* All C sources of a folder as one shared object; NULL if it has none, or after a failure
 * (*why). */
static const char *sources_object(ExternalCode *x, const char *folder, const char **why)
{
    Words words = {0}, options = {0};
    add_sources(x->arena, folder, false, &words, &options);
    const char *path = NULL;
    if (words.n) {
        qsort(words.at, words.n, sizeof *words.at, by_text);
        qsort(options.at, options.n, sizeof *options.at, by_text);
        for (uint32_t i = 0; i < options.n; i++)
            vec_push(&words, options.at[i]);
        if (access(arena_printf(x->arena, "%s/ModelicaUtilities.h", folder), R_OK))
            vec_push(&words, x->header);
        vec_push(&words, x->utilities);
        add_wraps(&words);
        path = make_object(x, &(Recipe){"sources", NULL, words.at, words.n, x->interrupt}, why);
    }
    vec_free(&words);
    vec_free(&options);
    return path;
}

static const char *absolute(Arena *arena, const char *path)
{
    char *real = path ? realpath(path, NULL) : NULL;
    const char *kept = real ? arena_copy(arena, real, strlen(real)) : NULL;
    free(real);
    return kept;
}

/* The file of a library in the folder for this machine, or in the folder itself; or NULL. */
static const char *library_file(Arena *arena, const char *folder, const char *name,
                                const char *ending)
{
#if defined(__aarch64__)
    static const char *const machines[] = {"/aarch64-linux", "/linux64", ""};
#else
    static const char *const machines[] = {"/x86_64-linux", "/linux64", ""};
#endif
    for (size_t i = 0; folder && i < sizeof machines / sizeof *machines; i++) {
        const char *path = arena_printf(arena, "%s%s/lib%s%s", folder, machines[i], name, ending);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

static bool system_has(Arena *arena, const char *name)
{
    void *handle = dlopen(arena_printf(arena, "lib%s.so", name), RTLD_LAZY | RTLD_LOCAL);
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/* Names of system libraries are in lower case. */
static const char *system_name(Arena *arena, const char *name)
{
    char *lower = arena_copy(arena, name, strlen(name));
    for (char *c = lower; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return system_has(arena, name) ? name : system_has(arena, lower) ? lower : NULL;
}

static void add_library(ExternalCode *x, const FnExternal *fx, const char *name, bool has_sources,
                        Words *words)
{
    const char *folder = absolute(x->arena, fx->library_folder);
    const char *file = library_file(x->arena, folder, name, ".so");
    if (!file && !has_sources)
        file = library_file(x->arena, folder, name, ".a");
    if (file && text_ends_with(file, ".so")) {
        const char *slash = strrchr(file, '/');
        folder = arena_printf(x->arena, "-L%.*s", (int)(slash - file), file);
        vec_push(words, arena_printf(x->arena, "-Wl,-rpath,%s", folder + 2));
        vec_push(words, folder);
        vec_push(words, arena_printf(x->arena, "-l:%s", slash + 1));
    } else if (file)
        vec_push(words, file);
    else if ((name = system_name(x->arena, name)))
        vec_push(words, arena_printf(x->arena, "-l%s", name));
}

/* The objects that the entry is linked with. The utilities come first: their definitions are found
 * before those of libraries. Returns the object of the library's sources; NULL if there is none. */
static const char *library_words(ExternalCode *x, const FnExternal *fx, Words *words,
                                 const char **why)
{
    vec_push(words, "-Wl,--no-as-needed");
    vec_push(words, x->utilities);
    const char *include = absolute(x->arena, fx->include_folder);
    const char *sources = absolute(x->arena, fx->source_folder);
    if (include)
        vec_push(words, arena_printf(x->arena, "-I%s", include));
    const char *object = sources && fx->n_libraries ? sources_object(x, sources, why) : NULL;
    if (object)
        vec_push(words, object);
    for (uint32_t i = 0; object && i < x->completions.n; i++)
        if (!strcmp(x->completions.at[i].sources, object))
            vec_push(words, x->completions.at[i].object);
    for (uint32_t i = 0; i < fx->n_libraries; i++)
        add_library(x, fx, fx->libraries[i], object != NULL, words);
    vec_push(words, x->header);
    vec_push(words, "-lm");
    vec_push(words, "-Werror=implicit-function-declaration");
    vec_push(words, "-Wl,-z,defs");
    add_wraps(words);
    return object;
}

/* ---- opening ---- */

/* Names are looked up in the object and its libraries before the program, so that the utilities get
 * the calls that would end the process. AddressSanitizer does not allow it. */
#ifdef KAIROS_SANITIZE
enum { OPEN_MODE = RTLD_NOW | RTLD_LOCAL };
#else
enum { OPEN_MODE = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND };
#endif

static void *open_object(ExternalCode *x, const char *path, const char **why)
{
    void *handle = path ? dlopen(path, OPEN_MODE) : NULL;
    if (handle)
        vec_push(&x->handles, handle);
    else if (path)
        *why = arena_printf(x->arena, "%s", dlerror());
    return handle;
}

static bool open_utilities(ExternalCode *x, const char **why)
{
    if (x->utilities)
        return true;
    const char *path =
        make_object(x, &(Recipe){"utilities", utilities_text, NULL, 0, x->interrupt}, why);
    const char *folder =
        path ? shared_object_header(x->arena, "ModelicaUtilities.h", utilities_header, why) : NULL;
    void *handle = folder ? open_object(x, path, why) : NULL;
    if (!handle)
        return false;
    x->header = arena_printf(x->arena, "-idirafter%s", folder);
    *(void **)&x->enter = dlsym(handle, "kairos_enter");
    x->utilities = path;
    return true;
}

/* ---- making an entry ---- */

/* The missing name in a message of the linker ("undefined reference to `") or of the loader
 * ("undefined symbol: "); otherwise NULL. */
static const char *missing_symbol(Arena *arena, const char *message)
{
    static const char *const signs[] = {"undefined reference to `", "undefined symbol: "};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *at = strstr(message, signs[i]);
        if (!at)
            continue;
        at += strlen(signs[i]);
        size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$.");
        return n ? arena_copy(arena, at, n) : NULL;
    }
    return NULL;
}

/* The shared object of f's entry; NULL after a failure. *missing: a name that its libraries lack,
 * if that is the reason. */
static const char *entry_object(ExternalCode *x, const Graph *g, const Function *f,
                                const Words *words, const char **why, const char **missing)
{
    const FnExternal *fx = f->external;
    if (fx->whole)
        f = fx->whole;
    const char *first = NULL, *second = NULL;
    Recipe r = {fx->symbol, external_entry_text(x->arena, g, f, fx->n_includes == 0), words->at,
                words->n, x->interrupt};
    const char *path = make_object(x, &r, &first);
    if (!path && fx->n_includes) { /* the headers may not declare it */
        r.text = external_entry_text(x->arena, g, f, true);
        path = make_object(x, &r, &second);
    }
    *missing = path || *why ? NULL : missing_symbol(x->arena, first);
    if (!path && !*why)
        *why =
            *missing ? arena_printf(x->arena, "none of its libraries has '%s'", *missing) : first;
    return path;
}

/* Whether the object itself defines the name. */
static bool defines(void *handle, const char *path, const char *name)
{
    Dl_info info;
    void *at = dlsym(handle, name);
    return at && dladdr(at, &info) && info.dli_fname && !strcmp(info.dli_fname, path);
}

static bool is_opening(const ExternalCode *x, uint32_t function)
{
    for (uint32_t i = 0; i < x->opening.n; i++)
        if (x->opening.at[i] == function)
            return true;
    return false;
}

static bool is_same_folder(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* Whether the C texts of both functions are the same, so that they define the same names. */
static bool has_same_text(const FnExternal *a, const FnExternal *b)
{
    if (a->n_includes != b->n_includes || !is_same_folder(a->include_folder, b->include_folder))
        return false;
    for (uint32_t i = 0; i < a->n_includes; i++)
        if (strcmp(a->includes[i], b->includes[i]) != 0)
            return false;
    return true;
}

/* The function comes with a C text of its own, which none of those that were searched has. */
static bool may_define(const ExternalCode *x, const Graph *g, const Function *f,
                       const FunctionIds *searched)
{
    if (!f->external || !f->external->n_includes || is_opening(x, f->id) ||
        !strcmp(f->external->language, "builtin"))
        return false;
    for (uint32_t i = 0; i < searched->n; i++)
        if (has_same_text(f->external, g->functions.at[searched->at[i]]->external))
            return false;
    return true;
}

/* The entry of another function of the model whose text defines `name`, or NULL. In a monolithic
 * program, a library would find it there. */
static const char *defining_entry(ExternalCode *x, const Graph *g, const char *name)
{
    const char *found = NULL;
    FunctionIds searched = {0};
    for (uint32_t i = 0; i < g->functions.n && !found; i++) {
        const Function *f = g->functions.at[i];
        if (!may_define(x, g, f, &searched))
            continue;
        Words words = {0};
        const char *why = NULL, *missing;
        vec_push(&x->opening, f->id);
        library_words(x, f->external, &words, &why);
        const char *path = entry_object(x, g, f, &words, &why, &missing);
        void *handle = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
        if (handle && defines(handle, path, name))
            found = path;
        if (handle) {
            vec_push(&searched, f->id);
            dlclose(handle);
        }
        vec_free(&words);
        (void)vec_pop(&x->opening);
    }
    vec_free(&searched);
    return found;
}

/* An object with a function of this name, which is an error of the model once it is called. */
static const char *object_in_place(ExternalCode *x, const char *name, const char **why)
{
    const char *text =
        arena_printf(x->arena,
                     "void kairos_lacks(const char *);\nvoid missing(void) __asm__(\"%s\");"
                     "\nvoid missing(void) { kairos_lacks(\"%s\"); }\n",
                     name, name);
    return make_object(x, &(Recipe){"lacks", text, &x->utilities, 1, x->interrupt}, why);
}

enum { MOST_MISSING = 100 };

/* Opens the entry of f with all that it needs. A name that its libraries lack comes from another
 * function of the model, or becomes an error at its first call. Later entries with the same sources
 * get the same objects, so that each can be the first one that is opened elsewhere. */
static void *open_complete(ExternalCode *x, const Graph *g, const Function *f, const char *sources,
                           Words *words, Opened *o)
{
    const char **why = &o->why;
    for (uint32_t i = 0; i < MOST_MISSING; i++) {
        const char *refused = NULL, *missing = NULL;
        o->path = entry_object(x, g, f, words, why, &missing);
        bool linked = o->path;
        if (!linked && !missing)
            return NULL;
        void *handle = linked ? open_object(x, o->path, &refused) : NULL;
        if (handle)
            return handle;
        if (linked)
            missing = missing_symbol(x->arena, refused);
        const char *from = missing ? defining_entry(x, g, missing) : NULL;
        if (from)
            *why = NULL;
        else if (missing && linked)
            from = object_in_place(x, missing, why);
        if (!from) {
            *why = *why ? *why : refused;
            return NULL;
        }
        vec_push(words, from);
        if (sources)
            vec_push(&x->completions, ((Completion){sources, from}));
    }
    *why = "its libraries lack too many functions";
    return NULL;
}

static void *compile_entry(ExternalCode *x, const Graph *g, const Function *f, Opened *o)
{
    if (!open_utilities(x, &o->why))
        return NULL;
    Words words = {0};
    vec_push(&x->opening, f->id);
    const char *sources = library_words(x, f->external, &words, &o->why);
    void *handle = open_complete(x, g, f, sources, &words, o);
    (void)vec_pop(&x->opening);
    vec_free(&words);
    return handle;
}

/* An entry that was compiled before, with its own utilities. */
static void *open_compiled(ExternalCode *x, const Graph *g, const Function *f, Opened *o)
{
    const char *file = f->external->object;
    if (!g->objects || strchr(file, '/')) {
        o->why = "its compiled code is missing";
        return NULL;
    }
    o->path = arena_printf(x->arena, "%s/%s", g->objects, file);
    void *handle = open_object(x, o->path, &o->why);
    if (handle)
        *(void **)&x->enter = dlsym(handle, "kairos_enter");
    return handle;
}

static Opened open_entry(ExternalCode *x, const Graph *g, const Function *f)
{
    Opened o = {0};
    void *handle = f->external->object ? open_compiled(x, g, f, &o) : compile_entry(x, g, f, &o);
    if (handle)
        *(void **)&o.entry = dlsym(handle, "kairos_call");
    return o;
}

ExternalEntry external_entry(ExternalCode *x, const Graph *g, const Function *f, const char **why)
{
    uint32_t at = map_get(&x->by_function, f->id);
    const char *refusal = g->refusal ? g->refusal(g->resource_user, f) : NULL;
    if (refusal) {
        *why = refusal;
        return NULL;
    }
    if (at == MAP_NONE) {
        Opened o = open_entry(x, g, f);
        at = x->entries.n;
        vec_push(&x->entries, o);
        map_put(&x->by_function, f->id, at);
    }
    *why = x->entries.at[at].why ? x->entries.at[at].why : "its code cannot be found";
    return x->entries.at[at].entry;
}

static void list_object(const ExternalCode *x, const char *path, ExternalObjects *list)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i], path))
            return;
    vec_push(list, path);
    const Made *made = find_made(x, path);
    for (uint32_t i = 0; made && i < made->n_needs; i++)
        list_object(x, made->needs[i], list);
}

const char *external_objects(ExternalCode *x, const Function *f, ExternalObjects *list)
{
    uint32_t at = map_get(&x->by_function, f->id);
    if (at == MAP_NONE || !x->entries.at[at].entry)
        return NULL;
    list_object(x, x->entries.at[at].path, list);
    return x->entries.at[at].path;
}
