/* Manual pages from the tables: `kairos manual` prints kairos(1), `kairos manual COMMAND` the page
 * of a command. The language is man(7). */
#include "help.h"
#include "session.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- text ---- */

/* Escapes text within a line. */
static void put_escaped(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\\')
            fputs("\\e", stdout);
        else if (text[i] == '-')
            fputs("\\-", stdout);
        else if (text[i] == '\'')
            fputs("\\(aq", stdout);
        else
            putchar(text[i]);
    }
}

/* An option in running text is bold: the length of "--name" at `text`, otherwise 0. */
static size_t option_length(const char *text)
{
    size_t n = strncmp(text, "--", 2) ? 0 : 2;
    while (n && (isalnum((unsigned char)text[n]) || text[n] == '-'))
        n++;
    return n > 2 ? n : 0;
}

/* A paragraph of text, or several that empty lines separate; a sentence begins a line. */
static void put_text(const char *text)
{
    fputs("\\&", stdout); /* prevents the text from starting a macro */
    for (bool begins = true; *text; text++) {
        size_t n = begins ? option_length(text) : 0;
        if (n) {
            fputs("\\fB", stdout);
            put_escaped(text, n);
            fputs("\\fR", stdout);
            text += n - 1;
        } else if (!strncmp(text, "\n\n", 2)) {
            fputs("\n.PP\n\\&", stdout);
            text++;
        } else if (!strncmp(text, ". ", 2)) {
            fputs(".\n\\&", stdout);
            text++;
        } else {
            put_escaped(text, 1);
        }
        begins = !n && !isalnum((unsigned char)*text) && *text != '-';
    }
    putchar('\n');
}

static void put_paragraph(const char *text)
{
    if (!text)
        return;
    puts(".PP");
    put_text(text);
}

/* A literal word in bold. */
static void put_bold(const char *word)
{
    fputs("\\fB", stdout);
    put_escaped(word, strlen(word));
    fputs("\\fR", stdout);
}

static void put_italic(const char *word)
{
    fputs("\\fI", stdout);
    put_escaped(word, strlen(word));
    fputs("\\fR", stdout);
}

static void put_entries(const Entry *entries)
{
    for (const Entry *e = entries; e && e->word; e++) {
        puts(".TP");
        put_bold(e->word);
        putchar('\n');
        put_text(e->text);
    }
}

/* ---- sections ---- */

static void put_title(const char *name, const char *summary)
{
    fputs(".TH ", stdout);
    for (const char *c = name; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf(" 1 \"\" \"Kairos %s\" \"User Commands\"\n.SH NAME\n", kairos_version());
    put_escaped(name, strlen(name));
    fputs(" \\- ", stdout);
    put_escaped(summary, strlen(summary));
    putchar('\n');
}

static void put_option(const Option *o)
{
    puts(".TP");
    if (o->letter) {
        put_bold(o->letter);
        fputs(", ", stdout);
    }
    put_bold(o->name);
    if (o->value) {
        putchar(' ');
        put_italic(o->value);
    }
    putchar('\n');
    char text[2000], first = (char)toupper((unsigned char)*o->help);
    snprintf(text, sizeof text, "%c%s%s%s%s%s", first, o->help + 1,
             is_repeated(o) ? "; may be repeated" : "", o->choices ? ":" : ".",
             o->manual && !o->choices ? " " : "", o->manual && !o->choices ? o->manual : "");
    put_text(text);
    if (!o->choices)
        return;
    puts(".RS");
    put_entries(o->choices);
    puts(".RE");
    if (o->manual) {
        puts(".IP");
        put_text(o->manual);
    }
}

static void put_examples(const Entry *examples)
{
    if (!examples)
        return;
    puts(".SH EXAMPLES");
    for (const Entry *e = examples; e->word; e++) {
        if (e > examples)
            puts(".PP");
        put_text(e->text);
        puts(".PP\n.nf\n.RS");
        put_escaped(e->word, strlen(e->word));
        puts("\n.RE\n.fi");
    }
}

static void put_statuses(void)
{
    puts(".SH EXIT STATUS");
    put_entries(exit_statuses);
}

static void put_command(const Command *c)
{
    char name[80];
    snprintf(name, sizeof name, "kairos-%s", c->name);
    put_title(name, c->summary);
    puts(".SH SYNOPSIS");
    fputs("\\fBkairos ", stdout);
    put_escaped(c->name, strlen(c->name));
    fputs("\\fR ", stdout);
    put_text(c->arguments);
    puts(".SH DESCRIPTION");
    put_text(c->text);
    put_paragraph(c->manual);
    puts(".SH OPTIONS");
    FOR_OPTIONS(o, c)
    put_option(o);
    put_statuses();
    put_examples(c->examples);
    puts(".SH SEE ALSO\n.BR kairos (1)");
}

/* ---- the program ---- */

static const Entry variables[] = {
    {"MODELICAPATH", "Folders with Modelica packages, separated by colons."},
    {"KAIROS_DATA, XDG_DATA_HOME",
     "The folder of the user's libraries: $KAIROS_DATA, else $XDG_DATA_HOME/kairos, else "
     "~/.local/share/kairos."},
    {"TMPDIR", "The folder for temporary files; default /tmp."},
    {"NO_COLOR", "If it is set, messages have no colours."},
    {0},
};

static const Entry files[] = {
    {".mo", "Modelica text. A folder with a file package.mo is a package."},
    {".dym, .om, .ocl", "Models of Dymola (1993) and Omola, and scripts of Omsim."},
    {".csv, .mat", "Results of simulations."},
    {"NAME-metadata.json", "Units and descriptions of the variables in NAME.csv."},
    {"~/.local/share/kairos", "Libraries that 'kairos lib add' unpacks, and the list of all."},
    {0},
};

static const Entry examples[] = {
    {"kairos simulate Hybrid.Examples.Circuits.DiodeInductor --plot diode.svg",
     "Simulate a model of the library Hybrid, which comes with Kairos, and draw it."},
    {"kairos studio", "Edit and simulate models in the browser."},
    {0},
};

static void put_program(void)
{
    put_title("kairos", "compile and simulate hybrid systems written in Modelica");
    puts(".SH SYNOPSIS\n\\fBkairos\\fR \\fICOMMAND\\fR [\\fIARGUMENT\\fR...] "
         "[\\fIOPTION\\fR...]\n.SH DESCRIPTION");
    put_text(
        "Kairos turns a Modelica model into a sorted, index-reduced, torn system of equations, "
        "generates C, compiles it in memory, and simulates it with exact events. It prints "
        "messages on standard error and requested data on standard output.");
    puts(".SH COMMANDS\nEach command has a manual page of its own, such as "
         "\\fBkairos\\-simulate\\fR(1)."
         "\n\\fBkairos\\fR \\fICOMMAND\\fR \\fB\\-\\-help\\fR prints a summary.");
    for (const Command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            put_entries((const Entry[]){{(*c)->name, (*c)->summary}, {0}});
    puts(".SH OPTIONS");
    put_entries((const Entry[]){
        {"--help, -h", "Print the list of commands."}, {"--version", "Print the version."}, {0}});
    puts(".PP\nEvery command takes these options:");
    for (const Option *o = common_options; o->name; o++)
        put_option(o);
    put_statuses();
    puts(".SH ENVIRONMENT");
    put_entries(variables);
    puts(".SH FILES");
    put_entries(files);
    put_examples(examples);
    puts(".SH SEE ALSO");
    const char *separator = "";
    for (const Command *const *c = commands; *c; c++) {
        if ((*c)->hidden)
            continue;
        printf("%s.BR kairos\\-%s (1)", separator, (*c)->name);
        separator = " ,\n";
    }
    putchar('\n');
}

static int manual(Options *o)
{
    if (o->arguments.n > 1)
        return usage("manual takes at most one command");
    const Command *c = o->arguments.n ? find_command(o->arguments.at[0]) : NULL;
    if (o->arguments.n && (!c || c->hidden)) {
        fprintf(stderr, "kairos: there is no command '%s'; 'kairos --help' lists them\n",
                o->arguments.at[0]);
        return KAIROS_USE_ERROR;
    }
    if (c)
        put_command(c);
    else
        put_program();
    return put_output(o, "");
}

const Command command_manual = {
    .name = "manual",
    .arguments = "[COMMAND]",
    .summary = "print a manual page",
    .text = "Prints the manual page of a command, or of the program, in the format of man(7).",
    .run = manual,
    .size = sizeof(Options),
    .options = {common_options},
    .examples =
        ENTRIES({"kairos manual simulate | man -l -", "Read a page without installing it."}),
};
