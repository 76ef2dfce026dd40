/* Descriptions of classes and models for tools, as JSON: lists, descriptions, completion. Only for
 * the public interface (src/api).
 *
 * In: a library, or a compiled model. Out: text. Nothing changes except that lookups load classes.
 */
#ifndef INSPECT_INSPECT_H
#define INSPECT_INSPECT_H

#include "base/text.h"
#include "instance/instance.h"
#include "structure/plan/plan.h"

/* As kairos_describe_model of kairos.h says. */
void inspect_model(const Flat *flat, const Plan *plan, Text *t);

struct Columns; /* of output/output.h */
/* ,"reads":[…]: columns that the points of a surface depend on, null for variables without one. */
void inspect_put_reads(Text *t, const Flat *flat, const struct Columns *columns, ExprId points);

/* As kairos_describe_surface of kairos.h says; false if the surface has no points. */
typedef struct InspectSurface {
    const char *name;
    double time;
    const double *values; /* in the order of "reads" */
    unsigned n;
} InspectSurface;
bool inspect_surface(const Flat *flat, const InspectSurface *asked, Text *t);

/* Values of parameters with their defaults, by VarId; NAN if unknown before the run, and for other
 * variables. Freed by memory_free. */
double *inspect_parameters(const Plan *plan);

/* See kairos_describe_equations of kairos.h. The model is compiled up to its structure. */
void inspect_equations(const Flat *flat, const Plan *plan, Text *t);

/* Rows of the tree: the classes in class `name`; "": of all libraries; NULL: of the text added
 * last. False if there is no such class. */
bool inspect_classes(Library *lib, const char *name, Text *t);
/* Rows of a top-level class and everything in it. */
bool inspect_all(Library *lib, const char *name, Text *t);
/* All about one class. */
bool inspect_class(Library *lib, const char *name, Text *t);

/* A class by its full name, also if it is protected or in a partial package; NULL if there is none.
 */
Instance *inspect_find(Library *lib, const char *name);

struct Element;
/* The text of a class, loaded if necessary; NULL if it cannot be loaded. */
const AstClass *inspect_ast(Library *lib, const struct Element *e);

/* Files of libraries read so far: [{"name":"Modelica.Blocks","path":…}] */
void inspect_loaded(const Library *lib, Text *t);
/* The packages at the top level from which something was loaded: name, and path of the file. */
void inspect_each_package(const Library *lib,
                          void (*visit)(void *user, const char *name, const char *path),
                          void *user);
/* The classes in the text added last: [{"name":…, "kind":…, "line":…}] */
void inspect_file(const Library *lib, Text *t);

/* ,"path":…,"line":…,"column":… — nothing if it is nowhere. */
void inspect_put_place(Text *t, const Context *ctx, Span span);
/* ,"name":text — null if it is NULL. */
void inspect_put_field(Text *t, const char *name, const char *value);

#endif
