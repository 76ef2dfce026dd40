/* The expression graph: storage and hash-consing.
 *
 * Nodes and their arguments are in two growing arrays. The table maps the contents of a node to its
 * id by open addressing and is at most two thirds full. It stores hash and id, so contents are
 * compared only if they are equal, up to a chance of one in 2^32.
 *
 * The search for a node starts near the place of its arguments in the order of nodes. Nodes made
 * one after the other are neighbours in the table too, so a graph of millions is built within the
 * cache. If that neighbourhood is full, only the hash decides. Nothing is ever removed. Literals of
 * Real, Integer and String keep 64 bits in two words and are found by these bits. */
#include "expr/graph.h"

enum { FIRST_TABLE = 1024, N_IN_WORDS = 0xFFFF };
/* slots of a neighbourhood in which a search may begin; how many it checks */
enum { SPREAD = 16, NEARBY = 24 };

const char *expr_op_text(ExprOp op)
{
    return op_traits[op].text;
}

static uint64_t bits_of(const Graph *g, const ExprNode *x)
{
    const uint32_t *w = g->words.at + x->payload;
    return (uint64_t)w[1] << 32 | w[0];
}

static uint32_t hash_parts(uint32_t op, TypeId type, uint64_t payload, const uint32_t *args,
                           uint32_t n)
{
    uint64_t h = hash_mix((uint64_t)op << 32 | type, payload + UINT64_C(0x632BE59BD9B4E019));
    uint32_t i = 0;
    for (; i + 1 < n; i += 2)
        h = hash_mix(h, (uint64_t)args[i] << 32 | args[i + 1]);
    if (i < n)
        h = hash_mix(h, args[i]);
    h = hash_mix(h, n);
    return (uint32_t)(h ^ h >> 32);
}

Graph *graph_new(Context *ctx)
{
    Graph *g = memory_alloc(sizeof *g);
    g->ctx = ctx;
    g->types = types_new();
    g->arena = arena_new();
    g->table_cap = FIRST_TABLE;
    g->table = memory_alloc(g->table_cap * sizeof *g->table);
    vec_push(&g->nodes, ((ExprNode){.op = OP_NONE}));
    vec_push(&g->words, 0);
    return g;
}

void graph_free(Graph *g)
{
    if (!g)
        return;
    if (g->external)
        g->free_external(g->external);
    if (g->memo)
        g->free_memo(g->memo);
    types_free(g->types);
    vec_free(&g->nodes);
    vec_free(&g->words);
    vec_free(&g->functions);
    map_free(&g->copies);
    vec_free(&g->vars);
    vec_free(&g->holes);
    memory_free(g->table);
    arena_free(g->arena);
    memory_free(g);
}

/* Slots to look at one after the other for a node with a hash, near a place. */
typedef struct Probe {
    uint32_t at, hash, seen;
} Probe;

static Probe probe_near(const Graph *g, uint32_t near, uint32_t hash)
{
    return (Probe){(near + hash % SPREAD) & (g->table_cap - 1), hash, 0};
}

static void probe_next(const Graph *g, Probe *p)
{
    uint32_t step = ++p->seen < NEARBY ? 1 : p->hash >> 7 | 1;
    p->at = (p->seen == NEARBY ? p->hash >> 4 : p->at + step) & (g->table_cap - 1);
}

/* The place of a node with arguments: neighbours of one kind differ by one or two. */
static uint32_t near_args(const ExprId *args, uint32_t n, uint32_t hash)
{
    if (!n)
        return hash;
    uint32_t least = args[0], most = args[0];
    for (uint32_t i = 1; i < n; i++) {
        least = args[i] < least ? args[i] : least;
        most = args[i] > most ? args[i] : most;
    }
    return least + most;
}

static uint32_t near_bits(ExprOp op, uint64_t bits, uint32_t hash)
{
    return op == OP_INT ? (uint32_t)bits : hash;
}

static uint32_t near_node(const Graph *g, ExprId e, uint32_t hash)
{
    const ExprNode *x = &g->nodes.at[e];
    if (x->op == OP_REAL || x->op == OP_INT || x->op == OP_STRING)
        return near_bits((ExprOp)x->op, bits_of(g, x), hash);
    return near_args(g->words.at + x->at, expr_n(g, e), hash);
}

static void grow_table(Graph *g, uint32_t cap)
{
    uint64_t *old = g->table;
    uint32_t old_cap = g->table_cap;
    g->table_cap = cap;
    g->table = memory_alloc(g->table_cap * sizeof *g->table);
    for (uint32_t i = 0; i < old_cap; i++) {
        if (!old[i])
            continue;
        uint32_t hash = (uint32_t)(old[i] >> 32);
        Probe p = probe_near(g, near_node(g, (ExprId)old[i], hash), hash);
        while (g->table[p.at])
            probe_next(g, &p);
        g->table[p.at] = old[i];
    }
    memory_free(old);
}

static void enter(Graph *g, uint32_t slot, uint32_t hash, ExprId e)
{
    g->table[slot] = (uint64_t)hash << 32 | e;
    if ((uint64_t)++g->table_n * 3 > (uint64_t)g->table_cap * 2)
        grow_table(g, g->table_cap * 2);
}

void graph_reserve(Graph *g, size_t nodes)
{
    uint32_t cap = g->table_cap;
    while (cap < UINT32_MAX / 4 && (g->table_n + nodes) * 3 > (size_t)cap * 2)
        cap *= 2;
    if (cap > g->table_cap)
        grow_table(g, cap);
}

/* Adds a node; args may point into g->words. */
static ExprId append(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                     uint32_t n)
{
    bool inside = args >= g->words.at && args < g->words.at + g->words.n;
    size_t offset = inside ? (size_t)(args - g->words.at) : 0;
    vec_reserve(&g->words, (size_t)g->words.n + n + 1);
    if (inside)
        args = g->words.at + offset;
    if (n >= N_IN_WORDS)
        g->words.at[g->words.n++] = n;
    ExprNode x = {.op = (uint16_t)op,
                  .n = (uint16_t)(n >= N_IN_WORDS ? N_IN_WORDS : n),
                  .type = type,
                  .at = g->words.n,
                  .payload = payload};
    if (n)
        memcpy(g->words.at + g->words.n, args, n * sizeof *args);
    g->words.n += n;
    vec_push(&g->nodes, x);
    return g->nodes.n - 1;
}

static bool same_node(const Graph *g, ExprId e, ExprOp op, TypeId type, uint32_t payload,
                      const ExprId *args, uint32_t n)
{
    const ExprNode *x = &g->nodes.at[e];
    if (x->op != op || x->type != type || x->payload != payload || expr_n(g, e) != n)
        return false;
    const uint32_t *w = g->words.at + x->at;
    for (uint32_t i = 0; i < n; i++)
        if (w[i] != args[i])
            return false;
    return true;
}

/* The place of a leaf that is found by its index. */
static ExprId *numbered(Graph *g, ExprOp op, uint32_t index)
{
    if (index == UINT32_MAX)
        return NULL;
    bool var = op == OP_VAR;
    while ((var ? g->vars.n : g->holes.n) <= index)
        var ? vec_push(&g->vars, 0) : vec_push(&g->holes, 0);
    return var ? &g->vars.at[index] : &g->holes.at[index];
}

ExprId expr_make(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args, uint32_t n)
{
    ExprId *place = op == OP_VAR || op == OP_HOLE ? numbered(g, op, payload) : NULL;
    if (place && *place && g->nodes.at[*place].type == type)
        return *place;
    if (place && !*place)
        return *place = append(g, op, type, payload, args, n);
    uint32_t hash = hash_parts(op, type, payload, args, n);
    Probe p = probe_near(g, near_args(args, n, hash), hash);
    for (; g->table[p.at]; probe_next(g, &p))
        if (g->table[p.at] >> 32 == hash &&
            same_node(g, (ExprId)g->table[p.at], op, type, payload, args, n))
            return (ExprId)g->table[p.at];
    ExprId e = append(g, op, type, payload, args, n);
    enter(g, p.at, hash, e);
    return e;
}

ExprId expr_make_unique(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                        uint32_t n)
{
    return append(g, op, type, payload, args, n);
}

/* A literal that is found by its 64 bits. */
static ExprId make_bits(Graph *g, ExprOp op, TypeId type, uint64_t bits)
{
    uint32_t hash = hash_parts(op, type, bits, NULL, 0);
    Probe p = probe_near(g, near_bits(op, bits, hash), hash);
    for (; g->table[p.at]; probe_next(g, &p)) {
        const ExprNode *x = &g->nodes.at[(ExprId)g->table[p.at]];
        if (g->table[p.at] >> 32 == hash && x->op == op && x->type == type && bits_of(g, x) == bits)
            return (ExprId)g->table[p.at];
    }
    uint32_t at = g->words.n;
    vec_push(&g->words, (uint32_t)bits);
    vec_push(&g->words, (uint32_t)(bits >> 32));
    ExprId e = append(g, op, type, at, NULL, 0);
    enter(g, p.at, hash, e);
    return e;
}

ExprId expr_real(Graph *g, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return make_bits(g, OP_REAL, T_REAL, bits);
}

ExprId expr_int(Graph *g, int64_t v)
{
    return make_bits(g, OP_INT, T_INT, (uint64_t)v);
}

ExprId expr_bool(Graph *g, bool v)
{
    return expr_make(g, OP_BOOL, T_BOOL, v, NULL, 0);
}

ExprId expr_string(Graph *g, const char *s, size_t n)
{
    return make_bits(g, OP_STRING, T_STRING, map_key(name_intern(g->ctx->names, s, n)));
}

ExprId expr_enum(Graph *g, TypeId type, int64_t v)
{
    return expr_make(g, OP_ENUM, type, (uint32_t)v, NULL, 0);
}

ExprId expr_leaf(Graph *g, ExprOp op, TypeId type, uint32_t index)
{
    return expr_make(g, op, type, index, NULL, 0);
}

ExprId expr_new_iter(Graph *g, TypeId type)
{
    return expr_leaf(g, OP_ITER, type, g->n_iters++);
}

ExprId expr1(Graph *g, ExprOp op, TypeId type, ExprId a)
{
    return expr_make(g, op, type, 0, &a, 1);
}

ExprId expr2(Graph *g, ExprOp op, TypeId type, ExprId a, ExprId b)
{
    return expr_make(g, op, type, 0, (ExprId[]){a, b}, 2);
}

ExprId expr3(Graph *g, ExprOp op, TypeId type, ExprId a, ExprId b, ExprId c)
{
    return expr_make(g, op, type, 0, (ExprId[]){a, b, c}, 3);
}

double expr_real_value(const Graph *g, ExprId e)
{
    const ExprNode *x = &g->nodes.at[e];
    if (x->op != OP_REAL)
        return (double)expr_int_value(g, e);
    uint64_t bits = bits_of(g, x);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

int64_t expr_int_value(const Graph *g, ExprId e)
{
    const ExprNode *x = &g->nodes.at[e];
    return x->op == OP_INT ? (int64_t)bits_of(g, x) : (int64_t)x->payload;
}

Name expr_name(const Graph *g, ExprId e)
{
    return (Name)(uintptr_t)bits_of(g, &g->nodes.at[e]);
}

bool expr_is_literal(const Graph *g, ExprId e)
{
    ExprOp op = expr_op(g, e);
    return op_class(op) == CLASS_LITERAL;
}

/* Visits the operands of x if they are all leaves, as in a long array; otherwise false. */
static bool walk_leaves(const Graph *g, ExprId x, Map *seen, void (*visit)(void *user, ExprId e),
                        void *user)
{
    uint32_t n = expr_n(g, x);
    for (uint32_t i = 0; i < n; i++)
        if (expr_arg(g, x, i) && expr_n(g, expr_arg(g, x, i)))
            return false;
    for (uint32_t i = 0; i < n; i++) {
        ExprId a = expr_arg(g, x, i);
        if (!a || map_get(seen, a) != MAP_NONE)
            continue;
        map_put(seen, a, 1);
        visit(user, a);
    }
    return true;
}

void expr_walk(const Graph *g, ExprId e, void (*visit)(void *user, ExprId e), void *user)
{
    VEC(ExprId) stack = {0};
    Map seen = {0}; /* 0: opened, 1: done */
    vec_push(&stack, e);
    while (stack.n) {
        ExprId x = vec_last(&stack);
        uint32_t state = x ? map_get(&seen, x) : 1, n = expr_n(g, x);
        if (state == MAP_NONE && n && !walk_leaves(g, x, &seen, visit, user)) {
            map_put(&seen, x, 0);
            for (uint32_t i = n; i-- > 0;) {
                ExprId a = expr_arg(g, x, i);
                if (a && map_get(&seen, a) == MAP_NONE)
                    vec_push(&stack, a);
            }
            continue;
        }
        (void)vec_pop(&stack);
        if (state == 1)
            continue;
        map_put(&seen, x, 1);
        visit(user, x);
    }
    vec_free(&stack);
    map_free(&seen);
}
