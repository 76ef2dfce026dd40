/* Programs of a run. There is one for the plan that the model was compiled with; variable structure
 * has further ones. Variables below RunContext.n_common have the same slot in all of them; their
 * values are copied when another program comes into use. */
#include "sim/event/crossing_bounds.h"
#include "sim/event/poles.h"
#include "sim/event/event.h"
#include "sim/modes/variable_structure.h"
#include "sim/profile/profile.h"
#include "sim/sliding/sliding.h"
#include "sim/state/evaluate.h"
#include "sim/state/externals.h"

#include <math.h>

/* ---- what depends on the plan ---- */

static void mark_operands(const ModeProgram *prog, Term t, bool *used)
{
    for (uint32_t k = 0; k < t.n; k++)
        used[program_operand(prog, t, k)] = true;
}

static void mark_block(const ModeProgram *prog, const PlanBlock *b, bool *used)
{
    for (uint32_t k = 0; k < b->n_torn; k++)
        mark_operands(prog, program_equation(prog, prog->plan->torn.at[b->torn + k].eq)->term,
                      used);
    for (uint32_t k = 0; k < b->n_steps; k++)
        mark_operands(prog, program_equation(prog, prog->plan->steps.at[b->step + k].eq)->term,
                      used);
}

/* The operands of continuous equations and crossing functions; everything if the plan names no
 * equations. */
static void find_relevant(Sim *s)
{
    ModeProgram *prog = s->prog;
    enum { CONTINUOUS = USE_DERIVATIVE | USE_INDICATOR | USE_OUTPUT };
    bool *used = ARENA_ARRAY(prog->own, bool, prog->code->n_vars);
    const PlanSequence *main = &prog->plan->main;
    for (uint32_t i = 0; i < main->n_blocks; i++) {
        const PlanBlock *b = &prog->plan->blocks.at[main->block + i];
        if (b->uses & CONTINUOUS)
            mark_block(s->prog, b, used);
    }
    for (uint32_t i = 0; i < program_n_relations(prog); i++)
        mark_operands(s->prog, program_relation(prog, i)->z, used);
    prog->relevant = ARENA_ARRAY(prog->own, bool, s->discrete.n);
    for (uint32_t i = 0; i < s->discrete.n; i++) {
        const DaeVar *var = program_var(prog, s->discrete.vars[i]);
        prog->relevant[i] =
            !main->n_blocks || used[s->discrete.vars[i]] || (var->pre != NONE && used[var->pre]);
    }
}

static void list_states(ModeProgram *prog)
{
    prog->n = prog->plan->states.n;
    prog->x = ARENA_ARRAY(prog->own, double, prog->n);
    prog->xi = ARENA_ARRAY(prog->own, double, prog->n);
    prog->settling = ARENA_ARRAY(prog->own, double, 4 * (size_t)prog->n);
    if (prog->run->options->points >= POINTS_DENSE)
        prog->chord = ARENA_ARRAY(prog->own, double, 2 * prog->n);
    prog->failed_x = ARENA_ARRAY(prog->own, double, prog->n);
    if (program_has_state_events(prog)) {
        prog->way.x = ARENA_ARRAY(prog->own, double, prog->n);
        prog->way.from = ARENA_ARRAY(prog->own, double, prog->n);
        prog->way.z = ARENA_ARRAY(prog->own, double, 2 * (size_t)program_n_relations(prog));
    }
    prog->atol = ARENA_ARRAY(prog->own, double, prog->n);
    if (prog->run->options->log & LOG_STATS)
        prog->limited = ARENA_ARRAY(prog->own, uint64_t, prog->n + (size_t)1);
    for (uint32_t i = 0; i < prog->n; i++)
        prog->atol[i] =
            solver_tolerance(prog) * program_var(prog, prog->plan->states.at[i].var)->nominal;
    prog->usual_atol = ARENA_ARRAY(prog->own, double, prog->n);
    if (prog->n)
        memcpy(prog->usual_atol, prog->atol, prog->n * sizeof *prog->atol);
    sizes_create(prog);
}

static void create_runtime(Sim *s)
{
    ModeProgram *prog = s->prog;
    uint32_t n = prog->code->n_vars, n_relations = program_n_relations(prog);
    RuntimeVar *vars = ARENA_ARRAY(prog->own, RuntimeVar, n);
    for (VarId v = 0; v < n; v++) {
        const DaeVar *var = program_var(prog, v);
        vars[v] = (RuntimeVar){var->nominal, var->min, var->max};
    }
    if (!s->relations.decided_at) {
        s->relations.decided_at = ARENA_ARRAY(s->run.arena, double, n_relations);
        s->run.scales = ARENA_ARRAY(s->run.arena, RuntimeRelation, n_relations);
        for (uint32_t i = 0; i < n_relations; i++) {
            s->relations.decided_at[i] = NAN;
            s->run.scales[i].scale = relation_first_scale(s->prog, i);
        }
    }
    prog->rt = runtime_new(prog->code, vars, s->run.scales, n_relations, s->run.options->tolerance);
    if (!prog->rt)
        memory_exhausted();
    prog->m = runtime_data(prog->rt);
    runtime_decided_at(prog->rt, s->relations.decided_at);
    runtime_interrupt(prog->rt, s->run.ctx->interrupt);
    runtime_mixed(prog->rt, s->run.options->mixed);
    runtime_guess(prog->rt, block_guess, prog);
    if (!prog->m->v)
        prog->m->v = ARENA_ARRAY(prog->own, double, n);
    if (!prog->m->dv)
        prog->m->dv = ARENA_ARRAY(prog->own, double, n);
    prog->set = ARENA_ARRAY(prog->own, uint8_t, n);
    prog->m->set = prog->set;
    prog->v = prog->m->v;
}

static void create_data(Sim *s)
{
    ModeProgram *prog = s->prog;
    prog->set_rate = prog->plan->inlined.n ? jump_set_rate : NULL;
    prog->look_at_limit = prog->plan->inlined.n ? jump_look_at_limit : NULL;
    prog->look_ahead = prog->plan->inlined.n ? jump_look_ahead : NULL;
    create_runtime(s);
    run_profile_program(prog);
    stateset_create(s->prog);
    list_states(s->prog);
    find_relevant(s);
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
static void find_absent(ModeProgram *prog, ModeProgram *m)
{
    uint8_t *computed = ARENA_ARRAY(prog->own, uint8_t, program_n_vars(m));
    mark_computed(m->plan, computed);
    m->absent = ARENA_ARRAY(prog->own, VarId, prog->run->n_common);
    for (VarId v = 0; v < prog->run->n_common; v++) {
        const DaeVar *x = program_var(m, v);
        if (x->kind == DAE_DERIVATIVE && x->alias == NONE && !computed[v])
            m->absent[m->n_absent++] = v;
    }
}

void program_create(Sim *s, const Plan *plan, const ModelCode *code)
{
    s->prog = ARENA_NEW(s->run.arena, ModeProgram);
    *s->prog = (ModeProgram){.run = &s->run, .plan = plan, .code = code, .own = s->run.arena};
    create_data(s);
}

static ModeProgram *make(Sim *s, const Plan *plan, const ModelCode *code, Arena *own)
{
    ModeProgram *m = ARENA_NEW(own, ModeProgram), *in_use = s->prog;
    *m = (ModeProgram){.run = &s->run, .plan = plan, .code = code, .own = own, .modes = s->modes};
    s->prog = m;
    create_data(s);
    externals_attach(s->run.externals, m);
    m->bounds = bounds_new(m, s->locator, s->accumulation.cadences, s->run.scratch);
    m->poles = poles_new(m, s->run.scratch);
    simultaneous_create(s->prog);
    find_absent(s->prog, m);
    s->prog = in_use;
    return m;
}

ModeProgram *program_new(Sim *s, const Plan *plan, const ModelCode *code)
{
    return make(s, plan, code, s->run.arena);
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

void program_copy_values(ModeProgram *prog, ModeProgram *to)
{
    memcpy(to->v, prog->v, prog->run->n_common * sizeof *to->v);
    for (uint32_t i = 0; i < prog->run->strings.n; i++)
        if (prog->run->strings.at[i] < prog->run->n_common)
            to->v[prog->run->strings.at[i]] =
                same_text(to->rt, prog->rt, to->v[prog->run->strings.at[i]]);
    runtime_invalidate(to->rt);
}

/* Strings are numbers of texts that each runtime keeps for itself. */
static void take_strings(Sim *s, const Runtime *from)
{
    for (uint32_t i = 0; i < s->run.strings.n; i++) {
        VarId v = s->run.strings.at[i];
        if (v >= s->run.n_common)
            continue;
        s->prog->v[v] = same_text(s->prog->rt, from, s->prog->v[v]);
        s->left[v] = same_text(s->prog->rt, from, s->left[v]);
    }
    for (uint32_t i = 0; s->run.strings.n && i < s->discrete.n; i++)
        if (program_var(s->prog, s->discrete.vars[i])->type == DAE_STRING)
            s->discrete.before[i] = same_text(s->prog->rt, from, s->discrete.before[i]);
}

void program_use(Sim *s, ModeProgram *m)
{
    const ModeProgram *before = s->prog;
    if (m == s->prog)
        return;
    sliding_clear(s->prog, s->locator);
    fallback_leave(s->prog);
    s->prog = m;
    memcpy(m->v, before->v, s->run.n_common * sizeof *m->v);
    memcpy(m->set, before->set, s->run.n_common * sizeof *m->set);
    take_strings(s, before->rt);
    runtime_take_delays(m->rt, before->rt);
    runtime_invalidate(m->rt);
    stateset_take(s->prog, before);
    s->run.restart = true;
    m->visits++;
    run_profile_visit(m);
}

void program_free(ModeProgram *m)
{
    fallback_destroy(m);
    automatic_destroy(&m->automatic, m->solver);
    if (m->solver)
        m->solver->destroy(m->solver);
    stateset_free(m);
    anderson_free(m->anderson);
    bounds_free(m->bounds);
    poles_free(m->poles);
    if (m->rt)
        runtime_free(m->rt);
    if (!m->assembled)
        return;
    m->run->options->replan->release(m->assembled);
    arena_free(m->own);
}
