/* Tables of the tree, and values of annotations. */
#include "syntax/tree/ast.h"

const char *ast_op_text(AstOp op)
{
    static const char *const texts[] = {
#define X(id, text) text,
        AST_OPERATORS(X)
#undef X
    };
    return texts[op];
}

static const AstMod *argument(const AstMod *mod, const char *name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (a->name.n == 1 && !strcmp(a->name.parts[0], name))
            return a->mod;
    }
    return NULL;
}

bool ast_waives_balance(const AstClass *c)
{
    const AstMod *m = argument(argument(c->comment.annotation, "__Kairos"), "balanced");
    return m && m->value && m->value->kind == AST_BOOL && !m->value->boolean;
}

const AstExpr *annotation_value(const AstMod *mod, const char *name)
{
    const AstMod *m = annotation_part(mod, name);
    return m ? m->value : NULL;
}

const AstMod *annotation_part(const AstMod *mod, const char *name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (a->name.n == 1 && !strcmp(a->name.parts[0], name) && a->mod)
            return a->mod;
    }
    return NULL;
}

const char *class_version(const AstClass *c)
{
    const AstExpr *e = annotation_value(c->comment.annotation, "version");
    return e && e->kind == AST_STRING ? e->string : NULL;
}

void ast_free(AstFile *file)
{
    if (file)
        arena_free(file->arena);
}

const AstClass *ast_find_class(const AstFile *file, const char *name)
{
    const char *p = name;
    for (uint32_t i = 0; i < file->within.n; i++) { /* a full name begins with the packages */
        size_t n = strlen(file->within.parts[i]);
        if (!strncmp(p, file->within.parts[i], n) && p[n] == '.')
            p += n + 1;
        else
            p = name, i = file->within.n;
    }
    const AstClass *c = NULL;
    for (bool first = true; first || *p; first = false) {
        size_t n = strcspn(p, ".");
        const AstClass *next = NULL;
        uint32_t count = c ? c->elements.n : file->classes.n;
        for (uint32_t i = 0; i < count; i++) {
            const AstClass *one = c ? c->elements.at[i]->class_ : file->classes.at[i];
            if (one && strlen(one->name) == n && !strncmp(one->name, p, n))
                next = one;
        }
        if (!(c = next))
            return NULL;
        p += n + (p[n] == '.');
    }
    return c;
}
