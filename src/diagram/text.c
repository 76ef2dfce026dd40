/* Text of icons: macros, size and place (section 18.6.5.5). */
#include "diagram/diagram.h"

#include <ctype.h>
#include <math.h>

static const double POINT = 0.3527777777777778; /* millimetres, which are the unit of the page */
static const double LINE = 1.18;                /* height of a line by the size of its letters */

/* ---- macros ---- */

static void put_scalar(Text *t, const Types *types, TypeId type, double x, Name s)
{
    const Type *ty = type_get(types, type);
    if (ty->kind == TYPE_STRING)
        text_put(t, s);
    else if (ty->kind == TYPE_BOOL)
        text_put(t, x != 0 ? "true" : "false");
    else if (ty->kind == TYPE_ENUM)
        text_put(t, x >= 1 && x <= ty->n ? ty->fields[(uint32_t)x - 1].name : "?");
    else
        text_printf(t, "%.6g", x);
}

static bool is_uniform(const Value *v, int64_t n, bool strings)
{
    for (int64_t i = 1; i < n; i++)
        if (strings ? v->strs[i] != v->strs[0] : v->nums[i] != v->nums[0])
            return false;
    return true;
}

/* An array of equal elements is printed as one of them. False for values without a short text. */
static bool put_value(Text *t, const Types *types, const Value *v)
{
    TypeId element = type_element(types, v->type);
    TypeKind kind = type_get(types, element)->kind;
    bool strings = kind == TYPE_STRING;
    if (kind == TYPE_RECORD || kind == TYPE_EXTERNAL || kind == TYPE_FUNCTION || kind == TYPE_NONE)
        return false;
    if (!type_rank(types, v->type)) {
        put_scalar(t, types, element, strings ? 0 : v->num, strings ? v->str : NULL);
        return true;
    }
    int64_t n = type_count(types, v->type), shown = n > 0 && is_uniform(v, n, strings) ? 1 : n;
    text_put(t, shown == 1 && n != 1 ? "" : "{");
    for (int64_t i = 0; i < shown && i < 4; i++) {
        text_put(t, i ? ", " : "");
        put_scalar(t, types, element, strings ? 0 : v->nums[i], strings ? v->strs[i] : NULL);
    }
    text_put(t, shown > 4 ? ", …" : "");
    text_put(t, shown == 1 && n != 1 ? "" : "}");
    return true;
}

static Instance *find_parameter(const Page *p, const char *path)
{
    Instance *at = p->inst;
    while (at && *path) {
        Name name = library_next_name(p->lib, &path);
        uint32_t index = class_find(at->cls, name);
        if (index == MAP_NONE || at->cls->elements.at[index].kind != ELEMENT_COMPONENT)
            return NULL;
        at = inst_follow(inst_component(p->lib, at, index));
    }
    return at == p->inst ? NULL : at;
}

static void put_unit(const Page *p, Text *t, Instance *inst)
{
    Modifier *m = inst->cls->type == T_REAL ? modifier_attribute(p->lib, inst, "unit") : NULL;
    const AstExpr *e = m && m->mod ? m->mod->value : NULL;
    if (e && e->kind == AST_STRING && e->string_size && strcmp(e->string, "1") != 0)
        text_printf(t, " %s", e->string);
}

/* The value of a parameter with its unit, otherwise the text of its declaration. */
static bool put_parameter(const Page *p, Text *t, const char *name)
{
    Instance *inst = find_parameter(p, name);
    Value v;
    if (!inst)
        return false;
    if (inst->variability >= AST_PARAMETER && ref_value(p->lib, inst, 0, false, &v) == EVAL_OK &&
        put_value(t, p->lib->g->types, &v)) {
        put_unit(p, t, inst);
        return true;
    }
    const Modifier *m = modifier_value(inst);
    if (!m || !m->mod || !m->mod->value)
        return false;
    text_put(t, ast_print_expr(m->mod->value, p->drawing->arena));
    return true;
}

static const char *short_name(const char *full)
{
    const char *dot = strrchr(full, '.');
    return dot ? dot + 1 : full;
}

/* %name, %class, %par, %{par}, %%: returns the rest of the text. */
static const char *put_macro(const Page *p, Text *t, const char *s)
{
    size_t n = 0;
    bool braces = s[1] == '{';
    const char *name = s + 1 + braces;
    if (s[1] == '%') {
        text_put_char(t, '%');
        return s + 2;
    }
    if (braces)
        n = strcspn(name, "}");
    else
        while (isalnum((unsigned char)name[n]) || name[n] == '_')
            n++;
    const char *after = name + n + (braces && name[n] == '}');
    char *word = arena_copy(p->drawing->arena, name, n);
    const char *own = p->component ? p->component : p->title;
    if (!strcmp(word, "name") && own)
        text_put(t, own);
    else if (!strcmp(word, "class") && p->inst)
        text_put(t, short_name(p->inst->cls->name));
    else if (!n || !own || !put_parameter(p, t, word))
        text_put_n(t, s, (size_t)(after - s));
    return after;
}

static char *expand_macros(const Page *p, const char *text)
{
    Text t = {0};
    while (*text)
        if (*text == '%')
            text = put_macro(p, &t, text);
        else
            text_put_char(&t, *text++);
    return text_keep(&t, p->drawing->arena);
}

/* ---- place ---- */

static uint32_t count_lines(const char *s)
{
    uint32_t n = 1;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static double widest(const char *words, Arena *arena)
{
    double w = 0;
    for (const char *s = words;; s++) {
        size_t n = strcspn(s, "\n");
        w = fmax(w, letters_width(arena_copy(arena, s, n)));
        s += n;
        if (!*s)
            return w;
    }
}

void draw_words(const Page *p, const char *words, Letters how, Point a, Point b, Affine m)
{
    Arena *arena = p->drawing->arena;
    double across = hypot(m.xx, m.yx), up = hypot(m.xy, m.yy);
    double w = fabs(b.x - a.x) * across, h = fabs(b.y - a.y) * up;
    uint32_t n = count_lines(words);
    double wide = widest(words, arena) * (how.bold ? 1.08 : 1);
    bool given = how.size > 0;
    if (!given)
        how.size = h / (LINE * n);
    bool tight = !given && w > 0 && wide * how.size > w;
    if (tight)
        how.size = w / wide;
    if (!(how.size > 0.05) || !words[0])
        return;
    /* direction of reading: that of the frame's x axis, reversed if the text would be upside down
     */
    double angle = atan2(m.yx, m.xx) * 180 / 3.14159265358979323846;
    bool turned = fabs(angle) > 90 + 1e-6;
    double x = how.align < 0 ? fmin(a.x, b.x) : how.align ? fmax(a.x, b.x) : (a.x + b.x) / 2;
    Point at = affine_apply(&m, (Point){x, (a.y + b.y) / 2});
    how.angle = turned ? angle > 0 ? angle - 180 : angle + 180 : angle;
    how.align = turned ? -how.align : how.align;
    double s = sin(how.angle * 3.14159265358979323846 / 180),
           c = cos(how.angle * 3.14159265358979323846 / 180);
    for (uint32_t i = 0; i < n; i++) {
        size_t length = strcspn(words, "\n");
        double down = (i - (n - 1) / 2.0) * LINE * how.size + 0.35 * how.size;
        how.text = arena_copy(arena, words, length);
        how.at = (Point){at.x - s * down, at.y + c * down};
        how.fit = tight ? letters_width(how.text) * (how.bold ? 1.08 : 1) * how.size : 0;
        if (length)
            drawing_letters(p->drawing, how);
        words += length + 1;
    }
}

static bool has_style(Record r, const char *style)
{
    const AstExpr *e = record_field(r, "textStyle");
    for (uint32_t i = 0; e && e->kind == AST_ARRAY && i < e->args.n; i++) {
        const AstExpr *a = e->args.at[i];
        if (a->kind == AST_REF && !strcmp(a->ref->parts[a->ref->n - 1].name, style))
            return true;
    }
    return false;
}

void draw_text(const Page *p, Record r, Affine m)
{
    const char *words = read_string(r, "textString");
    if (words)
        draw_text_as(p, r, expand_macros(p, words), m);
}

void draw_text_as(const Page *p, Record r, const char *words, Affine m)
{
    static const char *const alignments[] = {"Left", "Center", "Right", NULL};
    Point e[2];
    if (!read_extent(r, "extent", e))
        return;
    Letters how = {.colour = read_colour(r, "textColor", read_colour(r, "lineColor", (Colour){0})),
                   .font = read_string(r, "fontName"),
                   .size = read_number(r, "fontSize", 0) * POINT,
                   .align = read_word(r, "horizontalAlignment", alignments, 1) - 1,
                   .bold = has_style(r, "Bold"),
                   .italic = has_style(r, "Italic"),
                   .underlined = has_style(r, "UnderLine")};
    draw_words(p, words, how, e[0], e[1], m);
}
