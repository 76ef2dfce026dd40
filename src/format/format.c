/* The entry of the formatter, and the proof of each result. */
#include "format/format.h"

#include "format/pieces.h"
#include "syntax/parse/parse.h"

static bool same_text(const char *a, const Piece *p, const char *b, const Piece *q)
{
    return p->end - p->at == q->end - q->at && !memcmp(a + p->at, b + q->at, p->end - p->at);
}

/* Whether both texts have the same tokens and comments, in the same order. */
static bool same_pieces(Context *ctx, uint32_t before, uint32_t after)
{
    Pieces a = pieces_read(ctx, before, false), b = pieces_read(ctx, after, false);
    const char *x = sources_get(ctx->sources, before)->text,
               *y = sources_get(ctx->sources, after)->text;
    bool same = a.n == b.n;
    for (uint32_t i = 0; same && i < a.n; i++)
        same = a.at[i].kind == b.at[i].kind && a.at[i].token == b.at[i].token &&
               (a.at[i].token == TOK_EOF && a.at[i].kind == PIECE_TOKEN
                    ? true
                    : same_text(x, &a.at[i], y, &b.at[i]));
    vec_free(&a);
    vec_free(&b);
    return same;
}

/* Parses both texts: the trees are equal, and all comments are there. */
static bool is_proved(const char *text, size_t size, const Text *out)
{
    Context *scratch = context_new();
    uint32_t before = sources_add(scratch->sources, "", text, size),
             after = sources_add(scratch->sources, "", out->at ? out->at : "", out->n);
    AstFile *a = syntax_parse(scratch, before), *b = syntax_parse(scratch, after);
    bool same = !scratch->n_errors && ast_equal(a, b) && same_pieces(scratch, before, after);
    ast_free(a);
    ast_free(b);
    context_free(scratch);
    return same;
}

static bool has_errors(Context *ctx, uint32_t source)
{
    uint32_t before = ctx->n_errors;
    AstFile *file = syntax_parse(ctx, source);
    ast_free(file);
    return ctx->n_errors > before;
}

static const char *line_end_of(const char *text)
{
    const char *end = strchr(text, '\n');
    return end && end > text && end[-1] == '\r' ? "\r\n" : "\n";
}

bool format_modelica(Context *ctx, const char *path, const char *text, size_t size, unsigned flags,
                     Text *out)
{
    uint32_t source = sources_add(ctx->sources, path, text, size);
    if (has_errors(ctx, source))
        return false;
    const char *own = sources_get(ctx->sources, source)->text;
    if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3))
        text_put(out, "\xEF\xBB\xBF");
    Pieces pieces = pieces_read(ctx, source, !(flags & FORMAT_ANNOTATIONS));
    format_lines(own, &pieces, line_end_of(own), out);
    vec_free(&pieces);
    if (is_proved(text, size, out))
        return true;
    diag(ctx, (Span){source, 0, 0}, DIAG_X001, "the formatted text has another meaning");
    return false;
}
