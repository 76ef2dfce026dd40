/* Classes for trees and documentation views: rows of the tree, and the description of one class. */
#include "inspect/inspect.h"

#include "instance/tree/tree.h"

#include <stdlib.h>

/* ---- finding ---- */

Instance *inspect_find(Library *lib, const char *name)
{
    Instance *at = lib->root_inst;
    for (const char *p = name; at && *p;) {
        Found f = lookup_member(lib, at, library_next_name(lib, &p));
        at = f.inst && found_element(f)->kind == ELEMENT_CLASS ? inst_class(lib, f.inst, f.index)
                                                               : NULL;
    }
    return at == lib->root_inst ? NULL : at;
}

const AstClass *inspect_ast(Library *lib, const Element *e)
{
    if (e->kind != ELEMENT_CLASS)
        return NULL;
    if (!e->class_ast && e->file && library_load(lib, e->file))
        return e->file->ast;
    return e->class_ast;
}

/* ---- rows ---- */

static bool has_classes(const AstClass *c)
{
    for (uint32_t i = 0; i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_CLASS)
            return true;
    return false;
}

/* Whether it has its own icon, or may inherit one. */
static bool has_icon(const AstClass *c)
{
    if (annotation_part(c->comment.annotation, "Icon") || c->form == AST_SHORT ||
        c->form == AST_EXTENDS_LONG)
        return true;
    for (uint32_t i = 0; i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_EXTENDS)
            return true;
    return false;
}

static const char *flag(bool b)
{
    return b ? "true" : "false";
}

static void put_row(Text *t, Library *lib, const AstClass *c, const LibFile *file, const char *full)
{
    text_put(t, t->n && t->at[t->n - 1] != '[' ? ",\n{\"name\":" : "{\"name\":");
    text_put_json(t, c->name);
    inspect_put_field(t, "full", full);
    inspect_put_field(t, "kind", restriction_text(c->restriction));
    inspect_put_field(t, "description", c->comment.text);
    const AstExpr *view = annotation_value(c->comment.annotation, "preferredView");
    inspect_put_field(t, "view", view && view->kind == AST_STRING ? view->string : NULL);
    text_printf(t, ",\"partial\":%s,\"has_children\":%s,\"icon\":%s", flag(c->partial),
                flag(has_classes(c) || (file && file->children.n)), flag(has_icon(c)));
    inspect_put_place(t, lib->ctx, c->name_span);
    text_put(t, "}");
}

/* ---- the classes of a package ---- */

typedef struct Row {
    const Element *element;
    uint32_t rank, number; /* in package.order, and of declaration */
} Row;

typedef VEC(Row) Rows;

/* The line of a name in package.order; UINT32_MAX if it is not listed. */
static uint32_t rank_of(const char *order, Name name)
{
    size_t n = strlen(name);
    uint32_t line = 0;
    for (const char *p = order; p && *p; line++) {
        size_t length = strcspn(p, "\r\n");
        if (length == n && !strncmp(p, name, n))
            return line;
        p += length;
        p += strspn(p, "\r\n");
    }
    return UINT32_MAX;
}

static int by_rank(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    uint32_t i = x->rank == y->rank ? x->number : x->rank,
             j = x->rank == y->rank ? y->number : y->rank;
    return i < j ? -1 : i > j;
}

static const char *package_order(Library *lib, const Class *c)
{
    uint32_t at = map_get(&lib->file_of_class, map_key(c->ast));
    const LibFile *file = at == MAP_NONE ? NULL : lib->tree_files.at[at];
    if (!file || !file->folder)
        return NULL;
    uint32_t source =
        sources_load(lib->ctx->sources, arena_printf(lib->arena, "%s/package.order", file->folder));
    return source ? sources_get(lib->ctx->sources, source)->text : NULL;
}

static void put_children(Text *t, Library *lib, const Class *c)
{
    Rows rows = {0};
    const char *order = package_order(lib, c);
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const Element *e = &c->elements.at[i];
        if (e->kind == ELEMENT_CLASS && e->layer == c->layers.at[0])
            vec_push(&rows, ((Row){e, rank_of(order, e->name), i}));
    }
    if (rows.n)
        qsort(rows.at, rows.n, sizeof *rows.at, by_rank);
    for (uint32_t i = 0; i < rows.n; i++) {
        const AstClass *ast = inspect_ast(lib, rows.at[i].element);
        if (ast)
            put_row(t, lib, ast, rows.at[i].element->file, class_full_name(lib, c, ast->name));
    }
    vec_free(&rows);
}

/* The libraries that lookups find, each once. */
static void put_libraries(Text *t, Library *lib)
{
    StoredLibrary *all;
    uint32_t n = library_list(lib, &all);
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        for (uint32_t k = 0; k < i; k++)
            known |= all[k].name == all[i].name;
        uint32_t at = known ? MAP_NONE : library_top(lib, all[i].name);
        const Element *e = at == MAP_NONE ? NULL : &lib->root->elements.at[at];
        const AstClass *ast = e ? inspect_ast(lib, e) : NULL;
        if (ast)
            put_row(t, lib, ast, e->file, ast->name);
    }
}

static void put_last_file(Text *t, Library *lib)
{
    const AstFile *file = lib->last_file < lib->files.n ? lib->files.at[lib->last_file] : NULL;
    for (uint32_t i = 0; file && !file->within.n && i < file->classes.n; i++) {
        uint32_t at = class_find(lib->root, file->classes.at[i]->name);
        const LibFile *stored = at == MAP_NONE ? NULL : lib->root->elements.at[at].file;
        put_row(t, lib, file->classes.at[i], stored, file->classes.at[i]->name);
    }
}

bool inspect_classes(Library *lib, const char *name, Text *t)
{
    text_put(t, "[");
    if (!name) {
        put_last_file(t, lib);
    } else if (!*name) {
        put_libraries(t, lib);
    } else {
        const Instance *inst = inspect_find(lib, name);
        if (!inst)
            return false;
        put_children(t, lib, inst->cls);
    }
    text_put(t, "]");
    return true;
}

/* ---- all of a library ---- */

/* Rows of a class and of everything in it, from the text alone. */
static void put_all(Text *t, Library *lib, const AstClass *c, LibFile *file, Text *prefix)
{
    size_t length = prefix->n;
    text_printf(prefix, "%s%s", length ? "." : "", c->name);
    put_row(t, lib, c, file, prefix->at);
    for (uint32_t i = 0; i < c->elements.n; i++)
        if (c->elements.at[i]->kind == AST_EL_CLASS && c->elements.at[i]->class_)
            put_all(t, lib, c->elements.at[i]->class_, NULL, prefix);
    for (uint32_t i = 0; file && i < file->children.n; i++)
        if (library_load(lib, file->children.at[i]))
            put_all(t, lib, file->children.at[i]->ast, file->children.at[i], prefix);
    prefix->n = length;
    prefix->at[length] = 0;
}

bool inspect_all(Library *lib, const char *name, Text *t)
{
    uint32_t at = library_top(lib, library_name(lib, name));
    const Element *e = at == MAP_NONE ? NULL : &lib->root->elements.at[at];
    const AstClass *ast = e ? inspect_ast(lib, e) : NULL;
    Text prefix = {0};
    text_put(t, "[");
    if (ast)
        put_all(t, lib, ast, e->file, &prefix);
    text_put(t, "]");
    text_free(&prefix);
    return ast;
}

/* ---- one class ---- */

static const char *type_text(const AstName *n, Arena *arena)
{
    Text t = {0};
    for (uint32_t i = 0; i < n->n; i++)
        text_printf(&t, "%s%s", i || n->absolute ? "." : "", n->parts[i]);
    return text_keep(&t, arena);
}

static const char *component_kind(Library *lib, const AstElement *e, const Instance *type)
{
    (void)lib;
    if (e->variability == AST_PARAMETER || e->variability == AST_CONSTANT)
        return e->variability == AST_PARAMETER ? "parameter" : "constant";
    if (e->causality != AST_ACAUSAL)
        return e->causality == AST_INPUT ? "input" : "output";
    return type && class_is_connector(type->cls) ? "connector" : "component";
}

static void put_component(Text *t, Library *lib, Instance *inst, const Element *e)
{
    Scope scope = {inst, e->layer};
    const Instance *type = lookup_class(lib, scope, &e->ast->type);
    text_put(t, t->at[t->n - 1] == '[' ? "{\"name\":" : ",\n{\"name\":");
    text_put_json(t, e->name);
    inspect_put_field(t, "type", type ? type->cls->name : type_text(&e->ast->type, lib->arena));
    inspect_put_field(t, "description", e->ast->comment.text);
    inspect_put_field(t, "kind", component_kind(lib, e->ast, type));
    const AstMod *mod = e->ast->mod;
    inspect_put_field(t, "value",
                      mod && mod->value ? ast_print_expr(mod->value, lib->arena) : NULL);
    text_printf(t, ",\"protected\":%s,\"inherited\":%s", flag(e->is_protected),
                flag(e->layer->first != 0));
    inspect_put_place(t, lib->ctx, e->ast->span);
    text_put(t, "}");
}

static void put_bases(Text *t, Library *lib, Instance *inst)
{
    const Class *c = inst->cls;
    Scope scope = {inst, c->layers.at[0]};
    text_put(t, ",\"extends\":[");
    for (uint32_t i = 0; i < c->ast->elements.n; i++) {
        const AstElement *e = c->ast->elements.at[i];
        if (e->kind != AST_EL_EXTENDS)
            continue;
        const Instance *base = lookup_class(lib, scope, &e->type);
        text_put(t, t->at[t->n - 1] == '[' ? "" : ",");
        text_put_json(t, base ? base->cls->name : type_text(&e->type, lib->arena));
    }
    if (c->ast->form == AST_SHORT)
        text_put_json(t, type_text(&c->ast->base, lib->arena));
    text_put(t, "]");
}

static void put_documentation(Text *t, const AstClass *c)
{
    const AstMod *doc = annotation_part(c->comment.annotation, "Documentation");
    const AstExpr *info = annotation_value(doc, "info"),
                  *revisions = annotation_value(doc, "revisions");
    inspect_put_field(t, "documentation", info && info->kind == AST_STRING ? info->string : NULL);
    inspect_put_field(t, "revisions",
                      revisions && revisions->kind == AST_STRING ? revisions->string : NULL);
}

static void put_text_of(Text *t, const Library *lib, const AstClass *c)
{
    enum { MOST = 200000 };
    const Source *source = sources_get(lib->ctx->sources, c->span.file);
    size_t n = c->span.end - c->span.at;
    char *text = arena_copy(lib->arena, source->text + c->span.at, n < MOST ? n : MOST);
    inspect_put_field(t, "text", text);
}

bool inspect_class(Library *lib, const char *name, Text *t)
{
    Instance *inst = inspect_find(lib, name);
    const AstClass *c = inst ? inst->cls->ast : NULL;
    if (!c)
        return false;
    text_put(t, "{\"name\":");
    text_put_json(t, inst->cls->name);
    inspect_put_field(t, "kind", restriction_text(c->restriction));
    inspect_put_field(t, "description", c->comment.text);
    text_printf(t, ",\"partial\":%s", flag(c->partial));
    inspect_put_place(t, lib->ctx, c->name_span);
    put_documentation(t, c);
    put_bases(t, lib, inst);
    text_put(t, ",\"components\":[");
    for (uint32_t i = 0; i < inst->cls->order.n; i++) {
        const Element *e = &inst->cls->elements.at[inst->cls->order.at[i]];
        if (e->kind == ELEMENT_COMPONENT && e->ast)
            put_component(t, lib, inst, e);
    }
    text_put(t, "],\"classes\":[");
    put_children(t, lib, inst->cls);
    text_put(t, "]");
    put_text_of(t, lib, c);
    text_put(t, "}");
    return true;
}
