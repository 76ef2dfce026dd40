/* Modifiers, which an instance passes on to its elements, outermost first. Section 7.2 of the
 * specification. */
#include "instance/tree/tree.h"

Modifier *modifier_of(Library *lib, const AstMod *mod, Scope scope, Instance *base, Span span)
{
    if (!mod)
        return NULL;
    Modifier *m = ARENA_NEW(lib->arena, Modifier);
    m->mod = mod;
    m->scope = scope;
    m->base = base;
    m->span = span;
    return m;
}

Modifier *modifier_append(Modifier *chain, Modifier *more)
{
    if (!chain)
        return more;
    Modifier *last = chain;
    while (last->next)
        last = last->next;
    last->next = more;
    return chain;
}

/* The source of modifiers: the instance, and the ends of its elements' chains. */
typedef struct Handing {
    Library *lib;
    Instance *inst;
    Modifier **tails; /* size cls->elements.n */
    bool from_outside;
} Handing;

static void report_no_element(Handing *h, Name name, Span span)
{
    const Class *c = h->inst->cls;
    if (c->state == CLASS_FAILED)
        return;
    Name best = NULL;
    unsigned distance = name_suggestion_limit(name);
    for (uint32_t i = 0; i < c->elements.n; i++) {
        unsigned d = name_distance(name, c->elements.at[i].name, distance);
        if (d < distance) {
            distance = d;
            best = c->elements.at[i].name;
        }
    }
    diag(h->lib->ctx, span, DIAG_I005, "'%s' has no element '%s' that could be modified%s%s%s",
         c->name, name, best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
    if (c->ast)
        diag_note(h->lib->ctx, c->ast->name_span, "'%s' is declared here", c->name);
}

static void report_protected(Handing *h, const Element *e, Span span)
{
    if (!check_once(h->lib, e->ast, h->inst->decl))
        return;
    static const char format[] = "'%s' is protected in '%s' and cannot be modified from outside";
    if (e->layer->parent) /* other tools accept this for elements of base classes only */
        diag_compatible(h->lib->ctx, span, DIAG_I013, format, e->name, h->inst->cls->name);
    else
        diag(h->lib->ctx, span, DIAG_I013, format, e->name, h->inst->cls->name);
    if (e->ast)
        diag_note(h->lib->ctx, e->ast->span, "declared here");
    report_rule(h->lib, "4.1", "a protected element is modified only by an extends clause");
}

static bool is_class_or_constant(const Element *e)
{
    return e->kind == ELEMENT_CLASS ||
           (e->kind == ELEMENT_COMPONENT && e->ast && e->ast->variability == AST_CONSTANT);
}

/* Whether two modifiers in the chain of an element modify the same thing twice in one modification.
 */
static bool same_target(const Modifier *a, const Modifier *b)
{
    if (a->owner != b->owner || !a->owner)
        return false;
    return (a->mod && a->mod->value && b->mod && b->mod->value) || (a->redeclare && b->redeclare);
}

/* `each` needs an array: the component whose element is modified, one around it, or the element. */
static void check_each(const Handing *h, const Element *e, const AstArg *arg)
{
    const Instance *inst = h->inst;
    bool in_array = inst->rank || inst->outer_rank || inst->cls->dims.n || !inst->decl;
    for (const Instance *p = inst; p && !in_array; p = p->parent)
        in_array = p->array;
    bool is_array =
        !e->ast || e->kind != ELEMENT_COMPONENT || e->ast->dims.n || e->ast->type_dims.n;
    if (e->kind == ELEMENT_ATTRIBUTE)
        is_array = false;
    if (in_array || is_array)
        return;
    diag_compatible(h->lib->ctx, arg->span, DIAG_I042,
                    "'each' has no effect here: neither '%s' nor '%s' is an array",
                    inst->decl->name, e->name);
}

/* The array of a setting for one of its elements, and the subscripts: "c" and "[2]" of "c[2]".
 * MAP_NONE for other settings. */
static uint32_t picked_array(Handing *h, const Modifier *from, const AstArg *arg, uint32_t part,
                             const char **only)
{
    Name name = arg->name.n ? arg->name.parts[part] : NULL;
    const char *bracket = from->is_setting && name ? strchr(name, '[') : NULL;
    if (!bracket || part + 1 >= arg->name.n)
        return MAP_NONE;
    uint32_t at =
        class_find(h->inst->cls,
                   library_name(h->lib, arena_copy(h->lib->arena, name, (size_t)(bracket - name))));
    *only = bracket;
    h->lib->picks |= at != MAP_NONE;
    return at;
}

/* Passes `arg` to the element that the next part of its name denotes. `part` parts of the name are
 * already used. */
static void hand_argument(Handing *h, const Modifier *from, const AstArg *arg, uint32_t part)
{
    Library *lib = h->lib;
    if (arg->is_break)
        return;
    Name name = arg->element && arg->name.n == 0 ? arg->element->name : arg->name.parts[part];
    const char *only = NULL;
    uint32_t index = class_find(h->inst->cls, name);
    if (index == MAP_NONE)
        index = picked_array(h, from, arg, part, &only);
    if (index == MAP_NONE) {
        report_no_element(h, name, arg->span);
        return;
    }
    const Element *element = &h->inst->cls->elements.at[index];
    if (element->is_protected && h->from_outside && !from->is_setting)
        report_protected(h, element, arg->span);
    Modifier *m = ARENA_NEW(lib->arena, Modifier);
    *m = (Modifier){
        .arg = arg, .part = part + 1, .scope = from->scope, .base = from->base, .span = arg->span};
    m->owner = from->owner ? from->owner : from->mod;
    m->is_setting = from->is_setting;
    m->only = only;
    m->is_default = from->is_default;
    m->extended = from->extended;
    m->final = from->final || arg->final;
    m->each = arg->each;
    if (arg->each)
        m->base = h->inst;
    if (part + 1 >= arg->name.n) {
        m->mod = arg->mod;
        m->redeclare = arg->element;
    }
    if (arg->each && part + 1 >= arg->name.n)
        check_each(h, element, arg);
    if (h->tails[index] && same_target(h->tails[index], m)) {
        diag(lib->ctx, arg->span, DIAG_I011, "'%s' is modified twice in the same modification",
             name);
        diag_note(lib->ctx, h->tails[index]->span, "the first modification is here");
    }
    if (h->tails[index])
        h->tails[index]->next = m;
    else
        h->inst->child_mods[index] = m;
    h->tails[index] = m;
    if (h->from_outside && is_class_or_constant(&h->inst->cls->elements.at[index]))
        h->inst->own_scope = true;
}

static void hand_down(Handing *h, const Modifier *m)
{
    if (m->arg && m->part < m->arg->name.n) {
        hand_argument(h, m, m->arg, m->part);
        return;
    }
    if (!m->mod)
        return;
    for (uint32_t i = 0; i < m->mod->args.n; i++)
        hand_argument(h, m, &m->mod->args.at[i], 0);
}

static void hand_constraints(Handing *h)
{
    h->from_outside = true;
    for (const Modifier *m = h->inst->mods; m; m = m->next)
        if (m->is_constraint)
            hand_down(h, m);
    h->from_outside = false;
}

static void hand_layers(Handing *h)
{
    Instance *inst = h->inst;
    bool is_short = inst->cls->ast && inst->cls->ast->form == AST_SHORT;
    if (!is_short)
        hand_constraints(h);
    h->from_outside = false;
    for (uint32_t i = 1; i < inst->cls->layers.n; i++) {
        Layer *layer = inst->cls->layers.at[i];
        if (layer->mod) {
            Modifier m = {.mod = layer->mod,
                          .scope = {inst, layer->parent},
                          .base = inst,
                          .span = layer->mod->span};
            m.extended = layer;
            hand_down(h, &m);
        }
        if (i == 1 && is_short)
            hand_constraints(h);
        for (const Modifier *m = layer->modifiers; m; m = m->next) {
            Modifier each = *m;
            each.base = inst;
            hand_down(h, &each);
        }
    }
}

static bool has_modifiers(const Instance *inst)
{
    if (inst->mods)
        return true;
    for (uint32_t i = 1; i < inst->cls->layers.n; i++)
        if (inst->cls->layers.at[i]->mod || inst->cls->layers.at[i]->modifiers)
            return true;
    return false;
}

void inst_expand(Library *lib, Instance *inst)
{
    if (inst->expanded != MARK_NONE || inst->cls->state == CLASS_EXPANDING)
        return;
    inst->expanded = MARK_DONE;
    if (!has_modifiers(inst))
        return;
    uint32_t n = inst->cls->elements.n;
    inst->child_mods =
        ARENA_ARRAY(lib->arena, Modifier *, n + 1 + (inst->is_top ? MAX_ADDED_INNER : 0));
    Handing h = {lib, inst, memory_alloc((n + 1) * sizeof(Modifier *)), true};
    for (const Modifier *m = inst->mods; m; m = m->next)
        if (!m->is_constraint)
            hand_down(&h, m);
    hand_layers(&h);
    memory_free(h.tails);
}

bool modifier_yields(const Modifier *m, const Element *e)
{
    if (!m->is_default)
        return false;
    const AstElement *old = e->ast;
    for (const Modifier *below = m->next; below; below = below->next)
        if (below->redeclare) {
            old = below->redeclare;
            break;
        }
    return old && !old->replaceable;
}

const Modifier *modifier_redeclaration(const Modifier *chain, const Element *e)
{
    for (; chain; chain = chain->next)
        if (chain->redeclare && !modifier_yields(chain, e))
            return chain;
    return NULL;
}

Modifier *modifier_value(const Instance *inst)
{
    for (Modifier *m = inst->mods; m; m = m->next)
        if (m->mod && (m->mod->value || m->mod->is_break) && (!m->arg || m->part >= m->arg->name.n))
            return m->mod->is_break ? NULL : m; /* "= break" takes the value away (section 7.2.7) */
    return NULL;
}

/* Whether `outer` is outside the modification that contains `inner`. Modifications of two base
 * classes of one class are not. */
static bool is_outside(const Modifier *outer, const Modifier *inner)
{
    if (outer->scope.inst != inner->scope.inst)
        return true;
    const Layer *a = outer->extended, *b = inner->scope.layer;
    return a && b->first >= a->first && b->first < a->end;
}

static bool has_effect(const Modifier *m)
{
    return m->redeclare || (m->mod && (m->mod->value || m->mod->args.n));
}

static bool is_value(const Modifier *m)
{
    return m->mod && m->mod->value;
}

/* `inst` is the component that the chain modifies, NULL for an attribute. */
static void check_chain(Library *lib, const Modifier *chain, const char *what, const Instance *inst)
{
    const AstElement *decl = inst ? inst->decl : NULL;
    const Modifier *first = NULL;
    for (const Modifier *m = chain; m && (!decl || m->redeclare != decl); m = m->next) {
        if (first && m->final && is_value(m) && is_outside(first, m)) {
            diag(lib->ctx, first->span, DIAG_I006, "'%s' is final and cannot be modified", what);
            diag_note(lib->ctx, m->span, "made final here");
            return;
        }
        if (decl && decl->final && m->arg && m->base != inst && has_effect(m)) {
            diag(lib->ctx, m->span, DIAG_I006, "'%s' is declared final and cannot be modified",
                 what);
            diag_note(lib->ctx, decl->span, "declared here");
            return;
        }
        if (!first && is_value(m))
            first = m;
    }
}

/* The argument of a modification that gives an element of a record a value; NULL if none does.
 */
static const AstArg *part_value(const Modifier *m)
{
    if (!m->mod || (m->arg && m->part < m->arg->name.n))
        return NULL;
    for (uint32_t i = 0; i < m->mod->args.n; i++) {
        const AstArg *a = &m->mod->args.at[i];
        if (a->name.n == 1 && a->mod && a->mod->value)
            return a;
    }
    return NULL;
}

/* A record with a value cannot get parts of another one from outside (section 7.2.3), nor both at
 * once (7.2.4). */
static void check_parts(Library *lib, const Instance *inst)
{
    const Modifier *value = inst->mods;
    while (value && !(is_value(value) && (!value->arg || value->part >= value->arg->name.n)))
        value = value->next;
    bool before = true;
    for (const Modifier *m = inst->mods; m && value; m = m->next) {
        before &= m != value;
        const AstArg *part = m != value && !m->is_setting ? part_value(m) : NULL;
        if (!part || !(before || (m->owner && m->owner == value->owner)) || m->mod->value)
            continue;
        diag(lib->ctx, part->span, DIAG_I011,
             "'%s' is part of '%s', which already has a value as a whole", part->name.parts[0],
             inst->decl->name);
        diag_note(lib->ctx, value->span, "the value is given here");
        report_rule(
            lib, "7.2.3",
            "a value for part of a record cannot override the value of the record; give the record "
            "another value");
        return;
    }
}

/* All elements of a class that is final are final. */
static void check_final_class(Library *lib, const Instance *inst)
{
    for (const Modifier *m = inst->mods; m; m = m->next) {
        if (m->base == inst || !has_effect(m) || m->redeclare || !m->mod->args.n)
            continue;
        diag(lib->ctx, m->mod->args.at[0].span, DIAG_I006,
             "'%s' is of class '%s', which is final: none of its elements can be modified",
             inst->decl->name, inst->cls->name);
        diag_note(lib->ctx, inst->cls->ast->name_span, "declared here");
        return;
    }
}

void modifier_check(Library *lib, const Instance *inst)
{
    if (!inst->mods || !inst->decl)
        return;
    if (inst->cls->is_final)
        check_final_class(lib, inst);
    if (class_is_record(inst->cls) && !inst_is_leaf(inst))
        check_parts(lib, inst);
    check_chain(lib, inst->mods, inst->decl->name, inst);
    if (!inst->child_mods || !class_is_simple(inst->cls))
        return;
    for (uint32_t i = 0; i < inst->cls->elements.n; i++)
        if (inst->child_mods[i] && inst->child_mods[i]->next)
            check_chain(lib, inst->child_mods[i], inst->cls->elements.at[i].name, NULL);
}

Modifier *modifier_attribute(Library *lib, Instance *inst, const char *name)
{
    inst_expand(lib, inst);
    if (!inst->child_mods)
        return NULL;
    Name interned = library_name(lib, name);
    uint32_t index = class_find(inst->cls, interned);
    if (index == MAP_NONE)
        return NULL;
    for (Modifier *m = inst->child_mods[index]; m; m = m->next)
        if (m->mod && (m->mod->value || m->mod->is_break))
            return m->mod->is_break ? NULL : m;
    return NULL;
}
