#include "session.h"

#include "base/atomic_file.h"
#include "base/line_diff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct FormatOptions {
    Options common;
    bool check, diff, input, annotations;
} FormatOptions;

typedef struct FormatJob {
    const FormatOptions *o;
    Kairos *k;
    bool changed; /* a file is not in the style */
} FormatJob;

static int fail(const char *what, const char *path)
{
    fprintf(stderr, "kairos: cannot %s '%s': %s\n", what, path, strerror(errno));
    return KAIROS_USE_ERROR;
}

/* What becomes of the text `old` of a file, given its formatted text. */
static int deliver(FormatJob *j, const char *path, const Text *old, const char *text)
{
    bool same = strlen(text) == old->n && !memcmp(text, old->at, old->n);
    j->changed |= !same;
    if (j->o->diff) {
        Text t = {0};
        line_diff_print(path, old->at, old->n, text, strlen(text), &t);
        fputs(t.at ? t.at : "", stdout);
        text_free(&t);
    } else if (j->o->check) {
        if (!same)
            printf("%s\n", path);
    } else if (j->o->input) {
        fputs(text, stdout);
    } else if (!same) {
        return atomic_save(path, text, strlen(text), false) ? KAIROS_OK : fail("write", path);
    }
    return KAIROS_OK;
}

static int format_file(FormatJob *j, const char *path)
{
    Text old = {0};
    FILE *f = path ? fopen(path, "rb") : stdin;
    if (!f)
        return fail("read", path);
    bool ok = text_read(&old, f, SIZE_MAX);
    int status = ok ? KAIROS_OK : fail("read", path ? path : "standard input");
    if (f != stdin)
        fclose(f);
    if (ok) {
        const char *name = path ? path : "<stdin>";
        char *text = kairos_format_text(j->k, name, old.at, old.n, j->o->annotations);
        status = text ? deliver(j, name, &old, text) : KAIROS_MODEL_ERROR;
        kairos_free_text(text);
    }
    text_free(&old);
    return status;
}

static int format(Options *common)
{
    const FormatOptions *own = (const FormatOptions *)common;
    FormatJob j = {own, NULL, false};
    int status = KAIROS_OK;
    if (own->input == (common->arguments.n > 0))
        return usage(own->input ? "--stdin takes no files"
                                : "which files? Give FILE.mo, or --stdin");
    for (unsigned i = 0; i < common->arguments.n; i++)
        if (!ends_in(common->arguments.at[i], ".mo"))
            return usage("only files that end in .mo can be formatted");
    if (!(j.k = kairos_open()))
        return usage("there is not enough memory");
    for (unsigned i = 0; i < common->arguments.n + own->input; i++) {
        int one = format_file(&j, own->input ? NULL : common->arguments.at[i]);
        status = one > status ? one : status;
    }
    if (fflush(stdout))
        status = fail("write", "standard output");
    if (!status && own->check && j.changed)
        status = KAIROS_MODEL_ERROR;
    return finish(j.k, common, status);
}

static const Option format_options[] = {
    {"--check", NULL, "change nothing; print the files that are not formatted, with status 1",
     OPT_FLAG, TO(FormatOptions, check)},
    {"--diff", NULL, "change nothing; print the differences in the unified format", OPT_FLAG,
     TO(FormatOptions, diff)},
    {"--stdin", NULL, "format standard input to standard output", OPT_FLAG,
     TO(FormatOptions, input)},
    {"--annotations", NULL, "format annotations too; by default they keep their layout", OPT_FLAG,
     TO(FormatOptions, annotations)},
    {0},
};

const Command command_format = {
    .name = "format",
    .arguments = "FILE.mo... [OPTION...]",
    .summary = "rewrite Modelica files in one style",
    .text = "Rewrites files in place: two spaces of indentation, one statement a line, the "
            "spaces of the Standard Library. Comments, strings and line breaks inside statements "
            "stay. The tokens stay the same, so the meaning does too. A file with a syntax error "
            "is not changed.",
    .run = format,
    .size = sizeof(FormatOptions),
    .options = {format_options, common_options},
    .examples = ENTRIES({"kairos format Ball.mo", "Format a file."},
                        {"kairos format --check *.mo", "Check that all files are formatted."}),
    .files = "mo",
};
