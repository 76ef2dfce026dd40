/* Ranges of iterators that are not written: inferred from the use of the iterator as a subscript
 * (Modelica 3.6, section 11.2.2.1). The first use counts. */
#include "instance/typing/internal.h"

#include "syntax/tree/ast_walk.h"

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

typedef struct Finder {
    Name name;
    Use *use;
} Finder;

static Walk find_use(void *user, const AstExpr *e);

static bool find_in_ref(const Finder *f, const AstRef *ref)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < ref->n; i++) {
        const AstRefPart *part = &ref->parts[i];
        for (uint32_t k = 0; k < part->subs.n; k++) {
            if (is_iterator(part->subs.at[k], f->name)) {
                *f->use = (Use){ref, before + k, i, k};
                return true;
            }
            if (!ast_walk_expr(part->subs.at[k], find_use, (void *)(uintptr_t)f))
                return true;
        }
        before += part->subs.n;
    }
    return false;
}

static Walk find_use(void *user, const AstExpr *e)
{
    if (e->kind != AST_REF)
        return WALK_ON;
    return find_in_ref(user, e->ref) ? WALK_END : WALK_PAST;
}

static bool find_in_expr(const AstExpr *e, Name name, Use *use)
{
    return !ast_walk_expr(e, find_use, &(Finder){name, use});
}

static Walk find_in_side(void *user, const AstExpr *e)
{
    return ast_walk_expr(e, find_use, user) ? WALK_ON : WALK_END;
}

static bool find_in_stmts(AstStmt *const *stmts, uint32_t n, Name name, Use *use)
{
    return !ast_walk_statements(stmts, n, &(AstVisitor){.expression = find_in_side},
                                &(Finder){name, use});
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

/* The values of the type that declares the iterator's dimension, or 1:size of it. */
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

/* Reports a use in a part of the statements whose size is not that of the first one. */
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

typedef struct UseCheck {
    TypeScope *s;
    Name iterator;
    int64_t size; /* by its first use */
} UseCheck;

static Walk check_statement(void *user, const AstStmt *stmt)
{
    const UseCheck *c = user;
    return check_use(c->s, stmt->lhs, c->iterator, c->size) &&
                   check_use(c->s, stmt->rhs, c->iterator, c->size)
               ? WALK_ON
               : WALK_END;
}

static bool check_uses(TypeScope *s, AstStmt *const *stmts, uint32_t n, Name iterator, int64_t size)
{
    return ast_walk_statements(stmts, n, &(AstVisitor){.statement = check_statement},
                               &(UseCheck){s, iterator, size});
}

ExprId typing_inferred_range(TypeScope *s, Name iterator, AstStmt *const *stmts, uint32_t n)
{
    Use use;
    ExprId range = find_in_stmts(stmts, n, iterator, &use) ? range_of_use(s, &use) : EXPR_NONE;
    int64_t size = range ? type_count(s->g->types, expr_type(s->g, range)) : DIM_UNKNOWN;
    return range && check_uses(s, stmts, n, iterator, size) ? range : EXPR_NONE;
}
