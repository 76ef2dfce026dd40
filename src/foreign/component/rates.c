/* Derivatives along a direction: of derivatives, indicators and values, by time, states and inputs.
 * Exact if the FMU has directional derivatives for them, otherwise differences. */
#include "foreign/component/internal.h"

#include <math.h>

static uint32_t n_values(const Component *c, Asked what)
{
    return what == ASKED_DERIVATIVES  ? c->l.n_states
           : what == ASKED_INDICATORS ? c->l.n_indicators
                                      : c->l.groups[what].values.n;
}

static uint32_t n_inputs(const Component *c, Asked what)
{
    return what >= 0 ? c->l.groups[what].n_inputs : c->l.n_continuous;
}

/* ---- references for directional derivatives ---- */

static bool all_double(const Layout *l, const LayoutList *list)
{
    for (uint32_t i = 0; i < list->n_variables; i++)
        if (l->d->variables.at[list->variables[i]].type != FMI_FLOAT64)
            return false;
    return true;
}

/* The standard has derivatives of outputs, and of derivatives of states. */
static bool are_outputs(const Layout *l, const LayoutList *list)
{
    for (uint32_t i = 0; i < list->n_variables; i++)
        if (l->d->variables.at[list->variables[i]].causality != FMI_OUTPUT)
            return false;
    return all_double(l, list);
}

static void add_references(const Layout *l, const LayoutList *list, uint32_t *to, uint32_t *n)
{
    for (uint32_t i = 0; i < list->n_variables; i++)
        to[(*n)++] = l->d->variables.at[list->variables[i]].reference;
}

static References references_of(const Component *c, Asked what)
{
    const Layout *l = &c->l;
    const LayoutList *of = what >= 0 ? &l->groups[what].values : &l->derivatives;
    References r = {.unknowns = ARENA_ARRAY(c->arena, uint32_t, of->n_variables + 1)};
    r.knowns = ARENA_ARRAY(c->arena, uint32_t, l->states.n_variables + n_inputs(c, what) + 1);
    add_references(l, of, r.unknowns, &r.n_unknowns);
    add_references(l, &l->states, r.knowns, &r.n_knowns);
    bool good = all_double(l, &l->states) && (what < 0 ? all_double(l, of) : are_outputs(l, of));
    for (uint32_t k = 0; k < n_inputs(c, what); k++) {
        LayoutEntry e = l->inputs.at[what >= 0 ? l->groups[what].inputs[k] : k];
        good &= l->d->variables.at[e.variable].type == FMI_FLOAT64;
        if (!e.element)
            r.knowns[r.n_knowns++] = l->d->variables.at[e.variable].reference;
    }
    r.exact = good && l->exchange && c->i->interface->directional && l->states.n == l->n_states;
    return r;
}

void rates_prepare(Component *c)
{
    c->derivative_references = references_of(c, ASKED_DERIVATIVES);
    c->group_references = ARENA_ARRAY(c->arena, References, c->l.n_groups + 1);
    uint32_t most = c->l.n_states > c->l.n_indicators ? c->l.n_states : c->l.n_indicators;
    for (uint32_t g = 0; g < c->l.n_groups; g++) {
        c->group_references[g] = references_of(c, (Asked)g);
        most = n_values(c, (Asked)g) > most ? n_values(c, (Asked)g) : most;
    }
    c->seed = ARENA_ARRAY(c->arena, double, c->l.n_states + c->l.n_continuous + 1);
    for (int k = 0; k < 2; k++)
        c->moved[k] = ARENA_ARRAY(c->arena, double, most + 1);
}

static const char *exact_rate(Component *c, Asked what, const Point *at, const Point *along,
                              double *out)
{
    const References *r = what >= 0 ? &c->group_references[what] : &c->derivative_references;
    uint32_t nx = c->l.n_states, nu = n_inputs(c, what);
    memcpy(c->seed, along->x, nx * sizeof *c->seed);
    memcpy(c->seed + nx, along->u, nu * sizeof *c->seed);
    DO(component_place(c, at->t, at->x, at->u, what >= 0 ? c->l.groups[what].inputs : NULL, nu));
    TRY(c->i->calls->directional(c->i, r->unknowns, r->n_unknowns, r->knowns, r->n_knowns, c->seed,
                                 nx + nu, out, n_values(c, what)));
    return NULL;
}

/* ---- differences ---- */

const char *component_values(Component *c, Asked what, const Point *at, double *out)
{
    return what == ASKED_DERIVATIVES ? component_derivatives(c, at->t, at->x, at->u, out)
           : what == ASKED_INDICATORS
               ? component_indicators(c, at->t, at->x, at->u, out)
               : component_group(c, (uint32_t)what, at->t, at->x, at->u, out);
}

/* The largest multiple of the direction that moves no value by more than `share` of it. */
static double limit_motion(double most, double share, const double *at, const double *along,
                           uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        if (along[k] != 0)
            most = fmin(most, share * fmax(fabs(at[k]), 1e-3) / fabs(along[k]));
    return most;
}

/* Values at a distance of h along the direction. */
static const char *move(Component *c, Asked what, const Point *at, const Point *along, double h,
                        double *out)
{
    uint32_t nx = c->l.n_states, nu = n_inputs(c, what);
    double *x = c->seed, *u = c->seed + nx;
    for (uint32_t k = 0; k < nx; k++)
        x[k] = at->x[k] + h * along->x[k];
    for (uint32_t k = 0; k < nu; k++)
        u[k] = at->u[k] + h * along->u[k];
    return component_values(c, what, &(Point){at->t + h * along->t, x, u}, out);
}

/* Central differences by states and inputs. */
static const char *difference(Component *c, Asked what, const Point *at, const Point *along,
                              double *out)
{
    static const double SHARE = 6e-6; /* cube root of the rounding */
    Point still = {0, along->x, along->u};
    double h = limit_motion(INFINITY, SHARE, at->x, along->x, c->l.n_states);
    h = limit_motion(h, SHARE, at->u, along->u, n_inputs(c, what));
    if (isinf(h))
        return NULL;
    DO(move(c, what, at, &still, h, c->moved[0]));
    DO(move(c, what, at, &still, -h, c->moved[1]));
    for (uint32_t k = 0; k < n_values(c, what); k++)
        out[k] = (c->moved[0][k] - c->moved[1][k]) / (2 * h);
    return NULL;
}

/* Differences by time go forward only, as an FMU cannot go back behind its last event. */
static const char *add_rate_by_time(Component *c, Asked what, const Point *at, double dt,
                                    double *out)
{
    double h = 1e-5 * fmax(1e-3, fmin(1, fabs(at->t)));
    DO(component_values(c, what, at, c->moved[0]));
    for (uint32_t k = 0; k < n_values(c, what); k++)
        out[k] -= 1.5 * dt * c->moved[0][k] / h;
    for (int n = 1; n <= 2; n++) {
        Point later = {at->t + n * h, at->x, at->u};
        DO(component_values(c, what, &later, c->moved[0]));
        for (uint32_t k = 0; k < n_values(c, what); k++)
            out[k] += (n == 1 ? 2 : -0.5) * dt * c->moved[0][k] / h;
    }
    return NULL;
}

const char *component_rate(Component *c, Asked what, const Point *at, const Point *along,
                           double *out)
{
    const References *r = what >= 0                   ? &c->group_references[what]
                          : what == ASKED_DERIVATIVES ? &c->derivative_references
                                                      : NULL;
    memset(out, 0, n_values(c, what) * sizeof *out);
    DO(r && r->exact ? exact_rate(c, what, at, along, out) : difference(c, what, at, along, out));
    return along->t != 0 ? add_rate_by_time(c, what, at, along->t, out) : NULL;
}
