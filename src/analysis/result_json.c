#include "analysis/result_json.h"

#include <math.h>

void put_json_member(Text *t, const char *name)
{
    if (t->n && t->at[t->n - 1] != '{')
        text_put(t, ",\n ");
    text_put_json(t, name);
    text_put(t, ": ");
}

void put_json_number(Text *t, double x)
{
    if (isfinite(x))
        text_put_real(t, x);
    else
        text_put(t, "null");
}

void put_json_real(Text *t, const char *name, double x)
{
    put_json_member(t, name);
    put_json_number(t, x);
}

void put_json_names(Text *t, const char *name, const char *const *names, uint32_t n)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (uint32_t i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        text_put_json(t, names[i]);
    }
    text_put(t, "]");
}

void put_json_reals(Text *t, const char *name, const double *x, size_t n)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (size_t i = 0; i < n; i++) {
        text_put(t, i ? ", " : "");
        put_json_number(t, x[i]);
    }
    text_put(t, "]");
}

void put_json_matrix(Text *t, const char *name, const double *a, uint32_t rows, uint32_t columns)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (uint32_t i = 0; i < rows; i++) {
        text_put(t, i ? ", [" : "[");
        for (uint32_t j = 0; j < columns; j++) {
            text_put(t, j ? ", " : "");
            put_json_number(t, a[(size_t)j * rows + i]);
        }
        text_put(t, "]");
    }
    text_put(t, "]");
}
