/* The beginning of every generated text: the structures of runtime/model.h, and the functions that
 * the code calls. */
#ifndef CODEGEN_PRELUDE_H
#define CODEGEN_PRELUDE_H

extern const char *const codegen_prelude[]; /* lines; ends with NULL */

#endif
