/* Saved states of an FMU: its settings, its state by the standard, and the bytes of the instance.
 * Both forms of the standard, in memory and serialised, are the same bytes. */
#include "fmu/interface/fmu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0x4b464d55, FORM = 1 };

struct SavedState {
    unsigned magic, form;
    uint64_t seal; /* of a serialised state: hash of all bytes, with 0 here */
    size_t size;   /* of all: this struct, n_settings settings, n_bytes of the instance */
    size_t n_bytes;
    unsigned n_settings, n_variables;
    FmuState state;
    double start, stop, tolerance, end_of_step, step_size, time;
    bool co_simulation, stop_defined, initialized, event_due;
};

/* Padding is zero too: the bytes of equal states are equal. */
static void put_header(const Fmu *f, size_t n_bytes, SavedState *to)
{
    memset(to, 0, sizeof *to);
    to->magic = MAGIC;
    to->form = FORM;
    to->size = sizeof(SavedState) + f->n_settings * sizeof(FmuSetting) + n_bytes;
    to->n_bytes = n_bytes;
    to->n_settings = f->n_settings;
    to->n_variables = f->n_variables;
    to->state = f->state;
    to->start = f->start;
    to->stop = f->stop;
    to->tolerance = f->tolerance;
    to->end_of_step = f->end_of_step;
    to->step_size = f->step_size;
    to->time = f->time;
    to->co_simulation = f->co_simulation;
    to->stop_defined = f->stop_defined;
    to->initialized = f->initialized;
    to->event_due = f->event_due;
}

FmuStatus fmu_save(Fmu *f, SavedState **state)
{
    size_t n_bytes = 0;
    void *bytes = NULL;
    if (f->initialized) {
        FmuStatus status = fmu_ready(f);
        bytes = status == FMU_OK ? kairos_save_state(f->instance, &n_bytes) : NULL;
        if (!bytes)
            return status == FMU_OK ? fmu_result(f, KAIROS_USE_ERROR) : status;
    }
    size_t size = sizeof(SavedState) + f->n_settings * sizeof(FmuSetting) + n_bytes;
    SavedState *made = realloc(*state, size);
    if (made) {
        put_header(f, n_bytes, made);
        memcpy(made + 1, f->settings, f->n_settings * sizeof *f->settings);
        if (n_bytes)
            memcpy((char *)made + size - n_bytes, bytes, n_bytes);
        *state = made;
    }
    kairos_free_state(bytes);
    return made ? FMU_OK : fmu_no_memory(f);
}

static void take_settings(Fmu *f, const SavedState *s)
{
    memset(f->setting_of, 0, f->n_variables * sizeof *f->setting_of);
    f->n_settings = s->n_settings;
    memcpy(f->settings, s + 1, s->n_settings * sizeof *f->settings);
    for (unsigned i = 0; i < f->n_settings; i++)
        f->setting_of[f->settings[i].variable] = i + 1;
}

static void take_header(Fmu *f, const SavedState *s)
{
    f->start = s->start;
    f->stop = s->stop;
    f->tolerance = s->tolerance;
    f->end_of_step = s->end_of_step;
    f->step_size = s->step_size;
    f->time = s->time;
    f->stop_defined = s->stop_defined;
    f->event_due = s->event_due;
}

static bool same_options(const Fmu *f, const SavedState *s)
{
    return f->start == s->start && f->tolerance == s->tolerance &&
           f->stop_defined == s->stop_defined && (!s->stop_defined || f->stop == s->stop);
}

/* An instance that was made with other times cannot continue from the state. */
FmuStatus fmu_restore(Fmu *f, const SavedState *s)
{
    if (!s)
        return fmu_report(f, FMU_ERROR, "%s: there is no state to restore", f->name);
    if (s->co_simulation != f->co_simulation)
        return fmu_report(f, FMU_ERROR, "%s: the state is of an instance of the other kind",
                          f->name);
    bool anew = !same_options(f, s) || !s->initialized;
    take_settings(f, s);
    take_header(f, s);
    FmuStatus status = anew ? fmu_make_instance(f) : FMU_OK;
    if (status == FMU_OK && s->initialized) {
        const char *bytes = (const char *)s + s->size - s->n_bytes;
        status = fmu_result(f, kairos_restore_state(f->instance, bytes, s->n_bytes));
    }
    f->initialized = s->initialized;
    f->changed = false;
    f->state = status == FMU_OK ? s->state : FMU_FAILED;
    return status;
}

void fmu_free_state(SavedState **state)
{
    free(*state);
    *state = NULL;
}

/* ---- serialised ---- */

size_t fmu_state_size(const SavedState *state)
{
    return state->size;
}

/* FNV-1a */
static uint64_t hash_of(const unsigned char *bytes, size_t n)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

FmuStatus fmu_write_state(Fmu *f, const SavedState *state, void *bytes, size_t size)
{
    if (!state || !bytes || size < state->size)
        return fmu_report(f, FMU_ERROR, "%s: the state needs %zu bytes, but there are %zu", f->name,
                          state ? state->size : 0, size);
    memcpy(bytes, state, state->size);
    uint64_t seal = hash_of(bytes, state->size);
    memcpy((char *)bytes + offsetof(SavedState, seal), &seal, sizeof seal);
    return FMU_OK;
}

static bool is_whole(const Fmu *f, SavedState *s, size_t size)
{
    if (s->magic != MAGIC || s->form != FORM || s->n_variables != f->n_variables ||
        s->n_settings > f->n_variables || s->n_bytes > size || s->size > size ||
        s->size != sizeof *s + s->n_settings * sizeof(FmuSetting) + s->n_bytes)
        return false;
    uint64_t seal = s->seal;
    s->seal = 0;
    if (hash_of((const unsigned char *)s, s->size) != seal)
        return false;
    const FmuSetting *settings = (const FmuSetting *)(s + 1);
    for (unsigned i = 0; i < s->n_settings; i++)
        if (settings[i].variable >= f->n_variables || !isfinite(settings[i].value))
            return false;
    return s->state > 0 && s->state < FMU_FAILED && !(s->state & (s->state - 1));
}

FmuStatus fmu_read_state(Fmu *f, const void *bytes, size_t size, SavedState **state)
{
    SavedState *s = bytes && size >= sizeof *s ? malloc(size) : NULL;
    if (s)
        memcpy(s, bytes, size);
    if (!s || !is_whole(f, s, size)) {
        free(s);
        return fmu_report(f, FMU_ERROR, "%s: these bytes are no state of this model", f->name);
    }
    *state = s;
    return FMU_OK;
}
