/* Text for --log. */
#include "sim/state/program.h"

#include <stdarg.h>
#include <stdio.h>

void run_log(RunContext *run, unsigned what, const char *format, ...)
{
    if (!run->text || !run->text->log || (what != UINT32_MAX && !(run->options->log & what)))
        return;
    char line[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    run->text->log(run->text->user, line);
}
