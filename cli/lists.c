#include "lists.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char **list_names(const TextList *list, unsigned *n)
{
    size_t room = 1;
    for (unsigned i = 0; i < list->n; i++)
        room += strlen(list->at[i]) + 1;
    char **names = calloc(room, sizeof *names);
    *n = 0;
    for (unsigned i = 0; i < list->n; i++) {
        int depth = 0;
        const char *begin = list->at[i];
        for (const char *c = begin;; c++) {
            depth += (*c == '[') - (*c == ']');
            if (*c && (*c != ',' || depth > 0))
                continue;
            const char *end = c;
            while (begin < end && *begin == ' ')
                begin++;
            while (begin < end && end[-1] == ' ')
                end--;
            if (end > begin)
                names[(*n)++] = strndup(begin, (size_t)(end - begin));
            if (!*c)
                break;
            begin = c + 1;
        }
    }
    return names;
}

void free_listed(char **names, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        free(names[i]);
    free(names);
}

/* A number up to `end`; `none` for an empty text. */
static bool read_end(const char *from, const char *end, double none, double *x)
{
    char *stop;
    *x = none;
    if (from == end && !isnan(none))
        return true;
    *x = strtod(from, &stop);
    return stop == end && !isnan(*x);
}

static bool bad(const char *option, const char *form, const char *text)
{
    fprintf(stderr, "kairos: %s needs %s, not '%s'\n", option, form, text);
    return false;
}

KairosRange *list_ranges(const char *option, const TextList *list, unsigned *n)
{
    char **parts = list_names(list, n);
    KairosRange *ranges = calloc(*n + 1, sizeof *ranges);
    bool ok = true;
    for (unsigned i = 0; i < *n; i++) {
        const char *equals = strchr(parts[i], '='), *colon = equals ? strchr(equals, ':') : NULL;
        if (!colon || equals == parts[i] ||
            !read_end(equals + 1, colon, -INFINITY, &ranges[i].low) ||
            !read_end(colon + 1, colon + strlen(colon), INFINITY, &ranges[i].high)) {
            ok = bad(option, "NAME=LOW:HIGH", parts[i]);
            continue;
        }
        ranges[i].name = strndup(parts[i], (size_t)(equals - parts[i]));
    }
    if (!ok)
        free_ranges(ranges, *n);
    free_listed(parts, *n);
    return ok ? ranges : NULL;
}

void free_ranges(KairosRange *ranges, unsigned n)
{
    for (unsigned i = 0; ranges && i < n; i++)
        free((char *)(uintptr_t)ranges[i].name);
    free(ranges);
}

KairosNumber *list_numbers(const char *option, const TextList *list, unsigned *n)
{
    char **parts = list_names(list, n);
    KairosNumber *numbers = calloc(*n + 1, sizeof *numbers);
    bool ok = true;
    for (unsigned i = 0; i < *n; i++) {
        const char *equals = strchr(parts[i], '=');
        if (!equals || equals == parts[i] ||
            !read_end(equals + 1, equals + strlen(equals), NAN, &numbers[i].value)) {
            ok = bad(option, "NAME=NUMBER", parts[i]);
            continue;
        }
        numbers[i].name = strndup(parts[i], (size_t)(equals - parts[i]));
    }
    if (!ok)
        free_numbers(numbers, *n);
    free_listed(parts, *n);
    return ok ? numbers : NULL;
}

void free_numbers(KairosNumber *numbers, unsigned n)
{
    for (unsigned i = 0; numbers && i < n; i++)
        free((char *)(uintptr_t)numbers[i].name);
    free(numbers);
}
