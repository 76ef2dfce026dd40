/* Which columns of a wide matrix to solve for: a basis whose determinant no exchange of a column
 * enlarges by more than a given factor. See Goreinov, Tyrtyshnikov and Zamarashkin 1997; Gu and
 * Eisenstat 1996. Used for states chosen by value. */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ColumnsChoice { COLUMNS_SINGULAR, COLUMNS_KEPT, COLUMNS_CHANGED } ColumnsChoice;

/* a: m by n, by rows, m <= n; overwritten. basis: size m; the columns to start from, or undefined
 * if `fresh`; on return the choice. If no exchange enlarges the determinant by more than `slack`
 * (>= 1), the basis is kept. Otherwise it becomes the best that single exchanges reach. No
 * allocation. */
ColumnsChoice columns_choose(double *a, uint32_t m, uint32_t n, uint32_t *basis, bool fresh,
                             double slack);

#endif
