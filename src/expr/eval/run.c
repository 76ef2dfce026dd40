/* The state of an evaluation: messages, the budget of steps, room for intermediate values. */
#include "expr/eval/internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_SIZE = 1024 };

/* Keeps a message; a longer one is cut. */
static void keep_why(Run *r, const char *text)
{
    Arena *arena = r->env->arena ? r->env->arena : r->g->ctx->arena;
    r->env->why = arena_copy(arena, text, strlen(text));
}

EvalStatus run_fail(Run *r, const char *format, ...)
{
    EvalEnv *env = r->env;
    va_list args;
    char text[MESSAGE_SIZE];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    keep_why(r, text);
    if (env->silent)
        return EVAL_ERROR;
    diag(r->g->ctx, r->span, DIAG_I090, "%s", env->why);
    if (r->frame)
        diag_note(r->g->ctx, env->span, "in a call of %s", r->frame->f->name);
    return EVAL_ERROR;
}

EvalStatus run_unknown(Run *r, const char *format, ...)
{
    va_list args;
    char text[MESSAGE_SIZE];
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    keep_why(r, text);
    return EVAL_UNKNOWN;
}

EvalStatus run_step(Run *r, uint64_t n)
{
    if (r->env->steps > n) {
        r->env->steps -= n;
        return EVAL_OK;
    }
    r->env->steps = 1;
    return run_fail(r, "evaluation takes too many steps: perhaps a loop does not end");
}

Arena *run_arena(Run *r)
{
    if (!r->frame)
        return r->env->arena ? r->env->arena : r->g->ctx->arena;
    if (!r->frame->tmp)
        r->frame->tmp = arena_new();
    return r->frame->tmp;
}

static void leaf_name(void *user, const Graph *g, ExprId e, char *buf, size_t size)
{
    const Run *r = user;
    uint32_t k = expr_index(g, e);
    if (expr_op(g, e) == OP_LOCAL && r->frame && k < r->frame->f->n_vars)
        snprintf(buf, size, "%s", r->frame->f->vars[k].name);
    else if (r->env->leaf)
        r->env->leaf(r->env->user, g, e, buf, size);
}

char *run_print(Run *r, ExprId e)
{
    return expr_print(r->g, e, leaf_name, r, run_arena(r));
}

EvalStatus run_as_integer(Run *r, ExprId e, double value, int64_t *out)
{
    if (!(fabs(value) <= 0x1p53) || value != floor(value))
        return run_fail(r, "%s is not an Integer: %g", run_print(r, e), value);
    *out = (int64_t)value;
    return EVAL_OK;
}
