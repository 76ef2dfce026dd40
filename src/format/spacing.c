/* Spaces between neighbours of a line. */
#include "format/pieces.h"

static bool is_opening(TokenKind k)
{
    return k == TOK_LPAREN || k == TOK_LBRACKET || k == TOK_LBRACE;
}

static bool is_closing(TokenKind k)
{
    return k == TOK_RPAREN || k == TOK_RBRACKET || k == TOK_RBRACE;
}

/* Whether an operand can end with it, so that a sign after it is an operator with two operands. */
static bool ends_operand(TokenKind k)
{
    return k == TOK_IDENT || k == TOK_STRING || k == TOK_INT || k == TOK_REAL || k == TOK_TRUE ||
           k == TOK_FALSE || k == TOK_END || is_closing(k);
}

/* Words that look like functions: "(" follows without a space. */
static bool is_called(TokenKind k)
{
    return k == TOK_IDENT || k == TOK_DER || k == TOK_INITIAL || k == TOK_CONNECT ||
           k == TOK_PURE || k == TOK_ENUMERATION || k == TOK_RPAREN || k == TOK_RBRACKET;
}

/* Operators without spaces around them. */
static bool is_tight(const Spacing *s, TokenKind k)
{
    return k == TOK_MUL || k == TOK_DIV || k == TOK_POW || k == TOK_COLON || k == TOK_DOT ||
           (k == TOK_EQUALS && !s->loose_equals);
}

static bool is_sign(TokenKind k)
{
    return k == TOK_ADD || k == TOK_SUB || k == TOK_EADD || k == TOK_ESUB;
}

/* "1." before an operator that begins with a dot would be read in another way. */
static bool ends_in_dot(const char *text, const Piece *p)
{
    return (p->token == TOK_REAL || p->token == TOK_INT) && text[p->end - 1] == '.';
}

static bool is_separator(TokenKind k)
{
    return k == TOK_COMMA || k == TOK_SEMICOLON;
}

/* Between two tokens. */
static bool space_of_tokens(const char *text, const Piece *before, const Piece *p, Spacing *s,
                            bool was_tight)
{
    TokenKind a = before->token, b = p->token;
    bool is_unary = (is_sign(b) || b == TOK_DOT) && !ends_operand(a); /* also .Modelica */
    s->tight = is_unary || is_tight(s, b);
    if (is_unary || (b == TOK_COLON && a == TOK_COMMA))
        return !was_tight && !is_opening(a);
    if (s->tight)
        return ends_in_dot(text, before);
    if (was_tight || is_opening(a) || (b == TOK_EMUL && is_separator(p[1].token))) /* import A.* */
        return false;
    if (b == TOK_LPAREN)
        return !is_called(a);
    return b != TOK_LBRACKET || (a != TOK_IDENT && a != TOK_RPAREN && a != TOK_RBRACKET);
}

bool pieces_space(const char *text, const Piece *before, const Piece *p, Spacing *s)
{
    bool was_tight = s->tight, is_token = p->kind == PIECE_TOKEN;
    s->tight = false;
    if (is_token && (is_closing(p->token) || is_separator(p->token)))
        return false;
    if (is_token && before->kind == PIECE_TOKEN)
        return space_of_tokens(text, before, p, s, was_tight);
    return before->kind != PIECE_TOKEN || !is_opening(before->token);
}
