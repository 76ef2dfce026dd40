/* The texts that the editor has open, as it changes them. */
#ifndef LANGUAGE_DOCUMENTS_H
#define LANGUAGE_DOCUMENTS_H

#include "json.h"

typedef struct Document {
    char *uri, *path; /* path: of the file, or the URI if it is not one */
    Text text;        /* without a byte order mark */
    bool marked;      /* the editor's text begins with one */
    long long version;
    double check_due; /* by the clock; 0: it is checked */
    cJSON *problems;  /* of the last check: diagnostics with their fixes */
    cJSON *elsewhere; /* URI: problems that the check has found in another file */
    struct Document *next;
} Document;

typedef struct Documents {
    Document *first;
} Documents;

Document *document_find(const Documents *d, const char *uri);
/* Replaces an open one of the same address. */
Document *document_open(Documents *d, const char *uri, const char *text, long long version);
void document_close(Documents *d, Document *doc);
/* Applies contentChanges. False if they are wrong; the text is then as before. */
bool document_change(Document *doc, const cJSON *changes);
void documents_free(Documents *d);

/* The byte of a position, lines and characters from 0 in UTF-16; limited to the line. */
size_t document_offset(const char *text, size_t size, double line, double character);
/* Units of UTF-16 in the first `n` characters of a line that begins at `line`. */
unsigned utf16_units(const char *line, unsigned n);
unsigned utf16_length(const char *text, size_t n); /* of n bytes */

#endif
