#include "base/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

__asm__(".section .rodata\nexplanations:\n.incbin \"" EXPLANATIONS "\"\n.byte 0\n.previous\n");
extern const char explanations[] __attribute__((visibility("hidden")));

/* How much a code differs from a name: by its letter, then by characters, then by its number. */
static unsigned difference(const char *name, const char *code)
{
    enum { FAR = 5, NUMBERS = 1000 };
    char upper[8] = {0};
    for (unsigned i = 0; i < sizeof upper - 1 && name[i]; i++)
        upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
    double apart = fabs(strtod(name + !!*name, NULL) - strtod(code + 1, NULL));
    unsigned numbers = (unsigned)fmin(apart, NUMBERS - 1);
    unsigned letter = *upper == *code ? 0 : 2 * FAR;
    return (letter + name_distance(upper, code, FAR)) * NUMBERS + numbers;
}

bool explain_find(const char *name, DiagCode *code)
{
    *code = (DiagCode)0;
    for (unsigned i = 0; i < DIAG_COUNT; i++) {
        if (!strcasecmp(name, diag_code_name((DiagCode)i))) {
            *code = (DiagCode)i;
            return true;
        }
        if (difference(name, diag_code_name((DiagCode)i)) < difference(name, diag_code_name(*code)))
            *code = (DiagCode)i;
    }
    return false;
}

static const char *severity_name(DiagCode code)
{
    return diag_code_severity(code) == SEVERITY_ERROR ? "error" : "warning";
}

void explain_code(Text *t, DiagCode code)
{
    char head[16];
    snprintf(head, sizeof head, "[%s]\n", diag_code_name(code));
    text_printf(t, "%s (%s): %s\n", diag_code_name(code), severity_name(code),
                diag_code_title(code));
    const char *section = diag_code_section(code), *entry = strstr(explanations, head);
    if (section)
        text_printf(t, "Modelica 3.6, section %s\n", section);
    if (!entry)
        return;
    const char *text = entry + strlen(head), *end = strstr(text, "\n[");
    text_put(t, "\n");
    text_put_n(t, text, end ? (size_t)(end - text) : strlen(text));
}

void explain_list(Text *t)
{
    for (unsigned i = 0; i < DIAG_COUNT; i++)
        text_printf(t, "%s  %-7s  %s\n", diag_code_name((DiagCode)i), severity_name((DiagCode)i),
                    diag_code_title((DiagCode)i));
}
