/* Rules for values: numbers of start values, ranges of types, items of enumerations; and for
 * references from one variable to another (FMI 3). */
#include "foreign/check/check.h"

#include <stdlib.h>

typedef struct Rules {
    Context *ctx;
    const FmiDescription *d;
} Rules;

#define WRONG(r, node, ...) diag((r)->ctx, xml_span(&(r)->d->xml, (node)), DIAG_U052, __VA_ARGS__)

/* ---- start values ---- */

static bool is_in_range(FmiType type, double value)
{
    switch (type) {
    case FMI_INT8: return value >= INT8_MIN && value <= INT8_MAX;
    case FMI_UINT8: return value >= 0 && value <= UINT8_MAX;
    case FMI_INT16: return value >= INT16_MIN && value <= INT16_MAX;
    case FMI_UINT16: return value >= 0 && value <= UINT16_MAX;
    case FMI_INT32: return value >= INT32_MIN && value <= INT32_MAX;
    case FMI_UINT32: return value >= 0 && value <= UINT32_MAX;
    default: return true;
    }
}

static bool is_item(const FmiTypeDefinition *t, double value)
{
    bool any = !t || !t->items.n;
    for (uint32_t i = 0; !any && i < t->items.n; i++)
        any = (double)t->items.at[i].value == value;
    return any;
}

static void check_start(const Rules *r, const FmiVariable *v, double value)
{
    if (!is_in_range((FmiType)v->type, value))
        WRONG(r, v->node, "the start value %.17g of '%s' is outside the range of %s", value,
              v->name, fmi_type_names[v->type]);
    if (v->type == FMI_ENUMERATION && !is_item(fmi_find_type(r->d, v->declared_type), value))
        WRONG(r, v->node, "the start value %.17g of '%s' is not an item of its enumeration", value,
              v->name);
}

static void check_starts(const Rules *r, const FmiVariable *v)
{
    uint32_t n = 0;
    char *end;
    for (const char *p = v->start;; p = end, n++) {
        double value = strtod(p, &end);
        if (end == p)
            break;
        check_start(r, v, value);
    }
    if (n > 1 && n != v->size)
        WRONG(r, v->node, "'%s' has %u start values for %u elements", v->name, n, v->size);
}

/* ---- enumerations ---- */

static void check_items(const Rules *r, const FmiTypeDefinition *t)
{
    for (uint32_t i = 0; i < t->items.n; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (!strcmp(t->items.at[i].name, t->items.at[k].name))
                WRONG(r, t->node, "two items of '%s' have the name '%s'", t->name,
                      t->items.at[i].name);
            if (t->items.at[i].value == t->items.at[k].value)
                WRONG(r, t->node, "two items of '%s' have the value %lld", t->name,
                      (long long)t->items.at[i].value);
        }
}

/* ---- references ---- */

static const FmiVariable *variable_of(const Rules *r, const char *reference)
{
    uint32_t i = map_get(&r->d->by_reference, strtoul(reference, NULL, 10));
    return i == MAP_NONE ? NULL : &r->d->variables.at[i];
}

static void check_previous(const Rules *r, const FmiVariable *v)
{
    const char *text = xml_get(v->node, "previous");
    const FmiVariable *before = text ? variable_of(r, text) : NULL;
    if (text && !before)
        WRONG(r, v->node, "the previous value of '%s' is a variable (%s) that does not exist",
              v->name, text);
    else if (before && before->type != v->type)
        WRONG(r, v->node, "'%s' and its previous value '%s' have different types", v->name,
              before->name);
}

static void check_clocks(const Rules *r, const FmiVariable *v)
{
    const char *p = xml_get(v->node, "clocks");
    for (char *end = NULL; p; p = end) {
        unsigned long reference = strtoul(p, &end, 10);
        if (end == p)
            return;
        uint32_t i = map_get(&r->d->by_reference, reference);
        if (i == MAP_NONE || r->d->variables.at[i].type != FMI_CLOCK)
            WRONG(r, v->node, "'%s' names a clock (%lu) that does not exist", v->name, reference);
    }
}

static void check_indicators(const Rules *r)
{
    for (uint32_t i = 0; i < r->d->indicators.n; i++) {
        const FmiUnknown *u = &r->d->indicators.at[i];
        const FmiVariable *v = u->variable == NONE ? NULL : &r->d->variables.at[u->variable];
        if (v && (!fmi_is_float((FmiType)v->type) || v->variability != FMI_CONTINUOUS ||
                  v->causality == FMI_INDEPENDENT))
            WRONG(r, u->node, "the event indicator '%s' is not a continuous variable", v->name);
    }
}

void check_values(Context *ctx, const FmuFile *f)
{
    Rules r = {ctx, f->description};
    for (uint32_t i = 0; i < r.d->types.n; i++)
        check_items(&r, &r.d->types.at[i]);
    for (uint32_t i = 0; i < r.d->variables.n; i++) {
        const FmiVariable *v = &r.d->variables.at[i];
        bool number = fmi_is_number((FmiType)v->type) && v->type != FMI_BOOLEAN;
        if (number && v->start && !v->is_resized)
            check_starts(&r, v);
        if (r.d->version != 3)
            continue;
        check_previous(&r, v);
        check_clocks(&r, v);
    }
    if (r.d->version == 3)
        check_indicators(&r);
}
