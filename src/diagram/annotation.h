/* Reads graphical annotations (chapter 18.6). They are records, written as class-modifications,
 * Icon(graphics = …), or as calls, Line(points = …). Their values are in the scope of their class.
 * Without values of a run, only the static part of DynamicSelect counts. */
#ifndef DIAGRAM_ANNOTATION_H
#define DIAGRAM_ANNOTATION_H

#include "diagram/drawing.h"
#include "instance/tree/tree.h"

/* Values of variables at a time of a run, as literals, for the second part of DynamicSelect. */
typedef struct DynamicValues {
    const char *const *names, *const *values; /* full names: "tank.level" */
    uint32_t n;
    Arena *arena;
    VEC(const char *) seen; /* names in such parts, also those without a value */
} DynamicValues;

/* A record of an annotation with its place; `mod` and `call` are NULL if there is none. */
typedef struct Record {
    Library *lib;
    Scope scope;
    const AstMod *mod;
    const AstExpr *call;
    DynamicValues *dynamic; /* NULL: static parts are read */
} Record;

static inline bool record_is_there(Record r)
{
    return r.mod || r.call;
}

Record record_part(Record r, const char *name);            /* a record within */
const AstExpr *record_field(Record r, const char *name);   /* NULL if it is not given */
bool expr_is_call(const AstExpr *e, const char *function); /* e = function(…) */

/* Values. If a value is not given, or is unknown before the simulation, the result is `otherwise`
 * or false. */
double read_number(Record r, const char *name, double otherwise);
bool read_flag(Record r, const char *name, bool otherwise);
bool read_point(Record r, const char *name, Point *out);
/* as written: the first corner may be the upper one */
bool read_extent(Record r, const char *name, Point out[2]);
Colour read_colour(Record r, const char *name, Colour otherwise);
/* The number among `words` (NULL at the end) of the enumeration literal given. */
int read_word(Record r, const char *name, const char *const *words, int otherwise);
const char *read_string(Record r, const char *name); /* NULL if it is not given */
/* Numbers of an array of any depth, in order; returns their number, at most `room`. */
uint32_t read_numbers(Record r, const AstExpr *e, double *out, uint32_t room);
/* Without parentheses, and the part of DynamicSelect that counts. */
const AstExpr *chosen_part(Record r, const AstExpr *e);

/* dynamic.c: the dynamic part with the values in it; NULL: it cannot be evaluated. */
const AstExpr *dynamic_part(Record r, const AstExpr *e);

#endif
