#include "analysis/linear_model.h"

#include "analysis/result_json.h"

#include <complex.h>
#include <math.h>

LinearSystem linear_system_new(Arena *arena, uint32_t n, uint32_t m, uint32_t p)
{
    return (LinearSystem){n,
                          m,
                          p,
                          ARENA_ARRAY(arena, double, (size_t)n *n + 1),
                          ARENA_ARRAY(arena, double, (size_t)n *m + 1),
                          ARENA_ARRAY(arena, double, (size_t)p *n + 1),
                          ARENA_ARRAY(arena, double, (size_t)p *m + 1)};
}

LinearModel *linear_model_new(uint32_t n, uint32_t m, uint32_t p)
{
    Arena *arena = arena_new();
    LinearModel *l = ARENA_ARRAY(arena, LinearModel, 1);
    *l = (LinearModel){
        .arena = arena,
        .states = ARENA_ARRAY(arena, const char *, (size_t)n + 1),
        .inputs = ARENA_ARRAY(arena, const char *, (size_t)m + 1),
        .outputs = ARENA_ARRAY(arena, const char *, (size_t)p + 1),
        .system = linear_system_new(arena, n, m, p),
        .pole_re = ARENA_ARRAY(arena, double, (size_t)n + 1),
        .pole_im = ARENA_ARRAY(arena, double, (size_t)n + 1),
        .zero_re = ARENA_ARRAY(arena, double, (size_t)n + 1),
        .zero_im = ARENA_ARRAY(arena, double, (size_t)n + 1),
    };
    return l;
}

void linear_model_free(LinearModel *l)
{
    if (l)
        arena_free(l->arena);
}

void linear_damping(double re, double im, double period, double *frequency, double *damping)
{
    static const double TURN = 6.283185307179586;
    if (period > 0) {
        double size = hypot(re, im);
        double rate = size > 0 ? log(size) / period : -INFINITY, turn = atan2(im, re) / period;
        re = rate;
        im = turn;
    }
    double size = hypot(re, im);
    *frequency = size / TURN;
    *damping = size == 0 ? 1 : isinf(re) ? 1 : -re / size;
}

/* ---- analysis ---- */

static void warn_unreached(Context *ctx, const LinearModel *l, bool dual)
{
    const LinearSystem *s = &l->system;
    double *re = ARENA_ARRAY(l->arena, double, (size_t)s->n + 1),
           *im = ARENA_ARRAY(l->arena, double, (size_t)s->n + 1);
    uint32_t n = dual ? s->p : s->m;
    uint32_t found = n ? linear_unreached(s, dual, re, im) : 0;
    if (!found || found == UINT32_MAX)
        return;
    Text t = {0};
    for (uint32_t i = 0; i < found && i < 8; i++) {
        text_printf(&t, "%s%.6g", i ? ", " : "", re[i]);
        if (im[i] != 0)
            text_printf(&t, " %c %.6gi", im[i] < 0 ? '-' : '+', fabs(im[i]));
    }
    diag(ctx, (Span){0}, DIAG_A002, "%s %u pole%s of %s at time %.9g: %s%s",
         dual ? "no output shows" : "no input reaches", found, found == 1 ? "" : "s", l->name,
         l->time, t.at, found > 8 ? ", …" : "");
    text_free(&t);
}

bool linear_model_analyse(Context *ctx, LinearModel *l)
{
    const LinearSystem *s = &l->system;
    double *a = ARENA_ARRAY(l->arena, double, (size_t)s->n * s->n + 1);
    memcpy(a, s->a, (size_t)s->n * s->n * sizeof *a);
    bool found = linear_eigenvalues(s->n, a, l->pole_re, l->pole_im);
    l->n_zeros = found ? linear_zeros(s, l->zero_re, l->zero_im) : 0;
    if (!found || l->n_zeros == UINT32_MAX) {
        l->n_zeros = 0;
        diag(ctx, (Span){0}, DIAG_A001, "the %s of %s at time %.9g cannot be computed: %s",
             found ? "zeros" : "poles", l->name, l->time,
             "a derivative is not finite, or the iteration does not converge");
        return false;
    }
    warn_unreached(ctx, l, false);
    warn_unreached(ctx, l, true);
    return true;
}

/* ---- JSON ---- */

static void put_values(Text *t, const char *name, const double *re, const double *im, uint32_t n,
                       double period)
{
    put_json_member(t, name);
    text_put(t, "[");
    for (uint32_t i = 0; i < n; i++) {
        double frequency, damping;
        linear_damping(re[i], im[i], period, &frequency, &damping);
        text_put(t, i ? ", {\"re\": " : "{\"re\": ");
        put_json_number(t, re[i]);
        text_put(t, ", \"im\": ");
        put_json_number(t, im[i]);
        text_put(t, ", \"frequency\": ");
        put_json_number(t, frequency);
        text_put(t, ", \"damping\": ");
        put_json_number(t, damping);
        text_put(t, "}");
    }
    text_put(t, "]");
}

static void put_delays(Text *t, const LinearDelays *d)
{
    put_json_member(t, "delays");
    for (uint32_t k = 0; k < d->n; k++) {
        text_put(t, k ? ", {\"of\": " : "[{\"of\": ");
        text_put_json(t, d->names[k]);
        text_put(t, ", \"time\": ");
        put_json_number(t, d->time[k]);
        text_put(t, "}");
    }
    text_put(t, "]");
}

void linear_model_json(const LinearModel *l, Text *t)
{
    const LinearSystem *s = &l->system;
    text_put(t, "{");
    put_json_real(t, "time", l->time);
    put_json_names(t, "states", l->states, s->n);
    put_json_names(t, "inputs", l->inputs, s->m);
    put_json_names(t, "outputs", l->outputs, s->p);
    put_json_matrix(t, "A", s->a, s->n, s->n);
    put_json_matrix(t, "B", s->b, s->n, s->m);
    put_json_matrix(t, "C", s->c, s->p, s->n);
    put_json_matrix(t, "D", s->d, s->p, s->m);
    put_values(t, "poles", l->pole_re, l->pole_im, s->n, l->period);
    put_values(t, "zeros", l->zero_re, l->zero_im, l->n_zeros, l->period);
    put_json_real(t, "period", l->period > 0 ? l->period : NAN);
    if (l->delays.n)
        put_delays(t, &l->delays);
    if (l->lost) {
        put_json_member(t, "converged");
        text_put(t, "false");
    }
    text_put(t, "}\n");
}
