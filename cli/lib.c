/* kairos lib list | add SOURCE | remove NAME [VERSION] | path [NAME [VERSION]] */
#include "session.h"

#include <stdio.h>
#include <string.h>

static int put(char *text)
{
    if (text)
        fputs(text, stdout);
    kairos_free_text(text);
    return text ? KAIROS_OK : KAIROS_USE_ERROR;
}

static int list(Kairos *k, const Options *o)
{
    add_libraries(k, o);
    return put(kairos_list_libraries(k, o->json ? KAIROS_JSON : KAIROS_TEXT));
}

static int path(Kairos *k, const Options *o)
{
    const TextList *a = &o->arguments;
    add_libraries(k, o);
    int status =
        put(kairos_find_library(k, a->n > 1 ? a->at[1] : NULL, a->n > 2 ? a->at[2] : NULL));
    if (!status)
        putchar('\n');
    return status;
}

static int print_report(int status, char *report, const Options *o)
{
    if (report && !o->quiet)
        fprintf(stderr, "%s\n", report);
    kairos_free_text(report);
    return status;
}

static int add(Kairos *k, const Options *o)
{
    char *report = NULL;
    int status = kairos_add_source(k, o->arguments.at[1], &report);
    return print_report(status, report, o);
}

static int remove_source(Kairos *k, const Options *o)
{
    char *report = NULL;
    const char *version = o->arguments.n > 2 ? o->arguments.at[2] : NULL;
    int status = kairos_remove_source(k, o->arguments.at[1], version, &report);
    return print_report(status, report, o);
}

static const struct Action {
    const char *name;
    unsigned least, most; /* arguments after the name */
    int (*run)(Kairos *k, const Options *o);
} actions[] = {{"list", 0, 0, list},
               {"add", 1, 1, add},
               {"remove", 1, 2, remove_source},
               {"path", 0, 2, path}};

static int libraries(Options *o)
{
    for (size_t i = 0; o->arguments.n && i < sizeof actions / sizeof *actions; i++) {
        const struct Action *a = &actions[i];
        if (strcmp(a->name, o->arguments.at[0]) || o->arguments.n < a->least + 1 ||
            o->arguments.n > a->most + 1)
            continue;
        Kairos *k = kairos_open();
        return finish(k, o, a->run(k, o));
    }
    fprintf(stderr, "kairos: lib needs list, add FOLDER|FILE.zip, remove NAME [VERSION] or path "
                    "[NAME [VERSION]]\n");
    return KAIROS_USE_ERROR;
}

const Command command_lib = {
    .name = "lib",
    .arguments = "list | add FOLDER|FILE.zip | remove NAME [VERSION] | path [NAME [VERSION]]",
    .summary = "manage Modelica libraries",
    .text =
        "list shows the libraries that models can use: name, version, kind, place, and which of "
        "several versions is used.\n\n"
        "add adds the packages of a folder, a checkout or a zip file for later calls. A zip "
        "file is unpacked. Folders stay where they are.\n\n"
        "remove removes a library, and deletes the files that add unpacked.\n\n"
        "path prints the place of a library. Without a name it prints the folder of the user's "
        "libraries.\n\n"
        "Kairos searches libraries in the folders of --library, then of MODELICAPATH, then among "
        "those added. If a library has several versions, the 'uses' annotation of the model "
        "chooses. Without it, Kairos takes the newest.",
    .manual = "A folder may contain several versions, named as in \"Name 1.2.0\".",
    .run = libraries,
    .size = sizeof(Options),
    .options = {library_options, common_options},
    .examples = ENTRIES(
        {"kairos lib add ModelicaStandardLibrary_v4.1.0.zip", "Unpack a library and keep it."},
        {"kairos lib list", "Show all libraries."}),
    .words = ENTRIES({"list", "show the libraries"}, {"add", "add a folder or a zip file"},
                     {"remove", "remove a library"}, {"path", "print the place of a library"}),
    .files = "zip",
};
