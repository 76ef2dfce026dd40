/* Classes: the table of elements of a class in its lexical place, own and inherited.
 * Chapters 4.6, 5.6.1 and 7.1 of the specification. */
#include "instance/tree/tree.h"

enum { MAX_CLASS_DEPTH = 400 };

Instance *class_shared(Library *lib, Class *c)
{
    if (!c->shared)
        c->shared = inst_new(lib, c);
    return c->shared;
}

/* ---- predefined types ---- */

static Class *predefined_class(Library *lib, const char *name, TypeId type,
                               const char *const *attributes)
{
    Class *c = ARENA_NEW(lib->arena, Class);
    c->name = library_name(lib, name);
    c->restriction = AST_TYPE;
    c->state = CLASS_READY;
    c->type = type;
    Layer *layer = ARENA_NEW(lib->arena, Layer);
    layer->end = 1;
    vec_push(&c->layers, layer);
    for (; attributes && *attributes; attributes++)
        class_add(c, (Element){.name = library_name(lib, *attributes),
                               .kind = ELEMENT_ATTRIBUTE,
                               .layer = layer});
    vec_push(&lib->classes, c);
    vec_push(&lib->class_same, 0);
    map_put(&lib->predefined, map_key(c->name), lib->classes.n - 1);
    return c;
}

static const char *const real_attributes[] = {"quantity",  "unit",        "displayUnit", "min",
                                              "max",       "start",       "fixed",       "nominal",
                                              "unbounded", "stateSelect", NULL};
static const char *const number_attributes[] = {"quantity", "min", "max", "start", "fixed", NULL};
static const char *const plain_attributes[] = {"quantity", "start", "fixed", NULL};

static TypeId enum_type(Library *lib, const char *name, const char *const *literals)
{
    Name names[8];
    uint32_t n = 0;
    for (; literals[n]; n++)
        names[n] = library_name(lib, literals[n]);
    return type_enum(lib->g->types, library_name(lib, name), names, n);
}

void predefined_make(Library *lib)
{
    static const char *const select[] = {"never", "avoid", "default", "prefer", "always", NULL};
    static const char *const level[] = {"warning", "error", NULL};
    predefined_class(lib, "Real", T_REAL, real_attributes);
    predefined_class(lib, "Integer", T_INT, number_attributes);
    predefined_class(lib, "Boolean", T_BOOL, plain_attributes);
    predefined_class(lib, "String", T_STRING, plain_attributes);
    predefined_class(lib, "Clock", T_CLOCK, NULL);
    predefined_class(lib, "StateSelect", enum_type(lib, "StateSelect", select), number_attributes);
    predefined_class(lib, "AssertionLevel", enum_type(lib, "AssertionLevel", level),
                     number_attributes);
    Class *external = predefined_class(lib, "ExternalObject", T_NONE, NULL);
    external->restriction = AST_CLASS;
    external->is_partial = true;
}

/* ---- local elements ---- */

static Map *own_names(Library *lib)
{
    return ARENA_NEW(lib->arena, Map);
}

static void add_local(Library *lib, Class *c, Layer *layer, const AstElement *ast)
{
    Element e = {.name = ast->name,
                 .ast = ast,
                 .layer = layer,
                 .is_protected = ast->visibility == AST_PROTECTED};
    e.kind = ast->kind == AST_EL_CLASS ? ELEMENT_CLASS : ELEMENT_COMPONENT;
    e.class_ast = ast->class_;
    uint32_t have = class_find(c, e.name);
    if (have != MAP_NONE) {
        const Element *old = &c->elements.at[have];
        diag(lib->ctx, ast->span, DIAG_I003, "element '%s' of '%s' is declared twice", e.name,
             c->name);
        if (old->ast)
            diag_note(lib->ctx, old->ast->span, "the first declaration is here");
        return;
    }
    class_add(c, e);
    map_put(layer->own, map_key(e.name), 1);
}

static void add_files(Library *lib, Class *c, Layer *layer)
{
    uint32_t at = map_get(&lib->file_of_class, map_key(layer->ast));
    if (at == MAP_NONE)
        return;
    LibFile *package = lib->tree_files.at[at];
    for (uint32_t i = 0; i < package->children.n; i++) {
        LibFile *f = package->children.at[i];
        if (class_find(c, f->name) != MAP_NONE)
            continue;
        class_add(c, (Element){.name = f->name, .kind = ELEMENT_CLASS, .file = f, .layer = layer});
        map_put(layer->own, map_key(f->name), 1);
    }
}

static void add_locals(Library *lib, Class *c, Layer *layer)
{
    const AstClass *ast = layer->ast;
    VEC(const AstElement *) imports = {0};
    for (uint32_t i = 0; i < ast->elements.n; i++) {
        const AstElement *e = ast->elements.at[i];
        if (e->kind == AST_EL_CLASS || e->kind == AST_EL_COMPONENT)
            add_local(lib, c, layer, e);
        else if (e->kind == AST_EL_IMPORT)
            vec_push(&imports, e);
    }
    layer->n_imports = imports.n;
    layer->imports = vec_keep(&imports, lib->arena);
    add_files(lib, c, layer);
}

/* ---- bases ---- */

static bool same_text(Library *lib, Span a, Span b)
{
    if (!a.file || !b.file)
        return a.file == b.file;
    const char *p = sources_get(lib->ctx->sources, a.file)->text + a.at,
               *p_end = p + (a.end - a.at);
    const char *q = sources_get(lib->ctx->sources, b.file)->text + b.at,
               *q_end = q + (b.end - b.at);
    for (;; p++, q++) {
        while (p < p_end && (unsigned char)*p <= ' ')
            p++;
        while (q < q_end && (unsigned char)*q <= ' ')
            q++;
        if (p == p_end || q == q_end)
            return p == p_end && q == q_end;
        if (*p != *q)
            return false;
    }
}

static bool same_name(const AstName *a, const AstName *b)
{
    if (a->n != b->n || a->absolute != b->absolute)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->parts[i] != b->parts[i])
            return false;
    return true;
}

/* The same path, or one is the end of the other: an import may have shortened it. */
static bool same_path(const AstName *a, const AstName *b)
{
    uint32_t n = a->n < b->n ? a->n : b->n;
    for (uint32_t i = 0; i < n; i++)
        if (a->parts[a->n - 1 - i] != b->parts[b->n - 1 - i])
            return false;
    const AstName *shorter = a->n < b->n ? a : b;
    return !shorter->absolute || (a->n == b->n && a->absolute == b->absolute);
}

static bool same_short_class(Library *lib, const AstClass *a, const AstClass *b)
{
    return a->form == AST_SHORT && b->form == AST_SHORT && a->restriction == b->restriction &&
           same_name(&a->base, &b->base) && !a->base_dims.n && !b->base_dims.n &&
           !a->base_mod == !b->base_mod &&
           (!a->base_mod || same_text(lib, a->base_mod->span, b->base_mod->span));
}

/* ---- modifications of inherited components ---- */

typedef VEC(const AstArg *) Args;

static void add_args(Args *all, const AstMod *mod)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++) {
        const AstArg *a = &mod->args.at[i];
        bool known = false;
        for (uint32_t k = 0; k < all->n && !known; k++)
            known = same_name(&all->at[k]->name, &a->name);
        if (!known)
            vec_push(all, a);
    }
}

/* The modifications that extends clauses make on the element, outermost first; returns the value
 * they give it. */
static const AstExpr *extends_args(Args *all, const Layer *layer, Name name)
{
    if (!layer->parent)
        return NULL;
    const AstExpr *value = extends_args(all, layer->parent, name);
    for (uint32_t i = 0; layer->mod && i < layer->mod->args.n; i++) {
        const AstArg *a = &layer->mod->args.at[i];
        if (a->name.n != 1 || a->name.parts[0] != name || !a->mod)
            continue;
        add_args(all, a->mod);
        value = value ? value : a->mod->value;
    }
    return value;
}

static bool same_arg(Library *lib, const AstArg *a, const AstArg *b)
{
    return same_name(&a->name, &b->name) && a->mod && b->mod &&
           same_text(lib, a->mod->span, b->mod->span);
}

/* Are two components modified alike, by their declarations and the extends clauses that lead to
 * them? */
static bool same_modification(Library *lib, const Element *a, const Element *b)
{
    Args x = {0}, y = {0};
    const AstExpr *p = extends_args(&x, a->layer, a->name),
                  *q = extends_args(&y, b->layer, b->name);
    add_args(&x, a->ast->mod);
    add_args(&y, b->ast->mod);
    p = p ? p : a->ast->mod ? a->ast->mod->value : NULL;
    q = q ? q : b->ast->mod ? b->ast->mod->value : NULL;
    bool same = x.n == y.n && !p == !q && (!p || same_text(lib, p->span, q->span));
    for (uint32_t i = 0; i < x.n && same; i++) {
        bool found = false;
        for (uint32_t k = 0; k < y.n && !found; k++)
            found = same_arg(lib, x.at[i], y.at[k]);
        same = found;
    }
    vec_free(&x);
    vec_free(&y);
    return same;
}

/* The class of element e after the extends clauses that lead to it: redeclared by the outermost
 * one, or as declared. */
static const AstClass *class_in_force(const Element *e)
{
    const AstClass *c = e->class_ast;
    for (const Layer *layer = e->layer; layer && layer->parent; layer = layer->parent)
        for (uint32_t i = 0; layer->mod && i < layer->mod->args.n; i++) {
            const AstElement *new = layer->mod->args.at[i].element;
            if (new &&new->kind == AST_EL_CLASS &&new->name == e->name)
                c = new->class_;
        }
    return c;
}

bool same_class(Library *lib, const AstClass *a, const AstClass *b)
{
    return a == b || same_short_class(lib, a, b) ||
           (a->form == AST_LONG && same_text(lib, a->span, b->span));
}

/* Components and short classes declared with the same words (comments aside) are one. */
static bool same_element(Library *lib, const Element *a, const Element *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->ast == b->ast && a->class_ast == b->class_ast && a->file == b->file)
        return true;
    const AstElement *x = a->ast, *y = b->ast;
    if (x && y && a->class_ast && b->class_ast)
        return same_class(lib, a->class_ast, b->class_ast) ||
               same_class(lib, class_in_force(a), class_in_force(b));
    if (!x || !y || a->kind != ELEMENT_COMPONENT)
        return false;
    if (x->variability != y->variability || x->causality != y->causality || x->flow != y->flow ||
        x->final != y->final || x->inner != y->inner || x->outer != y->outer ||
        !same_path(&x->type, &y->type))
        return false;
    if (x->dims.n != y->dims.n || x->type_dims.n != y->type_dims.n ||
        !x->condition != !y->condition)
        return false;
    for (uint32_t i = 0; i < x->dims.n; i++)
        if (!same_text(lib, x->dims.at[i]->span, y->dims.at[i]->span))
            return false;
    for (uint32_t i = 0; i < x->type_dims.n; i++)
        if (!same_text(lib, x->type_dims.at[i]->span, y->type_dims.at[i]->span))
            return false;
    bool same_mod =
        !x->mod || !y->mod ? x->mod == y->mod : same_text(lib, x->mod->span, y->mod->span);
    return (same_mod || same_modification(lib, a, b)) &&
           (!x->condition || same_text(lib, x->condition->span, y->condition->span));
}

static bool is_redeclaration(const Element *e)
{
    return e->ast &&
           (e->ast->redeclare || (e->class_ast && e->class_ast->form == AST_EXTENDS_LONG));
}

/* Why the inherited element cannot be redeclared in the body of a class; NULL if it can.
 * Section 7.3.3. */
static const char *redeclaration_fault(const Element *old, const Element *mine)
{
    if (!old->ast)
        return NULL;
    if (old->ast->final)
        return "it is final";
    if (old->kind == ELEMENT_COMPONENT && old->ast->variability == AST_CONSTANT)
        return "it is a constant";
    if (!old->ast->replaceable)
        return "it was not declared replaceable";
    if (old->is_protected != mine->is_protected)
        return old->is_protected ? "it is protected, but public here"
                                 : "it is public, but protected here";
    return NULL;
}

static void replace_inherited(Library *lib, Class *c, uint32_t have, Element e)
{
    Element *mine = &c->elements.at[have];
    const char *fault = redeclaration_fault(&e, mine);
    if (fault && check_once(lib, mine->ast, e.ast)) {
        diag(lib->ctx, mine->ast->span, DIAG_I012, "'%s' is redeclared, but %s", e.name, fault);
        diag_note(lib->ctx, e.ast->span, "declared here");
        report_rule(
            lib, "7.3.3",
            "an element can be redeclared if it is replaceable, neither final nor constant, "
            "and of equal visibility");
    }
    if (mine->inherited)
        return;
    vec_push(&c->elements, e);
    c->elements.at[have].inherited = c->elements.n;
}

/* Of identical elements the first counts, which is the inherited one. The local element takes its
 * place in the order. */
static void keep_first(Class *c, uint32_t have)
{
    Element *e = &c->elements.at[have];
    if (e->layer != c->layers.at[0] || e->in_order)
        return;
    e->in_order = true;
    vec_push(&c->order, have);
}

static void add_inherited(Library *lib, Class *c, Element e, Span clause)
{
    uint32_t have = class_find(c, e.name);
    if (have == MAP_NONE) {
        uint32_t index = class_add(c, e);
        vec_push(&c->order, index);
        return;
    }
    const Element *old = &c->elements.at[have];
    if (old->layer == c->layers.at[0] && is_redeclaration(old)) {
        replace_inherited(lib, c, have, e);
        return;
    }
    if (e.kind == ELEMENT_ATTRIBUTE)
        return;
    bool other_visibility = old->is_protected != e.is_protected;
    if (!other_visibility && same_element(lib, old, &e)) {
        keep_first(c, have);
        return;
    }
    static const char *const text =
        "element '%s' of '%s' is declared here and inherited as well, and %s";
    Span at = old->layer == c->layers.at[0] && old->ast ? old->ast->span : clause;
    if (other_visibility)
        diag(lib->ctx, at, DIAG_I003, text, e.name, c->name, "one is public, the other protected");
    else if (old->kind != ELEMENT_CLASS || e.kind != ELEMENT_CLASS)
        diag(lib->ctx, at, DIAG_I003, text, e.name, c->name, "the declarations differ");
    else
        diag_compatible(lib->ctx, at, DIAG_I003, text, e.name, c->name, "the declarations differ");
    if (e.ast)
        diag_note(lib->ctx, e.ast->span, "the inherited declaration is here");
    if (old->ast && old->layer != c->layers.at[0])
        diag_note(lib->ctx, old->ast->span, "the other inherited declaration is here");
}

/* Takes element `index` of base class b over; its layers are c->layers[at …]. */
static void add_element(Library *lib, Class *c, uint32_t at, const Class *b, uint32_t index,
                        bool is_protected, Span clause)
{
    Element e = b->elements.at[index];
    uint32_t replaced = e.inherited, last = c->elements.n;
    e.layer = c->layers.at[at + e.layer->first];
    e.is_protected |= is_protected;
    e.inherited = 0;
    e.in_order = false;
    e.type = NULL;
    add_inherited(lib, c, e, clause);
    /* it includes what it replaces in the base class, and what that replaces */
    while (replaced && c->elements.n > last) {
        Element old = b->elements.at[replaced - 1];
        replaced = old.inherited;
        old.layer = c->layers.at[at + old.layer->first];
        old.type = NULL;
        old.inherited = 0;
        vec_push(&c->elements, old);
        c->elements.at[last].inherited = c->elements.n;
        last = c->elements.n - 1;
    }
}

/* Copies the layers and elements of a base class below `parent`. */
static void add_base(Library *lib, Class *c, Layer *parent, Instance *base, const AstMod *mod,
                     bool is_protected, Span clause)
{
    Class *b = base->cls;
    uint32_t at = c->layers.n;
    for (uint32_t i = 0; i < b->layers.n; i++) {
        Layer *layer = ARENA_NEW(lib->arena, Layer);
        *layer = *b->layers.at[i];
        layer->first += at;
        layer->end += at;
        if (i == 0) {
            layer->parent = parent;
            layer->mod = mod;
            layer->modifiers = base->mods;
            layer->is_protected = is_protected;
        } else {
            layer->parent = c->layers.at[at + b->layers.at[i]->parent->first];
        }
        vec_push(&c->layers, layer);
    }
    deselect_check(lib, b, mod);
    for (uint32_t i = 0; i < b->order.n; i++)
        if (!deselects_component(mod, b->elements.at[b->order.at[i]].name))
            add_element(lib, c, at, b, b->order.at[i], is_protected, clause);
    for (uint32_t i = 0; i < b->elements.n; i++)
        if (b->elements.at[i].kind == ELEMENT_ATTRIBUTE)
            add_element(lib, c, at, b, i, is_protected, clause);
    for (uint32_t i = 0; i < b->dims.n; i++)
        vec_push(&c->dims,
                 ((ClassDim){b->dims.at[i].dim, c->layers.at[at + b->dims.at[i].layer->first]}));
    if (b->type != T_NONE)
        c->type = b->type;
    if (c->causality == AST_ACAUSAL)
        c->causality = b->causality;
}

static void report_recursion(Library *lib, const Class *c, const Class *base, Span span)
{
    diag(lib->ctx, span, DIAG_I004, "'%s' inherits from itself", base->name);
    for (uint32_t i = 1; i < lib->classes.n; i++) {
        const Class *k = lib->classes.at[i];
        if (k->state == CLASS_EXPANDING && k != base && k->ast && k != c)
            diag_note(lib->ctx, k->ast->name_span, "through '%s'", k->name);
    }
    if (c != base)
        diag_note(lib->ctx, c->ast->name_span, "through '%s'", c->name);
}

static bool base_fits(Library *lib, const Class *c, const Class *base, Span span)
{
    if (base->state == CLASS_EXPANDING) {
        report_recursion(lib, c, base, span);
        return false;
    }
    return base->state == CLASS_READY;
}

static bool is_external_object(const Library *lib, const Class *c)
{
    return !c->ast && c != lib->root && !strcmp(c->name, "ExternalObject");
}

static bool is_open(const Found f)
{
    const Element *e = found_element(f);
    const Modifier *m = f.inst->child_mods ? f.inst->child_mods[f.index] : NULL;
    for (; m; m = m->next)
        if (m->redeclare)
            return m->redeclare->replaceable;
    return e->ast && e->ast->replaceable;
}

/* Base classes are not inherited themselves, nor replaceable (sections 5.6.1.4 and 7.1.4). */
static void check_base_name(Library *lib, Class *c, const AstName *name)
{
    Scope scope = {class_shared(lib, c), c->layers.at[0]};
    Found f = name->absolute ? lookup_member(lib, lib->root_inst, name->parts[0])
                             : lookup_name(lib, scope, name->parts[0]);
    if (f.inst && f.inst == scope.inst && found_element(f)->layer != c->layers.at[0]) {
        diag(lib->ctx, name->span, DIAG_I031,
             "'%s' is inherited by '%s', so a base class cannot be found through it",
             name->parts[0], c->name);
        report_rule(lib, "5.6.1.4", "base classes are found before elements are inherited");
        return;
    }
    for (uint32_t i = 0; f.inst; i++) {
        if (is_open(f)) {
            diag(lib->ctx, name->span, DIAG_I031, "'%s' is replaceable and cannot be extended",
                 name->parts[i]);
            report_rule(lib, "7.1.4", "a base class is transitively non-replaceable");
            return;
        }
        Instance *at = i + 1 < name->n && found_element(f)->kind == ELEMENT_CLASS
                           ? inst_class(lib, f.inst, f.index)
                           : NULL;
        f = at ? lookup_member(lib, at, name->parts[i + 1]) : (Found){0};
    }
}

static void extend(Library *lib, Class *c, const AstElement *clause)
{
    Layer *layer = c->layers.at[0];
    Instance *base = lookup_base(lib, (Scope){class_shared(lib, c), layer}, &clause->type);
    if (!base || !base_fits(lib, c, base->cls, clause->type.span)) {
        c->state = CLASS_FAILED;
        return;
    }
    if (is_external_object(lib, base->cls))
        c->type = type_external(lib->g->types, c->name);
    check_base_name(lib, c, &clause->type);
    restrict_base(lib, c, base->cls, clause->type.span);
    add_base(lib, c, layer, base, clause->mod, clause->visibility == AST_PROTECTED, clause->span);
}

/* The class that `class extends X` extends: the inherited X of the class around it. */
static Instance *extended(Library *lib, Class *c)
{
    Class *around = c->scope.inst->cls;
    uint32_t index = class_find(around, c->ast->name);
    while (index != MAP_NONE && around->elements.at[index].class_ast != c->ast)
        index = around->elements.at[index].inherited - 1;
    uint32_t inherited = index == MAP_NONE ? 0 : around->elements.at[index].inherited;
    if (inherited)
        return inst_class(lib, c->scope.inst, inherited - 1);
    diag(lib->ctx, c->ast->name_span, DIAG_I001,
         "'%s' extends an inherited class of that name, but there is none", c->ast->name);
    return NULL;
}

static void expand_short(Library *lib, Class *c)
{
    const AstClass *ast = c->ast;
    Layer *layer = c->layers.at[0];
    c->causality = ast->base_causality;
    Instance *base = lookup_class(lib, c->scope, &ast->base);
    if (!base || !base_fits(lib, c, base->cls, ast->base.span)) {
        c->state = CLASS_FAILED;
        return;
    }
    for (uint32_t i = 0; i < ast->base_dims.n; i++)
        vec_push(&c->dims, ((ClassDim){ast->base_dims.at[i], layer}));
    if (is_external_object(lib, base->cls))
        c->type = type_external(lib->g->types, c->name);
    c->is_partial |= base->cls->is_partial;
    if ((ast->restriction == AST_CLASS && !class_is_function(base->cls)) ||
        (ast->restriction == AST_TYPE && class_is_connector(base->cls)))
        c->restriction = base->cls->restriction;
    restrict_base(lib, c, base->cls, ast->base.span);
    add_base(lib, c, layer, base, ast->base_mod, false, ast->base.span);
}

/* function g = der(f, x, …): the inputs and outputs of f; function.c makes the rest. */
static void expand_der(Library *lib, Class *c)
{
    Instance *base = lookup_class(lib, c->scope, &c->ast->base);
    if (base && !class_is_function(base->cls)) {
        diag(lib->ctx, c->ast->base.span, DIAG_I020,
             "'%s' is not a function, it has no partial derivatives", base->cls->name);
        base = NULL;
    }
    if (!base || !base_fits(lib, c, base->cls, c->ast->base.span)) {
        c->state = CLASS_FAILED;
        return;
    }
    c->is_partial |= base->cls->is_partial;
    add_base(lib, c, c->layers.at[0], base, NULL, false, c->ast->base.span);
}

/* E.min must not be both an attribute and a literal (section 4.8.5.1). */
static void check_literal_name(Library *lib, const Class *c, const AstEnumLiteral *literal)
{
    static const char *const attributes[] = {"quantity", "min", "max", "start", "fixed"};
    for (uint32_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (!strcmp(literal->name, attributes[i])) {
            diag(lib->ctx, literal->span, DIAG_I003,
                 "literal '%s' of '%s' has the name of an attribute", literal->name, c->name);
            diag_note(lib->ctx, (Span){0},
                      "attributes of enumerations are quantity, min, max, start and fixed "
                      "(Modelica 3.6, section 4.8.5.1)");
        }
}

static void expand_enumeration(Library *lib, Class *c)
{
    const AstClass *ast = c->ast;
    VEC(Name) names = {0};
    for (uint32_t i = 0; i < ast->literals.n; i++) {
        for (uint32_t k = 0; k < names.n && names.n < 1000; k++)
            if (names.at[k] == ast->literals.at[i].name)
                diag(lib->ctx, ast->literals.at[i].span, DIAG_I003,
                     "literal '%s' of '%s' is declared twice", names.at[k], c->name);
        vec_push(&names, ast->literals.at[i].name);
        check_literal_name(lib, c, &ast->literals.at[i]);
    }
    c->type = type_enum(lib->g->types, c->name, names.at, names.n);
    vec_free(&names);
    for (const char *const *a = number_attributes; *a; a++)
        class_add(c, (Element){.name = library_name(lib, *a),
                               .kind = ELEMENT_ATTRIBUTE,
                               .layer = c->layers.at[0]});
}

/* Elements that the body of a class redeclares must be inherited (section 7.3). */
static void check_redeclared(Library *lib, const Class *c, uint32_t n_local)
{
    for (uint32_t i = 0; i < n_local; i++) {
        const Element *e = &c->elements.at[i];
        if (!e->ast || !e->ast->redeclare || e->inherited ||
            (e->class_ast && e->class_ast->form == AST_EXTENDS_LONG))
            continue;
        diag(lib->ctx, e->ast->span, DIAG_I012,
             "'%s' cannot be redeclared: '%s' inherits no element of that name", e->name, c->name);
        report_rule(lib, "7.3", "redeclare as an element requires that the element is inherited");
    }
}

static void expand_long(Library *lib, Class *c)
{
    const AstClass *ast = c->ast;
    Layer *layer = c->layers.at[0];
    add_locals(lib, c, layer);
    uint32_t n_local = c->elements.n;
    if (ast->form == AST_EXTENDS_LONG) {
        Instance *base = extended(lib, c);
        if (base && base_fits(lib, c, base->cls, ast->name_span))
            add_base(lib, c, layer, base, ast->base_mod, false, ast->name_span);
        else
            c->state = CLASS_FAILED;
    }
    for (uint32_t i = 0; i < ast->elements.n; i++)
        if (ast->elements.at[i]->kind == AST_EL_EXTENDS)
            extend(lib, c, ast->elements.at[i]);
    if (c->state != CLASS_FAILED)
        check_redeclared(lib, c, n_local);
    for (uint32_t i = 0; i < n_local; i++)
        if (!c->elements.at[i].in_order)
            vec_push(&c->order, i);
}

static void expand(Library *lib, Class *c)
{
    switch (c->ast->form) {
    case AST_LONG:
    case AST_EXTENDS_LONG: expand_long(lib, c); break;
    case AST_SHORT: expand_short(lib, c); break;
    case AST_ENUMERATION: expand_enumeration(lib, c); break;
    case AST_ENUM_ANY: c->is_partial = true; break;
    case AST_DER_CLASS: expand_der(lib, c); break;
    }
    for (uint32_t i = 0; i < c->layers.n; i++)
        c->layers.at[i]->end = i == 0 ? c->layers.n : c->layers.at[i]->end;
    if (c->state == CLASS_EXPANDING)
        c->state = CLASS_READY;
}

static Class *class_new(Library *lib, const AstClass *ast, Scope scope)
{
    Class *c = ARENA_NEW(lib->arena, Class);
    c->lib = lib;
    c->ast = ast;
    c->scope = scope;
    c->name = class_full_name(lib, scope.inst ? scope.inst->cls : NULL, ast->name);
    c->restriction = ast->restriction;
    c->is_partial = ast->partial;
    c->state = CLASS_EXPANDING;
    Layer *layer = ARENA_NEW(lib->arena, Layer);
    layer->ast = ast;
    layer->scope = scope;
    layer->end = 1;
    layer->own = own_names(lib);
    vec_push(&c->layers, layer);
    return c;
}

Class *class_get(Library *lib, const AstClass *ast, Scope scope)
{
    uint64_t h = hash_mix(hash_mix(map_key(ast), map_key(scope.inst)), map_key(scope.layer)) >> 1;
    uint32_t first = map_get(&lib->class_table, h);
    for (uint32_t i = first == MAP_NONE ? 0 : first; i; i = lib->class_same.at[i]) {
        Class *c = lib->classes.at[i];
        if (c->ast == ast && c->scope.inst == scope.inst && c->scope.layer == scope.layer)
            return c;
    }
    Class *c = class_new(lib, ast, scope);
    vec_push(&lib->classes, c);
    vec_push(&lib->class_same, first == MAP_NONE ? 0 : first);
    map_put(&lib->class_table, h, lib->classes.n - 1);
    if (lib->depth >= MAX_CLASS_DEPTH) {
        diag(lib->ctx, ast->name_span, DIAG_I016, "classes are nested or derived more than %d deep",
             MAX_CLASS_DEPTH);
        c->state = CLASS_FAILED;
        return c;
    }
    lib->depth++;
    expand(lib, c);
    lib->depth--;
    restrict_class(lib, c);
    return c;
}

/* ---- names ---- */
