/* Parameters from measurements: the public side. */
#include "api/fitting/fit.h"

#include "base/atomic_file.h"

#include <math.h>
#include <stdio.h>

/* ---- parameters ---- */

static bool parameter_bounds(Fit *f, uint32_t j)
{
    const char *name = f->how.parameters[j];
    const Dae *dae = f->m->compilation.plan->dae;
    double sign;
    VarId v = settings_parameter(f->ctx, dae, name, &sign);
    if (v == NONE)
        return false;
    for (uint32_t i = 0; i < j; i++)
        if (!strcmp(f->how.parameters[i], name)) {
            diag(f->ctx, (Span){0}, DIAG_A028, "parameter '%s' is named twice", name);
            return false;
        }
    if (text_ends_with(name, ".start")) { /* the bounds are those of the variable */
        const char *base = arena_copy(f->arena, name, strlen(name) - strlen(".start"));
        DiagMark mark = diag_mark(f->ctx);
        VarId of = settings_variable(f->ctx, dae, base, &sign);
        diag_discard(f->ctx, mark);
        v = of != NONE ? of : v;
    }
    const DaeVar *x = &dae->vars.at[v];
    f->low[j] = sign > 0 ? x->min : -x->max;
    f->high[j] = sign > 0 ? x->max : -x->min;
    return true;
}

static bool given_bounds(Fit *f, const KairosRange *b)
{
    const char *near = NULL;
    unsigned nearest = name_suggestion_limit(b->name);
    for (uint32_t j = 0; j < f->n; j++) {
        const char *name = f->how.parameters[j];
        unsigned distance = name_distance(b->name, name, nearest);
        if (strcmp(name, b->name) != 0) {
            near = distance < nearest ? name : near;
            nearest = distance < nearest ? distance : nearest;
            continue;
        }
        if (!(b->low < b->high)) {
            diag(f->ctx, (Span){0}, DIAG_A028,
                 "the bounds of '%s' leave nothing: %.9g is not below %.9g", name, b->low, b->high);
            return false;
        }
        f->low[j] = b->low;
        f->high[j] = b->high;
        return true;
    }
    diag(f->ctx, (Span){0}, DIAG_A028, "'%s' has bounds, but is not among the fitted parameters",
         b->name);
    if (near)
        diag_note(f->ctx, (Span){0}, "did you mean '%s'?", near);
    return false;
}

static bool read_parameters(Fit *f)
{
    bool ok = true;
    f->n = f->how.n_parameters;
    f->first = ARENA_ARRAY(f->arena, double, 6 * (f->n + (size_t)1));
    f->low = f->first + f->n;
    f->high = f->low + f->n;
    f->size = f->high + f->n;
    f->p = f->size + f->n;
    f->probe = f->p + f->n;
    for (uint32_t j = 0; j < f->n; j++)
        ok &= parameter_bounds(f, j);
    for (unsigned i = 0; i < f->how.n_bounds && ok; i++)
        ok &= given_bounds(f, &f->how.bounds[i]);
    return ok;
}

static void prepare(void *arg)
{
    Fit *f = arg;
    Kairos *k = f->m->session;
    CONTEXT_HOLD(k->ctx);
    f->ctx = k->ctx;
    f->result = KAIROS_USE_ERROR;
    f->arena = arena_new();
    if (!SESSION_READ(k, KairosRun, f->given_run, &f->run) ||
        !SESSION_READ(k, KairosFit, f->given, &f->how))
        return;
    if (!f->how.n_data || !f->how.n_parameters) {
        diag(k->ctx, (Span){0}, DIAG_U008,
             "name files with data, and the parameters to fit (--parameters)");
        return;
    }
    if (!(f->how.confidence >= 0 && f->how.confidence < 1)) {
        diag(k->ctx, (Span){0}, DIAG_U008, "the confidence must be between 0 and 1");
        return;
    }
    f->how.parameters = settings_names(f->m->compilation.plan->dae, f->how.parameters,
                                       &f->how.n_parameters, f->arena);
    double usual = f->m->compilation.flat->experiment.tolerance;
    f->tolerance = f->run.tolerance > 0 ? f->run.tolerance : usual > 0 ? usual : 1e-6;
    f->how.confidence = f->how.confidence > 0 ? f->how.confidence : 0.95;
    f->data = (Experiments){.m = f->m,
                            .run = &f->run,
                            .parameters = f->how.parameters,
                            .n_parameters = f->how.n_parameters,
                            .arena = f->arena,
                            .ctx = k->ctx,
                            .jobs = f->how.jobs};
    if (!read_parameters(f) || !experiments_read(&f->data, f->how.data, f->how.n_data) ||
        !weights_choose(f))
        return;
    size_t m = f->data.n_values;
    f->search = (LeastSquares){.n = f->n,
                               .m = m,
                               .low = f->low,
                               .high = f->high,
                               .size = f->size,
                               .most = f->how.most ? f->how.most : 200,
                               .user = f,
                               .interrupt = &f->stop,
                               .p = f->p,
                               .r = ARENA_ARRAY(f->arena, double, m),
                               .jacobian = ARENA_ARRAY(f->arena, double, m * f->n)};
    f->result = KAIROS_OK;
}

/* ---- residuals ---- */

/* Weighted residuals, and their derivatives if jacobian is not NULL; false if one is not finite. */
static bool gather(const Fit *f, double *r, double *jacobian)
{
    size_t at = 0, m = f->data.n_values;
    bool good = true;
    for (uint32_t i = 0; i < f->data.n; i++) {
        const FitExperiment *x = &f->data.at[i];
        for (uint32_t k = 0; k < x->measured.n; k++) {
            const Measured *c = &x->measured.at[k];
            double scale = f->scale[c->signal];
            for (uint32_t row = 0; row < x->table->n_rows; row++) {
                double y = x->table->columns[c->column][row];
                size_t from = (size_t)row * x->measured.n + k;
                if (!isfinite(y))
                    continue;
                r[at] = scale * (x->values[from] - y);
                good &= isfinite(r[at]) != 0;
                for (uint32_t j = 0; jacobian && j < f->n; j++) {
                    double d = x->derivatives[from * f->n + j];
                    jacobian[j * m + at] = scale * d;
                    good &= isfinite(d) != 0;
                }
                at++;
            }
        }
    }
    return good;
}

/* Why runs failed, and why derivatives are unknown. */
static void note_runs(Fit *f, bool derivatives)
{
    for (uint32_t i = 0; i < f->data.n; i++) {
        const FitExperiment *x = &f->data.at[i];
        if (x->status != KAIROS_OK)
            snprintf(f->reason, sizeof f->reason, "%s", x->trial.reason);
        f->no_memory |= x->trial.no_memory;
        f->stop |= x->trial.no_memory || x->status == KAIROS_INTERRUPTED;
        if (derivatives && x->status == KAIROS_OK && x->trial.flaw) {
            f->flaw = x->trial.flaw;
            f->flaw_time = x->trial.flaw_time;
        }
    }
}

static int run_all(Fit *f, const double *p, bool derivatives)
{
    int status = experiments_run(&f->data, p, derivatives, false);
    note_runs(f, derivatives);
    return status;
}

/* Where derivatives do not exist: difference quotients, within the bounds. */
static bool differentiate(Fit *f, const double *p, double *jacobian)
{
    size_t m = f->data.n_values;
    double share = fmax(cbrt(f->tolerance), 1e-4), *at = f->probe, *low = jacobian;
    double *high = memory_alloc(m * sizeof *high);
    memcpy(at, p, f->n * sizeof *at);
    bool ok = true;
    for (uint32_t j = 0; j < f->n && ok; j++, low += m) {
        double step = share * fmax(fabs(p[j]), 1e-3 * f->size[j]),
               up = fmin(p[j] + step, f->high[j]), down = fmax(p[j] - step, f->low[j]);
        at[j] = up;
        ok = run_all(f, at, false) == KAIROS_OK && gather(f, high, NULL);
        at[j] = down;
        ok = ok && run_all(f, at, false) == KAIROS_OK && gather(f, low, NULL);
        at[j] = p[j];
        for (size_t i = 0; i < m; i++)
            low[i] = (high[i] - low[i]) / (up - down);
    }
    memory_free(high);
    return ok;
}

static void report_differences(Fit *f)
{
    if (!f->differences) {
        CONTEXT_HOLD(f->ctx);
        diag(f->ctx, (Span){0}, DIAG_A006,
             "derivatives are unknown from time %.9g on: %s; the fit uses difference quotients",
             f->flaw_time, analysis_flaw(f->flaw));
    }
    f->differences = true;
}

typedef struct Evaluation {
    Fit *f;
    const double *p;
    double *r, *jacobian;
    bool ok;
    int status;
} Evaluation;

/* Whether the first run was for p; its values are there once. */
static bool is_first(Fit *f, const double *p)
{
    bool same = f->has_first && !memcmp(p, f->first, f->n * sizeof *p);
    f->has_first = false;
    return same;
}

/* In a guard of its own: searches of NLopt are between it and the outer one. */
static void evaluate_guarded(void *arg)
{
    Evaluation *e = arg;
    Fit *f = e->f;
    e->status = KAIROS_OK;
    bool exact = e->jacobian && !f->differences;
    if (!is_first(f, e->p) && run_all(f, e->p, exact) != KAIROS_OK)
        return;
    e->ok = gather(f, e->r, exact ? e->jacobian : NULL);
    if (exact && !e->ok && f->flaw) {
        report_differences(f);
        e->ok = gather(f, e->r, NULL);
        exact = false;
    }
    if (e->ok && e->jacobian && !exact)
        e->ok = differentiate(f, e->p, e->jacobian);
}

static bool evaluate(void *user, const double *p, double *r, double *jacobian)
{
    Fit *f = user;
    Evaluation e = {.f = f, .p = p, .r = r, .jacobian = jacobian};
    if (session_guard(f->m->session, evaluate_guarded, &e, &e.status) != KAIROS_OK)
        f->stop = f->no_memory = true;
    if (e.ok && f->how.on_step) {
        double sum = 0;
        for (size_t i = 0; i < f->data.n_values; i++)
            sum += r[i] * r[i];
        f->how.on_step(f->how.user, f->search.done, sqrt(sum / (double)f->data.n_values), p);
    }
    return e.ok;
}

/* ---- the search ---- */

static double clamp(double x, double low, double high)
{
    return fmin(fmax(x, low), high);
}

/* The first run, with all its messages: it finds out what the model has. */
static int run_first(Fit *f)
{
    f->before_first = diag_mark(f->ctx);
    f->data.at[0].trial.values = f->first;
    int status = experiments_run(&f->data, NULL, true, true);
    f->data.at[0].trial.values = NULL;
    f->has_first = status == KAIROS_OK;
    note_runs(f, true);
    for (uint32_t j = 0; j < f->n; j++) {
        bool box = isfinite(f->low[j]) && isfinite(f->high[j]);
        double range = f->high[j] - f->low[j];
        f->p[j] = clamp(f->first[j], f->low[j], f->high[j]);
        f->size[j] = fabs(f->p[j]) > 0 ? fabs(f->p[j]) : box ? 0.1 * range : 1;
    }
    return status;
}

static bool evaluate_sum(void *user, const double *p, double *sum, double *d)
{
    Fit *f = user;
    double *r = f->search.jacobian; /* has room, and is not in use */
    (void)d;
    *sum = 0;
    bool ok = evaluate(f, p, r, NULL);
    for (size_t i = 0; i < f->data.n_values && ok; i++)
        *sum += r[i] * r[i];
    return ok;
}

static void least_squares_from(Fit *f, const double *p)
{
    memcpy(f->p, p, f->n * sizeof *p);
    f->status = least_squares(&f->search, f->arena);
    for (int turn = 0; turn < 20 && f->weighting == WEIGHT_NOISE; turn++) {
        if (f->status != SEARCH_CONVERGED || !weights_from_noise(f))
            break;
        f->status = least_squares(&f->search, f->arena);
    }
}

/* Least squares from the best points of the box; the best result stays. */
static bool search_box(Fit *f)
{
    enum { STARTS = 3 };
    uint32_t most = 100 * (f->n + 1);
    double *starts = ARENA_ARRAY(f->arena, double, STARTS *(size_t)f->n),
           *best = ARENA_ARRAY(f->arena, double, f->n), least;
    for (uint32_t j = 0; j < f->n; j++)
        if (!isfinite(f->low[j]) || !isfinite(f->high[j])) {
            diag(f->ctx, (Span){0}, DIAG_A028,
                 "a global search needs finite bounds; give those of '%s' (--bounds %s=LOW:HIGH)",
                 f->how.parameters[j], f->how.parameters[j]);
            f->result = KAIROS_USE_ERROR;
            return false;
        }
    Minimization m = {.n = f->n,
                      .low = f->low,
                      .high = f->high,
                      .most = most,
                      .evaluate = evaluate_sum,
                      .user = f,
                      .interrupt = &f->stop,
                      .x = starts,
                      .f = &least};
    uint32_t found = minimize_global(f->ctx, &m, STARTS, f->arena);
    f->search.done += m.done;
    f->search.failures += m.failures;
    f->search.most += m.done;
    double least_sum = INFINITY;
    uint32_t winner = 0;
    for (uint32_t i = 0; i < found; i++) {
        least_squares_from(f, starts + i * f->n);
        if (f->search.sum < least_sum) {
            least_sum = f->search.sum;
            winner = i;
            memcpy(best, f->p, f->n * sizeof *best);
        }
        f->search.most += 100;
        if (f->status == SEARCH_INTERRUPTED)
            break;
    }
    if (found > 1 && winner + 1 != found)
        least_squares_from(f, best);
    f->result = found ? f->result : KAIROS_FAILED;
    return found > 0;
}

static bool has_box(const Fit *f)
{
    bool box = true;
    for (uint32_t j = 0; j < f->n; j++)
        box &= isfinite(f->low[j]) && isfinite(f->high[j]);
    return box;
}

static void judge(Fit *f)
{
    size_t m = f->data.n_values, used = 0, n;
    for (uint32_t s = 0; s < f->data.signals.n; s++) {
        (void)signal_squares(f, NULL, s, &n);
        used += f->scale[s] > 0 ? n : 0;
    }
    double free = (double)used - f->n, variance = f->known_noise ? 1
                                                  : free > 0     ? f->search.sum / free
                                                                 : NAN;
    for (uint32_t j = 0; j < f->n; j++)
        f->size[j] = fabs(f->p[j]) > 1e-9 * f->size[j] ? fabs(f->p[j]) : f->size[j];
    f->estimate = estimate_of(f->search.jacobian, m, f->n, f->size, variance, f->arena);
    f->freedom = f->known_noise ? INFINITY : free;
    f->t = free > 0 || f->known_noise ? student_quantile(f->how.confidence, f->freedom) : NAN;
}

static void search_and_judge(void *arg)
{
    Fit *f = arg;
    if (f->no_memory)
        return;
    f->search.evaluate = evaluate;
    bool global = f->how.global || (f->result == KAIROS_FAILED && has_box(f));
    if (f->result == KAIROS_FAILED && !global) {
        diag(f->ctx, (Span){0}, DIAG_A024,
             "the first simulation fails, so the search cannot begin: set other values (--set), or "
             "give bounds of all parameters, so that the search can begin elsewhere");
        return;
    }
    if (f->result == KAIROS_FAILED) /* the search goes around it */
        diag_discard(f->ctx, f->before_first);
    f->result = KAIROS_OK;
    if (global && !search_box(f))
        return;
    if (!global)
        least_squares_from(f, f->p);
    if (f->status == SEARCH_FAILED && f->stop && !f->no_memory) {
        f->result = KAIROS_INTERRUPTED;
        return;
    }
    if (f->status == SEARCH_FAILED) {
        diag(f->ctx, (Span){0}, DIAG_A024, "the search cannot begin: %s", f->reason);
        f->result = KAIROS_FAILED;
        return;
    }
    f->result = f->no_memory ? KAIROS_FAILED : f->result;
    judge(f);
    fit_report_words(f);
    if (f->result == KAIROS_OK)
        f->result = f->status == SEARCH_INTERRUPTED ? KAIROS_INTERRUPTED
                    : f->status == SEARCH_CONVERGED ? KAIROS_OK
                                                    : KAIROS_FAILED;
    fit_put_json(f);
    if (f->how.output && !atomic_save_text(f->ctx, f->how.output, &f->json))
        f->result = KAIROS_USE_ERROR;
    if (f->how.report)
        fit_write_page(f);
    f->made = session_text(f->json.at);
}

static int fit(Fit *f)
{
    Kairos *k = f->m->session;
    int status = session_guard(k, prepare, f, &f->result);
    if (status != KAIROS_OK)
        return status;
    status = experiments_prepare(&f->data);
    if (status != KAIROS_OK)
        return status;
    f->result = run_first(f);
    if (f->result != KAIROS_OK && f->result != KAIROS_FAILED)
        return f->result;
    return session_guard(k, search_and_judge, f, &f->result);
}

int kairos_fit_model(KairosModel *m, const KairosRun *run, const KairosFit *how, char **json)
{
    Fit f = {.m = m, .given_run = run, .given = how};
    if (m->session->runs++ == 0) /* one action: an interruption ends all its runs */
        *m->session->ctx->interrupt = 0;
    int status = fit(&f);
    m->session->runs--;
    if (json)
        *json = f.made;
    else
        kairos_free_text(f.made);
    experiments_free(&f.data);
    text_free(&f.json);
    arena_free(f.arena);
    return status;
}
