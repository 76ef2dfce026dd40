/* Variables of a description, with the defaults of the standard. */
#include "foreign/description/description.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ELEMENTS = 1 << 26 }; /* of all variables */

/* ---- types ---- */

static const struct {
    const char *name;
    FmiType type;
} old_types[] = {{"Real", FMI_FLOAT64},
                 {"Integer", FMI_INT32},
                 {"Boolean", FMI_BOOLEAN},
                 {"String", FMI_STRING},
                 {"Enumeration", FMI_ENUMERATION}};

static FmiType old_type(const XmlNode *node)
{
    for (size_t i = 0; i < sizeof old_types / sizeof *old_types; i++)
        if (!strcmp(old_types[i].name, node->name))
            return old_types[i].type;
    return FMI_TYPES;
}

static FmiType new_type(const XmlNode *node)
{
    for (int i = 0; i < FMI_TYPES; i++)
        if (!strcmp(fmi_type_names[i], node->name))
            return (FmiType)i;
    return FMI_TYPES;
}

/* In FMI 1 and 2, an element below that of the variable says its type. */
static const XmlNode *typed_node(const FmiDescription *d, const XmlNode *node, FmiType *type)
{
    if (d->version == 3) {
        *type = new_type(node);
        return *type == FMI_TYPES ? NULL : node;
    }
    for (const XmlNode *c = node->child; c; c = c->next)
        if ((*type = old_type(c)) != FMI_TYPES)
            return c;
    return NULL;
}

/* ---- causality, variability, initial ---- */

/* FMI 1.0 has other words; its parameters have variability. */
static void first_causality(FmiDescription *d, const XmlNode *node, FmiVariable *v)
{
    static const char *const causes[] = {"input", "output", "internal", "none"};
    static const char *const varies[] = {"constant", "parameter", "discrete", "continuous"};
    uint8_t cause = fmi_choice(d, node, "causality", causes, 4, 2);
    uint8_t vary =
        fmi_choice(d, node, "variability", varies, 4, fmi_is_float((FmiType)v->type) ? 3 : 2);
    static const uint8_t variabilities[] = {FMI_CONSTANT, FMI_FIXED, FMI_DISCRETE, FMI_CONTINUOUS};
    v->variability = variabilities[vary];
    v->causality = cause == 0 ? FMI_INPUT : cause == 1 ? FMI_OUTPUT : FMI_LOCAL;
    if (vary == 1 && cause > 1)
        v->causality = v->start ? FMI_PARAMETER : FMI_CALCULATED_PARAMETER;
    if (vary == 3 && !fmi_is_float((FmiType)v->type))
        v->variability = FMI_DISCRETE;
    bool fixed = fmi_flag(d, node, "fixed", true);
    v->initial = v->causality == FMI_INPUT ? FMI_INITIAL_NONE
                 : !v->start               ? FMI_CALCULATED
                 : fixed || vary < 2       ? FMI_EXACT
                                           : FMI_APPROX;
}

/* The default of `initial` (FMI 2.0.4 table 17, FMI 3.0 table 22). */
static uint8_t default_initial(const FmiVariable *v)
{
    switch (v->causality) {
    case FMI_STRUCTURAL_PARAMETER:
    case FMI_PARAMETER: return FMI_EXACT;
    case FMI_CALCULATED_PARAMETER: return FMI_CALCULATED;
    case FMI_INPUT:
    case FMI_INDEPENDENT: return FMI_INITIAL_NONE;
    default: return v->variability == FMI_CONSTANT ? FMI_EXACT : FMI_CALCULATED;
    }
}

static uint8_t default_variability(const FmiVariable *v)
{
    if (v->causality <= FMI_CALCULATED_PARAMETER)
        return FMI_FIXED;
    return fmi_is_float((FmiType)v->type) ? FMI_CONTINUOUS : FMI_DISCRETE;
}

static void read_causality(FmiDescription *d, const XmlNode *node, FmiVariable *v)
{
    v->has_causality = fmi_text(node, "causality");
    v->has_variability = fmi_text(node, "variability");
    v->has_initial = fmi_text(node, "initial");
    if (d->version == 1) {
        first_causality(d, node, v);
        return;
    }
    v->causality =
        fmi_choice(d, node, "causality", fmi_causality_names, FMI_CAUSALITIES, FMI_LOCAL);
    /* FMI 2: continuous whatever the type; only Reals may be */
    uint8_t otherwise = d->version == 2 && v->causality > FMI_CALCULATED_PARAMETER &&
                                !fmi_is_float((FmiType)v->type)
                            ? FMI_CONTINUOUS
                            : default_variability(v);
    if (d->version == 2 && v->causality <= FMI_CALCULATED_PARAMETER)
        otherwise = FMI_CONTINUOUS;
    v->variability = fmi_choice(d, node, "variability", fmi_variability_names, FMI_VARIABILITIES,
                                d->version == 2 ? otherwise : default_variability(v));
    v->initial = fmi_choice(d, node, "initial", fmi_initial_names, FMI_INITIALS, FMI_INITIAL_NONE);
    if (!v->has_initial)
        v->initial = default_initial(v);
}

/* ---- other attributes ---- */

/* FMI 3: the start values of String and Binary are elements. */
static void read_starts(FmiVariable *v, const XmlNode *typed, Arena *arena)
{
    VEC(const char *) starts = {0};
    for (const XmlNode *s = xml_child(typed, "Start"); s; s = xml_next(s, "Start")) {
        const char *value = xml_get(s, "value");
        vec_push(&starts, value ? value : "");
    }
    if (starts.n) {
        v->start = starts.at[0];
        vec_push(&starts, NULL);
        v->starts = vec_keep(&starts, arena);
    }
}

static const char *either(const char *own, const char *type)
{
    return own ? own : type;
}

static double either_real(double own, double type)
{
    return isnan(own) ? type : own;
}

static void inherit(const FmiDescription *d, FmiVariable *v)
{
    const FmiTypeDefinition *t = fmi_find_type(d, v->declared_type);
    if (!t)
        return;
    v->unit = either(v->unit, t->unit);
    v->display_unit = either(v->display_unit, t->display_unit);
    v->quantity = either(v->quantity, t->quantity);
    v->min = either_real(v->min, t->min);
    v->max = either_real(v->max, t->max);
    v->nominal = either_real(v->nominal, t->nominal);
}

static void read_dimensions(FmiDescription *d, FmiVariable *v, const XmlNode *typed, Arena *arena)
{
    VEC(FmiDimension) all = {0};
    for (const XmlNode *n = xml_child(typed, "Dimension"); n; n = xml_next(n, "Dimension")) {
        FmiDimension dim = {.fixed = fmi_text(n, "start")};
        dim.size = fmi_count(d, n, "start", 0);
        dim.reference = (uint32_t)fmi_count(d, n, "valueReference", 0);
        if (!dim.fixed && !fmi_text(n, "valueReference"))
            fmi_wrong(d, n, "a dimension of '%s' has neither start nor valueReference", v->name);
        vec_push(&all, dim);
    }
    v->n_dimensions = all.n;
    v->dimensions = all.n ? vec_keep(&all, arena) : NULL;
}

/* As a decimal number, or as counters of a resolution. */
static double clock_time(FmiDescription *d, const XmlNode *node, const char *decimal,
                         const char *counter)
{
    double resolution = fmi_real(d, node, "resolution", NAN);
    double n = fmi_real(d, node, counter, NAN);
    return fmi_real(d, node, decimal, n / resolution);
}

static const FmiClock *read_clock(FmiDescription *d, const XmlNode *node, Arena *arena)
{
    static const char *const kinds[FMI_INTERVALS] = {"constant", "fixed",     "tunable",
                                                     "changing", "countdown", "triggered"};
    FmiClock *c = ARENA_NEW(arena, FmiClock);
    c->kind =
        fmi_choice(d, node, "intervalVariability", kinds, FMI_INTERVALS, FMI_INTERVAL_TRIGGERED);
    c->interval = clock_time(d, node, "intervalDecimal", "intervalCounter");
    c->shift = clock_time(d, node, "shiftDecimal", "shiftCounter");
    c->priority = fmi_real(d, node, "priority", 0);
    return c;
}

static void read_variable(FmiDescription *d, const XmlNode *node, Arena *arena)
{
    FmiType type = FMI_TYPES;
    const XmlNode *typed = typed_node(d, node, &type);
    const char *name = fmi_text(node, "name");
    if (!name || !typed) {
        fmi_wrong(d, node, "a variable has no %s", name ? "type" : "name");
        return;
    }
    if (!fmi_text(node, "valueReference"))
        fmi_wrong(d, node, "'%s' has no valueReference", name);
    FmiVariable v = {.name = name,
                     .type = (uint8_t)type,
                     .size = 1,
                     .node = node,
                     .derivative_of = NONE,
                     .description = fmi_text(node, "description"),
                     .start = fmi_text(typed, "start"),
                     .unit = fmi_text(typed, "unit"),
                     .display_unit = fmi_text(typed, "displayUnit"),
                     .quantity = fmi_text(typed, "quantity"),
                     .declared_type = fmi_text(typed, "declaredType"),
                     .min = fmi_real(d, typed, "min", NAN),
                     .max = fmi_real(d, typed, "max", NAN),
                     .nominal = fmi_real(d, typed, "nominal", NAN),
                     .reinit = fmi_flag(d, typed, "reinit", false)};
    v.reference = (uint32_t)fmi_count(d, node, "valueReference", 0);
    if (d->version == 3 && (type == FMI_STRING || type == FMI_BINARY))
        read_starts(&v, typed, arena);
    if (type == FMI_CLOCK)
        v.clock = read_clock(d, typed, arena);
    read_causality(d, node, &v);
    inherit(d, &v);
    uint64_t derivative = fmi_count(d, typed, "derivative", UINT64_MAX);
    if (derivative != UINT64_MAX) /* FMI 2: an index from 1; FMI 3: a value reference */
        v.derivative_of = derivative < NONE ? (uint32_t)derivative : NONE - 1;
    if (d->version == 3)
        read_dimensions(d, &v, typed, arena);
    vec_push(&d->variables, v);
}

/* ---- references between variables ---- */

static uint32_t by_reference(const FmiDescription *d, uint32_t reference)
{
    return map_get(&d->by_reference, reference);
}

static void resolve_derivative(FmiDescription *d, FmiVariable *v)
{
    if (v->derivative_of == NONE)
        return;
    uint32_t given = v->derivative_of;
    v->derivative_of = d->version == 3                         ? by_reference(d, given)
                       : given >= 1 && given <= d->variables.n ? given - 1
                                                               : NONE;
    if (v->derivative_of == NONE)
        fmi_wrong(d, v->node, "'%s' is the derivative of a variable (%u) that does not exist",
                  v->name, given);
}

static void resolve_size(FmiDescription *d, FmiVariable *v, uint64_t *total)
{
    uint64_t size = 1;
    for (uint32_t i = 0; i < v->n_dimensions; i++) {
        FmiDimension *dim = (FmiDimension *)(uintptr_t)&v->dimensions[i];
        uint32_t k = dim->fixed ? NONE : by_reference(d, dim->reference);
        if (!dim->fixed && k == NONE)
            fmi_wrong(d, v->node, "a dimension of '%s' names a variable that does not exist",
                      v->name);
        else if (!dim->fixed)
            dim->size =
                (uint64_t)fmin(MOST_ELEMENTS + 1.0, fmax(0, fmi_start(&d->variables.at[k], 0)));
        size = dim->size > MOST_ELEMENTS ? MOST_ELEMENTS + 1ull : size * dim->size;
        size = size > MOST_ELEMENTS ? MOST_ELEMENTS + 1ull : size;
    }
    *total += size;
    if (*total > MOST_ELEMENTS) {
        if (*total - size <= MOST_ELEMENTS)
            fmi_wrong(d, v->node, "'%s' makes the variables too many", v->name);
        size = 1;
    }
    v->size = (uint32_t)size;
}

void fmi_resolve_sizes(FmiDescription *d)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < d->variables.n; i++)
        resolve_size(d, &d->variables.at[i], &total);
}

const char *fmi_element_name(const FmiDescription *d, const FmiVariable *v, uint32_t k,
                             Arena *arena)
{
    (void)d;
    if (!v->n_dimensions)
        return v->name;
    char indices[256];
    size_t n = 0;
    uint64_t below = v->size, at = k;
    for (uint32_t i = 0; i < v->n_dimensions && n < sizeof indices - 24; i++) {
        below = v->dimensions[i].size ? below / v->dimensions[i].size : 1;
        n += (size_t)snprintf(indices + n, sizeof indices - n, "%s%llu", i ? "," : "",
                              (unsigned long long)(at / below + 1));
        at %= below;
    }
    /* der(x)[1] is the derivative of x[1] */
    size_t length = strlen(v->name);
    if (!strncmp(v->name, "der(", 4) && v->name[length - 1] == ')')
        return arena_printf(arena, "%.*s[%s])", (int)length - 1, v->name, indices);
    return arena_printf(arena, "%s[%s]", v->name, indices);
}

void fmi_read_variables(FmiDescription *d, const XmlNode *list, Arena *arena)
{
    for (const XmlNode *n = list ? list->child : NULL; n; n = n->next)
        read_variable(d, n, arena);
    if (!list)
        fmi_wrong(d, d->xml.root, "<ModelVariables> is missing");
    for (uint32_t i = 0; d->version == 3 && i < d->variables.n; i++)
        if (by_reference(d, d->variables.at[i].reference) == NONE)
            map_put(&d->by_reference, d->variables.at[i].reference, i);
    for (uint32_t i = 0; i < d->variables.n; i++)
        resolve_derivative(d, &d->variables.at[i]);
    fmi_resolve_sizes(d);
}
