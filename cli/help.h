/* `kairos --help` and `kairos COMMAND --help`, printed from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command.h"

extern const Entry exit_statuses[]; /* ends with a row of zeros */

void help_all(void);
void help_json(void); /* all commands, for programs */
void help_command(const Command *c);
/* May be given several times. */
bool is_repeated(const Option *o);

#endif
