#include "help.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, NAMES = 25 }; /* columns of a line, and before the text about an option */

const Entry exit_statuses[] = {
    {"0", "success"},
    {"1", "the model has an error"},
    {"2", "the call has an error: a file, an option, a name"},
    {"3", "the simulation failed numerically; results up to then are saved"},
    {"130", "interrupted; results up to then are saved"},
    {0},
};

bool is_repeated(const Option *o)
{
    return o->kind == OPT_TEXTS || o->kind == OPT_SETTINGS || o->kind == OPT_INPUTS;
}

static int columns(const char *text, size_t n)
{
    int count = 0;
    for (size_t i = 0; i < n; i++)
        count += (text[i] & 0xc0) != 0x80; /* bytes that continue a character of UTF-8 */
    return count;
}

/* Prints text that begins in column `at`, in lines that begin in column `indent`. */
static void put_wrapped(const char *text, int at, int indent)
{
    while (*text) {
        size_t n = strcspn(text, " \n");
        if (at > indent && at + 1 + columns(text, n) > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
        }
        at += printf("%s%.*s", at > indent ? " " : "", (int)n, text) ? columns(text, n) + 1 : 0;
        text += n;
        for (; *text == ' ' || *text == '\n'; text++)
            if (*text == '\n')
                printf("\n%*s", at = indent, "");
    }
    putchar('\n');
}

static void put_entry(int indent, int width, const char *word, const char *text)
{
    int n = printf("%*s%s", indent, "", word);
    if (n < width - 1)
        printf("%*s", width - n, "");
    else
        printf("\n%*s", width, "");
    put_wrapped(text, width, width);
}

static void put_choices(const Entry *choices)
{
    int longest = 0;
    for (const Entry *e = choices; e->word; e++)
        longest = (int)strlen(e->word) > longest ? (int)strlen(e->word) : longest;
    for (const Entry *e = choices; e->word; e++)
        put_entry(NAMES + 2, NAMES + longest + 4, e->word, e->text);
}

static void put_option(const Option *o)
{
    char name[80], text[400];
    snprintf(name, sizeof name, "%s%s%s%s%s", o->letter ? o->letter : "", o->letter ? ", " : "",
             o->name, o->value ? " " : "", o->value ? o->value : "");
    snprintf(text, sizeof text, "%s%s%s", o->help, is_repeated(o) ? "; may be repeated" : "",
             o->choices ? ":" : "");
    put_entry(2, NAMES, name, text);
    if (o->choices)
        put_choices(o->choices);
}

void help_all(void)
{
    printf("kairos: compiles and simulates hybrid systems written in Modelica\n\n"
           "usage: kairos COMMAND [ARGUMENT...] [OPTION...]\n\n");
    for (const Command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            put_entry(2, 17, (*c)->name, (*c)->summary);
    printf("\n'kairos COMMAND --help' lists the options of a command; 'kairos --help --json'\n"
           "describes all of them for programs.\n"
           "A small model to try: kairos simulate Hybrid.Examples.Circuits.DiodeInductor\n\n"
           "exit status:\n");
    for (const Entry *e = exit_statuses; e->word; e++)
        put_entry(2, 17, e->word, e->text);
}

void help_command(const Command *c)
{
    printf("usage: kairos %s%s%s\n\n", c->name, *c->arguments ? " " : "", c->arguments);
    put_wrapped(c->text, 0, 0);
    printf("\noptions:\n");
    FOR_OPTIONS(o, c)
    put_option(o);
}
