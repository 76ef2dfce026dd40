/* Omola: a source in that notation, read into the syntax tree. */
#ifndef NOTATION_OMOLA_H
#define NOTATION_OMOLA_H

#include "syntax/tree/ast.h"

/* As notation_parse. */
AstFile *omola_parse(Context *ctx, uint32_t source);

#endif
