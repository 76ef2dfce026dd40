/* Assignments in sequence. Runs of similar items, also periodic ones, become loops. A column of
 * variable numbers with a constant increment is written as base + stride*j, any other one as a
 * constant table. The order is kept, so a loop computes exactly the same as the separate
 * statements. */
#include "codegen/emit.h"
#include "expr/walk.h"

#include <stdlib.h>

enum { MIN_RUN = 6, MAX_PERIOD = 512, MAX_CANDIDATES = 24, PIECE = 200, MANY_OPERANDS = 64 };

typedef struct Run {
    const Item *items; /* first item of the run */
    uint32_t period, repeats;
    uint32_t at;    /* item of the period being written */
    uint32_t moved; /* hole that is printed as `x`, or NONE */
} Run;

static bool is_tangent(const Item *it)
{
    return it->kind == ITEM_TANGENT || it->kind == ITEM_SLOPE;
}

/* ---- columns ---- */

typedef enum ColumnKind { COLUMN_TARGET, COLUMN_DETAIL, COLUMN_OPERAND } ColumnKind;

static uint32_t column_value(const Codegen *cg, const Run *r, ColumnKind kind, uint32_t k,
                             uint32_t j)
{
    const Item *it = &r->items[(size_t)j * r->period + r->at];
    switch (kind) {
    case COLUMN_TARGET: return it->target;
    case COLUMN_DETAIL: return it->detail;
    default: return cg->dae->ops.at[it->ops + k % it->n];
    }
}

static void table_text(Codegen *cg, const Run *r, ColumnKind kind, uint32_t k)
{
    Text *t = &cg->tables;
    text_printf(t, "static const unsigned T%u[%u] = {", cg->n_tables++, r->repeats);
    for (uint32_t j = 0; j < r->repeats; j++) {
        char buf[16];
        size_t i = sizeof buf;
        uint32_t x = column_value(cg, r, kind, k, j);
        buf[--i] = ',';
        do {
            buf[--i] = (char)('0' + x % 10);
            x /= 10;
        } while (x != 0);
        text_put_n(t, buf + i, sizeof buf - i);
        if (j % 20 == 19) {
            text_put(t, "\n");
        }
    }
    text_put(t, "};\n");
}

static void column_text(Codegen *cg, Text *t, const Run *r, ColumnKind kind, uint32_t k)
{
    uint32_t base = column_value(cg, r, kind, k, 0);
    if (r->repeats == 1) {
        text_printf(t, "%u", base);
        return;
    }
    int64_t stride = (int64_t)column_value(cg, r, kind, k, 1) - base;
    for (uint32_t j = 2; j < r->repeats; j++) {
        if ((int64_t)column_value(cg, r, kind, k, j) != base + stride * j) {
            text_printf(t, "T%u[j]", cg->n_tables);
            table_text(cg, r, kind, k);
            return;
        }
    }
    if (stride == 0) {
        text_printf(t, "%u", base);
    } else if (stride == 1 || stride == -1) {
        text_printf(t, "%u %s j", base, stride < 0 ? "-" : "+");
    } else {
        text_printf(t, "%u %s %lld*j", base, stride < 0 ? "-" : "+", (long long)llabs(stride));
    }
}

/* The value of the operand; of directed items, those from n on are the tangents. */
static void print_operand(Codegen *cg, Text *t, const Run *r, uint32_t hole)
{
    text_put(t, hole >= r->items[r->at].n ? "dv[" : "v[");
    column_text(cg, t, r, COLUMN_OPERAND, hole);
    text_put(t, "]");
}

static void print_hole(Codegen *cg, Text *t, uint32_t hole)
{
    const Run *r = cg->hole_user;
    if (hole == r->moved) {
        text_put(t, "x");
        return;
    }
    print_operand(cg, t, r, hole);
}

/* ---- statements ---- */

static void left_side(Codegen *cg, Text *t, const Run *r, const Sequence *seq)
{
    static const char *const arrays[] = {"v", "v", "v", "m->r", "", "dv", "m->r", ""};
    const Item *it = &r->items[r->at];
    emit_indent(cg, t);
    if (it->kind == ITEM_SET || (it->kind == ITEM_TANGENT && it->op)) {
        text_put(t, "if (!m->set[");
        column_text(cg, t, r, COLUMN_TARGET, 0);
        text_put(t, "]) ");
    }
    text_printf(t, "%s[", it->kind == ITEM_OUT ? seq->out : arrays[it->kind]);
    column_text(cg, t, r, COLUMN_TARGET, 0);
    text_put(t, "] = ");
}

/* The value e of item r->at, less the variable that it subtracts. */
static void right_side(Codegen *cg, Text *t, const Run *r, const Sequence *seq, ExprId e)
{
    const Item *it = &r->items[r->at];
    bool slope = it->kind == ITEM_SLOPE;
    bool minus = (slope && it->detail != NONE && seq->active[it->detail]) ||
                 (it->kind == ITEM_RESIDUAL && it->detail != NONE);
    emit_value(cg, t, e, !minus);
    if (minus) {
        text_put(t, slope ? " - dv[" : " - v[");
        column_text(cg, t, r, COLUMN_DETAIL, 0);
        text_put(t, "]");
    }
}

static void value_item(Codegen *cg, Text *t, const Run *r, const Sequence *seq)
{
    const Item *it = &r->items[r->at];
    emit_group(cg, t, &it->e, 1);
    left_side(cg, t, r, seq);
    if (it->kind == ITEM_RELATION) {
        text_put(t, "kr_relation(m, ");
        column_text(cg, t, r, COLUMN_DETAIL, 0);
        text_printf(t, ", %u, ", it->op);
    }
    right_side(cg, t, r, seq, it->e);
    text_put(t, it->kind == ITEM_RELATION ? ");\n" : ";\n");
}

/* ---- items that share a call ---- */

enum { MOST_SHARING = 256 };

typedef struct Calls {
    const Graph *g;
    Map *found; /* calls of the first item; while `fill` */
    bool fill, shared, any;
} Calls;

static void look_for_any_call(void *user, ExprId e)
{
    Calls *c = user;
    c->any |= expr_op(c->g, e) == OP_CALL;
}

/* Each object is its own, even if two are made alike. */
static bool makes_object(const Graph *g, ExprId call)
{
    return type_get(g->types, expr_type(g, call))->kind == TYPE_EXTERNAL;
}

static void look_for_calls(void *user, ExprId e)
{
    Calls *c = user;
    if (expr_op(c->g, e) != OP_CALL || makes_object(c->g, e)) {
        return;
    }
    if (c->fill) {
        map_put(c->found, e, 1);
    } else {
        c->shared |= map_get(c->found, e) != MAP_NONE;
    }
}

/* Items that are written together share one list of operands. It contains those of the first
 * item. */
typedef struct JointHole {
    uint32_t item, hole; /* item of the period, and its operand */
} JointHole;

typedef struct Joint {
    Codegen *cg;
    Run *r;
    VEC(JointHole) holes;
    Map hole_of; /* operand_at of the first repeat → its place in `holes`, if it has one */
    Map targets; /* as operand_at → the repeat in which an item of the group computes it */
    ExprId roots[MOST_SHARING];
    uint32_t n;
    const uint32_t *to; /* while an expression is renamed: the operand in the list, per hole */
    bool other;         /* an impure call would become a second one */
} Joint;

/* A number for the value of a variable, or for its tangent. */
static uint64_t quantity(VarId var, bool tangent)
{
    return 2 * (uint64_t)var + tangent;
}

static uint64_t operand_at(const Joint *w, JointHole h, uint32_t repeat)
{
    const Item *it = &w->r->items[h.item + (size_t)repeat * w->r->period];
    return quantity(w->cg->dae->ops.at[it->ops + h.hole % it->n], h.hole >= it->n);
}

static bool same_operand(const Joint *w, JointHole a, JointHole b)
{
    for (uint32_t j = 0; j < w->r->repeats; j++) {
        if (operand_at(w, a, j) != operand_at(w, b, j)) {
            return false;
        }
    }
    return true;
}

static uint32_t joint_hole(Joint *w, JointHole h)
{
    uint32_t k = map_get(&w->hole_of, operand_at(w, h, 0));
    bool known = k != MAP_NONE && k < w->holes.n;
    if (known && same_operand(w, h, w->holes.at[k])) {
        return k;
    }
    for (k = 0; known && k < w->holes.n; k++) {
        if (same_operand(w, h, w->holes.at[k])) {
            return k;
        }
    }
    map_put(&w->hole_of, operand_at(w, h, 0), w->holes.n);
    vec_push(&w->holes, h);
    return w->holes.n - 1;
}

static ExprId rename_node(void *user, Graph *g, ExprId e)
{
    Joint *w = user;
    uint32_t n;
    bool same = true;
    const uint32_t *holes = symbolic_holes(w->cg->dae->symbolic, e, &n);
    for (uint32_t i = 0; i < n; i++) {
        same = same && w->to[holes[i]] == holes[i];
    }
    if (same) {
        return e;
    }
    if (expr_op(g, e) == OP_HOLE) {
        return expr_leaf(g, OP_HOLE, expr_type(g, e), w->to[expr_index(g, e)]);
    }
    w->other |= expr_op(g, e) == OP_CALL && g->functions.at[expr_index(g, e)]->impure;
    return EXPR_NONE;
}

static bool is_assignment(const Item *it)
{
    return it->kind == ITEM_VALUE || it->kind == ITEM_SET;
}

static bool may_share(const Item *it)
{
    return is_assignment(it) || it->kind == ITEM_RESIDUAL || it->directed;
}

static void note_target(Joint *w, uint32_t b)
{
    const Item *it = &w->r->items[b];
    bool tangent = it->kind == ITEM_TANGENT;
    for (uint32_t j = 0; (tangent || is_assignment(it)) && j < w->r->repeats; j++) {
        map_put(&w->targets, quantity(it[(size_t)j * w->r->period].target, tangent), j);
    }
}

/* None of the operands of item b is computed by an item of the group. */
static bool is_independent(Joint *w, uint32_t b)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(w->cg->dae->symbolic, w->r->items[b].e, &n);
    note_target(w, b);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < w->r->repeats; j++) {
            if (map_get(&w->targets, operand_at(w, (JointHole){b, holes[i]}, j)) == j) {
                return false;
            }
        }
    }
    return true;
}

/* The value of item b over the operands of the group. */
static ExprId joint_root(Joint *w, uint32_t b)
{
    const Item *it = &w->r->items[b];
    uint32_t n;
    const uint32_t *holes = symbolic_holes(w->cg->dae->symbolic, it->e, &n);
    uint32_t *to = ARENA_ARRAY(w->cg->scratch, uint32_t, 2 * it->n + 1);
    for (uint32_t i = 0; i < n; i++) {
        to[holes[i]] = joint_hole(w, (JointHole){b, holes[i]});
    }
    w->to = to;
    w->other = false;
    ExprId e = expr_map(w->cg->g, it->e, rename_node, w);
    return w->other ? EXPR_NONE : e;
}

static bool joins(Joint *w, Calls *calls, uint32_t b)
{
    uint32_t n = w->holes.n;
    if (!may_share(&w->r->items[b]) || !is_independent(w, b)) {
        return false;
    }
    ExprId e = joint_root(w, b);
    calls->shared = false;
    if (e != EXPR_NONE) {
        expr_walk(w->cg->g, e, look_for_calls, calls);
    }
    if (!calls->shared) {
        w->holes.n = n;
        return false;
    }
    w->roots[w->n++] = e;
    return true;
}

/* The items from r->at on that are results of one call, computed together; at least one. */
static void find_sharing(Joint *w)
{
    const Item *first = &w->r->items[w->r->at];
    Map found = {0};
    Calls calls = {.g = w->cg->g, .found = &found, .fill = true};
    w->roots[w->n++] = first->e;
    if (!may_share(first) || w->cg->g->functions.n == 0) {
        return;
    }
    expr_walk(w->cg->g, first->e, look_for_calls, &calls);
    calls.fill = false;
    uint32_t n_holes = first->directed ? 2 * first->n : first->n;
    for (uint32_t k = 0; found.n > 0 && k < n_holes; k++) {
        map_put(&w->hole_of, operand_at(w, (JointHole){w->r->at, k}, 0), k);
        vec_push(&w->holes, ((JointHole){w->r->at, k}));
    }
    if (found.n > 0) {
        note_target(w, w->r->at);
    }
    while (found.n > 0 && w->n < MOST_SHARING && w->r->at + w->n < w->r->period &&
           joins(w, &calls, w->r->at + w->n)) {
    }
    map_free(&found);
}

static void free_joint(Joint *w)
{
    vec_free(&w->holes);
    map_free(&w->hole_of);
    map_free(&w->targets);
}

static uint32_t sharing(Codegen *cg, Run *r)
{
    Joint w = {.cg = cg, .r = r};
    find_sharing(&w);
    free_joint(&w);
    return w.n;
}

static void print_joint_hole(Codegen *cg, Text *t, uint32_t hole)
{
    const Joint *w = cg->hole_user;
    Run r = *w->r;
    r.at = w->holes.at[hole].item;
    print_operand(cg, t, &r, w->holes.at[hole].hole);
}

static void joint_release(Codegen *cg, Text *t)
{
    if (cg->arrays) {
        emit_indent(cg, t);
        text_put(t, "kr_release(m, mark);\n");
    }
    cg->arrays = false;
}

/* target i = roots[i], for all items of the group. */
static void joint_assignments(Joint *w, Text *t, const Sequence *seq, const ExprId *roots)
{
    Codegen *cg = w->cg;
    uint32_t first = w->r->at;
    emit_group(cg, t, roots, w->n);
    for (uint32_t i = 0; i < w->n; i++) {
        w->r->at = first + i;
        left_side(cg, t, w->r, seq);
        right_side(cg, t, w->r, seq, roots[i]);
        text_put(t, ";\n");
    }
    w->r->at = first;
}

/* All values are chosen by one condition, as those of a when: one choice for all of them. */
static bool is_joint_choice(const Joint *w)
{
    const Graph *g = w->cg->g;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->r->items[w->r->at + i].kind != ITEM_VALUE || expr_op(g, w->roots[i]) != OP_IF ||
            expr_arg(g, w->roots[i], 0) != expr_arg(g, w->roots[0], 0)) {
            return false;
        }
    }
    return true;
}

static void joint_choice(Joint *w, Text *t, const Sequence *seq)
{
    Codegen *cg = w->cg;
    ExprId condition = expr_arg(cg->g, w->roots[0], 0), roots[MOST_SHARING] = {EXPR_NONE};
    emit_indent(cg, t);
    text_put(t, "int choice;\n");
    emit_indent(cg, t);
    text_put(t, "{\n");
    emit_group(cg, t, &condition, 1);
    emit_indent(cg, t);
    text_put(t, "choice = ");
    emit_condition(cg, t, condition);
    text_put(t, ";\n");
    joint_release(cg, t);
    for (uint32_t k = 1; k <= 2; k++) {
        for (uint32_t i = 0; i < w->n; i++) {
            roots[i] = expr_arg(cg->g, w->roots[i], k);
        }
        emit_indent(cg, t);
        text_put(t, k == 1 ? "}\n" : "} else {\n");
        if (k == 1) {
            emit_indent(cg, t);
            text_put(t, "if (choice) {\n");
        }
        joint_assignments(w, t, seq, roots);
        joint_release(cg, t);
    }
    emit_indent(cg, t);
    text_put(t, "}\n");
}

static void shared_items(Joint *w, Text *t, const Sequence *seq)
{
    w->cg->hole = print_joint_hole;
    w->cg->hole_user = w;
    if (is_joint_choice(w)) {
        joint_choice(w, t, seq);
    } else {
        joint_assignments(w, t, seq, w->roots);
    }
}

static bool is_zero(const Graph *g, ExprId e)
{
    return (expr_op(g, e) == OP_REAL || expr_op(g, e) == OP_INT) && expr_real_value(g, e) == 0.0;
}

static void tangent_of(Codegen *cg, Text *t, const Run *r, uint32_t hole)
{
    text_put(t, "dv[");
    column_text(cg, t, r, COLUMN_OPERAND, hole);
    text_put(t, "]");
}

/* One term of the sum; true if something was written. */
static bool slope_term(Codegen *cg, Text *t, const Run *r, uint32_t hole, ExprId d, bool first)
{
    double c = expr_op(cg->g, d) == OP_REAL || expr_op(cg->g, d) == OP_INT
                   ? expr_real_value(cg->g, d)
                   : 2.0;
    if (c == 0.0) {
        return false;
    }
    text_put(t, first ? c == -1.0 ? "-" : "" : c == -1.0 ? " - " : " + ");
    if (c != 1.0 && c != -1.0) {
        emit_value(cg, t, d, false);
        text_put(t, "*");
    }
    tangent_of(cg, t, r, hole);
    return true;
}

/* A difference quotient of the value if no derivative is known. */
static void difference(Codegen *cg, Text *t, Run *r, uint32_t hole)
{
    ExprId e = records_expression(cg, r->items[r->at].e);
    emit_indent(cg, t);
    text_put(t, "{\n");
    cg->indent++;
    emit_indent(cg, t);
    text_put(t, "double x0 = v[");
    column_text(cg, t, r, COLUMN_OPERAND, hole);
    text_put(t, "], y0, x = x0 + kr_increment(x0);\n");
    for (int pass = 0; pass < 2; pass++) {
        r->moved = pass == 0 ? NONE : hole;
        emit_indent(cg, t);
        text_put(t, "{\n");
        cg->indent++;
        emit_group(cg, t, &e, 1);
        bool arrays = cg->arrays;
        emit_indent(cg, t);
        text_put(t, pass == 0 ? "y0 = " : "s = s + (");
        emit_value(cg, t, e, pass == 0);
        if (pass == 1) {
            text_put(t, " - y0)/(x - x0)*");
            tangent_of(cg, t, r, hole);
        }
        text_put(t, ";\n");
        if (arrays) {
            emit_indent(cg, t);
            text_put(t, "kr_release(m, mark);\n");
        }
        cg->indent--;
        emit_indent(cg, t);
        text_put(t, "}\n");
    }
    r->moved = NONE;
    cg->indent--;
    emit_indent(cg, t);
    text_put(t, "}\n");
}

static bool is_active(const Codegen *cg, const Sequence *seq, const Item *it, uint32_t hole)
{
    return seq->active[cg->dae->ops.at[it->ops + hole]] != 0;
}

/* The derivatives with respect to active operands; those that are not known go to `unknown`. */
static void slopes(Codegen *cg, const Sequence *seq, const Item *it, uint32_t *holes, ExprId *d,
                   uint32_t *n, uint32_t *unknown, uint32_t *n_unknown)
{
    uint32_t count;
    const uint32_t *found = symbolic_holes(cg->dae->symbolic, it->e, &count);
    uint32_t *copy = ARENA_ARRAY(cg->scratch, uint32_t, count + 1);
    if (count > 0) {
        memcpy(copy, found, count * sizeof *copy);
    }
    *n = *n_unknown = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_active(cg, seq, it, copy[i])) {
            continue;
        }
        ExprId slope = symbolic_diff(cg->dae->symbolic, it->e, copy[i]);
        if (slope == EXPR_NONE) {
            unknown[(*n_unknown)++] = copy[i];
        } else if (!is_zero(cg->g, slope)) {
            holes[*n] = copy[i];
            d[(*n)++] = records_expression(cg, slope);
        }
    }
}

static void tangent_item(Codegen *cg, Text *t, Run *r, const Sequence *seq)
{
    const Item *it = &r->items[r->at];
    uint32_t *holes = ARENA_ARRAY(cg->scratch, uint32_t, it->n + 1);
    uint32_t *unknown = ARENA_ARRAY(cg->scratch, uint32_t, it->n + 1);
    ExprId *d = ARENA_ARRAY(cg->scratch, ExprId, it->n + 1);
    uint32_t n, n_unknown;
    slopes(cg, seq, it, holes, d, &n, unknown, &n_unknown);
    emit_group(cg, t, d, n);
    bool arrays = cg->arrays;
    if (n_unknown > 0) {
        emit_indent(cg, t);
        text_put(t, "double s = ");
    } else {
        left_side(cg, t, r, seq);
    }
    bool first = true;
    for (uint32_t i = 0; i < n; i++) {
        first = !slope_term(cg, t, r, holes[i], d[i], first) && first;
    }
    text_put(t, first ? "0.0" : "");
    if (n_unknown > 0) {
        text_put(t, ";\n");
        for (uint32_t i = 0; i < n_unknown; i++) {
            difference(cg, t, r, unknown[i]);
        }
        left_side(cg, t, r, seq);
        text_put(t, "s");
    }
    if (it->kind == ITEM_SLOPE && it->detail != NONE && seq->active[it->detail]) {
        text_put(t, " - dv[");
        column_text(cg, t, r, COLUMN_DETAIL, 0);
        text_put(t, "]");
    }
    text_put(t, ";\n");
    cg->arrays = arrays;
}

static void solve_item(Codegen *cg, Text *t, const Item *it, const Sequence *seq)
{
    static const char *const names[] = {"kr_solve", "kr_solve_mixed", "kr_solve_tangent",
                                        "kr_solve_variation"};
    emit_indent(cg, t);
    if (seq->is_void) {
        text_printf(t, "%s(m, %u);\n", names[it->op], it->target);
    } else {
        text_printf(t, "if ((s = %s(m, %u)) != 0) return s;\n", names[it->op], it->target);
    }
}

static void comment(Codegen *cg, Text *t, const Run *r)
{
    const Item *it = &r->items[r->at];
    if (!cg->comments || it->eq == NONE || it->kind == ITEM_SOLVE) {
        return;
    }
    emit_indent(cg, t);
    text_put(t, "/* ");
    if (r->repeats > 1) {
        text_printf(t, "%u like ", r->repeats);
    }
    const char *s = dae_eq_print(cg->dae, it->eq, cg->scratch);
    for (; *s != '\0'; s++) {
        text_put_char(t, s[0] == '*' && s[1] == '/' ? '+' : *s);
    }
    text_put(t, " */\n");
}

/* Whether items from r->at on are tangents that call functions. A column of a Jacobian often leaves
 * the arguments of most calls as they are; then the calls are omitted. */
static bool may_be_still(Codegen *cg, const Run *r, uint32_t n)
{
    Calls calls = {.g = cg->g, .any = false};
    for (uint32_t i = 0; i < n; i++) {
        const Item *it = &r->items[r->at + i];
        if (it->kind != ITEM_TANGENT || !it->directed || it->op) {
            return false;
        }
        expr_walk(cg->g, it->e, look_for_any_call, &calls);
    }
    return calls.any;
}

/* The text of n tangents from r->at on, if a tangent of their operands is not zero. */
static void unless_still(Codegen *cg, Text *t, Run *r, const Sequence *seq, uint32_t n,
                         const Text *inner)
{
    uint32_t first = r->at;
    const char *between = "if (";
    emit_indent(cg, t);
    for (uint32_t i = 0; i < n; i++) {
        r->at = first + i;
        const Item *it = &r->items[r->at];
        for (uint32_t k = 0; k < it->n; k++) {
            if (is_active(cg, seq, it, k)) {
                text_put(t, between);
                tangent_of(cg, t, r, k);
                text_put(t, " != 0.0");
                between = " || ";
            }
        }
    }
    text_put(t, ") {\n");
    text_put_n(t, inner->at, inner->n);
    emit_indent(cg, t);
    text_put(t, "} else {\n");
    cg->indent++;
    for (uint32_t i = 0; i < n; i++) {
        r->at = first + i;
        left_side(cg, t, r, seq);
        text_put(t, "0.0;\n");
    }
    cg->indent--;
    emit_indent(cg, t);
    text_put(t, "}\n");
    r->at = first;
}

/* Writes item r->at, and those after it that share a call with it; returns how many. */
static uint32_t item_text(Codegen *cg, Text *t, Run *r, const Sequence *seq)
{
    const Item *it = &r->items[r->at];
    Joint joint = {.cg = cg, .r = r};
    find_sharing(&joint);
    uint32_t first = r->at;
    for (uint32_t i = 0; i < joint.n; i++) {
        r->at = first + i;
        comment(cg, t, r);
    }
    r->at = first;
    if (it->kind == ITEM_SOLVE) {
        solve_item(cg, t, it, seq);
        free_joint(&joint);
        return 1;
    }
    if (it->eq != NONE) {
        cg->span = cg->dae->eqs.at[it->eq].span;
    }
    cg->hole = print_hole;
    cg->hole_user = r;
    Text inner = {0};
    cg->indent++;
    if (joint.n > 1) {
        shared_items(&joint, &inner, seq);
    } else if (is_tangent(it) && !it->directed) {
        tangent_item(cg, &inner, r, seq);
    } else {
        value_item(cg, &inner, r, seq);
    }
    if (cg->arrays) {
        emit_indent(cg, &inner);
        text_put(&inner, "kr_release(m, mark);\n");
    }
    cg->indent--;
    const char *line_end = strchr(inner.at, '\n');
    if (may_be_still(cg, r, joint.n)) {
        unless_still(cg, t, r, seq, joint.n, &inner);
    } else if (line_end != NULL &&
               line_end[1] == '\0') { /* one statement needs no scope of its own */
        text_put(t, inner.at + 4);
    } else {
        emit_indent(cg, t);
        text_put(t, "{\n");
        text_put_n(t, inner.at, inner.n);
        emit_indent(cg, t);
        text_put(t, "}\n");
    }
    text_free(&inner);
    free_joint(&joint);
    return joint.n;
}

/* ---- runs ---- */

static bool alike(const Codegen *cg, const Sequence *seq, const Item *a, const Item *b)
{
    if (a->kind != b->kind || a->op != b->op || a->e != b->e || a->n != b->n ||
        (a->detail == NONE) != (b->detail == NONE)) {
        return false;
    }
    if (!is_tangent(a)) {
        return true;
    }
    if (a->detail != NONE && seq->active[a->detail] != seq->active[b->detail]) {
        return false;
    }
    for (uint32_t k = 0; k < a->n; k++) {
        if (is_active(cg, seq, a, k) != is_active(cg, seq, b, k)) {
            return false;
        }
    }
    return true;
}

static uint64_t hash_item(const Codegen *cg, const Sequence *seq, const Item *it)
{
    uint64_t h = hash_mix(it->kind, it->op);
    h = hash_mix(h, it->e);
    h = hash_mix(h, it->detail == NONE);
    for (uint32_t k = 0; is_tangent(it) && k < it->n; k++) {
        h = hash_mix(h, is_active(cg, seq, it, k));
    }
    return h >> 1;
}

static Walk look_for_wide_array(void *user, ExprId e)
{
    const Graph *g = user;
    return expr_op(g, e) == OP_ARRAY && expr_n(g, e) > MANY_OPERANDS ? WALK_END : WALK_ON;
}

/* A large array is passed as a whole if its values lie in a row, which a loop over items hides. */
static bool has_wide_array(const Graph *g, const Item *it)
{
    return it->n > MANY_OPERANDS &&
           !expr_walk_down(g, it->e, look_for_wide_array, (void *)(uintptr_t)g);
}

/* Like items get the same key; a solve is like no other. */
static void find_keys(Codegen *cg, Items *items, const Sequence *seq)
{
    Map seen = {0};
    for (uint32_t i = 0; i < items->n; i++) {
        Item *it = &items->at[i];
        it->key = i;
        if (it->kind == ITEM_SOLVE || has_wide_array(cg->g, it)) {
            continue;
        }
        uint64_t h = hash_item(cg, seq, it);
        uint32_t at;
        while ((at = map_get(&seen, h)) != MAP_NONE && !alike(cg, seq, &items->at[at], it)) {
            h = (h + 1) >> 1;
        }
        if (at == MAP_NONE) {
            map_put(&seen, h, i);
        } else {
            it->key = at;
        }
    }
    map_free(&seen);
}

/* Per item: the next one with the same key, or NONE. */
static uint32_t *find_next(const Items *items)
{
    uint32_t *next = memory_alloc((items->n + 1) * sizeof *next);
    uint32_t *last = memory_alloc((items->n + 1) * sizeof *last);
    for (uint32_t i = 0; i < items->n; i++) {
        uint32_t key = items->at[i].key;
        if (key != i) {
            next[last[key]] = i;
        }
        last[key] = i;
        next[i] = NONE;
    }
    memory_free(last);
    return next;
}

/* The longest repetition that starts at item i; repeats = 1 if none is worth a loop. */
static Run find_run(const Items *items, const uint32_t *next, uint32_t i)
{
    Run best = {&items->at[i], 1, 1, 0, NONE};
    uint32_t candidates = 0;
    for (uint32_t k = next[i]; k != NONE && k - i <= MAX_PERIOD && candidates++ < MAX_CANDIDATES;
         k = next[k]) {
        uint32_t p = k - i, j = i;
        while (j + p < items->n && items->at[j].key == items->at[j + p].key) {
            j++;
        }
        uint32_t repeats = (j - i) / p + 1;
        if (repeats >= MIN_RUN && repeats * p > best.repeats * best.period) {
            best.period = p;
            best.repeats = repeats;
        }
    }
    return best;
}

/* How many repetitions from the first on have columns that all grow evenly. */
static uint32_t even_prefix(const Codegen *cg, const Run *r)
{
    uint32_t even = r->repeats;
    Run at = *r;
    for (at.at = 0; at.at < r->period; at.at++) {
        const Item *it = &r->items[at.at];
        for (uint32_t c = 0; c < it->n + 2; c++) {
            ColumnKind kind = c == 0 ? COLUMN_TARGET : c == 1 ? COLUMN_DETAIL : COLUMN_OPERAND;
            uint32_t k = c < 2 ? 0 : c - 2;
            int64_t x0 = column_value(cg, &at, kind, k, 0),
                    x1 = even > 1 ? column_value(cg, &at, kind, k, 1) : 0;
            for (uint32_t j = 2; j < even; j++) {
                if ((int64_t)column_value(cg, &at, kind, k, j) != x0 + (x1 - x0) * j) {
                    even = j;
                }
            }
        }
    }
    return even;
}

/* Cuts the run if that saves tables: before an uneven repetition, or after an uneven first one. */
static void trim(const Codegen *cg, Run *r)
{
    uint32_t enough = r->repeats / 64 > 32 ? r->repeats / 64 : 32, even = even_prefix(cg, r);
    if (even == r->repeats || r->repeats < enough) {
        return;
    }
    if (even >= enough) {
        r->repeats = even;
        return;
    }
    Run rest = {r->items + r->period, r->period, r->repeats - 1, 0, NONE};
    if (even_prefix(cg, &rest) >= enough) {
        r->repeats = 1;
    }
}

static void run_text(Codegen *cg, Text *t, Run *r, const Sequence *seq)
{
    if (r->repeats > 1) {
        emit_indent(cg, t);
        text_printf(t, "for (unsigned j = 0; j < %u; j++) {\n", r->repeats);
        cg->indent++;
    }
    for (r->at = 0; r->at < r->period && !cg->failed;) {
        r->at += item_text(cg, t, r, seq);
    }
    if (r->repeats > 1) {
        cg->indent--;
        emit_indent(cg, t);
        text_put(t, "}\n");
    }
}

/* ---- functions ---- */

static void begin_piece(Codegen *cg, const Sequence *seq, uint32_t piece)
{
    text_printf(&cg->body, "\nstatic %s %s_%u(ModelData *m%s%s)\n{\n",
                seq->is_void ? "void" : "int", seq->name, piece,
                seq->out != NULL ? ", double *" : "", seq->out != NULL ? seq->out : "");
    text_put(&cg->body, "    double *v = m->v;\n");
    text_put(&cg->body, seq->active != NULL ? "    double *dv = m->dv;\n" : "");
    text_put(&cg->body, seq->is_void ? "" : "    int s = 0;\n");
}

static void end_piece(Codegen *cg, const Sequence *seq)
{
    text_put(&cg->body, seq->is_void ? "}\n" : "    return s;\n}\n");
}

static void call_pieces(Codegen *cg, const Sequence *seq, uint32_t n)
{
    Text *t = &cg->body;
    text_printf(t, "\nstatic %s %s(ModelData *m%s%s)\n{\n", seq->is_void ? "void" : "int",
                seq->name, seq->out != NULL ? ", double *" : "", seq->out != NULL ? seq->out : "");
    text_put(t, seq->is_void ? "" : "    int s;\n    m->status = 0;\n");
    for (uint32_t i = 0; i < n; i++) {
        const char *comma = seq->out != NULL ? ", " : "", *out = seq->out != NULL ? seq->out : "";
        text_printf(t,
                    seq->is_void ? "    %s_%u(m%s%s);\n"
                                 : "    if ((s = %s_%u(m%s%s)) != 0) return s;\n",
                    seq->name, i, comma, out);
    }
    text_put(t, seq->is_void ? "}\n" : "    return m->status;\n}\n");
}

/* Calls with records become calls without; tangents are derived first, by the annotations of the
 * functions with records. */
static void drop_records(Codegen *cg, Items *items)
{
    ExprId last = EXPR_NONE, to = EXPR_NONE;
    for (uint32_t i = 0; i < items->n && cg->g->functions.n > 0 && !cg->failed; i++) {
        Item *it = &items->at[i];
        if (it->kind == ITEM_SOLVE || is_tangent(it) || it->e == EXPR_NONE) {
            continue;
        }
        if (it->eq != NONE) {
            cg->span = cg->dae->eqs.at[it->eq].span;
        }
        to = it->e == last ? to : records_expression(cg, it->e);
        last = it->e;
        it->e = to;
    }
}

/* The tangent of an item along the tangents of all its operands at once. With calls that is one
 * call of each derivative function; for a long sum, the work does not grow with its square.
 * EXPR_NONE for other items, and if a derivative is not known. */
static ExprId directed_tangent(Codegen *cg, const Item *it, const Sequence *seq)
{
    Calls calls = {.g = cg->g, .any = false};
    uint32_t *rate = ARENA_ARRAY(cg->scratch, uint32_t, it->n + 1);
    expr_walk(cg->g, it->e, look_for_any_call, &calls);
    for (uint32_t k = 0; k < it->n; k++) {
        rate[k] = is_active(cg, seq, it, k) ? it->n + k : RATE_NONE;
    }
    bool wanted = calls.any || it->n > MANY_OPERANDS;
    ExprId e = wanted ? symbolic_direction(cg->dae->symbolic, it->e, rate, it->n) : EXPR_NONE;
    return e != EXPR_NONE ? records_expression(cg, e) : EXPR_NONE;
}

static void direct_tangents(Codegen *cg, Items *items, const Sequence *seq)
{
    for (uint32_t i = 0; i < items->n && !cg->failed; i++) {
        Item *it = &items->at[i];
        const Item *like = &items->at[it->key];
        if (!is_tangent(it)) {
            continue;
        }
        if (it->eq != NONE) {
            cg->span = cg->dae->eqs.at[it->eq].span;
        }
        ExprId e =
            like != it ? like->directed ? like->e : EXPR_NONE : directed_tangent(cg, it, seq);
        it->directed = e != EXPR_NONE;
        it->e = it->directed ? e : it->e;
    }
}

void assignments_function(Codegen *cg, Items *items, const Sequence *seq)
{
    drop_records(cg, items);
    find_keys(cg, items, seq);
    direct_tangents(cg, items, seq);
    uint32_t *next = find_next(items);
    cg->indent = 1;
    cg->escape = seq->is_void ? "return;" : "return m->status;";
    uint32_t pieces = 0, statements = 0;
    for (uint32_t i = 0; i < items->n && !cg->failed;) {
        Run r = find_run(items, next, i);
        trim(cg, &r);
        if (r.repeats == 1) {
            r.period = items->n - i < MOST_SHARING ? items->n - i : MOST_SHARING;
            r.period = sharing(cg, &r);
        }
        if (statements == 0) {
            begin_piece(cg, seq, pieces++);
        }
        run_text(cg, &cg->body, &r, seq);
        statements += r.period;
        i += r.period * r.repeats;
        if (statements >= PIECE) {
            end_piece(cg, seq);
            statements = 0;
        }
        arena_reset(cg->scratch);
    }
    memory_free(next);
    if (statements > 0) {
        end_piece(cg, seq);
    }
    call_pieces(cg, seq, pieces);
}
