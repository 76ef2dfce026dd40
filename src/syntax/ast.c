/* Tables of the tree. */
#include "syntax/ast.h"

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
