/* The command line: commands and options as tables, parsed into one struct. */
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

typedef struct Options {
    const struct Command *command;
    TextList arguments; /* what is no option */
    TextList libraries;
    const char *bind, *workspace; /* of the studio, as those of the next two lines */
    bool no_open, allow_external;
    unsigned port, control, limit_seconds, limit_memory, limit_result;
    TextList no_events;
    SettingList settings, sweeps; /* value of a sweep: its list */
    const char *model, *output, *plot, *events, *log, *solver, *variables, *compiler, *emit_c,
        *after, *title, *tolerance_text, *x, *colour_by, *x_range, *y_range;
    const char *structure;
    TextList inlined;
    const char *accumulation, *chattering, *mixed;
    double start_time, stop_time, tolerance, step, event_epsilon, time_tolerance;
    bool log_x, log_y, mark_events, separate, icon;
    bool has_start, has_stop, progress, hide_protected, json, quiet, help, units, all;
    unsigned intervals, jobs;
    int colour; /* 0 where standard error is no terminal */
} Options;

typedef struct Command {
    const char *name, *arguments, *summary, *text;
    unsigned bit; /* options that list this bit apply */
    int (*run)(Options *o);
} Command;

extern const Command commands[]; /* ends with a name of NULL */

/* False after a message on standard error. */
bool options_parse(Options *o, int argc, char **argv);
void options_free(Options *o);
void help_all(void);
void help_command(const Command *c);

/* Prints the messages of the session, closes it, and returns the status. */
int finish(Kairos *k, const Options *o, int status);
/* The folders of --library, of MODELICAPATH, and the user's libraries, in this order. */
void add_libraries(Kairos *k, const Options *o);
/* Loads the files among the arguments; *name is the class meant, NULL for the last model. The
 * status. */
int load_model(Kairos *k, const Options *o, const char **name);
/* Ctrl-C stops what runs in the session, which is closed by `finish`. */
void catch_interrupt(Kairos *k);
int libraries_command(Options *o);
int simulate_command(Options *o);
int report_command(Options *o);
int diagram_command(Options *o);
int studio_command(Options *o);
int nursery_command(Options *o);
/* Simulates every combination of the values of --sweep; `base` and `output` as for one run. The
 * exit status. */
int sweep_run(KairosModel *m, const Options *o, const KairosRun *base, const char *output);

enum {
    CMD_SIMULATE = 1,
    CMD_CHECK = 2,
    CMD_FLATTEN = 4,
    CMD_EQUATIONS = 8,
    CMD_DUMP = 16,
    CMD_PLOT = 32,
    CMD_COMPARE = 64,
    CMD_VERSION = 128,
    CMD_TRANSLATE = 256,
    CMD_LIB = 512,
    CMD_RUN = 1024,
    CMD_DIAGRAM = 2048,
    CMD_REPORT = 4096,
    CMD_STUDIO = 8192,
    CMD_NURSERY = 16384
};

#endif
