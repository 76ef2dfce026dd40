/* The process from which the studio forks its workers; only the studio calls it. */
#include "session.h"
#include "studio.h"

#include <stdio.h>

typedef struct ForkServerCall {
    Options common;
    const char *workspace;
    bool allow_external;
    unsigned control, limit_memory;
} ForkServerCall;

static int fork_server(Options *common)
{
    const ForkServerCall *o = (const ForkServerCall *)common;
    if (!o->control || !o->workspace || !o->limit_memory) {
        fprintf(stderr, "kairos: this command is for the studio; use 'kairos studio'\n");
        return KAIROS_USE_ERROR;
    }
    Kairos *k = kairos_open();
    if (!k)
        return KAIROS_FAILED;
    add_libraries(k, common);
    if (!o->allow_external)
        kairos_refuse_external(k);
    int status = studio_fork_server(k, &(ForkServerOptions){.control = (int)o->control,
                                                            .workspace = o->workspace,
                                                            .memory = o->limit_memory});
    kairos_close(k);
    return status;
}

static const Option fork_server_options[] = {
    {"--control", "N", "descriptor of the server", OPT_COUNT, TO(ForkServerCall, control)},
    {"--workspace", "FOLDER", "as for studio", OPT_TEXT, TO(ForkServerCall, workspace)},
    {"--allow-external", NULL, "as for studio", OPT_FLAG, TO(ForkServerCall, allow_external)},
    {"--limit-memory", "MB", "as for studio", OPT_COUNT, TO(ForkServerCall, limit_memory)},
    {0},
};

const Command command_fork_server = {
    .name = "studio-fork-server",
    .arguments = "",
    .summary = "the workers of the studio",
    .text = "Only the studio calls this command.",
    .run = fork_server,
    .size = sizeof(ForkServerCall),
    .options = {fork_server_options, library_options},
    .hidden = true,
};
