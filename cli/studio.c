/* kairos studio, and the hidden command of its workers. */
#include "options.h"
#include "studio.h"

#include <stdio.h>

int studio_command(Options *o)
{
    if (o->port > 65535) {
        fprintf(stderr, "kairos: --port wants a number up to 65535\n");
        return KAIROS_USE_ERROR;
    }
    return studio_serve(&(StudioOptions){.port = o->port,
                                         .bind = o->bind,
                                         .workspace = o->workspace,
                                         .no_open = o->no_open,
                                         .allow_external = o->allow_external,
                                         .libraries = o->libraries.at,
                                         .n_libraries = o->libraries.n,
                                         .files = o->arguments.at,
                                         .n_files = o->arguments.n,
                                         .limit_seconds = o->limit_seconds,
                                         .limit_memory = o->limit_memory,
                                         .limit_result = o->limit_result});
}

int nursery_command(Options *o)
{
    if (!o->control || !o->workspace || !o->limit_memory || !o->limit_result) {
        fprintf(stderr, "kairos: this command is for the studio; use 'kairos studio'\n");
        return KAIROS_USE_ERROR;
    }
    Kairos *k = kairos_open();
    if (!k)
        return KAIROS_FAILED;
    add_libraries(k, o);
    if (!o->allow_external)
        kairos_refuse_external(k);
    int status = studio_fork_server(k, &(ForkServerOptions){.control = (int)o->control,
                                                            .workspace = o->workspace,
                                                            .memory = o->limit_memory,
                                                            .result = o->limit_result});
    kairos_close(k);
    return status;
}
