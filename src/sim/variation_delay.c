/* Variations of delayed values: tangents of the histories of delay(), for each direction.
 *
 * The model reads them as the derivative by the number of the history (derive_delayed), whose
 * tangent is 1. They are recorded on the pieces of the last step. If an event breaks a history, its
 * movement is kept with the break. When the break arrives, it is the tangent of `next` in the
 * relation `time - T >= next`, which then moves the instant of the arrival. */
#include "runtime/model.h"
#include "sim/message/message.h"
#include "sim/variation_internal.h"

#include <math.h>

enum { MOST_DIVISIONS = 8, SMOOTH = 10 /* tolerances */ };

bool variation_has_delays(const Variation *w)
{
    return w->n && w->delays;
}

static double tangent_of_source(const Variation *w, uint32_t j, uint32_t k)
{
    double sign;
    VarId source = resolve_alias(w->s->prog, program_delay(w->s->prog, k)->source, &sign);
    return sign * w->dv[j][source];
}

void variation_start_delays(Variation *w)
{
    ModeProgram *prog = w->s->prog;
    w->delays = program_n_delays(prog);
    if (!variation_has_delays(w))
        return;
    bool good = runtime_vary_delays(prog->rt, w->n);
    for (uint32_t j = 0; j < w->n && good; j++)
        for (uint32_t k = 0; k < w->delays && good; k++) {
            double value = tangent_of_source(w, j, k);
            w->dv[j][program_delay(prog, k)->number] = 1;
            delay_start_variation(prog->rt, j, k, value);
            if (delay_ends_at_break(prog->rt, k))
                good = delay_break_variation(prog->rt, j, k, value, 0);
        }
    if (!good)
        fail_model(prog, MODEL_NO_MEMORY, "recording the history of a delay");
}

/* ---- recording ---- */

/* Tangents of all sources at the nodes of an interval, by history; false if that fails. */
static bool sample(Variation *w, double a, double b, double *s, double *out)
{
    ModeProgram *prog = w->s->prog;
    for (int i = 0; i < DELAY_NODES; i++) {
        double t = i < DELAY_NODES - 1 ? a + (b - a) * delay_nodes[i] : b;
        program_states_at(prog, t, w->x);
        variation_states_at(w, t, s);
        if (evaluate_outputs(prog, t, w->x))
            return false;
        for (uint32_t j = 0; j < w->n; j++) {
            if (variation_full(w, j, s + (size_t)j * prog->n))
                return false;
            for (uint32_t k = 0; k < w->delays; k++)
                out[((size_t)j * w->delays + k) * DELAY_NODES + (size_t)i] =
                    tangent_of_source(w, j, k);
        }
    }
    return true;
}

/* Whether the middle value lies on the cubic through the others. */
static bool is_smooth(const Variation *w, uint32_t j, const double *v)
{
    double size = fmax(fabs(v[0]), fmax(fabs(v[2]), fabs(v[4])));
    return fabs(v[2] - (v[1] + v[3] - 0.5 * (v[0] + v[4]))) <=
           SMOOTH * w->s->run.options->tolerance * (1 / w->size[j] + size);
}

static bool record(Variation *w, double a, double b, double *s, double *values, int divisions)
{
    ModeProgram *prog = w->s->prog;
    double middle = a + 0.5 * (b - a);
    bool smooth = true;
    if (!sample(w, a, b, s, values))
        return false;
    for (uint32_t i = 0; i < w->n * w->delays && smooth; i++)
        smooth = is_smooth(w, i / w->delays, values + (size_t)i * DELAY_NODES);
    if (!smooth && divisions && middle > a && middle < b)
        return record(w, a, middle, s, values, divisions - 1) &&
               record(w, middle, b, s, values, divisions - 1);
    for (uint32_t i = 0; i < w->n * w->delays; i++)
        if (!delay_append(prog->rt, w->delays + i, a, b, values + (size_t)i * DELAY_NODES))
            return fail_model(prog, MODEL_NO_MEMORY, "recording the history of a delay");
    return true;
}

void variation_record_delays(Variation *w)
{
    if (!variation_has_delays(w))
        return;
    size_t n = (size_t)w->n * w->s->prog->n, m = (size_t)w->n * w->delays * DELAY_NODES;
    double *s = memory_alloc((n + m + 1) * sizeof *s);
    bool good = true;
    for (uint32_t i = 0; i < w->n_pieces && good; i++) {
        double begin = w->pieces.at[i].begin;
        good = record(w, begin, begin + w->pieces.at[i].length, s, s + n, MOST_DIVISIONS);
    }
    if (!good)
        variation_note_flaw(w, FLAW_SINGULAR);
    for (uint32_t j = 0; j < w->n && w->n_pieces; j++) /* those at w->t again */
        variation_put_states(w, j, w->pieces.at[w->n_pieces - 1].s[3] + (size_t)j * w->s->prog->n);
    memory_free(s);
}

/* ---- events ---- */

void variation_delay_shifts(Variation *w)
{
    ModeProgram *prog = w->s->prog;
    for (uint32_t j = 0; j < w->n && variation_has_delays(w); j++)
        for (uint32_t k = 0; k < w->delays; k++)
            w->dv[j][program_delay(prog, k)->next] = delay_next_shift(prog->rt, j, k);
}

void variation_breaks(Sim *s)
{
    Variation *w = s->variation;
    if (!w || !w->begun || w->flaw || !variation_has_delays(w))
        return;
    ModeProgram *prog = s->prog;
    bool good = true;
    for (uint32_t k = 0; k < w->delays; k++)
        for (uint32_t j = 0; j < w->n && good && delay_ends_at_break(prog->rt, k); j++)
            good = delay_break_variation(prog->rt, j, k, tangent_of_source(w, j, k), w->dt[j]);
    if (!good)
        fail_model(prog, MODEL_NO_MEMORY, "recording the history of a delay");
}
