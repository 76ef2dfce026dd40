/* The language service: what an editor asks about a text. The studio, the language server and the
 * server for agents share it, through src/api.
 *
 * In: a library, the text that is being edited, a position. Out: JSON. Nothing changes except that
 * the text is loaded, and that lookups load classes.
 *
 * service_complete and service_symbol answer in the form of kairos.h, with lines and columns from 1
 * in characters. service_ask answers in the form of the Language Server Protocol 3.17, with lines
 * and characters from 0, in units of UTF-16. */
#ifndef SERVICE_SERVICE_H
#define SERVICE_SERVICE_H

#include "base/text.h"
#include "instance/library/library.h"

/* Possible names at a place of a text, and the meaning of the name there. */
void service_complete(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                      uint32_t column, Text *t);
void service_symbol(Library *lib, const char *name, const char *text, size_t size, uint32_t line,
                    uint32_t column, Text *t);

typedef struct Question {
    const char *about; /* a row of the table in service.c */
    const char *path, *text;
    size_t size;
    uint32_t line, character, end_line, end_character;
    const char *name;         /* of rename: the new one */
    const char *const *files; /* of the workspace: where names are searched for and changed */
    uint32_t n_files;
} Question;

/* Appends the answer, "null" if there is none. A refused question has the answer {"error": …}.
 * False if there is no such question. */
bool service_ask(Library *lib, const Question *q, Text *t);

#endif
