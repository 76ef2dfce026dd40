/* Lines and their indentation.
 *
 * The layout follows the statements of the text: classes, sections, elements, equations, and the
 * blocks if, for, when and while. It keeps a stack of the open ones. Each statement begins a line.
 * A line that continues a statement is indented once more, and once for each line that opened a
 * bracket around it. */
#include "base/text.h"
#include "format/pieces.h"

typedef struct Block {
    bool is_class;
    bool has_equations; /* of a class: in a section of equations or statements */
    uint32_t level;     /* of its first line */
} Block;

typedef enum Expect {
    EXPECT_STATEMENT, /* the next token begins one */
    EXPECT_HEAD,      /* in "if … then", "for … loop": the body follows the word */
    EXPECT_CLASS,     /* in the head of a class, before its name */
    EXPECT_NAMED,     /* after the name: "(", a description, or the first element */
    EXPECT_REST,      /* in a statement, up to its ";" */
} Expect;

typedef struct Layout {
    const char *text, *line_end;
    const Pieces *pieces;
    Text *out;
    uint32_t at; /* of the piece */
    VEC(Block) blocks;
    VEC(uint32_t) brackets; /* for each open one: the line that opened it */
    VEC(bool) choices;      /* if-expressions whose "else" is to come; true: after "then" */
    Expect expect;
    uint32_t level;      /* of the statement */
    uint32_t line;       /* written so far */
    bool at_line_start;  /* nothing is written in this line */
    bool break_due;      /* the next token begins a line */
    bool in_declaration; /* "=" gives a value: no spaces */
    bool redeclares;     /* in this argument */
    Spacing spacing;
} Layout;

/* ---- looking ahead ---- */

static TokenKind token_after(const Layout *w, uint32_t *i)
{
    while (++*i < w->pieces->n)
        if (!piece_is_comment(&w->pieces->at[*i]))
            return w->pieces->at[*i].token;
    return TOK_EOF;
}

static bool is_prefix(TokenKind k)
{
    switch (k) {
    case TOK_REDECLARE:
    case TOK_FINAL:
    case TOK_INNER:
    case TOK_OUTER:
    case TOK_REPLACEABLE:
    case TOK_ENCAPSULATED:
    case TOK_PARTIAL:
    case TOK_PURE:
    case TOK_IMPURE:
    case TOK_OPERATOR:
    case TOK_EXPANDABLE: return true;
    default: return false;
    }
}

static bool is_restriction(TokenKind k)
{
    switch (k) {
    case TOK_CLASS:
    case TOK_MODEL:
    case TOK_RECORD:
    case TOK_BLOCK:
    case TOK_CONNECTOR:
    case TOK_TYPE:
    case TOK_PACKAGE:
    case TOK_FUNCTION: return true;
    default: return false;
    }
}

/* A class with a body begins at the piece; *is_short: one without a body does. */
static bool begins_class(const Layout *w, bool *is_short)
{
    uint32_t i = w->at;
    bool is_operator = false;
    TokenKind k = w->pieces->at[i].token;
    while (is_prefix(k)) {
        is_operator = k == TOK_OPERATOR;
        k = token_after(w, &i);
    }
    *is_short = false;
    if (is_restriction(k))
        k = token_after(w, &i);
    else if (!is_operator)
        return false;
    if (k == TOK_EXTENDS)
        return true;
    *is_short = k == TOK_IDENT && token_after(w, &i) == TOK_EQUALS;
    return !*is_short;
}

static bool begins_section(const Layout *w, TokenKind k)
{
    uint32_t i = w->at;
    if (k == TOK_INITIAL)
        k = token_after(w, &i);
    return k == TOK_EQUATION || k == TOK_ALGORITHM || k == TOK_PUBLIC || k == TOK_PROTECTED;
}

/* ---- statements ---- */

static uint32_t inner_level(const Layout *w)
{
    return w->blocks.n ? vec_last(&w->blocks).level + 1 : 0;
}

static bool in_equations(const Layout *w)
{
    return w->blocks.n && (!vec_last(&w->blocks).is_class || vec_last(&w->blocks).has_equations);
}

static void end_statement(Layout *w)
{
    w->expect = EXPECT_STATEMENT;
    w->break_due = true;
    w->in_declaration = w->redeclares = false;
    vec_clear(&w->choices);
    vec_clear(&w->brackets);
}

static void begin_block(Layout *w, bool is_class)
{
    w->level = inner_level(w);
    vec_push(&w->blocks, ((Block){is_class, false, w->level}));
    w->expect = is_class ? EXPECT_CLASS : EXPECT_HEAD;
}

static void begin_section(Layout *w, TokenKind k)
{
    w->level = vec_last(&w->blocks).level;
    vec_last(&w->blocks).has_equations = k != TOK_PUBLIC && k != TOK_PROTECTED;
    if (k == TOK_INITIAL)
        w->expect = EXPECT_REST;
    else
        end_statement(w);
}

static void begin_plain(Layout *w, TokenKind k)
{
    bool is_short;
    w->level = inner_level(w);
    w->expect = EXPECT_REST;
    if (!in_equations(w) && begins_class(w, &is_short)) {
        begin_block(w, true);
    } else if (!in_equations(w)) {
        begins_class(w, &is_short);
        w->in_declaration = !is_short && k != TOK_IMPORT && k != TOK_EXTERNAL;
    }
}

/* The token that begins a statement. */
static void begin_statement(Layout *w, TokenKind k)
{
    bool in_block = w->blocks.n && !vec_last(&w->blocks).is_class;
    if (k == TOK_END && w->blocks.n) {
        w->level = vec_pop(&w->blocks).level;
        w->expect = EXPECT_REST;
    } else if (in_block && (k == TOK_ELSE || k == TOK_ELSEIF || k == TOK_ELSEWHEN)) {
        w->level = vec_last(&w->blocks).level;
        w->expect = EXPECT_HEAD;
        if (k == TOK_ELSE)
            end_statement(w);
    } else if (w->blocks.n && !in_block && begins_section(w, k)) {
        begin_section(w, k);
    } else if (in_equations(w) &&
               (k == TOK_IF || k == TOK_FOR || k == TOK_WHEN || k == TOK_WHILE)) {
        begin_block(w, false);
    } else {
        begin_plain(w, k);
    }
}

/* ---- inside statements ---- */

static bool is_bracket(TokenKind k, bool opening)
{
    return opening ? k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE
                   : k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE;
}

/* "if", "then" and "else" of expressions; true if the "then" belongs to one. */
static bool is_of_choice(Layout *w, TokenKind k)
{
    if (k == TOK_IF)
        vec_push(&w->choices, false);
    else if ((k == TOK_THEN || k == TOK_ELSEIF) && w->choices.n &&
             vec_last(&w->choices) == (k == TOK_ELSEIF))
        vec_last(&w->choices) = k == TOK_THEN;
    else if (k == TOK_ELSE && w->choices.n)
        (void)vec_pop(&w->choices);
    else
        return false;
    return true;
}

/* In the head of a class: its name, the name after extends, then perhaps modifiers and a
 * description. */
static void follow_class(Layout *w, TokenKind k)
{
    uint32_t i = w->at;
    if (w->expect == EXPECT_CLASS) {
        w->expect = k == TOK_IDENT ? EXPECT_NAMED : EXPECT_CLASS;
        if (w->expect == EXPECT_CLASS)
            return;
    }
    TokenKind next = token_after(w, &i);
    bool more = w->brackets.n || (k == TOK_IDENT && next == TOK_LPAREN) || next == TOK_STRING ||
                (k == TOK_STRING && next == TOK_ADD) || (k == TOK_ADD && next == TOK_STRING);
    if (!more)
        end_statement(w);
}

static void follow_brackets(Layout *w, TokenKind k)
{
    if (is_bracket(k, true))
        vec_push(&w->brackets, w->line);
    else if (is_bracket(k, false) && w->brackets.n)
        (void)vec_pop(&w->brackets);
    if (is_bracket(k, true) || k == TOK_COMMA)
        w->redeclares = false;
    w->redeclares |= k == TOK_REDECLARE || k == TOK_REPLACEABLE;
}

/* Follows a token that has been written. */
static void follow(Layout *w, TokenKind k)
{
    follow_brackets(w, k);
    if (w->expect == EXPECT_CLASS || w->expect == EXPECT_NAMED) {
        follow_class(w, k);
    } else if (k == TOK_SEMICOLON && !w->brackets.n) {
        end_statement(w);
    } else if (w->expect == EXPECT_REST &&
               (k == TOK_EQUATION || k == TOK_ALGORITHM)) { /* after "initial" */
        end_statement(w);
    } else if (!is_of_choice(w, k) && w->expect == EXPECT_HEAD &&
               (k == TOK_THEN || k == TOK_LOOP) && !w->brackets.n) {
        end_statement(w);
    }
}

/* ---- writing ---- */

static void break_line(Layout *w, bool empty)
{
    text_put(w->out, w->line_end);
    if (empty)
        text_put(w->out, w->line_end);
    w->line++;
    w->at_line_start = true;
}

static uint32_t continued_level(const Layout *w, const Piece *p)
{
    bool closes = p->kind == PIECE_TOKEN && is_bracket(p->token, false);
    uint32_t n = 0, open = w->brackets.n;
    for (uint32_t i = 0; i + closes < open; i++)
        n += !i || w->brackets.at[i] != w->brackets.at[i - 1];
    return w->level + (n || closes ? n : 1);
}

static void put_piece(Layout *w, const Piece *p)
{
    text_put_n(w->out, w->text + p->at, p->end - p->at);
    w->at_line_start = false;
}

static void put_indented(Layout *w, const Piece *p, uint32_t level)
{
    for (uint32_t i = 0; i < level; i++)
        text_put(w->out, "  ");
    w->spacing.tight = false;
    put_piece(w, p);
}

/* The "=" of a declaration and of arguments has no spaces; that of a redeclaration has. */
static bool has_loose_equals(const Layout *w)
{
    return w->brackets.n ? w->redeclares : !w->in_declaration;
}

/* Whether the piece begins a line. A comment at the end of a line stays there. */
static bool begins_line(Layout *w, const Piece *p, const Piece *before)
{
    bool comment = piece_is_comment(p), due = w->break_due;
    if (!comment || p->breaks)
        w->break_due = false;
    return !before || p->breaks || before->kind == PIECE_LINE_COMMENT || (due && !comment);
}

/* Writes the piece; `level` if it begins a line. */
static void put_next(Layout *w, const Piece *p, const Piece *before, uint32_t level)
{
    w->spacing.loose_equals = has_loose_equals(w);
    if (w->at_line_start) {
        put_indented(w, p, level);
    } else {
        if (pieces_space(w->text, before, p, &w->spacing))
            text_put(w->out, " ");
        put_piece(w, p);
    }
}

static void write_piece(Layout *w)
{
    const Piece *p = &w->pieces->at[w->at], *before = w->at ? p - 1 : NULL;
    if (begins_line(w, p, before) && before)
        break_line(w, p->breaks > 1);
    bool starts = w->expect == EXPECT_STATEMENT;
    if (piece_is_comment(p)) {
        put_next(w, p, before, starts ? inner_level(w) : continued_level(w, p));
        return;
    }
    if (starts)
        begin_statement(w, p->token);
    put_next(w, p, before, starts ? w->level : continued_level(w, p));
    if (!starts || (w->expect != EXPECT_STATEMENT && p->token != TOK_IF))
        follow(w, p->token);
}

void format_lines(const char *text, const Pieces *pieces, const char *line_end, Text *out)
{
    Layout w = {
        .text = text, .line_end = line_end, .pieces = pieces, .out = out, .at_line_start = true};
    for (; w.at < pieces->n &&
           (pieces->at[w.at].kind != PIECE_TOKEN || pieces->at[w.at].token != TOK_EOF);
         w.at++)
        write_piece(&w);
    if (out->n)
        text_put(out, line_end);
    vec_free(&w.blocks);
    vec_free(&w.brackets);
    vec_free(&w.choices);
}
