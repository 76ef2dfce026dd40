/* State machines (Modelica 3.6, chapter 17): their states, and the equations that choose the active
 * states.
 *
 * In: the transitions and initialState equations of all components. Out: clocked equations. States
 * that transitions join are a machine. Its equations are those of section 17.3.4. Each state has a
 * Boolean that is true if it is active, and one that is true if it is reset. state_equations.c
 * makes the equations of the states themselves. */
#include "flatten/synchronous/state_machines.h"

#include <stdlib.h>

/* ---- reading transitions ---- */

bool is_transition(const AstExpr *call)
{
    return call->kind == AST_CALL && call->ref && call->ref->n == 1 &&
           (!strcmp(call->ref->parts[0].name, "transition") ||
            !strcmp(call->ref->parts[0].name, "initialState"));
}

static const char *const transition_args[] = {"from",  "to",          "condition", "immediate",
                                              "reset", "synchronize", "priority"};
static const char *const initial_args[] = {"state"};

/* Argument i of the call; NULL if it is not given. */
static const AstExpr *given(const AstExpr *call, const char *const *names, uint32_t i)
{
    if (i < call->args.n)
        return call->args.at[i];
    for (uint32_t k = 0; k < call->named.n; k++)
        if (!strcmp(call->named.at[k].name, names[i]))
            return call->named.at[k].value;
    return NULL;
}

/* Every argument has a place, and the first n are given. False after an error. */
static bool check_arguments(Flattener *f, const AstExpr *call, const char *const *names,
                            uint32_t count, uint32_t n)
{
    const char *name = call->ref->parts[0].name;
    if (call->args.n > count) {
        diag(f->ctx, call->span, DIAG_I104, "%s takes at most %u argument%s, %u are given", name,
             count, count == 1 ? "" : "s", call->args.n);
        return false;
    }
    for (uint32_t k = 0; k < call->named.n; k++) {
        uint32_t i = 0;
        while (i < count && strcmp(names[i], call->named.at[k].name))
            i++;
        if (i < call->args.n || i == count) {
            diag(f->ctx, call->named.at[k].span, i == count ? DIAG_I105 : DIAG_I106,
                 i == count ? "%s has no argument %s" : "argument %2$s of %1$s is given twice",
                 name, call->named.at[k].name);
            return false;
        }
    }
    for (uint32_t i = 0; i < n; i++)
        if (!given(call, names, i)) {
            diag(f->ctx, call->span, DIAG_I107, "argument %s of %s is missing", names[i], name);
            return false;
        }
    return true;
}

/* A block of the class with the transition. */
static bool state_argument(NameScope *names, const AstExpr *e, const char *what, RefComponent *out)
{
    Library *lib = names->lib;
    if (e->kind != AST_REF) {
        diag(lib->ctx, e->span, DIAG_F019, "the %s must be the name of a block", what);
        return false;
    }
    if (!resolve_component(names, e->ref, out))
        return false;
    AstRestriction r = out->inst->cls->restriction;
    if (r != AST_BLOCK && r != AST_MODEL && r != AST_CLASS) {
        diag(lib->ctx, e->span, DIAG_F019, "'%s' is a %s; a state must be a block",
             ast_print_ref(e->ref, lib->arena), restriction_text(r));
        report_rule(lib, "17.1",
                    "any block instance without continuous-time equations can be a state");
        return false;
    }
    if (out->inst->parent == names->scope.inst)
        return true;
    diag(lib->ctx, e->span, DIAG_F019, "'%s' is not a component of this class",
         ast_print_ref(e->ref, lib->arena));
    report_rule(lib, "17.1",
                "the states of a machine are instances at the same level of the hierarchy");
    return false;
}

static bool parameter_argument(NameScope *names, const AstExpr *call, uint32_t i, TypeId type,
                               double otherwise, double *out)
{
    const AstExpr *e = given(call, transition_args, i);
    *out = otherwise;
    if (!e)
        return true;
    const char *what =
        arena_printf(names->lib->arena, "argument %s of transition", transition_args[i]);
    ExprId x = type_expr_as(&names->type, e, type, what);
    Value v;
    if (x == EXPR_NONE || inst_evaluate(names, x, e->span, what, &v) != EVAL_OK)
        return false;
    *out = v.num;
    return true;
}

static bool read_options(Flattener *f, NameScope *names, const AstExpr *call, Transition *t)
{
    double immediate, reset, synchronize, priority;
    if (!parameter_argument(names, call, 3, T_BOOL, 1, &immediate) ||
        !parameter_argument(names, call, 4, T_BOOL, 1, &reset) ||
        !parameter_argument(names, call, 5, T_BOOL, 0, &synchronize) ||
        !parameter_argument(names, call, 6, T_INT, 1, &priority))
        return false;
    t->immediate = immediate != 0;
    t->reset = reset != 0;
    t->synchronize = synchronize != 0;
    t->priority = (int64_t)priority;
    if (t->priority >= 1)
        return true;
    diag(f->ctx, given(call, transition_args, 6)->span, DIAG_F019,
         "the priority of a transition is %lld; it must be at least 1", (long long)t->priority);
    report_rule(f->lib, "17.1", "priorities start at 1, the highest");
    return false;
}

void make_transition(Flattener *f, NameScope *names, const AstEq *eq)
{
    const AstExpr *call = eq->lhs;
    bool initial = !strcmp(call->ref->parts[0].name, "initialState");
    const char *const *args = initial ? initial_args : transition_args;
    Transition t = {.comp = f->at->comp_at, .span = eq->span};
    if (!check_arguments(f, call, args, initial ? 1 : 7, initial ? 1 : 3) ||
        !state_argument(names, given(call, args, 0),
                        initial ? "initial state" : "first state of a transition", &t.from))
        return;
    t.to = t.from;
    if (!initial) {
        t.condition = type_expr_as(&names->type, given(call, args, 2), T_BOOL,
                                   "the condition of a transition");
        if (!state_argument(names, given(call, args, 1), "second state of a transition", &t.to) ||
            t.condition == EXPR_NONE || !read_options(f, names, call, &t))
            return;
    }
    vec_push(&f->transitions, t);
}

/* ---- machines ---- */

static const char *state_name(const Flattener *f, uint32_t s)
{
    return path_text(f->flat->paths, f->machines->states.at[s].path, f->lib->arena);
}

static uint32_t add_state(Flattener *f, RefComponent at, Span span)
{
    Machines *m = f->machines;
    uint32_t s = map_get(&m->by_comp, at.comp);
    if (s != MAP_NONE)
        return s;
    s = m->states.n;
    State state = {.at = at,
                   .path = f->comp_path[at.comp],
                   .machine = s,
                   .around = NO_STATE,
                   .is_final = true,
                   .span = span};
    vec_push(&m->states, state);
    map_put(&m->by_comp, at.comp, s);
    map_put(&m->by_path, state.path, s);
    return s;
}

/* While machines are found, State.machine is the parent in a forest. */
static uint32_t find(Machines *m, uint32_t s)
{
    while (m->states.at[s].machine != s)
        s = m->states.at[s].machine = m->states.at[m->states.at[s].machine].machine;
    return s;
}

static void join_states(Flattener *f)
{
    Machines *m = f->machines;
    for (uint32_t i = 0; i < f->transitions.n; i++) {
        const Transition *t = &f->transitions.at[i];
        uint32_t a = add_state(f, t->from, t->span), b = add_state(f, t->to, t->span);
        m->states.at[a].is_final &= t->condition == EXPR_NONE;
        uint32_t x = find(m, a), y = find(m, b);
        m->states.at[x > y ? x : y].machine = x < y ? x : y;
    }
}

/* Numbers machines and their states; the initial state is the first. */
static void number_machines(Flattener *f)
{
    Machines *m = f->machines;
    uint32_t *number = memory_alloc((m->states.n + 1) * sizeof *number);
    for (uint32_t s = 0; s < m->states.n; s++)
        if (find(m, s) == s) {
            number[s] = m->all.n;
            vec_push(
                &m->all,
                ((Machine){.initial = NO_STATE, .around = NO_STATE, .span = m->states.at[s].span}));
        }
    for (uint32_t s = m->states.n; s-- > 0;)
        m->states.at[s].machine = number[find(m, s)];
    memory_free(number);
    for (uint32_t i = 0; i < f->transitions.n; i++) {
        const Transition *t = &f->transitions.at[i];
        uint32_t s = map_get(&m->by_comp, t->from.comp);
        Machine *x = &m->all.at[m->states.at[s].machine];
        x->comp = t->comp;
        if (t->condition != EXPR_NONE)
            continue;
        if (x->initial == NO_STATE) {
            x->initial = s;
            x->span = t->span;
        } else {
            diag(f->ctx, t->span, DIAG_F019, "'%s' and '%s' are both initial states of one machine",
                 state_name(f, x->initial), state_name(f, s));
            diag_note(f->ctx, x->span, "the other initial state is named here");
            report_rule(f->lib, "17.1",
                        "one and only one instance in each state machine is initial");
        }
    }
    for (uint32_t k = 0; k < m->all.n; k++)
        if (m->all.at[k].initial != NO_STATE)
            m->states.at[m->all.at[k].initial].number = ++m->all.at[k].n_states;
    for (uint32_t s = 0; s < m->states.n; s++)
        if (!m->states.at[s].number)
            m->states.at[s].number = ++m->all.at[m->states.at[s].machine].n_states;
}

static void check_initial(Flattener *f)
{
    for (uint32_t k = 0; k < f->machines->all.n; k++) {
        const Machine *x = &f->machines->all.at[k];
        if (x->initial != NO_STATE)
            continue;
        diag(f->ctx, x->span, DIAG_F019,
             "the state machine of this transition has no initial state");
        report_rule(f->lib, "17.1", "name one of its states with initialState(…)");
    }
}

/* ---- order of transitions ---- */

static int by_priority(const void *a, const void *b, void *user)
{
    const Flattener *f = user;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const Transition *x = &f->transitions.at[i], *y = &f->transitions.at[j];
    const Machines *m = f->machines;
    uint32_t k = m->states.at[map_get(&m->by_comp, x->from.comp)].machine;
    uint32_t l = m->states.at[map_get(&m->by_comp, y->from.comp)].machine;
    if (k != l)
        return k < l ? -1 : 1;
    if (x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    if (x->from.comp != y->from.comp)
        return x->from.comp < y->from.comp ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* Transitions by machine, the lowest number of priority last. */
static void order_transitions(Flattener *f)
{
    Machines *m = f->machines;
    for (uint32_t i = 0; i < f->transitions.n; i++)
        if (f->transitions.at[i].condition != EXPR_NONE)
            vec_push(&m->order, i);
    if (m->order.n)
        qsort_r(m->order.at, m->order.n, sizeof *m->order.at, by_priority, f);
    for (uint32_t i = 0; i < m->order.n; i++) {
        const Transition *t = &f->transitions.at[m->order.at[i]],
                         *before = i ? &f->transitions.at[m->order.at[i - 1]] : NULL;
        uint32_t s = map_get(&m->by_comp, t->from.comp);
        Machine *x = &m->all.at[m->states.at[s].machine];
        x->first = x->n++ ? x->first : i;
        if (!before || before->from.comp != t->from.comp || before->priority != t->priority)
            continue;
        diag(f->ctx, t->span, DIAG_F019, "two transitions from '%s' have priority %lld",
             state_name(f, s), (long long)t->priority);
        diag_note(f->ctx, before->span, "the other transition is here");
        report_rule(f->lib, "17.1",
                    "all transitions that leave one state have different priorities");
    }
}

/* ---- nesting ---- */

static int by_size(const void *a, const void *b, void *user)
{
    const Machines *m = user;
    const State *x = &m->states.at[*(const uint32_t *)a], *y = &m->states.at[*(const uint32_t *)b];
    uint32_t n = x->at.inst->n_comps, k = y->at.inst->n_comps;
    return n != k ? (n > k ? -1 : 1) : x->at.comp < y->at.comp ? -1 : x->at.comp > y->at.comp;
}

static void nest_states(Flattener *f)
{
    Machines *m = f->machines;
    m->comp_state = memory_alloc((f->n_comps + 1) * sizeof *m->comp_state);
    memset(m->comp_state, 0xFF, (f->n_comps + 1) * sizeof *m->comp_state);
    uint32_t *order = memory_alloc((m->states.n + 1) * sizeof *order);
    for (uint32_t i = 0; i < m->states.n; i++)
        order[i] = i;
    qsort_r(order, m->states.n, sizeof *order, by_size, m);
    for (uint32_t i = 0; i < m->states.n; i++) {
        const State *s = &m->states.at[order[i]];
        for (uint32_t c = 0; c < s->at.inst->n_comps; c++)
            m->comp_state[s->at.comp + c] = order[i];
    }
    memory_free(order);
    for (uint32_t k = 0; k < m->all.n; k++)
        m->all.at[k].around = m->comp_state[m->all.at[k].comp];
    for (uint32_t s = 0; s < m->states.n; s++)
        m->states.at[s].around = m->all.at[m->states.at[s].machine].around;
}

void find_machines(Flattener *f)
{
    if (!f->transitions.n || f->ctx->n_errors)
        return;
    f->machines = memory_alloc(sizeof *f->machines);
    join_states(f);
    number_machines(f);
    check_initial(f);
    order_transitions(f);
    nest_states(f);
}

void machines_free(Machines *m)
{
    if (!m)
        return;
    vec_free(&m->states);
    vec_free(&m->all);
    vec_free(&m->order);
    map_free(&m->by_comp);
    map_free(&m->by_path);
    map_free(&m->defined);
    memory_free(m->comp_state);
    memory_free(m);
}

/* ---- queries about states ---- */

bool is_within(const Machines *m, uint32_t state, uint32_t around)
{
    while (state != NO_STATE && state != around)
        state = m->states.at[state].around;
    return state == around;
}

bool are_exclusive(const Machines *m, uint32_t a, uint32_t b)
{
    for (uint32_t x = a; x != NO_STATE; x = m->states.at[x].around)
        for (uint32_t y = b; y != NO_STATE; y = m->states.at[y].around)
            if (x != y && m->states.at[x].machine == m->states.at[y].machine)
                return true;
    return false;
}

/* A variable of a state that its surroundings determine. */
static bool is_input(const Flattener *f, uint32_t var, const State *s)
{
    const Instance *leaf = f->var_inst[var], *child = leaf;
    while (child && child->parent != s->at.inst)
        child = child->parent;
    return child && (child == leaf || class_is_connector(child->cls)) &&
           leaf->causality == AST_INPUT;
}

uint32_t state_of_var(const Flattener *f, uint32_t var)
{
    const Machines *m = f->machines;
    PathId path = f->flat->vars.at[var].path;
    uint32_t s = MAP_NONE;
    while (path && s == MAP_NONE) {
        path = path_parent(f->flat->paths, path);
        s = path ? map_get(&m->by_path, path) : MAP_NONE;
    }
    while (s != MAP_NONE && s != NO_STATE && var < f->n_vars && is_input(f, var, &m->states.at[s]))
        s = m->states.at[s].around;
    return s == MAP_NONE ? NO_STATE : s;
}

bool are_outputs_of_states(const Flattener *f, uint32_t var_a, uint32_t var_b)
{
    if (!f->machines)
        return false;
    uint32_t a = state_of_var(f, var_a), b = state_of_var(f, var_b);
    return a != NO_STATE && b != NO_STATE && (a != b || var_a == var_b) &&
           f->machines->states.at[a].machine == f->machines->states.at[b].machine;
}

ExprId active_state_of(const Flattener *f, uint32_t var)
{
    uint32_t s = state_of_var(f, var);
    return expr_leaf(f->g, OP_ACTIVE_STATE, T_BOOL, f->machines->states.at[s].at.comp);
}

bool is_of_machine(const Flattener *f, uint32_t var)
{
    return f->machines && var >= f->machines->first_var;
}
