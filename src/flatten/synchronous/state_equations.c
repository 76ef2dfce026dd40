/* The equations of state machines and of their states (Modelica 3.6, sections 17.3.1 to 17.3.5).
 *
 * A variable of a state keeps its value while the state is not active. An equation that only
 * relates variables of one state therefore holds at all times. An equation that uses previous or
 * outer variables holds while the state is active; it must be solved for a variable. The variable
 * may be declared outside (outer output). All definitions of a variable become one equation: v = if
 * active1 then e1 elseif active2 then e2 … else previous(v). */
#include "flatten/synchronous/state_machines.h"
#include "flatten/flat/flat_walk.h"

#include <stdio.h>

/* ---- expressions ---- */

typedef struct StateMap {
    Flattener *f;
    uint32_t machine; /* the state of ticksInState(); NO_STATE for none */
    StateUse use;
} StateMap;

static ExprId previous_of(Flattener *f, ExprId e)
{
    Graph *g = f->g;
    ExprId var = expr_op(g, e) == OP_INDEX ? expr_arg(g, e, 0) : e,
           plain = expr1(g, OP_PREVIOUS, expr_type(g, e), e);
    if (expr_op(g, var) != OP_VAR ||
        f->flat->vars.at[expr_index(g, var)].variability <= VARIES_PARAMETER)
        return plain;
    uint32_t s =
        is_of_machine(f, expr_index(g, var)) ? NO_STATE : state_of_var(f, expr_index(g, var));
    return s == NO_STATE
               ? plain
               : expr_if(g, f->machines->states.at[s].reset, flat_start_value(f->flat, e), plain);
}

static ExprId in_state(StateMap *w, ExprOp op)
{
    Flattener *f = w->f;
    ExprId now = expr_leaf(f->g, OP_TIME, T_REAL, 0);
    if (w->machine == NO_STATE)
        return op == OP_TICKS_IN_STATE ? expr_int(f->g, 0) : expr_real(f->g, 0.0);
    const Machine *x = &f->machines->all.at[w->machine];
    bool before = w->use == USE_IMMEDIATE;
    if (op == OP_TICKS_IN_STATE)
        return before ? x->ticks_before : x->ticks;
    return expr_sub(f->g, now, before ? x->entry_before : x->entry);
}

static ExprId state_leaf(void *user, Graph *g, ExprId e)
{
    StateMap *w = user;
    uint32_t s;
    switch (expr_op(g, e)) {
    case OP_PREVIOUS: return previous_of(w->f, expr_arg(g, e, 0));
    case OP_ACTIVE_STATE:
        s = map_get(&w->f->machines->by_comp, expr_index(g, e));
        return s == MAP_NONE ? expr_bool(g, false) : w->f->machines->states.at[s].active;
    case OP_TICKS_IN_STATE:
    case OP_TIME_IN_STATE: return in_state(w, expr_op(g, e));
    default: return EXPR_NONE;
    }
}

/* previous() with resets, activeState, ticksInState, timeInState as expressions over variables. */
static ExprId map_state_expr(Flattener *f, ExprId e, uint32_t machine, StateUse use)
{
    StateMap w = {f, machine, use};
    return e == EXPR_NONE ? e : expr_map(f->g, e, state_leaf, &w);
}

/* ---- queries ---- */

static void note_ops(Flattener *f)
{
    Graph *g = f->g;
    for (ExprId e = 1; e < g->nodes.n; e++) {
        f->machines->asks_ticks |= expr_op(g, e) == OP_TICKS_IN_STATE;
        f->machines->asks_time |= expr_op(g, e) == OP_TIME_IN_STATE;
    }
}

/* ---- variables and equations of a machine ---- */

static ExprId new_variable(Flattener *f, PathId parent, const char *name, TypeId type, ExprId start,
                           Span span)
{
    Flat *flat = f->flat;
    FlatVar v = {
        .type = type, .variability = VARIES_DISCRETE, .is_protected = true, .shared = &flat_plain};
    v.path = path_make(flat->paths, parent, library_name(f->lib, name), NULL, 0);
    v.start = start;
    v.span = span;
    vec_push(&flat->vars, v);
    return expr_leaf(f->g, OP_VAR, type, flat->vars.n - 1);
}

static ExprId previous(Flattener *f, ExprId e)
{
    return expr1(f->g, OP_PREVIOUS, expr_type(f->g, e), e);
}

static ExprId is_equal(Flattener *f, ExprId e, uint32_t number)
{
    return expr_compare(f->g, OP_EQ, e, expr_int(f->g, number));
}

static void define(Flattener *f, const Machine *x, ExprId lhs, ExprId rhs)
{
    FlatEq eq = {.kind = FLAT_EQUAL, .component = x->comp, .span = x->span, .lhs = lhs, .rhs = rhs};
    vec_push(&f->flat->eqs, eq);
}

static void declare_machine(Flattener *f, Machine *x)
{
    Graph *g = f->g;
    PathId at = f->machines->states.at[x->initial].path;
    ExprId zero = expr_int(g, 0);
    x->selected = new_variable(f, at, "$selected", T_INT, zero, x->span);
    x->fired = new_variable(f, at, "$fired", T_INT, zero, x->span);
    x->state = new_variable(f, at, "$state", T_INT, zero, x->span);
    x->in_final = new_variable(f, at, "$final", T_BOOL, expr_bool(g, false), x->span);
    if (f->machines->asks_ticks) {
        x->ticks = new_variable(f, at, "$ticks", T_INT, zero, x->span);
        x->ticks_before = new_variable(f, at, "$ticksBefore", T_INT, zero, x->span);
    }
    if (f->machines->asks_time) {
        x->entry = new_variable(f, at, "$entry", T_REAL, expr_real(g, 0.0), x->span);
        x->entry_before = new_variable(f, at, "$entryBefore", T_REAL, expr_real(g, 0.0), x->span);
    }
}

static void declare_state(Flattener *f, State *s)
{
    s->active = new_variable(f, s->path, "$active", T_BOOL, expr_bool(f->g, false), s->span);
    s->pending = new_variable(f, s->path, "$pending", T_BOOL, expr_bool(f->g, true), s->span);
    s->reset = new_variable(f, s->path, "$reset", T_BOOL, expr_bool(f->g, false), s->span);
}

/* Whether the machines inside a state have all reached final states; for immediate transitions, at
 * the previous tick. */
static ExprId all_final(Flattener *f, uint32_t state, bool immediate)
{
    ExprId all = expr_bool(f->g, true);
    for (uint32_t k = 0; k < f->machines->all.n; k++) {
        ExprId in_final = f->machines->all.at[k].in_final;
        if (f->machines->all.at[k].around == state)
            all = expr_and(f->g, all, immediate ? previous(f, in_final) : in_final);
    }
    return all;
}

/* The number of the transition from state `from` that is to fire, from 1; 0 for none. */
static ExprId choose(Flattener *f, uint32_t k, bool immediate, ExprId from)
{
    Graph *g = f->g;
    const Machines *m = f->machines;
    const Machine *x = &m->all.at[k];
    ExprId chosen = expr_int(g, 0);
    for (uint32_t i = 0; i < x->n; i++) {
        const Transition *t = &f->transitions.at[m->order.at[x->first + i]];
        uint32_t s = map_get(&m->by_comp, t->from.comp);
        if (t->immediate != immediate)
            continue;
        ExprId c = map_state_expr(f, t->condition, k, immediate ? USE_IMMEDIATE : USE_DELAYED);
        if (t->synchronize)
            c = expr_and(g, c, all_final(f, s, immediate));
        c = expr_if(g, is_equal(f, from, m->states.at[s].number), c, expr_bool(g, false));
        chosen = expr_if(g, c, expr_int(g, i + 1), chosen);
    }
    return chosen;
}

/* if fired == 1 then value(1) elseif … else otherwise */
static ExprId by_fired(Flattener *f, const Machine *x, bool want_reset, ExprId otherwise)
{
    Graph *g = f->g;
    const Machines *m = f->machines;
    for (uint32_t i = 0; i < x->n; i++) {
        const Transition *t = &f->transitions.at[m->order.at[x->first + i]];
        uint32_t to = m->states.at[map_get(&m->by_comp, t->to.comp)].number;
        ExprId value = want_reset ? expr_bool(g, t->reset) : expr_int(g, to);
        otherwise = expr_if(g, is_equal(f, x->fired, i + 1), value, otherwise);
    }
    return otherwise;
}

static void count_ticks(Flattener *f, const Machine *x, ExprId reset)
{
    Graph *g = f->g;
    ExprId entered = reset, now = expr_leaf(g, OP_TIME, T_REAL, 0), one = expr_int(g, 1);
    if (x->around != NO_STATE) { /* a transition to the enclosing state starts again */
        const Machine *outer = &f->machines->all.at[f->machines->states.at[x->around].machine];
        entered = expr_or(g, entered, expr_compare(g, OP_GT, outer->fired, expr_int(g, 0)));
    }
    ExprId left = expr_or(g, entered, expr_compare(g, OP_GT, x->fired, expr_int(g, 0)));
    if (x->ticks) {
        define(f, x, x->ticks_before,
               expr_if(g, entered, one, expr_add(g, previous(f, x->ticks), one)));
        define(f, x, x->ticks, expr_if(g, left, one, x->ticks_before));
    }
    if (x->entry) {
        define(f, x, x->entry_before, expr_if(g, entered, now, previous(f, x->entry)));
        define(f, x, x->entry, expr_if(g, left, now, x->entry_before));
    }
}

static void state_equations(Flattener *f, const Machine *x, ExprId active, ExprId reset)
{
    Graph *g = f->g;
    Machines *m = f->machines;
    uint32_t k = (uint32_t)(x - m->all.at);
    ExprId by_transition = by_fired(f, x, true, expr_bool(g, false)), final = expr_bool(g, false);
    for (uint32_t i = 0; i < m->states.n; i++) {
        const State *s = &m->states.at[i];
        if (s->machine != k)
            continue;
        ExprId here = is_equal(f, x->state, s->number),
               waits = expr_or(g, reset, previous(f, s->pending));
        define(f, x, s->active, expr_and(g, active, here));
        define(f, x, s->pending,
               expr_if(g, active, expr_if(g, here, expr_bool(g, false), waits),
                       previous(f, s->pending)));
        define(f, x, s->reset, expr_and(g, s->active, expr_or(g, by_transition, waits)));
        final = s->is_final ? expr_or(g, final, here) : final;
    }
    define(f, x, x->in_final, final);
}

/* Section 17.3.4. */
static void machine_equations(Flattener *f, uint32_t k)
{
    Graph *g = f->g;
    const Machines *m = f->machines;
    const Machine *x = &m->all.at[k];
    bool top = x->around == NO_STATE;
    ExprId active = top ? expr_bool(g, true) : m->states.at[x->around].active;
    ExprId reset =
        top ? expr_make(g, OP_FIRST_TICK, T_BOOL, 0, NULL, 0) : m->states.at[x->around].reset;
    ExprId first = expr_int(g, 1), delayed = choose(f, k, false, x->state),
           fired = choose(f, k, true, x->selected);
    define(f, x, x->selected, expr_if(g, reset, first, previous(f, x->state)));
    if (expr_op(g, delayed) != OP_INT) {
        ExprId d = new_variable(f, m->states.at[x->initial].path, "$delayed", T_INT, expr_int(g, 0),
                                x->span);
        define(f, x, d, delayed);
        fired = expr_apply(g, OP_MAX, T_INT, 0, (ExprId[]){previous(f, d), fired}, 2);
    }
    ExprId may_fire = expr_and(g, active, expr_not(g, reset));
    define(f, x, x->fired, expr_if(g, may_fire, fired, expr_int(g, 0)));
    define(f, x, x->state, by_fired(f, x, false, x->selected));
    state_equations(f, x, active, reset);
    count_ticks(f, x, reset);
}

/* ---- equations of states ---- */

/* The definitions that states give for one variable, or for one of its elements. */
typedef struct Definition {
    ExprId target, value;
    ExprId clock; /* of the when around it; EXPR_NONE for none */
    uint32_t state;
    uint32_t next; /* of the same target, + 1 */
    Span span;
} Definition;

typedef struct Rewrite {
    Flattener *f;
    FlatEqs out;
    VEC(Definition) defs;
    Map first, last; /* target → index in defs */
    uint32_t state;  /* of the equation at work */
    ExprId clock;
} Rewrite;

static ExprId active_of(const Rewrite *r)
{
    return r->f->machines->states.at[r->state].active;
}

static Walk find_foreign(void *user, ExprId e)
{
    const Rewrite *r = user;
    const Flattener *f = r->f;
    const Graph *g = f->g;
    ExprOp op = expr_op(g, e);
    bool local = true;
    if (op == OP_VAR && f->flat->vars.at[expr_index(g, e)].variability > VARIES_PARAMETER)
        local = !is_of_machine(f, expr_index(g, e)) &&
                is_within(f->machines, state_of_var(f, expr_index(g, e)), r->state);
    else if (op_behaviour(op) == VALUE_DISCRETE || op_behaviour(op) == VALUE_CONTINUOUS ||
             op_class(op) == CLASS_CLOCK || op_class(op) == CLASS_NAME ||
             op_class(op) == CLASS_MACHINE ||
             (op == OP_CALL && g->functions.at[expr_index(g, e)]->impure))
        local = false;
    return local ? WALK_ON : WALK_END;
}

/* Whether an expression of a state keeps its value while the state is not active. */
static bool is_local(const Rewrite *r, ExprId e)
{
    return expr_walk_down(r->f->g, e, find_foreign, (void *)(uintptr_t)r);
}

static bool is_target(const Rewrite *r, ExprId e)
{
    const Graph *g = r->f->g;
    for (uint32_t i = 1; expr_op(g, e) == OP_INDEX && i < expr_n(g, e); i++)
        if (expr_op(g, expr_arg(g, e, i)) != OP_INT)
            return false;
    if (expr_op(g, e) == OP_INDEX)
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_VAR &&
           r->f->flat->vars.at[expr_index(g, e)].variability > VARIES_PARAMETER;
}

static void report_unsolved(const Rewrite *r, Span span)
{
    diag(r->f->ctx, span, DIAG_F019, "this equation of state '%s' is not solved for a variable",
         path_text(r->f->flat->paths, r->f->machines->states.at[r->state].path, r->f->lib->arena));
    report_rule(
        r->f->lib, "17.3.5",
        "an equation of a state that uses previous or outer variables must have the form v = …");
}

/* target = value, if `path` (EXPR_NONE: always) is true and the state is active. */
static void assign(Rewrite *r, ExprId target, ExprId value, ExprId path, Span span)
{
    Graph *g = r->f->g;
    uint32_t last = map_get(&r->last, target);
    Definition *d = last == MAP_NONE ? NULL : &r->defs.at[last];
    if (d && d->state == r->state && path != EXPR_NONE) {
        d->value = expr_if(g, path, value, d->value);
        return;
    }
    if (path != EXPR_NONE)
        value = expr_if(g, path, value, previous_of(r->f, target));
    if (d)
        d->next = r->defs.n + 1;
    else
        map_put(&r->first, target, r->defs.n);
    map_put(&r->last, target, r->defs.n);
    vec_push(&r->defs, ((Definition){target, value, r->clock, r->state, 0, span}));
}

static void guard_list(Rewrite *r, const FlatEq *eqs, uint32_t n, ExprId path);

static ExprId guard_of(const Rewrite *r, ExprId path)
{
    return path == EXPR_NONE ? active_of(r) : expr_and(r->f->g, active_of(r), path);
}

static Stmt *one_stmt(const Rewrite *r, Stmt s)
{
    Stmt *out = ARENA_NEW(r->f->flat->arena, Stmt);
    *out = s;
    return out;
}

/* if active then … end if: variables that are not assigned keep their values. */
static void guard_algorithm(Rewrite *r, FlatEq eq)
{
    StmtBranch *b = ARENA_NEW(r->f->flat->arena, StmtBranch);
    *b = (StmtBranch){active_of(r), eq.stmts, eq.n_stmts};
    eq.stmts =
        one_stmt(r, (Stmt){.kind = STMT_IF, .span = eq.span, .branches = b, .n_branches = 1});
    eq.n_stmts = 1;
    vec_push(&r->out, eq);
}

static void guard_effect(Rewrite *r, FlatEq eq, ExprId path)
{
    Graph *g = r->f->g;
    if (eq.kind == FLAT_ASSERT) {
        eq.lhs = expr_or(g, expr_not(g, guard_of(r, path)), eq.lhs);
    } else {
        FlatEq *body = ARENA_NEW(r->f->flat->arena, FlatEq);
        FlatBranch *b = ARENA_NEW(r->f->flat->arena, FlatBranch);
        *body = eq;
        *b = (FlatBranch){guard_of(r, path), body, 1, eq.span};
        eq = (FlatEq){.kind = FLAT_IF,
                      .component = eq.component,
                      .span = eq.span,
                      .branches = b,
                      .n_branches = 1};
    }
    vec_push(&r->out, eq);
}

/* (a, b) = f(…): the results one by one. */
static void guard_tuple(Rewrite *r, const FlatEq *eq, ExprId path)
{
    Graph *g = r->f->g;
    for (uint32_t i = 0; i < expr_n(g, eq->lhs); i++) {
        ExprId to = expr_arg(g, eq->lhs, i);
        if (to == EXPR_NONE)
            continue;
        ExprId value = expr_op(g, eq->rhs) == OP_TUPLE
                           ? expr_arg(g, eq->rhs, i)
                           : expr_make(g, OP_OUT, expr_type(g, to), i, &eq->rhs, 1);
        if (is_target(r, to))
            assign(r, to, value, path, eq->span);
        else
            report_unsolved(r, eq->span);
    }
}

static void guard_equal(Rewrite *r, const FlatEq *eq, ExprId path)
{
    if (expr_op(r->f->g, eq->lhs) == OP_TUPLE)
        guard_tuple(r, eq, path);
    else if (is_target(r, eq->lhs))
        assign(r, eq->lhs, eq->rhs, path, eq->span);
    else if (is_target(r, eq->rhs))
        assign(r, eq->rhs, eq->lhs, path, eq->span);
    else
        report_unsolved(r, eq->span);
}

static void guard_branches(Rewrite *r, const FlatEq *eq, ExprId path)
{
    Graph *g = r->f->g;
    ExprId rest = path;
    for (uint32_t k = 0; k < eq->n_branches; k++) {
        ExprId c = eq->branches[k].condition ? eq->branches[k].condition : expr_bool(g, true);
        guard_list(r, eq->branches[k].body, eq->branches[k].n, rest ? expr_and(g, rest, c) : c);
        rest = rest ? expr_and(g, rest, expr_not(g, c)) : expr_not(g, c);
    }
}

/* An equation that holds while the state is active. */
static void guard(Rewrite *r, const FlatEq *eq, ExprId path)
{
    switch ((FlatEqKind)eq->kind) {
    case FLAT_EQUAL: guard_equal(r, eq, path); break;
    case FLAT_IF: guard_branches(r, eq, path); break;
    case FLAT_WHEN:
        if (expr_type(r->f->g, eq->branches[0].condition) != T_CLOCK) {
            vec_push(&r->out, *eq);
            break;
        }
        r->clock = eq->branches[0].condition;
        guard_list(r, eq->branches[0].body, eq->branches[0].n, path);
        r->clock = EXPR_NONE;
        break;
    case FLAT_ALGORITHM: guard_algorithm(r, *eq); break;
    case FLAT_ASSERT:
    case FLAT_TERMINATE:
    case FLAT_CALL:
    case FLAT_REINIT: guard_effect(r, *eq, path); break;
    }
}

static void guard_list(Rewrite *r, const FlatEq *eqs, uint32_t n, ExprId path)
{
    for (uint32_t i = 0; i < n; i++)
        guard(r, &eqs[i], path);
}

static bool is_local_equation(const Rewrite *r, const FlatEq *eq)
{
    return eq->kind == FLAT_EQUAL && is_local(r, eq->lhs) && is_local(r, eq->rhs);
}

/* ---- all equations ---- */

static void map_slot(void *user, ExprId *e)
{
    const StateMap *m = user;
    *e = map_state_expr(m->f, *e, m->machine, m->use);
}

static void map_equation(Flattener *f, FlatEq *eq, uint32_t machine)
{
    flat_each_slot(eq, 1, map_slot, &(StateMap){f, machine, USE_EQUATION});
}

static uint32_t variable_of(const Graph *g, ExprId target)
{
    return expr_index(g, expr_op(g, target) == OP_INDEX ? expr_arg(g, target, 0) : target);
}

static void report_parallel(const Rewrite *r, const Definition *a, const Definition *b)
{
    Flattener *f = r->f;
    diag(f->ctx, b->span, DIAG_F019,
         "'%s' is defined by states that may be active at the same tick",
         flat_var_name(f->flat, variable_of(f->g, a->target), f->lib->arena));
    diag_note(f->ctx, a->span, "the other definition is here");
    report_rule(f->lib, "17.3.5", "definitions are merged only if their states exclude each other");
}

/* The single equation of a variable that several states may define. */
static void merge(Rewrite *r, uint32_t first)
{
    Flattener *f = r->f;
    Graph *g = f->g;
    ExprId target = r->defs.at[first].target, value = previous_of(f, target), clock = EXPR_NONE;
    for (uint32_t i = first + 1; i; i = r->defs.at[i - 1].next) {
        const Definition *d = &r->defs.at[i - 1];
        for (uint32_t k = first + 1; k != i; k = r->defs.at[k - 1].next)
            if (!are_exclusive(f->machines, r->defs.at[k - 1].state, d->state)) {
                report_parallel(r, &r->defs.at[k - 1], d);
                return;
            }
        clock = d->clock ? d->clock : clock;
        value = expr_if(g, f->machines->states.at[d->state].active, d->value, value);
    }
    const Definition *d = &r->defs.at[first];
    uint32_t comp = f->machines->states.at[d->state].at.comp;
    FlatEq eq = {
        .kind = FLAT_EQUAL, .component = comp, .span = d->span, .lhs = target, .rhs = value};
    if (clock) {
        FlatEq *body = ARENA_NEW(f->flat->arena, FlatEq);
        FlatBranch *b = ARENA_NEW(f->flat->arena, FlatBranch);
        *body = eq;
        *b = (FlatBranch){clock, body, 1, eq.span};
        eq = (FlatEq){
            .kind = FLAT_WHEN, .component = comp, .span = d->span, .branches = b, .n_branches = 1};
    }
    vec_push(&r->out, eq);
}

static void rewrite_equations(Flattener *f)
{
    Rewrite r = {.f = f};
    for (uint32_t i = 0; i < f->flat->eqs.n; i++) {
        FlatEq eq = f->flat->eqs.at[i];
        r.state = f->machines->comp_state[eq.component];
        bool in_state = r.state != NO_STATE && !eq.initial;
        bool local = in_state && is_local_equation(&r, &eq);
        map_equation(f, &eq,
                     r.state == NO_STATE ? NO_STATE : f->machines->states.at[r.state].machine);
        if (in_state && !local)
            guard(&r, &eq, EXPR_NONE);
        else
            vec_push(&r.out, eq);
    }
    for (uint32_t i = 0; i < r.defs.n; i++)
        if (map_get(&r.first, r.defs.at[i].target) == i)
            merge(&r, i);
    for (uint32_t i = 0; i < r.defs.n; i++)
        map_put(&f->machines->defined, variable_of(f->g, r.defs.at[i].target), r.defs.at[i].state);
    vec_free(&f->flat->eqs);
    f->flat->eqs.at = r.out.at;
    f->flat->eqs.n = r.out.n;
    f->flat->eqs.cap = r.out.cap;
    vec_free(&r.defs);
    map_free(&r.first);
    map_free(&r.last);
}

/* ---- immediate transitions ---- */

/* The state of machine k, or inside one, that computes a variable at each tick; NO_STATE for none.
 */
static uint32_t computed_by(const Flattener *f, uint32_t var, uint32_t k)
{
    const Machines *m = f->machines;
    uint32_t s = map_get(&m->defined, var);
    if (s == MAP_NONE)
        s = is_of_machine(f, var) ? NO_STATE : state_of_var(f, var);
    while (s != NO_STATE && m->states.at[s].machine != k)
        s = m->states.at[s].around;
    return s;
}

typedef struct Immediate {
    Flattener *f;
    const Transition *transition;
    uint32_t machine;
} Immediate;

static Walk check_awaited(void *user, ExprId e)
{
    const Immediate *w = user;
    Flattener *f = w->f;
    const Graph *g = f->g;
    if (expr_op(g, e) == OP_PREVIOUS || expr_op(g, e) == OP_CLOCKED_SAMPLE)
        return WALK_PAST;
    uint32_t s = expr_op(g, e) == OP_VAR ? computed_by(f, expr_index(g, e), w->machine) : NO_STATE;
    if (s == NO_STATE)
        return WALK_ON;
    const char *name = flat_var_name(f->flat, expr_index(g, e), f->lib->arena);
    diag(f->ctx, w->transition->span, DIAG_F019,
         "the condition of this immediate transition depends on '%s', which state '%s' "
         "computes at the same tick",
         name, path_text(f->flat->paths, f->machines->states.at[s].path, f->lib->arena));
    diag_note(f->ctx, (Span){0}, "write immediate = false, or previous(%s)", name);
    report_rule(f->lib, "17.3.1",
                "immediate transitions fire before the equations of the state that they lead "
                "to are active");
    return WALK_END;
}

/* Reports an immediate transition whose condition depends on a result of the machine's states at
 * the same tick. */
static void check_immediate(Flattener *f, const Transition *t)
{
    uint32_t from = map_get(&f->machines->by_comp, t->from.comp);
    Immediate w = {f, t, f->machines->states.at[from].machine};
    expr_walk_down(f->g, t->condition, check_awaited, &w);
}

static void check_active(Flattener *f)
{
    for (ExprId e = f->first_node; e < f->g->nodes.n; e++) /* those before are of other models */
        if (expr_op(f->g, e) == OP_ACTIVE_STATE &&
            (!f->machines || map_get(&f->machines->by_comp, expr_index(f->g, e)) == MAP_NONE)) {
            diag(f->ctx, f->flat->span, DIAG_F019,
                 "activeState of '%s', which is not a state of a state machine",
                 path_text(f->flat->paths, f->comp_path[expr_index(f->g, e)], f->lib->arena));
            report_rule(f->lib, "17.1", "a state is named by a transition or by initialState");
        }
}

void run_machines(Flattener *f)
{
    Machines *m = f->machines;
    if (f->ctx->n_errors)
        return;
    check_active(f);
    if (!m || f->ctx->n_errors)
        return;
    note_ops(f);
    m->first_var = f->flat->vars.n;
    for (uint32_t k = 0; k < m->all.n; k++)
        declare_machine(f, &m->all.at[k]);
    for (uint32_t s = 0; s < m->states.n; s++)
        declare_state(f, &m->states.at[s]);
    rewrite_equations(f);
    for (uint32_t i = 0; i < f->transitions.n; i++)
        if (f->transitions.at[i].condition && f->transitions.at[i].immediate)
            check_immediate(f, &f->transitions.at[i]);
    for (uint32_t k = 0; k < m->all.n; k++)
        machine_equations(f, k);
}
