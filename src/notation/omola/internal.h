/* Omola: the contents of a class, between its text and the syntax tree. omola_read.c reads the text
 * into classes. omola_compose.c resolves inheritance, so that each class is complete: attributes
 * override inherited ones, and several events may set one variable. omola_shape.c gives scalars,
 * columns, rows and matrices their Modelica form. omola_values.c turns values of components into
 * modifications, omola_message.c actions of a class on its components into messages. omola_new.c
 * resolves new values that actions read, omola_event.c gives events and actions their meaning,
 * omola_schedule.c due times. omola.c writes the tree. */
#ifndef NOTATION_OMOLA_INTERNAL_H
#define NOTATION_OMOLA_INTERNAL_H

#include "notation/reader/reader.h"

typedef enum OmKind { OM_VARIABLE, OM_PARAMETER, OM_EVENT, OM_COMPONENT, OM_TERMINAL } OmKind;
typedef enum OmType { OM_REAL, OM_INTEGER, OM_BOOLEAN, OM_STRING, OM_ENUM } OmType;
typedef enum OmShape { OM_SCALAR, OM_COLUMN, OM_ROW, OM_MATRIX } OmShape;
typedef enum OmRole { OM_INTERNAL, OM_EVENT_INPUT, OM_EVENT_OUTPUT } OmRole;
typedef enum OmTerminal { OM_SIMPLE, OM_ZERO_SUM, OM_RECORD } OmTerminal;

typedef struct OmBody OmBody;
typedef struct OmClass OmClass;

typedef struct OmLiteral {
    Name name;
    Span span;
} OmLiteral;

typedef struct OmAttr {
    Name name;
    Span span;
    const char *remark;
    OmKind kind;
    OmType type;
    OmShape shape;
    AstExpr *dims[2]; /* one of columns and rows, two of matrices; of a vector of models one */
    bool discrete;
    AstExpr *value; /* after :=; default of a parameter */
    VEC(OmLiteral) literals;
    Name type_name; /* of an enumeration: its Modelica type */
    OmRole role;
    OmTerminal terminal;
    Name class_name; /* OM_COMPONENT, OM_TERMINAL */
    Span class_span;
    OmBody *body; /* after WITH; or NULL */
    bool special; /* OM_COMPONENT: its class was made for it and takes messages */
    /* found by analysis of its class */
    bool state, changes; /* its derivative occurs; a new value is given to it */
    bool scheduled;      /* OM_EVENT: some action schedules it */
} OmAttr;

typedef struct OmEquation {
    AstExpr *lhs, *rhs;
    bool causal; /* := */
    Span span;
    const char *remark;
    const OmAttr *over; /* a vector of models: applies to each omola_element; or NULL */
} OmEquation;

/* How the Boolean of a WHEN says that it fires. */
typedef enum OmSignal {
    OM_RISES,   /* it becomes true */
    OM_PULSE,   /* it is true, for one iteration */
    OM_CHANGES, /* it changes: events may happen in each of several iterations of one instant */
} OmSignal;

/* WHEN condition CAUSE events DO actions END, or an event with its condition and actions. */
typedef struct OmWhen {
    AstExpr *condition; /* NULL: it happens when `event` does */
    Name event;         /* the owner of these actions; or NULL */
    ExprList causes;
    VEC(OmEquation) actions; /* the new value of a variable */
    ExprList calls;          /* schedule, deschedule */
    Span span;
    const char *remark;
    Name fires; /* Boolean variable of the Modelica model */
    OmSignal signal;
    bool again; /* fires again while its condition is true */
} OmWhen;

typedef struct OmPair {
    AstExpr *a, *b;
    Span span;
} OmPair;

struct OmBody {
    VEC(OmAttr *) attrs;
    VEC(OmEquation) equations;
    VEC(OmWhen *) whens;
    VEC(OmPair) pairs;
    AstExpr *condition; /* CONDITION := … of an event */
    VEC(OmEquation) actions;
    ExprList calls;
};

struct OmClass {
    Name name, base_name;
    Span span, base_span;
    const char *remark;
    OmBody body;   /* as written */
    OmClass *base; /* NULL for Model and similar ones */
    OmBody full;   /* with all that is inherited */
    bool composed, busy;
    bool made; /* for one component; it has no place in the text */
    bool is_terminal;
    OmTerminal terminal;
};

typedef struct Omola {
    Reader r;
    VEC(OmClass *) classes;
    OmClass *c; /* the class being worked on */
    uint32_t n_events;
} Omola;

/* Adds an item to a list that lives as long as the reading does. */
#define om_push(o, v, item)                                                                        \
    ((v)->n == (v)->cap ? (void)((v)->at = omola_grow((o), (v)->at, &(v)->cap, sizeof *(v)->at))   \
                        : (void)0,                                                                 \
     (v)->at[(v)->n++] = (item))
void *omola_grow(Omola *o, void *at, uint32_t *cap, size_t size);

/* ---- omola_read.c ---- */
void omola_read(Omola *o);
OmClass *omola_class(const Omola *o, Name name);

/* ---- omola_compose.c ---- */
void omola_compose(Omola *o);
OmAttr *omola_attr(const OmBody *body, Name name);
/* The attribute that a reference in class c names, through components; *owner is its class. NULL:
 * none. */
OmAttr *omola_attr_of(Omola *o, OmClass *c, const AstRef *ref, OmClass **owner);
/* A copy of the class of component a of class c, only for that component. */
OmClass *omola_special_class(Omola *o, OmClass *c, OmAttr *a);
AstExpr *omola_copy(Omola *o, const AstExpr *e);

/* ---- omola_values.c ---- */

/* An Integer that no event changes is a parameter. */
bool omola_is_parameter(const OmAttr *a);
/* Whether an equation for this attribute gives its value: of a parameter, or by := the start value
 * of a state or of a variable that events change. */
bool omola_gives_value(const OmEquation *eq, const OmAttr *a);
/* The value that the class gives to its attribute; the last one counts. Or NULL. */
AstExpr *omola_given_value(const OmClass *c, const OmAttr *a);
/* The variable of a component to which an equation gives a value so; or NULL. */
OmAttr *omola_modified(Omola *o, const OmEquation *eq);
/* Writes the values that the class gives to variables of this component. */
void omola_modify(Omola *o, AstElement *e, const OmAttr *component);

/* ---- omola_new.c ---- */

/* New values that expressions of actions read. Call it when states are marked. */
void omola_new_values(Omola *o);

/* ---- omola_message.c ---- */

/* For each class: actions of its events on its components become events and values that the
 * components receive. Adds classes. After this, a WHEN acts on its own class and causes event
 * inputs of its components. It also moves states of components that no one else moves. */
void omola_messages(Omola *o);

/* ---- omola_shape.c ---- */
OmShape omola_shape(Omola *o, const AstExpr *e);
/* The expression in Modelica, in the requested shape: a scalar fills a vector, a vector of one
 * element is a scalar. */
AstExpr *omola_value(Omola *o, AstExpr *e, OmShape wanted, AstExpr *like);
AstExpr *omola_modelica(Omola *o, AstExpr *e);
/* The shape of what subscripts select of a variable of this shape. */
OmShape omola_selected(const AstRefPart *part, OmShape shape);

/* ---- omola_event.c ---- */
typedef VEC(AstElement *) ElementList;

/* The equations and variables that events of one class become. */
typedef struct OmEvents {
    Omola *o;
    EqList *eqs;
    ElementList *elements;
} OmEvents;

/* Marks the variables whose derivatives occur. */
void omola_mark_states(Omola *o);
/* Marks variables that actions change, and names the conditions. Call it before anything is
 * written. */
void omola_mark(Omola *o);
void omola_events(Omola *o, EqList *eqs, ElementList *elements);
/* "fires now", in this iteration; the entry in the list of a Modelica when that detects it. */
AstExpr *omola_pulse(Omola *o, const OmWhen *w);
void omola_trigger(Omola *o, ExprList *conditions, const OmWhen *w);
bool omola_is_call(const AstExpr *e, const char *name);
/* A variable that users do not see; count NULL: a scalar. */
Name omola_hidden(OmEvents *s, Span span, const char *type, Name name, AstExpr *count);
bool omola_same_ref(const AstRef *a, const AstRef *b); /* with equal subscripts */
/* The variable to which an action gives a new value, as it is written, or NULL. */
const AstRef *omola_target(const OmEquation *eq);
/* The new value that it gets; NULL after an error. */
AstExpr *omola_solved(Omola *o, const OmEquation *eq, const AstRef *ref);
/* Whether the value, in the words of Omola, is a Real and no Integer. */
bool omola_is_real(Omola *o, const AstExpr *e);
/* The index of a loop over the elements of a vector of models. */
Name omola_element(Omola *o);

/* ---- omola_schedule.c ---- */

enum { OM_DUE_TIMES = 256 }; /* waiting due times of one event */
/* The list of due times of an event of the class; the Boolean that is true when one is reached. */
Name omola_due_times(OmEvents *s, const OmAttr *event);

#endif
