/* A model put together from parts that were compiled one by one: each function of the whole calls
 * that of every part in order. */
#include "runtime/internal.h"

static const ModelParts *parts_of(ModelData *m)
{
    return (const ModelParts *)runtime_of(m)->code;
}

/* Calls one function of all parts; offsetof names it. */
static int call_all(ModelData *m, size_t function)
{
    const ModelParts *w = parts_of(m);
    int status = 0;
    for (uint32_t i = 0; i < w->n && status == 0; i++) {
        int (*const *f)(ModelData *) = (const void *)((const char *)w->parts[i].code + function);
        m->first_block = w->parts[i].first_block;
        status = (*f)(m);
    }
    m->first_block = 0;
    return status;
}

static int derivatives(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, derivatives));
}

static int outputs(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, outputs));
}

static int constants(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, constants));
}

static int event(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, event));
}

static int guards(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, guards));
}

static int tangent(ModelData *m)
{
    return call_all(m, offsetof(ModelCode, tangent));
}

/* The same for variations. */
static int vary_all(ModelData *m, size_t function)
{
    const ModelParts *w = parts_of(m);
    int status = 0;
    for (uint32_t i = 0; i < w->n && status == 0; i++) {
        const ModelVariations *of = w->parts[i].code->variations;
        int (*const *f)(ModelData *) = (const void *)((const char *)of + function);
        m->first_block = w->parts[i].first_block;
        status = (*f)(m);
    }
    m->first_block = 0;
    return status;
}

static int vary_derivatives(ModelData *m)
{
    return vary_all(m, offsetof(ModelVariations, derivatives));
}

static int vary_outputs(ModelData *m)
{
    return vary_all(m, offsetof(ModelVariations, outputs));
}

static int vary_constants(ModelData *m)
{
    return vary_all(m, offsetof(ModelVariations, constants));
}

static int vary_event(ModelData *m)
{
    return vary_all(m, offsetof(ModelVariations, event));
}

static int vary_guards(ModelData *m)
{
    return vary_all(m, offsetof(ModelVariations, guards));
}

static void assemble_variations(ModelParts *to, const ModelCode *first)
{
    to->variations = *first->variations;
    to->variations.initial = NULL;
    to->variations.derivatives = vary_derivatives;
    to->variations.outputs = vary_outputs;
    to->variations.constants = vary_constants;
    to->variations.event = vary_event;
    to->variations.guards = vary_guards;
    to->code.variations = &to->variations;
}

void model_assemble(ModelParts *to, ModelPart *parts, uint32_t n, uint32_t n_vars,
                    ModelBlockCode *blocks, const char **strings)
{
    uint32_t n_blocks = 0, n_strings = 0;
    for (uint32_t i = 0; i < n; i++) {
        const ModelCode *c = parts[i].code;
        parts[i].first_block = (int32_t)n_blocks;
        for (uint32_t k = 0; k < c->n_blocks; k++) {
            blocks[n_blocks++] = c->blocks[k];
        }
        for (uint32_t k = 0; k < c->n_strings; k++) {
            strings[n_strings++] = c->strings[k];
        }
    }
    const ModelCode *first = parts[0].code;
    *to = (ModelParts){.code = *first, .parts = parts, .n = n};
    to->code.initial = NULL;
    to->code.derivatives = derivatives;
    to->code.outputs = outputs;
    to->code.constants = constants;
    to->code.event = event;
    to->code.guards = guards;
    to->code.tangent = tangent;
    to->code.crossings = NULL; /* a part does not know which relations of the whole need it */
    to->code.blocks = blocks;
    to->code.n_blocks = n_blocks;
    to->code.n_vars = n_vars;
    to->code.strings = strings;
    to->code.n_strings = n_strings;
    if (first->variations != NULL) {
        assemble_variations(to, first);
    }
}
