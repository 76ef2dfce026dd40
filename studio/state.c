/* The state of the studio for a page that loads, and the layout that the page stores here. */
#include "server.h"

#include "base/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- layout: a file per workspace, in the user's state folder ---- */

static char *state_folder(void)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder = NULL;
    int n = base && *base == '/' ? asprintf(&folder, "%s/kairos", base)
            : home               ? asprintf(&folder, "%s/.local/state/kairos", home)
                                 : -1;
    return n < 0 ? NULL : folder;
}

static char *layout_path(const Studio *s, const char *folder)
{
    char *path = NULL;
    uint64_t hash = files_hash(s->workspace.place, strlen(s->workspace.place));
    return asprintf(&path, "%s/studio-%016llx.json", folder, (unsigned long long)hash) < 0 ? NULL
                                                                                           : path;
}

static void make_folders(const char *folder)
{
    char *copy = strdup(folder);
    if (!copy)
        return;
    for (char *p = copy + 1; (p = strchr(p, '/')); p++) {
        *p = 0;
        mkdir(copy, 0700);
        *p = '/';
    }
    mkdir(copy, 0700);
    free(copy);
}

char *layout_load(const Studio *s)
{
    char *folder = state_folder(), *path = folder ? layout_path(s, folder) : NULL, *text = NULL;
    Text t = {0};
    cJSON *o = path && text_read_file(&t, path, SIZE_MAX) && t.n ? cJSON_Parse(t.at) : NULL;
    text = o ? strdup(t.at) : NULL;
    cJSON_Delete(o);
    text_free(&t);
    free(path);
    free(folder);
    return text;
}

static bool layout_save(const Studio *s, const char *text)
{
    char *folder = state_folder(), *path = folder ? layout_path(s, folder) : NULL;
    bool ok = false;
    if (path) {
        make_folders(folder);
        ok = atomic_save(path, text, strlen(text), false);
    }
    free(path);
    free(folder);
    return ok;
}

void layout_read(Studio *s, Request *r)
{
    char *text = layout_load(s);
    Text t = {0};
    text_put(&t, text ? text : "null");
    free(text);
    request_json(r, 200, &t);
}

void layout_write(Studio *s, Request *r)
{
    const char *text = request_text(r);
    cJSON *o = cJSON_ParseWithOpts(text, NULL, true);
    Text t = {0};
    if (!o) {
        request_error(r, 400, "the body is not valid JSON");
    } else if (!layout_save(s, text)) {
        request_error(r, 500, "the layout cannot be kept: %s", strerror(errno));
    } else {
        text_put(&t, "{}");
        request_json(r, 200, &t);
    }
    cJSON_Delete(o);
}

/* ---- state ---- */

static void put_open(const Studio *s, Text *t)
{
    const char *comma = "";
    text_put(t, ",\"open\":[");
    for (unsigned i = 0; i < s->options.n_files; i++) {
        char *real = realpath(s->options.files[i], NULL);
        size_t n = strlen(s->workspace.place);
        if (real && !strncmp(real, s->workspace.place, n) && real[n] == '/' &&
            files_may_name(&s->workspace, real)) {
            text_put(t, comma);
            text_put_json(t, real + n + 1);
            comma = ",";
        }
        free(real);
    }
    text_put(t, "]");
}

static void put_solvers(Text *t)
{
    const char *const *names = kairos_list_solvers();
    text_put(t, ",\"solvers\":[\"auto\"");
    for (; *names; names++)
        if (strcmp(*names, "auto")) {
            text_put(t, ",");
            text_put_json(t, *names);
        }
    text_put(t, "]");
}

void state_read(Studio *s, Request *r)
{
    Text t = {0};
    char *layout = layout_load(s);
    watch_look(s);
    text_put(&t, "{\"version\":");
    text_put_json(&t, kairos_version());
    text_put(&t, ",\"workspace\":");
    text_put_json(&t, s->workspace.place);
    text_put(&t, ",\"files\":");
    files_put_list(&s->workspace, &t);
    put_open(s, &t);
    text_printf(&t, ",\"libraries\":%s", s->libraries ? s->libraries : "[]");
    put_solvers(&t);
    text_printf(&t, ",\"layout\":%s,\"allow_external\":%s", layout ? layout : "null",
                s->options.allow_external ? "true" : "false");
    text_printf(&t, ",\"limits\":{\"seconds\":%u,\"memory\":%llu,\"bytes\":%llu}",
                s->options.limit_seconds, (unsigned long long)s->options.limit_memory << 20,
                (unsigned long long)s->options.limit_result << 20);
    text_put(&t, ",\"models\":");
    models_put_list(s, &t);
    text_put(&t, ",\"runs\":");
    runs_put_list(s, &t);
    text_put(&t, "}");
    free(layout);
    request_json(r, 200, &t);
}
