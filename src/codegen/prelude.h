/* What every generated text begins with: the structures of runtime/model.h, and what the code
 * calls. */
#ifndef CODEGEN_PRELUDE_H
#define CODEGEN_PRELUDE_H

extern const char *const codegen_prelude[]; /* lines; ends with NULL */

#endif
