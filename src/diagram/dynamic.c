/* The second part of DynamicSelect: references to variables become literals with their values at a
 * time of a run, and the expression is evaluated like any other. */
#include "diagram/annotation.h"

#include <stdlib.h>

/* "tank.level" of the reference `level` in the icon of `tank`; NULL if its name is not plain. */
static const char *full_name(Record r, const AstRef *ref, Arena *arena)
{
    const char *name = "";
    for (uint32_t i = 0; i < ref->n; i++) {
        const AstRefPart *part = &ref->parts[i];
        name = arena_printf(arena, "%s%s%s", name, i ? "." : "", part->name);
        for (uint32_t k = 0; k < part->subs.n; k++) {
            if (part->subs.at[k]->kind != AST_INT)
                return NULL;
            name = arena_printf(arena, "%s%s%lld%s", name, k ? "," : "[",
                                (long long)part->subs.at[k]->integer,
                                k + 1 == part->subs.n ? "]" : "");
        }
    }
    for (const Instance *i = r.scope.inst; i && i->parent; i = i->parent) {
        if (i->rank || !i->decl)
            return NULL;
        name = arena_printf(arena, "%s.%s", i->decl->name, name);
    }
    return name;
}

static const char *value_of(DynamicValues *d, const char *name)
{
    bool known = false;
    for (uint32_t i = 0; i < d->seen.n && !known; i++)
        known = !strcmp(d->seen.at[i], name);
    if (!known)
        vec_push(&d->seen, name);
    for (uint32_t i = 0; i < d->n; i++)
        if (!strcmp(d->names[i], name))
            return d->values[i];
    return NULL;
}

static AstExpr *literal(DynamicValues *d, const AstExpr *e, const char *text)
{
    AstExpr *x = ARENA_NEW(d->arena, AstExpr);
    bool whole = text[strspn(text, "-0123456789")] == 0;
    *x = (AstExpr){.span = e->span};
    if (!strcmp(text, "true") || !strcmp(text, "false")) {
        x->kind = AST_BOOL;
        x->boolean = text[0] == 't';
        return x;
    }
    double value = strtod(text, NULL);
    x->kind = whole ? AST_INT : AST_REAL;
    x->real = value < 0 ? -value : value;
    x->integer = whole ? llabs(strtoll(text, NULL, 10)) : 0;
    x->text = text;
    if (!(value < 0))
        return x;
    AstExpr *minus = ARENA_NEW(d->arena, AstExpr);
    *minus = (AstExpr){.kind = AST_UNARY, .op = AST_OP_SUB, .span = e->span};
    minus->args.at = ARENA_ARRAY(d->arena, AstExpr *, 1);
    minus->args.at[0] = x;
    minus->args.n = 1;
    return minus;
}

/* A copy with values in place of variables; *found: there was one. */
static AstExpr *with_values(Record r, const AstExpr *e, bool *found, unsigned depth)
{
    DynamicValues *d = r.dynamic;
    AstExpr *copy = ARENA_NEW(d->arena, AstExpr);
    *copy = *e;
    if (e->kind == AST_REF) {
        const char *name = full_name(r, e->ref, d->arena);
        const char *text = name ? value_of(d, name) : NULL;
        *found |= text != NULL;
        return text ? literal(d, e, text) : copy;
    }
    if (e->iters.n || depth > 200)
        return copy;
    if (e->args.n)
        copy->args.at = ARENA_ARRAY(d->arena, AstExpr *, e->args.n);
    for (uint32_t i = 0; i < e->args.n; i++)
        copy->args.at[i] = e->args.at[i] ? with_values(r, e->args.at[i], found, depth + 1) : NULL;
    if (e->named.n)
        copy->named.at = ARENA_ARRAY(d->arena, AstNamedArg, e->named.n);
    for (uint32_t i = 0; i < e->named.n; i++) {
        copy->named.at[i] = e->named.at[i];
        if (e->named.at[i].value)
            copy->named.at[i].value = with_values(r, e->named.at[i].value, found, depth + 1);
    }
    return copy;
}

/* A choice between words such as FillPattern.Solid, which no class declares. */
static bool is_word_choice(const AstExpr *e)
{
    return e->kind == AST_IF && e->args.n > 1 && e->args.at[1]->kind == AST_REF;
}

const AstExpr *dynamic_part(Record r, const AstExpr *e)
{
    bool found = false;
    Value v;
    AstExpr *with = with_values(r, e, &found, 0);
    if (!found)
        return NULL;
    bool ok = is_word_choice(with) ||
              inst_evaluate_ast(r.lib, r.scope, with, T_NONE, "annotation", true, &v) == EVAL_OK;
    return ok ? with : NULL;
}
