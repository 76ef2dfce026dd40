/* XML text, written by libxml2. The library is opened when needed (decision 53). */
#ifndef FMU_XML_H
#define FMU_XML_H

#include "base/context.h"

typedef struct Xml Xml;

/* NULL after a message if libxml2 is missing. */
Xml *xml_open(Context *ctx);
void xml_begin(Xml *x, const char *element);
void xml_attribute(Xml *x, const char *name, const char *value); /* NULL: nothing */
void xml_real(Xml *x, const char *name, double value);
void xml_count(Xml *x, const char *name, uint64_t value);
void xml_flag(Xml *x, const char *name, bool value);
void xml_end(Xml *x);
/* The text in `arena`; frees the writer. NULL if it failed. */
const char *xml_close(Xml *x, size_t *n, Arena *arena);

#endif
