/* Strings of a run: texts by their numbers (base/format.h). The table has the literals of the code
 * and the texts made during the run. To remove intermediate texts, the host sweeps between
 * evaluations. A text is freed if no variable has it at two sweeps in a row and nobody made it
 * again in between. Copies of variables that the host keeps across one sweep therefore stay valid.
 */
#include "base/format.h"
#include "base/snapshot.h"
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BUCKETS = 64, SWEEP_TEXTS = 1000, SWEEP_BYTES = 1 << 20 };

typedef struct StringText {
    struct StringText *next; /* of the same bucket */
    double number;
    uint8_t age;  /* sweeps since it was made or held */
    bool literal; /* of the code: stays */
    char at[];
} StringText;

struct StringTable {
    StringText **buckets;
    uint32_t n_buckets; /* a power of two */
    uint32_t n;
    uint32_t n_new; /* since the last sweep */
    size_t new_bytes;
};

static void out_of_memory(Runtime *rt)
{
    rt->m.status = rt->m.status != MODEL_OK ? rt->m.status : MODEL_NO_MEMORY;
}

static StringText **find(const struct StringTable *t, double number)
{
    StringText **p = &t->buckets[(uint64_t)number & (t->n_buckets - 1)];
    while (*p != NULL && (*p)->number != number) {
        p = &(*p)->next;
    }
    return p;
}

static bool resize(struct StringTable *t, uint32_t n)
{
    StringText **old = t->buckets, **fresh = calloc(n, sizeof(StringText *));
    uint32_t n_old = t->n_buckets;
    if (fresh == NULL) {
        return false;
    }
    t->buckets = fresh;
    t->n_buckets = n;
    for (uint32_t i = 0; i < n_old; i++) {
        for (StringText *x = old[i], *next; x != NULL; x = next) {
            next = x->next;
            StringText **p = &fresh[(uint64_t)x->number & (n - 1)];
            x->next = *p;
            *p = x;
        }
    }
    free(old);
    return true;
}

static struct StringTable *table_of(Runtime *rt)
{
    if (rt->strings == NULL) {
        rt->strings = calloc(1, sizeof *rt->strings);
    }
    struct StringTable *t = rt->strings;
    bool full = t != NULL && t->n >= t->n_buckets;
    if (t == NULL || (full && !resize(t, t->n_buckets > 0 ? 2 * t->n_buckets : FIRST_BUCKETS))) {
        out_of_memory(rt);
        return NULL;
    }
    return t;
}

static double put(Runtime *rt, const char *text, bool literal)
{
    double number = text_number(text);
    struct StringTable *t = number != 0.0 ? table_of(rt) : NULL;
    if (t == NULL) {
        return 0.0;
    }
    StringText **p = find(t, number);
    size_t size = strlen(text) + 1;
    if (*p == NULL) {
        StringText *x = malloc(sizeof *x + size);
        if (x == NULL) {
            out_of_memory(rt);
            return 0.0;
        }
        *x = (StringText){.number = number};
        memcpy(x->at, text, size);
        *p = x;
        t->n++;
        t->n_new++;
        t->new_bytes += size;
    } else if (strcmp((*p)->at, text) != 0) {
        kr_fail(&rt->m, FAILED_TEXT);
    }
    (*p)->age = 0;
    (*p)->literal |= literal;
    return number;
}

double runtime_string(Runtime *rt, const char *text)
{
    return put(rt, text, false);
}

const char *runtime_text(const Runtime *rt, double number)
{
    const struct StringTable *t = rt->strings;
    const StringText *x = t != NULL && t->n_buckets > 0 && number > 0.0 ? *find(t, number) : NULL;
    return x != NULL ? x->at : "";
}

void strings_of_code(Runtime *rt, const ModelCode *code)
{
    for (uint32_t i = 0; i < code->n_strings; i++) {
        put(rt, code->strings[i], true);
    }
}

void strings_free(Runtime *rt)
{
    struct StringTable *t = rt->strings;
    for (uint32_t i = 0; t != NULL && i < t->n_buckets; i++) {
        for (StringText *x = t->buckets[i], *next; x != NULL; x = next) {
            next = x->next;
            free(x);
        }
    }
    if (t != NULL) {
        free(t->buckets);
    }
    free(t);
    rt->strings = NULL;
}

void runtime_sweep(Runtime *rt, const uint32_t *vars, uint32_t n)
{
    struct StringTable *t = rt->strings;
    if (t == NULL || (t->n_new < SWEEP_TEXTS && t->new_bytes < SWEEP_BYTES)) {
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        StringText *x = *find(t, rt->m.v[vars[i]]);
        if (x != NULL) {
            x->age = 0;
        }
    }
    for (uint32_t i = 0; i < t->n_buckets; i++) {
        for (StringText **p = &t->buckets[i]; *p != NULL;) {
            StringText *x = *p;
            if (x->literal || x->age++ == 0) {
                p = &x->next;
                continue;
            }
            *p = x->next;
            t->n--;
            free(x);
        }
    }
    t->n_new = 0;
    t->new_bytes = 0;
}

/* ---- what generated code calls ---- */

double kr_concat(ModelData *m, const double *parts, int n)
{
    Runtime *rt = runtime_of(m);
    size_t size = 1;
    for (int i = 0; i < n; i++) {
        size += strlen(runtime_text(rt, parts[i]));
    }
    char *all = malloc(size), *end = all;
    if (all == NULL) {
        out_of_memory(rt);
        return 0.0;
    }
    for (int i = 0; i < n; i++) {
        const char *s = runtime_text(rt, parts[i]);
        size_t length = strlen(s);
        memcpy(end, s, length);
        end += length;
    }
    *end = '\0';
    double number = put(rt, all, false);
    free(all);
    return number;
}

double kr_text(ModelData *m, int kind, double x, double digits, double length, double left)
{
    Runtime *rt = runtime_of(m);
    FormatLayout l = {digits, length, left != 0.0};
    if (!format_layout_ok(&l)) {
        kr_fail(m, FAILED_FORMAT);
        return 0.0;
    }
    const char *text = kind > FORMAT_BOOL ? runtime_text(rt, x) : "";
    size_t size = (size_t)length + strlen(text) + FORMAT_ROOM;
    char *buf = malloc(size);
    if (buf == NULL) {
        out_of_memory(rt);
        return 0.0;
    }
    if (kind > FORMAT_BOOL) {
        format_text(buf, size, text, &l);
    } else {
        format_value(buf, size, (FormatKind)kind, x, &l);
    }
    double number = put(rt, buf, false);
    free(buf);
    return number;
}

double kr_format(ModelData *m, double x, double format)
{
    Runtime *rt = runtime_of(m);
    char buf[FORMAT_ROOM];
    if (!format_by(buf, sizeof buf, runtime_text(rt, format), x)) {
        kr_fail(m, FAILED_FORMAT);
        return 0.0;
    }
    return put(rt, buf, false);
}

double kr_literal(ModelData *m, double value, const double *texts, int n)
{
    return texts[kr_index(m, value, n)];
}

double kr_order(ModelData *m, double a, double b)
{
    int order = strcmp(runtime_text(runtime_of(m), a), runtime_text(runtime_of(m), b));
    return order < 0 ? -1.0 : order > 0 ? 1.0 : 0.0;
}

void kr_fail_text(ModelData *m, int assert_id, double text)
{
    bool first = m->status == MODEL_OK;
    kr_fail(m, assert_id);
    if (first) {
        runtime_of(m)->failed_text = text;
    }
}

void kr_warn_text(ModelData *m, double text)
{
    Runtime *rt = runtime_of(m);
    StringText *x = rt->strings != NULL && text > 0.0 ? *find(rt->strings, text) : NULL;
    rt->warned_text[rt->n_warned - 1] = text;
    if (x != NULL) {
        x->literal = true; /* it is reported at the end of the run */
    }
}

const char *runtime_failed_text(const Runtime *rt)
{
    return rt->failed_text != 0.0 ? runtime_text(rt, rt->failed_text) : NULL;
}

const char *runtime_warning_text(const Runtime *rt, uint32_t i)
{
    return rt->warned_text[i] != 0.0 ? runtime_text(rt, rt->warned_text[i]) : NULL;
}

/* ---- snapshots ---- */

static void write_texts(const struct StringTable *t, Snapshot *p)
{
    for (uint32_t i = 0; i < t->n_buckets; i++) {
        for (StringText *x = t->buckets[i]; x != NULL; x = x->next) {
            size_t size = snapshot_items(p, strlen(x->at) + 1, 1);
            snapshot_bytes(p, x->at, size);
        }
    }
}

static void read_text(Runtime *rt, Snapshot *p)
{
    size_t size = snapshot_items(p, 0, 1);
    const char *text = (const char *)p->at + p->next;
    p->bad |= size == 0 || memchr(text, '\0', size) != text + size - 1;
    if (!p->bad) {
        put(rt, text, false);
        p->next += size;
    }
}

void strings_snapshot(Runtime *rt, Snapshot *p)
{
    uint32_t n = snapshot_count(p, rt->strings != NULL ? rt->strings->n : 0, UINT32_MAX);
    if (!p->reading && n > 0) {
        write_texts(rt->strings, p);
    }
    for (uint32_t i = 0; p->reading && i < n && !p->bad; i++) {
        read_text(rt, p);
    }
}
