/* Runs of an FMU: co-simulation with communication steps, model exchange with our own integrator.
 *
 * Rows are given at the communication points start + k*(stop - start)/intervals. */
#ifndef TESTS_FMI_RUNS_H
#define TESTS_FMI_RUNS_H

#include "fmu.h"

typedef enum Steps {
    EQUAL,    /* points are k*h */
    SUMMED,   /* points are sums of h, with their rounding */
    DIVIDED,  /* every step is divided at random */
    AT_EVENTS /* FMI 3: early return and event mode */
} Steps;

typedef struct Plan {
    double start, stop, tolerance;
    unsigned intervals;
    Steps steps;
    bool (*row)(void *user, double time, const double *values); /* false ends the run */
    void *user;
    /* results */
    unsigned n_events; /* model exchange and AT_EVENTS: event instants */
    double end;
} Plan;

/* From the setup to the end of the initialization mode, with the values of the description. */
bool run_begin(Fmu *f, const Plan *p);
/* From there to the stop time, or until the model terminates. */
bool run_continue(Fmu *f, Plan *p);
/* The same from another time, at which an instance of co-simulation is. */
bool run_from(Fmu *f, Plan *p, unsigned interval);

#endif
