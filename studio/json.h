/* JSON as the server and its children use it. */
#ifndef STUDIO_JSON_H
#define STUDIO_JSON_H

#include "base/text.h"

#include <cjson/cJSON.h>
#include <stdarg.h>

const char *json_text(const cJSON *o, const char *name); /* NULL if it is not a text */
double json_number(const cJSON *o, const char *name);    /* NAN if it is not a number */
bool json_flag(const cJSON *o, const char *name);        /* whether it is true */
cJSON *json_part(const cJSON *o, const char *name);      /* NULL if there is none */

void json_put_number(Text *t, double x);                        /* null if it is not finite */
void json_put_text(Text *t, const char *text);                  /* null if it is NULL */
void json_put_cjson(Text *t, const cJSON *o);                   /* on one line */
void json_put_error(Text *t, const char *format, va_list args); /* {"error": …} */
void json_put_base64(Text *t, const void *bytes, size_t n);     /* without quotes */

#endif
