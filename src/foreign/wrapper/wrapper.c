#include "foreign/wrapper/wrapper.h"

#include "foreign/component/layout.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

typedef struct Wrapper {
    Text *t;
    Arena *arena;
    const FmiDescription *d;
    const WrapperOptions *o;
    LayoutKind kind;
    Layout l;
    const char *inputs, *continuous_inputs, *states; /* arrays as text */
} Wrapper;

/* ---- identifiers and literals ---- */

static bool is_word(const char *name)
{
    static const char *const reserved[] = {
        "algorithm",   "and",          "annotation", "block",       "break",
        "class",       "connect",      "connector",  "constant",    "constrainedby",
        "der",         "discrete",     "each",       "else",        "elseif",
        "elsewhen",    "encapsulated", "end",        "enumeration", "equation",
        "expandable",  "extends",      "external",   "false",       "final",
        "flow",        "for",          "function",   "if",          "import",
        "impure",      "in",           "initial",    "inner",       "input",
        "loop",        "model",        "not",        "operator",    "or",
        "outer",       "output",       "package",    "parameter",   "partial",
        "protected",   "public",       "pure",       "record",      "redeclare",
        "replaceable", "return",       "stream",     "then",        "true",
        "type",        "when",         "while",      "within",      "time",
        "Real",        "Integer",      "Boolean",    "String",      "Fmu"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(reserved[i], name))
            return false;
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_')
            return false;
    return true;
}

const char *wrapper_identifier(const char *name, Arena *arena)
{
    if (is_word(name))
        return name;
    Text t = {0};
    text_put_char(&t, '\'');
    for (const char *c = *name ? name : "_"; *c; c++) {
        if (*c == '\'' || *c == '\\')
            text_put_char(&t, '\\');
        if (*c < ' ' || *c > '~' || *c == '`') /* not in quoted identifiers */
            text_printf(&t, "%%%02X", (unsigned char)*c);
        else
            text_put_char(&t, *c);
    }
    text_put_char(&t, '\'');
    return text_keep(&t, arena);
}

void wrapper_put_string(Text *t, const char *text)
{
    text_put_char(t, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            text_put_char(t, '\\');
        if (*c == '\n')
            text_put(t, "\\n");
        else if ((unsigned char)*c >= 32)
            text_put_char(t, *c);
    }
    text_put_char(t, '"');
}

static void put_real(Text *t, double x)
{
    if (isnan(x))
        text_put(t, "0");
    else if (isinf(x))
        text_put(t, x > 0 ? "1e300" : "-1e300");
    else
        text_put_real(t, x);
}

static const FmiVariable *variable(const Wrapper *w, LayoutEntry e)
{
    return &w->d->variables.at[e.variable];
}

static const char *entry_name(const Wrapper *w, LayoutEntry e)
{
    const char *name = fmi_element_name(w->d, variable(w, e), e.element, w->arena);
    return wrapper_identifier(name, w->arena);
}

/* The parameter with the start value. */
static const char *start_name(const Wrapper *w, LayoutEntry e)
{
    const char *name = fmi_element_name(w->d, variable(w, e), e.element, w->arena);
    return wrapper_identifier(arena_printf(w->arena, w->o->plain ? "%s.start" : "%s_start", name),
                              w->arena);
}

/* Clocks that others trigger are Booleans. */
static bool is_boolean(const FmiVariable *v)
{
    return v->type == FMI_BOOLEAN || v->type == FMI_CLOCK;
}

/* The value of a variable as a Real. */
static const char *as_real(const Wrapper *w, LayoutEntry e, const char *name)
{
    return is_boolean(variable(w, e)) ? arena_printf(w->arena, "(if %s then 1.0 else 0.0)", name)
                                      : name;
}

/* An array of n values as text. */
typedef const char *(*ItemText)(const Wrapper *w, LayoutEntry e);

static const char *array_text(const Wrapper *w, const LayoutEntry *at, uint32_t n, ItemText item)
{
    if (!n)
        return "fill(0.0, 0)";
    Text t = {0};
    for (uint32_t i = 0; i < n; i++) {
        text_put(&t, i ? ", " : "{");
        text_put(&t, as_real(w, at[i], item(w, at[i])));
    }
    text_put_char(&t, '}');
    return text_keep(&t, w->arena);
}

/* ---- functions ---- */

/* The number of the first state of each variable; NONE. */
static uint32_t *number_states(const Wrapper *w)
{
    uint32_t *first = ARENA_ARRAY(w->arena, uint32_t, w->d->variables.n + (size_t)1);
    for (uint32_t i = 0; i < w->d->variables.n; i++)
        first[i] = NONE;
    for (uint32_t i = w->l.states.n; i-- > 0;)
        first[w->l.states.at[i].variable] = i;
    return first;
}

/* Per variable, what the model structure says of it as a derivative; NULL. */
static const FmiUnknown **find_unknowns(const Wrapper *w)
{
    const FmiUnknowns *all = &w->d->derivatives;
    const FmiUnknown **of =
        ARENA_ARRAY(w->arena, const FmiUnknown *, w->d->variables.n + (size_t)1);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->at[i].variable != NONE)
            of[all->at[i].variable] = &all->at[i];
    return of;
}

/* The states that a derivative depends on, counted from 1. */
static void put_row(const Wrapper *w, const FmiUnknown *u, const uint32_t *first)
{
    if (!u || !u->has_dependencies) {
        text_put_char(w->t, '*');
        return;
    }
    const char *space = "";
    for (uint32_t k = 0; k < u->n_dependencies; k++) {
        uint32_t v = u->dependencies[k], state = v == NONE ? NONE : first[v];
        for (uint32_t i = 0; state != NONE && i < w->d->variables.at[v].size; i++, space = " ")
            text_printf(w->t, "%s%u", space, state + i + 1);
    }
}

/* The model structure makes the Jacobian sparse. */
static void put_rows(const Wrapper *w)
{
    const LayoutList *l = &w->l.derivatives;
    if (!l->n)
        return;
    const uint32_t *first = number_states(w);
    const FmiUnknown **unknowns = find_unknowns(w);
    text_put(w->t, ", __Kairos_rows(x = \"");
    for (uint32_t i = 0; i < l->n; i++) {
        text_put(w->t, i ? ";" : "");
        put_row(w, unknowns[l->at[i].variable], first);
    }
    text_put(w->t, "\")");
}

static void put_functions(const Wrapper *w)
{
    static const char functions[] =
        "  function 'fmu.start'\n"
        "    input Fmu fmu;\n    input Real t;\n    input Real p[:];\n    input Real s[:];\n"
        "    input Real u[:];\n    input Real texts[:];\n    output Real started;\n"
        "    external \"C\" started = kairos_fmu_start(fmu, t, p, s, u, texts);\n"
        "  end 'fmu.start';\n"
        "  function 'fmu.string'\n"
        "    input Fmu fmu;\n    input Integer k;\n    input String text;\n"
        "    output Real done;\n"
        "    external \"C\" done = kairos_fmu_string(fmu, k, text);\n"
        "  end 'fmu.string';\n"
        "  function 'fmu.states'\n"
        "    input Fmu fmu;\n    input Real started;\n    input Integer n;\n"
        "    output Real x[n];\n"
        "    external \"C\" kairos_fmu_states(fmu, started, x);\n"
        "  end 'fmu.states';\n"
        "  function 'fmu.derivatives'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Real x[:];\n"
        "    input Real u[:];\n    output Real dx[size(x, 1)];\n"
        "    external \"C\" kairos_fmu_derivatives(fmu, epoch, t, x, u, dx);\n"
        "    annotation(derivative(zeroDerivative = epoch) = 'fmu.derivatives.rate'";
    static const char others[] =
        ");\n"
        "  end 'fmu.derivatives';\n"
        "  function 'fmu.derivatives.rate'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Real x[:];\n"
        "    input Real u[:];\n    input Real dt;\n    input Real dx[:];\n"
        "    input Real du[:];\n    output Real rate[size(x, 1)];\n"
        "    external \"C\" kairos_fmu_derivatives_rate(fmu, epoch, t, x, u, dt, dx, du, rate);\n"
        "  end 'fmu.derivatives.rate';\n"
        "  function 'fmu.indicators'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Real x[:];\n"
        "    input Real u[:];\n    input Integer n;\n    output Real z[n];\n"
        "    external \"C\" kairos_fmu_indicators(fmu, epoch, t, x, u, z);\n"
        "    annotation(derivative(zeroDerivative = epoch) = 'fmu.indicators.rate');\n"
        "  end 'fmu.indicators';\n"
        "  function 'fmu.indicators.rate'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Real x[:];\n"
        "    input Real u[:];\n    input Integer n;\n    input Real dt;\n"
        "    input Real dx[:];\n    input Real du[:];\n    output Real rate[n];\n"
        "    external \"C\" kairos_fmu_indicators_rate(fmu, epoch, t, x, u, dt, dx, du, rate);\n"
        "  end 'fmu.indicators.rate';\n"
        "  function 'fmu.values'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Integer group;\n"
        "    input Real x[:];\n    input Real u[:];\n    input Integer n;\n"
        "    output Real y[n];\n"
        "    external \"C\" kairos_fmu_values(fmu, epoch, t, group, x, u, y);\n"
        "    annotation(derivative(zeroDerivative = epoch) = 'fmu.values.rate');\n"
        "  end 'fmu.values';\n"
        "  function 'fmu.values.rate'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real t;\n    input Integer group;\n"
        "    input Real x[:];\n    input Real u[:];\n    input Integer n;\n"
        "    input Real dt;\n    input Real dx[:];\n    input Real du[:];\n"
        "    output Real rate[n];\n"
        "    external \"C\" kairos_fmu_values_rate(fmu, epoch, t, group, x, u, dt, dx, du, rate);\n"
        "  end 'fmu.values.rate';\n"
        "  function 'fmu.update'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Real started;\n    input Real t;\n"
        "    input Real x[:];\n    input Real u[:];\n    output Real nextEpoch;\n"
        "    output Real nextTime;\n    output Real ends;\n"
        "    external \"C\" kairos_fmu_update(fmu, epoch, started, t, x, u, nextEpoch, nextTime,\n"
        "      ends);\n"
        "  end 'fmu.update';\n"
        "  function 'fmu.state'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Integer k;\n    output Real x;\n"
        "    external \"C\" x = kairos_fmu_state(fmu, epoch, k);\n"
        "  end 'fmu.state';\n"
        "  function 'fmu.requests'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    output Integer n;\n"
        "    external \"C\" n = kairos_fmu_requests(fmu, epoch);\n"
        "  end 'fmu.requests';\n"
        "  function 'fmu.real'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Integer k;\n    output Real y;\n"
        "    external \"C\" y = kairos_fmu_real(fmu, epoch, k);\n"
        "  end 'fmu.real';\n"
        "  function 'fmu.integer'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Integer k;\n    output Integer y;\n"
        "    external \"C\" y = kairos_fmu_integer(fmu, epoch, k);\n"
        "  end 'fmu.integer';\n"
        "  function 'fmu.boolean'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Integer k;\n    output Boolean y;\n"
        "    external \"C\" y = kairos_fmu_boolean(fmu, epoch, k);\n"
        "  end 'fmu.boolean';\n"
        "  function 'fmu.ticks'\n"
        "    input Fmu fmu;\n    input Real epoch;\n    input Integer k;\n    output Integer n;\n"
        "    external \"C\" n = kairos_fmu_ticks(fmu, epoch, k);\n"
        "  end 'fmu.ticks';\n"
        "  function 'fmu.calculated'\n"
        "    input Fmu fmu;\n    input Real started;\n    input Integer k;\n    output Real y;\n"
        "    external \"C\" y = kairos_fmu_calculated(fmu, started, k);\n"
        "  end 'fmu.calculated';\n"
        "  function 'fmu.inputs'\n"
        "    input Fmu fmu;\n    input Real t;\n    input Real u[:];\n    output Real y;\n"
        "    external \"C\" y = kairos_fmu_inputs(fmu, t, u);\n"
        "  end 'fmu.inputs';\n";
    text_put(w->t, "protected\n"
                   "  class Fmu \"The FMU\"\n"
                   "    extends ExternalObject;\n"
                   "    function constructor\n"
                   "      input String file;\n      input String token;\n      input String name;\n"
                   "      input Integer kind;\n      input Real step;\n"
                   "      input String structure;\n      output Fmu fmu;\n"
                   "      external \"C\" fmu = kairos_fmu_create(file, token, name, kind, step, "
                   "structure);\n"
                   "    end constructor;\n"
                   "    function destructor\n      input Fmu fmu;\n"
                   "      external \"C\" kairos_fmu_close(fmu);\n"
                   "    end destructor;\n"
                   "  end Fmu;\n");
    text_put(w->t, functions);
    put_rows(w);
    text_put(w->t, others);
}

/* ---- declarations ---- */

static void put_attribute(Text *t, bool *any, const char *name)
{
    text_printf(t, "%s%s = ", *any ? ", " : "(", name);
    *any = true;
}

static void put_text_attribute(Text *t, bool *any, const char *name, const char *value)
{
    if (!value || !*value)
        return;
    put_attribute(t, any, name);
    wrapper_put_string(t, value);
}

static void put_real_attribute(Text *t, bool *any, const char *name, double value)
{
    if (!isfinite(value))
        return;
    put_attribute(t, any, name);
    put_real(t, value);
}

/* Attributes of a Real, and `first` in front of them. */
static void put_attributes(const Wrapper *w, const FmiVariable *v, const char *first)
{
    bool any = *first;
    text_printf(w->t, "%s%s", any ? "(" : "", first);
    if (fmi_is_float((FmiType)v->type)) {
        put_text_attribute(w->t, &any, "quantity", v->quantity);
        put_text_attribute(w->t, &any, "unit", v->unit);
        put_text_attribute(w->t, &any, "displayUnit", v->display_unit);
        put_real_attribute(w->t, &any, "min", v->min);
        put_real_attribute(w->t, &any, "max", v->max);
        if (v->nominal > 0)
            put_real_attribute(w->t, &any, "nominal", v->nominal);
    }
    text_put(w->t, any ? ")" : "");
}

static void put_end(const Wrapper *w, const FmiVariable *v)
{
    if (v->description && *v->description) {
        text_put_char(w->t, ' ');
        wrapper_put_string(w->t, v->description);
    }
    text_put(w->t, ";\n");
}

/* Integers of Modelica have 32 bits. */
static bool is_real(const FmiVariable *v)
{
    return fmi_is_float((FmiType)v->type) || v->type == FMI_UINT32 || v->type == FMI_INT64 ||
           v->type == FMI_UINT64;
}

static bool is_discrete_real(const FmiVariable *v)
{
    return is_real(v) && (v->variability == FMI_DISCRETE || !fmi_is_float((FmiType)v->type));
}

static const char *type_name(const FmiVariable *v)
{
    return is_real(v) ? "Real" : is_boolean(v) ? "Boolean" : "Integer";
}

static void put_value(const Wrapper *w, const FmiVariable *v, uint32_t element)
{
    double x = fmi_start(v, element);
    if (v->type == FMI_BOOLEAN)
        text_put(w->t, x != 0 ? "true" : "false");
    else if (is_real(v))
        put_real(w->t, x);
    else
        text_printf(w->t, "%.0f", fmax(INT32_MIN, fmin(INT32_MAX, x)));
}

static void put_parameter(const Wrapper *w, LayoutEntry e, const char *name)
{
    const FmiVariable *v = variable(w, e);
    text_printf(w->t, "  parameter %s %s", type_name(v), name);
    put_attributes(w, v, "");
    text_put(w->t, " = ");
    put_value(w, v, e.element);
    put_end(w, v);
}

static void put_structural(const Wrapper *w)
{
    for (uint32_t i = 0; i < w->d->variables.n; i++) {
        const FmiVariable *v = &w->d->variables.at[i];
        if (!fmi_is_structural(v))
            continue;
        text_printf(w->t, "  parameter Integer %s = %.0f", wrapper_identifier(v->name, w->arena),
                    fmi_start(v, 0));
        put_end(w, v);
    }
}

/* The sizes of arrays are in the text: other values need another text. */
static void put_structure_checks(const Wrapper *w)
{
    for (uint32_t i = 0; i < w->d->variables.n; i++) {
        const FmiVariable *v = &w->d->variables.at[i];
        if (!fmi_is_structural(v))
            continue;
        const char *name = wrapper_identifier(v->name, w->arena);
        text_printf(w->t, "  assert(%s == %.0f, ", name, fmi_start(v, 0));
        wrapper_put_string(w->t, arena_printf(w->arena,
                                              "%s is a structural parameter; give its value, a "
                                              "whole number, when the FMU is read",
                                              v->name));
        text_put(w->t, ");\n");
    }
}

static void put_parameters(const Wrapper *w)
{
    const Layout *l = &w->l;
    put_structural(w);
    for (uint32_t i = 0; i < l->parameters.n; i++)
        put_parameter(w, l->parameters.at[i], entry_name(w, l->parameters.at[i]));
    for (uint32_t i = 0; i < l->starts.n; i++)
        put_parameter(w, l->starts.at[i], start_name(w, l->starts.at[i]));
    for (uint32_t i = 0; i < l->n_strings; i++) {
        const FmiVariable *v = &w->d->variables.at[l->strings[i]];
        text_printf(w->t, "  parameter String %s = ", wrapper_identifier(v->name, w->arena));
        wrapper_put_string(w->t, v->start);
        put_end(w, v);
    }
    for (uint32_t i = 0; i < l->calculated.n; i++) {
        const FmiVariable *v = variable(w, l->calculated.at[i]);
        text_printf(w->t, "  %s Real %s", v->causality == FMI_OUTPUT ? "output" : "final parameter",
                    entry_name(w, l->calculated.at[i]));
        put_attributes(w, v, v->causality == FMI_OUTPUT ? "" : "fixed = false");
        put_end(w, v);
    }
    if (!l->exchange)
        text_put(w->t, "  parameter Real communicationStep = 0 "
                       "\"Communication step; 0: the output interval\";\n");
}

static void put_inputs(const Wrapper *w)
{
    for (uint32_t i = 0; i < w->l.inputs.n; i++) {
        const FmiVariable *v = variable(w, w->l.inputs.at[i]);
        Text start = {0};
        Wrapper part = *w;
        part.t = &start;
        text_put(&start, "start = ");
        put_value(&part, v, w->l.inputs.at[i].element);
        text_printf(w->t, "  %s'fmu.%sInput' %s", is_discrete_real(v) ? "discrete " : "",
                    type_name(v), entry_name(w, w->l.inputs.at[i]));
        put_attributes(w, v, start.at);
        put_end(w, v);
        text_free(&start);
    }
    for (uint32_t i = 0; i < w->l.n_triggers; i++) {
        const FmiVariable *v = &w->d->variables.at[w->l.triggers[i]];
        text_printf(w->t, "  'fmu.BooleanInput' %s(start = false)",
                    wrapper_identifier(v->name, w->arena));
        put_end(w, v);
    }
}

/* A variable that equations below determine. */
static void put_variable(const Wrapper *w, LayoutEntry e, const char *first)
{
    const FmiVariable *v = variable(w, e);
    if (v->causality == FMI_OUTPUT)
        text_printf(w->t, "  'fmu.%sOutput' %s", type_name(v), entry_name(w, e));
    else
        text_printf(w->t, "  %s %s", type_name(v), entry_name(w, e));
    put_attributes(w, v, first);
    put_end(w, v);
}

static bool is_named_after(const Wrapper *w, uint32_t k)
{
    const LayoutEntry state = w->l.states.at[k], der = w->l.derivatives.at[k];
    const char *name = fmi_element_name(w->d, variable(w, state), state.element, w->arena);
    return !strcmp(arena_printf(w->arena, "der(%s)", name),
                   fmi_element_name(w->d, variable(w, der), der.element, w->arena));
}

static void put_variables(const Wrapper *w)
{
    const Layout *l = &w->l;
    for (uint32_t i = 0; i < l->states.n; i++) {
        put_variable(w, l->states.at[i], "");
        if (!is_named_after(w, i))
            put_variable(w, l->derivatives.at[i], "");
    }
    for (uint32_t g = 0; g < l->n_groups; g++)
        for (uint32_t i = 0; i < l->groups[g].values.n; i++)
            put_variable(w, l->groups[g].values.at[i], "");
    for (uint32_t i = 0; i < l->discretes.n; i++)
        put_variable(w, l->discretes.at[i], "");
    for (uint32_t i = 0; i < l->n_ticks; i++) {
        const FmiVariable *v = &w->d->variables.at[l->ticks[i]];
        text_printf(w->t, "  'fmu.IntegerOutput' %s", wrapper_identifier(v->name, w->arena));
        put_end(w, v);
    }
}

static void put_hidden(const Wrapper *w)
{
    static const char hide[] = "annotation(HideResult = true)";
    text_put(w->t, "  Fmu 'fmu.object' = Fmu(");
    wrapper_put_string(w->t, w->o->path);
    text_put(w->t, ", ");
    wrapper_put_string(w->t, w->d->token);
    text_put(w->t, ", ");
    wrapper_put_string(w->t, w->d->model_name);
    text_printf(w->t, ", %d, %s, ", (int)w->kind, w->l.exchange ? "0" : "communicationStep");
    wrapper_put_string(w->t, w->o->structure ? w->o->structure : "");
    text_printf(w->t, ") %s;\n", hide);
    text_printf(w->t, "  parameter Real 'fmu.started'(fixed = false) %s;\n", hide);
    text_printf(w->t, "  discrete Real 'fmu.epoch'(start = 0, fixed = true) %s;\n", hide);
    text_printf(w->t, "  discrete Real 'fmu.next'(start = 1e300, fixed = true) %s;\n", hide);
    text_printf(w->t, "  discrete Real 'fmu.ends'(start = 0, fixed = true) %s;\n", hide);
    text_printf(w->t, "  Integer 'fmu.requested'(start = 0, fixed = true) %s;\n", hide);
    if (w->l.n_indicators)
        text_printf(w->t,
                    "  Real 'fmu.indicator'[%u](each nominal = 1) %s;\n"
                    "  Integer 'fmu.settled'(start = 0, fixed = true) %s;\n"
                    "  Integer 'fmu.before'(start = 0, fixed = true) %s;\n",
                    w->l.n_indicators, hide, hide, hide);
    if (w->l.exchange && w->l.n_states && !w->l.states.n)
        text_printf(w->t, "  Real 'fmu.x'[%u] %s;\n", w->l.n_states, hide);
    if (!w->l.exchange && w->l.inputs.n)
        text_printf(w->t, "  Real 'fmu.sink' %s;\n", hide);
}

/* ---- equations ---- */

/* Whether the start of the FMU depends on the input: by a state or a calculated parameter, as far
 * as the description says. */
static bool matters_at_start(const Wrapper *w, uint32_t input)
{
    if (w->d->version == 1)
        return true;
    for (uint32_t i = 0; i < w->d->initial_unknowns.n; i++) {
        const FmiUnknown *u = &w->d->initial_unknowns.at[i];
        const FmiVariable *v = &w->d->variables.at[u->variable];
        if (!v->is_state && v->causality != FMI_CALCULATED_PARAMETER)
            continue;
        for (uint32_t k = 0; k < u->n_dependencies; k++)
            if (u->dependencies[k] == input)
                return true;
        if (!u->has_dependencies)
            return true;
    }
    return false;
}

/* Inputs of the initialization: start values if nothing depends on them there, because FMUs that
 * are connected in a circle would need each other. */
static const char *initial_inputs(const Wrapper *w)
{
    const Layout *l = &w->l;
    Text t = {0};
    for (uint32_t i = 0; i < l->inputs.n; i++) {
        LayoutEntry e = l->inputs.at[i];
        text_put(&t, i ? ", " : "{");
        if (i >= l->n_continuous || matters_at_start(w, e.variable))
            text_put(&t, as_real(w, e, entry_name(w, e)));
        else
            put_real(&t, fmi_start(variable(w, e), e.element));
    }
    text_put(&t, l->inputs.n ? "}" : "fill(0.0, 0)");
    return text_keep(&t, w->arena);
}

static void put_initial(const Wrapper *w)
{
    const Layout *l = &w->l;
    Text texts = {0};
    for (uint32_t i = 0; i < l->n_strings; i++)
        text_printf(&texts, "%s'fmu.string'('fmu.object', %u, %s)", i ? ", " : "{", i + 1,
                    wrapper_identifier(w->d->variables.at[l->strings[i]].name, w->arena));
    text_put(&texts, l->n_strings ? "}" : "fill(0.0, 0)");
    text_printf(w->t,
                "initial equation\n"
                "  'fmu.started' = 'fmu.start'('fmu.object', time, %s, %s, %s, %s);\n",
                array_text(w, l->parameters.at, l->parameters.n, entry_name),
                array_text(w, l->starts.at, l->starts.n, start_name), initial_inputs(w), texts.at);
    text_free(&texts);
    if (l->n_states)
        text_printf(w->t, "  %s = 'fmu.states'('fmu.object', 'fmu.started', %u);\n", w->states,
                    l->n_states);
    for (uint32_t i = 0; i < l->calculated.n; i++)
        if (variable(w, l->calculated.at[i])->causality != FMI_OUTPUT)
            text_printf(w->t, "  %s = 'fmu.calculated'('fmu.object', 'fmu.started', %u);\n",
                        entry_name(w, l->calculated.at[i]), i + 1);
}

static void put_continuous(const Wrapper *w)
{
    const Layout *l = &w->l;
    if (l->n_states && l->states.n) {
        for (uint32_t i = 0; i < l->states.n; i++)
            text_printf(w->t, "%sder(%s)", i ? ", " : "  {", entry_name(w, l->states.at[i]));
        text_put(w->t, "}");
    } else if (l->n_states) {
        text_put(w->t, "  der('fmu.x')");
    }
    if (l->n_states)
        text_printf(w->t, " = 'fmu.derivatives'('fmu.object', 'fmu.epoch', time, %s, %s);\n",
                    w->states, w->continuous_inputs);
    for (uint32_t i = 0; i < l->states.n; i++)
        if (!is_named_after(w, i))
            text_printf(w->t, "  %s = der(%s);\n", entry_name(w, l->derivatives.at[i]),
                        entry_name(w, l->states.at[i]));
    /* after an event, these make the event iteration look at the indicators once more */
    if (l->n_indicators)
        text_put(w->t, "  'fmu.settled' = integer(pre('fmu.epoch'));\n"
                       "  'fmu.before' = pre('fmu.settled');\n");
    if (l->n_indicators)
        text_printf(w->t,
                    "  'fmu.indicator' = 'fmu.indicators'('fmu.object', pre('fmu.epoch'), time, "
                    "%s, %s, %u);\n",
                    w->states, w->continuous_inputs, l->n_indicators);
}

static void put_groups(const Wrapper *w)
{
    const Layout *l = &w->l;
    for (uint32_t g = 0; g < l->n_groups; g++) {
        const LayoutGroup *group = &l->groups[g];
        LayoutEntry *inputs = ARENA_ARRAY(w->arena, LayoutEntry, group->n_inputs + 1);
        for (uint32_t k = 0; k < group->n_inputs; k++)
            inputs[k] = l->inputs.at[group->inputs[k]];
        if (group->values.n)
            text_printf(
                w->t, "  %s = 'fmu.values'('fmu.object', 'fmu.epoch', time, %u, %s, %s, %u);\n",
                array_text(w, group->values.at, group->values.n, entry_name), g + 1, w->states,
                array_text(w, inputs, group->n_inputs, entry_name), group->values.n);
    }
}

static void put_discretes(const Wrapper *w)
{
    static const char *const functions[] = {"real", "integer", "boolean"};
    for (uint32_t i = 0; i < w->l.discretes.n; i++) {
        const FmiVariable *v = variable(w, w->l.discretes.at[i]);
        int kind = is_real(v) ? 0 : v->type == FMI_BOOLEAN ? 2 : 1;
        text_printf(w->t, "  %s = 'fmu.%s'('fmu.object', 'fmu.epoch', %u);\n",
                    entry_name(w, w->l.discretes.at[i]), functions[kind], i + 1);
    }
    for (uint32_t i = 0; i < w->l.n_ticks; i++)
        text_printf(w->t, "  %s = 'fmu.ticks'('fmu.object', 'fmu.epoch', %u);\n",
                    wrapper_identifier(w->d->variables.at[w->l.ticks[i]].name, w->arena), i + 1);
    for (uint32_t i = 0; i < w->l.calculated.n; i++)
        if (variable(w, w->l.calculated.at[i])->causality == FMI_OUTPUT)
            text_printf(w->t, "  %s = 'fmu.calculated'('fmu.object', 'fmu.started', %u);\n",
                        entry_name(w, w->l.calculated.at[i]), i + 1);
}

/* The conditions under which the FMU has an event. */
static const char *conditions(const Wrapper *w)
{
    const Layout *l = &w->l;
    Text t = {0};
    text_put(&t, "change('fmu.requested')");
    if (l->exchange || l->n_clocks)
        text_put(&t, ", time >= pre('fmu.next')");
    for (uint32_t i = 0; i < l->n_indicators; i++)
        text_printf(&t, ", 'fmu.indicator'[%u] < 0", i + 1);
    for (uint32_t i = l->n_continuous; i < l->inputs.n; i++) {
        const char *name = entry_name(w, l->inputs.at[i]);
        text_printf(&t, ", change(%s)", name);
    }
    for (uint32_t i = 0; i < l->n_triggers; i++)
        text_printf(&t, ", change(%s)",
                    wrapper_identifier(w->d->variables.at[l->triggers[i]].name, w->arena));
    return text_keep(&t, w->arena);
}

/* Discrete inputs, and clocks that others trigger. */
static const char *discrete_inputs(const Wrapper *w)
{
    const Layout *l = &w->l;
    uint32_t n = l->inputs.n - l->n_continuous;
    LayoutEntry *all = ARENA_ARRAY(w->arena, LayoutEntry, n + l->n_triggers + 1);
    for (uint32_t i = 0; i < n; i++)
        all[i] = l->inputs.at[l->n_continuous + i];
    for (uint32_t i = 0; i < l->n_triggers; i++)
        all[n + i] = (LayoutEntry){l->triggers[i], 0};
    return array_text(w, all, n + l->n_triggers, entry_name);
}

static void put_events(const Wrapper *w)
{
    const Layout *l = &w->l;
    const char *when = conditions(w);
    text_printf(w->t,
                "  'fmu.requested' = 'fmu.requests'('fmu.object', pre('fmu.epoch'));\n"
                "  when {initial(), %s} then\n"
                "    ('fmu.epoch', 'fmu.next', 'fmu.ends') = 'fmu.update'('fmu.object', "
                "pre('fmu.epoch'), 'fmu.started', time, %s, %s);\n"
                "  end when;\n",
                when, w->states, discrete_inputs(w));
    if (l->n_states)
        text_printf(w->t, "  when {%s} then\n", when);
    for (uint32_t i = 0; i < l->n_states; i++) {
        const char *x = l->states.n ? entry_name(w, l->states.at[i])
                                    : arena_printf(w->arena, "'fmu.x'[%u]", i + 1);
        text_printf(w->t, "    reinit(%s, 'fmu.state'('fmu.object', 'fmu.epoch', %u));\n", x,
                    i + 1);
    }
    text_printf(w->t,
                "%s  when 'fmu.ends' > 0.5 then\n"
                "    terminate(\"the FMU ended the simulation\");\n"
                "  end when;\n",
                l->n_states ? "  end when;\n" : "");
    if (!l->exchange && l->inputs.n)
        text_printf(w->t, "  'fmu.sink' = 'fmu.inputs'('fmu.object', time, %s);\n", w->inputs);
}

/* ---- the class ---- */

static void put_connectors(const Wrapper *w)
{
    static const char *const types[] = {"Real", "Integer", "Boolean"};
    for (int i = 0; i < 3; i++)
        text_printf(w->t,
                    "  connector 'fmu.%sInput' = input %s;\n"
                    "  connector 'fmu.%sOutput' = output %s;\n",
                    types[i], types[i], types[i], types[i]);
}

void wrapper_put_experiment(Text *t, double start, double stop, double tolerance, double interval)
{
    bool any = false;
    text_put(t, "  annotation(experiment");
    put_real_attribute(t, &any, "StartTime", start);
    put_real_attribute(t, &any, "StopTime", stop);
    if (tolerance > 0)
        put_real_attribute(t, &any, "Tolerance", tolerance);
    if (interval > 0 && (stop - (start > 0 ? start : 0)) / interval < 1e6)
        put_real_attribute(t, &any, "Interval", interval);
    text_put(t, any ? "));\n" : "());\n");
}

static bool choose(Context *ctx, const FmuFile *f, const WrapperOptions *o, LayoutKind *kind)
{
    const FmiDescription *d = f->description;
    const char *const identifiers[] = {d->exchange.identifier, d->co_simulation.identifier,
                                       d->scheduled.identifier};
    *kind = o->kind == WRAPPER_EXCHANGE        ? LAYOUT_EXCHANGE
            : o->kind == WRAPPER_CO_SIMULATION ? LAYOUT_CO_SIMULATION
            : d->exchange.identifier           ? LAYOUT_EXCHANGE
            : d->co_simulation.identifier      ? LAYOUT_CO_SIMULATION
                                               : LAYOUT_SCHEDULED;
    if (identifiers[*kind])
        return true;
    diag(ctx, (Span){0}, DIAG_U051, "'%s' does not offer %s", f->path,
         o->kind == WRAPPER_EXCHANGE        ? "model exchange; use --kind cs"
         : o->kind == WRAPPER_CO_SIMULATION ? "co-simulation; use --kind me"
                                            : "model exchange or co-simulation");
    return false;
}

bool wrapper_write(Context *ctx, const FmuFile *f, const WrapperOptions *o, Arena *arena, Text *t,
                   const char **name)
{
    LayoutKind kind;
    if (!choose(ctx, f, o, &kind))
        return false;
    const FmiDescription *d = f->description;
    Wrapper w = {.t = t, .arena = arena, .d = d, .o = o, .kind = kind};
    w.l = layout_of(d, kind, arena);
    const Layout *l = &w.l;
    w.inputs = array_text(&w, l->inputs.at, l->inputs.n, entry_name);
    w.continuous_inputs = array_text(&w, l->inputs.at, l->n_continuous, entry_name);
    w.states = l->n_states && !l->states.n ? "'fmu.x'"
                                           : array_text(&w, l->states.at, l->states.n, entry_name);
    const FmiInterface *const interfaces[] = {&d->exchange, &d->co_simulation, &d->scheduled};
    const char *identifier = interfaces[kind]->identifier;
    *name = wrapper_identifier(o->name ? o->name : identifier, arena);
    text_printf(t, "block %s ", *name);
    wrapper_put_string(t, d->description ? d->description : d->model_name);
    text_put(t, "\n");
    put_connectors(&w);
    put_parameters(&w);
    put_inputs(&w);
    put_variables(&w);
    put_functions(&w);
    put_hidden(&w);
    put_initial(&w);
    text_put(t, "equation\n");
    put_continuous(&w);
    put_groups(&w);
    put_discretes(&w);
    put_events(&w);
    put_structure_checks(&w);
    wrapper_put_experiment(t, d->start_time, d->stop_time, d->tolerance, d->step_size);
    text_printf(t, "end %s;\n", *name);
    return true;
}
