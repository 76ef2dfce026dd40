/* Results as files. Trajectories become CSV directly from memory. A child makes everything else
 * from the result file of the run, or from such a CSV. */
#include "hdf5_file.h"
#include "server.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- CSV ---- */

static void put_name(Text *t, const char *name)
{
    text_put_char(t, '"');
    for (; *name; name++)
        text_put(t, *name == '"' ? "\"\"" : (char[]){*name, 0});
    text_put_char(t, '"');
}

typedef VEC(const Column *) ColumnList;

/* Time and the variables that vary, or the requested ones. To be freed. */
static ColumnList exported(const Run *run, char *const *names, uint32_t n)
{
    ColumnList columns = {0};
    for (uint32_t i = 0; run->columns && !n && i < run->columns->list.n; i++)
        if (!run->columns->list.at[i].constant)
            vec_push(&columns, &run->columns->list.at[i]);
    if (n && run->columns)
        vec_push(&columns, &run->columns->list.at[0]);
    for (uint32_t i = 0; run->columns && i < n; i++) {
        const Column *c = columns_find(run->columns, names[i]);
        if (c && c != columns.at[0])
            vec_push(&columns, c);
    }
    return columns;
}

/* As `kairos simulate` writes it. */
static void put_csv(Text *t, const Run *run, char *const *names, uint32_t n)
{
    ColumnList columns = exported(run, names, n);
    for (uint32_t i = 0; i < columns.n; i++) {
        text_put(t, i ? "," : "");
        if (strpbrk(columns.at[i]->name, ",\""))
            put_name(t, columns.at[i]->name);
        else
            text_put(t, columns.at[i]->name);
    }
    text_put(t, "\r\n");
    for (size_t row = 0; columns.n && row < run->n_rows; row++)
        for (uint32_t i = 0; i < columns.n; i++) {
            text_put_real(t, run_value(run, columns.at[i], row));
            text_put(t, i + 1 < columns.n ? "," : "\r\n");
        }
    vec_free(&columns);
}

/* ---- HDF5: a dataset for each variable, and a group of the values that do not vary ---- */

static void put_dataset(Hdf5File *f, Hdf5Id at, const Run *run, const Column *c, double *values)
{
    size_t n = c->constant ? 1 : run->n_rows;
    for (size_t row = 0; row < n; row++)
        values[row] = run_value(run, c, row);
    Hdf5Id set = hdf5_dataset(f, at, c->name, HDF5_DOUBLE, n);
    hdf5_write_all(f, set, HDF5_DOUBLE, values);
    if (c->unit)
        hdf5_attribute(f, set, "unit", c->unit);
    if (c->description)
        hdf5_attribute(f, set, "description", c->description);
    hdf5_end_dataset(f, set);
}

static bool write_hdf5(const Run *run, const char *path, char *const *names, uint32_t n)
{
    ColumnList columns = exported(run, names, n);
    double *values = calloc(run->n_rows + 1, sizeof *values);
    Hdf5File f;
    if (hdf5_begin(&f, path) && values) {
        hdf5_attribute(&f, f.file, "model", run->name);
        hdf5_attribute(&f, f.file, "kairos", kairos_version());
        for (uint32_t i = 0; i < columns.n && f.ok; i++)
            put_dataset(&f, f.file, run, columns.at[i], values);
        Hdf5Id group = hdf5_group(&f, "constants");
        for (uint32_t i = 0; !n && run->columns && i < run->columns->list.n && f.ok; i++)
            if (run->columns->list.at[i].constant)
                put_dataset(&f, group, run, &run->columns->list.at[i], values);
        hdf5_end_group(&f, group);
    }
    bool ok = hdf5_end(&f) && values;
    free(values);
    vec_free(&columns);
    return ok;
}

static void send_hdf5(Studio *s, Request *r, const Run *run, char *const *names, uint32_t n)
{
    const char *why = hdf5_missing();
    char *path = NULL;
    Text t = {0};
    if (why)
        request_error(r, 501, "HDF5 cannot be written: %s", why);
    else if (asprintf(&path, "%s/export-%u.h5", s->scratch, run->id) < 0 ||
             !write_hdf5(run, path, names, n) || !text_read_file(&t, path, SIZE_MAX))
        request_error(r, 500, "the file cannot be written; is there room in '%s'?", s->scratch);
    else
        request_answer(r, 200, "application/x-hdf5", &t);
    if (path)
        unlink(path);
    free(path);
    text_free(&t);
}

/* ---- results for children ---- */

/* The file with the run: its own, or one that is written now. To be freed; NULL with errno. */
char *run_result_file(Studio *s, Run *run)
{
    if (run->result && !access(run->result, R_OK))
        return strdup(run->result);
    char *path = NULL;
    if (asprintf(&path, "%s/run-%u.csv", s->scratch, run->id) < 0)
        return NULL;
    Text t = {0};
    put_csv(&t, run, NULL, 0);
    FILE *f = fopen(path, "wb");
    bool ok = f && fwrite(t.at, 1, t.n, f) == t.n;
    ok = f && !fclose(f) && ok;
    text_free(&t);
    if (!ok) {
        free(path);
        return NULL;
    }
    return path;
}

static void add_names(cJSON *o, const char *name, char **names, uint32_t n)
{
    cJSON *list = cJSON_AddArrayToObject(o, name);
    for (uint32_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(names[i]));
}

/* Further runs, "4,7", to be drawn over the first. */
static void add_overlay(Studio *s, Request *r, cJSON *o)
{
    const char *text = request_arg(r, "overlay");
    cJSON *list = cJSON_AddArrayToObject(o, "others");
    for (char *end; text && *text; text = *end ? end + 1 : end) {
        Run *run = run_find(s, (unsigned)strtoul(text, &end, 10));
        char *path = run && run->n_rows ? run_result_file(s, run) : NULL;
        if (path)
            cJSON_AddItemToArray(list, cJSON_CreateString(path));
        free(path);
    }
}

static void draw(Studio *s, Request *r, Run *run, const char *format, char **names, uint32_t n)
{
    char *result = run_result_file(s, run), *output = NULL;
    if (!result || asprintf(&output, "%s/export-%u.%s", s->scratch, run->id, format) < 0) {
        request_error(r, 500, "the picture cannot be made: %s", strerror(errno));
        free(result);
        return;
    }
    cJSON *o = cJSON_CreateObject();
    const char *x = request_arg(r, "x");
    cJSON_AddStringToObject(o, "job", "draw");
    cJSON_AddStringToObject(o, "result", result);
    cJSON_AddStringToObject(o, "output", output);
    cJSON_AddStringToObject(o, "title", run->name);
    add_names(o, "names", names, n);
    add_overlay(s, r, o);
    if (x && *x)
        cJSON_AddStringToObject(o, "x", x);
    if (request_arg(r, "from") && request_arg(r, "to")) {
        cJSON_AddNumberToObject(o, "from", strtod(request_arg(r, "from"), NULL));
        cJSON_AddNumberToObject(o, "to", strtod(request_arg(r, "to"), NULL));
    }
    Text t = {0};
    json_put_cjson(&t, o);
    cJSON_Delete(o);
    free(result);
    free(output);
    job_for(s, r, &t, "the picture", 60);
}

/* ---- the call ---- */

static void send_mat(Request *r, const Run *run)
{
    Text t = {0};
    if (run->result && text_read_file(&t, run->result, SIZE_MAX))
        request_answer(r, 200, "application/octet-stream", &t);
    else
        request_error(r, 409,
                      run->keep ? "there is no MAT file: the run did not finish"
                                : "there is no MAT file of a run of a slider: press Run to keep "
                                  "it, or export CSV or HDF5");
    text_free(&t);
}

void runs_export(Studio *s, Request *r)
{
    const char *format = request_arg(r, "format"), *pictures[] = {"svg", "png", "pdf"};
    Run *run = run_meant(s, r, "run");
    if (!run)
        return;
    char **names, file[300];
    uint32_t n = split_names(request_arg(r, "names"), &names);
    bool picture = false;
    for (size_t i = 0; i < 3; i++)
        picture |= format && !strcmp(format, pictures[i]);
    bool plain =
        format && (!strcmp(format, "csv") || !strcmp(format, "mat") || !strcmp(format, "h5"));
    if (plain || picture) {
        snprintf(file, sizeof file, "%.200s-%u.%s", run->name, run->id, format);
        request_download(r, file);
    }
    if (!plain && !picture) {
        request_error(r, 400, "a result can be exported as csv, mat, h5, svg, png or pdf");
    } else if (!run->n_rows) {
        request_error(r, 409, "the run has no rows yet");
    } else if (picture) {
        draw(s, r, run, format, names, n);
    } else if (!strcmp(format, "h5")) {
        send_hdf5(s, r, run, names, n);
    } else if (!strcmp(format, "mat")) {
        send_mat(r, run);
    } else {
        Text t = {0};
        put_csv(&t, run, names, n);
        request_answer(r, 200, "text/csv; charset=utf-8", &t);
    }
    free_names(names, n);
}
