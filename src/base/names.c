#include "base/names.h"

#include <strings.h>

typedef struct Entry {
    uint64_t hash;
    Name name; /* NULL if free */
} Entry;

struct Names {
    Arena *arena;
    Entry *table; /* size cap, a power of two */
    uint32_t n, cap;
};

static uint64_t hash_text(const char *s, size_t n)
{
    uint64_t h = n;
    for (; n >= 8; s += 8, n -= 8) {
        uint64_t w;
        memcpy(&w, s, 8);
        h = hash_mix(h, w);
    }
    uint64_t w = 0;
    memcpy(&w, s, n);
    return hash_mix(h, w);
}

Names *names_new(void)
{
    Names *t = memory_alloc(sizeof *t);
    t->arena = arena_new();
    t->cap = 1024;
    t->table = memory_alloc(t->cap * sizeof(Entry));
    return t;
}

void names_free(Names *t)
{
    if (!t)
        return;
    arena_free(t->arena);
    memory_free(t->table);
    memory_free(t);
}

/* The entry of s, or the free entry for it. */
static Entry *entry(const Names *t, const char *s, size_t n, uint64_t hash)
{
    for (uint64_t i = hash;; i++) {
        Entry *e = &t->table[i & (t->cap - 1)];
        if (!e->name || (e->hash == hash && !strncmp(e->name, s, n) && !e->name[n]))
            return e;
    }
}

static void grow_table(Names *t)
{
    Names old = *t;
    t->cap *= 2;
    t->table = memory_alloc(t->cap * sizeof(Entry));
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.table[i].name)
            *entry(t, old.table[i].name, strlen(old.table[i].name), old.table[i].hash) =
                old.table[i];
    memory_free(old.table);
}

Name name_intern(Names *t, const char *s, size_t n)
{
    uint64_t hash = hash_text(s, n);
    Entry *e = entry(t, s, n, hash);
    if (e->name)
        return e->name;
    e->hash = hash;
    Name name = e->name = arena_copy(t->arena, s, n);
    if (++t->n * 2 > t->cap)
        grow_table(t);
    return name;
}

Name name_of(Names *t, const char *s)
{
    return name_intern(t, s, strlen(s));
}

Name name_find(const Names *t, const char *s, size_t n)
{
    return entry(t, s, n, hash_text(s, n))->name;
}

unsigned name_suggestion_limit(const char *name)
{
    size_t n = strlen(name);
    return n < 2 ? 1 : n < 4 ? 2 : 3;
}

unsigned name_distance(const char *a, const char *b, unsigned limit)
{
    enum { LONGEST = 63 };
    if (!strcasecmp(a, b))
        return 0;
    size_t la = strlen(a), lb = strlen(b);
    if (la > LONGEST || lb > LONGEST || (la > lb ? la - lb : lb - la) > limit)
        return limit + 1;
    unsigned row[LONGEST + 1];
    for (unsigned j = 0; j <= lb; j++)
        row[j] = j;
    for (unsigned i = 1; i <= la; i++) {
        unsigned diagonal = row[0], best = row[0] = i;
        for (unsigned j = 1; j <= lb; j++) {
            unsigned d = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (d > diagonal + 1)
                d = diagonal + 1;
            if (d > row[j - 1] + 1)
                d = row[j - 1] + 1;
            row[j] = d;
            if (d < best)
                best = d;
        }
        if (best > limit)
            return limit + 1;
    }
    return row[lb];
}

/* ---- maps ---- */

static uint32_t slot_of(const Map *m, uint64_t stored)
{
    uint32_t i = (uint32_t)hash_mix(0, stored) & (m->cap - 1);
    while (m->keys[i] && m->keys[i] != stored)
        i = (i + 1) & (m->cap - 1);
    return i;
}

uint32_t map_get(const Map *m, uint64_t key)
{
    if (!m->cap)
        return MAP_NONE;
    uint32_t i = slot_of(m, key + 1);
    return m->keys[i] ? m->vals[i] : MAP_NONE;
}

static void grow_map(Map *m)
{
    Map old = *m, more = {.n = old.n, .cap = old.cap ? old.cap * 2 : 16};
    more.keys = memory_alloc(more.cap * sizeof *more.keys);
    more.vals = memory_alloc(more.cap * sizeof *more.vals);
    *m = more; /* only now: if memory runs out, the old map stays whole */
    for (uint32_t i = 0; i < old.cap; i++)
        if (old.keys[i]) {
            uint32_t j = slot_of(m, old.keys[i]);
            m->keys[j] = old.keys[i];
            m->vals[j] = old.vals[i];
        }
    memory_free(old.keys);
    memory_free(old.vals);
}

void map_put(Map *m, uint64_t key, uint32_t val)
{
    if (m->n * 2 >= m->cap)
        grow_map(m);
    uint32_t i = slot_of(m, key + 1);
    m->n += !m->keys[i];
    m->keys[i] = key + 1;
    m->vals[i] = val;
}

void map_clear(Map *m)
{
    if (m->cap)
        memset(m->keys, 0, m->cap * sizeof *m->keys);
    m->n = 0;
}

void map_free(Map *m)
{
    memory_free(m->keys);
    memory_free(m->vals);
    *m = (Map){0};
}
