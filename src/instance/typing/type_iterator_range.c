/* Ranges of iterators that are not written: inferred from the use of the iterator as a subscript
 * (Modelica 3.6, section 11.2.2.1). The first use counts. */
#include "instance/typing/internal.h"

typedef struct Use {
    const AstRef *ref;
    uint32_t dim;       /* of the reference without subscripts, from 0 */
    uint32_t part, sub; /* the same, as a subscript of one part */
} Use;

static bool is_iterator(const AstExpr *e, Name name)
{
    return e->kind == AST_REF && e->ref->n == 1 && !e->ref->absolute &&
           e->ref->parts[0].name == name && e->ref->parts[0].subs.n == 0;
}

static bool find_in_expr(const AstExpr *e, Name name, Use *use);

static bool find_in_ref(const AstRef *ref, Name name, Use *use)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < ref->n; i++) {
        const AstRefPart *part = &ref->parts[i];
        for (uint32_t k = 0; k < part->subs.n; k++) {
            if (is_iterator(part->subs.at[k], name)) {
                *use = (Use){ref, before + k, i, k};
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
            if (find_in_expr(b->condition, name, use) ||
                find_in_stmts(b->body.at, b->body.n, name, use))
                return true;
        }
    }
    return false;
}

/* All values of an enumeration or of Boolean. */
static ExprId all_values(TypeScope *s, TypeId type)
{
    IdList items;
    ids_init(&items);
    uint32_t n = type == T_BOOL ? 2 : type_get(s->g->types, type)->n;
    for (uint32_t i = 0; i < n; i++)
        ids_push(&items, type == T_BOOL ? expr_bool(s->g, i) : expr_enum(s->g, type, i + 1));
    int64_t size = n;
    ExprId e = expr_make(s->g, OP_ARRAY, type_array(s->g->types, type, &size, 1), 0, items.at, n);
    ids_free(&items);
    return e;
}

/* The values of the type by which the dimension that the iterator runs through is declared, or
 * 1:size of it. */
static ExprId range_of_use(TypeScope *s, const Use *use)
{
    Graph *g = s->g;
    TypeId index = s->index_type ? s->index_type(s, use->ref, use->part, use->sub) : T_NONE;
    if (index != T_NONE)
        return all_values(s, index);
    AstRef plain = *use->ref;
    plain.parts = ARENA_ARRAY(s->ctx->arena, AstRefPart, plain.n);
    for (uint32_t i = 0; i < plain.n; i++)
        plain.parts[i] =
            (AstRefPart){.name = use->ref->parts[i].name, .span = use->ref->parts[i].span};
    ExprId array = s->resolve(s, &plain);
    if (!array || use->dim >= type_rank(g->types, expr_type(g, array)))
        return EXPR_NONE;
    ExprId one = expr_int(g, 1);
    int64_t n = type_dim(g->types, expr_type(g, array), use->dim);
    ExprId stop =
        expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){array, expr_int(g, (int64_t)use->dim + 1)}, 2);
    return expr_apply(g, OP_RANGE, type_array(g->types, T_INT, &n, 1), 0,
                      (ExprId[]){one, one, stop}, 3);
}

ExprId type_inferred_range(TypeScope *s, Name iterator, const AstExpr *e)
{
    Use use;
    return find_in_expr(e, iterator, &use) ? range_of_use(s, &use) : EXPR_NONE;
}

/* Tells a use in a part of the statements whose size is not that of the first one. */
static bool check_use(TypeScope *s, const AstExpr *e, Name iterator, int64_t size)
{
    Use use;
    if (!e || !find_in_expr(e, iterator, &use))
        return true;
    ExprId range = range_of_use(s, &use);
    int64_t n = range ? type_count(s->g->types, expr_type(s->g, range)) : DIM_UNKNOWN;
    if (n == size || n == DIM_UNKNOWN || size == DIM_UNKNOWN)
        return true;
    TELL(s, use.ref->span, I119, "iterator %s has %lld values by its first use, but %lld here",
         iterator, (long long)size, (long long)n);
    diag_note(s->ctx, (Span){0},
              "all uses as a subscript must agree (Modelica 3.6, section 11.2.2.1)");
    return false;
}

static bool check_uses(TypeScope *s, AstStmt *const *stmts, uint32_t n, Name iterator, int64_t size)
{
    bool ok = true;
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = check_use(s, stmts[i]->lhs, iterator, size) &&
             check_use(s, stmts[i]->rhs, iterator, size);
        for (uint32_t k = 0; k < stmts[i]->branches.n && ok; k++)
            ok = check_uses(s, stmts[i]->branches.at[k].body.at, stmts[i]->branches.at[k].body.n,
                            iterator, size);
    }
    return ok;
}

ExprId typing_inferred_range(TypeScope *s, Name iterator, AstStmt *const *stmts, uint32_t n)
{
    Use use;
    ExprId range = find_in_stmts(stmts, n, iterator, &use) ? range_of_use(s, &use) : EXPR_NONE;
    int64_t size = range ? type_count(s->g->types, expr_type(s->g, range)) : DIM_UNKNOWN;
    return range && check_uses(s, stmts, n, iterator, size) ? range : EXPR_NONE;
}
