/* Annotations of functions: derivative, inverse, Inline, LateInline, smoothOrder, GenerateEvents
 * (sections 12.7, 12.8, 18.3). */
#include "instance/tree/tree.h"

#include <stdlib.h>

static Function *annotated_function(Library *lib, Instance *fn, Layer *layer, const AstExpr *e)
{
    if (!e || (e->kind != AST_REF && e->kind != AST_CALL))
        return NULL;
    NameScope names = name_scope(lib, (Scope){fn, layer}, NAMES_STRUCTURAL);
    return resolve_callee(&names.type, e->ref).function;
}

static uint32_t input_named(const Function *f, Name name)
{
    uint32_t i = 0;
    while (i < f->n_in && f->vars[i].name != name)
        i++;
    return i;
}

static bool is_argument(const AstArg *a, const char *name)
{
    return a->name.n == 1 && !strcmp(a->name.parts[0], name) && a->mod;
}

/* ---- derivative and inverse ---- */

static bool restrict_input(Library *lib, const AstArg *a, FnDerivativeInput how, Function *f,
                           FnDerivative *d)
{
    const AstExpr *e = a->mod->value;
    uint32_t i =
        e && e->kind == AST_REF && e->ref->n == 1 ? input_named(f, e->ref->parts[0].name) : f->n_in;
    if (i == f->n_in) {
        diag(lib->ctx, a->span, DIAG_I020,
             "'%s' in the derivative annotation must name an input of '%s'", a->name.parts[0],
             f->name);
        return false;
    }
    d->inputs[i] = (uint8_t)how;
    return true;
}

/* derivative(order = n, noDerivative = x, zeroDerivative = y) = g */
static void type_derivative(Library *lib, Instance *fn, Layer *layer, const AstArg *arg,
                            Function *f, FnDerivative *d)
{
    *d = (FnDerivative){.order = 1, .inputs = ARENA_ARRAY(lib->g->arena, uint8_t, f->n_in + 1)};
    for (uint32_t i = 0; i < arg->mod->args.n; i++) {
        const AstArg *a = &arg->mod->args.at[i];
        bool ok = true;
        if (is_argument(a, "order") && a->mod->value && a->mod->value->kind == AST_INT)
            d->order = (uint32_t)a->mod->value->integer;
        else if (is_argument(a, "noDerivative"))
            ok = restrict_input(lib, a, FN_NOT, f, d);
        else if (is_argument(a, "zeroDerivative"))
            ok = restrict_input(lib, a, FN_ZERO, f, d);
        if (!ok)
            return;
    }
    d->function = annotated_function(lib, fn, layer, arg->mod->value);
}

/* inverse(x = g(y, …)) */
static void type_inverse(Library *lib, Instance *fn, Layer *layer, const AstArg *arg, Function *f)
{
    for (uint32_t i = 0; i < arg->mod->args.n && !f->inverse; i++) {
        const AstArg *a = &arg->mod->args.at[i];
        uint32_t k = a->name.n == 1 && a->mod ? input_named(f, a->name.parts[0]) : f->n_in;
        if (k == f->n_in)
            continue;
        f->inverse = annotated_function(lib, fn, layer, a->mod->value);
        f->inverse_input = k;
    }
}

/* ---- rows ---- */

static bool read_rows(const char *text, FnRows *rows, Arena *arena)
{
    uint32_t n = 1, items = 1;
    for (const char *c = text; *c; c++) {
        n += *c == ';';
        items += *c == ';' || *c == ' ';
    }
    rows->start = ARENA_ARRAY(arena, uint32_t, n + (size_t)1);
    rows->items = ARENA_ARRAY(arena, uint32_t, items + (size_t)1);
    uint32_t at = 0;
    for (const char *c = text;; c++) {
        char *end = (char *)(uintptr_t)c;
        unsigned long number = *c == '*' ? 0 : strtoul(c, &end, 10);
        if (*c == '*')
            rows->items[at++] = NONE, c++;
        else if (end > c)
            rows->items[at++] = (uint32_t)number - 1, c = end;
        if (*c == ' ')
            continue;
        rows->start[++rows->n] = at;
        if (*c != ';')
            return !*c;
    }
}

/* __Kairos_rows(x = "…"); other texts say nothing. */
static void type_rows(Library *lib, const AstArg *arg, Function *f)
{
    const AstArg *a = arg->mod->args.n == 1 ? &arg->mod->args.at[0] : NULL;
    const AstExpr *e = a && a->mod ? a->mod->value : NULL;
    FnRows rows = {.input = e && a->name.n == 1 ? input_named(f, a->name.parts[0]) : f->n_in};
    if (rows.input == f->n_in || e->kind != AST_STRING || f->n_out != 1 ||
        !read_rows(e->string, &rows, lib->g->arena))
        return;
    f->rows = ARENA_NEW(lib->g->arena, FnRows);
    *f->rows = rows;
}

/* ---- flags ---- */

static bool is_true(const AstArg *a, const char *name)
{
    return is_argument(a, name) && a->mod->value && a->mod->value->kind == AST_BOOL &&
           a->mod->value->boolean;
}

static void read_flags(const AstArg *a, Function *f)
{
    const AstExpr *e = a->mod ? a->mod->value : NULL;
    if (!e)
        return;
    if (is_true(a, "LateInline") || is_true(a, "InlineAfterIndexReduction"))
        f->inlining = FN_INLINE_LATE;
    else if (is_argument(a, "Inline") && e->kind == AST_BOOL && f->inlining != FN_INLINE_LATE)
        f->inlining = e->boolean ? FN_INLINE : FN_INLINE_NEVER;
    else if (is_true(a, "GenerateEvents"))
        f->generate_events = true;
    else if (is_argument(a, "smoothOrder") && e->kind == AST_INT && f->smooth_order < 0)
        f->smooth_order = (int32_t)e->integer;
}

static uint32_t count_derivatives(const Class *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->layers.n; i++) {
        const AstMod *annotation =
            c->layers.at[i]->ast ? c->layers.at[i]->ast->comment.annotation : NULL;
        for (uint32_t k = 0; annotation && k < annotation->args.n; k++)
            n += is_argument(&annotation->args.at[k], "derivative");
    }
    return n;
}

/* Those of the class itself come before those of its bases. */
void type_annotations(Library *lib, Instance *fn, Function *f)
{
    const Class *c = fn->cls;
    f->smooth_order = -1;
    f->derivatives = ARENA_ARRAY(lib->g->arena, FnDerivative, count_derivatives(c) + 1);
    for (uint32_t i = 0; i < c->layers.n; i++) {
        Layer *layer = c->layers.at[i];
        const AstMod *annotation = layer->ast ? layer->ast->comment.annotation : NULL;
        for (uint32_t k = 0; annotation && k < annotation->args.n; k++) {
            const AstArg *a = &annotation->args.at[k];
            if (is_argument(a, "derivative") && a->mod->value) {
                FnDerivative *d = &f->derivatives[f->n_derivatives];
                type_derivative(lib, fn, layer, a, f, d);
                f->n_derivatives += d->function != NULL;
            } else if (is_argument(a, "__Kairos_rows")) {
                type_rows(lib, a, f);
            } else if (is_argument(a, "inverse")) {
                type_inverse(lib, fn, layer, a, f);
            } else {
                read_flags(a, f);
            }
        }
    }
}
