#include "fmu/xml.h"

#include "base/text.h"

#include <dlfcn.h>
#include <libxml/xmlwriter.h>
#include <math.h>

/* The functions of libxml2 that are called. */
#define FUNCTIONS(X)                                                                               \
    X(BufferCreate)                                                                                \
    X(BufferFree)                                                                                  \
    X(NewTextWriterMemory)                                                                         \
    X(FreeTextWriter)                                                                              \
    X(TextWriterSetIndent)                                                                         \
    X(TextWriterStartDocument)                                                                     \
    X(TextWriterEndDocument)                                                                       \
    X(TextWriterStartElement)                                                                      \
    X(TextWriterEndElement)                                                                        \
    X(TextWriterWriteAttribute)

struct Xml {
    void *library;
    xmlBufferPtr buffer;
    xmlTextWriterPtr writer;
    bool failed;
#define X(name) __typeof__(xml##name) *name;
    FUNCTIONS(X)
#undef X
};

/* The library stays open: it keeps data of its own until the process ends. */
static bool load_library(Xml *x)
{
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16", "libxml2.so"};
    for (size_t i = 0; !x->library && i < sizeof names / sizeof *names; i++)
        x->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool ok = x->library;
#define X(name) ok = ok && (*(void **)&x->name = dlsym(x->library, "xml" #name));
    FUNCTIONS(X)
#undef X
    return ok;
}

Xml *xml_open(Context *ctx)
{
    Xml *x = memory_alloc(sizeof *x);
    bool loaded = load_library(x);
    x->buffer = loaded ? x->BufferCreate() : NULL;
    x->writer = x->buffer ? x->NewTextWriterMemory(x->buffer, 0) : NULL;
    if (!x->writer || x->TextWriterStartDocument(x->writer, NULL, "UTF-8", NULL) < 0) {
        diag(ctx, (Span){0}, DIAG_U020,
             loaded ? "libxml2 has not enough memory"
                    : "libxml2 is not installed, or too old (package libxml2)");
        xml_close(x, &(size_t){0}, NULL);
        return NULL;
    }
    x->TextWriterSetIndent(x->writer, 1);
    return x;
}

void xml_begin(Xml *x, const char *element)
{
    x->failed |= x->TextWriterStartElement(x->writer, BAD_CAST element) < 0;
}

void xml_attribute(Xml *x, const char *name, const char *value)
{
    if (value)
        x->failed |= x->TextWriterWriteAttribute(x->writer, BAD_CAST name, BAD_CAST value) < 0;
}

void xml_real(Xml *x, const char *name, double value)
{
    char text[REAL_TEXT];
    size_t n = real_print(text, value);
    text[n] = 0;
    xml_attribute(x, name, text);
}

void xml_count(Xml *x, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    xml_attribute(x, name, text);
}

void xml_flag(Xml *x, const char *name, bool value)
{
    xml_attribute(x, name, value ? "true" : "false");
}

void xml_end(Xml *x)
{
    x->failed |= x->TextWriterEndElement(x->writer) < 0;
}

const char *xml_close(Xml *x, size_t *n, Arena *arena)
{
    const char *text = NULL;
    if (x->writer) {
        x->failed |= x->TextWriterEndDocument(x->writer) < 0;
        x->FreeTextWriter(x->writer);
    }
    if (x->writer && !x->failed && arena) {
        *n = (size_t)x->buffer->use;
        text = arena_copy(arena, (const char *)x->buffer->content, *n);
    }
    if (x->buffer)
        x->BufferFree(x->buffer);
    if (x->library)
        dlclose(x->library);
    memory_free(x);
    return text;
}
