/* The interface of a compiled model, and the runtime it needs; no integrator is involved, so that
 * it fits into an FMU. It speaks FMI's words. All data of an instance lives in one block that the
 * host owns; generated code has no statics.
 *
 * Functions return 0, or a ModelStatus. Values are v[VarId]; v[0] is time. */
#ifndef RUNTIME_MODEL_H
#define RUNTIME_MODEL_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ModelStatus {
    MODEL_OK = 0,
    MODEL_NO_CONVERGENCE, /* a block: ModelData.failed_block */
    MODEL_SINGULAR,       /* a block's Jacobian */
    MODEL_NOT_FINITE,     /* NaN or infinity in a block or in derivatives */
    MODEL_NO_MIXED,       /* discrete unknowns of a block do not settle */
    MODEL_ASSERT,         /* in a function: ModelData.failed_assert */
    MODEL_NO_MEMORY,
    MODEL_INTERRUPTED, /* the host's flag was seen inside a loop of a function */
    MODEL_EXTERNAL,    /* an external function failed: the host knows which one, and its message */
} ModelStatus;

/* The data that generated code sees; its text declares the same struct (codegen/prelude). Only add
 * at the end. */
typedef struct ModelData {
    double *v;  /* values, size n_vars */
    double *dv; /* tangents, size n_vars; zero if inactive */
    double *r;  /* residuals of the block being solved, size of the largest block */
    /* size n_vars: parameter was given from outside, its equation is left out */
    const uint8_t *set;
    void *host;     /* Runtime */
    int32_t status; /* first failure inside a function called by an expression; 0 */
    int32_t failed_block, failed_assert;
    int32_t event; /* 1 while event() or initial() runs: relations are evaluated again */
    /* of the present part: added to the numbers of its blocks (not seen by generated code) */
    int32_t first_block;
} ModelData;

/* ModelBlockCode.constant: when the Jacobian changes; 0: it may always. */
enum { BLOCK_CONSTANT = 1, BLOCK_STEADY = 2 /* at events only */ };

typedef struct ModelBlockCode {
    void (*residual)(ModelData *m); /* inner steps, then m->r[i] for each torn equation */
    /* m->dv of inner steps and m->r[i] = directional derivative of the residuals, from m->dv of the
     * torn variables only */
    void (*tangent)(ModelData *m);
    void (*discrete)(ModelData *m); /* mixed: discrete unknowns again; NULL otherwise */
    const uint32_t *vars;           /* torn variables, size n */
    uint32_t n;
    uint8_t linear, constant, mixed;
    void (*sensitivity)(ModelData *m); /* as tangent, from m->dv of everything the block depends on;
                                          NULL if no state does */
    const uint32_t *discretes;         /* mixed: discrete unknowns, size n_discretes */
    uint32_t n_discretes;
    const uint32_t *switched; /* unknowns of switches, torn or inner; size n_switched */
    uint32_t n_switched;
    /* pattern of the Jacobian by columns, sizes n + 1 and nnz; NULL: dense */
    const uint32_t *col_ptr, *row;
    const uint32_t *colour; /* size n; columns of one colour share no row */
    uint32_t n_colours;
    void (*variation)(ModelData *m); /* as sensitivity, from m->dv of all Reals; NULL without
                                        ModelCode.variations */
} ModelBlockCode;

/* Negative numbers in ModelData.failed_assert. */
enum {
    FAILED_INDEX = -1,
    FAILED_SIZE = -2,
    FAILED_RANGE = -3,
    FAILED_DEPTH = -4,
    FAILED_DELAY = -5,
    FAILED_FORMAT = -6,
    FAILED_TEXT = -7
};

/* Tangents of the functions of ModelCode, with respect to all Reals: time, parameters, inputs, left
 * limits, discrete Reals and states. Each is called after its function, at the same values. It
 * computes m->dv of every Real that its function computes. Integers and Booleans have none. */
typedef struct ModelVariations {
    int (*parameters)(ModelData *m);
    int (*initial)(ModelData *m);
    int (*derivatives)(ModelData *m);
    int (*outputs)(ModelData *m);
    int (*constants)(ModelData *m);
    int (*event)(ModelData *m);
    int (*guards)(ModelData *m);
    /* m->r[k] is the tangent of z of relation k; of the value of reinit k; of start (2k) and
     * interval (2k + 1) of sample k. The host lends m->r the room. */
    void (*indicators)(ModelData *m);
    void (*actions)(ModelData *m);
    void (*samples)(ModelData *m);
} ModelVariations;

/* The table a compiled model exports under the symbol `kairos_model`. */
typedef struct ModelCode {
    int (*parameters)(ModelData *m); /* dependent parameters */
    /* the initial sequence, once through; event iteration is the host's */
    int (*initial)(ModelData *m);
    int (*derivatives)(ModelData *m); /* blocks of USE_DERIVATIVE, continuous parts */
    /* the remaining continuous parts (USE_INDICATOR and USE_OUTPUT) */
    int (*outputs)(ModelData *m);
    int (*constants)(ModelData *m); /* USE_PARAMETER blocks of main */
    int (*event)(ModelData *m);     /* all blocks of main, discrete parts included, in order */
    /* continuous parts for USE_INDICATOR that are not in derivatives */
    int (*guards)(ModelData *m);
    /* z of every relation; after derivatives and guards */
    int (*indicators)(ModelData *m, double *z);
    /* dv of derivatives from dv of states; after derivatives at the same point */
    int (*tangent)(ModelData *m);
    int (*actions)(ModelData *m, double *guard,
                   double *value); /* per action: guard (asserts: condition), value of reinit */
    const ModelBlockCode *blocks;  /* torn blocks by number (of codegen) */
    uint32_t n_blocks, n_vars, abi;
    const uint32_t *relations; /* variable of each relation, size n_relations */
    uint32_t n_relations;
    /* literals, size n_strings: a String is the number of its text (base/format.h) */
    const char *const *strings;
    uint32_t n_strings;
    /* Everything that indicators depend on, without the rest of derivatives. NULL: that is most of
     * derivatives, so call these and guards. */
    int (*crossings)(ModelData *m);
    const ModelVariations *variations; /* NULL: compiled without (CodegenOptions) */
} ModelCode;

enum { MODEL_ABI = 5 };

/* ---- a model put together from parts (joined_parts.c) ---- */
typedef struct ModelPart {
    const ModelCode *code;
    int32_t first_block; /* of its blocks among all */
} ModelPart;

/* Parts that compute disjoint variables of one data block, each after those that it depends on. The
 * first has parameters, crossing functions and actions. */
typedef struct ModelParts {
    ModelCode code; /* the functions of the host; its first member */
    ModelVariations variations;
    const ModelPart *parts;
    uint32_t n;
} ModelParts;

/* Fills in to->code, and first_block of the parts. `blocks` and `strings` have room for those of
 * all parts. Nothing may be freed before the runtime. */
void model_assemble(ModelParts *to, ModelPart *parts, uint32_t n, uint32_t n_vars,
                    ModelBlockCode *blocks, const char **strings);

/* ---- what generated code calls (src/runtime) ---- */
int kr_solve(ModelData *m, int block); /* torn block: Newton (one step if linear), damping, bounds;
                                          leaves inner variables evaluated */
int kr_solve_mixed(ModelData *m, int block); /* real part and discrete part until both agree */
int kr_solve_tangent(
    ModelData *m,
    /* dv of torn and inner variables from dv of the variables that the block depends on */
    int block);
/* the same with respect to all Reals, for ModelVariations */
int kr_solve_variation(ModelData *m, int block);
/* op: 0 <, 1 <=, 2 >, 3 >=; the relation's value at an event */
double kr_relation(ModelData *m, int relation, int op, double z);
void kr_fail(ModelData *m, int assert_id); /* a failed assert in a function: sets status */
/* a violated assert of warning level: noted once; 1 if it is new */
int kr_warn(ModelData *m, int assert_id);
/* An external function by its number in the graph. args[0] is the place of its result (NULL for
 * none), then come those of its arguments. Scalars and arrays are doubles; dims are the dimensions
 * of all arrays in order. Results are written to the same places. */
void kr_external(ModelData *m, int function, double *const *args, const int *dims);
/* A failure with the message, a String that was made for it; the message of the violation noted
 * last. */
void kr_fail_text(ModelData *m, int assert_id, double text);
void kr_warn_text(ModelData *m, double text);
/* Strings, by number. */
double kr_concat(ModelData *m, const double *parts, int n);
/* String(x, …). kind: 0 Real, 1 Integer, 2 Boolean, 3 String; options out of range are a failure.
 */
double kr_text(ModelData *m, int kind, double x, double digits, double length, double left);
/* String(x, format = …) */
double kr_format(ModelData *m, double x, double format);
double kr_literal(ModelData *m, double value, const double *texts, int n); /* texts[value - 1] */
/* -1, 0 or 1, like strcmp */
double kr_order(ModelData *m, double a, double b);
/* A function of the graph is entered, and left: in code that is compiled for a profile. */
void kr_enter(ModelData *m, int function);
void kr_leave(ModelData *m);
/* counts a pass of a while loop; 1 after too many, or interrupted */
int kr_loop(ModelData *m, int *n, int id);
/* Integer and event functions of the language, with exactly the evaluator's results. */
double kr_div(double a, double b);
double kr_mod(double a, double b);
double kr_rem(double a, double b);
double kr_sign(double a);
double kr_powi(double a, int n); /* by repeated multiplication, as the evaluator does */
double kr_pow(double a,
              /* kr_powi if b is an integer of at most 64 in size, otherwise pow of the C library */
              double b);
double kr_increment(double x); /* for a difference quotient at x */
/* The history of a delay at t - delay; part: order of its derivative there; 128 and more: the
 * same of its variation in the chosen direction (runtime_choose_variation), or, without variations,
 * of a past that moves with time. */
double kr_delay(ModelData *m, int part, double number, double t, double delay);
/* The value of a transport at `place`, 0 or 1, when x is reached; part: order of the derivative
 * along the way. */
double kr_carried(ModelData *m, int part, double number, double place, double x);
/* The same if the delay may be shorter than a step: beyond the history it leads to `now` at t. part
 * 64: derivative with respect to `now`. */
double kr_delay_to(ModelData *m, int part, double number, double t, double delay, double now);
/* Arrays of functions: a stack that grows on demand and is kept. kr_alloc yields NULL and sets
 * status when memory is exhausted. */
double *kr_alloc(ModelData *m, int n); /* zeroed; at least one element */
int kr_mark(ModelData *m);
void kr_release(ModelData *m, int mark);
int kr_index(ModelData *m, double i, int n); /* i - 1; outside 1..n a failure (assert -1), and 0 */
int kr_next(ModelData *m, int *q, int n);    /* (*q)++; beyond n a failure (assert -2), and 0 */
/* the vector; returns its size */
int kr_range(ModelData *m, double first, double step, double last, double **out);
int kr_range_count(ModelData *m, double first, double step, double last);
void kr_matmul(const double *a, const double *b, double *c, int rows, int inner, int columns);
void kr_matpow(ModelData *m, const double *a, double power, double *c, int n); /* c: zeroed */

/* ---- for the host (runtime.c) ---- */
typedef struct RuntimeVar { /* per VarId, for scaling and bounds */
    double nominal, min, max;
} RuntimeVar;

typedef struct RuntimeRelation {
    double scale;
} RuntimeRelation;

typedef struct RuntimeStats {
    uint64_t solves, iterations, jacobians, factorizations, mixed_iterations;
    uint64_t restarts; /* solves that needed more than the first attempt */
    uint64_t failures;
} RuntimeStats;

/* How blocks with discrete unknowns are solved. */
typedef enum MixedMethod {
    MIXED_AUTO,     /* the others in turn, until one succeeds */
    MIXED_FIXPOINT, /* real and discrete part alternately */
    MIXED_LIMITED,  /* only up to the nearest boundary of a relation at a time */
    MIXED_SEARCH,   /* combinations of relations */
} MixedMethod;

typedef struct Runtime Runtime;

/* Allocates all that solving needs, for one instance; nothing is allocated later. vars and
 * relations are copied by reference. NULL without memory. */
Runtime *runtime_new(const ModelCode *code, const RuntimeVar *vars,
                     const RuntimeRelation *relations, uint32_t n_relations, double tolerance);
void runtime_free(Runtime *rt);
ModelData *runtime_data(Runtime *rt);
RuntimeStats *runtime_stats(Runtime *rt);                            /* of all blocks */
RuntimeStats runtime_block_stats(const Runtime *rt, uint32_t block); /* without mixed_iterations */
/* How relations are decided: literally if forced or |z| > eps*scale, otherwise they keep their
 * value. `decided[k]`: 0 rule, 1 force false, 2 force true (a located or scheduled crossing). NULL:
 * all by rule. `literal`: no rule at all (initialization). */
void runtime_relations(Runtime *rt, const uint8_t *decided, double eps, int literal);
/* Per relation, owned by the host. If z of a decided relation moves away from this value by more
 * than eps*scale, the rule applies from then on. NAN: it stays as decided. */
void runtime_decided_at(Runtime *rt, const double *z);
/* Whether a block whose solution cannot be continued may jump to another solution between events.
 */
void runtime_jumps(Runtime *rt, int allowed);
/* The present solutions belong to a point that stays: evaluations that go back in time, after a
 * rejected step, start from them. */
void runtime_accept(Runtime *rt);
/* The last singular but consistent block that was solved for the smallest values since the previous
 * call; -1 for none. */
int runtime_rescued(Runtime *rt);
/* Singular but consistent blocks take another of their solutions: this far, in nominal values, from
 * the smallest one. 0: the smallest. */
void runtime_split(Runtime *rt, double shift);
int runtime_singular(const Runtime *rt); /* the same, without a reset */
/* Whether singular blocks count as not solved, even if they are consistent. */
void runtime_regular(Runtime *rt, int only);
/* ---- singular at one instant only (transient_singularity.c) ---- */
typedef struct RuntimeInstant {
    const uint32_t *strings; /* as for runtime_sweep */
    uint32_t n_strings;
    double time_scale; /* of the model, in seconds */
    double *kept;      /* work, size n_vars */
} RuntimeInstant;

/* After ModelCode.event solved a singular block (runtime_singular): if the equations fail a moment
 * later, evaluates them with a combination of switches without singular blocks. True if there is
 * none: then the values stay as they are. */
bool runtime_is_momentary(Runtime *rt, const RuntimeInstant *e);

/* The open form: while `rest` is not NULL, blocks that depend on states are not solved. Their
 * residuals at the present values go to `rest`, block after block. In tangents these are the
 * tangents of the residuals, from dv of states and tearing variables. */
void runtime_open(Runtime *rt, double *rest);
/* Measures calls of blocks and functions. `blocks`: the item of each block. */
struct Profile;
void runtime_profile(Runtime *rt, struct Profile *p, const uint32_t *blocks);
/* From now on calls the functions of another compilation of the same model. */
void runtime_adopt(Runtime *rt, const ModelCode *code);
void runtime_mixed(Runtime *rt, MixedMethod method);
/* whether all combinations of relations of a block can be tried */
bool runtime_can_search(const Runtime *rt, uint32_t block);
/* The method that settled the last mixed block since the last call, MIXED_AUTO for none, and its
 * turns. */
MixedMethod runtime_mixed_used(Runtime *rt, uint32_t *turns);
/* Whether a mixed block without a solution may be left after one turn. Its reals then solve the
 * equations for its previous discrete values, and its discrete values follow from these reals. Left
 * limits that follow them may give it a solution. */
void runtime_one_turn(Runtime *rt, bool allowed);
/* Whether that happened since it was allowed. */
bool runtime_unsettled(const Runtime *rt);
/* parameters or discrete values changed: cached Jacobians are stale */
void runtime_invalidate(Runtime *rt);
/* The flag that ends loops of functions; NULL for none. */
void runtime_interrupt(Runtime *rt, const _Atomic int *flag);
/* The function that kr_external calls; it returns a ModelStatus. */
typedef int (*RuntimeExternal)(void *user, int function, double *const *args, const int *dims);
void runtime_external(Runtime *rt, RuntimeExternal call, void *user);
/* Before the first solution of a nonlinear block: puts better guesses than start values into its
 * tearing variables; false if there are none. */
typedef bool (*RuntimeGuess)(void *user, uint32_t block);
void runtime_guess(Runtime *rt, RuntimeGuess guess, void *user);
/* Whether large blocks that do not converge from start values and guesses are given up at once.
 * Returns whether one was, since the last call. */
bool runtime_quick(Runtime *rt, bool quick);
/* ---- profiles of transports (transport.c) ---- */
bool runtime_transports(Runtime *rt, uint32_t n); /* once; false without memory */
/* Begins profile k at x with n values at places in [0, 1], in rising order. False without memory.
 */
bool transport_start(Runtime *rt, uint32_t k, double x, const double *places, const double *values,
                     uint32_t n);
/* A step from the last x: at DELAY_NODES instants, x and the values at both ends. False without
 * memory. */
bool transport_append(Runtime *rt, uint32_t k, const double *x, const double *in0,
                      const double *in1);

/* An event: the profile may have a kink at both ends, or a jump if indicated. */
void transport_break(Runtime *rt, uint32_t k, bool jumps0, bool jumps1);
/* -x (place 0) or x at which one arrives; INFINITY: none */
double transport_next_break(const Runtime *rt, uint32_t k, int place);
bool transport_pass(Runtime *rt, uint32_t k, int place); /* lets it pass; true if it jumps */

/* ---- histories of delays (delay.c) ---- */
enum { DELAY_NODES = 5 };
extern const double delay_nodes[DELAY_NODES]; /* places in [0, 1] at which a step is recorded */
bool runtime_delays(Runtime *rt, uint32_t n); /* once; false without memory */
/* histories are kept when another program comes into use */
void runtime_take_delays(Runtime *to, Runtime *from);
/* Histories of n variations of each delay; that of delay k in direction j has the number
 * (1 + j)*n_delays + k. False without memory. */
bool runtime_vary_delays(Runtime *rt, uint32_t n);
/* A variation in which all past values have the derivative 1, seen from t. False without memory. */
bool runtime_unit_pasts(Runtime *rt, double t);
/* The direction whose histories the model reads. */
void runtime_choose_variation(Runtime *rt, uint32_t j);
/* Begins history k; `longest` bounds the delay, times within `slack` are one. */
void delay_start(Runtime *rt, uint32_t k, double t, double value, double longest, double slack);
/* Values at t0 + (t1 - t0)*delay_nodes[i]; t0 is where the history ended. False without memory. */
bool delay_append(Runtime *rt, uint32_t k, double t0, double t1, const double *values);
/* An event at the end of the history, at t: the history continues from `value` with a kink, or
 * jumps. */
bool delay_break(Runtime *rt, uint32_t k, double t, double value, bool jumps);
bool delay_ends_at_break(const Runtime *rt, uint32_t k);
/* The history of a variation begins or breaks as that of its delay; the instant moves by `shift`.
 */
void delay_start_variation(Runtime *rt, uint32_t j, uint32_t k, double value);
bool delay_break_variation(Runtime *rt, uint32_t j, uint32_t k, double value, double shift);
/* How the next break moves in direction j; 0 if there is none. */
double delay_next_shift(const Runtime *rt, uint32_t j, uint32_t k);
double delay_next_break(const Runtime *rt, uint32_t k); /* INFINITY: none under way */
/* Breaks up to time t of the history have arrived: from now on values are those after them. True
 * if one jumps. */
bool delay_pass(Runtime *rt, uint32_t k, double t);

/* Strings: the number of a text, which is kept; the text of a number, "" if it is unknown, valid
 * until the next sweep. */
double runtime_string(Runtime *rt, const char *text);
const char *runtime_text(const Runtime *rt, double number);
/* Frees intermediate texts that no variable holds. Called between evaluations; does nothing while
 * they are few. */
void runtime_sweep(Runtime *rt, const uint32_t *vars, uint32_t n);
/* Message of the failed assert if it was made at run time, or NULL; of violation i of those below.
 */
const char *runtime_failed_text(const Runtime *rt);
const char *runtime_warning_text(const Runtime *rt, uint32_t i);
/* Numbers of asserts of warning level that were violated, each once, in order of time. */
const int32_t *runtime_warnings(const Runtime *rt, uint32_t *n);
/* The undetermined part of a singular block: weights of its torn equations that depend on each
 * other, and of tearing variables that these do not determine. Sizes n, the largest weight 1. 0 if
 * the block is regular at the present values, or too large. */
int runtime_null(Runtime *rt, int block, double *rows, double *columns);
/* Histories, profiles, texts, and solutions of blocks that later ones begin from, to a snapshot or
 * from it (runtime_snapshot.c). Values are the host's. Histories must have been started. */
struct Snapshot;
void runtime_snapshot(Runtime *rt, struct Snapshot *p);
/* Names of a failure, for messages. */
/* last residuals of the block that failed */
double runtime_residual(const Runtime *rt, int block, uint32_t i);

#endif
