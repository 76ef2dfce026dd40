/* Loaded text: files of libraries, and the classes of the text added last. */
#include "inspect/inspect.h"

#include "instance/tree/tree.h"

static void put_full_name(Text *t, const LibFile *f)
{
    if (f->package) {
        put_full_name(t, f->package);
        text_put(t, ".");
    }
    text_put(t, f->name);
}

void inspect_loaded(const Library *lib, Text *t)
{
    text_put(t, "[");
    for (uint32_t i = 0; i < lib->tree_files.n; i++) {
        const LibFile *f = lib->tree_files.at[i];
        Text name = {0};
        put_full_name(&name, f);
        text_put(t, i ? ",\n{\"name\":" : "{\"name\":");
        text_put_json(t, name.at);
        inspect_put_field(t, "path", f->path);
        text_put(t, "}");
        text_free(&name);
    }
    text_put(t, "]");
}

void inspect_each_package(const Library *lib,
                          void (*visit)(void *user, const char *name, const char *path), void *user)
{
    for (uint32_t i = 0; i < lib->tree_files.n; i++)
        if (!lib->tree_files.at[i]->package && lib->tree_files.at[i]->path)
            visit(user, lib->tree_files.at[i]->name, lib->tree_files.at[i]->path);
}

static bool is_model(const AstClass *c)
{
    return !c->partial && (c->restriction == AST_MODEL || c->restriction == AST_BLOCK ||
                           c->restriction == AST_CLASS);
}

/* `reachable`: all classes around it are packages, so that it can be named from outside. */
static void put_classes(const Library *lib, const AstClass *c, bool reachable, Text *prefix,
                        Text *t)
{
    enum { MOST = 1000 };
    size_t length = prefix->n;
    text_printf(prefix, "%s%s", length ? "." : "", c->name);
    Place end = source_place(lib->ctx->sources, (Span){c->span.file, c->span.end, c->span.end});
    text_put(t, t->at[t->n - 1] == '[' ? "{\"name\":" : ",\n{\"name\":");
    text_put_json(t, prefix->at);
    text_printf(t, ",\"kind\":\"%s\",\"partial\":%s,\"model\":%s", restriction_text(c->restriction),
                c->partial ? "true" : "false", reachable && is_model(c) ? "true" : "false");
    inspect_put_place(t, lib->ctx, c->name_span);
    text_printf(t, ",\"end_line\":%u}", end.line);
    for (uint32_t i = 0; i < c->elements.n && t->n < (MOST << 10); i++)
        if (c->elements.at[i]->kind == AST_EL_CLASS && c->elements.at[i]->class_)
            put_classes(lib, c->elements.at[i]->class_, reachable && c->restriction == AST_PACKAGE,
                        prefix, t);
    prefix->n = length;
    prefix->at[length] = 0;
}

void inspect_file(const Library *lib, Text *t)
{
    Text prefix = {0};
    const AstFile *file = lib->last_file < lib->files.n ? lib->files.at[lib->last_file] : NULL;
    text_put(t, "[");
    text_put(&prefix, "");
    for (uint32_t i = 0; file && i < file->within.n; i++)
        text_printf(&prefix, "%s%s", i ? "." : "", file->within.parts[i]);
    for (uint32_t i = 0; file && i < file->classes.n; i++)
        put_classes(lib, file->classes.at[i], true, &prefix, t);
    text_put(t, "]");
    text_free(&prefix);
}
