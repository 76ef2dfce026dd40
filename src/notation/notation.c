/* Which notation a file is written in. */
#include "notation/notation.h"
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

AstFile *notation_parse(Context *ctx, uint32_t source)
{
    return parser_of(sources_get(ctx->sources, source)->path)(ctx, source);
}
