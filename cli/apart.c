/* A command in a process of its own, because the code of FMUs may crash. */
#include "apart.h"

#include "session.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child; /* gets the signals of this process */

static void pass_on(int number)
{
    if (child > 0)
        kill(child, number);
}

/* The library notes each call of an FMU in a file: the function, and at NOTE_PATH the FMU. */
enum { NOTE_PATH = 1024, NOTE = 4096 };

/* The last call of an FMU; empty without one. */
static void read_note(const char *folder, char note[NOTE + 1])
{
    char pattern[4200];
    glob_t found;
    note[0] = '\0';
    snprintf(pattern, sizeof pattern, "%s/kairos-fmu-*/call", folder);
    bool any = !glob(pattern, 0, NULL, &found);
    for (size_t i = 0; any && i < found.gl_pathc && !note[0]; i++) {
        FILE *f = fopen(found.gl_pathv[i], "r");
        size_t n = f ? fread(note, 1, NOTE, f) : 0;
        note[n] = '\0';
        if (f)
            fclose(f);
    }
    if (any)
        globfree(&found);
}

/* A second interruption ends the run in whatever it does. */
static int report_end(const char *note)
{
    if (note[0])
        fprintf(stderr, "kairos: the run was ended without results; the last call was %s of %s\n",
                note, note + NOTE_PATH);
    else
        fputs("kairos: the run was ended without results\n", stderr);
    return KAIROS_INTERRUPTED;
}

/* The status. */
static int report_signal(const char *folder, int number)
{
    char note[NOTE + 1];
    read_note(folder, note);
    if (number == SIGINT || number == SIGTERM)
        return report_end(note);
    if (note[0])
        fprintf(stderr, "kairos: %s crashed in %s (%s)\n", note + NOTE_PATH, note,
                strsignal(number));
    else
        fprintf(stderr, "kairos: the simulation crashed (%s)\n", strsignal(number));
    return KAIROS_FAILED;
}

static void remove_folder(const char *folder)
{
    pid_t p = fork();
    if (p == 0) {
        execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
        _exit(1);
    }
    while (p > 0 && waitpid(p, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static int wait_for_child(const char *folder)
{
    int status = 0, result;
    struct sigaction action = {.sa_handler = pass_on};
    signal(SIGINT, SIG_IGN); /* the terminal sends it to the child as well */
    sigaction(SIGTERM, &action, NULL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    result = WIFSIGNALED(status) ? report_signal(folder, WTERMSIG(status)) : WEXITSTATUS(status);
    remove_folder(folder);
    return result;
}

bool apart(const Options *o, int *status)
{
    bool fmu = false;
    for (unsigned i = 0; i < o->arguments.n; i++)
        fmu |= ends_in(o->arguments.at[i], ".fmu") || ends_in(o->arguments.at[i], ".ssp");
    const char *place = getenv("TMPDIR");
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/kairos-XXXXXX", place && *place ? place : P_tmpdir);
    if (!fmu || !mkdtemp(folder))
        return false;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("TMPDIR", folder, 1);
    }
    if (child > 0)
        *status = wait_for_child(folder);
    return child > 0;
}
