/* `kairos --help --json`: the whole command line for programs. */
#include "help.h"

#include "base/text.h"

#include <stdio.h>

static void put_field(Text *t, const char *name, const char *value)
{
    if (!value)
        return;
    text_printf(t, "%s\"%s\":", t->at[t->n - 1] == '{' ? "" : ",", name);
    text_put_json(t, value);
}

static void put_entries(Text *t, const char *name, const char *word, const Entry *entries)
{
    if (!entries)
        return;
    text_printf(t, ",\"%s\":[", name);
    for (const Entry *e = entries; e->word; e++) {
        text_put(t, e == entries ? "{" : ",{");
        put_field(t, word, e->word);
        put_field(t, "text", e->text);
        text_put(t, "}");
    }
    text_put(t, "]");
}

static const char *kind_name(OptionKind kind)
{
    switch (kind) {
    case OPT_REAL:
    case OPT_TIME: return "number";
    case OPT_COUNT:
    case OPT_PORT: return "integer";
    case OPT_FLAG: return "flag";
    default: return "text";
    }
}

static void put_option(Text *t, const Option *o)
{
    text_put(t, t->at[t->n - 1] == '[' ? "{" : ",{");
    put_field(t, "name", o->name);
    put_field(t, "letter", o->letter);
    put_field(t, "value", o->value);
    put_field(t, "type", kind_name(o->kind));
    text_printf(t, ",\"repeated\":%s", is_repeated(o) ? "true" : "false");
    put_field(t, "help", o->help);
    put_field(t, "manual", o->manual);
    put_entries(t, "choices", "word", o->choices);
    text_put(t, "}");
}

static void put_command(Text *t, const Command *c)
{
    text_put(t, t->at[t->n - 1] == '[' ? "{" : ",\n{");
    put_field(t, "name", c->name);
    put_field(t, "arguments", c->arguments);
    put_field(t, "summary", c->summary);
    put_field(t, "text", c->text);
    put_field(t, "manual", c->manual);
    text_put(t, ",\"options\":[");
    FOR_OPTIONS(o, c)
    put_option(t, o);
    text_put(t, "]");
    put_entries(t, "words", "word", c->words);
    put_entries(t, "examples", "command", c->examples);
    text_put(t, "}");
}

void help_json(void)
{
    Text t = {0};
    text_put(&t, "{");
    put_field(&t, "name", "kairos");
    put_field(&t, "version", kairos_version());
    text_put(&t, ",\"commands\":[");
    for (const Command *const *c = commands; *c; c++)
        if (!(*c)->hidden)
            put_command(&t, *c);
    text_put(&t, "]");
    put_entries(&t, "exit_statuses", "status", exit_statuses);
    text_put(&t, "}\n");
    fputs(t.at, stdout);
    text_free(&t);
}
