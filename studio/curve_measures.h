/* Numbers about a curve between two times. */
#ifndef STUDIO_CURVE_MEASURES_H
#define STUDIO_CURVE_MEASURES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct CurveMeasures {
    double first, last; /* values at the two times, after events there */
    double mean, rms, least, most;
    double frequency; /* of upward crossings of the middle; 0: none, or uneven */
} CurveMeasures;

/* Rows in order of time, two of them at an event. Curves are those of spectra (src/spectrum): cubic
 * between rows, with jumps at events. False if values are missing, the first one at *where. */
bool curve_measure(const double *times, const double *values, uint32_t n, double from, double to,
                   CurveMeasures *out, double *where);

#endif
