/* Scripts of Omsim's command language. */
#ifndef CLI_OCL_H
#define CLI_OCL_H

#include "options.h"

int run_script(Options *o);

#endif
