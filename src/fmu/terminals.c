/* terminalsAndIcons/terminalsAndIcons.xml (FMI 3): the place of the icon, and a terminal for each
 * connector of the model that has flow variables. Its members are the variables of the connector,
 * so that an importer can connect FMUs of the same connectors. */
#include "fmu/fmu.h"

#include "fmu/xml.h"

#include <string.h>

/* The length of the connector's name if `name` is a member of a connector of the top level:
 * connector.member; 0 for others. */
static size_t connector_length(const char *name)
{
    const char *dot = strchr(name, '.');
    return dot && !strchr(dot + 1, '.') && !strpbrk(name, "'(") ? (size_t)(dot - name) : 0;
}

static bool is_member(const FmuVariable *v, const char *connector, size_t n)
{
    return connector_length(v->name) == n && !strncmp(v->name, connector, n);
}

/* Whether variable `at` is the first flow variable of its connector. */
static bool begins_terminal(const FmuModel *m, uint32_t at)
{
    const FmuVariable *v = &m->variables.at[at];
    size_t n = v->is_flow ? connector_length(v->name) : 0;
    for (uint32_t i = 0; n && i < at; i++)
        if (m->variables.at[i].is_flow && is_member(&m->variables.at[i], v->name, n))
            return false;
    return n > 0;
}

static void put_terminal(const FmuModel *m, Xml *xml, const char *first)
{
    size_t n = connector_length(first);
    xml_begin(xml, "Terminal");
    xml_attribute(xml, "name", arena_copy(m->arena, first, n));
    xml_attribute(xml, "matchingRule", "plug");
    for (uint32_t i = 0; i < m->variables.n; i++) {
        const FmuVariable *v = &m->variables.at[i];
        if (!is_member(v, first, n))
            continue;
        xml_begin(xml, "TerminalMemberVariable");
        xml_attribute(xml, "variableName", v->name);
        xml_attribute(xml, "memberName", v->name + n + 1);
        xml_attribute(xml, "variableKind", v->is_flow ? "inflow" : "signal");
        xml_end(xml);
    }
    xml_end(xml);
}

static void put_terminals(const FmuModel *m, Xml *xml)
{
    bool any = false;
    for (uint32_t i = 0; i < m->variables.n; i++) {
        if (!begins_terminal(m, i))
            continue;
        if (!any)
            xml_begin(xml, "Terminals");
        any = true;
        put_terminal(m, xml, m->variables.at[i].name);
    }
    if (any)
        xml_end(xml);
}

static void put_extent(Xml *xml, const double *extent)
{
    static const char *const names[] = {"x1", "y1", "x2", "y2"};
    for (unsigned i = 0; i < 4; i++)
        xml_real(xml, names[i], extent[i]);
}

static void put_icon(Xml *xml, const double *extent)
{
    xml_begin(xml, "GraphicalRepresentation");
    xml_begin(xml, "CoordinateSystem");
    put_extent(xml, extent);
    xml_real(xml, "suggestedScalingFactorTo_mm", 0.1);
    xml_end(xml);
    xml_begin(xml, "Icon");
    put_extent(xml, extent);
    xml_end(xml);
    xml_end(xml);
}

bool fmu_add_terminals(const FmuModel *m, FmuContents *contents)
{
    bool any = contents->has_icon;
    for (uint32_t i = 0; i < m->variables.n && !any; i++)
        any = begins_terminal(m, i);
    Xml *xml = any ? xml_open(m->ctx) : NULL;
    if (!xml)
        return !any;
    xml_begin(xml, "fmiTerminalsAndIcons");
    xml_attribute(xml, "fmiVersion", "3.0");
    if (contents->has_icon)
        put_icon(xml, contents->icon);
    put_terminals(m, xml);
    xml_end(xml);
    size_t n = 0;
    const char *text = xml_close(xml, &n, m->arena);
    vec_push(&contents->files,
             ((FmuFile){"terminalsAndIcons/terminalsAndIcons.xml", text ? text : "", n}));
    return text;
}
