/* The older notations from which Modelica developed, read into the same syntax tree.
 *
 * In: a source whose name ends in .dym (Dymola, 1993) or .om (Omola); anything else is Modelica.
 * Out: an AstFile as syntax_parse gives it, with spans in the file's own text. So every later phase
 * reports in the user's words. `kairos translate` writes its ast_print, which is Modelica.
 *
 *   reader  words, expressions and pieces of trees that the notations share
 *   dymola  Dymola
 *   omola   Omola */
#ifndef NOTATION_NOTATION_H
#define NOTATION_NOTATION_H

#include "syntax/tree/ast.h"

/* Parses the source in the notation of its file name. Errors go to ctx. Never NULL; free with
 * ast_free. */
AstFile *notation_parse(Context *ctx, uint32_t source);

#endif
