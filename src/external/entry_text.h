/* The C text of an entry. For src/external alone. */
#ifndef EXTERNAL_ENTRY_TEXT_H
#define EXTERNAL_ENTRY_TEXT_H

#include "expr/function.h"

/* Defines kairos_call, an ExternalEntry for f. `prototype`: declares the called function as well,
 * for code that comes without a header. */
const char *external_entry_text(Arena *arena, const Graph *g, const Function *f, bool prototype);

#endif
