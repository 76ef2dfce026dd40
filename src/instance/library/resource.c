/* Files of libraries, by their URIs (section 13.5 of the specification). */
#include "instance/library/package_folders.h"

#include <unistd.h>

static const char *folder_of_path(Library *lib, const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? arena_copy(lib->arena, path, (size_t)(slash - path)) : ".";
}

/* The folder of the top-level class whose name is the first n characters of `name`; NULL if
 * there is no such class. */
static const char *top_folder(Library *lib, const char *name, size_t n)
{
    Name top = library_name(lib, arena_copy(lib->arena, name, n));
    uint32_t index = library_top(lib, top);
    if (index == MAP_NONE)
        return NULL;
    const Element *e = &lib->root->elements.at[index];
    if (e->file)
        return e->file->folder ? e->file->folder : folder_of_path(lib, e->file->path);
    Span span = e->class_ast ? e->class_ast->name_span : (Span){0};
    return span.file ? folder_of_path(lib, sources_get(lib->ctx->sources, span.file)->path) : NULL;
}

/* modelica://A.B/path, file:///path or a plain path, as a path (section 13.5). NULL if there is
 * no such class or file. */
const char *library_resource(Library *lib, const char *uri)
{
    static const char modelica[] = "modelica://", file[] = "file://";
    if (!strncmp(uri, file, sizeof file - 1))
        return uri + sizeof file - 1;
    if (strncmp(uri, modelica, sizeof modelica - 1))
        return uri;
    const char *name = uri + sizeof modelica - 1, *path = strchr(name, '/');
    size_t n = path ? (size_t)(path - name) : strlen(name), part = 0;
    while (part < n && name[part] != '.')
        part++;
    const char *folder = top_folder(lib, name, part);
    for (size_t at = part; folder && at < n; at += part) {
        for (at++, part = 0; at + part < n && name[at + part] != '.'; part++)
            ;
        const char *deeper = arena_printf(lib->arena, "%s/%.*s", folder, (int)part, name + at);
        if (access(deeper, F_OK))
            break;
        folder = deeper;
    }
    return folder ? arena_printf(lib->g->arena, "%s%s", folder, path ? path : "") : NULL;
}
