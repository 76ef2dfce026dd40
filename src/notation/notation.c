/* Which notation a file is written in. */
#include "notation/notation.h"
#include "base/text.h"
#include "syntax/parse/parse.h"

#include "notation/dymola/dymola.h"
#include "notation/omola/omola.h"

typedef AstFile *Parse(Context *ctx, uint32_t source);

static const struct {
    const char *suffix;
    Parse *parse;
} notations[] = {{".dym", dymola_parse}, {".om", omola_parse}};

enum { N_NOTATIONS = sizeof notations / sizeof *notations };

static Parse *parser_of(const char *path)
{
    size_t n = strlen(path);
    for (uint32_t i = 0; i < N_NOTATIONS; i++) {
        size_t m = strlen(notations[i].suffix);
        if (n > m && !strcmp(path + n - m, notations[i].suffix))
            return notations[i].parse;
    }
    return syntax_parse;
}

/* Modelica's own lexer says this token by token. */
static void check_encoding(Context *ctx, uint32_t source)
{
    const Source *s = sources_get(ctx->sources, source);
    for (uint32_t i = 0; i < s->size;) {
        unsigned n = text_character(s->text + i);
        if (!n || !s->text[i]) {
            diag(ctx, (Span){source, i, i + 1}, DIAG_S013, "byte 0x%02X is not UTF-8",
                 (unsigned char)s->text[i]);
            return;
        }
        i += n;
    }
}

AstFile *notation_parse(Context *ctx, uint32_t source)
{
    Parse *parse = parser_of(sources_get(ctx->sources, source)->path);
    if (parse != syntax_parse)
        check_encoding(ctx, source);
    return parse(ctx, source);
}
