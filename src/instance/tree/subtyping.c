/* Subtyping between classes. It decides which class may replace another: replaceable elements and
 * their constraining types, inner components and their outer ones. Sections 5.4, 6.4, 7.3.2 and
 * 7.3.3 of the specification. */
#include "instance/tree/tree.h"

enum { MAX_SUBTYPE_DEPTH = 6 };

/* ---- subtypes ---- */

/* The text of a class, after following short classes that only rename it. */
static const AstClass *text_of(const Class *c)
{
    const AstClass *ast = c->ast;
    for (uint32_t i = 1; ast && ast->form == AST_SHORT && !ast->base_dims.n && i < c->layers.n; i++)
        ast = c->layers.at[i]->ast;
    return ast;
}

bool class_inherits(const Class *c, const Class *base)
{
    const AstClass *ast = text_of(base);
    if (c == base || (c->ast && c->ast == base->ast))
        return true;
    for (uint32_t i = 0; ast && i < c->layers.n; i++)
        if (c->layers.at[i]->ast == ast)
            return true;
    return false;
}

static bool same_simple(const Types *types, TypeId a, TypeId b)
{
    const Type *x = type_get(types, a), *y = type_get(types, b);
    if (a == b)
        return true;
    if (x->kind != TYPE_ENUM || y->kind != TYPE_ENUM)
        return false;
    if (x->n == 0 || y->n == 0)
        return true;
    for (uint32_t i = 0; i < x->n && x->n == y->n; i++)
        if (x->fields[i].name != y->fields[i].name)
            return false;
    return x->n == y->n;
}

static bool is_redeclared(const Instance *inst, uint32_t index)
{
    const Modifier *m = inst->child_mods ? inst->child_mods[index] : NULL;
    for (; m; m = m->next)
        if (m->redeclare)
            return true;
    return false;
}

static const char *misfit(Library *lib, Instance *sub, Instance *super, unsigned depth);

/* Why component `index` of sub does not fit component `want` of super. */
static const char *component_misfit(Library *lib, Instance *sub, uint32_t index, Instance *super,
                                    uint32_t want, unsigned depth)
{
    const Element *a = &sub->cls->elements.at[index], *b = &super->cls->elements.at[want];
    if (!a->ast || !b->ast || a->ast == b->ast || is_redeclared(sub, index) ||
        is_redeclared(super, want))
        return NULL;
    if (a->ast->flow != b->ast->flow)
        return arena_printf(lib->arena, "element '%s' differs in prefix flow or stream", a->name);
    if (a->ast->causality && b->ast->causality && a->ast->causality != b->ast->causality)
        return arena_printf(lib->arena, "element '%s' differs in prefix input or output", a->name);
    uint32_t n = a->ast->dims.n + a->ast->type_dims.n, k = b->ast->dims.n + b->ast->type_dims.n;
    Instance *x = lookup_class(lib, (Scope){sub, a->layer}, &a->ast->type);
    Instance *y = lookup_class(lib, (Scope){super, b->layer}, &b->ast->type);
    if (!x || !y)
        return NULL;
    if (n + x->cls->dims.n != k + y->cls->dims.n)
        return arena_printf(lib->arena, "element '%s' has another number of dimensions", a->name);
    if (x->cls->dims.n != y->cls->dims.n)
        return NULL;
    const char *why = misfit(lib, x, y, depth + 1);
    return why ? arena_printf(lib->arena, "element '%s': %s", a->name, why) : NULL;
}

static const char *element_misfit(Library *lib, Instance *sub, Instance *super, uint32_t want,
                                  unsigned depth)
{
    const Element *b = &super->cls->elements.at[want];
    if (b->is_protected || b->kind == ELEMENT_ATTRIBUTE)
        return NULL;
    uint32_t index = class_find(sub->cls, b->name);
    if (index == MAP_NONE || sub->cls->elements.at[index].is_protected)
        return arena_printf(lib->arena, "it has no element '%s'", b->name);
    if (sub->cls->elements.at[index].kind != b->kind)
        return arena_printf(lib->arena, "'%s' is a %s there", b->name,
                            b->kind == ELEMENT_CLASS ? "component" : "class");
    return b->kind == ELEMENT_COMPONENT ? component_misfit(lib, sub, index, super, want, depth)
                                        : NULL;
}

/* Why the class of `sub` is not a subtype of that of `super`; NULL if it is. */
static const char *misfit(Library *lib, Instance *sub, Instance *super, unsigned depth)
{
    const Class *a = sub->cls, *b = super->cls;
    if (a->state != CLASS_READY || b->state != CLASS_READY || depth > MAX_SUBTYPE_DEPTH)
        return NULL;
    if (a->dims.n != b->dims.n)
        return arena_printf(lib->arena, "it has %u dimensions, not %u", a->dims.n, b->dims.n);
    if (class_inherits(a, b))
        return NULL;
    if (class_is_simple(a) && class_is_simple(b))
        return same_simple(lib->g->types, a->type, b->type) ? NULL : "the predefined types differ";
    if (class_is_simple(a) && b->elements.n == 0)
        return NULL;
    if (class_is_simple(a) || class_is_simple(b))
        return "one is a predefined type, the other is not";
    if (class_is_function(a) != class_is_function(b) && b->restriction != AST_CLASS)
        return "one is a function, the other is not";
    inst_expand(lib, sub);
    inst_expand(lib, super);
    const char *why = NULL;
    for (uint32_t i = 0; i < b->order.n && !why; i++)
        why = element_misfit(lib, sub, super, b->order.at[i], depth);
    return why;
}

/* ---- replaceable elements ---- */

static Instance *class_named(Library *lib, const AstClass *ast, Scope scope)
{
    if (ast->form == AST_SHORT)
        return lookup_class(lib, scope, &ast->base);
    return class_shared(lib, class_get(lib, ast, scope));
}

/* The type that a declaration gives to its element. */
static Instance *declared_type(Library *lib, const AstElement *decl, Scope scope)
{
    return decl->kind == AST_EL_CLASS ? class_named(lib, decl->class_, scope)
                                      : lookup_class(lib, scope, &decl->type);
}

/* The constraint that replacements of the declaration must satisfy. */
static Instance *constraint_type(Library *lib, const AstElement *decl, Scope scope)
{
    return decl->constrained_by.n ? lookup_class(lib, scope, &decl->constrained_by)
                                  : declared_type(lib, decl, scope);
}

Instance *constraint_of(Library *lib, Instance *inst, uint32_t index)
{
    const Element *e = &inst->cls->elements.at[index];
    return e->ast && e->ast->kind != AST_EL_IMPORT
               ? constraint_type(lib, e->ast, (Scope){inst, e->layer})
               : NULL;
}

static void check_fit(Library *lib, Name name, Instance *sub, Instance *super, Span span,
                      const AstElement *decl)
{
    const char *why = sub && super ? misfit(lib, sub, super, 0) : NULL;
    if (!why)
        return;
    diag_compatible(lib->ctx, span, DIAG_I033, "'%s' cannot be of class '%s': %s", name,
                    sub->cls->name, why);
    diag_note(lib->ctx, decl->span, "'%s' is constrained to '%s' here", name, super->cls->name);
    report_rule(lib, "7.3.2",
                "the class of a replaceable element is a subtype of its constraining type");
}

static bool is_plain(const AstElement *decl)
{
    return decl->kind == AST_EL_COMPONENT || decl->class_->form != AST_EXTENDS_LONG;
}

/* `decl` replaces `old`, which is constrained to *constraint. */
static void check_replacement(Library *lib, const AstElement *decl, Scope scope,
                              const AstElement *old, Instance **constraint, Span span)
{
    if (!is_plain(decl) || !*constraint)
        return;
    Instance *type = declared_type(lib, decl, scope);
    uint32_t rank = decl->dims.n + decl->type_dims.n, old_rank = old->dims.n + old->type_dims.n;
    if (decl->kind == AST_EL_COMPONENT && rank && rank != old_rank && type && !type->cls->dims.n &&
        !(*constraint)->cls->dims.n) {
        diag(lib->ctx, span, DIAG_I033, "'%s' is redeclared with %u dimension%s, but has %u",
             decl->name, rank, rank == 1 ? "" : "s", old_rank);
        diag_note(lib->ctx, old->span, "declared here");
    }
    check_fit(lib, decl->name, type, *constraint, span, old);
    if (!decl->constrained_by.n)
        return;
    Instance *own = constraint_type(lib, decl, scope);
    check_fit(lib, decl->name, own, *constraint, decl->constrained_by.span, old);
    check_fit(lib, decl->name, type, own, span, decl);
    *constraint = own ? own : *constraint;
}

static void note_not_replaceable(Library *lib, const AstElement *old)
{
    diag_note(lib->ctx, old->span, "declared here");
    report_rule(lib, "7.3.3",
                "final elements and constants cannot be redeclared, and only replaceable elements "
                "get a new type");
}

static void report_not_replaceable(Library *lib, const AstElement *decl, const AstElement *old,
                                   Span span, const char *why)
{
    diag(lib->ctx, span, DIAG_I012, "'%s' is %s and cannot be redeclared", decl->name, why);
    note_not_replaceable(lib, old);
}

static void report_replaced_before(Library *lib, const AstElement *decl, const AstElement *old,
                                   Span span)
{
    diag_compatible(lib->ctx, span, DIAG_I012,
                    "'%s' is no longer replaceable and cannot be redeclared; write 'redeclare "
                    "replaceable' in the redeclaration before",
                    decl->name);
    note_not_replaceable(lib, old);
}

/* Redeclarations in modifiers, from the innermost on. */
static void check_chain(Library *lib, const Modifier *m, const Element *e, Instance **constraint,
                        const AstElement **old)
{
    if (!m)
        return;
    check_chain(lib, m->next, e, constraint, old);
    if (!m->redeclare || modifier_yields(m, e) ||
        (m->redeclare->kind == AST_EL_CLASS) != (e->kind == ELEMENT_CLASS))
        return;
    if (m->redeclare->class_ && (*old)->class_ && *old != e->ast &&
        same_class(lib, m->redeclare->class_, (*old)->class_))
        return; /* two extends clauses agree on one inherited element */
    bool first = check_once(lib, m->redeclare, *old);
    if (first && e->ast->variability == AST_CONSTANT && e->kind == ELEMENT_COMPONENT)
        report_not_replaceable(lib, m->redeclare, *old, m->span, "constant");
    else if (first && (*old)->final)
        report_not_replaceable(lib, m->redeclare, *old, m->span, "final");
    else if (first && *old != e->ast && !(*old)->replaceable)
        report_replaced_before(lib, m->redeclare, *old, m->span);
    else if (first)
        check_replacement(lib, m->redeclare, m->scope, *old, constraint, m->span);
    else if (m->redeclare->constrained_by.n && is_plain(m->redeclare))
        *constraint = constraint_type(lib, m->redeclare, m->scope);
    *old = m->redeclare;
}

static void check_element(Library *lib, Instance *inst, uint32_t index)
{
    const Element *e = &inst->cls->elements.at[index];
    const Modifier *chain = inst->child_mods ? inst->child_mods[index] : NULL;
    bool any = false;
    for (const Modifier *m = chain; m; m = m->next)
        any |= m->redeclare != NULL;
    if (!e->ast || (!any && !e->ast->constrained_by.n && !e->inherited))
        return;
    Scope scope = {inst, e->layer};
    const AstElement *old = e->ast;
    Instance *constraint = NULL;
    if (e->inherited) {
        Element *base = &inst->cls->elements.at[e->inherited - 1];
        constraint = base->ast && is_plain(base->ast)
                         ? constraint_type(lib, base->ast, (Scope){inst, base->layer})
                         : NULL;
        if (constraint && check_once(lib, e->ast, base->ast))
            check_replacement(lib, e->ast, scope, base->ast, &constraint, e->ast->span);
    }
    if (e->ast->constrained_by.n && is_plain(e->ast) && check_once(lib, e->ast, inst->cls->ast))
        check_fit(lib, e->name, declared_type(lib, e->ast, scope),
                  constraint_type(lib, e->ast, scope), e->ast->span, e->ast);
    if (!any || !is_plain(e->ast))
        return;
    if (!constraint || e->ast->constrained_by.n)
        constraint = constraint_type(lib, e->ast, scope);
    check_chain(lib, chain, e, &constraint, &old);
    if (e->kind == ELEMENT_CLASS)
        inst_class(lib, inst, index); /* reports errors also if the class is not used */
}

/* ---- inner and outer ---- */

static bool has_colon(const AstElement *decl)
{
    for (uint32_t i = 0; i < decl->dims.n; i++)
        if (decl->dims.at[i]->kind == AST_COLON)
            return true;
    for (uint32_t i = 0; i < decl->type_dims.n; i++)
        if (decl->type_dims.at[i]->kind == AST_COLON)
            return true;
    return false;
}

static const char *dims_misfit(Library *lib, Instance *inner, Instance *outer)
{
    if (inner->rank != outer->rank)
        return arena_printf(lib->arena, "it has %u dimensions, not %u", inner->rank, outer->rank);
    if (!inner->rank || has_colon(outer->decl) || !inst_dims(lib, inner) || !inst_dims(lib, outer))
        return NULL;
    for (uint32_t i = 0; i < inner->rank; i++)
        if (inner->dims[i] != outer->dims[i])
            return arena_printf(lib->arena, "its size is %lld, not %lld", (long long)inner->dims[i],
                                (long long)outer->dims[i]);
    return NULL;
}

/* Was the inner component added, since the model lacked it? All outer ones are then of one class.
 */
static bool is_added(const Instance *inner)
{
    const Class *c = inner->parent->cls;
    return c->n_added && inner->index >= c->elements.n - c->n_added;
}

static void check_inner(Library *lib, Instance *outer)
{
    Instance *inner = outer->target;
    if (!check_once(lib, outer->decl, inner->decl))
        return;
    const char *why = dims_misfit(lib, inner, outer);
    if (!why && inner->cls->dims.n == outer->cls->dims.n)
        why = misfit(lib, inner, outer, 0);
    if (!why && is_added(inner) && inner->cls != outer->cls)
        why = arena_printf(lib->arena, "it was added for another one, of class '%s'",
                           inner->cls->name);
    if (!why)
        return;
    diag(lib->ctx, outer->decl->span, DIAG_I038, "the inner component of '%s' does not fit it: %s",
         outer->decl->name, why);
    diag_note(lib->ctx, inner->decl->span, "the inner component is here");
    report_rule(lib, "5.4", "an inner component is a subtype of its outer ones");
}

void constrain_instance(Library *lib, Instance *inst)
{
    const Class *c = inst->cls;
    inst_expand(lib, inst);
    for (uint32_t i = 0; i < c->order.n; i++) {
        uint32_t index = c->order.at[i];
        check_element(lib, inst, index);
        Instance *child = inst_made(inst, index);
        if (!child || child->parent != inst)
            continue;
        if (child->is_outer && child->target)
            check_inner(lib, child);
        for (uint32_t k = 0; inst_part(child, k); k++)
            restrict_block_connector(lib, inst_part(child, k));
    }
}
