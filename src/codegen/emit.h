/* Emission of expressions as C, shared by the files of codegen/. Not for other folders.
 *
 * A group of expressions (the roots) becomes statements that define temporaries, and a text per
 * root. Nodes used more than once, deep nodes and arrays become temporaries. A node is computed
 * only where its value is certainly needed. A node below a branch of OP_IF stays in that branch;
 * several branches compute it separately. Only nodes that both branches of an OP_IF need are
 * computed before it. */
#ifndef CODEGEN_EMIT_H
#define CODEGEN_EMIT_H

#include "codegen/codegen.h"
#include "base/text.h"

enum {
    EMIT_NONE = UINT32_MAX,
    EMIT_MAX_TERMS = 48
}; /* terms of a sum or product in one statement */

typedef struct EmitNode {
    ExprId e;
    /* first place of computation: EmitPlace, then EmitPlace.next; EMIT_NONE ends */
    uint32_t first;
    uint32_t branch[2]; /* regions of OP_IF's branches; [0] the body's of OP_REDUCE and
                           OP_COMPREHEND; at the place being written */
    uint32_t size;      /* operators of the inline text; 0 for a temporary */
    uint16_t depth;     /* nesting of the inline text */
    bool temp;          /* has a name, t<index of the node> */
    bool array;
    bool constant; /* folded: value */
    bool inner;    /* a branch has temporaries: a statement instead of ?: */
    bool can_fail; /* calls a function or takes a computed subscript */
    bool row;      /* an array of variables whose values lie in a row, from v[slot] on */
    uint32_t slot;
    double value;
} EmitNode;

/* A region in which a node is computed. No place of a node is within another. */
typedef struct EmitPlace {
    uint32_t node, region;
    uint32_t uses; /* how often the text of the region names the node */
    uint32_t branch[2];
    uint32_t next;  /* of the same node */
    uint32_t after; /* temporary of the same region */
} EmitPlace;

typedef struct EmitRegion {
    uint32_t parent, depth;
    uint32_t owner;   /* node to which the branch belongs */
    uint32_t first;   /* its temporaries: EmitPlace, then EmitPlace.after; EMIT_NONE ends */
    uint32_t sibling; /* the other branch of an OP_IF, or EMIT_NONE */
} EmitRegion;

typedef struct Codegen Codegen;
typedef void (*EmitHole)(Codegen *cg, Text *t, uint32_t hole);

struct Codegen {
    const Plan *plan;
    Dae *dae;
    Graph *g;
    Context *ctx;
    bool comments;
    bool profiled; /* functions report their calls */
    bool failed;
    Arena *scratch;
    Text tables;    /* constant tables, before the functions that use them */
    Text functions; /* of the model */
    Text prototypes;
    Text body;                /* sections and blocks */
    Span span;                /* of the present expression, for messages */
    const Function *function; /* being emitted */
    VEC(uint32_t) called;     /* functions of the model in order of first use */
    Map called_at;            /* function id → index in called */
    Map lowered;              /* function id → id of the one without records */
    VEC(Name) strings;        /* literals */
    Map string_at;            /* number of the text → index in strings */
    uint32_t n_asserts;       /* number of the next assert */
    uint32_t n_tables;
    Map constant_arrays; /* OP_ARRAY → 1 if all its elements are literals, otherwise 0 */
    Map constant_tables; /* such an array → number of its table */

    /* the group being emitted */
    EmitHole hole;
    void *hole_user;
    const char *escape; /* statement that leaves after m->status was set */
    unsigned indent;
    bool element; /* arrays are printed with [k] */
    bool arrays;  /* the group allocates: it is bracketed by kr_mark and kr_release */
    VEC(EmitNode) nodes;
    VEC(EmitPlace) places;
    VEC(EmitRegion) regions;
    VEC(uint32_t) index; /* per ExprId: index in nodes, valid if nodes.at[…].e agrees */
};

/* Analyses the roots and writes statements for their temporaries. Afterwards emit_value may print
 * each root. */
void emit_group(Codegen *cg, Text *t, const ExprId *roots, uint32_t n);
/* The number's text: a name, a literal or an expression in parentheses (`bare`: without outer
 * ones). */
void emit_value(Codegen *cg, Text *t, ExprId e, bool bare);
/* The text as a C condition. */
void emit_condition(Codegen *cg, Text *t, ExprId e);
void emit_indent(Codegen *cg, Text *t);
/* Whether e is an array of literals, which becomes a constant table. */
bool emit_is_table(Codegen *cg, ExprId e);
/* Whether e is an array of variables of the present group whose values lie in a row: those from
 * v[*slot] on. */
bool emit_find_row(Codegen *cg, ExprId e, uint32_t *slot);
/* "t12" of a node that is a temporary, the name of an array. */
void emit_name(Codegen *cg, Text *t, ExprId e);
void emit_region(Codegen *cg, Text *t, uint32_t region);
EmitNode *emit_node(Codegen *cg, ExprId e);
/* Reports once that the construct cannot be compiled. */
void emit_reject(Codegen *cg, const char *what);

/* emit_analysis.c: fills nodes, places and regions of the roots. False if something was
 * rejected. */
bool emit_analyse(Codegen *cg, const ExprId *roots, uint32_t n);
/* Nodes without arguments to compute. */
bool emit_is_leaf(ExprOp op);
/* Nodes that always need statements. */
bool emit_needs_statement(Codegen *cg, const EmitNode *x);
/* 2, 3 or 4 if e is a power with this literal exponent, written as a product; 0 otherwise. */
int emit_small_power(const Graph *g, ExprId e);

/* emit_array.c: statements that define an array node, a reduction, a call that is not simple. */
void emit_statement(Codegen *cg, Text *t, ExprId e);
/* Dimension k (from 0) of an array expression, a literal or a name; the number of its elements. */
void emit_dim(Codegen *cg, Text *t, ExprId e, uint32_t k);
void emit_count(Codegen *cg, Text *t, ExprId e);
/* The position of a[subscripts] for scalar subscripts that leave no dimension. */
void emit_subscript(Codegen *cg, Text *t, ExprId array, const ExprId *subs, uint32_t n);
bool emit_is_array(const Codegen *cg, ExprId e);
uint32_t emit_rank(const Codegen *cg, ExprId e);
/* Whether the type leaves dimension k open. It is then a variable, whose declaration emit_begin_dim
 * begins ("int t5_d0 = "). */
bool emit_is_open(const Codegen *cg, ExprId e, uint32_t k);
void emit_begin_dim(Codegen *cg, Text *t, ExprId e, uint32_t k);
/* "double *t5 = kr_alloc(m, n);" with the way out. */
void emit_allocate(Codegen *cg, Text *t, ExprId e);
/* "if (… != …)" with the failure and the way out, if dimension i of a or j of b is open. */
void emit_check_dim(Codegen *cg, Text *t, ExprId a, uint32_t i, ExprId b, uint32_t j);
/* An OP_INDEX that is not a scalar: loops over k0, k1, … and the element within them. */
void emit_part_loops(Codegen *cg, Text *t, ExprId e);
void emit_part(Codegen *cg, Text *t, ExprId e);
/* emit_matrix.c: false if the node is not one of its operators. */
bool emit_matrix(Codegen *cg, Text *t, ExprId e);

/* emit_call.c: notes that function `id` is called and yields its C name's number. */
/* A call that fits into an expression: one scalar result, not too many arguments; its text. */
bool emit_call_is_simple(const Codegen *cg, ExprId e);
void emit_simple_call(Codegen *cg, Text *t, ExprId call);
/* The statements of any other call. */
void emit_call_statement(Codegen *cg, Text *t, ExprId call);
/* The C function returns its result; it takes the address of one structure with all parameters. */
bool emit_returns_scalar(const Codegen *cg, const Function *f);
/* "static double f3(ModelData *m, double l0)"; the prototype, after the structure. */
void emit_signature(Codegen *cg, Text *t, const Function *f, uint32_t number);
void emit_prototype(Codegen *cg, Text *t, const Function *f, uint32_t number);
/* At the beginning of the body: gets inputs from the structure; at its end: puts results where the
 * caller expects them. */
void emit_inputs(Codegen *cg, Text *t, const Function *f);
void emit_results(Codegen *cg, Text *t, const Function *f);

/* emit_function.c: all functions that are called. */
void emit_functions(Codegen *cg);

/* split_records.c: the expression of an equation without records in its calls; or the function
 * without records in its variables and body (NULL after an error). Only if records_inside. */
ExprId records_expression(Codegen *cg, ExprId e);
bool records_inside(const Graph *g, const Function *f);
const Function *records_function(Codegen *cg, const Function *f);

/* assignment_loops.c: assignments in sequence, like ones as loops. */
typedef enum ItemKind {
    ITEM_VALUE,    /* v[target] = e */
    ITEM_SET,      /* v[target] = e unless m->set[target] */
    ITEM_RELATION, /* v[target] = kr_relation(m, detail, op, e) */
    ITEM_RESIDUAL, /* m->r[target] = e */
    ITEM_OUT,      /* out[target] = e, of a section with a result array */
    ITEM_TANGENT,  /* dv[target] = sum of de/dhole * dv[operand] over the active operands */
    ITEM_SLOPE,    /* m->r[target] = the same sum */
    ITEM_SOLVE,    /* kr_solve…(m, target); `op` says which */
} ItemKind;

typedef enum SolveCall { SOLVE_BLOCK, SOLVE_MIXED, SOLVE_TANGENT, SOLVE_VARIATION } SolveCall;

typedef struct Item {
    uint8_t kind; /* ItemKind */
    /* SolveCall, the relation's operator 0…3, or 1 for a tangent unless m->set[target] */
    uint8_t op;
    bool directed;   /* a tangent: e is its value; hole n + k is the tangent of operand k */
    ExprId e;        /* shape over the operands */
    uint32_t ops, n; /* operands: dae->ops */
    uint32_t target;
    /* ITEM_RELATION: number; ITEM_RESIDUAL, ITEM_SLOPE: variable to subtract, or NONE */
    uint32_t detail;
    EqId eq;      /* for the comment, NONE for none */
    uint32_t key; /* of bulk: like items have the same */
} Item;

typedef VEC(Item) Items;

typedef struct Sequence {
    const char *name;      /* of the function; pieces are name_0, … */
    const char *out;       /* name of the result array of ITEM_OUT, or NULL */
    bool is_void;          /* returns nothing, cannot fail */
    const uint8_t *active; /* per variable, for tangents */
} Sequence;

/* Writes the function `name` that executes the items in order; items' keys are set. */
void assignments_function(Codegen *cg, Items *items, const Sequence *seq);

#endif
