/* The table of solvers, from solvers.def. */
#include "base/snapshot.h"
#include "sim/solver/solver.h"

#include <string.h>

#define SOLVER(function, name, properties, text) Solver *solver_##function(const Problem *p);
#include "sim/solver/solvers.def"
#undef SOLVER

#define SOLVER(function, name, properties, text) {name, solver_##function, properties},
static const SolverKind kinds[] = {
#include "sim/solver/solvers.def"
};
#undef SOLVER
static const SolverKind none = {"none", solver_none, 0};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

const SolverKind *solver_with(unsigned properties)
{
    for (int i = 0; i < N_KINDS; i++)
        if (kinds[i].properties == properties)
            return &kinds[i];
    return NULL;
}

static const SolverKind *find_named(const char *name)
{
    if (!name || !strcmp(name, "auto"))
        return solver_with(SOLVER_AUTO | SOLVER_MULTISTEP);
    for (int i = 0; i < N_KINDS; i++)
        if (!strcmp(name, kinds[i].name))
            return &kinds[i];
    return NULL;
}

void solver_snapshot(Solver *s, Snapshot *p)
{
    snapshot_value(p, s->steps);
    snapshot_value(p, s->rejected);
    snapshot_value(p, s->stiff);
    snapshot_value(p, s->stiffness);
    if (s->snapshot)
        s->snapshot(s, p);
}

bool solver_is_inline(const char *name)
{
    const SolverKind *kind = name ? find_named(name) : NULL;
    return kind && (kind->properties & SOLVER_INLINE);
}

const SolverKind *solver_inline(InlineMethod method)
{
    static const char *const names[] = {[INLINE_RADAU] = "inline-radau",
                                        [INLINE_EULER] = "inline-euler",
                                        [INLINE_BDF2] = "inline-bdf2"};
    return find_named(names[method]);
}

const SolverKind *solver_find(const char *name, const Problem *p)
{
    const SolverKind *kind = find_named(name);
    return kind && !p->n ? &none : kind;
}

const char *const *solver_names(void)
{
#define SOLVER(function, name, properties, text) name,
    static const char *const names[] = {"auto",
#include "sim/solver/solvers.def"
                                        NULL};
#undef SOLVER
    return names;
}
