#include "replan.h"

#include "base/clock.h"

#include <math.h>

typedef struct Program {
    SimProgram program;
    VarId *vars;    /* guards of a mode, or what is inlined; size n */
    double *values; /* of the guards; NULL for an inlined program */
    uint32_t n;
    Dae *dae;
    Plan *plan;
    char *code;
    Loaded *loaded;
} Program;

typedef struct Programs {
    VEC(Program *) list;
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
    memory_free(p);
}

/* ---- what was made already ---- */

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool is_same(const Program *p, const VarId *vars, const double *values, uint32_t n)
{
    bool same = p->n == n && !p->values == !values;
    for (uint32_t i = 0; i < n && same; i++)
        same = p->vars[i] == vars[i] && (!values || same_value(p->values[i], values[i]));
    return same;
}

static Program *find(Compilation *c, const VarId *vars, const double *values, uint32_t n)
{
    if (!c->programs)
        c->programs = memory_alloc(sizeof *c->programs);
    for (uint32_t i = 0; i < c->programs->list.n; i++)
        if (is_same(c->programs->list.at[i], vars, values, n))
            return c->programs->list.at[i];
    return NULL;
}

static Program *add(Compilation *c, const VarId *vars, const double *values, uint32_t n)
{
    Program *p = memory_alloc(sizeof *p);
    p->n = n;
    p->vars = memory_alloc(((size_t)n + 1) * sizeof *p->vars);
    for (uint32_t i = 0; i < n; i++)
        p->vars[i] = vars[i];
    if (values) {
        p->values = memory_alloc(((size_t)n + 1) * sizeof *p->values);
        for (uint32_t i = 0; i < n; i++)
            p->values[i] = values[i];
    }
    vec_push(&c->programs->list, p);
    return p;
}

/* ---- making ---- */

/* Puts the values of the guards into the continuous equations. */
static void put_guards(Dae *d, const Program *p)
{
    uint8_t *fixed = memory_alloc(d->vars.n);
    double *value = memory_alloc((size_t)d->vars.n * sizeof *value);
    double *fitting = memory_alloc(((size_t)p->n + 1) * sizeof *fitting);
    memcpy(fitting, p->values, p->n * sizeof *fitting);
    structure_fit_guards(d, p->vars, fitting, p->n);
    for (uint32_t i = 0; i < p->n; i++) {
        fixed[p->vars[i]] = (uint8_t)!isnan(fitting[i]);
        value[p->vars[i]] = fitting[i];
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
}

static bool check(Context *ctx, const Plan *plan)
{
#ifdef KAIROS_CHECK
    Arena *arena = arena_new();
    const char *breach = plan_check(plan, arena);
    if (breach)
        diag(ctx, (Span){0}, DIAG_X001, "a further plan breaks its contract: %s", breach);
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
    bool planned = p->plan && check(w->ctx, p->plan);
    size_t size;
    p->code = planned ? codegen_model(p->plan, &(CodegenOptions){0}, &size) : NULL;
    p->loaded = p->code ? load_compile(w->ctx, p->code, w->compilation->tier) : NULL;
    p->dae->ctx = session;
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

static const SimProgram *make_mode(void *user, const VarId *guards, const double *values, uint32_t n)
{
    const ReplanFor *w = user;
    Compilation *c = w->compilation;
    CONTEXT_HOLD(w->ctx);
    Program *p = find(c, guards, values, n);
    if (p)
        return &p->program;
    p = add(c, guards, values, n);
    p->dae = dae_clone(c->dae);
    put_guards(p->dae, p);
    return answer(c, p, make(w, p, &(PlanOptions){.mode = true}));
}

static const SimProgram *make_inlined(void *user, const VarId *vars, uint32_t n)
{
    const ReplanFor *w = user;
    Compilation *c = w->compilation;
    CONTEXT_HOLD(w->ctx);
    Program *p = find(c, vars, NULL, n);
    if (p)
        return &p->program;
    p = add(c, vars, NULL, n);
    p->dae = dae_clone(c->dae);
    return answer(c, p, make(w, p, &(PlanOptions){.inline_all = n == 0, .inlined = vars, .n_inlined = n}));
}

Replan replan_of(const ReplanFor *w)
{
    return (Replan){(void *)(uintptr_t)w, make_mode, make_inlined};
}
