/* FMUs of others as classes: the public side of src/foreign. */
#include "api/session.h"

#include "foreign/check/check.h"
#include "foreign/component/component.h"
#include "foreign/system/system.h"
#include "foreign/wrapper/wrapper.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Import {
    Kairos *k;
    const char *path, *name, *kind;
    bool load;  /* add the class to the session; otherwise its text is the answer */
    char *text; /* the answer */
    FmuFile *file;
    Text class_text;
    int status;
} Import;

static bool choose_kind(Import *x, WrapperKind *kind)
{
    *kind = !x->kind                 ? WRAPPER_AUTO
            : !strcmp(x->kind, "me") ? WRAPPER_EXCHANGE
                                     : WRAPPER_CO_SIMULATION;
    bool known = !x->kind || !strcmp(x->kind, "me") || !strcmp(x->kind, "cs");
    if (!known)
        diag(x->k->ctx, (Span){0}, DIAG_U008, "the kind must be me or cs");
    return known;
}

/* The path from the root, so that the text works in any folder. */
static const char *absolute(const char *path, Arena *arena)
{
    char *real = realpath(path, NULL);
    const char *kept = real ? arena_copy(arena, real, strlen(real)) : path;
    free(real);
    return kept;
}

static void take_text(Import *x)
{
    const Text *t = &x->class_text;
    if (!x->load) {
        x->text = session_text(t->at);
        x->status = KAIROS_OK;
        return;
    }
    Context *ctx = x->k->ctx;
    ctx->plain_names = true;
    uint32_t source = sources_add(ctx->sources, x->path, t->at, t->n);
    x->status = library_add_source(x->k->library, source) ? KAIROS_OK : KAIROS_MODEL_ERROR;
}

static void import(void *arg)
{
    Import *x = arg;
    WrapperKind kind;
    x->status = KAIROS_USE_ERROR;
    if (!choose_kind(x, &kind))
        return;
    x->status = KAIROS_MODEL_ERROR;
    if (!fmu_open(x->k->ctx, x->path, &x->file))
        return;
    const char *name, *why = NULL, *set = x->k->structure.at;
    Arena *arena = x->file->arena;
    const char *structure = fmi_set_structure(x->file->description, set ? set : "", arena, &why);
    if (why) {
        diag(x->k->ctx, (Span){0}, DIAG_U051, "'%s': %s", x->path, why);
        return;
    }
    WrapperOptions o = {kind, x->name, absolute(x->path, arena), x->load, structure};
    if (!wrapper_write(x->k->ctx, x->file, &o, arena, &x->class_text, &name))
        return;
    take_text(x);
    if (x->load && x->status == KAIROS_OK) {
        components_keep(x->k->components, x->file, o.path, structure);
        x->file = NULL;
    }
}

static int run_import(Import *x)
{
    int status = session_guard(x->k, import, x, &x->status);
    text_free(&x->class_text);
    fmu_close(x->file);
    return status;
}

typedef struct Structure {
    Kairos *k;
    const char *name, *value;
    int status;
} Structure;

static void note_structure(void *arg)
{
    Structure *s = arg;
    text_printf(&s->k->structure, "%s=%s\n", s->name, s->value);
    s->status = KAIROS_OK;
}

int kairos_structure_fmus(Kairos *k, const char *name, const char *value)
{
    Structure s = {k, name, value, KAIROS_OK};
    return session_guard(k, note_structure, &s, &s.status);
}

int kairos_load_fmu(Kairos *k, const char *path, const char *kind)
{
    Import x = {.k = k, .path = path, .kind = kind, .load = true};
    return run_import(&x);
}

/* ---- systems ---- */

static void import_system(void *arg)
{
    Import *x = arg;
    x->status = KAIROS_MODEL_ERROR;
    vec_push(&x->k->systems, NULL);
    if (system_open(x->k->ctx, x->path, &vec_last(&x->k->systems), &x->class_text))
        take_text(x);
}

static int load_system(Kairos *k, const char *path)
{
    Import x = {.k = k, .path = path, .load = true};
    int status = session_guard(k, import_system, &x, &x.status);
    text_free(&x.class_text);
    return status;
}

int kairos_load_file(Kairos *k, const char *path)
{
    return text_ends_with(path, ".fmu")   ? kairos_load_fmu(k, path, NULL)
           : text_ends_with(path, ".ssp") ? load_system(k, path)
                                          : session_load(k, path);
}

char *kairos_import_fmu(Kairos *k, const char *path, const char *name, const char *kind)
{
    Import x = {.k = k, .path = path, .name = name, .kind = kind};
    run_import(&x);
    return x.text;
}

/* ---- checks ---- */

typedef struct Check {
    Kairos *k;
    const char *path;
    const KairosFmuCheck *given;
    FmuFile *file;
    int status;
} Check;

static void check(void *arg)
{
    Check *c = arg;
    Context *ctx = c->k->ctx;
    KairosFmuCheck how;
    c->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(c->k, KairosFmuCheck, c->given, &how))
        return;
    uint32_t errors = ctx->n_errors;
    bool refused = c->k->graph->refusal; /* external code does not run in this session */
    CheckOptions o = {how.seconds, how.memory, how.only_description || refused};
    if (fmu_open(ctx, c->path, &c->file))
        check_fmu(ctx, c->file, &o);
    c->status = ctx->n_errors > errors ? KAIROS_MODEL_ERROR : KAIROS_OK;
}

int kairos_check_fmu(Kairos *k, const char *path, const KairosFmuCheck *how)
{
    Check c = {.k = k, .path = path, .given = how};
    int status = session_guard(k, check, &c, &c.status);
    fmu_close(c.file);
    return status;
}
