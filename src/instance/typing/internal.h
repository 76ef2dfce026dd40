/* Shared by the files of typing. All functions report their errors and then return EXPR_NONE or
 * false. */
#ifndef INSTANCE_TYPE_INTERNAL_H
#define INSTANCE_TYPE_INTERNAL_H

#include "instance/typing/typing.h"

static inline ExprId typing_nothing(void)
{
    return EXPR_NONE;
}

/* Records an error and yields EXPR_NONE. */
#define TELL(s, span, code, ...)                                                                   \
    (diag((s)->ctx, (span), DIAG_##code, __VA_ARGS__), typing_nothing())

/* A list of expressions that needs no heap while it is short. */
typedef struct IdList {
    ExprId *at;
    uint32_t n, cap;
    ExprId room[12];
} IdList;

void ids_init(IdList *l);
void ids_push(IdList *l, ExprId e);
void ids_free(IdList *l);

/* ---- types (type_convert.c) ---- */

typedef enum Fit { FIT_OK, FIT_KIND, FIT_RANK, FIT_SIZE } Fit;

const char *typing_text(const TypeScope *s, TypeId t); /* for messages */
static inline TypeKind typing_kind(const TypeScope *s, TypeId t)
{
    return t < T_FIRST_OTHER ? (TypeKind)t : type_get(s->g->types, t)->kind;
}
static inline bool typing_is_scalar(const TypeScope *s, TypeId t)
{
    return t < T_FIRST_OTHER || type_rank(s->g->types, t) == 0;
}
/* The type that both fit into: Integer with Real is Real, an unknown size becomes the known one. On
 * FIT_SIZE `dim` is the first dimension (from 0) that differs. */
Fit typing_common(TypeScope *s, TypeId a, TypeId b, TypeId *common, uint32_t *dim);
/* Whether the types, or fields of records of one form, differ only in sizes. */
bool typing_differ_in_size(TypeScope *s, TypeId a, TypeId b);
/* Compares only dimensions. */
Fit typing_same_dims(const TypeScope *s, TypeId a, TypeId b, uint32_t *dim);
/* `shape` with its elements replaced by `element`. */
TypeId typing_with_element(TypeScope *s, TypeId shape, TypeId element);
/* ": sizes differ in dimension 1 (3 and 2)", or "" if that is not the reason; for messages. */
const char *typing_reason(TypeScope *s, Fit fit, TypeId a, TypeId b, uint32_t dim);
ExprId typing_to_real(TypeScope *s, ExprId e); /* of a numeric expression */
/* As type_convert, but silent: EXPR_NONE if the language has no conversion. */
ExprId typing_try_convert(TypeScope *s, ExprId e, TypeId want);

/* ---- expressions (type_expr.c) ---- */

/* One value: the first result of a call with several. Calls without result are reported. */
ExprId typing_operand(TypeScope *s, const AstExpr *e);
ExprId typing_first_result(TypeScope *s, ExprId e, Span span);
/* An operand that must be a scalar of this type (after conversion); `what` for the message. */
ExprId typing_scalar(TypeScope *s, const AstExpr *e, TypeId want, const char *what);
/* True if e contains an iterator of a loop that is kept. */
bool typing_has_iter(const TypeScope *s, ExprId e);
/* A size: of a literal, in models of any structural expression; DIM_UNKNOWN in functions and kept
 * loops. */
bool typing_size(TypeScope *s, ExprId e, Span span, const char *what, int64_t *out);
/* A literal instead of e if a structural value is allowed and e has one; otherwise e itself.
 * EXPR_NONE after an error. */
ExprId typing_structural(TypeScope *s, ExprId e, Span span, const char *what);
/* The same for a bound of a range or a size, which may depend on variables in statements. */
ExprId typing_bound(TypeScope *s, ExprId e, Span span, const char *what);
/* Removes the messages after the first `before` if they are all about subscripts out of range;
 * false if there are others, or none. */
bool typing_forget_ranges(TypeScope *s, uint32_t before);
/* A condition as a literal if its value is certain; otherwise itself. */
ExprId typing_settled(TypeScope *s, ExprId c);

/* ---- operators (type_operator.c) ---- */

ExprId typing_unary(TypeScope *s, const AstExpr *e);
ExprId typing_binary(TypeScope *s, const AstExpr *e);
/* n-ary sums, products, … of terms already of one type, in time linear in n. n > 0. */
ExprId typing_nary(TypeScope *s, ExprOp op, TypeId type, const ExprId *terms, uint32_t n);

/* ---- operator records (type_overload.c) ---- */

/* True if operators on a value of this type, or on its elements, are a record's own. */
bool typing_is_overloaded(const TypeScope *s, TypeId type);
ExprId typing_overloaded_binary(TypeScope *s, const AstExpr *e, ExprId a, ExprId b);
ExprId typing_overloaded_unary(TypeScope *s, const AstExpr *e, ExprId a);
/* C(…) by a constructor of the operator record, String(c, …). *found is false, without a message,
 * if no constructor takes the arguments. */
ExprId typing_overloaded_call(TypeScope *s, const AstExpr *call, TypeId record, const char *name,
                              bool *found);
/* sum (OP_SUM) or product of n values of an operator record; n may be 0. */
ExprId typing_overloaded_reduce(TypeScope *s, ExprOp op, const AstExpr *e, TypeId record,
                                const ExprId *items, uint32_t n);

/* ---- arrays (type_array.c, type_iterate.c) ---- */

ExprId typing_array(TypeScope *s, const AstExpr *e); /* {…}, array(…) */
ExprId typing_matrix(TypeScope *s, const AstExpr *e);
ExprId typing_range(TypeScope *s, const AstExpr *e);
/* An OP_ARRAY of items, brought to one type. `element` is the type of elements of an empty array.
 */
ExprId typing_array_of(TypeScope *s, ExprId *items, uint32_t n, TypeId element, Span span);
/* dim from 0 */
ExprId typing_cat(TypeScope *s, uint32_t dim, ExprId *items, uint32_t n, Span span);
ExprId typing_promote(TypeScope *s, ExprId e, uint32_t rank, Span span);
ExprId typing_element(TypeScope *s, ExprId array, int64_t k, Span span); /* array[k] */
/* Range of an iterator, as a vector; if it is not written, from the use in `body` or in the
 * statements. */
ExprId typing_iter_range(TypeScope *s, const AstIter *it, const AstExpr *body,
                         AstStmt *const *stmts, uint32_t n);
ExprId typing_inferred_range(TypeScope *s, Name iterator, AstStmt *const *stmts, uint32_t n);
ExprId typing_comprehension(TypeScope *s, const AstExpr *e);
/* op: OP_SUM, OP_PRODUCT, OP_MIN_OF, OP_MAX_OF */
ExprId typing_reduction(TypeScope *s, const AstExpr *e, ExprOp op);

/* One element of a vectorised call. */
typedef ExprId (*ElementFn)(TypeScope *s, void *user, const ExprId *args);
/* Calls fn for every element of the leading dimensions `dims`, and makes an array of the answers.
 * It runs over the args whose bit in `mask` is set. Elements of an empty array have the type
 * `element`. Unknown sizes become OP_COMPREHEND. */
typedef struct Vectorised {
    ElementFn fn;
    void *user;
    uint32_t n;       /* arguments */
    const bool *mask; /* size n */
    TypeId shape;     /* an array type whose dimensions are the leading ones */
    TypeId element;
    Span span;
} Vectorised;
ExprId typing_vectorise(TypeScope *s, const Vectorised *v, const ExprId *args);

/* ---- calls (type_builtin.c, type_array_functions.c, type_call.c) ---- */

/* A call of f, vectorised if arguments have more dimensions than the inputs. slots: size f->n_in,
 * EXPR_NONE for the default; `at` is the call, or its operator. */
ExprId typing_call_function(TypeScope *s, Function *f, const AstExpr *at, const ExprId *slots);
/* The value of a call as an expression over its arguments, for functions to be inlined that have
 * simple bodies (section 18.3). Otherwise EXPR_NONE, without a message. */
ExprId typing_inline(TypeScope *s, const Function *f, const ExprId *slots);

typedef struct Builtin Builtin;
typedef ExprId (*BuiltinFn)(TypeScope *s, const Builtin *b, const AstExpr *call);
struct Builtin {
    const char *name;
    BuiltinFn fn;
    ExprOp op;
    uint32_t min, max; /* number of positional arguments */
};

ExprId typing_call(TypeScope *s, const AstExpr *call);
/* The built-in function of that name; NULL if there is none. */
const Builtin *typing_find_builtin(const char *name);
ExprId typing_connections(TypeScope *s, const AstExpr *call); /* Connections.… (section 9.4) */
ExprId typing_call_builtin(TypeScope *s, const Builtin *b, const AstExpr *call);
/* The call with its named arguments as positional ones; NULL after an error. */
const AstExpr *typing_in_order(TypeScope *s, const Builtin *b, const AstExpr *call);
/* A function of numbers, applied to typed arguments (element by element). `known` is false if b is
 * not such a function. */
ExprId typing_apply_builtin(TypeScope *s, const Builtin *b, ExprId *args, uint32_t n, Span span,
                            bool *known);
/* The argument in position i or of that name; NULL if it is not given. */
const AstExpr *typing_argument(const AstExpr *call, uint32_t i, const char *name);
/* The positional arguments, typed. False after an error. */
bool typing_positional(TypeScope *s, const AstExpr *call, ExprId *args);

/* handlers of type_clock.c */
ExprId clock_constructor(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_factor(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_of_value(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_previous(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_query(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_shift(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_active_state(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId clock_in_state(TypeScope *s, const Builtin *b, const AstExpr *call);
/* sample(u), sample(u, clock); `clock` is EXPR_NONE if it is not given */
ExprId clock_sample(TypeScope *s, const AstExpr *call, ExprId clock);

/* handlers of type_array_functions.c */
ExprId array_fn_array(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_cat(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_cross(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_diagonal(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_fill(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_identity(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_linspace(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_matrix(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_ndims(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_outer(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_reduce(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_scalar(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_size(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_skew(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_square(TypeScope *s, const Builtin *b, const AstExpr *call);
ExprId array_fn_vector(TypeScope *s, const Builtin *b, const AstExpr *call);

#endif
