/* The formatter: Modelica text in one style.
 *
 * In: a text without syntax errors. Out: the same tokens and comments with other white space, so
 * the tree is the same. A second pass changes nothing.
 *
 * The style follows the Standard Library: two spaces of indentation, one element, equation or
 * statement a line, "a + b*c", "x(start=1)", at most one empty line. Line breaks inside statements
 * are those of the author. An annotation keeps its text unless FORMAT_ANNOTATIONS is given. Line
 * ends (LF or CR LF, as the first one) and the byte order mark are kept. */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "base/context.h"
#include "base/text.h"

enum { FORMAT_ANNOTATIONS = 1 };

/* Appends the formatted text to `out`. False after an error in the text, which is reported. */
bool format_modelica(Context *ctx, const char *path, const char *text, size_t size, unsigned flags,
                     Text *out);

#endif
