/* Analysis of a group of expressions: which nodes there are, in which regions each is computed,
 * which of them are constants and which become temporaries. See emit.h. */
#include "codegen/emit.h"
#include "expr/walk.h"

#include <stdlib.h>

enum {
    MAX_DEPTH = 30,
    MAX_SIZE = 120,
    MAX_REGION_DEPTH = 400,
    MAX_PLACES = 16,
    MAX_FAILING_PLACES = 2000
};

EmitNode *emit_node(Codegen *cg, ExprId e)
{
    uint32_t i = e < cg->index.n ? cg->index.at[e] : 0;
    return i < cg->nodes.n && cg->nodes.at[i].e == e ? &cg->nodes.at[i] : NULL;
}

/* ---- nodes ---- */

static int compare_ids(const void *a, const void *b)
{
    ExprId x = ((const EmitNode *)a)->e, y = ((const EmitNode *)b)->e;
    return (x > y) - (x < y);
}

static Walk add_node(void *user, ExprId e)
{
    Codegen *cg = user;
    if (emit_node(cg, e) != NULL) {
        return WALK_PAST;
    }
    while (cg->index.n <= e) {
        vec_push(&cg->index, 0);
    }
    cg->index.at[e] = cg->nodes.n;
    EmitNode x = {.e = e, .first = EMIT_NONE};
    x.row = emit_find_row(cg, e, &x.slot);
    vec_push(&cg->nodes, x);
    return x.row || emit_is_table(cg, e) ? WALK_PAST : WALK_ON;
}

/* All nodes below the roots, in ascending order: arguments come first. */
static void collect(Codegen *cg, const ExprId *roots, uint32_t n)
{
    vec_clear(&cg->nodes);
    for (uint32_t i = 0; i < n; i++) {
        expr_walk_down(cg->g, roots[i], add_node, cg);
    }
    if (cg->nodes.n > 1) {
        qsort(cg->nodes.at, cg->nodes.n, sizeof *cg->nodes.at, compare_ids);
    }
    for (uint32_t i = 0; i < cg->nodes.n; i++) {
        cg->index.at[cg->nodes.at[i].e] = i;
    }
}

/* ---- places ---- */

static bool is_within(const Codegen *cg, uint32_t region, uint32_t outer)
{
    while (cg->regions.at[region].depth > cg->regions.at[outer].depth) {
        region = cg->regions.at[region].parent;
    }
    return region == outer;
}

static uint32_t common_region(const Codegen *cg, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (cg->regions.at[a].depth < cg->regions.at[b].depth) {
            b = cg->regions.at[b].parent;
        } else {
            a = cg->regions.at[a].parent;
        }
    }
    return a;
}

static uint32_t new_region(Codegen *cg, uint32_t parent, uint32_t owner)
{
    uint32_t depth = cg->regions.at[parent].depth + 1;
    if (depth > MAX_REGION_DEPTH) {
        emit_reject(cg, "an expression with so deeply nested branches");
    }
    vec_push(&cg->regions, ((EmitRegion){parent, depth, owner, EMIT_NONE, EMIT_NONE}));
    return cg->regions.n - 1;
}

/* Removes the places of the node within the region from its list; returns their uses. */
static uint32_t take_within(Codegen *cg, EmitNode *x, uint32_t region)
{
    uint32_t uses = 0, *link = &x->first;
    while (*link != EMIT_NONE) {
        EmitPlace *p = &cg->places.at[*link];
        if (is_within(cg, p->region, region)) {
            uses += p->uses;
            *link = p->next;
        } else {
            link = &p->next;
        }
    }
    return uses;
}

/* With very many places the text would explode. A node that cannot fail is then computed once,
 * before all of them. */
static uint32_t merged_region(Codegen *cg, const EmitNode *x, uint32_t region)
{
    uint32_t n = 0, common = region;
    for (uint32_t p = x->first; p != EMIT_NONE; p = cg->places.at[p].next, n++) {
        common = common_region(cg, common, cg->places.at[p].region);
    }
    if (n >= MAX_FAILING_PLACES) {
        emit_reject(cg, "a call that is shared by so many branches");
    }
    return n >= MAX_PLACES && !x->can_fail ? common : region;
}

static bool has_place(const Codegen *cg, const EmitNode *x, uint32_t region)
{
    uint32_t p = x->first;
    while (p != EMIT_NONE && cg->places.at[p].region != region) {
        p = cg->places.at[p].next;
    }
    return p != EMIT_NONE && region != EMIT_NONE;
}

/* The node's value is needed in the region, `uses` times. */
static void need(Codegen *cg, EmitNode *x, uint32_t region, uint32_t uses)
{
    for (uint32_t p = x->first; p != EMIT_NONE; p = cg->places.at[p].next) {
        if (is_within(cg, region, cg->places.at[p].region)) {
            cg->places.at[p].uses += uses;
            return;
        }
    }
    region = merged_region(cg, x, region);
    uses += take_within(cg, x, region);
    while (has_place(cg, x, cg->regions.at[region].sibling)) { /* both branches need it */
        region = cg->regions.at[region].parent;
        uses += take_within(cg, x, region);
    }
    vec_push(&cg->places, ((EmitPlace){.node = (uint32_t)(x - cg->nodes.at),
                                       .region = region,
                                       .uses = uses,
                                       .next = x->first}));
    x->first = cg->places.n - 1;
}

int emit_small_power(const Graph *g, ExprId e)
{
    ExprId x = expr_arg(g, e, 1);
    if (!expr_is_literal(g, x) || expr_op(g, x) == OP_STRING) {
        return 0;
    }
    double n = expr_real_value(g, x);
    return n == 2.0 || n == 3.0 || n == 4.0 ? (int)n : 0;
}

static uint32_t uses_of_arg(const Graph *g, ExprId e, uint32_t k)
{
    switch (expr_op(g, e)) {
    case OP_MIN:
    case OP_MAX: return 2;
    case OP_SEMILINEAR: return k == 0 ? 2 : 1;
    case OP_POW: return k == 0 && emit_small_power(g, e) != 0 ? 2 : 1;
    default: return 1;
    }
}

/* The region in which argument k of the node is evaluated. */
static uint32_t arg_region(const EmitPlace *p, ExprOp op, uint32_t k)
{
    bool body = (op == OP_COMPREHEND && k == 0) || (op == OP_REDUCE && k == 1);
    if (op == OP_IF && k > 0) {
        return p->branch[k - 1];
    }
    return body ? p->branch[0] : p->region;
}

static void open_branches(Codegen *cg, uint32_t place, ExprOp op)
{
    EmitPlace p = cg->places.at[place];
    if (op == OP_IF || op == OP_COMPREHEND || op == OP_REDUCE) {
        p.branch[0] = new_region(cg, p.region, p.node);
        if (op == OP_IF) {
            p.branch[1] = new_region(cg, p.region, p.node);
            cg->regions.at[p.branch[0]].sibling = p.branch[1];
            cg->regions.at[p.branch[1]].sibling = p.branch[0];
        }
        cg->places.at[place] = p;
    }
}

static void find_failing(Codegen *cg)
{
    for (uint32_t i = 0; i < cg->nodes.n; i++) {
        EmitNode *x = &cg->nodes.at[i];
        ExprOp op = expr_op(cg->g, x->e);
        x->can_fail = op == OP_CALL || op == OP_INDEX || emit_is_array(cg, x->e);
        for (uint32_t k = 0, m = expr_n(cg->g, x->e); k < m && !x->can_fail; k++) {
            const EmitNode *a = emit_node(cg, expr_arg(cg->g, x->e, k));
            x->can_fail = a != NULL && a->can_fail;
        }
    }
}

static void find_places(Codegen *cg, const ExprId *roots, uint32_t n)
{
    vec_clear(&cg->regions);
    vec_clear(&cg->places);
    vec_push(&cg->regions, ((EmitRegion){0, 0, 0, EMIT_NONE, EMIT_NONE}));
    find_failing(cg);
    for (uint32_t i = 0; i < n; i++) {
        need(cg, emit_node(cg, roots[i]), 0, 1);
    }
    for (uint32_t i = cg->nodes.n; i-- > 0 && !cg->failed;) {
        ExprId e = cg->nodes.at[i].e;
        ExprOp op = expr_op(cg->g, e);
        for (uint32_t p = cg->nodes.at[i].first; p != EMIT_NONE; p = cg->places.at[p].next) {
            open_branches(cg, p, op);
            for (uint32_t k = 0, m = expr_n(cg->g, e); k < m; k++) {
                EmitNode *a = emit_node(cg, expr_arg(cg->g, e, k));
                if (a != NULL) {
                    need(cg, a, arg_region(&cg->places.at[p], op, k), uses_of_arg(cg->g, e, k));
                }
            }
        }
    }
}

bool emit_is_leaf(ExprOp op)
{
    switch (op) {
    case OP_REAL:
    case OP_INT:
    case OP_BOOL:
    case OP_ENUM:
    case OP_HOLE:
    case OP_LOCAL:
    case OP_ITER:
    case OP_TIME:
    case OP_COLON:
    case OP_STRING:
    case OP_FUNCTION: return true;
    default: return false;
    }
}

static bool folds(ExprOp op)
{
    return op_is_scalar(op);
}

/* The value of a node whose arguments are all constants. */
static double fold(Codegen *cg, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    uint32_t n = expr_n(cg->g, e);
    double a = emit_node(cg, expr_arg(cg->g, e, 0))->value;
    if (op == OP_IF) {
        return emit_node(cg, expr_arg(cg->g, e, a != 0.0 ? 1 : 2))->value;
    }
    if (n == 1) {
        return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR ? a : op_apply1(op, a);
    }
    for (uint32_t k = 1; k < n; k++) {
        a = op_apply2(op, a, emit_node(cg, expr_arg(cg->g, e, k))->value);
    }
    return a;
}

static bool find_constant(Codegen *cg, EmitNode *x)
{
    ExprOp op = expr_op(cg->g, x->e);
    if (expr_is_literal(cg->g, x->e) && op != OP_STRING) {
        x->value = expr_real_value(cg->g, x->e);
        return true;
    }
    uint32_t n = expr_n(cg->g, x->e);
    if (!folds(op) || n == 0 || x->array) {
        return false;
    }
    for (uint32_t k = 0; k < n; k++) {
        EmitNode *a = emit_node(cg, expr_arg(cg->g, x->e, k));
        if (a == NULL || !a->constant) {
            return false;
        }
    }
    x->value = fold(cg, x->e);
    return true;
}

bool emit_needs_statement(Codegen *cg, const EmitNode *x)
{
    switch (expr_op(cg->g, x->e)) {
    case OP_REDUCE:
    case OP_COMPREHEND:
    case OP_SUM:
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF:
    case OP_MATMUL: return true;
    case OP_IF: return x->inner || x->array;
    case OP_CALL: return !emit_call_is_simple(cg, x->e);
    case OP_OUT:
    case OP_TUPLE: return false;
    default: return x->array;
    }
}

/* Some region's text names it more than once. */
static bool is_shared(const Codegen *cg, const EmitNode *x)
{
    for (uint32_t p = x->first; p != EMIT_NONE; p = cg->places.at[p].next) {
        if (cg->places.at[p].uses > 1) {
            return true;
        }
    }
    return false;
}

static void make_temporary(Codegen *cg, EmitNode *x)
{
    x->temp = true;
    x->size = x->depth = 0;
    cg->arrays = cg->arrays || x->array || expr_op(cg->g, x->e) == OP_CALL;
    for (uint32_t p = x->first; p != EMIT_NONE; p = cg->places.at[p].next) {
        uint32_t region = cg->places.at[p].region;
        cg->nodes.at[cg->regions.at[region].owner].inner |= region != 0;
    }
}

/* Size and depth of the inline text, and which nodes become temporaries. */
static void choose_temporaries(Codegen *cg)
{
    for (uint32_t i = 0; i < cg->nodes.n; i++) {
        EmitNode *x = &cg->nodes.at[i];
        ExprOp op = expr_op(cg->g, x->e);
        x->array = emit_is_array(cg, x->e);
        x->constant = find_constant(cg, x);
        if (x->constant || x->row || emit_is_leaf(op) || emit_is_table(cg, x->e)) {
            continue;
        }
        uint32_t n = expr_n(cg->g, x->e);
        x->size = op == OP_CALL ? 1 + n : 1; /* a call needs all its arguments at the same time */
        x->depth = 1;
        for (uint32_t k = 0; k < n; k++) {
            EmitNode *a = emit_node(cg, expr_arg(cg->g, x->e, k));
            if (a != NULL && !a->temp) {
                x->size += a->size;
                x->depth = a->depth + 1 > x->depth ? (uint16_t)(a->depth + 1) : x->depth;
            }
        }
        bool alias = op == OP_OUT || op == OP_NOEVENT || op == OP_TO_REAL || op == OP_TO_INT ||
                     op == OP_TO_ENUM;
        if (emit_needs_statement(cg, x) || (!alias && is_shared(cg, x)) || x->depth > MAX_DEPTH ||
            x->size > MAX_SIZE || n > EMIT_MAX_TERMS) {
            make_temporary(cg, x);
        }
    }
    for (uint32_t i = cg->nodes.n; i-- > 0;) {
        const EmitNode *x = &cg->nodes.at[i];
        for (uint32_t p = x->first; x->temp && p != EMIT_NONE; p = cg->places.at[p].next) {
            EmitRegion *r = &cg->regions.at[cg->places.at[p].region];
            cg->places.at[p].after = r->first;
            r->first = p;
        }
    }
}

bool emit_analyse(Codegen *cg, const ExprId *roots, uint32_t n)
{
    cg->arrays = false;
    collect(cg, roots, n);
    find_places(cg, roots, n);
    if (!cg->failed) {
        choose_temporaries(cg);
    }
    return !cg->failed;
}
