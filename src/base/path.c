#include "base/path.h"

#include <stdio.h>

typedef struct Node {
    PathId parent;
    uint32_t subs; /* index of the count in Paths.subs, followed by the subscripts; 0: none */
    Name name;
} Node;

struct Paths {
    VEC(Node) nodes;
    VEC(int32_t) subs;
    Map table; /* hash of the parts → last node with it; chains by `same` */
    VEC(uint32_t) same;
};

Paths *paths_new(void)
{
    Paths *p = memory_alloc(sizeof *p);
    vec_push(&p->nodes, (Node){0});
    vec_push(&p->same, 0);
    vec_push(&p->subs, 0);
    return p;
}

void paths_free(Paths *p)
{
    if (!p)
        return;
    vec_free(&p->nodes);
    vec_free(&p->subs);
    vec_free(&p->same);
    map_free(&p->table);
    memory_free(p);
}

static bool same_subs(const Paths *p, const Node *x, const int32_t *subs, uint32_t n)
{
    const int32_t *have = p->subs.at + x->subs;
    return (uint32_t)have[0] == n && !memcmp(have + 1, subs, n * sizeof *subs);
}

PathId path_make(Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n_subs)
{
    uint64_t h = hash_mix(hash_mix(parent, map_key(name)), n_subs);
    for (uint32_t i = 0; i < n_subs; i++)
        h = hash_mix(h, (uint64_t)subs[i]);
    h >>= 1;
    uint32_t first = map_get(&p->table, h);
    for (PathId id = first == MAP_NONE ? 0 : first; id; id = p->same.at[id]) {
        const Node *x = &p->nodes.at[id];
        if (x->parent == parent && x->name == name &&
            (n_subs ? x->subs && same_subs(p, x, subs, n_subs) : !x->subs))
            return id;
    }
    Node x = {parent, n_subs ? p->subs.n : 0, name};
    if (n_subs)
        vec_push(&p->subs, (int32_t)n_subs);
    for (uint32_t i = 0; i < n_subs; i++)
        vec_push(&p->subs, subs[i]);
    PathId id = p->nodes.n;
    vec_push(&p->nodes, x);
    vec_push(&p->same, first == MAP_NONE ? 0 : first);
    map_put(&p->table, h, id);
    return id;
}

PathId path_parent(const Paths *p, PathId id)
{
    return p->nodes.at[id].parent;
}

uint32_t path_depth(const Paths *p, PathId id)
{
    uint32_t depth = 0;
    for (; id; id = p->nodes.at[id].parent)
        depth++;
    return depth;
}

typedef struct Text {
    char *buf;
    size_t size, n;
} Text;

static void put(Text *t, const char *s)
{
    for (; *s; s++, t->n++)
        if (t->n + 1 < t->size)
            t->buf[t->n] = *s;
}

static void put_subs(Text *t, const int32_t *subs)
{
    char number[16];
    for (int32_t i = 1; i <= subs[0]; i++) {
        snprintf(number, sizeof number, "%s%d", i == 1 ? "[" : ",", subs[i]);
        put(t, number);
    }
    put(t, "]");
}

size_t path_print(const Paths *p, PathId id, char *buf, size_t size)
{
    Text t = {buf, size, 0};
    for (uint32_t depth = path_depth(p, id); depth > 0; depth--) {
        PathId at = id;
        for (uint32_t up = depth - 1; up > 0; up--)
            at = p->nodes.at[at].parent;
        const Node *x = &p->nodes.at[at];
        if (t.n)
            put(&t, ".");
        put(&t, x->name);
        if (x->subs)
            put_subs(&t, p->subs.at + x->subs);
    }
    if (size)
        buf[t.n < size ? t.n : size - 1] = 0;
    return t.n;
}

char *path_text(const Paths *p, PathId id, Arena *arena)
{
    size_t n = path_print(p, id, NULL, 0);
    char *text = arena_alloc(arena, n + 1);
    path_print(p, id, text, n + 1);
    return text;
}
