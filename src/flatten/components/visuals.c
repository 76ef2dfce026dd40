/* Components that a model declares for its animation: those whose class is or extends a class of
 * ModelicaServices.Animation. */
#include "flatten/components/components.h"

#include <math.h>

enum { MAX_DEPTH = 100 }; /* of parameters that depend on others */

/* The classes, in the order of FlatVisualKind. */
static const char *const kinds[] = {"Shape", "Vector", "Surface"};

static bool is_called(const Layer *layer, const char *name)
{
    return layer && layer->ast && layer->ast->name && !strcmp(layer->ast->name, name);
}

/* NONE if the text of the layer is another class. */
static uint32_t kind_of(const Layer *layer)
{
    const Layer *package = layer->scope.layer;
    if (!is_called(package, "Animation") || !is_called(package->scope.layer, "ModelicaServices"))
        return NONE;
    for (uint32_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_called(layer, kinds[i]))
            return i;
    return NONE;
}

void note_visual(Flattener *f, Instance *inst, PathId path, uint32_t first_var)
{
    uint32_t kind = NONE;
    for (uint32_t i = 0; kind == NONE && i < inst->cls->layers.n; i++)
        kind = kind_of(inst->cls->layers.at[i]);
    if (kind == NONE || path == 0)
        return;
    FlatVisual v = {.path = path, .kind = (uint8_t)kind, .type = NONE};
    Instance *part;
    for (PartCursor at = {0}; (part = inst_next(inst, &at));)
        if (inst_is_leaf(part) && !strcmp(part->decl->name, "shapeType"))
            v.type = first_var + part->var;
    vec_push(&f->flat->visuals, v);
}

/* The value of a parameter by its binding and those of others. */
typedef struct Bound {
    const Flat *flat;
    Arena *arena;
    unsigned depth;
} Bound;

static EvalStatus bound_value(void *user, uint32_t var, Value *out)
{
    Bound *b = user;
    const FlatVar *v = &b->flat->vars.at[var];
    if (v->variability > VARIES_PARAMETER || v->binding == EXPR_NONE || b->depth > MAX_DEPTH)
        return EVAL_UNKNOWN;
    EvalEnv env = {.g = b->flat->g,
                   .arena = b->arena,
                   .var = bound_value,
                   .user = b,
                   .time = NAN,
                   .span = v->span,
                   .silent = true};
    b->depth++;
    EvalStatus status = eval_expr(&env, v->binding, out);
    b->depth--;
    return status;
}

void name_visuals(Flattener *f)
{
    Bound b = {f->flat, arena_new(), 0};
    for (uint32_t i = 0; i < f->flat->visuals.n; i++) {
        FlatVisual *v = &f->flat->visuals.at[i];
        Value value;
        arena_reset(b.arena);
        if (v->type != NONE && bound_value(&b, v->type, &value) == EVAL_OK &&
            type_get(f->g->types, value.type)->kind == TYPE_STRING)
            v->shape = library_name(f->lib, value.str);
    }
    arena_free(b.arena);
}
