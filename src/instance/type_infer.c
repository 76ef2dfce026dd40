/* Ranges of iterators that are not written: inferred from the use of the iterator as a subscript (Modelica 3.6,
 * section 11.2.2.1). The first use counts. */
#include "instance/type_internal.h"

typedef struct Use {
    const AstRef *ref;
    uint32_t dim; /* of the reference without subscripts, from 0 */
} Use;

static bool is_iterator(const AstExpr *e, Name name)
{
    return e->kind == AST_REF && e->ref->n == 1 && !e->ref->absolute && e->ref->parts[0].name == name &&
           e->ref->parts[0].subs.n == 0;
}

static bool find_in_expr(const AstExpr *e, Name name, Use *use);

static bool find_in_ref(const AstRef *ref, Name name, Use *use)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < ref->n; i++) {
        const AstRefPart *part = &ref->parts[i];
        for (uint32_t k = 0; k < part->subs.n; k++) {
            if (is_iterator(part->subs.at[k], name)) {
                *use = (Use){ref, before + k};
                return true;
            }
            if (find_in_expr(part->subs.at[k], name, use))
                return true;
        }
        before += part->subs.n;
    }
    return false;
}

/* Depth is that of the parser; the left spine of a chain is walked without recursion. */
static bool find_in_expr(const AstExpr *e, Name name, Use *use)
{
    const AstExpr *rest = NULL;
    for (; e; e = rest) {
        rest = NULL;
        if (e->kind == AST_REF && find_in_ref(e->ref, name, use))
            return true;
        for (uint32_t i = e->args.n; i-- > 1;)
            if (e->args.at[i] && find_in_expr(e->args.at[i], name, use))
                return true;
        for (uint32_t i = 0; i < e->named.n; i++)
            if (find_in_expr(e->named.at[i].value, name, use))
                return true;
        if (e->args.n)
            rest = e->args.at[0];
    }
    return false;
}

static bool find_in_stmts(AstStmt *const *stmts, uint32_t n, Name name, Use *use)
{
    for (uint32_t i = 0; i < n; i++) {
        const AstStmt *s = stmts[i];
        if (find_in_expr(s->lhs, name, use) || find_in_expr(s->rhs, name, use))
            return true;
        for (uint32_t k = 0; k < s->branches.n; k++) {
            const AstStmtBranch *b = &s->branches.at[k];
            if (find_in_expr(b->condition, name, use) || find_in_stmts(b->body.at, b->body.n, name, use))
                return true;
        }
    }
    return false;
}

/* 1:size of the dimension that the iterator runs through. */
static ExprId range_of_use(TypeScope *s, const Use *use)
{
    Graph *g = s->g;
    AstRef plain = *use->ref;
    plain.parts = ARENA_ARRAY(s->ctx->arena, AstRefPart, plain.n);
    for (uint32_t i = 0; i < plain.n; i++)
        plain.parts[i] = (AstRefPart){.name = use->ref->parts[i].name, .span = use->ref->parts[i].span};
    ExprId array = s->resolve(s, &plain);
    if (!array || use->dim >= type_rank(g->types, expr_type(g, array)))
        return EXPR_NONE;
    ExprId one = expr_int(g, 1);
    int64_t n = type_dim(g->types, expr_type(g, array), use->dim);
    ExprId stop = expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){array, expr_int(g, (int64_t)use->dim + 1)}, 2);
    return expr_apply(g, OP_RANGE, type_array(g->types, T_INT, &n, 1), 0, (ExprId[]){one, one, stop}, 3);
}

ExprId type_inferred_range(TypeScope *s, Name iterator, const AstExpr *e)
{
    Use use;
    return find_in_expr(e, iterator, &use) ? range_of_use(s, &use) : EXPR_NONE;
}

const AstRef *type_first_use(Name iterator, const AstExpr *e, uint32_t *part, uint32_t *dim)
{
    Use use;
    if (!find_in_expr(e, iterator, &use))
        return NULL;
    *dim = use.dim;
    for (*part = 0; *dim >= use.ref->parts[*part].subs.n; ++*part)
        *dim -= use.ref->parts[*part].subs.n;
    return use.ref;
}

ExprId typing_inferred_range(TypeScope *s, Name iterator, AstStmt *const *stmts, uint32_t n)
{
    Use use;
    return find_in_stmts(stmts, n, iterator, &use) ? range_of_use(s, &use) : EXPR_NONE;
}
