/* Orthogonal routes of connections.
 *
 * In: boxes to avoid and the ends of connections. Out: for each connection a polyline of horizontal
 * and vertical pieces. Lines of different nets cross but never cover or touch each other. Lines of
 * the same net may share pieces.
 *
 * Routes run on tracks: vertical and horizontal lines through the ends of connections and beside
 * the boxes. Each route is a shortest path on this grid (A*), where bends and crossings cost
 * extra length. First all boxes and ends are given, then routes are found one after the other. */
#ifndef DIAGRAM_ROUTE_H
#define DIAGRAM_ROUTE_H

#include "diagram/drawing.h"

typedef struct Router Router;

typedef struct RouteEnd {
    Point at;
    Point away; /* unit vector along an axis: the direction in which a line leaves; 0, 0: any */
} RouteEnd;

typedef VEC(Point) RoutePoints;

Router *router_new(void);
void router_free(Router *r);
void router_avoid(Router *r, Point lo, Point hi);
/* Lines of other nets keep away from the end. */
void router_end(Router *r, RouteEnd end, uint32_t net);
/* The corners from one end to another, ends included, appended to `out`. False if there is no way;
 * then `out` is as before. */
bool router_find(Router *r, RouteEnd from, RouteEnd to, uint32_t net, RoutePoints *out);
/* The points at which at least three lines of one net meet. */
void router_junctions(Router *r, RoutePoints *out);

#endif
