/* The head of a description: interfaces, units, types. */
#include "foreign/description/description.h"

#include <math.h>
#include <stdlib.h>

/* ---- interfaces ---- */

static void read_interface(FmiDescription *d, const XmlNode *node, FmiInterface *to)
{
    if (!node)
        return;
    const char *saves = d->version == 3 ? "canGetAndSetFMUState" : "canGetAndSetFMUstate";
    const char *serialises = d->version == 3 ? "canSerializeFMUState" : "canSerializeFMUstate";
    const char *directional =
        d->version == 3 ? "providesDirectionalDerivatives" : "providesDirectionalDerivative";
    to->node = node;
    to->identifier = fmi_text(node, "modelIdentifier");
    if (!to->identifier || !*to->identifier)
        fmi_wrong(d, node, "<%s> has no modelIdentifier", node->name);
    to->needs_tool = fmi_flag(d, node, "needsExecutionTool", false);
    to->once_per_process = fmi_flag(d, node, "canBeInstantiatedOnlyOncePerProcess", false);
    to->saves_state = fmi_flag(d, node, saves, false);
    to->serialises_state = fmi_flag(d, node, serialises, false);
    to->directional = fmi_flag(d, node, directional, false);
    to->adjoint = fmi_flag(d, node, "providesAdjointDerivatives", false);
    to->variable_steps = fmi_flag(d, node, "canHandleVariableCommunicationStepSize", false);
    to->event_mode = fmi_flag(d, node, "hasEventMode", false);
    to->early_return = fmi_flag(d, node, "canReturnEarlyAfterIntermediateUpdate", false);
    to->interpolates_inputs = fmi_flag(d, node, "canInterpolateInputs", false);
    to->asynchronous = fmi_flag(d, node, "canRunAsynchronuously", false);
    const char *not_needed =
        d->version == 3 ? "needsCompletedIntegratorStep" : "completedIntegratorStepNotNeeded";
    bool flag = fmi_flag(d, node, not_needed, d->version == 3);
    to->ignores_completed_step = d->version == 3 ? !flag : flag;
    to->fixed_step = fmi_real(d, node, "fixedInternalStepSize", 0);
}

/* FMI 1.0: an element Implementation means co-simulation, otherwise model exchange. */
static void read_first_interface(FmiDescription *d, const XmlNode *root)
{
    const XmlNode *implementation = xml_child(root, "Implementation");
    FmiInterface *to = implementation ? &d->co_simulation : &d->exchange;
    const XmlNode *kind = implementation ? implementation->child : NULL;
    const XmlNode *capabilities = xml_child(kind, "Capabilities");
    to->node = implementation ? implementation : root;
    to->identifier = fmi_text(root, "modelIdentifier");
    if (!to->identifier || !*to->identifier)
        fmi_wrong(d, root, "the description has no modelIdentifier");
    if (kind && !strcmp(kind->name, "CoSimulation_Tool"))
        to->needs_tool = true;
    to->variable_steps = fmi_flag(d, capabilities, "canHandleVariableCommunicationStepSize", false);
    to->once_per_process = fmi_flag(d, capabilities, "canBeInstantiatedOnlyOncePerProcess", false);
}

static void read_interfaces(FmiDescription *d, const XmlNode *root)
{
    if (d->version == 1) {
        read_first_interface(d, root);
        return;
    }
    read_interface(d, xml_child(root, "ModelExchange"), &d->exchange);
    read_interface(d, xml_child(root, "CoSimulation"), &d->co_simulation);
    read_interface(d, xml_child(root, "ScheduledExecution"), &d->scheduled);
    if (!d->exchange.node && !d->co_simulation.node && !d->scheduled.node)
        fmi_wrong(d, root, "the FMU has neither <ModelExchange> nor <CoSimulation>");
}

/* ---- units and types ---- */

static void read_display(FmiDescription *d, const XmlNode *node, FmiUnit *unit)
{
    const char *name = fmi_text(node, d->version == 1 ? "displayUnit" : "name");
    if (!name) {
        fmi_wrong(d, node, "a display unit has no name");
        return;
    }
    const char *factor = d->version == 1 ? "gain" : "factor";
    vec_push(&unit->displays, ((FmiDisplayUnit){.name = name,
                                                .factor = fmi_real(d, node, factor, 1),
                                                .offset = fmi_real(d, node, "offset", 0),
                                                .inverse = fmi_flag(d, node, "inverse", false)}));
}

static void read_base(FmiDescription *d, const XmlNode *node, FmiUnit *unit)
{
    static const char *const bases[] = {"kg", "m", "s", "A", "K", "mol", "cd", "rad"};
    unit->has_base = node;
    for (int i = 0; node && i < 8; i++)
        unit->exponents[i] = fmi_real(d, node, bases[i], 0);
    unit->factor = fmi_real(d, node, "factor", 1);
    unit->offset = fmi_real(d, node, "offset", 0);
}

static void read_units(FmiDescription *d, const XmlNode *list)
{
    for (const XmlNode *n = list ? list->child : NULL; n; n = n->next) {
        FmiUnit unit = {.node = n, .name = fmi_text(n, d->version == 1 ? "unit" : "name")};
        if (!unit.name) {
            fmi_wrong(d, n, "a unit has no name");
            continue;
        }
        read_base(d, xml_child(n, "BaseUnit"), &unit);
        for (const XmlNode *c = n->child; c; c = c->next)
            if (!strcmp(c->name, "DisplayUnit") || !strcmp(c->name, "DisplayUnitDefinition"))
                read_display(d, c, &unit);
        vec_push(&d->units, unit);
    }
}

static FmiType type_of(const char *name)
{
    static const struct {
        const char *name;
        FmiType type;
    } others[] = {{"Real", FMI_FLOAT64},
                  {"RealType", FMI_FLOAT64},
                  {"Integer", FMI_INT32},
                  {"IntegerType", FMI_INT32}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i].name, name))
            return others[i].type;
    for (int i = 0; i < FMI_TYPES; i++) {
        size_t n = strlen(fmi_type_names[i]);
        if (!strncmp(fmi_type_names[i], name, n) && (!name[n] || !strcmp(name + n, "Type")))
            return (FmiType)i;
    }
    return FMI_TYPES;
}

static void read_type(FmiDescription *d, const XmlNode *outer)
{
    const XmlNode *node = d->version == 3 ? outer : outer->child;
    const char *name = fmi_text(outer, "name");
    FmiType type = node ? type_of(node->name) : FMI_TYPES;
    if (!name || type == FMI_TYPES) {
        fmi_wrong(d, outer, "a type definition has no %s", name ? "known type" : "name");
        return;
    }
    FmiTypeDefinition t = {.name = name,
                           .type = (uint8_t)type,
                           .unit = fmi_text(node, "unit"),
                           .display_unit = fmi_text(node, "displayUnit"),
                           .quantity = fmi_text(node, "quantity"),
                           .min = fmi_real(d, node, "min", NAN),
                           .max = fmi_real(d, node, "max", NAN),
                           .nominal = fmi_real(d, node, "nominal", NAN),
                           .node = outer};
    int64_t next = 1; /* FMI 1 numbers its items */
    for (const XmlNode *i = xml_child(node, "Item"); i; i = xml_next(i, "Item")) {
        const char *item = fmi_text(i, "name");
        double value = fmi_real(d, i, "value", (double)next);
        if (!(fabs(value) < 0x1p63)) {
            fmi_wrong(d, i, "value = \"%s\" is out of range", fmi_text(i, "value"));
            value = (double)next;
        }
        next = (int64_t)value + 1;
        vec_push(&t.items, ((FmiItem){item ? item : "", (int64_t)value}));
    }
    vec_push(&d->types, t);
}

/* ---- the whole ---- */

static void read_experiment(FmiDescription *d, const XmlNode *node)
{
    d->start_time = fmi_real(d, node, "startTime", NAN);
    d->stop_time = fmi_real(d, node, "stopTime", NAN);
    d->tolerance = fmi_real(d, node, "tolerance", NAN);
    d->step_size = fmi_real(d, node, "stepSize", NAN);
}

static bool read_version(FmiDescription *d, const XmlNode *root)
{
    if (strcmp(root->name, "fmiModelDescription") != 0) {
        fmi_wrong(d, root, "the root element is <%s> instead of <fmiModelDescription>", root->name);
        return false;
    }
    const char *version = fmi_text(root, "fmiVersion");
    d->version_text = version;
    d->version = !version ? 0 : *version == '1' ? 1 : *version == '2' ? 2 : *version == '3' ? 3 : 0;
    if (!d->version || (version[1] && version[1] != '.')) {
        fmi_wrong(d, root, "fmiVersion is %s; Kairos reads 1.0, 2.0 and 3.0",
                  version ? version : "missing");
        return false;
    }
    return true;
}

static void read_head(FmiDescription *d, const XmlNode *root)
{
    d->model_name = fmi_text(root, "modelName");
    d->token = fmi_text(root, d->version == 3 ? "instantiationToken" : "guid");
    d->description = fmi_text(root, "description");
    d->tool = fmi_text(root, "generationTool");
    const char *names = fmi_text(root, "variableNamingConvention");
    d->structured_names = names && !strcmp(names, "structured");
    if (!d->model_name)
        fmi_wrong(d, root, "modelName is missing");
    if (!d->token)
        fmi_wrong(d, root, "%s is missing", d->version == 3 ? "instantiationToken" : "guid");
}

static bool read_document(FmiDescription *d, Arena *arena)
{
    const XmlNode *root = d->xml.root;
    uint32_t errors = d->xml.ctx->n_errors;
    if (!read_version(d, root))
        return false;
    read_head(d, root);
    read_interfaces(d, root);
    read_units(d, xml_child(root, "UnitDefinitions"));
    const XmlNode *types = xml_child(root, "TypeDefinitions");
    for (const XmlNode *t = types ? types->child : NULL; t; t = t->next)
        read_type(d, t);
    read_experiment(d, xml_child(root, "DefaultExperiment"));
    fmi_read_variables(d, xml_child(root, "ModelVariables"), arena);
    fmi_read_structure(d, arena);
    return d->xml.ctx->n_errors == errors;
}

FmiDescription *fmi_read_description(Context *ctx, const char *name, const char *text, size_t n,
                                     Arena *arena)
{
    FmiDescription *d = ARENA_NEW(arena, FmiDescription);
    if (xml_read(ctx, name, text, n, arena, &d->xml) && read_document(d, arena))
        return d;
    fmi_free_description(d);
    return NULL;
}

static void free_unknowns(FmiUnknowns *u)
{
    vec_free(u);
}

void fmi_free_description(FmiDescription *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->units.n; i++)
        vec_free(&d->units.at[i].displays);
    for (uint32_t i = 0; i < d->types.n; i++)
        vec_free(&d->types.at[i].items);
    vec_free(&d->units);
    vec_free(&d->types);
    vec_free(&d->variables);
    map_free(&d->by_reference);
    free_unknowns(&d->outputs);
    free_unknowns(&d->derivatives);
    free_unknowns(&d->initial_unknowns);
    free_unknowns(&d->indicators);
    free_unknowns(&d->clocked_states);
}
