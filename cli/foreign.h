/* FMUs of others. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "options.h"

/* kairos fmu check FILE; seconds: limit of a trial, 0 for the default. The status. */
int fmu_check_command(const Options *o, double seconds);
/* kairos fmu import FILE */
int fmu_import_command(const Options *o, const char *kind);
bool is_fmu(const char *path);
/* The class of `fmu import` in a file beside the FMU, which is written unless it exists. Returns
 * its path, to be freed; NULL after a message, with *status. */
char *fmu_class_file(const Options *o, const char *path, int *status);

#endif
