/* The data of a variation, shared by its files. */
#ifndef SIM_VARIATION_INTERNAL_H
#define SIM_VARIATION_INTERNAL_H

#include "sim/slide_tangents.h"
#include "sim/state/evaluate.h"
#include "sim/variation.h"
#include "sim/variation_hooks.h"

/* S on an interval: its values at the beginning and at the three collocation points, n_directions
 * times n each. Between them it is a cubic, plus bend*u*(u - c1)*(u - c2)*(u - 1). */
typedef struct Piece {
    double begin, length;
    double *s[4], *bend;
    bool bends;
    uint32_t n;
} Piece;

typedef struct Pass { /* of the event iteration */
    ModeProgram *prog;
    double *v;     /* all values after the evaluation */
    double *guard; /* of actions; NULL: none were taken */
} Pass;

typedef struct Extremum {
    double value;
    double *d;
    bool moved;   /* in the last interval */
    bool at_bend; /* its derivative is not known */
} Extremum;

/* Of a variable of `of`. */
typedef struct Tally {
    double y, *dy; /* at the present time, after an event */
    double integral, square, *d_integral, *d_square;
    Extremum least, most;
    bool least_last, most_last; /* the extremum is at the last event */
    double *d_over;             /* of the value at the end, because `terminate` moves the end */
    /* per direction: derivatives at the last event, of means up to it, exist on one side only,
     * because the event moves */
    bool *end_open, *mean_open;
} Tally;

struct Variation {
    Sim *s;
    Arena *arena;
    uint32_t n; /* directions */
    VariationOf *of;
    uint32_t n_of;
    VarId *seed; /* per direction: a parameter; NONE: a variable */
    double *seed_sign;
    double *size; /* per direction: of the parameter, for tolerances */
    uint32_t room;
    double **dv;   /* per direction: tangents of all variables; those of states at time t */
    double *along; /* derivatives along the motion at the left limit */
    double t;
    double begin;
    bool begun;         /* S is known */
    VariationFlaw flaw; /* of all directions; the run goes on without them */
    double flaw_time;
    VariationFlaw first_flaw; /* of any direction */
    double first_time;
    double *lost; /* per direction: when its derivatives ended, NAN if they have not */

    /* steps */
    VEC(Piece) pieces; /* of the last step */
    uint32_t n_pieces; /* in use */
    /* the step is halved so often before the first try, as the last one was; least depth and
     * largest defect of its pieces */
    int halvings, depth;
    double worst;
    double probe[4], probe_slope[4]; /* weights of S at the probe of the defect */
    const ModeProgram *fitted;
    double *x, *jacobian, *matrix, *force, *rhs;
    double *now; /* S of a row */
    uint32_t *pivot;
    struct SparseStep *sparse; /* NULL: none */
    Beside beside;             /* for steps of explicit methods */
    double *beside_memory;
    const ModeProgram *beside_prog; /* of the last step; NULL: it had none */

    uint32_t delays; /* whose histories have tangents; 0: none */

    /* events */
    VEC(Pass) passes;
    uint32_t n_passes;
    const ModeProgram *left_prog;
    double **left;       /* per direction: tangents at the left limit */
    double *z, *z_along; /* tangents of crossing functions: n times relations; along the motion */
    double *away;        /* per relation: its largest distance from zero since the last event */
    bool *falls;         /* per relation: it comes nearer at the end of the last step */
    double *dt;          /* of the last event */
    double *right;       /* derivatives after it; size right_n */
    uint32_t right_n;
    double *samples;
    double *y_left, *dy_left;
    VEC(double) times; /* of events */
    VEC(double) d_times;

    Tally *tallies;
    double tallied; /* the time of the last event */
    double *d_end;  /* of the end of the run, which `terminate` chose; NULL: it is fixed */
    bool no_scalars;
    double *tally_work;
    int bends; /* halvings around them in a piece */
    double *row_y, *row_dy;
    VariationRow *row;
    void *user;
    double *moved[2];  /* of the last event: derivatives at its moved instant, before and after */
    double moved_time; /* its time */
    const double *row_moved; /* of the present row; NULL: none */
    const double *at;        /* requested times; NULL: the rows of the run */
    size_t n_at, next_at;
    VariationLeft *at_left; /* NULL: none, or called before */
    double left_time;
    void *left_user;
};

/* ---- variation.c ---- */
extern const double variation_nodes[4];        /* 0 and the collocation points */
void variation_basis(double x, double out[4]); /* of Lagrange, at these */
/* Whether surfaces are held along which the motion has tangents. */
bool variation_slides(const Variation *w);
/* Past values that the model reads belong to the direction of dv. */
void variation_choose(Variation *w, ModeProgram *prog, const double *dv);
/* Room for the program in use. */
void variation_fit(Variation *w);
void variation_note_flaw(Variation *w, VariationFlaw flaw);
/* The same for direction j alone, at t. Its tangents are zeros from now on. */
void variation_lose(Variation *w, uint32_t j, VariationFlaw flaw, double t);
bool variation_is_lost(const Variation *w, uint32_t j);
/* Tangents of a function of the program, in direction j. */
int variation_call(Variation *w, ModeProgram *prog, double *dv, int (*f)(ModelData *m));
void variation_put_states(Variation *w, uint32_t j, const double *x);
void variation_get_states(const Variation *w, uint32_t j, double *x);
/* Derivatives of x' in direction j for the states' part `s`, where the model was evaluated last. */
int variation_slope(Variation *w, uint32_t j, const double *s, double *out);
/* Tangents of everything continuous in direction j, likewise; into dv[j]. */
int variation_full(Variation *w, uint32_t j, const double *s);
/* Values and derivatives of the variables of `of` at (t, x), with s for all directions. */
int variation_point(Variation *w, double t, const double *x, const double *s, double *y,
                    double *dy);
/* The same if all variables of `of` are states: nothing has to be evaluated. False otherwise. If dy
 * is NULL, values alone. */
bool variation_states_point(const Variation *w, const double *x, const double *s, double *y,
                            double *dy);
/* S at t of a piece, for all directions. */
void variation_piece_at(const Variation *w, const Piece *p, double t, double *s);
/* The same inside the last step. */
void variation_states_at(const Variation *w, double t, double *s);
/* The tolerance of S in direction j and state i; w->x is the state. */
double variation_weight(const Variation *w, uint32_t j, uint32_t i, double s);
/* Rows at requested times up to t. */
void variation_rows(Variation *w, double t);

/* ---- variation_event.c ---- */
/* Tangents of all continuous variables, and of crossing functions, where the model was evaluated
 * last. */
int variation_all_tangents(Variation *w, ModeProgram *prog, double *dv, double *z);
/* The same along the motion, into `along` and z_along. */
int variation_rates(Variation *w, ModeProgram *prog);

/* ---- variation_grazing.c ---- */
/* Loses directions that move a crossing function which touches zero in [a, b], the last step.
 * Tangents of states are then those of another time. */
void variation_find_touches(Variation *w, double a, double b);

/* ---- variation_stages.c ---- */
/* The last step of the solver, if the solver has integrated the tangents up to t well enough. */
bool variation_stages(Variation *w, Piece *p, double t);

/* ---- variation_sparse.c ---- */
extern const double variation_radau[3][3]; /* coefficients of the collocation method */
/* Whether the Jacobian has a pattern, and is neither too small nor too dense. */
bool variation_is_sparse(const Variation *w, const Problem *p);
/* Factors the system of a step of length h; false: it is not sparse, or singular. */
bool variation_sparse_factor(Variation *w, const Problem *p, double h);
void variation_sparse_solve(Variation *w, double *r);
void variation_sparse_free(Variation *w);

/* ---- variation_delay.c ---- */
/* Whether delayed values vary, so that their histories have tangents. */
bool variation_has_delays(const Variation *w);
/* Histories begin with the present tangents. */
void variation_start_delays(Variation *w);
/* The last pieces become part of the histories. */
void variation_record_delays(Variation *w);
/* Before an event: how the next break of each history moves. */
void variation_delay_shifts(Variation *w);

/* ---- variation_scalars.c ---- */
void tally_start(Variation *w);
/* After a flaw, of a piece only its interval is used. */
void tally_piece(Variation *w, const Piece *p);
/* After an event that follows a flaw: values alone. */
void tally_flawed(Variation *w);
/* At an event: from left to right values, with the movement of the instant. */
void tally_event(Variation *w, const double *y, const double *dy, const double *slope_left,
                 const double *total_right);
/* After it, surfaces are held: the right values are others. */
void tally_held(Variation *w, const double *y, const double *dy);

#endif
