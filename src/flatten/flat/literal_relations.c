/* Relations without events on request (`--no-events PATTERN`): equations and algorithm sections for
 * Reals of matching components are put under noEvent. Conditions of discrete variables and
 * when-clauses keep their events, because these change only at events.
 *
 * A pattern is a name with * and ?. It means a component with all its parts, or a variable with a
 * declaration equation. */
#include "base/pattern.h"
#include "flatten/flat/flat.h"
#include "flatten/flat/flat_walk.h"

#include <string.h>

typedef struct Literal {
    Flat *f;
    Arena *scratch;
    bool found; /* a relation was found */
} Literal;

static bool is_relation(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    if (op_behaviour(op) == VALUE_SWITCHES)
        return type_element(g->types, expr_type(g, expr_arg(g, e, 0))) == T_REAL;
    return op_makes_integer_events(op);
}

static void note_relation(void *user, ExprId e)
{
    Literal *w = user;
    w->found |= is_relation(w->f->g, e);
}

static bool has_events(Literal *w, ExprId e)
{
    w->found = false;
    if (e && flat_variability(w->f, e) > VARIES_PARAMETER)
        expr_walk(w->f->g, e, note_relation, w);
    return w->found;
}

static bool literally(Literal *w, ExprId *e)
{
    if (!has_events(w, *e))
        return false;
    *e = expr1(w->f->g, OP_NOEVENT, expr_type(w->f->g, *e), *e);
    return true;
}

static bool is_for_reals(const Literal *w, ExprId target)
{
    const Graph *g = w->f->g;
    if (type_element(g->types, expr_type(g, target)) != T_REAL)
        return false;
    return expr_op(g, target) != OP_VAR ||
           w->f->vars.at[expr_index(g, target)].variability == VARIES_CONTINUOUS;
}

/* ---- equations ---- */

static Walk find_other(void *user, const FlatEq *eq)
{
    const Literal *w = user;
    bool fits = eq->kind == FLAT_EQUAL ? is_for_reals(w, eq->lhs) && is_for_reals(w, eq->rhs)
                                       : eq->kind == FLAT_IF;
    return fits ? WALK_ON : WALK_END;
}

static bool equations_for_reals(const Literal *w, const FlatEq *eq)
{
    return flat_walk(eq, 1, &(FlatVisitor){.equation = find_other}, (void *)(uintptr_t)w);
}

static bool change_equation(Literal *w, FlatEq *eq)
{
    if (eq->kind == FLAT_EQUAL) {
        bool left = literally(w, &eq->lhs);
        return literally(w, &eq->rhs) || left;
    }
    bool any = false;
    for (uint32_t b = 0; b < eq->n_branches; b++) {
        any |= literally(w, &eq->branches[b].condition);
        for (uint32_t i = 0; i < eq->branches[b].n; i++)
            any |= change_equation(w, &eq->branches[b].body[i]);
    }
    return any;
}

/* ---- algorithm sections ---- */

static Walk find_other_statement(void *user, const Stmt *s)
{
    const Literal *w = user;
    bool fits = s->kind == STMT_ASSIGN ? is_for_reals(w, s->lhs)
                                       : s->kind == STMT_IF || s->kind == STMT_FOR;
    return fits ? WALK_ON : WALK_END;
}

static bool statements_for_reals(const Literal *w, const Stmt *at, uint32_t n)
{
    return stmt_walk(at, n, &(StmtVisitor){.statement = find_other_statement},
                     (void *)(uintptr_t)w);
}

static bool change_statements(Literal *w, Stmt *at, uint32_t n)
{
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (at[i].kind == STMT_ASSIGN)
            any |= literally(w, &at[i].rhs);
        for (uint32_t b = 0; b < at[i].n_branches; b++) {
            any |= literally(w, &at[i].branches[b].condition);
            any |= change_statements(w, at[i].branches[b].body, at[i].branches[b].n);
        }
    }
    return any;
}

/* ---- patterns ---- */

static bool names_or_within(Literal *w, const char *pattern, const char *name)
{
    return pattern_names(pattern, name) ||
           pattern_names(pattern, arena_printf(w->scratch, "%s.", name));
}

/* Whether the pattern means the component, an array it belongs to, a component around it, or a part
 * of one of these. */
static bool means(Literal *w, const char *pattern, PathId component)
{
    for (; component; component = path_parent(w->f->paths, component)) {
        char *name = path_text(w->f->paths, component, w->scratch);
        if (names_or_within(w, pattern, name))
            return true;
        size_t n = strlen(name);
        char *subscripts = n && name[n - 1] == ']' ? strrchr(name, '[') : NULL;
        if (subscripts)
            *subscripts = 0;
        if (subscripts && names_or_within(w, pattern, name))
            return true;
    }
    return pattern_names(pattern, "");
}

static bool matches(Literal *w, const char *pattern, const FlatEq *eq)
{
    arena_reset(w->scratch);
    bool declared = eq->origin == ORIGIN_BINDING && expr_op(w->f->g, eq->lhs) == OP_VAR;
    return means(w, pattern, eq->component) ||
           (declared && means(w, pattern, w->f->vars.at[expr_index(w->f->g, eq->lhs)].path));
}

static bool change(Literal *w, FlatEq *eq)
{
    if (eq->initial)
        return false;
    if (eq->kind == FLAT_ALGORITHM)
        return statements_for_reals(w, eq->stmts, eq->n_stmts) &&
               change_statements(w, eq->stmts, eq->n_stmts);
    return equations_for_reals(w, eq) && change_equation(w, eq);
}

bool flat_without_events(Context *ctx, Flat *f, const char *const *patterns, uint32_t n)
{
    Literal w = {.f = f, .scratch = arena_new()};
    uint32_t first = ctx->n_errors;
    for (uint32_t k = 0; k < n; k++) {
        bool any = false;
        for (uint32_t i = 0; i < f->eqs.n; i++) {
            FlatEq *eq = &f->eqs.at[i];
            if (!matches(&w, patterns[k], eq))
                continue;
            any |= eq->literal;
            if (eq->literal || !change(&w, eq))
                continue;
            any = eq->literal = true;
        }
        if (!any)
            diag(ctx, (Span){0}, DIAG_U013,
                 "--no-events %s: no component of this name has an equation for Reals with a "
                 "relation",
                 patterns[k]);
    }
    arena_free(w.scratch);
    return ctx->n_errors == first;
}
