/* Texts of values as String(…) of the language gives them (section 3.7.1.1), for the evaluator and
 * the runtime.
 *
 * If a value must be a number, a String is the number of its text: 52 bits of a hash. Equal texts
 * have equal numbers in every program and every run. The empty text has the number 0. Owners of
 * tables by number must check that no two texts share a number. */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FORMAT_LONGEST = 1 << 16,
    FORMAT_ROOM = 16384
}; /* a buffer needs the minimal length and this room */

typedef enum FormatKind { FORMAT_REAL, FORMAT_INT, FORMAT_BOOL } FormatKind;

typedef struct FormatLayout {
    double digits, length; /* significantDigits, minimumLength */
    bool left;             /* leftJustified */
} FormatLayout;

bool format_layout_ok(const FormatLayout *l);
void format_value(char *buf, size_t size, FormatKind kind, double v, const FormatLayout *l);
void format_text(char *buf, size_t size, const char *text, const FormatLayout *l);
/* Formats with a C format without its %. False if it is not a valid format. */
bool format_by(char *buf, size_t size, const char *format, double v);

double text_number(const char *text);

#endif
