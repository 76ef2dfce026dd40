/* Instances of classes and components: redeclarations, prefixes, inner and outer. Sections 4.4, 5.4
 * and 7.3 of the specification. */
#include "instance/tree/tree.h"

#include "base/text.h"

enum { MAX_COMPONENT_DEPTH = 120, MAX_NAME_DEPTH = 300, MAX_RANK = 8, MAX_INSTANCES = 20000000 };

Instance *inst_new(Library *lib, Class *cls)
{
    Instance *inst = ARENA_NEW(lib->arena, Instance);
    inst->cls = cls;
    inst->id = lib->instances.n;
    vec_push(&lib->instances, inst);
    return inst;
}

static void reserve_children(Library *lib, Instance *inst)
{
    uint32_t n = inst->cls->elements.n;
    if (inst->n_children >= n)
        return;
    uint32_t size = inst == lib->root_inst ? 2 * n + 8 : n;
    Instance **children = ARENA_ARRAY(lib->arena, Instance *, size);
    if (inst->n_children)
        memcpy(children, inst->children, inst->n_children * sizeof *children);
    inst->children = children;
    inst->n_children = size;
}

Instance *inst_follow(Instance *inst)
{
    return inst && inst->is_outer ? inst->target : inst;
}

static void put_subscripts(Text *t, const Instance *inst)
{
    int32_t subs[MAX_RANK];
    if (!inst->array)
        return;
    inst_subscripts(inst, subs);
    for (uint32_t k = 0; k < inst->array->rank; k++)
        text_printf(t, "%s%d%s", k ? "," : "[", (int)subs[k],
                    k + 1 == inst->array->rank ? "]" : "");
}

char *inst_path(Library *lib, const Instance *inst)
{
    const Instance *chain[MAX_COMPONENT_DEPTH + 2];
    uint32_t n = 0;
    for (; inst && inst->parent && n < MAX_COMPONENT_DEPTH + 2; inst = inst->parent)
        chain[n++] = inst;
    if (!n)
        return arena_printf(lib->arena, "%s", inst ? inst->cls->name : "");
    Text t = {0};
    while (n-- > 0) {
        text_put(&t, chain[n]->parent->cls->elements.at[chain[n]->index].name);
        put_subscripts(&t, chain[n]);
        if (n)
            text_put_char(&t, '.');
    }
    return text_keep(&t, lib->arena);
}

int64_t inst_count(const Instance *inst)
{
    int64_t n = 1;
    for (uint32_t i = 0; i < inst->rank; i++)
        n *= inst->dims[i];
    return n;
}

/* ---- classes ---- */

static bool has_content(const AstMod *mod)
{
    return mod && (mod->args.n || mod->value);
}

static bool is_plain_alias(const AstClass *ast)
{
    return ast->form == AST_SHORT && !has_content(ast->base_mod) && !ast->base_dims.n &&
           ast->base_causality == AST_ACAUSAL;
}

/* The modification that every replacement of a declaration takes over; NULL if it is empty. */
static const AstMod *constraining_mod(const AstElement *decl)
{
    const AstClass *c = decl ? decl->class_ : NULL;
    const AstMod *mod = !decl                            ? NULL
                        : decl->constrained_by.n         ? decl->constraint_mod
                        : decl->kind == AST_EL_COMPONENT ? decl->mod
                        : c && c->form == AST_SHORT      ? c->base_mod
                                                         : NULL;
    return has_content(mod) ? mod : NULL;
}

/* Whether the class `e`, or `ast` instead, is the same in this instance as in the one without
 * modifiers. Its modifiers may name the components beside it. */
static bool is_shared_class(const Instance *inst, const Element *e, const Modifier *chain,
                            const AstClass *ast)
{
    if (inst == inst->cls->shared || inst->own_scope || constraining_mod(e->ast))
        return false;
    if (ast->form == AST_SHORT && has_content(ast->base_mod))
        return false;
    for (; chain; chain = chain->next)
        if (chain->base != inst || (chain->redeclare && constraining_mod(chain->redeclare)))
            return false;
    return true;
}

/* Dimensions of a component may be redeclared even if it is not replaceable. */
static bool keeps_type(Library *lib, Instance *inst, const Element *e, const Modifier *m)
{
    if (e->kind != ELEMENT_COMPONENT)
        return false;
    Instance *type = lookup_class(lib, m->scope, &m->redeclare->type);
    Instance *old = lookup_class(lib, (Scope){inst, e->layer}, &e->ast->type);
    return type && old && type->cls == old->cls;
}

static bool check_redeclaration(Library *lib, Instance *inst, const Element *e, const Modifier *m,
                                ElementKind kind)
{
    bool is_class = m->redeclare->kind == AST_EL_CLASS;
    if (is_class != (kind == ELEMENT_CLASS)) {
        diag(lib->ctx, m->span, DIAG_I012, "'%s' is a %s and cannot be redeclared as a %s", e->name,
             is_class ? "component" : "class", is_class ? "class" : "component");
        return false;
    }
    if (e->ast && !e->ast->replaceable && !keeps_type(lib, inst, e, m)) {
        diag(lib->ctx, m->span, DIAG_I012, "'%s' is not replaceable", e->name);
        diag_note(lib->ctx, e->ast->span, "declared here");
        report_rule(lib, "7.3.3", "only replaceable elements can be redeclared with a new type");
    }
    return true;
}

/* Modifiers that the constraining clause of a replaced declaration adds to its replacement (section
 * 7.3.2). */
static Modifier *constraint(Library *lib, Instance *inst, const AstElement *decl, Scope scope)
{
    const AstMod *mod = constraining_mod(decl);
    Modifier *m = mod ? modifier_of(lib, mod, scope, inst, mod->span) : NULL;
    if (m) {
        m->is_constraint = decl->kind == AST_EL_CLASS;
        m->is_default = decl->kind == AST_EL_COMPONENT;
    }
    return m;
}

/* The constraints of redeclarations, each in its place in the chain: that of the one in force holds
 * for itself, too. Without a constraining clause there is none: only the modifiers of the original
 * declaration hold for all that follow (section 7.3.2). */
static void add_inner_constraints(Library *lib, Instance *inst, Modifier *chain)
{
    for (Modifier *m = chain; m; m = m->next) {
        if (!m->redeclare || !m->redeclare->constrained_by.n)
            continue;
        Modifier *more = constraint(lib, inst, m->redeclare, m->scope);
        if (!more)
            continue;
        more->next = m->next;
        m->next = more;
        m = more;
    }
}

static const AstClass *element_class(Library *lib, Instance *inst, uint32_t index)
{
    Element *e = &inst->cls->elements.at[index];
    if (!e->class_ast && e->file && lib->stored_classes->load(lib, e->file)) {
        e = &inst->cls->elements.at[index];
        e->class_ast = e->file->ast;
    }
    return e->class_ast;
}

static bool chain_has_content(const Modifier *chain)
{
    for (; chain; chain = chain->next)
        if (has_content(chain->mod) || (chain->arg && chain->part < chain->arg->name.n))
            return true;
    return false;
}

static Instance *make_class(Library *lib, Instance *inst, uint32_t index, const AstClass *ast,
                            Modifier *chain)
{
    const Element *e = &inst->cls->elements.at[index];
    const Modifier *m = modifier_redeclaration(chain, e);
    Scope scope = {inst, e->layer};
    if (m) {
        if (!check_redeclaration(lib, inst, e, m, ELEMENT_CLASS))
            return NULL;
        ast = m->redeclare->class_;
        scope = m->scope;
        add_inner_constraints(lib, inst, chain);
        chain = modifier_append(chain, constraint(lib, inst, e->ast, (Scope){inst, e->layer}));
    } else if (e->ast && e->ast->constrained_by.n) {
        chain = modifier_append(chain, constraint(lib, inst, e->ast, scope));
    }
    bool content = chain_has_content(chain);
    if (!content && is_plain_alias(ast)) {
        Instance *target = lookup_class(lib, scope, &ast->base);
        if (!target)
            return NULL;
        if (ast->restriction == target->cls->restriction ||
            (ast->restriction == AST_CLASS && !class_is_function(target->cls)))
            return target;
    }
    Class *c = class_get(lib, ast, scope);
    c->is_final |= e->ast && e->ast->final && !m;
    if (!content)
        return class_shared(lib, c);
    Instance *made = inst_new(lib, c);
    made->mods = chain;
    return made;
}

/* The inner class of an outer one. A class that is used by name has none around it: the outer
 * declaration itself then counts. */
static Instance *outer_class(Library *lib, Instance *inst, const Element *e)
{
    for (Instance *a = inst->parent; a; a = a->parent) {
        uint32_t index = class_find(a->cls, e->name);
        const Element *found = index == MAP_NONE ? NULL : &a->cls->elements.at[index];
        if (found && found->kind == ELEMENT_CLASS && found->ast && found->ast->inner)
            return inst_class(lib, a, index);
    }
    if (inst->parent || inst->is_top) {
        diag(lib->ctx, e->ast->span, DIAG_I009,
             "outer class '%s' has no inner class in the models that contain it", e->name);
        report_rule(
            lib, "5.4",
            "an outer element refers to an inner one of that name in the instances around it");
        return NULL;
    }
    return class_shared(lib, class_get(lib, e->class_ast, (Scope){inst, e->layer}));
}

Instance *inst_class(Library *lib, Instance *inst, uint32_t index)
{
    reserve_children(lib, inst);
    if (inst->children[index])
        return inst->children[index];
    const AstClass *ast = lib->again ? NULL : element_class(lib, inst, index);
    if (!ast)
        return NULL;
    inst_expand(lib, inst);
    const Element *e = &inst->cls->elements.at[index];
    Modifier *chain = inst->child_mods ? inst->child_mods[index] : NULL;
    if (e->ast && e->ast->outer && !e->ast->inner)
        return outer_class(lib, inst, e);
    if (lib->depth >= MAX_NAME_DEPTH) {
        diag(lib->ctx, ast->name_span, DIAG_I004,
             "the definition of '%s' refers to itself, or is nested too deeply", e->name);
        return NULL;
    }
    lib->depth++;
    const Modifier *m = modifier_redeclaration(chain, e);
    Instance *made =
        is_shared_class(inst, e, chain, m && m->redeclare->class_ ? m->redeclare->class_ : ast)
            ? inst_class(lib, class_shared(lib, inst->cls), index)
            : make_class(lib, inst, index, ast, chain);
    lib->depth--;
    reserve_children(lib, inst);
    if (inst->expanded == MARK_DONE)
        inst->children[index] = made;
    return made;
}

/* ---- inner and outer ---- */

static Instance *find_inner(Library *lib, const Instance *outer, Name name)
{
    for (Instance *a = outer->parent->parent; a; a = a->parent) {
        uint32_t index = class_find(a->cls, name);
        if (index == MAP_NONE || a->cls->elements.at[index].kind != ELEMENT_COMPONENT)
            continue;
        const AstElement *ast = a->cls->elements.at[index].ast;
        if (!ast || !ast->inner)
            continue;
        Instance *found = inst_component(lib, a, index);
        if (found && found->is_inner)
            return found;
    }
    return NULL;
}

/* The model, if a component of the name can be added to it; otherwise NULL. */
static Instance *model_without(const Instance *outer, Name name)
{
    Instance *top = outer->parent;
    while (top->parent)
        top = top->parent;
    bool possible = top->is_top && top != outer->parent && top->cls->n_added < MAX_ADDED_INNER &&
                    class_find(top->cls, name) == MAP_NONE && !outer->cls->is_partial;
    return possible ? top : NULL;
}

/* Adds the inner component that an outer one lacks to the model, with a warning (section 5.4). */
static Instance *add_inner(Library *lib, Instance *outer, Name name)
{
    Instance *top = model_without(outer, name);
    if (!top)
        return NULL;
    AstElement *decl = ARENA_NEW(lib->arena, AstElement);
    decl->kind = AST_EL_COMPONENT;
    decl->name = name;
    decl->inner = true;
    decl->span = outer->decl->span;
    decl->type = outer->decl->type;
    decl->variability = outer->decl->variability;
    Element e = {
        .name = name, .kind = ELEMENT_COMPONENT, .ast = decl, .layer = top->cls->layers.at[0]};
    e.type = class_shared(lib, outer->cls);
    uint32_t index = class_add(top->cls, e);
    vec_push(&top->cls->order, index);
    top->cls->n_added++;
    diag(lib->ctx, outer->decl->span, DIAG_I040,
         "outer component '%s' has no inner component in the models that contain it; 'inner %s %s' "
         "was added to the model",
         inst_path(lib, outer), outer->cls->name, name);
    return inst_component(lib, top, index);
}

static void bind_outer(Library *lib, Instance *inst, Name name)
{
    inst->target = find_inner(lib, inst, name);
    if (!inst->target)
        inst->target = add_inner(lib, inst, name);
    if (inst->target || inst->parent->cls->state == CLASS_FAILED)
        return;
    if (!inst->parent->parent && !inst->parent->is_top)
        return;
    diag(lib->ctx, inst->decl->span, DIAG_I009,
         "outer component '%s' has no inner component in the models that contain it",
         inst_path(lib, inst));
    diag_note(lib->ctx, (Span){0}, "declare 'inner %s %s' in a model that contains it",
              inst->cls->name, name);
}

/* ---- components ---- */

static bool contains_itself(const Instance *inst)
{
    for (const Instance *a = inst->parent; a; a = a->parent)
        if (a->cls == inst->cls)
            return true;
    return false;
}

static void report_too_deep(Library *lib, const Instance *parent, const AstElement *decl)
{
    if (!contains_itself(parent)) {
        diag(lib->ctx, decl->span, DIAG_I016,
             "components are nested more than %d deep, or are too many", MAX_COMPONENT_DEPTH);
        return;
    }
    diag(lib->ctx, decl->span, DIAG_I004,
         "'%s' contains itself, so its components would be nested without end", parent->cls->name);
    const Instance *at = parent;
    for (unsigned i = 0; at && at->decl && i < 8; at = at->parent, i++) {
        if (i > 0 && at->cls == parent->cls)
            break;
        diag_note(lib->ctx, at->decl->span, "through component '%s' of class '%s'", at->decl->name,
                  at->cls->name);
    }
}

static bool check_component_class(Library *lib, const Instance *parent, const Class *c,
                                  const AstElement *decl)
{
    Span span = decl->type.span;
    if (c->state != CLASS_READY)
        return false;
    if (class_is_function(c) && class_is_function(parent->cls) && decl->causality == AST_INPUT)
        return true; /* a function as an argument (section 12.4.2) */
    switch (c->restriction) {
    case AST_PACKAGE:
    case AST_FUNCTION:
    case AST_OPERATOR_FUNCTION:
    case AST_OPERATOR:
        diag(lib->ctx, span, DIAG_I002, "'%s' is a %s; a component of it cannot be declared",
             c->name, restriction_text(c->restriction));
        return false;
    default: break;
    }
    if (c->is_partial && !decl->outer) {
        diag(lib->ctx, span, DIAG_I022, "'%s' is partial; a component of it cannot be declared",
             c->name);
        if (c->ast)
            diag_note(lib->ctx, c->ast->name_span, "declared here; use a class that extends it");
        return false;
    }
    return true;
}

/* The type of a component; cached if it does not depend on the instance. */
static Instance *component_type(Library *lib, Instance *parent, uint32_t index,
                                const AstElement *decl, Scope scope)
{
    Element *e = &parent->cls->elements.at[index];
    bool own = decl == e->ast;
    if (own && e->type)
        return e->type;
    Instance *type = lookup_class(lib, scope, &decl->type);
    e = &parent->cls->elements.at[index];
    if (own && type &&
        (decl->type.absolute || class_find(parent->cls, decl->type.parts[0]) == MAP_NONE))
        e->type = type;
    return type;
}

static uint8_t stronger(unsigned a, unsigned b)
{
    return (uint8_t)(a > b ? a : b);
}

static void set_prefixes(Instance *inst, const Element *e)
{
    const AstElement *decl = inst->decl, *first = e->ast;
    const Instance *p = inst->parent;
    bool in_component = p->parent != NULL && !class_is_function(p->cls);
    inst->variability = stronger(decl->variability, decl == first ? 0 : first->variability);
    inst->causality = (uint8_t)(decl->causality    ? decl->causality
                                : first->causality ? first->causality
                                                   : inst->cls->causality);
    inst->flow = (uint8_t)(decl->flow ? decl->flow : first->flow);
    inst->is_protected = e->is_protected;
    inst->is_final = decl->final;
    inst->is_inner = decl->inner || first->inner;
    inst->is_outer = decl->outer || first->outer;
    if (inst->is_outer && inst->causality == AST_OUTPUT)
        inst->is_inner =
            false; /* inner outer output: states inside define the outer one (section 17.3.5) */
    if (in_component) {
        inst->variability = stronger(inst->variability, p->variability);
        inst->is_protected |= p->is_protected;
        inst->is_final |= p->is_final;
        if (!inst->causality && (class_is_record(p->cls) || class_is_connector(p->cls)))
            inst->causality = p->causality;
        if (!inst->flow && (class_is_record(p->cls) || class_is_connector(p->cls)))
            inst->flow = p->flow;
    }
    inst->is_added = e->is_added || p->is_added;
    if (inst->is_added)
        inst->causality = AST_ACAUSAL;
    const Modifier *value = modifier_value(inst);
    inst->is_final |= value && value->final;
}

const AstExpr *inst_condition(const Instance *inst, Scope *scope)
{
    *scope = inst->decl_scope;
    if (!inst->decl || inst->decl->condition || !inst->parent)
        return inst->decl ? inst->decl->condition : NULL;
    const Class *c = inst->parent->cls;
    for (uint32_t at = inst->index + 1; at; at = c->elements.at[at - 1].inherited) {
        const Element *e = &c->elements.at[at - 1];
        *scope = (Scope){inst->parent, e->layer};
        if (e->ast && e->ast->condition)
            return e->ast->condition;
    }
    return NULL;
}

static void set_condition(Library *lib, Instance *inst)
{
    Instance *p = inst->parent;
    inst->in_absent = p->absent || p->in_absent;
    Scope scope;
    const AstExpr *condition = inst_condition(inst, &scope);
    if (!condition || inst->in_absent)
        return;
    Value v;
    const char *what =
        arena_printf(lib->arena, "the condition of component '%s'", inst->decl->name);
    if (inst_evaluate_ast(lib, scope, condition, T_BOOL, what, false, &v) == EVAL_OK)
        inst->absent = v.num == 0;
}

static uint32_t declared_rank(const Instance *inst, const Element *e)
{
    const AstElement *decl = inst->decl;
    uint32_t n = decl->dims.n + decl->type_dims.n + inst->cls->dims.n;
    if (decl != e->ast && !decl->dims.n && !decl->type_dims.n && e->ast)
        n += e->ast->dims.n + e->ast->type_dims.n;
    return n;
}

/* The modifiers of a class, for its component: they apply to each element. */
static Modifier *class_modifiers(Library *lib, const Instance *type, Instance *inst)
{
    Modifier *chain = NULL, **end = &chain;
    for (const Modifier *m = type->mods; m; m = m->next) {
        *end = ARENA_NEW(lib->arena, Modifier);
        **end = *m;
        (*end)->base = inst;
        (*end)->next = NULL;
        end = &(*end)->next;
    }
    return chain;
}

static Instance *make_component(Library *lib, Instance *parent, uint32_t index,
                                const AstElement *decl, Scope scope, Modifier *chain)
{
    Instance *type = component_type(lib, parent, index, decl, scope);
    const Element *e = &parent->cls->elements.at[index];
    if (!type || !check_component_class(lib, parent, type->cls, decl))
        return NULL;
    Instance *inst = inst_new(lib, type->cls);
    inst->parent = parent;
    inst->index = index;
    inst->decl = decl;
    inst->decl_scope = scope;
    inst->depth = parent->depth + 1;
    Modifier *own = modifier_of(lib, decl->mod, scope, parent, decl->span);
    if (own)
        own->final = decl->final;
    Modifier *in_force = chain;
    while (in_force && in_force->redeclare != decl)
        in_force = in_force->next;
    add_inner_constraints(lib, parent, chain);
    if (in_force && own) {
        own->next = in_force->next;
        in_force->next = own;
    } else {
        chain = modifier_append(chain, own);
    }
    if (decl != e->ast || decl->constrained_by.n)
        chain = modifier_append(chain, constraint(lib, parent, e->ast, (Scope){parent, e->layer}));
    inst->mods = modifier_append(chain, class_modifiers(lib, type, inst));
    inst->rank = declared_rank(inst, e);
    inst->outer_rank = parent->outer_rank + parent->rank;
    set_prefixes(inst, e);
    if (inst->rank > MAX_RANK) {
        diag(lib->ctx, decl->span, DIAG_I016, "'%s' has more than %d dimensions", decl->name,
             MAX_RANK);
        return NULL;
    }
    return inst;
}

Instance *inst_component(Library *lib, Instance *parent, uint32_t index)
{
    reserve_children(lib, parent);
    if (parent->children[index])
        return parent->children[index];
    inst_expand(lib, parent);
    const Element *e = &parent->cls->elements.at[index];
    Modifier *chain = parent->child_mods ? parent->child_mods[index] : NULL;
    const Modifier *m = modifier_redeclaration(chain, e);
    if (m && !check_redeclaration(lib, parent, e, m, ELEMENT_COMPONENT))
        return NULL;
    const AstElement *decl = m ? m->redeclare : e->ast;
    Scope scope = m ? m->scope : (Scope){parent, e->layer};
    if (lib->too_deep || lib->again)
        /* reported; its siblings would be as deep, and their number doubles with every level */
        return NULL;
    if (parent->depth >= MAX_COMPONENT_DEPTH || lib->instances.n > MAX_INSTANCES) {
        report_too_deep(lib, parent, decl);
        lib->too_deep = true;
        return NULL;
    }
    Instance *inst = make_component(lib, parent, index, decl, scope, chain);
    if (!inst)
        return NULL;
    reserve_children(lib, parent);
    parent->children[index] = inst;
    inst_expand(lib, inst);
    modifier_check(lib, inst);
    set_condition(lib, inst);
    if (inst->is_outer && !inst->absent && !inst->in_absent)
        bind_outer(lib, inst, decl->name);
    restrict_component(lib, inst);
    return inst;
}

Instance *inst_made(const Instance *inst, uint32_t index)
{
    return index < inst->n_children ? inst->children[index] : NULL;
}

Instance *inst_child(Library *lib, Instance *inst, uint32_t index)
{
    switch (inst->cls->elements.at[index].kind) {
    case ELEMENT_CLASS: return inst_class(lib, inst, index);
    case ELEMENT_COMPONENT: return inst_component(lib, inst, index);
    case ELEMENT_ATTRIBUTE: return NULL;
    }
    return NULL;
}
