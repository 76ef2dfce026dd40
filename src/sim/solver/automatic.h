/* Solver `auto`: which method is in use, and when another takes over.
 *
 * In: the problem, and before each step the progress of the run. Out: calls of the listener, which
 * starts the solver. */
#ifndef SIM_SOLVER_AUTOMATIC_H
#define SIM_SOLVER_AUTOMATIC_H

#include "sim/solver/solver.h"

#include <stddef.h>

typedef enum AutomaticMethod { MULTISTEP, EXPLICIT, IMPLICIT, N_METHODS } AutomaticMethod;

typedef struct AutomaticListener {
    void *user;
    /* solvers[at] is at work from now on, and must start again */
    void (*changed)(void *user, const char *why);
    /* steps hardly move the time: true if tolerances were raised, which may be the cause */
    bool (*raise)(void *user);
} AutomaticListener;

typedef struct AutomaticProgress {
    double time;
    double age;         /* of the run */
    double evaluations; /* so far; a Jacobian takes Problem.n_colours of them */
    bool restart;       /* the solver is about to start again */
    bool precise;       /* tangents along the motion are wanted, too */
} AutomaticProgress;

/* kinds[EXPLICIT] is NULL if there is nothing to choose. Solvers are made when first needed. */
typedef struct Automatic {
    const Problem *problem;
    AutomaticListener listener;
    const SolverKind *kinds[N_METHODS];
    Solver *solvers[N_METHODS];
    bool used[N_METHODS]; /* that were at work */
    bool explicit_first;  /* the explicit method is left only if another one is better */
    AutomaticMethod at;   /* the one at work */
    bool settled;         /* no more changes */
    bool stiff;           /* the explicit method found the model stiff, or was far slower */
    uint32_t restarts;    /* since the window began */
    uint64_t steps;       /* when it began */
    double evaluations;   /* when it began */
    uint64_t last_steps;  /* at the last restart */
    double cost;          /* evaluations for an event with the multistep method, 0: unknown */
    uint64_t between;     /* and its steps between two */
    struct {
        uint64_t steps; /* counts at the beginning of the measurement */
        double time, evaluations;
        double of[N_METHODS]; /* advance of time per evaluation */
        bool on_trial;        /* the methods are being tried in turn */
        bool crawled;         /* the present method won a trial: it stays, independent of events */
        uint64_t patience;    /* explicit steps before the multistep method may try */
        bool compares;        /* the implicit methods are being tried */
    } pace;
} Automatic;

/* ratio of entries at which the open form wins over the closed Jacobian */
enum { AUTOMATIC_FULLER = 4 };

/* The method that auto begins with: explicit; for large models multistep, with blocks open if their
 * Jacobian is far sparser. */
const SolverKind *automatic_first(const Problem *p);
/* Solver and kind are those at work. Without a call there is nothing to choose. */
void automatic_create(Automatic *a, const Problem *p, const SolverKind *kind, Solver *solver,
                      AutomaticListener listener);
/* All solvers except this one, which has another owner. */
void automatic_destroy(Automatic *a, const Solver *but);
/* Steps of all solvers except this one, added to the present numbers. */
void automatic_count(const Automatic *a, const Solver *but, uint64_t *steps, uint64_t *rejected);
/* "cvode, dopri5 and radau": those that were at work, into text. */
void automatic_names(const Automatic *a, char *text, size_t size);
/* Before a step or restart. */
void automatic_consider(Automatic *a, const AutomaticProgress *now);
/* Time and evaluations that passed while another program was in use do not count. */
void automatic_skip(Automatic *a, double time, double evaluations);
/* After a failed step: true if another solver is to try again. */
bool automatic_retreat(Automatic *a, const AutomaticProgress *now);
/* The choice, and the counts behind it; solvers are created again. */
void automatic_snapshot(Automatic *a, struct Snapshot *p);
/* Continues with the counts of another program, the most similar one; false: there is nothing to
 * choose. The listener is not called. */
bool automatic_take(Automatic *a, const Automatic *from);

#endif
