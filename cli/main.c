/* The program `kairos`: commands on top of the public library. commands.def lists them. */
#include "command.h"
#include "help.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const Command *const commands[] = {
#define COMMAND(name) &command_##name,
#define HIDDEN(name) &command_##name,
#include "commands.def"
#undef COMMAND
#undef HIDDEN
    NULL};

const Command *find_command(const char *name)
{
    for (const Command *const *c = commands; *c; c++)
        if (!strcmp((*c)->name, name))
            return *c;
    return NULL;
}

int main(int argc, char **argv)
{
    char help[] = "--help";
    char *instead[] = {argv[0], argc > 2 ? argv[2] : NULL, help, NULL};
    if (argc > 2 && !strcmp(argv[1], "help") && argv[2][0] != '-') {
        /* help COMMAND is COMMAND --help */
        argv = instead;
        argc = 3;
    }
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
        !strcmp(argv[1], "help")) {
        if (argc > 2 && !strcmp(argv[2], "--json"))
            help_json();
        else
            help_all();
        return argc < 2 ? KAIROS_USE_ERROR : KAIROS_OK;
    }
    if (!strcmp(argv[1], "--version"))
        return command_version.run(NULL);
    Options *o = options_parse(argc, argv);
    if (!o)
        return KAIROS_USE_ERROR;
    int status = o->help ? (help_command(o->command), KAIROS_OK) : o->command->run(o);
    options_free(o);
    if (status == KAIROS_INTERRUPTED) { /* the end of the process frees what was being built */
        fflush(NULL);
        _exit(status);
    }
    return status;
}
