/* A place in a text that is being edited: the class around it, and the meaning of a name there. */
#ifndef INSPECT_CURSOR_H
#define INSPECT_CURSOR_H

#include "inspect/inspect.h"
#include "instance/tree/tree.h"

typedef struct Cursor {
    Library *lib;
    const char *text; /* as the user wrote it */
    size_t size, at;  /* at: byte of the cursor */
    Scope scope;      /* of the innermost class around it */
} Cursor;

/* Loads the text, repaired at the cursor if it cannot be parsed, and finds the class around line
 * and column (from 1). */
Cursor cursor_at(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                 uint32_t column);
/* The beginning of the name that ends at byte `end`: identifiers, dots and subscripts. */
size_t cursor_name_start(const Cursor *c, size_t end);
/* The element that the names [start, end) lead to; inst NULL if they lead nowhere. */
Found cursor_resolve(const Cursor *c, size_t start, size_t end);
/* The instance of an element: a component or a class; or NULL. */
Instance *cursor_instance(const Cursor *c, Found f);
bool is_name_char(char c);

#endif
