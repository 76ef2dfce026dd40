/* The command line, parsed into a struct by the tables of the command (command.h). */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "kairos.h"

#include <stdbool.h>

typedef struct TextList {
    const char **at;
    unsigned n;
} TextList;

typedef struct SettingList {
    KairosSetting *at;
    unsigned n;
} SettingList;

typedef struct InputList {
    KairosInput *at;
    unsigned n;
} InputList;

/* Options that several commands share. A command with options of its own has a struct that begins
 * with this one. */
typedef struct Options {
    const struct Command *command;
    TextList arguments; /* arguments that are not options */
    TextList libraries, no_events;
    SettingList settings;
    const char *model, *output;
    const char *kind; /* interface of FMUs; NULL: model exchange if there is one */
    bool json, quiet, help, compatible;
    bool colour; /* of messages: standard error is a terminal */
} Options;

/* The options of the command argv[1]; NULL after a message on standard error. */
Options *options_parse(int argc, char **argv);
void options_free(Options *o);

#endif
