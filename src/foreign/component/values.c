/* Shared by both kinds of components: failures, and values that change at events only. */
#include "foreign/component/internal.h"

#include <stdio.h>

const char *component_refuse(Components *all, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(all->why, sizeof all->why, format, args);
    va_end(args);
    return all->why;
}

const char *component_fail(Component *c, FmiStatus s)
{
    Arena *scratch = arena_new();
    const char *why =
        component_refuse(c->all, "%s: %s", c->i->file->path, fmi_failure(c->i, s, scratch));
    arena_free(scratch);
    return why;
}

const char *component_read(Component *c)
{
    if (c->l.discretes.n)
        TRY(fmi_get(c->i, &c->discretes, c->discrete_values));
    if (!c->started && c->l.calculated.n)
        TRY(fmi_get(c->i, &c->calculated, c->calculated_values));
    return NULL;
}
