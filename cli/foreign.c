/* FMUs of others: kairos fmu check and kairos fmu import. */
#include "foreign.h"

#include "session.h"

#include <stdio.h>

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
    char *text = kairos_import_fmu(k, path, o->model, kind);
    int status = text ? put_output(o, text) : KAIROS_MODEL_ERROR;
    if (text && o->output && !status && !o->quiet)
        fprintf(stderr, "%s\n", o->output);
    kairos_free_text(text);
    return finish(k, o, status);
}
