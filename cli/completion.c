/* Completion for shells, printed from the tables: commands, options, values that are an
 * enumeration, and files by their ending. */
#include "help.h"
#include "session.h"

#include <stdio.h>
#include <string.h>

/* ---- shared by the shells ---- */

/* Prints text; each character of `special` gets `before` in front of it. */
static void put_quoted(const char *text, const char *special, const char *before)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            fputs(before, stdout);
        putchar(*text);
    }
}

/* Text within single quotes of a shell that reads '\'' as a quote: bash and zsh. */
static void put_in_quotes(const char *text)
{
    for (; *text; text++)
        *text == '\'' ? (void)fputs("'\\''", stdout) : (void)putchar(*text);
}

static void put_words(const Entry *entries)
{
    for (const Entry *e = entries; e->word; e++)
        printf("%s%s", e == entries ? "" : " ", e->word);
}

static bool is_visible(const Command *const *c)
{
    return !(*c)->hidden;
}

/* ---- bash ---- */

static const char bash_head[] =
    "# Completion of kairos for bash; 'kairos completion bash' prints it.\n"
    "_kairos_words()\n"
    "{\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "}\n"
    "# The last of several words, separated by commas.\n"
    "_kairos_list()\n"
    "{\n"
    "    local before=\n"
    "    [[ $cur == *,* ]] && before=${cur%,*},\n"
    "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\")\n"
    "}\n"
    "# Folders, and files with the endings $1; without endings, all files.\n"
    "_kairos_files()\n"
    "{\n"
    "    local ending\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(\n"
    "        compgen -d -- \"$cur\"\n"
    "        for ending in $1; do [[ $ending != / ]] && compgen -f -X \"!*.$ending\" -- \"$cur\"; "
    "done\n"
    "        [[ $1 ]] || compgen -f -- \"$cur\")\n"
    "}\n"
    "_kairos()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} i\n"
    "    COMPREPLY=()\n"
    "    # bash splits --option=value at the sign of equality\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        _kairos_words '";

/* The values to complete after each option. */
static void put_bash_values(const Command *c)
{
    puts("        case $prev in");
    FOR_OPTIONS(o, c)
    {
        if (!o->value)
            continue;
        printf("        %s%s%s) ", o->letter ? o->letter : "", o->letter ? " | " : "", o->name);
        if (o->choices) {
            printf("_kairos_%s '", o->list ? "list" : "words");
            put_words(o->choices);
            printf("'; return ;;\n");
        } else if (o->files) {
            printf("_kairos_files '%s'; return ;;\n", o->files);
        } else {
            puts("return ;;");
        }
    }
    puts("        esac");
}

static void put_bash_command(const Command *c)
{
    printf("    %s)\n", c->name);
    put_bash_values(c);
    fputs("        if [[ $cur == -* ]]; then\n            _kairos_words '", stdout);
    const char *space = "";
    FOR_OPTIONS(o, c)
    {
        printf("%s%s%s%s", space, o->letter ? o->letter : "", o->letter ? " " : "", o->name);
        space = " ";
    }
    puts("'\n            return\n        fi");
    if (c->words) {
        fputs("        if ((COMP_CWORD == 2)); then\n            _kairos_words '", stdout);
        put_words(c->words);
        puts("'\n            return\n        fi");
    }
    if (c->files)
        printf("        _kairos_files '%s'\n", c->files);
    puts("        ;;");
}

static void put_bash(void)
{
    fputs(bash_head, stdout);
    for (const Command *const *c = commands; *c; c++)
        if (is_visible(c))
            printf("%s ", (*c)->name);
    puts("--help --version'\n        return\n    fi\n    case ${COMP_WORDS[1]} in");
    for (const Command *const *c = commands; *c; c++)
        if (is_visible(c))
            put_bash_command(*c);
    puts("    esac\n}\ncomplete -F _kairos kairos");
}

/* ---- zsh ---- */

static void put_zsh_files(const char *files)
{
    if (!strcmp(files, "/"))
        fputs("_files -/", stdout);
    else if (!*files)
        fputs("_files", stdout);
    else {
        fputs("_files -g \"*.(", stdout);
        for (; *files; files++)
            putchar(*files == ' ' ? '|' : *files);
        fputs(")(-.)\"", stdout);
    }
}

/* The kind of a value: ((word\:"text" …)) or the files. Within single quotes. */
static void put_zsh_value(const Entry *choices, bool list, const char *files)
{
    if (choices && list) {
        fputs("_values -s , value", stdout);
        for (const Entry *e = choices; e->word; e++)
            printf(" %s", e->word);
    } else if (choices) {
        fputs("((", stdout);
        for (const Entry *e = choices; e->word; e++) {
            printf("%s%s\\:\"", e == choices ? "" : " ", e->word);
            put_quoted(e->text, ":\\\"`$", "\\");
            putchar('"');
        }
        fputs("))", stdout);
    } else if (files) {
        put_zsh_files(files);
    } else {
        putchar(' ');
    }
}

static void put_zsh_spec(const Option *o, const char *name, const char *equals)
{
    printf("      '%s%s%s[", is_repeated(o) ? "*" : "", name, o->value ? equals : "");
    char text[400];
    snprintf(text, sizeof text, "%s", o->help);
    for (const char *t = text; *t; t++)
        *t == '\'' ? (void)fputs("'\\''", stdout)
                   : (void)printf(strchr("[]\\", *t) ? "\\%c" : "%c", *t);
    putchar(']');
    if (o->value) {
        putchar(':');
        put_quoted(o->value, ":\\", "\\");
        putchar(':');
        put_zsh_value(o->choices, o->list, o->files);
    }
    puts("' \\");
}

static void put_zsh_command(const Command *c)
{
    printf("  %s)\n    _arguments -S \\\n", c->name);
    FOR_OPTIONS(o, c)
    {
        put_zsh_spec(o, o->name, "=");
        if (o->letter)
            put_zsh_spec(o, o->letter, "");
    }
    if (c->words) {
        fputs("      '1:argument:", stdout);
        put_zsh_value(c->words, false, NULL);
        puts("' \\");
    }
    fputs("      '*:argument:", stdout);
    put_zsh_value(NULL, false, c->files);
    puts("'\n    ;;");
}

static void put_zsh(void)
{
    puts("#compdef kairos\n# Completion of kairos for zsh; 'kairos completion zsh' prints it.\n"
         "_kairos() {\n  if (( CURRENT == 2 )); then\n    local -a list\n    list=(");
    for (const Command *const *c = commands; *c; c++)
        if (is_visible(c)) {
            printf("      '%s:", (*c)->name);
            put_in_quotes((*c)->summary);
            puts("'");
        }
    puts("    )\n    _describe command list\n    return\n  fi\n"
         "  local name=${words[2]}\n  shift words\n  (( CURRENT-- ))\n  case $name in");
    for (const Command *const *c = commands; *c; c++)
        if (is_visible(c))
            put_zsh_command(*c);
    puts("  esac\n}\nif [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n  _kairos \"$@\"\nelse\n"
         "  compdef _kairos kairos\nfi");
}

/* ---- fish ---- */

static void put_fish_quoted(const char *text)
{
    putchar('\'');
    put_quoted(text, "'\\", "\\");
    putchar('\'');
}

/* word\t"meaning" …, which fish reads as words of a command line. */
static void put_fish_words(const Entry *entries)
{
    fputs(" -ka '", stdout);
    for (const Entry *e = entries; e->word; e++) {
        printf("%s%s\\t\"", e == entries ? "" : " ", e->word);
        for (const char *t = e->text; *t; t++)
            *t == '\'' ? (void)fputs("\\'", stdout)
                       : (void)printf(strchr("\"$\\", *t) ? "\\\\%c" : "%c", *t);
        putchar('"');
    }
    putchar('\'');
}

static void put_fish_files(const char *files)
{
    if (!strcmp(files, "/")) {
        fputs(" -a '(__kairos_files)'", stdout);
    } else if (!*files) {
        fputs(" -F", stdout);
    } else {
        printf(" -a '(__kairos_files %s)'", files);
    }
}

static void put_fish_option(const Command *c, const Option *o)
{
    printf("complete -c kairos -n '__kairos_command %s' -l %s", c->name, o->name + 2);
    if (o->letter)
        printf(" -s %s", o->letter + 1);
    if (o->value)
        fputs(o->files && !*o->files ? " -r" : " -x", stdout);
    if (o->list) {
        fputs(" -a '(__fish_append , ", stdout);
        put_words(o->choices);
        fputs(")'", stdout);
    } else if (o->choices) {
        put_fish_words(o->choices);
    } else if (o->files) {
        put_fish_files(o->files);
    }
    fputs(" -d ", stdout);
    put_fish_quoted(o->help);
    putchar('\n');
}

static void put_fish_command(const Command *c)
{
    FOR_OPTIONS(o, c)
    put_fish_option(c, o);
    if (c->words) {
        printf("complete -c kairos -n '__kairos_command %s 2'", c->name);
        put_fish_words(c->words);
        putchar('\n');
    }
    if (c->files) {
        printf("complete -c kairos -n '__kairos_command %s", c->name);
        if (c->words)
            printf("; and not __kairos_command %s 2", c->name);
        putchar('\'');
        put_fish_files(c->files);
        putchar('\n');
    }
}

static void put_fish(void)
{
    puts("# Completion of kairos for fish; 'kairos completion fish' prints it.\n"
         "# The command is $argv[1], and, if $argv[2] is given, so many words are complete.\n"
         "function __kairos_command\n    set -l words (commandline -opc)\n"
         "    test \"$words[2]\" = \"$argv[1]\"; or return\n"
         "    not set -q argv[2]; or test (count $words) -eq $argv[2]\nend\n"
         "# Folders, and files with the endings $argv.\n"
         "function __kairos_files\n"
         "    set -l token (commandline -ct | string replace -r -- '^--[^=]*=' '')\n"
         "    set -l endings (string join '|' '/' '\\.'$argv)\n"
         "    complete -C \"__fish_command_without_completions $token\" |\n"
         "        string match -re -- \"(?:$endings)(?:\\t|\\$)\"\nend\n"
         "complete -c kairos -f\n"
         "complete -c kairos -n __fish_is_first_token -l version -d 'print the version'");
    for (const Command *const *c = commands; *c; c++)
        if (is_visible(c)) {
            printf("complete -c kairos -n __fish_is_first_token -a %s -d ", (*c)->name);
            put_fish_quoted((*c)->summary);
            putchar('\n');
            put_fish_command(*c);
        }
}

/* ---- the command ---- */

static const struct Shell {
    const char *name;
    void (*put)(void);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int completion(Options *o)
{
    for (size_t i = 0; o->arguments.n == 1 && i < sizeof shells / sizeof *shells; i++)
        if (!strcmp(shells[i].name, o->arguments.at[0])) {
            shells[i].put();
            return put_output(o, "");
        }
    return usage("completion needs bash, zsh or fish");
}

const Command command_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "print the completion script of a shell",
    .text =
        "Prints a script that lets the shell complete commands, options and files. The packages "
        "of Kairos install these scripts.",
    .run = completion,
    .size = sizeof(Options),
    .options = {common_options},
    .examples = ENTRIES({"source <(kairos completion bash)", "Complete in this shell."},
                        {"kairos completion fish > ~/.config/fish/completions/kairos.fish",
                         "Complete in fish from now on."}),
    .words = ENTRIES({"bash", "a script for bash"}, {"zsh", "a script for zsh"},
                     {"fish", "a script for fish"}),
};
