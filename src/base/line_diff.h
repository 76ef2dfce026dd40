/* The difference between two texts, by lines. */
#ifndef BASE_LINE_DIFF_H
#define BASE_LINE_DIFF_H

#include "base/text.h"

/* Lines [old_at, old_at + old_n) of the old text become lines [new_at, new_at + new_n) of the new
 * one. Lines count from 0. */
typedef struct LineHunk {
    uint32_t old_at, old_n, new_at, new_n;
} LineHunk;

typedef VEC(LineHunk) LineHunks;

/* The start of each line of a text, then its size; the last line may be empty. */
typedef VEC(uint32_t) LineStarts;
LineStarts line_starts(const char *text, size_t size);

/* Hunks in the order of the text, separated by equal lines: few, though not always the fewest. */
LineHunks line_diff(const char *old, size_t old_size, const char *text, size_t size);
/* Appends the difference in the unified format; nothing if the texts are equal. */
void line_diff_print(const char *path, const char *old, size_t old_size, const char *text,
                     size_t size, Text *out);

#endif
