/* State selection by dummy derivatives (Mattsson and Söderlind 1993), with state sets if the choice
 * depends on values.
 *
 * In: the constraints that index reduction differentiated, at their highest derivatives, in groups
 * that share candidates. Out: which derivatives become algebraic ("dummies"), the states, and the
 * state sets.
 *
 * A constraint that was differentiated c times turns c derivatives of one candidate into dummies.
 * The Jacobian of the constraints with respect to the dummies must be regular. Preferred as states
 * are, in this order: stateSelect, variables of the model over made derivatives, fixed start
 * values, given start values, early declaration. The least preferred are eliminated first if the
 * coefficient is constant, because that stays regular. If coefficients vary (x^2 + y^2 = L^2), no
 * choice is good for all times: the coupled rest becomes a state set (state_sets.c). Constraints
 * differentiated most often come first, because their dummies are dummies at every level. */
#include "structure/states/states.h"

#include <math.h>
#include <stdlib.h>

typedef VEC(EqId) EqVec;

enum { MOST_WORK = 300 * 1000 * 1000 }; /* multiplications spent on a numerical choice */
enum { DONE = 0, FROZEN = UINT32_MAX - 1 };

typedef struct Select {
    Planner *p;
    Constraints c;
    uint32_t *stage;   /* per row: its depth while open; FROZEN: part of a coupled one; DONE */
    uint32_t *order;   /* columns, least preferred first */
    bool *taken;       /* per column: of a coupled part that is placed */
    uint32_t *falls;   /* per column: how many of its derivatives become dummies */
    CoupledList sets;  /* coupled parts whose states are chosen by value */
    uint32_t *col_of;  /* per variable: column, NONE; shared by all groups */
    bool *is_dummy;    /* per variable */
    bool *in_set;      /* per variable: a slot of a state set represents it */
    uint32_t at_depth; /* of the rows being treated */
    bool *reinit;      /* per variable: a reinit needs it as a state */
    bool dynamic, generic;
    uint32_t *queue;
} Select;

/* A derivative made by index reduction is preferred like its variable. If the variable must be a
 * state, its derivative need not be. */
static uint32_t select_of(const Planner *p, VarId v)
{
    uint32_t own = p->dae->vars.at[v].state_select, select = own;
    while (p->prev.at[v] != NONE && (select == 0 || select == SELECT_DEFAULT)) {
        v = p->prev.at[v];
        select = p->dae->vars.at[v].state_select;
    }
    if (select == SELECT_ALWAYS && own != SELECT_ALWAYS)
        return SELECT_PREFER;
    return select ? select : SELECT_DEFAULT;
}

/* How much the variable whose derivative is `der` is preferred as a state, within its class;
 * without the order of declaration. */
static uint32_t wish(const Planner *p, VarId der)
{
    const DaeVar *x = &p->dae->vars.at[p->prev.at[der]];
    return (x->kind == DAE_CONTINUOUS) * 4u + x->fixed * 2u + x->has_start;
}

static VarId root_of(const Planner *p, VarId v)
{
    while (p->prev.at[v] != NONE)
        v = p->prev.at[v];
    return v;
}

/* The class of a candidate if `depth` of its derivatives become dummies. It is `always` if one of
 * them must be a state, or is the target of a reinit. */
static uint32_t class_of(const Select *s, VarId top, uint32_t depth)
{
    VarId v = s->p->prev.at[top];
    for (uint32_t k = 0; k < depth && v != NONE; k++, v = s->p->prev.at[v])
        if (s->reinit[v] || s->p->dae->vars.at[v].state_select == SELECT_ALWAYS)
            return SELECT_ALWAYS;
    return select_of(s->p, s->p->prev.at[top]);
}

/* ---- the Jacobian of a group ---- */

static double generic_value(uint32_t i, uint32_t j)
{
    return 0.5 + (double)(hash_mix(hash_mix(17, i), j) >> 11) * 0x1p-53;
}

static bool only_parameters(const Dae *d, ExprId shape, Term t)
{
    uint32_t n;
    const uint32_t *holes = symbolic_holes(d->symbolic, shape, &n);
    for (uint32_t i = 0; i < n; i++)
        if (d->vars.at[dae_op(d, t, holes[i])].kind != DAE_PARAMETER)
            return false;
    return true;
}

static void fill_row(Select *s, uint32_t i)
{
    Dae *d = s->p->dae;
    Term t = d->eqs.at[s->c.eqs.at[i]].term;
    for (uint32_t k = 0; k < t.n; k++) {
        uint32_t j = s->col_of[dae_op(d, t, k)];
        if (j == NONE)
            continue;
        bool known;
        double value = planner_coefficient(s->p, t, k, &known);
        ExprId diff = symbolic_diff(d->symbolic, t.shape, k);
        bool constant = known && diff != EXPR_NONE && only_parameters(d, diff, t);
        if (s->generic || !known)
            value = generic_value(i, j);
        if (!constant || value != 0)
            pivots_enter(&s->c.w, i, (PivotEntry){j, constant, value});
    }
}

/* ---- order ---- */

typedef struct Ranked {
    uint32_t class, wish, root, col;
} Ranked;

static int by_wish(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    if (x->wish != y->wish)
        return x->wish < y->wish ? -1 : 1;
    return x->root != y->root ? (x->root > y->root ? -1 : 1)
                              : (x->col > y->col) - (x->col < y->col);
}

static void rank_columns(Select *s, uint32_t depth)
{
    uint32_t n = s->c.tops.n;
    Ranked *r = memory_alloc(((size_t)n + 1) * sizeof *r);
    for (uint32_t j = 0; j < n; j++) {
        VarId top = s->c.tops.at[j];
        s->c.class_[j] = class_of(s, top, depth);
        r[j] = (Ranked){s->c.class_[j], wish(s->p, top), root_of(s->p, top), j};
    }
    qsort(r, n, sizeof *r, by_wish);
    for (uint32_t j = 0; j < n; j++)
        s->order[j] = r[j].col;
    memory_free(r);
}

/* ---- one depth: constants ---- */

/* A column that may still be chosen: a constraint makes as many dummies of a variable as it was
 * differentiated. */
static bool is_open(const Select *s, uint32_t j)
{
    return s->c.w.pivot_row[j] == NONE && !s->taken[j] && s->c.col_depth[j] >= s->at_depth;
}

/* Whether no open column of the row has a lower class. */
static bool is_free_of(const Select *s, uint32_t r, uint32_t below)
{
    for (uint32_t k = 0; below && k < s->c.w.rows[r].n; k++) {
        uint32_t j = s->c.w.rows[r].at[k].col;
        if (is_open(s, j) && s->c.class_[j] < below)
            return false;
    }
    return true;
}

/* The shortest open row of the depth with a nonzero constant in the column, and no open column of a
 * class `below`; or NONE. */
static uint32_t constant_row(const Select *s, uint32_t col, uint32_t depth, uint32_t below)
{
    const Pivots *w = &s->c.w;
    uint32_t best = NONE;
    for (uint32_t i = 0; i < w->col_rows[col].n; i++) {
        uint32_t r = w->col_rows[col].at[i];
        if (w->pivot_col[r] != NONE || s->stage[r] != depth)
            continue;
        const PivotEntry *e = pivots_at(w, r, col);
        if (!e || !e->constant || e->value == 0)
            continue;
        bool shorter = best == NONE || w->rows[r].n < w->rows[best].n ||
                       (w->rows[r].n == w->rows[best].n && r < best);
        if (shorter && is_free_of(s, r, below))
            best = r;
    }
    return best;
}

/* Columns of one class of stateSelect. A column that is not preferred is eliminated by any
 * constant: a state set is no better than a state that is merely avoided. A preferred one is
 * eliminated only if nothing less preferred can be. */
static bool eliminate_constants(Select *s, uint32_t depth, uint32_t select)
{
    Pivots *w = &s->c.w;
    bool any = false;
    for (uint32_t i = 0; i < w->n_cols && w->work < MOST_WORK; i++) {
        uint32_t j = s->order[i];
        if (s->c.class_[j] != select || !is_open(s, j))
            continue;
        uint32_t r = constant_row(s, j, depth, select <= SELECT_DEFAULT ? 0 : select);
        if (r == NONE)
            continue;
        pivots_eliminate(w, r, j);
        s->stage[r] = DONE;
        any = true;
    }
    return any;
}

/* Columns that must be states do not couple. */
static bool couples(const Select *s, uint32_t j)
{
    return is_open(s, j) && s->c.class_[j] != SELECT_ALWAYS;
}

static bool has_open(const Select *s, uint32_t r)
{
    return !is_free_of(s, r, UINT32_MAX);
}

/* Rows coupled with r are frozen; they are in s->queue. Returns their number. */
static uint32_t freeze_from(Select *s, uint32_t r, uint32_t depth)
{
    const Pivots *w = &s->c.w;
    uint32_t n = 0;
    s->queue[n++] = r;
    s->stage[r] = FROZEN;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < w->rows[s->queue[i]].n; k++) {
            uint32_t j = w->rows[s->queue[i]].at[k].col;
            if (!couples(s, j))
                continue;
            for (uint32_t m = 0; m < w->col_rows[j].n; m++) {
                uint32_t other = w->col_rows[j].at[m];
                if (s->stage[other] != depth || !pivots_at(w, other, j))
                    continue;
                s->stage[other] = FROZEN;
                s->queue[n++] = other;
            }
        }
    return n;
}

/* ---- coupled parts ---- */

static void add_columns(const Select *s, Coupled *part, bool always, bool *seen)
{
    vec_clear(&part->cols);
    for (uint32_t i = 0; i < part->rows.n; i++) {
        const PivotRow *row = &s->c.w.rows[part->rows.at[i]];
        for (uint32_t k = 0; k < row->n; k++) {
            uint32_t j = row->at[k].col;
            if (seen[j] || !(always ? is_open(s, j) : couples(s, j)))
                continue;
            seen[j] = true;
            vec_push(&part->cols, j);
        }
    }
    for (uint32_t i = 0; i < part->cols.n; i++)
        seen[part->cols.at[i]] = false;
}

static void take_all(Select *s, const Coupled *part)
{
    for (uint32_t i = 0; i < part->cols.n; i++)
        s->taken[part->cols.at[i]] = true;
    for (uint32_t i = 0; i < part->rows.n; i++)
        s->stage[part->rows.at[i]] = DONE;
}

/* The choice at the planner's values is final. */
static bool settle(Select *s, const Coupled *part)
{
    Pivots *w = &s->c.w;
    for (uint32_t i = 0; i < part->dummies.n; i++) {
        uint32_t j = part->dummies.at[i], best = NONE;
        double most = 0;
        for (uint32_t k = 0; k < part->rows.n; k++) {
            uint32_t r = part->rows.at[k];
            const PivotEntry *e = w->pivot_col[r] == NONE ? pivots_at(w, r, j) : NULL;
            if (e && fabs(e->value) > most) {
                most = fabs(e->value);
                best = r;
            }
        }
        if (best == NONE)
            return false;
        pivots_eliminate(w, best, j);
        s->stage[best] = DONE;
    }
    return true;
}

/* Places the part, or keeps its contents for a state set. */
static bool place_part(Select *s, Coupled *part, uint32_t depth)
{
    if (part->cols.n < part->rows.n)
        return false;
    bool choice = part->cols.n > part->rows.n;
    if (!choice && s->dynamic) {
        take_all(s, part);
        for (uint32_t i = 0; i < part->cols.n; i++)
            s->falls[part->cols.at[i]] = depth;
        return true;
    }
    if (!stateset_choose(s->p, &s->c, part))
        return false;
    if (!s->dynamic)
        return settle(s, part);
    take_all(s, part);
    vec_push(&s->sets, *part);
    *part = (Coupled){0};
    return true;
}

/* The n rows in s->queue with their columns, cut into parts that can be chosen one after the other.
 */
static bool place_coupled(Select *s, uint32_t n, uint32_t depth, bool *seen)
{
    Coupled whole = {0};
    CoupledList parts = {0};
    bool ok = true;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&whole.rows, s->queue[i]);
    add_columns(s, &whole, false, seen);
    if (whole.cols.n < n)
        add_columns(s, &whole, true, seen);
    vec_push(&parts, whole);
    if (s->dynamic)
        stateset_cut(&s->c, &parts);
    for (uint32_t i = 0; ok && i < parts.n; i++)
        ok = place_part(s, &parts.at[i], depth);
    coupled_free(&parts);
    return ok;
}

/* A derivative function may have differentiated a constraint. Then it may contain variables with
 * fewer derivatives than it has itself, such as an angular velocity instead of the derivative of a
 * rotation. These are eliminated first, by constraints of their own depth, which take part again
 * later. */
static bool eliminate_shallow(Select *s)
{
    Pivots *w = &s->c.w;
    bool any = false;
    for (uint32_t r = 0; r < w->n_rows; r++)
        for (uint32_t k = 0; w->pivot_col[r] == NONE && k < w->rows[r].n; k++) {
            uint32_t j = w->rows[r].at[k].col, depth = s->c.col_depth[j];
            if (depth >= s->c.depth[r] || w->pivot_row[j] != NONE)
                continue;
            uint32_t by = constant_row(s, j, depth, 0);
            if (by == NONE)
                continue;
            pivots_eliminate(w, by, j);
            s->stage[by] = DONE;
            s->c.early[j] = by;
            any = true;
            k = UINT32_MAX; /* the row has changed */
        }
    return any;
}

static void release_early(Select *s, uint32_t depth)
{
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t j = 0; j < s->c.w.n_cols; j++) {
            uint32_t r = s->c.early[j];
            if (r == NONE || s->c.depth[r] != depth)
                continue;
            if (pass == 0)
                pivots_release(&s->c.w, r);
            else
                pivots_reduce(&s->c.w, r);
            s->stage[r] = depth;
        }
}

static bool run_depth(Select *s, uint32_t depth, bool *seen)
{
    s->at_depth = depth;
    rank_columns(s, depth);
    release_early(s, depth);
    for (bool again = true; again && s->c.w.work < MOST_WORK;) {
        again = false;
        for (uint32_t select = SELECT_NEVER; select <= SELECT_ALWAYS; select++)
            again |= eliminate_constants(s, depth, select);
    }
    for (uint32_t r = 0; r < s->c.w.n_rows; r++)
        if (s->stage[r] == depth && has_open(s, r) &&
            !place_coupled(s, freeze_from(s, r, depth), depth, seen))
            return false;
    for (uint32_t r = 0; r < s->c.w.n_rows; r++)
        if (s->stage[r] == depth)
            return false;
    return s->c.w.work < MOST_WORK;
}

/* ---- a group ---- */

/* How often the equation was differentiated. */
static uint32_t depth_of(const Dae *d, EqId e)
{
    uint32_t depth = 0;
    for (; d->eqs.at[e].of != NONE; e = d->eqs.at[e].of)
        depth++;
    return depth;
}

/* Applies the choice. */
static void conclude(Select *s)
{
    Planner *p = s->p;
    for (uint32_t j = 0; j < s->c.tops.n; j++) {
        VarId v = s->c.tops.at[j];
        if (s->c.w.pivot_row[j] != NONE)
            s->falls[j] = s->c.depth[s->c.w.pivot_row[j]];
        for (uint32_t k = 0; k < s->falls[j]; k++, v = p->prev.at[v]) {
            s->is_dummy[v] = true;
            vec_push(&p->plan->dummies, v);
        }
    }
    for (uint32_t i = 0; i < s->sets.n; i++) {
        const Coupled *part = &s->sets.at[i];
        for (uint32_t k = 0; k < part->cols.n; k++) {
            VarId v = p->prev.at[s->c.tops.at[part->cols.at[k]]];
            for (uint32_t m = s->c.depth[part->rows.at[0]]; m > 0; m--, v = p->prev.at[v])
                s->in_set[v] = true;
        }
        rank_columns(s, s->c.depth[part->rows.at[0]]);
        stateset_make(p, &s->c, part);
    }
}

static bool run_group(Select *s, bool dynamic, bool generic)
{
    uint32_t deepest = 0;
    bool *seen = memory_alloc((size_t)s->c.tops.n + 1), ok = true;
    s->dynamic = dynamic;
    s->generic = generic;
    pivots_start(&s->c.w, s->c.eqs.n, s->c.tops.n);
    memset(s->taken, 0, s->c.tops.n * sizeof *s->taken);
    memset(s->falls, 0, s->c.tops.n * sizeof *s->falls);
    for (uint32_t j = 0; j < s->c.tops.n; j++)
        s->c.early[j] = NONE;
    for (uint32_t i = 0; i < s->c.eqs.n; i++) {
        s->stage[i] = s->c.depth[i] = depth_of(s->p->dae, s->c.eqs.at[i]);
        deepest = s->stage[i] > deepest ? s->stage[i] : deepest;
        fill_row(s, i);
    }
    while (eliminate_shallow(s))
        ;
    for (uint32_t depth = deepest; ok && depth > 0; depth--)
        ok = run_depth(s, depth, seen);
    if (ok)
        conclude(s);
    coupled_free(&s->sets);
    pivots_end(&s->c.w);
    memory_free(seen);
    return ok;
}

static void begin_group(Select *s)
{
    size_t m = (size_t)s->c.eqs.n + 1, n = (size_t)s->c.tops.n + 1;
    s->stage = memory_alloc(m * sizeof *s->stage);
    s->queue = memory_alloc(m * sizeof *s->queue);
    s->c.depth = memory_alloc(m * sizeof *s->c.depth);
    s->c.class_ = memory_alloc(n * sizeof *s->c.class_);
    s->order = memory_alloc(n * sizeof *s->order);
    s->taken = memory_alloc(n * sizeof *s->taken);
    s->falls = memory_alloc(n * sizeof *s->falls);
    s->c.col_depth = memory_alloc(n * sizeof *s->c.col_depth);
    s->c.early = memory_alloc(n * sizeof *s->c.early);
    for (uint32_t j = 0; j < s->c.tops.n; j++)
        s->col_of[s->c.tops.at[j]] = j;
    for (uint32_t j = 0; j < s->c.tops.n; j++)
        for (VarId v = s->p->prev.at[s->c.tops.at[j]]; v != NONE; v = s->p->prev.at[v])
            s->c.col_depth[j]++;
}

static void end_group(Select *s)
{
    for (uint32_t j = 0; j < s->c.tops.n; j++)
        s->col_of[s->c.tops.at[j]] = NONE;
    memory_free(s->stage);
    memory_free(s->queue);
    memory_free(s->c.depth);
    memory_free(s->c.class_);
    memory_free(s->order);
    memory_free(s->taken);
    memory_free(s->falls);
    memory_free(s->c.col_depth);
    memory_free(s->c.early);
}

/* Reports a variable that must be a state but cannot be one. */
static bool always_kept(Select *s)
{
    Dae *d = s->p->dae;
    bool ok = true;
    for (uint32_t j = 0; j < s->c.tops.n; j++)
        for (VarId v = s->c.tops.at[j]; s->p->prev.at[v] != NONE; v = s->p->prev.at[v]) {
            VarId x = s->p->prev.at[v];
            if (!s->is_dummy[v] || d->vars.at[x].state_select != SELECT_ALWAYS)
                continue;
            Arena *scratch = arena_new();
            diag(d->ctx, report_var_span(d, x), DIAG_T007,
                 "%s has stateSelect = StateSelect.always, but constraints determine it from other "
                 "states",
                 dae_var_name(d, x, scratch));
            report_equations(d, s->c.eqs.at, s->c.eqs.n);
            arena_free(scratch);
            ok = false;
        }
    return ok;
}

static bool choose(Select *s)
{
    begin_group(s);
    bool ok = run_group(s, true, false) || run_group(s, false, false) || run_group(s, true, true) ||
              run_group(s, false, true);
    end_group(s);
    if (ok)
        return always_kept(s);
    diag(s->p->dae->ctx, s->p->dae->eqs.at[s->c.eqs.at[0]].span, DIAG_T007,
         "no choice of states satisfies the constraints between the variables of the model");
    report_equations(s->p->dae, s->c.eqs.at, s->c.eqs.n);
    return false;
}

/* ---- groups ---- */

static uint32_t find(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static bool is_candidate(const Planner *p, VarId v)
{
    return var_is_real(p->dae, v) && p->role.at[v] == VAR_ROLE_UNKNOWN && p->next.at[v] == NONE &&
           p->prev.at[v] != NONE;
}

/* parent[i] of the groups of coupled constraints: equations that share a candidate. */
static uint32_t *groups(const Planner *p, const EqVec *eqs)
{
    Dae *d = p->dae;
    uint32_t *parent = memory_alloc(((size_t)eqs->n + 1) * sizeof *parent);
    uint32_t *owner = memory_alloc((size_t)d->vars.n * sizeof *owner);
    for (uint32_t i = 0; i < eqs->n; i++) {
        Term t = d->eqs.at[eqs->at[i]].term;
        parent[i] = i;
        for (uint32_t k = 0; k < t.n; k++) {
            VarId v = dae_op(d, t, k);
            if (!is_candidate(p, v))
                continue;
            if (!owner[v])
                owner[v] = i + 1;
            uint32_t a = find(parent, owner[v] - 1), b = find(parent, i);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    }
    memory_free(owner);
    return parent;
}

typedef struct Member {
    uint32_t group, eq;
} Member;

static int by_group(const void *a, const void *b)
{
    const Member *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->eq > y->eq) - (x->eq < y->eq);
}

static void collect_candidates(Select *s)
{
    Dae *d = s->p->dae;
    vec_clear(&s->c.tops);
    for (uint32_t i = 0; i < s->c.eqs.n; i++) {
        Term t = d->eqs.at[s->c.eqs.at[i]].term;
        for (uint32_t k = 0; k < t.n; k++) {
            VarId v = dae_op(d, t, k);
            if (is_candidate(s->p, v) && s->col_of[v] == NONE) {
                s->col_of[v] = 0;
                vec_push(&s->c.tops, v);
            }
        }
    }
}

static bool choose_groups(Select *s, const EqVec *eqs)
{
    uint32_t *parent = groups(s->p, eqs);
    Member *members = memory_alloc(((size_t)eqs->n + 1) * sizeof *members);
    bool ok = true;
    for (uint32_t i = 0; i < eqs->n; i++)
        members[i] = (Member){find(parent, i), eqs->at[i]};
    qsort(members, eqs->n, sizeof *members, by_group);
    for (uint32_t i = 0; i < eqs->n;) {
        uint32_t group = members[i].group;
        vec_clear(&s->c.eqs);
        while (i < eqs->n && members[i].group == group)
            vec_push(&s->c.eqs, members[i++].eq);
        collect_candidates(s);
        ok &= choose(s);
    }
    memory_free(parent);
    memory_free(members);
    return ok;
}

static void mark_reinits(Select *s)
{
    const Dae *d = s->p->dae;
    for (uint32_t i = 0; i < d->actions.n; i++) {
        VarId v = d->actions.at[i].target;
        if (d->actions.at[i].kind != ACTION_REINIT)
            continue;
        s->reinit[dae_representative(d, v, NULL)] = true;
    }
}

static void warn_never(Dae *d, VarId v)
{
    Arena *scratch = arena_new();
    diag(d->ctx, report_var_span(d, v), DIAG_T101,
         "%s has stateSelect = StateSelect.never, but no other variable can be the state in its "
         "place",
         dae_var_name(d, v, scratch));
    arena_free(scratch);
}

static void add_states(Planner *p, const bool *is_dummy, const bool *in_set, uint32_t n)
{
    for (VarId v = 0; v < n; v++) {
        VarId der = p->next.at[v];
        if (der == NONE || is_dummy[der] || in_set[v])
            continue;
        p->role.at[v] = VAR_ROLE_STATE;
        vec_push(&p->plan->states, ((PlanState){v, der}));
        if (p->dae->vars.at[v].state_select == SELECT_NEVER)
            warn_never(p->dae, v);
    }
}

bool index_select(Planner *p)
{
    Dae *d = p->dae;
    EqVec eqs = {0};
    uint32_t n = d->vars.n;
    Select s = {.p = p};
    s.is_dummy = memory_alloc((size_t)n * sizeof *s.is_dummy);
    s.in_set = memory_alloc((size_t)n * sizeof *s.in_set);
    s.reinit = memory_alloc((size_t)n * sizeof *s.reinit);
    s.col_of = memory_alloc((size_t)n * sizeof *s.col_of);
    for (VarId v = 0; v < n; v++)
        s.col_of[v] = NONE;
    mark_reinits(&s);
    for (EqId e = 0; e < d->eqs.n; e++)
        if (d->eqs.at[e].origin == DAE_EQ_DERIVED && d->eqs.at[e].der == NONE)
            vec_push(&eqs, e);
    if (eqs.n > 0)
        planner_propagate_start(p);
    bool ok = eqs.n == 0 || choose_groups(&s, &eqs);
    if (ok)
        add_states(p, s.is_dummy, s.in_set, n);
    stateset_states(p);
    vec_free(&eqs);
    vec_free(&s.c.eqs);
    vec_free(&s.c.tops);
    memory_free(s.is_dummy);
    memory_free(s.in_set);
    memory_free(s.reinit);
    memory_free(s.col_of);
    return ok;
}
