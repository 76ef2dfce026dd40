/* The text of a system: a class for each FMU, and a model for each system. */
#include "foreign/system/system.h"

#include "foreign/wrapper/wrapper.h"

#include <math.h>

typedef struct Writer {
    SystemFile *s;
    Text *t;
} Writer;

static const char *identifier(const Writer *w, const char *name)
{
    return wrapper_identifier(name, w->s->arena);
}

/* ---- classes of FMUs ---- */

static void put_class(Writer *w, SystemElement *e, uint32_t number)
{
    const FmiDescription *d = e->fmu->description;
    bool exchange = d->exchange.identifier && !(e->co_simulation && d->co_simulation.identifier);
    const char *name;
    WrapperOptions o = {.kind = exchange ? WRAPPER_EXCHANGE : WRAPPER_CO_SIMULATION,
                        .name = arena_printf(w->s->arena, "class%u", number),
                        .path = e->fmu->path,
                        .plain = true};
    if (wrapper_write(w->s->ctx, e->fmu, &o, w->s->arena, w->t, &name))
        e->class_name = name;
}

static void put_classes(Writer *w, SystemElement *e, uint32_t *number)
{
    if (e->fmu)
        put_class(w, e, ++*number);
    for (uint32_t i = 0; i < e->elements.n; i++)
        put_classes(w, e->elements.at[i], number);
}

/* ---- variables and connectors ---- */

typedef struct End {
    const FmiVariable *v; /* NULL: a connector of a system */
    const FmiDescription *d;
    uint32_t element;
    bool input;          /* of the FMU or system that has it */
    bool boolean;        /* otherwise a number */
    const FmiUnit *unit; /* NULL: none */
} End;

static bool find_variable(const FmiDescription *d, const char *name, End *end, Arena *arena)
{
    for (uint32_t i = 0; i < d->variables.n; i++) {
        const FmiVariable *v = &d->variables.at[i];
        for (uint32_t k = 0; k < v->size; k++)
            if (!strcmp(fmi_element_name(d, v, k, arena), name)) {
                *end = (End){v,
                             d,
                             k,
                             v->causality == FMI_INPUT,
                             v->type == FMI_BOOLEAN,
                             fmi_find_unit(d, v->unit)};
                return true;
            }
    }
    return false;
}

static SystemElement *find_element(SystemElement *system, const char *name)
{
    for (uint32_t i = 0; i < system->elements.n; i++)
        if (!strcmp(system->elements.at[i]->name, name))
            return system->elements.at[i];
    return NULL;
}

static bool find_connector(const SystemElement *e, const char *name, End *end)
{
    for (uint32_t i = 0; i < e->connectors.n; i++)
        if (!strcmp(e->connectors.at[i].name, name)) {
            *end = (End){.input = e->connectors.at[i].input,
                         .boolean = !strcmp(e->connectors.at[i].type, "Boolean"),
                         .unit = e->connectors.at[i].unit};
            return true;
        }
    return false;
}

/* Where the connection may begin: outputs of elements and inputs of the system itself. It ends at
 * the others, except at parameters. */
static bool is_right_end(const End *end, bool inside, bool begins)
{
    bool parameter = end->v && end->v->causality != FMI_INPUT && end->v->causality != FMI_OUTPUT;
    return begins ? end->input != inside : end->input == inside && !parameter;
}

/* One end of a connection as text; NULL after a message. */
static const char *end_text(Writer *w, SystemElement *system, const SystemConnection *c,
                            const char *element, const char *connector, End *end)
{
    SystemElement *e = element ? find_element(system, element) : system;
    bool found = e && (e->fmu ? find_variable(e->fmu->description, connector, end, w->s->arena)
                              : find_connector(e, connector, end));
    const char *dot = element ? "." : "", *owner = element ? element : "";
    bool begins = connector == c->from_connector;
    if (!found) {
        system_wrong(w->s, &w->s->xml, c->node, "there is no connector '%s%s%s'", owner, dot,
                     connector);
        return NULL;
    }
    if (!is_right_end(end, element, begins)) {
        system_wrong(w->s, &w->s->xml, c->node,
                     "the connection cannot %s at '%s%s%s', which is not an %s of %s",
                     begins ? "start" : "end", owner, dot, connector,
                     begins == (element != NULL) ? "output" : "input",
                     element ? "this element" : "the system");
        return NULL;
    }
    return element ? arena_printf(w->s->arena, "%s.%s", identifier(w, element),
                                  identifier(w, connector))
                   : identifier(w, connector);
}

/* ---- equations ---- */

/* true, false or a whole number. */
static bool is_plain_value(const char *text)
{
    size_t sign = *text == '-' || *text == '+';
    return !strcmp(text, "true") || !strcmp(text, "false") ||
           (text[sign] && strspn(text + sign, "0123456789") == strlen(text + sign));
}

/* Converts the units of the ends, if both define theirs. */
static bool convert(Writer *w, SystemConnection *c, const End *from, const End *to)
{
    if (c->change.keep_units || system_convert(from->unit, to->unit, &c->change.linear))
        return true;
    system_wrong(w->s, &w->s->xml, c->node, "the units '%s' and '%s' cannot be converted",
                 from->unit->name, to->unit->name);
    return false;
}

/* The value of a map for each value of `a`; other values stay. */
static void put_mapped(Writer *w, const XmlNode *map, const char *a)
{
    bool any = false;
    for (const XmlNode *n = xml_child(map, "MapEntry"); n; n = xml_next(n, "MapEntry")) {
        const char *source = xml_get(n, "source"), *target = xml_get(n, "target");
        if (!source || !target || !is_plain_value(source) || !is_plain_value(target)) {
            system_wrong(w->s, &w->s->xml, n, "an entry needs a source and a target");
            return;
        }
        text_printf(w->t, "%s %s == %s then %s ", any ? "elseif" : "if", a, source, target);
        any = true;
    }
    text_printf(w->t, any ? "else %s" : "%s", a);
}

static bool same_end(const SystemConnection *a, const SystemConnection *b)
{
    bool same_element = a->to && b->to ? !strcmp(a->to, b->to) : a->to == b->to;
    return same_element && !strcmp(a->to_connector, b->to_connector);
}

/* Reports a connection whose end has another one before it. */
static bool is_second(Writer *w, const SystemElement *system, const SystemConnection *c)
{
    for (uint32_t i = 0; i < system->connections.n; i++) {
        const SystemConnection *other = &system->connections.at[i];
        if (other->node == c->node)
            return false;
        if (same_end(other, c)) {
            system_wrong(w->s, &w->s->xml, c->node, "'%s%s%s' has a connection already, at line %u",
                         c->to ? c->to : "", c->to ? "." : "", c->to_connector, other->node->line);
            return true;
        }
    }
    return false;
}

static bool same_types(Writer *w, const SystemConnection *c, const End *from, const End *to)
{
    if (from->boolean == to->boolean)
        return true;
    system_wrong(w->s, &w->s->xml, c->node, "'%s' is %s and '%s' is %s", c->from_connector,
                 from->boolean ? "Boolean" : "a number", c->to_connector,
                 to->boolean ? "Boolean" : "a number");
    return false;
}

static void put_connection(Writer *w, SystemElement *system, SystemConnection c)
{
    End from, to;
    const char *a = end_text(w, system, &c, c.from, c.from_connector, &from);
    const char *b = end_text(w, system, &c, c.to, c.to_connector, &to);
    if (!a || !b || is_second(w, system, &c) || !same_types(w, &c, &from, &to) ||
        !convert(w, &c, &from, &to))
        return;
    text_printf(w->t, "  %s = ", b);
    const SystemLinear *l = &c.change.linear;
    bool plain = l->factor == 1 && l->offset == 0;
    if (!plain) {
        text_put_real(w->t, l->factor);
        text_put(w->t, "*");
    }
    if (c.change.map)
        put_mapped(w, c.change.map, a);
    else
        text_put(w->t, a);
    if (!plain) {
        text_put(w->t, " + ");
        text_put_real(w->t, l->offset);
    }
    text_put(w->t, ";\n");
}

static bool is_driven(const SystemElement *system, const char *element, const char *connector)
{
    for (uint32_t i = 0; i < system->connections.n; i++) {
        const SystemConnection *c = &system->connections.at[i];
        if (c->to && !strcmp(c->to, element) && !strcmp(c->to_connector, connector))
            return true;
    }
    return false;
}

static SystemParameter *find_parameter(const SystemFile *s, const char *prefix, const char *name)
{
    size_t n = strlen(prefix);
    for (uint32_t i = 0; i < s->parameters.n; i++)
        if (!strncmp(s->parameters.at[i].name, prefix, n) &&
            !strcmp(s->parameters.at[i].name + n, name))
            return &s->parameters.at[i];
    return NULL;
}

/* The value of a parameter in the unit of the variable. */
static void put_parameter_value(Writer *w, SystemParameter *p, const FmiUnit *unit)
{
    SystemLinear l = {1, 0};
    p->used = true;
    if (!system_convert(p->unit, unit, &l))
        system_wrong(w->s, &w->s->xml, w->s->root->node,
                     "the value of '%s' has the unit '%s', which cannot be converted to '%s'",
                     p->name, p->unit->name, unit->name);
    if (l.factor == 1 && l.offset == 0)
        text_put(w->t, p->value);
    else
        text_put_real(w->t, l.factor * p->number + l.offset);
}

/* Inputs without a connection keep their start values, or those of the parameter set. */
static void put_loose_inputs(Writer *w, const SystemElement *system, const SystemElement *e,
                             const char *prefix)
{
    const FmiDescription *d = e->fmu->description;
    for (uint32_t i = 0; i < d->variables.n; i++) {
        const FmiVariable *v = &d->variables.at[i];
        if (v->causality != FMI_INPUT || !fmi_is_number((FmiType)v->type))
            continue;
        for (uint32_t k = 0; k < v->size; k++) {
            const char *name = fmi_element_name(d, v, k, w->s->arena);
            if (is_driven(system, e->name, name))
                continue;
            SystemParameter *p = find_parameter(w->s, prefix, name);
            text_printf(w->t, "  %s.%s = ", identifier(w, e->name), identifier(w, name));
            if (p) {
                put_parameter_value(w, p, fmi_find_unit(d, v->unit));
            } else if (v->type == FMI_BOOLEAN) {
                text_put(w->t, fmi_start(v, k) != 0 ? "true" : "false");
            } else if (fmi_is_float((FmiType)v->type)) {
                text_put_real(w->t, fmi_start(v, k));
            } else {
                text_printf(w->t, "%.0f", fmi_start(v, k));
            }
            text_put(w->t, ";\n");
        }
    }
}

/* ---- components ---- */

static const char *type_name(FmiType type)
{
    return type == FMI_BOOLEAN ? "Boolean" : fmi_is_float(type) ? "Real" : "Integer";
}

/* Compares the connectors of a component with the variables of its FMU. */
static void check_connectors(Writer *w, const SystemElement *e)
{
    for (uint32_t i = 0; i < e->connectors.n; i++) {
        const SystemConnector *c = &e->connectors.at[i];
        End end;
        if (!find_variable(e->fmu->description, c->name, &end, w->s->arena))
            system_wrong(w->s, &w->s->xml, c->node, "the FMU has no variable '%s'", c->name);
        else if (c->input != end.input)
            system_wrong(w->s, &w->s->xml, c->node, "'%s' is %s of the FMU", c->name,
                         end.input ? "an input" : "not an input");
        else if (c->typed && fmi_is_number((FmiType)end.v->type) &&
                 strcmp(c->type, type_name((FmiType)end.v->type)) != 0)
            system_wrong(w->s, &w->s->xml, c->node, "'%s' is %s here and %s in the FMU", c->name,
                         c->type, type_name((FmiType)end.v->type));
    }
}

/* Values of the parameter set for the variables of an FMU. */
static void put_modifiers(Writer *w, const SystemElement *e, const char *prefix)
{
    size_t n = strlen(prefix);
    bool any = false;
    for (uint32_t i = 0; i < w->s->parameters.n; i++) {
        SystemParameter *p = &w->s->parameters.at[i];
        End end;
        if (strncmp(p->name, prefix, n) != 0 ||
            !find_variable(e->fmu->description, p->name + n, &end, w->s->arena) ||
            end.v->causality == FMI_INPUT)
            continue;
        bool parameter = end.v->causality == FMI_PARAMETER;
        const char *name = arena_printf(w->s->arena, parameter ? "%s" : "%s.start", p->name + n);
        text_printf(w->t, "%s%s = ", any ? ", " : "(", identifier(w, name));
        put_parameter_value(w, p, end.unit);
        any = true;
    }
    text_put(w->t, any ? ")" : "");
}

static void put_system(Writer *w, SystemElement *e, const char *name, const char *prefix);

static const char *inner_prefix(Writer *w, const char *prefix, const SystemElement *e)
{
    return arena_printf(w->s->arena, "%s%s.", prefix, e->name);
}

static void put_elements(Writer *w, SystemElement *system, const char *prefix)
{
    for (uint32_t i = 0; i < system->elements.n; i++) {
        SystemElement *e = system->elements.at[i];
        const char *inside = inner_prefix(w, prefix, e);
        if (!e->fmu) {
            e->class_name = identifier(w, arena_printf(w->s->arena, "system %s", e->name));
            put_system(w, e, e->class_name, inside);
        }
        if (!e->class_name)
            continue;
        text_printf(w->t, "  %s %s", e->class_name, identifier(w, e->name));
        if (e->fmu) {
            check_connectors(w, e);
            put_modifiers(w, e, inside);
        }
        text_put(w->t, ";\n");
    }
}

static void put_system(Writer *w, SystemElement *e, const char *name, const char *prefix)
{
    text_printf(w->t, "model %s\n", name);
    for (uint32_t i = 0; i < e->connectors.n; i++)
        text_printf(w->t, "  %s %s %s;\n", e->connectors.at[i].input ? "input" : "output",
                    e->connectors.at[i].type, identifier(w, e->connectors.at[i].name));
    put_elements(w, e, prefix);
    text_put(w->t, "equation\n");
    for (uint32_t i = 0; i < e->connections.n; i++)
        put_connection(w, e, e->connections.at[i]);
    for (uint32_t i = 0; i < e->elements.n; i++)
        if (e->elements.at[i]->fmu)
            put_loose_inputs(w, e, e->elements.at[i], inner_prefix(w, prefix, e->elements.at[i]));
    if (!*prefix)
        wrapper_put_experiment(w->t, w->s->start, w->s->stop, NAN, NAN);
    text_printf(w->t, "end %s;\n", name);
}

void system_write(SystemFile *s, Text *t)
{
    Writer w = {s, t};
    uint32_t number = 0;
    put_classes(&w, s->root, &number);
    put_system(&w, s->root, identifier(&w, s->name && *s->name ? s->name : "System"), "");
    for (uint32_t i = 0; i < s->parameters.n; i++)
        if (!s->parameters.at[i].used)
            diag(s->ctx, (Span){0}, DIAG_U056, "'%s': nothing has the parameter '%s'", s->path,
                 s->parameters.at[i].name);
}
