/* Growing text. A zeroed Text is empty. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory.h"

#include <stdio.h>

typedef struct Text {
    char *at; /* NUL-terminated once something was put */
    size_t n, cap;
} Text;

void text_put(Text *t, const char *s);
void text_put_n(Text *t, const char *s, size_t n);
void text_put_char(Text *t, char c);
void text_printf(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_put_json(Text *t, const char *s); /* as a JSON string with quotes */
/* As text of an element or attribute of XML or HTML. Characters that are invalid there become
 * U+FFFD. */
void text_put_xml(Text *t, const char *s);
/* A Real in the shortest form that reads back exactly; NaN and infinities as nan, inf, -inf. */
void text_put_real(Text *t, double x);
enum { REAL_TEXT = 32 };
size_t real_print(char buf[REAL_TEXT], double x); /* the same into buf; returns the length */
/* Bytes of the well-formed UTF-8 character at s; 0 if there is none. */
unsigned text_character(const char *s);
/* Whether s ends with `end` and is longer. */
bool text_ends_with(const char *s, const char *end);
/* The length of the first `most` bytes of s, which is longer, without a divided character. */
size_t text_cut(const char *s, size_t most);
/* Append the rest of a file, which may be a pipe, and a file by its path. False with errno if it
 * cannot be read, or is longer than `most` bytes (EFBIG). An empty file gives an empty text. */
bool text_read(Text *t, FILE *f, size_t most);
bool text_read_file(Text *t, const char *path, size_t most);
char *text_keep(Text *t, Arena *arena); /* moves it to an arena; t is empty afterwards */
void text_free(Text *t);

#endif
