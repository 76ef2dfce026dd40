/* Arguments of operations: names, points, components; refusals. */
#include "edit/class_edit.h"

#include "service/cursor.h"

#include <stdarg.h>

bool refuse(ClassEdit *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!e->refusal)
        e->refusal = arena_vprintf(e->arena, format, args);
    va_end(args);
    return false;
}

/* ---- arguments ---- */

const char *text_arg(const cJSON *op, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(op, name));
}

bool point_arg(const cJSON *op, const char *name, Point *out)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(op, name);
    const cJSON *x = cJSON_GetArrayItem(list, 0), *y = cJSON_GetArrayItem(list, 1);
    if (!cJSON_IsNumber(x) || !cJSON_IsNumber(y) || !(x->valuedouble > -1e6) ||
        !(x->valuedouble < 1e6) || !(y->valuedouble > -1e6) || !(y->valuedouble < 1e6))
        return false;
    *out = (Point){x->valuedouble, y->valuedouble};
    return true;
}

LayerKind layer_arg(const cJSON *op)
{
    const char *layer = text_arg(op, "layer");
    return layer && !strcmp(layer, "icon") ? LAYER_ICON : LAYER_DIAGRAM;
}

static const Element *find_element(const ClassEdit *e, const char *name)
{
    uint32_t index = class_find(e->inst->cls, library_name(e->lib, name));
    return index == MAP_NONE ? NULL : &e->inst->cls->elements.at[index];
}

Instance *component_instance(ClassEdit *e, const char *name)
{
    uint32_t index = class_find(e->inst->cls, library_name(e->lib, name));
    if (index == MAP_NONE || e->inst->cls->elements.at[index].kind != ELEMENT_COMPONENT)
        return NULL;
    return inst_component(e->lib, e->inst, index);
}

const AstElement *own_component(ClassEdit *e, const char *name)
{
    const Element *have = name ? find_element(e, name) : NULL;
    for (uint32_t i = 0; name && i < e->ast->elements.n; i++) {
        const AstElement *one = e->ast->elements.at[i];
        if (one->kind == AST_EL_COMPONENT && !strcmp(one->name, name))
            return one;
    }
    if (have && have->layer->ast)
        refuse(e, "'%s' is inherited from '%s'; edit it there", name, have->layer->ast->name);
    else
        refuse(e, "the class has no component '%.200s'", name ? name : "");
    return NULL;
}

const char **component_args(ClassEdit *e, const cJSON *op, uint32_t *n)
{
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(op, "components"), *one;
    const char *single = text_arg(op, "component");
    const char **names = ARENA_ARRAY(e->arena, const char *, (size_t)cJSON_GetArraySize(list) + 1);
    *n = 0;
    cJSON_ArrayForEach(one, list)
    {
        names[*n] = cJSON_GetStringValue(one);
        if (!own_component(e, names[(*n)++]))
            return NULL;
    }
    if (single && own_component(e, single))
        names[(*n)++] = single;
    if (!*n)
        refuse(e, "name the components");
    return e->refusal ? NULL : names;
}

static bool is_taken(const ClassEdit *e, const char *name)
{
    for (uint32_t i = 0; i < e->names.n; i++)
        if (!strcmp(e->names.at[i], name))
            return true;
    for (size_t i = 0; service_keywords[i]; i++)
        if (!strcmp(service_keywords[i], name))
            return true;
    return find_element(e, name) || !strcmp(name, e->ast->name);
}

const char *free_name(ClassEdit *e, const char *wanted)
{
    size_t n = strlen(wanted);
    if (!is_taken(e, wanted))
        return wanted;
    while (n > 1 && wanted[n - 1] >= '0' && wanted[n - 1] <= '9')
        n--;
    for (unsigned k = 1;; k++) {
        const char *name = arena_printf(e->arena, "%.*s%u", (int)n, wanted, k);
        if (!is_taken(e, name))
            return name;
    }
}

uint32_t name_end(const ClassEdit *e, const AstElement *of)
{
    Span name = declared_name_span(e->lib, of);
    uint32_t at = skip_space(e, name.end);
    return of->dims.n && e->text[at] == '[' ? bracket_end(e, at) : name.end;
}
