/* The syntax tree of a stored definition (Modelica 3.6, appendix A).
 *
 * Nodes live in the arena of their AstFile and are read-only once parsed. Lists are arrays with a
 * count, in source order. Every node has its Span. Optional children are NULL. Names are interned.
 * The tree keeps all that is needed to print the text again, up to layout and comments. */
#ifndef SYNTAX_AST_H
#define SYNTAX_AST_H

#include "base/context.h"

typedef struct AstExpr AstExpr;
typedef struct AstClass AstClass;
typedef struct AstMod AstMod;
typedef struct AstElement AstElement;
typedef struct AstEq AstEq;
typedef struct AstStmt AstStmt;

#define AST_LIST(T)                                                                                \
    struct {                                                                                       \
        T *at;                                                                                     \
        uint32_t n;                                                                                \
    }

/* ---- names ---- */

/* name = [ "." ] IDENT { "." IDENT }: a path of classes */
typedef struct AstName {
    Name *parts;
    uint32_t n;
    bool absolute; /* leading "." */
    Span span;
} AstName;

/* component-reference: one part per identifier, each with its subscripts */
typedef struct AstRefPart {
    Name name;
    AST_LIST(AstExpr *) subs; /* AST_COLON for ":" */
    Span span;
} AstRefPart;

typedef struct AstRef {
    AstRefPart *parts;
    uint32_t n;
    bool absolute;
    Span span;
} AstRef;

/* ---- expressions ---- */

typedef enum AstExprKind {
    AST_REAL,   /* UNSIGNED-REAL */
    AST_INT,    /* UNSIGNED-INTEGER */
    AST_STRING, /* decoded: escapes resolved */
    AST_BOOL,
    AST_REF,     /* component-reference, function name or class name */
    AST_UNARY,   /* op a */
    AST_BINARY,  /* a op b */
    AST_IF,      /* args: cond, then, { cond, then }, else */
    AST_CALL,    /* ref "(" arguments ")"; also der, initial, pure; ref names the function */
    AST_PARTIAL, /* "function" name "(" named arguments ")" */
    AST_ARRAY,   /* "{" args "}" */
    AST_MATRIX,  /* "[" rows "]": args are AST_ARRAY nodes, one per row */
    AST_RANGE,   /* args: start, [ step, ] stop */
    AST_TUPLE,   /* "(" output-expression-list ")": an item may be NULL; "(e)" is a tuple of one */
    /* "(" e ")" "." IDENT: args has the AST_TUPLE, or the expression before a further part; text is
     * the name */
    AST_FIELD,
    AST_ELEMENT, /* "(" e ")" array-subscripts: args has the same, then the subscripts */
    AST_END,     /* "end" in a subscript */
    AST_COLON,   /* ":" as a subscript or dimension */
} AstExprKind;

/* Operators that are signs, which the lexer reads, and those that are words. */
#define AST_SIGNS(X)                                                                               \
    X(LT, "<")                                                                                     \
    X(LE, "<=")                                                                                    \
    X(GT, ">")                                                                                     \
    X(GE, ">=")                                                                                    \
    X(EQ, "==")                                                                                    \
    X(NE, "<>")                                                                                    \
    X(ADD, "+")                                                                                    \
    X(SUB, "-")                                                                                    \
    X(EADD, ".+")                                                                                  \
    X(ESUB, ".-")                                                                                  \
    X(MUL, "*")                                                                                    \
    X(DIV, "/")                                                                                    \
    X(EMUL, ".*")                                                                                  \
    X(EDIV, "./")                                                                                  \
    X(POW, "^")                                                                                    \
    X(EPOW, ".^")

#define AST_OPERATORS(X)                                                                           \
    X(OR, "or")                                                                                    \
    X(AND, "and")                                                                                  \
    X(NOT, "not")                                                                                  \
    AST_SIGNS(X)

typedef enum AstOp {
#define X(id, text) AST_OP_##id,
    AST_OPERATORS(X)
#undef X
} AstOp;

const char *ast_op_text(AstOp op);

/* for-indices: IDENT [ "in" expression ] */
typedef struct AstIter {
    Name name;
    AstExpr *range; /* NULL if it must be inferred */
    Span span;
} AstIter;

typedef struct AstNamedArg {
    Name name;
    AstExpr *value;
    Span span;
} AstNamedArg;

struct AstExpr {
    AstExprKind kind;
    AstOp op; /* AST_UNARY, AST_BINARY */
    Span span;
    union {
        /* AST_REAL, AST_INT: the value, and the text as written; AST_FIELD: only the text */
        struct {
            double real;
            int64_t integer; /* AST_INT; also in real */
            Name text;
        };
        bool boolean;
        struct {
            const char *string; /* NUL-terminated; Modelica strings contain no NUL */
            uint32_t string_size;
        };
        AstRef *ref; /* AST_REF, AST_CALL, AST_PARTIAL */
    };
    AST_LIST(AstExpr *) args;    /* operands, items, positional arguments */
    AST_LIST(AstNamedArg) named; /* AST_CALL, AST_PARTIAL */
    AST_LIST(AstIter) iters;     /* f(e for i in r, …), {e for i in r, …}: args has only e */
};

/* ---- modification ---- */

typedef struct AstComment {
    const char *text;   /* string-comment, pieces joined; NULL if absent */
    AstMod *annotation; /* class-modification of the annotation; NULL if absent */
    Span span;
} AstComment;

/* An argument of a class-modification. */
typedef struct AstArg {
    /* is_break: "break" component or connect in extends */
    bool each, final, redeclare, replaceable, is_break;
    AstName name;          /* element-modification: the modified element (a path such as a.b) */
    AstMod *mod;           /* its modification; NULL if absent */
    AstElement *element;   /* element-redeclaration or element-replaceable; name is then its name */
    AstEq *broken_connect; /* "break connect(a, b)" */
    AstComment comment;
    Span span;
} AstArg;

/* modification = class-modification [ "=" expression ] | "=" expression | ":=" expression */
struct AstMod {
    AST_LIST(AstArg) args;
    bool has_args;  /* "()" was written, though perhaps empty */
    AstExpr *value; /* NULL if absent */
    bool is_break;  /* "= break" */
    Span span;
};

/* ---- elements ---- */

typedef enum AstVisibility { AST_PUBLIC, AST_PROTECTED } AstVisibility;
typedef enum AstFlow { AST_FLOW_NONE, AST_FLOW, AST_STREAM } AstFlow;
typedef enum AstVariability {
    AST_CONTINUOUS,
    AST_DISCRETE,
    AST_PARAMETER,
    AST_CONSTANT
} AstVariability;
typedef enum AstCausality { AST_ACAUSAL, AST_INPUT, AST_OUTPUT } AstCausality;

typedef enum AstElementKind {
    AST_EL_IMPORT,
    AST_EL_EXTENDS,
    AST_EL_CLASS,
    AST_EL_COMPONENT
} AstElementKind;

/* One component of a component-clause; clauses of several components are split. */
struct AstElement {
    AstElementKind kind;
    AstVisibility visibility;
    bool redeclare, final, inner, outer, replaceable;
    Span span;
    Name name; /* AST_EL_CLASS, AST_EL_COMPONENT; for an import its alias or NULL */

    /* AST_EL_IMPORT: import [ alias "=" ] path [ ".*" | ".{" list "}" ] */
    /* AST_EL_EXTENDS: type and mod */
    AstName type;               /* imported, extended, or type of the component */
    bool import_all;            /* ".*" */
    AST_LIST(Name) import_list; /* ".{a, b}" */

    AstClass *class_; /* AST_EL_CLASS */

    /* AST_EL_COMPONENT */
    AstFlow flow;
    AstVariability variability;
    bool nondiscrete; /* of the 1999 report: may change between events, for any type */
    AstCausality causality;
    AST_LIST(AstExpr *) type_dims; /* Real[3] x */
    AST_LIST(AstExpr *) dims;      /* x[3]; these come before type_dims in the type of x */
    AstExpr *condition;            /* "if" expression */
    AstMod *mod;                   /* of the component, or of extends */
    AstName constrained_by;        /* n = 0 if absent; also for classes */
    AstMod *constraint_mod;
    AstComment comment; /* also for imports and the annotation of extends */
    AstComment constraint_comment;
    uint32_t clause; /* components of one clause have the same number (for printing) */
};

/* ---- equations and statements ---- */

typedef enum AstEqKind {
    AST_EQ_SIMPLE,  /* lhs = rhs */
    AST_EQ_CALL,    /* a function or operator call without result: lhs is an AST_CALL */
    AST_EQ_CONNECT, /* connect(lhs, rhs) */
    AST_EQ_FOR,
    AST_EQ_IF,
    AST_EQ_WHEN,
} AstEqKind;

typedef struct AstEqBranch {
    AstExpr *condition; /* NULL for else, and for the body of a for */
    AST_LIST(AstEq *) body;
    Span span;
} AstEqBranch;

struct AstEq {
    AstEqKind kind;
    Span span; /* without the comment */
    AstExpr *lhs, *rhs;
    AST_LIST(AstIter) iters;
    /* for: one; if: conditions, then perhaps else; when: conditions */
    AST_LIST(AstEqBranch) branches;
    AstComment comment;
};

typedef enum AstStmtKind {
    AST_ST_ASSIGN, /* lhs := rhs; lhs an AST_REF, or an AST_TUPLE with rhs an AST_CALL */
    AST_ST_CALL,   /* rhs is an AST_CALL */
    AST_ST_FOR,
    AST_ST_IF,
    AST_ST_WHEN,
    AST_ST_WHILE,
    AST_ST_BREAK,
    AST_ST_RETURN,
} AstStmtKind;

typedef struct AstStmtBranch {
    AstExpr *condition;
    AST_LIST(AstStmt *) body;
    Span span;
} AstStmtBranch;

struct AstStmt {
    AstStmtKind kind;
    Span span;
    AstExpr *lhs, *rhs;
    AST_LIST(AstIter) iters;
    AST_LIST(AstStmtBranch) branches;
    AstComment comment;
};

typedef struct AstEqSection {
    bool initial;
    AST_LIST(AstEq *) eqs;
    Span span;
} AstEqSection;

typedef struct AstAlgSection {
    bool initial;
    AST_LIST(AstStmt *) stmts;
    Span span;
} AstAlgSection;

/* ---- classes ---- */

typedef enum AstRestriction {
    AST_CLASS,
    AST_MODEL,
    AST_RECORD,
    AST_OPERATOR_RECORD,
    AST_BLOCK,
    AST_CONNECTOR,
    AST_EXPANDABLE_CONNECTOR,
    AST_TYPE,
    AST_PACKAGE,
    AST_FUNCTION,
    AST_OPERATOR_FUNCTION,
    AST_OPERATOR,
} AstRestriction;

typedef enum AstClassForm {
    AST_LONG,         /* class A … end A */
    AST_EXTENDS_LONG, /* class extends A (mod) … end A */
    AST_SHORT,        /* class A = base-prefix B[dims] (mod) */
    AST_ENUMERATION,  /* type A = enumeration(…) */
    AST_ENUM_ANY,     /* type A = enumeration(:) */
    AST_DER_CLASS,    /* function A = der(B, x, y) */
} AstClassForm;

typedef struct AstEnumLiteral {
    Name name;
    AstComment comment;
    Span span;
} AstEnumLiteral;

typedef struct AstExternal {
    const char *language; /* "C" if not given */
    Name function;        /* NULL: the name of the Modelica function */
    AstRef *result;       /* NULL if the call has none */
    bool has_call;
    AST_LIST(AstExpr *) args;
    AstMod *annotation;
    Span span;
} AstExternal;

struct AstClass {
    Name name;
    AstRestriction restriction;
    AstClassForm form;
    bool encapsulated, partial, final; /* final: of the stored definition */
    bool pure, impure;                 /* of a function */
    Span span;                         /* the whole definition */
    Span name_span;

    /* AST_LONG, AST_EXTENDS_LONG; in source order, all visibilities */
    AST_LIST(AstElement *) elements;
    AST_LIST(AstEqSection) equations;
    AST_LIST(AstAlgSection) algorithms;
    AstExternal *external;

    AstName base;                      /* AST_SHORT, AST_DER_CLASS: the specialised class */
    AstCausality base_causality;       /* AST_SHORT: input or output prefix */
    AST_LIST(AstExpr *) base_dims;     /* AST_SHORT */
    AstMod *base_mod;                  /* AST_SHORT, AST_EXTENDS_LONG */
    AST_LIST(AstEnumLiteral) literals; /* AST_ENUMERATION */
    AST_LIST(Name) der_vars;           /* AST_DER_CLASS */

    AstComment comment; /* description and annotation */
};

typedef struct AstFile {
    Arena *arena;
    uint32_t source;
    bool has_within;
    AstName within; /* n = 0 for "within;" */
    AST_LIST(AstClass *) classes;
} AstFile;

/* ---- trees as a whole ---- */

void ast_free(AstFile *file);

/* Prints the tree as Modelica text, one statement a line. Parsing the text gives an equal tree. */
char *ast_print(const AstFile *file, Arena *arena);
char *ast_print_class(const AstClass *c, Arena *arena);
char *ast_print_expr(const AstExpr *e, Arena *arena);
char *ast_print_ref(const AstRef *r, Arena *arena);

/* Whether the class has annotation(__Kairos(balanced=false)). It then comes from a notation in
 * which only the whole model must be balanced, not each class and connector. */
bool ast_waives_balance(const AstClass *c);

/* name(…) = … in a modification; NULL if there is none. */
const AstMod *annotation_part(const AstMod *mod, const char *name);
const AstExpr *annotation_value(const AstMod *mod, const char *name);
/* of the annotation `version`; NULL if there is none */
const char *class_version(const AstClass *c);

/* The class of that name in the text of a file; its full name begins with the packages of `within`.
 * NULL if there is none. */
const AstClass *ast_find_class(const AstFile *file, const char *name);

/* Equal up to spans (names and literal texts compared by value, so also across contexts). */
bool ast_equal(const AstFile *a, const AstFile *b);
bool ast_equal_expr(const AstExpr *a, const AstExpr *b);
/* The contract as code. Returns the first violation as text, or NULL. */
const char *ast_check(const AstFile *file, Arena *arena);

/* Identifier as it is written in a text: quoted identifiers keep their quotes in Name ('a b' is the
 * name "'a b'"). */

#endif
