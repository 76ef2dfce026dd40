/* Elements of a class: imports, extends clauses, component clauses, local classes (Modelica 3.6,
 * A.2.2 to A.2.4). */
#include "syntax/parse/parser.h"

/* Drops an erroneous element: in panic, or a class without a name. */
static void push_element(Parser *p, AstElement *e, uint32_t at)
{
    if (in_panic(p) || (e->kind == AST_EL_CLASS && !e->name))
        return;
    e->span = span_since(p, at);
    AstElement *kept = ARENA_NEW(p->arena, AstElement);
    *kept = *e;
    list_push(&p->items, kept);
}

/* import-list = IDENT { "," IDENT }, in braces */
static void import_list(Parser *p, AstElement *e)
{
    Span open = tok_span(p);
    next(p);
    size_t mark = list_open(&p->items);
    do {
        Name name = expect_name(p, "in the list of imported names");
        list_push(&p->items, name);
    } while (accept(p, TOK_COMMA));
    list_close(p, &p->items, mark, e->import_list);
    expect_close(p, TOK_RBRACE, open);
}

/* name [ ".*" | "." ( "*" | "{" import-list "}" ) ] */
static void imported_name(Parser *p, AstElement *e, Name first, uint32_t at)
{
    size_t mark = list_open(&p->items);
    list_push(&p->items, first);
    uint32_t end = p->prev_end;
    bool open = true;
    while (open && accept(p, TOK_DOT)) {
        e->import_all = accept(p, TOK_MUL);
        open = !e->import_all && p->tok.kind != TOK_LBRACE;
        if (open) {
            Name part = expect_name(p, "after '.'");
            list_push(&p->items, part);
            end = p->prev_end;
        }
    }
    e->type.parts = stack_take(&p->items, mark, sizeof(Name), &e->type.n, p->arena);
    e->type.span = (Span){p->lexer.file, at, end};
    if (open)
        e->import_all = accept(p, TOK_EMUL);
    else if (!e->import_all)
        import_list(p, e);
}

/* import-clause = "import" ( IDENT "=" name | name [ ".*" | "." ( "*" | "{" import-list "}" ) ] )
 * description */
static void import_clause(Parser *p, AstElement *e)
{
    e->kind = AST_EL_IMPORT;
    next(p);
    uint32_t at = p->tok.at;
    Name first = expect_name(p, "after 'import'");
    if (accept(p, TOK_EQUALS)) {
        e->name = first;
        e->type = parse_name(p);
    } else {
        imported_name(p, e, first, at);
    }
    e->comment = parse_description(p);
}

/* extends-clause = "extends" type-specifier [ class-or-inheritance-modification ] [
 * annotation-clause ] */
static void extends_clause(Parser *p, AstElement *e)
{
    e->kind = AST_EL_EXTENDS;
    next(p);
    e->type = parse_type_specifier(p);
    if (p->tok.kind == TOK_LPAREN)
        e->mod = parse_class_modification(p, true);
    uint32_t at = p->tok.at;
    e->comment.annotation = parse_annotation(p);
    if (e->comment.annotation)
        e->comment.span = span_since(p, at);
}

/* constraining-clause = "constrainedby" type-specifier [ class-modification ] */
void parse_constraining_clause(Parser *p, AstElement *e)
{
    if (!e->replaceable)
        report(p, tok_span(p), DIAG_S024, "'constrainedby' needs an element that is 'replaceable'");
    next(p);
    e->constrained_by = parse_type_specifier(p);
    if (p->tok.kind == TOK_LPAREN)
        e->constraint_mod = parse_class_modification(p, false);
}

/* type-prefix = [ "flow" | "stream" ] [ "discrete" | "parameter" | "constant" ] [ "input" |
 * "output" ] */
void parse_type_prefix(Parser *p, AstElement *e)
{
    e->flow = accept(p, TOK_FLOW) ? AST_FLOW : accept(p, TOK_STREAM) ? AST_STREAM : AST_FLOW_NONE;
    e->variability = accept(p, TOK_DISCRETE)    ? AST_DISCRETE
                     : accept(p, TOK_PARAMETER) ? AST_PARAMETER
                     : accept(p, TOK_CONSTANT)  ? AST_CONSTANT
                                                : AST_CONTINUOUS;
    e->causality = accept(p, TOK_INPUT)    ? AST_INPUT
                   : accept(p, TOK_OUTPUT) ? AST_OUTPUT
                                           : AST_ACAUSAL;
}

/* declaration = IDENT [ array-subscripts ] [ modification ] */
void parse_declaration(Parser *p, AstElement *e)
{
    e->name = expect_name(p, "for the component");
    if (p->tok.kind == TOK_LBRACKET)
        e->dims.at = parse_array_subscripts(p, &e->dims.n);
    e->mod = parse_modification(p);
}

/* component-declaration = declaration [ "if" expression ] description */
static void component_declaration(Parser *p, AstElement *e)
{
    parse_declaration(p, e);
    if (accept(p, TOK_IF))
        e->condition = parse_condition(p);
    e->comment = parse_description(p);
}

/* Gives the components pushed since `mark` the constraint of their clause. */
static void constrain(Parser *p, size_t mark, const AstElement *from)
{
    for (size_t i = mark; i < p->items.n; i += sizeof(AstElement *)) {
        AstElement *e;
        memcpy(&e, p->items.at + i, sizeof e);
        e->constrained_by = from->constrained_by;
        e->constraint_mod = from->constraint_mod;
        e->constraint_comment = from->constraint_comment;
    }
}

/* "nondiscrete" of the 1999 report is an identifier today. It is a prefix if a type follows; it was
 * parsed as the name of the type. */
static void nondiscrete_prefix(Parser *p, AstElement *e)
{
    bool word = e->type.n == 1 && !e->type.absolute && !strcmp(e->type.parts[0], "nondiscrete");
    TokenKind then = word && p->tok.kind == TOK_IDENT ? peek(p)->kind : TOK_EOF;
    if (then != TOK_IDENT && then != TOK_DOT)
        return;
    e->nondiscrete = true;
    e->type = parse_type_specifier(p);
}

/* component-clause = type-prefix type-specifier [ array-subscripts ] component-declaration
 *                    { "," component-declaration } [ constraining-clause description ] */
static void component_clause(Parser *p, AstElement *e, uint32_t at)
{
    e->kind = AST_EL_COMPONENT;
    e->clause = ++p->clause;
    parse_type_prefix(p, e);
    if (p->tok.kind == TOK_IDENT || p->tok.kind == TOK_DOT)
        e->type = parse_type_specifier(p);
    else
        unexpected(p, "an element", "(a type, or a word such as 'parameter' or 'model')");
    nondiscrete_prefix(p, e);
    if (p->tok.kind == TOK_LBRACKET)
        e->type_dims.at = parse_array_subscripts(p, &e->type_dims.n);
    size_t mark = list_open(&p->items);
    do {
        AstElement one = *e;
        component_declaration(p, &one);
        push_element(p, &one, at);
        at = p->tok.kind == TOK_COMMA ? peek(p)->at : at;
    } while (accept(p, TOK_COMMA));
    if (p->tok.kind == TOK_CONSTRAINEDBY) {
        parse_constraining_clause(p, e);
        e->constraint_comment = parse_description(p);
        if (in_panic(p))
            p->items.n = mark;
        constrain(p, mark, e);
    }
}

static void class_element(Parser *p, AstElement *e, bool encapsulated, uint32_t at)
{
    e->kind = AST_EL_CLASS;
    e->class_ = parse_class_definition(p, encapsulated);
    e->name = e->class_->name;
    if (p->tok.kind == TOK_CONSTRAINEDBY) {
        parse_constraining_clause(p, e);
        e->constraint_comment = parse_description(p);
    }
    push_element(p, e, at);
}

static const char *element_title(const AstElement *e)
{
    switch (e->kind) {
    case AST_EL_IMPORT: return "import";
    case AST_EL_EXTENDS: return "'extends' clause";
    case AST_EL_CLASS: return "class definition";
    default: return "component declaration";
    }
}

/* element = import-clause | extends-clause | [ "redeclare" ] [ "final" ] [ "inner" ] [ "outer" ] [
 * "replaceable" ] ( class-definition | component-clause ) [ constraining-clause description ] */
void parse_element(Parser *p, AstVisibility visibility)
{
    uint32_t at = p->tok.at;
    AstElement e = {.visibility = visibility};
    if (p->tok.kind == TOK_IMPORT) {
        import_clause(p, &e);
        push_element(p, &e, at);
    } else if (p->tok.kind == TOK_EXTENDS) {
        extends_clause(p, &e);
        push_element(p, &e, at);
    } else {
        e.redeclare = accept(p, TOK_REDECLARE);
        e.final = accept(p, TOK_FINAL);
        e.inner = accept(p, TOK_INNER);
        e.outer = accept(p, TOK_OUTER);
        e.replaceable = accept(p, TOK_REPLACEABLE);
        bool encapsulated = accept(p, TOK_ENCAPSULATED);
        if (encapsulated || starts_class(p->tok.kind))
            class_element(p, &e, encapsulated, at);
        else
            component_clause(p, &e, at);
    }
    expect_semicolon(p, element_title(&e));
    if (in_panic(p))
        synchronize(p, at);
}
