/* Rules for the model structure: outputs, derivatives, initial unknowns, dependencies. */
#include "foreign/check/check.h"

typedef struct Rules {
    Context *ctx;
    const FmiDescription *d;
} Rules;

#define WRONG(r, node, ...) diag((r)->ctx, xml_span(&(r)->d->xml, (node)), DIAG_U052, __VA_ARGS__)

static bool is_clocked(const FmiVariable *v)
{
    return xml_get(v->node, "clocks");
}

static bool unknown_at_start(const FmiVariable *v)
{
    return (v->initial == FMI_APPROX || v->initial == FMI_CALCULATED) &&
           v->variability != FMI_CONSTANT;
}

/* Whether the standard lists the variable among the initial unknowns. */
static bool is_initial_unknown(const FmiVariable *v)
{
    if (v->type == FMI_CLOCK || is_clocked(v) || !unknown_at_start(v))
        return false;
    return v->causality == FMI_OUTPUT || v->causality == FMI_CALCULATED_PARAMETER || v->is_state ||
           v->is_state_derivative;
}

static bool is_output(const FmiVariable *v)
{
    return v->causality == FMI_OUTPUT;
}

/* Compares a list with the variables that belong into it. */
static void check_list(const Rules *r, const FmiUnknowns *list, const char *name,
                       bool (*belongs)(const FmiVariable *v))
{
    const FmiDescription *d = r->d;
    uint8_t *listed = memory_alloc(d->variables.n + (size_t)1);
    for (uint32_t i = 0; i < list->n; i++) {
        uint32_t k = list->at[i].variable;
        if (k == NONE)
            continue;
        const FmiVariable *v = &d->variables.at[k];
        if (listed[k]++)
            WRONG(r, list->at[i].node, "'%s' is listed twice among the %s", v->name, name);
        else if (!belongs(v))
            WRONG(r, list->at[i].node, "'%s' does not belong to the %s", v->name, name);
    }
    for (uint32_t k = 0; k < d->variables.n; k++)
        if (!listed[k] && belongs(&d->variables.at[k]))
            WRONG(r, d->variables.at[k].node, "'%s' is missing among the %s of the model structure",
                  d->variables.at[k].name, name);
    memory_free(listed);
}

static void check_derivatives(const Rules *r)
{
    const FmiDescription *d = r->d;
    for (uint32_t i = 0; i < d->derivatives.n; i++) {
        const FmiUnknown *u = &d->derivatives.at[i];
        if (u->variable == NONE)
            continue;
        const FmiVariable *v = &d->variables.at[u->variable];
        if (v->derivative_of == NONE)
            WRONG(r, u->node, "'%s' is listed as a derivative, but names no variable", v->name);
        if (!fmi_is_float((FmiType)v->type) || v->variability != FMI_CONTINUOUS)
            WRONG(r, v->node, "the derivative '%s' is not a continuous Real", v->name);
    }
}

static void check_dependencies(const Rules *r, const FmiUnknowns *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const FmiUnknown *u = &list->at[i];
        if (u->n_kinds == NONE)
            continue;
        if (!u->has_dependencies)
            WRONG(r, u->node, "dependenciesKind is given without dependencies");
        else if (u->n_kinds != u->n_dependencies)
            WRONG(r, u->node, "%u dependencies have %u kinds", u->n_dependencies, u->n_kinds);
    }
}

void check_structure(Context *ctx, const FmuFile *f)
{
    Rules r = {ctx, f->description};
    if (r.d->version == 1)
        return;
    if (!r.d->has_structure) {
        WRONG(&r, r.d->xml.root, "<ModelStructure> is missing");
        return;
    }
    check_list(&r, &r.d->outputs, "outputs", is_output);
    check_list(&r, &r.d->initial_unknowns, "initial unknowns", is_initial_unknown);
    check_derivatives(&r);
    check_dependencies(&r, &r.d->outputs);
    check_dependencies(&r, &r.d->derivatives);
    check_dependencies(&r, &r.d->initial_unknowns);
}
