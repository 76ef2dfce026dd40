/* Standalone HTML pages: style and script are inside, and nothing is loaded from elsewhere (a
 * policy in the head forbids it). Readable in light and dark. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/text.h"

void page_begin(Text *t, const char *title);
void page_end(Text *t);
/* JSON that is safe inside a script element. */
void page_put_json(Text *t, const char *json);

#endif
