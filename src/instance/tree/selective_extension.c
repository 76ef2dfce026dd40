/* Selective model extension: the components and connections that an extends clause leaves out
 * ("break"). Section 7.4 of the specification. */
#include "instance/tree/tree.h"
#include "syntax/tree/ast_walk.h"

static bool same_expression(const AstExpr *a, const AstExpr *b, Arena *arena)
{
    return !strcmp(ast_print_expr(a, arena), ast_print_expr(b, arena));
}

static bool same_connect(Library *lib, const AstEq *a, const AstEq *b)
{
    return (same_expression(a->lhs, b->lhs, lib->arena) &&
            same_expression(a->rhs, b->rhs, lib->arena)) ||
           (same_expression(a->lhs, b->rhs, lib->arena) &&
            same_expression(a->rhs, b->lhs, lib->arena));
}

static bool leads_into(const AstExpr *e, Name component)
{
    return e->kind == AST_REF && !e->ref->absolute && e->ref->parts[0].name == component;
}

bool deselects_component(const AstMod *mod, Name name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (a->is_break && !a->broken_connect && a->name.parts[0] == name)
            return true;
    }
    return false;
}

static bool matches(Library *lib, const AstArg *a, const AstEq *eq)
{
    if (!a->is_break)
        return false;
    if (a->broken_connect)
        return same_connect(lib, a->broken_connect, eq);
    return leads_into(eq->lhs, a->name.parts[0]) || leads_into(eq->rhs, a->name.parts[0]);
}

bool deselects_connect(Library *lib, const Layer *layer, const AstEq *eq)
{
    for (; layer && layer->parent; layer = layer->parent)
        for (uint32_t i = 0; layer->mod && i < layer->mod->args.n; i++)
            if (matches(lib, &layer->mod->args.at[i], eq))
                return true;
    return false;
}

typedef struct ConnectFinder {
    Library *lib;
    const AstEq *wanted;
} ConnectFinder;

static Walk find_connect(void *user, const AstEq *eq)
{
    const ConnectFinder *f = user;
    bool found = eq->kind == AST_EQ_CONNECT && same_connect(f->lib, f->wanted, eq);
    return found ? WALK_END : WALK_ON;
}

static bool has_connect(Library *lib, const AstArg *a, const AstEqSection *section)
{
    return !ast_walk_equations(section->eqs.at, section->eqs.n,
                               &(AstVisitor){.equation = find_connect},
                               &(ConnectFinder){lib, a->broken_connect});
}

static bool is_there(Library *lib, const AstArg *a, const Class *base)
{
    if (!a->broken_connect) {
        uint32_t index = class_find(base, a->name.parts[0]);
        return index != MAP_NONE && base->elements.at[index].kind == ELEMENT_COMPONENT;
    }
    for (uint32_t i = 0; i < base->layers.n; i++) {
        const AstClass *ast = base->layers.at[i]->ast;
        for (uint32_t k = 0; ast && k < ast->equations.n; k++)
            if (has_connect(lib, a, &ast->equations.at[k]))
                return true;
    }
    return false;
}

void deselect_check(Library *lib, const Class *base, const AstMod *mod)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        if (!a->is_break || is_there(lib, a, base) || !check_once(lib, a, base->ast))
            continue;
        diag(lib->ctx, a->span, DIAG_I005, "'%s' has no such %s to remove", base->name,
             a->broken_connect ? "connection" : "component");
        report_rule(lib, "7.4", "a deselection matches at least one element of the base class");
    }
}
