#include "language.h"
#include "session.h"

typedef struct LspOptions {
    Options common;
    bool stdio, allow_external;
} LspOptions;

static int lsp(Options *common)
{
    const LspOptions *o = (const LspOptions *)common;
    if (common->arguments.n)
        return usage("lsp takes no files: the editor names them");
    return lsp_serve(&(LanguageOptions){.libraries = common->libraries.at,
                                        .n_libraries = common->libraries.n,
                                        .allow_external = o->allow_external});
}

static const Option lsp_options[] = {
    {"--stdio", NULL, "speak over standard input and output, as always", OPT_FLAG,
     TO(LspOptions, stdio)},
    {"--allow-external", NULL, "let models call external C code", OPT_FLAG,
     TO(LspOptions, allow_external)},
    {0},
};

const Command command_lsp = {
    .name = "lsp",
    .arguments = "[OPTION...]",
    .summary = "serve an editor by the Language Server Protocol",
    .text = "Speaks the Language Server Protocol 3.17 over standard input and output. An editor "
            "starts it. docs/editors.md shows how.",
    .run = lsp,
    .size = sizeof(LspOptions),
    .options = {lsp_options, library_options, common_options},
};
