/* The meaning of new, old and when.
 *
 * - new(x) is the value after the event; x beside it, and old(x), are pre(x).
 * - If new(x) is set in the class that declares x, x is written pre(x) there. Otherwise (a terminal
 *   or an inherited variable), x_new is the new value and x = pre(x_new). So all users of x see the
 *   old value.
 * - A state is changed by reinit. Equations of a when are solved for the variables they set.
 * - A when also fires at the start if its condition is true then. If it changes states, it fires
 *   after the initial values have been found.
 *
 * During this work, "new x" and "old x" are separate names. */
#include "notation/dymola/internal.h"

#define NEW "new "
#define OLD "old "

static const char *without(const char *prefix, Name name)
{
    size_t n = strlen(prefix);
    return strncmp(name, prefix, n) ? NULL : name + n;
}

/* ---- separate names ---- */

typedef struct Scope {
    Dymola *d;
    DymModel *m;
} Scope;

static AstExpr *mark(void *user, AstExpr *e)
{
    Scope *s = user;
    Tree *t = &s->d->r.tree;
    bool is_new = tree_is_call(e, "new"), is_old = tree_is_call(e, "old");
    if (!is_new && !is_old)
        return NULL;
    const AstExpr *of = e->args.n == 1 ? e->args.at[0] : NULL;
    if (!of || of->kind != AST_REF) {
        reader_error(&s->d->r, e->span, DIAG_S044, "'%s' takes one variable",
                     is_new ? "new" : "old");
        return NULL;
    }
    Name name = tree_plain_name(of);
    if (!name && is_new)
        reader_error(&s->d->r, e->span, DIAG_S044, "'new' takes a variable of the model itself");
    if (!name)
        return tree_call1(t, e->span, "pre", e->args.at[0]);
    DymVar *v = dymola_var(s->m, name);
    if (v)
        v->old |= is_old;
    return tree_ref(
        t, e->span,
        name_of(t->ctx->names, arena_printf(s->d->r.scratch, "%s%s", is_new ? NEW : OLD, name)));
}

static AstExpr *mark_states(void *user, AstExpr *e)
{
    Scope *s = user;
    const AstExpr *of = tree_argument(e, "der");
    DymVar *v = of ? dymola_var_of(s->m, of) : NULL;
    if (v)
        v->state = true;
    return NULL;
}

static void normalise(Scope *s)
{
    Tree *t = &s->d->r.tree;
    for (uint32_t i = 0; i < s->m->equations.n; i++) {
        DymEquation *eq = &s->m->equations.at[i];
        eq->lhs = tree_rewrite(t, tree_rewrite(t, eq->lhs, mark_states, s), mark, s);
        eq->rhs = tree_rewrite(t, tree_rewrite(t, eq->rhs, mark_states, s), mark, s);
    }
    for (uint32_t i = 0; i < s->m->whens.n; i++)
        s->m->whens.at[i].condition = tree_rewrite(t, s->m->whens.at[i].condition, mark, s);
}

/* ---- the variable that an equation sets ---- */

typedef VEC(Name) NameList;

typedef struct Collect {
    Scope *s;
    NameList *names;
    int wanted; /* 0: new values; 1: variables whose old values occur; 2: all variables */
} Collect;

static AstExpr *collect(void *user, AstExpr *e)
{
    Collect *c = user;
    Name name = tree_plain_name(e);
    if (!name || without(OLD, name) || (c->wanted == 0) != (without(NEW, name) != NULL))
        return NULL;
    DymVar *v = dymola_var(
        c->s->m, c->wanted ? name : name_of(c->s->d->r.tree.ctx->names, without(NEW, name)));
    if (!v || v->role == DYM_PARAMETER || (c->wanted == 1 && !v->old))
        return NULL;
    for (uint32_t i = 0; i < c->names->n; i++)
        if (c->names->at[i] == name)
            return NULL;
    vec_push(c->names, name);
    return NULL;
}

static void candidates(Scope *s, DymEquation *eq, NameList *names)
{
    Tree *t = &s->d->r.tree;
    Name plain = tree_plain_name(eq->lhs);
    for (int wanted = 0; wanted < 3 && !names->n; wanted++) {
        Collect c = {s, names, wanted};
        if (wanted == 1 && plain && dymola_var(s->m, plain)) {
            vec_push(names, plain);
            return;
        }
        eq->lhs = tree_rewrite(t, eq->lhs, collect, &c);
        eq->rhs = tree_rewrite(t, eq->rhs, collect, &c);
    }
}

static bool is_name(void *user, const AstExpr *e)
{
    return tree_plain_name(e) == (Name)user;
}

typedef struct Matching {
    uint32_t n;
    DymEquation **eqs;
    NameList *lists; /* candidates of each */
    Name *chosen;
    bool *visited;
} Matching;

static bool augment(Matching *k, uint32_t i)
{
    if (k->visited[i])
        return false;
    k->visited[i] = true;
    for (uint32_t j = 0; j < k->lists[i].n; j++) {
        Name name = k->lists[i].at[j];
        uint32_t other = 0;
        while (other < k->n && k->chosen[other] != name)
            other++;
        if (other < k->n && !augment(k, other))
            continue;
        k->chosen[i] = name;
        return true;
    }
    return false;
}

static void settle(Scope *s, DymEquation *eq, Name name)
{
    Reader *r = &s->d->r;
    if (!name) {
        reader_error(r, eq->span, DIAG_S044,
                     "this equation sets no variable: it has no new(x) and no unknown left");
        return;
    }
    const char *of = without(NEW, name);
    const char *shown = of ? of : name;
    eq->sets = dymola_var(s->m, name_of(r->tree.ctx->names, shown));
    eq->solved = tree_solve(&r->tree, eq->lhs, eq->rhs, is_name, (void *)name);
    if (!eq->solved)
        reader_error(r, eq->span, DIAG_S044,
                     "this equation cannot be solved for the new value of '%s', which cancels or "
                     "does not occur linearly",
                     shown);
    if (eq->sets && of && !eq->sets->state && !eq->when && dymola_type(s->d, eq->sets) == DYM_REAL)
        s->d->kinds.at[s->d->types.at[eq->sets->type]] = DYM_INTEGER;
}

/* The equations of one when, matched with the variables they set. */
static void match_when(Scope *s, uint32_t when)
{
    DymModel *m = s->m;
    Matching k = {.eqs = memory_alloc(sizeof *k.eqs * (m->equations.n + 1))};
    for (uint32_t i = 0; i < m->equations.n; i++)
        if (m->equations.at[i].when == when)
            k.eqs[k.n++] = &m->equations.at[i];
    k.lists = memory_alloc(sizeof *k.lists * (k.n + 1));
    k.chosen = memory_alloc(sizeof *k.chosen * (k.n + 1));
    k.visited = memory_alloc(k.n + 1);
    for (uint32_t i = 0; i < k.n; i++)
        candidates(s, k.eqs[i], &k.lists[i]);
    for (uint32_t i = 0; i < k.n; i++) {
        memset(k.visited, 0, k.n + 1);
        augment(&k, i);
    }
    for (uint32_t i = 0; i < k.n; i++) {
        settle(s, k.eqs[i], k.chosen[i]);
        vec_free(&k.lists[i]);
    }
    memory_free(k.eqs);
    memory_free(k.lists);
    memory_free(k.chosen);
    memory_free(k.visited);
}

/* ---- outside of whens ---- */

static AstExpr *find_new(void *user, AstExpr *e)
{
    NameList *names = user;
    Name name = tree_plain_name(e);
    if (name && without(NEW, name))
        vec_push(names, name);
    return NULL;
}

static void settle_plain(Scope *s, DymEquation *eq)
{
    NameList names = {0};
    tree_rewrite(&s->d->r.tree, eq->lhs, find_new, &names);
    tree_rewrite(&s->d->r.tree, eq->rhs, find_new, &names);
    if (names.n)
        settle(s, eq, names.at[0]);
    if (names.n && eq->sets && eq->sets->state)
        reader_error(&s->d->r, eq->span, DIAG_S044,
                     "'%s' is a state: new(%s) can only be set in a 'when'", eq->sets->name,
                     eq->sets->name);
    vec_free(&names);
}

static bool declares(const DymModel *m, const DymVar *v)
{
    for (uint32_t i = 0; i < m->vars.n; i++)
        if (m->vars.at[i] == v)
            return true;
    return false;
}

static bool sets_new(const DymEquation *eq)
{
    return eq->sets && !eq->sets->state;
}

/* How the new value of a variable is written. */
static void choose_form(Scope *s, DymEquation *eq, bool by_new)
{
    DymVar *v = eq->sets;
    v->discrete = true;
    if (!by_new)
        return;
    if (declares(s->m, v) && v->role == DYM_LOCAL)
        v->left_limit = true;
    else if (!v->next)
        v->next =
            name_of(s->d->r.tree.ctx->names, arena_printf(s->d->r.scratch, "%s_new", v->name));
}

static bool has_new(Scope *s, DymEquation *eq)
{
    NameList names = {0};
    tree_rewrite(&s->d->r.tree, eq->lhs, find_new, &names);
    tree_rewrite(&s->d->r.tree, eq->rhs, find_new, &names);
    bool any = names.n > 0;
    vec_free(&names);
    return any;
}

void dymola_discrete(Dymola *d, DymModel *m)
{
    Scope s = {d, m};
    normalise(&s);
    for (uint32_t w = 1; w <= m->whens.n; w++)
        match_when(&s, w);
    for (uint32_t i = 0; i < m->equations.n; i++) {
        DymEquation *eq = &m->equations.at[i];
        bool by_new = has_new(&s, eq);
        if (!eq->when)
            settle_plain(&s, eq);
        if (sets_new(eq) && eq->solved)
            choose_form(&s, eq, by_new);
    }
}

/* ---- writing ---- */

static AstExpr *mean(void *user, AstExpr *e)
{
    Scope *s = user;
    Tree *t = &s->d->r.tree;
    Name name = tree_plain_name(e);
    if (!name)
        return NULL;
    const char *of_old = without(OLD, name), *of_new = without(NEW, name);
    const char *plain = of_old ? of_old : of_new ? of_new : name;
    Name var = name_of(t->ctx->names, plain);
    DymVar *v = dymola_var(s->m, var);
    if (!v && !strcmp(name, "Time"))
        return tree_ref(t, e->span, name_of(t->ctx->names, "time"));
    if (of_new)
        return tree_ref(t, e->span, v && v->next ? v->next : var);
    if (of_old || (v && v->left_limit && declares(s->m, v)))
        return tree_call1(t, e->span, "pre", tree_ref(t, e->span, var));
    return NULL;
}

AstExpr *dymola_meaning(Dymola *d, DymModel *m, AstExpr *e)
{
    Scope s = {d, m};
    return tree_rewrite(&d->r.tree, e, mean, &s);
}

/* The condition as a Boolean variable: itself, or a new one that is defined by it. If states jump,
 * it becomes true after initialization at the earliest, because there are no jumps during
 * initialization. */
static Name condition_name(Dymola *d, DymModel *m, const DymWhen *when, bool jumps, EqList *eqs,
                           ElementList *elements)
{
    Tree *t = &d->r.tree;
    AstExpr *condition = dymola_meaning(d, m, when->condition);
    Name plain = tree_plain_name(condition);
    if (plain && !jumps)
        return plain;
    if (jumps)
        condition = tree_binary(
            t, AST_OP_AND, condition,
            tree_unary(t, when->span, AST_OP_NOT, tree_call(t, when->span, "initial", NULL, 0)));
    Name name;
    do
        name = name_of(t->ctx->names, arena_printf(d->r.scratch, "event%u", ++d->n_events));
    while (dymola_var(m, name) || dymola_sub(m, name) || dymola_cut(m, name));
    AstElement *e = tree_component(t, when->span, "Boolean", name);
    e->visibility = AST_PROTECTED;
    vec_push(elements, e);
    vec_push(eqs, tree_equation(t, when->span, tree_ref(t, when->span, name), condition));
    return name;
}

static AstEq *when_equation(Tree *t, const DymWhen *when, AstExpr *condition, EqList *body)
{
    AstEq *eq = ARENA_NEW(t->arena, AstEq);
    eq->kind = AST_EQ_WHEN;
    eq->span = when->span;
    eq->branches.at = ARENA_NEW(t->arena, AstEqBranch);
    eq->branches.n = 1;
    eq->branches.at->condition = condition;
    eq->branches.at->span = when->span;
    eq->comment.text = when->remark;
    tree_keep(t, eq->branches.at->body, body);
    return eq;
}

static AstEq *jump(Dymola *d, DymModel *m, DymEquation *eq)
{
    Tree *t = &d->r.tree;
    AstExpr *args[] = {tree_ref(t, eq->span, eq->sets->name), dymola_meaning(d, m, eq->solved)};
    return tree_call_equation(t, eq->span, tree_call(t, eq->span, "reinit", args, 2));
}

/* v = if condition then value else pre(v): the else-branch is only used at the start. */
static AstEq *update(Dymola *d, DymModel *m, DymEquation *eq, Name condition)
{
    Tree *t = &d->r.tree;
    Name target = eq->sets->next && has_new(&(Scope){d, m}, eq) ? eq->sets->next : eq->sets->name;
    AstExpr *before = tree_call1(t, eq->span, "pre", tree_ref(t, eq->span, target));
    AstExpr *value = tree_if(t, eq->span, tree_ref(t, eq->span, condition),
                             dymola_meaning(d, m, eq->solved), before);
    return tree_equation(t, eq->span, tree_ref(t, eq->span, target), value);
}

static bool is_set_by(const DymEquation *eq, uint32_t number)
{
    return eq->when == number && eq->solved && eq->sets;
}

static bool has_jumps(const DymModel *m, uint32_t number)
{
    for (uint32_t i = 0; i < m->equations.n; i++)
        if (is_set_by(&m->equations.at[i], number) && m->equations.at[i].sets->state)
            return true;
    return false;
}

static void write_when(Dymola *d, DymModel *m, uint32_t number, EqList *eqs, ElementList *elements)
{
    Tree *t = &d->r.tree;
    const DymWhen *when = &m->whens.at[number - 1];
    Name name = condition_name(d, m, when, has_jumps(m, number), eqs, elements);
    EqList updates = {0}, jumps = {0};
    for (uint32_t i = 0; i < m->equations.n; i++) {
        DymEquation *eq = &m->equations.at[i];
        if (!is_set_by(eq, number))
            continue;
        AstEq *made = eq->sets->state ? jump(d, m, eq) : update(d, m, eq, name);
        made->comment.text = eq->remark;
        if (eq->sets->state)
            vec_push(&jumps, made);
        else
            vec_push(&updates, made);
    }
    AstExpr *condition = tree_ref(t, when->span, name);
    AstExpr *both[] = {tree_call(t, when->span, "initial", NULL, 0), condition};
    if (updates.n)
        vec_push(eqs,
                 when_equation(t, when, tree_list(t, when->span, AST_ARRAY, both, 2), &updates));
    if (jumps.n)
        vec_push(eqs, when_equation(t, when, condition, &jumps));
}

void dymola_whens(Dymola *d, DymModel *m, EqList *eqs, ElementList *elements)
{
    d->n_events = 0;
    for (uint32_t number = 1; number <= m->whens.n; number++)
        write_when(d, m, number, eqs, elements);
}
