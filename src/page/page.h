/* Pages of HTML that stand alone: style and script are inside, nothing is loaded from elsewhere
 * (which a policy in the page's head forbids), readable in light and dark. */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include "base/text.h"

void page_begin(Text *t, const char *title);
void page_end(Text *t);
/* JSON as it may stand in a script element. */
void page_put_json(Text *t, const char *json);

#endif
