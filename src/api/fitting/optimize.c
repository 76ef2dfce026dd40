/* Designs from goals: the best values of parameters for an expression over a run, within bounds and
 * under constraints.
 *
 * Values and derivatives come from one run with variations, if all derivatives exist at the first
 * point. Otherwise all values come from plain runs, as in studies, and the search does without
 * derivatives. */
#include "api/fitting/search_run.h"

#include "analysis/result_json.h"
#include "api/fitting/charts.h"
#include "base/atomic_file.h"
#include "kept/kept.h"
#include "page/page.h"
#include "search/search.h"

#include <math.h>
#include <stdio.h>

typedef struct Optimization {
    KairosModel *m;
    const KairosRun *given_run;
    const KairosOptimize *given;
    KairosRun run;
    KairosOptimize how;
    Context *ctx;
    Arena *arena;
    uint32_t n, n_exprs; /* parameters; objective and constraints */
    const char **parameters;
    double *low, *high, *first;
    KeptExpr **exprs;
    bool *equal;
    VEC(const char *) names; /* the time, then variables in expressions */
    SearchRun trial;
    Kept *kept;
    bool discrete; /* a variable is no Real */
    bool exact;    /* derivatives exist */
    bool penalty;  /* constraints are part of the objective: the global search knows none */
    double *values, *d;
    Variation *variation; /* of the run that ended */
    double *row;          /* time and values */
    double *moved;        /* their derivatives as they move with an event */
    bool keeps_rows;      /* for the page */
    VEC(double) rows;     /* row by row */
    Minimization search;
    SearchStatus status;
    KairosModel *own; /* with driven inputs */
    _Atomic int stop;
    bool no_memory;
    char reason[200];
    int result;
    Text json;
    char *made;
} Optimization;

/* ---- the problem ---- */

static bool bad_expression(Optimization *o, const char *text, const char *what)
{
    diag(o->ctx, (Span){0}, DIAG_A026, "'%s': %s", text, what);
    return false;
}

static void add_name(void *user, const char *name)
{
    Optimization *o = user;
    for (uint32_t i = 0; i < o->names.n; i++)
        if (!strcmp(o->names.at[i], name))
            return;
    vec_push(&o->names, name);
}

static bool read_expressions(Optimization *o)
{
    char wrong[200];
    o->n_exprs = o->how.n_constraints + 1;
    o->exprs = ARENA_ARRAY(o->arena, KeptExpr *, o->n_exprs);
    o->equal = ARENA_ARRAY(o->arena, bool, o->n_exprs);
    vec_push(&o->names, "time");
    for (uint32_t i = 0; i < o->n_exprs; i++) {
        const char *text = i ? o->how.constraints[i - 1] : o->how.minimize;
        o->exprs[i] = i ? kept_parse_constraint(text, &o->equal[i - 1], wrong, sizeof wrong)
                        : kept_parse(text, wrong, sizeof wrong);
        if (!o->exprs[i])
            return bad_expression(o, text, wrong);
        kept_each_name(o->exprs[i], add_name, o);
    }
    const Dae *dae = o->m->compilation.plan->dae;
    bool ok = true;
    for (uint32_t i = 1; i < o->names.n; i++) {
        double sign;
        bool real = true;
        DiagMark mark = diag_mark(o->ctx);
        bool found = settings_any_variable(o->ctx, dae, o->names.at[i], &sign, &real) != NONE;
        o->discrete |= !real;
        if (found)
            continue;
        const Diag *last = o->ctx->last;
        const char *note = last && last->notes ? last->notes->text : NULL;
        note = note ? arena_copy(o->arena, note, strlen(note)) : NULL;
        diag_discard(o->ctx, mark);
        diag(o->ctx, (Span){0}, DIAG_A026, "model %s has no variable '%s'", kairos_model_name(o->m),
             o->names.at[i]);
        if (note)
            diag_note(o->ctx, (Span){0}, "%s", note);
        ok = false;
    }
    return ok;
}

static bool read_parameters(Optimization *o)
{
    o->n = o->how.n_over;
    o->parameters = ARENA_ARRAY(o->arena, const char *, o->n);
    o->low = ARENA_ARRAY(o->arena, double, 3 * (size_t)o->n);
    o->high = o->low + o->n;
    o->first = o->high + o->n;
    bool ok = true;
    for (uint32_t j = 0; j < o->n; j++) {
        const KairosRange *r = &o->how.over[j];
        double sign;
        o->parameters[j] = r->name;
        o->low[j] = r->low;
        o->high[j] = r->high;
        ok &= settings_parameter(o->ctx, o->m->compilation.plan->dae, r->name, &sign) != NONE;
        if (!(r->low < r->high) || !isfinite(r->low) || !isfinite(r->high)) {
            diag(o->ctx, (Span){0}, DIAG_A028,
                 "'%s' needs finite bounds, the lower one below the upper one, not %.9g and %.9g",
                 r->name, r->low, r->high);
            ok = false;
        }
    }
    return ok;
}

/* ---- one run ---- */

/* Derivatives of the time and of the values of the present row as it moves with its event; NULL if
 * it is at none. */
static const double *moved_row(Optimization *o)
{
    const Variation *w = o->trial.variation;
    const double *moved = w ? variation_moved(w) : NULL;
    if (!moved)
        return NULL;
    memcpy(o->moved, variation_shift(w), o->n * sizeof *moved);
    memcpy(o->moved + o->n, moved, (o->names.n - (size_t)1) * o->n * sizeof *moved);
    return o->moved;
}

static void take_row(void *user, double time, const double *values, const double *d)
{
    Optimization *o = user;
    o->row[0] = time;
    if (o->names.n > 1)
        memcpy(o->row + 1, values, (o->names.n - (size_t)1) * sizeof *values);
    (void)kept_row(o->kept, o->names.at, o->names.n, o->row, d, d ? moved_row(o) : NULL);
    for (uint32_t i = 0; o->keeps_rows && i < o->names.n; i++)
        vec_push(&o->rows, o->row[i]);
}

static void take_event(void *user, const char *json)
{
    kept_event(((Optimization *)user)->kept, json);
}

static bool exact_scalar(void *user, const char *what, const char *name, double *value, double *d)
{
    Optimization *o = user;
    uint32_t k = 0;
    while (k + 1 < o->names.n && strcmp(o->names.at[k + 1], name) != 0)
        k++;
    if (k + 1 >= o->names.n)
        return false;
    VariationScalars s = variation_scalars(o->variation, k);
    const struct {
        const char *what;
        double value;
        const double *d;
    } all[] = {{"mean", s.mean, s.d_mean},
               {"rms", s.rms, s.d_rms},
               {"min", s.min, s.d_min},
               {"max", s.max, s.d_max}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(what, all[i].what)) {
            *value = all[i].value;
            memcpy(d, all[i].d, o->n * sizeof *d);
        }
    return true;
}

static bool exact_event(void *user, double time, double *d)
{
    const Optimization *o = user;
    for (uint32_t i = 0; i < variation_n_events(o->variation); i++) {
        VariationEvent e = variation_event_at(o->variation, i);
        if (fabs(e.time - time) > 1e-9 * (1 + fabs(time)))
            continue;
        memcpy(d, e.d, o->n * sizeof *d);
        return true;
    }
    return false;
}

static void take_end(void *user, Variation *w)
{
    Optimization *o = user;
    KeptExact exact = {o, exact_scalar, exact_event, w ? variation_end_shift(w) : NULL};
    o->variation = w;
    if (w)
        kept_derivatives(o->kept, &exact, o->values, o->d);
    else
        kept_values(o->kept, o->values);
    o->variation = NULL;
}

/* Values, and derivatives if they exist; a status. */
static int run_once(Optimization *o, const double *x, bool exact)
{
    kept_free(o->kept);
    o->kept = NULL;
    o->kept = kept_new(o->exprs, o->n_exprs, exact ? o->n : 0);
    kept_begin(o->kept);
    o->trial.derivatives = exact;
    o->trial.plain = !exact;
    int status = search_run(&o->trial, x);
    o->no_memory |= o->trial.no_memory;
    o->stop |= o->trial.no_memory || status == KAIROS_INTERRUPTED;
    if (status != KAIROS_OK)
        snprintf(o->reason, sizeof o->reason, "%s", o->trial.reason);
    return status;
}

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

typedef struct Point {
    Optimization *o;
    const double *x;
    bool ok;
    int status;
} Point;

static void evaluate_guarded(void *arg)
{
    Point *p = arg;
    Optimization *o = p->o;
    p->status = KAIROS_OK;
    int status = run_once(o, p->x, o->exact);
    if (status == KAIROS_OK && o->exact && o->trial.flaw) /* values by rows, without slopes */
        status = run_once(o, p->x, false);
    p->ok = status == KAIROS_OK;
    if (p->ok && !all_finite(o->values, o->n_exprs)) {
        p->ok = false;
        snprintf(o->reason, sizeof o->reason, "a value of the run does not exist");
    }
}

static bool evaluate(void *user, const double *x, double *f, double *d)
{
    Optimization *o = user;
    Point p = {.o = o, .x = x};
    if (session_guard(o->m->session, evaluate_guarded, &p, &p.status) != KAIROS_OK)
        o->stop = o->no_memory = true;
    if (!p.ok)
        return false;
    if (o->penalty) {
        *f = o->values[0];
        for (uint32_t k = 1; k < o->n_exprs; k++) {
            double off = o->equal[k - 1] ? fabs(o->values[k]) : fmax(o->values[k], 0);
            *f += 1e3 * (1 + fabs(o->values[0])) * off;
        }
        return true;
    }
    memcpy(f, o->values, o->n_exprs * sizeof *f);
    if (d)
        memcpy(d, o->d, (size_t)o->n_exprs * o->n * sizeof *d);
    return true;
}

/* ---- the search ---- */

static void prepare(void *arg)
{
    Optimization *o = arg;
    Kairos *k = o->m->session;
    CONTEXT_HOLD(k->ctx);
    o->ctx = k->ctx;
    o->arena = arena_new();
    o->result = KAIROS_USE_ERROR;
    if (!SESSION_READ(k, KairosRun, o->given_run, &o->run) ||
        !SESSION_READ(k, KairosOptimize, o->given, &o->how))
        return;
    if (!o->how.minimize || !o->how.n_over) {
        diag(k->ctx, (Span){0}, DIAG_U008,
             "name what to minimize (--minimize), and parameters with bounds (--over)");
        return;
    }
    if (!read_parameters(o) || !read_expressions(o))
        return;
    o->values = ARENA_ARRAY(o->arena, double, o->n_exprs);
    o->d = ARENA_ARRAY(o->arena, double, (size_t)o->n_exprs * o->n);
    o->row = ARENA_ARRAY(o->arena, double, o->names.n);
    o->moved = ARENA_ARRAY(o->arena, double, (size_t)o->names.n * o->n);
    o->trial = (SearchRun){.m = o->m,
                           .run = o->run,
                           .names = o->parameters,
                           .n_names = o->n,
                           .of = o->names.at + 1,
                           .n_of = o->names.n - 1,
                           .row = take_row,
                           .end = take_end,
                           .user = o};
    KairosRun *run = &o->trial.run;
    run->inputs = NULL;
    run->n_inputs = 0;
    run->log = NULL;
    run->on_log = NULL;
    run->on_progress = NULL;
    run->on_event = take_event;
    run->user = o;
    run->output_points = run->output_points ? run->output_points : "auto";
    o->result = KAIROS_OK;
}

/* The first run, with its messages: values of the parameters, and whether derivatives exist. */
static void run_first(void *arg)
{
    Optimization *o = arg;
    o->trial.values = o->first;
    o->trial.messages = true;
    DiagMark mark = diag_mark(o->ctx);
    o->result = run_once(o, NULL, !o->discrete);
    o->trial.values = NULL;
    o->trial.messages = false;
    if (o->result == KAIROS_FAILED && !o->no_memory) { /* the search goes around it */
        diag_discard(o->ctx, mark);
        o->result = KAIROS_OK;
    }
    o->exact = !o->discrete && !o->trial.flaw && all_finite(o->values, o->n_exprs) &&
               all_finite(o->d, (size_t)o->n_exprs * o->n) && !*o->trial.reason;
    for (uint32_t j = 0; j < o->n; j++)
        o->first[j] = fmin(fmax(o->first[j], o->low[j]), o->high[j]);
}

static double *constraint_sizes(Optimization *o)
{
    double *scale = ARENA_ARRAY(o->arena, double, o->n_exprs);
    for (uint32_t k = 0; k + 1 < o->n_exprs; k++) {
        double x = fabs(o->values[k + 1]);
        scale[k] = isfinite(x) && x > 1e-3 ? fmin(x, 1e3) : 1;
    }
    return scale;
}

static void search_from(Optimization *o, const double *x)
{
    memcpy(o->search.x, x, o->n * sizeof *x);
    o->status = minimize_local(o->ctx, &o->search, o->arena);
}

static double violation(const Optimization *o, const double *f)
{
    double most = 0;
    for (uint32_t k = 1; k < o->n_exprs; k++)
        most = fmax(most, o->equal[k - 1] ? fabs(f[k]) : f[k]);
    return most > 1e-6 ? most : 0;
}

/* Local searches from the best points of the box; the best stays. */
static void search_box(Optimization *o)
{
    enum { STARTS = 3 };
    double *starts = ARENA_ARRAY(o->arena, double, STARTS *(size_t)o->n), least,
           *best = ARENA_ARRAY(o->arena, double, o->n + (size_t)o->n_exprs);
    Minimization box = o->search;
    box.n_constraints = 0;
    box.most = 100 * (o->n + 1);
    box.x = starts;
    box.f = &least;
    o->penalty = true;
    uint32_t found = minimize_global(o->ctx, &box, STARTS, o->arena);
    o->penalty = false;
    o->search.done += box.done;
    o->search.failures += box.failures;
    SearchStatus status = SEARCH_FAILED;
    for (uint32_t i = 0; i < found && !o->stop; i++) {
        search_from(o, starts + i * o->n);
        double off = violation(o, o->search.f), before = violation(o, best + o->n);
        bool better = status == SEARCH_FAILED || off < before ||
                      (!(off > before) && o->search.f[0] < best[o->n]);
        if (!better || o->status == SEARCH_FAILED)
            continue;
        status = o->status;
        memcpy(best, o->search.x, o->n * sizeof *best);
        memcpy(best + o->n, o->search.f, o->n_exprs * sizeof *best);
    }
    o->status = o->stop ? SEARCH_INTERRUPTED : status;
    memcpy(o->search.x, best, o->n * sizeof *best);
    memcpy(o->search.f, best + o->n, o->n_exprs * sizeof *best);
}

/* ---- the result ---- */

static void report_words(Optimization *o)
{
    const Minimization *s = &o->search;
    if (o->status == SEARCH_LIMIT || o->status == SEARCH_INTERRUPTED)
        diag(o->ctx, (Span){0}, DIAG_A024, "the search %s; the best result so far is saved",
             o->status == SEARCH_LIMIT ? "has not converged" : "was interrupted");
    if (o->status == SEARCH_INFEASIBLE)
        diag(o->ctx, (Span){0}, DIAG_A027,
             "no values within the bounds satisfy the constraints; those that violate them least "
             "are saved");
    if (s->failures && o->status != SEARCH_FAILED)
        diag(o->ctx, (Span){0}, DIAG_A025,
             "%u of %u runs failed on the way, and the search went around them; the last one: %s",
             s->failures, s->done, o->reason);
}

static bool at_bound(const Optimization *o, uint32_t j)
{
    double near = 1e-6 * (o->high[j] - o->low[j]);
    return o->search.x[j] <= o->low[j] + near || o->search.x[j] >= o->high[j] - near;
}

static void put_json(Optimization *o)
{
    static const char *const words[] = {
        [SEARCH_CONVERGED] = "converged",   [SEARCH_LIMIT] = "limit",
        [SEARCH_STUCK] = "stuck",           [SEARCH_FAILED] = "failed",
        [SEARCH_INFEASIBLE] = "infeasible", [SEARCH_INTERRUPTED] = "interrupted"};
    Text *t = &o->json;
    VEC(const char *) bounds = {0};
    text_put(t, "{");
    put_json_member(t, "parameters");
    text_put(t, "{");
    for (uint32_t j = 0; j < o->n; j++) {
        put_json_real(t, o->parameters[j], o->search.x[j]);
        if (at_bound(o, j))
            vec_push(&bounds, o->parameters[j]);
    }
    text_put(t, "}");
    put_json_real(t, "objective", o->search.f[0]);
    put_json_member(t, "status");
    text_put_json(t, words[o->status]);
    put_json_member(t, "constraints");
    text_put(t, "[");
    for (uint32_t k = 1; k < o->n_exprs; k++) {
        text_put(t, k > 1 ? ", {" : "{");
        put_json_member(t, "text");
        text_put_json(t, o->how.constraints[k - 1]);
        put_json_real(t, "excess", o->search.f[k]);
        text_put(t, "}");
    }
    text_put(t, "]");
    put_json_names(t, "at_bounds", bounds.at, bounds.n);
    put_json_member(t, "derivatives");
    text_put(t, o->exact ? "true" : "false");
    put_json_real(t, "runs", o->search.done);
    put_json_real(t, "failed_runs", o->search.failures);
    text_put(t, "}\n");
    vec_free(&bounds);
}

/* ---- the page ---- */

static void put_tables(Optimization *o, Text *t)
{
    text_put(t, "<h2>Parameters</h2>\n<div class=\"scroll\"><table><tr><th>parameter</th>"
                "<th>lower bound</th><th>before</th><th>best</th><th>upper bound</th></tr>\n");
    for (uint32_t j = 0; j < o->n; j++) {
        const double cells[] = {o->low[j], o->first[j], o->search.x[j], o->high[j]};
        text_put(t, "<tr>");
        put_code_cell(t, o->parameters[j]);
        for (int i = 0; i < 4; i++)
            put_number_cell(t, cells[i]);
        text_put(t, "</tr>\n");
    }
    text_put(t, "</table></div>\n");
    if (o->n_exprs > 1)
        text_put(t, "<h2>Constraints</h2>\n<div class=\"scroll\"><table><tr><th>constraint</th>"
                    "<th>excess</th></tr>\n");
    for (uint32_t k = 1; k < o->n_exprs; k++) {
        text_put(t, "<tr>");
        put_code_cell(t, o->how.constraints[k - 1]);
        put_number_cell(t, o->search.f[k]);
        text_put(t, "</tr>\n");
    }
    text_put(t, o->n_exprs > 1 ? "</table></div>\n" : "");
}

/* The variables of the expressions in the best run. */
static void put_curves(Optimization *o, Text *t)
{
    uint32_t columns = o->names.n, n = o->rows.n / columns;
    double *x = ARENA_ARRAY(o->arena, double, 2 * (size_t)n + 1), *y = x + n;
    text_put(t, "<h2>The best run</h2>\n");
    for (uint32_t k = 1; k < columns && n; k++) {
        for (uint32_t i = 0; i < n; i++) {
            x[i] = o->rows.at[(size_t)i * columns];
            y[i] = o->rows.at[(size_t)i * columns + k];
        }
        put_chart(t,
                  &(Chart){.title = o->names.at[k], .x_title = "time", .x = x, .line = y, .n = n});
    }
}

static void write_page(Optimization *o)
{
    Text page = {0}, *t = &page;
    o->keeps_rows = true;
    (void)run_once(o, o->search.x, false);
    page_begin(t, arena_printf(o->arena, "Optimization of %s", kairos_model_name(o->m)));
    text_put(t, "<h1>Optimization of ");
    text_put_xml(t, kairos_model_name(o->m));
    text_put(t, "</h1>\n<p>least <code>");
    text_put_xml(t, o->how.minimize);
    text_printf(t, "</code>: %.9g · %u runs</p>\n", o->search.f[0], o->search.done);
    put_tables(o, t);
    put_curves(o, t);
    page_end(t);
    if (!atomic_save_text(o->ctx, o->how.report, &page))
        o->result = KAIROS_USE_ERROR;
    text_free(&page);
}

static void search_and_save(void *arg)
{
    Optimization *o = arg;
    o->result = KAIROS_FAILED;
    if (o->no_memory)
        return;
    o->search = (Minimization){.n = o->n,
                               .low = o->low,
                               .high = o->high,
                               .n_constraints = o->n_exprs - 1,
                               .equal = o->equal,
                               .constraint_tolerance = 1e-6,
                               .scale = constraint_sizes(o),
                               .has_gradient = o->exact,
                               .most = o->how.most ? o->how.most : 200 * (o->n + 1),
                               .evaluate = evaluate,
                               .user = o,
                               .interrupt = &o->stop,
                               .x = ARENA_ARRAY(o->arena, double, o->n),
                               .f = ARENA_ARRAY(o->arena, double, o->n_exprs)};
    if (o->how.global)
        search_box(o);
    else
        search_from(o, o->first);
    if (o->status == SEARCH_FAILED) {
        diag(o->ctx, (Span){0}, DIAG_A024, "the search cannot begin: %s",
             *o->reason ? o->reason : "no run succeeds");
        return;
    }
    if (o->no_memory)
        return;
    report_words(o);
    put_json(o);
    o->result = o->status == SEARCH_CONVERGED     ? KAIROS_OK
                : o->status == SEARCH_INTERRUPTED ? KAIROS_INTERRUPTED
                                                  : KAIROS_FAILED;
    if (o->how.output && !atomic_save_text(o->ctx, o->how.output, &o->json))
        o->result = KAIROS_USE_ERROR;
    if (o->how.report)
        write_page(o);
    o->made = session_text(o->json.at);
}

static int optimize(Optimization *o)
{
    Kairos *k = o->m->session;
    int status = session_guard(k, prepare, o, &o->result);
    if (status != KAIROS_OK)
        return status;
    if (o->run.n_inputs) {
        status = model_copy(o->m, &o->run, NULL, &o->own);
        if (status != KAIROS_OK)
            return status;
        o->trial.m = o->own;
        o->trial.driven = true;
    }
    status = session_guard(k, run_first, o, &o->result);
    return status == KAIROS_OK ? session_guard(k, search_and_save, o, &o->result) : status;
}

int kairos_optimize_model(KairosModel *m, const KairosRun *run, const KairosOptimize *how,
                          char **json)
{
    Optimization o = {.m = m, .given_run = run, .given = how};
    if (m->session->runs++ == 0)
        *m->session->ctx->interrupt = 0;
    int status = optimize(&o);
    m->session->runs--;
    if (json)
        *json = o.made;
    else
        kairos_free_text(o.made);
    for (uint32_t i = 0; i < o.n_exprs && o.exprs; i++)
        kept_free_expr(o.exprs[i]);
    kept_free(o.kept);
    vec_free(&o.names);
    vec_free(&o.rows);
    kairos_free_model(o.own);
    text_free(&o.json);
    arena_free(o.arena);
    return status;
}
