/* Common actions of commands on a session of the library: open a model, print messages, write
 * text. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "command.h"

/* A message about the call on standard error. KAIROS_USE_ERROR. */
int usage(const char *text);
/* Adds the folders of --library, of MODELICAPATH, and the user's libraries, in this order. */
void add_libraries(Kairos *k, const Options *o);
/* Loads the files among the arguments; *name is the class to take, NULL for the last model. The
 * status. */
int load_model(Kairos *k, const Options *o, const char **name);
/* Values of --set for structural parameters of FMUs that are read. */
void structure_fmus(Kairos *k, const Options *o);
/* Compiles a model that will be inspected, not run. */
KairosCompile how_to_look(const Options *o);
/* Prints the product of a phase to --output or standard output. */
int print_phase(const Options *o, const char *phase);
/* the same with settings other than those of the options */
int print_phase_as(const Options *o, const char *phase, const KairosCompile *how);
/* Writes text to --output or standard output. The status, after a message. */
int put_output(const Options *o, const char *text);
/* Ctrl-C and SIGTERM stop the work of the session, which `finish` closes. Within a second the
 * program ends, unless there are results to save; then it says how to end it without them. */
void catch_interrupt(Kairos *k);
void save_results(bool on);
/* Prints the messages of the session, closes it, and returns the status. */
int finish(Kairos *k, const Options *o, int status);
/* The same with further messages in that format, which it frees. */
int finish_with(Kairos *k, const Options *o, int status, TextList *more);
KairosFormat message_format(const Options *o);
void add_text(TextList *list, const char *text); /* a copy */

bool ends_in(const char *name, const char *suffix);

#endif
