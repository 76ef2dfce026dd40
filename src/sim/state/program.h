/* A compiled program at work. */
#ifndef SIM_STATE_PROGRAM_H
#define SIM_STATE_PROGRAM_H

#include "sim/solver/anderson.h"
#include "sim/solver/automatic.h"
#include "sim/state/options.h"

typedef struct VarIds {
    VarId *at;
    uint32_t n;
} VarIds;

/* The last failed evaluation; its states are in ModeProgram.failed_x. */
typedef struct FailedEvaluation {
    int status;
    double time;
} FailedEvaluation;

/* Messages that were reported already. */
typedef struct Reported {
    bool solver; /* the one that auto begins with */
    bool stiff;
    bool open_derivative;      /* a derivative depends on a variable without an equation */
    unsigned n_solution_jumps; /* to another solution of a block */
    unsigned n_contradicted_jumps;
} Reported;

/* What all programs of a run share, and the messages about them. */
typedef struct RunContext {
    Context *ctx;
    const SimOptions *options;
    const SimText *text;
    SimStats *stats;
    Arena *arena, *scratch;
    uint32_t n_common; /* variables that have the same slot in all programs */
    VarIds strings;    /* variables of type String */
    double eps;        /* ε of --event-epsilon */
    /* per relation: ε is relative to these; the runtimes read them */
    RuntimeRelation *scales;
    bool timed;     /* measure evaluations */
    double time;    /* reached so far */
    double longest; /* step so far */
    bool restart;   /* the solver must start again */
    bool tangents;  /* derivatives by parameters are wanted, too */
    FailedEvaluation failed;
    SimStatus status; /* SIM_DONE unless the run failed */
    VarIds guards;    /* structural guards; n = 0: none */
    struct Externals *externals;
    /* measured calls, and what else the profile consists of; NULL: none is requested */
    struct Profile *calls;
    struct RunProfile *profile;
    Reported reported;
} RunContext;

/* Seconds, if evaluations are measured; otherwise 0. */
double run_clock(const RunContext *run);
/* Text for --log, if one of these SimLog bits is requested; UINT32_MAX: always. */
void run_log(RunContext *run, unsigned what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

struct ModeProgram;

/* The one-step method that takes over while events accumulate. */
typedef struct FallbackSolver {
    Solver *solver;    /* NULL: there is none */
    bool stiff;        /* it is implicit, because the explicit one found the motion stiff */
    uint64_t steps;    /* of the explicit one, and those it rejected */
    uint64_t rejected; /* before that */
    Solver *replaced;  /* the solver it replaces; NULL while it is not in use */
    double max_step;   /* INFINITY: any */
    double last_event; /* time of the last accumulating event */
    double until;      /* predicted end of the last flight */
    bool departs;      /* the motion leaves the surface of relation `departing` */
    uint32_t departing;
    uint64_t departure_steps; /* steps of the solver when it began */
} FallbackSolver;

/* Sizes of states, as the trajectory shows them (state_sizes.c). */
typedef struct StateSizes {
    uint64_t instants;   /* of events, when they began anew */
    uint64_t steps;      /* since then */
    double since;        /* time then */
    double until;        /* end of the present while; the last one was half as long */
    bool doubled;        /* the last step began a new while */
    double assumed;      /* size of states that are not followed; at least 1: the nominal one */
    double *now;         /* largest values in the present while */
    double *before;      /* in the last one */
    double *earlier;     /* in the one before */
    double *largest;     /* so far */
    double *last;        /* values after the last step */
    double *change;      /* in the last step */
    uint16_t *reversals; /* a bit per step, the last one lowest: the change was reversed */
    uint8_t *turns;      /* bits: the sign changed in the present while; in the last one */
    double *least;       /* tolerances; rise after failures */
    /* when the present window of steps began */
    const Solver *solver;
    uint64_t first_step, rejected;
} StateSizes;

/* Evaluations that replace the plain ones while surfaces are held. */
typedef struct MixedEvaluation {
    int (*derivatives)(struct ModeProgram *p, double t, const double *x);
    /* derivatives, and all other values after `more` */
    int (*values)(struct ModeProgram *p, double t, const double *x, int (*more)(ModelData *m));
    int (*jacobian)(struct ModeProgram *p, double t, const double *x, double *values);
} MixedEvaluation;

/* Work for points beyond the end of a domain (evaluate.c). */
typedef struct DomainWay {
    double *x;    /* size n: a point before its end; NULL: there are no state events */
    double *z;    /* of all relations, twice */
    double *from; /* size n: where the way begins at t, if `kept`; otherwise at the present state */
    double t;
    bool kept;
} DomainWay;

/* A compiled program at work: everything that belongs to one plan. Sim.prog points to the one in
 * use. */
typedef struct ModeProgram {
    RunContext *run;
    const Plan *plan;
    const ModelCode *code;
    Runtime *rt;
    ModelData *m;
    double *v;        /* m->v: the value of every variable */
    uint8_t *set;     /* size n_vars: value is from outside */
    uint32_t n;       /* states */
    double *x;        /* size n; state at Sim.run.time */
    double *xi;       /* size n; interpolated */
    double *settling; /* size 4n: work for interpolated results */
    double *chord;    /* size 2n: states at both ends of a piece of a step; NULL unless asked for */
    double *failed_x;
    DomainWay way;
    double *atol;
    double *usual_atol; /* but for what crossing functions ask (event_tolerances.c) */
    StateSizes sizes;
    double *open_atol; /* of the open form: first the states' */
    bool *relevant; /* per discrete variable: continuous equations or crossing functions use it */
    uint64_t *limited; /* per state: steps that its error limited; NULL if not requested */
    Arena *own;        /* arena of its data; that of the run unless `assembled` */

    /* integration */
    Problem problem;
    VarId *columns, *rows; /* of the problem's Jacobians: states and, for the open form, tearing
                              variables; derivatives */
    double *open_rest;     /* residuals of open blocks, or their tangents */
    double *differences;   /* work: columns of Jacobians whose slopes are infinite */
    bool *failed_colours;  /* work: per colour of a Jacobian, a block is singular */
    /* of PlanDense: slopes of terms, and tangents of variables, by rows of n; NULL: no such */
    double *dense_slopes, *dense_tangents;
    double *others;     /* work of inline integration: images of states that are not inlined */
    Anderson *anderson; /* of these; NULL if there is no inline integration */
    const SolverKind *kind;
    Solver *solver; /* NULL: none was needed yet */
    Automatic automatic;
    FallbackSolver fallback;

    /* parts with programs or sizes of their own */
    struct StateSets *sets;
    /* per variable: the candidate that a slot of a state set represents, otherwise itself; NULL:
     * there are no sets */
    VarId *stands_for;
    struct CrossingBounds *bounds;      /* NULL: nothing to watch */
    struct PoleWatch *poles;            /* NULL: nothing to watch */
    struct EventTolerances *tolerances; /* NULL: tolerances stay as they are */
    struct Trial *trial;                /* of simultaneous crossings */
    struct Sliding *sliding;            /* NULL until a surface is held */
    const MixedEvaluation *mixed;       /* NULL: evaluations are those of the equations */
    /* an inlined program: rate and old values for an evaluation at t; otherwise NULL */
    void (*set_rate)(struct ModeProgram *p, double t);
    /* an inlined program: z of all relations in the limit of the last jump; otherwise NULL */
    int (*look_at_limit)(struct ModeProgram *p, double *z);
    /* an inlined program: z of all relations a moment after the present values; otherwise NULL */
    int (*look_ahead)(struct ModeProgram *p, double step, double *z);
    struct Modes *modes; /* for both, and for stages that another program solves */

    /* as a mode */
    SimProgram
        *assembled; /* put together from programs of groups, only for this one; otherwise NULL */
    double *key;    /* values of the guards, size n_key; NULL: not of a mode */
    uint32_t n_key;
    VarId *absent; /* derivatives that do not exist here: NaN in results */
    uint32_t n_absent;
    double seconds; /* that making it took */
    uint64_t visits;
    /* with a profile: rows of each block, and of each state that limited a step, by VarId; that of
     * the mode */
    uint32_t *block_rows, *state_rows;
    uint32_t mode_row;
} ModeProgram;

/* States at a time inside the solver's last step. */
static inline void program_states_at(const ModeProgram *p, double t, double *x)
{
    p->solver->dense(p->solver, t, x);
}

/* For a slot of a state set: its present candidate; otherwise the variable itself. */
static inline VarId program_stands_for(const ModeProgram *p, VarId var)
{
    return p->stands_for ? p->stands_for[var] : var;
}

#endif
