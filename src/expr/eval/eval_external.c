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
        return run_fail(r,
                        "'%s' names a package that is not known: its library may have to be added",
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
    uint32_t changes; /* variable that takes the value afterwards; UINT32_MAX for none */
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

/* A variable that the function sets: its value so far, or nothing yet. */
static void variable_to_c(const Passing *p, uint32_t k, Passed *out)
{
    Value v = p->r->frame->vals[k];
    if (p->r->frame->state[k] != LOCAL_SET && !type_rank(p->r->types, p->f->vars[k].type))
        v = (Value){.type = p->f->vars[k].type};
    value_to_c(p, &v, out);
    out->changes = k;
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
        value_to_c(p, &v, out);
    return status;
}

static EvalStatus check_types(Run *r, const Function *f)
{
    for (uint32_t i = 0; i < f->n_vars; i++) {
        ExternalPass pass = external_pass(r->types, f->vars[i].type);
        if (pass == PASS_OBJECT)
            return run_unknown(r, "function %s has a value only during simulation", f->name);
        if (pass == PASS_NOT)
            return run_fail(r, "external function %s takes %s, which is not yet supported", f->name,
                            type_print(r->types, f->vars[i].type, run_arena(r)));
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

static EvalStatus call_code(Run *r)
{
    const Function *f = r->frame->f;
    const FnExternal *x = f->external;
    EvalStatus status = check_types(r, f);
    if (status != EVAL_OK)
        return status;
    const char *why = NULL;
    ExternalEntry entry = external_entry(external_of(r->g), r->g, f, &why);
    if (!entry)
        return run_fail(r, "external function %s cannot be called: %s", f->name, why);
    Passing p = {r, f, run_arena(r), strcmp(x->language, "FORTRAN 77") == 0};
    Passed *all = ARENA_ARRAY(p.arena, Passed, x->n_args + 1);
    void **args = ARENA_ARRAY(p.arena, void *, x->n_args + 1);
    for (uint32_t i = 0; i <= x->n_args && status == EVAL_OK; i++) {
        all[i].changes = UINT32_MAX;
        if (i > 0)
            status = argument_to_c(&p, i - 1, &all[i]);
        else if (x->result != UINT32_MAX)
            variable_to_c(&p, f->n_in + x->result, &all[i]);
        args[i] = &all[i];
    }
    if (status != EVAL_OK)
        return status;
    Host h = {.arena = p.arena};
    if (!call_entry(r->g->external, entry, args, &h))
        return run_fail(r, "%s: %s", f->name, h.text);
    for (uint32_t i = 0; i <= x->n_args && status == EVAL_OK; i++) {
        if (all[i].changes == UINT32_MAX)
            continue;
        Value v = value_of_c(&p, &all[i]);
        status = run_set_local(r, all[i].changes, &v);
    }
    return status;
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
    return run_fail(r, "there is no built-in function %s behind %s", x->symbol, f->name);
}
