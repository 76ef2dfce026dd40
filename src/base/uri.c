#include "base/uri.h"

#include <ctype.h>
#include <stdlib.h>

void uri_put(Text *t, const char *path)
{
    if (*path != '/') {
        text_put(t, path);
        return;
    }
    text_put(t, "file://");
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        if (isalnum(c) || strchr("/-_.~", c))
            text_put_char(t, *path);
        else
            text_printf(t, "%%%02X", c);
    }
}

bool uri_put_path(Text *t, const char *uri)
{
    bool is_file = !strncmp(uri, "file://", 7);
    const char *p = is_file ? strchr(uri + 7, '/') : NULL;
    if (!p) {
        text_put(t, uri);
        return false;
    }
    for (; *p && *p != '?' && *p != '#'; p++) {
        char hex[3] = {p[0] == '%' ? p[1] : 0, p[0] == '%' && p[1] ? p[2] : 0, 0};
        if (isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1]) &&
            strcmp(hex, "00")) {
            text_put_char(t, (char)strtoul(hex, NULL, 16));
            p += 2;
        } else {
            text_put_char(t, *p);
        }
    }
    return true;
}
