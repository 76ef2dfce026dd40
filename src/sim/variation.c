/* Variations: creation, tangents at a point, rows. See variation.h. */
#include "sim/sliding/sliding.h"
#include "sim/variation_internal.h"

#include <math.h>

#define ROOT6 2.449489742783178098197284
const double variation_nodes[4] = {0, (4 - ROOT6) / 10, (4 + ROOT6) / 10, 1};

void variation_basis(double x, double out[4])
{
    static const double scale[4] = {
        -1 / ((4 - ROOT6) / 10 * ((4 + ROOT6) / 10)),
        1 / ((4 - ROOT6) / 10 * (-ROOT6 / 5) * (-(6 + ROOT6) / 10)),
        1 / ((4 + ROOT6) / 10 * (ROOT6 / 5) * (-(6 - ROOT6) / 10)),
        1 / ((6 + ROOT6) / 10 * ((6 - ROOT6) / 10)),
    };
    double a = x - variation_nodes[1], b = x - variation_nodes[2], c = x - 1;
    out[0] = scale[0] * a * b * c;
    out[1] = scale[1] * x * b * c;
    out[2] = scale[2] * x * a * c;
    out[3] = scale[3] * x * a * b;
}

/* ---- creation ---- */

static double *doubles(Variation *w, size_t n)
{
    return ARENA_ARRAY(w->arena, double, n + 1);
}

Variation *variation_new(Sim *s, const VariationOf *of, uint32_t n_of, uint32_t n)
{
    Variation *w = memory_alloc(sizeof *w);
    *w = (Variation){
        .s = s, .arena = arena_new(), .n = n, .n_of = n_of, .tallied = NAN, .moved_time = NAN};
    w->of = ARENA_ARRAY(w->arena, VariationOf, n_of + (size_t)1);
    if (n_of)
        memcpy(w->of, of, n_of * sizeof *of);
    w->seed = ARENA_ARRAY(w->arena, VarId, n + (size_t)1);
    w->seed_sign = doubles(w, n);
    w->size = doubles(w, n);
    w->dv = ARENA_ARRAY(w->arena, double *, n + (size_t)1);
    w->left = ARENA_ARRAY(w->arena, double *, n + (size_t)1);
    w->dt = doubles(w, n);
    w->lost = doubles(w, n);
    w->y_left = doubles(w, n_of);
    w->dy_left = doubles(w, (size_t)n_of * n);
    w->row_y = doubles(w, n_of);
    w->row_dy = doubles(w, (size_t)n_of * n);
    w->moved[0] = doubles(w, (size_t)n_of * n);
    w->moved[1] = doubles(w, (size_t)n_of * n);
    w->tallies = ARENA_ARRAY(w->arena, Tally, n_of + (size_t)1);
    for (uint32_t j = 0; j < n; j++) {
        w->seed[j] = NONE;
        w->size[j] = 1;
        w->lost[j] = NAN;
    }
    for (uint32_t k = 0; k < n_of; k++) {
        bool *open = ARENA_ARRAY(w->arena, bool, 2 * (size_t)n + 1);
        w->tallies[k] = (Tally){.dy = doubles(w, n),
                                .d_integral = doubles(w, n),
                                .d_square = doubles(w, n),
                                .least = {INFINITY, doubles(w, n)},
                                .most = {-INFINITY, doubles(w, n)},
                                .d_over = doubles(w, n),
                                .end_open = open,
                                .mean_open = open + n};
    }
    s->variation = w;
    return w;
}

static void free_all(double **at, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        memory_free(at[i]);
}

void variation_free(Variation *w)
{
    if (!w)
        return;
    variation_sparse_free(w);
    free_all(w->dv, w->n);
    free_all(w->left, w->n);
    memory_free(w->along);
    for (uint32_t i = 0; i < w->pieces.n; i++) {
        free_all(w->pieces.at[i].s, 4);
        memory_free(w->pieces.at[i].bend);
    }
    for (uint32_t i = 0; i < w->passes.n; i++) {
        memory_free(w->passes.at[i].v);
        memory_free(w->passes.at[i].guard);
    }
    double *others[] = {w->x,       w->jacobian, w->matrix, w->force, w->rhs,  w->z,
                        w->z_along, w->samples,  w->right,  w->now,   w->away, w->beside_memory};
    free_all(others, sizeof others / sizeof *others);
    memory_free(w->pivot);
    vec_free(&w->pieces);
    vec_free(&w->passes);
    vec_free(&w->times);
    vec_free(&w->d_times);
    arena_free(w->arena);
    memory_free(w);
}

static void grow(double **at, size_t n)
{
    memory_free(*at);
    *at = NULL;
    *at = memory_alloc((n + 1) * sizeof **at);
}

static void widen(double **at, size_t from, size_t to)
{
    *at = memory_grow(*at, from * sizeof **at, to * sizeof **at);
    memset(*at + from, 0, (to - from) * sizeof **at);
}

/* Tangents of variables, for the program with the most. */
static void fit_variables(Variation *w, uint32_t n_vars)
{
    if (n_vars <= w->room)
        return;
    for (uint32_t j = 0; j < w->n; j++) {
        widen(&w->dv[j], w->room, n_vars);
        widen(&w->left[j], w->room, n_vars);
    }
    widen(&w->along, w->room, n_vars);
    w->room = n_vars;
}

void variation_fit(Variation *w)
{
    const ModeProgram *prog = w->s->prog;
    if (w->fitted == prog)
        return;
    size_t n = prog->n, m = program_n_relations(prog);
    fit_variables(w, prog->code->n_vars);
    grow(&w->x, n);
    grow(&w->jacobian, 3 * n * n);
    grow(&w->matrix, 9 * n * n);
    grow(&w->force, 3 * n * w->n);
    grow(&w->rhs, 3 * n + w->n * n);
    grow(&w->now, w->n * n);
    memory_free(w->pivot);
    w->pivot = NULL;
    w->pivot = memory_alloc((3 * n + 1) * sizeof *w->pivot);
    if (!w->z) {
        grow(&w->z, m * w->n);
        grow(&w->z_along, m);
        grow(&w->away, m);
        memset(w->away, 0, m * sizeof *w->away);
        w->falls = ARENA_ARRAY(w->arena, bool, m + 1);
        grow(&w->samples, 2 * (size_t)program_n_samples(prog));
    }
    w->fitted = prog;
}

void variation_of_parameter(Variation *w, uint32_t i, VarId parameter, double sign)
{
    w->s->run.tangents = true;
    w->seed[i] = parameter;
    w->seed_sign[i] = sign;
}

void variation_of_variable(Variation *w, uint32_t i, VarId var)
{
    ModeProgram *prog = w->s->prog;
    variation_fit(w);
    memset(w->dv[i], 0, w->room * sizeof *w->dv[i]);
    w->dv[i][var] = 1;
    w->size[i] = fmax(fabs(prog->v[var]), program_var(prog, var)->nominal);
    if (program_var(prog, var)->kind != DAE_PARAMETER)
        return;
    double *own = prog->m->dv;
    prog->m->dv = w->dv[i];
    if (evaluate_constant_tangents(prog, var))
        variation_note_flaw(w, FLAW_SINGULAR);
    prog->m->dv = own;
}

void variation_add(Variation *w, uint32_t i, VarId var, double by)
{
    w->dv[i][var] += by;
}

void variation_note_flaw(Variation *w, VariationFlaw flaw)
{
    if (w->flaw)
        return;
    w->flaw = flaw;
    w->flaw_time = w->s->run.time;
    w->first_time = w->first_flaw ? w->first_time : w->flaw_time;
    w->first_flaw = w->first_flaw ? w->first_flaw : flaw;
}

bool variation_is_lost(const Variation *w, uint32_t j)
{
    return !isnan(w->lost[j]);
}

void variation_lose(Variation *w, uint32_t j, VariationFlaw flaw, double t)
{
    if (variation_is_lost(w, j))
        return;
    w->lost[j] = t;
    if (!w->first_flaw || t < w->first_time) {
        w->first_flaw = flaw;
        w->first_time = t;
    }
    memset(w->dv[j], 0, w->room * sizeof *w->dv[j]);
    memset(w->left[j], 0, w->room * sizeof *w->left[j]);
    w->dt[j] = 0;
    for (uint32_t k = 0; k < w->n_of; k++)
        w->tallies[k].dy[j] = 0;
    bool all = true;
    for (uint32_t i = 0; i < w->n; i++)
        all &= variation_is_lost(w, i);
    if (all) {
        variation_note_flaw(w, flaw);
        w->flaw_time = t;
    }
}

bool variation_ended(const Variation *w, uint32_t direction)
{
    return w->flaw || variation_is_lost(w, direction);
}

VariationFlaw variation_flaw(const Variation *w, double *time)
{
    *time = w->first_time;
    return w->first_flaw;
}

/* ---- tangents at a point ---- */

bool variation_slides(const Variation *w)
{
    return sliding_active(w->s->prog);
}

void variation_choose(Variation *w, ModeProgram *prog, const double *dv)
{
    for (uint32_t j = 0; w->delays && j < w->n; j++)
        if (w->dv[j] == dv)
            runtime_choose_variation(prog->rt, j);
}

int variation_call(Variation *w, ModeProgram *prog, double *dv, int (*f)(ModelData *m))
{
    variation_choose(w, prog, dv);
    double *own = prog->m->dv;
    prog->m->dv = dv;
    int status = evaluate_call(prog, f);
    prog->m->dv = own;
    return status;
}

void variation_put_states(Variation *w, uint32_t j, const double *x)
{
    const ModeProgram *prog = w->s->prog;
    for (uint32_t i = 0; i < prog->n; i++)
        w->dv[j][prog->plan->states.at[i].var] = x[i];
}

void variation_get_states(const Variation *w, uint32_t j, double *x)
{
    const ModeProgram *prog = w->s->prog;
    for (uint32_t i = 0; i < prog->n; i++)
        x[i] = w->dv[j][prog->plan->states.at[i].var];
}

static void read_rates(const ModeProgram *prog, const double *from, double *out)
{
    for (uint32_t i = 0; i < prog->n; i++)
        out[i] = from[prog->plan->states.at[i].der];
}

int variation_slope(Variation *w, uint32_t j, const double *s, double *out)
{
    ModeProgram *prog = w->s->prog;
    variation_put_states(w, j, s);
    int status = variation_slides(w)
                     ? slide_tangents(prog, w->dv[j], NULL)
                     : variation_call(w, prog, w->dv[j], prog->code->variations->derivatives);
    variation_put_states(w, j, s);
    read_rates(prog, w->dv[j], out);
    return status;
}

int variation_full(Variation *w, uint32_t j, const double *s)
{
    ModeProgram *prog = w->s->prog;
    variation_put_states(w, j, s);
    if (variation_slides(w))
        return slide_tangents(prog, w->dv[j], NULL);
    int status = variation_call(w, prog, w->dv[j], prog->code->variations->derivatives);
    return status ? status : variation_call(w, prog, w->dv[j], prog->code->variations->outputs);
}

int variation_point(Variation *w, double t, const double *x, const double *s, double *y, double *dy)
{
    ModeProgram *prog = w->s->prog;
    int status = evaluate_outputs(prog, t, x);
    for (uint32_t k = 0; k < w->n_of; k++)
        y[k] = w->of[k].sign * prog->v[w->of[k].var];
    for (uint32_t j = 0; j < w->n && !status; j++) {
        status = variation_full(w, j, s + (size_t)j * prog->n);
        for (uint32_t k = 0; k < w->n_of; k++)
            dy[(size_t)k * w->n + j] = w->of[k].sign * w->dv[j][w->of[k].var];
        variation_put_states(w, j, s + (size_t)j * prog->n);
    }
    return status;
}

bool variation_states_point(const Variation *w, const double *x, const double *s, double *y,
                            double *dy)
{
    const ModeProgram *prog = w->s->prog;
    for (uint32_t k = 0; k < w->n_of; k++) {
        uint32_t i = 0;
        while (i < prog->n && prog->plan->states.at[i].var != w->of[k].var)
            i++;
        if (i == prog->n)
            return false;
        y[k] = w->of[k].sign * x[i];
        for (uint32_t j = 0; j < w->n && dy; j++)
            dy[(size_t)k * w->n + j] = w->of[k].sign * s[(size_t)j * prog->n + i];
    }
    return true;
}

void variation_piece_at(const Variation *w, const Piece *p, double t, double *s)
{
    size_t size = (size_t)w->n * w->s->prog->n;
    double basis[4], u = p->length > 0 ? (t - p->begin) / p->length : 0,
                     bend = u * (u - variation_nodes[1]) * (u - variation_nodes[2]) * (u - 1);
    variation_basis(u, basis);
    for (size_t k = 0; k < size; k++)
        s[k] = basis[0] * p->s[0][k] + basis[1] * p->s[1][k] + basis[2] * p->s[2][k] +
               basis[3] * p->s[3][k];
    for (size_t k = 0; k < size && p->bends; k++)
        s[k] += bend * p->bend[k];
}

void variation_states_at(const Variation *w, double t, double *s)
{
    for (uint32_t i = 0; i < w->n_pieces; i++) {
        const Piece *p = &w->pieces.at[i];
        if (p->n != w->s->prog->n || t < p->begin || t > p->begin + p->length * (1 + 1e-12))
            continue;
        variation_piece_at(w, p, t, s);
        return;
    }
    for (uint32_t j = 0; j < w->n; j++)
        variation_get_states(w, j, s + (size_t)j * w->s->prog->n);
}

void variation_without_scalars(Variation *w)
{
    w->no_scalars = true;
}

double variation_weight(const Variation *w, uint32_t j, uint32_t i, double s)
{
    const ModeProgram *prog = w->s->prog;
    double x = fmax(fabs(w->x[i]), program_var(prog, prog->plan->states.at[i].var)->nominal);
    return fmin(prog->run->options->tolerance, 1e-4) * (fabs(s) + x / w->size[j]);
}

double variation_get(const Variation *w, uint32_t direction, VarId var)
{
    return variation_ended(w, direction) ? NAN : w->dv[direction][var];
}

/* ---- rows ---- */

void variation_on_row(Variation *w, VariationRow *row, void *user)
{
    w->row = row;
    w->user = user;
}

static void give(Variation *w, double t, const double *y, const double *dy)
{
    bool ended = w->flaw && t >= w->flaw_time;
    for (uint32_t j = 0; j < w->n; j++)
        for (size_t k = 0; k < w->n_of; k++) {
            size_t at = k * w->n + j;
            w->row_dy[at] = ended || t >= w->lost[j] ? NAN : dy[at];
        }
    w->row(w->user, t, y, w->row_dy);
}

const double *variation_moved(const Variation *w)
{
    return w->first_flaw ? NULL : w->row_moved;
}

const double *variation_shift(const Variation *w)
{
    return w->dt;
}

const double *variation_end_shift(const Variation *w)
{
    return w->d_end;
}

void variation_at_times(Variation *w, const double *times, size_t n)
{
    w->at = times;
    w->n_at = n;
}

/* At (t, x), with the values of the row if there are some. */
static void row_at(Variation *w, double t, const double *x, const double *v)
{
    uint32_t n = w->s->prog->n;
    double *now = w->now;
    variation_states_at(w, t, now);
    bool moved = !variation_states_point(w, x, now, w->row_y, w->row_dy);
    if (moved && variation_point(w, t, x, now, w->row_y, w->row_dy))
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t k = 0; k < w->n_of && v; k++)
        w->row_y[k] = w->of[k].sign * v[w->of[k].var];
    give(w, t, w->row_y, w->row_dy);
    for (uint32_t j = 0; j < w->n && moved && !w->flaw && w->n_pieces; j++) /* at w->t again */
        if (variation_is_lost(w, j))
            memset(w->dv[j], 0, w->room * sizeof *w->dv[j]);
        else
            variation_put_states(w, j, w->pieces.at[w->n_pieces - 1].s[3] + (size_t)j * n);
}

void variation_rows(Variation *w, double t)
{
    ModeProgram *prog = w->s->prog;
    double *x = memory_alloc((prog->n + (size_t)1) * sizeof *x);
    for (; w->row && w->next_at < w->n_at && w->at[w->next_at] <= t; w->next_at++) {
        double at = w->at[w->next_at];
        if (w->n_pieces || at > w->begin)
            program_states_at(prog, at, x);
        else
            get_states(prog, x);
        row_at(w, at, x, NULL);
    }
    memory_free(x);
}

void variation_row(Sim *s, const double *v)
{
    Variation *w = s->variation;
    if (!w || !w->row || !w->begun || w->at)
        return;
    if (w->moved_time == v[0])
        w->row_moved = w->moved[v != s->left];
    if (v == s->left) {
        give(w, v[0], w->y_left, w->dy_left);
        w->row_moved = NULL;
        return;
    }
    variation_fit(w);
    double *x = memory_alloc((s->prog->n + (size_t)1) * sizeof *x);
    get_states(s->prog, x);
    row_at(w, v[0], x, v);
    w->row_moved = NULL;
    memory_free(x);
}
