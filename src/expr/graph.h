/* The expression graph: hash-consed nodes with 32-bit ids, shared by all phases from instance to
 * codegen.
 *
 * A node is immutable. The same operator with the same type, payload and arguments is the same id,
 * so ids can be compared and used as keys. Arguments have smaller ids than the node (a topological
 * order). Spans do not belong to nodes. Nodes that differ in effect are distinguished by their
 * builder: see expr_make_unique. One graph serves one compilation; it only grows. */
#ifndef EXPR_GRAPH_H
#define EXPR_GRAPH_H

#include "expr/ops.h"
#include "expr/types.h"

typedef uint32_t ExprId;
enum { EXPR_NONE = 0 };

typedef struct ExprNode {
    uint16_t op;
    uint16_t n; /* number of arguments, or 0xFFFF: the count is in words[at - 1] */
    TypeId type;
    uint32_t at; /* arguments: words[at … at + n) */
    /* index; or, for OP_REAL and OP_INT, index of two words with the value */
    uint32_t payload;
} ExprNode;

typedef struct Function Function;

typedef struct Graph {
    Context *ctx;
    Types *types;
    VEC(ExprNode) nodes;       /* nodes.at[0] is OP_NONE */
    VEC(uint32_t) words;       /* arguments and values */
    VEC(Function *) functions; /* by expr_index of OP_CALL and OP_FUNCTION */
    uint64_t *table;           /* hash-consing: hash and id; size table_cap, a power of two */
    uint32_t table_cap, table_n;
    VEC(ExprId)
    /* by index: the first leaf OP_VAR or OP_HOLE, 0 if there is none; found without a hash */
    vars, holes;
    /* hash of a unique node and new arguments → the node that expr_map makes of it */
    Map copies;
    uint32_t n_iters; /* iterators handed out by expr_new_iter */
    Arena *arena;     /* for functions */
    /* code of external functions that were called; NULL while none was */
    struct ExternalCode *external;
    void (*free_external)(struct ExternalCode *x);
    struct EvalMemo *memo; /* of the evaluator; NULL while it has none */
    void (*free_memo)(struct EvalMemo *m);
    /* The path of a URI of a library file, or NULL. May be NULL. */
    const char *(*resource)(void *user, const char *uri);
    /* Why the code of an external function may not be called; NULL if it may. May be NULL: all
     * may. */
    const char *(*refusal)(void *user, const struct Function *f);
    void *resource_user; /* of both */
    const char *objects; /* folder of compiled entries (FnExternal.object); NULL for none */
    const struct ExternalNatives *natives; /* functions of the program itself; NULL for none */
} Graph;

Graph *graph_new(Context *ctx);
void graph_free(Graph *g);

/* Makes room in the table for so many nodes, variables not counted. */
void graph_reserve(Graph *g, size_t nodes);

/* The node with these parts; no simplification. args may point into the graph's own words. */
ExprId expr_make(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                 uint32_t n);
/* Payloads of OP_DELAYED: for the derivative by the present value, and from where on for those of
 * the derivative of the history in the direction of a variation. */
enum { DELAYED_WEIGHT = 64, DELAYED_VARIED = 128 };
/* The same, but never merged with another (impure calls, delay). */
ExprId expr_make_unique(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                        uint32_t n);

ExprId expr_real(Graph *g, double v);
ExprId expr_int(Graph *g, int64_t v);
ExprId expr_bool(Graph *g, bool v);
ExprId expr_string(Graph *g, const char *s, size_t n);
ExprId expr_enum(Graph *g, TypeId type, int64_t v);
/* VAR, HOLE, LOCAL, ITER, TIME, COLON, … */
ExprId expr_leaf(Graph *g, ExprOp op, TypeId type, uint32_t index);
ExprId expr_new_iter(Graph *g, TypeId type);
ExprId expr1(Graph *g, ExprOp op, TypeId type, ExprId a);
ExprId expr2(Graph *g, ExprOp op, TypeId type, ExprId a, ExprId b);
ExprId expr3(Graph *g, ExprOp op, TypeId type, ExprId a, ExprId b, ExprId c);

static inline const ExprNode *expr_node(const Graph *g, ExprId e)
{
    return &g->nodes.at[e];
}
static inline ExprOp expr_op(const Graph *g, ExprId e)
{
    return (ExprOp)g->nodes.at[e].op;
}
static inline TypeId expr_type(const Graph *g, ExprId e)
{
    return g->nodes.at[e].type;
}
static inline uint32_t expr_index(const Graph *g, ExprId e)
{
    return g->nodes.at[e].payload;
}
static inline uint32_t expr_n(const Graph *g, ExprId e)
{
    const ExprNode *x = &g->nodes.at[e];
    return x->n == 0xFFFF ? g->words.at[x->at - 1] : x->n;
}
static inline ExprId expr_arg(const Graph *g, ExprId e, uint32_t i)
{
    return g->words.at[g->nodes.at[e].at + i];
}

double expr_real_value(const Graph *g, ExprId e); /* of OP_REAL; also of OP_INT, OP_BOOL, OP_ENUM */
int64_t expr_int_value(const Graph *g, ExprId e); /* of OP_INT, OP_BOOL, OP_ENUM */
Name expr_name(const Graph *g, ExprId e);         /* of OP_STRING */
bool expr_is_literal(const Graph *g, ExprId e);   /* OP_REAL … OP_ENUM */
const char *expr_op_text(ExprOp op);

/* ---- building with simplification (expr/build.c) ----
 * Smart constructors for scalars, and for arrays if the operator works element by element. They
 * fold constants exactly as generated code computes them, flatten and order sums and products, and
 * drop neutral elements. They never lose a possible failure other than 0*x. Types follow from the
 * arguments: Integer unless an argument is Real; a missing OP_TO_REAL is inserted. */
ExprId expr_add(Graph *g, ExprId a, ExprId b);
ExprId expr_sub(Graph *g, ExprId a, ExprId b);
ExprId expr_neg(Graph *g, ExprId a);
ExprId expr_mul(Graph *g, ExprId a, ExprId b);
ExprId expr_div(Graph *g, ExprId a, ExprId b);
ExprId expr_pow(Graph *g, ExprId a, ExprId b);
ExprId expr_if(Graph *g, ExprId c, ExprId a, ExprId b);
ExprId expr_and(Graph *g, ExprId a, ExprId b);
ExprId expr_or(Graph *g, ExprId a, ExprId b);
ExprId expr_not(Graph *g, ExprId a);
ExprId expr_compare(Graph *g, ExprOp op, ExprId a, ExprId b);
ExprId expr_blank(Graph *g, TypeId type); /* zero, false, "" or the first value: a scalar */
/* any other operator */
ExprId expr_apply(Graph *g, ExprOp op, TypeId type, uint32_t payload, const ExprId *args,
                  uint32_t n);
/* Rebuilds e bottom-up with the smart constructors. Each node is passed to `leaf` first; a non-zero
 * answer replaces the node, and its arguments are not visited. Iterative; shared nodes are visited
 * once. */
typedef ExprId (*ExprMapFn)(void *user, Graph *g, ExprId e);
ExprId expr_map(Graph *g, ExprId e, ExprMapFn leaf, void *user);
/* Calls visit for each distinct node below and including e, arguments first. */
void expr_walk(const Graph *g, ExprId e, void (*visit)(void *user, ExprId e), void *user);

/* ---- printing (expr/print.c) ---- Modelica syntax; leaf names by call-back (NULL: v12, #3, …). */
typedef void (*ExprLeafPrinter)(void *user, const Graph *g, ExprId leaf, char *buf, size_t size);
char *expr_print(const Graph *g, ExprId e, ExprLeafPrinter leaf, void *user, Arena *arena);

/* A print that can be read again. Sums of two terms and products are in an order of their text (the
 * graph orders them by number). Reals are compared as a model may compare them. */
typedef struct ExprStyle {
    ExprLeafPrinter leaf;
    /* Name of the function that e (OP_CALL, OP_FUNCTION, OP_OUT) calls; NULL: its own name. */
    const char *(*function_name)(void *user, ExprId e);
    /* Name of a record or an enumeration; NULL: its own name. */
    const char *(*type_name)(void *user, TypeId type);
    void (*scope)(void *user, uint32_t iterator,
                  bool enter); /* the text of an iterator's scope begins or ends */
    void *user;
    bool in_function; /* Reals may be compared with == there */
} ExprStyle;
char *expr_print_again(const Graph *g, ExprId e, const ExprStyle *style, Arena *arena);

#endif
