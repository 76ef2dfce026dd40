/* The pictures of a summary: one page of HTML with SVG. */
#ifndef STUDY_PICTURE_H
#define STUDY_PICTURE_H

#include "study.h"

typedef struct Picture Picture;

Picture *picture_open(const char *path, const char *title); /* NULL after a message */
/* A histogram of kept values, and their scatter over each factor. */
void picture_values(Picture *p, const Study *s, const char *name, const double *values,
                    const uint64_t *points, size_t n);
/* A response surface over the places of two factors: `cells` by rows, n by n. */
void picture_surface(Picture *p, const char *name, const char *x, const char *y,
                     const double *cells, unsigned n);
/* Where points failed, over the first two factors. */
void picture_failures(Picture *p, const Study *s, const Results *r);
bool picture_close(Picture *p); /* false after a message */

#endif
