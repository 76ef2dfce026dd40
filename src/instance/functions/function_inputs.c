/* Functions that take functions (section 12.4.2 of the specification).
 *
 * Such a function is made again for the functions it is called with, so that no later phase meets a
 * function as a value. The inputs that are functions disappear, and calls through them become calls
 * of the given functions. Values bound in these (`function f(a = 1)`) become further inputs at the
 * end. Calls with the same functions, and values for the same inputs of these, share one. */
#include "instance/tree/tree.h"

bool inst_is_function_input(const Instance *inst)
{
    return class_is_function(inst->cls);
}

/* The inputs of a function class, in order; NULL after an error. */
static Instance **inputs_of(Library *lib, Instance *fn, uint32_t *n)
{
    VEC(Instance *) inputs = {0};
    const Class *c = fn->cls;
    bool ok = c->state == CLASS_READY;
    for (uint32_t i = 0; i < c->order.n && ok; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *inst = inst_component(lib, fn, c->order.at[i]);
        ok = inst != NULL;
        if (ok && inst->causality == AST_INPUT)
            vec_push(&inputs, inst);
    }
    *n = inputs.n;
    vec_push(&inputs, NULL);
    Instance **kept = vec_keep(&inputs, lib->arena);
    return ok ? kept : NULL;
}

/* ---- compatibility ---- */

static bool same_shape(Library *lib, Instance *wanted, TypeId have)
{
    return inst_type(lib, wanted) == type_element(lib->g->types, have) &&
           wanted->rank == type_rank(lib->g->types, have);
}

typedef struct Match {
    Library *lib;
    const Instance *input; /* that takes the function */
    const TypeFunction *given;
    Span span;
} Match;

static bool mismatch(const Match *m, const char *what, Name name)
{
    diag(m->lib->ctx, m->span, DIAG_I103,
         "function '%s' does not fit input '%s' of type '%s': %s '%s'", m->given->function->name,
         m->input->decl->name, m->input->cls->name, what, name);
    diag_note(m->lib->ctx, m->input->decl->span, "'%s' is declared here", m->input->decl->name);
    return false;
}

static uint32_t next_open(const TypeFunction *f, uint32_t from)
{
    while (from < f->function->n_in && f->bound[from])
        from++;
    return from;
}

/* Open inputs of the function agree with those of the type in order, name and type; further inputs
 * have defaults. */
static bool inputs_match(const Match *m, Instance *const *wanted, uint32_t n)
{
    const Function *f = m->given->function;
    uint32_t at = next_open(m->given, 0);
    for (uint32_t i = 0; i < n; i++, at = next_open(m->given, at + 1)) {
        if (at >= f->n_in)
            return mismatch(m, "it has no open input", wanted[i]->decl->name);
        if (f->vars[at].name != wanted[i]->decl->name)
            return mismatch(m, "the name of its input is not", wanted[i]->decl->name);
        if (!same_shape(m->lib, wanted[i], f->vars[at].type))
            return mismatch(m, "the types differ for input", f->vars[at].name);
    }
    for (; at < f->n_in; at = next_open(m->given, at + 1))
        if (f->vars[at].binding == EXPR_NONE)
            return mismatch(m, "there is no value for its input", f->vars[at].name);
    return true;
}

static bool outputs_match(const Match *m, Instance *type)
{
    const Function *f = m->given->function;
    const Class *c = type->cls;
    uint32_t k = 0;
    for (uint32_t i = 0; i < c->order.n; i++) {
        if (c->elements.at[c->order.at[i]].kind != ELEMENT_COMPONENT)
            continue;
        Instance *wanted = inst_component(m->lib, type, c->order.at[i]);
        if (!wanted || wanted->causality != AST_OUTPUT)
            continue;
        if (k >= f->n_out)
            return mismatch(m, "it lacks output", wanted->decl->name);
        if (!same_shape(m->lib, wanted, f->vars[f->n_in + k++].type))
            return mismatch(m, "the types differ for output", f->vars[f->n_in + k - 1].name);
    }
    return true;
}

static bool fits(Library *lib, Instance *input, const TypeFunction *given, Span span)
{
    uint32_t n;
    Instance **wanted = inputs_of(lib, input, &n);
    Match m = {lib, input, given, span};
    return wanted && inputs_match(&m, wanted, n) && outputs_match(&m, input);
}

/* ---- specialisation ---- */

static bool same_functions(const Special *s, const TypeFunction *given)
{
    for (uint32_t i = 0; i < s->n; i++) {
        if (s->values[i].function != given[i].function)
            return false;
        for (uint32_t k = 0; k < given[i].function->n_in; k++)
            if ((s->values[i].bound[k] != EXPR_NONE) != (given[i].bound[k] != EXPR_NONE))
                return false;
    }
    return true;
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

static Special *special_new(Library *lib, Instance *const *inputs, uint32_t n_inputs,
                            const TypeFunction *given)
{
    Special *s = ARENA_NEW(lib->arena, Special);
    s->values = ARENA_ARRAY(lib->arena, FunctionValue, n_inputs + 1);
    for (uint32_t i = 0; i < n_inputs; i++) {
        if (!inst_is_function_input(inputs[i]))
            continue;
        const TypeFunction *f = &given[s->n];
        FunctionValue *v = &s->values[s->n++];
        v->input = inputs[i]->decl->name;
        v->function = f->function;
        v->bound = ARENA_ARRAY(lib->arena, ExprId, f->function->n_in + 1);
        memcpy(v->bound, f->bound, f->function->n_in * sizeof *f->bound);
    }
    return s;
}

static Function *specialise(TypeScope *scope, void *user, const TypeFunction *given, Span span)
{
    Library *lib = ((NameScope *)scope)->lib;
    Instance *fn = user;
    uint32_t n, number = 0, k = 0;
    for (Special *s = fn->special; s; s = s->next, number++)
        if (same_functions(s, given))
            return s->inst->function;
    Instance **inputs = inputs_of(lib, fn, &n);
    bool ok = inputs != NULL;
    for (uint32_t i = 0; ok && i < n; i++)
        if (inst_is_function_input(inputs[i]))
            ok = fits(lib, inputs[i], &given[k++], span);
    if (!ok)
        return NULL;
    if (number > MAX_SPECIALS) {
        diag(lib->ctx, span, DIAG_I016,
             "function '%s' is called with more than %d different functions", fn->cls->name,
             MAX_SPECIALS);
        return NULL;
    }
    Special *s = special_new(lib, inputs, n, given);
    s->inst = inst_new(lib, fn->cls);
    s->inst->mods = fn->mods;
    s->inst->special = s;
    s->name = arena_printf(lib->arena, number ? "%s_%s_%u" : "%s_%s", fn->cls->name,
                           s->n ? last_part(s->values[0].function->name) : "", number);
    s->name = library_name(lib, s->name);
    s->next = fn->special;
    fn->special = s;
    return inst_function(lib, s->inst, span);
}

/* A further input for every value bound in a given function; replaces it in the body. */
void special_inputs(Library *lib, Instance *fn, FnVarList *vars)
{
    const Special *s = fn->special;
    for (uint32_t i = 0; s && i < s->n; i++) {
        const FunctionValue *v = &s->values[i];
        for (uint32_t k = 0; k < v->function->n_in; k++) {
            if (!v->bound[k])
                continue;
            const FnVar *of = &v->function->vars[k];
            Name name = library_name(lib, arena_printf(lib->arena, "'%s.%s'", v->input, of->name));
            FnVar var = {.name = name, .kind = FN_INPUT, .type = of->type, .span = of->span};
            var.dims = ARENA_ARRAY(lib->g->arena, ExprId, type_rank(lib->g->types, of->type) + 1);
            v->bound[k] = expr_leaf(lib->g, OP_LOCAL, of->type, vars->n);
            vec_push(vars, var);
        }
    }
}

/* ---- the called function ---- */

bool special_callee(const NameScope *names, const AstRef *ref, TypeCallee *out)
{
    const Special *s = names->function ? names->function->special : NULL;
    if (!s || ref->n != 1 || ref->absolute)
        return false;
    for (uint32_t i = 0; i < s->n; i++)
        if (s->values[i].input == ref->parts[0].name) {
            out->function = s->values[i].function;
            out->bound = s->values[i].bound;
            return true;
        }
    return false;
}

bool generic_callee(Library *lib, Instance *fn, TypeCallee *out)
{
    uint32_t n;
    Instance **inputs = fn->function ? NULL : inputs_of(lib, fn, &n);
    bool generic = false;
    for (uint32_t i = 0; inputs && i < n; i++)
        generic |= inst_is_function_input(inputs[i]);
    if (!generic)
        return false;
    TypeInput *all = ARENA_ARRAY(lib->arena, TypeInput, n);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (TypeInput){inputs[i]->decl->name, inst_is_function_input(inputs[i])};
    out->inputs = all;
    out->n_inputs = n;
    out->specialise = specialise;
    out->user = fn;
    return true;
}
