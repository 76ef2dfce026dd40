/* Items of the graphics of a class: its icon and the background of its diagram. */
#include "edit/class_edit.h"

#include <math.h>

static const char *layer_word(const cJSON *op)
{
    return layer_arg(op) == LAYER_ICON ? "Icon" : "Diagram";
}

/* The list `graphics` as it is written; NULL if there is none. */
static const AstExpr *graphics_of(const ClassEdit *e, const cJSON *op)
{
    const AstMod *layer = annotation_part(e->ast->comment.annotation, layer_word(op));
    const AstExpr *list = annotation_value(layer, "graphics");
    return list && list->kind == AST_ARRAY && !list->iters.n ? list : NULL;
}

static bool is_item(ClassEdit *e, const char *text)
{
    static const char *const kinds[] = {"Line(",    "Polygon(", "Rectangle(",
                                        "Ellipse(", "Text(",    "Bitmap("};
    for (size_t i = 0; text && i < sizeof kinds / sizeof *kinds; i++)
        if (!strncmp(text, kinds[i], strlen(kinds[i])))
            return is_expression(e, text);
    return false;
}

static void add_to_class(ClassEdit *e, const char *text)
{
    const AstMod *annotation = e->ast->comment.annotation;
    if (annotation) {
        add_annotation(e, annotation, 0, text);
        return;
    }
    uint32_t at = body_end(e);
    bool begins = at == 0 || e->text[at - 1] == '\n';
    change(e, at, at,
           arena_printf(e->arena, "%s%s  annotation (%s);\n", begins ? "" : "\n",
                        indent_of(e, e->ast->span.at), text));
}

/* Between two items: a new line if the line would be too long. */
static const char *item_break(ClassEdit *e, uint32_t at, const char *text)
{
    uint32_t begin = at;
    while (begin && e->text[begin - 1] != '\n')
        begin--;
    return at - begin + strlen(text) + 6 < 100
               ? ", "
               : arena_printf(e->arena, ",\n%s    ", class_indent(e));
}

/* Appends n items, written as "A, B"; their names in the answer are "#number". */
static bool append_written(ClassEdit *e, const cJSON *op, const char *text, uint32_t n)
{
    const AstMod *layer = annotation_part(e->ast->comment.annotation, layer_word(op));
    const AstExpr *list = graphics_of(e, op);
    uint32_t old = list ? list->args.n : 0;
    if (!list && annotation_value(layer, "graphics"))
        return refuse(e, "the graphics are computed; edit them in the source");
    for (uint32_t i = 0; i < n; i++)
        vec_push(&e->names, arena_printf(e->arena, "#%u", old + i));
    const char *graphics = arena_printf(e->arena, "graphics={%s}", text);
    if (list) {
        uint32_t at = old ? list->args.at[old - 1]->span.end : list->span.end - 1;
        change(e, at, at, arena_printf(e->arena, "%s%s", old ? item_break(e, at, text) : "", text));
    } else if (layer) {
        add_annotation(e, layer, 0, graphics);
    } else {
        add_to_class(e, arena_printf(e->arena, "%s(%s)", layer_word(op), graphics));
    }
    return true;
}

bool append_items(ClassEdit *e, const cJSON *op, const cJSON *texts)
{
    const cJSON *one;
    uint32_t n = 0;
    Text t = {0};
    cJSON_ArrayForEach(one, texts)
    {
        const char *text = cJSON_GetStringValue(one);
        if (!is_item(e, text)) {
            text_free(&t);
            return refuse(e, "'%.100s' is not a graphical item", text ? text : "");
        }
        text_printf(&t, "%s%s", n++ ? ", " : "", text);
    }
    return !n || append_written(e, op, text_keep(&t, e->arena), n);
}

bool op_draw(ClassEdit *e, const cJSON *op)
{
    const char *text = text_arg(op, "text");
    if (!is_item(e, text))
        return refuse(e, "'%.100s' is not a graphical item", text ? text : "");
    return append_written(e, op, text, 1);
}

static const AstExpr *find_item(ClassEdit *e, const cJSON *op, const cJSON *number)
{
    const AstExpr *list = graphics_of(e, op);
    double i = cJSON_IsNumber(number) ? number->valuedouble : -1;
    if (list && i >= 0 && i < list->args.n)
        return list->args.at[(uint32_t)i];
    refuse(e, "this class itself has no such graphical item");
    return NULL;
}

bool op_redraw(ClassEdit *e, const cJSON *op)
{
    const char *text = text_arg(op, "text");
    const AstExpr *item = find_item(e, op, cJSON_GetObjectItemCaseSensitive(op, "item"));
    if (!item)
        return false;
    if (!is_item(e, text))
        return refuse(e, "'%.100s' is not a graphical item", text ? text : "");
    change(e, item->span.at, item->span.end, text);
    return true;
}

static bool is_chosen(const cJSON *items, uint32_t i)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, items) if (cJSON_IsNumber(one) && one->valuedouble == i) return true;
    return false;
}

static bool are_all_chosen(const cJSON *items, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!is_chosen(items, i))
            return false;
    return items;
}

/* Each item with the comma before it; the first ones with the comma after them. */
bool delete_items(ClassEdit *e, const cJSON *op)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(op, "items"), *one;
    const AstExpr *list = graphics_of(e, op);
    cJSON_ArrayForEach(one, items) if (!find_item(e, op, one)) return false;
    if (list && are_all_chosen(items, list->args.n)) {
        remove_named(e, annotation_part(e->ast->comment.annotation, layer_word(op)), "graphics");
        return true;
    }
    const AstExpr *kept = NULL;
    for (uint32_t i = 0; items && list && i < list->args.n; i++) {
        const AstExpr *item = list->args.at[i];
        if (!is_chosen(items, i))
            kept = item;
        else if (kept)
            change(e, list->args.at[i - 1]->span.end, item->span.end, "");
        else
            change(e, item->span.at,
                   i + 1 < list->args.n ? list->args.at[i + 1]->span.at : item->span.end, "");
    }
    return true;
}

/* Adds to all points of an array of points. */
static bool shift_points(ClassEdit *e, const AstExpr *x, Point by)
{
    double a, b;
    if (!x || x->kind != AST_ARRAY)
        return false;
    if (x->args.n == 2 && read_literal(x->args.at[0], &a) && read_literal(x->args.at[1], &b)) {
        change_number(e, x->args.at[0], a + by.x);
        change_number(e, x->args.at[1], b + by.y);
        return true;
    }
    for (uint32_t i = 0; i < x->args.n; i++)
        if (!shift_points(e, x->args.at[i], by))
            return false;
    return x->args.n > 0;
}

static const AstNamedArg *named_field(const AstExpr *call, const char *name)
{
    for (uint32_t i = 0; call->kind == AST_CALL && i < call->named.n; i++)
        if (!strcmp(call->named.at[i].name, name))
            return &call->named.at[i];
    return NULL;
}

static const AstExpr *field(const AstExpr *call, const char *name)
{
    const AstNamedArg *found = named_field(call, name);
    return found ? found->value : NULL;
}

/* ---- fields of an item ---- */

/* With the comma before it, or after it if it is the first. */
static void remove_field(ClassEdit *e, const AstExpr *call, const AstNamedArg *old)
{
    const AstNamedArg *a = call->named.at;
    uint32_t i = (uint32_t)(old - a);
    if (i)
        change(e, a[i - 1].value->span.end, a[i].value->span.end, "");
    else if (call->named.n > 1)
        change(e, a[0].span.at, a[1].span.at, "");
    else
        change(e, a[0].span.at, a[0].value->span.end, "");
}

/* A field of items gets a value; without a value it goes. */
bool op_paint(ClassEdit *e, const cJSON *op)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(op, "items"), *one;
    const char *name = text_arg(op, "name"), *value = text_arg(op, "value");
    if (!is_identifier(name) || (value && !is_expression(e, value)))
        return refuse(e, "'%.100s' is not an expression", value ? value : "");
    cJSON_ArrayForEach(one, items)
    {
        const AstExpr *item = find_item(e, op, one);
        if (!item)
            return false;
        if (item->kind != AST_CALL)
            return refuse(e, "this item is computed; edit it in the source");
        const AstNamedArg *old = named_field(item, name);
        if (old && value)
            change(e, old->value->span.at, old->value->span.end, value);
        else if (old)
            remove_field(e, item, old);
        else if (value)
            change(e, item->span.end - 1, item->span.end - 1,
                   arena_printf(e->arena, "%s%s=%s", item->named.n || item->args.n ? ", " : "",
                                name, value));
    }
    return true;
}

static cJSON *describe_item(ClassEdit *e, const AstExpr *item)
{
    bool call = item->kind == AST_CALL;
    cJSON *o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "text", source_of(e, item->span));
    cJSON_AddStringToObject(o, "kind", call ? item->ref->parts[item->ref->n - 1].name : "");
    cJSON *fields = cJSON_AddObjectToObject(o, "fields");
    for (uint32_t i = 0; call && i < item->named.n; i++)
        cJSON_AddStringToObject(fields, item->named.at[i].name,
                                source_of(e, item->named.at[i].value->span));
    return o;
}

/* Kinds, texts and fields of items as they are written: "items" of the answer. */
bool op_read_items(ClassEdit *e, const cJSON *op)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(op, "items"), *one;
    cJSON *list = cJSON_AddArrayToObject(e->extra, "items");
    cJSON_ArrayForEach(one, items)
    {
        const AstExpr *item = find_item(e, op, one);
        if (!item)
            return false;
        cJSON_AddItemToArray(list, describe_item(e, item));
    }
    return true;
}

bool copy_items(ClassEdit *e, const cJSON *op, cJSON *texts)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(op, "items"))
    {
        const AstExpr *item = find_item(e, op, one);
        if (!item)
            return false;
        cJSON_AddItemToArray(texts, cJSON_CreateString(source_of(e, item->span)));
    }
    return true;
}

bool op_shift(ClassEdit *e, const cJSON *op)
{
    const cJSON *items = cJSON_GetObjectItemCaseSensitive(op, "items"), *one;
    Point by;
    if (!point_arg(op, "by", &by))
        return refuse(e, "'by' needs two numbers");
    cJSON_ArrayForEach(one, items)
    {
        const AstExpr *item = find_item(e, op, one);
        if (!item)
            return false;
        const AstExpr *origin = field(item, "origin"), *points = field(item, "points");
        const AstExpr *at = origin ? origin : points ? points : field(item, "extent");
        bool turned = !origin && field(item, "rotation");
        if (turned || !shift_points(e, at, by))
            return refuse(e, "the place of this item is computed; edit it in the source");
    }
    return true;
}
