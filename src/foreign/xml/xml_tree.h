/* XML text of others, read into a small tree.
 *
 * In: bytes that nobody has checked. Out: elements with their attributes and lines. libxml2 parses;
 * it is opened when needed (decision 53). It gets no network and no external files, a document type
 * is refused, so that there are no entities, and depth and size are limited. */
#ifndef FOREIGN_XML_TREE_H
#define FOREIGN_XML_TREE_H

#include "base/context.h"

typedef struct XmlAttribute {
    const char *name, *value;
    bool qualified; /* it declares a namespace, or belongs to one */
} XmlAttribute;

typedef struct XmlNode {
    const char *name; /* without its namespace */
    const XmlAttribute *attributes;
    uint32_t n_attributes;
    uint32_t line;
    struct XmlNode *child, *next; /* elements only */
} XmlNode;

/* The text of a document, for messages. */
typedef struct XmlDocument {
    Context *ctx;
    uint32_t source; /* among the sources of the context */
    const XmlNode *root;
} XmlDocument;

/* Reads the text, which messages call `name`; the tree is in the arena. False after a message. */
bool xml_read(Context *ctx, const char *name, const char *text, size_t n, Arena *arena,
              XmlDocument *document);
/* The place of an element: its line. */
Span xml_span(const XmlDocument *d, const XmlNode *node);

/* NULL if it does not exist. */
const char *xml_get(const XmlNode *node, const char *attribute);
const XmlNode *xml_child(const XmlNode *node, const char *name);
/* The next sibling of this name. */
const XmlNode *xml_next(const XmlNode *node, const char *name);

#endif
