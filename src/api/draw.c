/* Pictures of classes: the public side of src/diagram. */
#include "diagram/diagram.h"
#include "base/atomic_file.h"
#include "api/session.h"

typedef struct Draw {
    Kairos *k;
    const char *name, *output; /* output NULL: as text */
    KairosLayer layer;
    DynamicValues dynamic;
    char *text;
    int status;
} Draw;

static bool deliver(Draw *d, const Drawing *drawing)
{
    if (d->output && !text_ends_with(d->output, ".svg"))
        return drawing_save(d->k->ctx, drawing, d->output);
    Text t = {0};
    drawing_put_svg(drawing, &t);
    bool ok = !d->output || atomic_save_text(d->k->ctx, d->output, &t);
    d->text = d->output ? NULL : session_text(t.at);
    text_free(&t);
    return ok;
}

static bool is_format(Draw *d)
{
    if (!d->output || text_ends_with(d->output, ".svg") || text_ends_with(d->output, ".png") ||
        text_ends_with(d->output, ".pdf"))
        return true;
    diag(d->k->ctx, (Span){0}, DIAG_U008,
         "'%s' has no known format; use a name that ends with .svg, .png or .pdf", d->output);
    return false;
}

/* The messages before a class was drawn. */
typedef struct Reported {
    DiagMark mark;
    uint32_t failed;
} Reported;

static uint32_t count_failed(const Library *lib)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < lib->classes.n; i++)
        n += lib->classes.at[i]->state == CLASS_FAILED;
    return n;
}

/* Rules that were checked before the look count again. */
static void end_checks(Library *lib)
{
    if (!lib->looking)
        return;
    map_free(&lib->checks);
    lib->checks = lib->set_aside;
    lib->set_aside = (Map){0};
    lib->looking = false;
}

static Reported begin_look(Library *lib)
{
    end_checks(lib); /* of a look that ran out of memory */
    Reported t = {diag_mark(lib->ctx), count_failed(lib)};
    lib->set_aside = lib->checks;
    lib->checks = (Map){0};
    lib->looking = true;
    return t;
}

/* A class on its own need not be complete: a picture does not need values of parameters or inner
 * components. Discard the diagnostics, unless the class itself is wrong. */
static void end_look(Library *lib, Reported *t)
{
    end_checks(lib);
    if (count_failed(lib) > t->failed)
        return;
    diag_discard(lib->ctx, t->mark);
}

static Drawing *drawing_at(Kairos *k, const char *name, KairosLayer layer, const char *title,
                           DynamicValues *dynamic)
{
    Library *lib = k->library;
    const AstClass *ast = library_find_model(lib, name);
    Instance *root = ast ? instance_of_class(lib, ast) : NULL;
    if (!root)
        return NULL;
    Reported reported = begin_look(lib);
    Drawing *drawing =
        diagram_draw(lib, root, layer == KAIROS_ICON ? LAYER_ICON : LAYER_DIAGRAM, title, dynamic);
    end_look(lib, &reported);
    return drawing;
}

Drawing *session_drawing(Kairos *k, const char *name, KairosLayer layer)
{
    const char *dot = strrchr(name, '.');
    return drawing_at(k, name, layer, dot ? dot + 1 : name, NULL);
}

static void draw(void *arg)
{
    Draw *d = arg;
    d->status = KAIROS_USE_ERROR;
    if (!is_format(d))
        return;
    d->status = KAIROS_MODEL_ERROR;
    d->dynamic.arena = arena_new();
    Drawing *drawing = drawing_at(d->k, d->name, d->layer, NULL, &d->dynamic);
    if (!drawing)
        return;
    d->status = deliver(d, drawing) ? KAIROS_OK : KAIROS_USE_ERROR;
    drawing_free(drawing);
}

static int run(Draw *d)
{
    pthread_rwlock_wrlock(&d->k->models);
    int status = session_guard(d->k, draw, d, &d->status);
    pthread_rwlock_unlock(&d->k->models);
    vec_free(&d->dynamic.seen);
    arena_free(d->dynamic.arena);
    return status;
}

int session_draw(Kairos *k, const char *name, KairosLayer layer, char **svg)
{
    Draw d = {.k = k, .name = name, .layer = layer};
    int status = run(&d);
    *svg = d.text;
    return status;
}

char *kairos_draw_diagram(Kairos *k, const char *name, KairosLayer layer)
{
    char *svg;
    session_draw(k, name, layer, &svg);
    return svg;
}

char *kairos_draw_diagram_at(Kairos *k, const char *name, KairosLayer layer,
                             const char *const *variables, const char *const *values, unsigned n)
{
    Draw d = {.k = k, .name = name, .layer = layer, .dynamic = {variables, values, n}};
    run(&d);
    return d.text;
}

int kairos_save_diagram(Kairos *k, const char *name, KairosLayer layer, const char *output)
{
    Draw d = {.k = k, .name = name, .layer = layer, .output = output};
    return run(&d);
}
