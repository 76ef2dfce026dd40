/* The sorted equations of a model for tools: blocks, equations with their places, incidence. */
#include "inspect/inspect.h"

enum { EQUATIONS_MOST = 5000, PICTURE_MOST = 2000 };

typedef struct Sorted {
    const Plan *plan;
    const Dae *dae;
    VEC(EqId) eqs;   /* in order */
    VEC(VarId) vars; /* that they are solved for */
    VEC(uint32_t) block;
    uint32_t *column; /* by VarId: place among vars, NONE if known */
} Sorted;

static void add(Sorted *s, EqId eq, VarId var, uint32_t block)
{
    vec_push(&s->eqs, eq);
    vec_push(&s->vars, var);
    vec_push(&s->block, block);
}

/* Inner steps of a block before the torn variables: most entries are then below the diagonal. */
static void collect(Sorted *s)
{
    const Plan *p = s->plan;
    for (uint32_t i = 0; i < p->main.n_blocks; i++) {
        const PlanBlock *b = &p->blocks.at[p->main.block + i];
        for (uint32_t k = 0; k < b->n_steps; k++)
            add(s, p->steps.at[b->step + k].eq, p->steps.at[b->step + k].var, i);
        for (uint32_t k = 0; k < b->n_torn; k++)
            add(s, p->torn.at[b->torn + k].eq, p->torn.at[b->torn + k].var, i);
        for (uint32_t k = 0; k < b->n_discrete; k++)
            add(s, p->steps.at[b->discrete + k].eq, p->steps.at[b->discrete + k].var, i);
    }
    s->column = memory_alloc((s->dae->vars.n + 1) * sizeof *s->column);
    for (VarId v = 0; v < s->dae->vars.n; v++)
        s->column[v] = NONE;
    for (uint32_t i = 0; i < s->vars.n; i++)
        s->column[s->vars.at[i]] = i;
}

static void put_equations(Text *t, const Sorted *s, Arena *scratch)
{
    for (uint32_t i = 0; i < s->eqs.n && i < EQUATIONS_MOST; i++) {
        arena_reset(scratch);
        text_put(t, i ? ",\n{\"text\":" : "{\"text\":");
        text_put_json(t, dae_eq_print(s->dae, s->eqs.at[i], scratch));
        inspect_put_field(t, "solves", dae_var_name(s->dae, s->vars.at[i], scratch));
        text_printf(t, ",\"block\":%u", s->block.at[i]);
        inspect_put_place(t, s->dae->ctx, s->dae->eqs.at[s->eqs.at[i]].span);
        text_put(t, "}");
    }
}

static void put_names(Text *t, const Sorted *s, const VarId *vars, uint32_t n, size_t stride,
                      Arena *scratch)
{
    enum { SHOWN = 200 };
    text_put(t, "[");
    for (uint32_t i = 0; i < n && i < SHOWN; i++) {
        text_put(t, i ? "," : "");
        text_put_json(
            t, dae_var_name(s->dae, *(const VarId *)((const char *)vars + i * stride), scratch));
    }
    text_put(t, "]");
}

static void put_blocks(Text *t, const Sorted *s, Arena *scratch)
{
    static const char *const kinds[] = {"explicit", "linear", "nonlinear"};
    const Plan *p = s->plan;
    uint32_t first = 0;
    for (uint32_t i = 0; i < p->main.n_blocks && first < EQUATIONS_MOST; i++) {
        const PlanBlock *b = &p->blocks.at[p->main.block + i];
        uint32_t size = b->n_steps + b->n_torn + b->n_discrete;
        arena_reset(scratch);
        text_printf(
            t, "%s{\"index\":%u,\"kind\":\"%s\",\"mixed\":%s,\"size\":%u,\"first\":%u,\"torn\":",
            i ? ",\n" : "", i, kinds[b->kind], b->mixed ? "true" : "false", size, first);
        put_names(t, s, b->n_torn ? &p->torn.at[b->torn].var : NULL, b->n_torn, sizeof(PlanTorn),
                  scratch);
        text_put(t, ",\"unknowns\":");
        put_names(t, s, s->vars.at + first, size, sizeof(VarId), scratch);
        text_put(t, ",\"equations\":[");
        for (uint32_t k = 0; k < size && first + k < EQUATIONS_MOST; k++)
            text_printf(t, "%s%u", k ? "," : "", first + k);
        text_put(t, "]}");
        first += size;
    }
}

static void put_incidence(Text *t, const Sorted *s)
{
    const char *comma = "";
    for (uint32_t i = 0; i < s->eqs.n && i < PICTURE_MOST; i++) {
        const DaeEq *eq = &s->dae->eqs.at[s->eqs.at[i]];
        text_printf(t, "%s[%u,%u]", comma, i, i);
        comma = ",";
        for (uint32_t k = 0; k < eq->term.n; k++) {
            uint32_t column = s->column[dae_op(s->dae, eq->term, k)];
            if (column != NONE && column != i && column < PICTURE_MOST)
                text_printf(t, ",[%u,%u]", i, column);
        }
    }
}

void inspect_equations(const Flat *flat, const Plan *plan, Text *t)
{
    Sorted s = {.plan = plan, .dae = plan->dae};
    Arena *scratch = arena_new();
    collect(&s);
    text_put(t, "{\"class\":");
    text_put_json(t, flat->name);
    text_printf(t, ",\"n\":%u,\"states\":[", s.eqs.n);
    for (uint32_t i = 0; i < plan->states.n && i < EQUATIONS_MOST; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, dae_var_name(s.dae, plan->states.at[i].var, scratch));
    }
    text_put(t, "],\"blocks\":[");
    put_blocks(t, &s, scratch);
    text_put(t, "],\"equations\":[");
    put_equations(t, &s, scratch);
    text_put(t, "],\"unknowns\":[");
    for (uint32_t i = 0; i < s.vars.n && i < EQUATIONS_MOST; i++) {
        text_put(t, i ? "," : "");
        text_put_json(t, dae_var_name(s.dae, s.vars.at[i], scratch));
    }
    text_put(t, "],\"incidence\":[");
    put_incidence(t, &s);
    text_printf(t, "],\"capped\":%s}", s.eqs.n > PICTURE_MOST ? "true" : "false");
    arena_free(scratch);
    memory_free(s.column);
    vec_free(&s.eqs);
    vec_free(&s.vars);
    vec_free(&s.block);
}
