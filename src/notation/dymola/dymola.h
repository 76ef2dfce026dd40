/* Dymola of 1993: a source in that notation, read into the syntax tree. */
#ifndef NOTATION_DYMOLA_H
#define NOTATION_DYMOLA_H

#include "syntax/tree/ast.h"

/* As notation_parse. */
AstFile *dymola_parse(Context *ctx, uint32_t source);

#endif
