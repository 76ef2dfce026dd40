#include "api/drive.h"

#include "base/text.h"
#include "foreign/wrapper/wrapper.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- inputs of the model ---- */

typedef struct Input {
    const char *name;
    uint32_t var;
    int64_t n;           /* elements */
    const char *whole;   /* expression for all of it, or NULL */
    const char **values; /* by element: expression, or NULL */
} Input;

typedef VEC(Input) Inputs;

typedef struct Drive {
    Context *ctx;
    const Flat *flat;
    Arena *arena;
    Inputs inputs;
    Text parts; /* declarations in front of the model */
    Text body;  /* components of the model */
    unsigned n_tables;
    bool probes;
} Drive;

static void find_inputs(Drive *d)
{
    for (uint32_t i = 0; i < d->flat->vars.n; i++) {
        if (!d->flat->vars.at[i].top_input)
            continue;
        Input x = {.name = flat_var_name(d->flat, i, d->arena), .var = i};
        x.n = type_count(d->flat->g->types, d->flat->vars.at[i].type);
        x.values = ARENA_ARRAY(d->arena, const char *, x.n > 0 ? (size_t)x.n : 1);
        vec_push(&d->inputs, x);
    }
}

static TypeKind kind_of(const Drive *d, const Input *x)
{
    const Types *types = d->flat->g->types;
    return type_get(types, type_element(types, d->flat->vars.at[x->var].type))->kind;
}

static void report_unknown(Drive *d, const char *name, const char *file)
{
    const char *near = NULL;
    unsigned nearest = 4;
    for (uint32_t i = 0; i < d->inputs.n; i++) {
        unsigned distance = name_distance(name, d->inputs.at[i].name, nearest);
        if (distance < nearest)
            nearest = distance, near = d->inputs.at[i].name;
    }
    if (file)
        diag(d->ctx, (Span){0}, DIAG_U015, "%s: model %s has no input '%s'", file, d->flat->name,
             name);
    else
        diag(d->ctx, (Span){0}, DIAG_U015, "model %s has no input '%s'", d->flat->name, name);
    if (near)
        diag_note(d->ctx, (Span){0}, "did you mean '%s'?", near);
    else if (!d->inputs.n)
        diag_note(d->ctx, (Span){0}, "it has no inputs at its top level");
}

/* The place for the expression of `name`, which is an input or an element of a vector; NULL if
 * there is none. */
static const char **find_place(Drive *d, const char *name, Input **of)
{
    for (uint32_t i = 0; i < d->inputs.n; i++) {
        Input *x = &d->inputs.at[i];
        size_t n = strlen(x->name);
        bool vector = type_rank(d->flat->g->types, d->flat->vars.at[x->var].type) == 1;
        *of = x;
        if (!strcmp(x->name, name))
            return &x->whole;
        if (!vector || strncmp(x->name, name, n) != 0 || name[n] != '[')
            continue;
        char *end;
        long k = strtol(name + n + 1, &end, 10);
        if (!strcmp(end, "]") && k >= 1 && k <= x->n)
            return &x->values[k - 1];
    }
    return NULL;
}

/* The same; reports an unknown name. */
static const char **place_of(Drive *d, const char *name, const char *file, Input **of)
{
    const char **place = find_place(d, name, of);
    if (!place)
        report_unknown(d, name, file);
    return place;
}

bool drive_has_input(const Flat *flat, const char *name)
{
    Drive d = {.flat = flat, .arena = arena_new()};
    Input *of;
    find_inputs(&d);
    bool found = find_place(&d, name, &of);
    vec_free(&d.inputs);
    arena_free(d.arena);
    return found;
}

static bool give(Drive *d, const char **place, const char *name, const char *value)
{
    if (*place)
        diag(d->ctx, (Span){0}, DIAG_U015, "input '%s' is driven twice", name);
    bool free = !*place;
    *place = value;
    return free;
}

/* ---- files ---- */

typedef struct Table {
    Drive *d;
    const char *path;
    char *at; /* in the text */
    unsigned line;
    VEC(const char *) names; /* of the columns but time */
    unsigned time;           /* column of the time */
    unsigned n;              /* columns */
    VEC(double) values;      /* row by row, time first */
    uint32_t rows;
} Table;

/* The next cell of the line, without its quotes; *last: nothing follows in the line. */
static char *next_cell(Table *t, bool *last)
{
    char *to = t->at, *cell = to;
    bool quoted = *t->at == '"';
    t->at += quoted;
    while (*t->at && (quoted ? *t->at != '"' || t->at[1] == '"'
                             : *t->at != ',' && *t->at != '\n' && *t->at != '\r')) {
        t->at += quoted && *t->at == '"';
        *to++ = *t->at++;
    }
    t->at += quoted && *t->at == '"';
    t->at += *t->at == '\r';
    *last = *t->at != ',';
    t->at += *t->at == ',' || *t->at == '\n';
    *to = 0;
    return cell;
}

static bool bad_table(const Table *t, const char *what)
{
    diag(t->d->ctx, (Span){0}, DIAG_U016, "%s:%u: %s", t->path, t->line, what);
    return false;
}

static bool read_header(Table *t)
{
    bool last = false, has_time = false;
    t->line = 1;
    for (unsigned i = 0; !last; i++) {
        char *name = next_cell(t, &last);
        if (!strcmp(name, "time")) {
            has_time = true;
            t->time = i;
        } else {
            vec_push(&t->names, name);
        }
        t->n++;
    }
    return has_time || bad_table(t, "the first line names no column 'time'");
}

static bool read_number(const Table *t, const char *cell, double *value)
{
    if (!strcmp(cell, "true") || !strcmp(cell, "false")) {
        *value = *cell == 't';
        return true;
    }
    char *end;
    *value = strtod(cell, &end);
    while (isspace((unsigned char)*end))
        end++;
    if (end != cell && !*end && isfinite(*value))
        return true;
    return bad_table(t, arena_printf(t->d->arena, "'%s' is not a number", cell));
}

static bool read_row(Table *t)
{
    bool last = false;
    size_t at = t->values.n;
    for (unsigned i = 0; i < t->n; i++)
        vec_push(&t->values, 0.0);
    unsigned k = 1, i = 0;
    for (; !last; i++) {
        double value;
        char *cell = next_cell(t, &last);
        if (i < t->n && !read_number(t, cell, &value))
            return false;
        if (i < t->n)
            t->values.at[at + (i == t->time ? 0 : k++)] = value;
    }
    if (i != t->n)
        return bad_table(t, arena_printf(t->d->arena, "%u values for %u columns", i, t->n));
    if (t->rows && t->values.at[at] < t->values.at[at - t->n])
        return bad_table(t, arena_printf(t->d->arena, "the time goes back from %.10g to %.10g",
                                         t->values.at[at - t->n], t->values.at[at]));
    t->rows++;
    return true;
}

/* If more than two rows have the same time, only the first and the last count. */
static void drop_middle_rows(Table *t)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        const double *row = t->values.at + (size_t)i * t->n;
        bool middle =
            kept > 0 && i + 1 < t->rows && row[-(ptrdiff_t)t->n] == row[0] && row[t->n] == row[0];
        if (!middle)
            memmove(t->values.at + (size_t)kept++ * t->n, row, t->n * sizeof *row);
    }
    t->rows = kept;
}

static bool read_rows(Table *t)
{
    if (!read_header(t))
        return false;
    while (*t->at) {
        t->line++;
        if (*t->at == '\n' || *t->at == '\r') { /* an empty line */
            t->at += *t->at == '\r' && t->at[1] == '\n' ? 2 : 1;
            continue;
        }
        if (!read_row(t))
            return false;
    }
    if (!t->rows)
        return bad_table(t, "there are no rows of values");
    drop_middle_rows(t);
    return true;
}

/* Of the component with a table; messages show it as "--input FILE" (sim/message/describe.c). */
static const char *component_name(const Table *t, unsigned number)
{
    char *name = arena_printf(t->d->arena, "'--input%u %s'", number, t->path);
    for (char *c = strchr(name, ' '); c[1]; c++)
        if (*c < ' ' || *c > '~' || *c == '\'' || *c == '\\')
            *c = '_';
    return name;
}

/* A function with the table, which finds the segment that starts at a time, and a component that
 * calls it at each of its times. */
static void write_table(Table *t, const bool *steps)
{
    Text *p = &t->d->parts;
    unsigned number = ++t->d->n_tables, m = t->n - 1;
    text_printf(p, "function find%u\n  input Integer from;\n  input Real at;\n", number);
    text_printf(p, "  output Integer k;\n  output Real next;\n  output Real origin;\n");
    text_printf(p, "  output Real value[%u];\n  output Real slope[%u];\nprotected\n", m, m);
    text_printf(p, "  constant Boolean steps[%u] = {", m);
    for (unsigned k = 0; k < m; k++)
        text_printf(p, "%s%s", k ? ", " : "", steps[k] ? "true" : "false");
    text_printf(p, "};\n  constant Real rows[%u, %u] = {", t->rows, t->n);
    for (uint32_t i = 0; i < t->rows; i++)
        for (unsigned k = 0; k < t->n; k++)
            text_printf(p, "%s%.17g%s",
                        k   ? ", "
                        : i ? ",\n    {"
                            : "{",
                        t->values.at[(size_t)i * t->n + k], k + 1 == t->n ? "}" : "");
    text_printf(
        p,
        "};\nalgorithm\n  k := from;\n"
        "  while (if k < %u then rows[k + 1, 1] <= at else false) loop\n"
        "    k := k + 1;\n  end while;\n"
        "  origin := rows[k, 1];\n"
        "  next := if at < origin then origin elseif k < %u then rows[k + 1, 1] else 1e60;\n"
        "  for j in 1:%u loop\n    value[j] := rows[k, j + 1];\n"
        "    slope[j] := if steps[j] or at < origin or k >= %u then 0 else\n"
        "      (rows[k + 1, j + 1] - rows[k, j + 1])/(rows[k + 1, 1] - origin);\n"
        "  end for;\nend find%u;\n",
        t->rows, t->rows, m, t->rows, number);
    text_printf(p,
                "model Table%u\n  Integer k(start = 1, fixed = true);\n"
                "  Real next(start = -1e60, fixed = true), origin, value[%u], slope[%u];\n"
                "equation\n  when {initial(), time >= pre(next)} then\n"
                "    (k, next, origin, value, slope) = find%u(pre(k), time);\n"
                "  end when;\nend Table%u;\n",
                number, m, m, number, number);
    text_printf(&t->d->body, "  protected Table%u %s annotation(HideResult = true);\n", number,
                component_name(t, number));
}

static bool bind_columns(Table *t, bool *steps)
{
    Drive *d = t->d;
    bool ok = true;
    for (uint32_t k = 0; k < t->names.n; k++) {
        Input *x = NULL;
        const char **place = place_of(d, t->names.at[k], t->path, &x);
        if (!place)
            return false;
        TypeKind kind = kind_of(d, x);
        if (kind != TYPE_REAL && kind != TYPE_INT && kind != TYPE_BOOL) {
            diag(d->ctx, (Span){0}, DIAG_U015,
                 "%s: input '%s' is not a number; drive it by an expression", t->path, x->name);
            return false;
        }
        if (place == &x->whole && x->n != 1) {
            diag(d->ctx, (Span){0}, DIAG_U015,
                 "%s: input '%s' is an array; give its elements columns of their own ('%s[1]')",
                 t->path, x->name, x->name);
            return false;
        }
        const char *table = component_name(t, d->n_tables + 1);
        bool linear =
            kind == TYPE_REAL && d->flat->vars.at[x->var].variability == VARIES_CONTINUOUS;
        steps[k] = !linear;
        const char *value = arena_printf(d->arena, "%s.value[%u]", table, k + 1);
        if (linear)
            value = arena_printf(d->arena, "%s + %s.slope[%u]*(time - %s.origin)", value, table,
                                 k + 1, table);
        else if (kind != TYPE_REAL)
            value = arena_printf(d->arena, kind == TYPE_INT ? "integer(%s)" : "%s > 0.5", value);
        ok &= give(d, place, t->names.at[k], value);
    }
    return ok;
}

static bool drive_by_rows(Table *t)
{
    bool *steps = ARENA_ARRAY(t->d->arena, bool, t->names.n + 1);
    bool ok = bind_columns(t, steps);
    if (ok && t->names.n)
        write_table(t, steps);
    return ok;
}

static bool drive_by_file(Drive *d, const char *path)
{
    Text text = {0};
    if (!text_read_file(&text, path, SIZE_MAX)) {
        diag(d->ctx, (Span){0}, DIAG_U001, "cannot read '%s': %s", path, strerror(errno));
        text_free(&text);
        return false;
    }
    Table t = {.d = d, .path = path, .at = text_keep(&text, d->arena)};
    bool ok = read_rows(&t) && drive_by_rows(&t);
    vec_free(&t.names);
    vec_free(&t.values);
    return ok;
}

static bool drive_by_table(Drive *d, const DriveTable *given)
{
    Table t = {.d = d, .path = given->path, .n = given->n, .rows = given->rows};
    for (unsigned k = 0; k + 1 < given->n; k++)
        vec_push(&t.names, given->names[k]);
    for (size_t i = 0; i < (size_t)given->n * given->rows; i++)
        vec_push(&t.values, given->values[i]);
    drop_middle_rows(&t);
    bool ok = drive_by_rows(&t);
    vec_free(&t.names);
    vec_free(&t.values);
    return ok;
}

/* ---- the model ---- */

/* Around an expression of the user; the name follows the first. */
static const char begin_mark[] = "\n//--input ", end_mark[] = "\n//--end\n";

static bool drive_by(Drive *d, const KairosInput *input)
{
    if (!input->name)
        return drive_by_file(d, input->value);
    Input *x;
    const char **place = place_of(d, input->name, NULL, &x);
    const char *value =
        arena_printf(d->arena, "%s%s\n%s%s", begin_mark, input->name, input->value, end_mark);
    return place && give(d, place, input->name, value);
}

/* Of the expression behind the mark at `from` in the source. The frame also has "(" and ")". */
static bool add_origin(Context *ctx, Library *lib, uint32_t file, const char *text,
                       const char *mark, const char *end)
{
    const char *name = mark + strlen(begin_mark), *at = strchr(name, '\n') + 1;
    Arena *scratch = arena_new();
    const char *label = arena_printf(scratch, "--input %.*s", (int)(at - 1 - name), name);
    const char *line = mark;
    while (line > text && line[-1] != '\n')
        line--;
    line += strspn(line, " ");
    Span part = {file, (uint32_t)(at - text), (uint32_t)(end - text)},
         frame = {file, (uint32_t)(line - text), part.end + (uint32_t)strlen(end_mark) + 1};
    Sources *sources = ctx->sources;
    uint32_t source = sources_add(sources, label, at, (size_t)(end - at));
    sources_excerpt(sources, part, frame, source);
    arena_free(scratch);
    return library_is_expression(lib, source);
}

bool drive_find_origins(Context *ctx, Library *lib, uint32_t file)
{
    const char *text = sources_get(ctx->sources, file)->text, *end = text;
    bool good = true;
    for (const char *mark; (mark = strstr(end, begin_mark));) {
        end = strstr(mark + 1, end_mark);
        if (!end)
            break;
        good &= add_origin(ctx, lib, file, text, mark, end);
    }
    return good;
}

/* Whether parameters of the same shape are to vary the input. */
static bool is_probed(const Drive *d, const Input *x)
{
    return d->probes && x->n > 0 && kind_of(d, x) == TYPE_REAL;
}

/* This parameter, which is added to the driven input. */
static void put_probe(Drive *d, Text *out, const Input *x)
{
    const Types *types = d->flat->g->types;
    TypeId type = d->flat->vars.at[x->var].type;
    uint32_t rank = type_rank(types, type);
    text_printf(out, " + '--probe %s'", x->name);
    text_printf(&d->body, "  protected parameter Real '--probe %s'", x->name);
    for (uint32_t k = 0; k < rank; k++)
        text_printf(&d->body, "%s%lld", k ? ", " : "[", (long long)type_dim(types, type, k));
    text_printf(&d->body, "%s = %s0", rank ? "]" : "", rank ? "fill(" : "");
    for (uint32_t k = 0; k < rank; k++)
        text_printf(&d->body, ", %lld", (long long)type_dim(types, type, k));
    text_printf(&d->body, "%s annotation(HideResult = true);\n", rank ? ")" : "");
}

/* name = value, name2 = {value1, value2} */
static bool put_bindings(Drive *d, Text *out)
{
    const char *between = "";
    for (uint32_t i = 0; i < d->inputs.n; i++) {
        const Input *x = &d->inputs.at[i];
        int64_t given = 0, missing = 0;
        for (int64_t k = 0; k < x->n; k++)
            given += x->values[k] != NULL, missing = x->values[k] ? missing : k + 1;
        if (!x->whole && !given)
            continue;
        if (given && (x->whole || given < x->n)) {
            diag(d->ctx, (Span){0}, DIAG_U015,
                 x->whole ? "input '%s' is driven twice"
                          : "input '%s' is driven in part; '%s[%lld]' is missing",
                 x->name, x->name, (long long)missing);
            return false;
        }
        const char *name = d->ctx->plain_names ? wrapper_identifier(x->name, d->arena) : x->name;
        text_printf(out, "%s%s = %s%s", between, name, x->whole ? "(" : "{",
                    x->whole ? x->whole : "");
        for (int64_t k = 0; !x->whole && k < x->n; k++)
            text_printf(out, "%s%s", k ? ", " : "", x->values[k]);
        text_put(out, x->whole ? ")" : "}");
        if (is_probed(d, x))
            put_probe(d, out, x);
        between = ",\n    ";
    }
    return true;
}

char *drive_text(Context *ctx, const Flat *flat, const KairosInput *inputs, unsigned n,
                 const DriveTable *table, bool probes, Arena *arena)
{
    Drive d = {.ctx = ctx, .flat = flat, .arena = arena, .probes = probes};
    Text bindings = {0}, all = {0};
    find_inputs(&d);
    bool ok = true;
    for (unsigned i = 0; i < n; i++)
        ok &= drive_by(&d, &inputs[i]);
    if (table)
        ok &= drive_by_table(&d, table);
    ok = ok && put_bindings(&d, &bindings);
    char *parts = text_keep(&d.parts, arena), *body = text_keep(&d.body, arena),
         *bound = text_keep(&bindings, arena);
    text_printf(&all,
                "%smodel Driven\n  extends .%s(\n    %s);\n%s"
                "  annotation(__Kairos(balanced = false));\nend Driven;\n",
                parts, flat->name, bound, body);
    vec_free(&d.inputs);
    char *text = text_keep(&all, arena);
    return ok ? text : NULL;
}

void drive_warn(Context *ctx, const Flat *flat)
{
    Arena *arena = arena_new();
    for (uint32_t i = 0; i < flat->vars.n; i++) {
        const FlatVar *v = &flat->vars.at[i];
        if (v->causality != FLAT_INPUT || v->variability <= VARIES_PARAMETER)
            continue;
        const char *name = flat_var_name(flat, i, arena);
        diag(ctx, v->span, DIAG_R023,
             "nothing drives the input %s, so it stays at its start value; give --input "
             "%s=EXPRESSION, or a file with this column",
             name, name);
    }
    arena_free(arena);
}
