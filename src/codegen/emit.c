/* Emission of scalar expressions: analysis of a group, temporaries, inline text. See emit.h. */
#include "codegen/emit.h"

#include "base/arith.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_DEPTH = 30,
    MAX_SIZE = 120,
    MAX_TERMS = 48,
    MAX_REGION_DEPTH = 400,
    MAX_PLACES = 16,
    MAX_FAILING_PLACES = 2000
};

void emit_reject(Codegen *cg, const char *what)
{
    if (!cg->failed) {
        diag(cg->ctx, cg->span, DIAG_C002, "%s is not supported in simulated equations and functions yet",
             what);
    }
    cg->failed = true;
}

void emit_indent(Codegen *cg, Text *t)
{
    static const char blanks[] = "                                        ";
    unsigned n = cg->indent < 10 ? cg->indent * 4 : 40;
    text_put_n(t, blanks, n);
}

void emit_real(Text *t, double x)
{
    if (isnan(x)) {
        text_put(t, "(1e999 - 1e999)");
    } else if (isinf(x)) {
        text_put(t, x > 0 ? "1e999" : "(-1e999)");
    } else {
        char buf[REAL_TEXT + 3];
        real_print(buf, x);
        const char *point = strpbrk(buf, ".e") == NULL ? ".0" : "";
        text_printf(t, signbit(x) ? "(%s%s)" : "%s%s", buf, point);
    }
}

EmitNode *emit_node(Codegen *cg, ExprId e)
{
    uint32_t i = e < cg->index.n ? cg->index.at[e] : 0;
    return i < cg->nodes.n && cg->nodes.at[i].e == e ? &cg->nodes.at[i] : NULL;
}

/* ---- analysis ---- */

static int compare_ids(const void *a, const void *b)
{
    ExprId x = ((const EmitNode *)a)->e, y = ((const EmitNode *)b)->e;
    return (x > y) - (x < y);
}

static void add_node(Codegen *cg, ExprId e)
{
    if (e == EXPR_NONE || emit_node(cg, e) != NULL) {
        return;
    }
    while (cg->index.n <= e) {
        vec_push(&cg->index, 0);
    }
    cg->index.at[e] = cg->nodes.n;
    vec_push(&cg->nodes, ((EmitNode){.e = e, .first = EMIT_NONE}));
    vec_push(&cg->stack, e);
}

/* All nodes below the roots, in ascending order: arguments come first. */
static void collect(Codegen *cg, const ExprId *roots, uint32_t n)
{
    vec_clear(&cg->nodes);
    vec_clear(&cg->stack);
    for (uint32_t i = 0; i < n; i++) {
        add_node(cg, roots[i]);
    }
    while (cg->stack.n > 0) {
        ExprId e = vec_pop(&cg->stack);
        for (uint32_t k = 0, m = expr_n(cg->g, e); k < m; k++) {
            add_node(cg, expr_arg(cg->g, e, k));
        }
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

/* Takes the places of the node that lie within the region out of its list; returns their uses. */
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

/* So many places that the text would explode: what cannot fail is computed once, before all of them. */
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
    vec_push(
        &cg->places,
        ((EmitPlace){.node = (uint32_t)(x - cg->nodes.at), .region = region, .uses = uses, .next = x->first}));
    x->first = cg->places.n - 1;
}

/* 2, 3 or 4 where e is a power with this literal exponent, written as a product; 0 otherwise. */
static int small_power(const Graph *g, ExprId e)
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
    case OP_POW: return k == 0 && small_power(g, e) != 0 ? 2 : 1;
    default: return 1;
    }
}

/* The region argument k of the node is evaluated in. */
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

static bool is_leaf(ExprOp op)
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
    return (op >= OP_ADD && op <= OP_POW) || (op >= OP_LT && op <= OP_TO_ENUM);
}

/* The value of a node all of whose arguments are constants. */
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

/* Nodes that are defined by statements whatever their use. */
static bool needs_statement(Codegen *cg, const EmitNode *x)
{
    switch (expr_op(cg->g, x->e)) {
    case OP_REDUCE:
    case OP_COMPREHEND:
    case OP_SUM:
    case OP_PRODUCT:
    case OP_MIN_OF:
    case OP_MAX_OF:
    case OP_MATMUL: return true;
    case OP_IF: return x->inner;
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
        if (x->constant || is_leaf(op)) {
            continue;
        }
        uint32_t n = expr_n(cg->g, x->e);
        x->size = 1;
        x->depth = 1;
        for (uint32_t k = 0; k < n; k++) {
            EmitNode *a = emit_node(cg, expr_arg(cg->g, x->e, k));
            if (a != NULL && !a->temp) {
                x->size += a->size;
                x->depth = a->depth + 1 > x->depth ? (uint16_t)(a->depth + 1) : x->depth;
            }
        }
        bool alias =
            op == OP_OUT || op == OP_NOEVENT || op == OP_TO_REAL || op == OP_TO_INT || op == OP_TO_ENUM;
        if (needs_statement(cg, x) || (!alias && is_shared(cg, x)) || x->depth > MAX_DEPTH ||
            x->size > MAX_SIZE || n > MAX_TERMS) {
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

/* ---- text ---- */

void emit_name(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    if (op == OP_OUT) {
        emit_name(cg, t, expr_arg(cg->g, e, 0));
        text_printf(t, "_%u", expr_index(cg->g, e));
    } else if (op == OP_LOCAL) {
        text_printf(t, "l%u", expr_index(cg->g, e));
    } else if (op == OP_NOEVENT || op == OP_TO_REAL || op == OP_TO_INT || op == OP_TO_ENUM) {
        emit_name(cg, t, expr_arg(cg->g, e, 0));
    } else {
        text_printf(t, "t%u", cg->index.at[e]);
    }
}

static const char *function_text(ExprOp op)
{
    switch (op) {
    case OP_ABS: return "fabs";
    case OP_SIGN: return "kr_sign";
    case OP_QUOT: return "kr_div";
    case OP_MOD: return "kr_mod";
    case OP_REM: return "kr_rem";
    case OP_INTEGER: return "floor";
    case OP_SQRT:
    case OP_SIN:
    case OP_COS:
    case OP_TAN:
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
    case OP_ATAN2:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH:
    case OP_EXP:
    case OP_LOG:
    case OP_LOG10:
    case OP_CEIL:
    case OP_FLOOR: return expr_op_text(op);
    default: return NULL;
    }
}

static const char *relation_text(ExprOp op)
{
    switch (op) {
    case OP_LT: return " < ";
    case OP_LE: return " <= ";
    case OP_GT: return " > ";
    case OP_GE: return " >= ";
    case OP_EQ: return " == ";
    case OP_NE: return " != ";
    default: return NULL;
    }
}

static bool is_logical(ExprOp op)
{
    return op >= OP_LT && op <= OP_NOT;
}

static void logical_text(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    const char *relation = relation_text(op);
    if (relation != NULL) {
        bool text = type_element(cg->g->types, expr_type(cg->g, expr_arg(cg->g, e, 0))) == T_STRING;
        if (text && op != OP_EQ && op != OP_NE) {
            emit_reject(cg, "the order of Strings");
        }
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, relation);
        emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    } else if (op == OP_NOT) {
        text_put(t, "!");
        emit_condition(cg, t, expr_arg(cg->g, e, 0));
    } else {
        for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
            text_put(t, k == 0 ? "" : op == OP_AND ? " && " : " || ");
            emit_condition(cg, t, expr_arg(cg->g, e, k));
        }
    }
}

void emit_condition(Codegen *cg, Text *t, ExprId e)
{
    EmitNode *x = emit_node(cg, e);
    text_put(t, "(");
    if (is_logical(expr_op(cg->g, e)) && !x->temp && !x->constant) {
        logical_text(cg, t, e);
    } else {
        emit_value(cg, t, e, false);
        text_put(t, " != 0.0");
    }
    text_put(t, ")");
}

/* Sums and products, left to right; constants in front are folded into one. */
static void chain_text(Codegen *cg, Text *t, ExprId e, bool bare)
{
    ExprOp op = expr_op(cg->g, e);
    uint32_t n = expr_n(cg->g, e), k = 0;
    text_put(t, bare || n == 1 ? "" : "(");
    EmitNode *a = emit_node(cg, expr_arg(cg->g, e, 0));
    if (a->constant) {
        double c = a->value;
        for (k = 1; k < n && (a = emit_node(cg, expr_arg(cg->g, e, k)))->constant; k++) {
            c = op_apply2(op, c, a->value);
        }
        emit_real(t, c);
    } else {
        emit_value(cg, t, a->e, false);
        k = 1;
    }
    for (; k < n; k++) {
        a = emit_node(cg, expr_arg(cg->g, e, k));
        bool minus = op == OP_ADD && expr_op(cg->g, a->e) == OP_NEG && !a->temp && !a->constant;
        text_put(t, minus ? " - " : op == OP_ADD ? " + " : "*");
        emit_value(cg, t, minus ? expr_arg(cg->g, a->e, 0) : a->e, false);
    }
    text_put(t, bare || n == 1 ? "" : ")");
}

static void power_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId base = expr_arg(cg->g, e, 0), exponent = expr_arg(cg->g, e, 1);
    EmitNode *x = emit_node(cg, exponent);
    static const char *const before[5][4] = {
        [2] = {"(", "*"}, [3] = {"(", "*", "*"}, [4] = {"((", "*", ")*(", "*"}};
    int small = small_power(cg->g, e);
    if (small != 0) {
        for (int k = 0; k < small; k++) {
            text_put(t, before[small][k]);
            emit_value(cg, t, base, false);
        }
        text_put(t, small == 4 ? "))" : ")");
        return;
    }
    if (x->constant && x->value == rint(x->value) && fabs(x->value) <= ARITH_POWER) {
        text_put(t, "kr_powi(");
        emit_value(cg, t, base, true);
        text_printf(t, ", %d)", (int)x->value);
        return;
    }
    text_put(t, "kr_pow(");
    emit_value(cg, t, base, true);
    text_put(t, ", ");
    emit_value(cg, t, exponent, true);
    text_put(t, ")");
}

static void choice_text(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "(");
    emit_condition(cg, t, expr_arg(cg->g, e, 0));
    text_put(t, " ? ");
    emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    text_put(t, " : ");
    emit_value(cg, t, expr_arg(cg->g, e, 2), false);
    text_put(t, ")");
}

static void extremum_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId a = expr_arg(cg->g, e, 0), b = expr_arg(cg->g, e, 1);
    text_put(t, "(");
    emit_value(cg, t, a, false);
    text_put(t, expr_op(cg->g, e) == OP_MIN ? " < " : " > ");
    emit_value(cg, t, b, false);
    text_put(t, " ? ");
    emit_value(cg, t, a, false);
    text_put(t, " : ");
    emit_value(cg, t, b, false);
    text_put(t, ")");
}

static void semilinear_text(Codegen *cg, Text *t, ExprId e)
{
    ExprId x = expr_arg(cg->g, e, 0);
    text_put(t, "((");
    emit_value(cg, t, x, false);
    text_put(t, " >= 0.0 ? ");
    emit_value(cg, t, expr_arg(cg->g, e, 1), false);
    text_put(t, " : ");
    emit_value(cg, t, expr_arg(cg->g, e, 2), false);
    text_put(t, ")*");
    emit_value(cg, t, x, false);
    text_put(t, ")");
}

static void function_call_text(Codegen *cg, Text *t, ExprId e, const char *name)
{
    text_printf(t, "%s(", name);
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        text_put(t, k == 0 ? "" : ", ");
        emit_value(cg, t, expr_arg(cg->g, e, k), true);
    }
    text_put(t, ")");
}

static void index_text(Codegen *cg, Text *t, ExprId e)
{
    const ExprNode *x = expr_node(cg->g, e);
    ExprId a = expr_arg(cg->g, e, 0);
    emit_name(cg, t, a);
    text_put(t, "[");
    emit_subscript(cg, t, a, cg->g->words.at + x->at + 1, expr_n(cg->g, e) - 1);
    text_put(t, "]");
}

/* Names are interned: the same text is the same number. */
uint32_t emit_string(Codegen *cg, Name text)
{
    uint64_t key = (uint64_t)(uintptr_t)text >> 1;
    uint32_t at = map_get(&cg->string_at, key);
    if (at == MAP_NONE) {
        at = cg->strings.n;
        vec_push(&cg->strings, text);
        map_put(&cg->string_at, key, at);
    }
    return at;
}

static void leaf_text(Codegen *cg, Text *t, ExprId e)
{
    uint32_t index = expr_index(cg->g, e);
    switch (expr_op(cg->g, e)) {
    case OP_HOLE:
        if (cg->hole != NULL) {
            cg->hole(cg, t, index);
            return;
        }
        break;
    case OP_LOCAL: text_printf(t, "l%u", index); return;
    case OP_ITER: text_printf(t, "i%u", index); return;
    case OP_TIME: text_put(t, "v[0]"); return;
    case OP_STRING: text_printf(t, "%u.0", emit_string(cg, expr_name(cg->g, e))); return;
    default: break;
    }
    emit_reject(cg, expr_op_text(expr_op(cg->g, e)));
}

static void inline_text(Codegen *cg, Text *t, ExprId e, bool bare)
{
    ExprOp op = expr_op(cg->g, e);
    const char *name = function_text(op);
    if (name != NULL) {
        function_call_text(cg, t, e, name);
        return;
    }
    if (is_leaf(op)) {
        leaf_text(cg, t, e);
        return;
    }
    if (is_logical(op)) {
        text_put(t, "(");
        logical_text(cg, t, e);
        text_put(t, " ? 1.0 : 0.0)");
        return;
    }
    switch (op) {
    case OP_ADD:
    case OP_MUL: chain_text(cg, t, e, bare); break;
    case OP_NEG:
        text_put(t, "(-");
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, ")");
        break;
    case OP_DIV:
        text_put(t, bare ? "" : "(");
        emit_value(cg, t, expr_arg(cg->g, e, 0), false);
        text_put(t, "/");
        emit_value(cg, t, expr_arg(cg->g, e, 1), false);
        text_put(t, bare ? "" : ")");
        break;
    case OP_POW: power_text(cg, t, e); break;
    case OP_IF: choice_text(cg, t, e); break;
    case OP_MIN:
    case OP_MAX: extremum_text(cg, t, e); break;
    case OP_SEMILINEAR: semilinear_text(cg, t, e); break;
    case OP_NOEVENT:
    case OP_TO_REAL:
    case OP_TO_INT:
    case OP_TO_ENUM:
    case OP_HOMOTOPY:
    case OP_SCALAR: emit_value(cg, t, expr_arg(cg->g, e, 0), bare); break;
    case OP_SMOOTH: emit_value(cg, t, expr_arg(cg->g, e, 1), bare); break;
    case OP_INDEX: index_text(cg, t, e); break;
    case OP_SIZE:
        if (!expr_is_literal(cg->g, expr_arg(cg->g, e, 1))) {
            emit_reject(cg, "size of a computed dimension");
            break;
        }
        text_put(t, "(double)");
        emit_dim(cg, t, expr_arg(cg->g, e, 0), (uint32_t)expr_int_value(cg->g, expr_arg(cg->g, e, 1)) - 1);
        break;
    case OP_NDIMS:
        text_printf(t, "%u.0", type_rank(cg->g->types, expr_type(cg->g, expr_arg(cg->g, e, 0))));
        break;
    case OP_OUT: emit_name(cg, t, e); break;
    case OP_CALL:
        text_printf(t, "f%u(", emit_use_function(cg, expr_index(cg->g, e)));
        emit_call_args(cg, t, e);
        text_put(t, ")");
        break;
    default: emit_reject(cg, expr_op_text(op));
    }
}

void emit_value(Codegen *cg, Text *t, ExprId e, bool bare)
{
    if (e == EXPR_NONE) {
        emit_reject(cg, "an omitted argument");
        return;
    }
    EmitNode *x = emit_node(cg, e);
    if (x->constant) {
        emit_real(t, x->value);
        return;
    }
    if (x->temp) {
        emit_name(cg, t, e);
    } else {
        inline_text(cg, t, e, bare);
    }
    if (x->array && cg->element) {
        text_put(t, "[k]");
    }
}

/* ---- statements ---- */

/* A sum or product of many terms, in portions. */
static void long_chain(Codegen *cg, Text *t, ExprId e)
{
    ExprOp op = expr_op(cg->g, e);
    for (uint32_t k = 0, n = expr_n(cg->g, e); k < n; k++) {
        if (k % 24 == 0) {
            if (k > 0) {
                text_put(t, ";\n");
                emit_indent(cg, t);
                emit_name(cg, t, e);
            } else {
                text_put(t, "double ");
                emit_name(cg, t, e);
            }
            text_put(t, " = ");
            if (k > 0) {
                emit_name(cg, t, e);
            }
        }
        text_put(t, k == 0 ? "" : op == OP_ADD ? " + " : "*");
        emit_value(cg, t, expr_arg(cg->g, e, k), false);
    }
    text_put(t, ";\n");
}

static void branch_text(Codegen *cg, Text *t, ExprId e, uint32_t k)
{
    cg->indent++;
    emit_region(cg, t, emit_node(cg, e)->branch[k]);
    emit_indent(cg, t);
    emit_name(cg, t, e);
    text_put(t, " = ");
    emit_value(cg, t, expr_arg(cg->g, e, k + 1), true);
    text_put(t, ";\n");
    cg->indent--;
    emit_indent(cg, t);
}

static void choice_statement(Codegen *cg, Text *t, ExprId e)
{
    text_put(t, "double ");
    emit_name(cg, t, e);
    text_put(t, ";\n");
    emit_indent(cg, t);
    text_put(t, "if ");
    emit_condition(cg, t, expr_arg(cg->g, e, 0));
    text_put(t, " {\n");
    branch_text(cg, t, e, 0);
    text_put(t, "} else {\n");
    branch_text(cg, t, e, 1);
    text_put(t, "}\n");
}

static void define(Codegen *cg, Text *t, EmitNode *x)
{
    ExprOp op = expr_op(cg->g, x->e);
    emit_indent(cg, t);
    if (x->array || (needs_statement(cg, x) && op != OP_IF)) {
        emit_statement(cg, t, x->e);
    } else if (op == OP_IF && x->inner) {
        choice_statement(cg, t, x->e);
    } else if ((op == OP_ADD || op == OP_MUL) && expr_n(cg->g, x->e) > MAX_TERMS) {
        long_chain(cg, t, x->e);
    } else {
        text_put(t, "double ");
        emit_name(cg, t, x->e);
        text_put(t, " = ");
        inline_text(cg, t, x->e, true);
        text_put(t, ";\n");
    }
}

void emit_region(Codegen *cg, Text *t, uint32_t region)
{
    for (uint32_t p = cg->regions.at[region].first; p != EMIT_NONE && !cg->failed; p = cg->places.at[p].after) {
        EmitNode *x = &cg->nodes.at[cg->places.at[p].node];
        x->branch[0] = cg->places.at[p].branch[0];
        x->branch[1] = cg->places.at[p].branch[1];
        define(cg, t, x);
    }
}

void emit_group(Codegen *cg, Text *t, const ExprId *roots, uint32_t n)
{
    cg->arrays = false;
    collect(cg, roots, n);
    find_places(cg, roots, n);
    if (cg->failed) {
        return;
    }
    choose_temporaries(cg);
    if (cg->arrays) {
        emit_indent(cg, t);
        text_put(t, "int mark = kr_mark(m);\n");
    }
    emit_region(cg, t, 0);
}
