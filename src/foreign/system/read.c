/* The structure of a system: elements, connectors, connections. */
#include "foreign/system/system.h"

#include "store/store.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 32 };

static double number(SystemFile *s, const XmlNode *node, const char *name, double otherwise)
{
    const char *text = xml_get(node, name);
    char *end;
    double value = text ? strtod(text, &end) : otherwise;
    if (text && (end == text || *end))
        system_wrong(s, &s->xml, node, "%s = \"%s\" is not a number", name, text);
    return value;
}

/* ---- elements ---- */

static FmuFile *open_fmu(SystemFile *s, const XmlNode *node)
{
    const char *type = xml_get(node, "type");
    const char *path = system_source(s, node, xml_get(node, "source"));
    if (type && strcmp(type, "application/x-fmu-sharedlibrary") != 0) {
        system_wrong(s, &s->xml, node, "components of type '%s' are not supported; only FMUs are",
                     type);
        return NULL;
    }
    if (!path)
        return NULL;
    for (uint32_t i = 0; i < s->fmus.n; i++)
        if (!strcmp(s->fmus.at[i]->path, path))
            return s->fmus.at[i];
    vec_push(&s->fmus, NULL);
    FmuFile **f = &vec_last(&s->fmus);
    if (fmu_open(s->ctx, path, f))
        return *f;
    fmu_close(*f);
    s->fmus.n--;
    return NULL;
}

static const char *type_of(const XmlNode *connector)
{
    return xml_child(connector, "Boolean")                                          ? "Boolean"
           : xml_child(connector, "Integer") || xml_child(connector, "Enumeration") ? "Integer"
                                                                                    : "Real";
}

static bool has_type(const XmlNode *connector)
{
    static const char *const types[] = {"Real", "Integer", "Enumeration", "Boolean"};
    bool any = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        any |= xml_child(connector, types[i]) != NULL;
    return any;
}

static const char *unit_of(const XmlNode *real)
{
    return real ? xml_get(real, "unit") : NULL;
}

static void read_connectors(SystemFile *s, SystemElement *e, const XmlNode *list)
{
    const XmlNode *units = xml_child(s->xml.root, "Units");
    for (const XmlNode *n = xml_child(list, "Connector"); n; n = xml_next(n, "Connector")) {
        const char *name = xml_get(n, "name"), *kind = xml_get(n, "kind");
        bool used = name && kind && (!strcmp(kind, "input") || !strcmp(kind, "output"));
        if (used)
            vec_push(&e->connectors,
                     ((SystemConnector){name, !strcmp(kind, "input"), has_type(n), type_of(n),
                                        system_unit(s, units, unit_of(xml_child(n, "Real"))), n}));
    }
}

static void read_connections(SystemFile *s, SystemElement *e, const XmlNode *list)
{
    for (const XmlNode *n = xml_child(list, "Connection"); n; n = xml_next(n, "Connection")) {
        SystemConnection c = {.from = xml_get(n, "startElement"),
                              .from_connector = xml_get(n, "startConnector"),
                              .to = xml_get(n, "endElement"),
                              .to_connector = xml_get(n, "endConnector"),
                              .node = n};
        if (!c.from_connector || !c.to_connector)
            system_wrong(s, &s->xml, n, "a connection needs startConnector and endConnector");
        else if (system_transformation(s, &s->xml, n, &c.change))
            vec_push(&e->connections, c);
    }
}

static SystemElement *read_element(SystemFile *s, const XmlNode *node, const char *prefix,
                                   int depth);

static void read_system(SystemFile *s, SystemElement *e, const XmlNode *node, const char *prefix,
                        int depth)
{
    const XmlNode *list = xml_child(node, "Elements");
    for (const XmlNode *n = list ? list->child : NULL; n; n = n->next) {
        if (strcmp(n->name, "Component") != 0 && strcmp(n->name, "System") != 0) {
            system_wrong(s, &s->xml, n, "<%s> is not supported", n->name);
            continue;
        }
        SystemElement *inner = read_element(s, n, prefix, depth + 1);
        if (inner)
            vec_push(&e->elements, inner);
    }
    read_connections(s, e, xml_child(node, "Connections"));
}

static SystemElement *read_element(SystemFile *s, const XmlNode *node, const char *prefix,
                                   int depth)
{
    SystemElement *e = ARENA_NEW(s->arena, SystemElement);
    const char *way = xml_get(node, "implementation");
    e->node = node;
    e->name = xml_get(node, "name");
    e->co_simulation = way && !strcmp(way, "CoSimulation");
    if (depth && (!e->name || !*e->name)) {
        system_wrong(s, &s->xml, node, "an element has no name");
        return NULL;
    }
    if (depth > MOST_DEPTH) {
        system_wrong(s, &s->xml, node, "systems are nested too deeply");
        return NULL;
    }
    const char *inside = depth ? arena_printf(s->arena, "%s%s.", prefix, e->name) : "";
    read_connectors(s, e, xml_child(node, "Connectors"));
    if (!strcmp(node->name, "Component")) {
        e->fmu = open_fmu(s, node);
        if (!e->fmu)
            return NULL;
    } else {
        read_system(s, e, node, inside, depth);
    }
    system_read_parameters(s, node, inside);
    return e;
}

/* ---- the file ---- */

static bool read_structure(SystemFile *s)
{
    size_t n = 0;
    const char *path = arena_printf(s->arena, "%s/SystemStructure.ssd", s->outer);
    char *text = archive_read(path, s->arena, &n);
    if (!text) {
        diag(s->ctx, (Span){0}, DIAG_U055, "'%s' has no SystemStructure.ssd", s->path);
        return false;
    }
    const char *name = arena_printf(s->arena, "%s/SystemStructure.ssd", s->path);
    if (!xml_read(s->ctx, name, text, n, s->arena, &s->xml))
        return false;
    const XmlNode *root = s->xml.root, *system = xml_child(root, "System");
    if (strcmp(root->name, "SystemStructureDescription") != 0 || !system) {
        system_wrong(s, &s->xml, root, "the file does not describe a system");
        return false;
    }
    const XmlNode *experiment = xml_child(root, "DefaultExperiment");
    s->start = number(s, experiment, "startTime", NAN);
    s->stop = number(s, experiment, "stopTime", NAN);
    s->name = xml_get(system, "name") ? xml_get(system, "name") : xml_get(root, "name");
    s->root = read_element(s, system, "", 0);
    return s->root;
}

bool system_open(Context *ctx, const char *path, SystemFile **out, Text *t)
{
    Arena *arena = arena_new();
    SystemFile *s = *out = ARENA_NEW(arena, SystemFile);
    *s = (SystemFile){.ctx = ctx, .arena = arena};
    s->path = arena_copy(arena, path, strlen(path));
    uint32_t errors = ctx->n_errors;
    struct stat st;
    if (stat(path, &st)) {
        diag(ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", path, strerror(errno));
        return false;
    }
    if (!archive_folder(ctx, arena, &s->outer) || !store_unzip(ctx, path, s->outer) ||
        !read_structure(s) || ctx->n_errors > errors)
        return false;
    system_write(s, t);
    return ctx->n_errors == errors;
}

static void free_element(SystemElement *e)
{
    for (uint32_t i = 0; i < e->elements.n; i++)
        free_element(e->elements.at[i]);
    vec_free(&e->elements);
    vec_free(&e->connectors);
    vec_free(&e->connections);
}

void system_close(SystemFile *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->fmus.n; i++)
        fmu_close(s->fmus.at[i]);
    vec_free(&s->fmus);
    vec_free(&s->parameters);
    if (s->root)
        free_element(s->root);
    archive_remove(s->outer);
    arena_free(s->arena);
}
