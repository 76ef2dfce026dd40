/* New values in expressions: NEW(y) := x + NEW(x).
 *
 * The new value of a discrete variable is its value in the event iteration. That of a state is not
 * known before the end of the iteration, since reinit acts there: it is replaced by the expression
 * that the same clause gives it. */
#include "notation/omola/internal.h"

enum { DEEPEST = 20 /* new values of states within each other */ };

typedef struct NewValues {
    Omola *o;
    const OmWhen *w;
    const AstRef *target; /* of the action, or NULL */
    int depth;
} NewValues;

static bool is_new(const AstExpr *e)
{
    return omola_is_call(e, "new") && e->args.n == 1 && e->args.at[0]->kind == AST_REF;
}

/* The last action of the clause that sets exactly this; or NULL. */
static const OmEquation *action_on(const OmWhen *w, const AstRef *ref)
{
    for (uint32_t i = w->actions.n; i-- > 0;) {
        const AstRef *other = omola_target(&w->actions.at[i]);
        if (other && omola_same_ref(other, ref))
            return &w->actions.at[i];
    }
    return NULL;
}

/* Whether some clause gives new values to the variable or to parts of it. */
static bool is_set(Omola *o, const OmAttr *a)
{
    const OmBody *full = &o->c->full;
    for (uint32_t i = 0; i < full->whens.n; i++)
        for (uint32_t k = 0; k < full->whens.at[i]->actions.n; k++) {
            const AstRef *ref = omola_target(&full->whens.at[i]->actions.at[k]);
            if (ref && omola_attr_of(o, o->c, ref, NULL) == a)
                return true;
        }
    return false;
}

static AstExpr *replace(void *user, AstExpr *e);

static AstExpr *rewritten(NewValues *n, AstExpr *e, const AstRef *target)
{
    NewValues inner = {n->o, n->w, target, n->depth + 1};
    return tree_rewrite(&n->o->r.tree, e, replace, &inner);
}

static AstExpr *replace(void *user, AstExpr *e)
{
    NewValues *n = user;
    Omola *o = n->o;
    const AstRef *ref = is_new(e) ? e->args.at[0]->ref : NULL;
    const OmAttr *a = ref ? omola_attr_of(o, o->c, ref, NULL) : NULL;
    if (!a || !a->state || (n->target && omola_same_ref(ref, n->target)))
        return NULL;
    const OmEquation *action = action_on(n->w, ref);
    if (!action && !is_set(o, a))
        return e->args.at[0];
    AstExpr *value = action && n->depth < DEEPEST ? omola_solved(o, action, ref) : NULL;
    if (!value) {
        reader_error(&o->r, e->span, DIAG_S044,
                     action ? "the new values of these states depend on each other; solve these "
                              "actions for each of them"
                            : "this clause does not set exactly this part of the state '%s', so "
                              "its new value cannot be read here",
                     ref->parts[ref->n - 1].name);
        return e->args.at[0];
    }
    return tree_brackets(&o->r.tree, rewritten(n, omola_copy(o, value), ref));
}

static void replace_in_clause(Omola *o, OmWhen *w)
{
    uint32_t n = w->actions.n;
    NewValues all = {o, w, NULL, 0};
    OmEquation *made = ARENA_ARRAY(o->r.tree.arena, OmEquation, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        const AstRef *target = omola_target(&w->actions.at[i]);
        made[i] = w->actions.at[i];
        made[i].lhs = rewritten(&all, made[i].lhs, target);
        made[i].rhs = rewritten(&all, made[i].rhs, target);
    }
    for (uint32_t i = 0; i < w->calls.n; i++)
        if (w->calls.at[i]->args.n > 1)
            w->calls.at[i]->args.at[1] = rewritten(&all, w->calls.at[i]->args.at[1], NULL);
    for (uint32_t i = 0; i < n; i++)
        w->actions.at[i] = made[i];
}

void omola_new_values(Omola *o)
{
    for (uint32_t i = 0; i < o->classes.n; i++) {
        o->c = o->classes.at[i];
        for (uint32_t k = 0; k < o->c->full.whens.n; k++)
            replace_in_clause(o, o->c->full.whens.at[k]);
    }
}
