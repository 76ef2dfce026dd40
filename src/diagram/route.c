/* Orthogonal routes by A* on a grid of tracks (route.h). */
#include "diagram/route.h"

#include <math.h>
#include <stdlib.h>

enum {
    LANES = 3,
    LANE = 3,
    LEAD = 3
}; /* tracks beside a box, their distance, a line's first bit */
static const double BEND = 8, CROSSING = 12, SAME_NET = 0.4, NEAR = 0.5;

typedef struct Box4 {
    Point lo, hi;
} Box4;

typedef struct NetEnd {
    RouteEnd end;
    uint32_t net;
} NetEnd;

typedef VEC(double) Tracks;

/* At each crossing of tracks: which net passes, and how. */
typedef struct Cell {
    uint32_t across, down;  /* nets of the pieces to the right and downward; NONE: free */
    uint32_t corner;        /* net that bends or ends here; NONE: no one does */
    uint32_t flat, upright; /* nets that pass straight */
} Cell;

typedef enum Direction { RIGHT, DOWN, LEFT, UP, DIRECTIONS } Direction;

typedef struct Reached {
    double cost;
    uint32_t before; /* state; NONE: the first */
    uint32_t search; /* number of the search that reached it */
    bool settled;
} Reached;

typedef struct Waiting {
    double estimate;
    uint32_t state;
} Waiting;

struct Router {
    VEC(Box4) boxes;
    VEC(NetEnd) ends;
    Tracks xs, ys;
    bool ready; /* tracks are sorted, cells exist */
    Cell *cells;
    Reached *reached; /* per state: cell and direction */
    uint32_t search;
    VEC(Waiting) heap;
};

Router *router_new(void)
{
    return memory_alloc(sizeof(Router));
}

void router_free(Router *r)
{
    if (!r)
        return;
    vec_free(&r->boxes);
    vec_free(&r->ends);
    vec_free(&r->xs);
    vec_free(&r->ys);
    vec_free(&r->heap);
    memory_free(r->cells);
    memory_free(r->reached);
    memory_free(r);
}

/* ---- tracks ---- */

void router_avoid(Router *r, Point lo, Point hi)
{
    Box4 b = {{fmin(lo.x, hi.x), fmin(lo.y, hi.y)}, {fmax(lo.x, hi.x), fmax(lo.y, hi.y)}};
    vec_push(&r->boxes, b);
    for (int i = 1; i <= LANES; i++) {
        vec_push(&r->xs, b.lo.x - LANE * i);
        vec_push(&r->xs, b.hi.x + LANE * i);
        vec_push(&r->ys, b.lo.y - LANE * i);
        vec_push(&r->ys, b.hi.y + LANE * i);
    }
}

/* The point to which a line goes straight from its end. */
static Point lead_end(RouteEnd e)
{
    return (Point){e.at.x + LEAD * e.away.x, e.at.y + LEAD * e.away.y};
}

void router_end(Router *r, RouteEnd end, uint32_t net)
{
    for (uint32_t i = 0; i < r->ends.n; i++)
        if (!memcmp(&r->ends.at[i].end.at, &end.at, sizeof end.at))
            return;
    NetEnd e = {end, net};
    vec_push(&r->ends, e);
    vec_push(&r->xs, end.at.x);
    vec_push(&r->ys, end.at.y);
    vec_push(&r->xs, lead_end(end).x);
    vec_push(&r->ys, lead_end(end).y);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts tracks and drops those that are too near to another. */
static void sort_tracks(Tracks *t)
{
    qsort(t->at, t->n, sizeof *t->at, by_value);
    uint32_t n = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (!n || t->at[i] - t->at[n - 1] > NEAR)
            t->at[n++] = t->at[i];
    t->n = n;
}

/* The number of the track nearest to a coordinate. */
static uint32_t nearest(const Tracks *t, double x)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < t->n; i++)
        if (fabs(t->at[i] - x) < fabs(t->at[best] - x))
            best = i;
    return best;
}

static uint32_t cell_at(const Router *r, Point p)
{
    return nearest(&r->ys, p.y) * r->xs.n + nearest(&r->xs, p.x);
}

static Point cell_point(const Router *r, uint32_t cell)
{
    return (Point){r->xs.at[cell % r->xs.n], r->ys.at[cell / r->xs.n]};
}

static void make_grid(Router *r)
{
    if (r->ready)
        return;
    sort_tracks(&r->xs);
    sort_tracks(&r->ys);
    size_t n = (size_t)r->xs.n * r->ys.n;
    r->cells = memory_alloc(n * sizeof *r->cells);
    r->reached = memory_alloc(n * DIRECTIONS * sizeof *r->reached);
    for (size_t i = 0; i < n; i++)
        r->cells[i] = (Cell){NONE, NONE, NONE, NONE, NONE};
    for (uint32_t i = 0; i < r->ends.n; i++) {
        const NetEnd *e = &r->ends.at[i];
        r->cells[cell_at(r, e->end.at)].corner = e->net;
        r->cells[cell_at(r, lead_end(e->end))].corner = e->net;
    }
    r->ready = true;
}

/* ---- moves ---- */

static bool is_inside(const Router *r, Point p)
{
    for (uint32_t i = 0; i < r->boxes.n; i++) {
        const Box4 *b = &r->boxes.at[i];
        if (p.x > b->lo.x + 1e-6 && p.x < b->hi.x - 1e-6 && p.y > b->lo.y + 1e-6 &&
            p.y < b->hi.y - 1e-6)
            return true;
    }
    return false;
}

/* The next cell in a direction, or NONE at the edge. */
static uint32_t step_from(const Router *r, uint32_t cell, Direction d)
{
    uint32_t x = cell % r->xs.n, y = cell / r->xs.n;
    switch (d) {
    case RIGHT: return x + 1 < r->xs.n ? cell + 1 : NONE;
    case LEFT: return x ? cell - 1 : NONE;
    case DOWN: return y + 1 < r->ys.n ? cell + r->xs.n : NONE;
    default: return y ? cell - r->xs.n : NONE;
    }
}

/* The net of the piece between a cell and the next one in a direction. */
static uint32_t *piece_net(Router *r, uint32_t cell, uint32_t next, Direction d)
{
    Cell *c = &r->cells[d == LEFT || d == UP ? next : cell];
    return d == RIGHT || d == LEFT ? &c->across : &c->down;
}

/* The cost of a move besides its length; INFINITY if it is not allowed. */
static double extra_cost(Router *r, uint32_t cell, Direction before, Direction d, uint32_t net)
{
    const Cell *c = &r->cells[cell];
    bool bend = before != d, flat = d == RIGHT || d == LEFT;
    uint32_t along = flat ? c->flat : c->upright, across = flat ? c->upright : c->flat;
    if ((before + 2) % DIRECTIONS == d || (c->corner != NONE && c->corner != net) ||
        (along != NONE && along != net))
        return INFINITY;
    if (across != NONE && across != net)
        return bend ? INFINITY : CROSSING;
    if (bend && ((c->flat != NONE && c->flat != net) || (c->upright != NONE && c->upright != net)))
        return INFINITY;
    return bend ? BEND : 0;
}

/* The length of a move, with the discount for pieces of the same net. INFINITY if it is barred. */
static double move_cost(Router *r, uint32_t cell, uint32_t next, Direction d, uint32_t net)
{
    Point a = cell_point(r, cell), b = cell_point(r, next);
    double length = fabs(a.x - b.x) + fabs(a.y - b.y);
    uint32_t taken = *piece_net(r, cell, next, d);
    if (taken != NONE)
        return taken == net ? SAME_NET * length : INFINITY;
    return is_inside(r, (Point){(a.x + b.x) / 2, (a.y + b.y) / 2}) ? INFINITY : length;
}

/* ---- search ---- */

static void heap_push(Router *r, Waiting w)
{
    vec_push(&r->heap, w);
    for (uint32_t i = r->heap.n - 1; i && r->heap.at[(i - 1) / 2].estimate > r->heap.at[i].estimate;
         i = (i - 1) / 2) {
        Waiting up = r->heap.at[(i - 1) / 2];
        r->heap.at[(i - 1) / 2] = r->heap.at[i];
        r->heap.at[i] = up;
    }
}

static Waiting heap_pop(Router *r)
{
    Waiting top = r->heap.at[0], last = vec_pop(&r->heap);
    uint32_t n = r->heap.n, i = 0;
    if (!n)
        return top;
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && r->heap.at[child + 1].estimate < r->heap.at[child].estimate)
            child++;
        if (r->heap.at[child].estimate >= last.estimate)
            break;
        r->heap.at[i] = r->heap.at[child];
    }
    r->heap.at[i] = last;
    return top;
}

/* A path costs at least the discounted distance. */
static double at_least(const Router *r, uint32_t cell, Point goal)
{
    Point p = cell_point(r, cell);
    return SAME_NET * (fabs(p.x - goal.x) + fabs(p.y - goal.y));
}

static void reach(Router *r, uint32_t state, double cost, uint32_t before, Point goal)
{
    Reached *at = &r->reached[state];
    if (at->search == r->search && at->cost <= cost)
        return;
    *at = (Reached){cost, before, r->search, false};
    heap_push(r, (Waiting){cost + at_least(r, state / DIRECTIONS, goal), state});
}

static void expand(Router *r, uint32_t state, uint32_t net, Point goal)
{
    uint32_t cell = state / DIRECTIONS;
    Direction before = state % DIRECTIONS;
    for (Direction d = RIGHT; d < DIRECTIONS; d++) {
        uint32_t next = step_from(r, cell, d);
        if (next == NONE)
            continue;
        double cost = r->reached[state].cost + extra_cost(r, cell, before, d, net) +
                      move_cost(r, cell, next, d, net);
        if (isfinite(cost))
            reach(r, next * DIRECTIONS + d, cost, state, goal);
    }
}

/* The state at the goal, or NONE. */
static uint32_t search_path(Router *r, uint32_t start, Direction first, uint32_t goal, uint32_t net)
{
    Point to = cell_point(r, goal);
    r->search++;
    vec_clear(&r->heap);
    reach(r, start * DIRECTIONS + first, 0, NONE, to);
    while (r->heap.n) {
        uint32_t state = heap_pop(r).state;
        if (r->reached[state].settled)
            continue;
        r->reached[state].settled = true;
        if (state / DIRECTIONS == goal)
            return state;
        expand(r, state, net, to);
    }
    return NONE;
}

/* ---- routes ---- */

/* The direction of a unit vector; `otherwise` for 0, 0. */
static Direction direction_of(Point v, Direction otherwise)
{
    return v.x > 0 ? RIGHT : v.x < 0 ? LEFT : v.y > 0 ? DOWN : v.y < 0 ? UP : otherwise;
}

/* Marks pieces and cells of a path as those of the net, and appends its corners from the goal to
 * the start. */
static void take_path(Router *r, uint32_t state, uint32_t net, RoutePoints *corners)
{
    for (uint32_t at = state, after = NONE; at != NONE; after = at, at = r->reached[at].before) {
        uint32_t cell = at / DIRECTIONS, before = r->reached[at].before;
        Direction in = at % DIRECTIONS, out = after == NONE ? in : after % DIRECTIONS;
        Cell *c = &r->cells[cell];
        if (after == NONE || before == NONE || in != out) {
            c->corner = net;
            vec_push(corners, cell_point(r, cell));
        } else {
            *(in == RIGHT || in == LEFT ? &c->flat : &c->upright) = net;
        }
        if (before != NONE)
            *piece_net(r, before / DIRECTIONS, cell, in) = net;
    }
}

/* Drops points in the middle of a straight line, from number `first` on. */
static void straighten(RoutePoints *p, uint32_t first)
{
    uint32_t n = first;
    for (uint32_t i = first; i < p->n; i++) {
        Point at = p->at[i];
        bool last = i + 1 == p->n;
        bool middle = n > first && !last &&
                      ((p->at[n - 1].x == at.x && at.x == p->at[i + 1].x) ||
                       (p->at[n - 1].y == at.y && at.y == p->at[i + 1].y));
        if (!middle)
            p->at[n++] = at;
    }
    p->n = n;
}

bool router_find(Router *r, RouteEnd from, RouteEnd to, uint32_t net, RoutePoints *out)
{
    make_grid(r);
    uint32_t a = cell_at(r, lead_end(from)), b = cell_at(r, lead_end(to));
    uint32_t state = search_path(r, b, direction_of(to.away, RIGHT), a, net);
    if (state == NONE)
        return false;
    uint32_t first = out->n;
    vec_push(out, from.at);
    take_path(r, state, net, out);
    vec_push(out, to.at);
    straighten(out, first);
    return true;
}

/* Pieces of this net around a cell, lines to ends included. */
static uint32_t count_pieces(Router *r, uint32_t cell, uint32_t net)
{
    uint32_t n = 0;
    for (Direction d = RIGHT; d < DIRECTIONS; d++) {
        uint32_t next = step_from(r, cell, d);
        n += next != NONE && *piece_net(r, cell, next, d) == net;
    }
    for (uint32_t i = 0; i < r->ends.n; i++)
        n += r->ends.at[i].net == net && cell_at(r, lead_end(r->ends.at[i].end)) == cell;
    return n;
}

void router_junctions(Router *r, RoutePoints *out)
{
    for (uint32_t cell = 0; r->ready && cell < r->xs.n * r->ys.n; cell++)
        if (r->cells[cell].corner != NONE && count_pieces(r, cell, r->cells[cell].corner) > 2)
            vec_push(out, cell_point(r, cell));
}
