/* Layers of a class and the icons of its components, placed. */
#include "diagram/diagram.h"
#include "instance/library/library.h"

#include <math.h>

enum { MAX_ICON_DEPTH = 6, MARGIN = 4 };

static const char *const layer_words[] = {"Diagram", "Icon"}, *const map_words[] = {"DiagramMap",
                                                                                    "IconMap"};

Record class_layer(Library *lib, Instance *inst, Layer *layer, LayerKind kind)
{
    Record annotation = {
        lib, {inst, layer}, layer->ast ? layer->ast->comment.annotation : NULL, NULL, NULL};
    return record_part(annotation, layer_words[kind]);
}

Box coordinate_system(Library *lib, Instance *inst, LayerKind kind)
{
    const Class *c = inst->cls;
    Point e[2] = {{-100, -100}, {100, 100}};
    for (uint32_t i = 0; i < c->layers.n; i++)
        if (read_extent(
                record_part(class_layer(lib, inst, c->layers.at[i], kind), "coordinateSystem"),
                "extent", e) &&
            e[0].x != e[1].x && e[0].y != e[1].y)
            break;
    return (Box){e[0], e[1]};
}

/* ---- layers ---- */

/* The annotation of the extends clause that leads from the text of a layer to that of a base. */
static Record extends_annotation(Library *lib, Instance *inst, const Layer *base)
{
    Record r = {lib, {inst, base->parent}, NULL, NULL, NULL};
    const AstClass *text = base->parent->ast;
    for (uint32_t i = 0; text && i < text->elements.n; i++) {
        const AstElement *e = text->elements.at[i];
        if (e->kind == AST_EL_EXTENDS && e->mod == base->mod && base->ast &&
            e->type.parts[e->type.n - 1] == base->ast->name) {
            r.mod = e->comment.annotation;
            break;
        }
    }
    return r;
}

/* IconMap and DiagramMap: whether the graphics of a base class are shown, and where. */
static bool base_frame(Library *lib, Instance *inst, const Layer *base, LayerKind kind, Affine *m)
{
    Record map = record_part(extends_annotation(lib, inst, base), map_words[kind]);
    Point e[2];
    if (!record_is_there(map))
        return true;
    if (read_extent(map, "extent", e) && e[0].x != e[1].x && e[0].y != e[1].y) {
        Box own = coordinate_system(lib, inst, kind);
        *m = affine_after(*m, affine_map(own.lo, own.hi, e[0], e[1]));
    }
    return read_flag(map, "primitivesVisible", true);
}

/* The graphics of layer `at` after those of its bases; returns the number of items. */
static uint32_t draw_layer(const Page *p, Instance *inst, uint32_t at, LayerKind kind, Affine m)
{
    const Class *c = inst->cls;
    Layer *layer = c->layers.at[at];
    uint32_t n = 0;
    for (uint32_t i = at + 1; i < layer->end; i = c->layers.at[i]->end) {
        Affine inner = m;
        if (base_frame(p->lib, inst, c->layers.at[i], kind, &inner))
            n += draw_layer(p, inst, i, kind, inner);
    }
    Page own = *p;
    own.numbers_items = at == 0 && !p->component;
    Record graphics = class_layer(p->lib, inst, layer, kind);
    graphics.dynamic = p->dynamic;
    return n + draw_items(&own, graphics, m);
}

static bool has_graphics(Library *lib, Instance *inst, LayerKind kind)
{
    for (uint32_t i = 0; i < inst->cls->layers.n; i++) {
        const AstExpr *e =
            record_field(class_layer(lib, inst, inst->cls->layers.at[i], kind), "graphics");
        if (e && e->kind == AST_ARRAY && e->args.n)
            return true;
    }
    return false;
}

/* ---- placement ---- */

static const AstMod *placement_of(const Element *e, const AstElement *decl)
{
    const AstElement *of[] = {decl, e->ast};
    for (int i = 0; i < 2; i++) {
        const AstMod *annotation = of[i] ? of[i]->comment.annotation : NULL;
        for (uint32_t k = 0; annotation && k < annotation->args.n; k++)
            if (annotation->args.at[k].name.n == 1 &&
                !strcmp(annotation->args.at[k].name.parts[0], "Placement"))
                return annotation->args.at[k].mod;
    }
    return NULL;
}

double initial_scale(Library *lib, Instance *inst, LayerKind kind)
{
    double scale = NAN;
    for (uint32_t i = 0; inst && i < inst->cls->layers.n && isnan(scale); i++)
        scale = read_number(
            record_part(class_layer(lib, inst, inst->cls->layers.at[i], kind), "coordinateSystem"),
            "initialScale", NAN);
    return scale > 0 && scale < 10 ? scale : 0.1;
}

Affine placed_frame(Box system, const Point extent[2], Point origin, double rotation, Affine m)
{
    Affine box = affine_map(system.lo, system.hi, extent[0], extent[1]);
    Affine turned = affine_after(affine_turn(rotation), box);
    return affine_after(m, affine_after(affine_move(origin.x, origin.y), turned));
}

static void place(Record transformation, Placing *at, Library *lib, Affine m)
{
    Point e[2], o = {0};
    at->system =
        at->inst ? coordinate_system(lib, at->inst, at->shows) : (Box){{-100, -100}, {100, 100}};
    if (!read_extent(transformation, "extent", e)) {
        double scale = initial_scale(lib, at->inst, at->shows);
        e[0] = (Point){at->system.lo.x * scale, at->system.lo.y * scale};
        e[1] = (Point){at->system.hi.x * scale, at->system.hi.y * scale};
    }
    read_point(transformation, "origin", &o);
    at->frame = placed_frame(at->system, e, o, read_number(transformation, "rotation", 0), m);
}

bool find_place(const Page *p, Instance *inst, uint32_t index, LayerKind kind, Affine m,
                Placing *at)
{
    const Element *e = &inst->cls->elements.at[index];
    if (e->kind != ELEMENT_COMPONENT || !e->ast)
        return false;
    if (kind == LAYER_ICON && (e->is_protected || !placement_of(e, e->ast)))
        return false;
    Instance *child = inst_component(p->lib, inst, index);
    e = &inst->cls->elements.at[index];
    const AstMod *mod = child ? placement_of(e, child->decl) : NULL;
    bool connector = child && class_is_connector(child->cls);
    if (!mod || (kind == LAYER_ICON && !connector))
        return false;
    Record r = {p->lib, {inst, e->layer}, mod, NULL, p->dynamic};
    bool visible = read_flag(r, "visible", true);
    Record how = record_part(r, "transformation");
    if (kind == LAYER_ICON) {
        visible = read_flag(r, "iconVisible", visible);
        Record icon = record_part(r, "iconTransformation");
        how = record_is_there(icon) ? icon : how;
    }
    *at = (Placing){.inst = child};
    at->shows = connector && kind == LAYER_DIAGRAM && has_graphics(p->lib, child, LAYER_DIAGRAM)
                    ? LAYER_DIAGRAM
                    : LAYER_ICON;
    if (visible)
        place(how, at, p->lib, m);
    return visible;
}

bool find_unknown_place(const Page *p, Instance *inst, uint32_t index, Affine m, Placing *at)
{
    const Element *e = &inst->cls->elements.at[index];
    const AstMod *mod = e->kind == ELEMENT_COMPONENT && e->ast ? placement_of(e, e->ast) : NULL;
    if (!mod || inst_component(p->lib, inst, index))
        return false;
    Record r = {p->lib, {inst, e->layer}, mod, NULL, NULL};
    *at = (Placing){.shows = LAYER_ICON};
    place(record_part(r, "transformation"), at, p->lib, m);
    return read_flag(r, "visible", true);
}

Placing find_end(const Page *p, Placing at, const AstRef *ref)
{
    for (uint32_t i = 1; at.inst && i < ref->n; i++) {
        Placing inner;
        uint32_t index = class_find(at.inst->cls, ref->parts[i].name);
        if (index == MAP_NONE || !find_place(p, at.inst, index, LAYER_ICON, at.frame, &inner))
            break;
        at = inner;
    }
    return at;
}

Point placing_middle(const Placing *at)
{
    Point m = {(at->system.lo.x + at->system.hi.x) / 2, (at->system.lo.y + at->system.hi.y) / 2};
    return affine_apply(&at->frame, m);
}

/* ---- components ---- */

/* "R[3]" */
static char *label_of(const Page *p, Instance *inst)
{
    Text t = {0};
    text_put(&t, inst->decl->name);
    if (inst->rank && inst_dims(p->lib, inst))
        for (uint32_t i = 0; i < inst->rank; i++)
            text_printf(&t, "%s%lld%s", i ? ", " : "[", (long long)inst->dims[i],
                        i + 1 == inst->rank ? "]" : "");
    return text_keep(&t, p->drawing->arena);
}

/* For a component whose class has no icon: a box with its name and class. */
static void draw_plain_icon(const Page *p, const Placing *at)
{
    Affine f = frame_of(at->frame, at->system.lo, at->system.hi);
    Style style = {.line = {90, 90, 90},
                   .fill = {248, 248, 248},
                   .width = 0.25,
                   .pattern = LINE_SOLID,
                   .filling = FILL_SOLID};
    PathParts path = box_path((Point){-1, -1}, (Point){1, 1}, 0.1, &f);
    const char *class_ = strrchr(at->inst->cls->name, '.');
    drawing_path(p->drawing, &style, &path);
    draw_words(p, class_ ? class_ + 1 : at->inst->cls->name, (Letters){.colour = {90, 90, 90}},
               (Point){-0.9, -0.2}, (Point){0.9, 0.2}, f);
    draw_words(p, p->component, (Letters){.colour = {0, 0, 255}}, (Point){-1.5, 1.1},
               (Point){1.5, 1.7}, f);
}

/* The base class whose text declares a component; NULL: the class itself. */
static const char *inherited_from(const Page *p, const Instance *inst)
{
    const Class *c = inst->parent && !p->component ? inst->parent->cls : NULL;
    const Layer *layer =
        c && inst->index < c->elements.n ? c->elements.at[inst->index].layer : NULL;
    return layer && layer != c->layers.at[0] && layer->ast ? layer->ast->name : NULL;
}

/* "speed torque": the elements that an expandable connector declares; NULL for other connectors. */
static const char *signals_of(const Page *p, const Class *c)
{
    const char *list = class_is_expandable(c) ? "" : NULL;
    for (uint32_t i = 0; list && i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        if (e->kind == ELEMENT_COMPONENT && !e->is_protected)
            list = arena_printf(p->drawing->arena, "%s%s%s", list, *list ? " " : "", e->name);
    }
    return list;
}

static Group group_of(const Page *p, Instance *inst, const char *kind, const char *name)
{
    Place place = source_place(p->lib->ctx->sources, inst->decl->span);
    const char *about = inst->decl->comment.text;
    const AstExpr *condition = inst->decl->condition;
    const char *label = label_of(p, inst), *dimensions = strchr(label, '[');
    return (Group){.kind = kind,
                   .component = name,
                   .class_ = inst->cls->name,
                   .path = place.path,
                   .line = place.line,
                   .title = arena_printf(p->drawing->arena, "%s %s%s%s", inst->cls->name, name,
                                         about ? ": " : "", about ? about : ""),
                   .absent = inst->absent,
                   .inherited = inherited_from(p, inst),
                   .dimensions = dimensions,
                   .condition = condition ? ast_print_expr(condition, p->drawing->arena) : NULL,
                   .signals = signals_of(p, inst->cls),
                   .is_connector = class_is_connector(inst->cls)};
}

static void draw_component(const Page *page, const Placing *at, const char *path);

/* The connectors of a component, at its icon; absent ones are left out. */
static void draw_connectors(const Page *p, const Placing *at, const char *path)
{
    const Class *c = at->inst->cls;
    for (uint32_t i = 0; p->depth < MAX_ICON_DEPTH && i < c->order.n; i++) {
        Placing inner;
        if (!find_place(p, at->inst, c->order.at[i], LAYER_ICON, at->frame, &inner) ||
            inner.inst->absent)
            continue;
        Page page = *p;
        page.depth++;
        const char *name = arena_printf(p->drawing->arena, "%s.%s", path, inner.inst->decl->name);
        drawing_open(p->drawing, group_of(p, inner.inst, "connector", name));
        draw_component(&page, &inner, name);
        drawing_shut(p->drawing);
    }
}

static void draw_component(const Page *page, const Placing *at, const char *path)
{
    Page p = *page;
    p.component = label_of(page, at->inst);
    p.inst = at->inst;
    Affine own = frame_of(at->frame, at->system.lo, at->system.hi);
    PathParts box = box_path((Point){-1, -1}, (Point){1, 1}, 0, &own);
    drawing_target(p.drawing, &box, 0);
    uint32_t n = draw_layer(&p, at->inst, 0, at->shows, at->frame);
    if (!n && !class_is_connector(at->inst->cls) && !class_is_simple(at->inst->cls))
        draw_plain_icon(&p, at);
    draw_connectors(&p, at, path);
}

void draw_placed(const Page *p, const Placing *at)
{
    drawing_open(p->drawing, group_of(p, at->inst, "component", at->inst->decl->name));
    draw_component(p, at, at->inst->decl->name);
    drawing_shut(p->drawing);
}

/* "A.B.C" */
static const char *type_text(const Page *p, const AstName *type)
{
    Text t = {0};
    for (uint32_t i = 0; i < type->n; i++)
        text_printf(&t, "%s%s", i ? "." : "", type->parts[i]);
    return text_keep(&t, p->drawing->arena);
}

/* Why the class of a component is unknown. */
static const char *unknown_reason(const Page *p, const AstName *type)
{
    if (class_find(p->inst->cls, type->parts[0]) == MAP_NONE &&
        library_top(p->lib, type->parts[0]) == MAP_NONE)
        return arena_printf(p->drawing->arena, "%s '%s' is missing",
                            type->n > 1 ? "library" : "class", type->parts[0]);
    return "the class is missing or has errors";
}

/* A dashed box with the name of the component, that of its class, and what is wrong. */
static void draw_unknown(const Page *p, uint32_t index, const Placing *at)
{
    static const Colour red = {176, 32, 32};
    const Element *e = &p->inst->cls->elements.at[index];
    const char *name = e->ast->name, *type = type_text(p, &e->ast->type),
               *reason = unknown_reason(p, &e->ast->type);
    Place place = source_place(p->lib->ctx->sources, e->ast->span);
    const Layer *layer = e->layer != p->inst->cls->layers.at[0] ? e->layer : NULL;
    drawing_open(p->drawing,
                 (Group){.kind = "component unknown",
                         .component = name,
                         .class_ = type,
                         .path = place.path,
                         .line = place.line,
                         .title = arena_printf(p->drawing->arena, "%s %s: %s", type, name, reason),
                         .inherited = layer && layer->ast ? layer->ast->name : NULL});
    Affine f = frame_of(at->frame, at->system.lo, at->system.hi);
    PathParts target = box_path((Point){-1, -1}, (Point){1, 1}, 0, &f),
              box = box_path((Point){-1, -1}, (Point){1, 1}, 0.1, &f);
    Style style = {.line = red, .width = 0.25, .pattern = LINE_DASH, .filling = FILL_NONE};
    Letters words = {.colour = red};
    drawing_target(p->drawing, &target, 0);
    drawing_path(p->drawing, &style, &box);
    draw_words(p, e->ast->type.parts[e->ast->type.n - 1], words, (Point){-0.9, 0.1},
               (Point){0.9, 0.6}, f);
    draw_words(p, reason, words, (Point){-0.9, -0.6}, (Point){0.9, -0.1}, f);
    draw_words(p, name, (Letters){.colour = {0, 0, 255}}, (Point){-1.5, 1.1}, (Point){1.5, 1.7}, f);
    drawing_shut(p->drawing);
}

static void draw_components(const Page *p, LayerKind kind, Affine m)
{
    const Class *c = p->inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        Placing at;
        if (kind == LAYER_DIAGRAM && find_unknown_place(p, p->inst, c->order.at[i], m, &at))
            draw_unknown(p, c->order.at[i], &at);
        if (!find_place(p, p->inst, c->order.at[i], kind, m, &at) ||
            (kind == LAYER_ICON && at.inst->absent))
            continue;
        draw_placed(p, &at);
    }
}

bool is_arranged(const Page *p)
{
    const Class *c = p->inst->cls;
    for (uint32_t i = 0; i < c->order.n; i++) {
        Placing at;
        if (find_place(p, p->inst, c->order.at[i], LAYER_DIAGRAM, affine_move(0, 0), &at) ||
            find_unknown_place(p, p->inst, c->order.at[i], affine_move(0, 0), &at))
            return false;
    }
    return !has_graphics(p->lib, p->inst, LAYER_DIAGRAM);
}

/* ---- the picture ---- */

/* The variables on which the picture depends. */
static void note_variables(Drawing *d, const DynamicValues *dynamic)
{
    Text t = {0};
    for (uint32_t i = 0; i < dynamic->seen.n; i++)
        text_printf(&t, "%s%s", i ? ";" : "", dynamic->seen.at[i]);
    d->variables = t.n ? text_keep(&t, d->arena) : NULL;
    text_free(&t);
}

/* A diagram is cropped to its contents; an icon has at least the size of its coordinate system. */
Drawing *diagram_draw(Library *lib, Instance *root, LayerKind kind, const char *title,
                      DynamicValues *dynamic)
{
    Drawing *d = drawing_new(root->cls->name);
    Page p = {.drawing = d, .lib = lib, .inst = root, .title = title, .dynamic = dynamic};
    Affine page = {1, 0, 0, -1, 0, 0};
    Box system = coordinate_system(lib, root, kind);
    drawing_open(d, (Group){.kind = "graphics"});
    draw_layer(&p, root, 0, kind, page);
    drawing_shut(d);
    draw_components(&p, kind, page);
    d->arranged = kind == LAYER_DIAGRAM && is_arranged(&p);
    if (d->arranged)
        draw_arranged(&p, page);
    else if (kind == LAYER_DIAGRAM) {
        draw_connections(&p, page, find_place);
        draw_unrouted(&p, page, find_place);
    }
    if (kind == LAYER_ICON || !(d->lo.x < d->hi.x)) {
        drawing_include(d, affine_apply(&page, system.lo));
        drawing_include(d, affine_apply(&page, system.hi));
    }
    drawing_include(d, (Point){d->lo.x - MARGIN, d->lo.y - MARGIN});
    drawing_include(d, (Point){d->hi.x + MARGIN, d->hi.y + MARGIN});
    if (dynamic)
        note_variables(d, dynamic);
    return d;
}
