/* Hints inside the text, and links to other files. */
#include "service/cursor.h"

#include <ctype.h>

/* ---- hints: units, sizes, values ---- */

static void put_hint(Service *s, uint32_t at, const char *label, const char *tooltip)
{
    Text range = {0};
    put_range(&range, s->lib, (Span){s->c.file->source, at, at});
    const char *end = strstr(range.at, ",\"end\"");
    put_comma(s->t);
    text_printf(s->t, "{\"position\":%.*s,\"label\":", (int)(end - (range.at + 9)), range.at + 9);
    text_put_json(s->t, label);
    text_printf(s->t, ",\"paddingLeft\":true,\"tooltip\":\"%s\"}", tooltip);
    text_free(&range);
}

static bool has_open_size(const AstElement *e)
{
    for (uint32_t i = 0; i < e->dims.n; i++)
        if (e->dims.at[i]->kind == AST_COLON)
            return true;
    for (uint32_t i = 0; i < e->type_dims.n; i++)
        if (e->type_dims.at[i]->kind == AST_COLON)
            return true;
    return false;
}

static void put_sizes(Service *s, uint32_t at, Instance *inst)
{
    Text t = {0};
    DiagMark mark = diag_mark(s->lib->ctx);
    bool known = inst_dims(s->lib, inst) && inst->rank;
    diag_discard(s->lib->ctx, mark);
    for (uint32_t i = 0; known && i < inst->rank; i++) {
        known = inst->dims[i] >= 0;
        text_printf(&t, "%s%lld", i ? ", " : "[", (long long)inst->dims[i]);
    }
    if (known) {
        text_put(&t, "]");
        put_hint(s, at, t.at, "inferred size");
    }
    text_free(&t);
}

static bool is_literal(const AstExpr *e)
{
    return e->kind <= AST_BOOL || (e->kind == AST_UNARY && e->args.at[0]->kind <= AST_BOOL);
}

static void put_component_hints(Service *s, const AstElement *e, Instance *inst)
{
    uint32_t at = declared_name_span(s->lib, e).end;
    const char *unit = component_unit(s->lib, inst);
    if (unit)
        put_hint(s, at, arena_printf(s->lib->arena, "[%s]", unit), "unit");
    if (has_open_size(e))
        put_sizes(s, at, inst);
    if (e->mod && e->mod->value && !is_literal(e->mod->value)) {
        const char *value = component_value(s->lib, inst);
        if (value && strlen(value) < 40)
            put_hint(s, e->mod->value->span.end, arena_printf(s->lib->arena, "= %s", value),
                     "value");
    }
}

static void class_hints(Service *s, const AstClass *c, Instance *inst, size_t from, size_t to)
{
    for (uint32_t i = 0; inst && i < c->elements.n; i++) {
        const AstElement *e = c->elements.at[i];
        if (e->span.end < from || e->span.at > to || !e->name)
            continue;
        Found f = lookup_member(s->lib, inst, e->name);
        Instance *part = f.inst ? cursor_instance(&s->c, f) : NULL;
        if (part && e->kind == AST_EL_COMPONENT && found_element(f)->ast == e)
            put_component_hints(s, e, part);
        else if (part && e->kind == AST_EL_CLASS && e->class_)
            class_hints(s, e->class_, part, from, to);
    }
}

void ask_hints(Service *s)
{
    const Question *q = s->q;
    size_t from = s->c.at, to = position_offset(q->text, q->size, q->end_line, q->end_character);
    text_put(s->t, "[");
    for (uint32_t i = 0; i < s->c.file->classes.n; i++) {
        const AstClass *c = s->c.file->classes.at[i];
        cursor_move(&s->c, c->span.at);
        if (s->c.around == c)
            class_hints(s, c, s->c.scope.inst, from, to);
    }
    text_put(s->t, "]");
}

/* ---- links ---- */

static bool is_uri_char(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("._-/#%'", c));
}

/* The file that an address means: a resource, or the file of a class. */
static const char *link_target(Service *s, const char *uri)
{
    const char *name = uri + strlen("modelica://");
    size_t n = strcspn(name, "/#");
    if (name[n] == '/')
        return library_resource(s->lib, uri);
    const char *p = arena_copy(s->lib->arena, name, n);
    Instance *at = s->lib->root_inst;
    while (at && *p) {
        Found f = lookup_member(s->lib, at, library_next_name(s->lib, &p));
        at = f.inst && found_element(f)->kind == ELEMENT_CLASS ? inst_class(s->lib, f.inst, f.index)
                                                               : NULL;
    }
    const AstClass *c = at ? at->cls->ast : NULL;
    return c ? sources_get(s->lib->ctx->sources, c->span.file)->path : NULL;
}

void ask_links(Service *s)
{
    static const char scheme[] = "modelica://";
    const char *text = s->c.text;
    DiagMark mark = diag_mark(s->lib->ctx);
    text_put(s->t, "[");
    for (const char *p = text; (p = strstr(p, scheme));) {
        size_t n = sizeof scheme - 1;
        while (is_uri_char(p[n]))
            n++;
        while (n > sizeof scheme && p[n - 1] == '.')
            n--;
        const char *path = link_target(s, arena_copy(s->lib->arena, p, n));
        if (path) {
            uint32_t at = (uint32_t)(p - text);
            put_comma(s->t);
            text_put(s->t, "{\"range\":");
            put_range(s->t, s->lib, (Span){s->c.file->source, at, at + (uint32_t)n});
            text_put(s->t, ",\"target\":");
            put_uri(s->t, path);
            text_put(s->t, "}");
        }
        p += n;
    }
    text_put(s->t, "]");
    diag_discard(s->lib->ctx, mark);
}
