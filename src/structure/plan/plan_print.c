/* The plan in readable form, in the manner of Elmqvist, Cellier and Otter (1993). Sorted equations
 * have the unknown that is solved for in brackets, and their component at the start of the line.
 * Systems of simultaneous equations have their unknowns. */
#include "base/text.h"
#include "structure/plan/planner.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct Printer {
    const Plan *p;
    const Dae *d;
    Arena *scratch; /* reset after each line */
    VEC(char) out;
    PathId component; /* of the line before */
    bool fresh;       /* the next line names its component in any case */
} Printer;

enum { COMPONENT_WIDTH = 12 };

static void put_bytes(Printer *w, const char *s, size_t n)
{
    vec_reserve(&w->out, w->out.n + n + 1);
    memcpy(w->out.at + w->out.n, s, n);
    w->out.n += (uint32_t)n;
}

__attribute__((format(printf, 2, 3))) static void put(Printer *w, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        vec_reserve(&w->out, (size_t)w->out.n + (size_t)n + 1);
        vsnprintf(w->out.at + w->out.n, (size_t)n + 1, format, again);
        w->out.n += (uint32_t)n;
    }
    va_end(again);
}

static const char *name_of_var(Printer *w, VarId v)
{
    return dae_var_name(w->d, v, w->scratch);
}

/* ---- equations ---- */

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '\'';
}

/* True if text[i …] is `name` as a whole. A plain variable is not meant inside der() or pre().
 */
static bool is_name_at(const char *text, size_t i, const char *name, size_t n)
{
    if (!n || strncmp(text + i, name, n) != 0)
        return false;
    char next = text[i + n];
    if (in_name(name[n - 1]) && (in_name(next) || next == '['))
        return false;
    return !(i >= 4 && text[i - 1] == '(' &&
             (!strncmp(text + i - 4, "der", 3) || !strncmp(text + i - 4, "pre", 3)));
}

/* Copies names without the component's own prefix; brackets the first occurrence of the unknown. */
static bool put_bracketed(Printer *w, const char *text, const char *unknown, const char *prefix)
{
    size_t n_unknown = unknown ? strlen(unknown) : 0, n_prefix = strlen(prefix);
    bool found = n_unknown == 0;
    for (size_t i = 0; text[i];) {
        bool starts = i == 0 || !in_name(text[i - 1]);
        if (starts && !found && is_name_at(text, i, unknown, n_unknown)) {
            found = true;
            put(w, "[");
            put_bracketed(w, arena_copy(w->scratch, text + i, n_unknown), NULL, prefix);
            put(w, "]");
            i += n_unknown;
        } else if (starts && n_prefix && !strncmp(text + i, prefix, n_prefix)) {
            i += n_prefix;
        } else {
            put_bytes(w, text + i, 1);
            i++;
        }
    }
    return found;
}

static bool is_switch(const Plan *p, EqId e)
{
    for (uint32_t i = 0; i < p->switches.n; i++)
        if (p->switches.at[i] == e)
            return true;
    return false;
}

/* "R1. R*[i] = u": `bar` comes first; the component is named when it changes. */
static void put_equation(Printer *w, EqId e, VarId unknown, const char *bar)
{
    PathId component = w->d->eqs.at[e].component;
    const char *path =
        w->d->flat && component ? path_text(w->d->flat->paths, component, w->scratch) : "";
    const char *prefix = *path ? arena_printf(w->scratch, "%s.", path) : "";
    const char *label = w->fresh || component != w->component ? prefix : "";
    put(w, "%s%-*s ", bar, COMPONENT_WIDTH, label);
    const char *name = unknown == NONE ? NULL : name_of_var(w, unknown);
    if (!put_bracketed(w, dae_eq_print(w->d, e, w->scratch), name, prefix))
        put(w, "   for [%s]", name);
    if (w->d->eqs.at[e].origin == DAE_EQ_DERIVED)
        put(w, "   (differentiated)");
    if (is_switch(w->p, e))
        put(w, "   (switch)");
    put(w, "\n");
    w->component = component;
    w->fresh = false;
    arena_reset(w->scratch);
}

/* ---- blocks ---- */

static const char *linearity_of(const PlanBlock *b)
{
    if (b->kind == BLOCK_NONLINEAR)
        return "nonlinear";
    return b->constant_jacobian ? "linear, with constant coefficients" : "linear";
}

static void put_names(Printer *w, const PlanBlock *b)
{
    for (uint32_t i = 0; i < b->n_torn; i++)
        put(w, "  %s\n", name_of_var(w, w->p->torn.at[b->torn + i].var));
    for (uint32_t i = 0; i < b->n_steps; i++)
        put(w, "  %s\n", name_of_var(w, w->p->steps.at[b->step + i].var));
    for (uint32_t i = 0; i < b->n_discrete; i++)
        put(w, "  %s\n", name_of_var(w, w->p->steps.at[b->discrete + i].var));
    arena_reset(w->scratch);
}

static void put_solved_form(Printer *w, const PlanBlock *b)
{
    Text text = {0};
    plan_print_solved_form(w->p, b, &text);
    if (text.n)
        put_bytes(w, text.at, text.n);
    text_free(&text);
}

static void put_system(Printer *w, const PlanBlock *b)
{
    uint32_t n = b->n_steps + b->n_torn + b->n_discrete;
    put(w, "\n%sSYSTEM OF %u SIMULTANEOUS EQUATION%s\n", b->mixed ? "MIXED " : "", n,
        n == 1 ? "" : "S");
    put(w, "UNKNOWN VARIABLES\n");
    put_names(w, b);
    if (b->n_torn) {
        put(w, "TORN VARIABLES: %u of %u\n", b->n_torn, b->n_steps + b->n_torn);
        for (uint32_t i = 0; i < b->n_torn; i++)
            put(w, "  %s\n", name_of_var(w, w->p->torn.at[b->torn + i].var));
    }
    put(w, "EQUATIONS\n");
    w->fresh = true;
    for (uint32_t i = 0; i < b->n_steps; i++)
        put_equation(w, w->p->steps.at[b->step + i].eq, w->p->steps.at[b->step + i].var, "| ");
    for (uint32_t i = 0; i < b->n_torn; i++)
        put_equation(w, w->p->torn.at[b->torn + i].eq, w->p->torn.at[b->torn + i].var, "|*");
    for (uint32_t i = 0; i < b->n_discrete; i++)
        put_equation(w, w->p->steps.at[b->discrete + i].eq, w->p->steps.at[b->discrete + i].var,
                     "| ");
    if (b->n_torn)
        put(w, "-- The system of equations is %s. Residuals are marked by *.\n", linearity_of(b));
    put_solved_form(w, b);
    put(w, "END OF SYSTEM OF SIMULTANEOUS EQUATIONS\n\n");
    w->fresh = true;
}

/* A system in closed form: its equations as in the model, then the computed values. */
static void put_solved(Printer *w, const PlanSolved *x)
{
    const PlanStep *steps = &w->p->steps.at[w->p->blocks.at[x->block].step];
    uint32_t n = x->n_torn + x->n_steps;
    put(w, "\nSYSTEM OF %u SIMULTANEOUS EQUATIONS\nUNKNOWN VARIABLES\n", n);
    for (uint32_t i = 0; i < n; i++)
        put(w, "  %s\n", name_of_var(w, steps[i].var));
    put(w, "EQUATIONS\n");
    w->fresh = true;
    for (uint32_t i = 0; i < n; i++)
        put_equation(w, i < x->n_torn ? w->d->eqs.at[steps[i].eq].of : steps[i].eq, NONE, "| ");
    put(w, "SOLVED SYSTEM OF EQUATIONS\n");
    for (uint32_t i = 0; i < n; i++) {
        Term t = w->d->eqs.at[steps[i].eq].term;
        t.shape = steps[i].value != EXPR_NONE ? steps[i].value : t.shape;
        put(w, "  [%s] = %s\n", name_of_var(w, steps[i].var), dae_term_print(w->d, t, w->scratch));
        arena_reset(w->scratch);
    }
    put(w, "END OF SYSTEM OF SIMULTANEOUS EQUATIONS\n\n");
    w->fresh = true;
}

/* The first system in closed form at or after a block; plan->solved.n if there is none. */
static uint32_t first_solved(const Plan *p, uint32_t block)
{
    uint32_t low = 0, high = p->solved.n;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (p->solved.at[mid].block < block)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* The system in closed form that begins at block i, if there is one; *next advances. */
static const PlanSolved *solved_at(const Plan *p, uint32_t i, uint32_t *next)
{
    bool here = *next < p->solved.n && p->solved.at[*next].block == i;
    return here ? &p->solved.at[(*next)++] : NULL;
}

static void put_sequence(Printer *w, PlanSequence s)
{
    uint32_t next = first_solved(w->p, s.block);
    w->fresh = true;
    for (uint32_t i = s.block; i < s.block + s.n_blocks; i++) {
        const PlanBlock *b = &w->p->blocks.at[i];
        const PlanSolved *solved = solved_at(w->p, i, &next);
        if (solved) {
            put_solved(w, solved);
            i += solved->n_torn + solved->n_steps - 1;
        } else if (b->kind == BLOCK_EXPLICIT)
            put_equation(w, w->p->steps.at[b->step].eq, w->p->steps.at[b->step].var, "");
        else
            put_system(w, b);
    }
}

/* ---- head and tail ---- */

static void count_systems(const Plan *p, PlanSequence s, uint32_t *n, uint32_t *before,
                          uint32_t *after)
{
    *n = *before = *after = 0;
    for (uint32_t i = s.block; i < s.block + s.n_blocks; i++) {
        const PlanBlock *b = &p->blocks.at[i];
        if (b->kind == BLOCK_EXPLICIT)
            continue;
        ++*n;
        *before += b->n_steps + b->n_torn;
        *after += b->n_torn;
    }
}

static void put_counts(Printer *w, PlanSequence s)
{
    uint32_t n, before, after, unknowns = 0;
    for (uint32_t i = s.block; i < s.block + s.n_blocks; i++)
        unknowns +=
            w->p->blocks.at[i].n_steps + w->p->blocks.at[i].n_torn + w->p->blocks.at[i].n_discrete;
    count_systems(w->p, s, &n, &before, &after);
    put(w, "  %u equations in %u blocks", unknowns, s.n_blocks);
    uint32_t solved = first_solved(w->p, s.block + s.n_blocks) - first_solved(w->p, s.block);
    if (solved)
        put(w, "; %u small linear system%s solved symbolically", solved, solved == 1 ? "" : "s");
    if (n)
        put(w, "; %u system%s of simultaneous equations, %u real unknowns before tearing, %u after",
            n, n == 1 ? "" : "s", before, after);
    put(w, "\n");
}

static bool is_slot(const Plan *p, VarId v)
{
    const DaeVar *x = &p->dae->vars.at[v];
    return x->hidden && x->kind == DAE_CONTINUOUS && x->detail != NONE && x->detail >= DETAIL_SET;
}

/* "  1 of x, y" for each level, then the constraints. */
static void put_set(Printer *w, const PlanSet *s)
{
    uint32_t n = s->n_cols;
    for (uint32_t level = s->depth; level-- > 0;) {
        put(w, "  %u of", n - s->n_rows);
        for (uint32_t j = 0; j < n; j++)
            put(w, "%s %s", j ? "," : "", name_of_var(w, s->cols[(size_t)level * n + j]));
        put(w, "   for");
        for (uint32_t i = 0; i < n - s->n_rows; i++)
            put(w, "%s %s", i ? "," : "",
                name_of_var(w, s->slots[(size_t)level * (n - s->n_rows) + i]));
        put(w, "\n");
        arena_reset(w->scratch);
    }
    for (uint32_t i = 0; i < s->n_rows; i++) {
        EqId e = s->eqs[i];
        while (w->d->eqs.at[e].of != NONE)
            e = w->d->eqs.at[e].of;
        put(w, "    constrained by %s\n", dae_eq_print(w->d, e, w->scratch));
        arena_reset(w->scratch);
    }
}

static void put_states(Printer *w, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++) {
        if (!is_slot(w->p, w->p->states.at[i].var))
            put(w, "  %s\n", name_of_var(w, w->p->states.at[i].var));
        arena_reset(w->scratch);
    }
}

static void put_head(Printer *w)
{
    const Plan *p = w->p;
    put(w, "MODEL %s\n", w->d->flat && w->d->flat->name ? w->d->flat->name : "");
    put_counts(w, p->main);
    uint32_t n = p->states.n - p->inlined.n;
    put(w, "\nSTATES%s\n", n ? "" : ": none");
    put_states(w, 0, n);
    if (p->inlined.n)
        put(w, "\nINLINED STATES: x = pre(x) + %s*der(x)\n", name_of_var(w, p->step));
    put_states(w, n, p->inlined.n);
    if (p->sets.n)
        put(w, "\nSTATE SETS, chosen by value\n");
    for (uint32_t i = 0; i < p->sets.n; i++)
        put_set(w, &p->sets.at[i]);
    if (p->differentiated.n) {
        put(w, "\nDIFFERENTIATED EQUATIONS\n");
        w->fresh = true;
        for (uint32_t i = 0; i < p->differentiated.n; i++)
            put_equation(w, p->differentiated.at[i], NONE, "  ");
        put(w, "\nDERIVATIVES THAT BECAME ALGEBRAIC\n");
        for (uint32_t i = 0; i < p->dummies.n; i++)
            put(w, "  %s\n", name_of_var(w, p->dummies.at[i]));
    }
    arena_reset(w->scratch);
}

/* Switch equations that contain a structural guard. */
static void put_guards(Printer *w)
{
    if (!w->p->guards.n)
        return;
    put(w, "\nSTRUCTURAL GUARDS: the structure changes with them\n");
    for (uint32_t i = 0; i < w->p->guards.n; i++) {
        const PlanGuard *g = &w->p->guards.at[i];
        put(w, "  %s = %g", name_of_var(w, g->var), g->value);
        put(w, g->storage == NONE ? "" : ": %s fixes the causality of",
            g->storage == NONE ? "" : name_of_var(w, g->storage));
        put(w, "  %s\n", dae_eq_print(w->d, g->eq, w->scratch));
        arena_reset(w->scratch);
    }
}

static void put_initial(Printer *w)
{
    const Plan *p = w->p;
    put(w, "\nINITIAL SYSTEM\n");
    put_counts(w, p->initial);
    for (uint32_t i = 0; i < p->choices.n; i++) {
        const PlanChoice *c = &p->choices.at[i];
        const char *text = dae_eq_print(w->d, c->eq, w->scratch);
        put(w,
            c->what == CHOSE_START ? "  chosen to complete it: %s\n"
                                   : "  left out as redundant, to be checked: %s\n",
            text);
        arena_reset(w->scratch);
    }
    uint32_t next = first_solved(p, p->initial.block);
    for (uint32_t i = p->initial.block; i < p->initial.block + p->initial.n_blocks; i++) {
        const PlanSolved *solved = solved_at(p, i, &next);
        if (solved)
            put_solved(w, solved);
        else if (p->blocks.at[i].kind != BLOCK_EXPLICIT)
            put_system(w, &p->blocks.at[i]);
    }
    put(w, "END OF INITIAL SYSTEM\n");
}

char *plan_print(const Plan *p, Arena *arena)
{
    Printer w = {.p = p, .d = p->dae, .scratch = arena_new()};
    put_head(&w);
    if (p->parameters.n_blocks) {
        put(&w, "\nPARAMETERS COMPUTED FROM PARAMETERS\n");
        put_sequence(&w, p->parameters);
    }
    put(&w, "\nSORTED EQUATIONS\n");
    put_sequence(&w, p->main);
    put(&w, "END OF SORTED EQUATIONS\n");
    put_guards(&w);
    if (!p->inlined.n)
        put_initial(&w);
    char *text = arena_copy(arena, w.out.at, w.out.n);
    vec_free(&w.out);
    arena_free(w.scratch);
    return text;
}
