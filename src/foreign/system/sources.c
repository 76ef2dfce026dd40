/* Shared by the readers: messages, and files of the archive. */
#include "foreign/system/system.h"

#include <stdio.h>
#include <unistd.h>

void system_wrong(SystemFile *s, const XmlDocument *d, const XmlNode *node, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag(s->ctx, xml_span(d, node), DIAG_U055, "%s", text);
}

const char *system_source(SystemFile *s, const XmlNode *node, const char *source)
{
    if (!source || strstr(source, "..") || *source == '/' || strchr(source, ':')) {
        system_wrong(s, &s->xml, node, "the source '%s' is not a file of the archive",
                     source ? source : "");
        return NULL;
    }
    const char *path = arena_printf(s->arena, "%s/%s", s->outer, source);
    if (access(path, R_OK)) {
        system_wrong(s, &s->xml, node, "the archive has no file '%s'", source);
        return NULL;
    }
    return path;
}
