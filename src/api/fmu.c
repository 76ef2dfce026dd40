/* Export as an FMU: the public side of src/fmu. */
#include "api/session.h"

#include "api/exchange.h"
#include "base/clock.h"
#include "diagram/drawing.h"
#include "fmu/fmu.h"
#include "inspect/inspect.h"

#include <math.h>

static const double ICON_PIXELS = 400;

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
    FmuContents contents;
    int status;
} Export;

static bool choose(Export *x)
{
    const char *kind = x->how.kind ? x->how.kind : x->how.source ? "both" : "cs";
    unsigned version = x->how.version ? x->how.version : 2;
    x->options = (FmuOptions){.version = version,
                              .exchange = !strcmp(kind, "me") || !strcmp(kind, "both"),
                              .co_simulation = !strcmp(kind, "cs") || !strcmp(kind, "both"),
                              .source = x->how.source != 0,
                              .output = x->how.output};
    const char *wrong = version != 2 && version != 3 ? "the version of FMI must be 2 or 3"
                        : !x->options.exchange && !x->options.co_simulation
                            ? "the kind must be me, cs or both"
                        : x->options.source && !x->options.exchange
                            ? "sources are for model exchange; the kind must be me or both"
                            : NULL;
    if (wrong)
        diag(x->k->ctx, (Span){0}, DIAG_U008, "%s", wrong);
    return !wrong;
}

static void add_text(Export *x, const char *name, Text *t)
{
    size_t n = t->n;
    const char *data = arena_copy(x->arena, t->at, n);
    vec_push(&x->contents.files, ((FmuFile){name, data, n}));
    text_free(t);
}

/* The icon as FMI wants it: a PNG, in FMI 3 also an SVG. */
static void add_icon(Export *x, const Drawing *d)
{
    bool three = x->options.version == 3;
    Text png = {0}, svg = {0};
    x->contents.has_icon = drawing_put_png(x->k->ctx, d, ICON_PIXELS, &png);
    if (!x->contents.has_icon)
        return;
    const double extent[] = {d->lo.x, -d->hi.y, d->hi.x, -d->lo.y}; /* y points up in FMI */
    memcpy(x->contents.icon, extent, sizeof extent);
    add_text(x, three ? "terminalsAndIcons/icon.png" : "model.png", &png);
    if (three) {
        drawing_put_svg(d, &svg);
        add_text(x, "terminalsAndIcons/icon.svg", &svg);
    }
}

static bool has_shapes(const Drawing *d)
{
    for (uint32_t i = 0; d && i < d->shapes.n; i++)
        if (d->shapes.at[i].kind != SHAPE_OPEN && d->shapes.at[i].kind != SHAPE_SHUT)
            return true;
    return false;
}

/* Pictures of the class, if it has some. Without cairo there is no icon. */
static void add_pictures(Export *x, const char *class_name)
{
    DiagMark mark = diag_mark(x->k->ctx);
    Drawing *icon = session_drawing(x->k, class_name, KAIROS_ICON);
    Drawing *diagram = session_drawing(x->k, class_name, KAIROS_DIAGRAM);
    if (has_shapes(icon))
        add_icon(x, icon);
    if (has_shapes(diagram)) {
        Text svg = {0};
        drawing_put_svg(diagram, &svg);
        add_text(x, "documentation/diagram.svg", &svg);
        x->contents.has_diagram = true;
    }
    drawing_free(icon);
    drawing_free(diagram);
    diag_discard(x->k->ctx, mark);
}

static void add_licences(void *user, const char *package, const char *path)
{
    fmu_embed_licences(user, package, path);
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
    const char *class_name = x->declared->compilation.flat->name, *dot = strrchr(class_name, '.');
    if (!x->options.output)
        x->options.output = arena_printf(x->arena, "%s.fmu", dot ? dot + 1 : class_name);
    Flat *flat = x->declared->compilation.flat;
    fmu_fix_structure(flat);
    x->contents.arena = x->arena;
    if (fmu_embed_code(x->k->ctx, flat, &x->contents)) {
        x->text = flat_print(flat, x->arena);
        fmu_embed_files(flat->g, x->text, &x->contents);
        add_pictures(x, class_name);
        inspect_each_package(x->k->library, add_licences, &x->contents);
    } else {
        x->status = KAIROS_MODEL_ERROR;
    }
    fmu_release_code(flat);
}

/* The text is read as the FMU reads it. Its messages would repeat those about the model. */
static int read_back(Export *x)
{
    KairosCompile how = {.size = sizeof how, .compiler = "tcc"};
    Phase last = x->options.exchange ? PHASE_LOAD : PHASE_STRUCTURE; /* a trial needs the code */
    x->reader = kairos_open();
    if (x->reader) {
        x->reader->graph->objects = x->contents.objects;
        x->reader->graph->resource = x->k->graph->resource;
        x->reader->graph->resource_user = x->k->graph->resource_user;
    }
    int status = x->reader ? kairos_load_text(x->reader, "model.mo", x->text, strlen(x->text))
                           : KAIROS_FAILED;
    if (status == KAIROS_OK)
        x->model = session_compile(x->reader, NULL, &how, last, &status);
    return status;
}

/* Whether the run of the model's experiment changes its states, or searches for positions of its
 * switches, as far as a second goes. Ideal switches may do that without structural guards. */
static void try_switches(Export *x)
{
    KairosInstance *i = kairos_create_instance(x->model, NULL);
    const Experiment *e = &x->model->compilation.flat->experiment;
    double end = clock_now() + 1, start = isnan(e->start) ? 0 : e->start;
    double stop = isnan(e->stop) ? start + 1 : e->stop;
    bool same = true;
    int status = i ? kairos_initialize_instance(i) : KAIROS_FAILED;
    while (status == KAIROS_OK && (same = !instance_check_states(i)) && clock_now() < end &&
           kairos_instance_time(i) < stop && !kairos_instance_terminated(i))
        status = kairos_advance_instance(i, stop, 1);
    x->options.changes_states = !same;
    x->options.searches_switches = i && instance_count_searches(i);
    kairos_free_instance(i);
}

/* The text has no model that compiles. If the model itself is in error, its messages say why. */
static void tell_failure(Export *x)
{
    char *messages = kairos_render_messages(x->reader, KAIROS_TEXT);
    int status;
    KairosModel *again = session_compile(x->k, x->name, x->how.compile, PHASE_STRUCTURE, &status);
    if (again)
        diag(x->k->ctx, (Span){0}, DIAG_U020, "the flat model cannot be compiled:\n%s",
             messages ? messages : "");
    kairos_free_model(again);
    kairos_free_text(messages);
}

static void write_file(void *arg)
{
    Export *x = arg;
    x->status = KAIROS_MODEL_ERROR;
    if (!x->model)
        tell_failure(x);
    else if (fmu_export(x->k->ctx, x->declared->compilation.flat, x->model->compilation.plan,
                        x->text, &x->contents, &x->options))
        x->status = KAIROS_OK;
}

int kairos_export_fmu(Kairos *k, const char *name, const KairosFmu *how)
{
    Export x = {.k = k, .name = name, .given = how};
    pthread_rwlock_wrlock(&k->models);
    int status = session_guard(k, flatten, &x, &x.status);
    if (status == KAIROS_OK)
        status = read_back(&x);
    if (x.model && x.options.exchange && x.model->compilation.plan->switch_vars.n)
        try_switches(&x);
    if (status == KAIROS_OK || status == KAIROS_MODEL_ERROR)
        status = x.reader ? session_guard(k, write_file, &x, &x.status) : status;
    pthread_rwlock_unlock(&k->models);
    kairos_free_model(x.model);
    kairos_close(x.reader);
    kairos_free_model(x.declared);
    vec_free(&x.contents.files);
    arena_free(x.arena);
    return status;
}
