/* Names of the standard, and parts of a description by name. */
#include "foreign/description/description.h"

#include <stdlib.h>

const char *const fmi_type_names[FMI_TYPES] = {
    "Float64", "Float32", "Int8",    "UInt8",       "Int16",  "UInt16", "Int32", "UInt32",
    "Int64",   "UInt64",  "Boolean", "Enumeration", "String", "Binary", "Clock"};
const char *const fmi_causality_names[FMI_CAUSALITIES] = {
    "structuralParameter", "parameter", "calculatedParameter", "input", "output", "local",
    "independent"};
const char *const fmi_variability_names[FMI_VARIABILITIES] = {"constant", "fixed", "tunable",
                                                              "discrete", "continuous"};
const char *const fmi_initial_names[FMI_INITIALS] = {NULL, "exact", "approx", "calculated"};

bool fmi_is_float(FmiType type)
{
    return type <= FMI_FLOAT32;
}

bool fmi_is_number(FmiType type)
{
    return type <= FMI_ENUMERATION;
}

const FmiTypeDefinition *fmi_find_type(const FmiDescription *d, const char *name)
{
    for (uint32_t i = 0; name && i < d->types.n; i++)
        if (!strcmp(d->types.at[i].name, name))
            return &d->types.at[i];
    return NULL;
}

const FmiUnit *fmi_find_unit(const FmiDescription *d, const char *name)
{
    for (uint32_t i = 0; name && i < d->units.n; i++)
        if (!strcmp(d->units.at[i].name, name))
            return &d->units.at[i];
    return NULL;
}

/* The k-th word of a list. */
static const char *word(const char *text, uint32_t k)
{
    while (text) {
        text += strspn(text, " \t\r\n");
        if (!*text)
            return NULL;
        if (!k--)
            return text;
        text += strcspn(text, " \t\r\n");
    }
    return NULL;
}

bool fmi_has_common_start(const FmiVariable *v)
{
    return word(v->start, 0) && !word(v->start, 1);
}

double fmi_start(const FmiVariable *v, uint32_t k)
{
    const char *text = word(v->start, k && fmi_has_common_start(v) ? 0 : k);
    if (!text)
        return 0;
    if (v->type == FMI_BOOLEAN)
        return !strncmp(text, "true", 4) || *text == '1';
    return strtod(text, NULL);
}
