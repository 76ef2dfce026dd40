/* A picture as a list of shapes, and the ways to write it.
 *
 * Shapes are in drawing order and in coordinates of the page: those of the drawn class, with y
 * downward. All transformations have been applied; widths of lines and sizes of letters are in the
 * same unit. Lives in an arena. */
#ifndef DIAGRAM_DRAWING_H
#define DIAGRAM_DRAWING_H

#include "base/context.h"
#include "base/text.h"

typedef struct Point {
    double x, y;
} Point;

/* x' = xx*x + xy*y + x0, y' = yx*x + yy*y + y0 */
typedef struct Affine {
    double xx, yx, xy, yy, x0, y0;
} Affine;

Affine affine_after(Affine outer, Affine inner); /* inner is applied first */
Affine affine_move(double x, double y);
Affine affine_turn(double degrees); /* counterclockwise where y points upward */
/* Takes the box [a, b] to the box [c, d], corner to corner; a side without length is moved only. */
Affine affine_map(Point a, Point b, Point c, Point d);
Point affine_apply(const Affine *m, Point p);

typedef struct Colour {
    uint8_t r, g, b;
} Colour;

typedef enum LinePattern {
    LINE_NONE,
    LINE_SOLID,
    LINE_DASH,
    LINE_DOT,
    LINE_DASH_DOT,
    LINE_DASH_DOT_DOT
} LinePattern;

typedef enum FillPattern {
    FILL_NONE,
    FILL_SOLID,
    FILL_HORIZONTAL,
    FILL_VERTICAL,
    FILL_CROSS,
    FILL_FORWARD,
    FILL_BACKWARD,
    FILL_CROSS_DIAG,
    FILL_HORIZONTAL_CYLINDER,
    FILL_VERTICAL_CYLINDER,
    FILL_SPHERE
} FillPattern;

typedef enum PathKind { PATH_MOVE, PATH_LINE, PATH_CURVE, PATH_CLOSE } PathKind;

typedef struct PathPart {
    PathKind kind;
    Point at[3]; /* PATH_CURVE: two control points, then the end; others: at[0] */
} PathPart;

typedef VEC(PathPart) PathParts;

typedef struct Style {
    /* `line` is also the colour of hatches and of the edges of cylinders and spheres */
    Colour line, fill;
    double width;
    LinePattern pattern;
    FillPattern filling;
    Affine frame; /* takes the box [-1, 1] x [-1, 1] to that of the shape: cylinders and spheres */
} Style;

typedef enum ShapeKind { SHAPE_PATH, SHAPE_TEXT, SHAPE_IMAGE, SHAPE_OPEN, SHAPE_SHUT } ShapeKind;

typedef struct Letters {
    const char *text;   /* one line */
    const char *font;   /* NULL: that of the page */
    Point at;           /* on the base line */
    double size, angle; /* degrees, clockwise on the page */
    double fit;         /* width that the text must not exceed, 0: as wide as it is */
    int align;          /* -1: `at` is its left end, 0: the middle, 1: the right end */
    bool bold, italic, underlined;
    Colour colour;
} Letters;

typedef struct Image {
    const char *type; /* "image/png" */
    const uint8_t *bytes;
    size_t size;
    Affine frame; /* takes [-1, 1] x [-1, 1] (y downward) to its place */
} Image;

/* A group of shapes and its meaning. NULL for parts that do not apply. */
typedef struct Group {
    const char *kind; /* "component", "connector", "connection", "graphics" */
    /* name in the class that is drawn; of a connector at a component with that component */
    const char *component;
    const char *class_;     /* full name */
    const char *connection; /* "a.p b.n" */
    const char *path;       /* file of the declaration */
    uint32_t line;          /* in it; 0: unknown */
    const char *title;
    bool absent; /* its condition is false: drawn faintly */
    /* for editors */
    const char *inherited;  /* class whose text declares it; NULL: the one that is drawn */
    const char *dimensions; /* "[3]" of an array of components */
    const char *condition;  /* of a conditional component, as written */
    bool is_connector;      /* can be connected */
    const char *signals;    /* declared ones of an expandable connector, NULL for others */
    bool nested;            /* a connection in a loop or a branch */
} Group;

typedef struct Shape {
    ShapeKind kind;
    uint32_t item; /* its number among the graphics of the class that is drawn, + 1; 0: none */
    union {
        struct {
            Style style;
            PathPart *parts;
            uint32_t n_parts;
            bool is_target; /* not seen, but found by a pointer */
        };
        Letters letters;
        Image image;
        Group group;
    };
} Shape;

typedef struct Drawing {
    Arena *arena;
    const char *title;
    const char *variables; /* "a;b.c": those in dynamic parts; NULL: none */
    bool arranged;         /* the automatic layout shows the class */
    VEC(Shape) shapes;
    uint32_t item; /* of the shapes to come */
    Point lo, hi;  /* the page: all that is drawn, and the coordinate system of the class */
} Drawing;

Drawing *drawing_new(const char *title);
void drawing_free(Drawing *d);
void drawing_include(Drawing *d, Point p);
/* Takes over the parts, which are empty afterwards. */
void drawing_path(Drawing *d, const Style *style, PathParts *parts);
void drawing_target(Drawing *d, PathParts *parts, double width); /* width 0: its inside */
void drawing_letters(Drawing *d, Letters l);
void drawing_image(Drawing *d, Image i);
void drawing_open(Drawing *d, Group g);
void drawing_shut(Drawing *d);

double letters_width(const char *text); /* of size 1, in Helvetica's widths */

/* The lengths of a dashed line of this width, on and off; returns their number. */
unsigned line_dashes(LinePattern pattern, double width, double out[6]);

/* svg.c: the whole document */
void drawing_put_svg(const Drawing *d, Text *out);
/* picture.c: by the ending of the name, .png or .pdf. False after an error. */
bool drawing_save(Context *ctx, const Drawing *d, const char *path);
/* picture.c: the bytes of a PNG with at most `pixels` in each direction. False after an error. */
bool drawing_put_png(Context *ctx, const Drawing *d, double pixels, Text *out);

#endif
