#include "format/pieces.h"

typedef struct Reader {
    const char *text;
    Pieces list;
} Reader;

static void add(Reader *r, PieceKind kind, TokenKind token, uint32_t at, uint32_t end,
                uint32_t *breaks)
{
    vec_push(&r->list, ((Piece){kind, token, at, end, *breaks}));
    *breaks = 0;
}

static uint32_t comment_end(const char *text, uint32_t at, uint32_t most)
{
    bool line = text[at + 1] == '/';
    uint32_t i = at + 2;
    while (i < most && (line ? text[i] != '\n' && text[i] != '\r'
                             : !(text[i] == '*' && i + 1 < most && text[i + 1] == '/')))
        i++;
    return line ? i : i + 2 < most ? i + 2 : most;
}

/* Without the white space at its end. */
static uint32_t trimmed(const char *text, uint32_t at, uint32_t end)
{
    while (end > at && (text[end - 1] == ' ' || text[end - 1] == '\t'))
        end--;
    return end;
}

/* The comments of the gap [at, end) between two tokens; the line breaks after the last one. */
static uint32_t read_gap(Reader *r, uint32_t at, uint32_t end)
{
    const char *text = r->text;
    uint32_t breaks = 0;
    while (at < end) {
        if (text[at] == '/' && at + 1 < end && (text[at + 1] == '/' || text[at + 1] == '*')) {
            bool line = text[at + 1] == '/';
            uint32_t stop = comment_end(text, at, end);
            add(r, line ? PIECE_LINE_COMMENT : PIECE_BLOCK_COMMENT, TOK_EOF, at,
                line ? trimmed(text, at, stop) : stop, &breaks);
            at = stop;
        } else {
            bool pair = text[at] == '\r' && at + 1 < end && text[at + 1] == '\n';
            breaks += text[at] == '\n' || (text[at] == '\r' && !pair);
            at++;
        }
    }
    return breaks;
}

/* The end of the annotation whose word was read last. */
static uint32_t annotation_end(Lexer *x)
{
    Token t = {0};
    uint32_t depth = 0, end = x->at;
    do {
        lexer_next(x, &t);
        depth += t.kind == TOK_LPAREN;
        depth -= t.kind == TOK_RPAREN && depth;
        end = t.end;
    } while (depth && t.kind != TOK_EOF);
    return end;
}

Pieces pieces_read(Context *ctx, uint32_t source, bool keep_annotations)
{
    Lexer x;
    Token t = {0};
    lexer_init(&x, ctx, source);
    Reader r = {.text = x.text};
    uint32_t last = 0;
    do {
        lexer_next(&x, &t);
        uint32_t at = t.kind == TOK_EOF ? x.size : t.at;
        uint32_t breaks = read_gap(&r, last, at);
        if (t.kind == TOK_ANNOTATION && keep_annotations) {
            last = annotation_end(&x);
            add(&r, PIECE_ANNOTATION, TOK_ANNOTATION, t.at, last, &breaks);
        } else {
            last = t.kind == TOK_EOF ? x.size : t.end;
            add(&r, PIECE_TOKEN, t.kind, at, last, &breaks);
        }
    } while (t.kind != TOK_EOF);
    return r.list;
}
