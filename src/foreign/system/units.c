/* Units of connectors and parameters, and the transformations of their values. */
#include "foreign/system/system.h"

#include <stdlib.h>

static double attribute(const XmlNode *node, const char *name, double otherwise)
{
    const char *text = node ? xml_get(node, name) : NULL;
    return text ? strtod(text, NULL) : otherwise;
}

const FmiUnit *system_unit(SystemFile *s, const XmlNode *units, const char *name)
{
    static const char *const bases[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    for (const XmlNode *n = name ? xml_child(units, "Unit") : NULL; n; n = xml_next(n, "Unit")) {
        const XmlNode *base = xml_child(n, "BaseUnit");
        if (!xml_get(n, "name") || strcmp(xml_get(n, "name"), name) != 0 || !base)
            continue;
        FmiUnit *unit = ARENA_NEW(s->arena, FmiUnit);
        *unit = (FmiUnit){.name = name, .has_base = true};
        for (int i = 0; i < 8; i++)
            unit->exponents[i] = attribute(base, bases[i], 0);
        unit->factor = attribute(base, "factor", 1);
        unit->offset = attribute(base, "offset", 0);
        return unit;
    }
    return NULL;
}

bool system_convert(const FmiUnit *from, const FmiUnit *to, SystemLinear *linear)
{
    if (!from || !to || !from->has_base || !to->has_base)
        return true;
    for (int i = 0; i < 8; i++)
        if (from->exponents[i] != to->exponents[i])
            return false;
    linear->factor = from->factor / to->factor;
    linear->offset = (from->offset - to->offset) / to->factor;
    return true;
}

bool system_transformation(SystemFile *s, const XmlDocument *d, const XmlNode *node,
                           SystemTransformation *t)
{
    const XmlNode *n = node->child;
    const char *keep = xml_get(node, "suppressUnitConversion");
    *t = (SystemTransformation){.linear = {1, 0}, .keep_units = keep && !strcmp(keep, "true")};
    while (n && (!strcmp(n->name, "Annotations") || !strcmp(n->name, "ConnectionGeometry")))
        n = n->next;
    if (!n)
        return true;
    t->keep_units = true;
    if (!strcmp(n->name, "LinearTransformation"))
        t->linear = (SystemLinear){attribute(n, "factor", 1), attribute(n, "offset", 0)};
    else if (!strcmp(n->name, "BooleanMappingTransformation") ||
             !strcmp(n->name, "IntegerMappingTransformation"))
        t->map = n;
    else
        system_wrong(s, d, n, "<%s> is not supported here", n->name);
    return t->map || !strcmp(n->name, "LinearTransformation");
}
