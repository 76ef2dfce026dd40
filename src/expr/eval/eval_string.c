/* The evaluator: Strings and String(…), section 3.7.1.1 of the specification. */
#include "expr/eval/internal.h"

#include "base/format.h"

typedef struct Layout {
    FormatLayout options;
    const char *format; /* NULL: by options */
} Layout;

/* Reads the options. With three of them the first is significantDigits; with fewer, only for a
 * Real. */
static EvalStatus read_layout(Run *r, ExprId e, const Value *args, bool real, Layout *l)
{
    uint32_t n = expr_n(r->g, e), k = 1;
    *l = (Layout){.options = {.digits = 6, .left = true}};
    if (n > 1 && expr_arg(r->g, e, 1) && expr_type(r->g, expr_arg(r->g, e, 1)) == T_STRING) {
        l->format = args[1].str;
        return EVAL_OK;
    }
    for (int option = real || n == 4 ? 0 : 1; k < n; k++, option++) {
        ExprId a = expr_arg(r->g, e, k);
        int64_t v;
        if (!a)
            continue;
        EvalStatus status = run_as_integer(r, a, args[k].num, &v);
        if (status != EVAL_OK)
            return status;
        if (expr_type(r->g, a) == T_BOOL)
            l->options.left = v != 0;
        else
            *(option == 0 ? &l->options.digits : &l->options.length) = (double)v;
    }
    if (!format_layout_ok(&l->options))
        return run_fail(r, "an option of %s is out of range", run_print(r, e));
    return EVAL_OK;
}

static EvalStatus to_string(Run *r, ExprId e, const Value *args, Value *out)
{
    ExprId a = expr_arg(r->g, e, 0);
    const Type *t = type_get(r->types, expr_type(r->g, a));
    Value v = args[0];
    Layout l;
    EvalStatus status = read_layout(r, e, args, t->kind == TYPE_REAL, &l);
    if (status != EVAL_OK)
        return status;
    size_t size = (size_t)l.options.length + FORMAT_ROOM;
    if (t->kind == TYPE_STRING)
        size += strlen(v.str);
    char *buf = memory_alloc(size);
    if (t->kind == TYPE_STRING)
        format_text(buf, size, v.str, &l.options);
    else if (t->kind == TYPE_ENUM && v.num >= 1 && v.num <= t->n)
        format_text(buf, size, t->fields[(uint32_t)v.num - 1].name, &l.options);
    else if (l.format && t->kind != TYPE_BOOL) {
        if (!format_by(buf, size, l.format, v.num))
            status = run_fail(r, "'%s' is not a format for %s", l.format, run_print(r, e));
    } else {
        FormatKind kind = t->kind == TYPE_BOOL  ? FORMAT_BOOL
                          : t->kind == TYPE_INT ? FORMAT_INT
                                                : FORMAT_REAL;
        format_value(buf, size, kind, v.num, &l.options);
    }
    if (status == EVAL_OK)
        *out = (Value){.type = T_STRING, .str = name_of(r->g->ctx->names, buf)};
    memory_free(buf);
    return status;
}

static EvalStatus concat(Run *r, ExprId e, const Value *args, Value *out)
{
    VEC(char) all = {0};
    for (uint32_t i = 0; i < expr_n(r->g, e); i++)
        for (const char *s = args[i].str; *s; s++)
            vec_push(&all, *s);
    *out =
        (Value){.type = T_STRING, .str = name_intern(r->g->ctx->names, all.n ? all.at : "", all.n)};
    vec_free(&all);
    return EVAL_OK;
}

EvalStatus run_string(Run *r, ExprId e, const Value *args, Value *out)
{
    if (type_rank(r->types, expr_type(r->g, e)))
        return run_fail(r, "%s cannot be evaluated", run_print(r, e));
    return expr_op(r->g, e) == OP_CONCAT ? concat(r, e, args, out) : to_string(r, e, args, out);
}
