/* Parts of the runtime that sources do without, and that are never called there. The code gives no
 * patterns of Jacobians, so all blocks are dense: runtime/sparse_jacobian.c needs KLU. No profile
 * is requested: runtime/profile.c needs a clock of the system. */
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

void profile_begin(Profile *p, ProfileKind kind, uint32_t item)
{
    (void)p;
    (void)kind;
    (void)item;
}

void profile_end(Profile *p)
{
    (void)p;
}
