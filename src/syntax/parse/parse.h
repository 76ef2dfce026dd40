/* The phase: text -> Ast.
 *
 * In: a source of the context. Out: its tree (tree/ast.h); errors are diagnostics. */
#ifndef SYNTAX_PARSE_PARSE_H
#define SYNTAX_PARSE_PARSE_H

#include "syntax/tree/ast.h"

/* Parses source number `source`. Errors go to ctx, as many as recovery finds; the tree then has the
 * parts that were understood. The file is never NULL. Free with ast_free. */
AstFile *syntax_parse(Context *ctx, uint32_t source);
/* Parses a single expression (for --set and similar ones); NULL after an error. Lives in `arena`.
 */
AstExpr *syntax_parse_expr(Context *ctx, uint32_t source, Arena *arena);

#endif
