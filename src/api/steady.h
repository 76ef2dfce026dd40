/* A steady state that is being searched, and its result. Shared by steady.c and steady_result.c. */
#ifndef API_STEADY_H
#define API_STEADY_H

#include "api/analysis.h"
#include "base/text.h"
#include "output/output.h"
#include "sim/orbit/orbit.h"

typedef struct Steady {
    const KairosSteady *given;
    KairosSteady how; /* its copy */
    double tolerance; /* of the result; that of the run is smaller */
    ResultSink sink;
    Recurrence *recurrence; /* NULL: rows are not watched */
    ResultSink repeats;     /* its sink */
    Columns *columns;
    Writer *writer; /* of the orbit, while it is recorded */

    /* the result */
    bool periodic, converged, stable;
    Orbit orbit;
    unsigned used;  /* periods, before the search that found the orbit */
    VarId farthest; /* from rest */
    double *pole_re, *pole_im;
    uint32_t n_poles;
    Text json;
    bool wanted;
    char *made; /* the JSON for the caller */
} Steady;

/* Lets the run be more exact than the result, whose tolerance it returns. */
double steady_tolerance(Analysis *a);
/* With delays there is no other way to an equilibrium than to wait: the run goes on for some times
 * as long, until its states rest. False if it ends. */
bool steady_wait(Analysis *a, double tolerance, bool *rests);
/* Periodic motion of the present run under a drive with this period. If a step of Newton's method
 * ends the run, the search begins again with a new one, after more periods without such steps.
 * *used: periods before that. */
OrbitResult steady_driven(Analysis *a, const ResultSink *sink, double period, double tolerance,
                          Orbit *orbit, unsigned *used);
/* The run stands at an equilibrium, or at the beginning of a period: values, the orbit, files.
 * False after a message. */
bool steady_save(Analysis *a, Steady *w);

#endif
