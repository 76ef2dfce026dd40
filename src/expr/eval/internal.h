/* Shared by the files of the evaluator. Not for other folders. */
#ifndef EXPR_EVAL_RUN_H
#define EXPR_EVAL_RUN_H

#include "expr/eval/eval.h"

typedef enum LocalState { LOCAL_FRESH, LOCAL_BUSY, LOCAL_UNSET, LOCAL_SET } LocalState;

/* One activation of a function. */
typedef struct Frame {
    const Function *f;
    Value *vals;    /* size n_vars */
    uint8_t *state; /* size n_vars: LocalState */
    Arena *store;   /* arrays of its variables; made on demand */
    Arena *tmp;     /* intermediate values of a statement; made on demand */
    struct Frame *up;
} Frame;

typedef struct Binding {
    uint32_t iter;
    Value value;
} Binding;

/* One call of eval_expr or eval_call. */
typedef struct Run {
    EvalEnv *env;
    Graph *g;
    Types *types;
    Frame *frame; /* NULL outside functions */
    VEC(Binding) iters;
    Map memo; /* node to index in memo_values; only outside functions and iterations */
    VEC(double) memo_values;
    uint32_t visited;
    unsigned depth;
    Span span; /* of the statement being executed */
} Run;

/* How the elements of an array are stored. */
typedef enum ElemKind { ELEM_NUM, ELEM_STR, ELEM_ITEM } ElemKind;

/* run.c */
EvalStatus run_fail(Run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
EvalStatus run_unknown(Run *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
EvalStatus run_step(Run *r, uint64_t n); /* takes n from the budget */
Arena *run_arena(Run *r);                /* for intermediate values */
char *run_print(Run *r, ExprId e);       /* for messages */
/* the value of e as an Integer */
EvalStatus run_as_integer(Run *r, ExprId e, double value, int64_t *out);

/* eval.c */
EvalStatus run_eval(Run *r, ExprId e, Value *out);
/* The value of an OP_CALL of a pure function, good until the next call of this kind. */
EvalStatus run_kept_call(Run *r, ExprId e, const Value **out);
/* e is a scalar number, Boolean or enumeration */
EvalStatus run_number(Run *r, ExprId e, double *out);
EvalStatus run_integer(Run *r, ExprId e, int64_t *out);

/* eval_array.c */
EvalStatus run_array(Run *r, ExprId e, Value *out); /* every operator of arrays and records */
EvalStatus run_element_wise(Run *r, ExprId e, Value *out);
/* base[…] := v for an OP_INDEX */
EvalStatus run_store(Run *r, ExprId index, Value *base, const Value *v);
EvalStatus run_index_number(Run *r, ExprId e, double *out); /* a scalar element */
/* all subscripts scalar */
EvalStatus run_offset(Run *r, ExprId index, const Value *base, int64_t *offset);

/* eval_value.c */
ElemKind value_kind(const Types *t, TypeId type);
static inline size_t value_elem_size(ElemKind k)
{
    return k == ELEM_ITEM ? sizeof(Value) : sizeof(double);
}
/* the elements of an array; a scalar is its own element */
const void *value_elems(const Types *t, const Value *v);
void value_take(const Types *t, Value *out, TypeId element, const void *elem);
/* NULL after a failure */
void *value_new_array(Run *r, Value *out, TypeId element, const int64_t *dims, uint32_t n);
Value value_copy(Run *r, Arena *arena, const Value *v);
/* gives records the sizes of their fields as their type's */
void value_settle(Types *types, Value *v);
/* numbers NaN, Strings empty; unknown dimensions 0 */
Value value_blank(Run *r, Arena *arena, TypeId type);

/* eval_call.c */
EvalStatus run_call(Run *r, const Function *f, const Value *args, Value *out);
EvalStatus run_local(Run *r, uint32_t k, const Value **out);
EvalStatus run_set_local(Run *r, uint32_t k, const Value *v);

/* eval_memo.c */
/* NULL if it was another call */
const Value *memo_find(const Run *r, const Function *f, const Value *args);
/* the copy */
const Value *memo_keep(Run *r, const Function *f, const Value *args, const Value *result);

/* eval_external.c */
/* the body of the function of the frame, whose variables are initialized */
EvalStatus run_external(Run *r);

/* eval_iter.c */
EvalStatus run_iteration(Run *r, ExprId e, Value *out); /* OP_COMPREHEND, OP_REDUCE */
EvalStatus run_range(Run *r, ExprId e, Value *out);
EvalStatus run_range_parts(Run *r, ExprId e, double *start, double *step, int64_t *n);
void run_reduce_empty(ExprOp op, double *out);
void run_reduce_step(ExprOp op, double *acc, double v);

/* eval_string.c */
/* OP_TO_STRING, OP_CONCAT; args: the values of those arguments that are there */
EvalStatus run_string(Run *r, ExprId e, const Value *args, Value *out);

#endif
