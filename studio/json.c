#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

cJSON *json_part(const cJSON *o, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(o, name);
}

const char *json_text(const cJSON *o, const char *name)
{
    return cJSON_GetStringValue(json_part(o, name));
}

double json_number(const cJSON *o, const char *name)
{
    return cJSON_GetNumberValue(json_part(o, name));
}

bool json_flag(const cJSON *o, const char *name)
{
    return cJSON_IsTrue(json_part(o, name));
}

void json_put_number(Text *t, double x)
{
    if (isfinite(x))
        text_put_real(t, x);
    else
        text_put(t, "null");
}

void json_put_text(Text *t, const char *text)
{
    if (text)
        text_put_json(t, text);
    else
        text_put(t, "null");
}

void json_put_cjson(Text *t, const cJSON *o)
{
    char *text = cJSON_PrintUnformatted(o);
    text_put(t, text ? text : "null");
    free(text);
}

void json_put_error(Text *t, const char *format, va_list args)
{
    char text[1000];
    vsnprintf(text, sizeof text, format, args);
    text_put(t, "{\"error\":");
    text_put_json(t, text);
    text_put(t, "}");
}

void json_put_base64(Text *t, const void *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *u = bytes;
    for (size_t i = 0; i < n; i += 3) {
        unsigned x = (unsigned)u[i] << 16 | (i + 1 < n ? (unsigned)u[i + 1] << 8 : 0) |
                     (i + 2 < n ? u[i + 2] : 0);
        text_put_char(t, digits[x >> 18]);
        text_put_char(t, digits[x >> 12 & 63]);
        text_put_char(t, i + 1 < n ? digits[x >> 6 & 63] : '=');
        text_put_char(t, i + 2 < n ? digits[x & 63] : '=');
    }
}
