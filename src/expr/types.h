/* Types of expressions, interned: equal types have equal ids. */
#ifndef EXPR_TYPES_H
#define EXPR_TYPES_H

#include "base/context.h"

typedef uint32_t TypeId;

typedef enum TypeKind {
    TYPE_NONE, /* no value (a call without result), or unknown after an error */
    TYPE_REAL,
    TYPE_INT,
    TYPE_BOOL,
    TYPE_STRING,
    TYPE_CLOCK,
    TYPE_ENUM,     /* values 1..n */
    TYPE_RECORD,   /* fields in order of declaration, those of base classes first */
    TYPE_EXTERNAL, /* an external object */
    TYPE_ARRAY,    /* of a type that is not an array; at least one dimension */
    TYPE_TUPLE,    /* several results of a call */
    TYPE_FUNCTION, /* a function as a value */
} TypeKind;

/* The first ids are fixed. */
enum { T_NONE = TYPE_NONE, T_REAL, T_INT, T_BOOL, T_STRING, T_CLOCK, T_FIRST_OTHER };

enum { DIM_UNKNOWN = -1 }; /* ":" in a function, or a size that depends on an input */

typedef struct TypeField {
    Name name;
    TypeId type;
} TypeField;

typedef struct Type {
    TypeKind kind;
    TypeId element;    /* TYPE_ARRAY */
    uint32_t n;        /* dimensions, fields, literals, or items of a tuple */
    int64_t *dims;     /* TYPE_ARRAY, size n */
    TypeField *fields; /* TYPE_RECORD, TYPE_TUPLE (name may be NULL), TYPE_ENUM (only the name) */
    Name name;         /* TYPE_RECORD, TYPE_ENUM, TYPE_EXTERNAL: full name of the class */
} Type;

typedef struct Types Types;

Types *types_new(void);
void types_free(Types *t);
const Type *type_get(const Types *t, TypeId id);
/* element itself for n = 0; flattens nested arrays: the new dims come first */
TypeId type_array(Types *t, TypeId element, const int64_t *dims, uint32_t n);
TypeId type_record(Types *t, Name name, const TypeField *fields, uint32_t n);
TypeId type_enum(Types *t, Name name, const Name *literals, uint32_t n);
TypeId type_tuple(Types *t, const TypeId *items, uint32_t n);
TypeId type_external(Types *t, Name name);

TypeId type_element(const Types *t, TypeId id); /* of an array its element type, otherwise itself */
uint32_t type_rank(const Types *t, TypeId id);  /* number of dimensions; 0 for a scalar */
int64_t type_dim(const Types *t, TypeId id, uint32_t k);
int64_t type_count(const Types *t,
                   /* number of elements: 1 for a scalar; DIM_UNKNOWN if a dimension is unknown */
                   TypeId id);
/* it, or a part of it, has an unknown size */
bool type_is_open(const Types *t, TypeId id);
TypeId type_drop(Types *t, TypeId id, uint32_t k);         /* without its first k dimensions */
bool type_is_numeric(const Types *t, TypeId id);           /* Real or Integer, or array of these */
char *type_print(const Types *t, TypeId id, Arena *arena); /* "Real[3, 2]" */

#endif
