/* The model structure of a description: outputs, derivatives, initial unknowns, indicators. */
#include "foreign/description/description.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

/* A variable by the number that the structure uses: FMI 2 an index from 1, FMI 3 a value
 * reference. */
static uint32_t find(const FmiDescription *d, unsigned long long number)
{
    if (d->version == 3)
        return number < NONE ? map_get(&d->by_reference, number) : NONE;
    return number >= 1 && number <= d->variables.n ? (uint32_t)number - 1 : NONE;
}

static void read_dependencies(FmiDescription *d, const XmlNode *node, FmiUnknown *u, Arena *arena)
{
    const char *text = fmi_text(node, "dependencies"), *kinds = fmi_text(node, "dependenciesKind");
    VEC(uint32_t) list = {0};
    u->has_dependencies = text;
    for (char *end; text && *(text += strspn(text, " \t\r\n")); text = end) {
        errno = 0;
        unsigned long long number = strtoull(text, &end, 10);
        if (end == text || errno) {
            fmi_wrong(d, node, "dependencies = \"%s\" is not a list of numbers", text);
            break;
        }
        uint32_t v = find(d, number);
        if (v == NONE)
            fmi_wrong(d, node, "the dependency %llu does not exist", number);
        vec_push(&list, v);
    }
    u->n_dependencies = list.n;
    u->dependencies = list.n ? vec_keep(&list, arena) : NULL;
    for (; kinds && *(kinds += strspn(kinds, " \t\r\n")); kinds += strcspn(kinds, " \t\r\n"))
        u->n_kinds++;
    u->n_kinds = fmi_text(node, "dependenciesKind") ? u->n_kinds : NONE;
}

static void read_unknown(FmiDescription *d, const XmlNode *node, FmiUnknowns *to, Arena *arena)
{
    const char *name = d->version == 3 ? "valueReference" : "index";
    FmiUnknown u = {.node = node, .variable = NONE};
    uint64_t number = fmi_count(d, node, name, UINT64_MAX);
    if (number == UINT64_MAX)
        fmi_wrong(d, node, "an element of the model structure has no %s", name);
    else if ((u.variable = find(d, number)) == NONE)
        fmi_wrong(d, node, "the model structure names a variable (%llu) that does not exist",
                  (unsigned long long)number);
    read_dependencies(d, node, &u, arena);
    vec_push(to, u);
}

static void read_list(FmiDescription *d, const XmlNode *list, FmiUnknowns *to, Arena *arena)
{
    for (const XmlNode *n = xml_child(list, "Unknown"); n; n = xml_next(n, "Unknown"))
        read_unknown(d, n, to, arena);
}

static void read_flat_list(FmiDescription *d, const XmlNode *structure, Arena *arena)
{
    const struct {
        const char *name;
        FmiUnknowns *to;
    } lists[] = {{"Output", &d->outputs},
                 {"ContinuousStateDerivative", &d->derivatives},
                 {"InitialUnknown", &d->initial_unknowns},
                 {"EventIndicator", &d->indicators},
                 {"ClockedState", &d->clocked_states}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const XmlNode *n = xml_child(structure, lists[i].name); n;
             n = xml_next(n, lists[i].name))
            read_unknown(d, n, lists[i].to, arena);
}

const FmiVariable *fmi_count_states(FmiDescription *d)
{
    const FmiVariable *unlike = NULL;
    d->n_states = d->n_indicators = 0;
    for (uint32_t i = 0; i < d->derivatives.n; i++) {
        uint32_t k = d->derivatives.at[i].variable;
        if (k == NONE)
            continue;
        FmiVariable *v = &d->variables.at[k];
        v->is_state_derivative = true;
        d->n_states += v->size;
        if (v->derivative_of == NONE)
            continue;
        d->variables.at[v->derivative_of].is_state = true;
        if (d->variables.at[v->derivative_of].size != v->size)
            unlike = v;
    }
    for (uint32_t i = 0; i < d->indicators.n; i++)
        if (d->indicators.at[i].variable != NONE)
            d->n_indicators += d->variables.at[d->indicators.at[i].variable].size;
    return unlike;
}

static void count_states(FmiDescription *d)
{
    const FmiVariable *v = fmi_count_states(d);
    if (v)
        fmi_wrong(d, v->node, "'%s' and its variable '%s' have different sizes", v->name,
                  d->variables.at[v->derivative_of].name);
}

void fmi_read_structure(FmiDescription *d, Arena *arena)
{
    const XmlNode *root = d->xml.root, *s = xml_child(root, "ModelStructure");
    d->has_structure = s;
    if (d->version == 3) {
        read_flat_list(d, s, arena);
        count_states(d);
        return;
    }
    if (d->version == 1) {
        d->n_states = (uint32_t)fmi_count(d, root, "numberOfContinuousStates", 0);
    } else {
        read_list(d, xml_child(s, "Outputs"), &d->outputs, arena);
        read_list(d, xml_child(s, "Derivatives"), &d->derivatives, arena);
        read_list(d, xml_child(s, "InitialUnknowns"), &d->initial_unknowns, arena);
        count_states(d);
    }
    d->n_indicators = (uint32_t)fmi_count(d, root, "numberOfEventIndicators", 0);
}
