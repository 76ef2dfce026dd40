/* Connections: chapters 9 and 15 of the specification.
 *
 * In: connect equations and the marks of overconstrained connectors. Out: equations of connection
 * sets and of streams, and the values that depend on connections. */
#ifndef FLATTEN_CONNECTIONS_H
#define FLATTEN_CONNECTIONS_H

#include "flatten/flattener/flattener.h"

/* expandable_connectors.c: section 9.1.3 */
/* `each` calls a function for every connect equation of an instance that applies. */
typedef void (*EachConnect)(Flattener *f, Instance *inst, ConnectFn fn, void *user);
/* Adds elements that connections name, before variables have numbers. */
void expand_connectors(Flattener *f, EachConnect each);

/* connector_rules.c */
void check_connector(Flattener *f, Instance *inst); /* its children are numbered */

/* connect.c */
/* Notes the edges of a connect equation in f->edges; reports violated rules. */
void make_connect(Flattener *f, NameScope *names, const AstEq *eq);
/* The first variable of an expression, without constants; MAP_NONE if it has none. */
uint32_t node_of_expr(const Flattener *f, ExprId e);

/* connection_sets.c */
typedef struct ConnectionSets {
    Flattener *f;
    uint32_t n;       /* nodes: see Edge */
    uint32_t *parent; /* size n */
    uint32_t *edge;   /* size n: an edge at the node, + 1; 0: not connected */
    uint32_t *next;   /* size n: next member of the set, ascending; n at the end */
    uint32_t *var;    /* size n / 2: variable of a scalar */
} ConnectionSets;

/* Equations of all connection sets. Also replaces operators that depend on connections, and
 * removes elements of expandable connectors that nothing uses. */
void connection_equations(Flattener *f);
uint32_t set_of(ConnectionSets *s, uint32_t node);      /* its first member */
ExprId scalar_expr(ConnectionSets *s, uint32_t scalar); /* the variable, or its element */
/* An empty equation with the place and component of the connect equation at the node. */
FlatEq connection_equation(ConnectionSets *s, FlatOrigin origin, uint32_t node);

/* unused_elements.c: section 9.1.3. Removes elements of expandable connectors that nothing uses. */
void remove_unused(Flattener *f, const ConnectionSets *s);
bool is_in_expandable(const Instance *inst); /* an element of an expandable connector */

/* overconstrained.c: section 9.4 */
typedef struct Roots Roots;
/* Notes Connections.branch, root and potentialRoot in f->marks. */
void make_connections_call(Flattener *f, NameScope *names, const AstEq *eq);
/* A record or type with a function equalityConstraint. */
bool is_overconstrained(const Flattener *f, const Instance *inst);
/* Decides which ties are broken, and adds their equations. */
Roots *find_roots(Flattener *f);
bool is_root(const Roots *r, uint32_t node);
bool is_rooted(const Roots *r, uint32_t node);
void roots_free(Roots *r);

/* streams.c: section 15.2 */
void stream_equations(ConnectionSets *s, uint32_t root);
/* The values of inStream(e) and actualStream(e), by the equations of the set. */
ExprId in_stream(ConnectionSets *s, ExprId e);
ExprId actual_stream(ConnectionSets *s, ExprId e);
/* A product of a flow and its actual stream is continuous; EXPR_NONE if e is not such a product. */
ExprId stream_product(ConnectionSets *s, ExprId e);

/* connect_dependent.c: operators and branches that depend on all connections */
/* Contains inStream, actualStream, cardinality, isRoot or rooted. */
bool is_connect_dependent(const Graph *g, ExprId e);
/* Replaces these operators by their values in all equations and bindings. */
void decide_connect_dependent(Flattener *f, ConnectionSets *s, const Roots *r);

#endif
