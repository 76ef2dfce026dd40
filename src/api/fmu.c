/* Export as an FMU: the public side of src/fmu. */
#include "api/session.h"

#include "fmu/fmu.h"

typedef struct Export {
    Kairos *k;
    const char *name;
    const KairosFmu *given;
    KairosFmu how;
    FmuOptions options;
    KairosModel *declared; /* flattened */
    Kairos *reader;        /* of the flat text, as the FMU reads it */
    KairosModel *model;
    char *text;
    Arena *arena;
    int status;
} Export;

static bool choose(Export *x)
{
    const char *kind = x->how.kind ? x->how.kind : "cs";
    unsigned version = x->how.version ? x->how.version : 2;
    x->options = (FmuOptions){.version = version,
                              .exchange = !strcmp(kind, "me") || !strcmp(kind, "both"),
                              .co_simulation = !strcmp(kind, "cs") || !strcmp(kind, "both"),
                              .output = x->how.output};
    const char *wrong = !x->how.output                     ? "there is no output file"
                        : version != 2 && version != 3     ? "the version of FMI must be 2 or 3"
                        : !x->options.exchange && !x->options.co_simulation
                            ? "the kind must be me, cs or both"
                            : NULL;
    if (wrong)
        diag(x->k->ctx, (Span){0}, DIAG_U008, "%s", wrong);
    return !wrong;
}

static void flatten(void *arg)
{
    Export *x = arg;
    x->status = KAIROS_USE_ERROR;
    if (!SESSION_READ(x->k, KairosFmu, x->given, &x->how) || !choose(x))
        return;
    x->arena = arena_new();
    x->declared = session_compile(x->k, x->name, x->how.compile, PHASE_FLATTEN, &x->status);
    if (!x->declared)
        return;
    fmu_fix_structure(x->declared->compilation.flat);
    x->text = flat_print(x->declared->compilation.flat, x->arena);
}

/* The text is read as the FMU reads it. Its messages would repeat those about the model. */
static void read_back(Export *x)
{
    KairosCompile how = {.size = sizeof how, .compiler = "tcc"};
    x->reader = kairos_open();
    if (x->reader && !kairos_load_text(x->reader, "model.mo", x->text, strlen(x->text)))
        x->model = session_compile(x->reader, NULL, &how, PHASE_STRUCTURE, &x->status);
}

static void write_file(void *arg)
{
    Export *x = arg;
    char *messages = x->model ? NULL : kairos_render_messages(x->reader, KAIROS_TEXT);
    x->status = KAIROS_MODEL_ERROR;
    if (!x->model)
        diag(x->k->ctx, (Span){0}, DIAG_U020, "the flat model cannot be compiled:\n%s",
             messages ? messages : "");
    else if (fmu_export(x->k->ctx, x->declared->compilation.flat, x->model->compilation.plan,
                        x->text, &x->options))
        x->status = KAIROS_OK;
    kairos_free_text(messages);
}

int kairos_export_fmu(Kairos *k, const char *name, const KairosFmu *how)
{
    Export x = {.k = k, .name = name, .given = how};
    pthread_rwlock_wrlock(&k->models);
    int status = session_guard(k, flatten, &x, &x.status);
    if (status == KAIROS_OK && x.text) {
        read_back(&x);
        status = session_guard(k, write_file, &x, &x.status);
    }
    pthread_rwlock_unlock(&k->models);
    kairos_free_model(x.model);
    kairos_close(x.reader);
    kairos_free_model(x.declared);
    arena_free(x.arena);
    return status;
}
