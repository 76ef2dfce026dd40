/* Programs of a run. There is one for the plan that the model was compiled with; variable structure
 * has further ones. Variables below Sim.n_common have the same slot in all of them; their values go
 * along when another program comes into use. */
#include "sim/state/state.h"

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
    uint8_t *computed = ARENA_ARRAY(s->prog->own, uint8_t, m->dae->vars.n);
    mark_computed(m->plan, computed);
    m->absent = ARENA_ARRAY(s->prog->own, VarId, s->n_common);
    for (VarId v = 0; v < s->n_common; v++) {
        const DaeVar *x = &m->dae->vars.at[v];
        if (x->kind == DAE_DERIVATIVE && x->alias == NONE && !computed[v])
            m->absent[m->n_absent++] = v;
    }
}

static ModeProgram *make(Sim *s, const Plan *plan, const ModelCode *code, Arena *own)
{
    ModeProgram *m = ARENA_NEW(own, ModeProgram), *in_use = s->prog;
    *m = (ModeProgram){.plan = plan, .dae = plan->dae, .code = code, .own = own};
    s->prog = m;
    program_create_data(s);
    externals_attach(s);
    bounds_create(s);
    simultaneous_create(s);
    find_absent(s, m);
    s->prog = in_use;
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

static double same_text(Runtime *to, const Runtime *from, double number)
{
    return runtime_string(to, runtime_text(from, number));
}

void program_copy_values(Sim *s, ModeProgram *to)
{
    memcpy(to->v, s->prog->v, s->n_common * sizeof *to->v);
    for (uint32_t i = 0; i < s->strings.n; i++)
        if (s->strings.at[i] < s->n_common)
            to->v[s->strings.at[i]] = same_text(to->rt, s->prog->rt, to->v[s->strings.at[i]]);
    runtime_invalidate(to->rt);
}

/* Strings are numbers of texts that each runtime keeps for itself. */
static void take_strings(Sim *s, const Runtime *from)
{
    for (uint32_t i = 0; i < s->strings.n; i++) {
        VarId v = s->strings.at[i];
        if (v >= s->n_common)
            continue;
        s->prog->v[v] = same_text(s->prog->rt, from, s->prog->v[v]);
        s->left[v] = same_text(s->prog->rt, from, s->left[v]);
    }
    for (uint32_t i = 0; s->strings.n && i < s->discrete.n; i++)
        if (s->prog->dae->vars.at[s->discrete.vars[i]].type == DAE_STRING)
            s->discrete.before[i] = same_text(s->prog->rt, from, s->discrete.before[i]);
}

void program_use(Sim *s, ModeProgram *m)
{
    const ModeProgram *before = s->prog;
    if (m == s->prog)
        return;
    sliding_clear(s);
    fallback_leave(s);
    s->prog = m;
    memcpy(m->v, before->v, s->n_common * sizeof *m->v);
    memcpy(m->set, before->set, s->n_common * sizeof *m->set);
    take_strings(s, before->rt);
    runtime_take_delays(m->rt, before->rt);
    runtime_invalidate(m->rt);
    stateset_take(s, before);
    s->restart = true;
    m->visits++;
}

void program_free(Sim *s, ModeProgram *m)
{
    ModeProgram *in_use = s->prog;
    s->prog = m;
    fallback_destroy(s);
    automatic_destroy(s);
    if (m->solver)
        m->solver->destroy(m->solver);
    stateset_free(s);
    anderson_free(m->anderson);
    bounds_free(s);
    if (m->rt)
        runtime_free(m->rt);
    s->prog = in_use;
    if (!m->assembled)
        return;
    s->options->replan->release(m->assembled);
    arena_free(m->own);
}
