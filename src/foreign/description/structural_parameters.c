/* Structural parameters (FMI 3) with other values than in the description: arrays get other sizes.
 * An element that exists before and after keeps its start value; new elements start at zero, unless
 * one start value is given for all. */
#include "foreign/description/description.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

bool fmi_is_structural(const FmiVariable *v)
{
    return v->causality == FMI_STRUCTURAL_PARAMETER && v->type >= FMI_INT8 &&
           v->type <= FMI_UINT64 && !v->n_dimensions;
}

/* The text behind `NAME=` in the last line for this name; NULL: there is none. */
static const char *find_line(const char *settings, const char *name)
{
    const char *found = NULL;
    size_t n = strlen(name);
    for (const char *line = settings; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, name, n) && line[n] == '=')
            found = line + n + 1;
    }
    return found;
}

/* NULL: the value is applied, or there is none; otherwise the reason. */
static const char *apply(FmiVariable *v, const char *settings, Text *applied, Arena *arena)
{
    const char *text = find_line(settings, v->name);
    if (!text)
        return NULL;
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool number = *text >= '0' && *text <= '9' && (!*end || *end == '\n') && !errno;
    if (!number || value > INT32_MAX || (double)value < v->min || (double)value > v->max)
        return arena_printf(arena, "the structural parameter '%s' cannot be %.*s", v->name,
                            (int)strcspn(text, "\n"), text);
    if ((double)value != fmi_start(v, 0)) {
        v->start = arena_printf(arena, "%llu", value);
        v->is_set = true;
        text_printf(applied, "%s=%llu\n", v->name, value);
    }
    return NULL;
}

/* ---- start values of arrays ---- */

/* Element k of the new array among the old elements; UINT64_MAX: it is new. */
static uint64_t old_place(const FmiVariable *v, const uint64_t *before, uint64_t k)
{
    uint64_t place = 0, stride = 1;
    for (uint32_t i = v->n_dimensions; i-- > 0; k /= v->dimensions[i].size) {
        uint64_t index = k % v->dimensions[i].size;
        if (index >= before[i])
            return UINT64_MAX;
        place += index * stride;
        stride *= before[i];
    }
    return place;
}

static void move_starts(FmiVariable *v, const uint64_t *before, Arena *arena)
{
    const FmiVariable old = *v;
    Text t = {0};
    v->is_resized = true;
    if (!v->start || !fmi_is_number((FmiType)v->type) || fmi_has_common_start(v))
        return;
    for (uint32_t k = 0; k < v->size; k++) {
        uint64_t place = old_place(v, before, k);
        double value = place < UINT32_MAX ? fmi_start(&old, (uint32_t)place) : 0;
        text_put(&t, k ? " " : "");
        text_put_real(&t, value);
    }
    v->start = t.n ? text_keep(&t, arena) : "";
}

static bool has_changed(const FmiVariable *v, const uint64_t *before)
{
    for (uint32_t i = 0; i < v->n_dimensions; i++)
        if (v->dimensions[i].size != before[i])
            return true;
    return false;
}

/* Returns the reason why the sizes are wrong, or NULL. */
static const char *resize(FmiDescription *d, Arena *arena)
{
    uint64_t **before = ARENA_ARRAY(arena, uint64_t *, d->variables.n + 1);
    for (uint32_t i = 0; i < d->variables.n; i++) {
        const FmiVariable *v = &d->variables.at[i];
        before[i] = ARENA_ARRAY(arena, uint64_t, v->n_dimensions + 1);
        for (uint32_t k = 0; k < v->n_dimensions; k++)
            before[i][k] = v->dimensions[k].size;
    }
    fmi_resolve_sizes(d);
    for (uint32_t i = 0; i < d->variables.n; i++)
        if (has_changed(&d->variables.at[i], before[i]))
            move_starts(&d->variables.at[i], before[i], arena);
    const FmiVariable *v = fmi_count_states(d);
    return v ? arena_printf(arena, "'%s' and its variable '%s' have different sizes", v->name,
                            d->variables.at[v->derivative_of].name)
             : NULL;
}

const char *fmi_set_structure(FmiDescription *d, const char *settings, Arena *arena,
                              const char **why)
{
    Text applied = {0};
    *why = NULL;
    for (uint32_t i = 0; i < d->variables.n && !*why; i++)
        if (fmi_is_structural(&d->variables.at[i]))
            *why = apply(&d->variables.at[i], settings, &applied, arena);
    if (!*why && applied.n)
        *why = resize(d, arena);
    return applied.n ? text_keep(&applied, arena) : "";
}
