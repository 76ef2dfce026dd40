/* Maximum matching of equations and variables. In: Incidence. Out: match[e].
 *
 * 1. A cheap assignment: equations in order take the first free variable, those with one variable
 *    first.
 * 2. If that leaves many equations, another one by Karp and Sipser (1981): nodes with one partner
 *    left come first.
 * 3. Augmenting paths by depth-first search with lookahead (Pothen and Fan 1990), in phases: within
 *    a phase no variable is visited twice.
 *
 * Iterative; ties by index, so the result is unique. */
#include "structure/graph/graph.h"

enum { MANY_LEFT = 1000 }; /* equations, or one in a hundred if that is more */

static uint32_t *filled(uint32_t n, uint32_t with)
{
    uint32_t *p = memory_alloc((size_t)n * sizeof *p);
    for (uint32_t i = 0; i < n; i++)
        p[i] = with;
    return p;
}

void matcher_start(Matcher *m, const Incidence *a, uint32_t *match)
{
    *m = (Matcher){.a = a, .match = match};
    m->of_var = filled(a->n_vars, NONE);
    m->mark = filled(a->n_vars, 0);
    m->stack = filled(a->n_eqs, 0);
    m->at = filled(a->n_eqs, 0);
    m->look = filled(a->n_eqs, 0);
    for (uint32_t e = 0; e < a->n_eqs; e++) {
        m->look[e] = a->ptr[e];
        if (match[e] != NONE)
            m->of_var[match[e]] = e;
    }
}

void matcher_end(Matcher *m)
{
    memory_free(m->of_var);
    memory_free(m->mark);
    memory_free(m->stack);
    memory_free(m->at);
    memory_free(m->look);
    vec_free(&m->seen);
}

/* A free variable of e, or NONE. A variable once taken stays taken, so the pointer only moves on.
 */
static uint32_t free_var(Matcher *m, uint32_t e)
{
    const Incidence *a = m->a;
    while (m->look[e] < a->ptr[e + 1]) {
        uint32_t v = a->var[m->look[e]++];
        if (m->of_var[v] == NONE)
            return v;
    }
    return NONE;
}

/* Shifts the assignments along the path on the stack; the last equation takes v. */
static void shift_path(Matcher *m, uint32_t depth, uint32_t v)
{
    while (depth-- > 0) {
        uint32_t e = m->stack[depth], old = m->match[e];
        m->match[e] = v;
        m->of_var[v] = e;
        v = old;
    }
}

/* The next variable of e that this search has not seen, or NONE. */
static uint32_t next_var(Matcher *m, uint32_t e)
{
    const Incidence *a = m->a;
    uint32_t first = a->ptr[e], end = a->ptr[e + 1];
    while (m->at[e] < end) {
        uint32_t i = m->at[e]++, v = a->var[m->backward ? first + end - 1 - i : i];
        if (m->mark[v] >= m->phase) {
            m->met |= m->mark[v] != m->stamp && m->mark[v] != NONE;
            continue;
        }
        m->mark[v] = m->stamp;
        vec_push(&m->seen, v);
        return v;
    }
    return NONE;
}

/* One search from e among nodes without the present stamp. */
static bool search(Matcher *m, uint32_t e)
{
    uint32_t depth = 0;
    m->stamp++;
    m->met = false;
    vec_clear(&m->seen);
    m->stack[depth++] = e;
    m->at[e] = m->a->ptr[e];
    while (depth > 0) {
        uint32_t top = m->stack[depth - 1], v = free_var(m, top);
        if (v != NONE) {
            shift_path(m, depth, v);
            return true;
        }
        v = next_var(m, top);
        if (v == NONE) {
            depth--;
            continue;
        }
        uint32_t next = m->of_var[v];
        m->stack[depth++] = next;
        m->at[next] = m->a->ptr[next];
    }
    return false;
}

/* No path continues from the nodes of a failed search, whichever rows are matched later. */
static void bury(Matcher *m)
{
    for (uint32_t i = 0; i < m->seen.n; i++)
        m->mark[m->seen.at[i]] = NONE;
}

bool matcher_augment(Matcher *m, uint32_t e)
{
    m->phase = m->stamp + 1;
    if (search(m, e))
        return true;
    bury(m);
    return false;
}

static uint32_t assign_cheaply(Matcher *m)
{
    const Incidence *a = m->a;
    uint32_t n = 0;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t e = 0; e < a->n_eqs; e++) {
            if (m->match[e] != NONE || (pass == 0 && a->ptr[e + 1] - a->ptr[e] != 1))
                continue;
            uint32_t v = free_var(m, e);
            if (v == NONE)
                continue;
            m->match[e] = v;
            m->of_var[v] = e;
            n++;
        }
    return n;
}

/* ---- Karp and Sipser ---- */

typedef struct KarpSipser {
    Matcher *m;
    uint32_t *col_ptr, *col;      /* equations by variable */
    uint32_t *eq_left, *var_left; /* free partners */
    VEC(uint32_t) queue;          /* equations, or n_eqs + variables, with one partner left */
} KarpSipser;

static void sipser_begin(KarpSipser *w)
{
    const Incidence *a = w->m->a;
    w->col_ptr = memory_alloc(((size_t)a->n_vars + 2) * sizeof *w->col_ptr);
    w->col = memory_alloc(((size_t)incidence_count(a) + 1) * sizeof *w->col);
    w->eq_left = memory_alloc(((size_t)a->n_eqs + 1) * sizeof *w->eq_left);
    w->var_left = memory_alloc(((size_t)a->n_vars + 1) * sizeof *w->var_left);
    for (uint32_t i = 0; i < incidence_count(a); i++) {
        w->col_ptr[a->var[i] + 2]++;
        w->var_left[a->var[i]]++;
    }
    for (uint32_t v = 0; v < a->n_vars; v++)
        w->col_ptr[v + 2] += w->col_ptr[v + 1];
    for (uint32_t e = 0; e < a->n_eqs; e++) {
        w->eq_left[e] = a->ptr[e + 1] - a->ptr[e];
        for (uint32_t i = a->ptr[e]; i < a->ptr[e + 1]; i++)
            w->col[w->col_ptr[a->var[i] + 1]++] = e;
        if (w->eq_left[e] == 1)
            vec_push(&w->queue, e);
    }
    for (uint32_t v = 0; v < a->n_vars; v++)
        if (w->var_left[v] == 1)
            vec_push(&w->queue, a->n_eqs + v);
}

static void sipser_assign(KarpSipser *w, uint32_t e, uint32_t v)
{
    const Incidence *a = w->m->a;
    w->m->match[e] = v;
    w->m->of_var[v] = e;
    for (uint32_t i = w->col_ptr[v]; i < w->col_ptr[v + 1]; i++)
        if (--w->eq_left[w->col[i]] == 1)
            vec_push(&w->queue, w->col[i]);
    for (uint32_t i = a->ptr[e]; i < a->ptr[e + 1]; i++)
        if (--w->var_left[a->var[i]] == 1)
            vec_push(&w->queue, a->n_eqs + a->var[i]);
}

/* The free variable of e that has fewest partners left, or NONE. */
static uint32_t scarcest(const KarpSipser *w, uint32_t e)
{
    const Incidence *a = w->m->a;
    uint32_t best = NONE;
    for (uint32_t i = a->ptr[e]; i < a->ptr[e + 1]; i++) {
        uint32_t v = a->var[i];
        if (w->m->of_var[v] == NONE && (best == NONE || w->var_left[v] < w->var_left[best]))
            best = v;
    }
    return best;
}

static uint32_t sipser_settle(KarpSipser *w)
{
    uint32_t n = 0, n_eqs = w->m->a->n_eqs;
    while (w->queue.n > 0) {
        uint32_t x = vec_pop(&w->queue), e = x, v = NONE;
        if (x < n_eqs) {
            v = w->m->match[e] == NONE ? scarcest(w, e) : NONE;
        } else if (w->m->of_var[x - n_eqs] == NONE) {
            uint32_t i = w->col_ptr[x - n_eqs], end = w->col_ptr[x - n_eqs + 1];
            while (i < end && w->m->match[w->col[i]] != NONE)
                i++;
            v = i < end ? x - n_eqs : NONE;
            e = i < end ? w->col[i] : NONE;
        }
        if (v == NONE)
            continue;
        sipser_assign(w, e, v);
        n++;
    }
    return n;
}

static uint32_t assign_scarce(Matcher *m)
{
    const Incidence *a = m->a;
    KarpSipser w = {.m = m};
    for (uint32_t e = 0; e < a->n_eqs; e++) {
        m->match[e] = NONE;
        m->look[e] = a->ptr[e];
    }
    for (uint32_t v = 0; v < a->n_vars; v++)
        m->of_var[v] = NONE;
    sipser_begin(&w);
    uint32_t n = sipser_settle(&w);
    for (uint32_t e = 0; e < a->n_eqs; e++) {
        uint32_t v = m->match[e] == NONE ? scarcest(&w, e) : NONE;
        if (v == NONE)
            continue;
        sipser_assign(&w, e, v);
        n += 1 + sipser_settle(&w);
    }
    memory_free(w.col_ptr);
    memory_free(w.col);
    memory_free(w.eq_left);
    memory_free(w.var_left);
    vec_free(&w.queue);
    return n;
}

/* One phase over the remaining rows; keeps those that may succeed later. A row fails for good if
 * its search met no live node of an earlier search of the phase. */
static uint32_t run_phase(Matcher *m, uint32_t *rows, uint32_t *n_rows)
{
    uint32_t n = 0, kept = 0;
    m->phase = m->stamp + 1;
    m->backward = !m->backward;
    for (uint32_t i = 0; i < *n_rows; i++) {
        if (search(m, rows[i]))
            n++;
        else if (m->met)
            rows[kept++] = rows[i];
        else
            bury(m);
    }
    *n_rows = kept;
    return n;
}

uint32_t structure_match(const Incidence *a, uint32_t *match)
{
    Matcher m;
    for (uint32_t e = 0; e < a->n_eqs; e++)
        match[e] = NONE;
    matcher_start(&m, a, match);
    uint32_t n = assign_cheaply(&m), n_rows = 0, found = 1;
    if (a->n_eqs - n > MANY_LEFT + a->n_eqs / 100)
        n = assign_scarce(&m);
    uint32_t *rows = memory_alloc((size_t)(a->n_eqs - n + 1) * sizeof *rows);
    for (uint32_t e = 0; e < a->n_eqs; e++)
        if (match[e] == NONE)
            rows[n_rows++] = e;
    while (n_rows > 0 && found > 0)
        n += found = run_phase(&m, rows, &n_rows);
    memory_free(rows);
    matcher_end(&m);
    return n;
}
