#include "sim/linear.h"

#include "numerics/dense.h"
#include "numerics/linear_systems.h"
#include "sim/exchange.h"
#include "sim/message/message.h"
#include "sim/slide_tangents.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"

#include <math.h>

bool linear_slides(const Sim *s)
{
    return s->prog->mixed;
}

bool linear_exists(const Sim *s)
{
    return !linear_slides(s) || sliding_has_tangents(s->prog);
}

bool linear_has_past(const Sim *s)
{
    return program_n_delays(s->prog) || program_n_transports(s->prog);
}

bool linear_has_transports(const Sim *s)
{
    return program_n_transports(s->prog);
}

bool linear_vary_delays(Sim *s)
{
    return runtime_unit_pasts(s->prog->rt, s->run.time);
}

uint32_t linear_n_delays(const Sim *s)
{
    return program_n_delays(s->prog);
}

void linear_delay(const Sim *s, uint32_t k, LinearVar *past, LinearVar *source, double *time)
{
    const ModeProgram *prog = s->prog;
    const DaeDelay *d = program_delay(prog, k);
    *past = (LinearVar){d->number, 1};
    source->var = resolve_alias(prog, d->source, &source->sign);
    *time = 0;
    if (d->varies) {
        double sign;
        VarId var = resolve_alias(prog, d->time_var, &sign);
        *time = sign * prog->v[var];
    } else
        program_value(prog, d->time, time);
}

bool linear_is_sampled(const Sim *s)
{
    return s->given.plan->dae->samples.n > 0;
}

bool linear_has_state_events(const Sim *s)
{
    for (uint32_t k = 0; k < program_n_relations(s->prog); k++)
        if (!program_relation(s->prog, k)->is_time_event)
            return true;
    return false;
}

bool linear_rests(Sim *s, double time)
{
    ModeProgram *prog = s->prog;
    bool rests = !evaluate_derivatives(prog, s->run.time, prog->x);
    s->complete = VALUES_DUE;
    for (uint32_t i = 0; i < prog->n && rests; i++) {
        const PlanState *x = &prog->plan->states.at[i];
        double size = fabs(prog->x[i]) + program_var(prog, x->var)->nominal;
        rests = fabs(prog->v[x->der]) * time <= 1e-5 * size;
    }
    return rests;
}

uint32_t linear_n_states(const Sim *s)
{
    return s->prog->n;
}

VarId linear_state(const Sim *s, uint32_t i)
{
    return program_stands_for(s->prog, s->prog->plan->states.at[i].var);
}

/* ---- derivatives ---- */

/* Tangents of everything continuous, from dv. */
static int vary(ModeProgram *prog, bool outputs)
{
    int status = evaluate_call(prog, prog->code->variations->derivatives);
    return status || !outputs ? status : evaluate_call(prog, prog->code->variations->outputs);
}

static void read_column(const ModeProgram *prog, const LinearPoint *p, double *states,
                        double *outputs)
{
    const double *dv = prog->m->dv;
    for (uint32_t i = 0; i < prog->n; i++)
        states[i] = dv[prog->plan->states.at[i].der];
    for (uint32_t i = 0; i < p->n_outputs; i++)
        outputs[i] = p->outputs[i].sign * dv[p->outputs[i].var];
}

static int unit_columns(ModeProgram *prog, double *a)
{
    const PlanState *states = prog->plan->states.at;
    int status = 0;
    for (uint32_t j = 0; j < prog->n && !status; j++) {
        prog->m->dv[states[j].var] = 1;
        status = evaluate_call(prog, prog->code->tangent);
        for (uint32_t i = 0; i < prog->n; i++)
            a[(size_t)j * prog->n + i] = prog->m->dv[states[i].der];
        prog->m->dv[states[j].var] = 0;
    }
    return status;
}

int linear_jacobian(ModeProgram *prog, double t, const double *x, double *a)
{
    const Problem *p = &prog->problem;
    if (!p->jacobian || !p->col_ptr || !prog->n) {
        int status = evaluate_derivatives(prog, t, x);
        return status || !prog->n ? status : unit_columns(prog, a);
    }
    uint64_t before = prog->run->stats->derivatives;
    int status = p->jacobian(p->user, t, x, a);
    bool elsewhere = prog->run->stats->derivatives != before + 1; /* difference quotients */
    return status || !elsewhere ? status : evaluate_derivatives(prog, t, x);
}

/* dv becomes the direction of one variable: a state, an input, or a parameter that drives one. */
static int begin_direction(ModeProgram *prog, VarId seed, double by)
{
    double *dv = prog->m->dv;
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    dv[seed] = by;
    bool driven = program_var(prog, seed)->kind == DAE_PARAMETER;
    return driven ? evaluate_constant_tangents(prog, seed) : 0;
}

static int direction(ModeProgram *prog, const LinearPoint *p, VarId seed, double by, double *states,
                     double *outputs)
{
    double *dv = prog->m->dv;
    int status = begin_direction(prog, seed, by);
    status = status ? status : vary(prog, p->n_outputs > 0);
    read_column(prog, p, states, outputs);
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    return status;
}

/* All columns of one colour together. */
static int colour_columns(ModeProgram *prog, uint32_t colour, double *a)
{
    const PlanJacobian *q = &prog->plan->jacobian;
    double *dv = prog->m->dv;
    for (uint32_t j = 0; j < prog->n; j++)
        dv[prog->plan->states.at[j].var] = q->colour[j] == colour;
    int status = vary(prog, false);
    for (uint32_t j = 0; j < prog->n; j++)
        for (uint32_t k = q->col_ptr[j]; q->colour[j] == colour && k < q->col_ptr[j + 1]; k++)
            a[(size_t)j * prog->n + q->row[k]] = dv[prog->plan->states.at[q->row[k]].der];
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    return status;
}

/* Outputs that are states need no tangents. True if there are others. */
static bool state_outputs(const ModeProgram *prog, const LinearPoint *p)
{
    bool others = false;
    memset(p->c, 0, (size_t)p->n_outputs * prog->n * sizeof *p->c);
    for (uint32_t i = 0; i < p->n_outputs; i++) {
        uint32_t j = 0;
        while (j < prog->n && prog->plan->states.at[j].var != p->outputs[i].var)
            j++;
        if (j < prog->n)
            p->c[(size_t)j * p->n_outputs + i] = p->outputs[i].sign;
        others |= j == prog->n;
    }
    return others;
}

/* Derivatives of outputs by the states from `first` to before `end`. If a direction that moves all
 * of them by different amounts changes no output, they are zero; otherwise both halves are
 * searched. So an output of few states takes few directions. */
static int output_columns(ModeProgram *prog, const LinearPoint *p, uint32_t first, uint32_t end)
{
    double *dv = prog->m->dv;
    bool any = false, one = end - first == 1;
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    for (uint32_t j = first; j < end; j++)
        dv[prog->plan->states.at[j].var] = one ? 1 : 1 + fmod(0.6180339887498949 * (j + 1), 1);
    int status = vary(prog, true);
    for (uint32_t i = 0; i < p->n_outputs && !status; i++) {
        double y = p->outputs[i].sign * dv[p->outputs[i].var];
        any |= !(y == 0);
        if (one)
            p->c[(size_t)first * p->n_outputs + i] = y;
    }
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    if (status || one || !any)
        return status;
    uint32_t middle = first + (end - first) / 2;
    status = output_columns(prog, p, first, middle);
    return status ? status : output_columns(prog, p, middle, end);
}

/* Columns of one colour are found together. */
static int state_columns(ModeProgram *prog, const LinearPoint *p)
{
    const PlanJacobian *q = &prog->plan->jacobian;
    uint32_t n = prog->n;
    int status = 0;
    if (q->col_ptr && n > q->n_colours) {
        memset(p->a, 0, (size_t)n * n * sizeof *p->a);
        for (uint32_t colour = 0; !status && colour < q->n_colours; colour++)
            status = colour_columns(prog, colour, p->a);
        if (!p->n_outputs || status || !state_outputs(prog, p))
            return status;
        return output_columns(prog, p, 0, n);
    }
    for (uint32_t j = 0; !status && j < n; j++)
        status = direction(prog, p, prog->plan->states.at[j].var, 1, p->a + (size_t)j * n,
                           p->c + (size_t)j * p->n_outputs);
    return status;
}

int linear_matrices(Sim *s, const LinearPoint *p)
{
    ModeProgram *prog = s->prog;
    double begin = run_clock(prog->run);
    s->complete = VALUES_DUE;
    int status = evaluate_outputs(prog, s->run.time, prog->x);
    status = status ? status : state_columns(prog, p);
    for (uint32_t j = 0; !status && j < p->n_inputs; j++)
        status = direction(prog, p, p->inputs[j].var, p->inputs[j].sign, p->b + (size_t)j * prog->n,
                           p->d + (size_t)j * p->n_outputs);
    prog->run->stats->seconds_jacobian += run_clock(prog->run) - begin;
    prog->run->stats->jacobians++;
    return status;
}

/* ---- along surfaces ---- */

uint32_t linear_n_along(const Sim *s)
{
    return s->prog->n - sliding_count(s->prog);
}

/* Derivatives of everything in the direction of states and inputs, side by side. */
typedef struct Columns {
    uint32_t n, m, n_outputs, n_surfaces;
    double *rates;    /* n by n + m */
    double *outputs;  /* n_outputs by n + m */
    double *surfaces; /* n_surfaces by n + m */
} Columns;

static int find_column(ModeProgram *prog, const LinearPoint *p, const Columns *q, uint32_t j,
                       double *z)
{
    LinearVar of = j < q->n ? (LinearVar){prog->plan->states.at[j].var, 1} : p->inputs[j - q->n];
    double *dv = prog->m->dv;
    int status = begin_direction(prog, of.var, of.sign);
    status = status ? status : slide_tangents(prog, dv, z);
    read_column(prog, p, q->rates + (size_t)j * q->n, q->outputs + (size_t)j * q->n_outputs);
    for (uint32_t i = 0; i < q->n_surfaces; i++)
        q->surfaces[(size_t)j * q->n_surfaces + i] = z[sliding_relation(prog, i)];
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    return status;
}

/* Solves the surfaces for one state each, by elimination. Pivots are those states through which the
 * sides move the motion most: these follow an input at once, others do not. They are marked by the
 * number of their row, others by NONE. False: the surfaces are dependent. */
static bool solve_surfaces(const ModeProgram *prog, const Columns *q, uint32_t *row)
{
    uint32_t k = q->n_surfaces;
    double *z = q->surfaces;
    for (uint32_t j = 0; j < q->n; j++)
        row[j] = NONE;
    for (uint32_t i = 0; i < k; i++) {
        uint32_t best = 0;
        double most = 0;
        for (uint32_t j = 0; j < q->n; j++) {
            double size = fabs(z[(size_t)j * k + i]) * sliding_contrast(prog, j);
            if (row[j] == NONE && size > most) {
                most = size;
                best = j;
            }
        }
        if (!(most > 0))
            return false;
        row[best] = i;
        double pivot = z[(size_t)best * k + i];
        for (uint32_t j = 0; j < q->n + q->m; j++)
            z[(size_t)j * k + i] /= pivot;
        for (uint32_t r = 0; r < k; r++) {
            double by = z[(size_t)best * k + r];
            for (uint32_t j = 0; j < q->n + q->m && r != i; j++)
                z[(size_t)j * k + r] -= by * z[(size_t)j * k + i];
        }
    }
    return true;
}

/* One column without the states that follow from others. `rows` of it are kept. */
static void put_along(const Columns *q, const uint32_t *row, uint32_t j, const double *from,
                      uint32_t n, bool states, double *to)
{
    for (uint32_t i = 0; i < n; i++) {
        if (states && row[i] != NONE)
            continue;
        double sum = from[(size_t)j * n + i];
        for (uint32_t d = 0; d < q->n; d++)
            if (row[d] != NONE)
                sum -= from[(size_t)d * n + i] * q->surfaces[(size_t)j * q->n_surfaces + row[d]];
        *to++ = sum;
    }
}

int linear_along(Sim *s, const LinearPoint *p, uint32_t *kept)
{
    ModeProgram *prog = s->prog;
    Arena *arena = arena_new();
    uint32_t n = prog->n, k = n - linear_n_along(s), along = n - k, done = 0;
    size_t width = (size_t)n + p->n_inputs;
    Columns q = {.n = n,
                 .m = p->n_inputs,
                 .n_outputs = p->n_outputs,
                 .n_surfaces = k,
                 .rates = ARENA_ARRAY(arena, double, width *n + 1),
                 .outputs = ARENA_ARRAY(arena, double, width * p->n_outputs + 1),
                 .surfaces = ARENA_ARRAY(arena, double, width *k + 1)};
    double *z = ARENA_ARRAY(arena, double, program_n_relations(prog) + 1);
    uint32_t *row = ARENA_ARRAY(arena, uint32_t, n + 1);
    s->complete = VALUES_DUE;
    int status = evaluate_outputs(prog, s->run.time, prog->x);
    for (uint32_t j = 0; j < width && !status; j++)
        status = find_column(prog, p, &q, j, z);
    if (!status && !solve_surfaces(prog, &q, row))
        status = MODEL_SINGULAR;
    for (uint32_t j = 0; j < width && !status; j++) {
        bool state = j < n;
        if (state && row[j] != NONE)
            continue;
        uint32_t at = state ? done : j - n;
        put_along(&q, row, j, q.rates, n, true, (state ? p->a : p->b) + (size_t)at * along);
        put_along(&q, row, j, q.outputs, p->n_outputs, false,
                  (state ? p->c : p->d) + (size_t)at * p->n_outputs);
        if (state)
            kept[done++] = j;
    }
    arena_free(arena);
    return status;
}

bool linear_put_along(Sim *s, double *shift)
{
    ModeProgram *prog = s->prog;
    Arena *arena = arena_new();
    uint32_t n = prog->n, k = n - linear_n_along(s);
    Columns q = {.n = n,
                 .n_surfaces = k,
                 .rates = ARENA_ARRAY(arena, double, (size_t)n *n + 1),
                 .surfaces = ARENA_ARRAY(arena, double, (size_t)n *k + 1)};
    LinearPoint none = {0};
    double *z = ARENA_ARRAY(arena, double, program_n_relations(prog) + 1);
    uint32_t *row = ARENA_ARRAY(arena, uint32_t, n + 1);
    s->complete = VALUES_DUE;
    int status = evaluate_outputs(prog, s->run.time, prog->x);
    for (uint32_t j = 0; j < n && !status; j++)
        status = find_column(prog, &none, &q, j, z);
    bool good = !status && solve_surfaces(prog, &q, row);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++)
            shift[(size_t)j * n + i] =
                good && row[i] != NONE ? -q.surfaces[(size_t)j * k + row[i]] : 0;
    arena_free(arena);
    return good;
}

/* ---- poles ---- */

bool linear_poles(Sim *s, double *re, double *im)
{
    uint32_t n = s->prog->n;
    double *a = memory_alloc(((size_t)n * n + 1) * sizeof *a);
    LinearPoint p = {.a = a};
    bool good = !linear_slides(s) && !linear_has_past(s) && !linear_matrices(s, &p) &&
                linear_eigenvalues(n, a, re, im);
    memory_free(a);
    return good;
}

/* ---- equilibria ---- */

typedef struct Newton {
    Sim *s;
    uint32_t n;
    double *first; /* where the search begins */
    double *x, *f, *step, *a, *work, *trial;
    double *bordered, *basis; /* shifts that change nothing, in nominal values */
    uint32_t n_drifts;
    uint32_t *order;
} Newton;

static double nominal_of(const Newton *w, uint32_t i)
{
    return program_var(w->s->prog, w->s->prog->plan->states.at[i].var)->nominal;
}

/* Derivatives at x, after the events there. A ModelStatus, or -1 if the run has failed. Blocks of a
 * point without solution are solved from the values of the last point that had one. */
static int place(Newton *w, const double *x, double *f)
{
    bool restart = false;
    exchange_place(w->s, w->s->run.time, x);
    int status = exchange_derivatives(w->s, f);
    if (status)
        return status;
    if (!exchange_event(w->s, &restart))
        return -1;
    w->s->run.restart = true; /* the states have moved */
    if (w->s->prog->n != w->n)
        return -1;
    memcpy(w->x, w->s->prog->x, w->n * sizeof *w->x);
    status = exchange_derivatives(w->s, f);
    if (!status)
        runtime_accept(w->s->prog->rt);
    return status;
}

/* The largest derivative in nominal values. */
static double size_of(const Newton *w, const double *f, VarId *which)
{
    double most = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        double size = fabs(f[i]) / nominal_of(w, i);
        if (!(size <= most)) {
            most = size;
            if (which)
                *which = linear_state(w->s, i);
        }
    }
    return most;
}

/* The matrix in nominal values, each row divided by its largest entry; these into row. */
static int scaled_matrix(Newton *w, double *row)
{
    LinearPoint p = {.a = w->a};
    int status = linear_matrices(w->s, &p);
    for (uint32_t i = 0; i < w->n; i++) {
        row[i] = 0;
        for (uint32_t j = 0; j < w->n; j++) {
            w->a[(size_t)j * w->n + i] *= nominal_of(w, j);
            row[i] = fmax(row[i], fabs(w->a[(size_t)j * w->n + i]));
        }
        row[i] = row[i] > 0 ? row[i] : 1;
        for (uint32_t j = 0; j < w->n; j++)
            w->a[(size_t)j * w->n + i] /= row[i];
    }
    return status;
}

/* The system of a step: the matrix, and shifts that change no derivative, along which states may
 * drift. */
static uint32_t border(Newton *w, const double *row, double *q, double *b)
{
    uint32_t n = w->n;
    double *basis = w->work, *copy = w->work + (size_t)n * n;
    memcpy(copy, w->a, (size_t)n * n * sizeof *copy);
    uint32_t drifts = n ? dense_null_space(n, copy, DENSE_SINGULAR, basis, w->order) : 0,
             size = n + drifts;
    memset(q, 0, (size_t)size * size * sizeof *q);
    for (uint32_t j = 0; j < n; j++)
        memcpy(q + (size_t)j * size, w->a + (size_t)j * n, n * sizeof *q);
    for (uint32_t c = 0; c < drifts; c++)
        for (uint32_t i = 0; i < n; i++) {
            q[(size_t)(n + c) * size + i] = basis[(size_t)c * n + i] * nominal_of(w, i) / row[i];
            q[(size_t)i * size + n + c] = basis[(size_t)c * n + i];
        }
    for (uint32_t i = 0; i < size; i++)
        b[i] = i < n ? -w->f[i] / row[i] : 0;
    memcpy(w->basis, basis, (size_t)n * drifts * sizeof *basis);
    return drifts;
}

/* The Newton step, of least size if the matrix is singular. *outside: the part of f that no step
 * removes, as a share. */
static int newton_step(Newton *w, double *outside)
{
    double *row = w->trial;
    int status = scaled_matrix(w, row);
    if (status)
        return status;
    uint32_t n = w->n, rank;
    w->n_drifts = border(w, row, w->bordered, w->step);
    double size = 0;
    for (uint32_t i = 0; i < n; i++)
        size = fmax(size, fabs(w->step[i]));
    double left = dense_min_norm(n + w->n_drifts, w->bordered, w->step, DENSE_SINGULAR, w->work,
                                 w->order, &rank);
    *outside = size > 0 ? left / size : 0;
    for (uint32_t j = 0; j < n; j++)
        w->step[j] *= nominal_of(w, j);
    return 0;
}

/* The part of the derivatives that is no drift goes to rest; true if something drifts. */
static bool split_drift(Newton *w, double *rest)
{
    bool any = false;
    for (uint32_t i = 0; i < w->n; i++) {
        rest[i] = w->f[i];
        for (uint32_t c = 0; c < w->n_drifts; c++)
            rest[i] += w->step[w->n + c] * w->basis[(size_t)c * w->n + i] * nominal_of(w, i);
        any |= fabs(w->f[i] - rest[i]) > 1e-9 * nominal_of(w, i);
    }
    return any;
}

static bool is_small(const Newton *w)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (!(fabs(w->step[i]) <= 1e-11 * (fabs(w->x[i]) + 1e-3 * nominal_of(w, i))))
            return false;
    return true;
}

void linear_shift_time(const ModeProgram *prog, double *dv)
{
    memset(dv, 0, prog->code->n_vars * sizeof *dv);
    dv[0] = 1;
    for (uint32_t k = 0; k < program_n_delays(prog); k++)
        dv[program_delay(prog, k)->number] = 1;
}

/* Whether the derivatives move with time alone. */
static bool depends_on_time(Newton *w)
{
    ModeProgram *prog = w->s->prog;
    LinearPoint p = {0};
    if (evaluate_outputs(prog, w->s->run.time, prog->x))
        return false;
    linear_shift_time(prog, prog->m->dv);
    int status = vary(prog, false);
    read_column(prog, &p, w->work, NULL);
    memset(prog->m->dv, 0, prog->code->n_vars * sizeof *prog->m->dv);
    return !status && size_of(w, w->work, NULL) > 0;
}

/* A step, shortened while it makes the derivatives much larger. */
static int take_step(Newton *w)
{
    double before = size_of(w, w->f, NULL), share = 1;
    double *from = w->work; /* free between steps */
    memcpy(from, w->x, w->n * sizeof *from);
    int status = 0;
    for (int turn = 0; turn < 12; turn++, share *= 0.5) {
        for (uint32_t i = 0; i < w->n; i++)
            w->trial[i] = from[i] + share * w->step[i];
        status = place(w, w->trial, w->f);
        if (status < 0)
            return status;
        double now = status ? INFINITY : size_of(w, w->f, NULL);
        if (now <= 2 * before || turn == 11)
            break;
    }
    return status;
}

/* Whether a shift by `far` rates leaves all derivatives as they are. */
static bool is_same_after(Newton *w, const double *rate, double far)
{
    double *f = w->work + w->n;
    for (uint32_t i = 0; i < w->n; i++)
        w->trial[i] = w->x[i] + far * rate[i] * nominal_of(w, i);
    exchange_place(w->s, w->s->run.time, w->trial);
    int status = exchange_derivatives(w->s, f);
    exchange_place(w->s, w->s->run.time, w->x);
    for (uint32_t i = 0; i < w->n && !status; i++)
        status = !(fabs(f[i] - w->f[i]) <= 1e-7 * (fabs(w->f[i]) + nominal_of(w, i)));
    return !status;
}

/* Whether a shift along what drifts leaves all derivatives as they are, also far away and back at
 * the beginning, and some states do not drift. */
static bool may_drift(Newton *w)
{
    uint32_t still = 0;
    double *rate = w->work, along = 0, square = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        rate[i] = 0;
        for (uint32_t c = 0; c < w->n_drifts; c++)
            rate[i] -= w->step[w->n + c] * w->basis[(size_t)c * w->n + i];
        still += fabs(rate[i]) <= 1e-9;
        along += rate[i] * (w->first[i] - w->x[i]) / nominal_of(w, i);
        square += rate[i] * rate[i];
    }
    return still > 0 && is_same_after(w, rate, 0.73) &&
           is_same_after(w, rate, square > 0 ? along / square : 0);
}

/* After the last step. */
static EquilibriumResult judge(Newton *w, double outside, VarId *rest)
{
    double *still = w->trial;
    bool drifts = split_drift(w, still);
    if (outside > 1e-6 && size_of(w, still, NULL) > 1e-9)
        return EQUILIBRIUM_NONE;
    if (drifts && !may_drift(w)) {
        size_of(w, w->f, rest);
        return EQUILIBRIUM_NONE;
    }
    return EQUILIBRIUM_FOUND;
}

static EquilibriumResult iterate(Newton *w, VarId *rest, unsigned *iterations)
{
    enum { MOST = 100 };
    int status = place(w, w->x, w->f);
    double outside = 0;
    for (*iterations = 0; !status && *iterations < MOST; ++*iterations) {
        size_of(w, w->f, rest);
        status = newton_step(w, &outside);
        if (status)
            break;
        if (is_small(w))
            return judge(w, outside, rest);
        status = take_step(w);
    }
    if (status)
        return EQUILIBRIUM_FAILED;
    return outside > 1e-6 ? EQUILIBRIUM_NONE : EQUILIBRIUM_DIVERGED;
}

EquilibriumResult sim_equilibrium(Sim *s, VarId *rest, unsigned *iterations)
{
    uint32_t n = s->prog->n;
    size_t most = 2 * (size_t)n; /* of a bordered system */
    Arena *arena = arena_new();
    Newton w = {.s = s,
                .n = n,
                .first = ARENA_ARRAY(arena, double, n + 1),
                .x = ARENA_ARRAY(arena, double, n + 1),
                .f = ARENA_ARRAY(arena, double, n + 1),
                .step = ARENA_ARRAY(arena, double, most + 1),
                .trial = ARENA_ARRAY(arena, double, n + 1),
                .a = ARENA_ARRAY(arena, double, (size_t)n *n + 1),
                .bordered = ARENA_ARRAY(arena, double, most *most + 1),
                .basis = ARENA_ARRAY(arena, double, (size_t)n *n + 1),
                .work = ARENA_ARRAY(arena, double, most *most + 3 * most + 1),
                .order = ARENA_ARRAY(arena, uint32_t, 2 * most + 1)};
    memcpy(w.x, s->prog->x, n * sizeof *w.x);
    memcpy(w.first, s->prog->x, n * sizeof *w.x);
    *rest = NONE;
    *iterations = 0;
    EquilibriumResult result = depends_on_time(&w)  ? EQUILIBRIUM_OF_TIME
                               : linear_has_past(s) ? EQUILIBRIUM_OF_PAST
                                                    : iterate(&w, rest, iterations);
    arena_free(arena);
    return result;
}
