/* The reports of `--log stats` and `--log blocks` at the end of a run: counts, the states that
 * limited the step, fast components, blocks. */
#include "sim/event/schedule.h"
#include "sim/message/message.h"
#include "sim/report/report.h"
#include "structure/plan/numbers.h"

#include <math.h>
#include <stdlib.h>

enum { SHOWN_STATES = 5, SHOWN_BLOCKS = 10 };

typedef struct Ranked {
    uint32_t item;
    double value;
} Ranked;

static int by_value(const void *a, const void *b)
{
    const Ranked *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static Ranked *new_ranking(const RunContext *run, uint32_t n)
{
    return ARENA_ARRAY(run->arena, Ranked, (size_t)n + 1);
}

/* ---- states ---- */

void statistics_step(ModeProgram *prog)
{
    if (prog->limited && prog->solver->limiting < prog->n)
        prog->limited[prog->solver->limiting]++;
}

static void report_limiting(ModeProgram *prog, uint64_t steps)
{
    Ranked *r = new_ranking(prog->run, prog->n);
    double total = 0;
    for (uint32_t i = 0; i < prog->n; i++) {
        r[i] = (Ranked){i, (double)prog->limited[i]};
        total += r[i].value;
    }
    qsort(r, prog->n, sizeof *r, by_value);
    if (total > 0)
        run_log(prog->run, LOG_STATS, "States that limit the step, of %llu steps:\n",
                (unsigned long long)steps);
    for (uint32_t i = 0; i < prog->n && i < SHOWN_STATES && r[i].value > 0; i++) {
        arena_reset(prog->run->scratch);
        run_log(prog->run, LOG_STATS, "  %-24s %5.1f %%\n",
                describe_variable(prog, prog->plan->states.at[r[i].item].var),
                100 * r[i].value / total);
    }
}

/* |∂x'/∂x| of each state at the end. */
static bool diagonal(ModeProgram *prog, Ranked *r)
{
    const Problem *p = &prog->problem;
    if (!p->jacobian)
        return false;
    double *values = memory_alloc(((size_t)p->col_ptr[prog->n] + 1) * sizeof *values);
    bool known = !p->jacobian(p->user, prog->run->time, prog->x, values);
    for (uint32_t j = 0; j < prog->n; j++) {
        r[j] = (Ranked){j, 0};
        for (uint32_t k = p->col_ptr[j]; known && k < p->col_ptr[j + 1]; k++)
            if (p->row[k] == j)
                r[j].value = fabs(values[k]);
    }
    memory_free(values);
    return known;
}

/* Components whose time constant is much shorter than the simulated time. */
static void report_fast(ModeProgram *prog)
{
    double span = prog->run->options->stop - prog->run->options->start;
    Ranked *r = new_ranking(prog->run, prog->n);
    if (!(span > 0) || !diagonal(prog, r))
        return;
    qsort(r, prog->n, sizeof *r, by_value);
    for (uint32_t i = 0; i < prog->n && i < SHOWN_STATES && r[i].value * span > 1e4; i++) {
        if (i == 0)
            run_log(prog->run, LOG_STATS,
                    "Fast components at time = %g, which make the model stiff:\n", prog->run->time);
        arena_reset(prog->run->scratch);
        run_log(prog->run, LOG_STATS, "  %-24s time constant %.3g\n",
                describe_variable(prog, prog->plan->states.at[r[i].item].var), 1 / r[i].value);
    }
}

enum { MOST_SOURCES = 8 };

/* The relation with the most events that has fewer than `below`, or as many and a higher number
 * than `last`; NONE. */
static uint32_t next_source(const uint64_t *fired, uint32_t n, uint64_t below, uint32_t last)
{
    uint32_t best = NONE;
    for (uint32_t k = 0; k < n; k++) {
        bool left = fired[k] < below || (fired[k] == below && last != NONE && k > last);
        if (fired[k] && left && (best == NONE || fired[k] > fired[best]))
            best = k;
    }
    return best;
}

/* The relations and samples that triggered most events. */
static void report_sources(ModeProgram *prog, const uint64_t *fired, const Schedule *schedule)
{
    uint32_t n = program_n_relations(prog);
    uint64_t below = UINT64_MAX;
    uint32_t k = NONE;
    for (uint32_t i = 0; i < MOST_SOURCES && (k = next_source(fired, n, below, k)) != NONE; i++) {
        const DaeRelation *r = program_relation(prog, k);
        arena_reset(prog->run->scratch);
        run_log(prog->run, LOG_STATS, "  %llu by %s%s\n", (unsigned long long)fired[k],
                describe_relation(prog, k), describe_component(prog, r->component, r->span));
        below = fired[k];
    }
    for (uint32_t i = 0; i < schedule->n_clocks && i < MOST_SOURCES; i++) {
        const Clock *c = &schedule->clocks[i];
        const DaeSample *sample = program_sample(prog, schedule->samples[c->first]);
        arena_reset(prog->run->scratch);
        run_log(prog->run, LOG_STATS, "  %llu by sample(%g, %g)%s\n", (unsigned long long)c->fired,
                c->start, c->interval, describe_component(prog, sample->component, sample->span));
    }
}

void statistics_report(ModeProgram *prog, const uint64_t *fired, const Schedule *schedule)
{
    const SimStats *t = prog->run->stats;
    typedef unsigned long long Count;
    if (!(prog->run->options->log & LOG_STATS))
        return;
    run_log(
        prog->run, LOG_STATS,
        "Solver %s: %llu steps, %llu rejected, %llu evaluations of derivatives, %llu Jacobians\n"
        "Events: %llu state events, %llu time events, %llu iterations\n",
        t->solver, (Count)t->steps, (Count)t->rejected, (Count)t->derivatives, (Count)t->jacobians,
        (Count)t->state_events, (Count)t->time_events, (Count)t->event_iterations);
    report_sources(prog, fired, schedule);
    run_log(prog->run, LOG_STATS,
            "Blocks: %llu solved, %llu iterations, %llu factorizations, %llu turns with discrete "
            "unknowns\n",
            (Count)t->blocks.solves, (Count)t->blocks.iterations, (Count)t->blocks.factorizations,
            (Count)t->blocks.mixed_iterations);
    if (prog->plan->sets.n)
        run_log(prog->run, LOG_STATS, "State sets: %u, with %llu changes of states\n",
                prog->plan->sets.n, (Count)t->set_changes);
    run_log(prog->run, LOG_STATS,
            "Seconds: initialization %.3g, integration %.3g (derivatives %.3g, Jacobians %.3g), "
            "events %.3g, "
            "output %.3g\n",
            t->seconds_init, t->seconds_integrate, t->seconds_derivatives, t->seconds_jacobian,
            t->seconds_events, t->seconds_output);
    if (prog->limited && t->steps)
        report_limiting(prog, t->steps);
    if (prog->solver && t->steps)
        report_fast(prog);
}

/* ---- blocks ---- */

static const char *sequence_name(const Plan *p, uint32_t b)
{
    if (b - p->parameters.block < p->parameters.n_blocks)
        return "parameters";
    return b - p->initial.block < p->initial.n_blocks ? "initialization" : "simulation";
}

static void report_block(ModeProgram *prog, uint32_t number, uint32_t at)
{
    CONTEXT_HOLD(prog->run->ctx);
    const PlanBlock *b = &prog->plan->blocks.at[at];
    RuntimeStats t = runtime_block_stats(prog->rt, number);
    EqId e = b->n_torn ? prog->plan->torn.at[b->torn].eq : prog->plan->steps.at[b->discrete].eq;
    VarId v = b->n_torn ? prog->plan->torn.at[b->torn].var : prog->plan->steps.at[b->discrete].var;
    arena_reset(prog->run->scratch);
    run_log(prog->run, LOG_BLOCKS, "Block %u of %s: %u unknowns, %u after tearing, %s%s%s, %s\n",
            number, sequence_name(prog->plan, at), b->n_steps + b->n_torn + b->n_discrete,
            b->n_torn, b->kind == BLOCK_LINEAR ? "linear" : "nonlinear",
            b->kind == BLOCK_LINEAR && b->constant_jacobian ? " with constant coefficients" : "",
            b->mixed ? ", mixed" : "",
            b->jacobian ? arena_printf(prog->run->scratch, "sparse: %u entries, %u colours",
                                       b->jacobian->col_ptr[b->n_torn], b->jacobian->n_colours)
                        : "dense");
    run_log(prog->run, LOG_BLOCKS,
            "  solved %llu time%s, %llu iterations, %llu factorizations, %llu restarts, %llu "
            "failures; %s\n",
            (unsigned long long)t.solves, t.solves == 1 ? "" : "s",
            (unsigned long long)t.iterations, (unsigned long long)t.factorizations,
            (unsigned long long)t.restarts, (unsigned long long)t.failures,
            describe_place(prog->run, program_equation(prog, e)->span));
    run_log(prog->run, LOG_BLOCKS, "  first unknown %s, first equation %s\n",
            describe_variable(prog, v), program_equation_text(prog, e, prog->run->scratch));
}

/* Those that were iterated most. */
void statistics_blocks(ModeProgram *prog)
{
    if (!(prog->run->options->log & LOG_BLOCKS))
        return;
    Ranked *r = new_ranking(prog->run, prog->code->n_blocks);
    uint32_t *at = ARENA_ARRAY(prog->run->arena, uint32_t, prog->code->n_blocks + (size_t)1), n = 0;
    for (uint32_t b = 0; b < prog->plan->blocks.n; b++)
        if (plan_is_numbered(&prog->plan->blocks.at[b])) {
            RuntimeStats t = runtime_block_stats(prog->rt, n);
            r[n] = (Ranked){n, (double)t.iterations + (double)t.factorizations};
            at[n++] = b;
        }
    qsort(r, n, sizeof *r, by_value);
    run_log(prog->run, LOG_BLOCKS, "%u systems of simultaneous equations%s\n", n,
            n > SHOWN_BLOCKS ? "; those with most iterations:" : "");
    for (uint32_t i = 0; i < n && i < SHOWN_BLOCKS; i++)
        report_block(prog, r[i].item, at[r[i].item]);
}
