/* Places of the parts of a class, for programs that edit it by its tree. */
#include "service/cursor.h"

/* The beginning of the line of a byte, if only white space is before it. */
static uint32_t line_begin(const char *text, uint32_t at)
{
    uint32_t i = at;
    while (i && (text[i - 1] == ' ' || text[i - 1] == '\t'))
        i--;
    return !i || text[i - 1] == '\n' ? i : at;
}

static void put_position(Service *s, const char *name, uint32_t at)
{
    Text range = {0};
    put_range(&range, s->lib, (Span){s->c.file->source, at, at});
    const char *end = strstr(range.at, ",\"end\"");
    text_printf(s->t, ",\"%s\":%.*s", name, (int)(end - (range.at + 9)), range.at + 9);
    text_free(&range);
}

/* The word "end" of the class, or its annotation if that stands before it. */
static uint32_t body_end(const Service *s, const AstClass *c)
{
    const char *text = s->c.text;
    uint32_t at = c->span.end, n = (uint32_t)strlen(c->name);
    at -= n < at ? n : at;
    while (at > c->span.at && strncmp(text + at, "end", 3))
        at--;
    const AstMod *annotation = c->comment.annotation;
    if (annotation && annotation->span.at < at) {
        at = annotation->span.at;
        while (at > c->span.at && strncmp(text + at, "annotation", 10))
            at--;
    }
    return line_begin(text, at);
}

static uint32_t first_section(const Service *s, const AstClass *c, uint32_t end)
{
    uint32_t at = end;
    for (uint32_t i = 0; i < c->equations.n; i++)
        at = c->equations.at[i].span.at < at ? c->equations.at[i].span.at : at;
    for (uint32_t i = 0; i < c->algorithms.n; i++)
        at = c->algorithms.at[i].span.at < at ? c->algorithms.at[i].span.at : at;
    if (c->external && c->external->span.at < at)
        at = c->external->span.at;
    return line_begin(s->c.text, at);
}

static uint32_t after_line(const char *text, uint32_t at)
{
    while (text[at] && text[at] != '\n')
        at++;
    return at + (text[at] == '\n');
}

static void put_element(Service *s, const AstClass *c, const char *name)
{
    for (uint32_t i = 0; i < c->elements.n; i++) {
        const AstElement *e = c->elements.at[i];
        if (!e->name || strcmp(e->name, name))
            continue;
        text_put(s->t, ",\"element\":");
        put_range(s->t, s->lib, e->kind == AST_EL_CLASS ? e->class_->span : e->span);
        return;
    }
}

/* q->name is "Class.Name:element". */
void ask_places(Service *s)
{
    const char *name = s->q->name ? s->q->name : "", *colon = strchr(name, ':');
    size_t n = colon ? (size_t)(colon - name) : strlen(name);
    const AstClass *c = ast_find_class(s->c.file, arena_copy(s->lib->arena, name, n));
    if (!c || c->form != AST_LONG) {
        text_put(s->t, "null");
        return;
    }
    uint32_t end = body_end(s, c);
    text_put(s->t, "{\"class\":");
    put_range(s->t, s->lib, c->span);
    put_position(s, "elementsEnd", first_section(s, c, end));
    put_position(s, "sectionsEnd", end);
    for (uint32_t i = c->equations.n; i-- > 0;)
        if (!c->equations.at[i].initial) {
            put_position(s, "equationsEnd", after_line(s->c.text, c->equations.at[i].span.end));
            break;
        }
    if (colon && colon[1])
        put_element(s, c, colon + 1);
    text_put(s->t, "}");
}
