/* Integrators of x' = f(t, x). A solver takes steps and interpolates inside the last one; it knows
 * nothing of events.
 *
 * In: a Problem, which must outlive the solver. Out: steps. create allocates everything. A solver
 * is one file with its function create and one row of solvers.def; other code uses its properties.
 * This room knows nothing of models, events and Sim. */
#ifndef SIM_SOLVER_H
#define SIM_SOLVER_H

#include <stdbool.h>
#include <stdint.h>

/* The system with the blocks of the model open: unknowns y = (x, w), where w are tearing variables
 * of blocks. */
typedef struct OpenProblem {
    uint32_t n; /* of y */
    /* r = (f(t, x, w), residuals of blocks) */
    int (*f)(void *user, double t, const double *y, double *r);
    /* ∂r/∂y; NULL: not available */
    int (*jacobian)(void *user, double t, const double *y, double *values);
    /* x in y is given: w and x' */
    int (*start)(void *user, double t, double *y, double *slope);
    const uint32_t *col_ptr, *row;
    const double *atol; /* size n */
    bool has_blocks;    /* otherwise the open form is the closed one */
} OpenProblem;

typedef struct Problem {
    uint32_t n; /* number of states; may be 0 */
    void *user;
    /* 0: done; > 0: not at this point, a shorter step may help; < 0: never */
    int (*f)(void *user, double t, const double *x, double *dx);
    /* Values of ∂f/∂x in the order of the pattern; answers as f does. NULL: not available. */
    int (*jacobian)(void *user, double t, const double *x, double *values);
    const uint32_t *col_ptr, *row; /* pattern of the Jacobian by columns; sizes n + 1, nnz */
    /* Inline integration: solves all equations at t with der = rate*(x - old). x: guess in,
     * solution out. NULL: not available. */
    int (*stage)(void *user, double t, double rate, const double *old, double *x, double *der);
    /* Mixed mode: the same only for the inlined states. The other states keep their values in x;
     * der has the derivatives of all. NULL: not available. */
    int (*part)(void *user, double t, double rate, const double *old, double *x, double *der);
    const bool *inlined; /* size n; NULL if part is */
    double rtol;
    const double *atol; /* size n */
    double share;       /* of the tolerance for a step of an explicit method; 0: all */
    /* Errors of steps count as many times, after a long way without events; 0: once. It changes
     * from step to step. */
    double strictness;
    uint64_t way;       /* smooth steps since the last event */
    double step;        /* of methods with a fixed step */
    bool ranked;        /* Solver.limiting is read after every step */
    uint32_t n_colours; /* evaluations that a Jacobian takes */
    OpenProblem open;
} Problem;

typedef enum StepStatus {
    STEP_OK,
    STEP_MODEL_FAILED,   /* f fails even for the shortest step */
    STEP_TOO_SMALL,      /* the error test fails even for the shortest step; Solver.limiting */
    STEP_NO_CONVERGENCE, /* the implicit equations of the step cannot be solved */
    STEP_OUT_OF_RANGE,   /* x is no longer finite */
} StepStatus;

/* Tangents beside the states: n directions S, each of size Problem.n, with S' = J S + b. Explicit
 * methods integrate them in their own stages; the others leave `known` false. All arrays have the
 * size of S. */
typedef struct Beside {
    uint32_t n;
    void *user;
    /* The slopes at s, where Problem.f was evaluated last; answers as f does. */
    int (*f)(void *user, const double *s, double *slopes);
    double (*measure)(void *user); /* `error` in tolerances */
    double *from;                  /* in: S at the beginning of the step */
    bool same; /* in: the last step ended with it, so that its last slopes count */
    double *stage;
    double *slopes[7];
    /* Out: whether the last step has tangents; S at its end, the estimated error, and its size in
     * tolerances. A step is rejected by the error of S as well, but a few times at most: then S
     * may be worse than the tolerance. Inside the step, S is Hermite's cubic with the first and
     * last slopes, plus u²(1 - u)² r4. */
    bool known;
    double *to, *error, *r4, size;
} Beside;

typedef struct Solver Solver;
struct Snapshot;

struct Solver {
    const Problem *p;
    double t0, t;      /* the last step went from t0 to t */
    uint32_t limiting; /* the state whose error limited the last step; UINT32_MAX if unknown */
    bool stiff;        /* an explicit method found its step bounded by stability */
    double stiffness;  /* of an explicit method: last step times spectral radius, estimated */
    /* if the model is stiff, slopes of the dense output may differ from the equations */
    bool implicit;
    uint64_t steps, rejected;
    Beside *beside; /* for the next step; NULL: none */
    /* Starts at (t, x); keeps its knowledge of the step size. */
    void (*restart)(Solver *s, double t, const double *x);
    /* One step from t, not beyond limit; if it ends there, t == limit exactly. Requires limit > t
     * by some roundings. */
    StepStatus (*step)(Solver *s, double limit);
    /* x at a time within [t0, t]; exact at t. */
    void (*dense)(Solver *s, double t, double *x);
    /* After a step: makes x within [t0, t] as accurate as at its end, for some evaluations. False
     * if nothing has changed. NULL: not available. */
    bool (*refine)(Solver *s);
    /* Implicit methods: the slope of the dense output at t within [t0, t]. False: not known. NULL:
     * not available. */
    bool (*slope)(Solver *s, double t, double *slope);
    /* With slope: b becomes (rate - J)⁻¹ b, J the Jacobian and rate that of the last step, which is
     * returned. */
    double (*filter)(Solver *s, double *b);
    /* Inline integration: rate and old values (size n) for an evaluation at t within [t0, t]. NULL
     * for other solvers. */
    double (*rate_at)(Solver *s, double t, double *old);
    /* length of the first step after a restart over that of the last step; 0: unused */
    double restart_share;
    /* Writes the data that restarts keep, such as the step size, to a snapshot or reads them; NULL:
     * nothing. */
    void (*snapshot)(Solver *s, struct Snapshot *p);
    void (*destroy)(Solver *s);
};

typedef enum SolverProperty {
    SOLVER_AUTO = 1, /* `auto` chooses among these, each with its own set of the other properties */
    SOLVER_MULTISTEP = 2,
    SOLVER_OPEN_FORM = 4, /* solves Problem.open */
    SOLVER_EXPLICIT = 8,
    SOLVER_FIXED_STEP = 16,
    SOLVER_INLINE = 32, /* solves Problem.stage */
} SolverProperty;

/* How inline integration goes from the old value of a state to the new one. */
typedef enum InlineMethod { INLINE_RADAU, INLINE_EULER, INLINE_BDF2 } InlineMethod;

typedef struct SolverKind {
    const char *name;
    Solver *(*create)(const Problem *p); /* NULL if its library fails */
    unsigned properties;                 /* SolverProperty */
} SolverKind;

/* By name, `auto` being the first of those it chooses among; NULL if unknown. Without states
 * every name gives the solver "none". */
const SolverKind *solver_find(const char *name, const Problem *p);
/* The first with exactly these properties; NULL: none. */
const SolverKind *solver_with(unsigned properties);
/* "auto" and the names of all, NULL at the end. */
const char *const *solver_names(void);
/* Counts of a solver, and data that its restarts keep. After reading them, it must restart. */
void solver_snapshot(Solver *s, struct Snapshot *p);
/* Whether a name means inline integration. */
bool solver_is_inline(const char *name);
/* The solver that integrates all states by this method. */
const SolverKind *solver_inline(InlineMethod method);
Solver *solver_none(const Problem *p);
/* Inlined states by the method, the others by a solver of this kind; NULL if it cannot be
 * created. */
Solver *solver_mixed_mode(const Problem *p, const SolverKind *kind, InlineMethod method);

/* Of errors in x[i] of this size. */
static inline double solver_weight(const Problem *p, uint32_t i, double size)
{
    return p->atol[i] + p->rtol * size;
}

static inline double solver_strictness(const Problem *p)
{
    return p->strictness > 1 ? p->strictness : 1;
}

/* Work of settle_once, for one point: arrays of size n, and zeros. */
typedef struct Settling {
    double *slope;  /* of the dense output */
    double *defect; /* of the equations, and the next correction */
    double *moved;  /* sum of corrections */
    double rate, size;
    int n; /* corrections so far */
    bool ended;
} Settling;

/* Moves x, of the dense output at t, to where the equations agree with its slope. f: derivatives at
 * (t, x). An error of the tolerance in a stiff component is a large one in its derivative, and in
 * all results that depend on that. A stiff component moves by about its error; the others move by
 * less. True if x has changed: the caller evaluates derivatives there and calls again. */
bool settle_once(Settling *w, Solver *s, double t, double *x, const double *f);
/* x as it was, for good. */
void settle_back(Settling *w, const Problem *p, double *x);
/* of v, in units of the tolerance at x */
double solver_norm(const Problem *p, const double *v, const double *x);
/* What the choice of a first step knows beside the problem. */
typedef struct FirstStep {
    double span;    /* to the next stop */
    double kept;    /* the step before a restart; 0: none */
    uint32_t order; /* of the method */
} FirstStep;

/* A first step from the rates at t and a moment later, which is longer from probe to probe until
 * the rates differ. Neither the unit of time nor the span counts, unless nothing changes within it.
 * The step follows from h^(p + 1) A/T^(p + 1) = error, where T = |x'|/|x''| and A = T|x'|, after
 * Hairer and Wanner, or from h²|x''| = error if x begins at rest. w1, w2: work of size n. */
double solver_first_step(const Problem *p, double t, const double *x, const double *f,
                         const FirstStep *first, double *w1, double *w2);
/* The first step of an implicit one-step method after a restart. Its error estimate would ignore
 * fast transients, which the rates of the first moments show. */
double solver_restart_step(const Problem *p, double t, const double *x, const double *f,
                           const FirstStep *first, double *w1, double *w2);
/* A few roundings at the size of t: times nearer than this are not distinguished by a solver. */
double solver_resolution(double t);
/* The end of a step of size h from t: limit if it comes near or beyond it. */
double solver_step_end(double t, double h, double limit);

#endif
