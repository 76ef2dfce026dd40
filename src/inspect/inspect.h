/* What tools ask about classes and models, as JSON: lists, descriptions, completion. For the public interface (session.h) alone.
 *
 * In: a library, or a compiled model. Out: text. Nothing is changed but what lookups load. */
#ifndef INSPECT_INSPECT_H
#define INSPECT_INSPECT_H

#include "base/text.h"
#include "compile.h"

/* {"name":…, "experiment":…, "parameters":[…], "starts":[…], "variables":[…]}; the variables are the columns of rows. */
void inspect_model(const Compilation *c, Text *t);

/* Files of libraries read so far: [{"name":"Modelica.Blocks","path":…}] */
void inspect_loaded(const Library *lib, Text *t);
/* The classes in the text added last: [{"name":…, "kind":…, "line":…}] */
void inspect_file(const Library *lib, Text *t);

/* ,"path":…,"line":…,"column":… — nothing where it is nowhere. */
void inspect_put_place(Text *t, const Context *ctx, Span span);
/* ,"name":text — null where it is NULL. */
void inspect_put_field(Text *t, const char *name, const char *value);
void inspect_put_number(Text *t, double x); /* null where it is not finite */

#endif
