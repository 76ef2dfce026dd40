/* Inside the room: the class that is edited, and the changes of its text. */
#ifndef EDIT_CLASS_EDIT_H
#define EDIT_CLASS_EDIT_H

#include "diagram/diagram.h"
#include "edit/edit.h"

#include <cjson/cJSON.h>

/* Bytes [from, to) become `text`. */
typedef struct Change {
    uint32_t from, to;
    const char *text;
} Change;

typedef struct ClassEdit {
    Library *lib;
    Arena *arena;
    const AstFile *file;
    const AstClass *ast;
    Instance *inst;
    Page page; /* for places of components; draws nothing */
    const char *text;
    uint32_t size;
    VEC(Change) changes;
    VEC(const char *) names; /* of new components */
    cJSON *extra;            /* further members of the answer */
    const char *refusal;     /* NULL: none */
} ClassEdit;

/* ---- text.c ---- */

void change(ClassEdit *e, uint32_t from, uint32_t to, const char *text);
/* After the semicolon of the statement that ends at or after `at`. */
uint32_t statement_end(const ClassEdit *e, uint32_t at);
/* The same, and a comment behind it on the same line. */
uint32_t line_end_after(const ClassEdit *e, uint32_t at);
/* Removes a statement with its semicolon, and with its line if nothing else is on it. */
void remove_statement(ClassEdit *e, uint32_t from, uint32_t end);
uint32_t skip_space(const ClassEdit *e, uint32_t at);   /* over white space and comments */
const char *indent_of(const ClassEdit *e, uint32_t at); /* white space that begins the line */
const char *source_of(const ClassEdit *e, Span span);
/* After the closing bracket of the one at `open`. */
uint32_t bracket_end(const ClassEdit *e, uint32_t open);
/* At most six decimals, at least `decimals`. */
void put_coordinate(Text *t, double x, unsigned decimals);
/* A literal gets another value, in the same style. */
void change_number(ClassEdit *e, const AstExpr *literal, double value);
bool read_literal(const AstExpr *e, double *out);
bool is_expression(ClassEdit *e, const char *text);
bool is_identifier(const char *s);
double rounded(double x); /* to six decimals */

/* ---- arguments.c: of operations ---- */

/* Always false. */
bool refuse(ClassEdit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *text_arg(const cJSON *op, const char *name);
bool point_arg(const cJSON *op, const char *name, Point *out);
LayerKind layer_arg(const cJSON *op);
/* Component `name`, declared in this class; NULL after a refusal. */
const AstElement *own_component(ClassEdit *e, const char *name);
Instance *component_instance(ClassEdit *e, const char *name); /* also inherited; or NULL */
/* The list "components", or "component"; *n elements in the arena; NULL after a refusal. */
const char **component_args(ClassEdit *e, const cJSON *op, uint32_t *n);
/* A name that no element of the class and no new component has. */
const char *free_name(ClassEdit *e, const char *wanted);
uint32_t name_end(const ClassEdit *e, const AstElement *of); /* after name and dimensions */

/* ---- elements.c ---- */

typedef struct NameList {
    const char **at;
    uint32_t n;
} NameList;

/* A component as it is written: "words written dims name rest". */
typedef struct Declaration {
    const char *words, *written, *dims, *rest;
    const char *class_; /* full name of its class */
} Declaration;

Declaration declaration_of(ClassEdit *e, const AstElement *one);
bool is_at(const AstExpr *end, const NameList *names); /* an end of a connection, at one of them */
void delete_components(ClassEdit *e, const NameList *names); /* not their connections */
void delete_connection(ClassEdit *e, const AstEq *eq);

/* ---- connections.c ---- */

/* Calls `fn` for each connect equation in the text of the class, also in loops and branches. */
typedef void (*ConnectionFn)(ClassEdit *e, const AstEq *eq, void *user);
void each_connection(ClassEdit *e, ConnectionFn fn, void *user);
const AstEq *find_connection(ClassEdit *e, const char *a, const char *b); /* or a refusal */

/* ---- insertions.c ---- */

const char *class_indent(const ClassEdit *e); /* of the elements of the class */
/* A line of its own after the last public element, or the last equation. */
void insert_element(ClassEdit *e, const char *text);
void insert_equation(ClassEdit *e, const char *text);
/* The beginning of the line of the class's annotation, or of its "end". */
uint32_t body_end(const ClassEdit *e);
void put_pair(Text *t, Point p);                    /* {x,y} */
void put_extent(Text *t, const Point extent[2]);    /* extent={{…},{…}} */
void put_placement(Text *t, const Point extent[2]); /* Placement(…) */
void append_argument(ClassEdit *e, const AstMod *mod, const char *text);
/* Adds text to an annotation that has no such entry, or adds the annotation at `at`. */
void add_annotation(ClassEdit *e, const AstMod *annotation, uint32_t at, const char *text);
uint32_t arguments_end(const ClassEdit *e, const AstMod *mod); /* after the parenthesis */
uint32_t space_before(const ClassEdit *e, uint32_t at);        /* where it begins */
/* With its comma; the parentheses go with the last one. */
void remove_argument(ClassEdit *e, const AstMod *mod, uint32_t i);
void remove_named(ClassEdit *e, const AstMod *mod, const char *name);

/* ---- lines.c ---- */

/* A component with its frame before and after an operation. */
typedef struct Moved {
    Name name;
    Placing before, after;
} Moved;

typedef VEC(Moved) MovedList;

/* The ends of lines at moved components follow them. */
void lines_follow(ClassEdit *e, const MovedList *moved);

/* ---- graphics.c ---- */

/* Removes items of the graphics, by their numbers. */
bool delete_items(ClassEdit *e, const cJSON *op);
/* Appends items, given by their texts, to the graphics. */
bool append_items(ClassEdit *e, const cJSON *op, const cJSON *texts);
bool copy_items(ClassEdit *e, const cJSON *op, cJSON *texts);

/* ---- one function for each operation: false after a refusal ---- */

bool op_move(ClassEdit *e, const cJSON *op);
bool op_align(ClassEdit *e, const cJSON *op);
bool op_rotate(ClassEdit *e, const cJSON *op);
bool op_mirror(ClassEdit *e, const cJSON *op);
bool op_resize(ClassEdit *e, const cJSON *op);
bool op_add(ClassEdit *e, const cJSON *op);
bool op_delete(ClassEdit *e, const cJSON *op);
bool op_copy(ClassEdit *e, const cJSON *op);
bool op_paste(ClassEdit *e, const cJSON *op);
bool op_connect(ClassEdit *e, const cJSON *op);
bool op_route(ClassEdit *e, const cJSON *op);
bool op_modify(ClassEdit *e, const cJSON *op);
bool op_redeclare(ClassEdit *e, const cJSON *op);
bool op_describe(ClassEdit *e, const cJSON *op);
bool op_arrange(ClassEdit *e, const cJSON *op);
bool op_extract(ClassEdit *e, const cJSON *op);
bool op_draw(ClassEdit *e, const cJSON *op);
bool op_redraw(ClassEdit *e, const cJSON *op);
bool op_shift(ClassEdit *e, const cJSON *op);
bool op_paint(ClassEdit *e, const cJSON *op);
bool op_read_items(ClassEdit *e, const cJSON *op);

#endif
