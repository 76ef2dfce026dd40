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

/* The layer of a class of ModelicaServices.Animation; NULL if the class has none. */
static Layer *visual_layer(const Instance *inst, uint32_t *kind)
{
    for (uint32_t i = 0; i < inst->cls->layers.n; i++) {
        *kind = kind_of(inst->cls->layers.at[i]);
        if (*kind != NONE)
            return inst->cls->layers.at[i];
    }
    return NULL;
}

void note_visual(Flattener *f, Instance *inst, PathId path, uint32_t first_var)
{
    uint32_t kind;
    if (path == 0 || !visual_layer(inst, &kind))
        return;
    FlatVisual v = {.path = path, .kind = (uint8_t)kind, .type = NONE};
    Instance *part;
    for (PartCursor at = {0}; (part = inst_next(inst, &at));)
        if (inst_is_leaf(part) && !strcmp(part->decl->name, "shapeType"))
            v.type = first_var + part->var;
    vec_push(&f->flat->visuals, v);
}

/* ---- surfaces ---- */

/* A name in the scope of the surface; its place is that of the surface. */
static AstExpr *name_expr(Flattener *f, const char *name, AstExprKind kind, Span span)
{
    AstExpr *e = ARENA_NEW(f->lib->arena, AstExpr);
    e->kind = kind;
    e->span = span;
    e->ref = ARENA_NEW(f->lib->arena, AstRef);
    e->ref->parts = ARENA_NEW(f->lib->arena, AstRefPart);
    e->ref->parts->name = library_name(f->lib, name);
    e->ref->parts->span = e->ref->span = span;
    e->ref->n = 1;
    return e;
}

/* surfaceCharacteristic(nu, nv, multiColoredSurface) */
static AstExpr *points_call(Flattener *f, Span span)
{
    static const char *const inputs[] = {"nu", "nv", "multiColoredSurface"};
    AstExpr *call = name_expr(f, "surfaceCharacteristic", AST_CALL, span);
    call->args.n = sizeof inputs / sizeof *inputs;
    call->args.at = ARENA_ARRAY(f->lib->arena, AstExpr *, call->args.n);
    for (uint32_t i = 0; i < call->args.n; i++)
        call->args.at[i] = name_expr(f, inputs[i], AST_REF, span);
    return call;
}

/* A surface without a function for its points is not drawn, and is no error. */
void note_surface(Flattener *f, Instance *inst)
{
    uint32_t kind;
    Layer *layer = visual_layer(inst, &kind);
    if (!layer || kind != VISUAL_SURFACE || f->lib->again)
        return;
    DiagMark mark = diag_mark(f->ctx);
    Instance *before = f->at;
    f->at = inst;
    Span span = inst->decl ? inst->decl->span : (Span){0};
    NameScope names = name_scope(f->lib, (Scope){inst, layer}, NAMES_FLAT);
    ExprId points = type_expr(&names.type, points_call(f, span));
    f->at = before;
    diag_discard(f->ctx, mark);
    if (points != EXPR_NONE && expr_op(f->g, points) == OP_CALL)
        vec_push(&f->surfaces, ((Surface){inst->comp_at, points}));
}

static void place_surfaces(Flattener *f)
{
    for (uint32_t i = 0; i < f->surfaces.n; i++)
        for (uint32_t k = 0; k < f->flat->visuals.n; k++)
            if (f->flat->visuals.at[k].path == f->comp_path[f->surfaces.at[i].comp])
                f->flat->visuals.at[k].points = f->surfaces.at[i].points;
}

/* ---- types of shapes ---- */

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
    place_surfaces(f);
}
