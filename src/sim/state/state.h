/* What the files of the simulation phase share: one run and its parts. */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "sim/sim.h"
#include "sim/solver/solver.h"

typedef struct PreLink { /* pre := sign * base */
    VarId pre, base;
    float sign;
    float slack; /* difference below which both are equal; 0 for discrete variables */
} PreLink;

/* Sample variables with equal start and interval tick together. */
typedef struct Clock {
    double start, interval;
    double next; /* = start + tick*interval */
    uint64_t tick;
    uint64_t fired;    /* instants so far */
    uint32_t first, n; /* its samples: Schedule.samples[first … first + n) */
} Clock;

typedef struct Schedule {
    Clock *clocks;
    uint32_t *heap; /* clocks by next instant; size n_clocks */
    uint32_t n_clocks;
    uint32_t *samples; /* indices of dae->samples, grouped by clock */
    uint32_t *fired;   /* clocks that tick at the present instant */
    uint32_t n_fired;
    uint32_t *relations; /* time relations */
    double *instants;    /* per time relation: when it changes next; INFINITY: never */
    uint32_t n_relations;
    double *z0, *z1; /* work; size of all relations */
    double merge;    /* instants closer than this are one */
} Schedule;

/* Watches the relations that are not scheduled. Column k of its arrays belongs to relations[k]. */
typedef struct Locator {
    uint32_t *relations;
    uint32_t n;
    /* columns that may reach zero in the present box (crossing_bounds.c), ascending; z of others is
     * not kept
     */
    uint32_t *active;
    uint32_t n_active;
    uint8_t *pieces; /* into how many a step may be divided to bound z, as a power of two */
    double *full;    /* ε times the scale of z */
    /* present shift: less than `full` for a relation that has just changed and is still near zero
     */
    double *shift;
    bool *suspended; /* not watched */
    bool *exact;     /* for the while: the crossing of zero itself is sought */
    bool *passing;   /* for the while: z will have crossed */
    int8_t *side;    /* +1: the relation keeps its value while z > -shift; -1: while z < shift */
    double *z[4];    /* at the beginning, a third, two thirds and the end of the step */
    double *za, *zb; /* at the ends of a bracket */
    double *zm;      /* at a point inside */
    double *all;     /* z of all relations, as the model computes them */
    bool sampled;    /* z[1], z[2], z[3] belong to the last step */
    /* nothing was evaluated in it: all relations are far from zero, and z[0] is of an earlier time
     */
    bool far;
    double span;        /* a third of the last step */
    const double *left; /* z at the left limit of the present event, as far as known */
} Locator;

/* How the events of one relation that becomes true, or false, follow each other: gaps that shrink
 * steadily announce an accumulation of events. */
typedef struct EventCadence {
    double time, gap, ratio; /* of the last event */
    uint64_t events;
    double width;       /* largest excursion since the last event, in units of ε */
    uint32_t shrinking; /* how often in a row the gap shrank by about the same factor */
    /* in the first of the two */
    double peak;        /* of |z| at steps since the last event, in units of ε */
    uint32_t inside;    /* events in a row whose excursion was below ε */
    uint32_t trembling; /* events in a row whose excursion the tolerance cannot resolve */
    bool bounces;       /* its events reinitialize states */
    /* value that it took when its reinits last turned the motion: 1: false, 2: true; 0: never */
    uint8_t impact;
} EventCadence;

typedef struct CrossingBounds CrossingBounds;
typedef struct EventTolerances EventTolerances;

/* The one-step method that takes over while events accumulate. */
typedef struct FallbackSolver {
    Solver *solver;    /* NULL: there is none */
    Solver *replaced;  /* the solver it stands in for; NULL while it is not at work */
    double max_step;   /* INFINITY: any */
    double last_event; /* time of the last accumulating event */
    double until;      /* end of the last flight foreseen */
} FallbackSolver;

typedef enum Located { LOCATED_NONE, LOCATED_EVENT, LOCATED_FAILED } Located;

typedef struct Reinit {
    VarId var;
    double from, to;
} Reinit;

/* What happened at an instant, for the log. */
typedef struct Event {
    double time;
    bool initial, terminal;
    uint32_t *triggers; /* relations; size n_relations */
    double *trigger_z;  /* z of each at the instant */
    uint32_t n_triggers;
    uint32_t n_arriving; /* of the first of them it is not known whether they pass */
    Reinit *reinits;     /* size: number of reinit actions; one entry per state */
    uint32_t n_reinits;
    uint32_t iterations;
    bool mode_changed; /* another program is in use */
    bool delayed;      /* a delayed jump arrives */
    bool reinit_now;   /* a reinit acted in the last iteration */
    MixedMethod mixed; /* that settled a block with discrete unknowns; MIXED_AUTO: there was none */
    uint32_t turns;    /* it took */
} Event;

typedef struct Trial Trial;

typedef enum AutomaticMethod { MULTISTEP, EXPLICIT, IMPLICIT, N_METHODS } AutomaticMethod;

/* What solver `auto` goes by; kinds[EXPLICIT] is NULL where there is nothing to choose. Solvers are
 * made when first needed. */
typedef struct Automatic {
    const SolverKind *kinds[N_METHODS];
    Solver *solvers[N_METHODS];
    bool used[N_METHODS]; /* one-step methods that were at work */
    AutomaticMethod at;   /* the one at work */
    bool settled;         /* no more changes */
    bool stiff;           /* the explicit method found the model stiff */
    uint32_t restarts;    /* since the window began */
    uint64_t steps;       /* when it began */
    double evaluations;   /* when it began */
    uint64_t last_steps;  /* at the last restart */
    double cost;          /* evaluations for an event with the multistep method, */
    uint64_t between;     /* and its steps between two */
    struct {
        uint64_t steps; /* when it began to be taken */
        double time, evaluations;
        double of[N_METHODS]; /* time for each evaluation */
        bool on_trial;        /* one-step methods are to do better */
        bool crawled;         /* the one at work does: events have nothing to do with it */
    } pace;
} Automatic;

/* A compiled program at work: everything that belongs to one plan. Sim.prog points to the one in
 * use. */
typedef struct ModeProgram {
    const Plan *plan;
    const Dae *dae;
    const ModelCode *code;
    Runtime *rt;
    ModelData *m;
    double *v;    /* m->v: the value of every variable */
    uint8_t *set; /* size n_vars: value is from outside */
    uint32_t n;   /* states */
    double *x;    /* size n; state at Sim.time */
    double *xi;   /* size n; interpolated */
    double *failed_x;
    double *atol;
    double *open_atol; /* of the open form: first the states' */
    bool *relevant; /* per discrete variable: continuous equations or crossing functions use it */
    uint64_t *limited; /* per state: steps that its error limited; NULL where nobody asks */
    Arena *own;        /* of what belongs to it; that of the run unless `assembled` */

    /* integration */
    Problem problem;
    VarId *columns, *rows; /* of the problem's Jacobians: states and, for the open form, tearing
                              variables; derivatives */
    double *open_rest;     /* residuals of open blocks, or their tangents */
    double *others;        /* work of inline integration: images of states that are not inlined */
    Anderson *anderson;    /* of these; NULL where there is no inline integration */
    const SolverKind *kind;
    Solver *solver; /* NULL: none was needed yet */
    Automatic automatic;
    FallbackSolver fallback;

    /* parts with programs or sizes of their own */
    struct StateSets *sets;
    CrossingBounds *bounds;      /* NULL: nothing to watch */
    EventTolerances *tolerances; /* NULL: tolerances stay as they are */
    Trial *trial;
    struct Sliding *sliding; /* NULL until a surface is held */

    /* as a mode */
    SimProgram *assembled; /* from programs of groups, for this one alone; NULL */
    double *key;           /* values of the guards, size n_key; NULL: not of a mode */
    uint32_t n_key;
    VarId *absent; /* derivatives that do not exist here: NaN in results */
    uint32_t n_absent;
    double seconds; /* that making it took */
    uint64_t visits;
} ModeProgram;

typedef VEC(ModeProgram *) ModePrograms;

typedef struct VarIds {
    VarId *at;
    uint32_t n;
} VarIds;

/* Programs with integration written into the equations. */
typedef struct InlinedPrograms {
    ModeProgram *all; /* all derivatives inlined; NULL while not needed */
    /* that inline integration steps with: `all`, or one in which some derivatives are inlined; NULL
     * while not needed */
    ModeProgram *steps;
    uint32_t *place; /* per inlined variable of steps: its place among those of all */
    bool in_use;     /* `steps` is in use throughout */
    bool staged;     /* the ordinary program is in use, and `steps` solves its solver's stages */
    uint32_t *home;  /* staged: per state of steps its index in the ordinary program */
    double *stage[3];
} InlinedPrograms;

/* The jump at an instant (jump.c). Sizes: that of the variables inlined in InlinedPrograms.all,
 * unless said otherwise. */
typedef struct Jump {
    double *stand;  /* where each variable stands at the instant */
    double *slope;  /* its derivative there */
    double *before; /* where it stood before the jump */
    double *begin;  /* where the jump begins */
    /* where it goes: by the best length of the step, by the first one; work */
    double *next, *near, *work[4];
    double *spread;  /* how far two extrapolations differ */
    double *first;   /* the same for the first length */
    bool *unlimited; /* grows without limit as the step becomes shorter */
    double *from;    /* size n_common: values from which the jump begins */
    VarId *means;    /* itself, or the candidate that a slot of a state set stands for */
    bool begun;      /* slots still stand for what they did before */
    double *exact;   /* where it stands, while a small miss is removed */
    double *old;     /* left values of inline integration */
    /* per relation: for three lengths of the step; the limit, and how far it is from sure */
    double *zs[3], *z, *noise;
    uint8_t *returned; /* per relation: took its value of the left limit again */
    uint8_t *kept;     /* per relation: decided for the event, or as before it */
    bool from_start;   /* the jump from the start values is in Modes.row */
} Jump;

/* Programs of modes. */
typedef struct ModeCache {
    /* modes visited; those put together from groups, of which the last few are kept, by last use */
    ModePrograms list;
    uint32_t n_assembled; /* of them */
    ModePrograms former;  /* of fewer guards: not used any more */
} ModeCache;

typedef struct ModeCounts {
    uint64_t joined;    /* modes put together from groups */
    double joining;     /* seconds that took */
    uint32_t n_planned; /* modes planned for the whole model */
    double planned;     /* seconds that took */
    uint64_t changes;
    double later; /* seconds that entering known modes took */
} ModeCounts;

typedef struct GuardValues {
    double *values;
    uint32_t n;
} GuardValues;

/* Variable structure of a run. */
typedef struct Modes {
    VarIds guards;
    double *key;         /* size guards.n: the mode asked for */
    ModeProgram *single; /* the plan that the model was compiled with */
    InlinedPrograms inlined;
    Jump jump;
    ModeCache cache;
    ModeCounts counts;
    GuardValues told; /* in the mode reported last */
    VarIds split; /* variables that the last singular block leaves open: the smallest were taken */
    bool *switching; /* per relation: a switch equation depends on it */
    double *row;     /* size n_common */
    bool started;    /* initialization is done */
    bool active;     /* a mode's program is, or will be, in use */
    bool again;      /* the jump of the instant is to be found anew */
} Modes;

/* Discrete variables and relations. */
typedef struct DiscreteVars {
    VarId *vars;
    double *before; /* their values at the left limit of the event */
    uint32_t n;
} DiscreteVars;

typedef struct PreLinks {
    PreLink *at;
    uint32_t n;
} PreLinks;

/* Arrays with an entry per relation. */
typedef struct Relations {
    uint8_t *decided;   /* 0: by the rule, 1: false, 2: true */
    double *decided_z;  /* z of the decided ones at the instant */
    double *decided_at; /* the same for scheduled ones, NAN for others */
    uint64_t *fired;    /* events it triggered */
    double *z;          /* work */
} Relations;

/* Arrays with an entry per action of the model: reinit, terminate, assert. */
typedef struct Actions {
    double *guard, *value;
    bool *warned;
    uint32_t n_asserts;
} Actions;

/* Events that follow each other without end. */
typedef struct Accumulation {
    EventCadence *cadences; /* two per relation: becoming false, becoming true */
    double window_start;
    uint64_t window_events, narrow_events;
    /* a request to hold a surface from this event on */
    uint32_t relation; /* NONE: there is none */
    bool chattering;
    bool flight;  /* since a flight from it is too small, which it need not be for ever */
    double limit; /* where its events accumulate */
} Accumulation;

typedef struct Rows {
    uint64_t n;    /* given so far */
    double last;   /* time of the last */
    uint32_t next; /* output point */
} Rows;

/* Values changed from outside, as the options say. */
typedef struct ValueChanges {
    uint32_t n_made;
    bool under_way; /* the present event is for them */
} ValueChanges;

/* The last failed evaluation, and steps that failed. */
typedef struct Failure {
    int status;
    double time;
    double blocked;     /* time from which a step failed last */
    uint32_t n_blocked; /* failures since one succeeded well past it */
} Failure;

typedef struct SpuriousCrossings {
    uint32_t n;      /* since a step had none */
    double max_step; /* after the last */
} SpuriousCrossings;

/* What was reported already. */
typedef struct Told {
    bool solver; /* the one that auto begins with */
    bool stiff;
    unsigned n_solution_jumps; /* to another solution of a block */
} Told;

typedef struct Sim {
    ModeProgram *prog; /* the program in use */
    Modes *modes;      /* NULL: there is one program only */
    Context *ctx;
    const SimOptions *options;
    const ResultSink *result;
    const SimText *text;
    SimStats *stats;
    Arena *arena, *scratch;
    uint32_t n_common; /* variables that have the same slot in all programs */

    double time;
    double eps;      /* ε of --event-epsilon */
    bool restart;    /* the solver must start anew */
    bool terminated; /* terminate() acted */
    bool timed;      /* measure evaluations */
    SimStatus status;

    DiscreteVars discrete;
    VarIds strings; /* variables that hold Strings */
    double *left;   /* size n_vars: all values at the left limit of the event */
    PreLinks pres;
    Relations relations;
    Actions actions;
    Event event;
    Schedule *schedule;
    Locator *locator;
    struct Delays *delays; /* NULL: none */
    struct Externals *externals;
    Accumulation accumulation;
    SpuriousCrossings spurious;
    VarIds ranges; /* variables with bounds that were kept so far */
    Rows rows;
    ValueChanges changes;
    Failure failure;
    Told told;
} Sim;

/* ---- evaluate.c: data and evaluations. Evaluations answer a ModelStatus and leave all values of
 * their use in v. ---- */
void sim_create(Sim *s, const Plan *plan, const ModelCode *code);
void sim_free(Sim *s);
double relation_scale(const Sim *s, uint32_t relation); /* of its z, of which ε is a part */
void put_states(Sim *s, double t, const double *x);     /* time and states into v */
void get_states(Sim *s, double *x);
int evaluate_derivatives(Sim *s, double t, const double *x);
int evaluate_outputs(Sim *s, double t, const double *x); /* everything continuous */
int evaluate_indicators(Sim *s, double t, const double *x, double *z);
int evaluate_call(Sim *s, int (*function)(ModelData *m));
int evaluate_event(Sim *s, int (*function)(ModelData *m));  /* with relations taken anew */
VarId resolve_alias(const Sim *s, VarId var, double *sign); /* through aliases */
/* start value, or the nearest to zero within the bounds */
double start_value(const Sim *s, VarId var);
double sim_clock(const Sim *s); /* seconds, where evaluations are measured; else 0 */

/* ---- problem.c ---- */
void problem_create(Sim *s);

/* What belongs to the plan and the code of the program in use: runtime, states, relevance. */
void program_create_data(Sim *s);

/* ---- mode_program.c: programs ---- */
ModeProgram *program_new(Sim *s, const Plan *plan, const ModelCode *code); /* not yet in use */
ModeProgram *program_assembled(Sim *s,
                               SimProgram *p); /* likewise; the program is released with it */
void program_drop(Sim *s, ModeProgram *m);     /* one that is not in use */
/* values of common variables go along; s->restart is set */
void program_use(Sim *s, ModeProgram *m);
/* values of common variables to one that is not in use */
void program_copy_values(Sim *s, ModeProgram *to);
void program_free(Sim *s, ModeProgram *m);

/* ---- inline_stages.c: inline integration ---- */
bool stages_possible(Sim *s); /* whether `single` can stay in use; Modes.steps must be there */
void stages_create(Sim *s);   /* it does */
/* before the solver starts anew: what is fixed between events has changed */
void stages_restart(Sim *s);
void stages_problem(Sim *s); /* the stage of the problem */

/* ---- jump.c: the next mode and the jump, by one implicit step of vanishing length ---- */
void jump_begin(Sim *s, const double *left); /* of an instant: where all that is integrated stands,
                                                from values by VarId */
void jump_put(Sim *s, VarId var, double value); /* reinit */
/* On the inlined program, which must be in use: all equations anew from where things stand. Leaves
 * the values of the right limit. */
int jump_event(Sim *s);
/* Likewise, before an event's first jump: whether the mode in which only what triggered the event
 * has changed holds without a jump. If so, its values are left as jump_event does; if not, the
 * values are as before. */
bool jump_none(Sim *s);
/* After a jump: derivatives at the right limit into modes->slope. */
void jump_slopes(Sim *s);
/* Whether inlined variable i that went so far has jumped, or only been adjusted. */
bool jump_moved(const Sim *s, uint32_t i, double from, double to);
double jump_length(const Sim *s);

/* ---- modes.c: variable structure ---- */
bool modes_create(Sim *s); /* once sim_create is done; false after telling */
void modes_free(Sim *s);
/* before initialization: chooses the program for it; false after telling */
bool modes_start(Sim *s);
bool modes_started(Sim *s); /* after it; false after telling */
/* After the initial system was solved: *again where its solution belongs to another mode, whose
 * program is in use now. */
int modes_initial(Sim *s, bool *again);
/* after the initial system failed: true where modes were found that may help */
bool modes_retry(Sim *s);
bool modes_sparing(
    Sim *s,
    int status); /* likewise: true where another program is in use, with blocks torn sparingly */
bool modes_jumped(
    Sim *s); /* takes the jump from the start values for the beginning; false where there is none */
int modes_event(Sim *s); /* all equations at an event, with the program that the mode asks for in
                            use afterwards */
/* inlined: the states have changed at (time, x), between events */
void modes_stand_here(Sim *s);
void modes_aim(Sim *s, double t); /* inlined: rate and old values for an evaluation at t */
/* The program for inline integration as the options have it into Modes.steps; jump must be there.
 * False after telling. */
bool inline_choose(Sim *s);
/* after a failed step: true where inline integration goes on from (time, x) */
bool modes_retreat(Sim *s);
void modes_reinit(Sim *s); /* after reinits of an iteration, noted in s->event */
void modes_left(Sim *s);   /* marks in s->left what does not exist */
const double *modes_row(Sim *s, const double *v); /* the row with NaN for what does not exist */

/* ---- mode_log.c ---- */
char *mode_log_text(Sim *s, const double *key); /* "closed = true, s > 1 = false", in s->scratch */
void mode_log_mode(Sim *s, const double *before); /* the one in use; before: where inlined variables
                                                    stood before the jump, NULL for none */
void mode_log_split(Sim *s);                      /* what a singular block leaves open */
void mode_log_add(Sim *s, const ModeProgram *m);  /* its counts to those of the run */
void modes_stats(Sim *s);

/* ---- externals.c: external functions and objects of the run ---- */
void externals_create(Sim *s);
void externals_attach(Sim *s);                  /* to the runtime in use */
void externals_free(Sim *s);                    /* destructs the objects */
void externals_tell(Sim *s, const char *doing); /* after MODEL_EXTERNAL */

/* ---- stateset.c ---- */
void stateset_create(Sim *s); /* with the choice of the plan */
void stateset_free(Sim *s);
void stateset_take(Sim *s, const ModeProgram *from); /* the choice of the program before, and the
                                                        values of its candidates */
/* at consistent values: the best choice; values of slots follow */
void stateset_start(Sim *s);
VarId stateset_stands_for(const Sim *s,
                          VarId var); /* of a slot: its candidate now; else var itself */
void stateset_monitor(Sim *s); /* at (time, x), between events: may exchange states; then x follows
                              and a restart is asked for */

/* ---- initialize.c ---- */
bool sim_initialize(Sim *s);
bool initialize_guess(Sim *s); /* parameters and start values into v; false after telling */

/* ---- schedule.c ---- */
void schedule_create(Sim *s);
bool schedule_start(Sim *s); /* once parameters are known; false after telling */
double schedule_next(const Sim *s);
/* after an event: relations linear in time anew; false after telling */
bool schedule_update(Sim *s);
bool schedule_due(const Sim *s, double t);
/* Sets sample variables and decides relations that are due at t. */
void schedule_fire(Sim *s, double t);
/* After the first iteration of an instant; true where a sample variable fell back to false. */
bool schedule_release(Sim *s);

/* ---- delays.c: histories of delay() ---- */
/* histories begin with the values now in v; false after telling */
bool delays_start(Sim *s);
double delays_limit(const Sim *s); /* the longest step from s->time that histories allow */
/* the solver's last step from s->time to t; false after telling */
bool delays_record(Sim *s, double t);
/* At the beginning of an event: breaks that arrive now pass. True where one jumps. */
bool delays_pass(Sim *s);
/* after FAILED_DELAY; false: no delay is out of bounds */
bool delays_tell(Sim *s, const char *doing);
void delays_note(Sim *s, bool relevant); /* after an event that changed continuous equations or not,
                                            all values being known */

/* ---- automatic.c ---- */
const SolverKind *automatic_first(Sim *s); /* the solver asked for, or chosen; NULL where unknown */
void automatic_create(Sim *s);             /* once s->solver stands */
const char *automatic_names(const Sim *s); /* of the solvers that ran */
void automatic_destroy(Sim *s);
void automatic_count(const ModeProgram *m, uint64_t *steps, uint64_t *rejected);
void automatic_consider(
    Sim *s); /* before a step or restart at (time, x): may change s->solver and ask for a restart */
/* What was found out with another program, of which this one has most in common: its solver at
 * (time, x) goes on. */
void automatic_take(Sim *s, const ModeProgram *from);
/* after a failed step: true where another solver is to try from (time, x) */
bool automatic_retreat(Sim *s);

/* ---- locate.c ---- */
void locator_create(Sim *s);
bool locator_restart(Sim *s); /* at (time, x), relations as in v; false after telling */
/* First crossing in the solver's last step. Fills s->relations.decided and the event's triggers. */
Located locator_find(Sim *s, double t0, double t1, double *te);
/* from now on at these columns alone; z[0] is out of date */
void locator_select(Sim *s, const bool *wanted);
void locator_accept(Sim *s);                                /* the step is done, without event */
double locator_shift(const Sim *s, uint32_t relation);      /* its present shift in units of ε */
double locator_share(const Sim *s, uint32_t relation);      /* that after its next event */
void locator_suspend(Sim *s, uint32_t relation, bool held); /* held ones are not watched */
/* At a time event, after a step that ended there: relations that arrive at zero just then may
 * trigger it too, but not those of switches that hold at zero: the branch need not be left there.
 */
void locator_arriving(Sim *s);
/* After an event, all values being known: relations that it moved to exactly zero, and that do not
 * stand as they read there, are decided. False: none. */
bool locator_moved_to_zero(Sim *s);
/* on which it keeps its value: the sign of z */
int locator_side(const Sim *s, uint32_t relation);
/* stands as it reads where z is exactly zero */
bool locator_literal(const Sim *s, uint32_t relation);

/* ---- crossing_bounds.c: where crossing functions may reach zero ---- */
void bounds_create(Sim *s); /* after locator_create */
void bounds_free(Sim *s);
/* after an event: what is fixed between events has changed */
void bounds_restart(Sim *s);
/* no relation can reach zero in [t0, t1] of the last step */
bool bounds_exclude_step(Sim *s, double t0, double t1);
bool bounds_exclude(const Sim *s, uint32_t column); /* cannot reach zero in the box */
/* may turn within a step, and can be bounded on pieces of it */
bool bounds_may_turn(const Sim *s, uint32_t column);
/* How near a wild relation comes to a change in [a, b] of the last step, but for its shift; a lower
 * bound. */
double bounds_of_piece(Sim *s, uint32_t column, double a, double b);

/* ---- event_tolerances.c: absolute tolerances as crossing functions ask for them ---- */
void tolerances_create(Sim *s);
void tolerances_choose(Sim *s); /* before a restart at (time, x), relations as in v */
bool tolerances_raise(Sim *s);  /* after a failed step: true where lowered tolerances were raised,
                                  for  another try from (time, x) */

/* ---- transient_singularity.c ---- */
int event_evaluate(Sim *s); /* all equations at an event, by a combination of switches that holds
                               longer than an instant where there is one */

/* ---- spurious_crossing.c ---- */
/* Whether the equations contradict the crossing at te that was located in the step from t0. */
bool crossing_is_spurious(Sim *s, double t0, double te);

/* ---- simultaneous_crossings.c ---- */
void simultaneous_create(Sim *s);
void simultaneous_judge(Sim *s); /* before the iteration at an event: leaves out triggers that do
                              not pass zero after it */

/* ---- event_iteration.c ---- */
/* The event at s->time, with what the schedule has for it; located relations are decided, v holds
 * the left limit. Writes the rows before and after it and the log, unless nothing of the model
 * changed but conditions on the way to a later event. Sets s->restart where the continuous
 * equations have changed. False: the run ends, s->status says how. */
bool event_handle(Sim *s);
bool event_settle(Sim *s);           /* the iteration alone */
bool event_act(Sim *s, int *status); /* reinit and terminate; true where a state changed */
bool event_asserts(Sim *s);          /* after an evaluation of all guards */
bool event_initial_asserts(Sim *s);  /* those of initial sections, once */
/* an assertion that was not told yet fails at the present values */
bool event_violated(Sim *s);
void event_begin(Sim *s, double t);
bool event_untrigger(Sim *s, uint32_t relation); /* it is not what the event is about; false */

/* ---- range_violations.c ---- */
void range_create(Sim *s);
void range_check(Sim *s); /* tells, once each, variables that are outside their min and max; all
                             values being known */

/* ---- accumulation.c ---- */
/* Counts the event against accumulation and chattering; width: how far z of its relations went
 * since the last one, in ε. */
bool event_count(Sim *s, double width);
bool event_continue(Sim *s); /* after the event: begins to hold a surface where that was asked;
                                false: the run ends */
void fallback_create(Sim *s);
void fallback_destroy(Sim *s);
void fallback_enter(Sim *s);
void fallback_leave(Sim *s);
void fallback_end(Sim *s);     /* leaves unless a flight is under way */
double fallback_limit(Sim *s); /* the longest step now */
void fallback_flight(
    Sim *s, double length,
    double width); /* leads back to a surface after `length`, `width` ε from it at most */
/* Whether the usual solver goes by the derivatives alone, which a held surface changes; open blocks
 * and stages know nothing of it. */
bool solver_reads_derivatives_only(const Sim *s);

/* ---- impact.c ---- */
enum { IMPACT_NEAR = 1000 }; /* in units of ε: what is so near to a surface touches it */
/* After an event of the relation: the way in which it moved states by reinit; true where that
 * turned the motion. */
bool impact_note(Sim *s, uint32_t relation);
/* Where the motion leads away from the surface of a relation that had an impact, and back to it:
 * how long that takes and how far it goes, to second order. False where it does not. */
bool impact_flight(Sim *s, uint32_t relation, double *length, double *height);
/* After reinits at the instant: what rests and was moved by them rests no longer. What was pushed
 * into a surface that it rests at, or has not left yet, is put before it, so that the next impact
 * is an event of its own: true where the event is to be settled once more for this. */
bool impact_strike(Sim *s);

/* ---- sliding.c: sliding along a surface, and rest at one ---- */
/* at (time, x), after an event of the relation */
bool sliding_begin(Sim *s, uint32_t relation, bool rest);
bool sliding_active(const Sim *s);
int sliding_derivatives(Sim *s, double t, const double *x); /* into v; answers a ModelStatus */
int sliding_blend(Sim *s, double t, const double *x,
                  int (*more)(ModelData *m)); /* derivatives, and all other values after `more` */
int sliding_jacobian(Sim *s, double t, const double *x, double *values);
/* Whether a surface is left within [s->time, t] of the solver's last step: at *te. */
bool sliding_leave(Sim *s, double t, double *te);
void sliding_clear(Sim *s);   /* before another program comes into use */
bool sliding_release(Sim *s); /* the event of leaving, at (time, x) */
void sliding_keep(Sim *s);    /* at the beginning of an event: held relations keep their values */
bool sliding_refresh(
    Sim *s); /* after it: surfaces that it changed are given up; values anew; false: the run ends */

/* ---- sim.c ---- */
bool sim_row(Sim *s, const double *v);
bool sim_solver(Sim *s); /* problem and solver of the program in use; false after telling */

/* ---- event_log.c ---- */
void event_log_write(Sim *s);
void event_log_literal(Sim *s); /* where relations make no events since that was asked for */
void sim_log(Sim *s, unsigned what, const char *format, ...) __attribute__((format(printf, 3, 4)));
char *describe_relation(Sim *s, uint32_t relation);            /* in the words of the model */
char *describe_component(Sim *s, PathId component, Span span); /* " in pump (plant.mo:7)" */
char *describe_place(Sim *s, Span span);                       /* "ball.mo:7", or "" */
char *describe_value(Sim *s, VarId var, double value);
const char *describe_variable(Sim *s, VarId var);

/* ---- statistics.c ---- */
void statistics_step(Sim *s); /* after a step: counts the state that limited it */
void statistics_report(Sim *s);
void statistics_blocks(Sim *s);

/* ---- failure.c: tells why a run ends. All set s->status and return false. ---- */
/* Tells that block `block` jumped to another solution; the first few times. */
void warn_solution_jump(Sim *s, int block);
bool fail_model(Sim *s, int status, const char *doing);
const char *fail_text(int status); /* what a ModelStatus says */
/* by ModelData.failed_block; NULL where there is none */
const PlanBlock *fail_block(const Sim *s, int number);
bool fail_initial(Sim *s, int status);
bool fail_unless_finite(Sim *s); /* after an evaluation of all outputs; true where all is well */
bool fail_step(Sim *s, StepStatus status);
bool fail_iteration(Sim *s);
/* limit: where the events accumulate */
bool fail_accumulation(Sim *s, bool chattering, double limit);
bool fail_assert(Sim *s, uint32_t action);
/* Violated asserts of warning level in functions. */
void fail_warnings(Sim *s);
/* remembers a failed evaluation */
void note_failure(Sim *s, int status, double t, const double *x);
char *failure_message(Sim *s, Term message);

/* value_changes.c */
bool value_changes_due(const Sim *s);
bool value_changes_take(Sim *s); /* in the event for them; false where there were none */

#endif
