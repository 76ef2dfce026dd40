/* Shared by the files of runtime/. */
#ifndef RUNTIME_INTERNAL_H
#define RUNTIME_INTERNAL_H

#include "numerics/dense.h"
#include "runtime/model.h"
#include "runtime/profile.h"

#include <stddef.h>

#define RUNTIME_SHARE 1e-4 /* tolerance of blocks, as a part of the integrator's */

enum {
    OPEN_LIMIT = 8,     /* most free unknowns of a singular block to share out */
    RESCUE_LIMIT = 400, /* largest block with dense factors as a fallback */
    WARNING_LIMIT = 64,
};

typedef struct Sparse Sparse;
typedef struct Smallest Smallest;
typedef struct Delay Delay;
typedef struct Transport Transport;

typedef struct Block {
    const ModelBlockCode *code;
    uint32_t n;
    double *nominal, *lo, *hi; /* of the torn variables, size n */
    double *good, *last_good;  /* last solution, and the one before it in time; size n */
    double *base;              /* solution at the last accepted point, if has_base; size n */
    /* the point at which the iteration from the start ended without a solution; size n */
    double *stuck;
    double good_time, last_time, base_time;
    double *last;  /* residuals after the last attempt, size n */
    double *scale; /* of the rows, size n: residual/scale is in units of nominal values */
    double *lu;    /* n*n, dense blocks */
    uint32_t *pivot;
    Sparse *sparse;     /* blocks with a pattern, after their first Jacobian */
    Smallest *smallest; /* blocks that were singular but consistent; else NULL */
    RuntimeStats stats;
    bool has_good, has_last, has_base;
    bool factored;       /* factors exist, of some earlier point */
    bool exact;          /* factors belong to the present point */
    uint32_t *relations; /* among the discrete unknowns */
    uint32_t n_relations;
} Block;

struct Runtime {
    ModelData m;
    const ModelCode *code;
    const RuntimeVar *vars;
    const RuntimeRelation *relations;
    uint32_t n_relations;
    double tolerance; /* of blocks: on the step in units of nominal + |x| */
    double longest;   /* step of an iteration, in the same units; 0 for no limit */
    Block *blocks;
    double *x, *dx, *r;    /* work, size of the largest block */
    double *matrix, *work; /* for singular systems */
    uint32_t *order;
    double *old_discretes; /* largest number of discrete unknowns */
    uint64_t *seen;        /* mixed iteration: hashes of the combinations tried */
    const uint8_t *decided;
    const double *decided_at; /* NULL: decided relations stay so */
    double *open;             /* where residuals of open blocks go next; NULL: blocks are solved */
    double *open_work;        /* of open_solutions.c */
    uint32_t rank;            /* of the Jacobian that jacobian_rescue met last */
    double *shift;            /* of the residuals; size of the largest block */
    double shift_by;          /* subtracts shift_by*shift from the residuals */
    bool jumps;               /* solutions of blocks may jump */
    /* of a mixed block: the combination of relations that it began with is singular */
    bool present_failed;
    /* one of many combinations of relations is tried: only by Newton's method */
    bool trial;
    bool thorough;      /* such combinations get the rescues of Newton's method, too */
    uint8_t *forced;    /* per relation: as decided, set while combinations are tried */
    double *held;       /* per relation: its value if the code names no variables */
    bool regular;       /* singular blocks count as not solved */
    double split_shift; /* singular blocks: this far from the smallest solution; 0: at it */
    int rescued;        /* number + 1 of the last singular block that was solved; 0: none */
    /* of relations: relative to their scale; absolute, of the block being solved */
    double eps, slack;
    bool literal;
    RuntimeStats stats;
    const _Atomic int *interrupt;
    RuntimeExternal external; /* NULL: none can be called */
    void *external_user;
    RuntimeGuess guess; /* NULL: there are only start values */
    void *guess_user;
    bool quick, gave_up;               /* runtime_quick */
    int32_t warned[WARNING_LIMIT];     /* size n_warned; further ones are not reported */
    double warned_text[WARNING_LIMIT]; /* size n_warned: numbers of their messages */
    uint32_t n_warned;
    /* message of ModelData.failed_assert, if status is MODEL_ASSERT; 0 for none */
    double failed_text;
    struct StringTable *strings; /* NULL if there are none */
    double *own_v, *own_dv;      /* as allocated; the host may change m */
    const uint8_t *own_set;
    Delay *delays; /* size (1 + n_varied)*n_delays */
    uint32_t n_delays;
    uint32_t n_varied, direction; /* of variations; the direction that the model reads */
    Transport *transports;
    uint32_t n_transports;
    /* mixed blocks */
    /* per relation: z at its last decision, and at the beginning of the step */
    double *last_z, *from_z;
    bool *wanted; /* per relation: its value by z then */
    /* beginning of the step, and of the whole path; torn variables, then discrete unknowns */
    double *from, *start;
    MixedMethod mixed, mixed_used;
    bool one_turn;  /* one turn of a block without a solution is allowed */
    bool unsettled; /* a block took such a turn */
    uint32_t turns;
    struct StackChunk *chunk; /* arrays of functions */
    Profile *profile;         /* NULL: none is requested */
    const uint32_t *profiled; /* per block: its item */
    const char *stack;        /* highest place on the C stack from which a function was entered */
};

static inline Runtime *runtime_of(ModelData *m)
{
    return (Runtime *)m->host;
}

/* jacobian.c. Both evaluate at the present point. */
/* MODEL_OK, MODEL_SINGULAR, MODEL_NOT_FINITE, MODEL_NO_MEMORY */
int jacobian_factor(Runtime *rt, Block *b);
/* The matrix by columns, scaled by rows with `scale` and by columns with nominal values; false
 * where an entry is not finite. */
bool jacobian_dense(Runtime *rt, Block *b, double *a);
void jacobian_solve(Runtime *rt, Block *b, double *r); /* r := -J⁻¹ r */
/* The smallest r := -J⁺ r, except kept[j] for an unknown that occurs in no equation; kept is
 * overwritten, NULL means zeros. MODEL_SINGULAR if r cannot be reached. */
int jacobian_rescue(Runtime *rt, Block *b, double *r, double *kept);
/* Whether a singular block counts as solved: its residuals in m.r are small against the effect of
 * nominal changes of its unknowns, and against the terms of their rows. Huge slopes make the first
 * alone admit rows that are far from zero. */
bool jacobian_solved(Runtime *rt, Block *b, double limit);
/* After jacobian_rescue: vector i < n - rank of the null space, in x. */
void jacobian_open(const Runtime *rt, const Block *b, uint32_t i, double *x);
/* For a singular Jacobian at the present point: weights of rows that add up to zero, and weights of
 * columns that the rows do not determine. The largest is 1. False if the block is too large, or not
 * singular. */
bool jacobian_null(Runtime *rt, Block *b, double *rows, double *columns);
/* for sparse_jacobian.c: tangents of the torn variables are zero; rows get scales from entries */
void jacobian_clear_seeds(Runtime *rt, const Block *b);
void jacobian_begin_scale(Block *b);
void jacobian_note_entry(Block *b, uint32_t i, double scaled);
void jacobian_end_scale(Block *b);

/* sparse_jacobian.c: the same for a large block whose pattern the code gives */
int sparse_factor(Runtime *rt, Block *b);
void sparse_solve(Block *b, double *r); /* r := J⁻¹ r, scaled */
void sparse_free(Block *b);

/* transport.c */
void transports_free(Runtime *rt);
void transports_snapshot(Runtime *rt, struct Snapshot *p);

/* delay.c */
void delays_free(Runtime *rt);
void delays_snapshot(Runtime *rt, struct Snapshot *p);
/* Polynomials through n values, at most DELAY_NODES, over nodes: c goes from values to divided
 * differences; a derivative at x. */
void divided_differences(const double *nodes, double *c, int n);
double newton_polynomial(const double *nodes, const double *c, int n, double x, int part);

/* kernels.c */
enum { SEEN_LIMIT = 64, LOOP_LIMIT = 100000000 };
void stack_free(Runtime *rt);

/* strings.c */
void strings_of_code(Runtime *rt, const ModelCode *code);
void strings_free(Runtime *rt);
void strings_snapshot(Runtime *rt, struct Snapshot *p);

/* evaluate_block.c */
/* residuals at the present point, in m.r */
int solve_evaluate(Runtime *rt, Block *b);
void solve_keep(const Runtime *rt, const Block *b, double *x); /* x := tearing variables */

/* discrete unknowns of the block at the present point */
int evaluate_discretes(Runtime *rt, Block *b);

/* solve.c */
int solve_block(Runtime *rt, uint32_t number);
/* Solves block `block` of the present part, and measures it for a profile. */
int solve_profiled(Runtime *rt, int block, int (*solve)(Runtime *, uint32_t));
/* Newton's method from the present point */
int solve_iterate(Runtime *rt, Block *b, bool bounded);
void solve_start_anew(Runtime *rt, Block *b); /* to the last solution, or zero */
void solve_accept(Block *b);                  /* see runtime_accept */

/* open_solutions.c */
/* At a solution of a singular block, after jacobian_rescue: moves to the smallest solution, or
 * stays, and from there to the nearest one that agrees with the relations of the block. False if
 * the switches do not decide; the point is then as before. */
bool open_share(Runtime *rt, Block *b, bool smallest, int *status);
/* Number of doubles in open_work for blocks of at most these sizes. */
size_t open_size(uint32_t n, uint32_t n_switched, uint32_t n_discretes);

/* smallest_solution.c */
/* Moves a block with several solutions from one of them to the smallest. */
int smallest_solution(Runtime *rt, Block *b);
void smallest_free(Block *b);

/* newton_rescue.c */
int rescue_by_homotopy(Runtime *rt, Block *b);

#endif
