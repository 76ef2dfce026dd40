/* Programs of modes, put together from those of their groups.
 *
 * In: the plan that the model was compiled with, guards and their values. Out: plan and code of the
 * mode.
 *
 * - The guards form groups (structure/modes/modes.h). Each group is planned and compiled for each
 *   of its modes on the first visit, and kept. The common part is compiled once.
 * - A mode of the whole model is a choice of one program per group. Its plan is their sequence, and
 *   its code calls them in order. The number of programs is the sum of the modes of all groups, and
 *   a new combination of known modes costs only the sequence.
 * - All parts use the same numbers for the variables of the model, and their own numbers for
 *   variables that index reduction adds. One Dae has the variables and equations of all parts. It
 *   only grows; outgrown tables stay, because runs in other threads may read them. */
#include "replan/group_programs.h"

#include "base/clock.h"
#include "structure/blocks/blocks.h"
#include "structure/modes/modes.h"
#include "structure/structure.h"

#include <math.h>

/* A group in one of its modes, or the common part on one level. The plan's equations are those of
 * GroupPrograms.dae. */
typedef struct PartProgram {
    uint32_t group;
    double *values; /* of the group's guards */
    Plan *plan;     /* NULL: this mode of the group cannot be planned alone */
    char *text;
    Loaded *loaded;
    struct PartProgram *next; /* of the same group */
} PartProgram;

struct GroupPrograms {
    VarId *guards; /* the guards of all groups; size n */
    uint8_t *put;  /* per guard: has a value if it is a parameter */
    uint32_t n;
    bool wide;
    PlanGroups *groups; /* NULL: the model cannot be divided */
    Dae *dae;
    VEC(void *) outgrown;
    PartProgram **first;       /* per group: its programs */
    VEC(PartProgram *) common; /* by level/2; NULL if empty, except the first */
    SimGroups count;
    GroupPrograms *before; /* for other guards, or of the other width */
};

/* ---- the Dae of all parts ---- */

static void *outgrow(GroupPrograms *p, void *at, uint32_t n, uint32_t *cap, uint32_t more,
                     size_t item)
{
    if (n + more <= *cap)
        return at;
    uint32_t size = 2 * (n + more);
    void *larger = memory_alloc(size * item);
    if (n)
        memcpy(larger, at, n * item);
    vec_push(&p->outgrown, at);
    *cap = size;
    return larger;
}

#define ROOM(p, v, more)                                                                           \
    ((v)->at = outgrow((p), (v)->at, (v)->n, &(v)->cap, (more), sizeof *(v)->at))

typedef struct Import {
    GroupPrograms *p;
    const Dae *from;
    Map known; /* equation → that of GroupPrograms.dae */
} Import;

static EqId import_eq(Import *w, EqId e)
{
    Dae *to = w->p->dae;
    uint32_t known = map_get(&w->known, e);
    if (known != MAP_NONE)
        return known;
    DaeEq q = w->from->eqs.at[e];
    Term t = q.term;
    ROOM(w->p, &to->ops, t.n);
    q.term.ops = to->ops.n;
    for (uint32_t k = 0; k < t.n; k++)
        vec_push(&to->ops, dae_op(w->from, t, k));
    q.der = NONE;
    q.of = q.of == NONE ? NONE : import_eq(w, q.of);
    ROOM(w->p, &to->eqs, 1);
    vec_push(&to->eqs, q);
    map_put(&w->known, e, to->eqs.n - 1);
    return to->eqs.n - 1;
}

static void import_vars(Import *w)
{
    Dae *to = w->p->dae;
    uint32_t more = w->from->vars.n - to->vars.n;
    ROOM(w->p, &to->vars, more);
    for (VarId v = to->vars.n; v < w->from->vars.n; v++)
        vec_push(&to->vars, w->from->vars.at[v]);
}

/* The plan over the Dae of all parts. */
static void import_plan(GroupPrograms *p, Plan *plan)
{
    Import w = {.p = p, .from = plan->dae};
    import_vars(&w);
    for (uint32_t i = 0; i < plan->steps.n; i++)
        plan->steps.at[i].eq = import_eq(&w, plan->steps.at[i].eq);
    for (uint32_t i = 0; i < plan->torn.n; i++)
        plan->torn.at[i].eq = import_eq(&w, plan->torn.at[i].eq);
    for (uint32_t i = 0; i < plan->differentiated.n; i++)
        plan->differentiated.at[i] = import_eq(&w, plan->differentiated.at[i]);
    dae_free(plan->dae);
    plan->dae = p->dae;
    plan->owns_dae = false;
    map_free(&w.known);
}

/* ---- rows of blocks ---- */

static void append_block(Plan *to, const Plan *from, const PlanBlock *b)
{
    PlanBlock x = *b;
    x.step = to->steps.n;
    for (uint32_t i = 0; i < b->n_steps; i++)
        vec_push(&to->steps, from->steps.at[b->step + i]);
    x.discrete = to->steps.n;
    for (uint32_t i = 0; i < b->n_discrete; i++)
        vec_push(&to->steps, from->steps.at[b->discrete + i]);
    x.torn = to->torn.n;
    for (uint32_t i = 0; i < b->n_torn; i++)
        vec_push(&to->torn, from->torn.at[b->torn + i]);
    vec_push(&to->blocks, x);
}

static Plan *empty_plan(Dae *dae)
{
    Plan *p = memory_alloc(sizeof *p);
    *p = (Plan){.dae = dae, .arena = arena_new(), .step = NONE, .no_start = true};
    return p;
}

/* ---- programs of groups ---- */

static void program_free(PartProgram *p)
{
    if (!p)
        return;
    load_free(p->loaded);
    memory_free(p->text);
    plan_free(p->plan);
    memory_free(p->values);
    memory_free(p);
}

/* A block that depends only on time; the common part computes it. */
static bool is_of_others(const PlanGroups *g, const Plan *p, const PlanBlock *b)
{
    VarId v = b->n_torn    ? p->torn.at[b->torn].var
              : b->n_steps ? p->steps.at[b->step].var
                           : p->steps.at[b->discrete].var;
    return v < g->plan->dae->vars.n && g->block_of[v] != NONE && g->timed[g->block_of[v]];
}

/* The part's own blocks; NULL if its states are not its own. */
static Plan *own_blocks(const PlanGroups *g, const Plan *from)
{
    Plan *p = empty_plan(from->dae);
    bool ok = !from->sets.n;
    for (uint32_t i = 0; i < from->main.n_blocks; i++) {
        const PlanBlock *b = &from->blocks.at[from->main.block + i];
        if (!is_of_others(g, from, b))
            append_block(p, from, b);
    }
    p->main = (PlanSequence){0, p->blocks.n};
    for (uint32_t i = 0; i < from->states.n; i++) {
        VarId v = from->states.at[i].var;
        ok &= v >= g->plan->dae->vars.n || g->rate_of[v] != NONE;
        vec_push(&p->states, from->states.at[i]);
    }
    for (uint32_t i = 0; i < from->differentiated.n; i++)
        vec_push(&p->differentiated, from->differentiated.at[i]);
    if (!ok)
        plan_free(p);
    return ok ? p : NULL;
}

static bool compile_part(const ReplanFor *w, PartProgram *p, bool bare)
{
    size_t size;
    CodegenOptions how = {.part = true,
                          .bare = bare,
                          .profiled = w->compilation->profiled,
                          .variations = w->compilation->variations};
    p->text = codegen_model(p->plan, &how, &size);
    p->loaded = p->text ? load_compile(w->ctx, p->text, w->compilation->tier) : NULL;
    return p->loaded;
}

/* The part with the values of its guards. A constraint on another group's state looks redundant
 * here; return NULL unless the groups are wide. */
static Plan *plan_whole_part(const GroupPrograms *p, Dae *dae, const VarId *guards,
                             const double *values, uint32_t n, const uint8_t *needed)
{
    Context *ctx = dae->ctx;
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    bool fits = replan_put_guards(dae, guards, values, n) || p->wide;
    PlanOptions options = {
        .mode = true, .needed = needed, .n_needed = p->groups->plan->dae->vars.n};
    Plan *plan = fits ? structure_plan_as(dae, &options) : NULL;
    ctx->quiet = quiet;
    return plan;
}

/* Plans the part of group k, whose guards have these values, on its own Dae. */
static Plan *plan_part(const ReplanFor *w, GroupPrograms *p, Dae *dae, uint32_t k,
                       const double *values)
{
    const PlanGroup *group = &p->groups->list[k];
    VarId *guards = memory_alloc(((size_t)group->n_guards + 1) * sizeof *guards);
    for (uint32_t i = 0; i < group->n_guards; i++)
        guards[i] = p->guards[group->guards[i]];
    uint8_t *needed = group_needed(p->groups, k);
    Plan *whole = plan_whole_part(p, dae, guards, values, group->n_guards, needed);
    Plan *plan = whole && replan_check(w->ctx, whole) ? own_blocks(p->groups, whole) : NULL;
    if (plan && whole) { /* patterns of large blocks are in its arena; its Dae is kept too */
        Arena *arena = plan->arena;
        plan->arena = whole->arena;
        whole->arena = arena;
        plan->owns_dae = true;
        whole->owns_dae = false;
    }
    plan_free(whole);
    memory_free(needed);
    memory_free(guards);
    return plan;
}

static bool make_part(const ReplanFor *w, GroupPrograms *p, PartProgram *x)
{
    Dae *dae = group_dae(p->groups, x->group, p->dae->vars.n);
    dae->ctx = w->ctx;
    x->plan = plan_part(w, p, dae, x->group, x->values);
    bool good = x->plan && compile_part(w, x, true);
    if (good)
        import_plan(p, x->plan);
    dae_free(dae);
    if (!good) {
        plan_free(x->plan);
        x->plan = NULL;
    }
    return good;
}

static bool has_values(const PartProgram *x, const PlanGroup *g, const double *values)
{
    for (uint32_t i = 0; i < g->n_guards; i++) {
        double a = x->values[i], b = values[g->guards[i]];
        if (a != b && !(isnan(a) && isnan(b)))
            return false;
    }
    return true;
}

/* The program of group k in its mode; NULL if it cannot be planned. */
static PartProgram *part_of(const ReplanFor *w, GroupPrograms *p, uint32_t k, const double *values)
{
    const PlanGroup *g = &p->groups->list[k];
    for (PartProgram *x = p->first[k]; x; x = x->next)
        if (has_values(x, g, values))
            return x->plan ? x : NULL;
    double start = clock_now();
    PartProgram *x = memory_alloc(sizeof *x);
    x->group = k;
    x->values = memory_alloc(((size_t)g->n_guards + 1) * sizeof *x->values);
    for (uint32_t i = 0; i < g->n_guards; i++)
        x->values[i] = values[g->guards[i]];
    bool good = make_part(w, p, x);
    x->next = p->first[k];
    p->first[k] = x;
    p->count.n_programs += good;
    p->count.seconds += clock_now() - start;
    return good ? x : NULL;
}

/* ---- the common part ---- */

static bool is_common_state(const PlanGroups *g, VarId v)
{
    return g->rate_of[v] == NONE || g->group[g->rate_of[v]] == NONE;
}

/* Per variable: whether equations of groups use it. */
static uint8_t *needed_by_groups(const PlanGroups *g)
{
    const Plan *p = g->plan;
    uint8_t *needed = memory_alloc((size_t)p->dae->vars.n + 1);
    for (EqId e = 0; e < p->dae->eqs.n; e++) {
        Term t = p->dae->eqs.at[e].term;
        bool of_group = g->eq_block[e] != NONE && g->group[g->eq_block[e]] != NONE;
        for (uint32_t k = 0; of_group && k < t.n; k++)
            needed[dae_op(p->dae, t, k)] = 1;
    }
    return needed;
}

/* The common blocks of all levels in order. */
static Plan *common_plan(const PlanGroups *g)
{
    const Plan *from = g->plan;
    Plan *p = empty_plan(from->dae);
    for (uint32_t b = 0; b < from->main.n_blocks; b++)
        if (g->group[b] == NONE)
            append_block(p, from, &from->blocks.at[from->main.block + b]);
    p->main = (PlanSequence){0, p->blocks.n};
    for (uint32_t i = 0; i < from->states.n; i++)
        if (is_common_state(g, from->states.at[i].var))
            vec_push(&p->states, from->states.at[i]);
    uint8_t *needed = needed_by_groups(g);
    plan_uses(p, needed, from->dae->vars.n);
    memory_free(needed);
    return p;
}

/* The blocks of the common plan on this level; the first level has parameters and states as well.
 */
static Plan *level_plan(const PlanGroups *g, const Plan *common, uint32_t level)
{
    const Plan *from = g->plan;
    Plan *p = empty_plan(from->dae);
    for (uint32_t b = 0; level == 0 && b < from->parameters.n_blocks; b++)
        append_block(p, from, &from->blocks.at[from->parameters.block + b]);
    p->parameters = (PlanSequence){0, p->blocks.n};
    for (uint32_t b = 0, at = 0; b < from->main.n_blocks; b++) {
        if (g->group[b] != NONE)
            continue;
        if (g->level[b] == level)
            append_block(p, common, &common->blocks.at[at]);
        at++;
    }
    p->main = (PlanSequence){p->parameters.n_blocks, p->blocks.n - p->parameters.n_blocks};
    for (uint32_t i = 0; level == 0 && i < common->states.n; i++)
        vec_push(&p->states, common->states.at[i]);
    for (uint32_t i = 0; level == 0 && i < from->differentiated.n; i++) {
        uint32_t b = g->eq_block[from->differentiated.at[i]];
        if (b == NONE || g->group[b] == NONE)
            vec_push(&p->differentiated, from->differentiated.at[i]);
    }
    return p;
}

static bool make_common(const ReplanFor *w, GroupPrograms *p)
{
    Plan *all = common_plan(p->groups);
    bool good = true;
    for (uint32_t level = 0; good && (level == 0 || level < p->groups->n_levels); level += 2) {
        PartProgram *x = memory_alloc(sizeof *x);
        x->group = NONE;
        vec_push(&p->common, x);
        x->plan = level_plan(p->groups, all, level);
        good = compile_part(w, x, level > 0);
    }
    plan_free(all);
    return good;
}

/* ---- groups ---- */

static bool is_put(const Dae *d, VarId v, double value)
{
    return d->vars.at[v].kind != DAE_PARAMETER || !isnan(value);
}

static bool is_for(const GroupPrograms *p, const Dae *d, const VarId *guards, const double *values,
                   uint32_t n)
{
    bool same = p->n == n;
    for (uint32_t i = 0; i < n && same; i++)
        same = p->guards[i] == guards[i] && p->put[i] == is_put(d, guards[i], values[i]);
    return same;
}

/* Useful if there are several groups, or if one is a small part of a large model. */
static bool is_worth_it(const PlanGroups *g)
{
    enum { LARGE = 500 /* blocks */, SMALL = 4 /* times less */ };
    uint32_t n = g->plan->main.n_blocks;
    return g->n > 1 || (g->n == 1 && n > LARGE && g->list[0].n_blocks < n / SMALL);
}

/* Cuts the plan. */
static void cut(const ReplanFor *w, GroupPrograms *p, const double *values)
{
    p->groups = groups_find(w->compilation->plan, p->guards, values, p->n, p->wide);
    if (!p->groups || !is_worth_it(p->groups)) {
        groups_free(p->groups);
        p->groups = NULL;
        return;
    }
    p->dae = dae_copy(w->compilation->plan->dae);
    p->count.n_groups = p->groups->n;
    p->first = memory_alloc(p->groups->n * sizeof(PartProgram *));
    if (make_common(w, p))
        return;
    groups_free(p->groups);
    p->groups = NULL;
}

static GroupPrograms *parts_new(const ReplanFor *w, GroupPrograms **list, const VarId *guards,
                                const double *values, uint32_t n, bool wide)
{
    GroupPrograms *p = memory_alloc(sizeof *p);
    *p = (GroupPrograms){.n = n, .wide = wide, .before = *list};
    *list = p;
    p->guards = memory_alloc(((size_t)n + 1) * sizeof *p->guards);
    p->put = memory_alloc((size_t)n + 1);
    for (uint32_t i = 0; i < n; i++) {
        p->guards[i] = guards[i];
        p->put[i] = is_put(w->compilation->plan->dae, guards[i], values[i]);
    }
    double start = clock_now();
    cut(w, p, values);
    p->count.common = clock_now() - start;
    return p;
}

static void free_one(GroupPrograms *p)
{
    for (uint32_t k = 0; p->first && k < p->count.n_groups; k++)
        for (PartProgram *x = p->first[k], *next; x; x = next) {
            next = x->next;
            program_free(x);
        }
    for (uint32_t i = 0; i < p->common.n; i++)
        program_free(p->common.at[i]);
    for (uint32_t i = 0; i < p->outgrown.n; i++)
        memory_free(p->outgrown.at[i]);
    memory_free(p->first);
    vec_free(&p->common);
    vec_free(&p->outgrown);
    groups_free(p->groups);
    dae_free(p->dae);
    memory_free(p->guards);
    memory_free(p->put);
    memory_free(p);
}

void group_programs_free(GroupPrograms *p)
{
    while (p) {
        GroupPrograms *before = p->before;
        free_one(p);
        p = before;
    }
}

SimGroups group_programs_count(const GroupPrograms *p)
{
    return p ? p->count : (SimGroups){0};
}

/* ---- the whole ---- */

typedef VEC(PartProgram *) Row;

/* The programs of a mode in order; false if one cannot be made. */
static bool find_row(const ReplanFor *w, GroupPrograms *p, const double *values, Row *row)
{
    for (uint32_t level = 0; level < p->groups->n_levels; level++) {
        if (level % 2 == 0) {
            vec_push(row, p->common.at[level / 2]);
            continue;
        }
        for (uint32_t k = 0; k < p->groups->n; k++) {
            if (p->groups->list[k].level != level)
                continue;
            PartProgram *x = part_of(w, p, k, values);
            if (!x)
                return false;
            vec_push(row, x);
        }
    }
    return true;
}

static void append_plan(Plan *to, const Plan *from)
{
    for (uint32_t i = 0; i < from->parameters.n_blocks; i++)
        append_block(to, from, &from->blocks.at[from->parameters.block + i]);
    if (from->parameters.n_blocks)
        to->parameters = (PlanSequence){0, to->blocks.n};
    if (!to->main.n_blocks)
        to->main.block = to->blocks.n;
    for (uint32_t i = 0; i < from->main.n_blocks; i++)
        append_block(to, from, &from->blocks.at[from->main.block + i]);
    to->main.n_blocks = to->blocks.n - to->main.block;
    for (uint32_t i = 0; i < from->states.n; i++)
        vec_push(&to->states, from->states.at[i]);
    for (uint32_t i = 0; i < from->differentiated.n; i++)
        vec_push(&to->differentiated, from->differentiated.at[i]);
}

static Plan *join_plans(const GroupPrograms *p, const Row *row)
{
    Plan *plan = empty_plan(NULL);
    plan->dae = ARENA_NEW(plan->arena, Dae);
    *plan->dae = *p->dae;
    uint32_t n_blocks = 0, n_steps = 0, n_torn = 0, n_states = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        n_blocks += row->at[i]->plan->blocks.n;
        n_steps += row->at[i]->plan->steps.n;
        n_torn += row->at[i]->plan->torn.n;
        n_states += row->at[i]->plan->states.n;
    }
    vec_reserve(&plan->blocks, n_blocks);
    vec_reserve(&plan->steps, n_steps);
    vec_reserve(&plan->torn, n_torn);
    vec_reserve(&plan->states, n_states);
    for (uint32_t i = 0; i < row->n; i++)
        append_plan(plan, row->at[i]->plan);
    plan_jacobians(plan);
    return plan;
}

static const ModelCode *join_codes(const GroupPrograms *p, Plan *plan, const Row *row)
{
    ModelPart *parts = ARENA_ARRAY(plan->arena, ModelPart, row->n);
    uint32_t n_blocks = 0, n_strings = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        parts[i].code = load_code(row->at[i]->loaded);
        n_blocks += parts[i].code->n_blocks;
        n_strings += parts[i].code->n_strings;
    }
    ModelParts *code = ARENA_NEW(plan->arena, ModelParts);
    model_assemble(code, parts, row->n, p->dae->vars.n,
                   ARENA_ARRAY(plan->arena, ModelBlockCode, n_blocks + (size_t)1),
                   ARENA_ARRAY(plan->arena, const char *, n_strings + (size_t)1));
    return &code->code;
}

static SimProgram *assemble(const ReplanFor *w, GroupPrograms *p, const double *values)
{
    double start = clock_now();
    Row row = {0};
    SimProgram *x = NULL;
    if (find_row(w, p, values, &row)) {
        Plan *plan = join_plans(p, &row);
        x = memory_alloc(sizeof *x);
        *x = (SimProgram){.plan = plan, .code = join_codes(p, plan, &row)};
        x->seconds = clock_now() - start;
        if (!replan_check(w->ctx, plan)) {
            group_programs_release(x);
            x = NULL;
        }
    }
    vec_free(&row);
    return x;
}

static GroupPrograms *parts_for(const ReplanFor *w, GroupPrograms **list, const VarId *guards,
                                const double *values, uint32_t n, bool wide)
{
    for (GroupPrograms *p = *list; p; p = p->before)
        if (p->wide == wide && is_for(p, w->compilation->plan->dae, guards, values, n))
            return p;
    return parts_new(w, list, guards, values, n, wide);
}

/* A group that cannot be planned alone in this mode depends on more states than were found, so wide
 * groups are tried. What was made for other modes does not matter: a saved run finds the states of
 * its mode in the same order again. */
SimProgram *group_programs_assemble(const ReplanFor *w, GroupPrograms **parts, const VarId *guards,
                                    const double *values, uint32_t n)
{
    GroupPrograms *p = parts_for(w, parts, guards, values, n, false);
    SimProgram *x = p->groups ? assemble(w, p, values) : NULL;
    if (x || !p->groups)
        return x;
    p = parts_for(w, parts, guards, values, n, true);
    return p->groups ? assemble(w, p, values) : NULL;
}

void group_programs_release(SimProgram *p)
{
    if (!p)
        return;
    plan_free((Plan *)(uintptr_t)p->plan);
    memory_free(p);
}
