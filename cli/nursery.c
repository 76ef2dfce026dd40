/* The process from which the studio forks its workers; only the studio calls it. */
#include "session.h"
#include "studio.h"

#include <stdio.h>

typedef struct NurseryCall {
    Options common;
    const char *workspace;
    bool allow_external;
    unsigned control, limit_memory, limit_result;
} NurseryCall;

static int nursery(Options *common)
{
    const NurseryCall *o = (const NurseryCall *)common;
    if (!o->control || !o->workspace || !o->limit_memory || !o->limit_result) {
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
                                                            .memory = o->limit_memory,
                                                            .result = o->limit_result});
    kairos_close(k);
    return status;
}

static const Option nursery_options[] = {
    {"--control", "N", "descriptor of the server", OPT_COUNT, TO(NurseryCall, control)},
    {"--workspace", "FOLDER", "as for studio", OPT_TEXT, TO(NurseryCall, workspace)},
    {"--allow-external", NULL, "as for studio", OPT_FLAG, TO(NurseryCall, allow_external)},
    {"--limit-memory", "MB", "as for studio", OPT_COUNT, TO(NurseryCall, limit_memory)},
    {"--limit-result", "MB", "as for studio", OPT_COUNT, TO(NurseryCall, limit_result)},
    {0},
};

const Command command_nursery = {
    .name = "studio-nursery",
    .arguments = "",
    .summary = "the workers of the studio",
    .text = "Only the studio calls this command.",
    .run = nursery,
    .size = sizeof(NurseryCall),
    .options = {nursery_options, library_options},
    .hidden = true,
};
