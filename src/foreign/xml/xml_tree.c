#include "foreign/xml/xml_tree.h"

#include <dlfcn.h>
#include <libxml/xmlreader.h>
#include <stdio.h>

enum { MOST_DEPTH = 64, MOST_NODES = 20000000, MOST_BYTES = 1 << 30 };

/* The functions of libxml2 that are called. */
#define FUNCTIONS(X)                                                                               \
    X(ReaderForMemory)                                                                             \
    X(FreeTextReader)                                                                              \
    X(TextReaderRead)                                                                              \
    X(TextReaderNodeType)                                                                          \
    X(TextReaderDepth)                                                                             \
    X(TextReaderConstLocalName)                                                                    \
    X(TextReaderConstPrefix)                                                                       \
    X(TextReaderConstValue)                                                                        \
    X(TextReaderAttributeCount)                                                                    \
    X(TextReaderMoveToNextAttribute)                                                               \
    X(TextReaderMoveToElement)                                                                     \
    X(TextReaderCurrentNode)                                                                       \
    X(GetLineNo)                                                                                   \
    X(TextReaderGetParserLineNumber)                                                               \
    X(TextReaderSetStructuredErrorHandler)

/* The places of the thread's handlers, which get errors that belong to no document, such as those
 * of encodings. Without ours, libxml2 prints these errors. */
#define PLACES(X)                                                                                  \
    X(GenericError)                                                                                \
    X(GenericErrorContext)                                                                         \
    X(StructuredError)                                                                             \
    X(StructuredErrorContext)

typedef struct Handlers {
    xmlGenericErrorFunc generic;
    void *generic_user;
    xmlStructuredErrorFunc structured;
    void *structured_user;
} Handlers;

typedef struct Reader {
    XmlDocument *d;
    Arena *arena;
    xmlTextReaderPtr reader;
    XmlNode *open[MOST_DEPTH + 1]; /* the elements around the present one, the root first */
    XmlNode *last[MOST_DEPTH + 1]; /* the last child at each depth */
    uint32_t n_nodes;
    bool failed;
#define X(name) __typeof__(xml##name) *name;
    FUNCTIONS(X)
#undef X
#define X(name) __typeof__(__xml##name) *name;
    PLACES(X)
#undef X
} Reader;

static Span line_span(Context *ctx, uint32_t source, uint32_t line)
{
    size_t n = 0;
    const char *text = source ? source_line(ctx->sources, source, line, &n) : NULL;
    if (!n) /* there is no such line */
        return (Span){0};
    const char *begin = text;
    while (n && (*text == ' ' || *text == '\t'))
        text++, n--;
    uint32_t at = (uint32_t)(begin - sources_get(ctx->sources, source)->text);
    at += (uint32_t)(text - begin);
    return (Span){source, at, at + (uint32_t)n};
}

Span xml_span(const XmlDocument *d, const XmlNode *node)
{
    return node ? line_span(d->ctx, d->source, node->line) : (Span){0};
}

/* The line is 0 if it is unknown. */
static bool fail(Reader *r, uint32_t line, const char *why)
{
    if (!r->failed)
        diag(r->d->ctx, line_span(r->d->ctx, r->d->source, line ? line : 1), DIAG_U050, "%s", why);
    r->failed = true;
    return false;
}

/* The library stays open: it keeps data of its own until the process ends. */
static bool load_library(Reader *r)
{
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16", "libxml2.so"};
    void *library = NULL;
    for (size_t i = 0; !library && i < sizeof names / sizeof *names; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool ok = library;
#define X(name) ok = ok && (*(void **)&r->name = dlsym(library, "xml" #name));
    FUNCTIONS(X)
#undef X
#define X(name) ok = ok && (*(void **)&r->name = dlsym(library, "__xml" #name));
    PLACES(X)
#undef X
    if (library)
        dlclose(library);
    return ok || fail(r, 0, "libxml2 is not installed, or too old (package libxml2)");
}

/* ---- elements ---- */

static const char *keep(Reader *r, const xmlChar *text)
{
    return text ? arena_copy(r->arena, (const char *)text, strlen((const char *)text)) : "";
}

static void read_attributes(Reader *r, XmlNode *node)
{
    int n = r->TextReaderAttributeCount(r->reader);
    XmlAttribute *all = ARENA_ARRAY(r->arena, XmlAttribute, n > 0 ? n : 1);
    node->attributes = all;
    while (node->n_attributes < (uint32_t)(n > 0 ? n : 0) &&
           r->TextReaderMoveToNextAttribute(r->reader) == 1) {
        const char *name = keep(r, r->TextReaderConstLocalName(r->reader));
        bool qualified = r->TextReaderConstPrefix(r->reader) || !strcmp(name, "xmlns");
        all[node->n_attributes++] =
            (XmlAttribute){name, keep(r, r->TextReaderConstValue(r->reader)), qualified};
    }
    r->TextReaderMoveToElement(r->reader);
}

/* The parser may be far ahead of the present element. */
static uint32_t line_of(Reader *r)
{
    xmlNodePtr node = r->TextReaderCurrentNode(r->reader);
    long line = node ? r->GetLineNo(node) : r->TextReaderGetParserLineNumber(r->reader);
    return line > 0 ? (uint32_t)line : 0;
}

static bool add_element(Reader *r)
{
    int depth = r->TextReaderDepth(r->reader);
    if (depth < 0 || depth >= MOST_DEPTH)
        return fail(r, line_of(r), "the elements are nested too deeply");
    if (++r->n_nodes > MOST_NODES)
        return fail(r, line_of(r), "the text has too many elements");
    XmlNode *node = ARENA_NEW(r->arena, XmlNode);
    node->line = line_of(r);
    node->name = keep(r, r->TextReaderConstLocalName(r->reader));
    read_attributes(r, node);
    if (r->last[depth])
        r->last[depth]->next = node;
    else if (depth)
        r->open[depth - 1]->child = node;
    else
        r->d->root = node;
    r->open[depth] = r->last[depth] = node;
    r->last[depth + 1] = NULL;
    return true;
}

#if LIBXML_VERSION >= 21200
static void take_error(void *user, const xmlError *error)
#else
static void take_error(void *user, xmlErrorPtr error)
#endif
{
    Reader *r = user;
    char text[256];
    if (!error || error->level < XML_ERR_ERROR)
        return;
    snprintf(text, sizeof text, "%s", error->message ? error->message : "the text is not XML");
    text[strcspn(text, "\n")] = '\0';
    fail(r, error->line > 0 ? (uint32_t)error->line : 0, text);
}

static bool read_all(Reader *r)
{
    int more;
    while ((more = r->TextReaderRead(r->reader)) == 1 && !r->failed) {
        int type = r->TextReaderNodeType(r->reader);
        if (type == XML_READER_TYPE_DOCUMENT_TYPE)
            return fail(r, line_of(r), "a document type (<!DOCTYPE …>) is not allowed here");
        if (type == XML_READER_TYPE_ENTITY_REFERENCE)
            return fail(r, line_of(r), "entities are not allowed here");
        if (type == XML_READER_TYPE_ELEMENT && !add_element(r))
            return false;
    }
    return !r->failed && (more == 0 || fail(r, line_of(r), "the text is not XML")) &&
           (r->d->root || fail(r, 0, "the text has no elements"));
}

static void ignore_text(void *user, const char *format, ...)
{
    (void)user, (void)format;
}

/* Sets the handlers of the thread. Returns those before, which the rest of the program may use. */
static Handlers set_handlers(const Reader *r, Handlers h)
{
    Handlers before = {*r->GenericError(), *r->GenericErrorContext(), *r->StructuredError(),
                       *r->StructuredErrorContext()};
    *r->GenericError() = h.generic;
    *r->GenericErrorContext() = h.generic_user;
    *r->StructuredError() = h.structured;
    *r->StructuredErrorContext() = h.structured_user;
    return before;
}

bool xml_read(Context *ctx, const char *name, const char *text, size_t n, Arena *arena,
              XmlDocument *document)
{
    *document = (XmlDocument){.ctx = ctx};
    Reader r = {.d = document, .arena = arena};
    if (n > MOST_BYTES)
        return fail(&r, 0, "the text is larger than 1 GB");
    document->source = sources_add(ctx->sources, name, text, n);
    if (!load_library(&r))
        return false;
    Handlers before = set_handlers(&r, (Handlers){ignore_text, NULL, take_error, &r});
    r.reader = r.ReaderForMemory(text, (int)n, name, NULL,
                                 XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
    bool ok = r.reader || fail(&r, 0, "libxml2 has not enough memory");
    if (r.reader) {
        r.TextReaderSetStructuredErrorHandler(r.reader, take_error, &r);
        ok = read_all(&r);
        r.FreeTextReader(r.reader);
    }
    set_handlers(&r, before);
    return ok;
}

/* ---- access ---- */

const char *xml_get(const XmlNode *node, const char *attribute)
{
    for (uint32_t i = 0; node && i < node->n_attributes; i++)
        if (!strcmp(node->attributes[i].name, attribute))
            return node->attributes[i].value;
    return NULL;
}

static const XmlNode *find(const XmlNode *from, const char *name)
{
    while (from && strcmp(from->name, name) != 0)
        from = from->next;
    return from;
}

const XmlNode *xml_child(const XmlNode *node, const char *name)
{
    return node ? find(node->child, name) : NULL;
}

const XmlNode *xml_next(const XmlNode *node, const char *name)
{
    return node ? find(node->next, name) : NULL;
}
