#include "language.h"
#include "session.h"

typedef struct McpOptions {
    Options common;
    bool allow_external;
} McpOptions;

static int mcp(Options *common)
{
    static const char *const here[] = {"."};
    const McpOptions *o = (const McpOptions *)common;
    const TextList *folders = &common->arguments;
    return mcp_serve(&(LanguageOptions){.libraries = common->libraries.at,
                                        .n_libraries = common->libraries.n,
                                        .folders = folders->n ? folders->at : here,
                                        .n_folders = folders->n ? folders->n : 1,
                                        .allow_external = o->allow_external});
}

static const Option mcp_options[] = {
    {"--allow-external", NULL, "let models call external C code", OPT_FLAG,
     TO(McpOptions, allow_external)},
    {0},
};

const Command command_mcp = {
    .name = "mcp",
    .arguments = "[FOLDER...] [OPTION...]",
    .summary = "serve an agent by the Model Context Protocol",
    .text = "Speaks the Model Context Protocol over standard input and output. An agent can search "
            "and read classes, check, simulate, plot and edit models. It reads and writes only "
            "files in the folders; default: the current one.",
    .manual = "Libraries can be read as well. Models call no external C code unless "
              "--allow-external is given. docs/agents.md describes the tools.",
    .run = mcp,
    .size = sizeof(McpOptions),
    .options = {mcp_options, library_options, common_options},
    .examples = ENTRIES({"kairos mcp models", "Serve an agent that works in the folder models."}),
    .files = "/",
};
