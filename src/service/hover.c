/* Facts about the name at the cursor: its hover text, its places, the signature of a call. */
#include "service/cursor.h"

#include <ctype.h>

enum { DOCUMENTATION_MOST = 1500 };

/* ---- documentation ---- */

typedef struct Entity {
    const char *name, *text;
} Entity;

static const Entity entities[] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", " "}};

static const char *put_entity(Text *t, const char *p)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (!strncmp(p, entities[i].name, strlen(entities[i].name))) {
            text_put(t, entities[i].text);
            return p + strlen(entities[i].name);
        }
    text_put_char(t, *p);
    return p + 1;
}

static bool is_tag(const char *p, const char *name)
{
    size_t n = strlen(name);
    return !strncasecmp(p, name, n) && !isalnum((unsigned char)p[n]);
}

/* What a tag means in Markdown. */
static const char *tag_text(const char *p)
{
    bool closes = p[1] == '/';
    const char *name = p + 1 + closes;
    if (is_tag(name, "p") || is_tag(name, "h1") || is_tag(name, "h2") || is_tag(name, "h3") ||
        is_tag(name, "h4") || is_tag(name, "table") || is_tag(name, "ul") || is_tag(name, "ol"))
        return "\n\n";
    if (is_tag(name, "li") && !closes)
        return "\n- ";
    if (is_tag(name, "br") || is_tag(name, "tr"))
        return "\n";
    if (is_tag(name, "code") || is_tag(name, "var"))
        return "`";
    if (is_tag(name, "pre"))
        return "\n```\n";
    if (is_tag(name, "em") || is_tag(name, "i"))
        return "*";
    return is_tag(name, "b") || is_tag(name, "strong") ? "**" : "";
}

/* HTML as Markdown, roughly; long texts are cut. */
static void put_documentation(Text *t, const char *html)
{
    size_t begin = t->n;
    while (*html && t->n - begin < DOCUMENTATION_MOST) {
        if (*html == '<') {
            text_put(t, tag_text(html));
            html += strcspn(html, ">");
            html += *html == '>';
        } else if (isspace((unsigned char)*html)) {
            html += strspn(html, " \t\r\n");
            if (t->n && !isspace((unsigned char)t->at[t->n - 1]))
                text_put(t, " ");
        } else {
            html = put_entity(t, html);
        }
    }
    if (*html)
        text_put(t, " …");
}

static const char *documentation_of(const AstClass *c)
{
    const AstExpr *info =
        annotation_value(annotation_part(c->comment.annotation, "Documentation"), "info");
    return info && info->kind == AST_STRING ? info->string : NULL;
}

/* ---- hover ---- */

static void put_prefixes(Text *t, const AstElement *e)
{
    static const char *const variability[] = {"", "discrete ", "parameter ", "constant "};
    text_printf(t, "%s%s%s%s%s", e->final ? "final " : "", e->replaceable ? "replaceable " : "",
                e->flow == AST_FLOW     ? "flow "
                : e->flow == AST_STREAM ? "stream "
                                        : "",
                variability[e->variability],
                e->causality == AST_INPUT    ? "input "
                : e->causality == AST_OUTPUT ? "output "
                                             : "");
}

static void put_declaration(Text *t, Library *lib, const AstElement *e)
{
    put_prefixes(t, e);
    text_printf(t, "%s %s", component_type(e, lib->arena), e->name);
    for (uint32_t i = 0; i < e->dims.n; i++)
        text_printf(t, "%s%s%s", i ? ", " : "[", ast_print_expr(e->dims.at[i], lib->arena),
                    i + 1 < e->dims.n ? "" : "]");
    if (e->mod && e->mod->value)
        text_printf(t, " = %s", ast_print_expr(e->mod->value, lib->arena));
}

static void put_component(Text *t, Library *lib, const AstElement *e, Instance *inst)
{
    const char *unit = component_unit(lib, inst), *value = component_value(lib, inst);
    text_put(t, "```modelica\n");
    put_declaration(t, lib, e);
    text_put(t, "\n```\n");
    if (e->comment.text)
        text_printf(t, "%s\n\n", e->comment.text);
    if (inst)
        text_printf(t, "type `%s`", inst->cls->name);
    if (unit)
        text_printf(t, ", unit `%s`", unit);
    if (value && !(e->mod && e->mod->value && e->mod->value->kind <= AST_BOOL))
        text_printf(t, ", value `%s`", value);
    if (inst && inst->cls->ast && inst->cls->ast->comment.text)
        text_printf(t, "\n\n*%s*", inst->cls->ast->comment.text);
}

/* Of a type of numbers: unit, bounds and other attributes. */
static void put_attributes(Text *t, Library *lib, Instance *inst)
{
    static const char *const names[] = {"unit", "displayUnit", "quantity", "min", "max"};
    const char *before = "";
    for (size_t i = 0; i < sizeof names / sizeof *names && inst && inst->cls->type; i++) {
        const Modifier *m = modifier_attribute(lib, inst, names[i]);
        const AstExpr *e = m && m->mod ? m->mod->value : NULL;
        if (!e)
            continue;
        text_printf(t, "%s%s `%s`", before, names[i],
                    e->kind == AST_STRING ? e->string : ast_print_expr(e, lib->arena));
        before = ", ";
    }
    text_put(t, *before ? "\n\n" : "");
}

static void put_class(Text *t, Library *lib, const AstClass *c, Instance *inst)
{
    text_printf(t, "```modelica\n%s%s %s\n```\n", c->partial ? "partial " : "",
                restriction_text(c->restriction), inst ? inst->cls->name : c->name);
    if (c->comment.text)
        text_printf(t, "%s\n\n", c->comment.text);
    put_attributes(t, lib, inst);
    const char *html = documentation_of(c);
    if (html)
        put_documentation(t, html);
}

static bool has_icon(const AstClass *c)
{
    return c->restriction != AST_TYPE;
}

void ask_hover(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    const AstClass *class_ = m.element ? inspect_ast(s->lib, m.element) : NULL;
    const AstElement *e = m.element ? m.element->ast : NULL;
    if (!class_ && !e) {
        text_put(s->t, "null");
        return;
    }
    Instance *inst = cursor_instance(&s->c, m.found);
    Text t = {0};
    if (class_)
        put_class(&t, s->lib, class_, inst);
    else
        put_component(&t, s->lib, e, inst);
    text_put(s->t, "{\"contents\":{\"kind\":\"markdown\",\"value\":");
    text_put_json(s->t, t.at);
    text_put(s->t, "},\"range\":");
    put_range(s->t, s->lib, (Span){s->c.file->source, (uint32_t)m.start, (uint32_t)m.end});
    if (inst && inst->cls->ast && has_icon(inst->cls->ast)) { /* for a picture of it */
        text_put(s->t, ",\"class\":");
        text_put_json(s->t, inst->cls->name);
    }
    text_put(s->t, "}");
    text_free(&t);
}

/* ---- places ---- */

static void put_place(Service *s, Span span)
{
    if (span.file)
        put_location(s->t, s->lib, span);
    else
        text_put(s->t, "null");
}

void ask_definition(Service *s)
{
    put_place(s, cursor_meaning(&s->c).declared);
}

void ask_type_definition(Service *s)
{
    Meaning m = cursor_meaning(&s->c);
    const Instance *inst = m.element ? cursor_instance(&s->c, m.found) : NULL;
    put_place(s, inst && inst->cls->ast ? inst->cls->ast->name_span : (Span){0});
}

/* ---- signatures ---- */

/* The number of the argument at the cursor, and its name if it is given by name. */
static uint32_t argument_number(const Cursor *c, size_t open, Name *name)
{
    uint32_t n = 0;
    int depth = 0;
    size_t start = open + 1;
    for (size_t i = open + 1; i < c->at; i++) {
        char x = c->text[i];
        depth += (x == '(' || x == '[' || x == '{') - (x == ')' || x == ']' || x == '}');
        if (x == ',' && !depth) {
            n++;
            start = i + 1;
        }
    }
    while (start < c->at && isspace((unsigned char)c->text[start]))
        start++;
    size_t end = start;
    while (end < c->size && is_name_char(c->text[end]))
        end++;
    size_t after = end;
    while (after < c->size && c->text[after] == ' ')
        after++;
    bool named =
        end > start && after < c->size && c->text[after] == '=' && c->text[after + 1] != '=';
    *name = named ? name_intern(c->lib->ctx->names, c->text + start, end - start) : NULL;
    return n;
}

static bool is_argument(const Class *c, const Element *e)
{
    return e->kind == ELEMENT_COMPONENT && e->ast && !e->is_protected &&
           (!class_is_function(c) || e->ast->causality == AST_INPUT);
}

static void put_parameters(Service *s, const Class *c, Text *label, uint32_t *active, Name named)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->order.n; i++) {
        const Element *e = &c->elements.at[c->order.at[i]];
        if (!is_argument(c, e))
            continue;
        Text one = {0};
        put_declaration(&one, s->lib, e->ast);
        text_printf(label, "%s%s", n ? ", " : "", one.at);
        put_comma(s->t);
        text_put(s->t, "{\"label\":");
        text_put_json(s->t, one.at);
        if (e->ast->comment.text) {
            text_put(s->t, ",\"documentation\":");
            text_put_json(s->t, e->ast->comment.text);
        }
        text_put(s->t, "}");
        *active = named && named == e->name ? n : *active;
        n++;
        text_free(&one);
    }
}

void ask_signature(Service *s)
{
    size_t open = cursor_open_before(&s->c, s->c.at);
    const Instance *owner = open == SIZE_MAX ? NULL : cursor_owner(&s->c, open);
    if (!owner || !owner->cls->ast) {
        text_put(s->t, "null");
        return;
    }
    Name named;
    uint32_t active = argument_number(&s->c, open, &named);
    Text label = {0};
    text_printf(&label, "%s(", owner->cls->name);
    text_put(s->t, "{\"signatures\":[{\"parameters\":[");
    put_parameters(s, owner->cls, &label, &active, named);
    text_put(&label, ")");
    text_put(s->t, "],\"label\":");
    text_put_json(s->t, label.at);
    if (owner->cls->ast->comment.text) {
        text_put(s->t, ",\"documentation\":");
        text_put_json(s->t, owner->cls->ast->comment.text);
    }
    text_printf(s->t, "}],\"activeSignature\":0,\"activeParameter\":%u}", active);
    text_free(&label);
}
