/* Modifications, descriptions and annotations (Modelica 3.6, A.2.5). */
#include "syntax/parse/parser.h"

/* ---- descriptions ---- */

/* description-string = [ STRING { "+" STRING } ] */
const char *parse_description_string(Parser *p)
{
    if (p->tok.kind != TOK_STRING)
        return NULL;
    uint32_t n;
    const char *text = lexer_string(&p->lexer, &p->tok, p->arena, &n);
    next(p);
    if (p->tok.kind != TOK_ADD)
        return text;
    Stack *s = &p->items;
    size_t mark = list_open(s);
    stack_push(s, text, n);
    while (accept(p, TOK_ADD)) {
        if (p->tok.kind != TOK_STRING) {
            unexpected(p, "a string", "after '+' in a description");
            break;
        }
        text = lexer_string(&p->lexer, &p->tok, p->scratch, &n);
        stack_push(s, text, n);
        next(p);
    }
    text = arena_copy(p->arena, s->at + mark, s->n - mark);
    s->n = mark;
    return text;
}

/* annotation-clause = "annotation" class-modification */
AstMod *parse_annotation(Parser *p)
{
    if (!accept(p, TOK_ANNOTATION))
        return NULL;
    if (p->tok.kind == TOK_LPAREN)
        return parse_class_modification(p, false);
    unexpected(p, "'('", "after 'annotation'");
    return NULL;
}

/* description = description-string [ annotation-clause ] */
AstComment parse_description(Parser *p)
{
    AstComment comment = {0};
    if (p->tok.kind != TOK_STRING && p->tok.kind != TOK_ANNOTATION)
        return comment;
    uint32_t at = p->tok.at;
    comment.text = parse_description_string(p);
    comment.annotation = parse_annotation(p);
    comment.span = span_since(p, at);
    return comment;
}

/* ---- arguments ---- */

/* A path of one part, for an element that is named by its declaration. */
static AstName path_of(Parser *p, Name name, Span span)
{
    AstName path = {.n = 1, .span = span};
    path.parts = ARENA_NEW(p->arena, Name);
    path.parts[0] = name;
    return path;
}

/* inheritance-modification = "break" ( connect-equation | IDENT ) */
static void inheritance_modification(Parser *p, AstArg *arg, bool in_extends)
{
    if (!in_extends)
        report(p, tok_span(p), DIAG_S024,
               "'break' removes an inherited element and is only allowed in the modification of "
               "'extends'");
    next(p);
    arg->is_break = true;
    if (p->tok.kind == TOK_CONNECT) {
        arg->broken_connect = parse_connect(p);
        return;
    }
    Span span = tok_span(p);
    arg->name = path_of(p, expect_name(p, "after 'break'"), span);
}

/* short-class-definition | component-clause1 = type-prefix type-specifier declaration description
 */
static AstElement *redeclared_element(Parser *p, const AstArg *arg)
{
    uint32_t at = p->tok.at;
    AstElement *e = ARENA_NEW(p->arena, AstElement);
    e->redeclare = arg->redeclare;
    e->final = arg->final;
    e->replaceable = arg->replaceable;
    if (starts_class(p->tok.kind)) {
        e->kind = AST_EL_CLASS;
        e->class_ = parse_short_class_definition(p);
        e->name = e->class_->name;
    } else {
        e->kind = AST_EL_COMPONENT;
        e->clause = ++p->clause;
        parse_type_prefix(p, e);
        e->type = parse_type_specifier(p);
        if (p->tok.kind == TOK_LBRACKET)
            e->type_dims.at = parse_array_subscripts(p, &e->type_dims.n);
        parse_declaration(p, e);
        e->comment = parse_description(p);
    }
    if (p->tok.kind == TOK_CONSTRAINEDBY)
        parse_constraining_clause(p, e);
    e->span = span_since(p, at);
    return e;
}

/* element-modification = name [ modification ] description-string */
static void element_modification(Parser *p, AstArg *arg)
{
    arg->name = parse_name(p);
    arg->mod = parse_modification(p);
    uint32_t at = p->tok.at;
    arg->comment.text = parse_description_string(p);
    if (arg->comment.text)
        arg->comment.span = span_since(p, at);
}

/* argument = [ each ] [ final ] ( element-modification | element-replaceable )
 *          | redeclare [ each ] [ final ] ( short-class-definition | component-clause1 |
 * element-replaceable ) */
static AstArg argument(Parser *p, bool in_extends)
{
    uint32_t at = p->tok.at;
    AstArg arg = {0};
    if (p->tok.kind == TOK_BREAK) {
        inheritance_modification(p, &arg, in_extends);
    } else {
        arg.redeclare = accept(p, TOK_REDECLARE);
        arg.each = accept(p, TOK_EACH);
        arg.final = accept(p, TOK_FINAL);
        arg.replaceable = accept(p, TOK_REPLACEABLE);
        if (arg.redeclare || arg.replaceable) {
            Span span = tok_span(p);
            arg.element = redeclared_element(p, &arg);
            arg.name = path_of(p, arg.element->name, span_join(span, span_since(p, span.at)));
        } else {
            element_modification(p, &arg);
        }
    }
    arg.span = span_since(p, at);
    return arg;
}

/* class-modification = "(" [ argument { "," argument } ] ")" */
AstMod *parse_class_modification(Parser *p, bool in_extends)
{
    Span open = tok_span(p);
    AstMod *mod = ARENA_NEW(p->arena, AstMod);
    mod->has_args = true;
    if (enter(p)) {
        next(p);
        size_t mark = list_open(&p->items);
        if (p->tok.kind != TOK_RPAREN)
            do {
                AstArg arg = argument(p, in_extends);
                list_push(&p->items, arg);
            } while (accept(p, TOK_COMMA));
        list_close(p, &p->items, mark, mod->args);
        expect_close(p, TOK_RPAREN, open);
    }
    leave(p);
    mod->span = span_since(p, open.at);
    return mod;
}

/* "=" or ":=" of a modification; "==" is reported. */
static bool modification_sign(Parser *p)
{
    if (p->tok.kind == TOK_EQ) {
        report(p, tok_span(p), DIAG_S007, "'==' compares values; write a modification with '='");
        next(p);
        return true;
    }
    return accept(p, TOK_EQUALS) || accept(p, TOK_ASSIGN);
}

/* modification = class-modification [ "=" modification-expression ] | ( "=" | ":=" )
 * modification-expression */
AstMod *parse_modification(Parser *p)
{
    uint32_t at = p->tok.at;
    AstMod *mod = NULL;
    if (p->tok.kind == TOK_LPAREN)
        mod = parse_class_modification(p, false);
    if (!modification_sign(p))
        return mod;
    if (!mod)
        mod = ARENA_NEW(p->arena, AstMod);
    /* modification-expression = expression | "break" */
    mod->is_break = accept(p, TOK_BREAK);
    if (!mod->is_break)
        mod->value = parse_expression(p);
    mod->span = span_since(p, at);
    return mod;
}
