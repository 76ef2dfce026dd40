#include "replan/replan.h"

#include "base/clock.h"
#include "replan/group_programs.h"
#include "structure/modes/modes.h"
#include "structure/structure.h"
#include "base/arith.h"

#include <math.h>

typedef enum ProgramKind { PROGRAM_MODE, PROGRAM_INLINED, PROGRAM_SPARING } ProgramKind;

typedef struct Program {
    SimProgram program;
    ProgramKind kind;
    VarId *vars;    /* guards of a mode, or the inlined states; size n */
    double *values; /* of the guards of a mode; otherwise NULL */
    uint32_t n;
    Dae *dae; /* the model to plan; NULL once there is a plan */
    Plan *plan;
    char *code;
    Loaded *loaded;
} Program;

typedef struct Programs {
    VEC(Program *) list;
    GroupPrograms *parts; /* of modes of groups */
} Programs;

static void program_free(Program *p)
{
    load_free(p->loaded);
    memory_free(p->code);
    plan_free(p->plan);
    dae_free(p->dae);
    memory_free(p->vars);
    memory_free(p->values);
    memory_free(p);
}

void replan_free(Programs *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->list.n; i++)
        program_free(p->list.at[i]);
    vec_free(&p->list);
    group_programs_free(p->parts);
    memory_free(p);
}

/* ---- programs made before ---- */

static bool is_same(const Program *p, ProgramKind kind, const VarId *vars, const double *values,
                    uint32_t n)
{
    bool same = p->n == n && p->kind == kind;
    for (uint32_t i = 0; i < n && same; i++)
        same = p->vars[i] == vars[i] && (!values || arith_same(p->values[i], values[i]));
    return same;
}

static Programs *programs_of(Compilation *c)
{
    if (!c->programs)
        c->programs = memory_alloc(sizeof *c->programs);
    return c->programs;
}

static Program *find(Compilation *c, ProgramKind kind, const VarId *vars, const double *values,
                     uint32_t n)
{
    Programs *p = programs_of(c);
    for (uint32_t i = 0; i < p->list.n; i++)
        if (is_same(p->list.at[i], kind, vars, values, n))
            return p->list.at[i];
    return NULL;
}

static Program *add(Compilation *c, ProgramKind kind, const VarId *vars, const double *values,
                    uint32_t n)
{
    Program *p = memory_alloc(sizeof *p);
    p->kind = kind;
    p->n = n;
    p->vars = memory_alloc(((size_t)n + 1) * sizeof *p->vars);
    for (uint32_t i = 0; i < n; i++)
        p->vars[i] = vars[i];
    if (values) {
        p->values = memory_alloc(((size_t)n + 1) * sizeof *p->values);
        for (uint32_t i = 0; i < n; i++)
            p->values[i] = values[i];
    }
    p->dae = dae_clone(c->plan->dae);
    vec_push(&c->programs->list, p);
    return p;
}

/* ---- making ---- */

bool replan_put_guards(Dae *d, const VarId *guards, const double *values, uint32_t n)
{
    uint8_t *fixed = memory_alloc(d->vars.n);
    double *value = memory_alloc((size_t)d->vars.n * sizeof *value);
    double *fitting = memory_alloc(((size_t)n + 1) * sizeof *fitting);
    bool all = true;
    memcpy(fitting, values, n * sizeof *fitting);
    structure_fit_guards(d, guards, fitting, n);
    if (structure_split_smallest(d, guards, values, fitting, n))
        memcpy(fitting, values, n * sizeof *fitting);
    for (uint32_t i = 0; i < n; i++) {
        fixed[guards[i]] = (uint8_t)!isnan(fitting[i]);
        value[guards[i]] = fitting[i];
        all &= isnan(values[i]) || !isnan(fitting[i]);
    }
    memory_free(fitting);
    for (EqId e = 0; e < d->n_model_eqs; e++) {
        const DaeEq *q = &d->eqs.at[e];
        bool real = q->target == NONE || d->vars.at[q->target].kind == DAE_CONTINUOUS ||
                    d->vars.at[q->target].kind == DAE_DERIVATIVE;
        if (q->origin != DAE_EQ_MODEL || !real)
            continue;
        Term t = dae_fix(d, q->term, fixed, value);
        d->eqs.at[e].term = t;
    }
    memory_free(fixed);
    memory_free(value);
    return all;
}

bool replan_check(Context *ctx, const Plan *plan)
{
#ifdef KAIROS_CHECK
    Arena *arena = arena_new();
    const char *breach = plan_check(plan, arena);
    if (breach)
        diag(ctx, (Span){0}, DIAG_X001, "a further plan violates its contract: %s", breach);
    arena_free(arena);
    return !breach;
#else
    (void)ctx, (void)plan;
    return true;
#endif
}

/* Messages go to the run; the program outlives it. */
static bool make(const ReplanFor *w, Program *p, const PlanOptions *options)
{
    double start = clock_now();
    Context *session = p->dae->ctx;
    p->dae->ctx = w->ctx;
    p->plan = structure_plan_as(p->dae, options);
    dae_free(p->dae);
    p->dae = NULL;
    bool planned = p->plan && replan_check(w->ctx, p->plan);
    size_t size;
    CodegenOptions how = {.profiled = w->compilation->profiled,
                          .variations = w->compilation->variations};
    p->code = planned ? codegen_model(p->plan, &how, &size) : NULL;
    p->loaded = p->code ? load_compile(w->ctx, p->code, w->compilation->tier) : NULL;
    if (p->plan)
        p->plan->dae->ctx = session;
    if (!p->loaded)
        return false;
    p->program = (SimProgram){p->plan, load_code(p->loaded), clock_now() - start};
    return true;
}

static const SimProgram *answer(Compilation *c, Program *p, bool good)
{
    if (good)
        return &p->program;
    c->programs->list.n--;
    program_free(p);
    return NULL;
}

static const SimProgram *make_mode(void *user, const VarId *guards, const double *values,
                                   uint32_t n)
{
    const ReplanFor *w = user;
    Compilation *c = w->compilation;
    CONTEXT_HOLD(w->ctx);
    Program *p = find(c, PROGRAM_MODE, guards, values, n);
    if (p)
        return &p->program;
    p = add(c, PROGRAM_MODE, guards, values, n);
    replan_put_guards(p->dae, guards, values, n);
    return answer(c, p, make(w, p, &(PlanOptions){.mode = true}));
}

static const SimProgram *make_inlined(void *user, const VarId *vars, uint32_t n)
{
    const ReplanFor *w = user;
    Compilation *c = w->compilation;
    CONTEXT_HOLD(w->ctx);
    Program *p = find(c, PROGRAM_INLINED, vars, NULL, n);
    if (p)
        return &p->program;
    p = add(c, PROGRAM_INLINED, vars, NULL, n);
    return answer(
        c, p, make(w, p, &(PlanOptions){.inline_all = n == 0, .inlined = vars, .n_inlined = n}));
}

static const SimProgram *make_sparing(void *user)
{
    const ReplanFor *w = user;
    Compilation *c = w->compilation;
    CONTEXT_HOLD(w->ctx);
    Program *p = find(c, PROGRAM_SPARING, NULL, NULL, 0);
    if (p)
        return &p->program;
    p = add(c, PROGRAM_SPARING, NULL, NULL, 0);
    return answer(c, p, make(w, p, &(PlanOptions){.sparing = true}));
}

static SimProgram *assemble_mode(void *user, const VarId *guards, const double *values, uint32_t n)
{
    const ReplanFor *w = user;
    CONTEXT_HOLD(w->ctx);
    return group_programs_assemble(w, &programs_of(w->compilation)->parts, guards, values, n);
}

static SimGroups count_groups(void *user)
{
    const ReplanFor *w = user;
    CONTEXT_HOLD(w->ctx);
    return group_programs_count(programs_of(w->compilation)->parts);
}

Replan replan_of(const ReplanFor *w)
{
    return (Replan){(void *)(uintptr_t)w,   make_mode,   make_inlined, make_sparing, assemble_mode,
                    group_programs_release, count_groups};
}
