/* Inside the printer of flat models: flat_print.c prints the model, flat_print_classes.c the
 * functions, records and enumerations it uses. */
#ifndef FLATTEN_FLAT_PRINT_H
#define FLATTEN_FLAT_PRINT_H

#include "flatten/flat/flat.h"

#include "base/text.h"

/* A class that the model uses: a function, a type, or a function for simultaneous assignments. */
typedef struct Used {
    const char *name;         /* as printed; unique */
    Name own;                 /* its name in the graph */
    const Function *function; /* NULL for a type */
    TypeId type; /* of a record, enumeration or external object; a tuple for a function of values */
} Used;

typedef struct FlatPrinter {
    const Flat *f;
    Text t;
    Arena *arena;             /* scratch */
    const Function *function; /* being printed; NULL in the model */
    VEC(Used) used;           /* by name */
    Map types, functions;     /* TypeId, id of a function → index in used */
    /* function and number of a result → id of the function that returns only it */
    Map results;
    Map names; /* hashes of the names of the model's variables as printed */
    Map nodes; /* seen while collecting */
    /* index of an OP_ITER → number of iterators around it, itself counted */
    Map iterators;
    uint32_t n_iterators; /* the owner of the present scope */
    /* index of a constant → its value as a literal; EXPR_NONE if it has none */
    Map literals;
    unsigned depth; /* of bindings being evaluated */
} FlatPrinter;

void flat_indent(FlatPrinter *p, unsigned depth);
void flat_put_string(FlatPrinter *p, const char *s);
void flat_put_dims(FlatPrinter *p, TypeId type);            /* "[2, 3]"; nothing for a scalar */
const char *flat_identifier(FlatPrinter *p, const char *s); /* as it is, or quoted */
const char *flat_expr(FlatPrinter *p, ExprId e);
void flat_statements(FlatPrinter *p, const Stmt *stmts, uint32_t n, unsigned depth);

/* The value of a constant as a literal; EXPR_NONE for other variables. */
ExprId flat_constant(FlatPrinter *p, uint32_t var);
/* of the function being printed, or the model */
bool flat_has_variable(const FlatPrinter *p, const char *name);

/* An if-equation without the branches that parameters rule out; a branch that they choose has no
 * condition. */
FlatEq flat_reduced(FlatPrinter *p, const FlatEq *eq);

/* Collects the classes that the model uses. */
void flat_classes_collect(FlatPrinter *p);
void flat_classes_free(FlatPrinter *p);
void flat_classes_print(FlatPrinter *p);
/* The name of the function that an expression calls; NULL if it was not collected. */
const char *flat_function_of_expr(FlatPrinter *p, ExprId e);
/* of an element type: predefined, or collected */
const char *flat_class_of_type(FlatPrinter *p, TypeId type);
const char *flat_class_of_values(FlatPrinter *p, ExprId tuple);

#endif
