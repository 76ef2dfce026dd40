/* Tables of the tree. */
#include "syntax/ast.h"

const char *ast_op_text(AstOp op)
{
    static const char *const texts[] = {
#define X(id, text) text,
        AST_OPERATORS(X)
#undef X
    };
    return texts[op];
}
