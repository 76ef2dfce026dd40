/* Programs of a run. There is one for the plan that the model was compiled with; variable structure
 * has further ones. Variables below Sim.n_common have the same slot in all of them; their values go
 * along when another program comes into use. */
#include "sim/state/state.h"

/* The fields that are spread out in Sim. */
/* clang-format off */
#define EACH_FIELD(X)                                                                                          \
    X(plan) X(dae) X(code) X(rt) X(m) X(v) X(set) X(n) X(x) X(xi) X(failed_x) X(atol) X(open_atol) X(relevant) \
    X(problem) X(kind) X(solver) X(automatic) X(columns) X(rows) X(open_rest) X(others) X(anderson) X(sets)    \
    X(limited) X(fine) X(watch) X(weights) X(trial) X(holds) X(own)
/* clang-format on */

void machine_store(Sim *s)
{
    Machine *m = s->machine;
#define X(field) m->field = s->field;
    EACH_FIELD(X)
#undef X
}

static void spread(Sim *s, Machine *m)
{
#define X(field) s->field = m->field;
    EACH_FIELD(X)
#undef X
    s->machine = m;
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
static void find_absent(Sim *s, Machine *m)
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

static Machine *make(Sim *s, const Plan *plan, const ModelCode *code, Arena *own)
{
    Machine *m = ARENA_NEW(own, Machine), *in_use = s->machine;
    if (in_use)
        machine_store(s);
    *m = (Machine){.plan = plan, .dae = plan->dae, .code = code, .own = own};
    spread(s, m);
    data_program(s);
    externals_attach(s);
    watch_create(s);
    arrive_create(s);
    machine_store(s);
    find_absent(s, m);
    if (in_use)
        spread(s, in_use);
    return m;
}

Machine *machine_new(Sim *s, const Plan *plan, const ModelCode *code)
{
    return make(s, plan, code, s->arena);
}

Machine *machine_assembled(Sim *s, SimProgram *p)
{
    Machine *m = make(s, p->plan, p->code, arena_new());
    m->assembled = p;
    m->seconds = p->seconds;
    return m;
}

void machine_drop(Sim *s, Machine *m)
{
    Machine *in_use = s->machine;
    machine_store(s);
    machine_free(s, m);
    spread(s, in_use);
}

void machine_look(Sim *s, Machine *m)
{
    machine_store(s);
    spread(s, m);
}

static double same_text(Runtime *to, const Runtime *from, double number)
{
    return runtime_string(to, runtime_text(from, number));
}

void machine_copy(Sim *s, Machine *to)
{
    const double *from = s->v;
    Machine *in_use = s->machine;
    const Runtime *rt = s->rt;
    machine_look(s, to);
    memcpy(s->v, from, s->n_common * sizeof *s->v);
    for (uint32_t i = 0; i < s->n_strings; i++)
        if (s->strings[i] < s->n_common)
            s->v[s->strings[i]] = same_text(s->rt, rt, s->v[s->strings[i]]);
    runtime_invalidate(s->rt);
    machine_look(s, in_use);
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

void machine_use(Sim *s, Machine *m)
{
    const double *from = s->v;
    const uint8_t *set = s->set;
    Runtime *rt = s->rt;
    const Machine *before = s->machine;
    if (m == s->machine)
        return;
    holds_clear(s);
    fine_leave(s);
    machine_store(s);
    spread(s, m);
    memcpy(s->v, from, s->n_common * sizeof *s->v);
    memcpy(s->set, set, s->n_common * sizeof *s->set);
    take_strings(s, rt);
    runtime_take_delays(s->rt, rt);
    runtime_invalidate(s->rt);
    sets_take(s, before);
    s->restart = true;
    m->visits++;
}

void machine_free(Sim *s, Machine *m)
{
    spread(s, m);
    fine_destroy(s);
    automatic_destroy(s);
    if (s->solver)
        s->solver->destroy(s->solver);
    sets_free(s);
    anderson_free(s->anderson);
    watch_free(s);
    if (s->rt)
        runtime_free(s->rt);
    if (!m->assembled)
        return;
    s->options->replan->release(m->assembled);
    arena_free(m->own);
}
