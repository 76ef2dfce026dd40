/* modelDescription.xml. */
#include "fmu/fmu.h"

#include "base/text.h"
#include "flatten/units/unit.h"
#include "fmu/dependencies.h"
#include "fmu/xml.h"
#include "sim/exchange.h"

#include <math.h>
#include <stdio.h>

typedef struct DescriptionWriter {
    FmuModel *m;
    Xml *xml;
    bool three; /* FMI 3 */
    Dependencies *dependencies, *at_start;
    VEC(VarId) elements;       /* of the unknown at work */
    VEC(uint32_t) knowns;      /* places of the variables that it depends on */
    uint32_t *listed, unknown; /* per place: the last unknown that listed it; number of this one */
    uint8_t *kind;             /* per place: DependKind */
    VEC(const char *) units;
    VEC(TypeId) enumerations;
    VEC(const FmuVariable *) quantities; /* a Real with each quantity, unit and display unit */
} DescriptionWriter;

static const char *const causality_names[] = {
    [CAUSE_PARAMETER] = "parameter", [CAUSE_CALCULATED] = "calculatedParameter",
    [CAUSE_INPUT] = "input",         [CAUSE_OUTPUT] = "output",
    [CAUSE_LOCAL] = "local",         [CAUSE_INDEPENDENT] = "independent"};
static const char *const variability_names[] = {[VARY_CONSTANT] = "constant",
                                                [VARY_FIXED] = "fixed",
                                                [VARY_TUNABLE] = "tunable",
                                                [VARY_DISCRETE] = "discrete",
                                                [VARY_CONTINUOUS] = "continuous"};
static const char *const initial_names[] = {
    [INITIAL_EXACT] = "exact", [INITIAL_APPROX] = "approx", [INITIAL_CALCULATED] = "calculated"};

/* ---- capabilities ---- */

static void put_common_flags(const DescriptionWriter *w)
{
    xml_attribute(w->xml, "modelIdentifier", w->m->identifier);
    xml_flag(w->xml, "needsExecutionTool", false);
    xml_flag(w->xml, "canBeInstantiatedOnlyOncePerProcess", false);
    if (!w->three)
        xml_flag(w->xml, "canNotUseMemoryManagementFunctions", true);
    xml_flag(w->xml, w->three ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", true);
    xml_flag(w->xml, w->three ? "canSerializeFMUState" : "canSerializeFMUstate", true);
    xml_flag(w->xml, w->three ? "providesDirectionalDerivatives" : "providesDirectionalDerivative",
             true);
    if (w->three)
        xml_flag(w->xml, "providesAdjointDerivatives", true);
}

/* FMI 3 has a build description instead. */
static void put_source_files(const DescriptionWriter *w)
{
    if (w->three || !w->m->sources.n)
        return;
    xml_begin(w->xml, "SourceFiles");
    for (uint32_t i = 0; i < w->m->sources.n; i++) {
        xml_begin(w->xml, "File");
        xml_attribute(w->xml, "name", w->m->sources.at[i]);
        xml_end(w->xml);
    }
    xml_end(w->xml);
}

static void put_exchange(const DescriptionWriter *w)
{
    xml_begin(w->xml, "ModelExchange");
    put_common_flags(w);
    bool steps = exchange_needs_steps(w->m->plan);
    if (w->three)
        xml_flag(w->xml, "needsCompletedIntegratorStep", steps);
    else
        xml_flag(w->xml, "completedIntegratorStepNotNeeded", !steps);
    put_source_files(w);
    xml_end(w->xml);
}

static void put_co_simulation(const DescriptionWriter *w)
{
    xml_begin(w->xml, "CoSimulation");
    put_common_flags(w);
    xml_flag(w->xml, "canHandleVariableCommunicationStepSize", true);
    xml_count(w->xml, "maxOutputDerivativeOrder", 1);
    if (!w->three)
        xml_flag(w->xml, "canInterpolateInputs", false);
    static const char *const flags[] = {"hasEventMode", "providesIntermediateUpdate",
                                        "mightReturnEarlyFromDoStep",
                                        "canReturnEarlyAfterIntermediateUpdate"};
    for (unsigned i = 0; w->three && i < sizeof flags / sizeof *flags; i++)
        xml_flag(w->xml, flags[i], true);
    xml_end(w->xml);
}

/* ---- units ---- */

static void note_unit(DescriptionWriter *w, const char *unit)
{
    for (uint32_t i = 0; i < w->units.n; i++)
        if (!strcmp(w->units.at[i], unit))
            return;
    vec_push(&w->units, unit);
}

/* Display units whose relation to the unit is known; others are left out. */
static bool display_factor(const char *unit, const char *display, double *factor, double *offset)
{
    Unit a, b;
    *factor = 1;
    *offset = 0;
    if (!strcmp(unit, "K") && !strcmp(display, "degC")) {
        *offset = -273.15;
        return true;
    }
    if (unit_parse(unit, &a) != UNIT_GOOD || unit_parse(display, &b) != UNIT_GOOD ||
        !unit_same_dimension(a, b) || !(b.factor > 0))
        return false;
    *factor = a.factor / b.factor;
    return true;
}

static const char *display_unit(const FmuVariable *v)
{
    double factor, offset;
    bool known =
        v->unit && v->display_unit && display_factor(v->unit, v->display_unit, &factor, &offset);
    return known ? v->display_unit : NULL;
}

static void put_base_unit(const DescriptionWriter *w, const char *unit)
{
    static const char *const names[UNIT_BASES] = {"m", "kg", "s", "A", "K", "mol", "cd"};
    Unit u;
    if (unit_parse(unit, &u) != UNIT_GOOD)
        return;
    for (unsigned i = 0; i < UNIT_BASES; i++)
        if (u.of[i] % UNIT_PARTS)
            return; /* a power that is no whole number */
    xml_begin(w->xml, "BaseUnit");
    for (unsigned i = 0; i < UNIT_BASES; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", u.of[i] / UNIT_PARTS);
        xml_attribute(w->xml, names[i], u.of[i] ? text : NULL);
    }
    if (u.factor != 1)
        xml_real(w->xml, "factor", u.factor);
    xml_end(w->xml);
}

static void put_display_units(const DescriptionWriter *w, const char *unit)
{
    VEC(const char *) done = {0};
    for (uint32_t i = 0; i < w->m->variables.n; i++) {
        const FmuVariable *v = &w->m->variables.at[i];
        const char *display = v->unit && !strcmp(v->unit, unit) ? display_unit(v) : NULL;
        bool old = !display;
        for (uint32_t k = 0; k < done.n && !old; k++)
            old = !strcmp(done.at[k], display);
        double factor, offset;
        if (old || !display_factor(unit, display, &factor, &offset))
            continue;
        vec_push(&done, display);
        xml_begin(w->xml, "DisplayUnit");
        xml_attribute(w->xml, "name", display);
        xml_real(w->xml, "factor", factor);
        if (offset != 0)
            xml_real(w->xml, "offset", offset);
        xml_end(w->xml);
    }
    vec_free(&done);
}

static void put_units(DescriptionWriter *w)
{
    for (uint32_t i = 0; i < w->m->variables.n; i++)
        if (w->m->variables.at[i].unit)
            note_unit(w, w->m->variables.at[i].unit);
    xml_begin(w->xml, "UnitDefinitions");
    for (uint32_t i = 0; i < w->units.n; i++) {
        xml_begin(w->xml, "Unit");
        xml_attribute(w->xml, "name", w->units.at[i]);
        put_base_unit(w, w->units.at[i]);
        put_display_units(w, w->units.at[i]);
        xml_end(w->xml);
    }
    xml_end(w->xml);
}

/* ---- types ---- */

/* The name without the quotes that the flat text puts around names with dots. */
static const char *type_label(const DescriptionWriter *w, TypeId id)
{
    const char *name = type_get(w->m->plan->dae->g->types, id)->name;
    size_t n = name ? strlen(name) : 0;
    return n > 2 && *name == '\'' ? arena_copy(w->m->arena, name + 1, n - 2) : name;
}

static void put_items(const DescriptionWriter *w, TypeId id)
{
    const Type *type = type_get(w->m->plan->dae->g->types, id);
    for (uint32_t k = 0; k < type->n; k++) {
        xml_begin(w->xml, "Item");
        xml_attribute(w->xml, "name", type->fields[k].name);
        xml_count(w->xml, "value", k + 1);
        xml_end(w->xml);
    }
}

static void put_enumeration(const DescriptionWriter *w, TypeId id)
{
    xml_begin(w->xml, w->three ? "EnumerationType" : "SimpleType");
    xml_attribute(w->xml, "name", type_label(w, id));
    if (!w->three)
        xml_begin(w->xml, "Enumeration");
    put_items(w, id);
    if (!w->three)
        xml_end(w->xml);
    xml_end(w->xml);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

/* The place in w->quantities of the type of a Real; NONE: it has none. */
static uint32_t quantity_of(const DescriptionWriter *w, const FmuVariable *v)
{
    for (uint32_t i = 0; v->type == DAE_REAL && v->quantity && i < w->quantities.n; i++) {
        const FmuVariable *q = w->quantities.at[i];
        if (same_text(q->quantity, v->quantity) && same_text(q->unit, v->unit) &&
            same_text(display_unit(q), display_unit(v)))
            return i;
    }
    return NONE;
}

/* The name of the quantity; if it has several units, the number of the type too. */
static const char *quantity_label(const DescriptionWriter *w, uint32_t at)
{
    const char *name = w->quantities.at[at]->quantity;
    for (uint32_t i = 0; i < at; i++)
        if (same_text(w->quantities.at[i]->quantity, name))
            return arena_printf(w->m->arena, "%s (%u)", name, at + 1);
    return name;
}

static void put_quantity(const DescriptionWriter *w, uint32_t at)
{
    const FmuVariable *v = w->quantities.at[at];
    xml_begin(w->xml, w->three ? "Float64Type" : "SimpleType");
    xml_attribute(w->xml, "name", quantity_label(w, at));
    if (!w->three)
        xml_begin(w->xml, "Real");
    xml_attribute(w->xml, "quantity", v->quantity);
    xml_attribute(w->xml, "unit", v->unit);
    xml_attribute(w->xml, "displayUnit", display_unit(v));
    if (!w->three)
        xml_end(w->xml);
    xml_end(w->xml);
}

static void note_type(DescriptionWriter *w, const FmuVariable *v)
{
    uint32_t k = 0;
    while (k < w->enumerations.n && w->enumerations.at[k] != v->enumeration)
        k++;
    if (v->type == DAE_ENUM && k == w->enumerations.n)
        vec_push(&w->enumerations, v->enumeration);
    if (v->type == DAE_REAL && v->quantity && quantity_of(w, v) == NONE)
        vec_push(&w->quantities, v);
}

static void put_types(DescriptionWriter *w)
{
    for (uint32_t i = 0; i < w->m->variables.n; i++)
        note_type(w, &w->m->variables.at[i]);
    if (!w->enumerations.n && !w->quantities.n)
        return;
    xml_begin(w->xml, "TypeDefinitions");
    for (uint32_t i = 0; i < w->quantities.n; i++)
        put_quantity(w, i);
    for (uint32_t i = 0; i < w->enumerations.n; i++)
        put_enumeration(w, w->enumerations.at[i]);
    xml_end(w->xml);
}

/* ---- log categories, experiment ---- */

static void put_categories(const DescriptionWriter *w)
{
    static const char *const rows[][2] = {
        {"logStatusWarning", "Warnings of the model and of the solver"},
        {"logStatusDiscard", "Steps that end early"},
        {"logStatusError", "Failures of the model, and calls that are not allowed"},
        {"logStatusFatal", "Failures after which the instance can only be freed"}};
    xml_begin(w->xml, "LogCategories");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        xml_begin(w->xml, "Category");
        xml_attribute(w->xml, "name", rows[i][0]);
        xml_attribute(w->xml, "description", rows[i][1]);
        xml_end(w->xml);
    }
    xml_end(w->xml);
}

static void put_experiment(const DescriptionWriter *w)
{
    const Experiment *e = &w->m->plan->dae->flat->experiment;
    double start = isnan(e->start) ? 0 : e->start;
    xml_begin(w->xml, "DefaultExperiment");
    xml_real(w->xml, "startTime", start);
    xml_real(w->xml, "stopTime", isnan(e->stop) ? start + 1 : e->stop);
    xml_real(w->xml, "tolerance", isnan(e->tolerance) ? 1e-6 : e->tolerance);
    if (e->interval > 0)
        xml_real(w->xml, "stepSize", e->interval);
    xml_end(w->xml);
}

/* ---- variables ---- */

/* The start values of an array, by rows. */
static void put_values(const DescriptionWriter *w, const FmuVariable *v)
{
    Text list = {0};
    for (uint32_t k = 0; k < v->n; k++) {
        text_put(&list, k ? " " : "");
        if (v->type == DAE_BOOL)
            text_put(&list, v->starts[k] != 0 ? "true" : "false");
        else
            text_put_real(&list, v->starts[k]);
    }
    xml_attribute(w->xml, "start", list.at);
    text_free(&list);
}

static void put_dimensions(const DescriptionWriter *w, const FmuVariable *v)
{
    for (uint32_t k = 0; k < v->rank; k++) {
        xml_begin(w->xml, "Dimension");
        xml_count(w->xml, "start", (uint64_t)v->dims[k]);
        xml_end(w->xml);
    }
}

static void put_value(const DescriptionWriter *w, const FmuVariable *v)
{
    if (v->n > 1) {
        put_values(w, v);
        return;
    }
    if (v->type == DAE_BOOL) {
        xml_flag(w->xml, "start", v->start != 0);
    } else if (v->type == DAE_REAL) {
        xml_real(w->xml, "start", v->start);
    } else {
        char text[32];
        snprintf(text, sizeof text, "%.0f", v->start);
        xml_attribute(w->xml, "start", text);
    }
}

static void put_bound(const DescriptionWriter *w, const FmuVariable *v, const char *name,
                      double bound)
{
    char text[32];
    snprintf(text, sizeof text, "%.0f", bound);
    if (!isfinite(bound) || v->type == DAE_BOOL || v->type == DAE_ENUM)
        return;
    if (v->type == DAE_REAL)
        xml_real(w->xml, name, bound);
    else if (fabs(bound) < 2147483647.0)
        xml_attribute(w->xml, name, text);
}

static void put_type_attributes(const DescriptionWriter *w, const FmuVariable *v)
{
    bool starts =
        v->initial == INITIAL_EXACT || v->initial == INITIAL_APPROX || v->causality == CAUSE_INPUT;
    if (v->type == DAE_ENUM)
        xml_attribute(w->xml, "declaredType", type_label(w, v->enumeration));
    if (v->type == DAE_STRING)
        return;
    if (quantity_of(w, v) != NONE)
        xml_attribute(w->xml, "declaredType", quantity_label(w, quantity_of(w, v)));
    if (v->type != DAE_BOOL)
        xml_attribute(w->xml, "quantity", v->quantity);
    put_bound(w, v, "min", v->min);
    put_bound(w, v, "max", v->max);
    if (v->type == DAE_REAL) {
        xml_attribute(w->xml, "unit", v->unit);
        xml_attribute(w->xml, "displayUnit", display_unit(v));
        if (v->nominal > 0 && v->nominal != 1 && isfinite(v->nominal))
            xml_real(w->xml, "nominal", v->nominal);
    }
    if (starts)
        put_value(w, v);
    if (v->derivative_of != NONE)
        xml_count(w->xml, "derivative",
                  w->three ? w->m->variables.at[v->derivative_of].var : v->derivative_of + 1);
}

static void put_variable(const DescriptionWriter *w, const FmuVariable *v)
{
    static const char *const two[] = {"Real", "Integer", "Boolean", "Enumeration", "String"};
    static const char *const three[] = {"Float64", "Int32", "Boolean", "Enumeration", "String"};
    xml_begin(w->xml, w->three ? three[v->type] : "ScalarVariable");
    xml_attribute(w->xml, "name", v->name);
    xml_count(w->xml, "valueReference", v->var);
    xml_attribute(w->xml, "description", v->description);
    xml_attribute(w->xml, "causality", causality_names[v->causality]);
    xml_attribute(w->xml, "variability", variability_names[v->varies]);
    xml_attribute(w->xml, "initial", initial_names[v->initial]);
    if (!w->three)
        xml_begin(w->xml, two[v->type]);
    put_type_attributes(w, v);
    if (!w->three)
        xml_end(w->xml);
    put_dimensions(w, v);
    xml_end(w->xml);
}

/* In FMI 3 event indicators are variables; their value references follow those of the model. */
static uint32_t n_indicator_variables(const DescriptionWriter *w)
{
    return w->three && w->m->options->exchange ? w->m->n_indicators : 0;
}

static void put_indicator(const DescriptionWriter *w, uint32_t k)
{
    char name[40];
    snprintf(name, sizeof name, "'event indicator %u'", k + 1);
    xml_begin(w->xml, "Float64");
    xml_attribute(w->xml, "name", name);
    xml_count(w->xml, "valueReference", w->m->plan->dae->vars.n + k);
    xml_attribute(w->xml, "causality", "local");
    xml_attribute(w->xml, "variability", "continuous");
    xml_attribute(w->xml, "initial", "calculated");
    xml_end(w->xml);
}

static void put_clocks(const DescriptionWriter *w)
{
    uint32_t first = w->m->plan->dae->vars.n + w->m->n_indicators;
    for (uint32_t k = 0; k < w->m->clocks.n; k++) {
        xml_begin(w->xml, "Clock");
        xml_attribute(w->xml, "name", w->m->clocks.at[k].name);
        xml_count(w->xml, "valueReference", first + k);
        xml_attribute(w->xml, "causality", "local");
        xml_attribute(w->xml, "variability", "discrete");
        xml_attribute(w->xml, "intervalVariability", "triggered");
        xml_end(w->xml);
    }
}

static void put_variables(const DescriptionWriter *w)
{
    xml_begin(w->xml, "ModelVariables");
    for (uint32_t i = 0; i < w->m->variables.n; i++)
        put_variable(w, &w->m->variables.at[i]);
    for (uint32_t k = 0; k < n_indicator_variables(w); k++)
        put_indicator(w, k);
    put_clocks(w);
    xml_end(w->xml);
}

/* ---- structure ---- */

static const char *const kind_names[] = {[BY_CONSTANT] = "constant",
                                         [BY_FIXED] = "fixed",
                                         [BY_TUNABLE] = "tunable",
                                         [BY_DISCRETE] = "discrete",
                                         [BY_ANYTHING] = "dependent"};

/* Knowns of an unknown: places of variables, each once, with kinds. */
static void list_known(DescriptionWriter *w, uint32_t place, uint8_t kind)
{
    if (w->listed[place] != w->unknown) {
        w->listed[place] = w->unknown;
        w->kind[place] = kind;
        vec_push(&w->knowns, place);
    }
    w->kind[place] = kind > w->kind[place] ? kind : w->kind[place];
}

static void put_knowns(const DescriptionWriter *w, bool with_kinds)
{
    Text list = {0}, kinds = {0};
    for (uint32_t i = 0; i < w->knowns.n; i++) {
        uint32_t place = w->knowns.at[i];
        text_printf(&list, "%s%u", i ? " " : "",
                    w->three ? w->m->variables.at[place].var : place + 1);
        text_printf(&kinds, "%s%s", i ? " " : "", kind_names[w->kind[place]]);
    }
    xml_attribute(w->xml, "dependencies", list.at ? list.at : "");
    if (with_kinds)
        xml_attribute(w->xml, "dependenciesKind", kinds.at ? kinds.at : "");
    text_free(&list);
    text_free(&kinds);
}

/* The variables of an unknown. */
static uint32_t elements_of(DescriptionWriter *w, uint32_t place)
{
    const FmuVariable *v = &w->m->variables.at[place];
    vec_clear(&w->elements);
    for (uint32_t k = 0; k < v->n; k++)
        vec_push(&w->elements, v->var + k);
    w->unknown++;
    vec_clear(&w->knowns);
    return v->n;
}

/* Knowns that are no variables of the FMU would be missing: the list is then left out. */
static void put_dependencies(DescriptionWriter *w, uint32_t unknown)
{
    const VarId *knowns;
    const uint8_t *kinds;
    uint32_t n, n_elements = elements_of(w, unknown);
    bool known =
        dependencies_find(w->dependencies, w->elements.at, n_elements, &knowns, &kinds, &n);
    for (uint32_t i = 0; known && i < n; i++) {
        uint32_t place = w->m->place[knowns[i]];
        known = place != NONE;
        if (known)
            list_known(w, place, kinds[i]);
    }
    bool real = w->m->variables.at[unknown].type == DAE_REAL; /* others have no factors */
    if (known)
        put_knowns(w, real && w->m->variables.at[unknown].varies == VARY_CONTINUOUS);
}

/* A start value belongs to its variable. */
static VarId owner_of(const DescriptionWriter *w, VarId known)
{
    const DaeVar *x = &w->m->plan->dae->vars.at[known];
    return w->m->place[known] == NONE && x->kind == DAE_PARAMETER && x->base != NONE ? x->base
                                                                                     : known;
}

/* At initialization an unknown depends on inputs, time and values that are exact. Guesses of other
 * start values, constants and values that cannot be set do not count. */
static void put_initial_dependencies(DescriptionWriter *w, uint32_t unknown)
{
    const VarId *knowns;
    const uint8_t *kinds;
    uint32_t n, n_elements = elements_of(w, unknown);
    if (!dependencies_find(w->at_start, w->elements.at, n_elements, &knowns, &kinds, &n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t place = w->m->place[owner_of(w, knowns[i])];
        const FmuVariable *v = place == NONE ? NULL : &w->m->variables.at[place];
        if (v && (v->causality == CAUSE_INPUT || v->causality == CAUSE_INDEPENDENT ||
                  (v->initial == INITIAL_EXACT && v->varies != VARY_CONSTANT)))
            list_known(w, place, BY_ANYTHING);
    }
    put_knowns(w, false);
}

static void put_unknown(DescriptionWriter *w, const char *element, uint32_t place, bool initial)
{
    xml_begin(w->xml, w->three ? element : "Unknown");
    if (w->three)
        xml_count(w->xml, "valueReference", w->m->variables.at[place].var);
    else
        xml_count(w->xml, "index", place + 1);
    if (initial)
        put_initial_dependencies(w, place);
    else
        put_dependencies(w, place);
    xml_end(w->xml);
}

/* Outputs that are not exact, calculated parameters; in model exchange also states that are not
 * exact, and their derivatives. */
static bool is_initial_unknown(const FmuModel *m, const FmuVariable *v)
{
    bool open = v->initial == INITIAL_APPROX || v->initial == INITIAL_CALCULATED;
    bool of_state = m->options->exchange && (v->is_state || v->is_derivative);
    return v->causality == CAUSE_CALCULATED || (open && (v->causality == CAUSE_OUTPUT || of_state));
}

static bool is_output(const FmuModel *m, const FmuVariable *v)
{
    (void)m;
    return v->causality == CAUSE_OUTPUT;
}

static void put_unknowns(DescriptionWriter *w, const char *list, const char *element,
                         bool (*belongs)(const FmuModel *m, const FmuVariable *v))
{
    bool any = false;
    for (uint32_t i = 0; i < w->m->variables.n; i++) {
        if (!belongs(w->m, &w->m->variables.at[i]))
            continue;
        if (!any && !w->three)
            xml_begin(w->xml, list);
        any = true;
        put_unknown(w, element, i, belongs == is_initial_unknown);
    }
    if (any && !w->three)
        xml_end(w->xml);
}

/* In the order of the vector of states. */
static void put_derivatives(DescriptionWriter *w)
{
    const Plan *plan = w->m->plan;
    if (plan->states.n && !w->three)
        xml_begin(w->xml, "Derivatives");
    for (uint32_t i = 0; i < plan->states.n; i++) {
        VarId der = fmu_state_derivative(plan, i);
        uint32_t place = w->m->place[der];
        if (w->m->variables.at[place].var == der) /* the first element of an array */
            put_unknown(w, "ContinuousStateDerivative", place, false);
    }
    if (plan->states.n && !w->three)
        xml_end(w->xml);
}

static void put_structure(DescriptionWriter *w)
{
    xml_begin(w->xml, "ModelStructure");
    put_unknowns(w, "Outputs", "Output", is_output);
    if (w->m->options->exchange)
        put_derivatives(w);
    put_unknowns(w, "InitialUnknowns", "InitialUnknown", is_initial_unknown);
    for (uint32_t k = 0; k < n_indicator_variables(w); k++) {
        xml_begin(w->xml, "EventIndicator");
        xml_count(w->xml, "valueReference", w->m->plan->dae->vars.n + k);
        xml_end(w->xml);
    }
    xml_end(w->xml);
}

/* ---- the whole ---- */

static void put_root(const DescriptionWriter *w)
{
    xml_begin(w->xml, "fmiModelDescription");
    xml_attribute(w->xml, "fmiVersion", w->three ? "3.0" : "2.0");
    xml_attribute(w->xml, "modelName", w->m->declared->name);
    xml_attribute(w->xml, w->three ? "instantiationToken" : "guid", w->m->token);
    xml_attribute(w->xml, "description", w->m->declared->description);
    xml_attribute(w->xml, "generationTool", "Kairos " KAIROS_VERSION);
    xml_attribute(w->xml, "variableNamingConvention", "structured");
    if (!w->three)
        xml_count(w->xml, "numberOfEventIndicators",
                  w->m->options->exchange ? w->m->n_indicators : 0);
}

static const uint8_t *tunable_parameters(const FmuModel *m)
{
    uint8_t *tunable = ARENA_ARRAY(m->arena, uint8_t, m->plan->dae->vars.n);
    for (uint32_t i = 0; i < m->variables.n; i++)
        for (uint32_t k = 0; k < m->variables.at[i].n; k++)
            tunable[m->variables.at[i].var + k] = m->variables.at[i].varies == VARY_TUNABLE;
    return tunable;
}

const char *fmu_describe(FmuModel *m, size_t *n)
{
    DescriptionWriter w = {.m = m, .xml = xml_open(m->ctx), .three = m->options->version == 3};
    if (!w.xml)
        return NULL;
    put_root(&w);
    if (m->options->exchange)
        put_exchange(&w);
    if (m->options->co_simulation)
        put_co_simulation(&w);
    put_units(&w);
    put_types(&w);
    put_categories(&w);
    put_experiment(&w);
    put_variables(&w);
    w.listed = ARENA_ARRAY(m->arena, uint32_t, m->variables.n);
    w.kind = ARENA_ARRAY(m->arena, uint8_t, m->variables.n);
    const uint8_t *tunable = tunable_parameters(m);
    DependOn on = m->options->exchange ? ON_STATES : ON_INPUTS;
    w.dependencies = dependencies_new(m->plan, on, tunable, m->arena);
    w.at_start = dependencies_new(m->plan, ON_THE_START, tunable, m->arena);
    put_structure(&w);
    dependencies_free(w.dependencies);
    dependencies_free(w.at_start);
    xml_end(w.xml);
    vec_free(&w.elements);
    vec_free(&w.knowns);
    vec_free(&w.units);
    vec_free(&w.enumerations);
    vec_free(&w.quantities);
    const char *text = xml_close(w.xml, n, m->arena);
    if (!text)
        diag(m->ctx, (Span){0}, DIAG_U020, "libxml2 failed to write modelDescription.xml");
    return text;
}
