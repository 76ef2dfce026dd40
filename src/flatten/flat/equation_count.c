/* Numbers of equations and unknowns: section 4.7 of the specification. */
#include "flatten/flat/flat.h"
#include "flatten/flat/flat_walk.h"

static int64_t count_of(const Flat *f, TypeId type)
{
    int64_t n = type_count(f->g->types, type);
    return n < 0 ? 0 : n;
}

/* ---- equations ---- */

static void assigned_by(const Flat *f, ExprId lhs, Map *vars)
{
    const Graph *g = f->g;
    if (lhs == EXPR_NONE)
        return;
    ExprOp op = expr_op(g, lhs);
    if (op == OP_VAR)
        map_put(vars, expr_index(g, lhs), 1);
    else if (op == OP_INDEX || op == OP_FIELD)
        assigned_by(f, expr_arg(g, lhs, 0), vars);
    else if (op == OP_TUPLE || op == OP_RECORD || op == OP_ARRAY)
        for (uint32_t i = 0; i < expr_n(g, lhs); i++)
            assigned_by(f, expr_arg(g, lhs, i), vars);
}

typedef struct Assigned {
    const Flat *f;
    Map vars; /* numbers of variables */
} Assigned;

static Walk note_assigned(void *user, const Stmt *s)
{
    Assigned *a = user;
    if (s->kind == STMT_ASSIGN)
        assigned_by(a->f, s->lhs, &a->vars);
    return WALK_ON;
}

/* Numbers of the variables that an algorithm assigns. */
static Map assigned_variables(const Flat *f, const FlatEq *eq)
{
    Assigned a = {.f = f};
    stmt_walk(eq->stmts, eq->n_stmts, &(StmtVisitor){.statement = note_assigned}, &a);
    return a.vars;
}

/* An algorithm counts as one equation for every variable it assigns. */
static int64_t count_algorithm(const Flat *f, const FlatEq *eq)
{
    Map vars = assigned_variables(f, eq);
    int64_t n = 0;
    for (uint32_t i = 0; i < vars.cap; i++)
        if (vars.keys[i])
            n += count_of(f, f->vars.at[vars.keys[i] - 1].type);
    map_free(&vars);
    return n;
}

static int64_t count_equal(const Flat *f, const FlatEq *eq)
{
    const Graph *g = f->g;
    if (expr_op(g, eq->lhs) != OP_TUPLE)
        return count_of(f, expr_type(g, eq->lhs));
    int64_t n = 0;
    for (uint32_t i = 0; i < expr_n(g, eq->lhs); i++)
        if (expr_arg(g, eq->lhs, i) != EXPR_NONE)
            n += count_of(f, expr_type(g, expr_arg(g, eq->lhs, i)));
    return n;
}

int64_t count_equations(const Flat *f, const FlatEq *eqs, uint32_t n)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < n; i++) {
        const FlatEq *eq = &eqs[i];
        if (eq->kind == FLAT_EQUAL)
            total += count_equal(f, eq);
        else if (eq->kind == FLAT_ALGORITHM)
            total += count_algorithm(f, eq);
        else if ((eq->kind == FLAT_IF || eq->kind == FLAT_WHEN) && eq->n_branches)
            total += count_equations(f, eq->branches[0].body, eq->branches[0].n);
    }
    return total;
}

/* ---- balance ---- */

static bool is_unknown(const FlatVar *v)
{
    return v->variability > VARIES_PARAMETER && v->causality != FLAT_INPUT;
}

/* Unknowns and equations of each component's own class. */
typedef struct Tally {
    PathId path;
    int64_t unknowns, equations;
    bool has_connections;
    Span span;
} Tally;

typedef struct Tallies {
    VEC(Tally) all;
    Map by_path;
} Tallies;

static Tally *tally(Tallies *t, PathId path)
{
    uint32_t at = map_get(&t->by_path, path);
    if (at == MAP_NONE) {
        at = t->all.n;
        vec_push(&t->all, ((Tally){.path = path}));
        map_put(&t->by_path, path, at);
    }
    return &t->all.at[at];
}

typedef struct Mentioned {
    const Flat *f;
    bool *seen; /* per variable */
    Map done;   /* expressions looked at */
} Mentioned;

static Walk mark_node(void *user, ExprId e)
{
    Mentioned *m = user;
    const Graph *g = m->f->g;
    if (map_get(&m->done, e) != MAP_NONE)
        return WALK_PAST;
    map_put(&m->done, e, 1);
    if (expr_op(g, e) == OP_VAR && expr_index(g, e) < m->f->vars.n)
        m->seen[expr_index(g, e)] = true;
    return WALK_ON;
}

static void mark_expr(void *user, ExprId e)
{
    Mentioned *m = user;
    expr_walk_down(m->f->g, e, mark_node, m);
}

/* The variables that no equation mentions. */
static void note_unused(Context *ctx, const Flat *f)
{
    Mentioned m = {.f = f, .seen = memory_alloc(f->vars.n + 1)};
    for (uint32_t i = 0; i < f->eqs.n; i++)
        if (!f->eqs.at[i].initial)
            flat_each_expr(&f->eqs.at[i], 1, mark_expr, &m);
    unsigned reported = 0;
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < f->vars.n && reported < 5; i++)
        if (is_unknown(&f->vars.at[i]) && !m.seen[i]) {
            diag_note(ctx, f->vars.at[i].span, "no equation mentions '%s'",
                      flat_var_name(f, i, arena));
            reported++;
        }
    arena_free(arena);
    map_free(&m.done);
    memory_free(m.seen);
}

/* A model of few unknowns: their names, so that the missing equation is easy to find. */
static void note_unknowns(Context *ctx, const Flat *f)
{
    enum { FEW = 6 };
    Arena *arena = arena_new();
    const char *names = "";
    unsigned n = 0;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (is_unknown(&f->vars.at[i]) && ++n <= FEW)
            names = arena_printf(arena, "%s%s%s", names, *names ? ", " : "",
                                 flat_var_name(f, i, arena));
    if (n <= FEW)
        diag_note(ctx, (Span){0}, "the unknowns are %s", names);
    arena_free(arena);
}

/* Connections give one equation for each flow variable of a connector, and one for each input. A
 * component without its own connections must have equations for the rest. */
static void note_components(Context *ctx, const Flat *f, bool too_few)
{
    Tallies t = {0};
    for (uint32_t i = 0; i < f->vars.n; i++) {
        const FlatVar *v = &f->vars.at[i];
        PathId p = path_parent(f->paths, v->path);
        if (is_unknown(v) && !v->is_flow && p)
            tally(&t, p)->unknowns += count_of(f, v->type);
        if (p)
            tally(&t, p)->span = v->span;
    }
    for (uint32_t i = 0; i < f->eqs.n; i++) {
        const FlatEq *eq = &f->eqs.at[i];
        if (eq->initial || !eq->component)
            continue;
        Tally *x = tally(&t, eq->component);
        if (eq->origin == ORIGIN_CONNECTION || eq->origin == ORIGIN_FLOW_SUM)
            x->has_connections = true;
        else
            x->equations += count_equations(f, eq, 1);
    }
    /* variables of connectors belong to the component around them */
    for (uint32_t i = t.all.n; i-- > 0;) {
        PathId parent = path_parent(f->paths, t.all.at[i].path);
        if (t.all.at[i].equations || !parent)
            continue;
        int64_t n = t.all.at[i].unknowns;
        t.all.at[i].unknowns = 0;
        tally(&t, parent)->unknowns += n;
    }
    Arena *arena = arena_new();
    unsigned reported = 0;
    for (uint32_t i = 0; i < t.all.n && reported < 5; i++) {
        const Tally *x = &t.all.at[i];
        if (x->has_connections || !x->equations ||
            (too_few ? x->equations >= x->unknowns : x->equations <= x->unknowns))
            continue;
        diag_note(ctx, x->span, "component '%s' has %lld equation%s of its own for %lld unknown%s",
                  path_text(f->paths, x->path, arena), (long long)x->equations,
                  x->equations == 1 ? "" : "s", (long long)x->unknowns,
                  x->unknowns == 1 ? "" : "s");
        reported++;
    }
    arena_free(arena);
    vec_free(&t.all);
    map_free(&t.by_path);
}

typedef struct VarSearch {
    const Flat *f;
    uint32_t known, unknown; /* a variable of each kind; MAP_NONE while there is none */
} VarSearch;

static Walk visit_variable(void *user, ExprId e)
{
    VarSearch *u = user;
    const Graph *g = u->f->g;
    if (expr_op(g, e) == OP_VAR && expr_index(g, e) < u->f->vars.n)
        *(is_unknown(&u->f->vars.at[expr_index(g, e)]) ? &u->unknown : &u->known) =
            expr_index(g, e);
    return u->unknown == MAP_NONE ? WALK_ON : WALK_END;
}

/* Equations without unknowns, such as one for a parameter. */
static void note_useless(Context *ctx, const Flat *f)
{
    unsigned reported = 0;
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < f->eqs.n && reported < 5; i++) {
        const FlatEq *eq = &f->eqs.at[i];
        VarSearch u = {f, MAP_NONE, MAP_NONE};
        if (eq->initial || eq->kind != FLAT_EQUAL || eq->origin == ORIGIN_FLOW_SUM)
            continue;
        if (!expr_walk_down(f->g, eq->lhs, visit_variable, &u) ||
            !expr_walk_down(f->g, eq->rhs, visit_variable, &u))
            continue;
        if (u.known == MAP_NONE)
            diag_note(ctx, eq->span, "this equation contains no variable");
        else
            diag_note(ctx, eq->span, "this equation contains no unknown: '%s' is %s",
                      flat_var_name(f, u.known, arena),
                      f->vars.at[u.known].causality == FLAT_INPUT ? "an input"
                                                                  : "a parameter or constant");
        reported++;
    }
    arena_free(arena);
}

typedef struct Definers {
    Context *ctx;
    const Flat *f;
    Arena *arena;
    Map first; /* variable → index of the first equation solved for it */
    unsigned reported;
} Definers;

/* Whether one of the equations is der(v) = … and the other a when-equation for v. */
static bool changes_state(const Flat *f, uint32_t a, uint32_t b)
{
    const FlatEq *one = &f->eqs.at[a], *other = &f->eqs.at[b];
    if (one->kind == FLAT_WHEN)
        return other->kind == FLAT_EQUAL && expr_op(f->g, other->lhs) == OP_DER;
    return other->kind == FLAT_WHEN && changes_state(f, b, a);
}

static void note_definer(Definers *d, uint32_t var, uint32_t eq)
{
    uint32_t other = map_get(&d->first, var);
    if (other == MAP_NONE) {
        map_put(&d->first, var, eq);
    } else if (d->reported < 5 && is_unknown(&d->f->vars.at[var])) {
        const char *name = flat_var_name(d->f, var, d->arena);
        diag_note(d->ctx, d->f->eqs.at[other].span, "'%s' is determined here", name);
        diag_note(d->ctx, d->f->eqs.at[eq].span, "and here");
        if (changes_state(d->f, other, eq))
            diag_note(d->ctx, (Span){0}, "write reinit(%s, …) to change a state at an event", name);
        d->reported++;
    }
}

/* Variables that are the left side of two equations, or of one equation although an algorithm
 * assigns them too. */
static void note_twice(Context *ctx, const Flat *f)
{
    Definers d = {.ctx = ctx, .f = f, .arena = arena_new()};
    for (uint32_t i = 0; i < f->eqs.n; i++) {
        const FlatEq *eq = &f->eqs.at[i];
        bool connection = eq->origin == ORIGIN_CONNECTION || eq->origin == ORIGIN_FLOW_SUM;
        if (eq->initial || connection)
            continue;
        if (eq->kind == FLAT_EQUAL && expr_op(f->g, eq->lhs) == OP_VAR)
            note_definer(&d, expr_index(f->g, eq->lhs), i);
        if (eq->kind == FLAT_EQUAL && expr_op(f->g, eq->lhs) == OP_DER &&
            expr_op(f->g, expr_arg(f->g, eq->lhs, 0)) == OP_VAR)
            note_definer(&d, expr_index(f->g, expr_arg(f->g, eq->lhs, 0)), i);
        for (uint32_t k = 0; eq->kind == FLAT_WHEN && k < eq->branches[0].n; k++)
            if (eq->branches[0].body[k].kind == FLAT_EQUAL &&
                expr_op(f->g, eq->branches[0].body[k].lhs) == OP_VAR)
                note_definer(&d, expr_index(f->g, eq->branches[0].body[k].lhs), i);
        if (eq->kind != FLAT_ALGORITHM)
            continue;
        Map vars = assigned_variables(f, eq);
        for (uint32_t k = 0; k < vars.cap; k++)
            if (vars.keys[k])
                note_definer(&d, (uint32_t)(vars.keys[k] - 1), i);
        map_free(&vars);
    }
    arena_free(d.arena);
    map_free(&d.first);
}

/* Reports variables that two when-clauses assign: the single assignment rule. */
static bool report_assigned_twice(Context *ctx, const Flat *f)
{
    Map first = {0};
    Arena *arena = arena_new();
    bool reported = false;
    for (uint32_t i = 0; i < f->eqs.n; i++) {
        const FlatEq *when = &f->eqs.at[i];
        if (when->kind != FLAT_WHEN || when->initial || !when->n_branches)
            continue;
        for (uint32_t k = 0; k < when->branches[0].n; k++) {
            const FlatEq *eq = &when->branches[0].body[k];
            if (eq->kind != FLAT_EQUAL || expr_op(f->g, eq->lhs) != OP_VAR)
                continue;
            uint32_t var = expr_index(f->g, eq->lhs), other = map_get(&first, var);
            if (other == MAP_NONE) {
                map_put(&first, var, i);
                continue;
            }
            if (other == i)
                continue;
            diag(ctx, eq->span, DIAG_D009,
                 "%s is assigned in two when-clauses; a variable has one defining equation (use "
                 "elsewhen, or "
                 "one "
                 "algorithm)",
                 flat_var_name(f, var, arena));
            diag_note(ctx, f->eqs.at[other].span, "the other when assigns it here");
            reported = true;
        }
    }
    arena_free(arena);
    map_free(&first);
    return reported;
}

/* Inputs of components without a value; returns the number of their scalars. */
static int64_t note_loose(Context *ctx, const Flat *f)
{
    Arena *arena = arena_new();
    int64_t n = 0;
    unsigned reported = 0;
    for (uint32_t i = 0; i < f->vars.n; i++) {
        const FlatVar *v = &f->vars.at[i];
        if (!v->is_loose)
            continue;
        n += count_of(f, v->type);
        if (reported++ < 5)
            diag_note(ctx, v->span, "nothing is connected to input '%s'",
                      flat_var_name(f, i, arena));
    }
    arena_free(arena);
    return n;
}

bool flat_balance(Context *ctx, const Flat *f)
{
    int64_t unknowns = 0, equations = 0;
    for (uint32_t i = 0; i < f->vars.n; i++)
        if (is_unknown(&f->vars.at[i]))
            unknowns += count_of(f, f->vars.at[i].type);
    for (uint32_t i = 0; i < f->eqs.n; i++)
        if (!f->eqs.at[i].initial)
            equations += count_equations(f, &f->eqs.at[i], 1);
    if (unknowns == equations)
        return true;
    if (equations > unknowns && report_assigned_twice(ctx, f))
        return false;
    diag(ctx, f->span, DIAG_F001, "model '%s' has %lld equation%s for %lld unknown%s", f->name,
         (long long)equations, equations == 1 ? "" : "s", (long long)unknowns,
         unknowns == 1 ? "" : "s");
    if (equations < unknowns && note_loose(ctx, f) >= unknowns - equations)
        return false;
    note_components(ctx, f, equations < unknowns);
    if (equations < unknowns) {
        note_unused(ctx, f);
        note_unknowns(ctx, f);
    } else {
        note_useless(ctx, f);
        note_twice(ctx, f);
    }
    return false;
}
