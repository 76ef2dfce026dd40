/* Lookup of names: chapter 5 and section 13.2 (imports) of the specification. */
#include "instance/tree/tree.h"

#include <stdio.h>

const Element *found_element(Found f)
{
    return &f.inst->cls->elements.at[f.index];
}

/* ---- simple names ---- */

static Scope root_scope(Library *lib)
{
    return (Scope){lib->root_inst, lib->root->layers.at[0]};
}

Found lookup_member(Library *lib, Instance *inst, Name name)
{
    uint32_t index =
        inst->cls == lib->root ? lib->stored_classes->top(lib, name) : class_find(inst->cls, name);
    return index == MAP_NONE ? (Found){0} : (Found){inst, index};
}

/* Is the name declared in the text of the layer or of its bases? */
static bool layer_has(const Class *c, const Layer *layer, uint32_t index)
{
    const Element *e = &c->elements.at[index];
    if (e->layer->first >= layer->first && e->layer->first < layer->end)
        return true;
    for (uint32_t i = layer->first; i < layer->end; i++)
        if (c->layers.at[i]->own && map_get(c->layers.at[i]->own, map_key(e->name)) != MAP_NONE)
            return true;
    return false;
}

static Found find_in_layer(Library *lib, Scope s, Name name)
{
    Found f = lookup_member(lib, s.inst, name);
    if (!f.inst || s.layer->first == 0 || layer_has(s.inst->cls, s.layer, f.index))
        return f;
    return (Found){0};
}

static Instance *imported_package(Library *lib, const AstElement *import, uint32_t n)
{
    uint32_t memo = map_get(&lib->imports, map_key(import));
    if (memo != MAP_NONE)
        return lib->instances.at[memo];
    map_put(&lib->imports, map_key(import), 0);
    Instance *found =
        lookup_path(lib, root_scope(lib), import->type.parts, n, true, import->type.span);
    map_put(&lib->imports, map_key(import), found ? found->id : 0);
    if (found && found->cls->restriction != AST_PACKAGE && found->cls != lib->root) {
        diag_compatible(lib->ctx, import->type.span, DIAG_I035,
                        "'%s' is a %s; only elements of packages can be imported", found->cls->name,
                        restriction_text(found->cls->restriction));
        report_rule(lib, "13.2.1", "the name before the last dot of an import must be a package");
    }
    return found;
}

/* The element that an import clause imports as `name`. */
static Found find_imported(Library *lib, const AstElement *import, Name name)
{
    uint32_t n = import->type.n;
    if (import->import_all || import->import_list.n) {
        bool listed = import->import_all;
        for (uint32_t i = 0; i < import->import_list.n; i++)
            listed |= import->import_list.at[i] == name;
        Instance *package = listed ? imported_package(lib, import, n) : NULL;
        Found all = package ? lookup_member(lib, package, name) : (Found){0};
        return all.inst && found_element(all)->is_protected ? (Found){0} : all;
    }
    Name last = import->type.parts[n - 1];
    if ((import->name ? import->name : last) != name)
        return (Found){0};
    Instance *package = n > 1 ? imported_package(lib, import, n - 1) : lib->root_inst;
    Found f = package ? lookup_member(lib, package, last) : (Found){0};
    if (package && !f.inst)
        report_unknown_member(lib, package, last, import->type.span);
    if (f.inst && found_element(f)->is_protected && check_once(lib, import, NULL)) {
        diag(lib->ctx, import->type.span, DIAG_I035,
             "'%s' is protected in '%s' and cannot be imported", last, package->cls->name);
        report_rule(lib, "13.2", "only public elements are imported");
    }
    return f;
}

void lookup_check_imports(Library *lib, const Class *c)
{
    const Layer *own = c->layers.at[0];
    for (uint32_t i = 0; i < own->n_imports; i++) {
        const AstElement *import = own->imports[i];
        if (import->import_all)
            imported_package(lib, import, import->type.n);
        else if (!import->import_list.n)
            find_imported(lib, import,
                          import->name ? import->name : import->type.parts[import->type.n - 1]);
        for (uint32_t k = 0; k < import->import_list.n; k++)
            if (!find_imported(lib, import, import->import_list.at[k]).inst &&
                imported_package(lib, import, import->type.n))
                report_unknown_member(lib, imported_package(lib, import, import->type.n),
                                      import->import_list.at[k], import->type.span);
    }
}

/* Two clauses that import different things under one name. */
static void check_ambiguous(Library *lib, const Layer *layer, const AstElement *first, Found f,
                            Name name)
{
    for (uint32_t i = 0; i < layer->n_imports; i++) {
        const AstElement *other = layer->imports[i];
        if (other == first || other->import_all != first->import_all)
            continue;
        Found g = find_imported(lib, other, name);
        if (!g.inst || (g.inst == f.inst && g.index == f.index) || !check_once(lib, other, name))
            continue;
        diag(lib->ctx, other->span, DIAG_I035, "'%s' is imported twice, from '%s' and from '%s'",
             name, f.inst->cls->name, g.inst->cls->name);
        diag_note(lib->ctx, first->span, "the other import is here");
        report_rule(lib, "13.2.2", "no two import clauses may import the same name");
    }
}

static Found find_in_imports(Library *lib, const Layer *layer, Name name)
{
    Found f = {0};
    const AstElement *by = NULL;
    for (uint32_t i = 0; i < layer->n_imports && !f.inst; i++)
        if (!(by = layer->imports[i])->import_all)
            f = find_imported(lib, by, name);
    for (uint32_t i = 0; i < layer->n_imports && !f.inst; i++)
        if ((by = layer->imports[i])->import_all)
            f = find_imported(lib, by, name);
    if (f.inst && layer->n_imports > 1)
        check_ambiguous(lib, layer, by, f, name);
    return f;
}

Found lookup_name(Library *lib, Scope scope, Name name)
{
    for (Scope s = scope; s.inst; s = s.layer->scope) {
        bool is_short = s.layer->ast && s.layer->ast->form == AST_SHORT;
        Found f = is_short ? (Found){0} : find_in_layer(lib, s, name);
        if (!f.inst)
            f = find_in_imports(lib, s.layer, name);
        if (f.inst)
            return f;
        if (s.layer->ast && s.layer->ast->encapsulated)
            break;
    }
    return (Found){0};
}

/* ---- suggestions ---- */

typedef struct Suggestion {
    const char *text, *best;
    unsigned distance;
} Suggestion;

static size_t common_beginning(const char *a, const char *b)
{
    size_t n = 0;
    while (a[n] && a[n] == b[n])
        n++;
    return n;
}

/* Of two equally near names, prefers the one with the longer common prefix. */
static void consider(Suggestion *s, const char *name)
{
    unsigned d = name_distance(s->text, name, s->distance);
    bool tie = d == s->distance && s->best;
    if (d < s->distance ||
        (tie && common_beginning(s->text, name) > common_beginning(s->text, s->best))) {
        s->distance = d;
        s->best = name;
    }
}

static Suggestion suggestion(Name name)
{
    return (Suggestion){name, NULL, name_suggestion_limit(name)};
}

static void consider_class(Suggestion *s, const Class *c)
{
    for (uint32_t i = 0; i < c->elements.n; i++)
        if (c->elements.at[i].kind != ELEMENT_ATTRIBUTE)
            consider(s, c->elements.at[i].name);
}

static void consider_scope(Library *lib, Suggestion *s, Scope scope)
{
    for (; scope.inst; scope = scope.layer->scope) {
        consider_class(s, scope.inst->cls);
        for (uint32_t i = 0; i < scope.layer->n_imports; i++) {
            const AstElement *import = scope.layer->imports[i];
            consider(s, import->name ? import->name : import->type.parts[import->type.n - 1]);
        }
    }
    for (uint32_t i = 1; i < lib->classes.n; i++)
        if (!lib->classes.at[i]->ast && lib->classes.at[i] != lib->root)
            consider(s, lib->classes.at[i]->name);
}

/* An import of this name that leads nowhere has been reported. */
static bool is_imported(Scope scope, Name name)
{
    for (; scope.inst; scope = scope.layer->scope)
        for (uint32_t i = 0; i < scope.layer->n_imports; i++) {
            const AstElement *import = scope.layer->imports[i];
            if (name == (import->name ? import->name : import->type.parts[import->type.n - 1]))
                return true;
        }
    return false;
}

/* A name that can only be that of a library: says how to add the library. */
static void report_missing_library(Library *lib, Name name)
{
    const char *version = lib->stored_classes->used_version(lib, name);
    diag_note(lib->ctx, (Span){0},
              "%s%s; 'kairos lib add FOLDER|FILE.zip' adds a library, --library FOLDER uses one "
              "for a single call",
              version ? arena_printf(lib->arena, "the model uses version %s of library '%s'",
                                     version, name)
                      : arena_printf(lib->arena, "no library '%s' is known", name),
              version ? ", which was not found" : "");
}

/* A class that is there, in a file that has not its name: says where, and what to do. */
static bool report_misplaced(Library *lib, Name name)
{
    Span place;
    if (!lib->stored_classes->misplaced(lib, name, &place))
        return false;
    const char *path = sources_get(lib->ctx->sources, place.file)->path,
               *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const char *way =
        !strcmp(file, "package.mo")
            ? arena_printf(lib->arena, "only a folder '%s' is searched for it: rename the folder",
                           name)
        : !strcmp(file, arena_printf(lib->arena, "%s.mo", name))
            ? "folders below that are no packages are not searched: move the file"
            : arena_printf(lib->arena, "only a file '%s.mo' is searched for it: rename the file",
                           name);
    diag_note(lib->ctx, place, "class '%s' is in this file, but %s, or open it too", name, way);
    return true;
}

void report_unknown(Library *lib, Scope scope, Name name, Span span, const char *what, bool dotted)
{
    Suggestion s = suggestion(name);
    if (lib->ctx->n_errors && is_imported(scope, name))
        return;
    consider_scope(lib, &s, scope);
    const char *builtin;
    for (uint32_t i = 0; !strcmp(what, "function") && (builtin = typing_builtin_name(i)); i++)
        consider(&s, builtin);
    if (!s.best && !strcmp(what, "variable") && !strcmp(name, "t"))
        s.best = "time";
    diag(lib->ctx, span, DIAG_I001, "there is no %s '%s' here%s%s%s", what, name,
         s.best ? "; did you mean '" : "", s.best ? s.best : "", s.best ? "'?" : "");
    if (!strcmp(what, "class") && report_misplaced(lib, name))
        return;
    if (lib->stored_classes->used_version(lib, name) || (!s.best && dotted))
        report_missing_library(lib, name);
}

enum { MAX_LISTED = 16 };

/* The names that could stand here, if none is near. */
static void list_elements(Library *lib, const Class *c)
{
    const char *list = "";
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->elements.n && n <= MAX_LISTED; i++) {
        const Element *e = &c->elements.at[i];
        if (e->kind == ELEMENT_ATTRIBUTE || e->is_protected)
            continue;
        list = arena_printf(lib->arena, "%s%s%s", list, n ? ", " : "",
                            n < MAX_LISTED ? e->name : "...");
        n++;
    }
    if (n)
        diag_note(lib->ctx, (Span){0}, "it has %s", list);
}

void report_unknown_member(Library *lib, Instance *inst, Name name, Span span)
{
    Suggestion s = suggestion(name);
    consider_class(&s, inst->cls);
    const char *tail = s.best ? arena_printf(lib->arena, "; did you mean '%s'?", s.best) : "";
    if (inst->cls == lib->root)
        diag(lib->ctx, span, DIAG_I001, "there is no class or library '%s'%s", name, tail);
    else if (inst->parent)
        diag(lib->ctx, span, DIAG_I001, "component '%s' of class '%s' has no element '%s'%s",
             inst_path(lib, inst), inst->cls->name, name, tail);
    else
        diag(lib->ctx, span, DIAG_I001, "'%s' has no element '%s'%s", inst->cls->name, name, tail);
    if (inst->cls->ast && inst->cls->ast->form == AST_ENUMERATION)
        diag_note(lib->ctx, inst->cls->ast->name_span, "the enumeration is declared here");
    else if (!s.best && inst->cls != lib->root)
        list_elements(lib, inst->cls);
    if (inst->cls == lib->root && !report_misplaced(lib, name))
        report_missing_library(lib, name);
}

/* ---- paths of classes ---- */

static Instance *predefined(Library *lib, Name name)
{
    uint32_t at = map_get(&lib->predefined, map_key(name));
    return at == MAP_NONE ? NULL : class_shared(lib, lib->classes.at[at]);
}

static Instance *as_class(Library *lib, Found f, Span span)
{
    const Element *e = found_element(f);
    if (e->kind == ELEMENT_CLASS)
        return inst_class(lib, f.inst, f.index);
    diag(lib->ctx, span, DIAG_I002, "'%s' is a component, but a class is needed here", e->name);
    if (e->ast)
        diag_note(lib->ctx, e->ast->span, "declared here");
    return NULL;
}

/* `base`: for a class to be extended, which is allowed in a partial package. */
static bool check_member(Library *lib, const Instance *in, const Element *e, Span span, bool base)
{
    const Class *c = in->cls;
    if (e->is_protected) {
        diag(lib->ctx, span, DIAG_I013,
             "'%s' is protected in '%s' and cannot be reached from outside", e->name, c->name);
        if (e->ast)
            diag_note(lib->ctx, e->ast->span, "declared here");
        report_rule(lib, "4.1", "a protected element cannot be accessed by dot notation");
        return false;
    }
    if (in->parent || in->is_top || c == lib->root || c->state != CLASS_READY)
        return true;
    bool encapsulated = e->kind == ELEMENT_CLASS && (!e->class_ast || e->class_ast->encapsulated);
    if (!encapsulated && !class_is_package(c)) {
        static const char *const text = "'%s' cannot be used from '%s', which is not a package";
        bool accepted = false;
        if (e->kind == ELEMENT_CLASS)
            accepted = diag_compatible(lib->ctx, span, DIAG_I037, text, e->name, c->name);
        else
            diag(lib->ctx, span, DIAG_I037, text, e->name, c->name);
        report_rule(lib, "5.3.2",
                    "only encapsulated elements of a class that is not a package can be used");
        return accepted;
    }
    if (!base && c->is_partial && c->restriction == AST_PACKAGE) {
        bool accepted =
            diag_compatible(lib->ctx, span, DIAG_I041,
                            "'%s' is partial, so '%s' cannot be used from it", c->name, e->name);
        report_rule(lib, "5.3.2", "a simulation model cannot use elements of a partial class");
        return accepted;
    }
    return true;
}

bool check_dot(Library *lib, const Instance *in, const Element *e, Span span)
{
    return check_member(lib, in, e, span, false);
}

static Instance *find_path(Library *lib, Scope scope, const Name *parts, uint32_t n, bool absolute,
                           Span span, bool base)
{
    Instance *at = NULL;
    if (!absolute && n == 1 && is_reserved(parts[0]) && (at = predefined(lib, parts[0])))
        return at;
    Found f =
        absolute ? lookup_member(lib, lib->root_inst, parts[0]) : lookup_name(lib, scope, parts[0]);
    if (!f.inst && n == 1)
        at = predefined(lib, parts[0]);
    if (!f.inst && !at) {
        if (absolute)
            report_unknown_member(lib, lib->root_inst, parts[0], span);
        else
            report_unknown(lib, scope, parts[0], span, "class", n > 1);
        return NULL;
    }
    at = at ? at : as_class(lib, f, span);
    for (uint32_t i = 1; i < n && at; i++) {
        f = lookup_member(lib, at, parts[i]);
        if (!f.inst && at->cls->state == CLASS_FAILED)
            return NULL;
        if (!f.inst) {
            report_unknown_member(lib, at, parts[i], span);
            return NULL;
        }
        if (!check_member(lib, at, found_element(f), span, base))
            return NULL;
        at = as_class(lib, f, span);
    }
    return at;
}

Instance *lookup_path(Library *lib, Scope scope, const Name *parts, uint32_t n, bool absolute,
                      Span span)
{
    return find_path(lib, scope, parts, n, absolute, span, false);
}

Instance *lookup_base(Library *lib, Scope scope, const AstName *name)
{
    return find_path(lib, scope, name->parts, name->n, name->absolute, name->span, true);
}

Instance *lookup_class(Library *lib, Scope scope, const AstName *name)
{
    return lookup_path(lib, scope, name->parts, name->n, name->absolute, name->span);
}
