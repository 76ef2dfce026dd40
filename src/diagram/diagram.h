/* Diagrams: the picture of a class drawn from its annotations (chapter 18.6 of the specification).
 *
 * In: an instance of the class. Out: a Drawing (drawing.h). The layers of base classes come first;
 * graphics below components, components below connections. Expressions in annotations are evaluated
 * with the values of the instance. */
#ifndef DIAGRAM_DIAGRAM_H
#define DIAGRAM_DIAGRAM_H

#include "diagram/annotation.h"

typedef enum LayerKind { LAYER_DIAGRAM, LAYER_ICON } LayerKind;

/* The present layer: the destination and the owner of its items. */
typedef struct Page {
    Drawing *drawing;
    Library *lib;
    const char *component;  /* name for %name; NULL: the class itself is drawn */
    const char *title;      /* name of the class itself for %name; NULL: the macro stays */
    Instance *inst;         /* class with the parameters for %par */
    unsigned depth;         /* of icons within icons */
    bool numbers_items;     /* the items are those of the class itself: they get numbers */
    DynamicValues *dynamic; /* NULL: the picture before a run */
} Page;

typedef struct Box {
    Point lo, hi; /* as written */
} Box;

/* A component on the page. */
typedef struct Placing {
    Instance *inst;
    Affine frame;    /* from the coordinate system of the component to the page */
    Box system;      /* that coordinate system */
    LayerKind shows; /* layer of the component that is seen */
} Placing;

/* The picture of a layer of `root`; with `dynamic` at a time of a run. `title` replaces %name, and
 * values replace names of parameters; NULL: they stay. */
Drawing *diagram_draw(Library *lib, Instance *root, LayerKind kind, const char *title,
                      DynamicValues *dynamic);

/* diagram.c: the extent of the coordinate system of a layer: of the class itself, or of the first
 * base class that gives one */
Box coordinate_system(Library *lib, Instance *inst, LayerKind kind);
/* The placement of element `index` of `inst` in a layer. False if it is invisible. */
bool find_place(const Page *p, Instance *inst, uint32_t index, LayerKind kind, Affine m,
                Placing *at);
/* The same in the diagram for an element without an instance: its class is missing or has errors.
 * `at` has no instance. */
bool find_unknown_place(const Page *p, Instance *inst, uint32_t index, Affine m, Placing *at);
/* From the coordinate system to the page: the box `extent` turned and moved. */
Affine placed_frame(Box system, const Point extent[2], Point origin, double rotation, Affine m);
/* The deepest part with a place that a reference leads to, from its first part `at` on. */
Placing find_end(const Page *p, Placing at, const AstRef *ref);
Point placing_middle(const Placing *at);
/* The annotation Diagram or Icon of a layer */
Record class_layer(Library *lib, Instance *inst, Layer *layer, LayerKind kind);
/* The size of a component without an extent, as a share of its coordinate system.
 * (preserveAspectRatio is a hint for editors and changes nothing here.) inst NULL: an unknown class
 */
double initial_scale(Library *lib, Instance *inst, LayerKind kind);
/* Whether the automatic layout shows the class: it has neither graphics nor placements. */
bool is_arranged(const Page *p);
/* a component of the class that is drawn, as a group */
void draw_placed(const Page *p, const Placing *at);

/* automatic_layout.c: the components and connections of a class without placements */
void draw_arranged(const Page *p, Affine page);
/* The same layout as data, in coordinates of the class. */
typedef struct LayoutSink {
    void *user;
    void (*component)(void *user, const Instance *inst, const Point extent[2]);
    void (*line)(void *user, const AstEq *eq, const Point *corners, uint32_t n);
} LayoutSink;
void arrange_class(const Page *p, const LayoutSink *sink);

/* items.c: the graphics of an annotation, in the frame m; returns how many were drawn */
uint32_t draw_items(const Page *p, Record layer, Affine m);
void draw_line(const Page *p, Record line, Affine m, bool target);
/* An arrow at `tip`, seen from `from`; `kind` is a value of the type Arrow, 0 for none. */
enum { ARROW_FILLED = 2 };
void draw_arrow(const Page *p, const Style *line, int kind, Point from, Point tip, double size);
/* The first or the last point of a line; false if it has none. */
bool read_line_end(Record line, bool last, Point *end);
PathParts box_path(Point a, Point b, double radius, const Affine *m);
Affine frame_of(Affine m, Point a, Point b); /* takes [-1, 1] x [-1, 1] to the box in the frame m */

/* text.c */
void draw_text(const Page *p, Record text, Affine m);
/* The same with other words. */
void draw_text_as(const Page *p, Record text, const char *words, Affine m);
/* Letters in the box [a, b] of frame m: turned with it, never mirrored or upside down. size 0: as
 * large as fits. */
void draw_words(const Page *p, const char *words, Letters how, Point a, Point b, Affine m);

/* bitmap.c */
void draw_bitmap(const Page *p, Record bitmap, Affine m);

/* connections.c: opens the group of a connection in the text of a layer */
void open_connection(const Page *p, const Layer *layer, const AstEq *eq, const AstExpr *a,
                     const AstExpr *b);
/* Those of all layers of the root. */
typedef bool FindPlace(const Page *p, Instance *inst, uint32_t index, LayerKind kind, Affine m,
                       Placing *at);
/* `find` is find_place: states without a line are marked at their place. */
void draw_connections(const Page *p, Affine m, FindPlace *find);
/* Whether the annotation of a connection or transition has a line. */
bool has_line(const Page *p, const Layer *layer, const AstEq *eq);
/* The condition of transition(a, b, condition, …) as text. */
const char *transition_condition(const AstExpr *call, Arena *arena);
bool transition_is_immediate(const AstExpr *call);
/* Where it stands: above the widest piece of a line on the page (y goes down). */
Box condition_box(const Point *line, uint32_t n);
void draw_grey_arrow(const Page *p, Point from, Point tip);
/* The mark of an initial state: a line that ends at it. */
void initial_mark(const Placing *at, Point line[2]);
void draw_initial(const Page *p, const Layer *layer, const AstEq *eq, const Placing *at);

/* automatic_layout.c: connections and transitions without a line, between placed components */
void draw_unrouted(const Page *p, Affine m, FindPlace *find);

#endif
