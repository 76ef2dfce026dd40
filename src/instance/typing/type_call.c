/* Calls of functions, record constructors and conversions to enumerations (Modelica 3.6, sections
 * 12.4 and 12.6). Arguments are put in the order of the inputs, defaults are filled in, and each is
 * converted to the type of its input. A call with arrays for scalar inputs becomes an array of
 * calls (section 12.4.6). */
#include "instance/typing/internal.h"

#include "base/text.h"

/* The target of a call: a function, or the constructor of a record. Its slots are the inputs or the
 * fields. */
typedef struct Target {
    TypeScope *s;
    const AstExpr *call;
    Function *function; /* NULL for a record */
    const Type *record;
    TypeCallee callee;
    uint32_t n;          /* slots */
    const ExprId *bound; /* size n: slots that have their values already; NULL for none */
} Target;

static const char *target_kind(const Target *t)
{
    return t->function ? "function" : "record";
}

static Name target_name(const Target *t)
{
    return t->function ? t->function->name : t->record->name;
}

static Name slot_name(const Target *t, uint32_t i)
{
    return t->function ? t->function->vars[i].name : t->record->fields[i].name;
}

static TypeId slot_type(const Target *t, uint32_t i)
{
    return t->function ? t->function->vars[i].type : t->record->fields[i].type;
}

static bool is_open(const Target *t, uint32_t slot)
{
    return !t->bound || t->bound[slot] == EXPR_NONE;
}

/* The slot of positional argument k, counted over the open ones; t->n if there is none. */
static uint32_t open_slot(const Target *t, uint32_t k)
{
    uint32_t slot = 0;
    for (; slot < t->n; slot++)
        if (is_open(t, slot) && k-- == 0)
            break;
    return slot;
}

static Span slot_span(const Target *t, uint32_t i)
{
    const AstExpr *c = t->call;
    for (uint32_t k = 0; k < c->args.n && k <= i; k++)
        if (open_slot(t, k) == i)
            return c->args.at[k]->span;
    for (uint32_t k = 0; k < c->named.n; k++)
        if (c->named.at[k].name == slot_name(t, i))
            return c->named.at[k].span;
    return c->span;
}

/* ---- arguments into slots ---- */

static void note_inputs(const Target *t)
{
    Text text = {0};
    for (uint32_t i = 0; i < t->n && i < 12; i++)
        text_printf(&text, "%s%s", i ? ", " : "", i < 11 ? slot_name(t, i) : "…");
    if (t->n)
        diag_note(t->s->ctx, t->function ? t->function->span : (Span){0}, "%s(%s)", target_name(t),
                  text.at);
    text_free(&text);
}

static void report_unknown(const Target *t, const AstNamedArg *a)
{
    Name nearest = NULL;
    unsigned best = name_suggestion_limit(a->name);
    for (uint32_t i = 0; i < t->n; i++) {
        unsigned d = name_distance(a->name, slot_name(t, i), best);
        if (d < best) {
            best = d;
            nearest = slot_name(t, i);
        }
    }
    TELL(t->s, a->span, I105, "%s %s has no %s %s", target_kind(t), target_name(t),
         t->function ? "input" : "field", a->name);
    if (nearest)
        diag_note(t->s->ctx, (Span){0}, "did you mean %s?", nearest);
    note_inputs(t);
}

static bool bind_named(const Target *t, const AstNamedArg *a, ExprId *slots, bool *given)
{
    uint32_t i = 0;
    while (i < t->n && (slot_name(t, i) != a->name || !is_open(t, i)))
        i++;
    if (i == t->n) {
        report_unknown(t, a);
        return false;
    }
    if (given[i]) {
        TELL(t->s, a->span, I106, "argument %s of %s %s is given twice", a->name, target_kind(t),
             target_name(t));
        return false;
    }
    given[i] = true;
    slots[i] = typing_operand(t->s, a->value);
    return slots[i] != EXPR_NONE;
}

/* Every argument typed in its slot; slots without one stay EXPR_NONE. */
static bool bind(const Target *t, ExprId *slots, bool *given)
{
    const AstExpr *c = t->call;
    uint32_t open = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        slots[i] = t->bound ? t->bound[i] : EXPR_NONE;
        given[i] = slots[i] != EXPR_NONE;
        open += !given[i];
    }
    if (c->args.n + c->named.n > open && c->args.n > 0) {
        uint32_t n = c->args.n + c->named.n;
        TELL(t->s, c->span, I104, "%s %s has %u %s%s, %u argument%s given", target_kind(t),
             target_name(t), open, t->function ? "input" : "field", open == 1 ? "" : "s", n,
             n == 1 ? " is" : "s are");
        return false;
    }
    bool ok = true;
    for (uint32_t k = 0; k < c->args.n; k++) {
        uint32_t i = open_slot(t, k);
        given[i] = true;
        slots[i] = typing_operand(t->s, c->args.at[k]);
        ok &= slots[i] != EXPR_NONE;
    }
    for (uint32_t k = 0; k < c->named.n; k++)
        ok &= bind_named(t, &c->named.at[k], slots, given);
    return ok;
}

/* ---- defaults ---- */

typedef struct Filler {
    TypeFields fields; /* first, so that a TypeFields is one of these */
    const Target *t;
    ExprId *slots;
    uint8_t *busy; /* size n: its default is being made */
    bool unknown;  /* something other than an input was found */
} Filler;

static ExprId fill_slot(Filler *f, uint32_t i);

static bool is_of_local(const Graph *g, ExprId e)
{
    while (expr_op(g, e) == OP_FIELD)
        e = expr_arg(g, e, 0);
    return expr_op(g, e) == OP_LOCAL;
}

/* Inputs are replaced by their arguments, and their sizes by literals if they are known. */
static ExprId with_arguments(void *user, Graph *g, ExprId e)
{
    Filler *f = user;
    if (expr_op(g, e) == OP_FIELD && is_of_local(g, e)) {
        ExprId a = expr_arg(g, e, 0), record = with_arguments(user, g, a);
        const Type *t = type_get(g->types, type_element(g->types, expr_type(g, a)));
        return record
                   ? type_field(f->t->s, record, t->fields[expr_index(g, e)].name, f->t->call->span)
                   : EXPR_NONE;
    }
    if (expr_op(g, e) == OP_SIZE && is_of_local(g, expr_arg(g, e, 0))) {
        ExprId a = with_arguments(user, g, expr_arg(g, e, 0));
        return a ? expr_apply(g, OP_SIZE, T_INT, 0, (ExprId[]){a, expr_arg(g, e, 1)}, 2)
                 : EXPR_NONE;
    }
    if (expr_op(g, e) != OP_LOCAL)
        return EXPR_NONE;
    uint32_t i = expr_index(g, e);
    if (i < f->t->n)
        return fill_slot(f, i);
    f->unknown = true;
    return EXPR_NONE;
}

static ExprId default_of(Filler *f, uint32_t i)
{
    const Target *t = f->t;
    if (!t->function) {
        return t->callee.record_default
                   ? t->callee.record_default(t->s, t->callee.record, i, &f->fields, t->callee.user)
                   : EXPR_NONE;
    }
    ExprId binding = t->function->vars[i].binding;
    return binding ? expr_map(t->s->g, binding, with_arguments, f) : EXPR_NONE;
}

static ExprId fill_slot(Filler *f, uint32_t i)
{
    const Target *t = f->t;
    if (f->slots[i])
        return f->slots[i];
    if (f->busy[i])
        return TELL(t->s, t->call->span, I107,
                    "defaults of the inputs of function %s depend on each other", target_name(t));
    f->busy[i] = 1;
    ExprId e = default_of(f, i);
    f->busy[i] = 0;
    if (!e) {
        TELL(t->s, t->call->span, I107, "argument %s of %s %s is missing", slot_name(t, i),
             target_kind(t), target_name(t));
        note_inputs(t);
        return EXPR_NONE;
    }
    return f->slots[i] = e;
}

static ExprId field_value(TypeFields *fields, uint32_t i)
{
    return fill_slot((Filler *)fields, i);
}

/* ---- records ---- */

/* Checks that the sizes of a field agree with its declaration, if they are known. */
static bool check_field(Filler *f, uint32_t i)
{
    const Target *t = f->t;
    TypeScope *s = t->s;
    TypeId declared = slot_type(t, i), have = expr_type(s->g, f->slots[i]);
    for (uint32_t k = 0; t->callee.record_size && k < type_rank(s->g->types, declared); k++) {
        Value v;
        ExprId size =
            type_dim(s->g->types, declared, k) == DIM_UNKNOWN
                ? t->callee.record_size(s, t->callee.record, i, k, &f->fields, t->callee.user)
                : EXPR_NONE;
        int64_t n = type_dim(s->g->types, have, k);
        if (!size || n == DIM_UNKNOWN || !s->settled || s->settled(s, size, &v) != EVAL_OK ||
            v.num == (double)n)
            continue;
        return TELL(s, slot_span(t, i), I102,
                    "field %s of record %s has size %lld, its declaration says %.0f",
                    slot_name(t, i), target_name(t), (long long)n, v.num);
    }
    return true;
}

/* The record of all slots, with the sizes that these have. */
static ExprId make_record(Filler *f)
{
    const Target *t = f->t;
    TypeScope *s = t->s;
    TypeId type = t->callee.record;
    if (type_is_open(s->g->types, type)) {
        TypeField *fields = ARENA_ARRAY(s->ctx->arena, TypeField, t->n);
        for (uint32_t i = 0; i < t->n; i++) {
            if (!check_field(f, i))
                return EXPR_NONE;
            bool open = type_is_open(s->g->types, slot_type(t, i));
            fields[i] =
                (TypeField){slot_name(t, i), open ? expr_type(s->g, f->slots[i]) : slot_type(t, i)};
        }
        type = type_record(s->g->types, target_name(t), fields, t->n);
    }
    return expr_apply(s->g, OP_RECORD, type, 0, f->slots, t->n);
}

/* ---- results ---- */

/* The type of the only result of a call with these arguments, if they are structural: the
 * function's body gives its size. */
static bool evaluated_type(Filler *f, TypeId *out)
{
    const Target *t = f->t;
    TypeScope *s = t->s;
    if (t->function->n_out != 1 || !t->function->ready || t->function->impure || !s->evaluate)
        return false;
    Value v;
    uint32_t before = s->ctx->n_errors;
    ExprId call = expr_make(s->g, OP_CALL, *out, t->function->id, f->slots, t->n);
    if (s->evaluate(s, call, t->call->span, "the size of a result", &v) == EVAL_OK)
        *out = v.type;
    return s->ctx->n_errors > before || !type_is_open(s->g->types, *out);
}

/* A size of a result, given by e over the inputs; DIM_UNKNOWN if it depends on more. False after an
 * error. */
static bool result_size(Filler *f, ExprId e, int64_t *out)
{
    TypeScope *s = f->t->s;
    *out = DIM_UNKNOWN;
    if (!e)
        return true;
    f->unknown = false;
    e = expr_map(s->g, e, with_arguments, f);
    return e && (f->unknown || typing_size(s, e, f->t->call->span, "size of a result", out));
}

static bool result_record(Filler *f, TypeId type, const ExprId **sizes, TypeId *out);

/* `type` with its unknown sizes filled in: `dims` gives its own, *sizes, which advances, those
 * inside records. */
static bool result_type(Filler *f, TypeId type, const ExprId *dims, const ExprId **sizes,
                        TypeId *out)
{
    Types *types = f->t->s->g->types;
    *out = type;
    if (!type_is_open(types, type))
        return true;
    uint32_t rank = type_rank(types, type);
    int64_t *known = ARENA_ARRAY(f->t->s->ctx->arena, int64_t, rank);
    for (uint32_t i = 0; i < rank; i++) {
        known[i] = type_dim(types, type, i);
        if (known[i] != DIM_UNKNOWN)
            continue;
        ExprId e = dims ? dims[i] : *sizes ? *(*sizes)++ : EXPR_NONE;
        if (!result_size(f, e, &known[i]))
            return false;
    }
    TypeId element = type_element(types, type);
    if (type_get(types, element)->kind == TYPE_RECORD &&
        !result_record(f, element, sizes, &element))
        return false;
    *out = type_array(types, element, known, rank);
    return true;
}

static bool result_record(Filler *f, TypeId type, const ExprId **sizes, TypeId *out)
{
    Types *types = f->t->s->g->types;
    uint32_t n = type_get(types, type)->n;
    TypeField *fields = ARENA_ARRAY(f->t->s->ctx->arena, TypeField, n);
    for (uint32_t i = 0; i < n; i++) {
        fields[i] = type_get(types, type)->fields[i];
        if (!result_type(f, fields[i].type, NULL, sizes, &fields[i].type))
            return false;
    }
    *out = type_record(types, type_get(types, type)->name, fields, n);
    return true;
}

/* How to compute the sizes of an output. External code does not change them: those that the
 * declaration leaves open are the sizes of its initial value. */
static const ExprId *output_sizes(const Target *t, const FnVar *var)
{
    Graph *g = t->s->g;
    uint32_t rank = type_rank(g->types, var->type);
    if (!t->function->external || !var->binding || !var->dims)
        return var->dims;
    ExprId *dims = ARENA_ARRAY(t->s->ctx->arena, ExprId, rank);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = var->dims[i] ? var->dims[i]
                               : expr_apply(g, OP_SIZE, T_INT, 0,
                                            (ExprId[]){var->binding, expr_int(g, i + 1)}, 2);
    return dims;
}

/* The type of output k with its sizes computed from the arguments. */
static bool output_type(Filler *f, uint32_t k, TypeId *out)
{
    const Target *t = f->t;
    TypeScope *s = t->s;
    const FnVar *var = &t->function->vars[t->function->n_in + k];
    const ExprId *sizes = var->sizes;
    *out = var->type;
    if (!type_is_open(s->g->types, var->type))
        return true;
    if (!result_type(f, var->type, output_sizes(t, var), &sizes, out))
        return false;
    bool open = type_is_open(s->g->types, *out);
    if (open && !s->in_function && evaluated_type(f, out))
        return true;
    if (open && !s->in_function)
        return TELL(s, t->call->span, I118,
                    "the size of result %s of function %s cannot be found from its arguments",
                    var->name, target_name(t));
    return true;
}

static bool call_type(Filler *f, TypeId *out)
{
    Function *fn = f->t->function;
    *out = fn->result;
    if (fn->n_out == 1)
        return output_type(f, 0, out);
    if (fn->n_out == 0)
        return true;
    TypeId *items = ARENA_ARRAY(f->t->s->ctx->arena, TypeId, fn->n_out);
    for (uint32_t k = 0; k < fn->n_out; k++)
        if (!output_type(f, k, &items[k]))
            return false;
    *out = type_tuple(f->t->s->g->types, items, fn->n_out);
    return true;
}

/* Functions declared external "builtin" are operators of Kairos. */
static ExprId builtin_body(const Target *t, ExprId *slots, bool *known)
{
    const FnExternal *x = t->function->external;
    *known = false;
    if (!x || strcmp(x->language, "builtin") || !x->symbol)
        return EXPR_NONE;
    const Builtin *b = typing_find_builtin(x->symbol);
    return b ? typing_apply_builtin(t->s, b, slots, t->n, t->call->span, known) : EXPR_NONE;
}

/* The node for one call, whose slots have the right number of dimensions. */
static ExprId finish(const Target *t, Filler *f)
{
    TypeScope *s = t->s;
    for (uint32_t i = 0; i < t->n; i++) {
        ExprId e = fill_slot(f, i);
        if (!e)
            return EXPR_NONE;
        ExprId x = typing_try_convert(s, e, slot_type(t, i));
        if (!x) {
            const char *what = arena_printf(s->ctx->arena, "argument %s of %s %s", slot_name(t, i),
                                            target_kind(t), target_name(t));
            return type_convert(s, e, slot_type(t, i), slot_span(t, i), what);
        }
        f->slots[i] = x;
    }
    if (!t->function)
        return make_record(f);
    bool known;
    ExprId e = builtin_body(t, f->slots, &known);
    TypeId type;
    if (known)
        return e;
    if ((e = typing_inline(s, t->function, f->slots)) || !call_type(f, &type))
        return e;
    return expr_apply(s->g, OP_CALL, type, t->function->id, f->slots, t->n);
}

static ExprId call_element(TypeScope *s, void *user, const ExprId *args)
{
    const Target *t = user;
    (void)s;
    enum { FEW = 16 };
    ExprId few[FEW], *slots = few;
    uint8_t few_busy[FEW], *busy = few_busy;
    if (t->n > FEW) {
        slots = memory_alloc(t->n * sizeof *slots);
        busy = memory_alloc(t->n);
    }
    memcpy(slots, args, t->n * sizeof *slots);
    memset(busy, 0, t->n);
    Filler f = {{field_value}, t, slots, busy, false};
    ExprId e = finish(t, &f);
    if (slots != few) {
        memory_free(slots);
        memory_free(busy);
    }
    return e;
}

/* ---- vectorised calls ---- */

/* The dimensions of `type` before its last `keep`. */
static TypeId leading(TypeScope *s, TypeId type, uint32_t keep)
{
    const Type *t = type_get(s->g->types, type);
    return type_array(s->g->types, T_REAL, t->dims, t->n - keep);
}

/* Which slots have more dimensions than their input takes, and how many more: the same for all. */
static bool find_shape(const Target *t, const ExprId *slots, bool *mask, TypeId *shape)
{
    TypeScope *s = t->s;
    *shape = T_NONE;
    for (uint32_t i = 0; i < t->n; i++) {
        mask[i] = false;
        TypeId have = slots[i] ? expr_type(s->g, slots[i]) : T_NONE;
        if (typing_is_scalar(s, have))
            continue;
        uint32_t takes = type_rank(s->g->types, slot_type(t, i));
        if (type_rank(s->g->types, have) <= takes)
            continue;
        mask[i] = true;
        TypeId lead = leading(s, have, takes);
        uint32_t dim = 0;
        Fit fit = *shape ? typing_same_dims(s, *shape, lead, &dim) : FIT_OK;
        if (fit != FIT_OK) {
            TELL(s, slot_span(t, i), I102,
                 "arguments of a vectorised call of %s %s differ in size%s", target_kind(t),
                 target_name(t), typing_reason(s, fit, *shape, lead, dim));
            diag_note(s->ctx, (Span){0},
                      "arrays given for scalar inputs must agree (Modelica 3.6, section 12.4.6)");
            return false;
        }
        *shape = *shape ? *shape : lead;
    }
    return true;
}

static TypeId element_result(const Target *t)
{
    if (!t->function)
        return t->callee.record;
    return t->function->n_out ? t->function->vars[t->function->n_in].type : T_NONE;
}

static ExprId first_result_element(TypeScope *s, void *user, const ExprId *args)
{
    ExprId e = call_element(s, user, args);
    return e ? typing_first_result(s, e, ((const Target *)user)->call->span) : EXPR_NONE;
}

ExprId typing_call_function(TypeScope *s, Function *f, const AstExpr *at, const ExprId *slots)
{
    Target t = {.s = s, .call = at, .function = f, .callee = {.function = f}, .n = f->n_in};
    bool *mask = memory_alloc((t.n + 1) * sizeof *mask);
    TypeId shape = T_NONE;
    ExprId e = EXPR_NONE;
    if (find_shape(&t, slots, mask, &shape)) {
        Vectorised v = {first_result_element, &t, t.n, mask, shape, element_result(&t), at->span};
        e = shape ? typing_vectorise(s, &v, slots) : call_element(s, &t, slots);
    }
    memory_free(mask);
    return e;
}

static ExprId call_target(Target *t)
{
    enum { FEW = 16 };
    TypeScope *s = t->s;
    ExprId few[FEW], *slots = few;
    bool few_given[FEW], *given = few_given;
    if (t->n > FEW) {
        slots = memory_alloc(t->n * sizeof *slots);
        given = memory_alloc(t->n * sizeof *given);
    }
    TypeId shape = T_NONE;
    ExprId e = EXPR_NONE;
    if (bind(t, slots, given) && find_shape(t, slots, given, &shape)) {
        Vectorised v = {first_result_element, t, t->n, given, shape, element_result(t),
                        t->call->span};
        e = shape ? typing_vectorise(s, &v, slots) : call_element(s, t, slots);
    }
    if (slots != few) {
        memory_free(slots);
        memory_free(given);
    }
    return e;
}

/* ---- targets of calls ---- */

/* E(i): the literal of that number */
static ExprId to_enumeration(TypeScope *s, const AstExpr *call, TypeId type)
{
    const Type *t = type_get(s->g->types, type);
    if (call->args.n != 1 || call->named.n)
        return TELL(s, call->span, I104, "conversion to %s takes 1 argument, %u are given", t->name,
                    call->args.n + call->named.n);
    ExprId i = typing_scalar(s, call->args.at[0], T_INT, "number of an enumeration literal");
    if (!i)
        return EXPR_NONE;
    if (expr_is_literal(s->g, i) && (expr_int_value(s->g, i) < 1 || expr_int_value(s->g, i) > t->n))
        return TELL(s, call->span, I123, "%s has %u literals; there is no number %lld", t->name,
                    t->n, (long long)expr_int_value(s->g, i));
    return expr_apply(s->g, OP_TO_ENUM, type, 0, &i, 1);
}

static const Builtin *builtin_of(TypeScope *s, const AstRef *ref)
{
    if (ref->n != 1 || ref->parts[0].subs.n)
        return NULL;
    const Builtin *b = typing_find_builtin(ref->parts[0].name);
    return b && s->hides && s->hides(s, ref->parts[0].name, ref->absolute) ? NULL : b;
}

/* ---- functions as arguments (section 12.4.2) ---- */

/* function g(a = e, …): values for inputs of g, which are then no longer open. */
static bool bind_partially(TypeScope *s, const AstExpr *e, TypeFunction *f)
{
    Target t = {
        .s = s, .call = e, .function = f->function, .n = f->function->n_in, .bound = f->bound};
    for (uint32_t k = 0; k < e->named.n; k++) {
        const AstNamedArg *a = &e->named.at[k];
        uint32_t i = 0;
        while (i < t.n && (slot_name(&t, i) != a->name || !is_open(&t, i)))
            i++;
        if (i == t.n) {
            report_unknown(&t, a);
            return false;
        }
        const char *what =
            arena_printf(s->ctx->arena, "argument %s of function %s", a->name, target_name(&t));
        f->bound[i] = type_expr_as(s, a->value, slot_type(&t, i), what);
        if (!f->bound[i])
            return false;
    }
    return true;
}

static AstExpr without_functions(TypeScope *s, const TypeCallee *c, const AstExpr *call);
static Function *specialised(TypeScope *s, const AstExpr *call, const TypeCallee *c,
                             ExprId **bound);

static bool function_argument(TypeScope *s, const AstExpr *e, TypeFunction *out)
{
    if (e->kind != AST_REF && e->kind != AST_PARTIAL)
        return TELL(s, e->span, I103, "a function is needed here: its name, or function f(…)");
    TypeCallee c = s->callee(s, e->ref);
    if (c.record || c.enumeration)
        return TELL(s, e->span, I113,
                    "a constructor or conversion as an argument is not yet supported");
    if (c.inputs) { /* the functions it takes must be given here */
        AstExpr rest = without_functions(s, &c, e);
        out->function = specialised(s, e, &c, &out->bound);
        return out->function && bind_partially(s, &rest, out);
    }
    if (!c.function)
        return false;
    out->function = c.function;
    out->bound = ARENA_ARRAY(s->ctx->arena, ExprId, c.function->n_in + 1);
    for (uint32_t i = 0; c.bound && i < c.function->n_in; i++)
        out->bound[i] = c.bound[i];
    return e->kind == AST_REF || bind_partially(s, e, out);
}

/* The argument for input i of a function that takes functions; NULL if it is not given. */
static const AstExpr *generic_argument(const TypeCallee *c, const AstExpr *call, uint32_t i)
{
    if (i < call->args.n)
        return call->args.at[i];
    for (uint32_t k = 0; k < call->named.n; k++)
        if (call->named.at[k].name == c->inputs[i].name)
            return call->named.at[k].value;
    return NULL;
}

static bool names_function(const TypeCallee *c, Name name)
{
    for (uint32_t i = 0; i < c->n_inputs; i++)
        if (c->inputs[i].name == name)
            return c->inputs[i].is_function;
    return false;
}

/* The call without the arguments that are functions. */
static AstExpr without_functions(TypeScope *s, const TypeCallee *c, const AstExpr *call)
{
    AstExpr rest = *call;
    rest.args.at = ARENA_ARRAY(s->ctx->arena, AstExpr *, call->args.n + 1);
    rest.named.at = ARENA_ARRAY(s->ctx->arena, AstNamedArg, call->named.n + 1);
    rest.args.n = rest.named.n = 0;
    for (uint32_t i = 0; i < call->args.n; i++)
        if (i >= c->n_inputs || !c->inputs[i].is_function)
            rest.args.at[rest.args.n++] = call->args.at[i];
    for (uint32_t k = 0; k < call->named.n; k++)
        if (!names_function(c, call->named.at[k].name))
            rest.named.at[rest.named.n++] = call->named.at[k];
    return rest;
}

/* The function made for the functions that a call passes, and values for its inputs that replace
 * bound values (size n_in). NULL after an error. */
static Function *specialised(TypeScope *s, const AstExpr *call, const TypeCallee *c, ExprId **bound)
{
    TypeFunction *given = ARENA_ARRAY(s->ctx->arena, TypeFunction, c->n_inputs);
    uint32_t n = 0, captured = 0;
    for (uint32_t i = 0; i < c->n_inputs; i++) {
        if (!c->inputs[i].is_function)
            continue;
        const AstExpr *e = generic_argument(c, call, i);
        if (!e)
            TELL(s, call->span, I107, "argument %s is missing", c->inputs[i].name);
        if (!e || !function_argument(s, e, &given[n]))
            return NULL;
        for (uint32_t k = 0; k < given[n].function->n_in; k++)
            captured += given[n].bound[k] != EXPR_NONE;
        n++;
    }
    Function *f = c->specialise(s, c->user, given, call->span);
    if (!f)
        return NULL;
    *bound = ARENA_ARRAY(s->ctx->arena, ExprId, f->n_in + 1);
    uint32_t at = f->n_in - captured;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < given[i].function->n_in; k++)
            if (given[i].bound[k])
                (*bound)[at++] = given[i].bound[k];
    return f;
}

/* A call of a function that takes functions: of the one made for the functions given, which takes
 * none. */
static ExprId call_generic(TypeScope *s, const AstExpr *call, const TypeCallee *c)
{
    ExprId *bound = NULL;
    Function *f = specialised(s, call, c, &bound);
    if (!f)
        return EXPR_NONE;
    AstExpr rest = without_functions(s, c, call);
    Target t = {.s = s, .call = &rest, .function = f, .n = f->n_in, .bound = bound};
    return call_target(&t);
}

ExprId typing_call(TypeScope *s, const AstExpr *call)
{
    const AstRef *ref = call->ref;
    const Builtin *b = builtin_of(s, ref);
    if (b)
        return typing_call_builtin(s, b, call);
    if (ref->n == 2 && !strcmp(ref->parts[0].name, "Connections"))
        return typing_connections(s, call);
    Target t = {.s = s, .call = call, .callee = s->callee(s, ref)};
    if (t.callee.enumeration)
        return to_enumeration(s, call, t.callee.enumeration);
    if (t.callee.inputs)
        return call_generic(s, call, &t.callee);
    if (t.callee.function) {
        t.function = t.callee.function;
        t.n = t.function->n_in;
        t.bound = t.callee.bound;
    } else if (t.callee.record) {
        bool found;
        ExprId x = typing_overloaded_call(s, call, t.callee.record, "'constructor'", &found);
        if (found)
            return x;
        t.record = type_get(s->g->types, t.callee.record);
        t.n = t.record->n;
    } else {
        return EXPR_NONE;
    }
    if (call->iters.n)
        return TELL(s, call->span, I117, "%s %s takes no iterators", target_kind(&t),
                    target_name(&t));
    return call_target(&t);
}
