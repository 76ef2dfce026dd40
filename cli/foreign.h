/* FMUs of others. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "options.h"

/* kairos fmu check FILE; seconds: limit of a trial, 0 for the default. The status. */
int fmu_check_command(const Options *o, double seconds);
/* kairos fmu import FILE */
int fmu_import_command(const Options *o, const char *kind);

#endif
