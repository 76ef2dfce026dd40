/* State sets at run time: which candidates are states now.
 *
 * The model computes the Jacobian of each set's constraints. Rows whose columns are solved for with
 * every choice are eliminated first (sparse, with KLU). The choice is kept until an exchange
 * enlarges the determinant by more than `keep_slack`, so that it does not oscillate. Then the slots
 * take the values of the new candidates and the solver restarts. All other values stay as they are.
 */
#include "base/snapshot.h"
#include "numerics/column_basis.h"
#include "sim/message/message.h"
#include "sim/modes/variable_structure.h"
#include "sim/state/evaluate.h"

#include <klu.h>
#include <math.h>

static const double keep_slack = 3;

typedef struct StateSet {
    const PlanSet *plan;
    uint32_t *column;     /* per slot */
    uint32_t *basis;      /* columns that are not states */
    double *a;            /* rows by columns of the set */
    int *ptr, *row;       /* fixed part by columns */
    double *value, *side; /* fixed part; one column of the right side */
    uint32_t *place;      /* per entry: in `value`, if it belongs to the fixed part */
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} StateSet;

struct StateSets {
    StateSet *at;
    uint32_t n;
    klu_common common;
};

static uint32_t n_slots(const PlanSet *p)
{
    return p->n_cols - p->n_rows;
}

static bool is_fixed_entry(const PlanSet *p, const PlanSetEntry *e)
{
    return e->row >= p->n_rows && e->col >= p->n_cols;
}

/* ---- creation ---- */

static void fixed_pattern(ModeProgram *prog, StateSet *x)
{
    const PlanSet *p = x->plan;
    uint32_t n = p->n_fixed;
    x->ptr = ARENA_ARRAY(prog->own, int, (size_t)n + 2);
    x->row = ARENA_ARRAY(prog->own, int, (size_t)p->n_entries + 1);
    x->value = ARENA_ARRAY(prog->own, double, (size_t)p->n_entries + 1);
    x->side = ARENA_ARRAY(prog->own, double, (size_t)n + 1);
    x->place = ARENA_ARRAY(prog->own, uint32_t, (size_t)p->n_entries + 1);
    for (uint32_t k = 0; k < p->n_entries; k++)
        if (is_fixed_entry(p, &p->entries[k]))
            x->ptr[p->entries[k].col - p->n_cols + 2]++;
    for (uint32_t j = 0; j < n; j++)
        x->ptr[j + 2] += x->ptr[j + 1];
    for (uint32_t k = 0; k < p->n_entries; k++) { /* rows ascend, so that columns come sorted */
        if (!is_fixed_entry(p, &p->entries[k]))
            continue;
        x->place[k] = (uint32_t)x->ptr[p->entries[k].col - p->n_cols + 1]++;
        x->row[x->place[k]] = (int)(p->entries[k].row - p->n_rows);
    }
}

/* The candidate of each slot. */
static void note_choice(ModeProgram *prog, const StateSet *x)
{
    const PlanSet *p = x->plan;
    uint32_t n = n_slots(p);
    for (uint32_t k = 0; k < p->depth * n; k++)
        prog->stands_for[p->slots[k]] = p->cols[(size_t)(k / n) * p->n_cols + x->column[k % n]];
}

static void put_weights(ModeProgram *prog, const StateSet *x)
{
    note_choice(prog, x);
    const PlanSet *p = x->plan;
    for (uint32_t i = 0; i < n_slots(p); i++)
        for (uint32_t j = 0; j < p->n_cols; j++)
            prog->v[p->weights[(size_t)i * p->n_cols + j]] = x->column[i] == j;
}

void stateset_create(ModeProgram *prog)
{
    prog->sets = ARENA_ARRAY(prog->own, struct StateSets, 1);
    prog->sets->n = prog->plan->sets.n;
    prog->sets->at = ARENA_ARRAY(prog->own, StateSet, prog->plan->sets.n);
    klu_defaults(&prog->sets->common);
    if (prog->sets->n) {
        prog->stands_for = ARENA_ARRAY(prog->own, VarId, prog->code->n_vars);
        for (VarId v = 0; v < prog->code->n_vars; v++)
            prog->stands_for[v] = v;
    }
    for (uint32_t i = 0; i < prog->sets->n; i++) {
        StateSet *x = &prog->sets->at[i];
        const PlanSet *p = x->plan = &prog->plan->sets.at[i];
        x->column = ARENA_ARRAY(prog->own, uint32_t, n_slots(p));
        x->basis = ARENA_ARRAY(prog->own, uint32_t, p->n_rows);
        x->a = ARENA_ARRAY(prog->own, double, (size_t)p->n_rows * p->n_cols);
        memcpy(x->column, p->chosen, n_slots(p) * sizeof *x->column);
        fixed_pattern(prog, x);
        if (p->n_fixed)
            x->symbolic = klu_analyze((int)p->n_fixed, x->ptr, x->row, &prog->sets->common);
        put_weights(prog, x);
    }
}

void stateset_free(ModeProgram *prog)
{
    for (uint32_t i = 0; prog->sets && i < prog->sets->n; i++) {
        klu_free_numeric(&prog->sets->at[i].numeric, &prog->sets->common);
        klu_free_symbolic(&prog->sets->at[i].symbolic, &prog->sets->common);
    }
}

/* ---- the Jacobian ---- */

static bool factor_fixed(ModeProgram *prog, StateSet *x)
{
    klu_common *common = &prog->sets->common;
    if (!x->symbolic)
        return false;
    if (x->numeric && klu_refactor(x->ptr, x->row, x->value, x->symbolic, x->numeric, common) &&
        klu_rcond(x->symbolic, x->numeric, common) && common->rcond > 1e-12)
        return true;
    klu_free_numeric(&x->numeric, common);
    x->numeric = klu_factor(x->ptr, x->row, x->value, x->symbolic, common);
    return x->numeric != NULL;
}

static double entry_value(const ModeProgram *prog, const PlanSetEntry *e)
{
    return e->var == NONE ? e->value : prog->v[e->var];
}

/* Column j of the set minus the contribution of the fixed part. */
static bool reduce_column(ModeProgram *prog, StateSet *x, uint32_t j)
{
    const PlanSet *p = x->plan;
    memset(x->side, 0, p->n_fixed * sizeof *x->side);
    bool any = false;
    for (uint32_t k = 0; k < p->n_entries; k++)
        if (p->entries[k].col == j && p->entries[k].row >= p->n_rows) {
            x->side[p->entries[k].row - p->n_rows] = entry_value(prog, &p->entries[k]);
            any = true;
        }
    if (!any)
        return true;
    if (!klu_solve(x->symbolic, x->numeric, (int)p->n_fixed, 1, x->side, &prog->sets->common))
        return false;
    for (uint32_t k = 0; k < p->n_entries; k++)
        if (p->entries[k].row < p->n_rows && p->entries[k].col >= p->n_cols)
            x->a[(size_t)p->entries[k].row * p->n_cols + j] -=
                entry_value(prog, &p->entries[k]) * x->side[p->entries[k].col - p->n_cols];
    return true;
}

/* x->a at the present values, columns by preference; false if it cannot be computed. */
static bool compute_jacobian(ModeProgram *prog, StateSet *x)
{
    const PlanSet *p = x->plan;
    memset(x->a, 0, (size_t)p->n_rows * p->n_cols * sizeof *x->a);
    for (uint32_t k = 0; k < p->n_entries; k++) {
        const PlanSetEntry *e = &p->entries[k];
        double value = entry_value(prog, e);
        if (!isfinite(value))
            return false;
        if (is_fixed_entry(p, e))
            x->value[x->place[k]] = value;
        else if (e->row < p->n_rows && e->col < p->n_cols)
            x->a[(size_t)e->row * p->n_cols + e->col] = value;
    }
    if (p->n_fixed && !factor_fixed(prog, x))
        return false;
    for (uint32_t j = 0; j < p->n_cols; j++) {
        if (p->n_fixed && !reduce_column(prog, x, j))
            return false;
        for (uint32_t i = 0; i < p->n_rows; i++)
            x->a[(size_t)i * p->n_cols + j] *= p->wish[j];
    }
    return true;
}

/* ---- the choice ---- */

static bool is_slot(const StateSet *x, uint32_t j)
{
    for (uint32_t i = 0; i < n_slots(x->plan); i++)
        if (x->column[i] == j)
            return true;
    return false;
}

static void fill_basis(StateSet *x)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < x->plan->n_cols; j++)
        if (!is_slot(x, j))
            x->basis[n++] = j;
}

static bool in_basis(const StateSet *x, uint32_t j)
{
    for (uint32_t i = 0; i < x->plan->n_rows; i++)
        if (x->basis[i] == j)
            return true;
    return false;
}

static void log_change(ModeProgram *prog, const StateSet *x, uint32_t from, uint32_t to)
{
    const PlanSet *p = x->plan;
    for (uint32_t level = p->depth; level-- > 0;) {
        VarId old = p->cols[(size_t)level * p->n_cols + from],
              now = p->cols[(size_t)level * p->n_cols + to];
        arena_reset(prog->run->scratch);
        run_log(prog->run, LOG_EVENTS, "At time = %.9g the states change: %s in place of %s\n",
                prog->run->time, describe_variable(prog, now), describe_variable(prog, old));
    }
}

/* Slots take the values of their candidates. */
static void take_values(ModeProgram *prog, const StateSet *x)
{
    const PlanSet *p = x->plan;
    for (uint32_t level = 0; level < p->depth; level++)
        for (uint32_t i = 0; i < n_slots(p); i++)
            prog->v[p->slots[(size_t)level * n_slots(p) + i]] =
                prog->v[p->cols[(size_t)level * p->n_cols + x->column[i]]];
}

/* Slots whose column is no longer a state get one that has become a state. */
static void follow_basis(ModeProgram *prog, StateSet *x, bool log)
{
    const PlanSet *p = x->plan;
    uint32_t j = 0;
    for (uint32_t i = 0; i < n_slots(p); i++) {
        if (!in_basis(x, x->column[i]))
            continue;
        while (in_basis(x, j) || is_slot(x, j))
            j++;
        if (log)
            log_change(prog, x, x->column[i], j);
        x->column[i] = j;
    }
    put_weights(prog, x);
    take_values(prog, x);
}

static bool choose(ModeProgram *prog, StateSet *x, double slack, bool log)
{
    const PlanSet *p = x->plan;
    if (!compute_jacobian(prog, x))
        return false;
    fill_basis(x);
    ColumnsChoice choice = columns_choose(x->a, p->n_rows, p->n_cols, x->basis, false, slack);
    if (choice == COLUMNS_SINGULAR && compute_jacobian(prog, x))
        choice = columns_choose(x->a, p->n_rows, p->n_cols, x->basis, true, slack);
    if (choice == COLUMNS_CHANGED)
        follow_basis(prog, x, log);
    return choice == COLUMNS_CHANGED;
}

static bool choose_all(ModeProgram *prog, double slack, bool log)
{
    bool changed = false;
    for (uint32_t i = 0; i < prog->sets->n; i++)
        changed |= choose(prog, &prog->sets->at[i], slack, log);
    if (changed)
        runtime_invalidate(prog->rt);
    return changed;
}

static bool is_state_of(const ModeProgram *m, VarId v)
{
    for (uint32_t i = 0; i < m->plan->states.n; i++)
        if (program_stands_for(m, m->plan->states.at[i].var) == v)
            return true;
    return false;
}

/* The candidates that are states of another program, if they are as many as the slots. */
static void follow_choice(StateSet *x, const ModeProgram *from)
{
    const PlanSet *p = x->plan;
    uint32_t n = 0;
    for (uint32_t j = 0; j < p->n_cols; j++)
        n += is_state_of(from, p->cols[j]);
    if (n != n_slots(p))
        return;
    n = 0;
    for (uint32_t j = 0; j < p->n_cols; j++)
        if (is_state_of(from, p->cols[j]))
            x->column[n++] = j;
}

void stateset_take(ModeProgram *prog, const ModeProgram *from)
{
    for (uint32_t k = 0; k < prog->sets->n; k++) {
        StateSet *x = &prog->sets->at[k];
        follow_choice(x, from);
        put_weights(prog, x);
        take_values(prog, x);
    }
}

void stateset_start(ModeProgram *prog)
{
    if (prog->sets->n)
        choose_all(prog, 1, false);
}

bool stateset_monitor(ModeProgram *prog)
{
    if (!prog->sets->n || evaluate_derivatives(prog, prog->run->time, prog->x) ||
        evaluate_call(prog, prog->code->guards))
        return false;
    if (!choose_all(prog, keep_slack, true))
        return false;
    get_states(prog, prog->x);
    prog->run->stats->set_changes++;
    prog->run->restart = true;
    return true;
}

void stateset_snapshot(ModeProgram *prog, Snapshot *p)
{
    struct StateSets *sets = prog->sets;
    snapshot_expect(p, sets->n);
    for (uint32_t k = 0; k < sets->n && !p->bad; k++) {
        StateSet *x = &sets->at[k];
        for (uint32_t i = 0; i < n_slots(x->plan); i++)
            x->column[i] = snapshot_count(p, x->column[i], x->plan->n_cols - 1);
        note_choice(prog, x);
    }
}
