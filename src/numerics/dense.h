/* Small dense linear algebra; matrices are n by n, by columns. */
#ifndef RUNTIME_DENSE_H
#define RUNTIME_DENSE_H

#include <stdbool.h>
#include <stdint.h>

/* LU factors with partial pivoting in place. False if a pivot is negligible against its column.
 */
bool dense_factor(uint32_t n, double *a, uint32_t *pivot);
/* Solves with the factors; b becomes the solution. */
void dense_solve(uint32_t n, const double *a, const uint32_t *pivot, double *b);
/* Pivots below this share of the first one count as zero. */
static const double DENSE_SINGULAR = 1e-12;
/* The solution of smallest norm of a possibly singular system, by complete pivoting; destroys a. b
 * becomes the solution. least: DENSE_SINGULAR, or more for a matrix with errors; work: n*n + 3*n
 * doubles; order: 2*n. Returns the size of the part of b outside the range of a (0: consistent),
 * and the rank. */
double dense_min_norm(uint32_t n, double *a, double *b, double least, double *work, uint32_t *order,
                      uint32_t *rank);

double dense_product(const double *a, const double *b, uint32_t n); /* of two vectors */

/* A null vector of the n by n matrix a (overwritten), its largest entry 1. False if a is
 * regular. column: work of size n. */
bool dense_null(uint32_t n, double *a, double *x, uint32_t *column);
/* All of them: a basis of the null space by columns, room n*n. Returns their number. least: as
 * above. */
uint32_t dense_null_space(uint32_t n, double *a, double least, double *basis, uint32_t *column);

#endif
