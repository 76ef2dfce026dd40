/* Parameter sets (SSV) and their mappings (SSM), in files or inside the structure. */
#include "foreign/system/system.h"

#include <math.h>
#include <stdlib.h>

/* The value of a parameter as Modelica writes it; NULL if it has none. */
static const char *value_of(SystemFile *s, const XmlNode *parameter, double factor, double offset)
{
    const XmlNode *v = parameter->child;
    const char *text = v ? xml_get(v, "value") : NULL;
    if (!text)
        return NULL;
    if (!strcmp(v->name, "Boolean"))
        return !strcmp(text, "true") || !strcmp(text, "1") ? "true" : "false";
    if (!strcmp(v->name, "String")) {
        Text t = {0};
        text_put_json(&t, text);
        return text_keep(&t, s->arena);
    }
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value))
        return NULL;
    if (strcmp(v->name, "Real") != 0)
        return arena_printf(s->arena, "%.0f", value);
    Text t = {0};
    text_put_real(&t, factor * value + offset);
    return text_keep(&t, s->arena);
}

static void add(SystemFile *s, const char *prefix, const char *name, const char *value)
{
    const char *whole = arena_printf(s->arena, "%s%s", prefix, name);
    for (uint32_t i = 0; i < s->parameters.n; i++)
        if (!strcmp(s->parameters.at[i].name, whole)) { /* an outer binding is stronger */
            s->parameters.at[i].value = value;
            return;
        }
    vec_push(&s->parameters, ((SystemParameter){whole, value, false}));
}

static double attribute(const XmlNode *node, const char *name, double otherwise)
{
    const char *text = xml_get(node, name);
    return text ? strtod(text, NULL) : otherwise;
}

/* Adds a parameter under its name, or under those that the mapping gives it. */
static void take(SystemFile *s, const XmlDocument *d, const XmlNode *p, const XmlNode *mapping,
                 const char *prefix)
{
    const char *name = xml_get(p, "name");
    bool any = !mapping;
    for (const XmlNode *m = xml_child(mapping, "MappingEntry"); name && m;
         m = xml_next(m, "MappingEntry")) {
        const char *source = xml_get(m, "source"), *target = xml_get(m, "target");
        if (!source || !target || strcmp(source, name) != 0)
            continue;
        const XmlNode *linear = xml_child(m, "LinearTransformation");
        const char *value =
            value_of(s, p, attribute(linear, "factor", 1), attribute(linear, "offset", 0));
        if (value)
            add(s, prefix, target, value);
    }
    const char *value = name ? value_of(s, p, 1, 0) : NULL;
    if (!value)
        system_wrong(s, d, p, "the parameter '%s' has no value", name ? name : "");
    else if (any)
        add(s, prefix, name, value);
}

/* The root of a file of the archive; NULL after a message. */
static const XmlNode *read_file(SystemFile *s, const XmlNode *node, const char *source,
                                XmlDocument *d)
{
    size_t n = 0;
    const char *path = system_source(s, node, source);
    char *text = path ? archive_read(path, s->arena, &n) : NULL;
    if (path && !text)
        system_wrong(s, &s->xml, node, "the archive has no file '%s'", source);
    const char *name = arena_printf(s->arena, "%s/%s", s->path, source);
    return text && xml_read(s->ctx, name, text, n, s->arena, d) ? d->root : NULL;
}

/* An element that is in a file, or below `inside`. */
static const XmlNode *find(SystemFile *s, const XmlNode *node, const char *inside, const char *name,
                           XmlDocument *d)
{
    const char *source = node ? xml_get(node, "source") : NULL;
    *d = s->xml;
    if (source)
        return read_file(s, node, source, d);
    return xml_child(inside ? xml_child(node, inside) : node, name);
}

void system_read_parameters(SystemFile *s, const XmlNode *element, const char *prefix)
{
    const XmlNode *list = xml_child(element, "ParameterBindings");
    for (const XmlNode *b = xml_child(list, "ParameterBinding"); b;
         b = xml_next(b, "ParameterBinding")) {
        XmlDocument d, other;
        const XmlNode *set = find(s, b, "ParameterValues", "ParameterSet", &d);
        const XmlNode *map = xml_child(b, "ParameterMapping");
        const XmlNode *mapping =
            map && xml_get(map, "source") ? find(s, map, NULL, "ParameterMapping", &other)
            : map && xml_child(map, "ParameterMapping") ? xml_child(map, "ParameterMapping")
                                                        : map;
        const char *more = xml_get(b, "prefix");
        const char *whole = arena_printf(s->arena, "%s%s", prefix, more ? more : "");
        for (const XmlNode *p = xml_child(xml_child(set, "Parameters"), "Parameter"); p;
             p = xml_next(p, "Parameter"))
            take(s, &d, p, mapping, whole);
    }
}
