/* Inside the service: all places that mean one declaration. */
#ifndef SERVICE_USES_H
#define SERVICE_USES_H

#include "service/cursor.h"

/* `c` is at the use; `m` is its meaning. */
typedef void (*UseFn)(void *user, const Cursor *c, const Meaning *m);

/* Calls `fn` for the uses of the declaration that the name at `declared` makes, also for the
 * declaration itself: in the text of the question, and in the files of the workspace if
 * `everywhere`. */
void each_use(Service *s, Span declared, bool everywhere, UseFn fn, void *user);
/* Whether the file of a span is one of the workspace. */
bool is_of_workspace(const Service *s, Span span);
bool is_same_place(const Library *lib, Span a, Span b);
/* Calls `fn` for each identifier in bytes [from, to) of the cursor's text. */
void each_identifier(Cursor *c, size_t from, size_t to, Name only, UseFn fn, void *user);
Span use_span(const Cursor *c, const Meaning *m);
/* {"name", "kind", "uri", "range", "selectionRange"} of a class, for hierarchies. */
void put_class_item(Text *t, Library *lib, const AstClass *c);

#endif
