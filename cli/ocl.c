/* OCL, the command language of Omsim: a script makes, sets and runs models, simulators and
 * plotters.
 *
 * A simulator is an instance of its model. `start` and `continue` advance it to the next time of
 * the model's event Stop, or to the stop time.
 * A plotter draws its variables for each piece of the run. At the end of the script it is written
 * to a file, because there is no screen. */
#include "ocl.h"

#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define ADD(list, n)                                                                               \
    ((list) = realloc((list), ((n) + 1) * sizeof *(list)), memset(&(list)[n], 0, sizeof *(list)),  \
     &(list)[(n)++])

/* ---- text ---- */

static void __attribute__((format(printf, 2, 3))) fail(Script *s, const char *format, ...)
{
    if (s->status)
        return;
    unsigned line = 1, column = 1;
    for (const char *c = s->text; c < s->at; c++)
        column = *c == '\n' ? (line++, 1u) : column + 1;
    fprintf(stderr, "%s:%u:%u: error: ", s->path, line, column);
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    s->status = KAIROS_MODEL_ERROR;
}

static void skip(Script *s)
{
    for (;; s->at++) {
        if (*s->at == '%')
            while (*s->at && *s->at != '\n')
                s->at++;
        if (!*s->at || !isspace((unsigned char)*s->at))
            return;
    }
}

static bool is_name_start(const Script *s)
{
    return isalpha((unsigned char)*s->at) || *s->at == '_';
}

static bool sees(Script *s, const char *text)
{
    skip(s);
    size_t n = strlen(text);
    bool word = isalpha((unsigned char)*text);
    return !strncasecmp(s->at, text, n) &&
           !(word && (isalnum((unsigned char)s->at[n]) || s->at[n] == '_'));
}

static bool take(Script *s, const char *text)
{
    bool here = !s->status && sees(s, text);
    if (here)
        s->at += strlen(text);
    return here;
}

static void want(Script *s, const char *text)
{
    if (take(s, text))
        return;
    int n = (int)strcspn(s->at, " \t\r\n");
    if (n)
        fail(s, "expected '%s', found '%.*s'", text, n < 20 ? n : 20, s->at);
    else
        fail(s, "expected '%s', found the end of the file", text);
}

static void read_name(Script *s, char name[NAME])
{
    skip(s);
    unsigned n = 0;
    if (!is_name_start(s))
        fail(s, "expected a name");
    while ((isalnum((unsigned char)*s->at) || *s->at == '_') && n + 1 < NAME)
        name[n++] = *s->at++;
    name[n] = 0;
}

static double read_sum(Script *s);

/* "[" sum { "," sum } "]", with the values of the sums; the new length of the path */
static size_t read_subscripts(Script *s, char path[NAME], size_t n)
{
    do {
        double x = read_sum(s);
        if (!s->status && x != floor(x))
            fail(s, "a subscript is an integer, not %.10g", x);
        s->at += strspn(s->at, " \t");
        int more = snprintf(path + n, NAME - n, "%.0f%c", x, *s->at == ',' ? ',' : ']');
        n = n + (size_t)more < NAME ? n + (size_t)more : NAME - 1;
    } while (take(s, ","));
    want(s, "]");
    return n;
}

/* name { "." name | "[" … "]" }, with values for subscripts */
static void read_path(Script *s, char path[NAME])
{
    read_name(s, path);
    size_t n = strlen(path);
    while (!s->status && (*s->at == '.' || *s->at == '[') && n + 1 < NAME) {
        bool subscripts = *s->at == '[';
        path[n++] = *s->at++;
        if (subscripts)
            n = read_subscripts(s, path, n);
        while (!subscripts && (isalnum((unsigned char)*s->at) || *s->at == '_') && n + 1 < NAME)
            path[n++] = *s->at++;
        path[n] = 0;
    }
}

/* A text in quotes. */
static void read_text(Script *s, char text[NAME])
{
    skip(s);
    const char *end = *s->at == '"' ? strchr(s->at + 1, '"') : NULL;
    if (!end || end - s->at >= NAME) {
        fail(s, end ? "this text is too long" : "expected a text in quotes");
        return;
    }
    memcpy(text, s->at + 1, (size_t)(end - s->at - 1));
    text[end - s->at - 1] = 0;
    s->at = end + 1;
}

/* ---- things ---- */

/* For structs whose first member is their name. */
static void *find(void *list, unsigned n, size_t size, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (!strcmp((char *)list + i * size, name))
            return (char *)list + i * size;
    return NULL;
}

static Model *find_model(Script *s, const char *name)
{
    return find(s->models, s->n_models, sizeof *s->models, name);
}

static Simulator *find_simulator(Script *s, const char *name)
{
    return find(s->simulators, s->n_simulators, sizeof *s->simulators, name);
}

static Plotter *find_plotter(Script *s, const char *name)
{
    return find(s->plotters, s->n_plotters, sizeof *s->plotters, name);
}

static Variable *find_variable(Script *s, const char *name)
{
    return find(s->variables, s->n_variables, sizeof *s->variables, name);
}

/* ---- expressions ---- */

static double read_condition(Script *s);
static double read_power(Script *s);

/* The column of a variable; a vector of one element is a scalar. */
static int column_of_value(const Rows *r, const char *name)
{
    char element[NAME];
    int column = column_of(r, name);
    if (column >= 0 || snprintf(element, NAME, "%s[2]", name) >= NAME || column_of(r, element) >= 0)
        return column;
    snprintf(element, NAME, "%s[1]", name);
    return column_of(r, element);
}

/* The simulator of this name, or of the model of this name; one that was started, if any was. */
static const Simulator *simulator_of(const Script *s, const char *name, size_t length)
{
    const Simulator *found = NULL;
    for (unsigned i = 0; i < s->n_simulators; i++) {
        const Simulator *sim = &s->simulators[i];
        const char *model = s->models[sim->model].name;
        bool same = (!strncmp(model, name, length) && !model[length]) ||
                    (!strncmp(sim->name, name, length) && !sim->name[length]);
        found = same && (!found || sim->started) ? sim : found;
    }
    return found;
}

static double stop_time(const Script *s, const Simulator *sim)
{
    double first, stop = sim->stop;
    if (isnan(stop))
        kairos_model_times(s->models[sim->model].model, &first, &stop);
    return stop;
}

/* The setting of a simulator; NULL if there is none of this name. */
static double *setting_of(Simulator *sim, const char *attribute)
{
    return !strcasecmp(attribute, "stoptime")     ? &sim->stop
           : !strcasecmp(attribute, "starttime")  ? &sim->start
           : !strcasecmp(attribute, "outputstep") ? &sim->step
                                                  : NULL;
}

/* Whether the path is a setting of a simulator, such as sim.stoptime; then its value. */
static bool setting_value(Script *s, const char *path, double *value)
{
    const char *dot = strchr(path, '.');
    char name[NAME];
    if (!dot || snprintf(name, NAME, "%.*s", (int)(dot - path), path) >= NAME)
        return false;
    Simulator *sim = find_simulator(s, name);
    const double *setting = sim ? setting_of(sim, dot + 1) : NULL;
    if (!setting)
        return false;
    *value = setting == &sim->stop ? stop_time(s, sim) : *setting;
    return true;
}

/* The value of a variable of a model, at the present time of its simulator. */
static double model_value(Script *s, const char *path)
{
    const char *dot = strchr(path, '.');
    size_t length = dot ? (size_t)(dot - path) : strlen(path);
    const Simulator *sim = dot ? simulator_of(s, path, length) : NULL;
    int column = sim && sim->started ? column_of_value(&sim->rows, dot + 1) : -1;
    if (column >= 0)
        return sim->rows.values[(size_t)sim->at * sim->rows.width + (unsigned)column];
    char element[NAME];
    if (!sim)
        fail(s, dot ? "no simulator has run '%.*s'" : "there is no variable '%.*s'", (int)length,
             path);
    else if (!sim->started)
        fail(s, "there is no value of '%s' before the run is started", path);
    else if (snprintf(element, NAME, "%s[1]", dot + 1) < NAME &&
             column_of(&sim->rows, element) >= 0)
        fail(s, "'%s' is a vector; name an element, as %s[1]", path, path);
    else
        fail(s, "there is no variable '%s' in model '%s'", dot + 1, s->models[sim->model].name);
    return 0;
}

/* Counts a level of what nests; each level ends with `leave`. */
static void enter(Script *s, const char *what)
{
    if (++s->depth > MAX_DEPTH)
        fail(s, "%s nest more than %d deep", what, MAX_DEPTH);
}

static void leave(Script *s)
{
    s->depth--;
}

static double read_operand(Script *s)
{
    skip(s);
    if (take(s, "(")) {
        double x = read_condition(s);
        want(s, ")");
        return x;
    }
    if (take(s, "-"))
        return -read_power(s);
    if (is_name_start(s)) {
        char path[NAME];
        read_path(s, path);
        Variable *v = find_variable(s, path);
        double setting;
        return v ? v->value : setting_value(s, path, &setting) ? setting : model_value(s, path);
    }
    char *end;
    double x = strtod(s->at, &end);
    if (end == s->at)
        fail(s, "expected a number");
    s->at = end;
    return x;
}

static double read_primary(Script *s)
{
    enter(s, "parentheses and signs");
    double x = read_operand(s);
    leave(s);
    return x;
}

static double read_power(Script *s)
{
    double x = read_primary(s);
    return take(s, "^") ? pow(x, read_primary(s)) : x;
}

static double read_product(Script *s)
{
    double x = read_power(s);
    for (bool times; (times = take(s, "*")) || take(s, "/");) {
        double y = read_power(s);
        x = times ? x * y : x / y;
    }
    return x;
}

static double read_sum(Script *s)
{
    double x = read_product(s);
    for (bool plus; (plus = take(s, "+")) || take(s, "-");) {
        double y = read_product(s);
        x = plus ? x + y : x - y;
    }
    return x;
}

/* A value, or a comparison: 1 if it holds, else 0. As in Omola, = compares. */
static double read_condition(Script *s)
{
    double x = read_sum(s);
    if (take(s, "<="))
        return x <= read_sum(s);
    if (take(s, ">="))
        return x >= read_sum(s);
    if (take(s, "<>"))
        return x != read_sum(s);
    if (take(s, "==") || take(s, "="))
        return x == read_sum(s);
    if (take(s, "<"))
        return x < read_sum(s);
    return take(s, ">") ? x > read_sum(s) : x;
}

/* ---- models ---- */

/* Lib::Class is Class of Lib.om beside the script or in a library folder, or the Modelica class
 * Lib.Class. */
static bool load_library(Script *s, const char *library)
{
    char path[1000];
    const char *slash = strrchr(s->path, '/');
    int n = slash ? (int)(slash - s->path) + 1 : 0;
    snprintf(path, sizeof path, "%.*s%s.om", n, s->path, library);
    for (unsigned i = 0; access(path, R_OK) && i < s->o->libraries.n; i++)
        snprintf(path, sizeof path, "%s/%s.om", s->o->libraries.at[i], library);
    if (access(path, R_OK))
        return false;
    if (kairos_load_file(s->k, path))
        s->status = KAIROS_MODEL_ERROR;
    return true;
}

static void add_setting(Model *m, const char *name, const char *value)
{
    KairosSetting *set = ADD(m->settings, m->n_settings);
    set->name = strdup(name);
    set->value = strdup(value);
}

static void declare_model(Script *s, const char *library)
{
    char class_name[NAME], name[NAME];
    read_name(s, class_name);
    read_name(s, name);
    bool omola = load_library(s, library);
    Model *m = ADD(s->models, s->n_models);
    snprintf(m->name, NAME, "%s", name);
    int n = omola ? snprintf(m->class_name, NAME, "%s", class_name)
                  : snprintf(m->class_name, NAME, "%s.%s", library, class_name);
    if (n >= NAME)
        fail(s, "the name of the class is too long");
    if (!s->status && !(m->model = kairos_compile_model(s->k, m->class_name, NULL)))
        s->status = KAIROS_MODEL_ERROR;
    char *text = m->model ? kairos_describe_model(m->model) : NULL;
    if (text && strstr(text, "\"Stop_ends\"")) /* a script continues after Stop */
        add_setting(m, "Stop_ends", "false");
    kairos_free_text(text);
}

/* Changes a value during a run, which uses it when it continues. */
static void change_run(Script *s, Simulator *sim, const char *variable, double value)
{
    Change c = {.value = value};
    char second[NAME + 16];
    snprintf(c.name, sizeof c.name, "%s", variable);
    if (kairos_find_variable(sim->instance, c.name) < 0) /* a vector of one element is a scalar */
        snprintf(c.name, sizeof c.name, "%s[1]", variable);
    snprintf(second, sizeof second, "%s[2]", variable);
    if (kairos_find_variable(sim->instance, second) >= 0)
        fail(s, "'%s' is a vector; give its values as [1; 2]", variable);
    else if (kairos_find_variable(sim->instance, c.name) < 0)
        fail(s, "there is no variable '%s' in model '%s'", variable, s->models[sim->model].name);
    else
        *ADD(sim->changes, sim->n_changes) = c;
}

/* Changes a value before the run: a start value or a parameter. */
static void set_start(Script *s, Model *m, const char *variable, double value)
{
    char name[NAME + 16], text[40];
    snprintf(name, sizeof name, "%s.start", variable);
    snprintf(text, sizeof text, "%.17g", value);
    add_setting(m, name, text);
    for (unsigned i = 0; i < s->n_simulators; i++)
        if (s->simulators[i].started && &s->models[s->simulators[i].model] == m)
            change_run(s, &s->simulators[i], variable, value);
}

/* m.q := 1;  m.x := [0.3; 0.826]; */
static void set_model(Script *s, Model *m, const char *variable)
{
    if (!take(s, "[")) {
        set_start(s, m, variable, read_sum(s));
        return;
    }
    unsigned i = 1;
    do {
        char element[NAME + 16];
        snprintf(element, sizeof element, "%s[%u]", variable, i++);
        set_start(s, m, element, read_sum(s));
    } while (take(s, ";") || take(s, ","));
    want(s, "]");
}

/* ---- simulators ---- */

static int keep_row(void *user, const KairosRow *row)
{
    Rows *r = user;
    if (!r->width) {
        r->width = row->n;
        r->names = malloc(row->n * sizeof *r->names);
        for (unsigned i = 0; i < row->n; i++)
            r->names[i] = strdup(row->names[i]);
    }
    if (r->n == r->cap) {
        r->cap = r->cap ? 2 * r->cap : 256;
        r->values = realloc(r->values, (size_t)r->cap * r->width * sizeof *r->values);
    }
    memcpy(r->values + (size_t)r->n++ * r->width, row->values, r->width * sizeof *row->values);
    return 0;
}

static void free_rows(Rows *r)
{
    for (unsigned i = 0; i < r->width; i++)
        free(r->names[i]);
    free(r->names);
    free(r->values);
    *r = (Rows){0};
}

/* Whether Stop has happened in the rows after this one. */
static bool stopped_after(const Simulator *sim, unsigned row)
{
    const Rows *r = &sim->rows;
    int stop = column_of(r, "Stop");
    const double *value = r->values + (stop < 0 ? 0 : stop);
    bool stopped = false;
    for (size_t i = row + 1; stop >= 0 && i < r->n; i++)
        stopped |= value[i * r->width] != value[(i - 1) * r->width];
    return stopped;
}

static void draw_piece(Script *s, const Simulator *sim)
{
    for (unsigned i = 0; i < s->n_plotters; i++) {
        Plotter *p = &s->plotters[i];
        if (p->model != sim->model)
            continue;
        Piece *piece = ADD(p->pieces, p->n_pieces);
        piece->run = sim->n_past;
        piece->from = sim->from;
        piece->to = sim->at;
        piece->n = p->n;
        memcpy(piece->x, p->x, sizeof p->x);
        memcpy(piece->y, p->y, sizeof p->y);
    }
}

static double time_at(const Simulator *sim, unsigned row)
{
    return sim->rows.values[(size_t)row * sim->rows.width];
}

/* Takes the status of a call, and the rows that it has computed. */
static bool move_on(Script *s, Simulator *sim, int status)
{
    sim->started = sim->rows.n > 0;
    sim->at = sim->started ? sim->rows.n - 1 : 0;
    if (status)
        s->status = status;
    return !s->status;
}

/* Values that were set take effect, in an event. */
static bool make_changes(Script *s, Simulator *sim)
{
    for (unsigned i = 0; i < sim->n_changes && !s->status; i++) {
        const Change *c = &sim->changes[i];
        int variable = kairos_find_variable(sim->instance, c->name);
        move_on(s, sim, kairos_set_values(sim->instance, &variable, 1, &c->value));
    }
    bool any = sim->n_changes;
    sim->n_changes = 0;
    double now = kairos_instance_time(sim->instance);
    return !s->status && (!any || move_on(s, sim, kairos_advance_instance(sim->instance, now, 0)));
}

/* To the next Stop after the row, or to the stop time. */
static void go_from(Script *s, Simulator *sim, unsigned row)
{
    double stop = stop_time(s, sim);
    while (!s->status && !stopped_after(sim, row) && time_at(sim, sim->at) < stop &&
           !kairos_instance_terminated(sim->instance)) {
        row = sim->at;
        move_on(s, sim, kairos_advance_instance(sim->instance, stop, 1));
    }
    if (sim->at > sim->from)
        draw_piece(s, sim);
}

static void go_on(Script *s, Simulator *sim)
{
    if (!sim->started) {
        fail(s, "'%s' has not been started", sim->name);
        return;
    }
    if (stop_time(s, sim) < time_at(sim, sim->at)) {
        fail(s, "'%s' is at time %.10g, after its stop time %.10g; use start for a new run",
             sim->name, time_at(sim, sim->at), stop_time(s, sim));
        return;
    }
    if (!make_changes(s, sim))
        return;
    sim->from = sim->at;
    go_from(s, sim, sim->at);
}

/* sim.save("run.mat"): the run so far, as a result file. */
static void save(Script *s, Simulator *sim)
{
    char path[NAME];
    want(s, "(");
    read_text(s, path);
    want(s, ")");
    if (!sim->started)
        fail(s, "'%s' has not been started", sim->name);
    if (s->status)
        return;
    int status =
        kairos_write_rows(s->models[sim->model].model, sim->rows.values, sim->rows.n, path);
    if (status)
        s->status = status;
}

static void start(Script *s, Simulator *sim)
{
    if (sim->rows.n) { /* plotters still show the run before */
        *ADD(sim->past, sim->n_past) = sim->rows;
        sim->rows = (Rows){0};
    }
    kairos_free_instance(sim->instance);
    const Model *m = &s->models[sim->model];
    double grid = sim->step > 0 ? sim->step : (stop_time(s, sim) - sim->start) / 500;
    KairosRun run = {.size = sizeof run,
                     .settings = m->settings,
                     .n_settings = m->n_settings,
                     .start_time = &sim->start,
                     .output_step = grid,
                     .tolerance = s->tolerance,
                     .on_row = keep_row,
                     .user = &sim->rows};
    sim->instance = kairos_create_instance(m->model, &run);
    sim->n_changes = sim->from = 0;
    int status = sim->instance ? kairos_initialize_instance(sim->instance) : KAIROS_USE_ERROR;
    if (move_on(s, sim, status))
        go_from(s, sim, 0);
}

/* ---- plotters ---- */

static void read_variables(Script *s, Plotter *p)
{
    p->n = 0;
    do
        if (p->n < MAX_NAMES)
            read_path(s, p->y[p->n++]);
        else
            fail(s, "a plotter draws at most %d variables", MAX_NAMES);
    while (take(s, ","));
}

static void read_range(Script *s, double range[2])
{
    range[0] = read_sum(s);
    want(s, ",");
    range[1] = read_sum(s);
}

static void skip_arguments(Script *s)
{
    if (!take(s, "("))
        return;
    for (int depth = 1; *s->at && depth; s->at++)
        depth += *s->at == '(' ? 1 : *s->at == ')' ? -1 : 0;
}

static void call_plotter(Script *s, Plotter *p, const char *method)
{
    if (!strcasecmp(method, "display")) {
        skip_arguments(s);
        return;
    }
    want(s, "(");
    if (!strcasecmp(method, "xrange"))
        read_range(s, p->x_range), p->has_x = true;
    else if (!strcasecmp(method, "yrange"))
        read_range(s, p->y_range), p->has_y = true;
    else if (!strcasecmp(method, "x"))
        read_path(s, p->x);
    else if (!strcasecmp(method, "y"))
        read_variables(s, p);
    else
        fail(s, "a plotter has no '%s'; it has display, x, y, xrange and yrange", method);
    want(s, ")");
}

/* ---- statements ---- */

static void run_block(Script *s);

static unsigned read_model_argument(Script *s)
{
    char name[NAME];
    want(s, "(");
    read_name(s, name);
    want(s, ")");
    Model *m = find_model(s, name);
    if (!m)
        fail(s, "there is no model '%s'", name);
    return m ? (unsigned)(m - s->models) : 0;
}

static void declare_simulator(Script *s)
{
    char name[NAME];
    read_name(s, name);
    unsigned model = read_model_argument(s);
    Simulator *sim = ADD(s->simulators, s->n_simulators);
    memcpy(sim->name, name, NAME);
    sim->model = model;
    sim->stop = NAN;
}

static void declare_plotter(Script *s)
{
    char name[NAME];
    read_name(s, name);
    unsigned model = read_model_argument(s);
    Plotter *p = ADD(s->plotters, s->n_plotters);
    memcpy(p->name, name, NAME);
    p->model = model;
}

static void set_simulator(Script *s, Simulator *sim, const char *attribute)
{
    double *target = setting_of(sim, attribute);
    double value = read_sum(s);
    if (target)
        *target = value;
    else
        fail(s, "a simulator has no '%s'; it has starttime, stoptime and outputstep", attribute);
}

static void call_simulator(Script *s, Simulator *sim, const char *method)
{
    if (!strcasecmp(method, "save")) {
        save(s, sim);
        return;
    }
    if (!strcasecmp(method, "start"))
        start(s, sim);
    else if (!strcasecmp(method, "continue"))
        go_on(s, sim);
    else if (strcasecmp(method, "display") && strcasecmp(method, "stop"))
        fail(s, "a simulator has no '%s'; it has start, continue, save, stop and display", method);
    skip_arguments(s);
}

#define MAX_ROUNDS 1e9

/* for v := [a : b] or [a : step : b] BEGIN … END */
static void run_for(Script *s)
{
    char name[NAME];
    double range[3];
    unsigned n = 0;
    read_name(s, name);
    want(s, ":=");
    want(s, "[");
    do
        range[n++] = read_sum(s);
    while (n < 3 && take(s, ":"));
    want(s, "]");
    if (n < 2)
        fail(s, "a loop runs over a range: [1:10] or [0:0.5:2]");
    double step = n == 3 ? range[1] : 1, last = range[n - 1];
    if (step == 0)
        fail(s, "the step of a range cannot be 0");
    else if (!((last - range[0]) / step < MAX_ROUNDS))
        fail(s, "this range has no end, or more than %g values", MAX_ROUNDS);
    if (!find_variable(s, name))
        snprintf(ADD(s->variables, s->n_variables)->name, NAME, "%s", name);
    const char *body = s->at;
    bool ran = false;
    for (double i = 0;
         !s->status && (range[0] + i * step - last) * (step > 0 ? 1 : -1) <= 1e-9 * fabs(step);
         i++) {
        s->at = body;
        find_variable(s, name)->value = range[0] + i * step;
        run_block(s);
        ran = true;
    }
    if (!ran && !s->status)
        fail(s, "the range of this loop is empty");
}

static void print_items(Script *s)
{
    want(s, "(");
    bool spaced = true; /* preceded by nothing, or by a text that ends with a space */
    do {
        skip(s);
        bool text = *s->at == '"';
        if (!spaced && !(text && isspace((unsigned char)s->at[1])))
            putchar(' ');
        spaced = false;
        if (text) {
            const char *end = strchr(s->at + 1, '"');
            if (!end) {
                fail(s, "this string is not closed");
                return;
            }
            printf("%.*s", (int)(end - s->at - 1), s->at + 1);
            spaced = end == s->at + 1 || isspace((unsigned char)end[-1]);
            s->at = end + 1;
        } else {
            double x = read_sum(s);
            if (!s->status)
                printf("%.10g", x);
        }
    } while (take(s, ",") && !s->status);
    want(s, ")");
    putchar('\n');
}

/* A statement that starts with a path: an assignment or a call. */
static void run_path(Script *s)
{
    char path[NAME];
    read_path(s, path);
    if (take(s, "::")) {
        declare_model(s, path);
        return;
    }
    char *dot = strchr(path, '.');
    if (dot)
        *dot++ = 0;
    bool assigns = take(s, ":=");
    Model *m = find_model(s, path);
    Simulator *sim = find_simulator(s, path);
    Plotter *p = find_plotter(s, path);
    if (!dot && assigns) {
        double value = read_sum(s);
        Variable *v = find_variable(s, path);
        v = v ? v : ADD(s->variables, s->n_variables);
        snprintf(v->name, NAME, "%s", path);
        v->value = value;
    } else if (dot && m && assigns) {
        set_model(s, m, dot);
    } else if (dot && sim) {
        (assigns ? set_simulator : call_simulator)(s, sim, dot);
    } else if (dot && p && !assigns) {
        call_plotter(s, p, dot);
    } else {
        fail(s, "there is no model, simulator or plotter '%s'", path);
    }
}

static void run_statement(Script *s)
{
    if (take(s, "Simulator"))
        declare_simulator(s);
    else if (take(s, "Plotter"))
        declare_plotter(s);
    else if (take(s, "for"))
        run_for(s);
    else if (take(s, "print") || take(s, "write"))
        print_items(s);
    else if (sees(s, "BEGIN"))
        run_block(s);
    else
        run_path(s);
    if (!take(s, ";") && !sees(s, "END") && !s->status)
        fail(s, "expected ';' at the end of the statement");
}

/* The text of the branch that is not taken. */
static void skip_block(Script *s)
{
    int depth = 0;
    do {
        skip(s);
        if (take(s, "BEGIN"))
            depth++;
        else if (take(s, "END"))
            depth--;
        else if (*s->at)
            for (bool word = is_name_start(s), first = true;
                 *s->at && (first || (word && (isalnum((unsigned char)*s->at) || *s->at == '_')));
                 first = false)
                s->at++;
        else
            fail(s, "a BEGIN has no END");
    } while (depth && !s->status);
}

static void run_if(Script *s)
{
    bool holds = read_condition(s) != 0;
    want(s, "THEN");
    (holds ? run_block : skip_block)(s);
    if (take(s, "ELSE"))
        (holds ? skip_block : run_block)(s);
    take(s, ";");
}

/* BEGIN { statement } END */
static void run_block(Script *s)
{
    enter(s, "blocks");
    want(s, "BEGIN");
    while (!s->status && !take(s, "END")) {
        if (!*s->at)
            fail(s, "a BEGIN has no END");
        else if (take(s, "IF"))
            run_if(s);
        else
            run_statement(s);
    }
    leave(s);
}

static void free_script(Script *s)
{
    for (unsigned i = 0; i < s->n_simulators; i++)
        kairos_free_instance(s->simulators[i].instance);
    for (unsigned i = 0; i < s->n_models; i++) {
        for (unsigned k = 0; k < s->models[i].n_settings; k++) {
            free((char *)(uintptr_t)s->models[i].settings[k].name);
            free((char *)(uintptr_t)s->models[i].settings[k].value);
        }
        free(s->models[i].settings);
        kairos_free_model(s->models[i].model);
    }
    for (unsigned i = 0; i < s->n_simulators; i++) {
        for (unsigned k = 0; k < s->simulators[i].n_past; k++)
            free_rows(&s->simulators[i].past[k]);
        free(s->simulators[i].past);
        free_rows(&s->simulators[i].rows);
        free(s->simulators[i].changes);
    }
    for (unsigned i = 0; i < s->n_plotters; i++)
        free(s->plotters[i].pieces);
    free(s->models);
    free(s->simulators);
    free(s->plotters);
    free(s->variables);
}

int run_script(const Options *o, double tolerance)
{
    if (o->arguments.n != 1) {
        fprintf(stderr, "kairos: run needs one script (.ocl)\n");
        return KAIROS_USE_ERROR;
    }
    Script s = {.o = o, .tolerance = tolerance, .path = o->arguments.at[0], .k = kairos_open()};
    Text text = {0};
    if (!text_read_file(&text, s.path, SIZE_MAX)) {
        fprintf(stderr, "kairos: cannot read '%s': %s\n", s.path, strerror(errno));
        text_free(&text);
        kairos_close(s.k);
        return KAIROS_USE_ERROR;
    }
    s.text = s.at = text.at;
    add_libraries(s.k, o);
    run_block(&s);
    take(&s, ";");
    skip(&s);
    if (*s.at)
        fail(&s, "expected the end of the script");
    if (!s.status)
        draw_plotters(&s);
    free_script(&s);
    text_free(&text);
    char *messages = kairos_render_messages(s.k, o->json ? KAIROS_JSON : KAIROS_TEXT);
    fputs(messages ? messages : "there is not enough memory\n", stderr);
    kairos_free_text(messages);
    kairos_close(s.k);
    return s.status;
}
