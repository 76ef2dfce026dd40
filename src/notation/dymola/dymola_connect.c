/* Connections of Dymola: series, parallel and joined cuts, taken apart into pairs of cuts.
 *
 * connect = chain { "at" chain }        all main cuts joined
 * chain   = series { "to" series }      the end of each joined to the start of the next
 *         | series "from" end "to" end  a path between two places
 * series  = parallel { "-" parallel }
 * parallel = primary { "//" primary }   starts joined, and ends joined; binds tighter than "-"
 * primary = "(" chain ")" | "reversed" primary | name [ ":" name ] */
#include "notation/dymola/internal.h"

typedef struct Piece {
    DymEnd from, to; /* of the path; equal for a cut */
    DymEnd cut;      /* what "at" joins */
    bool has_cut, ok;
} Piece;

typedef struct Connector {
    Dymola *d;
    DymModel *m;
    VEC(DymPair) at_nodes; /* pairs in which one end or both are nodes */
    VEC(uint32_t) parents; /* of nodes that are joined */
} Connector;

static Piece read_chain(Connector *c);

static void pair(Connector *c, DymEnd a, DymEnd b, Span span);

static bool is_own(const DymEnd *a, const DymEnd *b)
{
    return a->sub == b->sub && a->cut == b->cut && a->node == b->node;
}

static const char *describe(Connector *c, const DymEnd *e)
{
    Arena *a = c->d->r.scratch;
    return e->sub ? arena_printf(a, "cut '%s:%s'", e->sub->name, e->cut->name)
                  : arena_printf(a, "cut '%s'", e->cut->name);
}

static DymEnd part_of(Connector *c, const DymEnd *e, uint32_t i)
{
    DymEnd part = *e;
    part.cut = dymola_cut(e->owner, e->cut->parts.at[i].name);
    if (!part.cut)
        reader_error(&c->d->r, e->cut->parts.at[i].span, DIAG_S041, "there is no cut '%s'",
                     e->cut->parts.at[i].name);
    return part;
}

static bool shapes_agree(const DymCut *a, const DymCut *b)
{
    return a->hierarchical == b->hierarchical && a->parts.n == b->parts.n &&
           a->across.n == b->across.n && a->through.n == b->through.n;
}

static void pair_parts(Connector *c, DymEnd a, DymEnd b, Span span)
{
    for (uint32_t i = 0; i < a.cut->parts.n; i++) {
        DymEnd x = part_of(c, &a, i), y = part_of(c, &b, i);
        if (x.cut && y.cut)
            pair(c, x, y, span);
    }
}

static void pair(Connector *c, DymEnd a, DymEnd b, Span span)
{
    DymPair p = {a, b, span};
    if (is_own(&a, &b))
        return;
    if (!a.cut || !b.cut) {
        vec_push(&c->at_nodes, p);
        return;
    }
    if (!shapes_agree(a.cut, b.cut)) {
        Reader *r = &c->d->r;
        reader_error(r, span, DIAG_S042,
                     "%s and %s do not fit: %u across and %u through variables against %u and %u",
                     describe(c, &a), describe(c, &b), a.cut->across.n, a.cut->through.n,
                     b.cut->across.n, b.cut->through.n);
        diag_note(r->tree.ctx, a.cut->span, "the first cut is declared here");
        diag_note(r->tree.ctx, b.cut->span, "the second cut is declared here");
        return;
    }
    if (a.cut->hierarchical) {
        pair_parts(c, a, b, span);
        return;
    }
    vec_push(&c->m->pairs, p);
}

/* ---- names ---- */

static const DymPath *find_path(const DymModel *m, Name name)
{
    for (; m; m = m->base)
        for (uint32_t i = 0; i < m->paths.n; i++)
            if (name ? m->paths.at[i].name == name : m->paths.at[i].main)
                return &m->paths.at[i];
    return NULL;
}

static DymCut *main_cut(DymModel *m)
{
    DymCut *only = NULL;
    uint32_t n = 0;
    for (; m; m = m->base)
        for (uint32_t i = 0; i < m->cuts.n; i++, n++) {
            only = m->cuts.at[i];
            if (only->main)
                return only;
        }
    return n == 1 ? only : NULL;
}

static DymEnd cut_end(const DymSub *sub, DymModel *owner, DymCut *cut, Span span)
{
    return (DymEnd){.sub = sub, .cut = cut, .owner = owner, .span = span};
}

static Piece of_cut(DymEnd e)
{
    return (Piece){.from = e, .to = e, .cut = e, .has_cut = true, .ok = true};
}

static Piece of_path(Connector *c, const DymSub *sub, DymModel *owner, const DymPath *path,
                     Span span)
{
    DymCut *from = dymola_cut(owner, path->from), *to = dymola_cut(owner, path->to);
    if (!from || !to) {
        reader_error(&c->d->r, path->span, DIAG_S041,
                     "path '%s' names the cut '%s', which does not exist", path->name,
                     from ? path->to : path->from);
        return (Piece){0};
    }
    return (Piece){
        .from = cut_end(sub, owner, from, span), .to = cut_end(sub, owner, to, span), .ok = true};
}

static Piece of_submodel(Connector *c, const DymSub *sub, Span span)
{
    const DymPath *path = find_path(sub->model, NULL);
    DymCut *cut = main_cut(sub->model);
    Piece p = path  ? of_path(c, sub, sub->model, path, span)
              : cut ? of_cut(cut_end(sub, sub->model, cut, span))
                    : (Piece){0};
    if (!path && !cut)
        reader_error(&c->d->r, span, DIAG_S041,
                     "submodel '%s' has neither a main path nor a main cut; name a cut: %s:CUT",
                     sub->name, sub->name);
    if (cut) {
        p.cut = cut_end(sub, sub->model, cut, span);
        p.has_cut = true;
    }
    return p;
}

/* name ":" name: a cut or a path of a submodel */
static Piece of_selected(Connector *c, const DymSub *sub, Name name, Span span)
{
    DymCut *cut = dymola_cut(sub->model, name);
    const DymPath *path = cut ? NULL : find_path(sub->model, name);
    if (cut)
        return of_cut(cut_end(sub, sub->model, cut, span));
    if (path)
        return of_path(c, sub, sub->model, path, span);
    reader_error(&c->d->r, span, DIAG_S041, "submodel '%s' has no cut and no path '%s'", sub->name,
                 name);
    return (Piece){0};
}

static Piece of_name(Connector *c, Name name, Span span)
{
    for (uint32_t i = 0; i < c->m->nodes.n; i++)
        if (c->m->nodes.at[i].name == name)
            return of_cut((DymEnd){.node = i, .span = span});
    DymCut *cut = dymola_cut(c->m, name);
    if (cut)
        return of_cut(cut_end(NULL, c->m, cut, span));
    const DymPath *path = find_path(c->m, name);
    if (path)
        return of_path(c, NULL, c->m, path, span);
    reader_error(&c->d->r, span, DIAG_S041, "there is no submodel, cut, path or node '%s'", name);
    return (Piece){0};
}

static Piece read_named(Connector *c)
{
    Reader *r = &c->d->r;
    uint32_t at = word(r)->at;
    Name name = expect_plain_name(r, "a submodel, a cut, a path or a node");
    Name selected = NULL;
    if (!name ||
        (accept_word(r, ":") && !(selected = expect_plain_name(r, "a cut or a path after ':'"))))
        return (Piece){0};
    Span span = reader_since(r, at);
    const DymSub *sub = dymola_sub(c->m, name);
    if (sub && !sub->model)
        return (Piece){0};
    if (sub)
        return selected ? of_selected(c, sub, selected, span) : of_submodel(c, sub, span);
    if (selected)
        reader_error(r, span, DIAG_S041, "there is no submodel '%s'", name);
    return selected ? (Piece){0} : of_name(c, name, span);
}

/* ---- expressions ---- */

static Piece reversed(Piece p)
{
    DymEnd from = p.from;
    p.from = p.to;
    p.to = from;
    return p;
}

static Piece read_primary(Connector *c)
{
    Reader *r = &c->d->r;
    if (r->depth > READER_MAX_DEPTH) {
        reader_error(r, word_span(r), DIAG_S018, "the connection nests too deeply");
        return (Piece){0};
    }
    r->depth++;
    Piece p = {0};
    if (accept_word(r, "reversed")) {
        p = reversed(read_primary(c));
    } else if (accept_word(r, "(")) {
        p = read_chain(c);
        p.ok = p.ok && expect_word_of(r, ")", "to close the bracket");
    } else {
        p = read_named(c);
    }
    r->depth--;
    return p;
}

static Piece read_parallel(Connector *c)
{
    uint32_t at = word(&c->d->r)->at;
    Piece p = read_primary(c);
    while (p.ok && accept_word(&c->d->r, "//")) {
        Piece q = read_primary(c);
        p.ok = q.ok;
        if (!q.ok)
            break;
        pair(c, p.from, q.from, reader_since(&c->d->r, at));
        pair(c, p.to, q.to, reader_since(&c->d->r, at));
        p.has_cut = false;
    }
    return p;
}

/* The pieces in a row: the end of each at the start of the next. */
static Piece read_row(Connector *c, const char *link, Piece item(Connector *))
{
    uint32_t at = word(&c->d->r)->at;
    Piece p = item(c);
    while (p.ok && accept_word(&c->d->r, link)) {
        Piece q = item(c);
        if (q.ok)
            pair(c, p.to, q.from, reader_since(&c->d->r, at));
        p = (Piece){.from = p.from, .to = q.to, .ok = q.ok};
    }
    return p;
}

static Piece read_series(Connector *c)
{
    return read_row(c, "-", read_parallel);
}

static Piece read_chain(Connector *c)
{
    Reader *r = &c->d->r;
    uint32_t at = word(r)->at;
    Piece p = read_row(c, "to", read_series);
    if (!p.ok || !accept_word(r, "from"))
        return p;
    Piece from = read_named(c);
    if (!from.ok || !expect_word_of(r, "to", "and the end of the path"))
        return (Piece){0};
    Piece to = read_named(c);
    if (to.ok) {
        pair(c, from.to, p.from, reader_since(r, at));
        pair(c, p.to, to.from, reader_since(r, at));
    }
    p.ok = to.ok;
    return p;
}

static bool require_cut(Connector *c, const Piece *p)
{
    if (p->ok && !p->has_cut)
        reader_error(&c->d->r, p->from.span, DIAG_S041,
                     "'at' joins cuts: name a model with a main cut, or a selection such as %s:CUT",
                     p->from.sub ? p->from.sub->name : "SUBMODEL");
    return p->ok && p->has_cut;
}

static bool read_joined(Connector *c)
{
    uint32_t at = word(&c->d->r)->at;
    Piece p = read_chain(c);
    while (p.ok && accept_word(&c->d->r, "at")) {
        Piece q = read_chain(c);
        if (!require_cut(c, &p) || !require_cut(c, &q))
            return false;
        pair(c, p.cut, q.cut, reader_since(&c->d->r, at));
    }
    return p.ok;
}

/* ---- nodes ---- */

static uint32_t node_root(Connector *c, uint32_t node)
{
    while (c->parents.at[node] != node)
        node = c->parents.at[node];
    return node;
}

static void join_nodes(Connector *c)
{
    for (uint32_t i = 0; i < c->m->nodes.n; i++)
        vec_push(&c->parents, i);
    for (uint32_t i = 0; i < c->at_nodes.n; i++) {
        const DymPair *p = &c->at_nodes.at[i];
        if (!p->a.cut && !p->b.cut)
            c->parents.at[node_root(c, p->a.node)] = node_root(c, p->b.node);
    }
}

/* The cuts at a node are joined to the first of them. */
static void resolve_nodes(Connector *c)
{
    join_nodes(c);
    DymEnd *first = memory_alloc(sizeof *first * (c->m->nodes.n + 1));
    for (uint32_t i = 0; i < c->at_nodes.n; i++) {
        DymPair p = c->at_nodes.at[i];
        DymEnd cut = p.a.cut ? p.a : p.b, node = p.a.cut ? p.b : p.a;
        if (!cut.cut)
            continue;
        DymEnd *hub = &first[node_root(c, node.node)];
        if (hub->cut)
            pair(c, *hub, cut, p.span);
        else
            *hub = cut;
    }
    memory_free(first);
}

void dymola_connect(Dymola *d, DymModel *m)
{
    Connector c = {.d = d, .m = m};
    for (uint32_t i = 0; i < m->connects.n; i++) {
        d->r.at = m->connects.at[i];
        reader_next(&d->r);
        bool ok = true;
        do
            ok = read_joined(&c);
        while (ok && accept_word(&d->r, ","));
    }
    resolve_nodes(&c);
    vec_free(&c.at_nodes);
    vec_free(&c.parents);
}
