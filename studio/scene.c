/* The animation of a run: the shapes, vectors and surfaces that its model declares, and the rows
 * that move them.
 *
 * Each quantity of a visual is a list of numbers. A number that varies is the text "c12": column 12
 * of the frames. Column 0 is the time. */
#include "server.h"

#include <math.h>
#include <stdlib.h>

enum { FRAMES_MOST = 20000 };

/* ---- what is drawn ---- */

typedef struct Quantity {
    const char *name;
    unsigned rows, columns; /* 0: no such dimension */
} Quantity;

static const Quantity of_shape[] = {{"R.T", 3, 3},
                                    {"r", 3, 0},
                                    {"r_shape", 3, 0},
                                    {"lengthDirection", 3, 0},
                                    {"widthDirection", 3, 0},
                                    {"length", 0, 0},
                                    {"width", 0, 0},
                                    {"height", 0, 0},
                                    {"extra", 0, 0},
                                    {"color", 3, 0},
                                    {"specularCoefficient", 0, 0},
                                    {0}},
                      of_vector[] = {{"R.T", 3, 3},
                                     {"r", 3, 0},
                                     {"coordinates", 3, 0},
                                     {"color", 3, 0},
                                     {"specularCoefficient", 0, 0},
                                     {"quantity", 0, 0},
                                     {"headAtOrigin", 0, 0},
                                     {"twoHeadedArrow", 0, 0},
                                     {0}},
                      of_surface[] = {{"R.T", 3, 3},
                                      {"r_0", 3, 0},
                                      {"color", 3, 0},
                                      {"specularCoefficient", 0, 0},
                                      {"transparency", 0, 0},
                                      {"wireframe", 0, 0},
                                      {0}};

static const Quantity *quantities_of(const char *kind)
{
    return !strcmp(kind, "vector") ? of_vector : !strcmp(kind, "surface") ? of_surface : of_shape;
}

typedef struct Scene {
    const Run *run;
    uint32_t next;               /* a good place to look for the next column */
    VEC(const Column *) varying; /* columns of the frames after the time */
    Text *text;                  /* the description; NULL: only the columns are asked for */
} Scene;

/* Columns are in the order of declaration, as visuals are: so a search ends soon. */
static const Column *find(Scene *s, const char *name)
{
    const Columns *c = s->run->columns;
    for (uint32_t i = 0; i < c->list.n; i++) {
        uint32_t k = (s->next + i) % c->list.n;
        if (!strcmp(c->list.at[k].name, name)) {
            s->next = k + 1;
            return &c->list.at[k];
        }
    }
    return NULL;
}

static void put_value(Scene *s, const char *name, bool first)
{
    const Column *c = find(s, name);
    if (c && !c->constant)
        vec_push(&s->varying, c);
    if (!s->text)
        return;
    text_put(s->text, first ? "" : ",");
    if (!c)
        text_put(s->text, "null");
    else if (c->constant)
        json_put_number(s->text, s->run->constants[c->at]);
    else
        text_printf(s->text, "\"c%u\"", s->varying.n);
}

static void put_quantity(Scene *s, const char *visual, const Quantity *q)
{
    Text name = {0};
    unsigned rows = q->rows ? q->rows : 1, columns = q->columns ? q->columns : 1;
    if (s->text)
        text_printf(s->text, ",\"%s\":[", q->name);
    for (unsigned i = 0; i < rows * columns; i++) {
        name.n = 0;
        text_printf(&name, "%s.%s", visual, q->name);
        if (q->columns)
            text_printf(&name, "[%u,%u]", i / columns + 1, i % columns + 1);
        else if (q->rows)
            text_printf(&name, "[%u]", i + 1);
        put_value(s, name.at, i == 0);
    }
    if (s->text)
        text_put(s->text, "]");
    text_free(&name);
}

/* ---- surfaces: their points are computed by the child that has the model ---- */

/* The column that a surface reads; NULL if the variable has none. */
static const Column *column_read(const Run *run, const cJSON *index)
{
    double at = cJSON_IsNumber(index) ? index->valuedouble + 1 : 0; /* the time is the first */
    return at >= 1 && at < run->columns->list.n ? &run->columns->list.at[(uint32_t)at] : NULL;
}

static bool varies(const Run *run, const cJSON *reads)
{
    const cJSON *index;
    cJSON_ArrayForEach(index, reads)
    {
        const Column *c = column_read(run, index);
        if (c && !c->constant)
            return true;
    }
    return false;
}

static void put_visual(Scene *s, const cJSON *visual, bool first)
{
    const char *name = json_text(visual, "name"), *kind = json_text(visual, "kind");
    if (!name || !kind)
        return;
    if (s->text) {
        text_put(s->text, first ? "{\"name\":" : ",{\"name\":");
        text_put_json(s->text, name);
        text_put(s->text, ",\"kind\":");
        text_put_json(s->text, kind);
        text_put(s->text, ",\"shape\":");
        json_put_text(s->text, json_text(visual, "shape"));
    }
    for (const Quantity *q = quantities_of(kind); q->name; q++)
        put_quantity(s, name, q);
    if (s->text && json_part(visual, "reads"))
        text_printf(s->text, ",\"points\":\"%s\"",
                    varies(s->run, json_part(visual, "reads")) ? "varying" : "fixed");
    if (s->text)
        text_put(s->text, "}");
}

static void put_visuals(Scene *s)
{
    const cJSON *row, *list = s->run->columns ? s->run->columns->visuals : NULL;
    bool first = true;
    if (s->run->constants || !s->run->columns || !s->run->columns->n_constants)
        cJSON_ArrayForEach(row, list)
        {
            put_visual(s, row, first);
            first = false;
        }
}

void runs_scene(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    Text t = {0};
    if (!run)
        return;
    Scene scene = {.run = run, .text = &t};
    text_printf(&t, "{\"run\":%u,\"known\":%s,\"visuals\":[", run->id,
                run->columns ? "true" : "false");
    put_visuals(&scene);
    text_printf(&t, "],\"columns\":%u}", scene.varying.n + 1);
    vec_free(&scene.varying);
    request_json(r, 200, &t);
}

/* ---- how it moves ---- */

static double time_of(const Run *run, size_t row)
{
    return run_value(run, &run->columns->list.at[0], row);
}

static void put_double(Text *t, double x)
{
    text_put_n(t, (const char *)&x, sizeof x);
}

static void put_frame(Text *t, const Scene *s, size_t row)
{
    put_double(t, time_of(s->run, row));
    for (uint32_t i = 0; i < s->varying.n; i++)
        put_double(t, run_value(s->run, s->varying.at[i], row));
}

/* At most about `points` rows of [first, end) at equal distances of time, the last one always. */
static size_t put_frames(Text *t, const Scene *s, size_t first, size_t end, double points)
{
    const Run *run = s->run;
    if (first >= end)
        return 0;
    double step = (double)(end - first) <= points
                      ? 0
                      : (time_of(run, end - 1) - time_of(run, first)) / points;
    double due = -INFINITY;
    size_t n = 0;
    for (size_t i = first; i < end; i++) {
        if (time_of(run, i) < due && i + 1 < end)
            continue;
        due = step > 0 ? time_of(run, i) + step : due;
        put_frame(t, s, i);
        n++;
    }
    return n;
}

/* Little-endian doubles: number of frames, of columns, rows of the run so far; then the frames.
 * `first`: rows before this one are known already; `at`: only the two rows around this time. */
void runs_frames(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    Scene scene = {.run = run};
    Text frames = {0}, t = {0};
    double at = arg_number(r, "at", (double)NAN), from = arg_number(r, "first", 0);
    double points = fmin(fmax(arg_number(r, "points", 3000), 2), FRAMES_MOST);
    size_t first = from > 0 ? (size_t)fmin(from, (double)run->n_rows) : 0, end = run->n_rows;
    size_t n = 0;
    put_visuals(&scene);
    if (run->columns && run->n_rows) {
        while (!isnan(at) && first + 2 < end && time_of(run, first + 1) <= at)
            first++;
        end = !isnan(at) && end > first + 2 ? first + 2 : end;
        n = put_frames(&frames, &scene, first, end, points);
    }
    put_double(&t, (double)n);
    put_double(&t, (double)(scene.varying.n + 1));
    put_double(&t, (double)run->n_rows);
    text_put_n(&t, frames.at ? frames.at : "", frames.n);
    text_free(&frames);
    vec_free(&scene.varying);
    request_answer(r, 200, "application/octet-stream", &t);
}

/* ---- points of surfaces ---- */

static cJSON *values_read(const Run *run, const cJSON *reads, size_t row)
{
    cJSON *list = cJSON_CreateArray();
    const cJSON *index;
    cJSON_ArrayForEach(index, reads)
    {
        const Column *c = column_read(run, index);
        double x = c ? run_value(run, c, row) : (double)NAN;
        cJSON_AddItemToArray(list, isfinite(x) ? cJSON_CreateNumber(x) : cJSON_CreateNull());
    }
    return list;
}

/* The last row at or before a time. */
static size_t row_before(const Run *run, double time)
{
    size_t low = 0, high = run->n_rows;
    while (low + 1 < high) {
        size_t middle = low + (high - low) / 2;
        if (time_of(run, middle) <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* {"time", "surfaces": [{"name", "nu", "nv", "x", "y", "z", "c"}]}, at the last row at or before
 * `at`; with `all`, also the surfaces whose points do not vary. */
void runs_surfaces(Studio *s, Request *r)
{
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    Model *m = model_find(s, run->model);
    if (!m || m->waiting) {
        request_error(r, 410, "surfaces need the model of the run, which is gone; run it again");
        return;
    }
    if (!run->columns || !run->n_rows || (run->columns->n_constants && !run->constants)) {
        request_error(r, 409, "the run has no rows yet");
        return;
    }
    size_t row = row_before(run, arg_number(r, "at", 0));
    cJSON *o = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(o, "surfaces");
    const cJSON *visual;
    cJSON_AddNumberToObject(o, "time", time_of(run, row));
    cJSON_ArrayForEach(visual, run->columns->visuals)
    {
        const cJSON *reads = json_part(visual, "reads");
        if (!reads || !(request_arg(r, "all") || varies(run, reads)))
            continue;
        cJSON *one = cJSON_CreateObject();
        cJSON_AddStringToObject(one, "name", json_text(visual, "name"));
        cJSON_AddItemToObject(one, "values", values_read(run, reads, row));
        cJSON_AddItemToArray(list, one);
    }
    char *question = cJSON_PrintUnformatted(o);
    cJSON_Delete(o);
    model_ask(m, r, question);
    free(question);
}
