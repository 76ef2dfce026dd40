#include "studio.h"
#include "command.h"
#include "foreign.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct ServerOptions {
    Options common;
    const char *bind, *workspace;
    bool no_open, allow_external;
    unsigned port, limit_seconds, limit_memory, limit_result;
} ServerOptions;

/* FMUs among the files become classes beside them, whose paths go to `made`. */
static int import_fmus(ServerOptions *o, char **made)
{
    int status = KAIROS_OK;
    for (unsigned i = 0; i < o->common.arguments.n && !status; i++) {
        const char *path = o->common.arguments.at[i];
        if (!is_fmu(path))
            continue;
        made[i] = fmu_class_file(&o->common, path, &status);
        o->common.arguments.at[i] = made[i];
        o->allow_external = true;
    }
    return status;
}

static int serve(const ServerOptions *o)
{
    return studio_serve(&(StudioOptions){.port = o->port,
                                         .bind = o->bind,
                                         .workspace = o->workspace,
                                         .no_open = o->no_open,
                                         .allow_external = o->allow_external,
                                         .libraries = o->common.libraries.at,
                                         .n_libraries = o->common.libraries.n,
                                         .files = o->common.arguments.at,
                                         .n_files = o->common.arguments.n,
                                         .limit_seconds = o->limit_seconds,
                                         .limit_memory = o->limit_memory,
                                         .limit_result = o->limit_result});
}

static int studio(Options *common)
{
    ServerOptions *o = (ServerOptions *)common;
    unsigned n = o->common.arguments.n;
    char **made = calloc(n + 1, sizeof *made);
    int status = made ? import_fmus(o, made) : KAIROS_FAILED;
    if (!status)
        status = serve(o);
    for (unsigned i = 0; made && i < n; i++)
        free(made[i]);
    free(made);
    return status;
}

static const Option studio_options[] = {
    {"--port", "N", "port to serve at; default: 0, any free port", OPT_PORT,
     TO(ServerOptions, port)},
    {"--bind", "ADDRESS",
     "address to serve at; default: 127.0.0.1, which other machines cannot reach", OPT_TEXT,
     TO(ServerOptions, bind)},
    {"--no-open", NULL, "do not open a browser", OPT_FLAG, TO(ServerOptions, no_open)},
    {"--workspace", "FOLDER",
     "folder whose files can be opened; default: folder of the first file, or the current one",
     OPT_TEXT, TO(ServerOptions, workspace), .files = "/"},
    {"--allow-external", NULL, "let models call external C code", OPT_FLAG,
     TO(ServerOptions, allow_external)},
    {"--limit-seconds", "N", "longest time of a run; default 600", OPT_COUNT,
     TO(ServerOptions, limit_seconds)},
    {"--limit-memory", "MB", "memory of a run; default 4096", OPT_COUNT,
     TO(ServerOptions, limit_memory)},
    {"--limit-result", "MB", "size of a result; default 256", OPT_COUNT,
     TO(ServerOptions, limit_result)},
    {0},
};

const Command command_studio = {
    .name = "studio",
    .arguments = "[FILE...] [OPTION...]",
    .summary = "edit and simulate models in the browser",
    .text = "Serves a page for the browser and opens it. The first line on standard output is its "
            "address. The address has a token, and the studio answers no request without it. "
            "Ctrl-C ends the studio.",
    .manual = "Files of the workspace can be edited, files of libraries can be read. Models call "
              "no external C code unless --allow-external is given. For FILE.fmu, the class of "
              "`kairos fmu import` is written to FILE.mo, unless that exists, and opened; its "
              "binary runs in processes with the limits below.",
    .run = studio,
    .size = sizeof(ServerOptions),
    .options = {studio_options, library_options, common_options},
    .examples = ENTRIES({"kairos studio BouncingBall.mo", "Open a model in the browser."}),
    .files = "mo dym om fmu",
};
