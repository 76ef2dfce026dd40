#include "base/path.h"

typedef struct Node {
    PathId parent;
    uint32_t subs; /* index of the count in Paths.subs, followed by the subscripts; 0: none */
    Name name;
} Node;

struct Paths {
    VEC(Node) nodes;
    VEC(int32_t) subs;
    PathId *table;    /* open addressing by the hash of the parts; 0: free */
    uint32_t cap;     /* of the table, a power of two, or 0 */
    uint32_t entered; /* nodes below this one are in the table */
};

Paths *paths_new(void)
{
    Paths *p = memory_alloc(sizeof *p);
    vec_push(&p->nodes, (Node){0});
    vec_push(&p->subs, 0);
    p->entered = 1;
    return p;
}

void paths_free(Paths *p)
{
    if (!p)
        return;
    vec_free(&p->nodes);
    vec_free(&p->subs);
    memory_free(p->table);
    memory_free(p);
}

static uint32_t hash_of(PathId parent, Name name, const int32_t *subs, uint32_t n)
{
    uint64_t h = hash_mix(hash_mix(parent, map_key(name)), n);
    for (uint32_t i = 0; i < n; i++)
        h = hash_mix(h, (uint64_t)subs[i]);
    return (uint32_t)(h >> 32);
}

static bool has_parts(const Paths *p, PathId id, PathId parent, Name name, const int32_t *subs,
                      uint32_t n)
{
    const Node *x = &p->nodes.at[id];
    const int32_t *have = p->subs.at + x->subs;
    return x->parent == parent && x->name == name && (uint32_t)have[0] == n &&
           (n == 0 || !memcmp(have + 1, subs, n * sizeof *subs));
}

/* The place of the parts in the table, or the free place for them. */
static uint32_t place_of(const Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n)
{
    uint32_t k = hash_of(parent, name, subs, n) & (p->cap - 1);
    while (p->table[k] && !has_parts(p, p->table[k], parent, name, subs, n))
        k = (k + 1) & (p->cap - 1);
    return k;
}

/* Enters nodes that were only appended so far. */
static void enter_nodes(Paths *p)
{
    if (!p->cap || (uint64_t)p->nodes.n * 3 > (uint64_t)p->cap * 2) {
        memory_free(p->table);
        p->cap = p->cap ? p->cap : 64;
        while ((uint64_t)p->nodes.n * 3 > (uint64_t)p->cap)
            p->cap *= 2;
        p->table = memory_alloc(p->cap * sizeof *p->table);
        p->entered = 1;
    }
    for (; p->entered < p->nodes.n; p->entered++) {
        const Node *x = &p->nodes.at[p->entered];
        const int32_t *subs = p->subs.at + x->subs;
        p->table[place_of(p, x->parent, x->name, subs + 1, (uint32_t)subs[0])] = p->entered;
    }
}

PathId path_add(Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n_subs)
{
    Node x = {parent, n_subs ? p->subs.n : 0, name};
    if (n_subs)
        vec_push(&p->subs, (int32_t)n_subs);
    for (uint32_t i = 0; i < n_subs; i++)
        vec_push(&p->subs, subs[i]);
    vec_push(&p->nodes, x);
    return p->nodes.n - 1;
}

PathId path_make(Paths *p, PathId parent, Name name, const int32_t *subs, uint32_t n_subs)
{
    enter_nodes(p);
    PathId found = p->table[place_of(p, parent, name, subs, n_subs)];
    return found ? found : path_add(p, parent, name, subs, n_subs);
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

static void put_number(Text *t, int64_t x)
{
    char digits[24], *at = digits + sizeof digits - 1;
    uint64_t rest = x < 0 ? -(uint64_t)x : (uint64_t)x;
    *at = 0;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (x < 0)
        *--at = '-';
    put(t, at);
}

static void put_path(Text *t, const Paths *p, PathId id)
{
    for (uint32_t depth = path_depth(p, id); depth > 0; depth--) {
        PathId at = id;
        for (uint32_t up = depth - 1; up > 0; up--)
            at = p->nodes.at[at].parent;
        const Node *x = &p->nodes.at[at];
        const int32_t *subs = p->subs.at + x->subs;
        if (t->n)
            put(t, ".");
        put(t, x->name);
        for (int32_t i = 1; x->subs && i <= subs[0]; i++) {
            put(t, i == 1 ? "[" : ",");
            put_number(t, subs[i]);
        }
        if (x->subs)
            put(t, "]");
    }
}

static void put_end(Text *t)
{
    if (t->size)
        t->buf[t->n < t->size ? t->n : t->size - 1] = 0;
}

static size_t print_element(const Paths *p, PathId id, const int64_t *subs, uint32_t n, char *buf,
                            size_t size)
{
    Text t = {buf, size, 0};
    put_path(&t, p, id);
    for (uint32_t i = 0; i < n; i++) {
        put(&t, i ? "," : "[");
        put_number(&t, subs[i]);
    }
    if (n)
        put(&t, "]");
    put_end(&t);
    return t.n;
}

char *path_element(const Paths *p, PathId id, const int64_t *subs, uint32_t n_subs, Arena *arena)
{
    char few[256];
    size_t n = print_element(p, id, subs, n_subs, few, sizeof few);
    if (n < sizeof few)
        return arena_copy(arena, few, n);
    char *text = arena_alloc(arena, n + 1);
    print_element(p, id, subs, n_subs, text, n + 1);
    return text;
}

char *path_text(const Paths *p, PathId id, Arena *arena)
{
    return path_element(p, id, NULL, 0, arena);
}

static Name unquoted(Name name, Names *names)
{
    size_t n = strlen(name);
    if (n < 2 || name[0] != '\'' || name[n - 1] != '\'')
        return name;
    char *text = memory_alloc(n);
    size_t m = 0;
    for (size_t i = 1; i < n - 1; i++) {
        i += name[i] == '\\' && i + 2 < n;
        text[m++] = name[i];
    }
    Name plain = name_intern(names, text, m);
    memory_free(text);
    return plain;
}

void paths_unquote(Paths *p, Names *names)
{
    for (uint32_t i = 1; i < p->nodes.n; i++)
        p->nodes.at[i].name = unquoted(p->nodes.at[i].name, names);
    memory_free(p->table);
    p->table = NULL;
    p->cap = 0;
}
