/* The parser of the command line, and the options that several commands share. */
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const Option common_options[] = {
    {"--diagnostics", "FORMAT", "format of messages", OPT_FORMAT, TO(Options, json),
     .choices = ENTRIES({"text", "lines for people (the default)"},
                        {"json", "an array of objects for programs"})},
    {"--quiet", NULL, "do not print status lines", OPT_FLAG, TO(Options, quiet)},
    {"--help", NULL, "print a summary of the command", OPT_FLAG, TO(Options, help), .letter = "-h"},
    {0},
};

const Option library_options[] = {
    {"--library", "PATH", "folder with Modelica packages, searched before those of MODELICAPATH",
     OPT_TEXTS, TO(Options, libraries), .files = "/",
     .manual = "The libraries of 'kairos lib' come last."},
    {0},
};

const Option model_options[] = {
    {"--model", "NAME", "the model to use; default: the last model in the file", OPT_TEXT,
     TO(Options, model)},
    {"--set", "NAME=VALUE", "value of a parameter or a start value (m.J=2, x.start=1)",
     OPT_SETTINGS, TO(Options, settings),
     .manual = "Kairos compiles the model again only if the value changes its structure (an array "
               "size, a condition) or is a String. The quotes of a String may be omitted."},
    {"--compatible", NULL, "accept text that other tools accept, with a warning", OPT_FLAG,
     TO(Options, compatible),
     .manual = "This concerns redeclarations of elements that another redeclaration has replaced "
               "without the word 'replaceable'. The warning says what to write instead."},
    {"--no-events", "PATTERN",
     "no events from relations in equations for Reals of these components (with * and ?)",
     OPT_TEXTS, TO(Options, no_events),
     .manual = "The pattern also covers the parts of a component. Its relations are evaluated "
               "literally, as if their equations were under noEvent. Conditions of Booleans and "
               "of when keep their events. The run lists these equations."},
    {0},
};

const Option output_options[] = {
    {"--output", "FILE", "file to write; default: standard output", OPT_TEXT, TO(Options, output),
     .letter = "-o", .files = ""},
    {0},
};

/* ---- values ---- */

static bool fail(const char *format, const char *a, const char *b)
{
    fprintf(stderr, "kairos: ");
    fprintf(stderr, format, a, b);
    fprintf(stderr, "\n");
    return false;
}

static void add_text(TextList *list, const char *s)
{
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] = s;
}

static bool add_setting(const Option *o, SettingList *list, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return fail("%s needs NAME=VALUE, not '%s'", o->name, text);
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] =
        (KairosSetting){strndup(text, (size_t)(equals - text)), strdup(equals + 1)};
    return true;
}

/* NAME=EXPRESSION; if the part before = is not a name, the text is a file. */
static void add_input(InputList *list, const char *text)
{
    size_t n = strcspn(text, "=/\\ ");
    bool named = n > 0 && text[n] == '=';
    list->at = realloc(list->at, (list->n + 1) * sizeof *list->at);
    list->at[list->n++] =
        (KairosInput){named ? strndup(text, n) : NULL, strdup(text + (named ? n + 1 : 0))};
}

static bool parse_real(const Option *o, const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    if (end == text || *end || !isfinite(*x))
        return fail("%s needs a number, not '%s'", o->name, text);
    return o->kind == OPT_TIME || *x > 0 ||
           fail("%s needs a positive number, not '%s'", o->name, text);
}

static bool parse_count(const Option *o, const char *text, unsigned *n)
{
    char *end;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (end == text || *end || x < 1 || x > 100000000 || errno)
        return fail("%s needs a whole number from 1 to 100000000, not '%s'", o->name, text);
    *n = (unsigned)x;
    return true;
}

static bool parse_port(const Option *o, const char *text, unsigned *n)
{
    char *end;
    long x = strtol(text, &end, 10);
    if (end == text || *end || x < 0 || x > 65535)
        return fail("%s needs a number from 0 to 65535, not '%s'", o->name, text);
    *n = (unsigned)x;
    return true;
}

static bool parse_format(const char *text, bool *json)
{
    *json = !strcmp(text, "json");
    return *json || !strcmp(text, "text") ||
           fail("--diagnostics needs text or json, not '%s'%s", text, "");
}

static bool take(Options *all, const Option *o, const char *value)
{
    char *field = (char *)all + o->field;
    if (o->given)
        *((bool *)((char *)all + o->given)) = true;
    switch (o->kind) {
    case OPT_TEXT: *(const char **)field = value; return true;
    case OPT_REAL:
    case OPT_TIME: return parse_real(o, value, (double *)field);
    case OPT_COUNT: return parse_count(o, value, (unsigned *)field);
    case OPT_PORT: return parse_port(o, value, (unsigned *)field);
    case OPT_FLAG: *(bool *)field = true; return true;
    case OPT_TEXTS: add_text((TextList *)field, value); return true;
    case OPT_SETTINGS: return add_setting(o, (SettingList *)field, value);
    case OPT_INPUTS: add_input((InputList *)field, value); return true;
    case OPT_FORMAT: return parse_format(value, (bool *)field);
    }
    return false;
}

/* ---- the command line ---- */

static bool is_called(const char *name, const char *text, size_t n)
{
    return name && strlen(name) == n && !strncmp(name, text, n);
}

static const Option *find_option(const Command *c, const char *text, size_t n)
{
    FOR_OPTIONS(o, c)
    if (is_called(o->name, text, n) || is_called(o->letter, text, n))
        return o;
    return NULL;
}

static bool reject(const Command *c, const char *text, size_t n)
{
    bool known = false;
    for (const Command *const *other = commands; *other && !known; other++)
        known = find_option(*other, text, n);
    if (!known)
        return fail("there is no option '%s'; 'kairos %s --help' lists them", text, c->name);
    char *name = strndup(text, n);
    fail("option %s does not apply to 'kairos %s'", name, c->name);
    free(name);
    return false;
}

/* "--name value" or "--name=value". */
static bool parse_option(Options *all, int argc, char **argv, int *i)
{
    const char *text = argv[*i], *equals = strncmp(text, "--", 2) ? NULL : strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : strlen(text);
    const Option *o = find_option(all->command, text, n);
    if (!o)
        return reject(all->command, text, n);
    if (!o->value)
        return equals ? fail("option %s takes no value%s", o->name, "") : take(all, o, NULL);
    if (!equals && *i + 1 >= argc)
        return fail("option %s needs a value (%s)", text, o->value);
    return take(all, o, equals ? equals + 1 : argv[++*i]);
}

Options *options_parse(int argc, char **argv)
{
    const Command *c = find_command(argv[1]);
    if (!c) {
        fail("there is no command '%s'; 'kairos --help' lists them%s", argv[1], "");
        return NULL;
    }
    Options *o = calloc(1, c->size);
    o->command = c;
    o->colour = isatty(STDERR_FILENO) && !getenv("NO_COLOR");
    bool ok = true;
    for (int i = 2; i < argc && ok; i++) {
        bool is_option = argv[i][0] == '-' && argv[i][1];
        if (is_option)
            ok = parse_option(o, argc, argv, &i);
        else
            add_text(&o->arguments, argv[i]);
    }
    if (ok)
        return o;
    options_free(o);
    return NULL;
}

static void free_settings(SettingList *list)
{
    for (unsigned i = 0; i < list->n; i++) {
        free((char *)(uintptr_t)list->at[i].name);
        free((char *)(uintptr_t)list->at[i].value);
    }
    free(list->at);
}

static void free_inputs(InputList *list)
{
    for (unsigned i = 0; i < list->n; i++) {
        free((char *)(uintptr_t)list->at[i].name);
        free((char *)(uintptr_t)list->at[i].value);
    }
    free(list->at);
}

void options_free(Options *all)
{
    FOR_OPTIONS(o, all->command)
    {
        char *field = (char *)all + o->field;
        if (o->kind == OPT_SETTINGS)
            free_settings((SettingList *)field);
        if (o->kind == OPT_INPUTS)
            free_inputs((InputList *)field);
        if (o->kind == OPT_TEXTS)
            free(((TextList *)field)->at);
    }
    free(all->arguments.at);
    free(all);
}
