/* A command of the program: a function, its options, and the text about it.
 *
 * A file cli/NAME.c defines `const Command command_NAME`, and a row of commands.def registers it.
 * `kairos --help`, `kairos NAME --help`, the completion of the shells and the manual pages are
 * printed from these tables. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "options.h"

#include <stddef.h>

/* A word and its meaning: a value of an option, or an example. */
typedef struct Entry {
    const char *word, *text;
} Entry;
#define ENTRIES(...)                                                                               \
    (const Entry[])                                                                                \
    {                                                                                              \
        __VA_ARGS__,                                                                               \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

typedef enum OptionKind {
    OPT_TEXT,
    OPT_REAL,     /* a positive number */
    OPT_TIME,     /* any number */
    OPT_COUNT,    /* a whole number of at least 1 */
    OPT_PORT,     /* a whole number from 0 to 65535 */
    OPT_FLAG,     /* takes no value */
    OPT_TEXTS,    /* may be repeated: a TextList */
    OPT_SETTINGS, /* may be repeated: NAME=VALUE into a SettingList */
    OPT_INPUTS,   /* may be repeated: a file, or NAME=EXPRESSION, into an InputList */
    OPT_FORMAT    /* text or json; a bool */
} OptionKind;

typedef struct Option {
    const char *name;  /* "--output" */
    const char *value; /* name of its value in help; NULL: it takes none */
    const char *help;  /* a phrase; the first one of its paragraph in the manual page */
    OptionKind kind;
    size_t field, given;  /* destination of the value, and a bool to set with it (0: none) */
    const char *letter;   /* another name, "-o"; NULL: none */
    const char *manual;   /* further sentences for the manual page; NULL: none */
    const Entry *choices; /* the values; NULL: not an enumeration */
    bool list;            /* several of the choices, separated by commas */
    const char *files;    /* value is a file: its endings "csv mat", "" any, "/" a folder */
} Option;
#define TO(type, member) .field = offsetof(type, member)

typedef struct Command {
    const char *name, *arguments;
    const char *summary; /* one line for the list of commands */
    const char *text;    /* paragraphs for help and the manual page, separated by empty lines */
    const char *manual;  /* further paragraphs for the manual page; NULL: none */
    int (*run)(Options *o);
    size_t size;              /* of the struct of its options, which begins with an Options */
    const Option *options[7]; /* tables that end with a row of zeros; then NULL */
    const Entry *examples;    /* command lines and their effect */
    const Entry *words;       /* the first argument is one of these; NULL: any */
    const char *files;        /* arguments are files: as in Option; NULL: they are not */
    bool hidden;
} Command;

#define COMMAND(name) extern const Command command_##name;
#define HIDDEN(name) extern const Command command_##name;
#include "commands.def"
#undef COMMAND
#undef HIDDEN
extern const Command *const commands[]; /* ends with NULL */

/* The command of this name, or NULL. */
const Command *find_command(const char *name);

/* Tables of options that several commands share; options.c has them. */
extern const Option common_options[];  /* of every command */
extern const Option library_options[]; /* --library */
extern const Option model_options[];   /* the model, and values that change its structure */
extern const Option output_options[];  /* --output of text */

/* For each option of a command: FOR_OPTIONS(o, command) { … } */
#define FOR_OPTIONS(o, c)                                                                          \
    for (const Option *const *table_ = (c)->options; *table_; table_++)                            \
        for (const Option *o = *table_; o->name; o++)

#endif
