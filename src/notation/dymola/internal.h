/* Dymola (1993): the contents of a model, between its text and the syntax tree. dymola_read.c reads
 * the text into models. dymola_connect.c turns connect statements into pairs of cuts.
 * dymola_types.c finds Boolean variables. dymola_when.c gives `new`, `old` and `when` their
 * meaning. dymola.c writes the tree. */
#ifndef NOTATION_DYMOLA_INTERNAL_H
#define NOTATION_DYMOLA_INTERNAL_H

#include "notation/reader/reader.h"

typedef enum DymRole { DYM_LOCAL, DYM_TERMINAL, DYM_INPUT, DYM_OUTPUT, DYM_PARAMETER } DymRole;

typedef enum DymType { DYM_UNKNOWN, DYM_REAL, DYM_BOOLEAN, DYM_INTEGER } DymType;

typedef struct DymVar {
    Name name;
    Span span;
    DymRole role;
    AstExpr *value; /* initial value, or default of a parameter; NULL if not given */
    const char *remark;
    uint32_t type; /* number in Dymola.types */
    bool state;    /* der(x) occurs in the class or in one that it extends */
    bool discrete; /* set by a when, or by new(x) */
    /* the variable with new(x), if x itself is the old value; or NULL */
    Name next;
    bool left_limit; /* new(x) is set in the class itself: x means the old value, pre(x) */
    bool old;        /* old(x) occurs */
} DymVar;

typedef struct DymItem {
    Name name;
    bool minus;
    Span span;
} DymItem;

typedef struct DymCut {
    Name name;
    Span span;
    bool main;
    VEC(DymItem) across, through;
    VEC(DymItem) parts; /* of a hierarchical cut: names of cuts */
    bool hierarchical;
    Name type; /* of the connector; leaf cuts */
} DymCut;

typedef struct DymPath {
    Name name;
    Span span;
    bool main;
    Name from, to; /* cuts */
} DymPath;

typedef struct DymModel DymModel;

typedef struct DymSub {
    Name name, class_name;
    Span span;
    VEC(AstNamedArg) args;
    DymModel *model; /* NULL if there is none of this name */
    const char *remark;
} DymSub;

typedef struct DymEquation {
    AstExpr *lhs, *rhs;
    Span span;
    const char *remark;
    uint32_t when;   /* number of the when + 1; 0 outside */
    AstExpr *solved; /* in a when: the value of the variable it sets */
    DymVar *sets;    /* in a when: that variable */
    DymModel *owner; /* of sets */
} DymEquation;

typedef struct DymWhen {
    AstExpr *condition;
    Span span;
    const char *remark;
} DymWhen;

/* A place of a connection: a cut of a submodel or of the model itself, or a node. */
typedef struct DymEnd {
    const DymSub *sub; /* NULL: of the model itself */
    DymCut *cut;       /* NULL: a node */
    DymModel *owner;   /* class in which the cut's parts are looked up */
    uint32_t node;
    Span span;
} DymEnd;

typedef struct DymPair {
    DymEnd a, b;
    Span span;
} DymPair;

typedef struct DymNode {
    Name name;
    Span span;
} DymNode;

struct DymModel {
    Name name, base_name;
    Span span, base_span;
    DymModel *base;
    bool is_class;
    const char *remark;
    VEC(DymVar *) vars;
    VEC(DymCut *) cuts;
    VEC(DymPath) paths;
    VEC(DymSub *) subs;
    VEC(DymNode) nodes;
    VEC(DymEquation) equations;
    VEC(DymWhen) whens;
    VEC(DymPair) pairs;
    VEC(uint32_t) connects; /* words at which connect statements start */
};

typedef struct Dymola {
    Reader r;
    VEC(DymModel *) models;
    VEC(uint32_t) types; /* union-find: parent, or own number */
    VEC(DymType) kinds;  /* of representatives */
    uint32_t n_events;   /* auxiliary conditions so far in the model being written */
} Dymola;

/* ---- dymola_read.c ---- */
void dymola_read(Dymola *d);
/* Look-up in the model and in those it extends; *owner is the model that has it. NULL: none. */
DymVar *dymola_var(DymModel *m, Name name);
DymCut *dymola_cut(DymModel *m, Name name);
DymSub *dymola_sub(DymModel *m, Name name);
DymVar *dymola_var_of(DymModel *m, const AstExpr *e); /* of a reference, through submodels */

/* ---- dymola_connect.c ---- */
void dymola_connect(Dymola *d, DymModel *m);

/* ---- dymola_types.c ---- */
void dymola_types(Dymola *d);
DymType dymola_type(Dymola *d, const DymVar *v);
uint32_t dymola_new_type(Dymola *d);

/* ---- dymola_when.c ---- */
/* Marks states and discrete variables, and solves equations in whens for the variables they set. */
void dymola_discrete(Dymola *d, DymModel *m);
/* Adds the equations of the model's whens. */
typedef VEC(AstElement *) ElementList;
void dymola_whens(Dymola *d, DymModel *m, EqList *eqs, ElementList *elements);
/* new(x), old(x) and x in an equation outside of whens, as Modelica has them. */
AstExpr *dymola_meaning(Dymola *d, DymModel *m, AstExpr *e);

#endif
