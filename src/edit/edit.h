/* Edits of a class by its tree, for graphical editors.
 *
 * In: a library, the text of a file, the name of a class in it, operations as JSON. Out: changes of
 * the text as JSON. Every byte outside of the changes stays as it is. The library does not change,
 * except that the text is loaded, and that lookups load classes.
 *
 * All operations of a request refer to the given text. Coordinates are those of the class, with y
 * upward. Operations ("op"), with "layer" "diagram" (default) or "icon":
 *   add      class, at [x, y], name?, text? (after the name): a component
 *   delete   components?, connections? [[a, b], …], items? (numbers of graphics)
 *   move     components, by [dx, dy]; lines of connections follow
 *   rotate   components, by (degrees, counterclockwise)
 *   mirror   components, axis "horizontal" or "vertical"
 *   resize   component, extent [x1, y1, x2, y2]
 *   connect  a, b, points?: without points the line is routed around components
 *   route    a, b, points?
 *   modify   component, name ("R", "v.start", "": its value), value (null: removes the modifier)
 *   describe component, value: the description text
 *   arrange  the automatic layout becomes annotations
 *   copy     components: "clip", and the connections between them
 *   paste    clip, by [dx, dy]
 *   draw     text ("Rectangle(…)"): appends an item to the graphics
 *   redraw   item, text: replaces it
 *   shift    items, by [dx, dy] */
#ifndef EDIT_EDIT_H
#define EDIT_EDIT_H

#include "base/text.h"
#include "instance/library/library.h"

typedef struct EditRequest {
    const char *path, *text;
    size_t size;
    const char *class_;     /* full name */
    const char *operations; /* JSON: a list */
} EditRequest;

/* Appends {"changes": [{"range", "newText"}], "text", "names"}, with ranges as in the Language
 * Server Protocol; "names" are new components. A refusal is {"error": …}. */
void edit_class(Library *lib, const EditRequest *r, Text *t);

/* What a dialog shows about a component: kind, class, description, condition, dimensions, and its
 * parameters with their values, units, groups and choices. Component "": the class itself. False if
 * there is no such class or component. */
bool edit_describe(Library *lib, const char *class_, const char *component, Text *t);

#endif
