/* New pieces of text, and arguments that come and go. */
#include "edit/class_edit.h"

/* ---- new lines ---- */

const char *class_indent(const ClassEdit *e)
{
    return arena_printf(e->arena, "%s  ", indent_of(e, e->ast->span.at));
}

static void insert_line(ClassEdit *e, uint32_t at, const char *indent, const char *text)
{
    change(e, at, at, arena_printf(e->arena, "\n%s%s;", indent, text));
}

/* After the name of the class and its description. */
static uint32_t header_end(const ClassEdit *e)
{
    uint32_t end = e->ast->base_mod ? e->ast->base_mod->span.end : e->ast->name_span.end;
    uint32_t at = skip_space(e, end);
    while (e->text[at] == '"') {
        for (at++; at < e->size && e->text[at] != '"'; at++)
            at += e->text[at] == '\\';
        end = at + 1;
        at = skip_space(e, end);
        if (e->text[at] == '+')
            at = skip_space(e, at + 1);
    }
    return end;
}

void insert_element(ClassEdit *e, const char *text)
{
    const AstElement *last = NULL;
    for (uint32_t i = 0; i < e->ast->elements.n; i++)
        if (e->ast->elements.at[i]->visibility == AST_PUBLIC)
            last = e->ast->elements.at[i];
    if (last)
        insert_line(e, line_end_after(e, last->span.end), class_indent(e), text);
    else
        insert_line(e, header_end(e), class_indent(e), text);
}

static uint32_t word_before(const ClassEdit *e, uint32_t at, const char *word)
{
    size_t n = strlen(word);
    while (at > e->ast->span.at && strncmp(e->text + at, word, n) != 0)
        at--;
    return at;
}

uint32_t body_end(const ClassEdit *e)
{
    const AstMod *annotation = e->ast->comment.annotation;
    uint32_t n = (uint32_t)strlen(e->ast->name) + 3, last = 0;
    uint32_t at = word_before(e, e->ast->span.end > n ? e->ast->span.end - n : 0, "end");
    for (uint32_t i = 0; i < e->ast->elements.n; i++)
        last = e->ast->elements.at[i]->span.end;
    for (uint32_t i = 0; i < e->ast->equations.n; i++)
        if (e->ast->equations.at[i].span.end > last)
            last = e->ast->equations.at[i].span.end;
    for (uint32_t i = 0; i < e->ast->algorithms.n; i++)
        if (e->ast->algorithms.at[i].span.end > last)
            last = e->ast->algorithms.at[i].span.end;
    if (annotation && annotation->span.at > last && annotation->span.at < at)
        at = word_before(e, annotation->span.at, "annotation");
    while (at && (e->text[at - 1] == ' ' || e->text[at - 1] == '\t'))
        at--;
    return at;
}

void insert_equation(ClassEdit *e, const char *text)
{
    const AstEqSection *section = NULL;
    for (uint32_t i = 0; i < e->ast->equations.n; i++)
        if (!e->ast->equations.at[i].initial)
            section = &e->ast->equations.at[i];
    if (section && section->eqs.n) {
        const AstEq *last = section->eqs.at[section->eqs.n - 1];
        uint32_t end =
            last->comment.span.end > last->span.end ? last->comment.span.end : last->span.end;
        insert_line(e, line_end_after(e, end), class_indent(e), text);
    } else if (section) {
        uint32_t at = section->span.at + (uint32_t)strlen("equation");
        insert_line(e, at, class_indent(e), text);
    } else {
        uint32_t at = body_end(e);
        bool begins = at == 0 || e->text[at - 1] == '\n';
        const char *outer = indent_of(e, e->ast->span.at);
        bool again = false; /* a section that this request has begun */
        for (uint32_t i = 0; i < e->changes.n; i++)
            again |= e->changes.at[i].from == at && strstr(e->changes.at[i].text, "equation\n");
        change(e, at, at,
               arena_printf(e->arena, "%s%s%s%s%s;\n", begins ? "" : "\n", again ? "" : outer,
                            again ? "" : "equation\n", class_indent(e), text));
    }
}

/* ---- coordinates ---- */

void put_pair(Text *t, Point p)
{
    text_put(t, "{");
    put_coordinate(t, p.x, 0);
    text_put(t, ",");
    put_coordinate(t, p.y, 0);
    text_put(t, "}");
}

void put_extent(Text *t, const Point extent[2])
{
    text_put(t, "extent={");
    put_pair(t, extent[0]);
    text_put(t, ",");
    put_pair(t, extent[1]);
    text_put(t, "}");
}

void put_placement(Text *t, const Point extent[2])
{
    text_put(t, "Placement(transformation(");
    put_extent(t, extent);
    text_put(t, "))");
}

/* ---- arguments ---- */

/* Adds an argument at the end of a modification. */
void append_argument(ClassEdit *e, const AstMod *mod, const char *text)
{
    uint32_t end = mod->args.n ? mod->args.at[mod->args.n - 1].span.end : mod->span.end - 1;
    change(e, end, end, arena_printf(e->arena, "%s%s", mod->args.n ? ", " : "", text));
}

void add_annotation(ClassEdit *e, const AstMod *annotation, uint32_t at, const char *text)
{
    if (annotation)
        append_argument(e, annotation, text);
    else
        change(e, at, at, arena_printf(e->arena, " annotation (%s)", text));
}

/* The end of the arguments in parentheses. */
uint32_t arguments_end(const ClassEdit *e, const AstMod *mod)
{
    return bracket_end(e, mod->span.at);
}

uint32_t space_before(const ClassEdit *e, uint32_t at)
{
    while (at && strchr(" \t\r\n", e->text[at - 1]))
        at--;
    return at;
}

void remove_argument(ClassEdit *e, const AstMod *mod, uint32_t i)
{
    const AstArg *a = mod->args.at;
    if (mod->args.n == 1 && mod->value)
        change(e, mod->span.at, arguments_end(e, mod), "");
    else if (mod->args.n == 1)
        change(e, mod->span.at, mod->span.end, "");
    else if (i)
        change(e, a[i - 1].span.end, a[i].span.end, "");
    else
        change(e, a[0].span.at, a[1].span.at, "");
}

void remove_named(ClassEdit *e, const AstMod *mod, const char *name)
{
    for (uint32_t i = 0; mod && i < mod->args.n; i++)
        if (mod->args.at[i].name.n == 1 && !strcmp(mod->args.at[i].name.parts[0], name))
            remove_argument(e, mod, i);
}
