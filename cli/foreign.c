/* FMUs of others: kairos fmu check, kairos fmu import, and FMUs in the studio. */
#include "foreign.h"

#include "base/atomic_file.h"
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file after the word `check` or `import`; NULL after a message. */
static const char *file_argument(const Options *o)
{
    if (o->arguments.n == 2)
        return o->arguments.at[1];
    fprintf(stderr, "kairos: 'fmu %s' takes one file, for example kairos fmu %s Ball.fmu\n",
            o->arguments.at[0], o->arguments.at[0]);
    return NULL;
}

int fmu_check_command(const Options *o, double seconds)
{
    const char *path = file_argument(o);
    if (!path)
        return KAIROS_USE_ERROR;
    Kairos *k = kairos_open();
    catch_interrupt(k);
    KairosFmuCheck how = {.size = sizeof how, .seconds = seconds};
    int status = kairos_check_fmu(k, path, &how);
    if (!status && !o->quiet)
        printf("%s: no faults found\n", path);
    return finish(k, o, status);
}

int fmu_import_command(const Options *o, const char *kind)
{
    const char *path = file_argument(o);
    if (!path)
        return KAIROS_USE_ERROR;
    Kairos *k = kairos_open();
    structure_fmus(k, o);
    char *text = kairos_import_fmu(k, path, o->model, kind);
    int status = text ? put_output(o, text) : KAIROS_MODEL_ERROR;
    if (text && o->output && !status && !o->quiet)
        fprintf(stderr, "%s\n", o->output);
    kairos_free_text(text);
    return finish(k, o, status);
}

bool is_fmu(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".fmu");
}

static int write_class(const Options *o, const char *path, const char *to)
{
    Kairos *k = kairos_open();
    char *text = kairos_import_fmu(k, path, NULL, NULL);
    int status = text ? KAIROS_OK : KAIROS_MODEL_ERROR;
    if (text && !atomic_save(to, text, strlen(text), false)) {
        fprintf(stderr, "kairos: cannot write '%s': %s\n", to, strerror(errno));
        status = KAIROS_USE_ERROR;
    }
    kairos_free_text(text);
    return finish(k, o, status);
}

char *fmu_class_file(const Options *o, const char *path, int *status)
{
    static const char ending[] = ".mo";
    size_t n = strlen(path) - strlen(".fmu");
    char *to = malloc(n + sizeof ending);
    *status = to ? KAIROS_OK : KAIROS_FAILED;
    if (!to)
        return NULL;
    memcpy(to, path, n);
    memcpy(to + n, ending, sizeof ending);
    if (access(to, F_OK) != 0)
        *status = write_class(o, path, to);
    if (!*status)
        return to;
    free(to);
    return NULL;
}
