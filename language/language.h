/* The servers on top of the language service (src/service): for editors by the Language Server
 * Protocol 3.17, for agents by the Model Context Protocol. Both speak over standard input and
 * output until their input ends. host.h says how they work. */
#ifndef LANGUAGE_LANGUAGE_H
#define LANGUAGE_LANGUAGE_H

#include <stdbool.h>

typedef struct LanguageOptions {
    const char *const *libraries; /* folders of packages, before those of MODELICAPATH */
    unsigned n_libraries;
    const char *const *folders; /* that an agent may read and write */
    unsigned n_folders;
    bool allow_external;
} LanguageOptions;

/* Serve; the exit status. */
int lsp_serve(const LanguageOptions *o);
int mcp_serve(const LanguageOptions *o);

#endif
