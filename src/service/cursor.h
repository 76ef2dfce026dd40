/* A place in a text that is being edited: the class around it, and the meaning of a name there. */
#ifndef SERVICE_CURSOR_H
#define SERVICE_CURSOR_H

#include "inspect/inspect.h"
#include "instance/tree/tree.h"
#include "service/service.h"

typedef struct Cursor {
    Library *lib;
    const AstFile *file;    /* the loaded text; it may lack the line that is being written */
    const char *text;       /* as the user wrote it */
    size_t size, at;        /* at: byte of the cursor */
    Scope scope;            /* of the innermost class around it */
    const AstClass *around; /* that class; NULL outside of classes */
} Cursor;

/* Loads the text, repaired at the cursor if it cannot be parsed, and finds the class around line
 * and column (from 1). */
Cursor cursor_at(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                 uint32_t column);
/* The same for a byte of the text. */
Cursor cursor_open(Library *lib, const char *name, const char *text, size_t size, size_t at);
/* A place in a file that is loaded, with the text of its source. */
Cursor cursor_in(Library *lib, const AstFile *file, size_t at);
void cursor_move(Cursor *c, size_t at); /* to another place of its text */

/* The beginning of the name that ends at byte `end`: identifiers, dots and subscripts. */
size_t cursor_name_start(const Cursor *c, size_t end);
/* The element that the names [start, end) lead to; inst NULL if they lead nowhere. */
Found cursor_resolve(const Cursor *c, size_t start, size_t end);
/* The instance of an element: a component or a class; or NULL. */
Instance *cursor_instance(const Cursor *c, Found f);
bool is_name_char(char c);

/* ---- arguments.c ---- */

/* The parenthesis that is open at `i`; SIZE_MAX if there is none in this statement. */
size_t cursor_open_before(const Cursor *c, size_t i);
size_t cursor_skip_back(const Cursor *c, size_t i); /* over white space */
/* The owner of the parenthesis at `open`: Type name(…, extends Type(…, function(…, or a modifier
 * within one of these. NULL if it is unknown. */
Instance *cursor_owner(const Cursor *c, size_t open);
bool cursor_is_keyword(const Cursor *c, size_t start, size_t end);
extern const char *const service_keywords[]; /* ends with NULL */

/* ---- meaning.c ---- */

/* An identifier in the text, and the declaration that it means. */
typedef struct Meaning {
    size_t start, end;      /* bytes of the identifier; start == end: there is none */
    Found found;            /* inst NULL: not an element */
    const Element *element; /* of found; or NULL */
    Span declared;          /* the name in its declaration; file 0: nowhere */
    bool is_iterator;       /* of a for-loop */
} Meaning;

/* The meaning of the identifier at the cursor. */
Meaning cursor_meaning(const Cursor *c);
/* The name in the declaration of an element; file 0 if it is predefined. */
Span element_name_span(Library *lib, const Element *e);
Span declared_name_span(const Library *lib, const AstElement *e);
/* The attribute `unit` of a component as text; NULL if it has none. */
const char *component_unit(Library *lib, Instance *inst);
/* The value of a constant or parameter as text, in the arena; NULL if it is unknown or long. */
const char *component_value(Library *lib, Instance *inst);
const char *component_type(const AstElement *e, Arena *arena); /* as written */
const char *component_kind(const AstElement *e);               /* "parameter" */

/* ---- positions.c ---- */

size_t position_offset(const char *text, size_t size, uint32_t line, uint32_t character);
/* {"start": {"line", "character"}, "end": …} */
void put_range(Text *t, const Library *lib, Span span);
void put_location(Text *t, const Library *lib, Span span); /* {"uri", "range"} */
void put_uri(Text *t, const char *path);                   /* as a JSON string */
/* "," unless a list or an object begins here. */
void put_comma(Text *t);

/* ---- one function for each question, in service.c's table ---- */

typedef struct Service {
    Library *lib;
    const Question *q;
    Text *t;
    Cursor c;
} Service;

void ask_hover(Service *s);
void ask_definition(Service *s);
void ask_type_definition(Service *s);
void ask_signature(Service *s);
void ask_symbols(Service *s);
void ask_folds(Service *s);
void ask_selection(Service *s);
void ask_tokens(Service *s);
void ask_hints(Service *s);
void ask_links(Service *s);
void ask_lenses(Service *s);
void ask_references(Service *s);
void ask_highlights(Service *s);
void ask_prepare_rename(Service *s);
void ask_rename(Service *s);
void ask_implementations(Service *s);
void ask_prepare_types(Service *s);
void ask_supertypes(Service *s);
void ask_subtypes(Service *s);
void ask_prepare_calls(Service *s);
void ask_callers(Service *s);
void ask_calls(Service *s);
void ask_places(Service *s);

#endif
