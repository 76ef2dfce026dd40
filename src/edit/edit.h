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
 *   redeclare component, name (a replaceable element), value (a class; null: as declared)
 *   describe component, value: the description text
 *   arrange  the automatic layout becomes annotations
 *   copy     components?, items?: "clip", with the connections between the components
 *   paste    clip, by [dx, dy]
 *   extract  components, name: moves them into a new model, with connectors where lines cross its
 *            border. The answer has its text "model" (unless it is in the same file), "part" for
 *            `add`, pairs "outer" for `connect`, and pairs "inner" for `route` in the model
 *   draw     text ("Rectangle(…)"): appends an item to the graphics
 *   redraw   item, text: replaces it
 *   shift    items, by [dx, dy]
 *   paint    items, name, value (null: removes it): a field such as fillColor
 *   items    items: the answer has their kinds, texts and fields */
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

/* A replaceable element of a component of a class. */
typedef struct EditReplaceable {
    const char *class_, *component, *element;
} EditReplaceable;

/* Appends {"constraint", "classes": [{"value", "title"}]}: the classes of libraries in use that may
 * replace the element. False if there is no such element. */
bool edit_list_replacements(Library *lib, const EditReplaceable *what, Text *t);

#endif
