/* Values of attributes, as the standard writes them. */
#include "foreign/description/description.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void fmi_wrong(FmiDescription *d, const XmlNode *node, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag(d->xml.ctx, xml_span(&d->xml, node), DIAG_U050, "%s", text);
}

const char *fmi_text(const XmlNode *node, const char *name)
{
    return xml_get(node, name);
}

bool fmi_flag(FmiDescription *d, const XmlNode *node, const char *name, bool otherwise)
{
    const char *text = xml_get(node, name);
    if (!text)
        return otherwise;
    bool yes = !strcmp(text, "true") || !strcmp(text, "1");
    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        fmi_wrong(d, node, "%s = \"%s\" must be true or false", name, text);
    return yes;
}

double fmi_real(FmiDescription *d, const XmlNode *node, const char *name, double otherwise)
{
    const char *text = xml_get(node, name);
    if (!text)
        return otherwise;
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end) {
        fmi_wrong(d, node, "%s = \"%s\" is not a number", name, text);
        return otherwise;
    }
    return value;
}

uint64_t fmi_count(FmiDescription *d, const XmlNode *node, const char *name, uint64_t otherwise)
{
    const char *text = xml_get(node, name);
    if (!text)
        return otherwise;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (end == text || *end || errno || *text == '-') {
        fmi_wrong(d, node, "%s = \"%s\" is not a whole number from 0", name, text);
        return otherwise;
    }
    return value;
}

uint8_t fmi_choice(FmiDescription *d, const XmlNode *node, const char *name,
                   const char *const *names, uint8_t n, uint8_t otherwise)
{
    const char *text = xml_get(node, name);
    if (!text)
        return otherwise;
    for (uint8_t i = 0; i < n; i++)
        if (names[i] && !strcmp(names[i], text))
            return i;
    fmi_wrong(d, node, "%s = \"%s\" is not one of the standard", name, text);
    return otherwise;
}
