/* Guesses for the unknowns of a nonlinear block at the start, from start values of the others.
 *
 * In: a block whose iteration from start values failed, and the values of everything before it.
 * Out: values of its tearing variables. A tearing variable without a start value would begin at
 * zero. There, divisors may vanish and flows stand still, although the modeller gave the start
 * value of another unknown (the mass flow, not the velocity). Unknowns with a start value count as
 * known. Each equation with one unknown left yields its guess, if it can be solved for it. If there
 * is no such equation, the next unknown keeps its default. */
#include "sim/message/message.h"
#include "sim/modes/modes.h"
#include "sim/state/evaluate.h"

#include <math.h>

typedef struct Guess {
    ModeProgram *prog;
    EqId *eqs; /* size n, as `vars` and `left` */
    VarId *vars;
    uint32_t *left;        /* per equation: operands that are not known yet */
    uint32_t n;            /* equations and unknowns */
    uint32_t *local;       /* per variable: its index in vars, or NONE */
    bool *known;           /* per unknown */
    uint32_t *ptr, *where; /* equations by unknown */
    uint32_t *queue, head, tail;
} Guess;

static uint32_t unknown_of(const Guess *w, const DaeEq *eq, uint32_t k)
{
    return w->local[k < eq->term.n ? program_operand(w->prog, eq->term, k) : eq->target];
}

/* Operands, and the variable that an equation in target form defines. */
static uint32_t n_operands(const DaeEq *eq)
{
    return eq->term.n + (eq->target != NONE);
}

static void list_unknowns(Guess *w, const PlanBlock *b)
{
    const Plan *plan = w->prog->plan;
    for (uint32_t i = 0; i < b->n_torn; i++) {
        w->vars[w->n] = plan->torn.at[b->torn + i].var;
        w->eqs[w->n++] = plan->torn.at[b->torn + i].eq;
    }
    for (uint32_t i = 0; i < b->n_steps; i++) {
        w->vars[w->n] = plan->steps.at[b->step + i].var;
        w->eqs[w->n++] = plan->steps.at[b->step + i].eq;
    }
    for (VarId v = 0; v < program_n_vars(w->prog); v++)
        w->local[v] = NONE;
    for (uint32_t i = 0; i < w->n; i++)
        w->local[w->vars[i]] = i;
}

/* Rows of each unknown, by counting. */
static void list_rows(Guess *w, Arena *arena)
{
    for (uint32_t i = 0; i < w->n; i++) {
        const DaeEq *eq = program_equation(w->prog, w->eqs[i]);
        for (uint32_t k = 0; k < n_operands(eq); k++)
            if (unknown_of(w, eq, k) != NONE) {
                w->ptr[unknown_of(w, eq, k) + 2]++;
                w->left[i]++;
            }
    }
    for (uint32_t i = 0; i < w->n; i++)
        w->ptr[i + 2] += w->ptr[i + 1];
    w->where = ARENA_ARRAY(arena, uint32_t, w->ptr[w->n + 1] + (size_t)1);
    for (uint32_t i = 0; i < w->n; i++) {
        const DaeEq *eq = program_equation(w->prog, w->eqs[i]);
        for (uint32_t k = 0; k < n_operands(eq); k++)
            if (unknown_of(w, eq, k) != NONE)
                w->where[w->ptr[unknown_of(w, eq, k) + 1]++] = i;
    }
}

static void settle(Guess *w, uint32_t u)
{
    w->known[u] = true;
    for (uint32_t i = w->ptr[u]; i < w->ptr[u + 1]; i++)
        if (--w->left[w->where[i]] == 1)
            w->queue[w->tail++] = w->where[i];
}

/* The value of a part of the equation; false if there is none. */
static bool part_value(const Guess *w, Term t, ExprId part, double *x)
{
    t.shape = part;
    return program_value(w->prog, t, x) && isfinite(*x);
}

/* The value of operand k that satisfies the equation. */
static bool solve_for(const Guess *w, const DaeEq *eq, uint32_t k, double *x)
{
    double divisor;
    if (eq->target != NONE)
        return k == eq->term.n && part_value(w, eq->term, eq->term.shape, x);
    Solution sol = program_solution(w->prog, eq->term, k);
    if (sol.kind == SOLVE_NO || (sol.kind == SOLVE_DIVIDE &&
                                 (!part_value(w, eq->term, sol.divisor, &divisor) || divisor == 0)))
        return false;
    return part_value(w, eq->term, sol.value, x);
}

static void take_equation(Guess *w, uint32_t row)
{
    const DaeEq *eq = program_equation(w->prog, w->eqs[row]);
    double x;
    uint32_t k = 0;
    while (k < n_operands(eq) && (unknown_of(w, eq, k) == NONE || w->known[unknown_of(w, eq, k)]))
        k++;
    if (k == n_operands(eq) || !solve_for(w, eq, k, &x))
        return;
    uint32_t u = unknown_of(w, eq, k);
    const DaeVar *var = program_var(w->prog, w->vars[u]);
    w->prog->v[w->vars[u]] = fmin(fmax(x, var->min), var->max);
    settle(w, u);
}

static void propagate(Guess *w)
{
    while (w->head < w->tail)
        take_equation(w, w->queue[w->head++]);
}

static void begin(Guess *w, const PlanBlock *b, Arena *arena)
{
    size_t n = b->n_torn + (size_t)b->n_steps;
    w->eqs = ARENA_ARRAY(arena, EqId, n);
    w->vars = ARENA_ARRAY(arena, VarId, n);
    w->left = ARENA_ARRAY(arena, uint32_t, n);
    w->known = ARENA_ARRAY(arena, bool, n);
    w->ptr = ARENA_ARRAY(arena, uint32_t, n + 2);
    w->queue = ARENA_ARRAY(arena, uint32_t, n);
    w->local = ARENA_ARRAY(arena, uint32_t, program_n_vars(w->prog));
    list_unknowns(w, b);
    list_rows(w, arena);
}

/* The modeller gave a start value for this variable, not for all of its type. */
static bool knows(const ModeProgram *prog, VarId var)
{
    return program_var(prog, var)->has_start && !program_var(prog, var)->start_of_type;
}

bool block_guess(void *program, uint32_t number)
{
    ModeProgram *prog = program;
    const PlanBlock *b = fail_block(prog, (int)number);
    if (!b || b->kind != BLOCK_NONLINEAR || !b->n_torn)
        return false;
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    Guess w = {.prog = prog};
    begin(&w, b, prog->run->scratch);
    for (uint32_t u = 0; u < w.n; u++)
        prog->v[w.vars[u]] = start_value(prog, w.vars[u]);
    for (uint32_t u = 0; u < w.n; u++)
        if (knows(prog, w.vars[u]))
            settle(&w, u);
    propagate(&w);
    for (int by_type = 1; by_type >= 0; by_type--)
        for (uint32_t u = 0; u < w.n; u++)
            if (!w.known[u] && (!by_type || program_var(prog, w.vars[u])->has_start)) {
                settle(&w, u);
                propagate(&w);
            }
    return true;
}
