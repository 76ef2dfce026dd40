/* Attributes and bindings of variables. Sections 4.4.4 and 4.8 of the specification. */
#include "flatten/components/components.h"

static bool has_array_between(const Instance *inst, const Instance *base)
{
    for (const Instance *a = inst->parent; a && a != base; a = a->parent)
        if (a->rank)
            return true;
    return false;
}

/* ---- attributes that are expressions ---- */

/* e for every element of the first n dimensions of the variable. */
static ExprId repeated(Graph *g, ExprId e, const int64_t *dims, uint32_t n)
{
    for (uint32_t k = n; k-- > 0;) {
        VEC(ExprId) items = {0};
        for (int64_t i = 0; i < dims[k]; i++)
            vec_push(&items, e);
        TypeId type = type_array(g->types, expr_type(g, e), &dims[k], 1);
        e = expr_make(g, OP_ARRAY, type, 0, items.at, items.n);
        vec_free(&items);
    }
    return e;
}

/* An attribute in the definition of a type that is an array: a scalar for each element, or an array
 * of the type's size. */
static ExprId type_attribute(Flattener *f, NameScope *names, Instance *leaf, const Modifier *m,
                             TypeId element, const char *what)
{
    ExprId e = type_expr(&names->type, m->mod->value);
    uint32_t rank = e == EXPR_NONE ? 0 : type_rank(f->g->types, expr_type(f->g, e));
    uint32_t own = rank < leaf->rank ? leaf->rank - rank : 0;
    if (e == EXPR_NONE || !inst_dims(f->lib, leaf))
        return EXPR_NONE;
    TypeId want =
        rank ? type_array(f->g->types, element, leaf->dims + own, leaf->rank - own) : element;
    e = type_convert(&names->type, e, want, m->mod->value->span, what);
    return e && rank ? repeated(f->g, e, leaf->dims, own) : e;
}

static void make_attribute(Flattener *f, Instance *leaf, const char *name, Slot slot,
                           TypeId element)
{
    Modifier *m = modifier_attribute(f->lib, leaf, name);
    if (!m)
        return;
    Types *types = f->g->types;
    TypeId want = element;
    if (m->base != leaf) {
        TypeId shape = inst_type_below(f->lib, leaf, m->base);
        if (shape == T_NONE)
            return;
        uint32_t rank = type_rank(types, shape);
        want = rank ? type_array(types, element, type_get(types, shape)->dims, rank) : element;
    }
    NameScope names = name_scope(f->lib, m->scope, NAMES_FLAT);
    names.in_attribute = 1;
    const char *what = arena_printf(f->lib->arena, "'%s' of '%s'", name, leaf->decl->name);
    bool of_type = m->base == leaf && leaf->cls->dims.n;
    ExprId e = of_type ? type_attribute(f, &names, leaf, m, element, what)
                       : inst_modifier_value(&names, m, want, what);
    e = inst_chosen(&names, leaf, m->base, e, m->span);
    if (e == EXPR_NONE)
        return;
    if (flat_variability(f->flat, e) > VARIES_PARAMETER) {
        diag(f->ctx, m->mod->value->span, DIAG_F007, "%s varies with time", what);
        report_rule(f->lib, "4.8", "attributes are given by parameter expressions");
        return;
    }
    if (m->base != leaf && has_array_between(leaf, m->base))
        vec_push(
            &f->splits,
            ((Split){.inst = leaf, .base = m->base, .slot = slot, .value = e, .span = m->span}));
    else
        *slot_of(&f->flat->vars.at[leaf->var_at], slot) = e;
    if (slot == SLOT_START)
        f->flat->vars.at[leaf->var_at].start_of_type = m->base == leaf && !m->each;
}

/* ---- attributes that are values ---- */

static bool attribute_value(Flattener *f, Instance *leaf, const char *name, TypeId type, Value *out)
{
    Modifier *m = modifier_attribute(f->lib, leaf, name);
    if (!m)
        return false;
    const char *what = arena_printf(f->lib->arena, "'%s' of '%s'", name, leaf->decl->name);
    NameScope names = name_scope(f->lib, m->scope, NAMES_STRUCTURAL);
    ExprId e = type_expr(&names.type, m->mod->value);
    e = inst_chosen(&names, leaf, m->base, e, m->span);
    if (inst_evaluate(&names, e, m->mod->value->span, what, out) != EVAL_OK)
        return false;
    Types *types = f->g->types;
    TypeId element = type_element(types, out->type);
    if (element != type) {
        diag(f->ctx, m->span, DIAG_I019, "%s must be a %s", what,
             type == T_STRING ? "String" : "StateSelect");
        return false;
    }
    return type_count(types, out->type) > 0;
}

static void set_trait(Flattener *f, FlatTraits *traits, Trait trait, const Value *v, int64_t at)
{
    bool one = !type_rank(f->g->types, v->type);
    const char *text = trait == TRAIT_SELECT ? "" : one ? v->str : v->strs[at];
    Name name = *text ? library_name(f->lib, text) : NULL;
    switch (trait) {
    case TRAIT_UNIT: traits->unit = name; break;
    case TRAIT_DISPLAY_UNIT: traits->display_unit = name; break;
    case TRAIT_QUANTITY: traits->quantity = name; break;
    default: traits->state_select = (uint8_t)(one ? v->num : v->nums[at]); break;
    }
}

static bool is_uniform(const Flattener *f, const Value *v, int64_t first, int64_t n)
{
    bool text = type_element(f->g->types, v->type) == T_STRING;
    for (int64_t i = first + 1; i < first + n; i++)
        if (text ? strcmp(v->strs[i], v->strs[first]) != 0 : v->nums[i] != v->nums[first])
            return false;
    return true;
}

/* Gives a variable the n values from `first` on: one for all of its elements, or one for each. */
static void place_trait(Flattener *f, uint32_t var, Trait trait, const Value *value, int64_t first,
                        int64_t n)
{
    FlatVar *v = &f->flat->vars.at[var];
    FlatShared *own = flat_own(f->flat, v);
    set_trait(f, &own->traits, trait, value, first);
    if (is_uniform(f, value, first, n) && !own->each)
        return;
    int64_t count = type_count(f->g->types, v->type);
    FlatTraits *each = ARENA_ARRAY(f->flat->arena, FlatTraits, (size_t)count);
    for (int64_t i = 0; i < count; i++) {
        each[i] = own->each ? own->each[i] : own->traits;
        set_trait(f, &each[i], trait, value, first + i % n);
    }
    own->each = each;
}

static void make_trait(Flattener *f, Instance *leaf, const char *name, Trait trait, TypeId type)
{
    Value value;
    if (!attribute_value(f, leaf, name, type, &value))
        return;
    const Modifier *m = modifier_attribute(f->lib, leaf, name);
    int64_t n = type_rank(f->g->types, value.type) ? type_count(f->g->types, value.type) : 1;
    if (n > 1 && m->base != leaf && has_array_between(leaf, m->base)) {
        Value *kept = ARENA_NEW(f->lib->arena, Value);
        *kept = value;
        vec_push(
            &f->splits,
            ((Split){
                .inst = leaf, .base = m->base, .span = m->span, .trait = trait, .texts = kept}));
        return;
    }
    int64_t count = type_count(f->g->types, f->flat->vars.at[leaf->var_at].type);
    if (count % n)
        diag(f->ctx, m->span, DIAG_I019, "'%s' of '%s' has %lld values for %lld elements", name,
             leaf->decl->name, (long long)n, (long long)count);
    else
        place_trait(f, leaf->var_at, trait, &value, 0, n);
}

static void make_traits(Flattener *f, Instance *leaf)
{
    uint32_t select = map_get(&f->lib->predefined, map_key(library_name(f->lib, "StateSelect")));
    make_trait(f, leaf, "unit", TRAIT_UNIT, T_STRING);
    make_trait(f, leaf, "displayUnit", TRAIT_DISPLAY_UNIT, T_STRING);
    make_trait(f, leaf, "quantity", TRAIT_QUANTITY, T_STRING);
    make_trait(f, leaf, "stateSelect", TRAIT_SELECT, f->lib->classes.at[select]->type);
}

/* ---- bindings ---- */

static bool is_bound_variable(const FlatVar *v)
{
    return v->variability <= VARIES_PARAMETER;
}

/* A binding as an equation, records split. A bound input of the model gets no value from outside.
 */
static void binding_equation(Flattener *f, Instance *leaf, uint32_t var, ExprId value, Span span)
{
    if (f->flat->vars.at[var].causality == FLAT_INPUT)
        f->flat->vars.at[var].causality = FLAT_ACAUSAL;
    FlatEq eq = {.kind = FLAT_EQUAL, .origin = ORIGIN_BINDING, .span = span};
    eq.component = leaf->parent->comp_at;
    ExprId lhs = expr_leaf(f->g, OP_VAR, f->flat->vars.at[var].type, var);
    FlatEqs out = {0};
    add_equal(f, &out, eq, lhs, value);
    for (uint32_t i = 0; i < out.n; i++)
        vec_push(&f->flat->eqs, out.at[i]);
    vec_free(&out);
}

/* Where the elements of a vector's value are written, if it is a list of them. */
static void place_elements(Flattener *f, FlatShared *own, Instance *leaf, ExprId value)
{
    const Modifier *m = modifier_value(leaf);
    const AstExpr *list = m && m->mod ? m->mod->value : NULL;
    TypeId type = expr_type(f->g, value);
    if (!list || list->kind != AST_ARRAY || expr_op(f->g, value) != OP_ARRAY ||
        type_rank(f->g->types, type) != 1 || type_count(f->g->types, type) != list->args.n)
        return;
    Span *spans = ARENA_ARRAY(f->flat->arena, Span, list->args.n + 1);
    for (uint32_t i = 0; i < list->args.n; i++)
        spans[i] = list->args.at[i]->span;
    own->element_spans = spans;
    own->n_element_spans = list->args.n;
}

static void make_binding(Flattener *f, Instance *leaf)
{
    FlatVar *v = &f->flat->vars.at[leaf->var_at];
    Instance *base = NULL;
    Span span;
    bool failed;
    ExprId e;
    if (v->variability == VARIES_CONSTANT) {
        Value value;
        EvalStatus status =
            leaf->outer_rank ? EVAL_UNKNOWN : inst_element_value(f->lib, leaf, 0, false, &value);
        if (status == EVAL_OK) {
            v->binding = eval_literal(f->g, &value);
            return;
        }
        if (status == EVAL_ERROR)
            return;
    }
    e = inst_binding(f->lib, leaf, NAMES_FLAT, &base, &span, &failed);
    v = &f->flat->vars.at[leaf->var_at];
    if (e == EXPR_NONE) {
        if (!failed && v->variability == VARIES_CONSTANT)
            diag(f->ctx, leaf->decl->span, DIAG_F009, "constant '%s' has no value",
                 inst_path(f->lib, leaf));
        return;
    }
    FlatShared *own = flat_own(f->flat, v);
    own->binding_span = span;
    if (has_array_between(leaf, base)) {
        vec_push(
            &f->splits,
            ((Split){.inst = leaf, .base = base, .slot = SLOT_BINDING, .value = e, .span = span}));
        return;
    }
    if (is_bound_variable(v)) {
        v->binding = e;
        return;
    }
    place_elements(f, own, leaf, e);
    binding_equation(f, leaf, leaf->var_at, e, span);
}

void make_attributes(Flattener *f, Instance *leaf)
{
    TypeId element = leaf->cls->type;
    if (leaf->child_mods) {
        make_attribute(f, leaf, "start", SLOT_START, element);
        make_attribute(f, leaf, "fixed", SLOT_FIXED, T_BOOL);
        make_attribute(f, leaf, "min", SLOT_MIN, element);
        make_attribute(f, leaf, "max", SLOT_MAX, element);
        make_attribute(f, leaf, "nominal", SLOT_NOMINAL, element);
        make_traits(f, leaf);
    }
    make_binding(f, leaf);
}

/* ---- values split over arrays of components ---- */

/* Arrays between a component and an instance around it, outermost first. */
typedef struct ArrayChain {
    const Instance *at[64];
    uint32_t n;
} ArrayChain;

static ArrayChain arrays_between(const Instance *inst, const Instance *top)
{
    ArrayChain up = {.n = 0}, down = {.n = 0};
    for (const Instance *a = inst; a && a != top && up.n < 64; a = a->parent)
        if (a->rank)
            up.at[up.n++] = a;
    for (uint32_t i = up.n; i-- > 0;)
        down.at[down.n++] = up.at[i];
    return down;
}

static uint64_t chain_count(const ArrayChain *c)
{
    uint64_t n = 1;
    for (uint32_t i = 0; i < c->n; i++)
        n *= (uint64_t)inst_count(c->at[i]);
    return n;
}

/* Elements of each array of the chain for element number k of all of them. */
static void chain_elements(const ArrayChain *c, uint64_t k, uint32_t *elements)
{
    for (uint32_t i = c->n; i-- > 0;) {
        uint64_t n = (uint64_t)inst_count(c->at[i]);
        elements[i] = (uint32_t)(k % n);
        k /= n;
    }
}

static ExprId split_element(Flattener *f, ExprId value, const ArrayChain *c,
                            const uint32_t *elements, Span span)
{
    ExprId subs[64];
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        const Instance *a = c->at[i];
        uint32_t rest = elements[i];
        for (uint32_t k = a->rank; k-- > 0; rest /= (uint32_t)a->dims[k])
            if (n + k < 64)
                subs[n + k] = expr_int(f->g, rest % (uint32_t)a->dims[k] + 1);
        n += a->rank;
    }
    NameScope names = name_scope(f->lib, (Scope){f->root, f->root->cls->layers.at[0]}, NAMES_FLAT);
    return type_index(&names.type, value, subs, n < 64 ? n : 64, span);
}

static void place_value(Flattener *f, const Split *s, uint32_t var, uint32_t comp, ExprId value)
{
    FlatVar *v = &f->flat->vars.at[var];
    if (s->slot != SLOT_BINDING || is_bound_variable(v)) {
        *slot_of(v, s->slot) = value;
        if (s->slot == SLOT_BINDING && memcmp(&v->shared->binding_span, &s->span, sizeof s->span))
            flat_own(f->flat, v)->binding_span = s->span;
        return;
    }
    uint32_t first = f->flat->eqs.n;
    binding_equation(f, s->inst, var, value, s->span);
    for (uint32_t i = first; i < f->flat->eqs.n; i++)
        f->flat->eqs.at[i].component = comp;
}

/* The share of one component of `of` in the values of a trait. */
static void split_trait(Flattener *f, const Split *s, uint32_t var, int64_t at, int64_t of)
{
    int64_t n = type_count(f->g->types, s->texts->type);
    if (n % of == 0)
        place_trait(f, var, s->trait, s->texts, at * (n / of), n / of);
    else if (at == 0)
        diag(f->ctx, s->span, DIAG_I019,
             "%lld values are given for an attribute in %lld components", (long long)n,
             (long long)of);
}

static void place_split(Flattener *f, const Split *s)
{
    ArrayChain outer = arrays_between(s->base, NULL),
               inner = arrays_between(s->inst->parent, s->base);
    uint64_t n_outer = chain_count(&outer), n_inner = chain_count(&inner);
    for (uint64_t i = 0; i < n_outer; i++) {
        uint32_t out[64], in[64];
        Shift shifts[64];
        uint32_t var0 = s->inst->var_at, comp0 = s->inst->parent->comp_at;
        chain_elements(&outer, i, out);
        for (uint32_t k = 0; k < outer.n; k++) {
            const Instance *a = outer.at[k];
            shifts[k] =
                (Shift){.lo = a->var_at, .hi = a->var_at + a->n_vars, .by = out[k] * a->n_vars};
            var0 += out[k] * a->n_vars;
            comp0 += out[k] * a->n_comps;
        }
        ExprId value = i && !s->texts ? shift_expr(f, s->value, shifts, outer.n) : s->value;
        for (uint64_t j = 0; j < n_inner; j++) {
            uint32_t var = var0, comp = comp0;
            chain_elements(&inner, j, in);
            for (uint32_t k = 0; k < inner.n; k++) {
                var += in[k] * inner.at[k]->n_vars;
                comp += in[k] * inner.at[k]->n_comps;
            }
            if (s->texts) {
                split_trait(f, s, var, (int64_t)j, (int64_t)n_inner);
                continue;
            }
            ExprId e = split_element(f, value, &inner, in, s->span);
            if (e != EXPR_NONE)
                place_value(f, s, var, comp, e);
        }
    }
}

void place_splits(Flattener *f)
{
    for (uint32_t i = 0; i < f->splits.n; i++)
        place_split(f, &f->splits.at[i]);
}
