/* Reports of failed runs: time, block, equations, lines, values.
 *
 * A value that is not finite is traced by replaying the plan's steps with the evaluator, so that
 * generated code needs no checks. The report names the first equation whose result is not finite
 * although its operands are, and the operation. */
#include "sim/message/message.h"
#include "sim/state/evaluate.h"
#include "sim/state/externals.h"
#include "structure/plan/description.h"
#include "structure/plan/numbers.h"

#include <math.h>

enum { SHOWN = 8, CYCLE = 6 };

static const Span nowhere;

const char *fail_text(int status)
{
    switch ((ModelStatus)status) {
    case MODEL_OK: break;
    case MODEL_NO_CONVERGENCE: return "a system of equations has no solution nearby";
    case MODEL_SINGULAR: return "a system of equations is singular";
    case MODEL_NOT_FINITE: return "a value is not finite";
    case MODEL_NO_MIXED: return "no consistent combination of switches and values was found";
    case MODEL_INTERRUPTED: return "interrupted";
    case MODEL_ASSERT:
        return "a function fails: an assertion is violated, or a subscript is out of range";
    case MODEL_NO_MEMORY: return "out of memory";
    case MODEL_EXTERNAL: return "an external function fails";
    }
    return "the model cannot be evaluated";
}

/* ---- blocks ---- */

const PlanBlock *fail_block(const ModeProgram *prog, int number)
{
    return number >= 0 ? plan_numbered_block(prog->plan, (uint32_t)number) : NULL;
}

static void note_equation(ModeProgram *prog, EqId e, double residual)
{
    const DaeEq *eq = program_equation(prog, e);
    char *text = program_equation_text(prog, e, prog->run->scratch);
    DiagFact fact = {.kind = FACT_EQUATION, .name = text, .value = residual, .start = NAN};
    if (isnan(residual))
        diag_fact(prog->run->ctx, eq->span, fact, "equation: %s", text);
    else
        diag_fact(prog->run->ctx, eq->span, fact, "equation: %s (residual %.4g)", text, residual);
}

static void note_in_equation(ModeProgram *prog, EqId e)
{
    DiagFact fact = {.kind = FACT_EQUATION,
                     .name = program_equation_text(prog, e, prog->run->scratch),
                     .value = NAN,
                     .start = NAN};
    diag_fact(prog->run->ctx, program_equation(prog, e)->span, fact, "in equation: %s", fact.name);
}

static void note_variable(ModeProgram *prog, VarId var, bool start)
{
    DiagFact fact = {.kind = FACT_VARIABLE,
                     .name = describe_variable(prog, var),
                     .value = prog->v[var],
                     .start = start ? start_value(prog, var) : NAN};
    if (start)
        diag_fact(prog->run->ctx, nowhere, fact, "variable: %s = %.6g (start value %.6g)",
                  fact.name, fact.value, fact.start);
    else
        diag_fact(prog->run->ctx, nowhere, fact, "variable: %s = %.6g", fact.name, fact.value);
}

static bool is_switch(const Plan *p, EqId e)
{
    for (uint32_t i = 0; i < p->switches.n; i++)
        if (p->switches.at[i] == e)
            return true;
    return false;
}

/* Appends the values of the discrete variables of a switch equation to text. */
static char *add_positions(ModeProgram *prog, char *text, EqId e)
{
    Term t = program_equation(prog, e)->term;
    for (uint32_t k = 0; k < t.n; k++) {
        VarId v = program_operand(prog, t, k);
        if (program_var(prog, v)->kind == DAE_DISCRETE)
            text = arena_printf(prog->run->scratch, "%s%s%s = %s", text, *text ? ", " : "",
                                describe_variable(prog, v), describe_value(prog, v, prog->v[v]));
    }
    return text;
}

/* If switches are among equations that contradict each other, the others are sources: values that
 * storage elements fix have a mode of their own, unless one plan is to serve all modes. `rows`: how
 * much each equation takes part. */
static void note_positions(ModeProgram *prog, const PlanBlock *b, const double *rows)
{
    char *text = "";
    for (uint32_t i = 0, n = 0; i < b->n_torn && n < SHOWN; i++)
        if (fabs(rows[i]) > 1e-6 && is_switch(prog->plan, prog->plan->torn.at[b->torn + i].eq)) {
            text = add_positions(prog, text, prog->plan->torn.at[b->torn + i].eq);
            n++;
        }
    if (*text && prog->run->options->structure == STRUCTURE_SINGLE && prog->plan->guards.n)
        diag_note(prog->run->ctx, nowhere,
                  "when %s, a storage element fixes what the switch fixes, and one plan does not "
                  "serve this mode; use --structure auto, or --solver auto",
                  text);
    else if (*text)
        diag_note(
            prog->run->ctx, nowhere,
            "when %s, a voltage source is shorted or a current source is disconnected; put a "
            "resistance in series with the voltage source, or in parallel with the current source",
            text);
}

/* Which equations of a singular block depend on each other, and which variables they leave open. */
static void note_singular(ModeProgram *prog, const PlanBlock *b, int number)
{
    enum { MOST = 400 };
    double rows[MOST], columns[MOST];
    if (b->n_torn > MOST || !runtime_null(prog->rt, number, rows, columns))
        return;
    diag_note(
        prog->run->ctx, nowhere,
        "these equations depend on each other (together with those solved inside the block):");
    for (uint32_t i = 0, n = 0; i < b->n_torn && n < SHOWN; i++)
        if (fabs(rows[i]) > 1e-6) {
            note_equation(prog, prog->plan->torn.at[b->torn + i].eq, NAN);
            n++;
        }
    for (uint32_t i = 0, n = 0; i < b->n_torn && n < SHOWN; i++)
        if (fabs(columns[i]) > 1e-6) {
            DiagFact fact = {
                .kind = FACT_UNDETERMINED,
                .name = describe_variable(prog, prog->plan->torn.at[b->torn + i].var),
                .value = NAN,
                .start = NAN,
            };
            diag_fact(prog->run->ctx, nowhere, fact, "they do not determine: %s", fact.name);
            n++;
        }
    note_positions(prog, b, rows);
}

static void note_block(ModeProgram *prog, const PlanBlock *b, int number, bool start)
{
    uint32_t total = b->n_torn + b->n_steps + b->n_discrete;
    diag_fact(prog->run->ctx, nowhere, (DiagFact){.kind = FACT_BLOCK, .count = total},
              "in a block of %u equation%s", total, total == 1 ? "" : "s");
    for (uint32_t i = 0; i < b->n_torn && i < SHOWN; i++)
        note_equation(prog, prog->plan->torn.at[b->torn + i].eq,
                      runtime_residual(prog->rt, number, i));
    for (uint32_t i = 0; i < b->n_steps && i < SHOWN; i++)
        note_equation(prog, prog->plan->steps.at[b->step + i].eq, NAN);
    for (uint32_t i = 0; i < b->n_torn && i < SHOWN; i++)
        note_variable(prog, prog->plan->torn.at[b->torn + i].var, start);
    for (uint32_t i = 0; i < b->n_steps && i < SHOWN; i++)
        note_variable(prog, prog->plan->steps.at[b->step + i].var, false);
    for (uint32_t i = 0; i < b->n_discrete && i < SHOWN; i++) {
        const PlanStep *step = &prog->plan->steps.at[b->discrete + i];
        if (program_var(prog, step->var)->kind == DAE_RELATION)
            continue; /* the equations that use it show it */
        note_equation(prog, step->eq, NAN);
        note_variable(prog, step->var, false);
    }
    if (b->n_torn > SHOWN || b->n_steps > SHOWN)
        diag_note(prog->run->ctx, nowhere, "further equations of the block are not shown");
}

/* Reports the relations of a block without a consistent combination of their values. If there are
 * many relations, not all combinations were tried. */
static void note_relations(ModeProgram *prog, const PlanBlock *b)
{
    enum { MOST_SEARCHED = 12 };
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->n_discrete; i++) {
        const DaeVar *x = program_var(prog, prog->plan->steps.at[b->discrete + i].var);
        if (x->kind != DAE_RELATION || n++ >= SHOWN)
            continue;
        diag_note(prog->run->ctx, program_relation(prog, x->detail)->span, "relation: %s",
                  describe_relation(prog, x->detail));
    }
    if (n > 0 && n <= MOST_SEARCHED)
        diag_note(prog->run->ctx, nowhere,
                  "%s agrees with the equations, which have no solution at this time",
                  n == 1 ? "neither value of this relation"
                         : "no combination of values of these relations");
}

static Span block_span(const ModeProgram *prog, const PlanBlock *b)
{
    if (!b)
        return nowhere;
    EqId e = b->n_torn    ? prog->plan->torn.at[b->torn].eq
             : b->n_steps ? prog->plan->steps.at[b->step].eq
                          : NONE;
    return e == NONE ? nowhere : program_equation(prog, e)->span;
}

static bool is_block_failure(int status)
{
    return status == MODEL_NO_CONVERGENCE || status == MODEL_SINGULAR || status == MODEL_NO_MIXED;
}

/* ---- replay ---- */

/* The smallest part of a term whose value is not finite. */
typedef struct Culprit {
    const ModeProgram *prog;
    Term term;
    ExprId part;
} Culprit;

static double part_value(const Culprit *c, ExprId e)
{
    double value;
    Term part = {e, c->term.ops, c->term.n};
    return program_value(c->prog, part, &value) ? value : 0;
}

static void visit_part(void *user, ExprId e)
{
    Culprit *c = user;
    TypeId type = expr_type(program_graph(c->prog), e);
    bool scalar = type == T_REAL || type == T_INT || type == T_BOOL;
    if (c->part == EXPR_NONE && scalar && expr_op(program_graph(c->prog), e) != OP_HOLE &&
        !isfinite(part_value(c, e)))
        c->part = e;
}

static void note_operands(ModeProgram *prog, Term t)
{
    uint32_t n = 0;
    const uint32_t *holes = program_holes(prog, t, &n);
    for (uint32_t i = 0; i < n && i < SHOWN; i++) {
        VarId var = program_operand(prog, t, holes[i]);
        DiagFact fact = {.kind = FACT_VARIABLE,
                         .name = describe_variable(prog, var),
                         .value = prog->v[var],
                         .start = NAN};
        diag_fact(prog->run->ctx, nowhere, fact, "with %s = %.10g", fact.name, fact.value);
    }
}

/* Operands in the shape: the unknown of an equation is an operand of the equation, not of the
 * solution. */
static bool operands_finite(const ModeProgram *prog, Term t)
{
    uint32_t n = 0;
    const uint32_t *holes = program_holes(prog, t, &n);
    for (uint32_t k = 0; k < n; k++)
        if (!isfinite(prog->v[program_operand(prog, t, holes[k])]))
            return false;
    return true;
}

/* "log(x) is nan at x = -0.3" if the part has one operand; otherwise the operands are notes. */
static void report_culprit(ModeProgram *prog, EqId e, Term term, double value, const char *doing)
{
    const DaeEq *eq = program_equation(prog, e);
    Culprit c = {prog, term, EXPR_NONE};
    expr_walk(program_graph(prog), term.shape, visit_part, &c);
    Term part = {c.part == EXPR_NONE ? term.shape : c.part, term.ops, term.n};
    char *text = program_term_text(prog, part, prog->run->scratch);
    uint32_t n = 0;
    const uint32_t *holes = program_holes(prog, part, &n);
    double result = c.part == EXPR_NONE ? value : part_value(&c, part.shape);
    result = isnan(result) ? (double)NAN : result; /* without a sign */
    if (expr_is_literal(program_graph(prog),
                        part.shape)) { /* the value of a subscript outside its array */
        diag(prog->run->ctx, eq->span, DIAG_R004, "a subscript is out of range at time = %.10g, %s",
             prog->v[0], doing);
        note_operands(prog, term);
    } else if (n == 1) {
        VarId var = program_operand(prog, part, holes[0]);
        diag(prog->run->ctx, eq->span, DIAG_R004, "%s is %g at %s = %.10g, time = %.10g, %s", text,
             result, describe_variable(prog, var), prog->v[var], prog->v[0], doing);
    } else {
        diag(prog->run->ctx, eq->span, DIAG_R004, "%s is %g at time = %.10g, %s", text, result,
             prog->v[0], doing);
        note_operands(prog, part);
    }
    note_in_equation(prog, e);
}

static bool replay_step(ModeProgram *prog, const PlanStep *step, const char *doing)
{
    const DaeEq *eq = program_equation(prog, step->eq);
    Term term = eq->term;
    if (step->value != EXPR_NONE)
        term.shape = step->value;
    double value;
    if (!program_value(prog, term, &value) || isfinite(value) || !operands_finite(prog, term))
        return false;
    report_culprit(prog, step->eq, term, value, doing);
    return true;
}

static bool replay_residual(ModeProgram *prog, const PlanTorn *torn, const char *doing)
{
    Term term = program_equation(prog, torn->eq)->term;
    double value;
    if (!program_value(prog, term, &value) || isfinite(value) || !operands_finite(prog, term))
        return false;
    report_culprit(prog, torn->eq, term, value, doing);
    return true;
}

/* Reports the first equation of the sequence that is not finite although its operands are; false if
 * there is none. */
static bool replay(ModeProgram *prog, PlanSequence sequence, const char *doing)
{
    for (uint32_t i = 0; i < sequence.n_blocks; i++) {
        const PlanBlock *b = &prog->plan->blocks.at[sequence.block + i];
        for (uint32_t k = 0; k < b->n_steps; k++)
            if (replay_step(prog, &prog->plan->steps.at[b->step + k], doing))
                return true;
        for (uint32_t k = 0; k < b->n_torn; k++)
            if (replay_residual(prog, &prog->plan->torn.at[b->torn + k], doing))
                return true;
    }
    return false;
}

static bool replay_relations(ModeProgram *prog, const char *doing)
{
    for (uint32_t i = 0; i < program_n_relations(prog); i++) {
        const DaeRelation *r = program_relation(prog, i);
        double value;
        if (r->eq != NONE && program_value(prog, r->z, &value) && isnan(value) &&
            operands_finite(prog, r->z)) {
            report_culprit(prog, r->eq, r->z, value, doing);
            return true;
        }
    }
    return false;
}

static const char *text_of(void *user, double number)
{
    return runtime_text(((const ModeProgram *)user)->rt, number);
}

static EvalEnv replay_env(ModeProgram *prog, const double *holes)
{
    return (EvalEnv){.g = program_graph(prog),
                     .arena = prog->run->scratch,
                     .holes = holes,
                     .text = text_of,
                     .text_user = prog,
                     .time = prog->v[0],
                     .silent = true};
}

/* A failure inside a function: the equation that calls it, and the message of the evaluator. */
static const char *function_failure(ModeProgram *prog, EqId *where)
{
    for (uint32_t i = 0; i < prog->plan->steps.n; i++) {
        const PlanStep *step = &prog->plan->steps.at[i];
        Term t = program_equation(prog, step->eq)->term;
        double *holes = ARENA_ARRAY(prog->run->scratch, double, t.n), value;
        for (uint32_t k = 0; k < t.n; k++)
            holes[k] = prog->v[program_operand(prog, t, k)];
        EvalEnv env = replay_env(prog, holes);
        ExprId shape = step->value == EXPR_NONE ? t.shape : step->value;
        if (eval_number(&env, shape, &value) != EVAL_ERROR)
            continue;
        *where = step->eq;
        return env.why ? env.why : "it cannot be evaluated";
    }
    return NULL;
}

/* A while loop that does not end. */
static bool report_loop(ModeProgram *prog, const char *doing)
{
    const Function *f;
    const Stmt *loop = prog->m->failed_assert >= 0
                           ? plan_assert(prog->plan, (uint32_t)prog->m->failed_assert, &f)
                           : NULL;
    if (!loop || loop->kind != STMT_WHILE)
        return false;
    diag(prog->run->ctx, loop->span, DIAG_R014,
         "a while loop of function %s does not end (at time = %.10g, %s)", f->name, prog->v[0],
         doing);
    return true;
}

/* The message as written in the model, or as it was made. */
static const char *assert_text(const ModeProgram *prog, const Stmt *a, const char *made)
{
    bool literal = a->rhs != EXPR_NONE && expr_op(program_graph(prog), a->rhs) == OP_STRING;
    return literal ? expr_name(program_graph(prog), a->rhs) : made ? made : "assertion violated";
}

void fail_warnings(ModeProgram *prog)
{
    CONTEXT_HOLD(prog->run->ctx);
    uint32_t n;
    const int32_t *warned = runtime_warnings(prog->rt, &n);
    for (uint32_t i = 0; i < n; i++) {
        const Function *f;
        const Stmt *a = plan_assert(prog->plan, (uint32_t)warned[i], &f);
        if (!a)
            continue;
        diag(prog->run->ctx, a->span, DIAG_R008, "%s (in function %s)",
             assert_text(prog, a, runtime_warning_text(prog->rt, i)), f->name);
    }
}

static bool report_function(ModeProgram *prog, const char *doing)
{
    EqId e = NONE;
    const char *why = function_failure(prog, &e);
    if (!why)
        return false;
    diag(prog->run->ctx, program_equation(prog, e)->span, DIAG_R007, "%s (at time = %.10g, %s)",
         why, prog->v[0], doing);
    note_in_equation(prog, e);
    return true;
}

/* An assertion in a function that the evaluator cannot replay. */
static bool report_assert(ModeProgram *prog, const char *doing)
{
    const Function *f;
    const Stmt *a = prog->m->failed_assert >= 0
                        ? plan_assert(prog->plan, (uint32_t)prog->m->failed_assert, &f)
                        : NULL;
    if (!a)
        return false;
    diag(prog->run->ctx, a->span, DIAG_R007, "%s (in function %s, at time = %.10g, %s)",
         assert_text(prog, a, runtime_failed_text(prog->rt)), f->name, prog->v[0], doing);
    return true;
}

/* If no equation of the plan is the cause: the states whose derivatives are not finite. */
static void report_derivatives(ModeProgram *prog, const char *doing)
{
    diag(prog->run->ctx, nowhere, DIAG_R004, "a value is not finite at time = %.10g, %s",
         prog->v[0], doing);
    for (uint32_t i = 0, n = 0; i < prog->n && n < SHOWN; i++) {
        const PlanState *state = &prog->plan->states.at[i];
        if (isfinite(prog->v[state->der]) && isfinite(prog->v[state->var]))
            continue;
        diag_note(prog->run->ctx, nowhere, "%s = %g, %s = %g", describe_variable(prog, state->var),
                  prog->v[state->var], describe_variable(prog, state->der), prog->v[state->der]);
        n++;
    }
}

/* ---- reports ---- */

void warn_open_derivative(ModeProgram *prog, VarId open, VarId der)
{
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    diag(prog->run->ctx, plan_var_span(prog->plan, open), DIAG_R025,
         "the equations leave %s open at time = %.10g, and %s depends on it; its value is "
         "arbitrary",
         describe_variable(prog, open), prog->run->time, describe_variable(prog, der));
    diag_note(prog->run->ctx, nowhere,
              "an equation is missing in this position of the switches, for example that a body "
              "that sticks has no acceleration");
}

void warn_solution_jump(ModeProgram *prog, int block)
{
    CONTEXT_HOLD(prog->run->ctx);
    enum { MOST_REPORTED = 3 };
    if (prog->run->reported.n_solution_jumps++ >= MOST_REPORTED)
        return;
    const PlanBlock *b = fail_block(prog, block);
    diag(prog->run->ctx, block_span(prog, b), DIAG_R017,
         "a system of equations loses its solution at time = %.10g; the simulation continues with "
         "another solution of the same equations",
         prog->v[0]);
    diag_note(prog->run->ctx, nowhere,
              "a jump is right for a characteristic with hysteresis; otherwise the equations have "
              "no solution here");
}

void warn_contradicted_jump(ModeProgram *prog, VarId state, double from, VarId position)
{
    enum { MOST_REPORTED = 3 };
    unsigned n = ++prog->run->reported.n_contradicted_jumps;
    if (n > MOST_REPORTED)
        return;
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    diag(prog->run->ctx, plan_var_span(prog->plan, state), DIAG_R028,
         "%s jumps from %.9g to %.9g at time = %.10g, but during this jump %s would change; no "
         "positions of the switches that agree with the jump were found",
         describe_variable(prog, state), from, prog->v[state], prog->v[0],
         describe_variable(prog, position));
    diag_note(prog->run->ctx, nowhere,
              "the values after it are doubtful; a switch whose position depends on itself and not "
              "on its left limit ('off' for 'pre(off)') is solved together with the jump");
    if (n == MOST_REPORTED)
        diag_note(prog->run->ctx, nowhere, "further jumps of this kind are not reported");
}

typedef VEC(VarId) VarList;

static bool list_once(VarList *list, VarId v)
{
    for (uint32_t i = 0; i < list->n; i++)
        if (list->at[i] == v)
            return false;
    vec_push(list, v);
    return true;
}

/* Adds the discrete variables and relations that the equations of those in the list read. */
static void follow_switches(const ModeProgram *prog, VarList *list)
{
    for (uint32_t i = 0; i < list->n && list->n < SHOWN; i++)
        for (EqId e = 0; e < program_n_model_equations(prog); e++) {
            const DaeEq *q = program_equation(prog, e);
            for (uint32_t k = 0; q->target == list->at[i] && k < q->term.n; k++) {
                VarId v = program_operand(prog, q->term, k);
                DaeVarKind kind = program_var(prog, v)->kind;
                if (kind == DAE_RELATION || kind == DAE_DISCRETE)
                    list_once(list, v);
            }
        }
}

/* The switches without a consistent combination, if no single block has them all, and the relations
 * that their positions follow from. */
static void note_switches(ModeProgram *prog)
{
    VarList list = {0};
    for (uint32_t i = 0; i < prog->run->guards.n && i < SHOWN; i++)
        list_once(&list, prog->run->guards.at[i]);
    uint32_t n_switches = list.n;
    follow_switches(prog, &list);
    for (uint32_t i = 0; i < list.n && i < SHOWN; i++) {
        const DaeVar *x = program_var(prog, list.at[i]);
        const char *what = i < n_switches ? "switch" : "relation";
        if (x->kind == DAE_RELATION)
            diag_note(prog->run->ctx, program_relation(prog, x->detail)->span, "%s: %s", what,
                      describe_relation(prog, x->detail));
        else if (i < n_switches)
            diag_note(prog->run->ctx, plan_var_span(prog->plan, list.at[i]), "switch: %s",
                      describe_variable(prog, list.at[i]));
    }
    if (list.n)
        diag_note(prog->run->ctx, nowhere,
                  "no combination of their values agrees with the equations at this time");
    vec_free(&list);
}

/* A delay() whose time is out of bounds; false if there is none. */
static bool report_delay(ModeProgram *prog, const char *doing)
{
    for (uint32_t k = 0; k < program_n_delays(prog); k++) {
        const DaeDelay *d = program_delay(prog, k);
        double sign = 1, longest;
        double now = d->varies ? prog->v[resolve_alias(prog, d->time_var, &sign)] : 0;
        now *= sign;
        if (!program_value(prog, d->longest, &longest) || (now >= 0 && now <= longest))
            continue;
        diag(prog->run->ctx, d->span, DIAG_R018,
             "the time of delay() is %.10g at time = %.10g, %s; it must be between 0 and %g", now,
             prog->v[0], doing, longest);
        return true;
    }
    return false;
}

/* One plan for all modes has been asked for, and needs inlined states. */
static void note_structure(const ModeProgram *prog)
{
    const SimOptions *o = prog->run->options;
    if (o->structure == STRUCTURE_SINGLE && prog->plan->inlined.n && o->solver &&
        strcmp(o->solver, "auto"))
        diag_note(prog->run->ctx, nowhere,
                  "with --structure single, storage elements that fix switches are integrated "
                  "inline; use --structure auto, or --solver auto");
}

static bool report(ModeProgram *prog, int status, const char *doing, DiagCode code,
                   PlanSequence sequence, bool start)
{
    if (*prog->run->ctx->interrupt) /* after an interrupt, the failure need not be real */
        status = MODEL_INTERRUPTED;
    prog->run->status = status == MODEL_INTERRUPTED ? SIM_INTERRUPTED : SIM_FAILED;
    if (status == MODEL_INTERRUPTED)
        return false;
    arena_reset(prog->run->scratch);
    if (status == MODEL_NOT_FINITE) {
        if (!replay(prog, sequence, doing) && !replay_relations(prog, doing))
            report_derivatives(prog, doing);
        return false;
    }
    if (status == MODEL_EXTERNAL) {
        externals_report(prog->run->externals, prog, doing);
        return false;
    }
    if (status == MODEL_ASSERT && prog->m->failed_assert == FAILED_DELAY &&
        report_delay(prog, doing))
        return false;
    if (status == MODEL_ASSERT &&
        (report_loop(prog, doing) || report_function(prog, doing) || report_assert(prog, doing)))
        return false;
    int number = prog->m->failed_block;
    const PlanBlock *b = is_block_failure(status) ? fail_block(prog, number) : NULL;
    diag(prog->run->ctx, block_span(prog, b), code, "%s at time = %.10g, %s", fail_text(status),
         prog->v[0], doing);
    if (b && status == MODEL_SINGULAR)
        note_singular(prog, b, number);
    if (b && status == MODEL_NO_MIXED)
        note_relations(prog, b);
    if (b)
        note_block(prog, b, number, start);
    else if (status == MODEL_NO_MIXED)
        note_switches(prog);
    note_structure(prog);
    return false;
}

bool fail_model(ModeProgram *prog, int status, const char *doing)
{
    CONTEXT_HOLD(prog->run->ctx);
    return report(prog, status, doing, DIAG_R001, prog->plan->main, false);
}

/* The code has no checks, so a value on which no derivative depends may be undefined unnoticed. */
/* Independent partial sums: none waits for another. */
static bool are_finite(const double *v, uint32_t n)
{
    double a = 0, b = 0, c = 0, d = 0;
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4) {
        a += 0 * v[i];
        b += 0 * v[i + 1];
        c += 0 * v[i + 2];
        d += 0 * v[i + 3];
    }
    for (; i < n; i++)
        a += 0 * v[i];
    return a + b + c + d == 0;
}

bool report_undefined(ModeProgram *prog)
{
    if (are_finite(prog->v, prog->code->n_vars))
        return false;
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    return replay(prog, prog->plan->main, "computing results") ||
           report_function(prog, "computing results");
}

bool fail_unless_finite(ModeProgram *prog)
{
    if (!report_undefined(prog))
        return true;
    prog->run->status = SIM_FAILED;
    return false;
}

bool fail_initial(ModeProgram *prog, int status)
{
    CONTEXT_HOLD(prog->run->ctx);
    return report(prog, status, "solving the initial equations", DIAG_R002, prog->plan->initial,
                  true);
}

/* Brings v back to the evaluation that failed. */
static bool repeat_failure(ModeProgram *prog)
{
    if (!prog->run->failed.status)
        return false;
    return evaluate_derivatives(prog, prog->run->failed.time, prog->failed_x) != 0;
}

static void note_states(ModeProgram *prog)
{
    for (uint32_t i = 0; i < prog->n && i < SHOWN; i++)
        diag_note(prog->run->ctx, nowhere, "state %s = %.10g",
                  describe_variable(prog, prog->plan->states.at[i].var),
                  prog->v[prog->plan->states.at[i].var]);
}

/* An unknown of a system of equations that is far too large: the system is nearly singular here. */
static void note_growth(ModeProgram *prog)
{
    static const double FAR = 1e7; /* in units of the nominal value */
    if (evaluate_derivatives(prog, prog->run->time, prog->x))
        return;
    for (uint32_t i = 0; i < prog->plan->main.n_blocks; i++) {
        const PlanBlock *b = &prog->plan->blocks.at[prog->plan->main.block + i];
        VarId most = NONE;
        for (uint32_t k = 0; k < b->n_torn; k++) {
            VarId v = prog->plan->torn.at[b->torn + k].var;
            if (fabs(prog->v[v]) > FAR * program_var(prog, v)->nominal &&
                (most == NONE || fabs(prog->v[v]) > fabs(prog->v[most])))
                most = v;
        }
        if (most == NONE)
            continue;
        diag_note(prog->run->ctx, plan_var_span(prog->plan, most),
                  "%s = %.4g follows from a system of %u equations that is nearly singular here:",
                  describe_variable(prog, most), prog->v[most], b->n_torn + b->n_steps);
        for (uint32_t k = 0; k < b->n_torn && k < SHOWN; k++)
            note_equation(prog, prog->plan->torn.at[b->torn + k].eq, NAN);
        for (uint32_t k = 0; k < b->n_steps && k + b->n_torn < SHOWN; k++)
            note_equation(prog, prog->plan->steps.at[b->step + k].eq, NAN);
        return;
    }
}

bool fail_step(ModeProgram *prog, StepStatus status)
{
    CONTEXT_HOLD(prog->run->ctx);
    const char *doing = "integrating";
    prog->run->status = SIM_FAILED;
    /* a step that cannot get past a point at which the model fails */
    bool blocked = status == STEP_MODEL_FAILED || fabs(prog->run->failed.time - prog->run->time) <=
                                                      1e-6 * (1 + fabs(prog->run->time));
    if (blocked && status != STEP_OUT_OF_RANGE && repeat_failure(prog))
        return fail_model(prog, prog->run->failed.status, doing);
    arena_reset(prog->run->scratch);
    put_states(prog, prog->run->time, prog->x);
    uint32_t i = prog->solver->limiting;
    VarId var = i < prog->n ? prog->plan->states.at[i].var : NONE;
    Span span = var == NONE ? nowhere : plan_var_span(prog->plan, var);
    const char *name = var == NONE ? "" : describe_variable(prog, var);
    const char *limits = var == NONE ? "" : ", limited by state ";
    if (status == STEP_OUT_OF_RANGE)
        diag(prog->run->ctx, nowhere, DIAG_R001,
             "the states grow without bound after time = %.10g; a smaller step may help",
             prog->run->time);
    else if (status == STEP_NO_CONVERGENCE)
        diag(prog->run->ctx, span, DIAG_R001,
             "%s cannot solve its equations for a step at time = %.10g%s%s", prog->kind->name,
             prog->run->time, limits, name);
    else
        diag(prog->run->ctx, span, DIAG_R010,
             "the step size of %s becomes too small at time = %.10g%s%s", prog->kind->name,
             prog->run->time, limits, name);
    note_states(prog);
    note_growth(prog);
    note_structure(prog);
    return false;
}

/* ---- event iteration without end ---- */

static Span defining_span(const ModeProgram *prog, VarId var)
{
    for (EqId e = 0; e < program_n_equations(prog); e++)
        if (program_equation(prog, e)->target == var)
            return program_equation(prog, e)->span;
    return plan_var_span(prog->plan, var);
}

static void note_cycle(ModeProgram *prog, VarId var, const double *values, uint32_t n)
{
    char *text =
        arena_printf(prog->run->scratch, "%s takes the values", describe_variable(prog, var));
    for (uint32_t i = 0; i < n; i++)
        text = arena_printf(prog->run->scratch, "%s%s %s", text, i ? "," : "",
                            describe_value(prog, var, values[i]));
    diag_note(prog->run->ctx, defining_span(prog, var), "%s, …", text);
}

/* Does some more iterations and keeps their values. Reports variables that do not settle. */
bool fail_iteration(ModeProgram *prog, const PreLinks *pres, const Event *e)
{
    CONTEXT_HOLD(prog->run->ctx);
    prog->run->status = SIM_FAILED;
    arena_reset(prog->run->scratch);
    double *kept = ARENA_ARRAY(prog->run->scratch, double, (size_t)CYCLE * pres->n);
    for (uint32_t i = 0; i < CYCLE; i++) {
        runtime_relations(prog->rt, NULL, prog->run->eps, 0);
        if (evaluate_event(prog, prog->code->event))
            break;
        for (uint32_t k = 0; k < pres->n; k++) {
            kept[k * CYCLE + i] = prog->v[pres->at[k].base];
            prog->v[pres->at[k].pre] = pres->at[k].sign * prog->v[pres->at[k].base];
        }
    }
    diag(prog->run->ctx, nowhere, DIAG_R005,
         "event iteration at time = %.10g does not end after %u iterations", prog->run->time,
         e->iterations);
    uint32_t reported = 0;
    for (int hidden = 0; hidden < 2 && !reported; hidden++)
        for (uint32_t k = 0; k < pres->n && reported < SHOWN; k++) {
            VarId base = pres->at[k].base;
            bool toggles = false;
            for (uint32_t i = 1; i < CYCLE; i++)
                toggles |= kept[k * CYCLE + i] != kept[k * CYCLE];
            if (!toggles || program_var(prog, base)->hidden != (hidden == 1))
                continue;
            note_cycle(prog, base, &kept[k * CYCLE], CYCLE);
            reported++;
        }
    if (e->reinit_now)
        diag_note(prog->run->ctx, nowhere, "reinit of %s acts in every iteration",
                  describe_variable(prog, e->reinits[0].var));
    return false;
}

/* All equations at time t with the states x, and with relations that no event has decided. Returns
 * the status of an exhaustive search. */
static int search_at(ModeProgram *prog, double t, const double *x)
{
    put_states(prog, t, x);
    runtime_relations(prog->rt, NULL, prog->run->eps, 0);
    runtime_mixed(prog->rt, MIXED_SEARCH);
    int status = evaluate_event(prog, prog->code->event);
    runtime_mixed(prog->rt, prog->run->options->mixed);
    return status;
}

bool fail_without_solution(ModeProgram *prog)
{
    static const double moment = 1e-6; /* of the model's time scale */
    CONTEXT_HOLD(prog->run->ctx);
    arena_reset(prog->run->scratch);
    double *kept = ARENA_ARRAY(prog->run->scratch, double, prog->code->n_vars), ahead = moment;
    memcpy(kept, prog->v, prog->code->n_vars * sizeof *kept);
    ahead *= fmax(model_time_scale(prog->run), fabs(prog->run->time));
    for (uint32_t i = 0; i < prog->n; i++)
        prog->xi[i] = prog->x[i] + ahead * prog->v[prog->plan->states.at[i].der];
    bool none = search_at(prog, prog->run->time + ahead, prog->xi) == MODEL_NO_MIXED &&
                fail_block(prog, prog->m->failed_block) &&
                runtime_can_search(prog->rt, (uint32_t)prog->m->failed_block);
    if (none)
        fail_model(prog, MODEL_NO_MIXED, "iterating at an event");
    else
        memcpy(prog->v, kept, prog->code->n_vars * sizeof *kept);
    prog->m->status = 0;
    runtime_invalidate(prog->rt);
    return none;
}

bool fail_accumulation(ModeProgram *prog, const Event *e, bool chattering, double limit)
{
    CONTEXT_HOLD(prog->run->ctx);
    prog->run->status = SIM_FAILED;
    arena_reset(prog->run->scratch);
    uint32_t k = e->n_triggers ? e->triggers[0] : NONE;
    Span span = k == NONE ? nowhere : program_relation(prog, k)->span;
    const char *what = k == NONE ? "a time event" : describe_relation(prog, k);
    if (chattering)
        diag(prog->run->ctx, span, DIAG_R006,
             "%s chatters at time = %.12g: it changes back and forth while time stands still", what,
             prog->run->time);
    else
        diag(prog->run->ctx, span, DIAG_R006,
             "events accumulate at time = %.8g: %s changes ever faster, without end", limit, what);
    diag_note(prog->run->ctx, nowhere,
              "the simulation ends at time = %.12g; results up to there are complete",
              prog->run->time);
    for (uint32_t i = 1; i < e->n_triggers && i < SHOWN; i++)
        diag_note(prog->run->ctx, program_relation(prog, e->triggers[i])->span, "together with %s",
                  describe_relation(prog, e->triggers[i]));
    return false;
}

/* ---- assertions ---- */

char *failure_message(ModeProgram *prog, Term message)
{
    CONTEXT_HOLD(prog->run->ctx);
    if (message.shape == EXPR_NONE)
        return arena_copy(prog->run->scratch, "", 0);
    double *holes = ARENA_ARRAY(prog->run->scratch, double, message.n);
    for (uint32_t k = 0; k < message.n; k++)
        holes[k] = prog->v[program_operand(prog, message, k)];
    EvalEnv env = replay_env(prog, holes);
    Value value = {0};
    if (eval_expr(&env, message.shape, &value) != EVAL_OK || value.type != T_STRING || !value.str)
        return program_term_text(prog, message, prog->run->scratch);
    return arena_copy(prog->run->scratch, value.str, strlen(value.str));
}

bool fail_second_reinit(ModeProgram *prog, uint32_t first, uint32_t second)
{
    CONTEXT_HOLD(prog->run->ctx);
    const DaeAction *a = program_action(prog, second);
    arena_reset(prog->run->scratch);
    diag(
        prog->run->ctx, a->span, DIAG_D009,
        "this clause reinitializes %s twice at time = %.10g; give the subscripts different values, "
        "or remove one",
        describe_variable(prog, a->target), prog->v[0]);
    diag_note(prog->run->ctx, program_action(prog, first)->span, "the first reinit is here");
    prog->run->status = SIM_FAILED;
    return false;
}

bool fail_assert(ModeProgram *prog, uint32_t action)
{
    CONTEXT_HOLD(prog->run->ctx);
    const DaeAction *a = program_action(prog, action);
    arena_reset(prog->run->scratch);
    char *text = failure_message(prog, a->message);
    diag(prog->run->ctx, a->span, a->warning ? DIAG_R008 : DIAG_R007, "%s (at time = %.10g)", text,
         prog->v[0]);
    diag_note(prog->run->ctx, a->span, "the condition %s is false",
              program_term_text(prog, a->shown, prog->run->scratch));
    note_operands(prog, a->shown);
    if (!a->warning)
        prog->run->status = SIM_FAILED;
    return false;
}
