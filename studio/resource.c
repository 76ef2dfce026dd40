/* Pictures of documentation, and bodies of animations: modelica://Library.Package/path
 * (section 13.5 of the specification), from libraries and packages of the workspace. */
#include "confined_files.h"
#include "server.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *type_of(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {{".png", "image/png"},
                 {".jpg", "image/jpeg"},
                 {".jpeg", "image/jpeg"},
                 {".gif", "image/gif"},
                 {".svg", "image/svg+xml"},
                 {".dxf", "application/octet-stream"},
                 {".stl", "application/octet-stream"},
                 {".obj", "application/octet-stream"}};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
        if (!strcasecmp(dot, types[i].ending))
            return types[i].type;
    return NULL;
}

/* The folder of a top-level package of that name; to be freed. */
static char *package_folder(const Studio *s, const char *name, size_t n)
{
    char *folder = NULL;
    cJSON *list = cJSON_Parse(s->libraries ? s->libraries : "[]"), *row;
    if (asprintf(&folder, "%s/%.*s", s->workspace.place, (int)n, name) < 0)
        folder = NULL;
    if (folder && access(folder, R_OK)) {
        free(folder);
        folder = NULL;
    }
    cJSON_ArrayForEach(row, list)
    {
        const char *other = json_text(row, "name"), *place = json_text(row, "place");
        if (!folder && other && place && strlen(other) == n && !strncmp(other, name, n))
            folder = strdup(place);
    }
    cJSON_Delete(list);
    return folder;
}

/* A path below the folder; packages without their own folder are in the one around them. */
static bool read_in_package(int top, const char *packages, size_t n, const char *path, Text *t)
{
    for (;;) {
        Text full = {0};
        for (size_t i = 0; i < n; i++)
            text_put_char(&full, packages[i] == '.' ? '/' : packages[i]);
        text_printf(&full, "%s%s", n ? "/" : "", path);
        bool ok = confine_is_plain(full.at) && confine_read(top, full.at, t);
        text_free(&full);
        if (ok || !n)
            return ok;
        while (n && packages[n - 1] != '.')
            n--;
        n -= n > 0;
    }
}

void resource_read(Studio *s, Request *r)
{
    static const char scheme[] = "modelica://";
    const char *uri = request_arg(r, "uri");
    const char *name =
        uri && !strncmp(uri, scheme, sizeof scheme - 1) ? uri + sizeof scheme - 1 : NULL;
    const char *path = name ? strchr(name, '/') : NULL, *type = path ? type_of(path) : NULL;
    if (!type) {
        request_error(r, 400, "'uri' must name a picture or a body as modelica://Package/path.png");
        return;
    }
    size_t n = (size_t)(path - name), first = strcspn(name, "./");
    char *folder = !first || strcspn(name, "'\\") < n ? NULL : package_folder(s, name, first);
    int top = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    Text t = {0};
    const char *rest = name + first + (first < n);
    if (top >= 0 && read_in_package(top, rest, (size_t)(path - rest) * (first < n), path + 1, &t))
        request_answer(r, 200, type, &t);
    else
        request_error(r, 404, "there is no file '%.300s'", uri);
    if (top >= 0)
        close(top);
    text_free(&t);
    free(folder);
}
