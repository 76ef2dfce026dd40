/* Typing: from syntax to typed expressions, for any scope that can resolve names.
 *
 * In: AstExpr and AstStmt, and a TypeScope that resolves names. Out: ExprId and Stmt. Types,
 * dimensions and conversions are explicit, operators are resolved, and built-in functions are
 * recognised. Calls have their arguments in order of the inputs, with defaults filled in and
 * vectorised calls expanded. After an error, which is reported, the result is EXPR_NONE; the caller
 * continues with the rest. Implements chapters 3, 6.6 to 6.8, 10, 12.4 of the specification. */
#ifndef INSTANCE_TYPING_H
#define INSTANCE_TYPING_H

#include "expr/eval/eval.h"
#include "syntax/tree/ast.h"

typedef struct TypeScope TypeScope;

/* An active iterator: its name and its value (a literal if the loop is unrolled, otherwise
 * OP_ITER). */
typedef struct TypeIter {
    Name name;
    ExprId value;
    struct TypeIter *outer;
} TypeIter;

struct TypeScope {
    Context *ctx;
    Graph *g;
    void *user; /* the instance (or function) with the names */

    /* The value of a reference to a component, constant or enumeration literal, with all its parts
     * and subscripts (use type_subscripts and type_index for these). It is OP_VAR, OP_LOCAL, a
     * literal for a constant, OP_RECORD for a record, or OP_ARRAY over the elements of an array of
     * components. The name of an enumeration (or Boolean), as a range, is an OP_ARRAY of its
     * literals. Iterators and `time` are handled before. EXPR_NONE after an error. */
    ExprId (*resolve)(TypeScope *scope, const AstRef *ref);
    /* The function, record constructor or enumeration of a call: exactly one field of the answer is
     * set. Built-in functions are handled before, unless a class of that name hides them. Nothing
     * is set after an error. */
    struct TypeCallee (*callee)(TypeScope *scope, const AstRef *ref);
    /* The value of a structural expression (dimension, subscript of a component, range of an
     * unrolled loop). EVAL_OK or reported. `what` names its use for the message: "dimension of x".
     */
    EvalStatus (*evaluate)(TypeScope *scope, ExprId e, Span span, const char *what, Value *out);
    /* The value of an expression of constants and of parameters that are final or already
     * structural; otherwise not EVAL_OK, without a message. NULL: never known. */
    EvalStatus (*settled)(TypeScope *scope, ExprId e, Value *out);
    /* True if a class hides the built-in function of that name: one in the scope, or at the top
     * for `.name`. NULL: none does. */
    bool (*hides)(TypeScope *scope, Name name, bool absolute);

    /* The functions of an operator ("'+'", "'constructor'", …) of an operator record; none for
     * other types. NULL: there are no operator records. */
    struct TypeOperators (*operators)(TypeScope *scope, TypeId record, const char *name);

    /* The number in Flat of the component that a reference names: argument of activeState.
     * UINT32_MAX after an error. NULL: there are no components. */
    uint32_t (*component)(TypeScope *scope, const AstRef *ref);

    /* The enumeration (or Boolean) by which a dimension of a component is declared: dimension `dim`
     * of part `part` of the reference; T_NONE for others. NULL: there are none. */
    TypeId (*index_type)(TypeScope *scope, const AstRef *ref, uint32_t part, uint32_t dim);

    /* Zeros in the dimensions of an array of components that has no value itself (an array of
     * models): argument of size and ndims. EXPR_NONE for others. NULL: there are none. */
    ExprId (*extent)(TypeScope *scope, const AstRef *ref);

    /* getInstanceName(): "Vehicle.engine". NULL: there are no instances. */
    ExprId (*instance_name)(TypeScope *scope);

    TypeIter *iters;  /* innermost first */
    bool has_end;     /* inside subscripts: `end` has a meaning */
    int64_t end_size; /* its value; DIM_UNKNOWN: size of end_of along end_dim */
    /* array that `end` refers to; EXPR_NONE if there is none yet (an array of components) */
    ExprId end_of;
    uint32_t end_dim; /* from 0 */
    /* the name of an enumeration, or Boolean, means the vector of its values */
    bool in_range;
    /* of an if-expression that may not be chosen: values out of range are not reported */
    bool in_branch;
    bool no_time; /* in a record, connector or package, time is not known */
    /* a missing value is not an error: evaluate returns EVAL_UNKNOWN without a message */
    bool optional;
    bool in_function; /* dimensions may be unknown, OP_LOCAL exist */
    bool in_section;  /* statements of a model: bounds of ranges and sizes may be unknown */
    /* the function whose body is typed: its inputs are not assignable; NULL: not checked */
    const Function *function;
    /* of nesting; a scope made while another is at work takes over its depth */
    unsigned depth;
};

/* A function as an argument: some of its inputs may have values already (Modelica 3.6,
 * section 12.4.2). */
typedef struct TypeFunction {
    Function *function;
    ExprId *bound; /* size function->n_in: EXPR_NONE for inputs that are left open */
} TypeFunction;

typedef struct TypeInput {
    Name name;
    bool is_function;
} TypeInput;

/* The values that a record constructor is given. */
typedef struct TypeFields {
    ExprId (*value)(struct TypeFields *fields,
                    uint32_t field); /* a default if none is given; EXPR_NONE after an error */
} TypeFields;

typedef struct TypeOperators {
    Function *const *at;
    uint32_t n;
} TypeOperators;

typedef struct TypeCallee {
    Function *function;
    /* of `function`: values of inputs that a call no longer gives; NULL for none */
    const ExprId *bound;
    /* A function that takes functions has no Function itself: `inputs` is set instead, with all its
     * inputs. `specialise` makes its Function for the given functions, in order of those inputs.
     * The Function lacks these, and has at its end one input for every value bound in them. NULL
     * after an error. */
    const TypeInput *inputs;
    uint32_t n_inputs;
    Function *(*specialise)(TypeScope *scope, void *user, const TypeFunction *given, Span span);
    /* record constructor: arguments are its fields; defaults by call-back of `record_default` */
    TypeId record;
    TypeId enumeration; /* conversion Integer → enumeration E(i) */
    ExprId (*record_default)(TypeScope *scope, TypeId record, uint32_t field, TypeFields *fields,
                             void *user); /* EXPR_NONE: no default */
    ExprId (*record_size)(TypeScope *scope, TypeId record, uint32_t field, uint32_t dim,
                          TypeFields *fields, void *user); /* as declared; EXPR_NONE if it is ":" */
    void *user;
} TypeCallee;

ExprId type_expr(TypeScope *scope, const AstExpr *e);
/* The same, converted to `want` if the language allows it (Integer to Real, sizes equal or
 * unknown). Otherwise an error names both types and `what` ("binding of R"). */
ExprId type_expr_as(TypeScope *scope, const AstExpr *e, TypeId want, const char *what);
ExprId type_convert(TypeScope *scope, ExprId e, TypeId want, Span span, const char *what);

/* Subscripts of a part with `n` dimensions of `array` (EXPR_NONE while unknown): writes one ExprId
 * per subscript. False after an error. */
bool type_subscripts(TypeScope *scope, const AstRefPart *part, ExprId array, ExprId *subs);
/* The same for an array of components. It has only its n sizes, and the enumerations (or Boolean)
 * that declare its dimensions; T_NONE for others. Literal subscripts are checked. */
bool type_subscripts_in(TypeScope *scope, const AstRefPart *part, const int64_t *dims, uint32_t n,
                        const TypeId *index, ExprId *subs);
/* array[subs…], folded if everything is literal (an OP_INDEX of an OP_ARRAY with literal subscripts
 * is the element); out-of-range literal subscripts are reported. */
ExprId type_index(TypeScope *scope, ExprId array, const ExprId *subs, uint32_t n, Span span);

/* The range of an iterator without a written range, from its first use as a subscript in e (section
 * 11.2.2.1): 1:n, or all values of a type. Otherwise EXPR_NONE, without a message. */
ExprId type_inferred_range(TypeScope *scope, Name iterator, const AstExpr *e);

/* The field of a record, or of an array of records; folded if the record is an OP_RECORD. Unknown
 * fields are reported. */
ExprId type_field(TypeScope *scope, ExprId record, Name field, Span span);

/* A call for its effect (assert, terminate, reinit, or a function), as a statement of that kind.
 * False after an error. */
bool type_effect(TypeScope *scope, const AstExpr *call, Stmt *out);
/* Statements of an algorithm. False after an error (the typed statements are in the list). */
bool type_statements(TypeScope *scope, AstStmt *const *stmts, uint32_t n, Stmt **out,
                     uint32_t *n_out);

/* Two sides of an equation brought to one type: Integer to Real, equal sizes. False after
 * an error.
 */
bool type_equation(TypeScope *scope, ExprId *lhs, ExprId *rhs, Span span);

/* Name of built-in function i; NULL after the last. */
const char *typing_builtin_name(uint32_t i);

#endif
