/* Functions and statements, typed: the form of algorithms. */
#ifndef EXPR_FUNCTION_H
#define EXPR_FUNCTION_H

#include "expr/graph.h"

typedef enum FnVarKind { FN_INPUT, FN_OUTPUT, FN_LOCAL } FnVarKind;

typedef struct FnVar {
    Name name;
    FnVarKind kind;
    TypeId type;
    /* size type_rank; how to compute each dimension; EXPR_NONE for ":" (taken from the argument or
     * the binding) */
    ExprId *dims;
    /* for a record with unknown sizes: the initial sizes in order of the fields, nested records in
     * place. EXPR_NONE if the declaration has none. NULL for others */
    ExprId *sizes;
    ExprId binding; /* default of an input, initial value of the others; EXPR_NONE if absent */
    Span span;
} FnVar;

typedef enum StmtKind {
    /* lhs := rhs; lhs is OP_LOCAL, OP_VAR, OP_INDEX or OP_FIELD of these (nested), or OP_TUPLE. For
     * OP_TUPLE, rhs is a call, or an OP_TUPLE whose values are all computed first */
    STMT_ASSIGN,
    STMT_CALL,  /* rhs is evaluated for its effect */
    STMT_IF,    /* branches */
    STMT_WHEN,  /* branches; only in algorithm sections of models */
    STMT_FOR,   /* lhs is the OP_ITER, rhs the range vector, branches[0].body */
    STMT_WHILE, /* branches[0] */
    STMT_BREAK,
    STMT_RETURN,
    STMT_ASSERT,    /* lhs condition, rhs message; level */
    STMT_TERMINATE, /* rhs message */
    STMT_REINIT,    /* lhs state, rhs value */
} StmtKind;

typedef struct Stmt Stmt;

typedef struct StmtBranch {
    ExprId condition; /* EXPR_NONE for else and for bodies of for */
    Stmt *body;       /* size n */
    uint32_t n;
} StmtBranch;

struct Stmt {
    StmtKind kind;
    bool warning; /* STMT_ASSERT: AssertionLevel.warning */
    Span span;
    ExprId lhs, rhs;
    StmtBranch *branches;
    uint32_t n_branches;
};

/* In the text of an FMU: FnExternal.object. */
#define FN_OBJECT_ANNOTATION "__Kairos_object"

typedef struct FnExternal {
    const char *language; /* "C", "FORTRAN 77", "builtin" */
    Name symbol;
    ExprId *args; /* over OP_LOCAL */
    uint32_t n_args;
    /* index of the output that takes the C result; UINT32_MAX for none */
    uint32_t result;
    const char **libraries, **includes; /* annotations Library (names) and Include (C text) */
    uint32_t n_libraries, n_includes;
    /* Folders of the annotations IncludeDirectory, LibraryDirectory and SourceDirectory, or their
     * defaults in the Resources of the library; NULL if there is none */
    const char *include_folder, *library_folder, *source_folder;
    /* URIs of these folders, which do not depend on the place of the library */
    const char *include_uri, *library_uri, *source_uri;
    /* file of the compiled entry in Graph.objects, instead of all these; NULL if there is none */
    const char *object;
    Span span; /* of the external clause; no place for functions of Kairos */
    /* the function that this was made from, with records; its arguments are the slots of
     * external/external.h. NULL for a function as it was declared */
    const Function *whole;
} FnExternal;

/* One derivative annotation (section 12.7.1). */
typedef struct FnDerivative {
    Function *function;
    uint32_t order;
    uint8_t *inputs; /* size n_in of the function it belongs to: FnDerivativeInput */
} FnDerivative;

typedef enum FnDerivativeInput {
    FN_DIFFERENTIATED, /* if it is Real: its derivative is an input of the derivative */
    FN_ZERO,           /* zeroDerivative: the annotation applies only if its derivative is zero */
    FN_NOT,            /* noDerivative: taken as if its derivative were zero */
} FnDerivativeInput;

/* Annotation __Kairos_rows(x = "1 2;*;…"): the elements of the input x, a vector, that each element
 * of the output depends on, counted from 1; all of them for '*'. Wrappers of FMUs have it. */
typedef struct FnRows {
    uint32_t input;
    uint32_t n;      /* rows */
    uint32_t *start; /* size n + 1: where the items of a row begin */
    uint32_t *items; /* elements from 0; NONE: all */
} FnRows;

typedef enum FnInline { FN_INLINE_DEFAULT, FN_INLINE_NEVER, FN_INLINE, FN_INLINE_LATE } FnInline;

struct Function {
    Name name;   /* full name */
    uint32_t id; /* index in Graph.functions */
    FnVar *vars; /* inputs, then outputs, then locals */
    uint32_t n_vars, n_in, n_out;
    Stmt *body;
    uint32_t n_body;
    /* NULL if the body is an algorithm; otherwise the body comes before the call */
    FnExternal *external;
    TypeId result; /* type of a call: T_NONE, the type of the one output, or a TYPE_TUPLE */
    bool impure;
    bool of_section; /* made of an algorithm section of a model */
    /* replaced by its value if that is simple: annotated with Inline, or operator of a record */
    bool inlined;
    bool ready; /* false while its body is being typed: recursion is allowed, evaluation is not */
    Span span;
    Function *inverse;         /* inverse annotation, NULL if there is none */
    uint32_t inverse_input;    /* index of the input that `inverse` computes */
    FnDerivative *derivatives; /* size n_derivatives: the derivative annotations, in order */
    uint32_t n_derivatives;
    FnRows *rows;         /* NULL: each result depends on all arguments */
    int32_t smooth_order; /* smoothOrder; -1 if not given */
    uint8_t inlining;     /* FnInline: annotations Inline, LateInline */
    bool generate_events; /* GenerateEvents */
    /* for function g = der(f, x, …): f. It has no body until dae makes it */
    Function *partial_of;
    uint32_t *partial_inputs; /* size n_partial: inputs with respect to which, in order */
    uint32_t n_partial;
    Function *destructor; /* of the constructor of an external object: what frees it */
};

#endif
