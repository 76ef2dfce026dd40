/* The model as solvers see it: derivatives, Jacobians, and the open form, in which tearing
 * variables of blocks are unknowns of the solver. */
#include "sim/event/locator.h"
#include "sim/modes/variable_structure.h"
#include "sim/state/evaluate.h"

#include <math.h>

/* Errors of steps add up. Explicit steps are cheap, so each may use only this part of the
 * tolerance. With state events, the tolerance is lower already. */
static const double EXPLICIT_SHARE = 0.3;

static int answer(ModeProgram *prog, int status, double t, const double *x)
{
    if (status)
        note_failure(prog, status, t, x);
    return status == 0 ? 0 : status == MODEL_NO_MEMORY || status == MODEL_INTERRUPTED ? -1 : 1;
}

static bool all_finite(const double *values, uint32_t n)
{
    double sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += 0 * values[k];
    return sum == 0;
}

/* ---- closed: blocks are solved ---- */

static int problem_f(void *user, double t, const double *x, double *dx)
{
    ModeProgram *prog = user;
    int status = evaluate_derivatives(prog, t, x);
    if (status)
        return answer(prog, status, t, x);
    for (uint32_t i = 0; i < prog->n; i++)
        dx[i] = prog->v[prog->plan->states.at[i].der];
    return 0;
}

/* One tangent per colour; columns of one colour share no row. column[j] and row[i] are variables;
 * `rest` has the tangents of rows from n_rows on. */
typedef struct Tangents {
    const PlanJacobian *j;
    const VarId *column, *row;
    uint32_t n, n_rows;
    double *rest;
} Tangents;

/* Dense rows are sums over the operands of their equations. Before the tangents: slopes at the
 * present point, sums of nothing. */
static void begin_dense(ModeProgram *prog, const PlanDense *d)
{
    memset(prog->dense_tangents, 0, (size_t)d->n_vars * prog->n * sizeof *prog->dense_tangents);
    for (uint32_t i = 0; i < d->n_vars; i++) {
        Term t = program_equation(prog, d->vars[i].eq)->term;
        t.shape = EXPR_NONE;
        double value = 0;
        for (uint32_t k = d->vars[i].term; k < d->vars[i].term + d->vars[i].n_terms; k++) {
            const PlanDenseTerm *x = &d->terms[k];
            if (x->slope != EXPR_NONE && x->slope != t.shape) {
                t.shape = x->slope;
                value = program_value(prog, t, &value) ? value : NAN;
            }
            prog->dense_slopes[k] = x->slope == EXPR_NONE ? x->factor : value;
        }
    }
}

/* After the tangents of a colour: those of operands that are not dense. */
static void add_to_dense(ModeProgram *prog, const PlanDense *d, uint32_t colour)
{
    const double *dv = prog->m->dv;
    for (uint32_t i = 0; i < d->n_vars; i++) {
        double *row = prog->dense_tangents + (size_t)i * prog->n;
        for (uint32_t k = d->vars[i].term; k < d->vars[i].term + d->vars[i].n_terms; k++) {
            const uint32_t *columns = d->columns + d->terms[k].column;
            double tangent = prog->dense_slopes[k] * dv[d->terms[k].operand];
            for (uint32_t c = 0; c < d->terms[k].n_columns; c++)
                if (d->colour[columns[c]] == colour)
                    row[columns[c]] += tangent;
        }
    }
}

/* After all tangents: dense operands, in the order of the steps; then the rows of the Jacobian. */
static void end_dense(ModeProgram *prog, const PlanJacobian *j, double *values)
{
    const PlanDense *d = j->dense;
    for (uint32_t i = 0; i < d->n_vars; i++) {
        double *row = prog->dense_tangents + (size_t)i * prog->n;
        for (uint32_t k = d->vars[i].term; k < d->vars[i].term + d->vars[i].n_terms; k++) {
            if (d->terms[k].dense == NONE)
                continue;
            const double *operand = prog->dense_tangents + (size_t)d->terms[k].dense * prog->n;
            for (uint32_t c = 0; c < prog->n; c++)
                row[c] += prog->dense_slopes[k] * operand[c];
        }
    }
    for (uint32_t c = 0; c < prog->n; c++)
        for (uint32_t k = j->col_ptr[c]; k < j->col_ptr[c + 1]; k++)
            if (d->of_row[j->row[k]] != NONE)
                values[k] = prog->dense_tangents[(size_t)d->of_row[j->row[k]] * prog->n + c];
}

/* Columns of colours whose tangents failed: NAN. */
static void mark_failed(const PlanJacobian *j, const uint32_t *colours, const bool *failed,
                        uint32_t n, double *values)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = j->col_ptr[i]; failed[colours[i]] && k < j->col_ptr[i + 1]; k++)
            values[k] = NAN;
}

/* Columns through a block that is singular here are NAN: its unknowns have no slope. */
static int tangents(ModeProgram *prog, const Tangents *g, double *values)
{
    const PlanJacobian *j = g->j;
    const uint32_t *colours = j->dense ? j->dense->colour : j->colour;
    uint32_t n_colours = j->dense ? j->dense->n_colours : j->n_colours;
    double *dv = prog->m->dv;
    bool *failed = prog->failed_colours, any = false;
    int status = 0;
    if (j->dense)
        begin_dense(prog, j->dense);
    for (uint32_t colour = 0; !status && colour < n_colours; colour++) {
        for (uint32_t i = 0; i < g->n; i++)
            dv[g->column[i]] = colours[i] == colour ? 1 : 0;
        runtime_open(prog->rt, g->rest);
        status = evaluate_call(prog, prog->code->tangent);
        runtime_open(prog->rt, NULL);
        failed[colour] = status == MODEL_SINGULAR;
        any |= failed[colour];
        status = failed[colour] ? 0 : status;
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t k = j->col_ptr[i]; colours[i] == colour && k < j->col_ptr[i + 1]; k++)
                values[k] =
                    j->row[k] < g->n_rows ? dv[g->row[j->row[k]]] : g->rest[j->row[k] - g->n_rows];
        if (j->dense)
            add_to_dense(prog, j->dense, colour);
    }
    if (j->dense)
        end_dense(prog, j, values);
    if (any && !status)
        mark_failed(j, colours, failed, g->n, values);
    for (uint32_t i = 0; i < g->n; i++)
        dv[g->column[i]] = 0;
    return status;
}

typedef int RightSide(void *user, double t, const double *x, double *f);

static bool is_column_finite(const PlanJacobian *j, const double *values, uint32_t column)
{
    return all_finite(values + j->col_ptr[column], j->col_ptr[column + 1] - j->col_ptr[column]);
}

/* Column of the Jacobian by a difference over about the tolerance, to one side or the other. */
static int difference_column(ModeProgram *prog, RightSide *f, const PlanJacobian *j,
                             uint32_t column, double t, const double *x, uint32_t n, double *values)
{
    double *at = prog->differences, *here = at + n, *there = here + n;
    double by = prog->open_atol[column] + prog->problem.rtol * fabs(x[column]);
    memcpy(at, x, n * sizeof *at);
    int status = f(prog, t, x, here);
    for (int turn = 0; turn < 2 && !status; turn++) {
        double step = turn ? -by : by;
        at[column] = x[column] + step;
        if (f(prog, t, at, there))
            continue;
        for (uint32_t k = j->col_ptr[column]; k < j->col_ptr[column + 1]; k++)
            values[k] = (there[j->row[k]] - here[j->row[k]]) / step;
        if (is_column_finite(j, values, column))
            return 0;
    }
    return MODEL_NOT_FINITE;
}

/* If a slope is infinite, as that of sqrt(abs(x)) at zero, or of the speed of a pump at rest whose
 * head is the square of it, the solver gets the mean slope over its tolerance. It shows the effect
 * of the state, and Newton's iteration continues. */
static int jacobian_values(ModeProgram *prog, int status, const Tangents *g, RightSide *f, double t,
                           const double *x, double *values)
{
    double begin = run_clock(prog->run);
    profile_enter(prog->run->calls, PROFILE_PART, PART_JACOBIANS);
    if (!status)
        status = tangents(prog, g, values);
    if (!status && !all_finite(values, g->j->col_ptr[g->n]))
        for (uint32_t i = 0; i < g->n && !status; i++)
            if (!is_column_finite(g->j, values, i))
                status = difference_column(prog, f, g->j, i, t, x, g->n, values);
    profile_leave(prog->run->calls);
    prog->run->stats->seconds_jacobian += run_clock(prog->run) - begin;
    prog->run->stats->jacobians++;
    return status;
}

static int problem_jacobian(void *user, double t, const double *x, double *values)
{
    ModeProgram *prog = user;
    if (prog->mixed)
        return prog->mixed->jacobian(prog, t, x, values);
    Tangents g = {&prog->plan->jacobian, prog->columns, prog->rows, prog->n, prog->n, NULL};
    int status = evaluate_derivatives(prog, t, x);
    return answer(prog, jacobian_values(prog, status, &g, problem_f, t, x, values), t, x);
}

/* ---- open: blocks are not solved ---- */

static int open_evaluate(ModeProgram *prog, double t, const double *y)
{
    uint32_t n = prog->problem.open.n;
    for (uint32_t i = prog->n; i < n; i++)
        prog->v[prog->columns[i]] = y[i];
    runtime_open(prog->rt, prog->open_rest);
    int status = evaluate_derivatives(prog, t, y);
    runtime_open(prog->rt, NULL);
    return status || all_finite(prog->open_rest, n - prog->n) ? status : MODEL_NOT_FINITE;
}

static int open_f(void *user, double t, const double *y, double *r)
{
    ModeProgram *prog = user;
    int status = open_evaluate(prog, t, y);
    for (uint32_t i = 0; !status && i < prog->n; i++)
        r[i] = prog->v[prog->plan->states.at[i].der];
    for (uint32_t i = prog->n; !status && i < prog->problem.open.n; i++)
        r[i] = prog->open_rest[i - prog->n];
    return answer(prog, status, t, y);
}

static int open_jacobian(void *user, double t, const double *y, double *values)
{
    ModeProgram *prog = user;
    Tangents g = {&prog->plan->open_jacobian, prog->columns, prog->rows,
                  prog->problem.open.n,       prog->n,       prog->open_rest};
    int status = open_evaluate(prog, t, y);
    return answer(prog, jacobian_values(prog, status, &g, open_f, t, y, values), t, y);
}

static int open_start(void *user, double t, double *y, double *slope)
{
    ModeProgram *prog = user;
    int status = problem_f(prog, t, y, slope);
    for (uint32_t i = prog->n; !status && i < prog->problem.open.n; i++)
        y[i] = prog->v[prog->columns[i]];
    return status;
}

/* The variables of columns and rows: states and their derivatives, then the tearing variables of
 * open blocks. */
static void list_columns(ModeProgram *prog)
{
    const Plan *p = prog->plan;
    uint32_t n = prog->n;
    for (uint32_t i = 0; i < p->open.n; i++)
        n += p->blocks.at[p->open.at[i]].n_torn;
    prog->columns = ARENA_ARRAY(prog->own, VarId, n);
    prog->rows = ARENA_ARRAY(prog->own, VarId, prog->n);
    prog->open_rest = ARENA_ARRAY(prog->own, double, n - prog->n + 1);
    prog->problem.open.n = n;
    prog->differences = ARENA_ARRAY(prog->own, double, 3 * (size_t)n);
    prog->failed_colours = ARENA_ARRAY(prog->own, bool, n + 1);
    double *atol = prog->open_atol = ARENA_ARRAY(prog->own, double, n);
    n = 0;
    for (; n < prog->n; n++) {
        prog->columns[n] = p->states.at[n].var;
        prog->rows[n] = p->states.at[n].der;
        atol[n] = prog->atol[n];
    }
    for (uint32_t i = 0; i < p->open.n; i++) {
        const PlanBlock *b = &p->blocks.at[p->open.at[i]];
        for (uint32_t k = 0; k < b->n_torn; k++, n++) {
            prog->columns[n] = p->torn.at[b->torn + k].var;
            atol[n] = prog->run->options->tolerance * program_var(prog, prog->columns[n])->nominal;
        }
    }
    prog->problem.open.atol = atol;
}

static void open_problem(ModeProgram *prog)
{
    const PlanJacobian *j = prog->plan->open.n ? &prog->plan->open_jacobian : &prog->plan->jacobian;
    OpenProblem *o = &prog->problem.open;
    list_columns(prog);
    o->has_blocks = prog->plan->open.n > 0;
    o->f = open_f;
    o->start = open_start;
    o->jacobian = !prog->code->tangent || !j->col_ptr ? NULL
                  : prog->plan->open.n                ? open_jacobian
                                                      : problem_jacobian;
    o->col_ptr = j->col_ptr;
    o->row = j->row;
}

void problem_close(ModeProgram *prog)
{
    OpenProblem *o = &prog->problem.open;
    o->n = prog->n;
    o->has_blocks = false;
    o->f = problem_f;
    o->jacobian = prog->problem.jacobian;
    o->col_ptr = prog->problem.col_ptr;
    o->row = prog->problem.row;
}

void problem_create(ModeProgram *prog)
{
    const SimOptions *o = prog->run->options;
    double span = o->stop - o->start;
    double interval = o->intervals ? span / o->intervals : span;
    bool has_jacobian = prog->code->tangent && prog->plan->jacobian.col_ptr;
    prog->problem = (Problem){.n = prog->n,
                              .user = prog,
                              .f = problem_f,
                              .jacobian = has_jacobian ? problem_jacobian : NULL,
                              .col_ptr = prog->plan->jacobian.col_ptr,
                              .row = prog->plan->jacobian.row,
                              .rtol = solver_tolerance(prog),
                              .atol = prog->atol,
                              .share = program_has_state_events(prog) ? 1 : EXPLICIT_SHARE,
                              .step = o->step > 0 ? o->step : interval};
    const PlanDense *dense = prog->plan->jacobian.dense;
    prog->problem.n_colours = dense ? dense->n_colours : prog->plan->jacobian.n_colours;
    if (dense) {
        prog->dense_slopes = ARENA_ARRAY(prog->own, double, dense->n_terms);
        prog->dense_tangents = ARENA_ARRAY(prog->own, double, (size_t)dense->n_vars * prog->n);
    }
    prog->problem.ranked = prog->run->timed;
    open_problem(prog);
}
