/* What a singular linear block with switches leaves open.
 *
 * In: a block at one of its solutions, after jacobian_rescue. Out: of all its solutions, the one in
 * which the voltages and currents of the switches are smallest and the relations of the block keep
 * their values. Parallel closed switches share their current evenly, and open ones in a row their
 * voltage. Of antiparallel ideal diodes only one conducts, because a current cannot be negative.
 *
 * All solutions are x + N c, with the null space N of the Jacobian. The switched unknowns and the
 * crossing functions z of the relations are linear in c. The problem is therefore a quadratic
 * program with few unknowns. Hildreth's method solves it: it corrects one violated relation after
 * the other until none is left. */
#include "runtime/internal.h"

#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 500 };
static const double SETTLED = 1e-15;
static const double BEYOND = 1e-13; /* zero: this much of the largest unknown to the right side */

typedef struct Open {
    Block *b;
    uint32_t k, n, m;  /* directions, switched unknowns, relations */
    double *null;      /* k of size b->n: directions */
    double *at, *by;   /* switched unknowns, and their change along each direction */
    double *matrix;    /* k*k: factors of the products of `by` */
    double *part;      /* size k: how far to go along each direction */
    double *z, *slope; /* per relation: its z, and k changes; positive where it keeps its value */
    double *way;       /* per relation: the way, of size k, on which z grows fastest */
    double *force;     /* per relation: how far it was corrected */
    double *discretes; /* of the block, to come back to */
    uint8_t *forced;   /* of the relations, to come back to */
    uint32_t pivot[OPEN_LIMIT];
} Open;

size_t open_size(uint32_t n, uint32_t n_switched, uint32_t n_discretes)
{
    size_t k = OPEN_LIMIT, m = n_discretes;
    return k * n + (k + 1) * n_switched + k * k + k + m * (2 * k + 2) + 2 * m + 2;
}

static Open open_new(Runtime *rt, Block *b)
{
    Open o = {.b = b, .k = b->n - rt->rank, .n = b->code->n_switched, .m = b->n_relations};
    size_t k = o.k;
    o.null = rt->open_work;
    o.by = o.null + k * b->n;
    o.at = o.by + k * o.n;
    o.matrix = o.at + o.n;
    o.part = o.matrix + k * k;
    o.z = o.part + k;
    o.slope = o.z + o.m;
    o.way = o.slope + k * o.m;
    o.force = o.way + k * o.m;
    o.discretes = o.force + o.m;
    o.forced = (uint8_t *)(o.discretes + b->code->n_discretes);
    return o;
}

/* ---- what is linear in c ---- */

static double switched_size(const Runtime *rt, const Block *b, uint32_t j)
{
    double nominal = rt->vars[b->code->switched[j]].nominal;
    return nominal > 0.0 && isfinite(nominal) ? nominal : 1.0;
}

static void read_switched(const Runtime *rt, const Block *b, double *out)
{
    for (uint32_t j = 0; j < b->code->n_switched; j++) {
        out[j] = rt->m.v[b->code->switched[j]] / switched_size(rt, b, j);
    }
}

/* In units of its scale, positive where the relation keeps its value. A zero has no sign: the side
 * is then known from another point, or does not matter. */
static double signed_z(const Runtime *rt, uint32_t relation, double *side)
{
    double z = rt->last_z[relation];
    if (z != 0.0) {
        bool kept = rt->wanted[relation] == (rt->forced[relation] == 2);
        *side = kept == (z > 0.0) ? 1.0 : -1.0;
    }
    return z / rt->relations[relation].scale;
}

static void go_to(Runtime *rt, const Open *o, const double *step)
{
    for (uint32_t i = 0; i < o->b->n; i++) {
        double x = rt->x[i];
        for (uint32_t c = 0; c < o->k; c++) {
            x += step[c] * o->null[(size_t)c * o->b->n + i];
        }
        rt->m.v[o->b->code->vars[i]] = x;
    }
}

/* Values at rt->x, and their changes along each direction. */
static int read_changes(Runtime *rt, Open *o)
{
    int status = MODEL_OK;
    solve_keep(rt, o->b, rt->x);
    read_switched(rt, o->b, o->at);
    for (uint32_t c = 0; c < o->k && status == MODEL_OK; c++) {
        jacobian_open(rt, o->b, c, o->null + (size_t)c * o->b->n);
        memset(o->part, 0, o->k * sizeof *o->part);
        o->part[c] = 1.0;
        go_to(rt, o, o->part);
        status = solve_evaluate(rt, o->b);
        double *by = o->by + (size_t)c * o->n;
        read_switched(rt, o->b, by);
        for (uint32_t j = 0; j < o->n; j++) {
            by[j] -= o->at[j];
        }
    }
    return status;
}

/* How far to go along each direction so that the switched unknowns become smallest. False if a
 * direction changes none of them. */
static bool find_shares(Open *o)
{
    for (uint32_t c = 0; c < o->k; c++) {
        const double *by = o->by + (size_t)c * o->n;
        o->part[c] = -dense_product(o->at, by, o->n);
        for (uint32_t d = 0; d < o->k; d++) {
            o->matrix[d * o->k + c] = dense_product(by, o->by + (size_t)d * o->n, o->n);
        }
    }
    if (!dense_factor(o->k, o->matrix, o->pivot)) {
        return false;
    }
    dense_solve(o->k, o->matrix, o->pivot, o->part);
    return true;
}

/* ---- relations ---- */

/* Relations keep their values from here on, while z is read. */
static void hold_relations(Runtime *rt, Open *o)
{
    for (uint32_t i = 0; i < o->b->code->n_discretes; i++) {
        o->discretes[i] = rt->m.v[o->b->code->discretes[i]];
    }
    for (uint32_t i = 0; i < o->m; i++) {
        uint32_t r = o->b->relations[i];
        o->forced[i] = rt->forced[r];
        rt->forced[r] = rt->m.v[rt->code->relations[r]] != 0.0 ? 2 : 1;
    }
}

static void release_relations(Runtime *rt, const Open *o)
{
    for (uint32_t i = 0; i < o->b->code->n_discretes; i++) {
        rt->m.v[o->b->code->discretes[i]] = o->discretes[i];
    }
    for (uint32_t i = 0; i < o->m; i++) {
        rt->forced[o->b->relations[i]] = o->forced[i];
    }
}

static int read_relations(Runtime *rt, const Open *o)
{
    rt->m.status = MODEL_OK;
    o->b->code->discrete(&rt->m);
    return rt->m.status;
}

/* Whether a relation has another value at the present point than the block was solved with. */
static bool any_broken(const Runtime *rt, const Open *o)
{
    for (uint32_t i = 0; i < o->m; i++) {
        uint32_t r = o->b->relations[i];
        double band = rt->literal ? 0.0 : rt->eps * rt->relations[r].scale;
        if (rt->wanted[r] != (rt->forced[r] == 2) && !(fabs(rt->last_z[r]) <= band)) {
            return true;
        }
    }
    return false;
}

/* z at the point rt->x, and its slopes. */
static int read_slopes(Runtime *rt, Open *o)
{
    int status = read_relations(rt, o);
    for (uint32_t i = 0; i < o->m; i++) {
        o->force[i] = 1.0; /* the side, for now */
        o->z[i] = signed_z(rt, o->b->relations[i], &o->force[i]);
    }
    for (uint32_t c = 0; c < o->k && status == MODEL_OK; c++) {
        memset(o->part, 0, o->k * sizeof *o->part);
        o->part[c] = 1.0;
        go_to(rt, o, o->part);
        status = solve_evaluate(rt, o->b);
        status = status == MODEL_OK ? read_relations(rt, o) : status;
        for (uint32_t i = 0; i < o->m; i++) {
            double side = o->force[i];
            double there = signed_z(rt, o->b->relations[i], &side);
            o->slope[(size_t)i * o->k + c] = there - o->z[i];
            o->force[i] = o->z[i] == 0.0 ? side : o->force[i];
        }
    }
    for (uint32_t i = 0; i < o->m; i++) {
        o->z[i] *= o->force[i];
        for (uint32_t c = 0; c < o->k; c++) {
            double *slope = &o->slope[(size_t)i * o->k + c];
            *slope *= o->force[i];
            o->way[(size_t)i * o->k + c] = *slope;
        }
        dense_solve(o->k, o->matrix, o->pivot, o->way + (size_t)i * o->k);
    }
    return status;
}

/* The smallest step, into part, after which every z is at least `margin`; false if none is found.
 */
static bool correct(Open *o, double margin)
{
    memset(o->part, 0, o->k * sizeof *o->part);
    memset(o->force, 0, o->m * sizeof *o->force);
    double worst = INFINITY;
    for (int sweep = 0; sweep < MAX_SWEEPS && worst > SETTLED; sweep++) {
        worst = 0.0;
        for (uint32_t i = 0; i < o->m; i++) {
            const double *slope = o->slope + (size_t)i * o->k, *way = o->way + (size_t)i * o->k;
            double growth = dense_product(slope, way, o->k);
            double lack = margin - o->z[i] - dense_product(slope, o->part, o->k);
            double more = growth > 0.0 ? lack / growth : 0.0;
            more = more > -o->force[i] ? more : -o->force[i];
            o->force[i] += more;
            worst = fmax(worst, fabs(more * growth) / (1.0 + fabs(o->z[i])));
            for (uint32_t c = 0; c < o->k; c++) {
                o->part[c] += more * way[c];
            }
        }
    }
    return isfinite(worst);
}

static int evaluate_at(Runtime *rt, const Open *o, const double *step)
{
    go_to(rt, o, step);
    int status = solve_evaluate(rt, o->b);
    return status == MODEL_OK ? read_relations(rt, o) : status;
}

/* From the smallest solution at rt->x to the smallest one that agrees with the relations. Stays if
 * there is none. */
static int keep_relations(Runtime *rt, Open *o)
{
    double size = 0.0;
    for (uint32_t i = 0; i < o->b->n; i++) {
        size = fmax(size, fabs(rt->x[i]));
    }
    int status = read_slopes(rt, o);
    double margins[] = {0.0, BEYOND * size};
    bool agree = false;
    for (int i = 0; i < 2 && !agree && status == MODEL_OK; i++) {
        if (correct(o, margins[i])) {
            status = evaluate_at(rt, o, o->part);
            agree = status == MODEL_OK && !any_broken(rt, o);
        }
    }
    if (!agree && status == MODEL_OK) {
        memset(o->part, 0, o->k * sizeof *o->part);
        status = evaluate_at(rt, o, o->part);
    }
    return status;
}

bool open_share(Runtime *rt, Block *b, bool smallest, int *status)
{
    if (b->code->n_switched == 0 || rt->rank == 0 || b->n == rt->rank ||
        b->n - rt->rank > OPEN_LIMIT) {
        return false;
    }
    Open o = open_new(rt, b);
    *status = read_changes(rt, &o);
    bool found = *status == MODEL_OK && find_shares(&o);
    if (!found || !smallest) {
        memset(o.part, 0, o.k * sizeof *o.part);
    }
    go_to(rt, &o, o.part);
    *status = solve_evaluate(rt, b);
    if (!found || *status != MODEL_OK || b->code->discrete == NULL) {
        return found;
    }
    hold_relations(rt, &o);
    *status = read_relations(rt, &o);
    if (*status == MODEL_OK && any_broken(rt, &o)) {
        solve_keep(rt, b, rt->x);
        *status = keep_relations(rt, &o);
    }
    release_relations(rt, &o);
    return true;
}
