/* Tangents along surfaces that are held (Filippov): central differences of the motion there.
 *
 * The motion along a surface is a mixture of those on its sides, whose weights keep the state on
 * it. The mixture has no code of its own, so its tangents are differences along the direction. */
#include "sim/slide_tangents.h"

#include "sim/sliding/sliding.h"

#include <math.h>

static const double STRIDE = 3e-4; /* of the size of variables */

/* Moved by hand: what no evaluation computes. */
static bool is_given(const DaeVar *x)
{
    return x->alias == NONE && x->type == DAE_REAL &&
           (x->kind == DAE_PARAMETER || x->kind == DAE_DISCRETE || x->kind == DAE_INPUT ||
            x->kind == DAE_PRE);
}

static bool is_computed(const DaeVar *x)
{
    return x->kind == DAE_CONTINUOUS || x->kind == DAE_DERIVATIVE;
}

/* to = v + h*dv of what depends on parameters alone: it is computed once, not with the motion. */
static void move_constants(const Plan *plan, double *to, const double *v, const double *dv,
                           double h)
{
    for (uint32_t b = plan->main.block; b < plan->main.block + plan->main.n_blocks; b++) {
        const PlanBlock *x = &plan->blocks.at[b];
        bool constant = x->uses & USE_PARAMETER;
        for (uint32_t i = 0; constant && i < x->n_steps; i++) {
            VarId k = plan->steps.at[x->step + i].var;
            to[k] = v[k] + h * dv[k];
        }
        for (uint32_t i = 0; constant && i < x->n_torn; i++) {
            VarId k = plan->torn.at[x->torn + i].var;
            to[k] = v[k] + h * dv[k];
        }
    }
}

static double share(double move, double value, double nominal)
{
    return fabs(move) / (fabs(value) + nominal);
}

/* So long that the largest relative move is STRIDE; 0 if nothing moves. */
static double stride_of(const ModeProgram *prog, const double *v, const double *dv)
{
    double most = 0;
    for (VarId k = 1; k < prog->code->n_vars && k < program_n_vars(prog); k++)
        if (is_given(program_var(prog, k)))
            most = fmax(most, share(dv[k], v[k], v[k] != 0 ? 0 : program_var(prog, k)->nominal));
    for (uint32_t i = 0; i < prog->n; i++) {
        VarId k = prog->plan->states.at[i].var;
        most = fmax(most, share(dv[k], v[k], program_var(prog, k)->nominal));
    }
    most = fmax(most, fabs(dv[0]) / model_time_scale(prog->run));
    return most > 0 ? STRIDE / most : 0;
}

/* Evaluates at a point moved by h along dv; values go to `out`. `plain`: v without mixing. */
static int moved(ModeProgram *prog, const double *v, const double *plain, const double *dv,
                 double h, double *out, double *z)
{
    uint32_t n = prog->code->n_vars;
    double *x = memory_alloc((prog->n + (size_t)1) * sizeof *x);
    sliding_unmix(prog);
    memcpy(prog->v, v, n * sizeof *v);
    for (VarId k = 1; k < n && k < program_n_vars(prog); k++)
        if (is_given(program_var(prog, k)))
            prog->v[k] += h * dv[k];
    move_constants(prog->plan, prog->v, plain, dv, h);
    for (uint32_t i = 0; i < prog->n; i++) {
        VarId k = prog->plan->states.at[i].var;
        x[i] = v[k] + h * dv[k];
    }
    runtime_invalidate(prog->rt);
    sliding_extend(prog, h != 0); /* the slide may end within the stride */
    int status = evaluate_outputs(prog, v[0] + h * dv[0], x);
    memmove(out, prog->v, n * sizeof *out);
    if (!status && z)
        status = evaluate_indicators(prog, v[0] + h * dv[0], x, z);
    sliding_extend(prog, false);
    memory_free(x);
    return status;
}

int slide_tangents(ModeProgram *prog, double *dv, double *z)
{
    uint32_t n = prog->code->n_vars, m = program_n_relations(prog);
    size_t size = 5 * (size_t)n + 2 * (size_t)m + 1;
    double *v = memory_alloc(size * sizeof *v), *plain = v + n, *high = plain + n, *low = high + n,
           *given = low + n, *z0 = given + n, *z1 = z0 + m;
    memcpy(v, prog->v, n * sizeof *v);
    sliding_unmix(prog);
    memcpy(plain, prog->v, n * sizeof *v);
    memcpy(given, dv, n * sizeof *dv);
    double h = stride_of(prog, v, dv);
    int status = h > 0 ? moved(prog, v, plain, dv, h, high, z ? z1 : NULL) : 0;
    if (h > 0 && !status)
        status = moved(prog, v, plain, dv, -h, low, z ? z0 : NULL);
    if (h > 0 && !status) /* the mixture keeps values of where it was evaluated last */
        status = moved(prog, v, plain, dv, 0, prog->v, NULL);
    for (VarId k = 1; k < n && k < program_n_vars(prog); k++)
        if (is_computed(program_var(prog, k)))
            dv[k] = h > 0 ? (high[k] - low[k]) / (2 * h) : 0;
    move_constants(prog->plan, dv, given, given, 0);
    for (uint32_t k = 0; k < m && z; k++)
        z[k] = h > 0 ? (z1[k] - z0[k]) / (2 * h) : 0;
    memcpy(prog->v, v, n * sizeof *v);
    runtime_invalidate(prog->rt);
    memory_free(v);
    return status;
}

int slide_matrix(ModeProgram *prog, double t, const double *x, double *a)
{
    const PlanState *states = prog->plan->states.at;
    double *dv = memory_alloc((prog->code->n_vars + (size_t)1) * sizeof *dv);
    int status = evaluate_derivatives(prog, t, x);
    for (uint32_t j = 0; j < prog->n && !status; j++) {
        memset(dv, 0, prog->code->n_vars * sizeof *dv);
        dv[states[j].var] = 1;
        put_states(prog, t, x);
        status = slide_tangents(prog, dv, NULL);
        for (uint32_t i = 0; i < prog->n; i++)
            a[(size_t)j * prog->n + i] = dv[states[i].der];
    }
    memory_free(dv);
    return status ? status : evaluate_derivatives(prog, t, x);
}
