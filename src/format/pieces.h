/* Inside the formatter: a text as a list of tokens and comments. */
#ifndef FORMAT_PIECES_H
#define FORMAT_PIECES_H

#include "base/text.h"
#include "syntax/parse/token.h"

typedef enum PieceKind {
    PIECE_TOKEN,
    PIECE_LINE_COMMENT,  /* to the end of its line */
    PIECE_BLOCK_COMMENT, /* between slash-star and star-slash */
    PIECE_ANNOTATION,    /* "annotation (...)" with the text as it is */
} PieceKind;

typedef struct Piece {
    PieceKind kind;
    TokenKind token;  /* PIECE_TOKEN */
    uint32_t at, end; /* bytes [at, end) of the text */
    uint32_t breaks;  /* line breaks between the piece before and this one */
} Piece;

typedef VEC(Piece) Pieces;

/* The pieces of a source; annotations are one piece each if `keep_annotations`. */
Pieces pieces_read(Context *ctx, uint32_t source, bool keep_annotations);
static inline bool piece_is_comment(const Piece *p)
{
    return p->kind == PIECE_LINE_COMMENT || p->kind == PIECE_BLOCK_COMMENT;
}

typedef struct Spacing {
    bool tight;        /* no space after the piece before: it is an operator such as * */
    bool loose_equals; /* "=" has spaces here */
} Spacing;
/* Whether a space separates two neighbours of a line. Changes s->tight for the next one. After the
 * last token comes TOK_EOF. */
bool pieces_space(const char *text, const Piece *before, const Piece *p, Spacing *s);

/* Writes the pieces line by line. */
void format_lines(const char *text, const Pieces *pieces, const char *line_end, Text *out);

#endif
