/* The evaluator: Strings and String(…), section 3.7.1.1 of the specification. */
#include "expr/eval_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { LONGEST = 1 << 16 };

typedef struct Layout {
    int64_t digits, length;
    bool left;
    const char *format;
} Layout;

/* Reads the options. With three of them the first is significantDigits; with fewer, only for a Real. */
static EvalStatus read_layout(Run *r, ExprId e, bool real, Layout *l)
{
    uint32_t n = expr_n(r->g, e), k = 1;
    *l = (Layout){.digits = 6, .left = true};
    if (n > 1 && expr_arg(r->g, e, 1) && expr_type(r->g, expr_arg(r->g, e, 1)) == T_STRING) {
        Value v;
        EvalStatus status = run_eval(r, expr_arg(r->g, e, 1), &v);
        l->format = status == EVAL_OK ? v.str : NULL;
        return status;
    }
    for (int option = real || n == 4 ? 0 : 1; k < n; k++, option++) {
        ExprId a = expr_arg(r->g, e, k);
        int64_t v;
        if (!a)
            continue;
        EvalStatus status = run_integer(r, a, &v);
        if (status != EVAL_OK)
            return status;
        if (expr_type(r->g, a) == T_BOOL)
            l->left = v != 0;
        else
            *(option == 0 ? &l->digits : &l->length) = v;
    }
    if (l->digits < 1 || l->digits > 100 || l->length < 0 || l->length > LONGEST)
        return run_fail(r, "an option of %s is out of range", run_print(r, e));
    return EVAL_OK;
}

/* flags width . precision conversion, without the % that C has in front. Returns the conversion, 0 where malformed. */
static char check_format(const char *f)
{
    size_t n = strspn(f, "-+ 0#"), width, precision = 0;
    if (n > 5)
        return 0;
    f += n;
    width = strspn(f, "0123456789");
    f += width;
    if (*f == '.') {
        precision = strspn(f + 1, "0123456789");
        f += 1 + precision;
    }
    bool known = *f && strchr("diouxXcfFeEgGs", *f);
    return known && f[1] == 0 && width <= 4 && precision <= 3 ? *f : 0;
}

static EvalStatus format_number(Run *r, ExprId e, const char *format, double v, char *buf, size_t size)
{
    char f[64], conversion = check_format(format);
    if (!conversion)
        return run_fail(r, "'%s' is no format for %s", format, run_print(r, e));
    size_t n = strlen(format);
    bool integer = strchr("diouxXc", conversion) != NULL;
    if (conversion == 's') {
        snprintf(buf, size, "%.6g", v);
        return EVAL_OK;
    }
    snprintf(f, sizeof f, "%%%.*s%s%c", (int)n - 1, format, integer && conversion != 'c' ? "ll" : "",
             conversion);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (integer && conversion == 'c')
        snprintf(buf, size, f, (int)v);
    else if (integer)
        snprintf(buf, size, f, (long long)v);
    else
        snprintf(buf, size, f, v);
#pragma GCC diagnostic pop
    return EVAL_OK;
}

static EvalStatus to_string(Run *r, ExprId e, Value *out)
{
    ExprId a = expr_arg(r->g, e, 0);
    const Type *t = type_get(r->types, expr_type(r->g, a));
    Value v;
    Layout l;
    char *buf;
    EvalStatus status = run_eval(r, a, &v);
    if (status == EVAL_OK)
        status = read_layout(r, e, t->kind == TYPE_REAL, &l);
    if (status != EVAL_OK)
        return status;
    size_t size = (size_t)l.length + 16384;
    int width = (int)(l.left ? -l.length : l.length);
    buf = memory_alloc(size);
    if (t->kind == TYPE_STRING)
        snprintf(buf, size, "%*s", width, v.str);
    else if (t->kind == TYPE_BOOL)
        snprintf(buf, size, "%*s", width, v.num != 0 ? "true" : "false");
    else if (t->kind == TYPE_ENUM && v.num >= 1 && v.num <= t->n)
        snprintf(buf, size, "%*s", width, t->fields[(uint32_t)v.num - 1].name);
    else if (l.format)
        status = format_number(r, e, l.format, v.num, buf, size);
    else if (t->kind == TYPE_INT)
        snprintf(buf, size, "%*lld", width, (long long)v.num);
    else
        snprintf(buf, size, "%*.*g", width, (int)l.digits, v.num);
    *out = (Value){.type = T_STRING, .str = name_of(r->g->ctx->names, buf)};
    memory_free(buf);
    return status;
}

static EvalStatus concat(Run *r, ExprId e, Value *out)
{
    VEC(char) all = {0};
    EvalStatus status = EVAL_OK;
    uint32_t n = expr_n(r->g, e);
    for (uint32_t i = 0; i < n && status == EVAL_OK; i++) {
        Value v;
        status = run_eval(r, expr_arg(r->g, e, i), &v);
        for (const char *s = status == EVAL_OK ? v.str : ""; *s; s++)
            vec_push(&all, *s);
    }
    if (status == EVAL_OK)
        *out = (Value){.type = T_STRING, .str = name_intern(r->g->ctx->names, all.n ? all.at : "", all.n)};
    vec_free(&all);
    return status;
}

EvalStatus run_string(Run *r, ExprId e, Value *out)
{
    if (type_rank(r->types, expr_type(r->g, e)))
        return run_fail(r, "%s cannot be evaluated", run_print(r, e));
    return expr_op(r->g, e) == OP_CONCAT ? concat(r, e, out) : to_string(r, e, out);
}
