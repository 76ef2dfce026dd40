/* Rules for variables: names, types, causality, variability, initial, start values, units. */
#include "foreign/check/check.h"

#include <ctype.h>
#include <math.h>

typedef struct Rules {
    Context *ctx;
    const FmiDescription *d;
} Rules;

static Span at(const Rules *r, const XmlNode *node)
{
    return xml_span(&r->d->xml, node);
}

#define WRONG(r, node, ...) diag((r)->ctx, at((r), (node)), DIAG_U052, __VA_ARGS__)
#define DOUBT(r, node, ...) diag((r)->ctx, at((r), (node)), DIAG_U053, __VA_ARGS__)

/* ---- names ---- */

static bool is_c_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_')
            return false;
    return true;
}

/* [index{,index}] without spaces; the rest after it, NULL if it is wrong. */
static const char *skip_indices(const char *p)
{
    if (*p != '[')
        return p;
    do {
        p++;
        if (!isdigit((unsigned char)*p))
            return NULL;
        while (isdigit((unsigned char)*p))
            p++;
    } while (*p == ',');
    return *p == ']' ? p + 1 : NULL;
}

/* identifier[indices].identifier…; the rest after it, NULL if it is wrong. */
static const char *skip_path(const char *p)
{
    for (;; p++) {
        if (*p == '\'') {
            for (p++; *p && *p != '\''; p++)
                p += *p == '\\' && p[1];
            if (*p++ != '\'')
                return NULL;
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            while (isalnum((unsigned char)*p) || *p == '_')
                p++;
        } else {
            return NULL;
        }
        p = skip_indices(p);
        if (!p || *p != '.')
            return p;
    }
}

static bool is_structured(const char *name)
{
    bool der = !strncmp(name, "der(", 4);
    const char *rest = skip_path(der ? name + 4 : name);
    if (rest && der && *rest == ',')
        for (rest++; isdigit((unsigned char)*rest); rest++)
            continue;
    return rest && (der ? !strcmp(rest, ")") : !*rest);
}

static void check_names(const Rules *r)
{
    const FmiDescription *d = r->d;
    Names *names = names_new();
    Map seen = {0}, references = {0};
    for (uint32_t i = 0; i < d->variables.n; i++) {
        const FmiVariable *v = &d->variables.at[i];
        uint64_t key = map_key(name_of(names, v->name));
        if (!*v->name)
            WRONG(r, v->node, "a variable has an empty name");
        else if (map_get(&seen, key) != MAP_NONE)
            WRONG(r, v->node, "two variables have the name '%s'", v->name);
        map_put(&seen, key, i);
        if (d->version == 3 && map_get(&references, v->reference) != MAP_NONE)
            WRONG(r, v->node, "two variables have the value reference %u", v->reference);
        map_put(&references, v->reference, i);
        if (d->structured_names && !is_structured(v->name))
            WRONG(r, v->node, "'%s' does not follow the naming convention 'structured'", v->name);
    }
    map_free(&seen);
    map_free(&references);
    names_free(names);
}

/* ---- aliases ---- */

static bool can_be_set(const FmiVariable *v)
{
    return v->start && v->variability != FMI_CONSTANT;
}

/* FMI 2: variables of one type with the same value reference are the same variable. */
static void check_alias(const Rules *r, const FmiVariable *v, const FmiVariable *other)
{
    const char *unit = v->unit ? v->unit : "", *other_unit = other->unit ? other->unit : "";
    if (can_be_set(v) && can_be_set(other))
        WRONG(r, v->node, "'%s' and '%s' have the value reference %u, and both have a start value",
              other->name, v->name, v->reference);
    if ((v->variability == FMI_CONSTANT) != (other->variability == FMI_CONSTANT))
        WRONG(r, v->node,
              "'%s' and '%s' have the value reference %u, but only one of them is constant",
              other->name, v->name, v->reference);
    if (strcmp(unit, other_unit) != 0)
        WRONG(r, v->node, "'%s' and '%s' have the value reference %u, but other units", other->name,
              v->name, v->reference);
}

static FmiType base_type(const FmiVariable *v)
{
    return v->type == FMI_ENUMERATION ? FMI_INT32 : (FmiType)v->type;
}

static void check_aliases(const Rules *r)
{
    Map seen = {0}; /* type and reference: the first variable */
    for (uint32_t i = 0; i < r->d->variables.n; i++) {
        const FmiVariable *v = &r->d->variables.at[i];
        uint64_t key = (uint64_t)base_type(v) << 32 | v->reference;
        uint32_t first = map_get(&seen, key);
        if (first == MAP_NONE)
            map_put(&seen, key, i);
        else
            check_alias(r, v, &r->d->variables.at[first]);
    }
    map_free(&seen);
}

/* ---- causality, variability, initial ---- */

/* Allowed values of `initial` as bits of FmiInitial; 0: the pair is not allowed (FMI 2.0.4, section
 * 2.2.7; FMI 3.0.2, section 2.4.7.4). */
static unsigned allowed(FmiCausality c, FmiVariability v)
{
    enum { NO = 1 << FMI_INITIAL_NONE, E = 1 << FMI_EXACT, A = 1 << FMI_APPROX };
    enum { C = 1 << FMI_CALCULATED };
    switch (c) {
    case FMI_STRUCTURAL_PARAMETER:
    case FMI_PARAMETER: return v == FMI_FIXED || v == FMI_TUNABLE ? E : 0;
    case FMI_CALCULATED_PARAMETER: return v == FMI_FIXED || v == FMI_TUNABLE ? C | A : 0;
    case FMI_INPUT: return v == FMI_DISCRETE || v == FMI_CONTINUOUS ? NO : 0;
    case FMI_OUTPUT:
        return v == FMI_CONSTANT ? E : v == FMI_DISCRETE || v == FMI_CONTINUOUS ? E | A | C : 0;
    case FMI_LOCAL:
        return v == FMI_CONSTANT ? E : v == FMI_FIXED || v == FMI_TUNABLE ? A | C : E | A | C;
    default: return v == FMI_CONTINUOUS ? NO : 0;
    }
}

static const char *initial_text(const FmiVariable *v)
{
    return v->initial ? fmi_initial_names[v->initial] : "none";
}

static void check_start(const Rules *r, const FmiVariable *v)
{
    bool needed = v->causality == FMI_INPUT || v->causality == FMI_PARAMETER ||
                  v->causality == FMI_STRUCTURAL_PARAMETER || v->variability == FMI_CONSTANT ||
                  v->initial == FMI_EXACT || v->initial == FMI_APPROX;
    bool forbidden = v->causality == FMI_INDEPENDENT || v->initial == FMI_CALCULATED;
    if (v->type == FMI_CLOCK)
        return;
    if (needed && !v->start)
        WRONG(r, v->node, "'%s' needs a start value (causality %s, initial %s)", v->name,
              fmi_causality_names[v->causality], initial_text(v));
    if (forbidden && v->start)
        WRONG(r, v->node, "'%s' must not have a start value (causality %s, initial %s)", v->name,
              fmi_causality_names[v->causality], initial_text(v));
    if (!v->start || !fmi_is_number((FmiType)v->type) || v->type == FMI_BOOLEAN)
        return;
    double start = fmi_start(v, 0);
    if (!isfinite(start))
        DOUBT(r, v->node, "the start value of '%s' is not finite", v->name);
    if (start < v->min || start > v->max)
        WRONG(r, v->node, "the start value %g of '%s' is outside its bounds", start, v->name);
}

/* Attributes that only some variables may have. */
static void check_special(const Rules *r, const FmiVariable *v)
{
    const char *many = xml_get(v->node, "canHandleMultipleSetPerTimeInstant");
    if (v->reinit && !v->is_state)
        WRONG(r, v->node, "'%s' has reinit, but is not a continuous state", v->name);
    if (many && v->causality != FMI_INPUT && (!strcmp(many, "false") || !strcmp(many, "0")))
        WRONG(r, v->node, "'%s' has canHandleMultipleSetPerTimeInstant, but is not an input",
              v->name);
}

static void check_combination(const Rules *r, const FmiVariable *v)
{
    unsigned initials = allowed((FmiCausality)v->causality, (FmiVariability)v->variability);
    if (!initials)
        WRONG(r, v->node, "'%s': causality %s does not go with variability %s", v->name,
              fmi_causality_names[v->causality], fmi_variability_names[v->variability]);
    else if (!(initials & (1u << v->initial)) && v->has_initial &&
             !(r->d->version == 3 && v->causality == FMI_INPUT && v->initial == FMI_EXACT))
        WRONG(r, v->node, "'%s': initial %s does not go with causality %s and variability %s",
              v->name, initial_text(v), fmi_causality_names[v->causality],
              fmi_variability_names[v->variability]);
    if (v->variability == FMI_CONTINUOUS && !fmi_is_float((FmiType)v->type))
        WRONG(r, v->node, "'%s' is %s and cannot be continuous; only Reals can", v->name,
              fmi_type_names[v->type]);
}

/* ---- units ---- */

static void check_unit(const Rules *r, const FmiVariable *v)
{
    const FmiUnit *unit = fmi_find_unit(r->d, v->unit);
    if (v->unit && *v->unit && !unit)
        WRONG(r, v->node, "the unit '%s' of '%s' is not defined", v->unit, v->name);
    if (!v->display_unit || !*v->display_unit)
        return;
    bool known = unit && !strcmp(unit->name, v->display_unit);
    for (uint32_t i = 0; unit && i < unit->displays.n; i++)
        known |= !strcmp(unit->displays.at[i].name, v->display_unit);
    if (!v->unit || (unit && !known))
        WRONG(r, v->node, "the display unit '%s' of '%s' is not defined for its unit",
              v->display_unit, v->name);
}

/* The unit of a derivative is that of its variable over seconds. */
static void check_derivative_unit(const Rules *r, const FmiVariable *v)
{
    if (v->derivative_of == NONE)
        return;
    const FmiVariable *x = &r->d->variables.at[v->derivative_of];
    const FmiUnit *own = fmi_find_unit(r->d, v->unit), *base = fmi_find_unit(r->d, x->unit);
    if (!own || !base || !own->has_base || !base->has_base)
        return;
    bool right = true;
    for (int i = 0; i < 8; i++)
        right &= own->exponents[i] == base->exponents[i] - (i == 2);
    if (!right)
        WRONG(r, v->node, "the unit '%s' of '%s' is not the unit '%s' of '%s' over seconds",
              v->unit, v->name, x->unit, x->name);
}

static void check_displays(const Rules *r, const FmiUnit *unit)
{
    for (uint32_t i = 0; i < unit->displays.n; i++) {
        const char *name = unit->displays.at[i].name;
        if (unit->displays.at[i].factor == 0)
            WRONG(r, unit->node, "the factor of the display unit '%s' is zero", name);
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(unit->displays.at[k].name, name))
                WRONG(r, unit->node, "the display unit '%s' of '%s' is defined twice", name,
                      unit->name);
    }
}

static void check_units(const Rules *r)
{
    for (uint32_t i = 0; i < r->d->units.n; i++)
        check_displays(r, &r->d->units.at[i]);
    for (uint32_t i = 0; i < r->d->units.n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(r->d->units.at[i].name, r->d->units.at[k].name))
                WRONG(r, r->d->units.at[i].node, "the unit '%s' is defined twice",
                      r->d->units.at[i].name);
}

/* ---- types ---- */

static void check_type(const Rules *r, const FmiVariable *v)
{
    const FmiTypeDefinition *t = fmi_find_type(r->d, v->declared_type);
    if (v->declared_type && !t)
        WRONG(r, v->node, "the type '%s' of '%s' is not defined", v->declared_type, v->name);
    else if (t && t->type != v->type)
        WRONG(r, v->node, "'%s' is %s, but its type '%s' is %s", v->name, fmi_type_names[v->type],
              t->name, fmi_type_names[t->type]);
    if (v->type == FMI_ENUMERATION && !v->declared_type)
        WRONG(r, v->node, "the enumeration '%s' has no declared type", v->name);
    if (v->min > v->max)
        WRONG(r, v->node, "the bounds of '%s' exclude every value", v->name);
    if (v->nominal == 0)
        WRONG(r, v->node, "the nominal value of '%s' is zero", v->name);
    else if (v->nominal < 0)
        DOUBT(r, v->node, "the nominal value of '%s' is negative", v->name);
}

static void check_independent(const Rules *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->d->variables.n; i++) {
        const FmiVariable *v = &r->d->variables.at[i];
        if (v->causality != FMI_INDEPENDENT)
            continue;
        if (++n == 2)
            WRONG(r, v->node, "'%s' is the second independent variable", v->name);
        if (v->type != FMI_FLOAT64)
            WRONG(r, v->node, "the independent variable '%s' is not a Real", v->name);
    }
    if (!n && r->d->version == 3)
        WRONG(r, r->d->xml.root, "there is no independent variable");
}

static void check_identifier(const Rules *r, const FmiInterface *i)
{
    if (i->identifier && !is_c_identifier(i->identifier))
        WRONG(r, i->node, "the identifier '%s' is not a name of C", i->identifier);
}

static void check_experiment(const Rules *r)
{
    const FmiDescription *d = r->d;
    if (d->stop_time < d->start_time)
        WRONG(r, d->xml.root, "the default experiment stops before it starts");
    if (d->tolerance <= 0)
        WRONG(r, d->xml.root, "the tolerance %g of the default experiment is not positive",
              d->tolerance);
    if (d->step_size <= 0)
        WRONG(r, d->xml.root, "the step size %g of the default experiment is not positive",
              d->step_size);
}

/* Later versions of FMI 3 may have other digits after the point. */
static void check_version(const Rules *r)
{
    static const char *const texts[] = {"1.0", "2.0", "3.0"};
    const char *text = r->d->version_text;
    if (r->d->version < 3 ? strcmp(text, texts[r->d->version - 1]) != 0
                          : !isdigit((unsigned char)text[1 + (text[1] == '.')]))
        WRONG(r, r->d->xml.root, "fmiVersion = \"%s\" is not a version; use %s", text,
              texts[r->d->version - 1]);
}

void check_variables(Context *ctx, const FmuFile *f)
{
    Rules r = {ctx, f->description};
    check_identifier(&r, &r.d->exchange);
    check_identifier(&r, &r.d->co_simulation);
    check_version(&r);
    check_experiment(&r);
    check_names(&r);
    check_units(&r);
    if (r.d->version == 2)
        check_aliases(&r);
    for (uint32_t i = 0; i < r.d->variables.n; i++) {
        const FmiVariable *v = &r.d->variables.at[i];
        check_type(&r, v);
        check_unit(&r, v);
        check_derivative_unit(&r, v);
        if (r.d->version == 1)
            continue;
        check_combination(&r, v);
        check_special(&r, v);
        check_start(&r, v);
    }
    if (r.d->version > 1)
        check_independent(&r);
}
