/* Text for --log. */
#include "sim/state/state.h"

#include <stdarg.h>
#include <stdio.h>

void sim_log(Sim *s, unsigned what, const char *format, ...)
{
    if (!s->run.text || !s->run.text->log || (what != UINT32_MAX && !(s->run.options->log & what)))
        return;
    char line[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    s->run.text->log(s->run.text->user, line);
}
