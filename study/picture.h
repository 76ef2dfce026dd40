/* The pictures of a summary: one page of HTML with SVG. */
#ifndef STUDY_PICTURE_H
#define STUDY_PICTURE_H

#include "study.h"

typedef struct Picture Picture;

Picture *picture_open(const char *path, const char *title); /* NULL after a message */
/* A histogram of kept values with the 95 % interval of their mean, and their scatter over each
 * factor. */
void picture_values(Picture *p, const Study *s, const char *name, const double *values,
                    const uint64_t *points, size_t n);
/* The response at places of the factors in (0, 1). */
typedef double ResponseFn(const void *user, const double *places);
/* The response over the values of factors a and b, with the others in their middle. */
void picture_response(Picture *p, const Study *s, const char *name, unsigned a, unsigned b,
                      ResponseFn *response, const void *user);
/* Means of the values over the two factors on which they depend most. */
void picture_means(Picture *p, const Study *s, const char *name, const double *values,
                   const uint64_t *points, size_t n);
/* Sobol indices of each factor, with half of their 95 % intervals. */
typedef struct Indices {
    const double *first, *total, *half_first, *half_total;
} Indices;
void picture_indices(Picture *p, const Study *s, const char *name, const Indices *x);
/* Where points failed, over the first two factors. */
void picture_failures(Picture *p, const Study *s, const Results *r);
bool picture_close(Picture *p); /* false after a message */

#endif
