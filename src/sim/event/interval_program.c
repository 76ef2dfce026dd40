/* Terms as programs of intervals: see the header. */
#include "sim/event/interval_program.h"

#include "sim/state/model_view.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BODY = 8, MOST_VARS = 16, DEEPEST = 4 /* calls in calls */ };

typedef struct Build {
    IntervalProgram *w;
    const ModeProgram *p;
    Arena *scratch;
    uint32_t *node; /* per variable; NONE */
    bool *needed;   /* per variable */
    bool calls;     /* are followed */
    int depth;      /* of calls */
} Build;

static uint32_t add_node(IntervalProgram *w, BoundNode node, Range value)
{
    vec_push(&w->nodes, node);
    vec_push(&w->value, value);
    return w->nodes.n - 1;
}

static uint32_t fixed_node(IntervalProgram *w, VarId var, double value)
{
    return add_node(w, (BoundNode){.what = BOUND_FIXED, .degree = CONSTANT, .args = var},
                    (Range){value, value, false});
}

static uint32_t unknown_node(IntervalProgram *w)
{
    return add_node(w, (BoundNode){.what = BOUND_UNKNOWN, .degree = UNBOUNDED},
                    (Range){-INFINITY, INFINITY, true});
}

static bool keeps_affine(const IntervalProgram *w, ExprOp op, const uint32_t *args, uint32_t n)
{
    uint32_t varying = 0;
    for (uint32_t i = 0; i < n; i++)
        varying += w->nodes.at[args[i]].degree != CONSTANT;
    switch (op) {
    case OP_ADD:
    case OP_NEG:
    case OP_NOEVENT:
    case OP_TO_REAL: return true;
    case OP_MUL: return varying <= 1;
    case OP_DIV: return w->nodes.at[args[1]].degree == CONSTANT;
    case OP_IF: return w->nodes.at[args[0]].degree == CONSTANT;
    default: return false;
    }
}

static Degree degree_of(const IntervalProgram *w, ExprOp op, const uint32_t *args, uint32_t n)
{
    Degree most = CONSTANT;
    for (uint32_t i = 0; i < n; i++)
        most = w->nodes.at[args[i]].degree > most ? w->nodes.at[args[i]].degree : most;
    return most == AFFINE && !keeps_affine(w, op, args, n) ? NONLINEAR : most;
}

typedef struct TermWalk {
    Build *b;
    Term term;
    Map found;             /* expression → node */
    const uint32_t *local; /* in a function, per variable: its node; NONE: no value yet */
} TermWalk;

static uint32_t leaf(TermWalk *t, ExprId e)
{
    const Graph *g = program_graph(t->b->p);
    IntervalProgram *w = t->b->w;
    TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
    if (expr_op(g, e) == OP_HOLE) {
        uint32_t known = t->b->node[program_operand(t->b->p, t->term, expr_index(g, e))];
        return known == NONE ? unknown_node(w) : known;
    }
    if (expr_op(g, e) == OP_LOCAL) {
        uint32_t known = t->local ? t->local[expr_index(g, e)] : NONE;
        return known == NONE ? unknown_node(w) : known;
    }
    bool number = kind == TYPE_REAL || kind == TYPE_INT || kind == TYPE_BOOL || kind == TYPE_ENUM;
    return number && expr_is_literal(g, e) ? fixed_node(w, NONE, expr_real_value(g, e))
                                           : unknown_node(w);
}

static uint32_t term_node(Build *b, Term term, const uint32_t *local, ExprId shape);

static bool is_assignment(const Graph *g, const Stmt *s)
{
    return s->kind == STMT_ASSIGN && expr_op(g, s->lhs) == OP_LOCAL;
}

bool intervals_follow(const Graph *g, const Function *f)
{
    bool simple = f->ready && !f->external && !f->impure && f->n_out == 1 &&
                  f->n_body <= MOST_BODY && f->n_vars <= MOST_VARS;
    for (uint32_t i = 0; simple && i < f->n_vars; i++)
        simple = f->vars[i].type == T_REAL;
    for (uint32_t i = 0; simple && i < f->n_body; i++)
        simple = is_assignment(g, &f->body[i]);
    return simple;
}

static uint32_t body_node(Build *b, const uint32_t *local, ExprId e)
{
    return term_node(b, (Term){0}, local, e);
}

/* The result for the nodes of the arguments. */
static uint32_t call_node(Build *b, const Function *f, const uint32_t *args)
{
    const Graph *g = program_graph(b->p);
    uint32_t local[MOST_VARS];
    b->depth++;
    for (uint32_t i = 0; i < f->n_vars; i++) {
        local[i] = i < f->n_in ? args[i] : NONE;
        if (i >= f->n_in && f->vars[i].binding)
            local[i] = body_node(b, local, f->vars[i].binding);
    }
    for (uint32_t i = 0; i < f->n_body; i++)
        local[expr_index(g, f->body[i].lhs)] = body_node(b, local, f->body[i].rhs);
    b->depth--;
    return local[f->n_in] == NONE ? unknown_node(b->w) : local[f->n_in];
}

static bool follows(const Build *b, ExprId e)
{
    const Graph *g = program_graph(b->p);
    return b->calls && b->depth < DEEPEST && expr_op(g, e) == OP_CALL &&
           intervals_follow(g, g->functions.at[expr_index(g, e)]);
}

static void visit(void *user, ExprId e)
{
    TermWalk *t = user;
    const Graph *g = program_graph(t->b->p);
    IntervalProgram *w = t->b->w;
    uint32_t n = expr_n(g, e), args = w->args.n, made;
    ExprOp op = expr_op(g, e);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&w->args, map_get(&t->found, expr_arg(g, e, i)));
    if (!n) {
        made = leaf(t, e);
    } else if (follows(t->b, e)) {
        uint32_t of[MOST_VARS];
        memcpy(of, w->args.at + args, n * sizeof *of); /* the list of arguments may move */
        made = call_node(t->b, g->functions.at[expr_index(g, e)], of);
    } else if (!range_knows(op) || expr_type(g, expr_arg(g, e, 0)) == T_STRING) {
        made = unknown_node(w);
    } else {
        TypeKind kind = type_get(g->types, expr_type(g, e))->kind;
        BoundNode node = {
            .what = BOUND_OPERATOR, .op = (uint8_t)op, .kind = (uint8_t)kind, .args = args, .n = n};
        node.degree = (uint8_t)degree_of(w, op, w->args.at + args, n);
        made = add_node(w, node, (Range){0, 0, false});
    }
    map_put(&t->found, e, made);
}

static uint32_t term_node(Build *b, Term term, const uint32_t *local, ExprId shape)
{
    TermWalk t = {.b = b, .term = term, .local = local};
    expr_walk(program_graph(b->p), shape, visit, &t);
    uint32_t node = map_get(&t.found, shape);
    map_free(&t.found);
    return node;
}

static void mark_operand(void *user, ExprId e)
{
    TermWalk *t = user;
    if (expr_op(program_graph(t->b->p), e) == OP_HOLE)
        t->b->needed[program_operand(t->b->p, t->term, expr_index(program_graph(t->b->p), e))] =
            true;
}

/* The operands of the terms, from the last equation back. */
static void find_needed(Build *b, const IntervalTerm *terms, uint32_t n)
{
    const ModeProgram *prog = b->p;
    const Plan *p = prog->plan;
    for (uint32_t k = 0; k < n; k++)
        expr_walk(program_graph(prog), terms[k].shape, mark_operand,
                  &(TermWalk){.b = b, .term = terms[k].term});
    for (uint32_t i = p->main.n_blocks; i-- > 0;) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        const PlanStep *step = &p->steps.at[block->step];
        if (block->kind != BLOCK_EXPLICIT || block->mixed || !b->needed[step->var])
            continue;
        Term t = program_equation(prog, step->eq)->term;
        for (uint32_t k = 0; k < t.n; k++)
            b->needed[program_operand(prog, t, k)] = true;
    }
}

static bool is_fixed(const DaeVar *x)
{
    return x->kind != DAE_TIME && x->kind != DAE_CONTINUOUS && x->kind != DAE_DERIVATIVE &&
           x->kind != DAE_FOLLOWING && x->type != DAE_STRING;
}

static void add_leaves(Build *b)
{
    IntervalProgram *w = b->w;
    for (VarId v = 0; v < program_n_vars(b->p); v++) {
        b->node[v] = NONE;
        if (b->needed[v] && is_fixed(program_var(b->p, v)))
            b->node[v] = fixed_node(w, v, 0);
    }
    b->node[0] = w->time =
        add_node(w, (BoundNode){.what = BOUND_TIME, .degree = AFFINE}, (Range){0, 0, false});
    for (uint32_t i = 0; i < b->p->plan->states.n; i++) {
        VarId v = b->p->plan->states.at[i].var;
        if (!b->needed[v])
            continue;
        b->node[v] =
            add_node(w, (BoundNode){.what = BOUND_STATE, .degree = AFFINE, .args = w->states.n},
                     (Range){0, 0, false});
        vec_push(&w->states, i);
        vec_push(&w->leaves, b->node[v]);
    }
}

static void add_equations(Build *b)
{
    const Plan *p = b->p->plan;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *block = &p->blocks.at[p->main.block + i];
        const PlanStep *step = &p->steps.at[block->step];
        if (block->kind != BLOCK_EXPLICIT || block->mixed || !b->needed[step->var] ||
            b->node[step->var] != NONE)
            continue;
        Term t = program_equation(b->p, step->eq)->term;
        b->node[step->var] =
            term_node(b, t, NULL, step->value == EXPR_NONE ? t.shape : step->value);
    }
}

void intervals_create(IntervalProgram *w, const ModeProgram *prog, const IntervalTerm *terms,
                      uint32_t n, bool calls, uint32_t *node, Arena *scratch)
{
    *w = (IntervalProgram){.prog = prog};
    Build b = {.w = w,
               .p = prog,
               .scratch = scratch,
               .calls = calls,
               .node = ARENA_ARRAY(scratch, uint32_t, prog->code->n_vars),
               .needed = ARENA_ARRAY(scratch, bool, program_n_vars(prog))};
    find_needed(&b, terms, n);
    add_leaves(&b);
    add_equations(&b);
    for (uint32_t k = 0; k < n; k++)
        node[k] = term_node(&b, terms[k].term, NULL, terms[k].shape);
}

void intervals_free(IntervalProgram *w)
{
    vec_free(&w->nodes);
    vec_free(&w->args);
    vec_free(&w->value);
    vec_free(&w->states);
    vec_free(&w->leaves);
}

void intervals_compute(IntervalProgram *w, uint32_t i)
{
    const BoundNode *x = &w->nodes.at[i];
    if (x->what == BOUND_OPERATOR)
        w->value.at[i] =
            range_apply((ExprOp)x->op, (TypeKind)x->kind, w->value.at, w->args.at + x->args, x->n);
}

void intervals_fix(IntervalProgram *w)
{
    const double *v = w->prog->v;
    for (uint32_t i = 0; i < w->nodes.n; i++) {
        const BoundNode *x = &w->nodes.at[i];
        if (x->what == BOUND_FIXED && x->args != NONE)
            w->value.at[i] = (Range){v[x->args], v[x->args], false};
        else if (x->degree == CONSTANT)
            intervals_compute(w, i);
    }
}

static int compare_indices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void intervals_list_parts(const IntervalProgram *w, uint32_t node, uint32_t largest,
                          NodeIndices *parts, bool *mark)
{
    uint32_t begin = parts->n;
    vec_push(parts, node);
    mark[node] = true;
    for (uint32_t i = begin; i < parts->n && parts->n - begin <= largest; i++) {
        const BoundNode *x = &w->nodes.at[parts->at[i]];
        for (uint32_t j = 0; x->what == BOUND_OPERATOR && j < x->n; j++) {
            uint32_t arg = w->args.at[x->args + j];
            if (!mark[arg] && w->nodes.at[arg].degree != CONSTANT)
                vec_push(parts, arg);
            mark[arg] = w->nodes.at[arg].degree != CONSTANT;
        }
    }
    for (uint32_t i = begin; i < parts->n; i++)
        mark[parts->at[i]] = false;
    if (parts->n - begin > largest)
        parts->n = begin;
    qsort(parts->at + begin, parts->n - begin, sizeof *parts->at, compare_indices);
}
