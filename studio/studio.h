/* The studio: a page in the browser on top of the public library.
 *
 * Three kinds of processes. The server (server.c, Studio in server.h) answers HTTP on one loop and
 * never compiles or runs a model. The fork server (fork_server.c) is the same program under a
 * hidden command. It has parsed the libraries and forks a child for each piece of work. A child
 * does one job and ends (job.c), or keeps a compiled model and runs it (live.c). See
 * docs/studio-server.md. */
#ifndef STUDIO_STUDIO_H
#define STUDIO_STUDIO_H

#include "kairos.h"

#include <stdbool.h>

typedef struct StudioOptions {
    unsigned port;         /* 0: any that is free */
    const char *bind;      /* numeric address; NULL: 127.0.0.1 */
    const char *workspace; /* NULL: the folder of the first file, otherwise the current folder */
    bool no_open;          /* no browser */
    bool allow_external;
    const char *const *libraries; /* folders of packages, handed to the fork server */
    unsigned n_libraries;
    const char *const *files; /* to be opened in the page */
    unsigned n_files;
    unsigned limit_seconds, limit_memory, limit_result; /* of a run: s, MB, MB; 0: the default */
} StudioOptions;

/* Serves until SIGINT or SIGTERM; the exit status. */
int studio_serve(const StudioOptions *o);

typedef struct ForkServerOptions {
    int control;           /* socket to the server */
    const char *workspace; /* absolute */
    unsigned memory;       /* MB a child may take */
} ForkServerOptions;

/* The fork server at work, with a session that knows the libraries; the exit status. */
int studio_fork_server(Kairos *k, const ForkServerOptions *o);

#endif
