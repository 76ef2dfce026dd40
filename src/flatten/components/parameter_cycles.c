/* Parameters whose bindings form a cycle only through branches that are not taken, as in T = if
 * use_T then T0 else f(h); h = if use_T then g(T) else h0; Kairos decides the conditions in such
 * cycles: their parameters become structural. Section 4.4.4 asks that bindings of parameters be
 * acyclic. */
#include "flatten/components/components.h"

typedef struct Frame {
    uint32_t var, next, end; /* dependencies [next, end) are still to be visited */
} Frame;

typedef struct Cycles {
    Flattener *f;
    uint32_t *number; /* size n_vars: order of the visit, + 1; 0 while new */
    uint32_t *low;    /* size n_vars */
    bool *open;       /* size n_vars: on the stack of components */
    uint32_t count;
    VEC(uint32_t) deps, component;
    VEC(Frame) frames;
} Cycles;

static bool has_binding(const Cycles *c, uint32_t v)
{
    const FlatVar *x = &c->f->flat->vars.at[v];
    return x->variability <= VARIES_PARAMETER && x->binding != EXPR_NONE;
}

/* ---- deciding ---- */

static ExprId decide(void *user, Graph *g, ExprId e)
{
    Flattener *f = user;
    if (expr_op(g, e) != OP_IF || flat_variability(f->flat, expr_arg(g, e, 0)) > VARIES_PARAMETER)
        return EXPR_NONE;
    NameScope names = name_scope(f->lib, (Scope){f->root, f->root->cls->layers.at[0]}, NAMES_FLAT);
    names.type.optional = true;
    Value v;
    if (inst_evaluate(&names, expr_arg(g, e, 0), (Span){0}, "a condition", &v) != EVAL_OK)
        return EXPR_NONE;
    return expr_map(g, expr_arg(g, e, v.num != 0 ? 1 : 2), decide, f);
}

static void close_component(Cycles *c, uint32_t v, bool cyclic)
{
    uint32_t x;
    do {
        x = vec_pop(&c->component);
        c->open[x] = false;
        ExprId *binding = &c->f->flat->vars.at[x].binding;
        if (cyclic)
            *binding = expr_map(c->f->g, *binding, decide, c->f);
    } while (x != v);
}

/* ---- components of the graph of dependencies ---- */

static void note_dependency(void *user, ExprId e)
{
    Cycles *c = user;
    if (expr_op(c->f->g, e) == OP_VAR && has_binding(c, expr_index(c->f->g, e)))
        vec_push(&c->deps, expr_index(c->f->g, e));
}

static void enter(Cycles *c, uint32_t v)
{
    uint32_t first = c->deps.n;
    c->number[v] = c->low[v] = ++c->count;
    c->open[v] = true;
    vec_push(&c->component, v);
    expr_walk(c->f->g, c->f->flat->vars.at[v].binding, note_dependency, c);
    vec_push(&c->frames, ((Frame){v, first, c->deps.n}));
}

static void lower(Cycles *c, uint32_t v, uint32_t to)
{
    if (c->low[v] > to)
        c->low[v] = to;
}

static bool depends_on_itself(const Cycles *c, const Frame *frame, uint32_t first)
{
    for (uint32_t i = first; i < frame->end; i++)
        if (c->deps.at[i] == frame->var)
            return true;
    return false;
}

static void visit(Cycles *c, uint32_t start)
{
    enter(c, start);
    while (c->frames.n) {
        Frame *frame = &vec_last(&c->frames);
        uint32_t v = frame->var;
        if (frame->next < frame->end) {
            uint32_t to = c->deps.at[frame->next++];
            if (!c->number[to])
                enter(c, to);
            else if (c->open[to])
                lower(c, v, c->number[to]);
            continue;
        }
        Frame done = vec_pop(&c->frames);
        uint32_t first = c->frames.n ? vec_last(&c->frames).end : 0;
        if (c->low[v] == c->number[v])
            close_component(c, v,
                            vec_last(&c->component) != v || depends_on_itself(c, &done, first));
        c->deps.n = first;
        if (c->frames.n)
            lower(c, vec_last(&c->frames).var, c->low[v]);
    }
}

void break_parameter_cycles(Flattener *f)
{
    uint32_t n = f->flat->vars.n;
    Cycles c = {.f = f};
    c.number = memory_alloc((n + 1) * sizeof *c.number);
    c.low = memory_alloc((n + 1) * sizeof *c.low);
    c.open = memory_alloc(n + 1);
    for (uint32_t v = 0; v < n; v++)
        if (has_binding(&c, v) && !c.number[v])
            visit(&c, v);
    memory_free(c.number);
    memory_free(c.low);
    memory_free(c.open);
    vec_free(&c.deps);
    vec_free(&c.component);
    vec_free(&c.frames);
}
