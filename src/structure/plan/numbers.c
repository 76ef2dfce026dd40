/* Numbers of blocks and assertions. */
#include "structure/plan/numbers.h"
#include "expr/walk.h"

const PlanBlock *plan_numbered_block(const Plan *plan, uint32_t number)
{
    for (uint32_t b = 0; b < plan->blocks.n; b++)
        if (plan_is_numbered(&plan->blocks.at[b]) && number-- == 0)
            return &plan->blocks.at[b];
    return NULL;
}

typedef struct Numbered {
    uint32_t count, wanted;
    const Stmt *found;
} Numbered;

static Walk count_assert(void *user, const Stmt *s)
{
    Numbered *w = user;
    if ((s->kind == STMT_ASSERT || s->kind == STMT_WHILE) && w->count++ == w->wanted)
        w->found = s;
    return WALK_ON;
}

static uint32_t count_asserts(const Stmt *body, uint32_t n, uint32_t wanted, const Stmt **found)
{
    Numbered w = {0, wanted, NULL};
    stmt_walk(body, n, &(StmtVisitor){.statement = count_assert}, &w);
    if (w.found)
        *found = w.found;
    return w.count;
}

uint32_t plan_first_assert(const Graph *g, uint32_t function)
{
    uint32_t count = 0;
    const Stmt *found = NULL;
    for (uint32_t i = 0; i < function; i++)
        count +=
            count_asserts(g->functions.at[i]->body, g->functions.at[i]->n_body, UINT32_MAX, &found);
    return count;
}

const Stmt *plan_assert(const Plan *plan, uint32_t number, const Function **function)
{
    const Graph *g = plan->dae->g;
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->functions.n && number != UINT32_MAX; i++) {
        const Function *f = g->functions.at[i];
        const Stmt *found = NULL;
        uint32_t n = count_asserts(f->body, f->n_body, number - count, &found);
        if (number < count + n && found) {
            *function = f;
            return found;
        }
        count += n;
    }
    return NULL;
}
