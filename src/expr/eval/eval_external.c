/* The evaluator: external functions.
 *
 * Functions of the C library's mathematics are called directly; others through the entries of
 * external/external.h. A function of an external object has its value only during simulation. */
#include "expr/eval/internal.h"

#include "external/external.h"

#include <math.h>
#include <setjmp.h>
#include <unistd.h>

/* ---- mathematics ---- */

typedef struct MathFunction {
    const char *symbol;
    double (*one)(double);
    double (*two)(double, double);
} MathFunction;

static const MathFunction math_functions[] = {
    {"sin", sin, NULL},     {"cos", cos, NULL},       {"tan", tan, NULL},
    {"asin", asin, NULL},   {"acos", acos, NULL},     {"atan", atan, NULL},
    {"sinh", sinh, NULL},   {"cosh", cosh, NULL},     {"tanh", tanh, NULL},
    {"asinh", asinh, NULL}, {"acosh", acosh, NULL},   {"atanh", atanh, NULL},
    {"exp", exp, NULL},     {"exp2", exp2, NULL},     {"expm1", expm1, NULL},
    {"log", log, NULL},     {"log2", log2, NULL},     {"log10", log10, NULL},
    {"log1p", log1p, NULL}, {"sqrt", sqrt, NULL},     {"cbrt", cbrt, NULL},
    {"fabs", fabs, NULL},   {"floor", floor, NULL},   {"ceil", ceil, NULL},
    {"trunc", trunc, NULL}, {"round", round, NULL},   {"erf", erf, NULL},
    {"erfc", erfc, NULL},   {"tgamma", tgamma, NULL}, {"lgamma", lgamma, NULL},
    {"pow", NULL, pow},     {"atan2", NULL, atan2},   {"fmod", NULL, fmod},
    {"hypot", NULL, hypot}, {"fmin", NULL, fmin},     {"fmax", NULL, fmax},
};

static const MathFunction *find_math(const FnExternal *x)
{
    for (size_t i = 0; i < sizeof math_functions / sizeof *math_functions; i++) {
        const MathFunction *m = &math_functions[i];
        if (strcmp(m->symbol, x->symbol) == 0 && x->n_args == (m->one ? 1 : 2))
            return m;
    }
    return NULL;
}

static EvalStatus call_math(Run *r, const MathFunction *m)
{
    const Function *f = r->frame->f;
    const FnExternal *x = f->external;
    double v[2] = {0};
    for (uint32_t i = 0; i < x->n_args; i++) {
        EvalStatus status = run_number(r, x->args[i], &v[i]);
        if (status != EVAL_OK)
            return status;
    }
    uint32_t k = f->n_in + x->result;
    Value result = {.type = f->vars[k].type, .num = m->one ? m->one(v[0]) : m->two(v[0], v[1])};
    return run_set_local(r, k, &result);
}

/* ---- functions of Kairos ---- */

/* loadResource(uri): the path of a file of a library */
static EvalStatus load_resource(Run *r)
{
    const Function *f = r->frame->f;
    const Value *uri;
    EvalStatus status = run_local(r, 0, &uri);
    if (status != EVAL_OK)
        return status;
    const char *path = r->g->resource ? r->g->resource(r->g->resource_user, uri->str) : NULL;
    bool is_uri = strstr(uri->str, "://") != NULL;
    if (!path)
        return run_fail(r, "'%s' names an unknown package; 'kairos lib add' adds its library",
                        uri->str);
    if (is_uri && access(path, F_OK))
        return run_fail(r, "there is no file '%s', which '%s' names", path, uri->str);
    Value result = {.type = T_STRING, .str = name_of(r->g->ctx->names, path)};
    return run_set_local(r, f->n_in, &result);
}

/* ---- passing values ---- */

/* One argument, or the result, in the form that C takes. */
typedef struct Passed {
    union {
        double real;
        int integer;
        const char *string;
        void *elements;
    };
    TypeId type;
} Passed;

typedef struct Passing {
    Run *r;
    const Function *f;
    Arena *arena;
    bool fortran; /* arrays are column-major */
} Passing;

/* Place in a column-major array of the element at place `at` of a row-major one. */
static size_t column_major(const Type *t, size_t at)
{
    size_t place = 0, stride = 1, below = 1;
    for (uint32_t k = 1; k < t->n; k++)
        below *= (size_t)t->dims[k];
    for (uint32_t k = 0; k < t->n; k++) {
        place += at / below % (size_t)t->dims[k] * stride;
        stride *= (size_t)t->dims[k];
        below /= k + 1 < t->n ? (size_t)t->dims[k + 1] : 1;
    }
    return place;
}

static size_t place_of(const Passing *p, const Type *t, size_t at)
{
    return p->fortran && t->n > 1 ? column_major(t, at) : at;
}

static void array_to_c(const Passing *p, const Value *v, Passed *out)
{
    const Type *t = type_get(p->r->types, v->type);
    size_t n = (size_t)type_count(p->r->types, v->type);
    ExternalPass pass = external_pass(p->r->types, v->type);
    size_t size = pass == PASS_INT ? sizeof(int) : sizeof(double);
    char *room = arena_alloc(p->arena, (n + 1) * size);
    for (size_t i = 0; i < n; i++) {
        void *to = room + place_of(p, t, i) * size;
        if (pass == PASS_INT)
            *(int *)to = isnan(v->nums[i]) ? 0 : (int)v->nums[i];
        else if (pass == PASS_STRING)
            *(const char **)to = v->strs[i] ? v->strs[i] : "";
        else
            *(double *)to = v->nums[i];
    }
    out->elements = room;
}

/* FORTRAN knows no constant text: it gets a copy. */
static const char *string_to_c(const Passing *p, const char *text)
{
    return p->fortran ? arena_copy(p->arena, text, strlen(text)) : text;
}

static void value_to_c(const Passing *p, const Value *v, Passed *out)
{
    out->type = v->type;
    if (type_rank(p->r->types, v->type)) {
        array_to_c(p, v, out);
        return;
    }
    switch (external_pass(p->r->types, v->type)) {
    case PASS_INT: out->integer = isnan(v->num) ? 0 : (int)v->num; break;
    case PASS_STRING: out->string = string_to_c(p, v->str ? v->str : ""); break;
    default: out->real = v->num; break;
    }
}

static Value value_of_c(const Passing *p, const Passed *from)
{
    Value v = {.type = from->type};
    Names *names = p->r->g->ctx->names;
    ExternalPass pass = external_pass(p->r->types, from->type);
    const Type *t = type_get(p->r->types, from->type);
    if (t->kind != TYPE_ARRAY) {
        if (pass == PASS_STRING)
            v.str = name_of(names, from->string ? from->string : "");
        else
            v.num = pass == PASS_INT ? from->integer : from->real;
        return v;
    }
    size_t n = (size_t)type_count(p->r->types, from->type);
    v.nums = arena_alloc(p->arena, (n + 1) * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        size_t at = place_of(p, t, i);
        if (pass == PASS_STRING)
            v.strs[i] = name_of(names, ((const char **)from->elements)[at]);
        else
            v.nums[i] =
                pass == PASS_INT ? ((int *)from->elements)[at] : ((double *)from->elements)[at];
    }
    return v;
}

/* ---- records ---- */

static void record_to_c(const Passing *p, TypeId type, const Value *v, Passed **out);

/* Writes a value that is not an array of records to the slots from *out on. v NULL: no value
 * yet. */
static void part_to_c(const Passing *p, TypeId type, const Value *v, Passed **out)
{
    Value none = {.type = type};
    if (external_is_record(p->r->types, type))
        record_to_c(p, type, v, out);
    else
        value_to_c(p, v ? v : &none, (*out)++);
}

static void record_to_c(const Passing *p, TypeId type, const Value *v, Passed **out)
{
    const Type *t = type_get(p->r->types, type);
    for (uint32_t i = 0; i < t->n; i++)
        part_to_c(p, t->fields[i].type, v ? &v->items[i] : NULL, out);
}

static size_t slot_size(const Passing *p, TypeId type)
{
    return external_pass(p->r->types, type) == PASS_INT ? sizeof(int) : sizeof(double);
}

/* An array of records: arrays of the fields, and their length. */
static void records_to_c(const Passing *p, const Value *v, Passed *out)
{
    TypeId element = type_element(p->r->types, v->type);
    uint32_t n = (uint32_t)type_count(p->r->types, v->type);
    uint32_t n_fields = external_slots(p->r->types, element);
    Passed *one = ARENA_ARRAY(p->arena, Passed, n_fields + 1);
    for (uint32_t e = 0; e <= n; e++) { /* the last turn sets the types even if n is 0 */
        Passed *at = one;
        record_to_c(p, element, e < n ? &v->items[e] : NULL, &at);
        for (uint32_t k = 0; k < n_fields; k++) {
            size_t size = slot_size(p, one[k].type);
            if (e == 0) {
                out[k].type = one[k].type;
                out[k].elements = arena_alloc(p->arena, (n + 1) * size);
            }
            if (e < n)
                memcpy((char *)out[k].elements + e * size, &one[k], size);
        }
    }
    out[n_fields].type = T_INT;
    out[n_fields].integer = (int)n;
}

static Value part_of_c(const Passing *p, TypeId type, const Passed **from)
{
    if (!external_is_record(p->r->types, type))
        return value_of_c(p, (*from)++);
    const Type *t = type_get(p->r->types, type);
    Value v = {.type = type, .items = ARENA_ARRAY(p->arena, Value, t->n + 1)};
    for (uint32_t i = 0; i < t->n; i++)
        v.items[i] = part_of_c(p, t->fields[i].type, from);
    return v;
}

static Value records_of_c(const Passing *p, TypeId type, const Passed *from)
{
    TypeId element = type_element(p->r->types, type);
    uint32_t n = (uint32_t)type_count(p->r->types, type);
    uint32_t n_fields = external_slots(p->r->types, element);
    Value v = {.type = type, .items = ARENA_ARRAY(p->arena, Value, n + 1)};
    Passed *one = ARENA_ARRAY(p->arena, Passed, n_fields + 1);
    for (uint32_t e = 0; e < n; e++) {
        for (uint32_t k = 0; k < n_fields; k++) {
            size_t size = slot_size(p, from[k].type);
            memcpy(&one[k], (char *)from[k].elements + e * size, size);
            one[k].type = from[k].type;
        }
        const Passed *at = one;
        v.items[e] = part_of_c(p, element, &at);
    }
    return v;
}

/* ---- arguments ---- */

/* Writes v to its slots. v NULL: no value yet. */
static void whole_to_c(const Passing *p, const Value *v, TypeId type, Passed *out)
{
    if (v && type_rank(p->r->types, type) && external_is_record(p->r->types, type))
        records_to_c(p, v, out);
    else
        part_to_c(p, type, v, &out);
}

static Value whole_of_c(const Passing *p, TypeId type, const Passed *from)
{
    return type_rank(p->r->types, type) && external_is_record(p->r->types, type)
               ? records_of_c(p, type, from)
               : part_of_c(p, type, &from);
}

/* A variable that the function sets: passes its value so far, if it has one. */
static void variable_to_c(const Passing *p, uint32_t k, Passed *out)
{
    const Value *v = &p->r->frame->vals[k];
    TypeId type = p->f->vars[k].type;
    bool given = p->r->frame->state[k] == LOCAL_SET || type_rank(p->r->types, type);
    whole_to_c(p, given ? v : NULL, given ? v->type : type, out);
}

static EvalStatus argument_to_c(const Passing *p, uint32_t i, Passed *out)
{
    ExprId e = p->f->external->args[i];
    uint32_t k = external_changes(p->r->g, p->f, i);
    if (k != UINT32_MAX) {
        variable_to_c(p, k, out);
        return EVAL_OK;
    }
    Value v;
    EvalStatus status = run_eval(p->r, e, &v);
    if (status == EVAL_OK)
        whole_to_c(p, &v, v.type, out);
    return status;
}

static EvalStatus check_types(Run *r, const Function *f)
{
    bool fortran = strcmp(f->external->language, "FORTRAN 77") == 0;
    for (uint32_t i = 0; i < f->n_vars; i++) {
        TypeId type = f->vars[i].type;
        if (external_pass(r->types, type) == PASS_OBJECT)
            return run_unknown(r, "function %s has a value only during simulation", f->name);
        if (!external_can_pass(r->types, type) || (fortran && external_is_record(r->types, type)))
            return run_fail(r, "external function %s takes %s, which is not yet supported", f->name,
                            type_print(r->types, type, run_arena(r)));
    }
    return EVAL_OK;
}

/* ---- the call ---- */

typedef struct Host {
    jmp_buf back;
    Arena *arena;
    char text[1024];
} Host;

static void host_message(void *user, bool warning, const char *text)
{
    (void)user;
    (void)warning;
    (void)text;
}

static void host_error(void *user, const char *text)
{
    Host *h = user;
    size_t n = strnlen(text, sizeof h->text - 1);
    while (n && text[n - 1] == '\n')
        n--;
    memcpy(h->text, text, n);
    h->text[n] = '\0';
    longjmp(h->back, 1);
}

static char *host_allocate(void *user, size_t n)
{
    Host *h = user;
    char *s = arena_alloc(h->arena, n + 1);
    memset(s, 0, n + 1);
    return s;
}

/* False if the function called ModelicaError; its text is in h. */
static bool call_entry(ExternalCode *code, ExternalEntry entry, void *const *args, Host *h)
{
    ExternalHost host = {h, host_message, host_error, host_allocate};
    const ExternalHost *before = external_enter(code, &host);
    bool ok = setjmp(h->back) == 0;
    if (ok)
        entry(args);
    external_enter(code, before);
    return ok;
}

/* The slots of a call, and where those of the arguments begin. */
typedef struct Slots {
    Passed *all;
    void **addresses;
    uint32_t *first; /* size n_args + 1: the result's first */
} Slots;

static Slots make_slots(const Passing *p)
{
    const FnExternal *x = p->f->external;
    const Types *types = p->r->types;
    Slots s = {.first = ARENA_ARRAY(p->arena, uint32_t, x->n_args + 1)};
    TypeId result = x->result == UINT32_MAX ? T_NONE : p->f->vars[p->f->n_in + x->result].type;
    bool record = external_is_record(types, result);
    uint32_t n = 1;
    for (uint32_t i = 0; i < x->n_args; i++) {
        s.first[i + 1] = n;
        n += external_slots(types, expr_type(p->r->g, x->args[i]));
    }
    s.first[0] = record ? n : 0;
    n += record ? external_slots(types, result) : 0;
    s.all = ARENA_ARRAY(p->arena, Passed, n + 1);
    s.addresses = ARENA_ARRAY(p->arena, void *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        s.addresses[i] = &s.all[i];
    return s;
}

/* Variables that the function has set take their values. */
static EvalStatus take_results(const Passing *p, const Slots *s)
{
    const FnExternal *x = p->f->external;
    EvalStatus status = EVAL_OK;
    for (uint32_t i = 0; i <= x->n_args && status == EVAL_OK; i++) {
        uint32_t k = i > 0                     ? external_changes(p->r->g, p->f, i - 1)
                     : x->result < p->f->n_out ? p->f->n_in + x->result
                                               : UINT32_MAX;
        if (k == UINT32_MAX)
            continue;
        bool sized = type_rank(p->r->types, p->f->vars[k].type) > 0;
        TypeId type = sized ? p->r->frame->vals[k].type : p->f->vars[k].type;
        Value v = whole_of_c(p, type, s->all + s->first[i]);
        status = run_set_local(p->r, k, &v);
    }
    return status;
}

static EvalStatus call_code(Run *r)
{
    const Function *f = r->frame->f;
    const FnExternal *x = f->external;
    EvalStatus status = check_types(r, f);
    if (status != EVAL_OK)
        return status;
    const char *why = "it works in a run only";
    ExternalEntry entry =
        external_native(r->g, f) ? NULL : external_entry(external_of(r->g), r->g, f, &why);
    if (!entry)
        return run_fail(r, "external function %s cannot be called: %s", f->name, why);
    Passing p = {r, f, run_arena(r), strcmp(x->language, "FORTRAN 77") == 0};
    Slots s = make_slots(&p);
    if (x->result != UINT32_MAX)
        variable_to_c(&p, f->n_in + x->result, s.all + s.first[0]);
    for (uint32_t i = 0; i < x->n_args && status == EVAL_OK; i++)
        status = argument_to_c(&p, i, s.all + s.first[i + 1]);
    if (status != EVAL_OK)
        return status;
    Host h = {.arena = p.arena};
    if (!call_entry(r->g->external, entry, s.addresses, &h))
        return run_fail(r, "%s: %s", f->name, h.text);
    return take_results(&p, &s);
}

bool eval_has_builtin(const Function *f)
{
    return !strcmp(f->external->symbol, "loadResource") && f->n_in == 1 && f->n_out == 1;
}

EvalStatus run_external(Run *r)
{
    const Function *f = r->frame->f;
    const FnExternal *x = f->external;
    const MathFunction *m = x->symbol && !x->n_libraries ? find_math(x) : NULL;
    if (m && x->result != UINT32_MAX)
        return call_math(r, m);
    if (strcmp(x->language, "builtin"))
        return call_code(r);
    if (eval_has_builtin(f))
        return load_resource(r);
    return run_fail(r, "there is no built-in function %s for %s", x->symbol, f->name);
}
