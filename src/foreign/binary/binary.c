#include "foreign/binary/binary.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NOTE = 4096 }; /* bytes of the note: the function, from NOTE/4 on the file */

static void open_note(FmiInstance *i)
{
    int fd = open(i->file->call, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (!ftruncate(fd, NOTE)) {
        char *at = mmap(NULL, NOTE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        i->note = at == MAP_FAILED ? NULL : at;
    }
    close(fd);
    if (i->note)
        snprintf(i->note + NOTE / 4, NOTE - NOTE / 4, "%s", i->file->path);
}

/* ---- loading ---- */

static bool load(FmiInstance *i)
{
    static const char *const missing[] = {"the FMU does not offer model exchange",
                                          "the FMU does not offer co-simulation",
                                          "the FMU does not offer scheduled execution"};
    if (!i->interface->identifier) {
        i->failure = missing[i->kind];
        return false;
    }
    const char *path = fmu_binary(i->file, i->interface->identifier, i->arena, &i->failure);
    if (!path)
        return false;
    fmi_doing(i, "dlopen");
    i->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!i->library) {
        i->failure = arena_printf(i->arena, "the binary cannot be loaded: %s", dlerror());
        return false;
    }
    return i->calls->bind(i);
}

/* A component may decline event mode, although its description offers it. */
bool fmi_create(FmiInstance *i)
{
    i->message[0] = '\0';
    if (i->calls->create(i))
        return true;
    if (i->kind == FMI_CO_SIMULATION && i->event_mode) {
        i->event_mode = false;
        if (i->calls->create(i))
            return true;
    }
    i->failure = arena_printf(i->arena, "%s returned no instance%s%s", i->doing,
                              i->message[0] ? ": " : "", i->message);
    return false;
}

void fmi_destroy(FmiInstance *i)
{
    if (i->component)
        i->calls->destroy(i);
    i->component = NULL;
}

FmiInstance *fmi_open(const FmuFile *f, FmiKind kind, const char *name, Arena *arena,
                      const char **why)
{
    static const FmiCalls *const calls[] = {&fmi1_calls, &fmi2_calls, &fmi3_calls};
    Arena *own = arena_new();
    FmiInstance *i = ARENA_NEW(own, FmiInstance);
    *i = (FmiInstance){.arena = own, .file = f, .d = f->description, .kind = kind};
    const FmiInterface *const interfaces[] = {
        &f->description->exchange, &f->description->co_simulation, &f->description->scheduled};
    i->interface = interfaces[kind];
    i->calls = calls[f->description->version - 1];
    i->name = arena_copy(own, name, strlen(name));
    i->event_mode = kind == FMI_CO_SIMULATION && i->interface->event_mode;
    open_note(i);
    if (load(i) && fmi_create(i))
        return i;
    *why = arena_copy(arena, i->failure, strlen(i->failure));
    fmi_close(i);
    return NULL;
}

void fmi_close(FmiInstance *i)
{
    if (!i)
        return;
    fmi_destroy(i);
    fmi_doing(i, "dlclose");
    if (i->library)
        dlclose(i->library);
    fmi_doing(i, "");
    if (i->note)
        munmap(i->note, NOTE);
    arena_free(i->arena);
}

/* ---- values ---- */

FmiValues fmi_values(const FmiDescription *d, const uint32_t *variables, uint32_t n, Arena *arena)
{
    FmiValues v = {.groups = ARENA_ARRAY(arena, FmiGroup, n ? n : 1)};
    size_t most = 1;
    for (uint32_t k = 0; k < n; k++) {
        const FmiVariable *x = &d->variables.at[variables[k]];
        if (!v.n || v.groups[v.n - 1].type != (FmiType)x->type)
            v.groups[v.n++] =
                (FmiGroup){(FmiType)x->type, ARENA_ARRAY(arena, uint32_t, n - k), 0, 0};
        FmiGroup *g = &v.groups[v.n - 1];
        g->refs[g->n++] = x->reference;
        g->n_values += x->size;
        v.n_values += x->size;
        most = g->n_values > most ? g->n_values : most;
    }
    v.native = arena_alloc(arena, 8 * most);
    return v;
}

/* T value of a double, within the range of T; the least one for NaN. */
#define CLAMP(T, x, lo, hi)                                                                        \
    (!((x) > (double)(lo)) ? (T)(lo) : (x) >= (double)(hi) ? (T)(hi) : (T)(x))

static void to_native(const FmiCalls *c, FmiType type, double x, void *to, size_t k)
{
    switch (type) {
    case FMI_FLOAT64: ((double *)to)[k] = x; return;
    case FMI_FLOAT32: ((float *)to)[k] = (float)x; return;
    case FMI_INT8: ((int8_t *)to)[k] = CLAMP(int8_t, x, INT8_MIN, INT8_MAX); return;
    case FMI_UINT8: ((uint8_t *)to)[k] = CLAMP(uint8_t, x, 0, UINT8_MAX); return;
    case FMI_INT16: ((int16_t *)to)[k] = CLAMP(int16_t, x, INT16_MIN, INT16_MAX); return;
    case FMI_UINT16: ((uint16_t *)to)[k] = CLAMP(uint16_t, x, 0, UINT16_MAX); return;
    case FMI_INT32: ((int32_t *)to)[k] = CLAMP(int32_t, x, INT32_MIN, INT32_MAX); return;
    case FMI_UINT32: ((uint32_t *)to)[k] = CLAMP(uint32_t, x, 0, UINT32_MAX); return;
    case FMI_INT64: ((int64_t *)to)[k] = CLAMP(int64_t, x, INT64_MIN, INT64_MAX); return;
    case FMI_UINT64: ((uint64_t *)to)[k] = CLAMP(uint64_t, x, 0, UINT64_MAX); return;
    case FMI_ENUMERATION:
        if (c->enumeration_size == 8)
            ((int64_t *)to)[k] = CLAMP(int64_t, x, INT64_MIN, INT64_MAX);
        else
            ((int32_t *)to)[k] = CLAMP(int32_t, x, INT32_MIN, INT32_MAX);
        return;
    default: /* Boolean */
        if (c->boolean_size == 4)
            ((int32_t *)to)[k] = x != 0;
        else
            ((uint8_t *)to)[k] = x != 0;
        return;
    }
}

static double from_native(const FmiCalls *c, FmiType type, const void *at, size_t k)
{
    switch (type) {
    case FMI_FLOAT64: return ((const double *)at)[k];
    case FMI_FLOAT32: return (double)((const float *)at)[k];
    case FMI_INT8: return ((const int8_t *)at)[k];
    case FMI_UINT8: return ((const uint8_t *)at)[k];
    case FMI_INT16: return ((const int16_t *)at)[k];
    case FMI_UINT16: return ((const uint16_t *)at)[k];
    case FMI_INT32: return ((const int32_t *)at)[k];
    case FMI_UINT32: return ((const uint32_t *)at)[k];
    case FMI_INT64: return (double)((const int64_t *)at)[k];
    case FMI_UINT64: return (double)((const uint64_t *)at)[k];
    case FMI_ENUMERATION:
        return c->enumeration_size == 8 ? (double)((const int64_t *)at)[k]
                                        : ((const int32_t *)at)[k];
    default:
        return c->boolean_size == 4 ? ((const int32_t *)at)[k] != 0 : ((const uint8_t *)at)[k] != 0;
    }
}

FmiStatus fmi_get(FmiInstance *i, const FmiValues *v, double *values)
{
    FmiStatus worst = FMI_OK;
    for (uint32_t k = 0; k < v->n; values += v->groups[k++].n_values) {
        const FmiGroup *g = &v->groups[k];
        void *native = g->type == FMI_FLOAT64 ? (void *)values : v->native;
        FmiStatus s = i->calls->get(i, g->type, g->refs, g->n, native, g->n_values);
        if (!fmi_good(s))
            return s;
        worst = s > worst ? s : worst;
        for (uint32_t j = 0; native != values && j < g->n_values; j++)
            values[j] = from_native(i->calls, g->type, native, j);
    }
    return worst;
}

FmiStatus fmi_set(FmiInstance *i, const FmiValues *v, const double *values)
{
    FmiStatus worst = FMI_OK;
    for (uint32_t k = 0; k < v->n; values += v->groups[k++].n_values) {
        const FmiGroup *g = &v->groups[k];
        const void *native = g->type == FMI_FLOAT64 ? (const void *)values : v->native;
        for (uint32_t j = 0; native != values && j < g->n_values; j++)
            to_native(i->calls, g->type, values[j], v->native, j);
        FmiStatus s = i->calls->set(i, g->type, g->refs, g->n, native, g->n_values);
        if (!fmi_good(s))
            return s;
        worst = s > worst ? s : worst;
    }
    return worst;
}

FmiStatus fmi_set_string(FmiInstance *i, uint32_t reference, const char *text)
{
    return i->calls->set(i, FMI_STRING, &reference, 1, &text, 1);
}
