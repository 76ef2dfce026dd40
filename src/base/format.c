/* Texts of values: layouts, formats of C, numbers of texts. */
#include "base/format.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool format_layout_ok(const FormatLayout *l)
{
    return l->digits >= 1 && l->digits <= 100 && l->length >= 0 && l->length <= FORMAT_LONGEST;
}

static int width_of(const FormatLayout *l)
{
    return (int)(l->left ? -l->length : l->length);
}

void format_text(char *buf, size_t size, const char *text, const FormatLayout *l)
{
    snprintf(buf, size, "%*s", width_of(l), text);
}

void format_value(char *buf, size_t size, FormatKind kind, double v, const FormatLayout *l)
{
    switch (kind) {
    case FORMAT_BOOL: format_text(buf, size, v != 0 ? "true" : "false", l); break;
    case FORMAT_INT: snprintf(buf, size, "%*lld", width_of(l), (long long)v); break;
    case FORMAT_REAL: snprintf(buf, size, "%*.*g", width_of(l), (int)l->digits, v); break;
    }
}

/* flags width . precision conversion. Returns the conversion, 0 if malformed. */
static char conversion_of(const char *f)
{
    size_t n = strspn(f, "-+ 0#"), width, precision = 0;
    if (n > 5)
        return 0;
    f += n;
    width = strspn(f, "0123456789");
    f += width;
    if (*f == '.') {
        precision = strspn(f + 1, "0123456789");
        f += 1 + precision;
    }
    bool known = *f && strchr("diouxXcfFeEgGs", *f);
    return known && f[1] == 0 && width <= 4 && precision <= 3 ? *f : 0;
}

bool format_by(char *buf, size_t size, const char *format, double v)
{
    char f[64], conversion = conversion_of(format);
    if (!conversion)
        return false;
    size_t n = strlen(format);
    bool integer = strchr("diouxXc", conversion) != NULL;
    if (conversion == 's') {
        snprintf(buf, size, "%.6g", v);
        return true;
    }
    snprintf(f, sizeof f, "%%%.*s%s%c", (int)n - 1, format,
             integer && conversion != 'c' ? "ll" : "", conversion);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (integer && conversion == 'c')
        snprintf(buf, size, f, (int)v);
    else if (integer)
        snprintf(buf, size, f, (long long)v);
    else
        snprintf(buf, size, f, v);
#pragma GCC diagnostic pop
    return true;
}

/* FNV-1a of 64 bits, folded to 52. */
double text_number(const char *text)
{
    uint64_t h = UINT64_C(14695981039346656037);
    if (*text == '\0')
        return 0;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
    h = (h ^ h >> 52) & ((UINT64_C(1) << 52) - 1);
    return h ? (double)h : 1;
}
