/* Class definitions (Modelica 3.6, A.2.2). */
#include "syntax/parse/parser.h"

/* ---- prefixes ---- */

static AstRestriction restriction(Parser *p, bool function_only)
{
    if (accept(p, TOK_OPERATOR)) {
        if (accept(p, TOK_FUNCTION))
            return AST_OPERATOR_FUNCTION;
        if (!function_only)
            return accept(p, TOK_RECORD) ? AST_OPERATOR_RECORD : AST_OPERATOR;
    }
    if (function_only) {
        expect_token(p, TOK_FUNCTION, "after 'pure' or 'impure'");
        return AST_FUNCTION;
    }
    if (accept(p, TOK_EXPANDABLE)) {
        expect_token(p, TOK_CONNECTOR, "after 'expandable'");
        return AST_EXPANDABLE_CONNECTOR;
    }
    return accept(p, TOK_MODEL)       ? AST_MODEL
           : accept(p, TOK_FUNCTION)  ? AST_FUNCTION
           : accept(p, TOK_PACKAGE)   ? AST_PACKAGE
           : accept(p, TOK_BLOCK)     ? AST_BLOCK
           : accept(p, TOK_RECORD)    ? AST_RECORD
           : accept(p, TOK_CONNECTOR) ? AST_CONNECTOR
           : accept(p, TOK_TYPE)
               ? AST_TYPE
               : (expect_token(p, TOK_CLASS, "or another kind of class"), AST_CLASS);
}

/* class-prefixes = [ "partial" ] ( "class" | "model" | [ "operator" ] "record" | "block" | [
 * "expandable" ] "connector" | "type" | "package" | [ "pure" | "impure" ] [ "operator" ] "function"
 * | "operator" ) */
static void class_prefixes(Parser *p, AstClass *c)
{
    c->partial = accept(p, TOK_PARTIAL);
    c->pure = accept(p, TOK_PURE);
    c->impure = !c->pure && accept(p, TOK_IMPURE);
    c->restriction = restriction(p, c->pure || c->impure);
}

/* ---- short forms ---- */

/* enumeration-literal = IDENT description */
static AstEnumLiteral enumeration_literal(Parser *p)
{
    uint32_t at = p->tok.at;
    AstEnumLiteral literal = {.name = expect_name(p, "for the literal")};
    literal.comment = parse_description(p);
    literal.span = span_since(p, at);
    return literal;
}

/* "enumeration" "(" ( [ enumeration-literal { "," enumeration-literal } ] | ":" ) ")" */
static void enumeration(Parser *p, AstClass *c)
{
    next(p);
    Span open = tok_span(p);
    c->form = AST_ENUMERATION;
    if (!expect_token(p, TOK_LPAREN, "after 'enumeration'"))
        return;
    if (accept(p, TOK_COLON)) {
        c->form = AST_ENUM_ANY;
    } else if (p->tok.kind != TOK_RPAREN) {
        size_t mark = list_open(&p->items);
        do {
            AstEnumLiteral literal = enumeration_literal(p);
            list_push(&p->items, literal);
        } while (accept(p, TOK_COMMA));
        list_close(p, &p->items, mark, c->literals);
    }
    expect_close(p, TOK_RPAREN, open);
}

/* "der" "(" type-specifier "," IDENT { "," IDENT } ")" */
static void der_class(Parser *p, AstClass *c)
{
    next(p);
    Span open = tok_span(p);
    c->form = AST_DER_CLASS;
    if (!expect_token(p, TOK_LPAREN, "after 'der'"))
        return;
    c->base = parse_type_specifier(p);
    size_t mark = list_open(&p->items);
    expect_token(p, TOK_COMMA, "after the name of the function");
    do {
        Name name = expect_name(p, "of a variable to differentiate by");
        list_push(&p->items, name);
    } while (accept(p, TOK_COMMA));
    list_close(p, &p->items, mark, c->der_vars);
    expect_close(p, TOK_RPAREN, open);
}

/* base-prefix type-specifier [ array-subscripts ] [ class-modification ] */
static void specialization(Parser *p, AstClass *c)
{
    c->form = AST_SHORT;
    c->base_causality = accept(p, TOK_INPUT)    ? AST_INPUT
                        : accept(p, TOK_OUTPUT) ? AST_OUTPUT
                                                : AST_ACAUSAL;
    c->base = parse_type_specifier(p);
    if (p->tok.kind == TOK_LBRACKET)
        c->base_dims.at = parse_array_subscripts(p, &c->base_dims.n);
    if (p->tok.kind == TOK_LPAREN)
        c->base_mod = parse_class_modification(p, false);
}

/* short-class-specifier and der-class-specifier from "=" on */
static void short_class_specifier(Parser *p, AstClass *c, bool der_allowed)
{
    next(p);
    if (p->tok.kind == TOK_ENUMERATION) {
        enumeration(p, c);
    } else if (p->tok.kind == TOK_DER) {
        if (!der_allowed)
            report(p, tok_span(p), DIAG_S024,
                   "a derivative of a function cannot be declared in a modification");
        der_class(p, c);
    } else {
        specialization(p, c);
    }
    c->comment = parse_description(p);
}

/* short-class-definition = class-prefixes short-class-specifier */
AstClass *parse_short_class_definition(Parser *p)
{
    uint32_t at = p->tok.at;
    AstClass *c = ARENA_NEW(p->arena, AstClass);
    class_prefixes(p, c);
    c->name_span = tok_span(p);
    c->name = expect_name(p, "for the class");
    if (p->tok.kind == TOK_EQUALS)
        short_class_specifier(p, c, false);
    else
        unexpected(p, "'='",
                   "after the name: only a short class definition can stand in a modification");
    c->span = span_since(p, at);
    return c;
}

/* ---- compositions ---- */

/* [ component-reference "=" ] IDENT "(" [ expression-list ] ")" */
static void external_function_call(Parser *p, AstExternal *x)
{
    AstRef *ref = parse_component_reference(p);
    x->has_call = true;
    if (accept(p, TOK_EQUALS)) {
        x->result = ref;
        x->function = expect_name(p, "of the external function");
    } else {
        x->function = ref->parts[0].name;
        if (ref->n != 1 || ref->absolute || ref->parts[0].subs.n)
            report(p, ref->span, DIAG_S024,
                   "the name of an external function is a plain identifier");
    }
    Span open = tok_span(p);
    if (!expect_token(p, TOK_LPAREN, "after the name of the external function"))
        return;
    if (p->tok.kind != TOK_RPAREN)
        x->args.at = parse_expression_list(p, &x->args.n);
    expect_close(p, TOK_RPAREN, open);
}

/* "external" [ STRING ] [ external-function-call ] [ annotation-clause ] ";" */
static void external_clause(Parser *p, AstClass *c)
{
    uint32_t at = p->tok.at;
    AstExternal *x = ARENA_NEW(p->arena, AstExternal);
    next(p);
    x->language = "C";
    if (p->tok.kind == TOK_STRING) {
        uint32_t n;
        x->language = lexer_string(&p->lexer, &p->tok, p->arena, &n);
        next(p);
    }
    if (p->tok.kind == TOK_IDENT || p->tok.kind == TOK_DOT)
        external_function_call(p, x);
    x->annotation = parse_annotation(p);
    x->span = span_since(p, at);
    expect_semicolon(p, "'external'");
    if (in_panic(p))
        synchronize(p, at);
    else
        c->external = x;
}

/* An annotation that is not the only one, or not at the end. Other tools accept it. */
static void report_misplaced(Parser *p, const char *text)
{
    if (p->ctx->compatible && !in_panic(p))
        diag_compatible(p->ctx, tok_span(p), DIAG_S023, "%s", text);
    else
        report(p, tok_span(p), DIAG_S023, "%s", text);
}

/* One annotation with the arguments of both. */
static AstMod *join_annotations(Parser *p, AstMod *first, AstMod *second)
{
    if (!first || !second)
        return second ? second : first;
    uint32_t n = first->args.n;
    AstArg *all = arena_alloc(p->arena, (n + second->args.n) * sizeof *all);
    for (uint32_t i = 0; i < n + second->args.n; i++)
        all[i] = i < n ? first->args.at[i] : second->args.at[i - n];
    first->args.at = all;
    first->args.n = n + second->args.n;
    return first;
}

static void class_annotation(Parser *p, AstClass *c)
{
    uint32_t at = p->tok.at;
    if (c->comment.annotation)
        report_misplaced(p, arena_printf(p->arena, "class '%s' has a second annotation", c->name));
    AstMod *annotation = parse_annotation(p);
    expect_semicolon(p, "the annotation");
    if (in_panic(p))
        synchronize(p, at);
    else
        c->comment.annotation = join_annotations(p, c->comment.annotation, annotation);
}

/* The parts of a composition so far, to report parts out of order. */
typedef struct Order {
    /* after "equation" or "algorithm": elements need "public" or "protected" again */
    bool in_section;
    bool external, annotation;
} Order;

static void check_order(Parser *p, Order *o)
{
    char buffer[80];
    if (o->annotation) {
        o->annotation = false; /* one message for all parts that follow */
        report_misplaced(
            p, arena_printf(p->arena, "expected 'end' after the annotation of the class, found %s",
                            found(p, buffer, sizeof buffer)));
    } else if (o->external)
        report(p, tok_span(p), DIAG_S023, "expected 'end' after 'external', found %s",
               found(p, buffer, sizeof buffer));
}

static void section(Parser *p, Order *o)
{
    check_order(p, o);
    o->in_section = true;
    bool initial = accept(p, TOK_INITIAL);
    if (p->tok.kind == TOK_EQUATION) {
        AstEqSection s = parse_equation_section(p, initial);
        list_push(&p->equations, s);
    } else {
        AstAlgSection s = parse_algorithm_section(p, initial);
        list_push(&p->algorithms, s);
    }
}

static void element_of_list(Parser *p, Order *o, AstVisibility visibility)
{
    check_order(p, o);
    if (o->in_section)
        report(p, tok_span(p), DIAG_S023,
               "a declaration is not allowed among equations or statements; move it before them, "
               "or write 'public' or 'protected' before it");
    parse_element(p, visibility);
}

/* The part of a composition at the current token. False if the composition ends. */
static bool composition_part(Parser *p, AstClass *c, Order *o, AstVisibility *visibility)
{
    switch (p->tok.kind) {
    case TOK_EOF:
    case TOK_PANIC: return false;
    case TOK_END: return skip_stray_part(p);
    case TOK_PUBLIC:
    case TOK_PROTECTED:
        check_order(p, o);
        *visibility = p->tok.kind == TOK_PUBLIC ? AST_PUBLIC : AST_PROTECTED;
        o->in_section = false;
        next(p);
        return true;
    case TOK_EQUATION:
    case TOK_ALGORITHM: section(p, o); return true;
    case TOK_EXTERNAL:
        check_order(p, o);
        o->external = true;
        external_clause(p, c);
        return true;
    case TOK_ANNOTATION:
        class_annotation(p, c);
        o->annotation = true;
        return true;
    case TOK_INITIAL:
        if (peek(p)->kind == TOK_EQUATION || peek(p)->kind == TOK_ALGORITHM) {
            section(p, o);
            return true;
        }
        break;
    case TOK_ELSE:
    case TOK_ELSEIF:
    case TOK_ELSEWHEN: return skip_stray_part(p);
    default: break;
    }
    element_of_list(p, o, *visibility);
    return true;
}

/* composition = { element ";" } { "public" { element ";" } | "protected" { element ";" } |
 * equation-section | algorithm-section } [ external-clause ] [ annotation-clause ";" ] */
static void composition(Parser *p, AstClass *c)
{
    size_t elements = list_open(&p->items);
    size_t equations = list_open(&p->equations), algorithms = list_open(&p->algorithms);
    AstVisibility visibility = AST_PUBLIC;
    Order order = {0};
    while (composition_part(p, c, &order, &visibility))
        ;
    list_close(p, &p->items, elements, c->elements);
    list_close(p, &p->equations, equations, c->equations);
    list_close(p, &p->algorithms, algorithms, c->algorithms);
}

/* ---- long forms ---- */

static bool is_open_class(const Parser *p, Name name)
{
    for (const Block *b = p->block->outer; b; b = b->outer)
        if (b->kind == TOK_CLASS && b->name == name)
            return true;
    return false;
}

static void missing_end(Parser *p, const AstClass *c)
{
    char buffer[80];
    if (report(p, tok_span(p), DIAG_S010, "expected 'end %s;', found %s", c->name,
               p->tok.kind == TOK_EOF ? "end of file" : found(p, buffer, sizeof buffer)))
        diag_note(p->ctx, c->name_span, "class '%s' begins here", c->name);
}

/* "end" IDENT. A wrong name that closes an outer class means that this one's end is missing. */
static void class_end(Parser *p, const AstClass *c)
{
    if (p->tok.kind != TOK_END) {
        missing_end(p, c);
        return;
    }
    const Token *then = peek(p);
    if (then->kind == TOK_IDENT && then->name != c->name && is_open_class(p, then->name)) {
        if (report(p, tok_span(p), DIAG_S010, "expected 'end %s;', found 'end %s'", c->name,
                   then->name))
            diag_note(p->ctx, c->name_span, "class '%s' begins here", c->name);
        return;
    }
    next(p);
    if (p->tok.kind == TOK_IDENT && p->tok.name == c->name) {
        next(p);
        return;
    }
    if (p->tok.kind == TOK_IDENT || token_is_keyword(p->tok.kind)) {
        char buffer[80];
        if (report(p, tok_span(p), DIAG_S005, "expected 'end %s', found 'end %s'", c->name,
                   p->tok.kind == TOK_IDENT ? p->tok.name : found(p, buffer, sizeof buffer)))
            diag_note(p->ctx, c->name_span, "class '%s' begins here", c->name);
        next(p);
    } else if (report(p, tok_span(p), DIAG_S005,
                      "expected the name of the class after 'end': 'end %s'", c->name)) {
        diag_note(p->ctx, c->name_span, "class '%s' begins here", c->name);
    }
}

/* description-string composition "end" IDENT */
static void long_class(Parser *p, AstClass *c)
{
    Block block = {p->block, TOK_CLASS, c->name, c->name_span, false};
    p->block = &block;
    uint32_t at = p->tok.at;
    if (c->form == AST_EXTENDS_LONG && p->tok.kind == TOK_LPAREN)
        c->base_mod = parse_class_modification(p, false);
    c->comment.text = parse_description_string(p);
    if (c->comment.text)
        c->comment.span = span_since(p, at);
    if (in_panic(p)) {
        c->base_mod = NULL;
        synchronize(p, at);
    }
    composition(p, c);
    if (!in_panic(p))
        class_end(p, c);
    p->block = block.outer;
}

static void skip_line(Parser *p)
{
    while (p->tok.kind != TOK_EOF && p->tok.kind != TOK_SEMICOLON && !p->tok.newline)
        next(p);
}

/* A long class with a wrong name: its body is parsed for errors, and the class is dropped. */
static void nameless_class(Parser *p, AstClass *c)
{
    if (p->fatal || peek(p)->kind == TOK_EQUALS)
        return;
    Block block = {p->block, TOK_CLASS, "", c->name_span, false};
    p->block = &block;
    p->tok.kind = p->held;
    skip_line(p);
    composition(p, c);
    bool outer_end = peek(p)->kind == TOK_IDENT && is_open_class(p, peek(p)->name);
    if (p->tok.kind == TOK_END && !outer_end) {
        next(p);
        skip_line(p);
    }
    p->block = block.outer;
}

/* class-specifier = IDENT description-string composition "end" IDENT | short-class-specifier |
 * der-class-specifier | "extends" IDENT [ class-modification ] description-string composition "end"
 * IDENT */
static void class_specifier(Parser *p, AstClass *c)
{
    bool extends = accept(p, TOK_EXTENDS);
    c->name_span = tok_span(p);
    c->name = expect_name(p, "for the class");
    if (!c->name) {
        nameless_class(p, c);
        return;
    }
    if (!extends && p->tok.kind == TOK_EQUALS) {
        short_class_specifier(p, c, true);
        return;
    }
    c->form = extends ? AST_EXTENDS_LONG : AST_LONG;
    long_class(p, c);
}

/* class-definition = [ "encapsulated" ] class-prefixes class-specifier; the first word is already
 * read */
AstClass *parse_class_definition(Parser *p, bool encapsulated)
{
    uint32_t at = encapsulated ? p->prev_at : p->tok.at;
    AstClass *c = ARENA_NEW(p->arena, AstClass);
    c->encapsulated = encapsulated;
    if (enter(p)) {
        class_prefixes(p, c);
        class_specifier(p, c);
    }
    leave(p);
    c->span = span_since(p, at);
    return c;
}
