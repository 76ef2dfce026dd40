/* The code in sources gives no patterns of Jacobians: all blocks are dense, and nothing here is
 * called for a block. It stands for runtime/sparse_jacobian.c, which needs KLU. */
#include "runtime/internal.h"

int sparse_factor(Runtime *rt, Block *b)
{
    (void)rt;
    (void)b;
    return MODEL_SINGULAR;
}

void sparse_solve(Block *b, double *r)
{
    (void)b;
    (void)r;
}

void sparse_free(Block *b)
{
    (void)b;
}
