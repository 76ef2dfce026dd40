/* External functions and objects (sections 12.9 and 12.9.7 of the specification): the called
 * function, its arguments, and the place of its code. */
#include "instance/tree/tree.h"

#include <unistd.h>

/* ---- annotations ---- */

static const char **string_list(Library *lib, const AstExpr *e, uint32_t *n)
{
    *n = 0;
    if (!e)
        return NULL;
    uint32_t count = e->kind == AST_ARRAY ? e->args.n : 1;
    const char **list = ARENA_ARRAY(lib->g->arena, const char *, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const AstExpr *item = e->kind == AST_ARRAY ? e->args.at[i] : e;
        if (item->kind == AST_STRING)
            list[(*n)++] = arena_copy(lib->g->arena, item->string, item->string_size);
    }
    return list;
}

/* ---- folders ---- */

static const char *annotated_uri(const AstMod *annotation, const char *which)
{
    const AstExpr *e = annotation_value(annotation, which);
    return e && e->kind == AST_STRING ? e->string : NULL;
}

/* The folder an annotation names, or `name` in the Resources of library `owner`; NULL if it does
 * not exist. */
static const char *annotated_folder(Library *lib, const char *owner, const AstMod *annotation,
                                    const char *which, const char *name, const char **named)
{
    const char *uri = annotated_uri(annotation, which);
    if (!uri)
        uri = arena_printf(lib->arena, "modelica://%.*s/Resources/%s", (int)strcspn(owner, "./"),
                           owner, name);
    const char *path = lib->g->resource(lib->g->resource_user, uri);
    if (!path || access(path, R_OK))
        return NULL;
    *named = arena_copy(lib->g->arena, uri, strlen(uri));
    return arena_copy(lib->g->arena, path, strlen(path));
}

/* Whether the function is in a C library of the Modelica Standard Library. Other packages may link
 * with these too, wherever their own resources are. */
static bool is_in_standard_library(const FnExternal *x)
{
    static const char *const names[] = {"ModelicaExternalC", "ModelicaStandardTables", "ModelicaIO",
                                        "ModelicaMatIO"};
    for (uint32_t i = 0; i < x->n_libraries; i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (!strcmp(x->libraries[i], names[k]))
                return true;
    return false;
}

static void find_folders(Library *lib, const Class *c, const AstMod *annotation, FnExternal *x)
{
    const char *scheme = "modelica://", *owner = annotated_uri(annotation, "LibraryDirectory");
    owner = owner && !strncmp(owner, scheme, strlen(scheme)) ? owner + strlen(scheme) : c->name;
    x->include_folder =
        annotated_folder(lib, c->name, annotation, "IncludeDirectory", "Include", &x->include_uri);
    x->library_folder =
        annotated_folder(lib, c->name, annotation, "LibraryDirectory", "Library", &x->library_uri);
    x->source_folder =
        annotated_folder(lib, c->name, annotation, "SourceDirectory", "Source", &x->source_uri);
    /* sources of the linked library, which may belong to another package */
    if (!x->source_folder)
        x->source_folder = annotated_folder(lib, owner, NULL, "", "C-Sources", &x->source_uri);
    if (!x->source_folder && is_in_standard_library(x))
        x->source_folder = annotated_folder(lib, "Modelica", NULL, "", "C-Sources", &x->source_uri);
}

/* ---- the body ---- */

static uint32_t output_named(const Function *f, Name name)
{
    for (uint32_t i = f->n_in; i < f->n_in + f->n_out; i++)
        if (f->vars[i].name == name)
            return i - f->n_in;
    return UINT32_MAX;
}

/* The arguments of an external function: as written, or all inputs in order (section 12.9). */
static void external_args(Library *lib, Instance *fn, Layer *layer, Function *f, FnExternal *x)
{
    const AstExternal *ast = layer->ast->external;
    NameScope names = function_scope(lib, fn, layer);
    VEC(ExprId) args = {0};
    for (uint32_t i = 0; i < ast->args.n; i++)
        vec_push(&args, type_expr(&names.type, ast->args.at[i]));
    for (uint32_t i = 0; !ast->has_call && i < f->n_in; i++) {
        ExprId e = expr_leaf(lib->g, OP_LOCAL, f->vars[i].type, i);
        vec_push(&args, e);
        for (uint32_t k = 0; k < type_rank(lib->g->types, f->vars[i].type); k++)
            vec_push(&args, expr2(lib->g, OP_SIZE, T_INT, e, expr_int(lib->g, k + 1)));
    }
    x->n_args = args.n;
    x->args = vec_keep(&args, lib->g->arena);
    x->result = ast->result && ast->result->n == 1 ? output_named(f, ast->result->parts[0].name)
                : !ast->has_call && f->n_out == 1  ? 0
                                                   : UINT32_MAX;
}

void type_external_body(Library *lib, Instance *fn, Layer *layer, Function *f)
{
    const AstExternal *ast = layer->ast->external;
    FnExternal *x = ARENA_NEW(lib->g->arena, FnExternal);
    x->language = ast->language ? ast->language : "C";
    x->span = ast->span;
    if (strcmp(x->language, "C") && strcmp(x->language, "FORTRAN 77") &&
        strcmp(x->language, "builtin"))
        diag(lib->ctx, ast->span, DIAG_I020,
             "external language '%s' is none of \"C\", \"FORTRAN 77\", \"builtin\"", x->language);
    x->symbol = ast->function ? ast->function : layer->ast->name;
    external_args(lib, fn, layer, f, x);
    x->libraries = string_list(lib, annotation_value(ast->annotation, "Library"), &x->n_libraries);
    x->includes = string_list(lib, annotation_value(ast->annotation, "Include"), &x->n_includes);
    x->object = annotated_uri(ast->annotation, FN_OBJECT_ANNOTATION);
    find_folders(lib, fn->cls, ast->annotation, x);
    f->external = x;
}

/* ---- services ---- */

/* Tools provide the package ModelicaServices to the Modelica Standard Library; Kairos implements
 * these functions of it. */
static const struct {
    const char *package, *name;
} services[] = {{"ModelicaServices.ExternalReferences", "loadResource"}};

/* Whether the class is, or extends, the class `name` of that package. */
static bool is_made_of(const Class *c, const char *package, const char *name)
{
    for (uint32_t i = 0; i < c->layers.n; i++) {
        const Layer *l = c->layers.at[i];
        if (l->ast && l->scope.inst && !strcmp(l->ast->name, name) &&
            !strcmp(l->scope.inst->cls->name, package))
            return true;
    }
    return false;
}

bool type_service(Library *lib, const Class *c, Function *f)
{
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        if (!is_made_of(c, services[i].package, services[i].name))
            continue;
        FnExternal *x = ARENA_NEW(lib->g->arena, FnExternal);
        x->language = "builtin";
        x->symbol = library_name(lib, services[i].name);
        x->n_args = f->n_in;
        x->args = ARENA_ARRAY(lib->g->arena, ExprId, f->n_in + 1);
        for (uint32_t k = 0; k < f->n_in; k++)
            x->args[k] = expr_leaf(lib->g, OP_LOCAL, f->vars[k].type, k);
        f->external = x;
        return true;
    }
    return false;
}

/* ---- external objects ---- */

static Function *object_function(Library *lib, Instance *object, const char *name, Span span)
{
    uint32_t index = class_find(object->cls, library_name(lib, name));
    Instance *fn = index == MAP_NONE || object->cls->elements.at[index].kind != ELEMENT_CLASS
                       ? NULL
                       : inst_class(lib, object, index);
    if (!fn || !class_is_function(fn->cls)) {
        diag(lib->ctx, span, DIAG_I020, "the external object '%s' has no function '%s'",
             object->cls->name, name);
        diag_note(lib->ctx, (Span){0},
                  "it needs a constructor and a destructor (Modelica 3.6, section 12.9.7)");
        return NULL;
    }
    return inst_function(lib, fn, span);
}

Function *external_constructor(Library *lib, Instance *object, Span span)
{
    Function *f = object_function(lib, object, "constructor", span);
    if (!f || f->destructor)
        return f;
    Function *d = object_function(lib, object, "destructor", span);
    if (!d)
        return NULL;
    TypeId type = object->cls->type;
    if (f->n_out != 1 || f->vars[f->n_in].type != type) {
        diag(lib->ctx, f->span, DIAG_I020,
             "the constructor of '%s' must have one output, of that class", object->cls->name);
        return NULL;
    }
    if (d->n_in != 1 || d->n_out || d->vars[0].type != type) {
        diag(lib->ctx, d->span, DIAG_I020,
             "the destructor of '%s' must have one input, of that class, and no output",
             object->cls->name);
        return NULL;
    }
    f->destructor = d;
    return f;
}

/* ---- code that may not be called ---- */

/* Functions that compute, and neither read nor write nor start anything. */
static bool only_computes(const FnExternal *x)
{
    static const char *const families[] = {"ModelicaStandardTables_", "ModelicaStrings_",
                                           "ModelicaRandom_", "ModelicaFFT_"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (!strncmp(x->symbol, families[i], strlen(families[i])))
            return true;
    for (uint32_t i = 0; !strcmp(x->language, "FORTRAN 77") && i < x->n_libraries; i++)
        if (!strcmp(x->libraries[i], "lapack"))
            return true;
    return false;
}

static bool is_trusted(const Library *lib, const char *path)
{
    for (uint32_t i = 0; path && i < lib->n_trusted; i++) {
        size_t n = strlen(lib->folders.at[i]);
        if (!strncmp(path, lib->folders.at[i], n) && path[n] == '/' && !strstr(path, "/../"))
            return true;
    }
    return !path;
}

const char *external_refusal(void *user, const Function *f)
{
    const Library *lib = user;
    const FnExternal *x = f->external;
    bool trusted = x->span.file &&
                   is_trusted(lib, sources_get(lib->ctx->sources, x->span.file)->path) &&
                   is_trusted(lib, x->include_folder) && is_trusted(lib, x->library_folder) &&
                   is_trusted(lib, x->source_folder);
    return trusted && only_computes(x)
               ? NULL
               : "external code is off here ('kairos studio --allow-external' allows it)";
}
