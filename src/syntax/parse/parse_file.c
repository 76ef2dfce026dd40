/* The stored definition, and the entry of the phase. */
#include "syntax/parse/parser.h"
#include "syntax/parse/parse.h"

static void within_clause(Parser *p, AstFile *file)
{
    uint32_t start = p->tok.at;
    if (!accept(p, TOK_WITHIN))
        return;
    file->has_within = true;
    if (p->tok.kind != TOK_SEMICOLON)
        file->within = parse_name(p);
    expect_semicolon(p, "'within'");
    if (in_panic(p)) {
        file->within = (AstName){0};
        synchronize(p, start);
    }
}

static void stray_end(Parser *p)
{
    uint32_t start = p->tok.at;
    next(p);
    if (p->tok.kind != TOK_SEMICOLON && p->tok.kind != TOK_EOF)
        next(p);
    report(p, span_since(p, start), DIAG_S027, "'end' does not close any class");
    accept(p, TOK_SEMICOLON);
}

/* Between classes, recovery stops only at the start of a class. */
static void skip_to_class(Parser *p, uint32_t start)
{
    synchronize(p, start);
    while (p->tok.kind != TOK_EOF &&
           !(p->tok.newline && (starts_class(p->tok.kind) || p->tok.kind == TOK_FINAL ||
                                p->tok.kind == TOK_ENCAPSULATED)))
        next(p);
}

/* stored-definition = [ "within" [ name ] ";" ] { [ "final" ] class-definition ";" } */
static void stored_definition(Parser *p, AstFile *file)
{
    within_clause(p, file);
    size_t mark = list_open(&p->items);
    while (p->tok.kind != TOK_EOF) {
        uint32_t start = p->tok.at;
        if (p->tok.kind == TOK_END) {
            stray_end(p);
            continue;
        }
        bool is_final = accept(p, TOK_FINAL);
        bool encapsulated = accept(p, TOK_ENCAPSULATED);
        AstClass *c = NULL;
        if (starts_class(p->tok.kind))
            c = parse_class_definition(p, encapsulated);
        else
            unexpected(p, "a class definition", "");
        if (!in_panic(p)) {
            c->final = is_final;
            c->span.at = start;
            if (c->name)
                list_push(&p->items, c);
            expect_semicolon(p, "the class definition");
        }
        if (in_panic(p))
            skip_to_class(p, start);
    }
    list_close(p, &p->items, mark, file->classes);
}

static void parser_init(Parser *p, Context *ctx, uint32_t source, Arena *arena)
{
    *p = (Parser){.ctx = ctx, .arena = arena, .scratch = arena_new(), .error_at = UINT32_MAX};
    lexer_init(&p->lexer, ctx, source);
    p->bad = ARENA_NEW(p->arena, AstExpr);
    p->bad->kind = AST_END;
    next(p);
}

static void parser_done(Parser *p)
{
    arena_free(p->scratch);
    memory_free(p->items.at);
    memory_free(p->equations.at);
    memory_free(p->algorithms.at);
}

AstFile *syntax_parse(Context *ctx, uint32_t source)
{
    Arena *arena = arena_new();
    AstFile *file = ARENA_NEW(arena, AstFile);
    file->arena = arena;
    file->source = source;
    Parser p;
    parser_init(&p, ctx, source, arena);
    stored_definition(&p, file);
    parser_done(&p);
    return file;
}

AstExpr *syntax_parse_expr(Context *ctx, uint32_t source, Arena *arena)
{
    Parser p;
    parser_init(&p, ctx, source, arena);
    AstExpr *e = parse_expression(&p);
    if (p.tok.kind != TOK_EOF)
        unexpected(&p, "the end of the expression", "");
    bool ok = !p.lexer.n_errors;
    parser_done(&p);
    return ok ? e : NULL;
}
