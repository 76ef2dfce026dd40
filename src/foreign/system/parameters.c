/* Parameter sets (SSV) and their mappings (SSM), in files or inside the structure. */
#include "foreign/system/system.h"

#include <math.h>
#include <stdlib.h>

/* The value of a parameter after the transformation; value NULL: it has none. */
typedef struct Value {
    const char *text;
    double number;
    const char *unit;
} Value;

static const char *mapped(const XmlNode *map, const char *text)
{
    for (const XmlNode *n = map ? xml_child(map, "MapEntry") : NULL; n; n = xml_next(n, "MapEntry"))
        if (xml_get(n, "source") && xml_get(n, "target") && !strcmp(xml_get(n, "source"), text))
            return xml_get(n, "target");
    return text;
}

static const char *text_of(SystemFile *s, const XmlNode *v, const SystemTransformation *change,
                           double *number)
{
    const char *text = v ? xml_get(v, "value") : NULL;
    if (!text)
        return NULL;
    text = mapped(change->map, text);
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
    *number = change->linear.factor * value + change->linear.offset;
    Text t = {0};
    text_put_real(&t, *number);
    return text_keep(&t, s->arena);
}

static Value value_of(SystemFile *s, const XmlNode *parameter, const SystemTransformation *change)
{
    const XmlNode *v = parameter->child;
    Value value = {0};
    value.text = text_of(s, v, change, &value.number);
    if (v && !strcmp(v->name, "Real") && !change->keep_units)
        value.unit = xml_get(v, "unit");
    return value;
}

static void add(SystemFile *s, const char *prefix, const char *name, Value value,
                const XmlNode *units)
{
    SystemParameter p = {.name = arena_printf(s->arena, "%s%s", prefix, name),
                         .value = value.text,
                         .number = value.number,
                         .unit = system_unit(s, units, value.unit)};
    for (uint32_t i = 0; i < s->parameters.n; i++)
        if (!strcmp(s->parameters.at[i].name, p.name)) { /* an outer binding is stronger */
            s->parameters.at[i] = p;
            return;
        }
    vec_push(&s->parameters, p);
}

/* Adds a parameter under its name, or under those that the mapping gives it. */
static void take(SystemFile *s, const XmlDocument *d, const XmlNode *p, const XmlDocument *md,
                 const XmlNode *mapping, const XmlNode *units, const char *prefix)
{
    static const SystemTransformation none = {.linear = {1, 0}};
    const char *name = xml_get(p, "name");
    for (const XmlNode *m = xml_child(mapping, "MappingEntry"); name && m;
         m = xml_next(m, "MappingEntry")) {
        const char *source = xml_get(m, "source"), *target = xml_get(m, "target");
        if (!source || !target || strcmp(source, name) != 0)
            continue;
        SystemTransformation change;
        if (!system_transformation(s, md, m, &change))
            continue;
        Value value = value_of(s, p, &change);
        if (value.text)
            add(s, prefix, target, value, units);
    }
    Value value = name ? value_of(s, p, &none) : (Value){0};
    if (!value.text)
        system_wrong(s, d, p, "the parameter '%s' has no value", name ? name : "");
    else if (!mapping)
        add(s, prefix, name, value, units);
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
        XmlDocument d, other = s->xml;
        const XmlNode *set = find(s, b, "ParameterValues", "ParameterSet", &d);
        const XmlNode *map = xml_child(b, "ParameterMapping");
        const XmlNode *mapping =
            map && xml_get(map, "source") ? find(s, map, NULL, "ParameterMapping", &other)
            : map && xml_child(map, "ParameterMapping") ? xml_child(map, "ParameterMapping")
                                                        : map;
        const char *more = xml_get(b, "prefix");
        const char *whole = arena_printf(s->arena, "%s%s", prefix, more ? more : "");
        const XmlNode *units = xml_child(set, "Units");
        if (!units && d.root == s->xml.root)
            units = xml_child(s->xml.root, "Units");
        for (const XmlNode *p = xml_child(xml_child(set, "Parameters"), "Parameter"); p;
             p = xml_next(p, "Parameter"))
            take(s, &d, p, &other, mapping, units, whole);
    }
}
