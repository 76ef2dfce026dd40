/* Programs of a run. There is one for the plan that the model was compiled with; variable structure
 * has further ones. Variables below Sim.n_common have the same slot in all of them; their values go
 * along when another program comes into use. */
#include "sim/state/state.h"

/* The fields that are spread out in Sim. */
/* clang-format off */
#define EACH_FIELD(X)                                                                                          \
    X(plan) X(dae) X(code) X(rt) X(m) X(v) X(set) X(n) X(x) X(xi) X(failed_x) X(atol) X(open_atol) X(relevant) \
    X(problem) X(kind) X(solver) X(automatic) X(columns) X(rows) X(open_rest) X(others) X(anderson) X(sets)    \
    X(limited) X(fallback) X(bounds) X(tolerances) X(trial) X(sliding) X(own)
/* clang-format on */

void program_store(Sim *s)
{
    ModeProgram *m = s->prog;
#define X(field) m->field = s->field;
    EACH_FIELD(X)
#undef X
}

static void spread(Sim *s, ModeProgram *m)
{
#define X(field) s->field = m->field;
    EACH_FIELD(X)
#undef X
    s->prog = m;
}

static void mark_computed(const Plan *p, uint8_t *computed)
{
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *b = &p->blocks.at[p->main.block + i];
        for (uint32_t k = 0; k < b->n_steps; k++)
            computed[p->steps.at[b->step + k].var] = 1;
        for (uint32_t k = 0; k < b->n_torn; k++)
            computed[p->torn.at[b->torn + k].var] = 1;
    }
}

/* Derivatives that no block computes. */
static void find_absent(Sim *s, ModeProgram *m)
{
    uint8_t *computed = ARENA_ARRAY(s->own, uint8_t, m->dae->vars.n);
    mark_computed(m->plan, computed);
    m->absent = ARENA_ARRAY(s->own, VarId, s->n_common);
    for (VarId v = 0; v < s->n_common; v++) {
        const DaeVar *x = &m->dae->vars.at[v];
        if (x->kind == DAE_DERIVATIVE && x->alias == NONE && !computed[v])
            m->absent[m->n_absent++] = v;
    }
}

static ModeProgram *make(Sim *s, const Plan *plan, const ModelCode *code, Arena *own)
{
    ModeProgram *m = ARENA_NEW(own, ModeProgram), *in_use = s->prog;
    if (in_use)
        program_store(s);
    *m = (ModeProgram){.plan = plan, .dae = plan->dae, .code = code, .own = own};
    spread(s, m);
    program_create_data(s);
    externals_attach(s);
    bounds_create(s);
    simultaneous_create(s);
    program_store(s);
    find_absent(s, m);
    if (in_use)
        spread(s, in_use);
    return m;
}

ModeProgram *program_new(Sim *s, const Plan *plan, const ModelCode *code)
{
    return make(s, plan, code, s->arena);
}

ModeProgram *program_assembled(Sim *s, SimProgram *p)
{
    ModeProgram *m = make(s, p->plan, p->code, arena_new());
    m->assembled = p;
    m->seconds = p->seconds;
    return m;
}

void program_drop(Sim *s, ModeProgram *m)
{
    ModeProgram *in_use = s->prog;
    program_store(s);
    program_free(s, m);
    spread(s, in_use);
}

void program_look(Sim *s, ModeProgram *m)
{
    program_store(s);
    spread(s, m);
}

static double same_text(Runtime *to, const Runtime *from, double number)
{
    return runtime_string(to, runtime_text(from, number));
}

void program_copy_values(Sim *s, ModeProgram *to)
{
    const double *from = s->v;
    ModeProgram *in_use = s->prog;
    const Runtime *rt = s->rt;
    program_look(s, to);
    memcpy(s->v, from, s->n_common * sizeof *s->v);
    for (uint32_t i = 0; i < s->n_strings; i++)
        if (s->strings[i] < s->n_common)
            s->v[s->strings[i]] = same_text(s->rt, rt, s->v[s->strings[i]]);
    runtime_invalidate(s->rt);
    program_look(s, in_use);
}

/* Strings are numbers of texts that each runtime keeps for itself. */
static void take_strings(Sim *s, const Runtime *from)
{
    for (uint32_t i = 0; i < s->n_strings; i++) {
        VarId v = s->strings[i];
        if (v >= s->n_common)
            continue;
        s->v[v] = same_text(s->rt, from, s->v[v]);
        s->left[v] = same_text(s->rt, from, s->left[v]);
    }
    for (uint32_t i = 0; s->n_strings && i < s->n_discrete; i++)
        if (s->dae->vars.at[s->discrete[i]].type == DAE_STRING)
            s->before[i] = same_text(s->rt, from, s->before[i]);
}

void program_use(Sim *s, ModeProgram *m)
{
    const double *from = s->v;
    const uint8_t *set = s->set;
    Runtime *rt = s->rt;
    const ModeProgram *before = s->prog;
    if (m == s->prog)
        return;
    sliding_clear(s);
    fallback_leave(s);
    program_store(s);
    spread(s, m);
    memcpy(s->v, from, s->n_common * sizeof *s->v);
    memcpy(s->set, set, s->n_common * sizeof *s->set);
    take_strings(s, rt);
    runtime_take_delays(s->rt, rt);
    runtime_invalidate(s->rt);
    stateset_take(s, before);
    s->restart = true;
    m->visits++;
}

void program_free(Sim *s, ModeProgram *m)
{
    spread(s, m);
    fallback_destroy(s);
    automatic_destroy(s);
    if (s->solver)
        s->solver->destroy(s->solver);
    stateset_free(s);
    anderson_free(s->anderson);
    bounds_free(s);
    if (s->rt)
        runtime_free(s->rt);
    if (!m->assembled)
        return;
    s->options->replan->release(m->assembled);
    arena_free(m->own);
}
